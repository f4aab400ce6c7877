//! Mass, centre and inertia of geoms and bodies.
//!
//! Sources: [`solids`] for solids. Shells by the integrals of r² over the surface, as in any table of moments of inertia; of a capsule's end: a hemispherical
//! shell of radius R has its centroid at R/2 from its base and about the base's centre the inertia 2/3 m R².

use super::Settings;
use crate::maths::solids::{self, Amount};
use crate::maths::{Mat3, Vec3};
use crate::robot::Geometry;

/// Mass about its centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Heavy {
    pub mass: f64,
    pub center: Vec3,
    pub inertia: Mat3,
}

/// A solid; `None` for what has no volume of its own.
pub(in crate::robot) fn solid(geometry: &Geometry) -> Option<Amount> {
    Some(match *geometry {
        Geometry::Sphere(r) => solids::ball(r),
        Geometry::Box(edges) => solids::block(edges),
        Geometry::Ellipsoid(halves) => solids::ellipsoid(halves),
        Geometry::Cylinder(r, l) => solids::cylinder(r, l),
        Geometry::Capsule(r, l) => solids::capsule(r, l),
        Geometry::Plane | Geometry::Mesh { .. } => return None,
    })
}

/// A shell, with the ends of a cylinder closed; `None` for what has no elementary surface (an ellipsoid) or no surface of its own.
pub(super) fn shell(geometry: &Geometry) -> Option<Amount> {
    let pi = std::f64::consts::PI;
    Some(match *geometry {
        Geometry::Sphere(r) => {
            Amount { size: 4.0 * pi * r * r, inertia: Vec3::repeat(2.0 / 3.0 * r * r) }
        }
        Geometry::Box([a, b, c]) => {
            // ∫x² over the six faces: those across x stand at a/2, the others have a²/12.
            let square = |a: f64, b: f64, c: f64| {
                2.0 * b * c * (a * a / 4.0) + 2.0 * a * (b + c) * (a * a / 12.0)
            };
            let (x, y, z) = (square(a, b, c), square(b, c, a), square(c, a, b));
            let size = 2.0 * (a * b + b * c + c * a);
            Amount { size, inertia: Vec3::new(y + z, x + z, x + y) / size }
        }
        Geometry::Cylinder(r, l) => {
            let (side, ends) = (2.0 * pi * r * l, 2.0 * pi * r * r);
            let across = side * (r * r / 2.0 + l * l / 12.0) + ends * (r * r + l * l) / 4.0;
            let along = side * r * r + ends * r * r / 2.0;
            let size = side + ends;
            Amount { size, inertia: Vec3::new(across, across, along) / size }
        }
        Geometry::Capsule(r, l) => {
            let (side, ends) = (2.0 * pi * r * l, 4.0 * pi * r * r);
            let across = side * (r * r / 2.0 + l * l / 12.0)
                + ends * (2.0 / 3.0 * r * r + l * l / 4.0 + l * r / 2.0);
            let along = side * r * r + ends * 2.0 / 3.0 * r * r;
            let size = side + ends;
            Amount { size, inertia: Vec3::new(across, across, along) / size }
        }
        Geometry::Ellipsoid(_) | Geometry::Plane | Geometry::Mesh { .. } => return None,
    })
}

/// Several masses as one: J = Σ (J_k + m_k (|d|² 1 − d dᵀ)), d from the common centre to that of the part.
pub(super) fn together(parts: &[Heavy]) -> Option<Heavy> {
    let mass: f64 = parts.iter().map(|p| p.mass).sum();
    if let [only] = parts {
        return Some(*only);
    }
    if !(mass > 0.0) {
        return None;
    }
    let center = parts.iter().map(|p| p.center * (p.mass / mass)).sum();
    let mut inertia = Mat3::zeros();
    for part in parts {
        let d: Vec3 = part.center - center;
        inertia += part.inertia
            + (Mat3::from_diagonal_element(d.norm_squared()) - d * d.transpose()) * part.mass;
    }
    Some(Heavy { mass, center, inertia })
}

/// The least values that the file sets, and inertias that no body has made equal if it asks for that.
pub(super) fn bounded(mut heavy: Heavy, settings: &Settings) -> Heavy {
    heavy.mass = heavy.mass.max(settings.least_mass);
    if !(settings.least_inertia > 0.0 || settings.balance) {
        return heavy;
    }
    let eigen = heavy.inertia.symmetric_eigen();
    let mut principal = eigen.eigenvalues.map(|x| x.max(settings.least_inertia));
    let sum = principal.sum();
    if settings.balance && 2.0 * principal.max() > sum {
        principal = Vec3::repeat(sum / 3.0);
    }
    if principal != eigen.eigenvalues {
        let Q = eigen.eigenvectors;
        heavy.inertia = Q * Mat3::from_diagonal(&principal) * Q.transpose();
    }
    heavy
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_is_the_difference_of_two_solids() {
        // d/dε of the solid grown by ε everywhere: size' is the area, (size · inertia)' the area times the shell's inertia.
        let grown: [fn(f64) -> Geometry; 4] = [
            |e| Geometry::Sphere(0.3 + e),
            |e| Geometry::Box([0.2 + 2.0 * e, 0.3 + 2.0 * e, 0.5 + 2.0 * e]),
            |e| Geometry::Cylinder(0.2 + e, 0.6 + 2.0 * e),
            |e| Geometry::Capsule(0.2 + e, 0.6),
        ];
        for shape in grown {
            let h = 1e-5;
            let moment = |e: f64| {
                let solid = solid(&shape(e)).unwrap();
                (solid.size, solid.inertia * solid.size)
            };
            let ((a, i), (b, j)) = (moment(-h), moment(h));
            let found = shell(&shape(0.0)).unwrap();
            let area = (b - a) / (2.0 * h);
            let inertia = (j - i) / (2.0 * h) / area;
            // Central differences with h = 1e-5: 1e-10 of truncation, 1e-11 of round-off.
            assert!((found.size / area - 1.0).abs() < 1e-8, "{:?}", shape(0.0));
            assert!((found.inertia - inertia).amax() < 1e-8, "{:?} {inertia}", shape(0.0));
        }
    }
}
