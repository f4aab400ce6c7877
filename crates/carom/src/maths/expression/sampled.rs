//! Functions given by a table: lines between its rows, or a cubic spline with continuous second derivatives.
//!
//! On the interval of x_i and x_{i+1}, with h its length, A = (x_{i+1} − x)/h and B = 1 − A,
//!
//! y = A y_i + B y_{i+1} + ((A³ − A) M_i + (B³ − B) M_{i+1}) h²/6
//!
//! M are second derivatives at the rows: zero for lines; of the spline they solve
//!
//! h_{i−1} M_{i−1} + 2 (h_{i−1} + h_i) M_i + h_i M_{i+1} = 6 ((y_{i+1} − y_i)/h_i − (y_i − y_{i−1})/h_{i−1})
//!
//! with the third derivative continuous at the second row and the last but one ("not a knot"; de Boor, *A Practical Guide to Splines*,
//! chapter IV), or with the period closed.

use super::{Jet, Samples};

/// How far beyond its ends a table is still known, as part of its length: round-off of the argument.
const ROUND_OFF: f64 = 1e-9;
/// First and last value of a period are one, up to this part of the largest.
const CLOSED: f64 = 1e-9;

/// What goes on between rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Between {
    /// Straight lines.
    Linear,
    /// A cubic spline.
    Cubic,
}

/// What goes on beyond the ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// Nothing: the table has no value there.
    Refused,
    /// The value of the end.
    Clamped,
    /// The same again: from the first row to the last is a period.
    Periodic,
}

/// A function given by a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampled {
    x: Vec<f64>,
    y: Vec<f64>,
    /// Second derivatives at the rows.
    curvature: Vec<f64>,
    between: Between,
    ends: Ends,
}

impl Sampled {
    /// Of a table; the message says why not.
    pub fn new(samples: &Samples, between: Between, ends: Ends) -> Result<Self, String> {
        let Samples { x, y, .. } = samples;
        let (mut y, n) = (y.clone(), x.len());
        if ends == Ends::Periodic {
            let largest = y.iter().fold(0.0_f64, |all, y| all.max(y.abs()));
            if (y[n - 1] - y[0]).abs() > CLOSED * largest {
                let [first, last] = [y[0], y[n - 1]];
                return Err(format!(
                    "a periodic table ends with its first value; found {last} and {first} in SI units"
                ));
            }
            y[n - 1] = y[0];
        }
        let curvature = match (between, ends) {
            (Between::Linear, _) => vec![0.0; n],
            (Between::Cubic, Ends::Periodic) if n < 4 => {
                return Err("a periodic spline needs at least four rows".to_owned());
            }
            (Between::Cubic, Ends::Periodic) => closed(x, &y),
            (Between::Cubic, _) => open(x, &y),
        };
        Ok(Self { x: x.clone(), y, curvature, between, ends })
    }

    /// Whether it has corners: at the rows between lines, and where it is held at its ends.
    pub fn bends(&self) -> bool {
        self.between == Between::Linear && (self.x.len() > 2 || self.ends == Ends::Periodic)
            || self.ends == Ends::Clamped
    }

    fn first(&self) -> f64 {
        self.x[0]
    }

    fn last(&self) -> f64 {
        self.x[self.x.len() - 1]
    }

    /// The argument within the table, and how many periods were taken off.
    fn folded(&self, x: f64) -> (f64, f64) {
        if self.ends != Ends::Periodic {
            return (x, 0.0);
        }
        let period = self.last() - self.first();
        let turns = ((x - self.first()) / period).floor();
        ((x - turns * period).clamp(self.first(), self.last()), turns)
    }

    /// The interval of an argument; that to the right at a row.
    fn interval(&self, x: f64) -> usize {
        self.x.partition_point(|row| *row <= x).clamp(1, self.x.len() - 1) - 1
    }

