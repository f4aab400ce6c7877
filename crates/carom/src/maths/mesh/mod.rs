//! Triangle meshes: readers of STL and OBJ, mass properties of closed meshes, visibility, and a coarser copy for pictures.
//!
//! A mesh is read from the bytes of a file ([`Mesh::read`]); nothing here opens a file. Lengths have the unit of the file, which the caller
//! brings to metres by [`Mesh::placed`].

mod coarse;
mod hull;
mod obj;
mod rays;
mod solid;
mod stl;

use std::collections::HashMap;

use thiserror::Error;

pub use rays::Rays;
pub use solid::{Solid, SolidError};

use super::{Pose, Vec3};

/// Triangles that a file may have.
pub const MOST_TRIANGLES: usize = 5_000_000;

/// The kinds of mesh files that are read, by the end of their name.
pub const KINDS: [&str; 2] = ["stl", "obj"];

/// A surface of triangles. Seen from outside, the corners of a triangle run counter-clockwise.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Corners; no two are equal.
    pub points: Vec<Vec3>,
    /// Three different corners each, as positions in [`Mesh::points`].
    pub triangles: Vec<[u32; 3]>,
}

/// Why bytes are no mesh.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MeshError {
    /// A line of a text.
    #[error("line {line}: found {found}, expected {expected}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What stands there.
        found: String,
        /// What should.
        expected: &'static str,
    },
    /// A place in a binary file.
    #[error("byte {byte} (triangle {triangle}): a coordinate is {found}, expected a finite number")]
    Coordinate {
        /// The first byte of the number, from 0.
        byte: usize,
        /// Its triangle, from 1.
        triangle: usize,
        /// The number: `NaN` or `inf`.
        found: String,
    },
    /// A binary STL file whose length is not that of its triangles.
    #[error(
        "the header of the binary STL file announces {triangles} triangles, which take {expected} bytes; the file has {found} bytes"
    )]
    Length {
        /// Triangles by the header.
        triangles: u32,
        /// Bytes that they take.
        expected: u64,
        /// Bytes of the file.
        found: usize,
    },
    /// Neither a text nor long enough for a binary STL file.
    #[error(
        "the file is neither a text STL file (it does not begin with `solid`) nor a binary one ({found} bytes, expected at least 84)"
    )]
    NoStl {
        /// Bytes of the file.
        found: usize,
    },
    /// A mesh without surface.
    #[error("the file has no triangle with an area")]
    Empty,
    /// More than [`MOST_TRIANGLES`].
    #[error("the file has more than {MOST_TRIANGLES} triangles")]
    TooLarge,
    /// A coordinate that 32 bits do not hold.
    #[error("a coordinate is {found}, expected a number below 3.4e38, which 32 bits hold")]
    TooFar {
        /// The coordinate.
        found: String,
    },
    /// A kind of file that is not read.
    #[error("meshes are read from .stl and .obj files, not from `{found}`")]
    Kind {
        /// The end of the name.
        found: String,
    },
}

impl MeshError {
    fn line(line: usize, found: &[u8], expected: &'static str) -> Self {
        Self::Line { line, found: quoted(found), expected }
    }
}

/// A word of a file as it is shown in a message: at most 40 characters, without control characters.
fn quoted(word: &[u8]) -> String {
    if word.is_empty() {
        return "the end of the line".to_owned();
    }
    let text = String::from_utf8_lossy(&word[..word.len().min(160)]).into_owned();
    let shown: String = text.chars().filter(|c| !c.is_control()).take(40).collect();
    format!("`{shown}`")
}

