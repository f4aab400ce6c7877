//! The articulated sweep: from the tips to the base, every joint and every loop eliminated.
//!
//! At a body, the motion of all that hangs on it is minimised away. What remains is a quadratic
//! function of the body's own motion V and of the multipliers λ of the rows open there,
//!
//! ```text
//! Φ(V, λ) = ½ Vᵀ I V − (p + K λ)ᵀ V − ½ λᵀ L λ − λᵀ (l − γ)
//! ```
//!
//! A joint column S (unit rotation or translation, rotor inertia r) is eliminated by
//!
//! ```text
//! U = I S   D = Sᵀ U + r   u = Kᵀ S + c      I ← I − U Uᵀ/D   K ← K − U uᵀ/D   L ← L + u uᵀ/D
//! ```
//!
//! and the rows k that close at a body by
//!
//! ```text
//! X = L_kk⁻¹ L_ko      I ← I + K_k L_kk⁻¹ K_kᵀ   K_o ← K_o − K_k X   L_oo ← L_oo − L_ok X
//! ```
//!
//! with a rank-revealing L_kk⁻¹: if λ in the null space of L_kk moves nothing, K_k λ = 0 as well.
//! Trees cost O(n); loops cost in proportion to the rows open at each body. M is never formed.

use super::error::DynamicsError;
use super::layout::Layout;
use super::row;
use crate::kinematics::Frames;
use crate::maths::inertia::Symmetric;
use crate::maths::{ArticulatedInertia, Vec3, Wrench, ldl};
use crate::model::Model;

/// A joint's inertia below this part of the body's own counts as none.
const NO_INERTIA: f64 = 1e-15;

/// Body constants of the sweep, in link axes.
#[derive(Clone, Copy, Debug)]
struct Mass {
    mass: f64,
    first_moment: Vec3,
    rotation: Symmetric,
}

/// The factors of one state.
#[derive(Clone, Debug)]
pub struct Factor {
    masses: Vec<Mass>,
    inertia: Vec<ArticulatedInertia>,
    pub(super) U: Vec<Wrench>,
    pub(super) inverse_D: Vec<f64>,
    pub(super) K: Vec<Wrench>,
    L: Vec<f64>,
    pub(super) closed: Vec<f64>,
    pub(super) X: Vec<f64>,
    pub(super) u: Vec<f64>,
    pub(super) order: Vec<u32>,
    pub(super) rank: Vec<usize>,
    scale: Vec<f64>,
    gathered_scale: Vec<f64>,
    work: Vec<f64>,
    column: Vec<f64>,
    eliminated: Vec<Wrench>,
}

impl Factor {
    /// Memory for a model and its rows.
    pub fn new(model: &Model, layout: &Layout) -> Self {
        let sizes = layout.sizes;
        let most = layout.nodes.iter().map(|n| n.closing).max().unwrap_or(0);
        Self {
            masses: model
                .bodies
                .iter()
                .map(|b| Mass {
                    mass: b.inertia.mass,
                    first_moment: b.inertia.center * b.inertia.mass,
                    rotation: Symmetric::of(&b.inertia.about_origin),
                })
                .collect(),
            inertia: vec![ArticulatedInertia::zero(); model.bodies.len()],
            U: vec![Wrench::zero(); model.nv],
            inverse_D: vec![0.0; model.nv],
            K: vec![Wrench::zero(); sizes.K],
            L: vec![0.0; sizes.L],
            closed: vec![0.0; sizes.factor],
            X: vec![0.0; sizes.X],
            u: vec![0.0; sizes.u],
            order: vec![0; sizes.order],
            rank: vec![0; layout.nodes.len()],
            scale: vec![0.0; layout.rows.len()],
            gathered_scale: vec![0.0; most],
            work: vec![0.0; most],
            column: vec![0.0; most],
            eliminated: vec![Wrench::zero(); most],
        }
    }

