//! Exact gradients of m_eff and T_c, without differencing.
//!
//! W = A Y Aᵀ is the maximum over w of 2 A w − wᵀ M w + 2 λᵀ D w, reached at w = Y Aᵀ. So
//!
//! ```text
//! dW = 2 (dA) w − wᵀ (dM) w + 2 λᵀ (dD) w      dm_eff = −m_eff² dW      dT_c = ½ u² dm_eff + m_eff u (dA) v
//! ```
//!
//! For an inertial parameter only dM counts: a quadratic form in the motion w.

use super::effective::EffectiveMass;
use crate::dynamics::{Posture, RowWrench};
use crate::maths::{Twist, Vec3, Wrench};
use crate::model::Place;

/// Derivatives of one quantity with respect to a body's inertial parameters, in its body frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyGradient {
    /// By the mass, at fixed centre and central inertia.
    pub mass: f64,
    /// By the mass centre's coordinates.
    pub center: Vec3,
    /// By the central inertia's entries Ixx, Iyy, Izz, Ixy, Ixz, Iyz (an off-diagonal entry changes
    /// both of its places).
    pub inertia: [f64; 6],
}

/// Gradients of m_eff and T_c of one row.
#[derive(Clone, Debug, PartialEq)]
pub struct Gradients {
    /// dm_eff by each body's parameters.
    pub mass_by_body: Vec<BodyGradient>,
    /// Derivative of m_eff with respect to the rotor inertia of each velocity coordinate.
    pub mass_by_rotor: Vec<f64>,
    /// dm_eff by each joint coordinate (by a small rotation where the position is a quaternion); on
    /// a mechanism with loops only its product with an admissible direction has a meaning.
    pub mass_by_position: Vec<f64>,
    /// dT_c by each joint coordinate, v held as numbers.
    pub energy_by_position: Vec<f64>,
    /// dT_c by each joint coordinate, v kept consistent with the closures by the least change in the
    /// mass metric (v → Π v); the same on a tree.
    pub consistent_energy_by_position: Vec<f64>,
    /// dT_c = this factor · dm_eff for every inertial parameter: ½ u².
    pub energy_per_mass: f64,
}

/// How a row's wrenches change when bodies are displaced.
pub type RowVariation<'a> = dyn Fn(&dyn Fn(Place) -> Twist) -> RowWrench + 'a;

impl Gradients {
    /// At a posture, for a row and the way it changes with the pose; `None` for an immobile contact.
    pub fn new(
        at: &Posture<'_>,
        row: &RowWrench,
        variation: &RowVariation<'_>,
        effective: &EffectiveMass,
    ) -> Option<Self> {
        if effective.is_immobile() {
            return None;
        }
        let m = effective.mass;
        let u = effective.rate;
        let response = at.response(row);
        let w = Velocities::new(at, response.x);
        let v = Velocities::new(at, at.state().v.iter().copied().collect());
        let mut mass_by_position = Vec::with_capacity(at.model().nv);
        let mut energy_by_position = Vec::with_capacity(at.model().nv);
        let mut consistent_energy_by_position = Vec::with_capacity(at.model().nv);
        let ends = subtree_ends(at);
        for (body, &end) in ends.iter().enumerate() {
            for column in at.model().bodies[body].joint.velocities() {
                let shift = Displacement { at, body, column, end };
                let mut dW = 2.0 * shift.row_derivative(row, variation, &w)
                    - 2.0 * shift.energy_derivative(&w);
                // d(A Π v) = (dA) v + λᵀ (dD) v: what consistency adds.
                let mut followed = 0.0;
                for (r, lambda) in response.multipliers.iter().enumerate() {
                    if *lambda != 0.0 {
                        dW += 2.0 * lambda * shift.closure_derivative(r, &w);
                        followed += lambda * shift.closure_derivative(r, &v);
                    }
                }
                let dm = -m * m * dW;
                mass_by_position.push(dm);
                let du = shift.row_derivative(row, variation, &v);
                let fixed = 0.5 * u * u * dm + m * u * du;
                energy_by_position.push(fixed);
                consistent_energy_by_position.push(fixed + m * u * followed);
            }
        }
        Some(Self {
            mass_by_body: (0..at.model().bodies.len()).map(|b| by_body(at, &w, b, m)).collect(),
            mass_by_rotor: w.x.iter().map(|x| m * m * x * x).collect(),
            mass_by_position,
            energy_by_position,
            consistent_energy_by_position,
            energy_per_mass: 0.5 * u * u,
        })
    }

