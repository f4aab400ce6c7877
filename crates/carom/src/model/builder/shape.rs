//! Contact shapes of bodies and ground.

use super::Builder;
use super::finding::Mistake;
use super::keys::{CONTACT_SHAPES, Section};
use super::reader::Place;
use crate::maths::polytope::Polytope;
use crate::maths::units::Dimension;
use crate::maths::{Mat3, Pose, Vec3};
use crate::model::description::{Entry, Node};
use crate::model::parts::{PartPlace, ShapePart};
use crate::model::{Problem, ShapeKind, Side};
use std::sync::Arc;

/// Corners of a regular polygon.
const MOST_CORNERS: f64 = 1000.0;
/// Points that a hull is taken of.
const MOST_POINTS: usize = 100_000;

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
            "polygon" | "regular" | "polyhedron" => self.convex(place, word),
            "profile" => self.profile(place),
            "mesh" => self.mesh_hull(place),
            // What is left is the cylinder.
            _ => {
                self.require_space(node, &path, word)?;
                let pose = self.shape_pose(place);
                let [r, l] = self.pair(node, &path)?;
                let radius = self.positive(r, &format!("{path}.0"), "a positive radius [m]");
                let length = self.positive(l, &format!("{path}.1"), "a positive length [m]")?;
                let half_length = length / 2.0;
                Some(ShapeKind::Cylinder { pose: pose?, radius: radius?, half_length })
            }
        }
    }

    /// Refuses a shape that a planar model does not have.
    pub(super) fn require_space(&mut self, node: &'d Node, path: &str, word: &str) -> Option<()> {
        if !self.planar {
            return Some(());
        }
        let kind = word.to_owned();
        let mistake = Mistake::Mechanism(Problem::NotPlanar { kind, what: "shape" });
        self.note(path, Some(&node.origin), mistake);
        None
    }

    /// A convex polygon or polyhedron.
    fn convex(&mut self, place: &Place<'d>, word: &str) -> Option<ShapeKind> {
        let (node, path) = place.get(word)?;
        if word == "polyhedron" {
            self.require_space(node, &path, word)?;
        } else if !self.planar {
            let why = format!("`{word}` is a shape of planar models; in space write `polyhedron`");
            self.note(&path, Some(&node.origin), Mistake::Conflict(why));
            return None;
        }
        let radius = self.rounding(place)?;
        let pose = self.shape_pose(place);
        let solid = if word == "regular" {
            let [n, r] = self.pair(node, &path)?;
            let count = self.quantity(n, &format!("{path}.0"), Dimension::NONE)?;
            let whole = count.fract() == 0.0 && (3.0..=MOST_CORNERS).contains(&count);
            let expected = "a whole number of corners, from 3 to 1000";
            let count = self.in_range(n, &format!("{path}.0"), count, whole, expected)?;
            let radius = self.positive(r, &format!("{path}.1"), "a positive radius [m]")?;
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a whole number from 3 to 1000"
            )]
            Polytope::regular(count as usize, radius)
        } else {
            let list = self.list(node, &path)?;
            if list.len() > MOST_POINTS {
                let expected = "at most 100000 points";
                return self.wrong_count(node, &path, list.len(), expected, "");
            }
            let points: Vec<Option<Vec3>> = list
                .iter()
                .enumerate()
                .map(|(k, p)| self.vector(p, &format!("{path}.{k}"), Dimension::LENGTH))
                .collect();
            let points: Vec<Vec3> = points.into_iter().collect::<Option<_>>()?;
            if word == "polygon" { Polytope::polygon(&points) } else { Polytope::hull(&points) }
        };
        match solid {
            Ok(solid) => Some(ShapeKind::Convex { solid: Arc::new(solid.moved(&pose?)), radius }),
            Err(error) => {
                self.note(&path, Some(&node.origin), Mistake::Conflict(error.to_string()));
                None
            }
        }
    }

    /// The radius by which a shape is grown; 0 if none is written.
    pub(super) fn rounding(&mut self, place: &Place<'d>) -> Option<f64> {
        let Some((node, path)) = place.get("rounding") else { return Some(0.0) };
        let r = self.quantity(node, &path, Dimension::LENGTH)?;
        self.in_range(node, &path, r, r >= 0.0, "a radius of 0 or more [m]")
    }

    fn segment(&mut self, place: &Place<'d>) -> Option<ShapeKind> {
        let (node, path) = place.get("segment")?;
        let side = match place.get("side") {
            Some((node, path)) => {
                match self.choice(node, &path, &["left", "right", "both"], "side")? {
                    0 => Some(Side::Left),
                    1 => Some(Side::Right),
                    _ => Some(Side::Both),
                }
            }
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
