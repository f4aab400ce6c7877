//! What begins and ends inside a step, and what changes faster than anything moves.

use crate::simulate::{run, times, wishes, written};
use crate::simulate_friction::standing_box;
use carom::model::ContactTreatment::Piecewise;
use carom::simulate::EventKind;

/// Closed forms of event times [s].
const EVENT: f64 = 1e-10;
/// The limit of friction of [`standing_box`] with μ = 0.3 [N].
const LIMIT: f64 = 0.3 * 2.0 * 9.81;

#[test]
fn slips_shorter_than_a_step_are_found_at_every_tolerance() {
    // A box at rest under 6 sin 20 t: it slips where the pull passes 5.886 N, once every half period, and soon rests again.
    let text = standing_box("planar", 0.3, 0.0, "6*sin(20*t)");
    let first = (LIMIT / 6.0).asin() / 20.0;
    for tolerance in [1e-6, 1e-9, 1e-12] {
        let out = run(&written(&text, &[]), &wishes("", Piecewise, 2.0, tolerance));
        let slips = times(&out, EventKind::Slips);
        let expected = (0..13).map(|k| first + f64::from(k) * std::f64::consts::PI / 20.0);
        let expected: Vec<f64> = expected.flat_map(|t| [t, t]).collect();
        assert_eq!(slips.len(), expected.len(), "{tolerance}");
        let apart = slips.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart < EVENT, "{tolerance}: {apart}");
    }
}

#[test]
fn a_short_pulse_on_a_machine_at_rest_is_felt() {
    // 50 N for some 4 ms in 2 s: slips where the pull passes the limit.
    let text = standing_box("planar", 0.3, 0.0, "50*exp(-((t-1)/0.002)^2)");
    for tolerance in [1e-6, 1e-10] {
        let out = run(&written(&text, &[]), &wishes("", Piecewise, 2.0, tolerance));
        let slips = times(&out, EventKind::Slips);
        let begin = 1.0 - 0.002 * (50.0 / LIMIT).ln().sqrt();
        assert!(slips.len() == 2 && slips.iter().all(|t| (t - begin).abs() < EVENT), "{slips:?}");
    }
}

#[test]
fn a_load_that_lifts_a_body_for_less_than_a_step_releases_it() {
    // 2 kg under 20 sin ω t upwards: it leaves where that is m g.
    for omega in [4.0, 20.0, 50.0] {
        let text = format!(
            "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n\
             [bodies.block]\nmass = 2\ninertia = 1\ncontact.foot = {{ point = [0, 0] }}\n\
             [ground]\ncontact.floor = {{ plane = [0, 1] }}\n\
             [joints.free]\ntype = \"planar\"\nconnects = [\"ground\", \"block\"]\n\
             [loads.lift]\ntype = \"force\"\nbody = \"block\"\nat = [0, 0]\nforce = [0, \"20*sin({omega}*t)\"]\n\
             [contacts.rest]\nbetween = [\"ground.floor\", \"block.foot\"]\nrestitution = 0\n\
             [simulation]\nstart = \"in-contact\"\n"
        );
        let out = run(&written(&text, &[]), &wishes("", Piecewise, 2.0, 1e-9));
        let releases = times(&out, EventKind::Release);
        let first = (2.0 * 9.81 / 20.0_f64).asin() / omega;
        assert!((releases[0] - first).abs() < EVENT, "{omega}: {releases:?}");
        // Flights are short: each period lifts it once.
        let periods =
            (0..).take_while(|k| first + 2.0 * std::f64::consts::PI * f64::from(*k) / omega < 2.0);
        assert_eq!(releases.len(), periods.count(), "{omega}");
    }
}

#[test]
fn a_slide_that_reverses_goes_on_the_other_way() {
    // 30 sin 4t − 5.886 against the slip: v = (7.5 (cos 4t₀ − cos 4t) ∓ 5.886 (t − t₀))/2.
    let text = standing_box("planar", 0.3, 0.0, "30*sin(4*t)");
    let out = run(&written(&text, &[]), &wishes("", Piecewise, 1.5, 1e-10));
    let begin = (LIMIT / 30.0).asin() / 4.0;
    let v = |from: f64, t: f64, sign: f64| {
        0.5 * (7.5 * ((4.0 * from).cos() - (4.0 * t).cos()) - sign * LIMIT * (t - from))
    };
    let (mut low, mut high) = (begin + 0.1, 1.5);
    while high - low > 1e-14 {
        let middle = 0.5 * (low + high);
        if v(begin, middle, 1.0) > 0.0 { low = middle } else { high = middle }
    }
    let slips = times(&out, EventKind::Slips);
    assert!(slips.len() == 2 && slips.iter().all(|t| (t - begin).abs() < EVENT), "{slips:?}");
    assert!((out.state.v[0] - v(low, 1.5, -1.0)).abs() < 1e-9, "{}", out.state.v[0]);
}

