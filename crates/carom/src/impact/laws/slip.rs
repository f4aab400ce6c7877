//! Sliding in space: the slip turns while it slows.
//!
//! du_t/dϖ = W_tn − μ W_tt u_t/|u_t| is not smooth where the slip vanishes. With dϖ = |u_t| dτ it becomes
//! du_t/dτ = |u_t| W_tn − μ W_tt u_t, which is: a slip that stops does so at τ → ∞, and exponentially.

use super::process::{Path, Single};
use crate::maths::ode::tableau::{A, B, B_ORDER_3, ERROR_ORDER_5, STAGES, Weights};
use crate::maths::zero;

/// Relative error allowed in a step.
const ERROR: f64 = 1e-12;
/// Most steps; a slip that stops takes a few hundred.
const STEPS: usize = 100_000;
/// Halvings of a step to find where a phase ends.
const HALVINGS: usize = 60;
/// Directions tried to bracket the one in which sliding leaves.
const DIRECTIONS: usize = 64;

/// k = du_t/dϖ while it slides along d.
pub(super) fn growth(W: &[[f64; 3]; 3], mu: f64, d: [f64; 2]) -> [f64; 2] {
    [
        W[1][0] - mu * (W[1][1] * d[0] + W[1][2] * d[1]),
        W[2][0] - mu * (W[2][1] * d[0] + W[2][2] * d[1]),
    ]
}

/// The direction in which sliding leaves rest: k(d) along d and growing. It is unique where friction does not hold.
pub(super) fn leaving(W: &[[f64; 3]; 3], mu: f64) -> [f64; 2] {
    let across = |angle: f64| {
        let (s, c) = angle.sin_cos();
        let k = growth(W, mu, [c, s]);
        (c * k[1] - s * k[0], c * k[0] + s * k[1])
    };
    let step = std::f64::consts::TAU / DIRECTIONS as f64;
    // W_tn points to it if friction is small or alike in all directions.
    let start = W[2][0].atan2(W[1][0]);
    let mut best = (start, f64::NEG_INFINITY);
    for n in 0..DIRECTIONS {
        // From W_tn outwards to both sides; intervals around it first.
        let (mut low, mut high) =
            (start + (n as f64 - 0.5) * step, start + (n as f64 + 0.5) * step);
        let (at_low, at_high) = (across(low).0, across(high).0);
        if at_low * at_high > 0.0 {
            continue;
        }
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if across(middle).0 * at_low > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        let middle = 0.5 * (low + high);
        let along = across(middle).1;
        if along > best.1 {
            best = (middle, along);
        }
    }
    let (s, c) = best.0.sin_cos();
    [c, s]
}

/// Follows a turning slip until it stops or goes straight (false) or the impact is over (true). The second answer is whether normal impulse drew
/// the bodies together on the way.
pub(super) fn turn(single: &Single, path: &mut Path) -> (bool, bool) {
    let first = single.u[1].hypot(single.u[2]);
    let W = &single.W;
    let size = single.mu * (W[1][1] + W[2][2]) + W[1][0].hypot(W[2][0]);
    let mut h = 0.01 / size;
    let mut y = path.pack();
    let mut painleve = false;
    for _ in 0..STEPS {
        let s = length(y[0], y[1]);
        if s <= single.rest {
            break;
        }
        // Once it hardly turns the rest of the way is straight: a short one if the slip shrinks, else a long one.
        let d = [y[0] / s, y[1] / s];
        let k = growth(W, single.mu, d);
        let way = if d[0] * k[0] + d[1] * k[1] < 0.0 { s / first } else { 1.0 };
        if (d[0] * k[1] - d[1] * k[0]).abs() * way <= zero::POSITIONS * k[0].hypot(k[1]) {
            *path = path.unpack(&y);
            return (false, painleve);
        }
        painleve |= W[0][0] * s <= single.mu * (W[0][1] * y[0] + W[0][2] * y[1]);
        let (next, error) = step(single, &y, h);
        if error > 1.0 {
            h *= (0.9 * error.powf(-0.125)).max(0.2);
            continue;
        }
        let grow = (0.9 * error.max(1e-10).powf(-0.125)).clamp(0.2, 6.0);
        let there = path.unpack(&next);
        if single.beyond(&there) >= 0.0 {
            y = land(single, path, &y, h, single.beyond(&there));
            *path = path.unpack(&y);
            if !path.compress() {
                return (true, painleve);
            }
            if single.e == 0.0 || single.beyond(path) >= 0.0 {
                return (true, painleve);
            }
            y = path.pack();
            continue;
        }
        y = next;
        h *= grow;
    }
    *path = path.unpack(&y);
    (false, painleve)
}

