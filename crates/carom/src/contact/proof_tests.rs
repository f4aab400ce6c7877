//! Random scenes of two moving bodies, and the equations that every pair of shapes must satisfy.

use super::moving::Moving;
use super::{BodyMotion, ContactError, supported, touch, touch_rate};
use crate::maths::polytope::Polytope;
use crate::maths::profile::Profile;
use crate::maths::spatial::rotation_by;
use crate::maths::{Mat3, Pose, Twist, Vec3};
use crate::model::{
    Anchor, BodyId, Contact, ContactDefaults, ContactGeometry, Initial, Model, Place, Shape,
    ShapeKind, Side, Space,
};
use std::sync::Arc;

/// All kinds of shapes.
pub const KINDS: [&str; 12] = [
    "point", "sphere", "plane", "segment", "hollow", "box", "capsule", "cylinder", "convex",
    "rounded", "regular", "profile",
];

/// A linear congruential generator (Knuth's MMIX), so that a failure can be repeated.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Uniform in [−1, 1).
    pub fn signed(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// Uniform in [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * 0.5 * (self.signed() + 1.0)
    }

    /// Each component uniform in [−size, size).
    pub fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed()) * size
    }

    /// The same, in the x-y plane if `planar`.
    pub fn point(&mut self, size: f64, planar: bool) -> Vec3 {
        let v = self.vector(size);
        if planar { Vec3::new(v.x, v.y, 0.0) } else { v }
    }

    pub fn direction(&mut self, planar: bool) -> Vec3 {
        self.point(1.0, planar).normalize()
    }

    pub fn rotation(&mut self, planar: bool) -> Mat3 {
        let axis = if planar { Vec3::z() } else { self.direction(false) };
        rotation_by(&(axis * self.between(-3.0, 3.0)))
    }

    fn pose(&mut self, size: f64, planar: bool) -> Pose {
        Pose { rotation: self.rotation(planar), position: self.point(size, planar) }
    }

    fn motion(&mut self, planar: bool) -> BodyMotion {
        let spin = self.vector(1.0);
        let ang = if planar { Vec3::z() * spin.z } else { spin };
        let twist = Twist { ang, lin: self.point(1.0, planar) };
        BodyMotion { twist, origin: self.point(1.0, planar) }
    }

    /// A convex polygon or polyhedron of random points.
    fn solid(&mut self, name: &str, planar: bool, pose: &Pose) -> Polytope {
        let found = if planar && name == "regular" {
            Polytope::regular(7, self.between(0.2, 0.5))
        } else if planar {
            // On an ellipse any corners are convex.
            let mut angles: Vec<f64> = (0..8).map(|_| self.between(0.0, 6.2)).collect();
            angles.sort_by(f64::total_cmp);
            let corner = |a: &f64| Vec3::new(0.5 * a.cos(), 0.3 * a.sin(), 0.0);
            Polytope::polygon(&angles.iter().map(corner).collect::<Vec<_>>())
        } else {
            let count = if name == "regular" { 30 } else { 8 };
            let points: Vec<Vec3> = (0..count).map(|_| self.vector(0.5)).collect();
            Polytope::hull(&points)
        };
        found.expect("random points lie in no plane").moved(pose)
    }

    fn shape(&mut self, name: &str, planar: bool) -> ShapeKind {
        let at = self.point(0.3, planar);
        let other = at + self.direction(planar) * self.between(0.5, 1.0);
        let radius = self.between(0.1, 0.4);
        let half =
            Vec3::new(self.between(0.1, 0.4), self.between(0.3, 0.5), self.between(0.2, 0.8));
        let pose = Pose { rotation: self.rotation(planar), position: at };
        match name {
            "point" => ShapeKind::Point { at },
            "sphere" => ShapeKind::Sphere { center: at, radius },
            "plane" => ShapeKind::Plane { at, normal: self.direction(planar) },
            "segment" => {
                let side = Some(if self.signed() > 0.0 { Side::Left } else { Side::Right });
                ShapeKind::Segment { start: at, end: other, side }
            }
            "hollow" => ShapeKind::Hollow { center: at, radius: radius + 1.0 },
            "box" => ShapeKind::Box { pose, half },
            "capsule" => ShapeKind::Capsule { start: at, end: other, radius },
            "cylinder" => ShapeKind::Cylinder { pose, radius, half_length: half.z },
            "convex" | "rounded" | "regular" => {
                let rounding = if name == "rounded" { 0.3 * radius } else { 0.0 };
                ShapeKind::Convex {
                    solid: Arc::new(self.solid(name, planar, &pose)),
                    radius: rounding,
                }
            }
            "profile" => {
                let radii: Vec<f64> = (0..12).map(|_| self.between(0.25, 0.35)).collect();
                let curve = Profile::radii(&radii).expect("positive radii");
                ShapeKind::Profile { pose, curve: Arc::new(curve) }
            }
            _ => unreachable!("KINDS lists them all"),
        }
    }
}

