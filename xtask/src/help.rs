//! `cargo xtask help`: the list of verbs.

use std::fmt::Write as _;

use crate::{Outcome, VERBS, expect_no_arguments};

/// The line of the list of verbs.
pub(crate) const ABOUT: &str = "this list";

/// Prints the list.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    expect_no_arguments("help", arguments)?;
    print!("{}", text());
    Ok(())
}

/// The list of verbs.
pub(crate) fn text() -> String {
    let mut text = String::from("The workspace's own tasks:\n\n");
    for verb in &VERBS {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  cargo xtask {:<7} {}", verb.name, verb.about);
    }
    text
}
