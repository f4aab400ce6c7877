//! Events of the user: each found once, where closed forms say.

use crate::simulate::{model, run, tried, wishes, written};
use crate::simulate_event::{HERTZIAN, ball};
use carom::dynamics::Mechanism;
use carom::file::{Opened, open_text};
use carom::maths::elliptic::CompleteElliptic;
use carom::model::ContactTreatment::{Continuous, Piecewise};
use carom::simulate::{
    EventKind, MotionError, Outcome, Scenario, SimulateError, Stopped, Wishes, resume,
    simulate_with,
};

/// What the issue allows \[s\].
const EVENT: f64 = 1e-10;

/// (time, rises) of the events of a name.
fn of(opened: &Opened, out: &Outcome, name: &str) -> Vec<(f64, bool)> {
    let k = opened.model().events.iter().position(|e| e.name == name).unwrap();
    let own = out.user_events.iter().filter(|e| e.event == k);
    own.map(|e| (e.t, e.rises)).collect()
}

/// A file with events behind it.
fn with(text: &str, events: &str) -> Opened {
    written(&format!("{text}\n{events}"), &[])
}

#[test]
fn a_ball_passes_a_height_where_galilei_says() {
    // From 0.6 m upwards at 2 m/s; 0.7 m is passed twice, 0.85 m not, the top is where v = 0.
    let text = ball(HERTZIAN).replace("v0 = 0", "v0 = 2");
    let opened = with(
        &text,
        "[events.both]\nexpression = \"q.fall - 0.7\"\n\
         [events.up]\nexpression = \"q.fall - 0.7\"\nwhen = \"rises\"\n\
         [events.down]\nexpression = \"q.fall - 0.7\"\nwhen = \"falls\"\n\
         [events.over]\nexpression = \"q.fall - 0.85\"\n\
         [events.top]\nexpression = \"v.fall\"\n\
         [events.clock]\nexpression = \"t - 0.1234\"\n\
         [events.open]\nexpression = \"gap.bounce - 600 mm\"\n",
    );
    for treatment in [Continuous, Piecewise] {
        let out = run(&opened, &wishes("", treatment, 0.5, 1e-9));
        let root = (4.0_f64 - 2.0 * 9.81 * 0.1).sqrt();
        let [up, down] = [(2.0 - root) / 9.81, (2.0 + root) / 9.81];
        let expect = |name: &str, times: &[(f64, bool)]| {
            let found = of(&opened, &out, name);
            assert_eq!(found.len(), times.len(), "{name}: {found:?}");
            for (ours, theirs) in found.iter().zip(times) {
                assert!((ours.0 - theirs.0).abs() < EVENT, "{name}: {found:?} {times:?}");
                assert_eq!(ours.1, theirs.1, "{name}: {found:?} {times:?}");
            }
        };
        expect("both", &[(up, true), (down, false)]);
        expect("up", &[(up, true)]);
        expect("down", &[(down, false)]);
        expect("over", &[]);
        expect("top", &[(2.0 / 9.81, false)]);
        expect("clock", &[(0.1234, true)]);
        expect("open", &[(up, true), (down, false)]);
        for record in &out.user_events {
            let at = out.samples.iter().any(|s| s.event && s.state.t == record.t);
            assert!(at, "the trajectory has a sample at {record:?}");
        }
    }
}

/// A pendulum of a uniform rod, 1 m, from 2 rad beside the vertical.
const PENDULUM: &str = "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n\
    [bodies.rod]\nmass = 2\nshape = { rod = 1 }\n\
    [joints.pivot]\ntype = \"revolute\"\nconnects = [\"ground\", \"rod\"]\n\
    at = [[0, 0], [-0.5, 0]]\nposition = \"-pi/2 + 2\"\n\
    [simulation]\nduration = 20\n";

