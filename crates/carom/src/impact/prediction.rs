//! What the contact's own law makes of an impact: the frozen machine, struck along one row.
//!
//! m_eff δ̈ = −F(δ, δ̇) from the row's m_eff and approach speed −u: exact for two bodies, and for a mechanism as far as its pose
//! does not change while they touch and no other force matters.

use super::assessment::AssessmentError;
use super::effective::EffectiveMass;
use crate::contact::hertz::Stiffness;
use crate::contact::impact1d::{Factors, Impact1D, ImpactOutcome};
use crate::contact::law::{ChosenLaw, Parameter, Parting};
use crate::model::Contact;

/// The law a file names for a contact.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedLaw {
    /// Its name.
    pub name: &'static str,
    /// The rule of parting in force.
    pub parting: Parting,
    /// What it takes and the file does not state: without it no force is predicted.
    pub missing: Vec<Parameter>,
    /// What the file states and the law does not take.
    pub unused: Vec<Parameter>,
}

/// One row's impact under the contact's law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// In SI units.
    pub outcome: ImpactOutcome,
    /// Peak force, depth and duration divided by those of the elastic impact.
    pub factors: Factors,
}

/// The law of a contact while it is being assessed.
pub(super) struct Striking<'a> {
    contact: &'a Contact,
    chosen: Option<ChosenLaw>,
}

impl<'a> Striking<'a> {
    pub fn new(
        contact: &'a Contact,
        stiffness: Option<&Stiffness>,
    ) -> Result<Self, AssessmentError> {
        let chosen = ChosenLaw::new(&contact.defaults, stiffness)
            .map_err(|error| AssessmentError::Law { contact: contact.name.clone(), error })?;
        Ok(Self { contact, chosen })
    }

    /// The name of the law and what is wrong with its parameters.
    pub fn named(&self) -> Option<NamedLaw> {
        let chosen = self.chosen.as_ref()?;
        let written = self.contact.defaults.law_parameters.parting;
        Some(NamedLaw {
            name: chosen.entry.name,
            parting: written.unwrap_or(chosen.entry.parting),
            missing: chosen.missing.clone(),
            unused: chosen.unused.clone(),
        })
    }

    /// The impact of a closing row that can move.
    pub fn predict(&self, row: &EffectiveMass) -> Result<Option<Prediction>, AssessmentError> {
        let law = self.chosen.as_ref().and_then(|c| c.law.as_deref());
        let Some(law) = law else { return Ok(None) };
        match Impact1D::new(law, row.mass, -row.rate) {
            Ok(impact) => {
                Ok(Some(Prediction { outcome: *impact.outcome(), factors: *impact.factors() }))
            }
            Err(error) => Err(AssessmentError::Law { contact: self.contact.name.clone(), error }),
        }
    }
}