/// A vector at rest.
pub fn still(value: Vec3) -> Moving {
    Moving::constant(value)
}

/// Three bodies.
pub const BODY: [Place; 3] = [Some(BodyId(0)), Some(BodyId(1)), Some(BodyId(2))];

/// A model of shapes and contacts only, named `shape-0`, `contact-0` and so on.
pub fn model(space: Space, shapes: &[(Place, ShapeKind)], pairs: &[(usize, usize)]) -> Model {
    let shapes = shapes.iter().enumerate();
    let pairs = pairs.iter().enumerate();
    Model {
        title: String::new(),
        space,
        gravity: Vec3::zeros(),
        bodies: Vec::new(),
        closures: Vec::new(),
        markers: Vec::new(),
        shapes: shapes
            .map(|(i, (body, kind))| Shape {
                name: format!("shape-{i}"),
                body: *body,
                kind: kind.clone(),
            })
            .collect(),
        contacts: pairs.map(|(i, &(a, b))| contact(i, ContactGeometry::Shapes { a, b })).collect(),
        loads: Vec::new(),
        drives: Vec::new(),
        events: Vec::new(),
        initial: Initial::default(),
        simulation: crate::model::SimulationDefaults::default(),
        nq: 0,
        nv: 0,
    }
}

fn contact(number: usize, geometry: ContactGeometry) -> Contact {
    Contact { name: format!("contact-{number}"), geometry, defaults: ContactDefaults::default() }
}

/// Two bodies with a shape each; contact 0 is (0, 1), contact 1 is (1, 0).
pub struct Scene {
    pub model: Model,
    poses: [Pose; 3],
    motions: [BodyMotion; 3],
}

pub fn scene(dice: &mut Dice, a: &str, b: &str, planar: bool) -> Scene {
    let space = if planar { Space::Planar } else { Space::Spatial };
    let shapes = [(BODY[0], dice.shape(a, planar)), (BODY[1], dice.shape(b, planar))];
    Scene {
        model: model(space, &shapes, &[(0, 1), (1, 0)]),
        poses: [0; 3].map(|_| dice.pose(0.7, planar)),
        motions: [0; 3].map(|_| dice.motion(planar)),
    }
}

impl Scene {
    /// Where a body is after a time: carried by the screw motion of its velocity field.
    pub fn pose(&self, place: Place, time: f64) -> Pose {
        let Some(id) = place else { return Pose::identity() };
        let (pose, motion) = (self.poses[id.index()], self.motions[id.index()]);
        let turn = rotation_by(&(motion.twist.ang * time));
        let arm = pose.position - motion.origin;
        Pose {
            rotation: turn * pose.rotation,
            position: motion.origin + motion.twist.lin * time + turn * arm,
        }
    }

    pub fn motion(&self, place: Place) -> BodyMotion {
        place.map_or(BodyMotion::rest(), |id| self.motions[id.index()])
    }

