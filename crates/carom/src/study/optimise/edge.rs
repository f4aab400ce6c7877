//! Edges: is the best design one because something ends there?
//!
//! Beyond an edge designs have no value: the contact is no longer touched, its law has no answer, the mechanism cannot be assembled. No
//! derivative tells of it. So near such an edge its place is found by bisection, along each axis and then along its normal, and the goal is made
//! small over the edge itself.

use nalgebra::DVector;

use super::simplex::simplex;
use super::{Score, Search};
use crate::model::study::Action;
use crate::study::{Evaluator, Lack, QUANTITIES};

/// An edge that the best design lies at.
#[derive(Clone, Debug, PartialEq)]
pub enum Edge {
    /// A bound of a variable.
    Bound {
        /// The variable.
        variable: usize,
        /// Whether it is the upper end of its range.
        upper: bool,
    },
    /// A constraint that is kept without room.
    Constraint(usize),
    /// Beyond it designs have no goal.
    Beyond {
        /// The variable along which it is met.
        variable: usize,
        /// Whether by a larger value.
        upper: bool,
        /// What is missing there.
        lack: Lack,
        /// In words.
        why: String,
    },
    /// The contact no longer closes: its approach speed is zero.
    Grazing,
}

/// An edge is looked for within this share of the box.
const NEAR: f64 = 2e-3;
/// The best place is told to lie at an edge that is nearer than this share of the box.
const AT: f64 = 1e-6;
/// Goals nearer to each other than this share of what they span are the same: a plateau, as a force of zero beside a graze.
const FLAT: f64 = 1e-4;
/// Bisection of a share of the box ends here: some hundred times the round-off of its coordinates.
const LOCATED: f64 = 1e-14;
/// The first simplex over an edge, where it has arrived, and evaluations of a point of the edge for each of its dimensions.
const OVER: f64 = 0.02;
const OVER_ARRIVED: f64 = 1e-8;
const OVER_MOST: usize = 150;
/// Doublings from an inner place to the other side of the edge.
const DOUBLINGS: usize = 8;
/// A constraint nearer to its bound than this share of its change over the box is active.
const ACTIVE: f64 = 1e-6;
/// Quantities of a frozen pose that are there without an approach and vanish, or turn, where it does.
const OF_APPROACH: [&str; 4] = ["approach_speed", "impact_energy", "admissible_energy", "share"];
/// An approach speed below this share of the given design's grazes.
const GRAZING: f64 = 1e-6;

impl Search<'_, '_> {
    /// Goes to the edge if the best place is near one, and along it while that is better.
    pub(super) fn follow_edge(&mut self) {
        let Some((place, score)) = self.best.clone() else { return };
        let n = self.free.len();
        let ready = n > 0 && score.value.is_finite() && self.crew.is_free();
        if !ready || self.followed == Some(score) {
            return;
        }
        let mut probes = Vec::with_capacity(2 * n);
        for axis in &self.free {
            for step in [-NEAR, NEAR] {
                let mut there = place.clone();
                there[*axis] += step;
                if (0.0..=1.0).contains(&there[*axis]) {
                    probes.push((*axis, step, there));
                }
            }
        }
        let places: Vec<Vec<f64>> = probes.iter().map(|(_, _, place)| place.clone()).collect();
        let tried = self.ask(&places);
        let missing: Vec<(usize, f64)> = probes
            .iter()
            .zip(&tried)
            .filter(|(_, tried)| tried.lack.is_some())
            .map(|((axis, step, _), _)| (*axis, *step))
            .collect();
        if missing.is_empty() {
            return;
        }
        let Some((place, _)) = self.best.clone() else { return };
        let mut normal = DVector::zeros(n);
        for (axis, step) in missing {
            let Some(j) = self.free.iter().position(|k| *k == axis) else { continue };
            let mut direction = DVector::zeros(n);
            direction[j] = step.signum();
            let Some((distance, _)) = self.bisect(&place, &direction, (0.0, 2.0 * NEAR)) else {
                continue;
            };
            normal[j] += step.signum() / distance.max(LOCATED);
        }
        let Some(normal) = normal.try_normalize(0.0) else { return };
        self.at_edge = true;
        if n > 1 {
            self.along_edge(&normal);
        }
        self.followed = self.best.as_ref().map(|(_, score)| *score);
    }

    /// Makes the goal small over the edge with this normal, which points outwards.
    fn along_edge(&mut self, normal: &DVector<f64>) {
        let Some((place, _)) = self.best.clone() else { return };
        let n = normal.len();
        // Columns beside the normal span the tangent plane.
        let mut basis = vec![normal.clone()];
        for k in 0..n {
            let mut e = DVector::zeros(n);
            e[k] = 1.0;
            for b in &basis {
                let share = b.dot(&e);
                e -= share * b;
            }
            if basis.len() < n
                && let Some(e) = e.try_normalize(1e-6)
            {
                basis.push(e);
            }
        }
        let tangents = basis[1..].to_vec();
        let mut left = OVER_MOST * tangents.len();
        // Coordinates over the edge, with the best place in the middle of the simplex' box.
        let start = vec![0.5; tangents.len()];
        let mut of_edge = |y: &[f64]| -> Option<Score> {
            left = left.checked_sub(1)?;
            let mut foot = place.clone();
            for (t, y) in tangents.iter().zip(y) {
                for (j, axis) in self.free.clone().into_iter().enumerate() {
                    foot[axis] += (y - 0.5) * t[j];
                }
            }
            if self.free.iter().any(|axis| !(0.0..=1.0).contains(&foot[*axis])) {
                return Some(Score::NONE);
            }
            let (_, score) = self.one(&foot)?;
            let outwards = if score == Score::NONE { -normal } else { normal.clone() };
            let mut reach = NEAR;
            for _ in 0..DOUBLINGS {
                let Some(there) = self.moved(&foot, &outwards, reach) else { break };
                let (_, found) = self.one(&there)?;
                if (found == Score::NONE) != (score == Score::NONE) {
                    let from = if score == Score::NONE { there } else { foot };
                    return Some(self.bisect(&from, normal, (0.0, reach))?.1);
                }
                reach *= 2.0;
            }
            Some(score)
        };
        let Some(first) = of_edge(&start) else { return };
        simplex((start, first), OVER, OVER_ARRIVED, &mut of_edge);
    }

