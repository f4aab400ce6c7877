//! Energy, momentum, accelerations and reactions of a machine that nothing touches.

use schemars::JsonSchema;
use serde::Serialize;

use super::components;
use crate::dynamics::report::Mobility;
use crate::dynamics::{Accelerations, DynamicsError, Posture, Terms};
use crate::maths::digits::clean;
use crate::maths::{Vec3, Wrench};
use crate::model::Row;

/// What a joint or a closure transmits to its second body, at its point there, in world axes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ReactionAnswer {
    /// \[N\].
    pub force: [f64; 3],
    /// \[N m\].
    pub moment: [f64; 3],
    /// Whether it is the only one in balance with the motion.
    pub unique: bool,
}

/// The state's own motion and what causes it. Contacts act as if they were not there.
pub(super) struct Balance {
    /// T \[J\].
    pub kinetic_energy: f64,
    /// V \[J\]: gravity and springs.
    pub potential_energy: f64,
    /// Linear momentum \[kg m/s\], and angular about the world's origin \[kg m²/s\].
    pub momentum: (Vec3, Vec3),
    /// v̇, λ and the accelerations of the bodies.
    pub motion: Accelerations,
    /// One per joint; what drives, joint springs and efforts do is part of it.
    pub joints: Vec<ReactionAnswer>,
    /// One per closure; of a coupling, which has no point, the wrench is zero.
    pub closures: Vec<ReactionAnswer>,
}

impl Balance {
    /// Of a posture whose constraints are known.
    pub fn new(at: &Posture<'_>, constraints: &Mobility) -> Result<Self, DynamicsError> {
        let motion = at.accelerations(Terms::All)?;
        let model = at.model();
        let joints = at.reactions(&motion)?;
        let mut closures = Vec::with_capacity(model.closures.len());
        let mut first = 0;
        for closure in &model.closures {
            closures.push(on_second(at, &motion, &closure.rows, first));
            first += closure.rows.len();
        }
        let size = largest_moment(at, joints.iter().chain(&closures));
        let all = joints.iter().chain(&closures);
        let force = all.map(|w| w.force.norm()).fold(0.0, f64::max);
        let many: std::collections::HashSet<&str> =
            constraints.not_unique.iter().map(String::as_str).collect();
        let mut names = model.joint_paths().into_iter();
        let mut told = |wrenches: Vec<Wrench>| -> Vec<ReactionAnswer> {
            let named = wrenches.into_iter().zip(names.by_ref());
            named
                .map(|(w, path)| ReactionAnswer {
                    force: components(&w.force).map(|x| clean(x, force)),
                    moment: components(&w.moment).map(|x| clean(x, size)),
                    unique: !many.contains(path.as_str()),
                })
                .collect()
        };
        let joints = told(joints);
        Ok(Self {
            kinetic_energy: at.kinetic_energy(),
            potential_energy: at.potential_energy(),
            momentum: at.momentum(),
            joints,
            closures: told(closures),
            motion,
        })
    }
}

/// The largest moment that the reactions have about the ends of the longest link: round-off of moments is told by it.
fn largest_moment<'a>(at: &Posture<'_>, all: impl Iterator<Item = &'a Wrench>) -> f64 {
    let links = at.frames().links().iter().map(|l| l.arm().norm());
    let centers = at.model().bodies.iter().map(|b| b.inertia.center.norm());
    let arm = links.chain(centers).fold(0.0, f64::max);
    all.map(|w| w.force.norm() * arm + w.moment.norm()).fold(0.0, f64::max)
}

/// Σ λ w of a closure's rows on its second body, about the closure's point of that body; `first` is
/// the number of its first row among all.
fn on_second(at: &Posture<'_>, motion: &Accelerations, rows: &[Row], first: usize) -> Wrench {
    let mut sum = Wrench::zero();
    let mut arm = Vec3::zeros();
    for (k, row) in rows.iter().enumerate() {
        let Some(w) = at.closure_row(first + k) else { continue };
        let lambda = motion.solution.multipliers[first + k];
        sum.moment += w.on_b.moment * lambda;
        sum.force += w.on_b.force * lambda;
        if let Row::InPlane { b, .. } | Row::Distance { b, .. } = row {
            arm = at.frames().point(b) - at.pose(b.body).position;
        }
    }
    sum.moment -= arm.cross(&sum.force);
    sum
}
