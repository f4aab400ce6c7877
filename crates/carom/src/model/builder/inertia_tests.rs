use std::f64::consts::PI;

use super::*;
use crate::model::Body;
use crate::model::builder::build;
use crate::model::description::{Description, Node, Origin};

/// A table with one key; `set` cannot write tables, but it makes them on its way.
fn body(space: &str, word: &str, value: &str, density: Option<f64>) -> Body {
    let mut d = Description::default();
    d.set("carom", "1").unwrap();
    d.set("space", space).unwrap();
    match density {
        Some(x) => d.set("bodies.a.density", &x.to_string()).unwrap(),
        None => d.set("bodies.a.mass", "2").unwrap(),
    }
    d.set(&format!("bodies.a.shape.{word}"), value).unwrap();
    d.set("joints.j.type", "floating").unwrap();
    d.set("joints.j.connects", "[ground, a]").unwrap();
    build(&d).unwrap_or_else(|f| panic!("{f:?}")).model.bodies.remove(0)
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * b.abs().max(1e-12)
}

#[test]
fn solids_have_the_moments_of_the_tables() {
    // For mass 2: Ixx, Izz, written from the tables of moments of inertia.
    let table: [(&str, &str, f64, f64); 14] = [
        ("point", "true", 0.0, 0.0),
        ("rod", "3", 0.0, 2.0 * 9.0 / 12.0),
        ("disc", "3", 2.0 * 9.0 / 4.0, 2.0 * 9.0 / 2.0),
        ("ring", "3", 2.0 * 9.0 / 2.0, 2.0 * 9.0),
        ("ring", "[1, 3]", 2.0 * 10.0 / 4.0, 2.0 * 10.0 / 2.0),
        ("rectangle", "[3, 1]", 2.0 / 12.0, 2.0 * 10.0 / 12.0),
        ("polygon", "[[0,0],[3,0],[3,1],[0,1]]", 2.0 / 12.0, 2.0 * 10.0 / 12.0),
        ("sphere", "3", 0.4 * 2.0 * 9.0, 0.4 * 2.0 * 9.0),
        ("hollow-sphere", "3", 12.0, 12.0),
        ("hollow-sphere", "[1, 3]", 0.8 * 242.0 / 26.0, 0.8 * 242.0 / 26.0),
        ("box", "[1, 2, 3]", 2.0 * 13.0 / 12.0, 2.0 * 5.0 / 12.0),
        ("cylinder", "[1, 3]", 2.0 * (3.0 + 9.0) / 12.0, 1.0),
        ("cone", "[1, 2]", 2.0 * (0.15 + 0.15), 0.6),
        // Checked below against its parts.
        ("capsule", "[1, 1e-9]", 0.8, 0.8),
    ];
    for (word, value, xx, zz) in table {
        let found = body("spatial", word, value, None).inertia.central();
        let tolerance = if word == "capsule" { 1e-8 } else { 1e-12 };
        assert!((found[(0, 0)] - xx).abs() < tolerance, "{word}: {found}");
        assert!((found[(2, 2)] - zz).abs() < tolerance, "{word}: {found}");
    }
}

#[test]
fn a_capsule_is_a_cylinder_and_two_halves_of_a_sphere() {
    let (r, l) = (0.3, 1.7);
    let found = body("spatial", "capsule", "[0.3, 1.7]", Some(1000.0));
    let middle = 1000.0 * PI * r * r * l;
    let half = 1000.0 * 2.0 / 3.0 * PI * r * r * r;
    assert!(close(found.inertia.mass, middle + 2.0 * half));
    let arm = l / 2.0 + 3.0 * r / 8.0;
    let across =
        middle * (3.0 * r * r + l * l) / 12.0 + 2.0 * half * (83.0 / 320.0 * r * r + arm * arm);
    assert!(close(found.inertia.central()[(0, 0)], across));
    let along = middle * r * r / 2.0 + 2.0 * half * 0.4 * r * r;
    assert!(close(found.inertia.central()[(2, 2)], along));
}

#[test]
fn densities_are_per_length_area_or_volume() {
    let table: [(&str, &str, f64); 9] = [
        ("rod", "3", 3.0),
        ("disc", "3", 9.0 * PI),
        ("ring", "[1, 3]", 8.0 * PI),
        ("rectangle", "[2, 3]", 6.0),
        ("polygon", "[[0,0],[0,2],[2,0]]", 2.0),
        ("sphere", "3", 36.0 * PI),
        ("hollow-sphere", "[1, 3]", 104.0 / 3.0 * PI),
        ("box", "[2, 3, 4]", 24.0),
        ("cone", "[1, 3]", PI),
    ];
    for (word, value, size) in table {
        let found = body("spatial", word, value, Some(5.0)).inertia.mass;
        assert!(close(found, 5.0 * size), "{word}: {found}");
    }
}

#[test]
fn a_polygon_does_not_care_where_it_lies_or_which_way_it_runs() {
    // A right triangle with legs 3 and 1.5 far from the origin: Izz = m (a² + b²)/18.
    let forth = "[[100, 200], [103, 200], [100, 201.5]]";
    let back = "[[100, 201.5], [103, 200], [100, 200]]";
    for points in [forth, back] {
        let found = body("planar", "polygon", points, None);
        let expected = 2.0 * (9.0 + 2.25) / 18.0;
        assert!((found.inertia.central()[(2, 2)] - expected).abs() < 1e-9);
        let center = found.frame.inverse().point(&found.inertia.center);
        assert!((center - Vec3::new(101.0, 200.5, 0.0)).norm() < 1e-12);
    }
    // Its product of inertia ∫xy dm = −m a b/36 is positive as a tensor entry.
    let found = body("spatial", "polygon", "[[0,0],[3,0],[0,1.5]]", None);
    let product = found.inertia.central()[(0, 1)];
    assert!((product - 2.0 * 3.0 * 1.5 / 36.0).abs() < 1e-12, "{product}");
}

#[test]
fn a_bow_tie_is_no_polygon() {
    let p = |x: f64, y: f64| Vec3::new(x, y, 0.0);
    assert!(crosses_itself(&[p(0.0, 0.0), p(2.0, 2.0), p(2.0, 0.0), p(0.0, 3.0)]));
    assert!(!crosses_itself(&[p(0.0, 0.0), p(2.0, 0.0), p(2.0, 2.0), p(0.0, 2.0)]));
    assert!(polygon_moments(&[p(0.0, 0.0), p(1.0, 1.0), p(2.0, 2.0)]).is_none());
}

#[test]
fn a_node_made_by_an_edit_remembers_it() {
    let mut d = Description::default();
    d.set("space", "plana").unwrap();
    let findings = build(&d).unwrap_err();
    let edited: Vec<_> =
        findings.iter().filter(|f| f.origin == Some(Origin::Set("space=plana".into()))).collect();
    assert_eq!(edited.len(), 1, "{findings:?}");
    let node: &Node = d.root.get("space").unwrap();
    assert_eq!(node.origin.span(), None);
}
