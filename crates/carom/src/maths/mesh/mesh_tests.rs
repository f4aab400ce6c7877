//! Meshes against closed forms and against their own defining conditions.

use std::fmt::Write as _;

use super::*;
use crate::maths::Mat3;

/// Round-off of sums over some hundred triangles.
const ROUND_OFF: f64 = 1e-13;

/// A box of edges (a, b, c) with one corner at the origin, as OBJ.
fn block([a, b, c]: [f64; 3]) -> String {
    let mut text = String::from("# a box\no box\n");
    for k in 0..8 {
        let pick = |bit: u32, x: f64| if k & bit == 0 { 0.0 } else { x };
        writeln!(text, "v {} {} {}", pick(1, a), pick(2, b), pick(4, c)).unwrap();
    }
    text + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"
}

fn obj(text: &str) -> Result<Mesh, MeshError> {
    Mesh::read("m.obj", text.as_bytes())
}

/// The same surface as binary STL.
fn binary(mesh: &Mesh) -> Vec<u8> {
    let mut out = b"solid but binary".to_vec();
    out.resize(80, b' ');
    out.extend(u32::try_from(mesh.triangles.len()).unwrap().to_le_bytes());
    for t in &mesh.triangles {
        out.extend([0; 12]);
        for p in mesh.corners(t) {
            #[allow(clippy::cast_possible_truncation, reason = "STL holds 32 bits")]
            p.iter().for_each(|x| out.extend((*x as f32).to_le_bytes()));
        }
        out.extend([0; 2]);
    }
    out
}

/// And as text.
fn text(mesh: &Mesh) -> String {
    let mut out = String::from("solid a name with words\n");
    for t in &mesh.triangles {
        out += "facet normal -nan 0 1.#QNAN\n outer loop\n";
        for p in mesh.corners(t) {
            writeln!(out, "  vertex {:e} {:e} {:e}", p.x, p.y, p.z).unwrap();
        }
        out += " endloop\n endfacet\n";
    }
    out + "endsolid a name with words\n"
}

#[test]
fn a_box_has_the_mass_properties_of_a_box() {
    let (a, b, c) = (0.3, 0.5, 1.25);
    let solid = obj(&block([a, b, c])).unwrap().solid().unwrap();
    let V = a * b * c;
    assert!((solid.volume - V).abs() < ROUND_OFF * V);
    assert!((solid.center - Vec3::new(a, b, c) * 0.5).norm() < ROUND_OFF);
    let J = Vec3::new(b * b + c * c, a * a + c * c, a * a + b * b) * (V / 12.0);
    assert!((solid.inertia - Mat3::from_diagonal(&J)).norm() < ROUND_OFF, "{}", solid.inertia);
    assert!(!solid.inside_out);
}

#[test]
fn a_skew_tetrahedron_far_from_the_origin_has_its_closed_form() {
    // C = V/20 (Σ p pᵀ + s sᵀ) about one corner, by the covariance of the unit simplex: 1/60 on and 1/120 off the diagonal of A Aᵀ's middle.
    let o = Vec3::new(100.0, -40.0, 7.0);
    let A = Mat3::new(0.3, 0.1, -0.2, 0.0, 0.4, 0.1, 0.05, -0.1, 0.6);
    let mut file = format!("v {} {} {}\n", o.x, o.y, o.z);
    for k in 0..3 {
        let p = o + A.column(k);
        writeln!(file, "v {} {} {}", p.x, p.y, p.z).unwrap();
    }
    let solid = obj(&(file + "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n")).unwrap().solid().unwrap();
    let det = A.determinant();
    let unit = (Mat3::identity() + Mat3::repeat(1.0)) / 120.0;
    let center = A * Vec3::repeat(0.25);
    let V = det / 6.0;
    let C = A * unit * A.transpose() * det - center * center.transpose() * V;
    let J = Mat3::from_diagonal_element(C.trace()) - C;
    // The corners are rounded at 100, so 1e-14 of length is lost before the sum begins.
    assert!((solid.volume - V).abs() < 1e-12 * V);
    assert!((solid.center - o - center).norm() < 1e-12);
    assert!((solid.inertia - J).norm() < 1e-12 * J.norm());
}

