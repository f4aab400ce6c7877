//! The machine of a page's data at a moment, as shapes on the paper.

use serde_json::Value;

use super::canvas::{Colour, Shape};

/// Colours of bodies, told apart also by people who see few colours (Okabe and Ito 2008).
const COLOURS: [Colour; 7] = [
    [0.0, 0.447, 0.698],
    [0.835, 0.369, 0.0],
    [0.0, 0.62, 0.451],
    [0.8, 0.475, 0.655],
    [0.902, 0.624, 0.0],
    [0.337, 0.706, 0.914],
    [0.549, 0.424, 0.192],
];
const GROUND: Colour = [0.4, 0.4, 0.4];

/// Room around what moves, as a part of its size.
const MARGIN: f64 = 0.08;
/// The other extent is at least this part of the larger one.
const LEAST: f64 = 0.4;
/// Moments at which the extent is measured.
const MEASURED: usize = 200;
/// A drawn plane reaches so many times the size of the machine to each side.
const REACH: f64 = 0.6;
/// From where a machine in space is seen: turned about the vertical, and from above \[rad\].
const AZIMUTH: f64 = 0.61;
const ELEVATION: f64 = 0.35;

type Vec3 = [f64; 3];

fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn combined(a: Vec3, x: f64, b: Vec3) -> Vec3 {
    [a[0] + x * b[0], a[1] + x * b[1], a[2] + x * b[2]]
}

fn unit(a: Vec3) -> Vec3 {
    let length = dot(a, a).sqrt();
    if length > 0.0 { a.map(|x| x / length) } else { a }
}

fn vector(value: &Value) -> Vec3 {
    let at = |k: usize| value[k].as_f64().unwrap_or(0.0);
    [at(0), at(1), at(2)]
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn numbers(value: &Value) -> Vec<f64> {
    list(value).iter().map(|x| x.as_f64().unwrap_or(0.0)).collect()
}

/// From space to the paper: the plane of a planar machine, an oblique view of another.
struct Camera {
    right: Vec3,
    up: Vec3,
    toward: Vec3,
}

impl Camera {
    fn new(scene: &Value) -> Self {
        if scene["planar"].as_bool() == Some(true) {
            return Self { right: [1.0, 0.0, 0.0], up: [0.0, 1.0, 0.0], toward: [0.0, 0.0, 1.0] };
        }
        let down = unit(vector(&scene["gravity"]));
        let up = if dot(down, down) > 0.0 { down.map(|x| -x) } else { [0.0, 0.0, 1.0] };
        let east = unit(across(up));
        let north = cross(up, east);
        let turned = |a: f64, b: f64| combined(east.map(|x| a * x), b, north);
        let right = turned(AZIMUTH.cos(), AZIMUTH.sin());
        let away = turned(-AZIMUTH.sin(), AZIMUTH.cos());
        let toward = combined(away.map(|x| -ELEVATION.cos() * x), ELEVATION.sin(), up);
        Self { right, up: cross(toward, right), toward }
    }

    fn paper(&self, p: Vec3) -> [f64; 2] {
        [dot(p, self.right), dot(p, self.up)]
    }
}

/// A vector across another: x made perpendicular to it, or y where x is along it.
fn across(normal: Vec3) -> Vec3 {
    let other = if normal[0].abs() < 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    combined(other, -dot(other, normal), normal)
}

/// Where a body is: the columns of its rotation, and its origin.
#[derive(Clone, Copy)]
struct Pose {
    axes: [Vec3; 3],
    at: Vec3,
}

const STILL: Pose =
    Pose { axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], at: [0.0; 3] };

impl Pose {
    fn turned(&self, p: Vec3) -> Vec3 {
        let start = self.axes[0].map(|x| x * p[0]);
        combined(combined(start, p[1], self.axes[1]), p[2], self.axes[2])
    }

    fn placed(&self, p: Vec3) -> Vec3 {
        combined(self.turned(p), 1.0, self.at)
    }

    /// From x, y and the angle, or the place and the quaternion w, x, y, z.
    fn new(values: &[f64]) -> Self {
        match *values {
            [x, y, angle] => {
                let (s, c) = angle.sin_cos();
                Self { axes: [[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]], at: [x, y, 0.0] }
            }
            [px, py, pz, w, x, y, z] => {
                let n = (w * w + x * x + y * y + z * z).sqrt();
                let (w, x, y, z) = (w / n, x / n, y / n, z / n);
                let axes = [
                    [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)],
                    [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)],
                    [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)],
                ];
                Self { axes, at: [px, py, pz] }
            }
            _ => STILL,
        }
    }
}

