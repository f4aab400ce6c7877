//! Ball on ball, in a hollow, and on a plane.

use super::{Elasticity, HertzError, contact_modulus, positive};

/// K of two balls \[N/m^{3/2}\], F = K δ^{3/2}.
///
/// K = 4/(3 (σ_i + σ_j)) √(R_i R_j/(R_i + R_j))   (eq. (5.10); Moreira et al. eq. 3)
///
/// R_i, R_j \[m\]: the radii; a concave partner (a hollow) has a negative one, a plane R = ∞. A hollow
/// must be wider than the ball in it. Valid while the contact is small beside both radii and, in a
/// hollow, beside the gap that is left: a ball that nearly fills its hollow touches widely and is
/// stiffer than this.
pub fn sphere_on_sphere(pair: [Elasticity; 2], radii: [f64; 2]) -> Result<f64, HertzError> {
    Ok(4.0 / 3.0 * contact_modulus(pair) * effective_radius(radii)?.sqrt())
}

/// K of a ball on a plane \[N/m^{3/2}\].
///
/// K = 4/(3 (σ_i + σ_j)) √R_i   (Moreira et al. eq. 5)
///
/// `pair` is the ball's material and the plane's, R_i \[m\] the radius of the ball.
pub fn sphere_on_plane(pair: [Elasticity; 2], radius: f64) -> Result<f64, HertzError> {
    let R = positive("radius", radius, "a positive, finite radius [m]")?;
    Ok(4.0 / 3.0 * contact_modulus(pair) * R.sqrt())
}

/// R = R_i R_j/(R_i + R_j); a hollow is negative, a plane infinite.
fn effective_radius(radii: [f64; 2]) -> Result<f64, HertzError> {
    for radius in radii {
        if !radius.is_infinite() {
            positive("radius", radius.abs(), "a radius other than 0, or infinite for a plane [m]")?;
        }
    }
    let [R_i, R_j] = radii;
    match (R_i.is_infinite(), R_j.is_infinite()) {
        (false, true) if R_i > 0.0 => return Ok(R_i),
        (true, false) if R_j > 0.0 => return Ok(R_j),
        (false, false) => {}
        _ => {
            let curvature = |R: f64| if R.is_infinite() { 0.0 } else { 1.0 / R };
            let least = curvature(R_i) + curvature(R_j);
            return Err(HertzError::NotClosing { least, most: least });
        }
    }
    if R_i < 0.0 && R_j < 0.0 {
        let least = 1.0 / R_i + 1.0 / R_j;
        return Err(HertzError::NotClosing { least, most: least });
    }
    let R = R_i * R_j / (R_i + R_j);
    if R > 0.0 && R.is_finite() {
        return Ok(R);
    }
    Err(HertzError::HollowTooNarrow { ball: R_i.max(R_j), hollow: -R_i.min(R_j) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A few roundings.
    const ROUND_OFF: f64 = 1e-15;

    fn steel() -> [Elasticity; 2] {
        [Elasticity::new(207e9, 0.3).unwrap(); 2]
    }

    #[test]
    fn two_steel_balls_have_the_stiffness_of_the_paper() {
        // Moreira et al. print 2.4e10; eq. 3 by hand: 207e9/(1.5 · 0.91) √0.025.
        let K = sphere_on_sphere(steel(), [0.05, 0.05]).unwrap();
        assert!((K / (207e9 / (1.5 * 0.91) * 0.025_f64.sqrt()) - 1.0).abs() < ROUND_OFF);
        assert!((K / 2.4e10 - 1.0).abs() < 2e-3, "{K:e}");
    }

    #[test]
    fn a_plane_is_a_ball_of_infinite_radius_in_either_place() {
        let K = sphere_on_plane(steel(), 0.05).unwrap();
        for radii in [[0.05, f64::INFINITY], [f64::INFINITY, 0.05], [0.05, -f64::INFINITY]] {
            assert_eq!(sphere_on_sphere(steel(), radii).unwrap(), K);
        }
        let nearly = sphere_on_sphere(steel(), [0.05, 5e14]).unwrap();
        assert!((nearly / K - 1.0).abs() < ROUND_OFF);
    }

    #[test]
    fn a_hollow_embraces_the_ball() {
        // 0.05 · 0.06/0.01 = 0.3: √6 times the ball on a plane.
        let K = sphere_on_sphere(steel(), [0.05, -0.06]).unwrap();
        let flat = sphere_on_plane(steel(), 0.05).unwrap();
        assert!((K / flat - 6.0_f64.sqrt()).abs() < 10.0 * ROUND_OFF);
        assert_eq!(sphere_on_sphere(steel(), [-0.06, 0.05]).unwrap(), K);
    }

    #[test]
    fn a_hollow_is_wider_than_its_ball() {
        for radii in [[0.05, -0.05], [0.05, -0.04], [-0.04, 0.05]] {
            let found = sphere_on_sphere(steel(), radii).unwrap_err();
            assert!(matches!(found, HertzError::HollowTooNarrow { ball: 0.05, .. }), "{found}");
        }
    }

    #[test]
    fn radii_that_make_no_ball_are_refused() {
        for radius in [0.0, f64::NAN, 1e-80] {
            let found = sphere_on_sphere(steel(), [radius, 1.0]).unwrap_err();
            assert!(matches!(found, HertzError::OutOfRange { at: "radius", .. }), "{found}");
        }
        for radius in [0.0, -1.0, f64::INFINITY, f64::NAN] {
            assert!(sphere_on_plane(steel(), radius).is_err());
        }
        for radii in [[-1.0, -2.0], [f64::INFINITY, f64::INFINITY], [-1.0, f64::INFINITY]] {
            let found = sphere_on_sphere(steel(), radii).unwrap_err();
            assert!(matches!(found, HertzError::NotClosing { .. }), "{found}");
        }
    }
}
