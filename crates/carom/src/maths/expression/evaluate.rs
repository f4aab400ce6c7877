//! Names get their meaning, units are checked, constants are computed.

use std::ops::Range;
use std::sync::Arc;

use super::parser::{Symbol, like_a_function};
use super::token::shortened;
use super::{
    Expression, ExpressionError, Function, Operator, STACK, Sampled, Samples, Step, Tape, Variable,
};
use crate::maths::units::{Dimension, Measure, UnitError};

/// A function of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct UserFunction {
    /// The names of its arguments.
    pub arguments: Vec<String>,
    /// What it gives; other names than its arguments are those of the place where it is called.
    pub body: Expression,
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum Binding {
    /// A parameter: its value in SI units and what is known about its dimension.
    Constant(f64, Measure),
    /// A variable.
    Variable(Variable),
    /// A table, asked for as `table:FILE`.
    Table(Arc<Samples>),
    /// A function of the file, asked for as `function:NAME`.
    Function(Arc<UserFunction>),
    /// A table with a fault.
    Faulty(String),
}

/// An expression with its meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    /// The steps of its evaluation.
    pub tape: Tape,
    /// What is known about its dimension.
    pub measure: Measure,
}

/// What is known about a part of the expression.
#[derive(Clone, Copy)]
struct Part {
    measure: Measure,
    /// Its value, where it depends on no variable.
    value: Option<f64>,
}

/// What may stand where a name is not known and none is near.
const EXPECTED: &str =
    "; expected a number, a quantity such as \"3 kg\", or an expression of known names";

/// Functions inside each other.
const MOST_CALLS: usize = 16;
/// Steps of an expression with all functions written out, unless it is longer itself.
const MOST_STEPS: usize = 20_000;

impl Expression {
    /// Gives every name its meaning; `lookup` answers a name, or says what may be meant. Functions of the file are written out, so that
    /// their corners and jumps are seen where they are called.
    pub fn resolve(
        &self,
        mut lookup: impl FnMut(&str) -> Result<Binding, String>,
    ) -> Result<Resolved, ExpressionError> {
        let (steps, stack) = (Vec::with_capacity(self.items.len()), Vec::new());
        let most = self.items.len().max(MOST_STEPS);
        let mut resolver = Resolver { lookup: &mut lookup, steps, stack, depth: 0, most };
        resolver.add(self, &[], &[])?;
        let at = self.items.last().map_or(0..0, |(_, at)| at.clone());
        let measure = resolver.pop(&at)?.measure;
        let tape =
            Tape::new(resolver.steps).ok_or(ExpressionError::TooDeep { at, limit: STACK })?;
        Ok(Resolved { tape, measure })
    }
}

/// An argument of a function, with the steps that make it.
struct Argument {
    steps: Vec<Step>,
    part: Part,
}

struct Resolver<'l> {
    lookup: &'l mut dyn FnMut(&str) -> Result<Binding, String>,
    steps: Vec<Step>,
    /// Parts, and where the steps of each begin.
    stack: Vec<(Part, usize)>,
    depth: usize,
    /// The most steps.
    most: usize,
}

