//! `carom reproduce`: the papers' numbers, tables and figures beside what the engine says.

use std::fs;
use std::path::{Path, PathBuf};

use super::complain;
use crate::args::Reproduce;
use crate::figure;
use crate::report;
use crate::reproduce::chart::Drawing;
use crate::reproduce::claim::{Finding, Verdict};
use crate::reproduce::lab::Lab;
use crate::reproduce::{PAPERS, Paper};
use crate::table;

/// The page of the papers.
const PAGE: &str = "index.html";
/// The comparison of all claims.
const CLAIMS: &str = "claims.csv";

/// A paper, compared.
pub(crate) struct Compared {
    /// Its number.
    pub number: &'static str,
    /// Its authors and title.
    pub title: &'static str,
    /// Its claims.
    pub findings: Vec<Finding>,
}

/// Compares; true if all that should agree does.
pub(crate) fn run(wanted: &Reproduce) -> Result<(String, bool), String> {
    let chosen = |paper: &&Paper| {
        wanted.papers.is_empty() || wanted.papers.iter().any(|number| number == paper.number)
    };
    let papers: Vec<&Paper> = PAPERS.iter().filter(chosen).collect();
    if let Some(folder) = &wanted.out {
        free(folder, &papers, wanted.overwrite)?;
    }
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let lab = Lab::new(threads);
    let mut compared = Vec::with_capacity(papers.len());
    for paper in &papers {
        let mut findings = Vec::new();
        for claim in (paper.claims)() {
            let found = claim.compare(&lab);
            let place = || format!("seed {}, {}: {}", paper.number, claim.place, claim.what);
            findings.push(found.map_err(|why| format!("{}: {why}", place()))?);
        }
        compared.push(Compared { number: paper.number, title: paper.title, findings });
    }
    if let Some(folder) = &wanted.out {
        let count = write(folder, &lab, &papers, &compared)?;
        complain(&format!(
            "wrote {}: {PAGE}, {CLAIMS}, {count} figures and their data",
            folder.display()
        ));
    }
    Ok((table::reproduce::text(&compared), sound(&compared)))
}

/// Whether all that should agree does.
fn sound(compared: &[Compared]) -> bool {
    compared.iter().flat_map(|paper| &paper.findings).all(|f| f.verdict != Verdict::Broken)
}

/// The files of a figure: its drawing and its data.
fn places(folder: &Path, name: &str) -> [PathBuf; 2] {
    ["svg", "csv"].map(|kind| folder.join(format!("{name}.{kind}")))
}

/// Refuses a folder that cannot be meant, before anything is computed.
fn free(folder: &Path, papers: &[&Paper], overwrite: bool) -> Result<(), String> {
    let parent = folder.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if folder.exists() && !folder.is_dir() {
        return Err(format!("{} is a file, not a folder", folder.display()));
    }
    if !parent.is_dir() {
        return Err(format!("{}: there is no folder `{}`", folder.display(), parent.display()));
    }
    let figures = papers.iter().flat_map(|paper| paper.figures);
    let files = figures.flat_map(|figure| places(folder, figure.name));
    for file in files.chain([CLAIMS, PAGE].map(|name| folder.join(name))) {
        if file.is_dir() {
            return Err(format!("{} is a folder, not a file", file.display()));
        }
        if file.exists() && !overwrite {
            return Err(format!("{} is there already; --overwrite replaces it", file.display()));
        }
    }
    Ok(())
}

/// Writes everything; all of it is computed before the first file is written.
fn write(
    folder: &Path,
    lab: &Lab,
    papers: &[&Paper],
    compared: &[Compared],
) -> Result<usize, String> {
    let mut files = vec![(folder.join(CLAIMS), claims(compared)?)];
    let mut count = 0;
    let mut drawings = Vec::new();
    for figure in papers.iter().flat_map(|paper| paper.figures) {
        let drawing = (figure.make)(lab).map_err(|why| format!("{}: {why}", figure.name))?;
        let svg = match &drawing {
            Drawing::Chart(chart) => figure::chart::draw(chart),
            Drawing::Study(report) => figure::study::draw(report),
        };
        let [drawn, data] = places(folder, figure.name);
        let svg = svg?;
        drawings.push((figure.name, svg.clone()));
        files.push((drawn, svg));
        files.push((data, drawing.csv()?));
        count += 1;
    }
    files.push((folder.join(PAGE), report::reproduce::html(compared, &drawings)));
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for (path, text) in files {
        fs::write(&path, text).map_err(|e| format!("{} cannot be written: {e}", path.display()))?;
    }
    Ok(count)
}

/// All claims as CSV.
fn claims(compared: &[Compared]) -> Result<String, String> {
    let flaw = |error: ::csv::Error| error.to_string();
    let mut table = ::csv::Writer::from_writer(Vec::new());
    let heading =
        ["paper", "where", "what", "unit", "published", "ours", "difference", "verdict", "remark"];
    table.write_record(heading).map_err(flaw)?;
    for paper in compared {
        for f in &paper.findings {
            let row = [
                paper.number,
                &f.place,
                &f.what,
                f.unit,
                &f.published,
                &f.ours,
                &f.difference,
                f.verdict.words(),
                f.remark.unwrap_or(""),
            ];
            table.write_record(row).map_err(flaw)?;
        }
    }
    let bytes = table.into_inner().map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::claim::Claim;

    #[test]
    fn one_number_that_should_agree_and_does_not_spoils_the_whole() {
        let compared = |ours: f64| {
            let claim = Claim::printed("eq. 1", "x", ("2.0", "kg"), move |_| Ok(ours));
            let findings = vec![claim.compare(&Lab::new(1)).unwrap()];
            vec![Compared { number: "000", title: "a paper", findings }]
        };
        assert!(sound(&compared(2.04)));
        assert!(!sound(&compared(2.06)));
        let text = table::reproduce::text(&compared(2.06));
        assert!(text.ends_with("1 SHOULD AGREE AND DOES NOT\n"), "{text}");
    }
}
