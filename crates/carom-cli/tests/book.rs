//! The book under docs/book and the README: every command, file and link in them.
//!
//! A page is read from top to bottom in a folder of its own that has `models/` in it. Its fenced blocks are
//!
//! | block | what happens |
//! |---|---|
//! | `console` | a line `$ carom …` is run, and the lines below it must be what it prints: `…` alone stands for any lines, within a line for any text; `# exit code 2` behind a command says how it ends |
//! | `toml,file=NAME` | is written into the folder and has to pass `carom check` |
//! | `toml,wrong=NAME` | is written into the folder and must not pass |
//! | `toml,onto=NAME` | is a part: it has to complete that file or model |
//! | `rust` | is a doc-test of the library (see its `lib.rs`) |
//! | `sh` | stands in the README, too |
//! | `text` | equations and the like; nothing happens |
//!
//! `CAROM_BOOK=update cargo test -p carom-cli --test book` writes what is generated anew: the papers page, the
//! figures, and the README's table.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

/// Between what is written by hand and what `reproduce` writes, in the papers page and in the README.
const BEGIN: &str = "<!-- begin: carom reproduce --format markdown -->\n";
const END: &str = "<!-- end -->";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn source() -> PathBuf {
    root().join("docs/book/src")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn updating() -> bool {
    std::env::var("CAROM_BOOK").is_ok_and(|value| value == "update")
}

/// The pages by name, and their text.
fn pages() -> Vec<(String, String)> {
    let names = std::fs::read_dir(source()).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<(String, String)> = names
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), read(&path)))
        .collect();
    pages.sort();
    assert!(pages.len() > 8, "the book has pages");
    pages
}

/// A fenced block: what stands behind its fence, its first line's number, its text.
struct Block {
    info: String,
    line: usize,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut inside = false;
    for (k, line) in page.lines().enumerate() {
        match line.strip_prefix("```") {
            Some(_) if inside => inside = false,
            Some(info) => {
                inside = true;
                found.push(Block { info: info.to_owned(), line: k + 2, text: String::new() });
            }
            None if inside => {
                let block = found.last_mut().unwrap();
                block.text += line;
                block.text.push('\n');
            }
            None => {}
        }
    }
    assert!(!inside, "a fence is not closed");
    found
}

/// Folders that are gone after use.
struct Folder(PathBuf);

impl Folder {
    /// With a copy of `models/` in it.
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("carom-book-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        copy(&root().join("models"), &path.join("models"));
        Self(path)
    }

    /// Runs `carom` there: its exit code, and all it printed.
    fn carom(&self, arguments: &[String]) -> (i32, String) {
        let mut command = Command::new(common::binary());
        let output = command.args(arguments).current_dir(&self.0).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        if output.status.success() && arguments.windows(2).any(|w| w == ["--format", "json"]) {
            common::valid(&arguments[0], &text(&output.stdout));
        }
        (output.status.code().unwrap(), text(&output.stderr) + &text(&output.stdout))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The words of a command, as a shell has them; double quotes hold a word together.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut own, mut quoted) = (Vec::new(), None::<String>, false);
    for c in line.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                own.get_or_insert_default();
            }
            ' ' if !quoted => words.extend(own.take()),
            c => own.get_or_insert_default().push(c),
        }
    }
    assert!(!quoted, "a quote is not closed: {line}");
    words.extend(own);
    words
}

/// A line whose columns stand one blank apart: how wide they are may depend on a number that is left out.
fn plain(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a line is what is shown, `…` in which stands for any text.
fn line_fits(shown: &str, line: &str) -> bool {
    let (shown, line) = (plain(shown), plain(line));
    let mut parts = shown.split('…');
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// Whether lines are those shown, a line `…` of which stands for any number of lines.
fn fits(shown: &[&str], lines: &[&str]) -> bool {
    match shown.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first.trim() == "…" => {
            (0..=lines.len()).any(|k| fits(rest, &lines[k..]))
        }
        Some((first, rest)) => lines
            .split_first()
            .is_some_and(|(line, more)| line_fits(first, line) && fits(rest, more)),
    }
}

/// Runs the commands of a block.
fn console(folder: &Folder, place: &str, block: &str) -> usize {
    let mut lines = block.lines().peekable();
    let mut count = 0;
    while let Some(line) = lines.next() {
        let command = line.strip_prefix("$ carom ").unwrap_or_else(|| {
            panic!("{place}: a command is expected (`$ carom …`), found\n{line}")
        });
        let (command, code) = command.split_once("  # exit code ").unwrap_or((command, "0"));
        let mut shown = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
            shown.push(line.trim_end());
        }
        while shown.last().is_some_and(|line| line.is_empty()) {
            shown.pop();
        }
        let (ended, printed) = folder.carom(&words(command));
        assert_eq!(ended, code.parse::<i32>().unwrap(), "{place}: {command}\n{printed}");
        let mut given: Vec<&str> = printed.lines().map(str::trim_end).collect();
        while given.last().is_some_and(|line| line.is_empty()) {
            given.pop();
        }
        let right = shown.is_empty() || fits(&shown, &given);
        assert!(
            right,
            "{place}: {command}\nis shown with\n{}\nand prints\n{printed}",
            shown.join("\n")
        );
        count += 1;
    }
    count
}