impl Mesh {
    /// Reads the bytes of a file; `name` tells the format by its end, `.stl` or `.obj`.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self, MeshError> {
        match kind(name).as_deref() {
            Some("stl") => stl::read(bytes),
            Some("obj") => obj::read(bytes).map(|(mesh, _)| mesh),
            _ => {
                let end = name.rsplit(['/', '\\']).next().unwrap_or(name);
                Err(MeshError::Kind { found: end.chars().take(60).collect() })
            }
        }
    }

    /// Reads the bytes of a file as MuJoCo does: the coordinates are rounded to 32 bits, and of an OBJ file only the polygons of the first object or
    /// group count. Also gives how many triangles of others there are.
    pub fn read_first_object(name: &str, bytes: &[u8]) -> Result<(Self, usize), MeshError> {
        let (mut mesh, first) = if kind(name).as_deref() == Some("obj") {
            obj::read(bytes)?
        } else {
            let mesh = Self::read(name, bytes)?;
            let all = mesh.triangles.len();
            (mesh, all)
        };
        let others = mesh.triangles.len() - first;
        mesh.triangles.truncate(first);
        #[allow(clippy::cast_possible_truncation, reason = "rounding is what is asked for")]
        for x in mesh.points.iter_mut().flat_map(|p| p.iter_mut()) {
            let rounded = f64::from(*x as f32);
            if !rounded.is_finite() {
                return Err(MeshError::TooFar { found: format!("{x:e}") });
            }
            *x = rounded;
        }
        Ok((mesh, others))
    }

    /// Whether a file of this name can be read.
    pub fn is_readable(name: &str) -> bool {
        kind(name).is_some_and(|kind| KINDS.contains(&kind.as_str()))
    }

    /// The mesh with each length along the axes multiplied by a factor, then moved to a pose. A reflection (a negative product of the factors)
    /// turns every triangle around, so that its outer side stays outside.
    pub fn placed(&self, scale: &Vec3, pose: &Pose) -> Self {
        let points = self.points.iter().map(|p| pose.point(&p.component_mul(scale))).collect();
        let mirrored = scale.product() < 0.0;
        let turned = |t: &[u32; 3]| if mirrored { [t[0], t[2], t[1]] } else { *t };
        Self { points, triangles: self.triangles.iter().map(turned).collect() }
    }

    /// The corners of a triangle.
    pub fn corners(&self, triangle: &[u32; 3]) -> [Vec3; 3] {
        triangle.map(|k| self.points[k as usize])
    }

    /// The sum of all triangles' areas.
    pub fn area(&self) -> f64 {
        self.triangles.iter().map(|t| 0.5 * doubled_area(&self.corners(t)).norm()).sum()
    }

    /// The least and greatest coordinates; zeros for a mesh without points.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        let Some(first) = self.points.first() else { return (Vec3::zeros(), Vec3::zeros()) };
        self.points.iter().fold((*first, *first), |(low, high), p| (low.inf(p), high.sup(p)))
    }
}

/// The end of a file's name after its last dot, in small letters.
fn kind(name: &str) -> Option<String> {
    name.rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase())
}

/// The normal of a triangle with twice its area as length.
pub fn doubled_area([a, b, c]: &[Vec3; 3]) -> Vec3 {
    (b - a).cross(&(c - a))
}

/// Gathers triangles and gives equal corners one number: STL files repeat a corner in each of its triangles, and OBJ files may.
#[derive(Default)]
struct Gatherer {
    mesh: Mesh,
    known: HashMap<[u64; 3], u32>,
}

impl Gatherer {
    /// The number of a corner.
    fn point(&mut self, p: [f64; 3]) -> u32 {
        // −0 and 0 are one coordinate.
        let key = p.map(|x| if x == 0.0 { 0 } else { x.to_bits() });
        let next = u32::try_from(self.mesh.points.len()).unwrap_or(u32::MAX);
        *self.known.entry(key).or_insert_with(|| {
            self.mesh.points.push(Vec3::from(p));
            next
        })
    }

    /// A triangle; one whose corners are not three different points is a line and left out.
    fn triangle(&mut self, t: [u32; 3]) -> Result<(), MeshError> {
        if self.mesh.triangles.len() == MOST_TRIANGLES {
            return Err(MeshError::TooLarge);
        }
        if t[0] != t[1] && t[1] != t[2] && t[2] != t[0] {
            self.mesh.triangles.push(t);
        }
        Ok(())
    }

    fn finished(self) -> Result<Mesh, MeshError> {
        let mesh = self.mesh;
        if mesh.triangles.iter().any(|t| doubled_area(&mesh.corners(t)).norm() > 0.0) {
            Ok(mesh)
        } else {
            Err(MeshError::Empty)
        }
    }
}

#[cfg(test)]
#[path = "mesh_tests.rs"]
mod tests;
