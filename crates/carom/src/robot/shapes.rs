//! Collision geometry as contact shapes of the model file.

use std::collections::HashSet;

use super::names::mapped;
use super::write::{list, quoted, rounded};
use super::{Geometry, Robot, angles_of};
use crate::maths::{Pose, Vec3};

/// The entries `contact.NAME = {…}` of a body or of ground; meshes are no contact shapes and left to [`super::visuals`].
pub(super) fn contact_shapes(robot: &Robot, links: &[(usize, Pose)]) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut used = HashSet::new();
    for (link, pose) in links {
        let link = &robot.links[*link];
        for shape in &link.shapes {
            let pose = pose.then(&shape.pose);
            if matches!(shape.geometry, Geometry::Mesh { .. }) {
                continue;
            }
            let Some(entry) = entry(&shape.geometry, &pose) else { continue };
            out.push((unique(&mut used, shape.name.as_deref().unwrap_or(&link.name)), entry));
        }
    }
    out
}

/// A name like the one wished for that is not used yet.
pub(super) fn unique(used: &mut HashSet<String>, wish: &str) -> String {
    let wish = mapped(wish);
    let mut name = wish.clone();
    let mut count = 1;
    while !used.insert(name.clone()) {
        count += 1;
        name = format!("{wish}_{count}");
    }
    name
}

/// A shape of the model file; `None` for an ellipsoid, which it has not.
pub(super) fn entry(geometry: &Geometry, pose: &Pose) -> Option<String> {
    let at = list(pose.position.as_slice());
    let turned = list(&angles_of(&pose.rotation));
    Some(match geometry {
        Geometry::Box(size) => {
            format!("{{ box = {}, at = {at}, orientation = {turned} }}", list(size))
        }
        Geometry::Sphere(r) => format!("{{ sphere = {}, at = {at} }}", rounded(*r)),
        Geometry::Cylinder(r, l) => {
            format!("{{ cylinder = {}, at = {at}, orientation = {turned} }}", list(&[*r, *l]))
        }
        Geometry::Capsule(r, l) => {
            let [from, to] = [-0.5, 0.5].map(|s| pose.point(&(Vec3::z() * (s * l))));
            let (from, to) = (list(from.as_slice()), list(to.as_slice()));
            format!("{{ capsule = {}, from = {from}, to = {to} }}", rounded(*r))
        }
        Geometry::Plane => {
            let normal = pose.rotation.column(2).into_owned();
            format!("{{ plane = {}, at = {at} }}", list(normal.as_slice()))
        }
        Geometry::Ellipsoid(_) => return None,
        Geometry::Mesh { file, scale, .. } => {
            let file = quoted(file);
            let scaled = if *scale == [1.0; 3] {
                String::new()
            } else {
                format!("scale = {}, ", list(scale))
            };
            format!("{{ mesh = {file}, {scaled}at = {at}, orientation = {turned} }}")
        }
    })
}
