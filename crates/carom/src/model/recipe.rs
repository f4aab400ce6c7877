//! How the numbers of a model follow from the variables of a study.

use super::numbers::Item;
use super::parts::Parts;
use crate::maths::expression::Tape;

/// Which numbers of a model changed while all else stays as it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each names one kind of numbers")]
pub struct Change {
    /// Masses, inertias and rotors.
    pub bodies: bool,
    /// Where joints stand on the bodies that carry them.
    pub joints: bool,
    /// Closures, and points that are held at a position.
    pub rows: bool,
    /// Contacts and their laws.
    pub contacts: bool,
}

impl Change {
    /// What a place in the parts changes.
    fn of(item: Item) -> Self {
        let none = Self::default();
        match item {
            Item::Body(_) => Self { bodies: true, ..none },
            // A rotor stands beside the place of its joint.
            Item::Joint(_) => Self { bodies: true, joints: true, ..none },
            Item::Link(_) => Self { bodies: true, joints: true, rows: true, contacts: true },
            Item::Closure(_) | Item::Marker(_) | Item::Place(_) => Self { rows: true, ..none },
            Item::Contact(_) => Self { contacts: true, ..none },
            Item::Gravity
            | Item::State(_)
            | Item::Shape(_)
            | Item::Load(_)
            | Item::Velocity(_)
            | Item::Energy => none,
        }
    }

    /// Both.
    fn and(self, other: Self) -> Self {
        Self {
            bodies: self.bodies || other.bodies,
            joints: self.joints || other.joints,
            rows: self.rows || other.rows,
            contacts: self.contacts || other.contacts,
        }
    }

    /// Whether the memory of a mechanism has to be renewed.
    pub fn of_mechanism(self) -> bool {
        self.bodies || self.joints || self.rows
    }
}

/// A number of the parts that follows from the variables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Write {
    pub item: Item,
    /// Which number of the item.
    pub number: usize,
    /// Where its value stands.
    pub slot: usize,
    /// By what the value is multiplied: 1, or ½ where the file states a whole length and the parts hold its half.
    pub factor: f64,
}

/// The values of a slot for which the writes were seen to hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    pub slot: usize,
    pub low: f64,
    pub high: f64,
}

/// How the numbers of a model follow from the variables of a study: expressions over slots, and where their values go.
///
/// The first slots are the variables in SI units; each tape fills the next one.
#[derive(Clone, Debug)]
pub struct Recipe {
    pub(super) variables: usize,
    pub(super) tapes: Vec<Tape>,
    pub(super) bounds: Vec<Bounds>,
    pub(super) writes: Vec<Write>,
    /// The places that are written to, each once.
    pub(super) items: Vec<Item>,
    pub(super) change: Change,
    /// The parts at some point; what does not depend on the variables is the same at all.
    pub(super) parts: Parts,
}

impl Recipe {
    pub(super) fn new(
        variables: usize,
        tapes: Vec<Tape>,
        bounds: Vec<Bounds>,
        writes: Vec<Write>,
        parts: Parts,
    ) -> Self {
        let mut items: Vec<Item> = Vec::new();
        for write in &writes {
            if !items.contains(&write.item) {
                items.push(write.item);
            }
        }
        let change = items.iter().fold(Change::default(), |all, item| all.and(Change::of(*item)));
        Self { variables, tapes, bounds, writes, items, change, parts }
    }

    /// Which numbers change from point to point.
    pub fn change(&self) -> Change {
        self.change
    }

    /// Fills the slots; false if a number is not finite or outside its bounds.
    pub(super) fn evaluate(&self, variables: &[f64], slots: &mut Vec<f64>) -> bool {
        slots.clear();
        slots.extend_from_slice(variables);
        if slots.len() != self.variables || slots.iter().any(|x| !x.is_finite()) {
            return false;
        }
        for tape in &self.tapes {
            let Some(x) = tape.finite_value(slots) else { return false };
            slots.push(x);
        }
        self.bounds.iter().all(|b| (b.low..=b.high).contains(&slots[b.slot]))
    }

    /// Writes the numbers of the parts.
    pub(super) fn write(&self, slots: &[f64], parts: &mut Parts) {
        for write in &self.writes {
            let mut number = 0;
            parts.visit(write.item, &mut |x| {
                if number == write.number {
                    *x = slots[write.slot] * write.factor;
                }
                number += 1;
            });
        }
    }
}
