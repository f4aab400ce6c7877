//! Reading numbers and vectors: plain, with a unit, or as an expression.

use super::Builder;
use super::finding::Mistake;
use super::reader::{Place, item};
use crate::maths::Vec3;
use crate::maths::expression::{ExpressionError, Resolved, Scope, Tape};
use crate::maths::units::{Dimension, Measure};
use crate::model::description::{Node, Origin, Value};

/// Larger numbers overflow in products of a few of them; no machine needs them.
const LARGEST: f64 = 1e60;

impl<'d> Builder<'d> {
    /// A number, a quantity or an expression, with what is known about its dimension.
    pub(super) fn expression(&mut self, node: &Node, path: &str, scope: Scope) -> Option<Resolved> {
        match &node.value {
            Value::Number(x) if x.is_finite() => {
                Some(Resolved { tape: Tape::constant(*x), measure: Measure::Number })
            }
            Value::Number(x) => {
                let mistake = Mistake::OutOfRange { found: *x, expected: "a finite number" };
                self.note(path, Some(&node.origin), mistake);
                None
            }
            Value::Text { text, verbatim } => {
                let mut silent = false;
                let resolved = self
                    .parsed(text, scope)
                    .and_then(|e| e.resolve(|name| self.lookup(name, scope, &mut silent)));
                match resolved {
                    Ok(resolved) => {
                        // A unit elsewhere says nothing about masses and lengths without one.
                        self.units_written |= matches!(resolved.measure, Measure::Known(d)
                            if d == Dimension::MASS || d == Dimension::LENGTH);
                        Some(resolved)
                    }
                    // The name belongs to something that has a fault of its own.
                    Err(_) if silent => None,
                    Err(error) => self.bad_expression(node, path, *verbatim, error),
                }
            }
            _ => self.wrong_kind(node, path, "a number, a quantity or an expression"),
        }
    }

    /// Points at the culprit inside the text where the text stands in the file as it is.
    pub(super) fn bad_expression<T>(
        &mut self,
        node: &Node,
        path: &str,
        verbatim: Option<usize>,
        error: ExpressionError,
    ) -> Option<T> {
        let origin = match verbatim {
            Some(first) => Origin::Text(first + error.at().start..first + error.at().end),
            None => node.origin.clone(),
        };
        self.note(path, Some(&origin), Mistake::Expression(error));
        None
    }

    /// An expression of that dimension.
    pub(super) fn tape(
        &mut self,
        node: &Node,
        path: &str,
        scope: Scope,
        expected: Dimension,
    ) -> Option<Tape> {
        let resolved = self.expression(node, path, scope)?;
        match resolved.measure.check(expected) {
            Ok(()) => Some(resolved.tape),
            Err(problem) => {
                self.note(path, Some(&node.origin), Mistake::Unit(problem));
                None
            }
        }
    }

    /// A number in SI units.
    pub(super) fn quantity(&mut self, node: &Node, path: &str, expected: Dimension) -> Option<f64> {
        let found = self.tape(node, path, Scope::Constant, expected)?.as_constant()?;
        let expected = "a number between -1e60 and 1e60";
        self.in_range(node, path, found, found.abs() <= LARGEST, expected)
    }

    /// The quantity at a key, if there is one.
    pub(super) fn quantity_at(
        &mut self,
        place: &Place<'d>,
        key: &str,
        expected: Dimension,
    ) -> Option<f64> {
        let (node, path) = place.get(key)?;
        self.quantity(node, &path, expected)
    }

    /// A quantity greater than zero.
    pub(super) fn positive(
        &mut self,
        node: &Node,
        path: &str,
        expected: &'static str,
    ) -> Option<f64> {
        let found = self.quantity(node, path, Dimension::LENGTH)?;
        self.in_range(node, path, found, found > 0.0, expected)
    }

    pub(super) fn in_range(
        &mut self,
        node: &Node,
        path: &str,
        found: f64,
        inside: bool,
        expected: &'static str,
    ) -> Option<f64> {
        if inside {
            return Some(found);
        }
        self.note(path, Some(&node.origin), Mistake::OutOfRange { found, expected });
        None
    }

    /// Numbers, each with its dimension; all are read, so that all faults are found.
    pub(super) fn quantities(
        &mut self,
        nodes: &'d [Node],
        path: &str,
        expected: impl Fn(usize) -> Dimension,
    ) -> Option<Vec<f64>> {
        let read: Vec<Option<f64>> = nodes
            .iter()
            .enumerate()
            .map(|(k, node)| self.quantity(node, &item(path, k), expected(k)))
            .collect();
        read.into_iter().collect()
    }

    /// Two numbers in the plane, three in space.
    pub(super) fn vector(
        &mut self,
        node: &'d Node,
        path: &str,
        expected: Dimension,
    ) -> Option<Vec3> {
        let list = self.list(node, path)?;
        if !self.counts_directions(node, path, list.len()) {
            return None;
        }
        let x = self.quantities(list, path, |_| expected)?;
        Some(Vec3::new(x[0], x[1], x.get(2).copied().unwrap_or(0.0)))
    }

    /// Whether a list is as long as the space has directions; notes it if not.
    pub(super) fn counts_directions(&mut self, node: &Node, path: &str, found: usize) -> bool {
        let (n, expected, why) =
            if self.planar { (2, "2", " in a planar model") } else { (3, "3", " in space") };
        if found != n {
            self.wrong_count::<()>(node, path, found, expected, why);
        }
        found == n
    }

    pub(super) fn vector_at(
        &mut self,
        place: &Place<'d>,
        key: &str,
        expected: Dimension,
    ) -> Option<Vec3> {
        let (node, path) = place.get(key)?;
        self.vector(node, &path, expected)
    }

    /// A unit vector.
    pub(super) fn direction(
        &mut self,
        node: &'d Node,
        path: &str,
        what: &'static str,
    ) -> Option<Vec3> {
        let list = self.list(node, path)?;
        if !self.counts_directions(node, path, list.len()) {
            return None;
        }
        // Any unit will do if it is the same for all: only the ratios count.
        let mut vector = Vec3::zeros();
        let mut measure = Measure::Number;
        for (k, (x, node)) in vector.iter_mut().zip(list).enumerate() {
            let path = item(path, k);
            let (value, this) = self.measured(node, &path)?;
            *x = value;
            match measure.plus(this) {
                Ok(both) => measure = both,
                Err(problem) => {
                    self.note(&path, Some(&node.origin), Mistake::Unit(problem));
                    return None;
                }
            }
        }
        // Scaled first, so that tiny and huge vectors do not lose their direction.
        let largest = vector.amax();
        if largest == 0.0 {
            self.note(path, Some(&node.origin), Mistake::NoDirection { what });
            return None;
        }
        Some((vector / largest).normalize())
    }

    /// What is known about the dimension of a value, with the value itself.
    pub(super) fn measured(&mut self, node: &'d Node, path: &str) -> Option<(f64, Measure)> {
        let resolved = self.expression(node, path, Scope::Constant)?;
        Some((resolved.tape.as_constant()?, resolved.measure))
    }
}
