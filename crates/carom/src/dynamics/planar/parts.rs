//! A model's joints and bodies as the plane sees them.

use super::super::layout::ColumnShape;
use super::super::mechanism::free_columns;
use super::LinkId;
use super::inertia::PlanarWrench;
use crate::maths::plane::Vec2;
use crate::maths::{Mat3, Vec3};
use crate::model::{JointKind, Model};

/// What leaves the plane by less than this \[m\], or as a part of a unit vector, is round-off.
const ROUND_OFF: f64 = 1e-12;

/// A vector of the plane; none if it leaves it.
pub(super) fn flat(a: &Vec3) -> Option<Vec2> {
    (a.z.abs() <= ROUND_OFF * (1.0 + a.norm())).then(|| a.xy())
}

/// What a joint of the plane lets move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PlanarJoint {
    Nothing,
    /// About z or −z.
    Turn(f64),
    /// Along an axis in the parent's axes.
    Slide(Vec2),
    /// Along two axes in the parent's axes, then about z or −z.
    Free([Vec2; 2], f64),
}

/// A joint and the body it carries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hinge {
    pub motion: PlanarJoint,
    /// Among the links.
    pub parent: usize,
    /// Its first entry in q and v, which are numbered alike.
    pub first: usize,
    /// F in the parent's axes.
    pub shift: Vec2,
    pub mass: f64,
    /// Mass centre in the body's axes.
    pub center: Vec2,
    /// About the link origin.
    pub J: f64,
}

/// A velocity column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub shape: ColumnShape,
    /// Sense of a rotation.
    pub sign: f64,
    /// Axis of a translation in world axes.
    pub axis: Vec2,
    /// U = I S.
    pub U: PlanarWrench,
    /// 1/D; zero on a column that does not move.
    pub inverse_D: f64,
    /// What pushes along the column, less what its children take.
    pub excess: f64,
    /// What acts in the joint itself.
    pub effort: f64,
    /// v̇: given where the column is not free, found where it is.
    pub acceleration: f64,
}

/// All of it.
pub(super) struct Parts {
    pub hinges: Vec<Hinge>,
    pub columns: Vec<Column>,
    pub tilts: Vec<Mat3>,
}

impl Parts {
    pub fn new(model: &Model) -> Option<Self> {
        let free = free_columns(model);
        let n = model.bodies.len();
        let mut out = Self {
            hinges: Vec::with_capacity(n),
            columns: Vec::with_capacity(model.nv),
            tilts: Vec::with_capacity(n + 1),
        };
        out.tilts.push(Mat3::identity());
        for body in &model.bodies {
            let joint = &body.joint;
            let parent = LinkId::of(body.parent).0;
            let above = out.tilts[parent];
            // R_link = (turn by the angles so far) · tilt, since a turn about ±z of F is one about ±z of the world:
            // R_F Rz(q) = Rz(±q) R_F.
            let tilt = above * joint.in_parent.rotation;
            let motion = motion(joint.kind, &tilt)?;
            // In the plane every coordinate's rate is its velocity.
            if joint.q != joint.v {
                return None;
            }
            for c in 0..joint.kind.velocities() {
                let shape = ColumnShape::new(body, c, free[joint.v + c]);
                let sign = match motion {
                    PlanarJoint::Turn(sign) | PlanarJoint::Free(_, sign) => sign,
                    PlanarJoint::Nothing | PlanarJoint::Slide(_) => 0.0,
                };
                out.columns.push(Column {
                    shape,
                    sign,
                    axis: Vec2::zeros(),
                    U: PlanarWrench::zero(),
                    inverse_D: 0.0,
                    excess: 0.0,
                    effort: 0.0,
                    acceleration: 0.0,
                });
            }
            let I = &body.inertia;
            out.hinges.push(Hinge {
                motion,
                parent,
                first: joint.v,
                shift: flat(&(above * joint.in_parent.position))?,
                mass: I.mass,
                center: flat(&(tilt * I.center))?,
                J: (tilt * I.about_origin * tilt.transpose())[(2, 2)],
            });
            out.tilts.push(tilt);
        }
        Some(out)
    }
}

/// What a joint lets move, F being tilted so in the parent's axes; none if it leaves the plane.
fn motion(kind: JointKind, tilt: &Mat3) -> Option<PlanarJoint> {
    let [x, y, z] = [0, 1, 2].map(|k| tilt.column(k).into_owned());
    let upright = |z: &Vec3| (z.xy().norm() <= ROUND_OFF).then_some(z.z.signum());
    match kind {
        JointKind::Weld => Some(PlanarJoint::Nothing),
        JointKind::Revolute => Some(PlanarJoint::Turn(upright(&z)?)),
        JointKind::Prismatic => Some(PlanarJoint::Slide(flat(&z)?)),
        JointKind::Planar => Some(PlanarJoint::Free([flat(&x)?, flat(&y)?], upright(&z)?)),
        _ => None,
    }
}
