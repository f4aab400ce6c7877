//! Edges of the range: dead centres, singular poses, redundancy, extreme masses, nothing that moves.

use carom::dynamics::{Mechanism, assemble};
use carom::impact::{Assessment, ImpactRows, Options, routes};
use carom::maths::expression::{Operator, Step, Tape, Variable};
use carom::maths::{Mat3, Pose, Vec3};
use carom::model::parts::{ClosureKind, ClosurePart, DrivePart, PointPart};
use carom::model::{JointKind, Model, Parts, Space};
use carom_reference::random::Random;
use carom_reference::slider_crank::SliderCrank;

use crate::random_mechanism::{self, mechanism};
use crate::twin::random_row;
use crate::workshop::{
    Look, Worst, blow, body, closing, hinge, joint, load, off, place, rod, vec3, with_posture,
};

/// Closed forms without cancellation.
const EXACT: f64 = 1e-12;

/// A joint frame that slides along x of the plane.
fn along_x(at: Vec3) -> Pose {
    Pose { rotation: carom::maths::spatial::rotation_from_z(&Vec3::x()), position: at }
}

#[test]
fn a_slider_at_its_dead_centre_is_a_wall() {
    for (theta, far) in [(0.0, 3.0), (std::f64::consts::PI, 1.0)] {
        let look = Look::of_file("000/slider-crank.toml", &[("theta", theta)]);
        assert!(off(look.mass(), SliderCrank::PAPER.mass[3]) < EXACT, "only the block moves");
        assert_eq!(look.row().apparent.i, f64::INFINITY, "slider at {far}");
        assert!(look.rate().abs() < 1e-15, "the crank turns, the slider does not move");
        assert!(look.contact.energies.share < EXACT, "none of T is in the impact");
    }
    // The closer, the heavier: m_app grows as 1/θ². The sweep subtracts what the loop takes from
    // the mobility of the open chain, so that it loses 1e-16/θ²; the dense routes lose 1e-16/θ.
    for theta in [1e-2, 1e-4, 1e-6] {
        let model = load("000/slider-crank.toml", &[("theta", format!("{theta:?}"))]);
        let look = Look::at(&model, 0);
        let expected = SliderCrank::PAPER.apparent_mass(theta);
        let error = off(look.row().apparent.i, expected);
        assert!(error < 1e-15 / (theta * theta) + EXACT, "θ = {theta}: off by {error:.1e}");
        with_posture(&model, &look.assembled.state, |at| {
            let slider = at.contact_row(0, &look.row().point, &look.row().direction).side_a();
            let (matrices, A) = (at.matrices(), at.jacobian_row(&slider));
            for route in [routes::closed_dependent, routes::closed_independent] {
                let error = off(route(&matrices, &A).expect("M is regular"), expected);
                assert!(error < 1e-15 / theta + EXACT, "θ = {theta}: off by {error:.1e}");
            }
        });
    }
}

#[test]
fn a_contact_that_cannot_move_has_infinite_mass_and_no_energy() {
    // A rod on a pivot, struck along itself and at its pivot.
    for (point, normal) in [(0.7, Vec3::x()), (-0.5, Vec3::y()), (0.0, Vec3::x())] {
        let mut parts = Parts::new(Space::Planar);
        parts.bodies.push(rod("rod", 2.0, 1.0));
        let frames = (Pose::identity(), place(-0.5, 0.0, 0.0));
        parts.joints.push(hinge("pivot", (None, 0), frames, 0.8));
        parts.joints[0].velocity = Some(vec![3.0]);
        let struck = (Some(0), Vec3::x() * point);
        parts.contacts.push(blow((None, Vec3::zeros()), struck, Some(0), normal));
        let look = Look::of_parts(&parts);
        let row = look.row();
        assert_eq!((row.effective.mass, row.effective.energy), (f64::INFINITY, 0.0), "{point}");
        assert_eq!((row.others_held, row.effective.mobility), (f64::INFINITY, 0.0));
        assert!(row.terms.is_none(), "z_c and τ_c are undefined");
        assert_eq!((look.contact.energies.constrained, look.contact.rank), (0.0, 0));
        assert!(look.contact.energies.total > 0.5, "it turns all the same");
        for route in row.routes.expect("it is small").into_iter().flatten() {
            assert_eq!(route, f64::INFINITY);
        }
    }
}

