//! Energy, momentum, accelerations and reactions of a machine that nothing touches.

use std::collections::HashSet;

use carom::dynamics::report::Mobility;
use carom::dynamics::{Accelerations, DynamicsError, Posture, Terms};
use carom::maths::{Vec3, Wrench};
use carom::model::Row;

/// What a joint or a closure transmits to its second body, at its point there, in world axes.
pub(crate) struct Reaction {
    /// Force and moment; what drives, joint springs and efforts do is part of a joint's.
    pub wrench: Wrench,
    /// Whether it is the only one in balance with the motion.
    pub unique: bool,
}

/// The state's own motion and what causes it. Contacts act as if they were not there.
pub(crate) struct Balance {
    /// T [J].
    pub kinetic_energy: f64,
    /// V [J]: gravity and springs.
    pub potential_energy: f64,
    /// Linear momentum [kg m/s], and angular about the world's origin [kg m²/s].
    pub momentum: (Vec3, Vec3),
    /// v̇, λ and the accelerations of the bodies.
    pub motion: Accelerations,
    /// One per joint.
    pub joints: Vec<Reaction>,
    /// One per closure; of a coupling, which has no point, the wrench is zero.
    pub closures: Vec<Reaction>,
}

impl Balance {
    /// Of a posture whose constraints are known.
    pub(crate) fn new(at: &Posture<'_>, constraints: &Mobility) -> Result<Self, DynamicsError> {
        let motion = at.accelerations(Terms::All)?;
        let model = at.model();
        let many: HashSet<&str> = constraints.not_unique.iter().map(String::as_str).collect();
        let joints = (at.reactions(&motion)?.into_iter().zip(&model.bodies))
            .map(|(wrench, body)| {
                let unique = !many.contains(format!("joints.{}", body.joint.name).as_str());
                Reaction { wrench, unique }
            })
            .collect();
        let mut closures = Vec::with_capacity(model.closures.len());
        let mut first = 0;
        for closure in &model.closures {
            let unique = !many.contains(format!("closures.{}", closure.name).as_str());
            closures
                .push(Reaction { wrench: on_second(at, &motion, &closure.rows, first), unique });
            first += closure.rows.len();
        }
        Ok(Self {
            kinetic_energy: at.kinetic_energy(),
            potential_energy: at.potential_energy(),
            momentum: at.momentum(),
            motion,
            joints,
            closures,
        })
    }
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
