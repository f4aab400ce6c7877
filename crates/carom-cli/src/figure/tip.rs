//! m_eff of a tip over the directions: a half of the sphere in Lambert's equal-area projection, and polar cuts.

use carom::answer::robot::TipAnswer;

use super::axis::Axis;
use super::legend::{Entry, ROW, legend};
use super::look::{GUIDE, PLAIN};
use super::map::Field;
use super::panel::{Curve, Panel};
use super::{Area, Drawn, WIDTH, mm, sheet, write};

/// Height of the heading \[mm\].
const HEAD: f64 = 8.0;
/// Height of the map \[mm\].
const MAP: f64 = 82.0;
/// Height of the cuts \[mm\]: the frame inside is a square.
const CUTS: f64 = 61.0;
/// Values along each side of the map.
const SIDE: usize = 91;
/// Directions of a cut.
const TURN: usize = 720;
/// A cut reaches up to this multiple of its lightest mass: beyond it a nearly immobile direction would hide the rest.
const MOST: f64 = 10.0;
/// The planes of the cuts: names of the axes, and which they are.
const PLANES: [(&str, &str, usize, usize); 3] =
    [("x", "y", 0, 1), ("y", "z", 1, 2), ("x", "z", 0, 2)];

/// The sheet as SVG.
pub(crate) fn draw(answer: &TipAnswer) -> Result<String, String> {
    let planar = answer.head.space == "planar";
    let map = if planar { 0.0 } else { MAP };
    sheet(HEAD + map + CUTS + 2.0 * ROW, |area| {
        let (head, rest) = area.split_vertically(mm(HEAD));
        write(&head, &format!("m_eff of {} by direction", answer.tip), (4.0, 0.6 * HEAD), 3.2)?;
        let (upper, lower) = rest.split_vertically(mm(map));
        if !planar {
            let (left, right) = upper.split_horizontally(mm(0.5 * WIDTH));
            hemisphere(answer).draw(&left)?;
            arm(answer, &right)?;
        }
        let (cuts, foot) = lower.split_vertically(mm(CUTS));
        let planes = if planar { &PLANES[..1] } else { &PLANES[..] };
        let parts = cuts.split_evenly((1, PLANES.len()));
        let shared = reach(answer, planes);
        for (plane, part) in planes.iter().zip(&parts) {
            cut(answer, plane, shared, part)?;
        }
        let entries: [Entry; 2] = [
            (PLAIN, "m_eff along the direction [kg]".to_owned()),
            (
                GUIDE,
                "ellipse xᵀ Λ⁻¹ x = 1, its radius √m_eff drawn to the same longest axis".to_owned(),
            ),
        ];
        legend(&foot.margin(0, 0, mm(16.0), 0), &entries, 2, WIDTH - 20.0)
    })
}

/// The half of the sphere with z ≥ 0; m_eff is the same along −n.
fn hemisphere(answer: &TipAnswer) -> Field {
    let at = |k: usize| 2.0 * k as f64 / (SIDE - 1) as f64 - 1.0;
    let value = |i: usize, j: usize| {
        let (x, y) = (at(i), at(j));
        let square = x * x + y * y;
        if square > 1.0 {
            return f64::NAN;
        }
        // Lambert: the distance from the middle is √2 sin(θ/2), so z = 1 − r² and the equator is the rim.
        let stretch = (2.0 - square).sqrt();
        answer.mass_along([x * stretch, y * stretch, 1.0 - square])
    };
    // The extremes over all directions lie along the principal axes, which the grid need not contain.
    let ends = answer.principal.first().zip(answer.principal.last());
    let values = (0..SIDE).flat_map(|j| (0..SIDE).map(move |i| (i, j)));
    Field {
        title: "m_eff [kg], directions with z ≥ 0".to_owned(),
        x: Axis::plain("+x right, +z in the middle (equal-area)", -1.0, 1.0),
        y: Axis::plain("+y up", -1.0, 1.0),
        size: (SIDE, SIDE),
        values: values.map(|(i, j)| value(i, j)).collect(),
        extremes: ends.map(|(light, heavy)| (light.effective_mass, heavy.effective_mass)),
        shared: None,
    }
}

/// From where the arm is looked at: turned about z, and from above \[rad\].
const VIEW: (f64, f64) = (-0.9, 0.35);

