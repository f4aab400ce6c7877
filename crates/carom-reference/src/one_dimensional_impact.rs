//! m δ̈ = −F(δ, δ̇) in SI units, by the extrapolation of Gragg, Bulirsch and Stoer.
//!
//! Nothing is made dimensionless and no closed form is used. δⁿ has no Taylor series at δ = 0, so steps grow from a tiny one
//! at the onset and shrink with δ before the parting. Events are found by repeating a step with another length.
//! Beside δ and δ̇ the impulse ∫ F dt and the loss ∮ F dδ are integrated.

use crate::contact_force::Force;

/// Columns of the extrapolation: order 16.
const COLUMNS: usize = 8;
/// Allowed change by the last column, in parts of depth and speed.
const TOLERANCE: f64 = 1e-14;
/// A gap closer than this, in parts of the depth, is crossed at constant speed.
const LAST_BIT: f64 = 1e-15;
/// A pair still pressed after that many steps does not part.
const MOST_STEPS: usize = 4000;

/// When a pair parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// F = max(0, F): parted where F is zero, pressed again where it rises before δ = 0.
    ZeroForce,
    /// At δ = 0.
    ZeroIndentation,
}

/// What was found, in SI units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Found {
    /// −δ̇⁺/δ̇⁻.
    pub restitution: f64,
    /// The greatest force.
    pub peak_force: f64,
    /// When it acts.
    pub time_of_peak: f64,
    /// The greatest δ.
    pub max_indentation: f64,
    /// When it is reached.
    pub time_of_max_indentation: f64,
    /// When the pair parts for good; infinite if it does not.
    pub duration: f64,
    /// δ there.
    pub parting_indentation: f64,
    /// ∫ F dt.
    pub impulse: f64,
    /// ∮ F dδ.
    pub loss: f64,
    /// How often the law began to act.
    pub presses: u32,
    /// The least force while it acted.
    pub least_force: f64,
}

/// δ, δ̇, ∫ F dt, ∫ F dδ.
type State = [f64; 4];

struct Impact<'a> {
    law: &'a dyn Force,
    mass: f64,
    /// Sizes of δ and δ̇.
    size: [f64; 2],
    pressed: bool,
}

impl Impact<'_> {
    fn rate(&self, x: &State) -> State {
        let F = if self.pressed { self.law.force(x[0].max(0.0), x[1]) } else { 0.0 };
        [x[1], -F / self.mass, F, F * x[1]]
    }

    /// Gragg's midpoint rule with `count` parts.
    fn midpoint(&self, x: &State, h: f64, count: usize) -> State {
        let part = h / count as f64;
        let mut old = *x;
        let first = self.rate(x);
        let mut here: State = std::array::from_fn(|i| x[i] + part * first[i]);
        for _ in 1..count {
            let rate = self.rate(&here);
            let next = std::array::from_fn(|i| old[i] + 2.0 * part * rate[i]);
            (old, here) = (here, next);
        }
        here
    }

    /// A step of length h and its error in parts of the sizes.
    fn step(&self, x: &State, h: f64) -> (State, f64) {
        let mut row: [State; COLUMNS] = [[0.0; 4]; COLUMNS];
        let mut error = f64::INFINITY;
        for j in 0..COLUMNS {
            let mut newer = self.midpoint(x, h, 2 * (j + 1));
            for (k, older) in row.iter_mut().enumerate().take(j) {
                // T_{j,k+1} = T_{j,k} + (T_{j,k} − T_{j−1,k})/((n_j/n_{j−k−1})² − 1)
                let ratio = ((j + 1) as f64 / (j - k) as f64).powi(2) - 1.0;
                let next = std::array::from_fn(|i| newer[i] + (newer[i] - older[i]) / ratio);
                *older = newer;
                if k + 1 == j {
                    let off = |i: usize| (next[i] - newer[i]).abs() / self.size[i];
                    error = off(0).max(off(1));
                }
                newer = next;
            }
            row[j] = newer;
        }
        (row[COLUMNS - 1], error)
    }

    /// The length up to h at which g changes its sign: Illinois' rule with bisection against stalling.
    fn length(&self, x: &State, h: f64, g: impl Fn(&State) -> f64) -> f64 {
        let at = |l: f64| g(&if l == 0.0 { *x } else { self.step(x, l).0 });
        let (mut a, mut b) = (0.0, h);
        let (mut ga, mut gb) = (at(a), at(b));
        if (ga > 0.0) == (gb > 0.0) {
            return h;
        }
        for round in 0..200 {
            let mut c = (a * gb - b * ga) / (gb - ga);
            if round % 4 == 3 || !(c > a && c < b) {
                c = 0.5 * (a + b);
            }
            if c <= a || c >= b {
                break;
            }
            let gc = at(c);
            if gc == 0.0 {
                return c;
            }
            if (gc > 0.0) == (gb > 0.0) {
                (b, gb) = (c, gc);
                ga *= 0.5;
            } else {
                (a, ga) = (c, gc);
                gb *= 0.5;
            }
            if b - a < 1e-16 * h {
                break;
            }
        }
        0.5 * (a + b)
    }

    fn push(&self, x: &State) -> f64 {
        self.law.force(x[0].max(0.0), x[1])
    }

    /// dF/dt = F_δ δ̇ − F_δ̇ F/m.
    fn push_rate(&self, x: &State) -> f64 {
        let [k, c] = self.law.slopes(x[0].max(0.0), x[1]);
        k * x[1] - c * self.push(x) / self.mass
    }
}

