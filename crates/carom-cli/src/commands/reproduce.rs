//! `carom reproduce`: the papers' numbers, tables and figures beside what the engine says.

use std::path::Path;

use carom_papers::chart::Drawing;
use carom_papers::lab::Lab;
use carom_papers::{Compared, PAPERS, Paper, ReproduceAnswer, sound};

use super::folder::Folder;
use super::remark;
use crate::args::{Reproduce, ReproduceFormat};
use crate::figure;
use crate::report;
use crate::table;

/// The comparison of all claims.
const CLAIMS: &str = "claims.csv";

/// Compares; true if all that should agree does.
pub(crate) fn run(wanted: &Reproduce) -> Result<(String, bool), String> {
    let chosen = |paper: &&Paper| {
        wanted.papers.is_empty() || wanted.papers.iter().any(|number| number == paper.number)
    };
    let papers: Vec<&Paper> = PAPERS.iter().filter(chosen).collect();
    let folder = wanted.out.as_deref().map(|path| free(path, &papers, wanted.overwrite));
    let folder = folder.transpose()?;
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let lab = Lab::new(threads);
    let compared = papers.iter().map(|paper| paper.compare(&lab)).collect::<Result<Vec<_>, _>>()?;
    if let Some(folder) = folder {
        let page = report::INDEX;
        let count = write(&folder, &lab, &papers, &compared)?;
        remark(&format!(
            "wrote {}: {page}, {CLAIMS}, {count} figures and their data",
            folder.path.display()
        ));
    }
    let text = match wanted.format {
        ReproduceFormat::Table => table::reproduce::text(&compared),
        ReproduceFormat::Markdown => table::reproduce::markdown(&compared),
        ReproduceFormat::Json => super::json(&ReproduceAnswer::new(&compared))?,
    };
    Ok((text, sound(&compared)))
}

/// The files of a figure: its drawing and its data.
fn files_of(name: &str) -> [String; 2] {
    ["svg", "csv"].map(|kind| format!("{name}.{kind}"))
}

/// A folder in which all files are free, or may be written over.
fn free(path: &Path, papers: &[&Paper], overwrite: bool) -> Result<Folder, String> {
    let figures = papers.iter().flat_map(|paper| paper.figures);
    let names: Vec<String> = figures.flat_map(|figure| files_of(figure.name)).collect();
    let names: Vec<&str> =
        names.iter().map(String::as_str).chain([CLAIMS, report::INDEX]).collect();
    Folder::new(path, path.to_owned(), &names, overwrite)
}

/// Writes everything; all of it is computed before the first file is written.
fn write(
    folder: &Folder,
    lab: &Lab,
    papers: &[&Paper],
    compared: &[Compared],
) -> Result<usize, String> {
    let mut files = vec![(CLAIMS.to_owned(), claims(compared)?)];
    let mut drawings = Vec::new();
    for figure in papers.iter().flat_map(|paper| paper.figures) {
        let drawing = (figure.make)(lab).map_err(|why| format!("{}: {why}", figure.name))?;
        let svg = match &drawing {
            Drawing::Chart(chart) => figure::chart::draw(chart),
            Drawing::Study(report) => figure::study::draw(report),
        }?;
        let [drawn, data] = files_of(figure.name);
        let title = match &drawing {
            Drawing::Chart(chart) => chart.title.clone(),
            Drawing::Study(reading) => reading.title().to_owned(),
        };
        drawings.push(report::reproduce::Drawn { name: figure.name, title, svg: svg.clone() });
        files.extend([(drawn, svg), (data, drawing.csv()?)]);
    }
    files.push((report::INDEX.to_owned(), report::reproduce::html(compared, &drawings)));
    let texts: Vec<(&str, Option<String>)> =
        files.iter().map(|(name, text)| (name.as_str(), Some(text.clone()))).collect();
    folder.write(&texts)?;
    Ok(drawings.len())
}

/// All claims as CSV.
fn claims(compared: &[Compared]) -> Result<String, String> {
    let flaw = |error: ::csv::Error| error.to_string();
    let mut table = ::csv::Writer::from_writer(Vec::new());
    let heading = [
        "paper",
        "where",
        "what",
        "unit",
        "published",
        "ours",
        "difference",
        "verdict",
        "remark",
        "sort",
    ];
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
                f.sort.word(),
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
    use carom_papers::claim::Claim;

    #[test]
    fn a_number_that_should_agree_and_does_not_is_told_last() {
        let claim = Claim::printed("eq. 1", "x", ("2.0", "kg"), |_| Ok(2.06));
        let findings = vec![claim.compare(&Lab::new(1)).unwrap()];
        let compared = [Compared { number: "000", name: "A", topic: "b", citation: "c", findings }];
        let text = table::reproduce::text(&compared);
        let words: Vec<&str> = text.split_whitespace().collect();
        assert!(words.join(" ").ends_with("1 SHOULD AGREE AND DOES NOT"), "{text}");
    }
}
