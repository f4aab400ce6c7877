//! An answer as one page: plain data in, the text of an HTML file out.
//!
//! A [`Page`] is a question, its answer and sections of text, tables and figures. [`Page::html`] makes it a file that needs nothing
//! beside it: styles, scripts and data stand inside. Nothing here prints or writes, and the same page has the same bytes.
//!
//! `scene` says what the machine looks like, `motion` where it is over time; the scripts draw from both. The front door gives both as the data
//! of a page: [`crate::Machine::run_picture`] and its like.

mod element;
mod html;
#[cfg(not(feature = "internals"))]
pub(crate) mod motion;
#[cfg(feature = "internals")]
pub mod motion;
#[cfg(not(feature = "internals"))]
pub(crate) mod scene;
#[cfg(feature = "internals")]
pub mod scene;
pub(crate) mod solid;
#[cfg(not(feature = "internals"))]
pub(crate) mod surface;
#[cfg(feature = "internals")]
pub mod surface;
mod thin;

pub use element::{Block, Cell, Column, KeyNumber, Row, Section, Table, Widget};

use serde_json::Value;

/// A page.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// What the page is about: the title of the model.
    pub title: String,
    /// Which command made it, in a word or two.
    pub kind: &'static str,
    /// The question.
    pub question: String,
    /// The answer in a sentence; `names` stand in backticks.
    pub answer: String,
    /// The numbers of the answer.
    pub numbers: Vec<KeyNumber>,
    /// What may not be meant.
    pub warnings: Vec<String>,
    /// The rest, in reading order.
    pub sections: Vec<Section>,
    /// What the scripts draw; none if nothing moves or turns.
    pub data: Option<Value>,
}

impl Page {
    /// The text of the file.
    pub fn html(&self) -> String {
        html::page(self)
    }
}

/// A number with so many significant digits; null if it is not finite.
fn short(x: f64, digits: usize) -> Value {
    if x == 0.0 {
        return Value::from(0);
    }
    let rounded: f64 = format!("{x:.*e}", digits.saturating_sub(1)).parse().unwrap_or(x);
    serde_json::Number::from_f64(rounded).map_or(Value::Null, |n| {
        // A whole number takes no ".0".
        #[allow(clippy::cast_possible_truncation, reason = "it was found whole and small")]
        if rounded.fract() == 0.0 && rounded.abs() < 1e9 {
            Value::from(rounded as i64)
        } else {
            Value::Number(n)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_page_are_rounded_and_never_infinite() {
        assert_eq!(short(0.123_456_789, 4).to_string(), "0.1235");
        assert_eq!(short(-250.0, 6).to_string(), "-250");
        assert_eq!(short(f64::INFINITY, 6), Value::Null);
        assert_eq!(short(f64::NAN, 6), Value::Null);
        assert_eq!(short(-0.0, 6).to_string(), "0");
    }
}
