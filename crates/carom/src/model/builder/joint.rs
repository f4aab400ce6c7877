//! `[joints]`: the tree.

use super::Builder;
use super::clearance::{freed_frame, freed_kind, freed_positions, freed_velocities};
use super::finding::{Caution, Mistake, Warning};
use super::keys::JOINT;
use super::reader::{Place, item};
use crate::maths::spatial::{rotation_by, rotation_from_z};
use crate::maths::units::Dimension;
use crate::maths::{Mat3, Pose, Vec3};
use crate::model::contact::{Friction, FrictionKind};
use crate::model::description::{Node, Value};
use crate::model::parts::{JointPart, PartPlace};
use crate::model::{JointFriction, JointKind};

/// A quaternion whose length differs from 1 by more is noted: typed ones have a few digits.
const UNIT_LENGTH: f64 = 1e-3;
/// A speed below this has no square: √ of the smallest normal number of 64 bits. Below it ½ m v² loses its digits.
const LEAST_SPEED: f64 = 1.5e-154;
/// Largest cosine between the axes of a universal joint; what more digits would write.
const PERPENDICULAR: f64 = 1e-6;

impl<'d> Builder<'d> {
    pub(super) fn read_joints(&mut self) {
        let joints = self.named("joints");
        for (name, place) in &joints {
            let part = self.read_joint(name, place);
            let known = part.as_ref().map(|p| (self.parts.joints.len(), self.in_space(p.kind)));
            self.joints.insert(name, known);
            self.parts.joints.extend(part);
        }
    }

    /// In a planar model free motion is motion in the plane.
    fn in_space(&self, kind: JointKind) -> JointKind {
        if self.planar && kind == JointKind::Floating { JointKind::Planar } else { kind }
    }

    fn read_joint(&mut self, name: &str, place: &Place<'d>) -> Option<JointPart> {
        let (word, _) = self.section(place, std::slice::from_ref(&JOINT))?;
        let kind = joint_kind(word)?;
        let frames = self.frames(place, kind);
        let clearance = self.clearance(place, kind);
        let plays = place.table.get("clearance").is_some();
        let coordinates = if plays { freed_kind(self.planar) } else { self.in_space(kind) };
        let planar = self.planar;
        // A joint with a clearance may be placed as if it had none.
        let stated = |key: &str| {
            let count = values(place, key).map_or(0, |(_, nodes, _)| nodes.len());
            let own = count == kind.positions() || kind.quaternion().is_some() && count == 3;
            if plays && own { kind } else { coordinates }
        };
        let freed = |key: &str, q: Vec<f64>| {
            if stated(key) == coordinates { q } else { freed_positions(kind, planar, &q) }
        };
        let position = self.positions(place, "position", stated("position"));
        let position = position.map(|q| freed("position", q));
        let guess = self.positions(place, "guess", stated("guess")).map(|q| freed("guess", q));
        let angular = |k: usize| coordinates.is_angular(k);
        let moves = match values(place, "velocity") {
            Some((_, nodes, _)) if plays && nodes.len() == kind.velocities() => kind,
            _ => coordinates,
        };
        let velocity = self.per_velocity(place, "velocity", moves, |k| {
            if moves.is_angular(k) { Dimension::ANGULAR_VELOCITY } else { Dimension::VELOCITY }
        });
        let velocity = velocity
            .map(|v| if moves == coordinates { v } else { freed_velocities(kind, planar, &v) });
        let tiny = velocity.iter().flatten().find(|v| **v != 0.0 && v.abs() < LEAST_SPEED);
        if let (Some(&found), Some((node, path))) = (tiny, place.get("velocity")) {
            let (origin, caution) = (Some(node.origin.clone()), Caution::Underflows { found });
            self.warnings.push(Warning { path, origin, caution });
        }
        let rotor = self.per_velocity(place, "rotor", coordinates, |k| {
            if angular(k) { Dimension::INERTIA } else { Dimension::MASS }
        });
        let locked = match place.get("locked") {
            Some((node, path)) => self.boolean(node, &path)?,
            None => false,
        };
        let (parent, child) = self.connects(place)?;
        let Some(child) = child else {
            let (node, path) = place.get("connects")?;
            let why = "a joint carries its second body, which cannot be ground: write ground first";
            self.note(&path, Some(&node.origin), Mistake::Conflict(why.to_owned()));
            return None;
        };
        let (in_parent, in_child) = frames?;
        if plays {
            let sides = [(parent, in_parent), (Some(child), in_child)];
            self.add_clearance(place, (name, kind), &clearance?, [&sides[0], &sides[1]]);
        }
        let [in_parent, in_child] = [in_parent, in_child]
            .map(|frame| if plays { freed_frame(kind, &frame) } else { frame });
        let kept = if plays { coordinates } else { kind };
        let mut part = JointPart::new(name, kept, parent, child);
        part.in_parent = in_parent;
        part.in_child = in_child;
        part.position = position;
        part.guess = guess;
        part.velocity = velocity;
        part.rotor = rotor.unwrap_or_default();
        part.locked = locked;
        if !plays {
            part.friction = self.joint_friction(place, kind);
        }
        self.read_limits(place, coordinates, &mut part);
        Some(part)
    }

