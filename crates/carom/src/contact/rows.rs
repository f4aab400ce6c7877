//! The rows of a contact at a posture: normals, tangents, and how the normal's row changes.

use super::stop;
use super::{BodyMotion, ContactError, Touch, TouchPoint, known, touch, touch_rate};
use crate::dynamics::{Posture, RowWrench, force_variation};
use crate::maths::spatial::tangents;
use crate::maths::{Twist, Vec3};
use crate::model::{ContactGeometry, Model, Place};

/// The two bodies of a contact, i and j.
///
/// # Panics
///
/// If the model has no such contact.
pub fn places(model: &Model, contact: usize) -> (Place, Place) {
    match model.contacts[contact].geometry {
        ContactGeometry::Shapes { a, b } => (model.shapes[a].body, model.shapes[b].body),
        ContactGeometry::Points { a, b, .. } | ContactGeometry::Rope { a, b, .. } => {
            (a.body, b.body)
        }
        ContactGeometry::Stop(stop) => (stop.parent, Some(stop.body)),
    }
}

impl Posture<'_> {
    /// Gap, points and normals of a contact.
    pub fn touch(&self, contact: usize) -> Result<Touch, ContactError> {
        known(self.model(), contact)?;
        if let ContactGeometry::Stop(stop) = &self.model().contacts[contact].geometry {
            return Ok(stop::touch(self, stop));
        }
        touch(self.model(), contact, &|place| self.pose(place))
    }

    /// The row of a contact point along `direction` (the normal, or a tangent): A v is the relative
    /// velocity of j against i along it.
    ///
    /// # Panics
    ///
    /// If the model has no such contact; [`Posture::touch`], which gives the point, refuses it before.
    pub fn contact_row(&self, contact: usize, point: &TouchPoint, direction: &Vec3) -> RowWrench {
        if let ContactGeometry::Stop(stop) = &self.model().contacts[contact].geometry {
            return stop::row(self, stop, direction);
        }
        let (a, b) = places(self.model(), contact);
        RowWrench::of_normal(self.frames(), (a, point.on_a), (b, point.on_b), direction)
    }

    /// How the normal's row changes when the bodies move by `motion` (about their link origins).
    pub fn contact_variation(
        &self,
        contact: usize,
        point: usize,
        motion: &dyn Fn(Place) -> Twist,
    ) -> Result<RowWrench, ContactError> {
        self.variation_along(contact, point, None, motion)
    }

    /// How the row along a tangent changes, which turns with the normal and not about it.
    pub fn tangent_variation(
        &self,
        contact: usize,
        point: usize,
        tangent: &Vec3,
        motion: &dyn Fn(Place) -> Twist,
    ) -> Result<RowWrench, ContactError> {
        self.variation_along(contact, point, Some(tangent), motion)
    }

    fn variation_along(
        &self,
        contact: usize,
        point: usize,
        tangent: Option<&Vec3>,
        motion: &dyn Fn(Place) -> Twist,
    ) -> Result<RowWrench, ContactError> {
        let touched = self.touch(contact)?;
        // A place that is not in use shows the last point.
        let point =
            if point < touched.slots() { point.min(touched.points().len() - 1) } else { point };
        let Some(p) = touched.points().get(point) else {
            return Err(ContactError::NoSuchPoint {
                contact: self.model().contacts[contact].name.clone(),
                point,
                count: touched.points().len(),
            });
        };
        if let ContactGeometry::Stop(stop) = &self.model().contacts[contact].geometry {
            return Ok(stop::variation(self, stop, &p.normal, motion));
        }
        let field =
            |place: Place| BodyMotion { twist: motion(place), origin: self.pose(place).position };
        let rate = touch_rate(self.model(), contact, point, &|place| self.pose(place), &field)?;
        let (a, b) = places(self.model(), contact);
        let (n, n_dot) = match tangent {
            None => (&p.normal, &rate.normal),
            Some(t) => (t, &(-p.normal * rate.normal.dot(t))),
        };
        let frames = self.frames();
        Ok(RowWrench {
            a,
            on_a: force_variation(frames, motion, a, (&p.on_a, &rate.on_a), (&-n, &-n_dot)),
            b,
            on_b: force_variation(frames, motion, b, (&p.on_b, &rate.on_b), (n, n_dot)),
        })
    }

    /// The tangents at a contact point: one in a planar model, two in space.
    pub fn contact_tangents(&self, point: &TouchPoint) -> Vec<Vec3> {
        if self.model().is_planar() {
            return vec![Vec3::z().cross(&point.normal)];
        }
        let (first, second) = tangents(&point.normal);
        vec![first, second]
    }
}
