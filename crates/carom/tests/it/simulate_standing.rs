//! Starts in contact.

use crate::simulate::{run, tried, wishes, written};
use carom::contact::catalogue;
use carom::model::ContactTreatment::{Continuous, Piecewise};
use carom::simulate::SimulateError;

/// A ball of 1 kg in the floor by a depth.
fn ball(contact: &str, depth: f64) -> String {
    format!(
        "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n\
         [bodies.ball]\nmass = 1\nshape = {{ sphere = 0.1 }}\ncontact.surface = {{ sphere = 0.1 }}\n\
         [ground]\ncontact.floor = {{ plane = [0, 1] }}\n\
         [joints.fall]\ntype = \"prismatic\"\nconnects = [\"ground\", \"ball\"]\naxis = [0, 1]\nposition = {}\n\
         [contacts.rest]\nbetween = [\"ball.surface\", \"ground.floor\"]\n{contact}\n[simulation]\nstart = \"in-contact\"\n",
        0.1 - depth
    )
}

#[test]
fn a_ball_starts_at_its_static_indentation_under_every_law_and_does_not_move() {
    let depth = (9.81_f64 / 1e9).powf(2.0 / 3.0);
    for entry in &catalogue::LAWS {
        let (contact, depth) = match entry.name {
            "hooke" => ("stiffness = \"1e6 N/m\"", 9.81e-6),
            "kelvin-voigt" => ("stiffness = \"1e6 N/m\"\ndamping = \"300 N s/m\"", 9.81e-6),
            "anagnostopoulos" | "exact-linear" => {
                ("restitution = 0.5\nstiffness = \"1e6 N/m\"", 9.81e-6)
            }
            "impact" => (
                "stiffness = \"1e9 N/m^1.5\"\nmax_damping = \"2000 N s/m\"\ndamping_depth = \"1e-5 m\"",
                depth,
            ),
            "expression" => ("force = \"1e9*delta^1.5*(1 + 0.9*delta_dot/onset_speed)\"", depth),
            _ => ("restitution = 0.5\nstiffness = \"1e9 N/m^1.5\"", depth),
        };
        for start in [0.0, 3e-6] {
            let text = ball(&format!("{contact}\nlaw = \"{}\"", entry.name), start);
            let out = run(&written(&text, &[]), &wishes("", Continuous, 0.5, 1e-9));
            let sunk = 0.1 - out.samples[0].state.q[0];
            // Positions of 0.1 m have their last digit at 1.4e-17 m: 3e-12 of the depth.
            assert!((sunk / depth - 1.0).abs() < 1e-11, "{}: {sunk} {depth}", entry.name);
            let moved = (out.state.q[0] - out.samples[0].state.q[0]).abs();
            assert!(moved < 1e-9 * depth, "{}: {moved}", entry.name);
            assert!(out.drift < 1e-12, "{}: {}", entry.name, out.drift);
            assert!(out.counts.evaluations < 20_000, "{}: {:?}", entry.name, out.counts);
        }
    }
}

#[test]
fn a_beam_on_two_springs_of_its_supports_stands_as_statics_says() {
    // 2 kg, mass centre 0.4 m and 0.6 m from two feet of different stiffness.
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n\
         [bodies.beam]\nmass = 2\ninertia = 0.3\ncontact.left = { point = [-0.4, 0] }\ncontact.right = { point = [0.6, 0] }\n\
         [ground]\ncontact.floor = { plane = [0, 1] }\n\
         [joints.free]\ntype = \"planar\"\nconnects = [\"ground\", \"beam\"]\n\
         [contacts.left]\nbetween = [\"ground.floor\", \"beam.left\"]\nlaw = \"hooke\"\nstiffness = \"1e6 N/m\"\n\
         [contacts.right]\nbetween = [\"ground.floor\", \"beam.right\"]\nlaw = \"hertz\"\nstiffness = \"1e9 N/m^1.5\"\n\
         [simulation]\nstart = \"in-contact\"\n";
    let out = run(&written(text, &[]), &wishes("", Continuous, 0.01, 1e-10));
    let weight = 2.0 * 9.81;
    let forces = [0.6 * weight, 0.4 * weight];
    let depths = [forces[0] / 1e6, (forces[1] / 1e9_f64).powf(2.0 / 3.0)];
    for (impact, (force, depth)) in out.impacts.iter().zip(forces.iter().zip(depths)) {
        assert!((impact.peak_force.unwrap() / force - 1.0).abs() < 1e-8, "{impact:?}");
        assert!((impact.max_indentation / depth - 1.0).abs() < 1e-8, "{impact:?}");
    }
}

#[test]
fn a_box_on_four_corners_stands_though_rigid_forces_are_not_unique() {
    let text = "carom = 1\nspace = \"spatial\"\ngravity = [0, 0, -9.81]\n\
         [bodies.box]\nmass = 4\nshape = { box = [0.4, 0.6, 0.2] }\ncontact.hull = { box = [0.4, 0.6, 0.2] }\n\
         [ground]\ncontact.floor = { plane = [0, 0, 1] }\n\
         [joints.free]\ntype = \"floating\"\nconnects = [\"ground\", \"box\"]\nposition = [0, 0, 0.1, 1, 0, 0, 0]\n\
         [contacts.feet]\nbetween = [\"ground.floor\", \"box.hull\"]\nlaw = \"hertz\"\nstiffness = \"1e9 N/m^1.5\"\n\
         [simulation]\nstart = \"in-contact\"\n";
    let out = run(&written(text, &[]), &wishes("", Continuous, 0.01, 1e-10));
    assert_eq!(out.impacts.len(), 4);
    for impact in &out.impacts {
        assert!((impact.peak_force.unwrap() / 9.81 - 1.0).abs() < 1e-6, "{impact:?}");
    }
}

#[test]
fn rigid_contacts_that_start_inside_stand_on_the_surface() {
    let text = ball("restitution = 0.5", 1e-5);
    let out = run(&written(&text, &[]), &wishes("", Piecewise, 0.2, 1e-9));
    assert!(out.impacts.is_empty());
    assert!((out.state.q[0] - 0.1).abs() < 1e-12, "{}", out.state.q[0]);
}

#[test]
fn what_does_not_stand_is_refused_with_its_depth() {
    let moving = ball("restitution = 0.5\nstiffness = \"1e9 N/m^1.5\"\nlaw = \"exact\"", 1e-5);
    let moving = moving.replace("position = ", "velocity = -1\nposition = ");
    let opened = written(&moving, &[]);
    let stopped = tried(&opened, &wishes("", Continuous, 0.5, 1e-9)).unwrap_err();
    let SimulateError::PenetratingFast { depth, speed, .. } = stopped.reason else {
        panic!("{:?}", stopped.reason)
    };
    assert!((depth - 1e-5).abs() < 1e-15 && (speed + 1.0).abs() < 1e-15);
    let apart = ball("restitution = 0.5\nstiffness = \"1e9 N/m^1.5\"\nlaw = \"exact\"", 1e-5)
        .replace("in-contact", "apart");
    let refused =
        tried(&written(&apart, &[]), &wishes("", Continuous, 0.5, 1e-9)).unwrap_err().reason;
    assert!(matches!(refused, SimulateError::Penetrating { .. }), "{refused}");
}
