//! The law that a model states for a contact.

use super::{ContactLaw, Entry, ForceExpression, LawError, Parameter, Settings};
use crate::contact::catalogue;
use crate::contact::hertz::Stiffness;
use crate::model::ContactDefaults;

/// The law of a contact, and what stands in its way.
#[derive(Debug)]
pub struct ChosenLaw {
    /// Its line in the catalogue.
    pub entry: &'static Entry,
    /// The law; none if something is missing.
    pub law: Option<Box<dyn ContactLaw>>,
    /// What it takes and the file does not state.
    pub missing: Vec<Parameter>,
    /// What the file states and the law does not take.
    pub unused: Vec<Parameter>,
}

impl ChosenLaw {
    /// The law that the defaults of a contact name, with its stiffness as it is in some pose; none if they name none.
    ///
    /// Values outside the law's range are refused. A missing one is no fault as long as nobody asks for a force.
    pub fn new(
        defaults: &ContactDefaults,
        stiffness: Option<&Stiffness>,
    ) -> Result<Option<Self>, LawError> {
        let Some(name) = &defaults.law else { return Ok(None) };
        let entry = catalogue::find(name)?;
        let own = &defaults.law_parameters;
        let (settings, unused) = Settings {
            stiffness: stiffness.map(|s| s.stiffness),
            // The law's own exponent is not written, and need not be checked.
            exponent: defaults.exponent.or(defaults
                .materials
                .is_some()
                .then(|| stiffness.map(|s| s.exponent))
                .flatten()),
            restitution: defaults.restitution,
            damping: own.damping,
            max_damping: own.max_damping,
            damping_depth: own.damping_depth,
            force: own.force.clone().map(ForceExpression::from_tape),
            parting: own.parting,
        }
        .fitted(entry);
        let missing = entry.missing(&settings);
        let law = if missing.is_empty() { Some(entry.make(&settings)?) } else { None };
        if law.is_none() {
            entry.check_ranges(&settings)?;
        }
        Ok(Some(Self { entry, law, missing, unused }))
    }
}