    /// Friction that grows with the reaction.
    fn joint_friction(&mut self, place: &Place<'d>, kind: JointKind) -> Option<JointFriction> {
        let Some((node, path)) = place.get("friction") else {
            for key in ["radius", "guide"] {
                if let Some((node, path)) = place.get(key) {
                    let why = "this key goes with `friction`";
                    self.note(&path, Some(&node.origin), Mistake::Conflict(why.to_owned()));
                }
            }
            return None;
        };
        let (own, other) = match kind {
            JointKind::Revolute => ("radius", "guide"),
            JointKind::Prismatic => ("guide", "radius"),
            _ => {
                let why = "only revolute and prismatic joints have friction";
                self.note(&path, Some(&node.origin), Mistake::Conflict(why.to_owned()));
                return None;
            }
        };
        if let Some((node, path)) = place.get(other) {
            let why = format!("a {} joint has no `{other}`", kind.name());
            self.note(&path, Some(&node.origin), Mistake::Conflict(why));
        }
        let law = self.friction(node, &path)?;
        let bends = matches!(law, Friction::Law(p) if matches!(p.kind, FrictionKind::LuGre | FrictionKind::Bristle));
        if law == Friction::Stick || bends {
            let why = "the friction of a joint is a coefficient, \"coulomb\" or \"stribeck\"";
            self.note(&path, Some(&node.origin), Mistake::Conflict(why.to_owned()));
            return None;
        }
        let length = match place.get(own) {
            Some((node, path)) => {
                let length = self.quantity(node, &path, Dimension::LENGTH)?;
                Some(self.in_range(node, &path, length, length > 0.0, "a positive length [m]")?)
            }
            None => None,
        };
        if kind == JointKind::Prismatic {
            return Some(JointFriction { law, radius: None, guide: length });
        }
        if length.is_none() {
            let doc = "of the pin [m]: its friction acts on this arm";
            self.note(&place.path, place.origin, Mistake::Missing { key: "radius", doc });
            return None;
        }
        Some(JointFriction { law, radius: length, guide: None })
    }

    /// The two bodies at `connects`.
    pub(super) fn connects(&mut self, place: &Place<'d>) -> Option<(PartPlace, PartPlace)> {
        let (node, path) = place.get("connects")?;
        let [a, b] = self.pair(node, &path)?;
        let (a, b) = (self.body(a, &item(&path, 0)), self.body(b, &item(&path, 1)));
        Some((a?, b?))
    }

    /// The two points at `at`; the origins if it is missing.
    pub(super) fn two_points(&mut self, place: &Place<'d>) -> Option<(Vec3, Vec3)> {
        let Some((node, path)) = place.get("at") else {
            return Some((Vec3::zeros(), Vec3::zeros()));
        };
        let [a, b] = self.pair(node, &path)?;
        let a = self.vector(a, &item(&path, 0), Dimension::LENGTH);
        let b = self.vector(b, &item(&path, 1), Dimension::LENGTH);
        Some((a?, b?))
    }

