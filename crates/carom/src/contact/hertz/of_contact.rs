//! The stiffness of a contact of a model: as written, or from its materials and the shapes where they
//! touch.

use super::surface::{Feature, Surface, features};
use super::{
    Elasticity, HertzError, LARGEST, LineContact, LineSide, PointContact, positive,
    sphere_on_sphere,
};
use crate::contact::placed::{Frame, Placed};
use crate::contact::{BodyMotion, catalogue, known, touch};
use crate::dynamics::Posture;
use crate::maths::Pose;
use crate::model::{ContactGeometry, ContactMaterials, Model, ParallelCylinders, Place, ShapeKind};

/// Sine of the angle between two axes below which they are parallel, as for the gap of two capsules.
const PARALLEL: f64 = 1e-12;

/// F = K δⁿ of a contact, and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stiffness {
    /// K \[N/mⁿ\].
    pub stiffness: f64,
    /// n.
    pub exponent: f64,
    /// The theory.
    pub origin: StiffnessOrigin,
}

/// The area of contact under a force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactArea {
    /// Semi-axes of the ellipse, the longer first; of a line half its length and half its width \[m\].
    pub half_axes: [f64; 2],
    /// p₀ \[Pa\].
    pub peak_pressure: f64,
    /// How large it is beside the radii: the larger of 2 A a and 2 B b (a/R of balls), a/R of a line.
    /// The theory asks for a small number.
    pub relative_size: f64,
}

impl Stiffness {
    /// The area of contact under a force \[N\]; none if the stiffness was written as a number, or the
    /// force is none that the theory knows.
    pub fn area(&self, force: f64) -> Option<ContactArea> {
        let (half_axes, peak_pressure, relative_size) = match self.origin {
            StiffnessOrigin::Written => return None,
            StiffnessOrigin::Point(found) => {
                let [a, b] = found.semi_axes(force).ok()?;
                let [A, B] = found.relative_curvatures();
                ([a, b], found.peak_pressure(force).ok()?, (2.0 * A * a).max(2.0 * B * b))
            }
            StiffnessOrigin::Line { contact, cylinders } => {
                let load = force / cylinders.length;
                contact.approach(load).ok()?;
                let half_width = contact.half_width(load).ok()?;
                let relative_size = half_width / contact.effective_radius();
                let half_axes = [0.5 * cylinders.length, half_width];
                (half_axes, contact.peak_pressure(load).ok()?, relative_size)
            }
        };
        Some(ContactArea { half_axes, peak_pressure, relative_size })
    }
}

/// The theory a stiffness comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StiffnessOrigin {
    /// A number of the file.
    Written,
    /// Two surfaces that touch in a point.
    Point(PointContact),
    /// Parallel cylinders.
    Line {
        /// The contact per length.
        contact: LineContact,
        /// Its length and the force at which the power law is matched.
        cylinders: ParallelCylinders,
    },
}