    /// dm_eff, dT_c with velocities that follow the closures, and dT_c with v held as numbers, when coordinate `column` moves by one
    /// and the others follow the closures; `None` if it cannot move.
    pub fn by_coordinate(&self, at: &Posture<'_>, column: usize) -> Option<[f64; 3]> {
        let slopes =
            [&self.mass_by_position, &self.consistent_energy_by_position, &self.energy_by_position];
        if at.model().closures.is_empty() {
            return Some(slopes.map(|slope| slope[column]));
        }
        let direction = Self::direction(at, column)?;
        Some(slopes.map(|slope| slope.iter().zip(&direction).map(|(s, x)| s * x).sum()))
    }

    /// The direction in which coordinate `column` moves by one and all others follow the closures
    /// with the least motion in the mass metric; `None` if it cannot move.
    pub fn direction(at: &Posture<'_>, column: usize) -> Option<Vec<f64>> {
        // Π e = e − Y-complement: solve M x = Dᵀ λ, D x = −D e and add e.
        let mut x = vec![0.0; at.model().nv];
        x[column] = 1.0;
        if !at.layout().is_free(column) {
            return None;
        }
        let rates: Vec<f64> = at.closure_rates(&x).iter().map(|r| -r).collect();
        let given = crate::dynamics::Excitation { rates: &rates, ..Default::default() };
        let correction = at.solve(&given).x;
        for (x, c) in x.iter_mut().zip(&correction) {
            *x += c;
        }
        let own = x[column];
        if own.abs() < 1e-9 {
            return None;
        }
        for x in &mut x {
            *x /= own;
        }
        Some(x)
    }
}

/// dm_eff by a body's parameters: m² times the derivative of wᵀ M w.
fn by_body(at: &Posture<'_>, w: &Velocities, b: usize, m: f64) -> BodyGradient {
    let body = &at.model().bodies[b];
    let link = &at.frames().links()[b];
    let to_body = |x: &Vec3| body.frame.rotation.tr_mul(&link.rotation().tr_mul(x));
    let twist = &w.twists[b];
    let omega = to_body(&twist.ang);
    let center = to_body(&twist.at(&(link.rotation() * body.inertia.center)));
    let k = m * m;
    BodyGradient {
        mass: k * center.norm_squared(),
        center: center.cross(&omega) * (2.0 * k * body.inertia.mass),
        inertia: [
            k * omega.x * omega.x,
            k * omega.y * omega.y,
            k * omega.z * omega.z,
            2.0 * k * omega.x * omega.y,
            2.0 * k * omega.x * omega.z,
            2.0 * k * omega.y * omega.z,
        ],
    }
}

/// A motion of the whole mechanism and the momentum of every subtree under it.
struct Velocities {
    x: Vec<f64>,
    twists: Vec<Twist>,
    /// Angular momentum about the link origin and linear momentum, of all that hangs on a body.
    momentum: Vec<Wrench>,
}

impl Velocities {
    fn new(at: &Posture<'_>, x: Vec<f64>) -> Self {
        let twists = at.twists(&x);
        let mut momentum: Vec<Wrench> = (0..twists.len())
            .map(|b| {
                let (body, link) = (&at.model().bodies[b], &at.frames().links()[b]);
                let c = link.rotation() * body.inertia.center;
                let p = twists[b].at(&c) * body.inertia.mass;
                let spin = link.rotation().tr_mul(&twists[b].ang);
                Wrench {
                    moment: c.cross(&p) + link.rotation() * (body.inertia.central() * spin),
                    force: p,
                }
            })
            .collect();
        for n in (0..momentum.len()).rev() {
            if let Some(parent) = at.model().bodies[n].parent {
                let own = momentum[n];
                let arm = at.frames().links()[n].arm();
                momentum[parent.index()].moment += own.moment + arm.cross(&own.force);
                momentum[parent.index()].force += own.force;
            }
        }
        Self { x, twists, momentum }
    }

    fn of(&self, place: Place) -> Twist {
        place.map_or_else(Twist::zero, |b| self.twists[b.index()])
    }
}

/// A small motion of one joint coordinate: everything that hangs on the joint moves rigidly.
struct Displacement<'p, 'a> {
    at: &'p Posture<'a>,
    body: usize,
    column: usize,
    /// One past the last body that hangs on the joint.
    end: usize,
}

