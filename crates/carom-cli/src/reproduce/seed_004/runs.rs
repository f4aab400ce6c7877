//! The six runs of figs. 4 to 9.

use std::rc::Rc;

use carom::model::ContactTreatment::Piecewise;
use carom::simulate::Sample;

use super::super::lab::{Answer, Lab, Ran, Sets};

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
    /// Whether it belongs to table 2.
    second: bool,
    /// Until when it is drawn \[s\].
    pub shown: f64,
}

const fn case(
    figure: &'static str,
    name: &'static str,
    set: (&'static str, &'static str),
    second: bool,
    shown: f64,
) -> Case {
    Case { figure, name, set, second, shown }
}

const STIFFNESS: &str = "parameters.wall_stiffness";
const TORQUE: &str = "parameters.torque";

/// Figs. 4 to 9.
pub(super) const CASES: [Case; 6] = [
    case("fig. 4", "k_w = 10 N/m", (STIFFNESS, "10 N/m"), false, 1.0),
    case("fig. 5", "k_w = 400 N/m", (STIFFNESS, "400 N/m"), false, 1.0),
    case("fig. 6", "k_w = 1000 N/m", (STIFFNESS, "1000 N/m"), false, 1.0),
    case("fig. 7", "M_θ = 5 N m", (TORQUE, "5 Nm"), true, 3.0),
    case("fig. 8", "M_θ = 10 N m", (TORQUE, "10 Nm"), true, 3.0),
    case("fig. 9", "M_θ = 20 N m", (TORQUE, "20 Nm"), true, 3.0),
];

/// Five seconds from rest at θ = 0.
pub(super) fn run(lab: &Lab, case: usize) -> Answer<Rc<Ran>> {
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
