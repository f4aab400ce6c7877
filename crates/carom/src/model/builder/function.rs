//! `[functions]`: functions for expressions, `bump = "(x, h) -> h*sin(x)^2"`, and the tables that expressions name.

use std::sync::Arc;

use super::Builder;
use super::finding::Mistake;
use super::reader::joined;
use crate::maths::expression::{
    Binding, Expression, ExpressionError, Scope, UserFunction, is_reserved,
};
use crate::model::description::{Entry, Origin, Value};

/// What stands between arguments and body.
const ARROW: &str = "->";
const RULE: &str = "a name is made of letters, digits and `_`, begins with a letter and is no function, `pi` or `t`";

impl<'d> Builder<'d> {
    pub(super) fn read_functions(&mut self) {
        let Some(entry) = self.description.root.entry("functions") else { return };
        let Some(place) = self.table(entry, "functions".to_owned()) else { return };
        for entry in place.table.entries() {
            let path = joined("functions", &entry.key);
            let function = self.read_function(entry, &path).map(Arc::new);
            self.functions.insert(&entry.key, function);
        }
    }

    fn read_function(&mut self, entry: &'d Entry, path: &str) -> Option<UserFunction> {
        if !is_free(&entry.key) {
            let name = entry.key.chars().take(60).collect();
            self.note(path, Some(&entry.origin), Mistake::BadName { name, rule: RULE });
            return None;
        }
        let text = self.text(&entry.node, path)?;
        let head = text.split_once(ARROW).and_then(|(head, body)| {
            let inside = head.trim().strip_prefix('(')?.strip_suffix(')')?;
            Some((inside, body))
        });
        let Some((inside, body)) = head else {
            let why = "a function is written \"(x, y) -> x^2 + y\"".to_owned();
            self.note(path, Some(&entry.node.origin), Mistake::Conflict(why));
            return None;
        };
        let arguments: Vec<String> = inside.split(',').map(|a| a.trim().to_owned()).collect();
        for (k, name) in arguments.iter().enumerate() {
            if !is_free(name) || arguments[..k].contains(name) {
                let name = name.chars().take(60).collect();
                self.note(path, Some(&entry.node.origin), Mistake::BadName { name, rule: RULE });
                return None;
            }
        }
        // `t` behind a sign is time where the function is called with it; here it has none.
        match Expression::parse(body, Scope::Constant) {
            Ok(body) => Some(UserFunction { arguments, body }),
            Err(error) => {
                let verbatim = match &entry.node.value {
                    Value::Text { verbatim, .. } => *verbatim,
                    _ => None,
                };
                let first = verbatim.map(|first| first + text.len() - body.len());
                self.bad_function(entry, path, first, error)
            }
        }
    }

    fn bad_function(
        &mut self,
        entry: &Entry,
        path: &str,
        first: Option<usize>,
        error: ExpressionError,
    ) -> Option<UserFunction> {
        let at = error.at();
        let origin = first.map(|first| Origin::Text(first + at.start..first + at.end));
        let origin = origin.unwrap_or_else(|| entry.node.origin.clone());
        self.note(path, Some(&origin), Mistake::Expression(error));
        None
    }

    /// What `table:FILE` and `function:NAME` stand for; none of other names.
    pub(super) fn file_function(
        &self,
        name: &str,
        silent: &mut bool,
    ) -> Option<Result<Binding, String>> {
        if let Some(file) = name.strip_prefix("table:") {
            return Some(Ok(match self.description.tables.get(file) {
                Some(Ok(samples)) => Binding::Table(Arc::clone(samples)),
                Some(Err(why)) => Binding::Faulty(why.clone()),
                None => Binding::Faulty(format!("`{file}`: this table has not been read")),
            }));
        }
        let found = self.functions.get(name.strip_prefix("function:")?);
        *silent |= matches!(found, Some(None));
        Some(match found {
            Some(Some(function)) => Ok(Binding::Function(Arc::clone(function))),
            _ => Err(String::new()),
        })
    }

    /// The names of an expression and of the functions that it calls, and those call.
    pub(super) fn names_of(&self, expression: &Expression) -> Vec<String> {
        let mut names: Vec<String> = expression.names().map(str::to_owned).collect();
        let mut calls: Vec<&str> = expression.calls().collect();
        let mut seen = 0;
        while let Some(call) = calls.get(seen).copied() {
            seen += 1;
            let Some(Some(function)) = self.functions.get(call) else { continue };
            let own = function.body.names().filter(|n| !function.arguments.iter().any(|a| a == n));
            names.extend(own.map(str::to_owned));
            for inner in function.body.calls() {
                if let Some((inner, _)) = self.functions.get_key_value(inner)
                    && !calls.contains(inner)
                {
                    calls.push(inner);
                }
            }
        }
        names
    }
}

/// Whether a name may be that of a function or an argument.
fn is_free(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && letters.all(|c| c.is_alphanumeric() || c == '_')
        && !is_reserved(name)
}