    /// gap, normal, on_a, on_b of a point after a time, in a row; none if there is no such point.
    fn row(&self, contact: usize, point: usize, time: f64) -> Option<[f64; 10]> {
        let touch = touch(&self.model, contact, &|p| self.pose(p, time)).ok()?;
        let p = touch.points().get(point)?;
        let mut row = [p.gap; 10];
        for (i, v) in [p.normal, p.on_a, p.on_b].iter().enumerate() {
            row[1 + 3 * i..4 + 3 * i].copy_from_slice(v.as_slice());
        }
        Some(row)
    }

    /// The rates of [`Self::row`] by Richardson's central differences; none where the features
    /// change nearby, which shows in two levels of extrapolation that disagree.
    fn differences(&self, contact: usize, point: usize) -> Option<[f64; 10]> {
        let central = |h: f64| {
            let (plus, minus) = (self.row(contact, point, h)?, self.row(contact, point, -h)?);
            Some(std::array::from_fn::<f64, 10, _>(|i| (plus[i] - minus[i]) / (2.0 * h)))
        };
        let [d1, d2, d4] = [central(2e-3)?, central(1e-3)?, central(5e-4)?];
        let rough: [f64; 10] = std::array::from_fn(|i| (4.0 * d2[i] - d1[i]) / 3.0);
        let fine: [f64; 10] = std::array::from_fn(|i| (4.0 * d4[i] - d2[i]) / 3.0);
        let agree = rough.iter().zip(&fine).all(|(r, f)| (r - f).abs() < 1e-8);
        agree.then(|| std::array::from_fn(|i| (16.0 * fine[i] - rough[i]) / 15.0))
    }
}

/// Calls `check` with many random scenes of every supported pair.
fn for_every_pair(seed: u64, mut check: impl FnMut(&mut Dice, &Scene, &str)) {
    let mut dice = Dice::new(seed);
    for planar in [true, false] {
        for a in KINDS {
            for b in KINDS {
                for _ in 0..40 {
                    let scene = scene(&mut dice, a, b, planar);
                    let [kind_a, kind_b] = [0, 1].map(|i| scene.model.shapes[i].kind.clone());
                    if supported(&kind_a, &kind_b, planar) {
                        check(&mut dice, &scene, &format!("{a}–{b}, planar {planar}"));
                    }
                }
            }
        }
    }
}

#[test]
fn the_points_lie_apart_by_the_gap_along_the_normal() {
    let (mut open, mut closed) = (0, 0);
    for_every_pair(101, |_, scene, name| {
        let Ok(touch) = touch(&scene.model, 0, &|p| scene.pose(p, 0.0)) else { return };
        for p in touch.points() {
            assert!((p.on_b - p.on_a - p.normal * p.gap).norm() < 1e-12, "{name}");
            assert!((p.normal.norm() - 1.0).abs() < 1e-14, "{name}");
            if scene.model.is_planar() {
                assert_eq!([p.normal.z, p.on_a.z, p.on_b.z], [0.0; 3], "{name}");
            }
            if p.gap > 0.0 { open += 1 } else { closed += 1 }
        }
    });
    assert!(open > 500 && closed > 500, "{open} open and {closed} penetrating");
}

#[test]
fn the_points_lie_on_the_surfaces() {
    for_every_pair(102, |_, scene, name| {
        let Ok(touch) = touch(&scene.model, 0, &|p| scene.pose(p, 0.0)) else { return };
        for p in touch.points() {
            for (shape, x) in scene.model.shapes.iter().zip([p.on_a, p.on_b]) {
                let local = scene.pose(shape.body, 0.0).inverse().point(&x);
                let height = height_over_surface(&shape.kind, &local, scene.model.is_planar());
                // Over a face each end of a capsule is a ball of its own, also the end that is higher.
                let off = height.abs().min(distance_from_ends(&shape.kind, &local));
                assert!(
                    off < 1e-12,
                    "{name}: {} is off by {height}, gap {}",
                    shape.kind.name(),
                    p.gap
                );
            }
        }
    });
}

