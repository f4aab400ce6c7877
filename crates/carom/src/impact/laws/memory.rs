//! The steps laws are made of, and the memory they need.

use super::ImpactError;
use super::alone::painleve;
use super::problem::{ImpactFriction, ImpactProblem};
use super::solution::{ContactMode, FrictionForm, ImpactSolution};
use crate::maths::cone::{
    Admissible, ConeSolver, ContactPoint, ContactProblem, NoAnswer, RankRevealing,
};
use crate::maths::ldl;
use crate::maths::zero;

/// Memory of the laws. It grows to the largest problem seen; solving one of the same size again allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct ImpactMemory {
    /// The row of each contact's normal.
    pub(super) first: Vec<usize>,
    /// W over the normals, by rows.
    pub(super) W: Vec<f64>,
    /// u of the normals.
    pub(super) u: Vec<f64>,
    /// What normals are aimed from.
    pub(super) c: Vec<f64>,
    /// Impulses of normals.
    pub(super) p: Vec<f64>,
    /// The contacts of a part, its W, u and impulses.
    part: Vec<usize>,
    part_W: Vec<f64>,
    part_u: Vec<f64>,
    part_p: Vec<f64>,
    /// A list of all rows.
    pub(super) rows: Vec<f64>,
    /// Largest |u⁻| of all rows.
    pub(super) fastest: f64,
    /// Largest |u| of a normal.
    pub(super) size: f64,
    /// For rows that depend on each other.
    ranked: RankRevealing,
    /// The solver of the contact problem, and its points.
    pub(super) cone: ConeSolver,
    points: Vec<ContactPoint>,
}

fn fit(list: &mut Vec<f64>, n: usize) {
    list.clear();
    list.resize(n, 0.0);
}

impl ImpactMemory {
    /// Takes a problem up: rows, W of the normals, the momentum test.
    pub(super) fn begin(&mut self, impact: &ImpactProblem<'_>, out: &mut ImpactSolution) {
        let (k, n) = (impact.contacts().len(), impact.rows());
        out.clear(k, n);
        self.first.clear();
        let mut row = 0;
        for contact in impact.contacts() {
            self.first.push(row);
            row += contact.rows();
        }
        for list in [&mut self.u, &mut self.c, &mut self.p] {
            fit(list, k);
        }
        fit(&mut self.rows, n);
        fit(&mut self.W, k * k);
        for (i, &x) in self.first.iter().enumerate() {
            for (j, &y) in self.first.iter().enumerate() {
                self.W[i * k + j] = impact.w(x, y);
            }
        }
        self.fastest = impact.u().iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        self.look(impact.u());
        // r = W⁺ u
        pseudo_solve(&mut self.ranked, &self.W, &self.u, &mut self.p);
        // A normal velocity above minus this part of the largest before the impact does not close.
        let least = zero::SOLVED * self.p.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        for (kept, r) in out.notes.kept.iter_mut().zip(&self.p) {
            *kept = *r < -least;
        }
        out.notes.painleve = painleve(impact, &self.first);
    }

    /// Reads the normals' velocities.
    pub(super) fn look(&mut self, u: &[f64]) {
        for (own, &row) in self.u.iter_mut().zip(&self.first) {
            *own = u[row];
        }
        self.size = self.size_of_normals();
    }

    fn size_of_normals(&self) -> f64 {
        self.u.iter().fold(0.0_f64, |m, x| m.max(x.abs()))
    }

    /// How many contacts close.
    pub(super) fn closing(&self) -> usize {
        self.u.iter().filter(|u| **u < -zero::SOLVED * self.size).count()
    }

    /// p ← 0 ≤ p ⟂ W p + c ≥ 0 over the normals, the shortest if there are several.
    pub(super) fn complementarity(
        &mut self,
        impact: &ImpactProblem<'_>,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        self.points.clear();
        self.points.resize(self.c.len(), ContactPoint::SMOOTH);
        let Self { cone, points, W, c, .. } = self;
        let found = cone.solve(&ContactProblem { points, W, c, round_off: impact.round_off() });
        self.accept(found, out)?;
        self.p.copy_from_slice(&self.cone.impulses);
        Ok(())
    }

    /// Notes how unique the cone solver's answer is and by how much it misses, or turns its refusal into the laws'.
    fn accept(
        &self,
        found: Result<(), NoAnswer>,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        match found {
            Ok(()) => {}
            Err(NoAnswer::Blocked { .. }) => return Err(self.blocked()),
            Err(NoAnswer::NotFound { residual }) => {
                return Err(ImpactError::NotSolved { residual });
            }
        }
        let (notes, unique) = (&mut out.notes, &self.cone.uniqueness);
        notes.uniqueness.impulses = notes.uniqueness.impulses.max(unique.impulses);
        notes.uniqueness.velocities = notes.uniqueness.velocities.max(unique.velocities);
        notes.uniqueness.gap = notes.uniqueness.gap.min(unique.gap);
        notes.uniqueness.undecided |= unique.undecided;
        notes.uniqueness.proved &= unique.proved;
        notes.residual = notes.residual.max(self.cone.residuals.velocity);
        Ok(())
    }

