//! The page of the papers: every claim beside what the engine says, and every figure.

use carom::report::{Block, Cell, Column, KeyNumber, Page, Row, Section, Table};

use super::{key, own_command, section, versions};
use crate::number::count;
use carom_papers::Compared;
use carom_papers::claim::{Finding, Verdict};

/// Layout: drawings of so many bytes together stand in the page; what goes beyond stands beside it.
const INLINE: usize = 1_700_000;

/// The ids of the papers' sections.
const IDS: [(&str, &str); 5] = [
    ("000", "paper-000"),
    ("001", "paper-001"),
    ("002", "paper-002"),
    ("003", "paper-003"),
    ("004", "paper-004"),
];

/// The text of the page; drawings by their names.
pub(crate) fn html(papers: &[Compared], drawings: &[(&str, String)]) -> String {
    let all = || papers.iter().flat_map(|paper| &paper.findings);
    let of = |verdict: Verdict| all().filter(|f| f.verdict == verdict).count();
    let [agree, differ, unstated, broken] = Verdict::ALL.map(of);
    let answer = match broken {
        0 => format!(
            "All {agree} numbers and statements that should agree do, to the last printed digit; {differ} differ, each for a reason that is given."
        ),
        n => format!("{agree} agree as printed, {n} should and do not."),
    };
    let warnings = if broken == 0 {
        Vec::new()
    } else {
        vec![count(broken, "number should agree and does not", "numbers should agree and do not")]
    };
    let mut room = INLINE;
    let mut sections: Vec<Section> =
        papers.iter().map(|paper| of_paper(paper, drawings, &mut room)).collect();
    let how = vec![
        Block::Text("Published values are typed from the papers with their places. Everything of ours is computed by the engine from the files in models/ when this page is made; nothing is stored.".to_owned()),
        Block::Text("A number agrees if it rounds to what is printed. A formula agrees if both sides are equal to 1e-9.".to_owned()),
        Block::Facts(versions("none: the models are part of the program", Some(&own_command()))),
    ];
    sections.push(section("origin", "How to read this", how));
    let page = Page {
        title: "The papers, reproduced".to_owned(),
        kind: "reproduce",
        question: "Does it compute what the papers print?".to_owned(),
        answer,
        numbers: totals([agree, differ, unstated, broken]),
        warnings,
        sections,
        data: None,
    };
    page.html()
}

fn totals([agree, differ, unstated, broken]: [usize; 4]) -> Vec<KeyNumber> {
    vec![
        key("agree as printed", agree.to_string(), "to the last printed digit"),
        key(
            "differ",
            differ.to_string(),
            "misprints, lost inputs, signs: the reason stands beside each",
        ),
        key("not stated in the papers", unstated.to_string(), "ours alone"),
        key(
            "should agree and do not",
            broken.to_string(),
            if broken == 0 { "none" } else { "marked below" },
        ),
    ]
}

fn of_paper(paper: &Compared, drawings: &[(&str, String)], room: &mut usize) -> Section {
    let columns = vec![
        Column::words("where"),
        Column::words("what"),
        Column::words("published"),
        Column::words("ours"),
        Column::numbers("difference", ""),
        Column::words("verdict"),
        Column::words("reason or remark"),
    ];
    let rows = paper.findings.iter().map(row).collect();
    let caption = format!("claims of {}", paper.title);
    let mut blocks = vec![Block::Table(Table { caption, columns, rows }.without_empty_columns())];
    for (name, svg) in drawings.iter().filter(|(name, _)| name.starts_with(paper.number)) {
        let figure = name
            .strip_prefix(paper.number)
            .unwrap_or(name)
            .trim_start_matches('-')
            .replace('-', " ")
            .replace("fig ", "fig. ");
        let caption =
            format!("{}, {figure}: computed anew. The numbers are in {name}.csv", paper.number);
        blocks.push(match room.checked_sub(svg.len()) {
            Some(rest) => {
                *room = rest;
                Block::Figure { svg: svg.clone(), caption }
            }
            None => Block::Linked { file: format!("{name}.svg"), caption },
        });
    }
    let id = IDS.iter().find(|(number, _)| *number == paper.number).map_or("paper", |(_, id)| id);
    section(id, &format!("{} · {}", paper.number, paper.title), blocks)
}

fn row(finding: &Finding) -> Row {
    let what = match finding.unit {
        "" => finding.what.clone(),
        unit => format!("{} [{unit}]", finding.what),
    };
    let mark = match finding.verdict {
        Verdict::Agrees => "good",
        Verdict::Differs | Verdict::NotStated => "muted",
        Verdict::Broken => "bad",
    };
    let mut cells: Vec<Cell> =
        [&finding.place, &what, &finding.published, &finding.ours, &finding.difference]
            .map(|t| Cell::from(t.as_str()))
            .to_vec();
    cells.push(Cell { text: finding.verdict.words().to_owned(), mark });
    let remark = finding.remark.unwrap_or("");
    let mark = if remark.is_empty() { "" } else { "long" };
    cells.push(Cell { text: remark.to_owned(), mark });
    Row { cells, ..Row::default() }
}
