//! One solver for all contact problems.

mod last_resort;
mod one_planar;

use super::map::{At, Linear, Map};
use super::normal_form::{Kind, LARGE_FRICTION, NormalForm};
use super::path::{MANNERS, Manner, Path};
use super::polish::{Polish, size};
use super::problem::{Admissible, ContactPoint, ContactProblem, Residuals};
use super::uniqueness::{Choice, Uniqueness};
use crate::maths::dot::dot;

/// An answer misses the natural map by at most this, relative to the size of impulses, in normal form.
pub(super) const MET: f64 = 1e-12;
/// However large impulses are that nearly cancel, the natural map is missed by no more than this, of velocities of 1; and the conditions of the problem
/// as given by no more than ten times this fraction of the largest velocity.
const LARGEST_MISS: f64 = 1e-10;
/// τ at which Newton's method is tried from the path.
pub(super) const TRIES: [f64; 4] = [1e-4, 1e-7, 1e-10, 1e-13];
/// τ at which impulses of size 1 and those that vanish are told from each other.
const INSIDE: f64 = 1e-9;
/// τ at which Newton's method is tried first.
const EARLY: f64 = 3e-2;
/// Newton's whole steps from there, or from p = 0.
const FAST: usize = 8;
/// Newton's method may move p by this times √τ from the path: impulses and velocities that vanish at its end are about √τ before.
const AWAY: f64 = 3.0;
/// Newton's steps from the path.
const FROM_PATH: usize = 30;
/// Coefficient that stands for sticking where a point would have to pull to stick: then it slides, with a normal impulse smaller than the
/// tangential by this.
const STICKS: f64 = 1e5;
/// Tangential impulses below this fraction of the largest impulse are round-off.
const NOTHING: f64 = 1e-13;
/// Impulses this large, beside velocities of 1, leave few digits: what needs more has no answer.
const MOST: f64 = 1e6;
/// Nothing is known yet of other answers.
const UNPROVED: Uniqueness =
    Uniqueness { impulses: 0, velocities: 0, gap: f64::INFINITY, undecided: false, proved: false };

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoAnswer {
    /// Proved: no motion separates the contacts, a combination y ≥ 0 of their normals cannot move and closes, W y = 0 and cᵀ y < 0. The
    /// first point that has a share in it.
    Blocked {
        /// The point.
        point: usize,
    },
    /// No solution was found; none is known not to exist.
    NotFound {
        /// The least violation of the conditions that was reached, as a velocity.
        residual: f64,
    },
}

/// The solver with its memory, which grows to the largest problem seen: solving one of the same size again allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct ConeSolver {
    form: NormalForm,
    map: Map,
    linear: Linear,
    polish: Polish,
    path: Path,
    choice: Choice,
    p: Vec<f64>,
    best: Vec<f64>,
    points: Vec<ContactPoint>,
    /// Impulses of the last answer, by the rows of the problem.
    pub impulses: Vec<f64>,
    /// Velocities u = W p + c.
    pub velocities: Vec<f64>,
    /// By how much the conditions are missed.
    pub residuals: Residuals,
    /// How unique the answer is.
    pub uniqueness: Uniqueness,
    /// Whether the start without a path is left out, for tests.
    pub path_only: bool,
}

impl ConeSolver {
    /// Solves a problem; the answer stands in the solver.
    pub fn solve(&mut self, problem: &ContactProblem<'_>) -> Result<(), NoAnswer> {
        let rows = problem.c.len();
        self.impulses.clear();
        self.impulses.resize(rows, 0.0);
        self.velocities.clear();
        self.velocities.extend_from_slice(problem.c);
        self.uniqueness = UNPROVED;
        let large = |a: Admissible| matches!(a, Admissible::Coulomb(mu) if mu > LARGE_FRICTION);
        let as_stick = |point: &ContactPoint| {
            if large(point.admissible) {
                ContactPoint { admissible: Admissible::Stick, ..*point }
            } else {
                *point
            }
        };
        let mut points = std::mem::take(&mut self.points);
        points.clear();
        points.extend(problem.points.iter().map(as_stick));
        let mut found = self.attempt(&ContactProblem { points: &points, ..*problem });
        // Each round turns at least one point, so there are at most as many as points.
        for _ in 0..points.len() {
            if !self.release(&mut points, problem.points, found.is_err()) {
                break;
            }
            found = self.attempt(&ContactProblem { points: &points, ..*problem });
        }
        let sticks = |given: &ContactPoint| given.admissible == Admissible::Stick;
        if matches!(found, Err(NoAnswer::NotFound { .. })) && problem.points.iter().any(sticks) {
            // A smaller coefficient leaves more digits. Where points cannot stick, the problem may have other answers with a larger one.
            for (point, _) in
                points.iter_mut().zip(problem.points).filter(|(_, given)| sticks(given))
            {
                point.admissible = Admissible::Coulomb(LARGE_FRICTION);
            }
            found = self.attempt(&ContactProblem { points: &points, ..*problem });
            self.uniqueness.undecided = true;
        }
        self.points = points;
        found
    }

