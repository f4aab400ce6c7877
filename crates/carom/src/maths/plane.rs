//! Vectors and turns in the x-y plane; what stands along z is one number.

use super::trigonometry::sin_cos;

/// A vector of two numbers.
pub type Vec2 = nalgebra::Vector2<f64>;

/// The z component of a × b.
#[inline]
pub fn cross(a: &Vec2, b: &Vec2) -> f64 {
    a.x * b.y - a.y * b.x
}

/// ẑ × a: a quarter turn.
#[inline]
pub fn quarter(a: &Vec2) -> Vec2 {
    Vec2::new(-a.y, a.x)
}

/// A rotation about z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// Its cosine.
    pub cos: f64,
    /// Its sine.
    pub sin: f64,
}

impl Turn {
    /// No rotation.
    pub fn identity() -> Self {
        Self { cos: 1.0, sin: 0.0 }
    }

    /// By an angle \[rad\].
    #[inline]
    pub fn by(angle: f64) -> Self {
        let (sin, cos) = sin_cos(angle);
        Self { cos, sin }
    }

    /// A turned vector.
    #[inline]
    pub fn vector(&self, a: &Vec2) -> Vec2 {
        Vec2::new(self.cos * a.x - self.sin * a.y, self.sin * a.x + self.cos * a.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::Vec3;
    use crate::maths::spatial::rotation_by;

    /// Some products of numbers near one.
    const ROUND_OFF: f64 = 1e-15;

    #[test]
    fn products_and_turns_are_those_of_space() {
        let (a, b) = (Vec2::new(0.3, -1.1), Vec2::new(0.7, 0.4));
        let lift = |x: &Vec2| Vec3::new(x.x, x.y, 0.0);
        assert!((cross(&a, &b) - lift(&a).cross(&lift(&b)).z).abs() < ROUND_OFF);
        assert!((lift(&quarter(&a)) - Vec3::z().cross(&lift(&a))).norm() < ROUND_OFF);
        let turned = rotation_by(&(Vec3::z() * 2.1)) * lift(&a);
        assert!((lift(&Turn::by(2.1).vector(&a)) - turned).norm() < ROUND_OFF);
        assert_eq!(Turn::identity().vector(&a), a);
    }
}
