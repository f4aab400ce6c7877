//! Strokes and places along a curve, by its length on paper.

/// A point in dots.
pub(super) type Dot = (f64, f64);

fn distance(a: Dot, b: Dot) -> f64 {
    (b.0 - a.0).hypot(b.1 - a.1)
}

fn between(a: Dot, b: Dot, share: f64) -> Dot {
    (a.0 + share * (b.0 - a.0), a.1 + share * (b.1 - a.1))
}

/// The strokes of a curve whose pattern is strokes and gaps in turn, in dots; the curve itself if there is no pattern.
pub(super) fn strokes(points: &[Dot], pattern: &[f64]) -> Vec<Vec<Dot>> {
    if pattern.iter().any(|p| !(*p > 0.0)) || pattern.is_empty() {
        return vec![points.to_vec()];
    }
    let mut out: Vec<Vec<Dot>> = Vec::new();
    let (mut part, mut left) = (0, pattern[0]);
    let mut stroke: Vec<Dot> = points.first().copied().into_iter().collect();
    for pair in points.windows(2) {
        let (mut from, to) = (pair[0], pair[1]);
        let mut rest = distance(from, to);
        while rest > left {
            from = between(from, to, left / rest);
            rest -= left;
            if part % 2 == 0 {
                stroke.push(from);
                out.push(std::mem::take(&mut stroke));
            } else {
                stroke = vec![from];
            }
            part += 1;
            left = pattern[part % pattern.len()];
        }
        left -= rest;
        if part % 2 == 0 {
            stroke.push(to);
        }
    }
    if stroke.len() > 1 {
        out.push(stroke);
    }
    out
}

/// Places along a curve, `spacing` apart, the first after `first`, in dots.
pub(super) fn places(points: &[Dot], first: f64, spacing: f64) -> Vec<Dot> {
    let mut out = Vec::new();
    let mut left = first;
    for pair in points.windows(2) {
        let (mut from, to) = (pair[0], pair[1]);
        let mut rest = distance(from, to);
        while rest > left {
            from = between(from, to, left / rest);
            rest -= left;
            out.push(from);
            left = spacing;
        }
        left -= rest;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strokes_and_gaps_follow_the_length_around_corners() {
        let corner = [(0.0, 0.0), (3.0, 0.0), (3.0, 4.0)];
        let found = strokes(&corner, &[2.0, 2.0]);
        let expected = vec![vec![(0.0, 0.0), (2.0, 0.0)], vec![(3.0, 1.0), (3.0, 3.0)]];
        assert_eq!(found, expected);
        assert_eq!(strokes(&corner, &[]), vec![corner.to_vec()]);
        assert_eq!(places(&corner, 1.0, 3.0), vec![(1.0, 0.0), (3.0, 1.0)]);
    }
}
