//! `visual`: what is drawn of a body and has no part in its mechanics.

use super::Builder;
use super::finding::Mistake;
use super::keys::{VISUAL_MESH, VISUAL_SHAPES};
use super::reader::{Place, joined};
use crate::model::parts::PartPlace;
use crate::model::{Look, Visual};

impl<'d> Builder<'d> {
    /// Solids and meshes of a body or of the ground.
    pub(super) fn read_visuals(&mut self, owner: &str, body: PartPlace, place: &Place<'d>) {
        let Some(entry) = place.table.entry("visual") else { return };
        let Some(all) = self.table(entry, format!("{}.visual", place.path)) else { return };
        if self.planar {
            let why =
                "a planar model is drawn by its contact shapes; `visual` is for models in space";
            self.note(&all.path, Some(&entry.origin), Mistake::Conflict(why.to_owned()));
            return;
        }
        for entry in all.table.entries() {
            let path = joined(&all.path, &entry.key);
            self.check_name(entry, &path);
            let Some(place) = self.table(entry, path.clone()) else { continue };
            let look = if place.table.get("mesh").is_some() {
                self.visual_mesh(&place)
            } else {
                self.visual_solid(&place)
            };
            let body = body.map(|_| owner.to_owned());
            self.visuals.extend(look.map(|look| Visual { body, path, look }));
        }
    }

    fn visual_mesh(&mut self, place: &Place<'d>) -> Option<Look> {
        self.check_keys(place, &VISUAL_MESH);
        let (node, path) = place.get("mesh")?;
        let file = self.text(node, &path)?.to_owned();
        let pose = self.shape_pose(place);
        let scale = self.mesh_scale(place)?;
        Some(Look::Mesh { file, scale, pose: pose? })
    }

    fn visual_solid(&mut self, place: &Place<'d>) -> Option<Look> {
        let section = self.shape_section(place)?;
        let word = section.keys[0].name;
        self.check_keys(place, section);
        if !VISUAL_SHAPES.contains(&word) {
            let hint = format!("; known: mesh, {}", VISUAL_SHAPES.join(", "));
            let mistake = Mistake::UnknownWord { found: word.to_owned(), what: "visual", hint };
            self.note(&place.path, place.origin, mistake);
            return None;
        }
        self.shape_kind(place, word).map(Look::Shape)
    }
}
