//! A fit for people: the verdict, the laws with their parameters, the table to paste.

use std::fmt::Write as _;

use carom::answer::fit::ContactFit;

use super::{Grid, page};
use crate::number::{count, percent, three};

/// Laws with a line of their own.
const MOST_LAWS: usize = 25;

/// The whole text.
pub(crate) fn text(answer: &ContactFit) -> String {
    let cases = if answer.kind == "impacts" {
        count(answer.cases.len(), "impact", "impacts")
    } else {
        count(answer.cases.len(), "signal", "signals")
    };
    let mut out = format!(
        "{}: contact {}, {} ({cases}, {})\n\n{}\n",
        answer.head.file,
        answer.contact,
        answer.data,
        count(answer.measurements, "number", "numbers"),
        answer.verdict
    );
    let level = percent(answer.level);
    let _ = write!(out, "\nthe laws, with {level} intervals\n{}", grid(answer).text(2));
    for (law, why) in &answer.not_fitted {
        let _ = writeln!(out, "{law} was not fitted: {why}");
    }
    if let Some(block) = &answer.block {
        let _ = write!(out, "\nto paste into the model file\n\n{block}");
    }
    page(&out)
}

/// One line a law.
pub(crate) fn grid(answer: &ContactFit) -> Grid {
    let mut grid = Grid::new(&["law", "K [N/m^n]", "n", "damping", "χ²", "ΔAICc"]);
    for law in answer.laws.iter().take(MOST_LAWS) {
        let text = |name: &str| match law.parameter(name) {
            Some(parameter) => parameter.text(),
            None => "-".to_owned(),
        };
        let dampers = law.parameters.iter().skip(2);
        let damping: Vec<String> =
            dampers.map(|p| format!("{} = {}{}", p.symbol, p.text(), p.behind())).collect();
        grid.row(vec![
            law.law.clone(),
            text("stiffness"),
            text("exponent"),
            if damping.is_empty() { "none".to_owned() } else { damping.join(", ") },
            three(law.chi_square),
            law.aicc_difference.map_or_else(|| "-".to_owned(), three),
        ]);
    }
    grid
}
