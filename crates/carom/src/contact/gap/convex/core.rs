//! Shapes as convex sets: the hull of vertices, grown by a radius of rounding.

use crate::contact::moving::Moving;
use crate::contact::placed::{Ball, Block, Edge, Placed, Rod};
use crate::maths::polytope::{BOX, POINT, RECTANGLE, SEGMENT, Topology, corner_signs};
use crate::maths::{Mat3, Pose, Vec3};

/// A list that is made here, or that of a model's shape.
#[derive(Clone, Copy)]
enum List<'a> {
    Own([Vec3; 8]),
    Of(&'a [Vec3]),
}

impl std::ops::Index<usize> for List<'_> {
    type Output = Vec3;
    fn index(&self, k: usize) -> &Vec3 {
        match self {
            Self::Own(list) => &list[k],
            Self::Of(list) => &list[k],
        }
    }
}

/// A convex set: all points nearer than `radius` to the hull of its vertices.
pub(in crate::contact) struct Core<'a> {
    shape: &'a Placed<'a>,
    /// The frame of vertices and normals.
    pub pose: Pose,
    vertices: List<'a>,
    normals: List<'a>,
    pub topology: &'a Topology,
    /// \[m\]
    pub radius: f64,
    /// The largest coordinate of a vertex \[m\].
    pub reach: f64,
}

impl<'a> Core<'a> {
    /// None of shapes that are no convex hull of vertices.
    pub fn new(shape: &'a Placed<'a>, planar: bool) -> Option<Self> {
        let zero = [Vec3::zeros(); 8];
        let world = Pose::identity();
        Some(match shape {
            Placed::Ball(Ball { center, radius }) => Self {
                shape,
                pose: Pose::translation(center.value),
                vertices: List::Own(zero),
                normals: List::Own(zero),
                topology: &POINT,
                radius: *radius,
                reach: 0.0,
            },
            Placed::Rod(Rod { start, end, .. }) | Placed::Edge(Edge { start, end, .. }) => {
                let radius = if let Placed::Rod(rod) = shape { rod.radius } else { 0.0 };
                let mut normals = zero;
                let along = end.value - start.value;
                let across = along.cross(&Vec3::z());
                let across = across.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
                (normals[0], normals[1]) = (across, -across);
                let mut vertices = zero;
                (vertices[0], vertices[1]) = (start.value, end.value);
                Self {
                    shape,
                    pose: world,
                    vertices: List::Own(vertices),
                    normals: List::Own(normals),
                    topology: &SEGMENT[usize::from(planar)],
                    radius,
                    reach: start.value.amax().max(end.value.amax()),
                }
            }
            Placed::Block(Block { center, axes, half, .. }) => {
                let [x, y, z] = axes.map(|axis| axis.value);
                let rotation = Mat3::from_columns(&[x, y, z]);
                let mut vertices = corner_signs().map(|s| Vec3::from(s).component_mul(half));
                let mut normals = zero;
                if planar {
                    vertices = vertices.map(|v| Vec3::new(v.x, v.y, 0.0));
                    (normals[0], normals[1]) = (-Vec3::y(), Vec3::x());
                    (normals[2], normals[3]) = (Vec3::y(), -Vec3::x());
                } else {
                    let (x, y, z) = (Vec3::x(), Vec3::y(), Vec3::z());
                    normals[..6].copy_from_slice(&[-x, x, -y, y, -z, z]);
                }
                Self {
                    shape,
                    pose: Pose { rotation, position: center.value },
                    vertices: List::Own(vertices),
                    normals: List::Own(normals),
                    topology: if planar { &RECTANGLE } else { &BOX },
                    radius: 0.0,
                    reach: half.amax(),
                }
            }
            Placed::Hull(hull) => Self {
                shape,
                pose: hull.frame.pose,
                vertices: List::Of(&hull.solid.vertices),
                normals: List::Of(&hull.solid.normals),
                topology: &hull.solid.topology,
                radius: hull.radius,
                reach: hull.solid.vertices.iter().map(Vec3::amax).fold(0.0, f64::max),
            },
            Placed::Hole(_) | Placed::Barrel(_) | Placed::Curved(_) | Placed::HalfSpace(_) => {
                return None;
            }
        })
    }

    /// Whether it has no inside: a point or a segment without a radius.
    pub fn is_thin(&self) -> bool {
        self.count() <= 2 && self.radius == 0.0
    }

    /// How many vertices it has.
    pub fn count(&self) -> usize {
        self.topology.around.len()
    }

    /// A vertex, in its frame.
    pub fn vertex(&self, k: usize) -> &Vec3 {
        &self.vertices[k]
    }

    /// The outward normal of a face, in its frame.
    pub fn normal(&self, face: usize) -> &Vec3 {
        &self.normals[face]
    }

    /// The vertex with the least d · x, and that.
    pub fn lowest(&self, d: &Vec3) -> (usize, f64) {
        let mut best = (0, f64::INFINITY);
        for k in 0..self.count() {
            let height = d.dot(&self.vertices[k]);
            if height < best.1 {
                best = (k, height);
            }
        }
        best
    }

    /// A vertex in the world, with its rate.
    pub fn moving_vertex(&self, k: usize) -> Moving {
        match self.shape {
            Placed::Ball(ball) => ball.center,
            Placed::Rod(Rod { start, end, .. }) | Placed::Edge(Edge { start, end, .. }) => {
                [*start, *end][k]
            }
            Placed::Block(block) => {
                (0..3).fold(block.center, |x, i| x + block.axes[i] * self.vertices[k][i])
            }
            Placed::Hull(hull) => hull.frame.point(&self.vertices[k]),
            // [`Core::new`] makes no other.
            _ => Moving::constant(self.pose.point(&self.vertices[k])),
        }
    }

    /// The outward normal of a face in the world, with its rate.
    pub fn moving_normal(&self, face: usize) -> Moving {
        match self.shape {
            Placed::Block(block) => {
                let n = self.normals[face];
                let zero = Moving::constant(Vec3::zeros());
                (0..3).fold(zero, |x, i| x + block.axes[i] * n[i])
            }
            Placed::Hull(hull) => hull.frame.vector(&self.normals[face]),
            Placed::Rod(Rod { start, end, .. }) | Placed::Edge(Edge { start, end, .. }) => {
                let across = (*end - *start).cross(&Moving::constant(Vec3::z()));
                let across = across.direction(0.0).map_or(across, |(e, _)| e);
                if face == 0 { across } else { -across }
            }
            _ => Moving::constant(self.pose.vector(&self.normals[face])),
        }
    }
}
