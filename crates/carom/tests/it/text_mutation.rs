//! Random changes of model files, expressions, quantities, logs and checkpoints: read or refused, never a panic. What each kind asserts is what
//! its fuzz target asserts (`fuzz/fuzz_targets`), whose corpora these are.

use carom::answer::robot::TipOptions;
use carom::dynamics::Mechanism;
use carom::file::{LoadError, Opened, open_text, parse};
use carom::maths::expression::{Binding, Expression, Scope};
use carom::maths::units::Measure;
use carom::model::study::PlanPart;
use carom::simulate::{Outcome, Scenario, Wishes, resume, simulate_with};
use carom::study::log::{Entry, Header, Reader, Shard, append};

use crate::random_mechanism::Random;

/// How many changed inputs of each kind are read; the variable CAROM_MUTATIONS asks for more, and CAROM_SEED for others.
const MUTATIONS: usize = 20_000;
/// Checkpoints are gone on from, which takes a hundred times longer.
const CHECKPOINTS: usize = 1_000;
/// Steps that a run may make from a changed checkpoint.
const STEPS: usize = 20;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus");

fn corpus(kind: &str) -> Vec<Vec<u8>> {
    let mut files: Vec<_> =
        std::fs::read_dir(format!("{ROOT}/{kind}")).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(|path| std::fs::read(path).unwrap()).collect()
}

/// What stands in the place of a piece.
const WORDS: [&str; 40] = [
    "nan",
    "-1",
    "0",
    "1e60",
    "1e308",
    "1e-300",
    "-0",
    "\"\"",
    "[",
    "]",
    "{",
    "}",
    "=",
    ".",
    ",",
    "\"",
    "'''",
    "\n[",
    "[[bodies]]",
    "kg",
    "deg",
    "m/s^2",
    "^",
    "(",
    ")",
    "t",
    "q.free.z",
    "min(",
    "atan2(",
    "true",
    "ground",
    "null",
    "1e400",
    "-9e15",
    "\u{0}",
    "é",
    "\\u0000",
    "inf",
    "#",
    "12345678901234567890",
];

fn mutated(random: &mut Random, seed: &[u8]) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=random.below(4) {
        let length = bytes.len().max(1);
        let at = random.below(length).min(bytes.len());
        let end = (at + random.below(20)).min(bytes.len());
        match random.below(8) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let piece = bytes[at..end].to_vec();
                let to = random.below(length).min(bytes.len());
                bytes.splice(to..to, piece);
            }
            3 => bytes.truncate(at),
            4 => {
                // A number becomes another one.
                let rest = bytes.get(at..).unwrap_or_default();
                let Some(start) = rest.iter().position(u8::is_ascii_digit) else { continue };
                let start = at + start;
                let end = start + bytes[start..].iter().take_while(|b| b.is_ascii_digit()).count();
                bytes.splice(start..end, WORDS[random.below(7)].bytes());
            }
            _ => {
                let word = WORDS[random.below(WORDS.len())].bytes();
                bytes.splice(at..if random.below(2) == 0 { at } else { end }, word);
            }
        }
    }
    bytes
}

/// Tries changed inputs of a kind; how many were read.
fn tried(
    kind: &str,
    seeds: &[Vec<u8>],
    count: usize,
    read: &mut dyn FnMut(&[u8]) -> bool,
) -> usize {
    let asked = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<usize>().ok());
    let mut random = Random(2026 + kind.len() as u64 + asked("CAROM_SEED").unwrap_or(0) as u64);
    let count = asked("CAROM_MUTATIONS").unwrap_or(0).max(count);
    let whole = seeds.iter().filter(|seed| read(seed)).count();
    (0..count)
        .filter(|k| {
            let changed = mutated(&mut random, &seeds[k % seeds.len()]);
            read(&changed)
        })
        .count()
        + whole
}

#[test]
fn changed_model_files_are_models_or_have_faults_within_them() {
    let read = &mut |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        match parse("m.toml", &text, &[]) {
            Ok(_) => true,
            Err(LoadError::Syntax { faults, .. }) => {
                for span in faults.iter().filter_map(|fault| fault.span.as_ref()) {
                    assert!(span.start <= span.end && span.end <= text.len(), "{text}");
                }
                false
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                false
            }
        }
    };
    let seeds = corpus("toml");
    assert!(seeds.iter().all(|seed| read(seed)), "the corpus is sound");
    assert!(tried("toml", &seeds, MUTATIONS / 2, read) > 500);
}

