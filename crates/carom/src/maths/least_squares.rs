//! Nonlinear least squares within bounds, and the profile of the sum of squares along one parameter.
//!
//! [`minimise`] is Levenberg's and Marquardt's method on the normal equations JᵀJ, with Marquardt's scaling by the diagonal, Nielsen's
//! rule for the damping (Madsen, Nielsen, Tingleff 2004, alg. 3.16) and bounds kept by projection: a parameter that stands at a bound
//! and is pushed out of it is held. [`interval`] holds one parameter and minimises over the others: the values at which the sum of
//! squares has risen by a threshold are the ends of its profile likelihood interval.

use nalgebra::{DMatrix, DVector};

/// Steps of one minimisation.
const MOST_STEPS: usize = 100;
/// The first damping, relative to the diagonal of JᵀJ (a start that is near).
const FIRST_DAMPING: f64 = 1e-3;
/// A damping beyond this allows no step that changes anything.
const LARGEST_DAMPING: f64 = 1e18;
/// A step smaller than this \[relative to 1 + |x|, the parameters being scaled\] ends the search.
const STEP: f64 = 1e-12;
/// A predicted decrease below this part of the sum of squares can hardly be told from round-off of its terms: the step is taken, and is
/// the last one. It leaves about 1e-7 standard errors times the rate of convergence.
const DECREASE: f64 = 1e-13;
/// Diagonal entries below this part of the largest are treated as this part: a parameter without any effect is not moved.
const FLAT: f64 = 1e-30;
/// Columns of the scaled JᵀJ that depend on the columns before them to this part span no direction of their own.
const DEPENDENT: f64 = 1e-9;
/// A parameter with a smaller component of a direction than this does not take part in it.
const PART: f64 = 1e-3;
/// Evaluations along one side of a profile.
const MOST_PLACES: usize = 40;
/// How closely the rise is met \[relative, of its square root\].
const RISE: f64 = 1e-8;
/// How narrowly an end is enclosed \[relative to its distance\].
const ENCLOSED: f64 = 1e-10;
/// Damping of the step that predicts the other parameters along a profile: directions that the data do not see stay.
const PREDICTOR: f64 = 1e-6;
/// A step along a profile that promises less than this part of the threshold is the last one.
const ENOUGH: f64 = 1e-9;
/// The sum of squares lies this much below its minimum \[relative to the threshold\] where the minimum was none.
const BELOW: f64 = 1e-6;

/// A sum of squares, half its gradient and half its second derivatives without curvature terms, at one place.
#[derive(Clone, Debug)]
pub struct Normal {
    /// Σ r².
    pub cost: f64,
    /// Jᵀ r.
    pub gradient: Vec<f64>,
    /// Jᵀ J.
    pub square: DMatrix<f64>,
}

impl Normal {
    /// Of nothing yet.
    pub fn new(size: usize) -> Self {
        Self { cost: 0.0, gradient: vec![0.0; size], square: DMatrix::zeros(size, size) }
    }

    /// Adds a residual of this weight and its derivatives.
    pub fn add(&mut self, weight: f64, residual: f64, slopes: &[f64]) {
        for (i, a) in slopes.iter().enumerate() {
            let scaled = weight * a;
            if scaled == 0.0 {
                continue;
            }
            self.gradient[i] += scaled * residual;
            for (j, b) in slopes[..=i].iter().enumerate() {
                self.square[(i, j)] += scaled * b;
            }
        }
    }

    /// Copies the lower half of JᵀJ into the upper one.
    pub fn complete(&mut self) {
        self.square.fill_upper_triangle_with_lower_triangle();
    }

    fn is_finite(&self) -> bool {
        self.cost.is_finite()
            && self.gradient.iter().all(|x| x.is_finite())
            && self.square.iter().all(|x| x.is_finite())
    }

    /// JᵀJ with a unit diagonal over some parameters.
    fn correlation(&self, free: &[usize]) -> DMatrix<f64> {
        let size = |i: usize| self.square[(i, i)].sqrt();
        DMatrix::from_fn(free.len(), free.len(), |a, b| {
            let (i, j) = (free[a], free[b]);
            let scale = size(i) * size(j);
            if scale > 0.0 { self.square[(i, j)] / scale } else { f64::from(u8::from(a == b)) }
        })
    }

