//! Other answers of a contact problem, looked for by a method that shares nothing with the solver: Newton's method on the functions of Alart
//! and Curnier (1991) from random starts.

use carom::maths::cone::{Admissible, ContactProblem, Residuals};
use carom_reference::random::Random;
use nalgebra::{DMatrix, DVector};

/// Newton's steps from one start.
const STEPS: usize = 40;
/// What conditions may be missed by, relative to impulses and velocities of size 1.
const MET: f64 = 1e-11;

/// An answer, by Newton's method from p.
pub fn newton(problem: &ContactProblem<'_>, mut p: DVector<f64>) -> Option<Vec<f64>> {
    let n = problem.c.len();
    let W = DMatrix::from_row_slice(n, n, problem.W);
    let c = DVector::from_column_slice(problem.c);
    for _ in 0..STEPS {
        let u = &W * &p + &c;
        let (mut F, mut J) = (DVector::zeros(n), DMatrix::zeros(n, n));
        let mut at = 0;
        for point in problem.points {
            let mu = match point.admissible {
                Admissible::Coulomb(mu) => mu,
                _ => 0.0,
            };
            let own = (0..point.rows()).map(|x| problem.W[(at + x) * (n + 1)]).fold(1e-9, f64::max);
            let rho = 1.0 / own;
            // p_n − max(0, p_n − ρ u_n)
            let aim = p[at] - rho * u[at];
            let pressed = aim > 0.0;
            F[at] = if pressed { rho * u[at] } else { p[at] };
            if pressed {
                (0..n).for_each(|j| J[(at, j)] = rho * W[(at, j)]);
            } else {
                J[(at, at)] = 1.0;
            }
            // p_t − the point of the disc μ max(0, p_n − ρ u_n) nearest to p_t − ρ u_t
            let tangents: Vec<usize> = (at + 1..at + point.rows()).collect();
            let z: Vec<f64> = tangents.iter().map(|&t| p[t] - rho * u[t]).collect();
            let length = z.iter().map(|z| z * z).sum::<f64>().sqrt();
            let limit = mu * aim.max(0.0);
            for (x, &t) in tangents.iter().enumerate() {
                if length <= limit {
                    F[t] = rho * u[t];
                    (0..n).for_each(|j| J[(t, j)] = rho * W[(t, j)]);
                    continue;
                }
                F[t] = p[t] - limit * z[x] / length;
                J[(t, t)] += 1.0;
                for (y, &s) in tangents.iter().enumerate() {
                    let same = f64::from(u8::from(x == y));
                    let slope = limit / length * (same - z[x] * z[y] / (length * length));
                    J[(t, s)] -= slope;
                    (0..n).for_each(|j| J[(t, j)] += slope * rho * W[(s, j)]);
                }
                if pressed {
                    J[(t, at)] -= mu * z[x] / length;
                    (0..n).for_each(|j| J[(t, j)] += mu * rho * W[(at, j)] * z[x] / length);
                }
            }
            at += point.rows();
        }
        let size = p.amax().max(1.0);
        if !size.is_finite() || size > 1e8 {
            return None;
        }
        if F.amax() <= 1e-14 * size {
            break;
        }
        let step = match J.clone().lu().solve(&F) {
            Some(step) if step.amax() < 1e6 * size => step,
            _ => J.svd(true, true).solve(&F, 1e-11).ok()?,
        };
        p -= step;
    }
    let u = &W * &p + &c;
    let size = p.amax().max(1.0);
    let residual = Residuals::new(problem, p.as_slice(), u.as_slice()).velocity;
    (residual <= MET * size).then(|| p.as_slice().to_vec())
}

/// Answers from random starts, one after the other: around `near` if that is given, else anywhere.
pub fn search(
    problem: &ContactProblem<'_>,
    near: Option<&[f64]>,
    starts: usize,
    random: &mut Random,
    mut found: impl FnMut(&[f64]) -> bool,
) {
    let n = problem.c.len();
    for start in 0..starts {
        let mut p = DVector::zeros(n);
        let mut at = 0;
        for point in problem.points {
            let size = if random.index(3) == 0 { 0.0 } else { random.within(0.0, 3.0) };
            for x in at..at + point.rows() {
                let own = if x == at { size } else { random.within(-3.0, 3.0) * size };
                p[x] = match near {
                    Some(near) if start % 2 == 0 => near[x] + random.within(-0.3, 0.3),
                    _ => own,
                };
            }
            at += point.rows();
        }
        if newton(problem, p).is_some_and(|p| found(&p)) {
            return;
        }
    }
}
