//! The local search: sequential quadratic programming with a quasi-Newton matrix in the box of the continuous axes.
//!
//! Each step minimises a quadratic model of the Lagrangian under the linearised constraints (Nocedal, Wright, Numerical Optimization, 2nd ed.,
//! ch. 18). An elastic variable ξ keeps these programs feasible, with the largest violation of a constraint as the penalty of the merit function;
//! the matrix is Powell's damped BFGS; a second-order correction prevents the Maratos effect. Derivatives are exact where
//! [`super::gradient`] has them and central differences elsewhere.
#![allow(non_snake_case, reason = "matrices have capitals, as on the page")]

use nalgebra::{DMatrix, DVector};

use super::crew::Tried;
use super::quadratic::{Row, quadratic};
use super::{Score, Search};

/// Steps at most: a quasi-Newton method on a smooth function takes some ten for each variable.
const STEPS: usize = 100;
/// The first step, as a share of the box.
const FIRST: f64 = 0.2;
/// A step shorter than this share of the box has arrived: a hundredth of the 1e-7 that an optimum is to have.
const ARRIVED: f64 = 1e-9;
/// A search that cannot descend further has settled if the step it wants is shorter than this: below it differences are round-off.
const SETTLED: f64 = 1e-6;
/// Armijo's share of the expected descent, and the halvings of a step.
const ARMIJO: f64 = 1e-4;
const HALVINGS: usize = 30;
/// Round-off of a merit function of size one.
const ROUND_OFF: f64 = 1e-13;
/// Constraints are kept by this share of their change over the box, so that round-off does not break them.
const MARGIN: f64 = 1e-11;
/// Growth of the penalty while constraints that could be kept are broken, and how often.
const GROWTH: f64 = 10.0;
const GROWN: usize = 8;

/// How a local search ended.
#[derive(Clone, Debug)]
pub(super) struct End {
    pub place: Vec<f64>,
    pub score: Score,
    /// Whether the conditions of first order hold there.
    pub settled: bool,
}

/// Slopes of goal and constraints by the free axes.
#[derive(Clone, Debug)]
pub(super) struct Slopes {
    /// Of the goal that is made small.
    pub goal: DVector<f64>,
    /// A row for each constraint.
    pub slacks: DMatrix<f64>,
}

/// What a unit of the goal and of each constraint is.
struct Units {
    goal: f64,
    slacks: DVector<f64>,
}

/// A place as the search sees it, in these units.
struct Point {
    place: Vec<f64>,
    tried: Tried,
    x: DVector<f64>,
    f: f64,
    c: DVector<f64>,
}

impl Point {
    fn violation(&self) -> f64 {
        self.c.iter().fold(0.0, |most, c| most.max(-c))
    }

    fn merit(&self, penalty: f64) -> f64 {
        self.f + penalty * self.violation()
    }
}

/// What a place gives.
#[allow(clippy::large_enum_variant, reason = "one at a time")]
enum There {
    Point(Point),
    /// No value.
    Nothing,
    /// No evaluation is left.
    Ended,
}

/// The step of a quadratic program, its elastic variable and the multipliers of the constraints.
struct Step {
    p: DVector<f64>,
    elastic: f64,
    multipliers: Vec<f64>,
}

/// The program of a step: matrix, slopes, and the constraints at x.
struct Program<'a> {
    B: &'a DMatrix<f64>,
    g: DVector<f64>,
    J: DMatrix<f64>,
    x: &'a DVector<f64>,
}

