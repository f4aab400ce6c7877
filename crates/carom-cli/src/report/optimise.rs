//! The page of a search for the best design.

use carom::answer::study::{OptimiseAnswer, OptimiseOptions};
use carom::answer::{CautionCode, Severity};
use carom::report::{Block, KeyNumber, Page, Section};

use super::{key, section, shown, versions};
use crate::commands::optimise::{goal, path_grid, word};
use crate::figure::optimise as drawing;
use crate::number::{count, percent};
use crate::table::{Grid, study::slopes_grid};

/// The text of the page.
pub(crate) fn html(
    options: &OptimiseOptions,
    answer: &OptimiseAnswer,
    command: Option<&str>,
) -> Result<String, String> {
    let verb = if answer.maximise { "largest" } else { "smallest" };
    let warnings = answer.cautions.iter().filter(|c| c.severity >= Severity::Warning);
    let page = Page {
        title: shown(&options.file.display().to_string()),
        kind: "optimise",
        question: format!("Which design has the {verb} `{}`?", answer.goal),
        answer: sentence(answer),
        numbers: numbers(answer),
        warnings: warnings.map(|caution| caution.message.clone()).collect(),
        sections: sections(answer, drawing::draw(answer)?, command),
        data: None,
    };
    Ok(page.html())
}

/// The edges first: what the best design is best because of.
fn sentence(answer: &OptimiseAnswer) -> String {
    let Some(best) = answer.best() else { return "No design has a value.".to_owned() };
    let first = answer
        .cautions
        .iter()
        .find(|c| c.code == CautionCode::OptimumAtEdge && c.severity >= Severity::Warning);
    let edge = first.map_or_else(String::new, |c| format!("{}. ", capital(&c.message)));
    let change = answer.change.map_or_else(String::new, |change| {
        format!(
            ", {} than the given one",
            if change < 0.0 {
                format!("{} lower", percent(-change))
            } else {
                format!("{} higher", percent(change))
            }
        )
    });
    let kept = if answer.constraints_kept { "" } else { "; no design keeps all constraints" };
    format!(
        "{edge}`{}` = {} at {}{change}{kept}.",
        answer.goal,
        goal(best.value, &answer.unit),
        design(answer)
    )
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |c| c.to_uppercase().chain(letters).collect())
}

/// The variables of the best design.
fn design(answer: &OptimiseAnswer) -> String {
    let Some(best) = answer.best() else { return String::new() };
    let one = |(name, level): (&String, _)| {
        let level = word(level);
        match name.strip_suffix(']').and_then(|n| n.split_once(" [")) {
            Some((name, unit)) => format!("{name} = {level} {unit}"),
            None => format!("{name} = {level}"),
        }
    };
    answer.variables.iter().zip(&best.variables).map(one).collect::<Vec<_>>().join(", ")
}

fn numbers(answer: &OptimiseAnswer) -> Vec<KeyNumber> {
    let Some(best) = answer.best() else { return Vec::new() };
    let mut out = vec![key(&format!("best `{}`", answer.goal), goal(best.value, &answer.unit), "")];
    if let Some(start) = answer.start {
        out.push(key("of the given design", goal(start, &answer.unit), ""));
    }
    let how =
        if answer.settled { "conditions of first order hold" } else { "found without derivatives" };
    out.push(key("evaluations", answer.evaluations.to_string(), how));
    out
}

fn sections(answer: &OptimiseAnswer, svg: String, command: Option<&str>) -> Vec<Section> {
    let mut out = Vec::new();
    let mut edges: Vec<String> = answer.edges.clone();
    if edges.is_empty() {
        edges
            .push("none: a wider range or a looser constraint would not make it better".to_owned());
    }
    let rest = answer.cautions.iter().filter(|c| !answer.edges.contains(&c.message));
    edges.extend(rest.map(|c| c.message.clone()));
    out.push(section("edges", "Edges that the best design lies at", vec![Block::List(edges)]));
    let mut grid = Grid::new(&["variable", "value"]);
    if let Some(best) = answer.best() {
        for (name, level) in answer.variables.iter().zip(&best.variables) {
            grid.row(vec![name.clone(), word(level)]);
        }
    }
    out.push(section(
        "design",
        "The best design",
        vec![Block::Table(grid.sheet("the best design", &[]))],
    ));
    if let Some(grid) = slopes_grid(&answer.sensitivities) {
        out.push(section(
            "sensitivities",
            "Sensitivities there",
            vec![Block::Table(grid.sheet("sensitivities at the best design", &[]))],
        ));
    }
    let caption =
        "the goal and the variables of the best design so far, over the evaluations".to_owned();
    out.push(section(
        "history",
        "The search",
        vec![
            Block::Figure { svg, caption },
            Block::Table(path_grid(answer).sheet("designs that were better than all before", &[])),
        ],
    ));
    out.push(section("method", "How it was computed", vec![Block::List(vec![
        "Sobol points; from those without a better neighbour sequential quadratic programming (multi-level single linkage). Derivatives of m_eff and T_c by inertias are exact, others central differences.".to_owned(),
        "A rough goal, or one with many valleys, is searched by evolution (CMA-ES) and a simplex.".to_owned(),
        "Near an edge beyond which designs have no value, its place is found by bisection and the goal made small along it.".to_owned(),
    ])]));
    let mut facts = vec![
        ("evaluations".to_owned(), count(answer.evaluations, "evaluation", "evaluations")),
        ("seed".to_owned(), answer.seed.to_string()),
    ];
    facts.extend(versions("", command).into_iter().filter(|(_, fact)| fact != "``"));
    out.push(section("origin", "What it was computed from", vec![Block::Facts(facts)]));
    out
}
