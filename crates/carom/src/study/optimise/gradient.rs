//! Slopes of goal and constraints at a place of a search: exact gradients where they exist, central differences elsewhere.
//!
//! m_eff and T_c have exact gradients by inertias. They are used if goal and constraints are made of these two and of variables, for every
//! axis along which inertias change in proportion and nothing else does: one evaluation instead of two for each axis.

use nalgebra::{DMatrix, DVector};

use super::Search;
use super::crew::Tried;
use super::local::Slopes;
use crate::model::study::{Action, Domain, Level};
use crate::study::formula::Formula;
use crate::study::plan::Study;
use crate::study::quantity::{COUNT, place};
use crate::study::sensitivity::{InertiaSlope, inertia_slopes};

/// Steps of central differences: the cube root of the round-off of a frozen pose, and of the 1e-9 of a run's tolerance.
const OF_POSES: f64 = 1e-5;
const OF_RUNS: f64 = 1e-3;
/// The step of the differences of a formula, as a share of the number that changes: the cube root of its round-off.
const OF_FORMULAS: f64 = 1e-5;

/// The axes along which gradients are exact, each with its variable.
pub(super) fn exact_axes(study: &Study, free: &[usize]) -> Vec<(usize, usize)> {
    let known = [place("effective_mass"), place("impact_energy")];
    let all = study.goal.iter().map(|(goal, _)| &goal.formula);
    let all = all.chain(study.constraints.iter().flat_map(|c| [&c.low, &c.high]));
    let mut sound = study.action == Action::Assess;
    for formula in all {
        sound &= !formula.is_robust && formula.uses.iter().all(|k| known.contains(k));
    }
    let variables = study.design.variables();
    let lone = |axis: usize| {
        let mut on = (0..variables.len()).filter(|k| study.design.axis(*k) == Some(axis));
        let first = on.next()?;
        // A linked variable may follow it.
        let linked = variables.iter().any(|v| matches!(v.domain, Domain::Expression(_)));
        let linear = matches!(variables[first].domain, Domain::Range { log: false, .. });
        (on.next().is_none() && !linked && linear).then_some((axis, first))
    };
    if sound { free.iter().filter_map(|axis| lone(*axis)).collect() } else { Vec::new() }
}

impl Search<'_, '_> {
    /// The slopes at a place that has been evaluated; nothing where neighbours have no value.
    pub(super) fn slopes(&mut self, place: &[f64], here: &Tried) -> Option<Slopes> {
        let (n, m) = (self.free.len(), here.slacks.len());
        let mut out = Slopes { goal: DVector::zeros(n), slacks: DMatrix::zeros(m, n) };
        let known = self.known_slopes(place, &mut out);
        let h = if self.study.action == Action::Run { OF_RUNS } else { OF_POSES };
        let axes: Vec<usize> = (0..n).filter(|j| !known.contains(j)).collect();
        let mut places = Vec::with_capacity(2 * axes.len());
        let mut steps = Vec::with_capacity(axes.len());
        for j in &axes {
            let x = place[self.free[*j]];
            // Within the box: a parabola through three places on one side has the same order.
            let pair = if x + h > 1.0 {
                [-h, -2.0 * h]
            } else if x - h < 0.0 {
                [h, 2.0 * h]
            } else {
                [h, -h]
            };
            for step in pair {
                let mut there = place.to_vec();
                there[self.free[*j]] = x + step;
                places.push(there);
            }
            steps.push(pair);
        }
        let tried = self.ask(&places);
        if tried.len() < places.len() {
            return None;
        }
        let at = self.signed(here.value);
        for ((j, [a, b]), pair) in axes.iter().zip(steps).zip(tried.chunks(2)) {
            let [first, second] = pair else { return None };
            let sound = |t: &Tried| t.lack.is_none() && t.value.is_finite();
            // Derivative of the parabola through the three places; of what has a value on one side only, of the line.
            let slope = |f: f64, f_a: f64, f_b: f64| match (sound(first), sound(second)) {
                (true, true) => ((f_a - f) * b / a - (f_b - f) * a / b) / (b - a),
                (true, false) => (f_a - f) / a,
                (false, true) => (f_b - f) / b,
                (false, false) => f64::NAN,
            };
            let [f_a, f_b] = [first.value, second.value].map(|f| self.signed(f));
            out.goal[*j] = slope(at, f_a, f_b);
            for i in 0..m {
                out.slacks[(i, *j)] = slope(here.slacks[i], first.slacks[i], second.slacks[i]);
            }
        }
        let finite = out.goal.iter().chain(out.slacks.iter()).all(|x| x.is_finite());
        finite.then_some(out)
    }

