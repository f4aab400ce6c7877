//! Tables that expressions name: `table("cam.csv", …)`, read once from beside the model file.

use std::collections::btree_map::Entry;
use std::io::Read as _;
use std::sync::Arc;

use super::{Places, open_regular};
use crate::maths::expression::Samples;
use crate::model::Description;
use crate::model::description::Value;

/// The largest table that is read.
const MOST_BYTES: u64 = 64 << 20;

/// Reads the tables that texts of a description name and that are not read yet. What is wrong with one is said where it is named.
pub(super) fn read_tables(description: &mut Description, places: &Places) {
    let mut names = Vec::new();
    for entry in description.root.entries() {
        add(&entry.node.value, &mut names);
    }
    for name in names {
        let place = description.tables.entry(name);
        if let Entry::Vacant(place) = place {
            let found = read(place.key(), places).map(Arc::new);
            place.insert(found);
        }
    }
}

/// The names in the texts of a value.
fn add(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::Text { text, .. } => names.extend(named(text)),
        Value::List(list) => list.iter().for_each(|node| add(&node.value, names)),
        Value::Table(table) => table.entries().iter().for_each(|e| add(&e.node.value, names)),
        _ => {}
    }
}

/// What stands in quotes behind `table(`.
fn named(text: &str) -> impl Iterator<Item = String> {
    text.split("table").skip(1).filter_map(|rest| {
        let inside = rest.trim_start().strip_prefix('(')?.trim_start().strip_prefix('"')?;
        inside.split_once('"').map(|(name, _)| name.to_owned())
    })
}

fn read(name: &str, places: &Places) -> Result<Samples, String> {
    let shown = |why: String| format!("`{name}`: {why}");
    let path = places.find(name).map_err(shown)?;
    let told = |error: std::io::Error| shown(format!("cannot be read: {error}"));
    let file = open_regular(&path).map_err(told)?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(told)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(shown("larger than 64 MB".to_owned()));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..at].split(|b| *b == b'\n').count();
        format!("{name}:{line}: not a text file")
    })?;
    Samples::read(&text).map_err(|why| format!("{name}:{why}"))
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn names_stand_in_quotes_behind_the_word() {
        let found: Vec<String> =
            named("2*table(\"a.csv\", t) + table( \"b c.csv\" , 1) + tableau + table(x)").collect();
        assert_eq!(found, ["a.csv", "b c.csv"]);
    }
}