/// Reads a page as its reader does.
fn follow(name: &str, page: &str) -> usize {
    let folder = Folder::new(name.trim_end_matches(".md"));
    let readme = read(&root().join("README.md"));
    let check = |file: &str, place: &str| {
        let (code, printed) = folder.carom(&["check".to_owned(), file.to_owned()]);
        assert_eq!(code, 0, "{place}: {printed}");
    };
    let mut count = 0;
    for block in blocks(page) {
        let place = format!("{name}:{}", block.line);
        let info: Vec<&str> = block.info.split([',', '=']).collect();
        match info.as_slice() {
            ["console"] => count += console(&folder, &place, &block.text),
            ["toml", "file", file] => {
                std::fs::write(folder.0.join(file), &block.text).unwrap();
                check(file, &place);
                count += 1;
            }
            ["toml", "wrong", file] => {
                std::fs::write(folder.0.join(file), &block.text).unwrap();
                let (code, printed) = folder.carom(&["check".to_owned(), (*file).to_owned()]);
                assert_eq!(code, 2, "{place}: {printed}");
                count += 1;
            }
            ["toml", "onto", file] => {
                let whole = format!("carom = 1\nmodel = \"{file}\"\n{}", block.text);
                std::fs::write(folder.0.join("part.toml"), whole).unwrap();
                check("part.toml", &place);
                count += 1;
            }
            ["sh"] => {
                for line in block.text.lines() {
                    let command = line.split("  #").next().unwrap().trim_end();
                    assert!(readme.contains(command), "{place}: `{command}` is not in the README");
                }
            }
            ["rust"] => {
                let folder = if name == "README.md" { "" } else { "docs/book/src/" };
                let own = format!("{folder}{name}\")]");
                let library = read(&root().join("crates/carom/src/lib.rs"));
                assert!(library.contains(&own), "{place}: lib.rs does not include the page");
            }
            ["python"] => {
                let tests = read(&root().join("crates/carom-py/tests/test_documents.py"));
                assert!(tests.contains(name), "{place}: test_documents.py does not run the page");
            }
            ["text"] => {}
            _ => panic!("{place}: a block `{}` is not run by anything", block.info),
        }
    }
    count
}

#[test]
fn every_command_prints_what_the_book_shows_and_every_file_is_understood() {
    let pages = pages();
    let readme = ("README.md".to_owned(), read(&root().join("README.md")));
    let pages: Vec<(String, String)> = pages.into_iter().chain([readme]).collect();
    let count: usize = std::thread::scope(|scope| {
        let tasks: Vec<_> =
            pages.iter().map(|(name, page)| scope.spawn(move || follow(name, page))).collect();
        tasks.into_iter().map(|task| task.join().unwrap()).sum()
    });
    assert!(count > 30, "only {count} commands and files");
}

/// The README is read in a minute: so many lines and bytes, and its links lead somewhere.
#[test]
fn the_readme_is_short_and_its_links_lead_somewhere() {
    const LINES: usize = 200;
    const BYTES: usize = 12_000;
    let text = read(&root().join("README.md"));
    assert!(text.lines().count() <= LINES && text.len() <= BYTES, "{} bytes", text.len());
    for target in links(&text).into_iter().filter(|t| !t.starts_with("https://")) {
        assert!(root().join(&target).exists(), "README.md: {target} leads nowhere");
    }
}

/// The targets of links and pictures of a page, code apart.
fn links(page: &str) -> Vec<String> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in page.lines() {
        inside ^= line.starts_with("```");
        if inside {
            continue;
        }
        let prose: String = line.split('`').step_by(2).collect();
        for part in prose.split("](").skip(1) {
            found.push(part.split(')').next().unwrap().to_owned());
        }
    }
    found
}

/// The numbers in brackets that follow `eq. ` or `eqs. ` in a text: `eqs. (2.4) and (2.5)` has two.
fn cited(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for part in text.split("eq. (").skip(1).chain(text.split("eqs. (").skip(1)) {
        let mut rest = part;
        while let Some((number, after)) = rest.split_once(')') {
            if !is_number(number) {
                break;
            }
            found.push(number);
            let next =
                [" and (", " to (", ", ("].iter().find_map(|joint| after.strip_prefix(joint));
            let Some(next) = next else { break };
            rest = next;
        }
    }
    found
}

/// Whether a text is the number of an equation: `4.12`.
fn is_number(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    text.split_once('.').is_some_and(|(chapter, place)| digits(chapter) && digits(place))
}

/// Adds the text of all sources below a folder.
fn sources(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            found.push((path.clone(), read(&path)));
        }
    }
}

