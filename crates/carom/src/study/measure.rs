//! What is measured at one point: a standing model is assessed, struck or run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::evaluate::{Lack, PointError};
use super::plan::Study;
use super::quantity::{COUNT, QUANTITIES, place};
use super::ran::ran;
use super::strike::struck;
use crate::contact::{Approach, check_laws, check_standing, stand_again};
use crate::dynamics::{Assembler, Mechanism, Posture, RowWork};
use crate::impact::{
    Assessment, AssessmentError, ImpactRows, LoneRow, Options, RowAssessment, elastic_peak,
};
use crate::maths::digits::clean;
use crate::model::study::Action;
use crate::model::{Change, Draft, Model, Recipe};
use crate::simulate::{Outcome, Scenario, SimulateError, Wishes, simulate_with};

/// What was measured: by quantity, and why others are missing.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    pub values: [Option<f64>; COUNT],
    pub why: String,
    /// What others lack.
    pub lack: Lack,
    /// The least gap of a contact that does not touch; NaN otherwise.
    pub least_gap: f64,
    /// Whether drives move: then T depends on the frame, and T_a and ξ have no meaning.
    pub driven: bool,
}

impl Measured {
    /// Nothing yet, of a machine with these velocities.
    pub fn new(model: &Model, v: &[f64]) -> Self {
        let driven = model.drives.iter().any(|drive| v[drive.v] != 0.0);
        let (lack, least_gap) = (Lack::Other, f64::NAN);
        Self { values: [None; COUNT], why: String::new(), lack, least_gap, driven }
    }

    /// Why there is no quantity of this name.
    pub fn why(self, name: &str) -> String {
        if self.driven && ["admissible_energy", "share"].contains(&name) {
            "a drive moves, so that T depends on the frame, and T_a = T - T_c and T_c / T say nothing".to_owned()
        } else {
            self.why
        }
    }

    pub fn put(&mut self, name: &str, value: impl Into<Option<f64>>) {
        if let Some(at) = QUANTITIES.iter().position(|q| q.name == name) {
            self.values[at] = value.into();
        }
    }
}

/// What is to be measured beside the core of an assessment.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub(super) struct Wanted {
    /// What the contact's law predicts.
    prediction: bool,
    apparent_masses: bool,
    /// Of a run no more than the first impact of the contact.
    first_impact: bool,
    /// Whatever there is.
    everything: bool,
}

impl Wanted {
    /// What the measures of a study need.
    pub fn new(study: &Study) -> Self {
        let needs = |name: &&str| study.needs.has(name);
        let apparent_masses = ["apparent_mass_i", "apparent_mass_j"].iter().any(needs);
        let prediction = OF_LAW.iter().any(needs);
        let first_impact = !study.needs.iter().any(|k| QUANTITIES[k].is_of_whole_run());
        Self { prediction, apparent_masses, first_impact, everything: false }
    }

    /// All of it.
    pub fn everything(study: &Study) -> Self {
        Self { everything: true, first_impact: false, ..Self::new(study) }
    }
}

/// A standing model and the memory of its evaluations.
#[derive(Clone, Debug)]
pub(super) struct Bench {
    model: Model,
    assembler: Assembler,
    work: RowWork,
}

impl Bench {
    /// A model that has been built anew.
    pub fn standing(mut model: Model) -> Result<Self, PointError> {
        check_standing(&model)?;
        let mut assembler = Assembler::new(&model);
        stand_again(&mut model, &mut assembler)?;
        let work = RowWork::new(assembler.posture(&model).layout());
        Ok(Self { model, assembler, work })
    }

    /// What the study asks for.
    pub fn measure(
        mut self,
        study: &Study,
        wanted: Wanted,
        stop: Option<&AtomicBool>,
    ) -> Result<Measured, PointError> {
        measure(study, wanted, stop, (&self.model, &self.assembler), &mut self.work)
    }
}

/// The model of a compiled study, changed from point to point, and memory that is kept from one to the next.
#[derive(Clone, Debug)]
pub(super) struct CompiledBench {
    draft: Draft,
    change: Change,
    assembler: Assembler,
    work: RowWork,
}

impl CompiledBench {
    /// Memory for a recipe; none if its model cannot stand at any point.
    pub fn new(recipe: &Arc<Recipe>) -> Option<Self> {
        let draft = Draft::new(recipe)?;
        check_standing(draft.model()).ok()?;
        let assembler = Assembler::new(draft.model());
        let work = RowWork::new(assembler.posture(draft.model()).layout());
        Some(Self { draft, change: recipe.change(), assembler, work })
    }

    /// Gives the variables their values in SI units; false if the recipe does not hold there.
    pub fn set(&mut self, variables: &[f64]) -> bool {
        self.draft.set(variables)
    }

    /// The model as it is, not yet assembled.
    pub fn model(&self) -> &Model {
        self.draft.model()
    }

    /// Assembles the model and measures what the study asks for.
    pub fn measure(
        &mut self,
        study: &Study,
        wanted: Wanted,
        stop: Option<&AtomicBool>,
    ) -> Result<Measured, PointError> {
        let Self { draft, change, assembler, work } = self;
        if change.contacts {
            check_laws(draft.model())?;
        }
        assembler.renew(draft.model(), *change);
        stand_again(draft.model_mut(), assembler)?;
        measure(study, wanted, stop, (draft.model(), assembler), work)
    }
}

