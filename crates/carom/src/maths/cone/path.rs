//! The path of the smoothed problems from τ = 1, which has one solution, to the contact problem at τ = 0.
//!
//! Pseudo-arclength continuation in (p, ln τ) (Keller 1977): one bordered factorisation gives tangent and correction, so the
//! path may turn back in τ. The regularisation κ τ keeps it bounded where impulses are not unique.

use super::map::{At, Linear, Map};
use super::normal_form::NormalForm;
use crate::maths::dot::dot;

/// How a path is followed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    /// κ of the regularisation κ τ.
    pub kappa: f64,
    /// A point is on the path if |F| is below this times τ.
    pub near: f64,
    /// The longest and the first step.
    pub longest: f64,
    pub first: f64,
    /// s = this times τ smooths |u_t|.
    pub slip: f64,
    /// Where the path ends: its softness stays, and its g is reached.
    pub end: At,
}

/// Ways of following the path, tried one after the other.
pub(super) const MANNERS: [Manner; 6] = [
    Manner { kappa: 0.1, near: 0.1, longest: 6.0, first: 0.7, slip: 1.0, end: At::END },
    Manner { kappa: 1.0, near: 0.03, longest: 2.0, first: 0.3, slip: 1.0, end: At::END },
    Manner { kappa: 10.0, near: 0.03, longest: 2.0, first: 0.3, slip: 1.0, end: At::END },
    Manner { kappa: 0.01, near: 0.03, longest: 2.0, first: 0.3, slip: 1.0, end: At::END },
    Manner { kappa: 0.1, near: 0.1, longest: 6.0, first: 0.7, slip: 10.0, end: At::END },
    Manner { kappa: 1.0, near: 0.1, longest: 6.0, first: 0.7, slip: 100.0, end: At::END },
];

/// Steps of one path, and Newton's steps at its start.
const STEPS: usize = 300;
const START: usize = 100;
/// Newton's corrections of one step.
const CORRECTIONS: usize = 7;
/// The shortest step.
const SHORTEST: f64 = 1e-7;
/// A correction longer than this part of its step may have left the path.
const JUMP: f64 = 0.5;
/// Impulses this large, beside velocities of 1, belong to a path without end.
const ENDLESS: f64 = 1e10;

/// A point of a path, and memory to follow it.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    /// p.
    pub p: Vec<f64>,
    /// ln τ.
    pub theta: f64,
    tangent: Vec<f64>,
    last: Vec<f64>,
    trial: Vec<f64>,
    predicted: Vec<f64>,
    F_theta: Vec<f64>,
    right: [Vec<f64>; 2],
    /// Length of the next step, and whether there was one before.
    step: f64,
    begun: bool,
    all_blocks: Vec<usize>,
    all: Vec<usize>,
    /// Factorisations so far.
    pub factorisations: usize,
}

fn at(manner: &Manner, theta: f64) -> At {
    let tau = theta.exp();
    let end = manner.end;
    let g = end.g * (1.0 - tau);
    At { tau, g, slip: manner.slip * tau, firm: manner.kappa * tau, soft: end.soft }
}

fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

impl Path {
    /// Goes to the start of the path; false if it is not found.
    pub fn start(
        &mut self,
        form: &NormalForm,
        manner: &Manner,
        map: &mut Map,
        linear: &mut Linear,
    ) -> bool {
        let n = form.n;
        for list in [&mut self.p, &mut self.trial, &mut self.predicted, &mut self.F_theta] {
            list.clear();
            list.resize(n, 0.0);
        }
        let [a, b] = &mut self.right;
        for list in [&mut self.tangent, &mut self.last, a, b] {
            list.clear();
            list.resize(n + 1, 0.0);
        }
        self.all_blocks.clear();
        self.all_blocks.extend(0..form.blocks.len());
        self.all.clear();
        self.all.extend(0..n);
        for block in &form.blocks {
            self.p[block.at] = 1.0;
        }
        (self.theta, self.step, self.begun) = (0.0, manner.first, false);
        let at = at(manner, 0.0);
        for _ in 0..START {
            map.evaluate(form, &self.p, at);
            let size = norm(&map.F);
            if map.residual() <= manner.near {
                return true;
            }
            self.right[0][..n].copy_from_slice(&map.F);
            self.plain(form, at, map, linear);
            let mut share = 1.0;
            loop {
                for i in 0..n {
                    self.trial[i] = self.p[i] - share * self.right[0][i];
                }
                map.evaluate(form, &self.trial, at);
                if !(norm(&map.F) > (1.0 - 1e-4 * share) * size) || share < 1e-6 {
                    break;
                }
                share *= 0.5;
            }
            std::mem::swap(&mut self.p, &mut self.trial);
        }
        false
    }

