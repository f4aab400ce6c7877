//! Restarts: the integrator begins anew behind an event, with positions counted from there.

use crate::simulate::SimulateError;
use crate::simulate::mode::Status;
use crate::simulate::step::Control;
use crate::simulate::step::approach::Approach;
use crate::simulate::step::integrator::{Method, Start};

/// A contact older than this many elastic durations is integrated implicitly.
const LASTING: f64 = 30.0;

impl Control<'_, '_> {
    /// Whether a contact has become one that lasts since the last restart.
    pub fn lasts(&self, t: f64) -> bool {
        !self.stiffness.lasting && self.has_lasting(t)
    }

    pub fn has_lasting(&self, t: f64) -> bool {
        // An impact beside a contact that lasts is followed as closely as one alone.
        let mut lasting = false;
        for ((spot, status), began) in self.path.watch.spots.iter().zip(&self.path.began) {
            let (Status::Touching(onset), Some(began)) = (status, began) else { continue };
            let time = self.path.elastic_time(*spot, onset).unwrap_or(f64::INFINITY);
            if !(began.indented || t - began.t > LASTING * time) {
                return false;
            }
            lasting = true;
        }
        lasting
    }

    /// Begins anew at `y`: positions are counted from here.
    pub fn restart(&mut self, t: f64, approach: Option<Approach>) -> Result<(), SimulateError> {
        let origin: Vec<f64> = self.path.watch.place(t, &self.path.step.y).q.as_slice().to_vec();
        self.path.watch.write_velocities(&self.path.watch.state, &mut self.path.step.y);
        self.path.step.y[..self.path.model.nq].fill(0.0);
        self.path.watch.origin.copy_from_slice(&origin);
        self.path.system.origin.copy_from_slice(&origin);
        self.path.observe(t)?;
        self.path.grow_resolution(t, false)?;
        self.fix_onset_directions();
        self.path.system.spots.clone_from(&self.path.watch.spots);
        if self.path.system.accounts != self.path.watch.accounts {
            self.path.system.set_accounts(&self.path.watch.accounts);
        }
        let (relative, mut absolute, first) = self.tolerances()?;
        let touches = first.is_some();
        let creep = self.stiff_first_step(t, touches)?;
        self.stiffness.lasting = self.has_lasting(t);
        let stiff = self.stiffness.lasting || creep.is_some();
        let first = first.or(creep);
        let first = first.into_iter().chain(self.first_onset_step(t)).reduce(f64::min);
        if creep.is_some() && !touches {
            self.weight_works(&mut absolute);
        }
        let Approach { clock, first_step } = match approach {
            Some(approach) => approach,
            None => self.departure(t, stiff, first),
        };
        let absolute = &absolute;
        let unit_of_time = self.path.unit_of_time();
        let plan = Start { stiff, clock, first_step, unit_of_time, relative, absolute };
        if self.path.method.y().len() != self.path.step.y.len() {
            self.resize_method();
        }
        self.path.method.start(&mut self.path.system, t, &self.path.step.y, &plan)
    }

    /// Integrators for the state as long as it is now.
    pub fn resize_method(&mut self) {
        self.path.method = Method::new(self.path.watch.dimension());
    }
}
