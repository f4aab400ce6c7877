//! Coulomb: f = −μ F_N dir(v), smooth inside a band.
//!
//! Source: Coulomb 1785, regularised. Symbols: μ without unit, F_N \[N\], v and the band v_d \[m/s\]. Range: μ ≥ 0, v_d > 0. Choose it for
//! bodies that slide; a contact that should stick creeps at up to v_d.

use super::{FrictionLaw, Sliding, direction};

/// μ F_N against the slip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coulomb {
    /// μ.
    pub coefficient: f64,
    /// v_d \[m/s\].
    pub band: f64,
}

impl FrictionLaw for Coulomb {
    fn states(&self, _tangents: usize) -> usize {
        0
    }

    fn corner(&self) -> Option<f64> {
        Some(self.band)
    }

    fn force(&self, x: &Sliding, _z: &[f64], _z_dot: &mut [f64]) -> [f64; 2] {
        direction(x.slip, self.band).map(|d| -self.coefficient * x.normal * d)
    }
}
