//! The surface of a body as small facets: what a picture shades, and where a skin map asks for m_eff.
//!
//! A facet of a ball, box, capsule or cylinder has its point on the surface itself and the normal there; one of a mesh has the middle of its triangle
//! and the triangle's normal.

use std::f64::consts::{PI, TAU};

use crate::maths::mesh::{Mesh, doubled_area};
use crate::maths::trigonometry::sin_cos;
use crate::maths::{Pose, Vec3};
use crate::model::ShapeKind;

/// Facets around a circle, at least and at most.
const AROUND: [usize; 2] = [16, 256];
/// Facets along a side, at most.
const ALONG: usize = 512;

/// A small piece of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facet {
    /// Its corners, counter-clockwise seen from outside.
    pub corners: [Vec3; 3],
    /// A point of the surface \[m\].
    pub point: Vec3,
    /// The outward unit normal there.
    pub normal: Vec3,
}

/// A solid whose surface is asked for.
#[derive(Clone, Debug)]
pub enum SolidLook {
    /// A ball, box, capsule or cylinder; other contact shapes have no closed surface.
    Shape(ShapeKind),
    /// A mesh in metres.
    Mesh(Mesh),
}

impl SolidLook {
    /// Its area \[m²\]; zero of shapes without a closed surface.
    pub fn area(&self) -> f64 {
        match self {
            Self::Mesh(mesh) => mesh.area(),
            Self::Shape(kind) => match *kind {
                ShapeKind::Sphere { radius: r, .. } => 4.0 * PI * r * r,
                ShapeKind::Box { half: h, .. } => 8.0 * (h.x * h.y + h.y * h.z + h.z * h.x),
                ShapeKind::Capsule { start, end, radius: r } => {
                    TAU * r * (end - start).norm() + 4.0 * PI * r * r
                }
                ShapeKind::Cylinder { radius: r, half_length: h, .. } => {
                    2.0 * TAU * r * h + TAU * r * r
                }
                _ => 0.0,
            },
        }
    }

    /// Facets with edges of about that length \[m\]. Gives how far corners of a mesh that is finer were moved at most, to make it coarser \[m\].
    pub fn facets(&self, edge: f64, out: &mut Vec<Facet>) -> f64 {
        match self {
            Self::Mesh(mesh) => mesh_facets(mesh, edge, out),
            Self::Shape(kind) => {
                shape_facets(kind, edge, out);
                0.0
            }
        }
    }
}

/// How many facets of that edge fill a length.
fn count(length: f64, edge: f64, least: usize, most: usize) -> usize {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a float becomes the nearest integer that exists"
    )]
    let n = (length / edge).ceil() as usize;
    n.clamp(least, most)
}

fn shape_facets(kind: &ShapeKind, edge: f64, out: &mut Vec<Facet>) {
    match *kind {
        ShapeKind::Sphere { center, radius } => {
            let pose = Pose::translation(center);
            dome(&pose, radius, 0.0, 1.0, edge, out);
            dome(&pose, radius, 0.0, -1.0, edge, out);
        }
        ShapeKind::Capsule { start, end, radius } => {
            let axis = end - start;
            let length = axis.norm();
            let pose = Pose { rotation: along(&axis), position: (start + end) * 0.5 };
            dome(&pose, radius, 0.5 * length, 1.0, edge, out);
            dome(&pose, radius, 0.5 * length, -1.0, edge, out);
            tube(&pose, radius, 0.5 * length, edge, out);
        }
        ShapeKind::Cylinder { pose, radius, half_length } => {
            tube(&pose, radius, half_length, edge, out);
            for side in [1.0, -1.0] {
                disc(&pose, radius, side * half_length, edge, out);
            }
        }
        ShapeKind::Box { pose, half } => {
            for axis in 0..3 {
                for side in [1.0, -1.0] {
                    face(&pose, &half, axis, side, edge, out);
                }
            }
        }
        // They have no closed surface.
        ShapeKind::Point { .. }
        | ShapeKind::Plane { .. }
        | ShapeKind::Segment { .. }
        | ShapeKind::Hollow { .. }
        | ShapeKind::Convex { .. }
        | ShapeKind::Profile { .. } => {}
    }
}

/// A rotation whose z axis is along a vector; the identity for none.
fn along(axis: &Vec3) -> crate::maths::Mat3 {
    let Some(z) = axis.try_normalize(0.0) else { return crate::maths::Mat3::identity() };
    let x = z.cross(&Vec3::ith(z.iamin(), 1.0)).normalize();
    crate::maths::Mat3::from_columns(&[x, z.cross(&x), z])
}

