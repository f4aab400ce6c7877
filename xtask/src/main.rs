//! The workspace's own tasks: `cargo xtask VERB`.
//!
//! One verb, one file; a verb takes the arguments after its name and returns or fails. The
//! programs they call inherit the working directory, so a task runs from anywhere inside the
//! workspace and honours `CARGO_TARGET_DIR`, also a relative one.

mod bench;
mod book;
mod browser;
mod callgrind;
mod contact;
mod count;
mod dist;
mod help;
mod peers;
mod public;
mod python;
mod robots;
mod sha256;
mod step;
mod test;
mod venv;
mod wheel;

use std::process::ExitCode;

/// Why a task ended early.
#[derive(Debug)]
enum Failure {
    /// It ran, and what it checked does not hold: exit 1.
    Failed(String),
    /// It could not run: exit 2.
    CouldNotRun(String),
}

/// What a task returns.
type Outcome = Result<(), Failure>;

/// A task by its name.
struct Verb {
    /// The word after `cargo xtask`.
    name: &'static str,
    /// One line for the list of verbs.
    about: &'static str,
    /// The task; it is given the arguments after the verb.
    run: fn(&[String]) -> Outcome,
}

/// Every verb, in the order of the list.
const VERBS: [Verb; 12] = [
    Verb { name: "test", about: test::ABOUT, run: test::run },
    Verb { name: "bench", about: bench::ABOUT, run: bench::run },
    Verb { name: "contact", about: contact::ABOUT, run: contact::run },
    Verb { name: "count", about: count::ABOUT, run: count::run },
    Verb { name: "peers", about: peers::ABOUT, run: peers::run },
    Verb { name: "book", about: book::ABOUT, run: book::run },
    Verb { name: "python", about: python::ABOUT, run: python::run },
    Verb { name: "robots", about: robots::ABOUT, run: robots::run },
    Verb { name: "wheel", about: wheel::ABOUT, run: wheel::run },
    Verb { name: "dist", about: dist::ABOUT, run: dist::run },
    Verb { name: "public", about: public::ABOUT, run: public::run },
    Verb { name: "help", about: help::ABOUT, run: help::run },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Failed(reason)) => {
            eprintln!("xtask: {reason}");
            ExitCode::from(1)
        }
        Err(Failure::CouldNotRun(reason)) => {
            eprintln!("xtask: {reason}");
            ExitCode::from(2)
        }
    }
}

/// Runs the verb that the arguments name; without one, the list of verbs.
fn dispatch(arguments: &[String]) -> Outcome {
    let Some((name, rest)) = arguments.split_first() else {
        return help::run(&[]);
    };
    let name = if matches!(name.as_str(), "-h" | "--help") { "help" } else { name };
    match VERBS.iter().find(|verb| verb.name == name) {
        Some(verb) => (verb.run)(rest),
        None => Err(Failure::CouldNotRun(format!("no verb `{name}`\n\n{}", help::text()))),
    }
}

/// Refuses arguments where a verb takes none.
fn expect_no_arguments(verb: &str, arguments: &[String]) -> Outcome {
    match arguments.first() {
        None => Ok(()),
        Some(first) => {
            Err(Failure::CouldNotRun(format!("`{verb}` takes no arguments, found `{first}`")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Failure, dispatch, expect_no_arguments};

    #[test]
    fn an_unknown_verb_could_not_run_and_the_message_lists_the_known_ones() {
        let Err(Failure::CouldNotRun(reason)) = dispatch(&["tset".to_owned()]) else {
            panic!("an unknown verb must be refused");
        };
        assert!(reason.contains("`tset`"), "{reason}");
        assert!(reason.contains("cargo xtask test"), "{reason}");
    }

    #[test]
    fn an_argument_too_many_is_refused_by_name() {
        let Err(Failure::CouldNotRun(reason)) = expect_no_arguments("test", &["-q".to_owned()])
        else {
            panic!("an argument too many must be refused");
        };
        assert!(reason.contains("`-q`"), "{reason}");
    }
}
