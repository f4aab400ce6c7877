//! Measured impacts and forces over time beside what a curve predicts: residuals, their derivatives, and their sum of squares.

use super::force::{Core, Curve, PARAMETERS, Prepared};
use super::motion::{Sampled, motion};
use super::outcome::{Shared, outcome};
use super::{NoMotion, Values};
use crate::contact::law::{Entry, Form, LawError};
use crate::maths::least_squares::Normal;

/// A measured impact.
#[derive(Clone, Debug)]
pub struct Impact {
    /// m_eff \[kg\].
    pub mass: f64,
    /// δ̇⁻ \[m/s\] and its standard deviation.
    pub speed: f64,
    /// Its standard deviation; 0 if it is taken as exact.
    pub speed_error: f64,
    /// In the order of [`super::QUANTITIES`]: the value and its standard deviation, if that is known.
    pub observed: [Option<(f64, Option<f64>)>; 4],
}

/// A measured force over time.
#[derive(Clone, Debug)]
pub struct Signal {
    /// m_eff \[kg\].
    pub mass: f64,
    /// δ̇⁻ \[m/s\].
    pub speed: f64,
    /// Rising times \[s\].
    pub times: Vec<f64>,
    /// Forces \[N\].
    pub forces: Vec<f64>,
    /// The standard deviation of a sample \[N\], if it is known.
    pub error: Option<f64>,
    /// What the onset is searched about, and the unit of its parameter \[s\].
    pub onset: (f64, f64),
    /// Whether a sample is the mean since the one before.
    pub averaged: bool,
}

/// Where the damping of a curve comes from.
#[derive(Clone, Copy, Debug)]
pub enum Damping {
    /// It is a parameter itself.
    Direct,
    /// The formula of a law gives it from e = 1 − L (δ̇⁻/v_ref)^β.
    Restitution {
        /// The law.
        entry: &'static Entry,
        /// v_ref \[m/s\].
        reference: f64,
    },
}

/// Places of the parameters: ln K, n, two of damping, L, β, and from [`Slot::ONSETS`] on the onsets of the signals in their units.
pub struct Slot;

impl Slot {
    /// L = 1 − e at v_ref.
    pub const LOSS: usize = PARAMETERS;
    /// β.
    pub const POWER: usize = PARAMETERS + 1;
    /// The first onset.
    pub const ONSETS: usize = PARAMETERS + 2;
}

/// A residual: observed against predicted.
#[derive(Clone, Copy, Debug)]
pub struct Residual {
    /// The impact or the signal.
    pub row: usize,
    /// The sample of a signal.
    pub sample: usize,
    /// The quantity of [`super::QUANTITIES`]; 4 for a force over time.
    pub quantity: usize,
    /// What was measured.
    pub observed: f64,
    /// What the curve gives.
    pub predicted: f64,
    /// The standard deviation that the residual is weighted by.
    pub error: f64,
}

/// Measurements and a curve.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The curve.
    pub curve: Curve,
    /// Where its damping comes from.
    pub damping: Damping,
    /// What the parameters of damping are measured in.
    pub units: [f64; 2],
    /// Measured impacts.
    pub impacts: Vec<Impact>,
    /// Measured forces over time.
    pub signals: Vec<Signal>,
    /// Standard deviations of the quantities where no column states them; the last is that of forces over time.
    pub scales: [f64; 5],
    /// Variances that the errors of approach speeds add, for each impact.
    pub spread: Vec<[f64; 4]>,
    /// Residuals beyond so many standard deviations count linearly (Huber); infinite for least squares.
    pub huber: f64,
}

/// Step of the differences of a law's formula for its damping.
const STEP: f64 = 1e-4;
/// Step of the difference by the approach speed, relative.
const SPEED_STEP: f64 = 1e-4;
/// Least restitution that a law is asked for.
const LEAST_RESTITUTION: f64 = 1e-3;

/// The damping that a law gives for e and n.
pub fn ratio(entry: &Entry, e: f64, n: f64) -> Result<f64, LawError> {
    match entry.form {
        Form::Hysteresis(of) => Ok(of(e)),
        Form::LinearDamping(of) => of(e, n),
        _ => Ok(0.0),
    }
}

