//! What a run records: blows at several points, the inside of impacts, near misses, creep, drift.

use crate::simulate::{model, run, wishes, written};
use crate::simulate_event::{HERTZIAN, ball};
use carom::dynamics::Mechanism;
use carom::file::Opened;
use carom::model::ContactTreatment::{Continuous, Piecewise};
use carom::simulate::{
    ContactSample, DriftLevel, EventKind, LONG, Outcome, Scenario, Spot, Wishes, simulate,
};

/// T_c of the box that falls flat, at 1 m/s, and tips about y at 2 rad/s: ½ m v² + ½ I_y ω².
const BOX: f64 = 1.0 + 0.5 * (2.0 / 12.0 * (0.09 + 0.01)) * 4.0;

fn assert_shared(out: &Outcome) {
    let blow = &out.blows[0];
    assert!((blow.impact_energy - BOX).abs() < 1e-12, "{blow:?}");
    assert!(blow.effective_mass.is_none() && blow.separation_speed.is_none(), "{blow:?}");
    let members: Vec<_> = blow.impacts.iter().map(|i| &out.impacts[*i]).collect();
    let shares: f64 = members.iter().map(|i| i.shared_energy).sum();
    assert!((shares - BOX).abs() < 1e-12, "{shares}");
    let lost: f64 = members.iter().map(|i| i.energy_lost).sum();
    assert!((lost - blow.energy_lost).abs() < 1e-12, "{lost} {blow:?}");
    assert!(blow.energy_lost <= BOX, "{blow:?}");
}

#[test]
fn four_corners_that_strike_at_one_instant_are_one_blow() {
    let opened = model("box-on-plane.toml", &[]);
    let out = run(&opened, &wishes("", Piecewise, 1e-3, 1e-9));
    assert_shared(&out);
    let blow = &out.blows[0];
    assert!(blow.impacts.len() > 1 && blow.peak_force.is_none(), "{blow:?}");
    let impulses: f64 = blow.impacts.iter().filter_map(|i| out.impacts[*i].impulse).sum();
    assert_eq!(blow.impulse, Some(impulses));
}

#[test]
fn four_corners_under_a_force_law_are_one_blow_with_their_greatest_total_force() {
    let sets = [("contacts.floor.stiffness", "\"1e7 N/m\""), ("contacts.floor.law", "exact")];
    let opened = model("box-on-plane.toml", &sets);
    let out = run(&opened, &wishes("", Continuous, 5e-3, 1e-9));
    assert_shared(&out);
    let blow = &out.blows[0];
    let peaks: Vec<f64> = blow.impacts.iter().filter_map(|i| out.impacts[*i].peak_force).collect();
    let (sum, most) = (peaks.iter().sum::<f64>(), peaks.iter().copied().fold(0.0, f64::max));
    let total = blow.peak_force.unwrap();
    assert!(peaks.len() == 4 && most < total && total <= sum, "{total} {peaks:?}");
    // From the recorded data: at no instant do the corners push harder together.
    for sample in &out.contacts {
        let at_once = out.contacts.iter().filter(|c| c.t == sample.t).map(|c| c.force);
        assert!(at_once.sum::<f64>() <= total * (1.0 + 1e-6), "{}", sample.t);
    }
}

