//! A flat tape of steps in postfix order and its evaluation.
//!
//! A tape is evaluated on plain numbers, or on second-order jets in time: a prescribed motion
//! needs its velocity and acceleration exactly, not by differences.

use std::sync::Arc;

use super::Sampled;
use super::sampled::along;

/// What an expression may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    /// t \[s\].
    Time,
    /// An entry of q.
    Position(usize),
    /// An entry of v.
    Velocity(usize),
    /// The gap of a contact, for events.
    Gap(usize),
}

/// A function of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// −x
    Negative,
    /// sin x
    Sin,
    /// cos x
    Cos,
    /// tan x
    Tan,
    /// asin x
    Asin,
    /// acos x
    Acos,
    /// atan x
    Atan,
    /// √x
    Sqrt,
    /// eˣ
    Exp,
    /// ln x
    Ln,
    /// |x|
    Abs,
    /// −1, 0 or 1
    Sign,
    /// 0 below 0, otherwise 1
    Step,
    /// 1 of 0 and less, otherwise 0
    Not,
}

/// A function of two arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// x + y
    Add,
    /// x − y
    Subtract,
    /// x y
    Multiply,
    /// x / y
    Divide,
    /// x to the power y
    Power,
    /// atan2(x, y): the angle of the point (y, x)
    Atan2,
    /// The smaller one
    Min,
    /// The larger one
    Max,
    /// 1 if x < y, otherwise 0
    Less,
    /// 1 if x > y, otherwise 0
    Greater,
    /// 1 if 0 ≤ x < y, otherwise 0
    Pulse,
}

/// One step of a [`Tape`] in postfix order.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Push a number.
    Number(f64),
    /// Push a variable.
    Variable(Variable),
    /// Replace the top of the stack.
    Function(Function),
    /// Replace the two topmost values.
    Operator(Operator),
    /// Replace the three topmost values c, x, y by x if c > 0, otherwise by y.
    Choose,
    /// Replace the top of the stack by a table's value there.
    Table(Arc<Sampled>),
    /// Replace the top of the stack by a number that changes its sign at each corner of a table.
    Corners(Arc<Sampled>),
}

/// Value, first and second derivative with respect to time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet {
    /// f
    pub value: f64,
    /// df/dt
    pub rate: f64,
    /// d²f/dt²
    pub second: f64,
}

/// Deepest stack a tape may need; the parser refuses deeper expressions.
pub const STACK: usize = 64;

/// An expression in postfix order.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Tape {
    steps: Vec<Step>,
}

impl Tape {
    /// A tape from its steps; `None` if they do not leave exactly one value or need more than
    /// `STACK` places.
    pub fn new(steps: Vec<Step>) -> Option<Self> {
        let mut depth = 0_usize;
        for step in &steps {
            depth = match step {
                Step::Number(_) | Step::Variable(_) => depth + 1,
                Step::Function(_) | Step::Table(_) | Step::Corners(_) => {
                    (depth >= 1).then_some(depth)?
                }
                Step::Operator(_) => (depth >= 2).then_some(depth.wrapping_sub(1))?,
                Step::Choose => (depth >= 3).then_some(depth.wrapping_sub(2))?,
            };
            if depth > STACK {
                return None;
            }
        }
        (depth == 1).then_some(Self { steps })
    }

    /// A constant.
    pub fn constant(value: f64) -> Self {
        Self { steps: vec![Step::Number(value)] }
    }

    /// The constant's value, if the tape depends on nothing.
    pub fn as_constant(&self) -> Option<f64> {
        self.steps
            .iter()
            .all(|s| !matches!(s, Step::Variable(_)))
            .then(|| self.value(0.0, &[], &[]))
    }

    /// The steps in postfix order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The value at time `t`, positions `q`, velocities `v`.
    pub fn value(&self, t: f64, q: &[f64], v: &[f64]) -> f64 {
        self.value_of(|variable| match variable {
            Variable::Time => t,
            Variable::Position(i) => q[i],
            Variable::Velocity(i) => v[i],
            // Only events have gaps, and they do not ask here.
            Variable::Gap(_) => f64::NAN,
        })
    }

    /// The value where every variable has the one that `of` tells.
    pub fn value_of(&self, of: impl Fn(Variable) -> f64) -> f64 {
        let mut stack = [0.0; STACK];
        let mut top = 0;
        for step in &self.steps {
            match *step {
                Step::Table(ref table) => stack[top - 1] = table.at(stack[top - 1])[0],
                Step::Corners(ref table) => stack[top - 1] = table.corners(stack[top - 1])[0],
                Step::Number(x) => {
                    stack[top] = x;
                    top += 1;
                }
                Step::Variable(variable) => {
                    stack[top] = of(variable);
                    top += 1;
                }
                Step::Function(f) => stack[top - 1] = f.value(stack[top - 1]),
                Step::Operator(o) => {
                    top -= 1;
                    stack[top - 1] = o.value(stack[top - 1], stack[top]);
                }
                Step::Choose => {
                    top -= 2;
                    stack[top - 1] = chosen(stack[top - 1], stack[top], stack[top + 1]);
                }
            }
        }
        stack[0]
    }

