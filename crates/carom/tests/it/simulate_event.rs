//! Events of runs: located, each once, in any order of the file, and none that is none.

use crate::simulate::{run, times, tried, wishes, written};
use carom::model::ContactTreatment::{Continuous, Piecewise};
use carom::simulate::{EventKind, SimulateError};

/// Errors of event times \[s\] that the issue allows.
const EVENT: f64 = 1e-10;

/// A ball over a floor, with h, v0, e and what else the contact needs.
pub fn ball(contact: &str) -> String {
    format!(
        "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n\
         [parameters]\nh = 0.5\nv0 = 0\ne = 0.5\n\
         [bodies.ball]\nmass = 1\nshape = {{ sphere = 0.1 }}\ncontact.surface = {{ sphere = 0.1 }}\n\
         [ground]\ncontact.floor = {{ plane = [0, 1] }}\n\
         [joints.fall]\ntype = \"prismatic\"\nconnects = [\"ground\", \"ball\"]\naxis = [0, 1]\n\
         position = \"0.1 + h\"\nvelocity = \"v0\"\n\
         [contacts.bounce]\nbetween = [\"ball.surface\", \"ground.floor\"]\n{contact}\n"
    )
}

/// The usual contact of it.
pub const HERTZIAN: &str = "restitution = \"e\"\nstiffness = \"1e9 N/m^1.5\"\nlaw = \"exact\"";

#[test]
fn a_ball_strikes_the_floor_when_galilei_says() {
    let opened = written(&ball(HERTZIAN), &[("parameters.v0", "1.3")]);
    let t = (1.3 + (1.3_f64 * 1.3 + 2.0 * 9.81 * 0.5).sqrt()) / 9.81;
    for treatment in [Continuous, Piecewise] {
        let out = run(&opened, &wishes("", treatment, 1.0, 1e-9));
        assert!((out.impacts[0].onset - t).abs() < EVENT, "{treatment:?}");
    }
}

#[test]
fn an_oscillator_strikes_its_stop_at_an_arc_sine() {
    // ẍ = −ω² x from x = 1 at rest to a stop at x = −½: t₁ = (2π/3)/ω. With e = 1 every period is twice that.
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n\
        [bodies.mass]\nmass = 2\nshape = { point = true }\ncontact.tip = { point = [0, 0] }\n\
        [ground]\ncontact.stop = { plane = [1, 0], at = [-0.5, 0] }\n\
        [joints.slide]\ntype = \"prismatic\"\nconnects = [\"ground\", \"mass\"]\naxis = [1, 0]\nposition = 1\nvelocity = 0\n\
        [loads.spring]\ntype = \"joint-spring\"\njoint = \"slide\"\nstiffness = 18\nrest = 0\n\
        [contacts.stop]\nbetween = [\"mass.tip\", \"ground.stop\"]\nrestitution = 1\n";
    let out = run(&written(text, &[]), &wishes("", Piecewise, 20.0, 1e-12));
    let first = 2.0 * std::f64::consts::PI / 3.0 / 3.0;
    assert_eq!(out.impacts.len(), 14);
    for (k, impact) in out.impacts.iter().enumerate() {
        let t = first * (2.0 * k as f64 + 1.0);
        assert!((impact.onset - t).abs() < EVENT, "impact {k}: {} against {t}", impact.onset);
        assert!((impact.approach_speed - 3.0 * 0.75_f64.sqrt()).abs() < EVENT);
    }
}

#[test]
fn ten_thousand_elastic_bounces_keep_their_energy() {
    let opened = written(&ball(HERTZIAN), &[("parameters.e", "1"), ("parameters.h", "0.01")]);
    let flight = (2.0 * 0.01_f64 / 9.81).sqrt();
    let out = run(&opened, &wishes("", Piecewise, 20_000.0 * flight, 1e-9));
    assert_eq!(out.impacts.len(), 10_000);
    let speed = 9.81 * flight;
    for impact in &out.impacts {
        assert!((impact.approach_speed / speed - 1.0).abs() < 5e-10, "{impact:?}");
    }
    assert!(out.drift < 1e-9 * 0.0981, "{}", out.drift);
}

