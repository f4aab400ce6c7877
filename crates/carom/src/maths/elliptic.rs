//! Elliptic integrals in Carlson's symmetric form, and Legendre's complete ones from them.
//!
//! R_F(x, y, z) = ½ ∫₀^∞ dt / √((t+x)(t+y)(t+z))
//! R_D(x, y, z) = 3/2 ∫₀^∞ dt / ((t+z) √((t+x)(t+y)(t+z)))
//!
//! Source: B. C. Carlson, Numerical computation of real or complex elliptic integrals, Numerical
//! Algorithms 10 (1995) 13-26; the series and Legendre's integrals as in DLMF 19.36 and 19.25.
//! Each duplication brings the arguments four times nearer together. All sums are of positive
//! numbers, so nothing cancels, also where the arguments nearly agree or differ by many decades.
//! The error is a few units in the last place.

/// The arguments agree well enough for the series: what it leaves out is below Q⁶/10 in R_F and
/// Q⁶/4 in R_D.
const NEAR: f64 = 1.5e-3;

/// R_F for arguments ≥ 0 of which at most one is zero; NaN otherwise.
pub fn carlson_rf(x: f64, y: f64, z: f64) -> f64 {
    if !sound([x, y, z])
        || usize::from(x == 0.0) + usize::from(y == 0.0) + usize::from(z == 0.0) > 1
    {
        return f64::NAN;
    }
    let [mut x, mut y, mut z] = [x, y, z];
    loop {
        let mean = (x + y + z) / 3.0;
        let [X, Y] = [1.0 - x / mean, 1.0 - y / mean];
        let Z = -(X + Y);
        if X.abs().max(Y.abs()).max(Z.abs()) < NEAR {
            let E2 = X * Y - Z * Z;
            let E3 = X * Y * Z;
            let series = E2 * (-1.0 / 10.0 + E2 / 24.0 - 3.0 / 44.0 * E3) + E3 / 14.0;
            return (1.0 + series) / mean.sqrt();
        }
        let lambda = duplication([x, y, z]);
        [x, y, z] = [x, y, z].map(|w| 0.25 * (w + lambda));
    }
}

/// R_D for x, y ≥ 0 of which at most one is zero, and z > 0; NaN otherwise.
pub fn carlson_rd(x: f64, y: f64, z: f64) -> f64 {
    if !sound([x, y, z]) || z == 0.0 || (x == 0.0 && y == 0.0) {
        return f64::NAN;
    }
    let [mut x, mut y, mut z] = [x, y, z];
    let (mut sum, mut scale) = (0.0, 1.0);
    loop {
        let mean = (x + y + 3.0 * z) / 5.0;
        let [X, Y] = [1.0 - x / mean, 1.0 - y / mean];
        let Z = -(X + Y) / 3.0;
        if X.abs().max(Y.abs()).max(Z.abs()) < NEAR {
            let (XY, ZZ) = (X * Y, Z * Z);
            let E2 = XY - 6.0 * ZZ;
            let E3 = (3.0 * XY - 8.0 * ZZ) * Z;
            let E4 = 3.0 * (XY - ZZ) * ZZ;
            let E5 = XY * Z * ZZ;
            let series = E2 * (-3.0 / 14.0 + 9.0 / 88.0 * E2 - 9.0 / 52.0 * E3) + E3 / 6.0
                - 3.0 / 22.0 * E4
                + 3.0 / 26.0 * E5;
            return 3.0 * sum + scale * (1.0 + series) / (mean * mean.sqrt());
        }
        let lambda = duplication([x, y, z]);
        sum += scale / (z.sqrt() * (z + lambda));
        scale *= 0.25;
        [x, y, z] = [x, y, z].map(|w| 0.25 * (w + lambda));
    }
}

/// λ = √x√y + √x√z + √y√z.
fn duplication(arguments: [f64; 3]) -> f64 {
    let [x, y, z] = arguments.map(f64::sqrt);
    x * (y + z) + y * z
}

/// Whether the arguments are numbers ≥ 0 between which sums and quotients do not overflow.
fn sound(arguments: [f64; 3]) -> bool {
    arguments.iter().all(|x| (0.0..=1e300).contains(x) && (*x == 0.0 || *x >= 1e-300))
}

/// Legendre's complete integrals of a complementary modulus k_c = √(1 − k²), 0 < k_c ≤ 1.
///
/// For an ellipse k_c is the ratio of its semi-axes. The complementary modulus is the argument, and
/// not k, because 1 − k² would lose the digits of a small one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompleteElliptic {
    /// K = ∫₀^{π/2} dθ / √(1 − k² sin²θ).
    pub K: f64,
    /// E = ∫₀^{π/2} √(1 − k² sin²θ) dθ.
    pub E: f64,
    /// D = (K − E)/k², π/4 at k = 0.
    pub D: f64,
    /// B = (E − k_c² K)/k², π/4 at k = 0; B + D = K.
    pub B: f64,
}

