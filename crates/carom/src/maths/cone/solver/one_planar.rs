//! One contact point in the plane: its modes one by one.

use super::super::problem::{Admissible, ContactPoint, ContactProblem};
use super::ConeSolver;

/// Conditions met or missed by less than this fraction of the velocities may be met or missed by round-off.
const CLEAR: f64 = 1e-9;

impl ConeSolver {
    /// self.impulses ← the answer of a single point in the plane, if exactly one of its modes satisfies Coulomb's law: open or at its least impulse,
    /// sticking, sliding to either side. There is no other mode, so this is then proved to be the only answer. Where a condition is not clearly met or
    /// missed, or several modes are possible, the general way decides.
    pub(super) fn one_planar(&mut self, problem: &ContactProblem<'_>) -> bool {
        let ([ContactPoint { tangents: 1, admissible: Admissible::Coulomb(mu), least }], [x, y]) =
            (problem.points, problem.c)
        else {
            return false;
        };
        let (mu, least, x, y) = (*mu, *least, *x, *y);
        let [a, b, d] = [problem.w(0, 0), problem.w(0, 1), problem.w(1, 1)];
        let det = a * d - b * b;
        if self.path_only || !(mu > 0.0 && det > CLEAR * a * d) {
            return false;
        }
        let size = x.abs().max(y.abs()).max((a + d) * (1.0 + mu) * least);
        let clear = (CLEAR * size).max(problem.round_off);
        let u = |[n, t]: [f64; 2]| [x + a * n + b * t, y + b * n + d * t];
        let mut answer = None;
        // Each mode: its impulse, and what must not be negative, as velocities.
        let mut is_clear = |p: [f64; 2], conditions: [f64; 2]| {
            let least = conditions[0].min(conditions[1]);
            if least < -clear {
                return true;
            }
            least > clear && answer.replace(p).is_none()
        };
        let sticking = [(b * y - d * x) / det, (b * x - a * y) / det];
        let inside = (mu * sticking[0] - sticking[1].abs()) * d;
        let mut decided = is_clear(sticking, [(sticking[0] - least) * a, inside]);
        for side in [1.0, -1.0] {
            let own = a - side * mu * b;
            if own.abs() <= CLEAR * a * (1.0 + mu) {
                return false;
            }
            let p = [-x / own, side * mu * x / own];
            decided = decided && is_clear(p, [(p[0] - least) * a, side * u(p)[1]]);
        }
        if least == 0.0 {
            decided = decided && is_clear([0.0; 2], [x, x]);
        } else {
            let p = [least, -(y + b * least) / d];
            decided = decided && is_clear(p, [u(p)[0], (mu * least - p[1].abs()) * d]);
            for side in [1.0, -1.0] {
                let p = [least, -side * mu * least];
                let [u_n, u_t] = u(p);
                decided = decided && is_clear(p, [u_n, side * u_t]);
            }
        }
        let (true, Some(p)) = (decided, answer) else { return false };
        self.impulses.copy_from_slice(&p);
        self.uniqueness.proved = true;
        self.uniqueness.gap = det / (a * d) / f64::EPSILON;
        true
    }
}