impl Problem {
    /// The parameters of the curve at a speed, and the derivatives of its first damping by n, L and β.
    fn core(&self, x: &[f64], speed: f64) -> Result<(Core, [f64; 3]), LawError> {
        let (stiffness, exponent) = (x[0].exp(), x[1]);
        let core = |damping| Core { stiffness, exponent, damping, units: self.units };
        let Damping::Restitution { entry, reference } = self.damping else {
            return Ok((core([x[2] * self.units[0], x[3] * self.units[1]]), [0.0; 3]));
        };
        let (loss, beta) = (x[Slot::LOSS], x[Slot::POWER]);
        let relative = speed / reference;
        let power = relative.powf(beta);
        let e = (1.0 - loss * power).clamp(LEAST_RESTITUTION, 1.0);
        // One-sided near the ends of the range, centred between them.
        let (low, high) = ((e - STEP).max(LEAST_RESTITUTION), (e + STEP).min(1.0));
        let of = |e: f64, n: f64| ratio(entry, e, n);
        let by_e = (of(high, exponent)? - of(low, exponent)?) / (high - low);
        let by_n = match entry.form {
            Form::LinearDamping(_) if entry.exponent.is_some_and(|(b, _)| b.low < b.high) => {
                let (low, high) = entry.exponent.map_or((exponent, exponent), |(b, _)| {
                    ((exponent - STEP).max(b.low), (exponent + STEP).min(b.high))
                });
                (of(e, high)? - of(e, low)?) / (high - low)
            }
            _ => 0.0,
        };
        let d = of(e, exponent)?;
        let slopes = [by_n, -by_e * power, -by_e * loss * power * relative.ln()];
        Ok((core([d, 0.0]), slopes))
    }

    /// The curve with its parameters for an impact of that mass and speed.
    pub fn prepared(&self, x: &[f64], mass: f64, speed: f64) -> Result<Prepared, LawError> {
        Prepared::new(self.curve, self.core(x, speed)?.0, mass, speed)
    }

    /// Derivatives by the parameters of the curve as derivatives by those of the fit.
    fn spread_slopes(&self, slopes: &[f64; PARAMETERS], by: &[f64; 3], out: &mut [f64]) {
        out.fill(0.0);
        out[0] = slopes[0];
        out[1] = slopes[1];
        match self.damping {
            Damping::Direct => out[2..PARAMETERS].copy_from_slice(&slopes[2..]),
            Damping::Restitution { .. } => {
                let d = slopes[2] / self.units[0];
                out[1] += d * by[0];
                (out[Slot::LOSS], out[Slot::POWER]) = (d * by[1], d * by[2]);
            }
        }
    }

    /// Tells every residual with its derivatives by the parameters.
    pub fn visit(
        &self,
        x: &[f64],
        tell: &mut dyn FnMut(&Residual, &[f64]),
    ) -> Result<(), NoMotion> {
        let mut slopes = vec![0.0; x.len()];
        let mut shared = Shared::default();
        for (row, impact) in self.impacts.iter().enumerate() {
            let (core, by) = self.core(x, impact.speed)?;
            let law = Prepared::new(self.curve, core, impact.mass, impact.speed)?;
            let found: Values = outcome(&law, &mut shared)?;
            for (quantity, (value, derivatives)) in found.iter().enumerate() {
                let Some((observed, error)) = impact.observed[quantity] else { continue };
                let own = error.unwrap_or(self.scales[quantity]);
                let extra = self.spread.get(row).map_or(0.0, |s| s[quantity]);
                self.spread_slopes(derivatives, &by, &mut slopes);
                let error = (own * own + extra).sqrt();
                let predicted = *value;
                tell(&Residual { row, sample: 0, quantity, observed, predicted, error }, &slopes);
            }
        }
        for (row, signal) in self.signals.iter().enumerate() {
            self.visit_signal(x, row, signal, &mut slopes, tell)?;
        }
        Ok(())
    }