    /// p ← −W_a⁺ u_a over the contacts that removal leaves, after one pass or until nothing is left to remove. False if none is
    /// left; the error is a contact whose impulse would pull.
    pub(super) fn removal(
        &mut self,
        repeated: bool,
        out: &mut ImpactSolution,
    ) -> Result<bool, usize> {
        let Self { part, part_W, part_u, part_p, W, u, p, ranked, size, .. } = self;
        let k = u.len();
        part.clear();
        part.extend(0..k);
        let mut dependent = false;
        for pass in 0..=k {
            part_W.clear();
            part_u.clear();
            for &i in part.iter() {
                part_W.extend(part.iter().map(|&j| W[i * k + j]));
                part_u.push(u[i]);
            }
            fit(part_p, part.len());
            dependent = pseudo_solve(ranked, part_W, part_u, part_p) < part.len();
            let none = zero::SOLVED * part_p.iter().fold(0.0_f64, |m, r| m.max(r.abs()));
            let pulls = part_p.iter().position(|r| *r > none);
            if let (Some(place), true) = (pulls, pass > 0 && !repeated) {
                return Err(part[place]);
            }
            if pulls.is_none() || (pass > 0 && !repeated) {
                break;
            }
            let mut place = 0;
            part.retain(|_| {
                place += 1;
                part_p[place - 1] < -none
            });
        }
        if dependent {
            out.notes.uniqueness.impulses =
                out.notes.uniqueness.impulses.max(part.len() - ranked.rank);
        }
        p.fill(0.0);
        for (&i, r) in part.iter().zip(part_p.iter()) {
            p[i] = (-r).max(0.0);
        }
        Ok(*size > 0.0 && p.iter().any(|p| *p > 0.0))
    }

    /// The error of contacts that hold each other.
    pub(super) fn blocked(&self) -> ImpactError {
        let contact = self.u.iter().position(|u| *u < -zero::SOLVED * self.size).unwrap_or(0);
        ImpactError::Blocked { contact }
    }

    /// Writes the impulses of the normals.
    pub(super) fn spread(&self, out: &mut ImpactSolution) {
        for (&row, p) in self.first.iter().zip(&self.p) {
            out.impulses[row] = *p;
        }
    }

    /// The cones of all contacts at once, from `self.rows` with normal impulses of at least `self.c`; adds to the impulses.
    pub(super) fn cones(
        &mut self,
        impact: &ImpactProblem<'_>,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        self.points.clear();
        for (contact, least) in impact.contacts().iter().zip(&self.c) {
            let admissible = match contact.friction {
                _ if contact.tangents == 0 => Admissible::Normal,
                ImpactFriction::None => Admissible::Normal,
                ImpactFriction::Coulomb(mu) => Admissible::Coulomb(mu),
                ImpactFriction::Stick => Admissible::Stick,
            };
            let tangents = contact.tangents;
            self.points.push(ContactPoint { tangents, admissible, least: *least });
        }
        let Self { cone, points, rows, .. } = self;
        let (W, round_off) = (impact.W(), impact.round_off());
        let found = cone.solve(&ContactProblem { points, W, c: rows, round_off });
        self.accept(found, out)?;
        for (sum, p) in out.impulses.iter_mut().zip(&self.cone.impulses) {
            *sum += p;
        }
        out.notes.friction = FrictionForm::Complementarity;
        Ok(())
    }

    /// u⁺, the work of the contacts, and how each contact ended.
    pub(super) fn finish(&self, impact: &ImpactProblem<'_>, out: &mut ImpactSolution) {
        let n = impact.rows();
        let (mut work, mut size) = (0.0, 0.0);
        for row in 0..n {
            let W = &impact.W()[row * n..(row + 1) * n];
            let u = impact.u()[row];
            let (mut change, mut terms) = (0.0, u.abs());
            for (w, p) in W.iter().zip(&out.impulses) {
                change += w * p;
                terms += (w * p).abs();
            }
            // What is left of terms that cancel is zero: no restitution of −1e-16.
            let after = u + change;
            // A velocity after the impact below this part of the terms that it is the sum of is zero.
            out.after[row] = if after.abs() <= zero::LAST_DIGITS * terms { 0.0 } else { after };
            work += 0.5 * out.impulses[row] * (u + out.after[row]);
            size += out.impulses[row].abs() * (u.abs() + out.after[row].abs());
        }
        out.notes.contact_work = work;
        // Contact work above this part of Σ |p| (|u⁻| + |u⁺|) is energy from nowhere.
        out.notes.creates_energy = work > zero::SOLVED * size;
        let largest = impact.u().iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        for (i, contact) in impact.contacts().iter().enumerate() {
            let at = self.first[i];
            if out.impulses[at] <= 0.0 {
                out.notes.modes[i] = ContactMode::Open;
                continue;
            }
            if out.notes.repeats == 0 {
                out.notes.active[i] = true;
            }
            if out.notes.modes[i] != ContactMode::Open {
                continue;
            }
            let slip = (1..contact.rows()).fold(0.0_f64, |s, x| s.hypot(out.after[at + x]));
            out.notes.modes[i] = if contact.mu() == 0.0 {
                ContactMode::Smooth
            } else if slip <= zero::REST * largest {
                ContactMode::Sticks
            } else {
                ContactMode::Slides
            };
        }
    }
}

/// x ← W⁺ u in the sense of Moore and Penrose; returns the rank.
pub(super) fn pseudo_solve(
    ranked: &mut RankRevealing,
    W: &[f64],
    u: &[f64],
    x: &mut [f64],
) -> usize {
    if let ([w], [u]) = (W, u) {
        x[0] = if *w > 0.0 { u / w } else { 0.0 };
        ranked.rank = usize::from(*w > 0.0);
        return ranked.rank;
    }
    x.copy_from_slice(u);
    ranked.factorise(W, u.len(), ldl::TOLERANCE);
    ranked.solve(x);
    ranked.rank
}
