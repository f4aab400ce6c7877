//! What runs tell beside impacts: energies along contacts, work of contacts, contacts that stay.

use crate::simulate::{bars, model, run, wishes, written};
use crate::simulate_event::ball;
use carom::contact::{catalogue, impact1d::Impact1D, law::Settings};
use carom::dynamics::Mechanism;
use carom::model::ContactTreatment::{Continuous, Piecewise};
use carom::simulate::{Outcome, Scenario, simulate};

/// Energies of an impact at a tolerance of 1e-10, by the energy.
const ENERGY: f64 = 1e-8;

/// The largest |T_c(t) + work taken by the contact up to t − T_c⁻| over an impact, divided by T_c⁻, from the recorded energies.
fn loss_along(out: &Outcome) -> f64 {
    let first = &out.impacts[0];
    let inside = |s: &&carom::simulate::Sample| {
        first.onset <= s.state.t && s.state.t <= first.parting.unwrap()
    };
    let inside: Vec<_> = out.samples.iter().filter(inside).collect();
    assert!(inside.len() > 20, "{}", inside.len());
    let taken = |s: &carom::simulate::Sample| s.ledger.contact_elastic + s.ledger.contact_loss;
    let off = |s: &carom::simulate::Sample| s.impact_energies[0] + taken(s) - first.impact_energy;
    inside.iter().map(|s| off(s).abs() / first.impact_energy).fold(0.0, f64::max)
}

#[test]
fn compression_takes_the_impact_energy_of_two_discs_and_restitution_returns_its_part() {
    for (law, e) in [("exact", "1"), ("exact", "0.5"), ("flores", "0.7"), ("hunt-crossley", "0.3")]
    {
        let opened = model("002/two-discs.toml", &[("contacts.rims.restitution", e)]);
        let out = run(&opened, &wishes(law, Continuous, 0.01, 1e-10));
        let first = &out.impacts[0];
        assert!((first.compression_work / 2.4 - 1.0).abs() < ENERGY, "{law} {e}: {first:?}");
        // What the law delivers is known in one dimension: T_c⁺ = e² T_c⁻.
        let settings = Settings {
            stiffness: Some(1e9),
            restitution: Some(e.parse().unwrap()),
            ..Settings::default()
        };
        let made = catalogue::find(law).unwrap().make(&settings).unwrap();
        let delivered = Impact1D::new(made.as_ref(), 1.2, 2.0).unwrap().outcome().restitution;
        let back = first.restitution_work().unwrap();
        assert!((back / 2.4 - delivered * delivered).abs() < ENERGY, "{law} {e}: {back}");
        // T_a is untouched, and T_c falls by what the contact takes, at every moment.
        for sample in &out.samples {
            let free = sample.admissible_energy(opened.model(), 0).unwrap();
            assert!((free - 0.225).abs() < ENERGY, "{free}");
        }
        for c in &out.contacts {
            assert!((c.admissible_energy.unwrap() - 0.225).abs() < ENERGY, "{c:?}");
        }
        let worst = loss_along(&out);
        assert!(worst < ENERGY, "{law} {e}: {worst}");
    }
}

#[test]
fn compression_of_the_double_pendulum_takes_less_than_the_impact_energy() {
    // Gonzalez et al. section 2: equal only for a frozen pose. Tip at 0.1 m, 1 m/s along the ground and 1 m/s down: the tip slides by
    // a millimetre, m_eff changes, and the velocity terms z_c push.
    let opened = model("002/double-pendulum.toml", &[]);
    let out = run(&opened, &wishes("gonthier", Continuous, 5e-3, 1e-11));
    let first = &out.impacts[0];
    let deviation = first.compression_work / first.impact_energy - 1.0;
    assert!((deviation - MEASURED).abs() < 1e-6, "{deviation}");
    // Ten times as stiff, the impact is shorter by 10^0.4, and so is the deviation.
    let hard = model("002/double-pendulum.toml", &[("contacts.tip.stiffness", "1e10 N/m^1.5")]);
    let hard = run(&hard, &wishes("gonthier", Continuous, 5e-3, 1e-11));
    let less = hard.impacts[0].compression_work / hard.impacts[0].impact_energy - 1.0;
    let ratio = deviation / less;
    assert!((ratio / 10.0_f64.powf(0.4) - 1.0).abs() < 0.05, "{deviation} {less}");
}

/// The deviation at K = 1e9 N/m^1.5.
const MEASURED: f64 = -5.208e-4;

