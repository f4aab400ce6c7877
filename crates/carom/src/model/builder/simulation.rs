//! `[simulation]`: how long and how a run goes.

use super::Builder;
use super::keys::{SIMULATION, STARTS, TREATMENTS};
use crate::maths::units::Dimension;
use crate::model::contact::{ContactTreatment, IMPACTS, SimulationDefaults, StartRule};

impl Builder<'_> {
    pub(super) fn read_simulation(&mut self) {
        let Some(entry) = self.description.root.entry("simulation") else { return };
        let Some(place) = self.table(entry, "simulation".to_owned()) else { return };
        self.check_keys(&place, &SIMULATION);
        let duration = place.get("duration").and_then(|(node, path)| {
            let t = self.quantity(node, &path, Dimension::TIME)?;
            self.in_range(node, &path, t, t > 0.0, "a positive time [s]")
        });
        let tolerance = place.get("tolerance").and_then(|(node, path)| {
            let x = self.quantity(node, &path, Dimension::NONE)?;
            let inside = (1e-14..=1e-2).contains(&x);
            self.in_range(node, &path, x, inside, "a tolerance from 1e-14 to 1e-2")
        });
        let contact = place.get("contact").and_then(|(node, path)| {
            let k = self.choice(node, &path, &TREATMENTS, "treatment of contacts")?;
            Some(ContactTreatment::ALL[k])
        });
        let impact = place
            .get("impact")
            .and_then(|(node, path)| self.choice(node, &path, &IMPACTS, "law of impulses"));
        let start = place.get("start").and_then(|(node, path)| {
            let k = self.choice(node, &path, &STARTS, "start")?;
            Some(StartRule::ALL[k])
        });
        self.parts.simulation = SimulationDefaults { duration, contact, tolerance, start, impact };
    }
}
