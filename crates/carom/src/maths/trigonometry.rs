//! Sine and cosine of one angle together, in half the instructions of the system's.
//!
//! Two thirds of what a joint's pose costs went into them. The angle is reduced to |r| ≤ π/4 with π/2
//! in three parts of 33 bits, so that products with whole numbers are exact, and both series are
//! summed side by side. The error is below one unit in the last place of the larger result; angles
//! beyond ±10⁶ turn to the system's functions.

/// π/2 in three parts; the first two have 33 bits.
const HALF_PI: [f64; 3] =
    [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_795_950_6e-21];
const TWO_OVER_PI: f64 = std::f64::consts::FRAC_2_PI;
/// Adding and subtracting it rounds to a whole number: 1.5 · 2⁵².
const ROUND: f64 = 6_755_399_441_055_744.0;
/// Largest angle for which n · π/2 is exact in parts.
const LARGEST: f64 = 1e6;

/// Coefficients of r³, r⁵, … of the sine and of r⁴, r⁶, … of the cosine.
const SERIES: [[f64; 2]; 7] = [
    [-1.0 / 6.0, 1.0 / 24.0],
    [1.0 / 120.0, -1.0 / 720.0],
    [-1.0 / 5040.0, 1.0 / 40320.0],
    [1.0 / 362_880.0, -1.0 / 3_628_800.0],
    [-1.0 / 39_916_800.0, 1.0 / 479_001_600.0],
    [1.0 / 6_227_020_800.0, -1.0 / 87_178_291_200.0],
    [-1.0 / 1_307_674_368_000.0, 1.0 / 20_922_789_888_000.0],
];

/// (sin x, cos x).
#[inline]
pub fn sin_cos(x: f64) -> (f64, f64) {
    // Not for NaN either.
    if !(x.abs() <= LARGEST) {
        return x.sin_cos();
    }
    let shifted = x * TWO_OVER_PI + ROUND;
    let n = shifted - ROUND;
    // The lowest bits of the shifted number are those of n.
    let quarter = shifted.to_bits();
    let a = x - n * HALF_PI[0];
    let t = n * HALF_PI[1];
    let b = a - t;
    let low = ((a - b) - t) - n * HALF_PI[2];
    let r = b + low;
    let rest = (b - r) + low;
    let s = r * r;
    let mut sums = SERIES[6];
    for pair in SERIES[..6].iter().rev() {
        sums = [sums[0] * s + pair[0], sums[1] * s + pair[1]];
    }
    let half = 0.5 * s;
    let near = 1.0 - half;
    // rest is what the reduction lost: sin(r + rest) = sin r + rest cos r, and so on.
    let sine = r + (r * s * sums[0] + rest * near);
    let cosine = near + (((1.0 - near) - half) + s * s * sums[1] - r * rest);
    let (sine, cosine) = if quarter & 1 == 0 { (sine, cosine) } else { (cosine, sine) };
    // Quarters 2, 3 turn the sine's sign; quarters 1, 2 the cosine's.
    let sign = |value: f64, bit: u64| f64::from_bits(value.to_bits() ^ ((bit >> 1 & 1) << 63));
    (sign(sine, quarter), sign(cosine, quarter + 1))
}

/// Sines and cosines of several angles side by side, with the bits of [`sin_cos`].
#[inline(always)]
#[allow(
    clippy::inline_always,
    reason = "so that it is compiled for the vector registers of its caller"
)]
pub fn sin_cos_of<const N: usize>(x: [f64; N]) -> ([f64; N], [f64; N]) {
    let mut near = true;
    for x in x {
        near &= x.abs() <= LARGEST;
    }
    let (mut sines, mut cosines) = ([0.0; N], [0.0; N]);
    if !near {
        for k in 0..N {
            (sines[k], cosines[k]) = sin_cos(x[k]);
        }
        return (sines, cosines);
    }
    // The same steps as above, each for all angles.
    let shifted = x.map(|x| x * TWO_OVER_PI + ROUND);
    let (mut r, mut rest, mut s) = ([0.0; N], [0.0; N], [0.0; N]);
    for k in 0..N {
        let n = shifted[k] - ROUND;
        let a = x[k] - n * HALF_PI[0];
        let t = n * HALF_PI[1];
        let b = a - t;
        let low = ((a - b) - t) - n * HALF_PI[2];
        r[k] = b + low;
        rest[k] = (b - r[k]) + low;
        s[k] = r[k] * r[k];
    }
    let (mut odd, mut even) = ([SERIES[6][0]; N], [SERIES[6][1]; N]);
    for pair in SERIES[..6].iter().rev() {
        for k in 0..N {
            odd[k] = odd[k] * s[k] + pair[0];
            even[k] = even[k] * s[k] + pair[1];
        }
    }
    for k in 0..N {
        let half = 0.5 * s[k];
        let near = 1.0 - half;
        let sine = r[k] + (r[k] * s[k] * odd[k] + rest[k] * near);
        let cosine = near + (((1.0 - near) - half) + s[k] * s[k] * even[k] - r[k] * rest[k]);
        let quarter = shifted[k].to_bits();
        // All bits set in odd quarters, where sine and cosine change places.
        let swap = (quarter & 1).wrapping_neg();
        let (a, b) = (sine.to_bits(), cosine.to_bits());
        let change = (a ^ b) & swap;
        sines[k] = f64::from_bits(a ^ change ^ ((quarter >> 1 & 1) << 63));
        cosines[k] = f64::from_bits(b ^ change ^ (((quarter.wrapping_add(1)) >> 1 & 1) << 63));
    }
    (sines, cosines)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One unit in the last place of 1.
    const ULP: f64 = f64::EPSILON;

    #[test]
    fn several_angles_have_the_bits_of_each_alone() {
        let mut x = -40.0;
        while x < 40.0 {
            let all = [x, -1.7 * x, x + 1e-9, if x > 39.9 { 3e6 } else { 0.5 * x }];
            let (sines, cosines) = sin_cos_of(all);
            for (k, x) in all.into_iter().enumerate() {
                assert_eq!((sines[k].to_bits(), cosines[k].to_bits()), {
                    let (s, c) = sin_cos(x);
                    (s.to_bits(), c.to_bits())
                });
            }
            x += 0.001_37;
        }
    }

    #[test]
    fn both_agree_with_the_system_to_the_last_place() {
        let mut worst = 0.0_f64;
        let mut x = -50.0;
        while x < 50.0 {
            let ((s, c), (s0, c0)) = (sin_cos(x), x.sin_cos());
            worst = worst.max((s - s0).abs() / s0.abs()).max((c - c0).abs() / c0.abs());
            x += 0.000_137_3;
        }
        assert!(worst <= 1.01 * ULP, "relative error {worst:.3e}");
    }

    #[test]
    fn multiples_of_a_quarter_turn_are_as_exact_as_the_system_has_them() {
        for n in -4000..4000 {
            let x = f64::from(n) * std::f64::consts::FRAC_PI_2;
            let ((s, c), (s0, c0)) = (sin_cos(x), x.sin_cos());
            assert!((s - s0).abs() <= ULP * s0.abs(), "sin {x}: {s} against {s0}");
            assert!((c - c0).abs() <= ULP * c0.abs(), "cos {x}: {c} against {c0}");
        }
    }

    #[test]
    fn huge_angles_and_nan_go_to_the_system() {
        assert_eq!(sin_cos(1e15), 1e15_f64.sin_cos());
        assert!(sin_cos(f64::NAN).0.is_nan() && sin_cos(f64::INFINITY).1.is_nan());
        assert_eq!(sin_cos(0.0), (0.0, 1.0));
    }
}
