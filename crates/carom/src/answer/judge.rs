//! What the file, its assembly and the constraints of a posture ask a user to know.

use super::{Caution, CautionCode};
use crate::contact::hertz::ContactArea;
use crate::contact::{Standing, TouchPoint};
use crate::dynamics::Posture;
use crate::dynamics::report::Mobility;
use crate::file::Opened;
use crate::impact::{Strike, StrikeWishes, Together};
use crate::maths::digits::{six, three};
use crate::model::builder::Caution as FileCaution;
use crate::model::{Contact, StartRule};
use crate::simulate::{Scenario, SimulateError, Wishes};

/// Condition number of D M⁻¹ Dᵀ from which on a caution says how many digits are lost: half of the 16 digits of a double are
/// lost at 1e8, and 1e10 leaves six.
const ILL_CONDITIONED: f64 = 1e10;
/// Half width of a contact area divided by the radius of the surfaces from which on Hertz's theory, which replaces the surfaces by
/// paraboloids, misses the force by some per cent.
pub const LARGE_CONTACT: f64 = 0.3;
/// Names that one caution lists; the rest are counted.
const MOST_NAMES: usize = 8;

/// Of the file, and of what assembly had to change.
pub fn of_file(opened: &Opened) -> Vec<Caution> {
    let (loaded, assembled) = (&opened.loaded, &opened.assembled);
    let mut out = Vec::new();
    for warning in &loaded.warnings {
        let at = warning.origin.as_ref().map(|o| loaded.source.place(o));
        let at = at.map_or_else(String::new, |at| format!(" ({at})"));
        let message = format!("{}{at}", warning.caution);
        let path = warning.path.clone();
        out.push(match warning.caution {
            FileCaution::RobotNote(_) => Caution::note(CautionCode::RobotImport, path, message),
            FileCaution::Clearance(_) => Caution::note(CautionCode::ModelFile, path, message),
            FileCaution::RobotDoubt(_) => Caution::warning(CautionCode::RobotImport, path, message),
            FileCaution::MotorsNotCounted => {
                Caution::warning(CautionCode::MotorsNotCounted, path, message)
            }
            _ => Caution::warning(CautionCode::ModelFile, path, message),
        });
    }
    let changes = |code, what: &str, changed: &[(String, f64)]| {
        let named: Vec<String> =
            changed.iter().map(|(joint, by)| format!("{joint} by {}", six(*by))).collect();
        let message = format!(
            "no motion or pose keeps every stated {what}; changed: {}",
            list(&named, "joints.")
        );
        (!changed.is_empty()).then(|| Caution::warning(code, "", message))
    };
    out.extend(changes(CautionCode::PositionChanged, "position", &assembled.moved));
    out.extend(changes(CautionCode::VelocityChanged, "velocity", &assembled.changed));
    if !assembled.flipped.is_empty() {
        let message = format!(
            "assembled with the two axes pointing opposite ways: {}; if this is not meant, start nearer with `guess`",
            list(&assembled.flipped, "closures.")
        );
        out.push(Caution::warning(CautionCode::AxesOpposed, "", message));
    }
    if assembled.start > 0 && opened.model().initial.branch.is_empty() {
        let message = format!(
            "the pose of the file leads to no closed loops; assembled from another start (number {}): see whether the pose is \
             the one you mean, or give a `guess`",
            assembled.start
        );
        out.push(Caution::warning(CautionCode::OtherStart, "", message));
    }
    out
}

/// Of freedoms without inertia, of redundancy and of conditioning.
pub fn of_constraints(found: &Mobility) -> Vec<Caution> {
    let mut out = Vec::new();
    if !found.inert.is_empty() {
        let names = list(&found.inert, "joints.");
        let message = format!("nothing with inertia moves with {names}: held as they are");
        out.push(Caution::warning(CautionCode::NoInertia, "", message));
    }
    if !found.redundant.is_empty() {
        out.push(redundant(found));
    }
    out.extend(super::singular::of_singularity(found));
    if let Some(condition) = found.condition.filter(|c| c.is_nan() || *c > ILL_CONDITIONED) {
        let message = format!(
            "near a singular pose: condition number {} of the closures; about {} of 16 digits are lost",
            three(condition),
            three(condition.log10().clamp(0.0, 16.0).round())
        );
        out.push(Caution::warning(CautionCode::IllConditioned, "", message));
    }
    out
}

/// Closure rows that depend on others here and beside this pose.
fn redundant(found: &Mobility) -> Caution {
    let message = format!(
        "redundant: {} of {} closure rows follow from the others ({}); effective masses and energies do not depend on them, {}",
        found.rows - (found.velocities - found.freedom_beside).min(found.rows),
        found.rows,
        list(&found.redundant, "closures."),
        reactions(found)
    );
    Caution::warning(CautionCode::Redundant, "", message)
}

/// Which reactions are not unique.
fn reactions(found: &Mobility) -> String {
    if found.not_unique.is_empty() {
        "and all joint reactions are unique".to_owned()
    } else {
        format!("but the reactions of {} are not unique", list(&found.not_unique, ""))
    }
}