    /// F in the first body and M in the second.
    pub(super) fn frames(&mut self, place: &Place<'d>, kind: JointKind) -> Option<(Pose, Pose)> {
        let points = self.two_points(place);
        let turned = self.two_orientations(place);
        let axes = self.axes(place, kind);
        let ((p, c), (R_p, R_c), axes) = (points?, turned?, axes?);
        Some((
            Pose { rotation: R_p * axes, position: p },
            Pose { rotation: R_c * axes, position: c },
        ))
    }

    fn two_orientations(&mut self, place: &Place<'d>) -> Option<(Mat3, Mat3)> {
        let Some((node, path)) = place.get("orientation") else {
            return Some((Mat3::identity(), Mat3::identity()));
        };
        let [a, b] = self.pair(node, &path)?;
        let a = self.orientation(a, &item(&path, 0));
        let b = self.orientation(b, &item(&path, 1));
        Some((a?, b?))
    }

    /// Roll, pitch, yaw about fixed axes; one angle in the plane.
    pub(super) fn orientation(&mut self, node: &'d Node, path: &str) -> Option<Mat3> {
        if self.planar {
            let angle = self.quantity(node, path, Dimension::ANGLE)?;
            return Some(rotation_by(&(Vec3::z() * angle)));
        }
        let list = self.list(node, path)?;
        if list.len() != 3 {
            return self.wrong_count(node, path, list.len(), "3", " (roll, pitch, yaw)");
        }
        let x = self.quantities(list, path, |_| Dimension::ANGLE)?;
        Some(roll_pitch_yaw(&x))
    }

    /// The axes of F and M in the joint's frame; z is the joint's axis.
    fn axes(&mut self, place: &Place<'d>, kind: JointKind) -> Option<Mat3> {
        let Some((node, path)) = place.get("axis") else {
            // Across the plane nothing slides: a planar slide goes along x.
            return Some(match kind {
                JointKind::Prismatic if self.planar => rotation_from_z(&Vec3::x()),
                _ => Mat3::identity(),
            });
        };
        let has_axis = match kind {
            JointKind::Prismatic => true,
            JointKind::Revolute
            | JointKind::Cylindrical
            | JointKind::Universal
            | JointKind::Planar => !self.planar,
            JointKind::Weld | JointKind::Spherical | JointKind::Floating => false,
        };
        if !has_axis {
            let space = if self.planar { " in a planar model" } else { "" };
            let why = format!("a {} joint has no axis to choose{space}", kind.name());
            self.note(&path, Some(&node.origin), Mistake::Conflict(why));
            return None;
        }
        if kind != JointKind::Universal {
            return Some(rotation_from_z(&self.direction(node, &path, "axis")?));
        }
        let [a, b] = self.pair(node, &path)?;
        let first = self.direction(a, &item(&path, 0), "axis");
        let second = self.direction(b, &item(&path, 1), "axis");
        let (z, x) = (first?, second?);
        if z.dot(&x).abs() > PERPENDICULAR {
            let angle = z.dot(&x).clamp(-1.0, 1.0).acos().to_degrees();
            let why = format!(
                "the axes of a universal joint are perpendicular; these make an angle of {angle:.4}°"
            );
            self.note(&path, Some(&node.origin), Mistake::Conflict(why));
            return None;
        }
        let y = z.cross(&x).normalize();
        Some(Mat3::from_columns(&[y.cross(&z), y, z]))
    }

    /// One number per velocity of the joint.
    fn per_velocity(
        &mut self,
        place: &Place<'d>,
        key: &str,
        kind: JointKind,
        dimension: impl Fn(usize) -> Dimension,
    ) -> Option<Vec<f64>> {
        let (node, nodes, path) = values(place, key)?;
        let wanted = kind.velocities();
        if nodes.len() != wanted {
            let why = format!(" of a {} joint", kind.name());
            return self.wrong_count(node, &path, nodes.len(), &wanted.to_string(), &why);
        }
        self.numbers(node, nodes, &path, dimension)
    }

