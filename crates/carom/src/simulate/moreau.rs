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
/// Slips below this many times the last ε are none.
const STICKS: f64 = 1e3;
/// Forces are found to this part of the largest.
const FOUND: f64 = 1e-13;
const MOST_STEPS: usize = 60;
const MOST_ROUNDS: usize = 100;
const MOST_HALVINGS: usize = 30;

/// The rows of a contact: its normal, its tangents and μ.
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

/// The tangents with the normals held.
struct Tangents {
    W: DMatrix<f64>,
    c: DVector<f64>,
    /// Pairs of rows, and the limit of their force.
    pairs: Vec<(usize, f64)>,
}

impl Tangents {
    fn speed(u: &DVector<f64>, at: usize, ε: f64) -> f64 {
        (u[at] * u[at] + u[at + 1] * u[at + 1] + ε * ε).sqrt()
    }

    fn slips(&self, p: &DVector<f64>) -> DVector<f64> {
        &self.c + &self.W * p
    }

    /// The function that is least.
    fn value(&self, p: &DVector<f64>, ε: f64) -> f64 {
        let u = self.slips(p);
        let friction: f64 =
            self.pairs.iter().map(|(i, limit)| limit * Self::speed(&u, *i, ε)).sum();
        0.5 * p.dot(&(&self.W * p)) + friction
    }

    /// p + μ p_N u/|u|.
    fn residual(&self, p: &DVector<f64>, u: &DVector<f64>, ε: f64) -> DVector<f64> {
        let mut r = p.clone();
        for &(i, limit) in &self.pairs {
            let speed = Self::speed(u, i, ε);
            r[i] += limit * u[i] / speed;
            r[i + 1] += limit * u[i + 1] / speed;
        }
        r
    }

    /// One step of Newton's method; whether it was one.
    fn step(&self, p: &mut DVector<f64>, ε: f64, enough: f64) -> bool {
        let u = self.slips(p);
        let r = self.residual(p, &u, ε);
        if r.amax() <= enough {
            return false;
        }
        let n = p.len();
        let mut J = DMatrix::identity(n, n);
        for &(i, limit) in &self.pairs {
            let speed = Self::speed(&u, i, ε);
            let d = [u[i] / speed, u[i + 1] / speed];
            for a in 0..2 {
                for b in 0..2 {
                    let own = if a == b { 1.0 } else { 0.0 };
                    let slope = limit / speed * (own - d[a] * d[b]);
                    for j in 0..n {
                        J[(i + a, j)] += slope * self.W[(i + b, j)];
                    }
                }
            }
        }
        let Some(step) = J.lu().solve(&r) else { return false };
        let (value, size) = (self.value(p, ε), r.amax());
        let mut part = 1.0;
        for _ in 0..MOST_HALVINGS {
            let tried = &*p - &step * part;
            let u = self.slips(&tried);
            if self.value(&tried, ε) < value || self.residual(&tried, &u, ε).amax() < size {
                *p = tried;
                return true;
            }
            part *= 0.5;
        }
        false
    }
}

/// The forces; `first` is a guess. None where normals do not carry.
pub(super) fn forces_over_step(
    W: &[f64],
    c: &[f64],
    contacts: &[Rows],
    first: &[f64],
) -> Option<Answer> {
    let m = c.len();
    let normals: Vec<usize> = contacts.iter().map(|rows| rows.normal).collect();
    let rough: Vec<&Rows> = contacts.iter().filter(|rows| !rows.tangents.is_empty()).collect();
    let tangents: Vec<usize> =
        rough.iter().flat_map(|rows| rows.tangents.iter().copied()).collect();
    let part = |rows: &[usize], columns: &[usize]| {
        DMatrix::from_fn(rows.len(), columns.len(), |i, j| W[rows[i] * m + columns[j]])
    };
    let pick = |x: &[f64], rows: &[usize]| DVector::from_fn(rows.len(), |i, _| x[rows[i]]);
    let held = part(&normals, &normals).cholesky()?;
    let (across, c_N) = (part(&normals, &tangents), pick(c, &normals));
    let back = part(&tangents, &normals);
    let carried = |p: &DVector<f64>| -held.solve(&(&c_N + &across * p));
    let mut system = Tangents {
        W: part(&tangents, &tangents) - &back * held.solve(&across),
        c: pick(c, &tangents) - &back * held.solve(&c_N),
        pairs: Vec::new(),
    };
    let mut p = pick(first, &tangents);
    let mut p_N = carried(&p);
    let place = |rows: &Rows| contacts.iter().position(|other| other.normal == rows.normal);
    let mut sharp = 0.0;
    for round in 0..MOST_ROUNDS {
        let limit = |rows: &&Rows| rows.friction * place(rows).map_or(0.0, |k| p_N[k].max(0.0));
        system.pairs = rough.iter().enumerate().map(|(k, rows)| (2 * k, limit(rows))).collect();
        let largest = system.pairs.iter().fold(f64::MIN_POSITIVE, |most, pair| most.max(pair.1));
        let mobility = (0..p.len()).map(|i| system.W[(i, i)]).fold(0.0, f64::max);
        sharp = SHARPEST * largest * mobility;
        // A guess that is near is not smoothed away.
        let mut ε = if round == 0 { SMOOTHEST * largest * mobility } else { sharp };
        loop {
            for _ in 0..MOST_STEPS {
                if !system.step(&mut p, ε, FOUND * largest) {
                    break;
                }
            }
            if ε <= sharp {
                break;
            }
            ε = (ε * SHARPER).max(sharp);
        }
        let carried = carried(&p);
        let change = (&carried - &p_N).amax();
        p_N = carried;
        if change <= FOUND * p_N.amax() {
            break;
        }
    }
    if p_N.iter().any(|p| *p < 0.0) {
        return None;
    }
    let u = system.slips(&p);
    let mut answer = Answer { forces: vec![0.0; m], slips: vec![false; contacts.len()] };
    for (i, row) in normals.iter().enumerate() {
        answer.forces[*row] = p_N[i];
    }
    for (i, row) in tangents.iter().enumerate() {
        answer.forces[*row] = p[i];
    }
    for (k, rows) in rough.iter().enumerate() {
        if let Some(contact) = place(rows) {
            answer.slips[contact] = u[2 * k].hypot(u[2 * k + 1]) > STICKS * sharp;
        }
    }
    Some(answer)
}
