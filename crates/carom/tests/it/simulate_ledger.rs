//! What has to stay constant over a run: the ledger, closures, angular momentum.

use crate::simulate::{model, run, tried, wishes, written};
use carom::dynamics::{Mechanism, Projection};
use carom::maths::Vec3;
use carom::model::ContactTreatment::{self, Continuous, Piecewise};
use carom::simulate::{Outcome, SimulateError, Stopped};

/// Gaps of contacts that stay \[m\], between steps: the tolerance.
const STAYING: f64 = 1e-9;

/// The largest energy of a run.
fn energy(out: &Outcome) -> f64 {
    let of = |s: &carom::simulate::Sample| {
        let l = &s.ledger;
        l.kinetic.abs().max(l.potential.abs()).max(l.load_work.abs()).max(l.damper_loss.abs())
    };
    out.samples.iter().map(of).fold(0.0, f64::max)
}

/// File, law of a continuous run (none: piecewise), end.
const RUNS: [(&str, Option<&str>, f64); 27] = [
    ("000/two-pendulums.toml", Some("poursina-nikravesh"), 8.0),
    ("000/two-pendulums.toml", None, 8.0),
    ("000/rod-on-wall.toml", None, 5.0),
    ("000/sliding-mass.toml", None, 2.0),
    ("000/double-pendulum-strikes-pendulum.toml", None, 5.0),
    ("000/slider-crank.toml", None, 5.0),
    ("001/two-spheres.toml", Some("flores"), 1e-3),
    ("001/two-spheres.toml", None, 1e-3),
    ("001/ball-on-table.toml", Some("flores"), 1.03),
    ("001/ball-on-table.toml", None, 3.0),
    ("002/two-discs.toml", Some("exact"), 0.1),
    ("002/two-discs.toml", None, 0.1),
    ("002/double-pendulum.toml", Some("gonthier"), 0.05),
    ("002/double-pendulum.toml", None, 1.0),
    ("002/pantograph.toml", Some("exact"), 0.1),
    ("002/pantograph.toml", None, 1.0),
    ("002/wheeled-robot.toml", Some("gonthier"), 0.1),
    ("002/wheeled-robot.toml", None, 1.0),
    ("004/bar.toml", None, 5.0),
    ("bennett.toml", None, 5.0),
    ("box-on-plane.toml", None, 1.0),
    ("bricard.toml", None, 2.0),
    ("four-bar.toml", None, 2.0),
    ("robot-arm.toml", None, 2.0),
    ("spatial-four-bar.toml", None, 5.0),
    ("three-crank-parallelogram.toml", None, 1.0),
    ("two-ends-of-one-chain.toml", None, 2.0),
];

#[test]
fn the_ledger_of_every_model_balances() {
    const TOLERANCE: f64 = 1e-9;
    for (file, law, until) in RUNS {
        let treatment = if law.is_some() { Continuous } else { Piecewise };
        let out = run(&model(file, &[]), &wishes(law.unwrap_or(""), treatment, until, TOLERANCE));
        let allowed = 100.0 * TOLERANCE * energy(&out);
        assert!(out.drift <= allowed, "{file} {law:?}: {} of {allowed}", out.drift);
        assert!(!out.impacts.is_empty(), "{file} strikes");
    }
}

#[test]
fn closed_loops_stay_closed_for_any_length_of_run() {
    /// \[m or rad\].
    const DRIFT: f64 = 1e-10;
    for file in ["four-bar.toml", "bricard.toml", "000/slider-crank.toml", "bennett.toml"] {
        let opened = model(file, &[]);
        let out = run(&opened, &wishes("", Piecewise, 20.0, 1e-9));
        let mut mechanism = Mechanism::new(opened.model());
        let mut state = out.state.clone();
        let mut projection = Projection::new(mechanism.at(&out.state).unwrap().layout());
        let gap = mechanism.project(&mut state, &mut projection).unwrap();
        assert!(gap <= DRIFT, "{file}: {gap}");
        // Within one step a closure opens by no more than the error of the step.
        assert!(out.closure_gap <= 1e-9, "{file}: {}", out.closure_gap);
        let at = mechanism.at(&out.state).unwrap();
        let rates = at.closure_rates(out.state.v.as_slice());
        assert!(rates.iter().all(|r| r.abs() <= DRIFT), "{file}: {rates:?}");
    }
}

/// A parallelogram of unequal masses that turns through its flat position.
const FLAT: &str = "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n\
    [bodies.crank]\nmass = 1\nshape = { rod = 1 }\n[bodies.coupler]\nmass = 1\nshape = { rod = 2 }\n[bodies.rocker]\nmass = 2\nshape = { rod = 1 }\n\
    [joints.a]\ntype = \"revolute\"\nconnects = [\"ground\", \"crank\"]\nat = [[0, 0], [-0.5, 0]]\nposition = \"60 deg\"\nvelocity = -1\n\
    [joints.b]\ntype = \"revolute\"\nconnects = [\"crank\", \"coupler\"]\nat = [[0.5, 0], [-1, 0]]\nguess = \"-60 deg\"\n\
    [joints.c]\ntype = \"revolute\"\nconnects = [\"coupler\", \"rocker\"]\nat = [[1, 0], [0.5, 0]]\nguess = \"60 deg\"\n\
    [closures.d]\ntype = \"revolute\"\nconnects = [\"ground\", \"rocker\"]\nat = [[2, 0], [-0.5, 0]]\n\
    [simulation]\nduration = 3\n";

