//! The parameters of a contact's law from measurements.

use std::collections::HashMap;

use super::{AssessOptions, Machine, MachineError};
use crate::answer::fit::{ContactFit, FitOptions};
use crate::answer::{AnswerError, RowKind};

impl Machine {
    /// Fits the laws of the catalogue to measured impacts, or forces over time, of one of the machine's contacts: `data` is a text in CSV,
    /// `name` what messages call it. `goes_on` is asked now and then; with `false` the fit ends as an error.
    pub fn fit(
        &self,
        name: &str,
        data: &str,
        options: &FitOptions,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<ContactFit, MachineError> {
        let contacts = self.contact_names();
        let contact = match (&options.contact, contacts.as_slice()) {
            (Some(name), _) => self.contact(name)?,
            (None, [only]) => self.contact(only)?,
            (None, []) => {
                let file = self.opened.loaded.source.name().to_owned();
                return Err(AnswerError::NoContacts { file }.into());
            }
            (None, several) => {
                let message = format!("the model has several; name one of {}", several.join(", "));
                return Err(AnswerError::asked("contact", message).into());
            }
        };
        let at = self.own(contact)?;
        let mut known: HashMap<Vec<(String, String)>, (f64, f64)> = HashMap::new();
        let mut posed = |edits: &[(String, String)]| {
            if let Some(found) = known.get(edits) {
                return Ok(*found);
            }
            let mut machine = self.clone();
            if !edits.is_empty() {
                machine.edit(edits).map_err(|error| error.to_string())?;
            }
            let found = machine.struck(at)?;
            known.insert(edits.to_vec(), found);
            Ok(found)
        };
        let answer = ContactFit::new(
            &self.opened,
            &self.sets,
            at,
            (name, data),
            options,
            &mut posed,
            goes_on,
        );
        Ok(answer?)
    }

    /// m_eff and u of a contact that has one point.
    fn struck(&self, contact: usize) -> Result<(f64, f64), String> {
        let name = self.model().contacts[contact].name.clone();
        let id = self.contact(&name).map_err(|error| error.to_string())?;
        let options = AssessOptions { contacts: vec![id], ..AssessOptions::default() };
        let answer = self.assess_with(&options).map_err(|error| error.to_string())?;
        let rows = answer.contacts.iter().flat_map(|c| &c.rows);
        let normals: Vec<_> = rows.filter(|r| r.kind == RowKind::Normal && r.takes_part).collect();
        match normals.as_slice() {
            [row] if row.immobile => Err(format!(
                "contact `{name}` cannot give way in this pose (a drive, or a fixed body): its effective mass is infinite"
            )),
            [row] => Ok((row.effective_mass, row.u)),
            rows => Err(format!(
                "contact `{name}` touches at {} points: a fit needs one; state effective_mass [kg] and approach_speed [m/s] as columns",
                rows.len()
            )),
        }
    }
}
