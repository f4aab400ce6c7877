//! Closed forms with random parameters, against machines built part by part.

use carom::maths::{Mat3, Pose, Vec3};
use carom::model::parts::{ClosureKind, ClosurePart};
use carom::model::{JointKind, Parts, Space};
use carom_reference::bennett::Bennett;
use carom_reference::bricard::Bricard;
use carom_reference::four_bar::FourBar;
use carom_reference::loop_of_rods::LoopOfRods;
use carom_reference::physical_double_pendulum::{self as pendulum, Link};
use carom_reference::random::Random;
use carom_reference::serial_arm::{self, SerialArm};
use carom_reference::space::{IDENTITY, Vector, about_x, about_z, cross, dot, norm, scale, sub};
use carom_reference::spatial_four_bar::SpatialFourBar;
use carom_reference::two_ends_of_one_chain::Chain;
use carom_reference::{free_body, hooke_joint, parallelogram, pivoted_body};

use crate::workshop::{
    Look, Worst, blow, body, closing, hinge, joint, mat3, off, place, pose, rod, vec3,
};

/// Open trees: round-off, amplified where the normal is nearly blocked (the samples keep away from
/// closer than a tenth).
const OPEN: f64 = 1e-11;
/// Closed loops, where the null space of D loses further digits near singular poses.
const LOOP: f64 = 1e-11;

/// A random frame.
fn frame(random: &mut Random) -> Pose {
    pose(&random.rotation(), random.vector(1.0))
}

/// A body with random mass centre and inertia about it; the arrays are those of the reference.
fn random_body(random: &mut Random) -> (carom::model::parts::BodyPart, f64, Vector, [[f64; 3]; 3]) {
    let m = random.within(0.2, 5.0);
    let (c, J) = (random.vector(0.4), random.inertia(m, 0.5));
    (body("body", m, vec3(c), mat3(&J)), m, c, J)
}

#[test]
fn a_free_body_hit_off_centre_follows_impulse_and_momentum() {
    let mut random = Random::new(1);
    let mut worst = Worst::default();
    for _ in 0..100 {
        let (part, m, c, J) = random_body(&mut random);
        let (p, n) = (random.vector(0.6), random.unit_vector());
        let mut parts = Parts::new(Space::Spatial);
        parts.bodies.push(part);
        let at = [random.vector(2.0).as_slice(), random.quaternion().as_slice()].concat();
        let frames = (frame(&mut random), frame(&mut random));
        parts.joints.push(joint("free", JointKind::Floating, (None, 0), frames, &at));
        // The normal is fixed in the body: the answer cannot depend on where the body is.
        parts.contacts.push(blow((None, Vec3::zeros()), (Some(0), vec3(p)), Some(0), vec3(n)));
        let expected = free_body::effective_mass(m, &J, sub(p, c), n);
        worst.check(off(Look::of_parts(&parts).mass(), expected), OPEN, || format!("{p:?}"));
    }
    worst.show("free body");
}

#[test]
fn a_pivoted_body_feels_its_inertia_about_the_axis_or_the_point() {
    let mut random = Random::new(2);
    let mut worst = Worst::default();
    let mut counted = 0;
    for _ in 0..100 {
        let (part, m, c, J) = random_body(&mut random);
        let (p, n) = (random.vector(0.6), random.unit_vector());
        let (R, O) = (random.rotation(), random.vector(0.5));
        let J_O = pivoted_body::inertia_about(m, &J, sub(c, O));
        let r = sub(p, O);
        let axis = [R[0][2], R[1][2], R[2][2]];
        if dot(axis, cross(r, n)).abs() < 0.1 * norm(r) {
            continue; // nearly blocked
        }
        counted += 1;
        for kind in [JointKind::Revolute, JointKind::Spherical] {
            let q = random.quaternion();
            let q = if kind == JointKind::Revolute { &q[..1] } else { &q[..] };
            let mut parts = Parts::new(Space::Spatial);
            parts.bodies.push(part.clone());
            let frames = (frame(&mut random), pose(&R, O));
            parts.joints.push(joint("pivot", kind, (None, 0), frames, q));
            parts.contacts.push(blow((Some(0), vec3(p)), (None, Vec3::zeros()), Some(0), vec3(n)));
            let expected = if kind == JointKind::Revolute {
                pivoted_body::about_axis(&J_O, axis, r, n)
            } else {
                pivoted_body::about_point(&J_O, r, n)
            };
            worst.check(off(Look::of_parts(&parts).mass(), expected), OPEN, || format!("{kind:?}"));
        }
    }
    assert!(counted > 50);
    worst.show("pivoted body");
}

