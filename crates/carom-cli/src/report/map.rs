//! The page of a map.

use carom::answer::study::MapAnswer;
use carom::report::{Block, Page};

use super::{own_command, section, shown, versions};
use crate::table::Grid;

/// The text of the page.
pub(crate) fn html(answer: &MapAnswer, svg: String, extremes: &Grid) -> String {
    let names: Vec<String> =
        answer.measures.iter().map(|m| m.measure.name.replace('_', " ")).collect();
    let names = names.join(" and ");
    let (x, y) = (&answer.x, &answer.y);
    let caption = format!(
        "{names} over {} and {}. Colours end without the outermost fiftieth of the values at either end; values beyond stand in the heading of a map",
        x.variable, y.variable
    );
    let method = vec![
        format!("{} × {} points, each an edit of the model that is built, assembled and measured anew: exactly what `--set` would show.", answer.count, answer.count),
        "Contour lines are straight within a triangle of neighbouring points, and carry their level. Grey: no value.".to_owned(),
    ];
    let mut facts = vec![("model file".to_owned(), format!("`{}`", shown(&answer.file)))];
    facts.extend(versions("", Some(&own_command())).into_iter().take(2));
    Page {
        title: if answer.title.is_empty() { "A map".to_owned() } else { answer.title.clone() },
        kind: "map",
        question: format!(
            "How do {names} at `{}` depend on {} and {}?",
            answer.contact, x.variable, y.variable
        ),
        answer: sentence(answer),
        numbers: Vec::new(),
        warnings: answer.cautions.iter().map(|caution| caution.message.clone()).collect(),
        sections: vec![
            section(
                "map",
                "The map",
                vec![
                    Block::Figure { svg, caption },
                    Block::Table(extremes.sheet("least and greatest values", &[])),
                ],
            ),
            section("method", "How it was computed", vec![Block::List(method)]),
            section("origin", "What it was computed from", vec![Block::Facts(facts)]),
        ],
        data: None,
    }
    .html()
}

/// Between which values each measure lies.
fn sentence(answer: &MapAnswer) -> String {
    let one = |m: &carom::answer::study::MapMeasure| {
        let (least, most) = m.least.as_ref().zip(m.most.as_ref())?;
        let with = |x: f64| match m.measure.unit.as_str() {
            "" => crate::number::six(x),
            unit => format!("{} {unit}", crate::number::six(x)),
        };
        let name = m.measure.name.replace('_', " ");
        Some(format!("{name} lies between {} and {}", with(least.value), with(most.value)))
    };
    let mut text = answer.measures.iter().filter_map(one).collect::<Vec<_>>().join("; ");
    if let Some(first) = text.get(..1) {
        text.replace_range(..1, &first.to_uppercase());
    }
    text + "."
}
