//! The integrator in use: explicit for flight and impacts, implicit for contacts that last.

use crate::maths::ode::{
    Differences, Dop853, Memory, OdeError, Radau, StiffSystem, System, Tolerance,
};
use crate::maths::zero;
use crate::simulate::SimulateError;
use crate::simulate::step::clock::Clock;
use crate::simulate::step::stiff_friction::WITHIN;
use crate::simulate::system::{Motion, MotionError};

/// A system whose rates are those of the clock's variable.
struct Clocked<'a, 'm> {
    system: &'a mut Motion<'m>,
    clock: Clock,
}

impl System for Clocked<'_, '_> {
    type Error = MotionError;

    fn rate(&mut self, s: f64, y: &[f64], y_dot: &mut [f64]) -> Result<(), MotionError> {
        self.system.rate(self.clock.time(s), y, y_dot)?;
        if self.clock != Clock::Plain {
            let slope = self.clock.slope(s);
            for x in y_dot.iter_mut() {
                *x *= slope;
            }
        }
        Ok(())
    }
}

impl StiffSystem for Clocked<'_, '_> {
    fn jacobian(
        &mut self,
        s: f64,
        y: &[f64],
        J: &mut [f64],
        differences: &mut Differences<'_>,
    ) -> Result<(), MotionError> {
        let mut room = std::mem::take(&mut self.system.room);
        let felt = std::mem::take(&mut self.system.felt);
        self.system.difference_bounds(self.clock.time(s), y, &mut room, WITHIN)?;
        let done = differences.fill_within(self, s, y, J, &|j| if felt[j] { room[j] } else { 0.0 });
        (self.system.room, self.system.felt) = (room, felt);
        done
    }
}

/// One of the two integrators; both are kept, and one is in use.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct Method {
    explicit: Dop853,
    implicit: Radau,
    stiff: bool,
    clock: Clock,
    /// s and t of both ends of the last step: t of s alone may miss a limit by its last digit.
    ends: [(f64, f64); 2],
}

/// A step taken.
#[derive(Clone, Copy, Debug)]
pub(in crate::simulate) struct Taken {
    /// Steps tried in vain.
    pub rejected: usize,
}

impl Method {
    pub fn new(dimension: usize) -> Self {
        Self {
            explicit: Dop853::new(dimension),
            implicit: Radau::new(dimension),
            stiff: false,
            clock: Clock::Plain,
            ends: [(f64::NAN, f64::NAN); 2],
        }
    }

    /// The clock in use.
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// Whether the implicit one is in use.
    pub fn is_stiff(&self) -> bool {
        self.stiff
    }

    /// Stands at (t, y); the first step is one of the clock's variable.
    pub fn start(
        &mut self,
        system: &mut Motion<'_>,
        t: f64,
        y: &[f64],
        plan: &Start<'_>,
    ) -> Result<(), SimulateError> {
        (self.stiff, self.clock) = (plan.stiff, plan.clock);
        let s = plan.clock.variable(t);
        self.ends = [(s, t); 2];
        let Start { first_step, relative, absolute, .. } = *plan;
        let tolerance = Tolerance { relative, absolute };
        let guess = first_step.is_none();
        let first_step = first_step.unwrap_or(1.0);
        let started = if plan.stiff {
            self.implicit.start(s, y, first_step, tolerance)
        } else {
            self.explicit.start(s, y, first_step, tolerance)
        };
        started.map_err(|_| SimulateError::NotFinite { t })?;
        if guess && !plan.stiff {
            let mut system = Clocked { system, clock: plan.clock };
            self.explicit
                .guess_length(&mut system, plan.clock.variable_over(plan.unit_of_time))
                .map_err(|error| named(error, t))?;
        }
        Ok(())
    }

    /// What has to be remembered to go on with the same bits.
    pub fn memory(&self) -> Memory {
        if self.stiff { self.implicit.memory() } else { self.explicit.memory() }
    }

    /// Stands where another one stood, at t.
    pub fn recall(&mut self, memory: &Memory, clock: Clock, t: f64) -> Result<(), OdeError> {
        self.stiff = memory.implicit.is_some();
        (self.clock, self.ends) = (clock, [(memory.t, t); 2]);
        if self.stiff { self.implicit.recall(memory) } else { self.explicit.recall(memory) }
    }

    /// s of now, and of the beginning of the last step.
    fn variables(&self) -> [f64; 2] {
        if self.stiff {
            [self.implicit.t(), self.implicit.t_old()]
        } else {
            [self.explicit.t(), self.explicit.t_old()]
        }
    }

    fn time(&self, s: f64) -> f64 {
        let known = self.ends.iter().find(|end| end.0 == s);
        known.map_or_else(|| self.clock.time(s), |end| end.1)
    }

    pub fn t(&self) -> f64 {
        self.time(self.variables()[0])
    }

    pub fn y(&self) -> &[f64] {
        if self.stiff { self.implicit.y() } else { self.explicit.y() }
    }

    pub fn t_old(&self) -> f64 {
        let [_, old] = self.variables();
        self.time(old)
    }

