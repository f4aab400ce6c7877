//! Fewer points of a long series: even ones, and all that matter.

/// Positions that are kept of `count`: those that matter, and as many others, evenly, as make about `most` of them.
pub(super) fn thinned(count: usize, most: usize, matters: impl Fn(usize) -> bool) -> Vec<usize> {
    if count <= most {
        return (0..count).collect();
    }
    let important = (0..count).filter(|k| matters(*k)).count();
    let room = most.saturating_sub(important).max(2);
    let step = (count as f64 / room as f64).max(1.0);
    let mut next = 0.0;
    let mut out = Vec::with_capacity(most);
    for k in 0..count {
        let due = k as f64 >= next;
        if due {
            next += step;
        }
        if due || k + 1 == count || matters(k) {
            out.push(k);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_series_is_whole() {
        assert_eq!(thinned(5, 10, |_| false), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn ends_and_what_matters_are_kept_and_the_rest_is_even() {
        let kept = thinned(1000, 50, |k| k == 333 || k == 334);
        assert!(kept.len() <= 52, "{}", kept.len());
        for must in [0, 333, 334, 999] {
            assert!(kept.contains(&must), "{must}");
        }
        let widest = kept.windows(2).map(|w| w[1] - w[0]).max();
        assert!(widest <= Some(21), "{widest:?}");
    }

    #[test]
    fn everything_that_matters_is_kept_even_if_it_is_too_much() {
        assert_eq!(thinned(100, 10, |_| true).len(), 100);
    }
}