    /// Gives points a cone that were solved as sticking and cannot be: their tangential impulse needs more than μ p_n, or all of them where no
    /// answer was found. Sticking without a coefficient takes a large one. Whether there were any.
    fn release(&self, points: &mut [ContactPoint], given: &[ContactPoint], all: bool) -> bool {
        let largest = self.impulses.iter().fold(0.0_f64, |m, p| m.max(p.abs()));
        let (mut at, mut some) = (0, false);
        for (point, given) in points.iter_mut().zip(given) {
            let p = &self.impulses[at..at + point.rows()];
            at += point.rows();
            if point.admissible != Admissible::Stick {
                continue;
            }
            let mu = match given.admissible {
                Admissible::Coulomb(mu) => mu,
                _ => STICKS,
            };
            let p_t = p[1..].iter().fold(0.0_f64, |s, x| s.hypot(*x));
            if all || p_t > mu * p[0] + NOTHING * largest {
                point.admissible = Admissible::Coulomb(mu);
                some = true;
            }
        }
        some
    }

    /// Solves with the points' conditions as they are.
    fn attempt(&mut self, problem: &ContactProblem<'_>) -> Result<(), NoAnswer> {
        if self.one_planar(problem) {
            self.report(problem);
            if self.residuals.velocity <= Self::most_missed(problem) {
                return Ok(());
            }
            self.uniqueness = UNPROVED;
        }
        let set = self.form.set(problem, |k| problem.points[k].admissible);
        set.map_err(|point| NoAnswer::Blocked { point })?;
        if problem.c.iter().all(|c| *c == 0.0) && problem.points.iter().all(|p| p.least == 0.0) {
            // Nothing moves and nothing is asked for.
            self.impulses.fill(0.0);
            self.report(problem);
            return Ok(());
        }
        self.p.clear();
        self.p.resize(self.form.n, 0.0);
        let mut found = self.direct(problem)
            || self.resting(problem)
            || self.early(problem)
            || self.search(problem, &MANNERS[..1]);
        if !found {
            // A proof that there is no answer is cheaper than a long search for one.
            if let Some(point) = self.blocked(problem) {
                return Err(NoAnswer::Blocked { point });
            }
            let set = self.form.set(problem, |k| problem.points[k].admissible);
            set.map_err(|point| NoAnswer::Blocked { point })?;
            found = self.search(problem, &MANNERS[1..])
                || self.proximal(problem) && self.judge(problem, At::END)
                || self.start_anywhere(problem);
        }
        self.form.given(problem, &self.p, &mut self.impulses);
        self.report(problem);
        let residual = self.residuals.velocity;
        if found && residual <= Self::most_missed(problem) {
            return Ok(());
        }
        Err(NoAnswer::NotFound { residual })
    }

    /// What the conditions of an answer may be missed by, as a velocity.
    fn most_missed(problem: &ContactProblem<'_>) -> f64 {
        let largest = problem.c.iter().fold(0.0_f64, |m, c| m.max(c.abs()));
        let bounds = problem.points.iter().fold(0.0_f64, |m, point| m.max(point.least));
        let most = (0..problem.c.len()).fold(0.0_f64, |m, i| m.max(problem.w(i, i)));
        10.0 * (LARGEST_MISS * (largest + most * bounds)).max(problem.round_off)
    }

    /// u and the residuals, from the problem as given.
    fn report(&mut self, problem: &ContactProblem<'_>) {
        let n = problem.c.len();
        self.trim(problem);
        for (i, u) in self.velocities.iter_mut().enumerate() {
            *u = problem.c[i] + dot(&problem.W[i * n..(i + 1) * n], &self.impulses);
        }
        self.residuals = Residuals::new(problem, &self.impulses, &self.velocities);
    }

