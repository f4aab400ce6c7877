//! Sliding modes: loads that jump where the motion changes its sign, and push it back from both sides.
//!
//! A load such as −F sign(v) is discontinuous across a surface s(q, v, t) = 0. Where ṡ points to the surface on both sides, no solution in the usual
//! sense leaves it, and every step crosses it again (A. F. Filippov: Differential Equations with Discontinuous Righthand Sides, Kluwer 1988, section 4):
//!
//! ```text
//! ṡ(s → 0⁺) < 0 < ṡ(s → 0⁻)
//! ```
//!
//! Both one-sided rates are found by following the motion across the surface and back, which needs nothing of the form of the load.

use crate::maths::expression::Tape;
use crate::maths::ode::System as _;
use crate::maths::zero;
use crate::model::{Load, Model};
use crate::simulate::SimulateError;
use crate::simulate::error::AtTime;
use crate::simulate::locate::switch::value;
use crate::simulate::trajectory::Trajectory;

/// A surface further away than this many steps is not what shortens them.
const NEAR: f64 = 2.0;
/// A rate that fades towards the surface, as that of a damper, is there below this part of what it was; that of a jump is not.
const JUMPS: f64 = 1e-4;

/// A switch function s and its rate ṡ at a state, with the rates of that state.
struct Side {
    y: Vec<f64>,
    rates: Vec<f64>,
    s: f64,
    s_dot: f64,
}

impl Side {
    /// Whether the motion leads to the surface.
    fn returns(&self) -> bool {
        self.s * self.s_dot < 0.0
    }

    /// The time \[s\] to the surface.
    fn time(&self) -> f64 {
        -self.s / self.s_dot
    }

    /// The state some time later, to first order.
    fn after(&self, time: f64) -> Vec<f64> {
        self.y.iter().zip(&self.rates).map(|(y, rate)| y + time * rate).collect()
    }
}

/// Refuses a load that holds the motion on one of its jumps, if the last step was short and rejected before.
pub(in crate::simulate) fn require_no_sliding_mode(
    path: &mut Trajectory<'_>,
    switches: &[Tape],
    rejected: usize,
) -> Result<(), SimulateError> {
    let t = path.method.t();
    let h = t - path.step.time;
    if rejected == 0 || h > zero::MODES * path.unit_of_time() || switches.is_empty() {
        return Ok(());
    }
    for switch in switches {
        let ends = [(path.step.time, path.step.y.clone()), (t, path.method.y().to_vec())];
        for (t, y) in ends {
            if is_sliding_mode(path, switch, t, y, h)? {
                return Err(SimulateError::SlidingMode { t, load: load_of(path.model, switch) });
            }
        }
    }
    // What was observed last is the end of the step again.
    path.observe_end()
}

/// Whether the rates on both sides of a switch lead to it, from a state within a few steps of it.
fn is_sliding_mode(
    path: &mut Trajectory<'_>,
    switch: &Tape,
    t: f64,
    y: Vec<f64>,
    h: f64,
) -> Result<bool, SimulateError> {
    let way = zero::INTEGRATED * path.unit_of_time();
    let here = side(path, switch, t, y, way)?;
    let first = if here.s == 0.0 { way } else { (1.0 + zero::MODES) * here.time() };
    if !(first > 0.0 && first <= (NEAR * h).max(way)) {
        return Ok(false);
    }
    let one = side(path, switch, t, here.after(first), way)?;
    let passed = here.s == 0.0 || one.s * here.s < 0.0;
    if !passed || !one.returns() || one.s_dot.abs() < JUMPS * here.s_dot.abs() {
        return Ok(false);
    }
    let other = side(path, switch, t, one.after(2.0 * one.time()), way)?;
    let passed = other.s * one.s < 0.0;
    Ok(passed && other.returns() && other.s_dot.abs() >= JUMPS * one.s_dot.abs())
}

/// A switch and its rate at a state, found over this time \[s\].
fn side(
    path: &mut Trajectory<'_>,
    switch: &Tape,
    t: f64,
    y: Vec<f64>,
    way: f64,
) -> Result<Side, SimulateError> {
    let mut rates = vec![0.0; y.len()];
    path.system.rate(t, &y, &mut rates).at_time(t)?;
    let s = value(switch, path.watch.place(t, &y));
    let mut side = Side { y, rates, s, s_dot: 0.0 };
    let later = value(switch, path.watch.place(t + way, &side.after(way)));
    side.s_dot = (later - s) / way;
    Ok(side)
}

/// The name of the load that a switch belongs to.
fn load_of(model: &Model, switch: &Tape) -> String {
    let has = |load: &&Load| load.expressions().iter().any(|t| t.switches()[1].contains(switch));
    model.loads.iter().find(has).map(|load| load.name().to_owned()).unwrap_or_default()
}