/// Distance of a point from the nearer of the balls at a capsule's ends; infinite for other shapes.
fn distance_from_ends(kind: &ShapeKind, x: &Vec3) -> f64 {
    let ShapeKind::Capsule { start, end, radius } = kind else { return f64::INFINITY };
    [start, end].map(|c| ((x - c).norm() - radius).abs()).into_iter().fold(f64::INFINITY, f64::min)
}

/// Zero on the surface of a shape; written from its definition, not from the pairs.
fn height_over_surface(kind: &ShapeKind, x: &Vec3, planar: bool) -> f64 {
    let to_axis = |start: &Vec3, end: &Vec3| {
        let edge = end - start;
        let u = ((x - start).dot(&edge) / edge.norm_squared()).clamp(0.0, 1.0);
        (x - start - edge * u).norm()
    };
    match kind {
        ShapeKind::Point { at } => (x - at).norm(),
        ShapeKind::Sphere { center, radius } | ShapeKind::Hollow { center, radius } => {
            (x - center).norm() - radius
        }
        ShapeKind::Plane { at, normal } => normal.dot(&(x - at)),
        ShapeKind::Segment { start, end, .. } => to_axis(start, end),
        ShapeKind::Capsule { start, end, radius } => to_axis(start, end) - radius,
        ShapeKind::Box { pose, half } => {
            let l = pose.inverse().point(x);
            let last = if planar { 2 } else { 3 };
            (0..last).map(|i| l[i].abs() - half[i]).fold(f64::NEG_INFINITY, f64::max)
        }
        ShapeKind::Cylinder { pose, radius, half_length } => {
            let l = pose.inverse().point(x);
            (l.x.hypot(l.y) - radius).max(l.z.abs() - half_length)
        }
        ShapeKind::Profile { pose, curve } => {
            let l = pose.inverse().point(x);
            let on_curve = curve.at(l.y.atan2(l.x)).at;
            l.norm() - on_curve.norm()
        }
        ShapeKind::Convex { solid, radius } => {
            let face =
                |k: usize| solid.normals[k].dot(&(x - solid.vertices[solid.topology.faces[k][0]]));
            let faces = (0..solid.normals.len()).map(face).fold(f64::NEG_INFINITY, f64::max);
            // Rounded surfaces lie outside all faces.
            if *radius == 0.0 { faces } else { (faces - radius).max(0.0) }
        }
    }
}

#[test]
fn the_gap_changes_with_the_material_velocities_along_the_normal() {
    rates_agree(201, |scene, point, differences, name| {
        let touch = touch(&scene.model, 0, &|p| scene.pose(p, 0.0)).unwrap();
        let p = touch.points()[point];
        let v_a = scene.motion(BODY[0]).at(&p.on_a);
        let v_b = scene.motion(BODY[1]).at(&p.on_b);
        let rate = p.normal.dot(&(v_b - v_a));
        assert!((rate - differences[0]).abs() < 1e-8, "{name}: {rate} against {}", differences[0]);
    });
}

#[test]
fn normal_and_points_wander_at_their_rates() {
    rates_agree(202, |scene, point, differences, name| {
        let pose = |p| scene.pose(p, 0.0);
        let rate = touch_rate(&scene.model, 0, point, &pose, &|p| scene.motion(p)).unwrap();
        for (i, v) in [rate.normal, rate.on_a, rate.on_b].iter().enumerate() {
            let expected = Vec3::from_column_slice(&differences[1 + 3 * i..4 + 3 * i]);
            assert!((v - expected).norm() < 1e-7, "{name}: vector {i}: {v} against {expected}");
        }
    });
}

