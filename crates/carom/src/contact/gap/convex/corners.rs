//! Where two nearly parallel features overlap: the corners of the overlap, each a pair of features with an exact gap of its own.
//!
//! The overlap of two parallel faces is a convex polygon. Its corners are vertices of b over a's face, vertices of a over b's face, and
//! crossings of their edges; in the plane the two ends of the common stretch. Between faces that are not parallel the same pairs count
//! as far as the foot of each lies on the other, so that every gap is a distance of two points of the sets. What has no face (a
//! point, a segment in space) takes part with its vertices and its edge.

use super::axis::{Axis, Pair, Separation};
use crate::contact::gap::skeleton::{Bridge, LineLine, point_line, point_plane, point_point};
use crate::maths::Vec3;

/// Points this part of the size outside of a face still lie over it, so that equal faces keep their corners.
const OVER: f64 = 1e-9;
/// Cosine of the angle between the common normal of two edges and the axis below which they do not face each other.
const FACING: f64 = 0.5;
/// Sine of the angle between two faces below which a change from one's vertex to the other's changes nothing else.
const FLAT: f64 = 1e-6;
/// Corners that are looked at.
const MOST: usize = 24;
/// The features of two parallel sides, beside their numbers.
const FLAT_FACES: u64 = 0x5851_f42d_4c95_7f2d;

/// Two features that meet: the numbers of a vertex, edge or face of a, then of b.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Corner {
    /// A face of a and a vertex of b.
    OverA(usize, usize),
    /// A face of b and a vertex of a.
    OverB(usize, usize),
    /// Two lines through two vertices each: of a, of b.
    Crossing([usize; 2], [usize; 2]),
    /// A vertex of each.
    Vertices(usize, usize),
    /// An edge of a and a vertex of b.
    EdgeOfA(usize, usize),
    /// An edge of b and a vertex of a.
    EdgeOfB(usize, usize),
}

/// The corners of one contact.
pub(super) struct Corners {
    all: [Corner; MOST],
    count: usize,
    /// Tells these features from others.
    pub features: u64,
}

impl Corners {
    pub fn one(corner: Corner) -> Self {
        let mut out = Self::none();
        out.push(corner);
        out.sign();
        out
    }

    fn none() -> Self {
        Self { all: [Corner::Vertices(0, 0); MOST], count: 0, features: 0 }
    }

    fn push(&mut self, corner: Corner) {
        if self.count < MOST {
            self.all[self.count] = corner;
            self.count += 1;
        }
    }

    pub fn all(&self) -> &[Corner] {
        &self.all[..self.count]
    }

    /// FNV-1a over the features.
    fn sign(&mut self) {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut eat = |x: usize| hash = (hash ^ x as u64).wrapping_mul(0x0100_0000_01b3);
        for corner in &self.all[..self.count] {
            match *corner {
                Corner::OverA(i, j) => [1, i, j].into_iter().for_each(&mut eat),
                Corner::OverB(i, j) => [2, i, j].into_iter().for_each(&mut eat),
                Corner::Crossing([i, j], [k, l]) => {
                    [3, i, j, k, l].into_iter().for_each(&mut eat);
                }
                Corner::Vertices(i, j) => [4, i, j].into_iter().for_each(&mut eat),
                Corner::EdgeOfA(i, j) => [5, i, j].into_iter().for_each(&mut eat),
                Corner::EdgeOfB(i, j) => [6, i, j].into_iter().for_each(&mut eat),
            }
        }
        self.features = hash | 1;
    }
}

/// Vertices of sets without faces.
const ENDS: [usize; 2] = [0, 1];

