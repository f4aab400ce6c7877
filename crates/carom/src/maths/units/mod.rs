//! Units of measurement and their dimensions.
//!
//! A value has a [`Measure`]: a bare number fits anywhere, the dimension of a variable is not
//! known, a quantity has a known [`Dimension`].

mod table;

use std::fmt;

use thiserror::Error;

pub use table::{UNITS, Unit, unit};

/// Exponents of kg, m, s and rad; they may be fractions (N/m^1.5).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dimension {
    /// Exponent of kg.
    pub mass: f64,
    /// Exponent of m.
    pub length: f64,
    /// Exponent of s.
    pub time: f64,
    /// Exponent of rad.
    pub angle: f64,
    /// Set for a frequency in Hz, which is no angular velocity: they differ by 2π.
    pub cycles: bool,
}

impl Dimension {
    /// kg^mass m^length s^time.
    pub const fn new(mass: f64, length: f64, time: f64) -> Self {
        Self { mass, length, time, angle: 0.0, cycles: false }
    }

    /// With rad^angle.
    pub const fn with_angle(self, angle: f64) -> Self {
        Self { angle, ..self }
    }

    /// 1
    pub const NONE: Self = Self::new(0.0, 0.0, 0.0);
    /// kg
    pub const MASS: Self = Self::new(1.0, 0.0, 0.0);
    /// m
    pub const LENGTH: Self = Self::new(0.0, 1.0, 0.0);
    /// s
    pub const TIME: Self = Self::new(0.0, 0.0, 1.0);
    /// rad
    pub const ANGLE: Self = Self::NONE.with_angle(1.0);
    /// m/s
    pub const VELOCITY: Self = Self::new(0.0, 1.0, -1.0);
    /// rad/s
    pub const ANGULAR_VELOCITY: Self = Self::new(0.0, 0.0, -1.0).with_angle(1.0);
    /// m/s²
    pub const ACCELERATION: Self = Self::new(0.0, 1.0, -2.0);
    /// N
    pub const FORCE: Self = Self::new(1.0, 1.0, -2.0);
    /// N m = J
    pub const ENERGY: Self = Self::new(1.0, 2.0, -2.0);
    /// N s/m
    pub const DAMPING: Self = Self::new(1.0, 0.0, -1.0);
    /// kg m²
    pub const INERTIA: Self = Self::new(1.0, 2.0, 0.0);
    /// Pa
    pub const PRESSURE: Self = Self::new(1.0, -1.0, -2.0);
    /// kg/m³
    pub const DENSITY: Self = Self::new(1.0, -3.0, 0.0);

    /// The dimension of a product.
    pub fn times(self, other: Self) -> Self {
        Self {
            mass: self.mass + other.mass,
            length: self.length + other.length,
            time: self.time + other.time,
            angle: self.angle + other.angle,
            cycles: false,
        }
    }

    /// The dimension of a quotient.
    pub fn per(self, other: Self) -> Self {
        self.times(other.power(-1.0))
    }

    /// The dimension of a power.
    pub fn power(self, n: f64) -> Self {
        Self {
            mass: self.mass * n,
            length: self.length * n,
            time: self.time * n,
            angle: self.angle * n,
            cycles: self.cycles && n == 1.0,
        }
    }

    /// Whether kg, m and s have the exponents of `other`; angles are left out.
    pub fn agrees(self, other: Self) -> bool {
        let same = |a: f64, b: f64| (a - b).abs() < 1e-9;
        same(self.mass, other.mass)
            && same(self.length, other.length)
            && same(self.time, other.time)
    }

    /// Whether kg, m and s are absent.
    pub fn is_plain(self) -> bool {
        self.agrees(Self::NONE)
    }

    /// Whether a value of this dimension may stand where `expected` is wanted.
    ///
    /// Angles do not matter beside other dimensions (N m/rad is N m, 1/s is rad/s), with two
    /// exceptions: an angle is not a plain number, and Hz is not an angular velocity. A quotient
    /// of lengths may stand for an angle.
    pub fn check(self, expected: Self) -> Result<(), UnitError> {
        if !self.agrees(expected) || (self.is_plain() && self.angle != 0.0 && expected.angle == 0.0)
        {
            return Err(UnitError::Expected { found: self, expected });
        }
        if self.cycles && expected.angle != 0.0 {
            return Err(UnitError::Hertz);
        }
        Ok(())
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(unit) = NAMED.iter().find(|(_, d)| d.agrees(*self) && d.angle == self.angle) {
            return f.write_str(unit.0);
        }
        let parts = [("kg", self.mass), ("m", self.length), ("s", self.time), ("rad", self.angle)];
        let (above, below): (Vec<_>, Vec<_>) =
            parts.into_iter().filter(|p| p.1.abs() > 1e-9).partition(|p| p.1 > 0.0);
        if above.is_empty() {
            f.write_str("1")?;
        }
        for (k, (unit, n)) in above.into_iter().enumerate() {
            write_power(f, if k > 0 { " " } else { "" }, unit, n)?;
        }
        for (unit, n) in below {
            write_power(f, "/", unit, -n)?;
        }
        Ok(())
    }
}

