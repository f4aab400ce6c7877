//! One contact through its impact: sliding, sticking and reversal followed in the normal impulse (Routh; Keller 1986).
//!
//! With ϖ the normal impulse so far and f the friction per unit of it,
//!
//! ```text
//! du_n/dϖ = W_nn + W_nt f      du_t/dϖ = W_tn + W_tt f      f = −μ u_t/|u_t| while it slides
//! ```
//!
//! In the plane the rates are constant between the moments where sliding stops, so the path is exact. In space the slip turns;
//! it is integrated until it stops or keeps its direction ([`slip`](super::slip)). Where sliding stops, friction holds if the
//! force it needs, |W_tt⁻¹ W_tn|, is at most μ; otherwise sliding goes on in the one direction in which it grows.
//!
//! Compression ends at u_n = 0, the whole by the law: at u_n = −e u_n⁻ (Newton), at ϖ = (1 + e) ϖ_c (Poisson), or when the
//! normal impulse has given back e² of the work it took (Stronge).

use super::slip;
use super::solution::ContactMode;
use crate::maths::zero;

/// When an impact at one contact is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// u_n = −e u_n⁻.
    Newton,
    /// ϖ = (1 + e) ϖ_c.
    Poisson,
    /// The work of the normal impulse.
    Energetic,
    /// With compression.
    Plastic,
}

/// One contact: normal first; in the plane the last row and column are zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Single {
    pub W: [[f64; 3]; 3],
    pub u: [f64; 3],
    pub e: f64,
    pub mu: f64,
    pub ending: Ending,
    /// Sliding below this is none \[m/s\].
    pub rest: f64,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Outcome {
    pub impulse: [f64; 3],
    pub mode: ContactMode,
    /// Sliding drew the bodies together for a while.
    pub painleve: bool,
    /// Friction holds a mechanism that can move no other way: nothing was given back.
    pub wedged: bool,
    /// How often it closed again and was followed again.
    pub repeats: usize,
}

/// Where the path stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    pub p: [f64; 3],
    pub u: [f64; 3],
    /// Work of the normal impulse.
    work: f64,
    /// ϖ_c and the work at the end of compression.
    compressed: Option<(f64, f64)>,
}

/// What a piece of the path ended at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    /// The piece's own end.
    Piece,
    /// The end of the impact.
    Over,
    /// A rate of zero: neither comes.
    Never,
}

impl Single {
    /// Follows the path. The contact closes and can move: u_n < 0 < W_nn.
    pub fn run(&self) -> Outcome {
        let mut path = Path { p: [0.0; 3], u: self.u, work: 0.0, compressed: None };
        let mut out = Outcome {
            impulse: [0.0; 3],
            mode: ContactMode::Smooth,
            painleve: false,
            wedged: false,
            repeats: 0,
        };
        if self.mu == 0.0 {
            self.straight(&mut path, [0.0, 0.0], f64::INFINITY);
            out.impulse = path.p;
            return out;
        }
        out.mode = ContactMode::Slides;
        let mut slipped = false;
        if self.u[1].hypot(self.u[2]) > self.rest {
            slipped = true;
            if self.slide(&mut path, &mut out) == Stop::Over {
                out.impulse = path.p;
                return out;
            }
        }
        // Sliding has stopped, or was none.
        (path.u[1], path.u[2]) = (0.0, 0.0);
        let hold = self.holding();
        // Friction just enough to hold holds: sticking may miss the cone by this part.
        if hold[0].hypot(hold[1]) <= self.mu * (1.0 + zero::SOLVED) {
            out.mode = ContactMode::Sticks;
            let alpha = self.W[0][0] + self.W[0][1] * hold[0] + self.W[0][2] * hold[1];
            // With its slip held, the normal has no mobility left beside W_nn: the contact is wedged.
            if alpha <= zero::EVALUATED * self.W[0][0] {
                self.wedge(&mut path, hold);
                out.wedged = true;
            } else {
                self.straight(&mut path, hold, f64::INFINITY);
            }
        } else {
            if slipped {
                out.mode = ContactMode::Reverses;
            }
            let d = slip::leaving(&self.W, self.mu);
            self.straight(&mut path, [-self.mu * d[0], -self.mu * d[1]], f64::INFINITY);
        }
        out.impulse = path.p;
        out
    }

    /// −W_tt⁺ W_tn: the friction per normal impulse that keeps the contact from sliding.
    fn holding(&self) -> [f64; 2] {
        let W = &self.W;
        let (a, b, c) = (W[1][1], W[1][2], W[2][2]);
        let (x, y) = (W[1][0], W[2][0]);
        let det = a * c - b * b;
        if det > zero::SOLVED * a * c {
            return [-(c * x - b * y) / det, -(a * y - b * x) / det];
        }
        // One direction moves, along (a, b) or (b, c): W_tt = s z zᵀ with |z| = 1.
        let s = a + c;
        if s <= 0.0 {
            return [0.0; 2];
        }
        [-(a * x + b * y) / (s * s), -(b * x + c * y) / (s * s)]
    }

