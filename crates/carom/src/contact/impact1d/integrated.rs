//! The impact of any law, integrated in units of the elastic one.
//!
//! s″ = −F(δ_el s, δ̇⁻ y) δ_el/(m δ̇⁻²) by Dormand and Prince's method of order eight; every event is landed on with a step
//! of its own. With parting at zero force a parted pair flies free while its law, with the same onset, gives F ≤ 0, and is
//! pressed again where F rises above zero before the gap has opened.

use super::scale::Scale;
use super::{Factors, Point};
use crate::contact::law::{ContactLaw, LawError, Onset, Parting};
use crate::maths::ode::{Dop853, OdeError, System, Tolerance};
use crate::maths::root::{Width, bracketed};
use std::convert::Infallible;

/// Relative error of a step; some hundred of them keep 1e-12.
const RELATIVE: f64 = 1e-14;
/// Absolute error of s and y, whose sizes are about 1.
const ABSOLUTE: [f64; 2] = [1e-16; 2];
/// The first step; it grows at once if it may.
const FIRST_STEP: f64 = 1e-5;
/// An impact that takes more steps is not going to end.
const MOST_STEPS: usize = 100_000;
/// A pair that is pressed this many elastic depths together is not stopped by its law.
const DEEPEST: f64 = 1e6;
/// A restitution above 1 by less than this is the error of the integration.
const LOSSLESS: f64 = 1e-11;
/// Round-off of the parts of a force, against its elastic part.
const ROUND_OFF: f64 = 1e-14;
/// A time no step reaches: steps are limited by their error only.
const LATEST: f64 = 1e30;
/// Decades of depth over which a creeping pair has to be held.
const CREEP_DECADES: i32 = 12;
/// Round-off at critical damping; a pair that is held a little less arrives with no speed to speak of.
const CRITICAL: f64 = 1.0 - 1e-9;
/// Places at which a step is searched for a force below zero.
const PLACES: u32 = 4;
/// A force that dips less than this part of the peak below zero and comes back has not let the pair go.
const SHALLOW: f64 = 1e-13;
/// A speed, in parts of δ̇⁻, that the errors of the integration hide.
const STILL: f64 = 1e-15;
/// A free flight is searched at depths that fall by this factor, down to round-off.
const FALL: f64 = 0.92;

/// The beginning of a stretch.
#[derive(Clone, Copy, Debug)]
struct Node {
    t: f64,
    at: Point,
    /// Whether the law acts from here on; the bodies fly free otherwise.
    touching: bool,
}

/// An impact, integrated.
#[derive(Clone, Debug)]
pub struct Integrated {
    nodes: Vec<Node>,
    factors: Factors,
}

/// s′ = y, y′ = −F δ_el/(m δ̇⁻²).
struct Pair<'a> {
    law: &'a dyn ContactLaw,
    onset: &'a Onset,
    scale: &'a Scale,
    /// δ_el/(m δ̇⁻²) \[1/N\].
    ease: f64,
}

impl System for Pair<'_> {
    type Error = Infallible;

    fn rate(&mut self, _t: f64, x: &[f64], rate: &mut [f64]) -> Result<(), Infallible> {
        rate[0] = x[1];
        rate[1] = -self.push(Point { s: x[0], y: x[1] });
        Ok(())
    }
}

impl<'a> Pair<'a> {
    fn new(law: &'a dyn ContactLaw, onset: &'a Onset, scale: &'a Scale) -> Self {
        // In an order that does not overflow.
        let ease = scale.length / onset.speed / onset.speed / onset.effective_mass;
        Self { law, onset, scale, ease }
    }

    /// F δ_el/(m δ̇⁻²).
    fn push(&self, at: Point) -> f64 {
        self.scale.force_at(self.law, self.onset, at) * self.ease
    }

    /// ∂/∂s and ∂/∂y of the push.
    fn slopes(&self, at: Point) -> [f64; 2] {
        let [k, c] = self.law.slopes(&self.scale.indentation(self.onset, at), self.onset);
        [k * self.ease * self.scale.length, c * self.ease * self.onset.speed]
    }

    /// Whether the force pulls by more than the round-off of its parts: a strongly damped law takes nearly all of its
    /// elastic force away, and the sign of what is left of it is lost.
    fn pulls(&self, at: Point) -> bool {
        let still = self.push(Point { s: at.s, y: 0.0 });
        self.push(at) < -ROUND_OFF * still.abs()
    }