#[test]
fn a_moving_drive_leaves_no_admissible_energy() {
    let opened = model("001/ball-on-table.toml", &[]);
    let out = run(&opened, &wishes("exact", Continuous, 0.3, 1e-9));
    let moving = |s: &&carom::simulate::Sample| s.state.v[1] != 0.0;
    assert!(out.samples.iter().filter(moving).count() > 100);
    for sample in out.samples.iter().filter(moving) {
        assert_eq!(sample.admissible_energy(opened.model(), 0), None);
        assert!(sample.impact_energies[0] >= 0.0);
    }
    assert!(out.contacts.iter().all(|c| c.admissible_energy.is_none()));
}

#[test]
fn forces_of_the_bar_that_stays_are_those_of_the_papers_equations() {
    /// RK4 at 1e-4 s: its states are off by 1e-6, and its greatest force is that at the end of a step.
    const RUNGE_KUTTA: f64 = 1e-4;
    let mut stays = 0;
    for (set, reference) in bars() {
        let out = run(&model("004/bar.toml", &set), &wishes("", Piecewise, 5.0, 1e-11));
        let (contacts, _) = reference.until(5.0, 1e-4);
        let theirs: Vec<_> = contacts.iter().filter(|c| c.first_force > 0.0).collect();
        assert_eq!(out.stays.len(), theirs.len(), "{set:?}");
        for (ours, theirs) in out.stays.iter().zip(theirs) {
            stays += 1;
            let close = |a: f64, b: f64| (a / b - 1.0).abs() < RUNGE_KUTTA;
            assert!(close(ours.first_force, theirs.first_force), "{ours:?} {theirs:?}");
            assert!(close(ours.peak_force, theirs.largest_force), "{ours:?} {theirs:?}");
            assert_eq!(ours.to.is_some(), theirs.release.is_some(), "{ours:?} {theirs:?}");
            // Dense: the force between is written down, from the onset on.
            let end = ours.to.unwrap_or(5.0);
            let inside = |c: &&carom::simulate::ContactSample| ours.from <= c.t && c.t <= end;
            let seen: Vec<_> = out.contacts.iter().filter(inside).collect();
            assert!(seen.len() >= 5 && seen[0].force == ours.first_force, "{ours:?}");
            assert!(seen.iter().all(|c| c.force <= ours.peak_force + 1e-9), "{ours:?}");
        }
    }
    assert!(stays >= 6, "{stays}");
}

#[test]
fn a_ball_at_rest_is_held_by_its_weight() {
    let out = run(&written(&ball("restitution = 0"), &[]), &wishes("", Piecewise, 1.0, 1e-9));
    let [stay] = out.stays[..] else { panic!("{:?}", out.stays) };
    assert_eq!((stay.from, stay.to), (out.impacts[0].onset, None));
    for force in [stay.first_force, stay.peak_force] {
        assert!((force - 9.81).abs() < 1e-12, "{stay:?}");
    }
    assert!(out.contacts.iter().all(|c| c.delta == 0.0 && (c.force - 9.81).abs() < 1e-12));
}

/// A run without the search for peaks takes the same steps to the same events; impacts have no joint reactions then.
#[test]
fn peaks_that_nobody_asks_for_change_nothing_else() {
    for (opened, plan) in [
        (model("000/two-pendulums.toml", &[]), wishes("flores", Continuous, 8.0, 1e-9)),
        (model("000/two-pendulums.toml", &[]), wishes("", Piecewise, 8.0, 1e-9)),
        (model("box-on-plane.toml", &[]), wishes("", Piecewise, 0.5, 1e-9)),
    ] {
        let state = &opened.assembled.state;
        let mut mechanism = Mechanism::new(opened.model());
        let mut scenario = Scenario::new(&mechanism.at(state).unwrap(), &plan).unwrap();
        scenario.samples = 1;
        let with = simulate(opened.model(), state, &scenario).unwrap();
        scenario.peaks = false;
        let without = simulate(opened.model(), state, &scenario).unwrap();
        assert!(with.reactions.iter().any(|peaks| !peaks.is_empty()));
        assert!(without.reactions.iter().all(Vec::is_empty));
        assert_eq!((&with.state, &with.events), (&without.state, &without.events));
        assert_eq!((&with.impacts, with.drift), (&without.impacts, without.drift));
        let [all, few] = [&with, &without].map(|out| out.counts);
        assert_eq!((all.steps, all.rejected), (few.steps, few.rejected));
        // The polynomial inside a step, which only a look needs, costs evaluations of its own.
        let less = few.observations <= all.observations && few.evaluations <= all.evaluations;
        assert!(less, "{few:?} {all:?}");
        // Only what is searched inside steps differs: it is found at their ends.
        for (a, b) in with.blows.iter().zip(&without.blows) {
            assert!(a.peak_force >= b.peak_force && a.impact_energy == b.impact_energy);
        }
        for (a, b) in with.stays.iter().zip(&without.stays) {
            assert!(a.peak_force >= b.peak_force && (a.from, a.to) == (b.from, b.to));
        }
    }
}
