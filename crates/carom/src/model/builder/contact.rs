//! `[contacts]`: pairs that may touch, and what the file says about their law.

use super::Builder;
use super::finding::Mistake;
use super::keys::{CONTACT, LAWS};
use super::reader::{Place, item};
use crate::maths::Vec3;
use crate::maths::units::{Dimension, Measure, UnitError};
use crate::model::contact::ContactDefaults;
use crate::model::description::Node;
use crate::model::parts::{ContactPart, ContactPlace, MarkerPart, PartPlace};

impl<'d> Builder<'d> {
    pub(super) fn read_contacts(&mut self) {
        let mut among = Vec::new();
        for (name, place) in self.named("contacts") {
            self.check_keys(&place, &CONTACT);
            if place.get("among").is_some() {
                among.push((name, place));
                continue;
            }
            let found = self.contact_place(&place);
            let turns = found.is_some_and(|found| self.is_turning(&found));
            let defaults = self.contact_defaults(&place, turns);
            if let Some(found) = found {
                if let (ContactPlace::Points { .. }, Some((node, path))) =
                    (&found, place.get("materials"))
                {
                    let why = "two markers have no shape to go with materials; write `stiffness`";
                    self.note(&path, Some(&node.origin), Mistake::Conflict(why.to_owned()));
                }
                let name = name.to_owned();
                self.parts.contacts.push(ContactPart { name, place: found, defaults });
            }
        }
        // A pair that is written out wins, wherever it stands.
        let mut stated = self.stated_pairs();
        for (name, place) in among {
            self.read_among(name, &place, &mut stated);
        }
        self.contacts_of_clearances();
    }

    /// Two shapes, or two markers. A name may be that of a shape and of a marker: then shapes are
    /// meant, unless a `normal` is written.
    fn contact_place(&mut self, place: &Place<'d>) -> Option<ContactPlace> {
        if place.get("joint").is_some() {
            return self.stops(place);
        }
        for key in ["coordinate", "lower", "upper"] {
            if let Some((node, path)) = place.get(key) {
                let why = "this key goes with `joint`: a joint's stops";
                self.note(&path, Some(&node.origin), Mistake::Conflict(why.to_owned()));
            }
        }
        let Some((node, path)) = place.get("between") else {
            let doc = "two shapes, or two markers with a normal (or `among`: many shapes by pattern; or `joint`: its stops)";
            self.note(&place.path, place.origin, Mistake::Missing { key: "between", doc });
            return None;
        };
        let [a, b] = self.pair(node, &path)?;
        let first = self.text(a, &item(&path, 0));
        let second = self.text(b, &item(&path, 1));
        let names = [first?, second?];
        let markers = names.map(|name| self.markers.get(name).copied());
        if place.get("rope").is_some() {
            return self.rope(place, [a, b], names);
        }
        let shapes = names.map(|name| self.shapes.get(name).copied());
        let point = place.table.get("normal").is_some();
        match (shapes, markers) {
            ([Some(_), Some(_)], [Some(a), Some(b)]) if point => {
                self.contact_of_markers(place, a?, b?)
            }
            ([Some(a), Some(b)], _) => {
                for key in ["normal", "normal_in"] {
                    if let Some((node, path)) = place.get(key) {
                        let why =
                            "two shapes have a normal of their own; this key goes with markers";
                        self.note(&path, Some(&node.origin), Mistake::Conflict(why.to_owned()));
                    }
                }
                Some(ContactPlace::Shapes(a?, b?))
            }
            (_, [Some(a), Some(b)]) => self.contact_of_markers(place, a?, b?),
            _ => {
                let mut known = true;
                for (k, node) in [a, b].into_iter().enumerate() {
                    if shapes[k].is_none() && markers[k].is_none() {
                        self.unknown_side(node, &format!("{path}.{k}"), names[k]);
                        known = false;
                    }
                }
                if known {
                    let why = "a shape and a marker cannot touch; write { point = […] } as a shape";
                    self.note(&path, Some(&node.origin), Mistake::Conflict(why.to_owned()));
                }
                None
            }
        }
    }