/// A surface of two parameters over a grid: each cell is two facets. `at` gives point and normal; the corners of a cell run counter-clockwise.
fn grid(
    (m, n): (usize, usize),
    pose: &Pose,
    at: &dyn Fn(f64, f64) -> (Vec3, Vec3),
    out: &mut Vec<Facet>,
) {
    let corner = |i: usize, j: usize| at(i as f64 / m as f64, j as f64 / n as f64).0;
    for j in 0..n {
        for i in 0..m {
            let (a, b, c, d) =
                (corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1));
            for (corners, (u, v)) in [([a, b, c], (2.0, 1.0)), ([a, c, d], (1.0, 2.0))] {
                // At a pole two corners are one.
                if doubled_area(&corners).norm() == 0.0 {
                    continue;
                }
                let u = (i as f64 + u / 3.0) / m as f64;
                let v = (j as f64 + v / 3.0) / n as f64;
                let (point, normal) = at(u, v);
                out.push(Facet {
                    corners: corners.map(|p| pose.point(&p)),
                    point: pose.point(&point),
                    normal: pose.vector(&normal),
                });
            }
        }
    }
}

/// Half a ball about (0, 0, ±height), open towards the middle.
fn dome(pose: &Pose, r: f64, height: f64, side: f64, edge: f64, out: &mut Vec<Facet>) {
    let m = count(TAU * r, edge, AROUND[0], AROUND[1]);
    let n = count(0.5 * PI * r, edge, AROUND[0] / 4, AROUND[1]);
    let at = |u: f64, v: f64| {
        let (s, c) = sin_cos(side * TAU * u);
        let (sv, cv) = sin_cos(0.5 * PI * v);
        // The pole itself is one point, to the last digit.
        let cv = if v == 1.0 { 0.0 } else { cv };
        let normal = Vec3::new(cv * c, cv * s, side * sv);
        (normal * r + Vec3::z() * (side * height), normal)
    };
    grid((m, n), pose, &at, out);
}

fn tube(pose: &Pose, r: f64, half: f64, edge: f64, out: &mut Vec<Facet>) {
    if half == 0.0 {
        return;
    }
    let m = count(TAU * r, edge, AROUND[0], AROUND[1]);
    let n = count(2.0 * half, edge, 1, ALONG);
    let at = |u: f64, v: f64| {
        let (s, c) = sin_cos(TAU * u);
        let normal = Vec3::new(c, s, 0.0);
        (normal * r + Vec3::z() * (half * (2.0 * v - 1.0)), normal)
    };
    grid((m, n), pose, &at, out);
}

/// A disc at z that faces away from the middle.
fn disc(pose: &Pose, r: f64, z: f64, edge: f64, out: &mut Vec<Facet>) {
    let side = z.signum();
    let m = count(TAU * r, edge, AROUND[0], AROUND[1]);
    let n = count(r, edge, 1, AROUND[1]);
    let at = |u: f64, v: f64| {
        let (s, c) = sin_cos(side * TAU * u);
        (Vec3::new(r * (1.0 - v) * c, r * (1.0 - v) * s, z), Vec3::z() * side)
    };
    grid((m, n), pose, &at, out);
}

fn face(pose: &Pose, half: &Vec3, axis: usize, side: f64, edge: f64, out: &mut Vec<Facet>) {
    // On the far side the second axis runs backwards, so that the corners stay counter-clockwise.
    let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
    let m = count(2.0 * half[a], edge, 1, ALONG);
    let n = count(2.0 * half[b], edge, 1, ALONG);
    let normal = Vec3::ith(axis, side);
    let at = |u: f64, v: f64| {
        let mut p = normal * half[axis];
        p[a] = half[a] * (2.0 * u - 1.0);
        p[b] = side * half[b] * (2.0 * v - 1.0);
        (p, normal)
    };
    grid((m, n), pose, &at, out);
}

/// The triangles of a mesh, the large ones halved along their longest edges; a mesh much finer than the facets is made coarser first.
fn mesh_facets(mesh: &Mesh, edge: f64, out: &mut Vec<Facet>) -> f64 {
    // A square of that edge is two facets.
    let size = 0.5 * edge * edge;
    let wanted = count(mesh.area(), size, 64, usize::MAX);
    let (mesh, cell) = mesh.coarse(wanted.saturating_mul(2));
    for triangle in &mesh.triangles {
        let mut left = vec![mesh.corners(triangle)];
        while let Some(corners) = left.pop() {
            let across = doubled_area(&corners);
            let twice = across.norm();
            if twice == 0.0 {
                continue;
            }
            let [a, b, c] = corners;
            if 0.5 * twice > 1.5 * size {
                left.extend(halves(a, b, c));
                continue;
            }
            out.push(Facet { corners, point: (a + b + c) / 3.0, normal: across / twice });
        }
    }
    // Corners are joined within a cell.
    3_f64.sqrt() * cell
}

/// A triangle halved along its longest edge.
fn halves(a: Vec3, b: Vec3, c: Vec3) -> [[Vec3; 3]; 2] {
    let lengths = [(b - a).norm(), (c - b).norm(), (a - c).norm()];
    let (a, b, c) = if lengths[0] >= lengths[1] && lengths[0] >= lengths[2] {
        (a, b, c)
    } else if lengths[1] >= lengths[2] {
        (b, c, a)
    } else {
        (c, a, b)
    };
    let middle = (a + b) * 0.5;
    [[a, middle, c], [middle, b, c]]
}

/// How much the number of facets may differ from what is wanted before their edges are chosen anew.
const NEAR: f64 = 1.2;
/// How often the edges are chosen.
const TRIES: usize = 4;

