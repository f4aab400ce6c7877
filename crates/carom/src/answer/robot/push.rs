//! The static push: the force with which the joints can press at rest, the least of effort / |J_n| over the joints.
//!
//! Gravity is left out. With closures it holds where none of them has a part in a joint that pushes: their forces can then be zero.

use super::{Arm, NearOptions};
use crate::answer::AnswerError;
use crate::dynamics::{Posture, RowWrench};
use crate::model::Model;

/// Columns of J_n below this fraction of the largest push nothing: round-off.
const NO_LEVER: f64 = 1e-12;

/// Effort limits of a machine, and memory to ask for its push in many poses.
pub(super) struct StaticPush<'m> {
    model: &'m Model,
    /// The limit of each joint velocity \[N m or N\].
    efforts: Vec<Option<f64>>,
    J: Vec<f64>,
    moved: Vec<f64>,
}

/// Why no push is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoPush {
    /// This joint velocity pushes and has no effort limit.
    NoLimit(usize),
    /// This joint velocity is part of a closed loop or a coupling.
    Closed(usize),
    /// No free joint pushes along the direction.
    NoLever,
}

impl NoPush {
    /// In words.
    pub(super) fn told(self, model: &Model) -> String {
        let name = |k: usize| model.coordinate_names().swap_remove(k);
        match self {
            Self::NoLimit(k) => format!("`{}` has no effort limit", name(k)),
            Self::Closed(k) => format!("`{}` is part of a closed loop or a coupling", name(k)),
            Self::NoLever => "no free joint pushes along the direction".to_owned(),
        }
    }
}

impl<'m> StaticPush<'m> {
    /// With the efforts that were given, or the file's `max_effort`.
    pub(super) fn new(arm: &'m Arm, options: &NearOptions) -> Result<Self, AnswerError> {
        let model = arm.model();
        if !options.effort.is_empty() && options.effort.len() != model.nv {
            let message = format!("{} numbers, expected {}", options.effort.len(), model.nv);
            return Err(AnswerError::asked("effort", message));
        }
        if let Some(bad) = options.effort.iter().find(|x| !(**x > 0.0)) {
            let message = format!("{bad} is not a positive effort limit");
            return Err(AnswerError::asked("effort", message));
        }
        let mut efforts: Vec<Option<f64>> = options.effort.iter().copied().map(Some).collect();
        if efforts.is_empty() {
            efforts = vec![None; model.nv];
            for joint in model.bodies.iter().map(|b| &b.joint) {
                efforts[joint.velocities()].fill(joint.max_effort);
            }
        }
        Ok(Self { model, efforts, J: vec![0.0; model.nv], moved: vec![0.0; model.nv] })
    }

    /// The push along a row in a posture \[N\], and the joint velocity that gives way first.
    pub(super) fn at(&mut self, at: &Posture<'_>, row: &RowWrench) -> Result<(f64, usize), NoPush> {
        at.jacobian_row_into(row, &mut self.J);
        let largest = self.J.iter().fold(0.0, |a: f64, x| a.max(x.abs()));
        let mut least: Option<(f64, usize)> = None;
        for k in (0..self.model.nv).filter(|&k| at.layout().is_free(k)) {
            let lever = self.J[k].abs();
            if !(lever > NO_LEVER * largest) {
                continue;
            }
            if !self.model.closures.is_empty() {
                self.moved[k] = 1.0;
                let closed = at.closure_rates(&self.moved).iter().any(|rate| *rate != 0.0);
                self.moved[k] = 0.0;
                if closed {
                    return Err(NoPush::Closed(k));
                }
            }
            let force = self.efforts[k].ok_or(NoPush::NoLimit(k))? / lever;
            if least.is_none_or(|(found, _)| force < found) {
                least = Some((force, k));
            }
        }
        least.filter(|(force, _)| force.is_finite()).ok_or(NoPush::NoLever)
    }
}
