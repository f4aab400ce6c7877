//! Contacts that stay: forces that hold rows at rest.
//!
//! With v̇ = v̇_free + Y Bᵀ F the rows' accelerations are u̇ = u̇_free + W F, W = A Y Bᵀ. A row is held by a force along itself
//! (B = A), or, where the contact slides, by a normal force and the friction that goes with it. In a given mode u̇ = 0; which
//! contacts stay is decided by 0 ≤ F_N ⟂ u̇ ≥ 0.

use crate::contact::IMMOBILE;
use crate::dynamics::{Excitation, Forward, Layout, Posture, Refinement, RowWrench, Solution};
use crate::maths::cone::{ConeSolver, ContactPoint, ContactProblem, RankRevealing};
use crate::maths::ldl;
use crate::maths::zero;
use crate::maths::{Twist, Wrench};
use crate::model::Place;
use crate::simulate::system::MotionError;
use crate::simulate::system::sharing::Sharing;

/// The most rows of a spot: its normal and two tangents.
const ROWS: usize = 3;

/// A row that is held.
#[derive(Clone, Copy, Debug)]
pub(in crate::simulate) struct Held {
    /// The spot.
    pub spot: usize,
    /// 0 for the normal, 1 and 2 for tangents.
    pub part: usize,
    /// A.
    pub row: RowWrench,
    /// B.
    pub push: RowWrench,
    /// Whether friction of a slide goes with the force.
    pub slides: bool,
}

impl Held {
    /// A normal row without friction.
    pub fn normal(spot: usize, row: RowWrench) -> Self {
        Self { spot, part: 0, row, push: row, slides: false }
    }

    /// A tangent of a contact that sticks.
    pub fn tangent(spot: usize, part: usize, row: RowWrench) -> Self {
        Self { part, ..Self::normal(spot, row) }
    }
}

/// Memory for the rows that may stay.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct ConstraintForces {
    /// Y Bᵀ of each row.
    responses: Vec<Solution>,
    wrenches: Vec<Wrench>,
    twists: Vec<Twist>,
    refinement: Refinement,
    /// The rows in force.
    held: Vec<Held>,
    W: Vec<f64>,
    free: Vec<f64>,
    cone: ConeSolver,
    ranked: RankRevealing,
    /// By row in force.
    found: Vec<f64>,
    sharing: Sharing,
    /// By spot.
    forces: Vec<[f64; ROWS]>,
}

impl ConstraintForces {
    pub fn new(layout: &Layout, spots: usize) -> Self {
        let bodies = layout.bodies();
        Self {
            responses: Vec::new(),
            wrenches: vec![Wrench::zero(); bodies],
            twists: vec![Twist::zero(); bodies],
            refinement: Refinement::new(layout),
            held: Vec::new(),
            W: Vec::new(),
            free: Vec::new(),
            cone: ConeSolver::default(),
            ranked: RankRevealing::default(),
            found: Vec::new(),
            sharing: Sharing::new(0),
            forces: vec![[0.0; ROWS]; spots],
        }
    }

    /// F_N of a spot.
    pub fn force(&self, k: usize) -> f64 {
        self.forces[k][0]
    }

    /// Whether F_N of a spot is unique: no other forces of the contacts give the same motion.
    pub fn is_unique(&self, k: usize) -> bool {
        let m = self.held.len();
        let mut normals = (0..m).filter(|i| self.held[*i].spot == k && self.held[*i].part == 0);
        !normals.any(|i| self.sharing.is_open(i, m))
    }

    /// Forces along the tangents of a spot that sticks.
    pub fn grip(&self, k: usize) -> [f64; 2] {
        [self.forces[k][1], self.forces[k][2]]
    }

    /// The rows in force, with their forces.
    pub fn held(&self) -> impl Iterator<Item = (&Held, f64)> {
        self.held.iter().zip(self.found.iter().copied())
    }

    /// W of the rows in force, by rows.
    pub fn W(&self) -> &[f64] {
        let m = self.held.len();
        &self.W[..m * m]
    }

    /// No rows.
    pub fn clear(&mut self) {
        self.held.clear();
    }

    /// One more row.
    pub fn hold_row(&mut self, held: Held) {
        self.held.push(held);
    }

