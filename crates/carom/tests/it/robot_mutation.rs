//! Random changes of robots' files: whatever comes out is read or refused, and what is read becomes a model file that is TOML.

use carom::file::{LoadError, parse};
use carom::maths::mesh::Mesh;
use carom::robot::{Fault, Note, Options, Robot, mjcf, model_file, urdf};

use crate::random_mechanism::Random;

/// How many changed files of each format are read; the variable CAROM_MUTATIONS asks for more, and CAROM_SEED for others.
const MUTATIONS: usize = 40_000;
/// Of the model files that come out, one in so many is also built: that takes a hundred times longer.
const BUILT: usize = 20;

/// The root of the repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The example arm, and the corpus of the format's fuzz target: files that were written by hand, how many they are, and after them those that
/// fuzzing found (`found-…`).
fn corpus(format: &str) -> (Vec<String>, usize) {
    let mut files: Vec<_> = std::fs::read_dir(format!("{ROOT}/fuzz/corpus/{format}"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    let found = |path: &std::path::PathBuf| path.to_string_lossy().contains("/found-");
    files.sort_by_key(|path| (found(path), path.clone()));
    let arm = if format == "mjcf" { "arm.xml" } else { "arm.urdf" };
    files.insert(0, format!("{ROOT}/models/robots/{arm}").into());
    let texts = files.iter().map(|path| std::fs::read(path).unwrap());
    let by_hand = files.iter().filter(|path| !found(path)).count();
    (texts.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect(), by_hand)
}

/// Texts that stand in the place of a value.
const VALUES: [&str; 38] = [
    "nan", "-1", "0", "1e60", "1e-300", "-0", "", "world", "ground", "fixed", "planar", "floating",
    "1", "0.5", "0 0 1", "2 0 0", "a b", "c", "joint_2", "é", "free", "ball", "slide", "box",
    "mesh", "true", "auto", "1 0 0 0", "xYz", "part.xml", "b", "h", "b.obj", "convex", "exact",
    "shell", "2 2 -2", "0 1 2",
];
/// Texts that stand anywhere.
const MARKUP: [&str; 24] = [
    ",",
    "<",
    "/>",
    "<link name=\"a b\"/>",
    "&#0;",
    "&lt;",
    "<![CDATA[",
    "<!--",
    "xmlns:q=\"\"",
    "q:",
    "<mimic joint=\"s\"/>",
    "\u{0}",
    "'",
    "<inertial>",
    "]]>",
    "<a/>",
    "<joint/>",
    "<body>",
    "</body>",
    "<frame pos='1 0 0'>",
    "<geom size='1'/>",
    "<include file='part.xml'/>",
    "<weld body1='b' body2='d'/>",
    "<default class='part'>",
];

fn mutated(random: &mut Random, text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(3) {
        let length = bytes.len().max(1);
        let at = random.below(length);
        let end = (at + random.below(40)).min(bytes.len());
        match random.below(24) {
            0 | 1 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
            2 => drop(bytes.drain(at.min(end)..end)),
            3 => {
                let piece = bytes[at.min(end)..end].to_vec();
                let to = random.below(length);
                bytes.splice(to..to, piece);
            }
            4 => bytes.truncate(at),
            5 | 6 => {
                let word = MARKUP[random.below(MARKUP.len())].bytes();
                bytes.splice(at..at, word);
            }
            _ => {
                let rest = bytes.get(at..).unwrap_or_default();
                let Some(start) = rest.windows(2).position(|w| w == b"=\"") else { continue };
                let start = at + start + 2;
                let Some(value) = bytes[start..].iter().position(|b| *b == b'"') else { continue };
                let word = VALUES[random.below(VALUES.len())].bytes();
                bytes.splice(start..start + value, word);
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The one mesh file that there is.
const WEDGE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

/// What reading a robot's file ends with.
type Read = Result<(Robot, Vec<Note>), Vec<Fault>>;

/// A robot that was read, and how many bytes its faults may point at.
fn read(format: &str, text: &str) -> (Read, usize) {
    if format == "urdf" {
        return (urdf::read(text), text.len());
    }
    let part = "<mujocoinclude><default><default class='part'/></default></mujocoinclude>";
    let mut load = |file: &str| match file {
        "part.xml" => Ok((file.to_owned(), part.to_owned())),
        _ => Err("there is no such file".to_owned()),
    };
    let mesh = |file: &str| match file {
        "m/b.obj" => Mesh::read_first_object(file, WEDGE.as_bytes()).map_err(|e| e.to_string()),
        _ => Err("there is no such file".to_owned()),
    };
    let mjcf::MjcfReading { included, robot } = mjcf::read("m.xml", text, &mut load, &mesh);
    (robot, text.len() + included.iter().map(|file| file.1.len() + 1).sum::<usize>())
}

/// Reads changed files of a corpus; how many were read, written as a model file, and built.
fn mutate(format: &str, seed: u64, mutations: usize) -> [usize; 3] {
    let mut random = Random(seed);
    let plain = Options::default();
    let options = [
        plain.clone(),
        // The root of an MJCF is the world, which does not float.
        Options { floating: format == "urdf", stops: true, ..plain.clone() },
        Options {
            tip: Some("tool_tip".to_owned()),
            payload: Some((1.0, [0.1, 0.0, 0.0])),
            ..plain.clone()
        },
        Options { keyframe: (format == "mjcf").then(|| "ready".to_owned()), ..plain },
    ];
    let (texts, by_hand) = corpus(format);
    let [mut many, mut written, mut built] = [0; 3];
    for k in 0..mutations {
        // The files themselves first, then changed ones: half of them of those by hand, for most that fuzzing found are refused already.
        let of = if k % 2 == 0 { by_hand } else { texts.len() };
        let text = match texts.get(k) {
            Some(text) => text.clone(),
            None => mutated(&mut random, &texts[k / 2 % of]),
        };
        let (robot, length) = read(format, &text);
        let faults = match robot {
            Err(faults) => faults,
            Ok((robot, notes)) => {
                many += 1;
                match model_file(robot, &options[random.below(options.len())], "m", notes) {
                    Err(faults) => faults,
                    Ok(model) => {
                        written += 1;
                        if written % BUILT == 0 {
                            match parse("m", &model, &[]) {
                                Ok(_) => built += 1,
                                Err(LoadError::Refused { .. }) => {}
                                Err(other) => panic!("{other}\n{model}"),
                            }
                        }
                        continue;
                    }
                }
            }
        };
        assert!(!faults.is_empty(), "a refusal says why:\n{text}");
        for fault in &faults {
            let inside = fault.span.as_ref().is_none_or(|s| s.start <= s.end && s.end <= length);
            assert!(inside, "{fault:?} is outside of\n{text}");
        }
    }
    [many, written, built]
}

#[test]
fn changed_robots_are_read_or_refused_and_never_panic() {
    let asked = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<usize>().ok());
    let mutations = asked("CAROM_MUTATIONS").unwrap_or(0).max(MUTATIONS);
    for (format, seed) in [("urdf", 2024), ("mjcf", 2025)] {
        let seed = seed + asked("CAROM_SEED").unwrap_or(0) as u64;
        let [read, written, built] = mutate(format, seed, mutations);
        // The loop exercises what it says: of each kind there are many.
        assert!(read > 2000 && written > 1000 && built > 30, "{format} {read} {written} {built}");
        assert!(mutations - read > 2000, "{format} {read}");
    }
}
