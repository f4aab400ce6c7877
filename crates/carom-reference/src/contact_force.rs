//! The contact forces of the literature in SI units, each coefficient as its paper prints it.
//!
//! All of them are F = K δⁿ + D(δ) δ̇ and differ in D. δ̇⁻ is the approach speed, m the effective mass.

use std::f64::consts::PI;

use crate::restitution;

/// D(δ) \[N s/m\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Damper {
    /// χ δⁿ (Moreira et al. eq. 8).
    Hysteresis(f64),
    /// c (Nikravesh-Poursina eq. 5).
    Viscous(f64),
    /// STEP(δ, 0, 0, d, c): 0 → c over 0 → d as 3 z² − 2 z³.
    Step(f64, f64),
}

/// F = K δⁿ + D(δ) δ̇ for δ > 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringDamper {
    /// K \[N/mⁿ\].
    pub stiffness: f64,
    /// n.
    pub exponent: f64,
    /// D.
    pub damper: Damper,
}

/// A force of δ and δ̇ that can be differentiated.
pub trait Force {
    /// F \[N\].
    fn force(&self, delta: f64, rate: f64) -> f64;
    /// ∂F/∂δ and ∂F/∂δ̇.
    fn slopes(&self, delta: f64, rate: f64) -> [f64; 2];
    /// A δ at which a higher derivative jumps.
    fn kink(&self) -> Option<f64>;
}

impl SpringDamper {
    /// D and dD/dδ.
    fn damping(&self, delta: f64) -> [f64; 2] {
        let n = self.exponent;
        match self.damper {
            Damper::Hysteresis(chi) => [chi * delta.powf(n), chi * n * delta.powf(n - 1.0)],
            Damper::Viscous(c) => [c, 0.0],
            Damper::Step(c, d) if delta >= d => [c, 0.0],
            Damper::Step(c, d) => {
                let z = delta / d;
                [c * (3.0 * z.powi(2) - 2.0 * z.powi(3)), 6.0 * c * (z - z * z) / d]
            }
        }
    }
}

impl Force for SpringDamper {
    fn force(&self, delta: f64, rate: f64) -> f64 {
        self.stiffness * delta.powf(self.exponent) + self.damping(delta)[0] * rate
    }

    fn slopes(&self, delta: f64, rate: f64) -> [f64; 2] {
        let [D, rise] = self.damping(delta);
        let n = self.exponent;
        [self.stiffness * n * delta.powf(n - 1.0) + rise * rate, D]
    }

    fn kink(&self) -> Option<f64> {
        match self.damper {
            Damper::Step(_, d) => Some(d),
            _ => None,
        }
    }
}

/// An onset and what was asked for: m \[kg\], δ̇⁻ \[m/s\], K \[N/mⁿ\], n, e.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Asked {
    /// m.
    pub mass: f64,
    /// δ̇⁻.
    pub speed: f64,
    /// K.
    pub stiffness: f64,
    /// n.
    pub exponent: f64,
    /// e.
    pub restitution: f64,
}

/// The names of the laws that [`published`] knows.
pub const PUBLISHED: [&str; 16] = [
    "anagnostopoulos",
    "poursina-nikravesh",
    "poursina-nikravesh-general",
    "hunt-crossley",
    "herbert-mcwhannell",
    "lee-wang",
    "lankarani-nikravesh",
    "gonthier-approximate",
    "zhiying-qishao",
    "flores",
    "ye",
    "hu-guo",
    "carvalho-martins",
    "exact",
    "gonthier",
    "zhang-sharf",
];

/// The force of a law whose damping comes from the restitution; none for another name.
pub fn published(law: &str, asked: &Asked) -> Option<SpringDamper> {
    let &Asked { mass: m, speed: v, stiffness: K, exponent: n, restitution: e } = asked;
    let hysteresis = |chi: f64| Damper::Hysteresis(chi);
    let damper = match law {
        // ξ = −ln e/√(π² + (ln e)²), c = 2 ξ √(K m)
        "anagnostopoulos" => {
            let xi = -e.ln() / (PI * PI + e.ln() * e.ln()).sqrt();
            Damper::Viscous(2.0 * xi * (K * m).sqrt())
        }
        // Nikravesh-Poursina eq. 12
        "poursina-nikravesh" => {
            Damper::Viscous(1.95 * (e.powf(-0.3) - 1.0) * K.powf(0.4) * v.powf(0.2) * m.powf(0.6))
        }
        // Nikravesh-Poursina eq. 13
        "poursina-nikravesh-general" => {
            let alpha =
                0.3331 * n.powi(4) - 1.49 * n.powi(3) + 3.077 * n.powi(2) - 2.306 * n + 1.794;
            let beta = 1.285 * n.powf(0.2533) - 1.725;
            let scale = (K * v.powf(n - 1.0) * m.powf(n)).powf(1.0 / (n + 1.0));
            Damper::Viscous(alpha * (e.powf(beta) - 1.0) * scale)
        }
        "hunt-crossley" => hysteresis(3.0 * K * (1.0 - e) / (2.0 * v)),
        "herbert-mcwhannell" => {
            hysteresis(6.0 * (1.0 - e) / ((2.0 * e - 1.0).powi(2) + 3.0) * K / v)
        }
        "lee-wang" => hysteresis(3.0 * K * (1.0 - e) / (4.0 * v)),
        "lankarani-nikravesh" => hysteresis(3.0 * K * (1.0 - e * e) / (4.0 * v)),
        "gonthier-approximate" => hysteresis((1.0 - e * e) / e * K / v),
        "zhiying-qishao" => {
            hysteresis(3.0 * K * (1.0 - e * e) * (2.0 * (1.0 - e)).exp() / (4.0 * v))
        }
        "flores" | "ye" => hysteresis(8.0 * K * (1.0 - e) / (5.0 * e * v)),
        "hu-guo" => hysteresis(3.0 * K * (1.0 - e) / (2.0 * e * v)),
        "carvalho-martins" => {
            hysteresis(3.0 * (1.0 - e) * (11.0 - e) / (2.0 * (1.0 + 9.0 * e)) * K / v)
        }
        // Gonzalez et al. eqs. 22–24: F = K δⁿ (1 + d/e · δ̇/δ̇⁻)
        "gonthier" => hysteresis(restitution::gonthier_factor(e) / e * K / v),
        "exact" | "zhang-sharf" => hysteresis(restitution::exact_damping(e) * K / v),
        _ => return None,
    };
    Some(SpringDamper { stiffness: K, exponent: n, damper })
}
