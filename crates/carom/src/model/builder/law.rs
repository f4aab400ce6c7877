//! What contact laws take beside restitution and stiffness.

use super::Builder;
use super::finding::Mistake;
use super::keys::PARTINGS;
use super::reader::Place;
use crate::maths::expression::Scope;
use crate::maths::units::Dimension;
use crate::model::contact::{LawParameters, Parting};

impl<'d> Builder<'d> {
    /// Read as far as they are written; whether the law takes them is for the catalogue to say.
    pub(super) fn law_parameters(&mut self, place: &Place<'d>) -> LawParameters {
        if place.table.get("law").is_none() {
            for key in ["damping", "max_damping", "damping_depth", "force", "parting"] {
                if let Some((node, path)) = place.get(key) {
                    let why = format!("`{key}` goes with a `law`, which is not given");
                    self.note(&path, Some(&node.origin), Mistake::Conflict(why));
                }
            }
        }
        let mut number = |key: &str, dimension, zero: bool, expected| {
            let (node, path) = place.get(key)?;
            let found = self.quantity(node, &path, dimension)?;
            self.in_range(node, &path, found, found > 0.0 || zero && found == 0.0, expected)
        };
        LawParameters {
            damping: number("damping", Dimension::DAMPING, true, "a damping of at least 0 [N s/m]"),
            max_damping: number(
                "max_damping",
                Dimension::DAMPING,
                true,
                "a damping of at least 0 [N s/m]",
            ),
            damping_depth: number(
                "damping_depth",
                Dimension::LENGTH,
                false,
                "a positive depth [m]",
            ),
            force: place
                .get("force")
                .and_then(|(node, path)| self.tape(node, &path, Scope::Contact, Dimension::FORCE)),
            parting: place.get("parting").and_then(|(node, path)| {
                self.choice(node, &path, &PARTINGS, "rule of parting").map(|k| Parting::ALL[k])
            }),
        }
    }
}
