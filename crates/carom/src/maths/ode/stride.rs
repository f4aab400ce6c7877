//! One step with its stages, before anybody judges it.

use super::tableau::{A, ALL_STAGES, B, B_ORDER_3, C, END, ERROR_ORDER_5, STAGES, Weights};
use super::{OdeError, System};

/// So many components are summed side by side.
const GROUP: usize = 4;

/// A step from (t_old, y_old) to (t, y) and the slopes it was made of.
#[derive(Clone, Debug)]
pub(super) struct Stride {
    pub t_old: f64,
    pub h: f64,
    pub t: f64,
    pub y_old: Vec<f64>,
    pub y: Vec<f64>,
    /// The slope of each stage; 0 at the beginning, [`END`] at the end, the rest for dense output.
    pub k: Slopes,
    /// Whether the slope at the end has been evaluated.
    pub end_known: bool,
}

/// The slopes of all stages, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Slopes {
    n: usize,
    /// From one stage to the next: n and what fills the last group of components, so that these are summed side by side, too.
    stride: usize,
    all: Vec<f64>,
}

impl Slopes {
    /// The slope of a stage.
    pub fn row(&self, stage: usize) -> &[f64] {
        &self.all[stage * self.stride..stage * self.stride + self.n]
    }

    pub fn row_mut(&mut self, stage: usize) -> &mut [f64] {
        &mut self.all[stage * self.stride..stage * self.stride + self.n]
    }
}

impl Stride {
    pub fn new(n: usize) -> Self {
        let stride = n.next_multiple_of(GROUP);
        Self {
            t_old: 0.0,
            h: 0.0,
            t: 0.0,
            y_old: vec![0.0; n],
            y: vec![0.0; n],
            k: Slopes { n, stride, all: vec![0.0; stride * ALL_STAGES] },
            end_known: false,
        }
    }

    /// Begins where the other begins.
    pub fn begin_with(&mut self, other: &Self) {
        self.t_old = other.t_old;
        self.y_old.copy_from_slice(&other.y_old);
        self.k.row_mut(0).copy_from_slice(other.k.row(0));
    }

    /// Is the other step once more, but for its state at the end.
    pub fn repeat(&mut self, other: &Self) {
        (self.t_old, self.h, self.t) = (other.t_old, other.h, other.t);
        self.y_old.copy_from_slice(&other.y_old);
        self.k.all.copy_from_slice(&other.k.all);
        self.end_known = false;
    }

    /// Begins where the other ends, whose slope there is known.
    pub fn begin_after(&mut self, other: &Self) {
        self.t_old = other.t;
        self.y_old.copy_from_slice(&other.y);
        self.k.row_mut(0).copy_from_slice(other.k.row(END));
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
            evaluate(system, self.t_old + C[s] * h, &self.y, self.k.row_mut(s))?;
        }
        combine(&mut self.y, &self.y_old, h, B, &self.k);
        finite(&self.y, t)
    }

    /// Evaluates the slope at the end, once.
    pub fn complete<S: System>(&mut self, system: &mut S) -> Result<(), OdeError<S::Error>> {
        if !self.end_known {
            evaluate(system, self.t, &self.y, self.k.row_mut(END))?;
            self.end_known = true;
        }
        Ok(())
    }

    /// The slope at the end, if it has been evaluated.
    pub fn end_slope(&self) -> Option<&[f64]> {
        self.end_known.then(|| self.k.row(END))
    }

    /// Takes over the slope at the end.
    pub fn know_end(&mut self, slope: &[f64]) {
        self.k.row_mut(END).copy_from_slice(slope);
        self.end_known = true;
    }

    /// Evaluates the three stages that only the dense output of a step of length h needs, with `scratch` for their states.
    pub fn extend<S: System>(
        &mut self,
        system: &mut S,
        h: f64,
        scratch: &mut [f64],
    ) -> Result<(), OdeError<S::Error>> {
        for s in END + 1..ALL_STAGES {
            combine(scratch, &self.y_old, h, A[s], &self.k);
            evaluate(system, self.t_old + C[s] * h, scratch, self.k.row_mut(s))?;
        }
        Ok(())
    }

    /// h λ of the two last stages, which are both at the end of the step, whose slope there is known: how much the slope differs between
    /// them, over how much the state does (Hairer, Wanner II, section IV.2).
    ///
    /// Components are compared in parts of the error allowed in them: a component that the tolerance does not count, such as the integral
    /// of a power, must not hide the stiffness of the others.
    pub fn stability(&self, relative: f64, absolute: &[f64]) -> f64 {
        let (mut slopes, mut states) = (0.0, 0.0);
        let (end, last) = (self.k.row(END), self.k.row(STAGES - 1));
        for_all([B, A[STAGES - 1]], &self.k, &mut |i, [b, a]| {
            let allowed = absolute[i] + relative * self.y_old[i].abs().max(self.y[i].abs());
            slopes += ((end[i] - last[i]) / allowed).powi(2);
            states += ((b - a) / allowed).powi(2);
        });
        if states > 0.0 { (slopes / states).sqrt() } else { 0.0 }
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
        for_all([ERROR_ORDER_5, B, B_ORDER_3], &self.k, &mut add);
        if fine == 0.0 {
            return 0.0;
        }
        self.h.abs() * fine / ((fine + 0.01 * coarse) * absolute.len() as f64).sqrt()
    }
}

