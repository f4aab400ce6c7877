//! Two curved surfaces that touch in a point: the ellipse of contact.

use std::f64::consts::PI;

use super::{Elasticity, HertzError, LARGEST, contact_modulus, not_negative, positive};
use crate::maths::elliptic::{CompleteElliptic, carlson_rd};

/// A/B below which two surfaces touch along a line: the axes of equal cylinders are then parallel
/// within 1e-12 rad.
const LINE: f64 = 2.5e-25;

/// Steps of the search for the ratio of the semi-axes; it takes about six.
const MOST_STEPS: usize = 100;

/// The curvatures of a surface at a point along its two principal directions \[1/m\].
///
/// Positive is convex, negative concave, zero flat: 1/R for a radius R.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrincipalCurvatures {
    /// Along the first principal direction.
    pub first: f64,
    /// Along the second, perpendicular to the first.
    pub second: f64,
}

impl PrincipalCurvatures {
    /// Of a plane.
    pub const PLANE: Self = Self { first: 0.0, second: 0.0 };

    /// Of a ball; a negative radius is a hollow.
    pub fn sphere(radius: f64) -> Self {
        Self { first: 1.0 / radius, second: 1.0 / radius }
    }

    /// Of a cylinder, its axis along the first direction; a negative radius is a bore.
    pub fn cylinder(radius: f64) -> Self {
        Self { first: 0.0, second: 1.0 / radius }
    }
}

/// Hertz's contact of two curved surfaces: F = K δ^{3/2}, over an ellipse of semi-axes a ≥ b.
///
/// The undeformed surfaces part by A x² + B y², 0 < A ≤ B. With κ, κ' the principal curvatures of
/// each body and θ the angle between the first directions of the two (Johnson eqs. 4.3, 4.4):
///
/// 2 (A + B) = κ_i + κ'_i + κ_j + κ'_j
/// 4 (B − A)² = (κ_i − κ'_i)² + (κ_j − κ'_j)² + 2 (κ_i − κ'_i)(κ_j − κ'_j) cos 2θ
///
/// The ratio k_c = b/a follows from the shape alone, with K, D the complete elliptic integrals of
/// k² = 1 − k_c² and R_D Carlson's (Johnson eq. 4.28, there (E/k_c² − K)/(K − E)):
///
/// B/A = R_D(0, 1, k_c²)/R_D(0, k_c², 1)
///
/// Then (Johnson eqs. 4.26, 4.30, 4.32, with e²D = K − E)
///
/// a³ = 3 F D/(2π E* A),  p₀ = 3 F/(2π a b),  δ = 3 F K/(2π E* a),
/// F = K_H δ^{3/2},  K_H = (2π E*/3) √(D/(K³ A)).
///
/// F force \[N\], δ approach \[m\], E* contact modulus \[Pa\], p₀ peak pressure \[Pa\]. Range: a and b
/// small beside all radii of curvature and the bodies; for B/A above some 10⁴ look at a first. Choose
/// it for any two smooth surfaces that touch in a point; parallel cylinders need
/// [`super::LineContact`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointContact {
    modulus: f64,
    curvatures: [f64; 2],
    ratio: f64,
    integrals: CompleteElliptic,
}

impl PointContact {
    /// From the materials, the curvatures, and the angle θ \[rad\] between the first principal
    /// directions of the two bodies.
    pub fn new(
        pair: [Elasticity; 2],
        surfaces: [PrincipalCurvatures; 2],
        angle: f64,
    ) -> Result<Self, HertzError> {
        let sine = angle.sin();
        if !sine.is_finite() {
            let expected = "a finite angle [rad]";
            return Err(HertzError::OutOfRange { at: "angle", found: angle, expected });
        }
        let [A, B] = relative_curvatures(surfaces, [sine * sine, angle.cos() * angle.cos()])?;
        let ratio = axis_ratio(A, B);
        Ok(Self {
            modulus: contact_modulus(pair),
            curvatures: [A, B],
            ratio,
            integrals: CompleteElliptic::new(ratio),
        })
    }

    /// Two cylinders whose axes cross at an angle \[rad\]; a negative radius is a bore.
    ///
    /// Equal ones at right angles touch like a ball of their radius on a plane. Parallel ones touch
    /// along a line and are refused.
    pub fn crossed_cylinders(
        pair: [Elasticity; 2],
        radii: [f64; 2],
        angle: f64,
    ) -> Result<Self, HertzError> {
        for radius in radii {
            positive("radius", radius.abs(), "a finite radius other than 0 [m]")?;
        }
        Self::new(pair, radii.map(PrincipalCurvatures::cylinder), angle)
    }

    /// K_H \[N/m^{3/2}\].
    pub fn stiffness(&self) -> f64 {
        let CompleteElliptic { K, D, .. } = self.integrals;
        2.0 * PI * self.modulus / 3.0 * (D / (K * self.curvatures[0])).sqrt() / K
    }

    /// E* \[Pa\].
    pub fn modulus(&self) -> f64 {
        self.modulus
    }

    /// A and B \[1/m\], A ≤ B.
    pub fn relative_curvatures(&self) -> [f64; 2] {
        self.curvatures
    }

    /// k_c = b/a, from 0 to 1.
    pub fn axis_ratio(&self) -> f64 {
        self.ratio
    }

