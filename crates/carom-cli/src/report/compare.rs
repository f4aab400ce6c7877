//! The page of two designs beside each other.

use carom::answer::study::CompareAnswer;
use carom::report::{Block, Page};

use super::{own_command, section, shown, versions};
use crate::number::{percent, six};
use crate::table::Grid;

/// The measures that the sentence is about, the first that both have.
const SUBJECTS: [&str; 4] = ["peak_force", "elastic_peak", "impact_energy", "effective_mass"];

/// The text of the page.
pub(crate) fn html(answer: &CompareAnswer, grid: &Grid) -> String {
    let [first, second] = [&answer.first, &answer.second].map(|name| shown(name));
    let mut facts = vec![
        ("first".to_owned(), format!("`{first}`")),
        ("second".to_owned(), format!("`{second}`")),
        ("done to each".to_owned(), answer.action.clone()),
    ];
    facts.extend(versions("", Some(&own_command())).into_iter().take(2));
    Page {
        title: format!("{first} and {second}"),
        kind: "compare",
        question: "Which of two designs hits softer?".to_owned(),
        answer: sentence(answer, &first, &second),
        numbers: Vec::new(),
        warnings: answer.cautions.iter().map(|caution| caution.message.clone()).collect(),
        sections: vec![
            section(
                "measures",
                "Measure by measure",
                vec![Block::Table(grid.sheet("first and second design", &[]))],
            ),
            section("origin", "What it was computed from", vec![Block::Facts(facts)]),
        ],
        data: None,
    }
    .html()
}

fn sentence(answer: &CompareAnswer, first: &str, second: &str) -> String {
    let both = |name: &&str| {
        let found = answer.measures.iter().find(|m| m.measure == **name)?;
        Some((found, found.first?, found.second?))
    };
    let Some((m, a, b)) = SUBJECTS.iter().find_map(both) else {
        return "The two designs have no measure in common.".to_owned();
    };
    let name = m.measure.replace('_', " ");
    let change = (b - a) / a;
    if a == b || !change.is_finite() {
        return format!("Both have the same {name}: {} {}.", six(a), m.unit);
    }
    let (softer, part) = if b < a { (second, -change) } else { (first, (b - a) / b) };
    format!(
        "`{softer}` has the smaller {name}: {} {unit} beside {} {unit}, {} less.",
        six(a.min(b)),
        six(a.max(b)),
        percent(part),
        unit = m.unit
    )
}
