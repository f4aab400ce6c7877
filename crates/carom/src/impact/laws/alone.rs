//! Contacts that carry an impact alone: each by its own process.

use super::ImpactError;
use super::memory::ImpactMemory;
use super::problem::{ImpactFriction, ImpactProblem};
use super::process::{Ending, Outcome, Single};
use super::solution::{ContactMode, FrictionForm, ImpactSolution};
use crate::maths::zero;

/// Square of the coupling, by both rows' own W, below which two rows do not feel each other.
const UNCOUPLED: f64 = zero::POSITIONS * zero::POSITIONS;
/// Times a contact may be drawn together again while its impact lasts.
const AGAIN: usize = 20;

impl ImpactMemory {
    /// One contact by its process from velocities `u`.
    pub(super) fn single(
        &self,
        impact: &ImpactProblem<'_>,
        u: &[f64],
        i: usize,
        ending: Ending,
    ) -> Result<Outcome, ImpactError> {
        let (at, contact) = (self.first[i], &impact.contacts()[i]);
        let mut one = Single {
            W: [[0.0; 3]; 3],
            u: [0.0; 3],
            e: contact.restitution,
            mu: contact.mu(),
            ending,
            rest: zero::POSITIONS * self.fastest,
        };
        for x in 0..contact.rows() {
            one.u[x] = u[at + x];
            for y in 0..contact.rows() {
                one.W[x][y] = impact.w(at + x, at + y);
            }
        }
        if !(one.W[0][0] > 0.0) {
            return Err(ImpactError::Blocked { contact: i });
        }
        let size = one.u[0].abs();
        let mut out = one.run();
        // The limit of large μ is no situation of its own.
        out.painleve &= contact.friction != ImpactFriction::Stick;
        // In space a slip that turns may draw the bodies together again before the impact is over.
        let mut impulse = out.impulse;
        loop {
            for x in 0..3 {
                one.u[x] += (0..3).map(|y| one.W[x][y] * impulse[y]).sum::<f64>();
            }
            if impulse.iter().any(|p| !p.is_finite()) || out.repeats > AGAIN {
                return Err(ImpactError::Blocked { contact: i });
            }
            if one.u[0] >= -zero::SOLVED * size {
                return Ok(out);
            }
            let next = one.run();
            impulse = next.impulse;
            let sum = std::array::from_fn(|x| out.impulse[x] + impulse[x]);
            out = Outcome { impulse: sum, repeats: out.repeats + 1, ..next };
        }
    }

    /// The one contact that closes by its process, if that leaves no other closing; several, each by its own, if they do not
    /// feel each other. Otherwise how many take part.
    pub(super) fn alone(
        &mut self,
        impact: &ImpactProblem<'_>,
        ending: Ending,
        out: &mut ImpactSolution,
    ) -> Result<Result<(), usize>, ImpactError> {
        let closing = self.closing();
        if closing > 1 && self.coupled(impact) {
            return Ok(Err(closing));
        }
        for i in 0..self.u.len() {
            if self.u[i] >= -zero::SOLVED * self.size {
                continue;
            }
            let found = self.single(impact, impact.u(), i, ending)?;
            let (at, rows) = (self.first[i], impact.contacts()[i].rows());
            out.impulses[at..at + rows].copy_from_slice(&found.impulse[..rows]);
            out.notes.modes[i] = found.mode;
            note_single(out, i, &found);
            if found.mode != ContactMode::Smooth {
                out.notes.friction = FrictionForm::Process;
            }
        }
        let n = impact.rows();
        let pushed = |row: usize| {
            let W = &impact.W()[row * n..(row + 1) * n];
            let change: f64 = W.iter().zip(&out.impulses).map(|(w, p)| w * p).sum();
            impact.u()[row] >= -zero::SOLVED * self.size
                && impact.u()[row] + change < -zero::SOLVED * self.size
        };
        let pushed = self.first.iter().filter(|row| pushed(**row)).count();
        if pushed > 0 {
            out.impulses.fill(0.0);
            out.notes.modes.fill(ContactMode::Open);
            (out.notes.repeats, out.notes.wedged) = (0, false);
            out.notes.friction = FrictionForm::Absent;
            return Ok(Err(closing + pushed));
        }
        Ok(Ok(()))
    }

    /// Whether some of the contacts that close feel each other.
    fn coupled(&self, impact: &ImpactProblem<'_>) -> bool {
        let n = impact.rows();
        let closes = |i: usize| self.u[i] < -zero::SOLVED * self.size;
        let rows = |i: usize| self.first[i]..self.first[i] + impact.contacts()[i].rows();
        (0..self.u.len()).filter(|i| closes(*i)).any(|i| {
            (0..i).filter(|j| closes(*j)).any(|j| {
                rows(i).any(|x| {
                    rows(j).any(|y| {
                        let w = impact.W()[x * n + y];
                        w * w > UNCOUPLED * impact.w(x, x) * impact.w(y, y)
                    })
                })
            })
        })
    }
}

/// Notes what one contact's process met.
pub(super) fn note_single(out: &mut ImpactSolution, i: usize, found: &Outcome) {
    out.notes.wedged |= found.wedged;
    out.notes.repeats += found.repeats;
    if found.painleve && out.notes.painleve.is_none() {
        out.notes.painleve = Some(i);
    }
}

/// The first contact that slides so that its own impulse draws the bodies together: W_nn ≤ μ W_nt u_t/|u_t|.
pub(super) fn painleve(impact: &ImpactProblem<'_>, first: &[usize]) -> Option<usize> {
    let found = |i: &usize| {
        let (contact, at) = (&impact.contacts()[*i], first[*i]);
        let ImpactFriction::Coulomb(mu) = contact.friction else { return false };
        let tangents = at + 1..at + contact.rows();
        let slip = tangents.clone().fold(0.0_f64, |s, x| s.hypot(impact.u()[x]));
        let along: f64 = tangents.map(|x| impact.w(at, x) * impact.u()[x]).sum();
        slip > 0.0 && impact.w(at, at) * slip <= mu * along
    };
    (0..first.len()).find(|i| found(i))
}