    /// Fills in what is known exactly and gives its columns.
    fn known_slopes(&mut self, place: &[f64], out: &mut Slopes) -> Vec<usize> {
        if self.exact.is_empty() || !self.crew.is_free() {
            return Vec::new();
        }
        let design = &self.study.design;
        let levels = design.levels_at(place);
        let numbers = design.numbers(&levels);
        let variables = design.variables();
        let mut asked = Vec::with_capacity(self.exact.len());
        for (_, variable) in &self.exact {
            let (Domain::Range { low, high, .. }, Level::Number(x)) =
                (&variables[*variable].domain, &levels[*variable])
            else {
                return Vec::new();
            };
            asked.push((*variable, *x, (high - low) * OF_POSES));
        }
        self.crew.evaluations += 1;
        let Some(found) = inertia_slopes(self.study, &levels, &asked) else {
            self.exact.clear();
            return Vec::new();
        };
        let mut slots = numbers;
        slots.resize(variables.len() + COUNT, f64::NAN);
        slots[variables.len() + const { self::place("effective_mass") }] = found.mass;
        slots[variables.len() + const { self::place("impact_energy") }] = found.energy;
        let Some((goal, _)) = &self.study.goal else { return Vec::new() };
        let sign = self.sign();
        let mut columns = Vec::new();
        let mut lost = Vec::new();
        for ((axis, variable), slope) in self.exact.iter().zip(found.slopes) {
            let Some(j) = self.free.iter().position(|k| k == axis) else { continue };
            let Some(slope) = slope else {
                lost.push(*axis);
                continue;
            };
            let Domain::Range { low, high, .. } = variables[*variable].domain else { continue };
            let ways = Ways { slots: &slots, variable: *variable, slope };
            let factor = variables[*variable].unit.factor;
            out.goal[j] = sign * ways.along(&goal.formula, factor) * (high - low);
            for (i, c) in self.study.constraints.iter().enumerate() {
                let [low_side, high_side] = [&c.low, &c.high].map(|f| ways.along(f, factor));
                out.slacks[(i, j)] = (high_side - low_side) * (high - low);
            }
            columns.push(j);
        }
        self.exact.retain(|(axis, _)| !lost.contains(axis));
        columns
    }
}

/// How the slots of a formula change with a variable in its own unit.
struct Ways<'a> {
    slots: &'a [f64],
    variable: usize,
    slope: InertiaSlope,
}

impl Ways<'_> {
    /// The chain rule; partial derivatives of the formula are central differences of its tape.
    fn along(&self, formula: &Formula, factor: f64) -> f64 {
        let variables = self.slots.len() - COUNT;
        let by = |slot: usize| {
            let x = self.slots[slot];
            let h = OF_FORMULAS * if x == 0.0 { 1.0 } else { x.abs() };
            let mut moved = self.slots.to_vec();
            let mut at = |h: f64| {
                moved[slot] = x + h;
                formula.value(&moved)
            };
            // Two differences extrapolated: exact for cubics.
            let (near, far) =
                ((at(h) - at(-h)) / (2.0 * h), (at(2.0 * h) - at(-2.0 * h)) / (4.0 * h));
            (4.0 * near - far) / 3.0
        };
        let mut total = 0.0;
        if formula.variables.contains(&self.variable) {
            total += by(self.variable) * factor;
        }
        let parts = [
            (const { place("effective_mass") }, self.slope.mass),
            (const { place("impact_energy") }, self.slope.energy),
        ];
        for (quantity, slope) in parts {
            if formula.uses.contains(&quantity) {
                total += by(variables + quantity) * slope;
            }
        }
        total
    }
}
