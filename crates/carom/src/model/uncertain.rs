//! Distributions of numbers that are not known exactly.

use std::fmt::Write as _;

use super::study::{Level, VariableUnit};
use crate::maths::digits::six;
use crate::maths::normal::{normal_below, normal_quantile};

/// How a number is distributed, in its variable's unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// Its shape before it is truncated.
    pub shape: DistributionShape,
    /// Where the file truncates it.
    pub stated: [Option<f64>; 2],
    /// Where the model refuses what lies beyond: it is truncated there, too.
    pub physical: [Option<f64>; 2],
}

/// The shapes of distributions.
#[derive(Clone, Debug, PartialEq)]
pub enum DistributionShape {
    /// exp(−(x − mean)²/(2 deviation²)).
    Normal {
        /// The mean.
        mean: f64,
        /// The standard deviation.
        deviation: f64,
    },
    /// Its logarithm is normal; mean and standard deviation are those of the number itself.
    Lognormal {
        /// The mean.
        mean: f64,
        /// The standard deviation.
        deviation: f64,
    },
    /// Equally probable between two ends.
    Uniform {
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
    },
    /// Most probable at one value, falling linearly to zero at both ends.
    Triangular {
        /// The lower end.
        low: f64,
        /// The most probable value.
        mode: f64,
        /// The upper end.
        high: f64,
    },
    /// Values, or words, each with a probability.
    Table {
        /// The values.
        levels: Vec<Level>,
        /// The probability of this value and those before it; the last one is 1.
        cumulative: Vec<f64>,
    },
}

/// The smallest probability that a sample distinguishes from zero, and one less the largest: half a step of 53 bits.
const LEAST: f64 = 0.5 / (1_u64 << 53) as f64;

impl DistributionShape {
    /// The words of the model file, in the order of the variants.
    pub const WORDS: [&str; 5] = ["normal", "lognormal", "uniform", "triangular", "table"];

    /// Mean and deviation of the logarithm of a lognormal number.
    fn logarithm(mean: f64, deviation: f64) -> [f64; 2] {
        let variance = (deviation / mean).powi(2).ln_1p();
        [mean.ln() - 0.5 * variance, variance.sqrt()]
    }

    /// The probability of a smaller number; of words none.
    pub fn below(&self, x: f64) -> f64 {
        match self {
            Self::Normal { mean, deviation } => normal_below((x - mean) / deviation),
            Self::Lognormal { .. } if x <= 0.0 => 0.0,
            Self::Lognormal { mean, deviation } => {
                let [m, s] = Self::logarithm(*mean, *deviation);
                normal_below((x.ln() - m) / s)
            }
            Self::Uniform { low, high } => ((x - low) / (high - low)).clamp(0.0, 1.0),
            Self::Triangular { low, mode, high } => match x {
                x if x <= *low => 0.0,
                x if x <= *mode => (x - low).powi(2) / ((high - low) * (mode - low)),
                x if x < *high => 1.0 - (high - x).powi(2) / ((high - low) * (high - mode)),
                _ => 1.0,
            },
            Self::Table { .. } => 0.0,
        }
    }

    /// The probability of a larger number, with all its digits where it is small.
    fn above(&self, x: f64) -> f64 {
        match self {
            Self::Normal { mean, deviation } => normal_below((mean - x) / deviation),
            Self::Lognormal { mean, deviation } if x > 0.0 => {
                let [m, s] = Self::logarithm(*mean, *deviation);
                normal_below((m - x.ln()) / s)
            }
            _ => 1.0 - self.below(x),
        }
    }

    /// The number below which others lie with probability p, where `q` is 1 − p with all its digits.
    fn number(&self, p: f64, q: f64) -> f64 {
        let standard = || if p < 0.5 { normal_quantile(p) } else { -normal_quantile(q) };
        match self {
            Self::Normal { mean, deviation } => mean + deviation * standard(),
            Self::Lognormal { mean, deviation } => {
                let [m, s] = Self::logarithm(*mean, *deviation);
                (m + s * standard()).exp()
            }
            Self::Uniform { low, high } => low + (high - low) * p,
            Self::Triangular { low, mode, high } => {
                let width = high - low;
                if p * width < mode - low {
                    low + (p * width * (mode - low)).sqrt()
                } else {
                    high - (q * width * (high - mode)).sqrt()
                }
            }
            Self::Table { .. } => f64::NAN,
        }
    }
}

