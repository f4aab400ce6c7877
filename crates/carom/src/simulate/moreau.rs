//! Coulomb's law over a short step, where contacts hardly slip.
//!
//! With forces p over the step, all contacts closed, u = c + W p are the slips at its end over its length:
//!
//! ```text
//! u_N = 0      p_T = −μ p_N u_T/|u_T|, or u_T = 0 and |p_T| ≤ μ p_N
//! ```
//!
//! (J. J. Moreau's steps.) With given p_N this is the minimum of ½ p_Tᵀ W p_T + Σ μ p_N |u_T|, which is convex: Newton's method finds
//! it for |u| = √(u² + ε²), ε → 0, where contacts are redundant, too. p_N follows.

use nalgebra::{DMatrix, DVector};

/// ε, in parts of the accelerations that friction gives: the first, the last, and from one to the next.
const SMOOTHEST: f64 = 1e-2;
const SHARPEST: f64 = 1e-11;
const SHARPER: f64 = 0.1;
/// Slips faster than this many times the last ε are some.
const SLIPS: f64 = 1e3;
/// Forces are found to this part of the largest.
const FOUND: f64 = 1e-13;
/// What is left over, in parts of the largest force, is no answer.
const ANSWER: f64 = 1e-9;
/// Values that differ by this part are the same.
const ROUND_OFF: f64 = 1e-14;
const MOST_STEPS: usize = 60;
const MOST_ROUNDS: usize = 100;
const MOST_HALVINGS: usize = 30;

/// The rows of a contact: its normal, its tangents (none, one or two) and μ.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    pub normal: usize,
    pub tangents: Vec<usize>,
    pub friction: f64,
}

/// Forces by row, and whether each contact slips.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub forces: Vec<f64>,
    pub slips: Vec<bool>,
}

/// The first of two tangents of a contact, the limit of their force, and ε.
#[derive(Clone, Copy)]
struct Pair {
    at: usize,
    limit: f64,
    ε: f64,
}

impl Pair {
    fn speed(&self, u: &DVector<f64>) -> f64 {
        u[self.at].hypot(u[self.at + 1]).hypot(self.ε)
    }
}

/// The tangents with the normals held.
struct Tangents {
    W: DMatrix<f64>,
    c: DVector<f64>,
    pairs: Vec<Pair>,
}

impl Tangents {
    fn slips(&self, p: &DVector<f64>) -> DVector<f64> {
        &self.c + &self.W * p
    }

    /// The function that is least.
    fn value(&self, p: &DVector<f64>) -> f64 {
        let u = self.slips(p);
        let friction: f64 = self.pairs.iter().map(|pair| pair.limit * pair.speed(&u)).sum();
        0.5 * p.dot(&(&self.W * p)) + friction
    }

    /// p + μ p_N u/|u|.
    fn residual(&self, p: &DVector<f64>, u: &DVector<f64>) -> DVector<f64> {
        let mut r = p.clone();
        for pair in &self.pairs {
            for i in [pair.at, pair.at + 1] {
                r[i] += pair.limit * u[i] / pair.speed(u).max(f64::MIN_POSITIVE);
            }
        }
        r
    }

    /// One step of Newton's method; whether it was one.
    fn step(&self, p: &mut DVector<f64>, enough: f64) -> bool {
        let u = self.slips(p);
        let r = self.residual(p, &u);
        if r.amax() <= enough {
            return false;
        }
        let n = p.len();
        let mut J = DMatrix::identity(n, n);
        for pair in &self.pairs {
            let speed = pair.speed(&u).max(f64::MIN_POSITIVE);
            let d = [u[pair.at] / speed, u[pair.at + 1] / speed];
            for a in 0..2 {
                for b in 0..2 {
                    let own = if a == b { 1.0 } else { 0.0 };
                    let slope = pair.limit / speed * (own - d[a] * d[b]);
                    for j in 0..n {
                        J[(pair.at + a, j)] += slope * self.W[(pair.at + b, j)];
                    }
                }
            }
        }
        let Some(step) = J.lu().solve(&r) else { return false };
        let (value, size) = (self.value(p), r.amax());
        let mut part = 1.0;
        for _ in 0..MOST_HALVINGS {
            let tried = &*p - &step * part;
            let u = self.slips(&tried);
            // Near the end the value no longer tells.
            let less = self.residual(&tried, &u).amax() < size;
            let now = self.value(&tried);
            if now < value || less && now - value <= ROUND_OFF * value.abs() {
                *p = tried;
                return true;
            }
            part *= 0.5;
        }
        false
    }

