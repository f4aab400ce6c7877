//! What is tried where all paths end before τ = 0.

use super::super::map::At;
use super::super::normal_form::Kind;
use super::super::problem::ContactProblem;
use super::{ConeSolver, FAST};

/// Starts at last, where all paths end before τ = 0, and the most blocks for which they are tried.
const STARTS: u32 = 200;
const FEW: usize = 12;
/// Softness of the proximal point method, relative to blocks of norm 1, and the most steps with each.
const PROXIMAL: [f64; 3] = [1e-2, 1e-4, 1e-6];
const PROXIMAL_STEPS: usize = 20;

impl ConeSolver {
    /// The proximal point method (Rockafellar 1976) from the best point there is: u = W p + c + ε S (p − p_last), whose steps are
    /// regular where W is not.
    pub(super) fn proximal(&mut self, problem: &ContactProblem<'_>) -> bool {
        let mut last = f64::INFINITY;
        for soft in PROXIMAL {
            for _ in 0..PROXIMAL_STEPS {
                let Self { form, map, linear, polish, p, best, .. } = self;
                best.copy_from_slice(p);
                for ((c, weight), last) in form.c.iter_mut().zip(&form.soft).zip(&*best) {
                    *c -= soft * weight * last;
                }
                polish.run(form, p, At { soft, ..At::END }, FAST, map, linear);
                for ((c, weight), last) in form.c.iter_mut().zip(&form.soft).zip(&*best) {
                    *c += soft * weight * last;
                }
                map.evaluate(form, p, At::END);
                let residual = map.residual();
                if residual <= self.allowed(problem) {
                    return true;
                }
                if !(residual < 0.9 * last) {
                    self.p.copy_from_slice(&self.best);
                    break;
                }
                last = residual;
            }
        }
        false
    }

    /// Newton's method from many starts, where all paths end before: an answer found so depends on the order of points.
    pub(super) fn start_anywhere(&mut self, problem: &ContactProblem<'_>) -> bool {
        if self.form.blocks.len() > FEW {
            return false;
        }
        self.best.copy_from_slice(&self.p);
        let mut seed = 1_u32;
        for _ in 0..STARTS {
            let Self { form, map, linear, polish, p, .. } = self;
            for block in &form.blocks {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let open = seed >> 30 == 0;
                let size = if open { 0.0 } else { f64::from(1 + (seed >> 26 & 3)) };
                p[block.at] = size;
                let (sin, cos) = f64::from(seed >> 16 & 0xff).sin_cos();
                let slides = block.kind == Kind::Cone && seed >> 29 & 1 == 1;
                for x in 1..block.dim {
                    let e = if block.dim == 2 { cos.signum() } else { [cos, sin][x - 1] };
                    p[block.at + x] = if slides { size * e } else { 0.0 };
                }
            }
            let residual = polish.run(form, p, At::END, FAST, map, linear);
            if residual <= self.allowed(problem) {
                let Self { form, map, linear, polish, choice, p, .. } = self;
                self.uniqueness = choice.judge(form, (p, At::END), (map, linear, polish));
                self.uniqueness.undecided = true;
                return true;
            }
        }
        self.p.copy_from_slice(&self.best);
        false
    }
}
