//! What was understood of a file, as tables.

use std::fmt::Write as _;

use carom::answer::{Approach, Standing};
use carom::answer::{CheckAnswer, Constraints, JointAnswer, Severity};

use super::rows::{stiffness_origin, stiffness_unit};
use super::{Grid, page};
use crate::number::{angle, count, six, vector, with_unit};

/// Layout: longer lists are summarised.
pub(crate) const MOST_LISTED: usize = 40;

/// The whole text.
pub(crate) fn text(answer: &CheckAnswer) -> String {
    let mut out = head(answer);
    out += &bodies(answer);
    out += &joints(answer);
    out += &closures(answer);
    out += &freedom(&answer.constraints);
    out += &contacts(answer);
    out += &stiffness(answer);
    out += &loads(answer);
    out += &motion(answer);
    let warnings = answer.cautions.iter().filter(|c| c.severity >= Severity::Warning).count();
    if warnings == 0 {
        out += "\nno warnings\n";
    } else {
        let number = count(warnings, "warning", "warnings");
        let _ = writeln!(out, "\n{number} (on stderr)");
    }
    page(&out)
}

/// Title, file, space, gravity.
fn head(answer: &CheckAnswer) -> String {
    let head = &answer.head;
    let title = if head.title.is_empty() { "(no title)" } else { &head.title };
    let space = if planar(answer) { "planar, in x and y" } else { "spatial" };
    let mut out = format!("{title}\n");
    let _ = writeln!(out, "  file      {}", head.file);
    let _ = writeln!(out, "  space     {space}");
    let _ = writeln!(out, "  gravity   {} m/s²", vector(planar(answer), &head.gravity));
    out
}

fn planar(answer: &CheckAnswer) -> bool {
    answer.head.space == "planar"
}

/// A heading, and the grid unless it is too long.
fn section(heading: &str, grid: &Grid) -> String {
    let mut out = format!("\n{heading}\n");
    if grid.len() > MOST_LISTED + 1 {
        out += "  (not listed: --format json lists them)\n";
    } else if grid.len() > 1 {
        out += &grid.text(2);
    }
    out
}

fn bodies(answer: &CheckAnswer) -> String {
    let total: f64 = answer.bodies.iter().map(|b| b.mass).sum();
    let number = count(answer.bodies.len(), "body", "bodies");
    let heading = format!("{number}, together {}", with_unit(total, "kg"));
    let inertia = if planar(answer) { "inertia" } else { "inertia Ixx, Iyy, Izz" };
    let mut grid = Grid::new(&["body", "mass", inertia, "hangs on"]);
    for body in answer.bodies.iter().take(MOST_LISTED + 1) {
        let moments = if planar(answer) { &body.inertia[2..3] } else { &body.inertia[..3] };
        let moments: Vec<String> = moments.iter().map(|x| six(*x)).collect();
        grid.row(vec![
            body.name.clone(),
            with_unit(body.mass, "kg"),
            format!("{} kg m²", moments.join(", ")),
            body.parent.clone(),
        ]);
    }
    section(&heading, &grid)
}

fn joints(answer: &CheckAnswer) -> String {
    let coordinates = answer.joints.iter().map(|j| j.coordinates.len()).sum();
    let heading = format!(
        "{} with {}",
        count(answer.joints.len(), "joint", "joints"),
        count(coordinates, "coordinate", "coordinates")
    );
    let mut grid = Grid::new(&[
        "joint",
        "type",
        "connects",
        "coordinate",
        "position",
        "velocity",
        "acceleration",
        "",
    ]);
    for joint in answer.joints.iter().take(MOST_LISTED + 1) {
        let [parent, child] = &joint.connects;
        let mut first = vec![joint.name.clone(), joint.kind.clone(), format!("{parent} → {child}")];
        let (plain, turn) =
            joint.position.split_at(joint.position.len() - if joint.quaternion { 4 } else { 0 });
        for (c, name) in joint.coordinates.iter().enumerate() {
            let turns = joint.turns[c];
            let unit = if turns { "rad/s" } else { "m/s" };
            let mut cells = std::mem::replace(&mut first, vec![String::new(); 3]);
            cells.push(name.clone());
            cells.push(match plain.get(c) {
                Some(q) if turns => angle(*q),
                Some(q) => with_unit(*q, "m"),
                None => "(quaternion)".to_owned(),
            });
            cells.push(with_unit(joint.velocity[c], unit));
            cells.push(with_unit(joint.acceleration[c], &format!("{unit}²")));
            cells.push(note(answer, joint, c));
            grid.row(cells);
        }
        if joint.coordinates.is_empty() {
            grid.row(first);
        }
        if joint.quaternion {
            let turn: Vec<String> = turn.iter().map(|x| six(*x)).collect();
            let blank = String::new;
            let turned = format!("({})", turn.join(", "));
            grid.row(vec![blank(), blank(), blank(), "turned by".into(), turned]);
        }
    }
    section(&heading, &grid)
}

