//! `carom check`: what was understood of a file.

use carom::contact::Standing;
use carom::contact::Touch;
use carom::contact::hertz::Stiffness;
use carom::dynamics::report::Mobility;
use carom::dynamics::{Mechanism, Posture};
use carom::file::Opened;

use super::{opened, warn};
use crate::args::{Check, CheckFormat};
use crate::balance::Balance;
use crate::{Outcome, json, table, warnings};

/// Everything the printers need.
pub(crate) struct Report<'a> {
    /// The file, its model and state.
    pub opened: &'a Opened,
    /// The mechanism at that state.
    pub at: Posture<'a>,
    /// Degrees of freedom and redundancy.
    pub constraints: Mobility,
    /// Energies, accelerations, reactions.
    pub balance: Balance,
    /// One per contact.
    pub touches: Vec<Touch>,
    /// One per contact that states a stiffness or materials.
    pub stiffnesses: Vec<Option<Stiffness>>,
    /// What may not be meant.
    pub warnings: Vec<String>,
}

/// Opens the file, places the mechanism and describes it.
pub(crate) fn run(wanted: &Check) -> Outcome {
    let opened = opened(&wanted.subject)?;
    let mut mechanism = Mechanism::new(opened.model());
    let at = mechanism
        .at(&opened.assembled.state)
        .map_err(|error| opened.loaded.explain_dynamics(&error))?;
    let constraints = at.constraint_report();
    let balance =
        Balance::new(&at, &constraints).map_err(|error| opened.loaded.explain_dynamics(&error))?;
    let mut touches = Vec::with_capacity(opened.model().contacts.len());
    let mut stiffnesses = Vec::with_capacity(opened.model().contacts.len());
    for contact in 0..opened.model().contacts.len() {
        touches.push(at.touch(contact).map_err(|error| opened.loaded.explain_contact(&error))?);
        let found = at.contact_stiffness(contact);
        stiffnesses.push(found.map_err(|error| opened.loaded.explain_stiffness(&error))?);
    }
    let mut found = warnings::of_file(&opened);
    found.extend(warnings::of_constraints(&constraints));
    for (k, (contact, touch)) in opened.model().contacts.iter().zip(&touches).enumerate() {
        let points = touch.points().iter().map(|p| (Standing::of(&at, k, p), p.gap));
        found.extend(warnings::of_points(&contact.name, &points.collect::<Vec<_>>()));
    }
    warn(&found);
    let report =
        Report { opened: &opened, at, constraints, balance, touches, stiffnesses, warnings: found };
    Ok(match wanted.format {
        CheckFormat::Table => table::check::text(&report),
        CheckFormat::Json => json::text(&json::check::value(&report)),
    })
}
