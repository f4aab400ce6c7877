//! A study read back from the folder of its sweep.

use std::path::Path;

use thiserror::Error;

use super::StudyAnswer;
use crate::file::{LoadError, parse_files};
use crate::maths::nearest::nearest;
use crate::model::description::Value;
use crate::model::study::{Level, PlanPart, Sampling};
use crate::study::digest::{Digest, MOST_GROUPS, front};
use crate::study::log::{FILE, LogError, Reader};
use crate::study::sensitivity::{Sensitivities, sensitivities};
use crate::study::{Evaluator, Needs, Rows, Study, SweepError, refuse_foreign, study_mark};

/// A sweep of more points is not read back into memory for its page unless that is asked for.
const MOST_PAGE_POINTS: u64 = 50_000;
/// Steps of a parabola that is drawn.
const PARABOLA_POINTS: u32 = 80;
/// How many designs of each end a page shows.
const PAGE_TOP: usize = 10;

/// Why a folder gives no study.
#[derive(Debug, Error)]
pub enum StudyFolderError {
    /// There is no log.
    #[error("{folder}: there is no study (no {FILE}); `carom sweep FILE -o {folder}` makes one")]
    Nothing {
        /// The folder.
        folder: String,
    },
    /// The log cannot be used.
    #[error("{path}: {error}")]
    Log {
        /// The log.
        path: String,
        /// Why.
        error: LogError,
    },
    /// The log is of another version.
    #[error("{path}: it was written by carom {version}; sweep it again")]
    Version {
        /// The log.
        path: String,
        /// The version that wrote it.
        version: String,
    },
    /// The model in the log is refused.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// No point has measures.
    #[error("{folder}: no point has measures{why}")]
    Empty {
        /// The folder.
        folder: String,
        /// The first error, if there is one.
        why: String,
    },
    /// The folder answers another question.
    #[error("{folder}: it holds {found}, not {wanted}")]
    OtherPart {
        /// The folder.
        folder: String,
        /// What it holds.
        found: &'static str,
        /// What is asked for.
        wanted: &'static str,
    },
    /// A measure that the study does not have.
    #[error("there is no measure `{name}`; {hint}")]
    NoMeasure {
        /// The name.
        name: String,
        /// What may be meant.
        hint: String,
    },
    /// More points than a page is made of unasked.
    #[error(
        "{folder}: no page: {points} points are more than the {MOST_PAGE_POINTS} that one is made of unasked; `carom study` with -o makes it"
    )]
    TooManyForPage {
        /// The folder.
        folder: String,
        /// How many points.
        points: u64,
    },
    /// A file stands in the place of the page, and the sweep did not write it.
    #[error(transparent)]
    Foreign(#[from] SweepError),
}

impl StudyFolderError {
    /// Whether the disk is to blame, not the question.
    pub fn is_unwritable(&self) -> bool {
        matches!(self, Self::Foreign(error) if error.is_unwritable())
    }
}

/// The study of a folder, from the head of its log, and the log.
pub(super) fn open_folder(folder: &Path) -> Result<(Study, Reader), StudyFolderError> {
    let path = folder.join(FILE);
    if !path.exists() {
        return Err(StudyFolderError::Nothing { folder: folder.display().to_string() });
    }
    let shown = path.display().to_string();
    let reader = Reader::open(&path)
        .map_err(|error| StudyFolderError::Log { path: shown.clone(), error })?;
    let header = reader.header();
    if header.version != super::super::version() {
        return Err(StudyFolderError::Version { path: shown, version: header.version.clone() });
    }
    let loaded = parse_files(&header.files, &header.sets)?;
    Ok((loaded.planned(header.part)?, reader))
}

/// A mean over rows with the same value is off by their round-off.
const SAME: f64 = 1e-12;

/// A measure over two variables, whatever the others are.
#[derive(Clone, Debug)]
pub struct Interaction {
    /// The variables along x and y.
    pub variables: [usize; 2],
    /// Their values.
    pub values: [Vec<f64>; 2],
    /// The mean at each, row by row along x.
    pub means: Vec<f64>,
}

