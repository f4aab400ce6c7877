//! What closes loops: scalar rows φ(q) = 0 between two bodies, or between joint coordinates.

use super::{Anchor, JointKind, Place};
use crate::maths::{Mat3, Pose, Vec3, spatial::tangents};

/// One scalar constraint.
#[derive(Clone, Debug, PartialEq)]
pub enum Row {
    /// φ = e · (p_b − p_a), with e fixed in the first body: b's point stays in a plane of a.
    InPlane {
        /// The point of the plane.
        a: Anchor,
        /// e, a unit vector in a's link frame.
        direction: Vec3,
        /// The point that stays in the plane.
        b: Anchor,
    },
    /// φ = e_a · e_b: two directions stay perpendicular.
    Perpendicular {
        /// The first body.
        a: Place,
        /// e_a in a's link frame.
        direction_a: Vec3,
        /// The second body.
        b: Place,
        /// e_b in b's link frame.
        direction_b: Vec3,
    },
    /// φ = (|p_b − p_a|² − L²) / 2L: two points stay at a distance.
    Distance {
        /// The first point.
        a: Anchor,
        /// The second point.
        b: Anchor,
        /// L \[m\].
        length: f64,
    },
    /// φ = Σ c_k q_k − offset over joint coordinates.
    Coupling {
        /// Entry of q, entry of v, coefficient.
        terms: Vec<CouplingTerm>,
        /// The constant.
        offset: f64,
    },
}

/// One term of a coupling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CouplingTerm {
    /// The body whose joint it is.
    pub body: super::BodyId,
    /// Entry of q.
    pub q: usize,
    /// Entry of v.
    pub v: usize,
    /// c.
    pub coefficient: f64,
}

/// A named set of rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Closure {
    /// Its name in the file.
    pub name: String,
    /// What it is, in the word of the file.
    pub kind: &'static str,
    /// Its rows.
    pub rows: Vec<Row>,
}

/// The rows of a joint that closes a loop, with F on `a` and M on `b` (poses in link frames).
///
/// In a planar model only the rows of the x-y plane are kept; `plane` then holds the plane's axes in
/// a's link frame, whose own z lies in the plane where a prismatic joint carries a.
pub fn joint_rows(
    kind: JointKind,
    a: (Place, Pose),
    b: (Place, Pose),
    plane: Option<&Mat3>,
) -> Vec<Row> {
    let (body_a, F) = a;
    let (body_b, M) = b;
    let axis = |pose: &Pose, k: usize| pose.rotation.column(k).into_owned();
    let in_plane = |k: usize| Row::InPlane {
        a: Anchor { body: body_a, at: F.position },
        direction: axis(&F, k),
        b: Anchor { body: body_b, at: M.position },
    };
    let perpendicular = |i: usize, j: usize| Row::Perpendicular {
        a: body_a,
        direction_a: axis(&F, i),
        b: body_b,
        direction_b: axis(&M, j),
    };
    if let Some(plane) = plane {
        let normal = plane.column(2).into_owned();
        // In the plane z is the axis of a revolute; a prismatic slides along its F's z, which
        // lies in the plane, and keeps the direction across it.
        return match kind {
            JointKind::Revolute => across_plane(plane, &F, body_a, &M, body_b),
            JointKind::Prismatic => {
                let along = axis(&F, 2);
                let across = normal.cross(&along);
                vec![
                    Row::InPlane {
                        a: Anchor { body: body_a, at: F.position },
                        direction: across,
                        b: Anchor { body: body_b, at: M.position },
                    },
                    Row::Perpendicular {
                        a: body_a,
                        direction_a: across,
                        b: body_b,
                        direction_b: axis(&M, 2),
                    },
                ]
            }
            JointKind::Weld => {
                let mut rows = across_plane(plane, &F, body_a, &M, body_b);
                let across = axis(&M, 0);
                rows.push(Row::Perpendicular {
                    a: body_a,
                    direction_a: normal.cross(&axis(&F, 0)),
                    b: body_b,
                    direction_b: across,
                });
                rows
            }
            _ => Vec::new(),
        };
    }
    match kind {
        JointKind::Weld => vec![
            in_plane(0),
            in_plane(1),
            in_plane(2),
            perpendicular(0, 2),
            perpendicular(1, 2),
            perpendicular(0, 1),
        ],
        JointKind::Revolute => {
            vec![in_plane(0), in_plane(1), in_plane(2), perpendicular(0, 2), perpendicular(1, 2)]
        }
        JointKind::Prismatic => vec![
            in_plane(0),
            in_plane(1),
            perpendicular(0, 2),
            perpendicular(1, 2),
            perpendicular(0, 1),
        ],
        JointKind::Cylindrical => {
            vec![in_plane(0), in_plane(1), perpendicular(0, 2), perpendicular(1, 2)]
        }
        JointKind::Universal => vec![in_plane(0), in_plane(1), in_plane(2), perpendicular(2, 0)],
        JointKind::Spherical => vec![in_plane(0), in_plane(1), in_plane(2)],
        JointKind::Planar => vec![in_plane(2), perpendicular(0, 2), perpendicular(1, 2)],
        JointKind::Floating => Vec::new(),
    }
}

/// Two rows that hold M's origin on F's origin in the plane.
fn across_plane(plane: &Mat3, F: &Pose, body_a: Place, M: &Pose, body_b: Place) -> Vec<Row> {
    (0..2)
        .map(|k| Row::InPlane {
            a: Anchor { body: body_a, at: F.position },
            direction: plane.column(k).into_owned(),
            b: Anchor { body: body_b, at: M.position },
        })
        .collect()
}

/// The rows that hold point `p` on the line through `a` along `direction` (a's link frame); `plane`
/// as for [`joint_rows`].
pub fn line_rows(a: Anchor, direction: &Vec3, p: Anchor, plane: Option<&Mat3>) -> Vec<Row> {
    if let Some(plane) = plane {
        let across = plane.column(2).cross(direction);
        return vec![Row::InPlane { a, direction: across, b: p }];
    }
    let (first, second) = tangents(direction);
    vec![Row::InPlane { a, direction: first, b: p }, Row::InPlane { a, direction: second, b: p }]
}

/// The rows that hold point `p` on the circle about `center` with that axis (link frame) and radius.
pub fn circle_rows(center: Anchor, axis: &Vec3, radius: f64, p: Anchor, planar: bool) -> Vec<Row> {
    let distance = Row::Distance { a: center, b: p, length: radius };
    if planar {
        return vec![distance];
    }
    vec![Row::InPlane { a: center, direction: *axis, b: p }, distance]
}
