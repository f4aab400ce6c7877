//! The integrator: steps that meet a tolerance, and steps taken again with another length.

use super::check::{self, same_size};
use super::event::{self, Ends, Landing, Retaken};
use super::held::Held;
use super::stride::{Stride, evaluate};
use super::tableau::{D, END};
use super::{OdeError, System, Tolerance};

/// The controller of step lengths from the errors ε₀ and ε of the last two steps, in parts of the
/// allowed one: h ← h · SAFETY · ε₀^β / ε^(1/8 − β/5), within bounds (Hairer, Wanner: Solving
/// Ordinary Differential Equations II, section IV.2; the numbers are those of their program).
const SAFETY: f64 = 0.9;
const SHRINK: f64 = 0.333;
const GROW: f64 = 6.0;
/// β: how much the error of the step before counts. It keeps step lengths from oscillating.
const MEMORY: f64 = 0.04;
/// The estimated error of a step goes with h⁸.
const EXPONENT: f64 = 1.0 / 8.0 - 0.2 * MEMORY;
/// An error smaller than this is not remembered as such.
const LEAST_REMEMBERED: f64 = 1e-4;

/// The slope's change is tried over no less than this part of the unit of time.
const SHORTEST_TRY: f64 = 1e-9;

/// An accepted step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accepted {
    /// Its beginning.
    pub t_old: f64,
    /// Its end, the current time.
    pub t: f64,
    /// Its length, negative backwards in time. It resolves more digits than t − t_old.
    pub h: f64,
    /// How many longer steps were tried in vain.
    pub rejected: usize,
}

/// The explicit Runge–Kutta method of order 8 by Dormand and Prince, with error estimates of
/// orders 5 and 3 and dense output of order 7: DOP853 of Hairer, Nørsett and Wanner, *Solving
/// Ordinary Differential Equations I*, section II.10.
///
/// For smooth systems that are not stiff, to any tolerance down to rounding. All memory is taken by
/// [`Dop853::new`]. A step costs 12 evaluations of the system, one taken again 11, and
/// the first interpolation in a step 3.
#[derive(Clone, Debug)]
pub struct Dop853 {
    /// The last accepted step; before the first one only its end means something.
    pub(super) last: Stride,
    trial: Stride,
    taken: bool,
    /// Whether `trial` is the last step taken again.
    retaken: bool,
    /// The length proposed for the next step; zero before the start.
    pub(super) next: f64,
    pub(super) error_before: f64,
    pub(super) relative: f64,
    pub(super) absolute: Vec<f64>,
    /// The seven terms of the dense output of the last step, if they are known.
    pub(super) dense: Vec<Vec<f64>>,
    pub(super) dense_known: bool,
    pub(super) scratch: Vec<f64>,
    pub(super) held: Held,
}

impl Dop853 {
    /// An integrator for systems of this dimension.
    pub fn new(dimension: usize) -> Self {
        Self {
            last: Stride::new(dimension),
            trial: Stride::new(dimension),
            taken: false,
            retaken: false,
            next: 0.0,
            error_before: LEAST_REMEMBERED,
            relative: 0.0,
            absolute: vec![0.0; dimension],
            dense: vec![vec![0.0; dimension]; 3 + D.len()],
            dense_known: false,
            scratch: vec![0.0; dimension],
            held: Held::new(dimension),
        }
    }

    /// Stands at (t, y). The sign of the first step is the direction of time; its length is a
    /// guess that the tolerance corrects.
    pub fn start(
        &mut self,
        t: f64,
        y: &[f64],
        first_step: f64,
        tolerance: Tolerance<'_>,
    ) -> Result<(), OdeError> {
        check::start(self.dimension(), t, y, first_step, tolerance)?;
        self.last.t = t;
        self.last.y.copy_from_slice(y);
        self.last.end_known = false;
        self.relative = tolerance.relative;
        self.absolute.copy_from_slice(tolerance.absolute);
        (self.next, self.error_before) = (first_step, LEAST_REMEMBERED);
        (self.taken, self.retaken, self.dense_known) = (false, false, false);
        self.held.release();
        Ok(())
    }

    /// The number of components of the state.
    pub fn dimension(&self) -> usize {
        self.absolute.len()
    }

    /// The current time.
    pub fn t(&self) -> f64 {
        self.last.t
    }

    /// The current state.
    pub fn y(&self) -> &[f64] {
        &self.last.y
    }

    /// The beginning of the last step; the current time before the first one.
    pub fn t_old(&self) -> f64 {
        if self.taken { self.last.t_old } else { self.last.t }
    }

    /// The state at the beginning of the last step; the current one before the first step.
    pub fn y_old(&self) -> &[f64] {
        if self.taken { &self.last.y_old } else { &self.last.y }
    }

