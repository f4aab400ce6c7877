//! Edits by path, as of `--set`.

use thiserror::Error;

use crate::maths::nearest::nearest;

use super::{Description, Entry, Node, Origin, Table, Value, split_path};

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
    #[error("`{path}`: `{part}` is {kind}, so there is no key below it")]
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
    /// A parameter the file does not have: nothing would use it.
    #[error("`parameters.{name}`: the file has no such parameter{hint}")]
    NoParameter {
        /// The name.
        name: String,
        /// The nearest one or all of them, beginning with a separator.
        hint: String,
    },
    /// A table, which is not read from an edit.
    #[error("`{text}` is a table; set its keys one by one, such as bodies.rod.shape.rod=1")]
    Table {
        /// The value.
        text: String,
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
    /// quotes. Keys that are not there are made: the builder judges them; but a parameter must be there,
    /// for one that nothing uses would change nothing and nobody would notice. The value is a number, a
    /// truth value or a list `[…]` if it looks like one, otherwise a text.
    pub fn set(&mut self, path: &str, value: &str) -> Result<(), SetError> {
        let origin = Origin::Set(format!("{path}={value}"));
        let new = Node { origin: origin.clone(), value: read_value(value, &origin, 0)? };
        self.set_node(path, new)
    }

    /// Sets a node at a path, as [`Description::set`] does.
    pub fn set_node(&mut self, path: &str, new: Node) -> Result<(), SetError> {
        let origin = new.origin.clone();
        let parts = split_path(path).ok_or_else(|| SetError::Path { path: path.to_owned() })?;
        let Some((last, front)) = parts.split_last() else {
            return Err(SetError::Path { path: path.to_owned() });
        };
        if let [first, name] = parts.as_slice()
            && first == "parameters"
        {
            self.expect_parameter(name)?;
        }
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

    fn expect_parameter(&self, name: &str) -> Result<(), SetError> {
        let table = match self.root.get("parameters").map(|node| &node.value) {
            Some(Value::Table(table)) => table,
            _ => &Table::default(),
        };
        if table.get(name).is_some() {
            return Ok(());
        }
        let known = || table.entries().iter().map(|entry| entry.key.as_str());
        let hint = match nearest(name, known()) {
            Some(near) => format!("; is `{near}` meant?"),
            None if known().next().is_none() => String::new(),
            None => format!("; known: {}", known().take(20).collect::<Vec<_>>().join(", ")),
        };
        Err(SetError::NoParameter { name: name.to_owned(), hint })
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
    if text.starts_with('{') {
        return Err(SetError::Table { text: text.to_owned() });
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
#[path = "edit_tests.rs"]
mod tests;
