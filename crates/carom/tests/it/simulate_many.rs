//! Many bodies: all pairs by pattern, and a broad phase that misses none of them.

use crate::simulate::{wishes, written};
use carom::dynamics::Mechanism;
use carom::file::{Opened, open_text};
use carom::model::ContactTreatment::{self, Continuous, Piecewise};
use carom::simulate::{Outcome, Scenario, Spot, simulate};
use std::fmt::Write as _;

/// How far times \[s\] may differ between a run with all pairs and one with those in reach: steps end at other times, and each collision
/// multiplies an error by about the way between two of them over the radius.
const SAME: f64 = 1e-6;

/// A run, with the gaps of all pairs evaluated at every look or not.
fn ran(opened: &Opened, treatment: ContactTreatment, until: f64, all_pairs: bool) -> Outcome {
    let state = &opened.assembled.state;
    let mut mechanism = Mechanism::new(opened.model());
    let plan = wishes("", treatment, until, 1e-10);
    let mut scenario = Scenario::new(&mechanism.at(state).unwrap(), &plan).unwrap();
    scenario.all_pairs = all_pairs;
    simulate(opened.model(), state, &scenario).unwrap_or_else(|error| panic!("{error}"))
}

/// Both runs have the same events at the same times; how many.
fn compared(opened: &Opened, treatment: ContactTreatment, until: f64) -> usize {
    assert!(opened.model().contacts.len() > 100, "the broad phase is in use");
    let [all, near] = [true, false].map(|all| ran(opened, treatment, until, all));
    let list = |out: &Outcome| -> Vec<Spot> { out.events.iter().map(|e| e.spot).collect() };
    assert_eq!(list(&all), list(&near));
    for (a, b) in all.events.iter().zip(&near.events) {
        assert!(a.kind == b.kind && (a.t - b.t).abs() < SAME, "{a:?} {b:?}");
    }
    assert!(near.counts.observations > 0 && near.samples[0].impact_energies.is_empty());
    near.events.len()
}

/// Discs or balls on a grid, each with a velocity of its own from a linear congruence.
fn gas(n: usize, spatial: bool) -> String {
    let (space, shape) = if spatial { ("spatial", "sphere") } else { ("planar", "disc") };
    let contact = if spatial { "sphere" } else { "circle" };
    let gravity = if spatial { "[0, 0, -9.81]" } else { "[0, 0]" };
    let mut text = format!("carom = 1\nspace = \"{space}\"\ngravity = {gravity}\n[ground]\n");
    if spatial {
        text += "contact.bowl = { hollow = 0.5 }\n";
    } else {
        for (k, [nx, ny, x, y]) in
            [[1, 0, 0, 0], [-1, 0, 4, 0], [0, 1, 0, 0], [0, -1, 0, 4]].iter().enumerate()
        {
            let _ = writeln!(
                text,
                "contact.wall{k} = {{ plane = [{nx}, {ny}], at = [{x}e-1, {y}e-1] }}"
            );
        }
    }
    let mut seed = 7_u64;
    let mut dice = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 40) as f64 / (1_u64 << 23) as f64 - 1.0
    };
    for k in 0..n {
        let (i, j) = (k % 4, k / 4);
        let _ = writeln!(
            text,
            "[bodies.ball_{k}]\nmass = \"{} kg\"\nshape = {{ {shape} = 0.03 }}\ncontact.skin = {{ {contact} = 0.03 }}",
            1.0 + 0.1 * k as f64
        );
        let [x, y] = [i, j].map(|c| 0.1 * c as f64 + if spatial { -0.15 } else { 0.05 });
        let [a, b, c] = [dice(), dice(), dice()];
        let (position, velocity) = if spatial {
            (format!("{x}, {y}, 0, 0, 0, 0"), format!("{a}, {b}, {c}, 1, 2, 3"))
        } else {
            (format!("{x}, {y}, 0"), format!("{a}, {b}, 1"))
        };
        let _ = writeln!(
            text,
            "[joints.j{k}]\ntype = \"floating\"\nconnects = [\"ground\", \"ball_{k}\"]\nposition = [{position}]\nvelocity = [{velocity}]"
        );
    }
    text += "[contacts.gas]\namong = [\"ball_*\", \"ground\"]\nrestitution = 0.9\nstiffness = \"1e7 N/m^1.5\"\nlaw = \"flores\"\n";
    text
}

#[test]
fn a_gas_of_discs_strikes_as_with_all_pairs() {
    let opened = written(&gas(16, false), &[]);
    assert!(compared(&opened, Piecewise, 0.3) > 40);
    assert!(compared(&opened, Continuous, 0.15) > 20);
}