/// Runs `check` at every point of random scenes with rates from differences, and makes sure that
/// enough scenes of every pair are smooth.
fn rates_agree(seed: u64, check: impl Fn(&Scene, usize, &[f64; 10], &str)) {
    let mut counts = std::collections::BTreeMap::new();
    for_every_pair(seed, |_, scene, name| {
        let (smooth, all) = counts.entry(name.to_owned()).or_insert((0, 0));
        let Ok(touch) = touch(&scene.model, 0, &|p| scene.pose(p, 0.0)) else { return };
        for point in 0..touch.points().len() {
            *all += 1;
            if let Some(differences) = scene.differences(0, point) {
                *smooth += 1;
                check(scene, point, &differences, name);
            }
        }
    });
    for (name, (smooth, all)) in counts {
        assert!(10 * smooth >= 6 * all && all >= 20, "{name}: only {smooth} of {all} were smooth");
    }
}

#[test]
fn exchanging_the_bodies_mirrors_the_contact_to_the_last_bit() {
    for_every_pair(301, |_, scene, name| {
        let pose = |p| scene.pose(p, 0.0);
        let motion = |p| scene.motion(p);
        let (Ok(there), Ok(back)) = (touch(&scene.model, 0, &pose), touch(&scene.model, 1, &pose))
        else {
            return;
        };
        assert_eq!(there.points().len(), back.points().len(), "{name}");
        for (i, (p, q)) in there.points().iter().zip(back.points()).enumerate() {
            assert_eq!((p.gap, p.on_a, p.on_b, p.normal), (q.gap, q.on_b, q.on_a, -q.normal));
            let r = touch_rate(&scene.model, 0, i, &pose, &motion).unwrap();
            let s = touch_rate(&scene.model, 1, i, &pose, &motion).unwrap();
            assert_eq!((r.on_a, r.on_b, r.normal), (s.on_b, s.on_a, -s.normal), "{name}");
        }
    });
}

#[test]
fn markers_keep_their_points_and_their_normal_turns_with_its_body() {
    let mut dice = Dice::new(401);
    for planar in [true, false] {
        for normal_in in [None, BODY[0], BODY[1], BODY[2]] {
            let mut scene = scene(&mut dice, "point", "plane", planar);
            let a = Anchor { body: BODY[0], at: dice.point(0.5, planar) };
            let b = Anchor { body: BODY[1], at: dice.point(0.5, planar) };
            let normal = dice.direction(planar);
            let geometry = ContactGeometry::Points { a, b, normal_in, normal };
            scene.model.contacts = vec![contact(0, geometry)];

            let pose = |p| scene.pose(p, 0.0);
            let p = touch(&scene.model, 0, &pose).unwrap().points()[0];
            assert_eq!(p.on_a, pose(BODY[0]).point(&a.at));
            assert_eq!(p.on_b, pose(BODY[1]).point(&b.at));
            assert_eq!(p.normal, pose(normal_in).vector(&normal));
            assert!((p.gap - p.normal.dot(&(p.on_b - p.on_a))).abs() < 1e-15);

            let rate = touch_rate(&scene.model, 0, 0, &pose, &|p| scene.motion(p)).unwrap();
            let differences = scene.differences(0, 0).expect("markers are smooth");
            for (i, v) in [rate.normal, rate.on_a, rate.on_b].iter().enumerate() {
                let expected = Vec3::from_column_slice(&differences[1 + 3 * i..4 + 3 * i]);
                assert!((v - expected).norm() < 1e-9);
            }
            // ġap = n · (v_b − v_a) + ṅ · (p_b − p_a)
            let gap_rate =
                p.normal.dot(&(rate.on_b - rate.on_a)) + rate.normal.dot(&(p.on_b - p.on_a));
            assert!((gap_rate - differences[0]).abs() < 1e-9);
        }
    }
}

