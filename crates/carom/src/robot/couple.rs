//! Joints that follow others: couplings, and where they start.

use super::merge::Merged;
use super::{Fault, JointMotion, Note, Robot};

/// q_joint − multiplier · q_other = offset.
#[derive(Debug)]
pub(super) struct Coupling {
    /// The joint that follows.
    pub joint: usize,
    /// The joint that leads.
    pub other: usize,
    /// The factor.
    pub multiplier: f64,
    /// The constant.
    pub offset: f64,
}

/// The couplings of a robot. A joint that follows one that does not move is held.
pub(super) fn couplings(
    robot: &mut Robot,
    merged: &Merged,
    notes: &mut Vec<Note>,
) -> Result<Vec<Coupling>, Vec<Fault>> {
    let mut out = Vec::new();
    let mut faults = Vec::new();
    for k in 0..robot.joints.len() {
        let Some(mimic) = robot.joints[k].mimic.clone() else { continue };
        if merged.place[robot.joints[k].child].is_none() {
            continue;
        }
        let (name, other) = (robot.joints[k].name.clone(), &robot.joints[mimic.joint]);
        if merged.place[other.child].is_none() {
            let message = format!("joint `{name}` mimics `{}`, which is left out", other.name);
            faults.push(Fault::at(&mimic.span, message));
        } else if other.motion == JointMotion::Fixed {
            notes.push(Note::new(format!(
                "joint `{name}` mimics `{}`, which is fixed: it is held at {}",
                other.name, mimic.offset
            )));
            robot.joints[k].locked = Some(mimic.offset);
        } else {
            notes.push(Note::new(format!(
                "joint `{name}` mimics `{}`: the closure `mimic_…` keeps q = {} q_other + {}",
                other.name, mimic.multiplier, mimic.offset
            )));
            out.push(Coupling {
                joint: k,
                other: mimic.joint,
                multiplier: mimic.multiplier,
                offset: mimic.offset,
            });
        }
    }
    if faults.is_empty() { Ok(out) } else { Err(faults) }
}

/// Where a joint starts when those that lead stand at zero; chains are followed to their end, which the reader has seen to exist.
pub(super) fn start(robot: &Robot, joint: usize) -> f64 {
    let (mut factor, mut sum) = (1.0, 0.0);
    let mut at = joint;
    for _ in 0..=robot.joints.len() {
        if let Some(held) = robot.joints[at].locked {
            return sum + factor * held;
        }
        let Some(mimic) = &robot.joints[at].mimic else {
            return sum + factor * robot.joints[at].start.position.first().unwrap_or(&0.0);
        };
        sum += factor * mimic.offset;
        factor *= mimic.multiplier;
        at = mimic.joint;
    }
    sum
}
