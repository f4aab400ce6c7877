//! What links look like, as entries `visual.NAME = {…}` of the model file.
//!
//! A link is drawn by its visual geometry; by its collision geometry if it has no visual one, or if a visual mesh is of a kind that is not
//! read (COLLADA, for example) and the collision geometry is readable. A body whose picture would be its contact shapes needs no entry.

use std::collections::HashSet;

use super::shapes::{entry, unique};
use super::{Geometry, Link, Note, Robot, Shape};
use crate::maths::Pose;
use crate::maths::mesh::Mesh;

/// Meshes that a reader of the notes should know of.
#[derive(Default)]
pub(super) struct Unread {
    /// Collision meshes, which are drawn at most.
    collision: Vec<String>,
    files: Vec<String>,
    replaced: usize,
}

impl Unread {
    /// One note of each kind.
    pub(super) fn tell(&self, notes: &mut Vec<Note>) {
        if let Some(first) = self.collision.first() {
            let more = others(&self.collision);
            notes.push(Note::new(format!(
                "collision meshes are no contact shapes, they are drawn at most: `{first}`{more}"
            )));
        }
        let Some(first) = self.files.first() else { return };
        let more = others(&self.files);
        let instead = if self.replaced == self.files.len() {
            "collision geometry is drawn instead".to_owned()
        } else {
            format!("of {} of them nothing is drawn", self.files.len() - self.replaced)
        };
        notes.push(Note::new(format!(
            "meshes are read from .stl and .obj files only: `{first}`{more}; {instead}"
        )));
    }
}

/// How many stand beside the first of a list.
fn others(list: &[String]) -> String {
    match list.len() {
        0 | 1 => String::new(),
        n => format!(" and {} more", n - 1),
    }
}

fn is_readable(shape: &Shape) -> bool {
    match &shape.geometry {
        Geometry::Mesh { file, .. } => Mesh::is_readable(file),
        _ => true,
    }
}

/// The geometry that a link is drawn by.
fn drawn<'a>(link: &'a Link, unread: &mut Unread) -> &'a [Shape] {
    let missing = |shapes: &[Shape]| -> Vec<String> {
        let file = |s: &Shape| match &s.geometry {
            Geometry::Mesh { file, .. } if !is_readable(s) => Some(file.clone()),
            _ => None,
        };
        shapes.iter().filter_map(file).collect()
    };
    if link.visuals.is_empty() {
        unread.files.extend(missing(&link.shapes));
        return &link.shapes;
    }
    let files = missing(&link.visuals);
    let replaced =
        !files.is_empty() && !link.shapes.is_empty() && link.shapes.iter().all(is_readable);
    unread.replaced += if replaced { files.len() } else { 0 };
    unread.files.extend(files);
    if replaced { &link.shapes } else { &link.visuals }
}

/// The entries of a body or of ground; none if its contact shapes show the same.
pub(super) fn visuals(
    robot: &Robot,
    links: &[(usize, Pose)],
    unread: &mut Unread,
) -> Vec<(String, String)> {
    let mut used = HashSet::new();
    let mut out = Vec::new();
    let mut differs = false;
    for (link, pose) in links {
        let link = &robot.links[*link];
        unread.collision.extend(link.shapes.iter().filter_map(|s| match &s.geometry {
            Geometry::Mesh { file, .. } => Some(file.clone()),
            _ => None,
        }));
        let shown = drawn(link, unread);
        let alike = |(a, b): (&Shape, &Shape)| {
            a.geometry == b.geometry
                && (a.pose.position - b.pose.position).amax() == 0.0
                && (a.pose.rotation - b.pose.rotation).amax() == 0.0
        };
        let simple = |s: &Shape| !matches!(s.geometry, Geometry::Mesh { .. });
        differs |= !(shown.iter().all(simple)
            && shown.len() == link.shapes.len()
            && shown.iter().zip(&link.shapes).all(alike));
        for shape in shown.iter().filter(|s| is_readable(s)) {
            let Some(entry) = entry(&shape.geometry, &pose.then(&shape.pose)) else { continue };
            out.push((unique(&mut used, shape.name.as_deref().unwrap_or(&link.name)), entry));
        }
    }
    if differs { out } else { Vec::new() }
}
