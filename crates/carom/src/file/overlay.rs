//! A file that completes another: `model = "machine.toml"` at its top, and its own keys over those there.

use std::path::{Path, PathBuf};

use super::{LoadError, Loaded, Places, Source, describe, judged, read, robot};
use crate::model::Description;
use crate::model::description::Value;
use crate::robot::Options;

/// How many files may complete each other.
const DEEPEST: usize = 4;

/// Reads a file and those it completes; mesh files may also lie in the folders of packages.
pub(super) fn load(
    path: &Path,
    sets: &[(String, String)],
    packages: &[(String, PathBuf)],
) -> Result<Loaded, LoadError> {
    let mut sources = vec![read(path)?];
    let mut folders = vec![folder(path)];
    let mut path = path.to_owned();
    loop {
        let top = sources.len() - 1;
        if top > 0 && !is_below(&folders[0], &path) {
            sources[top] = sources[top].clone().without_excerpts();
        }
        if robot::is_robot(&path) {
            let options = Options { packages: packages.to_vec(), ..Options::default() };
            sources[top] = robot::model_of(&path, &sources[top], &options)?;
            break;
        }
        let description = describe(&sources[top])?;
        let Some(base) = completed(&description) else {
            if let Some(base) = robot::source_of(&description) {
                let asked = robot::options_of(&sources[top], &description)?;
                let options = Options { packages: packages.to_vec(), ..asked };
                let path = path.parent().unwrap_or(Path::new("")).join(base);
                let shown = is_below(&folders[0], &path);
                folders.push(folder(&path));
                sources.push(robot::read_model(&path, &options, shown)?);
            }
            break;
        };
        if sources.len() == DEEPEST {
            let name = sources[0].name().to_owned();
            return Err(LoadError::TooDeep { name, most: DEEPEST - 1 });
        }
        path = path.parent().unwrap_or(Path::new("")).join(base);
        folders.push(folder(&path));
        sources.push(read(&path)?);
    }
    sources.reverse();
    laid(&sources, sets, Places { folders, packages: packages.to_vec() })
}

/// Whether a file lies in a folder or below it, links followed. What cannot be found does not.
fn is_below(folder: &Path, path: &Path) -> bool {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let real = |path: &Path| path.canonicalize().ok();
    real(folder).zip(real(path)).is_some_and(|(folder, path)| path.starts_with(folder))
}

/// The folder of a file.
fn folder(path: &Path) -> PathBuf {
    path.parent().unwrap_or(Path::new("")).to_owned()
}

/// Builds the model of files that complete each other, the lowest first; as [`super::load`] does, without a disk.
pub fn parse_files(
    files: &[(String, String)],
    sets: &[(String, String)],
) -> Result<Loaded, LoadError> {
    let sources: Vec<Source> = files.iter().map(|(name, text)| Source::new(name, text)).collect();
    laid(&sources, sets, Places::default())
}

/// Each over the one before it.
fn laid(
    sources: &[Source],
    sets: &[(String, String)],
    places: Places,
) -> Result<Loaded, LoadError> {
    let mut whole: Option<(Source, Description)> = None;
    for source in sources {
        let mut description = describe(source)?;
        whole = Some(match whole {
            None => (source.clone(), description),
            Some((below, base)) => {
                description.remove("model");
                if robot::source_of(&description).is_some() {
                    description.remove("robot");
                }
                let joined = source.over(&below);
                let shift = below.text().len() + 1;
                (joined, description.over(base, shift))
            }
        });
    }
    match whole {
        Some((source, description)) => judged(source, description, sets, places),
        None => Err(LoadError::Empty { name: String::new() }),
    }
}

/// The file that a description completes.
pub(super) fn completed(description: &Description) -> Option<String> {
    match &description.root.get("model")?.value {
        Value::Text { text, .. } => Some(text.clone()),
        _ => None,
    }
}

/// Reads a robot's file with options, as if it were a model file.
pub fn import(path: &Path, options: &Options) -> Result<Loaded, LoadError> {
    let source = robot::read_model(path, options, true)?;
    let folder = options.out.clone().unwrap_or_else(|| folder(path));
    let places = Places { folders: vec![folder], packages: options.packages.clone() };
    laid(&[source], &options.sets, places)
}
