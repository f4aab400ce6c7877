//! The impact of Gonzalez et al.'s double pendulum by the paper's own method: the trapezoidal rule with a fixed step.

use crate::double_pendulum::DoublePendulum;

/// What an impact leaves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// The greatest force \[N\].
    pub peak_force: f64,
    /// ẏ₂ when the tip leaves the ground \[m/s\].
    pub separation_speed: f64,
    /// How long it touched \[s\].
    pub duration: f64,
}

/// An elastic impact with F = K δ^(3/2), δ = −(y₂ + h), from the onset at angles φ with rates φ̇, without gravity.
pub fn elastic_impact(
    pendulum: &DoublePendulum,
    stiffness: f64,
    height: f64,
    (phi, rate): ([f64; 2], [f64; 2]),
    step: f64,
) -> Impact {
    let depth = |phi: [f64; 2]| -(pendulum.tip(phi)[1] + height);
    let force = |phi: [f64; 2]| stiffness * depth(phi).max(0.0).powf(1.5);
    let slope = |x: [f64; 4]| {
        let (phi, rate) = ([x[0], x[1]], [x[2], x[3]]);
        let (A, c) = (pendulum.impact_jacobian(phi), pendulum.coriolis(phi, rate));
        let F = force(phi);
        let right = [A[0] * F - c[0], A[1] * F - c[1]];
        let a = crate::linear::solve(pendulum.mass_matrix(phi), right);
        [rate[0], rate[1], a[0], a[1]]
    };
    let speed = |x: [f64; 4]| {
        let A = pendulum.impact_jacobian([x[0], x[1]]);
        A[0] * x[2] + A[1] * x[3]
    };
    let mut x = [phi[0], phi[1], rate[0], rate[1]];
    let mut forces = [0.0; 3];
    let mut peak: f64 = 0.0;
    for k in 0_u32.. {
        let f = slope(x);
        // x' = x + h/2 (f(x) + f(x')), by iteration to the last digits.
        let mut next = x;
        for _ in 0..50 {
            let g = slope(next);
            let better: [f64; 4] = std::array::from_fn(|i| x[i] + 0.5 * step * (f[i] + g[i]));
            let same = better == next;
            next = better;
            if same {
                break;
            }
        }
        forces = [forces[1], forces[2], force([next[0], next[1]])];
        let [a, b, c] = forces;
        if b >= a && b >= c && b > 0.0 {
            // The top of the parabola through three values.
            let bend = a - 2.0 * b + c;
            peak = peak.max(b - (a - c) * (a - c) / (8.0 * bend));
        }
        let (before, after) = (depth([x[0], x[1]]), depth([next[0], next[1]]));
        if after < 0.0 && speed(next) > 0.0 {
            let part = before / (before - after);
            let separation_speed = speed(x) + part * (speed(next) - speed(x));
            let duration = step * (f64::from(k) + part);
            return Impact { peak_force: peak, separation_speed, duration };
        }
        x = next;
    }
    unreachable!("an elastic impact ends")
}