    /// Eliminates all joints and loops at the given frames.
    pub fn update(
        &mut self,
        model: &Model,
        layout: &Layout,
        frames: &Frames,
    ) -> Result<(), DynamicsError> {
        for (own, (mass, link)) in
            self.inertia.iter_mut().zip(self.masses.iter().zip(frames.links()))
        {
            let R = &link.rotation;
            let rotation = mass.rotation.rotated(R);
            *own = ArticulatedInertia::rigid(mass.mass, &(R * mass.first_moment), rotation);
        }
        if !layout.rows.is_empty() {
            self.enter_rows(model, layout, frames);
        }
        for n in (0..model.bodies.len()).rev() {
            let node = &layout.nodes[n];
            if node.closing > 0 {
                self.close(layout, n);
            }
            let mut I = self.inertia[n];
            for column in node.columns.clone().rev() {
                let axis = frames.axis(column);
                let (U, D) = if layout.angular[column] {
                    let U = I.times_rotation(axis);
                    (U, axis.dot(&U.moment) + layout.rotor[column])
                } else {
                    let U = I.times_translation(axis);
                    (U, axis.dot(&U.force) + layout.rotor[column])
                };
                self.U[column] = U;
                let inverse_D = if layout.free[column] {
                    let own = if layout.angular[column] {
                        I.rotation.0[0] + I.rotation.0[3] + I.rotation.0[5]
                    } else {
                        I.mass.0[0] + I.mass.0[3] + I.mass.0[5]
                    };
                    if !(D > NO_INERTIA * own) {
                        return Err(no_inertia(model, n, column));
                    }
                    1.0 / D
                } else {
                    0.0
                };
                self.inverse_D[column] = inverse_D;
                if inverse_D != 0.0 {
                    I.add_square(-inverse_D, &U);
                }
                if node.open() > 0 {
                    self.eliminate_column(layout, n, column, frames);
                }
            }
            let link = &frames.links()[n];
            if node.parent < model.bodies.len() {
                let shifted = I.shifted(&link.arm);
                self.inertia[node.parent].add(&shifted);
            }
            if node.open() > 0 {
                self.hand_up(layout, n, &link.arm, model.bodies.len());
            }
        }
        if layout.nodes[model.bodies.len()].closing > 0 {
            self.close(layout, model.bodies.len());
        }
        Ok(())
    }

    /// Clears the row blocks and enters every row's wrenches and natural size.
    fn enter_rows(&mut self, model: &Model, layout: &Layout, frames: &Frames) {
        self.K.fill(Wrench::zero());
        self.L.fill(0.0);
        for (r, row) in layout.rows.iter().enumerate() {
            let Some(wrench) = row::wrench(row, frames) else {
                self.scale[r] = coupling_scale(model, row);
                continue;
            };
            self.scale[r] = wrench.free_mobility(model, frames);
            for (entry, w) in layout.entry[r].iter().zip([wrench.on_a, wrench.on_b]) {
                let Some((node, place)) = *entry else { continue };
                let K = &mut self.K[layout.nodes[node].at_K + place];
                K.moment += w.moment;
                K.force += w.force;
            }
        }
    }

    /// u = Kᵀ S + c, then K ← K − U uᵀ/D and L ← L + u uᵀ/D for the rows open at a node.
    fn eliminate_column(&mut self, layout: &Layout, n: usize, column: usize, frames: &Frames) {
        let node = &layout.nodes[n];
        let (open, present) = (node.open(), node.present.len());
        let axis = frames.axis(column);
        let angular = layout.angular[column];
        let at_u = node.at_u + (column - node.columns.start) * open;
        let first = node.at_K + node.closing;
        for o in 0..open {
            let K = &self.K[first + o];
            self.u[at_u + o] = if angular { K.moment.dot(axis) } else { K.force.dot(axis) };
        }
        for c in &layout.coefficients[layout.at_coefficient[n]..layout.at_coefficient[n + 1]] {
            if c.column == column {
                self.u[at_u + c.open] += c.value;
            }
        }
        let inverse_D = self.inverse_D[column];
        if inverse_D == 0.0 {
            return;
        }
        let U = self.U[column];
        for o in 0..open {
            let k = self.u[at_u + o] * inverse_D;
            let K = &mut self.K[first + o];
            K.moment -= U.moment * k;
            K.force -= U.force * k;
            let block = node.at_L + (node.closing + o) * present + node.closing;
            for p in 0..open {
                self.L[block + p] += k * self.u[at_u + p];
            }
        }
    }

