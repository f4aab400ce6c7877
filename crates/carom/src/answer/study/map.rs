//! What `map` answers: measures over two variables.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;
use thiserror::Error;

use super::{LevelValue, MeasureName, Unbounded};
use crate::answer::{Caution, version};
use crate::file::{LoadError, Loaded, load};
use crate::maths::expression::is_reserved;
use crate::study::log::Reader;
use crate::study::{Advance, Study, evaluate};

/// Why there is no map.
#[derive(Debug, Error)]
pub enum MapError {
    /// The file cannot be loaded, or a variable leads nowhere.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// No point has a value.
    #[error("no point of the map has a value: {0}")]
    Nothing(String),
    /// It was told to stop.
    #[error("stopped before the map was complete: nothing is written")]
    Stopped,
}

/// What is mapped.
#[derive(Clone, Debug)]
pub struct MapOptions {
    /// The model file.
    pub file: PathBuf,
    /// Its edits.
    pub sets: Vec<(String, String)>,
    /// Path, begin and end of the variable to the right.
    pub x: (String, String, String),
    /// Path, begin and end of the variable upwards.
    pub y: (String, String, String),
    /// The contact; the only one if it is missing.
    pub contact: Option<String>,
    /// The measures; m_eff and T_c if there are none.
    pub measures: Vec<String>,
    /// Points along each axis.
    pub count: u16,
}

/// An axis of a map.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MapAxis {
    /// The variable with its unit.
    pub variable: String,
    /// Its first value, in its unit.
    pub from: f64,
    /// Its last value.
    pub to: f64,
}

/// Where a measure is least or greatest.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Extreme {
    /// The value; `null` where it is unbounded.
    #[schemars(with = "Option<f64>")]
    pub value: f64,
    /// Where, along x.
    pub x: LevelValue,
    /// Where, along y.
    pub y: LevelValue,
}

/// A measure over the map.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MapMeasure {
    /// Its name and unit.
    pub measure: MeasureName,
    /// The least value.
    pub least: Option<Extreme>,
    /// The greatest value: the first unbounded one, if there is one.
    pub most: Option<Extreme>,
    /// At how many points it is unbounded.
    pub unbounded: usize,
    /// At how many points it does not exist.
    pub missing: usize,
    /// The values row by row, x running fastest, from the lowest y; `null` where there is none, and where it is unbounded.
    #[schemars(with = "Vec<Option<f64>>")]
    pub values: Vec<f64>,
}

/// What `map` answers.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MapAnswer {
    /// The version of carom.
    pub carom: String,
    /// The model file.
    pub file: String,
    /// Its title.
    pub title: String,
    /// The contact that is measured.
    pub contact: String,
    /// Points along each axis.
    pub count: usize,
    /// The variable to the right.
    pub x: MapAxis,
    /// The variable upwards.
    pub y: MapAxis,
    /// The measures.
    pub measures: Vec<MapMeasure>,
    /// What a user must know.
    pub cautions: Vec<Caution>,
}