#[test]
fn the_gap_of_a_rope_is_its_slack_and_its_rates_are_differences() {
    let mut dice = Dice::new(402);
    for planar in [true, false] {
        for ends in [[BODY[0], BODY[1]], [None, BODY[1]], [BODY[0], None]] {
            let mut scene = scene(&mut dice, "point", "plane", planar);
            let [a, b] = ends.map(|body| Anchor { body, at: dice.point(0.5, planar) });
            scene.model.contacts = vec![contact(0, ContactGeometry::Rope { a, b, length: 1.5 })];
            let pose = |p| scene.pose(p, 0.0);
            let p = touch(&scene.model, 0, &pose).unwrap().points()[0];
            let span = pose(b.body).point(&b.at) - pose(a.body).point(&a.at);
            assert!((p.gap - (1.5 - span.norm())).abs() < 1e-15);
            assert!((p.normal * span.norm() + span).norm() < 1e-15);
            let rate = touch_rate(&scene.model, 0, 0, &pose, &|p| scene.motion(p)).unwrap();
            let differences = scene.differences(0, 0).expect("a rope is smooth");
            for (i, v) in [rate.normal, rate.on_a, rate.on_b].iter().enumerate() {
                let expected = Vec3::from_column_slice(&differences[1 + 3 * i..4 + 3 * i]);
                assert!((v - expected).norm() < 1e-9);
            }
            // ġap = n · (v_b − v_a)
            let gap_rate = p.normal.dot(&(rate.on_b - rate.on_a));
            assert!((gap_rate - differences[0]).abs() < 1e-9);
        }
    }
}

/// Two shapes on bodies that both stand at the origin.
fn at_one_place(space: Space, a: ShapeKind, b: ShapeKind) -> Model {
    model(space, &[(BODY[0], a), (BODY[1], b)], &[(0, 1)])
}

#[test]
fn where_no_normal_is_distinguished_the_shapes_are_named() {
    let ball = ShapeKind::Sphere { center: Vec3::zeros(), radius: 0.5 };
    let along = |axis: Vec3| ShapeKind::Capsule { start: -axis, end: axis, radius: 0.1 };
    let tall = ShapeKind::Cylinder { pose: Pose::identity(), radius: 0.1, half_length: 1.0 };
    for (space, a, b) in [
        (Space::Planar, ball.clone(), ball.clone()),
        (Space::Spatial, ball.clone(), ball.clone()),
        (Space::Planar, ball.clone(), along(Vec3::x())),
        (Space::Planar, along(Vec3::y()), along(Vec3::x())),
        (Space::Spatial, along(Vec3::y()), along(Vec3::x())),
        (Space::Spatial, along(Vec3::x()), along(Vec3::x())),
        (Space::Spatial, ball, tall),
    ] {
        let error = touch(&at_one_place(space, a, b), 0, &|_| Pose::identity()).unwrap_err();
        let [first, second] = ["shape-0", "shape-1"].map(String::from);
        let contact = String::from("contact-0");
        assert_eq!(error, ContactError::NotDefined { contact, a: first, b: second });
    }
}

#[test]
fn refusals_name_the_shapes_and_points() {
    let ball = ShapeKind::Sphere { center: Vec3::x(), radius: 0.5 };
    let block = ShapeKind::Box { pose: Pose::identity(), half: Vec3::new(1.0, 1.0, 1.0) };
    let ring = ShapeKind::Hollow { center: Vec3::zeros(), radius: 1.0 };
    let error = touch(&at_one_place(Space::Planar, ring.clone(), ring), 0, &|_| Pose::identity());
    assert_eq!(
        error.unwrap_err().to_string(),
        "contacts.contact-0: contact of a hollow with a hollow is not supported in a planar model; \
         see the table of supported pairs in docs/model-file.md"
    );
    let model = at_one_place(Space::Spatial, ball, block);
    let error =
        touch_rate(&model, 0, 1, &|_| Pose::identity(), &|_| BodyMotion::rest()).unwrap_err();
    let expected = ContactError::NoSuchPoint { contact: "contact-0".into(), point: 1, count: 1 };
    assert_eq!(error, expected);
}