/// Measures what the study asks for; a run ends at its next step as soon as `stop` is set.
fn measure(
    study: &Study,
    wanted: Wanted,
    stop: Option<&AtomicBool>,
    (model, assembler): (&Model, &Assembler),
    work: &mut RowWork,
) -> Result<Measured, PointError> {
    let at = assembler.posture(model);
    let contact = model.contact(&study.contact).unwrap_or(0);
    match study.action {
        Action::Assess if wanted.prediction || wanted.everything => {
            assess(&at, contact, wanted.prediction)
        }
        Action::Assess => match LoneRow::new(&at, contact, work)? {
            Some(lone) => Ok(alone(&at, &lone, wanted)),
            None => assess(&at, contact, false),
        },
        Action::Impact => struck(&at, contact),
        Action::Run => {
            let first_of = wanted.first_impact.then_some(contact);
            let mut scenario = Scenario::new(&at, &Wishes { first_of, ..Wishes::default() })?;
            // No measure of a study is a joint reaction.
            (scenario.samples, scenario.peaks) = (1, false);
            let goes_on = || stop.is_none_or(|stop| !stop.load(Ordering::Relaxed));
            match simulate_with(model, assembler.state(), &scenario, &mut |_| goes_on()) {
                Ok(outcome) => Ok(ran(&at, contact, &outcome, scenario.until)),
                Err(stopped) if stopped.reason.unbounded_by().is_some() => {
                    let mut out = Measured::new(model, at.state().v.as_slice());
                    let outcome = stopped.outcome.as_deref();
                    let before = outcome.and_then(|o| Some(o.samples.last()?.ledger.kinetic));
                    out.put("onset", outcome.map(|o| o.state.t));
                    unbounded(&mut out, before.unwrap_or_else(|| at.kinetic_energy()));
                    blocked(&mut out, model, contact, outcome)?;
                    out.why = stopped.reason.to_string();
                    Ok(out)
                }
                Err(stopped) => Err(SimulateError::from(stopped).into()),
            }
        }
    }
}

/// The core of an assessment of a contact with one row.
fn alone(at: &Posture<'_>, lone: &LoneRow, wanted: Wanted) -> Measured {
    let mut out = Measured::new(at.model(), at.state().v.as_slice());
    let values = &mut out.values;
    let (T, T_c) = (lone.kinetic_energy, lone.impact_energy);
    values[const { place("gap") }] = Some(lone.point.gap);
    values[const { place("effective_mass") }] = Some(lone.effective.mass);
    values[const { place("approach_speed") }] = Some(0.0 - lone.effective.rate);
    values[const { place("impact_energy") }] = Some(T_c);
    values[const { place("kinetic_energy") }] = Some(T);
    if !out.driven {
        values[const { place("admissible_energy") }] = Some(clean(T - T_c, T).max(0.0));
        values[const { place("share") }] = Some(if T > 0.0 { (T_c / T).min(1.0) } else { 0.0 });
    }
    if wanted.apparent_masses {
        let apparent = ImpactRows::apparent(at, &lone.row);
        values[const { place("apparent_mass_i") }] = Some(apparent.i);
        values[const { place("apparent_mass_j") }] = Some(apparent.j);
    }
    out
}

/// The core of an assessment, of the point with the most energy.
fn assess(at: &Posture<'_>, contact: usize, predicts: bool) -> Result<Measured, PointError> {
    let core =
        |prediction| Assessment::new(at, contact, &Options { prediction, ..Options::default() });
    let mut why = String::new();
    let found = match core(predicts) {
        // A law or a stiffness without an answer leaves the other measures as they are.
        Err(error @ (AssessmentError::Law { .. } | AssessmentError::Stiffness(_))) => {
            why = error.to_string();
            Assessment::without_law(at, contact)?
        }
        found => found?,
    };
    let mut out = Measured { why, ..Measured::new(at.model(), at.state().v.as_slice()) };
    if !out.why.is_empty() {
        out.lack = Lack::Law;
    }
    let Some(row) = found.hardest() else {
        let (quantity, why) = ("effective_mass", "the contact has no point here".to_owned());
        return Err(PointError::Missing { quantity, why, lack: Lack::Contact, gap: f64::NAN });
    };
    let effective = &row.effective;
    out.put("gap", row.point.gap);
    out.put("effective_mass", effective.mass);
    out.put("approach_speed", 0.0 - effective.rate);
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
        if row.approach != Approach::Closing {
            (out.lack, out.least_gap) = (Lack::Contact, row.point.gap);
        }
        return;
    }
    out.put("elastic_peak", row.elastic_peak);
    let Some(prediction) = &row.prediction else {
        out.lack = Lack::Law;
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

/// T, T_a and ξ; the latter two where no drive moves: then T_c ≤ T but for round-off.
pub(super) fn energies(out: &mut Measured, total: f64, of_impact: f64) {
    out.put("kinetic_energy", total);
    if !out.driven {
        out.put("admissible_energy", clean(total - of_impact, total).max(0.0));
        out.put("share", if total > 0.0 { (of_impact / total).min(1.0) } else { 0.0 });
    }
}

/// Of contacts that drives close although they cannot separate: what grows without bound.
pub(super) fn unbounded(out: &mut Measured, total: f64) {
    for name in ["impact_energy", "impulse", "peak_force", "largest_force"] {
        out.put(name, f64::INFINITY);
    }
    energies(out, total, f64::INFINITY);
}

/// m_eff and the speed of the contact where drives stopped a run.
fn blocked(
    out: &mut Measured,
    model: &Model,
    contact: usize,
    outcome: Option<&Outcome>,
) -> Result<(), PointError> {
    let Some(outcome) = outcome else { return Ok(()) };
    let mut mechanism = Mechanism::new(model);
    let found = Assessment::without_law(&mechanism.at(&outcome.state)?, contact)?;
    if let Some(row) = found.hardest() {
        out.put("effective_mass", row.effective.mass);
        out.put("approach_speed", 0.0 - row.effective.rate);
    }
    Ok(())
}
