use super::*;
use crate::maths::Vec3;

fn p(x: f64, y: f64) -> Vec3 {
    Vec3::new(x, y, 0.0)
}

#[test]
fn a_polygon_is_the_same_whichever_way_it_is_written() {
    let corners = [p(0.0, 0.0), p(2.0, 0.0), p(2.0, 1.0), p(1.0, 1.0), p(0.0, 1.0)];
    let forth = Polytope::polygon(&corners).unwrap();
    let mut back = corners;
    back.reverse();
    let back = Polytope::polygon(&back).unwrap();
    assert_eq!(forth.vertices.len(), 4, "a corner that does not turn is none");
    for solid in [&forth, &back] {
        for (k, n) in solid.normals.iter().enumerate() {
            let highest = solid.vertices.iter().map(|v| n.dot(v)).fold(f64::MIN, f64::max);
            assert_eq!(highest, n.dot(&solid.vertices[k]));
        }
    }
}

#[test]
fn what_is_no_convex_polygon_is_refused_with_the_corner() {
    let dart = [p(0.0, 0.0), p(2.0, 0.0), p(0.5, 0.5), p(0.0, 2.0)];
    assert_eq!(Polytope::polygon(&dart), Err(PolytopeError::NotConvex { point: 2 }));
    let star: Vec<Vec3> = (0..5)
        .map(|k| {
            let (s, c) = (f64::from(k) * 2.0 * std::f64::consts::TAU / 5.0).sin_cos();
            p(c, s)
        })
        .collect();
    assert!(matches!(Polytope::polygon(&star), Err(PolytopeError::NotConvex { .. })));
    let line = [p(0.0, 0.0), p(1.0, 1.0), p(2.0, 2.0)];
    assert!(matches!(Polytope::polygon(&line), Err(PolytopeError::Flat(_))));
    let twice = [p(0.0, 0.0), p(1.0, 0.0), p(0.0, 0.0)];
    assert_eq!(Polytope::polygon(&twice), Err(PolytopeError::Twice { first: 0, second: 2 }));
}

/// Euler: V − E + F = 2, and no vertex above any face.
fn is_polyhedron(solid: &Polytope) {
    let Topology { edges, faces, .. } = &solid.topology;
    assert_eq!(solid.vertices.len() + faces.len(), edges.len() + 2);
    for (n, face) in solid.normals.iter().zip(faces) {
        let top = n.dot(&solid.vertices[face[0]]);
        for v in &solid.vertices {
            assert!(n.dot(v) <= top + 1e-12);
        }
    }
}

#[test]
fn the_hull_of_the_corners_of_a_box_is_the_box() {
    let mut points: Vec<Vec3> = corner_signs().map(Vec3::from).to_vec();
    // In a face, on an edge, inside.
    points.extend([Vec3::new(0.2, 0.1, 1.0), Vec3::new(1.0, 1.0, 0.3), Vec3::new(0.1, 0.1, 0.0)]);
    let solid = Polytope::hull(&points).unwrap();
    is_polyhedron(&solid);
    assert_eq!(solid.vertices.len(), 8);
    assert!(solid.topology.faces.iter().all(|face| face.len() == 4));
    assert!(solid.normals.iter().all(|n| (n.amax() - 1.0).abs() < 1e-15));
    assert_eq!((BOX.edges.len(), BOX.sides.len(), BOX.faces.len()), (12, 12, 6));
}

#[test]
fn points_in_a_plane_have_no_hull() {
    let flat = [p(0.0, 0.0), p(1.0, 0.0), p(0.0, 1.0), p(1.0, 1.0)];
    assert!(matches!(Polytope::hull(&flat), Err(PolytopeError::Flat(_))));
    assert!(matches!(Polytope::hull(&[]), Err(PolytopeError::Flat(_))));
}

#[test]
fn hulls_of_random_points_are_polyhedra() {
    let mut seed = 7_u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    for count in [4, 5, 8, 20, 200] {
        for _ in 0..20 {
            let points: Vec<Vec3> = (0..count).map(|_| Vec3::new(next(), next(), next())).collect();
            is_polyhedron(&Polytope::hull(&points).unwrap());
        }
    }
}