/// A wheel that rolls on the ground: its contact point runs along with the centre although the
/// material point there is at rest.
#[test]
fn the_contact_point_of_a_rolling_wheel_runs_with_its_centre() {
    let wheel = ShapeKind::Sphere { center: Vec3::zeros(), radius: 0.5 };
    let ground = ShapeKind::Plane { at: Vec3::zeros(), normal: Vec3::y() };
    let model = model(Space::Planar, &[(BODY[0], wheel), (None, ground)], &[(0, 1)]);
    let pose =
        |p: Place| Pose::translation(if p.is_some() { Vec3::y() * 0.5 } else { Vec3::zeros() });
    let rolling = BodyMotion {
        twist: Twist { ang: Vec3::z() * -4.0, lin: Vec3::x() * 2.0 },
        origin: Vec3::y() * 0.5,
    };
    let motion = |p: Place| if p.is_some() { rolling } else { BodyMotion::rest() };
    let point = touch(&model, 0, &pose).unwrap().points()[0];
    assert_eq!((point.gap, point.normal), (0.0, -Vec3::y()));
    assert_eq!(rolling.at(&point.on_a), Vec3::zeros());
    let rate = touch_rate(&model, 0, 0, &pose, &motion).unwrap();
    assert_eq!((rate.on_a, rate.on_b), (Vec3::x() * 2.0, Vec3::x() * 2.0));
    assert_eq!(rate.normal, Vec3::zeros());
}

/// Parallel capsules that stay parallel: the middle of the common stretch wanders at half the speed
/// of the end that bounds it.
#[test]
fn the_middle_of_parallel_capsules_wanders_with_the_ends_that_bound_it() {
    let long = ShapeKind::Capsule { start: -Vec3::x(), end: Vec3::x(), radius: 0.1 };
    let model = at_one_place(Space::Spatial, long.clone(), long);
    let pose =
        |p| Pose::translation(if p == BODY[0] { Vec3::zeros() } else { Vec3::new(0.5, 1.0, 0.0) });
    let motion = |p| {
        let lin = if p == BODY[0] { Vec3::zeros() } else { Vec3::new(3.0, -1.0, 0.0) };
        BodyMotion { twist: Twist { ang: Vec3::zeros(), lin }, origin: Vec3::zeros() }
    };
    let point = touch(&model, 0, &pose).unwrap().points()[0];
    assert!((point.on_a - Vec3::new(0.25, 0.1, 0.0)).norm() < 1e-15);
    let rate = touch_rate(&model, 0, 0, &pose, &motion).unwrap();
    assert!((rate.on_a - Vec3::new(1.5, 0.0, 0.0)).norm() < 1e-15);
    assert!((rate.on_b - Vec3::new(1.5, -1.0, 0.0)).norm() < 1e-15);
    assert!(rate.normal.norm() < 1e-15);
}

/// The centre of a ball carried to the axis of a capsule by poses, so that it is there only within
/// rounding: that must not be taken for a direction, even at the world's origin.
#[test]
fn rounding_errors_give_no_normal() {
    let mut dice = Dice::new(501);
    for planar in [true, false] {
        let space = if planar { Space::Planar } else { Space::Spatial };
        for _ in 0..100 {
            let poses = [dice.pose(0.7, planar), dice.pose(0.7, planar)];
            let local = |i: usize, x: Vec3| poses[i].inverse().point(&x);
            let tip = dice.direction(planar);
            let ball = ShapeKind::Sphere { center: local(0, Vec3::zeros()), radius: 0.5 };
            let same = ShapeKind::Sphere { center: local(1, Vec3::zeros()), radius: 0.5 };
            let rod =
                ShapeKind::Capsule { start: local(1, -tip), end: local(1, tip * 0.7), radius: 0.5 };
            for other in [same, rod] {
                let pose = |p: Place| p.map_or(Pose::identity(), |id| poses[id.index()]);
                let error = touch(&at_one_place(space, ball.clone(), other), 0, &pose).unwrap_err();
                assert!(matches!(error, ContactError::NotDefined { .. }));
            }
        }
    }
}