/// The arm as a line through its joints, with the lightest and the heaviest direction at the tip.
fn arm(answer: &TipAnswer, area: &Area<'_>) -> Drawn {
    let ((sy, cy), (sp, cp)) = (VIEW.0.sin_cos(), VIEW.1.sin_cos());
    let flat = |p: &[f64; 3]| (-sy * p[0] + cy * p[1], cp * p[2] - sp * (cy * p[0] + sy * p[1]));
    let places: Vec<(f64, f64)> =
        std::iter::once(&[0.0; 3]).chain(&answer.joint_places).map(flat).collect();
    let ends = |pick: fn(&(f64, f64)) -> f64| {
        let all = places.iter().map(pick);
        all.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)))
    };
    let (x, y) = (ends(|p| p.0), ends(|p| p.1));
    let size = (x.1 - x.0).max(y.1 - y.0).max(f64::MIN_POSITIVE);
    let tip = answer.tip_position;
    let line = |d: &carom::answer::robot::DirectionMass, length: f64| {
        let end = |f: f64| flat(&[0, 1, 2].map(|k| tip[k] + f * length * size * d.direction[k]));
        Curve { points: vec![end(-1.0), end(1.0)], look: GUIDE }
    };
    let mut curves = vec![Curve { points: places.clone(), look: PLAIN }];
    curves.extend(answer.principal.last().map(|d| line(d, 0.22)));
    curves.extend(answer.principal.first().map(|d| line(d, 0.08)));
    // The frame is about as high as wide, so that one scale holds along both.
    let half = 0.68 * size;
    let about = |(a, b): (f64, f64), label: &str| {
        let middle = 0.5 * (a + b);
        Axis::plain(label, middle - half, middle + half)
    };
    let title = "the arm; dashed: heaviest (long), lightest";
    let (x, y) = (about(x, "across [m]"), about(y, "up [m]"));
    Panel { title, x: &x, y: &y, curves: &curves }.draw(&area.margin(0, 0, 0, mm(6.0)))
}

/// m_eff over a turn in a plane, as points.
fn turn(answer: &TipAnswer, (i, j): (usize, usize)) -> Vec<((f64, f64), f64)> {
    let one = |k: usize| {
        let (s, c) = (k as f64 * std::f64::consts::TAU / TURN as f64).sin_cos();
        let mut n = [0.0; 3];
        (n[i], n[j]) = (c, s);
        ((c, s), answer.mass_along(n))
    };
    (0..=TURN).map(one).collect()
}

/// How far the axes of all cuts reach \[kg\].
fn reach(answer: &TipAnswer, planes: &[(&str, &str, usize, usize)]) -> f64 {
    let all = || planes.iter().flat_map(|p| turn(answer, (p.2, p.3))).map(|(_, m)| m);
    let least = all().fold(f64::INFINITY, f64::min);
    let most = all().filter(|m| m.is_finite()).fold(0.0, f64::max);
    let reach = if most.is_finite() && most > 0.0 { most.min(MOST * least) } else { 1.0 };
    1.06 * reach
}

fn cut(
    answer: &TipAnswer,
    (a, b, i, j): &(&str, &str, usize, usize),
    reach: f64,
    area: &Area<'_>,
) -> Drawn {
    let all = turn(answer, (*i, *j));
    let scaled = |radius: &dyn Fn(f64) -> f64| -> Vec<(f64, f64)> {
        all.iter().map(|((c, s), m)| (radius(*m) * c, radius(*m) * s)).collect()
    };
    let longest = all.iter().map(|(_, m)| *m).filter(|m| m.is_finite()).fold(0.0, f64::max);
    let longest = longest.min(reach / 1.06).max(f64::MIN_POSITIVE);
    let factor = longest.sqrt();
    let curves = [
        Curve { points: scaled(&|m| m.sqrt() * factor), look: GUIDE },
        Curve { points: scaled(&|m| m), look: PLAIN },
    ];
    let title = format!("{a}-{b} plane");
    let x = Axis::plain(&format!("along {a} [kg]"), -reach, reach);
    let y = Axis::plain(&format!("along {b} [kg]"), -reach, reach);
    Panel { title: &title, x: &x, y: &y, curves: &curves }.draw(area)
}