/// Two planar links with any mass distribution; the first hangs on the ground.
fn two_links(first: &Link, second: &Link, theta: [f64; 2]) -> Parts {
    let mut parts = Parts::new(Space::Planar);
    for (name, link) in [("first", first), ("second", second)] {
        let inertia = Mat3::from_diagonal_element(link.inertia);
        parts.bodies.push(body(name, link.mass, Vec3::x() * link.center, inertia));
    }
    parts.joints.push(hinge("a", (None, 0), (Pose::identity(), Pose::identity()), theta[0]));
    let frames = (place(first.length, 0.0, 0.0), Pose::identity());
    parts.joints.push(hinge("b", (Some(0), 1), frames, theta[1] - theta[0]));
    parts
}

#[test]
fn a_physical_double_pendulum_follows_its_two_by_two_matrix() {
    let mut random = Random::new(3);
    let mut worst = Worst::default();
    for _ in 0..200 {
        let [first, second] = std::array::from_fn(|_| Link {
            mass: random.within(0.2, 4.0),
            length: random.within(0.2, 2.0),
            center: random.within(-0.5, 1.5),
            inertia: random.within(0.01, 0.5),
        });
        let theta = [random.within(-3.0, 3.0), random.within(-3.0, 3.0)];
        let angle = random.within(-3.0, 3.0);
        let along = random.within(0.2, 1.5);
        let n = [angle.cos(), angle.sin()];
        let mut parts = two_links(&first, &second, theta);
        let point = (Some(1), Vec3::x() * along);
        parts.contacts.push(blow((None, Vec3::zeros()), point, None, Vec3::new(n[0], n[1], 0.0)));
        let expected = pendulum::effective_mass_at(&first, &second, along, theta, n);
        // A 2 × 2 inverse loses digits where M is nearly singular.
        let M = pendulum::mass_matrix(&first, &second, theta);
        let det = (M[0][0] * M[1][1] - M[0][1] * M[0][1]) / (M[0][0] * M[1][1]);
        let tolerance = OPEN.max(1e-14 / det);
        worst.check(off(Look::of_parts(&parts).mass(), expected), tolerance, || {
            format!("{theta:?}")
        });
    }
    worst.show("physical double pendulum");
}