fn write_power(f: &mut fmt::Formatter<'_>, sign: &str, unit: &str, n: f64) -> fmt::Result {
    write!(f, "{sign}{unit}")?;
    if (n - 1.0).abs() > 1e-9 { write!(f, "^{n}") } else { Ok(()) }
}

/// Dimensions that are shown by a name of their own.
const NAMED: [(&str, Dimension); 6] = [
    ("N", Dimension::FORCE),
    ("N m", Dimension::ENERGY),
    ("N/m", Dimension::new(1.0, 0.0, -2.0)),
    ("N s/m", Dimension::new(1.0, 0.0, -1.0)),
    ("N m/rad", Dimension::ENERGY.with_angle(-1.0)),
    ("N/m^1.5", Dimension::new(1.0, -0.5, -2.0)),
];

/// What is known about the dimension of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measure {
    /// A bare number: it fits anywhere and does not change a product.
    Number,
    /// A variable or a parameter without unit: it fits anywhere, and so does all it enters.
    Unknown,
    /// A quantity.
    Known(Dimension),
}

impl Measure {
    /// The measure of a product.
    pub fn times(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::Number, Self::Number) => Self::Number,
            (Self::Number, Self::Known(d)) | (Self::Known(d), Self::Number) => {
                Self::Known(d.times(Dimension::NONE))
            }
            (Self::Known(a), Self::Known(b)) => Self::Known(a.times(b)),
        }
    }

    /// The measure of the inverse.
    pub fn inverse(self) -> Self {
        self.power(-1.0)
    }

    /// The measure of a power.
    pub fn power(self, n: f64) -> Self {
        match self {
            Self::Known(d) => Self::Known(d.power(n)),
            other => other,
        }
    }

    /// The measure of a sum; both sides have to agree.
    pub fn plus(self, other: Self) -> Result<Self, UnitError> {
        match (self, other) {
            (Self::Known(a), Self::Known(b)) if !a.agrees(b) => {
                Err(UnitError::Sum { first: a, second: b })
            }
            (Self::Known(a), Self::Known(b)) => Ok(Self::Known(if a.angle == 0.0 { b } else { a })),
            (Self::Known(d), _) | (_, Self::Known(d)) => Ok(Self::Known(d)),
            (Self::Unknown, _) | (_, Self::Unknown) => Ok(Self::Unknown),
            (Self::Number, Self::Number) => Ok(Self::Number),
        }
    }

    /// Whether the value may stand where `expected` is wanted.
    pub fn check(self, expected: Dimension) -> Result<(), UnitError> {
        match self {
            Self::Known(found) => found.check(expected),
            Self::Number | Self::Unknown => Ok(()),
        }
    }

    /// Whether kg, m and s are absent or not known.
    pub fn may_be_plain(self) -> bool {
        !matches!(self, Self::Known(d) if !d.is_plain())
    }
}

/// What can be wrong with units.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum UnitError {
    /// A value of one dimension where another is wanted.
    #[error("found {}, expected {}", described(.found), described(.expected))]
    Expected {
        /// The value's dimension.
        found: Dimension,
        /// What is wanted.
        expected: Dimension,
    },
    /// Two sides of a sum that do not agree.
    #[error("[{first}] and [{second}] cannot be added, subtracted or compared")]
    Sum {
        /// Left side.
        first: Dimension,
        /// Right side.
        second: Dimension,
    },
    /// A function of numbers or angles applied to something else.
    #[error("`{function}` takes a number or an angle, not a value in [{found}]")]
    Argument {
        /// The function.
        function: &'static str,
        /// The argument's dimension.
        found: Dimension,
    },
    /// A dimension to the power of something that varies.
    #[error("a value in [{found}] needs a constant exponent without unit")]
    Exponent {
        /// The base's dimension, or the exponent's.
        found: Dimension,
    },
    /// Hz for an angular velocity.
    #[error(
        "Hz is ambiguous for an angular velocity (by a factor 2π): write rad/s, rpm, rev/s or deg/s"
    )]
    Hertz,
}

/// A dimension in the words of a message.
fn described(dimension: &Dimension) -> String {
    if dimension.is_plain() && dimension.angle == 0.0 {
        return "a plain number".to_owned();
    }
    format!("a value in [{dimension}]")
}

#[cfg(test)]
mod tests;
