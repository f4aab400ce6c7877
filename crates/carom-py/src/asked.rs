//! What Python asks of assessments and impacts, as options of the library.

use carom::AssessOptions;
use carom::answer::ImpactOptions;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::of;

/// What an assessment looks at beside its core.
#[derive(FromPyObject)]
#[allow(clippy::struct_excessive_bools, reason = "each is a quantity that is wanted or not")]
pub(crate) struct Asked {
    #[pyo3(item)]
    locked: Vec<String>,
    #[pyo3(item)]
    cone: Option<f64>,
    #[pyo3(item)]
    gradients: bool,
    #[pyo3(item)]
    rivals: bool,
    #[pyo3(item)]
    routes: bool,
    #[pyo3(item)]
    projectors: bool,
}

impl Asked {
    pub(crate) fn options(
        &self,
        machine: &carom::Machine,
        contacts: &[String],
    ) -> PyResult<AssessOptions> {
        let contacts = contacts.iter().map(|name| machine.contact(name)).collect::<Result<_, _>>();
        let locked = self.locked.iter().map(|name| machine.joint(name)).collect::<Result<_, _>>();
        Ok(AssessOptions {
            contacts: contacts.map_err(of)?,
            locked: locked.map_err(of)?,
            cone: self.cone,
            terms: true,
            gradients: self.gradients,
            rivals: self.rivals,
            routes: self.routes,
            projectors: self.projectors,
        })
    }
}

/// What is asked of an impact.
#[derive(FromPyObject)]
pub(crate) struct Struck {
    #[pyo3(item)]
    laws: Vec<String>,
    #[pyo3(item)]
    restitution: Option<f64>,
    #[pyo3(item)]
    friction: Option<String>,
    #[pyo3(item)]
    removal: Option<String>,
}

impl Struck {
    pub(crate) fn options(&self) -> PyResult<ImpactOptions> {
        let refused = |text: String| PyValueError::new_err(text);
        Ok(ImpactOptions {
            laws: self.laws.clone(),
            restitution: self.restitution,
            friction: self.friction.as_ref().map(|f| f.parse()).transpose().map_err(refused)?,
            removal: self.removal.as_ref().map(|r| r.parse()).transpose().map_err(refused)?,
        })
    }
}