#[test]
fn bounces_that_accumulate_end_in_a_contact_that_stays() {
    for (e, text) in [(0.5, "0.5"), (0.9, "0.9"), (0.1, "0.1")] {
        let opened = written(&ball(HERTZIAN), &[("parameters.e", text)]);
        let end = (2.0 * 0.5_f64 / 9.81).sqrt() * (1.0 + e) / (1.0 - e);
        let out = run(&opened, &wishes("", Piecewise, 1.2 * end, 1e-9));
        let last = out.events.last().unwrap();
        assert_eq!(last.kind, EventKind::Stays);
        assert_eq!(times(&out, EventKind::Stays).len(), 1);
        assert!((last.t - end).abs() < 1e-6 * (1.0 + end), "e = {e}: {} against {end}", last.t);
        let foretold = last.accumulation.unwrap();
        assert!((foretold - end).abs() < 1e-9 * (1.0 + end), "e = {e}: {foretold} against {end}");
        assert!((out.state.q[0] - 0.1).abs() < 1e-13 && out.state.v[0] == 0.0);
    }
}

/// A ball thrown up under a ceiling that its surface would pass by `dip`.
const CEILING: &str = "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n\
    [parameters]\ndip = 1e-3\n\
    [bodies.ball]\nmass = 1\nshape = { sphere = 0.1 }\ncontact.surface = { sphere = 0.1 }\n\
    [ground]\ncontact.ceiling = { plane = [0, -1], at = [0, \"9/(2*9.81) + 0.1 - dip\"] }\n\
    [joints.fly]\ntype = \"floating\"\nconnects = [\"ground\", \"ball\"]\nposition = [0, 0, 0]\nvelocity = [1, 3, 0]\n\
    [contacts.top]\nbetween = [\"ball.surface\", \"ground.ceiling\"]\nrestitution = 0.5\nstiffness = \"1e9 N/m^1.5\"\nlaw = \"exact\"\n";

#[test]
fn a_throw_under_a_low_ceiling_strikes_it_within_one_step() {
    for dip in ["0.1", "1e-3", "1e-6", "1e-9", "1e-12"] {
        let depth: f64 = dip.parse().unwrap();
        let opened = written(CEILING, &[("parameters.dip", dip)]);
        for treatment in [Continuous, Piecewise] {
            let out = run(&opened, &wishes("", treatment, 0.6, 1e-9));
            assert_eq!(out.impacts.len(), 1, "{dip} {treatment:?}");
            let impact = &out.impacts[0];
            // Gaps are known to 1e-16 m, and so speeds squared to 2 g times that.
            let u = (2.0 * 9.81 * depth).sqrt();
            assert!((impact.approach_speed - u).abs() < 1e-10 + 10.0 * (1e-16 / depth) * u);
            assert!(impact.parting.is_some(), "{dip} {treatment:?}: {impact:?}");
        }
    }
}

#[test]
fn a_throw_that_just_touches_the_ceiling_is_no_impact() {
    for dip in ["0", "-1e-12", "-1e-3"] {
        let opened = written(CEILING, &[("parameters.dip", dip)]);
        for treatment in [Continuous, Piecewise] {
            let out = run(&opened, &wishes("", treatment, 0.6, 1e-9));
            let struck = out.impacts.iter().any(|i| i.approach_speed > 1e-7);
            assert!(!struck, "{dip} {treatment:?}: {:?}", out.impacts);
            let free = 3.0 * 0.6 - 0.5 * 9.81 * 0.36;
            assert!((out.state.q[1] - free).abs() < 1e-8, "{dip}: {}", out.state.q[1]);
        }
    }
}