/// The facets of several bodies, about so many in all; the edge they have, and how far corners of meshes that are finer were moved at most \[m\].
pub fn facets(bodies: &[Vec<SolidLook>], wanted: usize) -> (Vec<Vec<Facet>>, f64, f64) {
    let area: f64 = bodies.iter().flatten().map(SolidLook::area).sum();
    if !(area > 0.0) {
        return (vec![Vec::new(); bodies.len()], 0.0, 0.0);
    }
    let mut edge = (2.0 * area / wanted.max(1) as f64).sqrt();
    let mut tries = 0;
    loop {
        let mut moved = 0.0_f64;
        let made = |solids: &Vec<SolidLook>| {
            let mut out = Vec::new();
            for solid in solids {
                moved = moved.max(solid.facets(edge, &mut out));
            }
            out
        };
        let all: Vec<Vec<Facet>> = bodies.iter().map(made).collect();
        let found = all.iter().map(Vec::len).sum::<usize>() as f64;
        let ratio = found / wanted.max(1) as f64;
        tries += 1;
        if (ratio < NEAR && ratio > 1.0 / NEAR) || tries == TRIES {
            return (all, edge, moved);
        }
        edge *= ratio.sqrt();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::Mat3;

    fn solids() -> Vec<SolidLook> {
        let R = Mat3::new(0.36, 0.48, -0.8, -0.8, 0.6, 0.0, 0.48, 0.64, 0.6);
        let pose = Pose { rotation: R, position: Vec3::new(1.0, -2.0, 0.5) };
        let (start, end) = (Vec3::new(0.1, 0.2, 0.3), Vec3::new(-0.3, 0.5, 1.3));
        vec![
            SolidLook::Shape(ShapeKind::Sphere { center: start, radius: 0.4 }),
            SolidLook::Shape(ShapeKind::Box { pose, half: Vec3::new(0.1, 0.2, 0.4) }),
            SolidLook::Shape(ShapeKind::Capsule { start, end, radius: 0.2 }),
            SolidLook::Shape(ShapeKind::Cylinder { pose, radius: 0.2, half_length: 0.5 }),
        ]
    }

    #[test]
    fn facets_cover_the_surface_and_face_outwards() {
        for solid in solids() {
            let mut found = Vec::new();
            solid.facets(0.02, &mut found);
            let area: f64 = found.iter().map(|f| 0.5 * doubled_area(&f.corners).norm()).sum();
            assert!((area / solid.area() - 1.0).abs() < 5e-3, "{area} {solid:?}");
            for facet in &found {
                let n = doubled_area(&facet.corners).normalize();
                // A facet turns away from the normal at its point by at most half its angle.
                assert!(n.dot(&facet.normal) > 0.99, "{facet:?}");
                assert!((facet.normal.norm() - 1.0).abs() < 1e-14);
            }
            // The divergence theorem: Σ n A = 0 on a closed surface.
            let sum: Vec3 = found.iter().map(|f| doubled_area(&f.corners) * 0.5).sum();
            assert!(sum.norm() < 1e-12, "{sum}");
        }
    }

    #[test]
    fn points_lie_on_the_surface_itself() {
        let [
            SolidLook::Shape(ShapeKind::Sphere { center, radius }),
            _,
            SolidLook::Shape(ShapeKind::Capsule { start, end, radius: r }),
            _,
        ] = &solids()[..]
        else {
            panic!()
        };
        let mut found = Vec::new();
        solids()[0].facets(0.1, &mut found);
        for f in &found {
            assert!((f.point - center - f.normal * *radius).norm() < 1e-15);
        }
        found.clear();
        solids()[2].facets(0.1, &mut found);
        for f in &found {
            let axis = end - start;
            let s = ((f.point - start).dot(&axis) / axis.norm_squared()).clamp(0.0, 1.0);
            let away = f.point - (start + axis * s);
            assert!((away.norm() - r).abs() < 1e-14 && (away / *r - f.normal).norm() < 1e-13);
        }
    }

    #[test]
    fn about_as_many_facets_come_as_are_wanted() {
        for wanted in [2000, 20_000] {
            let (found, edge, _) = facets(&[solids(), Vec::new(), solids()], wanted);
            let n = found.iter().map(Vec::len).sum::<usize>();
            assert!((n as f64 / wanted as f64 - 1.0).abs() < 0.3, "{n} of {wanted}");
            assert!(edge > 0.0 && found[1].is_empty());
        }
        assert_eq!(facets(&[Vec::new()], 10).1, 0.0);
    }

    #[test]
    fn large_triangles_are_divided_and_fine_meshes_made_coarser() {
        let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
        let mesh = Mesh::read("t.obj", text.as_bytes()).unwrap();
        let area = mesh.area();
        let mut found = Vec::new();
        SolidLook::Mesh(mesh).facets(0.05, &mut found);
        let sum: f64 = found.iter().map(|f| 0.5 * doubled_area(&f.corners).norm()).sum();
        assert!((sum - area).abs() < 1e-12 && found.len() > 1000, "{}", found.len());
    }
}
