//! `<link>`: mass, inertia, collision and visual geometry.

use roxmltree::Node as Element;

use crate::maths::{Mat3, Pose, Vec3};
use crate::robot::xml::{Reader, cut};
use crate::robot::{Geometry, Inertial, Link, Shape, roll_pitch_yaw};

impl Reader<'_> {
    pub(super) fn link(&mut self, element: Element<'_, '_>) -> Option<Link> {
        let span = self.span(element);
        let name = self.name(element, "name")?;
        let faults = self.faults.len();
        let inertial = self.child(element, "inertial").and_then(|e| self.inertial(e, name));
        let [shapes, visuals] = ["collision", "visual"].map(|tag| {
            let all = element.children().filter(|c| c.has_tag_name(tag));
            all.filter_map(|c| self.shape(c, name)).collect()
        });
        // A link with a fault stays, so that its joints are judged.
        debug_assert!(self.faults.len() >= faults);
        Some(Link { name: name.to_owned(), span, inertial, shapes, visuals, between: false })
    }

    /// The pose at `<origin xyz="…" rpy="…"/>`, the identity without one.
    pub(super) fn origin(&mut self, element: Element<'_, '_>) -> Option<Pose> {
        let Some(origin) = self.child(element, "origin") else { return Some(Pose::identity()) };
        let xyz = self.vector(origin, "xyz", [0.0; 3]);
        let rpy = self.vector(origin, "rpy", [0.0; 3]);
        Some(Pose { rotation: roll_pitch_yaw(rpy?), position: Vec3::from(xyz?) })
    }

    fn inertial(&mut self, element: Element<'_, '_>, link: &str) -> Option<Inertial> {
        let pose = self.origin(element);
        let span = self.span(element);
        let Some(mass_element) = self.child(element, "mass") else {
            return self.refuse(&span, format!("link `{}`: <inertial> has no <mass>", cut(link)));
        };
        let mass = self.number(mass_element, "value");
        let mass_span = match mass_element.attribute_node("value") {
            Some(attribute) => self.value_span(&attribute),
            None => self.span(mass_element),
        };
        if let Some(m) = mass.filter(|m| *m < 0.0) {
            self.refuse::<()>(
                &mass_span,
                format!("link `{}`: {m} is not a positive mass [kg]", cut(link)),
            );
        }
        let Some(inertia_element) = self.child(element, "inertia") else {
            return self
                .refuse(&span, format!("link `{}`: <inertial> has no <inertia>", cut(link)));
        };
        let inertia_span = self.span(inertia_element);
        let keys = ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"];
        let mut entries = [0.0; 6];
        let mut sound = true;
        for (entry, key) in entries.iter_mut().zip(keys) {
            match self.number(inertia_element, key) {
                Some(x) => *entry = x,
                None => sound = false,
            }
        }
        let [xx, yy, zz, xy, xz, yz] = entries;
        let (pose, mass) = (pose?, mass?);
        if !sound {
            return None;
        }
        let J = Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
        let R = pose.rotation;
        // The tensor stands in the axes of the inertial frame: J_link = R J Rᵀ.
        let inertia = R * J * R.transpose();
        Some(Inertial { mass, center: pose.position, inertia, mass_span, inertia_span })
    }

    fn shape(&mut self, element: Element<'_, '_>, link: &str) -> Option<Shape> {
        let pose = self.origin(element)?;
        let Some(geometry) = self.child(element, "geometry") else {
            let span = self.span(element);
            let tag = element.tag_name().name();
            return self.refuse(&span, format!("link `{}`: <{tag}> has no <geometry>", cut(link)));
        };
        let Some(kind) = geometry.children().find(Element::is_element) else {
            self.note(format!("link `{}`: a <geometry> without a shape is left out", cut(link)));
            return None;
        };
        let geometry = match kind.tag_name().name() {
            "box" => {
                let size = self.vector(kind, "size", [0.0; 3])?;
                Geometry::Box(size)
            }
            "sphere" => Geometry::Sphere(self.number(kind, "radius")?),
            "cylinder" => {
                Geometry::Cylinder(self.number(kind, "radius")?, self.number(kind, "length")?)
            }
            "capsule" => {
                Geometry::Capsule(self.number(kind, "radius")?, self.number(kind, "length")?)
            }
            "mesh" => {
                let file = self.name(kind, "filename")?.to_owned();
                let scale = self.vector(kind, "scale", [1.0; 3])?;
                let span = self.span(kind);
                if scale.contains(&0.0) {
                    let message =
                        format!("link `{}`: a mesh scaled by 0 has no surface", cut(link));
                    return self.refuse(&span, message);
                }
                Geometry::Mesh { file, scale, span }
            }
            other => {
                let other = cut(other);
                self.note(format!(
                    "link `{}`: the shape <{other}> is not known and left out",
                    cut(link)
                ));
                return None;
            }
        };
        let sizes: &[f64] = match &geometry {
            Geometry::Box(size) => size,
            Geometry::Sphere(r) => &[*r],
            Geometry::Cylinder(r, l) | Geometry::Capsule(r, l) => &[*r, *l],
            Geometry::Ellipsoid(_) | Geometry::Plane | Geometry::Mesh { .. } => &[],
        };
        if sizes.iter().any(|x| !(*x > 0.0)) {
            let name = kind.tag_name().name();
            self.note(format!(
                "link `{}`: a <{name}> with a size of zero or less has no surface and is left out",
                cut(link)
            ));
            return None;
        }
        let name = element.attribute("name").filter(|n| !n.trim().is_empty()).map(str::to_owned);
        Some(Shape { name, pose, geometry })
    }
}