/// What is drawn: a shape, its colour, how opaque it is.
type Drawn = (Shape, Colour, f64);

/// A machine and its motion.
pub(super) struct Stage<'a> {
    scene: &'a Value,
    camera: Camera,
    planar: bool,
    t: Vec<f64>,
    /// By body and by component.
    poses: Vec<Vec<Vec<f64>>>,
    /// When an impact began, and where on the paper.
    impacts: Vec<(f64, [f64; 2])>,
    low: [f64; 2],
    high: [f64; 2],
    /// The middle of what moves in space.
    middle: Vec3,
}

impl<'a> Stage<'a> {
    /// Of a page's data; nothing if there is no motion.
    pub(super) fn new(scene: &'a Value, run: &Value) -> Option<Self> {
        let t = numbers(&run["t"]);
        let planar = scene["planar"].as_bool() == Some(true);
        // Behind the components of the pose stand their rates.
        let components = if planar { 3 } else { 7 };
        let of = |body: &Value| list(body).iter().take(components).map(numbers).collect();
        let poses: Vec<Vec<Vec<f64>>> = list(&run["poses"]).iter().map(of).collect();
        if t.len() < 2 {
            return None;
        }
        let camera = Camera::new(scene);
        let mut stage = Self {
            scene,
            planar,
            t,
            poses,
            impacts: Vec::new(),
            low: [f64::INFINITY; 2],
            high: [f64::NEG_INFINITY; 2],
            middle: [0.0; 3],
            camera,
        };
        stage.measure();
        stage.impacts = list(&run["impacts"]).iter().filter_map(|i| stage.impact(run, i)).collect();
        Some(stage)
    }

    /// The last moment, counted from the first \[s\].
    pub(super) fn end(&self) -> f64 {
        let (first, last) = (self.t.first(), self.t.last());
        last.zip(first).map_or(0.0, |(last, first)| last - first)
    }

    pub(super) fn center(&self) -> [f64; 2] {
        [0, 1].map(|k| 0.5 * (self.low[k] + self.high[k]))
    }

    /// The width and height of what is drawn, with some room \[m\].
    pub(super) fn size(&self) -> [f64; 2] {
        let own = [0, 1].map(|k| self.high[k] - self.low[k]);
        let largest = own[0].max(own[1]);
        own.map(|x| x.max(LEAST * largest) + 2.0 * MARGIN * largest)
    }

    /// The extent over the whole motion, planes apart.
    fn measure(&mut self) {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        let end = self.end();
        for k in 0..=MEASURED {
            let t = end * k as f64 / MEASURED as f64;
            for (outline, _, pose) in self.outlines(t) {
                for (point, reach) in extremes(outline) {
                    let p = pose.placed(point);
                    let paper = self.camera.paper(p);
                    widen(&mut self.low, &mut self.high, paper, reach);
                    widen(&mut low, &mut high, p, reach);
                }
            }
        }
        if self.low[0] > self.high[0] {
            (self.low, self.high) = ([-1.0; 2], [1.0; 2]);
            (low, high) = ([-1.0; 3], [1.0; 3]);
        }
        self.middle = [0, 1, 2].map(|k| 0.5 * (low[k] + high[k]));
    }

    /// The ground and all bodies with their colours and poses.
    fn outlines(&self, t: f64) -> Vec<(&'a Value, Colour, Pose)> {
        let mut out = vec![(&self.scene["ground"], GROUND, STILL)];
        for (n, body) in list(&self.scene["bodies"]).iter().enumerate() {
            out.push((body, COLOURS[n % COLOURS.len()], self.pose(n, t)));
        }
        out
    }

