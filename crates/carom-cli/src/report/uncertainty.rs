//! The page of a sample of uncertain numbers.

use carom::answer::study::{MeasureSpread, UncertaintyAnswer, UncertaintyReading};
use carom::report::{Block, KeyNumber, Page, Section};

use super::{key, section, versions};
use crate::figure::uncertainty as drawing;
use crate::number::{percent, prefixed, six};
use crate::table::uncertainty as grids;

/// The text of the page.
pub(crate) fn html(
    reading: &UncertaintyReading,
    answer: &UncertaintyAnswer,
    command: Option<&str>,
) -> Result<String, String> {
    let mut headline = answer.headline.clone();
    if let Some(first) = headline.get(..1) {
        headline.replace_range(..1, &first.to_uppercase());
    }
    let title = if answer.title.is_empty() { "Uncertainty" } else { &answer.title };
    let page = Page {
        title: title.to_owned(),
        kind: "uncertainty",
        question: format!("How sure are the numbers of `{}`?", answer.contact),
        answer: format!("{headline}."),
        numbers: numbers(answer),
        warnings: answer.cautions.iter().map(|caution| caution.message.clone()).collect(),
        sections: sections(reading, answer, command)?,
        data: None,
    };
    Ok(page.html())
}

/// A value with its unit.
fn with(measure: &MeasureSpread, x: f64) -> String {
    match measure.measure.unit.as_str() {
        "" => six(x),
        unit @ ("N" | "J" | "s" | "m") => prefixed(x, unit),
        unit => format!("{} {unit}", six(x)),
    }
}

fn numbers(answer: &UncertaintyAnswer) -> Vec<KeyNumber> {
    let Some(first) = answer.measures.first() else { return Vec::new() };
    let spread = &first.spread;
    let interval = |low: f64, high: f64| {
        if low.is_finite() {
            format!("95 % interval {} to {}", with(first, low), with(first, high))
        } else {
            String::new()
        }
    };
    let mut out = vec![
        key(
            "median",
            with(first, spread.median.value),
            interval(spread.median.low, spread.median.high),
        ),
        key("p5", with(first, spread.p5.value), interval(spread.p5.low, spread.p5.high)),
        key("p95", with(first, spread.p95.value), interval(spread.p95.low, spread.p95.high)),
    ];
    if let Some(most) = first.influences.first() {
        out.push(key(
            "matters most",
            most.input.clone(),
            format!("{} of the variance", percent(most.share.value)),
        ));
    }
    out
}

fn sections(
    reading: &UncertaintyReading,
    answer: &UncertaintyAnswer,
    command: Option<&str>,
) -> Result<Vec<Section>, String> {
    let mut figures = Vec::new();
    for measure in &answer.measures {
        if let Some(svg) = drawing::distribution(reading, measure)? {
            let caption = format!("{}: histogram and distribution function", measure.measure.name);
            figures.push(Block::Figure { svg, caption });
        }
    }
    let table = grids::measures_grid(answer).sheet("measures, ± half of the 95 % interval", &[]);
    figures.push(Block::Table(table));
    let mut out = vec![section("spread", "How the measures are spread", figures)];
    let mut influences = vec![Block::Text(
        "The share of the variance that an uncertain number causes alone (Sobol's index of first order), and the rank correlation (Spearman), whose sign tells the direction.".to_owned(),
    )];
    for measure in &answer.measures {
        if let Some(grid) = grids::influences_grid(measure) {
            let title = format!("what {} depends on", measure.measure.name);
            influences.push(Block::Table(grid.sheet(&title, &[])));
        }
    }
    if influences.len() > 1 {
        out.push(section("influences", "Which uncertainty matters", influences));
    }
    let laws: Vec<Block> = answer
        .measures
        .iter()
        .filter_map(grids::laws_grid)
        .flat_map(|(grid, title)| {
            [Block::Text(format!("{title}.")), Block::Table(grid.sheet(&title, &[]))]
        })
        .collect();
    if !laws.is_empty() {
        out.push(section("laws", "The contact law as an uncertainty of its own", laws));
    }
    if let Some(first) = answer.measures.first() {
        let mut blocks = Vec::new();
        if let Some(svg) = drawing::convergence(first)? {
            let name = &first.measure.name;
            let caption = format!("{name} from more and more points, ± one standard error");
            blocks.push(Block::Figure { svg, caption });
        }
        let table = grids::convergence_grid(first).sheet("convergence, ± standard error", &[]);
        blocks.push(Block::Table(table));
        out.push(section("convergence", "Convergence", blocks));
    }
    out.push(section("inputs", "The uncertain numbers", vec![Block::List(answer.inputs.clone())]));
    out.push(section("method", "How it was computed", vec![Block::List(vec![
        format!("{} points, `{}`: 16 independent samples of the same size, point by point in turn. An estimate is made from all points; its standard error is the scatter of the estimates from the 16 samples, and its 95 % interval is Student's with 15 degrees of freedom (sectioning).", answer.points, answer.sampling),
        "Quantiles are linear between order statistics. A point that never touches counts with a force of zero; one with an error is left out.".to_owned(),
        "A distribution is truncated where the model refuses what lies beyond, such as a mass below zero; a warning above tells of each.".to_owned(),
    ])]));
    let mut facts = vec![
        ("points".to_owned(), format!("{}, {}", answer.points, answer.sampling)),
        ("done at each".to_owned(), answer.action.clone()),
    ];
    facts.extend(versions(&reading.mark, command));
    out.push(section("origin", "What it was computed from", vec![Block::Facts(facts)]));
    Ok(out)
}