#[test]
fn two_bodies_welded_together_do_not_hit_each_other() {
    let mut parts = Parts::new(Space::Spatial);
    parts.bodies.push(body("a", 1.0, Vec3::zeros(), Mat3::identity()));
    parts.bodies.push(body("b", 2.0, Vec3::x(), Mat3::identity()));
    let free = (Pose::identity(), Pose::identity());
    let q = [0.1, 0.2, 0.3, 0.5, 0.5, 0.5, 0.5];
    parts.joints.push(joint("free", JointKind::Floating, (None, 0), free, &q));
    parts.joints.push(joint(
        "weld",
        JointKind::Weld,
        (Some(0), 1),
        (place(1.0, 2.0, 3.0), place(0.0, 1.0, 0.0)),
        &[],
    ));
    let (at_a, at_b) = ((Some(0), Vec3::new(0.3, 0.1, 0.2)), (Some(1), Vec3::new(1.0, 0.4, 0.0)));
    // Along the line between the points: for other normals they are two points of one body.
    let (p_a, p_b) = (at_a.1, at_b.1 + Vec3::new(1.0, 1.0, 3.0));
    parts.contacts.push(blow(at_a, at_b, Some(0), (p_b - p_a).normalize()));
    assert_eq!(Look::of_parts(&parts).mass(), f64::INFINITY);
}

#[test]
fn a_model_of_welds_alone_has_no_velocities_and_an_immobile_contact() {
    let mut parts = Parts::new(Space::Spatial);
    parts.bodies.push(body("a", 1.0, Vec3::zeros(), Mat3::identity()));
    parts.bodies.push(body("b", 1.0, Vec3::zeros(), Mat3::identity()));
    let here = (Pose::identity(), Pose::identity());
    parts.joints.push(joint("a", JointKind::Weld, (None, 0), here, &[]));
    parts.joints.push(joint("b", JointKind::Weld, (Some(0), 1), here, &[]));
    // A closure between what cannot move is redundant in all its rows.
    parts.closures.push(closing(
        "c",
        JointKind::Revolute,
        (None, Pose::identity()),
        (Some(1), Pose::identity()),
    ));
    parts.contacts.push(blow((None, Vec3::zeros()), (Some(1), Vec3::x()), None, Vec3::y()));
    let model = Model::new(&parts).expect("it is valid");
    assert_eq!((model.nq, model.nv), (0, 0));
    let look = Look::at(&model, 0);
    assert_eq!((look.mass(), look.energy()), (f64::INFINITY, 0.0));
    assert_eq!((look.contact.energies.total, look.contact.energies.share), (0.0, 0.0));
    assert_eq!((look.report.freedom, look.report.rank, look.report.rows), (0, 0, 5));
    with_posture(&model, &look.assembled.state, |at| {
        assert_eq!(at.matrices().null_space().ncols(), 0);
    });
}

#[test]
fn a_closure_between_bodies_that_are_one_already_changes_nothing() {
    let mut parts = Parts::new(Space::Spatial);
    parts.bodies.push(body("a", 1.0, Vec3::zeros(), Mat3::identity()));
    parts.bodies.push(body("b", 2.0, Vec3::x() * 0.2, Mat3::identity() * 0.5));
    let frames = (Pose::identity(), place(0.4, 0.0, 0.0));
    parts.joints.push(hinge("turn", (None, 0), frames, 0.3));
    let weld = (place(0.0, 1.0, 0.0), place(0.5, 0.0, 0.2));
    parts.joints.push(joint("weld", JointKind::Weld, (Some(0), 1), weld, &[]));
    parts.contacts.push(blow(
        (None, Vec3::zeros()),
        (Some(1), Vec3::new(0.1, 0.7, 0.3)),
        Some(1),
        Vec3::x(),
    ));
    let alone = Look::of_parts(&parts);
    // Any frame of a, and where it lies in b.
    let in_a = place(0.7, 0.2, -0.4);
    let in_b = weld.1.then(&weld.0.inverse()).then(&in_a);
    parts.closures.push(closing("again", JointKind::Weld, (Some(0), in_a), (Some(1), in_b)));
    let again = Look::of_parts(&parts);
    assert!(off(again.mass(), alone.mass()) < EXACT);
    assert_eq!((again.report.rank, again.report.rows, again.report.freedom), (0, 6, 1));
    assert_eq!(again.report.redundant, ["again"]);
    assert_eq!(again.report.not_unique, ["joints.weld", "closures.again"]);
}

