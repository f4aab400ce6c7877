//! How contacts at rest will stand: Coulomb's law on accelerations.

use super::gripping;
use super::impulse::GIVE;
use super::motion::{Motion, MotionError};
use super::rub::Rub;
use super::spot::Grip;
use super::staying::Held;
use crate::contact::friction::Dry;
use crate::impact::laws::{
    ImpactContact, ImpactFriction, ImpactMemory, ImpactProblem, ImpactSolution, forces_at_rest,
};

/// Accelerations below this part of the largest are none.
const NOTHING: f64 = 1e-10;
/// Accelerations of tangents that come from normals giving way are below this many times their give.
const YIELDS: f64 = 10.0;
/// A slip that lasts is told from one that begins by a speed of this many times the largest acceleration: friction cannot turn it.
const LASTS: f64 = 1e3;

/// W with normals that give way a little: those that depend on each other share as equal springs do.
pub(super) fn give_way(W: &[f64], held: &[Held]) -> Vec<f64> {
    let (mut W, m) = (W.to_vec(), held.len());
    let most = (0..m).map(|i| W[i * m + i]).fold(0.0, f64::max);
    for i in (0..m).filter(|i| held[*i].part == 0) {
        W[i * m + i] += GIVE * most;
    }
    W
}

impl Motion<'_> {
    /// The rows of the chosen spots, normal and tangents, are in force; returns what an impact law is told of them.
    pub fn choose_rough(
        &mut self,
        chosen: &[bool],
        restitution: &dyn Fn(usize) -> f64,
        friction: &dyn Fn(usize, &Dry) -> f64,
    ) -> Result<Vec<ImpactContact>, MotionError> {
        let Self { model, mechanism, state, staying, rows, spots, rubs, dry, .. } = self;
        let at = mechanism.at(state)?;
        staying.clear();
        let mut contacts = Vec::with_capacity(chosen.len());
        for k in (0..chosen.len()).filter(|k| chosen[*k]) {
            staying.hold_row(Held::normal(k, rows[k]));
            let mut contact = ImpactContact::smooth(restitution(k));
            if let (Some(rub), Some(dry)) = (&rubs[k], &dry[spots[k].0.contact]) {
                contact.tangents = if model.is_planar() { 1 } else { 2 };
                for (part, row) in rub.rows.iter().enumerate().take(contact.tangents) {
                    staying.hold_row(Held::tangent(k, part + 1, *row));
                }
                contact.friction = if dry.sticks() {
                    ImpactFriction::Stick
                } else {
                    ImpactFriction::Coulomb(friction(k, dry))
                };
            }
            contacts.push(contact);
        }
        staying.prepare(&at);
        Ok(contacts)
    }

    /// How the resting spots stand, all of them open at the last look, with friction at rest less by a part. None if there is no
    /// answer.
    pub fn foretell(
        &mut self,
        resting: &[bool],
        ease: f64,
    ) -> Result<Option<Vec<Option<Grip>>>, MotionError> {
        let slip = |k: usize| {
            let rub = self.rubs[k].as_ref()?;
            (rub.speed() > self.resolution.rest()).then(|| rub.along())
        };
        let slips: Vec<Option<[f64; 2]>> = (0..resting.len()).map(slip).collect();
        let rubs = self.rubs.clone();
        let speed = |k: usize| rubs[k].as_ref().map_or(0.0, Rub::speed);
        let contacts = self.choose_rough(resting, &|_| 0.0, &|k, dry| match slips[k] {
            Some(_) => dry.coefficient(speed(k)),
            None => dry.breakaway * (1.0 - ease),
        })?;
        let bodies = self.accelerations().to_vec();
        let Self { mechanism, state, staying, spots, .. } = self;
        let at = mechanism.at(state)?;
        let held: Vec<Held> = staying.held().map(|(held, _)| *held).collect();
        let mut u = Vec::with_capacity(held.len());
        for held in &held {
            u.push(gripping::free(&at, spots[held.spot].0, held, &rubs, &bodies)?);
        }
        let largest = u.iter().fold(0.0_f64, |most, u| most.max(u.abs()));
        for (u, held) in u.iter_mut().zip(&held) {
            if let (Some(along), 1..) = (slips[held.spot], held.part) {
                *u += LASTS * largest * along[held.part - 1];
            }
        }
        let W = give_way(staying.W(), &held);
        let mut found = ImpactSolution::default();
        let solved = ImpactProblem::new(&contacts, &W, &u)
            .and_then(|problem| forces_at_rest(&problem, &mut ImpactMemory::default(), &mut found));
        if solved.is_err() {
            return Ok(None);
        }
        // Normals that give way let tangents of other contacts slip; less friction at rest is felt by less than that.
        let still = if ease > 0.0 { NOTHING } else { YIELDS * GIVE };
        let mut grips = vec![None; resting.len()];
        let mut row = 0;
        for contact in &contacts {
            let k = held[row].spot;
            let after = &found.after[row..row + contact.rows()];
            row += contact.rows();
            if found.impulses[row - contact.rows()] <= 0.0 && after[0] > NOTHING * largest {
                continue;
            }
            let slip = [1, 2].map(|part| after.get(part).copied().unwrap_or(0.0));
            let size = slip[0].hypot(slip[1]);
            grips[k] = Some(match (contact.tangents, slips[k]) {
                (0, _) => Grip::Smooth,
                (_, Some(along)) => Grip::Slides(along),
                (_, None) if size <= still * largest => Grip::Sticks,
                (_, None) => Grip::Slides(slip.map(|s| s / size)),
            });
        }
        Ok(Some(grips))
    }
}
