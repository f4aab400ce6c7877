//! Deterministic random numbers for tests: SplitMix64 (Steele, Lea, Flood 2014).
//!
//! The same seed gives the same mechanism on every machine, so a failing test names its case.

use crate::space::{Matrix, Vector};

/// The generator.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A generator that starts from `seed`.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in 0 ≤ x < 1.
    pub fn uniform(&mut self) -> f64 {
        // 53 bits fill the mantissa exactly.
        (self.bits() >> 11) as f64 / 9_007_199_254_740_992.0
    }

    /// Uniform in low ≤ x < high.
    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    /// One of 0, 1, …, count − 1 (0 for count = 0).
    pub fn index(&mut self, count: usize) -> usize {
        let count = count.max(1) as u64;
        usize::try_from(self.bits() % count).unwrap_or(0)
    }

    /// Uniform on the unit sphere.
    pub fn unit_vector(&mut self) -> Vector {
        // Archimedes: z is uniform on a sphere.
        let z = self.within(-1.0, 1.0);
        let (s, c) = self.within(0.0, std::f64::consts::TAU).sin_cos();
        let r = (1.0 - z * z).sqrt();
        [r * c, r * s, z]
    }

    /// A vector with components uniform between −size and size.
    pub fn vector(&mut self, size: f64) -> Vector {
        std::array::from_fn(|_| self.within(-size, size))
    }

    /// Uniform among unit quaternions w, x, y, z (Shoemake 1992).
    pub fn quaternion(&mut self) -> [f64; 4] {
        let u = self.uniform();
        let (s1, c1) = self.within(0.0, std::f64::consts::TAU).sin_cos();
        let (s2, c2) = self.within(0.0, std::f64::consts::TAU).sin_cos();
        let (r1, r2) = ((1.0 - u).sqrt(), u.sqrt());
        [r2 * c2, r1 * s1, r1 * c1, r2 * s2]
    }

    /// Uniform among rotations.
    pub fn rotation(&mut self) -> Matrix {
        let [w, x, y, z] = self.quaternion();
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
    }

    /// An inertia tensor a real body can have: principal moments that satisfy the triangle
    /// inequality, of the order of mass · size², in random axes.
    pub fn inertia(&mut self, mass: f64, size: f64) -> Matrix {
        // Second moments ∫x² dm and so on, each positive.
        let [x, y, z] = std::array::from_fn(|_| mass * size * size * self.within(0.02, 0.2));
        let R = self.rotation();
        let J = [[y + z, 0.0, 0.0], [0.0, x + z, 0.0], [0.0, 0.0, x + y]];
        crate::space::turned(&R, &J)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{IDENTITY, norm, product, transpose};

    #[test]
    fn the_sequence_is_the_published_one() {
        // Reference output of SplitMix64 for seed 1234567.
        let mut random = Random::new(1_234_567);
        assert_eq!(random.bits(), 6_457_827_717_110_365_317);
        assert_eq!(random.bits(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn uniform_numbers_fill_their_range() {
        let mut random = Random::new(1);
        let sample: Vec<f64> = (0..4000).map(|_| random.within(2.0, 4.0)).collect();
        let mean = sample.iter().sum::<f64>() / 4000.0;
        assert!((mean - 3.0).abs() < 0.03, "mean {mean}");
        assert!(sample.iter().all(|x| (2.0..4.0).contains(x)));
        assert!((0..100).all(|_| random.index(7) < 7));
    }

    #[test]
    fn directions_and_rotations_have_unit_size() {
        let mut random = Random::new(2);
        for _ in 0..100 {
            assert!((norm(random.unit_vector()) - 1.0).abs() < 1e-14);
            let R = random.rotation();
            let unit = product(&R, &transpose(&R));
            for (row, expected) in unit.iter().zip(IDENTITY) {
                assert!(row.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-14));
            }
        }
    }
}
