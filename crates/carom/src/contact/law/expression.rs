//! The user's own law: F(δ, δ̇, δ̇⁻, m_eff) as an expression.
//!
//! Source: the model file, `force = "…"`. Variables: `delta` \[m\], `delta_dot` \[m/s\], `onset_speed` (δ̇⁻, \[m/s\]), `effective_mass`
//! (m_eff, \[kg\]). Sign: δ̇ > 0 in compression, F > 0 pushes apart; the expression is asked for δ > 0 only. Range: any; nothing
//! guarantees that it loses energy, so what it delivers is computed and shown. The elastic energy is the work of a slow
//! compression, F with δ̇ = 0. Choose it for a measured curve or a law that is not in the catalogue.

use super::{ContactLaw, Entry, Form, Indentation, LawError, Onset, Parameter, Parting, Settings};
use crate::maths::expression::{
    Binding, Expression, ExpressionError, Jet, Resolved, Scope, Tape, Variable,
};
use crate::maths::quadrature::integral;
use crate::maths::root::{Width, bracketed};
use crate::model::FORCE_VARIABLES;

/// Its line in the catalogue.
pub const ENTRY: Entry = Entry {
    name: "expression",
    form: Form::Own(make),
    formula: "F = your expression of delta, delta_dot, onset_speed, effective_mass",
    source: "the user",
    parameters: &[Parameter::Force],
    restitution: None,
    exponent: None,
    parting: Parting::ZeroForce,
    choose: "a measured curve, or a law that is not in the catalogue",
};

/// A force beyond this \[N\] as δ → 0 has no bound there.
const UNBOUNDED: f64 = 1e100;

/// F(δ, δ̇, δ̇⁻, m_eff).
#[derive(Clone, Debug, PartialEq)]
pub struct ForceExpression {
    tape: Tape,
}

impl ForceExpression {
    /// Reads an expression of the four variables.
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        let Resolved { tape, .. } = Expression::parse(text, Scope::Contact)?.resolve(|name| {
            Self::variable(name).map(Binding::Variable).ok_or_else(|| {
                let names = FORCE_VARIABLES.map(|v| v.0).join(", ");
                format!("; the variables are {names}")
            })
        })?;
        Ok(Self { tape })
    }

    /// From a tape on which the variables stand as in [`FORCE_VARIABLES`].
    pub fn from_tape(tape: Tape) -> Self {
        Self { tape }
    }

    /// The variable of that name.
    pub fn variable(name: &str) -> Option<Variable> {
        FORCE_VARIABLES.iter().find(|v| v.0 == name).map(|v| v.1)
    }

    fn value(&self, x: &Indentation, onset: &Onset) -> f64 {
        let (q, v) = ([x.delta, onset.effective_mass], [x.delta_dot, onset.speed]);
        self.tape.value(0.0, &q, &v)
    }

    /// The derivative along a change of δ and δ̇.
    fn along(&self, x: &Indentation, onset: &Onset, [delta, delta_dot]: [f64; 2]) -> f64 {
        let jet = |value, rate| Jet { value, rate, second: 0.0 };
        let seed = |variable| match variable {
            Variable::Position(0) => jet(x.delta, delta),
            Variable::Velocity(0) => jet(x.delta_dot, delta_dot),
            Variable::Velocity(_) => jet(onset.speed, 0.0),
            Variable::Position(_) | Variable::Time | Variable::Gap(_) => {
                jet(onset.effective_mass, 0.0)
            }
        };
        self.tape.jet_of(seed).rate
    }
}

fn make(settings: &Settings, parting: Parting) -> Result<Box<dyn ContactLaw>, LawError> {
    let force = settings.force.clone();
    let force = force.ok_or(LawError::Missing { law: ENTRY.name, parameter: Parameter::Force })?;
    Ok(Box::new(Own { force, parting }))
}

/// The law of an expression.
#[derive(Clone, Debug)]
struct Own {
    force: ForceExpression,
    parting: Parting,
}

impl Own {
    /// F of a slow compression.
    fn slow(&self, delta: f64, onset: &Onset) -> f64 {
        self.force.value(&Indentation { delta, delta_dot: 0.0 }, onset)
    }
}

impl ContactLaw for Own {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn onset(&self, effective_mass: f64, speed: f64) -> Result<Onset, LawError> {
        LawError::check_onset(ENTRY.name, effective_mass, speed)?;
        let onset = Onset { speed, effective_mass, damping: 0.0 };
        // The limit δ → 0: a law that divides by the speed shows it here.
        let (delta, delta_dot) = (f64::MIN_POSITIVE, speed);
        let found = self.force.value(&Indentation { delta, delta_dot }, &onset);
        // A force without bound at δ → 0 is one that stops everything before it begins.
        if found.abs() < UNBOUNDED {
            return Ok(onset);
        }
        Err(LawError::NotFinite { law: ENTRY.name, found, delta: 0.0, delta_dot })
    }

    fn force(&self, x: &Indentation, onset: &Onset) -> f64 {
        if x.delta <= 0.0 { 0.0 } else { self.force.value(x, onset) }
    }

    fn slopes(&self, x: &Indentation, onset: &Onset) -> [f64; 2] {
        if x.delta <= 0.0 {
            return [0.0; 2];
        }
        [self.force.along(x, onset, [1.0, 0.0]), self.force.along(x, onset, [0.0, 1.0])]
    }

    fn elastic_energy(&self, delta: f64, onset: &Onset) -> f64 {
        if delta <= 0.0 { 0.0 } else { integral(delta, |x| self.slow(x, onset)) }
    }

    fn elastic_depth(&self, energy: f64, onset: &Onset) -> Option<f64> {
        let surplus = |delta: f64| self.elastic_energy(delta, onset) - energy;
        let mut high = 1e-6;
        while surplus(high) < 0.0 {
            high *= 4.0;
            if !(high < 1e12) {
                return None;
            }
        }
        let width = Width { absolute: 0.0, relative: 1e-12 };
        bracketed(surplus, 0.0, high, width).ok().map(|root| root.x)
    }

    fn parting(&self) -> Parting {
        self.parting
    }
}