#[test]
fn a_coupler_point_of_a_four_bar_feels_the_inertia_reduced_to_the_crank() {
    let mut random = Random::new(4);
    let mut worst = Worst::default();
    let mut counted = 0;
    for k in 0..200 {
        let linkage = FourBar {
            ground: 1.0,
            length: [random.within(0.2, 0.6), random.within(0.7, 1.4), random.within(0.5, 1.2)],
            mass: std::array::from_fn(|_| random.within(0.2, 3.0)),
        };
        let (crank, angle) = (random.within(-3.1, 3.1), random.within(-3.1, 3.1));
        let point = [random.within(-0.5, 1.5), random.within(-0.7, 0.7)];
        let n = [angle.cos(), angle.sin()];
        let Some(at) = linkage.pose(crank, k % 2 == 0) else { continue };
        let v = linkage.coupler_velocity(&at, point);
        // Away from the dead centres and from blocked normals, where digits are lost.
        if (at.coupler - at.rocker).sin().abs() < 0.2
            || (v[0] * n[0] + v[1] * n[1]).abs() < 0.1 * v[0].hypot(v[1])
        {
            continue;
        }
        counted += 1;
        let [a, b, c] = linkage.length;
        let mut parts = Parts::new(Space::Planar);
        for (name, mass, length) in [
            ("crank", linkage.mass[0], a),
            ("coupler", linkage.mass[1], b),
            ("rocker", linkage.mass[2], c),
        ] {
            parts.bodies.push(rod(name, mass, length));
        }
        let (near, far) = (|l: f64| place(-0.5 * l, 0.0, 0.0), |l: f64| place(0.5 * l, 0.0, 0.0));
        parts.joints.push(hinge("a", (None, 0), (Pose::identity(), near(a)), at.crank));
        parts.joints.push(hinge("b", (Some(0), 1), (far(a), near(b)), at.coupler - at.crank));
        parts.joints.push(hinge("c", (None, 2), (place(1.0, 0.0, 0.0), near(c)), at.rocker));
        parts.closures.push(closing(
            "d",
            JointKind::Revolute,
            (Some(1), far(b)),
            (Some(2), far(c)),
        ));
        let struck = (Some(1), Vec3::new(point[0] - 0.5 * b, point[1], 0.0));
        parts.contacts.push(blow((None, Vec3::zeros()), struck, None, Vec3::new(n[0], n[1], 0.0)));
        let look = Look::of_parts(&parts);
        let expected = linkage.effective_mass(&at, point, n);
        worst.check(off(look.mass(), expected), LOOP, || format!("{linkage:?} at {crank}"));
        assert_eq!((look.report.freedom, look.report.rank, look.report.rows), (1, 2, 2));
        assert!(look.assembled.moved.is_empty(), "the closed form's pose closes");
    }
    assert!(counted > 80, "only {counted} counted");
    worst.show("four-bar");
}

/// A coupler on parallel cranks, one unit apart.
fn cranks(count: usize, crank: (f64, f64), coupler_mass: f64, theta: f64) -> Parts {
    let (crank_mass, length) = crank;
    let mut parts = Parts::new(Space::Planar);
    parts.bodies.push(rod("coupler", coupler_mass, count as f64));
    for k in 0..count {
        parts.bodies.push(rod(&format!("crank{k}"), crank_mass, length));
        let frames = (place(k as f64, 0.0, 0.0), place(-0.5 * length, 0.0, 0.0));
        parts.joints.push(hinge(&format!("pivot{k}"), (None, k + 1), frames, theta));
        let on_crank = place(0.5 * length, 0.0, 0.0);
        let on_coupler = place(k as f64, 0.0, 0.0);
        if k == 0 {
            parts.joints.push(hinge("pin0", (Some(1), 0), (on_crank, on_coupler), -theta));
        } else {
            let name = format!("pin{k}");
            let ends = ((Some(k + 1), on_crank), (Some(0), on_coupler));
            parts.closures.push(closing(&name, JointKind::Revolute, ends.0, ends.1));
        }
    }
    parts
}

#[test]
fn further_cranks_of_a_parallelogram_add_inertia_and_no_constraint() {
    let mut random = Random::new(5);
    let mut worst = Worst::default();
    for count in 2..=6_u32 {
        for _ in 0..10 {
            let (m, length, M) =
                (random.within(0.2, 2.0), random.within(0.2, 1.5), random.within(0.5, 4.0));
            let (theta, angle) = (random.within(0.4, 2.7), random.within(-0.8, 0.8));
            // Within 0.8 rad of the coupler's velocity.
            let n = [-(theta + angle).sin(), (theta + angle).cos()];
            let mut parts = cranks(count as usize, (m, length), M, theta);
            let struck = (Some(0), Vec3::new(0.3, 0.1, 0.0));
            let normal = Vec3::new(n[0], n[1], 0.0);
            parts.contacts.push(blow((None, Vec3::zeros()), struck, None, normal));
            let look = Look::of_parts(&parts);
            let expected = parallelogram::effective_mass(count, m, M, theta, n);
            worst.check(off(look.mass(), expected), LOOP, || format!("{count} cranks, {theta}"));
            let rows = 2 * (count as usize - 1);
            assert_eq!(look.report.rows, rows);
            assert_eq!(look.report.rank, count as usize, "every crank beyond two repeats a row");
            assert_eq!(look.report.freedom, 1);
        }
    }
    worst.show("parallelogram");
}

