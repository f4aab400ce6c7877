//! Mesh files that a model names: found only in the folders that were given.
//!
//! A reference is a path from the folder of the file that states it, or `package://NAME/PATH` with a folder given for NAME. The file has to lie
//! in one of these folders after links and `..` are followed, so that a robot from elsewhere cannot make the reader open other files.

use std::collections::HashMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::open_regular;
use crate::maths::mesh::Mesh;

/// The largest mesh file that is read.
const MOST_BYTES: u64 = 256 << 20;

/// Where mesh files may lie.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Places {
    /// Folders of the files that state references, the nearest first.
    pub folders: Vec<PathBuf>,
    /// Folders by the names of `package://NAME/…`.
    pub packages: Vec<(String, PathBuf)>,
}

/// Meshes that were read, by their references.
#[derive(Debug, Default)]
pub struct Meshes {
    known: HashMap<String, Result<Mesh, String>>,
}

impl Meshes {
    /// The mesh of a reference; each file is read once.
    pub fn get(&mut self, places: &Places, reference: &str) -> &Result<Mesh, String> {
        self.known.entry(reference.to_owned()).or_insert_with(|| {
            places.read(reference).map_err(|why| format!("`{reference}`: {why}"))
        })
    }
}

impl Places {
    /// Reads the mesh of a reference; the message says why it cannot.
    pub fn read(&self, reference: &str) -> Result<Mesh, String> {
        Mesh::read(reference, &self.bytes(reference)?).map_err(|error| error.to_string())
    }

    /// Reads the mesh of a reference as MuJoCo does ([`Mesh::read_first_object`]).
    pub fn read_first_object(&self, reference: &str) -> Result<(Mesh, usize), String> {
        let bytes = self.bytes(reference).map_err(|why| format!("`{reference}`: {why}"))?;
        Mesh::read_first_object(reference, &bytes)
            .map_err(|error| format!("`{reference}`: {error}"))
    }

    fn bytes(&self, reference: &str) -> Result<Vec<u8>, String> {
        if !Mesh::is_readable(reference) {
            return Err("meshes are read from .stl and .obj files only".to_owned());
        }
        let path = self.find(reference)?;
        let told = |error: std::io::Error| format!("cannot be read: {error}");
        let file = open_regular(&path).map_err(told)?;
        let mut bytes = Vec::new();
        // One byte more than allowed tells a large file, even one without end.
        file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(told)?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err("larger than 256 MB".to_owned());
        }
        Ok(bytes)
    }

    /// The file of a reference, in one of the given folders.
    pub(super) fn find(&self, reference: &str) -> Result<PathBuf, String> {
        let tried: Vec<PathBuf> = match reference.split_once("://") {
            Some(("package", rest)) => {
                let (name, rest) = rest.split_once('/').unwrap_or((rest, ""));
                let found = self.packages.iter().find(|(known, _)| known == name);
                let (_, folder) = found.ok_or_else(|| {
                    format!("the folder of the package `{name}` is not given: --package {name}=DIR")
                })?;
                vec![folder.join(rest)]
            }
            Some(("file", rest)) => vec![PathBuf::from(rest)],
            Some((scheme, _)) => {
                let scheme: String = scheme.chars().take(20).collect();
                return Err(format!(
                    "`{scheme}://` is not read: expected a file or package://NAME/…"
                ));
            }
            None => self.folders.iter().map(|folder| folder.join(reference)).collect(),
        };
        if tried.is_empty() {
            return Err("the model has no place on the disk to look for it".to_owned());
        }
        // `canonicalize` fails for a file that is not there.
        let Some(path) = tried.iter().find_map(|path| path.canonicalize().ok()) else {
            return Err("there is no such file".to_owned());
        };
        let given = self.folders.iter().chain(self.packages.iter().map(|(_, folder)| folder));
        let inside = |folder: &PathBuf| {
            let whole = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            whole.canonicalize().is_ok_and(|folder| path.starts_with(folder))
        };
        if given.into_iter().any(inside) {
            return Ok(path);
        }
        Err("it lies outside the folder of the model file; give its folder by --package NAME=DIR"
            .to_owned())
    }
}