    /// Impulses of round-off below their bound are put on it, those outside of their cone on its surface.
    fn trim(&mut self, problem: &ContactProblem<'_>) {
        let largest = self.impulses.iter().fold(0.0_f64, |m, p| m.max(p.abs()));
        let mut at = 0;
        for point in problem.points {
            let p = &mut self.impulses[at..at + point.rows()];
            at += point.rows();
            p[0] = p[0].max(point.least);
            let p_t = p[1..].iter().fold(0.0_f64, |s, x| s.hypot(*x));
            let stick = point.admissible == Admissible::Stick;
            if stick && p[0] == 0.0 && p_t <= NOTHING * largest {
                p[1..].fill(0.0);
            }
            if let Admissible::Coulomb(mu) = point.admissible {
                let limit = mu * p[0];
                if p_t > limit {
                    p[1..].iter_mut().for_each(|x| *x *= limit / p_t);
                }
            }
        }
    }

    /// What the natural map of an answer may be.
    fn allowed(&self, problem: &ContactProblem<'_>) -> f64 {
        let T = self.form.T.iter().fold(0.0_f64, |m, t| m.max(*t));
        let own = (MET * size(&self.p)).min(LARGEST_MISS);
        own.max(problem.round_off * T / self.form.size)
    }

    /// self.p ← an answer at the end of a path, with its uniqueness; whether there is one.
    fn search(&mut self, problem: &ContactProblem<'_>, manners: &[Manner]) -> bool {
        self.follow(problem, manners) && self.judge(problem, At::END)
    }

    /// self.p ← an answer in which no pressed point slips and every other separates at least as fast as u ∈ K* asks, if there is one. It solves the
    /// convex problem without |u_t| n as well, and the velocities of that are unique: so the convex problem decides, and of several isolated answers of
    /// Coulomb's law this one is given.
    fn resting(&mut self, problem: &ContactProblem<'_>) -> bool {
        if self.form.monotone || !self.form.sliding.is_empty() {
            return false;
        }
        let Self { form, map, linear, polish, p, .. } = self;
        p.fill(0.0);
        let residual = polish.whole(form, p, At::CONVEX, FAST, map, linear);
        if residual <= self.allowed(problem) && self.slips(problem) {
            return false;
        }
        let manner = Manner { end: At::CONVEX, ..MANNERS[0] };
        if !self.follow(problem, &[manner]) || self.slips(problem) {
            return false;
        }
        self.judge(problem, At::CONVEX);
        self.map.evaluate(&self.form, &self.p, At::END);
        self.map.residual() <= self.allowed(problem)
    }

    /// Whether the velocities at p let a point slip that may be pressed: neither u = 0 nor u inside of K*.
    fn slips(&mut self, problem: &ContactProblem<'_>) -> bool {
        self.map.evaluate(&self.form, &self.p, At::CONVEX);
        // Where a point sticks, the map is u.
        let rest = self.allowed(problem);
        let u = &self.map.u;
        let mut cones = self.form.blocks.iter().filter(|b| b.kind == Kind::Cone);
        cones.any(|block| {
            let slip =
                u[block.at + 1..block.at + block.dim].iter().map(|u| u * u).sum::<f64>().sqrt();
            slip > rest && u[block.at] - slip <= rest
        })
    }

    /// How unique the answer is, and of many the one of equally soft contacts.
    fn judge(&mut self, problem: &ContactProblem<'_>, end: At) -> bool {
        let met = self.allowed(problem);
        let Self { form, map, linear, polish, choice, p, path, .. } = self;
        self.uniqueness = choice.judge(form, (p, end), (map, linear, polish));
        if self.uniqueness.impulses + self.uniqueness.velocities > 0
            && !choice.soften(form, (p, end), met, path, (map, linear, polish))
        {
            self.uniqueness.undecided = true;
        }
        true
    }

    /// Newton's method from the least impulses, where its answer is proved to be the only one or where velocities are unique.
    fn direct(&mut self, problem: &ContactProblem<'_>) -> bool {
        if self.form.n == 0 {
            return true;
        }
        let Self { form, map, linear, polish, p, choice, .. } = self;
        if let ([w], [c], true) = (&form.W[..], &form.c[..], form.monotone) {
            p[0] = (-c / w).max(0.0);
            self.uniqueness.proved = true;
            return true;
        }
        let proof = choice.proves(form);
        if self.path_only || proof.is_none() && !form.monotone {
            return false;
        }
        form.begin(p, &mut map.u);
        let mut residual = polish.whole(form, p, At::END, FAST, map, linear);
        if !(residual <= self.allowed(problem)) {
            let Self { form, map, linear, polish, p, .. } = self;
            form.begin(p, &mut map.u);
            residual = polish.run(form, p, At::END, FROM_PATH, map, linear);
        }
        if !(residual <= self.allowed(problem)) {
            return false;
        }
        if let Some(least) = proof {
            (self.uniqueness.proved, self.uniqueness.gap) = (true, least / f64::EPSILON);
            return true;
        }
        self.is_regular()
    }

