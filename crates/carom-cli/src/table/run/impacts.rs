//! The impacts of a run: what each was, and what the law did.

use carom::Model;
use carom::answer::{PointImpact, RunImpact, RunResult};

use super::{MOST_ROWS, left_out, loads};
use crate::number::{headed, prefixed, six, ten};
use crate::table::Grid;

/// The tables.
pub(super) fn text(model: &Model, run: &RunResult) -> String {
    if run.impacts.is_empty() {
        return String::new();
    }
    let more = left_out(run.impacts.len());
    let mut text = format!("\n{}{more}", grid(model, run, MOST_ROWS, true).text(2));
    if !run.by_impulse() {
        text.push('\n');
        text += &forces(run, MOST_ROWS).text(2);
    }
    text + &loads::text(run)
}

/// A number, or that there is none.
fn maybe(x: Option<f64>) -> String {
    x.map_or_else(|| "–".to_owned(), six)
}

/// Whether friction took energy in any impact: then a column tells how much.
fn with_friction(run: &RunResult) -> bool {
    let some = |loss: Option<f64>| loss.is_some_and(|loss| loss != 0.0);
    run.impacts
        .iter()
        .any(|i| some(i.friction_loss) || i.points.iter().any(|p| some(p.friction_loss)))
}

fn heading(model: &Model, run: &RunResult, first: [&str; 2]) -> Grid {
    let impulse = headed(model, "impulse", |u| u.impulse);
    let several = run.impacts.iter().any(|i| i.points.len() > 1);
    Grid::new(&[
        first[0],
        first[1],
        if several { "points" } else { "" },
        "onset [s]",
        &headed(model, "m_eff", |u| u.mass),
        &headed(model, "approach", |u| u.velocity),
        "T_c [J]",
        &headed(model, "separation", |u| u.velocity),
        "e",
        "asked",
        "e*",
        "lost [J]",
        if with_friction(run) { "by friction [J]" } else { "" },
        if run.by_impulse() { &impulse } else { "" },
    ])
}

/// What each impact was, of so many; with the points of each below it, if asked for.
pub(crate) fn grid(model: &Model, run: &RunResult, most: usize, points: bool) -> Grid {
    let several = run.impacts.iter().any(|i| i.points.len() > 1);
    let with_friction = with_friction(run);
    let mut grid = heading(model, run, ["impact", "contact"]);
    for i in run.impacts.iter().take(most) {
        grid.row(vec![
            i.impact.to_string(),
            i.name(),
            if several { i.count.to_string() } else { String::new() },
            ten(i.onset),
            maybe(i.effective_mass),
            six(i.approach_speed),
            six(i.impact_energy),
            maybe(i.separation_speed),
            maybe(i.restitution),
            i.restitution_asked.map_or_else(String::new, six),
            maybe(i.energetic_restitution),
            if i.parting.is_some() { six(i.energy_lost) } else { "–".to_owned() },
            i.friction_loss.filter(|_| with_friction).map_or_else(String::new, six),
            i.impulse.map_or_else(String::new, six),
        ]);
        if points && i.points.len() > 1 {
            for point in &i.points {
                grid.row(cells(String::new(), point, with_friction));
            }
        }
    }
    grid
}

/// The points of those impacts that have several, under a heading each; none if there is no such impact.
pub(crate) fn points(model: &Model, run: &RunResult, most: usize) -> Option<Grid> {
    let several = |i: &&RunImpact| i.points.len() > 1;
    if !run.impacts.iter().any(|i| several(&i)) {
        return None;
    }
    let with_friction = with_friction(run);
    let mut grid = heading(model, run, ["", "point"]);
    for i in run.impacts.iter().take(most).filter(several) {
        for point in &i.points {
            grid.row(cells(i.impact.to_string(), point, with_friction));
        }
    }
    Some(grid)
}

fn cells(number: String, point: &PointImpact, with_friction: bool) -> Vec<String> {
    vec![
        number,
        format!("  {}", point.name),
        String::new(),
        ten(point.onset),
        six(point.effective_mass),
        six(point.approach_speed),
        six(point.impact_energy),
        maybe(point.separation_speed),
        maybe(point.restitution),
        point.restitution_asked.map_or_else(String::new, six),
        maybe(point.energetic_restitution),
        if point.parting.is_some() { six(point.energy_lost) } else { "–".to_owned() },
        point.friction_loss.filter(|_| with_friction).map_or_else(String::new, six),
        point.impulse.map_or_else(String::new, six),
    ]
}

/// What a law did: forces and times.
pub(crate) fn forces(run: &RunResult, most: usize) -> Grid {
    let mut grid = Grid::new(&[
        "impact",
        "peak force",
        "after",
        "greatest indentation",
        "after",
        "duration",
        "other forces meanwhile",
    ]);
    for i in run.impacts.iter().take(most) {
        grid.row(vec![
            i.impact.to_string(),
            i.peak_force.map_or_else(String::new, |force| prefixed(force, i.units.force)),
            prefixed(i.time_of_peak - i.onset, "s"),
            prefixed(i.max_indentation, i.units.gap),
            prefixed(i.time_of_max_indentation - i.onset, "s"),
            i.duration.map_or_else(|| "still touches".to_owned(), |t| prefixed(t, "s")),
            i.other_forces().unwrap_or_default(),
        ]);
    }
    grid
}
