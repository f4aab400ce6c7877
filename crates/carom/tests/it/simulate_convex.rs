//! Runs of boxes and polygons whose points follow the features that touch.

use crate::simulate::{run, times, wishes, written};
use carom::model::ContactTreatment::Piecewise;
use carom::simulate::{EventKind, Outcome};

/// Events of runs at a tolerance of 1e-11 [s], with lengths of 1 m and speeds of 1 m/s.
const EVENT: f64 = 1e-10;

/// A smooth plank that slides at 1 m/s to the end of a table at x = 0; its centre is there after 0.8 s, its front end after 0.3 s.
const PLANK: &str = "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n\
     [ground]\ncontact.table = { box = [2, 0.2], at = [-1, -0.1] }\n\
     [bodies.plank]\nmass = 1\nshape = { rectangle = [1, 0.1] }\ncontact.hull = { box = [1, 0.1] }\n\
     [joints.free]\ntype = \"floating\"\nconnects = [\"ground\", \"plank\"]\n\
     position = [-0.8, 0.05, 0]\nvelocity = [1, 0, 0]\n\
     [contacts.top]\nbetween = [\"ground.table\", \"plank.hull\"]\nrestitution = 0\n";

#[test]
fn a_plank_tips_when_its_centre_passes_the_end_of_the_table() {
    let out = run(&written(PLANK, &[]), &wishes("", Piecewise, 1.0, 1e-11));
    // That the table's end takes over from the plank's at 0.3 s changes neither gap nor normal and is no event.
    let released = times(&out, EventKind::Release);
    assert_eq!(released.len(), 1, "{released:?}");
    assert!((released[0] - 0.8).abs() < EVENT, "{released:?}");
    assert!(out.impacts.is_empty() && out.drift < 1e-9, "{}", out.drift);
    // From there on it turns about the edge.
    assert!(out.state.q[2] < -1e-3 && out.state.v[2] < 0.0);
}

/// A block that falls on a floor, tilted, and bounces to rest.
fn block(hull: &str) -> Outcome {
    let text = format!(
        "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n\
         [ground]\ncontact.floor = {{ plane = [0, 1] }}\n\
         [bodies.block]\nmass = 1\nshape = {{ rectangle = [0.4, 0.2] }}\ncontact.hull = {{ {hull} }}\n\
         [joints.free]\ntype = \"floating\"\nconnects = [\"ground\", \"block\"]\n\
         position = [0, 0.6, 0.4]\nvelocity = [0.3, 0, 1]\n\
         [contacts.hit]\nbetween = [\"block.hull\", \"ground.floor\"]\nrestitution = 0.5\nfriction = 0.3\n"
    );
    run(&written(&text, &[]), &wishes("", Piecewise, 0.9, 1e-11))
}

#[test]
fn a_box_as_a_polygon_has_the_impacts_of_the_box() {
    let one = block("box = [0.4, 0.2]");
    let two = block("polygon = [[-0.2, -0.1], [0.2, -0.1], [0.2, 0.1], [-0.2, 0.1]]");
    assert!(one.impacts.len() > 5);
    assert_eq!(one.impacts.len(), two.impacts.len());
    for (x, y) in one.impacts.iter().zip(&two.impacts) {
        assert!((x.onset - y.onset).abs() < EVENT, "{} {}", x.onset, y.onset);
        assert!((x.impulse.unwrap() - y.impulse.unwrap()).abs() < EVENT);
    }
}

#[test]
fn a_force_that_is_chosen_jumps_where_its_condition_does() {
    // ẍ = 3 until 0.7 s, then −1.
    let text = "carom = 1\nspace = \"planar\"\n\
         [bodies.cart]\nmass = 1\ninertia = 1\n\
         [joints.way]\ntype = \"prismatic\"\nconnects = [\"ground\", \"cart\"]\naxis = [1, 0]\n\
         [loads.push]\ntype = \"effort\"\njoint = \"way\"\neffort = \"if(t < 0.7, 3, -1)\"\n";
    let out = run(&written(text, &[]), &wishes("", Piecewise, 1.0, 1e-11));
    assert!((out.state.v[0] - 1.8).abs() < 1e-12, "{}", out.state.v[0]);
    assert!((out.state.q[0] - (0.735 + 0.63 - 0.045)).abs() < 1e-12, "{}", out.state.q[0]);
}