#[test]
fn an_inscribed_ball_tends_to_a_ball_with_the_second_order() {
    let error = |n: usize| {
        let (rows, columns) = (n, 2 * n);
        let mut file = String::from("v 0 0 1\nv 0 0 -1\n");
        for i in 1..rows {
            let (s, c) = (std::f64::consts::PI * i as f64 / rows as f64).sin_cos();
            for j in 0..columns {
                let (y, x) = (std::f64::consts::TAU * j as f64 / columns as f64).sin_cos();
                writeln!(file, "v {} {} {c}", s * x, s * y).unwrap();
            }
        }
        let at = |i: usize, j: usize| 3 + (i - 1) * columns + j % columns;
        for j in 0..columns {
            writeln!(file, "f 1 {} {}", at(1, j), at(1, j + 1)).unwrap();
            writeln!(file, "f 2 {} {}", at(rows - 1, j + 1), at(rows - 1, j)).unwrap();
            for i in 1..rows - 1 {
                let (a, b) = (at(i, j), at(i + 1, j));
                writeln!(file, "f {a} {b} {} {}", at(i + 1, j + 1), at(i, j + 1)).unwrap();
            }
        }
        let solid = obj(&file).unwrap().solid().unwrap();
        let V = 4.0 / 3.0 * std::f64::consts::PI;
        (solid.volume - V).abs() + (solid.inertia[(2, 2)] - 0.4 * V).abs()
    };
    let order = (error(12) / error(24)).log2();
    assert!((order - 2.0).abs() < 0.05, "observed order {order}");
}

#[test]
fn all_formats_of_one_surface_agree() {
    let mesh = obj(&block([0.5, 0.25, 2.0])).unwrap();
    assert_eq!((mesh.points.len(), mesh.triangles.len()), (8, 12));
    let one = Mesh::read("a/B.STL", &binary(&mesh)).unwrap();
    let two = Mesh::read("b.stl", text(&mesh).as_bytes()).unwrap();
    assert_eq!(one, two, "these sizes are exact in 32 bits");
    assert_eq!(one.solid(), two.solid());
    assert!((one.solid().unwrap().volume - 0.25).abs() < ROUND_OFF);
    assert!((mesh.area() - 2.0 * (0.125 + 0.5 + 1.0)).abs() < ROUND_OFF);
}

#[test]
fn obj_knows_negative_numbers_slashes_and_joined_lines() {
    let plain = obj(&block([1.0; 3])).unwrap();
    let odd = block([1.0; 3])
        .replace("f 1 3 4 2", "f -8//1 -6/2/3 \\\r\n  -5/7 -7 # the floor")
        .replace("f 5 6 8 7", "vn 0 0 1\nf 5/1/1 6/1/1 8/1/1 7/1/1");
    assert_eq!(obj(&odd).unwrap(), plain);
}

#[test]
fn a_hole_is_found_where_it_is() {
    let open = block([1.0; 3]).replace("f 5 6 8 7\n", "");
    let error = obj(&open).unwrap().solid().unwrap_err();
    let SolidError::Open { edges, rim, center, .. } = &error else { panic!("{error}") };
    assert_eq!((*edges, *rim), (4, 4));
    assert!((center - Vec3::new(0.5, 0.5, 1.0)).norm() < 1e-15, "{center}");
    assert!(error.to_string().contains("4 edges about (0.5, 0.5, 1)"), "{error}");
    let turned = block([1.0; 3]).replace("f 5 6 8 7", "f 5 7 8 6");
    let error = obj(&turned).unwrap().solid().unwrap_err();
    assert!(matches!(error, SolidError::Turned { edges: 4, .. }), "{error}");
    let flat = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 2\n";
    assert_eq!(obj(flat).unwrap().solid(), Err(SolidError::Flat));
}

