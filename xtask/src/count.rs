//! `cargo xtask count`: the size of runs and impact laws in lines, constants, small numbers, fields and methods.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{Failure, Outcome, expect_no_arguments};

/// The line of the list of verbs.
pub(crate) const ABOUT: &str = "lines, constants and small numbers of runs, impact laws and the contact solver; their largest types";

/// What is counted.
const AREAS: [&str; 3] = ["simulate", "impact/laws", "maths/cone"];
/// Numbers up to this, written as digits with an exponent, decide what is zero or the same, or end an iteration.
const SMALL: f64 = 1e-5;

/// Counts of one area, without tests, comments and blank lines.
#[derive(Default)]
struct Counts {
    lines: usize,
    constants: usize,
    /// File and line of each small number.
    small: Vec<String>,
    fields: BTreeMap<String, usize>,
    methods: BTreeMap<String, usize>,
}

/// Prints the counts.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    expect_no_arguments("count", arguments)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/carom/src");
    let mut lines = 0;
    for area in AREAS {
        let mut counts = Counts::default();
        for file in files(&root.join(area))? {
            let text = fs::read_to_string(&file)
                .map_err(|error| Failure::CouldNotRun(format!("{}: {error}", file.display())))?;
            let name = file.strip_prefix(&root).unwrap_or(&file).display().to_string();
            counts.add(&name, &text);
        }
        lines += counts.lines;
        println!("{area}: {} code lines, {} constants", counts.lines, counts.constants);
        for (what, of) in [("fields", &counts.fields), ("methods", &counts.methods)] {
            let mut most: Vec<_> = of.iter().collect();
            most.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            let most = most.iter().take(8).map(|(name, count)| format!("{name} {count}"));
            println!("  most {what}: {}", most.collect::<Vec<_>>().join(", "));
        }
        println!("  numbers up to {SMALL:e}: {}", counts.small.len());
        counts.small.iter().for_each(|line| println!("    {line}"));
    }
    println!("together: {lines} code lines");
    Ok(())
}

/// The source files of an area that are not tests, in order.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let wrong = |error| Failure::CouldNotRun(format!("{}: {error}", folder.display()));
    let mut out = Vec::new();
    for entry in fs::read_dir(folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        let is_test =
            path.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with("tests"));
        if path.is_dir() {
            out.extend(files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_test {
            out.push(path);
        }
    }
    out.sort();
    Ok(out)
}

/// The word that a line holds behind a keyword, if the keyword begins the line, visibility apart.
fn word_after<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    let mut line = line.trim_start();
    if let Some(rest) = line.strip_prefix("pub") {
        let rest = rest.strip_prefix('(').and_then(|x| x.split_once(')')).map_or(rest, |x| x.1);
        line = rest.trim_start();
    }
    let rest = line.strip_prefix(keyword)?.strip_prefix(' ')?;
    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

/// The small numbers that a line of code holds.
fn small(line: &str) -> usize {
    let words = line.split(|c: char| !(c.is_alphanumeric() || "._-".contains(c)));
    let is_small = |word: &&str| {
        word.contains("e-") && word.parse::<f64>().is_ok_and(|x| x <= SMALL)
            || word.ends_with("EPSILON")
    };
    words.filter(is_small).count()
}

/// The type that an `impl` block without a trait belongs to.
fn owner(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("impl")?;
    let rest = if rest.starts_with('<') { rest.split_once("> ")?.1 } else { rest.trim_start() };
    let name = rest.split(['<', ' ']).next()?;
    (!rest.contains(" for ")).then_some(name)
}

impl Counts {
    /// Adds a formatted source file: blocks end with a brace at the depth at which they begin.
    fn add(&mut self, file: &str, text: &str) {
        let (mut test, mut block): (bool, Option<(bool, String)>) = (false, None);
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default().trim_end();
            if line == "#[cfg(test)]" {
                test = true;
            } else if test {
                // A test module, or its name alone.
                test = !(line == "}" || line.ends_with(';') && !line.starts_with(' '));
            } else if !code.trim().is_empty() {
                self.lines += 1;
                self.constants +=
                    usize::from(word_after(code, "const").is_some_and(|name| name != "fn"));
                for _ in 0..small(code) {
                    self.small.push(format!("{file}:{}: {}", number + 1, code.trim()));
                }
                let structure = word_after(code, "struct").filter(|_| code.ends_with('{'));
                if !code.starts_with(' ') {
                    block = match (structure, owner(code)) {
                        (Some(name), _) => Some((true, name.to_owned())),
                        (None, Some(name)) => Some((false, name.to_owned())),
                        _ => None,
                    };
                }
                let Some((fields, name)) = &block else { continue };
                let depth = code.len() - code.trim_start().len();
                let of = if *fields { &mut self.fields } else { &mut self.methods };
                let counts = depth == 4
                    && if *fields {
                        code.contains(": ")
                    } else {
                        word_after(code, "fn").is_some() || word_after(code, "const fn").is_some()
                    };
                *of.entry(name.clone()).or_default() += usize::from(counts);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_counted_without_its_tests_and_comments() {
        let text = "//! Text.\n\nconst ZERO: f64 = 1e-9; // not 1e-7\n\npub(crate) struct A<'m> {\n    /// A field.\n    pub x: f64,\n    y: f64,\n}\n\n\
                    impl A<'_> {\n    pub(crate) fn f(&self) -> f64 {\n        1e-3 * f64::EPSILON\n    }\n}\n\nimpl Clone for A<'_> {\n    fn clone() {}\n}\n\n\
                    #[cfg(test)]\nmod tests {\n    const MANY: f64 = 1e-9;\n    fn g() {}\n}\n";
        let mut counts = Counts::default();
        counts.add("a.rs", text);
        assert_eq!((counts.lines, counts.constants, counts.small.len()), (13, 1, 2));
        assert_eq!((counts.fields["A"], counts.methods["A"]), (2, 1));
    }
}
