//! Friction laws: the tangential force of a touching pair from its normal force and its slip.
//!
//! Slip is the tangential velocity of body j against body i, along one tangent in the plane and two in space. The force acts on j
//! along the same tangents and opposes the slip, so its power f · slip is never positive while a law only loses energy. Laws with
//! bristles have internal states z, which start at zero with every onset.
//!
//! | law | μ of the slip v | states |
//! |---|---|---|
//! | [`Coulomb`] | μ dir(v) | 0 |
//! | [`Stribeck`] | (μ_k + (μ_s − μ_k) e^{−v²/v_s²}) dir(v) + σ₂ v | 0 |
//! | [`LuGre`] | σ₀ z + σ₁ ż + σ₂ v | 1 a tangent |
//! | [`Bristle`] | Gonzalez et al. section 3.4: with dwell time | 1 a tangent, and the dwell state |
//!
//! dir(v) is v/|v|, and smooth inside a band |v| < v_d: (v/v_d)(3 − |v|²/v_d²)/2. A law with a band creeps where a real
//! contact sticks: at v_d by the full force.

mod bristle;
mod coulomb;
mod lugre;
mod stribeck;

pub use bristle::Bristle;
pub use coulomb::Coulomb;
pub use lugre::LuGre;
pub use stribeck::Stribeck;

use crate::model::{Friction, FrictionKind, FrictionParameters};
use std::fmt::Debug;
use std::sync::Arc;

/// The band \[m/s\] of Coulomb's law if none is written.
pub const BAND: f64 = 1e-3;

/// What a friction law is asked with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sliding {
    /// F_N ≥ 0 \[N\].
    pub normal: f64,
    /// Slip along the tangents \[m/s\]; the second is zero in the plane.
    pub slip: [f64; 2],
}

impl Sliding {
    /// |v| \[m/s\].
    pub fn speed(&self) -> f64 {
        self.slip[0].hypot(self.slip[1])
    }
}

/// A law of the tangential contact force.
pub trait FrictionLaw: Debug + Send + Sync {
    /// How many internal states it has with one or two tangents.
    fn states(&self, tangents: usize) -> usize;

    /// The natural size of an internal state under a normal force \[N\], for error control.
    fn state_size(&self, _normal: f64) -> f64 {
        1.0
    }

    /// The slip speed \[m/s\] at which the force has a corner, if there is one.
    fn corner(&self) -> Option<f64> {
        None
    }

    /// The force on body j along the tangents \[N\]; the rates of the internal states go to `z_dot`.
    fn force(&self, x: &Sliding, z: &[f64], z_dot: &mut [f64]) -> [f64; 2];
}

/// v/|v|, smooth inside the band.
fn direction(slip: [f64; 2], band: f64) -> [f64; 2] {
    let speed = slip[0].hypot(slip[1]);
    if speed >= band {
        return slip.map(|v| v / speed);
    }
    let x = speed / band;
    slip.map(|v| v / band * (1.5 - 0.5 * x * x))
}

/// The law that a model states; none for no friction, and for sticking, which is no force law.
pub fn of_contact(friction: Option<&Friction>) -> Option<Arc<dyn FrictionLaw>> {
    match friction? {
        Friction::Stick => None,
        Friction::Coefficient(mu) if *mu == 0.0 => None,
        Friction::Coefficient(mu) => Some(Arc::new(Coulomb { coefficient: *mu, band: BAND })),
        Friction::Law(parameters) => Some(made(parameters)),
    }
}

/// The coefficient that stands for `friction = "stick"`. A contact that cannot stick, because it would have to pull, slides with a normal
/// force of next to nothing.
const STICK: f64 = 1e7;

/// Dry friction of rigid contacts: |F_T| ≤ μ_s F_N at rest, F_T = μ(v) F_N against the slip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dry {
    /// μ_s.
    pub breakaway: f64,
    /// μ_k.
    pub kinetic: f64,
    /// v_s of a coefficient that falls with the slip \[m/s\]; infinitely slow if it does not.
    speed: f64,
    /// σ₂ \[s/m\].
    viscous: f64,
}

