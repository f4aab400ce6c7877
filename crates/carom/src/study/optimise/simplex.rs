//! The simplex of Nelder and Mead (Comput. J. 7 (1965) 308-313) in the unit box: for goals without usable derivatives.

use super::{Score, inside};

/// A place and its score.
pub(super) type Corner = (Vec<f64>, Score);

/// Moves a simplex of that size from a corner until it is smaller than `arrived`, or `score` has no more evaluations.
pub(super) fn simplex(
    start: Corner,
    size: f64,
    arrived: f64,
    score: &mut dyn FnMut(&[f64]) -> Option<Score>,
) -> Corner {
    let d = start.0.len();
    let first = start.clone();
    let mut corners = vec![start];
    for i in 0..d {
        let mut corner = first.0.clone();
        corner[i] = if corner[i] + size <= 1.0 { corner[i] + size } else { corner[i] - size };
        let Some(found) = score(&corner) else { return best(corners) };
        corners.push((corner, found));
    }
    loop {
        corners.sort_by(|a, b| a.1.order(&b.1));
        let width = |i: usize| {
            let all = || corners.iter().map(|c| c.0[i]);
            all().fold(f64::NEG_INFINITY, f64::max) - all().fold(f64::INFINITY, f64::min)
        };
        if (0..d).map(width).fold(0.0, f64::max) < arrived {
            return best(corners);
        }
        let centre: Vec<f64> =
            (0..d).map(|i| corners[..d].iter().map(|c| c.0[i]).sum::<f64>() / d as f64).collect();
        let worst = corners[d].0.clone();
        let along = |t: f64| -> Vec<f64> {
            (0..d).map(|i| inside(centre[i] + t * (worst[i] - centre[i]))).collect()
        };
        let mirrored = along(-1.0);
        let Some(found) = score(&mirrored) else { return best(corners) };
        let new = if found.better(&corners[0].1) {
            let far = along(-2.0);
            let Some(further) = score(&far) else {
                corners.push((mirrored, found));
                return best(corners);
            };
            if further.better(&found) { (far, further) } else { (mirrored, found) }
        } else if found.better(&corners[d - 1].1) {
            (mirrored, found)
        } else {
            let near = along(if found.better(&corners[d].1) { -0.5 } else { 0.5 });
            let Some(nearer) = score(&near) else { return best(corners) };
            if nearer.better(&corners[d].1) && nearer.better(&found) {
                (near, nearer)
            } else {
                let best_place = corners[0].0.clone();
                for k in 1..=d {
                    for (x, b) in corners[k].0.iter_mut().zip(&best_place) {
                        *x = 0.5 * (*x + b);
                    }
                    let Some(found) = score(&corners[k].0) else {
                        corners.truncate(k);
                        return best(corners);
                    };
                    corners[k].1 = found;
                }
                continue;
            }
        };
        corners[d] = new;
    }
}

fn best(corners: Vec<Corner>) -> Corner {
    let worst = (Vec::new(), Score::NONE);
    corners.into_iter().reduce(|a, b| if b.1.better(&a.1) { b } else { a }).unwrap_or(worst)
}
