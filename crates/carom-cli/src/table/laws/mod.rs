//! Contact laws as tables.

pub(crate) mod impact;
pub(crate) mod list;
pub(crate) mod page;

use carom::answer::laws::{Delivery, Law, Range};

use crate::number::six;

/// Four decimals: restitutions and factors.
fn four(x: f64) -> String {
    format!("{x:.4}")
}

/// `0 < e ≤ 1`, or the only value.
fn range(bounds: &Range, letter: &str) -> String {
    if bounds.low == bounds.high {
        return six(bounds.low);
    }
    let sign = if bounds.low_inside { "≤" } else { "<" };
    format!("{} {sign} {letter} ≤ {}", six(bounds.low), six(bounds.high))
}

/// The rule of parting that is not `zero-force`.
const ZERO_INDENTATION: &str = "zero-indentation";

/// A rule of parting in words.
fn rule(parting: &str) -> &'static str {
    if parting == ZERO_INDENTATION { "at zero indentation" } else { "at zero force" }
}

/// By the rule that is not the law's own: in words, and how to read its restitution.
fn other(law: &Law) -> (&'static str, fn(&Delivery) -> f64) {
    if law.parting == ZERO_INDENTATION {
        ("at zero force", |d| d.at_zero_force)
    } else {
        ("at zero indentation", |d| d.at_zero_indentation)
    }
}
