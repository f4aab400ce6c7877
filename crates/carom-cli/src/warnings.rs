//! What may not be meant: of the file, of assembly, of the posture.

use carom::contact::law::Parameter;
use carom::dynamics::report::Mobility;
use carom::file::Opened;
use carom::impact::laws::{FrictionForm, Uniqueness};
use carom::impact::{Assessment, Strike, StrikeWishes, Struck};
use carom::model::Friction;

use crate::number::{six, three};
use carom::contact::Standing;

/// From this condition number of D M⁻¹ Dᵀ on, digits are lost.
const NEAR_SINGULAR: f64 = 1e10;
/// From this part of the radius on a contact is not small; Hertz's force is then off by some per cent.
pub(crate) const LARGE_CONTACT: f64 = 0.3;
/// How many names a warning lists.
const MOST_NAMES: usize = 8;

/// Of the file, and of what assembly had to change.
pub(crate) fn of_file(opened: &Opened) -> Vec<String> {
    let mut out = Vec::new();
    let rendered = opened.loaded.render_warnings();
    if !rendered.is_empty() {
        out.push(rendered.trim_end().to_owned());
    }
    let assembled = &opened.assembled;
    out.extend(changes("position", &assembled.moved));
    out.extend(changes("velocity", &assembled.changed));
    if !assembled.flipped.is_empty() {
        out.push(format!(
            "warning: assembled with the two axes pointing opposite ways: {}; if this is not meant, \
             start nearer with `guess`",
            list(&assembled.flipped, "closures.")
        ));
    }
    if assembled.start > 0 && opened.model().initial.branch.is_empty() {
        out.push(format!(
            "warning: the pose of the file leads to no closed loops; assembled from another start \
             (number {}): see whether the pose is the one you mean, or give a `guess`",
            assembled.start
        ));
    }
    out
}

/// Of a law that cannot be used as the file states it.
pub(crate) fn of_law(contact: &Assessment) -> Vec<String> {
    let Some(law) = &contact.law else { return Vec::new() };
    let names = |all: &[Parameter]| {
        all.iter().map(|p| format!("`{}`", p.name())).collect::<Vec<_>>().join(", ")
    };
    let mut out = Vec::new();
    if !law.unused.is_empty() {
        out.push(format!(
            "warning: contacts.{}: law `{}` takes no {}; it is not used",
            contact.contact,
            law.name,
            names(&law.unused)
        ));
    }
    if !law.missing.is_empty() {
        out.push(format!(
            "warning: contacts.{}: law `{}` predicts no force: {} is missing",
            contact.contact,
            law.name,
            names(&law.missing)
        ));
    }
    let delivered = contact.rows.iter().filter_map(|r| r.prediction.map(|p| p.outcome.restitution));
    let most = delivered.fold(0.0, f64::max);
    // Beyond the error of an integration.
    if most > 1.0 + 1e-9 {
        out.push(format!(
            "warning: contacts.{}: law `{}` returns more energy than it takes: it delivers a \
             restitution of {}",
            contact.contact,
            law.name,
            six(most)
        ));
    }
    out
}

/// Of gaps that are none, and of friction laws that an impact cannot follow.
pub(crate) fn of_strike(strike: &Strike<'_>, wishes: &StrikeWishes) -> Vec<String> {
    let contacts = &strike.at().model().contacts;
    let mut out = Vec::new();
    for point in strike.points.iter().filter(|p| p.standing != Standing::Touching) {
        let (name, gap) = (&point.name, point.touch.gap);
        let how = if gap > 0.0 { "apart" } else { "inside each other" };
        let depth = six(gap.abs());
        let unit = contacts[point.contact].units().gap;
        out.push(format!("warning: contacts.{name}: the bodies are {depth} {unit} {how}; the impact takes them as touching"));
    }
    for point in strike.points.iter().filter(|_| wishes.friction.is_none()) {
        let contact = &contacts[point.contact];
        if let Some(Friction::Law(law)) = contact.defaults.friction {
            let text = format!(
                "warning: contacts.{}: an impact has Coulomb's friction; of the law `{}` its kinetic \
                 coefficient {} is taken",
                contact.name,
                law.kind.name(),
                three(law.kinetic)
            );
            if !out.contains(&text) {
                out.push(text);
            }
        }
    }
    out
}