    /// A rope between two markers.
    fn rope(
        &mut self,
        place: &Place<'d>,
        nodes: [&'d Node; 2],
        names: [&'d str; 2],
    ) -> Option<ContactPlace> {
        let others =
            ["normal", "normal_in", "materials", "length", "reference_force", "depth", "friction"];
        for key in others {
            if let Some((node, path)) = place.get(key) {
                let why = "a rope has no normal, shapes, materials or friction of its own";
                self.note(&path, Some(&node.origin), Mistake::Conflict(why.to_owned()));
            }
        }
        let (node, path) = place.get("rope")?;
        let length = self.positive(node, &path, "a positive length [m]");
        let (_, path) = place.get("between")?;
        let ends = [0, 1].map(|k| self.marker((&item(&path, k), &nodes[k].origin), names[k]));
        let [a, b] = ends;
        let [a, b] = [a?, b?].map(|marker| self.parts.markers[marker].point);
        Some(ContactPlace::Rope { a, b, length: length? })
    }

    /// The stops of a joint's coordinate.
    fn stops(&mut self, place: &Place<'d>) -> Option<ContactPlace> {
        let others = [
            "between",
            "rope",
            "normal",
            "normal_in",
            "materials",
            "length",
            "reference_force",
            "depth",
            "friction",
        ];
        for key in others {
            if let Some((node, path)) = place.get(key) {
                let why = "a joint's stops have no shapes, materials or friction; this key goes with `between`";
                self.note(&path, Some(&node.origin), Mistake::Conflict(why.to_owned()));
            }
        }
        let (joint, coordinate, kind) = self.joint_coordinate(place, true)?;
        let dimension =
            if kind.is_angular(coordinate) { Dimension::ANGLE } else { Dimension::LENGTH };
        let mut limit = |key: &str| match place.get(key) {
            Some((node, path)) => self.quantity(node, &path, dimension).map(Some),
            None => Some(None),
        };
        let (lower, upper) = (limit("lower")?, limit("upper")?);
        if lower.is_none() && upper.is_none() {
            let doc = "where the joint stops, [m] or [rad]; or `upper`, or both";
            self.note(&place.path, place.origin, Mistake::Missing { key: "lower", doc });
            return None;
        }
        if let (Some(low), Some(high), Some((node, path))) = (lower, upper, place.get("upper")) {
            self.in_range(node, &path, high, high > low, "a position above `lower`")?;
        }
        Some(ContactPlace::Stop { joint, coordinate, lower, upper })
    }

    /// Whether the contact's gap is an angle.
    fn is_turning(&self, place: &ContactPlace) -> bool {
        let ContactPlace::Stop { joint, coordinate, .. } = *place else { return false };
        self.parts.joints[joint].kind.is_angular(coordinate)
    }

    fn unknown_side(&mut self, node: &Node, path: &str, name: &str) {
        let known = self.shapes.keys().chain(self.markers.keys()).map(String::as_str);
        let hint = self.hint(name, known);
        let name = name.chars().take(60).collect();
        let mistake = Mistake::UnknownName { what: "contact shape or marker", name, hint };
        self.note(path, Some(&node.origin), mistake);
    }

    fn contact_of_markers(
        &mut self,
        place: &Place<'d>,
        a: usize,
        b: usize,
    ) -> Option<ContactPlace> {
        let written = match place.get("normal") {
            Some((node, path)) => Some(self.direction(node, &path, "normal")?),
            None => None,
        };
        let fixed_in: Option<PartPlace> = match place.get("normal_in") {
            Some((node, path)) => Some(self.body(node, &path)?),
            None => None,
        };
        if let (None, Some((node, path))) = (written, place.get("normal_in")) {
            let why =
                "`normal_in` goes with `normal`; a marker's direction is fixed in its own body";
            self.note(&path, Some(&node.origin), Mistake::Conflict(why.to_owned()));
        }
        let (first, second) = (&self.parts.markers[a], &self.parts.markers[b]);
        let found = match written {
            Some(normal) => Some((fixed_in.flatten(), normal)),
            None => marker_normal(first, second),
        };
        let (a, b) = (first.point, second.point);
        let Some((normal_in, normal)) = found else {
            let doc = "two markers need it, unless one of them has a `direction`";
            self.note(&place.path, place.origin, Mistake::Missing { key: "normal", doc });
            return None;
        };
        Some(ContactPlace::Points { a, b, normal_in, normal })
    }

    pub(super) fn contact_defaults(&mut self, place: &Place<'d>, turns: bool) -> ContactDefaults {
        let restitution = place.get("restitution").and_then(|(node, path)| {
            let e = self.quantity(node, &path, Dimension::NONE)?;
            self.in_range(node, &path, e, (0.0..=1.0).contains(&e), "a restitution from 0 to 1")
        });
        let exponent = place.get("exponent").and_then(|(node, path)| {
            let n = self.quantity(node, &path, Dimension::NONE)?;
            self.in_range(node, &path, n, n > 0.0, "a positive exponent")
        });
        let stiffness = place
            .get("stiffness")
            .and_then(|(node, path)| self.contact_stiffness(node, &path, exponent, turns));
        let law = place.get("law").and_then(|(node, path)| {
            self.choice(node, &path, &LAWS, "contact law").map(|k| LAWS[k].to_owned())
        });
        let friction = place.get("friction").and_then(|(node, path)| self.friction(node, &path));
        ContactDefaults {
            restitution,
            stiffness: stiffness.map(|s| s.0),
            exponent: exponent.or(stiffness.and_then(|s| s.1)),
            materials: self.contact_materials(place),
            law,
            law_parameters: self.law_parameters(place, turns),
            friction,
        }
    }

    /// K and the exponent its unit asks for: N/mⁿ.
    fn contact_stiffness(
        &mut self,
        node: &'d Node,
        path: &str,
        written: Option<f64>,
        turns: bool,
    ) -> Option<(f64, Option<f64>)> {
        let (k, measure) = self.measured(node, path)?;
        let expected =
            if turns { "a positive stiffness [N m/rad^n]" } else { "a positive stiffness [N/m^n]" };
        self.in_range(node, path, k, k > 0.0, expected)?;
        let Measure::Known(found) = measure else { return Some((k, None)) };
        if turns {
            // N m rad⁻ⁿ
            let n = if found.angle < 0.0 { -found.angle } else { written.unwrap_or(1.5) };
            let expected = Dimension::ENERGY.per(Dimension::ANGLE.power(written.unwrap_or(n)));
            if let Err(problem) = found.check(expected) {
                self.note(path, Some(&node.origin), Mistake::Unit(problem));
                return None;
            }
            return Some((k, (found.angle < 0.0).then_some(n)));
        }
        // kg m^(1 − n) s⁻²
        let n = 1.0 - found.length;
        let likely = written.unwrap_or(if n > 0.0 { n } else { 1.5 });
        let expected = Dimension::FORCE.per(Dimension::LENGTH.power(likely));
        if let Err(problem) = found.check(expected) {
            // Any exponent would do: show the usual one.
            let problem = match (problem, written) {
                (UnitError::Expected { found, .. }, None) => UnitError::Expected {
                    found,
                    expected: Dimension::FORCE.per(Dimension::LENGTH.power(1.5)),
                },
                (other, _) => other,
            };
            self.note(path, Some(&node.origin), Mistake::Unit(problem));
            return None;
        }
        Some((k, Some(n)))
    }
}

/// The direction of the first marker that has one, turned from the first to the second.
fn marker_normal(a: &MarkerPart, b: &MarkerPart) -> Option<(PartPlace, Vec3)> {
    a.direction.map(|d| (a.point.body, d)).or(b.direction.map(|d| (b.point.body, -d)))
}
