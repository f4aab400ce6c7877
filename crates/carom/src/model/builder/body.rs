//! `[bodies]` and `[ground]`: mass, inertia, markers, contact shapes.

use super::Builder;
use super::finding::{Caution, Mistake, Warning};
use super::inertia::Solid;
use super::keys::{BODY, GROUND, MARKER};
use super::reader::{Place, joined};
use crate::maths::units::Dimension;
use crate::maths::{Mat3, Vec3};
use crate::model::description::{Entry, Node, Value};
use crate::model::parts::{BodyPart, MarkerPart, PartPlace, PointPart};

impl<'d> Builder<'d> {
    pub(super) fn read_bodies(&mut self) {
        let bodies = self.named("bodies");
        for (k, (name, _)) in bodies.iter().enumerate() {
            self.bodies.insert(name, k);
        }
        for (k, (name, place)) in bodies.iter().enumerate() {
            self.check_keys(place, &BODY);
            if let Some((node, path)) = place.get("title") {
                self.text(node, &path);
            }
            let part = self.read_body(name, place);
            self.parts.bodies.push(part);
            self.read_points(name, Some(k), place);
        }
        let Some(entry) = self.description.root.entry("ground") else { return };
        let Some(place) = self.table(entry, "ground".to_owned()) else { return };
        self.check_keys(&place, &GROUND);
        self.read_points("ground", None, &place);
    }

    /// A body; a value with a fault is replaced by one without, so that the others are judged.
    fn read_body(&mut self, name: &str, place: &Place<'d>) -> BodyPart {
        let solid = place.table.entry("shape").map(|entry| self.mass_shape(entry, &place.path));
        let mass = self.read_mass(place, solid.as_ref().and_then(Option::as_ref));
        let inertia = match place.get("inertia") {
            Some((node, path)) => self.read_inertia(node, &path),
            None if solid.is_none() => {
                self.without_inertia.push(self.parts.bodies.len());
                None
            }
            None => solid.as_ref().and_then(Option::as_ref).map(|s| s.inertia * mass.max(0.0)),
        };
        let center = match place.get("center") {
            Some((node, path)) => self.vector(node, &path, Dimension::LENGTH),
            None => solid.flatten().map(|s| s.center),
        };
        let payload = place.get("payload").and_then(|(node, path)| self.boolean(node, &path));
        BodyPart {
            name: name.to_owned(),
            mass,
            center: center.unwrap_or_default(),
            inertia: inertia.unwrap_or_else(Mat3::zeros),
            payload: payload.unwrap_or(false),
        }
    }

    fn read_mass(&mut self, place: &Place<'d>, solid: Option<&Solid>) -> f64 {
        match (place.get("mass"), place.get("density")) {
            (Some((node, path)), None) => {
                self.quantity(node, &path, Dimension::MASS).unwrap_or(1.0)
            }
            (None, Some((node, path))) => match solid {
                Some(solid) => self.mass_of_density(node, &path, solid).unwrap_or(1.0),
                // The shape has a fault of its own.
                None if place.table.get("shape").is_some() => 1.0,
                None => {
                    let why = "a density needs a `shape`".to_owned();
                    self.note(&path, Some(&node.origin), Mistake::Conflict(why));
                    1.0
                }
            },
            (Some(_), Some((node, path))) => {
                let why = "write `mass` or `density`, not both".to_owned();
                self.note(&path, Some(&node.origin), Mistake::Conflict(why));
                1.0
            }
            (None, None) => {
                let doc = "m [kg], unless `density` and `shape` are given";
                let mistake = Mistake::Missing { key: "mass", doc };
                self.note(&place.path, place.origin, mistake);
                1.0
            }
        }
    }

    fn mass_of_density(&mut self, node: &'d Node, path: &str, solid: &Solid) -> Option<f64> {
        let Some((size, dimension)) = solid.size else {
            let why = format!("{} has no volume: write `mass`", solid.what);
            self.note(path, Some(&node.origin), Mistake::Conflict(why));
            return None;
        };
        let density = self.quantity(node, path, Dimension::MASS.per(dimension))?;
        let density = self.in_range(node, path, density, density > 0.0, "a positive density")?;
        if matches!(node.value, Value::Number(x) if x < 0.05) && dimension.length == 3.0 {
            let caution = Caution::ThinDensity { found: density.to_string() };
            let origin = Some(node.origin.clone());
            self.warnings.push(Warning { path: path.to_owned(), origin, caution });
        }
        Some(density * size)
    }

