//! Coulomb's conditions at one contact while all others keep their impulses.
//!
//! With u = a + W p over the contact's own rows and a lower bound b ≥ 0 of the normal impulse:
//!
//! ```text
//! 0 ≤ p_n − b ⟂ u_n ≥ 0      |p_t| ≤ μ p_n,  u_t = 0 inside the cone,  u_t = −κ p_t, κ ≥ 0 on it
//! ```

use super::slip;

/// A condition may be missed by this part of the velocities.
const MET: f64 = 1e-13;
/// What friction that holds leaves of W_nn below which the rows depend on each other.
const DEPENDENT: f64 = 1e-12;
/// Slips whose directions have at least this cosine go the same way.
const ALIKE: f64 = 0.9;
/// Directions tried to bracket that of a slip in space.
const DIRECTIONS: usize = 48;
/// Newton's steps to it before that.
const NEAR: usize = 12;
/// Halvings, then, to the last digit.
const HALVINGS: usize = 55;

/// How the contact stands.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(super) enum Stand {
    /// p_n = b, and no friction because b = 0.
    #[default]
    Open,
    /// p_n = b > 0, u_t = 0.
    BoundSticks,
    /// p_n = b > 0, sliding along a direction.
    BoundSlides([f64; 2]),
    /// u_n = 0, u_t = 0.
    Sticks,
    /// u_n = 0, sliding along a direction.
    Slides([f64; 2]),
}

impl Stand {
    /// Whether another one is of the same kind, and slides to the same side.
    pub fn is_like(self, other: Self) -> bool {
        match (self, other) {
            (Self::Slides(d), Self::Slides(e)) | (Self::BoundSlides(d), Self::BoundSlides(e)) => {
                d == e || d[0] * e[0] + d[1] * e[1] > ALIKE
            }
            _ => self == other,
        }
    }
}

/// One contact, normal first; rows of tangents it does not have are zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Local {
    pub W: [[f64; 3]; 3],
    pub a: [f64; 3],
    pub mu: f64,
    pub bound: f64,
    pub tangents: usize,
}

impl Local {
    fn velocity(&self, row: usize, p: &[f64; 3]) -> f64 {
        let W = &self.W[row];
        self.a[row] + W[0] * p[0] + W[1] * p[1] + W[2] * p[2]
    }

    fn size(&self) -> f64 {
        self.a.iter().fold(0.0_f64, |m, x| m.max(x.abs()))
    }

    /// Impulse and stand; `None` if there is none. `hint` is a direction of sliding that may still hold.
    pub fn solve(&self, hint: Option<[f64; 2]>) -> Option<([f64; 3], Stand)> {
        let (p, stand) = self.at_bound();
        if self.velocity(0, &p) >= -MET * self.size() {
            return Some((p, stand));
        }
        if self.tangents == 0 || self.mu == 0.0 {
            let p_n = -self.a[0] / self.W[0][0];
            return (self.W[0][0] > 0.0).then_some(([p_n, 0.0, 0.0], Stand::Slides([0.0; 2])));
        }
        if let Some(p) = self.sticking() {
            return Some((p, Stand::Sticks));
        }
        self.sliding(hint).map(|(p, d)| (p, Stand::Slides(d)))
    }

