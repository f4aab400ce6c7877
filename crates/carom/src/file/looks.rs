//! The solids that bodies are seen by: their `visual` entries, otherwise their contact shapes.

use super::{Loaded, Meshes};
use crate::model::{BodyId, Look, ShapeKind};
use crate::report::surface::SolidLook;

impl Loaded {
    /// The solids of every body in its own frame, those of the ground last; and the visuals whose meshes cannot be read, each with its path and the
    /// reason. A planar model has none.
    pub fn looks(&self) -> (Vec<Vec<SolidLook>>, Vec<(String, String)>) {
        let model = &self.model;
        let ground = model.bodies.len();
        let mut out = vec![Vec::new(); ground + 1];
        let mut faults = Vec::new();
        if model.is_planar() {
            return (out, faults);
        }
        let mut meshes = Meshes::default();
        for visual in &self.visuals {
            let body = visual
                .body
                .as_deref()
                .map_or(Some(ground), |name| model.body(name).map(BodyId::index));
            // A visual names the body it stands in, which the model has.
            let Some(body) = body else { continue };
            match &visual.look {
                Look::Shape(kind) => out[body].push(SolidLook::Shape(kind.clone())),
                Look::Mesh { file, scale, pose } => match meshes.get(&self.places, file) {
                    Ok(mesh) => out[body].push(SolidLook::Mesh(mesh.placed(scale, pose))),
                    Err(why) => faults.push((visual.path.clone(), why.clone())),
                },
            }
        }
        // A body whose visuals cannot be read is still seen by its contact shapes.
        let by_shapes: Vec<bool> = out.iter().map(Vec::is_empty).collect();
        for shape in &model.shapes {
            let body = shape.body.map_or(ground, BodyId::index);
            let closed = matches!(
                shape.kind,
                ShapeKind::Sphere { .. }
                    | ShapeKind::Box { .. }
                    | ShapeKind::Capsule { .. }
                    | ShapeKind::Cylinder { .. }
            );
            if closed && by_shapes[body] {
                let own = shape.body.map(|b| model.bodies[b.index()].frame.inverse());
                out[body].push(SolidLook::Shape(
                    own.map_or_else(|| shape.kind.clone(), |own| shape.kind.moved(&own)),
                ));
            }
        }
        (out, faults)
    }
}
