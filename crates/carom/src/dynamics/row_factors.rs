//! The constraint rows' part of the articulated sweep (eqs. (2.5) and (2.6) of the book's theory; `factor`).

use super::factor::{Eliminated, Mass};
use super::layout::Layout;
use super::row;
use super::row_roots::{Closed, DIGITS, Passed, RowRoots};
use crate::kinematics::{Frames, Link};
use crate::maths::{ArticulatedInertia, Vec3, Wrench, ldl};
use crate::model::{Model, Row};

/// Whether a wrench on a link pushes on a column by more than round-off: `u` of it, against the whole
/// moment and what rounding the link's place makes of the force.
pub(super) fn pushes(u: f64, w: &Wrench, link: &Link) -> bool {
    let rounding = 1e-12 * w.force.norm() * (link.origin().norm() + link.arm().norm());
    u.abs() > 1e-9 * w.moment.norm() + rounding
}

/// Wrenches K and matrices L of the rows open at each node, and the factors of those that closed.
#[derive(Clone, Debug)]
pub(super) struct RowFactors {
    pub K: Vec<Wrench>,
    L: Vec<f64>,
    pub closed: Vec<f64>,
    pub X: Vec<f64>,
    pub u: Vec<f64>,
    pub order: Vec<u32>,
    pub rank: Vec<usize>,
    /// What each pivot's row keeps beside those before it, as part of its natural size (in pivot order); 1 where the
    /// squares in L tell the rank.
    pub kept: Vec<f64>,
    refined_order: Vec<u32>,
    /// Ranks that L does not tell are found from its square root; `None`: as L tells them.
    roots: Option<RowRoots>,
    scale: Vec<f64>,
    gathered_scale: Vec<f64>,
    work: Vec<f64>,
    column: Vec<f64>,
    eliminated: Vec<Wrench>,
}

impl RowFactors {
    pub fn new(layout: &Layout, fine: bool) -> Self {
        let sizes = layout.sizes;
        let most = layout.nodes.iter().map(|n| n.closing).max().unwrap_or(0);
        Self {
            K: vec![Wrench::zero(); sizes.K],
            L: vec![0.0; sizes.L],
            closed: vec![0.0; sizes.factor],
            X: vec![0.0; sizes.X],
            u: vec![0.0; sizes.u],
            order: vec![0; sizes.order],
            rank: vec![0; layout.nodes.len()],
            kept: vec![1.0; sizes.order],
            refined_order: vec![0; most],
            roots: fine.then(RowRoots::default),
            scale: vec![0.0; layout.rows.len()],
            gathered_scale: vec![0.0; most],
            work: vec![0.0; most],
            column: vec![0.0; most],
            eliminated: vec![Wrench::zero(); most],
        }
    }

    /// Clears the row blocks and enters every row's wrenches and natural size.
    pub fn enter(&mut self, model: &Model, layout: &Layout, frames: &Frames, masses: &[Mass]) {
        for node in layout.nodes.iter().filter(|n| !n.present.is_empty()) {
            let present = node.present.len();
            self.K[node.at_K..node.at_K + present].fill(Wrench::zero());
            self.L[node.at_L..node.at_L + present * present].fill(0.0);
        }
        for (r, row) in layout.rows.iter().enumerate() {
            let Some(wrench) = row::wrench(row, frames) else {
                self.scale[r] = coupling_scale(model, row);
                continue;
            };
            let mut scale = 0.0;
            for (entry, w) in layout.entry[r].iter().zip([&wrench.on_a, &wrench.on_b]) {
                let Some((node, place)) = *entry else { continue };
                let K = &mut self.K[layout.nodes[node].at_K + place];
                K.moment += w.moment;
                K.force += w.force;
                let [force, moment] = masses[node].natural;
                scale += force * w.force.norm_squared() + moment * w.moment.norm_squared();
            }
            self.scale[r] = scale;
        }
    }

    /// u = Kᵀ S + c, then K ← K − U uᵀ/D and L ← L + u uᵀ/D for the rows open at a node: eq. (2.5).
    pub fn eliminate_column(
        &mut self,
        layout: &Layout,
        n: usize,
        column: usize,
        axis: &Vec3,
        own: &Eliminated,
    ) {
        let (U, inverse_D) = (own.U(), own.inverse_D);
        let node = &layout.nodes[n];
        let (open, present, closing) = (node.open(), node.present.len(), node.closing);
        let at_u = node.at_u + (column - node.columns.start) * open;
        let u = &mut self.u[at_u..at_u + open];
        let K = &mut self.K[node.at_K + closing..node.at_K + present];
        if layout.columns[column].angular {
            u.iter_mut().zip(K.iter()).for_each(|(u, K)| *u = K.moment.dot(axis));
        } else {
            u.iter_mut().zip(K.iter()).for_each(|(u, K)| *u = K.force.dot(axis));
        }
        for c in &layout.coefficients[layout.at_coefficient[n]..layout.at_coefficient[n + 1]] {
            if c.column == column {
                u[c.open] += c.value;
            }
        }
        if inverse_D == 0.0 {
            return;
        }
        let L = &mut self.L[node.at_L + closing * present..node.at_L + present * present];
        for ((K, &own), L) in K.iter_mut().zip(u.iter()).zip(L.chunks_exact_mut(present)) {
            let k = own * inverse_D;
            K.moment -= U.moment * k;
            K.force -= U.force * k;
            L[closing..].iter_mut().zip(u.iter()).for_each(|(L, u)| *L += k * u);
        }
    }

