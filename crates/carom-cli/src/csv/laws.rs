//! Contact laws and impacts as CSV.

use carom::answer::laws::{Delivery, Law, LawImpact, LawPage, Range};

use super::{full, sheet};
use crate::VerbResult;

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
pub(crate) fn list(laws: &[Law]) -> VerbResult {
    let mut heading = vec![
        "law", "form", "e from", "e to", "n from", "n to", "n", "parting", "formula", "source",
    ];
    heading.extend(ANSWER);
    let rows = laws.iter().flat_map(|law| {
        let range = |b: Option<Range>| {
            b.map_or_else(|| [String::new(), String::new()], |b| [full(b.low), full(b.high)])
        };
        let mut first = vec![law.name.clone(), law.form.clone()];
        first.extend(range(law.restitution));
        first.extend(range(law.exponent.map(|x| x.range)));
        first.push(law.exponent.map_or_else(String::new, |x| full(x.default)));
        first.extend([law.parting.clone(), law.formula.clone(), law.source.clone()]);
        let answers: Vec<Vec<String>> = match &law.delivered {
            None => vec![vec![String::new(); ANSWER.len()]],
            Some(answers) => answers.iter().map(cells).collect(),
        };
        answers.into_iter().map(move |answer| [first.clone(), answer].concat())
    });
    sheet(&heading, rows)
}

/// One law: one line per restitution.
pub(crate) fn page(page: &LawPage) -> VerbResult {
    let Some(answers) = &page.law.delivered else {
        return Err(format!(
            "{} takes no restitution: there is no table of what it delivers; --format json has the rest",
            page.law.name
        ));
    };
    sheet(&ANSWER, answers.iter().map(cells))
}

fn cells(d: &Delivery) -> Vec<String> {
    [
        d.asked,
        d.restitution,
        d.at_zero_force,
        d.at_zero_indentation,
        d.peak_by_elastic,
        d.indentation_by_elastic,
        d.duration_by_elastic,
    ]
    .map(full)
    .to_vec()
}

/// The moments of an impact.
pub(crate) fn curve(strike: &LawImpact) -> VerbResult {
    let rows = strike.curve.iter().map(|s| [s.t, s.delta, s.delta_dot, s.force].map(full).to_vec());
    sheet(&["t [s]", "delta [m]", "delta_dot [m/s]", "force [N]"], rows)
}