/// Locked, driven, rotor, stated.
fn note(answer: &CheckAnswer, joint: &JointAnswer, column: usize) -> String {
    let mut notes = Vec::new();
    if joint.locked {
        notes.push("locked".to_owned());
    }
    for driven in joint.driven_by.iter().filter(|d| d.coordinate == joint.coordinates[column]) {
        notes.push(format!("driven by `{}`", driven.drive));
    }
    if joint.rotor[column] != 0.0 {
        let unit = if joint.turns[column] { "kg m²" } else { "kg" };
        notes.push(format!("rotor {}", with_unit(joint.rotor[column], unit)));
    }
    if notes.is_empty() && !joint.position_stated && !answer.closures.is_empty() {
        notes.push("found by assembly".to_owned());
    }
    notes.join(", ")
}

fn closures(answer: &CheckAnswer) -> String {
    if answer.closures.is_empty() {
        return String::new();
    }
    let mut grid = Grid::new(&["closure", "type", "rows", "left open by"]);
    for closure in answer.closures.iter().take(MOST_LISTED + 1) {
        grid.row(vec![
            closure.name.clone(),
            closure.kind.clone(),
            closure.rows.to_string(),
            six(closure.residual),
        ]);
    }
    section(&count(answer.closures.len(), "closure", "closures"), &grid)
}

/// Degrees of freedom, redundancy, condition.
fn freedom(constraints: &Constraints) -> String {
    let number = count(constraints.degrees_of_freedom, "degree of freedom", "degrees of freedom");
    let velocities = count(constraints.free_velocities, "free coordinate", "free coordinates");
    let mut out = format!("\n{number}: {velocities}");
    if constraints.rows > 0 {
        let rows = count(constraints.rows, "closure row", "closure rows");
        let _ = write!(out, " − {} independent of {rows}", constraints.rank);
    }
    out.push('\n');
    if constraints.rank < constraints.rows {
        let dependent = count(constraints.rows - constraints.rank, "row depends", "rows depend");
        let _ = writeln!(
            out,
            "  {dependent} on others: {}; reactions not unique: {}",
            if constraints.singular.is_empty() { "redundant" } else { "singular pose" },
            shortened(&constraints.reactions_not_unique)
        );
    }
    if constraints.rows > 0 {
        let _ = match constraints.condition_number {
            Some(condition) => {
                writeln!(out, "  condition number of the closures: {}", six(condition))
            }
            None => writeln!(out, "  condition number of the closures: not computed (too large)"),
        };
    }
    out
}

fn shortened(names: &[String]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    let mut out = names[..names.len().min(MOST_LISTED)].join(", ");
    if names.len() > MOST_LISTED {
        let _ = write!(out, " and {} more", names.len() - MOST_LISTED);
    }
    out
}