    /// Lets the length proposed for the next step be no longer than this.
    pub fn shorten(&mut self, most: f64) {
        if self.next.abs() > most {
            self.next = most.copysign(self.next);
        }
    }

    /// The length of the last step; zero before the first one.
    pub fn h(&self) -> f64 {
        if self.taken { self.last.h } else { 0.0 }
    }

    /// The length proposed for the next step.
    pub fn proposed(&self) -> f64 {
        self.next
    }

    /// Proposes a first step from the sizes of the slope and of its change (Hairer, Nørsett, Wanner I, section II.4): two
    /// evaluations, of which the first is that of the step to come. The sign is that of the length proposed before. The sizes of first and
    /// second derivatives are compared, so that the system has to name a unit of time in which both are of order one.
    pub fn guess_length<S: System>(
        &mut self,
        system: &mut S,
        unit: f64,
    ) -> Result<(), OdeError<S::Error>> {
        self.last.complete(system)?;
        let Self { last, trial, relative, absolute, .. } = self;
        let allowed = |i: usize| absolute[i] + *relative * last.y[i].abs();
        let n = absolute.len().max(1) as f64;
        let mean = |of: &dyn Fn(usize) -> f64| {
            let squares = (0..absolute.len()).map(|i| (of(i) / allowed(i)).powi(2));
            (squares.sum::<f64>() / n).sqrt()
        };
        let slope = last.k.row(END);
        let (size, rate) = (mean(&|i| last.y[i]), mean(&|i| slope[i]) * unit);
        let sign = self.next.signum();
        // A state that passes zero tells nothing of its size.
        let short =
            if size > 1e-5 && rate > 1e-5 { (0.01 * size / rate).max(SHORTEST_TRY) } else { 1e-6 };
        for (i, y) in trial.y.iter_mut().enumerate() {
            *y = last.y[i] + sign * short * unit * slope[i];
        }
        evaluate(system, last.t + sign * short * unit, &trial.y, trial.k.row_mut(0))?;
        let bend = mean(&|i| trial.k.row(0)[i] - slope[i]) * unit / short;
        let steepest = rate.max(bend);
        let long = if steepest > 1e-15 { (0.01 / steepest).powf(1.0 / 8.0) } else { 1e3 * short };
        self.retaken = false;
        self.next = sign * long.min(100.0 * short) * unit;
        Ok(())
    }

    /// Takes one step that meets the tolerance, not beyond `limit`, which is hit exactly.
    ///
    /// A trial that meets a number that is not finite is shortened like one with too large an error.
    pub fn step<S: System>(
        &mut self,
        system: &mut S,
        limit: f64,
    ) -> Result<Accepted, OdeError<S::Error>> {
        let t = self.last.t;
        let room = check::room(self.next, t, limit)?;
        self.last.complete(system)?;
        self.retaken = false;
        self.held.leave_trial();
        self.trial.begin_after(&self.last);

        let mut h = self.next;
        let mut not_finite = None;
        let mut rejected = 0;
        loop {
            let Some((length, t_end)) = check::fit(t, h, room, limit) else {
                let why = not_finite.map(|t| OdeError::NotFinite { t });
                return Err(why.unwrap_or(OdeError::StepTooSmall { t, h }));
            };
            let mut error = f64::NAN;
            match self.trial.run(system, length, t_end) {
                Ok(()) => error = self.trial.error(self.relative, &self.absolute),
                Err(OdeError::NotFinite { t }) => not_finite = Some(t),
                Err(other) => return Err(other),
            }
            if error <= 1.0 {
                self.propose(h, length, error, rejected > 0);
                self.accept_trial();
                return Ok(Accepted { t_old: t, t: t_end, h: length, rejected });
            }
            // A NaN shortens as far as an infinite error.
            h = length * (SAFETY / error.powf(EXPONENT)).max(SHRINK);
            rejected += 1;
        }
    }

    /// h λ of the last step: how near it was to the boundary of stability, which is at about 6.1. A step that is that near again and again is
    /// shorter than its tolerance asks for, and the system is stiff.
    pub fn stability<S: System>(&mut self, system: &mut S) -> Result<f64, OdeError<S::Error>> {
        if !self.taken {
            return Ok(0.0);
        }
        self.last.complete(system)?;
        Ok(self.last.stability(self.relative, &self.absolute))
    }

    /// Proposes the next length after a step of this length; `wanted` was proposed for it.
    fn propose(&mut self, wanted: f64, length: f64, error: f64, after_rejection: bool) {
        let pi = SAFETY * self.error_before.powf(MEMORY) / error.powf(EXPONENT);
        let most = if after_rejection { 1.0 } else { GROW };
        self.next = (length * pi.clamp(SHRINK, most)).clamp(f64::MIN, f64::MAX);
        // A step that the limit cut short says nothing against the length proposed before.
        if pi >= GROW && self.next.abs() < wanted.abs() {
            self.next = wanted;
        }
        self.error_before = error.max(LEAST_REMEMBERED);
    }

