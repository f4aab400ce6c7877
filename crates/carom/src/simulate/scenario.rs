//! What is asked of a machine: for how long, how exactly, and which contact models.

use crate::contact::friction::{self, Dry, FrictionLaw};
use crate::contact::law::{ChosenLaw, ContactLaw};
use crate::dynamics::Posture;
use crate::impact::laws::{self, ImpactLaw};
use crate::model::{ContactTreatment, Friction, IMPACTS, Model, StartRule};
use crate::simulate::{Budget, SimulateError};
use std::sync::Arc;

/// Relative error of a step unless another is asked for.
pub const TOLERANCE: f64 = 1e-9;
/// Relative errors of a step that can be asked for: below is round-off, above the integrators' estimates do not hold.
const TOLERANCES: std::ops::RangeInclusive<f64> = 1e-14..=1e-2;
/// The least approach speed \[m/s\] that laws divide by. A pair that touches more slowly than this is damped as if it
/// came at this speed: it changes how a contact settles in its last 1e-4 m/s, and nothing else.
pub const LEAST_ONSET_SPEED: f64 = 1e-4;
/// Samples of a trajectory unless another number is asked for.
pub const SAMPLES: usize = 500;

/// How one contact is treated.
#[derive(Clone, Debug)]
pub struct ContactPlan {
    /// The law of a continuous contact.
    pub law: Option<Arc<dyn ContactLaw>>,
    /// e of a piecewise one.
    pub restitution: Option<f64>,
    /// The friction of a continuous one.
    pub friction: Option<Arc<dyn FrictionLaw>>,
    /// The friction of a piecewise one.
    pub dry: Option<Dry>,
}

/// What a run is to do.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Until when \[s\].
    pub until: f64,
    /// Force laws, or impulses.
    pub treatment: ContactTreatment,
    /// The law of impulses.
    pub impact_law: &'static dyn ImpactLaw,
    /// What closed contacts do at the start.
    pub start: StartRule,
    /// Relative error of a step.
    pub tolerance: f64,
    /// Even samples of the trajectory; with one alone, the inside of impacts is not recorded either.
    pub samples: usize,
    /// Whether each record of a contact is kept, and not only those that a drawing needs.
    pub samples_all: bool,
    /// Whether every sample has the reactions of joints and closures.
    pub reactions: bool,
    /// Whether greatest values inside steps are searched: joint reactions of each impact, forces of lasting contacts and of impacts at
    /// several points. Without it impacts have no joint reactions, and the other two are those at the ends of steps.
    pub peaks: bool,
    /// The least approach speed that laws divide by \[m/s\].
    pub least_onset_speed: f64,
    /// What the run may take.
    pub budget: Budget,
    /// By contact.
    pub contacts: Vec<ContactPlan>,
}

/// What a user asks for beside what the file states.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// Instead of the file's duration \[s\].
    pub until: Option<f64>,
    /// Instead of the file's treatment.
    pub treatment: Option<ContactTreatment>,
    /// Instead of the file's tolerance.
    pub tolerance: Option<f64>,
    /// Instead of the law of every contact.
    pub law: Option<String>,
    /// Instead of the file's law of impulses.
    pub impact: Option<String>,
}

impl Scenario {
    /// What the file and the wishes say, for a machine that starts at this posture.
    ///
    /// Stiffness from materials is that of the starting pose.
    pub fn new(at: &Posture<'_>, wishes: &Wishes) -> Result<Self, SimulateError> {
        let model = at.model();
        let stated = &model.simulation;
        let until = wishes.until.or(stated.duration).ok_or(SimulateError::NoDuration)?;
        let tolerance = wishes.tolerance.or(stated.tolerance).unwrap_or(TOLERANCE);
        check_numbers(until, tolerance)?;
        let treatment = wishes.treatment.or(stated.contact).unwrap_or(ContactTreatment::Continuous);
        let contacts: Vec<ContactPlan> = (0..model.contacts.len())
            .map(|k| ContactPlan::new(at, k, treatment, wishes))
            .collect::<Result<_, _>>()?;
        let (samples, least_onset_speed) = (SAMPLES, LEAST_ONSET_SPEED);
        let start = stated.start.unwrap_or_default();
        let asked = wishes.impact.as_deref().or(stated.impact.map(|k| IMPACTS[k]));
        let impact_law =
            laws::find(asked.unwrap_or(IMPACTS[0])).map_err(SimulateError::ImpactLaw)?.law;
        let rough = contacts.iter().position(|plan: &ContactPlan| plan.dry.is_some());
        if let (Some(k), false) = (rough, impact_law.takes_friction()) {
            let contact = at.model().contacts[k].name.clone();
            return Err(SimulateError::NoFriction { contact, law: impact_law.name() });
        }
        Ok(Self {
            until,
            treatment,
            impact_law,
            start,
            tolerance,
            samples,
            samples_all: false,
            reactions: false,
            peaks: true,
            least_onset_speed,
            budget: Budget::default(),
            contacts,
        })
    }
}

