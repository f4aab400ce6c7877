//! Profile (cam) against a convex shape of the plane: every local minimum of the distance is a contact point of its own, so that a
//! follower rides on one flank, leaves it and lands on another.
//!
//! c(u) is the profile, n its outward normal, κ its curvature. The other shape is a polygon, box, segment, capsule or circle, that is
//! vertices V and sides (foot A, outward normal N), grown by a radius r:
//!
//! * vertex over the curve: (c − V) · c′ = 0,  d = (V − c) · n,  with −n in the normal cone of V;
//! * side against the curve: N · c′ = 0 and n = −N,  d = N · (c − A),  with the foot of c on the side;
//! * gap = d − r. A minimum of the distance along the curve has 1 + κ d > 0 (vertex) or κ > 0 (side).
//!
//! The places move along the curve as u̇ = ṗ · c′/(|c′|² (1 + κ d)) under a vertex with velocity ṗ in the profile's frame, and as
//! u̇ = −Ṅ · c′/(N · c″) on a side. Inside the profile a vertex has the nearest place only; a place behind a side counts where that side
//! is the nearest to it, or the one along which the profile is inside least. At most [`MOST`] places, the nearest ones, in the order along the curve.

mod feet;

use self::feet::{Along, feet, nearest};
use super::convex::Core;
use super::skeleton::{Bridge, point_plane};
use super::{Flaw, HalfSpace, Meeting, Patch};
use crate::contact::MOST_POINTS;
use crate::contact::moving::Moving;
use crate::contact::placed::{Curved, Edge, Placed};
use crate::maths::Vec3;
use crate::maths::profile::Spot;
use crate::model::Side;

/// Contact points that a profile has with one shape.
pub(in crate::contact) const MOST: usize = 4;
/// Candidates that are compared.
const CANDIDATES: usize = 24;
/// Parts of the profile whose change under a point ends a step of a run: the order of points changes only where one passes the beginning.
const SECTORS: f64 = 4.0;
/// Feet this part of the size beyond the end of a side, or directions this far outside of a cone, still belong to it.
const OVER: f64 = 1e-12;
/// 1 + κ d below which all points of an arc are as near: no normal is distinguished.
const CENTRE: f64 = 1e-12;

/// Which feature of the other shape a place of the profile touches.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Partner {
    Vertex(usize),
    Side(usize),
}

/// A place on the profile that may touch.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    spot: Spot,
    partner: Partner,
    /// Distance of the features \[m\], negative inside.
    d: f64,
}

/// The candidates of one contact; the nearest are kept.
struct Candidates {
    all: [Option<Candidate>; CANDIDATES],
    count: usize,
    /// Places nearer to each other than this along the curve are one.
    same: f64,
}

impl Candidates {
    fn new(curve: &Curved<'_>) -> Self {
        Self { all: [None; CANDIDATES], count: 0, same: 1e-9 * curve.curve.period }
    }

    fn push(&mut self, new: Candidate) {
        let known = |c: &Candidate| {
            (c.spot.u - new.spot.u).abs() <= self.same && (c.d - new.d).abs() <= self.same
        };
        if self.all[..self.count].iter().flatten().any(known) {
            return;
        }
        if self.count < CANDIDATES {
            self.all[self.count] = Some(new);
            self.count += 1;
            return;
        }
        let furthest = self.all.iter_mut().flatten().max_by(|a, b| a.d.total_cmp(&b.d));
        if let Some(furthest) = furthest.filter(|f| new.d < f.d) {
            *furthest = new;
        }
    }

    /// The nearest, in the order along the curve.
    fn nearest(&mut self) -> &[Option<Candidate>] {
        let by = |f: fn(&Candidate) -> f64| {
            move |a: &Option<Candidate>, b: &Option<Candidate>| match (a, b) {
                (Some(a), Some(b)) => f(a).total_cmp(&f(b)),
                _ => std::cmp::Ordering::Equal,
            }
        };
        let all = &mut self.all[..self.count];
        all.sort_unstable_by(by(|c| c.d));
        let kept = &mut all[..self.count.min(MOST)];
        kept.sort_unstable_by(by(|c| c.spot.u));
        kept
    }
}

/// The contact of a profile (a) with a half-space (b).
pub(super) fn on_plane(curve: &Curved<'_>, plane: &HalfSpace) -> Result<Patch, Flaw> {
    let inner = curve.frame.pose.inverse();
    let (normal, at) = (inner.vector(&plane.normal.value), inner.point(&plane.at.value));
    let mut found = Candidates::new(curve);
    feet(curve.curve, Along::Direction(normal), |spot| {
        if spot.normal().dot(&normal) < 0.0 {
            found.push(Candidate {
                spot,
                partner: Partner::Side(0),
                d: normal.dot(&(spot.at - at)),
            });
        }
    });
    patch(curve, &mut found, 0.0, |candidate| {
        Ok(on_side(curve, &candidate.spot, plane.at, plane.normal))
    })
}

