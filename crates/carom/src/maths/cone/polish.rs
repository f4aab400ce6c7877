//! Semismooth Newton's method on the natural map: the last digits, and a start of its own where it ends.

use super::map::{At, Face, Linear, Map};
use super::normal_form::{Kind, NormalForm};
use super::problem::larger;
use crate::maths::dot::dot;

/// |F| relative to the size of p below which no step brings more digits.
const ROUND_OFF: f64 = 2e-16;
/// Steps without a better |F| after which the method gives up.
const IDLE: usize = 6;
/// |F| relative to the size of p that ends the method once a step brings nothing.
const ENOUGH: f64 = 1e-13;

/// Memory of the method.
#[derive(Clone, Debug, Default)]
pub(super) struct Polish {
    best: Vec<f64>,
    start: Vec<f64>,
    kept: Vec<f64>,
    step: Vec<f64>,
    trial: Vec<f64>,
    moved: Vec<f64>,
    right: Vec<f64>,
    pub chosen: Vec<usize>,
    pub unknowns: Vec<usize>,
    /// Newton's steps so far.
    pub steps: usize,
}

/// The size of impulses that residuals are relative to.
pub(super) fn size(p: &[f64]) -> f64 {
    p.iter().fold(1.0, |m, p| larger(m, p.abs()))
}

impl Polish {
    /// The blocks and unknowns whose D is not zero.
    pub fn choose(&mut self, form: &NormalForm, map: &Map) {
        self.chosen.clear();
        self.unknowns.clear();
        for (k, block) in form.blocks.iter().enumerate() {
            let D = &map.D[k];
            if block.kind == Kind::Stick || D[0][0] != 0.0 || D[0][1] != 0.0 || D[1][1] != 0.0 {
                self.chosen.push(k);
                self.unknowns.extend(block.at..block.at + block.dim);
            }
        }
    }

    /// `step` ← −J⁺ F at the map's point. Open blocks take p = 0 exactly, the others solve what is left.
    pub fn newton(&mut self, form: &NormalForm, at: At, map: &mut Map, linear: &mut Linear) {
        self.steps += 1;
        let n = form.n;
        if form.rank > 0 && at.soft > 0.0 && linear.factorise_low(form, map, at) {
            self.step.clear();
            self.step.extend(map.F.iter().map(|f| -f));
            linear.solve_low(form, &mut self.step);
            return;
        }
        self.choose(form, map);
        self.step.clear();
        self.step.extend(map.F.iter().map(|f| -f));
        self.unknowns.iter().for_each(|&i| self.step[i] = 0.0);
        let m = self.unknowns.len();
        self.right.clear();
        self.right.extend(self.unknowns.iter().map(|&i| -map.F[i]));
        if self.step.iter().any(|x| *x != 0.0) {
            self.moved.resize(n, 0.0);
            form.multiply(at.g, &self.step, &mut self.moved);
            let mut place = 0;
            for &k in &self.chosen {
                let block = &form.blocks[k];
                let v: [f64; 3] =
                    std::array::from_fn(
                        |x| {
                            if x < block.dim { self.moved[block.at + x] } else { 0.0 }
                        },
                    );
                let head = v[0] + map.slope[k][0] * v[1] + map.slope[k][1] * v[2];
                let v = [head, v[1], v[2]];
                for x in 0..block.dim {
                    let sum: f64 = (0..block.dim).map(|y| map.D[k][x][y] * v[y]).sum();
                    self.right[place + x] -= sum;
                }
                place += block.dim;
            }
        }
        linear.matrix.resize(m * m, 0.0);
        map.jacobian(form, at, &self.chosen, &self.unknowns, (&mut linear.matrix, m));
        linear.solve(m, &mut [&mut self.right]);
        for (&i, x) in self.unknowns.iter().zip(&self.right) {
            self.step[i] = *x;
        }
    }