impl Resolver<'_> {
    /// Adds an expression; `names` stand for `arguments`.
    fn add(
        &mut self,
        expression: &Expression,
        names: &[String],
        arguments: &[Argument],
    ) -> Result<(), ExpressionError> {
        for (symbol, at) in &expression.items {
            let begin = self.steps.len();
            if let Symbol::Name(name) = symbol
                && let Some(k) = names.iter().position(|own| own == name)
            {
                self.steps.extend(arguments[k].steps.iter().cloned());
                self.stack.push((arguments[k].part, begin));
            } else if let Symbol::Call(name, count) = symbol {
                self.call(name, *count, at)?;
            } else {
                let (step, part, begin) = self.one(symbol, at)?;
                if let Some(value) = part.value.filter(|x| !x.is_finite()) {
                    return Err(ExpressionError::NotFinite { at: at.clone(), value });
                }
                self.steps.push(step);
                self.stack.push((part, begin));
            }
            if self.steps.len() > self.most {
                return Err(ExpressionError::TooDeep { at: at.clone(), limit: self.most });
            }
        }
        Ok(())
    }

    /// The step of a symbol, what is known of it, and where the steps of its arguments begin.
    fn one(
        &mut self,
        symbol: &Symbol,
        at: &Range<usize>,
    ) -> Result<(Step, Part, usize), ExpressionError> {
        let begin = self.steps.len();
        Ok(match symbol {
            Symbol::Number(x, measure) => (Step::Number(*x), constant(*x, *measure), begin),
            Symbol::Name(name) => match (self.lookup)(name) {
                Ok(Binding::Constant(x, measure)) => (Step::Number(x), constant(x, measure), begin),
                Ok(Binding::Variable(variable)) => {
                    let part = Part { measure: Measure::Unknown, value: None };
                    (Step::Variable(variable), part, begin)
                }
                Ok(_) => return Err(unknown(name, at, String::new())),
                Err(hint) => return Err(unknown(name, at, hint)),
            },
            Symbol::Function(f) => {
                let (x, begin) = self.pop_with(at)?;
                (Step::Function(*f), function(*f, &x).map_err(|p| units(at, p))?, begin)
            }
            Symbol::Choose => {
                let y = self.pop(at)?;
                let x = self.pop(at)?;
                let (c, begin) = self.pop_with(at)?;
                (Step::Choose, choose(&c, &x, &y).map_err(|p| units(at, p))?, begin)
            }
            Symbol::Operator(o) => {
                let y = self.pop(at)?;
                let (x, begin) = self.pop_with(at)?;
                (Step::Operator(*o), operator(*o, &x, &y).map_err(|p| units(at, p))?, begin)
            }
            Symbol::Table { file, between, ends } => {
                let fault = |problem| ExpressionError::Table { at: at.clone(), problem };
                let samples = match (self.lookup)(&format!("table:{file}")) {
                    Ok(Binding::Table(samples)) => samples,
                    Ok(Binding::Faulty(problem)) => return Err(fault(problem)),
                    _ => {
                        return Err(fault(format!(
                            "`{}`: no table is known here",
                            shortened(file)
                        )));
                    }
                };
                let (x, begin) = self.pop_with(at)?;
                let [of_x, of_y] = samples.measures;
                x.measure.plus(of_x).map_err(|problem| units(at, problem))?;
                let sampled = Sampled::new(&samples, *between, *ends)
                    .map_err(|why| fault(format!("`{}`: {why}", shortened(file))))?;
                let value = x.value.map(|x| sampled.at(x)[0]);
                (Step::Table(Arc::new(sampled)), Part { measure: of_y, value }, begin)
            }
            // It is no single step.
            Symbol::Call(name, _) => return Err(unknown(name, at, String::new())),
        })
    }

    /// A function of the file, written out.
    fn call(&mut self, name: &str, count: usize, at: &Range<usize>) -> Result<(), ExpressionError> {
        let Ok(Binding::Function(called)) = (self.lookup)(&format!("function:{name}")) else {
            return Err(unknown(name, at, like_a_function(name)));
        };
        if called.arguments.len() != count {
            let (function, expected) = (name.to_owned(), called.arguments.len());
            let at = at.clone();
            return Err(ExpressionError::Arguments { at, function, expected, found: count });
        }
        if self.depth == MOST_CALLS {
            return Err(ExpressionError::TooDeep { at: at.clone(), limit: MOST_CALLS });
        }
        let mut arguments = Vec::with_capacity(count);
        for _ in 0..count {
            let (part, begin) = self.pop_with(at)?;
            arguments.push(Argument { steps: self.steps.split_off(begin), part });
        }
        arguments.reverse();
        self.depth += 1;
        let done = self.add(&called.body, &called.arguments, &arguments);
        self.depth -= 1;
        done.map_err(|problem| match problem {
            // The innermost place is that of the text.
            ExpressionError::InFunction { function, problem, .. } => {
                ExpressionError::InFunction { at: at.clone(), function, problem }
            }
            problem => {
                let (function, problem) = (name.to_owned(), Box::new(problem));
                ExpressionError::InFunction { at: at.clone(), function, problem }
            }
        })
    }

    /// The parser leaves an argument for every function; an empty stack is reported, not assumed away.
    fn pop_with(&mut self, at: &Range<usize>) -> Result<(Part, usize), ExpressionError> {
        self.stack.pop().ok_or_else(|| ExpressionError::Unexpected {
            at: at.clone(),
            found: "nothing".to_owned(),
            expected: "a value",
        })
    }

    fn pop(&mut self, at: &Range<usize>) -> Result<Part, ExpressionError> {
        self.pop_with(at).map(|(part, _)| part)
    }
}

