//! A closed spatial loop of slender rods on revolute joints, in Denavit–Hartenberg parameters.
//!
//! Link k (1 … N) goes from joint k to joint k+1 along its own x axis with length a_k; joint k turns
//! by θ_k about z of the frame before it, and the next axis is twisted by α_k about x:
//! the loop closes if Π Rz(θ_k) Tx(a_k) Rx(α_k) = 1. Link N is the ground. World frame: the frame
//! of joint 1, with link N on the negative x axis.

use crate::space::{Frame, IDENTITY, Vector, add, cross, dot, norm, scale, sub};

/// Lengths, twists and masses of the links.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoopOfRods<const N: usize> {
    /// a_k.
    pub length: [f64; N],
    /// α_k.
    pub twist: [f64; N],
    /// m_k; the last one, the ground's, does not count.
    pub mass: [f64; N],
}

/// Ends of a link and their velocities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ends {
    /// Where joint k and joint k+1 are.
    pub at: [Vector; 2],
    /// Their velocities.
    pub velocity: [Vector; 2],
}

impl Ends {
    /// Position at the fraction `s` of the link's length.
    pub fn point(&self, s: f64) -> Vector {
        add(scale(1.0 - s, self.at[0]), scale(s, self.at[1]))
    }

    /// Velocity at the fraction `s` of the link's length.
    pub fn velocity_at(&self, s: f64) -> Vector {
        add(scale(1.0 - s, self.velocity[0]), scale(s, self.velocity[1]))
    }

    /// T of a slender rod of mass `m`: m (v_a² + v_a · v_b + v_b²)/6.
    pub fn kinetic_energy(&self, m: f64) -> f64 {
        let [a, b] = self.velocity;
        m * (dot(a, a) + dot(a, b) + dot(b, b)) / 6.0
    }
}

impl<const N: usize> LoopOfRods<N> {
    /// How far the loop is from closing: the largest of the gap and the tilts of the axes.
    pub fn closing_error(&self, theta: &[f64; N]) -> f64 {
        let mut frame = Frame::WORLD;
        for (k, angle) in theta.iter().enumerate() {
            frame = frame.then(&self.step(k, *angle));
        }
        let tilt = frame
            .rotation
            .iter()
            .zip(IDENTITY)
            .map(|(row, unit)| norm(sub(*row, unit)))
            .fold(0.0, f64::max);
        norm(frame.origin).max(tilt)
    }

    /// The ends of all links; the last one, the ground, must come out at rest.
    pub fn ends(&self, theta: &[f64; N], rate: &[f64; N]) -> [Ends; N] {
        let mut frame = Frame::WORLD;
        let mut omega = [0.0; 3];
        let mut velocity = [0.0; 3];
        std::array::from_fn(|k| {
            omega = add(omega, scale(rate[k], frame.z()));
            let next = frame.then(&self.step(k, theta[k]));
            let arm = sub(next.origin, frame.origin);
            let far = add(velocity, cross(omega, arm));
            let ends = Ends { at: [frame.origin, next.origin], velocity: [velocity, far] };
            (frame, velocity) = (next, far);
            ends
        })
    }

    /// T of the moving links.
    pub fn kinetic_energy(&self, theta: &[f64; N], rate: &[f64; N]) -> f64 {
        let ends = self.ends(theta, rate);
        (0..N - 1).map(|k| ends[k].kinetic_energy(self.mass[k])).sum()
    }

    /// m_eff = 2 T / (n · v)² of the point at the fraction `s` of link `k` (from 0), if `rate` is the
    /// only motion the loop has.
    pub fn effective_mass(
        &self,
        theta: &[f64; N],
        rate: &[f64; N],
        point: (usize, f64),
        n: Vector,
    ) -> f64 {
        let (k, s) = point;
        let v = self.ends(theta, rate)[k].velocity_at(s);
        2.0 * self.kinetic_energy(theta, rate) / dot(n, v).powi(2)
    }

    fn step(&self, k: usize, theta: f64) -> Frame {
        Frame::denavit_hartenberg(theta, 0.0, self.length[k], self.twist[k])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_planar_rectangle_closes_and_shears() {
        let quarter = std::f64::consts::FRAC_PI_2;
        let four = LoopOfRods { length: [1.0, 2.0, 1.0, 2.0], twist: [0.0; 4], mass: [1.0; 4] };
        let theta = [quarter; 4];
        assert!(four.closing_error(&theta) < 1e-14);
        let ends = four.ends(&theta, &[1.0, -1.0, 1.0, -1.0]);
        assert!(ends[3].velocity.iter().all(|v| norm(*v) < 1e-14), "the ground rests");
        // Two cranks of 1 kg and a coupler of 1 kg: 2 · 1/3 + 1.
        let T = four.kinetic_energy(&theta, &[1.0, -1.0, 1.0, -1.0]);
        assert!((2.0 * T - 5.0 / 3.0).abs() < 1e-14);
    }
}
