//! The page of a study.

use carom::answer::study::{DesignRow, StudyAnswer, StudyReading};
use carom::report::{Block, KeyNumber, Page, Section, Widget};

use serde_json::{Value, json};

use super::{PAPERS, key, section, versions};
use crate::figure::study as drawing;
use crate::number::{count, percent, prefixed, six};
use crate::table::study as grids;

/// The text of the page.
pub(crate) fn html(
    reading: &StudyReading,
    answer: &StudyAnswer,
    command: Option<&str>,
) -> Result<String, String> {
    let svg = drawing::draw(reading)?;
    let page = Page {
        title: title(reading),
        kind: "study",
        question: format!("Which design hits softest at `{}`?", answer.contact),
        answer: sentence(answer),
        numbers: numbers(answer),
        warnings: answer.cautions.iter().map(|caution| caution.message.clone()).collect(),
        sections: sections(reading, answer, svg, command),
        data: parallel(reading),
    };
    Ok(page.html())
}

/// Designs that are drawn in parallel coordinates: the softest and every so many of the others.
const MOST_LINES: usize = 600;

/// The designs with the variables that matter, the one that matters most first, and the measure that they are ranked by; none of fewer than
/// three variables.
fn parallel(reading: &StudyReading) -> Option<Value> {
    let (digest, rows) = (&reading.digest, &reading.rows);
    let headings = reading.study.variable_headings();
    let mut names: Vec<String> =
        digest.effects.iter().map(|e| headings[e.variable].clone()).collect();
    let mut columns: Vec<Vec<f64>> =
        digest.effects.iter().map(|e| rows.numbers(e.variable)).collect::<Option<_>>()?;
    names.push(reading.study.measures[digest.target].heading());
    columns.push(rows.measures[digest.target].clone());
    let all = digest.ranking.iter().filter(|row| rows.measures[digest.target][**row].is_finite());
    let chosen: Vec<usize> =
        all.clone().copied().step_by(all.count().div_ceil(MOST_LINES).max(1)).collect();
    if !reading.has_many_axes() || chosen.is_empty() {
        return None;
    }
    let axes: Vec<Value> = names
        .iter()
        .zip(&columns)
        .map(|(name, x)| {
            let ends = chosen.iter().map(|row| x[*row]);
            let low = ends.clone().fold(f64::INFINITY, f64::min);
            json!({ "name": name, "low": low, "high": ends.fold(f64::NEG_INFINITY, f64::max) })
        })
        .collect();
    let lines: Vec<Vec<f64>> =
        chosen.iter().map(|row| columns.iter().map(|x| x[*row]).collect()).collect();
    Some(json!({ "parallel": { "axes": axes, "rows": lines } }))
}

fn title(reading: &StudyReading) -> String {
    match reading.title() {
        "" => "A study".to_owned(),
        title => title.to_owned(),
    }
}

/// The variables of a design.
fn design(answer: &StudyAnswer, row: &DesignRow) -> String {
    let one = |(name, level)| {
        let level = grids::level(level);
        match str::strip_suffix(name, "]").and_then(|n| n.split_once(" [")) {
            Some((name, unit)) => format!("{name} = {level} {unit}"),
            None => format!("{name} = {level}"),
        }
    };
    let names = answer.variables.iter().map(String::as_str);
    names.zip(&row.variables).map(one).collect::<Vec<_>>().join(", ")
}

/// The ranking measure of a design with its unit.
fn measured(answer: &StudyAnswer, row: &DesignRow) -> String {
    let mut measures = answer.measures.iter().zip(&row.measures);
    let found = measures.find(|(m, _)| m.name == answer.ranked_by);
    found.map_or_else(String::new, |(measure, &x)| match measure.unit.as_str() {
        _ if x.is_infinite() => "unbounded".to_owned(),
        "" => six(x),
        unit @ ("N" | "J" | "s" | "m") => prefixed(x, unit),
        unit => format!("{} {unit}", six(x)),
    })
}

/// The softest and the hardest design.
fn ends(answer: &StudyAnswer) -> Option<(&DesignRow, &DesignRow)> {
    Some((answer.softest.first()?, answer.hardest.last().or(answer.softest.last())?))
}

fn sentence(answer: &StudyAnswer) -> String {
    let name = &answer.ranked_by;
    let Some((soft, hard)) = ends(answer) else {
        return format!("No point has the measure `{name}`.");
    };
    let mut headline = answer.headline.clone();
    // The name of a variable stays as the file has it.
    let named = headline.split(' ').next().is_some_and(|word| word.contains('_'));
    if let Some(first) = headline.get(..1).filter(|_| !named) {
        headline.replace_range(..1, &first.to_uppercase());
    }
    let touches = if soft.untouched { ", which never touches" } else { "" };
    format!(
        "{headline}. By `{name}`: {} at {}{touches}; hardest is {} at {}.",
        measured(answer, soft),
        design(answer, soft),
        measured(answer, hard),
        design(answer, hard)
    )
}

