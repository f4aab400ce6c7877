//! Stiffness from materials and shapes, in files, against closed forms.

use std::f64::consts::PI;

use carom::contact::hertz::{
    Elasticity, HertzError, PointContact, PrincipalCurvatures, Stiffness, StiffnessOrigin,
    of_contact,
};
use carom::file::{Opened, open_text};
use carom::impact::{Assessment, AssessmentError, Options};
use carom::model::parts::ContactPlace;
use carom::model::{ContactMaterials, Material, Model, Parts, Space};
use carom_reference::hertz as reference;

use crate::workshop::{Look, blow, body, off};

/// A few roundings.
const ROUND_OFF: f64 = 4e-15;
/// Poses come from angles in files: digits of a sine, and of the solution of an equation.
const POSED: f64 = 1e-12;

const STEEL: (f64, f64) = (207e9, 0.3);
/// A material of the file.
const FOAM: (f64, f64) = (5e6, 0.1);

fn opened(text: &str) -> Opened {
    open_text("hertz.toml", text, &[]).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// The stiffness of contact 0 where the file puts it.
fn stiffness(text: &str) -> Result<Stiffness, HertzError> {
    let opened = opened(text);
    let mut mechanism = carom::dynamics::Mechanism::new(opened.model());
    let at = mechanism.at(&opened.assembled.state).unwrap();
    at.contact_stiffness(0).map(|found| found.expect("it has materials"))
}

/// A free body with one shape over a shape of the ground; the first material belongs to the body.
fn scene(space: &str, body: &str, position: &str, ground: &str, rest: &str) -> String {
    format!(
        "carom = 1\nspace = \"{space}\"\ngravity = {}\n[materials.foam]\nyoung = \"5 MPa\"\n\
         poisson = 0.1\n[bodies.b]\nmass = 1\ninertia = {}\ncontact.s = {{ {body} }}\n\
         [ground]\ncontact.g = {{ {ground} }}\n[joints.j]\ntype = \"floating\"\n\
         connects = [\"ground\", \"b\"]\nposition = {position}\n\
         [contacts.c]\nbetween = [\"b.s\", \"ground.g\"]\nmaterials = [\"steel\", \"foam\"]\n{rest}\n",
        if space == "planar" { "[0, 0]" } else { "[0, 0, 0]" },
        if space == "planar" { "1" } else { "[1, 1, 1]" },
    )
}

fn spatial(body: &str, position: &str, ground: &str) -> String {
    scene("spatial", body, position, ground, "")
}

fn compliances() -> [f64; 2] {
    [STEEL, FOAM].map(|(E, nu)| reference::compliance(E, nu))
}

fn pair() -> [Elasticity; 2] {
    [STEEL, FOAM].map(|(E, nu)| Elasticity::new(E, nu).unwrap())
}

#[test]
fn two_steel_spheres_of_the_paper() {
    let look = Look::of_file("001/two-spheres.toml", &[]);
    let found = look.contact.stiffness.unwrap();
    let K = reference::stiffness([reference::compliance(207e9, 0.3); 2], [0.05; 2]);
    assert!(off(found.stiffness, K) < ROUND_OFF, "{:e}", found.stiffness);
    assert!(off(found.stiffness, 2.4e10) < 2e-3, "the paper prints two digits");
    assert_eq!(found.exponent, 1.5);
    let peak = look.row().elastic_peak.unwrap();
    assert!(off(peak, reference::elastic_peak(K, 1.5, look.energy())) < ROUND_OFF);
    // F = ⅔ π a² p₀.
    let area = look.row().elastic_area.unwrap();
    let [a, b] = area.half_axes;
    assert!(off(2.0 / 3.0 * PI * a * b * area.peak_pressure, peak) < ROUND_OFF);
}

#[test]
fn a_ball_on_round_and_flat_shapes_has_equations_3_and_5() {
    let flat = reference::stiffness_on_plane(compliances(), 0.03);
    for ground in [
        "plane = [0, 0, 1]",
        "box = [1, 1, 0.2], at = [0, 0, -0.1]",
        "cylinder = [0.5, 0.2], at = [0, 0, -0.1]",
    ] {
        let found = stiffness(&spatial("sphere = 0.03", "[0.1, 0.2, 0.03, 0, 0, 0]", ground));
        assert!(off(found.unwrap().stiffness, flat) < ROUND_OFF, "{ground}");
    }
    for (ground, radius) in [
        ("sphere = 0.2, at = [0, 0, -0.2]", 0.2),
        ("hollow = 0.2, at = [0, 0, 0.2]", -0.2),
        ("capsule = 0.2, from = [0, 0, -1], to = [0, 0, -0.2]", 0.2),
    ] {
        let found = stiffness(&spatial("sphere = 0.03", "[0, 0, 0.03, 0.3, 0.4, 0.5]", ground));
        let expected = reference::stiffness(compliances(), [0.03, radius]);
        assert!(off(found.unwrap().stiffness, expected) < ROUND_OFF, "{ground}");
    }
    // In a planar model too: a circle is a ball there.
    for ground in
        ["plane = [0, 1]", "segment = [[-1, 0], [1, 0]]", "box = [1, 0.2], at = [0, -0.1]"]
    {
        let text = scene("planar", "sphere = 0.03", "[0.1, 0.03, 0.2]", ground, "");
        assert!(off(stiffness(&text).unwrap().stiffness, flat) < ROUND_OFF, "{ground}");
    }
    // The materials keep to their sides, in either order of the shapes.
    let turned = spatial("sphere = 0.03", "[0, 0, 0.03, 0, 0, 0]", "plane = [0, 0, 1]")
        .replace("[\"b.s\", \"ground.g\"]", "[\"ground.g\", \"b.s\"]");
    assert!(off(stiffness(&turned).unwrap().stiffness, flat) < ROUND_OFF);
}

#[test]
fn a_ball_on_a_straight_side_presses_an_ellipse() {
    let surfaces = [PrincipalCurvatures::sphere(0.03), PrincipalCurvatures::cylinder(0.2)];
    let expected = PointContact::new(pair(), surfaces, 0.0).unwrap().stiffness();
    for ground in [
        "capsule = 0.2, from = [-1, 0, -0.2], to = [1, 0, -0.2]",
        "cylinder = [0.2, 1], at = [0, 0, -0.2], orientation = [0, \"90 deg\", 0]",
        "cylinder = [0.2, 1], at = [0, 0, -0.2], orientation = [0, \"90 deg\", \"35 deg\"]",
    ] {
        let found = stiffness(&spatial("sphere = 0.03", "[0.01, 0, 0.03, 0, 0, 0]", ground));
        assert!(off(found.unwrap().stiffness, expected) < POSED, "{ground}");
    }
    let ground = "capsule = 0.2, from = [-1, -0.2], to = [1, -0.2]";
    let text = scene("planar", "sphere = 0.03", "[0, 0.03, 0]", ground, "");
    assert!(off(stiffness(&text).unwrap().stiffness, expected) < POSED);
}

#[test]
fn capsules_cross_at_the_angle_of_their_axes() {
    let ground = "capsule = 0.2, from = [-1, 0, -0.2], to = [1, 0, -0.2]";
    let body = "capsule = 0.03, from = [-0.5, 0, 0], to = [0.5, 0, 0]";
    for degrees in [90.0, 60.0, -60.0, 10.0, 1e-3, 120.0_f64] {
        let position = format!("[0, 0, 0.03, 0, 0, \"{degrees} deg\"]");
        let found = stiffness(&spatial(body, &position, ground)).unwrap();
        let angle = degrees.to_radians();
        let expected = PointContact::crossed_cylinders(pair(), [0.03, 0.2], angle).unwrap();
        assert!(off(found.stiffness, expected.stiffness()) < POSED, "{degrees}°");
        let StiffnessOrigin::Point(point) = found.origin else { panic!("{found:?}") };
        assert!(off(point.axis_ratio(), expected.axis_ratio()) < POSED / angle.sin().abs());
    }
    // End on side, and end on end.
    let upright = "[0, 0, 0.53, 0, \"90 deg\", 0]";
    let found = stiffness(&spatial(body, upright, ground)).unwrap();
    let surfaces = [PrincipalCurvatures::sphere(0.03), PrincipalCurvatures::cylinder(0.2)];
    let expected = PointContact::new(pair(), surfaces, 0.0).unwrap();
    assert!(off(found.stiffness, expected.stiffness()) < POSED);
    let found = stiffness(&spatial(body, "[1.73, 0, -0.2, 0, 0, 0]", ground)).unwrap();
    assert!(off(found.stiffness, reference::stiffness(compliances(), [0.03, 0.2])) < ROUND_OFF);
}

#[test]
fn discs_with_a_length_are_parallel_cylinders() {
    let rest = "length = 0.1\nreference_force = 500";
    let (P, R) = (500.0 / 0.1, 0.03_f64);
    let [s_i, s_j] = compliances();
    // Johnson section 5.6, per side: 2 ln(4R/a) − 1, or 2 ln(2d/a) − ν/(1 − ν) with d = 40 mm.
    let deep = FOAM.1 / (1.0 - FOAM.1);
    let cases: [(&str, f64, f64, f64); 4] = [
        ("sphere = 0.2, at = [0, -0.2]", 1.0 / (1.0 / R + 5.0), 4.0 * 0.2, 1.0),
        ("plane = [0, 1]", R, 2.0 * 0.04, deep),
        ("box = [1, 0.2], at = [0, -0.1]", R, 2.0 * 0.04, deep),
        ("hollow = 0.2, at = [0, 0.2]", 1.0 / (1.0 / R - 5.0), 2.0 * 0.04, deep),
    ];
    for (ground, radius, s, c) in cases {
        let depth = if ground.starts_with("sphere") { "" } else { "\ndepth = \"40 mm\"" };
        let rest = format!("{rest}{depth}");
        let text = scene("planar", "sphere = 0.03", "[0, 0.03, 0]", ground, &rest);
        // Foam would be pressed flat: stiffer by a thousand, and the formula too.
        let text = text.replace("5 MPa", "5 GPa");
        let s_j = s_j / 1000.0;
        let a = (4.0 * P * radius * (s_i + s_j) / PI).sqrt();
        let delta = |P: f64| {
            let a = a * (P / 5000.0).sqrt();
            P / PI * (s_i * (2.0 * (4.0 * R / a).ln() - 1.0) + s_j * (2.0 * (s / a).ln() - c))
        };
        let found = stiffness(&text).unwrap();
        let F = found.stiffness * delta(P).powf(found.exponent);
        assert!(off(F, 500.0) < 1e-13, "{ground}: {F}");
        // The slope at the reference force, by central differences without their h² term.
        let slope = |h: f64| (delta(P * h.exp()) / delta(P * (-h).exp())).ln() / (2.0 * h);
        let n = 3.0 / (4.0 * slope(5e-4) - slope(1e-3));
        assert!(off(found.exponent, n) < 1e-10, "{ground}: {} {n}", found.exponent);
        let area = found.area(500.0).unwrap();
        assert!(off(area.half_axes[1], a) < POSED && area.half_axes[0] == 0.05);
    }
}

#[test]
fn what_has_no_curvature_is_refused_by_name() {
    let ball = "sphere = 0.03";
    let rod = "capsule = 0.03, from = [-0.5, 0, 0], to = [0.5, 0, 0]";
    let flat = "plane = [0, 0, 1]";
    let block = "box = [1, 1, 1]";
    let can = "cylinder = [0.5, 1]";
    for (body, position, ground, words) in [
        ("point = [0, 0, 0]", "[0, 0, 0, 0, 0, 0]", flat, "a point against a plane"),
        (ball, "[0.52, 0.52, 0, 0, 0, 0]", block, "a sphere against an edge of a box"),
        (ball, "[0.51, 0.51, 0.51, 0, 0, 0]", block, "a corner of a box"),
        (ball, "[0.52, 0, 0.52, 0, 0, 0]", can, "the rim of a cylinder"),
        (ball, "[0, 0, 0.03, 0, 0, 0]", "segment = [[-1, 0, 0], [1, 0, 0]]", "a segment in space"),
        (rod, "[0, 0, 0.03, 0, 0, 0]", flat, "which touch in several points"),
        ("box = [0.1, 0.1, 0.1]", "[0, 0, 0.05, 0, 0, 0]", flat, "a corner of a box"),
        ("cylinder = [0.1, 0.1]", "[0, 0, 0.05, 0, 0, 0]", flat, "the rim of a cylinder"),
        (
            rod,
            "[0.1, 0, 0.03, 0, 0, 0]",
            "capsule = 0.2, from = [-1, 0, -0.2], to = [1, 0, -0.2]",
            "which lie in parallel",
        ),
    ] {
        let error = stiffness(&spatial(body, position, ground)).unwrap_err();
        assert!(matches!(error, HertzError::Unsupported { .. }), "{error}");
        let text = error.to_string();
        assert!(text.contains(words) && text.contains("write `stiffness`"), "{text}");
    }
    let corner =
        scene("planar", ball, "[1.02, 0, 0]", "segment = [[-1, 0], [1, 0]], side = \"left\"", "");
    let text = stiffness(&corner).unwrap_err().to_string();
    assert!(text.contains("the end of a segment"), "{text}");
}

#[test]
fn line_contacts_ask_for_what_they_need() {
    let line = "length = 0.1\nreference_force = 500";
    let with = |ground: &str, rest: &str| {
        let rest = format!("{line}\n{rest}");
        stiffness(&scene("planar", "sphere = 0.03", "[0, 0.03, 0]", ground, &rest)).unwrap_err()
    };
    let deep = "depth = 0.1";
    let error = with("plane = [0, 1]", "");
    assert!(matches!(error, HertzError::Keys { .. }), "{error}");
    assert!(error.to_string().contains("needs the `depth`"), "{error}");
    let error = with("sphere = 0.2, at = [0, -0.2]", deep);
    assert!(error.to_string().contains("two cylinders need none"), "{error}");
    let error = with("capsule = 0.2, from = [-1, -0.2], to = [1, -0.2]", deep);
    assert!(matches!(error, HertzError::Unsupported { .. }), "{error}");
    // Foam of 5 MPa under 5 kN/m is pressed wider than its cylinder.
    let error = with("plane = [0, 1]", "depth = 0.001");
    let HertzError::At { contact, reason } = &error else { panic!("{error}") };
    assert_eq!(contact, "c");
    assert!(matches!(**reason, HertzError::TooWide { .. }), "{error}");
    // A ball wider than its hollow.
    let tight = scene("planar", "sphere = 0.3", "[0, 0, 0]", "hollow = 0.2", "");
    let error = stiffness(&tight).unwrap_err();
    assert!(error.to_string().contains("0.3 m does not fit a hollow of 0.2 m"), "{error}");
}

#[test]
fn parts_without_a_file_are_judged_too() {
    let steel = Material::named("steel").unwrap();
    let origin = carom::maths::Vec3::zeros();
    let judged = |change: &dyn Fn(&mut Parts)| {
        let mut parts = Parts::new(Space::Spatial);
        parts.bodies.push(body("b", 1.0, origin, carom::maths::Mat3::identity()));
        let free = carom::model::JointKind::Floating;
        parts.joints.push(carom::model::parts::JointPart::new("j", free, None, 0));
        parts.contacts.push(blow((None, origin), (Some(0), origin), None, carom::maths::Vec3::z()));
        let pair = [steel.clone(), steel.clone()];
        parts.contacts[0].defaults.materials = Some(ContactMaterials { pair, cylinders: None });
        change(&mut parts);
        let model = Model::new(&parts).unwrap();
        of_contact(&model, 0, &|_| carom::maths::Pose::identity())
    };
    let text = |found: Result<_, HertzError>| found.unwrap_err().to_string();
    assert!(text(judged(&|_| {})).contains("a marker against a marker"));
    let both = |parts: &mut Parts| parts.contacts[0].defaults.stiffness = Some(1e9);
    assert!(text(judged(&both)).contains("exclude each other"));
    let written = |K: f64, n: f64| {
        judged(&move |parts| {
            let defaults = &mut parts.contacts[0].defaults;
            defaults.materials = None;
            (defaults.stiffness, defaults.exponent) = (Some(K), Some(n));
        })
    };
    let found = written(1e9, 1.2).unwrap().unwrap();
    assert_eq!((found.stiffness, found.exponent), (1e9, 1.2));
    assert_eq!((found.origin, found.area(1.0)), (StiffnessOrigin::Written, None));
    assert!(text(written(-1.0, 1.5)).contains("-1 is not a positive stiffness"));
    assert!(text(written(1e9, f64::NAN)).contains("is not a positive exponent"));
    let spheres = |poisson: f64| {
        judged(&move |parts| {
            for (k, place) in [None, Some(0)].into_iter().enumerate() {
                let center = carom::maths::Vec3::z() * f64::from(u8::try_from(k).unwrap());
                let kind = carom::model::ShapeKind::Sphere { center, radius: 0.5 };
                let name = k.to_string();
                parts.shapes.push(carom::model::parts::ShapePart { name, body: place, kind });
            }
            parts.contacts[0].place = ContactPlace::Shapes(0, 1);
            let materials = parts.contacts[0].defaults.materials.as_mut().unwrap();
            materials.pair[1].poisson = poisson;
        })
    };
    let concentric = judged(&|parts| {
        for (name, place) in [("x", None), ("y", Some(0))] {
            let kind = carom::model::ShapeKind::Sphere { center: origin, radius: 0.5 };
            let name = name.to_owned();
            parts.shapes.push(carom::model::parts::ShapePart { name, body: place, kind });
        }
        parts.contacts[0].place = ContactPlace::Shapes(0, 1);
    });
    assert!(matches!(concentric, Err(HertzError::Geometry(_))), "{concentric:?}");
    assert!(spheres(0.3).is_ok());
    assert!(text(spheres(0.7)).contains("poisson: 0.7 is not"));
    let none = judged(&|parts| parts.contacts[0].defaults.materials = None);
    assert_eq!(none, Ok(None));
}

#[test]
fn an_assessment_passes_the_refusal_on() {
    let text = spatial("sphere = 0.03", "[0.52, 0.52, 0, 0, 0, 0]", "box = [1, 1, 1]");
    let opened = opened(&text);
    let mut mechanism = carom::dynamics::Mechanism::new(opened.model());
    let at = mechanism.at(&opened.assembled.state).unwrap();
    let error = Assessment::new(&at, 0, &Options::default()).unwrap_err();
    let AssessmentError::Stiffness(error) = error else { panic!("{error}") };
    let shown = opened.loaded.explain_stiffness(&error);
    assert!(shown.contains("hertz.toml:") && shown.contains("materials ="), "{shown}");
}