    /// How many directions of some parameters the data see.
    pub fn rank(&self, free: &[usize]) -> usize {
        let seen: Vec<usize> =
            free.iter().copied().filter(|&i| self.square[(i, i)] > 0.0).collect();
        let values = self.correlation(&seen).symmetric_eigenvalues();
        values.iter().filter(|x| **x > DEPENDENT).count()
    }

    /// The parameters among these that the data do not see by themselves: those without effect, and those that take part in a direction
    /// along which the residuals do not change.
    pub fn unseen(&self, free: &[usize]) -> Vec<usize> {
        let (seen, mut out): (Vec<usize>, Vec<usize>) =
            free.iter().partition(|&&i| self.square[(i, i)] > 0.0);
        let eigen = self.correlation(&seen).symmetric_eigen();
        for (at, k) in seen.iter().enumerate() {
            let takes_part = |j: usize| {
                eigen.eigenvalues[j] <= DEPENDENT && eigen.eigenvectors[(at, j)].abs() > PART
            };
            if (0..seen.len()).any(takes_part) {
                out.push(*k);
            }
        }
        out
    }

    /// The standard error of a parameter with the others free, for residuals of unit variance; none where it is not defined.
    pub fn standard_error(&self, k: usize, free: &[usize]) -> Option<f64> {
        let at = free.iter().position(|i| *i == k)?;
        let size = self.square[(k, k)].sqrt();
        let inverse = self.correlation(free).cholesky()?.inverse();
        let found = inverse[(at, at)].sqrt() / size;
        (found.is_finite() && found > 0.0).then_some(found)
    }
}

/// What is minimised: the parameters give the normal equations, or nothing where the model has no value.
pub type Squares<'a> = dyn FnMut(&[f64]) -> Option<Normal> + 'a;

/// The least and greatest value of every parameter; equal ones hold it.
pub type Bounds = [(f64, f64)];

/// A minimum.
#[derive(Clone, Debug)]
pub struct Minimum {
    /// The parameters.
    pub x: Vec<f64>,
    /// The sum of squares there, with its derivatives.
    pub normal: Normal,
}

/// The minimum that Levenberg's and Marquardt's method reaches from a start; none if the start has no value.
pub fn minimise(squares: &mut Squares<'_>, start: &[f64], bounds: &Bounds) -> Option<Minimum> {
    minimise_to(squares, start, bounds, 0.0)
}