/// Where the features along an axis overlap. None if they pass each other.
pub(super) fn overlap(pair: &Pair<'_, '_>, best: &Separation, slots: usize) -> Corners {
    let (a, b, n) = (pair.a, pair.b, best.n);
    // The face that looks along the axis most, among some.
    let towards = |faces: &[usize], of_a: bool| {
        let facing = |face: usize| {
            if of_a { a.normal(face).dot(&n) } else { -pair.normal_of_b(face).dot(&n) }
        };
        faces.iter().copied().max_by(|f, g| facing(*f).total_cmp(&facing(*g)))
    };
    let (of_a, of_b) = match best.axis {
        Axis::FaceOfA { face, vertex } => (Some(face), towards(&b.topology.around[vertex], false)),
        Axis::FaceOfB { face, vertex } => (towards(&a.topology.around[vertex], true), Some(face)),
        Axis::Edges { a: p, b: q } => (
            a.topology.sides.get(p).and_then(|s| towards(s, true)),
            b.topology.sides.get(q).and_then(|s| towards(s, false)),
        ),
    };
    // The vertices of a face, or all of a set without faces.
    let rim_a = match of_a {
        Some(face) => a.topology.faces[face].as_slice(),
        None => &ENDS[..a.count().min(2)],
    };
    let rim_b = match of_b {
        Some(face) => b.topology.faces[face].as_slice(),
        None => &ENDS[..b.count().min(2)],
    };
    let mut out = Corners::none();
    let over = OVER * pair.size;
    let at_a = |k: usize| *a.vertex(k);
    let at_b = |k: usize| pair.vertex_of_b(k);
    if let Some(face) = of_a {
        for &k in rim_b {
            if covers(pair, rim_a, &at_a, a.normal(face), &at_b(k), over) {
                out.push(Corner::OverA(face, k));
            }
        }
    }
    if let Some(face) = of_b {
        let up = pair.normal_of_b(face);
        for &k in rim_a {
            let x = at_a(k);
            let across = |y: Vec3| {
                let d = y - x;
                (d - n * n.dot(&d)).norm()
            };
            let known =
                |c: &Corner| matches!(c, Corner::OverA(_, j) if across(at_b(*j)) <= 2.0 * over);
            if covers(pair, rim_b, &at_b, &up, &x, over) && !out.all().iter().any(known) {
                out.push(Corner::OverB(face, k));
            }
        }
    }
    if !pair.planar {
        crossings(pair, [rim_a, rim_b], &n, over, &mut out);
    }
    // Deep inside each other and not parallel, other features are deeper than those of the axis and tell nothing.
    let deepest = best.s - FLAT * pair.size;
    let mut kept = Corners::none();
    out.all().iter().filter(|c| pair.height(c, &n) >= deepest).for_each(|c| kept.push(*c));
    let mut out =
        if kept.count > slots && !pair.planar { lowest(pair, &kept, &n, slots) } else { kept };
    if pair.planar {
        let flat = of_a
            .zip(of_b)
            .map(|(f, g)| [f, g])
            .filter(|[f, g]| a.normal(*f).cross(&pair.normal_of_b(*g)).norm() <= FLAT);
        ends(pair, &mut out, &n, flat);
    }
    if out.features == 0 {
        out.sign();
    }
    out
}

/// So many of the corners: the nearest. Of those that are as near within [`FLAT`] of the size the first.
fn lowest(pair: &Pair<'_, '_>, from: &Corners, n: &Vec3, most: usize) -> Corners {
    let mut heights = [0.0; MOST];
    for (height, corner) in heights.iter_mut().zip(from.all()) {
        *height = (pair.height(corner, n) / (FLAT * pair.size)).round();
    }
    let before =
        |i: usize, j: usize| heights[j] < heights[i] || (heights[j] == heights[i] && j < i);
    let mut out = Corners::none();
    for (k, corner) in from.all().iter().enumerate() {
        if (0..from.count).filter(|j| before(k, *j)).count() < most {
            out.push(*corner);
        }
    }
    out
}

/// In the plane: the two ends of the common stretch, first the one to the right of n. Where one vertex passes another on parallel sides,
/// nothing else changes: those ends are the same features.
fn ends(pair: &Pair<'_, '_>, out: &mut Corners, n: &Vec3, flat: Option<[usize; 2]>) {
    let left = Vec3::z().cross(n);
    let place = |corner: &Corner| match *corner {
        Corner::OverA(_, k) => left.dot(&pair.vertex_of_b(k)),
        Corner::OverB(_, k) => left.dot(pair.a.vertex(k)),
        _ => 0.0,
    };
    // The nearest, and what is furthest beside it.
    let height = |corner: &Corner| pair.height(corner, n);
    let Some(first) = out.all().iter().min_by(|x, y| height(x).total_cmp(&height(y))).copied()
    else {
        return;
    };
    let beside = |corner: &Corner| (place(corner) - place(&first)).abs();
    let other = out.all().iter().max_by(|x, y| beside(x).total_cmp(&beside(y))).copied();
    let other = other.unwrap_or(first);
    let [first, last] = if place(&other) < place(&first) { [other, first] } else { [first, other] };
    let many = out.count > 1;
    *out = Corners::none();
    out.push(first);
    if many {
        out.push(last);
    }
    if let Some([of_a, of_b]) = flat.filter(|_| many) {
        out.features = FLAT_FACES ^ ((of_a as u64) << 32 | of_b as u64);
    }
}

/// Whether a point lies over a face whose rim runs counter-clockwise about `up`.
fn covers(
    pair: &Pair<'_, '_>,
    rim: &[usize],
    at: &dyn Fn(usize) -> Vec3,
    up: &Vec3,
    x: &Vec3,
    over: f64,
) -> bool {
    if pair.planar {
        let [start, end] = [at(rim[0]), at(rim[1])];
        let edge = end - start;
        let (length, along) = (edge.norm(), edge.dot(&(x - start)));
        return along >= -over * length && along <= (length + over) * length;
    }
    let mut from = at(rim[rim.len() - 1]);
    for &k in rim {
        let to = at(k);
        let edge = to - from;
        let out = edge.cross(up);
        if out.dot(&(x - from)) > over * out.norm() {
            return false;
        }
        from = to;
    }
    true
}