#[test]
fn a_parallelogram_folded_flat_reports_that_it_lost_rank() {
    let at = |theta: f64| {
        let mut parts = Parts::new(Space::Planar);
        for (name, length) in [("crank", 0.4), ("coupler", 1.0), ("rocker", 0.4)] {
            parts.bodies.push(rod(name, 1.0, length));
        }
        let near = |l: f64| place(-0.5 * l, 0.0, 0.0);
        let far = |l: f64| place(0.5 * l, 0.0, 0.0);
        parts.joints.push(hinge("a", (None, 0), (Pose::identity(), near(0.4)), theta));
        parts.joints.push(hinge("b", (Some(0), 1), (far(0.4), near(1.0)), -theta));
        parts.joints.push(hinge("c", (None, 2), (place(1.0, 0.0, 0.0), near(0.4)), theta));
        parts.closures.push(closing(
            "d",
            JointKind::Revolute,
            (Some(1), far(1.0)),
            (Some(2), far(0.4)),
        ));
        parts.contacts.push(blow(
            (None, Vec3::zeros()),
            (Some(1), Vec3::x() * 0.3),
            None,
            Vec3::y(),
        ));
        Look::of_parts(&parts)
    };
    let (regular, flat) = (at(0.5), at(0.0));
    assert_eq!((regular.report.rank, regular.report.freedom), (2, 1));
    assert!(regular.report.redundant.is_empty());
    // All hinges on one line: the closure's row along it is lost, and a second motion appears.
    assert_eq!((flat.report.rank, flat.report.rows, flat.report.freedom), (1, 2, 2));
    assert_eq!(flat.report.singular, ["d"]);
    assert!(flat.report.redundant.is_empty(), "the rows are independent beside this pose");
    assert!(flat.mass().is_finite() && flat.mass() > 0.0);
    // With two freedoms the contact is lighter than with the parallelogram's motion alone.
    let one_motion = carom_reference::parallelogram::effective_mass(2, 1.0, 1.0, 0.0, [0.0, 1.0]);
    assert!(flat.mass() < one_motion, "{} {one_motion}", flat.mass());
    for route in flat.row().routes.expect("it is small").into_iter().flatten() {
        assert!(off(route, flat.mass()) < 1e-10, "{route}");
    }
}

#[test]
fn reactions_that_redundancy_leaves_open_are_named_and_masses_are_not_touched() {
    let expectations = carom_reference::model_files::expectations();
    for (file, rank, rows, closures) in [
        ("three-crank-parallelogram.toml", 3, 4, ["closures.pin_2", "closures.pin_3"].as_slice()),
        ("bennett.toml", 2, 5, &["closures.hinge_4"]),
        ("bricard.toml", 4, 5, &["closures.hinge_6"]),
        ("hooke-shafts.toml", 2, 4, &["closures.output_bearing"]),
    ] {
        let look = Look::of_file(file, &[]);
        let expected = expectations.iter().find(|x| x.file == file).expect(file);
        assert_eq!(
            (look.report.rank, look.report.rows, look.report.freedom),
            (rank, rows, 1),
            "{file}"
        );
        assert!(!look.report.redundant.is_empty(), "{file}");
        for closure in closures {
            assert!(look.report.not_unique.iter().any(|x| x == closure), "{file}: {closure}");
        }
        assert!(look.report.not_unique.iter().any(|x| x.starts_with("joints.")), "{file}");
        assert!(off(look.mass(), expected.effective_mass) < EXACT, "{file}");
        assert!(off(look.contact.energies.total, expected.kinetic_energy) < EXACT, "{file}");
    }
    for file in ["four-bar.toml", "spatial-four-bar.toml", "000/slider-crank.toml"] {
        let report = Look::of_file(file, &[]).report;
        assert!(report.redundant.is_empty() && report.not_unique.is_empty(), "{file}");
    }
}

