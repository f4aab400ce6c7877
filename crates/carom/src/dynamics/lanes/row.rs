//! Rows of several states side by side: their mobility, their rate and their size.

use pulp::{Simd, WithSimd};

use super::Lanes;
use super::inertia::LaneWrench;
use super::number::{Lane, LaneMatrix, LaneVector, WIDTH};
use crate::dynamics::row::RowWrench;
use crate::maths::{Vec3, Wrench};
use crate::model::{Anchor, BodyId, Place};

/// Two points, and the body or the ground that carries the direction from the first to the second.
#[derive(Clone, Copy, Debug)]
pub struct Between {
    /// The first point.
    pub a: Anchor,
    /// The second point.
    pub b: Anchor,
    /// What carries the direction.
    pub normal_in: Place,
    /// The direction in the link frame of that body.
    pub normal: Vec3,
}

/// A row of each state.
#[derive(Clone, Copy, Debug)]
pub struct LaneRow {
    /// n · (p_b − p_a) \[m\].
    pub gap: [f64; WIDTH],
    /// The mobility of the row on free bodies \[1/kg\].
    pub natural: [f64; WIDTH],
    /// W \[1/kg\].
    pub mobility: [f64; WIDTH],
    /// u \[m/s\].
    pub rate: [f64; WIDTH],
}

impl Lanes {
    /// w Y wᵀ and the rate of one row in each state; the rows join the same two bodies.
    pub fn mobility(&self, rows: &[RowWrench; WIDTH]) -> ([f64; WIDTH], [f64; WIDTH]) {
        let (mobility, rate) = self.arch.dispatch(Climbing(self, rows));
        (mobility.0, rate.0)
    }

    /// The row between two points along a direction that a body or the ground carries, in each state.
    pub fn between(&self, points: &Between) -> LaneRow {
        self.arch.dispatch(Reaching(self, points))
    }

    #[inline(always)]
    fn reach(&self, points: &Between) -> LaneRow {
        let Between { a, b, normal_in, normal } = points;
        let ground = self.slim.len();
        let node = |place: Place| place.map_or(ground, BodyId::index);
        let (link_a, link_b) = (&self.links[node(a.body)], &self.links[node(b.body)]);
        let n = self.links[node(*normal_in)].rotation.times_vector(normal);
        let p_a = link_a.rotation.times_vector(&a.at) + link_a.origin;
        let p_b = link_b.rotation.times_vector(&b.at) + link_b.origin;
        let of_force =
            |force: LaneVector, arm: LaneVector| LaneWrench { moment: arm.cross(&force), force };
        let minus = LaneVector([-n.0[0], -n.0[1], -n.0[2]]);
        let on_a = of_force(minus, p_a - link_a.origin);
        let on_b = of_force(n, p_b - link_b.origin);
        let (mobility, rate) = self.climb_both((a.body, on_a), (b.body, on_b));
        let natural = self.free_mobility((a.body, &on_a), (b.body, &on_b));
        LaneRow {
            gap: n.dot(&(p_b - p_a)).0,
            natural: natural.0,
            mobility: mobility.0,
            rate: rate.0,
        }
    }

    /// `RowWrench::free_mobility` of each state.
    #[inline(always)]
    fn free_mobility(&self, a: (Place, &LaneWrench), b: (Place, &LaneWrench)) -> Lane {
        let gives_way = |place: Place| place.filter(|body| !self.hinges[body.index()].prescribed);
        let (on_a, on_b) = match (gives_way(a.0), gives_way(b.0)) {
            (None, None) => (a.0, b.0),
            giving => giving,
        };
        self.free_side(on_a, a.1) + self.free_side(on_b, b.1)
    }

    /// One side of it.
    #[inline(always)]
    fn free_side(&self, place: Place, w: &LaneWrench) -> Lane {
        let Some(body) = place else { return Lane::default() };
        let (hinge, link) = (&self.hinges[body.index()], &self.links[body.index()]);
        let center = link.rotation.times_vector(&hinge.scale_center);
        let turn = link.rotation.turned_back(&(w.moment - center.cross(&w.force)));
        let square = w.force.dot(&w.force);
        let translation = square.divided_by(hinge.scale_mass);
        let rotation = match &hinge.rotational_mobility {
            Some(m) => turn.dot(&LaneMatrix::all(m).times_lane(&turn)),
            None => Lane::default(),
        };
        translation + rotation
    }

    /// Σ u²/D along both branches of the rows to ground, and their rates.
    #[inline(always)]
    fn climb_both(&self, a: (Place, LaneWrench), b: (Place, LaneWrench)) -> (Lane, Lane) {
        let ground = self.slim.len();
        let node = |place: Place| place.map_or(ground, BodyId::index);
        let ((a, mut on_a), (b, mut on_b)) = (a, b);
        let (mut a, mut b) = (node(a), node(b));
        let power = |n: usize, w: &LaneWrench| {
            let link = &self.links[n];
            w.moment.dot(&link.ang) + w.force.dot(&link.lin)
        };
        let mut rate = Lane::default();
        for (n, w) in [(a, &on_a), (b, &on_b)] {
            if n < ground {
                rate += power(n, w);
            }
        }
        let mut W = Lane::default();
        while a != b && a < ground && b < ground {
            // The branch whose body stands further out goes first.
            if a > b {
                W += self.climb(&mut a, &mut on_a);
            } else {
                W += self.climb(&mut b, &mut on_b);
            }
        }
        if a == b || a >= ground {
            if a == b {
                on_b.moment = on_b.moment + on_a.moment;
                on_b.force = on_b.force + on_a.force;
            }
            (a, on_a) = (b, on_b);
        }
        let mut below = Lane::default();
        while a < ground {
            below += self.climb(&mut a, &mut on_a);
        }
        (below + W, rate)
    }

    /// Carries wrenches past body `n` to its parent: u²/D of the body's joint.
    #[inline(always)]
    fn climb(&self, n: &mut usize, w: &mut LaneWrench) -> Lane {
        let slim = &self.slim[*n];
        let mut W = Lane::default();
        for column in slim.columns().rev() {
            let own = &self.columns[column];
            let along = if self.shapes[column].angular { &w.moment } else { &w.force };
            let u = own.axis.dot(along);
            let x = u * own.inverse_D;
            W += u * x;
            w.moment = w.moment - own.U.moment.times(x);
            w.force = w.force - own.U.force.times(x);
        }
        w.moment = w.moment + self.links[*n].arm.cross(&w.force);
        *n = slim.parent as usize;
        W
    }
}

/// The wrenches of the states side by side.
#[inline(always)]
fn gathered(states: [Wrench; WIDTH]) -> LaneWrench {
    LaneWrench {
        moment: LaneVector::of(states.map(|w| w.moment)),
        force: LaneVector::of(states.map(|w| w.force)),
    }
}

/// [`Lanes::climb_both`], compiled likewise.
struct Climbing<'a>(&'a Lanes, &'a [RowWrench; WIDTH]);

impl WithSimd for Climbing<'_> {
    type Output = (Lane, Lane);

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> (Lane, Lane) {
        let rows = self.1;
        let on_a = gathered(rows.map(|r| r.on_a));
        let on_b = gathered(rows.map(|r| r.on_b));
        self.0.climb_both((rows[0].a, on_a), (rows[0].b, on_b))
    }
}

/// [`Lanes::reach`], compiled likewise.
struct Reaching<'a>(&'a Lanes, &'a Between);

impl WithSimd for Reaching<'_> {
    type Output = LaneRow;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> LaneRow {
        self.0.reach(self.1)
    }
}
