//! Sobol's sequence: points that fill a cube evenly, however many are taken.
//!
//! Joe, Kuo, Constructing Sobol sequences with better two-dimensional projections, SIAM J. Sci. Comput. 30 (2008)
//! 2635-2654: recurrence (their eq. 2) and the first rows of their table `new-joe-kuo-6.21201`.

use super::chance;

/// How many directions there are numbers for.
pub const MOST_DIMENSIONS: usize = 32;

/// Bits of a coordinate.
const BITS: usize = 53;

/// Of dimensions 2, 3, …: the polynomial's inner coefficients as bits, and m₁, m₂, … (its degree is their count).
const TABLE: [(u32, &[u64]); MOST_DIMENSIONS - 1] = [
    (0, &[1]),
    (1, &[1, 3]),
    (1, &[1, 3, 1]),
    (2, &[1, 1, 1]),
    (1, &[1, 1, 3, 3]),
    (4, &[1, 3, 5, 13]),
    (2, &[1, 1, 5, 5, 17]),
    (4, &[1, 1, 5, 5, 5]),
    (7, &[1, 1, 7, 11, 19]),
    (11, &[1, 1, 5, 1, 1]),
    (13, &[1, 1, 1, 3, 11]),
    (14, &[1, 3, 5, 5, 31]),
    (1, &[1, 3, 3, 9, 7, 49]),
    (13, &[1, 1, 1, 15, 21, 21]),
    (16, &[1, 3, 1, 13, 27, 49]),
    (19, &[1, 1, 1, 15, 7, 5]),
    (22, &[1, 3, 1, 15, 13, 25]),
    (25, &[1, 1, 5, 5, 19, 61]),
    (1, &[1, 3, 7, 11, 23, 15, 103]),
    (4, &[1, 3, 7, 13, 13, 15, 69]),
    (7, &[1, 1, 3, 13, 7, 35, 63]),
    (8, &[1, 3, 5, 9, 1, 25, 53]),
    (14, &[1, 3, 1, 13, 9, 35, 107]),
    (19, &[1, 3, 1, 5, 27, 61, 31]),
    (21, &[1, 1, 5, 11, 19, 41, 61]),
    (28, &[1, 3, 5, 3, 3, 13, 69]),
    (31, &[1, 1, 7, 13, 1, 19, 1]),
    (32, &[1, 3, 7, 5, 13, 19, 59]),
    (37, &[1, 1, 3, 9, 25, 29, 41]),
    (41, &[1, 3, 5, 13, 23, 1, 55]),
    (42, &[1, 3, 7, 3, 13, 59, 17]),
];

/// The sequence in some dimensions, shifted digit by digit by a seed.
#[derive(Clone, Debug)]
pub struct Sobol {
    /// v_k of each dimension, from the most significant bit.
    directions: Vec<[u64; BITS]>,
    shift: Vec<u64>,
}

impl Sobol {
    /// In that many dimensions; `None` beyond [`MOST_DIMENSIONS`]. Without a seed nothing is shifted.
    pub fn new(dimensions: usize, seed: Option<u64>) -> Option<Self> {
        if dimensions > MOST_DIMENSIONS {
            return None;
        }
        let directions = (0..dimensions).map(directions).collect();
        let shift = |d| seed.map_or(0, |seed| chance::bits(seed, d, 0) >> (64 - BITS));
        Some(Self { directions, shift: (0..dimensions as u64).map(shift).collect() })
    }

    /// Coordinate `d` of point `k`, from 0 to 1 without 1.
    pub fn coordinate(&self, k: u64, d: usize) -> f64 {
        (self.digits(k, d) ^ self.shift[d]) as f64 / (1_u64 << BITS) as f64
    }

    /// The same of a sequence that is scrambled by a key: each digit is turned or not by chance that depends on the digits before it
    /// (Owen, in: Monte Carlo and Quasi-Monte Carlo Methods in Scientific Computing, 1995, 299-317). Sequences of different keys are
    /// independent, and every point is uniform in the cube.
    pub fn scrambled(&self, k: u64, d: usize, key: u64) -> f64 {
        let digits = self.digits(k, d);
        let own = chance::bits(key, d as u64, 0);
        let mut x = 0;
        for place in 0..BITS {
            let before = digits >> (BITS - place);
            let turned = chance::bits(own, place as u64, before) & 1;
            let digit = (digits >> (BITS - 1 - place)) & 1;
            x = (x << 1) | (digit ^ turned);
        }
        x as f64 / (1_u64 << BITS) as f64
    }

