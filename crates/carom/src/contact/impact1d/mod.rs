//! The impact of two bodies on which only the contact acts: m_eff δ̈ = −F(δ, δ̇) (eq. (5.1); Nikravesh-Poursina eq. 1).
//!
//! [`Impact1D`] gives what a law does with an effective mass and an approach speed: peak force, depth, duration, the speed
//! at which the pair parts, and the whole history. Laws with hysteresis ([`Damped`]) and linear laws ([`Oscillator`]) are known
//! in closed form; all others are integrated ([`Integrated`]).

mod damped;
mod integrated;
mod linear_ratio;
pub mod oscillator;
mod outcome;
mod scale;

#[cfg(test)]
mod damped_tests;

pub use damped::{Damped, delivered, exact_damping};
pub use integrated::Integrated;
pub use linear_ratio::linear_ratio;
pub use oscillator::Oscillator;
pub use outcome::{Factors, ImpactOutcome, Sample};

use self::scale::Scale;
use super::law::{ContactLaw, LawError, Onset, Parting};
use std::sync::Arc;

/// Depth and speed in units of the elastic impact: δ/δ_el and δ̇/δ̇⁻.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// δ/δ_el.
    pub s: f64,
    /// δ̇/δ̇⁻.
    pub y: f64,
}

/// An impact in units of the elastic one.
#[derive(Clone, Debug)]
pub enum ImpactMotion {
    /// F = K δⁿ (1 + b δ̇/δ̇⁻), in closed form.
    Damped(Damped),
    /// F = K δ + c δ̇, in closed form.
    Oscillator(Oscillator),
    /// Any law, integrated.
    Integrated(Arc<Integrated>),
}

impl ImpactMotion {
    fn factors(&self) -> &Factors {
        match self {
            Self::Damped(motion) => motion.factors(),
            Self::Oscillator(motion) => motion.factors(),
            Self::Integrated(motion) => motion.factors(),
        }
    }
}

/// An impact under a law.
///
/// ```
/// use carom::contact::{catalogue, impact1d::Impact1D, law::Settings};
/// let settings = Settings { stiffness: Some(1e8), restitution: Some(0.5), ..Settings::default() };
/// let law = catalogue::find("exact")?.make(&settings)?;
/// let impact = Impact1D::new(law.as_ref(), 2.0, 0.3)?;
/// assert!((impact.outcome().separation_speed - 0.15).abs() < 1e-12);
/// # Ok::<(), carom::contact::law::LawError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Impact1D<'a> {
    law: &'a dyn ContactLaw,
    onset: Onset,
    parting: Parting,
    scale: Scale,
    motion: ImpactMotion,
    outcome: ImpactOutcome,
}

impl<'a> Impact1D<'a> {
    /// The impact of an effective mass \[kg\] at an approach speed \[m/s\], parting by the law's own rule.
    pub fn new(
        law: &'a dyn ContactLaw,
        effective_mass: f64,
        approach_speed: f64,
    ) -> Result<Self, LawError> {
        Self::parting_at(law, effective_mass, approach_speed, law.parting())
    }

    /// The same with another rule of parting.
    pub fn parting_at(
        law: &'a dyn ContactLaw,
        effective_mass: f64,
        approach_speed: f64,
        parting: Parting,
    ) -> Result<Self, LawError> {
        let onset = law.onset(effective_mass, approach_speed)?;
        if approach_speed == 0.0 {
            let (law, what) = (law.name(), "an approach speed of");
            let expected = "a positive speed [m/s]: nothing strikes";
            return Err(LawError::OutOfRange { law, what, found: approach_speed, expected });
        }
        let scale = Scale::new(law, &onset)?;
        let motion = match law.motion(&onset, parting) {
            Some(motion) => motion,
            None => ImpactMotion::Integrated(Arc::new(Integrated::new(law, &onset, parting)?)),
        };
        let outcome = ImpactOutcome::new(motion.factors(), &scale, &onset);
        if let Some((what, found)) = outcome.first_not_finite() {
            let expected = "a number that fits into 64 bits; mass, speed or stiffness is extreme";
            return Err(LawError::OutOfRange { law: law.name(), what, found, expected });
        }
        Ok(Self { law, onset, parting, scale, motion, outcome })
    }

    /// What comes of it.
    pub fn outcome(&self) -> &ImpactOutcome {
        &self.outcome
    }

    /// The same against the elastic impact: forces of its peak, depths of its depth, times of its depth by δ̇⁻.
    ///
    /// A law without an elastic force is measured by m_eff δ̇⁻² instead.
    pub fn factors(&self) -> &Factors {
        self.motion.factors()
    }

    /// What the law recorded of the onset.
    pub fn onset(&self) -> &Onset {
        &self.onset
    }

    /// The rule of parting.
    pub fn parting(&self) -> Parting {
        self.parting
    }

    /// The state t \[s\] after the onset; before it and after the parting the bodies fly free.
    pub fn at(&self, t: f64) -> Sample {
        let ImpactOutcome { duration, separation_speed, parting_indentation, .. } = self.outcome;
        let Onset { speed, .. } = self.onset;
        if !(t >= 0.0) {
            return Sample { time: t, delta: speed * t, delta_dot: speed, force: 0.0 };
        }
        if t > duration {
            let delta = parting_indentation - separation_speed * (t - duration);
            return Sample { time: t, delta, delta_dot: -separation_speed, force: 0.0 };
        }
        let tau = t / self.scale.time;
        let (point, touching) = match &self.motion {
            ImpactMotion::Damped(motion) => (motion.at(tau), true),
            ImpactMotion::Oscillator(motion) => (motion.at(tau), true),
            ImpactMotion::Integrated(motion) => motion.at(tau, self.law, &self.onset, &self.scale),
        };
        let force = if touching { self.scale.force_at(self.law, &self.onset, point) } else { 0.0 };
        Sample {
            time: t,
            delta: self.scale.length * point.s.max(0.0),
            delta_dot: speed * point.y,
            force,
        }
    }

    /// `count` ≥ 2 samples at equal steps of time, from the onset to the parting.
    ///
    /// A pair that never parts is followed for ten times the time of its deepest point.
    pub fn curve(&self, count: usize) -> Vec<Sample> {
        let ImpactOutcome { duration, time_of_max_indentation, .. } = self.outcome;
        let end = if duration.is_finite() { duration } else { 10.0 * time_of_max_indentation };
        let last = count.max(2) - 1;
        (0..=last)
            .map(|k| self.at(if k == last { end } else { end * k as f64 / last as f64 }))
            .collect()
    }
}
