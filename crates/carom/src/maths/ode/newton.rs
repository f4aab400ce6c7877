//! The stages of an implicit step by Newton's method with a Jacobian that is kept as long as it
//! serves (Hairer, Wanner II, section IV.8).
//!
//! The 5 n equations z = h (A ⊗ 1) f(y + z) fall apart into one real and two complex systems of
//! size n for w = (T⁻¹ ⊗ 1) z. All is multiplied by h, so that short steps do not overflow:
//! (γ − h J) Δw₀ = h (T⁻¹ f)₀ − γ w₀ and the like with α + iβ for w₁ + i w₂ and w₃ + i w₄.

use nalgebra::Complex;
use serde::{Deserialize, Serialize};

use super::collocation::Collocation;
use super::jacobian::{Differences, StiffSystem};
use super::lu::Lu;
use super::radau_tableau::{C, COMPLEX, ERROR, LAST, PAIRS, REAL, STAGES, T, T_INVERSE};
use super::stride::{evaluate, finite};
use super::{OdeError, System, Tolerance};

/// A rate of convergence up to which the Jacobian is kept for another step.
pub(super) const KEEP: f64 = 1e-3;
/// A rate of convergence that nothing is told of.
const UNTOLD: f64 = 0.1;
/// A rate of convergence that is none.
const HOPELESS: f64 = 0.99;
/// Corrections below this many roundings of the state are noise.
const NOISE: f64 = 10.0 * f64::EPSILON;

/// Iterations of the power method, and those of them at the beginning whose growth is not counted.
const POWER_STEPS: usize = 14;
const POWER_SKIPPED: usize = 6;
const POWER_COUNTED: f64 = (POWER_STEPS - POWER_SKIPPED) as f64;

/// Sizes of components are compared within these bounds: quotients stay finite.
const SMALLEST: f64 = 1e-140;

/// What an implicit method has done since its start, besides stepping.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// Iterations of Newton's method, five evaluations each.
    pub iterations: usize,
    /// Jacobians.
    pub jacobians: usize,
    /// Decompositions, of a real and two complex matrices each.
    pub decompositions: usize,
}

/// How accurately the stages are wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aim<'a> {
    /// The error left, in parts of the allowed one.
    pub error: f64,
    /// The error left in each component, whatever is allowed.
    pub fine: Option<&'a [f64]>,
    /// Iterations.
    pub most: i32,
    /// Whether the rate of convergence is measured in this search: that of the last one is not trusted.
    pub measured: bool,
}

/// How a search for the stages ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Search {
    /// After so many iterations.
    Converged(i32),
    /// A step shorter by this factor may do.
    Failed(f64),
}

#[derive(Clone, Debug)]
pub(super) struct Newton {
    J: Vec<f64>,
    /// Where the Jacobian was taken; nowhere is NaN.
    pub t: f64,
    /// The length for which J is decomposed; none is zero.
    h: f64,
    real: Lu<f64>,
    complex: [Lu<Complex<f64>>; PAIRS],
    w: [Vec<f64>; STAGES],
    f: [Vec<f64>; STAGES],
    pairs: [Vec<Complex<f64>>; PAIRS],
    state: Vec<f64>,
    /// What counts in each component: its absolute tolerance.
    sizes: Vec<f64>,
    /// The rate of convergence of the last search.
    pub rate: f64,
    /// θ / (1 − θ) of the last search: the error left in parts of the last correction.
    pub left: f64,
    pub work: Work,
}

impl Newton {
    pub fn new(n: usize) -> Self {
        let zeros = || vec![0.0; n];
        Self {
            J: vec![0.0; n * n],
            t: f64::NAN,
            h: 0.0,
            real: Lu::new(n),
            complex: std::array::from_fn(|_| Lu::new(n)),
            w: std::array::from_fn(|_| zeros()),
            f: std::array::from_fn(|_| zeros()),
            pairs: std::array::from_fn(|_| vec![Complex::new(0.0, 0.0); n]),
            state: zeros(),
            sizes: vec![1.0; n],
            rate: KEEP,
            left: 1.0,
            work: Work::default(),
        }
    }

    /// Forgets the system; the next one has components of these sizes.
    pub fn forget(&mut self, sizes: &[f64]) {
        for (own, size) in self.sizes.iter_mut().zip(sizes) {
            *own = size.clamp(SMALLEST, SMALLEST.recip());
        }
        (self.t, self.h, self.rate, self.left) = (f64::NAN, 0.0, KEEP, 1.0);
        self.work = Work::default();
    }

    /// The Jacobian and where it was taken.
    pub fn jacobian(&self) -> Option<(f64, &[f64])> {
        (!self.t.is_nan()).then_some((self.t, &self.J))
    }

