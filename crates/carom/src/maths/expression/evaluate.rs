//! Names get their meaning, units are checked, constants are computed.

use std::ops::Range;

use super::parser::Symbol;
use super::{Expression, ExpressionError, Function, Operator, STACK, Step, Tape, Variable};
use crate::maths::units::{Dimension, Measure, UnitError};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Binding {
    /// A parameter: its value in SI units and what is known about its dimension.
    Constant(f64, Measure),
    /// A variable.
    Variable(Variable),
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
struct Part {
    measure: Measure,
    /// Its value, where it depends on no variable.
    value: Option<f64>,
}

/// What may stand where a name is not known and none is near.
const EXPECTED: &str =
    "; expected a number, a quantity such as \"3 kg\", or an expression of known names";

impl Expression {
    /// Gives every name its meaning; `lookup` answers a name, or says what may be meant.
    pub fn resolve(
        &self,
        mut lookup: impl FnMut(&str) -> Result<Binding, String>,
    ) -> Result<Resolved, ExpressionError> {
        let mut steps = Vec::with_capacity(self.items.len());
        let mut stack: Vec<Part> = Vec::new();
        for (symbol, at) in &self.items {
            let (step, part) = match symbol {
                Symbol::Number(x, measure) => (Step::Number(*x), constant(*x, *measure)),
                Symbol::Name(name) => match lookup(name) {
                    Ok(Binding::Constant(x, measure)) => (Step::Number(x), constant(x, measure)),
                    Ok(Binding::Variable(variable)) => {
                        (Step::Variable(variable), Part { measure: Measure::Unknown, value: None })
                    }
                    Err(hint) => {
                        let name = super::token::shortened(name);
                        let hint = if hint.is_empty() { EXPECTED.to_owned() } else { hint };
                        return Err(ExpressionError::UnknownName { at: at.clone(), name, hint });
                    }
                },
                Symbol::Function(f) => {
                    let x = pop(&mut stack, at)?;
                    (Step::Function(*f), function(*f, &x).map_err(|p| units(at, p))?)
                }
                Symbol::Choose => {
                    let y = pop(&mut stack, at)?;
                    let x = pop(&mut stack, at)?;
                    let c = pop(&mut stack, at)?;
                    (Step::Choose, choose(&c, &x, &y).map_err(|p| units(at, p))?)
                }
                Symbol::Operator(o) => {
                    let y = pop(&mut stack, at)?;
                    let x = pop(&mut stack, at)?;
                    (Step::Operator(*o), operator(*o, &x, &y).map_err(|p| units(at, p))?)
                }
            };
            if let Some(value) = part.value.filter(|x| !x.is_finite()) {
                return Err(ExpressionError::NotFinite { at: at.clone(), value });
            }
            steps.push(step);
            stack.push(part);
        }
        let at = self.items.last().map_or(0..0, |(_, at)| at.clone());
        let measure = pop(&mut stack, &at)?.measure;
        let tape = Tape::new(steps).ok_or(ExpressionError::TooDeep { at, limit: STACK })?;
        Ok(Resolved { tape, measure })
    }
}

fn constant(x: f64, measure: Measure) -> Part {
    Part { measure, value: Some(x) }
}

/// The parser leaves an argument for every function; an empty stack is reported, not assumed away.
fn pop(stack: &mut Vec<Part>, at: &Range<usize>) -> Result<Part, ExpressionError> {
    stack.pop().ok_or_else(|| ExpressionError::Unexpected {
        at: at.clone(),
        found: "nothing".to_owned(),
        expected: "a value",
    })
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