#[test]
fn two_bodies_that_strike_at_one_instant_without_a_bond_are_two_blows() {
    let text = |x: f64, n: usize| {
        format!(
            "[bodies.b{n}]\nmass = 1\nshape = {{ sphere = 0.1 }}\ncontact.s = {{ sphere = 0.1 }}\n\
             [joints.j{n}]\ntype = \"prismatic\"\nconnects = [\"ground\", \"b{n}\"]\naxis = [0, 1]\nat = [[{x}, 0], [0, 0]]\nposition = 0.2\n\
             [contacts.c{n}]\nbetween = [\"b{n}.s\", \"ground.floor\"]\nrestitution = 0.5\nstiffness = \"1e7 N/m\"\nlaw = \"exact\"\n"
        )
    };
    let text = format!(
        "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n[ground]\ncontact.floor = {{ plane = [0, 1] }}\n{}{}",
        text(0.0, 1),
        text(1.0, 2)
    );
    for treatment in [Continuous, Piecewise] {
        let out = run(&written(&text, &[]), &wishes("", treatment, 0.16, 1e-9));
        let points: Vec<usize> = out.blows.iter().map(|b| b.impacts.len()).collect();
        assert_eq!(points, [1, 1], "{treatment:?}");
        let [blow, impact] = [out.blows[1].impact_energy, out.impacts[1].impact_energy];
        assert_eq!(blow, impact);
        assert_eq!(out.blows[0].restitution(&out), out.impacts[0].restitution());
    }
}

#[test]
fn stored_energy_and_losses_are_the_compression_work_at_greatest_indentation() {
    let hertz = "restitution = 0.4\nstiffness = \"1e9 N/m^1.5\"\nlaw = \"hunt-crossley\"";
    let linear = "restitution = 0.6\nstiffness = \"1e7 N/m\"\nlaw = \"exact\"";
    for contact in [hertz, linear] {
        let out = run(&written(&ball(contact), &[]), &wishes("", Continuous, 0.33, 1e-9));
        let first = &out.impacts[0];
        let at = |t: f64| out.samples.iter().find(|s| s.state.t == t).unwrap();
        let turn = at(first.time_of_max_indentation).ledger;
        let taken = turn.contact_elastic + turn.contact_loss;
        assert!((taken / first.compression_work - 1.0).abs() < 1e-9, "{contact}: {taken}");
        assert!(turn.contact_elastic > 0.1 * taken && turn.kinetic < 1e-6 * taken, "{turn:?}");
        // The machine is recorded wherever the contact is.
        let [from, to] = [first.onset, first.parting.unwrap()];
        let inside = |t: f64| from <= t && t <= to;
        let recorded: Vec<f64> = out.contacts.iter().map(|c| c.t).filter(|t| inside(*t)).collect();
        assert!(recorded.len() > 20, "{}", recorded.len());
        assert!(recorded.iter().all(|t| out.samples.iter().any(|s| s.state.t == *t)));
        assert!(out.samples.is_sorted_by(|a, b| a.state.t <= b.state.t));
    }
}

fn recorded(opened: &Opened, wishes: &Wishes, all: bool) -> Outcome {
    let mut mechanism = Mechanism::new(opened.model());
    let state = &opened.assembled.state;
    let mut scenario = Scenario::new(&mechanism.at(state).unwrap(), wishes).unwrap();
    scenario.samples_all = all;
    simulate(opened.model(), state, &scenario).unwrap()
}

/// The value at t on the line between two neighbours.
fn line(rows: &[&ContactSample], t: f64, of: fn(&ContactSample) -> f64) -> f64 {
    let after = rows.partition_point(|c| c.t < t).clamp(1, rows.len() - 1);
    let (a, b) = (rows[after - 1], rows[after]);
    let part = if b.t > a.t { (t - a.t) / (b.t - a.t) } else { 1.0 };
    of(a) + part * (of(b) - of(a))
}

#[test]
fn thinned_records_draw_force_and_gap_within_a_thousandth_of_their_peaks() {
    for tolerance in [1e-4, 1e-7, 1e-10] {
        let opened = written(&ball(HERTZIAN), &[]);
        let asked = wishes("", Continuous, 1.5, tolerance);
        let [thin, all] = [false, true].map(|all| recorded(&opened, &asked, all));
        assert_eq!(thin.impacts, all.impacts, "the motion is the same");
        assert!(thin.contacts.len() < all.contacts.len());
        for impact in all.impacts.iter().filter(|i| i.parting.is_some()) {
            let inside = |c: &&ContactSample| {
                impact.onset <= c.t && impact.parting.is_some_and(|parting| c.t <= parting)
            };
            let kept: Vec<_> = thin.contacts.iter().filter(inside).collect();
            for c in all.contacts.iter().filter(inside) {
                let force = (line(&kept, c.t, |c| c.force) - c.force).abs();
                let gap = (line(&kept, c.t, |c| c.gap) - c.gap).abs();
                assert!(force < 1e-3 * impact.peak_force.unwrap(), "{tolerance}: {force}");
                assert!(gap < 1e-3 * impact.max_indentation, "{tolerance}: {gap}");
            }
        }
    }
}

