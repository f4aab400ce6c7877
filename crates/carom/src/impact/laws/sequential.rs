//! One contact after the other.

use super::alone::note_single;
use super::memory::ImpactMemory;
use super::problem::ImpactProblem;
use super::process::Ending;
use super::solution::{ContactMode, FrictionForm, ImpactSolution};
use super::{ImpactError, ImpactLaw};
use crate::maths::zero;

/// Closing speeds this many times the first ones only grow.
const GROWN: f64 = 1e4;
/// Steps for each contact after which impacts that have not faded are an error.
const STEPS: usize = 2000;

/// The law of the single impacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SingleLaw {
    /// u_n⁺ = −e u_n⁻.
    Newton,
    /// p_n = (1 + e) p_c.
    Poisson,
    /// e² of the work.
    Energetic,
}

/// Sequential: the contact that closes fastest is struck alone, then the fastest of those that close now, until all part.
///
/// Each single impact is the process of its contact, with friction, by the inner law. This is Newton's cradle as it is
/// seen: the impulse travels through the row of balls.
///
/// Units: u in m/s, p in N s. Sign: approaching is u < 0. Range: any number of contacts, as long as the impacts end. Where two
/// contacts close equally fast the first is taken, and the tie is counted: another order may end otherwise. A sequence that
/// fades without end (e < 1 in a row of balls) is cut off where it no longer matters, and that is said.
///
/// When to choose it: stiff bodies in a row whose contacts pass the blow on one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sequential {
    /// The law of the single impacts.
    pub inner: SingleLaw,
}

impl ImpactLaw for Sequential {
    fn name(&self) -> &'static str {
        match self.inner {
            SingleLaw::Newton => "sequential",
            SingleLaw::Poisson => "sequential-poisson",
            SingleLaw::Energetic => "sequential-energetic",
        }
    }

    fn acts_by(&self) -> &'static str {
        match self.inner {
            SingleLaw::Newton => "newton",
            SingleLaw::Poisson => "poisson",
            SingleLaw::Energetic => "energetic",
        }
    }

    fn act(
        &self,
        impact: &ImpactProblem<'_>,
        memory: &mut ImpactMemory,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        let ending = match self.inner {
            SingleLaw::Newton => Ending::Newton,
            SingleLaw::Poisson => Ending::Poisson,
            SingleLaw::Energetic => Ending::Energetic,
        };
        let size = memory.size;
        let n = impact.rows();
        let mut u = std::mem::take(&mut memory.rows);
        u.copy_from_slice(impact.u());
        let answer = loop {
            let Some((i, tie)) = fastest(memory, &u, size) else { break Ok(()) };
            // Newton's law with friction may gain energy at every step.
            let grows = u[memory.first[i]] < -GROWN * size;
            if grows || out.notes.steps >= STEPS * memory.first.len() {
                break Err(ImpactError::StillClosing { repeats: out.notes.steps });
            }
            let found = match memory.single(impact, &u, i, ending) {
                Ok(found) => found,
                Err(error) => break Err(error),
            };
            out.notes.steps += 1;
            out.notes.ties += usize::from(tie);
            // A sequence that comes to closing speeds below this part of the first ones only fades.
            out.notes.accumulated |= u[memory.first[i]] > -zero::INTEGRATED * size;
            note_single(out, i, &found);
            out.notes.modes[i] = found.mode;
            if found.mode != ContactMode::Smooth {
                out.notes.friction = FrictionForm::Sequence;
            }
            let at = memory.first[i];
            for x in 0..impact.contacts()[i].rows() {
                out.impulses[at + x] += found.impulse[x];
                for (row, u) in u.iter_mut().enumerate() {
                    *u += impact.W()[row * n + at + x] * found.impulse[x];
                }
            }
        };
        memory.rows = u;
        answer
    }
}

/// The contact that closes fastest, and whether another does so as fast; none if all have faded.
fn fastest(memory: &ImpactMemory, u: &[f64], size: f64) -> Option<(usize, bool)> {
    // Closing speeds below this part of the first ones no longer count.
    let mut best = (usize::MAX, -zero::SOLVED * size, false);
    for (i, &row) in memory.first.iter().enumerate() {
        let speed = u[row];
        // Contacts that close within this part of each other's speed are struck at once.
        if speed < best.1 * (1.0 + zero::INTEGRATED) {
            best = (i, speed, false);
        } else if best.0 != usize::MAX && speed <= best.1 * (1.0 - zero::INTEGRATED) {
            best.2 = true;
        }
    }
    (best.0 != usize::MAX).then_some((best.0, best.2))
}