    /// The normals of some spots.
    fn choose(&mut self, rows: &[RowWrench], chosen: &dyn Fn(usize) -> bool) {
        self.clear();
        let spots = (0..rows.len()).filter(|k| chosen(*k));
        self.held.extend(spots.map(|k| Held::normal(k, rows[k])));
    }

    /// W and the responses of the rows in force.
    pub fn prepare(&mut self, at: &Posture<'_>) {
        let m = self.held.len();
        self.reserve(at.layout(), m);
        for j in 0..m {
            self.wrenches.fill(Wrench::zero());
            self.held[j].push.add_to(&mut self.wrenches, 1.0);
            let given = Excitation { wrenches: &self.wrenches, ..Excitation::default() };
            at.solve_into(&given, &mut self.refinement, &mut self.responses[j]);
            at.twists_into(&self.responses[j].x, &mut self.twists);
            if self.is_immobile(at, j) {
                self.responses[j].x.fill(0.0);
                self.twists.fill(Twist::zero());
            }
            let twists = &self.twists;
            let of = |place: Place| place.map_or_else(Twist::zero, |b| twists[b.index()]);
            for (i, held) in self.held.iter().enumerate() {
                self.W[i * m + j] = held.row.rate(&of(held.row.a), &of(held.row.b));
            }
        }
        for j in 0..m {
            if !self.held[j].slides && self.W[j * m + j] == 0.0 {
                self.W[j * m..(j + 1) * m].fill(0.0);
            }
        }
    }

    /// Memory for so many rows: it follows what is held, not what the model states.
    fn reserve(&mut self, layout: &Layout, rows: usize) {
        if self.responses.len() < rows {
            self.responses.resize_with(rows, || Solution::new(layout));
            self.W.resize(rows * rows, 0.0);
            self.free.resize(rows, 0.0);
            self.found.resize(rows, 0.0);
            self.sharing = Sharing::new(rows);
        }
    }

    /// Whether nothing can move along a row, with its response and its twists at hand: its W and what it moves are exactly zero then, and
    /// round-off is not divided by round-off.
    fn is_immobile(&self, at: &Posture<'_>, j: usize) -> bool {
        let Held { row, slides, .. } = &self.held[j];
        let of = |place: Place| place.map_or_else(Twist::zero, |b| self.twists[b.index()]);
        let W = row.rate(&of(row.a), &of(row.b));
        let free = row.free_mobility(at.model(), at.frames());
        // As a product of A and Y Aᵀ, W is known to round-off only; as a sum of squares it keeps its digits.
        !slides
            // A larger mobility is not zero, whatever the round-off of the product.
            && W <= zero::SOLVED * free
            && 2.0 * at.kinetic_form(&self.twists, &self.responses[j].x) <= IMMOBILE * free
    }

    /// Forces that hold the rows in force, added to the accelerations. `free` gives u̇ of a row without them, `limit` μ_s of a spot.
    /// Tangents that depend on each other move nothing, however they share: without limits they share as springs do.
    pub fn hold(
        &mut self,
        at: &Posture<'_>,
        work: &mut Forward,
        free: &dyn Fn(&Held) -> Result<f64, MotionError>,
        limit: Option<&dyn Fn(usize) -> f64>,
    ) -> Result<(), MotionError> {
        self.prepare(at);
        let m = self.held.len();
        for i in 0..m {
            self.free[i] = free(&self.held[i])?;
        }
        let Self { W, free, found, held, sharing, .. } = self;
        let (W, free, found) = (&W[..m * m], &free[..m], &mut found[..m]);
        if m < 2 {
            sharing.clear();
        }
        if m == 1 {
            found[0] = if W[0] == 0.0 { 0.0 } else { -free[0] / W[0] };
        } else if m > 1
            && sharing.solve(W, free, found) > 0
            && let Some(limit) = limit
        {
            sharing.keep(held, limit, found);
        }
        self.spread();
        for (response, force) in self.responses.iter().zip(&self.found[..m]) {
            let solution = &mut work.solution;
            solution.x.iter_mut().zip(&response.x).for_each(|(x, r)| *x += force * r);
            let multipliers = solution.multipliers.iter_mut().zip(&response.multipliers);
            multipliers.for_each(|(x, r)| *x += force * r);
        }
        Ok(())
    }