#[test]
fn contacts_that_last_do_not_fill_the_memory() {
    let contact = HERTZIAN.replace("1e9", "1e6");
    let short = run(&written(&ball(&contact), &[]), &wishes("", Continuous, 3.0, 1e-9));
    let long = run(&written(&ball(&contact), &[]), &wishes("", Continuous, 30.0, 1e-9));
    assert!(long.contacts.len() < short.contacts.len() + 20, "{}", long.contacts.len());
}

#[test]
fn friction_slip_and_point_of_a_block_that_slides_are_recorded() {
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, -10]\n\
        [bodies.block]\nmass = 2\ninertia = 0.1\ncontact.foot = { point = [0, 0] }\n\
        [ground]\ncontact.floor = { plane = [0, 1] }\n\
        [joints.slide]\ntype = \"planar\"\nconnects = [\"ground\", \"block\"]\nvelocity = [1, 0, 0]\n\
        [contacts.rub]\nbetween = [\"ground.floor\", \"block.foot\"]\nrestitution = 0\nfriction = 0.2\n";
    let out = run(&written(text, &[]), &wishes("", Piecewise, 0.2, 1e-10));
    assert!(!out.contacts.is_empty());
    for c in &out.contacts {
        // Body j is the block: 20 N carry it, 4 N brake it by 2 m/s².
        assert!((c.friction.x + 4.0).abs() < 1e-9 && c.friction.y == 0.0, "{c:?}");
        assert!((c.slip.x - (1.0 - 2.0 * c.t)).abs() < 1e-9, "{c:?}");
        assert!((c.point.x - (c.t - c.t * c.t)).abs() < 1e-9 && c.gap.abs() < 1e-12, "{c:?}");
    }
}

#[test]
fn contacts_that_come_to_rest_are_not_called_long_and_soft_landings_are() {
    let settles = run(&written(&ball(HERTZIAN), &[]), &wishes("", Continuous, 2.0, 1e-9));
    assert!(settles.impacts.len() > 5);
    assert!(settles.long_blows().is_empty(), "{:?}", settles.long_blows());
    // Weight and impact are of one size: a drop of 0.5 m onto springs that the weight deflects by 1 mm and by 0.1 m.
    for stiffness in ["1e4", "100"] {
        let soft = format!("restitution = 0.8\nstiffness = \"{stiffness} N/m\"\nlaw = \"exact\"");
        let lands = run(&written(&ball(&soft), &[]), &wishes("", Continuous, 0.9, 1e-9));
        assert_eq!(lands.long_blows(), [0], "{stiffness}");
        let speed = lands.meanwhile(&lands.blows[0]).unwrap().speed;
        assert!(speed > LONG && speed < 5.0, "{stiffness}: {speed}");
    }
}

#[test]
fn a_pair_that_is_pressed_together_has_no_restitution() {
    let placed = [("parameters.h", "1e-13")];
    let out = run(&written(&ball(HERTZIAN), &placed), &wishes("", Continuous, 1e-3, 1e-9));
    assert!(!out.impacts.is_empty());
    for impact in &out.impacts {
        assert_eq!((impact.restitution(), impact.energetic_restitution()), (None, None));
    }
    let plastic = run(&written(&ball("restitution = 0"), &[]), &wishes("", Piecewise, 1.0, 1e-9));
    assert_eq!(plastic.impacts[0].restitution(), Some(0.0));
    let elastic = HERTZIAN.replace("\"e\"", "1");
    let out = run(&written(&ball(&elastic), &[]), &wishes("", Continuous, 1.0, 1e-9));
    assert!(out.impacts.len() == 2 && out.impacts.iter().all(|i| i.energy_lost == 0.0));
}

