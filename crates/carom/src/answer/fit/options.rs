//! What is asked of a fit.

use crate::answer::AnswerError;
use crate::answer::laws::quantity::quantity;
use crate::maths::units::Dimension;

/// What is asked of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct FitOptions {
    /// The contact; the only one of the machine if it is missing.
    pub contact: Option<String>,
    /// The laws; all of the catalogue if it is empty.
    pub laws: Vec<String>,
    /// Parameters that are given: their words of the model file and values in SI units.
    pub given: Vec<(String, f64)>,
    /// Whether e depends on the approach speed: e = 1 − L (v/v_ref)^β, v_ref the geometric mean of the speeds.
    pub over_speed: bool,
    /// Whether outliers count linearly (Huber).
    pub robust: bool,
    /// Confidence of the intervals.
    pub level: f64,
    /// The approach speed, where neither the data nor the machine state it: "0.3 m/s".
    pub speed: Option<String>,
    /// When the impact of a signal begins, "2 ms"; fitted if it is missing.
    pub onset: Option<String>,
    /// The time between the samples of a signal without a column of time: "0.1 ms".
    pub interval: Option<String>,
    /// Whether a sample is the mean force since the sample before, not that of the instant.
    pub averaged: bool,
    /// Threads; their number changes no digit.
    pub threads: usize,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self {
            contact: None,
            laws: Vec::new(),
            given: Vec::new(),
            over_speed: false,
            robust: false,
            level: 0.95,
            speed: None,
            onset: None,
            interval: None,
            averaged: false,
            threads: 1,
        }
    }
}

/// The options with their quantities in SI units.
#[derive(Debug)]
pub(super) struct Asked<'a> {
    pub options: &'a FitOptions,
    pub speed: Option<f64>,
    pub onset: Option<f64>,
    pub interval: Option<f64>,
}

impl<'a> Asked<'a> {
    /// Reads the quantities.
    pub(super) fn new(options: &'a FitOptions) -> Result<Self, AnswerError> {
        let read = |name: &str, text: &Option<String>, dimension: Dimension| {
            let found = text.as_ref().map(|text| quantity(name, text, dimension));
            found.transpose().map_err(|message| AnswerError::asked("fit", message))
        };
        let positive = |name: &str, x: Option<f64>| match x {
            Some(x) if !(x > 0.0) => {
                Err(AnswerError::asked(name, format!("{x}; expected a positive number")))
            }
            x => Ok(x),
        };
        Ok(Self {
            options,
            speed: positive("speed", read("speed", &options.speed, Dimension::VELOCITY)?)?,
            onset: read("onset", &options.onset, Dimension::TIME)?,
            interval: positive("interval", read("interval", &options.interval, Dimension::TIME)?)?,
        })
    }
}
