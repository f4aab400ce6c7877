//! A claim of a paper: where it stands, what it says, and what the engine says.

use super::lab::{Answer, Lab};
use carom::maths::digits::six;
use schemars::JsonSchema;
use serde::Serialize;

/// Formulas of a paper and the engine agree if they differ by no more than this part: both are exact, round-off apart.
const EXACT: f64 = 1e-9;

/// Asks the engine for a number.
pub type Number = Box<dyn Fn(&Lab) -> Answer<f64>>;
/// Asks the engine whether a statement holds, and for what it rests on.
pub type Evidence = Box<dyn Fn(&Lab) -> Answer<(bool, String)>>;

/// What a paper says, and how the engine is asked for the same.
pub enum Kind {
    /// A number as printed, and the step of its last digit.
    Printed {
        /// As printed.
        text: &'static str,
        /// One unit of its last digit.
        step: f64,
        /// What carom computes.
        ours: Number,
    },
    /// A formula, evaluated as printed; or one that only follows from what is printed.
    Formula {
        /// By the paper's formula.
        theirs: Number,
        /// What carom computes.
        ours: Number,
        /// Whether the formula itself is printed.
        printed: bool,
    },
    /// A statement in words.
    Words {
        /// What carom computes.
        ours: Evidence,
    },
    /// A number that the paper asks for and does not print.
    Unstated {
        /// What carom computes.
        ours: Number,
    },
}

/// A claim.
pub struct Claim {
    /// Equation, table, figure or section.
    pub place: String,
    /// What it is about.
    pub what: String,
    /// The unit of its numbers.
    pub unit: &'static str,
    /// What is said.
    pub kind: Kind,
    /// Why ours is expected to differ; none for what should agree.
    pub reason: Option<&'static str>,
    /// What else is to be known.
    pub note: Option<&'static str>,
}

/// What a claim is, for counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Sort {
    /// A number that the paper prints.
    Number,
    /// A formula that the paper prints, evaluated.
    Formula,
    /// A statement in words.
    Statement,
    /// A quantity that the paper needs or asks for and does not print.
    Unprinted,
}

impl Sort {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Formula => "formula",
            Self::Statement => "statement",
            Self::Unprinted => "unprinted",
        }
    }
}

/// What came out of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The same to the last printed digit.
    Agrees,
    /// Not the same, and the reason is known.
    Differs,
    /// The paper has no number here.
    NotStated,
    /// Not the same, and it should be.
    Broken,
}

impl Verdict {
    /// All, in the order of the summary.
    pub const ALL: [Self; 4] = [Self::Agrees, Self::Differs, Self::NotStated, Self::Broken];

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Agrees => "agrees as printed",
            Self::Differs => "differs",
            Self::NotStated => "not stated in the paper",
            Self::Broken => "SHOULD AGREE",
        }
    }
}

/// A claim beside what the engine says.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Finding {
    /// Equation, table, figure or section.
    pub place: String,
    /// What it is about.
    pub what: String,
    /// The unit of the numbers.
    pub unit: &'static str,
    /// As the paper has it.
    pub published: String,
    /// Ours.
    pub ours: String,
    /// Ours less theirs.
    pub difference: String,
    /// What the claim is: a printed number, a printed formula, a statement, or nothing that is printed.
    pub sort: Sort,
    /// What came out.
    pub verdict: Verdict,
    /// The reason of a difference, or a note.
    pub remark: Option<&'static str>,
}

impl Claim {
    fn new(place: &str, what: &str, unit: &'static str, kind: Kind) -> Self {
        let (place, what) = (place.to_owned(), what.to_owned());
        Self { place, what, unit, kind, reason: None, note: None }
    }

    /// A printed number.
    pub fn printed(
        place: &str,
        what: &str,
        (text, unit): (&'static str, &'static str),
        ours: impl Fn(&Lab) -> Answer<f64> + 'static,
    ) -> Self {
        let kind = Kind::Printed { text, step: step(text), ours: Box::new(ours) };
        Self::new(place, what, unit, kind)
    }

    /// A printed formula.
    pub fn formula(
        place: &str,
        what: &str,
        unit: &'static str,
        theirs: impl Fn(&Lab) -> Answer<f64> + 'static,
        ours: impl Fn(&Lab) -> Answer<f64> + 'static,
    ) -> Self {
        let kind = Kind::Formula { theirs: Box::new(theirs), ours: Box::new(ours), printed: true };
        Self::new(place, what, unit, kind)
    }

    /// The same, of a formula that follows from the paper and does not stand in it: ours has to agree, and the paper
    /// gets no credit for it.
    pub fn not_printed(mut self) -> Self {
        if let Kind::Formula { printed, .. } = &mut self.kind {
            *printed = false;
        }
        self
    }

    /// A statement in words.
    pub fn words(
        place: &str,
        what: &str,
        ours: impl Fn(&Lab) -> Answer<(bool, String)> + 'static,
    ) -> Self {
        Self::new(place, what, "", Kind::Words { ours: Box::new(ours) })
    }

    /// A number that is not printed.
    pub fn unstated(
        place: &str,
        what: &str,
        unit: &'static str,
        ours: impl Fn(&Lab) -> Answer<f64> + 'static,
    ) -> Self {
        Self::new(place, what, unit, Kind::Unstated { ours: Box::new(ours) })
    }

