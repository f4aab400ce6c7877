//! Which triangle a ray meets: a tree of boxes over the triangles.

use super::doubled_area;
use crate::maths::Vec3;

/// Triangles in a leaf of the tree.
const LEAF: usize = 4;

/// Triangles in a tree of boxes, to be asked whether a ray meets one.
#[derive(Clone, Debug)]
pub struct Rays {
    triangles: Vec<[Vec3; 3]>,
    boxes: Vec<Box>,
}

/// A box of the tree: a leaf holds triangles `first .. first + count`; otherwise its halves are the next box and the box `first`.
#[derive(Clone, Debug)]
struct Box {
    low: Vec3,
    high: Vec3,
    first: usize,
    count: usize,
}

impl Rays {
    /// Of these triangles.
    pub fn new(triangles: Vec<[Vec3; 3]>) -> Self {
        let mut out = Self { boxes: Vec::with_capacity(triangles.len()), triangles };
        if !out.triangles.is_empty() {
            out.split(0, out.triangles.len());
        }
        out
    }

    /// Builds the box of a range of triangles, halved at the median along its longest side.
    fn split(&mut self, first: usize, end: usize) {
        let at = self.boxes.len();
        let range = &mut self.triangles[first..end];
        let start = range[0][0];
        let (low, high) =
            range.iter().flatten().fold((start, start), |(l, h), p| (l.inf(p), h.sup(p)));
        self.boxes.push(Box { low, high, first, count: end - first });
        if end - first <= LEAF {
            return;
        }
        let axis = (high - low).imax();
        let middle = (end - first) / 2;
        let sum = |t: &[Vec3; 3]| t[0][axis] + t[1][axis] + t[2][axis];
        range.select_nth_unstable_by(middle, |a, b| sum(a).total_cmp(&sum(b)));
        self.split(first, first + middle);
        let second = self.boxes.len();
        self.split(first + middle, end);
        self.boxes[at] = Box { low, high, first: second, count: 0 };
    }

    /// Whether the ray from `p` along `d` meets a triangle further away than `from` lengths of `d`.
    pub fn meets(&self, p: &Vec3, d: &Vec3, from: f64) -> bool {
        if self.boxes.is_empty() {
            return false;
        }
        let inverse = d.map(f64::recip);
        // A tree over n triangles is log₂ n deep, and n is below 2⁶⁴.
        let mut stack = [0_usize; 64];
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let at = stack[depth];
            let Box { low, high, first, count } = &self.boxes[at];
            if !enters(p, &inverse, low, high, from) {
                continue;
            }
            if *count > 0 {
                let leaf = &self.triangles[*first..first + count];
                if leaf.iter().any(|t| distance(p, d, t).is_some_and(|s| s > from)) {
                    return true;
                }
            } else {
                stack[depth] = *first;
                stack[depth + 1] = at + 1;
                depth += 2;
            }
        }
        false
    }
}

/// Whether a ray enters a box beyond `from` (Kay and Kajiya 1986).
fn enters(p: &Vec3, inverse: &Vec3, low: &Vec3, high: &Vec3, from: f64) -> bool {
    let (mut near, mut far) = (from, f64::INFINITY);
    for k in 0..3 {
        let (a, b) = ((low[k] - p[k]) * inverse[k], (high[k] - p[k]) * inverse[k]);
        // 0 · ∞ is no number: the ray lies in the face of the box, and `min` and `max` leave it out.
        near = near.max(a.min(b));
        far = far.min(a.max(b));
    }
    near <= far
}

/// Where a ray meets a triangle, in lengths of `d` (Möller and Trumbore 1997).
fn distance(p: &Vec3, d: &Vec3, corners: &[Vec3; 3]) -> Option<f64> {
    let n = doubled_area(corners);
    let along = -d.dot(&n);
    if along == 0.0 {
        return None;
    }
    let [a, b, c] = corners;
    let to = p - a;
    let across = to.cross(d);
    let u = (c - a).dot(&across) / along;
    let v = -(b - a).dot(&across) / along;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0).then(|| to.dot(&n) / along)
}
