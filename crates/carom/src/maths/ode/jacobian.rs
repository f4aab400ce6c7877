//! The Jacobian ∂f/∂y: the system's own, or differences of f.

use super::{System, Tolerance};

/// √ε: where truncation and rounding of a difference are alike.
const PART: f64 = 1.5e-8;
/// ε^(3/4): a smaller part of y would leave less than four digits of a difference.
const LEAST_PART: f64 = 1.8e-12;

/// A smaller part of y would not move it.
const LAST_DIGITS: f64 = 8.0 * f64::EPSILON;

/// A system that an implicit method can take steps with.
///
/// Every closure that is a [`System`] is one, and `impl StiffSystem for Mine {}` makes one of any
/// other: its Jacobian is then taken by differences.
pub trait StiffSystem: System {
    /// Writes ∂f/∂y at (t, y) by rows into `J`: ∂fᵢ/∂yⱼ stands at i n + j. It holds zeros before.
    ///
    /// It need not be exact: it decides how fast the steps converge, not what they converge to. The
    /// default takes one evaluation of f per component.
    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        J: &mut [f64],
        differences: &mut Differences<'_>,
    ) -> Result<(), Self::Error> {
        differences.fill(self, t, y, J)
    }
}

impl<F: FnMut(f64, &[f64], &mut [f64])> StiffSystem for F {}

/// One-sided differences of f, for a Jacobian that nobody wrote down.
///
/// Each component is moved the way it is going, so that a contact that is about to close is felt. It
/// is moved by √ε of its size, but no further than the tolerance, below which nothing counts, and no
/// less than the absolute tolerance, which is the scale of a component that happens to be zero.
#[derive(Debug)]
pub struct Differences<'a> {
    /// f at the place of the Jacobian.
    pub(super) y_dot: &'a [f64],
    /// The sign of h.
    pub(super) direction: f64,
    pub(super) tolerance: Tolerance<'a>,
    /// A state and a slope.
    pub(super) scratch: [&'a mut [f64]; 2],
}

impl Differences<'_> {
    /// Writes ∂f/∂y at (t, y) by rows into `J`; (t, y) is where the Jacobian was asked for.
    ///
    /// A column that is finite on neither side is left as it is found there.
    pub fn fill<S: System + ?Sized>(
        &mut self,
        system: &mut S,
        t: f64,
        y: &[f64],
        J: &mut [f64],
    ) -> Result<(), S::Error> {
        self.fill_within(system, t, y, J, &|_| f64::INFINITY)
    }

    /// The same, with components moved no further than is told of each; columns of those that are not moved at all stay as they are.
    pub fn fill_within<S: System + ?Sized>(
        &mut self,
        system: &mut S,
        t: f64,
        y: &[f64],
        J: &mut [f64],
        room: &dyn Fn(usize) -> f64,
    ) -> Result<(), S::Error> {
        let n = y.len();
        let increment = |y: f64, j: usize| {
            let (y, least) = (y.abs(), self.tolerance.absolute[j]);
            let most = least + self.tolerance.relative * y;
            (PART * y).clamp(least, most).max(LEAST_PART * y).min(room(j)).max(LAST_DIGITS * y)
        };
        let [moved, y_dot] = &mut self.scratch;
        moved.copy_from_slice(y);
        for j in (0..n).filter(|j| room(*j) > 0.0) {
            let ahead = increment(y[j], j).copysign(self.y_dot[j] * self.direction);
            for δ in [ahead, -ahead] {
                moved[j] = y[j] + δ;
                system.rate(t, moved, y_dot)?;
                // What was really added, after rounding.
                let δ = moved[j] - y[j];
                for i in 0..n {
                    J[i * n + j] = (y_dot[i] - self.y_dot[i]) / δ;
                }
                if (0..n).all(|i| J[i * n + j].is_finite()) {
                    break;
                }
            }
            moved[j] = y[j];
        }
        Ok(())
    }
}
