//! The page of the papers: what was asked, what does not hold, and every claim beside what the engine says.

use carom::report::{Block, Cell, Column, KeyNumber, Page, Row, Section, Table};

use super::{key, own_command, section, versions};
use crate::number::count;
use carom_papers::claim::{Finding, Sort, Verdict};
use carom_papers::{Compared, Tally};

/// Layout: drawings of so many bytes together stand in the page; what goes beyond stands beside it.
const INLINE: usize = 1_700_000;

/// The ids of the papers' sections.
const IDS: [(&str, &str); 5] = [
    ("000", "nikravesh"),
    ("001", "moreira"),
    ("002", "gonzalez"),
    ("003", "modarres"),
    ("004", "fenili"),
];

/// What a reader must know before the first table.
const HOW: [&str; 5] = [
    "Printed is the number as it stands in the paper, or the printed formula evaluated; a statement in words has none.",
    "Ours is computed by the engine from the files in `models/` while this page is made. Nothing of it is stored.",
    "Agrees: a number rounds to what is printed, a formula is equal to 1e-9, a statement holds.",
    "Differs: the same cannot come out. The reason is a misprint, an input that the paper does not state, or a sign, and is told.",
    "Ours alone: the paper needs or asks for the quantity and prints no number.",
];

/// A figure that was drawn.
pub(crate) struct Drawn {
    /// The name of its files.
    pub name: &'static str,
    /// What it shows.
    pub title: String,
    /// The drawing.
    pub svg: String,
}

/// The text of the page.
pub(crate) fn html(papers: &[Compared], drawings: &[Drawn]) -> String {
    let tally = Tally::of(papers);
    let warnings = match tally.broken {
        0 => Vec::new(),
        n => vec![count(n, "claim should hold and does not", "claims should hold and do not")],
    };
    let mut sections = vec![how_to_read()];
    sections.extend(differences(papers));
    sections.push(section("filter", "All claims", vec![filter()]));
    let mut room = INLINE;
    sections.extend(papers.iter().map(|paper| of_paper(paper, drawings, &mut room)));
    let facts = versions("none: the models are part of the program", Some(&own_command()));
    sections.push(section("origin", "What it was computed from", vec![Block::Facts(facts)]));
    let page = Page {
        title: "The papers, reproduced".to_owned(),
        kind: "reproduce",
        question: "Does carom compute what the papers print?".to_owned(),
        answer: tally.sentence(),
        numbers: totals(&tally),
        warnings,
        sections,
        data: None,
    };
    page.html()
}

fn how_to_read() -> Section {
    let asked = "carom is built on five papers. Every number, formula, figure and statement of theirs that can be computed is a claim here: where it stands, what is printed, \
        and what carom computes for the same question.";
    let list = Block::List(HOW.map(str::to_owned).to_vec());
    section(
        "read",
        "What was asked, and how to read the answer",
        vec![Block::Text(asked.to_owned()), list],
    )
}

fn totals(tally: &Tally) -> Vec<KeyNumber> {
    let mut all = vec![
        key("printed numbers that match", tally.numbers.to_string(), "to the last printed digit"),
        key("printed formulas that match", tally.formulas.to_string(), "to 1e-9"),
        key("statements that hold", tally.statements.to_string(), "tried on the paper's machines"),
        key("claims that do not hold", tally.differ.to_string(), "each with its reason, below"),
        key("quantities not printed", tally.unprinted.to_string(), "ours alone"),
    ];
    if tally.broken > 0 {
        all.push(key("should hold and do not", tally.broken.to_string(), "marked below"));
    }
    all
}

/// All claims that do not hold as printed.
fn differences(papers: &[Compared]) -> Option<Section> {
    let mut rows = Vec::new();
    for paper in papers {
        let own = paper
            .findings
            .iter()
            .filter(|f| matches!(f.verdict, Verdict::Differs | Verdict::Broken));
        for finding in own {
            let remark = finding.remark.unwrap_or("no reason is known: this is a fault of carom");
            rows.push(Row::new([
                Cell {
                    text: format!("{} {}", paper.name, finding.place),
                    mark: mark(finding.verdict),
                },
                Cell::from(claimed(finding)),
                Cell::from(printed(finding)),
                Cell::from(finding.ours.as_str()),
                Cell { text: remark.to_owned(), mark: "long" },
            ]));
        }
    }
    if rows.is_empty() {
        return None;
    }
    let title =
        count(rows.len(), "claim does not hold as printed", "claims do not hold as printed");
    let columns = ["paper and place", "what is claimed", "printed", "ours", "why"]
        .map(Column::words)
        .to_vec();
    let table = Table { caption: title.clone(), columns, rows };
    Some(section("differences", &title, vec![Block::Table(table)]))
}

