//! Landing on an event inside the last step.

use super::check::demand;
use super::{Accepted, OdeError, System};
use crate::maths::root::{Root, RootError, Width, bracketed, refine};

/// A step that ends this part of the last one before the event is continued along its tangent: what the tangent misses, some square of this
/// part of the step, is round-off.
pub(super) const TANGENT: f64 = 1e-8;
/// So many steps are taken again in search of one that ends so near; then the event is bracketed by whole steps.
const MOST_AIMS: usize = 4;
/// A root along a tangent is looked for within this part of the step.
const FARTHEST: f64 = 0.1;

/// An event that was landed on: the current state of the integrator is there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Landing {
    /// The time.
    pub t: f64,
    /// The length of the step that leads there.
    pub h: f64,
    /// The event function there.
    pub value: f64,
    /// The length of a step that ends just beyond the event, for `accept_at`; h itself if
    /// the event function is exactly zero there.
    pub beyond: f64,
}

/// The two ends of the last step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends<'a> {
    pub t_old: f64,
    pub t: f64,
    pub h: f64,
    pub y_old: &'a [f64],
    pub y: &'a [f64],
}

/// An integrator whose last step has a polynomial and can be taken again.
pub(super) trait Retaken<S: System> {
    /// The last step, of which there is one.
    fn last(&self) -> Ends<'_>;
    /// Makes the polynomial ready.
    fn make_dense(&mut self, system: &mut S) -> Result<(), OdeError<S::Error>>;
    /// The state on the polynomial, from 0 to 1.
    fn at_fraction(&mut self, θ: f64) -> &[f64];
    /// Time and state after a step of another length.
    fn after(&mut self, system: &mut S, h: f64) -> Result<(f64, &[f64]), OdeError<S::Error>>;
    /// Keeps the step that was taken again last, with its slope at the end, to be continued along its tangent; false if the method's steps
    /// are not continued so.
    fn hold(&mut self, system: &mut S) -> Result<bool, OdeError<S::Error>>;
    /// Time and state at another length along the tangent of the step that is held.
    fn along(&mut self, h: f64) -> (f64, &[f64]);
    /// Lets that step be the last one.
    fn accept_at(&mut self, system: &mut S, h: f64) -> Result<Accepted, OdeError<S::Error>>;
}

/// A search along the last step: the integrator, the system, the event and the first failure.
struct Search<'a, S: System, M, G> {
    method: &'a mut M,
    system: &'a mut S,
    event: &'a mut G,
    ends: [(f64, f64); 2],
    failure: Option<OdeError<S::Error>>,
}

/// As [`super::Dop853::land`] says.
pub(super) fn land<S: System, M: Retaken<S>, G: FnMut(f64, &[f64]) -> f64>(
    method: &mut M,
    system: &mut S,
    event: &mut G,
    tolerance: f64,
) -> Result<Landing, OdeError<S::Error>> {
    let usable = tolerance.is_finite() && tolerance >= 0.0;
    demand("the tolerance of a landing", tolerance, usable, "a finite one, not negative")?;
    let Ends { t_old, t, h, y_old, y } = method.last();
    let (start, end) = (event(t_old, y_old), event(t, y));
    for (t, g) in [(t_old, start), (t, end)] {
        if g.is_nan() {
            return Err(OdeError::NotFinite { t });
        }
    }
    if end == 0.0 && start != 0.0 {
        return Ok(Landing { t, h, value: end, beyond: h });
    }
    if start == 0.0 || (start > 0.0) == (end > 0.0) {
        return Err(OdeError::NoEvent { start, end });
    }
    let width = Width { absolute: tolerance.max(f64::EPSILON * h.abs()), relative: 0.0 };
    method.make_dense(system)?;
    let ends = [(0.0, start), (h, end)];
    let mut search = Search { method, system, event, ends, failure: None };
    let root = search.run(width);
    if let Some(failure) = search.failure {
        return Err(failure);
    }
    let Root { x, other, .. } = root.map_err(|e| match e {
        RootError::NotANumber { x, .. } => OdeError::NotFinite { t: t_old + x },
        RootError::NoSignChange { .. } => OdeError::NoEvent { start, end },
    })?;
    let (near, beyond) = if x.abs() <= other.abs() { (x, other) } else { (other, x) };
    // A step has a length: an event at the very beginning is landed on from beyond.
    let h = if near == 0.0 { beyond } else { near };
    let t = method.accept_at(system, h)?.t;
    Ok(Landing { t, h, value: event(t, method.last().y), beyond })
}

