//! `cargo xtask public`: the items that the library offers with default features, against the list that was agreed on.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::step::Step;
use crate::{Failure, Outcome};

/// The line of the list of verbs.
pub(crate) const ABOUT: &str =
    "public items of the library against their list; --accept renews the list";

/// The agreed list, one item a line.
const LIST: &str = "crates/carom/public-items.txt";
/// More are not offered: a user has to find their way.
const MOST: usize = 250;

/// Documents the library alone, with default features, and compares its items with the list.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let accept = match arguments {
        [] => false,
        [word] if word == "--accept" => true,
        [first, ..] => {
            return Err(Failure::CouldNotRun(format!("`public` takes --accept, found `{first}`")));
        }
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    // A folder of its own: the documentation of the workspace is built with the feature `internals`.
    let target = root.join("target/public");
    Step::cargo(&["doc", "-p", "carom", "--no-deps", "--locked", "--target-dir", "target/public"])
        .run(1, 1)?;
    let page = read(&target.join("doc/carom/all.html"))?;
    let found = items(&page);
    if found.len() > MOST {
        return Err(Failure::Failed(format!("{} public items, at most {MOST}", found.len())));
    }
    let list = root.join(LIST);
    if accept {
        let text = found.iter().map(String::as_str).collect::<Vec<_>>().join("\n") + "\n";
        return fs::write(&list, text)
            .map_err(|error| Failure::CouldNotRun(format!("{LIST}: {error}")));
    }
    let agreed: BTreeSet<String> = read(&list)?.lines().map(str::to_owned).collect();
    let more: Vec<&String> = found.difference(&agreed).collect();
    let fewer: Vec<&String> = agreed.difference(&found).collect();
    if more.is_empty() && fewer.is_empty() {
        eprintln!("{} public items, as listed in {LIST}", found.len());
        return Ok(());
    }
    Err(Failure::Failed(format!(
        "public items differ from {LIST}: new {more:?}, gone {fewer:?}; `cargo xtask public --accept` renews the list"
    )))
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path)
        .map_err(|error| Failure::CouldNotRun(format!("{}: {error}", path.display())))
}

/// `struct Machine` of every entry of rustdoc's list of all items.
fn items(page: &str) -> BTreeSet<String> {
    let entries = page.split("<li><a href=\"").skip(1);
    entries
        .filter_map(|entry| {
            let (place, _) = entry.split_once('"')?;
            let (folders, file) = place.rsplit_once('/').unwrap_or(("", place));
            let mut parts = file.split('.');
            let (kind, name) = (parts.next()?, parts.next()?);
            let folders = folders.replace('/', "::");
            let path =
                if folders.is_empty() { name.to_owned() } else { format!("{folders}::{name}") };
            Some(format!("{kind} {path}"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::items;

    #[test]
    fn items_are_read_from_the_list_of_all_items() {
        let page = "<ul><li><a href=\"struct.Machine.html\">Machine</a></li>\
                    <li><a href=\"answer/enum.Severity.html\">answer::Severity</a></li></ul>";
        let found: Vec<String> = items(page).into_iter().collect();
        assert_eq!(found, ["enum answer::Severity", "struct Machine"]);
    }
}
