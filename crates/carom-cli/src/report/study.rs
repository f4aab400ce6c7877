//! The page of a study.

use carom::model::description::Value;
use carom::model::study::Level;
use carom::report::{Block, KeyNumber, Page, Section};
use carom::study::hashes;

use super::{PAPERS, key, section, versions};
use crate::commands::study::Report;
use crate::figure::study as drawing;
use crate::number::{count, percent, prefixed, six};
use crate::table::study as grids;

/// The text of the page.
pub(crate) fn html(report: &Report) -> Result<String, String> {
    let svg = drawing::draw(report)?;
    let page = Page {
        title: title(report),
        kind: "study",
        question: format!("Which design hits softest at `{}`?", report.study.contact),
        answer: answer(report),
        numbers: numbers(report),
        warnings: failures(report),
        sections: sections(report, svg),
        data: None,
    };
    Ok(page.html())
}

fn title(report: &Report) -> String {
    match report.study.description.node("title").map(|node| &node.value) {
        Some(Value::Text { text, .. }) if !text.is_empty() => text.clone(),
        _ => "A study".to_owned(),
    }
}

/// The variables of a row.
fn design(report: &Report, row: usize) -> String {
    let names = report.study.variable_headings();
    let one = |(name, levels): (&String, &Vec<Level>)| {
        let level = match &levels[row] {
            Level::Number(x) => six(*x),
            Level::Word(word) => word.clone(),
        };
        match name.strip_suffix(']').and_then(|n| n.split_once(" [")) {
            Some((name, unit)) => format!("{name} = {level} {unit}"),
            None => format!("{name} = {level}"),
        }
    };
    names.iter().zip(&report.rows.levels).map(one).collect::<Vec<_>>().join(", ")
}

/// A measure of a row with its unit.
fn measured(report: &Report, measure: usize, row: usize) -> String {
    let column = &report.study.measures[measure];
    let x = report.rows.measures[measure][row];
    match column.formula.unit {
        "" => six(x),
        unit @ ("N" | "J" | "s" | "m") => prefixed(x, unit),
        unit => format!("{} {unit}", six(x)),
    }
}

/// The softest and the hardest design that have a measure.
fn ends(report: &Report) -> Option<(usize, usize)> {
    let target = &report.rows.measures[report.digest.target];
    let known = || report.digest.ranking.iter().copied().filter(|row| !target[*row].is_nan());
    Some((known().next()?, known().next_back()?))
}

fn answer(report: &Report) -> String {
    let target = report.digest.target;
    let name = &report.study.measures[target].name;
    let Some((soft, hard)) = ends(report) else {
        return format!("No point has the measure `{name}`.");
    };
    format!(
        "By `{name}`: {} at {}; hardest is {} at {}.",
        measured(report, target, soft),
        design(report, soft),
        measured(report, target, hard),
        design(report, hard)
    )
}

fn numbers(report: &Report) -> Vec<KeyNumber> {
    let target = report.digest.target;
    let Some((soft, hard)) = ends(report) else { return Vec::new() };
    let name = &report.study.measures[target].name;
    let mut out = vec![
        key(
            "softest",
            measured(report, target, soft),
            format!("point {}, by `{name}`", report.rows.points[soft]),
        ),
        key(
            "hardest",
            measured(report, target, hard),
            format!("point {}", report.rows.points[hard]),
        ),
    ];
    for d in report.digest.drivers.iter().filter(|d| d.group.is_none()).take(2) {
        let measure = &report.study.measures[d.measure].name;
        if let Some(rank) = d.spearman {
            out.push(key(
                &format!("`{name}` follows `{measure}`"),
                format!("{rank:.4}"),
                "by rank (Spearman); 1 is always",
            ));
        }
    }
    out
}

fn failures(report: &Report) -> Vec<String> {
    let rows = &report.rows;
    let mut out = Vec::new();
    if let Some((point, text)) = rows.failed.first() {
        let n = count(rows.failed.len(), "point has an error", "points have an error");
        let text: String = text.chars().take(300).collect();
        out.push(format!("{n}; the first, {point}: {text}"));
    }
    if rows.missing > 0 {
        out.push(format!(
            "not complete: {} of {} points are missing",
            rows.missing,
            report.study.design.points()
        ));
    }
    out
}

fn sections(report: &Report, svg: String) -> Vec<Section> {
    let (study, digest) = (&report.study, &report.digest);
    let target = &study.measures[digest.target].name;
    let caption = format!("{target} over the variables of the study, and against the energies");
    let mut out = vec![
        section("curves", "The curves", vec![Block::Figure { svg, caption }]),
        section(
            "ranking",
            "The designs, softest first",
            vec![Block::Table(
                grids::ranking_grid(report).sheet("the designs, softest first", &[]),
            )],
        ),
    ];
    if !digest.correlations.is_empty() {
        let table =
            grids::correlations_grid(report).sheet("correlation of measures with variables", &[]);
        out.push(section("correlation", "What follows what", vec![
            Block::Text("1 or −1: always together; 0: not at all. Pearson's is of the values, Spearman's of their ranks.".to_owned()),
            Block::Table(table),
        ]));
    }
    if !digest.drivers.is_empty() {
        let table = grids::drivers_grid(report).sheet("against energies", &[]);
        out.push(section(
            "energies",
            &format!("`{target}` against energies"),
            vec![
                Block::Table(table),
                Block::Text(format!(
                    "Worst: the deepest fall of `{target}` while the energy grows, of its span."
                )),
            ],
        ));
    }
    if let Some((grid, assumed)) = grids::sensitivities_grid(report) {
        let text = format!("At the values of the file{assumed}.");
        out.push(section(
            "sensitivities",
            "Sensitivities",
            vec![Block::Text(text), Block::Table(grid.sheet("sensitivities", &[]))],
        ));
    }
    if let Some(grid) = grids::indices_grid(report) {
        out.push(section("sobol", "Sobol's indices", vec![
            Block::Text("Parts of the variance of a measure that a variable causes, alone and with others.".to_owned()),
            Block::Table(grid.sheet("Sobol's indices", &[])),
        ]));
    }
    out.push(section(
        "method",
        "How it was computed",
        vec![Block::List(method(report)), Block::Text(PAPERS.to_owned())],
    ));
    let (model, plan) = hashes(&study.description);
    let points = usize::try_from(study.design.points()).unwrap_or(usize::MAX);
    let mut facts = vec![
        (
            "points".to_owned(),
            format!("{}, {}", count(points, "point", "points"), study.design.sampling().name()),
        ),
        ("done at each".to_owned(), study.action.name().to_owned()),
    ];
    facts.extend(versions(&format!("fnv1a64:{model:016x} (model), fnv1a64:{plan:016x} (study)")));
    out.push(section("origin", "What it was computed from", vec![Block::Facts(facts)]));
    out
}

fn method(report: &Report) -> Vec<String> {
    let good = report.rows.len() as f64 / report.study.design.points().max(1) as f64;
    vec![
        "Every point is an edit of the model, which is built, assembled and measured anew: exactly what `--set` would show.".to_owned(),
        "Peak forces are those of a simulated impact (action `run`) or of the frozen pose (action `assess`); T_c as 002 eqs. 16 and 17, m_eff as 000 eqs. 28 and 31.".to_owned(),
        format!("{} of the points have measures. A point that fails keeps its place and its error.", percent(good)),
    ]
}
