//! One step with its stages, before anybody judges it.

use super::tableau::{A, ALL_STAGES, B, B_ORDER_3, C, END, ERROR_ORDER_5, STAGES, Weights};
use super::{OdeError, System};

/// A step from (t_old, y_old) to (t, y) and the slopes it was made of.
#[derive(Clone, Debug)]
pub(super) struct Stride {
    pub t_old: f64,
    pub h: f64,
    pub t: f64,
    pub y_old: Vec<f64>,
    pub y: Vec<f64>,
    /// The slope of each stage; 0 at the beginning, [`END`] at the end, the rest for dense output.
    pub k: Vec<Vec<f64>>,
    /// Whether the slope at the end has been evaluated.
    pub end_known: bool,
}

impl Stride {
    pub fn new(n: usize) -> Self {
        Self {
            t_old: 0.0,
            h: 0.0,
            t: 0.0,
            y_old: vec![0.0; n],
            y: vec![0.0; n],
            k: vec![vec![0.0; n]; ALL_STAGES],
            end_known: false,
        }
    }

    /// Begins where the other begins.
    pub fn begin_with(&mut self, other: &Self) {
        self.t_old = other.t_old;
        self.y_old.copy_from_slice(&other.y_old);
        self.k[0].copy_from_slice(&other.k[0]);
    }

    /// Begins where the other ends, whose slope there is known.
    pub fn begin_after(&mut self, other: &Self) {
        self.t_old = other.t;
        self.y_old.copy_from_slice(&other.y);
        self.k[0].copy_from_slice(&other.k[END]);
    }

    /// Takes the step of length h: `y` becomes y_old + h Σ bⱼ kⱼ.
    pub fn run<S: System>(
        &mut self,
        system: &mut S,
        h: f64,
        t: f64,
    ) -> Result<(), OdeError<S::Error>> {
        (self.h, self.t, self.end_known) = (h, t, false);
        for s in 1..STAGES {
            combine(&mut self.y, &self.y_old, h, A[s], &self.k);
            evaluate(system, self.t_old + C[s] * h, &self.y, &mut self.k[s])?;
        }
        combine(&mut self.y, &self.y_old, h, B, &self.k);
        finite(&self.y, t)
    }

    /// Evaluates the slope at the end, once.
    pub fn complete<S: System>(&mut self, system: &mut S) -> Result<(), OdeError<S::Error>> {
        if !self.end_known {
            evaluate(system, self.t, &self.y, &mut self.k[END])?;
            self.end_known = true;
        }
        Ok(())
    }

    /// The slope at the end, if it has been evaluated.
    pub fn end_slope(&self) -> Option<&[f64]> {
        self.end_known.then(|| self.k[END].as_slice())
    }

    /// Takes over the slope at the end.
    pub fn know_end(&mut self, slope: &[f64]) {
        self.k[END].copy_from_slice(slope);
        self.end_known = true;
    }

    /// Evaluates the three stages that only the dense output needs, with `scratch` for their states.
    pub fn extend<S: System>(
        &mut self,
        system: &mut S,
        scratch: &mut [f64],
    ) -> Result<(), OdeError<S::Error>> {
        for s in END + 1..ALL_STAGES {
            combine(scratch, &self.y_old, self.h, A[s], &self.k);
            evaluate(system, self.t_old + C[s] * self.h, scratch, &mut self.k[s])?;
        }
        Ok(())
    }

    /// The estimated error in parts of the allowed one (Hairer, Nørsett, Wanner I, section II.10):
    /// |h| e₅² / √(e₅² + e₃²/100), root mean square over the components.
    pub fn error(&self, relative: f64, absolute: &[f64]) -> f64 {
        let (mut fine, mut coarse) = (0.0, 0.0);
        let mut add = |i: usize, [e5, b, b3]: [f64; 3]| {
            let allowed = absolute[i] + relative * self.y_old[i].abs().max(self.y[i].abs());
            let (e5, e3) = (e5 / allowed, (b - b3) / allowed);
            fine += e5 * e5;
            coarse += e3 * e3;
        };
        for_blocks(absolute.len(), [ERROR_ORDER_5, B, B_ORDER_3], &self.k, &mut add);
        if fine == 0.0 {
            return 0.0;
        }
        self.h.abs() * fine / ((fine + 0.01 * coarse) * absolute.len() as f64).sqrt()
    }
}

/// Components that are summed side by side: what a stage's weight and place cost is shared among them.
const BLOCK: usize = 4;

/// Σ wⱼ kⱼ of N components from i on, each summed in the order of the stages.
#[inline]
fn sums<const N: usize>(weights: Weights, k: &[Vec<f64>], i: usize) -> [f64; N] {
    let mut out = [-0.0; N];
    for &(j, w) in weights {
        for (out, k) in out.iter_mut().zip(&k[j][i..i + N]) {
            *out += w * k;
        }
    }
    out
}

/// Hands on several sums Σ wⱼ kⱼ of each of n components, in their order.
pub(super) fn for_blocks<const M: usize>(
    n: usize,
    weights: [Weights; M],
    k: &[Vec<f64>],
    take: &mut impl FnMut(usize, [f64; M]),
) {
    let whole = n - n % BLOCK;
    for i in (0..whole).step_by(BLOCK) {
        let found = weights.map(|w| sums::<BLOCK>(w, k, i));
        for l in 0..BLOCK {
            take(i + l, found.map(|sums| sums[l]));
        }
    }
    for i in whole..n {
        take(i, weights.map(|w| sums::<1>(w, k, i)[0]));
    }
}

/// out = y + h Σ wⱼ kⱼ
fn combine(out: &mut [f64], y: &[f64], h: f64, weights: Weights, k: &[Vec<f64>]) {
    for_blocks(out.len().min(y.len()), [weights], k, &mut |i, [sum]| out[i] = y[i] + h * sum);
}

/// The slope at (t, y), which has to be finite.
pub(super) fn evaluate<S: System>(
    system: &mut S,
    t: f64,
    y: &[f64],
    y_dot: &mut [f64],
) -> Result<(), OdeError<S::Error>> {
    system.rate(t, y, y_dot).map_err(OdeError::System)?;
    finite(y_dot, t)
}

pub(super) fn finite<E>(x: &[f64], t: f64) -> Result<(), OdeError<E>> {
    if x.iter().all(|x| x.is_finite()) { Ok(()) } else { Err(OdeError::NotFinite { t }) }
}