fn numbers(answer: &StudyAnswer) -> Vec<KeyNumber> {
    let Some((soft, hard)) = ends(answer) else { return Vec::new() };
    let name = &answer.ranked_by;
    let touches = if soft.untouched { ": never touches" } else { "" };
    let of_soft = format!("point {}, by `{name}`{touches}", soft.point);
    let mut out = vec![
        key("softest", measured(answer, soft), of_soft),
        key("hardest", measured(answer, hard), format!("point {}", hard.point)),
    ];
    for d in answer.energies.iter().filter(|d| d.within.is_none()).take(2) {
        if let Some(rank) = d.spearman {
            out.push(key(
                &format!("`{name}` follows `{}`", d.measure),
                format!("{rank:.4}"),
                "by rank (Spearman); 1 is always",
            ));
        }
    }
    out
}

fn sections(
    reading: &StudyReading,
    answer: &StudyAnswer,
    svg: String,
    command: Option<&str>,
) -> Vec<Section> {
    let target = &answer.ranked_by;
    let caption = format!("{target} over the variables of the study, and against the energies");
    let mut curves = vec![Block::Figure { svg, caption }];
    if let Ok(Some(svg)) = drawing::interaction(reading) {
        let caption = format!("mean of {target} over the two variables that matter most");
        curves.push(Block::Figure { svg, caption });
    }
    if parallel(reading).is_some() {
        curves.push(Block::Widget(Widget::Parallel));
    }
    let mut out = vec![
        section("curves", "The curves", curves),
        section(
            "ranking",
            "The designs, softest first",
            vec![Block::Table(
                grids::ranking_grid(answer).sheet("the designs, softest first", &[]),
            )],
        ),
    ];
    if let Some((grid, title)) = grids::front_grid(answer) {
        let mut blocks = vec![Block::Text(format!("{title}."))];
        if let Ok(Some(svg)) = drawing::front(reading) {
            let caption = "all designs, and those that no other one beats".to_owned();
            blocks.push(Block::Figure { svg, caption });
        }
        blocks.push(Block::Table(grid.sheet("Pareto's front", &[])));
        out.push(section("front", "Trade-off", blocks));
    }
    if !answer.correlations.is_empty() {
        let table =
            grids::correlations_grid(answer).sheet("correlation of measures with variables", &[]);
        out.push(section("correlation", "What follows what", vec![
            Block::Text("1 or −1: always together; 0: not at all. Pearson's is of the values, Spearman's of their ranks.".to_owned()),
            Block::Table(table),
        ]));
    }
    if !answer.energies.is_empty() {
        let table = grids::drivers_grid(answer).sheet("against energies", &[]);
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
    if let Some((grid, assumed)) = grids::sensitivities_grid(answer) {
        let text = format!("At the values of the file{assumed}.");
        out.push(section(
            "sensitivities",
            "Sensitivities",
            vec![Block::Text(text), Block::Table(grid.sheet("sensitivities", &[]))],
        ));
    }
    if let Some(grid) = grids::indices_grid(answer) {
        out.push(section("sobol", "Sobol's indices", vec![
            Block::Text("Parts of the variance of a measure that a variable causes, alone and with others, ± half of the 95 % interval; on a whole grid those of values that are equally probable, without error.".to_owned()),
            Block::Table(grid.sheet("Sobol's indices", &[])),
        ]));
    }
    if let Some(grid) = grids::elementary_grid(answer) {
        out.push(section("morris", "Morris' elementary effects", vec![
            Block::Text("How much a measure changes when one variable takes a step of two thirds of its range, divided by the step: μ* is the mean size, ± half of the 95 % interval, μ the mean, σ the standard deviation. A large σ beside μ* tells of a curved measure, or of variables that act together.".to_owned()),
            Block::Table(grid.sheet("Morris' elementary effects", &[])),
        ]));
    }
    out.push(section(
        "method",
        "How it was computed",
        vec![Block::List(method(reading)), Block::Text(PAPERS.to_owned())],
    ));
    let points = usize::try_from(answer.points).unwrap_or(usize::MAX);
    let mut facts = vec![
        ("points".to_owned(), format!("{}, {}", count(points, "point", "points"), answer.sampling)),
        ("done at each".to_owned(), answer.action.clone()),
    ];
    facts.extend(versions(&reading.mark, command));
    out.push(section("origin", "What it was computed from", vec![Block::Facts(facts)]));
    out
}

fn method(reading: &StudyReading) -> Vec<String> {
    vec![
        "Every point is an edit of the model, which is built, assembled and measured anew: exactly what `--set` would show.".to_owned(),
        "Peak forces are those of a simulated impact (action `run`) or of the frozen pose (action `assess`); T_c as Gonzalez et al. eqs. 16 and 17, m_eff as Nikravesh-Poursina eqs. 28 and 31.".to_owned(),
        format!("{} of the points have measures. A point that fails keeps its place and its error.", percent(reading.measured_share())),
    ]
}
