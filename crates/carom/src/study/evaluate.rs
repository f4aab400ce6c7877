//! One point: edit the description, build, stand, measure.

use thiserror::Error;

use super::plan::Study;
use super::quantity::{COUNT, QUANTITIES};
use super::strike::struck;
use crate::contact::hertz::HertzError;
use crate::contact::impact1d::Impact1D;
use crate::contact::law::{ChosenLaw, LawError};
use crate::contact::{ContactError, StandError, TouchPoint, stand};
use crate::dynamics::{DynamicsError, Mechanism, Posture, RowWrench};
use crate::impact::{EffectiveMass, ImpactRows, StrikeError};
use crate::model::description::{Node, Origin, SetError, Value};
use crate::model::study::{Action, Level, StudyVariable};
use crate::model::{Description, Finding, Mistake, Model, Texts, build, build_again};
use crate::simulate::{ImpactRecord, Outcome, Scenario, SimulateError, Wishes, simulate};

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
    /// The contact's materials and shapes give no stiffness.
    #[error(transparent)]
    Stiffness(#[from] HertzError),
    /// The contact's law has no answer.
    #[error("contacts.{contact}: {error}")]
    Law {
        /// The contact.
        contact: String,
        /// Why.
        error: LawError,
    },
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
}

impl<'s> Evaluator<'s> {
    /// For a study.
    pub fn new(study: &'s Study) -> Self {
        let description = study.description.clone();
        Self { study, texts: Texts::of(&description), description }
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
                scenario.samples = 1;
                let outcome =
                    simulate(&model, &assembled.state, &scenario).map_err(SimulateError::from)?;
                Ok(ran(&model, contact, &outcome, scenario.until))
            }
        }
    }

    fn assess(&self, at: &Posture<'_>, contact: usize) -> Result<Measured, PointError> {
        let needs = &self.study.needs;
        let touch = at.touch(contact)?;
        let mut first: Option<(TouchPoint, RowWrench, EffectiveMass)> = None;
        for point in touch.points() {
            let row = at.contact_row(contact, point, &point.normal);
            if let Some(error) = at.push_without_inertia(&row) {
                return Err(error.into());
            }
            let effective = at.settled_mass(&row);
            // Of several points that with the most energy counts; of equal ones the first.
            if first.as_ref().is_none_or(|(_, _, before)| effective.energy > before.energy) {
                first = Some((*point, row, effective));
            }
        }
        let Some((point, row, effective)) = first else {
            let (quantity, why) = ("effective_mass", "the contact has no point here".to_owned());
            return Err(PointError::Missing { quantity, why });
        };
        let mut out = Measured { values: [None; COUNT], why: String::new() };
        out.put("gap", point.gap);
        out.put("effective_mass", effective.mass);
        out.put("approach_speed", -effective.rate);
        out.put("impact_energy", effective.energy);
        energies(&mut out, at.kinetic_energy(), effective.energy);
        if needs.has("apparent_mass_i") || needs.has("apparent_mass_j") {
            let apparent = ImpactRows::apparent(at, &row);
            out.put("apparent_mass_i", apparent.i);
            out.put("apparent_mass_j", apparent.j);
        }
        // A law without an answer leaves the other measures as they are.
        if let Err(error) = self.predict(at, contact, &effective, &mut out) {
            out.why = error.to_string();
        }
        Ok(out)
    }

    /// The impact under the contact's law, in the frozen pose.
    fn predict(
        &self,
        at: &Posture<'_>,
        contact: usize,
        row: &EffectiveMass,
        out: &mut Measured,
    ) -> Result<(), PointError> {
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
        if !OF_LAW.iter().any(|name| self.study.needs.has(name)) {
            return Ok(());
        }
        if row.is_immobile() || row.rate >= 0.0 {
            "the contact does not approach, or cannot move".clone_into(&mut out.why);
            return Ok(());
        }
        let stated = &at.model().contacts[contact];
        let stiffness = at.contact_stiffness(contact)?;
        if let Some(s) = &stiffness {
            let (K, n) = (s.stiffness, s.exponent);
            out.put("elastic_peak", K * ((n + 1.0) * row.energy / K).powf(n / (n + 1.0)));
        }
        let wrong = |error| PointError::Law { contact: stated.name.clone(), error };
        let chosen = ChosenLaw::new(&stated.defaults, stiffness.as_ref()).map_err(wrong)?;
        let law = chosen.as_ref().and_then(|c| c.law.as_deref());
        let Some(law) = law else {
            out.why = match chosen {
                None => "the contact states no law".to_owned(),
                Some(c) => format!("the law `{}` lacks something it takes", c.entry.name),
            };
            return Ok(());
        };
        let impact = Impact1D::new(law, row.mass, -row.rate).map_err(wrong)?;
        let o = impact.outcome();
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
        Ok(())
    }
}

/// T, T_a and ξ.
pub(super) fn energies(out: &mut Measured, total: f64, of_impact: f64) {
    out.put("kinetic_energy", total);
    out.put("admissible_energy", total - of_impact);
    out.put("share", if total > 0.0 { of_impact / total } else { 0.0 });
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
        out.why = format!("contacts.{name} does not touch within {until} s");
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
