//! The force of a family of laws with its derivatives by indentation, speed and parameters.

use crate::contact::law::{
    ContactLaw, Entry, Indentation, LawError, Onset, Parting, Settings, Spring,
};

/// Parameters of a curve: ln K, n, and two of damping.
pub const PARAMETERS: usize = 4;
/// An indentation of zero: the limit from above, where ln δ is a number.
const TOUCHING: f64 = 1e-200;
/// Step of the differences of a law without closed derivatives \[relative to each parameter's size\]: with central differences the
/// truncation is its square.
const STEP: f64 = 1e-5;

/// A family of laws that have one force.
#[derive(Clone, Copy, Debug)]
pub enum Curve {
    /// F = K δⁿ (1 + b δ̇/δ̇⁻); elastic for b = 0.
    Hysteresis,
    /// F = K δⁿ + c δ̇ with c = κ (K (δ̇⁻)ⁿ⁻¹ mⁿ)^{1/(n+1)}.
    Ratio(Parting),
    /// F = K δⁿ + c δ̇ with one c.
    Viscous(Parting),
    /// A law with a force of its own, in K, n, `c_max` and `d_max`.
    Own(&'static Entry),
}

/// The parameters of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Core {
    /// K \[N/mⁿ\].
    pub stiffness: f64,
    /// n.
    pub exponent: f64,
    /// b, κ, or c \[N s/m\] or `c_max`; and `d_max` \[m\].
    pub damping: [f64; 2],
    /// What derivatives by the damping are measured in: 1 for b and κ, N s/m for c, m for `d_max`.
    pub units: [f64; 2],
}

impl Core {
    /// F = K δⁿ as a spring.
    pub fn spring(&self) -> Spring {
        Spring { stiffness: self.stiffness, exponent: self.exponent }
    }

    /// One parameter changed by so many of its units (K by its logarithm).
    pub fn moved(mut self, parameter: usize, by: f64) -> Self {
        match parameter {
            0 => self.stiffness *= by.exp(),
            1 => self.exponent += by,
            k => self.damping[k - 2] += by * self.units[k - 2],
        }
        self
    }

    fn settings(&self) -> Settings {
        Settings {
            stiffness: Some(self.stiffness),
            exponent: Some(self.exponent),
            max_damping: Some(self.damping[0]),
            damping_depth: Some(self.damping[1]),
            ..Settings::default()
        }
    }
}

/// A force and its derivatives.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pull {
    /// F \[N\].
    pub force: f64,
    /// ∂F/∂δ and ∂F/∂δ̇.
    pub slopes: [f64; 2],
    /// By ln K, n and the damping parameters in their units.
    pub parameters: [f64; PARAMETERS],
}

/// A curve with its parameters, an effective mass and an approach speed.
#[derive(Debug)]
pub struct Prepared {
    /// The curve.
    pub curve: Curve,
    /// Its parameters.
    pub core: Core,
    /// m_eff \[kg\].
    pub mass: f64,
    /// δ̇⁻ \[m/s\].
    pub speed: f64,
    /// c of linear damping and its derivatives by the parameters.
    damper: f64,
    damper_slopes: [f64; PARAMETERS],
    /// The law itself and its neighbours, of [`Curve::Own`].
    own: Vec<(Box<dyn ContactLaw>, Onset)>,
}

impl Prepared {
    /// Prepares a curve for an impact.
    pub fn new(curve: Curve, core: Core, mass: f64, speed: f64) -> Result<Self, LawError> {
        let mut made = Self {
            curve,
            core,
            mass,
            speed,
            damper: 0.0,
            damper_slopes: [0.0; PARAMETERS],
            own: Vec::new(),
        };
        match curve {
            Curve::Hysteresis => {}
            Curve::Viscous(_) => {
                made.damper = core.damping[0];
                made.damper_slopes[2] = core.units[0];
            }
            Curve::Ratio(_) => {
                let n = core.exponent;
                let part = 1.0 / (n + 1.0);
                let (ln_k, ln_v, ln_m) = (core.stiffness.ln(), speed.ln(), mass.ln());
                let log = part * (ln_k + (n - 1.0) * ln_v + n * ln_m);
                let unit = log.exp();
                made.damper = core.damping[0] * unit;
                made.damper_slopes = [
                    made.damper * part,
                    made.damper * part * (ln_v + ln_m - log),
                    unit * core.units[0],
                    0.0,
                ];
            }
            Curve::Own(entry) => {
                let mut all = vec![core];
                for k in 0..PARAMETERS {
                    all.extend([core.moved(k, STEP), core.moved(k, -STEP)]);
                }
                for core in all {
                    let law = entry.make(&core.settings())?;
                    let onset = law.onset(mass, speed)?;
                    made.own.push((law, onset));
                }
            }
        }
        Ok(made)
    }

    /// When the pair parts.
    pub fn parting(&self) -> Parting {
        match self.curve {
            Curve::Ratio(parting) | Curve::Viscous(parting) => parting,
            Curve::Hysteresis | Curve::Own(_) => Parting::ZeroForce,
        }
    }

    /// The depth of the elastic impact \[m\].
    pub fn depth(&self) -> f64 {
        self.core.spring().depth(0.5 * self.mass * self.speed * self.speed)
    }

    /// The force at an indentation, negative where the formula pulls.
    pub fn pull(&self, delta: f64, delta_dot: f64) -> Pull {
        let delta = delta.max(TOUCHING);
        if let Some((law, onset)) = self.own.first() {
            let x = Indentation { delta, delta_dot };
            let beside = |k: usize| self.own[k].0.force(&x, &self.own[k].1);
            let parameters =
                std::array::from_fn(|k| (beside(2 * k + 1) - beside(2 * k + 2)) / (2.0 * STEP));
            return Pull { force: law.force(&x, onset), slopes: law.slopes(&x, onset), parameters };
        }
        let Core { stiffness, exponent: n, damping, units } = self.core;
        let elastic = stiffness * self.core.spring().power(delta);
        if matches!(self.curve, Curve::Hysteresis) {
            let b = damping[0];
            let level = 1.0 + b * delta_dot / self.speed;
            let force = elastic * level;
            return Pull {
                force,
                slopes: [n * force / delta, elastic * b / self.speed],
                parameters: [
                    force,
                    force * delta.ln(),
                    elastic * delta_dot / self.speed * units[0],
                    0.0,
                ],
            };
        }
        let [k, e, d, _] = self.damper_slopes;
        Pull {
            force: elastic + self.damper * delta_dot,
            slopes: [n * elastic / delta, self.damper],
            parameters: [
                elastic + k * delta_dot,
                elastic * delta.ln() + e * delta_dot,
                d * delta_dot,
                0.0,
            ],
        }
    }
}
