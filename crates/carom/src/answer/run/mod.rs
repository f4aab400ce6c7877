//! What `run` answers: every impact, contact and event of a motion, its energies, and its columns over time.

mod checkpoint;
mod columns;
mod compare;
mod impact;
mod judge;
mod options;
mod stay;

pub use checkpoint::CheckpointError;
pub use columns::{Column, ContactColumns, RunColumns};
pub use compare::{Comparison, Spread};
pub use impact::{JointLoad, PointImpact, RunImpact};
pub use options::{RunError, RunOptions};
pub use stay::RunStay;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::{Caution, Head, StateAnswer, grouped};
use crate::contact::catalogue;
use crate::dynamics::DynamicsError;
use crate::file::Opened;
use crate::model::{ContactTreatment, ContactUnits, Model};
use crate::simulate::{Ledger, Outcome, Scenario, SimulateError, Spot};

/// One run of the engine: what was asked and what came out.
#[derive(Clone, Debug)]
pub struct Ran {
    /// The law that was asked for instead of the file's.
    pub law: Option<String>,
    /// What was asked.
    pub scenario: Scenario,
    /// What came out.
    pub outcome: Outcome,
    /// Why it stopped before its end, if it did.
    pub stopped: Option<SimulateError>,
}

/// The answer of `run`: one result per law, and the laws compared.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RunAnswer {
    /// Which program, which file, with which edits.
    #[serde(flatten)]
    pub head: Head,
    /// What a user must know to trust the answer.
    pub cautions: Vec<Caution>,
    /// One result per law; one if the laws are the file's.
    pub runs: Vec<RunResult>,
    /// Impact by impact under all laws; empty for one run.
    pub comparison: Vec<Comparison>,
}

/// One run under one choice of laws.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RunResult {
    /// A hash of everything that went in, the duration apart.
    pub inputs: String,
    /// The law asked for instead of the file's.
    pub law: Option<String>,
    /// The law of every contact; `null` where velocities jump.
    pub laws: BTreeMap<String, Option<String>>,
    /// `continuous` (force laws) or `piecewise` (impulses).
    pub method: String,
    /// The impact law of a piecewise run.
    pub impact_law: Option<String>,
    /// Until when it was to run \[s\].
    pub until: f64,
    /// Relative error of a step.
    pub tolerance: f64,
    /// The least approach speed that laws divide by \[m/s\].
    pub least_onset_speed: f64,
    /// Why it stopped before its end, with the place in the file.
    pub stopped: Option<String>,
    /// Whether it stopped because drives close a contact that cannot separate: the impact energy T_c is unbounded.
    pub unbounded: bool,
    /// The drives that would have to stop then.
    pub drives: Vec<String>,
    /// The event of the file that ended it.
    pub ended_by: Option<String>,
    /// The last state.
    pub state: StateAnswer,
    /// Where the energy was and went.
    pub ledger: RunLedger,
    /// The largest gap of a closure that a projection found \[m or rad\].
    pub closure_gap: f64,
    /// What it took.
    pub counts: RunCounts,
    /// The impacts, by onset.
    pub impacts: Vec<RunImpact>,
    /// Contacts that stayed: rigid ones, and those under a force law that touched without closing when the run began.
    pub stays: Vec<RunStay>,
    /// The least gap of a run in which nothing touched.
    pub least_gap: Option<RunGap>,
    /// Events of contacts and of the file, in the order of time.
    pub events: Vec<RunEvent>,
    /// The motion and the contacts over time; `null` in a summary.
    pub columns: Option<RunColumns>,
}

/// Energies of one moment \[J\].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Energies {
    /// T.
    pub kinetic: f64,
    /// V.
    pub potential: f64,
    /// Elastic energy of contacts that touch.
    pub contact_elastic: f64,
    /// Lost in contacts with force laws.
    pub contact_loss: f64,
    /// Lost in impulses.
    pub impulse_loss: f64,
    /// Lost in friction of contacts.
    pub friction_loss: f64,
    /// Lost in dampers.
    pub damper_loss: f64,
    /// Work of forces, torques and efforts.
    pub load_work: f64,
    /// Work of drives.
    pub drive_work: f64,
    /// Energy that projecting onto closures took away.
    pub projection_loss: f64,
    /// What has to stay constant: all that is there and was lost, less the works.
    pub balance: f64,
}

impl Energies {
    fn new(ledger: &Ledger) -> Self {
        Self {
            kinetic: ledger.kinetic,
            potential: ledger.potential,
            contact_elastic: ledger.contact_elastic,
            contact_loss: ledger.contact_loss,
            impulse_loss: ledger.impulse_loss,
            friction_loss: ledger.friction_loss,
            damper_loss: ledger.damper_loss,
            load_work: ledger.load_work,
            drive_work: ledger.drive_work,
            projection_loss: ledger.projection_loss,
            balance: ledger.balance(),
        }
    }