fn contacts(answer: &CheckAnswer) -> String {
    let mut grid = Grid::new(&["contact", "between", "points", "least gap", ""]);
    for contact in answer.contacts.iter().take(MOST_LISTED + 1) {
        let Some(nearest) = contact.points.iter().min_by(|a, b| a.gap.total_cmp(&b.gap)) else {
            continue;
        };
        let gap = if nearest.standing == Standing::Touching { 0.0 } else { nearest.gap };
        grid.row(vec![
            contact.name.clone(),
            contact.sides.between.clone(),
            contact.points.len().to_string(),
            with_unit(gap, contact.units.gap),
            if nearest.motion == Approach::Resting {
                format!("{}, resting", nearest.standing.word())
            } else {
                let (speed, unit) = (six(nearest.u.abs()), &contact.units.velocity);
                let (standing, motion) = (nearest.standing.word(), nearest.motion.word());
                format!("{standing}, {motion} at {speed} {unit}")
            },
        ]);
    }
    section(&count(answer.contacts.len(), "contact", "contacts"), &grid)
}

/// One line a contact that has a stiffness; nothing if none has.
fn stiffness(answer: &CheckAnswer) -> String {
    let mut grid = Grid::new(&["contact", "K", "n", "from"]);
    for contact in &answer.contacts {
        let Some(found) = &contact.stiffness else { continue };
        grid.row(vec![
            contact.name.clone(),
            with_unit(found.stiffness, &stiffness_unit(found, &contact.units)),
            six(found.exponent),
            stiffness_origin(found),
        ]);
    }
    if grid.len() > 1 { section("stiffness of contacts", &grid) } else { String::new() }
}

/// A closure that acts on joint coordinates and has no point: JSON tells its multiplier.
const COUPLING: &str = "coupling";

/// Energies, momenta and what the joints carry.
fn motion(answer: &CheckAnswer) -> String {
    let (planar, motion) = (planar(answer), &answer.motion);
    let mut grid = Grid::default();
    let mut line = |what: &str, symbol: &str, value: String, meaning: &str| {
        grid.row(vec![what.to_owned(), symbol.to_owned(), value, meaning.to_owned()]);
    };
    line("kinetic energy", "T", with_unit(motion.kinetic_energy, "J"), "");
    let potential = with_unit(motion.potential_energy, "J");
    line("potential energy", "V", potential, "gravity from the origin's height, springs");
    line("momentum", "", format!("{} kg m/s", vector(planar, &motion.linear_momentum)), "");
    line(
        "angular momentum",
        "",
        format!("{} kg m²/s", turning(planar, &motion.angular_momentum)),
        "about the origin",
    );
    let mut out = format!("\nmotion\n{}", grid.text(2));
    let joints = answer.joints.iter().map(|j| (&j.name, &j.reaction));
    let closures = answer.closures.iter().filter(|c| c.kind != COUPLING);
    let all = joints.chain(closures.map(|c| (&c.name, &c.reaction)));
    let mut grid = Grid::new(&["joint", "force [N]", "moment [N m]", ""]);
    for (name, found) in all.take(MOST_LISTED + 1) {
        grid.row(vec![
            name.clone(),
            vector(planar, &found.force),
            turning(planar, &found.moment),
            if found.unique { "" } else { "not unique: one of many" }.to_owned(),
        ]);
    }
    out += &section(
        "reactions without contacts: on the second body, at its point of the joint, in world axes",
        &grid,
    );
    out
}

/// A moment or an angular momentum: about z in a planar model.
fn turning(planar: bool, x: &[f64; 3]) -> String {
    if planar { six(x[2]) } else { vector(planar, x) }
}

fn loads(answer: &CheckAnswer) -> String {
    let mut out = String::new();
    if !answer.loads.is_empty() {
        let mut grid = Grid::new(&["load", "type"]);
        for load in answer.loads.iter().take(MOST_LISTED + 1) {
            grid.row(vec![load.name.clone(), load.kind.clone()]);
        }
        out += &section(&count(answer.loads.len(), "load", "loads"), &grid);
    }
    if !answer.drives.is_empty() {
        let mut grid = Grid::new(&["drive", "moves joint"]);
        for drive in answer.drives.iter().take(MOST_LISTED + 1) {
            grid.row(vec![drive.name.clone(), drive.joint.clone()]);
        }
        out += &section(&count(answer.drives.len(), "drive", "drives"), &grid);
    }
    out
}
