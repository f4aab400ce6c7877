//! Landing on an event inside the last step.

use super::dop853::demand;
use super::{Dop853, OdeError, System};
use crate::maths::root::{Root, RootError, Width, bracketed, refine};

/// An event that was landed on: the current state of the integrator is there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Landing {
    /// The time.
    pub t: f64,
    /// The length of the step that leads there.
    pub h: f64,
    /// The event function there. Its sign says on which side of the event the state is.
    pub value: f64,
}

/// A search along the last step: the integrator, the system, the event and the first failure.
struct Search<'a, S: System, G> {
    solver: &'a mut Dop853,
    system: &'a mut S,
    event: &'a mut G,
    ends: [(f64, f64); 2],
    failure: Option<OdeError<S::Error>>,
}

impl Dop853 {
    /// Shortens the last step so that it ends on the root of an event g(t, y) that changes its sign
    /// over the step, and goes on from there.
    ///
    /// The root is searched on the dense output, then with steps taken again from the beginning of
    /// the last one, each of order 8 (11 evaluations): what the system does beyond the event has
    /// no influence on the state at it. The root is bracketed to `tolerance` [time], or to the
    /// rounding of h if that is wider.
    ///
    /// An event function that is exactly zero at the beginning of the step is refused, since that
    /// event has been landed on before.
    pub fn land<S: System, G: FnMut(f64, &[f64]) -> f64>(
        &mut self,
        system: &mut S,
        event: &mut G,
        tolerance: f64,
    ) -> Result<Landing, OdeError<S::Error>> {
        self.need_step()?;
        let usable = tolerance.is_finite() && tolerance >= 0.0;
        demand("the tolerance of a landing", tolerance, usable, "a finite one, not negative")?;
        let start = event(self.last.t, &self.last.y);
        let end = event(self.last.t_end, &self.last.y_end);
        for (t, g) in [(self.last.t, start), (self.last.t_end, end)] {
            if g.is_nan() {
                return Err(OdeError::NotFinite { t });
            }
        }
        let h = self.last.h;
        if end == 0.0 && start != 0.0 {
            return Ok(Landing { t: self.last.t_end, h, value: end });
        }
        if start == 0.0 || (start > 0.0) == (end > 0.0) {
            return Err(OdeError::NoEvent { start, end });
        }
        let width = Width { absolute: tolerance.max(f64::EPSILON * h.abs()), relative: 0.0 };
        self.make_dense(system)?;
        let ends = [(0.0, start), (h, end)];
        let mut search = Search { solver: self, system, event, ends, failure: None };
        let root = search.run(width);
        if let Some(failure) = search.failure {
            return Err(failure);
        }
        let Root { x, value, other } = root.map_err(|e| match e {
            RootError::NotANumber { x, .. } => OdeError::NotFinite { t: self.last.t + x },
            RootError::NoSignChange { .. } => OdeError::NoEvent { start, end },
        })?;
        // A step has a length: at the very beginning, the end of the bracket beyond it is taken.
        let h = if x == 0.0 { other } else { x };
        let accepted = self.accept_at(system, h)?;
        let value = if x == 0.0 { event(accepted.t, &self.last.y_end) } else { value };
        Ok(Landing { t: accepted.t, h, value })
    }
}

impl<S: System, G: FnMut(f64, &[f64]) -> f64> Search<'_, S, G> {
    fn run(&mut self, width: Width) -> Result<Root, RootError> {
        let [(_, start), (h, _)] = self.ends;
        let guess = bracketed(|x| self.on_polynomial(x), 0.0, h, width)?;
        let mut near = (guess.x, self.on_step(guess.x));
        let mut reach = width.absolute.copysign(h);
        if (near.1 > 0.0) != (start > 0.0) {
            reach = -reach;
        }
        // Outwards from the guess, until the bracket holds the root. It ends at an end of the step.
        while near.1 != 0.0 {
            let x = (near.0 + reach).clamp(h.min(0.0), h.max(0.0));
            let far = (x, self.on_step(x));
            if near.1.is_nan() || far.1.is_nan() || (far.1 > 0.0) != (near.1 > 0.0) {
                return refine(|x| self.on_step(x), near, far, width);
            }
            (near, reach) = (far, 16.0 * reach);
        }
        Ok(Root { x: near.0, value: near.1, other: near.0 })
    }

    /// The event at an end of the step, where its sign is known and rounding must not change it.
    fn at_end(&self, x: f64) -> Option<f64> {
        self.ends.iter().find(|end| end.0 == x).map(|end| end.1)
    }

    /// The event on the dense output.
    fn on_polynomial(&mut self, x: f64) -> f64 {
        if let Some(value) = self.at_end(x) {
            return value;
        }
        let solver = &mut *self.solver;
        let mut y = std::mem::take(&mut solver.scratch);
        solver.between(x / solver.last.h, &mut y);
        solver.scratch = y;
        (self.event)(solver.last.t + x, &solver.scratch)
    }

    /// The event after a step of length x. A step that fails leaves its reason behind.
    fn on_step(&mut self, x: f64) -> f64 {
        if let Some(value) = self.at_end(x) {
            return value;
        }
        match self.solver.try_length(self.system, x) {
            Ok(()) => (self.event)(self.solver.trial.t_end, &self.solver.trial.y_end),
            Err(failure) => {
                self.failure.get_or_insert(failure);
                f64::NAN
            }
        }
    }
}