    /// One number in the plane; the diagonal or the whole tensor in space.
    fn read_inertia(&mut self, node: &'d Node, path: &str) -> Option<Mat3> {
        let nodes = match &node.value {
            Value::List(list) => list.as_slice(),
            _ => std::slice::from_ref(node),
        };
        let expected = if self.planar { "1" } else { "3 or 6" };
        let right = if self.planar { nodes.len() == 1 } else { matches!(nodes.len(), 3 | 6) };
        if !right {
            let why = if self.planar {
                " in a planar model (Izz)"
            } else {
                " in space (Ixx Iyy Izz, and Ixy Ixz Iyz)"
            };
            return self.wrong_count(node, path, nodes.len(), expected, why);
        }
        if let [only] = nodes {
            let path = if std::ptr::eq(only, node) { path.to_owned() } else { format!("{path}.0") };
            let z = self.quantity(only, &path, Dimension::INERTIA)?;
            return Some(Mat3::from_diagonal_element(z));
        }
        let x = self.quantities(nodes, path, |_| Dimension::INERTIA)?;
        let (xy, xz, yz) =
            if let [_, _, _, xy, xz, yz] = x[..] { (xy, xz, yz) } else { (0.0, 0.0, 0.0) };
        Some(Mat3::new(x[0], xy, xz, xy, x[1], yz, xz, yz, x[2]))
    }

    /// Markers and contact shapes of a body or of the ground.
    fn read_points(&mut self, owner: &str, body: PartPlace, place: &Place<'d>) {
        if let Some(entry) = place.table.entry("markers")
            && let Some(markers) = self.table(entry, format!("{}.markers", place.path))
        {
            for entry in markers.table.entries() {
                let path = joined(&markers.path, &entry.key);
                self.check_name(entry, &path);
                let full = format!("{owner}.{}", entry.key);
                let marker = self.read_marker(entry, &path, body, &full);
                let index = marker.map(|part| {
                    self.parts.markers.push(part);
                    self.parts.markers.len() - 1
                });
                self.markers.insert(full, index);
            }
        }
        if let Some(entry) = place.table.entry("contact")
            && let Some(shapes) = self.table(entry, format!("{}.contact", place.path))
        {
            for entry in shapes.table.entries() {
                let path = joined(&shapes.path, &entry.key);
                self.check_name(entry, &path);
                let full = format!("{owner}.{}", entry.key);
                let shape = self.contact_shape(entry, &path, body, &full);
                let index = shape.map(|part| {
                    self.parts.shapes.push(part);
                    self.parts.shapes.len() - 1
                });
                self.shapes.insert(full, index);
            }
        }
        self.read_visuals(owner, body, place);
    }

    fn read_marker(
        &mut self,
        entry: &'d Entry,
        path: &str,
        body: PartPlace,
        full: &str,
    ) -> Option<MarkerPart> {
        let name = full.to_owned();
        if let Value::List(_) = entry.node.value {
            let at = self.vector(&entry.node, path, Dimension::LENGTH)?;
            return Some(MarkerPart { name, point: PointPart { body, at }, direction: None });
        }
        let place = self.table(entry, path.to_owned())?;
        self.check_keys(&place, &MARKER);
        let direction = match place.get("direction") {
            Some((node, path)) => Some(self.direction(node, &path, "direction")?),
            None => None,
        };
        let at = self.vector_at(&place, "at", Dimension::LENGTH)?;
        Some(MarkerPart { name, point: PointPart { body, at }, direction })
    }

    /// A list of vectors in the plane of a plate.
    pub(super) fn flat_points(&mut self, node: &'d Node, path: &str) -> Option<Vec<Vec3>> {
        let list = self.list(node, path)?;
        let mut out = Vec::with_capacity(list.len());
        for (k, node) in list.iter().enumerate() {
            let path = format!("{path}.{k}");
            let Some(pair) = self.pair(node, &path) else { continue };
            let x = self.quantity(pair[0], &format!("{path}.0"), Dimension::LENGTH);
            let y = self.quantity(pair[1], &format!("{path}.1"), Dimension::LENGTH);
            if let (Some(x), Some(y)) = (x, y) {
                out.push(Vec3::new(x, y, 0.0));
            }
        }
        (out.len() == list.len()).then_some(out)
    }
}
