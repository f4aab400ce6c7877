//! Where a figure is written: beside its place first, then moved there in one step.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::VerbResult;

/// A place for a figure that was found free, or may be replaced.
#[derive(Debug)]
pub(crate) struct Target {
    path: PathBuf,
}

impl Target {
    /// Refuses a place that cannot be meant, before anything is computed.
    pub(crate) fn new(path: &Path, overwrite: bool) -> Result<Self, String> {
        let shown = path.display();
        if !path.extension().is_some_and(|e| e.eq_ignore_ascii_case("svg")) {
            return Err(format!("{shown}: a figure is an SVG file: its name has to end in .svg"));
        }
        let folder = folder(path);
        if !folder.is_dir() {
            return Err(format!("{shown}: there is no folder `{}`", folder.display()));
        }
        match fs::symlink_metadata(path) {
            Ok(found) if found.is_dir() => Err(format!("{shown} is a folder, not a file")),
            Ok(_) if !overwrite => {
                Err(format!("{shown} is there already; --overwrite replaces it"))
            }
            _ => Ok(Self { path: path.to_owned() }),
        }
    }

    /// Writes the figure and says so.
    pub(crate) fn written(&self, text: &str) -> VerbResult {
        let path = &self.path;
        let mut name = OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(format!(".{}.part", std::process::id()));
        let beside = folder(path).join(name);
        let done = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&beside)
            .and_then(|mut file| {
                file.write_all(text.as_bytes())?;
                file.sync_all()
            })
            .and_then(|()| fs::rename(&beside, path));
        if let Err(error) = done {
            // It may not be there; then there is nothing to remove.
            let _ = fs::remove_file(&beside);
            return Err(format!("{} cannot be written: {error}", path.display()));
        }
        Ok(format!("wrote {} ({} kB)\n", path.display(), text.len().div_ceil(1000)))
    }
}

/// The folder of a path; the current one for a bare name.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