impl Program<'_> {
    /// min gᵀp + ½ pᵀBp + penalty · ξ with c + J p + ξ ≥ 0, ξ ≥ 0 and x + p in the box.
    fn step(&self, c: &DVector<f64>, penalty: f64) -> Option<Step> {
        let (n, m) = (self.x.len(), c.len());
        let elastic = usize::from(m > 0);
        let size = n + elastic;
        let mut B = DMatrix::zeros(size, size);
        B.view_mut((0, 0), (n, n)).copy_from(self.B);
        let mut g = DVector::zeros(size);
        g.rows_mut(0, n).copy_from(&self.g);
        if elastic > 0 {
            // A curvature that the program needs, and that is small beside the penalty.
            B[(n, n)] = 1e-6 * penalty;
            g[n] = penalty;
        }
        let unit =
            |k: usize, sign: f64| DVector::from_fn(size, |i, _| if i == k { sign } else { 0.0 });
        let mut rows: Vec<Row> = Vec::with_capacity(2 * n + m + elastic);
        for i in 0..m {
            let mut a = unit(n, 1.0);
            a.rows_mut(0, n).copy_from(&self.J.row(i).transpose());
            rows.push((a, -c[i]));
        }
        for k in 0..n {
            rows.push((unit(k, 1.0), -self.x[k]));
            rows.push((unit(k, -1.0), self.x[k] - 1.0));
        }
        if elastic > 0 {
            rows.push((unit(n, 1.0), 0.0));
        }
        let (p, mut multipliers) = quadratic(&B, &g, &rows)?;
        multipliers.truncate(m);
        let free = if elastic > 0 { p[n].max(0.0) } else { 0.0 };
        Some(Step { p: p.rows(0, n).into_owned(), elastic: free, multipliers })
    }

    /// The same with a penalty large enough that constraints are kept where the linearised ones can be.
    fn kept(&self, c: &DVector<f64>, penalty: &mut f64) -> Option<Step> {
        let violation = c.iter().fold(0.0, |most: f64, c| most.max(-c));
        let mut step = self.step(c, *penalty)?;
        for _ in 0..GROWN {
            if step.elastic <= ROUND_OFF.max(0.1 * violation) {
                break;
            }
            let more = self.step(c, *penalty * GROWTH)?;
            if more.elastic > 0.999 * step.elastic {
                break;
            }
            *penalty *= GROWTH;
            step = more;
        }
        let sum: f64 = step.multipliers.iter().sum();
        *penalty = penalty.max(2.0 * sum);
        Some(step)
    }
}

impl Search<'_, '_> {
    /// Descends from a place that has been evaluated.
    pub(super) fn descend(&mut self, start: &[f64], from: &Tried) -> End {
        let n = self.free.len();
        let mut end = End { place: start.to_vec(), score: self.score(from), settled: n == 0 };
        if n == 0 || from.lack.is_some() || !from.value.is_finite() {
            return end;
        }
        let Some(mut slopes) = self.slopes(start, from) else { return end };
        let span = slopes.slacks.row_iter().map(|row| row.amax());
        let span = span.map(|s| if s > 0.0 { s } else { 1.0 });
        let slacks = DVector::from_iterator(from.slacks.len(), span);
        let units = Units { goal: self.scale, slacks };
        let mut here = self.point(start.to_vec(), from.clone(), &units);
        let steepness = (slopes.goal.norm() / units.goal).max(f64::MIN_POSITIVE);
        let mut B = DMatrix::identity(n, n) * (steepness / FIRST);
        let (mut penalty, mut fresh, mut scaled) = (steepness.max(1.0), true, false);
        for _ in 0..STEPS {
            let J = DMatrix::from_fn(units.slacks.len(), n, |i, j| {
                slopes.slacks[(i, j)] / units.slacks[i]
            });
            let program = Program { B: &B, g: &slopes.goal / units.goal, J, x: &here.x };
            let Some(step) = program.kept(&here.c, &mut penalty) else { return end };
            let fall = (here.violation() - step.elastic).max(0.0);
            let slope = program.g.dot(&step.p) - penalty * fall;
            let kept = here.violation() <= MARGIN;
            if step.p.amax() <= ARRIVED {
                end.settled = kept;
                return end;
            }
            let Some(there) = self.walk(&program, &step, &here, (penalty, slope), &units) else {
                if step.p.amax() <= SETTLED || fresh || !self.crew.is_free() {
                    end.settled = kept && step.p.amax() <= SETTLED;
                    return end;
                }
                // The matrix may be of another place: begin again along the steepest descent.
                B = DMatrix::identity(n, n) * (program.g.norm().max(f64::MIN_POSITIVE) / FIRST);
                (fresh, scaled) = (true, false);
                continue;
            };
            end =
                End { place: there.place.clone(), score: self.score(&there.tried), settled: false };
            let Some(next) = self.slopes(&there.place, &there.tried) else { return end };
            let lagrangian = |s: &Slopes| {
                let mut out = &s.goal / units.goal;
                for (i, u) in step.multipliers.iter().enumerate() {
                    out -= s.slacks.row(i).transpose() * (*u / units.slacks[i]);
                }
                out
            };
            let (s, y) = (&there.x - &here.x, lagrangian(&next) - lagrangian(&slopes));
            if !scaled && s.dot(&y) > 0.0 {
                B = DMatrix::identity(n, n) * (y.norm_squared() / s.dot(&y));
            }
            damped(&mut B, &s, &y);
            (scaled, fresh) = (true, false);
            (here, slopes) = (there, next);
        }
        end
    }

