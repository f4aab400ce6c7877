//! The papers beside the engine, for people.

use std::fmt::Write as _;

use super::{Grid, page};
use crate::number::count;
use crate::settings;
use carom_papers::claim::{Finding, Verdict};
use carom_papers::{Compared, Tally};

/// The columns.
const HEADING: [&str; 6] = ["where", "what", "published", "ours", "difference", "verdict"];

/// The difference follows from the columns beside it: it stands there with `--wide`.
fn shown(cells: Vec<String>) -> Vec<String> {
    let wide = settings::is_wide();
    let both = cells.into_iter().zip(HEADING);
    both.filter(|(_, title)| wide || *title != "difference").map(|(cell, _)| cell).collect()
}

/// The text.
pub(crate) fn text(papers: &[Compared]) -> String {
    let mut out = String::new();
    for paper in papers {
        let _ = writeln!(out, "{} {}", paper.number, paper.title());
        let mut remarks: Vec<&str> = Vec::new();
        let mut grid = Grid::default();
        grid.row(shown(HEADING.map(str::to_owned).to_vec()));
        for finding in &paper.findings {
            grid.row(shown(cells(finding, &mut remarks)));
        }
        out += &grid.text(2);
        if !remarks.is_empty() {
            out.push('\n');
        }
        for (k, remark) in remarks.iter().enumerate() {
            let _ = writeln!(out, "  [{}] {remark}", k + 1);
        }
        out.push('\n');
    }
    page(&(out + &summary(papers)))
}

/// The same as Markdown: the counts of each paper, and its claims with their remarks below.
pub(crate) fn markdown(papers: &[Compared]) -> String {
    let mut out =
        format!("{}\n\n{}{}", Tally::of(papers).sentence(), glance(papers), differences(papers));
    for paper in papers {
        let topic = paper.topic;
        let _ = write!(
            out,
            "\n## {}\n\n{}\n\nIn carom: {topic}, `models/{}`.\n\n",
            paper.name, paper.citation, paper.number
        );
        let mut remarks: Vec<&str> = Vec::new();
        out += "| where | what | published | ours | difference | verdict |\n|---|---|---|---|---|---|\n";
        for finding in &paper.findings {
            let row: Vec<String> =
                cells(finding, &mut remarks).iter().map(|c| escaped(c)).collect();
            let _ = writeln!(out, "| {} |", row.join(" | "));
        }
        if !remarks.is_empty() {
            out.push('\n');
        }
        for (k, remark) in remarks.iter().enumerate() {
            let _ = writeln!(out, "{}. {}", k + 1, escaped(remark));
        }
    }
    out
}

/// Every claim that does not hold as printed, with the reason.
fn differences(papers: &[Compared]) -> String {
    let mut out = String::new();
    for paper in papers {
        for f in paper.findings.iter().filter(|f| f.verdict == Verdict::Differs) {
            let published = if f.published == "stated" { "" } else { &f.published };
            let cells =
                [paper.name, &f.place, &named(f), published, &f.ours, f.remark.unwrap_or("")];
            let _ = writeln!(out, "| {} |", cells.map(escaped).join(" | "));
        }
    }
    if out.is_empty() {
        return out;
    }
    let heading =
        "| paper | where | what is claimed | printed | ours | why |\n|---|---|---|---|---|---|\n";
    format!("\n## What does not hold as printed\n\n{heading}{out}")
}

/// What a claim is about, with its unit.
fn named(finding: &Finding) -> String {
    match finding.unit {
        "" => finding.what.clone(),
        unit => format!("{} [{unit}]", finding.what),
    }
}

/// How many numbers and statements of each paper came out how.
fn glance(papers: &[Compared]) -> String {
    let mut out = String::from(
        "| paper | numbers and statements | as printed | differ, with the reason | not stated in the paper |\n\
         |---|---|---|---|---|\n",
    );
    let mut line = |name: &str, findings: &[&Finding]| {
        let of = |verdict: Verdict| findings.iter().filter(|f| f.verdict == verdict).count();
        let [agree, differ, unstated, broken] = Verdict::ALL.map(of);
        let failed = match broken {
            0 => String::new(),
            n => format!(" (and {n} that SHOULD AGREE)"),
        };
        let total = findings.len();
        let _ = writeln!(out, "| {name} | {total} | {agree}{failed} | {differ} | {unstated} |");
    };
    for paper in papers {
        let own: Vec<&Finding> = paper.findings.iter().collect();
        line(&paper.title(), &own);
    }
    if papers.len() > 1 {
        let all: Vec<&Finding> = papers.iter().flat_map(|paper| &paper.findings).collect();
        line("all", &all);
    }
    out
}

/// A text that stands in a cell of Markdown as it is.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut code = false;
    for c in text.chars() {
        code ^= c == '`';
        if c == '|' || (!code && matches!(c, '*' | '_' | '[' | ']' | '<' | '>' | '\\')) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn cells<'a>(finding: &'a Finding, remarks: &mut Vec<&'a str>) -> Vec<String> {
    let mark = finding.remark.map_or_else(String::new, |remark| {
        let known = remarks.iter().position(|r| *r == remark);
        let place = known.unwrap_or_else(|| {
            remarks.push(remark);
            remarks.len() - 1
        });
        format!(" [{}]", place + 1)
    });
    vec![
        finding.place.clone(),
        named(finding),
        finding.published.clone(),
        finding.ours.clone(),
        finding.difference.clone(),
        format!("{}{mark}", finding.verdict.words()),
    ]
}

fn summary(papers: &[Compared]) -> String {
    let tally = Tally::of(papers);
    let more = count(tally.unprinted, "quantity is", "quantities are");
    let failed = match tally.broken {
        0 => "none that should agree does not".to_owned(),
        1 => "1 SHOULD AGREE AND DOES NOT".to_owned(),
        n => format!("{n} SHOULD AGREE AND DO NOT"),
    };
    format!("{}\n{more} not printed in the papers and ours alone; {failed}\n", tally.sentence())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_markdown_would_read_as_its_own_is_escaped() {
        assert_eq!(escaped("|v| of m_eff, P* [3]"), r"\|v\| of m\_eff, P\* \[3\]");
        assert_eq!(escaped("the law `hu_guo`"), "the law `hu_guo`");
    }
}
