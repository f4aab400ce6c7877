//! The generalised energetic restitution of Modarres Najafabadi et al.

use super::memory::ImpactMemory;
use super::problem::ImpactProblem;
use super::solution::ImpactSolution;
use super::{ImpactError, ImpactLaw};
use crate::maths::zero;

/// Passes after which contacts that still close are an error.
const PASSES: usize = 1000;

/// How the contacts that get an impulse are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removal {
    /// By the complementarity 0 ≤ p ⟂ u⁻ + W p ≥ 0.
    Complementarity,
    /// Modarres Najafabadi et al.: rows with (W⁺ u⁻)_i ≥ 0 are removed, once.
    OnePass,
    /// The same until none is left to remove.
    Repeated,
}

impl std::str::FromStr for Removal {
    type Err = String;

    /// `complementarity`, `one-pass` or `repeated`.
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "complementarity" => Ok(Self::Complementarity),
            "one-pass" => Ok(Self::OnePass),
            "repeated" => Ok(Self::Repeated),
            _ => Err(format!(
                "removal: `{text}`, expected `complementarity`, `one-pass` or `repeated`"
            )),
        }
    }
}

/// Generalised: e* = √(T_c⁺/T_c⁻) on the rows in force, by the uniform law v⁺ = P_a v⁻ − e* P_c v⁻.
///
/// In contact space p = −(1 + e*) W_a⁻¹ u_a⁻ and u_a⁺ = −e* u_a⁻ on the rows a that get an impulse. Source: Modarres Najafabadi et al.
/// (Modarres Najafabadi, Kövecses, Angeles); e* fixes one number, the uniform law is one choice of the direction.
///
/// Units: u in m/s, p in N s. Sign: approaching is u < 0. Range: one e* for all contacts, no friction. A row in
/// force that was already parting comes back closing; then the law acts again, and the repeats are counted.
///
/// When to choose it: losses are known as energies of the whole impact rather than speeds at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generalised {
    /// How the rows in force are chosen.
    pub removal: Removal,
}

impl ImpactLaw for Generalised {
    fn takes_friction(&self) -> bool {
        false
    }

    fn name(&self) -> &'static str {
        match self.removal {
            Removal::Complementarity => "generalised",
            Removal::OnePass => "generalised-one-pass",
            Removal::Repeated => "generalised-repeated",
        }
    }

    fn act(
        &self,
        impact: &ImpactProblem<'_>,
        memory: &mut ImpactMemory,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        if let Some(contact) = impact.contacts().iter().position(|c| c.mu() > 0.0) {
            return Err(ImpactError::NoFriction { law: self.name(), contact });
        }
        let first = impact.contacts().first().map_or(0.0, |c| c.restitution);
        if let Some(other) = impact.contacts().iter().find(|c| c.restitution != first) {
            let second = other.restitution;
            return Err(ImpactError::OneRestitutionOnly { first, second });
        }
        let k = memory.u.len();
        let size = memory.size;
        let mut passes = 0;
        while memory.u.iter().any(|u| *u < -zero::SOLVED * size) {
            if passes > PASSES {
                return Err(ImpactError::StillClosing { repeats: PASSES });
            }
            self.pass(impact, memory, out)?;
            for (i, &row) in memory.first.iter().enumerate() {
                memory.p[i] *= 1.0 + first;
                out.impulses[row] += memory.p[i];
                if passes == 0 {
                    out.notes.active[i] = memory.p[i] > 0.0;
                }
            }
            for i in 0..k {
                let W = &memory.W[i * k..(i + 1) * k];
                memory.u[i] += W.iter().zip(&memory.p).map(|(w, p)| w * p).sum::<f64>();
            }
            passes += 1;
        }
        out.notes.repeats = passes.saturating_sub(1);
        out.notes.one_of_many = passes > 1;
        Ok(())
    }
}

impl Generalised {
    /// The plastic impulses p = −W_a⁺ u_a of the rows in force.
    fn pass(
        self,
        impact: &ImpactProblem<'_>,
        memory: &mut ImpactMemory,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        if self.removal != Removal::Complementarity {
            let repeated = self.removal == Removal::Repeated;
            match memory.removal(repeated, out) {
                Ok(true) => return Ok(()),
                Ok(false) => out.notes.guess_failed = true,
                Err(contact) => return Err(ImpactError::Pulls { contact }),
            }
        }
        memory.c.copy_from_slice(&memory.u);
        memory.complementarity(impact, out)
    }
}
