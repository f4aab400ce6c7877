//! The mechanisms that are timed: chains, and chains of four-bar loops.

use carom::maths::spatial::rotation_by;
use carom::maths::{Mat3, Pose, Vec3};
use carom::model::parts::{
    BodyPart, ClosureKind, ClosurePart, ContactPart, ContactPlace, JointPart, PointPart,
};
use carom::model::{ContactDefaults, JointKind, Model, Parts, Space};

fn body(name: String, space: Space) -> BodyPart {
    let center = match space {
        Space::Planar => Vec3::new(0.5, 0.05, 0.0),
        Space::Spatial => Vec3::new(0.5, 0.05, -0.03),
    };
    BodyPart {
        name,
        mass: 1.3,
        center,
        inertia: Mat3::new(0.02, 0.001, 0.002, 0.001, 0.11, -0.003, 0.002, -0.003, 0.12),
        payload: false,
    }
}

/// A chain of `n` links of unit length; in space the joints' axes turn from link to link.
fn links(n: usize, space: Space) -> Parts {
    let mut parts = Parts::new(space);
    for k in 0..n {
        parts.bodies.push(body(format!("link{k}"), space));
        let mut joint =
            JointPart::new(&format!("joint{k}"), JointKind::Revolute, k.checked_sub(1), k);
        let offset = if k == 0 { Vec3::zeros() } else { Vec3::x() };
        let rotation = match space {
            Space::Planar => Mat3::identity(),
            Space::Spatial => rotation_by(&Vec3::new(1.1, 0.3, 0.2)),
        };
        joint.in_parent = Pose { rotation, position: offset };
        joint.position = Some(vec![0.3 + 0.1 * (k % 7) as f64]);
        joint.velocity = Some(vec![0.5 - 0.1 * (k % 5) as f64]);
        parts.joints.push(joint);
    }
    parts
}

/// A contact of a body's point with ground.
fn strike(parts: &mut Parts, body: usize, space: Space) {
    let normal = match space {
        Space::Planar => Vec3::new(0.6, 0.8, 0.0),
        Space::Spatial => Vec3::new(0.48, 0.64, 0.6),
    };
    parts.contacts.push(ContactPart {
        name: "strike".to_owned(),
        place: ContactPlace::Points {
            a: PointPart { body: None, at: Vec3::zeros() },
            b: PointPart { body: Some(body), at: Vec3::x() },
            normal_in: None,
            normal,
        },
        defaults: ContactDefaults::default(),
    });
}

/// A chain of `n` revolute joints whose tip strikes ground.
pub fn chain(n: usize, space: Space) -> Option<Model> {
    Model::new(&chain_parts(n, space)).ok()
}

/// The parts of such a chain.
pub fn chain_parts(n: usize, space: Space) -> Parts {
    let mut parts = links(n, space);
    strike(&mut parts, n - 1, space);
    parts
}

/// A binary tree of `n` spatial links; its last one strikes ground.
pub fn tree_parts(n: usize) -> Parts {
    let mut parts = links(n, Space::Spatial);
    for (k, joint) in parts.joints.iter_mut().enumerate().skip(1) {
        joint.parent = Some((k - 1) / 2);
    }
    strike(&mut parts, n - 1, Space::Spatial);
    parts
}

/// `n` planar four-bar loops; each stands on the rocker of the one before.
pub fn four_bars(n: usize) -> Option<Model> {
    let mut parts = Parts::new(Space::Planar);
    let mut base = None;
    for k in 0..n {
        let first = parts.bodies.len();
        for name in ["crank", "coupler", "rocker"] {
            parts.bodies.push(body(format!("{name}{k}"), Space::Planar));
        }
        // A parallelogram of unit links: crank and rocker at angle a, coupler parallel to the base.
        let a = 1.0 + 0.1 * (k % 5) as f64;
        let pin = |name: &str, parent, child: usize, at: f64, angle: f64| {
            let mut joint =
                JointPart::new(&format!("{name}{k}"), JointKind::Revolute, parent, child);
            joint.in_parent.position = Vec3::x() * at;
            joint.position = Some(vec![angle]);
            joint
        };
        parts.joints.push(pin("drive", base, first, 0.0, a));
        parts.joints.push(pin("elbow", Some(first), first + 1, 1.0, -a));
        parts.joints.push(pin("pivot", base, first + 2, 1.0, a));
        let end = |b: usize| (Some(b), Pose::translation(Vec3::x()));
        parts.closures.push(ClosurePart {
            name: format!("close{k}"),
            kind: ClosureKind::Joint {
                kind: JointKind::Revolute,
                a: end(first + 1),
                b: end(first + 2),
            },
        });
        base = Some(first + 2);
    }
    let last = parts.bodies.len() - 1;
    strike(&mut parts, last, Space::Planar);
    Model::new(&parts).ok()
}