    pub fn h(&self) -> f64 {
        self.t() - self.t_old()
    }

    /// The time \[s\] that the step proposed next would end at; none of the implicit method.
    pub fn proposed(&self) -> Option<f64> {
        let [s, _] = self.variables();
        (!self.stiff).then(|| {
            let end = s + self.explicit.proposed();
            let turned = matches!(self.clock, Clock::Until(_)) && end > 0.0;
            self.clock.time(if turned { 0.0 } else { end })
        })
    }

    /// h λ of the last step.
    pub fn stability(&mut self, system: &mut Motion<'_>) -> Result<f64, SimulateError> {
        if self.stiff {
            return Ok(self.implicit.stability());
        }
        let t = self.t();
        let mut system = Clocked { system, clock: self.clock };
        self.explicit.stability(&mut system).map_err(|error| named(error, t))
    }

    /// Lets implicit steps find components to errors of their own.
    pub fn sharpen(&mut self, errors: &[f64]) {
        self.implicit.sharpen(errors);
    }

    /// Lets the next step be no longer than this time \[s\].
    pub fn shorten(&mut self, most: f64) {
        if self.clock == Clock::Plain {
            self.explicit.shorten(most);
            self.implicit.shorten(most);
        }
    }

    pub fn step(&mut self, system: &mut Motion<'_>, limit: f64) -> Result<Taken, SimulateError> {
        let (t, clock) = (self.t(), self.clock);
        let s = clock.variable(limit);
        let mut clocked = Clocked { system, clock };
        let done = if self.stiff {
            self.implicit.step(&mut clocked, s)
        } else {
            self.explicit.step(&mut clocked, s)
        };
        let astray = system.astray.take();
        let done = done.map_err(|error| match astray {
            Some(error) => SimulateError::Motion { t, error },
            None => named(error, t),
        });
        let rejected = done?.rejected;
        let [now, old] = self.variables();
        self.ends = [(old, t), (now, if now == s { limit } else { clock.time(now) })];
        Ok(Taken { rejected })
    }

    pub fn interpolate(
        &mut self,
        system: &mut Motion<'_>,
        t: f64,
        out: &mut [f64],
    ) -> Result<(), SimulateError> {
        let [now, old] = self.variables();
        let s = self.clock.variable(t).clamp(old, now);
        if self.stiff {
            return self.implicit.interpolate(s, out).map_err(|_| SimulateError::NotFinite { t });
        }
        let mut system = Clocked { system, clock: self.clock };
        self.explicit.interpolate(&mut system, s, out).map_err(|error| named(error, t))
    }

    /// Bounds how far each component goes within the last step from its value where that begins.
    pub fn excursions(
        &mut self,
        system: &mut Motion<'_>,
        out: &mut [f64],
    ) -> Result<(), SimulateError> {
        let t = self.t();
        if self.stiff {
            return self.implicit.excursions(out).map_err(|error| named(error, t));
        }
        let mut system = Clocked { system, clock: self.clock };
        self.explicit.excursions(&mut system, out).map_err(|error| named(error, t))
    }

    /// Puts a projected state into the place of the current one.
    pub fn replace(&mut self, y: &[f64], t: f64) -> Result<(), SimulateError> {
        let done = if self.stiff { self.implicit.replace(y) } else { self.explicit.replace(y) };
        done.map_err(|error| named(error, t))
    }

    /// Lets the last step end at another time.
    pub fn accept_until(&mut self, system: &mut Motion<'_>, end: f64) -> Result<(), SimulateError> {
        let (t, [_, old]) = (self.t_old(), self.variables());
        // A step has a length, though the clock may not resolve it.
        let h = (self.clock.variable(end) - old).max(zero::LAST_DIGITS * old.abs());
        let mut system = Clocked { system, clock: self.clock };
        let done = if self.stiff {
            self.implicit.accept_at(&mut system, h)
        } else {
            self.explicit.accept_at(&mut system, h)
        };
        done.map_err(|error| named(error, t)).map(|_| ())
    }

    /// Lands on an event of (t, y); returns when.
    pub fn land(
        &mut self,
        system: &mut Motion<'_>,
        event: &mut impl FnMut(f64, &[f64]) -> f64,
    ) -> Result<f64, SimulateError> {
        let (t, clock) = (self.t_old(), self.clock);
        let mut event = |s: f64, y: &[f64]| event(clock.time(s), y);
        let mut system = Clocked { system, clock };
        let done = if self.stiff {
            self.implicit.land(&mut system, &mut event, 0.0)
        } else {
            self.explicit.land(&mut system, &mut event, 0.0)
        };
        done.map_err(|error| named(error, t))?;
        Ok(self.t())
    }
}

/// How to begin.
#[derive(Clone, Copy, Debug)]
pub(in crate::simulate) struct Start<'a> {
    pub stiff: bool,
    pub clock: Clock,
    /// Of the clock's variable; to be guessed if there is none.
    pub first_step: Option<f64>,
    /// The machine's time \[s\], which a guess is measured with.
    pub unit_of_time: f64,
    pub relative: f64,
    pub absolute: &'a [f64],
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
