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
    /// The event function there.
    pub value: f64,
    /// The length of a step that ends just beyond the event, for [`Dop853::accept_at`]; h itself if
    /// the event function is exactly zero there.
    pub beyond: f64,
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
    /// the last one (order 8, 11 evaluations each). It is bracketed to `tolerance` in time, or to the
    /// rounding of h if that is wider, and the state is put on the near side of the bracket: there
    /// the event function is zero or has the sign it had at the beginning of the step. To go on
    /// without finding the same event again, step across: `accept_at(system, landing.beyond)`.
    ///
    /// So nothing beyond the event in *time* is looked at. Stages may still look beyond it in *state*
    /// by their own small errors; a system that jumps there should hold its mode during a step.
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
        let start = event(self.last.t_old, &self.last.y_old);
        let end = event(self.last.t, &self.last.y);
        for (t, g) in [(self.last.t_old, start), (self.last.t, end)] {
            if g.is_nan() {
                return Err(OdeError::NotFinite { t });
            }
        }
        let h = self.last.h;
        if end == 0.0 && start != 0.0 {
            return Ok(Landing { t: self.last.t, h, value: end, beyond: h });
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
        let Root { x, other, .. } = root.map_err(|e| match e {
            RootError::NotANumber { x, .. } => OdeError::NotFinite { t: self.last.t_old + x },
            RootError::NoSignChange { .. } => OdeError::NoEvent { start, end },
        })?;
        let (near, beyond) = if x.abs() <= other.abs() { (x, other) } else { (other, x) };
        // A step has a length: an event at the very beginning is landed on from beyond.
        let h = if near == 0.0 { beyond } else { near };
        let t = self.accept_at(system, h)?.t;
        Ok(Landing { t, h, value: event(t, &self.last.y), beyond })
    }
}

impl<S: System, G: FnMut(f64, &[f64]) -> f64> Search<'_, S, G> {
    fn run(&mut self, width: Width) -> Result<Root, RootError> {
        let [(_, start), (h, _)] = self.ends;
        let guess = bracketed(|x| self.on_polynomial(x), 0.0, h, width)?;
        let mut near = (guess.x, self.on_step(guess.x));
        // Twice the Newton step by the slope of the polynomial most likely reaches across the root.
        let inside = |x: f64| x.clamp(h.min(0.0), h.max(0.0));
        let [a, b] = [inside(guess.x - 1e-3 * h), inside(guess.x + 1e-3 * h)];
        let slope = (self.on_polynomial(b) - self.on_polynomial(a)) / (b - a);
        let mut reach = (2.0 * near.1 / slope).abs().max(width.absolute).copysign(h);
        if (near.1 > 0.0) != (start > 0.0) {
            reach = -reach;
        }
        // Outwards from the guess, until the bracket holds the root. It ends at an end of the step.
        while near.1 != 0.0 {
            let x = inside(near.0 + reach);
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
        (self.event)(solver.last.t_old + x, &solver.scratch)
    }

    /// The event after a step of length x. A step that fails leaves its reason behind.
    fn on_step(&mut self, x: f64) -> f64 {
        if let Some(value) = self.at_end(x) {
            return value;
        }
        match self.solver.try_length(self.system, x) {
            Ok(()) => (self.event)(self.solver.trial.t, &self.solver.trial.y),
            Err(failure) => {
                self.failure.get_or_insert(failure);
                f64::NAN
            }
        }
    }
}