#[test]
fn shafts_of_a_hooke_joint_carry_their_inertias_through_the_speed_ratio() {
    let mut random = Random::new(6);
    let mut worst = Worst::default();
    // The cross turns about the input's x, then about the output's y.
    let cross_axes = Mat3::new(0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0);
    for _ in 0..100 {
        let (beta, theta) = (random.within(0.1, 1.1), random.within(-3.1, 3.1));
        let inertia = [random.within(0.01, 0.2), random.within(0.01, 0.2)];
        let (lever, bearing) = (random.within(0.1, 0.5), random.within(0.2, 1.0));
        let mut parts = Parts::new(Space::Spatial);
        for (name, J) in [("input", inertia[0]), ("output", inertia[1])] {
            let across = random.within(0.5, 1.5) * J;
            let J = Mat3::from_diagonal(&Vec3::new(across, across, J));
            parts.bodies.push(body(name, random.within(0.5, 4.0), Vec3::zeros(), J));
        }
        parts.joints.push(hinge("in", (None, 0), (Pose::identity(), Pose::identity()), theta));
        let axes = Pose { rotation: cross_axes, position: Vec3::zeros() };
        let angles = hooke_joint::cross_angles(beta, theta);
        parts.joints.push(joint(
            "cross",
            JointKind::Universal,
            (Some(0), 1),
            (axes, axes),
            &angles,
        ));
        let s = hooke_joint::output_axis(beta);
        let bearing_frame = pose(&carom_reference::space::about_y(beta), scale(bearing, s));
        let on_output = place(0.0, 0.0, bearing);
        parts.closures.push(closing(
            "bearing",
            JointKind::Cylindrical,
            (None, bearing_frame),
            (Some(1), on_output),
        ));
        let struck = (Some(1), Vec3::new(0.0, lever, bearing));
        parts.contacts.push(blow((None, Vec3::zeros()), struck, Some(1), -Vec3::x()));
        let look = Look::of_parts(&parts);
        let expected = hooke_joint::effective_mass(inertia, beta, theta, lever);
        worst.check(off(look.mass(), expected), LOOP, || format!("β {beta}, θ {theta}"));
        assert_eq!((look.report.rows, look.report.rank, look.report.freedom), (4, 2, 1));
    }
    worst.show("Hooke's joint");
}

/// A closed loop of slender rods at given angles, with a contact in the middle of its second link.
fn loop_of_rods<const N: usize>(rods: &LoopOfRods<N>, theta: &[f64; N], n: Vector) -> Parts {
    let mut parts = Parts::new(Space::Spatial);
    for (k, angle) in theta.iter().enumerate().take(N - 1) {
        parts.bodies.push(rod(&format!("link{k}"), rods.mass[k], rods.length[k]));
        let before = k.checked_sub(1);
        let in_parent = before.map_or_else(Pose::identity, |j| {
            pose(&about_x(rods.twist[j]), [0.5 * rods.length[j], 0.0, 0.0])
        });
        let frames = (in_parent, place(-0.5 * rods.length[k], 0.0, 0.0));
        parts.joints.push(hinge(&format!("hinge{k}"), (before, k), frames, *angle));
    }
    // Link N, the ground, ends at the world's origin.
    let (last, ground) = (N - 2, N - 1);
    let moving = pose(&about_x(rods.twist[last]), [0.5 * rods.length[last], 0.0, 0.0]);
    let fixed = pose(&about_x(-rods.twist[ground]), [-rods.length[ground], 0.0, 0.0]);
    let (a, b) = ((Some(last), moving), (None, fixed));
    parts.closures.push(closing("closing", JointKind::Revolute, a, b));
    parts.contacts.push(blow((None, Vec3::zeros()), (Some(1), Vec3::zeros()), None, vec3(n)));
    parts
}

