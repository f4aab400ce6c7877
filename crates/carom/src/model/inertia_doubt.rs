//! Inertias that are hard to believe: a body that is spread wider than it is large.
//!
//! The radius of gyration about an axis through the mass centre is k = √(J/m), the root mean square of the distances of
//! the body's mass from that axis. No mass lies outside the body, so k is at most the largest distance of a point of the body
//! from its mass centre. Of the body only some points are known: where joints, closures and loads hold it, its
//! contact shapes and its markers. An inertia whose radius of gyration exceeds all of them is usually stated about another
//! point, in another unit, or for a rotor that belongs into the joint.

use super::{Anchor, BodyId, ContactGeometry, Load, Model, Place, Row, ShapeKind, Space};
use crate::maths::{Pose, Vec3};

/// A body whose radius of gyration exceeds what is known of its size.
#[derive(Clone, Debug, PartialEq)]
pub struct InertiaDoubt {
    /// The body.
    pub body: String,
    /// Its largest radius of gyration about a principal axis through its mass centre \[m\].
    pub radius: f64,
    /// The largest distance of a point that is known to be on it from its mass centre \[m\].
    pub size: f64,
    /// Its mass \[kg\].
    pub mass: f64,
}

/// Points nearer to the mass centre than this part of the radius of gyration tell nothing of a body's size: a body that is held
/// at its mass centre alone has no known extent.
const NO_EXTENT: f64 = 1e-9;

impl Model {
    /// Bodies whose inertia is larger than their known points allow, in the order of [`Model::bodies`]; a body without a
    /// known extent cannot be doubted.
    pub fn doubtful_inertias(&self) -> Vec<InertiaDoubt> {
        self.doubtful_inertias_beside(&[])
    }

    /// The same where more is known of the sizes of the bodies: `extents` \[m\], zero of a body of which nothing is.
    pub fn doubtful_inertias_beside(&self, extents: &[f64]) -> Vec<InertiaDoubt> {
        let mut sizes = extents.to_vec();
        sizes.resize(self.bodies.len(), 0.0);
        let mut reach = |place: Place, at: &Vec3, beyond: f64| {
            let Some(body) = place else { return };
            let center = &self.bodies[body.index()].inertia.center;
            let size = &mut sizes[body.index()];
            *size = size.max((at - center).norm() + beyond);
        };
        for (own, body) in (0_u32..).map(BodyId).zip(&self.bodies) {
            reach(body.parent, &body.joint.in_parent.position, 0.0);
            reach(Some(own), &Vec3::zeros(), 0.0);
        }
        let mut anchor = |a: &Anchor| reach(a.body, &a.at, 0.0);
        for row in self.closures.iter().flat_map(|c| &c.rows) {
            if let Row::InPlane { a, b, .. } | Row::Distance { a, b, .. } = row {
                anchor(a);
                anchor(b);
            }
        }
        self.markers.iter().for_each(|m| anchor(&m.anchor));
        for load in &self.loads {
            match load {
                Load::Spring { a, b, .. } => [a, b].into_iter().for_each(&mut anchor),
                Load::Force { at, .. } => anchor(at),
                _ => {}
            }
        }
        for contact in &self.contacts {
            if let ContactGeometry::Points { a, b, .. } | ContactGeometry::Rope { a, b, .. } =
                &contact.geometry
            {
                anchor(a);
                anchor(b);
            }
        }
        for shape in &self.shapes {
            for (at, beyond) in extent(&shape.kind) {
                reach(shape.body, &at, beyond);
            }
        }
        let doubt = |(body, size): (&super::Body, f64)| {
            let radius = self.radius_of_gyration(body);
            (size > NO_EXTENT * radius && radius > size).then(|| InertiaDoubt {
                body: body.name.clone(),
                radius,
                size,
                mass: body.inertia.mass,
            })
        };
        self.bodies.iter().zip(sizes).filter_map(doubt).collect()
    }

    /// The largest radius of gyration of a body about an axis through its mass centre \[m\].
    pub fn radius_of_gyration(&self, body: &super::Body) -> f64 {
        let J = body.inertia.central();
        let largest = match self.space {
            Space::Planar => J[(2, 2)],
            Space::Spatial => J.symmetric_eigenvalues().max(),
        };
        (largest / body.inertia.mass).sqrt()
    }
}

/// Points of a shape and how far it reaches beyond each; of a plane, which has no end, the point it is written by.
fn extent(kind: &ShapeKind) -> Vec<(Vec3, f64)> {
    let corner = |pose: &Pose, x: f64, y: f64, z: f64| pose.point(&Vec3::new(x, y, z));
    match *kind {
        ShapeKind::Point { at } | ShapeKind::Plane { at, .. } => vec![(at, 0.0)],
        ShapeKind::Sphere { center, radius } | ShapeKind::Hollow { center, radius } => {
            vec![(center, radius)]
        }
        ShapeKind::Segment { start, end, .. } => vec![(start, 0.0), (end, 0.0)],
        ShapeKind::Capsule { start, end, radius } => vec![(start, radius), (end, radius)],
        ShapeKind::Box { pose, half } => {
            let signs = [-1.0, 1.0];
            let corners = signs.iter().flat_map(|x| signs.iter().map(move |y| (*x, *y)));
            corners
                .flat_map(|(x, y)| signs.iter().map(move |z| (x, y, *z)))
                .map(|(x, y, z)| (corner(&pose, x * half.x, y * half.y, z * half.z), 0.0))
                .collect()
        }
        ShapeKind::Cylinder { pose, radius, half_length } => {
            // The rims lie as far out along the radius as along the axis: their centres and the radius bound them.
            let ends = [-half_length, half_length].map(|z| corner(&pose, 0.0, 0.0, z));
            ends.map(|end| (end, radius)).to_vec()
        }
        ShapeKind::Convex { ref solid, radius } => {
            solid.vertices.iter().map(|p| (*p, radius)).collect()
        }
        ShapeKind::Profile { pose, ref curve } => {
            curve.samples.iter().map(|spot| (pose.point(&spot.at), 0.0)).collect()
        }
    }
}