/// Evaluates a map, on so many threads.
/// `watch` is told how far it is and stops it with `false`; then there is no map.
pub fn map(
    options: &MapOptions,
    threads: usize,
    watch: &mut dyn FnMut(&Advance) -> bool,
) -> Result<MapAnswer, MapError> {
    let (loaded, study) = study(options)?;
    let n = usize::from(options.count);
    let mut bytes = Vec::new();
    let points = study.design.points();
    let mut advance = Advance { points, done: 0, before: 0, failed: 0 };
    evaluate(&study, 0..points, threads, &mut |block| {
        bytes.extend(block.bytes);
        advance.done += block.points;
        advance.failed += block.failed;
        if watch(&advance) { Ok(true) } else { Err(MapError::Stopped) }
    })?;
    let mut values = vec![vec![f64::NAN; n * n]; study.measures.len()];
    let mut failed: Option<String> = None;
    for (point, entry) in Reader::records(&bytes, study.measures.len()) {
        let (row, text) = entry.parts();
        failed = failed.or(text);
        if let (Ok(at), Some(row)) = (usize::try_from(point), row) {
            values.iter_mut().zip(row).for_each(|(to, x)| to[at] = x);
        }
    }
    if values.iter().flatten().all(|x| x.is_nan()) {
        return Err(MapError::Nothing(failed.unwrap_or_default()));
    }
    let measures: Vec<MapMeasure> = study
        .measures
        .iter()
        .zip(values)
        .map(|(column, values)| MapMeasure {
            measure: MeasureName {
                name: column.name.clone(),
                unit: column.formula.unit.to_owned(),
            },
            least: extreme(&study, &values, false),
            most: extreme(&study, &values, true),
            unbounded: values.iter().filter(|x| x.is_infinite()).count(),
            missing: values.iter().filter(|x| x.is_nan()).count(),
            values,
        })
        .collect();
    let found: Vec<Unbounded> = measures.iter().map(|m| Unbounded::of(0.., &m.values)).collect();
    Ok(MapAnswer {
        carom: version(),
        file: options.file.display().to_string(),
        title: loaded.model.title.clone(),
        contact: study.contact.clone(),
        count: n,
        x: axis(&study, 1),
        y: axis(&study, 0),
        cautions: Unbounded::cautions(&study, &found),
        measures,
    })
}

/// An axis; y is the first variable of the study, so that x runs fastest.
fn axis(study: &Study, k: usize) -> MapAxis {
    let at = |point: u64| match LevelValue::from(&study.design.levels(point)[k]) {
        LevelValue::Number(x) => x,
        LevelValue::Word(_) => f64::NAN,
    };
    let variable = study.variable_headings()[k].clone();
    MapAxis { variable, from: at(0), to: at(study.design.points() - 1) }
}

/// The least or the greatest value, and the first point that has it.
fn extreme(study: &Study, values: &[f64], greatest: bool) -> Option<Extreme> {
    let there = values.iter().enumerate().filter(|(_, x)| !x.is_nan());
    let (at, value) = there.reduce(|best, next| {
        let better = if greatest { next.1 > best.1 } else { next.1 < best.1 };
        if better { next } else { best }
    })?;
    let levels = study.design.levels(at as u64);
    Some(Extreme { value: *value, x: (&levels[1]).into(), y: (&levels[0]).into() })
}

/// The file with a study of two variables.
fn study(wanted: &MapOptions) -> Result<(Loaded, Study), LoadError> {
    let mut sets = wanted.sets.clone();
    let mut set = |path: &str, value: &str| sets.push((format!("study.{path}"), value.to_owned()));
    // A study of the file stands in the way of none.
    let [x, y] = names(&wanted.x.0, &wanted.y.0);
    for (name, (path, from, to)) in [(y, &wanted.y), (x, &wanted.x)] {
        let of = |key: &str| format!("variables.{name}.{key}");
        set(&of("path"), path);
        set(&of("range"), &format!("[{from}, {to}]"));
        set(&of("count"), &wanted.count.to_string());
    }
    if let Some(contact) = &wanted.contact {
        set("contact", contact);
    }
    let usual = ["effective_mass".to_owned(), "impact_energy".to_owned()];
    let measures = if wanted.measures.is_empty() { &usual[..] } else { &wanted.measures };
    set("measures", &format!("[{}]", measures.join(", ")));
    let mut loaded = load(&wanted.file, &[])?;
    loaded.description.remove("study");
    let loaded = loaded.edited(&sets)?;
    let study = loaded.study()?;
    Ok((loaded, study))
}

/// Names for two paths: their last parts, if these are names and differ.
fn names(x: &str, y: &str) -> [String; 2] {
    let last = |path: &str| {
        let name: String = path
            .split_once('.')
            .map_or(path, |(_, rest)| rest)
            .chars()
            .map(|c| if c.is_alphanumeric() { c } else { '_' })
            .collect();
        let sound = name.starts_with(char::is_alphabetic) && !is_reserved(&name);
        sound.then_some(name)
    };
    match (last(x), last(y)) {
        (Some(x), Some(y)) if x != y => [x, y],
        _ => ["x".to_owned(), "y".to_owned()],
    }
}
