//! One point: edit the description, build, stand, measure.

use std::sync::atomic::AtomicBool;

use thiserror::Error;

use super::measure::{Bench, CompiledBench, Measured, Wanted};
use super::plan::Study;
use super::quantity::{COUNT, QUANTITIES};
use crate::contact::{ContactError, StandError, stand};
use crate::dynamics::{DynamicsError, Mechanism};
use crate::impact::{Assessment, AssessmentError, Strike, StrikeError, StrikeWishes};
use crate::model::description::{Node, Origin, SetError, Value};
use crate::model::study::{Action, Level, StudyVariable};
use crate::model::{Description, Finding, Mistake, Model, Texts, build, build_again};
use crate::simulate::{Scenario, SimulateError, Wishes, simulate_with};

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
        /// What it lacks.
        lack: Lack,
        /// The least gap of a contact that does not touch; NaN otherwise.
        gap: f64,
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

/// What a point lacks that has not all of its measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// The contact touches without closing, or has no point.
    Contact,
    /// The contact's law, or a law of impulses, has no answer.
    Law,
    /// The mechanism cannot be assembled, or the file is refused with these values.
    Machine,
    /// Something else.
    Other,
    /// The contact never touches: an answer of a run, and of an impact.
    Touch,
}

impl Lack {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Contact, Self::Law, Self::Machine, Self::Other, Self::Touch];

    /// Whether there is no impact to measure.
    pub fn is_of_contact(self) -> bool {
        matches!(self, Self::Contact | Self::Touch)
    }
}

impl PointError {
    /// What the point lacks.
    pub fn lack(&self) -> Lack {
        match self {
            Self::Missing { lack, .. } => *lack,
            Self::Assessment(AssessmentError::Law { .. } | AssessmentError::Stiffness(_))
            | Self::Impact(StrikeError::Law { .. }) => Lack::Law,
            Self::Refused(_) | Self::Standing(_) => Lack::Machine,
            _ => Lack::Other,
        }
    }

    /// The least gap of a contact that does not touch.
    pub fn least_gap(&self) -> Option<f64> {
        match self {
            Self::Missing { gap, .. } if !gap.is_nan() => Some(*gap),
            _ => None,
        }
    }
}

fn joined(findings: &[Finding]) -> String {
    findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// Evaluates points of a study, one after the other; each thread has its own.
#[derive(Clone, Debug)]
pub struct Evaluator<'s> {
    study: &'s Study,
    wanted: Wanted,
    description: Description,
    texts: Texts,
    /// The compiled study; none if every point has to be read from its description.
    bench: Option<CompiledBench>,
    /// Ends a run at its next step.
    stop: Option<&'s AtomicBool>,
    /// Of a study that needs statistics over a sample: evaluates its points.
    sampled: Option<Box<Self>>,
}

impl<'s> Evaluator<'s> {
    /// For a study.
    pub fn new(study: &'s Study) -> Self {
        let bench = study.recipe.as_ref().and_then(CompiledBench::new);
        let robust = study.robust.as_ref().filter(|_| study.needs.is_robust());
        let sampled = robust.map(|robust| Box::new(Self::new(&robust.study)));
        Self { bench, sampled, ..Self::reading(study) }
    }

    /// The same without the compiled study: every point is read from its description.
    pub fn reading(study: &'s Study) -> Self {
        let description = study.description.clone();
        let texts = Texts::of(&description);
        let wanted = Wanted::new(study);
        Self { study, wanted, texts, description, bench: None, stop: None, sampled: None }
    }

    /// The same, whose runs end at their next step as soon as the flag is set.
    pub(super) fn stopped_by(self, stop: &'s AtomicBool) -> Self {
        let sampled = self.sampled.map(|inner| Box::new(inner.stopped_by(stop)));
        Self { stop: Some(stop), sampled, ..self }
    }

    /// The same without what points before have left behind.
    pub(super) fn anew(&self) -> Self {
        let new = Self::new(self.study);
        match self.stop {
            Some(stop) => new.stopped_by(stop),
            None => new,
        }
    }

    /// The measures of a point, all of them.
    pub fn row(&mut self, point: u64) -> Row {
        match self.partial(point)? {
            (values, None) => Ok(values),
            (_, Some(error)) => Err(error),
        }
    }

    /// The measures that a point has, NaN in the place of others, and why the first of these is missing. Where the contact never touches,
    /// what an impact would bring is zero ([`Quantity::is_zero_untouched`](super::Quantity::is_zero_untouched)).
    pub fn partial(&mut self, point: u64) -> Result<(Vec<f64>, Option<PointError>), PointError> {
        let levels = self.study.design.levels(point);
        let (mut slots, mut missing) = self.filled(&levels)?;
        let n = levels.len();
        if missing.as_ref().is_some_and(|error| error.lack() == Lack::Touch) {
            for (x, quantity) in slots[n..].iter_mut().zip(&QUANTITIES) {
                if x.is_nan() && quantity.is_zero_untouched() {
                    *x = 0.0;
                }
            }
        }
        let mut values = Vec::with_capacity(self.study.measures.len());
        for column in &self.study.measures {
            // max(a, b) of nothing and a number would be the number.
            let there = column.formula.uses.iter().all(|k| !slots[n + k].is_nan())
                && (!column.formula.is_robust || slots.len() > n + COUNT);
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
        let measured = self.measured(levels, false)?;
        let mut slots = self.study.design.numbers(levels);
        slots.extend(measured.values.iter().map(|x| x.unwrap_or(f64::NAN)));
        if let (Some(inner), Some(robust)) = (&mut self.sampled, &self.study.robust) {
            match robust.values(inner, levels) {
                Ok(statistics) => slots.extend(statistics),
                Err(error) => return Ok((slots, Some(error))),
            }
        }
        let n = levels.len();
        let missing = self.study.needs.iter().find(|k| slots[n + k].is_nan());
        let missing = missing.map(|k| {
            let quantity = QUANTITIES[k].name;
            let (lack, gap) = (measured.lack, measured.least_gap);
            PointError::Missing { quantity, why: measured.why(quantity), lack, gap }
        });
        Ok((slots, missing))
    }

    /// All quantities at some levels, those that are there.
    pub fn quantities(&mut self, levels: &[Level]) -> Result<[Option<f64>; COUNT], PointError> {
        self.measured(levels, true).map(|found| found.values)
    }

    /// The model at some levels.
    pub fn model(&mut self, levels: &[Level]) -> Result<Model, PointError> {
        for (variable, level) in self.study.design.variables().iter().zip(levels) {
            if let Err(error) = set_level(&mut self.description, variable, level) {
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
        set_level(&mut self.description, variable, level).map_err(|error| error.to_string())?;
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

    /// What is measured at some levels: what the study needs, or everything.
    fn measured(&mut self, levels: &[Level], everything: bool) -> Result<Measured, PointError> {
        let study = self.study;
        let wanted = if everything { Wanted::everything(study) } else { self.wanted };
        if let Some(bench) = &mut self.bench
            && bench.set(&study.design.numbers(levels))
        {
            return bench.measure(study, wanted, self.stop);
        }
        Bench::standing(self.model(levels)?)?.measure(study, wanted, self.stop)
    }
}

/// Sets a variable as `--set` does.
pub(super) fn set_level(
    to: &mut Description,
    variable: &StudyVariable,
    level: &Level,
) -> Result<(), SetError> {
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