/// The same, until a step promises less than `enough`.
fn minimise_to(
    squares: &mut Squares<'_>,
    start: &[f64],
    bounds: &Bounds,
    enough: f64,
) -> Option<Minimum> {
    let inside = |x: f64, k: usize| x.clamp(bounds[k].0, bounds[k].1);
    let mut x: Vec<f64> = start.iter().enumerate().map(|(k, x)| inside(*x, k)).collect();
    let mut here = squares(&x).filter(Normal::is_finite)?;
    let (mut damping, mut growth) = (FIRST_DAMPING, 2.0);
    for _ in 0..MOST_STEPS {
        let mut free: Vec<usize> = (0..x.len())
            .filter(|&k| {
                let (low, high) = bounds[k];
                let out = here.gradient[k];
                low < high && !(x[k] <= low && out >= 0.0) && !(x[k] >= high && out <= 0.0)
            })
            .collect();
        if free.is_empty() || damping > LARGEST_DAMPING {
            break;
        }
        // A parameter that stands at a bound and that the step would take beyond it is held; then the step is cut where it meets a bound,
        // so that what the others compensate stays compensated.
        let step = loop {
            let Some(step) = damped_step(&here, &free, damping) else { break None };
            let out = |(k, d): (&usize, &f64)| {
                (x[*k] <= bounds[*k].0 && *d < 0.0) || (x[*k] >= bounds[*k].1 && *d > 0.0)
            };
            let held: Vec<usize> =
                free.iter().zip(step.iter()).filter(|p| out(*p)).map(|p| *p.0).collect();
            if held.is_empty() {
                break Some(step);
            }
            free.retain(|k| !held.contains(k));
            if free.is_empty() {
                break None;
            }
        };
        let Some(step) = step else {
            damping *= 10.0;
            continue;
        };
        let room = |(k, d): (&usize, &f64)| {
            let bound = if *d < 0.0 { bounds[*k].0 } else { bounds[*k].1 };
            if *d == 0.0 { 1.0 } else { ((bound - x[*k]) / d).max(0.0) }
        };
        let length = free.iter().zip(step.iter()).map(room).fold(1.0, f64::min);
        let mut next = x.clone();
        for (k, d) in free.iter().zip(step.iter()) {
            let to = x[*k] + length * d;
            // The bound itself, not what round-off leaves of it.
            let (low, high) = bounds[*k];
            let near =
                |bound: f64| bound.is_finite() && (to - bound).abs() <= STEP * (1.0 + bound.abs());
            next[*k] = if near(low) {
                low
            } else if near(high) {
                high
            } else {
                inside(to, *k)
            };
        }
        let moved = |k: usize| next[k] - x[k];
        let linear: f64 = free.iter().map(|&k| moved(k) * here.gradient[k]).sum();
        let square: f64 = free
            .iter()
            .flat_map(|&i| free.iter().map(move |&j| (i, j)))
            .map(|(i, j)| moved(i) * here.square[(i, j)] * moved(j))
            .sum();
        let predicted = -(2.0 * linear + square);
        let small = free.iter().all(|&k| moved(k).abs() <= STEP * (1.0 + x[k].abs()));
        if small {
            break;
        }
        let there = squares(&next).filter(Normal::is_finite);
        if predicted.abs() <= (DECREASE * here.cost).max(enough) {
            if let Some(there) = there {
                (x, here) = (next, there);
            }
            break;
        }
        let Some(there) = there.filter(|n| n.cost < here.cost) else {
            damping *= growth;
            growth *= 2.0;
            continue;
        };
        let gain = (here.cost - there.cost) / predicted;
        damping *= (1.0 - (2.0 * gain - 1.0).powi(3)).clamp(1.0 / 10.0, 2.0);
        growth = 2.0;
        (x, here) = (next, there);
    }
    Some(Minimum { x, normal: here })
}

/// −(JᵀJ + λ diag JᵀJ)⁻¹ Jᵀr over the free parameters.
fn damped_step(here: &Normal, free: &[usize], damping: f64) -> Option<DVector<f64>> {
    let largest = free.iter().map(|&k| here.square[(k, k)]).fold(0.0, f64::max);
    let size: Vec<f64> =
        free.iter().map(|&k| here.square[(k, k)].max(FLAT * largest).sqrt()).collect();
    if !(largest > 0.0) {
        return None;
    }
    let scaled = DMatrix::from_fn(free.len(), free.len(), |a, b| {
        let entry = here.square[(free[a], free[b])] / (size[a] * size[b]);
        if a == b { entry + damping } else { entry }
    });
    let right = DVector::from_iterator(
        free.len(),
        free.iter().zip(&size).map(|(&k, s)| -here.gradient[k] / s),
    );
    let mut step = scaled.cholesky()?.solve(&right);
    step.iter_mut().zip(&size).for_each(|(d, s)| *d /= s);
    step.iter().all(|d| d.is_finite()).then_some(step)
}

/// One end of an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    /// The sum of squares has risen by the threshold here.
    Found(f64),
    /// It has not where the parameter's bound is reached.
    Bound(f64),
    /// It does not within the reach of the search: the data do not limit the parameter on this side.
    Open,
}

/// Both ends of a profile likelihood interval, or a better minimum that was met on the way.
#[derive(Clone, Debug)]
pub enum Interval {
    /// The lower and the upper end.
    Ends([End; 2]),
    /// A place whose sum of squares is lower than that of the minimum.
    Better(Vec<f64>),
}

/// The interval of a parameter within which the least sum of squares over the others stays below its minimum plus `threshold`.
///
/// `reach` is how far from the minimum the ends are searched.
pub fn interval(
    squares: &mut Squares<'_>,
    minimum: &Minimum,
    k: usize,
    bounds: &Bounds,
    threshold: f64,
    reach: f64,
) -> Interval {
    let mut ends = [End::Open; 2];
    for (end, side) in ends.iter_mut().zip([-1.0, 1.0]) {
        match walk(squares, minimum, (k, side), bounds, threshold, reach) {
            Ok(found) => *end = found,
            Err(better) => return Interval::Better(better),
        }
    }
    Interval::Ends(ends)
}