#[test]
fn a_reflection_keeps_the_outside_outside() {
    let mesh = obj(&block([1.0, 2.0, 3.0])).unwrap();
    let mirrored = mesh.placed(&Vec3::new(1.0, -1e-3, 1.0), &Pose::translation(Vec3::x()));
    let solid = mirrored.solid().unwrap();
    assert!((solid.volume - 6e-3).abs() < ROUND_OFF && !solid.inside_out);
    assert!((solid.center - Vec3::new(1.5, -1e-3, 1.5)).norm() < ROUND_OFF);
    let inside_out = Mesh {
        triangles: mesh.triangles.iter().map(|t| [t[0], t[2], t[1]]).collect(),
        ..mesh.clone()
    };
    let found = inside_out.solid().unwrap();
    assert!(found.inside_out);
    assert!((found.inertia - mesh.solid().unwrap().inertia).norm() < ROUND_OFF);
}

#[test]
fn faults_have_their_place() {
    let told = |name: &str, bytes: &[u8]| Mesh::read(name, bytes).unwrap_err().to_string();
    let good = binary(&obj(&block([1.0; 3])).unwrap());
    let mut bad = good.clone();
    bad[84 + 50 * 3 + 12 + 16..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!(told("a.stl", &bad).starts_with("byte 262 (triangle 4): a coordinate is NaN"));
    let cut = &good.strip_prefix(b"solid").unwrap()[..400];
    assert!(told("a.stl", cut).contains("the file has 400 bytes"), "{}", told("a.stl", cut));
    assert!(told("a.stl", b"PK").contains("neither a text STL file"));
    assert!(told("a.stl", b"").contains("neither a text STL file"));
    assert_eq!(told("a.stl", b"solid\nendsolid"), "the file has no triangle with an area");
    let text = text(&obj(&block([1.0; 3])).unwrap());
    let wrong = text.replacen("endloop", "vertex 1 2 3", 1);
    assert!(
        told("a.stl", wrong.as_bytes()).starts_with("line 7: found `vertex`, expected endloop")
    );
    let wrong = text.replacen("1e0", "1,0", 1);
    assert!(told("a.stl", wrong.as_bytes()).contains("found `1,0`, expected a finite number"));
    let cut = text.split("endsolid").next().unwrap().trim_end();
    assert!(
        told("a.stl", cut.as_bytes())
            .contains("found the end of the file, expected `facet` or `endsolid`")
    );
    assert!(told("a.dae", b"").contains("not from `a.dae`"));
    for (line, expected) in [
        ("v 1 2", "line 1: found the end of the line, expected a finite coordinate"),
        ("v 1 2 x", "line 1: found `x`"),
        ("v 1 2 inf", "line 1: found `inf`"),
        ("v 0 0 0\nf 1 1", "line 2: found 2 corners, expected at least 3"),
        ("v 0 0 0\nf 1 2 3", "line 2: found `2`, expected the number of a corner"),
        ("v 0 0 0\nf 0 1 1", "line 2: found `0`"),
        ("v 0 0 0\nf -2 1 1", "line 2: found `-2`"),
        ("\nsurf 0 1 0 1 1 2", "line 2: found a free-form curve or surface"),
        ("<html>", "line 1: found `<html>`, expected a statement of OBJ"),
        ("v 0 0 0", "the file has no triangle with an area"),
    ] {
        let found = told("a.obj", line.as_bytes());
        assert!(found.starts_with(expected), "{line}: {found}");
    }
}

#[test]
fn a_coarser_copy_is_near_and_small() {
    let mut file = String::new();
    let n = 60;
    for i in 0..=n {
        for j in 0..=n {
            let (x, y) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(n));
            writeln!(file, "v {x} {y} {}", 0.1 * (3.0 * x).sin() * y).unwrap();
        }
    }
    for i in 0..n {
        for j in 0..n {
            let a = i * (n + 1) + j + 1;
            writeln!(file, "f {a} {} {} {}", a + n + 1, a + n + 2, a + 1).unwrap();
        }
    }
    let mesh = obj(&file).unwrap();
    let (same, h) = mesh.coarse(10_000);
    assert_eq!((same.triangles.len(), h), (7200, 0.0));
    let (small, h) = mesh.coarse(1000);
    assert!((300..=1000).contains(&small.triangles.len()), "{}", small.triangles.len());
    assert!(h > 0.0 && (small.area() - mesh.area()).abs() < 0.15 * mesh.area());
    for p in &small.points {
        let near = mesh.points.iter().map(|q| (p - q).norm()).fold(f64::INFINITY, f64::min);
        assert!(near <= 3_f64.sqrt() * h);
    }
}