#[test]
fn a_pendulum_passes_the_vertical_at_quarters_of_its_period() {
    let opened = with(
        PENDULUM,
        "[events.vertical]\nexpression = \"q.pivot + pi/2\"\n\
         [events.rest]\nexpression = \"v.pivot\"\n",
    );
    let out = run(&opened, &wishes("", Continuous, 20.0, 1e-13));
    // T = 4 √(2L/3g) K(k), k = sin θ₀/2: k_c = cos 1.
    let quarter = (2.0 / 3.0 / 9.81_f64).sqrt() * CompleteElliptic::new(1.0_f64.cos()).K;
    let found = of(&opened, &out, "vertical");
    let within = |every: f64, first: f64| {
        (0..100).filter(|n| (f64::from(*n) * every + first) * quarter < 20.0).count()
    };
    assert_eq!(found.len(), within(2.0, 1.0));
    for (n, (t, rises)) in found.iter().enumerate() {
        let expected = (2.0 * n as f64 + 1.0) * quarter;
        assert!((t - expected).abs() < EVENT, "{n}: {t} against {expected}");
        assert_eq!(*rises, n % 2 == 1);
    }
    // It starts at rest: that is no event, since nothing was left.
    let rests = of(&opened, &out, "rest");
    for (n, (t, _)) in rests.iter().enumerate() {
        assert!((t - 2.0 * (n as f64 + 1.0) * quarter).abs() < EVENT, "{n}: {t}");
    }
    assert_eq!(rests.len(), within(2.0, 2.0));
}

#[test]
fn an_expression_that_dips_and_returns_within_a_step_is_found() {
    // The top of a throw, above a line by `dip`: both crossings, 2 √(2 dip/g) apart.
    for dip in [1e-2, 1e-4, 1e-6, 1e-9] {
        let text = ball(HERTZIAN).replace("v0 = 0", "v0 = 2");
        let line =
            format!("[events.line]\nexpression = \"q.fall - (0.6 + 4/(2*9.81) - {dip:e})\"\n");
        let opened = with(&text, &line);
        let out = run(&opened, &wishes("", Piecewise, 0.5, 1e-9));
        let found = of(&opened, &out, "line");
        assert_eq!(found.len(), 2, "{dip}: {found:?}");
        let half = (2.0 * dip / 9.81_f64).sqrt();
        for ((t, rises), expected) in found.iter().zip([-half, half]) {
            // Heights are known to 1e-16 m, and so times to 1e-16/(g half).
            let off = (t - 2.0 / 9.81 - expected).abs();
            assert!(off < EVENT + 1e-15 / (9.81 * half), "{dip}: {found:?}");
            assert_eq!(*rises, expected < 0.0);
        }
    }
}

#[test]
fn an_oscillation_faster_than_the_steps_is_followed() {
    // Nothing accelerates: steps could be as long as the run.
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n\
        [bodies.cart]\nmass = 1\nshape = { point = true }\n\
        [joints.rail]\ntype = \"prismatic\"\nconnects = [\"ground\", \"cart\"]\nvelocity = 1\n\
        [events.wave]\nexpression = \"sin(2*pi*10*t) - 0.5\"\nwhen = \"rises\"\n\
        [events.corner]\nexpression = \"abs(q.rail - 3.3) - 0.001\"\n\
        [events.step]\nexpression = \"sign(q.rail - 7.7)\"\n";
    let opened = written(text, &[]);
    let out = run(&opened, &wishes("", Continuous, 10.0, 1e-9));
    let waves = of(&opened, &out, "wave");
    assert_eq!(waves.len(), 100);
    for (n, (t, _)) in waves.iter().enumerate() {
        assert!((t - (n as f64 + 1.0 / 12.0) / 10.0).abs() < EVENT, "{n}: {t}");
    }
    let corner = of(&opened, &out, "corner");
    assert_eq!(corner.len(), 2, "{corner:?}");
    assert!((corner[0].0 - 3.299).abs() < EVENT && (corner[1].0 - 3.301).abs() < EVENT);
    let step = of(&opened, &out, "step");
    assert!(step.len() == 1 && (step[0].0 - 7.7).abs() < EVENT, "{step:?}");
}

