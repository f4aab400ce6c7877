//! The answer in sentences, and the table to paste.

use std::fmt::Write as _;

use super::{FitCase, FittedParameter, LawFit};
use crate::maths::digits::three;

/// Laws whose criterion differs by less than this cannot be told apart (Burnham, Anderson 2002, sec. 2.6).
const ALIKE: f64 = 2.0;
/// Laws whose criterion is higher by more than this have essentially no support by the data (same place).
const RULED_OUT: f64 = 10.0;
/// A χ² less probable than this says that no law describes the data within their stated deviations.
const IMPROBABLE: f64 = 0.01;
/// Names in one list of a sentence.
const MOST_NAMES: usize = 6;

/// Names in backticks, as a sentence lists them.
fn list(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().take(MOST_NAMES).map(|n| format!("`{n}`")).collect();
    if names.len() > MOST_NAMES {
        return format!("{} and {} more", quoted.join(", "), names.len() - MOST_NAMES);
    }
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// `restitution 0.61 (0.58 to 0.64)`.
fn told(p: &FittedParameter) -> String {
    format!("{} {}{}", p.name.replace('_', " "), p.text(), p.behind())
}

/// Which law the data ask for, with its parameters; what they do not say; whether any law describes them.
pub(super) fn verdict(laws: &[LawFit], cases: &[FitCase]) -> String {
    let Some(best) = laws.first() else {
        return "No law could be fitted to these data.".to_owned();
    };
    let mut out = String::new();
    let alike: Vec<&LawFit> =
        laws.iter().filter(|l| l.aicc_difference.is_some_and(|d| d < ALIKE)).collect();
    let of_best = 1 + best.same_curve.len();
    if best.aicc.is_none() {
        let _ = write!(out, "There are too few data to rank laws: `{}` is fitted.", best.law);
    } else if alike.len() <= 1 && of_best == 1 {
        let _ = write!(out, "`{}` fits best.", best.law);
    } else if alike.len() > of_best {
        let names: Vec<&str> = alike.iter().map(|l| l.law.as_str()).collect();
        let _ = write!(
            out,
            "{} cannot be told apart by these data (AICc within {ALIKE} of the best).",
            list(&names)
        );
    } else {
        let mut names = vec![best.law.as_str()];
        names.extend(best.same_curve.iter().map(String::as_str));
        let _ = write!(out, "{} fit best.", list(&names));
    }
    if of_best > 1 {
        let _ = write!(
            out,
            " {of_best} of the laws are the same curve here: they differ only in what they call the restitution."
        );
    }
    let told: Vec<String> = best.parameters.iter().filter(|p| p.identified).map(told).collect();
    if !told.is_empty() {
        let _ = write!(out, " By `{}`: {}.", best.law, told.join(", "));
    }
    let lost: Vec<&str> =
        best.parameters.iter().filter(|p| !p.identified).map(|p| p.name.as_str()).collect();
    if !lost.is_empty() {
        let _ = write!(
            out,
            " The data do not identify {}: other values fit as well; give one of them (--fix), or measure more.",
            lost.join(" and ").replace('_', " ")
        );
    }
    let out_of: Vec<&str> = laws
        .iter()
        .filter(|l| l.aicc_difference.is_some_and(|d| d > RULED_OUT))
        .map(|l| l.law.as_str())
        .collect();
    if !out_of.is_empty() {
        let verb = if out_of.len() == 1 { "has" } else { "have" };
        let _ = write!(
            out,
            " {} {verb} essentially no support (AICc higher by more than {RULED_OUT}).",
            list(&out_of)
        );
    }
    if let Some(p) = best.probability.filter(|p| *p < IMPROBABLE) {
        let _ = write!(
            out,
            " No law describes the data within their stated deviations: χ² = {} with {} degrees of freedom has the probability {}.",
            three(best.chi_square),
            best.degrees_of_freedom,
            three(p)
        );
    }
    if best.degrees_of_freedom == 0 {
        let plural = if cases.len() == 1 { "case" } else { "cases" };
        let _ = write!(
            out,
            " {} {plural} leave no degree of freedom: there are no intervals.",
            cases.len()
        );
    }
    out
}

/// The `[contacts]` table of a law; none if a parameter is missing.
pub(super) fn block(contact: &str, between: Option<[&str; 2]>, law: &LawFit) -> Option<String> {
    let key = |name: &str| {
        let bare = !name.is_empty()
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
        if bare { name.to_owned() } else { format!("{name:?}") }
    };
    let mut out = format!("[contacts.{}]\n", key(contact));
    if let Some([a, b]) = between {
        let _ = writeln!(out, "between = [{a:?}, {b:?}]");
    } else {
        out.push_str("# and the keys that say what touches\n");
    }
    let _ = writeln!(out, "law = {:?}", law.law);
    for p in law.parameters.iter().filter(|p| p.name != "restitution_power") {
        let x = p.estimate?;
        let ends = match (p.low, p.high) {
            (Some(a), Some(b)) => format!("  # {} to {}", three(a), three(b)),
            _ => String::new(),
        };
        // A law with one exponent does not take it from a file that says something else by round-off.
        let _ = writeln!(out, "{} = {x:?}{ends}", p.name);
    }
    Some(out)
}