    /// Takes a step of length h from the beginning of the last one and writes where it leads.
    /// It has the full order and no error control, and changes nothing until [`Dop853::accept_at`].
    pub fn retake<S: System>(
        &mut self,
        system: &mut S,
        h: f64,
        out: &mut [f64],
    ) -> Result<(), OdeError<S::Error>> {
        same_size("the output", out.len(), self.dimension())?;
        self.try_length(system, h)?;
        out.copy_from_slice(&self.trial.y);
        Ok(())
    }

    /// Puts a step of length h from the beginning of the last one into its place and goes on from
    /// its end. A step that was just retaken with this length costs nothing.
    pub fn accept_at<S: System>(
        &mut self,
        system: &mut S,
        h: f64,
    ) -> Result<Accepted, OdeError<S::Error>> {
        self.try_length(system, h)?;
        self.accept_trial();
        Ok(Accepted { t_old: self.last.t_old, t: self.last.t, h, rejected: 0 })
    }

    /// Puts another state into the place of the current one, such as one projected onto constraints. The
    /// proposed step stays; interpolation still describes the step as it was taken.
    pub fn replace<E>(&mut self, y: &[f64]) -> Result<(), OdeError<E>> {
        check::state(self.dimension(), y)?;
        self.last.y.copy_from_slice(y);
        (self.last.end_known, self.retaken) = (false, false);
        Ok(())
    }

    /// Shortens the last step so that it ends on the root of an event g(t, y) that changes its sign
    /// over the step, and goes on from there.
    ///
    /// The root is searched on the dense output. Then a step is taken again from the beginning of the last one (order 8, 11 evaluations) that
    /// ends 1e-8 of the last step before the root or nearer, and is continued along its tangent, which costs one evaluation. Where the dense output
    /// misses the root by more, further steps are taken. The root is bracketed to `tolerance` in time, or to the
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
        event::land(self, system, event, tolerance)
    }

    /// Lets `trial` be the last step with length h.
    fn try_length<S: System>(&mut self, system: &mut S, h: f64) -> Result<(), OdeError<S::Error>> {
        self.need_step()?;
        check::length(h)?;
        if self.retaken && self.trial.h == h {
            return Ok(());
        }
        self.retaken = false;
        if self.held.continues(&mut self.trial, &self.last, h) {
            self.retaken = true;
            return Ok(());
        }
        self.run_length(system, h)
    }

    /// The same by evaluating all its stages.
    fn run_length<S: System>(&mut self, system: &mut S, h: f64) -> Result<(), OdeError<S::Error>> {
        check::length(h)?;
        self.retaken = false;
        self.held.leave_trial();
        self.trial.begin_with(&self.last);
        // The last step itself may end on a limit that t + h misses by rounding.
        let t_end = if h == self.last.h { self.last.t } else { self.last.t_old + h };
        self.trial.run(system, h, t_end)?;
        self.retaken = true;
        Ok(())
    }

    fn accept_trial(&mut self) {
        std::mem::swap(&mut self.last, &mut self.trial);
        (self.taken, self.retaken, self.dense_known) = (true, false, false);
        self.held.follow_trial();
    }

    pub(super) fn need_step<E>(&self) -> Result<(), OdeError<E>> {
        if self.taken { Ok(()) } else { Err(OdeError::NotReady { missing: "step" }) }
    }
}

impl<S: System> Retaken<S> for Dop853 {
    fn last(&self) -> Ends<'_> {
        let Stride { t_old, t, h, y_old, y, .. } = &self.last;
        Ends { t_old: *t_old, t: *t, h: *h, y_old, y }
    }

    fn make_dense(&mut self, system: &mut S) -> Result<(), OdeError<S::Error>> {
        Self::make_dense(self, system)
    }

    fn at_fraction(&mut self, θ: f64) -> &[f64] {
        let mut y = std::mem::take(&mut self.scratch);
        self.between(θ, &mut y);
        self.scratch = y;
        &self.scratch
    }

    fn after(&mut self, system: &mut S, h: f64) -> Result<(f64, &[f64]), OdeError<S::Error>> {
        self.run_length(system, h)?;
        Ok((self.trial.t, &self.trial.y))
    }

    fn hold(&mut self, system: &mut S) -> Result<bool, OdeError<S::Error>> {
        self.trial.complete(system)?;
        self.held.keep(&self.trial, self.last.h);
        Ok(true)
    }

    fn along(&mut self, h: f64) -> (f64, &[f64]) {
        self.held.along(h, &mut self.scratch);
        (self.last.t_old + h, &self.scratch)
    }

    fn accept_at(&mut self, system: &mut S, h: f64) -> Result<Accepted, OdeError<S::Error>> {
        Self::accept_at(self, system, h)
    }
}
