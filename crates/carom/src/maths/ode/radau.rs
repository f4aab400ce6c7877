//! The implicit integrator: steps that meet a tolerance, and steps taken again with another length.

use super::check;
use super::collocation::Collocation;
use super::jacobian::StiffSystem;
use super::newton::{Aim, KEEP, Newton, Search, Work};
use super::{Accepted, OdeError, Tolerance};

/// The controller of step lengths (Hairer, Wanner II, section IV.8; the numbers are those of their
/// program): h ← h / q, where q = ε^(1/6) / safety for the error ε in parts of the allowed one,
/// within bounds.
const SAFETY: f64 = 0.9;
const SHRINK: f64 = 5.0;
const GROW: f64 = 1.0 / 8.0;
/// A first step that misses its tolerance was a wild guess.
const SHRINK_FIRST: f64 = 10.0;
/// The estimate of a step's error goes with this power of its length.
const ESTIMATE: f64 = 6.0;
/// Iterations of Newton's method in a step: the 7 of three stages, and half a stage's more for each further one (as in RADAU).
const ITERATIONS: i32 = 12;
/// The error that Newton's method may leave, in parts of the allowed one, if the relative tolerance is zero. The estimate
/// of a step's error is far too large, so the allowed one is; what Newton's method leaves is really there. Less than this drowns in the round-off
/// of small indentations, and steps are rejected for nothing.
const AIM: f64 = 1e-2;
/// Errors smaller than these are not remembered as such, and not seen.
const LEAST_REMEMBERED: f64 = 1e-2;
const LEAST_SEEN: f64 = 1e-10;
/// A step that could grow by no more than this keeps its length, and with it its decomposition.
const NOT_WORTH_IT: f64 = 1.2;
/// The implicit Runge–Kutta method Radau IIA with five stages, of order 9, in the manner of RADAU of Hairer and
/// Wanner, *Solving Ordinary Differential Equations II*, section IV.8. At 1e-9 it follows an oscillation in a tenth of the steps of three
/// stages and order 5.
///
/// For stiff systems: a contact that lasts, a fast decay that is over. It is used as
/// [`Dop853`](super::Dop853) is, and steps over what has died out. All memory is taken by
/// [`Radau::new`]. A step costs one evaluation of the system, five for each iteration, and
/// one for each component when the Jacobian is renewed by differences.
///
/// Its error estimate is of order 5 and so far too large. A relative tolerance r is therefore replaced by r^(2/3)/10, as in RADAU5 with
/// three stages (RADAU would take r^(3/5)/10 here; what is stiff has errors as large as the estimate) and the absolute ones are changed by the same factor; the error of a
/// step then is about as allowed. If the relative tolerance is zero nothing tells how many digits
/// are wanted, and the estimate itself has to meet the absolute ones. That is the choice where what
/// counts is a small difference of large numbers, as an indentation is of places.
#[derive(Clone, Debug)]
pub struct Radau {
    /// The last accepted step; before the first one only its end means something.
    pub(super) last: Collocation,
    pub(super) trial: Collocation,
    pub(super) newton: Newton,
    pub(super) taken: bool,
    /// Whether `trial` is the last step taken again.
    pub(super) retaken: bool,
    /// Whether the next step needs another Jacobian.
    pub(super) renew: bool,
    /// The length proposed for the next step; zero before the start.
    pub(super) next: f64,
    /// Length and error of the last step.
    pub(super) before: Option<(f64, f64)>,
    pub(super) relative: f64,
    pub(super) absolute: Vec<f64>,
    /// How much larger than the tolerance an estimated error may be.
    loosening: f64,
    /// What Newton's method may leave in each component; nothing is told of it if this is empty.
    pub(super) fine: Vec<f64>,
    /// The estimated error allowed in the step under way.
    pub(super) allowed: Vec<f64>,
    pub(super) scratch: Vec<f64>,
}

/// How a trial ended.
enum Attempt {
    /// With this error in parts of the allowed one.
    Solved { error: f64, iterations: i32 },
    /// A step shorter by this factor may do.
    Failed(f64),
}

