//! Runs of cams and meshes: a flat follower against its closed form, a housing as box, polyhedron and mesh.

use crate::simulate::{run, times, wishes, written};
use carom::file::{LoadError, load, open};
use carom::model::ContactTreatment::Piecewise;
use carom::simulate::{EventKind, Outcome};
use std::fmt::Write as _;
use std::path::PathBuf;

/// Times of events of runs at a tolerance of 1e-12 \[s\].
const EVENT: f64 = 1e-10;
/// Impulses \[N s\]: a time that is off by [`EVENT`] changes the speed of approach by 1e-9 m/s, and the impulse of 2.4 kg by (1 + e) times 2.4e-9 N s.
const IMPULSE: f64 = 4e-9;

/// Times of impacts and the sum of the impulses of all points that strike together: how several corners share it is no matter of shapes.
fn impacts(out: &Outcome) -> Vec<[f64; 2]> {
    let mut all: Vec<[f64; 2]> = Vec::new();
    for impact in &out.impacts {
        let impulse = impact.impulse.unwrap();
        match all.last_mut() {
            Some(last) if impact.onset - last[0] < EVENT => last[1] += impulse,
            _ => all.push([impact.onset, impulse]),
        }
    }
    all
}

/// Whether two runs have the same impacts; the largest differences of time and impulse are told if not.
fn same_impacts(one: &Outcome, two: &Outcome) {
    let (one, two) = (impacts(one), impacts(two));
    assert_eq!(one.len(), two.len());
    let (mut time, mut impulse) = (0.0_f64, 0.0_f64);
    for (x, y) in one.iter().zip(&two) {
        time = time.max((x[0] - y[0]).abs());
        impulse = impulse.max((x[1] - y[1]).abs());
    }
    assert!(time < EVENT && impulse < IMPULSE, "{} impacts: {time} s, {impulse} N s", one.len());
}

/// An eccentric circle that turns at 60 rad/s under a flat follower: the lift is R + e sin θ.
const CAM: &str = "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n[parameters]\ne = 0.01\nR = 0.03\n\
     [bodies.cam]\nmass = 1\ninertia = 1\ncontact.lobe = { profile = \"e*cos(phi) + sqrt(R^2 - e^2*sin(phi)^2)\" }\n\
     [bodies.follower]\nmass = 0.2\ninertia = 1\ncontact.face = { segment = [[-0.1, 0], [0.1, 0]], side = \"right\" }\n\
     [joints.axle]\ntype = \"revolute\"\nconnects = [\"ground\", \"cam\"]\n\
     [joints.guide]\ntype = \"prismatic\"\nconnects = [\"ground\", \"follower\"]\naxis = [0, 1]\nposition = 0.03\nvelocity = 0.6\n\
     [drives.motor]\njoint = \"axle\"\nmotion = \"60*t\"\n\
     [contacts.ride]\nbetween = [\"cam.lobe\", \"follower.face\"]\nrestitution = 0\n";

#[test]
fn a_flat_follower_leaves_and_lands_where_the_closed_form_says() {
    let (e, radius, omega, g) = (0.01, 0.03, 60.0, 9.81);
    let out = run(&written(CAM, &[]), &wishes("", Piecewise, 0.118, 1e-12));
    // It leaves where the lift would accelerate by more than gravity: e ω² sin θ = g.
    let theta = f64::asin(g / (e * omega * omega));
    let leaves = theta / omega;
    let released = times(&out, EventKind::Release);
    assert!((released[0] - leaves).abs() < EVENT, "{released:?} {leaves}");
    // The parabola comes back to the lift.
    let lift = |t: f64| radius + e * (omega * t).sin();
    let flight = |t: f64| {
        let s = t - leaves;
        lift(leaves) + e * omega * theta.cos() * s - 0.5 * g * s * s
    };
    let (mut low, mut high) = (leaves + 0.02, 0.12);
    assert!(flight(low) > lift(low) && flight(high) < lift(high));
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if flight(middle) > lift(middle) { low = middle } else { high = middle }
    }
    let landed = out.impacts[0].onset;
    assert!((landed - low).abs() < EVENT, "{landed} {low}");
    assert_eq!(out.impacts.len(), 1);
}

/// A disc that rolls and bounces down a slope.
fn disc(shape: &str) -> Outcome {
    let text = format!(
        "carom = 1\nspace = \"planar\"\ngravity = [2, -9.81]\n\
         [ground]\ncontact.floor = {{ plane = [0, 1] }}\n\
         [bodies.disc]\nmass = 1\nshape = {{ disc = 0.1 }}\ncontact.skin = {{ {shape} }}\n\
         [joints.free]\ntype = \"floating\"\nconnects = [\"ground\", \"disc\"]\nposition = [0, 0.4, 0]\nvelocity = [1, 0, 3]\n\
         [contacts.hit]\nbetween = [\"disc.skin\", \"ground.floor\"]\nrestitution = 0.6\nfriction = 0.2\n"
    );
    run(&written(&text, &[]), &wishes("", Piecewise, 1.2, 1e-12))
}

#[test]
fn a_round_profile_has_the_impacts_of_the_circle() {
    let one = disc("circle = 0.1");
    assert!(one.impacts.len() > 2);
    for shape in ["profile = \"0.1\"", "profile = [0.1, 0.1, 0.1, 0.1, 0.1]"] {
        let two = disc(shape);
        same_impacts(&one, &two);
    }
}