    /// right[0] ← J⁻¹ right[0].
    fn plain(&mut self, form: &NormalForm, at: At, map: &mut Map, linear: &mut Linear) {
        let n = form.n;
        self.factorisations += 1;
        if form.rank > 0 && linear.factorise_low(form, map, at) {
            linear.solve_low(form, &mut self.right[0][..n]);
            return;
        }
        linear.matrix.resize(n * n, 0.0);
        map.jacobian(form, at, &self.all_blocks, &self.all, (&mut linear.matrix, n));
        linear.solve(n, &mut [&mut self.right[0][..n]]);
    }

    /// ∂F/∂(ln τ).
    fn by_theta(&mut self, form: &NormalForm, manner: &Manner, map: &Map, p: Which) {
        let tau = at(manner, if p == Which::Trial { self.predicted_theta() } else { self.theta });
        let p = if p == Which::Trial { &self.trial } else { &self.p };
        for (k, block) in form.blocks.iter().enumerate() {
            let mut add = [0.0; 3];
            for (x, add) in add.iter_mut().enumerate().take(block.dim) {
                let i = block.at + x;
                *add = tau.firm * p[i];
                for (s, &own) in form.sliding.iter().enumerate() {
                    *add -= tau.tau * form.sliding_columns[s * form.n + i] * p[own];
                }
            }
            let q = map.q[k];
            if q > 0.0 {
                add[0] += -tau.tau * manner.end.g * q + tau.g * tau.slip * tau.slip / q;
            }
            for x in 0..block.dim {
                let moved: f64 = (0..block.dim).map(|y| map.D[k][x][y] * add[y]).sum();
                self.F_theta[block.at + x] = moved - map.P_tau[block.at + x] * tau.tau;
            }
        }
    }

    fn predicted_theta(&self) -> f64 {
        self.last[self.p.len()]
    }

    /// Solves [J F_θ; w² tᵀ t_θ] for both right-hand sides.
    fn bordered(
        &mut self,
        form: &NormalForm,
        at: At,
        w: f64,
        map: &mut Map,
        linear: &mut Linear,
        both: bool,
    ) {
        let n = form.n;
        self.factorisations += 1;
        let t_theta = self.tangent[n];
        if form.rank > 0 && linear.factorise_low(form, map, at) {
            // Block elimination: x = J⁻¹ b − y J⁻¹ F_θ.
            linear.work.clear();
            linear.work.extend_from_slice(&self.F_theta);
            let mut along = std::mem::take(&mut linear.work);
            linear.solve_low(form, &mut along);
            let below = t_theta - w * w * dot(&self.tangent[..n], &along);
            for right in self.right.iter_mut().take(if both { 2 } else { 1 }) {
                linear.solve_low(form, &mut right[..n]);
                let y = (right[n] - w * w * dot(&self.tangent[..n], &right[..n])) / below;
                right[..n].iter_mut().zip(&along).for_each(|(x, a)| *x -= y * a);
                right[n] = y;
            }
            linear.work = along;
            return;
        }
        let wide = n + 1;
        linear.matrix.resize(wide * wide, 0.0);
        map.jacobian(form, at, &self.all_blocks, &self.all, (&mut linear.matrix, wide));
        for i in 0..n {
            linear.matrix[i * wide + n] = self.F_theta[i];
            linear.matrix[n * wide + i] = w * w * self.tangent[i];
        }
        linear.matrix[n * wide + n] = t_theta;
        let [a, b] = &mut self.right;
        if both {
            linear.solve(wide, &mut [a, b]);
        } else {
            linear.solve(wide, &mut [a]);
        }
    }

    /// Follows the path to ln τ = `end`; false if it ends before.
    pub fn follow(
        &mut self,
        form: &NormalForm,
        manner: &Manner,
        end: f64,
        map: &mut Map,
        linear: &mut Linear,
    ) -> bool {
        for _ in 0..STEPS {
            if self.theta <= end {
                return true;
            }
            let w = 1.0 / norm(&self.p).max(1.0);
            let here = at(manner, self.theta);
            map.evaluate(form, &self.p, here);
            self.by_theta(form, manner, map, Which::Point);
            self.find_tangent(form, here, w, map, linear, true);
            if !self.advance(form, manner, w, map, linear) {
                return false;
            }
            let largest = self.p.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            if !(largest < ENDLESS) {
                return false;
            }
        }
        self.theta <= end
    }