/// Whether a point of link 2 moves enough along n to be weighed.
fn moves<const N: usize>(
    rods: &LoopOfRods<N>,
    theta: &[f64; N],
    rate: &[f64; N],
    n: Vector,
) -> bool {
    let v = rods.ends(theta, rate)[1].velocity_at(0.5);
    dot(n, v).abs() > 0.2 * norm(v) && norm(v) > 0.05
}

#[test]
fn bennett_linkages_move_with_three_redundant_rows() {
    let mut random = Random::new(7);
    let mut worst = Worst::default();
    let mut counted = 0;
    for _ in 0..120 {
        let (a, alpha) = (random.within(0.3, 0.8), random.within(0.4, 1.2));
        let b = random.within(0.3, 0.8);
        let mass = std::array::from_fn(|_| random.within(0.3, 2.0));
        let (theta, n) = (random.within(0.6, 2.5), random.unit_vector());
        let Some(bennett) = Bennett::new(a, alpha, b, mass) else { continue };
        // Equal twists make the linkage an (unclosed by this formula) rhombus.
        if (bennett.beta - bennett.alpha).abs() < 0.15 || bennett.beta > 1.35 {
            continue;
        }
        let (angles, rates) = (bennett.angles(theta), bennett.rates(theta));
        if !moves(&bennett.rods, &angles, &rates, n) {
            continue;
        }
        counted += 1;
        let look = Look::of_parts(&loop_of_rods(&bennett.rods, &angles, n));
        let expected = bennett.effective_mass(theta, (1, 0.5), n);
        worst.check(off(look.mass(), expected), LOOP, || format!("{bennett:?} at {theta}"));
        assert_eq!((look.report.rows, look.report.rank, look.report.freedom), (5, 2, 1));
        assert_eq!(look.report.redundant, ["closing"]);
        let not_unique = &look.report.not_unique;
        assert_eq!(not_unique.len(), 4, "every hinge can be strained: {not_unique:?}");
    }
    assert!(counted > 30, "only {counted} counted");
    worst.show("Bennett");
}

#[test]
fn bricard_rings_move_with_one_redundant_row() {
    let mut random = Random::new(8);
    let mut worst = Worst::default();
    let mut counted = 0;
    for k in 0..120 {
        let bricard =
            Bricard::new(random.within(0.2, 0.7), random.within(0.7, 1.5), random.within(0.2, 2.0));
        let (theta, n) = (random.within(0.5, 2.2), random.unit_vector());
        let Some(angles) = bricard.angles(theta, k % 2 == 0) else { continue };
        let ratio = bricard.slope(angles[0], angles[1]);
        let rates = [1.0, ratio, 1.0, ratio, 1.0, ratio];
        // A ring at a turning point of θ has a steep slope and is nearly singular.
        if ratio.abs() > 4.0 || !moves(&bricard.rods, &angles, &rates, n) {
            continue;
        }
        counted += 1;
        let look = Look::of_parts(&loop_of_rods(&bricard.rods, &angles, n));
        let expected = bricard.effective_mass(&angles, (1, 0.5), n);
        worst.check(off(look.mass(), expected), LOOP, || format!("{} at {theta}", bricard.alpha));
        assert_eq!((look.report.rows, look.report.rank, look.report.freedom), (5, 4, 1));
        assert_eq!(look.report.not_unique.len(), 6, "{:?}", look.report.not_unique);
    }
    assert!(counted > 30, "only {counted} counted");
    worst.show("Bricard");
}