impl Distribution {
    /// Without truncation.
    pub fn new(shape: DistributionShape) -> Self {
        Self { shape, stated: [None; 2], physical: [None; 2] }
    }

    /// Where it is truncated: at the nearer one of what the file states and what the model refuses.
    pub fn bounds(&self) -> [Option<f64>; 2] {
        let [a, b] = [self.stated, self.physical];
        let nearer = |k: usize, choose: fn(f64, f64) -> f64| match (a[k], b[k]) {
            (Some(x), Some(y)) => Some(choose(x, y)),
            (x, y) => x.or(y),
        };
        [nearer(0, f64::max), nearer(1, f64::min)]
    }

    /// The probability that remains between the bounds.
    pub fn kept(&self) -> f64 {
        let ([low, high], [above, below]) = (self.cut_off(), self.beyond());
        // The difference of the smaller numbers keeps its digits in either tail.
        if low > 0.5 { above - high } else { below - low }
    }

    /// The probabilities that are cut off at both bounds.
    pub fn cut_off(&self) -> [f64; 2] {
        let [low, high] = self.bounds();
        [low.map_or(0.0, |x| self.shape.below(x)), high.map_or(0.0, |x| self.shape.above(x))]
    }

    /// The probabilities above the lower bound and below the upper one.
    fn beyond(&self) -> [f64; 2] {
        let [low, high] = self.bounds();
        [low.map_or(1.0, |x| self.shape.above(x)), high.map_or(1.0, |x| self.shape.below(x))]
    }

    /// The position of a value in a table; NaN of others.
    pub fn place(&self, level: &Level) -> f64 {
        match &self.shape {
            DistributionShape::Table { levels, .. } => {
                levels.iter().position(|l| l == level).map_or(f64::NAN, |k| k as f64)
            }
            _ => f64::NAN,
        }
    }

    /// The value at a place of the unit interval: the inverse of its distribution function.
    pub fn level(&self, share: f64) -> Level {
        if let DistributionShape::Table { levels, cumulative } = &self.shape {
            let k = cumulative.partition_point(|p| *p <= share).min(levels.len() - 1);
            return levels[k].clone();
        }
        let (p, q) = (share.max(LEAST), (1.0 - share).max(LEAST));
        let [low, high] = self.bounds();
        // p' = F(low) + p (F(high) − F(low)), and 1 − p' from the other end, so that both keep their digits in their own tail.
        let ([cut_low, cut_high], [above, below]) = (self.cut_off(), self.beyond());
        let x = self.shape.number(cut_low * q + p * below, cut_high * p + q * above);
        Level::Number(x.clamp(low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY)))
    }

    /// In words: `normal, mean 1000, standard deviation 50 N/m, truncated below 0 N/m`.
    pub fn in_words(&self, unit: &VariableUnit) -> String {
        let with = |x: f64| {
            let gap = if unit.text.is_empty() { "" } else { " " };
            format!("{}{gap}{}", six(x), unit.text)
        };
        let mut out = match &self.shape {
            DistributionShape::Normal { mean, deviation } => {
                format!("normal, mean {}, standard deviation {}", with(*mean), with(*deviation))
            }
            DistributionShape::Lognormal { mean, deviation } => {
                format!("lognormal, mean {}, standard deviation {}", with(*mean), with(*deviation))
            }
            DistributionShape::Uniform { low, high } => {
                format!("uniform from {} to {}", with(*low), with(*high))
            }
            DistributionShape::Triangular { low, mode, high } => {
                let (low, mode, high) = (with(*low), with(*mode), with(*high));
                format!("triangular from {low} to {high}, most probable {mode}")
            }
            DistributionShape::Table { levels, cumulative } => {
                let before = std::iter::once(&0.0).chain(cumulative);
                let each =
                    levels.iter().zip(cumulative.iter().zip(before)).map(|(level, (b, a))| {
                        let level = match level {
                            Level::Number(x) => with(*x),
                            Level::Word(word) => word.clone(),
                        };
                        // Six digits: sums of weights have round-off.
                        format!("{level} ({})", (1e6 * (b - a)).round() / 1e6)
                    });
                format!("values with probabilities: {}", each.collect::<Vec<_>>().join(", "))
            }
        };
        for (bound, side) in self.bounds().into_iter().zip(["below", "above"]) {
            if let Some(x) = bound {
                // Writing to a String cannot fail.
                let _ = write!(out, ", truncated {side} {}", with(x));
            }
        }
        out
    }
}

#[cfg(test)]
#[path = "uncertain_tests.rs"]
mod tests;
