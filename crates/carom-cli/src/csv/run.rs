//! A run as CSV: its trajectory, its contacts, its impacts.

use carom::Model;
use carom::answer::{JointLoad, PointImpact, RunImpact, RunResult};

use super::{full, maybe, sheet, unit_of_contacts};
use crate::VerbResult;

/// States and energies, even in time, at all events and inside impacts.
pub(crate) fn trajectory(run: &RunResult) -> VerbResult {
    let Some(columns) = &run.columns else { return sheet(&[], std::iter::empty()) };
    let mut heading = vec!["t [s]".to_owned()];
    heading.extend(columns.all().map(carom::answer::Column::heading));
    heading.push("event".to_owned());
    let heading: Vec<&str> = heading.iter().map(String::as_str).collect();
    let rows = columns.t.iter().zip(&columns.event).enumerate().map(|(k, (t, event))| {
        let mut cells = vec![full(*t)];
        cells.extend(columns.all().map(|column| there(column.values[k])));
        cells.push(u8::from(*event).to_string());
        cells
    });
    sheet(&heading, rows)
}

/// A number; empty where there is none.
fn there(x: f64) -> String {
    if x.is_nan() { String::new() } else { full(x) }
}

/// Every contact point while it touches or stays.
pub(crate) fn contacts(run: &RunResult) -> VerbResult {
    let all = || run.columns.iter().flat_map(|columns| &columns.contacts);
    let mut heading = ["t [s]", "contact", "point"].map(str::to_owned).to_vec();
    for k in 0..all().map(|c| c.columns.len()).max().unwrap_or(0) {
        let mut units: Vec<&str> = Vec::new();
        for column in all().filter_map(|c| c.columns.get(k)) {
            if !units.contains(&column.unit.as_str()) {
                units.push(&column.unit);
            }
        }
        let name = all().find_map(|c| c.columns.get(k)).map_or("", |column| &column.name);
        heading.push(format!("{name} [{}]", units.join(" or ")));
    }
    let heading: Vec<&str> = heading.iter().map(String::as_str).collect();
    let rows = all().flat_map(|c| {
        c.t.iter().enumerate().map(|(k, t)| {
            let mut cells = vec![full(*t), c.contact.clone(), c.point.to_string()];
            cells.extend(c.columns.iter().map(|column| there(column.values[k])));
            cells
        })
    });
    sheet(&heading, rows)
}

/// What is told of an impact and of its points.
const IMPACT: [&str; 24] = [
    "impact",
    "contact",
    "point",
    "points",
    "onset [s]",
    "m_eff [kg]",
    "approach speed [m/s]",
    "T_c [J]",
    "peak force [N]",
    "time of peak [s]",
    "greatest indentation [m]",
    "time of greatest indentation [s]",
    "parting [s]",
    "duration [s]",
    "separation speed [m/s]",
    "restitution",
    "energetic restitution",
    "m_eff at parting [kg]",
    "impulse [N s]",
    "energy lost [J]",
    "lost by friction [J]",
    "compression work [J]",
    "restitution work [J]",
    "free acceleration [m/s^2]",
];

/// The impacts, and what each brought the joints. The points of an impact of several follow it, with their number under `point`.
pub(crate) fn impacts(model: &Model, run: &RunResult) -> VerbResult {
    let second = if run.by_impulse() { " s" } else { "" };
    let mut heading = IMPACT.map(|name| unit_of_contacts(model, name)).to_vec();
    for name in model.joint_paths() {
        heading.push(format!("{name} force [N{second}]"));
        heading.push(format!("{name} time of force [s]"));
        heading.push(format!("{name} moment [N m{second}]"));
        heading.push(format!("{name} time of moment [s]"));
        heading.push(format!("{name} unique"));
    }
    let heading: Vec<&str> = heading.iter().map(String::as_str).collect();
    let rows = run.impacts.iter().flat_map(|i| {
        let mut first = impact(i);
        first.extend(i.reactions.iter().flat_map(load));
        let rest = i.points.iter().filter(|_| i.points.len() > 1).map(|p| {
            let mut cells = point(i, p);
            cells.resize(heading.len(), String::new());
            cells
        });
        std::iter::once(first).chain(rest).collect::<Vec<_>>()
    });
    sheet(&heading, rows)
}

fn load(p: &JointLoad) -> [String; 5] {
    [
        full(p.magnitude),
        full(p.time),
        full(p.moment_magnitude),
        full(p.moment_time),
        p.unique.to_string(),
    ]
}

fn impact(i: &RunImpact) -> Vec<String> {
    if let [alone] = i.points.as_slice() {
        return point(i, alone);
    }
    vec![
        i.impact.to_string(),
        i.contacts.join(" "),
        String::new(),
        i.count.to_string(),
        full(i.onset),
        maybe(i.effective_mass),
        full(i.approach_speed),
        full(i.impact_energy),
        maybe(i.peak_force),
        full(i.time_of_peak),
        full(i.max_indentation),
        full(i.time_of_max_indentation),
        maybe(i.parting),
        maybe(i.duration),
        maybe(i.separation_speed),
        maybe(i.restitution),
        maybe(i.energetic_restitution),
        String::new(),
        maybe(i.impulse),
        full(i.energy_lost),
        maybe(i.friction_loss),
        maybe(i.compression_work),
        maybe(i.restitution_work),
        String::new(),
    ]
}

fn point(i: &RunImpact, p: &PointImpact) -> Vec<String> {
    vec![
        i.impact.to_string(),
        p.contact.clone(),
        p.point.to_string(),
        i.count.to_string(),
        full(p.onset),
        full(p.effective_mass),
        full(p.approach_speed),
        full(p.impact_energy),
        maybe(p.peak_force),
        full(p.time_of_peak),
        full(p.max_indentation),
        full(p.time_of_max_indentation),
        maybe(p.parting),
        maybe(p.duration),
        maybe(p.separation_speed),
        maybe(p.restitution),
        maybe(p.energetic_restitution),
        maybe(p.parting_effective_mass),
        maybe(p.impulse),
        full(p.energy_lost),
        maybe(p.friction_loss),
        maybe(p.compression_work),
        maybe(p.restitution_work),
        full(p.free_acceleration),
    ]
}
