//! `carom completions` and `carom man`: what shells and readers of manuals want to know of the command, from its own description.

use std::path::Path;

use clap::{Command, CommandFactory as _};

use super::folder::Folder;
use crate::VerbResult;
use crate::args::{Arguments, Completions, Man};

/// The name of the program.
const NAME: &str = "carom";
/// Section 1 of the manual holds commands.
const SECTION: &str = "1";

/// The completions of a shell.
pub(crate) fn completions(wanted: &Completions) -> VerbResult {
    let mut out = Vec::new();
    clap_complete::generate(wanted.shell, &mut Arguments::command(), NAME, &mut out);
    String::from_utf8(out).map_err(|error| error.to_string())
}

/// The page of the command, or all pages in a folder.
pub(crate) fn man(wanted: &Man) -> VerbResult {
    match &wanted.out {
        None => page(&Arguments::command()),
        Some(out) => pages(out),
    }
}

fn pages(out: &Path) -> VerbResult {
    let mut command = Arguments::command();
    // So that verbs have the options that all have in common.
    command.build();
    let mut files = vec![(format!("{NAME}.{SECTION}"), page(&command)?)];
    for verb in command.get_subcommands().filter(|verb| !verb.is_hide_set()) {
        // After `build` that is the name of the page: carom-run.
        let name = verb.get_display_name().unwrap_or_else(|| verb.get_name());
        files.push((format!("{name}.{SECTION}"), page(verb)?));
    }
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    // Pages are made from the command alone: older ones are replaced.
    let folder = Folder::new(out, out.to_owned(), &names, true)?;
    let texts: Vec<(&str, Option<&String>)> =
        files.iter().map(|(name, text)| (name.as_str(), Some(text))).collect();
    folder.write(&texts)?;
    Ok(format!("wrote {} pages to {}\n", files.len(), out.display()))
}

fn page(command: &Command) -> VerbResult {
    let mut out = Vec::new();
    let made = clap_mangen::Man::new(command.clone()).section(SECTION).render(&mut out);
    made.map_err(|error| error.to_string())?;
    String::from_utf8(out).map_err(|error| error.to_string())
}
