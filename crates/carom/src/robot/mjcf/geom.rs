//! `<geom>`: shapes, and the masses they have.

use super::Reader;
use super::attributes::{Item, Read};
use super::inertia::{Heavy, shell, solid};
use crate::maths::spatial::rotation_from_z;
use crate::maths::{Mat3, Pose, Vec3};
use crate::robot::xml::cut;
use crate::robot::{Geometry, Shape};

/// The words for types, in the order in which [`Reader::read_geom`] takes them.
const TYPES: [&str; 9] =
    ["plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"];
/// Density of water \[kg/m³\], the format's default.
const DENSITY: f64 = 1000.0;

/// The last of the groups of geoms that MuJoCo's viewer shows by default; by convention those of collision geometry follow.
const SHOWN: f64 = 2.0;

/// A geom in the frame of its body.
#[derive(Debug)]
pub(super) struct Geom<'a> {
    pub item: Item<'a>,
    /// The frame of its geometry.
    pub pose: Pose,
    /// `None` for a height field, and for a mesh that cannot be shown.
    pub geometry: Option<Geometry>,
    /// Of a mesh: its name, and the frame of its points.
    mesh: Option<(String, Pose)>,
    /// Whether it can touch something.
    pub collides: bool,
    /// Whether MuJoCo shows it unless it is asked otherwise.
    pub shown: bool,
}

impl Geom<'_> {
    /// What it looks like.
    pub(super) fn shape(&self) -> Option<Shape> {
        let geometry = self.geometry.clone()?;
        Some(Shape { name: self.item.name().map(str::to_owned), pose: self.pose, geometry })
    }
}

impl<'a> Reader<'a> {
    /// A geom or its place and size; `frame` is the frame around it in the body.
    pub(super) fn read_geom(&mut self, item: Item<'a>, frame: &Pose) -> Read<Geom<'a>> {
        let kind = self.word(&item, "type", &TYPES)?.unwrap_or(2);
        let [mut a, mut b, mut c] = self.overlaid(&item, "size", [0.0; 3])?;
        let mut pose = self.pose(&item)?;
        if let Some([x, y, z, u, v, w]) = self.vector::<6>(&item, "fromto")? {
            let span = item.get("fromto").map_or(item.span.clone(), |found| found.1);
            if !(3..=6).contains(&kind) {
                let message = format!(
                    "`fromto` of a {}: expected a capsule, cylinder, box or ellipsoid",
                    TYPES[kind]
                );
                return self.refuse(&span, message);
            }
            if item.get("pos").is_some() {
                return self.refuse(&span, "both `pos` and `fromto` are stated");
            }
            let (from, to) = (Vec3::new(x, y, z), Vec3::new(u, v, w));
            let length = (from - to).norm();
            // z points from the second point to the first; the other axes follow by the shortest turn.
            let axis = self.direction((from - to).into(), &span, "fromto")?;
            pose = Pose { rotation: rotation_from_z(&axis), position: (from + to) / 2.0 };
            (b, c) = if matches!(kind, 4 | 6) { (a, length / 2.0) } else { (length / 2.0, c) };
        }
        if (2..=6).contains(&kind) && item.get("mesh").is_some() {
            let (frame, sizes) = self.fitted(kind, &item)?;
            (pose, [a, b, c]) = (pose.then(&frame), sizes);
        }
        let mesh = if kind > 6 { Some(self.mesh_of(&item)?) } else { None };
        let sizes = match kind {
            2 => 1,
            3 | 5 => 2,
            4 | 6 => 3,
            _ => 0,
        };
        if let Some(size) = [a, b, c].into_iter().take(sizes).find(|x| !(*x > 0.0)) {
            let span = item.get("size").map_or(item.span.clone(), |found| found.1);
            let name = cut(item.name().unwrap_or_default());
            let message = format!(
                "geom `{name}`: a size of {size}: a {} has {sizes} positive size(s) [m]",
                TYPES[kind]
            );
            return self.refuse(&span, message);
        }
        let mut geometry = match kind {
            0 => Some(Geometry::Plane),
            2 => Some(Geometry::Sphere(a)),
            3 => Some(Geometry::Capsule(a, 2.0 * b)),
            4 => Some(Geometry::Ellipsoid([a, b, c])),
            5 => Some(Geometry::Cylinder(a, 2.0 * b)),
            6 => {
                (a, b, c) = (2.0 * a, 2.0 * b, 2.0 * c);
                Some(Geometry::Box([a, b, c]))
            }
            _ => None,
        };
        let mut collides = false;
        for key in ["contype", "conaffinity"] {
            collides |= self.scalar(&item, key)?.unwrap_or(1.0) != 0.0;
        }
        let mut pose = frame.then(&pose);
        let mesh = mesh.map(|name| {
            let frame = pose;
            if let Some((shown, picture)) = self.picture(&name, &item.span) {
                (pose, geometry) = (pose.then(&shown), Some(picture));
            }
            (name, frame)
        });
        let shown = self.scalar(&item, "group")?.unwrap_or(0.0) <= SHOWN;
        Ok(Geom { item, pose, geometry, mesh, collides, shown })
    }

    /// The mass of a geom, if it has any and its group counts.
    pub(super) fn mass_of(&mut self, geom: &Geom<'a>) -> Read<Option<Heavy>> {
        let item = &geom.item;
        let group = self.scalar(item, "group")?.unwrap_or(0.0);
        let [first, last] = self.settings.groups;
        if group < first || group > last {
            return Ok(None);
        }
        let stated = match item.get("mass") {
            Some(_) => Some(self.not_negative(item, "mass")?),
            None => None,
        };
        let density = match item.get("density") {
            Some(_) => self.not_negative(item, "density")?,
            None => DENSITY,
        };
        if stated.unwrap_or(density) == 0.0 {
            return Ok(None);
        }
        let hollow = self.flag(item, "shellinertia")? == Some(true);
        if let Some((name, pose)) = &geom.mesh {
            if hollow {
                let message =
                    "`shellinertia` of a mesh: state inertia=\"shell\" in its <mesh> instead";
                return self.refuse(&item.span, message);
            }
            let weighed = self.weighed(name, item)?;
            let solid = &weighed.1;
            let mass = stated.unwrap_or(density * solid.volume);
            let R = pose.rotation;
            let inertia = R * solid.inertia * R.transpose() * (mass / solid.volume);
            return Ok(Some(Heavy { mass, center: pose.point(&solid.center), inertia }));
        }
        let Some(geometry) = &geom.geometry else { return Ok(None) };
        if *geometry == Geometry::Plane {
            return Ok(None);
        }
        let amount = if hollow { shell(geometry) } else { solid(geometry) };
        let Some(amount) = amount else {
            let message = format!(
                "geom `{}`: shellinertia of an ellipsoid has no closed form and is not read; state the body's <inertial>",
                cut(item.name().unwrap_or_default())
            );
            return self.refuse(&item.span, message);
        };
        let mass = stated.unwrap_or(density * amount.size);
        let R = geom.pose.rotation;
        let inertia = R * Mat3::from_diagonal(&(amount.inertia * mass)) * R.transpose();
        Ok(Some(Heavy { mass, center: geom.pose.position, inertia }))
    }
}
