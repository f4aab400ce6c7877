//! The greatest reactions of joints and closures while an impact lasts.

use crate::dynamics::Excitation;
use crate::maths::{Vec3, Wrench};
use crate::simulate::SimulateError;
use crate::simulate::error::AtTime;
use crate::simulate::record::Observer;
use crate::simulate::resolve::Impact;

use crate::simulate::system::{Motion, MotionError};
use serde::{Deserialize, Serialize};

/// The greatest reaction of a joint or a closure while an impact lasted; of an impulse, the reaction impulse.
///
/// It acts on the joint's body, or on the closure's second body, at its point there, in world axes. What drives, joint springs and
/// efforts do is part of a joint's. In a piecewise run forces are impulses \[N s\], moments \[N m s\], of all contacts that struck
/// at that instant together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointPeak {
    /// The greatest force \[N\].
    #[serde(with = "crate::maths::exact")]
    pub force: Vec3,
    /// When it acted \[s\].
    #[serde(with = "crate::maths::exact")]
    pub time_of_force: f64,
    /// The greatest moment \[N m\].
    #[serde(with = "crate::maths::exact")]
    pub moment: Vec3,
    /// When it acted \[s\].
    #[serde(with = "crate::maths::exact")]
    pub time_of_moment: f64,
    /// Whether the reaction is the only one in balance with the motion; it is not where closures are redundant.
    pub unique: bool,
}

impl JointPeak {
    /// At one moment.
    fn at(t: f64, wrench: &Wrench, unique: bool) -> Self {
        let Wrench { force, moment } = *wrench;
        Self { force, time_of_force: t, moment, time_of_moment: t, unique }
    }

    /// Takes what is greater.
    pub(in crate::simulate) fn raise(&mut self, t: f64, wrench: &Wrench) {
        if wrench.force.norm_squared() > self.force.norm_squared() {
            (self.force, self.time_of_force) = (wrench.force, t);
        }
        if wrench.moment.norm_squared() > self.moment.norm_squared() {
            (self.moment, self.time_of_moment) = (wrench.moment, t);
        }
    }
}

impl Motion<'_> {
    /// What joints and closures transmit at the state observed last.
    pub fn transmit(&mut self) -> Result<(), MotionError> {
        if self.in_plane {
            self.evaluate_in_space(true)?;
            self.in_plane = false;
        }
        let Self { mechanism, state, work, transmitted, .. } = self;
        mechanism.at(state)?.transmit(&work.wrenches, &work.solution, transmitted);
        Ok(())
    }

    /// What they transmit at impulses on the bodies.
    fn transmit_impulses(&mut self, wrenches: &[Wrench]) -> Result<(), MotionError> {
        let Self { mechanism, state, transmitted, .. } = self;
        let at = mechanism.at(state)?;
        let change = at.solve(&Excitation { wrenches, ..Excitation::default() });
        at.transmit(wrenches, &change, transmitted);
        Ok(())
    }

    /// Whether each reaction is unique at the state placed last.
    fn unique(&mut self) -> Result<Vec<bool>, MotionError> {
        let count = self.model.bodies.len() + self.model.closures.len();
        if self.model.closures.is_empty() {
            return Ok(vec![true; count]);
        }
        Ok(self.posture()?.unique_reactions())
    }
}

impl Observer<'_, '_> {
    /// The impact recorded last begins: its greatest reactions are zero.
    pub fn begin_reactions(&mut self, t: f64) -> Result<(), SimulateError> {
        if !self.path.scenario.records_joint_peaks() {
            self.record.out.reactions.push(Vec::new());
            return Ok(());
        }
        let unique = self.path.watch.unique().at_time(t)?;
        let none = unique.into_iter().map(|u| JointPeak::at(t, &Wrench::zero(), u));
        self.record.out.reactions.push(none.collect());
        Ok(())
    }

    /// Records impulses of one instant: points, reactions of joints, and which points were struck together.
    pub fn record_impact(&mut self, t: f64, impact: Impact) -> Result<(), SimulateError> {
        let Impact { before, records, mut struck, wrenches } = impact;
        let first = self.record.out.impacts.len();
        self.record.out.impacts.extend(records);
        struck.iter_mut().filter_map(|s| s.1.as_mut()).for_each(|record| *record += first);
        if !self.path.scenario.records_joint_peaks() {
            self.record.out.reactions.resize(self.record.out.impacts.len(), Vec::new());
        } else if self.record.out.impacts.len() > first {
            self.path.watch.transmit_impulses(&wrenches).at_time(t)?;
            let unique = self.path.watch.unique().at_time(t)?;
            let all = self.path.watch.transmitted.iter().zip(unique);
            let all: Vec<_> = all.map(|(w, unique)| JointPeak::at(t, w, unique)).collect();
            self.record.out.reactions.resize(self.record.out.impacts.len(), all);
        }
        self.blows_of_impulses(t, &before, &struck)
    }
}