#[test]
fn every_equation_that_a_source_cites_stands_in_the_theory() {
    /// So many are cited at least: fewer mean that this test reads the wrong files.
    const CITED: usize = 20;
    let theory = read(&source().join("theory.md"));
    let label = |line: &str| {
        let number = line.strip_suffix(')')?.rsplit_once('(')?.1.to_owned();
        is_number(&number).then_some(number)
    };
    let labels: Vec<String> = theory.lines().filter_map(label).collect();
    for (k, own) in labels.iter().enumerate() {
        assert!(!labels[..k].contains(own), "theory.md: ({own}) stands twice");
    }
    let mut all = Vec::new();
    for crate_ in ["carom", "carom-cli", "carom-papers", "carom-reference"] {
        sources(&root().join("crates").join(crate_).join("src"), &mut all);
    }
    let mut count = 0;
    for (path, text) in &all {
        for number in cited(text) {
            let known = labels.iter().any(|own| own == number);
            assert!(known, "{}: theory.md has no equation ({number})", path.display());
            count += 1;
        }
    }
    assert!(count >= CITED, "only {count} citations");
    for number in cited(&theory) {
        assert!(labels.iter().any(|own| own == number), "theory.md: ({number})");
    }
    assert_eq!(
        cited("by eqs. (2.4) and (2.5), eq. (3.1), not (9.9) nor eq. (x)"),
        ["3.1", "2.4", "2.5"]
    );
}

/// A heading's anchor, as mdBook makes it.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect::<String>().to_lowercase()
}

#[test]
fn the_summary_lists_every_page_once_and_every_link_leads_somewhere() {
    let pages = pages();
    let summary = &pages.iter().find(|(name, _)| name == "SUMMARY.md").unwrap().1;
    let mut listed = links(summary);
    listed.push("SUMMARY.md".to_owned());
    listed.sort();
    let names: Vec<&String> = pages.iter().map(|(name, _)| name).collect();
    assert_eq!(listed.iter().collect::<Vec<_>>(), names);
    for (name, page) in &pages {
        for target in links(page).into_iter().filter(|t| !t.starts_with("https://")) {
            let (file, place) = target.split_once('#').unwrap_or((&target, ""));
            let path = if file.is_empty() { source().join(name) } else { source().join(file) };
            assert!(path.is_file(), "{name}: {target} leads nowhere");
            if !place.is_empty() {
                let text = read(&path);
                let mut headings = text.lines().filter_map(|l| l.strip_prefix('#'));
                let there = headings.any(|h| anchor(h.trim_start_matches('#').trim()) == place);
                assert!(there, "{name}: {target} has no such heading");
            }
        }
        for part in page.split("{{#include ").skip(1) {
            let file = part.split('}').next().unwrap().trim();
            assert!(source().join(file).is_file(), "{name}: {file} cannot be included");
        }
    }
}

/// Holds what stands between the marks of a file against what is meant, or writes it anew.
fn current(path: &Path, meant: &str) {
    let text = read(path);
    let (before, rest) = text.split_once(BEGIN).unwrap();
    let (own, after) = rest.split_once(END).unwrap();
    if updating() {
        std::fs::write(path, [before, BEGIN, meant, END, after].concat()).unwrap();
    } else {
        assert!(
            own == meant,
            "{} is not what `carom reproduce` prints; CAROM_BOOK=update cargo test -p carom-cli --test book",
            path.display()
        );
    }
}

#[test]
fn what_is_generated_is_current() {
    let folder = Folder::new("generated");
    let command = ["reproduce", "--format", "markdown", "-o", "out"].map(str::to_owned);
    let (code, _) = folder.carom(&command);
    assert_eq!(code, 0);
    let again = ["reproduce", "--format", "markdown"].map(str::to_owned);
    let (_, printed) = folder.carom(&again);
    current(&source().join("papers.md"), &printed);
    let (glance, _) = printed.split_once("\n## ").unwrap();
    current(&root().join("README.md"), glance);
    for entry in std::fs::read_dir(source().join("figures")).unwrap() {
        let path = entry.unwrap().path();
        let own = folder.0.join("out").join(path.file_name().unwrap());
        if updating() {
            std::fs::copy(&own, &path).unwrap();
        }
        assert!(read(&path) == read(&own), "{} is not what is drawn now", path.display());
    }
}

#[test]
fn elisions_stand_for_anything_and_nothing_else_does() {
    assert!(line_fits("peak … N", "peak   12.5 N") && !line_fits("peak … N", "peak 12.5 kN s"));
    assert!(line_fits("a…b…c", "a1b2c") && !line_fits("a…b…c", "a1c2b"));
    assert!(!line_fits("exact", "exactly") && line_fits("", ""));
    assert!(fits(&["a", "…", "d"], &["a", "b", "c", "d"]) && fits(&["…"], &[]));
    assert!(!fits(&["a", "d"], &["a", "b", "d"]) && !fits(&["a"], &["a", "b"]));
    assert_eq!(
        words(r#"assess a.toml --set x="0 deg" "two words""#),
        ["assess", "a.toml", "--set", "x=0 deg", "two words"]
    );
}