/// The contact of a convex shape (a) with a profile (b).
pub(super) fn meet(shape: &Placed<'_>, core: &Core<'_>, curve: &Curved<'_>) -> Result<Patch, Flaw> {
    let sides = Sides::new(shape, core, curve);
    let mut found = Candidates::new(curve);
    for k in 0..sides.count {
        sides.of_side(k, &mut found);
    }
    for k in 0..core.count() {
        sides.of_vertex(k, &mut found);
    }
    if found.count == 0 {
        // Deep inside each other in a way no local minimum tells.
        sides.deepest_vertex(&mut found);
    }
    let patch = patch(curve, &mut found, core.radius, |candidate| match candidate.partner {
        Partner::Vertex(k) => under_vertex(curve, &candidate.spot, core.moving_vertex(k)),
        Partner::Side(k) => {
            let (at, normal) = sides.moving(k);
            Ok(on_side(curve, &candidate.spot, at, normal))
        }
    })?;
    Ok(patch.mirrored())
}

/// The contact of the places that are nearest; `bridge` leads from the profile to its partner.
fn patch(
    curve: &Curved<'_>,
    found: &mut Candidates,
    radius: f64,
    bridge: impl Fn(&Candidate) -> Result<Bridge, Flaw>,
) -> Result<Patch, Flaw> {
    let period = curve.curve.period;
    let mut meetings = [Meeting::none(); MOST_POINTS];
    let mut count = 0;
    // FNV-1a over what belongs together.
    let mut features = 0xcbf2_9ce4_8422_2325_u64;
    for candidate in found.nearest().iter().flatten() {
        meetings[count] = bridge(candidate)?.grown(0.0, radius);
        count += 1;
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a place in the period is not negative"
        )]
        let sector = (SECTORS * candidate.spot.u / period) as u64;
        let (kind, number) = match candidate.partner {
            Partner::Vertex(k) => (1, k),
            Partner::Side(k) => (2, k),
        };
        for part in [sector, kind, number as u64 + 1] {
            features = (features ^ part).wrapping_mul(0x0100_0000_01b3);
        }
    }
    if count == 0 {
        return Err(Flaw::NoNormal);
    }
    Ok(Patch { meetings, count, slots: MOST, features: features | 1, size: curve.curve.reach })
}

/// A place of the curve in the world that runs along it, and the outward normal there.
fn running(curve: &Curved<'_>, spot: &Spot, speed: f64) -> [Moving; 2] {
    let Curved { frame, .. } = curve;
    let along = frame.pose.vector(&spot.first) * speed;
    let mut at = frame.point(&spot.at);
    at.rate += along;
    let mut normal = frame.vector(&spot.normal());
    normal.rate += along * spot.curvature();
    [at, normal]
}

/// ṗ of a vector or point in the profile's frame, from its rate in the world.
fn seen_from(curve: &Curved<'_>, rate: &Vec3, carried: &Vec3) -> Vec3 {
    curve.frame.pose.inverse().vector(&(rate - carried))
}

/// From the curve to a vertex.
fn under_vertex(curve: &Curved<'_>, spot: &Spot, vertex: Moving) -> Result<Bridge, Flaw> {
    let inside = curve.frame.pose.inverse().point(&vertex.value);
    let d = spot.normal().dot(&(inside - spot.at));
    let lever = 1.0 + spot.curvature() * d;
    if lever.abs() <= CENTRE {
        return Err(Flaw::NoNormal);
    }
    let rate = seen_from(curve, &vertex.rate, &curve.frame.motion.at(&vertex.value));
    let speed = rate.dot(&spot.first) / (spot.first.norm_squared() * lever);
    let [x, n] = running(curve, spot, speed);
    Ok(Bridge { x, y: vertex, n, d })
}

/// From the curve to a side.
fn on_side(curve: &Curved<'_>, spot: &Spot, at: Moving, normal: Moving) -> Bridge {
    let carried = curve.frame.motion.twist.ang.cross(&normal.value);
    let rate = seen_from(curve, &normal.rate, &carried);
    let bend = curve.frame.pose.inverse().vector(&normal.value).dot(&spot.second);
    let speed = if bend == 0.0 { 0.0 } else { -rate.dot(&spot.first) / bend };
    let [x, _] = running(curve, spot, speed);
    point_plane(x, at, normal)
}

/// Vertices and sides of a convex shape in the profile's frame.
struct Sides<'c, 'a> {
    core: &'c Core<'a>,
    curve: &'c Curved<'c>,
    /// From the shape's frame to the profile's.
    to_curve: crate::maths::Pose,
    count: usize,
    /// The face of the core by which a one-sided segment is touched.
    only: Option<usize>,
    /// The side along which the profile is inside least, or outside most.
    least: Option<usize>,
}