/// Crank, coupler, rocker; the coupler stands on the crank by `kind` and holds the rocker's end in a
/// spherical joint. `spin` is its inertia about its own line.
fn skew_four_bar(
    linkage: &SpatialFourBar,
    pose_at: (f64, f64),
    kind: JointKind,
    spin: f64,
) -> Parts {
    let (theta, phi) = pose_at;
    let [r, length, R] = linkage.length;
    let mut parts = Parts::new(Space::Spatial);
    for (name, m, l) in [
        ("crank", linkage.mass[0], r),
        ("coupler", linkage.mass[1], length),
        ("rocker", linkage.mass[2], R),
    ] {
        parts.bodies.push(rod(name, m, l));
    }
    parts.bodies[1].inertia[(0, 0)] = spin;
    let near = |l: f64| [-0.5 * l, 0.0, 0.0];
    let far = |l: f64| [0.5 * l, 0.0, 0.0];
    parts.joints.push(hinge("a", (None, 0), (Pose::identity(), pose(&IDENTITY, near(r))), theta));
    let [q1, q2] = linkage.universal_angles(theta, phi);
    // A universal turns about z of F and then x of M: z and y of the coupler here.
    let turn = about_z(std::f64::consts::FRAC_PI_2);
    let coupler = if kind == JointKind::Universal {
        let frames = (pose(&turn, far(r)), pose(&turn, near(length)));
        joint("b", kind, (Some(0), 1), frames, &[q1, q2])
    } else {
        // The quaternion of Rz(q₁) Ry(q₂).
        let ((s1, c1), (s2, c2)) = ((0.5 * q1).sin_cos(), (0.5 * q2).sin_cos());
        let q = [c1 * c2, -s1 * s2, c1 * s2, s1 * c2];
        joint("b", kind, (Some(0), 1), (pose(&IDENTITY, far(r)), pose(&IDENTITY, near(length))), &q)
    };
    parts.joints.push(coupler);
    // The rocker turns about y: z of its joint frames is y of the world.
    let about = about_x(-std::f64::consts::FRAC_PI_2);
    let frames = (pose(&about, linkage.pivot), pose(&about, near(R)));
    parts.joints.push(hinge("c", (None, 2), frames, phi));
    let ends = ((Some(1), pose(&IDENTITY, far(length))), (Some(2), pose(&IDENTITY, far(R))));
    parts.closures.push(closing("d", JointKind::Spherical, ends.0, ends.1));
    parts
}

#[test]
fn a_spatial_four_bar_weighs_the_same_with_a_free_or_a_held_coupler() {
    let mut random = Random::new(9);
    let mut worst = Worst::default();
    let mut counted = 0;
    for k in 0..150 {
        let linkage = SpatialFourBar {
            length: [random.within(0.1, 0.3), random.within(0.6, 1.1), random.within(0.3, 0.7)],
            mass: std::array::from_fn(|_| random.within(0.2, 2.0)),
            pivot: [random.within(0.4, 0.8), random.within(-0.4, 0.4), random.within(-0.3, 0.3)],
        };
        let (theta, n, s) =
            (random.within(-3.0, 3.0), random.unit_vector(), random.within(0.0, 1.0));
        let Some(phi) = linkage.rocker_angle(theta, k % 2 == 0) else { continue };
        let (a, b, rate) = linkage.velocities(theta, phi);
        let v: Vector = std::array::from_fn(|i| (1.0 - s) * a[i] + s * b[i]);
        if rate.abs() > 3.0 || dot(n, v).abs() < 0.2 * norm(v) || norm(v) < 0.02 {
            continue;
        }
        counted += 1;
        let expected = linkage.effective_mass(theta, phi, s, n);
        // Held by a universal joint it must be slender; between two spherical ones it may spin.
        for (kind, spin, freedom) in
            [(JointKind::Universal, 0.0, 1), (JointKind::Spherical, 0.003, 2)]
        {
            let mut parts = skew_four_bar(&linkage, (theta, phi), kind, spin);
            let struck = (Some(1), Vec3::x() * ((s - 0.5) * linkage.length[1]));
            parts.contacts.push(blow((None, Vec3::zeros()), struck, None, vec3(n)));
            let look = Look::of_parts(&parts);
            worst.check(off(look.mass(), expected), LOOP, || {
                format!("{kind:?} {linkage:?} {theta}")
            });
            assert_eq!(look.report.freedom, freedom);
        }
    }
    assert!(counted > 40, "only {counted} counted");
    worst.show("spatial four-bar");
}

