//! Pairs that may touch, and what the file says about their law.

use super::{Anchor, Material};
use crate::maths::Vec3;

/// Where a contact's normal and points come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContactGeometry {
    /// Two shapes, as positions in [`super::Model::shapes`].
    Shapes {
        /// First shape, on body i.
        a: usize,
        /// Second shape, on body j.
        b: usize,
    },
    /// Two material points and a normal fixed in a body or in the ground.
    Points {
        /// Point of body i.
        a: Anchor,
        /// Point of body j.
        b: Anchor,
        /// Where the normal is fixed.
        normal_in: super::Place,
        /// Unit vector from i to j, in the link frame of `normal_in`.
        normal: Vec3,
    },
}

/// Friction as the file asks for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Friction {
    /// Coulomb's coefficient μ.
    Coefficient(f64),
    /// No slip: the limit of large μ.
    Stick,
}

/// What the two bodies of a contact are made of; with the shapes it gives the stiffness.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactMaterials {
    /// Of the first and the second shape.
    pub pair: [Material; 2],
    /// Set if the discs of a planar model are parallel cylinders; otherwise they are balls.
    pub cylinders: Option<ParallelCylinders>,
}

/// A contact along a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParallelCylinders {
    /// ℓ, the length of the line \[m\].
    pub length: f64,
    /// The force at which F ≈ K δⁿ has the value and the slope of the exact law \[N\].
    pub reference_force: f64,
    /// Depth in a flat or hollow partner to which its approach counts \[m\].
    pub depth: Option<f64>,
}

/// What the file says about a contact's law: defaults of a scenario, not part of the machine.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ContactDefaults {
    /// e.
    pub restitution: Option<f64>,
    /// K \[N/mⁿ\].
    pub stiffness: Option<f64>,
    /// n; 3/2 unless the stiffness's unit says otherwise.
    pub exponent: Option<f64>,
    /// Materials, instead of stiffness and exponent.
    pub materials: Option<ContactMaterials>,
    /// The law's name.
    pub law: Option<String>,
    /// Friction.
    pub friction: Option<Friction>,
}

/// A pair that may touch.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    /// Its name in the file.
    pub name: String,
    /// Its geometry.
    pub geometry: ContactGeometry,
    /// Its law.
    pub defaults: ContactDefaults,
}
