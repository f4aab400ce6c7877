//! `[initial]`: pose and velocity asked for in space.

use super::Builder;
use super::finding::Mistake;
use super::keys::{INITIAL, TARGET};
use super::reader::{Place, item, joined};
use crate::maths::expression::{Expression, ExpressionError, Operator, STACK, Scope, Step, Tape};
use crate::maths::units::Dimension;
use crate::model::Condition;
use crate::model::description::{Node, Value};

impl<'d> Builder<'d> {
    pub(super) fn read_initial(&mut self) {
        let Some(entry) = self.description.root.entry("initial") else { return };
        let Some(place) = self.table(entry, "initial".to_owned()) else { return };
        self.check_keys(&place, &INITIAL);
        self.read_targets(&place);
        if let Some((node, path)) = place.get("branch") {
            match &node.value {
                Value::List(list) => {
                    for (k, node) in list.iter().enumerate() {
                        self.read_condition(node, &format!("{path}.{k}"));
                    }
                }
                _ => self.read_condition(node, &path),
            }
        }
        if let Some((node, path)) = place.get("kinetic_energy") {
            let energy = self.quantity(node, &path, Dimension::ENERGY).and_then(|t| {
                self.in_range(node, &path, t, t >= 0.0, "a kinetic energy of at least 0 [J]")
            });
            self.parts.initial.rest.kinetic_energy = energy;
        }
    }

    fn read_targets(&mut self, place: &Place<'d>) {
        let Some(entry) = place.table.entry("points") else { return };
        let Some(points) = self.table(entry, "initial.points".to_owned()) else { return };
        for entry in points.table.entries() {
            let path = joined(&points.path, &entry.key);
            // points.rod.tip is a table `tip` in a table `rod`: a slip of TOML, not of the name.
            let unquoted = match &entry.node.value {
                Value::Table(inner) => inner
                    .entries()
                    .iter()
                    .map(|e| format!("{}.{}", entry.key, e.key))
                    .find(|name| self.markers.contains_key(name)),
                _ => None,
            };
            if let Some(name) = unquoted {
                let why = format!("the name of a marker stands in quotes here: points.\"{name}\"");
                self.note(&path, Some(&entry.origin), Mistake::Conflict(why));
                continue;
            }
            let marker = self.marker((&path, &entry.origin), &entry.key);
            let Some(target) = self.table(entry, path) else { continue };
            self.check_keys(&target, &TARGET);
            let at = self.components_or_free(&target, "at", Dimension::LENGTH);
            let velocity = self.components_or_free(&target, "velocity", Dimension::VELOCITY);
            if let (Some(marker), Some(at), Some(velocity)) = (marker, at, velocity) {
                self.parts.initial.points.push((marker, at, velocity));
            }
        }
    }

    /// Components of which each may be `"free"`; all are free if the key is missing.
    fn components_or_free(
        &mut self,
        place: &Place<'d>,
        key: &str,
        expected: Dimension,
    ) -> Option<[Option<f64>; 3]> {
        let Some((node, path)) = place.get(key) else { return Some([None; 3]) };
        let list = self.list(node, &path)?;
        if !self.counts_directions(node, &path, list.len()) {
            return None;
        }
        let mut out = [None; 3];
        let mut sound = true;
        for (k, (out, node)) in out.iter_mut().zip(list).enumerate() {
            if matches!(&node.value, Value::Text { text, .. } if text == "free") {
                continue;
            }
            *out = self.quantity(node, &item(&path, k), expected);
            sound &= out.is_some();
        }
        sound.then_some(out)
    }

    /// `left > right` or `left < right`.
    fn read_condition(&mut self, node: &'d Node, path: &str) {
        let Some(text) = self.text(node, path) else { return };
        let signs: Vec<(usize, char)> =
            text.char_indices().filter(|(_, c)| matches!(c, '<' | '>')).collect();
        let [(at, sign)] = signs[..] else {
            let why = "a condition has one `<` or `>`, such as \"q.elbow > 0\"".to_owned();
            self.note(path, Some(&node.origin), Mistake::Conflict(why));
            return;
        };
        let behind = at + 1 + usize::from(text[at + 1..].starts_with('='));
        let left = self.condition_side(node, path, &text[..at], 0);
        let right = self.condition_side(node, path, &text[behind..], behind);
        let (Some(left), Some(right)) = (left, right) else { return };
        let (above, below) = if sign == '>' { (left, right) } else { (right, left) };
        let steps = above.steps().iter().chain(below.steps()).cloned();
        let steps = steps.chain([Step::Operator(Operator::Subtract)]).collect();
        let Some(margin) = Tape::new(steps) else {
            let error = ExpressionError::TooDeep { at: at..behind, limit: STACK };
            self.note(path, Some(&node.origin), Mistake::Expression(error));
            return;
        };
        self.parts.initial.rest.branch.push(Condition { text: text.to_owned(), margin });
    }

    fn condition_side(
        &mut self,
        node: &'d Node,
        path: &str,
        text: &str,
        offset: usize,
    ) -> Option<Tape> {
        let Value::Text { verbatim, .. } = &node.value else { return None };
        let mut silent = false;
        let resolved = Expression::parse(text, Scope::Positions)
            .and_then(|e| e.resolve(|name| self.lookup(name, Scope::Positions, &mut silent)));
        match resolved {
            Ok(resolved) => Some(resolved.tape),
            Err(_) if silent => None,
            Err(error) => self.bad_expression(node, path, verbatim.map(|v| v + offset), error),
        }
    }
}
