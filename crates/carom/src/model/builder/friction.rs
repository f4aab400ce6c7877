//! The friction of a contact: a coefficient, `"stick"`, or a law with its numbers.

use super::Builder;
use super::keys::FRICTIONS;
use super::reader::Place;
use crate::maths::units::Dimension;
use crate::model::contact::{Friction, FrictionKind, FrictionParameters};
use crate::model::description::{Node, Value};

impl<'d> Builder<'d> {
    pub(super) fn friction(&mut self, node: &'d Node, path: &str) -> Option<Friction> {
        match &node.value {
            Value::Text { text, .. } if text == "stick" => return Some(Friction::Stick),
            Value::Table(table) => {
                let place = Place { path: path.to_owned(), origin: Some(&node.origin), table };
                return self.friction_law(&place).map(Friction::Law);
            }
            _ => {}
        }
        let mu = self.quantity(node, path, Dimension::NONE)?;
        let expected = "a coefficient of friction of at least 0 (or \"stick\", or a table)";
        self.in_range(node, path, mu, mu >= 0.0, expected).map(Friction::Coefficient)
    }

    fn friction_law(&mut self, place: &Place<'d>) -> Option<FrictionParameters> {
        let (word, _) = self.section(place, &FRICTIONS)?;
        let kind = FrictionKind::ALL.into_iter().find(|k| k.name() == word)?;
        let bristle = kind == FrictionKind::Bristle;
        // Per unit of normal force, except for bristles.
        let per_force = |d: Dimension| if bristle { d } else { d.per(Dimension::FORCE) };
        let stiffness = per_force(Dimension::FORCE.per(Dimension::LENGTH));
        let damping = per_force(Dimension::DAMPING);
        let mut number = |key: &str, dimension, zero: bool, expected| match place.get(key) {
            Some((node, path)) => {
                let found = self.quantity(node, &path, dimension);
                let found = found.and_then(|x| {
                    self.in_range(node, &path, x, x > 0.0 || zero && x == 0.0, expected)
                });
                found.map(Some)
            }
            None => Some(None),
        };
        let coefficient = "a coefficient of friction of at least 0";
        let kinetic = number("kinetic", Dimension::NONE, true, coefficient);
        let breakaway = number("static", Dimension::NONE, true, coefficient);
        let speed = number("speed", Dimension::VELOCITY, false, "a positive speed [m/s]");
        let band = number("band", Dimension::VELOCITY, false, "a positive speed [m/s]");
        let stiffness = number("stiffness", stiffness, false, "a positive stiffness");
        let damping = number("damping", damping, !bristle, "a positive damping");
        let viscous = number("viscous", per_force(Dimension::DAMPING), true, "a damping");
        let dwell = number("dwell", Dimension::TIME, false, "a positive time [s]");
        let (kinetic, breakaway) = (kinetic??, breakaway?);
        if let (Some(found), Some((node, path))) = (breakaway, place.get("static")) {
            let expected = "a coefficient that is at least the kinetic one";
            self.in_range(node, &path, found, found >= kinetic, expected)?;
        }
        if kind == FrictionKind::LuGre
            && let Some((node, path)) = place.get("kinetic")
        {
            self.in_range(node, &path, kinetic, kinetic > 0.0, "a positive coefficient")?;
        }
        Some(FrictionParameters {
            kind,
            kinetic,
            breakaway,
            speed: speed?,
            band: band?,
            stiffness: stiffness?,
            damping: damping?,
            viscous: viscous?,
            dwell: dwell?,
        })
    }
}