    /// The first place along a step that lowers the merit function as much as it should.
    fn walk(
        &mut self,
        program: &Program<'_>,
        step: &Step,
        here: &Point,
        (penalty, slope): (f64, f64),
        units: &Units,
    ) -> Option<Point> {
        let merit = here.merit(penalty);
        let bar = |t: f64| merit + ARMIJO * t * slope + ROUND_OFF * (1.0 + merit.abs());
        let length = step.p.amax();
        let mut t = 1.0;
        for halving in 0..HALVINGS {
            let there = self.there(here, &(&here.x + t * &step.p), units);
            if matches!(there, There::Ended) {
                return None;
            }
            if let There::Point(there) = there {
                if there.merit(penalty) <= bar(t) {
                    return Some(there);
                }
                if halving == 0 && there.violation() > here.violation() {
                    // Second-order correction: the constraints as they are at the end of the step.
                    let bent = &there.c - &program.J * &step.p;
                    let again = program.step(&bent, penalty);
                    let target = again.map(|again| &here.x + &again.p);
                    if let Some(There::Point(there)) = target.map(|x| self.there(here, &x, units))
                        && there.merit(penalty) <= bar(1.0)
                    {
                        return Some(there);
                    }
                }
            }
            t *= 0.5;
            if t * length < ARRIVED {
                return None;
            }
        }
        None
    }

    /// Evaluates the place with these coordinates.
    fn there(&mut self, here: &Point, x: &DVector<f64>, units: &Units) -> There {
        let mut place = here.place.clone();
        for (k, x) in self.free.iter().zip(x.iter()) {
            place[*k] = x.clamp(0.0, 1.0);
        }
        let Some(tried) = self.ask(std::slice::from_ref(&place)).pop() else { return There::Ended };
        let sound = tried.lack.is_none() && tried.value.is_finite();
        if sound { There::Point(self.point(place, tried, units)) } else { There::Nothing }
    }

    fn point(&self, place: Vec<f64>, tried: Tried, units: &Units) -> Point {
        let x = DVector::from_iterator(self.free.len(), self.free.iter().map(|k| place[*k]));
        let f = self.signed(tried.value) / units.goal;
        let c = tried.slacks.iter().zip(units.slacks.iter()).map(|(c, s)| c / s - MARGIN);
        let c = DVector::from_iterator(tried.slacks.len(), c);
        Point { place, tried, x, f, c }
    }
}

/// The update of Broyden, Fletcher, Goldfarb and Shanno, damped as Powell has it so that the matrix stays positive definite.
fn damped(B: &mut DMatrix<f64>, s: &DVector<f64>, y: &DVector<f64>) {
    let Bs = &*B * s;
    let (sBs, sy) = (s.dot(&Bs), s.dot(y));
    if !(sBs > 0.0) {
        return;
    }
    let share = if sy >= 0.2 * sBs { 1.0 } else { 0.8 * sBs / (sBs - sy) };
    let r = share * y + (1.0 - share) * &Bs;
    let sr = s.dot(&r);
    if sr > 0.0 {
        *B += &r * r.transpose() / sr - &Bs * Bs.transpose() / sBs;
    }
}
