//! A folder of results: all of its files, or none.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A folder that was found free, or may be written over.
#[derive(Debug)]
pub(crate) struct Folder {
    pub path: PathBuf,
}

impl Folder {
    /// Refuses a place that cannot be meant, before anything is computed. `path` is `root` or a folder in it, `names` are the files that
    /// will be written.
    pub(crate) fn new(
        root: &Path,
        path: PathBuf,
        names: &[&str],
        overwrite: bool,
    ) -> Result<Self, String> {
        let parent = root.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !root.exists() && !parent.is_dir() {
            return Err(format!("{}: there is no folder `{}`", root.display(), parent.display()));
        }
        for folder in [root, path.as_path()] {
            if folder.exists() && !folder.is_dir() {
                return Err(format!("{} is a file, not a folder", folder.display()));
            }
        }
        for name in names {
            let file = path.join(name);
            match fs::symlink_metadata(&file) {
                Ok(found) if found.is_dir() => {
                    return Err(format!("{} is a folder, not a file", file.display()));
                }
                Ok(_) if !overwrite => {
                    let file = file.display();
                    return Err(format!("{file} is there already; --overwrite replaces it"));
                }
                _ => {}
            }
        }
        Ok(Self { path })
    }

    /// Writes all files beside their places, then moves them there; a file without content is removed.
    pub(crate) fn write<T: AsRef<[u8]>>(&self, files: &[(&str, Option<T>)]) -> Result<(), String> {
        let wrong = |error: std::io::Error| {
            format!("{}: it cannot be written: {error}", self.path.display())
        };
        fs::create_dir_all(&self.path).map_err(wrong)?;
        let part = |name: &str| self.path.join(format!(".{name}.{}.part", std::process::id()));
        let beside = || -> std::io::Result<()> {
            for (name, text) in files {
                let Some(text) = text else { continue };
                let mut file = OpenOptions::new().write(true).create_new(true).open(part(name))?;
                file.write_all(text.as_ref())?;
                file.sync_all()?;
            }
            Ok(())
        };
        let done = beside().and_then(|()| {
            for (name, text) in files {
                let place = self.path.join(name);
                match text {
                    Some(_) => fs::rename(part(name), place)?,
                    None if place.exists() => fs::remove_file(place)?,
                    None => {}
                }
            }
            Ok(())
        });
        if let Err(error) = done {
            for (name, _) in files {
                // What is not there need not be removed.
                let _ = fs::remove_file(part(name));
            }
            return Err(wrong(error));
        }
        Ok(())
    }
}