    /// Like [`Builder::quantities`], with the path of the key itself for a lone number.
    fn numbers(
        &mut self,
        node: &'d Node,
        nodes: &'d [Node],
        path: &str,
        dimension: impl Fn(usize) -> Dimension,
    ) -> Option<Vec<f64>> {
        if let [only] = nodes
            && std::ptr::eq(only, node)
        {
            return Some(vec![self.quantity(only, path, dimension(0))?]);
        }
        self.quantities(nodes, path, dimension)
    }

    /// Positions; a rotation in space is a quaternion or three angles.
    fn positions(&mut self, place: &Place<'d>, key: &str, kind: JointKind) -> Option<Vec<f64>> {
        let (node, nodes, path) = values(place, key)?;
        let turning = match kind {
            JointKind::Spherical => Some(0),
            JointKind::Floating => Some(3),
            _ => None,
        };
        let wanted = kind.positions();
        let angles = turning.is_some() && nodes.len() == wanted - 1;
        if nodes.len() != wanted && !angles {
            let why = format!(" of a {} joint", kind.name());
            let expected = match turning {
                Some(_) => format!("{wanted} (a quaternion) or {} (angles)", wanted - 1),
                None => wanted.to_string(),
            };
            return self.wrong_count(node, &path, nodes.len(), &expected, &why);
        }
        let first = turning.unwrap_or(usize::MAX);
        let mut q = self.numbers(node, nodes, &path, |k| match turning {
            Some(_) if k >= first && angles => Dimension::ANGLE,
            Some(_) if k >= first => Dimension::NONE,
            None if kind.is_angular(k) => Dimension::ANGLE,
            _ => Dimension::LENGTH,
        })?;
        let Some(first) = turning else { return Some(q) };
        if angles {
            let quaternion = quaternion_of(&q[first..]);
            q.truncate(first);
            q.extend(quaternion);
        } else if q[first..].iter().all(|x| *x == 0.0) {
            let mistake = Mistake::NoDirection { what: "quaternion" };
            self.note(&path, Some(&node.origin), mistake);
            return None;
        } else {
            let length = q[first..].iter().map(|x| x * x).sum::<f64>().sqrt();
            if (length - 1.0).abs() > UNIT_LENGTH {
                let origin = Some(node.origin.clone());
                self.warnings.push(Warning { path, origin, caution: Caution::NotUnit { length } });
            }
        }
        Some(q)
    }
}

/// The node of a key and its numbers: one, or those of a list.
fn values<'d>(place: &Place<'d>, key: &str) -> Option<(&'d Node, &'d [Node], String)> {
    let (node, path) = place.get(key)?;
    Some(match &node.value {
        Value::List(list) => (node, list.as_slice(), path),
        _ => (node, std::slice::from_ref(node), path),
    })
}

/// The kind of that word.
pub(super) fn joint_kind(word: &str) -> Option<JointKind> {
    JointKind::ALL.into_iter().find(|k| k.name() == word)
}

/// R_z(yaw) R_y(pitch) R_x(roll).
fn roll_pitch_yaw(angles: &[f64]) -> Mat3 {
    rotation_by(&(Vec3::z() * angles[2]))
        * rotation_by(&(Vec3::y() * angles[1]))
        * rotation_by(&(Vec3::x() * angles[0]))
}

/// The quaternion (w, x, y, z) of roll, pitch, yaw about fixed axes.
fn quaternion_of(angles: &[f64]) -> [f64; 4] {
    let [(s1, c1), (s2, c2), (s3, c3)] =
        [angles[0], angles[1], angles[2]].map(|a| (a / 2.0).sin_cos());
    [
        c1 * c2 * c3 + s1 * s2 * s3,
        s1 * c2 * c3 - c1 * s2 * s3,
        c1 * s2 * c3 + s1 * c2 * s3,
        c1 * c2 * s3 - s1 * s2 * c3,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::joint::quaternion_rotation;

    #[test]
    fn angles_and_their_quaternion_are_one_rotation() {
        for angles in [[0.3, -0.7, 1.9], [2.0, 0.1, -3.0], [0.0, 0.0, 0.5]] {
            let difference = quaternion_rotation(&quaternion_of(&angles)) - roll_pitch_yaw(&angles);
            assert!(difference.norm() < 1e-14, "{angles:?}");
        }
    }
}
