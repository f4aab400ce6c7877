//! `[loads]` and `[drives]`.

use super::Builder;
use super::finding::Mistake;
use super::keys::{DRIVE, LOADS};
use super::reader::Place;
use crate::maths::Vec3;
use crate::maths::expression::{Scope, Tape};
use crate::maths::units::Dimension;
use crate::model::description::Node;
use crate::model::parts::{DrivePart, LoadKind, LoadPart, PointPart};

impl<'d> Builder<'d> {
    pub(super) fn read_loads(&mut self) {
        for (name, place) in self.named("loads") {
            if let Some(kind) = self.read_load(&place) {
                self.parts.loads.push(LoadPart { name: name.to_owned(), kind });
            }
        }
    }

    fn read_load(&mut self, place: &Place<'d>) -> Option<LoadKind> {
        let (word, _) = self.section(place, &LOADS)?;
        match word {
            "spring" => self.spring(place),
            "joint-spring" => self.joint_spring(place),
            "force" => {
                let in_body = self.in_body(place);
                let components = place
                    .get("force")
                    .and_then(|(node, path)| self.components(node, &path, Dimension::FORCE));
                let at = self.point_of_action(place)?;
                Some(LoadKind::Force { at, components: components?, in_body: in_body? })
            }
            "torque" => {
                let in_body = self.in_body(place);
                let components = place.get("torque").and_then(|(node, path)| {
                    if self.planar {
                        let z = self.tape(node, &path, Scope::Motion, Dimension::ENERGY)?;
                        return Some([Tape::constant(0.0), Tape::constant(0.0), z]);
                    }
                    self.components(node, &path, Dimension::ENERGY)
                });
                let (node, path) = place.get("body")?;
                let Some(body) = self.body(node, &path)? else {
                    return self.loads_ground(node, &path);
                };
                Some(LoadKind::Torque { body, components: components?, in_body: in_body? })
            }
            // The list of sections ends with the effort.
            _ => {
                let (joint, coordinate, kind) = self.joint_coordinate(place, false)?;
                let (node, path) = place.get("effort")?;
                let expected =
                    if kind.is_angular(coordinate) { Dimension::ENERGY } else { Dimension::FORCE };
                let effort = self.tape(node, &path, Scope::Motion, expected)?;
                Some(LoadKind::Effort { joint, coordinate, effort })
            }
        }
    }

    fn loads_ground<T>(&mut self, node: &Node, path: &str) -> Option<T> {
        let why = "the ground does not move under a load; name a body".to_owned();
        self.note(path, Some(&node.origin), Mistake::Conflict(why));
        None
    }

    fn in_body(&mut self, place: &Place<'d>) -> Option<bool> {
        match place.get("frame") {
            Some((node, path)) => {
                self.choice(node, &path, &["world", "body"], "frame").map(|k| k == 1)
            }
            None => Some(false),
        }
    }

    /// As many expressions as the space has directions.
    fn components(&mut self, node: &'d Node, path: &str, expected: Dimension) -> Option<[Tape; 3]> {
        let list = self.list(node, path)?;
        if !self.counts_directions(node, path, list.len()) {
            return None;
        }
        let mut out = [Tape::constant(0.0), Tape::constant(0.0), Tape::constant(0.0)];
        let mut sound = true;
        for (k, (out, node)) in out.iter_mut().zip(list).enumerate() {
            match self.tape(node, &format!("{path}.{k}"), Scope::Motion, expected) {
                Some(tape) => *out = tape,
                None => sound = false,
            }
        }
        sound.then_some(out)
    }

    /// `marker`, or `body` and `at`.
    fn point_of_action(&mut self, place: &Place<'d>) -> Option<PointPart> {
        match (place.get("marker"), place.get("body")) {
            (Some((node, path)), None) => {
                let point = self.marker_point(node, &path)?;
                if let Some((node, path)) = place.get("at") {
                    let why = "`at` goes with `body`, not with `marker`".to_owned();
                    self.note(&path, Some(&node.origin), Mistake::Conflict(why));
                }
                if point.body.is_none() {
                    return self.loads_ground(node, &path);
                }
                Some(point)
            }
            (None, Some((node, path))) => {
                let at = match place.get("at") {
                    Some((node, path)) => self.vector(node, &path, Dimension::LENGTH),
                    None => Some(Vec3::zeros()),
                };
                let body = self.body(node, &path)?;
                if body.is_none() {
                    return self.loads_ground(node, &path);
                }
                Some(PointPart { body, at: at? })
            }
            (Some(_), Some((node, path))) => {
                let why = "write `marker`, or `body` and `at`, not both".to_owned();
                self.note(&path, Some(&node.origin), Mistake::Conflict(why));
                None
            }
            (None, None) => {
                let doc = "where the force acts (or `marker`)";
                self.note(&place.path, place.origin, Mistake::Missing { key: "body", doc });
                None
            }
        }
    }

