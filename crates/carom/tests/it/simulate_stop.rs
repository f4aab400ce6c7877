//! Joints between stops.

use crate::simulate::{run, times, tried, wishes, written};
use carom::dynamics::Mechanism;
use carom::model::ContactTreatment::{Continuous, Piecewise};
use carom::simulate::{EventKind, SimulateError};

/// Closed forms of event times: 1e-10 s is the bar of runs.
const EVENT: f64 = 1e-10;

/// A rod on a torsion spring, ω = 5 rad/s, released at rest from 1 rad, with stops.
fn rod(stops: &str) -> String {
    format!(
        "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n\
         [bodies.rod]\nmass = 3\nshape = {{ rod = 2 }}\n\
         [joints.pin]\ntype = \"revolute\"\nconnects = [\"ground\", \"rod\"]\nat = [[0, 0], [-1, 0]]\nposition = 1\n\
         [loads.spring]\ntype = \"joint-spring\"\njoint = \"pin\"\nstiffness = \"100 N m/rad\"\n\
         [contacts.stop]\njoint = \"pin\"\n{stops}\n"
    )
}

#[test]
fn a_torsion_oscillator_strikes_its_stop_at_an_arc_cosine() {
    // I = m L²/3 = 4 kg m², ω = 5 rad/s: cos ωt = −½ at the stop.
    let text = rod(
        "lower = \"-0.5 rad\"\nrestitution = 1\nlaw = \"hertz\"\nstiffness = \"1e9 N m/rad^1.5\"",
    );
    let first = (2.0 * std::f64::consts::PI / 3.0) / 5.0;
    for treatment in [Piecewise, Continuous] {
        let out = run(&written(&text, &[]), &wishes("", treatment, 2.0, 1e-11));
        let impact = &out.impacts[0];
        assert!((impact.onset - first).abs() < EVENT, "{}", impact.onset);
        assert!((impact.effective_mass - 4.0).abs() < 1e-13);
        assert!((impact.approach_speed - 5.0 * 0.75_f64.sqrt()).abs() < 1e-10);
        if let Some(peak) = impact.peak_force {
            // ½ I u² = K δ^(5/2)/(5/2) + ½ k ((½ + δ)² − ¼), by iteration.
            let mut depth: f64 = 1e-3;
            for _ in 0..50 {
                let spring = 50.0 * ((0.5 + depth).powi(2) - 0.25);
                depth = (2.5 * (0.5 * 4.0 * 25.0 * 0.75 - spring) / 1e9).powf(0.4);
            }
            let elastic = 1e9 * depth.powf(1.5);
            assert!((peak / elastic - 1.0).abs() < 1e-9, "{peak} {elastic}");
        }
    }
    let out = run(&written(&text, &[]), &wishes("", Piecewise, 6.0, 1e-11));
    for (k, t) in times(&out, EventKind::Impulse).iter().enumerate() {
        let expected = first * (1.0 + 2.0 * k as f64);
        assert!((t - expected).abs() < EVENT, "{k}: {t} {expected}");
    }
}

#[test]
fn a_slider_between_two_stops_hits_them_in_turn() {
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n\
         [bodies.cart]\nmass = 2\nshape = { point = true }\n\
         [joints.rail]\ntype = \"prismatic\"\nconnects = [\"ground\", \"cart\"]\naxis = [1, 0]\nposition = 0.2\nvelocity = 3\n\
         [contacts.ends]\njoint = \"rail\"\nlower = \"-0.1 m\"\nupper = \"0.5 m\"\nrestitution = 0.5\n";
    let out = run(&written(text, &[]), &wishes("", Piecewise, 1.0, 1e-10));
    // 0.3 m at 3 m/s, 0.6 m at 1.5 m/s, 0.6 m at 0.75 m/s.
    let expected = [(0.1, 1), (0.5, 0)];
    let found: Vec<_> = out.impacts.iter().map(|i| (i.onset, i.spot.point)).collect();
    assert_eq!(found.len(), 2, "{found:?}");
    for ((t, point), (t_expected, point_expected)) in found.iter().zip(expected) {
        assert!((t - t_expected).abs() < EVENT, "{t}");
        assert_eq!(*point, point_expected);
    }
    assert!((out.impacts[1].effective_mass - 2.0).abs() < 1e-14);
}

#[test]
fn an_arm_falls_on_a_stop_stays_and_leaves_when_it_is_lifted() {
    // A torque that grows by 40 N m a second lifts the arm of 3 · 9.81 N m when it is level.
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n\
         [bodies.rod]\nmass = 3\nshape = { rod = 2 }\n\
         [joints.pin]\ntype = \"revolute\"\nconnects = [\"ground\", \"rod\"]\nat = [[0, 0], [-1, 0]]\nposition = \"1 deg\"\n\
         [loads.lift]\ntype = \"effort\"\njoint = \"pin\"\neffort = \"40*t\"\n\
         [contacts.stop]\njoint = \"pin\"\nlower = 0\nrestitution = 0\n";
    let out = run(&written(text, &[]), &wishes("", Piecewise, 1.0, 1e-10));
    assert_eq!(times(&out, EventKind::Stays).len(), 1);
    let release = times(&out, EventKind::Release);
    assert_eq!(release.len(), 1);
    assert!((release[0] - 3.0 * 9.81 / 40.0).abs() < EVENT, "{release:?}");
}

