//! Springs, dampers, forces, torques, and prescribed motions.

use super::{Anchor, BodyId, Place};
use crate::maths::expression::{Tape, Variable};
use std::cell::Cell;

/// A load other than gravity.
#[derive(Clone, Debug, PartialEq)]
pub enum Load {
    /// A spring and damper along the line between two points: it pulls with
    /// k (ℓ − ℓ₀) + c ℓ̇.
    Spring {
        /// Its name.
        name: String,
        /// One end.
        a: Anchor,
        /// Other end.
        b: Anchor,
        /// k \[N/m\].
        stiffness: f64,
        /// c \[N s/m\].
        damping: f64,
        /// ℓ₀ \[m\].
        rest: f64,
    },
    /// A spring and damper on a joint coordinate: effort −k (q − q₀) − c q̇.
    JointSpring {
        /// Its name.
        name: String,
        /// The body whose joint it is.
        body: BodyId,
        /// Entry of q.
        q: usize,
        /// Entry of v.
        v: usize,
        /// k \[N m/rad\] or \[N/m\].
        stiffness: f64,
        /// c \[N m s/rad\] or \[N s/m\].
        damping: f64,
        /// q₀ \[rad\] or \[m\].
        rest: f64,
    },
    /// A force at a point.
    Force {
        /// Its name.
        name: String,
        /// Where it acts.
        at: Anchor,
        /// Components \[N\].
        components: [Tape; 3],
        /// The frame of the components: the world, or the body's own frame.
        frame: Place,
    },
    /// A couple on a body.
    Torque {
        /// Its name.
        name: String,
        /// The body.
        body: BodyId,
        /// Components \[N m\].
        components: [Tape; 3],
        /// The frame of the components: the world, or the body's own frame.
        frame: Place,
    },
    /// A force or torque in a joint coordinate.
    Effort {
        /// Its name.
        name: String,
        /// Entry of v.
        v: usize,
        /// Its value \[N\] or \[N m\].
        effort: Tape,
    },
}

/// A joint coordinate that follows a function of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Drive {
    /// Its name.
    pub name: String,
    /// The body whose joint it is.
    pub body: BodyId,
    /// Entry of q.
    pub q: usize,
    /// Entry of v.
    pub v: usize,
    /// q(t).
    pub motion: Tape,
}

impl Load {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Self::Spring { name, .. }
            | Self::JointSpring { name, .. }
            | Self::Force { name, .. }
            | Self::Torque { name, .. }
            | Self::Effort { name, .. } => name,
        }
    }

    /// Its expressions.
    pub fn expressions(&self) -> &[Tape] {
        match self {
            Self::Force { components, .. } | Self::Torque { components, .. } => components,
            Self::Effort { effort, .. } => std::slice::from_ref(effort),
            Self::Spring { .. } | Self::JointSpring { .. } => &[],
        }
    }

    /// Whether its expressions contain the time.
    pub fn changes_with_time(&self) -> bool {
        let seen = Cell::new(false);
        for tape in self.expressions() {
            tape.value_of(|variable| {
                seen.set(seen.get() || variable == Variable::Time);
                0.0
            });
        }
        seen.get()
    }
}