    /// Value, slope and second derivative; NaN where it is not known.
    pub fn at(&self, x: f64) -> [f64; 3] {
        let (x, _) = self.folded(x);
        let slack = ROUND_OFF * (self.last() - self.first());
        let end = if x < self.first() {
            Some((self.first() - x, self.y[0]))
        } else if x > self.last() {
            Some((x - self.last(), self.y[self.y.len() - 1]))
        } else {
            None
        };
        match (end, self.ends) {
            (Some((_, value)), Ends::Clamped) => return [value, 0.0, 0.0],
            (Some((beyond, _)), _) if beyond > slack => return [f64::NAN; 3],
            _ if x.is_nan() => return [f64::NAN; 3],
            _ => {}
        }
        let i = self.interval(x);
        let h = self.x[i + 1] - self.x[i];
        let (A, B) = ((self.x[i + 1] - x) / h, (x - self.x[i]) / h);
        let ([y, Y], [m, M]) =
            ([self.y[i], self.y[i + 1]], [self.curvature[i], self.curvature[i + 1]]);
        [
            A * y + B * Y + ((A * A * A - A) * m + (B * B * B - B) * M) * h * h / 6.0,
            (Y - y) / h + ((3.0 * B * B - 1.0) * M - (3.0 * A * A - 1.0) * m) * h / 6.0,
            A * m + B * M,
        ]
    }

    /// A function with zeros of alternating sign at the corners, with slope and second derivative: 4 (x − x_i)(x_{i+1} − x)/h²
    /// between rows.
    pub fn corners(&self, x: f64) -> [f64; 3] {
        let (folded, turns) = self.folded(x);
        // Of a spline only the ends are corners.
        let (first, last) = (self.first(), self.last());
        let line = self.between == Between::Linear;
        let sign = |number: f64| if number.rem_euclid(2.0) == 0.0 { 1.0 } else { -1.0 };
        let parts = if line { (self.x.len() - 1) as f64 } else { 1.0 };
        if self.ends == Ends::Clamped && !(first..=last).contains(&folded) {
            let length = last - first;
            return if folded < first {
                [(folded - first) / length, 1.0 / length, 0.0]
            } else {
                [sign(parts) * (folded - last) / length, sign(parts) / length, 0.0]
            };
        }
        let (from, to, number) = if line {
            let i = self.interval(folded);
            (self.x[i], self.x[i + 1], i as f64 + parts * turns)
        } else {
            (first, last, parts * turns)
        };
        // A table that ends bends at its inner rows alone.
        let h = to - from;
        if self.ends == Ends::Refused && from <= first {
            return [(to - folded) / h, -1.0 / h, 0.0];
        }
        if self.ends == Ends::Refused && to >= last {
            return [sign(number) * (folded - from) / h, sign(number) / h, 0.0];
        }
        let scale = sign(number) * 4.0 / ((to - from) * (to - from));
        [scale * (folded - from) * (to - folded), scale * (from + to - 2.0 * folded), -2.0 * scale]
    }
}

/// f(x(t)) from f, f′ and f″.
pub(super) fn along([value, slope, bend]: [f64; 3], x: Jet) -> Jet {
    if x.rate == 0.0 && x.second == 0.0 {
        return Jet { value, rate: 0.0, second: 0.0 };
    }
    Jet { value, rate: slope * x.rate, second: bend * x.rate * x.rate + slope * x.second }
}

/// Lengths of the intervals and slopes of the lines.
fn lines(x: &[f64], y: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let h: Vec<f64> = x.windows(2).map(|w| w[1] - w[0]).collect();
    let d = y.windows(2).zip(&h).map(|(w, h)| (w[1] - w[0]) / h).collect();
    (h, d)
}

/// A tridiagonal system whose diagonal is the largest of each row, by elimination without exchange.
fn tridiagonal(low: &[f64], middle: &[f64], high: &[f64], right: &[f64]) -> Vec<f64> {
    let n = middle.len();
    let (mut diagonal, mut out) = (middle.to_vec(), right.to_vec());
    for i in 1..n {
        let factor = low[i] / diagonal[i - 1];
        diagonal[i] -= factor * high[i - 1];
        out[i] -= factor * out[i - 1];
    }
    out[n - 1] /= diagonal[n - 1];
    for i in (0..n - 1).rev() {
        out[i] = (out[i] - high[i] * out[i + 1]) / diagonal[i];
    }
    out
}

