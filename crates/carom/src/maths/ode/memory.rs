//! What an integrator has to remember between two steps, as plain numbers: with it another one goes on with the same bits.

use super::newton::Work;
use super::radau_tableau::STAGES;
use super::{Dop853, OdeError, Radau, Tolerance};
use serde::{Deserialize, Serialize};

/// An integrator between two steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// The current time.
    #[serde(with = "crate::maths::exact")]
    pub t: f64,
    /// The current state.
    #[serde(with = "crate::maths::exact")]
    pub y: Vec<f64>,
    /// ẏ there, if it has been evaluated.
    #[serde(with = "crate::maths::exact")]
    pub slope: Option<Vec<f64>>,
    /// The length proposed for the next step.
    #[serde(with = "crate::maths::exact")]
    pub next: f64,
    /// The error of the last step in parts of the allowed one, as [`Dop853`] remembers it.
    #[serde(with = "crate::maths::exact")]
    pub error_before: f64,
    /// The relative tolerance.
    #[serde(with = "crate::maths::exact")]
    pub relative: f64,
    /// The absolute tolerances.
    #[serde(with = "crate::maths::exact")]
    pub absolute: Vec<f64>,
    /// What [`Radau`] remembers beside; none of [`Dop853`].
    pub implicit: Option<ImplicitMemory>,
}

/// What an implicit integrator remembers beside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImplicitMemory {
    /// Length and error of the last step.
    #[serde(with = "crate::maths::exact")]
    pub before: Option<(f64, f64)>,
    /// Whether the next step takes another Jacobian.
    pub renew: bool,
    /// Length and stages of the last step.
    #[serde(with = "crate::maths::exact")]
    pub stages: Option<(f64, [Vec<f64>; STAGES])>,
    /// Where the Jacobian was taken, and its entries by rows.
    #[serde(with = "crate::maths::exact")]
    pub jacobian: Option<(f64, Vec<f64>)>,
    /// The step length for which it is decomposed; none is zero.
    #[serde(with = "crate::maths::exact")]
    pub decomposed: f64,
    /// The rate of convergence of the last search.
    #[serde(with = "crate::maths::exact")]
    pub rate: f64,
    /// The error left by the last search, in parts of its last correction.
    #[serde(with = "crate::maths::exact")]
    pub left: f64,
    /// What has been done since the start.
    pub work: Work,
}

impl Dop853 {
    /// What has to be remembered to go on with the same bits.
    pub fn memory(&self) -> Memory {
        Memory {
            t: self.last.t,
            y: self.last.y.clone(),
            slope: self.last.end_slope().map(<[f64]>::to_vec),
            next: self.next,
            error_before: self.error_before,
            relative: self.relative,
            absolute: self.absolute.clone(),
            implicit: None,
        }
    }

    /// Stands where another one stood.
    pub fn recall(&mut self, memory: &Memory) -> Result<(), OdeError> {
        let tolerance = Tolerance { relative: memory.relative, absolute: &memory.absolute };
        self.start(memory.t, &memory.y, memory.next, tolerance)?;
        if let Some(slope) = &memory.slope {
            super::check::state(self.dimension(), slope)?;
            self.last.know_end(slope);
        }
        self.error_before = memory.error_before;
        Ok(())
    }
}

impl Radau {
    /// What has to be remembered to go on with the same bits.
    pub fn memory(&self) -> Memory {
        let last = &self.last;
        let newton = &self.newton;
        Memory {
            t: last.t,
            y: last.y.clone(),
            slope: last.end_known.then(|| last.y_dot.clone()),
            next: self.next,
            error_before: 0.0,
            relative: self.relative,
            absolute: self.absolute.clone(),
            implicit: Some(ImplicitMemory {
                before: self.before,
                renew: self.renew,
                stages: self.taken.then(|| (last.h, last.z.clone())),
                jacobian: newton.jacobian().map(|(t, J)| (t, J.to_vec())),
                decomposed: newton.decomposed(),
                rate: newton.rate,
                left: newton.left,
                work: newton.work,
            }),
        }
    }

    /// Stands where another one stood.
    pub fn recall(&mut self, memory: &Memory) -> Result<(), OdeError> {
        let tolerance = Tolerance { relative: memory.relative, absolute: &memory.absolute };
        self.start(memory.t, &memory.y, memory.next, tolerance)?;
        let n = self.dimension();
        if let Some(slope) = &memory.slope {
            super::check::state(n, slope)?;
            self.last.y_dot.copy_from_slice(slope);
            self.last.end_known = true;
        }
        let Some(more) = &memory.implicit else { return Ok(()) };
        (self.before, self.renew) = (more.before, more.renew);
        if let Some((h, stages)) = &more.stages {
            super::check::length(*h)?;
            for (z, stage) in self.last.z.iter_mut().zip(stages) {
                super::check::state(n, stage)?;
                z.copy_from_slice(stage);
            }
            (self.last.h, self.last.t_old, self.taken) = (*h, memory.t - h, true);
        }
        match &more.jacobian {
            Some((t, J)) => {
                super::check::state(n * n, J)?;
                self.newton.recall(*t, J, more.decomposed);
            }
            // Without a Jacobian a step has to take one.
            None => self.renew = true,
        }
        (self.newton.rate, self.newton.left) = (more.rate, more.left);
        self.newton.work = more.work;
        Ok(())
    }
}
