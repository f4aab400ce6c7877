//! LuGre: f = −F_N (σ₀ z + σ₁ ż + σ₂ v), ż = v − σ₀ |v| z/g(v), g = μ_k + (μ_s − μ_k) e^{−v²/v_s²}.
//!
//! Source: Canudas de Wit, Olsson, Åström, Lischinsky, IEEE Trans. Autom. Control 40 (1995) 419–425, per unit of normal force. Symbols: z \[m\], σ₀ \[1/m\],
//! σ₁, σ₂ \[s/m\], v_s \[m/s\]. Range: 0 < μ_k ≤ μ_s, σ₀ > 0, v_s > 0. Choose it where sticking, presliding and stick-slip matter and a
//! state per contact is affordable; the bristles are as stiff as σ₀ F_N.

use super::{FrictionLaw, Sliding};

/// Bristles that bend with the slip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LuGre {
    /// μ_k.
    pub kinetic: f64,
    /// μ_s.
    pub breakaway: f64,
    /// v_s \[m/s\].
    pub speed: f64,
    /// σ₀ \[1/m\].
    pub stiffness: f64,
    /// σ₁ \[s/m\].
    pub damping: f64,
    /// σ₂ \[s/m\].
    pub viscous: f64,
}

impl FrictionLaw for LuGre {
    fn states(&self, tangents: usize) -> usize {
        tangents
    }

    fn state_size(&self, _normal: f64) -> f64 {
        self.kinetic / self.stiffness
    }

    fn force(&self, x: &Sliding, z: &[f64], z_dot: &mut [f64]) -> [f64; 2] {
        let speed = x.speed();
        let ratio = speed / self.speed;
        let g = self.kinetic + (self.breakaway - self.kinetic) * (-ratio * ratio).exp();
        let mut force = [0.0; 2];
        for (k, z) in z.iter().enumerate() {
            z_dot[k] = x.slip[k] - self.stiffness * speed / g * z;
            let bent = self.stiffness * z + self.damping * z_dot[k];
            force[k] = -x.normal * (bent + self.viscous * x.slip[k]);
        }
        force
    }
}