#[test]
fn a_four_bar_that_passes_its_flat_position_goes_on_or_says_where_it_stopped() {
    match tried(&written(FLAT, &[]), &wishes("", Piecewise, 3.0, 1e-9)) {
        Ok(out) => assert!(out.closure_gap < 1e-10 && out.drift < 1e-7, "{}", out.drift),
        Err(Stopped { reason: error, outcome: Some(out) }) => {
            let (SimulateError::Motion { t, .. } | SimulateError::StepTooSmall { t, .. }) = error
            else {
                panic!("{error}")
            };
            // Flat where the crank lies along the base: after 60° at 1 rad/s.
            assert!((t - 60.0_f64.to_radians()).abs() < 0.1, "{error}");
            assert!(!out.samples.is_empty(), "what was reached is kept");
        }
        Err(stopped) => panic!("{stopped}"),
    }
}

#[test]
fn a_free_top_keeps_energy_and_angular_momentum() {
    // Near the middle axis: it tumbles.
    let text = "carom = 1\nspace = \"spatial\"\ngravity = [0, 0, 0]\n\
        [bodies.top]\nmass = 2\ninertia = [0.1, 0.2, 0.25]\n\
        [joints.free]\ntype = \"floating\"\nconnects = [\"ground\", \"top\"]\nposition = [0, 0, 0, 0, 0, 0]\n\
        velocity = [0.3, -0.2, 0.1, 0.05, 3, 0.02]\n";
    let out = run(&written(text, &[]), &wishes("", Continuous, 60.0, 1e-10));
    let momentum = |s: &carom::simulate::Sample| {
        let q = &s.state.q;
        let (w, u) = (q[3], Vec3::new(q[4], q[5], q[6]));
        let omega = Vec3::new(s.state.v[3], s.state.v[4], s.state.v[5]);
        // R x = x + 2 w (u × x) + 2 u × (u × x); Rᵀ with −w.
        let turned = |w: f64, x: Vec3| x + 2.0 * w * u.cross(&x) + 2.0 * u.cross(&u.cross(&x));
        let own = turned(-w, omega);
        turned(w, Vec3::new(0.1 * own.x, 0.2 * own.y, 0.25 * own.z))
    };
    let first = momentum(&out.samples[0]);
    let mut flipped = false;
    for sample in &out.samples {
        let off = (momentum(sample) - first).norm() / first.norm();
        assert!(off < 1e-7, "L moves by {off} until {}", sample.state.t);
        // The body's y axis, along which it began to turn, comes to lie against the spin.
        let q = &sample.state.q;
        flipped |= 1.0 - 2.0 * (q[4] * q[4] + q[6] * q[6]) < -0.9;
        let norm: f64 = (3..7).map(|k| sample.state.q[k].powi(2)).sum();
        assert!((norm - 1.0).abs() < 1e-9, "{norm}");
    }
    assert!(flipped, "it tumbles");
    assert!(out.drift < 1e-8 * energy(&out), "{}", out.drift);
    let drifted = 0.3 * 60.0;
    assert!((out.state.q[0] - drifted).abs() < 1e-8, "the centre flies straight");
}

#[test]
fn a_contact_that_stays_keeps_its_gap_for_any_length_of_run() {
    // A rod rests with its tip on the floor while its pivot is driven up and down: it turns all the time.
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n\
        [bodies.cart]\nmass = 1\nshape = { point = true }\n\
        [bodies.rod]\nmass = 1\nshape = { rod = 1 }\ncontact.tip = { point = [0.5, 0] }\n\
        [ground]\ncontact.floor = { plane = [0, 1] }\n\
        [joints.lift]\ntype = \"prismatic\"\nconnects = [\"ground\", \"cart\"]\naxis = [0, 1]\n\
        [joints.pivot]\ntype = \"revolute\"\nconnects = [\"cart\", \"rod\"]\nat = [[0, 0], [-0.5, 0]]\nposition = \"-30 deg\"\nvelocity = \"-0.1*3/cos(30 deg)\"\n\
        [drives.lift]\njoint = \"lift\"\nmotion = \"0.5 + 0.1*sin(3*t)\"\n\
        [contacts.tip]\nbetween = [\"rod.tip\", \"ground.floor\"]\nrestitution = 0\n";
    let out = run(&written(text, &[]), &wishes("", Piecewise, 60.0, 1e-9));
    assert_eq!(out.events.last().unwrap().t, 0.0, "{:?}", out.events);
    for sample in &out.samples {
        let gap = sample.state.q[0] + sample.state.q[1].sin();
        assert!(gap.abs() < STAYING, "{gap} at {}", sample.state.t);
    }
    let last = out.state.q[0] + out.state.q[1].sin();
    assert!(last.abs() < 1e-12, "{last} at the end of a step");
    assert!(out.drift < 1e-7 * energy(&out), "{}", out.drift);
}

#[test]
fn the_work_of_a_drive_is_in_the_ledger() {
    // A mass on a driven slide: x = sin 2t. The drive gives ½ m (ẋ² − ẋ₀²).
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n\
        [bodies.mass]\nmass = 3\nshape = { point = true }\n\
        [joints.slide]\ntype = \"prismatic\"\nconnects = [\"ground\", \"mass\"]\naxis = [1, 0]\n\
        [drives.slide]\njoint = \"slide\"\nmotion = \"sin(2*t)\"\n";
    let out = run(&written(text, &[]), &wishes("", Continuous, 2.0, 1e-10));
    for sample in &out.samples {
        let t = sample.state.t;
        let work = 1.5 * 4.0 * ((2.0 * t).cos().powi(2) - 1.0);
        assert!((sample.ledger.drive_work - work).abs() < 1e-7, "{t}: {:?}", sample.ledger);
    }
    // An impulse against a driven table: the drive's work closes the ledger, too.
    let table = run(
        &model("001/ball-on-table.toml", &[]),
        &wishes("", ContactTreatment::Piecewise, 2.0, 1e-9),
    );
    assert!(table.drift < 1e-7 * energy(&table), "{}", table.drift);
}