/// Buttons that show the rows of one verdict alone.
fn filter() -> Block {
    let of = |label: &str, mark: &'static str| (label.to_owned(), mark);
    Block::Filter(vec![
        of("all", ""),
        of("agree", mark(Verdict::Agrees)),
        of("differ", mark(Verdict::Differs)),
        of("ours alone", mark(Verdict::NotStated)),
    ])
}

fn of_paper(paper: &Compared, drawings: &[Drawn], room: &mut usize) -> Section {
    let tally = Tally::of(std::slice::from_ref(paper));
    let folder = format!("Models: `models/{}`. {}", paper.number, tally.sentence());
    let mut blocks = vec![Block::Text(paper.citation.to_owned()), Block::Text(folder)];
    for drawn in drawings.iter().filter(|drawn| drawn.name.starts_with(paper.number)) {
        let caption =
            format!("{}. Computed anew; the numbers are in {}.csv.", drawn.title, drawn.name);
        blocks.push(match room.checked_sub(drawn.svg.len()) {
            Some(rest) => {
                *room = rest;
                Block::Figure { svg: drawn.svg.clone(), caption }
            }
            None => Block::Linked { file: format!("{}.svg", drawn.name), caption },
        });
    }
    let mut notes: Vec<&str> = Vec::new();
    let rows = paper.findings.iter().map(|finding| row(finding, &mut notes)).collect();
    let columns = vec![
        Column::words("verdict"),
        Column::words("where"),
        Column::words("what"),
        Column::words("printed"),
        Column::words("ours"),
        Column::numbers("difference", ""),
    ];
    let caption = format!("claims of {}", paper.name);
    blocks.push(Block::Table(Table { caption, columns, rows }.without_empty_columns()));
    if !notes.is_empty() {
        let numbered = notes.iter().enumerate().map(|(k, note)| format!("[{}] {note}", k + 1));
        blocks.push(Block::List(numbered.collect()));
    }
    let id = IDS.iter().find(|(number, _)| *number == paper.number).map_or("paper", |(_, id)| id);
    section(id, &paper.title(), blocks)
}

/// The class of the style sheet that a verdict has.
fn mark(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Agrees => "good",
        Verdict::Differs => "differs",
        Verdict::NotStated => "muted",
        Verdict::Broken => "bad",
    }
}

/// What a claim is about, with its unit.
fn claimed(finding: &Finding) -> String {
    match finding.unit {
        "" => finding.what.clone(),
        unit => format!("{} [{unit}]", finding.what),
    }
}

/// The printed number; a statement has none.
fn printed(finding: &Finding) -> &str {
    if finding.sort == Sort::Statement { "" } else { &finding.published }
}

/// A claim; its remark is a note below the table, once however often it is needed.
fn row(finding: &Finding, notes: &mut Vec<&str>) -> Row {
    let word = match finding.verdict {
        Verdict::Agrees => "agrees",
        Verdict::Differs => "differs",
        Verdict::NotStated => "ours alone",
        Verdict::Broken => "SHOULD AGREE",
    };
    let note = finding.remark.map_or_else(String::new, |remark| {
        let place = notes.iter().position(|known| *known == remark).unwrap_or_else(|| {
            notes.push(remark);
            notes.len() - 1
        });
        format!(" [{}]", place + 1)
    });
    let verdict = Cell { text: format!("{word}{note}"), mark: mark(finding.verdict) };
    let rest =
        [&finding.place, &claimed(finding), printed(finding), &finding.ours, &finding.difference]
            .map(Cell::from);
    Row { cells: std::iter::once(verdict).chain(rest).collect(), ..Row::default() }
}