/// A folder for the files of one test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("carom-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The twelve triangles of a box as a text STL file, in millimetres.
fn stl([x, y, z]: [f64; 3]) -> String {
    let corner = |k: usize| {
        let sign = |bit: usize| if k >> bit & 1 == 1 { 500.0 } else { -500.0 };
        [x * sign(0), y * sign(1), z * sign(2)]
    };
    let quads =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let mut out = String::from("solid housing\n");
    for [a, b, c, d] in quads {
        for triangle in [[a, b, c], [a, c, d]] {
            out += "facet normal 0 0 0\nouter loop\n";
            for k in triangle {
                let [x, y, z] = corner(k);
                writeln!(out, "vertex {x} {y} {z}").unwrap();
            }
            out += "endloop\nendfacet\n";
        }
    }
    out + "endsolid housing\n"
}

/// The drop of a box, with its mass and its contact as written.
fn drop_text(body: &str, hull: &str) -> String {
    format!(
        "carom = 1\nspace = \"spatial\"\ngravity = [0, 0, -9.81]\n\
         [ground]\ncontact.floor = {{ plane = [0, 0, 1] }}\n\
         [bodies.housing]\n{body}\ncontact.hull = {{ {hull} }}\n\
         [joints.free]\ntype = \"floating\"\nconnects = [\"ground\", \"housing\"]\n\
         position = [0, 0, 0.5, 0.9, 0.3, 0.2, 0.1]\nvelocity = [0.2, 0, 0, 1, 2, 0.5]\n\
         [contacts.hit]\nbetween = [\"housing.hull\", \"ground.floor\"]\nrestitution = 0.4\nfriction = 0.3\n"
    )
}

#[test]
fn a_box_falls_as_box_as_polyhedron_and_as_mesh_alike() {
    let edges = [0.3, 0.2, 0.1];
    let folder = folder("housing");
    std::fs::write(folder.join("housing.stl"), stl(edges)).unwrap();
    let solid = "mass = 2.4\nshape = { box = [0.3, 0.2, 0.1] }";
    let meshed = "density = 400\nshape = { mesh = \"housing.stl\", scale = [0.001, 0.001, 0.001] }";
    let corners: Vec<String> = (0..8)
        .map(|k| {
            let sign = |bit: usize| if k >> bit & 1 == 1 { 0.5 } else { -0.5 };
            format!("[{}, {}, {}]", edges[0] * sign(0), edges[1] * sign(1), edges[2] * sign(2))
        })
        .collect();
    let polyhedron = format!("polyhedron = [{}]", corners.join(", "));
    let mesh = "mesh = \"housing.stl\", scale = [0.001, 0.001, 0.001]";
    let path = folder.join("drop.toml");
    let out: Vec<Outcome> =
        [(solid, "box = [0.3, 0.2, 0.1]"), (solid, polyhedron.as_str()), (meshed, mesh)]
            .into_iter()
            .map(|(body, hull)| {
                std::fs::write(&path, drop_text(body, hull)).unwrap();
                let opened = open(&path, &[]).unwrap_or_else(|error| panic!("{error}"));
                run(&opened, &wishes("", Piecewise, 0.7, 1e-12))
            })
            .collect();
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(out[0].impacts.len() > 3, "{}", out[0].impacts.len());
    for other in &out[1..] {
        same_impacts(&out[0], other);
    }
}

#[test]
fn meshes_that_are_none_are_refused_with_the_place() {
    let folder = folder("meshes");
    let whole = stl([1.0, 1.0, 1.0]);
    let facets: Vec<&str> = whole.split("facet normal").collect();
    let open_mesh = whole.replacen(&format!("facet normal{}", facets[1]), "", 1);
    let flat = "solid s\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n";
    let mut short = vec![0_u8; 84];
    short[80] = 5;
    let files: [(&str, Vec<u8>); 6] = [
        ("open.stl", open_mesh.into_bytes()),
        ("flat.stl", flat.into()),
        ("nan.stl", whole.replacen("-500", "nan", 1).into_bytes()),
        ("count.stl", short),
        ("text.stl", b"hello".to_vec()),
        ("kind.step", b"x".to_vec()),
    ];
    for (name, bytes) in &files {
        std::fs::write(folder.join(name), bytes).unwrap();
    }
    let path = folder.join("drop.toml");
    let refused = |body: &str, hull: &str| -> String {
        std::fs::write(&path, drop_text(body, hull)).unwrap();
        match load(&path, &[]) {
            Err(error @ LoadError::Refused { .. }) => error.to_string(),
            other => panic!("{:?}", other.map(|_| ())),
        }
    };
    let solid = "mass = 1\nshape = { box = [1, 1, 1] }";
    for (name, says) in [
        ("flat.stl", "lie in a plane"),
        ("nan.stl", "line 4"),
        ("count.stl", "announces 5 triangles"),
        ("text.stl", "neither a text STL file"),
        ("kind.step", "from .stl and .obj files only"),
        ("none.stl", "there is no such file"),
        ("../drop.stl", "no such file"),
    ] {
        let error = refused(solid, &format!("mesh = \"{name}\""));
        assert!(error.contains(says) && error.contains("contact.hull"), "{name}: {error}");
    }
    // An open mesh has a hull, but encloses nothing.
    let body = "density = 1000\nshape = { mesh = \"open.stl\" }";
    let error = refused(body, "box = [1, 1, 1]");
    assert!(error.contains("the mesh is open") && error.contains("the hole there"), "{error}");
    std::fs::write(&path, drop_text(solid, "mesh = \"open.stl\"")).unwrap();
    let loaded = load(&path, &[]).unwrap();
    let told: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
    assert!(told.iter().any(|t| t.contains("the mesh is not closed")), "{told:?}");
    std::fs::remove_dir_all(&folder).unwrap();
}