/// Of what an impact did by a law that a user must know.
pub(crate) fn of_struck(law: &str, strike: &Strike<'_>, struck: &Struck) -> Vec<String> {
    let notes = &struck.solution.notes;
    let mut out = Vec::new();
    let mut say = |text: String| out.push(format!("warning: {law}: {text}"));
    if struck.audit.driven_slip {
        say("a drive moves and friction acts: T_c and e* hold slip that the drive gives and no impulse \
             changes; judge the impact by the contact work"
            .to_owned());
    }
    if notes.creates_energy {
        say(format!(
            "the contacts do positive work, {} J: this law creates energy here",
            six(notes.contact_work)
        ));
    }
    if let Some(k) = notes.painleve {
        say(format!(
            "Painlevé: while `{}` slides, its normal impulse draws the bodies together",
            strike.points[k].name
        ));
    }
    if notes.wedged {
        say("friction wedges the mechanism: nothing is given back".to_owned());
    }
    if notes.friction == FrictionForm::Complementarity {
        say("friction at several contacts at once is judged at the velocities of the end, not followed \
             through the impact; other velocities may meet the same conditions"
            .to_owned());
    }
    if notes.sets_differ() {
        let names = |set: &[bool]| {
            let chosen: Vec<&str> = (strike.points.iter().zip(set))
                .filter_map(|(p, is)| is.then_some(p.name.as_str()))
                .collect();
            if chosen.is_empty() { "none".to_owned() } else { chosen.join(", ") }
        };
        say(format!(
            "the momentum test keeps {}, impulses act at {}",
            names(&notes.kept),
            names(&notes.active)
        ));
    }
    if notes.uniqueness != Uniqueness::Unique {
        say(format!(
            "the contacts depend on each other: {}, impulses are not unique ({})",
            if notes.friction == FrictionForm::Absent {
                "other impulses give the same velocities"
            } else {
                "with friction other velocities may meet the law as well"
            },
            if notes.uniqueness == Uniqueness::LeastNorm {
                "the shortest are given"
            } else {
                "one possible set is given"
            }
        ));
    }
    if notes.repeats > 0 {
        say(format!("a contact was left closing and struck again (repeats: {})", notes.repeats));
    }
    if notes.ties > 0 {
        say(format!(
            "two contacts closed equally fast and the first was taken; another order may end otherwise \
             (steps of this kind: {})",
            notes.ties
        ));
    }
    if notes.accumulated {
        say(format!(
            "the impacts follow each other without end; counted until they no longer matter, {} of them",
            notes.steps
        ));
    }
    if notes.guess_failed {
        say("removal leaves no contact although one closes; the complementarity's were taken"
            .to_owned());
    }
    out
}

/// Stated values that could not be kept.
fn changes(what: &str, changed: &[(String, f64)]) -> Option<String> {
    if changed.is_empty() {
        return None;
    }
    let named: Vec<String> =
        changed.iter().map(|(joint, by)| format!("{joint} by {}", six(*by))).collect();
    Some(format!(
        "warning: no motion or pose keeps every stated {what}; changed: {}",
        list(&named, "joints.")
    ))
}

/// Of redundancy and conditioning.
pub(crate) fn of_constraints(constraints: &Mobility) -> Vec<String> {
    let mut out = Vec::new();
    if !constraints.inert.is_empty() {
        out.push(format!(
            "warning: nothing with inertia moves with {}: held as they are",
            list(&constraints.inert, "joints.")
        ));
    }
    let spare = constraints.rows - constraints.rank;
    if spare > 0 {
        out.push(format!(
            "warning: redundant: {spare} of {} closure rows say nothing new in this pose ({}); \
             masses and energies do not mind, {}",
            constraints.rows,
            list(&constraints.redundant, "closures."),
            if constraints.not_unique.is_empty() {
                "and all joint reactions are unique".to_owned()
            } else {
                format!("but the reactions of {} are not unique", list(&constraints.not_unique, ""))
            }
        ));
    }
    if let Some(condition) = constraints.condition.filter(|c| c.is_nan() || *c > NEAR_SINGULAR) {
        out.push(format!(
            "warning: near a singular pose: condition number {} of the closures; about {} of 16 \
             digits are lost",
            three(condition),
            three(condition.log10().clamp(0.0, 16.0).round())
        ));
    }
    out
}

/// Of points inside each other.
pub(crate) fn of_points(contact: &str, points: &[(Standing, f64)]) -> Option<String> {
    let deepest = points
        .iter()
        .filter(|(standing, _)| *standing == Standing::Penetrating)
        .map(|(_, gap)| *gap)
        .fold(0.0, f64::min);
    (deepest < 0.0).then(|| {
        format!(
            "warning: contacts.{contact}: the shapes penetrate by {} m in this pose",
            six(-deepest)
        )
    })
}

/// Of an elastic contact so large beside the radii that its theory does not hold.
pub(crate) fn of_area(contact: &Assessment) -> Option<String> {
    let areas = contact.rows.iter().filter_map(|r| r.elastic_area);
    let size = areas.map(|area| area.relative_size).fold(0.0, f64::max);
    (size > LARGE_CONTACT).then(|| {
        format!(
            "warning: contacts.{}: at the elastic peak force the contact is {} of the radius wide to \
             each side; Hertz's theory asks for a small part",
            contact.contact,
            three(size)
        )
    })
}

fn list(names: &[String], prefix: &str) -> String {
    let mut out: Vec<String> =
        names.iter().take(MOST_NAMES).map(|n| format!("{prefix}{n}")).collect();
    if names.len() > MOST_NAMES {
        out.push(format!("and {} more", names.len() - MOST_NAMES));
    }
    out.join(", ")
}
