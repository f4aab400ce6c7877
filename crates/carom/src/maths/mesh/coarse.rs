//! A mesh with fewer triangles: corners in one cell of a grid become one (vertex clustering; Rossignac and Borrel 1993).

use std::collections::{HashMap, HashSet};

use super::{Mesh, doubled_area};
use crate::maths::Vec3;

/// Cells along the longest side of the finest grid.
const FINEST: f64 = 4096.0;
/// By how much a grid that leaves too many triangles is made coarser.
const COARSER: f64 = 1.25;

impl Mesh {
    /// The mesh itself if it has at most so many triangles; otherwise a coarser one, and the size of the cells in which its corners were
    /// joined: no corner is moved by more than √3 of it.
    pub fn coarse(&self, most: usize) -> (Self, f64) {
        if self.triangles.len() <= most.max(4) {
            return (self.clone(), 0.0);
        }
        let (low, high) = self.bounds();
        let size = (high - low).max();
        // A surface of area A passes through about A / h² cells, each of which keeps about two triangles.
        let mut h = (2.0 * self.area() / most.max(4) as f64).sqrt().max(size / FINEST);
        loop {
            let out = self.clustered(&low, h);
            if out.triangles.len() <= most.max(4) || h > size {
                return (out, h);
            }
            h *= COARSER;
        }
    }

    /// Joins the corners of each cell in the mean of their places.
    fn clustered(&self, low: &Vec3, h: f64) -> Self {
        let mut cells: HashMap<[u32; 3], u32> = HashMap::new();
        let mut sums: Vec<(Vec3, f64)> = Vec::new();
        let cell: Vec<u32> = self
            .points
            .iter()
            .map(|p| {
                let at = (p - low) / h;
                #[allow(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "at least zero, and at most FINEST"
                )]
                let key = [at.x as u32, at.y as u32, at.z as u32];
                let next = u32::try_from(sums.len()).unwrap_or(u32::MAX);
                let cell = *cells.entry(key).or_insert_with(|| {
                    sums.push((Vec3::zeros(), 0.0));
                    next
                });
                let sum = &mut sums[cell as usize];
                *sum = (sum.0 + p, sum.1 + 1.0);
                cell
            })
            .collect();
        let points: Vec<Vec3> = sums.iter().map(|(sum, n)| sum / *n).collect();
        let mut seen = HashSet::new();
        let mut triangles = Vec::new();
        for t in &self.triangles {
            let [a, b, c] = t.map(|k| cell[k as usize]);
            if a == b || b == c || c == a {
                continue;
            }
            let start = if a < b && a < c {
                [a, b, c]
            } else if b < c {
                [b, c, a]
            } else {
                [c, a, b]
            };
            let corners = start.map(|k| points[k as usize]);
            if doubled_area(&corners).norm() > 0.0 && seen.insert(start) {
                triangles.push(start);
            }
        }
        Self { points, triangles }
    }
}