    /// The value with `Position(k)` read from `slots`; none if it, or a number on the way to it, is not finite: a constant
    /// expression with such a number is refused.
    pub fn finite_value(&self, slots: &[f64]) -> Option<f64> {
        let mut stack = [0.0; STACK];
        let mut top = 0;
        for step in &self.steps {
            let new = match *step {
                Step::Table(ref table) => {
                    top -= 1;
                    table.at(stack[top])[0]
                }
                Step::Corners(ref table) => {
                    top -= 1;
                    table.corners(stack[top])[0]
                }
                Step::Number(x) => x,
                Step::Variable(Variable::Position(k)) => slots[k],
                Step::Variable(_) => f64::NAN,
                Step::Function(f) => {
                    top -= 1;
                    f.value(stack[top])
                }
                Step::Operator(o) => {
                    top -= 2;
                    o.value(stack[top], stack[top + 1])
                }
                Step::Choose => {
                    top -= 3;
                    chosen(stack[top], stack[top + 1], stack[top + 2])
                }
            };
            if !new.is_finite() {
                return None;
            }
            stack[top] = new;
            top += 1;
        }
        Some(stack[0])
    }

    /// Value and two time derivatives at `t`; positions and velocities count as zero.
    pub fn jet(&self, t: f64) -> Jet {
        self.jet_of(|variable| match variable {
            Variable::Time => Jet { value: t, rate: 1.0, second: 0.0 },
            _ => Jet { value: 0.0, rate: 0.0, second: 0.0 },
        })
    }

    /// Value and two derivatives along a path on which every variable has the jet that `seed` tells.
    pub fn jet_of(&self, seed: impl Fn(Variable) -> Jet) -> Jet {
        let mut stack = [Jet { value: 0.0, rate: 0.0, second: 0.0 }; STACK];
        let mut top = 0;
        for step in &self.steps {
            match *step {
                Step::Table(ref table) => {
                    let x = stack[top - 1];
                    stack[top - 1] = along(table.at(x.value), x);
                }
                Step::Corners(ref table) => {
                    let x = stack[top - 1];
                    stack[top - 1] = along(table.corners(x.value), x);
                }
                Step::Number(value) => {
                    stack[top] = Jet { value, rate: 0.0, second: 0.0 };
                    top += 1;
                }
                Step::Variable(variable) => {
                    stack[top] = seed(variable);
                    top += 1;
                }
                Step::Function(f) => stack[top - 1] = f.jet(stack[top - 1]),
                Step::Operator(o) => {
                    top -= 1;
                    stack[top - 1] = o.jet(stack[top - 1], stack[top]);
                }
                Step::Choose => {
                    top -= 2;
                    stack[top - 1] = chosen(stack[top - 1].value, stack[top], stack[top + 1]);
                }
            }
        }
        stack[0]
    }
}

/// 1 − x² below which the derivatives of arcsine are those of the fold: beyond it round-off leaves them seven digits.
const FOLD: f64 = 1e-6;

impl Function {
    pub(super) fn value(self, x: f64) -> f64 {
        match self {
            Self::Negative => -x,
            Self::Sin => x.sin(),
            Self::Cos => x.cos(),
            Self::Tan => x.tan(),
            Self::Asin => x.asin(),
            Self::Acos => x.acos(),
            Self::Atan => x.atan(),
            Self::Sqrt => x.sqrt(),
            Self::Exp => x.exp(),
            Self::Ln => x.ln(),
            Self::Abs => x.abs(),
            Self::Sign => sign(x),
            Self::Step => truth(x >= 0.0),
            Self::Not => truth(x <= 0.0),
        }
    }

    /// f(x(t)): f′ẋ and f″ẋ² + f′ẍ.
    pub(super) fn jet(self, x: Jet) -> Jet {
        let v = x.value;
        let (value, first, second) = match self {
            Self::Negative => (-v, -1.0, 0.0),
            Self::Sin => (v.sin(), v.cos(), -v.sin()),
            Self::Cos => (v.cos(), -v.sin(), -v.cos()),
            Self::Tan => {
                let y = v.tan();
                (y, 1.0 + y * y, 2.0 * y * (1.0 + y * y))
            }
            Self::Asin => {
                let r = 1.0 - v * v;
                (v.asin(), 1.0 / r.sqrt(), v / (r * r.sqrt()))
            }
            Self::Acos => {
                let r = 1.0 - v * v;
                (v.acos(), -1.0 / r.sqrt(), -v / (r * r.sqrt()))
            }
            Self::Atan => {
                let r = 1.0 + v * v;
                (v.atan(), 1.0 / r, -2.0 * v / (r * r))
            }
            Self::Sqrt => {
                let y = v.sqrt();
                (y, 0.5 / y, -0.25 / (y * v))
            }
            Self::Exp => (v.exp(), v.exp(), v.exp()),
            Self::Ln => (v.ln(), 1.0 / v, -1.0 / (v * v)),
            Self::Abs => (v.abs(), sign(v), 0.0),
            Self::Sign | Self::Step | Self::Not => (self.value(v), 0.0, 0.0),
        };
        // A constant argument has no derivative, even where f′ is infinite (√ at 0).
        if x.rate == 0.0 && x.second == 0.0 {
            return Jet { value, rate: 0.0, second: 0.0 };
        }
        // Where the argument of arcsine turns at ±1, x = ±(1 − a τ²/2), the quotient ẋ/√(1 − x²) = ±√a loses its digits: a = −ẍ/x.
        if matches!(self, Self::Asin | Self::Acos) && 1.0 - v * v < FOLD && v * x.second < 0.0 {
            let way = if self == Self::Asin { sign(x.rate) } else { -sign(x.rate) };
            return Jet { value, rate: way * (-x.second / v).sqrt(), second: 0.0 };
        }
        Jet { value, rate: first * x.rate, second: second * x.rate * x.rate + first * x.second }
    }
}

/// What `if` chooses.
fn chosen<T>(condition: f64, x: T, y: T) -> T {
    if condition > 0.0 { x } else { y }
}

pub(super) fn truth(holds: bool) -> f64 {
    if holds { 1.0 } else { 0.0 }
}

fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}