#[test]
fn the_row_of_a_stop_is_the_velocity_of_its_coordinate() {
    // u = ± v of the coordinate, and its rate ± v̇: for every joint with a stop, in a chain that moves.
    let joints = [
        ("revolute", "", "0.3", "0.7"),
        ("prismatic", "", "0.3", "0.7"),
        ("cylindrical", "coordinate = \"slide\"", "[0.2, 0.3]", "[-0.4, 0.7]"),
        ("cylindrical", "coordinate = \"angle\"", "[0.3, 0.2]", "[0.7, -0.4]"),
        ("universal", "coordinate = \"first\"", "[0.3, 0.5]", "[0.7, -0.4]"),
        ("universal", "coordinate = \"second\"", "[0.5, 0.3]", "[-0.4, 0.7]"),
    ];
    for (kind, coordinate, position, velocity) in joints {
        let axis = if kind == "universal" {
            "axis = [[1, 0, 0], [0, 1, 0]]"
        } else {
            "axis = [0.6, 0, 0.8]"
        };
        let text = format!(
            "carom = 1\nspace = \"spatial\"\ngravity = [0, 0, -9.81]\n\
             [bodies.a]\nmass = 2\nshape = {{ box = [1, 0.5, 0.2] }}\n\
             [bodies.b]\nmass = 1\nshape = {{ box = [0.7, 0.3, 0.4] }}\n\
             [joints.base]\ntype = \"spherical\"\nconnects = [\"ground\", \"a\"]\nat = [[0, 0, 0], [0.5, 0.1, 0]]\nvelocity = [0.3, -0.5, 0.9]\n\
             [joints.test]\ntype = \"{kind}\"\nconnects = [\"a\", \"b\"]\nat = [[-0.5, 0.2, 0.1], [0.3, 0.1, 0]]\n{axis}\n\
             position = {position}\nvelocity = {velocity}\n\
             [contacts.stop]\njoint = \"test\"\n{coordinate}\nlower = -1\nupper = 2\n"
        );
        let opened = written(&text, &[]);
        let mut mechanism = Mechanism::new(opened.model());
        let at = mechanism.at(&opened.assembled.state).unwrap();
        let touch = at.touch(0).unwrap();
        let accelerations = at.accelerations(carom::dynamics::Terms::All).unwrap();
        let column = opened.model().nv - opened.model().bodies[1].joint.kind.velocities()
            + usize::from(coordinate.contains("second") || coordinate.contains("slide"));
        for (k, (point, sign)) in touch.points().iter().zip([1.0, -1.0]).enumerate() {
            let row = at.contact_row(0, point, &point.normal);
            assert!((at.rate(&row) - sign * 0.7).abs() < 1e-14, "{kind} {coordinate}");
            let twist = |place| at.frames().twist(place);
            let turning = at.contact_variation(0, k, &twist).unwrap();
            let of = |place: carom::model::Place| {
                place.map_or_else(carom::maths::Twist::zero, |b| accelerations.bodies[b.index()])
            };
            let u_dot = row.rate(&of(row.a), &of(row.b)) + at.rate(&turning);
            let expected = sign * accelerations.solution.x[column];
            assert!(
                (u_dot - expected).abs() < 1e-12 * (1.0 + expected.abs()),
                "{kind} {coordinate}: {u_dot} {expected}"
            );
        }
    }
}

/// An arm that turns at 2 rad/s towards a stop it meets at 0.5 s, the normal fixed in the arm.
const MARKERS: &str = "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n\
     [bodies.arm]\nmass = 1\ninertia = 0.1\nmarkers.tip = [1, 0]\n\
     [ground.markers.stop]\nat = [1, 0]\n\
     [joints.pin]\ntype = \"revolute\"\nconnects = [\"ground\", \"arm\"]\nposition = 1\nvelocity = -2\n\
     [contacts.stop]\nbetween = [\"ground.stop\", \"arm.tip\"]\nnormal = [0, 1]\nnormal_in = \"arm\"\nrestitution = 0.5\n";

#[test]
fn markers_along_a_normal_that_turns_strike_where_they_meet_and_nowhere_else() {
    // g = sin θ. Back at 1 rad/s, the gap closes half a turn later, 2 m beside the stop.
    let machine = written(MARKERS, &[]);
    let out = run(&machine, &wishes("", Piecewise, 3.0, 1e-10));
    assert_eq!(times(&out, EventKind::Impulse).len(), 1);
    assert!((out.impacts[0].onset - 0.5).abs() < EVENT && (out.state.q[0] - 2.5).abs() < 1e-9);
    let stopped = tried(&machine, &wishes("", Piecewise, 4.0, 1e-10)).unwrap_err();
    let SimulateError::MarkersApart { t, contact, apart } = stopped.reason else {
        panic!("{:?}", stopped.reason)
    };
    let reached = stopped.outcome.unwrap();
    assert!(reached.state.t == t && reached.impacts.len() == 1 && reached.checkpoint.is_none());
    assert!((t - 0.5 - std::f64::consts::PI).abs() < EVENT && contact == "stop");
    assert!((apart - 2.0).abs() < 1e-9);
}
