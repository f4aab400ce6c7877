//! A machine after an impact by one law.

use schemars::JsonSchema;
use serde::Serialize;

use super::{BodyVelocity, components};
use crate::contact::{Approach, Resolution, Standing};
use crate::impact::laws::{ContactMode, FrictionForm, ImpactNotes, ImpactSolution};
use crate::impact::{Audit, Strike, Struck};
use crate::maths::Wrench;
use crate::maths::digits::{ROUND_OFF, clean};
use crate::model::{Joint, Model, Row};

/// Contact speeds below this fraction of the first ones are left where impacts that follow each other without end are cut off: closing speeds
/// below 1e-12, and what they give to other rows.
const SEQUENCE_LEFT: f64 = 1e-11;

/// A machine after an impact by one law.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[allow(clippy::struct_excessive_bools, reason = "what happened in an impact, each by its name")]
pub struct StruckAnswer {
    /// The law.
    pub law: String,
    /// p of every row, in the contacts' units.
    pub impulses: Vec<f64>,
    /// u⁺ of every row, in the contacts' units.
    pub u_after: Vec<f64>,
    /// v⁺.
    pub v_after: Vec<f64>,
    /// Velocities of the bodies after.
    pub bodies_after: Vec<BodyVelocity>,
    /// How each point ended: `open`, `rests` (it touches and got no impulse), `struck`, `sticks`, `slides`, `reverses`.
    pub modes: Vec<String>,
    /// The law that acted on each contact.
    pub acted: String,
    /// How friction was treated: `absent`, `process`, `complementarity`, `sequence`.
    pub friction: String,
    /// `unique`, `least-norm` or `not-unique`.
    pub impulses_unique: String,
    /// Whether other impulses and velocities meet the law as well.
    pub uniqueness: UniquenessAnswer,
    /// Points that the momentum test keeps.
    pub kept_by_momentum_test: Vec<bool>,
    /// Points that got an impulse in the first pass.
    pub active: Vec<bool>,
    /// Whether those differ.
    pub sets_differ: bool,
    /// Further passes because a contact was left closing.
    pub repeats: usize,
    /// Single impacts of a sequence.
    pub steps: usize,
    /// Steps at which two contacts closed equally fast.
    pub ties: usize,
    /// Whether single impacts followed each other without end.
    pub accumulated: bool,
    /// The point at which Painlevé's paradox occurs.
    pub painleve: Option<String>,
    /// Whether friction wedges the mechanism.
    pub wedged: bool,
    /// Whether the contacts do positive work.
    pub creates_energy: bool,
    /// The largest violation of the law's own conditions \[m/s\].
    pub law_residual: f64,
    /// Reaction impulses of the joints.
    pub joints: Vec<JointImpulse>,
    /// Reaction impulses of the closures.
    pub closures: Vec<ClosureImpulse>,
    /// Impulses of the drives.
    pub drives: Vec<DriveImpulse>,
    /// What must hold, and by how much it does.
    pub audit: Audit,
}

/// Whether other impulses and velocities meet an impact law as well.
///
/// Judged by the rank of the law's equations at the answer. Velocities called unique are so locally: with friction other isolated
/// answers may exist.
#[allow(clippy::struct_excessive_bools, reason = "each answers a question of its own")]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct UniquenessAnswer {
    /// Whether no other impulses give the same velocities.
    pub impulses: bool,
    /// Whether no other velocities near these meet the law.
    pub velocities: bool,
    /// Whether round-off could change one of these verdicts, or the choice among many answers.
    pub undecided: bool,
    /// Whether other answers are ruled out, those apart from this one included. Coulomb's law may have several isolated answers: where this is false,
    /// `impulses` and `velocities` speak of the neighbourhood of this one.
    pub only_answer: bool,
    /// Independent directions in which impulses may change while velocities stay.
    pub free_impulses: usize,
    /// Independent directions in which velocities may change.
    pub free_velocities: usize,
    /// Factor between what counts as nonzero and what as zero in that rank; none where nothing had to be decided.
    pub rank_gap: Option<f64>,
}

