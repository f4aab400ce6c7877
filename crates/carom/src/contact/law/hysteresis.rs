//! Laws with hysteresis damping: F = K δⁿ + χ δⁿ δ̇ with χ = b K/δ̇⁻, eq. (5.2).
//!
//! The damping follows the indentation, so the force begins and ends at zero, and both rules of parting are one. All that
//! tells these laws apart is b(e). See [`crate::contact::impact1d::Damped`] for what b delivers.

use std::sync::OnceLock;

use super::{ContactLaw, Indentation, LawError, Onset, Parting, Spring};
use crate::contact::impact1d::{Damped, ImpactMotion};

/// F = K δⁿ (1 + b δ̇/δ̇⁻); elastic if b = 0.
#[derive(Clone, Debug)]
pub struct Hysteresis {
    law: &'static str,
    spring: Spring,
    /// b = χ δ̇⁻/K \[-\].
    ratio: f64,
    /// The rule of parting; both have the same effect here as long as only the contact acts.
    parting: Parting,
    /// The impact in units of the elastic one: it depends on n and b alone, so it serves every mass and speed. It is computed when
    /// an impact is first asked for, and kept.
    impact: OnceLock<Damped>,
}

impl Hysteresis {
    /// The law of a spring and a damping ratio b = χ δ̇⁻/K \[-\], under the name `law`.
    pub fn new(law: &'static str, spring: Spring, ratio: f64, parting: Parting) -> Self {
        Self { law, spring, ratio, parting, impact: OnceLock::new() }
    }
}

impl ContactLaw for Hysteresis {
    fn name(&self) -> &'static str {
        self.law
    }

    fn onset(&self, effective_mass: f64, speed: f64) -> Result<Onset, LawError> {
        LawError::check_onset(self.law, effective_mass, speed)?;
        if self.ratio == 0.0 {
            return Ok(Onset { speed, effective_mass, damping: 0.0 });
        }
        // χ = b K/δ̇⁻
        let damping = self.ratio * self.spring.stiffness / speed;
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
        (self.spring.stiffness + onset.damping * x.delta_dot) * self.spring.power(x.delta)
    }

    fn slopes(&self, x: &Indentation, onset: &Onset) -> [f64; 2] {
        if x.delta <= 0.0 {
            return [0.0; 2];
        }
        let power = self.spring.power(x.delta);
        let level = self.spring.stiffness + onset.damping * x.delta_dot;
        [self.spring.exponent * level * power / x.delta, onset.damping * power]
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

    fn motion(&self, _onset: &Onset, _parting: Parting) -> Option<ImpactMotion> {
        let impact = self.impact.get_or_init(|| Damped::known(self.spring.exponent, self.ratio));
        Some(ImpactMotion::Damped(*impact))
    }
}