/// The stiffness of a contact, a position in [`Model::contacts`], in a pose; none if the model states
/// neither stiffness nor materials.
///
/// `pose` gives the link frame of a body in the world, as in [`touch`]. The curvatures are those of the
/// features that touch there (or would touch first):
///
/// * sphere 1/R, hollow −1/R, plane, planar segment, face of a box and flat end of a cylinder 0;
/// * side of a capsule or cylinder 1/R across its axis and 0 along it, end of a capsule 1/R.
///
/// Sphere with any of these, and two capsules unless they lie side by side in parallel, have a
/// stiffness. In a planar model a sphere is a ball and a capsule a round rod in the plane, unless the
/// contact has a `length`: then spheres, hollows, planes, segments and boxes are cylinders and prisms
/// of that length. Everything else (points, edges, corners, rims, shapes on a plane with several
/// points, markers) is refused by name.
pub fn of_contact(
    model: &Model,
    contact: usize,
    pose: &dyn Fn(Place) -> Pose,
) -> Result<Option<Stiffness>, HertzError> {
    known(model, contact)?;
    let this = &model.contacts[contact];
    let Some(materials) = &this.defaults.materials else { return written(model, contact) };
    if this.defaults.stiffness.is_some() || this.defaults.exponent.is_some() {
        let why = "`materials` and `stiffness` exclude each other";
        return Err(HertzError::Keys { contact: this.name.clone(), why });
    }
    let at = |reason: HertzError| match reason {
        HertzError::Geometry(_) | HertzError::Unsupported { .. } | HertzError::Keys { .. } => {
            reason
        }
        other => HertzError::At { contact: this.name.clone(), reason: Box::new(other) },
    };
    let found = match (this.geometry, materials.cylinders) {
        (
            ContactGeometry::Points { .. }
            | ContactGeometry::Rope { .. }
            | ContactGeometry::Stop(_),
            _,
        ) => {
            return Err(HertzError::Unsupported {
                contact: this.name.clone(),
                a: "a marker",
                b: "a marker",
                why: "",
            });
        }
        (ContactGeometry::Shapes { a, b }, Some(cylinders)) => {
            let pair = elasticities(materials).map_err(at)?;
            let sides = line_sides(model, contact, [a, b], cylinders.depth)?;
            // The gap function tells a face from a corner.
            meeting_surfaces(model, contact, [a, b], pose)?;
            line(pair, sides, cylinders)
        }
        (ContactGeometry::Shapes { a, b }, None) => {
            let pair = elasticities(materials).map_err(at)?;
            let surfaces = meeting_surfaces(model, contact, [a, b], pose)?;
            point(pair, surfaces)
        }
    };
    found.map(Some).map_err(at)
}

impl Posture<'_> {
    /// The stiffness of a contact here, see [`of_contact`].
    pub fn contact_stiffness(&self, contact: usize) -> Result<Option<Stiffness>, HertzError> {
        of_contact(self.model(), contact, &|place| self.pose(place))
    }
}

/// K and n as the model states them; n is the law's own if it does not say, and 3/2 without a law.
fn written(model: &Model, contact: usize) -> Result<Option<Stiffness>, HertzError> {
    let this = &model.contacts[contact];
    let Some(K) = this.defaults.stiffness else { return Ok(None) };
    let own = this.defaults.law.as_ref().and_then(|law| catalogue::find(law).ok()?.exponent);
    let n = this.defaults.exponent.or(own.map(|x| x.1)).unwrap_or(1.5);
    let at = |reason| HertzError::At { contact: this.name.clone(), reason: Box::new(reason) };
    positive("stiffness", K, "a positive stiffness [N/m^n]").map_err(at)?;
    if !(n > 0.0 && n <= LARGEST) {
        let expected = "a positive exponent";
        return Err(at(HertzError::OutOfRange { at: "exponent", found: n, expected }));
    }
    Ok(Some(Stiffness { stiffness: K, exponent: n, origin: StiffnessOrigin::Written }))
}

fn elasticities(materials: &ContactMaterials) -> Result<[Elasticity; 2], HertzError> {
    let [a, b] = &materials.pair;
    Ok([a.try_into()?, b.try_into()?])
}

/// The surfaces that touch; one at least is a sphere, or both are capsules.
fn meeting_surfaces(
    model: &Model,
    contact: usize,
    [a, b]: [usize; 2],
    pose: &dyn Fn(Place) -> Pose,
) -> Result<[Surface; 2], HertzError> {
    let touched = touch(model, contact, pose)?;
    let placed = |shape: usize| {
        let shape = &model.shapes[shape];
        let frame = Frame { pose: pose(shape.body), motion: BodyMotion::rest() };
        Placed::new(&shape.kind, &frame, model.is_planar())
    };
    let refused = |a: &'static str, b: &'static str, why: &'static str| HertzError::Unsupported {
        contact: model.contacts[contact].name.clone(),
        a,
        b,
        why,
    };
    let (Ok(first), Ok(second)) = (placed(a), placed(b)) else {
        // `touch` has refused these already.
        return Err(refused("this shape", "that shape", ""));
    };
    let [one, other] = features(&first, &second, &touched.points()[0]);
    let round = |shape: &Placed| matches!(shape, Placed::Ball(_));
    let rod = |shape: &Placed| matches!(shape, Placed::Rod(_));
    let pair_of_rods = rod(&first) && rod(&second);
    if touched.points().len() > 1 {
        return Err(refused(one.what(), other.what(), ", which touch in several points"));
    }
    match (one, other) {
        (Feature::Surface(one), Feature::Surface(other))
            if round(&first) || round(&second) || pair_of_rods =>
        {
            let parallel =
                one.axis.zip(other.axis).is_some_and(|(e, f)| e.cross(&f).norm() <= PARALLEL);
            if parallel {
                return Err(refused(one.what, other.what, ", which lie in parallel"));
            }
            Ok([one, other])
        }
        (one, other) => Err(refused(one.what(), other.what(), "")),
    }
}

