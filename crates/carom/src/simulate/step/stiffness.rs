//! Explicit steps that are short for the sake of stability alone: stiff springs, dampers, contacts and the band of their friction.
//!
//! h λ of the last stages of a step tells how near it is to the boundary of stability of DOP853, which is at about 6.1 (Hairer, Wanner:
//! Solving Ordinary Differential Equations II, section IV.2). Where that is so step after step, implicit steps go on until the next event, or
//! until explicit ones can be as long.

use crate::simulate::SimulateError;
use crate::simulate::mode::Status;
use crate::simulate::step::Control;
use crate::simulate::step::approach::Approach;
use crate::simulate::step::clock::Clock;
use serde::{Deserialize, Serialize};

/// h λ above which a step is limited by its stability.
const BOUNDARY: f64 = 6.1;
/// h λ of an implicit step below which explicit steps can be as long.
const EXPLICIT: f64 = 3.0;
/// While a force law acts, implicit steps are also tried after this many explicit ones since the last event, several times those of an impact,
/// if h λ is above the second number: where the fast decay of a slip is excited all the time, its error keeps steps short before their
/// stability does. After each trial that explicit steps could follow, twice as many.
const MANY: usize = 150;
const LIMITING: f64 = 1.0;
/// The first implicit step is longer than the last explicit one by this factor; its error corrects it.
const LONGER: f64 = 8.0;
/// h λ is evaluated once in this many steps, and in every step while stiffness is suspected.
const EVERY: usize = 25;
/// Switch to the implicit method after 15 stiff steps; reset the count after 6 consecutive steps that are not (Hairer & Wanner II, IV.2).
const SURE: usize = 15;
const CALM: usize = 6;
/// Matrices of a larger system would cost more than short steps.
const LARGEST: usize = 400;

/// What is known of the stiffness since the last event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stiffness {
    /// Whether it is sure.
    pub found: bool,
    /// Explicit steps.
    pub steps: usize,
    /// Steps at the boundary of stability.
    pub suspects: usize,
    /// Others since; in implicit steps, those in a row that an explicit method could take as well.
    pub calm: usize,
    /// How often implicit steps were tried because explicit ones were many.
    #[serde(default)]
    pub trials: u32,
    /// Whether contacts that last were integrated from the last restart on.
    #[serde(default)]
    pub lasting: bool,
}

impl Stiffness {
    /// Takes h λ of a step.
    fn take(&mut self, stability: f64) {
        if stability > BOUNDARY {
            (self.suspects, self.calm) = (self.suspects + 1, 0);
            if self.suspects >= SURE {
                (self.found, self.calm) = (true, 0);
            }
        } else if self.suspects > 0 {
            self.calm += 1;
            if self.calm >= CALM {
                (self.suspects, self.calm) = (0, 0);
            }
        }
    }

    /// Takes h λ of an implicit step; whether explicit ones can go on.
    fn relax(&mut self, stability: f64) -> bool {
        self.calm = if stability < EXPLICIT { self.calm + 1 } else { 0 };
        let relaxed = self.calm >= CALM;
        if relaxed {
            *self = Self { lasting: self.lasting, trials: self.trials, ..Self::default() };
        }
        relaxed
    }
}

impl Control<'_, '_> {
    /// Whether the other method should go on after the last step: explicit steps have turned out to be limited by stability alone, or implicit
    /// ones are so short that explicit ones could be as long. The first step of the other method then.
    pub fn switches_method(&mut self, t: f64) -> Result<Option<Approach>, SimulateError> {
        if self.path.watch.dimension() > LARGEST {
            return Ok(None);
        }
        let stiff = self.path.method.is_stiff();
        let changed = if stiff {
            self.stiffness.found
                && !self.has_lasting(t)
                && self.stiffness.relax(self.path.method.stability(&mut self.path.system)?)
        } else {
            self.stiffness.steps += 1;
            let Stiffness { suspects, steps, .. } = *self.stiffness;
            if suspects == 0 && !steps.is_multiple_of(EVERY) {
                return Ok(None);
            }
            let stability = self.path.method.stability(&mut self.path.system)?;
            self.stiffness.take(stability);
            let touches = self.path.watch.spots.iter().any(|s| matches!(s.1, Status::Touching(_)));
            if touches && stability > LIMITING && steps >= MANY << self.stiffness.trials {
                self.stiffness.found = true;
                self.stiffness.trials += 1;
            }
            self.stiffness.found
        };
        let first_step =
            Some(if stiff { self.path.method.h() } else { LONGER * self.path.method.h() });
        Ok(changed.then_some(Approach { clock: Clock::Plain, first_step }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stiffness_is_sure_after_fifteen_suspects_without_six_calm_steps_in_a_row() {
        let mut seen = Stiffness::default();
        for _ in 0..14 {
            seen.take(7.0);
        }
        for _ in 0..5 {
            seen.take(1.0);
        }
        assert!(!seen.found);
        seen.take(7.0);
        assert!(seen.found);
        let mut seen = Stiffness::default();
        for _ in 0..14 {
            seen.take(7.0);
        }
        for _ in 0..6 {
            seen.take(1.0);
        }
        seen.take(7.0);
        assert!(!seen.found && seen.suspects == 1);
    }
}
