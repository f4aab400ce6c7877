//! Bristles with dwell time: f = −(cut(σ₀ z + σ₁ ż) + σ₂ v).
//!
//! s = e^{−v²/v_s²} tells sticking from slipping; ż = s v + (1 − s)(F_C/σ₁ dir(v) − σ₀/σ₁ z); the bristle force is cut at
//! F_max = F_C + (F_S − F_C) s_dw, whose dwell state follows ṡ_dw = (s − s_dw)/τ_dw while s ≥ s_dw, and σ₀/σ₁ (s − s_dw) otherwise.
//! F_C = μ_k F_N, F_S = μ_s F_N.
//!
//! Source: Gonthier, McPhee, Lange, Piedbœuf, Multibody Syst. Dyn. 11 (2004) 209–233, the friction of Gonzalez et al. section 3.4. Symbols: z \[m\], σ₀ \[N/m\],
//! σ₁, σ₂ \[N s/m\], v_s, v_d \[m/s\], τ_dw \[s\]. Range: 0 ≤ μ_k ≤ μ_s, σ₀, σ₁, v_s, τ_dw > 0. Choose it to reproduce Gonzalez et al., or where a
//! contact holds the better the longer it has stuck.

use super::{FrictionLaw, Sliding, direction};

/// A coefficient of friction that makes no difference.
const LEAST: f64 = 1e-6;

/// Bristles with a memory of how long they stuck.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bristle {
    /// μ_k.
    pub kinetic: f64,
    /// μ_s.
    pub breakaway: f64,
    /// v_s \[m/s\].
    pub speed: f64,
    /// σ₀ \[N/m\].
    pub stiffness: f64,
    /// σ₁ \[N s/m\].
    pub damping: f64,
    /// σ₂ \[N s/m\].
    pub viscous: f64,
    /// τ_dw \[s\].
    pub dwell: f64,
    /// v_d \[m/s\].
    pub band: f64,
}

impl FrictionLaw for Bristle {
    fn states(&self, tangents: usize) -> usize {
        tangents + 1
    }

    fn state_size(&self, normal: f64) -> f64 {
        // Without friction nothing bends, but what errors are measured by is not zero.
        self.kinetic.max(LEAST) * normal / self.stiffness
    }

    fn corner(&self) -> Option<f64> {
        Some(self.band)
    }

    fn force(&self, x: &Sliding, z: &[f64], z_dot: &mut [f64]) -> [f64; 2] {
        let tangents = z.len() - 1;
        let ratio = x.speed() / self.speed;
        let s = (-ratio * ratio).exp();
        let (coulomb, most) = (self.kinetic * x.normal, self.breakaway * x.normal);
        let s_dw = z[tangents];
        let rate = if s >= s_dw { 1.0 / self.dwell } else { self.stiffness / self.damping };
        z_dot[tangents] = rate * (s - s_dw);
        let d = direction(x.slip, self.band);
        let mut bent = [0.0; 2];
        for k in 0..tangents {
            let slipping = (coulomb * d[k] - self.stiffness * z[k]) / self.damping;
            z_dot[k] = s * x.slip[k] + (1.0 - s) * slipping;
            bent[k] = self.stiffness * z[k] + self.damping * z_dot[k];
        }
        let limit = coulomb + (most - coulomb) * s_dw;
        let size = bent[0].hypot(bent[1]);
        let cut = if size > limit { limit / size } else { 1.0 };
        [0, 1].map(|k| -(cut * bent[k] + self.viscous * x.slip[k]))
    }
}
