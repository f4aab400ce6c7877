//! What Hertz's theory asks of a material: σ = (1 − ν²)/E.

use super::{HertzError, positive};
use crate::model::Material;

/// Young's modulus and Poisson's ratio of an isotropic material, checked.
///
/// σ = (1 − ν²)/E   (eq. (5.9); Moreira et al. eq. 4)
///
/// E \[Pa\] is positive, −1 < ν ≤ ½; outside, a material would give energy when it is deformed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elasticity {
    young: f64,
    poisson: f64,
}

impl Elasticity {
    /// From E \[Pa\] and ν.
    pub fn new(young: f64, poisson: f64) -> Result<Self, HertzError> {
        positive("young", young, "a positive, finite modulus [Pa]")?;
        if !(poisson > -1.0 && poisson <= 0.5) {
            let expected = "a Poisson's ratio above -1 and up to 0.5";
            return Err(HertzError::OutOfRange { at: "poisson", found: poisson, expected });
        }
        Ok(Self { young, poisson })
    }

    /// E \[Pa\].
    pub fn young(&self) -> f64 {
        self.young
    }

    /// ν.
    pub fn poisson(&self) -> f64 {
        self.poisson
    }

    /// σ = (1 − ν²)/E \[1/Pa\].
    pub fn compliance(&self) -> f64 {
        (1.0 - self.poisson) * (1.0 + self.poisson) / self.young
    }
}

impl TryFrom<&Material> for Elasticity {
    type Error = HertzError;

    fn try_from(material: &Material) -> Result<Self, HertzError> {
        Self::new(material.young, material.poisson)
    }
}

/// E* of a pair \[Pa\]: 1/E* = σ_i + σ_j (Johnson eq. 4.6).
pub fn contact_modulus(pair: [Elasticity; 2]) -> f64 {
    1.0 / (pair[0].compliance() + pair[1].compliance())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_material_stores_energy() {
        for (young, poisson, at) in [
            (0.0, 0.3, "young"),
            (-1.0, 0.3, "young"),
            (f64::NAN, 0.3, "young"),
            (f64::INFINITY, 0.3, "young"),
            (1e9, -1.0, "poisson"),
            (1e9, 0.500_001, "poisson"),
            (1e9, f64::NAN, "poisson"),
        ] {
            let found = Elasticity::new(young, poisson).unwrap_err();
            assert!(matches!(found, HertzError::OutOfRange { at: place, .. } if place == at));
        }
    }

    #[test]
    fn at_the_ends_of_its_range_poissons_ratio_is_exact() {
        let soft = Elasticity::new(2.0, 0.5).unwrap();
        assert_eq!(soft.compliance(), 0.375);
        assert_eq!(contact_modulus([soft; 2]), 1.0 / 0.75);
    }
}
