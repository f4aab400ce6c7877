//! A model file as an untyped tree: what stands where, before anything is judged.
//!
//! `--set` and studies edit this tree by path and build the model again.

mod edit;
mod overlay;

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

pub use edit::SetError;

use crate::maths::expression::Samples;
use crate::maths::mesh::Mesh;

/// Where a node comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Bytes of the file.
    Text(Range<usize>),
    /// An edit, as it was written: `bodies.rod.mass=3`.
    Set(String),
}

impl Origin {
    /// The bytes of the file, if it comes from there.
    pub fn span(&self) -> Option<Range<usize>> {
        match self {
            Self::Text(span) => Some(span.clone()),
            Self::Set(_) => None,
        }
    }
}

/// A value and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where it comes from.
    pub origin: Origin,
    /// The value.
    pub value: Value,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A text; `verbatim` is the position of its first byte in the file, if it stands there
    /// without escapes.
    Text {
        /// The text.
        text: String,
        /// Its first byte in the file.
        verbatim: Option<usize>,
    },
    /// `true` or `false`.
    Bool(bool),
    /// `[…]`
    List(Vec<Node>),
    /// A table.
    Table(Table),
    /// Something a model has no use for, such as a date.
    Foreign(&'static str),
}

impl Value {
    /// What it is, in the words of an error message.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Number(_) => "a number",
            Self::Text { .. } => "a text",
            Self::Bool(_) => "true or false",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
            Self::Foreign(what) => what,
        }
    }
}

/// An entry of a [`Table`].
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Where the key stands.
    pub origin: Origin,
    /// What it is set to.
    pub node: Node,
}

/// Keys and values in the order of the file.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Table {
    entries: Vec<Entry>,
    /// Position of each key; kept only once there are many.
    index: HashMap<String, usize>,
}

/// From this size on a table keeps an index.
const MANY: usize = 12;

impl Table {
    /// The entries in the order of the file.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entry of that key.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.position(key).map(|k| &self.entries[k])
    }

    /// The value of that key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|e| &e.node)
    }

    /// Keys and values, to be changed in place.
    pub fn nodes_mut(&mut self) -> impl Iterator<Item = (&str, &mut Node)> {
        self.entries.iter_mut().map(|entry| (entry.key.as_str(), &mut entry.node))
    }

    /// The value of that key, to be changed in place.
    pub fn value_mut(&mut self, key: &str) -> Option<&mut Value> {
        let at = self.position(key)?;
        Some(&mut self.entries[at].node.value)
    }

    /// Appends an entry, or replaces the one with the same key.
    pub fn insert(&mut self, entry: Entry) {
        if let Some(k) = self.position(&entry.key) {
            self.entries[k] = entry;
            return;
        }
        if self.entries.len() >= MANY {
            if self.index.is_empty() {
                let keys = self.entries.iter().enumerate();
                self.index = keys.map(|(k, e)| (e.key.clone(), k)).collect();
            }
            self.index.insert(entry.key.clone(), self.entries.len());
        }
        self.entries.push(entry);
    }

    /// Positions of the keys of a large table.
    fn reindex(&mut self) {
        self.index.clear();
        if self.entries.len() > MANY {
            let keys = self.entries.iter().enumerate();
            self.index = keys.map(|(k, e)| (e.key.clone(), k)).collect();
        }
    }

    fn position(&self, key: &str) -> Option<usize> {
        if self.index.is_empty() {
            return self.entries.iter().position(|e| e.key == key);
        }
        self.index.get(key).copied()
    }
}

/// A whole model file.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Description {
    /// The top level.
    pub root: Table,
    /// The meshes that its contact shapes and bodies name, by their names; or why one cannot be read.
    pub meshes: BTreeMap<String, Result<Arc<Mesh>, String>>,
    /// Tables that its expressions name, by their files; or what is wrong with one.
    pub tables: BTreeMap<String, Result<Arc<Samples>, String>>,
}

impl Description {
    /// The mesh files that bodies and contact shapes name: those that have a part in the mechanics.
    pub fn mesh_files(&self) -> Vec<&str> {
        fn inner(node: Option<&Node>) -> &[Entry] {
            match node.map(|node| &node.value) {
                Some(Value::Table(table)) => table.entries(),
                _ => &[],
            }
        }
        let bodies = inner(self.root.get("bodies")).iter().map(|entry| &entry.node);
        let mut out = Vec::new();
        for owner in bodies.chain(self.root.get("ground")) {
            let Value::Table(owner) = &owner.value else { continue };
            let shapes = inner(owner.get("contact")).iter().map(|entry| &entry.node);
            for shape in shapes.chain(owner.get("shape")) {
                let Value::Table(shape) = &shape.value else { continue };
                if let Some(Value::Text { text, .. }) = shape.get("mesh").map(|node| &node.value) {
                    out.push(text.as_str());
                }
            }
        }
        out
    }

    /// The node at a path of keys and list positions.
    pub fn node(&self, path: &str) -> Option<&Node> {
        let parts = split_path(path)?;
        let (first, rest) = parts.split_first()?;
        let mut node = self.root.get(first)?;
        for part in rest {
            node = match &node.value {
                Value::Table(table) => table.get(part)?,
                Value::List(list) => list.get(part.parse::<usize>().ok()?)?,
                _ => return None,
            };
        }
        Some(node)
    }

    /// The node at a path of keys and list positions, and where its key stands; of the longest
    /// beginning of the path that exists.
    pub fn locate(&self, path: &str) -> Option<Origin> {
        let parts = split_path(path)?;
        let mut origin = None;
        let mut table = Some(&self.root);
        let mut list: Option<&Vec<Node>> = None;
        for part in &parts {
            let node = if let Some(here) = table {
                let Some(entry) = here.entry(part) else { break };
                origin = Some(key_or_value(entry));
                &entry.node
            } else if let Some(here) = list {
                let Some(node) = part.parse().ok().and_then(|k: usize| here.get(k)) else { break };
                origin = Some(node.origin.clone());
                node
            } else {
                break;
            };
            (table, list) = match &node.value {
                Value::Table(inner) => (Some(inner), None),
                Value::List(inner) => (None, Some(inner)),
                _ => (None, None),
            };
        }
        origin
    }
}

/// A table is pointed at by its key, anything else by its value.
fn key_or_value(entry: &Entry) -> Origin {
    match entry.node.value {
        Value::Table(_) => entry.origin.clone(),
        _ => entry.node.origin.clone(),
    }
}

/// Longest path; deeper tables than this are refused everywhere.
const MOST_PARTS: usize = 64;

/// Parts between dots; a part in double quotes may hold dots. `None` if a part is empty.
pub(crate) fn split_path(path: &str) -> Option<Vec<String>> {
    let mut parts = vec![String::new()];
    let mut quoted = false;
    for c in path.chars() {
        match c {
            '"' => quoted = !quoted,
            '.' if !quoted => parts.push(String::new()),
            c => parts.last_mut()?.push(c),
        }
    }
    let sound = !quoted && parts.len() <= MOST_PARTS && parts.iter().all(|p| !p.is_empty());
    sound.then_some(parts)
}