    /// Newton's method from p, of which the best point is kept; returns its |F|. Whole steps change many faces at once and mostly
    /// end soon; where they do not, steps that |F| falls with are taken from the same start.
    pub fn run(
        &mut self,
        form: &NormalForm,
        p: &mut [f64],
        at: At,
        most: usize,
        map: &mut Map,
        linear: &mut Linear,
    ) -> f64 {
        self.start.clear();
        self.start.extend_from_slice(p);
        let whole = self.iterate(form, p, at, (most, false), map, linear);
        if whole <= ENOUGH * size(p) {
            return whole;
        }
        self.kept.clear();
        self.kept.extend_from_slice(p);
        p.copy_from_slice(&self.start);
        let damped = self.iterate(form, p, at, (most, true), map, linear);
        if damped <= whole {
            return damped;
        }
        p.copy_from_slice(&self.kept);
        whole
    }

    /// Newton's method by whole steps only; |F| of the best point.
    pub fn whole(
        &mut self,
        form: &NormalForm,
        p: &mut [f64],
        at: At,
        most: usize,
        map: &mut Map,
        linear: &mut Linear,
    ) -> f64 {
        self.iterate(form, p, at, (most, false), map, linear)
    }

    fn iterate(
        &mut self,
        form: &NormalForm,
        p: &mut [f64],
        at: At,
        (most, damped): (usize, bool),
        map: &mut Map,
        linear: &mut Linear,
    ) -> f64 {
        self.best.clear();
        self.best.extend_from_slice(p);
        map.evaluate(form, p, at);
        let (mut least, mut idle) = (map.residual(), 0);
        let mut residual = least;
        for _ in 0..most {
            if !(residual > ROUND_OFF * size(p)) || idle == IDLE {
                break;
            }
            // The last digits need no more steps than these.
            if residual <= ENOUGH * size(p) && idle > 0 {
                break;
            }
            let norm = dot(&map.F, &map.F).sqrt();
            self.newton(form, at, map, linear);
            self.trial.resize(form.n, 0.0);
            let mut share = 1.0;
            loop {
                for ((trial, p), step) in self.trial.iter_mut().zip(&*p).zip(&self.step) {
                    *trial = p + share * step;
                }
                map.evaluate(form, &self.trial, at);
                let falls = dot(&map.F, &map.F).sqrt() < (1.0 - 1e-4 * share) * norm;
                if falls || !damped || share < 1e-3 {
                    break;
                }
                share *= 0.5;
            }
            p.copy_from_slice(&self.trial);
            residual = map.residual();
            if !residual.is_finite() {
                break;
            }
            idle = if residual < 0.9 * least { 0 } else { idle + 1 };
            if residual < least {
                least = residual;
                self.best.copy_from_slice(p);
            }
        }
        p.copy_from_slice(&self.best);
        least
    }

    /// One shortest Newton step on the smooth map of given faces; the matrix stays in `linear` for its rank.
    pub fn step_on(
        &mut self,
        form: &NormalForm,
        p: &mut [f64],
        (faces, at): (&[Face], At),
        relative: f64,
        map: &mut Map,
        linear: &mut Linear,
    ) {
        map.evaluate_on(form, p, at, Some(faces));
        self.choose(form, map);
        let m = self.unknowns.len();
        linear.matrix.resize(m * m, 0.0);
        map.jacobian(form, at, &self.chosen, &self.unknowns, (&mut linear.matrix, m));
        linear.ranked.factorise(&linear.matrix[..m * m], m, relative);
        self.right.clear();
        self.right.extend(self.unknowns.iter().map(|&i| -map.F[i]));
        linear.ranked.solve(&mut self.right);
        for (i, p) in p.iter_mut().enumerate() {
            if self.unknowns.binary_search(&i).is_err() {
                *p = 0.0;
            }
        }
        for (&i, x) in self.unknowns.iter().zip(&self.right) {
            p[i] += x;
        }
    }
}
