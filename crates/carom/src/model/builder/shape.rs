//! Contact shapes of bodies and ground.

use super::Builder;
use super::finding::Mistake;
use super::keys::{CONTACT_SHAPES, Section};
use super::reader::Place;
use crate::maths::units::Dimension;
use crate::maths::{Mat3, Pose, Vec3};
use crate::model::description::Entry;
use crate::model::parts::{PartPlace, ShapePart};
use crate::model::{Problem, ShapeKind, Side};

impl<'d> Builder<'d> {
    pub(super) fn contact_shape(
        &mut self,
        entry: &'d Entry,
        path: &str,
        body: PartPlace,
        full: &str,
    ) -> Option<ShapePart> {
        let place = self.table(entry, path.to_owned())?;
        let section = self.shape_section(&place)?;
        self.check_keys(&place, section);
        let kind = self.shape_kind(&place, section.keys[0].name)?;
        Some(ShapePart { name: full.to_owned(), body, kind })
    }

    /// The section whose first key stands in the table.
    pub(super) fn shape_section(&mut self, place: &Place<'d>) -> Option<&'static Section> {
        let first = |s: &&Section| place.table.get(s.keys[0].name).is_some();
        let found: Vec<&'static Section> = CONTACT_SHAPES.iter().filter(first).collect();
        match found[..] {
            [only] => Some(only),
            [] => {
                let words = CONTACT_SHAPES.iter().map(|s| s.keys[0].name);
                let entry = place.table.entries().first();
                let word = entry.map_or("", |e| e.key.as_str());
                let hint = self.hint(word, words);
                let found = word.chars().take(60).collect();
                let mistake = Mistake::UnknownWord { found, what: "contact shape", hint };
                let origin = entry.map(|e| &e.origin).or(place.origin);
                self.note(&place.path, origin, mistake);
                None
            }
            [a, b, ..] => {
                let why = format!(
                    "a contact shape is of one kind; found `{}` and `{}`",
                    a.keys[0].name, b.keys[0].name
                );
                self.note(&place.path, place.origin, Mistake::Conflict(why));
                None
            }
        }
    }

    pub(super) fn shape_kind(&mut self, place: &Place<'d>, word: &str) -> Option<ShapeKind> {
        let (node, path) = place.get(word)?;
        match word {
            "point" => Some(ShapeKind::Point { at: self.vector(node, &path, Dimension::LENGTH)? }),
            "sphere" | "circle" => {
                let center = self.shape_at(place);
                let radius = self.positive(node, &path, "a positive radius [m]")?;
                Some(ShapeKind::Sphere { center: center?, radius })
            }
            "hollow" => {
                let center = self.shape_at(place);
                let radius = self.positive(node, &path, "a positive radius [m]")?;
                Some(ShapeKind::Hollow { center: center?, radius })
            }
            "plane" => {
                let at = self.shape_at(place);
                let normal = self.direction(node, &path, "normal")?;
                Some(ShapeKind::Plane { at: at?, normal })
            }
            "segment" => self.segment(place),
            "box" => {
                let pose = self.shape_pose(place);
                let edges = self.vector(node, &path, Dimension::LENGTH)?;
                let count = if self.planar { 2 } else { 3 };
                for &edge in edges.iter().take(count) {
                    let expected = "a positive edge length [m]";
                    self.in_range(node, &path, edge, edge > 0.0, expected)?;
                }
                Some(ShapeKind::Box { pose: pose?, half: edges / 2.0 })
            }
            "capsule" => {
                let start = self.vector_at(place, "from", Dimension::LENGTH);
                let end = self.vector_at(place, "to", Dimension::LENGTH);
                let radius = self.positive(node, &path, "a positive radius [m]")?;
                Some(ShapeKind::Capsule { start: start?, end: end?, radius })
            }
            // The list of sections ends with the cylinder.
            _ => {
                if self.planar {
                    let kind = word.to_owned();
                    let mistake = Mistake::Mechanism(Problem::NotPlanar { kind, what: "shape" });
                    self.note(&path, Some(&node.origin), mistake);
                    return None;
                }
                let pose = self.shape_pose(place);
                let [r, l] = self.pair(node, &path)?;
                let radius = self.positive(r, &format!("{path}.0"), "a positive radius [m]");
                let length = self.positive(l, &format!("{path}.1"), "a positive length [m]")?;
                let half_length = length / 2.0;
                Some(ShapeKind::Cylinder { pose: pose?, radius: radius?, half_length })
            }
        }
    }

    fn segment(&mut self, place: &Place<'d>) -> Option<ShapeKind> {
        let (node, path) = place.get("segment")?;
        let side = match place.get("side") {
            Some((node, path)) => match self.choice(node, &path, &["left", "right"], "side")? {
                0 => Some(Side::Left),
                _ => Some(Side::Right),
            },
            None => None,
        };
        let [a, b] = self.pair(node, &path)?;
        let start = self.vector(a, &format!("{path}.0"), Dimension::LENGTH);
        let end = self.vector(b, &format!("{path}.1"), Dimension::LENGTH);
        let (start, end) = (start?, end?);
        if start == end {
            self.note(&path, Some(&node.origin), Mistake::NoDirection { what: "segment" });
            return None;
        }
        Some(ShapeKind::Segment { start, end, side })
    }

    fn shape_at(&mut self, place: &Place<'d>) -> Option<Vec3> {
        match place.get("at") {
            Some((node, path)) => self.vector(node, &path, Dimension::LENGTH),
            None => Some(Vec3::zeros()),
        }
    }

    pub(super) fn shape_pose(&mut self, place: &Place<'d>) -> Option<Pose> {
        let rotation = match place.get("orientation") {
            Some((node, path)) => self.orientation(node, &path),
            None => Some(Mat3::identity()),
        };
        let position = self.shape_at(place)?;
        Some(Pose { rotation: rotation?, position })
    }
}