#[test]
fn rays_meet_what_brute_force_meets() {
    let mesh = obj(&block([1.0, 2.0, 0.5])).unwrap();
    let corners: Vec<[Vec3; 3]> = mesh.triangles.iter().map(|t| mesh.corners(t)).collect();
    let mut all = corners.clone();
    for k in 1..40 {
        let shift = Vec3::new(1.7 * f64::from(k % 7), 2.3 * f64::from(k % 5), f64::from(k % 3));
        all.extend(corners.iter().map(|t| t.map(|p| p + shift)));
    }
    let rays = Rays::new(all.clone());
    let mut seed = 7_u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as f64 / f64::from(1_u32 << 31)
    };
    let mut met = 0;
    for _ in 0..2000 {
        let p = Vec3::new(14.0 * next(), 12.0 * next(), 4.0 * next()) - Vec3::repeat(1.0);
        let d = Vec3::new(next() - 0.5, next() - 0.5, next() - 0.5);
        // By the signs of the volumes that the ray spans with the edges.
        let brute = all.iter().any(|[a, b, c]| {
            let side = |x: &Vec3, y: &Vec3| d.dot(&(x - p).cross(&(y - p)));
            let (u, v, w) = (side(a, b), side(b, c), side(c, a));
            let n = (b - a).cross(&(c - a));
            let crosses = (u > 0.0 && v > 0.0 && w > 0.0) || (u < 0.0 && v < 0.0 && w < 0.0);
            crosses && n.dot(&(a - p)) / n.dot(&d) > 0.0
        });
        met += usize::from(brute);
        assert_eq!(rays.meets(&p, &d, 0.0), brute, "{p} {d}");
    }
    assert!((200..1900).contains(&met), "{met}");
    assert!(!Rays::new(Vec::new()).meets(&Vec3::zeros(), &Vec3::x(), 0.0));
    // Along an axis, within the plane of a face's neighbour.
    assert!(Rays::new(corners).meets(&Vec3::new(-1.0, 0.7, 0.2), &Vec3::x(), 0.0));
}

#[test]
fn a_hull_is_closed_and_convex_and_holds_all_points() {
    let mut seed = 1_u64;
    let mut number = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as f64 / f64::from(1_u32 << 31) - 0.5
    };
    let cloud: Vec<Vec3> = (0..500).map(|_| Vec3::from_fn(|_, _| number())).collect();
    let ball = cloud.iter().map(Vec3::normalize).collect();
    // Many points in each face and edge of a cube, as meshes of machine parts have them.
    let grid = (0..7 * 7 * 7)
        .map(|k| Vec3::new(f64::from(k % 7), f64::from(k / 7 % 7), f64::from(k / 49)) * 0.1);
    let turn = crate::maths::spatial::rotation_by(&Vec3::new(0.3, -0.7, 0.2));
    let turned = grid.clone().map(|p| turn * p).collect();
    for (points, volume) in [
        (cloud, None),
        (ball, None),
        (grid.collect::<Vec<_>>(), Some(0.216)),
        (turned, Some(0.216)),
    ] {
        let mesh = Mesh { points, triangles: Vec::new() };
        let hull = mesh.hull().unwrap();
        let solid = hull.solid().unwrap();
        assert!(!solid.inside_out);
        // THIN of the size, which is below 2.
        for t in &hull.triangles {
            let corners = hull.corners(t);
            let n = doubled_area(&corners).normalize();
            assert!(mesh.points.iter().all(|p| n.dot(&(p - corners[0])) < 4e-12));
        }
        if let Some(volume) = volume {
            assert!((solid.volume - volume).abs() < 1e-12, "{}", solid.volume);
        }
    }
    let flat = Mesh {
        points: (0..9).map(|k| Vec3::new(f64::from(k % 3), f64::from(k / 3), 1.0)).collect(),
        triangles: Vec::new(),
    };
    assert!(flat.hull().is_none());
    assert!(Mesh::default().hull().is_none());
}