    /// The tangent at the point, and what Newton's method corrects with the same factors.
    fn find_tangent(
        &mut self,
        form: &NormalForm,
        here: At,
        w: f64,
        map: &mut Map,
        linear: &mut Linear,
        correct: bool,
    ) {
        let n = form.n;
        self.right[0].fill(0.0);
        for i in 0..n {
            self.right[1][i] = -map.F[i];
        }
        self.right[1][n] = 0.0;
        if self.begun {
            self.right[0][n] = 1.0;
        } else {
            // The first tangent points to smaller τ: its border is that of θ alone.
            self.tangent.fill(0.0);
            self.tangent[n] = -1.0;
            self.right[0][n] = 1.0;
        }
        self.bordered(form, here, w, map, linear, true);
        let length = (w * norm(&self.right[0][..n])).hypot(self.right[0][n]);
        for i in 0..=n {
            self.tangent[i] = self.right[0][i] / length;
        }
        if correct && self.right[1][n].abs() < 1.0 {
            for i in 0..n {
                self.p[i] += self.right[1][i];
            }
            self.theta += self.right[1][n];
        }
        self.begun = true;
    }

    /// One step along the tangent and back to the path; false if none is short enough.
    fn advance(
        &mut self,
        form: &NormalForm,
        manner: &Manner,
        w: f64,
        map: &mut Map,
        linear: &mut Linear,
    ) -> bool {
        let n = form.n;
        let mut refined = false;
        while self.step > SHORTEST {
            let (h, t_theta) = (self.step, self.tangent[n]);
            // Away from folds p is nearly linear in τ, not in ln τ.
            let reach = if t_theta < -0.3 { (1.0 - (h * t_theta).exp()) / -t_theta } else { h };
            for i in 0..n {
                self.trial[i] = self.p[i] + reach * self.tangent[i];
            }
            self.predicted.copy_from_slice(&self.trial);
            let theta_0 = self.theta + h * t_theta;
            if theta_0 > 1e-9 && t_theta > 0.0 {
                return false;
            }
            self.last[n] = theta_0;
            if let Some(steps) = self.correct(form, manner, w, theta_0, map, linear) {
                let moved: f64 =
                    self.trial.iter().zip(&self.predicted).map(|(x, y)| (x - y).powi(2)).sum();
                let theta = self.last[n];
                if (w * moved.sqrt()).hypot(theta - theta_0) <= JUMP * h {
                    self.p.copy_from_slice(&self.trial);
                    self.theta = theta;
                    let grow = match steps {
                        0..=2 => 2.2,
                        3 => 1.3,
                        _ => 0.8,
                    };
                    self.step = (h * grow).min(manner.longest);
                    return true;
                }
            }
            self.step *= 0.4;
            if !refined {
                refined = true;
                self.refine(form, manner, w, map, linear);
                if !self.p.iter().all(|x| x.is_finite()) || self.theta.abs() > 60.0 {
                    return false;
                }
            }
        }
        false
    }

    /// Newton's method from the predicted point across the tangent; how many corrections it took.
    fn correct(
        &mut self,
        form: &NormalForm,
        manner: &Manner,
        w: f64,
        theta_0: f64,
        map: &mut Map,
        linear: &mut Linear,
    ) -> Option<usize> {
        let n = form.n;
        let (mut theta, mut before) = (theta_0, f64::INFINITY);
        for k in 0..CORRECTIONS {
            let there = at(manner, theta);
            map.evaluate(form, &self.trial, there);
            let residual = map.residual();
            if residual <= manner.near * there.tau.min(1.0) {
                self.last[n] = theta;
                return Some(k);
            }
            if k > 1 && residual > 0.7 * before {
                return None;
            }
            before = residual;
            self.last[n] = theta;
            self.by_theta(form, manner, map, Which::Trial);
            let moved: f64 =
                (0..n).map(|i| self.tangent[i] * (self.trial[i] - self.predicted[i])).sum();
            for i in 0..n {
                self.right[0][i] = -map.F[i];
            }
            self.right[0][n] = -(w * w * moved + self.tangent[n] * (theta - theta_0));
            self.bordered(form, there, w, map, linear, false);
            for i in 0..n {
                self.trial[i] += self.right[0][i];
            }
            theta += self.right[0][n];
            let wild = !((theta - self.theta).abs() <= 6.0 * self.step + 2.0);
            if wild || !self.trial.iter().all(|x| x.is_finite()) {
                return None;
            }
        }
        None
    }

    /// Brings the point onto the path, and takes the tangent there.
    fn refine(
        &mut self,
        form: &NormalForm,
        manner: &Manner,
        w: f64,
        map: &mut Map,
        linear: &mut Linear,
    ) {
        for k in 0..5 {
            let here = at(manner, self.theta);
            map.evaluate(form, &self.p, here);
            let met = map.residual() <= 1e-5 * manner.near * here.tau.min(1.0);
            self.by_theta(form, manner, map, Which::Point);
            let last = met || k == 4;
            self.find_tangent(form, here, w, map, linear, !last);
            if last || !self.p.iter().all(|x| x.is_finite()) {
                return;
            }
        }
    }
}

/// Which of a path's points is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    Point,
    Trial,
}
