//! Names of a robot's file as names of a model file.

use std::collections::HashMap;

use super::{Fault, Note};

/// A name for the model file, and whether it differs from the original.
#[derive(Clone, Debug)]
pub(super) struct Name {
    /// In the model file.
    pub new: String,
    /// In the robot's file, if it is another.
    pub title: Option<String>,
}

/// Letters, digits, `-` and `_` stay; everything else becomes `_`. The model file keeps `ground` for itself.
pub(crate) fn mapped(name: &str) -> String {
    let new: String = name
        .trim()
        .chars()
        .map(|c| if c.is_alphanumeric() || matches!(c, '-' | '_') { c } else { '_' })
        .collect();
    if new == "ground" { "ground_link".to_owned() } else { new }
}

/// Names of all links or joints; two that become one are refused.
pub(super) fn names<'a>(
    what: &str,
    all: impl Iterator<Item = (&'a str, &'a std::ops::Range<usize>)>,
    notes: &mut Vec<Note>,
) -> Result<Vec<Name>, Vec<Fault>> {
    let mut seen: HashMap<String, &str> = HashMap::new();
    let (mut out, mut faults, mut renamed) = (Vec::new(), Vec::new(), Vec::new());
    for (name, span) in all {
        let new = mapped(name);
        if let Some(first) = seen.insert(new.clone(), name) {
            let message = format!(
                "{what} `{name}` and `{first}` would both be called `{new}` in a model file, whose names are made of letters, digits, `-` and `_`"
            );
            faults.push(Fault::at(span, message));
        }
        let title = (new != name).then(|| name.to_owned());
        if title.is_some() {
            renamed.push(format!("`{name}` as `{new}`"));
        }
        out.push(Name { new, title });
    }
    if !renamed.is_empty() {
        notes.push(Note::new(format!("{what}s renamed: {}", renamed.join(", "))));
    }
    if faults.is_empty() { Ok(out) } else { Err(faults) }
}