/// M of a spline whose ends are "not a knot"; of three rows a parabola, of two a line.
fn open(x: &[f64], y: &[f64]) -> Vec<f64> {
    let (h, d) = lines(x, y);
    let n = x.len();
    match n {
        2 => return vec![0.0; 2],
        3 => return vec![2.0 * (d[1] - d[0]) / (h[0] + h[1]); 3],
        _ => {}
    }
    // Unknowns are those of the inner rows; M_0 = (1 + r) M_1 − r M_2 with r = h_0/h_1, and so at the other end.
    let inner = 1..n - 1;
    let mut low: Vec<f64> = inner.clone().map(|i| h[i - 1]).collect();
    let mut middle: Vec<f64> = inner.clone().map(|i| 2.0 * (h[i - 1] + h[i])).collect();
    let mut high: Vec<f64> = inner.clone().map(|i| h[i]).collect();
    let right: Vec<f64> = inner.map(|i| 6.0 * (d[i] - d[i - 1])).collect();
    let k = n - 3;
    let [r, s] = [h[0] / h[1], h[n - 2] / h[n - 3]];
    middle[0] += h[0] * (1.0 + r);
    high[0] -= h[0] * r;
    middle[k] += h[n - 2] * (1.0 + s);
    low[k] -= h[n - 2] * s;
    let M = tridiagonal(&low, &middle, &high, &right);
    let first = (1.0 + r) * M[0] - r * M[1];
    let last = (1.0 + s) * M[k] - s * M[k - 1];
    [&[first], M.as_slice(), &[last]].concat()
}

