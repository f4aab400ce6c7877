//! Contacts that stay: forces F_N that hold rows at rest.
//!
//! With v̇ = v̇_free + Y Aᵀ F_N the rows' accelerations are u̇ = u̇_free + W F_N, W = A Y Aᵀ. In a given mode u̇ = 0; which
//! contacts stay is decided by 0 ≤ F_N ⟂ u̇ ≥ 0.

use super::motion::MotionError;
use crate::dynamics::{Excitation, Forward, Layout, Posture, Refinement, RowWrench, Solution};
use crate::maths::lcp::Complementarity;
use crate::maths::{Twist, Wrench};
use crate::model::Place;

/// Memory for the rows that may stay.
#[derive(Clone, Debug)]
pub(super) struct Staying {
    /// Y Aᵀ of each row.
    responses: Vec<Solution>,
    wrenches: Vec<Wrench>,
    twists: Vec<Twist>,
    refinement: Refinement,
    /// The rows in force.
    chosen: Vec<usize>,
    W: Vec<f64>,
    free: Vec<f64>,
    solver: Complementarity,
    forces: Vec<f64>,
}

impl Staying {
    pub fn new(layout: &Layout, spots: usize) -> Self {
        let bodies = layout.bodies();
        Self {
            responses: vec![Solution::new(layout); spots],
            wrenches: vec![Wrench::zero(); bodies],
            twists: vec![Twist::zero(); bodies],
            refinement: Refinement::new(layout),
            chosen: Vec::with_capacity(spots),
            W: vec![0.0; spots * spots],
            free: vec![0.0; spots],
            solver: Complementarity::new(spots),
            forces: vec![0.0; spots],
        }
    }

    /// F_N of a spot.
    pub fn force(&self, k: usize) -> f64 {
        self.forces[k]
    }

    /// W and the responses of the chosen rows.
    fn prepare(&mut self, at: &Posture<'_>, rows: &[RowWrench], chosen: &dyn Fn(usize) -> bool) {
        self.chosen.clear();
        self.chosen.extend((0..rows.len()).filter(|k| chosen(*k)));
        let m = self.chosen.len();
        for (j, &k) in self.chosen.iter().enumerate() {
            self.wrenches.fill(Wrench::zero());
            rows[k].add_to(&mut self.wrenches, 1.0);
            let given = Excitation { wrenches: &self.wrenches, ..Excitation::default() };
            at.solve_into(&given, &mut self.refinement, &mut self.responses[k]);
            at.twists_into(&self.responses[k].x, &mut self.twists);
            let twists = &self.twists;
            let of = |place: Place| place.map_or_else(Twist::zero, |b| twists[b.index()]);
            for (i, &l) in self.chosen.iter().enumerate() {
                self.W[i * m + j] = rows[l].rate(&of(rows[l].a), &of(rows[l].b));
            }
        }
    }

    /// Forces that hold the rows of a mode, added to the accelerations.
    pub fn hold(
        &mut self,
        at: &Posture<'_>,
        work: &mut Forward,
        rows: &[RowWrench],
        stays: &dyn Fn(usize) -> bool,
        free: &dyn Fn(usize) -> Result<f64, MotionError>,
    ) -> Result<(), MotionError> {
        self.prepare(at, rows, stays);
        let m = self.chosen.len();
        for (i, &k) in self.chosen.iter().enumerate() {
            self.free[i] = free(k)?;
        }
        self.solver.equality(&self.W[..m * m], &self.free[..m], &mut self.forces[..m]);
        self.spread(m);
        for &k in &self.chosen {
            let force = self.forces[k];
            let response = &self.responses[k];
            work.solution.x.iter_mut().zip(&response.x).for_each(|(x, r)| *x += force * r);
            let multipliers = work.solution.multipliers.iter_mut().zip(&response.multipliers);
            multipliers.for_each(|(x, r)| *x += force * r);
        }
        Ok(())
    }

    /// 0 ≤ p ⟂ W p + c ≥ 0 over the chosen rows: accelerations and forces, or velocities and impulses. `forces` are p.
    pub fn complementary(
        &mut self,
        at: &Posture<'_>,
        rows: &[RowWrench],
        chosen: &dyn Fn(usize) -> bool,
        c: &dyn Fn(usize) -> f64,
    ) -> bool {
        self.complementary_softly(at, rows, chosen, c, 0.0)
    }

    /// The same with rows that give way a little under their own force, in parts of the largest W_kk: among forces that are not
    /// unique this picks those of equal springs.
    pub fn complementary_softly(
        &mut self,
        at: &Posture<'_>,
        rows: &[RowWrench],
        chosen: &dyn Fn(usize) -> bool,
        c: &dyn Fn(usize) -> f64,
        give: f64,
    ) -> bool {
        self.prepare(at, rows, chosen);
        let m = self.chosen.len();
        let largest = (0..m).map(|i| self.W[i * m + i]).fold(0.0, f64::max);
        for i in 0..m {
            self.W[i * m + i] += give * largest;
        }
        for (i, &k) in self.chosen.iter().enumerate() {
            self.free[i] = c(k);
        }
        let solved =
            self.solver.solve(&self.W[..m * m], &self.free[..m], &mut self.forces[..m]).is_some();
        self.spread(m);
        solved
    }

    /// W p + c = 0 over the chosen rows.
    pub fn still(
        &mut self,
        at: &Posture<'_>,
        rows: &[RowWrench],
        chosen: &dyn Fn(usize) -> bool,
        c: &dyn Fn(usize) -> f64,
    ) {
        self.prepare(at, rows, chosen);
        let m = self.chosen.len();
        for (i, &k) in self.chosen.iter().enumerate() {
            self.free[i] = c(k);
        }
        self.solver.equality(&self.W[..m * m], &self.free[..m], &mut self.forces[..m]);
        self.spread(m);
    }

    /// W K W p + c = 0 over the chosen rows, K a stiffness of each.
    pub fn still_through(
        &mut self,
        at: &Posture<'_>,
        rows: &[RowWrench],
        chosen: &dyn Fn(usize) -> bool,
        c: &dyn Fn(usize) -> f64,
        stiffness: &dyn Fn(usize) -> f64,
    ) {
        self.prepare(at, rows, chosen);
        let m = self.chosen.len();
        let W = self.W[..m * m].to_vec();
        for i in 0..m {
            for j in 0..m {
                let through = self.chosen.iter().enumerate();
                self.W[i * m + j] =
                    through.map(|(l, &k)| W[i * m + l] * stiffness(k) * W[l * m + j]).sum();
            }
            self.free[i] = c(self.chosen[i]);
        }
        self.solver.equality(&self.W[..m * m], &self.free[..m], &mut self.forces[..m]);
        self.spread(m);
    }

    /// Velocity change Y Aᵀ p of the impulses found last.
    pub fn add_change(&self, v: &mut [f64]) {
        for &k in &self.chosen {
            v.iter_mut().zip(&self.responses[k].x).for_each(|(v, r)| *v += self.forces[k] * r);
        }
    }

    /// From the order of the chosen rows to that of the spots.
    fn spread(&mut self, m: usize) {
        self.forces[m..].fill(0.0);
        for i in (0..m).rev() {
            let value = self.forces[i];
            let k = self.chosen[i];
            if k != i {
                self.forces[i] = 0.0;
            }
            self.forces[k] = value;
        }
    }
}
