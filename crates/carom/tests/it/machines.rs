//! The machines of `models/machines`, each as it is shipped, against closed forms, conservation or SciPy.

use crate::simulate::{model, times};
use carom::dynamics::Mechanism;
use carom::file::Opened;
use carom::maths::Vec3;
use carom::model::joint::quaternion_rotation;
use carom::simulate::{EventKind, Outcome, Scenario, Wishes, simulate};

/// Event times of two programs at the tolerance of the file, 1e-9.
const EVENT: f64 = 1e-8;
const G: f64 = 9.81;

/// Runs a file as it is.
fn shipped(file: &str, sets: &[(&str, &str)]) -> (Opened, Outcome) {
    let opened = model(&format!("machines/{file}.toml"), sets);
    let out = {
        let mut mechanism = Mechanism::new(opened.model());
        let state = &opened.assembled.state;
        let scenario = Scenario::new(&mechanism.at(state).unwrap(), &Wishes::default()).unwrap();
        simulate(opened.model(), state, &scenario)
    };
    let out = out.unwrap_or_else(|error| panic!("{file}: {error}"));
    (opened, out)
}

/// The entry of q of a joint's first coordinate.
fn entry(opened: &Opened, joint: &str) -> usize {
    opened.model().bodies.iter().find(|b| b.joint.name == joint).unwrap().joint.q
}

#[test]
fn a_bell_is_struck_where_scipy_says() {
    // Two pendulums by Lagrange's equations in absolute angles, DOP853 with rtol 1e-13, Newton's law at the ball's distance
    // 2 a |sin((A − B)/2)| from the middle of the rim: onset, m_eff, approach, impulse.
    const SCIPY: [[f64; 4]; 2] = [
        [
            0.838_583_322_087_826_6,
            2.499_086_791_011_319_7,
            0.384_862_382_351_132_85,
            1.442_706_744_136_296_4,
        ],
        [
            2.326_034_363_854_549_5,
            2.499_086_791_011_319,
            0.390_821_341_960_416_35,
            1.465_044_680_007_891_3,
        ],
    ];
    const END: [f64; 2] = [0.577_051_575_486_797_8, -0.283_870_315_140_212_16];
    let (_, out) = shipped("bell", &[]);
    assert_eq!(out.impacts.len(), 2);
    for (impact, [onset, mass, approach, impulse]) in out.impacts.iter().zip(SCIPY) {
        assert!((impact.onset - onset).abs() < EVENT, "{}", impact.onset);
        assert!((impact.effective_mass - mass).abs() < EVENT, "{}", impact.effective_mass);
        assert!((impact.approach_speed - approach).abs() < EVENT, "{}", impact.approach_speed);
        assert!((impact.impulse.unwrap() - impulse).abs() < EVENT);
    }
    for (q, expected) in out.state.q.iter().zip(END) {
        assert!((q - expected).abs() < EVENT, "{q} {expected}");
    }
}

#[test]
fn the_first_domino_falls_as_a_pendulum_on_its_edge() {
    let (_, out) = shipped("dominoes", &[]);
    let (t, h, pitch) = (0.008_f64, 0.048_f64, 0.024_f64);
    // ½ I ω² = m g R (cos φ₀ − cos φ) about the edge, I = m (t² + h²)/3, R = √(t² + h²)/2; it strikes as its corner reaches
    // the next one: h sin(lean) = pitch − t.
    let (lean, balance) = (((pitch - t) / h).asin(), (t / h).atan());
    let (first, last) = (1.0_f64.to_radians(), lean - balance);
    let rate = 3.0 * G / (t * t + h * h).sqrt();
    // ∫ dφ/√(rate (cos φ₀ − cos φ)), with φ = φ₀ + x² against the root at the start; Simpson.
    let integrand = |x: f64| {
        let phi = first + x * x;
        // cos φ₀ − cos φ = 2 sin((φ + φ₀)/2) sin(x²/2)
        let drop = 2.0 * (0.5 * (phi + first)).sin() * (0.5 * x * x).sin();
        if x == 0.0 { 2.0 / (rate * first.sin()).sqrt() } else { 2.0 * x / (rate * drop).sqrt() }
    };
    let (parts, end) = (2000_u32, (last - first).sqrt());
    let step = end / f64::from(parts);
    let sum: f64 = (0..=parts)
        .map(|k| {
            let weight = if k == 0 || k == parts { 1.0 } else { f64::from(2 + 2 * (k % 2)) };
            weight * integrand(step * f64::from(k))
        })
        .sum();
    let expected = sum * step / 3.0;
    assert!((out.impacts[0].onset - expected).abs() < EVENT, "{} {expected}", out.impacts[0].onset);
    // Every next one is struck sooner after the one before it than that one was: the wave grows faster.
    let struck = |k: usize| {
        let name = format!("hit{k}");
        let opened = model("machines/dominoes.toml", &[]);
        let contact = opened.model().contacts.iter().position(|c| c.name == name).unwrap();
        out.impacts.iter().find(|i| i.spot.contact == contact).unwrap().onset
    };
    let onsets: Vec<f64> = (1..8).map(struck).collect();
    assert!(onsets.windows(3).all(|w| w[2] - w[1] < w[1] - w[0]), "{onsets:?}");
}