impl<'c, 'a> Sides<'c, 'a> {
    fn new(shape: &Placed<'_>, core: &'c Core<'a>, curve: &'c Curved<'c>) -> Self {
        // Face 0 of a segment looks to its right.
        let only = match shape {
            Placed::Edge(Edge { side, .. }) => Some(usize::from(*side == Some(Side::Left))),
            _ => None,
        };
        let to_curve = curve.frame.pose.inverse().then(&core.pose);
        let count = if only.is_some() { 1 } else { core.topology.faces.len() };
        let mut out = Self { core, curve, to_curve, count, only, least: None };
        let support = |k: usize| {
            let ([start, _], normal) = out.side(k);
            let heights = curve.curve.samples.iter().map(|spot| normal.dot(&(spot.at - start)));
            heights.fold(f64::INFINITY, f64::min)
        };
        out.least = (0..count).max_by(|j, k| support(*j).total_cmp(&support(*k)));
        out
    }

    fn vertex(&self, k: usize) -> Vec3 {
        self.to_curve.point(self.core.vertex(k))
    }

    /// Start and end of a side, and its outward normal.
    fn side(&self, k: usize) -> ([Vec3; 2], Vec3) {
        let face = self.only.unwrap_or(k);
        let rim = &self.core.topology.faces[face];
        let ends = [self.vertex(rim[0]), self.vertex(rim[1])];
        (ends, self.to_curve.vector(self.core.normal(face)))
    }

    fn moving(&self, k: usize) -> (Moving, Moving) {
        let face = self.only.unwrap_or(k);
        let start = self.core.topology.faces[face][0];
        (self.core.moving_vertex(start), self.core.moving_normal(face))
    }

    fn height(&self, k: usize, x: &Vec3) -> f64 {
        let ([start, _], normal) = self.side(k);
        normal.dot(&(x - start))
    }

    /// Places that a side touches.
    fn of_side(&self, k: usize, found: &mut Candidates) {
        let ([start, end], normal) = self.side(k);
        let edge = end - start;
        let length = edge.norm();
        let over = OVER * (length + self.curve.curve.reach);
        feet(self.curve.curve, Along::Direction(normal), |spot| {
            let along = edge.dot(&(spot.at - start)) / length;
            if spot.normal().dot(&normal) >= 0.0 || along < -over || along > length + over {
                return;
            }
            let d = normal.dot(&(spot.at - start));
            if d >= 0.0 || self.holds(k, &spot, d) {
                found.push(Candidate { spot, partner: Partner::Side(k), d });
            }
        });
    }

    /// Whether a place behind a side is inside by that side: it is the side nearest to the place, or the one along which the whole profile is
    /// inside least.
    fn holds(&self, k: usize, spot: &Spot, d: f64) -> bool {
        let nearest = (0..self.count).all(|other| other == k || self.height(other, &spot.at) <= d);
        self.least == Some(k) || nearest
    }

    /// Places that a vertex touches.
    fn of_vertex(&self, k: usize, found: &mut Candidates) {
        let v = self.vertex(k);
        let least = nearest(self.curve.curve, &v);
        feet(self.curve.curve, Along::Point(v), |spot| {
            let n = spot.normal();
            let d = n.dot(&(v - spot.at));
            let nearest = (v - spot.at).norm_squared() <= least;
            if (d > 0.0 || nearest) && self.in_cone(k, &v, &-n) {
                found.push(Candidate { spot, partner: Partner::Vertex(k), d });
            }
        });
    }

    /// Whether a direction lies in the normal cone of a vertex.
    fn in_cone(&self, k: usize, v: &Vec3, direction: &Vec3) -> bool {
        let n = self.core.count();
        let beside = match n {
            1 => return true,
            2 => [1 - k, 1 - k],
            _ => [(k + 1) % n, (k + n - 1) % n],
        };
        beside.iter().all(|other| {
            let edge = self.vertex(*other) - v;
            direction.dot(&edge) <= OVER * edge.norm()
        })
    }

    /// The vertex that is inside the profile most, or outside least.
    fn deepest_vertex(&self, found: &mut Candidates) {
        let mut best: Option<Candidate> = None;
        for k in 0..self.core.count() {
            let v = self.vertex(k);
            let least = nearest(self.curve.curve, &v);
            feet(self.curve.curve, Along::Point(v), |spot| {
                let d = spot.normal().dot(&(v - spot.at));
                let new = Candidate { spot, partner: Partner::Vertex(k), d };
                let nearest = (v - spot.at).norm_squared() <= least;
                if nearest && best.is_none_or(|best| d < best.d) {
                    best = Some(new);
                }
            });
        }
        if let Some(best) = best {
            found.push(best);
        }
    }
}

#[cfg(test)]
#[path = "../profile_tests.rs"]
mod tests;
