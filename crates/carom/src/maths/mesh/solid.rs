//! Volume, centre and inertia of what a closed mesh encloses, or of its surface.
//!
//! By the divergence theorem an integral over the inside is the sum, over all triangles, of the same integral over the tetrahedron of the triangle and
//! a fixed point, with the sign of its volume. For a tetrahedron of corners o, a, b, c about o, with s = a + b + c and V = a · (b × c) / 6:
//!
//! ```text
//! ∫ 1 = V      ∫ x = V s / 4      ∫ x xᵀ = V (a aᵀ + b bᵀ + c cᵀ + s sᵀ) / 20
//! ```
//!
//! Of a triangle of area A as a shell the same sums are A, A s / 3 and A (a aᵀ + b bᵀ + c cᵀ + s sᵀ) / 12.
//!
//! They are exact for polyhedra (Mirtich, Fast and Accurate Computation of Polyhedral Mass Properties, 1996; Tonon 2004).

use std::collections::HashMap;

use thiserror::Error;

use super::{Mesh, doubled_area};
use crate::maths::{Mat3, Vec3};

/// A volume below this fraction of the bounding box's is that of a flat mesh: round-off of the sum.
const FLAT: f64 = 1e-12;

/// What a closed mesh encloses, at density one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    /// V, in cubes of the mesh's unit.
    pub volume: f64,
    /// Centre of the volume.
    pub center: Vec3,
    /// ∫ (|r|² 1 − r rᵀ) dV about the centre; times the density it is the inertia.
    pub inertia: Mat3,
    /// Whether all triangles face inwards; the values are those of the solid all the same.
    pub inside_out: bool,
}

/// Why a mesh encloses nothing.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SolidError {
    /// Edges with a triangle on one side only.
    #[error(
        "the mesh is open: {edges} edges have a triangle on one side only, such as that from ({}) to ({}); the rim of the hole there has {rim} edges about ({})",
        shown(.from), shown(.to), shown(.center)
    )]
    Open {
        /// How many edges.
        edges: usize,
        /// One end of one.
        from: Vec3,
        /// Its other end.
        to: Vec3,
        /// Edges of the hole it belongs to.
        rim: usize,
        /// The middle of that hole's rim.
        center: Vec3,
    },
    /// Neighbouring triangles that face to opposite sides.
    #[error(
        "the triangles do not all face outwards: {edges} edges are passed in the same direction by their triangles, such as that from ({}) to ({})",
        shown(.from), shown(.to)
    )]
    Turned {
        /// How many edges.
        edges: usize,
        /// One end of one.
        from: Vec3,
        /// Its other end.
        to: Vec3,
    },
    /// No volume.
    #[error("the mesh is flat: it encloses no volume")]
    Flat,
}

fn shown(p: &Vec3) -> String {
    let six = |x: f64| format!("{x:.6}").trim_end_matches('0').trim_end_matches('.').to_owned();
    format!("{}, {}, {}", six(p.x), six(p.y), six(p.z))
}

impl Mesh {
    /// The solid that the mesh encloses; refused if it has holes, triangles turned around, or no volume.
    pub fn solid(&self) -> Result<Solid, SolidError> {
        self.closed()?;
        let (low, high) = self.bounds();
        // About the middle of the mesh the terms of the sum are smallest, and with them its round-off.
        let o = (low + high) * 0.5;
        let Sums { size: mut volume, mut first, mut second } =
            self.sums(&o, |[a, b, c]| a.dot(&b.cross(c)) / 6.0, [4.0, 20.0]);
        let inside_out = volume < 0.0;
        if inside_out {
            (volume, first, second) = (-volume, -first, -second);
        }
        if !(volume > FLAT * (high - low).product()) {
            return Err(SolidError::Flat);
        }
        let r = first / volume;
        let inertia = inertia_of(&(second - r * r.transpose() * volume));
        Ok(Solid { volume, center: o + r, inertia, inside_out })
    }

    /// The surface as a shell: [`Solid::volume`] is its area. `None` without an area.
    pub fn shell(&self) -> Option<Solid> {
        let (low, high) = self.bounds();
        let o = (low + high) * 0.5;
        let area = |corners: &[Vec3; 3]| 0.5 * doubled_area(corners).norm();
        let Sums { size, first, second } = self.sums(&o, area, [3.0, 12.0]);
        if !(size > 0.0) {
            return None;
        }
        let r = first / size;
        let inertia = inertia_of(&(second - r * r.transpose() * size));
        Some(Solid { volume: size, center: o + r, inertia, inside_out: false })
    }