#[test]
fn a_gripper_holds_what_friction_bears_and_drops_the_rest() {
    let (opened, out) = shipped("gripper", &[]);
    let [part, lift] = ["part", "lift"].map(|joint| entry(&opened, joint));
    for sample in &out.samples {
        let q = &sample.state.q;
        assert!((q[part + 1] - q[lift] + 0.09).abs() < EVENT, "{q}");
        assert!(q[part].abs() < EVENT && q[part + 2].abs() < EVENT);
    }
    // 15 N at each jaw bear 2 · 0.4 · 15 N = 12 N of 14.715 N: it slides down with (14.715 − 12)/1.5 from the start.
    let (opened, out) =
        shipped("gripper", &[("parameters.grip", "15 N"), ("simulation.duration", "0.05 s")]);
    let part = entry(&opened, "part");
    let expected = -0.09 - 0.5 * (1.5 * G - 12.0) / 1.5 * 0.05 * 0.05;
    assert!(
        (out.state.q[part + 1] - expected).abs() < EVENT,
        "{} {expected}",
        out.state.q[part + 1]
    );
}

#[test]
fn a_geneva_wheel_follows_its_pin_within_the_play() {
    let (opened, out) = shipped("geneva", &[]);
    let [crank, wheel] = ["crank", "wheel"].map(|joint| entry(&opened, joint));
    let (distance, play) = (0.06, 0.05e-3);
    let arm = distance * std::f64::consts::FRAC_1_SQRT_2;
    let mut seen = 0;
    for sample in &out.samples {
        let q = &sample.state.q;
        let turns = (q[crank] / std::f64::consts::TAU).round();
        let alpha = q[crank] - turns * std::f64::consts::TAU;
        // While the pin is in the slot: tan β = a sin α/(C − a cos α), and the wheel turns against the crank.
        if alpha.abs() < 0.75 {
            let [x, y] = [distance - arm * alpha.cos(), arm * alpha.sin()];
            let exact =
                -y.atan2(x) - std::f64::consts::FRAC_PI_4 - turns * std::f64::consts::FRAC_PI_2;
            let bound = (play / x.hypot(y)).asin();
            assert!((q[wheel] - exact).abs() < bound + EVENT, "{} {exact}", q[wheel]);
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen}");
    // Two turns, two quarters, and the detent.
    let end = out.state.q[wheel];
    assert!((end + std::f64::consts::PI).abs() < 0.01, "{end}");
}

#[test]
fn a_ratchet_holds_at_whole_teeth_where_its_nose_fits() {
    let (opened, out) = shipped("ratchet", &[]);
    let [axle, pivot] = ["axle", "pivot"].map(|joint| entry(&opened, joint));
    let at = |t: f64| &out.samples.iter().find(|s| s.state.t >= t).unwrap().state.q;
    let pitch = std::f64::consts::TAU / 12.0;
    let [first, second] = [at(0.8)[axle], at(1.9)[axle]];
    assert!((second - first - 2.0 * pitch).abs() < EVENT, "{first} {second}");
    // The nose touches a face, along a radius, and the back of the tooth before it, from tip to foot, at 1.5 mm.
    let q = at(0.8);
    let turned = |x: f64, y: f64, angle: f64| {
        let (s, c) = angle.sin_cos();
        [c * x - s * y, s * x + c * y]
    };
    let nose = turned(-0.045, -0.009, q[pivot]);
    let nose = [0.045 + nose[0], 0.052 + nose[1]];
    let in_wheel = turned(nose[0], nose[1], -q[axle]);
    let tooth = (in_wheel[1].atan2(in_wheel[0]) / pitch).ceil();
    let radius = |k: f64| [(k * pitch).cos(), (k * pitch).sin()];
    let face = radius(tooth);
    let to_face = in_wheel[0] * face[1] - in_wheel[1] * face[0];
    assert!((to_face - 0.0015).abs() < EVENT, "{to_face}");
    let (tip, foot) = (radius(tooth - 1.0).map(|x| 0.05 * x), face.map(|x| 0.04 * x));
    let along = [foot[0] - tip[0], foot[1] - tip[1]];
    let length = along[0].hypot(along[1]);
    let normal = [along[1] / length, -along[0] / length];
    let to_back = (in_wheel[0] - tip[0]) * normal[0] + (in_wheel[1] - tip[1]) * normal[1];
    assert!((to_back.abs() - 0.0015).abs() < EVENT, "{to_back}");
    // Statics at the greatest torque, a quarter of a beat later: both forces from the moments about both axles.
    let world = |n: [f64; 2]| turned(n[0], n[1], q[axle]);
    // Normals out of the wheel into the nose.
    let [n_face, n_back] =
        [world([face[1], -face[0]]), world(normal.map(|x| x * to_back.signum()))];
    let moment = |p: [f64; 2], n: [f64; 2]| p[0] * n[1] - p[1] * n[0];
    let from_pivot = [nose[0] - 0.045, nose[1] - 0.052];
    // Wheel: −0.1 N m = Σ F (nose × n); pawl: spring 0.05 (φ − 30°) = Σ F ((nose − pivot) × n).
    let a = [
        [moment(nose, n_face), moment(nose, n_back)],
        [moment(from_pivot, n_face), moment(from_pivot, n_back)],
    ];
    let b = [-0.1, 0.05 * (q[pivot] - 30.0_f64.to_radians())];
    let det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
    let forces = [(b[0] * a[1][1] - a[0][1] * b[1]) / det, (a[0][0] * b[1] - b[0] * a[1][0]) / det];
    for force in forces {
        let near = |stay: &&carom::simulate::Stay| (stay.peak_force / force - 1.0).abs() < 1e-6;
        assert!(out.stays.iter().any(|stay| near(&stay)), "{force} {:?}", out.stays);
    }
}

#[test]
fn a_tippe_top_stands_on_its_head_and_keeps_jelletts_number() {
    let (_, out) = shipped("tippe-top", &[]);
    let (radius, offset) = (0.015, 0.003);
    let inertia = Vec3::new(1.35e-6, 1.35e-6, 1.5e-6);
    let look = |k: usize| {
        let state = &out.samples[k].state;
        let q = &state.q;
        let turn = quaternion_rotation(&[q[3], q[4], q[5], q[6]]);
        let omega = Vec3::new(state.v[3], state.v[4], state.v[5]);
        let momentum = turn * inertia.component_mul(&(turn.transpose() * omega));
        let axis = turn.column(2).into_owned();
        (momentum.dot(&(axis * offset - Vec3::z() * radius)), axis.z)
    };
    let (first, _) = look(0);
    for k in 0..out.samples.len() {
        let (number, _) = look(k);
        assert!((number / first - 1.0).abs() < 1e-6, "{} {number} {first}", out.samples[k].state.t);
    }
    let (_, axis) = look(out.samples.len() - 1);
    assert!(axis < -0.99, "it stands on its head: {axis}");
}

#[test]
fn a_woodpecker_loses_in_each_peck_what_its_weight_gives() {
    let (opened, out) = shipped("woodpecker", &[]);
    let beak = opened.model().contacts.iter().position(|c| c.name == "beak").unwrap();
    let pecks: Vec<f64> =
        out.impacts.iter().filter(|i| i.spot.contact == beak).map(|i| i.onset).collect();
    assert!(pecks.len() >= 4, "{pecks:?}");
    let [.., before, last] = pecks[..] else { panic!() };
    let sleeve = entry(&opened, "sleeve");
    // In a cycle that repeats itself all goes down as far as the sleeve.
    let height = |t: f64| {
        let sample = out.samples.iter().find(|s| s.event && s.state.t == t).unwrap();
        (0.0048 * G * sample.state.q[sleeve + 1], sample.ledger)
    };
    let ((high, begin), (low, end)) = (height(before), height(last));
    let impacts: f64 = out
        .impacts
        .iter()
        .filter(|i| (before..last).contains(&i.onset))
        .map(|i| i.energy_lost)
        .sum();
    let lost = impacts + end.friction_loss - begin.friction_loss;
    // The cycle repeats itself to some parts in a thousand.
    assert!((lost / (high - low) - 1.0).abs() < 3e-3, "{lost} {}", high - low);
    // The pecks come evenly.
    let [.., a, b, c] = pecks[..] else { panic!() };
    assert!(((c - b) / (b - a) - 1.0).abs() < 0.02, "{pecks:?}");
}

#[test]
fn a_rod_with_play_stays_as_near_to_its_pins_as_the_clearances_say() {
    let (opened, out) = shipped("slider-crank-with-clearances", &[]);
    let [axle, guide] = ["axle", "guide"].map(|joint| entry(&opened, joint));
    let names: Vec<_> = opened.model().contacts.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["big-end", "small-end"]);
    // From the pin of the crank to that of the slider: the rod, and at most both clearances more or less.
    let mut nearest: f64 = 0.0;
    for sample in &out.samples {
        let q = &sample.state.q;
        let pin = [0.05 * q[axle].cos(), 0.05 * q[axle].sin()];
        let span = (q[guide] - pin[0]).hypot(pin[1]);
        assert!((span - 0.12).abs() < 0.001 + EVENT, "{span}");
        nearest = nearest.max((span - 0.12).abs());
    }
    assert!(nearest > 0.9e-3, "the play is used: {nearest}");
    assert!(times(&out, EventKind::Impulse).len() > 4);
}