    /// A body's pose between two samples.
    fn pose(&self, body: usize, t: f64) -> Pose {
        let Some(columns) = self.poses.get(body) else { return STILL };
        let t = t + self.t.first().copied().unwrap_or(0.0);
        let k = self.t.partition_point(|x| *x <= t).clamp(1, self.t.len() - 1);
        let (before, after) = (self.t[k - 1], self.t[k]);
        let part =
            if after > before { ((t - before) / (after - before)).clamp(0.0, 1.0) } else { 1.0 };
        let at = |column: &Vec<f64>, k: usize| column.get(k).copied().unwrap_or(0.0);
        // A quaternion and its negative are one rotation.
        let same: f64 = columns.iter().skip(3).map(|c| at(c, k - 1) * at(c, k)).sum();
        let sign = |n: usize| if columns.len() == 7 && n >= 3 && same < 0.0 { -1.0 } else { 1.0 };
        let values = columns
            .iter()
            .enumerate()
            .map(|(n, column)| (1.0 - part) * at(column, k - 1) + part * sign(n) * at(column, k));
        Pose::new(&values.collect::<Vec<_>>())
    }

    /// Everything at a moment, the farthest first.
    pub(super) fn shapes(&self, t: f64) -> Vec<Drawn> {
        let mut out: Vec<(f64, Drawn)> = Vec::new();
        for (outline, colour, pose) in self.outlines(t) {
            self.add(outline, colour, &pose, &mut out);
        }
        out.extend(list(&self.scene["springs"]).iter().map(|s| self.spring(s, t)));
        out.sort_by(|a, b| a.0.total_cmp(&b.0));
        out.into_iter().map(|(_, drawn)| drawn).collect()
    }

    /// A spring as a straight line, a slack rope as a flat parabola: of the span d and the slack s it sags by √(3 d s/8).
    fn spring(&self, spring: &Value, t: f64) -> (f64, Drawn) {
        const PARTS: u32 = 16;
        let end = |end: &Value| match usize::try_from(end[0].as_i64().unwrap_or(-1)) {
            Ok(body) => self.pose(body, t).placed(vector(&end[1])),
            Err(_) => vector(&end[1]),
        };
        let (a, b) = (end(&spring["a"]), end(&spring["b"]));
        let between = combined(b, -1.0, a);
        let span = dot(between, between).sqrt();
        let length = spring["rope"].as_f64().unwrap_or(span);
        let sag = (0.375 * span * (length - span)).max(0.0).sqrt();
        let gravity = unit(vector(&self.scene["gravity"]));
        let down = if dot(gravity, gravity) > 0.0 { gravity } else { self.camera.up.map(|x| -x) };
        let points = (0..=PARTS).map(|k| {
            let part = f64::from(k) / f64::from(PARTS);
            let straight = combined(a, part, between);
            self.camera.paper(combined(straight, 4.0 * part * (1.0 - part) * sag, down))
        });
        let line = Shape::Line { points: points.collect(), width: 1.3 };
        (f64::MIN, (line, GROUND, 1.0))
    }

    fn add(&self, outline: &Value, colour: Colour, pose: &Pose, out: &mut Vec<(f64, Drawn)>) {
        let placed = |value: &Value| pose.placed(vector(value));
        let paper = |p: Vec3| self.camera.paper(p);
        let depth = |points: &[Vec3]| {
            let sum: f64 = points.iter().map(|p| dot(*p, self.camera.toward)).sum();
            if self.planar { 0.0 } else { sum / points.len().max(1) as f64 }
        };
        for plane in list(&outline["planes"]) {
            let normal = pose.turned(vector(&plane[1]));
            let drawn = self.plane(placed(&plane[0]), normal, colour);
            out.extend(drawn.into_iter().map(|d| (f64::MIN, d)));
        }
        for line in list(&outline["lines"]) {
            let space: Vec<Vec3> = list(&line["p"]).iter().map(placed).collect();
            let mut points: Vec<[f64; 2]> = space.iter().map(|p| paper(*p)).collect();
            let at = depth(&space);
            let kind = line["kind"].as_str().unwrap_or_default();
            if kind == "face" {
                out.push((at, (Shape::Face(points.clone()), colour, 0.3)));
                points.extend(points.first().copied());
            }
            let thin = ["face", "wire", "stem", "link"].contains(&kind);
            let width = if thin { 1.3 } else { 4.0 };
            out.push((at, (Shape::Line { points, width }, colour, 1.0)));
        }
        for rod in list(&outline["rods"]) {
            let ends = [placed(&rod["a"]), placed(&rod["b"])];
            let radius = rod["r"].as_f64().unwrap_or(0.0);
            let shape = Shape::Bar { ends: ends.map(paper), radius };
            out.push((depth(&ends), (shape, colour, 0.6)));
        }
        for ball in list(&outline["balls"]) {
            let center = placed(&ball["c"]);
            let hollow = ball["kind"] == "hollow";
            let radius = ball["r"].as_f64().unwrap_or(0.0);
            let shape = Shape::Disc { center: paper(center), radius, hollow };
            out.push((depth(&[center]), (shape, colour, 0.6)));
        }
        for joint in list(&outline["joints"]) {
            out.push((f64::MAX, (Shape::Joint(paper(placed(joint))), [0.2; 3], 1.0)));
        }
    }

