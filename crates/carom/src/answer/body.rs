//! What the answers say of bodies.

use schemars::JsonSchema;
use serde::Serialize;

use super::components;
use crate::dynamics::Posture;
use crate::maths::Twist;
use crate::maths::digits::{ROUND_OFF, clean};
use crate::model::Body;

/// The velocities of a body, in world axes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BodyVelocity {
    /// The body.
    pub name: String,
    /// Of its mass centre \[m/s\].
    pub center_velocity: [f64; 3],
    /// \[rad/s\].
    pub angular_velocity: [f64; 3],
}

impl BodyVelocity {
    /// Of all bodies in the state of a posture.
    pub fn all(at: &Posture<'_>) -> Vec<Self> {
        Self::of(
            at,
            &at.frames().links().iter().map(crate::kinematics::Link::twist).collect::<Vec<_>>(),
        )
    }

    /// Of all bodies at other joint velocities in the same pose.
    pub fn after(at: &Posture<'_>, v: &[f64]) -> Vec<Self> {
        Self::of(at, &at.twists(v))
    }

    fn of(at: &Posture<'_>, twists: &[Twist]) -> Vec<Self> {
        let links = at.frames().links();
        let one = |((body, link), twist): ((&Body, _), &Twist)| {
            let link: &crate::kinematics::Link = link;
            Self {
                name: body.name.clone(),
                center_velocity: components(&twist.at(&(link.rotation() * body.inertia.center))),
                angular_velocity: components(&twist.ang),
            }
        };
        at.model().bodies.iter().zip(links).zip(twists).map(one).collect()
    }
}

/// The mass centre in the body's own frame; what cancels on the way back from the joint's frame is zero.
pub(super) fn own_center(body: &Body) -> [f64; 3] {
    let size = body.inertia.center.norm() + body.frame.position.norm();
    components(&body.frame.inverse().point(&body.inertia.center)).map(|x| clean(x, size))
}

/// Ixx Iyy Izz Ixy Ixz Iyz about the mass centre, in the body's own axes; what cancels on the way back from the inertia about the
/// joint is zero.
pub(super) fn own_inertia(body: &Body) -> [f64; 6] {
    let rotation = &body.frame.rotation;
    let tensor = rotation.transpose() * body.inertia.central() * rotation;
    let size = body.inertia.about_origin.amax();
    // A sum of two terms: what cancels is a few units in the last place, far less than after a long computation.
    let least = 0.01 * ROUND_OFF * size;
    [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)]
        .map(|k| if tensor[k].abs() <= least { 0.0 } else { tensor[k] })
}
