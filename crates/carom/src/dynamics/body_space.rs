//! The same mechanism in body coordinates: Newton-Euler, every joint a constraint
//! (Nikravesh-Poursina eqs. 17, 18).
//!
//! Velocities of body k are (ṙ, ω) of its mass centre: six numbers, or (ẋ, ẏ, ω) in a planar
//! model. It shares the joints' axes with the joint formulation and nothing of its recursions, and serves as its twin.

use nalgebra::{DMatrix, DVector};

use super::dense::Matrices;
use super::error::DynamicsError;
use super::mechanism::Posture;
use super::row::{self, RowWrench};
use crate::maths::{Vec3, Wrench};
use crate::model::{JointKind, Place, Row};

/// A row on one or two bodies: moment and force about their mass centres.
type Sides = [(Place, Wrench); 2];

/// M, D, applied loads and constraint rates in body coordinates.
#[derive(Clone, Debug)]
pub struct BodySpace<'a> {
    at: Posture<'a>,
    /// M and D.
    pub matrices: Matrices,
    /// g: loads and gyroscopic terms (Nikravesh-Poursina eq. 18).
    pub loads: DVector<f64>,
    /// γ with D v̇ = γ.
    pub bias: DVector<f64>,
}

impl<'a> BodySpace<'a> {
    /// Writes the equations at a posture.
    pub fn new(at: &Posture<'a>) -> Result<Self, DynamicsError> {
        let size = if at.model.is_planar() { 3 } else { 6 };
        let n = size * at.model.bodies.len();
        let mut space = Self {
            at: *at,
            matrices: Matrices {
                M: DMatrix::zeros(n, n),
                D: DMatrix::zeros(0, n),
                rates: DVector::zeros(0),
            },
            loads: DVector::zeros(n),
            bias: DVector::zeros(0),
        };
        let (rows, rates, bias) = space.constraints();
        let mut D = DMatrix::zeros(rows.len(), n);
        for (i, row) in rows.iter().enumerate() {
            D.row_mut(i).copy_from(&row.transpose());
        }
        space.matrices.M = space.mass_matrix(n);
        space.matrices.D = D;
        space.matrices.rates = DVector::from_vec(rates);
        space.bias = DVector::from_vec(bias);
        space.loads = space.applied_loads(n)?;
        Ok(space)
    }

    fn size(&self) -> usize {
        if self.at.model.is_planar() { 3 } else { 6 }
    }

    /// Writes a wrench about a body's mass centre into a row.
    fn put(&self, out: &mut DVector<f64>, place: Place, w: &Wrench) {
        let Some(body) = place else { return };
        let k = body.index() * self.size();
        if self.at.model.is_planar() {
            out[k] += w.force.x;
            out[k + 1] += w.force.y;
            out[k + 2] += w.moment.z;
        } else {
            for i in 0..3 {
                out[k + i] += w.force[i];
                out[k + 3 + i] += w.moment[i];
            }
        }
    }

    fn sides(&self, sides: &Sides) -> DVector<f64> {
        let mut out = DVector::zeros(self.size() * self.at.model.bodies.len());
        for (place, w) in sides {
            self.put(&mut out, *place, w);
        }
        out
    }

    /// Mass centre of a body from its link origin, in world axes.
    fn center(&self, body: usize) -> Vec3 {
        let link = &self.at.frames.links()[body];
        link.rotation() * self.at.model.bodies[body].inertia.center
    }

    /// A row of the joint formulation, here.
    pub fn row(&self, row: &RowWrench) -> DVector<f64> {
        let about_center = |place: Place, w: &Wrench| {
            let shift = place.map_or_else(Vec3::zeros, |b| self.center(b.index()));
            Wrench { moment: w.moment - shift.cross(&w.force), force: w.force }
        };
        self.sides(&[
            (row.a, about_center(row.a, &row.on_a)),
            (row.b, about_center(row.b, &row.on_b)),
        ])
    }

    /// The velocities of all bodies.
    pub fn velocity(&self) -> DVector<f64> {
        let mut out = DVector::zeros(self.size() * self.at.model.bodies.len());
        for (b, link) in self.at.frames.links().iter().enumerate() {
            let k = b * self.size();
            let r_dot = link.twist().at(&self.center(b));
            if self.at.model.is_planar() {
                out[k] = r_dot.x;
                out[k + 1] = r_dot.y;
                out[k + 2] = link.twist().ang.z;
            } else {
                out.fixed_rows_mut::<3>(k).copy_from(&r_dot);
                out.fixed_rows_mut::<3>(k + 3).copy_from(&link.twist().ang);
            }
        }
        out
    }