/// A serial arm whose body frames are its Denavit–Hartenberg frames.
fn arm_parts<const N: usize>(arm: &SerialArm<N>, theta: &[f64; N]) -> Parts {
    let mut parts = Parts::new(Space::Spatial);
    for (k, link) in arm.links.iter().enumerate() {
        let name = format!("link{k}");
        parts.bodies.push(body(&name, link.mass, vec3(link.center), mat3(&link.inertia)));
        let step = pose(&about_x(link.twist), [link.length, 0.0, link.offset]);
        let frames = (Pose::identity(), step.inverse());
        let mut turn = hinge(&format!("turn{k}"), (k.checked_sub(1), k), frames, theta[k]);
        turn.rotor = vec![arm.rotor[k]];
        parts.joints.push(turn);
    }
    parts
}

/// An arm of seven random links.
fn random_arm(random: &mut Random) -> SerialArm<7> {
    let link = |random: &mut Random| {
        let mass = random.within(0.2, 5.0);
        serial_arm::Link {
            offset: random.within(-0.3, 0.3),
            length: random.within(-0.5, 0.5),
            twist: random.within(-3.0, 3.0),
            mass,
            center: random.vector(0.2),
            inertia: random.inertia(mass, 0.3),
        }
    };
    SerialArm {
        links: std::array::from_fn(|_| link(random)),
        rotor: std::array::from_fn(|k| if k % 2 == 0 { 0.0 } else { random.within(0.0, 0.5) }),
    }
}

#[test]
fn a_serial_arm_with_rotors_follows_the_textbook_sum() {
    let mut random = Random::new(10);
    let mut worst = Worst::default();
    for _ in 0..60 {
        let arm = random_arm(&mut random);
        let theta: [f64; 7] = std::array::from_fn(|_| random.within(-3.1, 3.1));
        let rates: [f64; 7] = std::array::from_fn(|_| random.within(-2.0, 2.0));
        let (tip, n) = (random.vector(0.2), random.unit_vector());
        let mut parts = arm_parts(&arm, &theta);
        for (joint, rate) in parts.joints.iter_mut().zip(rates) {
            joint.velocity = Some(vec![rate]);
        }
        parts.contacts.push(blow((None, Vec3::zeros()), (Some(6), vec3(tip)), None, vec3(n)));
        let look = Look::of_parts(&parts);
        let expected = arm.effective_mass(&theta, tip, n);
        worst.check(off(look.mass(), expected), OPEN, || format!("m_eff at {theta:?}"));
        let u = carom_reference::linear::dot(&arm.jacobian(&theta, tip, n), &rates);
        worst.check((look.rate() - u).abs(), OPEN, || format!("u at {theta:?}"));
        let T = carom_reference::linear::kinetic_energy(&arm.mass_matrix(&theta), &rates);
        worst.check(off(look.contact.energies.total, T), OPEN, || format!("T at {theta:?}"));
    }
    worst.show("serial arm");
}

