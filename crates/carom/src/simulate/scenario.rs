//! What is asked of a machine: for how long, how exactly, and which contact models.

use crate::contact::friction::{self, Dry, FrictionLaw};
use crate::contact::law::{ChosenLaw, ContactLaw};
use crate::contact::machine_size;
use crate::dynamics::Posture;
use crate::impact::laws::{self, ImpactLaw};
use crate::model::{Contact, ContactTreatment, Friction, IMPACTS, Model, StartRule};
use crate::simulate::{Budget, SimulateError};
use std::sync::Arc;

/// Relative error of a step unless another is asked for.
pub const TOLERANCE: f64 = 1e-9;
/// Relative errors of a step that can be asked for: below is round-off, above the integrators' estimates do not hold.
const TOLERANCES: std::ops::RangeInclusive<f64> = 1e-14..=1e-2;
/// The least approach speed \[m/s\] that laws divide by. A pair that touches more slowly than this is damped as if it
/// came at this speed: it changes how a contact settles in its last 1e-4 m/s, and nothing else.
pub const LEAST_ONSET_SPEED: f64 = 1e-4;
/// An impact is waited for so many times as long as the machine takes to move by its own size.
const PATIENCE: f64 = 1000.0;
/// Samples of a trajectory unless another number is asked for.
pub const SAMPLES: usize = 500;
/// The law of a contact that states a stiffness and a restitution and names no law: the one that delivers the restitution asked for.
pub const DEFAULT_LAW: &str = "exact";

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
#[allow(clippy::struct_excessive_bools, reason = "each is wanted or not, whatever the others are")]
pub struct Scenario {
    /// Until when \[s\].
    pub until: f64,
    /// Force laws, or impulses.
    pub treatment: ContactTreatment,
    /// Whether neither the file nor the user chose between force laws and impulses: what the contacts state decided.
    pub treatment_follows: bool,
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
    /// A contact whose first impact is all that is asked for: the run ends when the impact is over, whatever [`Scenario::until`] says.
    pub first_of: Option<usize>,
    /// Whether each impact has the greatest reactions of joints and closures, with [`Self::peaks`]: each joint has a peak of its own, so that
    /// they cost more than all the rest of a run of a long chain.
    pub joint_peaks: bool,
    /// Whether the gaps of all contact points are evaluated at every look, and not only of those that may close within a step.
    pub all_pairs: bool,
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
    /// Ends the run with the first impact of this contact; then a duration need not be stated.
    pub first_of: Option<usize>,
}

impl Scenario {
    /// What the file and the wishes say, for a machine that starts at this posture.
    ///
    /// Stiffness from materials is that of the starting pose.
    pub fn new(at: &Posture<'_>, wishes: &Wishes) -> Result<Self, SimulateError> {
        let model = at.model();
        let stated = &model.simulation;
        let patience = || wishes.first_of.and_then(|_| patience(at));
        let until = wishes.until.or(stated.duration).or_else(patience);
        let until = until.ok_or(SimulateError::NoDuration)?;
        let tolerance = wishes.tolerance.or(stated.tolerance).unwrap_or(TOLERANCE);
        check_numbers(until, tolerance)?;
        let (treatment, treatment_follows) = treatment(model, wishes);
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
            treatment_follows,
            impact_law,
            start,
            tolerance,
            samples,
            samples_all: false,
            reactions: false,
            peaks: true,
            first_of: wishes.first_of,
            joint_peaks: true,
            all_pairs: false,
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
        if wishes.until.or(stated.duration).is_none() && wishes.first_of.is_none() {
            out.push(SimulateError::NoDuration);
        }
        let (treatment, _) = treatment(model, wishes);
        let plans = (0..model.contacts.len()).map(|k| ContactPlan::new(at, k, treatment, wishes));
        out.extend(plans.filter_map(Result::err));
        if out.is_empty() {
            out.extend(Self::new(at, wishes).err());
        }
        out
    }
}

/// Force laws or impulses, and whether that follows from the contacts because neither the user nor the file says it: impulses if all of them
/// state a restitution and none a stiffness or a law.
fn treatment(model: &Model, wishes: &Wishes) -> (ContactTreatment, bool) {
    if let Some(said) = wishes.treatment.or(model.simulation.contact) {
        return (said, false);
    }
    let rigid = |contact: &Contact| {
        let stated = &contact.defaults;
        let soft = stated.stiffness.is_some() || stated.materials.is_some() || stated.law.is_some();
        stated.restitution.is_some() && !soft
    };
    let impulses =
        wishes.law.is_none() && !model.contacts.is_empty() && model.contacts.iter().all(rigid);
    if impulses {
        (ContactTreatment::Piecewise, true)
    } else {
        (ContactTreatment::Continuous, false)
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
    /// Whether the greatest reactions of joints are recorded.
    pub(in crate::simulate) fn records_joint_peaks(&self) -> bool {
        self.peaks && self.joint_peaks
    }

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

/// How long the first impact is waited for where no duration is stated \[s\]: many times as long as the machine takes to move by its own
/// size at its own speed, or to fall by it. None of a machine that does neither.
fn patience(at: &Posture<'_>) -> Option<f64> {
    let size = machine_size(at);
    let mass: f64 = at.model().bodies.iter().map(|body| body.inertia.mass).sum();
    let speed = (2.0 * at.kinetic_energy() / mass).sqrt();
    let falling = (size / at.model().gravity.norm()).sqrt();
    let own = (size / speed).min(falling);
    (own > 0.0 && own.is_finite()).then_some(PATIENCE * own)
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
    } else if defaults.law.is_none() && stiffness.is_some() && defaults.restitution.is_some() {
        defaults.law = Some(DEFAULT_LAW.to_owned());
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
