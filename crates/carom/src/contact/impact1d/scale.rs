//! The elastic impact as the unit of all others.

use super::Point;
use crate::contact::law::{ContactLaw, Indentation, LawError, Onset};
use crate::maths::quadrature::integral;
use crate::maths::root::{Width, bracketed};

/// An indentation that is not open but has no depth: the limit δ → 0 from above.
const TOUCHING: f64 = f64::MIN_POSITIVE;

/// Depth, time and peak force of the elastic impact.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// δ_el \[m\]: U(δ_el) = ½ m_eff δ̇⁻², eq. (5.4).
    pub length: f64,
    /// δ_el/δ̇⁻ \[s\].
    pub time: f64,
    /// F(δ_el, 0) \[N\].
    pub force: f64,
}

/// The depth over which a force of the approach's own speed takes up an energy; none if it never does.
fn stopping_depth(energy: f64, force: impl Fn(f64) -> f64) -> Option<f64> {
    let surplus = |depth: f64| integral(depth, &force) - energy;
    let mut high = 1e-12;
    loop {
        let value = surplus(high);
        if value > 0.0 {
            break;
        }
        // A force that is no number somewhere: the integration says where.
        if value.is_nan() {
            return Some(0.25 * high);
        }
        high *= 4.0;
        if !(high < 1e12) {
            return None;
        }
    }
    // A scale needs no digits.
    let width = Width { absolute: 0.0, relative: 1e-3 };
    bracketed(surplus, 0.0, high, width).ok().map(|root| root.x)
}

impl Scale {
    /// The elastic impact; for a law that stores nothing, the length over which its force at the approach speed would take up the energy.
    pub fn new(law: &dyn ContactLaw, onset: &Onset) -> Result<Self, LawError> {
        let Onset { speed: v, effective_mass: m, .. } = *onset;
        let energy = 0.5 * m * v * v;
        if !(energy > 0.0 && energy.is_finite()) {
            let (law, what) = (law.name(), "an energy of");
            let expected = "a positive number of 64 bits; mass or speed is extreme";
            return Err(LawError::OutOfRange { law, what, found: energy, expected });
        }
        let at = |delta, delta_dot| law.force(&Indentation { delta, delta_dot }, onset);
        let elastic = law.elastic_depth(energy, onset).map(|d| (d, at(d, 0.0)));
        let (length, force) = match elastic {
            Some((length, force)) if length > 0.0 && force > 0.0 => (length, force),
            _ => {
                let length = stopping_depth(energy, |delta| at(delta, v))
                    .ok_or(LawError::DoesNotResist { law: law.name(), speed: v })?;
                (length, at(length, v))
            }
        };
        let usable = |x: f64| x > 0.0 && x.is_finite();
        if usable(length) && usable(force) && usable(length / v) {
            return Ok(Self { length, time: length / v, force });
        }
        if force.is_nan() || force == f64::INFINITY {
            let law = law.name();
            return Err(LawError::NotFinite { law, found: force, delta: 0.0, delta_dot: v });
        }
        Err(LawError::DoesNotResist { law: law.name(), speed: v })
    }

    /// F \[N\] at a point; the limit from above where δ = 0.
    pub fn force_at(&self, law: &dyn ContactLaw, onset: &Onset, point: Point) -> f64 {
        law.force(&self.indentation(onset, point), onset)
    }

    /// The point in SI units; the limit from above where δ = 0.
    pub fn indentation(&self, onset: &Onset, point: Point) -> Indentation {
        Indentation {
            delta: (self.length * point.s).max(TOUCHING),
            delta_dot: onset.speed * point.y,
        }
    }
}
