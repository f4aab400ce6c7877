//! What a law of the catalogue delivers.

use carom::contact::catalogue::{Delivered, LAWS};
use carom::contact::law::{Entry, Form, LawError, Parameter};

/// The restitutions that the catalogue shows.
pub(crate) const ASKED: [f64; 5] = [0.1, 0.3, 0.5, 0.7, 0.9];
/// Restitutions on the page of a law: one in so many.
const STEPS: u32 = 20;
/// The two rules of parting differ if the restitutions do by more than round-off of an integration.
const SAME: f64 = 1e-9;

/// What is asked of a law and what it delivers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    /// e asked for.
    pub asked: f64,
    /// What comes of it.
    pub delivered: Delivered,
}

/// A law and what it delivers; nothing if it takes no restitution.
#[derive(Debug)]
pub(crate) struct Summary {
    /// The law.
    pub entry: &'static Entry,
    /// One per restitution asked for.
    pub answers: Vec<Answer>,
}

impl Summary {
    /// Every law at the restitutions of the catalogue.
    pub(crate) fn all() -> Result<Vec<Self>, LawError> {
        LAWS.iter().map(|entry| Self::new(entry, ASKED.into_iter(), None)).collect()
    }

    fn new(
        entry: &'static Entry,
        asked: impl Iterator<Item = f64>,
        exponent: Option<f64>,
    ) -> Result<Self, LawError> {
        let Some(bounds) = entry.restitution else {
            return Ok(Self { entry, answers: Vec::new() });
        };
        let answers = asked
            .filter(|&e| bounds.contain(e))
            .filter_map(|e| Some((e, entry.delivered(e, exponent)?)))
            .map(|(asked, found)| found.map(|delivered| Answer { asked, delivered }))
            .collect::<Result<_, _>>()?;
        Ok(Self { entry, answers })
    }

    /// The answer at a restitution.
    pub(crate) fn at(&self, asked: f64) -> Option<&Delivered> {
        self.answers.iter().find(|a| a.asked == asked).map(|a| &a.delivered)
    }

    /// Whether it matters when the pair counts as parted.
    pub(crate) fn rules_differ(&self) -> bool {
        let differs = |d: &Delivered| (d.at_zero_force - d.at_zero_indentation).abs() > SAME;
        self.answers.iter().any(|a| differs(&a.delivered))
    }
}

/// Where the restitution of a law that takes none comes from.
pub(crate) fn instead_of_restitution(entry: &Entry) -> &'static str {
    match entry.form {
        Form::Elastic => "1: nothing is lost",
        Form::Viscous | Form::LinearDamping(_) => "by its c",
        Form::Hysteresis(_) | Form::Own(_) => "by the parameters",
    }
}

/// One law with everything there is to say.
#[derive(Debug)]
pub(crate) struct Page {
    /// The law and its answers.
    pub summary: Summary,
    /// n in force; none for a law without a power.
    pub exponent: Option<f64>,
}

impl Page {
    /// The law with an exponent of its range, or its own.
    pub(crate) fn new(entry: &'static Entry, exponent: Option<f64>) -> Result<Self, LawError> {
        if let Some(found) = exponent {
            let law = entry.name;
            let Some((bounds, _)) = entry.exponent else {
                let takes: Vec<&str> = entry.parameters.iter().map(|p| p.name()).collect();
                let (parameter, takes) = (Parameter::Exponent, takes.join(", "));
                return Err(LawError::Surplus { law, parameter, takes });
            };
            if !bounds.contain(found) {
                let (what, expected) = (Parameter::Exponent.name(), bounds.text);
                return Err(LawError::OutOfRange { law, what, found, expected });
            }
        }
        let asked = (1..=STEPS).map(|k| f64::from(k) / f64::from(STEPS));
        let summary = Summary::new(entry, asked, exponent)?;
        Ok(Self { summary, exponent: exponent.or(entry.exponent.map(|x| x.1)) })
    }

    /// 1/(n+1): the power of the stiffness with which the peak force grows; none where there is no stiffness.
    pub(crate) fn peak_power(&self) -> Option<f64> {
        self.exponent.map(|n| 1.0 / (n + 1.0))
    }
}
