//! The articulated inertia of a planar body about its link origin.

use crate::maths::plane::{Vec2, quarter};

/// Moment and force of a wrench, or of U = I S.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlanarWrench {
    pub moment: f64,
    pub force: Vec2,
}

impl PlanarWrench {
    pub fn zero() -> Self {
        Self { moment: 0.0, force: Vec2::zeros() }
    }

    /// Takes `x` times another away.
    #[inline]
    pub fn less(&mut self, other: &Self, x: f64) {
        self.moment -= other.moment * x;
        self.force -= other.force * x;
    }
}

/// moment = J ω + h · v,  force = h ω + M v
#[derive(Clone, Copy, Debug)]
pub(super) struct PlanarInertia {
    pub J: f64,
    pub h: Vec2,
    pub xx: f64,
    pub xy: f64,
    pub yy: f64,
}

impl PlanarInertia {
    pub fn zero() -> Self {
        Self { J: 0.0, h: Vec2::zeros(), xx: 0.0, xy: 0.0, yy: 0.0 }
    }

    /// A body of mass m, with its centre at c and J about the origin: h = m ẑ × c.
    #[inline]
    pub fn rigid(mass: f64, J: f64, center: &Vec2) -> Self {
        Self { J, h: quarter(center) * mass, xx: mass, xy: 0.0, yy: mass }
    }

    /// M v.
    #[inline]
    fn times(&self, v: &Vec2) -> Vec2 {
        Vec2::new(self.xx * v.x + self.xy * v.y, self.xy * v.x + self.yy * v.y)
    }

    /// I S of a rotation by `sign` about z.
    #[inline]
    pub fn times_rotation(&self, sign: f64) -> PlanarWrench {
        PlanarWrench { moment: sign * self.J, force: self.h * sign }
    }

    /// I S of a translation.
    #[inline]
    pub fn times_translation(&self, axis: &Vec2) -> PlanarWrench {
        PlanarWrench { moment: self.h.dot(axis), force: self.times(axis) }
    }

    /// I ← I − U Uᵀ/D.
    #[inline]
    pub fn eliminate(&mut self, U: &PlanarWrench, inverse_D: f64) {
        let moment = U.moment * inverse_D;
        let force = U.force * inverse_D;
        self.J -= moment * U.moment;
        self.h -= force * U.moment;
        self.xx -= force.x * U.force.x;
        self.xy -= force.x * U.force.y;
        self.yy -= force.y * U.force.y;
    }

    /// Adds another one, shifted to the origin that stands at −arm from its own: with k = ẑ × arm,
    /// h' = h + M k and J' = J + (h + h') · k.
    #[inline]
    pub fn add_shifted(&mut self, other: &Self, k: &Vec2) {
        let h = other.h + other.times(k);
        self.J += other.J + (other.h + h).dot(k);
        self.h += h;
        self.xx += other.xx;
        self.xy += other.xy;
        self.yy += other.yy;
    }
}
