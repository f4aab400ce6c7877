//! Within the last implicit step: its polynomial, the same step with another length, landings.

use super::check::{self, same_size};
use super::collocation::Collocation;
use super::event::{self, Ends, Landing, Retaken};
use super::newton::{Aim, Search};
use super::radau_tableau::{LAST, STAGES};
use super::{Accepted, OdeError, Radau, StiffSystem};

/// A step taken again has no error estimate to hide behind: its equations are solved to a billionth
/// of the tolerance, so that it is a smooth function of its length.
const AGAIN: Aim<'_> = Aim { error: 1e-9, fine: None, most: 30, measured: true };

impl Radau {
    /// Writes the state at a time within the last step, to order 5: the polynomial that the step
    /// itself is made of. It evaluates nothing.
    pub fn interpolate(&self, t: f64, out: &mut [f64]) -> Result<(), OdeError> {
        self.need_step()?;
        same_size("the output", out.len(), self.dimension())?;
        let θ = check::fraction(t, self.last.t_old, self.last.t, self.last.h)?;
        self.last.between(θ, out);
        Ok(())
    }

    /// Bounds how far each component goes from its value at the beginning of the last step.
    pub fn excursions<E>(&self, out: &mut [f64]) -> Result<(), OdeError<E>> {
        /// Rounded up: the greatest sizes over a step of the Lagrange polynomials of its stages, with the beginning as another node.
        const GREATEST: [f64; STAGES] = [1.2, 1.1, 1.1, 1.1, 1.0];
        self.need_step()?;
        same_size("the output", out.len(), self.dimension())?;
        out.fill(0.0);
        for (z, greatest) in self.last.z.iter().zip(GREATEST) {
            out.iter_mut().zip(z).for_each(|(out, z)| *out += greatest * z.abs());
        }
        Ok(())
    }

    /// Takes a step of length h from the beginning of the last one and writes where it leads.
    /// It has the full order and no error control, and changes nothing until [`Radau::accept_at`].
    pub fn retake<S: StiffSystem>(
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
    pub fn accept_at<S: StiffSystem>(
        &mut self,
        system: &mut S,
        h: f64,
    ) -> Result<Accepted, OdeError<S::Error>> {
        self.try_length(system, h)?;
        self.accept_trial();
        Ok(Accepted { t_old: self.last.t_old, t: self.last.t, h, rejected: 0 })
    }

    /// Shortens the last step so that it ends on the root of an event, as
    /// [`Dop853::land`](super::Dop853::land) does; steps taken again are of order 9.
    pub fn land<S: StiffSystem, G: FnMut(f64, &[f64]) -> f64>(
        &mut self,
        system: &mut S,
        event: &mut G,
        tolerance: f64,
    ) -> Result<Landing, OdeError<S::Error>> {
        self.need_step()?;
        event::land(self, system, event, tolerance)
    }

    /// Lets `trial` be the last step with length h.
    fn try_length<S: StiffSystem>(
        &mut self,
        system: &mut S,
        h: f64,
    ) -> Result<(), OdeError<S::Error>> {
        self.need_step()?;
        check::length(h)?;
        if self.retaken && self.trial.h == h {
            return Ok(());
        }
        self.retaken = false;
        if h == self.last.h {
            self.trial.repeat(&self.last);
            self.retaken = true;
            return Ok(());
        }
        self.trial.begin_with(&self.last);
        let t = self.trial.t_old;
        (self.trial.h, self.trial.t, self.trial.end_known) = (h, t + h, false);
        self.allow();
        loop {
            self.trial.guess(Some(&self.last), 0.0);
            let fine = (!self.fine.is_empty()).then_some(self.fine.as_slice());
            let aim = Aim { fine, ..AGAIN };
            let found = self.newton.search(system, &mut self.trial, &self.allowed, aim);
            if let Ok(Search::Converged(_)) = found {
                self.retaken = true;
                return Ok(());
            }
            // Once more with a Jacobian from here.
            if self.newton.t == t {
                return self.keep_part(found.err(), h);
            }
            self.differentiate(system)?;
        }
    }
}

impl Radau {
    /// Where a shorter step does not converge, which one with a corner may not, it is a part of the last one's polynomial.
    fn keep_part<E>(&mut self, error: Option<OdeError<E>>, h: f64) -> Result<(), OdeError<E>> {
        let part = h / self.last.h;
        match error {
            Some(error @ OdeError::System(_)) => Err(error),
            _ if part > 0.0 && part < 1.0 => {
                self.trial.guess(Some(&self.last), 0.0);
                let ends = self.trial.y_old.iter().zip(&self.trial.z[LAST]);
                self.trial.y.iter_mut().zip(ends).for_each(|(y, (old, z))| *y = old + z);
                self.retaken = true;
                Ok(())
            }
            _ => Err(OdeError::NoConvergence { t: self.trial.t_old, h }),
        }
    }
}

impl<S: StiffSystem> Retaken<S> for Radau {
    fn last(&self) -> Ends<'_> {
        let Collocation { t_old, t, h, y_old, y, .. } = &self.last;
        Ends { t_old: *t_old, t: *t, h: *h, y_old, y }
    }

    fn make_dense(&mut self, _: &mut S) -> Result<(), OdeError<S::Error>> {
        Ok(())
    }

    fn at_fraction(&mut self, θ: f64) -> &[f64] {
        self.last.between(θ, &mut self.scratch);
        &self.scratch
    }

    fn after(&mut self, system: &mut S, h: f64) -> Result<(f64, &[f64]), OdeError<S::Error>> {
        self.try_length(system, h)?;
        Ok((self.trial.t, &self.trial.y))
    }

    // In a stiff system the slope at the end of a step is that of what has died out.
    fn hold(&mut self, _: &mut S) -> Result<bool, OdeError<S::Error>> {
        Ok(false)
    }

    fn along(&mut self, _: f64) -> (f64, &[f64]) {
        (self.trial.t, &self.trial.y)
    }

    fn accept_at(&mut self, system: &mut S, h: f64) -> Result<Accepted, OdeError<S::Error>> {
        Self::accept_at(self, system, h)
    }
}