#[test]
fn a_run_without_contact_tells_how_near_it_came() {
    // Falling for 0.3 s, and thrown at a floor with gravity away from it.
    let out = run(&written(&ball(HERTZIAN), &[]), &wishes("", Continuous, 0.3, 1e-9));
    let least = out.least_gap.unwrap();
    assert_eq!((least.t, least.spot), (0.3, Spot { contact: 0, point: 0 }));
    assert!((least.gap - (0.5 - 0.5 * 9.81 * 0.09)).abs() < 1e-9, "{least:?}");
    // x = 0.6 − 3 t + ½ g t².
    let text = ball(HERTZIAN).replace("-9.81", "9.81");
    let out = run(&written(&text, &[("parameters.v0", "-3")]), &wishes("", Continuous, 1.0, 1e-10));
    let least = out.least_gap.unwrap();
    assert!((least.gap - (0.5 - 9.0 / 19.62)).abs() < 1e-9, "{least:?}");
    assert!((least.t - 3.0 / 9.81).abs() < 1e-6, "{least:?}");
    let touched = run(&written(&ball(HERTZIAN), &[]), &wishes("", Continuous, 0.4, 1e-9));
    assert!(touched.least_gap.is_none() && touched.events[0].kind == EventKind::Onset);
}

#[test]
fn creep_within_the_band_of_friction_is_measured() {
    // A block on a slope of tan 0.1 with μ = 0.3: it creeps at 0.1/0.3 of the band.
    let text = "carom = 1\nspace = \"planar\"\ngravity = [1, -10]\n\
        [bodies.block]\nmass = 2\ninertia = 0.1\ncontact.foot = { point = [0, 0] }\n\
        [ground]\ncontact.floor = { plane = [0, 1] }\n\
        [joints.slide]\ntype = \"planar\"\nconnects = [\"ground\", \"block\"]\n\
        [contacts.rub]\nbetween = [\"ground.floor\", \"block.foot\"]\nrestitution = 0.2\nstiffness = \"1e6 N/m\"\nlaw = \"exact\"\n\
        friction = { type = \"coulomb\", kinetic = 0.3, band = 1e-3 }\n[simulation]\nstart = \"in-contact\"\n";
    let out = run(&written(text, &[]), &wishes("", Continuous, 2.0, 1e-9));
    let [creep] = out.creep[..] else { panic!("{:?}", out.creep) };
    assert!((creep.distance / out.state.q[0] - 1.0).abs() < 1e-2, "{creep:?} {}", out.state.q[0]);
    assert!(creep.time > 1.9 && creep.distance > 1e-4 && creep.distance < 2e-3, "{creep:?}");
}

#[test]
fn drift_is_judged_by_the_tolerance_and_the_largest_energy() {
    let mut out = run(&written(&ball(HERTZIAN), &[]), &wishes("", Continuous, 0.5, 1e-9));
    let largest = out.largest_energy();
    assert!((largest / (9.81 * 0.5) - 1.0).abs() < 0.01, "{largest}");
    assert_eq!(out.drift_level(1e-9), DriftLevel::Fine);
    out.drift = 2e-6 * largest;
    assert_eq!(out.drift_level(1e-9), DriftLevel::Caution);
    out.drift = 0.02 * largest;
    assert_eq!(out.drift_level(1e-9), DriftLevel::Error);
}

#[test]
fn models_that_settle_within_a_second_have_no_long_blows() {
    for file in [
        "000/two-pendulums.toml",
        "001/ball-on-table.toml",
        "001/two-spheres.toml",
        "002/double-pendulum.toml",
        "002/wheeled-robot.toml",
    ] {
        let out = run(&model(file, &[]), &wishes("", Continuous, 1.0, 1e-9));
        assert!(out.long_blows().is_empty(), "{file}: {:?}", out.long_blows());
    }
}