#[test]
fn a_cams_follower_leaves_and_lands_where_scipy_says() {
    // CubicSpline(bc_type="periodic") of cam.csv; it leaves at s̈ = −(g + k (preload + s)/m), flies as a spring pendulum, and lands:
    // when it leaves, when it lands, and how fast.
    const SCIPY: [f64; 3] =
        [0.031_945_682_226_119_99, 0.056_417_150_068_868_28, 0.296_785_317_207_860_8];
    let (_, out) = shipped("cam", &[]);
    let leaves = times(&out, EventKind::Release)[0];
    assert!((leaves - SCIPY[0]).abs() < EVENT, "{leaves}");
    let impact = &out.impacts[0];
    assert!((impact.onset - SCIPY[1]).abs() < EVENT, "{}", impact.onset);
    assert!((impact.approach_speed - SCIPY[2]).abs() < 1e-7, "{}", impact.approach_speed);
    // It floats in each of three turns.
    let turn = 0.1;
    for k in 0..3 {
        let floats = times(&out, EventKind::Release);
        let begins = f64::from(k) * turn;
        assert!(floats.iter().any(|t| (begins..begins + turn).contains(t)), "{floats:?}");
    }
    // Slowly it stays on the cam all the time.
    let (_, out) = shipped("cam", &[("parameters.speed", "360 rpm")]);
    assert!(out.impacts.is_empty() && times(&out, EventKind::Release).is_empty());
}

