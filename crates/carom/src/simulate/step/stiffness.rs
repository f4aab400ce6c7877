//! Explicit steps that are short for the sake of stability alone: stiff springs and dampers.
//!
//! h λ of the last stages of a step tells how near it is to the boundary of stability of DOP853, which is at about 6.1 (Hairer, Wanner:
//! Solving Ordinary Differential Equations II, section IV.2). Where that is so step after step, implicit steps go on until the next event.
//! While force laws act, they decide.

use crate::simulate::SimulateError;
use crate::simulate::mode::Status;
use crate::simulate::run::Runner;
use serde::{Deserialize, Serialize};

/// h λ above which a step is limited by its stability.
const BOUNDARY: f64 = 6.1;
/// It is looked at in every so many steps, and in each one while it is suspected.
const EVERY: usize = 25;
/// So many suspects make it sure, unless there are so many others in a row.
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
    /// Others since.
    pub calm: usize,
}

impl Stiffness {
    /// Takes h λ of a step.
    fn take(&mut self, stability: f64) {
        if stability > BOUNDARY {
            (self.suspects, self.calm) = (self.suspects + 1, 0);
            self.found = self.suspects >= SURE;
        } else if self.suspects > 0 {
            self.calm += 1;
            if self.calm >= CALM {
                (self.suspects, self.calm) = (0, 0);
            }
        }
    }
}

impl Runner<'_> {
    /// Whether explicit steps have turned out to be stiff with the last one.
    pub fn turns_stiff(&mut self) -> Result<bool, SimulateError> {
        let large = self.watch.dimension() > LARGEST;
        let touches = self.watch.spots.iter().any(|s| matches!(s.1, Status::Touching(_)));
        if self.method.is_stiff() || self.history.stiffness.found || large || touches {
            return Ok(false);
        }
        self.history.stiffness.steps += 1;
        if self.history.stiffness.suspects == 0
            && !self.history.stiffness.steps.is_multiple_of(EVERY)
        {
            return Ok(false);
        }
        let stability = self.method.stability(&mut self.system)?;
        self.history.stiffness.take(stability);
        Ok(self.history.stiffness.found)
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