    /// 0 ≤ p ⟂ W p + c ≥ 0 over the normals of the chosen spots: accelerations and forces, or velocities and impulses. Among forces that are not
    /// unique they are those of equally soft contacts. Whether there is an answer.
    pub fn complementary(
        &mut self,
        at: &Posture<'_>,
        rows: &[RowWrench],
        chosen: &dyn Fn(usize) -> bool,
        c: &dyn Fn(usize) -> f64,
    ) -> bool {
        self.choose(rows, chosen);
        self.prepare(at);
        let c: Vec<f64> = self.held.iter().map(|held| c(held.spot)).collect();
        self.solve_contacts(&vec![ContactPoint::SMOOTH; c.len()], &c)
    }

    /// Solves the contact problem u = W p + c over the rows in force, each point's rows one after the other (see [`ContactProblem`]). Whether
    /// there is an answer; forces below `zero::EVALUATED` of the largest are zero.
    pub fn solve_contacts(&mut self, points: &[ContactPoint], c: &[f64]) -> bool {
        let m = self.held.len();
        let Self { cone, W, found, .. } = self;
        let solved = cone.solve(&ContactProblem { points, W: &W[..m * m], c, round_off: 0.0 });
        let strongest = cone.impulses.iter().fold(0.0_f64, |most, p| most.max(p.abs()));
        let nothing = |p: f64| p.abs() <= zero::EVALUATED * strongest;
        for (found, p) in found.iter_mut().zip(&cone.impulses) {
            *found = if nothing(*p) { 0.0 } else { *p };
        }
        self.spread();
        solved.is_ok()
    }

    /// u = W p + c of the contact problem solved last, by row in force.
    pub fn velocities(&self) -> &[f64] {
        &self.cone.velocities
    }

    /// W p + c = 0 over the normals of the chosen spots.
    pub fn still(
        &mut self,
        at: &Posture<'_>,
        rows: &[RowWrench],
        chosen: &dyn Fn(usize) -> bool,
        c: &dyn Fn(usize) -> f64,
    ) {
        self.choose(rows, chosen);
        self.prepare(at);
        self.still_held(&|held| c(held.spot));
    }

    /// W p + c = 0 over the rows in force.
    pub fn still_held(&mut self, c: &dyn Fn(&Held) -> f64) {
        let m = self.held.len();
        let Self { held, found, W, ranked, .. } = self;
        for (found, held) in found.iter_mut().zip(held.iter()) {
            *found = -c(held);
        }
        ranked.factorise(&W[..m * m], m, ldl::TOLERANCE);
        ranked.solve(&mut found[..m]);
        self.spread();
    }

    /// W K W p + c = 0 over the normals of the chosen spots, K a stiffness of each.
    pub fn still_through(
        &mut self,
        at: &Posture<'_>,
        rows: &[RowWrench],
        chosen: &dyn Fn(usize) -> bool,
        c: &dyn Fn(usize) -> f64,
        stiffness: &dyn Fn(usize) -> f64,
    ) {
        self.choose(rows, chosen);
        self.prepare(at);
        let m = self.held.len();
        let W = self.W[..m * m].to_vec();
        for i in 0..m {
            for j in 0..m {
                let through = self.held.iter().enumerate();
                self.W[i * m + j] = through
                    .map(|(l, held)| W[i * m + l] * stiffness(held.spot) * W[l * m + j])
                    .sum();
            }
        }
        self.still_held(&|held| c(held.spot));
    }

    /// Takes these impulses of the rows in force.
    pub fn take(&mut self, impulses: &[f64]) {
        let m = self.held.len();
        self.found[..m].copy_from_slice(impulses);
        self.spread();
    }

    /// Velocity change Y Bᵀ p of the impulses found last.
    pub fn add_change(&self, v: &mut [f64]) {
        for (response, p) in self.responses.iter().zip(&self.found[..self.held.len()]) {
            v.iter_mut().zip(&response.x).for_each(|(v, r)| *v += p * r);
        }
    }

    /// From rows in force to spots.
    fn spread(&mut self) {
        self.forces.fill([0.0; ROWS]);
        for (held, found) in self.held.iter().zip(&self.found) {
            self.forces[held.spot][held.part] = *found;
        }
    }
}
