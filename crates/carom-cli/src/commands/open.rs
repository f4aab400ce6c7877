//! `--open`: shows a page that was written.

use std::path::Path;
use std::process::{Command, Stdio};

/// What opens a file as the desktop does, where `$BROWSER` names nothing.
const OPENER: &[&str] = if cfg!(target_os = "macos") {
    &["open"]
} else if cfg!(target_os = "windows") {
    &["cmd", "/C", "start", ""]
} else {
    &["xdg-open"]
};

/// Opens a page and does not wait for the reader.
pub(crate) fn page(path: &Path) -> Result<(), String> {
    let chosen = std::env::var("BROWSER").ok().filter(|name| !name.trim().is_empty());
    let words: Vec<&str> = match &chosen {
        Some(name) => vec![name.trim()],
        None => OPENER.to_vec(),
    };
    let [program, arguments @ ..] = words.as_slice() else { return Ok(()) };
    let begun = Command::new(program)
        .args(arguments)
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    begun.map(|_| ()).map_err(|error| {
        format!("--open: `{program}` cannot be started: {error}; open {}", path.display())
    })
}
