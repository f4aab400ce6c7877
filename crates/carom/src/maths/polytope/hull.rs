//! The convex hull of points as a polyhedron: triangles of one plane are one face.

use super::{Polytope, PolytopeError, THIN, Topology};
use crate::maths::Vec3;
use crate::maths::mesh::{Mesh, doubled_area};

/// Why there is no polyhedron.
const FLAT: &str = "a polyhedron needs four points that are not in a plane";

impl Polytope {
    /// The convex hull of points.
    ///
    /// Points nearer to a face than `THIN` of the size lie in it.
    pub fn hull(points: &[Vec3]) -> Result<Self, PolytopeError> {
        Self::hull_within(points, THIN)
    }

    /// The same of points that are known to this fraction of the size only.
    pub fn hull_within(points: &[Vec3], thin: f64) -> Result<Self, PolytopeError> {
        let flat = PolytopeError::Flat(FLAT);
        let cloud = Mesh { points: points.to_vec(), triangles: Vec::new() };
        let hull = cloud.hull().ok_or_else(|| flat.clone())?;
        let (low, high) = hull.bounds();
        let thin = thin * (high - low).norm();
        let groups = coplanar(&hull, thin);
        let count = groups.iter().max().map_or(0, |k| k + 1);
        // A vertex is where three faces meet; others are points of edges and faces.
        let mut faces_of = vec![Vec::new(); points.len()];
        for (triangle, group) in hull.triangles.iter().zip(&groups) {
            for &k in triangle {
                let own: &mut Vec<usize> = &mut faces_of[k as usize];
                if !own.contains(group) {
                    own.push(*group);
                }
            }
        }
        let mut number = vec![usize::MAX; points.len()];
        let mut vertices = Vec::new();
        for (k, own) in faces_of.iter().enumerate() {
            if own.len() > 2 {
                number[k] = vertices.len();
                vertices.push(points[k]);
            }
        }
        let mut faces = Vec::with_capacity(count);
        for group in 0..count {
            let rim = rim(&hull, &groups, group).ok_or_else(|| flat.clone())?;
            let rim = rim.into_iter().map(|k| number[k as usize]);
            let face: Vec<usize> = rim.filter(|k| *k != usize::MAX).collect();
            if face.len() < 3 {
                return Err(flat);
            }
            faces.push(face);
        }
        let normals = faces.iter().map(|face| normal(&vertices, face)).collect();
        let topology = Topology::of_faces(vertices.len(), faces).ok_or(flat)?;
        Ok(Self { vertices, normals, topology })
    }
}

/// Newell's normal: Σ pₖ × pₖ₊₁, about the first corner.
fn normal(vertices: &[Vec3], face: &[usize]) -> Vec3 {
    let first = vertices[face[0]];
    let mut sum = Vec3::zeros();
    for pair in face.windows(2) {
        sum += (vertices[pair[0]] - first).cross(&(vertices[pair[1]] - first));
    }
    sum.normalize()
}

/// By triangle, the number of its plane.
fn coplanar(hull: &Mesh, thin: f64) -> Vec<usize> {
    let count = hull.triangles.len();
    let planes: Vec<(Vec3, f64, f64)> = hull
        .triangles
        .iter()
        .map(|t| {
            let corners = hull.corners(t);
            let n = doubled_area(&corners);
            let unit = n.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
            (unit, unit.dot(&corners[0]), n.norm())
        })
        .collect();
    // The largest triangles define the planes.
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|a, b| planes[*b].2.total_cmp(&planes[*a].2));
    let mut groups = vec![usize::MAX; count];
    let mut next = 0;
    for &first in &order {
        if groups[first] != usize::MAX {
            continue;
        }
        let (unit, offset, _) = planes[first];
        for &other in &order {
            let lies = |k: &Vec3| (unit.dot(k) - offset).abs() <= thin;
            if groups[other] == usize::MAX && hull.corners(&hull.triangles[other]).iter().all(lies)
            {
                groups[other] = next;
            }
        }
        next += 1;
    }
    groups
}

/// The corners around the triangles of a plane. None if they are not in one piece.
fn rim(hull: &Mesh, groups: &[usize], group: usize) -> Option<Vec<u32>> {
    let own = || hull.triangles.iter().zip(groups).filter(|(_, g)| **g == group).map(|(t, _)| t);
    let runs = |t: &[u32; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    let inner: Vec<[u32; 2]> = own().flat_map(runs).collect();
    let outer: Vec<[u32; 2]> =
        inner.iter().filter(|[a, b]| !inner.contains(&[*b, *a])).copied().collect();
    let start = outer.first()?[0];
    let mut out = vec![start];
    loop {
        let at = *out.last()?;
        let next = outer.iter().find(|run| run[0] == at)?[1];
        if next == start {
            break;
        }
        if out.len() > outer.len() {
            return None;
        }
        out.push(next);
    }
    (out.len() == outer.len()).then_some(out)
}
