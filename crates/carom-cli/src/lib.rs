//! The carom command: how hard does your mechanism hit?
//!
//! One verb, one file under `commands`. A verb gives the text for stdout, or a message for stderr:
//! nothing is printed on stdout unless the verb succeeded. Warnings go to stderr as they are found.
//! The library is the whole command, so that other front ends (the Python package's `carom`) run the same one; `main.rs` only calls it.
//! Exit codes: 0 done, 1 ran but did not come to its end or to what it should, 2 could not run; of sweeps also 3 some points failed, 4 could not
//! write.

mod args;
mod commands;
mod csv;
mod figure;
mod interrupt;
mod number;
pub mod pages;
mod picture;
mod report;
mod settings;
mod table;

use std::ffi::OsString;
use std::io::{ErrorKind, Write};

use clap::Parser;

use args::{Arguments, Verb};

/// What a verb ends with: the text for stdout, or the message for stderr.
pub type VerbResult = Result<String, String>;

/// Ran, but did not come to its end.
const STOPPED: u8 = 1;
/// Could not run.
const FAILED: u8 = 2;

/// Runs the command with these arguments, the name of the program first, and gives its exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(usage) => {
            // Help and versions arrive here too, with code 0. A closed pipe is no reason to fail.
            let _ = usage.print();
            return u8::try_from(usage.exit_code()).unwrap_or(FAILED);
        }
    };
    settings::set(arguments.wide, arguments.quiet);
    let page = arguments.verb.page();
    if arguments.open && page.is_none() {
        commands::complain("--open goes with a verb that writes a page, and with -o DIR");
        return FAILED;
    }
    let code = ended(&arguments.verb);
    if let (true, Some(page)) = (arguments.open && code != FAILED, page)
        && page.is_file()
        && let Err(why) = commands::open::page(&page)
    {
        commands::complain(&why);
        return FAILED;
    }
    code
}

/// Runs a verb, prints its answer, and gives the exit code.
fn ended(verb: &Verb) -> u8 {
    let outcome = match verb {
        Verb::Sweep(wanted) => return commands::sweep::run(wanted),
        Verb::Merge(wanted) => return commands::merge::run(wanted),
        Verb::Uncertainty(wanted) => return commands::uncertainty::run(wanted),
        verb => answered(verb),
    };
    match outcome.and_then(|(text, ended)| print(&text).map(|()| ended)) {
        Ok(true) => 0,
        Ok(false) => STOPPED,
        Err(message) => {
            commands::complain(&message);
            FAILED
        }
    }
}

/// What `carom laws` prints with these arguments after its name, for front ends that read its JSON.
pub fn laws(arguments: impl IntoIterator<Item = OsString>) -> VerbResult {
    let all = ["carom", "laws"].map(OsString::from).into_iter().chain(arguments);
    match Arguments::try_parse_from(all).map_err(|usage| usage.to_string())?.verb {
        Verb::Laws(wanted) => commands::laws::run(&wanted),
        _ => Err("these are not arguments of `laws`".to_owned()),
    }
}

/// What a verb prints, and whether it came to its end.
fn answered(verb: &Verb) -> Result<(String, bool), String> {
    match verb {
        Verb::New(wanted) => whole(commands::new::run(wanted)),
        Verb::Import(wanted) => whole(commands::import::run(wanted)),
        Verb::Check(wanted) => whole(commands::check::run(wanted)),
        Verb::Assess(wanted) => whole(commands::assess::run(wanted)),
        Verb::Impact(wanted) => whole(commands::impact::run(wanted)),
        Verb::Tip(wanted) => whole(commands::tip::run(wanted)),
        Verb::Near(wanted) => whole(commands::near::run(wanted)),
        Verb::Run(wanted) => commands::run::run(wanted),
        Verb::Study(wanted) => whole(commands::study::run(wanted)),
        Verb::Map(wanted) => whole(commands::map::run(wanted)),
        Verb::Compare(wanted) => whole(commands::compare::run(wanted)),
        Verb::Optimise(wanted) => commands::optimise::run(wanted),
        Verb::Fit(wanted) => whole(commands::fit::run(wanted)),
        #[cfg(feature = "reproduce")]
        Verb::Reproduce(wanted) => commands::reproduce::run(wanted),
        Verb::Laws(wanted) => whole(commands::laws::run(wanted)),
        Verb::Schema(wanted) => whole(commands::schema::run(wanted)),
        Verb::Completions(wanted) => whole(commands::shell::completions(wanted)),
        Verb::Man(wanted) => whole(commands::shell::man(wanted)),
        Verb::Sweep(_) | Verb::Merge(_) | Verb::Uncertainty(_) => {
            Err("it has exit codes of its own".to_owned())
        }
    }
}

/// A verb that ends or fails.
fn whole(outcome: VerbResult) -> Result<(String, bool), String> {
    outcome.map(|text| (text, true))
}

/// Writes to stdout; a reader who has seen enough (`| head -1`) closes the pipe, and that is fine.
pub(crate) fn print(text: &str) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("stdout cannot be written: {error}"))
        }
        _ => Ok(()),
    }
}
