//! The nearest features of two sets apart: a vertex and a vertex, or a vertex and the inside of an edge.

use super::axis::{Pair, Separation};
use super::corners::Corner;

/// Least distance of two sets that are apart along `best`, but not across features of it.
pub(super) fn nearest(pair: &Pair<'_, '_>, best: &Separation) -> Corner {
    let (a, b, n) = (pair.a, pair.b, best.n);
    let (i, low) = a.lowest(&-n);
    let (j, high) = b.lowest(&pair.turn.tr_mul(&n));
    let mut least = (pair.vertex_of_b(j) - a.vertex(i)).norm_squared();
    let mut found = Corner::Vertices(i, j);
    // What lies further behind the two support planes than this is further away.
    let (top_a, bottom_b) = (-low, high + n.dot(&pair.shift));
    let room = |least: f64| least.sqrt() - best.s;
    let near_a = |k: usize, least: f64| n.dot(a.vertex(k)) >= top_a - room(least);
    let near_b = |k: usize, least: f64| n.dot(&pair.vertex_of_b(k)) <= bottom_b + room(least);
    for j in 0..b.count() {
        if !near_b(j, least) {
            continue;
        }
        let x = pair.vertex_of_b(j);
        for (k, &[from, to]) in a.topology.edges.iter().enumerate() {
            if !near_a(from, least) && !near_a(to, least) {
                continue;
            }
            let (d, u) = to_segment(&x, a.vertex(from), a.vertex(to));
            if d < least {
                least = d;
                found = match u {
                    Foot::Start => Corner::Vertices(from, j),
                    Foot::End => Corner::Vertices(to, j),
                    Foot::Inside => Corner::EdgeOfA(k, j),
                };
            }
        }
    }
    for i in 0..a.count() {
        if !near_a(i, least) {
            continue;
        }
        let x = a.vertex(i);
        for (k, &[from, to]) in b.topology.edges.iter().enumerate() {
            if !near_b(from, least) && !near_b(to, least) {
                continue;
            }
            let (d, u) = to_segment(x, &pair.vertex_of_b(from), &pair.vertex_of_b(to));
            if d < least {
                least = d;
                found = match u {
                    Foot::Start => Corner::Vertices(i, from),
                    Foot::End => Corner::Vertices(i, to),
                    Foot::Inside => Corner::EdgeOfB(k, i),
                };
            }
        }
    }
    found
}

/// Where the foot of a point lies.
enum Foot {
    Start,
    Inside,
    End,
}

/// Squared distance of a point from a segment.
fn to_segment(
    x: &crate::maths::Vec3,
    start: &crate::maths::Vec3,
    end: &crate::maths::Vec3,
) -> (f64, Foot) {
    let (edge, arm) = (end - start, x - start);
    let (along, square) = (arm.dot(&edge), edge.norm_squared());
    if along <= 0.0 {
        (arm.norm_squared(), Foot::Start)
    } else if along >= square {
        ((x - end).norm_squared(), Foot::End)
    } else {
        ((arm - edge * (along / square)).norm_squared(), Foot::Inside)
    }
}
