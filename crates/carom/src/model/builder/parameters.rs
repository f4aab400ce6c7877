//! `[parameters]`: named numbers that may use each other in any order.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::Builder;
use super::finding::Mistake;
use super::names::PROFILE_VARIABLE;
use super::reader::joined;
use crate::maths::expression::{Binding, Expression, Scope, is_reserved};
use crate::maths::units::Measure;
use crate::model::contact::FORCE_VARIABLES;
use crate::model::description::{Entry, Value};

/// A parameter's value and what is known about its dimension; `None` if it has a fault.
pub(super) type Parameter = Option<(f64, Measure)>;

/// A parameter whose value is not known yet.
struct Waiting<'d> {
    entry: &'d Entry,
    expression: Cow<'d, Expression>,
    verbatim: Option<usize>,
}

impl<'d> Builder<'d> {
    pub(super) fn read_parameters(&mut self) {
        let Some(entry) = self.description.root.entry("parameters") else { return };
        let Some(place) = self.table(entry, "parameters".to_owned()) else { return };
        let mut waiting: BTreeMap<&'d str, Waiting<'d>> = BTreeMap::new();
        for entry in place.table.entries() {
            let path = joined("parameters", &entry.key);
            self.check_parameter_name(entry, &path);
            let Value::Text { text, verbatim } = &entry.node.value else {
                let value = self.expression(&entry.node, &path, Scope::Constant);
                let value = value.and_then(|r| r.tape.as_constant());
                self.parameters.insert(&entry.key, value.map(|x| (x, Measure::Unknown)));
                continue;
            };
            match self.parsed(text, Scope::Constant) {
                Ok(expression) => {
                    let new = Waiting { entry, expression, verbatim: *verbatim };
                    waiting.insert(&entry.key, new);
                }
                Err(error) => {
                    self.bad_expression::<()>(&entry.node, &path, *verbatim, error);
                    self.parameters.insert(&entry.key, None);
                }
            }
        }
        for entry in place.table.entries() {
            self.resolve_parameter(&entry.key, &mut waiting);
        }
    }

    fn check_parameter_name(&mut self, entry: &Entry, path: &str) {
        let name = &entry.key;
        let mut letters = name.chars();
        let sound = letters.next().is_some_and(|c| c.is_alphabetic() || c == '_')
            && letters.all(|c| c.is_alphanumeric() || c == '_');
        let rule = if !sound {
            "a parameter's name is made of letters, digits and `_` and begins with a letter"
        } else if is_reserved(name) {
            "functions, `pi` and `t` (time) keep their names"
        } else {
            return;
        };
        let name = name.chars().take(60).collect();
        self.note(path, Some(&entry.origin), Mistake::BadName { name, rule });
    }

    /// Depth first with a stack of its own: a chain of parameters may be long.
    fn resolve_parameter(&mut self, name: &'d str, waiting: &mut BTreeMap<&'d str, Waiting<'d>>) {
        let ready = |this: &Waiting<'d>| {
            !self.names_of(&this.expression).iter().any(|n| waiting.contains_key(n.as_str()))
        };
        // Mostly a parameter uses those above it, and nothing has to be remembered.
        if waiting.get(name).is_none_or(ready) {
            if let Some(this) = waiting.remove(name) {
                self.evaluate_parameter(&this);
            }
            return;
        }
        let mut stack: Vec<&'d str> = vec![name];
        let mut on_stack: BTreeMap<&'d str, usize> = BTreeMap::from([(name, 0)]);
        while let Some(&top) = stack.last() {
            let Some(this) = waiting.get(top) else {
                on_stack.remove(top);
                stack.pop();
                continue;
            };
            let names = self.names_of(&this.expression);
            let next = names.iter().find_map(|n| waiting.get_key_value(n.as_str()));
            let next = next.map(|(key, _)| *key);
            if let Some(next) = next {
                if let Some(&first) = on_stack.get(next) {
                    self.note_cycle(&stack[first..], waiting);
                    continue;
                }
                on_stack.insert(next, stack.len());
                stack.push(next);
                continue;
            }
            if let Some(ready) = waiting.remove(top) {
                self.evaluate_parameter(&ready);
            }
        }
    }

    /// Reports the circle once and gives up its members.
    fn note_cycle(&mut self, circle: &[&'d str], waiting: &mut BTreeMap<&'d str, Waiting<'d>>) {
        let mut shown: Vec<&str> = circle.iter().take(8).copied().collect();
        if circle.len() > 8 {
            shown.push("…");
        }
        shown.extend(circle.first());
        let cycle = shown.join(" → ");
        if let Some(first) = circle.first().and_then(|name| waiting.get(name)) {
            let path = joined("parameters", &first.entry.key);
            let origin = &first.entry.node.origin;
            self.note(&path, Some(origin), Mistake::ParameterCycle { cycle });
        }
        for name in circle {
            waiting.remove(name);
            self.parameters.insert(name, None);
        }
    }

    fn evaluate_parameter(&mut self, ready: &Waiting<'d>) {
        let mut silent = false;
        let resolved =
            ready.expression.resolve(|name| self.lookup(name, Scope::Constant, &mut silent));
        let value = match resolved {
            Ok(resolved) => {
                self.units_written |= matches!(resolved.measure, Measure::Known(_));
                resolved.tape.as_constant().map(|x| (x, known_or_unknown(resolved.measure)))
            }
            Err(_) if silent => None,
            Err(error) => {
                let path = joined("parameters", &ready.entry.key);
                let verbatim = ready.verbatim;
                self.bad_expression(&ready.entry.node, &path, verbatim, error)
            }
        };
        self.parameters.insert(&ready.entry.key, value);
    }

    /// What a name stands for; `silent` is set where it belongs to something with a fault.
    pub(super) fn lookup(
        &self,
        name: &str,
        scope: Scope,
        silent: &mut bool,
    ) -> Result<Binding, String> {
        if let Some(found) = self.file_function(name, silent) {
            return found;
        }
        let variable = match scope {
            Scope::Contact => FORCE_VARIABLES.iter().any(|v| v.0 == name),
            Scope::Angle => name == PROFILE_VARIABLE,
            _ => false,
        };
        match self.parameters.get(name) {
            Some(_) if variable => {
                let of = if scope == Scope::Angle { "profiles" } else { "force laws" };
                return Err(format!(
                    ": it is a variable of {of} and a parameter of this file; rename the parameter"
                ));
            }
            Some(Some((x, measure))) => return Ok(Binding::Constant(*x, *measure)),
            Some(None) => {
                *silent = true;
                return Err(String::new());
            }
            None => {}
        }
        if let Some(variable) = self.variable(name, scope, silent)? {
            return Ok(Binding::Variable(variable));
        }
        Err(self.hint(name, self.parameters.keys().copied()))
    }
}

fn known_or_unknown(measure: Measure) -> Measure {
    match measure {
        Measure::Known(d) => Measure::Known(d),
        Measure::Number | Measure::Unknown => Measure::Unknown,
    }
}
