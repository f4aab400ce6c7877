//! The contact problem as its callers state it.

/// What the impulse of a contact point may be, beside p_n ≥ the point's least.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Admissible {
    /// No tangential impulse: a ray.
    Normal,
    /// |p_t| ≤ μ p_n with p_t against the slip: Coulomb's cone.
    Coulomb(f64),
    /// Any tangential impulse as long as the point is pressed: the limit of large μ.
    Stick,
    /// Sliding in a known unit direction d: p_t = −μ p_n d, an oblique ray.
    Sliding {
        /// μ.
        mu: f64,
        /// d, by the point's tangents.
        along: [f64; 2],
    },
}

/// A contact point: its rows are the normal's and those of its tangents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// Rows beside the normal's: 0, 1 in the plane or 2 in space.
    pub tangents: usize,
    /// What its impulse may be.
    pub admissible: Admissible,
    /// The least normal impulse b ≥ 0: 0 ≤ p_n − b ⟂ u_n ≥ 0. Poisson's restitution phase has one.
    pub least: f64,
}

impl ContactPoint {
    /// A point without friction and tangents.
    pub const SMOOTH: Self = Self { tangents: 0, admissible: Admissible::Normal, least: 0.0 };

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        1 + self.tangents
    }
}

/// Find p with u = W p + c such that at each point
///
/// ```text
/// 0 ≤ p_n − b ⟂ u_n ≥ 0      p_t in the disc μ p_n, and of all in it the one with the least p_tᵀ u_t
/// ```
///
/// Written with De Saxcé's ũ = u + μ |u_t| n that is one condition, K ∋ p ⟂ ũ ∈ K*, with Coulomb's cone K
/// (De Saxcé and Feng 1998). W is symmetric and positive semidefinite, stored by rows. Impulses and velocities may as well be
/// forces and accelerations: only W, c and the bounds have units.
#[derive(Clone, Copy, Debug)]
pub struct ContactProblem<'a> {
    /// The points.
    pub points: &'a [ContactPoint],
    /// W, by rows.
    pub W: &'a [f64],
    /// c.
    pub c: &'a [f64],
    /// How far c may be from velocities that the bodies can have: conditions are not held against more digits.
    pub round_off: f64,
}

impl ContactProblem<'_> {
    /// W of two rows.
    pub(super) fn w(&self, row: usize, column: usize) -> f64 {
        self.W[row * self.c.len() + column]
    }
}

/// By how much impulses and velocities miss the conditions of a contact problem, largest over all points, in the units of the problem.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Residuals {
    /// b − p_n where positive: an impulse that pulls.
    pub pull: f64,
    /// −u_n where positive: a point that still closes.
    pub closing: f64,
    /// min(p_n − b, u_n / W_nn) where both are positive: an impulse at a point that separates.
    pub complementarity: f64,
    /// |p_t| − μ p_n where positive: an impulse outside of its cone.
    pub cone: f64,
    /// Distance of p_t from the point of the disc μ p_n nearest to p_t − u_t / W_tt: friction that does not oppose the slip.
    pub dissipation: f64,
    /// The largest of all as velocities: impulses multiplied by W_nn or W_tt.
    pub velocity: f64,
}

impl Residuals {
    /// Of impulses p and velocities u = W p + c, both as given, without any scaling.
    pub fn new(problem: &ContactProblem<'_>, p: &[f64], u: &[f64]) -> Self {
        let mut out = Self::default();
        let mut at = 0;
        for point in problem.points {
            let rows = at..at + point.rows();
            out.add(problem, point, at, (&p[rows.clone()], &u[rows.clone()]));
            at = rows.end;
        }
        out
    }

    fn add(
        &mut self,
        problem: &ContactProblem<'_>,
        point: &ContactPoint,
        at: usize,
        (p, u): (&[f64], &[f64]),
    ) {
        let own = problem.w(at, at);
        let mut push = |kept: &mut f64, missed: f64, unit: f64| {
            *kept = larger(*kept, missed);
            self.velocity = larger(self.velocity, missed * unit);
        };
        push(&mut self.pull, (point.least - p[0]).max(0.0), own);
        push(&mut self.closing, (-u[0]).max(0.0), 1.0);
        if own > 0.0 {
            let both = (p[0] - point.least).min(u[0] / own).max(0.0);
            push(&mut self.complementarity, both, own);
        }
        if point.tangents == 0 {
            return;
        }
        let unit: f64 = (1..=point.tangents).map(|x| problem.w(at + x, at + x)).sum();
        let length = |t: [f64; 2]| t[0].hypot(t[1]);
        let tangent = |list: &[f64]| [list[1], list.get(2).copied().unwrap_or(0.0)];
        let (p_t, u_t) = (tangent(p), tangent(u));
        let limit = match point.admissible {
            Admissible::Normal => return push(&mut self.cone, length(p_t), unit),
            Admissible::Sliding { mu, along } => {
                let missed = [0, 1].map(|x| p_t[x] + mu * p[0] * along[x]);
                return push(&mut self.cone, length(missed), unit);
            }
            Admissible::Coulomb(mu) => mu * p[0].max(0.0),
            Admissible::Stick if p[0] > 0.0 => f64::INFINITY,
            Admissible::Stick => 0.0,
        };
        push(&mut self.cone, (length(p_t) - limit).max(0.0), unit);
        if unit > 0.0 && limit > 0.0 {
            let aim = [0, 1].map(|x| p_t[x] - u_t[x] / unit);
            let shrink = if length(aim) > limit { limit / length(aim) } else { 1.0 };
            push(&mut self.dissipation, length([0, 1].map(|x| p_t[x] - shrink * aim[x])), unit);
        }
    }
}

/// The larger number; a NaN stays, where `f64::max` would drop it.
pub(super) fn larger(x: f64, y: f64) -> f64 {
    if x.is_nan() || y <= x { x } else { y }
}
