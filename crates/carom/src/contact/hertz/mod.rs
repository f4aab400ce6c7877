//! Stiffness from material and shape: Hertz's theory of elastic contact.
//!
//! | contact | force | from |
//! |---|---|---|
//! | ball on ball, in a hollow, on a plane | F = K δ^{3/2} | [`sphere_on_sphere`], [`sphere_on_plane`] |
//! | any two curved surfaces that touch in a point | F = K δ^{3/2} | [`PointContact`] |
//! | parallel cylinders, along a line | δ(P') with a logarithm; F ≈ K δⁿ near a force | [`LineContact`] |
//!
//! [`of_contact`] takes the materials a model states for a contact and the curvatures of its shapes
//! where they touch. The words: σ compliance \[1/Pa\], E* contact modulus \[Pa\], A ≤ B relative
//! curvatures \[1/m\], a ≥ b semi-axes of the ellipse of contact \[m\], p₀ peak pressure \[Pa\], P' load
//! per length \[N/m\], δ approach of the bodies \[m\], positive in compression.
//!
//! The theory asks for isotropic, linearly elastic bodies, smooth surfaces without friction or
//! adhesion, and an area of contact that is small beside the radii and the bodies.
//!
//! Sources: H. Hertz, J. reine angew. Math. 92 (1882) 156-171; K. L. Johnson, Contact Mechanics,
//! Cambridge University Press 1985, chapter 4 and section 5.6; Moreira et al. eqs. 3-5.

mod elasticity;
mod ellipse;
mod error;
mod line;
mod of_contact;
mod sphere;
mod surface;

pub use elasticity::{Elasticity, contact_modulus};
pub use ellipse::{PointContact, PrincipalCurvatures};
pub use error::HertzError;
pub use line::{LineContact, LineSide, PowerLaw};
pub use of_contact::{ContactArea, Stiffness, StiffnessOrigin, of_contact};
pub use sphere::{sphere_on_plane, sphere_on_sphere};

/// Larger and smaller numbers than 1e±60 overflow in products of a few of them.
const LARGEST: f64 = 1e60;

/// A positive number of a size one can compute with.
fn positive(at: &'static str, found: f64, expected: &'static str) -> Result<f64, HertzError> {
    if (1.0 / LARGEST..=LARGEST).contains(&found) {
        Ok(found)
    } else {
        Err(HertzError::OutOfRange { at, found, expected })
    }
}

/// A number from zero to the largest one can compute with.
fn not_negative(at: &'static str, found: f64, expected: &'static str) -> Result<f64, HertzError> {
    if (0.0..=LARGEST).contains(&found) {
        Ok(found)
    } else {
        Err(HertzError::OutOfRange { at, found, expected })
    }
}