/// A study with its rows and what these have in common.
#[derive(Clone, Debug)]
pub struct StudyReading {
    /// The folder.
    pub folder: String,
    /// The study.
    pub study: Study,
    /// Its rows.
    pub rows: Rows,
    /// What they have in common.
    pub digest: Digest,
    /// Derivatives at the file's own values; `None` if they were not asked for or do not exist.
    pub sensitivities: Option<Sensitivities>,
    /// The measure that designs are ranked by at the file's own values, if it has them.
    pub given: Option<f64>,
    /// A second measure that is to be small: the answer then has the designs that no other one beats in both.
    pub against: Option<usize>,
    /// How many designs of each end of the ranking are told.
    pub top: usize,
    /// The numbers of model and study, by which a page of the study is recognised.
    pub mark: String,
}

impl StudyReading {
    /// Reads a folder; designs are ranked by the measure `by`, or by the usual one.
    pub fn open(folder: &Path, by: Option<&str>, top: usize) -> Result<Self, StudyFolderError> {
        let (study, reader) = open_folder(folder)?;
        Self::of(folder, study, reader, by, top)
    }

    /// Reads a folder for the page of its sweep, which does not tell where it lies. Refused where a file stands in the place of the
    /// page that the sweep did not write.
    pub fn for_page(folder: &Path) -> Result<Self, StudyFolderError> {
        let (study, reader) = open_folder(folder)?;
        let header = reader.header().clone();
        let points = study.design.points();
        if points > MOST_PAGE_POINTS {
            let folder = folder.display().to_string();
            return Err(StudyFolderError::TooManyForPage { folder, points });
        }
        let reading = Self::of(folder, study, reader, None, PAGE_TOP)?;
        refuse_foreign(folder, Some(&reading.study), Some(&header))?;
        Ok(Self { folder: String::new(), ..reading })
    }

    fn of(
        folder: &Path,
        study: Study,
        mut reader: Reader,
        by: Option<&str>,
        top: usize,
    ) -> Result<Self, StudyFolderError> {
        let shown = folder.display().to_string();
        is_part(folder, &study, PlanPart::Study)?;
        let by = by.map(|name| measure(&study, name)).transpose()?;
        let rows = Rows::read(&study, &mut reader).map_err(|error| StudyFolderError::Log {
            path: folder.join(FILE).display().to_string(),
            error,
        })?;
        if rows.is_empty() {
            let why = rows.failed.first().map_or_else(String::new, |(point, text)| {
                format!("; the first error, at point {point}: {text}")
            });
            return Err(StudyFolderError::Empty { folder: shown, why });
        }
        let mark = study_mark(reader.header());
        Ok(Self::new(shown, study, rows, by, (top, mark)))
    }

    /// Of rows that are in memory.
    pub fn new(
        folder: String,
        study: Study,
        rows: Rows,
        by: Option<usize>,
        (top, mark): (usize, String),
    ) -> Self {
        let digest = Digest::new(&study, &rows, by);
        let given = given(&study, digest.target);
        Self { folder, study, rows, digest, sensitivities: None, given, against: None, top, mark }
    }

    /// The same with derivatives, which evaluate the model again near the file's own values.
    pub fn with_sensitivities(mut self) -> Self {
        self.sensitivities = sensitivities(&self.study);
        self
    }

    /// The same with the designs that no other one beats in the measure that designs are ranked by and this one.
    pub fn against(mut self, name: &str) -> Result<Self, StudyFolderError> {
        self.against = Some(measure(&self.study, name)?);
        Ok(self)
    }

    /// The title of the model; empty if it has none.
    pub fn title(&self) -> &str {
        match self.study.description.node("title").map(|node| &node.value) {
            Some(Value::Text { text, .. }) => text,
            _ => "",
        }
    }

    /// Whether the points are those of a grid, so that neighbours can be joined by lines.
    pub fn is_grid(&self) -> bool {
        self.study.design.sampling() == Sampling::Grid
    }

    /// The variables along x and y of a map: of a grid over two axes with more values each than there can be groups.
    pub fn map_variables(&self) -> Option<[usize; 2]> {
        let design = &self.study.design;
        let [ny, nx] = *design.axes() else { return None };
        let variable =
            |axis: usize| (0..design.variables().len()).find(|k| design.axis(*k) == Some(axis));
        let (y, x) = (variable(0)?, variable(1)?);
        (self.is_grid() && nx > MOST_GROUPS && ny > MOST_GROUPS).then_some([x, y])
    }

    /// The rows that no other one beats in both measures, by the first; none if no second measure was asked for.
    pub fn front(&self) -> Vec<usize> {
        self.against.map_or_else(Vec::new, |other| front(&self.rows, [self.digest.target, other]))
    }

