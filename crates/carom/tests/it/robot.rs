//! Tips of robots: the operational-space inertia from two sides, payloads, locked joints, many poses.

use carom::answer::robot::{RobotMass, TipAnswer, TipOptions};
use carom::{CautionCode, Machine, ManyOptions};
use nalgebra::DMatrix;

use crate::random_mechanism::Random;

/// Round-off of a sweep over six bodies against a dense solution with a condition number of about 1e4.
const ROUND_OFF: f64 = 1e-11;

fn model_file(name: &str) -> String {
    format!("{}/../../models/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn arm() -> Machine {
    Machine::open(model_file("robot-arm.toml")).unwrap()
}

fn asked(tip: &str) -> TipOptions {
    TipOptions { tip: tip.to_owned(), ..TipOptions::default() }
}

fn matrix(answer: &TipAnswer) -> DMatrix<f64> {
    DMatrix::from_fn(3, 3, |i, j| answer.inverse_inertia[i][j])
}

#[test]
fn the_inverse_inertia_is_that_of_the_mass_matrix_and_of_a_differenced_position() {
    let mut machine = arm();
    let mut random = Random(5);
    let nv = machine.model().nv;
    for _ in 0..20 {
        let q: Vec<f64> = (0..nv).map(|_| random.within(-3.0, 3.0)).collect();
        let at = |q: Vec<f64>| {
            machine.tip(&TipOptions { q, ..asked("wrist_3.tip") }).unwrap().tip_position
        };
        // Central differences of fourth order: h⁴ of truncation and round-off divided by h balance at 1e-3.
        let h = 1e-3;
        let column = |k: usize| {
            let moved = |by: f64| {
                let mut q = q.clone();
                q[k] += by;
                at(q)
            };
            let (near, far) = ([moved(h), moved(-h)], [moved(2.0 * h), moved(-2.0 * h)]);
            std::array::from_fn::<f64, 3, _>(|i| {
                (8.0 * (near[0][i] - near[1][i]) - (far[0][i] - far[1][i])) / (12.0 * h)
            })
        };
        let columns: Vec<[f64; 3]> = (0..nv).map(column).collect();
        let J = DMatrix::from_fn(3, nv, |i, k| columns[k][i]);
        let M = machine.mass_matrix_many(&q, &vec![0.0; nv]).unwrap();
        let M = DMatrix::from_row_slice(nv, nv, &M);
        let dense = &J * M.cholesky().unwrap().solve(&J.transpose());
        let found = matrix(&machine.tip(&TipOptions { q, ..asked("wrist_3.tip") }).unwrap());
        assert!((&found - &dense).amax() < 1e-9 * dense.amax(), "{found} against {dense}");
    }
}

#[test]
fn a_planar_arm_of_two_point_masses_has_its_closed_form() {
    // Lengths a and b, point masses m at the elbow and n at the tip; M and J written out by hand.
    let (a, b, m, n) = (0.7_f64, 0.4_f64, 3.0_f64, 1.5_f64);
    let text = format!(
        "carom = 1\nspace = \"planar\"\n[bodies.upper]\nmass = {m}\nshape = {{ point = true }}\n\
         [bodies.fore]\nmass = {n}\nshape = {{ point = true }}\nmarkers.tip = [0, 0]\n\
         [joints.shoulder]\ntype = \"revolute\"\nconnects = [\"ground\", \"upper\"]\nat = [[0, 0], [{}, 0]]\n\
         [joints.elbow]\ntype = \"revolute\"\nconnects = [\"upper\", \"fore\"]\nat = [[0, 0], [{}, 0]]\n",
        -a, -b
    );
    let machine = Machine::from_text(&text).unwrap();
    let q = machine.joint_values("--q", "30, 70 deg").unwrap();
    let answer = machine.tip(&TipOptions {
        q: q.clone(),
        directions: vec![[1.0, 1.0, 0.0]],
        ..asked("tip")
    });
    let answer = answer.unwrap();
    let (s1, c1) = q[0].sin_cos();
    let (s2, c2) = (q[0] + q[1]).sin_cos();
    let J = DMatrix::from_row_slice(2, 2, &[-a * s1 - b * s2, -b * s2, a * c1 + b * c2, b * c2]);
    let c = q[1].cos();
    let M = DMatrix::from_row_slice(
        2,
        2,
        &[
            (m + n) * a * a + n * (b * b + 2.0 * a * b * c),
            n * (b * b + a * b * c),
            n * (b * b + a * b * c),
            n * b * b,
        ],
    );
    let W = &J * M.try_inverse().unwrap() * J.transpose();
    let found = matrix(&answer);
    assert!((found.view((0, 0), (2, 2)) - &W).amax() < ROUND_OFF * W.amax(), "{found} {W}");
    // Along the forearm the elbow's mass joins in: m_eff = n + m / sin²(elbow); across it the tip's point mass is alone.
    let along = answer.mass_along([c2, s2, 0.0]);
    let closed = n + m / q[1].sin().powi(2);
    assert!((along - closed).abs() < ROUND_OFF * closed, "{along} {closed}");
    let heaviest = answer.principal.last().unwrap();
    assert!((heaviest.effective_mass - closed).abs() < 1e-9 * closed, "{heaviest:?}");
    assert!((answer.principal[0].effective_mass - n).abs() < 1e-9 * n, "{:?}", answer.principal);
    assert_eq!(answer.principal.len(), 2);
    assert!((answer.tip_position[0] - (a * c1 + b * c2)).abs() < ROUND_OFF);
}

#[test]
fn the_mass_along_a_normal_is_that_of_a_contact_there() {
    let machine = arm();
    let contact = machine.contact("wall").unwrap();
    let assessed = machine.assess(contact).unwrap();
    let row = assessed.contacts[0].normals().next().unwrap();
    let options = TipOptions { directions: vec![row.normal], ..asked("wrist_3.tip") };
    let answer = machine.tip(&options).unwrap();
    let m = row.effective_mass;
    assert!((answer.along.effective_mass - m).abs() < ROUND_OFF * m, "{answer:?} {m}");
    assert!((answer.mass_along(row.normal) - m).abs() < ROUND_OFF * m);
    assert_eq!(answer.mass_used, RobotMass::Free);
    assert!(answer.cautions.iter().any(|c| c.code == CautionCode::MotorsNotCounted));
    assert!((answer.standard_mass - 0.5 * 17.0489).abs() < 1e-12, "{}", answer.standard_mass);
}

#[test]
fn locked_joints_are_those_of_a_model_that_locks_them() {
    let machine = arm();
    let locked = vec!["joint_2".to_owned(), "joint_5".to_owned()];
    let n = [0.3, -0.5, 0.8];
    let options = TipOptions { locked, directions: vec![n], ..asked("tip") };
    let answer = machine.tip(&options).unwrap();
    let mut other = machine.clone();
    other.set("parameters.rate_2", "0").unwrap();
    other.set("joints.joint_2.locked", "true").unwrap();
    other.set("joints.joint_5.locked", "true").unwrap();
    let held = other.tip(&TipOptions { locked: Vec::new(), ..options.clone() }).unwrap();
    let (found, expected) = (matrix(&answer), matrix(&held));
    assert!((&found - &expected).amax() < ROUND_OFF * expected.amax(), "{found} {expected}");
    let m = answer.locked_mass.unwrap();
    assert!((m - held.free_mass).abs() < ROUND_OFF * m);
    assert!(m > answer.free_mass, "locking makes it heavier: {}", answer.standard_mass);
    assert_eq!(answer.mass_used, RobotMass::Locked);
}

#[test]
fn a_payload_is_a_point_mass_welded_to_the_tip() {
    let mut machine = arm();
    machine.set("parameters.large_rotor", "0.4 kg m^2").unwrap();
    let (text, sets) = (machine.files(), machine.sets().to_vec());
    let more = "\n[bodies.load]\nmass = 1.5\nshape = { point = true }\n[joints.held]\ntype = \"weld\"\n\
                connects = [\"wrist_3\", \"load\"]\nat = [[0.01, 0.02, 0.05], [0, 0, 0]]\n";
    let files = vec![(text[0].0.clone(), format!("{}{more}", text[0].1))];
    let welded = Machine::from_files(&files, &sets).unwrap();
    let n = vec![[0.2, 0.9, -0.4]];
    let options = TipOptions { directions: n, ..asked("wrist_3.tip") };
    let expected = welded.tip(&options).unwrap();
    let options = TipOptions { payload: 1.5, payload_at: Some([0.01, 0.02, 0.05]), ..options };
    let answer = machine.tip(&options).unwrap();
    let (a, b) = (matrix(&answer), matrix(&expected));
    assert!((&a - &b).amax() < ROUND_OFF * b.amax(), "{a} {b}");
    assert!((answer.standard_mass - (0.5 * 17.0489 + 1.5)).abs() < 1e-12);
    // What m_eff is made of sums up to it, and is value times slope.
    let m = answer.along.effective_mass;
    let sum: f64 = answer.shares.iter().map(|s| s.effective_mass).sum();
    assert!((sum - m).abs() < ROUND_OFF * m, "{sum} {m}");
    let payload = answer.shares.iter().find(|s| s.part == "payload").unwrap();
    let h = 1e-4;
    let at = |mass: f64| {
        machine.tip(&TipOptions { payload: mass, ..options.clone() }).unwrap().along.effective_mass
    };
    let slope = (at(1.5 + h) - at(1.5 - h)) / (2.0 * h);
    assert!((payload.effective_mass - 1.5 * slope).abs() < 1e-6 * m, "{payload:?} {slope}");
    assert!(
        answer.shares.iter().any(|s| s.part == "rotor of joint_1.angle"),
        "{:?}",
        answer.shares
    );
    assert!(!answer.cautions.iter().any(|c| c.code == CautionCode::MotorsNotCounted));
}

#[test]
fn closed_loops_take_part() {
    let mut machine = Machine::open(model_file("four-bar.toml")).unwrap();
    machine.set("bodies.coupler.markers.tip", "[0.05, 0.2]").unwrap();
    let contact = machine.contact("plate").unwrap();
    let assessed = machine.assess(contact).unwrap();
    let row = assessed.contacts[0].normals().next().unwrap();
    let options = TipOptions { directions: vec![row.normal], ..asked("coupler.tip") };
    let answer = machine.tip(&options).unwrap();
    let m = row.effective_mass;
    assert!((answer.along.effective_mass - m).abs() < 1e-9 * m, "{:?} {m}", answer.along);
    // One degree of freedom: across its path nothing moves.
    assert!(answer.principal[1].immobile, "{:?}", answer.principal);
    // The same pose by its crank alone: the others are found by assembly, from near where they are.
    let q: Vec<f64> = answer.state.q.iter().map(|q| q + 1e-3).collect();
    let moved = machine.tip(&TipOptions { q, ..options }).unwrap();
    assert!(moved.cautions.iter().any(|c| c.code == CautionCode::PositionChanged));
    assert!((moved.along.effective_mass / m - 1.0).abs() < 0.1);
}

#[test]
fn many_poses_are_the_poses_one_by_one() {
    let machine = arm();
    let mut random = Random(3);
    let (n, nv) = (150, machine.model().nv);
    let q: Vec<f64> = (0..n * nv).map(|_| random.within(-2.0, 2.0)).collect();
    let options =
        TipOptions { payload: 0.7, locked: vec!["joint_3".into()], ..asked("wrist_3.tip") };
    let one = machine.tip_many(&options, &q, ManyOptions { threads: 1 }).unwrap();
    let two = machine.tip_many(&options, &q, ManyOptions { threads: 2 }).unwrap();
    assert_eq!(one, two);
    for k in (0..n).step_by(17) {
        let q = q[k * nv..(k + 1) * nv].to_vec();
        let alone = matrix(&machine.tip(&TipOptions { q, ..options.clone() }).unwrap());
        let found = DMatrix::from_row_slice(3, 3, &one.mobility[9 * k..9 * k + 9]);
        assert!((&found - &alone).amax() < 1e-12 * alone.amax());
        assert_eq!(one.jacobian.len(), n * 3 * nv);
    }
    assert!(machine.tip_many(&options, &q[1..], ManyOptions { threads: 1 }).is_err());
}

#[test]
fn directions_at_many_states_are_those_of_the_inverse_inertia() {
    let machine = arm();
    let mut random = Random(5);
    let (n, nv) = (40, machine.model().nv);
    let mut list =
        |count: usize| -> Vec<f64> { (0..count).map(|_| random.within(-2.0, 2.0)).collect() };
    let (q, v) = (list(n * nv), list(n * nv));
    // Five directions of each state, with the states in turns and in a row.
    let numbers = list(3 * 5 * n);
    let direction = |k: usize| [numbers[3 * k], numbers[3 * k + 1], numbers[3 * k + 2]];
    let turns: Vec<_> = (0..5 * n).map(|k| (k % n, direction(k))).collect();
    let mut rows = turns.clone();
    rows.sort_by_key(|(state, _)| *state);
    let options =
        TipOptions { payload: 0.7, locked: vec!["joint_3".into()], ..asked("wrist_3.tip") };
    let ask = |options: &TipOptions, directions: &[(usize, [f64; 3])], threads: usize| {
        machine.tip_along_many(options, (&q, &v), directions, ManyOptions { threads }).unwrap()
    };
    let found = ask(&options, &turns, 1);
    assert_eq!(found, ask(&options, &turns, 2));
    let mut sorted = found.effective_mass.clone();
    let mut sorted_rows = ask(&options, &rows, 1).effective_mass;
    sorted.sort_by(f64::total_cmp);
    sorted_rows.sort_by(f64::total_cmp);
    assert_eq!(sorted, sorted_rows, "one sweep for several directions changes no bit");
    let inertia = machine.tip_many(&options, &q, ManyOptions { threads: 1 }).unwrap();
    for (k, (state, n)) in turns.iter().enumerate() {
        let n = nalgebra::Vector3::from(*n).normalize();
        let at = 9 * state;
        let inverse = nalgebra::Matrix3::from_row_slice(&inertia.mobility[at..at + 9]);
        let J = DMatrix::from_row_slice(3, nv, &inertia.jacobian[at / 3 * nv..(at / 3 + 3) * nv]);
        let v = nalgebra::DVector::from_column_slice(&v[state * nv..(state + 1) * nv]);
        let (W, u) = (n.dot(&(inverse * n)), (J * v).dot(&n));
        assert!((found.effective_mass[k] * W - 1.0).abs() < ROUND_OFF, "m_eff = 1 / (nᵀ Λ⁻¹ n)");
        assert!((found.contact_velocity[k] - u).abs() < ROUND_OFF * (1.0 + u.abs()), "u = nᵀ J v");
        let energy = 0.5 * u * u / W;
        assert!((found.impact_energy[k] - energy).abs() < ROUND_OFF * (1.0 + energy), "½ m_eff u²");
    }
    // The mass with free joints leaves the locked one free.
    let free = TipOptions { mass: Some(RobotMass::Free), ..options.clone() };
    let unlocked = TipOptions { locked: Vec::new(), ..options.clone() };
    assert_eq!(ask(&free, &turns, 1), ask(&unlocked, &turns, 1));
    let places = machine.tip_positions(&options, &q).unwrap();
    let posed = machine.tip(&TipOptions { q: q[..nv].to_vec(), ..options.clone() }).unwrap();
    assert_eq!(places[..3], posed.tip_position);
    let many = ManyOptions { threads: 1 };
    let refused = |directions: &[(usize, [f64; 3])]| {
        machine.tip_along_many(&options, (&q, &v), directions, many).unwrap_err().to_string()
    };
    assert!(refused(&[(0, [0.0; 3])]).contains("has no direction"));
    assert!(refused(&[(n, [1.0, 0.0, 0.0])]).contains("at most 40"));
    assert!(machine.tip_positions(&options, &q[1..]).is_err());
}

#[test]
fn what_cannot_be_meant_is_refused_with_its_name() {
    let machine = arm();
    let refused = |options: TipOptions| machine.tip(&options).unwrap_err().to_string();
    assert!(refused(asked("wrist_33")).contains("did you mean `wrist_3`"));
    assert!(refused(asked("ground.wall")).contains("no moving body or marker"));
    let base = asked("wrist_3");
    assert!(
        refused(TipOptions { q: vec![0.0; 5], ..base.clone() }).contains("5 positions, expected 6")
    );
    assert!(refused(TipOptions { q: vec![f64::NAN; 6], ..base.clone() }).contains("not finite"));
    assert!(refused(TipOptions { payload: -1.0, ..base.clone() }).contains("-1 is not a mass"));
    let locked = vec!["joint_7".to_owned()];
    assert!(refused(TipOptions { locked, ..base.clone() }).contains("there is no joint `joint_7`"));
    let directions = vec![[0.0; 3]];
    assert!(refused(TipOptions { directions, ..base.clone() }).contains("has no direction"));
    let mass = Some(RobotMass::Locked);
    assert!(refused(TipOptions { mass, ..base.clone() }).contains("no joint is locked"));
    assert!(refused(TipOptions { speed: Some(-1.0), ..base }).contains("-1 is not a speed"));
    let wrong = |text: &str| machine.joint_values("--q", text).unwrap_err().to_string();
    assert!(wrong("1,2 deg").contains("2 numbers, expected 6"), "{}", wrong("1,2 deg"));
    assert!(wrong("1,2,3,4,5,6 mm").contains("joint_1"), "{}", wrong("1,2,3,4,5,6 mm"));
}
