//! `carom check`: what was understood of a file.

use carom::dynamics::Mechanism;

use super::{opened, warn};
use crate::args::{Check, CheckFormat};
use crate::{Outcome, json, table, warnings};

/// Opens the file, places the mechanism and describes it.
pub(crate) fn run(wanted: &Check) -> Outcome {
    let opened = opened(&wanted.subject)?;
    let mut mechanism = Mechanism::new(opened.model());
    let at = mechanism
        .at(&opened.assembled.state)
        .map_err(|error| opened.loaded.explain_dynamics(&error))?;
    let constraints = at.constraint_report();
    let mut touches = Vec::with_capacity(opened.model().contacts.len());
    for contact in 0..opened.model().contacts.len() {
        touches.push(at.touch(contact).map_err(|error| opened.loaded.explain_contact(&error))?);
    }
    let mut found = warnings::of_file(&opened);
    found.extend(warnings::of_constraints(&constraints));
    for (contact, touch) in opened.model().contacts.iter().zip(&touches) {
        found.extend(warnings::of_points(&contact.name, touch.points()));
    }
    warn(&found);
    Ok(match wanted.format {
        CheckFormat::Table => table::check::text(&opened, &at, &constraints, &touches, found.len()),
        CheckFormat::Json => {
            json::text(&json::check::value(&opened, &at, &constraints, &touches, &found))
        }
    })
}
