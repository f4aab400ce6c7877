//! The axis along which two convex sets are furthest apart, or least inside each other, among the normals of their faces and the common
//! normals of their edges (separating axes; edges by their arcs on the Gauss map, so that only pairs on the boundary of the Minkowski
//! difference count).

use super::core::Core;
use crate::maths::{Mat3, Vec3};

/// Sine of the angle between two edges below which they have no common normal of their own.
const PARALLEL: f64 = 1e-9;
/// An axis of faces is taken before one of edges if it is as good within this many ε of the coordinates.
const ROUND_OFF: f64 = 64.0 * f64::EPSILON;

/// Two convex sets; everything is in the frame of a.
pub(super) struct Pair<'c, 'a> {
    pub a: &'c Core<'a>,
    pub b: &'c Core<'a>,
    /// From b's frame to a's.
    pub turn: Mat3,
    pub shift: Vec3,
    /// Length of the shapes \[m\].
    pub size: f64,
    pub planar: bool,
}

/// Which features an axis belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Axis {
    /// A face of a and the vertex of b that is lowest over it.
    FaceOfA { face: usize, vertex: usize },
    /// A face of b and the vertex of a that is lowest over it.
    FaceOfB { face: usize, vertex: usize },
    /// An edge of each.
    Edges { a: usize, b: usize },
}

/// How far apart two sets are along an axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Separation {
    /// Distance of the cores, negative inside \[m\].
    pub s: f64,
    /// From a to b.
    pub n: Vec3,
    pub axis: Axis,
}

impl<'c, 'a> Pair<'c, 'a> {
    pub fn new(a: &'c Core<'a>, b: &'c Core<'a>, planar: bool) -> Self {
        let back = a.pose.rotation.transpose();
        Self {
            a,
            b,
            turn: back * b.pose.rotation,
            shift: back * (b.pose.position - a.pose.position),
            size: a.reach.max(b.reach).max(a.radius + b.radius),
            planar,
        }
    }

    /// A vertex of b.
    pub fn vertex_of_b(&self, k: usize) -> Vec3 {
        self.turn * self.b.vertex(k) + self.shift
    }

    /// The outward normal of a face of b.
    pub fn normal_of_b(&self, face: usize) -> Vec3 {
        self.turn * self.b.normal(face)
    }

    /// The best axis; none of two sets without faces and crossing edges.
    pub fn separation(&self) -> Option<Separation> {
        let faces = self.of_faces();
        if self.planar {
            return faces;
        }
        let edges = self.of_edges();
        let noise = ROUND_OFF * (self.size + self.shift.amax());
        match (faces, edges) {
            (Some(faces), Some(edges)) if edges.s > faces.s + noise => Some(edges),
            (None, edges) => edges,
            (faces, _) => faces,
        }
    }

    fn of_faces(&self) -> Option<Separation> {
        let mut best: Option<Separation> = None;
        let mut take = |found: Separation| {
            if best.is_none_or(|best| found.s > best.s) {
                best = Some(found);
            }
        };
        let (a, b) = (self.a, self.b);
        for (face, rim) in a.topology.faces.iter().enumerate() {
            let n = *a.normal(face);
            let (vertex, low) = b.lowest(&self.turn.tr_mul(&n));
            let s = low + n.dot(&(self.shift - a.vertex(rim[0])));
            take(Separation { s, n, axis: Axis::FaceOfA { face, vertex } });
        }
        for (face, rim) in b.topology.faces.iter().enumerate() {
            let m = self.normal_of_b(face);
            let (vertex, low) = a.lowest(&m);
            let s = low - m.dot(&self.shift) - b.normal(face).dot(b.vertex(rim[0]));
            take(Separation { s, n: -m, axis: Axis::FaceOfB { face, vertex } });
        }
        best
    }

    fn of_edges(&self) -> Option<Separation> {
        let (a, b) = (self.a, self.b);
        let mut best: Option<Separation> = None;
        for (q, &[from_b, to_b]) in b.topology.edges.iter().enumerate() {
            let edge_b = self.turn * (b.vertex(to_b) - b.vertex(from_b));
            let arc_b = b.topology.sides.get(q).map(|s| s.map(|face| -self.normal_of_b(face)));
            for (p, &[from_a, to_a]) in a.topology.edges.iter().enumerate() {
                let edge_a = a.vertex(to_a) - a.vertex(from_a);
                // The arc of b's edge has to cross the great circle of a's, and the other way round.
                if let Some([c, d]) = arc_b
                    && c.dot(&edge_a) * d.dot(&edge_a) >= 0.0
                {
                    continue;
                }
                let arc_a = a.topology.sides.get(p).map(|s| s.map(|face| *a.normal(face)));
                if let Some([c, d]) = arc_a
                    && c.dot(&edge_b) * d.dot(&edge_b) >= 0.0
                {
                    continue;
                }
                let cross = edge_a.cross(&edge_b);
                let length = cross.norm();
                if length <= PARALLEL * edge_a.norm() * edge_b.norm() {
                    continue;
                }
                let outward = |arc: Option<[Vec3; 2]>| arc.map(|[c, d]| c + d);
                let n = match (outward(arc_a), outward(arc_b)) {
                    (Some(out_a), Some(out_b)) => {
                        // On one side of the sphere, or the arcs face away from each other.
                        let (up, beyond) = (cross.dot(&out_a), cross.dot(&out_b));
                        if up * beyond <= 0.0 {
                            continue;
                        }
                        cross * (up.signum() / length)
                    }
                    (Some(out), None) | (None, Some(out)) => {
                        cross * (cross.dot(&out).signum() / length)
                    }
                    (None, None) => continue,
                };
                let s = n.dot(&(self.vertex_of_b(from_b) - a.vertex(from_a)));
                if best.is_none_or(|best| s > best.s) {
                    best = Some(Separation { s, n, axis: Axis::Edges { a: p, b: q } });
                }
            }
        }
        best
    }
}
