//! SHA-256 (FIPS 180-4), for the checksums of what is handed out.

/// The fractional parts of the square roots of the first eight primes, 32 bits each.
const START: [u32; 8] = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];
/// Bytes of a block.
const BLOCK: usize = 64;

/// The fractional parts of the cube roots of the first 64 primes, 32 bits each: ⌊2³² ∛p⌋ modulo 2³².
fn constants() -> [u32; 64] {
    let mut out = [0; 64];
    let primes = (2_u128..).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0));
    for (k, prime) in out.iter_mut().zip(primes) {
        // The integer cube root of p 2⁹⁶, by bisection.
        let (mut low, mut high) = (0_u128, 1_u128 << 36);
        while high - low > 1 {
            let middle = u128::midpoint(low, high);
            if middle * middle * middle <= prime << 96 {
                low = middle;
            } else {
                high = middle;
            }
        }
        #[allow(clippy::cast_possible_truncation, reason = "the fractional part is wanted")]
        {
            *k = low as u32;
        }
    }
    out
}

/// The checksum in hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    let k = constants();
    let mut state = START;
    let mut tail = bytes[bytes.len() / BLOCK * BLOCK..].to_vec();
    tail.push(0x80);
    while tail.len() % BLOCK != BLOCK - 8 {
        tail.push(0);
    }
    tail.extend((8 * bytes.len() as u64).to_be_bytes());
    let blocks = bytes.chunks_exact(BLOCK).chain(tail.chunks_exact(BLOCK));
    blocks.for_each(|block| compress(&mut state, block, &k));
    state.map(|word| format!("{word:08x}")).concat()
}

fn compress(state: &mut [u32; 8], block: &[u8], k: &[u32; 64]) {
    let mut w = [0_u32; 64];
    for (word, bytes) in w.iter_mut().zip(block.chunks_exact(4)) {
        *word = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
    for t in 16..64 {
        let (x, y) = (w[t - 15], w[t - 2]);
        let s0 = x.rotate_right(7) ^ x.rotate_right(18) ^ (x >> 3);
        let s1 = y.rotate_right(17) ^ y.rotate_right(19) ^ (y >> 10);
        w[t] = w[t - 16].wrapping_add(s0).wrapping_add(w[t - 7]).wrapping_add(s1);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for t in 0..64 {
        let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = (e & f) ^ (!e & g);
        let first = h.wrapping_add(s1).wrapping_add(choice).wrapping_add(k[t]).wrapping_add(w[t]);
        let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = (a & b) ^ (a & c) ^ (b & c);
        (h, g, f, e) = (g, f, e, d.wrapping_add(first));
        (d, c, b, a) = (c, b, a, first.wrapping_add(s0.wrapping_add(majority)));
    }
    for (own, new) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *own = own.wrapping_add(new);
    }
}

#[cfg(test)]
mod tests {
    use super::sha256;

    /// The examples of the standard, and a length at which the padding takes a block of its own.
    #[test]
    fn the_examples_of_the_standard_come_out() {
        let of = |text: &str| sha256(text.as_bytes());
        assert_eq!(of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(of(long), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    }
}
