//! The middle of all forces that hold contacts at rest.
//!
//! Forces p = p₀ + Σ z_k w_k move nothing but what they move together. Within them the friction of each contact keeps its limit where
//! μ_s F_N − |F_T| > 0. The middle is the least of
//!
//! ```text
//! ½ |p|²/|p₀|² − Σ ln(μ_s² F_N² − |F_T|²) − Σ ln F_N      the last one over smooth contacts
//! ```
//!
//! It is smooth in time and has room to every limit until no forces hold any more (the analytic centre; Boyd and Vandenberghe 2004,
//! section 8.5). Then the forces are those with the least of the greatest excess s: μ_s F_N − |F_T| ≥ −s.

use crate::maths::cone::RankRevealing;
use crate::maths::zero;
use crate::simulate::system::constraint::Held;
use crate::simulate::system::sharing::power_of_two;

/// μ_s that stands for a contact that cannot slip: it takes the load.
const STICK: f64 = 1e3;
/// Growth of its weight from one round to the next.
const HEAVIER: f64 = 8.0;
/// Newton's steps of a round, and the decrement that ends it.
const STEPS: usize = 60;
const NEAR: f64 = 1e-2;
const THERE: f64 = 1e-6;

/// Memory.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct Centre {
    /// w_k, one after the other.
    pub ways: Vec<f64>,
    /// z, and s behind it.
    z: Vec<f64>,
    trial: Vec<f64>,
    slope: Vec<f64>,
    bend: Vec<f64>,
    step: Vec<f64>,
    /// How the limit and the tangents of a contact follow z and s.
    rows: [Vec<f64>; 3],
    from: Vec<f64>,
    forces: Vec<f64>,
    /// w_kᵀ w_l.
    gram: Vec<f64>,
    solver: RankRevealing,
}

/// What is asked for.
struct Asked<'a> {
    held: &'a [Held],
    limit: &'a dyn Fn(usize) -> f64,
    /// p₀ and its length.
    from: &'a [f64],
    size: f64,
    /// The number of w_k.
    ways: usize,
}

/// A contact's rows in force.
struct Contact {
    normal: usize,
    tangents: usize,
    /// μ_s; none of smooth contacts.
    friction: Option<f64>,
}

impl Asked<'_> {
    /// Contacts whose forces may change.
    fn contacts(&self) -> impl Iterator<Item = Contact> {
        let normals = (0..self.held.len()).filter(|i| self.held[*i].part == 0);
        normals.filter(|i| !self.held[*i].slides).map(|normal| {
            let spot = self.held[normal].spot;
            let behind = self.held[normal + 1..].iter();
            let tangents = behind.take_while(|h| h.part > 0 && h.spot == spot).count();
            let friction = (tangents > 0).then(|| (self.limit)(spot).min(STICK));
            Contact { normal, tangents, friction }
        })
    }
}

impl Contact {
    /// The limit of its friction, or F_N if it is smooth, and F_T.
    fn room(&self, p: &dyn Fn(usize) -> f64) -> [f64; 3] {
        let limit = self.friction.unwrap_or(1.0) * p(self.normal);
        let tangent = |k: usize| if k <= self.tangents { p(self.normal + k) } else { 0.0 };
        [limit, tangent(1), tangent(2)]
    }
}

impl Centre {
    pub fn new(rows: usize) -> Self {
        let list = || vec![0.0; rows + 1];
        Self {
            ways: vec![0.0; rows * rows],
            z: list(),
            trial: list(),
            slope: list(),
            bend: vec![0.0; (rows + 1) * (rows + 1)],
            step: list(),
            rows: [list(), list(), list()],
            from: list(),
            forces: list(),
            gram: vec![0.0; rows * rows],
            solver: RankRevealing::default(),
        }
    }

    /// p ← the analytic centre of p + Σ z_k w_k over the first `ways` directions w_k.
    pub fn find(
        &mut self,
        held: &[Held],
        limit: &dyn Fn(usize) -> f64,
        p: &mut [f64],
        ways: usize,
    ) {
        let mut from = std::mem::take(&mut self.from);
        from.clear();
        from.extend_from_slice(p);
        let size = from.iter().map(|p| p * p).sum::<f64>().sqrt();
        if ways == 0 || !(size > 0.0) {
            self.from = from;
            return;
        }
        let asked = Asked { held, limit, from: &from, size, ways };
        self.z.fill(0.0);
        let m = from.len();
        // With w_k of the size of p₀ the unknowns z_k have no unit.
        let unit = power_of_two(size);
        self.ways[..ways * m].iter_mut().for_each(|w| *w *= unit);
        for (k, way) in self.ways.chunks(m).take(ways).enumerate() {
            for (l, other) in self.ways.chunks(m).take(ways).enumerate() {
                let sum: f64 = way.iter().zip(other).map(|(x, y)| x * y).sum();
                self.gram[k * ways + l] = sum / (size * size);
            }
        }
        let least = self.least_room(&asked);
        let mut holds = least > 0.0;
        if !holds {
            self.z[ways] = 1e-3 - 2.0 * least;
            let mut weight = 1.0;
            // The excess is known to this part of |p₀|.
            while !holds && weight * zero::POSITIONS < 1.0 {
                self.minimise(&asked, Some(weight), NEAR);
                holds = self.z[ways] < 0.0;
                weight *= HEAVIER;
            }
        }
        if holds {
            self.z[ways] = 0.0;
            self.minimise(&asked, None, THERE);
        }
        for (i, p) in p.iter_mut().enumerate() {
            *p = force(&self.ways, &asked, &self.z, i);
        }
        self.from = from;
    }