    /// The same, printed in a column whose numbers have this step.
    pub fn in_steps_of(mut self, wider: f64) -> Self {
        if let Kind::Printed { step, .. } = &mut self.kind {
            *step = wider;
        }
        self
    }

    /// The same, which ours is expected to differ from.
    pub fn differs(self, reason: &'static str) -> Self {
        Self { reason: Some(reason), ..self }
    }

    /// The same with a note.
    pub fn note(self, note: &'static str) -> Self {
        Self { note: Some(note), ..self }
    }

    /// Asks the engine.
    pub fn compare(&self, lab: &Lab) -> Answer<Finding> {
        let (published, ours, difference, same) = match &self.kind {
            Kind::Printed { text, step, ours } => {
                let x = ours(lab)?;
                let same = agrees(text, *step, x);
                ((*text).to_owned(), six(x), difference(x, value(text)), Some(same))
            }
            Kind::Formula { theirs, ours, printed } => {
                let (a, x) = (theirs(lab)?, ours(lab)?);
                let same = x == a || (x - a).abs() <= EXACT * a.abs().max(x.abs());
                match (printed, same) {
                    (false, true) => (String::new(), six(x), String::new(), None),
                    _ => (six(a), six(x), difference(x, a), Some(same)),
                }
            }
            Kind::Words { ours } => {
                let (holds, text) = ours(lab)?;
                ("stated".to_owned(), text, String::new(), Some(holds))
            }
            Kind::Unstated { ours } => (String::new(), six(ours(lab)?), String::new(), None),
        };
        let verdict = match (same, self.reason) {
            (None, _) => Verdict::NotStated,
            (Some(true), _) => Verdict::Agrees,
            (Some(false), Some(_)) => Verdict::Differs,
            (Some(false), None) => Verdict::Broken,
        };
        let sort = match self.kind {
            Kind::Printed { .. } => Sort::Number,
            Kind::Formula { printed: true, .. } => Sort::Formula,
            Kind::Words { .. } => Sort::Statement,
            Kind::Formula { printed: false, .. } | Kind::Unstated { .. } => Sort::Unprinted,
        };
        let reason = self.reason.filter(|_| verdict == Verdict::Differs);
        Ok(Finding {
            place: self.place.clone(),
            what: self.what.clone(),
            unit: self.unit,
            published,
            ours,
            difference,
            sort,
            verdict,
            remark: reason.or(self.note),
        })
    }
}

/// A printed number.
fn value(text: &str) -> f64 {
    if text == "∞" { f64::INFINITY } else { text.parse().unwrap_or(f64::NAN) }
}

/// The step of its last digit: 0.01 of 4.04, 1e9 of 2.4e10.
fn step(text: &str) -> f64 {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let decimals = mantissa.split_once('.').map_or(0, |(_, after)| after.len());
    let exponent: i32 = exponent.parse().unwrap_or(0);
    10_f64.powi(exponent - i32::try_from(decimals).unwrap_or(0))
}

/// Whether a number, rounded as the printed one is, is the printed one.
fn agrees(text: &str, step: f64, ours: f64) -> bool {
    let printed = value(text);
    // A tie may be rounded either way; round-off must not decide it.
    ours == printed || (ours - printed).abs() <= 0.5 * step * (1.0 + EXACT)
}

/// What ours is more; nothing between infinities, and round-off is zero.
fn difference(ours: f64, theirs: f64) -> String {
    let more = ours - theirs;
    if !more.is_finite() {
        return if ours == theirs { "0".to_owned() } else { String::new() };
    }
    if more.abs() <= EXACT * theirs.abs() {
        return "0".to_owned();
    }
    let sign = if more > 0.0 { "+" } else { "" };
    format!("{sign}{}", carom::maths::digits::three(more))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_agrees_if_it_rounds_to_what_is_printed() {
        for (text, inside, outside) in [
            ("0.8015", 0.801_475, 0.801_56),
            ("4.04", 4.037_15, 4.034),
            ("2.4e10", 2.3976e10, 2.34e10),
            ("-3", -3.2, -3.6),
            ("∞", f64::INFINITY, 1e300),
        ] {
            assert!(agrees(text, step(text), inside), "{text}: {inside}");
            assert!(!agrees(text, step(text), outside), "{text}: {outside}");
            assert!(!agrees(text, step(text), f64::NAN), "{text}");
        }
    }

    #[test]
    fn only_a_stated_reason_excuses_a_difference() {
        let lab = Lab::new(1);
        let claim = || Claim::printed("eq. 1", "x", ("2", "kg"), |_| Ok(5.0));
        let found = |claim: &Claim| claim.compare(&lab).unwrap().verdict;
        assert_eq!(found(&claim()), Verdict::Broken);
        assert_eq!(found(&claim().differs("misprint")), Verdict::Differs);
        assert_eq!(found(&claim().in_steps_of(10.0)), Verdict::Agrees);
        let twice = Claim::formula("eq. 2", "x", "", |_| Ok(1.0), |_| Ok(1.0 + 1e-6));
        assert_eq!(found(&twice), Verdict::Broken);
        assert_eq!(found(&twice.not_printed()), Verdict::Broken);
        let follows = Claim::formula("eq. 2", "x", "", |_| Ok(1.0), |_| Ok(1.0)).not_printed();
        assert_eq!(found(&follows), Verdict::NotStated);
        assert_eq!(found(&Claim::unstated("eq. 3", "x", "", |_| Ok(0.0))), Verdict::NotStated);
    }
}