    /// An estimate of the spectral radius of the Jacobian by power iteration, in components measured by their sizes: the geometric mean of
    /// the growth over the last iterations, since that of a complex pair of eigenvalues fluctuates. Zero without a Jacobian.
    pub fn spectral_radius(&mut self) -> f64 {
        let n = self.sizes.len();
        if self.t.is_nan() || n == 0 {
            return 0.0;
        }
        let [x, next, ..] = &mut self.w;
        // Entries of different size, so that no eigenvector of a symmetric machine is left out.
        for (i, x) in x.iter_mut().enumerate() {
            *x = 1.0 + 0.1 * ((7 * i) % 5) as f64;
        }
        let mut growth = 1.0;
        for iteration in 0..POWER_STEPS {
            for (i, next) in next.iter_mut().enumerate() {
                let row = &self.J[i * n..(i + 1) * n];
                let terms = row.iter().zip(self.sizes.iter()).zip(x.iter());
                *next = terms.map(|((J, size), x)| J * (size / self.sizes[i]) * x).sum();
            }
            let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
            let (old, new) = (norm(x), norm(next));
            if !(new > 0.0 && new.is_finite()) {
                return 0.0;
            }
            if iteration >= POWER_SKIPPED {
                growth *= (new / old).powf(1.0 / POWER_COUNTED);
            }
            for (x, next) in x.iter_mut().zip(next.iter()) {
                *x = next / new;
            }
        }
        growth
    }

    /// The length for which it is decomposed.
    pub fn decomposed(&self) -> f64 {
        self.h
    }

    /// Takes over a Jacobian, decomposed for this length unless that is zero.
    pub fn recall(&mut self, t: f64, J: &[f64], h: f64) {
        self.J.copy_from_slice(J);
        (self.t, self.h) = (t, 0.0);
        if h != 0.0 {
            // What could be decomposed once can be again.
            self.decompose(h);
        }
    }

    /// Takes the Jacobian at the beginning of a step.
    pub fn differentiate<S: StiffSystem>(
        &mut self,
        system: &mut S,
        step: &Collocation,
        tolerance: Tolerance<'_>,
    ) -> Result<(), OdeError<S::Error>> {
        // A failure leaves no Jacobian behind.
        (self.t, self.h) = (f64::NAN, 0.0);
        let [y_dot, ..] = &mut self.f;
        let mut differences = Differences {
            y_dot: &step.y_dot_old,
            direction: step.h,
            tolerance,
            scratch: [&mut self.state, y_dot],
        };
        self.J.fill(0.0);
        system
            .jacobian(step.t_old, &step.y_old, &mut self.J, &mut differences)
            .map_err(OdeError::System)?;
        finite(&self.J, step.t_old)?;
        self.t = step.t_old;
        self.work.jacobians += 1;
        Ok(())
    }

    /// Searches the stages of a step from those it holds, and its end.
    pub fn search<S: System>(
        &mut self,
        system: &mut S,
        step: &mut Collocation,
        allowed: &[f64],
        aim: Aim<'_>,
    ) -> Result<Search, OdeError<S::Error>> {
        if !self.decompose(step.h) {
            return Ok(Search::Failed(0.5));
        }
        for (w, row) in self.w.iter_mut().zip(T_INVERSE) {
            for (i, w) in w.iter_mut().enumerate() {
                *w = product(row, &step.z, i);
            }
        }
        let noise = NOISE * mean(step.y_old.iter().zip(allowed).map(|(y, a)| y / a));
        let error = aim.error.max(noise);
        let (mut θ, mut left) = (KEEP, self.left.max(f64::EPSILON).powf(0.8));
        if aim.measured {
            left = 1.0;
        }
        let (mut before, mut ratio_before) = (0.0, 0.0);
        for m in 1..=aim.most {
            self.work.iterations += 1;
            for ((f, z), c) in self.f.iter_mut().zip(&step.z).zip(C) {
                add(&mut self.state, &step.y_old, z);
                evaluate(system, step.t_old + c * step.h, &self.state, f)?;
            }
            let mut size = self.correct(step, allowed);
            if let Some(fine) = aim.fine {
                size = size.max(error * self.largest(fine));
            }
            if !size.is_finite() {
                return Ok(Search::Failed(0.5));
            }
            if m > 1 {
                let ratio: f64 = size / before;
                θ = if m == 2 { ratio } else { (ratio * ratio_before).sqrt() };
                // The first correction is that of what moves fast, and tells nothing of what has to be fine.
                if aim.fine.is_some() && m == 2 {
                    θ = θ.max(UNTOLD);
                }
                ratio_before = ratio;
                if θ >= HOPELESS && size > noise {
                    return Ok(Search::Failed(0.5));
                }
                left = if θ < HOPELESS { θ / (1.0 - θ) } else { 1.0 };
                // What the iterations that are left will have left over.
                let rest = aim.most - 1 - m;
                let over = left * size * θ.powi(rest.max(0)) / error;
                if rest >= 0 && over >= 1.0 {
                    let power = -1.0 / f64::from(4 + rest);
                    return Ok(Search::Failed(0.8 * over.clamp(1e-4, 20.0).powf(power)));
                }
            }
            before = size.max(f64::EPSILON);
            if left * size <= error {
                add(&mut step.y, &step.y_old, &step.z[LAST]);
                finite(&step.y, step.t)?;
                (self.rate, self.left) = (θ, left);
                return Ok(Search::Converged(m));
            }
        }
        Ok(Search::Failed(0.5))
    }