impl UniquenessAnswer {
    fn new(notes: &ImpactNotes) -> Self {
        let found = &notes.uniqueness;
        Self {
            impulses: found.impulses + found.velocities == 0,
            velocities: found.velocities == 0,
            undecided: found.undecided,
            only_answer: found.proved && found.impulses + found.velocities == 0,
            free_impulses: found.impulses,
            free_velocities: found.velocities,
            rank_gap: Some(found.gap).filter(|gap| gap.is_finite()),
        }
    }
}

/// The reaction impulse of a joint.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct JointImpulse {
    /// The joint.
    pub joint: String,
    /// What it transmits to its body, about the link origin in world axes.
    pub on_body: WrenchImpulse,
    /// Whether it is the only one in balance with the velocities after.
    pub unique: bool,
    /// Whether the joint can transmit a moment; a pin that is not driven cannot, and its moment is zero whatever else is not unique.
    pub transmits_moment: bool,
}

/// An impulse and its moment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WrenchImpulse {
    /// \[N m s\].
    pub moment: [f64; 3],
    /// \[N s\].
    pub force: [f64; 3],
}

impl From<&Wrench> for WrenchImpulse {
    fn from(w: &Wrench) -> Self {
        Self { moment: components(&w.moment), force: components(&w.force) }
    }
}

/// The reaction impulses of a closure.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ClosureImpulse {
    /// The closure.
    pub closure: String,
    /// σ of its rows.
    pub impulses: Vec<f64>,
    /// The unit of each row's σ.
    pub units: Vec<String>,
    /// Whether they are the only ones in balance with the velocities after.
    pub unique: bool,
}

/// The impulse of a drive.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DriveImpulse {
    /// The drive.
    pub drive: String,
    /// \[N s or N m s\].
    pub impulse: f64,
}

impl StruckAnswer {
    /// Of an impact; `unique` says of joints, then of closures whether their reactions are.
    pub(super) fn new(law: &str, strike: &Strike<'_>, struck: &Struck, unique: &[bool]) -> Self {
        let at = strike.at();
        let model = at.model();
        let (solution, notes) = (&struck.solution, &struck.solution.notes);
        let largest = |list: &[f64]| list.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let (speed, blow) = (largest(&strike.u), largest(&solution.impulses));
        let cleaned = |list: &[f64], size: f64| list.iter().map(|x| clean(*x, size)).collect();
        // A sequence without end was cut off: what is left of its speeds is zero.
        let left = if notes.accumulated { SEQUENCE_LEFT * speed } else { 0.0 };
        let after: Vec<f64> =
            solution.after.iter().map(|u| if u.abs() <= left { 0.0 } else { *u }).collect();
        let joints = model.bodies.iter().zip(&struck.joints).zip(unique).map(|((body, w), u)| {
            JointImpulse {
                joint: body.joint.name.clone(),
                on_body: w.into(),
                unique: *u,
                transmits_moment: transmits_moment(model, &body.joint),
            }
        });
        let of_closures = unique.iter().skip(model.bodies.len());
        let mut rest = struck.multipliers.iter().copied();
        let closures = model.closures.iter().zip(of_closures).map(|(closure, u)| ClosureImpulse {
            closure: closure.name.clone(),
            impulses: rest.by_ref().take(closure.rows.len()).collect(),
            units: closure.rows.iter().map(|row| unit(model, row).to_owned()).collect(),
            unique: *u,
        });
        let drives = model.drives.iter().zip(&struck.drives);
        Self {
            law: law.to_owned(),
            impulses: cleaned(&solution.impulses, blow),
            u_after: cleaned(&after, speed),
            v_after: struck.velocities.clone(),
            bodies_after: BodyVelocity::after(&at, &struck.velocities),
            modes: (0..notes.modes.len()).map(|k| mode(strike, solution, k).to_owned()).collect(),
            acted: notes.acted.to_owned(),
            friction: friction(notes.friction).to_owned(),
            impulses_unique: impulses_unique(notes).to_owned(),
            uniqueness: UniquenessAnswer::new(notes),
            kept_by_momentum_test: notes.kept.clone(),
            active: notes.active.clone(),
            sets_differ: notes.sets_differ(),
            repeats: notes.repeats,
            steps: notes.steps,
            ties: notes.ties,
            accumulated: notes.accumulated,
            painleve: notes.painleve.map(|k| strike.points[k].name.clone()),
            wedged: notes.wedged,
            creates_energy: notes.creates_energy,
            law_residual: notes.residual,
            joints: joints.collect(),
            closures: closures.collect(),
            drives: drives
                .map(|(d, x)| DriveImpulse { drive: d.name.clone(), impulse: *x })
                .collect(),
            audit: struck.audit.cleaned(),
        }
    }

