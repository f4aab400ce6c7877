//! Statistics of a design over what is uncertain: `p95(peak_force)` as a goal, a condition or a measure.
//!
//! Every design is evaluated with the same points of the sample of `[uncertainty]` (common random numbers), so that the statistic is a function
//! of the design without noise, and two designs differ by what they do, not by what was drawn.

use super::evaluate::{Evaluator, PointError};
use super::formula::{Formula, Names};
use super::plan::Study;
use super::spread::Statistic;
use crate::maths::expression::ExpressionError;
use crate::model::study::Level;

/// What stands for a statistic in the rest of its expression, before its number.
const PLACEHOLDER: &str = "statistic_of_the_sample_";

/// Statistics and what they are computed from.
#[derive(Clone, Debug)]
pub struct Robust {
    /// The study with its own variables and behind them the uncertain numbers; it needs what the statistics are of.
    pub study: Study,
    /// The uncertain numbers at each point of the sample.
    pub samples: Vec<Vec<Level>>,
    /// What is asked, in the order of the slots behind the quantities.
    pub statistics: Vec<(Statistic, Formula)>,
}

/// A statistic as it is written: `p95`, and the expression in its brackets.
pub type Written = (Statistic, String);

/// Takes statistics out of an expression, and gives what is left with placeholders in their places.
pub fn without_statistics(text: &str, found: &mut Vec<Written>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('(') {
        let head = &rest[..open];
        let word_at = head.rfind(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
        let word_at =
            word_at.map_or(0, |at| at + head[at..].chars().next().map_or(1, char::len_utf8));
        let inside = &rest[open + 1..];
        let found_here = Statistic::named(&head[word_at..]).zip(closing(inside));
        if let Some((statistic, end)) = found_here {
            out.push_str(&head[..word_at]);
            let number = found.len();
            out.extend([PLACEHOLDER, &number.to_string()]);
            found.push((statistic, inside[..end].to_owned()));
            rest = &inside[end + 1..];
        } else {
            out.push_str(&rest[..=open]);
            rest = inside;
        }
    }
    out.push_str(rest);
    out
}

/// Where the bracket closes that was opened before a text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The number of the statistic that a placeholder stands for.
pub fn number_of(name: &str) -> Option<usize> {
    name.strip_prefix(PLACEHOLDER)?.parse().ok()
}

/// The formula of a statistic over the variables of a study and the uncertain numbers.
pub fn formulas(
    written: &[Written],
    names: &Names,
) -> Result<Vec<(Statistic, Formula)>, ExpressionError> {
    let one = |(statistic, text): &Written| Ok((*statistic, Formula::new(text, names)?));
    written.iter().map(one).collect()
}

impl Robust {
    /// The statistics of a design; an error where a point of the sample has no value.
    pub fn values(
        &self,
        evaluator: &mut Evaluator<'_>,
        design: &[Level],
    ) -> Result<Vec<f64>, PointError> {
        let mut values = vec![Vec::with_capacity(self.samples.len()); self.statistics.len()];
        let mut levels = design.to_vec();
        for sample in &self.samples {
            levels.truncate(design.len());
            levels.extend_from_slice(sample);
            let slots = evaluator.slots(&levels)?;
            for (to, (_, formula)) in values.iter_mut().zip(&self.statistics) {
                to.push(formula.value(&slots));
            }
        }
        Ok(self.statistics.iter().zip(&values).map(|((s, _), x)| s.of(x)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_are_taken_out_with_their_brackets() {
        let mut found = Vec::new();
        let left = without_statistics("2*p95(max(a, (b))) + sqrt(x) - mean(y)", &mut found);
        assert_eq!(left, format!("2*{PLACEHOLDER}0 + sqrt(x) - {PLACEHOLDER}1"));
        assert_eq!(found[0], (Statistic::Quantile(0.95), "max(a, (b))".to_owned()));
        assert_eq!(found[1], (Statistic::Mean, "y".to_owned()));
        assert_eq!(number_of(&format!("{PLACEHOLDER}12")), Some(12));
        let mut none = Vec::new();
        assert_eq!(without_statistics("p95 (x", &mut none), "p95 (x");
        assert!(none.is_empty());
    }
}
