//! Expressions of a description, read once.

use std::borrow::Cow;
use std::collections::HashMap;

use super::Builder;
use crate::maths::expression::{Expression, ExpressionError, Scope};
use crate::model::description::{Description, Table, Value};

/// The constant expressions of a description by their text. What they say depends on the text alone.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    read: HashMap<String, Expression>,
}

impl Texts {
    /// Of all texts of a description that are expressions.
    pub fn of(description: &Description) -> Self {
        let mut out = Self::default();
        out.add_table(&description.root);
        out
    }

    fn add_table(&mut self, table: &Table) {
        table.entries().iter().for_each(|entry| self.add(&entry.node.value));
    }

    fn add(&mut self, value: &Value) {
        match value {
            Value::Text { text, .. } => {
                if let Ok(expression) = Expression::parse(text, Scope::Constant) {
                    self.read.insert(text.clone(), expression);
                }
            }
            Value::List(list) => list.iter().for_each(|node| self.add(&node.value)),
            Value::Table(table) => self.add_table(table),
            _ => {}
        }
    }
}

impl<'d> Builder<'d> {
    /// An expression, as it was read before if it was.
    pub(super) fn parsed(
        &self,
        text: &str,
        scope: Scope,
    ) -> Result<Cow<'d, Expression>, ExpressionError> {
        let known = self.texts.filter(|_| scope == Scope::Constant);
        match known.and_then(|texts| texts.read.get(text)) {
            Some(expression) => Ok(Cow::Borrowed(expression)),
            None => Expression::parse(text, scope).map(Cow::Owned),
        }
    }
}