/// Of points inside each other, given as how they stand and their gap.
pub fn of_points(
    contact: &Contact,
    points: impl Iterator<Item = (Standing, f64)>,
) -> Option<Caution> {
    let inside = points.filter(|(standing, _)| *standing == Standing::Penetrating);
    let deepest = inside.map(|(_, gap)| gap).fold(0.0, f64::min);
    (deepest < 0.0).then(|| {
        let depth = six(-deepest);
        let message = if contact.is_stop() {
            format!("the joint is {depth} {} beyond its stop in this pose", contact.units().gap)
        } else {
            format!("the shapes penetrate by {depth} m in this pose")
        };
        Caution::warning(CautionCode::Penetration, place(&contact.name), message)
    })
}

/// Of elastic contacts so large beside the radii that their theory does not hold.
pub fn of_areas(contact: &str, areas: impl Iterator<Item = ContactArea>) -> Option<Caution> {
    let size = areas.map(|area| area.relative_size).fold(0.0, f64::max);
    large_contact(size)
        .map(|message| Caution::warning(CautionCode::LargeContact, place(contact), message))
}

/// What is wrong with a contact area of this half width divided by the radius, if it is too large for Hertz's theory.
pub fn large_contact(relative_size: f64) -> Option<String> {
    (relative_size > LARGE_CONTACT).then(|| {
        format!(
            "at the elastic peak force the half width of the contact is {} of the radius; Hertz's theory asks for a small part",
            three(relative_size)
        )
    })
}

/// Of everything for which `run` would refuse the file; nothing of a file that names neither a duration nor a contact.
pub fn of_run(opened: &Opened, at: &Posture<'_>) -> Vec<Caution> {
    let model = opened.model();
    if model.contacts.is_empty() && model.simulation.duration.is_none() {
        return Vec::new();
    }
    let note = |error: SimulateError| {
        let place = error.contact().map_or_else(|| "simulation".to_owned(), place);
        let text = error.to_string();
        let text = text.strip_prefix(&format!("{place}: ")).unwrap_or(&text);
        Caution::note(
            CautionCode::CannotRun,
            place,
            format!("`run` would refuse this file: {text}"),
        )
    };
    let mut refusals = Scenario::refusals(at, &Wishes::default());
    refusals.extend(inside(at));
    refusals.extend(blocked(at));
    refusals.into_iter().map(note).collect()
}

/// Contacts that begin inside each other, which a run refuses unless it is told to start in contact.
fn inside(at: &Posture<'_>) -> Vec<SimulateError> {
    let model = at.model();
    if model.simulation.start == Some(StartRule::InContact) {
        return Vec::new();
    }
    let refusal = |k: usize| {
        let (touch, stated) = (at.touch(k).ok()?, &model.contacts[k]);
        let is_inside = |p: &&TouchPoint| Standing::of(at, k, p) == Standing::Penetrating;
        let deepest = touch.points().iter().filter(is_inside).map(|p| -p.gap).reduce(f64::max)?;
        let (contact, unit) = (stated.name.clone(), stated.units().gap);
        Some(SimulateError::Penetrating { contact, depth: deepest, unit })
    };
    (0..model.contacts.len()).filter_map(refusal).collect()
}

/// Touching contacts that drives close although they cannot separate: a run stops at once.
fn blocked(at: &Posture<'_>) -> Option<SimulateError> {
    let strike = Strike::new(*at, None, &StrikeWishes::default()).ok()?;
    let held = strike.held.as_ref()?;
    let point = strike.points.iter().rev().find(|p| p.row <= held.row)?;
    let contact = at.model().contacts[point.contact].name.clone();
    Some(SimulateError::Blocked { t: at.state().t, contact, drives: held.drives.clone() })
}

/// Of a contact that a drive closes although nothing can give way, or would if it touched.
pub fn unbounded(contact: &str, drives: &[String], touching: bool) -> Caution {
    let here = if touching { "" } else { "if it touched here, " };
    let remedy = super::sentence::remedy(drives);
    let message = format!("{here}the impact energy T_c is unbounded: {remedy}");
    Caution::warning(CautionCode::Unbounded, place(contact), message)
}

/// Of contacts that touch and that drives close together although nothing can give way, while each alone could; they are told beside `known`.
pub fn unbounded_together(all: &Together, known: &[Caution]) -> Option<Caution> {
    let alone = known.iter().any(|caution| caution.code == CautionCode::Unbounded);
    if alone || !all.touching || !all.energies.unbounded {
        return None;
    }
    let mut names: Vec<&str> = all.rows.iter().map(|row| row.contact.as_str()).collect();
    names.dedup();
    let message = format!(
        "struck at once, these contacts have an unbounded impact energy T_c: {}",
        super::sentence::remedy(&all.energies.drives)
    );
    let places: Vec<String> = names.into_iter().map(place).collect();
    Some(Caution::warning(CautionCode::Unbounded, places.join(", "), message))
}

/// `contacts.hit`.
pub(super) fn place(contact: &str) -> String {
    format!("contacts.{contact}")
}

/// Names behind a prefix; the first few, and how many more.
pub(super) fn list(names: &[String], prefix: &str) -> String {
    let mut out: Vec<String> =
        names.iter().take(MOST_NAMES).map(|n| format!("{prefix}{n}")).collect();
    if names.len() > MOST_NAMES {
        out.push(format!("and {} more", names.len() - MOST_NAMES));
    }
    out.join(", ")
}