    fn mass_matrix(&self, n: usize) -> DMatrix<f64> {
        let mut M = DMatrix::zeros(n, n);
        for (b, body) in self.at.model.bodies.iter().enumerate() {
            let k = b * self.size();
            let R = &self.at.frames.links()[b].rotation();
            let J = R * body.inertia.central() * R.transpose();
            let m = body.inertia.mass;
            if self.at.model.is_planar() {
                M[(k, k)] = m;
                M[(k + 1, k + 1)] = m;
                M[(k + 2, k + 2)] = J[(2, 2)];
            } else {
                for i in 0..3 {
                    M[(k + i, k + i)] = m;
                }
                M.fixed_view_mut::<3, 3>(k + 3, k + 3).copy_from(&J);
            }
            // A reflected rotor turns with its joint's rate s v: r sᵀ s.
            for (c, column) in body.joint.velocities().enumerate() {
                let rotor = body.joint.rotor[c];
                if rotor != 0.0 {
                    let s = self.sides(&self.relative(
                        b,
                        &self.at.frames.axis(column),
                        self.at.layout.columns[column].angular,
                    ));
                    M += &s * s.transpose() * rotor;
                }
            }
        }
        M
    }

    /// The motion of a body against its parent along an axis, at the body's link origin.
    fn relative(&self, b: usize, axis: &Vec3, angular: bool) -> Sides {
        let body = &self.at.model.bodies[b];
        let child = self.at.model.body_at(b);
        if angular {
            let w = Wrench { moment: *axis, force: Vec3::zeros() };
            let back = Wrench { moment: -axis, force: Vec3::zeros() };
            return [(child, w), (body.parent, back)];
        }
        let O = self.at.frames.links()[b].origin();
        let arm = |place: Place| {
            place.map_or_else(Vec3::zeros, |p| {
                O - self.at.frames.link(p).origin() - self.center(p.index())
            })
        };
        [
            (child, Wrench::of_force(*axis, &arm(child))),
            (body.parent, Wrench::of_force(-axis, &arm(body.parent))),
        ]
    }

    /// What a relative acceleration has besides the bodies' own: the part of e · (…)¨ that is not
    /// e · (a_c − a_p) of the material points, in the sense D v̇ = γ.
    fn relative_bias(&self, b: usize, axis: &Vec3, angular: bool) -> f64 {
        let at = &self.at;
        let joint = &at.model.bodies[b].joint;
        let parent = at.model.bodies[b].parent;
        let omega_p = at.frames.twist(parent).ang;
        let link = &at.frames.links()[b];
        if angular {
            let mut turn = omega_p.cross(&(link.twist().ang - omega_p));
            if joint.kind == JointKind::Universal {
                let first = at.frames.axis(joint.v) * at.state.v[joint.v];
                let second = at.frames.axis(joint.v + 1) * at.state.v[joint.v + 1];
                turn += first.cross(&second);
            }
            return axis.dot(&turn);
        }
        let centripetal = |omega: &Vec3, d: &Vec3| omega.cross(&omega.cross(d));
        let child = centripetal(&link.twist().ang, &-self.center(b));
        let (mut below, mut v_p) = (Vec3::zeros(), Vec3::zeros());
        if let Some(p) = parent {
            let other = at.frames.link(p);
            let d = link.origin() - other.origin();
            below = centripetal(&omega_p, &(d - self.center(p.index())));
            v_p = other.twist().at(&d);
        }
        let coriolis = omega_p.cross(&(link.twist().lin - v_p)) * 2.0;
        axis.dot(&(coriolis - child + below))
    }

    /// Rows, rates ν and biases γ of joints, closures, locks and drives.
    fn constraints(&self) -> (Vec<DVector<f64>>, Vec<f64>, Vec<f64>) {
        let at = &self.at;
        let (mut rows, mut rates, mut bias) = (Vec::new(), Vec::new(), Vec::new());
        for b in 0..at.model.bodies.len() {
            for (axis, angular) in self.held_directions(b) {
                rows.push(self.sides(&self.relative(b, &axis, angular)));
                rates.push(0.0);
                bias.push(self.relative_bias(b, &axis, angular));
            }
            for column in at.model.bodies[b].joint.velocities() {
                if !at.is_held(column) {
                    continue;
                }
                let (axis, angular) = (&at.frames.axis(column), at.layout.columns[column].angular);
                rows.push(self.sides(&self.relative(b, axis, angular)));
                rates.push(at.state.v[column]);
                let drive = at.model.drives.iter().find(|d| d.v == column);
                let second = drive.map_or(0.0, |d| d.motion.jet(at.state.t).second);
                bias.push(self.relative_bias(b, axis, angular) + second);
            }
        }
        for r in &at.layout.rows {
            let (row, gamma) = self.closure(r);
            rows.push(row);
            rates.push(0.0);
            bias.push(gamma);
        }
        (rows, rates, bias)
    }