/// M of a closed spline: a cyclic system, as a tridiagonal one and a correction of rank one (Sherman and Morrison).
fn closed(x: &[f64], y: &[f64]) -> Vec<f64> {
    let (h, d) = lines(x, y);
    let n = h.len();
    let before = |i: usize| (i + n - 1) % n;
    let low: Vec<f64> = (0..n).map(|i| h[before(i)]).collect();
    let mut middle: Vec<f64> = (0..n).map(|i| 2.0 * (h[before(i)] + h[i])).collect();
    let right: Vec<f64> = (0..n).map(|i| 6.0 * (d[i] - d[before(i)])).collect();
    // Both corners of the cyclic matrix are h_{n−1}.
    let corner = h[n - 1];
    let gamma = -middle[0];
    middle[0] -= gamma;
    middle[n - 1] -= corner * corner / gamma;
    let mut column = vec![0.0; n];
    (column[0], column[n - 1]) = (gamma, corner);
    let z = tridiagonal(&low, &middle, &h, &right);
    let q = tridiagonal(&low, &middle, &h, &column);
    let of = |v: &[f64]| v[0] + corner / gamma * v[n - 1];
    let factor = of(&z) / (1.0 + of(&q));
    let mut M: Vec<f64> = z.iter().zip(&q).map(|(z, q)| z - factor * q).collect();
    M.push(M[0]);
    M
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::units::Measure;

    fn samples(x: &[f64], y: &[f64]) -> Samples {
        Samples { x: x.to_vec(), y: y.to_vec(), measures: [Measure::Number; 2] }
    }

    #[test]
    fn a_spline_gives_a_cubic_back() {
        let x = [-1.0, -0.4, 0.3, 0.5, 1.7, 2.0];
        let f = |x: f64| 1.0 + 2.0 * x - 3.0 * x * x + 0.7 * x * x * x;
        let y = x.map(f);
        let spline = Sampled::new(&samples(&x, &y), Between::Cubic, Ends::Refused).unwrap();
        for k in 0..=60 {
            let x = -1.0 + 0.05 * f64::from(k);
            let found = spline.at(x);
            let expected = [f(x), 2.0 - 6.0 * x + 2.1 * x * x, -6.0 + 4.2 * x];
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-12, "{x}: {found} {expected}");
            }
        }
        assert!(spline.at(2.1)[0].is_nan() && spline.at(-1.1)[0].is_nan());
        assert!(!spline.bends());
    }

    #[test]
    fn a_closed_spline_has_the_order_of_a_sine_and_no_seam() {
        let error = |n: u32| {
            let x: Vec<f64> =
                (0..=n).map(|k| std::f64::consts::TAU * f64::from(k) / f64::from(n)).collect();
            let y: Vec<f64> = x.iter().map(|x| x.sin()).collect();
            let spline = Sampled::new(&samples(&x, &y), Between::Cubic, Ends::Periodic).unwrap();
            for (end, other) in spline.at(-1e-13).iter().zip(spline.at(1e-13)) {
                assert!((end - other).abs() < 1e-11);
            }
            // Far away it is the same, h⁴ from the sine.
            let h = std::f64::consts::TAU / f64::from(n);
            assert!((spline.at(100.0)[0] - 100.0_f64.sin()).abs() < h.powi(4));
            (0..1000)
                .map(|k| 0.01 * f64::from(k))
                .map(|x| (spline.at(x)[0] - x.sin()).abs())
                .fold(0.0, f64::max)
        };
        let order = (error(20) / error(40)).log2();
        assert!((order - 4.0).abs() < 0.2, "{order}");
    }

    const OPEN: [f64; 3] =
        [2.320_680_080_787_68, -0.522_988_790_709_416_4, 2.211_716_317_428_260_6];
    const CLOSED_SPLINE: [f64; 3] =
        [1.623_063_602_790_316, -0.331_768_157_570_783_6, 0.589_626_647_061_505_5];

    #[test]
    fn scipy_has_the_same_spline() {
        // scipy.interpolate.CubicSpline([0, 1, 2.5, 3, 4.2], [0, 2, -1, 0.5, 1])(0.7, 1.9, 3.5), and with bc_type="periodic" of
        // [0, 2, -1, 0.5, 0].
        let x = [0.0, 1.0, 2.5, 3.0, 4.2];
        for (y, ends, expected) in [
            ([0.0, 2.0, -1.0, 0.5, 1.0], Ends::Refused, OPEN),
            ([0.0, 2.0, -1.0, 0.5, 0.0], Ends::Periodic, CLOSED_SPLINE),
        ] {
            let spline = Sampled::new(&samples(&x, &y), Between::Cubic, ends).unwrap();
            for (x, expected) in [0.7, 1.9, 3.5].into_iter().zip(expected) {
                let found = spline.at(x)[0];
                assert!((found - expected).abs() < 1e-13, "{x}: {found} {expected}");
            }
        }
    }

    #[test]
    fn corners_are_zeros_of_alternating_sign() {
        let table = samples(&[0.0, 1.0, 3.0, 4.0], &[0.0, 1.0, 0.0, 0.0]);
        let zigzag = Sampled::new(&table, Between::Linear, Ends::Periodic).unwrap();
        assert!(zigzag.bends());
        let zeros = [0.0, 1.0, 3.0, 4.0, 5.0, 7.0, 8.0, 9.0];
        for (k, zero) in zeros.into_iter().enumerate() {
            let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
            let [before, after] = [zero - 1e-6, zero + 1e-6].map(|x| zigzag.corners(x)[0]);
            assert!(sign * before < 0.0 && sign * after > 0.0, "{zero}: {before} {after}");
        }
        let held = Sampled::new(&table, Between::Cubic, Ends::Clamped).unwrap();
        assert!(held.bends() && held.at(-3.0) == [0.0; 3] && held.at(9.0)[0] == 0.0);
        assert!(held.corners(-0.1)[0] < 0.0 && held.corners(2.0)[0] > 0.0);
        assert!(held.corners(4.1)[0] < 0.0);
        assert!(
            Sampled::new(&samples(&[0.0, 1.0], &[0.0, 1.0]), Between::Linear, Ends::Periodic)
                .is_err()
        );
    }
}
