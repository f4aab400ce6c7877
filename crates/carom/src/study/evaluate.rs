//! One point: edit the description, build, stand, measure.

use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

use super::plan::Study;
use super::quantity::{COUNT, QUANTITIES};
use super::strike::struck;
use crate::contact::{Approach, ContactError, StandError, stand};
use crate::dynamics::{DynamicsError, Mechanism, Posture};
use crate::impact::{
    Assessment, AssessmentError, Options, RowAssessment, Strike, StrikeError, StrikeWishes,
    elastic_peak,
};
use crate::model::description::{Node, Origin, SetError, Value};
use crate::model::study::{Action, Level, StudyVariable};
use crate::model::{Description, Finding, Mistake, Model, Texts, build, build_again};
use crate::simulate::{ImpactRecord, Outcome, Scenario, SimulateError, Wishes, simulate_with};

/// The measures of a point, or why there are none.
pub type Row = Result<Vec<f64>, PointError>;

/// Why a point has no measures.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PointError {
    /// The edited file has faults.
    #[error("{}", joined(.0))]
    Refused(Vec<Finding>),
    /// The model does not stand.
    #[error(transparent)]
    Standing(#[from] StandError),
    /// Its dynamics fail.
    #[error(transparent)]
    Dynamics(#[from] DynamicsError),
    /// The contact's geometry fails.
    #[error(transparent)]
    Contact(#[from] ContactError),
    /// The contact cannot be assessed.
    #[error(transparent)]
    Assessment(#[from] AssessmentError),
    /// The run cannot begin, or stopped.
    #[error(transparent)]
    Run(#[from] SimulateError),
    /// The impact has no answer.
    #[error(transparent)]
    Impact(#[from] StrikeError),
    /// A quantity that this point does not have.
    #[error("{quantity}: {why}")]
    Missing {
        /// Its word.
        quantity: &'static str,
        /// Why.
        why: String,
    },
    /// A fault of carom.
    #[error("carom failed here: please report it with the model file")]
    Broken,
    /// A measure that is not a number.
    #[error("{measure}: not a number here")]
    Undefined {
        /// The measure.
        measure: String,
    },
}

fn joined(findings: &[Finding]) -> String {
    findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// What was measured: by quantity, and why others are missing.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    pub values: [Option<f64>; COUNT],
    pub why: String,
}

impl Measured {
    pub fn put(&mut self, name: &str, value: impl Into<Option<f64>>) {
        if let Some(at) = QUANTITIES.iter().position(|q| q.name == name) {
            self.values[at] = value.into();
        }
    }
}

/// Evaluates points of a study, one after the other; each thread has its own.
#[derive(Clone, Debug)]
pub struct Evaluator<'s> {
    study: &'s Study,
    description: Description,
    texts: Texts,
    /// Ends a run at its next step.
    stop: Option<&'s AtomicBool>,
}

impl<'s> Evaluator<'s> {
    /// For a study.
    pub fn new(study: &'s Study) -> Self {
        let description = study.description.clone();
        Self { study, texts: Texts::of(&description), description, stop: None }
    }

    /// The same, whose runs end at their next step as soon as the flag is set.
    pub(super) fn stopped_by(self, stop: &'s AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// The same without what points before have left behind.
    pub(super) fn anew(&self) -> Self {
        Self { stop: self.stop, ..Self::new(self.study) }
    }

    /// The measures of a point, all of them.
    pub fn row(&mut self, point: u64) -> Row {
        match self.partial(point)? {
            (values, None) => Ok(values),
            (_, Some(error)) => Err(error),
        }
    }

    /// The measures that a point has, NaN in the place of others, and why the first of these is missing.
    pub fn partial(&mut self, point: u64) -> Result<(Vec<f64>, Option<PointError>), PointError> {
        let levels = self.study.design.levels(point);
        let (slots, mut missing) = self.filled(&levels)?;
        let n = levels.len();
        let mut values = Vec::with_capacity(self.study.measures.len());
        for column in &self.study.measures {
            // max(a, b) of nothing and a number would be the number.
            let there = column.formula.uses.iter().all(|k| !slots[n + k].is_nan());
            let x = if there { column.formula.value(&slots) } else { f64::NAN };
            if x.is_nan() && missing.is_none() {
                missing = Some(PointError::Undefined { measure: column.name.clone() });
            }
            values.push(x);
        }
        Ok((values, missing))
    }

    /// Variables in SI units and then quantities, NaN where they are not needed.
    pub fn slots(&mut self, levels: &[Level]) -> Result<Vec<f64>, PointError> {
        match self.filled(levels)? {
            (slots, None) => Ok(slots),
            (_, Some(error)) => Err(error),
        }
    }

    /// The slots, and the first quantity that is needed and not there.
    fn filled(&mut self, levels: &[Level]) -> Result<(Vec<f64>, Option<PointError>), PointError> {
        let measured = self.measured(levels)?;
        let mut slots = self.study.design.numbers(levels);
        slots.extend(measured.values.iter().map(|x| x.unwrap_or(f64::NAN)));
        let n = levels.len();
        let missing = self.study.needs.iter().find(|k| slots[n + k].is_nan());
        let missing = missing
            .map(|k| PointError::Missing { quantity: QUANTITIES[k].name, why: measured.why });
        Ok((slots, missing))
    }

    /// All quantities at some levels, those that are there.
    pub fn quantities(&mut self, levels: &[Level]) -> Result<[Option<f64>; COUNT], PointError> {
        self.measured(levels).map(|found| found.values)
    }

    /// The model at some levels.
    pub fn model(&mut self, levels: &[Level]) -> Result<Model, PointError> {
        for (variable, level) in self.study.design.variables().iter().zip(levels) {
            if let Err(error) = set(&mut self.description, variable, level) {
                let mistake = Mistake::Conflict(error.to_string());
                let finding = Finding { path: variable.path.clone(), origin: None, mistake };
                return Err(PointError::Refused(vec![finding]));
            }
        }
        Ok(build_again(&self.description, &self.texts).map_err(PointError::Refused)?.model)
    }

    /// The drives that would have to stop at some levels, where they close contacts that cannot separate.
    pub fn drives_behind(&mut self, levels: &[Level]) -> Vec<String> {
        let mut found = || -> Result<Vec<String>, PointError> {
            let mut model = self.model(levels)?;
            let assembled = stand(&mut model)?;
            let mut mechanism = Mechanism::new(&model);
            let at = mechanism.at(&assembled.state)?;
            let contact = model.contact(&self.study.contact).unwrap_or(0);
            Ok(match self.study.action {
                Action::Assess => Assessment::without_law(&at, contact)?.energies.drives,
                Action::Impact => {
                    let strike = Strike::new(at, None, &StrikeWishes::default())?;
                    strike.held.map_or_else(Vec::new, |held| held.drives)
                }
                Action::Run => {
                    let scenario = Scenario::new(&at, &Wishes::default())?;
                    let ended = simulate_with(&model, &assembled.state, &scenario, &mut |_| true);
                    let reason = ended.err().map(|stopped| stopped.reason);
                    let drives = reason.as_ref().and_then(SimulateError::unbounded_by);
                    drives.unwrap_or_default().to_vec()
                }
            })
        };
        found().unwrap_or_default()
    }

    /// Sets one variable alone; says what is wrong if its path leads nowhere.
    pub(super) fn edit_one(&mut self, variable: usize, level: &Level) -> Result<(), String> {
        let variable = &self.study.design.variables()[variable];
        set(&mut self.description, variable, level).map_err(|error| error.to_string())?;
        let Err(findings) = build(&self.description) else { return Ok(()) };
        // The file is sound without the edit. A value out of range may be sound at other points; these cannot.
        let nowhere = findings.into_iter().find(|f| {
            use Mistake::{Expression, Unit, UnknownKey, UnknownName, UnknownWord, WrongKind};
            matches!(
                f.mistake,
                UnknownKey { .. } | WrongKind { .. } | UnknownWord { .. } | UnknownName { .. }
            ) || matches!(f.mistake, Unit(_) | Expression(_))
        });
        nowhere.map_or(Ok(()), |finding| Err(finding.to_string()))
    }

    fn measured(&mut self, levels: &[Level]) -> Result<Measured, PointError> {
        let mut model = self.model(levels)?;
        let assembled = stand(&mut model)?;
        let mut mechanism = Mechanism::new(&model);
        let at = mechanism.at(&assembled.state)?;
        let contact = model.contact(&self.study.contact).unwrap_or(0);
        match self.study.action {
            Action::Assess => self.assess(&at, contact),
            Action::Impact => struck(&at, contact),
            Action::Run => {
                let mut scenario = Scenario::new(&at, &Wishes::default())?;
                // No measure of a study is a joint reaction.
                (scenario.samples, scenario.peaks) = (1, false);
                let goes_on = || self.stop.is_none_or(|stop| !stop.load(Ordering::Relaxed));
                let ended = simulate_with(&model, &assembled.state, &scenario, &mut |_| goes_on());
                match ended {
                    Ok(outcome) => Ok(ran(&model, contact, &outcome, scenario.until)),
                    Err(stopped) if stopped.reason.unbounded_by().is_some() => {
                        let mut out = Measured { values: [None; COUNT], why: String::new() };
                        let outcome = stopped.outcome.as_ref();
                        let before = outcome.and_then(|o| Some(o.samples.last()?.ledger.kinetic));
                        out.put("onset", outcome.map(|o| o.state.t));
                        unbounded(&mut out, before.unwrap_or_else(|| at.kinetic_energy()));
                        out.why = stopped.reason.to_string();
                        Ok(out)
                    }
                    Err(stopped) => Err(SimulateError::from(stopped).into()),
                }
            }
        }
    }

    /// The core of an assessment, of the point with the most energy.
    fn assess(&self, at: &Posture<'_>, contact: usize) -> Result<Measured, PointError> {
        let predicts = OF_LAW.iter().any(|name| self.study.needs.has(name));
        let core = |prediction| {
            Assessment::new(at, contact, &Options { prediction, ..Options::default() })
        };
        let mut why = String::new();
        let found = match core(predicts) {
            // A law or a stiffness without an answer leaves the other measures as they are.
            Err(error @ (AssessmentError::Law { .. } | AssessmentError::Stiffness(_))) => {
                why = error.to_string();
                Assessment::without_law(at, contact)?
            }
            found => found?,
        };
        let mut out = Measured { values: [None; COUNT], why };
        let Some(row) = found.hardest() else {
            let (quantity, why) = ("effective_mass", "the contact has no point here".to_owned());
            return Err(PointError::Missing { quantity, why });
        };
        let effective = &row.effective;
        out.put("gap", row.point.gap);
        out.put("effective_mass", effective.mass);
        out.put("approach_speed", -effective.rate);
        let energy = found.impact_energy();
        out.put("impact_energy", energy);
        energies(&mut out, found.energies.total, energy);
        out.put("apparent_mass_i", row.apparent.i);
        out.put("apparent_mass_j", row.apparent.j);
        if out.why.is_empty() {
            if predicts {
                predicted(&mut out, &found, row);
            }
        } else if let Ok(Some(stiffness)) = at.contact_stiffness(contact) {
            let closes = row.approach == Approach::Closing && !row.effective.is_immobile();
            out.put("elastic_peak", closes.then(|| elastic_peak(&stiffness, effective)));
        }
        Ok(out)
    }
}

/// What the contact's law predicts, in the frozen pose.
const OF_LAW: [&str; 10] = [
    "peak_force",
    "max_indentation",
    "duration",
    "restitution",
    "separation_speed",
    "energy_lost",
    "impulse",
    "time_of_peak",
    "time_of_max_indentation",
    "elastic_peak",
];

/// The impact of a row under the contact's law. Where a drive closes it and nothing gives way, the force grows without bound.
fn predicted(out: &mut Measured, found: &Assessment, row: &RowAssessment) {
    if row.effective.is_unbounded() {
        let has_none = |name: &&str| ["restitution", "separation_speed"].contains(name);
        for name in OF_LAW.iter().filter(|name| !has_none(name)) {
            out.put(name, f64::INFINITY);
        }
        "a drive closes the contact and nothing can give way: the impact does not end"
            .clone_into(&mut out.why);
        return;
    }
    if row.effective.is_immobile() || row.approach != Approach::Closing {
        "the contact does not approach, or cannot move".clone_into(&mut out.why);
        return;
    }
    out.put("elastic_peak", row.elastic_peak);
    let Some(prediction) = &row.prediction else {
        out.why = match &found.law {
            None => "the contact states no law".to_owned(),
            Some(law) => format!("the law `{}` lacks something it takes", law.name),
        };
        return;
    };
    let o = &prediction.outcome;
    let values = [
        o.peak_force,
        o.max_indentation,
        o.duration,
        o.restitution,
        o.separation_speed,
        o.energy_lost,
        o.impulse,
        o.time_of_peak,
        o.time_of_max_indentation,
    ];
    for (name, x) in OF_LAW.into_iter().zip(values) {
        out.put(name, x);
    }
}

/// T, T_a and ξ.
pub(super) fn energies(out: &mut Measured, total: f64, of_impact: f64) {
    out.put("kinetic_energy", total);
    out.put("admissible_energy", total - of_impact);
    out.put("share", if total > 0.0 { of_impact / total } else { 0.0 });
}

/// Of contacts that drives close although they cannot separate: what grows without bound.
pub(super) fn unbounded(out: &mut Measured, total: f64) {
    for name in ["impact_energy", "impulse", "peak_force", "largest_force"] {
        out.put(name, f64::INFINITY);
    }
    energies(out, total, f64::INFINITY);
}

/// What a run leaves behind.
fn ran(model: &Model, contact: usize, outcome: &Outcome, until: f64) -> Measured {
    let mut out = Measured { values: [None; COUNT], why: String::new() };
    let own = || outcome.impacts.iter().filter(|i| i.spot.contact == contact);
    out.put("impacts", own().count() as f64);
    out.put("drift", outcome.drift);
    out.put("final_kinetic_energy", outcome.samples.last().map(|s| s.ledger.kinetic));
    out.put("total_energy_lost", own().map(|i| i.energy_lost).sum::<f64>());
    out.put("largest_force", own().filter_map(|i| i.peak_force).reduce(f64::max));
    let Some(first) = own().next() else {
        let name = &model.contacts[contact].name;
        let stays = outcome.stays.iter().any(|stay| stay.spot.contact == contact);
        let touches =
            stays || outcome.least_gap.is_some_and(|g| g.spot.contact == contact && g.gap <= 0.0);
        let (verb, why) = if touches {
            ("is not struck", ": it touches without closing")
        } else {
            ("does not touch", "")
        };
        out.why = format!("contacts.{name} {verb} within {until} s{why}");
        return out;
    };
    "the first impact has none".clone_into(&mut out.why);
    record(&mut out, first);
    let sample = outcome.samples.iter().find(|s| s.event && s.state.t == first.onset);
    if let Some(sample) = sample {
        energies(&mut out, sample.ledger.kinetic, first.impact_energy);
    }
    out
}

fn record(out: &mut Measured, i: &ImpactRecord) {
    out.put("onset", i.onset);
    out.put("effective_mass", i.effective_mass);
    out.put("approach_speed", i.approach_speed);
    out.put("impact_energy", i.impact_energy);
    out.put("peak_force", i.peak_force);
    out.put("time_of_peak", i.time_of_peak);
    out.put("max_indentation", i.max_indentation);
    out.put("time_of_max_indentation", i.time_of_max_indentation);
    out.put("duration", i.duration());
    out.put("separation_speed", i.separation_speed);
    out.put("restitution", i.restitution());
    out.put("energetic_restitution", i.energetic_restitution());
    out.put("parting_mass", i.parting_mass);
    out.put("impulse", i.impulse);
    out.put("energy_lost", i.energy_lost);
    out.put("compression_work", i.compression_work);
    out.put("free_acceleration", i.free_acceleration);
}

/// Sets a variable as `--set` does.
fn set(to: &mut Description, variable: &StudyVariable, level: &Level) -> Result<(), SetError> {
    let (path, unit) = (&variable.path, &variable.unit.text);
    let (value, shown) = match level {
        Level::Word(word) => return to.set(path, word),
        Level::Number(x) if unit.is_empty() => (Value::Number(*x), x.to_string()),
        Level::Number(x) => {
            let text = format!("{x} {unit}");
            (Value::Text { text: text.clone(), verbatim: None }, text)
        }
    };
    to.set_node(path, Node { origin: Origin::Set(format!("{path}={shown}")), value })
}
