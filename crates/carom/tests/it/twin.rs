//! Two formulations, four routes and the sweep give the same answers.

use carom::dynamics::body_space::BodySpace;
use carom::dynamics::dense::Matrices;
use carom::dynamics::{Mechanism, RowWrench, Terms};
use carom::impact::routes;
use carom::model::Place;
use nalgebra::DVector;

use crate::random_mechanism::{Random, mechanism};
use crate::workshop::off;

/// One of the four routes to m_eff.
type Route = fn(&Matrices, &DVector<f64>) -> Option<f64>;

/// A random row between two bodies, or a body and ground.
pub fn random_row(random: &mut Random, at: &carom::dynamics::Posture<'_>) -> RowWrench {
    let model = at.model();
    let planar = model.is_planar();
    let place = |k: usize| -> Place { model.body_at(k) };
    let a = place(random.below(model.bodies.len() + 1));
    let b = place(random.below(model.bodies.len()));
    let a = if a == b { None } else { a };
    let n = random.direction(planar);
    let (p, q) = (random.vector(planar), random.vector(planar));
    RowWrench::of_normal(at.frames(), (a, p), (b, q), &n)
}

/// The condition of [D; A] M⁻¹ [D; A]ᵀ, that of eq. 28's whole border.
fn condition_with(matrices: &Matrices, A: &DVector<f64>) -> f64 {
    let rows = matrices.D.nrows();
    let mut D = matrices.D.clone().insert_row(rows, 0.0);
    D.row_mut(rows).copy_from(&A.transpose());
    let with_contact =
        Matrices { M: matrices.M.clone(), D, rates: matrices.rates.clone().insert_row(rows, 0.0) };
    condition_of(&with_contact)
}

fn condition_of(matrices: &Matrices) -> f64 {
    matrices.condition().unwrap_or(f64::INFINITY)
}

/// Agreement of all routes on one mechanism; returns false where it is too ill-conditioned to count.
pub fn routes_agree(seed: u64, bodies: usize, loops: usize, planar: bool) -> bool {
    let (model, state) = mechanism(seed, bodies, loops, planar);
    let mut mechanism = Mechanism::new(&model);
    let Ok(at) = mechanism.at(&state) else { return false };
    let row = random_row(&mut Random(seed ^ 0xABCD), &at);
    let joint = at.matrices();
    let body = BodySpace::new(&at).expect("loads are finite");
    let effective = at.effective_mass(&row);
    let A = at.jacobian_row(&row);
    let A_body = body.row(&row);
    let mut answers = vec![("sweep", effective.mass)];
    for (matrices, A, names) in [
        (&joint, &A, ["joint 28", "joint 31", "joint 38", "joint 39"]),
        (&body.matrices, &A_body, ["body 28", "body 31", "body 38", "body 39"]),
    ] {
        let routes: [Route; 4] = [
            routes::bordered_dependent,
            routes::closed_dependent,
            routes::bordered_independent,
            routes::closed_independent,
        ];
        for (name, route) in names.iter().zip(routes) {
            answers.push((name, route(matrices, A).expect("M is positive definite")));
        }
    }
    // What constraints take from a row's free mobility is lost to round-off as well: the contact's
    // own row counts among the constraints in the condition of the problem.
    let free = row.free_mobility(&model, at.frames());
    let constraints = condition_of(&joint).max(condition_of(&body.matrices));
    let condition =
        condition_with(&joint, &A).max(condition_with(&body.matrices, &A_body)).max(constraints);
    // A mobility that the constraints' condition drowns: only its size can be compared.
    let drowned = effective.mobility <= 1e-14 * constraints * free;
    let condition = if drowned { condition } else { condition.max(free / effective.mobility) };
    let tolerance = if condition <= 1e6 { 1e-10 } else { 1e-15 * condition };
    if condition > 1e11 {
        return false;
    }
    for (name, mass) in &answers {
        let error = if drowned {
            (1.0 / mass - effective.mobility).abs() / free
        } else {
            off(*mass, effective.mass)
        };
        assert!(
            error <= tolerance,
            "seed {seed}, {bodies} bodies, {loops} loops, planar {planar}: {name} gives {mass}, the sweep {} (off by {error:.2e}, condition {condition:.2e})",
            effective.mass
        );
    }
    // Kinetic energy and velocity are the same too.
    let (v, V) = (&state.v, body.velocity());
    let T = at.kinetic_energy();
    let tolerance = 1e-12 * T.max(1e-3);
    assert!(
        (0.5 * v.dot(&(&joint.M * v)) - T).abs() < tolerance,
        "seed {seed}: T in joint coordinates"
    );
    assert!(
        (0.5 * V.dot(&(&body.matrices.M * &V)) - T).abs() < 10.0 * tolerance,
        "seed {seed}: T in body coordinates"
    );
    assert!((A_body.dot(&V) - effective.rate).abs() < 1e-11, "seed {seed}: u in body coordinates");
    condition <= 1e6
}

#[test]
fn four_routes_two_formulations_and_the_sweep_agree_on_trees() {
    for seed in 0..400 {
        routes_agree(seed, 1 + (seed % 9) as usize, 0, seed % 2 == 0);
    }
}

#[test]
fn four_routes_two_formulations_and_the_sweep_agree_on_loops() {
    let mut counted = 0;
    for seed in 0..2400 {
        let bodies = 2 + (seed % 8) as usize;
        if routes_agree(seed, bodies, 1 + (seed % 3) as usize, seed % 2 == 0) {
            counted += 1;
        }
    }
    assert!(counted >= 1000, "only {counted} mechanisms were well-conditioned");
}

#[test]
fn accelerations_are_the_same_in_joint_and_in_body_coordinates() {
    let mut counted = 0;
    for seed in 0..400 {
        let planar = seed % 2 == 0;
        let (model, state) = mechanism(seed, 2 + (seed % 6) as usize, (seed % 3) as usize, planar);
        let mut mechanism = Mechanism::new(&model);
        let Ok(at) = mechanism.at(&state) else { continue };
        let body = BodySpace::new(&at).expect("loads are finite");
        if body.matrices.condition().unwrap_or(f64::INFINITY) > 1e6 {
            continue;
        }
        // Redundant rows may contradict each other's accelerations only by round-off.
        let motion = at.accelerations(Terms::All).expect("loads are finite");
        let v_dot = body.accelerations().expect("M is positive definite");
        let size = if planar { 3 } else { 6 };
        for b in 0..model.bodies.len() {
            let center = at.center_acceleration(&motion, b);
            for k in 0..if planar { 2 } else { 3 } {
                let error = (center[k] - v_dot[b * size + k]).abs();
                assert!(
                    error < 1e-8 * (1.0 + v_dot.amax()),
                    "seed {seed}: body {b} off by {error:.2e}"
                );
            }
        }
        counted += 1;
    }
    assert!(counted > 250, "only {counted} counted");
}