    fn visit_signal(
        &self,
        x: &[f64],
        row: usize,
        signal: &Signal,
        slopes: &mut [f64],
        tell: &mut dyn FnMut(&Residual, &[f64]),
    ) -> Result<(), NoMotion> {
        let (core, by) = self.core(x, signal.speed)?;
        let law = Prepared::new(self.curve, core, signal.mass, signal.speed)?;
        let slot = Slot::ONSETS + row;
        let onset = signal.onset.0 + x[slot] * signal.onset.1;
        let times: Vec<f64> = if signal.averaged {
            // The mean over the first interval needs its beginning.
            let first = 2.0 * signal.times[0] - signal.times[1];
            std::iter::once(first).chain(signal.times.iter().copied()).map(|t| t - onset).collect()
        } else {
            signal.times.iter().map(|t| t - onset).collect()
        };
        let error = signal.error.unwrap_or(self.scales[4]);
        let mut last: Option<Sampled> = None;
        let mut each = |k: usize, at: &Sampled| {
            let (value, derivatives, by_onset, sample) = if signal.averaged {
                let Some(before) = last.replace(*at) else { return };
                // The mean of −m δ̈ over the interval.
                let per = signal.mass / (times[k] - times[k - 1]);
                let mean = per * (before.rate.0 - at.rate.0);
                let slopes = std::array::from_fn(|p| per * (before.rate.1[p] - at.rate.1[p]));
                let by_onset = (before.force.0 - at.force.0) / (times[k] - times[k - 1]);
                (mean, slopes, by_onset, k - 1)
            } else {
                (at.force.0, at.force.1, -at.force_rate, k)
            };
            self.spread_slopes(&derivatives, &by, slopes);
            slopes[slot] = by_onset * signal.onset.1;
            let observed = signal.forces[sample];
            let residual = Residual { row, sample, quantity: 4, observed, predicted: value, error };
            tell(&residual, slopes);
        };
        motion(&law, &times, &mut each)?;
        Ok(())
    }

    /// The sum of squares (or Huber's) with its derivatives; none where the curve has no value.
    pub fn squares(&self, x: &[f64]) -> Option<Normal> {
        let mut out = Normal::new(x.len());
        let done = self.visit(x, &mut |r, slopes| {
            let difference = r.predicted - r.observed;
            let size = (difference / r.error).abs();
            let weight = if size > self.huber { self.huber / size } else { 1.0 };
            out.cost += if size > self.huber {
                self.huber * (2.0 * size - self.huber)
            } else {
                size * size
            };
            out.add(weight / (r.error * r.error), difference, slopes);
        });
        done.ok()?;
        out.complete();
        Some(out)
    }

    /// All residuals.
    pub fn residuals(&self, x: &[f64]) -> Result<Vec<Residual>, NoMotion> {
        let mut out = Vec::new();
        self.visit(x, &mut |r, _| out.push(*r))?;
        Ok(out)
    }

    /// The variances that the errors of the approach speeds add to what is predicted.
    pub fn spread_of_speeds(&self, x: &[f64]) -> Result<Vec<[f64; 4]>, NoMotion> {
        let mut shared = Shared::default();
        let mut out = vec![[0.0; 4]; self.impacts.len()];
        for (spread, impact) in out.iter_mut().zip(&self.impacts) {
            if impact.speed_error == 0.0 {
                continue;
            }
            let mut at = |factor: f64| -> Result<Values, NoMotion> {
                let law = self.prepared(x, impact.mass, impact.speed * factor)?;
                outcome(&law, &mut shared)
            };
            let (low, high) = (at(1.0 - SPEED_STEP)?, at(1.0 + SPEED_STEP)?);
            for (k, s) in spread.iter_mut().enumerate() {
                let slope = (high[k].0 - low[k].0) / (2.0 * SPEED_STEP * impact.speed);
                *s = (slope * impact.speed_error).powi(2);
            }
        }
        Ok(out)
    }

    /// How many numbers were measured of each quantity.
    pub fn counts(&self) -> [usize; 5] {
        let mut out = [0; 5];
        for impact in &self.impacts {
            for (k, x) in impact.observed.iter().enumerate() {
                out[k] += usize::from(x.is_some());
            }
        }
        out[4] = self.signals.iter().map(|s| s.forces.len()).sum();
        out
    }

    /// Which quantities have numbers whose standard deviation is not stated.
    pub fn estimated(&self) -> [bool; 5] {
        let mut out = [false; 5];
        for impact in &self.impacts {
            for (k, x) in impact.observed.iter().enumerate() {
                out[k] |= matches!(x, Some((_, None)));
            }
        }
        out[4] = self.signals.iter().any(|s| s.error.is_none());
        out
    }
}
