//! Mass and inertia from a shape.
//!
//! Sources: [`solids`] for balls, boxes, cylinders and capsules; otherwise the integrals of r² over the shape, as in any table of moments of inertia.

use super::Builder;
use super::finding::Mistake;
use super::keys::{MASS_SHAPES, VISUAL_MESH};
use super::reader::joined;
use crate::maths::solids::{self, Amount};
use crate::maths::units::Dimension;
use crate::maths::{Mat3, Vec3};
use crate::model::description::{Entry, Node, Value};

/// A shape of unit mass.
#[derive(Clone, Debug)]
pub(super) struct Solid {
    /// What it is called in messages.
    pub what: &'static str,
    /// Inertia about the mass centre per mass \[m²\].
    pub inertia: Mat3,
    /// Mass centre in the body frame.
    pub center: Vec3,
    /// Length, area or volume and its dimension, where it has one.
    pub size: Option<(f64, Dimension)>,
}

/// Area below which a polygon counts as flat, relative to the square of its extent.
const FLAT: f64 = 1e-12;

/// Polygons with more vertices are not searched for edges that cross.
const MOST_SEARCHED: usize = 2000;

impl<'d> Builder<'d> {
    /// `shape = { … }` of a body.
    pub(super) fn mass_shape(&mut self, entry: &'d Entry, path: &str) -> Option<Solid> {
        let path = format!("{path}.shape");
        let place = self.table(entry, path.clone())?;
        if place.table.get("mesh").is_some() {
            self.check_keys(&place, &VISUAL_MESH);
            return self.mesh_solid(&place);
        }
        let [only] = place.table.entries() else {
            let why = "a shape is a table with one key, such as { rod = 1 }".to_owned();
            self.note(&path, Some(&entry.node.origin), Mistake::Conflict(why));
            return None;
        };
        let path = joined(&path, &only.key);
        let Some(word) = MASS_SHAPES.iter().position(|w| *w == only.key) else {
            let hint = self.hint(&only.key, MASS_SHAPES.iter().copied());
            let found = only.key.chars().take(60).collect();
            let mistake = Mistake::UnknownWord { found, what: "shape with a mass", hint };
            self.note(&path, Some(&only.origin), mistake);
            return None;
        };
        self.solid(MASS_SHAPES[word], &only.node, &path)
    }

    fn solid(&mut self, word: &str, node: &'d Node, path: &str) -> Option<Solid> {
        let area = Dimension::LENGTH.power(2.0);
        let volume = Dimension::LENGTH.power(3.0);
        let of = |Amount { size, inertia }| (inertia.into(), Some((size, volume)));
        let pi = std::f64::consts::PI;
        let (what, diagonal, size) = match word {
            "point" => {
                if !self.boolean(node, path)? {
                    let why = "write { point = true }".to_owned();
                    self.note(path, Some(&node.origin), Mistake::Conflict(why));
                    return None;
                }
                ("a point", [0.0; 3], None)
            }
            "rod" => {
                let l = self.positive(node, path, "a positive length [m]")?;
                ("a rod", [0.0, l * l / 12.0, l * l / 12.0], Some((l, Dimension::LENGTH)))
            }
            "disc" => {
                let r = self.positive(node, path, "a positive radius [m]")?;
                ("a disc", plate(r * r / 4.0, r * r / 4.0), Some((pi * r * r, area)))
            }
            "ring" => match self.radii(node, path)? {
                (None, r) => ("a thin ring", plate(r * r / 2.0, r * r / 2.0), None),
                (Some(i), r) => {
                    let k = (i * i + r * r) / 4.0;
                    ("a ring", plate(k, k), Some((pi * (r * r - i * i), area)))
                }
            },
            "rectangle" => {
                let [a, b] = self.lengths(node, path)?;
                ("a rectangle", plate(b * b / 12.0, a * a / 12.0), Some((a * b, area)))
            }
            "polygon" => {
                let points = self.flat_points(node, path)?;
                return self.polygon(&points, node, path);
            }
            "sphere" => {
                let r = self.positive(node, path, "a positive radius [m]")?;
                let (diagonal, size) = of(solids::ball(r));
                ("a sphere", diagonal, size)
            }
            "hollow-sphere" => match self.radii(node, path)? {
                (None, r) => ("a thin hollow sphere", [2.0 / 3.0 * r * r; 3], None),
                (Some(i), r) => {
                    let k = 0.4 * (r.powi(5) - i.powi(5)) / (r.powi(3) - i.powi(3));
                    let size = 4.0 / 3.0 * pi * (r.powi(3) - i.powi(3));
                    ("a hollow sphere", [k; 3], Some((size, volume)))
                }
            },
            "box" => {
                let (diagonal, size) = of(solids::block(self.lengths(node, path)?));
                ("a box", diagonal, size)
            }
            "cylinder" => {
                let [r, l] = self.lengths(node, path)?;
                let (diagonal, size) = of(solids::cylinder(r, l));
                ("a cylinder", diagonal, size)
            }
            "capsule" => {
                let [r, l] = self.lengths(node, path)?;
                let (diagonal, size) = of(solids::capsule(r, l));
                ("a capsule", diagonal, size)
            }
            // The list of words ends with the cone.
            _ => {
                let [r, h] = self.lengths(node, path)?;
                let k = 0.15 * r * r + 0.0375 * h * h;
                ("a cone", [k, k, 0.3 * r * r], Some((pi * r * r * h / 3.0, volume)))
            }
        };
        let inertia = Mat3::from_diagonal(&Vec3::from(diagonal));
        Some(Solid { what, inertia, center: Vec3::zeros(), size })
    }

