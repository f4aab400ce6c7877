//! The signed distance of two convex hulls, from the Minkowski difference.
//!
//! C = {b − a}. Apart, the distance is that of the origin from C: the quadratic programme min |Σ λ_k c_k|² with λ ≥ 0, Σ λ = 1, by the
//! algorithm of Wolfe (Finding the nearest point in a polytope, Mathematical Programming 11, 1976), which ends at an exact face.
//! With the origin inside, the depth is the least distance to a supporting plane through the points of C, found by trying all of them.

use crate::space::{Vector, add, cross, dot, norm, scale, sub};

/// Weights below this are zero, and heights below this part of the size.
const ZERO: f64 = 1e-13;
/// Rounds of Wolfe's algorithm.
const MOST_ROUNDS: usize = 1000;

/// The distance of two hulls, negative inside; in the x-y plane or in space. The direction from a to b belongs to it.
pub fn signed_distance(a: &[Vector], b: &[Vector], planar: bool) -> (f64, Vector) {
    let difference: Vec<Vector> = b.iter().flat_map(|y| a.iter().map(|x| sub(*y, *x))).collect();
    let size = difference.iter().map(|c| norm(*c)).fold(0.0, f64::max);
    let nearest = min_norm_point(&difference, size);
    let d = norm(nearest);
    if d > 1e-9 * size { (d, scale(1.0 / d, nearest)) } else { depth(&difference, size, planar) }
}

/// The point of the hull of some points that is nearest to the origin.
fn min_norm_point(points: &[Vector], size: f64) -> Vector {
    let start = (0..points.len()).min_by(|i, j| norm(points[*i]).total_cmp(&norm(points[*j])));
    let mut active = vec![start.unwrap_or(0)];
    let mut weights = vec![1.0];
    let mut x = points[active[0]];
    for _ in 0..MOST_ROUNDS {
        // The point that is lowest along x.
        let lowest =
            (0..points.len()).min_by(|i, j| dot(points[*i], x).total_cmp(&dot(points[*j], x)));
        let Some(next) = lowest else { break };
        if dot(points[next], x) >= dot(x, x) - ZERO * ZERO * size * size || active.contains(&next) {
            break;
        }
        active.push(next);
        weights.push(0.0);
        loop {
            let Some(affine) = affine_minimum(&active, points) else {
                active.pop();
                weights.pop();
                return x;
            };
            if affine.iter().all(|w| *w > ZERO) {
                weights = affine;
                break;
            }
            // As far towards it as weights stay positive.
            let step = weights
                .iter()
                .zip(&affine)
                .filter(|(w, v)| *w > *v)
                .map(|(w, v)| w / (w - v))
                .fold(1.0, f64::min);
            for (w, v) in weights.iter_mut().zip(&affine) {
                *w += step * (v - *w);
            }
            let keep: Vec<bool> = weights.iter().map(|w| *w > ZERO).collect();
            let mut k = 0;
            active.retain(|_| {
                k += 1;
                keep[k - 1]
            });
            weights.retain(|w| *w > ZERO);
        }
        x = combine(&active, &weights, points);
    }
    x
}

fn combine(active: &[usize], weights: &[f64], points: &[Vector]) -> Vector {
    active.iter().zip(weights).fold([0.0; 3], |x, (k, w)| add(x, scale(*w, points[*k])))
}

/// Weights of the point of the affine hull of some points nearest to the origin: least squares over differences.
fn affine_minimum(active: &[usize], points: &[Vector]) -> Option<Vec<f64>> {
    let first = points[active[0]];
    let n = active.len() - 1;
    // Orthogonalise the differences (modified Gram-Schmidt), then solve backwards.
    let mut basis: Vec<Vector> = Vec::with_capacity(n);
    let mut upper = vec![vec![0.0; n]; n];
    for (j, k) in active[1..].iter().enumerate() {
        let whole = sub(points[*k], first);
        let mut v = whole;
        for (i, e) in basis.iter().enumerate() {
            upper[i][j] = dot(*e, v);
            v = sub(v, scale(upper[i][j], *e));
        }
        let length = norm(v);
        if length <= 1e-11 * norm(whole) {
            return None;
        }
        upper[j][j] = length;
        basis.push(scale(1.0 / length, v));
    }
    let mut out = vec![0.0; n];
    for i in (0..n).rev() {
        let rest: f64 = (i + 1..n).map(|j| upper[i][j] * out[j]).sum();
        out[i] = (-dot(basis[i], first) - rest) / upper[i][i];
    }
    let own = 1.0 - out.iter().sum::<f64>();
    Some(std::iter::once(own).chain(out).collect())
}

/// The least distance of the origin, inside, to a plane through points that has all others on one side.
fn depth(points: &[Vector], size: f64, planar: bool) -> (f64, Vector) {
    let mut best = (f64::NEG_INFINITY, [0.0; 3]);
    let mut consider = |n: Vector, at: Vector| {
        let length = norm(n);
        if length <= 1e-9 * size * if planar { 1.0 } else { size } {
            return;
        }
        let n = scale(1.0 / length, n);
        let offset = dot(n, at);
        for n in [n, scale(-1.0, n)] {
            let offset = if dot(n, at) == offset { offset } else { -offset };
            if points.iter().all(|c| dot(n, *c) >= offset - 1e-12 * size) && offset > best.0 {
                best = (offset, n);
            }
        }
    };
    for (i, p) in points.iter().enumerate() {
        for (j, q) in points.iter().enumerate().skip(i + 1) {
            if planar {
                consider(cross([0.0, 0.0, 1.0], sub(*q, *p)), *p);
                continue;
            }
            for r in &points[j + 1..] {
                consider(cross(sub(*q, *p), sub(*r, *p)), *p);
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square of side 2 about a point.
    fn square(x: f64, y: f64) -> Vec<Vector> {
        [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
            .map(|[u, v]| [x + u, y + v, 0.0])
            .to_vec()
    }

    #[test]
    fn squares_beside_each_other() {
        let a = square(0.0, 0.0);
        for (x, y, d, n) in [
            (3.0, 0.5, 1.0, [1.0, 0.0, 0.0]),
            (5.0, 6.0, 5.0, [0.6, 0.8, 0.0]),
            (1.5, 0.2, -0.5, [1.0, 0.0, 0.0]),
        ] {
            let (found, direction) = signed_distance(&a, &square(x, y), true);
            assert!((found - d).abs() < 1e-14, "{found} against {d}");
            assert!(norm(sub(direction, n)) < 1e-14);
        }
    }

    #[test]
    fn cubes_edge_over_edge() {
        // A cube turned by 45° about x over one turned by 45° about y: edges cross at right angles.
        let h = 0.5_f64.sqrt();
        let corner = |k: usize| [k & 1, k >> 1 & 1, k >> 2 & 1].map(|s| s as f64 - 0.5);
        let about_x = |[x, y, z]: Vector| [x, h * (y - z), h * (y + z)];
        let about_y = |[x, y, z]: Vector| [h * (x + z), y, h * (z - x)];
        for gap in [0.3, -0.1] {
            let a: Vec<Vector> = (0..8).map(|k| about_x(corner(k))).collect();
            let up = 2.0 * h + gap;
            let b: Vec<Vector> = (0..8).map(|k| add(about_y(corner(k)), [0.0, 0.0, up])).collect();
            let (found, n) = signed_distance(&a, &b, false);
            assert!((found - gap).abs() < 1e-14, "{found} against {gap}");
            assert!(norm(sub(n, [0.0, 0.0, 1.0])) < 1e-13);
        }
    }
}