/// Crossings of the edges of two patches, seen along n.
fn crossings(
    pair: &Pair<'_, '_>,
    [rim_a, rim_b]: [&[usize]; 2],
    n: &Vec3,
    over: f64,
    out: &mut Corners,
) {
    let runs = |rim: &[usize]| match rim.len() {
        0 | 1 => 0,
        2 => 1,
        many => many,
    };
    for p in 0..runs(rim_a) {
        let own = [rim_a[p], rim_a[(p + 1) % rim_a.len()]];
        let [start, end] = own.map(|k| *pair.a.vertex(k));
        let edge = end - start;
        for q in 0..runs(rim_b) {
            let other = [rim_b[q], rim_b[(q + 1) % rim_b.len()]];
            let [from, to] = other.map(|k| pair.vertex_of_b(k));
            let way = to - from;
            // s = (w × way) · c/|c|² and t = (w × edge) · c/|c|², c = edge × way, without the division.
            let cross = edge.cross(&way);
            let size = cross.norm_squared();
            if cross.dot(n).abs() <= FACING * size.sqrt() {
                continue;
            }
            let w = from - start;
            let s = w.cross(&way).dot(&cross);
            let t = w.cross(&edge).dot(&cross);
            let inside = |u: f64, length: f64| {
                let least = over * size / length;
                u > least && u < size - least
            };
            if inside(s, edge.norm()) && inside(t, way.norm()) {
                out.push(Corner::Crossing(own, other));
            }
        }
    }
}

impl Pair<'_, '_> {
    /// The gap of a corner of an overlap: the distance of its features along their own normal.
    pub fn height(&self, corner: &Corner, n: &Vec3) -> f64 {
        let (a, b) = (self.a, self.b);
        match *corner {
            Corner::OverA(face, k) => {
                let foot = a.vertex(a.topology.faces[face][0]);
                a.normal(face).dot(&(self.vertex_of_b(k) - foot))
            }
            Corner::OverB(face, k) => {
                let foot = self.vertex_of_b(b.topology.faces[face][0]);
                self.normal_of_b(face).dot(&(a.vertex(k) - foot))
            }
            Corner::Crossing([i, j], [k, l]) => {
                let edge = a.vertex(j) - a.vertex(i);
                let way = self.vertex_of_b(l) - self.vertex_of_b(k);
                let cross = edge.cross(&way);
                let up = cross * (cross.dot(n).signum() / cross.norm());
                up.dot(&(self.vertex_of_b(k) - a.vertex(i)))
            }
            Corner::Vertices(..) | Corner::EdgeOfA(..) | Corner::EdgeOfB(..) => f64::INFINITY,
        }
    }

    /// The way across a corner in the world, with its rates. None where it has no length.
    pub fn bridge(&self, corner: &Corner, n: &Vec3) -> Option<Bridge> {
        let (a, b) = (self.a, self.b);
        match *corner {
            Corner::OverA(face, k) => {
                let at = a.moving_vertex(a.topology.faces[face][0]);
                Some(point_plane(b.moving_vertex(k), at, a.moving_normal(face)).reversed())
            }
            Corner::OverB(face, k) => {
                let at = b.moving_vertex(b.topology.faces[face][0]);
                Some(point_plane(a.moving_vertex(k), at, b.moving_normal(face)))
            }
            Corner::Crossing([i, j], [k, l]) => {
                let [start, end] = [i, j].map(|k| a.moving_vertex(k));
                let [from, to] = [k, l].map(|k| b.moving_vertex(k));
                let (edge, way) = (end - start, to - from);
                let feet = LineLine::new(&start, &edge, &from, &way);
                let (up, _) = edge.cross(&way).direction(0.0)?;
                let world = a.pose.vector(n);
                let n = if up.value.dot(&world) < 0.0 { -up } else { up };
                let x = start + edge * feet.s;
                let d = n.dot(&(from - start));
                Some(Bridge { x, y: x + n * d, n, d: d.value })
            }
            Corner::Vertices(i, j) => {
                point_point(a.moving_vertex(i), b.moving_vertex(j), self.size)
            }
            Corner::EdgeOfA(edge, j) => {
                let [start, end] = a.topology.edges[edge].map(|k| a.moving_vertex(k));
                Some(point_line(b.moving_vertex(j), start, end - start)?.reversed())
            }
            Corner::EdgeOfB(edge, i) => {
                let [start, end] = b.topology.edges[edge].map(|k| b.moving_vertex(k));
                point_line(a.moving_vertex(i), start, end - start)
            }
        }
    }
}
