//! How the values of a measure are spread, as `uncertainty` tells it.

use schemars::JsonSchema;
use serde::Serialize;

use super::MeasureName;
use crate::study::spread::{Estimate, Sections, Statistic};

/// A number that was estimated from a sample, with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct EstimateAnswer {
    /// The estimate; `null` where there is none.
    #[schemars(with = "Option<f64>")]
    pub value: f64,
    /// Its standard error.
    #[schemars(with = "Option<f64>")]
    pub error: f64,
    /// The lower end of the interval.
    #[schemars(with = "Option<f64>")]
    pub low: f64,
    /// The upper end of the interval.
    #[schemars(with = "Option<f64>")]
    pub high: f64,
}

impl From<Estimate> for EstimateAnswer {
    fn from(found: Estimate) -> Self {
        let [low, high] = found.interval();
        Self { value: found.value, error: found.error, low, high }
    }
}

/// How the values of a measure are spread.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SpreadAnswer {
    /// The contact law that was used, where several are compared.
    pub law: Option<String>,
    /// How many values it was estimated from.
    pub points: usize,
    /// The mean.
    pub mean: EstimateAnswer,
    /// The standard deviation.
    pub deviation: EstimateAnswer,
    /// Five percent of the values are smaller.
    pub p5: EstimateAnswer,
    /// Half of the values are smaller.
    pub median: EstimateAnswer,
    /// 95 % of the values are smaller.
    pub p95: EstimateAnswer,
}

/// How much an uncertain number matters.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct InfluenceAnswer {
    /// Its name.
    pub input: String,
    /// The share of the variance that it causes alone: Sobol's index of first order.
    pub share: EstimateAnswer,
    /// The share that it causes alone and together with others; of a sample by `saltelli`.
    pub total: Option<EstimateAnswer>,
    /// Spearman's rank correlation: its sign tells the direction.
    pub spearman: Option<f64>,
}

/// What is known of a measure.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MeasureSpread {
    /// Its name and unit.
    pub measure: MeasureName,
    /// At the values of the file, without uncertainty; `null` where it has none.
    pub given: Option<f64>,
    /// The smallest and the largest value of the sample.
    #[schemars(with = "[Option<f64>; 2]")]
    pub range: [f64; 2],
    /// How it is spread; with the file's law where several are compared.
    pub spread: SpreadAnswer,
    /// The uncertain numbers, the one that matters most first.
    pub influences: Vec<InfluenceAnswer>,
    /// The same estimates from the first points of the sample, more and more of them.
    pub convergence: Vec<SpreadAnswer>,
    /// The same with each contact law, where several are compared.
    pub laws: Vec<SpreadAnswer>,
    /// The share of the variance over all laws that the choice of the law causes.
    pub law_share: Option<EstimateAnswer>,
}

/// The spread of a sample.
pub(super) fn spread(values: &Sections, law: Option<String>) -> SpreadAnswer {
    let estimate = |statistic: Statistic| values.estimate(&|x| statistic.of(x)).into();
    SpreadAnswer {
        law,
        points: values.all().len(),
        mean: estimate(Statistic::Mean),
        deviation: estimate(Statistic::Deviation),
        p5: estimate(Statistic::Quantile(0.05)),
        median: estimate(Statistic::Quantile(0.5)),
        p95: estimate(Statistic::Quantile(0.95)),
    }
}

/// The variance of the means of the laws divided by the variance of all values; every law is equally probable.
pub(super) fn law_share(laws: &[Sections]) -> Estimate {
    let of = |values: &[Vec<f64>]| {
        let moments: Vec<(f64, f64)> = values
            .iter()
            .map(|x| {
                let mean = Statistic::Mean.of(x);
                (mean, x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / x.len() as f64)
            })
            .collect();
        let n = moments.len() as f64;
        let centre = moments.iter().map(|m| m.0).sum::<f64>() / n;
        let between = moments.iter().map(|m| (m.0 - centre).powi(2)).sum::<f64>() / n;
        let within = moments.iter().map(|m| m.1).sum::<f64>() / n;
        between / (between + within)
    };
    let sections = laws.iter().map(|l| l.0.len()).min().unwrap_or(0);
    let each: Vec<f64> = (0..sections)
        .map(|s| of(&laws.iter().map(|l| l.0[s].clone()).collect::<Vec<_>>()))
        .filter(|x| x.is_finite())
        .collect();
    Estimate::new(of(&laws.iter().map(Sections::all).collect::<Vec<_>>()), &each)
}