    /// d/dt of the push.
    fn push_rate(&self, at: Point) -> f64 {
        let [k, c] = self.slopes(at);
        k * at.y - c * self.push(at)
    }

    /// Whether the pair creeps back so slowly that it never arrives at s = 0.
    ///
    /// Below the line y = −β s it stays below it wherever dy/ds = F/(−y) along the line is at least β, which is
    /// F(s, −β s) ≤ −β² s. With β half of the damping the line is the critical one of a linear spring. The force is asked
    /// on the whole line, since a damping that fades with the depth (`impact`) lets the pair go.
    fn creeps(&self, at: Point) -> bool {
        let beta = 0.5 * self.slopes(at)[1];
        if !(at.y < 0.0 && at.s > 0.0 && -at.y < beta * at.s) {
            return false;
        }
        let held = |s: f64| self.push(Point { s, y: -beta * s }) <= -beta * beta * s * CRITICAL;
        (0..=CREEP_DECADES).all(|k| held(at.s * 0.1_f64.powi(k)))
    }
}

impl Integrated {
    /// Integrates from the onset to the parting.
    pub fn new(law: &dyn ContactLaw, onset: &Onset, parting: Parting) -> Result<Self, LawError> {
        let scale = Scale::new(law, onset)?;
        let mut run = Run::new(Pair::new(law, onset, &scale));
        run.go(parting)?;
        let mut factors = run.factors;
        // From m δ̇⁻²/δ_el to the elastic peak.
        factors.peak_force /= run.pair.ease * scale.force;
        // A law without loss gives back what it took, to the error of the integration.
        if factors.restitution > 1.0 && factors.restitution < 1.0 + LOSSLESS {
            factors.restitution = 1.0;
        }
        Ok(Self { nodes: run.nodes, factors })
    }

    /// Factors against the elastic impact.
    pub fn factors(&self) -> &Factors {
        &self.factors
    }

    /// Depth and speed at the time t between onset and parting, and whether the law acts.
    pub(super) fn at(
        &self,
        t: f64,
        law: &dyn ContactLaw,
        onset: &Onset,
        scale: &Scale,
    ) -> (Point, bool) {
        let k = self.nodes.partition_point(|n| n.t <= t).saturating_sub(1);
        let node = self.nodes[k];
        if !node.touching {
            let s = node.at.s + node.at.y * (t - node.t);
            return (Point { s, y: node.at.y }, false);
        }
        let mut run = Run::new(Pair::new(law, onset, scale));
        let point = run.from(node.t, node.at).and_then(|()| {
            while run.method.t() < t {
                run.step(t)?;
            }
            Ok(run.here())
        });
        (point.unwrap_or(node.at), true)
    }
}

/// An integration on its way.
struct Run<'a> {
    pair: Pair<'a>,
    method: Dop853,
    nodes: Vec<Node>,
    factors: Factors,
}

impl<'a> Run<'a> {
    fn new(pair: Pair<'a>) -> Self {
        let (method, nodes) = (Dop853::new(2), Vec::new());
        Self { pair, method, nodes, factors: Factors::default() }
    }

    fn wrong(&self, problem: OdeError) -> LawError {
        LawError::Integration { law: self.pair.law.name(), problem }
    }

    fn from(&mut self, t: f64, at: Point) -> Result<(), LawError> {
        let tolerance = Tolerance { relative: RELATIVE, absolute: &ABSOLUTE };
        let started = self.method.start(t, &[at.s, at.y], FIRST_STEP, tolerance);
        started.map_err(|problem| self.wrong(problem))
    }

    fn step(&mut self, limit: f64) -> Result<(), LawError> {
        match self.method.step(&mut self.pair, limit) {
            Ok(_) => Ok(()),
            Err(problem) => Err(self.wrong(problem)),
        }
    }

    fn here(&self) -> Point {
        Point { s: self.method.y()[0], y: self.method.y()[1] }
    }

    /// The state after another length of the last step.
    fn retake(&mut self, h: f64) -> Result<Point, LawError> {
        if h == 0.0 {
            return Ok(Point { s: self.method.y_old()[0], y: self.method.y_old()[1] });
        }
        let mut out = [0.0; 2];
        match self.method.retake(&mut self.pair, h, &mut out) {
            Ok(()) => Ok(Point { s: out[0], y: out[1] }),
            Err(problem) => Err(self.wrong(problem)),
        }
    }

