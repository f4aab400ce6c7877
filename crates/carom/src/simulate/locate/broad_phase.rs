//! Broad phase: which contact points may close within a step.
//!
//! Over a step each velocity stays within a bound that the dense output of the integrator gives. From the base to the tips follow bounds of how
//! fast the link frames move and turn, and so how far the centre of each shape goes. A pair whose bounding balls (or ball and fixed
//! plane) are further apart than their two shapes go together cannot touch: its gap is not evaluated at any time of the step. The
//! answer depends on the step alone, not on what was known of earlier ones, so that a run that goes on from a checkpoint keeps its bits.
//!
//! Bounds of earlier steps only save work: the distances that all shapes travel are summed up, and a pair is measured anew when the two have gone as
//! far as they were apart (as in the neighbour lists of molecular dynamics; Verlet 1967).

use crate::kinematics::Frames;
use crate::maths::Vec3;
use crate::maths::expression::{Step, Variable};
use crate::model::{ContactGeometry, Model, Place, Shape, ShapeKind};
use crate::simulate::SimulateError;
use crate::simulate::error::AtTime;
use crate::simulate::locate::Locator;
use crate::simulate::mode::{Observation, Spot, Status};
use crate::simulate::scenario::Scenario;
use crate::simulate::system::Motion;

/// Machines with at most so many contact points have all of them evaluated at every observation: this costs less than it would save, and each
/// point has its columns of T_c.
pub(in crate::simulate) const FEW: usize = 100;
/// Margin of the distances travelled: a step that is retaken to land on an event differs by its error.
const LONGER: f64 = 1e-3;
/// A pair is out of reach if it stays apart by this many times the gap that counts as closed.
const APART: f64 = 100.0;
/// The gap that stands for one out of reach \[m\].
const FAR: f64 = 1e100;

/// What of a shape its bounds are made of.
#[derive(Clone, Copy, Debug)]
enum Extent {
    /// All of it is within a ball.
    Ball { body: Place, center: Vec3, radius: f64 },
    /// A half-space that does not move.
    Fixed { at: Vec3, normal: Vec3 },
    /// A hole with a ball in it: its gap shrinks as that of two balls does.
    Hole { body: Place, center: Vec3, radius: f64 },
    /// Not bounded: evaluated at every observation.
    Any,
}

/// Where two shapes' gap comes from.
#[derive(Clone, Copy, Debug)]
struct Pair {
    /// Shapes of the model.
    shapes: [usize; 2],
    /// It is out of reach until the two shapes have gone so far together \[m\].
    due: f64,
}

/// Memory.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct BroadPhase {
    frames: Frames,
    extents: Vec<Extent>,
    /// By spot; none where the gap is evaluated at every look.
    pairs: Vec<Option<Pair>>,
    /// By shape, how far its centre has gone \[m\], and how far it goes in the last step.
    ways: Vec<[f64; 2]>,
    centers: Vec<Vec3>,
    /// By body, bounds of the velocity of the link frame's origin \[m/s\] and of ω \[rad/s\]; infinite where a drive carries it.
    speeds: Vec<[f64; 2]>,
    bounds: Vec<f64>,
    /// Bodies that a drive moves relative to their parents.
    driven: Vec<bool>,
}

impl Extent {
    fn new(shape: &Shape, planar: bool) -> Self {
        let body = shape.body;
        let ball = |center: Vec3, radius: f64| Self::Ball { body, center, radius };
        match shape.kind {
            ShapeKind::Point { at } => ball(at, 0.0),
            ShapeKind::Sphere { center, radius } => ball(center, radius),
            ShapeKind::Plane { at, normal } if body.is_none() => Self::Fixed { at, normal },
            // Behind a one-sided edge a gap is negative anywhere.
            ShapeKind::Segment { start, end, .. } if !planar => {
                ball(0.5 * (start + end), 0.5 * (end - start).norm())
            }
            ShapeKind::Plane { .. } | ShapeKind::Segment { .. } => Self::Any,
            ShapeKind::Hollow { center, radius } => Self::Hole { body, center, radius },
            ShapeKind::Box { pose, half } => ball(pose.position, half.norm()),
            ShapeKind::Capsule { start, end, radius } => {
                ball(0.5 * (start + end), 0.5 * (end - start).norm() + radius)
            }
            ShapeKind::Cylinder { pose, radius, half_length } => {
                ball(pose.position, radius.hypot(half_length))
            }
            ShapeKind::Convex { ref solid, radius } => {
                let center = solid.vertices.iter().sum::<Vec3>() / solid.vertices.len() as f64;
                let reach = solid.vertices.iter().map(|v| (v - center).norm());
                ball(center, reach.fold(0.0, f64::max) + radius)
            }
            // Between samples the tangent turns by a few hundredths: the curve stays within a thousandth of its size of them.
            ShapeKind::Profile { pose, ref curve } => ball(pose.position, 1.01 * curve.reach),
        }
    }

