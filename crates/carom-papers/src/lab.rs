//! Where the engine is asked: models with their settings, runs, studies and impacts, each computed once.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use carom::contact::catalogue::{self, Delivered};
use carom::contact::impact1d::Impact1D;
use carom::contact::law::Settings;
use carom::dynamics::{Mechanism, Posture};
use carom::file::{Opened, parse_files, stand};
use carom::impact::laws::{ImpactMemory, find};
use carom::impact::{Assessment, Options, RowAssessment, Strike, StrikeWishes, Struck};
use carom::kinematics::State;
use carom::model::ContactTreatment;
use carom::simulate::{Outcome, Scenario, Wishes, simulate};
use carom::study::digest::Digest;
use carom::study::log::Reader;
use carom::study::{Rows, Study, evaluate};

use super::models;
use carom::answer::study::StudyReading;

/// What the engine answers, or why it does not.
pub type Answer<T> = Result<T, String>;

/// Edits of a model, as of `--set`.
pub type Sets<'a> = &'a [(&'a str, &'a str)];

/// Relative error of a step: far below every printed digit.
const TOLERANCE: f64 = 1e-11;

/// A run and the machine that ran.
pub struct Ran {
    /// The machine.
    pub opened: Opened,
    /// What it did.
    pub outcome: Outcome,
}

/// The way to the engine.
#[derive(Default)]
pub struct Lab {
    threads: usize,
    runs: RefCell<BTreeMap<String, Rc<Ran>>>,
    studies: RefCell<BTreeMap<String, Rc<StudyReading>>>,
}

#[allow(clippy::unused_self, reason = "every question goes through the same door")]
impl Lab {
    /// With so many threads for studies.
    pub fn new(threads: usize) -> Self {
        Self { threads, ..Self::default() }
    }

    /// A model, assembled.
    pub fn open(&self, file: &str, sets: Sets) -> Answer<Opened> {
        let loaded = parse_files(&models::files(file)?, &owned(sets)).map_err(words)?;
        stand(loaded).map_err(words)
    }

    /// Its first contact in the pose of the file.
    pub fn assess(&self, file: &str, sets: Sets) -> Answer<Assessment> {
        let opened = self.open(file, sets)?;
        let mut mechanism = Mechanism::new(opened.model());
        let at = mechanism.at(&opened.assembled.state).map_err(words)?;
        Assessment::new(&at, 0, &Options::everything()).map_err(words)
    }