/// Where inside a step the phase ends: false position with the stale end halved (Illinois).
fn land(single: &Single, path: &Path, y: &[f64; 7], h: f64, beyond: f64) -> [f64; 7] {
    let (mut low, mut high) = (0.0, h);
    let (mut at_low, mut at_high) = (single.beyond(&path.unpack(y)), beyond);
    let mut side = 0;
    for _ in 0..HALVINGS {
        if at_high == 0.0 || high - low <= zero::LAST_DIGITS * h {
            break;
        }
        let middle = (low * at_high - high * at_low) / (at_high - at_low);
        let value = single.beyond(&path.unpack(&step(single, y, middle).0));
        if value >= 0.0 {
            (high, at_high) = (middle, value);
            if side == 1 {
                at_low *= 0.5;
            }
            side = 1;
        } else {
            (low, at_low) = (middle, value);
            if side == -1 {
                at_high *= 0.5;
            }
            side = -1;
        }
    }
    step(single, y, high).0
}

/// d/dτ of u_t, p_t, p_n, u_n and the work of the normal impulse.
fn rates(single: &Single, y: &[f64; 7]) -> [f64; 7] {
    let (W, mu) = (&single.W, single.mu);
    let s = length(y[0], y[1]);
    [
        W[1][0] * s - mu * (W[1][1] * y[0] + W[1][2] * y[1]),
        W[2][0] * s - mu * (W[2][1] * y[0] + W[2][2] * y[1]),
        -mu * y[0],
        -mu * y[1],
        s,
        W[0][0] * s - mu * (W[0][1] * y[0] + W[0][2] * y[1]),
        y[5] * s,
    ]
}

/// One step of Dormand and Prince's eighth order, and its error by the allowed one, from the embedded orders 5 and 3 (Hairer,
/// Nørsett and Wanner 1993, section II.10).
fn step(single: &Single, y: &[f64; 7], h: f64) -> ([f64; 7], f64) {
    let mut k = [[0.0; 7]; STAGES];
    let sum = |k: &[[f64; 7]; STAGES], weights: Weights, i: usize| -> f64 {
        weights.iter().map(|(stage, w)| w * k[*stage][i]).sum()
    };
    k[0] = rates(single, y);
    for n in 1..STAGES {
        let x = std::array::from_fn(|i| y[i] + h * sum(&k, A[n], i));
        k[n] = rates(single, &x);
    }
    let next: [f64; 7] = std::array::from_fn(|i| y[i] + h * sum(&k, B, i));
    // The slip by its own size, the rest by the whole impact's.
    let slip = length(next[0], next[1]).max(length(y[0], y[1]));
    let mut error = 0.0_f64;
    for i in 0..2 {
        let fifth = sum(&k, ERROR_ORDER_5, i);
        let third = sum(&k, B, i) - sum(&k, B_ORDER_3, i);
        let both = (fifth * fifth + 0.01 * third * third).sqrt();
        if both > 0.0 {
            error = error.max((h * fifth * fifth / both).abs() / (ERROR * slip));
        }
    }
    (next, error)
}

/// √(x² + y²), by the slow way only where squares leave the range of numbers.
fn length(x: f64, y: f64) -> f64 {
    let square = x * x + y * y;
    if (1e-280..1e280).contains(&square) { square.sqrt() } else { x.hypot(y) }
}