    /// The digits of coordinate `d` of point `k`, not shifted.
    fn digits(&self, k: u64, d: usize) -> u64 {
        let (mut x, mut rest) = (0, k);
        for v in &self.directions[d] {
            if rest == 0 {
                break;
            }
            if rest & 1 == 1 {
                x ^= v;
            }
            rest >>= 1;
        }
        x
    }
}

fn directions(d: usize) -> [u64; BITS] {
    let mut v = [0; BITS];
    let Some(&(a, m)) = d.checked_sub(1).and_then(|k| TABLE.get(k)) else {
        // The first dimension is van der Corput's sequence.
        for (k, v) in v.iter_mut().enumerate() {
            *v = 1 << (BITS - 1 - k);
        }
        return v;
    };
    let s = m.len();
    for k in 0..BITS {
        if k < s {
            v[k] = m[k] << (BITS - 1 - k);
            continue;
        }
        // v_k = v_{k−s} ⊕ (v_{k−s} / 2^s) ⊕ the v_{k−j} whose coefficient a_j is 1
        v[k] = v[k - s] ^ (v[k - s] >> s);
        for j in 1..s {
            if (a >> (s - 1 - j)) & 1 == 1 {
                v[k] ^= v[k - j];
            }
        }
    }
    v
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_points_in_three_dimensions_are_the_published_ones() {
        // In the order of the counter (not of Gray's code), as in Bratley, Fox 1988 for the first two.
        let sobol = Sobol::new(3, None).unwrap();
        let wanted = [
            [0.0, 0.0, 0.0],
            [0.5, 0.5, 0.5],
            [0.25, 0.75, 0.75],
            [0.75, 0.25, 0.25],
            [0.125, 0.625, 0.375],
        ];
        for (k, point) in wanted.iter().enumerate() {
            let found = [0, 1, 2].map(|d| sobol.coordinate(k as u64, d));
            assert_eq!(found, *point, "{k}");
        }
    }

    #[test]
    fn every_slice_of_every_dimension_holds_one_point() {
        let sobol = Sobol::new(MOST_DIMENSIONS, Some(7)).unwrap();
        for d in 0..MOST_DIMENSIONS {
            let slice = |k| (sobol.coordinate(k, d) * 256.0).floor();
            let mut slices: Vec<f64> = (0..256).map(slice).collect();
            slices.sort_by(f64::total_cmp);
            assert_eq!(slices, (0..256).map(f64::from).collect::<Vec<_>>(), "dimension {d}");
        }
        assert!(Sobol::new(MOST_DIMENSIONS + 1, None).is_none());
    }

    #[test]
    fn a_scrambled_sequence_keeps_one_point_in_every_slice() {
        let sobol = Sobol::new(3, None).unwrap();
        for (d, key) in [(0, 1), (1, 1), (2, 5)] {
            let slice = |k| (sobol.scrambled(k, d, key) * 64.0).floor();
            let mut slices: Vec<f64> = (0..64).map(slice).collect();
            let order = slices.clone();
            slices.sort_by(f64::total_cmp);
            assert_eq!(slices, (0..64).map(f64::from).collect::<Vec<_>>());
            let other: Vec<f64> =
                (0..64).map(|k| (sobol.scrambled(k, d, key + 1) * 64.0).floor()).collect();
            assert_ne!(order, other);
        }
    }

    #[test]
    fn the_polynomials_of_the_table_are_primitive() {
        // x has order 2^s − 1 modulo a primitive polynomial of degree s over GF(2): a wrong digit seldom keeps that.
        for (a, m) in TABLE {
            let s = m.len();
            let polynomial = (1_u64 << s) | u64::from(a) << 1 | 1;
            let (mut x, mut order) = (1_u64, 0);
            loop {
                x <<= 1;
                if x >> s & 1 == 1 {
                    x ^= polynomial;
                }
                order += 1;
                if x == 1 {
                    break;
                }
            }
            assert_eq!(order, (1 << s) - 1, "{a} {m:?}");
            assert!(m.iter().enumerate().all(|(k, m)| m % 2 == 1 && *m < 2 << k), "{m:?}");
        }
    }

    #[test]
    fn an_integral_converges_faster_than_by_chance() {
        // ∫ Π 2 x_d over five dimensions is 1; by chance the error of 4096 points is about 0.03.
        let sobol = Sobol::new(5, Some(1)).unwrap();
        let n = 4096;
        let sum: f64 =
            (0..n).map(|k| (0..5).map(|d| 2.0 * sobol.coordinate(k, d)).product::<f64>()).sum();
        assert!((sum / n as f64 - 1.0).abs() < 0.005, "{}", sum / n as f64);
    }
}
