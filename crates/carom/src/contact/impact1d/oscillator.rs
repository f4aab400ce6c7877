//! The impact of F = K δ + c δ̇ in closed form: a damped oscillator.
//!
//! With ω = √(K/m), ζ = c/(2 m ω), s = δ ω/δ̇⁻ and t in 1/ω: s = e^{−ζt} sin(ω_d t)/ω_d, ω_d = √(1−ζ²). With θ = acos ζ the force is
//! e^{−ζt} sin(2θ − ω_d t)/sin θ, so all events have closed forms in A(ζ) = θ/ω_d (acosh ζ/√(ζ²−1) above ζ = 1):
//!
//! | event | time | value |
//! |---|---|---|
//! | deepest | A | s = e^{−ζA} |
//! | greatest force, ζ ≤ ½ | 3A − π/ω_d | F/F_el = e^{−ζt} |
//! | greatest force, ζ > ½ | 0, the onset | F/F_el = 2ζ |
//! | parting at zero force | 2A | e = e^{−2ζA}, s = 2ζ e |
//! | parting at zero indentation, ζ < 1 | π/ω_d | e = e^{−πζ/ω_d} |
//!
//! With ζ ≥ 1 the indentation only creeps back: parting at zero indentation never comes.

use std::f64::consts::PI;

use super::{Factors, Point};
use crate::contact::law::Parting;

/// One impact, in units of the elastic one: lengths of δ̇⁻/ω, speeds of δ̇⁻, times of 1/ω.
#[derive(Clone, Copy, Debug)]
pub struct Oscillator {
    zeta: f64,
    factors: Factors,
}

impl Oscillator {
    /// The impact of the damping ratio ζ ≥ 0.
    pub fn new(zeta: f64, parting: Parting) -> Self {
        let A = angle_ratio(zeta);
        let omega_d = ((1.0 - zeta) * (1.0 + zeta)).max(0.0).sqrt();
        let (duration, restitution, parting_indentation) = match parting {
            Parting::ZeroForce => {
                let e = (-2.0 * zeta * A).exp();
                (2.0 * A, e, 2.0 * zeta * e)
            }
            Parting::ZeroIndentation if zeta < 1.0 => {
                (PI / omega_d, (-PI * zeta / omega_d).exp(), 0.0)
            }
            Parting::ZeroIndentation => (f64::INFINITY, 0.0, 0.0),
        };
        let (time_of_peak, peak_force) = if zeta <= 0.5 {
            let t = (3.0 * A - PI / omega_d).max(0.0);
            (t, (-zeta * t).exp())
        } else {
            (0.0, 2.0 * zeta)
        };
        let factors = Factors {
            restitution,
            peak_force,
            time_of_peak,
            max_indentation: (-zeta * A).exp(),
            time_of_max_indentation: A,
            duration,
            parting_indentation,
        };
        Self { zeta, factors }
    }

    /// Factors against the elastic impact.
    pub fn factors(&self) -> &Factors {
        &self.factors
    }

    /// Depth and speed at the time t after the onset.
    pub fn at(&self, t: f64) -> Point {
        let zeta = self.zeta;
        if zeta < 1.0 {
            let omega_d = ((1.0 - zeta) * (1.0 + zeta)).sqrt();
            let (sin, cos) = (omega_d * t).sin_cos();
            let decay = (-zeta * t).exp();
            return Point { s: decay * sin / omega_d, y: decay * (cos - zeta * sin / omega_d) };
        }
        // Decay rates r₁ r₂ = 1, r₂ − r₁ = 2β: s = (e^{−r₁t} − e^{−r₂t})/(2β).
        let beta = ((zeta - 1.0) * (zeta + 1.0)).sqrt();
        let fast = zeta + beta;
        let spread = if beta == 0.0 { t } else { -(-2.0 * beta * t).exp_m1() / (2.0 * beta) };
        let decay = (-t / fast).exp();
        Point { s: decay * spread, y: decay * (1.0 - fast * spread) }
    }
}

/// ζ that delivers the restitution e > 0 on parting at zero indentation: −ln e/√(π² + ln² e).
pub fn ratio_by_indentation(e: f64) -> f64 {
    -e.ln() / PI.hypot(e.ln())
}

/// A(ζ) = acos ζ/√(1−ζ²), and acosh ζ/√(ζ²−1) above 1.
fn angle_ratio(zeta: f64) -> f64 {
    let x = zeta - 1.0;
    if x == 0.0 {
        1.0
    } else if x < 0.0 {
        zeta.acos() / (-x * (1.0 + zeta)).sqrt()
    } else {
        let root = (x * (1.0 + zeta)).sqrt();
        (x + root).ln_1p() / root
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Round-off of a handful of operations.
    const ROUND_OFF: f64 = 1e-13;

    #[test]
    fn the_events_are_where_the_motion_says() {
        for zeta in [0.0, 0.1, 0.3, 0.5, 0.7, 0.999_999_9, 1.0, 1.000_000_1, 3.0, 50.0] {
            let motion = Oscillator::new(zeta, Parting::ZeroForce);
            let f = motion.factors();
            let deepest = motion.at(f.time_of_max_indentation);
            assert!(deepest.y.abs() < ROUND_OFF, "ζ = {zeta}: {deepest:?}");
            assert!((deepest.s - f.max_indentation).abs() < ROUND_OFF, "ζ = {zeta}: {deepest:?}");
            let parted = motion.at(f.duration);
            let force = parted.s + 2.0 * zeta * parted.y;
            assert!(force.abs() < ROUND_OFF && (parted.y + f.restitution).abs() < ROUND_OFF);
            let peak = motion.at(f.time_of_peak);
            assert!((peak.s + 2.0 * zeta * peak.y - f.peak_force).abs() < ROUND_OFF);
            for k in 0..=50 {
                let x = motion.at(f.duration * f64::from(k) / 50.0);
                assert!(x.s + 2.0 * zeta * x.y <= f.peak_force + ROUND_OFF, "ζ = {zeta}");
            }
        }
    }

    #[test]
    fn anagnostopoulos_ratio_delivers_at_zero_indentation() {
        for e in [1e-6, 0.05, 0.5, 0.9, 1.0] {
            let motion = Oscillator::new(ratio_by_indentation(e), Parting::ZeroIndentation);
            assert!((motion.factors().restitution / e - 1.0).abs() < 1e-12, "{e}");
            let parted = motion.at(motion.factors().duration);
            assert!(parted.s.abs() < ROUND_OFF && (parted.y + e).abs() < ROUND_OFF, "{e}");
        }
    }

    #[test]
    fn a_creeping_pair_never_reaches_zero_indentation() {
        let motion = Oscillator::new(1.2, Parting::ZeroIndentation);
        assert!(motion.factors().duration == f64::INFINITY && motion.factors().restitution == 0.0);
    }
}
