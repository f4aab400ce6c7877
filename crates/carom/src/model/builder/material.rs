//! `[materials]`, and the materials of a contact.

use super::Builder;
use super::finding::Mistake;
use super::keys::MATERIAL;
use super::reader::Place;
use crate::maths::units::Dimension;
use crate::model::contact::{ContactMaterials, ParallelCylinders};
use crate::model::description::Node;
use crate::model::material::{MATERIALS, Material};

/// Keys of a line contact; they mean nothing without materials.
const LINE_KEYS: [&str; 3] = ["length", "reference_force", "depth"];

impl<'d> Builder<'d> {
    pub(super) fn read_materials(&mut self) {
        for (name, place) in self.named("materials") {
            self.check_keys(&place, &MATERIAL);
            let material = self.material(name, &place);
            if Material::named(name).is_some() {
                let why = format!(
                    "there is a material `{name}` already, with other numbers; choose another name"
                );
                self.note(&place.path, place.origin, Mistake::Conflict(why));
            }
            self.materials.insert(name, material);
        }
    }

    fn material(&mut self, name: &str, place: &Place<'d>) -> Option<Material> {
        let young = place.get("young").and_then(|(node, path)| {
            let E = self.quantity(node, &path, Dimension::PRESSURE)?;
            self.in_range(node, &path, E, E > 0.0, "a positive modulus [Pa]")
        });
        let poisson = place.get("poisson").and_then(|(node, path)| {
            let nu = self.quantity(node, &path, Dimension::NONE)?;
            let expected = "a Poisson's ratio above -1 and up to 0.5";
            self.in_range(node, &path, nu, nu > -1.0 && nu <= 0.5, expected)
        });
        let density = match place.get("density") {
            Some((node, path)) => {
                let rho = self.quantity(node, &path, Dimension::DENSITY);
                let rho = rho.and_then(|rho| {
                    self.in_range(node, &path, rho, rho > 0.0, "a positive density [kg/m³]")
                });
                Some(rho?)
            }
            None => None,
        };
        let (name, source) = (name.to_owned().into(), "the model file".into());
        Some(Material { name, young: young?, poisson: poisson?, density, source })
    }

    /// The materials of a contact, unless its stiffness is written; all faults are noted.
    pub(super) fn contact_materials(&mut self, place: &Place<'d>) -> Option<ContactMaterials> {
        let Some((node, path)) = place.get("materials") else {
            for key in LINE_KEYS {
                if let Some((node, path)) = place.get(key) {
                    let why = format!("`{key}` goes with `materials`, which are not given");
                    self.note(&path, Some(&node.origin), Mistake::Conflict(why));
                }
            }
            return None;
        };
        for key in ["stiffness", "exponent"] {
            if let Some((node, path)) = place.get(key) {
                let why = format!(
                    "`{key}` and `materials` exclude each other: materials and shapes give both K and n"
                );
                self.note(&path, Some(&node.origin), Mistake::Conflict(why));
            }
        }
        let names = self.pair(node, &path);
        let pair = names.map(|[a, b]| {
            let first = self.material_named(a, &format!("{path}.0"));
            [first, self.material_named(b, &format!("{path}.1"))]
        });
        let cylinders = self.parallel_cylinders(place);
        let [a, b] = pair?;
        Some(ContactMaterials { pair: [a?, b?], cylinders })
    }

    /// A material of the file or of the table.
    fn material_named(&mut self, node: &'d Node, path: &str) -> Option<Material> {
        let name = self.text(node, path)?;
        if let Some(own) = self.materials.get(name) {
            return own.clone();
        }
        if let Some(known) = Material::named(name) {
            return Some(known.clone());
        }
        let all = self.materials.keys().copied().chain(MATERIALS.iter().map(|m| &*m.name));
        let hint = self.hint(name, all);
        let name = name.chars().take(60).collect();
        self.note(path, Some(&node.origin), Mistake::UnknownName { what: "material", name, hint });
        None
    }

    /// The keys of a line contact; none if they are not there, or have a fault that is noted.
    fn parallel_cylinders(&mut self, place: &Place<'d>) -> Option<ParallelCylinders> {
        let length = place.get("length");
        let force = place.get("reference_force");
        let depth = place.get("depth");
        let Some((node, path)) = &length else {
            for (node, path) in [force, depth].into_iter().flatten() {
                let why = "this goes with `length`: it belongs to parallel cylinders";
                self.note(&path, Some(&node.origin), Mistake::Conflict(why.to_owned()));
            }
            return None;
        };
        if !self.planar {
            let why =
                "`length` makes cylinders of the discs of a planar model; this one is spatial";
            self.note(path, Some(&node.origin), Mistake::Conflict(why.to_owned()));
            return None;
        }
        let length = self.positive(node, path, "a positive length [m]");
        let depth =
            depth.and_then(|(node, path)| self.positive(node, &path, "a positive depth [m]"));
        let Some((node, path)) = force else {
            let doc = "a line contact is matched with F = K δ^n at this force [N]";
            self.note(&place.path, place.origin, Mistake::Missing { key: "reference_force", doc });
            return None;
        };
        let force = self.quantity(node, &path, Dimension::FORCE).and_then(|force| {
            self.in_range(node, &path, force, force > 0.0, "a positive force [N]")
        });
        Some(ParallelCylinders { length: length?, reference_force: force?, depth })
    }
}
