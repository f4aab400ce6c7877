//! Modes of contacts at rest: one contact problem on accelerations ([`crate::maths::cone`]) decides how each of them goes on.
//!
//! | face of the answer | mode |
//! |---|---|
//! | F_n = 0, u̇_n > 0 | open |
//! | F_n = 0, u̇_n = 0 | grazing: closed without a force |
//! | F_n > 0, u̇_t = 0 | sticking |
//! | F_n > 0, u̇_t ≠ 0 | sliding along u̇_t |
//!
//! A point that slips already is an oblique ray: the direction of its friction is known. A point that begins to slip becomes one, with the
//! coefficient of sliding, and the problem is solved again.

use crate::contact::friction::Dry;
use crate::impact::laws::{ImpactContact, ImpactFriction};
use crate::maths::cone::{Admissible, ContactPoint};
use crate::maths::zero;
use crate::simulate::mode::Grip;
use crate::simulate::resolve::friction_mode;
use crate::simulate::system::constraint::Held;
use crate::simulate::system::{Motion, MotionError};

/// What is known of resting spots beside their state.
#[derive(Clone, Copy)]
pub(in crate::simulate) struct Resting<'a> {
    /// Closed and at rest along the normal.
    pub spots: &'a [bool],
    /// Those whose force has just fallen to zero.
    pub released: &'a [bool],
    /// Those whose friction has just reached its limit.
    pub at_limit: &'a [bool],
}

/// The answer of the contact problem at one spot, accelerations in \[m/s²\] also where gaps are angles.
struct Face {
    spot: usize,
    /// F_n times the mobility: the acceleration that the force prevents.
    prevented: f64,
    /// u̇_n.
    normal: f64,
    /// u̇_t.
    tangent: [f64; 2],
    rough: bool,
}

