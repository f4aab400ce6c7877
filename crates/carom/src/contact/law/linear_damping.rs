//! Laws with a linear damper beside the spring: F = K δⁿ + c δ̇ (eq. (5.3); Nikravesh-Poursina eqs. 5, 6).
//!
//! With L = (m δ̇⁻²/K)^{1/(n+1)} as the length and L/δ̇⁻ as the time the impact is s″ = −sⁿ − κ s′ with
//! κ = c L/(m δ̇⁻): what it delivers depends on κ and n only. So a law that draws c from the restitution is a number
//! κ(e, n), and c = κ (K (δ̇⁻)ⁿ⁻¹ mⁿ)^{1/(n+1)}.
//!
//! The force jumps to c δ̇⁻ at the onset, and it passes zero while δ > 0: the two rules of parting differ.

use std::sync::Arc;

use super::{ContactLaw, Indentation, LawError, Onset, Parting, Spring};
use crate::contact::impact1d::{ImpactMotion, Integrated, Oscillator};

/// Where c comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DampingRule {
    /// c itself \[N s/m\].
    Coefficient(f64),
    /// κ \[-\].
    Ratio(f64),
}

/// F = K δⁿ + c δ̇.
#[derive(Clone, Debug)]
pub struct LinearDamping {
    law: &'static str,
    spring: Spring,
    damping: DampingRule,
    parting: Parting,
    /// The impact in units of the elastic one, where it is the same for every onset and has no closed form.
    path: Option<Arc<Integrated>>,
}

impl LinearDamping {
    /// The law; with a ratio and n ≠ 1 its impact is integrated once and kept.
    pub fn new(
        law: &'static str,
        spring: Spring,
        damping: DampingRule,
        parting: Parting,
    ) -> Result<Self, LawError> {
        let mut made = Self { law, spring, damping, parting, path: None };
        if let DampingRule::Ratio(kappa) = damping
            && spring.exponent != 1.0
        {
            made.path = Some(Arc::new(unit_impact(law, kappa, spring.exponent, parting)?));
        }
        Ok(made)
    }
}

/// The impact of s″ = −sⁿ − κ s′, in units of the elastic impact.
///
/// K = (n+1)/2, m = 1 and δ̇⁻ = 1 make δ_el = 1.
pub(crate) fn unit_impact(
    law: &'static str,
    kappa: f64,
    n: f64,
    parting: Parting,
) -> Result<Integrated, LawError> {
    let spring = Spring { stiffness: 0.5 * (n + 1.0), exponent: n };
    let unit =
        LinearDamping { law, spring, damping: DampingRule::Ratio(kappa), parting, path: None };
    Integrated::new(&unit, &unit.onset(1.0, 1.0)?, parting)
}

impl ContactLaw for LinearDamping {
    fn name(&self) -> &'static str {
        self.law
    }

    fn onset(&self, effective_mass: f64, speed: f64) -> Result<Onset, LawError> {
        LawError::check_onset(self.law, effective_mass, speed)?;
        let Spring { stiffness: K, exponent: n } = self.spring;
        let damping = match self.damping {
            DampingRule::Coefficient(c) => c,
            DampingRule::Ratio(0.0) => 0.0,
            DampingRule::Ratio(kappa) => {
                // In powers of each factor: the product may overflow where c does not.
                let part = 1.0 / (n + 1.0);
                kappa * K.powf(part) * speed.powf((n - 1.0) * part) * effective_mass.powf(n * part)
            }
        };
        if damping.is_finite() {
            Ok(Onset { speed, effective_mass, damping })
        } else {
            Err(LawError::NeedsSpeed { law: self.law, found: speed })
        }
    }

    fn force(&self, x: &Indentation, onset: &Onset) -> f64 {
        if x.delta <= 0.0 {
            return 0.0;
        }
        self.spring.stiffness * self.spring.power(x.delta) + onset.damping * x.delta_dot
    }

    fn slopes(&self, x: &Indentation, onset: &Onset) -> [f64; 2] {
        if x.delta <= 0.0 {
            return [0.0; 2];
        }
        [self.spring.slope(x.delta), onset.damping]
    }

    fn elastic_energy(&self, delta: f64, _onset: &Onset) -> f64 {
        self.spring.energy(delta)
    }

    fn elastic_depth(&self, energy: f64, _onset: &Onset) -> Option<f64> {
        Some(self.spring.depth(energy))
    }

    fn parting(&self) -> Parting {
        self.parting
    }

    fn motion(&self, onset: &Onset, parting: Parting) -> Option<ImpactMotion> {
        if self.spring.exponent == 1.0 {
            // ζ = c/(2 √(K m))
            let critical = 2.0 * (self.spring.stiffness * onset.effective_mass).sqrt();
            let motion = Oscillator::new(onset.damping / critical, parting);
            return Some(ImpactMotion::Oscillator(motion));
        }
        let path = self.path.as_ref().filter(|_| parting == self.parting)?;
        Some(ImpactMotion::Integrated(Arc::clone(path)))
    }
}