    /// Newton's method with one ε after the other, and with none where that is a small part of the slip.
    fn solve(&mut self, p: &mut DVector<f64>, first: f64, last: f64, enough: f64) {
        let mut ε = first;
        loop {
            self.pairs.iter_mut().for_each(|pair| pair.ε = ε);
            self.iterate(p, enough);
            if ε <= last {
                break;
            }
            ε = (ε * SHARPER).max(last);
        }
        let u = self.slips(p);
        for pair in &mut self.pairs {
            if pair.speed(&u) > SLIPS * last {
                pair.ε = 0.0;
            }
        }
        self.iterate(p, enough);
    }

    fn iterate(&self, p: &mut DVector<f64>, enough: f64) {
        for _ in 0..MOST_STEPS {
            if !self.step(p, enough) {
                break;
            }
        }
    }
}

/// The forces; `first` is a guess. None where normals would pull.
pub(super) fn forces_over_step(
    W: &[f64],
    c: &[f64],
    contacts: &[Rows],
    first: &[f64],
) -> Option<Answer> {
    let m = c.len();
    let normals: Vec<Option<usize>> = contacts.iter().map(|rows| Some(rows.normal)).collect();
    let rough: Vec<&Rows> = contacts.iter().filter(|rows| !rows.tangents.is_empty()).collect();
    // Two of each; in the plane the second is none.
    let pair = |rows: &&Rows| [0, 1].map(|k| rows.tangents.get(k).copied());
    let tangents: Vec<Option<usize>> = rough.iter().flat_map(pair).collect();
    let part = |rows: &[Option<usize>], columns: &[Option<usize>]| {
        let entry = |i: usize, j: usize| Some(W[rows[i]? * m + columns[j]?]);
        DMatrix::from_fn(rows.len(), columns.len(), |i, j| entry(i, j).unwrap_or(0.0))
    };
    let pick = |x: &[f64], rows: &[Option<usize>]| {
        DVector::from_fn(rows.len(), |i, _| rows[i].map_or(0.0, |row| x[row]))
    };
    let held = part(&normals, &normals).lu();
    let c_N = pick(c, &normals);
    let back = part(&tangents, &normals);
    let from_tangents = held.solve(&part(&normals, &tangents))?;
    let from_loads = held.solve(&c_N)?;
    let carried = |p: &DVector<f64>| -(&from_loads + &from_tangents * p);
    let mut system = Tangents {
        W: part(&tangents, &tangents) - &back * &from_tangents,
        c: pick(c, &tangents) - &back * &from_loads,
        pairs: Vec::new(),
    };
    let mut p = pick(first, &tangents);
    let mut p_N = carried(&p);
    let place = |rows: &Rows| contacts.iter().position(|other| other.normal == rows.normal);
    for round in 0..MOST_ROUNDS {
        let limit = |rows: &&Rows| rows.friction * place(rows).map_or(0.0, |k| p_N[k].max(0.0));
        let pairs = rough.iter().enumerate();
        system.pairs =
            pairs.map(|(k, rows)| Pair { at: 2 * k, limit: limit(rows), ε: 0.0 }).collect();
        let largest =
            system.pairs.iter().fold(f64::MIN_POSITIVE, |most, pair| most.max(pair.limit));
        let mobility = (0..p.len()).map(|i| system.W[(i, i)]).fold(0.0, f64::max);
        let last = SHARPEST * largest * mobility;
        // What is near is not smoothed away.
        let first = if round == 0 { SMOOTHEST * largest * mobility } else { last };
        system.solve(&mut p, first, last, FOUND * largest);
        let carried = carried(&p);
        let change = (&carried - &p_N).amax();
        p_N = carried;
        if change <= FOUND * p_N.amax() {
            break;
        }
    }
    let u = system.slips(&p);
    let r = system.residual(&p, &u);
    let sliding = system.pairs.iter().filter(|pair| pair.ε == 0.0);
    let off = sliding.map(|pair| r[pair.at].hypot(r[pair.at + 1])).fold(0.0, f64::max);
    // Of what sticks the slip is round-off, but not the force: how it is shared may be open.
    if off > ANSWER * p_N.amax() || p_N.iter().any(|p| *p < -ANSWER * p_N.amax()) {
        return None;
    }
    let mut answer = Answer { forces: vec![0.0; m], slips: vec![false; contacts.len()] };
    for (row, force) in normals.iter().zip(&p_N).chain(tangents.iter().zip(&p)) {
        if let Some(row) = row {
            answer.forces[*row] = *force;
        }
    }
    for (k, rows) in rough.iter().enumerate() {
        if let Some(contact) = place(rows) {
            answer.slips[contact] = system.pairs[k].ε == 0.0 && system.pairs[k].speed(&u) > 0.0;
        }
    }
    Some(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers between −1 and 1, the same on every run.
    fn numbers(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            // 53 bits are exact.
            #[allow(clippy::cast_precision_loss)]
            let part = (state >> 11) as f64 / (1_u64 << 53) as f64;
            2.0 * part - 1.0
        }
    }

    /// Feet of a plate on the floor: rows (vertical; along x, y) on (v_x, v_y, v_z, ω_x, ω_y, ω_z), unit mass, arms in units of its
    /// radius of gyration. Four feet are redundant.
    fn plate(feet: &[[f64; 2]], loads: [f64; 6], mu: f64) -> (Vec<f64>, Vec<f64>, Vec<Rows>) {
        let mut A: Vec<[f64; 6]> = Vec::new();
        let mut contacts = Vec::new();
        for [x, y] in feet {
            let normal = A.len();
            A.push([0.0, 0.0, 1.0, *y, -x, 0.0]);
            A.push([1.0, 0.0, 0.0, 0.0, 0.0, -y]);
            A.push([0.0, 1.0, 0.0, 0.0, 0.0, *x]);
            let tangents = vec![normal + 1, normal + 2];
            contacts.push(Rows { normal, tangents, friction: mu });
        }
        let m = A.len();
        let dot = |a: &[f64; 6], b: &[f64; 6]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut W = vec![0.0; m * m];
        for i in 0..m {
            for j in 0..m {
                W[i * m + j] = dot(&A[i], &A[j]);
            }
            if i % 3 == 0 {
                W[i * m + i] += 1e-10;
            }
        }
        let c = A.iter().map(|row| dot(row, &loads)).collect();
        (W, c, contacts)
    }

    #[test]
    fn forces_over_a_step_keep_coulombs_law_where_feet_are_redundant_and_hardly_slip() {
        let feet = [[0.9, 0.7], [0.9, -0.7], [-0.9, 0.7], [-0.9, -0.7]];
        let (mut stuck, mut slipped, mut both) = (0, 0, 0);
        for seed in 0..400 {
            let mut next = numbers(seed);
            let mu = 0.3 + 0.2 * next();
            let loads = [4.0 * next(), 4.0 * next(), -10.0, next(), next(), 3.0 * next()];
            let (W, c, contacts) = plate(&feet, loads, mu);
            let m = c.len();
            let Some(found) = forces_over_step(&W, &c, &contacts, &vec![0.0; m]) else {
                panic!("{seed}")
            };
            let p = &found.forces;
            let u: Vec<f64> =
                (0..m).map(|i| c[i] + (0..m).map(|j| W[i * m + j] * p[j]).sum::<f64>()).collect();
            for (rows, slips) in contacts.iter().zip(&found.slips) {
                let [first, second] = [rows.tangents[0], rows.tangents[1]];
                let limit = mu * p[rows.normal];
                let speed = u[first].hypot(u[second]);
                assert!(p[rows.normal] > 0.0 && u[rows.normal].abs() < 1e-10, "{seed}");
                if *slips {
                    for i in [first, second] {
                        let off = p[i] + limit * u[i] / speed;
                        assert!(
                            off.abs() < 1e-9,
                            "{seed}: {off} {speed} {limit} {:?}",
                            found.slips
                        );
                    }
                } else {
                    assert!(speed < 1e-6 && p[first].hypot(p[second]) < limit * (1.0 + 1e-9));
                }
            }
            let slips = found.slips.iter().filter(|s| **s).count();
            stuck += usize::from(slips == 0);
            slipped += usize::from(slips == 4);
            both += usize::from(slips > 0 && slips < 4);
        }
        assert!(stuck > 20 && slipped > 20 && both > 0, "{stuck} {slipped} {both}");
    }

    #[test]
    fn a_pull_just_over_the_limit_gives_a_slip_of_the_excess() {
        // Along x, through the centre: all feet share, and u̇ = F − μ m g.
        let feet = [[0.9, 0.7], [0.9, -0.7], [-0.9, 0.7], [-0.9, -0.7]];
        for excess in [1e-2, 1e-4, 1e-6] {
            let loads = [3.0 * (1.0 + excess), 0.0, -10.0, 0.0, 0.0, 0.0];
            let (W, c, contacts) = plate(&feet, loads, 0.3);
            let m = c.len();
            let found = forces_over_step(&W, &c, &contacts, &vec![0.0; m]);
            let found = found.unwrap_or_else(|| panic!("{excess}"));
            assert!(found.slips.iter().all(|s| *s), "{excess}");
            let pushed: f64 = contacts.iter().map(|rows| found.forces[rows.tangents[0]]).sum();
            assert!((pushed + 3.0).abs() < 1e-9, "{excess}: {pushed}");
        }
    }
}
