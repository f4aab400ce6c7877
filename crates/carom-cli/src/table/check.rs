//! What was understood of a file, as tables.

use std::fmt::Write as _;

use carom::contact::Touch;
use carom::dynamics::Posture;
use carom::dynamics::report::Mobility;
use carom::file::Opened;
use carom::maths::Vec3;
use carom::model::{Body, ContactGeometry, Load, Model};

use super::{Grid, stiffness};
use crate::balance::Reaction;
use crate::commands::check::Report;
use crate::number::{angle, count, plain, six, vector, with_unit};
use carom::contact::{Approach as Motion, Standing};

/// Longer lists are summarised.
pub(crate) const MOST_LISTED: usize = 40;

/// The whole text.
pub(crate) fn text(report: &Report<'_>) -> String {
    let Report { opened, at, constraints, touches, .. } = report;
    let model = opened.model();
    let mut out = head(opened);
    out += &bodies(model);
    out += &joints(report);
    out += &closures(opened);
    out += &freedom(constraints);
    out += &contacts(model, at, touches);
    if let Some(grid) = stiffness::grid(model, &report.stiffnesses) {
        out += &section("stiffness of contacts", &grid);
    }
    out += &loads(model);
    out += &motion(report);
    if report.warnings.is_empty() {
        out += "\nno warnings\n";
    } else {
        let number = count(report.warnings.len(), "warning", "warnings");
        let _ = writeln!(out, "\n{number} (on stderr)");
    }
    plain(&out)
}

/// Title, file, space, gravity.
fn head(opened: &Opened) -> String {
    let model = opened.model();
    let title = if model.title.is_empty() { "(no title)" } else { &model.title };
    let space = if model.is_planar() { "planar, in x and y" } else { "spatial" };
    let mut out = format!("{title}\n");
    let _ = writeln!(out, "  file      {}", opened.loaded.source.name());
    let _ = writeln!(out, "  space     {space}");
    let _ = writeln!(out, "  gravity   {} m/s²", vector(model, &model.gravity));
    out
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

fn bodies(model: &Model) -> String {
    let total: f64 = model.bodies.iter().map(|b| b.inertia.mass).sum();
    let number = count(model.bodies.len(), "body", "bodies");
    let heading = format!("{number}, together {}", with_unit(total, "kg"));
    let inertia = if model.is_planar() { "inertia" } else { "inertia Ixx, Iyy, Izz" };
    let mut grid = Grid::new(&["body", "mass", inertia, "hangs on"]);
    for body in model.bodies.iter().take(MOST_LISTED + 1) {
        let central = own_inertia(body);
        let moments: Vec<String> = if model.is_planar() {
            vec![six(central[2])]
        } else {
            central[..3].iter().map(|x| six(*x)).collect()
        };
        grid.row(vec![
            body.name.clone(),
            with_unit(body.inertia.mass, "kg"),
            format!("{} kg m²", moments.join(", ")),
            model.place_name(body.parent).to_owned(),
        ]);
    }
    section(&heading, &grid)
}

/// Ixx Iyy Izz Ixy Ixz Iyz about the mass centre, in the body's own axes.
pub(crate) fn own_inertia(body: &Body) -> [f64; 6] {
    let rotation = &body.frame.rotation;
    let tensor = rotation.transpose() * body.inertia.central() * rotation;
    // The central inertia comes back from the one about the joint: what cancels is round-off.
    let size = body.inertia.about_origin.amax();
    [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)]
        .map(|k| if tensor[k].abs() <= 1e-15 * size { 0.0 } else { tensor[k] })
}

