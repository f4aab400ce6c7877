//! `[closures]`: what closes loops or couples joints.

use super::Builder;
use super::finding::Mistake;
use super::joint::joint_kind;
use super::keys::CLOSURES;
use super::names::coordinate;
use super::reader::{Place, joined};
use crate::maths::Vec3;
use crate::maths::units::Dimension;
use crate::model::JointKind;
use crate::model::parts::{ClosureKind, ClosurePart, PointPart};

impl<'d> Builder<'d> {
    pub(super) fn read_closures(&mut self) {
        for (name, place) in self.named("closures") {
            if let Some(kind) = self.read_closure(name, &place) {
                self.parts.closures.push(ClosurePart { name: name.to_owned(), kind });
            }
        }
    }

    /// None where it has a fault, and where its clearance replaces it.
    fn read_closure(&mut self, name: &str, place: &Place<'d>) -> Option<ClosureKind> {
        let (word, _) = self.section(place, &CLOSURES)?;
        match word {
            "distance" => {
                let length = self.quantity_at(place, "length", Dimension::LENGTH);
                let (a, b) = self.two_ends(place)?;
                Some(ClosureKind::Distance { a, b, length: length? })
            }
            "point-on-line" => {
                let direction = place
                    .get("direction")
                    .and_then(|(node, path)| self.direction(node, &path, "direction"));
                let (line, point) = self.two_ends(place)?;
                Some(ClosureKind::PointOnLine { line, direction: direction?, point })
            }
            "point-on-circle" => {
                let radius = self.quantity_at(place, "radius", Dimension::LENGTH);
                let axis = self.circle_axis(place);
                let (center, point) = self.two_ends(place)?;
                Some(ClosureKind::PointOnCircle { center, axis: axis?, radius: radius?, point })
            }
            "coupling" => self.coupling(place),
            word => {
                let kind = joint_kind(word)?;
                if kind == JointKind::Floating {
                    let (node, path) = place.get("type")?;
                    let why = "a floating joint constrains nothing and closes no loop".to_owned();
                    self.note(&path, Some(&node.origin), Mistake::Conflict(why));
                    return None;
                }
                let frames = self.frames(place, kind);
                let clearance = self.clearance(place, kind);
                let (a, b) = self.connects(place)?;
                let (in_a, in_b) = frames?;
                if place.table.get("clearance").is_none() {
                    for (node, path) in ["radius", "guide"].iter().filter_map(|key| place.get(key))
                    {
                        let why = "of a closing joint it goes with its `clearance`".to_owned();
                        self.note(&path, Some(&node.origin), Mistake::Conflict(why));
                    }
                } else {
                    let sides = [(a, in_a), (b, in_b)];
                    self.add_clearance(place, (name, kind), &clearance?, [&sides[0], &sides[1]]);
                    return None;
                }
                Some(ClosureKind::Joint { kind, a: (a, in_a), b: (b, in_b) })
            }
        }
    }

    /// `connects` and `at` as two points.
    pub(super) fn two_ends(&mut self, place: &Place<'d>) -> Option<(PointPart, PointPart)> {
        let points = self.two_points(place);
        let (a, b) = self.connects(place)?;
        let (at_a, at_b) = points?;
        Some((PointPart { body: a, at: at_a }, PointPart { body: b, at: at_b }))
    }

    fn circle_axis(&mut self, place: &Place<'d>) -> Option<Vec3> {
        let Some((node, path)) = place.get("axis") else { return Some(Vec3::z()) };
        if self.planar {
            let why = "in a planar model the axis of a circle is z; leave it out".to_owned();
            self.note(&path, Some(&node.origin), Mistake::Conflict(why));
            return None;
        }
        self.direction(node, &path, "axis")
    }

    fn coupling(&mut self, place: &Place<'d>) -> Option<ClosureKind> {
        let entry = place.table.entry("joints")?;
        let joints = self.table(entry, format!("{}.joints", place.path))?;
        if joints.table.entries().is_empty() {
            let why = "a coupling needs at least one joint".to_owned();
            self.note(&joints.path, Some(&entry.node.origin), Mistake::Conflict(why));
            return None;
        }
        let mut terms = Vec::new();
        let mut sound = true;
        let mut kinds = Vec::new();
        for entry in joints.table.entries() {
            let path = joined(&joints.path, &entry.key);
            let (name, word) = match entry.key.split_once('.') {
                Some((name, word)) => (name, Some(word)),
                None => (entry.key.as_str(), None),
            };
            // A coefficient of joints of different kinds carries their ratio of units.
            let coefficient = self.measured(&entry.node, &path).map(|(c, _)| c);
            let joint = self.joint((&path, &entry.origin), name);
            let (Some(coefficient), Some((joint, kind))) = (coefficient, joint) else {
                sound = false;
                continue;
            };
            match coordinate(name, kind, word, true) {
                Ok(k) => {
                    kinds.push(kind.is_angular(k));
                    terms.push((joint, k, coefficient));
                }
                Err(why) => {
                    self.note(&path, Some(&entry.origin), Mistake::Conflict(why));
                    sound = false;
                }
            }
        }
        let offset = match place.get("offset") {
            Some((node, path)) if kinds.iter().all(|angular| *angular) => {
                self.quantity(node, &path, Dimension::ANGLE)?
            }
            Some((node, path)) if kinds.iter().all(|angular| !*angular) => {
                self.quantity(node, &path, Dimension::LENGTH)?
            }
            Some((node, path)) => self.measured(node, &path)?.0,
            None => 0.0,
        };
        sound.then_some(ClosureKind::Coupling { terms, offset })
    }
}