    /// A plane: the half of the paper behind it, or a sheet in space.
    fn plane(&self, at: Vec3, normal: Vec3, colour: Colour) -> Vec<Drawn> {
        let size = self.size();
        let reach = size[0].max(size[1]);
        let own = colour != GROUND;
        let paper = |p: Vec3| self.camera.paper(p);
        if self.planar {
            let along = [-normal[1], normal[0], 0.0];
            let reach = if own { 0.05 * reach } else { 2.0 * reach };
            let ends = [combined(at, -reach, along), combined(at, reach, along)];
            let rim = Shape::Line { points: ends.map(paper).to_vec(), width: 2.0 };
            let mut out = vec![(rim, colour, 1.0)];
            if !own {
                let deep = |p: Vec3| combined(p, -2.0 * reach, normal);
                let corners = [ends[0], ends[1], deep(ends[1]), deep(ends[0])];
                out.push((Shape::Face(corners.map(paper).to_vec()), colour, 0.25));
            }
            return out;
        }
        // Below the middle of what moves.
        let height = dot(combined(self.middle, -1.0, at), normal);
        let center = if own { at } else { combined(self.middle, -height, normal) };
        let reach = if own { 0.05 } else { REACH } * reach;
        let side = unit(across(normal));
        let other = cross(normal, side);
        let corner =
            |a: f64, b: f64| paper(combined(combined(center, a * reach, side), b * reach, other));
        let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        let mut rim = corners.to_vec();
        rim.push(corners[0]);
        vec![
            (Shape::Face(corners.to_vec()), colour, 0.15),
            (Shape::Line { points: rim, width: 1.0 }, colour, 0.6),
        ]
    }

    /// When an impact began, from the first moment, and where.
    fn impact(&self, run: &Value, impact: &Value) -> Option<(f64, [f64; 2])> {
        let onset = impact["onset"].as_f64()?;
        let places = &run["spots"][usize::try_from(impact["spot"].as_u64()?).ok()?]["places"];
        let times = numbers(&places["t"]);
        let near = |k: &usize| (times[*k] - onset).abs();
        let at = (0..times.len()).min_by(|a, b| near(a).total_cmp(&near(b)))?;
        Some((onset - self.t.first()?, self.camera.paper(vector(&places["at"][at]))))
    }

    /// The impacts that began at most so long before a moment: where, and how old as a part of that time.
    pub(super) fn struck(&self, t: f64, memory: f64) -> Vec<([f64; 2], f64)> {
        let aged = self.impacts.iter().map(|(onset, place)| (*place, (t - onset) / memory));
        aged.filter(|(_, age)| (0.0..1.0).contains(age)).collect()
    }
}

/// Makes bounds contain what reaches so far around a point.
fn widen<const N: usize>(low: &mut [f64; N], high: &mut [f64; N], at: [f64; N], reach: f64) {
    for ((low, high), x) in low.iter_mut().zip(high).zip(at) {
        *low = low.min(x - reach);
        *high = high.max(x + reach);
    }
}

/// The points that bound an outline, each with how far it reaches around.
fn extremes(outline: &Value) -> Vec<(Vec3, f64)> {
    let point = |value: &Value| (vector(value), 0.0);
    let lines = list(&outline["lines"]).iter().flat_map(|line| list(&line["p"]));
    let mut out: Vec<(Vec3, f64)> = lines.map(point).collect();
    out.extend(list(&outline["joints"]).iter().map(point));
    for rod in list(&outline["rods"]) {
        let radius = rod["r"].as_f64().unwrap_or(0.0);
        out.extend([&rod["a"], &rod["b"]].map(|end| (vector(end), radius)));
    }
    for ball in list(&outline["balls"]) {
        out.push((vector(&ball["c"]), ball["r"].as_f64().unwrap_or(0.0)));
    }
    out
}
