//! Reading single values: each method returns the value, or notes what is wrong and returns `None`.

use super::Builder;
use super::finding::{Finding, Mistake};
use super::keys::{Key, Section};
use crate::maths::Vec3;
use crate::maths::expression::{Expression, ExpressionError, Resolved, Scope, Tape};
use crate::maths::nearest::nearest;
use crate::maths::units::{Dimension, Measure};
use crate::model::description::{Entry, Node, Origin, Table, Value};

/// A table with its path and where its key stands.
#[derive(Clone, Debug)]
pub(super) struct Place<'d> {
    pub path: String,
    pub origin: Option<&'d Origin>,
    pub table: &'d Table,
}

impl<'d> Place<'d> {
    /// The node and path of a key.
    pub(super) fn get(&self, key: &str) -> Option<(&'d Node, String)> {
        self.table.get(key).map(|node| (node, format!("{}.{key}", self.path)))
    }
}

impl<'d> Builder<'d> {
    pub(super) fn note(&mut self, path: &str, origin: Option<&Origin>, mistake: Mistake) {
        self.findings.push(Finding { path: path.to_owned(), origin: origin.cloned(), mistake });
    }

    /// Notes that the value is of the wrong kind.
    fn wrong_kind<T>(&mut self, node: &Node, path: &str, expected: &'static str) -> Option<T> {
        let found = node.value.kind();
        self.note(path, Some(&node.origin), Mistake::WrongKind { found, expected });
        None
    }

    /// `; is … meant?`, or all that may stand there.
    ///
    /// After many findings no more are looked for: each costs a walk over all names.
    pub(super) fn hint<'a>(
        &self,
        word: &str,
        known: impl Iterator<Item = &'a str> + Clone,
    ) -> String {
        if self.findings.len() > 100 {
            return String::new();
        }
        if let Some(near) = nearest(word, known.clone()) {
            return format!("; is `{near}` meant?");
        }
        let shown: Vec<&str> = known.take(25).collect();
        if shown.is_empty() || shown.len() == 25 {
            return String::new();
        }
        format!("; known: {}", shown.join(", "))
    }

    pub(super) fn table(&mut self, entry: &'d Entry, path: String) -> Option<Place<'d>> {
        match &entry.node.value {
            Value::Table(table) => Some(Place { path, origin: Some(&entry.origin), table }),
            _ => self.wrong_kind(&entry.node, &path, "a table"),
        }
    }

    /// Notes unknown keys and missing ones.
    pub(super) fn check_keys(&mut self, place: &Place<'d>, section: &Section) {
        let names = section.keys.iter().map(|k| k.name);
        let kind = (!section.types.is_empty()).then_some("type");
        for entry in place.table.entries() {
            if kind == Some(entry.key.as_str()) || names.clone().any(|n| n == entry.key) {
                continue;
            }
            let hint = self.hint(&entry.key, names.clone().chain(kind));
            let key = entry.key.chars().take(60).collect();
            let mistake = Mistake::UnknownKey { key, section: section.what, hint };
            let path = joined(&place.path, &entry.key);
            self.note(&path, Some(&entry.origin), mistake);
        }
        for Key { name, doc, .. } in section.keys.iter().filter(|k| k.required) {
            if place.table.get(name).is_none() {
                self.note(&place.path, place.origin, Mistake::Missing { key: name, doc });
            }
        }
    }

    /// The section that the word at `type` asks for, after checking its keys.
    pub(super) fn section(
        &mut self,
        place: &Place<'d>,
        sections: &'static [Section],
    ) -> Option<(&'static str, &'static Section)> {
        let Some((node, path)) = place.get("type") else {
            let doc = "it says what this is";
            self.note(&place.path, place.origin, Mistake::Missing { key: "type", doc });
            return None;
        };
        let words: Vec<&'static str> = sections.iter().flat_map(|s| s.types).copied().collect();
        let word = words[self.choice(node, &path, &words, "type")?];
        let section = sections.iter().find(|s| s.types.contains(&word))?;
        self.check_keys(place, section);
        Some((word, section))
    }

    pub(super) fn text(&mut self, node: &'d Node, path: &str) -> Option<&'d str> {
        match &node.value {
            Value::Text { text, .. } => Some(text),
            _ => self.wrong_kind(node, path, "a text"),
        }
    }

    pub(super) fn boolean(&mut self, node: &Node, path: &str) -> Option<bool> {
        match node.value {
            Value::Bool(b) => Some(b),
            _ => self.wrong_kind(node, path, "true or false"),
        }
    }

    pub(super) fn list(&mut self, node: &'d Node, path: &str) -> Option<&'d [Node]> {
        match &node.value {
            Value::List(list) => Some(list),
            _ => self.wrong_kind(node, path, "a list"),
        }
    }

    /// Two entries of a list.
    pub(super) fn pair(&mut self, node: &'d Node, path: &str) -> Option<[&'d Node; 2]> {
        let list = self.list(node, path)?;
        if let [a, b] = list {
            return Some([a, b]);
        }
        self.wrong_count(node, path, list.len(), "2", "")
    }

    pub(super) fn wrong_count<T>(
        &mut self,
        node: &Node,
        path: &str,
        found: usize,
        expected: &str,
        why: &str,
    ) -> Option<T> {
        let (expected, why) = (expected.to_owned(), why.to_owned());
        self.note(path, Some(&node.origin), Mistake::WrongCount { found, expected, why });
        None
    }

    /// The position of the word in `words`.
    pub(super) fn choice(
        &mut self,
        node: &'d Node,
        path: &str,
        words: &[&str],
        what: &'static str,
    ) -> Option<usize> {
        let found = self.text(node, path)?;
        let at = words.iter().position(|w| *w == found);
        if at.is_none() {
            let hint = self.hint(found, words.iter().copied());
            let found = found.chars().take(60).collect();
            self.note(path, Some(&node.origin), Mistake::UnknownWord { found, what, hint });
        }
        at
    }

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
                let resolved = Expression::parse(text, scope)
                    .and_then(|e| e.resolve(|name| self.lookup(name, scope, &mut silent)));
                match resolved {
                    Ok(resolved) => {
                        self.units_written |= matches!(resolved.measure, Measure::Known(_));
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
        self.tape(node, path, Scope::Constant, expected)?.as_constant()
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
            .map(|(k, node)| self.quantity(node, &format!("{path}.{k}"), expected(k)))
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
        let vector = self.vector(node, path, Dimension::NONE)?;
        // Scaled first, so that tiny and huge vectors do not lose their direction.
        let largest = vector.amax();
        if largest == 0.0 {
            self.note(path, Some(&node.origin), Mistake::NoDirection { what });
            return None;
        }
        Some((vector / largest).normalize())
    }
}

/// Appends a key to a path; a key with a dot is put in quotes.
pub(super) fn joined(path: &str, key: &str) -> String {
    let key = if key.contains('.') { format!("\"{key}\"") } else { key.to_owned() };
    if path.is_empty() { key } else { format!("{path}.{key}") }
}