    /// A piece with constant friction per normal impulse, at most `length` long.
    fn straight(&self, path: &mut Path, f: [f64; 2], length: f64) -> Stop {
        let rate = |row: usize| self.W[row][0] + self.W[row][1] * f[0] + self.W[row][2] * f[1];
        let rates = [rate(0), rate(1), rate(2)];
        let mut left = length;
        loop {
            let reach = self.reach(path, rates[0]);
            let step = reach.min(left);
            if !step.is_finite() {
                return Stop::Never;
            }
            path.work += step * (path.u[0] + 0.5 * rates[0] * step);
            path.u.iter_mut().zip(&rates).for_each(|(u, rate)| *u += rate * step);
            path.p = [path.p[0] + step, path.p[1] + f[0] * step, path.p[2] + f[1] * step];
            left -= step;
            if reach > step {
                return Stop::Piece;
            }
            if path.compressed.is_some() {
                return Stop::Over;
            }
            path.u[0] = 0.0;
            path.compressed = Some((path.p[0], path.work));
        }
    }

    /// How much normal impulse the phase still takes while u_n changes at a constant rate.
    fn reach(&self, path: &Path, alpha: f64) -> f64 {
        let Some((p_c, work_c)) = path.compressed else {
            return if alpha > 0.0 { -path.u[0] / alpha } else { f64::INFINITY };
        };
        match self.ending {
            Ending::Plastic => 0.0,
            Ending::Newton if self.e == 0.0 => 0.0,
            Ending::Newton if alpha <= 0.0 => f64::INFINITY,
            Ending::Newton => ((-self.e * self.u[0] - path.u[0]) / alpha).max(0.0),
            Ending::Poisson => ((1.0 + self.e) * p_c - path.p[0]).max(0.0),
            Ending::Energetic => {
                // u_n Δ + ½ α Δ² = what is still to be given back
                let owed = ((1.0 - self.e * self.e) * work_c - path.work).max(0.0);
                let under = path.u[0] * path.u[0] + 2.0 * alpha * owed;
                if owed == 0.0 {
                    0.0
                } else if under < 0.0 {
                    f64::INFINITY
                } else {
                    2.0 * owed / (path.u[0] + under.sqrt())
                }
            }
        }
    }

    /// Whether the impact is over somewhere between two places of the path: positive if it is.
    pub(super) fn beyond(&self, path: &Path) -> f64 {
        let Some((p_c, work_c)) = path.compressed else { return path.u[0] };
        match self.ending {
            Ending::Newton => path.u[0] + self.e * self.u[0],
            Ending::Plastic => 0.0,
            Ending::Poisson => path.p[0] - (1.0 + self.e) * p_c,
            Ending::Energetic => path.work - (1.0 - self.e * self.e) * work_c,
        }
    }

    /// Sliding until it stops or the impact is over.
    fn slide(&self, path: &mut Path, out: &mut Outcome) -> Stop {
        let turns = self.W[1][2] != 0.0 || self.W[2][2] != 0.0;
        if turns {
            let (over, painleve) = slip::turn(self, path);
            out.painleve |= painleve;
            if over {
                return Stop::Over;
            }
        }
        // What is left is straight.
        let s = path.u[1].hypot(path.u[2]);
        if s <= self.rest {
            return Stop::Piece;
        }
        let d = [path.u[1] / s, path.u[2] / s];
        let k = slip::growth(&self.W, self.mu, d);
        let along = d[0] * k[0] + d[1] * k[1];
        if self.W[0][0] <= self.mu * (self.W[0][1] * d[0] + self.W[0][2] * d[1]) {
            out.painleve = true;
        }
        let length = if along < 0.0 { -s / along } else { f64::INFINITY };
        match self.straight(path, [-self.mu * d[0], -self.mu * d[1]], length) {
            Stop::Never => Stop::Over,
            stop => stop,
        }
    }

    /// Friction holds and nothing can move: compression is over, and impulses change no velocity.
    fn wedge(&self, path: &mut Path, hold: [f64; 2]) {
        path.u[0] = 0.0;
        if self.ending == Ending::Poisson {
            let (p_c, _) = path.compressed.unwrap_or((path.p[0], path.work));
            let more = ((1.0 + self.e) * p_c - path.p[0]).max(0.0);
            path.p = [path.p[0] + more, path.p[1] + hold[0] * more, path.p[2] + hold[1] * more];
        }
    }
}

impl Path {
    /// The numbers a turning slip is integrated in: u_t, p_t, p_n, u_n, work.
    pub(super) fn pack(&self) -> [f64; 7] {
        [self.u[1], self.u[2], self.p[1], self.p[2], self.p[0], self.u[0], self.work]
    }

    /// The path at those numbers.
    pub(super) fn unpack(&self, y: &[f64; 7]) -> Self {
        Self { p: [y[4], y[2], y[3]], u: [y[5], y[0], y[1]], work: y[6], ..*self }
    }

    /// Notes the end of compression; false if it was noted before.
    pub(super) fn compress(&mut self) -> bool {
        if self.compressed.is_some() {
            return false;
        }
        self.u[0] = 0.0;
        self.compressed = Some((self.p[0], self.work));
        true
    }
}
