//! Expressions and conditions over variables and quantities.

use super::quantity::{self, COUNT, QUANTITIES};
use super::robust::number_of;
use crate::maths::expression::{Binding, Expression, ExpressionError, Scope, Tape, Variable};
use crate::model::ContactUnits;
use crate::model::study::Action;

/// What names may stand for: variables first, then quantities.
#[derive(Clone, Debug)]
pub struct Names {
    /// The variables, by position.
    pub variables: Vec<String>,
    /// Which quantities there are; none where only variables may be used.
    pub action: Option<Action>,
    /// The units of the contact that is measured.
    pub units: ContactUnits,
    /// How many statistics over a sample there are.
    pub statistics: usize,
}

impl Names {
    /// The slot of a name.
    fn slot(&self, name: &str) -> Result<usize, String> {
        if let Some(k) = self.variables.iter().position(|v| v == name) {
            return Ok(k);
        }
        if let Some(k) = number_of(name).filter(|k| *k < self.statistics) {
            return Ok(self.variables.len() + COUNT + k);
        }
        match self.action {
            Some(action) => quantity::find(name, action).map(|k| self.variables.len() + k),
            None => Err(format!("; known: {}", self.variables.join(", "))),
        }
    }
}

/// An expression over slots.
#[derive(Clone, Debug)]
pub struct Formula {
    tape: Tape,
    /// The quantities it uses.
    pub uses: Vec<usize>,
    /// The variables it uses.
    pub variables: Vec<usize>,
    /// Whether it uses a statistic over a sample.
    pub is_robust: bool,
    /// As it was written.
    pub text: String,
    /// The unit it has, where it is a quantity alone.
    pub unit: &'static str,
}

impl Formula {
    /// Reads an expression.
    pub fn new(text: &str, names: &Names) -> Result<Self, ExpressionError> {
        let expression = Expression::parse(text, Scope::Constant)?;
        let lookup =
            |name: &str| names.slot(name).map(|k| Binding::Variable(Variable::Position(k)));
        let tape = expression.resolve(lookup)?.tape;
        let slots = expression.names().filter_map(|name| names.slot(name).ok());
        let n = names.variables.len();
        let (mut uses, mut variables, mut is_robust) = (Vec::new(), Vec::new(), false);
        for slot in slots {
            match slot {
                k if k < n => variables.push(k),
                k if k < n + COUNT => uses.push(k - n),
                _ => is_robust = true,
            }
        }
        let alone = QUANTITIES.iter().find(|q| q.name == text.trim());
        let unit = alone.map_or("", |q| names.units.of(q.unit));
        Ok(Self { tape, uses, variables, is_robust, text: text.to_owned(), unit })
    }

    /// Its value; `slots` hold variables in SI units, then quantities, then statistics over a sample.
    pub fn value(&self, slots: &[f64]) -> f64 {
        self.tape.value(0.0, slots, &[])
    }
}

/// A condition `a < b`, as b − a > 0.
#[derive(Clone, Debug)]
pub struct Condition {
    /// As it was written.
    pub text: String,
    /// The smaller side.
    pub low: Formula,
    /// The larger side.
    pub high: Formula,
    /// Whether both may be equal.
    pub or_equal: bool,
}

impl Condition {
    /// Reads a condition; the text says what is wrong.
    pub fn new(text: &str, names: &Names) -> Result<Self, String> {
        let signs =
            [("<=", false, true), (">=", true, true), ("<", false, false), (">", true, false)];
        let found = signs.iter().find_map(|(sign, turned, or_equal)| {
            text.split_once(sign).map(|(a, b)| (a, b, *turned, *or_equal))
        });
        let Some((a, b, turned, or_equal)) = found else {
            return Err(
                "a condition compares by <, <=, > or >=, such as \"peak_force < 100\"".into()
            );
        };
        let (a, b) = if turned { (b, a) } else { (a, b) };
        let read = |side: &str| Formula::new(side, names).map_err(|error| error.to_string());
        Ok(Self { text: text.to_owned(), low: read(a)?, high: read(b)?, or_equal })
    }

    /// How far it is kept: negative where it is broken.
    pub fn slack(&self, slots: &[f64]) -> f64 {
        self.high.value(slots) - self.low.value(slots)
    }

    /// Whether it is kept.
    pub fn holds(&self, slots: &[f64]) -> bool {
        let slack = self.slack(slots);
        if self.or_equal { slack >= 0.0 } else { slack > 0.0 }
    }
}

/// A set of quantities.
#[derive(Clone, Copy, Debug, Default)]
pub struct Needs([bool; COUNT], bool);

impl Needs {
    /// Adds what a formula uses.
    pub fn add(&mut self, formula: &Formula) {
        for &k in &formula.uses {
            self.0[k] = true;
        }
        self.1 |= formula.is_robust;
    }

    /// Whether a statistic over a sample is needed.
    pub fn is_robust(&self) -> bool {
        self.1
    }

    /// Whether a quantity of that name is among them.
    pub fn has(&self, name: &str) -> bool {
        QUANTITIES.iter().zip(&self.0).any(|(q, needed)| *needed && q.name == name)
    }

    /// The quantities, by position.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..COUNT).filter(|k| self.0[*k])
    }
}