#[test]
fn mass_ratios_of_a_million_keep_their_digits() {
    let mut worst = Worst::default();
    let mut counted = 0;
    for seed in 0..200_u64 {
        let planar = seed % 2 == 0;
        let mut parts =
            random_mechanism::parts(seed, 3 + (seed % 4) as usize, (seed % 2) as usize, planar);
        for (k, body) in parts.bodies.iter_mut().enumerate() {
            let factor = [1e-3, 1e3, 1.0][(k + seed as usize) % 3];
            body.mass *= factor;
            body.inertia *= factor;
        }
        let model = Model::new(&parts).expect("it is valid");
        let Ok(assembled) = assemble(&model) else { continue };
        with_posture(&model, &assembled.state, |at| {
            let row = random_row(&mut random_mechanism::Random(seed), at);
            let now = at.effective_mass(&row);
            let free = row.free_mobility(&model, at.frames());
            let condition = at.matrices().condition().unwrap_or(f64::INFINITY);
            if now.mobility < 1e-3 * free || condition > 1e6 {
                return;
            }
            counted += 1;
            let dense = routes::closed_dependent(&at.matrices(), &at.jacobian_row(&row));
            let dense = dense.expect("M is positive definite");
            // The dense route loses what the condition of M takes.
            let principal = at.mass_matrix().symmetric_eigenvalues();
            let tolerance = 1e-10_f64.max(1e-16 * principal.max() / principal.min());
            worst.check(off(now.mass, dense), tolerance, || format!("seed {seed}"));
        });
    }
    assert!(counted > 50, "only {counted} counted");
    worst.show("mass ratios");
}

#[test]
fn a_light_link_between_heavy_ones_follows_its_closed_form() {
    // A double pendulum of rods, the outer one a million times lighter, and the other way round.
    use carom_reference::physical_double_pendulum::{Link, effective_mass};
    for (m1, m2) in [(1e3, 1e-3), (1e-3, 1e3)] {
        let (first, second) = (Link::rod(m1, 1.0), Link::rod(m2, 0.7));
        let theta = [0.3, 1.4];
        let mut parts = Parts::new(Space::Planar);
        parts.bodies.push(rod("first", m1, 1.0));
        parts.bodies.push(rod("second", m2, 0.7));
        parts.joints.push(hinge(
            "a",
            (None, 0),
            (Pose::identity(), place(-0.5, 0.0, 0.0)),
            theta[0],
        ));
        let frames = (place(0.5, 0.0, 0.0), place(-0.35, 0.0, 0.0));
        parts.joints.push(hinge("b", (Some(0), 1), frames, theta[1] - theta[0]));
        let struck = (Some(1), Vec3::x() * 0.35);
        parts.contacts.push(blow((None, Vec3::zeros()), struck, None, Vec3::y()));
        let expected = effective_mass(&first, &second, theta, [0.0, 1.0]);
        assert!(off(Look::of_parts(&parts).mass(), expected) < EXACT, "{m1}, {m2}");
    }
}

#[test]
fn a_mechanism_ten_kilometres_from_the_origin_keeps_nine_digits() {
    // World coordinates carry 1e-12 m of round-off there; arms are a metre long.
    const FAR: f64 = 1e4;
    let mut worst = Worst::default();
    let mut counted = 0;
    for seed in 0..200_u64 {
        let planar = seed % 2 == 0;
        let near = crate::gradient::with_contact(seed, 2 + (seed % 4) as usize, 0, planar);
        let mut far = near.clone();
        let shift = Vec3::new(FAR, -0.7 * FAR, if planar { 0.0 } else { 0.4 * FAR });
        for joint in far.joints.iter_mut().filter(|j| j.parent.is_none()) {
            joint.in_parent.position += shift;
        }
        for shape in far.shapes.iter_mut().filter(|s| s.body.is_none()) {
            if let carom::model::ShapeKind::Sphere { center, .. } = &mut shape.kind {
                *center += shift;
            }
        }
        for contact in &mut far.contacts {
            if let carom::model::parts::ContactPlace::Points { a, b, .. } = &mut contact.place {
                for side in [a, b] {
                    if side.body.is_none() {
                        side.at += shift;
                    }
                }
            }
        }
        let (near, far) = (Look::of_parts(&near), Look::of_parts(&far));
        if near.mass() > 1e3 {
            continue; // nearly immobile: there the shift's round-off counts by right
        }
        counted += 1;
        worst.check(off(far.mass(), near.mass()), 1e-9, || format!("seed {seed}"));
        worst.check((far.rate() - near.rate()).abs(), 1e-9, || format!("seed {seed}, u"));
    }
    assert!(counted > 100, "only {counted} counted");
    worst.show("far from the origin");
}