    /// A look at a model in its pose.
    pub fn posture<T>(
        &self,
        file: &str,
        sets: Sets,
        look: impl FnOnce(&Posture<'_>) -> T,
    ) -> Answer<T> {
        let opened = self.open(file, sets)?;
        let mut mechanism = Mechanism::new(opened.model());
        Ok(look(&mechanism.at(&opened.assembled.state).map_err(words)?))
    }

    /// The normal of its first contact.
    pub fn normal(&self, file: &str, sets: Sets) -> Answer<RowAssessment> {
        let found = self.assess(file, sets)?;
        found.rows.into_iter().next().ok_or_else(|| format!("{file}: no contact"))
    }

    /// A run; the law, where one is named, instead of the file's, and force laws or impulses.
    pub fn run(
        &self,
        file: &str,
        sets: Sets,
        treatment: ContactTreatment,
        law: Option<&str>,
    ) -> Answer<Rc<Ran>> {
        let key = format!("{file} {sets:?} {treatment:?} {law:?}");
        if let Some(known) = self.runs.borrow().get(&key) {
            return Ok(Rc::clone(known));
        }
        let opened = self.open(file, sets)?;
        let start = opened.assembled.state.clone();
        let ran = Rc::new(go(opened, &start, treatment, law).map_err(|e| format!("{key}: {e}"))?);
        self.runs.borrow_mut().insert(key, Rc::clone(&ran));
        Ok(ran)
    }

    /// A piecewise run from another state than the file's.
    pub fn run_from(&self, file: &str, sets: Sets, start: &State) -> Answer<Ran> {
        go(self.open(file, sets)?, start, ContactTreatment::Piecewise, None)
    }

    /// A study of `models/studies`, all of its points.
    pub fn study(&self, name: &str) -> Answer<Rc<StudyReading>> {
        if let Some(known) = self.studies.borrow().get(name) {
            return Ok(Rc::clone(known));
        }
        let file = format!("studies/{name}.toml");
        let loaded = parse_files(&models::files(&file)?, &[]).map_err(words)?;
        let study = loaded.study().map_err(words)?;
        let rows = self.rows(&study).map_err(|why| format!("{file}: {why}"))?;
        let digest = Digest::new(&study, &rows, None);
        let folder = format!("models/{file}");
        let report = Rc::new(StudyReading {
            folder,
            study,
            rows,
            digest,
            sensitivities: None,
            given: None,
            against: None,
            top: 0,
            mark: String::new(),
        });
        self.studies.borrow_mut().insert(name.to_owned(), Rc::clone(&report));
        Ok(report)
    }

    fn rows(&self, study: &Study) -> Answer<Rows> {
        let mut bytes = Vec::new();
        evaluate(study, 0..study.design.points(), self.threads, &mut |block| {
            bytes.extend(block.bytes);
            Ok::<bool, String>(true)
        })?;
        let mut rows = Rows::new(study, study.design.points());
        for (point, entry) in Reader::records(&bytes, study.measures.len()) {
            rows.push(study, point, entry);
        }
        match [&rows.failed[..], &rows.untouched].concat().first() {
            Some((point, why)) => Err(format!("point {point}: {why}")),
            None => Ok(rows),
        }
    }

    /// An impact at the closed contacts under a law of impulses.
    pub fn strike<T>(
        &self,
        (file, sets): (&str, Sets),
        law: &str,
        wishes: &StrikeWishes,
        look: impl FnOnce(&Strike<'_>, &Struck) -> T,
    ) -> Answer<T> {
        let opened = self.open(file, sets)?;
        let mut mechanism = Mechanism::new(opened.model());
        let at = mechanism.at(&opened.assembled.state).map_err(words)?;
        let strike = Strike::new(at, None, wishes).map_err(words)?;
        let law = find(law).map_err(words)?.law;
        let struck = strike.resolve(law, &mut ImpactMemory::default()).map_err(words)?;
        Ok(look(&strike, &struck))
    }

    /// The restitution a law delivers when e is asked for.
    pub fn delivered(&self, law: &str, e: f64) -> Answer<f64> {
        Ok(self.all_delivered(law, e, None)?.restitution)
    }

    /// All that a law delivers when e is asked for, with an exponent n.
    pub fn all_delivered(&self, law: &str, e: f64, n: Option<f64>) -> Answer<Delivered> {
        let entry = catalogue::find(law).map_err(words)?;
        let found = entry.delivered(e, n).ok_or_else(|| format!("{law} takes no restitution"))?;
        found.map_err(words)
    }

    /// The impact of two bodies of this m_eff \[kg\] at this speed \[m/s\] under a law.
    pub fn impact<T>(
        &self,
        law: &str,
        settings: &Settings,
        (mass, speed): (f64, f64),
        look: impl FnOnce(&Impact1D<'_>) -> T,
    ) -> Answer<T> {
        let law = catalogue::find(law).and_then(|entry| entry.make(settings)).map_err(words)?;
        let impact = Impact1D::new(law.as_ref(), mass, speed).map_err(words)?;
        Ok(look(&impact))
    }
}

/// Runs a machine from a state to the end of its file's duration.
fn go(
    opened: Opened,
    start: &State,
    treatment: ContactTreatment,
    law: Option<&str>,
) -> Answer<Ran> {
    let mut mechanism = Mechanism::new(opened.model());
    let wishes = Wishes {
        treatment: Some(treatment),
        tolerance: Some(TOLERANCE),
        law: law.map(str::to_owned),
        ..Wishes::default()
    };
    let at = mechanism.at(start).map_err(words)?;
    let scenario = Scenario::new(&at, &wishes).map_err(words)?;
    let outcome = simulate(opened.model(), start, &scenario).map_err(words)?;
    Ok(Ran { opened, outcome })
}

/// What an error says.
#[allow(clippy::needless_pass_by_value, reason = "it stands behind map_err")]
fn words(error: impl ToString) -> String {
    error.to_string()
}

fn owned(sets: Sets) -> Vec<(String, String)> {
    sets.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect()
}