    /// The least of F's room to its limits, in parts of |p₀|.
    fn least_room(&self, asked: &Asked<'_>) -> f64 {
        let p = |i: usize| force(&self.ways, asked, &self.z, i);
        let rooms = asked.contacts().map(|contact| {
            let [limit, first, second] = contact.room(&p);
            (limit - first.hypot(second)) / asked.size
        });
        rooms.fold(f64::INFINITY, f64::min)
    }

    /// Newton's method; s moves if it has a weight, and it ends early where s falls below zero.
    fn minimise(&mut self, asked: &Asked<'_>, weight: Option<f64>, enough: f64) {
        let d = asked.ways;
        let n = if weight.is_some() { d + 1 } else { d };
        for _ in 0..STEPS {
            let value = self.value(asked, weight, &self.z);
            self.observe(asked, weight);
            let (bend, slope) = (&self.bend[..n * n], &self.slope[..n]);
            let step = &mut self.step[..n];
            step.iter_mut().zip(slope).for_each(|(step, slope)| *step = -slope);
            // Directions in which the second derivatives are below this part of the largest are not searched.
            self.solver.factorise(bend, n, zero::POSITIONS);
            self.solver.solve(step);
            let fall: f64 = -slope.iter().zip(&self.step).map(|(g, x)| g * x).sum::<f64>();
            if !(fall > enough * enough) {
                // Near enough for one whole step to give all digits.
                if fall > 0.0 && weight.is_none() {
                    self.z.iter_mut().zip(&self.step[..n]).for_each(|(z, step)| *z += step);
                }
                return;
            }
            let mut part = 1.0;
            loop {
                self.trial.copy_from_slice(&self.z);
                for (z, step) in self.trial[..n].iter_mut().zip(&self.step) {
                    *z += part * step;
                }
                let reached = self.value(asked, weight, &self.trial);
                if reached <= value - 0.1 * part * fall {
                    break;
                }
                part *= 0.5;
                if part < 1e-10 {
                    return;
                }
            }
            std::mem::swap(&mut self.z, &mut self.trial);
            if weight.is_some() && self.z[d] < 0.0 {
                return;
            }
        }
    }

    /// What is made least; infinite outside.
    fn value(&self, asked: &Asked<'_>, weight: Option<f64>, z: &[f64]) -> f64 {
        let p = |i: usize| force(&self.ways, asked, z, i) / asked.size;
        let s = z[asked.ways];
        let own: f64 = (0..asked.from.len()).map(|i| 0.5 * p(i) * p(i)).sum();
        let mut sum = own + weight.unwrap_or(0.0) * s;
        for contact in asked.contacts() {
            let [limit, first, second] = contact.room(&p);
            let room = limit + s;
            let inside = match contact.friction {
                Some(_) => (room - first.hypot(second)) * (room + first.hypot(second)),
                None => room,
            };
            if !(room > 0.0 && inside > 0.0) {
                return f64::INFINITY;
            }
            sum -= inside.ln();
        }
        sum
    }

    /// Its slope and its second derivatives.
    fn observe(&mut self, asked: &Asked<'_>, weight: Option<f64>) {
        let (d, m) = (asked.ways, asked.from.len());
        let n = if weight.is_some() { d + 1 } else { d };
        let Self { ways, z, slope, bend, rows, forces, gram, .. } = self;
        for (i, p) in forces[..m].iter_mut().enumerate() {
            *p = force(ways, asked, z, i) / asked.size;
        }
        let p = |i: usize| forces[i];
        bend[..n * n].fill(0.0);
        for k in 0..d {
            let way = ways[k * m..(k + 1) * m].iter();
            slope[k] = way.zip(&forces[..m]).map(|(w, p)| w * p).sum::<f64>() / asked.size;
            bend[k * n..k * n + d].copy_from_slice(&gram[k * d..(k + 1) * d]);
        }
        slope[d] = weight.unwrap_or(0.0);
        for contact in asked.contacts() {
            let mut x = contact.room(&p);
            x[0] += z[d];
            for (part, row) in rows.iter_mut().enumerate() {
                let times = if part == 0 { contact.friction.unwrap_or(1.0) } else { 1.0 };
                let there = part <= contact.tangents;
                for (k, row) in row[..d].iter_mut().enumerate() {
                    let way = if there { ways[k * m + contact.normal + part] } else { 0.0 };
                    *row = times * way / asked.size;
                }
                row[d] = if part == 0 { 1.0 } else { 0.0 };
            }
            let [limit, first, second] = rows;
            let across = x[1].hypot(x[2]);
            // Of ln x and of ln(x² − |F_T|²): the derivative along each row, and what bends.
            let (times, inside) = if contact.friction.is_some() {
                (2.0, (x[0] - across) * (x[0] + across))
            } else {
                (1.0, x[0] * x[0])
            };
            for k in 0..n {
                let turn = times * (x[0] * limit[k] - x[1] * first[k] - x[2] * second[k]) / inside;
                slope[k] -= turn;
                let flat = if contact.friction.is_some() { times / inside } else { 0.0 };
                for l in 0..=k {
                    let other =
                        times * (x[0] * limit[l] - x[1] * first[l] - x[2] * second[l]) / inside;
                    let own = limit[k] * limit[l] - first[k] * first[l] - second[k] * second[l];
                    bend[k * n + l] += turn * other - flat * own;
                }
            }
        }
        for k in 0..n {
            (0..k).for_each(|l| bend[l * n + k] = bend[k * n + l]);
        }
    }
}

