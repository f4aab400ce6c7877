//! Tokens → postfix order, by recursive descent with a limit on the depth.

use std::ops::Range;

use super::token::{Token, shortened, tokens};
use super::{Between, Ends, ExpressionError, Function, Operator};
use crate::maths::nearest::nearest;
use crate::maths::units::{Dimension, Measure, UNITS, unit};

/// How deep parentheses, functions, signs and powers may stand inside each other.
pub const MOST_NESTED: usize = 60;

/// Which variables an expression may use beside parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// None: the value is a number.
    Constant,
    /// `t`.
    Time,
    /// `q.…`: a condition on positions.
    Positions,
    /// `t`, `q.…` and `v.…`.
    Motion,
    /// The variables of a contact's force law.
    Contact,
    /// `t`, `q.…`, `v.…` and `gap.…`.
    Event,
    /// `phi`: the angle of a profile.
    Angle,
}

impl Scope {
    /// Whether `t` is time here.
    pub fn has_time(self) -> bool {
        matches!(self, Self::Time | Self::Motion | Self::Event)
    }
}

/// One part of an expression in postfix order.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Symbol {
    /// A number in SI units and what is known about its dimension.
    Number(f64, Measure),
    /// A parameter or variable.
    Name(String),
    /// A function of one argument.
    Function(Function),
    /// A function of two arguments.
    Operator(Operator),
    /// `if(c, x, y)`.
    Choose,
    /// `table("file", x, …)`.
    Table {
        /// The file.
        file: String,
        /// Between rows.
        between: Between,
        /// Beyond the ends.
        ends: Ends,
    },
    /// A function of the file, of so many arguments.
    Call(String, usize),
}

/// An expression whose names have no meaning yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    pub(super) items: Vec<(Symbol, Range<usize>)>,
}

impl Expression {
    /// Reads an expression.
    ///
    /// A number directly followed by a unit's word is a quantity, and the unit goes on over
    /// further unit words joined by a space, `*`, `/` and `^`, even where a parameter has the name
    /// of a unit. `min(` is the function, not the minute. Where `t` is time, a `t` behind `*` or `/` is time and not the tonne:
    /// `0.5 m/s^2 * t^2`. Anywhere else a word is a name.
    pub fn parse(text: &str, scope: Scope) -> Result<Self, ExpressionError> {
        let tokens = tokens(text)?;
        let mut parser = Parser { tokens, next: 0, depth: 0, items: Vec::new(), scope };
        parser.comparison()?;
        parser.expect(&Token::End, "an operator or the end of the expression")?;
        Ok(Self { items: parser.items })
    }

    /// The functions of the file that it calls, with repetitions.
    pub fn calls(&self) -> impl Iterator<Item = &str> {
        self.items.iter().filter_map(|(symbol, _)| match symbol {
            Symbol::Call(name, _) => Some(name.as_str()),
            _ => None,
        })
    }

    /// The names it uses, with repetitions.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.items.iter().filter_map(|(symbol, _)| match symbol {
            Symbol::Name(name) => Some(name.as_str()),
            _ => None,
        })
    }
}

/// Names no parameter may have: functions, `pi` and `t`.
pub fn is_reserved(name: &str) -> bool {
    function(name).is_some() || operator(name).is_some() || matches!(name, "pi" | "t" | IF | TABLE)
}

/// The function of three arguments.
const IF: &str = "if";
/// The function of a file.
const TABLE: &str = "table";

/// What may be meant by an unknown function.
pub(super) fn like_a_function(word: &str) -> String {
    let names = FUNCTIONS.iter().map(|f| f.0).chain(OPERATORS.iter().map(|o| o.0));
    nearest(word, names.chain([IF, TABLE]))
        .map_or(" as a function".to_owned(), |n| format!("; is `{n}` meant?"))
}

const FUNCTIONS: [(&str, Function); 13] = [
    ("sin", Function::Sin),
    ("cos", Function::Cos),
    ("tan", Function::Tan),
    ("asin", Function::Asin),
    ("acos", Function::Acos),
    ("atan", Function::Atan),
    ("sqrt", Function::Sqrt),
    ("exp", Function::Exp),
    ("ln", Function::Ln),
    ("abs", Function::Abs),
    ("sign", Function::Sign),
    ("step", Function::Step),
    ("not", Function::Not),
];

const OPERATORS: [(&str, Operator); 4] = [
    ("atan2", Operator::Atan2),
    ("min", Operator::Min),
    ("max", Operator::Max),
    ("pulse", Operator::Pulse),
];

fn function(name: &str) -> Option<&'static (&'static str, Function)> {
    FUNCTIONS.iter().find(|f| f.0 == name)
}

