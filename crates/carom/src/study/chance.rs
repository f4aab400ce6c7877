//! Numbers by chance that depend on a seed and a place alone, so that any point can be computed without those before it.

/// Mixes 64 bits so that every bit of the result depends on every bit of `x`.
///
/// SplitMix64: Steele, Lea, Flood, Fast splittable pseudorandom number generators, OOPSLA 2014, fig. 16.
pub fn mix(x: u64) -> u64 {
    let mut z = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// 64 bits of a seed, a stream and a place in it.
pub fn bits(seed: u64, stream: u64, place: u64) -> u64 {
    mix(mix(mix(seed) ^ stream) ^ place)
}

/// From 0 to 1, without 1.
pub fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// Rounds of [`shuffled`]: four make a good mixer of a good round function (Luby, Rackoff 1988); two more cost nothing.
const ROUNDS: u64 = 6;

/// Where `k` of `n` goes in an order drawn by the key; a permutation of 0 … n−1 without memory.
///
/// A Feistel network over the least even number of bits that holds n; what falls outside goes round again.
pub fn shuffled(k: u64, n: u64, key: u64) -> u64 {
    if n < 2 {
        return k;
    }
    let half = (64 - (n - 1).leading_zeros()).div_ceil(2);
    let mask = (1_u64 << half) - 1;
    let mut x = k;
    loop {
        let (mut left, mut right) = (x >> half, x & mask);
        for round in 0..ROUNDS {
            (left, right) = (right, left ^ (bits(key, round, right) & mask));
        }
        x = (left << half) | right;
        if x < n {
            return x;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shuffle_is_a_permutation_and_the_key_decides_which() {
        for n in [1, 2, 3, 7, 64, 1000] {
            let mut all: Vec<u64> = (0..n).map(|k| shuffled(k, n, 5)).collect();
            all.sort_unstable();
            assert_eq!(all, (0..n).collect::<Vec<_>>());
        }
        let order = |key| (0..50).map(|k| shuffled(k, 50, key)).collect::<Vec<_>>();
        assert_ne!(order(1), order(2));
        assert_ne!(order(1), (0..50).collect::<Vec<_>>());
    }

    #[test]
    fn the_published_first_output_of_splitmix64_comes_out() {
        // Seed 0 of the reference implementation (Vigna): e220a8397b1dcdaf.
        assert_eq!(mix(0), 0xe220_a839_7b1d_cdaf);
    }

    #[test]
    fn the_mean_and_the_spread_of_units_are_those_of_a_uniform_number() {
        const N: u64 = 10_000;
        // Four standard deviations of the mean of N uniform numbers.
        const MEAN: f64 = 4.0 * 0.2887 / 100.0;
        let x: Vec<f64> = (0..N).map(|k| unit(bits(3, 1, k))).collect();
        let mean = x.iter().sum::<f64>() / N as f64;
        let variance = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / N as f64;
        assert!((mean - 0.5).abs() < MEAN, "{mean}");
        assert!((variance - 1.0 / 12.0).abs() < 0.004, "{variance}");
    }
}
