//! A coupler on two or more equal parallel cranks.
//!
//! Every crank beyond the second is redundant: it adds inertia but no constraint. The coupler does
//! not turn, so all its points have one velocity.

/// m_eff of any point of the coupler along `n`:
/// (k m_c/3 + m) / (n · (−sin θ, cos θ))², for k slender cranks at the angle θ from +x.
///
/// The crank's length drops out. Infinite where the cranks point along the normal.
pub fn effective_mass(
    cranks: u32,
    crank_mass: f64,
    coupler_mass: f64,
    theta: f64,
    n: [f64; 2],
) -> f64 {
    let along = -theta.sin() * n[0] + theta.cos() * n[1];
    (f64::from(cranks) * crank_mass / 3.0 + coupler_mass) / (along * along)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upright_cranks_move_the_coupler_sideways() {
        let up = std::f64::consts::FRAC_PI_2;
        let m_eff = effective_mass(3, 0.6, 2.0, up, [-1.0, 0.0]);
        assert!((m_eff - 2.6).abs() < 1e-14);
        assert!(effective_mass(3, 0.6, 2.0, up, [0.0, 1.0]) > 1e30);
    }
}