impl Scenario {
    /// Everything for which [`Scenario::new`] would refuse, not only the first.
    pub fn refusals(at: &Posture<'_>, wishes: &Wishes) -> Vec<SimulateError> {
        let model = at.model();
        let stated = &model.simulation;
        let mut out = Vec::new();
        if wishes.until.or(stated.duration).is_none() {
            out.push(SimulateError::NoDuration);
        }
        let treatment = wishes.treatment.or(stated.contact).unwrap_or(ContactTreatment::Continuous);
        let plans = (0..model.contacts.len()).map(|k| ContactPlan::new(at, k, treatment, wishes));
        out.extend(plans.filter_map(Result::err));
        if out.is_empty() {
            out.extend(Self::new(at, wishes).err());
        }
        out
    }
}

impl ContactPlan {
    /// What the file and the wishes say of one contact.
    fn new(
        at: &Posture<'_>,
        k: usize,
        treatment: ContactTreatment,
        wishes: &Wishes,
    ) -> Result<Self, SimulateError> {
        let contact = &at.model().contacts[k];
        let stated = contact.defaults.friction.as_ref();
        let name = || contact.name.clone();
        match treatment {
            ContactTreatment::Continuous => {
                if stated == Some(&Friction::Stick) {
                    return Err(SimulateError::Sticks { contact: name() });
                }
                let friction = friction::of_contact(stated);
                Ok(Self { law: Some(law(at, k, wishes)?), restitution: None, friction, dry: None })
            }
            ContactTreatment::Piecewise => {
                let e = contact.defaults.restitution;
                let e = e.ok_or_else(|| SimulateError::NoRestitution { contact: name() })?;
                let dry = Dry::of_contact(stated)
                    .map_err(|law| SimulateError::Bristles { contact: name(), law })?;
                Ok(Self { law: None, restitution: Some(e), friction: None, dry })
            }
        }
    }
}

impl Scenario {
    /// Refuses a scenario that does not belong to a model or was filled with numbers that cannot be used.
    pub(in crate::simulate) fn check(&self, model: &Model) -> Result<(), SimulateError> {
        let (found, expected) = (self.contacts.len(), model.contacts.len());
        if found != expected {
            return Err(SimulateError::WrongContacts { found, expected });
        }
        check_numbers(self.until, self.tolerance)?;
        self.budget.check()?;
        if self.samples == 0 {
            return Err(SimulateError::BadNumber {
                what: "the number of samples",
                found: 0.0,
                expected: "at least one",
            });
        }
        let speed = self.least_onset_speed;
        if !(speed > 0.0 && speed.is_finite()) {
            return Err(SimulateError::BadNumber {
                what: "the least approach speed",
                found: speed,
                expected: "a positive speed [m/s]",
            });
        }
        for (plan, contact) in self.contacts.iter().zip(&model.contacts) {
            let name = || contact.name.clone();
            match self.treatment {
                ContactTreatment::Continuous if plan.law.is_none() => {
                    return Err(SimulateError::NoLaw { contact: name() });
                }
                ContactTreatment::Piecewise if plan.restitution.is_none() => {
                    return Err(SimulateError::NoRestitution { contact: name() });
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn check_numbers(until: f64, tolerance: f64) -> Result<(), SimulateError> {
    if !(until > 0.0 && until.is_finite()) {
        return Err(SimulateError::BadNumber {
            what: "the duration",
            found: until,
            expected: "a positive time [s]",
        });
    }
    if !TOLERANCES.contains(&tolerance) {
        return Err(SimulateError::BadNumber {
            what: "the tolerance",
            found: tolerance,
            expected: "a number from 1e-14 to 1e-2",
        });
    }
    Ok(())
}

/// The law of a contact, complete.
fn law(at: &Posture<'_>, k: usize, wishes: &Wishes) -> Result<Arc<dyn ContactLaw>, SimulateError> {
    let contact = &at.model().contacts[k];
    let name = || contact.name.clone();
    let stiffness = at.contact_stiffness(k)?;
    let mut defaults = contact.defaults.clone();
    if wishes.law.is_some() {
        defaults.law.clone_from(&wishes.law);
    }
    let chosen = ChosenLaw::new(&defaults, stiffness.as_ref())
        .map_err(|error| SimulateError::Law { contact: name(), error })?
        .ok_or_else(|| SimulateError::NoLaw { contact: name() })?;
    if let Some(&parameter) = chosen.missing.first() {
        let law = chosen.entry.name;
        return Err(SimulateError::Incomplete { contact: name(), law, parameter });
    }
    chosen.law.map(Arc::from).ok_or_else(|| SimulateError::NoLaw { contact: name() })
}
