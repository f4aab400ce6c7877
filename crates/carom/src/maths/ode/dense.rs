//! The state between the ends of the last step.

use super::check::{self, same_size};
use super::stride::for_all;
use super::tableau::{D, END};
use super::{Dop853, OdeError, System};

impl Dop853 {
    /// Writes the state at a time within the last step, to order 7. The first call in a step
    /// evaluates the system three times, and a fourth time for the slope that the next step needs.
    pub fn interpolate<S: System>(
        &mut self,
        system: &mut S,
        t: f64,
        out: &mut [f64],
    ) -> Result<(), OdeError<S::Error>> {
        self.need_step()?;
        same_size("the output", out.len(), self.dimension())?;
        let mut θ = check::fraction(t, self.last.t_old, self.last.t, self.last.h)?;
        if self.held.is_last() {
            // The polynomial is that of the step before it was continued.
            θ *= self.last.h / self.held.h;
        }
        self.make_dense(system)?;
        self.between(θ, out);
        Ok(())
    }

    /// Bounds how far each component goes from its value at the beginning of the last step: the sum of the greatest sizes of the terms of the
    /// dense output. Evaluates the system like [`Dop853::interpolate`].
    pub fn excursions<S: System>(
        &mut self,
        system: &mut S,
        out: &mut [f64],
    ) -> Result<(), OdeError<S::Error>> {
        /// The greatest values of θ, θ(1−θ), θ²(1−θ), θ²(1−θ)², θ³(1−θ)², θ³(1−θ)³ and θ⁴(1−θ)³ for 0 ≤ θ ≤ 1:
        /// θᵃ(1−θ)ᵇ ≤ aᵃ bᵇ / (a+b)ᵃ⁺ᵇ.
        const GREATEST: [f64; 7] = [
            1.0,
            1.0 / 4.0,
            4.0 / 27.0,
            1.0 / 16.0,
            108.0 / 3125.0,
            1.0 / 64.0,
            6912.0 / 823_543.0,
        ];
        self.need_step()?;
        same_size("the output", out.len(), self.dimension())?;
        self.make_dense(system)?;
        out.fill(0.0);
        for (row, greatest) in self.dense.iter().zip(GREATEST) {
            out.iter_mut().zip(row).for_each(|(out, term)| *out += greatest * term.abs());
        }
        Ok(())
    }

    /// Fits the polynomial of the last step, once.
    pub(super) fn make_dense<S: System>(
        &mut self,
        system: &mut S,
    ) -> Result<(), OdeError<S::Error>> {
        if self.dense_known {
            return Ok(());
        }
        let held = self.held.is_last();
        if held {
            self.last.k.row_mut(END).swap_with_slice(&mut self.held.slope);
        } else {
            self.last.complete(system)?;
        }
        let fitted = self.fit(system, held);
        if held {
            self.last.k.row_mut(END).swap_with_slice(&mut self.held.slope);
        }
        self.dense_known = fitted.is_ok();
        fitted
    }

    /// Fits it to the stages; `held`: to those of the step before it was continued along its tangent.
    fn fit<S: System>(&mut self, system: &mut S, held: bool) -> Result<(), OdeError<S::Error>> {
        let h = if held { self.held.h } else { self.last.h };
        self.last.extend(system, h, &mut self.scratch)?;
        let k = &self.last.k;
        let (begin, end) = (k.row(0), k.row(END));
        let y = if held { &self.held.y } else { &self.last.y };
        for i in 0..self.dimension() {
            let Δ = y[i] - self.last.y_old[i];
            self.dense[0][i] = Δ;
            self.dense[1][i] = h * begin[i] - Δ;
            self.dense[2][i] = 2.0 * Δ - h * (begin[i] + end[i]);
        }
        let rows = &mut self.dense[3..];
        for_all(D, k, &mut |i, sums| {
            for (row, sum) in rows.iter_mut().zip(sums) {
                row[i] = h * sum;
            }
        });
        Ok(())
    }

    /// y + θ (r₀ + (1−θ) (r₁ + θ (r₂ + (1−θ) (r₃ + θ (r₄ + (1−θ) (r₅ + θ r₆))))))
    pub(super) fn between(&self, θ: f64, out: &mut [f64]) {
        for (i, (out, y)) in out.iter_mut().zip(&self.last.y_old).enumerate() {
            let mut r = 0.0;
            for (j, row) in self.dense.iter().enumerate().rev() {
                r = (r + row[i]) * if j % 2 == 0 { θ } else { 1.0 - θ };
            }
            *out = y + r;
        }
    }
}
