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
    /// A stop that `turns` has moments, by angles.
    pub(super) fn law_parameters(&mut self, place: &Place<'d>, turns: bool) -> LawParameters {
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
        let [of_damping, of_depth] = if turns {
            ["a damping of at least 0 [N m s/rad]", "a positive depth [rad]"]
        } else {
            ["a damping of at least 0 [N s/m]", "a positive depth [m]"]
        };
        let [force, depth] = if turns {
            [Dimension::ENERGY, Dimension::ANGLE]
        } else {
            [Dimension::FORCE, Dimension::LENGTH]
        };
        let damping = force.times(Dimension::TIME).per(depth);
        LawParameters {
            damping: number("damping", damping, true, of_damping),
            max_damping: number("max_damping", damping, true, of_damping),
            damping_depth: number("damping_depth", depth, false, of_depth),
            force: place
                .get("force")
                .and_then(|(node, path)| self.tape(node, &path, Scope::Contact, force)),
            parting: place.get("parting").and_then(|(node, path)| {
                self.choice(node, &path, &PARTINGS, "rule of parting").map(|k| Parting::ALL[k])
            }),
        }
    }
}
