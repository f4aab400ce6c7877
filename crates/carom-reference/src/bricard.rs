//! Bricard's trihedral linkage with threefold symmetry: six equal links, a loop that turns inside out.
//!
//! All lengths are a, twists alternate α, −α, no offsets; θ₁ = θ₃ = θ₅ = θ, θ₂ = θ₄ = θ₆ = φ with
//! cos²α + (cos θ + cos φ) sin²α + (1 + cos²α) cos θ cos φ − 2 cos α sin θ sin φ = 0
//! (Chen, You, Tarnai 2005). For α = 90° this is cos θ + cos φ + cos θ cos φ = 0, the trihedral case.
//! Counting joints the loop is rigid; one of the closure's five rows is redundant.

use crate::loop_of_rods::LoopOfRods;

/// Six slender rods of equal length; the last one is the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bricard {
    /// α.
    pub alpha: f64,
    /// The rods.
    pub rods: LoopOfRods<6>,
}

impl Bricard {
    /// Links of length a and mass m with twists ±α.
    pub fn new(a: f64, alpha: f64, m: f64) -> Self {
        let twist = [alpha, -alpha, alpha, -alpha, alpha, -alpha];
        Self { alpha, rods: LoopOfRods { length: [a; 6], twist, mass: [m; 6] } }
    }

    /// The left side of the closure relation.
    pub fn closure(&self, theta: f64, phi: f64) -> f64 {
        let (s, c) = self.alpha.sin_cos();
        c * c + (theta.cos() + phi.cos()) * s * s + (1.0 + c * c) * theta.cos() * phi.cos()
            - 2.0 * c * theta.sin() * phi.sin()
    }

    /// θ₁ … θ₆ for a given θ; `upper` picks one of the two φ. None where θ is out of range.
    pub fn angles(&self, theta: f64, upper: bool) -> Option<[f64; 6]> {
        // P cos φ + Q sin φ = R.
        let (s, c) = self.alpha.sin_cos();
        let P = s * s + (1.0 + c * c) * theta.cos();
        let Q = -2.0 * c * theta.sin();
        let R = -c * c - s * s * theta.cos();
        let cosine = R / P.hypot(Q);
        if cosine.abs() > 1.0 {
            return None;
        }
        let swing = if upper { cosine.acos() } else { -cosine.acos() };
        let phi = Q.atan2(P) + swing;
        Some([theta, phi, theta, phi, theta, phi])
    }

    /// dφ/dθ from the closure relation.
    pub fn slope(&self, theta: f64, phi: f64) -> f64 {
        let by = |x: f64, y: f64| {
            let (s, c) = self.alpha.sin_cos();
            -x.sin() * s * s - (1.0 + c * c) * x.sin() * y.cos() - 2.0 * c * x.cos() * y.sin()
        };
        -by(theta, phi) / by(phi, theta)
    }

    /// m_eff of the point at the fraction `s` of moving link `k` (0 … 4) along `n`.
    pub fn effective_mass(&self, angles: &[f64; 6], point: (usize, f64), n: [f64; 3]) -> f64 {
        let ratio = self.slope(angles[0], angles[1]);
        let rates = [1.0, ratio, 1.0, ratio, 1.0, ratio];
        self.rods.effective_mass(angles, &rates, point, n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::norm;

    #[test]
    fn the_loop_closes_wherever_the_relation_has_a_root() {
        for alpha in [90.0_f64, 60.0] {
            let bricard = Bricard::new(0.4, alpha.to_radians(), 0.5);
            let mut seen = 0;
            for k in -30..30 {
                for upper in [true, false] {
                    if let Some(angles) = bricard.angles(0.1 * f64::from(k), upper) {
                        assert!(bricard.closure(angles[0], angles[1]).abs() < 1e-14);
                        let error = bricard.rods.closing_error(&angles);
                        assert!(error < 1e-12, "α {alpha}, θ {}: {error:e}", angles[0]);
                        seen += 1;
                    }
                }
            }
            assert!(seen > 20);
        }
    }

    #[test]
    fn the_trihedral_case_has_its_simple_relation() {
        let bricard = Bricard::new(0.4, std::f64::consts::FRAC_PI_2, 0.5);
        let angles = bricard.angles(1.0, true).expect("in range");
        let (c1, c2) = (angles[0].cos(), angles[1].cos());
        assert!((c1 + c2 + c1 * c2).abs() < 1e-14);
    }

    #[test]
    fn the_ground_stays_at_rest_while_the_loop_moves() {
        let bricard = Bricard::new(0.4, 70.0_f64.to_radians(), 0.5);
        let angles = bricard.angles(1.2, true).expect("in range");
        let ratio = bricard.slope(angles[0], angles[1]);
        let rates = [1.0, ratio, 1.0, ratio, 1.0, ratio];
        let ends = bricard.rods.ends(&angles, &rates);
        assert!(ends[5].velocity.iter().all(|v| norm(*v) < 1e-12));
    }
}