/// One of the forces p₀ + Σ z_k w_k.
fn force(ways: &[f64], asked: &Asked<'_>, z: &[f64], i: usize) -> f64 {
    let m = asked.from.len();
    asked.from[i] + (0..asked.ways).map(|k| z[k] * ways[k * m + i]).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::RowWrench;
    use crate::maths::Wrench;

    /// The rows of contacts that stick, all of them in space.
    fn sticking(contacts: usize) -> Vec<Held> {
        let zero = Wrench::zero();
        let row = RowWrench { a: None, on_a: zero, b: None, on_b: zero };
        let rows = |spot| (0..3).map(move |part| Held::tangent(spot, part, row));
        (0..contacts).flat_map(rows).collect()
    }

    fn middle(ways: &[&[f64]], limit: &dyn Fn(usize) -> f64, p: &mut [f64]) {
        let mut centre = Centre::new(p.len());
        for (place, way) in centre.ways.chunks_mut(p.len()).zip(ways) {
            place.copy_from_slice(way);
        }
        centre.find(&sticking(p.len() / 3), limit, p, ways.len());
    }

    #[test]
    fn contacts_side_by_side_hold_as_long_as_both_together_can() {
        // Limits of 1.5 and 8 N along x.
        for load in [0.0, 5.0, 9.4, 9.499_999, 9.500_001, 9.7] {
            let mut p = [5.0, load, 0.0, 20.0, 0.0, 0.0];
            let mu = |spot: usize| [0.3, 0.4][spot];
            middle(&[&[0.0, 1.0, 0.0, 0.0, -1.0, 0.0]], &mu, &mut p);
            assert!((p[1] + p[4] - load).abs() < 1e-13);
            let rooms = [1.5 - p[1], 8.0 - p[4]];
            if load < 9.5 {
                assert!(rooms.iter().all(|room| *room > 0.0), "{load}: {rooms:?}");
            } else {
                // Both are over by the same.
                let over = 0.5 * (9.5 - load);
                assert!(rooms.iter().all(|room| (room - over).abs() < 1e-11), "{load}: {rooms:?}");
            }
        }
    }

    #[test]
    fn a_wall_that_friction_of_the_floor_presses_on_holds_more() {
        // A box on a floor (N₀) that P presses to a wall is pulled along both. Friction of the floor across the pull adds to P: at most
        // the pull is μ₁ P + μ₀ N₀ √(1 + μ₁²).
        let (floor, wall, weight, press) = (0.4, 0.5, 10.0, 3.0);
        let mu = |spot: usize| [floor, wall][spot];
        let most = wall * press + floor * weight * 1.0_f64.hypot(wall);
        for (part, holds) in
            [(0.0, true), (0.9, true), (1.0 - 1e-9, true), (1.0 + 1e-9, false), (1.2, false)]
        {
            let mut p = [weight, part * most, 0.0, press, 0.0, 0.0];
            let ways: [&[f64]; 2] =
                [&[0.0, 1.0, 0.0, 0.0, -1.0, 0.0], &[0.0, 0.0, 1.0, 1.0, 0.0, 0.0]];
            middle(&ways, &mu, &mut p);
            assert!(
                (p[1] + p[4] - part * most).abs() < 1e-12 && (p[3] - p[2] - press).abs() < 1e-12
            );
            let rooms = [floor * p[0] - p[1].hypot(p[2]), wall * p[3] - p[4].hypot(p[5])];
            assert_eq!(rooms.iter().all(|room| *room > 0.0), holds, "{part}: {rooms:?}");
        }
    }

    #[test]
    fn contacts_that_may_squeeze_each_other_without_end_do_not() {
        // Two opposite faces within each other's cones: any squeeze is held, and the middle is finite.
        let mut p = [1.0, 0.2, 0.0, 1.0, 0.2, 0.0];
        middle(&[&[1.0, 0.1, 0.0, 1.0, -0.1, 0.0]], &|_| 0.5, &mut p);
        assert!(p[0] > 0.5 && p[0] < 5.0, "{p:?}");
    }
}