fn joints(report: &Report<'_>) -> String {
    let (model, state) = (report.opened.model(), report.at.state());
    let v_dot = &report.balance.motion.solution.x;
    let heading = format!(
        "{} with {}",
        count(model.bodies.len(), "joint", "joints"),
        count(model.nv, "coordinate", "coordinates")
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
    for body in model.bodies.iter().take(MOST_LISTED + 1) {
        let joint = &body.joint;
        let mut first = vec![
            joint.name.clone(),
            joint.kind.name().to_owned(),
            format!("{} → {}", model.place_name(body.parent), body.name),
        ];
        for (c, name) in joint.kind.coordinate_names().iter().enumerate() {
            let position = joint.kind.position_of(c).map(|k| state.q[joint.q + k]);
            let turns = joint.kind.is_angular(c);
            let unit = if turns { "rad/s" } else { "m/s" };
            let mut cells = std::mem::replace(&mut first, vec![String::new(); 3]);
            cells.push((*name).to_owned());
            cells.push(match position {
                Some(q) if turns => angle(q),
                Some(q) => with_unit(q, "m"),
                None => "(quaternion)".to_owned(),
            });
            cells.push(with_unit(state.v[joint.v + c], unit));
            cells.push(with_unit(v_dot[joint.v + c], &format!("{unit}²")));
            cells.push(note(model, body, c));
            grid.row(cells);
        }
        if joint.kind.velocities() == 0 {
            grid.row(first);
        }
        if joint.kind.position_of(joint.kind.velocities().saturating_sub(1)).is_none() {
            let q: Vec<String> = joint.positions().map(|k| six(state.q[k])).collect();
            let turn = q[q.len().saturating_sub(4)..].join(", ");
            let blank = String::new;
            grid.row(vec![blank(), blank(), blank(), "turned by".into(), format!("({turn})")]);
        }
    }
    section(&heading, &grid)
}

/// Locked, driven, rotor, stated.
fn note(model: &Model, body: &Body, column: usize) -> String {
    let joint = &body.joint;
    let mut notes = Vec::new();
    if joint.locked {
        notes.push("locked".to_owned());
    }
    for drive in model.drives.iter().filter(|d| d.v == joint.v + column) {
        notes.push(format!("driven by `{}`", drive.name));
    }
    if joint.rotor[column] != 0.0 {
        let unit = if joint.kind.is_angular(column) { "kg m²" } else { "kg" };
        notes.push(format!("rotor {}", with_unit(joint.rotor[column], unit)));
    }
    if notes.is_empty() && !joint.position_given && !model.closures.is_empty() {
        notes.push("found by assembly".to_owned());
    }
    notes.join(", ")
}

fn closures(opened: &Opened) -> String {
    let model = opened.model();
    if model.closures.is_empty() {
        return String::new();
    }
    let mut grid = Grid::new(&["closure", "type", "rows", "left open by"]);
    for (closure, (_, residual)) in
        model.closures.iter().zip(&opened.assembled.residuals).take(MOST_LISTED + 1)
    {
        grid.row(vec![
            closure.name.clone(),
            closure.kind.to_owned(),
            closure.rows.len().to_string(),
            six(*residual),
        ]);
    }
    section(&count(model.closures.len(), "closure", "closures"), &grid)
}

/// Degrees of freedom, redundancy, condition.
fn freedom(constraints: &Mobility) -> String {
    let number = count(constraints.freedom, "degree of freedom", "degrees of freedom");
    let velocities = count(constraints.velocities, "free coordinate", "free coordinates");
    let mut out = format!("\n{number}: {velocities}");
    if constraints.rows > 0 {
        let rows = count(constraints.rows, "closure row", "closure rows");
        let _ = write!(out, " − {} independent of {rows}", constraints.rank);
    }
    out.push('\n');
    if constraints.rank < constraints.rows {
        let _ = writeln!(
            out,
            "  {} redundant; reactions not unique: {}",
            count(constraints.rows - constraints.rank, "row is", "rows are"),
            shortened(&constraints.not_unique)
        );
    }
    if constraints.rows > 0 {
        let _ = match constraints.condition {
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

fn contacts(model: &Model, at: &Posture<'_>, touches: &[Touch]) -> String {
    let mut grid = Grid::new(&["contact", "between", "points", "least gap", ""]);
    for (k, (contact, touch)) in
        model.contacts.iter().zip(touches).enumerate().take(MOST_LISTED + 1)
    {
        let Some(nearest) = touch.points().iter().min_by(|a, b| a.gap.total_cmp(&b.gap)) else {
            continue;
        };
        let u = at.rate(&at.contact_row(k, nearest, &nearest.normal));
        let motion = Motion::of(at, k, nearest);
        let standing = Standing::of(at, k, nearest);
        let gap = if standing == Standing::Touching { 0.0 } else { nearest.gap };
        grid.row(vec![
            contact.name.clone(),
            between(model, k),
            touch.points().len().to_string(),
            with_unit(gap, contact.units().gap),
            if motion == Motion::Resting {
                format!("{}, resting", standing.word())
            } else {
                let (speed, unit) = (six(u.abs()), contact.units().velocity);
                format!("{}, {} at {speed} {unit}", standing.word(), motion.word())
            },
        ]);
    }
    section(&count(model.contacts.len(), "contact", "contacts"), &grid)
}

/// Energies, momenta and what the joints carry.
fn motion(report: &Report<'_>) -> String {
    let (model, balance) = (report.opened.model(), &report.balance);
    let (linear, angular) = &balance.momentum;
    let mut grid = Grid::default();
    let mut line = |what: &str, symbol: &str, value: String, meaning: &str| {
        grid.row(vec![what.to_owned(), symbol.to_owned(), value, meaning.to_owned()]);
    };
    line("kinetic energy", "T", with_unit(balance.kinetic_energy, "J"), "");
    let potential = with_unit(balance.potential_energy, "J");
    line("potential energy", "V", potential, "gravity from the origin's height, springs");
    line("momentum", "", format!("{} kg m/s", vector(model, linear)), "");
    line(
        "angular momentum",
        "",
        format!("{} kg m²/s", turning(model, angular)),
        "about the origin",
    );
    let mut out = format!("\nmotion\n{}", grid.text(2));

    let names = (model.bodies.iter().map(|b| (&b.joint.name, b.joint.kind.name())))
        .chain(model.closures.iter().map(|c| (&c.name, c.kind)))
        .filter(|(_, kind)| *kind != COUPLING)
        .zip(pushing(report));
    let least = round_off(report);
    let mut grid = Grid::new(&["joint", "force [N]", "moment [N m]", ""]);
    for ((name, _), found) in names.take(MOST_LISTED + 1) {
        grid.row(vec![
            name.clone(),
            vector(model, &found.wrench.force),
            turning(model, &found.wrench.moment.map(|x| if x.abs() <= least { 0.0 } else { x })),
            if found.unique { "" } else { "not unique: one of many" }.to_owned(),
        ]);
    }
    out += &section(
        "reactions without contacts: on the second body, at its point of the joint, in world axes",
        &grid,
    );
    out
}

/// A closure that acts on joint coordinates and has no point: JSON tells its multiplier.
const COUPLING: &str = "coupling";

/// The reactions of joints, then of closures that have a point.
fn pushing<'a>(report: &'a Report<'_>) -> impl Iterator<Item = &'a Reaction> {
    let closures = report.opened.model().closures.iter().zip(&report.balance.closures);
    let pushing = closures.filter(|(c, _)| c.kind != COUPLING).map(|(_, reaction)| reaction);
    report.balance.joints.iter().chain(pushing)
}

/// A moment that the largest forces leave on arms as long as the longest link: nothing.
fn round_off(report: &Report<'_>) -> f64 {
    let links = report.at.frames().links().iter().map(|l| l.arm.norm());
    let centers = report.opened.model().bodies.iter().map(|b| b.inertia.center.norm());
    let arm = links.chain(centers).fold(0.0, f64::max);
    let most = pushing(report).map(|r| r.wrench.force.norm() * arm + r.wrench.moment.norm());
    1e-13 * most.fold(0.0, f64::max)
}

/// A moment or an angular momentum: about z in a planar model.
fn turning(model: &Model, x: &Vec3) -> String {
    if model.is_planar() { six(x.z) } else { vector(model, x) }
}

/// `point slider.nose and plane block.face`.
pub(crate) fn between(model: &Model, contact: usize) -> String {
    match model.contacts[contact].geometry {
        ContactGeometry::Shapes { a, b } => {
            let side =
                |k: usize| format!("{} {}", model.shapes[k].kind.name(), model.shapes[k].name);
            format!("{} and {}", side(a), side(b))
        }
        ContactGeometry::Points { a, b, .. } => format!(
            "points of {} and {}, with a given normal",
            model.place_name(a.body),
            model.place_name(b.body)
        ),
        ContactGeometry::Stop(stop) => {
            format!("stops of joint {}", model.bodies[stop.body.index()].joint.name)
        }
    }
}

/// Kind and name of a load.
pub(crate) fn load_name(load: &Load) -> (&'static str, &str) {
    match load {
        Load::Spring { name, .. } => ("spring", name),
        Load::JointSpring { name, .. } => ("joint-spring", name),
        Load::Force { name, .. } => ("force", name),
        Load::Torque { name, .. } => ("torque", name),
        Load::Effort { name, .. } => ("effort", name),
    }
}

fn loads(model: &Model) -> String {
    let mut out = String::new();
    if !model.loads.is_empty() {
        let mut grid = Grid::new(&["load", "type"]);
        for load in model.loads.iter().take(MOST_LISTED + 1) {
            let (kind, name) = load_name(load);
            grid.row(vec![name.to_owned(), kind.to_owned()]);
        }
        out += &section(&count(model.loads.len(), "load", "loads"), &grid);
    }
    if !model.drives.is_empty() {
        let mut grid = Grid::new(&["drive", "moves joint"]);
        for drive in model.drives.iter().take(MOST_LISTED + 1) {
            let joint = &model.bodies[drive.body.index()].joint.name;
            grid.row(vec![drive.name.clone(), joint.clone()]);
        }
        out += &section(&count(model.drives.len(), "drive", "drives"), &grid);
    }
    out
}
