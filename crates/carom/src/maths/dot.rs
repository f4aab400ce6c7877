//! Sums of products.

/// Σ aᵢ bᵢ, as four sums side by side: they do not wait for each other.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (four, rest) = (a.chunks_exact(4), a.chunks_exact(4).remainder());
    let mut sums = [0.0; 4];
    for (x, y) in four.zip(b.chunks_exact(4)) {
        for k in 0..4 {
            sums[k] += x[k] * y[k];
        }
    }
    let from = a.len() - rest.len();
    let last: f64 = rest.iter().zip(&b[from..]).map(|(x, y)| x * y).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + last
}

#[cfg(test)]
mod tests {
    use super::dot;

    #[test]
    fn every_product_counts_once_whatever_the_length() {
        // Σ i² = n (n + 1)(2 n + 1)/6
        for n in 0_u32..13 {
            let list: Vec<f64> = (1..=n).map(f64::from).collect();
            assert_eq!(dot(&list, &list), f64::from(n * (n + 1) * (2 * n + 1) / 6), "{n}");
        }
    }
}