#[test]
fn closed_loops_assemble_far_from_the_origin() {
    // The four-bar of the repository, all of it moved.
    let here = Look::of_file("four-bar.toml", &[]);
    let sets = [
        ("joints.crank_pivot.at", "[[10000, 5000], [\"-crank_length/2\", 0]]"),
        (
            "joints.rocker_pivot.at",
            "[[\"10000 + ground_length\", 5000], [\"-rocker_length/2\", 0]]",
        ),
        ("ground.contact.plate.at", "[\"10000 + strike_x\", \"5000 + strike_y\"]"),
    ];
    let sets: Vec<(&str, String)> = sets.map(|(key, text)| (key, text.to_owned())).to_vec();
    let far = Look::at(&load("four-bar.toml", &sets), 0);
    assert!(off(far.mass(), here.mass()) < 1e-9, "{} {}", far.mass(), here.mass());
    assert!(off(far.rate(), here.rate()) < 1e-9);
}

/// A double pendulum of rods that turns; `hold` decides what happens to the elbow.
fn held_elbow(hold: impl FnOnce(&mut Parts)) -> Parts {
    let mut parts = Parts::new(Space::Planar);
    parts.bodies.push(rod("first", 1.3, 1.0));
    parts.bodies.push(rod("second", 0.8, 0.7));
    parts.joints.push(hinge("a", (None, 0), (Pose::identity(), place(-0.5, 0.0, 0.0)), 0.4));
    parts.joints[0].velocity = Some(vec![2.0]);
    let frames = (place(0.5, 0.0, 0.0), place(-0.35, 0.0, 0.0));
    parts.joints.push(hinge("b", (Some(0), 1), frames, 0.9));
    let struck = (Some(1), Vec3::x() * 0.35);
    parts.contacts.push(blow((None, Vec3::zeros()), struck, None, Vec3::x()));
    hold(&mut parts);
    parts
}

/// q(t) = start + rate · t.
fn ramp(start: f64, rate: f64) -> Tape {
    Tape::new(vec![
        Step::Number(start),
        Step::Number(rate),
        Step::Variable(Variable::Time),
        Step::Operator(Operator::Multiply),
        Step::Operator(Operator::Add),
    ])
    .expect("one value")
}

fn drive(parts: &mut Parts, start: f64, rate: f64) {
    parts.joints[1].position = None;
    let motion = ramp(start, rate);
    parts.drives.push(DrivePart { name: "motor".to_owned(), joint: 1, coordinate: 0, motion });
}

#[test]
fn a_driven_joint_weighs_as_much_as_a_locked_one_and_a_weld() {
    let locked = Look::of_parts(&held_elbow(|p| p.joints[1].locked = true));
    let driven = Look::of_parts(&held_elbow(|p| drive(p, 0.9, 0.0)));
    let moving = Look::of_parts(&held_elbow(|p| drive(p, 0.9, 3.0)));
    let welded = Look::of_parts(&held_elbow(|p| {
        let elbow = &mut p.joints[1];
        elbow.kind = JointKind::Weld;
        elbow.in_parent.rotation = carom::maths::spatial::rotation_by(&(Vec3::z() * 0.9));
        elbow.position = None;
    }));
    // Both rods turn about the pivot: m_eff = J/(n · (z × r))².
    let (end, tip) = (0.4_f64, 1.3_f64);
    let centre = [end.cos() + 0.35 * tip.cos(), end.sin() + 0.35 * tip.sin()];
    let J = 1.3 / 3.0 + 0.8 * (0.49 / 12.0 + centre[0].powi(2) + centre[1].powi(2));
    let lever = -end.sin() - 0.7 * tip.sin();
    let expected = J / (lever * lever);
    for (name, look) in
        [("locked", &locked), ("driven", &driven), ("moving", &moving), ("welded", &welded)]
    {
        assert!(off(look.mass(), expected) < EXACT, "{name}: {} {expected}", look.mass());
    }
    // And the free elbow compared with locked on request.
    let free = Model::new(&held_elbow(|_| {})).expect("it is valid");
    let state = assemble(&free).expect("a tree").state;
    let row = with_posture(&free, &state, |at| {
        let point = at.touch(0).expect("given").points()[0];
        at.contact_row(0, &point, &point.normal)
    });
    let mut mechanism = Mechanism::with_locked(&free, &[1]).expect("it has this joint");
    let at = mechanism.at(&state).expect("finite");
    assert!(off(at.effective_mass(&row).mass, expected) < EXACT);
    let mass = with_posture(&free, &state, |at| at.effective_mass(&row).mass);
    assert!(mass < 0.9 * expected, "a free elbow gives way: {mass} {expected}");
    // A moving drive: u holds the drive's part, T_c = ½ m_eff u² with that u, and T is marked.
    let u = 2.0 * lever - 3.0 * 0.7 * tip.sin();
    assert!(off(moving.rate(), u) < EXACT, "{} {u}", moving.rate());
    assert!(off(moving.energy(), 0.5 * expected * u * u) < EXACT);
    assert!(moving.contact.energies.driven && !driven.contact.energies.driven);
}

