//! What may not be meant.

use super::Builder;
use super::finding::{Caution, Warning};
use crate::model::JointKind;

/// A machine whose every mass is above this, and every offset, was likely written in grams and
/// millimetres.
const SUSPICIOUS: f64 = 20.0;

impl Builder<'_> {
    pub(super) fn warn(&mut self) {
        let root = &self.description.root;
        if root.get("gravity").is_none() {
            let caution = Caution::NoGravity;
            self.warnings.push(Warning { path: "gravity".to_owned(), origin: None, caution });
        }
        if self.parts.bodies.is_empty() {
            self.warnings.push(Warning {
                path: "bodies".to_owned(),
                origin: None,
                caution: Caution::NoBody,
            });
        }
        self.warn_of_motors();
        self.warn_of_scale();
        let mut turns = vec![false; self.parts.bodies.len()];
        for joint in &self.parts.joints {
            turns[joint.child] = !matches!(joint.kind, JointKind::Weld | JointKind::Prismatic);
        }
        for &body in self.without_inertia.iter().filter(|b| turns[**b]) {
            let path = format!("bodies.{}", self.parts.bodies[body].name);
            let origin = self.description.locate(&path);
            self.warnings.push(Warning { path, origin, caution: Caution::PointMass });
        }
    }

    fn warn_of_scale(&mut self) {
        if self.units_written || self.parts.bodies.is_empty() {
            return;
        }
        let mass = self.parts.bodies.iter().map(|b| b.mass).fold(f64::INFINITY, f64::min);
        let offset = self
            .parts
            .joints
            .iter()
            .flat_map(|j| [j.in_parent.position.norm(), j.in_child.position.norm()])
            .filter(|d| *d > 0.0)
            .fold(f64::INFINITY, f64::min);
        if mass >= SUSPICIOUS && offset >= SUSPICIOUS && offset.is_finite() {
            let caution = Caution::LooksUnscaled { mass, offset };
            let origin = self.description.locate("bodies");
            self.warnings.push(Warning { path: "bodies".to_owned(), origin, caution });
        }
    }
}