#[test]
fn changed_expressions_and_quantities_are_read_or_refused() {
    let expressions = &mut |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        let found = [Scope::Constant, Scope::Time, Scope::Motion].map(|scope| {
            let expression = Expression::parse(&text, scope).ok()?;
            let value = |name: &str| Ok(Binding::Constant(name.len() as f64, Measure::Unknown));
            assert!(expression.names().all(|name| !name.is_empty()), "{text}");
            expression.resolve(value).ok()
        });
        found.iter().any(Option::is_some)
    };
    assert!(tried("expression", &corpus("expression"), MUTATIONS, expressions) > 500);
    let quantities = &mut |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        let found = ["kg", "m", "m/s", "N m", "Pa", "kg/m^3", ""].map(|unit| {
            let found = TipOptions::quantities("option", &text, unit).ok()?;
            assert!(found.iter().all(|x| x.is_finite()), "{text:?} {unit} {found:?}");
            let _ = TipOptions::vector("option", &text, unit);
            Some(found)
        });
        found.iter().any(Option::is_some)
    };
    assert!(tried("quantity", &corpus("quantity"), MUTATIONS, quantities) > 500);
}

#[test]
fn changed_logs_give_a_beginning_of_what_was_written() {
    let header = Header {
        version: "1".to_owned(),
        model: 1,
        study: 2,
        points: 9,
        part: PlanPart::Study,
        shard: Shard::WHOLE,
        columns: vec!["a".to_owned(), "b".to_owned()],
        files: vec![("f".to_owned(), "text".to_owned())],
        sets: vec![],
    };
    let mut sound = header.bytes();
    for point in 0..9 {
        let entry = match point % 4 {
            0 => Entry::Measures(vec![1.5, f64::INFINITY]),
            1 => Entry::Failed("it stands still".to_owned()),
            2 => Entry::Partial(vec![2.0, f64::NAN], "one is missing".to_owned()),
            _ => Entry::Untouched(vec![0.0, f64::NAN], "it stays 1 m away".to_owned()),
        };
        append(&mut sound, point, &entry);
    }
    let mut seeds = vec![sound];
    seeds.extend(corpus("log"));
    let read = &mut |bytes: &[u8]| {
        let (columns, rest) = match Header::read(bytes) {
            Ok((header, length)) => (header.columns.len(), &bytes[length..]),
            Err(_) => (2, bytes),
        };
        let mut again = Vec::new();
        let records = Reader::records(rest, columns);
        for (point, entry) in &records {
            append(&mut again, *point, entry);
        }
        assert!(rest.starts_with(&again));
        !records.is_empty()
    };
    assert!(tried("log", &seeds, MUTATIONS, read) > 500);
}

/// A run that was stopped, as JSON.
fn stopped(machine: &Opened, plan: &Scenario, steps: usize) -> Vec<u8> {
    let start = &machine.assembled.state;
    let out = simulate_with(machine.model(), start, plan, &mut |p| p.steps < steps);
    let outcome = out.unwrap_err().outcome.unwrap();
    serde_json::to_vec(&*outcome).unwrap()
}

#[test]
fn runs_go_on_from_changed_checkpoints_or_refuse_them() {
    let ball = String::from_utf8(corpus("checkpoint").remove(0)).unwrap();
    let machine = open_text("ball.toml", &ball, &[]).unwrap();
    let mut mechanism = Mechanism::new(machine.model());
    let at = mechanism.at(&machine.assembled.state).unwrap();
    let plan = Scenario::new(&at, &Wishes::default()).unwrap();
    let seeds = [3, 30].map(|steps| stopped(&machine, &plan, steps));
    let read = &mut |bytes: &[u8]| {
        let Ok(outcome) = serde_json::from_slice::<Outcome>(bytes) else { return false };
        let mut steps = 0;
        let went_on = resume(machine.model(), &plan, outcome, &mut |_| {
            steps += 1;
            steps < STEPS
        });
        steps > 0 || went_on.is_ok()
    };
    assert!(tried("checkpoint", &seeds, CHECKPOINTS, read) > 10);
}