#[test]
fn the_two_ends_of_one_chain_are_coupled_and_equation_2_does_not_hold() {
    let mut random = Random::new(11);
    let mut worst = Worst::default();
    for _ in 0..60 {
        let chain = Chain {
            middle_mass: random.within(0.3, 4.0),
            middle_length: random.within(0.3, 2.0),
            arm_mass: [random.within(0.2, 2.0), random.within(0.2, 2.0)],
            arm_length: [random.within(0.3, 1.5), random.within(0.3, 1.5)],
        };
        let (middle, angle) = (random.within(-3.0, 3.0), random.within(-3.0, 3.0));
        let arms = [random.within(-3.0, 3.0), random.within(-3.0, 3.0)];
        let n = [angle.cos(), angle.sin()];
        let mut parts = Parts::new(Space::Planar);
        parts.bodies.push(rod("middle", chain.middle_mass, chain.middle_length));
        let float = (Pose::identity(), Pose::identity());
        let at = [random.within(-1.0, 1.0), random.within(-1.0, 1.0), middle];
        parts.joints.push(joint("float", JointKind::Floating, (None, 0), float, &at));
        for (k, sign) in [-0.5, 0.5].into_iter().enumerate() {
            let (m, length) = (chain.arm_mass[k], chain.arm_length[k]);
            parts.bodies.push(rod(&format!("arm{k}"), m, length));
            let frames =
                (place(sign * chain.middle_length, 0.0, 0.0), place(-0.5 * length, 0.0, 0.0));
            parts.joints.push(hinge(
                &format!("pin{k}"),
                (Some(0), k + 1),
                frames,
                arms[k] - middle,
            ));
        }
        let tip = |k: usize| (Some(k + 1), Vec3::x() * (0.5 * chain.arm_length[k]));
        parts.contacts.push(blow(tip(0), tip(1), None, Vec3::new(n[0], n[1], 0.0)));
        let look = Look::of_parts(&parts);
        let expected = chain.contact(middle, arms, n);
        let found = look.row().apparent;
        let what = || format!("{chain:?} {middle} {arms:?}");
        worst.check(off(look.mass(), expected.effective_mass), OPEN, what);
        worst.check(off(found.i, expected.apparent_mass[0]), OPEN, what);
        worst.check(off(found.j, expected.apparent_mass[1]), OPEN, what);
        let size = (found.i * found.j).sqrt().recip();
        worst.check((found.coupling - expected.coupling).abs() / size, OPEN, what);
        assert_eq!(found.uncoupled, expected.coupling.abs() < 1e-12 * size, "{}", what());
        let equation_2 = 1.0 / (1.0 / found.i + 1.0 / found.j);
        if expected.coupling.abs() > 0.05 * size {
            assert!(off(equation_2, look.mass()) > 0.01, "eq. 2 would have held: {}", what());
        }
    }
    worst.show("two ends of one chain");
}

#[test]
fn a_massless_rod_replaces_a_slender_coupler_of_no_mass() {
    // A distance closure is the limit of a coupler without mass.
    let mut random = Random::new(12);
    let mut worst = Worst::default();
    for _ in 0..40 {
        let linkage = FourBar {
            ground: 1.0,
            length: [random.within(0.2, 0.5), random.within(0.8, 1.2), random.within(0.6, 0.9)],
            mass: [random.within(0.2, 3.0), 0.0, random.within(0.2, 3.0)],
        };
        let Some(at) = linkage.pose(random.within(0.3, 2.8), true) else { continue };
        let [a, b, c] = linkage.length;
        if (at.coupler - at.rocker).sin().abs() < 0.2 || (at.coupler - at.crank).sin().abs() < 0.1 {
            continue;
        }
        let mut parts = Parts::new(Space::Planar);
        parts.bodies.push(rod("crank", linkage.mass[0], a));
        parts.bodies.push(rod("rocker", linkage.mass[2], c));
        let near = |l: f64| place(-0.5 * l, 0.0, 0.0);
        parts.joints.push(hinge("a", (None, 0), (Pose::identity(), near(a)), at.crank));
        parts.joints.push(hinge("c", (None, 1), (place(1.0, 0.0, 0.0), near(c)), at.rocker));
        let end = |k: usize, l: f64| carom::model::parts::PointPart {
            body: Some(k),
            at: Vec3::x() * (0.5 * l),
        };
        let kind = ClosureKind::Distance { a: end(0, a), b: end(1, c), length: b };
        parts.closures.push(ClosurePart { name: "link".to_owned(), kind });
        // The rocker's end across itself.
        let struck = (Some(1), Vec3::x() * (0.5 * c));
        parts.contacts.push(blow((None, Vec3::zeros()), struck, Some(1), Vec3::y()));
        let rate = linkage.velocity_ratios(&at).1;
        let expected = linkage.reduced_inertia(&at) / (rate * c).powi(2);
        let look = Look::of_parts(&parts);
        worst.check(off(look.mass(), expected), LOOP, || format!("{linkage:?}"));
    }
    worst.show("massless rod");
}
