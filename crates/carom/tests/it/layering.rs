//! The architecture is a test: a layer knows only the layers before it, files stay short, and
//! nothing is left unwritten.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The layers in the order of the data flow; each may use those before it.
const LAYERS: [&str; 13] = [
    "maths",
    "model",
    "kinematics",
    "dynamics",
    "contact",
    "impact",
    "simulate",
    "study",
    "report",
    "robot",
    "file",
    "answer",
    "machine",
];

/// Lines a source file may have, its tests apart. Over 400 it should be split; 450 is the limit
/// because a split in the middle of a thought is worse than a few lines more.
const LONGEST_FILE: usize = 450;

/// What no source may contain: macros hide what a reader looks for, unwritten code is not committed, and an item that is hidden
/// from the documentation is public all the same.
const FORBIDDEN: [&str; 4] = ["macro_rules!", "todo!(", "unimplemented!(", "doc(hidden)"];

/// A source file of the workspace.
struct Source {
    /// Its path from the directory it was looked for in.
    path: PathBuf,
    /// Its text.
    text: String,
}

impl Source {
    /// The text before the unit tests; nothing of a file that holds only tests (`*tests.rs`).
    fn without_tests(&self) -> &str {
        let holds_tests = self.path.file_stem().is_some_and(|stem| {
            stem.to_str().is_some_and(|name| name == "tests" || name.ends_with("_tests"))
        });
        if holds_tests { "" } else { without_tests(&self.text) }
    }

    /// The layer it belongs to; none for the files beside the layers, such as `lib.rs`.
    fn layer(&self) -> Option<usize> {
        let first = self.path.components().next()?.as_os_str().to_str()?;
        LAYERS.iter().position(|&layer| Some(layer) == first.strip_suffix(".rs").or(Some(first)))
    }

    /// How many modules deep it stands: 0 for `lib.rs`, 1 for `maths/mod.rs`.
    fn depth(&self) -> usize {
        let folders = self.path.components().count() - 1;
        let names_its_folder = self.path.ends_with("mod.rs") || self.path.ends_with("lib.rs");
        folders + usize::from(!names_its_folder)
    }
}

/// The part of a text before its unit tests, which stand at the end of a file.
fn without_tests(text: &str) -> &str {
    let end = text
        .match_indices("#[cfg(test)]")
        .find(|(at, _)| text[*at..].lines().nth(1).is_some_and(|line| line.ends_with('{')))
        .map_or(text.len(), |(at, _)| at);
    &text[..end]
}

/// A text without its comments, documentation included: a link in the documentation may point to a
/// later layer.
fn without_comments(text: &str) -> String {
    let code = text.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    code.collect::<Vec<_>>().join("\n")
}

/// The names that follow `prefix` in a text: one, or those of a `{…}` group.
fn names_after(text: &str, prefix: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, _) in text.match_indices(prefix) {
        let inside_a_word = text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let goes_on = text[..at].ends_with("::");
        if inside_a_word || goes_on {
            continue;
        }
        let rest = &text[at + prefix.len()..];
        match rest.strip_prefix('{') {
            Some(group) => names.extend(heads(group)),
            None => names.push(identifier(rest)),
        }
    }
    names
}