fn operator(name: &str) -> Option<&'static (&'static str, Operator)> {
    OPERATORS.iter().find(|o| o.0 == name)
}

struct Parser<'a> {
    tokens: Vec<(Token<'a>, Range<usize>)>,
    next: usize,
    depth: usize,
    items: Vec<(Symbol, Range<usize>)>,
    scope: Scope,
}

impl<'a> Parser<'a> {
    /// The token `ahead` places on; the end repeats for ever.
    fn peek(&self, ahead: usize) -> Token<'a> {
        self.tokens.get(self.next + ahead).map_or(Token::End, |t| t.0)
    }

    fn at(&self) -> Range<usize> {
        let last = self.tokens.len() - 1;
        self.tokens[self.next.min(last)].1.clone()
    }

    fn expect(&mut self, token: &Token<'_>, expected: &'static str) -> Result<(), ExpressionError> {
        let found = self.peek(0);
        if found != *token {
            return Err(self.unexpected(expected));
        }
        self.next += 1;
        Ok(())
    }

    fn unexpected(&self, expected: &'static str) -> ExpressionError {
        ExpressionError::Unexpected { at: self.at(), found: self.peek(0).shown(), expected }
    }

    /// Binds weakest, and compares two things only.
    fn comparison(&mut self) -> Result<(), ExpressionError> {
        self.sum()?;
        let Token::Sign(c @ ('<' | '>' | '≤' | '≥')) = self.peek(0) else { return Ok(()) };
        let at = self.at();
        self.next += 1;
        self.sum()?;
        // x ≤ y is not x > y.
        let operator = if matches!(c, '<' | '≥') { Operator::Less } else { Operator::Greater };
        self.items.push((Symbol::Operator(operator), at.clone()));
        if matches!(c, '≤' | '≥') {
            self.items.push((Symbol::Function(Function::Not), at));
        }
        Ok(())
    }

    fn sum(&mut self) -> Result<(), ExpressionError> {
        self.product()?;
        while let Token::Sign(c @ ('+' | '-')) = self.peek(0) {
            let at = self.at();
            self.next += 1;
            self.product()?;
            let operator = if c == '+' { Operator::Add } else { Operator::Subtract };
            self.items.push((Symbol::Operator(operator), at));
        }
        Ok(())
    }

    fn product(&mut self) -> Result<(), ExpressionError> {
        self.signed()?;
        while let Token::Sign(c @ ('*' | '/')) = self.peek(0) {
            let at = self.at();
            self.next += 1;
            self.signed()?;
            let operator = if c == '*' { Operator::Multiply } else { Operator::Divide };
            self.items.push((Symbol::Operator(operator), at));
        }
        Ok(())
    }

    /// Signs bind weaker than powers: −x² = −(x²). Every way down passes here, so depth is
    /// counted here.
    fn signed(&mut self) -> Result<(), ExpressionError> {
        self.depth += 1;
        if self.depth > MOST_NESTED {
            return Err(ExpressionError::TooDeep { at: self.at(), limit: MOST_NESTED });
        }
        match self.peek(0) {
            Token::Sign('-') => {
                let at = self.at();
                self.next += 1;
                self.signed()?;
                self.items.push((Symbol::Function(Function::Negative), at));
            }
            Token::Sign('+') => {
                self.next += 1;
                self.signed()?;
            }
            _ => self.power()?,
        }
        self.depth -= 1;
        Ok(())
    }

    fn power(&mut self) -> Result<(), ExpressionError> {
        self.atom()?;
        if self.peek(0) == Token::Sign('^') {
            let at = self.at();
            self.next += 1;
            self.signed()?;
            self.items.push((Symbol::Operator(Operator::Power), at));
        }
        Ok(())
    }

    fn atom(&mut self) -> Result<(), ExpressionError> {
        let at = self.at();
        match self.peek(0) {
            Token::Number(x) => {
                self.next += 1;
                self.quantity(x, at)
            }
            Token::Word(word) => {
                self.next += 1;
                if self.peek(0) == Token::Sign('(') {
                    return self.call(word, at);
                }
                let symbol = match word {
                    "pi" => Symbol::Number(std::f64::consts::PI, Measure::Number),
                    _ => Symbol::Name(word.to_owned()),
                };
                self.items.push((symbol, at));
                Ok(())
            }
            Token::Sign('(') => {
                self.next += 1;
                self.comparison()?;
                self.expect(&Token::Sign(')'), "`)` or an operator")
            }
            Token::Text(_) | Token::Sign(_) | Token::End => {
                Err(self.unexpected("a number, a name or a parenthesis"))
            }
        }
    }

    fn call(&mut self, word: &str, at: Range<usize>) -> Result<(), ExpressionError> {
        let known = if let Some((name, f)) = function(word) {
            Some((*name, 1, Symbol::Function(*f)))
        } else if let Some((name, o)) = operator(word) {
            Some((*name, 2, Symbol::Operator(*o)))
        } else if word == IF {
            Some((IF, 3, Symbol::Choose))
        } else {
            None
        };
        self.next += 1;
        if word == TABLE {
            return self.table(at);
        }
        let mut found = 0;
        if self.peek(0) != Token::Sign(')') {
            self.comparison()?;
            found = 1;
            while self.peek(0) == Token::Sign(',') {
                self.next += 1;
                self.comparison()?;
                found += 1;
            }
        }
        self.expect(&Token::Sign(')'), "`)`, `,` or an operator")?;
        let symbol = match known {
            Some((name, expected, _)) if found != expected => {
                let function = name.to_owned();
                return Err(ExpressionError::Arguments { at, function, expected, found });
            }
            Some((_, _, symbol)) => symbol,
            // A function of the file, or a mistake that shows when names get their meaning.
            None => Symbol::Call(word.to_owned(), found),
        };
        self.items.push((symbol, at));
        Ok(())
    }

    /// `"file", x` and words behind the parenthesis of a table.
    fn table(&mut self, at: Range<usize>) -> Result<(), ExpressionError> {
        let Token::Text(file) = self.peek(0) else {
            return Err(self.unexpected("the name of a file in double quotes"));
        };
        self.next += 1;
        self.expect(&Token::Sign(','), "`,` and the argument of the table")?;
        self.comparison()?;
        let (mut between, mut ends) = (Between::Cubic, Ends::Refused);
        while self.peek(0) == Token::Sign(',') {
            self.next += 1;
            match self.peek(0) {
                Token::Text("linear") => between = Between::Linear,
                Token::Text("cubic") => between = Between::Cubic,
                Token::Text("clamped") => ends = Ends::Clamped,
                Token::Text("periodic") => ends = Ends::Periodic,
                _ => {
                    let words = "\"linear\", \"cubic\", \"clamped\" or \"periodic\"";
                    return Err(self.unexpected(words));
                }
            }
            self.next += 1;
        }
        self.expect(&Token::Sign(')'), "`)`, `,` or an operator")?;
        self.items.push((Symbol::Table { file: file.to_owned(), between, ends }, at));
        Ok(())
    }

    /// A number and the unit that may follow it.
    fn quantity(&mut self, x: f64, start: Range<usize>) -> Result<(), ExpressionError> {
        let Token::Word(word) = self.peek(0) else {
            self.items.push((Symbol::Number(x, Measure::Number), start));
            return Ok(());
        };
        if unit(word).is_none() {
            let hint = nearest(word, UNITS.iter().map(|u| u.word))
                .map_or("; between a number and a name stands an operator".to_owned(), |u| {
                    format!("; is `{u}` meant?")
                });
            let name = shortened(word);
            return Err(ExpressionError::UnknownUnit { at: self.at(), name, hint });
        }
        let (mut factor, mut dimension, mut first) = (1.0, Dimension::NONE, true);
        let mut sign = 1.0;
        while let Token::Word(word) = self.peek(0) {
            let Some(next) = unit(word) else { break };
            self.next += 1;
            let power = sign * self.unit_exponent();
            factor *= if power == 1.0 { next.factor } else { next.factor.powf(power) };
            let this = next.dimension.power(power);
            // A lone Hz keeps its mark; a product has none.
            dimension = if first { this } else { dimension.times(this) };
            first = false;
            sign = match (self.peek(0), self.peek(1)) {
                (Token::Sign(c @ ('*' | '/')), Token::Word(w))
                    if unit(w).is_some()
                        && !(w == "t" && self.scope.has_time())
                        && self.peek(2) != Token::Sign('(') =>
                {
                    self.next += 1;
                    if c == '*' { 1.0 } else { -1.0 }
                }
                (Token::Word(_), _) => 1.0,
                _ => break,
            };
        }
        let end = self.tokens[self.next - 1].1.end;
        self.items.push((Symbol::Number(x * factor, Measure::Known(dimension)), start.start..end));
        Ok(())
    }

    /// `^2`, `^-1`, `^1.5` behind a unit.
    fn unit_exponent(&mut self) -> f64 {
        match (self.peek(0), self.peek(1), self.peek(2)) {
            (Token::Sign('^'), Token::Number(n), _) => {
                self.next += 2;
                n
            }
            (Token::Sign('^'), Token::Sign('-'), Token::Number(n)) => {
                self.next += 3;
                -n
            }
            _ => 1.0,
        }
    }
}

#[cfg(test)]
#[path = "parser_tests.rs"]
mod tests;
