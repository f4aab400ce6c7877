//! From names to bodies, joints, coordinates, markers and shapes.

use super::Builder;
use super::finding::Mistake;
use super::reader::{Place, joined};
use crate::maths::expression::{Scope, Variable};
use crate::model::contact::FORCE_VARIABLES;
use crate::model::description::{Entry, Node};
use crate::model::parts::{PartPlace, Parts};
use crate::model::{JointKind, description::Origin};

/// The angle of a profile r(φ); it takes the place of time on the tape.
pub(super) const PROFILE_VARIABLE: &str = "phi";

/// A joint that is named in the file; `None` if it has a fault.
pub(super) type NamedJoint = Option<(usize, JointKind)>;

impl<'d> Builder<'d> {
    /// The tables of a section in the order of the file; notes names that are none.
    pub(super) fn named(&mut self, section: &'static str) -> Vec<(&'d str, Place<'d>)> {
        let Some(entry) = self.description.root.entry(section) else { return Vec::new() };
        let Some(place) = self.table(entry, section.to_owned()) else { return Vec::new() };
        let mut out = Vec::with_capacity(place.table.entries().len());
        for entry in place.table.entries() {
            let path = joined(section, &entry.key);
            self.check_name(entry, &path);
            if let Some(inner) = self.table(entry, path) {
                out.push((entry.key.as_str(), inner));
            }
        }
        out
    }

    pub(super) fn check_name(&mut self, entry: &Entry, path: &str) {
        let name = &entry.key;
        let sound =
            !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
        if !sound {
            let rule = "names are made of letters, digits, `-` and `_`";
            let name = name.chars().take(60).collect();
            self.note(path, Some(&entry.origin), Mistake::BadName { name, rule });
        }
    }

    /// A body or the ground.
    pub(super) fn body(&mut self, node: &'d Node, path: &str) -> Option<PartPlace> {
        let name = self.text(node, path)?;
        if name == "ground" {
            return Some(None);
        }
        if let Some(&body) = self.bodies.get(name) {
            return Some(Some(body));
        }
        let hint = self.hint(name, self.bodies.keys().copied().chain(["ground"]));
        let name = name.chars().take(60).collect();
        let mistake = Mistake::UnknownName { what: "body", name, hint };
        self.note(path, Some(&node.origin), mistake);
        None
    }

    /// A joint by its name; `None` also for a joint with a fault of its own.
    pub(super) fn joint(
        &mut self,
        (path, origin): (&str, &Origin),
        name: &str,
    ) -> Option<(usize, JointKind)> {
        if let Some(&known) = self.joints.get(name) {
            return known;
        }
        let hint = self.hint(name, self.joints.keys().copied());
        let name = name.chars().take(60).collect();
        self.note(path, Some(origin), Mistake::UnknownName { what: "joint", name, hint });
        None
    }

    /// A marker by its full name; `None` also for one with a fault of its own.
    pub(super) fn marker(&mut self, (path, origin): (&str, &Origin), name: &str) -> Option<usize> {
        if let Some(&known) = self.markers.get(name) {
            return known;
        }
        let hint = self.hint(name, self.markers.keys().map(String::as_str));
        let name = name.chars().take(60).collect();
        self.note(path, Some(origin), Mistake::UnknownName { what: "marker", name, hint });
        None
    }

    /// The `joint` and `coordinate` of a load or drive; `position` asks for one with a position.
    pub(super) fn joint_coordinate(
        &mut self,
        place: &Place<'d>,
        position: bool,
    ) -> Option<(usize, usize, JointKind)> {
        let (node, path) = place.get("joint")?;
        let name = self.text(node, &path)?;
        let (joint, kind) = self.joint((&path, &node.origin), name)?;
        let (at, word) = match place.get("coordinate") {
            Some((node, path)) => {
                let word = self.text(node, &path)?;
                ((path, &node.origin), Some(word))
            }
            None => ((path, &node.origin), None),
        };
        match coordinate(name, kind, word, position) {
            Ok(k) => Some((joint, k, kind)),
            Err(why) => {
                self.note(&at.0, Some(at.1), Mistake::Conflict(why));
                None
            }
        }
    }

    /// `t`, `q.JOINT`, `v.JOINT.COORDINATE`, `gap.CONTACT`; `Ok(None)` if the name is none of these.
    pub(super) fn variable(
        &self,
        name: &str,
        scope: Scope,
        silent: &mut bool,
    ) -> Result<Option<Variable>, String> {
        if scope == Scope::Contact {
            let found = FORCE_VARIABLES.iter().find(|v| v.0 == name);
            return found.map(|v| Some(v.1)).ok_or_else(|| {
                let names = FORCE_VARIABLES.map(|v| v.0).join(", ");
                format!("; a force law may use parameters and {names}")
            });
        }
        if (scope, name) == (Scope::Angle, PROFILE_VARIABLE) {
            return Ok(Some(Variable::Time));
        }
        if name == "t" {
            return if scope.has_time() {
                Ok(Some(Variable::Time))
            } else {
                Err("; time belongs into drives and loads".to_owned())
            };
        }
        if let (Scope::Event, Some(contact)) = (scope, name.strip_prefix("gap.")) {
            let known = self.parts.contacts.iter().map(|c| c.name.as_str());
            let at = known.clone().position(|name| name == contact);
            return match at {
                Some(k) => Ok(Some(Variable::Gap(k))),
                None => Err(self.hint(contact, known)),
            };
        }
        let (position, rest) = match (name.strip_prefix("q."), name.strip_prefix("v.")) {
            (Some(rest), _) => (true, rest),
            (_, Some(rest)) => (false, rest),
            _ => return Ok(None),
        };
        let allowed = match scope {
            Scope::Constant | Scope::Time | Scope::Contact | Scope::Angle => false,
            Scope::Positions => position,
            Scope::Motion | Scope::Event => true,
        };
        if !allowed {
            return Err("; joint coordinates belong into loads and conditions".to_owned());
        }
        let (joint, word) = match rest.split_once('.') {
            Some((joint, word)) => (joint, Some(word)),
            None => (rest, None),
        };
        let Some(known) = self.joints.get(joint) else {
            let spaces = if joint.contains('-') { " (a minus needs spaces around it)" } else { "" };
            return Err(format!("{}{spaces}", self.hint(joint, self.joints.keys().copied())));
        };
        let Some((index, kind)) = known else {
            *silent = true;
            return Err(String::new());
        };
        let k = coordinate(joint, *kind, word, position).map_err(|why| format!(": {why}"))?;
        let k = Parts::variable(*index, k);
        Ok(Some(if position { Variable::Position(k) } else { Variable::Velocity(k) }))
    }
}

/// Which coordinate of a joint is meant.
pub(super) fn coordinate(
    name: &str,
    kind: JointKind,
    word: Option<&str>,
    position: bool,
) -> Result<usize, String> {
    let words = kind.coordinate_names();
    let k = match word {
        Some(word) => words.iter().position(|w| *w == word).ok_or_else(|| {
            format!("joint `{name}` has no coordinate `{word}`; it has: {}", words.join(", "))
        })?,
        None if words.len() == 1 => 0,
        None if words.is_empty() => return Err(format!("joint `{name}` is a weld and has none")),
        None => {
            let all = words.join(", ");
            return Err(format!("joint `{name}` has several coordinates; name one of: {all}"));
        }
    };
    if position && kind.position_of(k).is_none() {
        return Err(format!(
            "`{}` of joint `{name}` is a rotation in space: it has a velocity, but no position of one number",
            words[k]
        ));
    }
    Ok(k)
}
