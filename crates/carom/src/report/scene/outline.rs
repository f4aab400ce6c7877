//! Lines, balls and planes of one body.

use serde_json::{Value, json};

use super::super::short;
use super::{DIGITS, vector};
use crate::maths::polytope::Polytope;
use crate::maths::{Pose, Vec3};
use crate::model::{ShapeKind, Side};

/// Corners of a drawn circle.
const CORNERS: u32 = 40;
/// A point this near to what is drawn, as a part of its size, is reached by it.
const NEAR: f64 = 0.05;

/// What is drawn of one body, in its own frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Outline {
    /// Corners and what the line is: `face` is filled, `edge`, `stick`, `link` (of the ground), `stem`, `wire`.
    lines: Vec<(Vec<Vec3>, &'static str)>,
    balls: Vec<(Vec3, f64, &'static str)>,
    rods: Vec<(Vec3, Vec3, f64)>,
    planes: Vec<(Vec3, Vec3)>,
    guides: Vec<(Vec3, Vec3)>,
    joints: Vec<Vec3>,
    tips: Vec<Vec3>,
    blocks: Vec<Vec3>,
}

impl Outline {
    /// Whether nothing is drawn but marks.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.balls.is_empty() && self.rods.is_empty()
    }

    /// Whether it has an extended shape.
    pub fn is_full(&self) -> bool {
        !self.is_empty()
    }

    /// Whether a point lies in, on or near what is drawn.
    pub fn reaches(&self, p: &Vec3) -> bool {
        let in_ball = |(c, r, _): &(Vec3, f64, &str)| (p - c).norm() <= (1.0 + NEAR) * r;
        let by_rod = |(a, b, r): &(Vec3, Vec3, f64)| distance(p, a, b) <= r + NEAR * (b - a).norm();
        let in_box = || {
            let all = self.lines.iter().flat_map(|(points, _)| points);
            let (low, high) = all
                .fold((p + Vec3::repeat(f64::MAX), p - Vec3::repeat(f64::MAX)), |(l, h), x| {
                    (l.inf(x), h.sup(x))
                });
            let room = NEAR * (high - low).norm();
            (0..3).all(|k| p[k] >= low[k] - room && p[k] <= high[k] + room)
        };
        self.balls.iter().any(in_ball)
            || self.rods.iter().any(by_rod)
            || (!self.lines.is_empty() && in_box())
    }

    /// A contact shape; `to_own` leads from the link frame to the body's own.
    pub fn shape(&mut self, kind: &ShapeKind, to_own: &Pose, planar: bool) {
        match *kind {
            ShapeKind::Point { at } => self.tips.push(to_own.point(&at)),
            ShapeKind::Sphere { center, radius } => {
                self.balls.push((to_own.point(&center), radius, "ball"));
            }
            ShapeKind::Hollow { center, radius } => {
                self.balls.push((to_own.point(&center), radius, "hollow"));
            }
            ShapeKind::Plane { at, normal } => {
                self.planes.push((to_own.point(&at), to_own.vector(&normal)));
            }
            ShapeKind::Segment { start, end, side } => {
                let (a, b) = (to_own.point(&start), to_own.point(&end));
                self.lines.push((vec![a, b], "edge"));
                if planar && let Some(side) = side.filter(|side| *side != Side::Both) {
                    self.hatch(a, b, side);
                }
            }
            ShapeKind::Capsule { start, end, radius } => {
                self.rods.push((to_own.point(&start), to_own.point(&end), radius));
            }
            ShapeKind::Box { pose, half } => self.block_of(&to_own.then(&pose), &half, planar),
            ShapeKind::Cylinder { pose, radius, half_length } => {
                self.cylinder(&to_own.then(&pose), radius, half_length);
            }
            ShapeKind::Convex { ref solid, radius } => self.solid(solid, radius, to_own),
            ShapeKind::Profile { pose, ref curve } => {
                let to_own = to_own.then(&pose);
                let rim = curve.samples.iter().map(|spot| to_own.point(&spot.at)).collect();
                self.lines.push((rim, "face"));
            }
        }
    }

    /// The faces of a polyhedron, a polygon; rounded, its vertices and edges with their radius.
    fn solid(&mut self, solid: &Polytope, radius: f64, to_own: &Pose) {
        let at = |k: &usize| to_own.point(&solid.vertices[*k]);
        if solid.is_polygon() {
            let rim = (0..solid.vertices.len()).map(|k| at(&k)).collect();
            self.lines.push((rim, "face"));
        } else {
            for face in &solid.topology.faces {
                self.lines.push((face.iter().map(at).collect(), "face"));
            }
        }
        if radius > 0.0 {
            for [from, to] in &solid.topology.edges {
                self.rods.push((at(from), at(to), radius));
            }
        }
    }

    /// The inner side of an edge is told by a second, thinner line.
    fn hatch(&mut self, a: Vec3, b: Vec3, side: Side) {
        let along = b - a;
        let left = Vec3::z().cross(&along) * 0.015;
        let inward = if side == Side::Left { -left } else { left };
        self.lines.push((vec![a, b, b + inward, a + inward], "face"));
    }

    /// A box, or a rectangle in the plane.
    pub fn block_of(&mut self, pose: &Pose, half: &Vec3, planar: bool) {
        let corner =
            |x: f64, y: f64, z: f64| pose.point(&Vec3::new(x * half.x, y * half.y, z * half.z));
        if planar {
            let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
            self.lines.push((corners.map(|(x, y)| corner(x, y, 0.0)).to_vec(), "face"));
            return;
        }
        let square = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        for s in [-1.0, 1.0] {
            self.lines.push((square.map(|(a, b)| corner(s, a, b)).to_vec(), "face"));
            self.lines.push((square.map(|(a, b)| corner(a, s, b)).to_vec(), "face"));
            self.lines.push((square.map(|(a, b)| corner(a, b, s)).to_vec(), "face"));
        }
    }

    /// A round cylinder along z of the pose.
    pub fn cylinder(&mut self, pose: &Pose, radius: f64, half_length: f64) {
        let circle = |z: f64| -> Vec<Vec3> {
            turn(radius).map(|(x, y)| pose.point(&Vec3::new(x, y, z))).collect()
        };
        let (low, high) = (circle(-half_length), circle(half_length));
        for k in (0..low.len()).step_by(5) {
            self.lines.push((vec![low[k], high[k]], "wire"));
        }
        self.lines.push((low, "face"));
        self.lines.push((high, "face"));
    }

    /// A disc or ring in the x-y plane.
    pub fn disc(&mut self, center: Vec3, radius: f64, planar: bool) {
        if planar {
            self.balls.push((center, radius, "ball"));
        } else {
            let corners = turn(radius).map(|(x, y)| center + Vec3::new(x, y, 0.0)).collect();
            self.lines.push((corners, "face"));
        }
    }

    /// A ball.
    pub fn ball(&mut self, center: Vec3, radius: f64) {
        self.balls.push((center, radius, "ball"));
    }

    /// A capsule.
    pub fn rod(&mut self, a: Vec3, b: Vec3, radius: f64) {
        self.rods.push((a, b, radius));
    }

    /// A filled polygon.
    pub fn plate(&mut self, corners: Vec<Vec3>) {
        self.lines.push((corners, "face"));
    }

    /// A line without width.
    pub fn stick(&mut self, a: Vec3, b: Vec3) {
        self.lines.push((vec![a, b], "stick"));
    }

    /// A thin line from what is drawn to a contact shape beside it.
    pub fn stem(&mut self, a: Vec3, b: Vec3) {
        self.lines.push((vec![a, b], "stem"));
    }

    /// The ground between two of its joints.
    pub fn link(&mut self, a: Vec3, b: Vec3) {
        self.lines.push((vec![a, b], "link"));
    }

    /// The point of sticks, rods and balls that is nearest to a point.
    pub fn nearest(&self, p: &Vec3) -> Option<Vec3> {
        let sticks = self.lines.iter().filter(|(_, kind)| *kind == "stick");
        let sticks = sticks.filter_map(|(ends, _)| Some(foot(p, ends.first()?, ends.last()?)));
        let rods = self.rods.iter().map(|(a, b, _)| foot(p, a, b));
        let balls = self.balls.iter().map(|(c, ..)| *c);
        sticks.chain(rods).chain(balls).min_by(|a, b| (a - p).norm().total_cmp(&(b - p).norm()))
    }

    /// A mark of a body that has no extent.
    pub fn block(&mut self, at: Vec3) {
        self.blocks.push(at);
    }

    /// A joint that turns.
    pub fn joint(&mut self, at: Vec3) {
        self.joints.push(at);
    }

    /// A line along which something slides.
    pub fn guide(&mut self, at: Vec3, along: Vec3) {
        self.guides.push((at, along));
    }

    /// For the scripts.
    pub fn value(&self) -> Value {
        let points = |all: &[Vec3]| all.iter().map(vector).collect::<Value>();
        let pairs = |all: &[(Vec3, Vec3)]| -> Value {
            all.iter().map(|(a, b)| json!([vector(a), vector(b)])).collect()
        };
        let line = |(p, kind): &(Vec<Vec3>, &str)| json!({ "p": points(p), "kind": kind });
        let ball = |(c, r, kind): &(Vec3, f64, &str)| json!({ "c": vector(c), "r": short(*r, DIGITS), "kind": kind });
        let rod = |(a, b, r): &(Vec3, Vec3, f64)| json!({ "a": vector(a), "b": vector(b), "r": short(*r, DIGITS) });
        json!({
            "lines": self.lines.iter().map(line).collect::<Value>(),
            "balls": self.balls.iter().map(ball).collect::<Value>(),
            "rods": self.rods.iter().map(rod).collect::<Value>(),
            "planes": pairs(&self.planes),
            "guides": pairs(&self.guides),
            "joints": points(&self.joints),
            "tips": points(&self.tips),
            "blocks": points(&self.blocks),
        })
    }
}