    /// The body and the point on it whose way bounds how a gap shrinks.
    fn center(&self) -> Option<(Place, Vec3)> {
        match *self {
            Self::Ball { body, center, .. } | Self::Hole { body, center, .. } => {
                Some((body, center))
            }
            Self::Fixed { .. } | Self::Any => None,
        }
    }
}

/// A lower bound of the gap of two shapes with these centres in the world.
fn least_gap(a: &Extent, b: &Extent, [at_a, at_b]: [&Vec3; 2]) -> Option<f64> {
    match (a, b) {
        (Extent::Ball { radius, .. }, Extent::Ball { radius: other, .. }) => {
            Some((at_b - at_a).norm() - radius - other)
        }
        (Extent::Ball { radius, .. }, Extent::Fixed { at, normal }) => {
            Some(normal.dot(&(at_a - at)) - radius)
        }
        (Extent::Fixed { at, normal }, Extent::Ball { radius, .. }) => {
            Some(normal.dot(&(at_b - at)) - radius)
        }
        (Extent::Ball { radius, .. }, Extent::Hole { radius: hole, .. })
        | (Extent::Hole { radius: hole, .. }, Extent::Ball { radius, .. }) => {
            Some(hole - (at_b - at_a).norm() - radius)
        }
        _ => None,
    }
}

impl BroadPhase {
    pub fn new(model: &Model, spots: &[Spot], scenario: &Scenario) -> Self {
        let extents: Vec<Extent> =
            model.shapes.iter().map(|shape| Extent::new(shape, model.is_planar())).collect();
        let origin = Vec3::zeros();
        let mut named = vec![false; model.contacts.len()];
        for event in &model.events {
            for step in event.expression.steps() {
                if let Step::Variable(Variable::Gap(contact)) = step {
                    named[*contact] = true;
                }
            }
        }
        let pair = |spot: &Spot| match model.contacts[spot.contact].geometry {
            ContactGeometry::Shapes { a, b } if !named[spot.contact] => {
                least_gap(&extents[a], &extents[b], [&origin; 2])
                    .map(|_| Pair { shapes: [a, b], due: f64::NEG_INFINITY })
            }
            _ => None,
        };
        let many = spots.len() > FEW && !scenario.all_pairs;
        let mut driven = vec![false; model.bodies.len()];
        for (driven, body) in driven.iter_mut().zip(&model.bodies) {
            *driven = model.drives.iter().any(|drive| body.joint.velocities().contains(&drive.v));
        }
        Self {
            frames: Frames::new(model),
            pairs: if many { spots.iter().map(pair).collect() } else { Vec::new() },
            ways: vec![[0.0; 2]; extents.len()],
            centers: vec![Vec3::zeros(); extents.len()],
            extents,
            speeds: vec![[0.0; 2]; model.bodies.len()],
            bounds: Vec::new(),
            driven,
        }
    }

    /// Whether any pairs are left out.
    pub fn is_used(&self) -> bool {
        !self.pairs.is_empty()
    }

