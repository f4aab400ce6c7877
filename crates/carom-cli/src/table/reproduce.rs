//! The papers beside the engine, for people.

use std::fmt::Write as _;

use super::Grid;
use crate::commands::reproduce::Compared;
use crate::number::count;
use crate::reproduce::claim::{Finding, Verdict};

/// The text.
pub(crate) fn text(papers: &[Compared]) -> String {
    let mut out = String::new();
    for paper in papers {
        let _ = writeln!(out, "seed {}: {}", paper.number, paper.title);
        let mut remarks: Vec<&str> = Vec::new();
        let mut grid = Grid::new(&["where", "what", "published", "ours", "difference", "verdict"]);
        for finding in &paper.findings {
            grid.row(cells(finding, &mut remarks));
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
    out + &summary(papers)
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
    let what = match finding.unit {
        "" => finding.what.clone(),
        unit => format!("{} [{unit}]", finding.what),
    };
    vec![
        finding.place.clone(),
        what,
        finding.published.clone(),
        finding.ours.clone(),
        finding.difference.clone(),
        format!("{}{mark}", finding.verdict.words()),
    ]
}

fn summary(papers: &[Compared]) -> String {
    let all = || papers.iter().flat_map(|paper| &paper.findings);
    let of = |verdict: Verdict| all().filter(|f| f.verdict == verdict).count();
    let [agree, differ, unstated, broken] = Verdict::ALL.map(of);
    let total = count(all().count(), "number or statement", "numbers and statements");
    let failed = match broken {
        0 => "none that should agree does not".to_owned(),
        1 => "1 SHOULD AGREE AND DOES NOT".to_owned(),
        n => format!("{n} SHOULD AGREE AND DO NOT"),
    };
    format!(
        "{total}: {agree} as printed, {differ} differ for the reasons given, {unstated} not stated in \
         the papers; {failed}\n"
    )
}