    /// The last distance along a direction at which there is a value, and the score there; from one with a value to one without.
    fn bisect(
        &mut self,
        place: &[f64],
        direction: &DVector<f64>,
        (mut low, mut high): (f64, f64),
    ) -> Option<(f64, Score)> {
        let mut score = Score::NONE;
        while high - low > LOCATED {
            let middle = 0.5 * (low + high);
            let there = self.moved(place, direction, middle);
            let found = match there {
                Some(there) => self.one(&there)?.1,
                None => Score::NONE,
            };
            if found == Score::NONE {
                high = middle;
            } else {
                (low, score) = (middle, found);
            }
        }
        Some((low, score))
    }

    /// A place so far along a direction; nothing outside the box.
    fn moved(&self, place: &[f64], direction: &DVector<f64>, distance: f64) -> Option<Vec<f64>> {
        let mut there = place.to_vec();
        for (axis, d) in self.free.iter().zip(direction.iter()) {
            there[*axis] += distance * d;
        }
        self.free.iter().all(|axis| (0.0..=1.0).contains(&there[*axis])).then_some(there)
    }

    /// Names the edges that the best place lies at.
    pub(super) fn find_edges(&mut self) {
        let Some((place, score)) = self.best.clone() else { return };
        let mut edges = Vec::new();
        let variable = |search: &Self, axis: usize| {
            let design = &search.study.design;
            (0..design.variables().len()).find(|k| design.axis(*k) == Some(axis)).unwrap_or(0)
        };
        let mut probes = Vec::new();
        for &axis in &self.free {
            let x = place[axis];
            if x <= AT || x >= 1.0 - AT {
                edges.push(Edge::Bound { variable: variable(self, axis), upper: x > 0.5 });
            }
            for step in [-1.0, 1.0] {
                probes.push((axis, step));
            }
        }
        let mut tried = Vec::new();
        for (axis, step) in probes {
            // Where the goal does not change, as a force of zero, the edge of this plateau is that of the design.
            let mut width = AT;
            let found = loop {
                let mut there = place.clone();
                there[axis] += step * width;
                if !(0.0..=1.0).contains(&there[axis]) {
                    break None;
                }
                let Some((tried, found)) = self.one(&there) else { break None };
                width *= 10.0;
                let apart = (found.value - score.value).abs() > FLAT * self.scale;
                if tried.lack.is_some() || apart || width > NEAR {
                    break Some(tried);
                }
            };
            let Some(found) = found else { continue };
            if let Some((lack, why)) = &found.lack {
                let (lack, why) = (*lack, why.clone());
                let variable = variable(self, axis);
                edges.push(Edge::Beyond { variable, upper: step > 0.0, lack, why });
            }
            tried.push(found);
        }
        // A constraint is active if the neighbours, a millionth of the box away, change it by as much as it has room.
        if score.broken == 0.0
            && let Some(here) = &self.held
        {
            for (i, slack) in here.slacks.iter().enumerate() {
                let sound = tried.iter().filter(|t| t.lack.is_none());
                let change = sound.map(|t| (t.slacks[i] - slack).abs()).fold(0.0, f64::max);
                if *slack <= change * (ACTIVE / AT) {
                    edges.push(Edge::Constraint(i));
                }
            }
        }
        if self.grazes() {
            edges.push(Edge::Grazing);
        }
        // What ends contact, then what ends the law or the machine, then bounds and constraints.
        edges.sort_by_key(|edge| match edge {
            Edge::Grazing => 0,
            Edge::Beyond { lack, .. } if lack.is_of_contact() => 0,
            Edge::Beyond { .. } => 1,
            Edge::Bound { .. } => 2,
            Edge::Constraint(_) => 3,
        });
        self.out.edges = edges;
    }

    /// Whether the approach speed of the best pose is nothing beside that of the given one.
    fn grazes(&self) -> bool {
        let Some(best) = self.out.best() else { return false };
        let stated: Option<Vec<_>> = self.study.stated().into_iter().collect();
        // What has no value without an approach has an edge there that is found like others.
        let uses = |(goal, _): &(crate::study::Column, bool)| {
            let of = |k: &usize| OF_APPROACH.contains(&QUANTITIES[*k].name);
            goal.formula.uses.iter().any(of)
        };
        let of_speed = self.study.goal.as_ref().is_some_and(uses);
        let Some(stated) = stated.filter(|_| of_speed && self.study.action == Action::Assess)
        else {
            return false;
        };
        let speed = |levels: &[_]| {
            let found = Evaluator::new(self.study).quantities(levels).ok()?;
            QUANTITIES.iter().position(|q| q.name == "approach_speed").and_then(|k| found[k])
        };
        let (Some(here), Some(given)) = (speed(&best.levels), speed(&stated)) else { return false };
        given > 0.0 && here <= GRAZING * given
    }
}