/// Σ wⱼ kⱼ of N components from i on, each summed in the order of the stages. Side by side they share what a stage costs.
#[inline]
fn sums<const N: usize>(weights: Weights, k: &Slopes, i: usize) -> [f64; N] {
    let mut out = [-0.0; N];
    for &(j, w) in weights {
        let at = j * k.stride + i;
        for (out, k) in out.iter_mut().zip(&k.all[at..at + N]) {
            *out += w * k;
        }
    }
    out
}

/// Hands on several sums Σ wⱼ kⱼ of each component, in their order.
pub(super) fn for_all<const M: usize>(
    weights: [Weights; M],
    k: &Slopes,
    take: &mut impl FnMut(usize, [f64; M]),
) {
    let mut i = 0;
    while i + 2 * GROUP <= k.n {
        i = hand_on::<M, { 2 * GROUP }>(weights, k, i, take);
    }
    while i < k.n {
        i = hand_on::<M, GROUP>(weights, k, i, take);
    }
}

/// The same for N components from i on; returns the next one.
#[inline]
fn hand_on<const M: usize, const N: usize>(
    weights: [Weights; M],
    k: &Slopes,
    i: usize,
    take: &mut impl FnMut(usize, [f64; M]),
) -> usize {
    let found = weights.map(|w| sums::<N>(w, k, i));
    let left = k.n - i;
    // Told apart so that whole groups have a length that the compiler knows.
    if left >= N {
        for l in 0..N {
            take(i + l, found.map(|sums| sums[l]));
        }
    } else {
        for l in 0..left {
            take(i + l, found.map(|sums| sums[l]));
        }
    }
    i + N
}

/// out = y + h Σ wⱼ kⱼ
fn combine(out: &mut [f64], y: &[f64], h: f64, weights: Weights, k: &Slopes) {
    let (out, y) = (&mut out[..k.n], &y[..k.n]);
    for_all([weights], k, &mut |i, [sum]| out[i] = y[i] + h * sum);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_side_by_side_have_the_bits_of_sums_one_by_one() {
        for n in [1, 3, 4, 7, 8, 9, 13, 21] {
            let mut stride = Stride::new(n);
            for s in 0..ALL_STAGES {
                for (i, k) in stride.k.row_mut(s).iter_mut().enumerate() {
                    *k = (1.7 * s as f64 + 0.3 * i as f64).sin() * (s + 1) as f64;
                }
            }
            let mut seen = 0;
            for_all([B, ERROR_ORDER_5], &stride.k, &mut |i, found| {
                for (weights, found) in [B, ERROR_ORDER_5].iter().zip(found) {
                    let one: f64 = weights.iter().map(|&(j, w)| w * stride.k.row(j)[i]).sum();
                    assert_eq!(one.to_bits(), found.to_bits(), "component {i} of {n}");
                }
                assert_eq!(i, seen, "in their order");
                seen += 1;
            });
            assert_eq!(seen, n, "every component once");
        }
    }
}
