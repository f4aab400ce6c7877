//! The jobs of a machine: check, assess, strike. Each answers with the struct that the command prints.

use std::f64::consts::FRAC_PI_2;

use super::{ContactId, JointId, Machine, MachineError};
use crate::answer::{AssessAnswer, CheckAnswer, ImpactAnswer, ImpactOptions};
use crate::impact::Options;

/// What an assessment looks at beside its core (m_eff, apparent masses, u, T, T_c, ξ, cautions). Nothing by default: each costs time.
#[derive(Clone, Debug, PartialEq, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a quantity that is wanted or not")]
pub struct AssessOptions {
    /// The contacts; all of the machine if empty.
    pub contacts: Vec<ContactId>,
    /// Joints to compare with locked.
    pub locked: Vec<JointId>,
    /// Half angle of a cone of directions about the normal \[rad\], over which extremes are sought.
    pub cone: Option<f64>,
    /// z_c and τ_c of the impact's own equation.
    pub terms: bool,
    /// Gradients by masses, inertias, rotors and positions.
    pub gradients: bool,
    /// The two rival methods of the literature.
    pub rivals: bool,
    /// m_eff by the papers' eight formulas.
    pub routes: bool,
    /// Projectors and admissible rows.
    pub projectors: bool,
}

impl Machine {
    /// What was understood of the file: bodies, pose, freedoms, energies, accelerations, reactions, and what `run` would refuse.
    pub fn check(&self) -> Result<CheckAnswer, MachineError> {
        Ok(CheckAnswer::new(&self.opened, &self.sets)?)
    }

    /// The core of the assessment of one contact at the machine's state.
    pub fn assess(&self, contact: ContactId) -> Result<AssessAnswer, MachineError> {
        let options = AssessOptions { contacts: vec![contact], ..AssessOptions::default() };
        self.assess_with(&options)
    }

    /// The assessment of several contacts, and what is asked for beside its core.
    pub fn assess_with(&self, options: &AssessOptions) -> Result<AssessAnswer, MachineError> {
        let all: Vec<usize> = if options.contacts.is_empty() {
            (0..self.model().contacts.len()).collect()
        } else {
            options.contacts.iter().map(|c| self.own(*c)).collect::<Result<_, _>>()?
        };
        if let Some(found) = options.cone
            && !(0.0..=FRAC_PI_2).contains(&found)
        {
            let expected = "an angle from 0 to π/2 [rad]";
            return Err(MachineError::OutOfRange { what: "cone", found, expected });
        }
        let locked = options.locked.iter().map(|joint| self.own_joint(*joint));
        let wanted = Options {
            locked: locked.collect::<Result<_, _>>()?,
            cone: options.cone,
            terms: options.terms,
            gradients: options.gradients,
            rivals: options.rivals,
            routes: options.routes,
            projectors: options.projectors,
            prediction: true,
        };
        Ok(AssessAnswer::new(&self.opened, &self.sets, &all, &wanted)?)
    }

    /// The velocities after an impact at the closed contacts, by one or several impact laws.
    pub fn impact(&self, options: &ImpactOptions) -> Result<ImpactAnswer, MachineError> {
        self.impact_at(&[], options)
    }

    /// The same at chosen contacts, closed or not; at the closed ones if none is chosen.
    pub fn impact_at(
        &self,
        contacts: &[ContactId],
        options: &ImpactOptions,
    ) -> Result<ImpactAnswer, MachineError> {
        if let Some(found) = options.restitution
            && !(0.0..=1.0).contains(&found)
        {
            let expected = "a number from 0 to 1";
            return Err(MachineError::OutOfRange { what: "restitution", found, expected });
        }
        let chosen = contacts.iter().map(|c| self.own(*c)).collect::<Result<Vec<_>, _>>()?;
        let chosen = (!chosen.is_empty()).then_some(chosen.as_slice());
        Ok(ImpactAnswer::new(&self.opened, &self.sets, chosen, options)?)
    }
}
