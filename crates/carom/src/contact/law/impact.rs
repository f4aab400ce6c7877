//! Impact, as multibody packages have it: F = K δⁿ + c(δ) δ̇, c = c_max z² (3 − 2 z), z = δ/d_max, at most c_max.
//!
//! Source: the IMPACT function of Adams, MotionSolve and SolidWorks Motion, whose gap form is max(0, k (x₁ − x)ᵉ − STEP(x, x₁ − d, c_max, x₁, 0) ẋ)
//! with δ = x₁ − x. Symbols: K \[N/mⁿ\], c_max \[N s/m\], d_max \[m\]. Sign: δ̇ > 0 in compression, F > 0 pushes apart; the
//! cut-off at zero is the rule of parting at zero force. Range: K > 0, n > 0, c_max ≥ 0, d_max > 0. For n < 2 the spring wins over
//! the damper again near δ = 0, so a pair that parted is pressed once more before it opens. Choose it to compare with a
//! model in such a package: the restitution is not a parameter of it, and depends on mass and speed.

use super::{
    Bounds, ContactLaw, Entry, Form, Indentation, LawError, Onset, Parameter, Parting, Settings,
    Spring,
};

/// Its line in the catalogue.
pub const ENTRY: Entry = Entry {
    name: "impact",
    form: Form::Own(make),
    formula: "F = K δⁿ + c_max z²(3−2z) δ̇, z = min(δ/d_max, 1)",
    source: "IMPACT of Adams, MotionSolve, SolidWorks Motion",
    parameters: &[
        Parameter::Stiffness,
        Parameter::Exponent,
        Parameter::MaxDamping,
        Parameter::DampingDepth,
    ],
    restitution: None,
    exponent: Some((Bounds::ANY_EXPONENT, 1.5)),
    parting: Parting::ZeroForce,
    choose: "to compare with a model of a multibody package; the restitution depends on mass and speed",
};

/// F = K δⁿ + c_max step(δ/d_max) δ̇.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// K δⁿ.
    pub spring: Spring,
    /// c_max \[N s/m\].
    pub max_damping: f64,
    /// d_max \[m\].
    pub damping_depth: f64,
    /// The rule of parting.
    pub parting: Parting,
}

fn make(settings: &Settings, parting: Parting) -> Result<Box<dyn ContactLaw>, LawError> {
    let get = |parameter: Parameter| {
        settings.number(parameter).ok_or(LawError::Missing { law: ENTRY.name, parameter })
    };
    let spring =
        Spring { stiffness: get(Parameter::Stiffness)?, exponent: get(Parameter::Exponent)? };
    let (max_damping, damping_depth) = (get(Parameter::MaxDamping)?, get(Parameter::DampingDepth)?);
    Ok(Box::new(Impact { spring, max_damping, damping_depth, parting }))
}

impl Impact {
    /// c \[N s/m\] and its slope dc/dδ.
    fn damping(&self, delta: f64) -> [f64; 2] {
        let z = delta / self.damping_depth;
        if z >= 1.0 {
            return [self.max_damping, 0.0];
        }
        let slope = 6.0 * z * (1.0 - z) / self.damping_depth;
        [self.max_damping * z * z * (3.0 - 2.0 * z), self.max_damping * slope]
    }
}

impl ContactLaw for Impact {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn onset(&self, effective_mass: f64, speed: f64) -> Result<Onset, LawError> {
        LawError::check_onset(ENTRY.name, effective_mass, speed)?;
        Ok(Onset { speed, effective_mass, damping: 0.0 })
    }

    fn force(&self, x: &Indentation, _onset: &Onset) -> f64 {
        if x.delta <= 0.0 {
            return 0.0;
        }
        self.spring.stiffness * self.spring.power(x.delta) + self.damping(x.delta)[0] * x.delta_dot
    }

    fn slopes(&self, x: &Indentation, _onset: &Onset) -> [f64; 2] {
        if x.delta <= 0.0 {
            return [0.0; 2];
        }
        let [c, rise] = self.damping(x.delta);
        [self.spring.slope(x.delta) + rise * x.delta_dot, c]
    }

    fn elastic_energy(&self, delta: f64, _onset: &Onset) -> f64 {
        self.spring.energy(delta)
    }

    fn elastic_depth(&self, energy: f64, _onset: &Onset) -> Option<f64> {
        Some(self.spring.depth(energy))
    }

    fn parting(&self) -> Parting {
        self.parting
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_damping_rises_as_a_cubic_step() {
        let spring = Spring { stiffness: 100.0, exponent: 2.0 };
        let law =
            Impact { spring, max_damping: 8.0, damping_depth: 0.5, parting: Parting::ZeroForce };
        let onset = law.onset(1.0, 1.0).unwrap();
        let damper = |delta: f64| {
            let force = |delta_dot| law.force(&Indentation { delta, delta_dot }, &onset);
            (force(1.0) - force(-1.0)) / 2.0
        };
        // Half way up in the middle, 5/32 at a quarter, full from d_max on; compression adds to the force.
        assert!((damper(0.25) - 4.0).abs() < 1e-14);
        assert!((damper(0.125) - 8.0 * 5.0 / 32.0).abs() < 1e-14);
        assert!((damper(0.5) - 8.0).abs() < 1e-13 && (damper(2.0) - 8.0).abs() < 1e-12);
    }
}
