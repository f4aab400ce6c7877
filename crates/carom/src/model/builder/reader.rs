//! Reading tables, texts and lists: each method returns the value, or notes what is wrong and returns `None`.

use super::Builder;
use super::finding::{Finding, Mistake};
use super::keys::{Key, Section};
use crate::maths::nearest::nearest;
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
        self.table.get(key).map(|node| (node, [&self.path, ".", key].concat()))
    }
}

impl<'d> Builder<'d> {
    pub(super) fn note(&mut self, path: &str, origin: Option<&Origin>, mistake: Mistake) {
        self.findings.push(Finding { path: path.to_owned(), origin: origin.cloned(), mistake });
    }

    /// Notes that the value is of the wrong kind.
    pub(super) fn wrong_kind<T>(
        &mut self,
        node: &Node,
        path: &str,
        expected: &'static str,
    ) -> Option<T> {
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
}

/// Appends a key to a path; a key with a dot is put in quotes.
pub(super) fn joined(path: &str, key: &str) -> String {
    let dot = if path.is_empty() { "" } else { "." };
    if key.contains('.') {
        [path, dot, "\"", key, "\""].concat()
    } else {
        [path, dot, key].concat()
    }
}

/// Appends a position in a list to a path. Written out: a study builds its model a million times.
pub(super) fn item(path: &str, k: usize) -> String {
    const DIGITS: [&str; 4] = [".0", ".1", ".2", ".3"];
    match DIGITS.get(k) {
        Some(digit) => [path, *digit].concat(),
        None => format!("{path}.{k}"),
    }
}