    /// p_n = b with the friction that goes with it: the least of ½ p_tᵀ W_tt p_t + (a_t + W_tn b)ᵀ p_t in the disc μ b.
    fn at_bound(&self) -> ([f64; 3], Stand) {
        let b = self.bound;
        let limit = self.mu * b;
        if b == 0.0 || limit == 0.0 || self.tangents == 0 {
            return ([b, 0.0, 0.0], Stand::Open);
        }
        let W = &self.W;
        let a = [self.a[1] + W[1][0] * b, self.a[2] + W[2][0] * b];
        if self.tangents == 1 {
            if a[0].abs() <= limit * W[1][1] {
                let free = if W[1][1] > 0.0 { -a[0] / W[1][1] } else { 0.0 };
                return ([b, free, 0.0], Stand::BoundSticks);
            }
            let d = a[0].signum();
            return ([b, -limit * d, 0.0], Stand::BoundSlides([d, 0.0]));
        }
        // p_t(κ) = −(W_tt + κ)⁻¹ a falls in length with κ.
        let at = |kappa: f64| {
            let (x, y, z) = (W[1][1] + kappa, W[1][2], W[2][2] + kappa);
            let det = x * z - y * y;
            if det <= DEPENDENT * x * z {
                let s = x + z;
                let s2 = if s > 0.0 { s * s } else { 1.0 };
                return [-(x * a[0] + y * a[1]) / s2, -(y * a[0] + z * a[1]) / s2];
            }
            [-(z * a[0] - y * a[1]) / det, -(x * a[1] - y * a[0]) / det]
        };
        let free = at(0.0);
        let left = |p: [f64; 2]| {
            let x = a[0] + W[1][1] * p[0] + W[1][2] * p[1];
            let y = a[1] + W[2][1] * p[0] + W[2][2] * p[1];
            x.hypot(y)
        };
        if free[0].hypot(free[1]) <= limit && left(free) <= MET * a[0].hypot(a[1]) {
            return ([b, free[0], free[1]], Stand::BoundSticks);
        }
        let length = |kappa: f64| {
            let p = at(kappa);
            p[0].hypot(p[1])
        };
        let (mut low, mut high) = (0.0, a[0].hypot(a[1]) / limit);
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if middle == low || middle == high {
                break;
            }
            if length(middle) > limit {
                low = middle;
            } else {
                high = middle;
            }
        }
        let p = at(high);
        let s = p[0].hypot(p[1]);
        if s == 0.0 {
            return ([b, 0.0, 0.0], Stand::BoundSticks);
        }
        let d = [-p[0] / s, -p[1] / s];
        ([b, -limit * d[0], -limit * d[1]], Stand::BoundSlides(d))
    }

    /// u = 0 with p inside the cone.
    fn sticking(&self) -> Option<[f64; 3]> {
        let (W, a) = (&self.W, &self.a);
        // p_t = −W_tt⁻¹ (a_t + W_tn p_n)
        let p = if self.tangents == 1 {
            let held = W[0][0] - W[0][1] * W[1][0] / W[1][1];
            if !(held > DEPENDENT * W[0][0]) {
                return None;
            }
            let p_n = -(a[0] - W[0][1] / W[1][1] * a[1]) / held;
            [p_n, -(a[1] + W[1][0] * p_n) / W[1][1], 0.0]
        } else {
            let det = W[1][1] * W[2][2] - W[1][2] * W[2][1];
            if !(det > DEPENDENT * W[1][1] * W[2][2]) {
                return None;
            }
            let solve = |x: f64, y: f64| {
                [(W[2][2] * x - W[1][2] * y) / det, (W[1][1] * y - W[2][1] * x) / det]
            };
            let (of_a, of_n) = (solve(a[1], a[2]), solve(W[1][0], W[2][0]));
            let held = W[0][0] - W[0][1] * of_n[0] - W[0][2] * of_n[1];
            if !(held > DEPENDENT * W[0][0]) {
                return None;
            }
            let p_n = -(a[0] - W[0][1] * of_a[0] - W[0][2] * of_a[1]) / held;
            [p_n, -of_a[0] - of_n[0] * p_n, -of_a[1] - of_n[1] * p_n]
        };
        (p[0] >= self.bound && p[1].hypot(p[2]) <= self.mu * p[0] * (1.0 + MET)).then_some(p)
    }

    /// The impulse of a slip along d: u_n = 0, p_t = −μ p_n d. `None` where normal impulse cannot part the bodies so.
    fn slipping(&self, d: [f64; 2]) -> Option<[f64; 3]> {
        let W = &self.W;
        let rate = W[0][0] - self.mu * (W[0][1] * d[0] + W[0][2] * d[1]);
        if !(rate > 0.0) {
            return None;
        }
        let p_n = -self.a[0] / rate;
        Some([p_n, -self.mu * p_n * d[0], -self.mu * p_n * d[1]])
    }

    /// u_t across and along d at the slip's impulse.
    fn across(&self, d: [f64; 2]) -> Option<(f64, f64)> {
        let p = self.slipping(d)?;
        let k = slip::growth(&self.W, self.mu, d);
        let u = [self.a[1] + k[0] * p[0], self.a[2] + k[1] * p[0]];
        Some((d[0] * u[1] - d[1] * u[0], d[0] * u[0] + d[1] * u[1]))
    }

    /// A slip near a direction: Newton's method on d × u_t = 0 times W_nn − μ W_nt d, which is a polynomial in d.
    fn near_slip(&self, mut d: [f64; 2], enough: f64) -> Option<([f64; 3], [f64; 2])> {
        let (W, a, mu) = (&self.W, &self.a, self.mu);
        let cross = |x: [f64; 2], y: [f64; 2]| x[0] * y[1] - x[1] * y[0];
        let pull = |d: [f64; 2]| {
            let x = W[1][1] * d[0] + W[1][2] * d[1];
            [x, W[2][1] * d[0] + W[2][2] * d[1]]
        };
        for _ in 0..NEAR {
            let across = [-d[1], d[0]];
            let rate = W[0][0] - mu * (W[0][1] * d[0] + W[0][2] * d[1]);
            let turning = -mu * (W[0][1] * across[0] + W[0][2] * across[1]);
            let (along, aside) = (pull(d), pull(across));
            // N = u_t (W_nn − μ W_nt d)
            let N: [f64; 2] =
                std::array::from_fn(|x| a[1 + x] * rate - a[0] * (W[1 + x][0] - mu * along[x]));
            let dN = std::array::from_fn(|x| a[1 + x] * turning + a[0] * mu * aside[x]);
            let slope = cross(across, N) + cross(d, dN);
            let t = -cross(d, N) / slope;
            if !(t.abs() < 1.0) {
                return None;
            }
            let s = 1.0_f64.hypot(t);
            d = [(d[0] + t * across[0]) / s, (d[1] + t * across[1]) / s];
            if t.abs() <= f64::EPSILON {
                break;
            }
        }
        let (aside, along) = self.across(d)?;
        let p = self.slipping(d)?;
        let size = self.size();
        (aside.abs() <= 1e3 * MET * size && along >= enough && p[0] >= self.bound).then_some((p, d))
    }

    fn sliding(&self, hint: Option<[f64; 2]>) -> Option<([f64; 3], [f64; 2])> {
        let enough = -1e3 * MET * self.size();
        if self.tangents == 1 {
            let first = if self.a[1] < 0.0 { -1.0 } else { 1.0 };
            return [first, -first].into_iter().find_map(|sigma| {
                let d = [sigma, 0.0];
                let p = self.slipping(d)?;
                (sigma * self.velocity(1, &p) >= enough && p[0] >= self.bound).then_some((p, d))
            });
        }
        let towards = hint.or_else(|| {
            let s = self.a[1].hypot(self.a[2]);
            (s > 0.0).then(|| [self.a[1] / s, self.a[2] / s])
        });
        if let Some(found) = towards.and_then(|d| self.near_slip(d, enough)) {
            return Some(found);
        }
        let start = match hint {
            Some(d) => d[1].atan2(d[0]),
            None => self.a[2].atan2(self.a[1]),
        };
        let turned = |angle: f64| {
            let (s, c) = angle.sin_cos();
            [c, s]
        };
        let value = |angle: f64| self.across(turned(angle));
        // Brackets around the hint, then ever farther from it.
        let wide = std::f64::consts::TAU / DIRECTIONS as f64;
        let mut brackets = brackets_from(hint.is_some(), start, wide);
        brackets.find_map(|(mut low, mut high)| {
            let (at_low, at_high) = (value(low)?.0, value(high)?.0);
            if at_low * at_high > 0.0 {
                return None;
            }
            for _ in 0..HALVINGS {
                let middle = 0.5 * (low + high);
                if value(middle)?.0 * at_low > 0.0 {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            let d = turned(0.5 * (low + high));
            let (_, along) = self.across(d)?;
            let p = self.slipping(d)?;
            (along >= enough && p[0] >= self.bound).then_some((p, d))
        })
    }
}

/// Intervals of angles: a narrow one about a hint, then all the others from it outwards.
fn brackets_from(hinted: bool, start: f64, wide: f64) -> impl Iterator<Item = (f64, f64)> {
    let narrow = hinted.then_some((start - 0.02, start + 0.02));
    let half = DIRECTIONS / 2;
    let others = (0..=half).flat_map(move |n| {
        let away = n as f64 * wide;
        let right = (start + away - 0.5 * wide, start + away + 0.5 * wide);
        let left = (start - away - 0.5 * wide, start - away + 0.5 * wide);
        [right, left]
    });
    narrow.into_iter().chain(others)
}
