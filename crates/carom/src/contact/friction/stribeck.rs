//! Stribeck: f = −F_N ((μ_k + (μ_s − μ_k) e^{−v²/v_s²}) dir(v) + σ₂ v).
//!
//! Source: Stribeck 1902, with the Gaussian of Bo and Pavelescu. Symbols: μ_k, μ_s without unit, v_s and the band v_d \[m/s\], σ₂ \[s/m\].
//! Range: 0 ≤ μ_k ≤ μ_s, v_s > 0, σ₂ ≥ 0. Choose it where friction falls with the speed and stick-slip matters.

use super::{FrictionLaw, Sliding, direction};

/// Friction that falls from a breakaway to a kinetic coefficient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stribeck {
    /// μ_k.
    pub kinetic: f64,
    /// μ_s.
    pub breakaway: f64,
    /// v_s \[m/s\].
    pub speed: f64,
    /// σ₂ \[s/m\].
    pub viscous: f64,
    /// v_d \[m/s\].
    pub band: f64,
}

impl FrictionLaw for Stribeck {
    fn states(&self, _tangents: usize) -> usize {
        0
    }

    fn corner(&self) -> Option<f64> {
        Some(self.band)
    }

    fn force(&self, x: &Sliding, _z: &[f64], _z_dot: &mut [f64]) -> [f64; 2] {
        let ratio = x.speed() / self.speed;
        let mu = self.kinetic + (self.breakaway - self.kinetic) * (-ratio * ratio).exp();
        let d = direction(x.slip, self.band);
        [0, 1].map(|k| -x.normal * (mu * d[k] + self.viscous * x.slip[k]))
    }
}