    /// Whether a row open at a node pushes on one of its columns by more than round-off of the row's
    /// natural size.
    pub fn push_on(&self, layout: &Layout, n: usize, column: usize, mass: &Mass) -> bool {
        let node = &layout.nodes[n];
        let at_u = node.at_u + (column - node.columns.start) * node.open();
        let per_moment = mass.natural[1];
        let mut rows = self.u[at_u..].iter().zip(node.open_rows());
        rows.any(|(u, row)| u * u * per_moment > 1e-18 * self.scale[*row as usize])
    }

    /// Gives a node's open rows to its parent.
    pub fn hand_up(&mut self, layout: &Layout, n: usize, arm: &Vec3) {
        let node = &layout.nodes[n];
        let parent = &layout.nodes[node.parent];
        let (present, above, closing) = (node.present.len(), parent.present.len(), node.closing);
        // Children stand behind their parents in memory, ground behind all.
        let is_ground = node.parent > n;
        for (o, &up) in node.up.iter().enumerate() {
            if !is_ground {
                let K = self.K[node.at_K + closing + o];
                let target = &mut self.K[parent.at_K + up as usize];
                target.moment += K.moment + arm.cross(&K.force);
                target.force += K.force;
            }
            let from = node.at_L + (closing + o) * present + closing;
            let to = parent.at_L + up as usize * above;
            for (p, &up_p) in node.up.iter().enumerate() {
                let value = self.L[from + p];
                self.L[to + up_p as usize] += value;
            }
        }
    }

    /// Eliminates the rows that close at a node.
    pub fn close(
        &mut self,
        layout: &Layout,
        n: usize,
        (frames, columns): (&Frames, &[Eliminated]),
        I: &mut ArticulatedInertia,
    ) {
        let node = &layout.nodes[n];
        let (closing, open, present) = (node.closing, node.open(), node.present.len());
        let A = &mut self.closed[node.at_factor..node.at_factor + closing * closing];
        let L = &mut self.L[node.at_L..node.at_L + present * present];
        for (k, (A, L)) in A.chunks_exact_mut(closing).zip(L.chunks_exact(present)).enumerate() {
            self.gathered_scale[k] = self.scale[node.present[k] as usize];
            A.copy_from_slice(&L[..closing]);
        }
        let order = &mut self.order[node.at_order..node.at_order + closing];
        let mut rank = ldl::factorise(A, closing, &self.gathered_scale[..closing], order);
        if let Some(roots) = &mut self.roots {
            let kept = &mut self.kept[node.at_order..node.at_order + closing];
            let few_digits = (0..rank)
                .any(|i| A[i * closing + i] < DIGITS * self.gathered_scale[order[i] as usize]);
            if few_digits || rank < closing {
                let passed = Passed {
                    layout,
                    frames,
                    columns,
                    u: &self.u,
                    order: &self.order,
                    rank: &self.rank,
                    scale: &self.scale,
                };
                let order = &mut self.refined_order[..closing];
                rank = roots.factorise(&passed, n, &mut Closed { factor: A, order, kept });
                self.order[node.at_order..node.at_order + closing].copy_from_slice(order);
            } else {
                kept.fill(1.0);
            }
        }
        self.rank[n] = rank;
        let order = &self.order[node.at_order..node.at_order + closing];
        // X = L_kk⁺ L_ko
        let X = &mut self.X[node.at_X..node.at_X + closing * open];
        for o in 0..open {
            for k in 0..closing {
                self.column[k] = L[k * present + closing + o];
            }
            ldl::solve(A, closing, rank, order, &mut self.column, &mut self.work);
            for k in 0..closing {
                X[k * open + o] = self.column[k];
            }
        }
        if n >= layout.slim.len() {
            return;
        }
        // I ← I + K_k L_kk⁺ K_kᵀ, in the factors' own basis.
        let (K_closing, K_open) = self.K[node.at_K..node.at_K + present].split_at_mut(closing);
        for i in 0..rank {
            let mut y = K_closing[order[i] as usize];
            for j in 0..i {
                let l = A[i * closing + j];
                y.moment -= self.eliminated[j].moment * l;
                y.force -= self.eliminated[j].force * l;
            }
            self.eliminated[i] = y;
            I.add_square(1.0 / A[i * closing + i], &y);
        }
        for (o, target) in K_open.iter_mut().enumerate() {
            for (k, K) in K_closing.iter().enumerate() {
                let x = X[k * open + o];
                target.moment -= K.moment * x;
                target.force -= K.force * x;
            }
            for p in 0..open {
                let sum: f64 =
                    (0..closing).map(|k| L[k * present + closing + p] * X[k * open + o]).sum();
                L[(closing + o) * present + closing + p] -= sum;
            }
        }
    }
}

/// Natural size of a coupling's mobility: Σ c² over the inertia of each joint's own body.
fn coupling_scale(model: &Model, row: &Row) -> f64 {
    let Row::Coupling { terms, .. } = row else { return 0.0 };
    terms
        .iter()
        .map(|t| {
            let body = &model.bodies[t.body.index()];
            let c = t.v - body.joint.v;
            let own = if body.joint.kind.is_angular(c) {
                body.scale.about_origin.trace() / 3.0
            } else {
                body.scale.mass
            };
            t.coefficient * t.coefficient / (own + body.joint.rotor[c]).max(f64::MIN_POSITIVE)
        })
        .sum()
}