/// The first name of each part of a group, from after its opening brace.
fn heads(group: &str) -> Vec<String> {
    let mut heads = Vec::new();
    let mut depth = 0;
    let mut start = 0;
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            ',' | '}' if depth == 0 => {
                let head = identifier(group[start..at].trim_start());
                if !head.is_empty() {
                    heads.push(head);
                }
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    heads
}

/// The identifier a text begins with.
fn identifier(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// What is wrong with the layers that a source names, one line each.
fn wrong_uses(source: &Source) -> Vec<String> {
    let Some(own) = source.layer() else { return Vec::new() };
    let mut used = names_after(&without_comments(&source.text), "crate::");
    // So many steps up lead to the crate's root. In the tests the same words lead elsewhere.
    let to_root = "super::".repeat(source.depth());
    used.extend(
        names_after(&without_comments(source.without_tests()), &to_root)
            .into_iter()
            .filter(|name| name != "super"),
    );
    let path = source.path.display();
    used.iter()
        .filter_map(|name| match LAYERS.iter().position(|layer| layer == name) {
            Some(layer) if layer <= own => None,
            Some(_) => Some(format!("{path}: {} uses the later layer {name}", LAYERS[own])),
            None => Some(format!("{path}: crate::{name} is no layer; name the layer it is from")),
        })
        .collect()
}

/// All Rust files below a directory, in a fixed order.
fn sources(below: &Path) -> io::Result<Vec<Source>> {
    let mut found = Vec::new();
    let mut folders = vec![below.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path)?;
                let path = path.strip_prefix(below).map_or(path.clone(), Path::to_owned);
                found.push(Source { path, text });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// The library's sources.
fn library() -> io::Result<Vec<Source>> {
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
}

/// The sources of all members of the workspace, without their integration tests.
fn workspace() -> io::Result<Vec<Source>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut all = sources(&root.join("crates"))?;
    all.extend(sources(&root.join("xtask"))?);
    all.retain(|source| source.path.components().all(|part| part.as_os_str() != "tests"));
    Ok(all)
}

#[test]
fn a_layer_uses_only_the_layers_before_it() {
    let sources = library().unwrap();
    assert!(sources.len() > LAYERS.len(), "the sources were not found");
    let wrong: Vec<String> = sources.iter().flat_map(wrong_uses).collect();
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn every_folder_of_the_library_is_a_layer() {
    for source in library().unwrap() {
        let stands_in_a_folder = source.path.components().count() > 1;
        assert!(
            !stands_in_a_folder || source.layer().is_some(),
            "{} belongs to no layer",
            source.path.display()
        );
    }
}

#[test]
fn the_library_lists_its_layers_in_the_order_of_the_data_flow() {
    let root = include_str!("../../src/lib.rs");
    let listed: Vec<&str> = root
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'))
        .filter(|name| LAYERS.contains(name))
        .collect();
    let in_order: Vec<&str> = LAYERS.into_iter().filter(|layer| listed.contains(layer)).collect();
    assert!(!listed.is_empty(), "lib.rs lists no layers");
    assert_eq!(listed, in_order);
}

#[test]
fn no_file_is_too_long_to_read_at_once() {
    let long: Vec<String> = workspace()
        .unwrap()
        .iter()
        .map(|source| (source.path.display(), source.without_tests().lines().count()))
        .filter(|(_, lines)| *lines > LONGEST_FILE)
        .map(|(path, lines)| format!("{path}: {lines} lines, more than {LONGEST_FILE}; split it"))
        .collect();
    assert!(long.is_empty(), "\n{}\n", long.join("\n"));
}

#[test]
fn no_source_defines_macros_or_leaves_code_unwritten() {
    for source in workspace().unwrap() {
        for word in FORBIDDEN {
            assert!(!source.text.contains(word), "{}: {word}", source.path.display());
        }
    }
}

/// A source of the library with that path and text.
fn example(path: &str, text: &str) -> Source {
    Source { path: path.into(), text: text.to_owned() }
}

#[test]
fn a_later_layer_is_found_however_it_is_named() {
    for text in [
        "use crate::impact::effective;",
        "use crate::{maths::{Vec3, Mat3}, impact::effective};",
        "fn f() { crate::impact::g() }",
        "#[cfg(test)]\nmod tests {\n    use crate::impact::effective;\n}",
        "use super::super::impact::effective;",
        "use crate::Mechanism;",
    ] {
        let wrong = wrong_uses(&example("dynamics/articulated.rs", text));
        assert_eq!(wrong.len(), 1, "{text}: {wrong:?}");
    }
    assert_eq!(wrong_uses(&example("dynamics/mod.rs", "use super::impact;")).len(), 1);
}

#[test]
fn an_earlier_layer_and_a_link_in_the_documentation_are_allowed() {
    for text in [
        "use crate::{\n    maths::{Vec3, Mat3},\n    model::Model,\n};",
        "use super::bias;",
        "use super::super::maths::Vec3;",
        "/// See [`crate::impact`].\nstruct A;",
        "pub(crate) fn f() {}",
        "#[cfg(test)]\nmod tests {\n    use super::super::bias;\n}",
    ] {
        let wrong = wrong_uses(&example("dynamics/articulated.rs", text));
        assert!(wrong.is_empty(), "{text}: {wrong:?}");
    }
}

#[test]
fn only_a_test_module_ends_the_counted_part_of_a_file() {
    let text = "#[cfg(test)]\nmod tests;\nfn f() {}\n#[cfg(test)]\nmod more {\n}\n";
    assert_eq!(without_tests(text).lines().count(), 3);
}

/// Numbers up to this, written with an exponent, may decide what is zero.
const SMALL: f64 = 1e-5;

/// Small numbers of runs and impact laws that are no level of zero: what they are for stands at the end of ADR 23, or they end an
/// iteration, or they are what a user may ask for. By file, how many.
const NO_LEVELS: [(&str, usize); 13] = [
    ("simulate/locate/course.rs", 1),
    ("simulate/locate/user_event.rs", 1),
    ("simulate/record/peaks.rs", 1),
    ("simulate/resolution.rs", 1),
    ("simulate/resolve/equilibrium.rs", 1),
    ("simulate/resolve/moreau.rs", 1),
    ("simulate/scenario.rs", 3),
    ("simulate/step/stiff_friction.rs", 1),
    ("simulate/system/centre.rs", 2),
    ("simulate/system/joint_friction.rs", 1),
    ("simulate/trajectory.rs", 1),
    ("impact/laws/problem.rs", 1),
    ("impact/laws/slip.rs", 2),
];

/// How many small numbers the code of a text holds.
fn small_numbers(code: &str) -> usize {
    let words = code.split(|c: char| !(c.is_alphanumeric() || "._-".contains(c)));
    let is_small = |word: &&str| {
        let number = word.contains("e-") && word.parse::<f64>().is_ok_and(|x| x <= SMALL);
        number || word.ends_with("EPSILON")
    };
    words.filter(|word| !word.is_empty()).filter(is_small).count()
}

#[test]
fn what_is_zero_in_runs_and_impact_laws_is_a_level_that_is_listed() {
    let sources = library().unwrap();
    for area in ["simulate", "impact/laws"] {
        for source in sources.iter().filter(|source| source.path.starts_with(area)) {
            let path = source.path.to_str().unwrap();
            let allowed = NO_LEVELS.iter().find(|(file, _)| *file == path).map_or(0, |x| x.1);
            let found = small_numbers(&without_comments(source.without_tests()));
            assert!(
                found <= allowed,
                "{path}: {found} small numbers, {allowed} expected: take a level of maths/zero.rs, and list it in ADR 23"
            );
        }
    }
    let page =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/adr/0023-what-is-zero-in-a-run.md");
    let page = fs::read_to_string(page).unwrap();
    let levels = sources.iter().find(|source| source.path.ends_with("maths/zero.rs")).unwrap();
    let names = names_after(&levels.text, "pub(crate) const ");
    assert!(names.len() >= 10, "{names:?}");
    for name in names {
        assert!(page.contains(&format!("| `{name}` |")), "ADR 23 does not list {name}");
        let used = sources.iter().any(|source| source.text.contains(&format!("zero::{name}")));
        assert!(used, "nothing takes the level {name}");
    }
}
