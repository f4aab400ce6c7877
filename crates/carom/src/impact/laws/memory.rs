//! The steps laws are made of, and the memory they need.

use super::ImpactError;
use super::alone::painleve;
use super::coulomb::{Cones, Coulomb};
use super::least_norm::LeastNorm;
use super::problem::ImpactProblem;
use super::solution::{ContactMode, FrictionForm, ImpactSolution, Uniqueness};
use crate::maths::lcp::Complementarity;

/// A normal velocity above minus this part of the largest before the impact does not close.
pub(super) const OPEN: f64 = 1e-12;
/// A velocity after the impact below this part of the terms that it is the sum of is zero.
const CANCELS: f64 = 4.0 * f64::EPSILON;
/// Contact work above this part of Σ |p| (|u⁻| + |u⁺|) is energy from nowhere.
const GAIN: f64 = 1e-12;
/// What proximal steps find may miss the complementarity by this part of the largest velocity.
const EXISTS: f64 = 1e-10;
/// What these steps add to W, in parts of the largest entry, and how many there are.
const FIRM: f64 = 1e-6;
const STEPS: usize = 60;
/// A tangential velocity below this part of the largest before the impact is sticking.
const STICKS: f64 = 1e-10;

/// Memory of the laws. It grows to the largest problem seen; solving one of the same size again allocates nothing.
#[derive(Clone, Debug)]
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
    /// Rank of W over the normals.
    rank: usize,
    /// Largest |u⁻| of all rows.
    pub(super) fastest: f64,
    /// Largest |u| of a normal.
    pub(super) size: f64,
    lcp: Complementarity,
    pub(super) least: LeastNorm,
    pub(super) coulomb: Coulomb,
}

