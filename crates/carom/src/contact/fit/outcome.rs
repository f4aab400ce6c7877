//! Separation speed, peak force, duration and impulse of an impact, with their derivatives by the parameters of a curve.

use super::NoMotion;
use super::force::{Core, Curve, PARAMETERS, Prepared};
use super::motion::{Slopes, motion};
use crate::contact::impact1d::{Damped, Factors, Oscillator};

/// What may be measured of an impact: the word of heads, the name in sentences, and the unit.
pub const QUANTITIES: [(&str, &str, &str); 4] = [
    ("separation_speed", "separation speed", "m/s"),
    ("peak_force", "peak force", "N"),
    ("duration", "duration", "s"),
    ("impulse", "impulse", "N s"),
];
/// Step of the five-point differences of closed forms: their truncation is its fourth power, round-off is divided by it.
const STEP: f64 = 2e-3;

/// The quantities in the order of [`QUANTITIES`], with their derivatives.
pub type Values = [(f64, Slopes); 4];

/// The closed forms in units of the elastic impact, and their derivatives by n and by the damping.
#[derive(Clone, Copy)]
struct Relative {
    of: [f64; 3],
    by_exponent: [f64; 3],
    by_damping: [f64; 3],
}

fn relative(f: &Factors) -> [f64; 3] {
    [f.restitution, f.peak_force, f.duration]
}

/// Five-point differences; at x = 0 one-sided ones, since a damping is not negative.
fn slope(x: f64, step: f64, f: &dyn Fn(f64) -> [f64; 3]) -> [f64; 3] {
    let beside = x - 2.0 * step < 0.0;
    let (weights, first): ([f64; 5], f64) = if beside {
        ([-25.0, 48.0, -36.0, 16.0, -3.0], 0.0)
    } else {
        ([1.0, -8.0, 0.0, 8.0, -1.0], -2.0)
    };
    let mut out = [0.0; 3];
    for (k, w) in weights.iter().enumerate().filter(|(_, w)| **w != 0.0) {
        let at = f(x + (first + k as f64) * step);
        out.iter_mut().zip(at).for_each(|(o, a)| *o += w * a / (12.0 * step));
    }
    out
}

/// What the latest call for a curve found; rows with the same curve share it.
#[derive(Default)]
pub struct Shared {
    key: Option<[u64; 2]>,
    found: Option<Relative>,
}

impl Shared {
    fn hysteresis(&mut self, core: &Core) -> Relative {
        let (n, b) = (core.exponent, core.damping[0]);
        let key = [n.to_bits(), b.to_bits()];
        if let (Some(found), true) = (self.found, self.key == Some(key)) {
            return found;
        }
        let step = STEP * (1.0 + b);
        let found = Relative {
            of: relative(Damped::new(n, b).factors()),
            by_exponent: slope(n, STEP * n, &|n| relative(Damped::new(n, b).factors())),
            by_damping: slope(b, step, &|b| relative(Damped::new(n, b).factors())),
        };
        (self.key, self.found) = (Some(key), Some(found));
        found
    }
}

/// What a curve predicts of an impact.
pub fn outcome(law: &Prepared, shared: &mut Shared) -> Result<Values, NoMotion> {
    let core = law.core;
    let (m, v, n) = (law.mass, law.speed, core.exponent);
    let relative = match law.curve {
        Curve::Hysteresis => shared.hysteresis(&core),
        Curve::Ratio(parting) | Curve::Viscous(parting) if n == 1.0 => {
            let viscous = matches!(law.curve, Curve::Viscous(_));
            // ζ = κ/2 = c/(2 √(K m)).
            let per = if viscous { 0.5 / (core.stiffness * m).sqrt() } else { 0.5 };
            let zeta = core.damping[0] * per;
            let step = STEP * (1.0 + zeta);
            let of = |z: f64| self::relative(Oscillator::new(z, parting).factors());
            let by = slope(zeta, step, &of);
            let mut found =
                Relative { of: of(zeta), by_exponent: [0.0; 3], by_damping: by.map(|s| s * per) };
            if found.of.iter().any(|x| !x.is_finite()) {
                return Err(NoMotion::Stays);
            }
            if viscous {
                // By ln K: dζ/d ln K = −ζ/2, handed on in the place of the exponent, which is fixed.
                found.by_exponent = by.map(|s| -0.5 * zeta * s);
            }
            found
        }
        _ => return integrated(law),
    };
    let viscous = matches!(law.curve, Curve::Viscous(_));
    // F_el = K δ_elⁿ, δ_el = ((n+1) E/K)^{1/(n+1)}, times of δ_el/v.
    let (part, energy) = (1.0 / (n + 1.0), 0.5 * m * v * v);
    let length = law.depth();
    let (force, time) = (core.stiffness * core.spring().power(length), length / v);
    let ln_length_by_n = part * (part - length.ln());
    let scales = [
        (v, 0.0, 0.0),
        (force, part, length.ln() + n * ln_length_by_n),
        (time, -part, ln_length_by_n),
    ];
    debug_assert!(energy > 0.0);
    let mut out = [(0.0, [0.0; PARAMETERS]); 4];
    for (k, (scale, by_k, by_n)) in scales.into_iter().enumerate() {
        let of = relative.of[k];
        let extra = relative.by_exponent[k];
        out[k] = (
            scale * of,
            [
                scale * (by_k * of + if viscous { extra } else { 0.0 }),
                scale * (by_n * of + if viscous { 0.0 } else { extra }),
                scale * relative.by_damping[k] * core.units[0],
                0.0,
            ],
        );
    }
    out[3] = impulse(m, v, &out[0]);
    Ok(out)
}

/// ∫ F dt = m (δ̇⁻ + separation speed).
fn impulse(m: f64, v: f64, separation: &(f64, Slopes)) -> (f64, Slopes) {
    (m * (v + separation.0), separation.1.map(|s| m * s))
}

fn integrated(law: &Prepared) -> Result<Values, NoMotion> {
    let passed = motion(law, &[], &mut |_, _| {})?;
    let last = impulse(law.mass, law.speed, &passed.separation);
    Ok([passed.separation, passed.peak, passed.duration, last])
}
