//! What a user asks of a run beside what the file states.

use crate::contact::catalogue;
use crate::contact::law::LawError;
use crate::dynamics::{DynamicsError, Mechanism};
use crate::file::Opened;
use crate::model::ContactTreatment;
use crate::simulate::{MAX_STEPS, Scenario, SimulateError, Wishes};
use crate::study::fnv1a;

/// What is asked of a run; all that is not asked is as the file states it.
///
/// ```
/// use carom::answer::RunOptions;
/// let options = RunOptions::until(8.0).law("exact");
/// assert_eq!(options.laws, ["exact"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(clippy::struct_excessive_bools, reason = "each is wanted or not, whatever the others are")]
pub struct RunOptions {
    /// Until when \[s\].
    pub until: Option<f64>,
    /// By force laws or by impulses.
    pub method: Option<ContactTreatment>,
    /// Relative error of a step.
    pub tolerance: Option<f64>,
    /// The law of every contact, one run for each; none for those of the file.
    pub laws: Vec<String>,
    /// The law of impulses.
    pub impact: Option<String>,
    /// Whether every sample of the engine is kept, instead of those that a drawing needs.
    pub all_samples: bool,
    /// Whether the columns have the poses of all bodies.
    pub poses: bool,
    /// Whether the columns have the forces and moments of all joints and closures.
    pub reactions: bool,
    /// Whether each impact has the greatest reactions of joints and closures, which `reactions` asks for as well. Their search costs more
    /// than the rest of a run where joints are many.
    pub joint_peaks: bool,
    /// Steps that each run may take, ten million unless given. A run that has used them up stops, says why, and can be gone on with.
    pub max_steps: Option<usize>,
    /// Seconds that the computation of each run may take; any number of them unless given.
    pub max_time: Option<f64>,
}

/// Why a run cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A law that is not in the catalogue.
    #[error("--law: {0}")]
    NoSuchLaw(LawError),
    /// A force law for a run by impulses.
    #[error("--law goes with force laws: add --method continuous, or leave it out")]
    LawOfImpulses,
    /// An impact law for a run by force laws.
    #[error("--impact goes with impulses: add --method piecewise, or leave it out")]
    ImpactOfForces,
    /// The machine cannot be evaluated at its start.
    #[error(transparent)]
    Dynamics(#[from] DynamicsError),
    /// The file and the options do not make a run.
    #[error(transparent)]
    Simulate(#[from] SimulateError),
}

impl RunError {
    /// The message with the place in the file.
    pub fn explain(&self, opened: &Opened) -> String {
        match self {
            Self::Dynamics(error) => opened.loaded.explain_dynamics(error),
            Self::Simulate(error) => opened.loaded.explain_simulation(error),
            other => other.to_string(),
        }
    }
}

impl RunOptions {
    /// Until this time \[s\].
    pub fn until(t: f64) -> Self {
        Self { until: Some(t), ..Self::default() }
    }

    /// The same with another law for every contact; several are compared.
    pub fn law(mut self, name: &str) -> Self {
        if !self.laws.iter().any(|law| law == name) {
            self.laws.push(name.to_owned());
        }
        self
    }

    /// The same by force laws or by impulses.
    pub fn method(self, method: ContactTreatment) -> Self {
        Self { method: Some(method), ..self }
    }

    /// The same with another relative error of a step.
    pub fn tolerance(self, tolerance: f64) -> Self {
        Self { tolerance: Some(tolerance), ..self }
    }

    /// One scenario for each law, or one with the laws of the file. All that can be refused is refused here.
    pub fn scenarios(&self, opened: &Opened) -> Result<Vec<(Option<String>, Scenario)>, RunError> {
        for law in &self.laws {
            catalogue::find(law).map_err(RunError::NoSuchLaw)?;
        }
        let mut mechanism = Mechanism::new(opened.model());
        let at = mechanism.at(&opened.assembled.state)?;
        let laws: Vec<Option<String>> = match self.laws.as_slice() {
            [] => vec![None],
            laws => laws.iter().cloned().map(Some).collect(),
        };
        let mut out = Vec::with_capacity(laws.len());
        for law in laws {
            let wishes = Wishes {
                until: self.until,
                treatment: self.method,
                tolerance: self.tolerance,
                law: law.clone(),
                impact: self.impact.clone(),
                first_of: None,
            };
            let mut scenario = Scenario::new(&at, &wishes)?;
            scenario.samples_all = self.all_samples;
            scenario.reactions = self.reactions;
            scenario.joint_peaks = self.joint_peaks || self.reactions;
            scenario.budget.steps = self.max_steps.unwrap_or(MAX_STEPS);
            scenario.budget.time = self.max_time;
            scenario.budget.check()?;
            if law.is_some() && scenario.treatment == ContactTreatment::Piecewise {
                return Err(RunError::LawOfImpulses);
            }
            if self.impact.is_some() && scenario.treatment == ContactTreatment::Continuous {
                return Err(RunError::ImpactOfForces);
            }
            out.push((law, scenario));
        }
        Ok(out)
    }
}

/// FNV-1a of the file, its edits and what was chosen beside, the duration apart.
pub(super) fn inputs(opened: &Opened, sets: &[(String, String)], scenario: &Scenario) -> String {
    let mut parts = vec![opened.loaded.source.text().to_owned()];
    parts.extend(sets.iter().map(|(path, value)| format!("{path}={value}")));
    parts.push(scenario.treatment.name().to_owned());
    parts.push(scenario.impact_law.name().to_owned());
    parts.push(format!("{:x}", scenario.tolerance.to_bits()));
    let laws = scenario.contacts.iter().filter_map(|c| c.law.as_ref());
    parts.extend(laws.map(|law| law.name().to_owned()));
    format!("fnv1a64:{:016x}", fnv1a(parts.iter().map(String::as_str)))
}
