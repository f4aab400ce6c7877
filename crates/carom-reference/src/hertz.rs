//! Hertz's stiffness and the peak of an elastic impact.

/// σ = (1 − ν²)/E (Moreira et al. eq. 4).
pub fn compliance(young: f64, poisson: f64) -> f64 {
    (1.0 - poisson * poisson) / young
}

/// K = 4/(3 (σ_i + σ_j)) √(R_i R_j/(R_i + R_j)) (Moreira et al. eq. 3); a concave radius is negative.
pub fn stiffness(compliance: [f64; 2], radius: [f64; 2]) -> f64 {
    let [r_i, r_j] = radius;
    4.0 / (3.0 * (compliance[0] + compliance[1])) * (r_i * r_j / (r_i + r_j)).sqrt()
}

/// K of a ball on a plane: 4/(3 (σ_i + σ_j)) √R (Moreira et al. eq. 5).
pub fn stiffness_on_plane(compliance: [f64; 2], radius: f64) -> f64 {
    4.0 / (3.0 * (compliance[0] + compliance[1])) * radius.sqrt()
}

/// δ_max = ((n+1) T_c / K)^{1/(n+1)}: all of T_c is stored in F = K δⁿ.
pub fn elastic_depth(K: f64, n: f64, T_c: f64) -> f64 {
    ((n + 1.0) * T_c / K).powf(1.0 / (n + 1.0))
}

/// F_max = K δ_maxⁿ.
pub fn elastic_peak(K: f64, n: f64, T_c: f64) -> f64 {
    K * elastic_depth(K, n, T_c).powf(n)
}

/// Duration of the elastic impact in δ_max/δ̇⁻: 2 ∫ ds/√(1 − sⁿ⁺¹) over 0…1 = 2√π Γ(1 + 1/(n+1))/Γ(½ + 1/(n+1)).
pub fn elastic_duration(n: f64) -> f64 {
    let x = 1.0 / (n + 1.0);
    2.0 * std::f64::consts::PI.sqrt() * (log_gamma(1.0 + x) - log_gamma(0.5 + x)).exp()
}

/// ln Γ(x) of x > 0: Stirling's series after a shift to x ≥ 16, where its terms fall below round-off.
pub fn log_gamma(x: f64) -> f64 {
    let (mut x, mut product) = (x, 1.0);
    while x < 16.0 {
        product *= x;
        x += 1.0;
    }
    let y = 1.0 / (x * x);
    let series = 1.0 / 12.0
        - y * (1.0 / 360.0
            - y * (1.0 / 1260.0 - y * (1.0 / 1680.0 - y * (1.0 / 1188.0 - y * 691.0 / 360_360.0))));
    (x - 0.5) * x.ln() - x + 0.5 * std::f64::consts::TAU.ln() + series / x - product.ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_steel_spheres_have_the_printed_stiffness() {
        let steel = compliance(207e9, 0.3);
        let K = stiffness([steel; 2], [0.05; 2]);
        assert!((K / 2.4e10 - 1.0).abs() < 2e-3, "{K:e}");
        let flat = stiffness([steel; 2], [0.05, 1e9]);
        assert!((flat / stiffness_on_plane([steel; 2], 0.05) - 1.0).abs() < 1e-9);
        assert!(stiffness([steel; 2], [0.05, -0.06]) > K, "a hollow embraces the ball");
    }

    #[test]
    fn a_linear_spring_stores_half_k_delta_squared() {
        assert!((elastic_depth(8.0, 1.0, 1.0) - 0.5).abs() < 1e-15);
        assert!((elastic_peak(8.0, 1.0, 1.0) - 4.0).abs() < 1e-15);
    }

    #[test]
    fn the_gamma_function_has_its_known_values() {
        for (x, value) in [(1.0, 1.0), (0.5, std::f64::consts::PI.sqrt()), (5.0, 24.0)] {
            assert!((log_gamma(x).exp() / value - 1.0).abs() < 2e-14, "{x}");
        }
        assert!((elastic_duration(1.0) - std::f64::consts::PI).abs() < 1e-13);
        assert!((elastic_duration(1.5) - 2.943_275_184).abs() < 1e-9);
    }
}