#[test]
fn balls_in_a_bowl_strike_as_with_all_pairs() {
    assert!(compared(&written(&gas(15, true), &[]), Piecewise, 0.3) > 5);
}

/// Bounds of speeds follow chains of joints that turn and slide.
#[test]
fn a_row_of_double_pendulums_strikes_as_with_all_pairs() {
    let mut text = "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n".to_owned();
    for k in 0..15 {
        let angle = if k == 0 { -150.0 } else { -90.0 };
        let _ = write!(
            text,
            "[bodies.arm_{k}]\nmass = 0.1\nshape = {{ rod = 0.3 }}\n\
             [bodies.bob_{k}]\nmass = 1\nshape = {{ disc = 0.05 }}\ncontact.skin = {{ circle = 0.05 }}\n\
             [joints.top_{k}]\ntype = \"revolute\"\nconnects = [\"ground\", \"arm_{k}\"]\n\
             at = [[{}, 0], [-0.15, 0]]\nposition = \"{angle} deg\"\nvelocity = 0\n\
             [joints.low_{k}]\ntype = \"revolute\"\nconnects = [\"arm_{k}\", \"bob_{k}\"]\n\
             at = [[0.15, 0], [-0.02, 0]]\nposition = 0\nvelocity = 0\n",
            0.11 * f64::from(k)
        );
    }
    text += "[contacts.row]\namong = [\"bob_*\"]\nrestitution = 0.8\n";
    assert!(compared(&written(&text, &[]), Piecewise, 0.6) > 14);
}

const THREE: &str = "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n\
    [ground]\ncontact.wall = { plane = [0, 1] }\ncontact.other = { plane = [0, 1], at = [0, -1] }\n\
    [bodies.a]\nmass = 1\nshape = { disc = 0.1 }\ncontact.skin = { circle = 0.1 }\ncontact.tip = { point = [0.1, 0] }\n\
    [bodies.b]\nmass = 1\nshape = { disc = 0.1 }\ncontact.skin = { circle = 0.1 }\n\
    [joints.a]\ntype = \"floating\"\nconnects = [\"ground\", \"a\"]\nposition = [0, 1, 0]\nvelocity = [0, 0, 0]\n\
    [joints.b]\ntype = \"floating\"\nconnects = [\"ground\", \"b\"]\nposition = [1, 1, 0]\nvelocity = [0, 0, 0]\n";

fn names(contacts: &str) -> Vec<String> {
    let opened = written(&format!("{THREE}{contacts}"), &[]);
    opened.model().contacts.iter().map(|c| c.name.clone()).collect()
}

#[test]
fn patterns_name_all_pairs_but_those_of_one_body_and_those_written_out() {
    let all = names("[contacts.all]\namong = [\"*.skin\", \"wall\"]\nrestitution = 0.5\n");
    assert_eq!(all, ["all.a.b", "all.a.ground", "all.b.ground"]);
    let some = names(
        "[contacts.all]\namong = [\"a\", \"b\", \"ground.wall\"]\nrestitution = 0.5\n\
         [contacts.own]\nbetween = [\"b.skin\", \"a.skin\"]\nrestitution = 1\n",
    );
    let expected = ["own", "all.a.skin.ground", "all.a.tip.b", "all.a.tip.ground", "all.b.ground"];
    assert_eq!(some, expected);
    let opened = written(
        &format!("{THREE}[contacts.all]\namong = [\"*.skin\"]\nrestitution = 0.5\n"),
        &[("contacts.all.restitution", "0.25")],
    );
    assert_eq!(opened.model().contacts[0].defaults.restitution, Some(0.25));
}

#[test]
fn what_patterns_cannot_mean_is_refused_with_its_place() {
    for (contacts, expected) in [
        (
            "among = [\"a\", \"c*\"]",
            "contacts.all.among.1: there is no contact shape or body with one `c*`",
        ),
        ("among = []", "there is no pattern"),
        ("among = [\"b\"]", "only `b.skin` fits"),
        ("among = [\"a\"]", "all shapes that fit are of one body"),
        ("among = [\"a\", \"b\"]\nbetween = [\"a.skin\", \"b.skin\"]", "`among` names many"),
        ("among = \"a\"", "contacts.all.among"),
        ("among = [\"a\", \"b\", \"a.tip\"]", "named by the patterns before it"),
        (
            "among = [\"a\", \"b\"]\n[contacts.two]\namong = [\"*.skin\"]",
            "among the shapes of contacts.all already",
        ),
    ] {
        let text = format!("{THREE}[contacts.all]\n{contacts}\n");
        let Err(error) = open_text("test.toml", &text, &[]) else { panic!("{contacts}") };
        let error = error.to_string();
        assert!(error.contains(expected) && error.contains("test.toml:"), "{contacts}: {error}");
    }
}