    /// Gives a node's open rows to its parent.
    fn hand_up(&mut self, layout: &Layout, n: usize, arm: &Vec3, ground: usize) {
        let node = &layout.nodes[n];
        let parent = &layout.nodes[node.parent];
        let (present, above) = (node.present.len(), parent.present.len());
        for (o, &up) in node.up.iter().enumerate() {
            let up = up as usize;
            if node.parent != ground {
                let K = self.K[node.at_K + node.closing + o];
                let target = &mut self.K[parent.at_K + up];
                target.moment += K.moment + arm.cross(&K.force);
                target.force += K.force;
            }
            for (p, &up_p) in node.up.iter().enumerate() {
                let value = self.L[node.at_L + (node.closing + o) * present + node.closing + p];
                self.L[parent.at_L + up * above + up_p as usize] += value;
            }
        }
    }

    /// Eliminates the rows that close at a node.
    fn close(&mut self, layout: &Layout, n: usize) {
        let node = &layout.nodes[n];
        let (closing, open, present) = (node.closing, node.open(), node.present.len());
        let factor = node.at_factor..node.at_factor + closing * closing;
        for k in 0..closing {
            self.gathered_scale[k] = self.scale[node.present[k] as usize];
            let row = node.at_L + k * present;
            for j in 0..closing {
                self.closed[node.at_factor + k * closing + j] = self.L[row + j];
            }
        }
        let order = &mut self.order[node.at_order..node.at_order + closing];
        let scale = &self.gathered_scale[..closing];
        let rank = ldl::factorise(&mut self.closed[factor.clone()], closing, scale, order);
        self.rank[n] = rank;
        let A = &self.closed[factor];
        // X = L_kk⁺ L_ko
        for o in 0..open {
            for k in 0..closing {
                self.column[k] = self.L[node.at_L + k * present + closing + o];
            }
            ldl::solve(A, closing, rank, order, &mut self.column, &mut self.work);
            for k in 0..closing {
                self.X[node.at_X + k * open + o] = self.column[k];
            }
        }
        if n + 1 == layout.nodes.len() {
            return;
        }
        // I ← I + K_k L_kk⁺ K_kᵀ, in the factors' own basis.
        for i in 0..rank {
            let mut y = self.K[node.at_K + order[i] as usize];
            for j in 0..i {
                let l = A[i * closing + j];
                y.moment -= self.eliminated[j].moment * l;
                y.force -= self.eliminated[j].force * l;
            }
            self.eliminated[i] = y;
            self.inertia[n].add_square(1.0 / A[i * closing + i], &y);
        }
        for o in 0..open {
            for k in 0..closing {
                let x = self.X[node.at_X + k * open + o];
                let K = self.K[node.at_K + k];
                let target = &mut self.K[node.at_K + closing + o];
                target.moment -= K.moment * x;
                target.force -= K.force * x;
            }
            for p in 0..open {
                let mut sum = 0.0;
                for k in 0..closing {
                    sum += self.L[node.at_L + k * present + closing + p]
                        * self.X[node.at_X + k * open + o];
                }
                self.L[node.at_L + (closing + o) * present + closing + p] -= sum;
            }
        }
    }

    /// How many rows are independent.
    pub fn constraint_rank(&self) -> usize {
        self.rank.iter().sum()
    }

    /// Rows that depend on others at this state.
    pub fn dependent_rows(&self, layout: &Layout) -> Vec<usize> {
        let mut rows = Vec::new();
        for (n, node) in layout.nodes.iter().enumerate() {
            let order = &self.order[node.at_order..node.at_order + node.closing];
            rows.extend(order[self.rank[n]..].iter().map(|&k| node.present[k as usize] as usize));
        }
        rows.sort_unstable();
        rows
    }
}

/// Natural size of a coupling's mobility: Σ c² over the inertia of each joint's own body.
fn coupling_scale(model: &Model, row: &crate::model::Row) -> f64 {
    let crate::model::Row::Coupling { terms, .. } = row else { return 0.0 };
    terms
        .iter()
        .map(|t| {
            let body = &model.bodies[t.body.index()];
            let c = t.v - body.joint.v;
            let own = if body.joint.kind.is_angular(c) {
                body.inertia.about_origin.trace() / 3.0
            } else {
                body.inertia.mass
            };
            t.coefficient * t.coefficient / (own + body.joint.rotor[c]).max(f64::MIN_POSITIVE)
        })
        .sum()
}

fn no_inertia(model: &Model, n: usize, column: usize) -> DynamicsError {
    let joint = &model.bodies[n].joint;
    DynamicsError::NoInertia {
        joint: joint.name.clone(),
        coordinate: joint.kind.coordinate_names()[column - joint.v].to_owned(),
    }
}