    /// Whether the study has so many axes that curves over one of them hide the others.
    pub fn has_many_axes(&self) -> bool {
        self.digest.effects.len() > 2
    }

    /// The mean of the measure that designs are ranked by over the two variables that matter most, for all others: their positions, their
    /// values, and the means row by row; of grids.
    pub fn interaction(&self) -> Option<Interaction> {
        let [first, second, ..] = &self.digest.effects[..] else { return None };
        let numbers = |k: usize| self.rows.numbers(k);
        let (x, y) = (numbers(first.variable)?, numbers(second.variable)?);
        let (nx, ny) = (first.values.len(), second.values.len());
        let place =
            |values: &[f64], x: f64| values.iter().position(|v| (v - x).abs() <= SAME * x.abs());
        let (mut sums, mut counts) = (vec![0.0; nx * ny], vec![0.0; nx * ny]);
        let target = &self.rows.measures[self.digest.target];
        for row in 0..self.rows.len() {
            let at = place(&first.values, x[row]).zip(place(&second.values, y[row]));
            let Some((i, j)) = at.filter(|_| target[row].is_finite() && self.is_grid()) else {
                continue;
            };
            sums[j * nx + i] += target[row];
            counts[j * nx + i] += 1.0;
        }
        let means: Vec<f64> = sums.iter().zip(&counts).map(|(s, n)| s / n).collect();
        means.iter().any(|m| m.is_finite()).then(|| Interaction {
            variables: [first.variable, second.variable],
            values: [first.values.clone(), second.values.clone()],
            means,
        })
    }

    /// The parabola of the measure that designs are ranked by over the first energy, as points; none of several groups.
    pub fn parabola(&self) -> Option<Vec<(f64, f64)>> {
        let driver = self.digest.drivers.first().filter(|_| self.digest.groups.len() == 1)?;
        let [a, b, c] = driver.parabola.as_ref()?.coefficients[..] else { return None };
        let x = &self.rows.measures[driver.measure];
        let finite = || x.iter().copied().filter(|x| x.is_finite());
        let low = finite().fold(f64::INFINITY, f64::min);
        let high = finite().fold(0.0, f64::max);
        let points = (0..=PARABOLA_POINTS)
            .map(|k| low + (high - low) * f64::from(k) / f64::from(PARABOLA_POINTS));
        Some(points.map(|x| (x, a + b * x + c * x * x)).collect())
    }

    /// The share of the design points that have measures.
    pub fn measured_share(&self) -> f64 {
        self.rows.len() as f64 / self.study.design.points().max(1) as f64
    }

    /// The answer of `study`.
    pub fn answer(&self) -> StudyAnswer {
        StudyAnswer::new(self)
    }
}

/// Refuses a folder that answers another question.
pub(super) fn is_part(
    folder: &Path,
    study: &Study,
    wanted: PlanPart,
) -> Result<(), StudyFolderError> {
    let said = |part| match part {
        PlanPart::Study => "a sweep of [study]",
        PlanPart::Uncertainty => "a sample of [uncertainty]",
    };
    if study.part == wanted {
        return Ok(());
    }
    let folder = folder.display().to_string();
    Err(StudyFolderError::OtherPart { folder, found: said(study.part), wanted: said(wanted) })
}

/// A measure at the values of the file.
pub(super) fn given(study: &Study, measure: usize) -> Option<f64> {
    let levels: Vec<Level> = study.stated().into_iter().collect::<Option<_>>()?;
    let mut study = study.clone();
    study.measures = vec![study.measures[measure].clone()];
    study.needs = Needs::default();
    study.needs.add(&study.measures[0].formula);
    let slots = Evaluator::new(&study).slots(&levels).ok()?;
    Some(study.measures[0].formula.value(&slots)).filter(|x| x.is_finite())
}

/// The position of a measure.
fn measure(study: &Study, name: &str) -> Result<usize, StudyFolderError> {
    study.measures.iter().position(|m| m.name == name).ok_or_else(|| {
        let names = || study.measures.iter().map(|m| m.name.as_str());
        let near = nearest(name, names()).map(|near| format!("is `{near}` meant?"));
        let known = || format!("known: {}", names().collect::<Vec<_>>().join(", "));
        StudyFolderError::NoMeasure { name: name.to_owned(), hint: near.unwrap_or_else(known) }
    })
}