impl Dry {
    /// What the file states, for a rigid contact; none without friction. A law with bristles has no rigid form: its name.
    pub fn of_contact(friction: Option<&Friction>) -> Result<Option<Self>, &'static str> {
        let plain = |mu: f64| Self { breakaway: mu, kinetic: mu, speed: 0.0, viscous: 0.0 };
        Ok(match friction {
            None => None,
            Some(Friction::Coefficient(mu)) if *mu == 0.0 => None,
            Some(Friction::Stick) => Some(plain(STICK)),
            Some(Friction::Coefficient(mu)) => Some(plain(*mu)),
            Some(Friction::Law(p)) => match p.kind {
                FrictionKind::Coulomb => Some(plain(p.kinetic)),
                FrictionKind::Stribeck => Some(Self {
                    breakaway: p.breakaway.unwrap_or(p.kinetic),
                    speed: p.speed.unwrap_or(0.0),
                    viscous: p.viscous.unwrap_or(0.0),
                    ..plain(p.kinetic)
                }),
                FrictionKind::LuGre | FrictionKind::Bristle => return Err(p.kind.name()),
            },
        })
    }

    /// Whether friction is the limit of a large coefficient.
    pub fn sticks(&self) -> bool {
        self.breakaway >= STICK
    }

    /// μ at a slip speed \[m/s\].
    pub fn coefficient(&self, speed: f64) -> f64 {
        if self.speed == 0.0 {
            return self.kinetic;
        }
        let x = speed / self.speed;
        self.kinetic + (self.breakaway - self.kinetic) * (-x * x).exp() + self.viscous * speed
    }
}

fn made(p: &FrictionParameters) -> Arc<dyn FrictionLaw> {
    let (kinetic, band) = (p.kinetic, p.band.unwrap_or(BAND));
    let breakaway = p.breakaway.unwrap_or(kinetic);
    let (speed, viscous) = (p.speed.unwrap_or(band), p.viscous.unwrap_or(0.0));
    let (stiffness, damping) = (p.stiffness.unwrap_or(0.0), p.damping.unwrap_or(0.0));
    match p.kind {
        FrictionKind::Coulomb => Arc::new(Coulomb { coefficient: kinetic, band }),
        FrictionKind::Stribeck => Arc::new(Stribeck { kinetic, breakaway, speed, viscous, band }),
        FrictionKind::LuGre => {
            Arc::new(LuGre { kinetic, breakaway, speed, stiffness, damping, viscous })
        }
        FrictionKind::Bristle => Arc::new(Bristle {
            kinetic,
            breakaway,
            speed,
            stiffness,
            damping,
            viscous,
            dwell: p.dwell.unwrap_or(0.0),
            band,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_direction_is_smooth_at_the_band() {
        let at = |v: f64| direction([v, 0.0], 0.1)[0];
        assert_eq!(at(0.1), 1.0);
        assert!((at(0.1 - 1e-9) - 1.0).abs() < 1e-15, "the slope is zero there");
        assert_eq!(at(0.05), 0.5 * (1.5 - 0.125));
        assert_eq!(direction([3.0, -4.0], 0.1), [0.6, -0.8]);
        assert_eq!(direction([0.0, 0.0], 0.1), [0.0, 0.0]);
    }

    #[test]
    fn every_law_opposes_steady_slip_with_its_kinetic_force() {
        // After a second of slip at 0.5 m/s the states have settled.
        let laws: [Arc<dyn FrictionLaw>; 4] = [
            Arc::new(Coulomb { coefficient: 0.3, band: 1e-3 }),
            Arc::new(Stribeck {
                kinetic: 0.3,
                breakaway: 0.4,
                speed: 0.05,
                viscous: 0.0,
                band: 1e-3,
            }),
            Arc::new(LuGre {
                kinetic: 0.3,
                breakaway: 0.4,
                speed: 0.05,
                stiffness: 1e3,
                damping: 1.0,
                viscous: 0.0,
            }),
            Arc::new(Bristle {
                kinetic: 0.3,
                breakaway: 0.4,
                speed: 0.05,
                stiffness: 1e4,
                damping: 100.0,
                viscous: 0.0,
                dwell: 0.1,
                band: 1e-3,
            }),
        ];
        for law in laws {
            let x = Sliding { normal: 10.0, slip: [0.3, -0.4] };
            let n = law.states(2);
            let (mut z, mut rate) = (vec![0.0; n], vec![0.0; n]);
            let mut force = [0.0; 2];
            for _ in 0..100_000 {
                force = law.force(&x, &z, &mut rate);
                z.iter_mut().zip(&rate).for_each(|(z, r)| *z += 1e-5 * r);
            }
            assert!((force[0] + 3.0 * 0.6).abs() < 1e-6, "{law:?}: {force:?}");
            assert!((force[1] - 3.0 * 0.8).abs() < 1e-6, "{law:?}: {force:?}");
            assert!(force[0] * x.slip[0] + force[1] * x.slip[1] < 0.0);
        }
    }
}