    /// Its lines, by the names that the columns have; the balance is the last.
    pub fn lines(&self) -> [(&'static str, f64); 11] {
        let [a, b, c, d, e, f, g, h, i, j] = Ledger::NAMES;
        [
            (a, self.kinetic),
            (b, self.potential),
            (c, self.contact_elastic),
            (d, self.contact_loss),
            (e, self.impulse_loss),
            (f, self.friction_loss),
            (g, self.damper_loss),
            (h, self.load_work),
            (i, self.drive_work),
            (j, self.projection_loss),
            ("balance", self.balance),
        ]
    }
}

/// What a run took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RunCounts {
    /// Accepted steps.
    pub steps: usize,
    /// Steps tried in vain.
    pub rejected: usize,
    /// Right-hand sides of the integrator.
    pub right_hand_sides: usize,
    /// States looked at for events and output.
    pub observations: usize,
}

impl RunCounts {
    fn new(out: &Outcome) -> Self {
        let c = &out.counts;
        Self {
            steps: c.steps,
            rejected: c.rejected,
            right_hand_sides: c.evaluations,
            observations: c.observations,
        }
    }
}

/// Where the energy of a run was and went.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RunLedger {
    /// At the first moment; `null` if there is none.
    pub begin: Option<Energies>,
    /// At the last moment.
    pub end: Option<Energies>,
    /// The largest departure of the balance from its beginning \[J\].
    pub drift: f64,
    /// The largest energy of the run \[J\], V counted from its least value.
    pub largest_energy: f64,
    /// The drift divided by the largest energy.
    pub relative_drift: f64,
}

/// How near two bodies came that did not touch.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RunGap {
    /// The name of the point: that of the contact, with a number where it has several points.
    pub name: String,
    /// The contact.
    pub contact: String,
    /// Which of its points, from 1.
    pub point: usize,
    /// The side that would strike and the one that would be struck: a body, a shape of the ground, `the ground` or `its stop`.
    pub between: [String; 2],
    /// The gap \[m\].
    pub gap: f64,
    /// When it was the least \[s\].
    pub t: f64,
    /// What the contact measures in.
    pub units: ContactUnits,
}

/// Something that happened at an instant.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RunEvent {
    /// When \[s\].
    pub t: f64,
    /// The contact, of an event of a contact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact: Option<String>,
    /// Which of its points, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point: Option<usize>,
    /// The event of the file, of one of those.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// `onset`, `parting`, `impulse` … of a contact; `rises` or `falls` of an event of the file.
    pub kind: String,
    /// Of impacts that accumulate: when they would all have happened \[s\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accumulation: Option<f64>,
}

impl RunAnswer {
    /// Of runs of an opened file.
    pub fn new(
        opened: &Opened,
        sets: &[(String, String)],
        ran: &[Ran],
        options: &RunOptions,
    ) -> Result<Self, DynamicsError> {
        let mut cautions = super::judge::of_file(opened);
        let mut runs = Vec::with_capacity(ran.len());
        for one in ran {
            cautions.extend(judge::of_run(opened, one));
            runs.push(RunResult::new(opened, sets, one, options)?);
        }
        let comparison = compare::of(&runs);
        Ok(Self { head: Head::new(opened, sets), cautions: grouped(cautions), runs, comparison })
    }

    /// The same without what changes over time.
    pub fn summary(&self) -> Self {
        let runs = self.runs.iter().map(|run| RunResult { columns: None, ..run.clone() }).collect();
        Self { runs, ..self.clone() }
    }

    /// The hardest impact of all runs, by its peak force or its impulse, with its run.
    pub fn hardest(&self) -> Option<(&RunResult, &RunImpact)> {
        let all = self.runs.iter().filter_map(|run| run.hardest().map(|(_, i)| (run, i)));
        all.reduce(|best, next| if next.1.size() > best.1.size() { next } else { best })
    }

    /// The least and the greatest of the hardest impacts of the runs, in the unit of their peak force or impulse.
    pub fn hardest_range(&self) -> Option<(f64, f64)> {
        let mut each = self.runs.iter().filter_map(RunResult::hardest).map(|(_, i)| i.size());
        let first = each.next()?;
        Some(each.fold((first, first), |(a, b), x| (a.min(x), b.max(x))))
    }

    /// The contact that stays with the greatest force.
    pub fn strongest_stay(&self) -> Option<&RunStay> {
        let all = self.runs.iter().flat_map(|run| &run.stays);
        all.reduce(|a, b| if b.peak_force > a.peak_force { b } else { a })
    }

