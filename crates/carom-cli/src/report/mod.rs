//! Pages: what a verb found, as one file to send to a colleague.
//!
//! One verb, one file. The library makes the text of the file; here stands what it says.

pub(crate) mod assess;
pub(crate) mod compare;
pub(crate) mod fit;
pub(crate) mod impact;
pub(crate) mod map;
pub(crate) mod near;
pub(crate) mod optimise;
#[cfg(feature = "reproduce")]
pub(crate) mod reproduce;
pub(crate) mod run;
pub(crate) mod study;
pub(crate) mod tip;
pub(crate) mod uncertainty;

use std::path::Path;

use carom::Model;
use carom::answer::{Caution, Head, Severity, Sides};
use carom::report::{Block, KeyNumber, Section, Table};

/// The name of a page.
pub(crate) const FILE: &str = "report.html";
/// The name of the page of the papers.
#[cfg(feature = "reproduce")]
pub(crate) const INDEX: &str = "index.html";

/// Which papers the equations are from.
const PAPERS: &str = "Equations are cited from Nikravesh-Poursina (effective mass), Moreira et al. (dissipative contact models), \
    Gonzalez et al. (load assessment) and Modarres Najafabadi et al. (multiple-point impacts).";

/// A number of the answer.
fn key(label: &str, value: impl Into<String>, note: impl Into<String>) -> KeyNumber {
    KeyNumber { label: label.to_owned(), value: value.into(), note: note.into() }
}

/// A section.
fn section(id: &'static str, title: &str, blocks: Vec<Block>) -> Section {
    Section { id, title: title.to_owned(), blocks }
}

/// Who hits whom at a contact.
fn pair(model: &Model, contact: usize) -> (String, String) {
    Sides::new(model, contact).quoted()
}

/// The title of a model, or the name of its file.
fn title(head: &Head) -> String {
    match head.title.as_str() {
        "" => shown(&head.file),
        title => title.to_owned(),
    }
}

/// The file as it was named; of one named from the root of this machine its last part.
fn shown(name: &str) -> String {
    let path = Path::new(name);
    if path.is_absolute() {
        return path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    }
    name.to_owned()
}

/// Warnings without places of this machine.
fn warnings(head: &Head, found: &[String]) -> Vec<String> {
    found.iter().map(|text| text.replace(&head.file, &shown(&head.file))).collect()
}

/// Cautions without places of this machine; what a note says stands in the text itself.
fn cautions(head: &Head, found: &[Caution]) -> Vec<String> {
    let shown = found.iter().filter(|c| c.severity >= Severity::Warning);
    warnings(head, &shown.map(Caution::line).collect::<Vec<_>>())
}

/// Where the numbers come from: files, edits, versions, hash, and the command if there was one.
fn origin(head: &Head, inputs: &str, command: Option<&str>) -> Section {
    let mut facts = vec![("model file".to_owned(), format!("`{}`", shown(&head.file)))];
    for edit in &head.set {
        let (path, value) = edit.split_once('=').unwrap_or((edit, ""));
        facts.push(("changed".to_owned(), format!("`{path} = {value}`")));
    }
    facts.extend(versions(inputs, command));
    section("origin", "What it was computed from", vec![Block::Facts(facts)])
}

/// The command, the version and the hash of what went in.
fn versions(inputs: &str, command: Option<&str>) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    facts.extend(command.map(|line| ("command".to_owned(), format!("`{line}`"))));
    facts.push(("carom".to_owned(), env!("CARGO_PKG_VERSION").to_owned()));
    facts.push(("hash of the inputs".to_owned(), format!("`{inputs}`")));
    facts
}

/// The command line of this process, for the page that it writes.
pub(crate) fn own_command() -> String {
    command(std::env::args())
}

/// The command as one would type it elsewhere: without places of this machine, and without what changes no number.
fn command(arguments: impl Iterator<Item = String>) -> String {
    let mut words = vec!["carom".to_owned()];
    let mut all = arguments.skip(1);
    while let Some(word) = all.next() {
        let (name, value) =
            word.split_once('=').map_or((word.as_str(), None), |(n, v)| (n, Some(v)));
        match name {
            "--overwrite" | "--resume" => {}
            "-o" | "--out" => {
                if value.is_none() {
                    all.next();
                }
                words.extend(["-o", "DIR"].map(str::to_owned));
            }
            // A run that went on and threads do not show in the result.
            "--from" | "-j" | "--jobs" | "--figure" => {
                if value.is_none() {
                    all.next();
                }
            }
            _ => words.push(quoted(&shown(&word))),
        }
    }
    words.join(" ")
}

/// In quotes if a shell would take it apart or replace a part of it; single ones, within which nothing is replaced.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=+:,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// A table without the bars that terminals draw.
fn without_bars(mut table: Table) -> Table {
    for cell in table.rows.iter_mut().flat_map(|row| &mut row.cells) {
        if let Some((bar, rest)) = cell.text.split_once("] ")
            && bar.starts_with('[')
            && bar[1..].chars().all(|c| c == '#' || c == '.')
        {
            cell.text = rest.to_owned();
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(words: &[&str]) -> String {
        command(words.iter().map(|w| (*w).to_owned()))
    }

    #[test]
    fn the_command_tells_what_was_asked_and_nothing_of_the_machine() {
        let typed =
            ["/usr/bin/carom", "run", "/home/me/two rods.toml", "--law", "exact", "-o", "out"];
        assert_eq!(told(&typed), "carom run 'two rods.toml' --law exact -o DIR");
        assert_eq!(
            told(&["x", "run", "a.toml", "--out=b", "--overwrite"]),
            "carom run a.toml -o DIR"
        );
        assert_eq!(
            told(&["x", "run", "a.toml", "--from", "b", "--until", "2"]),
            "carom run a.toml --until 2"
        );
    }

    #[test]
    fn the_command_is_one_line_of_a_shell() {
        let typed =
            ["x", "check", "a.toml", "--set", "title=$(touch x) `id` it's \"here\" !1 \\ \n;"];
        let wanted = "carom check a.toml --set 'title=$(touch x) `id` it'\\''s \"here\" !1 \\ \n;'";
        assert_eq!(told(&typed), wanted);
        // A shell gives back the words.
        let script = format!("set -- {wanted}; printf '%s' \"$5\"");
        let shell = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
        assert_eq!(String::from_utf8(shell.stdout).unwrap(), typed[4]);
    }

    #[test]
    fn bars_stay_in_the_terminal() {
        let row = carom::report::Row::new(["[####....] 50 % of T", "[1, 2] m"]);
        let table = without_bars(Table { rows: vec![row], ..Table::default() });
        assert_eq!(table.rows[0].cells[0].text, "50 % of T");
        assert_eq!(table.rows[0].cells[1].text, "[1, 2] m");
    }
}