#[test]
fn point_masses_on_massless_links_are_bodies() {
    // In joint coordinates M is regular; in body coordinates a point has no rotational inertia.
    let look = Look::of_file("002/double-pendulum.toml", &[]);
    let routes = look.row().routes.expect("it is small");
    for (k, route) in routes.iter().enumerate() {
        match route {
            Some(mass) => assert!(off(*mass, look.mass()) < 1e-11, "route {k}: {mass}"),
            None => assert_eq!(k, 5, "eq. 31 needs an inverse of M in body coordinates"),
        }
    }
    // A free point mass in space feels its mass in every direction.
    let mut random = Random::new(1);
    for _ in 0..10 {
        let mut parts = Parts::new(Space::Spatial);
        parts.bodies.push(body("point", 1.7, Vec3::zeros(), Mat3::zeros()));
        // A chain of three slides, since a free rotation of a point has no inertia.
        parts.bodies.push(body("x", 1e-9, Vec3::zeros(), Mat3::zeros()));
        parts.bodies.push(body("y", 1e-9, Vec3::zeros(), Mat3::zeros()));
        let along = |axis: Vec3| Pose {
            rotation: carom::maths::spatial::rotation_from_z(&axis),
            position: Vec3::zeros(),
        };
        let slide = |name: &str, bodies, axis: Vec3| {
            joint(name, JointKind::Prismatic, bodies, (along(axis), along(axis)), &[0.3])
        };
        parts.joints.push(slide("x", (None, 1), Vec3::x()));
        parts.joints.push(slide("y", (Some(1), 2), Vec3::y()));
        parts.joints.push(slide("z", (Some(2), 0), Vec3::z()));
        let n = vec3(random.unit_vector());
        parts.contacts.push(blow((None, Vec3::zeros()), (Some(0), Vec3::zeros()), None, n));
        // The carriers add 1e-9 kg.
        assert!(off(Look::of_parts(&parts).mass(), 1.7) < 2e-9);
    }
}

/// A body on a joint to ground, hit at a point of it along `n`.
fn hit(kind: JointKind, inertia: Mat3, position: &[f64], at: Vec3, n: Vec3) -> Parts {
    let mut parts = Parts::new(Space::Spatial);
    parts.bodies.push(body("body", 1.5, Vec3::zeros(), inertia));
    let frames = (Pose::identity(), Pose::identity());
    parts.joints.push(joint("free", kind, (None, 0), frames, position));
    parts.contacts.push(blow((None, Vec3::zeros()), (Some(0), at), None, n));
    parts
}