/// The impact of a mass \[kg\] at a speed \[m/s\]; `depth` \[m\] is the size of the indentation to be expected.
pub fn strike(law: &dyn Force, mass: f64, speed: f64, depth: f64, rule: Rule) -> Found {
    let mut pair = Impact { law, mass, size: [depth, speed], pressed: true };
    let mut x: State = [0.0, speed, 0.0, 0.0];
    let mut found = Found { presses: 1, peak_force: pair.push(&x), ..Found::default() };
    let (mut t, mut h) = (0.0, 1e-6 * depth / speed);
    for _ in 0..MOST_STEPS {
        if x[1] < 0.0 {
            h = h.min(0.75 * x[0] / -x[1]);
        }
        let (mut end, error) = pair.step(&x, h);
        let grow = 0.9 * (TOLERANCE / error.max(1e-30)).powf(1.0 / 15.0);
        if !(error <= TOLERANCE) || end[0] < 0.02 * x[0] {
            h *= if grow.is_finite() { grow.clamp(0.2, 0.7) } else { 0.2 };
            continue;
        }
        let mut length = h;
        let before = pair.push(&x);
        if let Some(d) = law.kink()
            && (x[0] < d) != (end[0] < d)
            && (x[0] / d - 1.0).abs() > 1e-13
        {
            length = length.min(pair.length(&x, h, |y| y[0] - d));
            end = pair.step(&x, length).0;
        }
        // A force that falls and rises again within the step may have been negative between.
        if rule == Rule::ZeroForce
            && pair.pressed
            && pair.push_rate(&x) < 0.0
            && pair.push_rate(&end) > 0.0
        {
            let lowest = pair.length(&x, length, |y| pair.push_rate(y));
            let bottom = pair.step(&x, lowest).0;
            if pair.push(&bottom) < 0.0 {
                (length, end) = (lowest, bottom);
            }
        }
        let switches = rule == Rule::ZeroForce && (pair.push(&end) > 0.0) != pair.pressed;
        if switches {
            // Just switched the force is zero to round-off: the sign at the beginning is known.
            let sign = if pair.pressed { 1.0 } else { -1.0 };
            length = pair.length(&x, length, |y| {
                if *y == x { sign * before.abs().max(1e-300) } else { pair.push(y) }
            });
            end = pair.step(&x, length).0;
        }
        if found.max_indentation == 0.0 && end[1] <= 0.0 {
            let l = pair.length(&x, length, |y| y[1]);
            found.max_indentation = pair.step(&x, l).0[0];
            found.time_of_max_indentation = t + l;
        }
        if pair.pressed {
            if (t == 0.0 || pair.push_rate(&x) > 0.0) && pair.push_rate(&end) <= 0.0 {
                let l = pair.length(&x, length, |y| pair.push_rate(y));
                let F = pair.push(&pair.step(&x, l).0);
                if F > found.peak_force {
                    (found.peak_force, found.time_of_peak) = (F, t + l);
                }
            }
            found.least_force = found.least_force.min(pair.push(&end));
        }
        (x, t) = (end, t + length);
        if switches {
            pair.pressed = !pair.pressed;
            if pair.pressed {
                found.presses += 1;
            } else {
                found.duration = t;
                found.parting_indentation = x[0];
            }
            h = length.min(1e-3 * depth / speed);
        }
        // A motion may end before the error lets a step grow.
        h *= grow.clamp(0.3, 3.0);
        // So slow so near to the end: it creeps, and arrives never or with a speed below the errors.
        if x[0] < 1e-9 * depth && x[1].abs() < 1e-8 * speed {
            break;
        }
        if x[1] < 0.0 && x[0] < LAST_BIT * depth {
            if pair.pressed {
                (found.duration, found.parting_indentation) = (t - x[0] / x[1], 0.0);
            }
            found.restitution = -x[1] / speed;
            (found.impulse, found.loss) = (x[2], x[3]);
            return found;
        }
    }
    found.duration = f64::INFINITY;
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact_force::{Damper, SpringDamper};

    #[test]
    fn a_linear_oscillator_strikes_for_half_a_period() {
        // ω = √(K/m) = 50 1/s, v = 2 m/s: δ_max = v/ω, T = π/ω.
        let law = SpringDamper { stiffness: 5000.0, exponent: 1.0, damper: Damper::Viscous(0.0) };
        let found = strike(&law, 2.0, 2.0, 0.04, Rule::ZeroForce);
        assert!((found.max_indentation / 0.04 - 1.0).abs() < 1e-13, "{found:?}");
        assert!((found.duration * 50.0 / std::f64::consts::PI - 1.0).abs() < 1e-13);
        assert!((found.restitution - 1.0).abs() < 1e-13 && found.loss.abs() < 1e-13 * 4.0);
        assert!((found.impulse / 8.0 - 1.0).abs() < 1e-13 && found.presses == 1);
    }

    #[test]
    fn the_cut_force_agrees_with_a_plain_method_of_small_steps() {
        // F = max(0, F) by Heun's rule with small steps, no events: a package's IMPACT that presses twice.
        let law =
            SpringDamper { stiffness: 1e6, exponent: 1.5, damper: Damper::Step(2000.0, 1e-3) };
        let found = strike(&law, 1.0, 1.0, 4e-3, Rule::ZeroForce);
        assert_eq!(found.presses, 2, "{found:?}");
        let rate = |x: f64, v: f64| if x > 0.0 { -law.force(x, v).max(0.0) } else { 0.0 };
        let (mut x, mut v, h) = (0.0_f64, 1.0_f64, 2e-8);
        while x > 0.0 || v > 0.0 {
            let (a, slope) = (rate(x, v), v);
            let b = rate(x + h * slope, v + h * a);
            x += h * (slope + 0.5 * h * a);
            v += 0.5 * h * (a + b);
        }
        assert!((found.restitution / -v - 1.0).abs() < 1e-6, "{v} {found:?}");
    }
}