#[test]
fn an_event_at_the_instant_of_an_impact_and_one_by_its_jump_are_written_down_once() {
    let opened = with(
        &ball(HERTZIAN),
        "[events.floor]\nexpression = \"q.fall - 0.1\"\nwhen = \"falls\"\n\
         [events.turn]\nexpression = \"v.fall\"\nwhen = \"rises\"\n\
         [events.touch]\nexpression = \"gap.bounce\"\nwhen = \"falls\"\n",
    );
    for treatment in [Continuous, Piecewise] {
        let out = run(&opened, &wishes("", treatment, 0.7, 1e-9));
        let onsets: Vec<f64> = out.impacts.iter().map(|i| i.onset).collect();
        assert_eq!(onsets.len(), 2, "{treatment:?}");
        for name in ["floor", "touch"] {
            let found = of(&opened, &out, name);
            assert_eq!(found.len(), 2, "{name} {treatment:?}: {found:?} {onsets:?}");
            for (ours, onset) in found.iter().zip(&onsets) {
                assert!((ours.0 - onset).abs() < 1e-12, "{name} {treatment:?}: {found:?}");
            }
        }
        // An impulse turns the ball at once, a law at its greatest indentation.
        let turns = of(&opened, &out, "turn");
        assert_eq!(turns.len(), 2, "{treatment:?}: {turns:?}");
        for (turn, impact) in turns.iter().zip(&out.impacts) {
            let expected = impact.time_of_max_indentation;
            assert!(
                (turn.0 - expected).abs() < 1e-9,
                "{treatment:?}: {turns:?} {}",
                turn.0 - expected
            );
        }
    }
}

#[test]
fn an_event_that_stays_at_zero_happens_once() {
    let opened = with(&ball("restitution = 0"), "[events.floor]\nexpression = \"gap.bounce\"\n");
    let out = run(&opened, &wishes("", Piecewise, 2.0, 1e-9));
    let found = of(&opened, &out, "floor");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, out.impacts[0].onset);
}

#[test]
fn an_event_that_stops_ends_the_run_there() {
    let opened = with(
        PENDULUM,
        "[events.low]\nexpression = \"q.pivot + pi/2\"\nwhen = \"falls\"\nthen = \"stop\"\n",
    );
    let out = run(&opened, &wishes("", Continuous, 20.0, 1e-12));
    assert_eq!(out.ended_by, Some(0));
    assert_eq!(out.user_events.len(), 1);
    assert_eq!(out.state.t, out.user_events[0].t);
    assert!((out.state.q[0] + std::f64::consts::FRAC_PI_2).abs() < 1e-14);
    assert_eq!(out.samples.last().unwrap().state, out.state);
    // The stop of an impact stands behind it.
    let floor = "[events.floor]\nexpression = \"q.fall - 0.1\"\nthen = \"stop\"\n";
    let opened = with(&ball(HERTZIAN), floor);
    let out = run(&opened, &wishes("", Piecewise, 2.0, 1e-9));
    assert_eq!((out.ended_by, out.impacts.len()), (Some(0), 1));
    assert!(out.state.v[0] > 0.0, "the impulse is over");
    assert_eq!(out.events.last().unwrap().kind, EventKind::Impulse);
    let plan = scenario(&opened, &wishes("", Piecewise, 2.0, 1e-9));
    let error = resume(opened.model(), &plan, out, &mut |_| true).unwrap_err();
    assert!(error.to_string().contains("an event ended it"), "{error}");
}

fn scenario(machine: &Opened, wishes: &Wishes) -> Scenario {
    let mut mechanism = Mechanism::new(machine.model());
    Scenario::new(&mechanism.at(&machine.assembled.state).unwrap(), wishes).unwrap()
}