#[test]
fn a_rod_that_spins_without_force_does_not_pass_through_a_wall() {
    // Nothing bends its motion, so steps could be of many turns. Elastic: it is turned back, and comes round the other way.
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n[parameters]\nwall = 0.5\n\
        [bodies.rod]\nmass = 1\nshape = { rod = 2 }\ncontact.tip = { point = [1, 0] }\n\
        [ground]\ncontact.wall = { plane = [-1, 0], at = [\"wall\", 0] }\n\
        [joints.hub]\ntype = \"revolute\"\nconnects = [\"ground\", \"rod\"]\nposition = \"180 deg\"\nvelocity = 1\n\
        [contacts.tip]\nbetween = [\"rod.tip\", \"ground.wall\"]\nrestitution = 1\n";
    for wall in ["0.5", "0.99", "0.9999"] {
        let half = wall.parse::<f64>().unwrap().acos();
        let out =
            run(&written(text, &[("parameters.wall", wall)]), &wishes("", Piecewise, 20.0, 1e-9));
        let (first, between) = (std::f64::consts::PI - half, 2.0 * (std::f64::consts::PI - half));
        let expected = (0..20).filter(|k| first + between * f64::from(*k) < 20.0).count();
        assert_eq!(out.impacts.len(), expected, "{wall}");
        for (k, impact) in out.impacts.iter().enumerate() {
            assert!((impact.onset - first - between * k as f64).abs() < 1e-9, "{wall}: {impact:?}");
        }
    }
}

#[test]
fn a_start_at_rest_on_the_floor_is_no_impact() {
    let opened = written(&ball(HERTZIAN), &[("parameters.h", "0")]);
    let out = run(&opened, &wishes("", Piecewise, 1.0, 1e-9));
    assert!(out.impacts.is_empty());
    assert_eq!(out.events.len(), 1);
    assert_eq!((out.events[0].kind, out.events[0].t), (EventKind::Stays, 0.0));
    assert_eq!(out.state.q[0], 0.1);
    let out = run(&opened, &wishes("", Continuous, 0.3, 1e-6));
    let depth = (9.81_f64 / 1e9).powf(2.0 / 3.0);
    assert!((0.1 - out.state.q[0] - depth).abs() < 1e-3 * depth, "{:?}", out.state);
    assert!(out.impacts[0].approach_speed < 1e-12 && out.impacts[0].restitution().is_none());
}

#[test]
fn a_start_inside_the_floor_is_refused_with_the_depth() {
    let opened = written(&ball(HERTZIAN), &[("parameters.h", "-0.001")]);
    for treatment in [Continuous, Piecewise] {
        let error = tried(&opened, &wishes("", treatment, 1.0, 1e-9)).unwrap_err();
        let SimulateError::Penetrating { contact, depth, .. } = &error.reason else {
            panic!("{error}")
        };
        assert_eq!(contact, "bounce");
        assert!((depth - 1e-3).abs() < 1e-15, "{depth}");
        assert!(error.to_string().contains("0.001"), "{error}");
    }
}

#[test]
fn a_start_on_the_floor_that_moves_away_flies() {
    let opened = written(&ball(HERTZIAN), &[("parameters.h", "0"), ("parameters.v0", "1")]);
    for treatment in [Continuous, Piecewise] {
        let out = run(&opened, &wishes("", treatment, 0.3, 1e-9));
        assert_eq!(out.impacts.len(), 1, "{treatment:?}");
        assert!((out.impacts[0].onset - 2.0 / 9.81).abs() < EVENT, "{treatment:?}");
    }
}

/// A rod that falls flat on both its ends.
fn flat_rod(first: &str, second: &str) -> String {
    let contact = |end: &str| {
        format!(
            "[contacts.{end}]\nbetween = [\"rod.{end}\", \"ground.floor\"]\nrestitution = 0.5\n\
             stiffness = \"1e7 N/m^1.5\"\nlaw = \"exact\"\n"
        )
    };
    format!(
        "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n\
         [bodies.rod]\nmass = 2\nshape = {{ rod = 1 }}\ncontact.left = {{ point = [-0.5, 0] }}\ncontact.right = {{ point = [0.5, 0] }}\n\
         [ground]\ncontact.floor = {{ plane = [0, 1] }}\n\
         [joints.free]\ntype = \"floating\"\nconnects = [\"ground\", \"rod\"]\nposition = [0, 0.1, 0]\nvelocity = [0.3, 0, 0]\n{}{}",
        contact(first),
        contact(second)
    )
}

#[test]
fn two_contacts_at_one_instant_do_not_depend_on_their_order_in_the_file() {
    for treatment in [Continuous, Piecewise] {
        let runs = [("left", "right"), ("right", "left")]
            .map(|(a, b)| run(&written(&flat_rod(a, b), &[]), &wishes("", treatment, 0.35, 1e-9)));
        for out in &runs {
            assert!(
                out.state.q[2].abs() < 1e-12,
                "{treatment:?}: the rod tilts, {}",
                out.state.q[2]
            );
            for pair in out.impacts.chunks(2) {
                let [a, b] = pair else { panic!("one end alone: {:?}", pair[0]) };
                assert!((a.onset - b.onset).abs() < 1e-13, "{a:?} {b:?}");
                let parted = (a.parting.unwrap() - b.parting.unwrap()).abs();
                assert!(parted < 1e-13, "{a:?} {b:?}");
            }
        }
        let [a, b] = &runs;
        assert_eq!(a.impacts.len(), b.impacts.len());
        for (a, b) in a.impacts.iter().zip(&b.impacts) {
            assert!((a.onset - b.onset).abs() < 1e-12, "{a:?} {b:?}");
        }
    }
}

#[test]
fn a_plastic_impact_stays_and_is_no_accumulation() {
    let contact = "restitution = 0";
    let out = run(&written(&ball(contact), &[]), &wishes("", Piecewise, 1.0, 1e-9));
    let kinds: Vec<EventKind> = out.events.iter().map(|e| e.kind).collect();
    assert_eq!(kinds, [EventKind::Impulse, EventKind::Stays]);
    assert!(out.events[1].accumulation.is_none(), "{:?}", out.events);
    assert!((out.impacts[0].energy_lost - 9.81 * 0.5).abs() < 1e-12);
}

#[test]
fn the_same_bits_come_out_of_every_run() {
    let opened = written(&flat_rod("left", "right"), &[]);
    for treatment in [Continuous, Piecewise] {
        let asked = wishes("", treatment, 0.5, 1e-9);
        let (a, b) = (run(&opened, &asked), run(&opened, &asked));
        assert_eq!(a.samples, b.samples);
        assert_eq!(a.impacts, b.impacts);
        assert_eq!(a.contacts, b.contacts);
        assert_eq!((a.counts, a.drift.to_bits()), (b.counts, b.drift.to_bits()));
    }
}

#[test]
fn a_step_that_would_lead_through_two_bodies_ends_before_their_axes_cross() {
    // Capsules, one with its end towards the side of the other: nothing but the impact shortens a step.
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n\
                [bodies.a]\nmass = 1\ninertia = 0.01\ncontact.s = { capsule = 0.01, from = [-0.3, 0], to = [0.3, 0] }\n\
                [bodies.b]\nmass = 1\ninertia = 0.01\ncontact.s = { capsule = 0.01, from = [0, -0.1], to = [0, 0.1] }\n\
                [joints.a]\ntype = \"floating\"\nconnects = [\"ground\", \"a\"]\n\
                [joints.b]\ntype = \"floating\"\nconnects = [\"ground\", \"b\"]\nposition = [0.1, 1.12, 0]\nvelocity = [0, -10, 0]\n\
                [contacts.c]\nbetween = [\"a.s\", \"b.s\"]\nrestitution = 0.5\n";
    for tolerance in [1e-6, 1e-9, 1e-12] {
        let out = run(&written(text, &[]), &wishes("", Piecewise, 0.11, tolerance));
        assert_eq!(out.impacts.len(), 1);
        assert!((out.impacts[0].onset - 0.1).abs() < 1e-13, "{}", out.impacts[0].onset);
    }
}