impl<S: System, M: Retaken<S>, G: FnMut(f64, &[f64]) -> f64> Search<'_, S, M, G> {
    fn run(&mut self, width: Width) -> Result<Root, RootError> {
        let [_, (h, _)] = self.ends;
        let rough = Width { absolute: width.absolute.max(0.1 * TANGENT * h.abs()), relative: 0.0 };
        let guess = bracketed(|x| self.on_polynomial(x), 0.0, h, rough)?.x;
        // How fast the event runs along the polynomial.
        let [a, b] = [self.inside(guess - 1e-3 * h), self.inside(guess + 1e-3 * h)];
        let slope = (self.on_polynomial(b) - self.on_polynomial(a)) / (b - a);
        if let Some(root) = self.by_tangents(guess, slope, width) {
            return root;
        }
        self.by_steps(guess, slope, width)
    }

    fn inside(&self, x: f64) -> f64 {
        let [_, (h, _)] = self.ends;
        x.clamp(h.min(0.0), h.max(0.0))
    }

    /// The root along the tangent of a step that ends just before it; nothing where that is not found.
    fn by_tangents(
        &mut self,
        mut guess: f64,
        slope: f64,
        width: Width,
    ) -> Option<Result<Root, RootError>> {
        let [(_, start), (h, _)] = self.ends;
        let near = TANGENT * h.abs();
        for _ in 0..MOST_AIMS {
            let x = guess - (0.5 * near).min(0.5 * guess.abs()).copysign(h);
            if x == 0.0 || (x > 0.0) != (h > 0.0) || x.abs() >= h.abs() {
                return None;
            }
            let value = self.on_step(x);
            match self.method.hold(self.system) {
                Ok(true) if self.failure.is_none() && value.is_finite() => {}
                Ok(_) => return None,
                Err(failure) => {
                    self.failure.get_or_insert(failure);
                    return None;
                }
            }
            if value == 0.0 {
                return Some(Ok(Root { x, value, other: x }));
            }
            let before = (value > 0.0) == (start > 0.0);
            let root = match self.along_tangent((x, value), before, slope, width)? {
                Ok(root) => root,
                Err(error) => return Some(Err(error)),
            };
            if before && (root.x - x).abs().max((root.other - x).abs()) <= near {
                return Some(Ok(root));
            }
            guess = root.x;
        }
        None
    }

    /// The root along the tangent at the end of the step that is held; nothing if there is none nearby.
    fn along_tangent(
        &mut self,
        from: (f64, f64),
        before: bool,
        slope: f64,
        width: Width,
    ) -> Option<Result<Root, RootError>> {
        let [_, (h, _)] = self.ends;
        let most = FARTHEST * h.abs();
        // Twice the Newton step most likely reaches across the root.
        let mut reach = (2.0 * from.1 / slope).abs().max(width.absolute);
        let mut near = from;
        while reach <= most {
            let way = if before { reach.copysign(h) } else { -reach.copysign(h) };
            let x = from.0 + way;
            let far = (x, self.on_tangent(x));
            if far.1.is_nan() {
                return None;
            }
            if (far.1 > 0.0) != (from.1 > 0.0) {
                return Some(refine(|x| self.on_tangent(x), near, far, width));
            }
            (near, reach) = (far, 16.0 * reach);
        }
        None
    }

    /// The root bracketed by whole steps, outwards from a guess.
    fn by_steps(&mut self, guess: f64, slope: f64, width: Width) -> Result<Root, RootError> {
        let [(_, start), (h, _)] = self.ends;
        let mut near = (guess, self.on_step(guess));
        // Twice the Newton step by the slope of the polynomial most likely reaches across the root.
        let mut reach = (2.0 * near.1 / slope).abs().max(width.absolute).copysign(h);
        if (near.1 > 0.0) != (start > 0.0) {
            reach = -reach;
        }
        // Until the bracket holds the root. It ends at an end of the step.
        while near.1 != 0.0 {
            let x = self.inside(near.0 + reach);
            let far = (x, self.on_step(x));
            if near.1.is_nan() || far.1.is_nan() || (far.1 > 0.0) != (near.1 > 0.0) {
                return refine(|x| self.on_step(x), near, far, width);
            }
            (near, reach) = (far, 16.0 * reach);
        }
        Ok(Root { x: near.0, value: near.1, other: near.0 })
    }

    /// The event along the tangent of the step that is held.
    fn on_tangent(&mut self, x: f64) -> f64 {
        let (t, y) = self.method.along(x);
        (self.event)(t, y)
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
        let Ends { t_old, h, .. } = self.method.last();
        (self.event)(t_old + x, self.method.at_fraction(x / h))
    }

    /// The event after a step of length x. A step that fails leaves its reason behind.
    fn on_step(&mut self, x: f64) -> f64 {
        if let Some(value) = self.at_end(x) {
            return value;
        }
        match self.method.after(self.system, x) {
            Ok((t, y)) => (self.event)(t, y),
            Err(failure) => {
                self.failure.get_or_insert(failure);
                f64::NAN
            }
        }
    }
}