#[test]
fn a_shell_is_what_a_solid_gains_by_growing() {
    // d/dε of a block grown by ε on every side: its volume gains the area, its inertia that of the shell.
    let [a, b, c] = [0.2, 0.3, 0.5];
    let grown =
        |e: f64| obj(&block([a + 2.0 * e, b + 2.0 * e, c + 2.0 * e])).unwrap().solid().unwrap();
    let h = 1e-5;
    let (low, high) = (grown(-h), grown(h));
    let shell = obj(&block([a, b, c])).unwrap().shell().unwrap();
    // Central differences with h = 1e-5: 1e-10 of truncation, 1e-11 of round-off.
    assert!((shell.volume - (high.volume - low.volume) / (2.0 * h)).abs() < 1e-8);
    assert!((shell.inertia - (high.inertia - low.inertia) / (2.0 * h)).norm() < 1e-8);
}

#[test]
fn a_star_shaped_solid_is_not_counted_twice_and_another_is() {
    let mesh = obj(&block([1.0, 2.0, 3.0])).unwrap();
    let (solid, found) = (mesh.solid().unwrap(), mesh.overcounted().unwrap());
    assert!((found.volume - solid.volume).abs() < 10.0 * ROUND_OFF);
    assert!((found.inertia - solid.inertia).norm() < 100.0 * ROUND_OFF);
    // Two blocks one length apart: from the centroid between them the near faces count with the far ones,
    // 2 (|V_far| + |V_near| + sides); a unit cube from 1/2 to 3/2: 3/2 · 1/3 + 1/2 · 1/3 + 4 · 1/2 · 1/3 = 4/3.
    let cube = |x: f64| {
        let at = Pose { rotation: Mat3::identity(), position: Vec3::new(x, 0.0, 0.0) };
        obj(&block([1.0; 3])).unwrap().placed(&Vec3::repeat(1.0), &at)
    };
    let (mut two, other) = (cube(-1.0), cube(1.0));
    let n = u32::try_from(two.points.len()).unwrap();
    two.points.extend(other.points);
    two.triangles.extend(other.triangles.iter().map(|t| t.map(|k| k + n)));
    assert!((two.solid().unwrap().volume - 2.0).abs() < ROUND_OFF * 10.0);
    assert!((two.overcounted().unwrap().volume - 8.0 / 3.0).abs() < ROUND_OFF * 10.0);
}

#[test]
fn of_an_obj_file_mujoco_counts_the_first_object() {
    let second = block([1.0; 3]);
    let faces: Vec<&str> = second.lines().filter(|line| line.starts_with('f')).collect();
    let file = format!("o one\n{}o two\n{}\n", block([0.1, 0.2, 0.3]), faces.join("\n"));
    let (mesh, others) = Mesh::read_first_object("m.obj", file.as_bytes()).unwrap();
    assert_eq!((mesh.triangles.len(), others), (12, 12));
    // 0.1 is not a number of 32 bits.
    let volume = mesh.solid().unwrap().volume;
    assert!((volume - 0.006).abs() > 1e-11 && (volume - 0.006).abs() < 1e-8, "{volume}");
    let far = "v 1e39 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n";
    let error = Mesh::read_first_object("m.obj", far.as_bytes()).unwrap_err();
    assert!(matches!(error, MeshError::TooFar { .. }), "{error}");
}