#[test]
fn an_escapement_lets_one_tooth_go_by_in_each_swing_of_its_balance() {
    let (opened, out) = shipped("escapement", &[]);
    let arbor = entry(&opened, "arbor");
    let name = |k: usize| opened.model().contacts[k].name.as_str();
    // The blows with which a pallet catches the wheel; those of left and right take turns.
    let caught = out.impacts.iter().filter(|i| i.approach_speed > 0.1 && i.onset > 0.1);
    let beats: Vec<(f64, bool, f64)> = caught
        .map(|i| {
            let at = out.samples.iter().find(|s| s.event && s.state.t == i.onset).unwrap();
            let is_left = name(i.spot.contact).split('.').next_back() == Some("left");
            (i.onset, is_left, at.state.q[arbor])
        })
        .collect();
    assert!(beats.len() > 12, "{beats:?}");
    let tooth = std::f64::consts::TAU / 12.0;
    for pair in beats.windows(2) {
        assert_ne!(pair[0].1, pair[1].1, "{beats:?}");
    }
    // The anchor's geometry gives one tooth a swing, up to how deep the pallet stands as it catches; the spring gives its period,
    // up to what the pushes on the pallets change.
    for swing in beats.windows(3) {
        assert!(((swing[2].2 - swing[0].2) / tooth - 1.0).abs() < 0.02, "{swing:?}");
        assert!((4.0 * (swing[2].0 - swing[0].0) - 1.0).abs() < 0.02, "{swing:?}");
    }
    // What the weight gave, from the angle of the wheel alone, is what was lost and what is left.
    let (first, last) = (&out.samples[0], out.samples.last().unwrap());
    let given = 1e-5 * (last.state.q[arbor] - first.state.q[arbor]);
    let energy =
        |l: &carom::simulate::Ledger| l.kinetic + l.potential + l.impulse_loss + l.damper_loss;
    let kept = energy(&last.ledger) - energy(&first.ledger);
    assert!((kept / given - 1.0).abs() < 1e-7, "{kept} {given}");
}