fn unknown(name: &str, at: &Range<usize>, hint: String) -> ExpressionError {
    let hint = if hint.is_empty() { EXPECTED.to_owned() } else { hint };
    ExpressionError::UnknownName { at: at.clone(), name: shortened(name), hint }
}

fn constant(x: f64, measure: Measure) -> Part {
    Part { measure, value: Some(x) }
}

fn units(at: &Range<usize>, problem: UnitError) -> ExpressionError {
    ExpressionError::Units { at: at.clone(), problem }
}

fn function(f: Function, x: &Part) -> Result<Part, UnitError> {
    let name = match f {
        Function::Negative
        | Function::Abs
        | Function::Sign
        | Function::Step
        | Function::Not
        | Function::Sqrt => "",
        Function::Sin => "sin",
        Function::Cos => "cos",
        Function::Tan => "tan",
        Function::Asin => "asin",
        Function::Acos => "acos",
        Function::Atan => "atan",
        Function::Exp => "exp",
        Function::Ln => "ln",
    };
    let measure = match (f, x.measure) {
        (Function::Negative | Function::Abs, measure) => measure,
        (Function::Sqrt, measure) => measure.power(0.5),
        (Function::Sign | Function::Step | Function::Not, _) => Measure::Number,
        (_, Measure::Known(found)) if !found.is_plain() => {
            return Err(UnitError::Argument { function: name, found });
        }
        _ => Measure::Number,
    };
    Ok(Part { measure, value: x.value.map(|v| f.value(v)) })
}

fn choose(c: &Part, x: &Part, y: &Part) -> Result<Part, UnitError> {
    let measure = x.measure.plus(y.measure)?;
    let value = match (c.value, x.value, y.value) {
        (Some(c), Some(x), Some(y)) => Some(if c > 0.0 { x } else { y }),
        _ => None,
    };
    Ok(Part { measure, value })
}

fn operator(o: Operator, x: &Part, y: &Part) -> Result<Part, UnitError> {
    let measure = match o {
        Operator::Add | Operator::Subtract | Operator::Min | Operator::Max => {
            x.measure.plus(y.measure)?
        }
        Operator::Multiply => x.measure.times(y.measure),
        Operator::Divide => x.measure.times(y.measure.inverse()),
        Operator::Atan2 | Operator::Less | Operator::Greater | Operator::Pulse => {
            x.measure.plus(y.measure)?;
            Measure::Number
        }
        Operator::Power => power(x, y)?,
    };
    let value = x.value.zip(y.value).map(|(a, b)| o.value(a, b));
    Ok(Part { measure, value })
}

fn power(x: &Part, y: &Part) -> Result<Measure, UnitError> {
    if let Measure::Known(found) = y.measure
        && !found.is_plain()
    {
        return Err(UnitError::Exponent { found });
    }
    match (x.measure, y.value) {
        (Measure::Known(d), Some(n)) => Ok(Measure::Known(d.power(n))),
        (Measure::Known(found), None) if found != Dimension::NONE => {
            Err(UnitError::Exponent { found })
        }
        (Measure::Known(_), None) => Ok(Measure::Number),
        (other, _) => Ok(other),
    }
}
