//! Values and jets of functions of two arguments.

use super::tape::truth;
use super::{Function, Jet, Operator};

impl Operator {
    pub(super) fn value(self, x: f64, y: f64) -> f64 {
        match self {
            Self::Add => x + y,
            Self::Subtract => x - y,
            Self::Multiply => x * y,
            Self::Divide => x / y,
            Self::Power => power(x, y),
            Self::Atan2 => x.atan2(y),
            Self::Min => x.min(y),
            Self::Max => x.max(y),
            Self::Less => truth(x < y),
            Self::Greater => truth(x > y),
            Self::Pulse => truth(0.0 <= x && x < y),
        }
    }

    pub(super) fn jet(self, x: Jet, y: Jet) -> Jet {
        match self {
            Self::Add => {
                Jet { value: x.value + y.value, rate: x.rate + y.rate, second: x.second + y.second }
            }
            Self::Subtract => Self::Add.jet(x, Function::Negative.jet(y)),
            Self::Multiply => Jet {
                value: x.value * y.value,
                rate: x.rate * y.value + x.value * y.rate,
                second: x.second * y.value + 2.0 * x.rate * y.rate + x.value * y.second,
            },
            Self::Divide => {
                let value = x.value / y.value;
                let rate = (x.rate - value * y.rate) / y.value;
                let second = (x.second - 2.0 * rate * y.rate - value * y.second) / y.value;
                Jet { value, rate, second }
            }
            Self::Power => power_jet(x, y),
            Self::Atan2 => {
                // d atan2(x, y) = (y dx − x dy) / (x² + y²)
                let r = x.value * x.value + y.value * y.value;
                let n = y.value * x.rate - x.value * y.rate;
                let n_dot = y.value * x.second - x.value * y.second;
                let r_dot = 2.0 * (x.value * x.rate + y.value * y.rate);
                Jet {
                    value: x.value.atan2(y.value),
                    rate: n / r,
                    second: n_dot / r - n * r_dot / (r * r),
                }
            }
            Self::Min => {
                if x.value <= y.value {
                    x
                } else {
                    y
                }
            }
            Self::Max => {
                if x.value >= y.value {
                    x
                } else {
                    y
                }
            }
            Self::Less | Self::Greater | Self::Pulse => {
                Jet { value: self.value(x.value, y.value), rate: 0.0, second: 0.0 }
            }
        }
    }
}

/// Whole exponents by repeated multiplication: exact for squares, and defined for negative bases.
fn power(x: f64, y: f64) -> f64 {
    if y.fract() == 0.0 && y.abs() <= 64.0 {
        #[allow(clippy::cast_possible_truncation, reason = "|y| ≤ 64 and whole")]
        return x.powi(y as i32);
    }
    x.powf(y)
}

fn power_jet(x: Jet, y: Jet) -> Jet {
    if y.rate == 0.0 && y.second == 0.0 {
        let n = y.value;
        if n == 0.0 || (x.rate == 0.0 && x.second == 0.0) {
            return Jet { value: power(x.value, n), rate: 0.0, second: 0.0 };
        }
        let first = n * power(x.value, n - 1.0);
        let second = if n == 1.0 { 0.0 } else { n * (n - 1.0) * power(x.value, n - 2.0) };
        return Jet {
            value: power(x.value, n),
            rate: first * x.rate,
            second: second * x.rate * x.rate + first * x.second,
        };
    }
    // x^y = exp(y ln x)
    Function::Exp.jet(Operator::Multiply.jet(y, Function::Ln.jet(x)))
}
