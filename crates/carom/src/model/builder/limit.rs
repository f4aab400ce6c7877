//! What a joint's motor and build allow: its range, effort and speed, and its constant friction.

use super::Builder;
use super::finding::Mistake;
use super::reader::{Place, item};
use crate::maths::units::Dimension;
use crate::model::JointKind;
use crate::model::parts::JointPart;

impl<'d> Builder<'d> {
    pub(super) fn read_limits(&mut self, place: &Place<'d>, kind: JointKind, part: &mut JointPart) {
        if let Some((node, path)) = place.get("title") {
            self.text(node, &path);
        }
        let keys = ["range", "max_effort", "max_speed", "dry_friction"];
        if kind.velocities() != 1 {
            for (node, path) in keys.iter().filter_map(|key| place.get(key)) {
                let why = format!(
                    "only a joint with one coordinate has this; a {} joint has not",
                    kind.name()
                );
                self.note(&path, Some(&node.origin), Mistake::Conflict(why));
            }
            return;
        }
        let turns = kind.is_angular(0);
        let [position, effort, speed] = if turns {
            [Dimension::ANGLE, Dimension::ENERGY, Dimension::ANGULAR_VELOCITY]
        } else {
            [Dimension::LENGTH, Dimension::FORCE, Dimension::VELOCITY]
        };
        if let Some((node, path)) = place.get("range")
            && let Some([low, high]) = self.pair(node, &path)
        {
            let low_end = self.quantity(low, &item(&path, 0), position);
            let high_end = self.quantity(high, &item(&path, 1), position);
            if let (Some(a), Some(b)) = (low_end, high_end) {
                let expected = "at least the lower end of the range";
                part.range =
                    self.in_range(high, &item(&path, 1), b, b >= a, expected).map(|b| [a, b]);
            }
        }
        let mut positive = |key: &str, dimension: Dimension| {
            let (node, path) = place.get(key)?;
            let x = self.quantity(node, &path, dimension)?;
            self.in_range(node, &path, x, x >= 0.0, "at least 0")
        };
        part.max_effort = positive("max_effort", effort);
        part.max_speed = positive("max_speed", speed);
        part.dry_friction = positive("dry_friction", effort);
    }
}
