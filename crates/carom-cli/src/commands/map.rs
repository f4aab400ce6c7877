//! `carom map`: measures over two variables, as colours and contour lines.

use std::path::PathBuf;

use carom::answer::study::{LevelValue, MapAnswer, MapOptions, map};

use super::folder::Folder;
use super::sweep::Watch;
use super::{remark, tell};
use crate::args::{Map, StudyFormat};
use crate::figure::Target;
use crate::figure::map::{Field, maps};
use crate::figure::study::axis_over;
use crate::number::{plain, six};
use crate::table::Grid;
use crate::{VerbResult, csv, report};

/// The files of a folder beside its page.
const FIGURE: &str = "map.svg";
const TABLE: &str = "map.csv";

/// Draws the map.
pub(crate) fn run(wanted: &Map) -> VerbResult {
    super::without_reading(&wanted.subject)?;
    let figure = wanted.out.extension().is_some_and(|e| e.eq_ignore_ascii_case("svg"));
    let target = figure.then(|| Target::new(&wanted.out, wanted.overwrite)).transpose()?;
    let place = |path: &PathBuf| {
        Folder::new(path, path.clone(), &[report::FILE, FIGURE, TABLE], wanted.overwrite)
    };
    let folder = (!figure).then(|| place(&wanted.out)).transpose()?;
    let options = MapOptions {
        file: wanted.subject.file.clone(),
        sets: wanted.subject.sets.clone(),
        x: wanted.x.clone(),
        y: wanted.y.clone(),
        contact: wanted.contact.clone(),
        measures: wanted.measures.clone(),
        count: wanted.count,
    };
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let mut watch = Watch::new("points")?;
    let found = map(&options, cores, &mut |advance| watch.goes_on(advance));
    watch.end();
    let answer = found.map_err(|error| error.to_string())?;
    tell(&answer.cautions);
    let fields: Vec<Field> = answer
        .measures
        .iter()
        .map(|m| Field {
            title: m.measure.heading(),
            x: axis_over(&answer.x.variable, &[answer.x.from, answer.x.to]),
            y: axis_over(&answer.y.variable, &[answer.y.from, answer.y.to]),
            size: (answer.count, answer.count),
            values: m.values.clone(),
            extremes: None,
            shared: None,
        })
        .collect();
    let title = if answer.title.is_empty() { "a map" } else { &answer.title };
    let title = plain(&format!("{title}: contact {}", answer.contact));
    let svg = maps(&title, &fields)?;
    let written = match (target, folder) {
        (Some(target), _) => target.written(&svg)?,
        (None, Some(folder)) => {
            let page = report::map::html(&answer, svg.clone(), &extremes(&answer));
            folder.write(&[
                (FIGURE, Some(svg)),
                (TABLE, Some(csv::maps::over(&answer))),
                (report::FILE, Some(page)),
            ])?;
            format!("wrote {FIGURE}, {TABLE} and {} in {}\n", report::FILE, folder.path.display())
        }
        (None, None) => String::new(),
    };
    match wanted.format {
        StudyFormat::Table => Ok(format!("{}{written}", extremes(&answer).text(2))),
        StudyFormat::Json => {
            remark(&written);
            super::json(&answer)
        }
    }
}

/// Where each measure is least and most.
fn extremes(answer: &MapAnswer) -> Grid {
    let mut grid = Grid::default();
    let (x, y) = (answer.x.variable.clone(), answer.y.variable.clone());
    grid.row(vec!["measure".into(), String::new(), "value".into(), x, y]);
    for m in &answer.measures {
        for (word, found) in [("least", &m.least), ("most", &m.most)] {
            let Some(found) = found else { continue };
            let shown = |level: &LevelValue| match level {
                LevelValue::Number(x) => six(*x),
                LevelValue::Word(word) => word.clone(),
            };
            grid.row(vec![
                m.measure.heading(),
                word.into(),
                six(found.value),
                shown(&found.x),
                shown(&found.y),
            ]);
        }
    }
    grid
}
