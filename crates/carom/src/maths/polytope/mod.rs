//! Convex polygons of the plane and convex polyhedra: vertices, edges, faces with outward normals, and which of them meet.

mod hull;

use std::sync::LazyLock;

use thiserror::Error;

use super::Vec3;

/// Lengths below this fraction of the size count as zero when a hull is taken: points on an edge or in a face are no vertices.
const THIN: f64 = 1e-10;

/// Which vertices, edges and faces of a convex set meet. In the plane the sides of a polygon are its edges and its faces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Topology {
    /// Two vertices each.
    pub edges: Vec<[usize; 2]>,
    /// The two faces beside each edge; empty in the plane, and of a segment.
    pub sides: Vec<[usize; 2]>,
    /// The vertices of each face; seen from outside they run counter-clockwise, in the plane with the inside to the left.
    pub faces: Vec<Vec<usize>>,
    /// The faces around each vertex.
    pub around: Vec<Vec<usize>>,
}

impl Topology {
    /// From the faces: each edge runs between two of them. None if the faces do not close.
    fn of_faces(count: usize, faces: Vec<Vec<usize>>) -> Option<Self> {
        let mut out = Self { around: vec![Vec::new(); count], faces, ..Self::default() };
        for (number, face) in out.faces.iter().enumerate() {
            for (k, &from) in face.iter().enumerate() {
                out.around[from].push(number);
                let to = face[(k + 1) % face.len()];
                let runs = |face: &Vec<usize>| {
                    (0..face.len()).any(|k| face[k] == to && face[(k + 1) % face.len()] == from)
                };
                let other = out.faces.iter().position(runs)?;
                if from < to {
                    out.edges.push([from, to]);
                    out.sides.push([number, other]);
                }
            }
        }
        Some(out)
    }

    /// Of a polygon: side k runs from vertex k to the next.
    fn of_polygon(count: usize) -> Self {
        let faces: Vec<Vec<usize>> = (0..count).map(|k| vec![k, (k + 1) % count]).collect();
        let around = (0..count).map(|k| vec![(k + count - 1) % count, k]).collect();
        let edges = faces.iter().map(|side| [side[0], side[1]]).collect();
        Self { edges, sides: Vec::new(), faces, around }
    }

    /// Of a segment; in the plane it has a face to each side.
    fn of_segment(planar: bool) -> Self {
        let faces = if planar { vec![vec![0, 1], vec![1, 0]] } else { Vec::new() };
        let around = vec![(0..faces.len()).collect(); 2];
        Self { edges: vec![[0, 1]], sides: Vec::new(), faces, around }
    }
}

/// A single point.
pub static POINT: LazyLock<Topology> =
    LazyLock::new(|| Topology { around: vec![Vec::new()], ..Topology::default() });
/// A segment in space, and in the plane.
pub static SEGMENT: LazyLock<[Topology; 2]> =
    LazyLock::new(|| [false, true].map(Topology::of_segment));
/// A rectangle whose vertices are those of [`corner_signs`].
pub static RECTANGLE: LazyLock<Topology> = LazyLock::new(|| Topology::of_polygon(4));
/// A box whose vertices are those of [`corner_signs`], faces −x, x, −y, y, −z, z.
pub static BOX: LazyLock<Topology> = LazyLock::new(|| {
    let faces =
        [[0, 4, 7, 3], [1, 2, 6, 5], [0, 1, 5, 4], [2, 3, 7, 6], [0, 3, 2, 1], [4, 5, 6, 7]];
    Topology::of_faces(8, faces.map(Vec::from).into()).unwrap_or_default()
});

/// The corners of a box as signs along its axes; the first four, without the third sign, are those of a rectangle.
pub const fn corner_signs() -> [[f64; 3]; 8] {
    [
        [-1.0, -1.0, -1.0],
        [1.0, -1.0, -1.0],
        [1.0, 1.0, -1.0],
        [-1.0, 1.0, -1.0],
        [-1.0, -1.0, 1.0],
        [1.0, -1.0, 1.0],
        [1.0, 1.0, 1.0],
        [-1.0, 1.0, 1.0],
    ]
}

