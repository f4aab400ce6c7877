//! The convex hull of a mesh's points: quickhull (Barber, Dobkin and Huhdanpaa, The quickhull algorithm for convex hulls, ACM TOMS 22, 1996).
//!
//! Points nearer to a facet than [`THIN`] of the mesh's size count as lying in it, so that a hull may leave out points by that much.

use std::collections::HashMap;

use super::{Mesh, doubled_area};
use crate::maths::Vec3;

/// Distances below this fraction of the mesh's size count as zero: some thousand times the round-off of a distance, and without effect on a volume.
const THIN: f64 = 1e-12;

/// A facet of the hull while it is built.
struct Facet {
    corners: [u32; 3],
    /// The facets across the edges from each corner to the next.
    across: [usize; 3],
    normal: Vec3,
    /// n · x of its points.
    offset: f64,
    /// Points above it that are not yet in the hull.
    above: Vec<u32>,
    gone: bool,
}

/// An edge of the horizon: its ends as the facets that are removed passed it, and the facet that stays beyond it with the number of its edge.
type Edge = (u32, u32, usize, usize);

impl Mesh {
    /// The convex hull of all points; `None` if they lie in a plane, or if round-off leaves no closed surface.
    pub fn hull(&self) -> Option<Self> {
        let (low, high) = self.bounds();
        let thin = THIN * (high - low).norm();
        let mut hull = Hull { points: &self.points, thin, facets: Vec::new() };
        hull.start()?;
        let mut open: Vec<usize> = (0..hull.facets.len()).collect();
        while let Some(facet) = open.pop() {
            if hull.facets[facet].gone || hull.facets[facet].above.is_empty() {
                continue;
            }
            let first = hull.facets.len();
            hull.grow(facet)?;
            open.extend(first..hull.facets.len());
        }
        let triangles = hull.facets.iter().filter(|f| !f.gone).map(|f| f.corners).collect();
        Some(Self { points: self.points.clone(), triangles })
    }
}

struct Hull<'a> {
    points: &'a [Vec3],
    thin: f64,
    facets: Vec<Facet>,
}

impl Hull<'_> {
    fn point(&self, k: u32) -> Vec3 {
        self.points[k as usize]
    }

    fn distance(&self, facet: usize, p: &Vec3) -> f64 {
        let Facet { normal, offset, .. } = &self.facets[facet];
        normal.dot(p) - offset
    }

    fn facet(&self, corners: [u32; 3], across: [usize; 3]) -> Facet {
        let places = corners.map(|k| self.point(k));
        let n = doubled_area(&places);
        let length = n.norm();
        let normal = if length > 0.0 { n / length } else { n };
        Facet {
            corners,
            across,
            normal,
            offset: normal.dot(&places[0]),
            above: Vec::new(),
            gone: false,
        }
    }

    /// The point that is furthest by a measure, and its value.
    fn furthest(&self, measure: impl Fn(&Vec3) -> f64) -> Option<(u32, f64)> {
        let values = (0_u32..).zip(self.points).map(|(k, p)| (k, measure(p)));
        values.max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// A tetrahedron of points that are far apart, and all other points above its facets.
    fn start(&mut self) -> Option<()> {
        let origin = *self.points.first()?;
        let (a, _) = self.furthest(|p| (p - origin).norm())?;
        let (b, _) = self.furthest(|p| (p - self.point(a)).norm())?;
        let along = (self.point(b) - self.point(a)).try_normalize(0.0)?;
        let beside = |p: &Vec3| {
            let to = p - self.point(a);
            (to - along * along.dot(&to)).norm()
        };
        let (c, width) = self.furthest(beside)?;
        let base = self.facet([a, b, c], [0; 3]);
        let above = |p: &Vec3| base.normal.dot(p) - base.offset;
        let (d, height) = self.furthest(|p| above(p).abs())?;
        if !(width > self.thin && height > self.thin) {
            return None;
        }
        // Seen from outside the corners run counter-clockwise: d lies below a, b, c.
        let [b, c] = if above(&self.point(d)) > 0.0 { [c, b] } else { [b, c] };
        let faces = [[a, b, c], [a, d, b], [b, d, c], [c, d, a]];
        let across = [[1, 2, 3], [3, 2, 0], [1, 3, 0], [2, 1, 0]];
        self.facets = faces.iter().zip(across).map(|(f, across)| self.facet(*f, across)).collect();
        let all: Vec<u32> = (0_u32..).zip(self.points).map(|(k, _)| k).collect();
        self.share(&all, 0);
        Some(())
    }

    /// Gives each point to a facet from `first` on that it lies above; others are inside.
    fn share(&mut self, points: &[u32], first: usize) {
        for &k in points {
            let p = self.point(k);
            let found = (first..self.facets.len()).find(|f| self.distance(*f, &p) > self.thin);
            if let Some(facet) = found {
                self.facets[facet].above.push(k);
            }
        }
    }

    /// Takes the furthest point above a facet into the hull: the facets that it sees are replaced by those from their rim to it.
    fn grow(&mut self, facet: usize) -> Option<()> {
        let heights =
            self.facets[facet].above.iter().map(|k| (*k, self.distance(facet, &self.point(*k))));
        let (top, _) = heights.max_by(|a, b| a.1.total_cmp(&b.1))?;
        let (seen, rim) = self.seen(facet, top);
        let first = self.facets.len();
        // The rim is one closed line: each of its corners begins one edge.
        let next: HashMap<u32, usize> =
            rim.iter().enumerate().map(|(k, edge)| (edge.0, first + k)).collect();
        let before: HashMap<u32, usize> =
            rim.iter().enumerate().map(|(k, edge)| (edge.1, first + k)).collect();
        if next.len() != rim.len() || before.len() != rim.len() {
            return None;
        }
        for (k, &(from, to, beyond, edge)) in rim.iter().enumerate() {
            let across = [beyond, *next.get(&to)?, *before.get(&from)?];
            let new = self.facet([from, to, top], across);
            self.facets.push(new);
            self.facets[beyond].across[edge] = first + k;
        }
        let mut points = Vec::new();
        for facet in seen {
            self.facets[facet].gone = true;
            points.append(&mut self.facets[facet].above);
        }
        points.retain(|k| *k != top);
        self.share(&points, first);
        Some(())
    }

    /// The facets that a point sees or lies in, from one of them on, and the edges around them.
    fn seen(&self, start: usize, top: u32) -> (Vec<usize>, Vec<Edge>) {
        let p = self.point(top);
        let mut known = HashMap::from([(start, true)]);
        let (mut seen, mut rim) = (vec![start], Vec::new());
        let mut at = 0;
        while let Some(&facet) = seen.get(at) {
            at += 1;
            let Facet { corners, across, .. } = &self.facets[facet];
            for k in 0..3 {
                let other = across[k];
                let sees = *known.entry(other).or_insert_with(|| {
                    let sees = self.distance(other, &p) > -self.thin;
                    if sees {
                        seen.push(other);
                    }
                    sees
                });
                if !sees {
                    let (from, to) = (corners[k], corners[(k + 1) % 3]);
                    let beyond = &self.facets[other].corners;
                    let edge = beyond.iter().position(|c| *c == to).unwrap_or(0);
                    rim.push((from, to, other, edge));
                }
            }
        }
        (seen, rim)
    }
}
