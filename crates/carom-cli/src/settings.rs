//! What holds for every verb: how wide tables are, what is said on stderr, and in which colour.

use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tables are as wide as their content, with all of their columns.
static WIDE: AtomicBool = AtomicBool::new(false);
/// Cautions and progress are not written on stderr.
static QUIET: AtomicBool = AtomicBool::new(false);

/// How many places a line of a table takes unless `--wide` is given.
const COLUMNS: usize = 100;

/// Sets both, for the verb that is about to run.
pub(crate) fn set(wide: bool, quiet: bool) {
    WIDE.store(wide, Ordering::Relaxed);
    QUIET.store(quiet, Ordering::Relaxed);
}

/// Whether tables have all of their columns.
pub(crate) fn is_wide() -> bool {
    WIDE.load(Ordering::Relaxed)
}

/// How many places a line of a table may take.
pub(crate) fn columns() -> usize {
    if is_wide() { usize::MAX } else { COLUMNS }
}

/// Whether stderr is for errors alone.
pub(crate) fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Escapes that make the first word of a message on stderr red, yellow or blue, and their end.
const COLOURS: [(&str, &str); 3] =
    [("error: ", "\u{1b}[1;31m"), ("warning: ", "\u{1b}[1;33m"), ("note: ", "\u{1b}[1;34m")];
const PLAIN: &str = "\u{1b}[0m";

/// The message with its first word in colour, if stderr is a terminal and nobody objects: `NO_COLOR` set to anything, or a terminal
/// that is called `dumb`.
pub(crate) fn coloured(message: &str) -> String {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let shown = std::io::stderr().is_terminal()
        && set("NO_COLOR").is_none()
        && set("TERM").is_none_or(|term| term != "dumb");
    if shown { painted(message) } else { message.to_owned() }
}

fn painted(message: &str) -> String {
    let found = COLOURS.iter().find(|(word, _)| message.starts_with(word));
    found.map_or_else(
        || message.to_owned(),
        |(word, colour)| {
            let word = word.trim_end();
            format!("{colour}{word}{PLAIN}{}", &message[word.len()..])
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_alone_is_in_colour() {
        assert_eq!(painted("warning: a: b"), "\u{1b}[1;33mwarning:\u{1b}[0m a: b");
        assert_eq!(painted("wrote out"), "wrote out");
    }
}