    /// Whether every run came to its end and no caution forbids to use the answer.
    pub fn is_sound(&self) -> bool {
        let error = |c: &Caution| c.severity == super::Severity::Error;
        self.runs.iter().all(|run| run.stopped.is_none()) && !self.cautions.iter().any(error)
    }
}

impl RunResult {
    fn new(
        opened: &Opened,
        sets: &[(String, String)],
        ran: &Ran,
        options: &RunOptions,
    ) -> Result<Self, DynamicsError> {
        let model = opened.model();
        let (scenario, out) = (&ran.scenario, &ran.outcome);
        let laws = model.contacts.iter().zip(&scenario.contacts).map(|(contact, plan)| {
            (contact.name.clone(), plan.law.as_ref().map(|law| law.name().to_owned()))
        });
        let rigid = scenario.treatment == ContactTreatment::Piecewise;
        Ok(Self {
            inputs: options::inputs(opened, sets, scenario),
            law: ran.law.clone(),
            laws: laws.collect(),
            method: scenario.treatment.name().to_owned(),
            impact_law: rigid.then(|| scenario.impact_law.name().to_owned()),
            until: scenario.until,
            tolerance: scenario.tolerance,
            least_onset_speed: scenario.least_onset_speed,
            stopped: ran.stopped.as_ref().map(|error| reason(opened, error)),
            unbounded: judge::unbounded_by(ran).is_some(),
            drives: judge::unbounded_by(ran).unwrap_or_default().to_vec(),
            ended_by: out.ended_by.and_then(|k| model.events.get(k)).map(|e| e.name.clone()),
            state: StateAnswer::new(model, &out.state),
            ledger: judge::ledger(ran),
            closure_gap: out.closure_gap,
            counts: RunCounts::new(out),
            impacts: impact::all(model, ran),
            stays: stay::all(model, ran),
            least_gap: judge::least_gap(model, ran),
            events: events(model, out),
            columns: Some(RunColumns::new(model, ran, options)?),
        })
    }

    /// The formulas and sources of its contact laws, a sentence each.
    pub fn formulas(&self) -> Vec<String> {
        let mut told: Vec<String> = Vec::new();
        for (contact, law) in &self.laws {
            let Some(law) = law else { continue };
            let text = catalogue::find(law).map_or_else(
                |_| format!("Contact `{contact}`: a law of the file."),
                |entry| format!("Law `{}`: {} ({}).", entry.name, entry.formula, entry.source),
            );
            if !told.contains(&text) {
                told.push(text);
            }
        }
        told
    }

    /// Whether velocities jump at onsets.
    pub fn by_impulse(&self) -> bool {
        self.method == ContactTreatment::Piecewise.name()
    }

    /// T_c \[J\] of the impact that had most of it.
    pub fn greatest_impact_energy(&self) -> f64 {
        self.impacts.iter().map(|i| i.impact_energy).fold(0.0, f64::max)
    }

    /// The impact that hits hardest, by its peak force or its impulse, and its position.
    pub fn hardest(&self) -> Option<(usize, &RunImpact)> {
        let all = self.impacts.iter().enumerate();
        all.reduce(|best, next| if next.1.size() > best.1.size() { next } else { best })
    }
}

/// Why a run stopped, with the place in the file.
fn reason(opened: &Opened, error: &SimulateError) -> String {
    match error {
        SimulateError::Interrupted { .. } => "interrupted".to_owned(),
        SimulateError::Budget { what, cause, .. } => format!("{what} are used up; {cause}"),
        error => opened.loaded.explain_simulation(error),
    }
}

/// The name of a point among all points of a run.
fn spot_name(model: &Model, spots: &[Spot], spot: Spot) -> String {
    let count = spots.iter().filter(|s| s.contact == spot.contact).count();
    model.point_name(spot.contact, spot.point, count)
}

fn events(model: &Model, out: &Outcome) -> Vec<RunEvent> {
    let contacts = out.events.iter().map(|e| RunEvent {
        t: e.t,
        contact: Some(model.contacts[e.spot.contact].name.clone()),
        point: Some(e.spot.point + 1),
        event: None,
        kind: e.kind.name().to_owned(),
        accumulation: e.accumulation,
    });
    let own = out.user_events.iter().map(|e| RunEvent {
        t: e.t,
        contact: None,
        point: None,
        event: model.events.get(e.event).map(|e| e.name.clone()),
        kind: if e.rises { "rises" } else { "falls" }.to_owned(),
        accumulation: None,
    });
    let mut all: Vec<RunEvent> = contacts.chain(own).collect();
    all.sort_by(|a, b| a.t.total_cmp(&b.t));
    all
}