#[test]
fn a_box_rolls_over_its_corner_past_45_degrees() {
    // It leans on a rough corner and turns about it like a pendulum: I θ̈ = m g r sin φ, φ the lean of the centre.
    let (a, b, m, g) = (0.05_f64, 0.15_f64, 1.0, 9.81);
    let (lean, r) = (-0.6_f64, a.hypot(b));
    let (s, c) = lean.sin_cos();
    let text = format!(
        "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n\
         [bodies.crate]\nmass = 1\nshape = {{ rectangle = [0.1, 0.3] }}\ncontact.hull = {{ box = [0.1, 0.3] }}\n\
         [ground]\ncontact.floor = {{ plane = [0, 1] }}\n\
         [joints.free]\ntype = \"planar\"\nconnects = [\"ground\", \"crate\"]\nposition = [{}, {}, {lean}]\n\
         [contacts.rub]\nbetween = [\"crate.hull\", \"ground.floor\"]\nrestitution = 0\nfriction = 5\n\
         [simulation]\nstart = \"in-contact\"\n",
        -(c * a + s * b),
        c * b - s * a
    );
    let until = 0.26;
    let out = run(&written(&text, &[]), &wishes("", Piecewise, until, 1e-10));
    let I = m * ((4.0 * a * a + 4.0 * b * b) / 12.0 + r * r);
    let first = (a / b).atan();
    let rate = |theta: f64| -m * g * r / I * (-theta - first).sin();
    // The midpoint rule in θ̇, θ is exact to h²; Richardson's extrapolation of two lengths leaves h⁴.
    let swing = |n: u32| {
        let h = until / f64::from(n);
        let (mut theta, mut omega) = (lean, 0.5 * h * rate(lean));
        for _ in 1..n {
            theta += h * omega;
            omega += h * rate(theta);
        }
        theta + h * omega
    };
    let theta = (4.0 * swing(8000) - swing(4000)) / 3.0;
    assert!(out.state.q[2] < -0.9, "past 45°: {}", out.state.q[2]);
    assert!((out.state.q[2] - theta).abs() < 1e-9, "{} {theta}", out.state.q[2]);
    assert!(out.impacts.is_empty() && times(&out, EventKind::Slips).is_empty());
}

#[test]
fn a_sphere_thrown_with_spin_slips_then_rolls() {
    // u̇ = −7/2 μ g û: rest of the slip at 2|u₀|/7μg, on a parabola until then, straight and steady after it.
    let (R, mu, g) = (0.05_f64, 0.3_f64, 9.81_f64);
    let throws = [
        ([0.370_507_2, 0.0], [0.0, 0.0, 0.0]),
        ([0.0, -0.667], [20.5, -12.2, 14.8]),
        ([1.0, 0.5], [3.0, -7.0, 2.0]),
        ([-0.2, 0.9], [-15.0, 25.0, 0.0]),
        ([0.3, 0.3], [0.0, 0.0, 40.0]),
    ];
    for (v, spin) in throws {
        let text = format!(
            "carom = 1\nspace = \"spatial\"\ngravity = [0, 0, -9.81]\n\
             [bodies.ball]\nmass = 0.5\nshape = {{ sphere = 0.05 }}\ncontact.skin = {{ sphere = 0.05 }}\n\
             [ground]\ncontact.floor = {{ plane = [0, 0, 1] }}\n\
             [joints.free]\ntype = \"floating\"\nconnects = [\"ground\", \"ball\"]\nposition = [0, 0, 0.05, 0, 0, 0]\n\
             velocity = [{}, {}, 0, {}, {}, {}]\n\
             [contacts.rub]\nbetween = [\"ball.skin\", \"ground.floor\"]\nrestitution = 0\nfriction = 0.3\n\
             [simulation]\nstart = \"in-contact\"\n",
            v[0], v[1], spin[0], spin[1], spin[2]
        );
        let out = run(&written(&text, &[]), &wishes("", Piecewise, 1.0, 1e-10));
        let u: [f64; 2] = [v[0] - R * spin[1], v[1] + R * spin[0]];
        let size = u[0].hypot(u[1]);
        let stop = 2.0 * size / (7.0 * mu * g);
        let sticks = times(&out, EventKind::Sticks);
        assert!(sticks.len() == 1 && (sticks[0] - stop).abs() < EVENT, "{sticks:?} {stop}");
        for i in 0..2 {
            let slowing = mu * g * u[i] / size;
            let rolling = v[i] - slowing * stop;
            let x = v[i] * stop - 0.5 * slowing * stop * stop + rolling * (1.0 - stop);
            assert!((out.state.v[i] - rolling).abs() < 1e-9 && (out.state.q[i] - x).abs() < 1e-9);
        }
        assert!(out.drift < 1e-8, "{}", out.drift);
    }
}

#[test]
fn a_slider_that_jams_in_its_guide_is_not_followed_step_by_step() {
    // A load 0.2 m beside a guide of 0.2 m holds itself for μ = 0.9; friction acts within 1e-8 m/s.
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n\
         [bodies.slider]\nmass = 2\ninertia = 0.01\n\
         [joints.guide]\ntype = \"prismatic\"\nconnects = [\"ground\", \"slider\"]\naxis = [1, 0]\n\
         friction = { type = \"coulomb\", kinetic = 0.9, band = 1e-8 }\nguide = \"0.2 m\"\n\
         [loads.pull]\ntype = \"force\"\nbody = \"slider\"\nat = [0, 0.2]\nforce = [10, 0]\n";
    let out = run(&written(text, &[]), &wishes("", Piecewise, 1.0, 1e-9));
    assert!(out.state.q[0].abs() < 1e-8 && out.counts.steps < 1000, "{:?}", out.counts);
}
