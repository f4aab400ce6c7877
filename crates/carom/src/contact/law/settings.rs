//! What the laws are made from.

use super::{ForceExpression, Parting};
use std::fmt;

/// A number, or an expression, that some laws take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// K.
    Stiffness,
    /// n.
    Exponent,
    /// e.
    Restitution,
    /// c.
    Damping,
    /// `c_max`.
    MaxDamping,
    /// `d_max`.
    DampingDepth,
    /// F(δ, δ̇, δ̇⁻, m_eff).
    Force,
}

impl Parameter {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Stiffness,
        Self::Exponent,
        Self::Restitution,
        Self::Damping,
        Self::MaxDamping,
        Self::DampingDepth,
        Self::Force,
    ];

    /// K, n: an elastic law.
    pub const ELASTIC: &'static [Self] = &[Self::Stiffness, Self::Exponent];
    /// K, n, e: a law whose damping comes from the restitution.
    pub const DAMPED: &'static [Self] = &[Self::Stiffness, Self::Exponent, Self::Restitution];

    /// The word of the model file; the command writes it with hyphens.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stiffness => "stiffness",
            Self::Exponent => "exponent",
            Self::Restitution => "restitution",
            Self::Damping => "damping",
            Self::MaxDamping => "max_damping",
            Self::DampingDepth => "damping_depth",
            Self::Force => "force",
        }
    }

    /// The letter of the formulas.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Stiffness => "K",
            Self::Exponent => "n",
            Self::Restitution => "e",
            Self::Damping => "c",
            Self::MaxDamping => "c_max",
            Self::DampingDepth => "d_max",
            Self::Force => "F",
        }
    }

    /// Its SI unit.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Stiffness => "N/m^n",
            Self::Exponent | Self::Restitution => "-",
            Self::Damping | Self::MaxDamping => "N s/m",
            Self::DampingDepth => "m",
            Self::Force => "N",
        }
    }

    /// What it is.
    pub fn doc(self) -> &'static str {
        match self {
            Self::Stiffness => "K [N/m^n], the force of a slow indentation of 1 m",
            Self::Exponent => "n, how the elastic force grows with the indentation",
            Self::Restitution => "e, the restitution asked for",
            Self::Damping => "c [N s/m] of the linear damper",
            Self::MaxDamping => "c_max [N s/m], reached at the damping depth",
            Self::DampingDepth => "d_max [m], the indentation at which the damping is full",
            Self::Force => "an expression of delta, delta_dot, onset_speed, effective_mass",
        }
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// What a user gives for a law; which of it a law takes stands in its [`super::Entry`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// K \[N/mⁿ\].
    pub stiffness: Option<f64>,
    /// n \[-\]; the law's own if it is missing.
    pub exponent: Option<f64>,
    /// e \[-\].
    pub restitution: Option<f64>,
    /// c \[N s/m\].
    pub damping: Option<f64>,
    /// `c_max` \[N s/m\].
    pub max_damping: Option<f64>,
    /// `d_max` \[m\].
    pub damping_depth: Option<f64>,
    /// F(δ, δ̇, δ̇⁻, m_eff) \[N\].
    pub force: Option<ForceExpression>,
    /// The rule of parting; the law's own if it is missing.
    pub parting: Option<Parting>,
}

impl Settings {
    /// Whether the parameter is given.
    pub fn has(&self, parameter: Parameter) -> bool {
        match parameter {
            Parameter::Force => self.force.is_some(),
            other => self.number(other).is_some(),
        }
    }

    /// The number given; none for the force, which is an expression.
    pub fn number(&self, parameter: Parameter) -> Option<f64> {
        match parameter {
            Parameter::Stiffness => self.stiffness,
            Parameter::Exponent => self.exponent,
            Parameter::Restitution => self.restitution,
            Parameter::Damping => self.damping,
            Parameter::MaxDamping => self.max_damping,
            Parameter::DampingDepth => self.damping_depth,
            Parameter::Force => None,
        }
    }

    /// Without what a law does not take, and what that was.
    pub fn fitted(mut self, entry: &super::Entry) -> (Self, Vec<Parameter>) {
        let mut left = Vec::new();
        for parameter in Parameter::ALL {
            if self.has(parameter) && !entry.takes(parameter) {
                left.push(parameter);
                match parameter {
                    Parameter::Stiffness => self.stiffness = None,
                    Parameter::Exponent => self.exponent = None,
                    Parameter::Restitution => self.restitution = None,
                    Parameter::Damping => self.damping = None,
                    Parameter::MaxDamping => self.max_damping = None,
                    Parameter::DampingDepth => self.damping_depth = None,
                    Parameter::Force => self.force = None,
                }
            }
        }
        (self, left)
    }
}
