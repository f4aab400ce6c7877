//! A model file as an untyped tree: what stands where, before anything is judged.
//!
//! `--set` and studies edit this tree by path and build the model again.

use std::collections::HashMap;
use std::ops::Range;

use thiserror::Error;

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
}

/// Why an edit cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SetError {
    /// An empty path, or one with an empty part.
    #[error("`{path}` is not a path: write keys with dots between, such as bodies.rod.mass")]
    Path {
        /// The path.
        path: String,
    },
    /// The path goes on behind a value that has no parts.
    #[error("`{path}`: `{part}` is {kind} and has no parts")]
    NoParts {
        /// The path.
        path: String,
        /// The part that ends it.
        part: String,
        /// What stands there.
        kind: &'static str,
    },
    /// A list without that entry.
    #[error("`{path}`: `{part}` is not an entry of a list of {length} (they count from 0)")]
    NoEntry {
        /// The path.
        path: String,
        /// The part that is no entry.
        part: String,
        /// How long the list is.
        length: usize,
    },
    /// A list whose brackets do not match.
    #[error("`{text}` is not a list: its brackets do not match")]
    List {
        /// The value.
        text: String,
    },
}

impl Description {
    /// Sets the value at a dotted path, as `--set bodies.rod.mass=3` does.
    ///
    /// Lists are entered by number (`joints.a.at.0.1`); a key with a dot in it stands in double
    /// quotes. Keys that are not there are made: the builder judges them. The value is a number, a
    /// truth value or a list `[…]` if it looks like one, otherwise a text.
    pub fn set(&mut self, path: &str, value: &str) -> Result<(), SetError> {
        let origin = Origin::Set(format!("{path}={value}"));
        let new = Node { origin: origin.clone(), value: read_value(value, &origin, 0)? };
        let parts = split_path(path).ok_or_else(|| SetError::Path { path: path.to_owned() })?;
        let Some((last, front)) = parts.split_last() else {
            return Err(SetError::Path { path: path.to_owned() });
        };
        let mut table = &mut self.root;
        // Walk down; a list ends the walk over tables and is finished by `set_in_list`.
        for (k, part) in front.iter().enumerate() {
            let position = table.position(part).unwrap_or_else(|| {
                let value = Value::Table(Table::default());
                let node = Node { origin: origin.clone(), value };
                table.insert(Entry { key: part.clone(), origin: origin.clone(), node });
                table.entries.len() - 1
            });
            match &mut table.entries[position].node.value {
                Value::Table(inner) => table = inner,
                Value::List(list) => return set_in_list(list, &parts[k + 1..], new, path),
                other => {
                    let kind = other.kind();
                    let (path, part) = (path.to_owned(), part.clone());
                    return Err(SetError::NoParts { path, part, kind });
                }
            }
        }
        table.insert(Entry { key: last.clone(), origin, node: new });
        Ok(())
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

fn set_in_list(list: &mut [Node], parts: &[String], new: Node, path: &str) -> Result<(), SetError> {
    let mut list = list;
    for (k, part) in parts.iter().enumerate() {
        let length = list.len();
        let Some(node) = part.parse().ok().and_then(|i: usize| list.get_mut(i)) else {
            let (path, part) = (path.to_owned(), part.clone());
            return Err(SetError::NoEntry { path, part, length });
        };
        if k + 1 == parts.len() {
            *node = new;
            return Ok(());
        }
        match &mut node.value {
            Value::List(inner) => list = inner,
            other => {
                let kind = other.kind();
                let (path, part) = (path.to_owned(), part.clone());
                return Err(SetError::NoParts { path, part, kind });
            }
        }
    }
    Err(SetError::Path { path: path.to_owned() })
}

/// Longest path; deeper tables than this are refused everywhere.
const MOST_PARTS: usize = 64;

/// Parts between dots; a part in double quotes may hold dots. `None` if a part is empty.
fn split_path(path: &str) -> Option<Vec<String>> {
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

/// How deep lists may stand inside each other; the format needs two.
const DEEPEST_LIST: usize = 8;

fn read_value(text: &str, origin: &Origin, depth: usize) -> Result<Value, SetError> {
    let text = text.trim();
    if let Ok(x) = text.parse() {
        return Ok(Value::Number(x));
    }
    match text {
        "true" => return Ok(Value::Bool(true)),
        "false" => return Ok(Value::Bool(false)),
        _ => {}
    }
    if let Some(rest) = text.strip_prefix('[') {
        let wrong = || SetError::List { text: text.to_owned() };
        let inside = rest.strip_suffix(']').filter(|_| depth < DEEPEST_LIST).ok_or_else(wrong)?;
        let items = split_list(inside).ok_or_else(wrong)?;
        let nodes: Result<Vec<Node>, SetError> = items
            .into_iter()
            .map(|item| {
                let value = read_value(item, origin, depth + 1)?;
                Ok(Node { origin: origin.clone(), value })
            })
            .collect();
        return Ok(Value::List(nodes?));
    }
    let inner = text.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or(text);
    Ok(Value::Text { text: inner.to_owned(), verbatim: None })
}

/// Splits at commas outside brackets and parentheses; `None` if they do not match.
fn split_list(text: &str) -> Option<Vec<&str>> {
    let mut items = Vec::new();
    let (mut start, mut depth) = (0, 0_usize);
    for (k, c) in text.char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => {
                items.push(&text[start..k]);
                start = k + 1;
            }
            _ => {}
        }
    }
    if !text[start..].trim().is_empty() {
        items.push(&text[start..]);
    }
    (depth == 0).then_some(items)
}

#[cfg(test)]
#[path = "description_tests.rs"]
mod tests;
