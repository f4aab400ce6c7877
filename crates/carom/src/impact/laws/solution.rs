//! What a law answers: impulses, velocities, and all that is worth saying about them.

use crate::maths::cone::Uniqueness;

/// How friction was treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FrictionForm {
    /// No contact with an impulse has friction.
    #[default]
    Absent,
    /// One contact carries the impact: sliding, sticking and reversal are followed through the impulse, exactly.
    Process,
    /// Several contacts at once: the cone and the velocities at the end of the impact (or of its phases).
    Complementarity,
    /// One contact after the other, each by its process.
    Sequence,
}

/// How a contact ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ContactMode {
    /// No impulse.
    #[default]
    Open,
    /// An impulse, and no friction.
    Smooth,
    /// An impulse, and no tangential velocity at the end.
    Sticks,
    /// An impulse, sliding at the end in the direction of the beginning.
    Slides,
    /// Sliding that stopped during the impact and went the other way.
    Reverses,
}

/// What is worth saying about an impact. Flags count for the last pass unless said otherwise.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(clippy::struct_excessive_bools, reason = "each says one thing that may have happened")]
pub struct ImpactNotes {
    /// Name of the law that acted on each contact: another than the one asked for only inside `sequential-…`.
    pub acted: &'static str,
    /// How friction was treated.
    pub friction: FrictionForm,
    /// Contacts kept by the momentum test, (W⁺ u⁻)_i < 0 over the normals (Modarres Najafabadi et al.).
    pub kept: Vec<bool>,
    /// Contacts that got an impulse in the first pass.
    pub active: Vec<bool>,
    /// How each contact ended.
    pub modes: Vec<ContactMode>,
    /// How many other impulses and velocities would do.
    pub uniqueness: Uniqueness,
    /// Whether impulses are put together from the shortest ones of several phases or passes: then they are one possible set.
    pub one_of_many: bool,
    /// How many more passes a contact left closing has caused.
    pub repeats: usize,
    /// Single impacts, for a law that takes contacts one after the other.
    pub steps: usize,
    /// Steps at which two contacts closed equally fast and the first in order was taken: another order may end otherwise.
    pub ties: usize,
    /// Single impacts followed each other ever weaker, without end; they were counted until they no longer mattered.
    pub accumulated: bool,
    /// A contact whose normal impulse alone would, while it slides, draw the bodies together (Painlevé): its number.
    pub painleve: Option<usize>,
    /// Friction wedges a mechanism that can move no other way: nothing was given back.
    pub wedged: bool,
    /// The momentum test kept no contact although one closes; the complementarity's set was taken.
    pub guess_failed: bool,
    /// ½ pᵀ (u⁺ + u⁻) of all passes: the work of the contacts \[J\].
    pub contact_work: f64,
    /// Whether that work is positive beyond round-off: energy from nowhere.
    pub creates_energy: bool,
    /// Largest violation of the law's own conditions \[m/s\].
    pub residual: f64,
}

impl ImpactNotes {
    /// Whether other impulses give the same velocities and the shortest are given.
    pub fn are_shortest(&self) -> bool {
        self.uniqueness.impulses > 0
            && self.uniqueness.velocities == 0
            && !self.uniqueness.undecided
            && !self.one_of_many
    }

    /// Whether the momentum test and the solution name different contacts.
    pub fn sets_differ(&self) -> bool {
        self.kept != self.active
    }
}

/// Impulses and velocities after an impact, row by row as in the problem.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImpactSolution {
    /// p, of all passes together.
    pub impulses: Vec<f64>,
    /// u⁺.
    pub after: Vec<f64>,
    /// What is worth saying.
    pub notes: ImpactNotes,
}

impl ImpactSolution {
    /// Makes room for a problem, and forgets the last.
    pub(super) fn clear(&mut self, contacts: usize, rows: usize) {
        let zero = |list: &mut Vec<f64>| {
            list.clear();
            list.resize(rows, 0.0);
        };
        zero(&mut self.impulses);
        zero(&mut self.after);
        let mut notes = std::mem::take(&mut self.notes);
        for list in [&mut notes.kept, &mut notes.active] {
            list.clear();
            list.resize(contacts, false);
        }
        notes.modes.clear();
        notes.modes.resize(contacts, ContactMode::Open);
        self.notes = ImpactNotes {
            kept: notes.kept,
            active: notes.active,
            modes: notes.modes,
            ..ImpactNotes::default()
        };
    }
}