/// Why points are no convex set.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PolytopeError {
    /// Too few points, or all of them on a line or in a plane.
    #[error("{0}")]
    Flat(&'static str),
    /// A corner of a polygon that points inward, or a line that crosses itself.
    #[error(
        "point {point} (from 0) makes the polygon not convex: its corners have to turn to the same side all the way round once"
    )]
    NotConvex {
        /// The point.
        point: usize,
    },
    /// Two points at one place.
    #[error("points {first} and {second} (from 0) are the same")]
    Twice {
        /// One of them.
        first: usize,
        /// The other.
        second: usize,
    },
}

/// A convex polygon in a plane z = const, or a convex polyhedron.
#[derive(Clone, Debug, PartialEq)]
pub struct Polytope {
    /// Vertices, in no particular order; of a polygon counter-clockwise.
    pub vertices: Vec<Vec3>,
    /// Outward unit normals of the faces.
    pub normals: Vec<Vec3>,
    /// How they meet.
    pub topology: Topology,
}

impl Polytope {
    /// The polygon with these corners, in either direction; corners that do not turn are left out.
    pub fn polygon(points: &[Vec3]) -> Result<Self, PolytopeError> {
        const FEW: &str = "a polygon needs three points that are not on a line";
        let n = points.len();
        for first in 0..n {
            if let Some(second) = (first + 1..n).find(|k| points[*k] == points[first]) {
                return Err(PolytopeError::Twice { first, second });
            }
        }
        let middle = points.iter().sum::<Vec3>() / n.max(1) as f64;
        let size = points.iter().map(|p| (p - middle).norm()).fold(0.0, f64::max);
        let turn = |k: usize| {
            let [a, b, c] = [k + n - 1, k, k + 1].map(|k| points[k % n]);
            (b - a).cross(&(c - b)).z
        };
        if n < 3 {
            return Err(PolytopeError::Flat(FEW));
        }
        let area: f64 =
            (0..n).map(|k| (points[k] - middle).cross(&(points[(k + 1) % n] - middle)).z).sum();
        if area.abs() <= THIN * size * size {
            return Err(PolytopeError::Flat(FEW));
        }
        let level = |k: usize| turn(k).abs() <= THIN * size * size;
        if let Some(point) = (0..n).find(|k| !level(*k) && turn(*k) * area < 0.0) {
            return Err(PolytopeError::NotConvex { point });
        }
        // A star turns to one side, too, but more than once.
        let heading = |k: usize| {
            let along = points[(k + 1) % n] - points[k];
            along.y.atan2(along.x)
        };
        let turned = |k: usize| {
            let by = heading((k + 1) % n) - heading(k);
            by - std::f64::consts::TAU * (by / std::f64::consts::TAU).round()
        };
        if (0..n).map(turned).sum::<f64>().abs() > 1.5 * std::f64::consts::TAU {
            return Err(PolytopeError::NotConvex { point: n - 1 });
        }
        let mut vertices: Vec<Vec3> = (0..n).filter(|k| !level(*k)).map(|k| points[k]).collect();
        if area < 0.0 {
            vertices.reverse();
        }
        let normals = (0..vertices.len()).map(|k| {
            let along = vertices[(k + 1) % vertices.len()] - vertices[k];
            along.cross(&Vec3::z()).normalize()
        });
        let topology = Topology::of_polygon(vertices.len());
        Ok(Self { normals: normals.collect(), vertices, topology })
    }

    /// The regular polygon of n corners on a circle about the origin, the first on the x axis.
    pub fn regular(n: usize, radius: f64) -> Result<Self, PolytopeError> {
        let corner = |k: usize| {
            let (s, c) = (std::f64::consts::TAU * k as f64 / n as f64).sin_cos();
            Vec3::new(c, s, 0.0) * radius
        };
        Self::polygon(&(0..n).map(corner).collect::<Vec<_>>())
    }

    /// The same in another frame.
    pub fn moved(&self, to: &super::Pose) -> Self {
        Self {
            vertices: self.vertices.iter().map(|p| to.point(p)).collect(),
            normals: self.normals.iter().map(|n| to.vector(n)).collect(),
            topology: self.topology.clone(),
        }
    }

    /// Whether it is a polygon.
    pub fn is_polygon(&self) -> bool {
        self.topology.sides.is_empty()
    }
}

#[cfg(test)]
#[path = "../polytope_tests.rs"]
mod tests;