    /// The directions along which a joint holds its body: rotations and translations perpendicular
    /// to its columns.
    fn held_directions(&self, b: usize) -> Vec<(Vec3, bool)> {
        let at = &self.at;
        let mut held = Vec::new();
        for angular in [false, true] {
            let free: Vec<Vec3> = at.model.bodies[b]
                .joint
                .velocities()
                .filter(|c| at.layout.columns[*c].angular == angular)
                .map(|c| at.frames.axis(c))
                .collect();
            let mut basis = free;
            let candidates: &[Vec3] = match (at.model.is_planar(), angular) {
                (true, false) => &[Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0)],
                (true, true) => &[Vec3::new(0.0, 0.0, 1.0)],
                (false, _) => {
                    &[Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 0.0, 1.0)]
                }
            };
            let wanted = candidates.len() - basis.len();
            for _ in 0..wanted {
                let rest = |c: &Vec3| basis.iter().fold(*c, |x, e| x - e * e.dot(&x));
                let best = candidates
                    .iter()
                    .map(rest)
                    .max_by(|x, y| x.norm_squared().total_cmp(&y.norm_squared()))
                    .unwrap_or_else(Vec3::zeros)
                    .normalize();
                basis.push(best);
                held.push((best, angular));
            }
        }
        held
    }

    /// A closure's row and γ.
    fn closure(&self, r: &Row) -> (DVector<f64>, f64) {
        let at = &self.at;
        let motion = |place: Place| at.frames.twist(place);
        if let (Some(w), Some(w_dot)) =
            (row::wrench(r, at.frames), row::variation(r, at.frames, &motion))
        {
            let mut gamma = -w_dot.rate(&motion(w.a), &motion(w.b));
            // The link origin accelerates with r̈ − α × c − ω × (ω × c).
            for (place, side) in [(w.a, &w.on_a), (w.b, &w.on_b)] {
                if let Some(b) = place {
                    let omega = at.frames.link(b).twist().ang;
                    let c = self.center(b.index());
                    gamma += side.force.dot(&omega.cross(&omega.cross(&c)));
                }
            }
            return (self.row(&w), gamma);
        }
        let mut out = DVector::zeros(self.size() * at.model.bodies.len());
        let mut gamma = 0.0;
        if let Row::Coupling { terms, .. } = r {
            for t in terms {
                let (axis, angular) = (&at.frames.axis(t.v), at.layout.columns[t.v].angular);
                let b = t.body.index();
                out += self.sides(&self.relative(b, axis, angular)) * t.coefficient;
                gamma += t.coefficient * self.relative_bias(b, axis, angular);
            }
        }
        (out, gamma)
    }

    /// g of Nikravesh-Poursina eq. 18, with joint efforts as pairs of opposite wrenches.
    fn applied_loads(&self, n: usize) -> Result<DVector<f64>, DynamicsError> {
        let at = &self.at;
        let nb = at.model.bodies.len();
        let mut wrenches = vec![Wrench::zero(); nb];
        let mut efforts = vec![0.0; at.model.nv];
        at.add_loads(&mut wrenches, &mut efforts)?;
        let mut g = DVector::zeros(n);
        for (b, body) in at.model.bodies.iter().enumerate() {
            let link = &at.frames.links()[b];
            let c = self.center(b);
            let w = &wrenches[b];
            let R = &link.rotation();
            let omega = &link.twist().ang;
            let spin = R * (body.inertia.central() * R.tr_mul(omega));
            let moment = w.moment - c.cross(&w.force) - omega.cross(&spin);
            let place = at.model.body_at(b);
            self.put(&mut g, place, &Wrench { moment, force: w.force });
            for column in body.joint.velocities() {
                let (axis, angular) = (&at.frames.axis(column), at.layout.columns[column].angular);
                let s = self.sides(&self.relative(b, axis, angular));
                // A rotor's own q̈ = s v̇ − bias: its inertia on the bias is a load.
                let rotor = at.layout.columns[column].rotor * self.relative_bias(b, axis, angular);
                g += s * (efforts[column] + rotor);
            }
        }
        Ok(g)
    }

    /// v̇ of all bodies: M v̇ = g + Dᵀ λ, D v̇ = γ; `None` if M is not positive definite.
    pub fn accelerations(&self) -> Option<DVector<f64>> {
        let rows = self.matrices.independent_rows();
        let D = self.matrices.D.select_rows(&rows);
        let gamma = DVector::from_iterator(rows.len(), rows.iter().map(|&r| self.bias[r]));
        let M = self.matrices.M.clone().cholesky()?;
        let free = M.solve(&self.loads);
        if rows.is_empty() {
            return Some(free);
        }
        let G = M.solve(&D.transpose());
        let lambda = (&D * &G).cholesky()?.solve(&(gamma - &D * &free));
        Some(free + G * lambda)
    }
}
