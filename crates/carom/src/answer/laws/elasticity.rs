//! K and n of an impact under a law: from the unit of K, or from two materials and two radii.

use std::borrow::Cow;

use crate::contact::hertz::{Elasticity, HertzError, sphere_on_sphere};
use crate::maths::units::Dimension;
use crate::model::Material;

/// n of Hertz's theory for a sphere on a sphere.
pub(super) const HERTZ_EXPONENT: f64 = 1.5;
/// 1 − (1 − 1.2) is 1.2 to round-off only: exponents of units are rounded to one part of this number.
const UNIT_DIGITS: f64 = 1e12;

/// The exponent n of a stiffness in N/mⁿ; `None` if the unit is not that of a stiffness.
pub(super) fn stiffness_exponent(found: Dimension) -> Option<f64> {
    // N/mⁿ = kg m^(1 − n) s⁻²
    let n = ((1.0 - found.length) * UNIT_DIGITS).round() / UNIT_DIGITS;
    let expected = Dimension::FORCE.per(Dimension::LENGTH.power(n));
    (found.check(expected).is_ok() && n > 0.0).then_some(n)
}

/// Exponents \[-\] are written with up to nine decimals: those that differ by less are one.
const EXPONENT_STEP: f64 = 1e-9;

/// Whether two exponents are one.
pub(super) fn same_exponent(a: f64, b: f64) -> bool {
    (a - b).abs() <= EXPONENT_STEP
}

/// Two spheres: what they are made of, and their radii.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SpherePair {
    /// The materials.
    pub materials: [Cow<'static, Material>; 2],
    /// R \[m\]: negative for a hollow, infinite for a plane.
    pub radii: [f64; 2],
}

impl SpherePair {
    /// K \[N/m^1.5\] by Hertz's theory (Moreira et al. eqs. 3 to 5).
    pub fn stiffness(&self) -> Result<f64, HertzError> {
        let solid = |k: usize| Elasticity::try_from(self.materials[k].as_ref());
        sphere_on_sphere([solid(0)?, solid(1)?], self.radii)
    }

    /// R_i R_j/(R_i + R_j) \[m\]: the radius of a sphere on a plane with the same stiffness.
    pub fn effective_radius(&self) -> f64 {
        1.0 / (1.0 / self.radii[0] + 1.0 / self.radii[1])
    }
}
