//! The six runs of figs. 4 to 9.

use std::rc::Rc;

use carom::model::ContactTreatment::Piecewise;
use carom::simulate::Sample;

use super::super::lab::{Answer, Lab, Ran, Sets};
use super::formula::{Bar, Mounting};

pub(super) const FILE: &str = "004/bar.toml";

/// What changes from table 1 to table 2.
pub(super) const TABLE_2: Sets<'static> = &[
    ("parameters.support_mass", "1 kg"),
    ("parameters.wall_mass", "1 kg"),
    ("parameters.support_stiffness", "400 N/m"),
    ("parameters.wall_stiffness", "5 N/m"),
    ("parameters.wall_damping", "7 N s/m"),
];

/// A run: its figure, what it is called, and what it sets beside the table.
pub(super) struct Case {
    /// The figure.
    pub figure: &'static str,
    /// What is varied.
    pub name: &'static str,
    /// How.
    set: (&'static str, &'static str),
    /// The same, and the rest of its table, for the paper's equations.
    pub bar: (Bar, Mounting),
    /// Whether it belongs to table 2.
    second: bool,
    /// Until when it is drawn \[s\].
    pub shown: f64,
}

/// A run of table 1, with k_w.
const fn stiffness(figure: &'static str, name: &'static str, set: &'static str, k_w: f64) -> Case {
    let on = Mounting { support: [5.0, 7.0], wall: [k_w, 1.0], torque: 10.0 };
    let bar = (Bar::TABLE_1, on);
    Case { figure, name, set: (STIFFNESS, set), bar, second: false, shown: 1.0 }
}

/// A run of table 2, with M_θ.
const fn torque(figure: &'static str, name: &'static str, set: &'static str, torque: f64) -> Case {
    let on = Mounting { support: [400.0, 7.0], wall: [5.0, 7.0], torque };
    let bar = (Bar::TABLE_2, on);
    Case { figure, name, set: (TORQUE, set), bar, second: true, shown: 3.0 }
}

const STIFFNESS: &str = "parameters.wall_stiffness";
const TORQUE: &str = "parameters.torque";

/// Figs. 4 to 9.
pub(super) const CASES: [Case; 6] = [
    stiffness("fig. 4", "k_w = 10 N/m", "10 N/m", 10.0),
    stiffness("fig. 5", "k_w = 400 N/m", "400 N/m", 400.0),
    stiffness("fig. 6", "k_w = 1000 N/m", "1000 N/m", 1000.0),
    torque("fig. 7", "M_θ = 5 N m", "5 Nm", 5.0),
    torque("fig. 8", "M_θ = 10 N m", "10 Nm", 10.0),
    torque("fig. 9", "M_θ = 20 N m", "20 Nm", 20.0),
];

/// What a case sets: at rest at θ = 0.
fn sets(case: usize) -> Vec<(&'static str, &'static str)> {
    let Case { set, second, .. } = CASES[case];
    let mut sets = vec![
        ("parameters.theta", "0"),
        ("parameters.bar_rate", "0"),
        ("parameters.support_rate", "0"),
    ];
    if second {
        sets.extend_from_slice(TABLE_2);
    }
    sets.push(set);
    sets
}

/// Five seconds from rest at θ = 0.
pub(super) fn run(lab: &Lab, case: usize) -> Answer<Rc<Ran>> {
    lab.run(FILE, &sets(case), Piecewise, None)
}

/// The same without eq. 4.33, from the first contact on: support and bar keep their velocities, and eq. 2.2 gives the
/// wall the tip's.
pub(super) fn without_reset(lab: &Lab, case: usize) -> Answer<Ran> {
    let ran = run(lab, case)?;
    let mut start = around(&ran, 0)?.0.state.clone();
    let length = CASES[case].bar.0.length;
    start.v[2] = start.v[0] + start.v[1] * length * start.q[1].cos();
    let mut sets = sets(case);
    sets.push(("simulation.start", "in-contact"));
    lab.run_from(FILE, &sets, &start)
}

/// The authors' next steps on fig. 8: what each is called, and what it sets.
pub(super) const NEXT_STEPS: [(&str, Sets<'static>); 3] = [
    ("e = 0", &[]),
    ("e = 0.5", &[("contacts.tip.restitution", "0.5")]),
    (
        "e = 0.5, friction",
        &[
            ("contacts.tip.restitution", "0.5"),
            ("contacts.tip.friction", "0.2"),
            ("joints.support_slide.friction", "0.1"),
            ("simulation.impact", "poisson"),
        ],
    ),
];

/// One of them, for a second and a half.
pub(super) fn next_step(lab: &Lab, step: usize) -> Answer<Rc<Ran>> {
    let mut sets = sets(4);
    sets.extend_from_slice(NEXT_STEPS[step].1);
    sets.push(("simulation.duration", "1.5 s"));
    lab.run(FILE, &sets, Piecewise, None)
}

/// The samples before and after the jump of an impact.
pub(super) fn around(ran: &Ran, impact: usize) -> Answer<(&Sample, &Sample)> {
    let none = || format!("there is no impact {}", impact + 1);
    let t = ran.outcome.impacts.get(impact).ok_or_else(none)?.onset;
    let mut at = ran.outcome.samples.iter().filter(|s| s.state.t == t);
    let before = at.next().ok_or_else(none)?;
    Ok((before, at.next_back().unwrap_or(before)))
}

/// F_N \[N\] over time \[s\] until then, zero where nothing touches.
pub(super) fn force(ran: &Ran, end: f64) -> Vec<(f64, f64)> {
    let mut points = vec![(0.0, 0.0)];
    for stay in ran.outcome.stays.iter().filter(|s| s.from < end) {
        let to = stay.to.unwrap_or(end).min(end);
        points.push((stay.from, 0.0));
        let inside = ran.outcome.contacts.iter().filter(|c| c.t >= stay.from && c.t <= to);
        points.extend(inside.map(|c| (c.t, c.force)));
        points.push((to, 0.0));
    }
    points.push((end, 0.0));
    points
}