impl CompleteElliptic {
    /// The integrals; all NaN outside 1e-150 ≤ k_c ≤ 1.
    ///
    /// K = R_F(0, k_c², 1),  D = R_D(0, k_c², 1)/3,  B = k_c² R_D(0, 1, k_c²)/3,
    /// E = k_c² D + B.
    pub fn new(complementary_modulus: f64) -> Self {
        let m = complementary_modulus * complementary_modulus;
        if !(complementary_modulus > 0.0 && complementary_modulus <= 1.0) {
            return Self { K: f64::NAN, E: f64::NAN, D: f64::NAN, B: f64::NAN };
        }
        let K = carlson_rf(0.0, m, 1.0);
        let D = carlson_rd(0.0, m, 1.0) / 3.0;
        let B = m * carlson_rd(0.0, 1.0, m) / 3.0;
        Self { K, E: m * D + B, D, B }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

    /// Four units in the last place: fifteen roundings, of which few add up.
    const ROUND_OFF: f64 = 1e-15;

    fn close(found: f64, expected: f64) {
        let error = (found / expected - 1.0).abs();
        assert!(error < ROUND_OFF, "{found:?} against {expected:?}: {error:.1e}");
    }

    #[test]
    fn carlsons_own_examples() {
        // Numerical Algorithms 10 (1995), section 3.
        close(carlson_rf(1.0, 2.0, 0.0), 1.311_028_777_146_059_9);
        close(carlson_rf(2.0, 3.0, 4.0), 0.584_082_841_677_151_7);
        close(carlson_rf(0.5, 1.0, 0.0), 1.854_074_677_301_371_9);
        close(carlson_rd(0.0, 2.0, 1.0), 1.797_210_352_103_388_3);
        close(carlson_rd(2.0, 3.0, 4.0), 0.165_105_272_942_610_53);
    }

    #[test]
    fn legendres_integrals_have_their_tabulated_values() {
        // Abramowitz and Stegun, table 17.1, m = 0.5 and m = 0.25.
        let half = CompleteElliptic::new(0.5_f64.sqrt());
        close(half.K, 1.854_074_677_301_371_9);
        close(half.E, 1.350_643_881_047_675_5);
        let quarter = CompleteElliptic::new(0.75_f64.sqrt());
        close(quarter.K, 1.685_750_354_812_596);
        close(quarter.E, 1.467_462_209_339_427_2);
    }

    #[test]
    fn a_circle_has_quarter_turns() {
        let circle = CompleteElliptic::new(1.0);
        close(circle.K, FRAC_PI_2);
        close(circle.E, FRAC_PI_2);
        close(circle.D, FRAC_PI_4);
        close(circle.B, FRAC_PI_4);
    }

    #[test]
    fn legendres_relation_holds() {
        // E K' + E' K − K K' = π/2, with E − K = −k² D put in for the small difference.
        for k_c in [0.999_999, 0.9, 0.7, 0.5, 0.1, 1e-3] {
            let k = ((1.0 - k_c) * (1.0_f64 + k_c)).sqrt();
            let (here, there) = (CompleteElliptic::new(k_c), CompleteElliptic::new(k));
            let sum = there.E * here.K - k * k * here.D * there.K;
            let size = there.E * here.K;
            assert!((sum - FRAC_PI_2).abs() < 4.0 * ROUND_OFF * size, "k_c = {k_c}: {sum:?}");
        }
    }

    #[test]
    fn the_parts_add_up_over_a_hundred_and_forty_decades() {
        for exponent in 0..=140 {
            let k_c = 10.0_f64.powi(-exponent);
            let found = CompleteElliptic::new(k_c);
            close(found.B + found.D, found.K);
            // To order k_c²: K = ln(4/k_c) + (ln(4/k_c) − 1) k_c²/4, E = 1 + (ln(4/k_c) − ½) k_c²/2.
            if exponent >= 5 {
                let log = (4.0 / k_c).ln();
                close(found.K, log + (log - 1.0) * k_c * k_c / 4.0);
                close(found.E, 1.0 + (log - 0.5) * k_c * k_c / 2.0);
            }
        }
    }

    #[test]
    fn a_scale_and_the_order_of_arguments_change_nothing_else() {
        let (x, y, z) = (0.3, 5.0, 0.02);
        close(carlson_rf(x, y, z), carlson_rf(z, x, y));
        close(carlson_rf(9.0 * x, 9.0 * y, 9.0 * z), carlson_rf(x, y, z) / 3.0);
        close(carlson_rd(9.0 * x, 9.0 * y, 9.0 * z), carlson_rd(x, y, z) / 27.0);
        // R_D(x, y, z) + R_D(y, z, x) + R_D(z, x, y) = 3/√(xyz)
        let sum = carlson_rd(x, y, z) + carlson_rd(y, z, x) + carlson_rd(z, x, y);
        close(sum, 3.0 / (x * y * z).sqrt());
    }

    #[test]
    fn what_has_no_value_is_not_a_number() {
        assert!(carlson_rf(0.0, 0.0, 1.0).is_nan());
        assert!(carlson_rf(-1.0, 2.0, 1.0).is_nan());
        assert!(carlson_rd(1.0, 2.0, 0.0).is_nan());
        assert!(carlson_rd(0.0, 0.0, 1.0).is_nan());
        assert!(carlson_rf(f64::INFINITY, 2.0, 1.0).is_nan());
        for bad in [0.0, -0.5, 1.5, f64::NAN] {
            assert!(CompleteElliptic::new(bad).K.is_nan());
        }
    }
}
