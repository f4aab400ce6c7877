//! Parallel cylinders: contact along a line.

use std::f64::consts::PI;

use super::{Elasticity, HertzError, contact_modulus, not_negative, positive};

/// Steps of Newton's method for the load of an approach; it takes about six.
const MOST_STEPS: usize = 100;

/// One of the two bodies of a line contact, and the point whose approach counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LineSide {
    /// A solid cylinder; its axis approaches.
    Cylinder {
        /// R_l \[m\].
        radius: f64,
    },
    /// A flat body; a point at a depth below the contact approaches.
    Flat {
        /// d \[m\].
        depth: f64,
    },
    /// A bore around the partner; a point at a depth behind the contact approaches.
    Bore {
        /// The radius, as a positive number \[m\].
        radius: f64,
        /// d \[m\].
        depth: f64,
    },
}

/// F ≈ K δⁿ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerLaw {
    /// K \[N/mⁿ\], of a load per length \[N/mⁿ⁺¹\].
    pub stiffness: f64,
    /// n.
    pub exponent: f64,
}

/// Hertz's contact of two bodies along a line, per length.
///
/// a² = 4 P' R/(π E*),  p₀ = 2 P'/(π a)   (Johnson eqs. 4.43, 4.45)
/// δ = δ_i + δ_j, with
/// δ_l = (P'/π) σ_l [2 ln(4 R_l/a) − 1] for a cylinder to its axis   (Johnson eq. 5.57)
/// δ_l = (P'/π) σ_l [2 ln(2 d/a) − ν_l/(1 − ν_l)] for a flat body to the depth d   (Johnson eq. 5.56)
///
/// P' load per length \[N/m\], a half-width \[m\], 1/R = 1/R_i + 1/R_j \[1/m\] (a bore counts negative, a
/// flat body zero), δ approach \[m\], positive in compression. The second formula is the integral of
/// the strain under the middle of the contact, in plane strain; a bore is taken as flat over the depth.
///
/// Range: plane strain, a ≪ R_l, a ≪ d, a ≪ length; no end effects. A body that gives way along a
/// line does so without limit as it grows: there is no approach without a radius or a depth, and the
/// depth must be chosen (where the body is held, say half its thickness). Doubling it adds
/// (P'/π) σ 2 ln 2. δ rises with P' up to a load at which the contact is as wide as the cylinder;
/// beyond, the theory is refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineContact {
    modulus: f64,
    radius: f64,
    compliances: [f64; 2],
    /// s and c of the bracket 2 ln(s/a) − c of each side.
    brackets: [(f64, f64); 2],
}

impl LineContact {
    /// From the materials and the two sides, of which one at least is a cylinder.
    pub fn new(pair: [Elasticity; 2], sides: [LineSide; 2]) -> Result<Self, HertzError> {
        let mut curvature = 0.0;
        let mut brackets = [(0.0, 0.0); 2];
        let size = |radius| positive("radius", radius, "a positive, finite radius [m]");
        let reach = |depth| positive("depth", depth, "a positive, finite depth [m]");
        for (k, side) in sides.into_iter().enumerate() {
            let nu = pair[k].poisson();
            brackets[k] = match side {
                LineSide::Cylinder { radius } => {
                    curvature += 1.0 / size(radius)?;
                    (4.0 * radius, 1.0)
                }
                LineSide::Flat { depth } => (2.0 * reach(depth)?, nu / (1.0 - nu)),
                LineSide::Bore { radius, depth } => {
                    curvature -= 1.0 / size(radius)?;
                    (2.0 * reach(depth)?, nu / (1.0 - nu))
                }
            };
        }
        match sides {
            [LineSide::Cylinder { radius: ball }, LineSide::Bore { radius: hollow, .. }]
            | [LineSide::Bore { radius: hollow, .. }, LineSide::Cylinder { radius: ball }]
                if curvature <= 0.0 =>
            {
                return Err(HertzError::HollowTooNarrow { ball, hollow });
            }
            _ if curvature <= 0.0 => {
                let (least, most) = (0.5 * curvature, 0.5 * curvature);
                return Err(HertzError::NotClosing { least, most });
            }
            _ => {}
        }
        Ok(Self {
            modulus: contact_modulus(pair),
            radius: 1.0 / curvature,
            compliances: pair.map(|side| side.compliance()),
            brackets,
        })
    }

    /// E* \[Pa\].
    pub fn modulus(&self) -> f64 {
        self.modulus
    }

    /// R \[m\].
    pub fn effective_radius(&self) -> f64 {
        self.radius
    }