    /// The point of a marker.
    pub(super) fn marker_point(&mut self, node: &'d Node, path: &str) -> Option<PointPart> {
        let name = self.text(node, path)?;
        let marker = self.marker((path, &node.origin), name)?;
        Some(self.parts.markers[marker].point)
    }

    fn spring(&mut self, place: &Place<'d>) -> Option<LoadKind> {
        let per_length = Dimension::FORCE.per(Dimension::LENGTH);
        let (stiffness, damping) =
            self.stiffness_damping(place, per_length, Dimension::FORCE.per(Dimension::VELOCITY));
        let rest = match place.get("length") {
            Some((node, path)) => {
                let length = self.quantity(node, &path, Dimension::LENGTH)?;
                self.in_range(node, &path, length, length >= 0.0, "a free length of at least 0 [m]")
            }
            None if place.table.get("stiffness").is_some() => {
                let doc = "the free length [m] of the spring";
                self.note(&place.path, place.origin, Mistake::Missing { key: "length", doc });
                None
            }
            None => Some(0.0),
        };
        let ends = match (place.get("between"), place.get("connects")) {
            (Some((node, path)), None) => {
                if let Some((node, path)) = place.get("at") {
                    let why = "`at` goes with `connects`, not with `between`".to_owned();
                    self.note(&path, Some(&node.origin), Mistake::Conflict(why));
                }
                let [a, b] = self.pair(node, &path)?;
                let a = self.marker_point(a, &format!("{path}.0"));
                let b = self.marker_point(b, &format!("{path}.1"));
                a.zip(b)
            }
            (None, Some(_)) => self.two_ends(place),
            (Some((node, path)), Some(_)) => {
                let why = "write `between` or `connects`, not both".to_owned();
                self.note(&path, Some(&node.origin), Mistake::Conflict(why));
                None
            }
            (None, None) => {
                let doc = "the two bodies (or `between` with two markers)";
                self.note(&place.path, place.origin, Mistake::Missing { key: "connects", doc });
                None
            }
        };
        let (a, b) = ends?;
        Some(LoadKind::Spring { a, b, stiffness: stiffness?, damping: damping?, rest: rest? })
    }

    fn joint_spring(&mut self, place: &Place<'d>) -> Option<LoadKind> {
        let (joint, coordinate, kind) = self.joint_coordinate(place, true)?;
        let angular = kind.is_angular(coordinate);
        let (effort, position) = if angular {
            (Dimension::ENERGY, Dimension::ANGLE)
        } else {
            (Dimension::FORCE, Dimension::LENGTH)
        };
        let stiffness = effort.per(position);
        let (stiffness, damping) =
            self.stiffness_damping(place, stiffness, stiffness.times(Dimension::TIME));
        let rest = match place.get("rest") {
            Some((node, path)) => self.quantity(node, &path, position)?,
            None => 0.0,
        };
        let (stiffness, damping) = (stiffness?, damping?);
        Some(LoadKind::JointSpring { joint, coordinate, stiffness, damping, rest })
    }

    /// Both default to zero, but one of them has to be there.
    fn stiffness_damping(
        &mut self,
        place: &Place<'d>,
        stiffness: Dimension,
        damping: Dimension,
    ) -> (Option<f64>, Option<f64>) {
        if place.table.get("stiffness").is_none() && place.table.get("damping").is_none() {
            let doc = "a spring needs a stiffness, a damping, or both";
            self.note(&place.path, place.origin, Mistake::Missing { key: "stiffness", doc });
        }
        let mut read = |key: &str, dimension, expected| match place.get(key) {
            Some((node, path)) => {
                let x = self.quantity(node, &path, dimension)?;
                self.in_range(node, &path, x, x >= 0.0, expected)
            }
            None => Some(0.0),
        };
        let k = read("stiffness", stiffness, "a stiffness of at least 0");
        (k, read("damping", damping, "a damping of at least 0"))
    }

    pub(super) fn read_drives(&mut self) {
        for (name, place) in self.named("drives") {
            self.check_keys(&place, &DRIVE);
            let Some((joint, coordinate, kind)) = self.joint_coordinate(&place, true) else {
                continue;
            };
            let Some((node, path)) = place.get("motion") else { continue };
            let angular = kind.is_angular(coordinate);
            let expected = if angular { Dimension::ANGLE } else { Dimension::LENGTH };
            if let Some(motion) = self.tape(node, &path, Scope::Time, expected) {
                let name = name.to_owned();
                self.parts.drives.push(DrivePart { name, joint, coordinate, motion });
            }
        }
    }
}
