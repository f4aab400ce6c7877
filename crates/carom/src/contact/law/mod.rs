//! Contact laws: the normal force of a touching pair from its indentation.
//!
//! δ = −gap is the indentation, δ̇ its rate, positive in compression; F > 0 pushes apart. A law is pure: what happened
//! at the onset is recorded as an [`Onset`] and handed in. A law that stands in one file here and in one line of
//! [`super::catalogue`] is known to the command, the model file and the tests.

pub mod anagnostopoulos;
pub mod carvalho_martins;
pub mod exact;
pub mod exact_linear;
pub mod expression;
pub mod flores;
pub mod gonthier;
pub mod gonthier_approximate;
pub mod herbert_mcwhannell;
pub mod hertz;
pub mod hooke;
pub mod hu_guo;
pub mod hunt_crossley;
pub mod impact;
pub mod kelvin_voigt;
pub mod lankarani_nikravesh;
pub mod lee_wang;
pub mod poursina_nikravesh;
pub mod poursina_nikravesh_general;
pub mod ye;
pub mod zhang_sharf;
pub mod zhiying_qishao;

mod chosen;
mod entry;
mod error;
mod hysteresis;
mod linear_damping;
mod settings;
mod spring;

pub use chosen::ChosenLaw;
pub use entry::{Bounds, Entry, Form, Make};
pub use error::LawError;
pub use expression::ForceExpression;
pub use hysteresis::Hysteresis;
pub use impact::Impact;
pub(crate) use linear_damping::unit_impact;
pub use linear_damping::{DampingRule, LinearDamping};
pub use settings::{Parameter, Settings};
pub use spring::Spring;

pub use crate::model::Parting;

use super::impact1d::ImpactMotion;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// What was recorded when a pair touched.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Onset {
    /// δ̇⁻ \[m/s\].
    #[serde(with = "crate::maths::exact")]
    pub speed: f64,
    /// m_eff \[kg\].
    #[serde(with = "crate::maths::exact")]
    pub effective_mass: f64,
    /// The coefficient the law draws from them: χ \[N s/mⁿ⁺¹\] with hysteresis, c \[N s/m\] with linear damping, zero
    /// where a law needs none.
    #[serde(with = "crate::maths::exact")]
    pub damping: f64,
}

/// How deep a pair is pressed together, and how fast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Indentation {
    /// δ \[m\]; not positive: open.
    pub delta: f64,
    /// δ̇ \[m/s\]; positive: compression.
    pub delta_dot: f64,
}

/// A law of the normal contact force.
pub trait ContactLaw: Debug + Send + Sync {
    /// Its name, for messages.
    fn name(&self) -> &'static str;

    /// What the law has to remember of an onset with this m_eff \[kg\] and δ̇⁻ ≥ 0 \[m/s\].
    ///
    /// Refused where the law divides by a speed that is zero.
    fn onset(&self, effective_mass: f64, speed: f64) -> Result<Onset, LawError>;

    /// F \[N\]; zero where δ ≤ 0, negative where the formula pulls.
    fn force(&self, x: &Indentation, onset: &Onset) -> f64;

    /// ∂F/∂δ \[N/m\] and ∂F/∂δ̇ \[N s/m\].
    fn slopes(&self, x: &Indentation, onset: &Onset) -> [f64; 2];

    /// U(δ) \[J\]: the work that a slow compression stores, given back without loss.
    fn elastic_energy(&self, delta: f64, onset: &Onset) -> f64;

    /// The inverse of [`ContactLaw::elastic_energy`] \[m\]; none if the law does not store that much.
    fn elastic_depth(&self, energy: f64, onset: &Onset) -> Option<f64>;

    /// The rule of parting in force.
    fn parting(&self) -> Parting;

    /// The impact of two bodies without other forces, where it is known without integrating it.
    fn motion(&self, _onset: &Onset, _parting: Parting) -> Option<ImpactMotion> {
        None
    }
}
