//! The closed smooth curves of planar models: cams.

use super::Builder;
use super::finding::Mistake;
use super::reader::{Place, item};
use crate::maths::Vec3;
use crate::maths::expression::Scope;
use crate::maths::profile::Profile;
use crate::maths::units::Dimension;
use crate::model::ShapeKind;
use crate::model::description::Value;
use std::sync::Arc;

/// Radii or points of one profile.
const MOST_VALUES: usize = 10_000;

impl<'d> Builder<'d> {
    /// `profile = "r(phi)"`, a list of radii, or a list of points.
    pub(super) fn profile(&mut self, place: &Place<'d>) -> Option<ShapeKind> {
        let (node, path) = place.get("profile")?;
        let pose = self.shape_pose(place);
        if !self.planar {
            let why =
                "`profile` is a shape of planar models; in space write `mesh` or `polyhedron`";
            self.note(&path, Some(&node.origin), Mistake::Conflict(why.to_owned()));
            return None;
        }
        let radii = matches!(&node.value, Value::List(list)
            if list.first().is_some_and(|first| !matches!(first.value, Value::List(_))));
        if let (false, Some((angles, at))) = (radii, place.get("angles")) {
            let why = "`angles` goes with a list of radii: profile = [r0, r1, …]".to_owned();
            self.note(&at, Some(&angles.origin), Mistake::Conflict(why));
            return None;
        }
        let found = match &node.value {
            Value::Text { .. } | Value::Number(_) => {
                let radius = self.tape(node, &path, Scope::Angle, Dimension::LENGTH)?;
                Profile::expression(radius)
            }
            Value::List(list) if list.len() > MOST_VALUES => {
                let expected = "at most 10000 radii or points";
                return self.wrong_count(node, &path, list.len(), expected, "");
            }
            Value::List(list) if radii => {
                let radii = self.quantities(list, &path, |_| Dimension::LENGTH)?;
                match place.get("angles") {
                    None => Profile::radii(&radii),
                    Some((node, path)) => {
                        let list = self.list(node, &path)?;
                        let angles = self.quantities(list, &path, |_| Dimension::ANGLE)?;
                        if angles.len() != radii.len() {
                            let expected = radii.len().to_string();
                            let why = ", one of each radius";
                            return self.wrong_count(node, &path, angles.len(), &expected, why);
                        }
                        Profile::radii_at(&angles, &radii)
                    }
                }
            }
            Value::List(list) => {
                let points: Vec<Option<Vec3>> = list
                    .iter()
                    .enumerate()
                    .map(|(k, p)| self.vector(p, &item(&path, k), Dimension::LENGTH))
                    .collect();
                Profile::points(&points.into_iter().collect::<Option<Vec<_>>>()?)
            }
            _ => {
                let expected = "an expression r(phi), a list of radii or a list of points";
                return self.wrong_kind(node, &path, expected);
            }
        };
        match found {
            Ok(curve) => Some(ShapeKind::Profile { pose: pose?, curve: Arc::new(curve) }),
            Err(error) => {
                self.note(&path, Some(&node.origin), Mistake::Conflict(error.to_string()));
                None
            }
        }
    }
}