    /// How far the shapes go in a step of length h from this state, with `bounds` of how far its entries go.
    fn follow(&mut self, model: &Model, q: &[f64], v: &[f64], h: f64) {
        let Self { frames, extents, ways, centers, speeds, bounds, driven, .. } = self;
        frames.update(q, v);
        for (k, body) in model.bodies.iter().enumerate() {
            let [carried, turned] = body.parent.map_or([0.0; 2], |parent| speeds[parent.index()]);
            let (mut slides, mut turns) = (0.0, 0.0);
            for (column, j) in body.joint.velocities().enumerate() {
                let most = v[j].abs() + bounds[model.nq + j];
                if body.joint.kind.is_angular(column) { turns += most } else { slides += most }
            }
            let arm = frames.links()[k].arm.vector().norm() + h * slides;
            let still = if driven[k] { f64::INFINITY } else { 0.0 };
            // A joint that turns about a point at rest keeps it at rest.
            let swung = if turned > 0.0 { turned * arm } else { 0.0 };
            speeds[k] = [carried + swung + slides + still, turned + turns + still];
        }
        for (k, extent) in extents.iter().enumerate() {
            let Some((place, center)) = extent.center() else { continue };
            let pose = frames.pose(place);
            centers[k] = pose.point(&center);
            let speed = place.map_or(0.0, |body| {
                let [slides, turns] = speeds[body.index()];
                let lever = center.norm();
                slides + if turns > 0.0 && lever > 0.0 { turns * lever } else { 0.0 }
            });
            ways[k][1] = (1.0 + LONGER) * h * speed;
        }
    }

    /// Whether a spot stays further apart than this over the step that was followed last.
    fn is_far(&mut self, spot: usize, apart: f64) -> bool {
        let Some(pair) = &mut self.pairs[spot] else { return false };
        let [a, b] = pair.shapes;
        let ([gone_a, goes_a], [gone_b, goes_b]) = (self.ways[a], self.ways[b]);
        if pair.due > gone_a + gone_b + goes_a + goes_b + apart {
            return true;
        }
        let centers = [&self.centers[a], &self.centers[b]];
        let Some(gap) = least_gap(&self.extents[a], &self.extents[b], centers) else {
            return false;
        };
        pair.due = gap + gone_a + gone_b;
        gap > goes_a + goes_b + apart
    }
}

impl Motion<'_> {
    /// Which spots were out of reach when these observations were made.
    pub fn recall_far(&mut self, seen: &[Observation]) {
        for (k, see) in seen.iter().enumerate() {
            self.far[k] = see.gap == FAR;
            self.seen[k] = *see;
        }
    }
}

impl Locator<'_, '_> {
    /// Finds which spots may close within the last step; the others are not looked at until the next one.
    pub fn leave_out_far_spots(&mut self) -> Result<(), SimulateError> {
        if !self.broad_phase.is_used() {
            return Ok(());
        }
        let (t_old, t) = (self.path.method.t_old(), self.path.method.t());
        let mut bounds = std::mem::take(&mut self.broad_phase.bounds);
        bounds.resize(self.path.watch.dimension(), 0.0);
        let bounded = self.path.method.excursions(&mut self.path.system, &mut bounds);
        self.broad_phase.bounds = bounds;
        bounded?;
        let state = self.path.watch.place(t_old, &self.path.step.y);
        let (q, v) = (state.q.as_slice(), state.v.as_slice());
        self.broad_phase.follow(self.path.model, q, v, t - t_old);
        let closed = APART * self.path.watch.resolution.closed();
        // Until something has touched, gaps up to the least so far are recorded.
        let near = self.least_gap.map(|least| closed + least.max(0.0));
        let mut returned = false;
        for k in 0..self.path.watch.spots.len() {
            let open = self.path.watch.spots[k].1 == Status::Open;
            let far = open && near.is_some_and(|near| self.broad_phase.is_far(k, near));
            if far {
                if !self.path.watch.far[k] {
                    let out_of_reach = Observation { gap: FAR, ..Observation::default() };
                    self.path.watch.seen[k] = out_of_reach;
                    (self.path.step.before[k], self.path.step.after[k]) =
                        (out_of_reach, out_of_reach);
                }
            } else if self.path.watch.far[k] {
                returned = true;
            }
            if !far && self.path.watch.far[k] {
                self.path.step.before[k].gap = FAR;
            }
            self.path.watch.far[k] = far;
        }
        for way in &mut self.broad_phase.ways {
            way[0] += way[1];
        }
        if returned {
            self.path.observations += 1;
            let seen = self.path.watch.observe(t_old, &self.path.step.y);
            let seen = seen.at_time(t_old)?;
            for (before, seen) in self.path.step.before.iter_mut().zip(seen) {
                if before.gap == FAR && seen.gap != FAR {
                    *before = *seen;
                }
            }
        }
        Ok(())
    }
}
