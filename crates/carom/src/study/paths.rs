//! What the variables of a study may set: one place of the file each, that exists.

use crate::maths::nearest::nearest;
use crate::model::Description;
use crate::model::description::{Value, split_path};
use crate::model::study::{PlanPart, StudyPlan};

/// Sections of the file whose names are the user's: setting another name there would make something new.
const NAMED: [&str; 9] = [
    "parameters",
    "bodies",
    "joints",
    "closures",
    "materials",
    "contacts",
    "loads",
    "drives",
    "events",
];

/// Whether a path names something that the file does not have, in words.
pub(super) fn misnamed(description: &Description, path: &str) -> Option<String> {
    let parts = split_path(path)?;
    let [section, name, ..] = &parts[..] else { return None };
    if !NAMED.contains(&section.as_str()) {
        return None;
    }
    let known: Vec<&str> = match description.root.get(section).map(|node| &node.value) {
        Some(Value::Table(table)) => table.entries().iter().map(|e| e.key.as_str()).collect(),
        _ => Vec::new(),
    };
    if known.contains(&name.as_str()) {
        return None;
    }
    let hint = nearest(name, known.iter().copied()).map_or_else(
        || format!("known: {}", known.iter().take(20).copied().collect::<Vec<_>>().join(", ")),
        |near| format!("is `{near}` meant?"),
    );
    Some(format!("it sets `{path}`, but [{section}] has no `{name}`; {hint}"))
}

/// Variables that set what another one sets, or the study itself.
pub(super) fn misled(plan: &StudyPlan) -> Vec<(usize, String)> {
    let parts: Vec<Vec<String>> = plan.variables.iter().map(|v| keys(&v.path)).collect();
    let mut out = Vec::new();
    for (k, variable) in plan.variables.iter().enumerate() {
        let path = &variable.path;
        let asked = |first: &String| PlanPart::ALL.iter().any(|part| part.name() == first);
        if parts[k].first().is_some_and(asked) {
            out.push((
                k,
                format!("`{path}` belongs to the study: a variable sets what is studied"),
            ));
        }
        let within = |a: &[String], b: &[String]| !a.is_empty() && b.starts_with(a);
        let same = (0..k).find(|j| within(&parts[*j], &parts[k]) || within(&parts[k], &parts[*j]));
        if let Some(j) = same {
            let other = &plan.variables[j];
            out.push((
                k,
                format!(
                    "it sets `{path}`, and `{}` sets `{}`: one place takes one variable",
                    other.name, other.path
                ),
            ));
        }
    }
    out
}

/// The parts of a path; a position in a list has one spelling.
fn keys(path: &str) -> Vec<String> {
    let plain = |part: String| part.parse::<usize>().map_or(part, |k| k.to_string());
    split_path(path).unwrap_or_default().into_iter().map(plain).collect()
}