#[test]
fn a_slender_rod_or_a_point_floats_free_in_space_however_it_is_turned() {
    let mut random = Random::new(77);
    let (m, L) = (1.5, 0.8);
    let J = m * L * L / 12.0;
    let mut held = 0;
    for _ in 0..200 {
        let q = random.quaternion();
        let (x, n) = (random.vector(2.0), vec3(random.unit_vector()));
        let position = [x[0], x[1], x[2], q[0], q[1], q[2], q[3]];
        let s = random.within(-0.5, 0.5) * L;
        let rod = Mat3::from_diagonal(&Vec3::new(0.0, J, J));
        let parts = hit(JointKind::Floating, rod, &position, Vec3::x() * s, n);
        let look = Look::of_parts(&parts);
        let axis = carom::model::joint::quaternion_rotation(&q) * Vec3::x();
        // 1/m_eff = 1/m + s² |a × n|² / J
        let W = 1.0 / m + s * s * axis.cross(&n).norm_squared() / J;
        assert!(off(look.mass(), 1.0 / W) < 1e-10, "{} against {}", look.mass(), 1.0 / W);
        held += look.report.inert.len();
        let point = hit(JointKind::Floating, Mat3::zeros(), &position, Vec3::zeros(), n);
        assert!(off(Look::of_parts(&point).mass(), m) < EXACT);
    }
    // The rod's spin is told from round-off unless its line lies within a thousandth of a plane in
    // which the joint's axes leave nothing to choose.
    assert!(held >= 190, "only {held} of 200 spins were held");
}

#[test]
fn a_joint_s_point_may_lie_anywhere_along_its_axis() {
    // A small wheel a kilometre along its axle: its inertia is 1e-12 of that about the joint's point.
    let J = 1e-6;
    for far in [0.0, 1.0, 1e3] {
        let mut parts = Parts::new(Space::Spatial);
        parts.bodies.push(body("wheel", 1.0, Vec3::z() * far, Mat3::from_diagonal_element(J)));
        let frames = (Pose::identity(), Pose::identity());
        parts.joints.push(joint("axle", JointKind::Revolute, (None, 0), frames, &[0.4]));
        let (rim, n) = (Vec3::new(0.002, 0.0, far), Vec3::new(-0.4_f64.sin(), 0.4_f64.cos(), 0.0));
        parts.contacts.push(blow((None, Vec3::zeros()), (Some(0), rim), None, n));
        let look = Look::of_parts(&parts);
        assert!(look.report.inert.is_empty(), "{far} m: {:?}", look.report.inert);
        // m_eff = J / r²; the inertia is kept as a difference of m far², which costs its digits.
        assert!(off(look.mass(), J / 4e-6) < 1e-13 + 1e-15 * far * far / J);
    }
}

#[test]
fn a_blow_that_only_turns_what_has_no_inertia_is_refused_by_name() {
    let aside = Vec3::new(0.0, 0.1, 0.0);
    let parts = hit(JointKind::Spherical, Mat3::zeros(), &[1.0, 0.0, 0.0, 0.0], aside, Vec3::z());
    let model = Model::new(&parts).expect("the parts are valid");
    let state = carom::kinematics::State::as_written(&model);
    let mut mechanism = Mechanism::new(&model);
    let at = mechanism.at(&state).expect("it is held");
    let error = Assessment::new(&at, 0, &Options::default()).expect_err("no inertia").to_string();
    assert!(error.contains("joints.free"), "{error}");
}

#[test]
fn geared_discs_feel_each_others_inertia_through_the_ratio() {
    let mut random = Random::new(2);
    for _ in 0..50 {
        let (J1, J2, rotor) =
            (random.within(0.01, 2.0), random.within(0.01, 2.0), random.within(0.0, 0.1));
        let (ratio, arm) = (random.within(0.2, 5.0), random.within(0.1, 1.0));
        let mut parts = Parts::new(Space::Planar);
        for (k, J) in [J1, J2].into_iter().enumerate() {
            parts.bodies.push(body(
                &format!("disc{k}"),
                1.0,
                Vec3::zeros(),
                Mat3::from_diagonal_element(J),
            ));
            let frames = (place(k as f64, 0.0, 0.0), Pose::identity());
            parts.joints.push(hinge(&format!("axle{k}"), (None, k), frames, 0.0));
        }
        parts.joints[1].rotor = vec![rotor];
        // θ₁ + ratio · θ₂ = 0: disc 2 turns backwards, 1/ratio as fast.
        let kind = ClosureKind::Coupling { terms: vec![(0, 0, 1.0), (1, 0, ratio)], offset: 0.0 };
        parts.closures.push(ClosurePart { name: "gear".to_owned(), kind });
        parts.contacts.push(blow(
            (None, Vec3::zeros()),
            (Some(0), Vec3::x() * arm),
            None,
            Vec3::y(),
        ));
        let look = Look::of_parts(&parts);
        let expected = (J1 + (J2 + rotor) / (ratio * ratio)) / (arm * arm);
        assert!(off(look.mass(), expected) < EXACT, "{} {expected}", look.mass());
        assert_eq!(look.report.freedom, 1);
    }
}