    /// The largest impulse: what round-off of impulses is told by.
    pub fn largest_impulse(&self) -> f64 {
        self.impulses.iter().fold(0.0, |m, x| m.max(x.abs()))
    }

    /// Whether a joint transmits nothing beyond the round-off of impulses of this size.
    pub fn is_idle(&self, joint: usize, largest: f64) -> bool {
        self.joints.get(joint).is_none_or(|j| {
            let all = j.on_body.force.iter().chain(&j.on_body.moment);
            all.fold(0.0_f64, |m, x| m.max(x.abs())) <= ROUND_OFF * largest
        })
    }
}

fn friction(form: FrictionForm) -> &'static str {
    match form {
        FrictionForm::Absent => "absent",
        FrictionForm::Process => "process",
        FrictionForm::Complementarity => "complementarity",
        FrictionForm::Sequence => "sequence",
    }
}

fn impulses_unique(notes: &ImpactNotes) -> &'static str {
    match notes.uniqueness.impulses + notes.uniqueness.velocities {
        0 => "unique",
        _ if notes.are_shortest() => "least-norm",
        _ => "not-unique",
    }
}

/// Whether a joint can transmit a moment: not all rotations of the space are free in it, or one is locked or driven.
fn transmits_moment(model: &Model, joint: &Joint) -> bool {
    let driven = || model.drives.iter().any(|drive| joint.velocities().contains(&drive.v));
    let free = (0..joint.kind.velocities()).filter(|c| joint.kind.is_angular(*c)).count();
    joint.locked || driven() || free < if model.is_planar() { 1 } else { 3 }
}

/// The unit of the impulse of a closure's row. Coefficients of a coupling are plain numbers: the term with the coefficient ±1 has the unit
/// of its sum, or else the first one.
fn unit(model: &Model, row: &Row) -> &'static str {
    let angular = match row {
        Row::InPlane { .. } | Row::Distance { .. } => false,
        Row::Perpendicular { .. } => true,
        Row::Coupling { terms, .. } => {
            let plain = terms.iter().find(|term| term.coefficient.abs() == 1.0);
            plain.or(terms.first()).is_some_and(|term| {
                let joint = &model.bodies[term.body.index()].joint;
                joint.kind.is_angular(term.v - joint.velocities().start)
            })
        }
    };
    if angular { "N m s" } else { "N s" }
}

/// How a point ended.
fn mode(strike: &Strike<'_>, solution: &ImpactSolution, k: usize) -> &'static str {
    match solution.notes.modes[k] {
        ContactMode::Open if rests(strike, solution, k) => "rests",
        ContactMode::Open => "open",
        ContactMode::Smooth => "struck",
        ContactMode::Sticks => "sticks",
        ContactMode::Slides => "slides",
        ContactMode::Reverses => "reverses",
    }
}

/// Whether a point touches and neither closes nor separates after the impact.
fn rests(strike: &Strike<'_>, solution: &ImpactSolution, k: usize) -> bool {
    let (at, point) = (strike.at(), &strike.points[k]);
    let row = &strike.rows[point.row];
    let resolution = Resolution::new(&at, point.contact, &point.touch, row);
    let motion = resolution.approach(true, at.settled_mobility(row), solution.after[point.row]);
    point.standing == Standing::Touching && motion == Approach::Resting
}
