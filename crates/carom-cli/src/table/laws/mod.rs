//! Contact laws as tables.

pub(crate) mod impact;
pub(crate) mod list;
pub(crate) mod page;

use carom::contact::law::{Bounds, Parting};

use crate::number::six;

/// Four decimals: restitutions and factors.
fn four(x: f64) -> String {
    format!("{x:.4}")
}

/// `0 < e ≤ 1`, or the only value.
fn range(bounds: &Bounds, letter: &str) -> String {
    if bounds.low == bounds.high {
        return six(bounds.low);
    }
    let sign = if bounds.low_inside { "≤" } else { "<" };
    format!("{} {sign} {letter} ≤ {}", six(bounds.low), six(bounds.high))
}

/// In words.
fn rule(parting: Parting) -> &'static str {
    match parting {
        Parting::ZeroForce => "at zero force",
        Parting::ZeroIndentation => "at zero indentation",
    }
}

/// The rule that is not this one.
fn other(parting: Parting) -> Parting {
    match parting {
        Parting::ZeroForce => Parting::ZeroIndentation,
        Parting::ZeroIndentation => Parting::ZeroForce,
    }
}