/// Two surfaces that touch in a point.
fn point(pair: [Elasticity; 2], surfaces: [Surface; 2]) -> Result<Stiffness, HertzError> {
    let [a, b] = surfaces;
    let angle = match (a.axis, b.axis) {
        (Some(e), Some(f)) => e.cross(&f).norm().atan2(e.dot(&f)),
        // A ball and a plane have no direction to turn from.
        _ => 0.0,
    };
    if a.axis.is_none() && b.axis.is_none() {
        // Names a hollow that is too narrow for its ball.
        sphere_on_sphere(pair, surfaces.map(|s| 1.0 / s.curvatures.first))?;
    }
    let found = PointContact::new(pair, [a.curvatures, b.curvatures], angle)?;
    Ok(Stiffness {
        stiffness: found.stiffness(),
        exponent: 1.5,
        origin: StiffnessOrigin::Point(found),
    })
}

/// Parallel cylinders.
fn line(
    pair: [Elasticity; 2],
    sides: [LineSide; 2],
    cylinders: ParallelCylinders,
) -> Result<Stiffness, HertzError> {
    let contact = LineContact::new(pair, sides)?;
    let ParallelCylinders { length, reference_force, .. } = cylinders;
    let law = contact.power_law_of_length(reference_force, length)?;
    Ok(Stiffness {
        stiffness: law.stiffness,
        exponent: law.exponent,
        origin: StiffnessOrigin::Line { contact, cylinders },
    })
}

/// The shapes of a planar model as cylinders and prisms.
fn line_sides(
    model: &Model,
    contact: usize,
    shapes: [usize; 2],
    depth: Option<f64>,
) -> Result<[LineSide; 2], HertzError> {
    let name = || model.contacts[contact].name.clone();
    let wrong = |why| HertzError::Keys { contact: name(), why };
    if !model.is_planar() {
        return Err(wrong(
            "`length` makes cylinders of the discs of a planar model; this is spatial",
        ));
    }
    let kinds = shapes.map(|k| &model.shapes[k].kind);
    let two_discs = kinds.iter().all(|kind| matches!(kind, ShapeKind::Sphere { .. }));
    match (two_discs, depth) {
        (true, Some(_)) => {
            return Err(wrong(
                "`depth` goes with a flat or hollow partner; two cylinders need none",
            ));
        }
        (false, None) => {
            return Err(wrong(
                "a cylinder on a flat or hollow partner needs the `depth` to which it gives way",
            ));
        }
        _ => {}
    }
    let depth = depth.unwrap_or(f64::NAN);
    let side = |kind: &ShapeKind| match *kind {
        ShapeKind::Sphere { radius, .. } => Some(LineSide::Cylinder { radius }),
        ShapeKind::Hollow { radius, .. } => Some(LineSide::Bore { radius, depth }),
        ShapeKind::Plane { .. } | ShapeKind::Segment { .. } | ShapeKind::Box { .. } => {
            Some(LineSide::Flat { depth })
        }
        _ => None,
    };
    match (side(kinds[0]), side(kinds[1])) {
        (Some(a), Some(b)) => Ok([a, b]),
        _ => Err(HertzError::Unsupported {
            contact: name(),
            a: kinds[0].name(),
            b: kinds[1].name(),
            why: " along a line",
        }),
    }
}
