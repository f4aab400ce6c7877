//! `[robot]`: what was decided when a robot's file was read, and the motors that it does not state.

use super::Builder;
use super::finding::{Caution, Mistake, Warning};
use super::keys::{ROBOT, WRITTEN};
use crate::model::description::Value;

impl Builder<'_> {
    /// Notes and doubts of the reader become warnings. Options belong beside `source`, which a reader of files has taken out.
    pub(super) fn read_robot(&mut self) {
        let Some(entry) = self.description.root.entry("robot") else { return };
        let Some(place) = self.table(entry, "robot".to_owned()) else { return };
        self.check_keys(&place, &ROBOT);
        for entry in place.table.entries() {
            let known = ROBOT.keys.iter().any(|k| k.name == entry.key);
            if known && !WRITTEN.contains(&entry.key.as_str()) {
                let why = "this belongs into the file that names the robot's file as `source`";
                let path = format!("robot.{}", entry.key);
                self.note(&path, Some(&entry.origin), Mistake::Conflict(why.to_owned()));
            }
        }
        if let Some((node, path)) = place.get("imported") {
            self.text(node, &path);
        }
        for key in ["notes", "doubts"] {
            let Some((node, path)) = place.get(key) else { continue };
            for node in self.list(node, &path).unwrap_or_default() {
                let Value::Text { text, .. } = &node.value else {
                    self.wrong_kind::<()>(node, &path, "a text");
                    continue;
                };
                let caution = match key {
                    "notes" => Caution::RobotNote(text.clone()),
                    _ => Caution::RobotDoubt(text.clone()),
                };
                self.warnings.push(Warning { path: "robot".to_owned(), origin: None, caution });
            }
        }
    }

    /// Says that rotors are missing, if the robot has none at all.
    pub(super) fn warn_of_motors(&mut self) {
        if self.description.root.get("robot").is_none() {
            return;
        }
        if self.parts.joints.iter().all(|joint| joint.rotor.iter().all(|r| *r == 0.0)) {
            let caution = Caution::MotorsNotCounted;
            self.warnings.push(Warning { path: "robot".to_owned(), origin: None, caution });
        }
    }
}
