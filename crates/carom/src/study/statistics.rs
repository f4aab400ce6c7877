//! What two columns have in common.

/// Pearson's correlation; `None` if one of them does not vary.
pub fn pearson(x: &[f64], y: &[f64]) -> Option<f64> {
    let n = x.len() as f64;
    let (mx, my) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (x, y) in x.iter().zip(y) {
        xx += (x - mx) * (x - mx);
        yy += (y - my) * (y - my);
        xy += (x - mx) * (y - my);
    }
    // What is round-off of the mean is no variation.
    let varies = |s: f64, m: f64| s > n * (1e-14 * m).powi(2);
    (n > 1.0 && varies(xx, mx) && varies(yy, my)).then(|| xy / (xx * yy).sqrt())
}

/// Spearman's correlation: Pearson's of the ranks, equal values sharing theirs.
pub fn spearman(x: &[f64], y: &[f64]) -> Option<f64> {
    pearson(&ranks(x), &ranks(y))
}

/// Places in order of size, from 1; equal values share the mean of theirs.
pub fn ranks(x: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by(|a, b| x[*a].total_cmp(&x[*b]));
    let mut out = vec![0.0; x.len()];
    let mut start = 0;
    while start < order.len() {
        let mut end = start + 1;
        while end < order.len() && same(x[order[start]], x[order[end]]) {
            end += 1;
        }
        let rank = 0.5 * (start + end + 1) as f64;
        for &k in &order[start..end] {
            out[k] = rank;
        }
        start = end;
    }
    out
}

/// Round-off apart.
fn same(a: f64, b: f64) -> bool {
    // ∞ is like itself alone.
    a == b || (a - b).abs() <= (1e-12 * a.abs().max(b.abs())).min(f64::MAX)
}

/// Whether y grows with x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Monotony {
    /// How many neighbours in the order of x have y falling.
    pub inversions: usize,
    /// The two rows with x smaller and y larger by most; none where y never falls.
    pub worst: Option<(usize, usize)>,
    /// By how much, as a part of the span of y.
    pub depth: f64,
}

/// Looks for pairs with x smaller and y larger.
pub fn monotony(x: &[f64], y: &[f64]) -> Monotony {
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by(|a, b| x[*a].total_cmp(&x[*b]).then(y[*a].total_cmp(&y[*b])));
    let span = y.iter().copied().fold(f64::NEG_INFINITY, f64::max)
        - y.iter().copied().fold(f64::INFINITY, f64::min);
    let mut out = Monotony { inversions: 0, worst: None, depth: 0.0 };
    let mut highest: Option<usize> = None;
    for pair in order.windows(2) {
        let [a, b] = [pair[0], pair[1]];
        out.inversions += usize::from(y[b] < y[a] && !same(y[a], y[b]) && !same(x[a], x[b]));
    }
    // Rows with the same x are not in order among each other: they wait until x has grown.
    let mut waiting: Vec<usize> = Vec::new();
    for &k in &order {
        if waiting.first().is_some_and(|w| !same(x[*w], x[k])) {
            let higher =
                |a: Option<usize>, b: usize| Some(a.filter(|a| y[*a] >= y[b]).unwrap_or(b));
            highest = waiting.drain(..).fold(highest, higher);
        }
        waiting.push(k);
        if let Some(h) = highest.filter(|h| y[k] < y[*h] && !same(y[k], y[*h])) {
            let depth = (y[h] - y[k]) / span;
            if depth > out.depth {
                (out.depth, out.worst) = (depth, Some((h, k)));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_correlates_fully_and_a_parabola_not_at_all() {
        let x = [-2.0, -1.0, 0.0, 1.0, 2.0];
        let line = x.map(|x| 3.0 - 2.0 * x);
        let parabola = x.map(|x| x * x);
        let cube = x.map(|x| x * x * x);
        assert!((pearson(&x, &line).unwrap() + 1.0).abs() < 1e-15);
        assert!(pearson(&x, &parabola).unwrap().abs() < 1e-15);
        assert!((spearman(&x, &cube).unwrap() - 1.0).abs() < 1e-15);
        assert!(pearson(&x, &cube).unwrap() < 0.95);
        assert_eq!(pearson(&x, &[2.0; 5]), None);
    }

    #[test]
    fn spearman_of_ranks_without_ties_is_one_less_the_sum_of_squares() {
        // ρ = 1 − 6 Σ d² / (n (n² − 1)), exact where no two values are equal.
        let (x, y) = ([1.0, 5.0, 2.0, 9.0, 7.0], [3.0, 1.0, 2.0, 8.0, 9.0]);
        let d = [1.0 - 3.0, 3.0 - 1.0, 2.0 - 2.0, 5.0 - 4.0, 4.0 - 5.0_f64];
        let wanted = 1.0 - 6.0 * d.iter().map(|d| d * d).sum::<f64>() / (5.0 * 24.0);
        assert!((spearman(&x, &y).unwrap() - wanted).abs() < 1e-15);
        assert_eq!(ranks(&[2.0, 1.0, 2.0]), [2.5, 1.0, 2.5]);
        let infinite = f64::INFINITY;
        assert_eq!(ranks(&[infinite, 1.0, 2.0, infinite]), [3.5, 1.0, 2.0, 3.5]);
    }

    #[test]
    fn the_worst_inversion_is_found_across_the_whole_order() {
        let x = [1.0, 2.0, 3.0, 4.0, 5.0];
        let rising = monotony(&x, &[0.0, 1.0, 1.0, 2.0, 10.0]);
        assert_eq!((rising.inversions, rising.worst), (0, None));
        let found = monotony(&x, &[0.0, 5.0, 4.0, 3.0, 10.0]);
        assert_eq!((found.inversions, found.worst), (2, Some((1, 3))));
        assert!((found.depth - 0.2).abs() < 1e-15);
        // Nothing is said by an x that does not change but for round-off.
        let still = monotony(&[0.1, 0.1 + 1e-17, 0.3 - 0.2], &[3.0, 1.0, 2.0]);
        assert_eq!((still.inversions, still.worst), (0, None));
    }
}