impl Default for ImpactMemory {
    fn default() -> Self {
        Self {
            first: Vec::new(),
            W: Vec::new(),
            u: Vec::new(),
            c: Vec::new(),
            p: Vec::new(),
            rows: Vec::new(),
            part: Vec::new(),
            part_W: Vec::new(),
            part_u: Vec::new(),
            part_p: Vec::new(),
            rank: 0,
            fastest: 0.0,
            size: 0.0,
            lcp: Complementarity::new(0),
            least: LeastNorm::default(),
            coulomb: Coulomb::default(),
        }
    }
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
        if self.lcp.capacity() < k {
            self.lcp = Complementarity::new(k);
        }
        self.fastest = impact.u().iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        self.look(impact.u());
        // r = W⁺ u
        self.rank = self.least.pseudo_solve(&self.W, &self.u, &mut self.p);
        let least = OPEN * self.p.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
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
        self.u.iter().filter(|u| **u < -OPEN * self.size).count()
    }

    /// p ← 0 ≤ p ⟂ W p + c ≥ 0 over the normals, the shortest if there are several.
    ///
    /// What looks like a proof against a solution may be round-off of rows that depend on each other. Then W + ε is solved
    /// from the last p on, 0 ≤ p ⟂ W p + c + ε (p − p_last) ≥ 0: the proximal point method (Rockafellar 1976), whose steps
    /// always have an answer. It ends where there is one, and misses the condition where there is none.
    pub(super) fn complementarity(&mut self, out: &mut ImpactSolution) -> Result<(), ImpactError> {
        let kept = &out.notes.kept;
        if self.lcp.solve_from(&self.W, &self.c, |i| kept[i], &mut self.p).is_none()
            && !self.proximal()
        {
            return Err(self.blocked());
        }
        self.shorten(out);
        Ok(())
    }

    /// p ← the end of the proximal steps; whether it meets the condition.
    fn proximal(&mut self) -> bool {
        let k = self.c.len();
        let size = self.c.iter().fold(self.size, |m, x| m.max(x.abs()));
        let most = (0..k).fold(0.0_f64, |m, i| m.max(self.W[i * k + i]));
        let mut firm = self.W.clone();
        (0..k).for_each(|i| firm[i * k + i] += FIRM * most);
        let mut last = vec![0.0; k];
        let mut aim = self.c.clone();
        let mut missed = f64::INFINITY;
        for _ in 0..STEPS {
            for ((aim, c), p) in aim.iter_mut().zip(&self.c).zip(&last) {
                *aim = c - FIRM * most * p;
            }
            if self.lcp.solve(&firm, &aim, &mut self.p).is_none() {
                break;
            }
            last.copy_from_slice(&self.p);
            missed = self.missed();
            if missed <= 0.01 * EXISTS * size {
                break;
            }
        }
        missed <= EXISTS * size
    }

    fn shorten(&mut self, out: &mut ImpactSolution) {
        if self.rank < self.c.len() {
            let unique = self.least.shorten(&self.W, &self.c, &mut self.p);
            out.notes.uniqueness = worse(out.notes.uniqueness, unique);
        }
        out.notes.residual = out.notes.residual.max(self.missed());
    }

    /// By how much p misses the complementarity.
    fn missed(&self) -> f64 {
        let k = self.c.len();
        let mut residual = 0.0_f64;
        for i in 0..k {
            let W = &self.W[i * k..(i + 1) * k];
            let u = self.c[i] + W.iter().zip(&self.p).map(|(w, p)| w * p).sum::<f64>();
            residual = residual.max((W[i] * self.p[i]).min(u).abs());
        }
        residual
    }

    /// p ← −W_a⁺ u_a over the contacts that removal leaves, after one pass or until nothing is left to remove. False if none is
    /// left; the error is a contact whose impulse would pull.
    pub(super) fn removal(
        &mut self,
        repeated: bool,
        out: &mut ImpactSolution,
    ) -> Result<bool, usize> {
        let Self { part, part_W, part_u, part_p, W, u, p, least, size, .. } = self;
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
            dependent = least.pseudo_solve(part_W, part_u, part_p) < part.len();
            let none = OPEN * part_p.iter().fold(0.0_f64, |m, r| m.max(r.abs()));
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
            out.notes.uniqueness = worse(out.notes.uniqueness, Uniqueness::LeastNorm);
        }
        p.fill(0.0);
        for (&i, r) in part.iter().zip(part_p.iter()) {
            p[i] = (-r).max(0.0);
        }
        Ok(*size > 0.0 && p.iter().any(|p| *p > 0.0))
    }

    /// The error of contacts that hold each other.
    pub(super) fn blocked(&self) -> ImpactError {
        let contact = self.u.iter().position(|u| *u < -OPEN * self.size).unwrap_or(0);
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
        let dependent = self.rank < self.first.len();
        let Self { coulomb, first, rows, c, least, fastest, .. } = self;
        // c alone, what an earlier phase left, may be round-off.
        let size = rows.iter().fold(*fastest, |m, x| m.max(x.abs()));
        let asked = Cones { impact, first, c: rows, bound: c, size, dependent };
        if let Err(residual) = coulomb.solve(&asked) {
            // Normal velocities that no motion has no friction brings about.
            for (c, &row) in c.iter_mut().zip(first.iter()) {
                *c = rows[row];
            }
            if self.lcp.solve(&self.W, &self.c, &mut self.p).is_none() {
                return Err(self.blocked());
            }
            return Err(ImpactError::NotSolved { residual });
        }
        if coulomb.dependent {
            let unique = if coulomb.shorten(&asked, least) {
                Uniqueness::LeastNorm
            } else {
                Uniqueness::NotUnique
            };
            out.notes.uniqueness = worse(out.notes.uniqueness, unique);
        }
        for (sum, p) in out.impulses.iter_mut().zip(&coulomb.p) {
            *sum += p;
        }
        out.notes.residual = out.notes.residual.max(coulomb.residual);
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
            out.after[row] = if after.abs() <= CANCELS * terms { 0.0 } else { after };
            work += 0.5 * out.impulses[row] * (u + out.after[row]);
            size += out.impulses[row].abs() * (u.abs() + out.after[row].abs());
        }
        out.notes.contact_work = work;
        out.notes.creates_energy = work > GAIN * size;
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
            } else if slip <= STICKS * largest {
                ContactMode::Sticks
            } else {
                ContactMode::Slides
            };
        }
    }
}

fn worse(x: Uniqueness, y: Uniqueness) -> Uniqueness {
    match (x, y) {
        (Uniqueness::NotUnique, _) | (_, Uniqueness::NotUnique) => Uniqueness::NotUnique,
        (Uniqueness::LeastNorm, _) | (_, Uniqueness::LeastNorm) => Uniqueness::LeastNorm,
        _ => Uniqueness::Unique,
    }
}
