//! TOML text → [`Description`] with the place of every key and value.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeFloat, DeInteger, DeTable, DeValue};

use crate::model::description::{Description, Entry, Node, Origin, Table, Value};

/// What is wrong with a text that is not TOML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxFault {
    /// Where, if that can be said.
    pub span: Option<Range<usize>>,
    /// What.
    pub message: String,
}

/// How deep tables and lists may stand inside each other; the format needs seven.
const DEEPEST: usize = 32;

/// Lines, values and keys that a text may have, counted by the characters that end them: each takes some hundred bytes of memory. A chain
/// of 10⁵ bodies has some two million.
const MOST_PIECES: usize = 4_000_000;
/// Letters of a key; names stand in every message and in the headings of tables.
const LONGEST_KEY: usize = 200;

/// The one fault of a text with too many lines, values or keys; at the first that is too much.
fn too_many(text: &str) -> Option<SyntaxFault> {
    let ends = |b: u8| matches!(b, b'\n' | b',' | b'=' | b'[' | b'{');
    let at = text.bytes().enumerate().filter(|(_, b)| ends(*b)).nth(MOST_PIECES)?.0;
    let message = format!("more than {MOST_PIECES} lines, keys and values in a file");
    Some(SyntaxFault { span: Some(at..at + 1), message })
}

/// Reads a text; all faults of its syntax that can be told apart are reported.
pub fn describe(text: &str) -> Result<Description, Vec<SyntaxFault>> {
    if let Some(fault) = too_many(text) {
        return Err(vec![fault]);
    }
    let (root, errors) = DeTable::parse_recoverable(text);
    let mut faults: Vec<SyntaxFault> = errors
        .iter()
        .map(|e| match e.span() {
            None => too_deep(text, e.message()),
            span => SyntaxFault { span, message: e.message().to_owned() },
        })
        .collect();
    faults.dedup();
    if !faults.is_empty() {
        return Err(faults);
    }
    let root = Reader { text, faults: &mut faults }.table(root.get_ref(), 0);
    if faults.is_empty() { Ok(Description { root, ..Description::default() }) } else { Err(faults) }
}

/// The one fault that comes without a place: a key of too many parts.
fn too_deep(text: &str, message: &str) -> SyntaxFault {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if line.matches('.').count() > DEEPEST {
            let message = format!("nested deeper than {DEEPEST} levels");
            return SyntaxFault { span: Some(start..start + line.trim_end().len()), message };
        }
        start += line.len();
    }
    SyntaxFault { span: None, message: message.to_owned() }
}

struct Reader<'a> {
    text: &'a str,
    faults: &'a mut Vec<SyntaxFault>,
}

impl Reader<'_> {
    fn table(&mut self, table: &DeTable<'_>, depth: usize) -> Table {
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let mut out = Table::default();
        for (key, value) in entries {
            if key.get_ref().chars().nth(LONGEST_KEY).is_some() {
                let found = key.get_ref().chars().count();
                let message =
                    format!("a name of {found} letters: at most {LONGEST_KEY} are expected");
                self.faults.push(SyntaxFault { span: Some(key.span()), message });
                continue;
            }
            out.insert(Entry {
                key: key.get_ref().to_string(),
                origin: Origin::Text(key.span()),
                node: self.node(value, depth + 1),
            });
        }
        out
    }

    fn node(&mut self, value: &Spanned<DeValue<'_>>, depth: usize) -> Node {
        let span = value.span();
        if depth > DEEPEST {
            if self.faults.is_empty() {
                let message = format!("nested deeper than {DEEPEST} levels");
                self.faults.push(SyntaxFault { span: Some(span.clone()), message });
            }
            return Node { origin: Origin::Text(span), value: Value::Bool(false) };
        }
        let value = match value.get_ref() {
            DeValue::String(text) => {
                Value::Text { text: text.to_string(), verbatim: self.verbatim(&span, text) }
            }
            DeValue::Integer(x) => Value::Number(integer(x)),
            DeValue::Float(x) => Value::Number(float(x)),
            DeValue::Boolean(b) => Value::Bool(*b),
            DeValue::Datetime(_) => Value::Foreign("a date or time"),
            DeValue::Array(list) => {
                Value::List(list.iter().map(|item| self.node(item, depth + 1)).collect())
            }
            DeValue::Table(table) => Value::Table(self.table(table, depth)),
        };
        Node { origin: Origin::Text(span), value }
    }

    /// Where a text begins, if it stands between its quotes without escapes.
    fn verbatim(&self, span: &Range<usize>, text: &str) -> Option<usize> {
        let written = self.text.get(span.clone())?;
        let quotes = written.len().checked_sub(text.len())? / 2;
        (written.get(quotes..written.len() - quotes)? == text).then_some(span.start + quotes)
    }
}

/// Integers beyond 64 bits are read like the float they are next to.
fn integer(x: &DeInteger<'_>) -> f64 {
    i64::from_str_radix(x.as_str(), x.radix())
        .map_or_else(|_| x.as_str().parse().unwrap_or(f64::NAN), |i| i as f64)
}

/// What overflows is infinite, and refused where it is used.
fn float(x: &DeFloat<'_>) -> f64 {
    x.as_str().parse().unwrap_or(f64::NAN)
}