    /// The sum of the tetrahedra of all triangles with the centroid of the surface, each counted as positive: more than the solid where that is not
    /// star-shaped about the centroid. Volume and inertia are those of the tetrahedra with the centre found so. `None` without a volume.
    pub fn overcounted(&self) -> Option<Solid> {
        let volume = |[a, b, c]: &[Vec3; 3]| (a.dot(&b.cross(c)) / 6.0).abs();
        let o = self.shell()?.center;
        let Sums { size, first, .. } = self.sums(&o, volume, [4.0, 20.0]);
        if !(size > 0.0) {
            return None;
        }
        let center = o + first / size;
        let Sums { size, second, .. } = self.sums(&center, volume, [4.0, 20.0]);
        (size > 0.0).then(|| Solid {
            volume: size,
            center,
            inertia: inertia_of(&second),
            inside_out: false,
        })
    }

    /// Sums over the triangles as they stand about `o`, each of the size that `measure` gives. The centroid of a piece is s / `pieces`\[0\], its second
    /// moments are those of its corners and of s divided by `pieces`\[1\].
    fn sums(&self, o: &Vec3, measure: impl Fn(&[Vec3; 3]) -> f64, pieces: [f64; 2]) -> Sums {
        let mut out = Sums { size: 0.0, first: Vec3::zeros(), second: Mat3::zeros() };
        for triangle in &self.triangles {
            let corners = self.corners(triangle).map(|p| p - o);
            let size = measure(&corners);
            let [a, b, c] = corners;
            let s = a + b + c;
            out.size += size;
            out.first += s * (size / pieces[0]);
            let squares =
                a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose();
            out.second += squares * (size / pieces[1]);
        }
        out
    }

    /// A closed surface passes every edge as often one way as the other: only then the sum over tetrahedra does not depend on the fixed point.
    fn closed(&self) -> Result<(), SolidError> {
        let mut edges: HashMap<(u32, u32), (i32, u32)> = HashMap::new();
        for t in &self.triangles {
            for (from, to) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
                let (key, way) = if from < to { ((from, to), 1) } else { ((to, from), -1) };
                let found = edges.entry(key).or_default();
                found.0 += way;
                found.1 += 1;
            }
        }
        let mut wrong: Vec<((u32, u32), (i32, u32))> =
            edges.into_iter().filter(|(_, (net, _))| *net != 0).collect();
        // A hash map has no order; the message has to be the same every time.
        wrong.sort_unstable();
        let way =
            |((a, b), (net, _)): ((u32, u32), (i32, u32))| if net > 0 { (a, b) } else { (b, a) };
        let point = |k: u32| self.points[k as usize];
        let open: Vec<(u32, u32)> =
            wrong.iter().filter(|(_, (_, uses))| uses % 2 == 1).map(|e| way(*e)).collect();
        if let Some(&(from, to)) = open.first() {
            let rim = rim(&open);
            let center = rim.iter().map(|(a, b)| (point(*a) + point(*b)) * 0.5).sum::<Vec3>()
                / rim.len() as f64;
            return Err(SolidError::Open {
                edges: open.len(),
                from: point(from),
                to: point(to),
                rim: rim.len(),
                center,
            });
        }
        match wrong.first() {
            Some(first) => {
                let (from, to) = way(*first);
                let (from, to) = (point(from), point(to));
                Err(SolidError::Turned { edges: wrong.len(), from, to })
            }
            None => Ok(()),
        }
    }
}

/// ∫ 1, ∫ x and ∫ x xᵀ about a point.
struct Sums {
    size: f64,
    first: Vec3,
    second: Mat3,
}

/// ∫ (|r|² 1 − r rᵀ) from ∫ r rᵀ, made symmetric.
fn inertia_of(second: &Mat3) -> Mat3 {
    let inertia = Mat3::from_diagonal_element(second.trace()) - second;
    (inertia + inertia.transpose()) * 0.5
}

/// The edges that hang together with the first one.
fn rim(open: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut at: HashMap<u32, Vec<usize>> = HashMap::new();
    for (k, (a, b)) in open.iter().enumerate() {
        at.entry(*a).or_default().push(k);
        at.entry(*b).or_default().push(k);
    }
    let mut seen = vec![false; open.len()];
    let mut next = vec![0];
    let mut out = Vec::new();
    while let Some(k) = next.pop() {
        if std::mem::replace(&mut seen[k], true) {
            continue;
        }
        out.push(open[k]);
        for end in [open[k].0, open[k].1] {
            next.extend(at.get(&end).into_iter().flatten().filter(|j| !seen[**j]));
        }
    }
    out
}