    /// The length between `low` and `high` of the last step at which the function of the state is zero.
    fn length_to(
        &mut self,
        span: [f64; 2],
        of: impl Fn(&Pair<'a>, Point) -> f64,
    ) -> Result<f64, LawError> {
        Ok(self.lengths_around(span, of)?[0])
    }

    /// The same, and the neighbouring length on the other side of the root, where a function that jumps differs.
    fn lengths_around(
        &mut self,
        [low, high]: [f64; 2],
        of: impl Fn(&Pair<'a>, Point) -> f64,
    ) -> Result<[f64; 2], LawError> {
        let mut failed = None;
        let value = |h: f64| match self.retake(h) {
            Ok(point) => of(&self.pair, point),
            Err(error) => {
                failed = Some(error);
                f64::NAN
            }
        };
        match bracketed(value, low, high, Width { absolute: 0.0, relative: f64::EPSILON }) {
            Ok(root) => Ok([root.x, root.other]),
            // Round-off may turn the sign at an end back: the root is there.
            Err(_) => failed.map_or(Ok([high; 2]), Err),
        }
    }

    fn go(&mut self, parting: Parting) -> Result<(), LawError> {
        let onset = Point { s: 0.0, y: 1.0 };
        self.from(0.0, onset)?;
        self.nodes.push(Node { t: 0.0, at: onset, touching: true });
        self.factors.peak_force = self.pair.push(onset).max(0.0);
        if parting == Parting::ZeroForce && self.pair.push(onset) < 0.0 {
            // A law that pulls at first does not act yet.
            self.nodes.clear();
            self.fly_in(0.0, onset)?;
        }
        for _ in 0..MOST_STEPS {
            self.step(LATEST)?;
            let here = self.here();
            if here.s > DEEPEST {
                let (law, speed) = (self.pair.law.name(), self.pair.onset.speed);
                return Err(LawError::DoesNotResist { law, speed });
            }
            if let Some(h) = self.end_of_touch(parting)? {
                let landed = self.method.accept_at(&mut self.pair, h);
                landed.map_err(|problem| self.wrong(problem))?;
                self.extremes()?;
                if !self.fly(parting)? {
                    return Ok(());
                }
                continue;
            }
            self.extremes()?;
            self.nodes.push(Node { t: self.method.t(), at: here, touching: true });
            if parting == Parting::ZeroIndentation && self.pair.creeps(here) {
                self.factors.duration = f64::INFINITY;
                return Ok(());
            }
        }
        let time = self.method.t() * self.pair.scale.time;
        Err(LawError::DoesNotEnd { law: self.pair.law.name(), steps: MOST_STEPS, time })
    }

    /// How far into the last step the law stops acting.
    fn end_of_touch(&mut self, parting: Parting) -> Result<Option<f64>, LawError> {
        let (h, here) = (self.method.h(), self.here());
        let opened = here.s <= 0.0;
        let reach = if opened { self.length_to([0.0, h], |_, x| x.s)? } else { h };
        if parting == Parting::ZeroForce {
            let mut low = 0.0;
            for k in 1..=PLACES {
                let high = reach * f64::from(k) / f64::from(PLACES);
                let x = self.retake(high)?;
                if self.pair.pulls(x) {
                    return self.length_to([low, high], Pair::push).map(Some);
                }
                if let Some(bottom) = self.dip(low, high, x)? {
                    return self.length_to([low, bottom], Pair::push).map(Some);
                }
                low = high;
            }
        }
        Ok(opened.then_some(reach))
    }

    /// Where, between two lengths of the last step, a force that falls and rises again is least, if it is negative there.
    fn dip(&mut self, low: f64, high: f64, end: Point) -> Result<Option<f64>, LawError> {
        let start = self.retake(low)?;
        if !(self.pair.push_rate(start) < 0.0 && self.pair.push_rate(end) > 0.0) {
            return Ok(None);
        }
        let bottom = self.length_to([low, high], Pair::push_rate)?;
        let least = self.retake(bottom)?;
        Ok((self.pair.push(least) < -SHALLOW * self.factors.peak_force).then_some(bottom))
    }

    /// Notes greatest depth and force of the last step.
    fn extremes(&mut self) -> Result<(), LawError> {
        let (h, t) = (self.method.h(), self.method.t_old());
        let (old, here) = (self.retake(0.0)?, self.here());
        if old.y > 0.0 && here.y <= 0.0 {
            let at = self.length_to([0.0, h], |_, x| x.y)?;
            let s = self.retake(at)?.s;
            if s > self.factors.max_indentation {
                self.factors.max_indentation = s;
                self.factors.time_of_max_indentation = t + at;
            }
        }
        if self.pair.push_rate(old) > 0.0 && self.pair.push_rate(here) <= 0.0 {
            for at in self.lengths_around([0.0, h], Pair::push_rate)? {
                self.note_push(at, t + at)?;
            }
        }
        // A force that jumps where the motion turns has its peak beside the jump.
        if old.y > 0.0 && here.y <= 0.0 {
            for at in self.lengths_around([0.0, h], |_, x| x.y)? {
                self.note_push(at, t + at)?;
            }
        }
        self.note_push(h, t + h)
    }

    /// Notes the force after a length of the last step, if it is the greatest so far.
    fn note_push(&mut self, h: f64, t: f64) -> Result<(), LawError> {
        let point = self.retake(h)?;
        let push = self.pair.push(point);
        // What exceeds the peak by round-off alone does not move it.
        if push > self.factors.peak_force * (1.0 + 1e-15) {
            self.factors.peak_force = push;
            self.factors.time_of_peak = t;
        }
        Ok(())
    }

    /// The flight after the law has stopped acting; true if the pair is pressed again before the gap opens.
    fn fly(&mut self, parting: Parting) -> Result<bool, LawError> {
        let (t, from) = (self.method.t(), self.here());
        if from.y.abs() <= STILL {
            // Brought to rest and not pushed back: the sign of what is left is that of the errors.
            let f = &mut self.factors;
            if from.s > f.max_indentation {
                (f.max_indentation, f.time_of_max_indentation) = (from.s, t);
            }
            self.nodes.push(Node { t, at: Point { s: from.s, y: 0.0 }, touching: false });
            f.duration = f64::INFINITY;
            return Ok(false);
        }
        self.factors.duration = t;
        self.factors.restitution = -from.y;
        self.factors.parting_indentation = from.s.max(0.0);
        if from.y > 0.0 {
            self.fly_in(t, from)?;
            return Ok(true);
        }
        if parting == Parting::ZeroIndentation || from.s <= 1e-14 {
            self.factors.parting_indentation = 0.0;
            return Ok(false);
        }
        // Just parted the force is zero to round-off: look from a little later on.
        let push = |s: f64| self.pair.push(Point { s, y: from.y });
        let (mut open, mut s) = (from.s * (1.0 - 1e-9), from.s * FALL);
        while s > 1e-15 * from.s && !(push(s) > 0.0) {
            (open, s) = (s, s * FALL);
        }
        if !(s > 1e-15 * from.s) || push(open) > 0.0 {
            return Ok(false);
        }
        let width = Width { absolute: 0.0, relative: f64::EPSILON };
        let Ok(root) = bracketed(push, s, open, width) else { return Ok(false) };
        let again = Point { s: root.x, y: from.y };
        let t_again = t + (again.s - from.s) / from.y;
        self.nodes.push(Node { t, at: from, touching: false });
        self.nodes.push(Node { t: t_again, at: again, touching: true });
        self.from(t_again, again)?;
        Ok(true)
    }

    /// The flight of a pair that still approaches and is not pushed: on to where the law pushes.
    fn fly_in(&mut self, t: f64, from: Point) -> Result<(), LawError> {
        let push = |s: f64| self.pair.push(Point { s, y: from.y });
        let (mut open, mut s) = (from.s, from.s.max(1e-12) / FALL);
        while s < DEEPEST && !(push(s) > 0.0) {
            (open, s) = (s, s / FALL);
        }
        let width = Width { absolute: 0.0, relative: f64::EPSILON };
        let (true, Ok(root)) = (s < DEEPEST, bracketed(push, open, s, width)) else {
            let (law, speed) = (self.pair.law.name(), self.pair.onset.speed);
            return Err(LawError::DoesNotResist { law, speed });
        };
        let again = Point { s: root.x, y: from.y };
        let t_again = t + (again.s - from.s) / from.y;
        self.nodes.push(Node { t, at: from, touching: false });
        self.nodes.push(Node { t: t_again, at: again, touching: true });
        self.from(t_again, again)
    }
}
