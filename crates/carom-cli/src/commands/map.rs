//! `carom map`: measures over two variables, as colours and contour lines.

use carom::answer::study::{LevelValue, MapAnswer, MapOptions, map};

use super::{remark, tell};
use crate::VerbResult;
use crate::args::{Map, StudyFormat};
use crate::figure::Target;
use crate::figure::map::{Field, maps};
use crate::figure::study::axis_over;
use crate::number::{plain, six};
use crate::table::Grid;

/// Draws the map.
pub(crate) fn run(wanted: &Map) -> VerbResult {
    super::without_reading(&wanted.subject)?;
    let target = Target::new(&wanted.out, wanted.overwrite)?;
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
    let answer = map(&options, cores).map_err(|error| error.to_string())?;
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
    let written = target.written(&maps(&title, &fields)?)?;
    match wanted.format {
        StudyFormat::Table => Ok(format!("{}{written}", extremes(&answer))),
        StudyFormat::Json => {
            remark(&written);
            super::json(&answer)
        }
    }
}

/// Where each measure is least and most.
fn extremes(answer: &MapAnswer) -> String {
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
    grid.text(2)
}
