//! Volume and inertia of simple solids, about their centres along their axes of symmetry; cylinders and capsules lie along z.
//!
//! Sources: the integrals of r² over the shape, as in any table of moments of inertia. Of a capsule's end: a hemisphere of radius R has its centroid
//! at 3R/8 from its base and about the base's centre the inertia 2/5 m R².

use std::f64::consts::PI;

use super::Vec3;

/// A solid of density one, or a shell of area density one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amount {
    /// Its volume \[m³\]; of a shell its area \[m²\].
    pub size: f64,
    /// Its principal inertias per mass \[m²\].
    pub inertia: Vec3,
}

/// A ball of radius r.
pub fn ball(r: f64) -> Amount {
    Amount { size: 4.0 / 3.0 * PI * r.powi(3), inertia: Vec3::repeat(0.4 * r * r) }
}

/// A box with these edge lengths.
pub fn block([a, b, c]: [f64; 3]) -> Amount {
    let squares = Vec3::new(b * b + c * c, a * a + c * c, a * a + b * b);
    Amount { size: a * b * c, inertia: squares / 12.0 }
}

/// An ellipsoid with these half axes.
pub fn ellipsoid([a, b, c]: [f64; 3]) -> Amount {
    let squares = Vec3::new(b * b + c * c, a * a + c * c, a * a + b * b);
    Amount { size: 4.0 / 3.0 * PI * a * b * c, inertia: squares / 5.0 }
}

/// A cylinder of radius r and length l.
pub fn cylinder(r: f64, l: f64) -> Amount {
    let across = (3.0 * r * r + l * l) / 12.0;
    Amount { size: PI * r * r * l, inertia: Vec3::new(across, across, r * r / 2.0) }
}

/// A capsule of radius r, the length of whose cylindrical part is l.
pub fn capsule(r: f64, l: f64) -> Amount {
    let (middle, ends) = (PI * r * r * l, 4.0 / 3.0 * PI * r.powi(3));
    let across =
        middle * (l * l / 12.0 + r * r / 4.0) + ends * (0.4 * r * r + l * l / 4.0 + 0.375 * l * r);
    let along = middle * r * r / 2.0 + ends * 0.4 * r * r;
    let size = middle + ends;
    Amount { size, inertia: Vec3::new(across, across, along) / size }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Volume and inertia per mass of a solid whose section at z is an ellipse with the half axes a(z) and b(z), |z| < `reach`: the
    /// integrals over its slices by the midpoint rule.
    fn sliced(section: impl Fn(f64) -> [f64; 2], reach: f64) -> (f64, Vec3) {
        let n = 20_000;
        let h = 2.0 * reach / f64::from(n);
        let (mut volume, mut sums) = (0.0, Vec3::zeros());
        for k in 0..n {
            let z = (f64::from(k) + 0.5) * h - reach;
            let [a, b] = section(z);
            let slice = PI * a * b * h;
            volume += slice;
            sums += Vec3::new(a * a / 4.0, b * b / 4.0, z * z) * slice;
        }
        let s = sums / volume;
        (volume, Vec3::new(s.y + s.z, s.x + s.z, s.x + s.y))
    }

    #[test]
    fn solids_have_the_volume_and_inertia_of_their_slices() {
        let beyond = |z: f64| {
            let beyond = (z.abs() - 0.3).max(0.0);
            [(0.04 - beyond * beyond).sqrt(); 2]
        };
        let round = |z: f64| {
            let r = (1.0 - (z / 0.5).powi(2)).sqrt();
            [0.2 * r, 0.3 * r]
        };
        let cases = [
            (capsule(0.2, 0.6), sliced(beyond, 0.5)),
            (ellipsoid([0.2, 0.3, 0.5]), sliced(round, 0.5)),
            (ball(0.5), sliced(|z| [(0.25 - z * z).sqrt(); 2], 0.5)),
            (cylinder(0.3, 0.8), sliced(|_| [0.3; 2], 0.4)),
        ];
        for (found, (volume, inertia)) in cases {
            // The midpoint rule with 20 000 slices: (1/20 000)² of the second derivatives.
            assert!((found.size / volume - 1.0).abs() < 1e-8, "{found:?} {volume}");
            let error = (found.inertia - inertia).amax();
            assert!(error < 1e-8 * inertia.amax(), "{found:?} {inertia}");
        }
    }
}
