//! Mesh files with a part in the mechanics: the convex hull as a contact shape, the solid as mass and inertia.

use super::Builder;
use super::finding::{Caution, Mistake, Warning};
use super::inertia::Solid;
use super::reader::Place;
use crate::maths::mesh::Mesh;
use crate::maths::polytope::Polytope;
use crate::maths::units::Dimension;
use crate::maths::{Pose, Vec3};
use crate::model::ShapeKind;
use crate::model::description::Node;
use std::sync::Arc;

/// Vertices that the hull of a contact shape may have.
const MOST_VERTICES: usize = 20_000;
/// Volumes of a mesh and of its hull that differ by less than this part are the same: the mesh is convex.
const CONVEX: f64 = 1e-9;

impl<'d> Builder<'d> {
    /// The factors of a mesh's lengths.
    pub(super) fn mesh_scale(&mut self, place: &Place<'d>) -> Option<Vec3> {
        let Some((node, path)) = place.get("scale") else { return Some(Vec3::repeat(1.0)) };
        let scale = self.vector(node, &path, Dimension::NONE)?;
        if let Some(found) = scale.iter().copied().find(|x| *x == 0.0) {
            let expected = "a factor other than 0";
            self.note(&path, Some(&node.origin), Mistake::OutOfRange { found, expected });
            return None;
        }
        Some(scale)
    }

    /// The mesh of a file in the frame of its body, in metres.
    fn mesh(&mut self, place: &Place<'d>, pose: &Pose) -> Option<(Mesh, &'d Node, String)> {
        let (node, path) = place.get("mesh")?;
        let file = self.text(node, &path)?;
        let scale = self.mesh_scale(place)?;
        match self.description.meshes.get(file) {
            Some(Ok(mesh)) => Some((mesh.placed(&scale, pose), node, path)),
            other => {
                let why = match other {
                    Some(Err(why)) => why.as_str(),
                    _ => "the model has no place on the disk to look for it",
                };
                let shown: String = file.chars().take(200).collect();
                let mistake = Mistake::Conflict(format!("`{shown}`: {why}"));
                self.note(&path, Some(&node.origin), mistake);
                None
            }
        }
    }

    /// `mesh = "housing.stl"` as a contact shape: the convex hull of its points.
    pub(super) fn mesh_hull(&mut self, place: &Place<'d>) -> Option<ShapeKind> {
        let (node, path) = place.get("mesh")?;
        self.require_space(node, &path, "mesh")?;
        let pose = self.shape_pose(place)?;
        let radius = self.rounding(place)?;
        let (mesh, node, path) = self.mesh(place, &pose)?;
        let hull = mesh.hull().filter(|hull| hull.triangles.len() <= 2 * MOST_VERTICES);
        let Some(hull) = hull else {
            let why = if mesh.hull().is_some() {
                format!(
                    "the convex hull of the mesh has more than {MOST_VERTICES} corners; make it coarser"
                )
            } else {
                "the points of the mesh lie in a plane: its convex hull has no inside".to_owned()
            };
            self.note(&path, Some(&node.origin), Mistake::Conflict(why));
            return None;
        };
        let solid = match Polytope::hull(&mesh.points) {
            Ok(solid) => solid,
            Err(error) => {
                self.note(&path, Some(&node.origin), Mistake::Conflict(error.to_string()));
                return None;
            }
        };
        let own = mesh.solid().ok().map(|solid| solid.volume);
        let filled = hull.solid().map_or(0.0, |solid| solid.volume);
        if own.is_none_or(|own| own < (1.0 - CONVEX) * filled) {
            let (corners, faces) = (solid.vertices.len(), solid.topology.faces.len());
            let caution = Caution::Hull { corners, faces, volume: filled, of_mesh: own };
            let origin = Some(node.origin.clone());
            self.warnings.push(Warning { path, origin, caution });
        }
        Some(ShapeKind::Convex { solid: Arc::new(solid), radius })
    }

    /// `shape = { mesh = "housing.stl" }`: what a closed mesh encloses.
    pub(super) fn mesh_solid(&mut self, place: &Place<'d>) -> Option<Solid> {
        let (node, path) = place.get("mesh")?;
        self.require_space(node, &path, "mesh")?;
        let pose = self.shape_pose(place)?;
        let (mesh, node, path) = self.mesh(place, &pose)?;
        match mesh.solid() {
            Ok(found) => {
                if found.inside_out {
                    let caution = Caution::InsideOut;
                    let origin = Some(node.origin.clone());
                    self.warnings.push(Warning { path, origin, caution });
                }
                Some(Solid {
                    what: "a mesh",
                    inertia: found.inertia / found.volume,
                    center: found.center,
                    size: Some((found.volume, Dimension::LENGTH.power(3.0))),
                })
            }
            Err(error) => {
                self.note(&path, Some(&node.origin), Mistake::Conflict(error.to_string()));
                None
            }
        }
    }
}