    /// That many positive lengths.
    fn lengths<const N: usize>(&mut self, node: &'d Node, path: &str) -> Option<[f64; N]> {
        let list = self.list(node, path)?;
        if list.len() != N {
            return self.wrong_count(node, path, list.len(), &N.to_string(), "");
        }
        let mut out = [0.0; N];
        let mut sound = true;
        for (k, (out, node)) in out.iter_mut().zip(list).enumerate() {
            match self.positive(node, &format!("{path}.{k}"), "a positive length [m]") {
                Some(x) => *out = x,
                None => sound = false,
            }
        }
        sound.then_some(out)
    }

    /// One radius, or an inner and an outer one.
    fn radii(&mut self, node: &'d Node, path: &str) -> Option<(Option<f64>, f64)> {
        if !matches!(node.value, Value::List(_)) {
            return Some((None, self.positive(node, path, "a positive radius [m]")?));
        }
        let [inner, outer] = self.pair(node, path)?;
        let (inner_path, outer_path) = (format!("{path}.0"), format!("{path}.1"));
        let i = self.quantity(inner, &inner_path, Dimension::LENGTH)?;
        let r = self.positive(outer, &outer_path, "a positive radius [m]")?;
        let inside = (0.0..r).contains(&i);
        self.in_range(inner, &inner_path, i, inside, "an inner radius from 0 to the outer one")?;
        Some((Some(i), r))
    }

    fn polygon(&mut self, points: &[Vec3], node: &'d Node, path: &str) -> Option<Solid> {
        let refuse = |builder: &mut Self, why: &str| {
            builder.note(path, Some(&node.origin), Mistake::Conflict(why.to_owned()));
            None
        };
        if points.len() < 3 {
            return self.wrong_count(node, path, points.len(), "3 or more points", "");
        }
        let Some((area, center, inertia)) = polygon_moments(points) else {
            return refuse(self, "this polygon has no area");
        };
        if points.len() <= MOST_SEARCHED && crosses_itself(points) {
            return refuse(self, "the edges of this polygon cross each other");
        }
        let size = Some((area, Dimension::LENGTH.power(2.0)));
        Some(Solid { what: "a polygon", inertia, center, size })
    }
}

/// A thin plate in the x-y plane: ∫y², ∫x² and their sum.
fn plate(x: f64, y: f64) -> [f64; 3] {
    [x, y, x + y]
}

/// Area, centroid and inertia per mass about it; `None` without area. Green's theorem, edge by
/// edge, in coordinates from the first vertex; either sense of rotation.
fn polygon_moments(points: &[Vec3]) -> Option<(f64, Vec3, Mat3)> {
    let origin = points[0];
    let edges = |from: Vec3| {
        let ends = points.iter().cycle().skip(1);
        points.iter().zip(ends).map(move |(a, b)| {
            let (a, b) = (a - from, b - from);
            (a, b, a.x * b.y - a.y * b.x)
        })
    };
    let extent = points.iter().map(|p| (p - origin).amax()).fold(0.0, f64::max);
    let area: f64 = edges(origin).map(|(_, _, c)| c / 2.0).sum();
    if area.abs() <= FLAT * extent * extent {
        return None;
    }
    let first: Vec3 = edges(origin).map(|(a, b, c)| (a + b) * c / 6.0).sum();
    let center = origin + first / area;
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (a, b, c) in edges(center) {
        xx += c * (a.y * a.y + a.y * b.y + b.y * b.y) / 12.0;
        yy += c * (a.x * a.x + a.x * b.x + b.x * b.x) / 12.0;
        xy += c * (a.x * b.y + 2.0 * a.x * a.y + 2.0 * b.x * b.y + b.x * a.y) / 24.0;
    }
    let inertia = Mat3::new(xx, -xy, 0.0, -xy, yy, 0.0, 0.0, 0.0, xx + yy) / area;
    Some((area.abs(), center, inertia))
}

/// Whether two edges that are no neighbours cross.
fn crosses_itself(points: &[Vec3]) -> bool {
    let n = points.len();
    let side = |a: &Vec3, b: &Vec3, c: &Vec3| (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    for i in 0..n {
        let (a, b) = (&points[i], &points[(i + 1) % n]);
        for j in i + 2..n {
            if (j + 1) % n == i {
                continue;
            }
            let (c, d) = (&points[j], &points[(j + 1) % n]);
            if side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0 {
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
#[path = "inertia_tests.rs"]
mod tests;
