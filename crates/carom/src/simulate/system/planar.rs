//! The equations of motion by the planar kernel, where it applies: the same as `evaluate_in_space`, in fewer instructions.

use super::{Motion, indentation};
use crate::contact::friction::Sliding;
use crate::contact::planar::PlanarContacts;
use crate::dynamics::planar::Kernel;
use crate::maths::plane::quarter;
use crate::model::Model;
use crate::simulate::mode::{Observation, Status};

/// A planar tree and its contacts.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct InPlane<'m> {
    kernel: Kernel<'m>,
    contacts: PlanarContacts<'m>,
}

impl<'m> InPlane<'m> {
    /// None if the model is no planar tree.
    pub fn new(model: &'m Model) -> Option<Self> {
        let kernel = Kernel::new(model)?;
        let contacts = PlanarContacts::new(model, &kernel);
        Some(Self { kernel, contacts })
    }
}

impl Motion<'_> {
    /// v̇ and the observations of the spots, as `evaluate_in_space` has them; `false` if it has to be asked: another kind of model, a
    /// contact that stays, or something wrong that it has a name for.
    pub(in crate::simulate) fn evaluate_in_plane(&mut self, fully: bool) -> bool {
        let Self { plane: Some(InPlane { kernel, contacts }), state, spots, laws, .. } = self
        else {
            return false;
        };
        let Self { seen, rows, work, frictions, states, z, z_dot, powers, far, .. } = self;
        if !kernel.place(state) {
            return false;
        }
        z_dot.fill(0.0);
        let (mut taken, mut rubbed) = (0.0, 0.0);
        for (k, (spot, status)) in spots.iter().enumerate().filter(|(k, _)| !far[*k]) {
            let onset = match status {
                Status::Open | Status::Parted(_) if !fully => continue,
                Status::Staying(_) => return false,
                Status::Open => None,
                Status::Touching(onset) | Status::Parted(onset) => Some(onset),
            };
            let contact = spot.contact;
            let Some(met) = contacts.touch(kernel, contact, spot.point) else { return false };
            let moving = contacts.velocity(kernel, contact, &met);
            let see = &mut seen[k];
            let rate = met.normal.dot(&moving);
            *see = Observation { gap: met.gap, rate, ..Observation::default() };
            if fully {
                rows[k] = contacts.row(kernel, contact, &met);
            }
            let (Some(onset), Some(law)) = (onset, &laws[contact]) else { continue };
            see.force = law.force(&indentation(see), onset);
            if !matches!(status, Status::Touching(_)) {
                continue;
            }
            let mut force = met.normal * see.force;
            taken -= see.force * see.rate;
            if let Some(friction) = &frictions[contact] {
                let tangent = quarter(&met.normal);
                let x = Sliding { normal: see.force.max(0.0), slip: [tangent.dot(&moving), 0.0] };
                see.slip = x.slip[0];
                let own = states[k].clone();
                let [resistance, _] = friction.force(&x, &z[own.clone()], &mut z_dot[own]);
                force += tangent * resistance;
                rubbed += resistance * x.slip[0];
            }
            contacts.push(kernel, contact, &met, &force);
        }
        if !kernel.solve(&mut work.solution.x) {
            return false;
        }
        let [dampers, forces] = kernel.load_power();
        *powers = [dampers, forces, 0.0, rubbed];
        if !self.model.drives.is_empty() {
            let stored = kernel.kinetic_power(state.v.as_slice()) + kernel.potential_power();
            powers[2] = stored - dampers - forces + taken - rubbed;
        }
        !fully || self.observe_in_plane()
    }

    /// u̇ and the rates of forces, after the solution.
    #[inline(never)]
    fn observe_in_plane(&mut self) -> bool {
        let Self { plane: Some(InPlane { kernel, contacts }), spots, laws, seen, far, .. } = self
        else {
            return false;
        };
        for (k, (spot, status)) in spots.iter().enumerate().filter(|(k, _)| !far[*k]) {
            let contact = spot.contact;
            let u_dot = contacts
                .touch(kernel, contact, spot.point)
                .and_then(|met| contacts.acceleration(kernel, contact, spot.point, &met));
            let Some(u_dot) = u_dot else { return false };
            let see = &mut seen[k];
            see.acceleration = u_dot;
            if let (Status::Touching(onset) | Status::Parted(onset), Some(law)) =
                (status, &laws[contact])
            {
                let [stiffness, damping] = law.slopes(&indentation(see), onset);
                see.force_rate = -stiffness * see.rate - damping * u_dot;
            }
        }
        true
    }
}

#[cfg(test)]
#[path = "planar_tests.rs"]
mod planar_tests;