impl Radau {
    /// An integrator for systems of this dimension.
    pub fn new(dimension: usize) -> Self {
        let zeros = || vec![0.0; dimension];
        Self {
            last: Collocation::new(dimension),
            trial: Collocation::new(dimension),
            newton: Newton::new(dimension),
            taken: false,
            retaken: false,
            renew: true,
            next: 0.0,
            before: None,
            relative: 0.0,
            absolute: zeros(),
            loosening: 1.0,
            fine: Vec::with_capacity(dimension),
            allowed: zeros(),
            scratch: zeros(),
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
        self.loosening = if self.relative > 0.0 { 0.1 / self.relative.cbrt() } else { 1.0 };
        (self.next, self.before) = (first_step, None);
        (self.taken, self.retaken, self.renew) = (false, false, true);
        self.newton.forget(tolerance.absolute);
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

    /// From here on Newton's method leaves no more than these errors in the components, though steps may have larger ones: a system
    /// may feel a small change of theirs much. Each step takes a Jacobian of its own then. Nothing told ends that.
    pub fn sharpen(&mut self, errors: &[f64]) {
        self.fine.clear();
        self.fine.extend_from_slice(errors);
        self.renew |= !errors.is_empty();
    }

    /// The length of the last step; zero before the first one.
    pub fn h(&self) -> f64 {
        if self.taken { self.last.h } else { 0.0 }
    }

    /// Puts another state into the place of the current one, such as one projected onto constraints. The
    /// proposed step stays; interpolation still describes the step as it was taken.
    pub fn replace<E>(&mut self, y: &[f64]) -> Result<(), OdeError<E>> {
        check::state(self.dimension(), y)?;
        self.last.y.copy_from_slice(y);
        (self.last.end_known, self.retaken) = (false, false);
        Ok(())
    }

    /// h λ of the last step, with λ the spectral radius of the Jacobian in use, estimated. Where it is small step after step, an explicit
    /// method could take steps of this length, too.
    pub fn stability(&mut self) -> f64 {
        if self.taken { self.last.h.abs() * self.newton.spectral_radius() } else { 0.0 }
    }

    /// What has been done since the start.
    pub fn work(&self) -> Work {
        self.newton.work
    }

    /// Takes one step that meets the tolerance, not beyond `limit`, which is hit exactly.
    ///
    /// A trial that meets a number that is not finite is shortened like one with too large an error,
    /// and so is one whose equations Newton's method does not solve.
    pub fn step<S: StiffSystem>(
        &mut self,
        system: &mut S,
        limit: f64,
    ) -> Result<Accepted, OdeError<S::Error>> {
        let t = self.last.t;
        let room = check::room(self.next, t, limit)?;
        self.last.complete(system)?;
        self.retaken = false;
        self.trial.begin_after(&self.last);
        self.allow();

        let mut h = self.next;
        let mut not_finite = None;
        let mut rejected = 0;
        loop {
            let Some((length, t_end)) = check::fit(t, h, room, limit) else {
                let why = not_finite.map(|t| OdeError::NotFinite { t });
                return Err(why.unwrap_or(OdeError::StepTooSmall { t, h }));
            };
            (self.trial.h, self.trial.t, self.trial.end_known) = (length, t_end, false);
            if self.renew {
                self.differentiate(system)?;
                self.renew = false;
            }
            let factor = match self.attempt(system, rejected > 0) {
                Ok(Attempt::Solved { error, iterations }) => {
                    let quotient = quotient(error, iterations);
                    if error < 1.0 {
                        self.propose(h, quotient, error, rejected > 0);
                        self.accept_trial();
                        return Ok(Accepted { t_old: t, t: t_end, h: length, rejected });
                    }
                    1.0 / if self.taken { quotient } else { SHRINK_FIRST }
                }
                Ok(Attempt::Failed(factor)) => factor,
                Err(OdeError::NotFinite { t }) => {
                    not_finite = Some(t);
                    0.5
                }
                Err(other) => return Err(other),
            };
            h = length * factor;
            rejected += 1;
            self.renew = self.newton.t != t;
        }
    }

    /// Tries the step.
    fn attempt<S: StiffSystem>(
        &mut self,
        system: &mut S,
        after_rejection: bool,
    ) -> Result<Attempt, OdeError<S::Error>> {
        // Newton's method must not spoil what the order of the step is worth.
        let relative = self.loosening * self.relative;
        let error = if relative > 0.0 { relative.sqrt().min(0.03) } else { AIM };
        let Self { newton, trial, allowed, fine, .. } = self;
        let fine = (!fine.is_empty()).then_some(fine.as_slice());
        let aim = Aim { error, fine, most: ITERATIONS, measured: fine.is_some() };
        trial.guess(self.taken.then_some(&self.last), 1.0);
        if fine.is_some() && !self.taken {
            trial.guess_straight();
        }
        let iterations = match newton.search(system, trial, allowed, aim)? {
            Search::Converged(iterations) => iterations,
            Search::Failed(factor) => return Ok(Attempt::Failed(factor)),
        };
        let mut error = newton.error(trial, allowed);
        if !(error < 1.0) && (after_rejection || !self.taken) {
            error = newton.error_again(system, trial, allowed)?;
        }
        if !error.is_finite() {
            return Ok(Attempt::Failed(0.5));
        }
        Ok(Attempt::Solved { error: error.max(LEAST_SEEN), iterations })
    }

    /// Proposes the next length after the trial; `wanted` was proposed for it.
    fn propose(&mut self, wanted: f64, quotient: f64, error: f64, after_rejection: bool) {
        let h = self.trial.h;
        let mut q = quotient;
        // What the last two errors foretell (Gustafsson); a step cut short foretells nothing.
        if let Some((h_before, error_before)) = self.before.filter(|_| wanted == h) {
            let foretold =
                h_before / h * (error * error / error_before).powf(1.0 / ESTIMATE) / SAFETY;
            q = q.max(foretold.clamp(GROW, SHRINK));
        }
        if after_rejection {
            q = q.max(1.0);
        }
        self.next = (h / q).clamp(f64::MIN, f64::MAX);
        // A step that the limit cut short says nothing against the length proposed before.
        if q <= GROW && self.next.abs() < wanted.abs() {
            self.next = wanted;
        }
        self.renew = self.newton.rate > KEEP;
        if !self.renew && (1.0..=NOT_WORTH_IT).contains(&(self.next / h)) {
            self.next = h;
        }
        self.before = Some((h, error.max(LEAST_REMEMBERED)));
    }

    /// Takes the Jacobian at the beginning of the trial; if that fails there is none.
    pub(super) fn differentiate<S: StiffSystem>(
        &mut self,
        system: &mut S,
    ) -> Result<(), OdeError<S::Error>> {
        self.renew = true;
        let tolerance = Tolerance { relative: self.relative, absolute: &self.absolute };
        self.newton.differentiate(system, &self.trial, tolerance)
    }

    /// The estimated error that is allowed in a step from the beginning of the trial.
    pub(super) fn allow(&mut self) {
        for (i, allowed) in self.allowed.iter_mut().enumerate() {
            let asked = self.absolute[i] + self.relative * self.trial.y_old[i].abs();
            *allowed = self.loosening * asked;
        }
    }

    pub(super) fn accept_trial(&mut self) {
        std::mem::swap(&mut self.last, &mut self.trial);
        (self.taken, self.retaken) = (true, false);
    }

    pub(super) fn need_step<E>(&self) -> Result<(), OdeError<E>> {
        if self.taken { Ok(()) } else { Err(OdeError::NotReady { missing: "step" }) }
    }
}

/// By how much a step with this error was too long; one that needed many iterations counts as longer.
fn quotient(error: f64, iterations: i32) -> f64 {
    let most = f64::from(2 * ITERATIONS);
    let safety = SAFETY.min(SAFETY * (1.0 + most) / (f64::from(iterations) + most));
    (error.powf(1.0 / ESTIMATE) / safety).clamp(GROW, SHRINK)
}
