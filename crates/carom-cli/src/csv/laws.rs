//! Contact laws and impacts as CSV.

use carom::contact::law::Bounds;

use super::{full, sheet};
use crate::Outcome;
use crate::commands::laws::strike::Strike;
use crate::commands::laws::summary::{Answer, Page, Summary};

/// Columns of what a law delivers.
const ANSWER: [&str; 7] = [
    "e asked",
    "e delivered",
    "e at zero force",
    "e at zero indentation",
    "peak by elastic",
    "indentation by elastic",
    "duration by elastic",
];

/// The catalogue: one line per law and restitution; one line for a law that takes none.
pub(crate) fn list(laws: &[Summary]) -> Outcome {
    let mut heading = vec![
        "law", "form", "e from", "e to", "n from", "n to", "n", "parting", "formula", "source",
    ];
    heading.extend(ANSWER);
    let rows = laws.iter().flat_map(|law| {
        let entry = law.entry;
        let range = |b: Option<Bounds>| {
            b.map_or_else(|| [String::new(), String::new()], |b| [full(b.low), full(b.high)])
        };
        let mut first = vec![entry.name.to_owned(), entry.form.name().to_owned()];
        first.extend(range(entry.restitution));
        first.extend(range(entry.exponent.map(|x| x.0)));
        first.push(entry.exponent.map_or_else(String::new, |x| full(x.1)));
        first.extend([entry.parting.name(), entry.formula, entry.source].map(str::to_owned));
        let answers: Vec<Vec<String>> = match law.answers.as_slice() {
            [] => vec![vec![String::new(); ANSWER.len()]],
            answers => answers.iter().map(cells).collect(),
        };
        answers.into_iter().map(move |answer| [first.clone(), answer].concat())
    });
    sheet(&heading, rows)
}

/// One law: one line per restitution.
pub(crate) fn page(page: &Page) -> Outcome {
    if page.summary.answers.is_empty() {
        return Err(format!(
            "{} takes no restitution: there is no table of what it delivers; --format json has the rest",
            page.summary.entry.name
        ));
    }
    sheet(&ANSWER, page.summary.answers.iter().map(cells))
}

fn cells(answer: &Answer) -> Vec<String> {
    let d = &answer.delivered;
    [
        answer.asked,
        d.restitution,
        d.at_zero_force,
        d.at_zero_indentation,
        d.peak_force,
        d.max_indentation,
        d.duration,
    ]
    .map(full)
    .to_vec()
}

/// The moments of an impact.
pub(crate) fn curve(strike: &Strike) -> Outcome {
    let rows =
        strike.curve.iter().map(|s| [s.time, s.delta, s.delta_dot, s.force].map(full).to_vec());
    sheet(&["t [s]", "delta [m]", "delta_dot [m/s]", "force [N]"], rows)
}