impl Motion<'_> {
    /// The rows of the chosen spots, normal and tangents, are in force; returns them as contacts of an impact problem.
    pub fn choose_rough(
        &mut self,
        chosen: &[bool],
        restitution: &dyn Fn(usize) -> f64,
        friction: &dyn Fn(usize, &Dry) -> f64,
    ) -> Result<Vec<ImpactContact>, MotionError> {
        let Self { model, mechanism, state, constraints, rows, spots, tangent_frames, dry, .. } =
            self;
        let at = mechanism.at(state)?;
        constraints.clear();
        let mut contacts = Vec::with_capacity(chosen.len());
        for k in (0..chosen.len()).filter(|k| chosen[*k]) {
            constraints.hold_row(Held::normal(k, rows[k]));
            let mut contact = ImpactContact::smooth(restitution(k));
            if let (Some(tangent), Some(dry)) = (&tangent_frames[k], &dry[spots[k].0.contact]) {
                contact.tangents = if model.is_planar() { 1 } else { 2 };
                for (part, row) in tangent.rows.iter().enumerate().take(contact.tangents) {
                    constraints.hold_row(Held::tangent(k, part + 1, *row));
                }
                contact.friction = if dry.sticks() {
                    ImpactFriction::Stick
                } else {
                    ImpactFriction::Coulomb(friction(k, dry))
                };
            }
            contacts.push(contact);
        }
        constraints.prepare(&at);
        Ok(contacts)
    }

    /// The modes of resting spots, all of them open at the last look: none for those that open. No answer where no forces keep Coulomb's law.
    pub fn modes_at_rest(
        &mut self,
        resting: &Resting<'_>,
    ) -> Result<Option<Vec<Option<Grip>>>, MotionError> {
        let rest = self.resolution.rest();
        let slip = |k: usize| {
            let tangent = self.tangent_frames[k].as_ref()?;
            (tangent.speed() > rest).then(|| tangent.along())
        };
        let n = resting.spots.len();
        let mut slips: Vec<Option<[f64; 2]>> = (0..n).map(slip).collect();
        let mut closed = resting.spots.to_vec();
        let (steady, own) = (self.resolution.steady(), self.resolution.acceleration);
        // Each round opens a spot or lets one slide.
        for _ in 0..=2 * n {
            let Some((faces, largest)) = self.faces(&closed, &slips, resting.at_limit)? else {
                return Ok(None);
            };
            // A force that has just fallen to zero holds a contact again only if it prevents an acceleration that is not small.
            let pressed = zero::MODES * largest.max(0.1 * own);
            // Tangential accelerations below this part of the largest acceleration are sticking.
            let slipping = (zero::REST * largest).max(self.resolution.acceleration_digits());
            let mut settled = true;
            for face in &faces {
                let (k, speed) = (face.spot, face.tangent[0].hypot(face.tangent[1]));
                if resting.released[k] && face.prevented <= pressed {
                    (closed[k], settled) = (false, false);
                } else if slips[k].is_none()
                    && face.rough
                    && face.prevented > steady
                    && speed > slipping
                {
                    (slips[k], settled) = (Some(face.tangent.map(|u| u / speed)), false);
                }
            }
            if settled {
                let mut modes = vec![None; n];
                for face in faces {
                    let holds = match slips[face.spot] {
                        _ if !face.rough => Grip::Smooth,
                        Some(along) => Grip::Slides(along),
                        None => Grip::Sticks,
                    };
                    modes[face.spot] = match face {
                        Face { prevented, .. } if prevented > steady => Some(holds),
                        Face { normal, .. } if normal > steady => None,
                        _ => Some(Grip::Idle),
                    };
                }
                return Ok(Some(modes));
            }
        }
        Ok(None)
    }

    /// Solves the contact problem on accelerations over closed spots: the answer by spot, and the largest acceleration without contact forces.
    fn faces(
        &mut self,
        closed: &[bool],
        slips: &[Option<[f64; 2]>],
        at_limit: &[bool],
    ) -> Result<Option<(Vec<Face>, f64)>, MotionError> {
        let contacts = self.choose_rough(closed, &|_| 0.0, &|_, _| 0.0)?;
        let bodies = self.accelerations().to_vec();
        let Self { mechanism, state, constraints, spots, seen, dry, tangent_frames, .. } = self;
        let Self { angular, resolution, .. } = self;
        let at = mechanism.at(state)?;
        let held: Vec<Held> = constraints.held().map(|(held, _)| *held).collect();
        let arm = |k: usize| if angular[k] { resolution.length } else { 1.0 };
        let mut c = Vec::with_capacity(held.len());
        let mut largest = 0.0_f64;
        for held in &held {
            c.push(match held.part {
                0 => seen[held.spot].acceleration,
                _ => friction_mode::free(&at, spots[held.spot].0, held, tangent_frames, &bodies)?,
            });
            largest = largest.max(arm(held.spot) * c[c.len() - 1].abs());
        }
        let chosen: Vec<usize> = (0..closed.len()).filter(|k| closed[*k]).collect();
        let point = |(k, contact): (&usize, &ImpactContact)| {
            let rough = dry[spots[*k].0.contact].as_ref().zip(tangent_frames[*k].as_ref());
            // At a friction limit the forces of sticking and of slip are equal: the answer with slightly less friction shows which points slip.
            let less = if at_limit[*k] { zero::MODES } else { 0.0 };
            let admissible = match (rough, slips[*k]) {
                (Some((dry, tangent)), Some(along)) => {
                    Admissible::Sliding { mu: dry.coefficient(tangent.speed()), along }
                }
                (Some((dry, _)), None) if dry.sticks() => Admissible::Stick,
                (Some((dry, _)), None) => Admissible::Coulomb(dry.breakaway * (1.0 - less)),
                (None, _) => Admissible::Normal,
            };
            ContactPoint { tangents: contact.tangents, admissible, least: 0.0 }
        };
        let points: Vec<ContactPoint> = chosen.iter().zip(&contacts).map(point).collect();
        if !constraints.solve_contacts(&points, &c) {
            return Ok(None);
        }
        let (mut row, m) = (0, held.len());
        let mut faces = Vec::with_capacity(points.len());
        for (spot, point) in chosen.into_iter().zip(&points) {
            let u = &constraints.velocities()[row..row + point.rows()];
            let tangent = [1, 2].map(|part| u.get(part).copied().unwrap_or(0.0));
            let prevented = arm(spot) * constraints.force(spot) * constraints.W()[row * m + row];
            let normal = arm(spot) * u[0];
            faces.push(Face { spot, prevented, normal, tangent, rough: point.tangents > 0 });
            row += point.rows();
        }
        Ok(Some((faces, largest)))
    }
}