/// One side: outwards until the threshold is enclosed, then by false position on the root of the rise, which is nearly straight.
fn walk(
    squares: &mut Squares<'_>,
    minimum: &Minimum,
    (k, side): (usize, f64),
    bounds: &Bounds,
    threshold: f64,
    reach: f64,
) -> Result<End, Vec<f64>> {
    let wanted = threshold.sqrt();
    let (center, bound) = (minimum.x[k], if side < 0.0 { bounds[k].0 } else { bounds[k].1 });
    let most = (side * (bound - center)).max(0.0);
    let limit = most.min(reach);
    let ended = || if most <= reach { End::Bound(bound) } else { End::Open };
    let free: Vec<usize> = (0..bounds.len()).filter(|&i| bounds[i].0 < bounds[i].1).collect();
    let error = minimum.normal.standard_error(k, &free);
    let mut far = error.map_or(0.1 * limit, |error| error * wanted).min(limit);
    let mut held = bounds.to_vec();
    let mut last = minimum.clone();
    let (mut low, mut high) = ((0.0, -wanted), None::<(f64, f64)>);
    let mut same_side = 0;
    for _ in 0..MOST_PLACES {
        if limit <= 0.0 {
            return Ok(ended());
        }
        let at = center + side * far;
        held[k] = (at, at);
        // From the minimum found last, the others moved as its second derivatives say.
        let mut start = last.x.clone();
        let others: Vec<usize> = free.iter().copied().filter(|i| *i != k).collect();
        let mut pulled = last.normal.clone();
        for i in 0..pulled.gradient.len() {
            pulled.gradient[i] = pulled.square[(i, k)] * (at - last.x[k]);
        }
        if let Some(step) = damped_step(&pulled, &others, PREDICTOR) {
            others.iter().zip(step.iter()).for_each(|(i, d)| start[*i] += d);
        }
        start[k] = at;
        let rise = match minimise_to(squares, &start, &held, ENOUGH * threshold) {
            Some(found) => {
                let rise = found.normal.cost - minimum.normal.cost;
                if rise < -BELOW * threshold {
                    return Err(found.x);
                }
                last = found;
                rise.max(0.0).sqrt() - wanted
            }
            None => wanted,
        };
        if rise.abs() <= RISE * wanted {
            return Ok(End::Found(at));
        }
        if rise < 0.0 {
            if far >= limit {
                return Ok(ended());
            }
            same_side = if same_side < 0 { same_side - 1 } else { -1 };
            low = (far, rise);
        } else {
            same_side = if same_side > 0 { same_side + 1 } else { 1 };
            high = Some((far, rise));
        }
        far = match high {
            None => {
                let slope = (rise + wanted) / far;
                let guess = if slope > 0.0 { wanted / slope } else { f64::INFINITY };
                (1.02 * guess).clamp(1.3 * far, 4.0 * far).min(limit)
            }
            Some(high) => {
                if (high.0 - low.0).abs() <= ENCLOSED * high.0 {
                    return Ok(End::Found(at));
                }
                // The Illinois rule: an end that stays is given half its value.
                let half = |stays: bool| if stays { 0.5 } else { 1.0 };
                let (a, b) = (low.1 * half(same_side >= 2), high.1 * half(same_side <= -2));
                let next = (low.0 * b - high.0 * a) / (b - a);
                if next > low.0 && next < high.0 { next } else { 0.5 * (low.0 + high.0) }
            }
        };
    }
    // An end that is enclosed but not met to the last digits, where the sum of squares is rough.
    Ok(high.map_or(End::Open, |high| End::Found(center + side * 0.5 * (low.0 + high.0))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What convergence of the second order leaves in numbers of size 1.
    const CONVERGED: f64 = 1e-8;

    /// y = a e^{b t} at given places.
    fn growth(data: &[(f64, f64)]) -> impl FnMut(&[f64]) -> Option<Normal> + '_ {
        move |x| {
            let mut out = Normal::new(2);
            for (t, y) in data {
                let e = (x[1] * t).exp();
                let r = x[0] * e - y;
                out.cost += r * r;
                out.add(1.0, r, &[e, x[0] * t * e]);
            }
            out.complete();
            Some(out)
        }
    }

    #[test]
    fn the_gradient_vanishes_at_the_minimum_and_an_exact_model_is_recovered() {
        let data: Vec<_> =
            (0..9).map(|k| f64::from(k) * 0.25).map(|t| (t, 2.0 * (0.7 * t).exp())).collect();
        let free = [(f64::NEG_INFINITY, f64::INFINITY); 2];
        let found = minimise(&mut growth(&data), &[1.0, 0.0], &free).unwrap();
        assert!((found.x[0] - 2.0).abs() < CONVERGED && (found.x[1] - 0.7).abs() < CONVERGED);
        let noisy: Vec<_> =
            data.iter().enumerate().map(|(k, (t, y))| (*t, y + [0.3, -0.2, 0.1][k % 3])).collect();
        let found = minimise(&mut growth(&noisy), &[1.0, 0.0], &free).unwrap();
        assert!(
            found.normal.gradient.iter().all(|g| g.abs() < 1e-6),
            "{:?}",
            found.normal.gradient
        );
        assert!(found.normal.cost > 0.1);
    }

    #[test]
    fn a_parameter_at_its_bound_is_held_there() {
        let data: Vec<_> =
            (0..9).map(|k| f64::from(k) * 0.25).map(|t| (t, 2.0 * (0.7 * t).exp())).collect();
        let found = minimise(&mut growth(&data), &[1.0, 0.0], &[(0.0, 9.0), (0.0, 0.5)]).unwrap();
        assert_eq!(found.x[1], 0.5);
        // The other one solves its own linear problem.
        let (a, b) = data.iter().fold((0.0, 0.0), |(a, b), (t, y)| {
            let e = (0.5 * t).exp();
            (a + e * y, b + e * e)
        });
        assert!((found.x[0] - a / b).abs() < CONVERGED);
    }

    #[test]
    fn the_interval_of_a_straight_line_is_the_closed_form() {
        // y = a + b t with unit variance: the rise along b is (b − b̂)² Σ(t − t̄)².
        let data = [(0.0, 0.1), (1.0, 1.3), (2.0, 1.8), (4.0, 4.4)];
        let mut line = |x: &[f64]| {
            let mut out = Normal::new(2);
            for (t, y) in data {
                let r = x[0] + x[1] * t - y;
                out.cost += r * r;
                out.add(1.0, r, &[1.0, t]);
            }
            out.complete();
            Some(out)
        };
        let free = [(f64::NEG_INFINITY, f64::INFINITY); 2];
        let best = minimise(&mut line, &[0.0, 0.0], &free).unwrap();
        let mean = 7.0 / 4.0;
        let spread: f64 = data.iter().map(|(t, _)| (t - mean) * (t - mean)).sum();
        let Interval::Ends([End::Found(low), End::Found(high)]) =
            interval(&mut line, &best, 1, &free, 3.84, 1e3)
        else {
            panic!("both ends exist")
        };
        let half = (3.84_f64 / spread).sqrt();
        assert!((best.x[1] - low - half).abs() < 1e-7 && (high - best.x[1] - half).abs() < 1e-7);
        assert_eq!(best.normal.rank(&[0, 1]), 2);
    }

    #[test]
    fn what_the_data_do_not_see_has_an_open_interval() {
        // Only the product a b is seen.
        let mut product = |x: &[f64]| {
            let mut out = Normal::new(2);
            let r = (x[0] + x[1]).exp() - 3.0;
            let e = r + 3.0;
            out.cost = r * r;
            out.add(1.0, r, &[e, e]);
            out.complete();
            Some(out)
        };
        let free = [(f64::NEG_INFINITY, f64::INFINITY); 2];
        let best = minimise(&mut product, &[0.0, 0.0], &free).unwrap();
        assert_eq!(best.normal.rank(&[0, 1]), 1);
        assert_eq!(best.normal.unseen(&[0, 1]), [0, 1]);
        let found = interval(&mut product, &best, 0, &free, 1.0, 20.0);
        assert!(matches!(found, Interval::Ends([End::Open, End::Open])), "{found:?}");
    }
}
