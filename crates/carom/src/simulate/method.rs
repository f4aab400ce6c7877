//! The integrator in use: explicit for flight and impacts, implicit for contacts that last.

use super::SimulateError;
use super::motion::{Motion, MotionError};
use crate::maths::ode::{
    Accepted, Dop853, Landing, Memory, OdeError, Radau5, StiffSystem, Tolerance,
};

impl StiffSystem for Motion<'_> {}

/// One of the two integrators; both are kept, and one is in use.
#[derive(Clone, Debug)]
pub(super) struct Method {
    explicit: Dop853,
    implicit: Radau5,
    stiff: bool,
}

impl Method {
    pub fn new(dimension: usize) -> Self {
        Self { explicit: Dop853::new(dimension), implicit: Radau5::new(dimension), stiff: false }
    }

    /// Whether the implicit one is in use.
    pub fn is_stiff(&self) -> bool {
        self.stiff
    }

    pub fn start(
        &mut self,
        stiff: bool,
        t: f64,
        y: &[f64],
        first_step: f64,
        tolerance: Tolerance<'_>,
    ) -> Result<(), SimulateError> {
        self.stiff = stiff;
        let started = if stiff {
            self.implicit.start(t, y, first_step, tolerance)
        } else {
            self.explicit.start(t, y, first_step, tolerance)
        };
        started.map_err(|_| SimulateError::NotFinite { t })
    }

    /// What has to be remembered to go on with the same bits.
    pub fn memory(&self) -> Memory {
        if self.stiff { self.implicit.memory() } else { self.explicit.memory() }
    }

    /// Stands where another one stood.
    pub fn recall(&mut self, memory: &Memory) -> Result<(), OdeError> {
        self.stiff = memory.implicit.is_some();
        if self.stiff { self.implicit.recall(memory) } else { self.explicit.recall(memory) }
    }

    pub fn t(&self) -> f64 {
        if self.stiff { self.implicit.t() } else { self.explicit.t() }
    }

    pub fn y(&self) -> &[f64] {
        if self.stiff { self.implicit.y() } else { self.explicit.y() }
    }

    pub fn t_old(&self) -> f64 {
        if self.stiff { self.implicit.t_old() } else { self.explicit.t_old() }
    }

    pub fn h(&self) -> f64 {
        if self.stiff { self.implicit.h() } else { self.explicit.h() }
    }

    pub fn step(&mut self, system: &mut Motion<'_>, limit: f64) -> Result<Accepted, SimulateError> {
        let t = self.t();
        let done = if self.stiff {
            self.implicit.step(system, limit)
        } else {
            self.explicit.step(system, limit)
        };
        done.map_err(|error| named(error, t))
    }

    pub fn interpolate(
        &mut self,
        system: &mut Motion<'_>,
        t: f64,
        out: &mut [f64],
    ) -> Result<(), SimulateError> {
        if self.stiff {
            return self.implicit.interpolate(t, out).map_err(|_| SimulateError::NotFinite { t });
        }
        self.explicit.interpolate(system, t, out).map_err(|error| named(error, t))
    }

    /// Puts a projected state into the place of the current one.
    pub fn replace(&mut self, y: &[f64], t: f64) -> Result<(), SimulateError> {
        let done = if self.stiff { self.implicit.replace(y) } else { self.explicit.replace(y) };
        done.map_err(|error| named(error, t))
    }

    pub fn accept_at(
        &mut self,
        system: &mut Motion<'_>,
        h: f64,
    ) -> Result<Accepted, SimulateError> {
        let t = self.t_old();
        let done = if self.stiff {
            self.implicit.accept_at(system, h)
        } else {
            self.explicit.accept_at(system, h)
        };
        done.map_err(|error| named(error, t))
    }

    pub fn land(
        &mut self,
        system: &mut Motion<'_>,
        event: &mut impl FnMut(f64, &[f64]) -> f64,
    ) -> Result<Landing, SimulateError> {
        let t = self.t_old();
        let done = if self.stiff {
            self.implicit.land(system, event, 0.0)
        } else {
            self.explicit.land(system, event, 0.0)
        };
        done.map_err(|error| named(error, t))
    }
}

fn named(error: OdeError<MotionError>, t: f64) -> SimulateError {
    match error {
        OdeError::StepTooSmall { t, h } | OdeError::NoConvergence { t, h } => {
            SimulateError::StepTooSmall { t, h }
        }
        OdeError::System(error) => SimulateError::Motion { t, error },
        OdeError::NotFinite { t } => SimulateError::NotFinite { t },
        // Sizes, order of calls and signs of events are the runner's own care.
        _ => SimulateError::NotFinite { t },
    }
}