#[test]
fn a_rack_and_pinion_couples_a_slide_with_a_turn() {
    let (m, J, r) = (2.0, 0.3, 0.2);
    let mut parts = Parts::new(Space::Planar);
    parts.bodies.push(body("rack", m, Vec3::zeros(), Mat3::identity()));
    parts.bodies.push(body("pinion", 1.0, Vec3::zeros(), Mat3::from_diagonal_element(J)));
    let slide = (along_x(Vec3::zeros()), along_x(Vec3::zeros()));
    parts.joints.push(joint("slide", JointKind::Prismatic, (None, 0), slide, &[0.0]));
    parts.joints.push(hinge("axle", (None, 1), (place(0.0, r, 0.0), Pose::identity()), 0.0));
    let kind = ClosureKind::Coupling { terms: vec![(0, 0, 1.0), (1, 0, -r)], offset: 0.0 };
    parts.closures.push(ClosurePart { name: "teeth".to_owned(), kind });
    parts.contacts.push(blow((None, Vec3::zeros()), (Some(0), Vec3::zeros()), None, Vec3::x()));
    assert!(off(Look::of_parts(&parts).mass(), m + J / (r * r)) < EXACT);
}

#[test]
fn a_closure_may_name_a_sliding_body_first_or_second() {
    // The plane of a closure is that of the model, not of the slide's own frame.
    let look = Look::of_file("000/slider-crank.toml", &[]);
    let sets = [
        ("closures.wrist.connects", "[\"slider\", \"rod\"]".to_owned()),
        ("closures.wrist.at", "[[0, 0], [\"rod_length/2\", 0]]".to_owned()),
    ];
    let swapped = Look::at(&load("000/slider-crank.toml", &sets), 0);
    assert_eq!((swapped.report.rank, swapped.report.freedom), (2, 2));
    assert!(off(swapped.mass(), look.mass()) < EXACT, "{} {}", swapped.mass(), look.mass());
    // A point of the ground's bar on a line that slides: one row, whatever carries the line.
    let mut parts = Parts::new(Space::Planar);
    parts.bodies.push(body("slider", 2.0, Vec3::zeros(), Mat3::identity()));
    parts.bodies.push(rod("crank", 3.0, 1.0));
    let slide = (along_x(Vec3::zeros()), along_x(Vec3::zeros()));
    parts.joints.push(joint("slide", JointKind::Prismatic, (None, 0), slide, &[0.5_f64.cos()]));
    parts.joints.push(hinge("pivot", (None, 1), (Pose::identity(), place(-0.5, 0.0, 0.0)), 0.5));
    let line = PointPart { body: Some(0), at: Vec3::zeros() };
    let point = PointPart { body: Some(1), at: Vec3::x() * 0.5 };
    // A Scotch yoke: the pin runs in a slot across the slide.
    let kind = ClosureKind::PointOnLine { line, direction: Vec3::y(), point };
    parts.closures.push(ClosurePart { name: "slot".to_owned(), kind });
    parts.contacts.push(blow((None, Vec3::zeros()), (Some(0), Vec3::zeros()), None, Vec3::x()));
    // x = cos θ: m_eff = m + J/sin²θ with J = 3 · 1²/3.
    let expected = 2.0 + 1.0 / 0.5_f64.sin().powi(2);
    let yoke = Look::of_parts(&parts);
    assert!(off(yoke.mass(), expected) < EXACT, "{} {expected}", yoke.mass());
    assert_eq!(yoke.report.freedom, 1);
}

#[test]
fn rows_that_hang_together_have_the_rank_they_have() {
    let (model, state) = mechanism(3, 4, 0, false);
    with_posture(&model, &state, |at| {
        let row = random_row(&mut random_mechanism::Random(9), at);
        let twice = ImpactRows::new(at, &[row, row]);
        assert_eq!(twice.rank(), 1);
        assert_eq!(twice.others_held(0, &[0, 1]), f64::INFINITY, "its twin holds it");
        let alone = at.effective_mass(&row);
        assert!(off(twice.energy(), alone.energy) < EXACT, "T_c counts once");
    });
}
