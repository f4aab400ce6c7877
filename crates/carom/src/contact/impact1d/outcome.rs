//! What comes of an impact.

use schemars::JsonSchema;
use serde::Serialize;

use super::scale::Scale;
use crate::contact::law::Onset;

/// An impact in units of the elastic one: forces of its peak, depths of its depth δ_el, times of δ_el/δ̇⁻.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, JsonSchema)]
pub struct Factors {
    /// e delivered.
    pub restitution: f64,
    /// The greatest force.
    pub peak_force: f64,
    /// When it acts.
    pub time_of_peak: f64,
    /// The greatest indentation.
    pub max_indentation: f64,
    /// When it is reached.
    pub time_of_max_indentation: f64,
    /// From the onset to the parting; ∞ for a pair that does not part, `null` in JSON.
    #[schemars(with = "Option<f64>")]
    pub duration: f64,
    /// The indentation at which the pair parts.
    pub parting_indentation: f64,
}

/// An impact in SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactOutcome {
    /// e delivered: separation speed by approach speed.
    pub restitution: f64,
    /// The greatest force \[N\].
    pub peak_force: f64,
    /// When it acts \[s\] after the onset.
    pub time_of_peak: f64,
    /// The greatest indentation \[m\].
    pub max_indentation: f64,
    /// When it is reached \[s\] after the onset.
    pub time_of_max_indentation: f64,
    /// From the onset to the parting \[s\]; ∞ for a pair that does not part.
    pub duration: f64,
    /// The indentation at which the pair parts \[m\].
    pub parting_indentation: f64,
    /// −δ̇⁺ \[m/s\].
    pub separation_speed: f64,
    /// ½ m_eff δ̇⁻² \[J\].
    pub energy: f64,
    /// ½ m_eff δ̇⁻² (1 − e²) \[J\] (eq. (5.8); Moreira et al. eq. 13).
    pub energy_lost: f64,
    /// ∫ F dt = m_eff (1 + e) δ̇⁻ \[N s\].
    pub impulse: f64,
}

impl ImpactOutcome {
    pub(super) fn new(factors: &Factors, scale: &Scale, onset: &Onset) -> Self {
        let Onset { speed: v, effective_mass: m, .. } = *onset;
        let e = factors.restitution;
        let energy = 0.5 * m * v * v;
        Self {
            restitution: e,
            peak_force: factors.peak_force * scale.force,
            time_of_peak: factors.time_of_peak * scale.time,
            max_indentation: factors.max_indentation * scale.length,
            time_of_max_indentation: factors.time_of_max_indentation * scale.time,
            duration: factors.duration * scale.time,
            parting_indentation: factors.parting_indentation * scale.length,
            separation_speed: e * v,
            energy,
            energy_lost: energy * (1.0 - e) * (1.0 + e),
            impulse: m * v * (1.0 + e),
        }
    }

    /// The first quantity that has no finite value; a duration may be infinite.
    pub(super) fn first_not_finite(&self) -> Option<(&'static str, f64)> {
        [
            ("a peak force of", self.peak_force),
            ("a greatest indentation of", self.max_indentation),
            ("a time to the deepest point of", self.time_of_max_indentation),
            ("an energy of", self.energy),
            ("an impulse of", self.impulse),
            ("a restitution of", self.restitution),
        ]
        .into_iter()
        .find(|(_, x)| !x.is_finite())
    }
}

/// One moment of an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// t \[s\] after the onset.
    pub time: f64,
    /// δ \[m\].
    pub delta: f64,
    /// δ̇ \[m/s\].
    pub delta_dot: f64,
    /// F \[N\].
    pub force: f64,
}
