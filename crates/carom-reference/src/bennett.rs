//! Bennett's linkage: four revolutes in space that ought not to move, and do.
//!
//! Opposite links are equal, (a, α), (b, β), (a, α), (b, β), with a/sin α = b/sin β and no offsets. Then
//! θ₃ = −θ₁, θ₄ = −θ₂ (mod 2π) and tan(θ₁/2) tan(θ₂/2) = sin ½(α+β) / sin ½(β−α)
//! (Bennett 1903). Counting joints, the loop has −2 degrees of freedom: three of the closure's five
//! rows are redundant.

use crate::loop_of_rods::LoopOfRods;

/// β with sin β = (b/a) sin α, the acute one; none if b is too long.
pub fn other_twist(a: f64, alpha: f64, b: f64) -> Option<f64> {
    let sine = b / a * alpha.sin();
    (sine.abs() <= 1.0).then(|| sine.asin())
}

/// A Bennett linkage of slender rods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bennett {
    /// α.
    pub alpha: f64,
    /// β.
    pub beta: f64,
    /// The four rods; the last one is the ground.
    pub rods: LoopOfRods<4>,
}

impl Bennett {
    /// Links a and b in turn, of masses m₁, m₂, m₃; none if no twist β exists.
    pub fn new(a: f64, alpha: f64, b: f64, mass: [f64; 3]) -> Option<Self> {
        let beta = other_twist(a, alpha, b)?;
        let rods = LoopOfRods {
            length: [a, b, a, b],
            twist: [alpha, beta, alpha, beta],
            mass: [mass[0], mass[1], mass[2], 0.0],
        };
        Some(Self { alpha, beta, rods })
    }

    /// tan(θ₁/2) tan(θ₂/2).
    pub fn closure_constant(&self) -> f64 {
        (0.5 * (self.alpha + self.beta)).sin() / (0.5 * (self.beta - self.alpha)).sin()
    }

    /// θ₁ … θ₄ for a given θ₁.
    pub fn angles(&self, theta1: f64) -> [f64; 4] {
        let theta2 = 2.0 * (self.closure_constant() / (0.5 * theta1).tan()).atan();
        [theta1, theta2, -theta1, -theta2]
    }

    /// θ̇₁ … θ̇₄ for θ̇₁ = 1: dθ₂/dθ₁ = −sin θ₂ / sin θ₁, the logarithmic derivative of the closure.
    pub fn rates(&self, theta1: f64) -> [f64; 4] {
        let ratio = -self.angles(theta1)[1].sin() / theta1.sin();
        [1.0, ratio, -1.0, -ratio]
    }

    /// m_eff of the point at the fraction `s` of moving link `k` (0, 1, 2) along `n`.
    pub fn effective_mass(&self, theta1: f64, point: (usize, f64), n: [f64; 3]) -> f64 {
        self.rods.effective_mass(&self.angles(theta1), &self.rates(theta1), point, n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::norm;

    fn example() -> Bennett {
        Bennett::new(0.5, 40.0_f64.to_radians(), 0.7, [1.0, 1.2, 0.8]).expect("a twist exists")
    }

    #[test]
    fn the_loop_closes_all_the_way_round() {
        let bennett = example();
        for k in 1..24 {
            let theta1 = 0.25 * f64::from(k);
            assert!(bennett.rods.closing_error(&bennett.angles(theta1)) < 1e-13, "{theta1}");
        }
    }

    #[test]
    fn the_ground_stays_at_rest_while_the_loop_moves() {
        let bennett = example();
        for theta1 in [0.5, 1.9, 4.0] {
            let ends = bennett.rods.ends(&bennett.angles(theta1), &bennett.rates(theta1));
            assert!(ends[3].velocity.iter().all(|v| norm(*v) < 1e-13));
        }
    }

    #[test]
    fn a_link_too_long_for_the_twist_is_refused() {
        assert!(Bennett::new(0.5, 1.2, 0.7, [1.0; 3]).is_none());
    }

    #[test]
    fn the_effective_mass_of_the_first_link_is_that_of_a_rod_geared_to_the_rest() {
        let bennett = example();
        let theta1 = 1.9;
        let n = [-f64::sin(theta1), f64::cos(theta1), 0.0];
        let m_eff = bennett.effective_mass(theta1, (0, 1.0), n);
        let T = bennett.rods.kinetic_energy(&bennett.angles(theta1), &bennett.rates(theta1));
        assert!((m_eff - 2.0 * T / 0.25).abs() < 1e-13);
        assert!(m_eff > 1.0 / 3.0, "more than the rod alone");
    }
}
