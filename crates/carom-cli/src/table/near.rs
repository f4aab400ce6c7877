//! A robot near a person as tables.

use std::fmt::Write as _;

use carom::answer::robot::{NearAnswer, PathAnswer, RegionAnswer};

use super::{Grid, page, tip};
use crate::number::{percent, six, three, vector, with_unit};

/// Stretches of a path that a table lists.
const MOST_STRETCHES: usize = 20;

/// The whole text.
pub(crate) fn text(answer: &NearAnswer) -> String {
    let head = &answer.robot.head;
    let title = if head.title.is_empty() { "(no title)" } else { &head.title };
    let mut out = format!(
        "{title}\n{}: tip `{}`\n\n  {}\n  {}\n",
        head.file, answer.robot.tip, answer.sentence, answer.standing
    );
    let _ = writeln!(out, "  static push: {}", push(answer));
    let masses = tip::masses(&answer.robot);
    let _ = write!(out, "\n  the robot mass by three definitions\n{}", masses.text(4));
    let _ = write!(out, "\n  regions: {}\n{}", limits(answer), regions(answer).text(4));
    if let Some(path) = &answer.path {
        let _ = write!(out, "\n  {}\n{}", heading(path), worst(answer).text(4));
    }
    for path in answer.path.iter().chain(&answer.other_paths).filter(|p| !p.slow.is_empty()) {
        let _ = write!(out, "\n  too fast at `{}`\n{}", path.point, slow(path).text(4));
    }
    out += &tip::maps(&answer.robot);
    page(&out)
}

/// The limits and where they come from.
pub(crate) fn limits(answer: &NearAnswer) -> String {
    let confirmed = if answer.confirmed { "confirmed" } else { "not confirmed" };
    // A path has directions of its own: the table is of the pose that the file or --q states.
    let pose = if answer.path.is_none() {
        String::new()
    } else {
        let n = vector(tip::planar(&answer.robot), &answer.robot.along.direction);
        format!(
            "; m_R and v_max in the one pose of the file or --q, along {n}, push along the path"
        )
    };
    format!(
        "limits of {} ({}, edition {}, {confirmed}){pose}",
        answer.limits, answer.source, answer.edition
    )
}

/// The static push in words.
pub(crate) fn push(answer: &NearAnswer) -> String {
    match (answer.static_push, &answer.static_push_by) {
        (Some(force), Some(by)) => {
            let sample = answer.static_push_sample;
            let at = sample.map_or_else(String::new, |k| format!(" at sample {k} of the path"));
            format!("{}{at} until `{by}` gives way", with_unit(force, "N"))
        }
        _ => format!("unknown ({})", answer.push_unknown),
    }
}

/// The table of regions.
pub(crate) fn regions(answer: &NearAnswer) -> Grid {
    let mut grid = Grid::new(&[
        "region",
        "m_R [kg]",
        "m_H [kg]",
        "μ free [kg]",
        "k [N/mm]",
        "limit free [N]",
        "limit clamped [N]",
        "v_max free [m/s]",
        "v_max clamped [m/s]",
        "push",
    ]);
    let some = |x: Option<f64>| x.map_or_else(|| "–".to_owned(), three);
    let limit = |x: Option<f64>, by: &Option<String>| {
        let by = by.as_deref().unwrap_or_default();
        x.map_or_else(|| "–".to_owned(), |x| format!("{} {by}", three(x)))
    };
    let exceeds = |r: &RegionAnswer| match r.push_exceeds {
        Some(true) => "exceeds",
        Some(false) => "below",
        None => "unknown",
    };
    for r in &answer.regions {
        grid.row(vec![
            r.region.clone(),
            three(r.robot_mass),
            some(r.body_mass),
            some(r.reduced_mass),
            three(r.stiffness / 1e3),
            limit(r.transient_limit, &r.transient_governed_by),
            limit(r.quasi_static_limit, &r.quasi_static_governed_by),
            some(r.speed_free),
            some(r.speed_clamped),
            exceeds(r).to_owned(),
        ]);
    }
    grid
}

/// What the path is judged for.
pub(crate) fn heading(path: &PathAnswer) -> String {
    let who = if path.free { "free (transient limits)" } else { "clamped (quasi-static limits)" };
    format!("path {}: {} samples, person {who}", path.path_file, path.samples)
}

/// The worst sample of every region.
pub(crate) fn worst(answer: &NearAnswer) -> Grid {
    let mut grid = Grid::new(&["region", "largest force [N]", "of its limit", "sample", "point"]);
    for r in &answer.regions {
        let (Some(force), Some(used), Some(sample)) =
            (r.path_force, r.path_utilisation, r.path_sample)
        else {
            continue;
        };
        let point = r.path_point.clone().unwrap_or_default();
        grid.row(vec![r.region.clone(), six(force), percent(used), sample.to_string(), point]);
    }
    grid
}

/// Where the path is too fast.
pub(crate) fn slow(path: &PathAnswer) -> Grid {
    let mut grid = Grid::new(&["samples", "slow to [m/s]", "region"]);
    for s in path.slow.iter().take(MOST_STRETCHES) {
        grid.row(vec![format!("{}-{}", s.first, s.last), three(s.allowed_speed), s.region.clone()]);
    }
    if path.slow.len() > MOST_STRETCHES {
        grid.heading(format!("  and {} more", path.slow.len() - MOST_STRETCHES));
    }
    grid
}
