//! Collision geometry as contact shapes of the model file.

use std::collections::HashSet;

use super::names::mapped;
use super::write::{list, rounded};
use super::{Geometry, Note, Robot, angles_of};
use crate::maths::{Pose, Vec3};

/// The entries `contact.NAME = {…}` of a body or of ground; meshes are counted and left out.
pub(super) fn contact_shapes(
    robot: &Robot,
    links: &[(usize, Pose)],
    meshes: &mut Vec<String>,
) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut used = HashSet::new();
    for (link, pose) in links {
        let link = &robot.links[*link];
        for shape in &link.shapes {
            let pose = pose.then(&shape.pose);
            let Some(text) = entry(&shape.geometry, &pose) else {
                if let Geometry::Mesh(file) = &shape.geometry {
                    meshes.push(file.clone());
                }
                continue;
            };
            let wish = mapped(shape.name.as_deref().unwrap_or(&link.name));
            let mut name = wish.clone();
            let mut count = 1;
            while !used.insert(name.clone()) {
                count += 1;
                name = format!("{wish}_{count}");
            }
            out.push((name, text));
        }
    }
    out
}

/// One note of the meshes that were not read.
pub(super) fn note_meshes(meshes: &[String], notes: &mut Vec<Note>) {
    if let Some(first) = meshes.first() {
        let more = if meshes.len() > 1 {
            format!(" and {} more", meshes.len() - 1)
        } else {
            String::new()
        };
        notes.push(Note::new(format!("collision meshes are not read: `{first}`{more}")));
    }
}

fn entry(geometry: &Geometry, pose: &Pose) -> Option<String> {
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
        Geometry::Ellipsoid(_) | Geometry::Mesh(_) => return None,
    })
}