    /// Whether p is locally the only answer.
    fn is_regular(&mut self) -> bool {
        let Self { form, map, linear, polish, choice, p, .. } = self;
        let Some(gap) = choice.regular(form, (p, At::END), (map, linear, polish)) else {
            return false;
        };
        self.uniqueness.gap = gap;
        self.uniqueness.proved = self.form.monotone;
        true
    }

    /// Newton's method from the beginning of the path, so that it leads to the path's end. Only an answer that is locally the only one is taken.
    fn early(&mut self, problem: &ContactProblem<'_>) -> bool {
        let Self { form, map, linear, polish, path, p, .. } = self;
        let manner = &MANNERS[0];
        if self.path_only
            || form.monotone
            || !path.start(form, manner, map, linear)
            || !path.follow(form, manner, EARLY.ln(), map, linear)
        {
            return false;
        }
        p.copy_from_slice(&path.p);
        let residual = polish.whole(form, p, At::END, FAST, map, linear);
        let near = is_near(p, &path.p, EARLY);
        near && residual <= self.allowed(problem) && self.is_regular()
    }

    /// self.p ← the end of the path, inside of the set of answers.
    fn follow(&mut self, problem: &ContactProblem<'_>, manners: &[Manner]) -> bool {
        let mut least = f64::INFINITY;
        self.best.clear();
        self.best.resize(self.form.n, 0.0);
        for manner in manners {
            let Self { form, map, linear, path, .. } = self;
            if !path.start(form, manner, map, linear) {
                continue;
            }
            let mut onward = true;
            for tau in TRIES {
                let Self { form, map, linear, path, polish, p, .. } = self;
                onward = onward && path.follow(form, manner, tau.ln(), map, linear);
                p.copy_from_slice(&path.p);
                let mut residual = polish.run(form, p, manner.end, FROM_PATH, map, linear);
                // Newton's method may lead away to another answer: then the path is followed on.
                let convex = manner.end.g == 0.0;
                let near = convex || !onward || tau == TRIES[3] || is_near(p, &path.p, tau);
                if near && residual <= self.allowed(problem) {
                    // Inside of the set of answers, if there are many.
                    let Self { form, map, linear, path, polish, p, choice, best, .. } = self;
                    if choice.regular(form, (p, manner.end), (map, linear, polish)).is_none()
                        && onward
                    {
                        best.copy_from_slice(p);
                        path.follow(form, manner, INSIDE.ln(), map, linear);
                        p.copy_from_slice(&path.p);
                        residual = polish.run(form, p, manner.end, FROM_PATH, map, linear);
                        if !(residual <= self.allowed(problem)) {
                            self.p.copy_from_slice(&self.best);
                        }
                    }
                    return true;
                }
                if residual < least {
                    least = residual;
                    self.best.copy_from_slice(&self.p);
                }
                if !onward {
                    break;
                }
            }
        }
        self.p.copy_from_slice(&self.best);
        false
    }

    /// The proof that no motion separates the contacts: the direction in which impulses of the frictionless problem grow without end.
    fn blocked(&mut self, problem: &ContactProblem<'_>) -> Option<usize> {
        self.form.set(problem, |_| Admissible::Normal).ok()?;
        let Self { form, map, linear, path, .. } = self;
        if !path.start(form, &MANNERS[0], map, linear) {
            return None;
        }
        path.follow(form, &MANNERS[0], TRIES[3].ln(), map, linear);
        let long = path.p.iter().fold(0.0_f64, |m, p| m.max(p.abs()));
        path.p.iter_mut().for_each(|p| *p = (*p / long).max(0.0));
        map.u.resize(form.n, 0.0);
        form.multiply(0.0, &path.p, &mut map.u);
        let moves = map.u.iter().fold(0.0_f64, |m, u| m.max(u.abs()));
        let closes = -dot(&form.c, &path.p);
        // Any answer has yᵀ u = (W y)ᵀ p + cᵀ y ≥ 0, so Σ p ≥ −cᵀ y / |W y|.
        if !(closes > 0.0 && closes >= MOST * moves) {
            return None;
        }
        let share = form.blocks.iter().position(|b| path.p[b.at] > 1e-6)?;
        form.blocks[share].point
    }
}

impl ConeSolver {
    /// Factorisations on paths and steps of Newton's method so far: what solving costs.
    pub fn factorisations(&self) -> (usize, usize) {
        (self.path.factorisations, self.polish.steps)
    }
}

/// Whether Newton's method has stayed near a point of the path.
pub(super) fn is_near(p: &[f64], from: &[f64], tau: f64) -> bool {
    let moved = p.iter().zip(from).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs()));
    moved <= AWAY * tau.sqrt() * size(p)
}
