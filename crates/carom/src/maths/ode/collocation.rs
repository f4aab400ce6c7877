//! One implicit step: a polynomial of degree 5 that has the slope of the system at five times.

use super::radau_tableau::{C, LAST, STAGES};
use super::stride::evaluate;
use super::{OdeError, System};

/// A step from (t_old, y_old) to (t, y) and its stages y_old + zᵢ.
#[derive(Clone, Debug)]
pub(super) struct Collocation {
    pub t_old: f64,
    pub h: f64,
    pub t: f64,
    pub y_old: Vec<f64>,
    pub y: Vec<f64>,
    /// The slope at the beginning.
    pub y_dot_old: Vec<f64>,
    /// The slope at the end, if it has been evaluated.
    pub y_dot: Vec<f64>,
    pub end_known: bool,
    pub z: [Vec<f64>; STAGES],
}

impl Collocation {
    pub fn new(n: usize) -> Self {
        let zeros = || vec![0.0; n];
        Self {
            t_old: 0.0,
            h: 0.0,
            t: 0.0,
            y_old: zeros(),
            y: zeros(),
            y_dot_old: zeros(),
            y_dot: zeros(),
            end_known: false,
            z: std::array::from_fn(|_| zeros()),
        }
    }

    /// Begins where the other begins.
    pub fn begin_with(&mut self, other: &Self) {
        self.t_old = other.t_old;
        self.y_old.copy_from_slice(&other.y_old);
        self.y_dot_old.copy_from_slice(&other.y_dot_old);
    }

    /// Begins where the other ends, whose slope there is known.
    pub fn begin_after(&mut self, other: &Self) {
        self.t_old = other.t;
        self.y_old.copy_from_slice(&other.y);
        self.y_dot_old.copy_from_slice(&other.y_dot);
    }

    /// Becomes the other, its unknown slope at the end apart.
    pub fn repeat(&mut self, other: &Self) {
        self.begin_with(other);
        (self.h, self.t, self.end_known) = (other.h, other.t, false);
        self.y.copy_from_slice(&other.y);
        for (z, other) in self.z.iter_mut().zip(&other.z) {
            z.copy_from_slice(other);
        }
    }

    /// Evaluates the slope at the end, once.
    pub fn complete<S: System>(&mut self, system: &mut S) -> Result<(), OdeError<S::Error>> {
        if !self.end_known {
            evaluate(system, self.t, &self.y, &mut self.y_dot)?;
            self.end_known = true;
        }
        Ok(())
    }

    /// Guesses the stages on the polynomial of another step, of which this one begins at the place
    /// `from`: 0 with it or 1 after it, where the polynomial is continued. Without another step, no
    /// stage differs from the beginning.
    pub fn guess(&mut self, other: Option<&Self>, from: f64) {
        for (z, c) in self.z.iter_mut().zip(C) {
            let Some(other) = other else {
                z.fill(0.0);
                continue;
            };
            let weights = lagrange(from + c * self.h / other.h);
            for (i, z) in z.iter_mut().enumerate() {
                *z = other.rise(weights, i) - from * other.z[LAST][i];
            }
        }
    }

    /// Guesses the stages along the slope at the beginning.
    pub fn guess_straight(&mut self) {
        for (z, c) in self.z.iter_mut().zip(C) {
            for (z, slope) in z.iter_mut().zip(&self.y_dot_old) {
                *z = c * self.h * slope;
            }
        }
    }

    /// The state on the polynomial, at 0 the beginning of the step and at 1 its end.
    pub fn between(&self, θ: f64, out: &mut [f64]) {
        let weights = lagrange(θ);
        for (i, (out, y)) in out.iter_mut().zip(&self.y_old).enumerate() {
            *out = y + self.rise(weights, i);
        }
    }

    fn rise(&self, weights: [f64; STAGES], i: usize) -> f64 {
        weights.iter().zip(&self.z).map(|(w, z)| w * z[i]).sum()
    }
}

/// The weights of the stages in the polynomial through 0 at 0 and zᵢ at cᵢ.
fn lagrange(θ: f64) -> [f64; STAGES] {
    std::array::from_fn(|i| {
        let others = (0..STAGES).filter(|j| *j != i);
        others.fold(θ / C[i], |weight, j| weight * ((θ - C[j]) / (C[i] - C[j])))
    })
}
