//! A law as the catalogue knows it, and how it is made.

use super::{
    ContactLaw, DampingRule, Hysteresis, LawError, LinearDamping, Parameter, Parting, Settings,
    Spring,
};

/// Which exponents or restitutions a law is valid for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The least value.
    pub low: f64,
    /// Whether the least value itself is inside.
    pub low_inside: bool,
    /// The greatest value; it is inside.
    pub high: f64,
    /// In words, after "is not".
    pub text: &'static str,
}

impl Bounds {
    /// 0 ≤ e ≤ 1.
    pub const RESTITUTION: Self =
        Self { low: 0.0, low_inside: true, high: 1.0, text: "in the law's range 0 ≤ e ≤ 1" };
    /// 0 < e ≤ 1, for laws that divide by e or take its logarithm.
    pub const POSITIVE_RESTITUTION: Self =
        Self { low: 0.0, low_inside: false, high: 1.0, text: "in the law's range 0 < e ≤ 1" };
    /// Any exponent of a spring.
    pub const ANY_EXPONENT: Self =
        Self { low: 0.0, low_inside: false, high: 20.0, text: "in the law's range 0 < n ≤ 20" };

    /// Only that exponent.
    pub const fn only(value: f64, text: &'static str) -> Self {
        Self { low: value, low_inside: true, high: value, text }
    }

    /// Whether a value lies inside; NaN does not.
    pub fn contain(&self, x: f64) -> bool {
        (x > self.low || self.low_inside && x == self.low) && x <= self.high
    }
}

/// What a law is like, and how its damping comes from the restitution.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// F = K δⁿ.
    Elastic,
    /// F = K δⁿ + c δ̇ with c from `damping`.
    Viscous,
    /// F = K δⁿ + c δ̇ with c = κ (K (δ̇⁻)ⁿ⁻¹ mⁿ)^{1/(n+1)} and κ a function of e and n.
    LinearDamping(fn(e: f64, n: f64) -> Result<f64, LawError>),
    /// F = K δⁿ (1 + b δ̇/δ̇⁻) with b a function of e.
    Hysteresis(fn(e: f64) -> f64),
    /// A force of its own, made from the settings after they were checked.
    Own(Make),
}

/// Makes a law from settings that hold what its entry asks for.
pub type Make = fn(&Settings, Parting) -> Result<Box<dyn ContactLaw>, LawError>;

impl Form {
    /// One word for tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Elastic => "elastic",
            Self::Viscous | Self::LinearDamping(_) => "linear damping",
            Self::Hysteresis(_) => "hysteresis",
            Self::Own(_) => "own",
        }
    }
}

/// A law of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name in files and on the command line.
    pub name: &'static str,
    /// Its force.
    pub form: Form,
    /// The formula, as people write it.
    pub formula: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// What it takes; all but the exponent is required.
    pub parameters: &'static [Parameter],
    /// Restitutions it is valid for; none if it takes none.
    pub restitution: Option<Bounds>,
    /// Exponents it is valid for, and the one taken if none is given; none for a law without a power.
    pub exponent: Option<(Bounds, f64)>,
    /// The rule of parting for which its formula was derived.
    pub parting: Parting,
    /// When to choose it.
    pub choose: &'static str,
}

impl Entry {
    /// Whether the law takes the parameter.
    pub fn takes(&self, parameter: Parameter) -> bool {
        self.parameters.contains(&parameter)
    }

    /// b of the restitution e, for a law with hysteresis; checked against its range.
    pub fn hysteresis_ratio(&self, e: f64) -> Option<Result<f64, LawError>> {
        match self.form {
            Form::Hysteresis(ratio) => Some(self.checked_restitution(e).map(ratio)),
            _ => None,
        }
    }

    /// The law with these settings; refused if one is missing, surplus or out of range.
    pub fn make(&self, settings: &Settings) -> Result<Box<dyn ContactLaw>, LawError> {
        self.check(settings)?;
        let law = self.name;
        let parting = settings.parting.unwrap_or(self.parting);
        let spring = || Spring {
            stiffness: settings.stiffness.unwrap_or_default(),
            exponent: settings.exponent.or(self.exponent.map(|x| x.1)).unwrap_or_default(),
        };
        let e = settings.restitution.unwrap_or_default();
        Ok(match self.form {
            Form::Elastic => Box::new(Hysteresis::new(law, spring(), 0.0, parting)),
            Form::Hysteresis(ratio) => Box::new(Hysteresis::new(law, spring(), ratio(e), parting)),
            Form::Viscous => {
                let c = DampingRule::Coefficient(settings.damping.unwrap_or_default());
                Box::new(LinearDamping::new(law, spring(), c, parting)?)
            }
            Form::LinearDamping(ratio) => {
                let kappa = DampingRule::Ratio(ratio(e, spring().exponent)?);
                Box::new(LinearDamping::new(law, spring(), kappa, parting)?)
            }
            Form::Own(make) => {
                let exponent = settings.exponent.or(self.exponent.map(|x| x.1));
                make(&Settings { exponent, ..settings.clone() }, parting)?
            }
        })
    }

    /// What the law takes and the settings lack.
    pub fn missing(&self, settings: &Settings) -> Vec<Parameter> {
        let needed = |p: &Parameter| *p != Parameter::Exponent && !settings.has(*p);
        self.parameters.iter().copied().filter(needed).collect()
    }

    /// Everything the law needs is there, nothing else, and within its range.
    fn check(&self, settings: &Settings) -> Result<(), LawError> {
        let law = self.name;
        if let Some(&parameter) = self.missing(settings).first() {
            return Err(LawError::Missing { law, parameter });
        }
        let surplus = |p: &Parameter| settings.has(*p) && !self.takes(*p);
        if let Some(parameter) = Parameter::ALL.into_iter().find(surplus) {
            let names: Vec<&str> = self.parameters.iter().map(|p| p.name()).collect();
            return Err(LawError::Surplus { law, parameter, takes: names.join(", ") });
        }
        self.check_ranges(settings)
    }

    /// Every number lies in the law's range.
    pub(super) fn check_ranges(&self, settings: &Settings) -> Result<(), LawError> {
        for &parameter in self.parameters {
            let Some(found) = settings.number(parameter) else { continue };
            let (inside, expected) = match parameter {
                Parameter::Restitution => in_bounds(self.restitution.as_ref(), found),
                Parameter::Exponent => in_bounds(self.exponent.as_ref().map(|x| &x.0), found),
                Parameter::Stiffness => (found > 0.0, "a positive stiffness [N/m^n]"),
                Parameter::Damping | Parameter::MaxDamping => {
                    (found >= 0.0, "a damping of at least 0 [N s/m]")
                }
                Parameter::DampingDepth => (found > 0.0, "a positive depth [m]"),
                Parameter::Force => (true, ""),
            };
            if !inside || !found.is_finite() {
                let (law, what) = (self.name, parameter.name());
                return Err(LawError::OutOfRange { law, what, found, expected });
            }
        }
        Ok(())
    }

    fn checked_restitution(&self, e: f64) -> Result<f64, LawError> {
        let (inside, expected) = in_bounds(self.restitution.as_ref(), e);
        if inside {
            return Ok(e);
        }
        Err(LawError::OutOfRange { law: self.name, what: "restitution", found: e, expected })
    }
}

fn in_bounds(bounds: Option<&Bounds>, x: f64) -> (bool, &'static str) {
    bounds.map_or((false, "a value the law takes"), |b| (b.contain(x), b.text))
}
