//! What impacts did beside: their work, and the joints that had to bear most.

use carom::maths::Vec3;
use carom::model::Model;
use carom::simulate::JointPeak;

use super::{MOST_ROWS, left_out};
use crate::commands::run::Ran;
use crate::number::{joint_names, prefixed, six};
use crate::table::Grid;

/// Less than this part of the largest force (moments: on an arm of 1 m) is round-off.
const ROUND_OFF: f64 = 1e-9;

/// The table.
pub(super) fn text(model: &Model, ran: &Ran) -> String {
    let grid = grid(model, ran, MOST_ROWS);
    let more = || left_out(ran.outcome.impacts.len());
    grid.map_or_else(String::new, |grid| format!("\n{}{}", grid.text(2), more()))
}

/// Of so many impacts; none where nothing is to be told.
pub(crate) fn grid(model: &Model, ran: &Ran, most_rows: usize) -> Option<Grid> {
    let out = &ran.outcome;
    let impulses = ran.by_impulse();
    let names = joint_names(model);
    let largest = largest(ran);
    let (word, turn, s) = if impulses { ("impulse", " impulse", " s") } else { ("force", "", "") };
    let works =
        if impulses { ["", "", ""] } else { ["compression [J]", "by T_c", "given back [J]"] };
    let [force, moment] =
        [format!("greatest joint {word}"), format!("greatest joint moment{turn}")];
    let after = if impulses { "" } else { "after" };
    let heading =
        ["impact", works[0], works[1], works[2], &force, "of", after, &moment, "of", after];
    let mut rows: Vec<Vec<String>> = Vec::new();
    let all = out.impacts.iter().zip(&out.reactions).enumerate();
    for (k, (i, peaks)) in all.take(most_rows) {
        let mut cells = vec![(k + 1).to_string()];
        if impulses {
            cells.extend([const { String::new() }; 3]);
        } else {
            let part = i.compression_work / i.impact_energy;
            cells.push(six(i.compression_work));
            cells.push(if part.is_finite() { six(part) } else { String::new() });
            cells.push(i.restitution_work().map_or_else(|| "–".to_owned(), six));
        }
        let after = |t: f64| if impulses { String::new() } else { prefixed(t - i.onset, "s") };
        let force = most(peaks, |p| p.force).filter(|p| p.1.force.norm() > ROUND_OFF * largest);
        cells.extend(force.map_or([const { String::new() }; 3], |(n, p)| {
            let value = prefixed(p.force.norm(), &format!("N{s}"));
            [value, marked(&names[n], p), after(p.time_of_force)]
        }));
        let moment = most(peaks, |p| p.moment).filter(|p| p.1.moment.norm() > ROUND_OFF * largest);
        cells.extend(moment.map_or([const { String::new() }; 3], |(n, p)| {
            let value = prefixed(p.moment.norm(), &format!("N m{s}"));
            [value, marked(&names[n], p), after(p.time_of_moment)]
        }));
        rows.push(cells);
    }
    // A column in which nothing stands has no heading either.
    let told = |k: usize| rows.iter().any(|cells| !cells[k].is_empty());
    if !(1..heading.len()).any(told) {
        return None;
    }
    let heading: Vec<&str> =
        heading.iter().enumerate().map(|(k, h)| if told(k) { *h } else { "" }).collect();
    let mut grid = Grid::new(&heading);
    for cells in rows {
        grid.row(cells);
    }
    Some(grid)
}

/// The largest force or impulse of contacts and joints.
fn largest(ran: &Ran) -> f64 {
    let out = &ran.outcome;
    let contacts = out.impacts.iter().filter_map(|i| i.peak_force.or(i.impulse));
    let joints = out.reactions.iter().flatten().map(|p| p.force.norm());
    contacts.chain(joints).fold(0.0, f64::max)
}

/// The joint that bears most, and its number.
fn most(peaks: &[JointPeak], of: impl Fn(&JointPeak) -> Vec3) -> Option<(usize, &JointPeak)> {
    let size = |p: &JointPeak| of(p).norm();
    peaks.iter().enumerate().max_by(|a, b| size(a.1).total_cmp(&size(b.1)))
}

fn marked(name: &str, peak: &JointPeak) -> String {
    if peak.unique { name.to_owned() } else { format!("{name} (not unique)") }
}
