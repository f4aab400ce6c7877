//! Runs under several laws beside each other.

use schemars::JsonSchema;
use serde::Serialize;

use super::{RunImpact, RunResult};

/// How far the laws are apart in one number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Spread {
    /// Largest less smallest, in the unit of the number.
    pub spread: f64,
    /// Divided by their mean.
    pub relative: f64,
}

/// One impact under all laws.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Comparison {
    /// The number of the impact, from 1.
    pub impact: usize,
    /// The laws under which there is an impact of this number.
    pub laws: Vec<String>,
    /// Of the onsets \[s\].
    pub onset: Option<Spread>,
    /// Of the peak forces \[N\].
    pub peak_force: Option<Spread>,
    /// Of the durations \[s\].
    pub duration: Option<Spread>,
    /// Of the separation speeds \[m/s\].
    pub separation_speed: Option<Spread>,
}

/// Impact by impact; nothing for one run.
pub(super) fn of(runs: &[RunResult]) -> Vec<Comparison> {
    if runs.len() < 2 {
        return Vec::new();
    }
    let most = runs.iter().map(|r| r.impacts.len()).max().unwrap_or(0);
    let row = |k: usize| {
        let there = || runs.iter().filter_map(move |r| Some((r, r.impacts.get(k)?)));
        let over = |of: &dyn Fn(&RunImpact) -> Option<f64>| {
            spread(&there().filter_map(|(_, i)| of(i)).collect::<Vec<_>>())
        };
        Comparison {
            impact: k + 1,
            laws: there().map(|(r, _)| r.law.clone().unwrap_or_default()).collect(),
            onset: over(&|i| Some(i.onset)),
            peak_force: over(&|i| i.peak_force),
            duration: over(&|i| i.duration),
            separation_speed: over(&|i| i.separation_speed),
        }
    };
    (0..most).map(row).collect()
}

/// Of two numbers or more.
fn spread(x: &[f64]) -> Option<Spread> {
    if x.len() < 2 {
        return None;
    }
    let low = x.iter().copied().fold(f64::INFINITY, f64::min);
    let spread = x.iter().copied().fold(f64::NEG_INFINITY, f64::max) - low;
    let mean = x.iter().sum::<f64>() / x.len() as f64;
    let relative = if spread == 0.0 { 0.0 } else { spread / mean.abs() };
    Some(Spread { spread, relative })
}