/// One past the last body of every body's subtree: bodies stand depth first, so that what hangs on
/// a body follows it without a gap.
fn subtree_ends(at: &Posture<'_>) -> Vec<usize> {
    let bodies = &at.model().bodies;
    let mut ends: Vec<usize> = (1..=bodies.len()).collect();
    for n in (0..bodies.len()).rev() {
        if let Some(parent) = bodies[n].parent {
            ends[parent.index()] = ends[parent.index()].max(ends[n]);
        }
    }
    ends
}

impl Displacement<'_, '_> {
    /// Whether a body hangs on the joint.
    fn moves(&self, place: Place) -> bool {
        place.is_some_and(|b| (self.body..self.end).contains(&b.index()))
    }

    fn is_angular(&self) -> bool {
        let joint = &self.at.model().bodies[self.body].joint;
        joint.kind.is_angular(self.column - joint.v)
    }

    /// The displacement about the joint's origin.
    fn twist(&self) -> Twist {
        let axis = self.at.frames().axis(self.column);
        if self.is_angular() {
            Twist { ang: axis, lin: Vec3::zeros() }
        } else {
            Twist { ang: Vec3::zeros(), lin: axis }
        }
    }

    fn origin(&self) -> Vec3 {
        self.at.frames().links()[self.body].origin()
    }

    /// The displacement of a body about its own link origin.
    fn displacement(&self, place: Place) -> Twist {
        if !self.moves(place) {
            return Twist::zero();
        }
        let arm = self.at.frames().pose(place).position - self.origin();
        let twist = self.twist();
        Twist { ang: twist.ang, lin: twist.at(&arm) }
    }

    /// The velocity field that does not turn with the displaced part: the parent's, and those
    /// columns of the joint that stay when this coordinate changes. About the joint's origin.
    fn reference(&self, motion: &Velocities) -> Twist {
        let body = &self.at.model().bodies[self.body];
        let above = motion.of(body.parent);
        let arm = self.at.frames().links()[self.body].arm();
        let mut twist = Twist { ang: above.ang, lin: above.at(&arm) };
        if !self.is_angular() {
            return twist;
        }
        let joint = &body.joint;
        for (c, column) in joint.velocities().enumerate() {
            if joint.kind.carries(self.column - joint.v, c) {
                continue;
            }
            let part = self.at.frames().axis(column) * motion.x[column];
            if joint.kind.is_angular(c) {
                twist.ang += part;
            } else {
                twist.lin += part;
            }
        }
        twist
    }

    /// Change of a body's velocity (about its link origin) at fixed joint velocities: the part
    /// relative to the reference field turns with the displacement, and the field is met elsewhere.
    fn velocity_change(&self, place: Place, motion: &Velocities) -> Twist {
        if !self.moves(place) {
            return Twist::zero();
        }
        let reference = self.reference(motion);
        let shift = self.twist();
        let arm = self.at.frames().pose(place).position - self.origin();
        let own = motion.of(place);
        Twist {
            ang: shift.ang.cross(&(own.ang - reference.ang)),
            lin: shift.ang.cross(&(own.lin - reference.at(&arm)))
                + reference.ang.cross(&shift.at(&arm)),
        }
    }

    /// (dA) x of a row; its normal may be fixed in a third body, so that it changes while both
    /// sides stand still.
    fn row_derivative(&self, row: &RowWrench, variation: &RowVariation<'_>, x: &Velocities) -> f64 {
        let turned = variation(&|place| self.displacement(place));
        turned.rate(&x.of(row.a), &x.of(row.b))
            + row.rate(&self.velocity_change(row.a, x), &self.velocity_change(row.b, x))
    }

    /// (dD) x of closure row r.
    fn closure_derivative(&self, r: usize, x: &Velocities) -> f64 {
        let Some(row) = self.at.closure_row(r) else { return 0.0 };
        if !self.moves(row.a) && !self.moves(row.b) {
            return 0.0;
        }
        let turned = self.at.closure_variation(r, &|place| self.displacement(place));
        turned.map_or(0.0, |t| t.rate(&x.of(row.a), &x.of(row.b)))
            + row.rate(&self.velocity_change(row.a, x), &self.velocity_change(row.b, x))
    }

    /// d(½ xᵀ M x) = L · (ω_ref × ξ) + p · (ω_ref × d − ξ × v_ref), with L, p the momentum of all that
    /// hangs on the joint and (ξ, d) the displacement.
    fn energy_derivative(&self, motion: &Velocities) -> f64 {
        let h = &motion.momentum[self.body];
        let reference = self.reference(motion);
        let shift = self.twist();
        h.moment.dot(&reference.ang.cross(&shift.ang))
            + h.force.dot(&(reference.ang.cross(&shift.lin) - shift.ang.cross(&reference.lin)))
    }
}
