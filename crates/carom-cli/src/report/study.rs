//! The page of a study.

use carom::answer::study::{DesignRow, StudyAnswer, StudyReading};
use carom::report::{Block, KeyNumber, Page, Section};

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
        data: None,
    };
    Ok(page.html())
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
    format!(
        "By `{name}`: {} at {}; hardest is {} at {}.",
        measured(answer, soft),
        design(answer, soft),
        measured(answer, hard),
        design(answer, hard)
    )
}

fn numbers(answer: &StudyAnswer) -> Vec<KeyNumber> {
    let Some((soft, hard)) = ends(answer) else { return Vec::new() };
    let name = &answer.ranked_by;
    let of_soft = format!("point {}, by `{name}`", soft.point);
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
    let mut out = vec![
        section("curves", "The curves", vec![Block::Figure { svg, caption }]),
        section(
            "ranking",
            "The designs, softest first",
            vec![Block::Table(
                grids::ranking_grid(answer).sheet("the designs, softest first", &[]),
            )],
        ),
    ];
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
            Block::Text("Parts of the variance of a measure that a variable causes, alone and with others.".to_owned()),
            Block::Table(grid.sheet("Sobol's indices", &[])),
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
        "Peak forces are those of a simulated impact (action `run`) or of the frozen pose (action `assess`); T_c as 002 eqs. 16 and 17, m_eff as 000 eqs. 28 and 31.".to_owned(),
        format!("{} of the points have measures. A point that fails keeps its place and its error.", percent(reading.measured_share())),
    ]
}
