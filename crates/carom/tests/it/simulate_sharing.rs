//! Rigid contacts that share a load: when all of them together let go, against statics.

use crate::simulate::{run, times, wishes, written};
use crate::simulate_friction::standing_box;
use carom::model::ContactTreatment::Piecewise;
use carom::simulate::{EventKind, Outcome};

/// Closed forms of event times [s].
const EVENT: f64 = 1e-10;
/// Positions and velocities after a slide in space, whose first part is integrated implicitly at a tolerance of 1e-10.
const MOTION: f64 = 1e-9;

/// The one time at which this many points slip.
fn slip(out: &Outcome, points: usize) -> f64 {
    let slips = times(out, EventKind::Slips);
    assert!(slips.len() == points && slips.iter().all(|t| *t == slips[0]), "{slips:?}");
    slips[0]
}

#[test]
fn a_box_that_is_pulled_harder_and_harder_slips_at_all_corners_at_once() {
    // μ m g = 20 t; then v = 5 (t − t₀)², whatever the corners carry.
    let t_0 = 0.3 * 2.0 * 9.81 / 20.0;
    for (space, points) in [("planar", 2), ("spatial", 4)] {
        let text = standing_box(space, 0.3, 0.0, "20*t");
        let out = run(&written(&text, &[]), &wishes("", Piecewise, 1.0, 1e-10));
        assert!((slip(&out, points) - t_0).abs() < EVENT, "{space}");
        let left = 1.0 - t_0;
        assert!((out.state.v[0] - 5.0 * left.powi(2)).abs() < MOTION, "{space}");
        assert!((out.state.q[0] - 5.0 / 3.0 * left.powi(3)).abs() < MOTION, "{space}");
        assert!(out.drift < 1e-8, "{space}: {}", out.drift);
    }
}

#[test]
fn a_box_under_a_growing_torque_turns_when_friction_of_all_corners_is_used_up() {
    // μ m g r, r from the axis to a corner.
    let text = standing_box("spatial", 0.3, 0.0, "0").replace(
        "[loads.pull]",
        "[loads.turn]\ntype = \"torque\"\nbody = \"crate\"\ntorque = [0, \"t\", 0]\n[loads.pull]",
    );
    let out = run(&written(&text, &[]), &wishes("", Piecewise, 1.0, 1e-10));
    let t_0 = 0.3 * 2.0 * 9.81 * 0.1_f64.hypot(0.075);
    assert!((slip(&out, 4) - t_0).abs() < EVENT);
    // J ω̇ = t − t₀
    let J = 2.0 * (0.2_f64.powi(2) + 0.15_f64.powi(2)) / 12.0;
    let omega = 0.5 * (1.0 - t_0).powi(2) / J;
    assert!((out.state.v[4] - omega).abs() < MOTION, "{} {omega}", out.state.v[4]);
}

#[test]
fn a_box_that_is_pulled_off_its_centre_slips_at_the_limit_load_of_statics() {
    // The kinematic theorem of limit analysis: a load moves the box if for some motion (v_x, v_z, ω_y) its power exceeds that of
    // friction. Corners carry as equal springs do, which statics tells: N = (1, x, z) · a.
    let at = [0.02, -0.03, 0.05];
    let pull = [10.0, 6.0];
    let text = standing_box("spatial", 0.3, 0.0, "0").replace(
        "at = [0, 0, 0]\nforce = [\"0\", 0, 0]",
        "at = [0.02, -0.03, 0.05]\nforce = [\"10*t\", 0, \"6*t\"]",
    );
    let out = run(&written(&text, &[]), &wishes("", Piecewise, 0.6, 1e-10));
    let t = slip(&out, 4);
    let [x_c, z_c, height] = [0.1, 0.075, at[1] + 0.05];
    let missing = |motion: [f64; 3], t: f64| {
        let [v_x, v_z, omega] = motion;
        let mut held = 0.0;
        for [x, z] in [[x_c, z_c], [x_c, -z_c], [-x_c, z_c], [-x_c, -z_c]] {
            // Moments of the pull about the floor tilt the box: Σ N x = F_x h, Σ N z = F_z h.
            let tilt =
                pull[0] * t * height * x / x_c.powi(2) + pull[1] * t * height * z / z_c.powi(2);
            let normal = 0.25 * (2.0 * 9.81 + tilt);
            held += 0.3 * normal * (v_x + omega * z).hypot(v_z - omega * x);
        }
        let turn = at[2] * pull[0] - at[0] * pull[1];
        let power = t * (pull[0] * v_x + pull[1] * v_z + turn * omega);
        (held - power) / (v_x.hypot(v_z) + 0.1 * omega.abs())
    };
    // The least over all motions, by a search that halves its steps.
    let least = |t: f64| {
        let mut best = [1.0, 0.5, 1.0];
        let mut step = 1.0;
        while step > 1e-9 {
            let around = (0..27).map(|k| {
                [0, 1, 2].map(|i| best[i] + step * f64::from(k / 3_i32.pow(i as u32) % 3 - 1))
            });
            let next = around.min_by(|a, b| missing(*a, t).total_cmp(&missing(*b, t))).unwrap();
            if missing(next, t) < missing(best, t) {
                best = next;
            } else {
                step *= 0.5;
            }
        }
        missing(best, t)
    };
    // The search knows the least to its steps; the load grows by 14 N/s.
    let width = 1e-7;
    assert!(least(t - width) > 0.0 && least(t + width) < 0.0, "{t}: {}", least(t));
}
