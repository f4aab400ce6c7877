//! What a sample says of a measure: moments, quantiles, the shares of its inputs, each with a confidence interval.
//!
//! The sample consists of independent samples of the same kind and size (sections). An estimate is made from all points; its standard error
//! is the scatter of the estimates from the sections about it, divided by the square root of their number, and its interval is Student's
//! (sectioning: Asmussen, Glynn, Stochastic Simulation, 2007, III.5a; Nakayama, ACM Trans. Model. Comput. Simul. 24 (2014) 19 for
//! quantiles). That holds for points that are drawn one by one and for points that fill space evenly, which no formula for the former does.

use crate::maths::normal::student_half_width;

/// The probability that an interval holds the truth.
pub const CONFIDENCE: f64 = 0.95;

/// A number that is estimated from a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// From all points.
    pub value: f64,
    /// Its standard error; NaN where there is no more than one section.
    pub error: f64,
    /// The half-width of its interval.
    pub half_width: f64,
}

impl Estimate {
    /// Both ends of the interval.
    pub fn interval(&self) -> [f64; 2] {
        [self.value - self.half_width, self.value + self.half_width]
    }

    /// Of all points and of each section.
    pub fn new(value: f64, sections: &[f64]) -> Self {
        let n = sections.len() as f64;
        if sections.len() < 2 {
            return Self { value, error: f64::NAN, half_width: f64::NAN };
        }
        let scatter = sections.iter().map(|x| (x - value).powi(2)).sum::<f64>() / (n - 1.0);
        let error = (scatter / n).sqrt();
        let half_width = error * student_half_width(CONFIDENCE, sections.len() - 1);
        Self { value, error, half_width }
    }
}

/// A sample by its sections; a point that lacks the value is missing.
#[derive(Clone, Debug)]
pub struct Sections(pub Vec<Vec<f64>>);

impl Sections {
    /// Values and their sections.
    pub fn new(count: u64, values: impl Iterator<Item = (u64, f64)>) -> Self {
        let mut out = vec![Vec::new(); usize::try_from(count).unwrap_or(1)];
        for (section, x) in values {
            if let Some(list) = usize::try_from(section).ok().and_then(|k| out.get_mut(k))
                && !x.is_nan()
            {
                list.push(x);
            }
        }
        Self(out)
    }

    /// All values, in the order of the sections.
    pub fn all(&self) -> Vec<f64> {
        self.0.concat()
    }

    /// An estimate by a function of values.
    pub fn estimate(&self, of: &dyn Fn(&[f64]) -> f64) -> Estimate {
        let each: Vec<f64> = self.0.iter().filter(|s| s.len() > 1).map(|s| of(s)).collect();
        Estimate::new(of(&self.all()), &each)
    }

    /// The first values of each section.
    pub fn first(&self, count: usize) -> Self {
        Self(self.0.iter().map(|s| s[..count.min(s.len())].to_vec()).collect())
    }

    /// The least number of values that a section has.
    pub fn size(&self) -> usize {
        self.0.iter().map(Vec::len).min().unwrap_or(0)
    }
}

/// What is asked of a sample; also what a search may make small.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Statistic {
    /// The arithmetic mean.
    Mean,
    /// The standard deviation, with n − 1.
    Deviation,
    /// The value below which this share of the sample lies.
    Quantile(f64),
}

impl Statistic {
    /// `mean`, `std`, or `p` and a percentage, such as `p95`.
    pub fn named(word: &str) -> Option<Self> {
        match word {
            "mean" => Some(Self::Mean),
            "std" => Some(Self::Deviation),
            _ => {
                let digits = word
                    .strip_prefix('p')
                    .filter(|d| d.starts_with(|c: char| c.is_ascii_digit()))?;
                let percent: f64 = digits.parse().ok()?;
                (percent > 0.0 && percent < 100.0).then_some(Self::Quantile(percent / 100.0))
            }
        }
    }

    /// Of some values.
    pub fn of(self, values: &[f64]) -> f64 {
        match self {
            Self::Mean => mean(values),
            Self::Deviation => deviation(values),
            Self::Quantile(p) => quantile(values, p),
        }
    }
}

/// The arithmetic mean.
pub fn mean(x: &[f64]) -> f64 {
    x.iter().sum::<f64>() / x.len() as f64
}

/// The standard deviation, with n − 1.
pub fn deviation(x: &[f64]) -> f64 {
    let m = mean(x);
    (x.iter().map(|x| (x - m).powi(2)).sum::<f64>() / (x.len() as f64 - 1.0)).sqrt()
}

/// The value below which a share p of the values lies, linear between order statistics (definition 7 of Hyndman, Fan, Am. Stat. 50 (1996)
/// 361-365, which NumPy and R use).
pub fn quantile(x: &[f64], p: f64) -> f64 {
    let mut sorted = x.to_vec();
    sorted.sort_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let place = p * last as f64;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 ≤ p ≤ 1")]
    let below = (place as usize).min(last);
    let (a, b) = (sorted[below], sorted[(below + 1).min(last)]);
    if a == b { a } else { a + (b - a) * (place - below as f64) }
}

/// The share of the variance of y that the mean of y over x explains, whatever the other inputs are: the first-order index of Sobol, from
/// pairs in any order.
///
/// x is divided into slices of equal numbers of points, or by its values where these are few. ω² = (SS_between − (b − 1) MS_within) /
/// (SS_total + MS_within) is without the part that slices explain by chance (Hays, Statistics, 1963). NaN where no slice has two points.
pub fn share(pairs: &[(f64, f64)], slices: usize) -> f64 {
    let mut sorted = pairs.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let values = 1 + sorted.windows(2).filter(|w| w[0].0 < w[1].0).count();
    let parts: Vec<&[(f64, f64)]> = if values <= slices {
        sorted.chunk_by(|a, b| a.0 == b.0).collect()
    } else {
        sorted.chunks(sorted.len().div_ceil(slices)).collect()
    };
    let of = |part: &[(f64, f64)]| part.iter().map(|p| p.1).sum::<f64>() / part.len() as f64;
    let centre = of(&sorted);
    let between: f64 = parts.iter().map(|p| p.len() as f64 * (of(p) - centre).powi(2)).sum();
    let total: f64 = sorted.iter().map(|p| (p.1 - centre).powi(2)).sum();
    let (n, b) = (sorted.len() as f64, parts.len() as f64);
    if !(total > 0.0) {
        return f64::NAN;
    }
    if parts.len() < 2 {
        return 0.0;
    }
    // One point in each slice: nothing is left within them to compare with.
    if n <= b {
        return f64::NAN;
    }
    let within = (total - between) / (n - b);
    (between - (b - 1.0) * within) / (total + within)
}

#[cfg(test)]
#[path = "spread_tests.rs"]
mod tests;
