//! `among`: contacts between all shapes whose names fit one of some patterns.

use std::collections::{BTreeMap, BTreeSet};

use super::Builder;
use super::finding::Mistake;
use super::reader::{Place, item};
use crate::model::contact::ContactDefaults;
use crate::model::parts::{ContactPart, ContactPlace};

/// Keys of one pair, which have no meaning for all of them.
const OF_ONE_PAIR: [&str; 8] =
    ["between", "joint", "coordinate", "lower", "upper", "normal", "normal_in", "rope"];

/// The pairs of shapes that have a contact, and the table that states it.
pub(super) type StatedPairs<'d> = BTreeMap<[usize; 2], &'d str>;

impl<'d> Builder<'d> {
    /// Pairs of shapes that a contact of their own names; they are left out of `among`.
    pub(super) fn stated_pairs(&self) -> StatedPairs<'d> {
        let pair = |contact: &ContactPart| match contact.place {
            ContactPlace::Shapes(a, b) => Some([a.min(b), a.max(b)]),
            ContactPlace::Points { .. } | ContactPlace::Rope { .. } | ContactPlace::Stop { .. } => {
                None
            }
        };
        self.parts.contacts.iter().filter_map(pair).map(|pair| (pair, "")).collect()
    }

    /// All pairs of the shapes that fit the patterns, each a contact `NAME.FIRST.SECOND`.
    pub(super) fn read_among(
        &mut self,
        name: &'d str,
        place: &Place<'d>,
        stated: &mut StatedPairs<'d>,
    ) {
        for (node, path) in OF_ONE_PAIR.iter().filter_map(|key| place.get(key)) {
            let why = "this key is that of one pair; `among` names many";
            self.note(&path, Some(&node.origin), Mistake::Conflict(why.to_owned()));
        }
        let defaults = self.contact_defaults(place, false);
        let sides = defaults.materials.as_ref().map(|m| m.pair.clone());
        if let (Some([a, b]), Some((node, path))) = (sides, place.get("materials"))
            && a != b
        {
            let why = "`among` has no first and second side: both need the same material";
            self.note(&path, Some(&node.origin), Mistake::Conflict(why.to_owned()));
        }
        let Some((node, path)) = place.get("among") else { return };
        let Some(patterns) = self.list(node, &path) else { return };
        let mut chosen = BTreeSet::new();
        let mut sound = true;
        for (k, pattern) in patterns.iter().enumerate() {
            let path = item(&path, k);
            let Some(text) = self.text(pattern, &path) else { return };
            let before = chosen.len();
            let fitting = self.shapes.iter().filter(|(shape, _)| fits_shape(text, shape));
            let fitting: Vec<Option<usize>> = fitting.map(|(_, shape)| *shape).collect();
            if fitting.is_empty() {
                let known =
                    self.shapes.keys().map(String::as_str).chain(self.bodies.keys().copied());
                let hint = self.hint(text, known);
                let (what, name) =
                    ("contact shape or body with one", text.chars().take(60).collect());
                let mistake = Mistake::UnknownName { what, name, hint };
                self.note(&path, Some(&pattern.origin), mistake);
                sound = false;
            } else if fitting.contains(&None) {
                // A shape with a fault of its own, which is noted.
                sound = false;
            }
            chosen.extend(fitting.into_iter().flatten());
            if sound && before > 0 && chosen.len() == before {
                let why = format!("all that `{text}` fits is named by the patterns before it");
                self.note(&path, Some(&pattern.origin), Mistake::Conflict(why));
                sound = false;
            }
        }
        if !sound {
            return;
        }
        let chosen: Vec<usize> = chosen.into_iter().collect();
        let mut found = false;
        for (k, &a) in chosen.iter().enumerate() {
            for &b in &chosen[k + 1..] {
                if self.parts.shapes[a].body == self.parts.shapes[b].body {
                    continue;
                }
                found = true;
                match stated.insert([a, b], name) {
                    None => self.push_pair(name, [a, b], &chosen, &defaults),
                    // A pair that is written out has its own contact.
                    Some("") => {
                        stated.insert([a, b], "");
                    }
                    Some(other) => {
                        let [a, b] = [a, b].map(|s| &self.parts.shapes[s].name);
                        let why = format!(
                            "`{a}` and `{b}` are among the shapes of contacts.{other} already; write this pair as a contact of its own with `between`"
                        );
                        self.note(&path, Some(&node.origin), Mistake::Conflict(why));
                        return;
                    }
                }
            }
        }
        if !found {
            let why = match chosen.as_slice() {
                [] => "there is no pattern; name shapes or bodies, `*` stands for any characters"
                    .to_owned(),
                [only] => {
                    format!("only `{}` fits; a contact takes two", self.parts.shapes[*only].name)
                }
                _ => "all shapes that fit are of one body, or of the ground".to_owned(),
            };
            self.note(&path, Some(&node.origin), Mistake::Conflict(why));
        }
    }

    /// One of the pairs. Its sides are named by their bodies, or by their shapes where a body has several that fit.
    fn push_pair(
        &mut self,
        name: &str,
        pair: [usize; 2],
        chosen: &[usize],
        defaults: &ContactDefaults,
    ) {
        let shapes = &self.parts.shapes;
        let side = |shape: usize| {
            let shape = &shapes[shape];
            let alone = chosen.iter().filter(|s| shapes[**s].body == shape.body).count() == 1;
            match shape.name.split_once('.') {
                Some((body, _)) if alone => body.to_owned(),
                _ => shape.name.clone(),
            }
        };
        let [a, b] = pair;
        let name = format!("{name}.{}.{}", side(a), side(b));
        let place = ContactPlace::Shapes(a, b);
        self.parts.contacts.push(ContactPart { name, place, defaults: defaults.clone() });
    }
}

/// Whether a pattern fits the full name of a shape, `body.shape`, or its body's; on ground the shape's own will do.
fn fits_shape(pattern: &str, shape: &str) -> bool {
    let parts = shape.split_once('.');
    fits(pattern, shape)
        || parts.is_some_and(|(body, own)| {
            fits(pattern, body) || body == "ground" && fits(pattern, own)
        })
}

/// Whether a name fits a pattern in which `*` stands for any characters, also none.
fn fits(pattern: &str, name: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(name) = name.strip_prefix(head) else { return false };
    let mut pieces: Vec<&str> = rest.split('*').collect();
    let Some(tail) = pieces.pop() else { return true };
    let Some(mut name) = name.strip_suffix(tail) else { return false };
    pieces.into_iter().all(|piece| match name.find(piece) {
        Some(at) => {
            name = &name[at + piece.len()..];
            true
        }
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use super::{fits, fits_shape};

    #[test]
    fn a_star_stands_for_any_characters() {
        for (pattern, name) in [
            ("ball_*", "ball_"),
            ("ball_*", "ball_12"),
            ("*", ""),
            ("a*b*c", "axxbyc"),
            ("a**c", "ac"),
        ] {
            assert!(fits(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in
            [("ball_*", "bal"), ("ball", "ball_1"), ("a*a", "a"), ("a*b*c", "acb"), ("", "a")]
        {
            assert!(!fits(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn a_pattern_names_a_body_a_shape_or_a_shape_of_the_ground() {
        assert!(fits_shape("ball_*", "ball_1.skin") && fits_shape("*.skin", "ball_1.skin"));
        assert!(fits_shape("wall", "ground.wall") && !fits_shape("skin", "ball_1.skin"));
    }
}