    /// a ≥ b \[m\] under a force \[N\].
    pub fn semi_axes(&self, force: f64) -> Result<[f64; 2], HertzError> {
        let F = not_negative("force", force, "a force of at least 0 [N]")?;
        let a =
            (3.0 * F * self.integrals.D / (2.0 * PI * self.modulus * self.curvatures[0])).cbrt();
        Ok([a, self.ratio * a])
    }

    /// p₀ \[Pa\] under a force \[N\].
    pub fn peak_pressure(&self, force: f64) -> Result<f64, HertzError> {
        let [a, b] = self.semi_axes(force)?;
        Ok(if force == 0.0 { 0.0 } else { 3.0 * force / (2.0 * PI * a * b) })
    }

    /// δ \[m\] under a force \[N\].
    pub fn approach(&self, force: f64) -> Result<f64, HertzError> {
        let F = not_negative("force", force, "a force of at least 0 [N]")?;
        let root = (F / self.stiffness()).cbrt();
        Ok(root * root)
    }

    /// F \[N\] at an approach \[m\].
    pub fn force(&self, approach: f64) -> Result<f64, HertzError> {
        let delta = not_negative("approach", approach, "an approach of at least 0 [m]")?;
        Ok(self.stiffness() * delta * delta.sqrt())
    }
}

/// A ≤ B of two surfaces; `squares` are sin²θ and cos²θ.
///
/// With κ ≥ κ' in both bodies, s the sine of the angle between the directions of κ,
/// 4 A B = (κ_i + κ_j)(κ'_i + κ'_j) + s² (κ_i − κ'_i)(κ_j − κ'_j): of convex surfaces no term is
/// negative, so a small A keeps its digits. B is the larger root of the equations above.
fn relative_curvatures(
    surfaces: [PrincipalCurvatures; 2],
    [mut sine, mut cosine]: [f64; 2],
) -> Result<[f64; 2], HertzError> {
    let mut sorted = [[0.0; 2]; 2];
    for (k, surface) in surfaces.iter().enumerate() {
        for found in [surface.first, surface.second] {
            // NaN too.
            if !(found.abs() <= LARGEST) {
                let expected = "a finite curvature [1/m]";
                return Err(HertzError::OutOfRange { at: "curvature", found, expected });
            }
        }
        sorted[k] = [surface.first, surface.second];
        if surface.first < surface.second {
            sorted[k].reverse();
            (sine, cosine) = (cosine, sine);
        }
    }
    let [[k_i, l_i], [k_j, l_j]] = sorted;
    let (d_i, d_j) = (k_i - l_i, k_j - l_j);
    // cos 2θ = cos²θ − sin²θ; the root is √((d_i − d_j)² + 4 d_i d_j cos²θ), all terms positive.
    let difference = (d_i - d_j).hypot(2.0 * (d_i * d_j * cosine).sqrt());
    let sum = (k_i + k_j) + (l_i + l_j);
    let B = 0.25 * (sum + difference);
    let product = 0.25 * ((k_i + k_j) * (l_i + l_j) + sine * d_i * d_j);
    let A = if B > 0.0 { product / B } else { 0.25 * (sum - difference) };
    // Not for a B of next to nothing either.
    if !(B >= 1.0 / LARGEST) || A < -LINE * B {
        return Err(HertzError::NotClosing { least: A, most: B });
    }
    if A <= LINE * B {
        return Err(HertzError::TouchesAlongLine { most: B });
    }
    // Equal ones may come out in the wrong order by a rounding.
    Ok([A.min(B), B])
}

/// k_c with R_D(0, 1, k_c²)/R_D(0, k_c², 1) = B/A, for B/A up to 1/[`LINE`].
///
/// In logarithms, f(x) = ln(B/A), x = −ln k_c, is nearly straight: its slope is 3/2 at the circle and
/// tends to 2, so x lies between ½ and ⅔ of ln(B/A). Secants within these bounds.
fn axis_ratio(A: f64, B: f64) -> f64 {
    // Near the circle the logarithm of the quotient would lose what the difference has.
    let target = ((B - A) / A).ln_1p();
    let defect = |x: f64| {
        let m = (-2.0 * x).exp();
        (carlson_rd(0.0, 1.0, m) / carlson_rd(0.0, m, 1.0)).ln() - target
    };
    let (mut low, mut high) = (0.5 * target, (2.0 / 3.0) * target * (1.0 + 1e-12));
    let (mut f_low, mut f_high) = (defect(low), defect(high));
    if f_low >= 0.0 || f_high <= 0.0 {
        // The circle, and what differs from it by rounding.
        return (-high).exp();
    }
    for _ in 0..MOST_STEPS {
        let x = (low - f_low * (high - low) / (f_high - f_low)).clamp(low, high);
        let f = defect(x);
        if f.abs() <= 2.0 * f64::EPSILON * target.max(1.0) || x == low || x == high {
            return (-x).exp();
        }
        // Illinois: the end that stays counts half, so that the other one moves too.
        if f < 0.0 {
            (low, f_low, f_high) = (x, f, 0.5 * f_high);
        } else {
            (high, f_high, f_low) = (x, f, 0.5 * f_low);
        }
    }
    (-0.5 * (low + high)).exp()
}

#[cfg(test)]
#[path = "ellipse_tests.rs"]
mod tests;