    /// a \[m\] under a load per length \[N/m\].
    pub fn half_width(&self, load: f64) -> Result<f64, HertzError> {
        let P = not_negative("load", load, "a load per length of at least 0 [N/m]")?;
        Ok((4.0 * P * self.radius / (PI * self.modulus)).sqrt())
    }

    /// p₀ \[Pa\] under a load per length \[N/m\].
    pub fn peak_pressure(&self, load: f64) -> Result<f64, HertzError> {
        let a = self.half_width(load)?;
        Ok(if load == 0.0 { 0.0 } else { 2.0 * load / (PI * a) })
    }

    /// δ \[m\] under a load per length \[N/m\].
    pub fn approach(&self, load: f64) -> Result<f64, HertzError> {
        if load == 0.0 {
            return Ok(0.0);
        }
        Ok(load / (PI * self.modulus) * self.bracket(load)?)
    }

    /// P' \[N/m\] at an approach \[m\]: the inverse of [`Self::approach`].
    ///
    /// With y the mean bracket β − ln P', π E* δ = P' y is y − ln y = β − ln(π E* δ). Newton's method
    /// falls on its larger root from above, where 1 + u + √(2u) ≥ y, u = β − ln(π E* δ) − 1.
    pub fn load(&self, approach: f64) -> Result<f64, HertzError> {
        let delta = not_negative("approach", approach, "an approach of at least 0 [m]")?;
        if delta == 0.0 {
            return Ok(0.0);
        }
        let beta = self.mean(&|(s, c)| (s * s * PI * self.modulus / (4.0 * self.radius)).ln() - c);
        let u = beta - (PI * self.modulus * delta).ln() - 1.0;
        if u <= 0.0 {
            let most = (beta - 1.0).exp() / (PI * self.modulus);
            return Err(HertzError::TooDeep { approach, most });
        }
        let mut y = 1.0 + u + (2.0 * u).sqrt();
        for _ in 0..MOST_STEPS {
            let next = y - (y - y.ln() - 1.0 - u) / (1.0 - 1.0 / y);
            // From above; below is rounding.
            if !(next < y && next > 1.0) {
                break;
            }
            y = next;
        }
        let load = PI * self.modulus * delta / y;
        self.bracket(load)?;
        Ok(load)
    }

    /// P' ≈ K' δⁿ with the value and the slope of the exact law at a load per length \[N/m\].
    ///
    /// n = d ln P'/d ln δ = y/(y − 1), with y the mean bracket: dδ/dP' = (y − 1)/(π E*). At a tenth or
    /// ten times the load δ is off by a few per cent.
    pub fn power_law(&self, load: f64) -> Result<PowerLaw, HertzError> {
        let P = positive("load", load, "a positive load per length [N/m]")?;
        let y = self.bracket(P)?;
        let exponent = y / (y - 1.0);
        let delta = P / (PI * self.modulus) * y;
        Ok(PowerLaw { stiffness: P / delta.powf(exponent), exponent })
    }

    /// The same for a force \[N\] on a contact of that length \[m\]: F ≈ K δⁿ.
    pub fn power_law_of_length(&self, force: f64, length: f64) -> Result<PowerLaw, HertzError> {
        let F = positive("force", force, "a positive reference force [N]")?;
        let length = positive("length", length, "a positive, finite length [m]")?;
        let law = self.power_law(F / length)?;
        Ok(PowerLaw { stiffness: length * law.stiffness, ..law })
    }

    /// The mean of a number of the two brackets, by their compliances: E* Σ σ_l x_l.
    fn mean(&self, of: &dyn Fn((f64, f64)) -> f64) -> f64 {
        let weighted = |k: usize| self.compliances[k] * of(self.brackets[k]);
        self.modulus * (weighted(0) + weighted(1))
    }

    /// y, the mean of the brackets 2 ln(s/a) − c. Both must be positive, or a side would yield to a
    /// load by swelling, and y above 1, or δ would fall while the load rises.
    fn bracket(&self, load: f64) -> Result<f64, HertzError> {
        let a = self.half_width(load)?;
        let bracket = |(s, c): (f64, f64)| 2.0 * (s / a).ln() - c;
        let least = self.brackets.into_iter().map(bracket).fold(f64::INFINITY, f64::min);
        if !(least > 0.0) {
            let expected = "positive";
            return Err(HertzError::TooWide { half_width: a, bracket: least, expected });
        }
        let y = self.mean(&bracket);
        if !(y > 1.0) {
            let expected = "above 1 in the mean of the two bodies";
            return Err(HertzError::TooWide { half_width: a, bracket: y, expected });
        }
        Ok(y)
    }
}

#[cfg(test)]
#[path = "line_tests.rs"]
mod tests;