    /// The estimated error of a step in parts of the allowed one: E₁⁻¹ (h f + Σ eᵢ zᵢ), with f the
    /// slope at its beginning.
    pub fn error(&mut self, step: &Collocation, allowed: &[f64]) -> f64 {
        self.state.copy_from_slice(&step.y_dot_old);
        self.estimate(step, allowed)
    }

    /// The same with f where the error would lead to. For a first step or one that follows a rejected
    /// one, this takes out what a stiff system has forgotten by the end of the step.
    pub fn error_again<S: System>(
        &mut self,
        system: &mut S,
        step: &Collocation,
        allowed: &[f64],
    ) -> Result<f64, OdeError<S::Error>> {
        let [moved, ..] = &mut self.f;
        add(moved, &step.y_old, &self.state);
        evaluate(system, step.t_old, moved, &mut self.state)?;
        Ok(self.estimate(step, allowed))
    }

    /// Takes a slope in `state` and leaves the error there.
    fn estimate(&mut self, step: &Collocation, allowed: &[f64]) -> f64 {
        for (i, x) in self.state.iter_mut().enumerate() {
            *x = step.h * *x + product(ERROR, &step.z, i);
        }
        self.real.solve(&mut self.state);
        mean(self.state.iter().zip(allowed).map(|(e, a)| e / a))
    }

    /// Decomposes γ − h J and α + iβ − h J, unless they are.
    fn decompose(&mut self, h: f64) -> bool {
        if self.h == h {
            return true;
        }
        self.work.decompositions += 1;
        self.h = 0.0;
        let (J, sizes) = (&self.J, &self.sizes);
        let mut pairs = self.complex.iter_mut().zip(COMPLEX);
        let done = self.real.factorise(REAL, h, J, sizes)
            && pairs.all(|(lu, (re, im))| lu.factorise(Complex::new(re, im), h, J, sizes));
        if done {
            self.h = h;
        }
        done
    }

    /// The largest of the corrections made last, in parts of what each component may have left.
    fn largest(&self, fine: &[f64]) -> f64 {
        let mut largest = 0.0_f64;
        for (i, fine) in fine.iter().enumerate() {
            let pairs = self.pairs.iter().map(|pair| pair[i].re.abs().max(pair[i].im.abs()));
            largest = largest.max(pairs.fold(self.state[i].abs(), f64::max) / fine);
        }
        largest
    }

    /// One correction of w and z by the slopes in f; its size in parts of the allowed error.
    fn correct(&mut self, step: &mut Collocation, allowed: &[f64]) -> f64 {
        for i in 0..allowed.len() {
            let f = T_INVERSE.map(|row| step.h * product(row, &self.f, i));
            self.state[i] = f[0] - REAL * self.w[0][i];
            for (n, (pair, (re, im))) in self.pairs.iter_mut().zip(COMPLEX).enumerate() {
                let (j, k) = (2 * n + 1, 2 * n + 2);
                let (wj, wk) = (self.w[j][i], self.w[k][i]);
                pair[i] = Complex::new(f[j] - re * wj + im * wk, f[k] - im * wj - re * wk);
            }
        }
        self.real.solve(&mut self.state);
        for (lu, pair) in self.complex.iter().zip(&mut self.pairs) {
            lu.solve(pair);
        }
        let mut squares = 0.0;
        for (i, allowed) in allowed.iter().enumerate() {
            let mut add = |w: &mut Vec<f64>, Δ: f64| {
                w[i] += Δ;
                squares += (Δ / allowed).powi(2);
            };
            add(&mut self.w[0], self.state[i]);
            for (w, pair) in self.w[1..].chunks_exact_mut(2).zip(&self.pairs) {
                add(&mut w[0], pair[i].re);
                add(&mut w[1], pair[i].im);
            }
            for (z, row) in step.z.iter_mut().zip(T) {
                z[i] = product(row, &self.w, i);
            }
        }
        (squares / (STAGES * allowed.len()).max(1) as f64).sqrt()
    }
}

/// Σ rowⱼ xⱼ of component i.
fn product(row: [f64; STAGES], x: &[Vec<f64>; STAGES], i: usize) -> f64 {
    row.iter().zip(x).map(|(row, x)| row * x[i]).sum()
}

/// out = y + z
fn add(out: &mut [f64], y: &[f64], z: &[f64]) {
    for ((out, y), z) in out.iter_mut().zip(y).zip(z) {
        *out = y + z;
    }
}

/// The root mean square; zero of nothing.
fn mean(x: impl ExactSizeIterator<Item = f64>) -> f64 {
    let n = x.len().max(1) as f64;
    (x.map(|x| x * x).sum::<f64>() / n).sqrt()
}
