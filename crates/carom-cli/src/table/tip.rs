//! The tip of a robot as tables.

use std::fmt::Write as _;

use carom::answer::robot::{RobotMass, SkinAnswer, TipAnswer, WorkspaceAnswer};

use super::{Grid, page};
use crate::number::{percent, six, three, vector, with_unit};

/// The whole text.
pub(crate) fn text(answer: &TipAnswer) -> String {
    let head = &answer.head;
    let title = if head.title.is_empty() { "(no title)" } else { &head.title };
    let mut out =
        format!("{title}\n{}: tip `{}`\n\n  {}\n", head.file, answer.tip, answer.sentence);
    let parts = [
        ("the robot mass by three definitions", masses(answer)),
        ("m_eff along directions", directions(answer)),
        ("Λ⁻¹ [1/kg] in world axes", matrix(answer)),
        ("what m_eff is made of", shares(answer)),
    ];
    for (heading, grid) in parts {
        out += &format_part(heading, &grid);
    }
    out += &maps(answer);
    page(&out)
}

fn format_part(heading: &str, grid: &Grid) -> String {
    if grid.len() > 0 { format!("\n  {heading}\n{}", grid.text(4)) } else { String::new() }
}

pub(crate) fn planar(answer: &TipAnswer) -> bool {
    answer.head.space == "planar"
}

/// The three masses side by side.
pub(crate) fn masses(answer: &TipAnswer) -> Grid {
    let mut grid = Grid::new(&["robot mass", "m_R [kg]", "used", "what it is"]);
    let mut row = |name: &str, mass: Option<f64>, which: RobotMass, what: String| {
        let used = if answer.mass_used == which { "used" } else { "" };
        let shown = mass.map_or_else(|| "–".to_owned(), six);
        grid.row(vec![name.to_owned(), shown, used.to_owned(), what]);
    };
    let half = format!(
        "half of {} moving mass and {} payload, in every pose (ISO/TS 15066)",
        with_unit(answer.moving_mass, "kg"),
        with_unit(answer.payload, "kg")
    );
    row("standard's constant", Some(answer.standard_mass), RobotMass::Standard, half);
    let n = vector(planar(answer), &answer.along.direction);
    let free = format!("m_eff along {n}, all joints free, rotors included");
    row("joints free", Some(answer.free_mass), RobotMass::Free, free);
    let locked = match answer.locked_mass {
        Some(_) => format!("m_eff along {n}, the chosen joints locked"),
        None => "no joint is locked: choose with --lock".to_owned(),
    };
    row("joints locked", answer.locked_mass, RobotMass::Locked, locked);
    grid
}

/// m_eff along axes, principal directions and those asked for.
pub(crate) fn directions(answer: &TipAnswer) -> Grid {
    let mut grid = Grid::new(&["direction", "along", "m_eff [kg]", ""]);
    for found in answer.principal.iter().chain(&answer.axes).chain(&answer.directions) {
        let held = if found.immobile { "nothing moves along it" } else { "" };
        grid.row(vec![
            found.name.clone(),
            vector(planar(answer), &found.direction),
            six(found.effective_mass),
            held.to_owned(),
        ]);
    }
    if let Some(v) = answer.tip_speed {
        let energy = answer.impact_energy.map_or_else(|| "∞".to_owned(), six);
        grid.row(vec![
            format!("T_c at {}", with_unit(v, "m/s")),
            String::new(),
            energy,
            "J, of the mass used".to_owned(),
        ]);
    }
    grid
}

/// Λ⁻¹.
pub(crate) fn matrix(answer: &TipAnswer) -> Grid {
    let mut grid = Grid::new(&["", "x", "y", "z"]);
    for (name, row) in ["x", "y", "z"].iter().zip(&answer.inverse_inertia) {
        let mut cells = vec![(*name).to_owned()];
        cells.extend(row.iter().map(|x| six(*x)));
        grid.row(cells);
    }
    grid
}

/// Parts of m_eff that a table lists.
const MOST_SHARES: usize = 10;

/// What m_eff is made of.
pub(crate) fn shares(answer: &TipAnswer) -> Grid {
    let mut grid = Grid::new(&["part", "of m_eff [kg]", "share"]);
    for part in answer.shares.iter().take(MOST_SHARES) {
        grid.row(vec![part.part.clone(), six(part.effective_mass), percent(part.share)]);
    }
    grid
}

/// What maps over the skin and the reach found, if there are any.
pub(crate) fn maps(answer: &TipAnswer) -> String {
    let mut out = String::new();
    if let Some(skin) = &answer.skin {
        // Writing to a text cannot fail.
        let _ = write!(out, "\n  {}\n", skin.sentence);
        out += &format_part(&worst_heading(skin), &worst(skin));
    }
    if let Some(found) = &answer.workspace {
        let _ = write!(out, "\n  {}\n", found.sentence);
        out += &format_part("joints that were moved", &ranges(found));
    }
    out
}

/// What the worst points are ranked by.
pub(crate) fn worst_heading(skin: &SkinAnswer) -> String {
    format!("the worst points of the skin, by {}", skin.ranked_by)
}

/// The worst points of the skin.
pub(crate) fn worst(skin: &SkinAnswer) -> Grid {
    let mut grid = Grid::new(&[
        "rank",
        "body",
        "at [m]",
        "normal",
        "m_eff [kg]",
        "v_max clamped [m/s]",
        "v_max free [m/s]",
        "region",
        "attainable [m/s]",
    ]);
    let some = |x: Option<f64>| x.map_or_else(|| "–".to_owned(), three);
    for (k, p) in skin.worst.iter().enumerate() {
        grid.row(vec![
            (k + 1).to_string(),
            p.body.clone(),
            p.position.map(three).join(", "),
            p.normal.map(|x| three(carom::answer::digits::clean(x, 1e3))).join(", "),
            three(p.effective_mass),
            some(p.speed_clamped),
            some(p.speed_free),
            p.region.clone().unwrap_or_default(),
            some(p.attainable_speed),
        ]);
    }
    grid
}

/// The joints that a map over the reach moved.
pub(crate) fn ranges(found: &WorkspaceAnswer) -> Grid {
    let mut grid =
        Grid::new(&["joint", "from [rad or m]", "to [rad or m]", "lightest at", "heaviest at"]);
    for (k, (joint, [low, high])) in found.moved_joints.iter().zip(&found.joint_ranges).enumerate()
    {
        let at = |q: &[f64]| q.get(k).map_or_else(String::new, |x| three(*x));
        // Positions are listed in the order of the joints, which only differs where some are held.
        let known = found.held_joints.is_empty();
        let at = |q: &[f64]| if known { at(q) } else { String::new() };
        let (light, heavy) = (at(&found.lightest_at), at(&found.heaviest_at));
        grid.row(vec![joint.clone(), three(*low), three(*high), light, heavy]);
    }
    grid
}