/// The corners of a circle.
fn turn(radius: f64) -> impl Iterator<Item = (f64, f64)> {
    (0..CORNERS).map(move |k| {
        let angle = std::f64::consts::TAU * f64::from(k) / f64::from(CORNERS);
        let (s, c) = crate::maths::trigonometry::sin_cos(angle);
        (radius * c, radius * s)
    })
}

/// The point of a segment that is nearest to a point.
fn foot(p: &Vec3, a: &Vec3, b: &Vec3) -> Vec3 {
    let along = b - a;
    let square = along.norm_squared();
    let s = if square > 0.0 { (along.dot(&(p - a)) / square).clamp(0.0, 1.0) } else { 0.0 };
    a + along * s
}

/// From a point to a segment.
fn distance(p: &Vec3, a: &Vec3, b: &Vec3) -> f64 {
    (p - foot(p, a, b)).norm()
}

/// The convex hull of points in the x-y plane, counter-clockwise, without points on its edges.
pub(super) fn hull(points: &[Vec3]) -> Vec<Vec3> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let size = sorted.iter().map(Vec3::norm_squared).fold(0.0, f64::max);
    let turns_left = |a: &Vec3, b: &Vec3, c: &Vec3| {
        (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 1e-9 * size
    };
    let half = |all: &mut dyn Iterator<Item = &Vec3>| {
        let mut chain: Vec<Vec3> = Vec::new();
        for p in all {
            while let [.., a, b] = chain[..] {
                if turns_left(&a, &b, p) {
                    break;
                }
                chain.pop();
            }
            chain.push(*p);
        }
        chain.pop();
        chain
    };
    let mut out = half(&mut sorted.iter());
    out.extend(half(&mut sorted.iter().rev()));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hull_of_a_square_and_its_middle_is_the_square() {
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.5, 0.5), (0.5, 0.0)];
        let points = corners.map(|(x, y)| Vec3::new(x, y, 0.0));
        let found = hull(&points);
        assert_eq!(found.len(), 4);
        for corner in &points[..4] {
            assert!(found.contains(corner));
        }
    }

    #[test]
    fn points_on_a_line_have_no_plate() {
        let points = [0.0, 1.0, 2.0].map(|x| Vec3::new(x, 2.0 * x, 0.0));
        assert!(hull(&points).len() < 3);
    }

    #[test]
    fn a_ball_reaches_its_rim_and_not_beyond() {
        let mut outline = Outline::default();
        outline.ball(Vec3::zeros(), 1.0);
        assert!(outline.reaches(&Vec3::x()));
        assert!(!outline.reaches(&(Vec3::x() * 1.2)));
    }
}
