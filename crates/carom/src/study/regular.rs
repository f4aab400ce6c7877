//! Files that are read to their end: regular ones only.

use std::fs::File;
use std::io::{Error, ErrorKind, Read as _, Result};
use std::path::Path;

/// Refuses what is not a regular file: opening a FIFO waits for a writer, a device or a directory has no end or no text. Links are followed.
pub fn check_regular(path: &Path) -> Result<()> {
    let kind = std::fs::metadata(path)?.file_type();
    if kind.is_file() {
        return Ok(());
    }
    let what = if kind.is_dir() { "a directory" } else { "a pipe, socket or device" };
    Err(Error::new(ErrorKind::InvalidInput, format!("it is {what}, not a regular file")))
}

/// Opens a regular file for reading.
pub fn open_regular(path: &Path) -> Result<File> {
    check_regular(path)?;
    File::open(path)
}

/// The text of a regular file.
pub fn read_regular(path: &Path) -> Result<String> {
    let mut text = String::new();
    open_regular(path)?.read_to_string(&mut text)?;
    Ok(text)
}