#[test]
fn a_run_with_events_stopped_anywhere_has_the_same_bits() {
    let text = ball(HERTZIAN)
        + "[events.line]\nexpression = \"q.fall - 0.2\"\n\
           [events.turn]\nexpression = \"v.fall\"\nwhen = \"rises\"\n";
    let machine = written(&text, &[]);
    for treatment in [Continuous, Piecewise] {
        let plan = scenario(&machine, &wishes("", treatment, 1.0, 1e-9));
        let start = &machine.assembled.state;
        let whole = simulate_with(machine.model(), start, &plan, &mut |_| true).unwrap();
        assert!(whole.user_events.len() > 4, "{:?}", whole.user_events);
        for steps in [1, 3] {
            let mut last = 0;
            let mut out = simulate_with(machine.model(), start, &plan, &mut |p| p.steps < steps);
            while let Err(Stopped { reason: SimulateError::Interrupted { .. }, outcome }) = out {
                let reached = *outcome.unwrap();
                last = reached.counts.steps.max(last);
                out = resume(machine.model(), &plan, reached, &mut |p| p.steps < last + steps);
            }
            assert_eq!(out.unwrap(), whole);
        }
    }
}

#[test]
fn an_expression_without_a_value_stops_the_run_and_says_where() {
    let opened = with(PENDULUM, "[events.odd]\nexpression = \"sqrt(0.5 - t) - 0.1\"\n");
    let reason = tried(&opened, &wishes("", Continuous, 20.0, 1e-9)).unwrap_err().reason;
    let SimulateError::Motion { error: MotionError::EventNotFinite { event, .. }, .. } = &reason
    else {
        panic!("{reason:?}")
    };
    assert_eq!(event, "odd");
    let shown = opened.loaded.explain_simulation(&reason);
    assert!(shown.contains("test.toml:") && shown.contains("events.odd.expression"), "{shown}");
}

#[test]
fn events_with_mistakes_are_refused_with_their_lines() {
    let refused = |events: &str| {
        let text = format!("{PENDULUM}{events}");
        open_text("test.toml", &text, &[]).unwrap_err().to_string()
    };
    let line = PENDULUM.lines().count() + 2;
    let message = refused("[events.a]\nexpression = \"q.pivo - 1\"\n");
    assert!(message.contains(&format!("test.toml:{line}:")), "{message}");
    assert!(message.contains("pivot"), "{message}");
    assert!(refused("[events.a]\nexpression = \"gap.floor\"\n").contains("gap.floor"));
    assert!(refused("[events.a]\nexpression = \"2 + 3\"\n").contains("depends on nothing"));
    assert!(refused("[events.a]\nwhen = \"rises\"\n").contains("`expression` is missing"));
    let message = refused("[events.a]\nexpression = \"t\"\nwhen = \"rise\"\n");
    assert!(message.contains("`rises`"), "{message}");
    let message = refused("[events.a]\nexpression = \"t\"\nthen = \"halt\"\n");
    assert!(message.contains("record") && message.contains("stop"), "{message}");
    let load = "[loads.a]\ntype = \"effort\"\njoint = \"pivot\"\neffort = \"gap.x\"\n";
    assert!(refused(load).contains("gap.x"), "gaps belong to events alone");
}

#[test]
fn the_bar_reports_its_wall_while_contacts_stay() {
    // An event on a staying contact's body: y_w = 5 cm, against the motion's own samples.
    let opened = model(
        "004/bar.toml",
        &[("events.wall.expression", "q.wall_slide - 0.05"), ("events.wall.when", "rises")],
    );
    let out = run(&opened, &wishes("", Piecewise, 2.0, 1e-11));
    let found = of(&opened, &out, "wall");
    assert!(!found.is_empty());
    for (t, _) in found {
        let at = out.samples.iter().find(|s| s.event && s.state.t == t).unwrap();
        assert!((at.state.q[2] - 0.05).abs() < 1e-12, "{t}");
    }
}
