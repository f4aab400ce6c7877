//! The page of a fit.

use carom::Machine;
use carom::answer::fit::ContactFit;
use carom::report::{Block, KeyNumber, Page, Section};

use super::{cautions, key, origin, section, title};
use crate::figure::fit as drawing;
use crate::number::{count, percent, three};
use crate::table::Grid;
use crate::table::fit::grid;

/// The text of the page.
pub(crate) fn html(
    machine: &Machine,
    answer: &ContactFit,
    command: Option<&str>,
) -> Result<String, String> {
    let page = Page {
        title: title(&answer.head),
        kind: "fit",
        question: format!("Which law describes the impacts of contact `{}`?", answer.contact),
        answer: answer.verdict.clone(),
        numbers: numbers(answer),
        warnings: cautions(&answer.head, &answer.cautions),
        sections: sections(machine, answer, drawing::draw(answer)?, command),
        data: None,
    };
    Ok(page.html())
}

fn numbers(answer: &ContactFit) -> Vec<KeyNumber> {
    let Some(best) = answer.laws.first() else { return Vec::new() };
    let note = format!("by {}, {} interval", best.law, percent(answer.level));
    let mut out: Vec<KeyNumber> = Vec::new();
    for p in &best.parameters {
        let unit = if p.unit == "-" { String::new() } else { format!(" [{}]", p.unit) };
        let name = format!("{} {}{unit}", p.name.replace('_', " "), p.symbol);
        out.push(key(&name, p.text(), note.as_str()));
    }
    let cases = if answer.kind == "impacts" { "impacts" } else { "signals" };
    let measured = count(answer.measurements, "number", "numbers");
    out.push(key("measured", measured, format!("{} {cases}", answer.cases.len())));
    out
}

fn sections(
    machine: &Machine,
    answer: &ContactFit,
    svg: String,
    command: Option<&str>,
) -> Vec<Section> {
    let caption =
        "measured beside what the best law gives, and the differences in standard deviations"
            .to_owned();
    let mut out = vec![section("fit", "The fit", vec![Block::Figure { svg, caption }])];
    let mut blocks = vec![Block::Table(grid(answer).sheet(
        "the laws, the best first; ΔAICc below 2: not to be told apart, above 10: essentially no support",
        &[],
    ))];
    let not: Vec<String> = answer
        .not_fitted
        .iter()
        .map(|(law, why)| format!("`{law}` was not fitted: {why}"))
        .collect();
    if !not.is_empty() {
        blocks.push(Block::List(not));
    }
    out.push(section("laws", "The laws side by side", blocks));
    if let Some(block) = &answer.block {
        let lines = block.lines().map(|line| format!("`{line}`")).collect();
        out.push(section("block", "To paste into the model file", vec![Block::List(lines)]));
    }
    let mut cases =
        Grid::new(&["line", "name", "m_eff [kg]", "approach speed [m/s]", "T_c [J]", "onset [s]"]);
    for case in &answer.cases {
        cases.row(vec![
            case.line.to_string(),
            case.name.clone(),
            three(case.effective_mass),
            three(case.approach_speed),
            three(case.impact_energy),
            case.onset.map_or_else(|| "-".to_owned(), three),
        ]);
    }
    out.push(section(
        "cases",
        "What was measured",
        vec![Block::Table(cases.sheet("effective mass and approach speed of every case", &[]))],
    ));
    let method = vec![
        "m_eff comes from the model; the law gives separation speed, peak force, duration and impulse, or the force over time.".to_owned(),
        "Weighted least squares by Levenberg and Marquardt from several starts; derivatives from closed forms, or integrated with the motion.".to_owned(),
        "Intervals by profile likelihood: the others are fitted anew where one parameter is held. An end that is not reached is open.".to_owned(),
        "Standard deviations without a column sigma(…) are estimated from the residuals, one for each quantity.".to_owned(),
        "Laws are ranked by Akaike's criterion with the correction for few data (AICc).".to_owned(),
    ];
    out.push(section("method", "How it was computed", vec![Block::List(method)]));
    out.push(origin(&answer.head, &machine.fingerprint(), command));
    out
}
