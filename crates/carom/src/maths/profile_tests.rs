//! Profiles against their closed forms.

use super::*;
use crate::maths::expression::{Binding, Expression, Scope, Variable};

/// r(φ) from a text.
fn radius(text: &str) -> Tape {
    let expression = Expression::parse(text, Scope::Angle).unwrap();
    expression.resolve(|_| Ok(Binding::Variable(Variable::Time))).unwrap().tape
}

/// The circle of radius 0.3 about (0.1, 0), seen from the origin.
const ECCENTRIC: &str = "0.1*cos(phi) + sqrt(0.09 - 0.01*sin(phi)^2)";
/// Of coordinates below 1, and of curvatures, whose second derivatives have larger terms.
const ROUND_OFF: f64 = 1e-13;

#[test]
fn an_eccentric_circle_has_its_points_normals_and_curvature() {
    let curve = Profile::expression(radius(ECCENTRIC)).unwrap();
    let center = Vec3::new(0.1, 0.0, 0.0);
    for spot in &curve.samples {
        assert!(((spot.at - center).norm() - 0.3).abs() < ROUND_OFF);
        assert!((spot.normal() - (spot.at - center) / 0.3).norm() < ROUND_OFF);
        assert!((spot.curvature() - 1.0 / 0.3).abs() < 100.0 * ROUND_OFF);
    }
    assert!((curve.reach - 0.4).abs() < ROUND_OFF);
}

#[test]
fn tables_of_radii_and_of_points_come_to_the_circle_as_the_fourth_power() {
    let center = Vec3::new(0.1, 0.0, 0.0);
    let off = |curve: &Profile| {
        curve.samples.iter().map(|s| ((s.at - center).norm() - 0.3).abs()).fold(0.0, f64::max)
    };
    let exact = Profile::expression(radius(ECCENTRIC)).unwrap();
    let angles = |n: usize| (0..n).map(move |k| TAU * k as f64 / n as f64);
    let by_radii = |n: usize| {
        let radii: Vec<f64> = angles(n).map(|phi| exact.at(phi).at.norm()).collect();
        off(&Profile::radii(&radii).unwrap())
    };
    let by_points = |n: usize| {
        // Clockwise, so that it has to be turned around.
        let points: Vec<Vec3> = angles(n).map(|phi| exact.at(-phi).at).collect();
        off(&Profile::points(&points).unwrap())
    };
    for (coarse, fine) in [(by_radii(40), by_radii(80)), (by_points(40), by_points(80))] {
        assert!(fine < 2e-6 && (10.0..24.0).contains(&(coarse / fine)), "{coarse} {fine}");
    }
}

#[test]
fn every_sample_turns_little_from_the_one_before() {
    // A lobe with a nose of small radius.
    let curve = Profile::expression(radius("0.02 + 0.01*exp(-20*(1 - cos(phi)))")).unwrap();
    let n = curve.samples.len();
    for k in 0..n {
        let (a, b) = (curve.samples[k].first, curve.samples[(k + 1) % n].first);
        assert!(a.angle(&b) < 0.1, "sample {k} of {n}");
    }
}

#[test]
fn what_is_no_closed_smooth_curve_is_refused_with_the_place() {
    let refused = |text: &str| Profile::expression(radius(text)).unwrap_err();
    assert!(matches!(refused("phi"), ProfileError::Radius { phi, .. } if phi == 0.0));
    assert!(matches!(refused("cos(phi)"), ProfileError::Radius { .. }));
    assert!(matches!(refused("1 + 0.1*phi"), ProfileError::Open { what: "radius", .. }));
    let open = refused("1 + 0.1*sin(phi/2)");
    assert!(matches!(open, ProfileError::Open { what: "slope dr/dphi", .. }));
    let corner = refused("1 + 0.1*abs(sin(phi - 1))");
    let ProfileError::Corner { what: "slope dr/dphi", phi, jump } = corner else {
        panic!("{corner}")
    };
    let place = phi.rem_euclid(std::f64::consts::PI);
    assert!((place - 1.0).abs() < 1e-8 && (jump - 0.2).abs() < 1e-6, "{phi} {jump}");
    let jump = refused("1 + 0.1*step(phi - 2) - 0.1*step(phi - 3)");
    assert!(
        matches!(jump, ProfileError::Corner { what: "radius", phi, .. } if (phi - 2.0).abs() < 1e-8)
    );
    // A corner in r″ is none of the curve.
    assert!(Profile::expression(radius("1 + if(phi < pi, sin(phi)^2, 0)")).is_ok());

    let square =
        [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
    assert!(matches!(Profile::points(&square), Err(ProfileError::Crosses { .. })));
    assert_eq!(
        Profile::points(&[square[0], square[2], square[2], square[1]]).unwrap_err(),
        ProfileError::Twice { first: 1, second: 2 }
    );
    assert!(matches!(Profile::points(&square[..3]), Err(ProfileError::Few { found: 3, .. })));
    assert!(matches!(Profile::radii(&[1.0, 1.0, -1.0, 1.0]), Err(ProfileError::Radius { .. })));
    // The spline between positive radii may be negative.
    assert!(matches!(
        Profile::radii(&[1.0, 1e-6, 1e-6, 1.0, 9.0]),
        Err(ProfileError::Radius { .. })
    ));
    let angles = Profile::radii_at(&[0.0, 1.0, 1.0, 2.0], &[1.0; 4]).unwrap_err();
    assert_eq!(angles, ProfileError::Angles { angle: 2 });
    let angles = Profile::radii_at(&[0.0, 1.0, 3.0, 7.0], &[1.0; 4]).unwrap_err();
    assert_eq!(angles, ProfileError::Angles { angle: 3 });
}
