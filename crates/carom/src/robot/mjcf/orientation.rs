//! Poses: `pos` and one of `quat`, `axisangle`, `euler`, `xyaxes`, `zaxis`.

use super::Reader;
use super::attributes::{Item, Read};
use super::known;
use crate::maths::spatial::{rotation_by, rotation_from_z};
use crate::maths::{Mat3, Pose, Vec3};
use crate::model::joint::quaternion_rotation;

impl<'a> Reader<'a> {
    /// The pose at an element's attributes.
    pub(super) fn pose(&mut self, item: &Item<'a>) -> Read<Pose> {
        let position = Vec3::from(self.vector(item, "pos")?.unwrap_or_default());
        Ok(Pose { rotation: self.orientation(item)?, position })
    }

    /// The orientation of the innermost layer that states one: it replaces one of a class in whatever form that has.
    pub(super) fn orientation(&mut self, item: &Item<'a>) -> Read<Mat3> {
        let keys = known::orientations();
        let stated = item.layers.iter().rev().find_map(|layer| {
            let own: Vec<_> = keys.into_iter().filter(|k| layer.attribute(k).is_some()).collect();
            (!own.is_empty()).then_some((*layer, own))
        });
        let Some((layer, own)) = stated else { return Ok(Mat3::identity()) };
        let [key] = own[..] else {
            let message =
                format!("<{}> states its orientation twice: {}", item.tag, own.join(", "));
            return self.refuse(&layer.span(), message);
        };
        let item = &Item::alone(layer);
        let span = layer.attribute(key).map_or(item.span.clone(), |found| found.1);
        match key {
            "quat" => {
                let q = self.vector::<4>(item, key)?.unwrap_or([1.0, 0.0, 0.0, 0.0]);
                let largest = q.iter().fold(0.0, |a: f64, x| a.max(x.abs()));
                if !(largest > 0.0) {
                    return self.refuse(&span, "`quat`: a quaternion of zeros is no orientation");
                }
                // Scaled first: the squares of very small entries would underflow.
                Ok(quaternion_rotation(&q.map(|x| x / largest)))
            }
            "axisangle" => {
                let [x, y, z, angle] = self.vector::<4>(item, key)?.unwrap_or_default();
                let axis = self.direction([x, y, z], &span, key)?;
                Ok(rotation_by(&(axis * (angle * self.settings.angle))))
            }
            "euler" => {
                let angles = self.vector::<3>(item, key)?.unwrap_or_default();
                let mut R = Mat3::identity();
                for (angle, (axis, fixed)) in angles.into_iter().zip(self.settings.euler) {
                    let mut turn = Vec3::zeros();
                    turn[axis] = angle * self.settings.angle;
                    let turn = rotation_by(&turn);
                    R = if fixed { turn * R } else { R * turn };
                }
                Ok(R)
            }
            "xyaxes" => {
                let [a, b, c, d, e, f] = self.vector::<6>(item, key)?.unwrap_or_default();
                let x = self.direction([a, b, c], &span, key)?;
                let y = self.direction([d, e, f], &span, key)?;
                let across = y - x * x.dot(&y);
                if !(across.norm() > PARALLEL) {
                    return self.refuse(&span, "`xyaxes`: the two axes are parallel");
                }
                let y = across.normalize();
                Ok(Mat3::from_columns(&[x, y, x.cross(&y)]))
            }
            _ => {
                let axis = self.vector::<3>(item, key)?.unwrap_or_default();
                Ok(rotation_from_z(&self.direction(axis, &span, key)?))
            }
        }
    }

    /// The unit vector along some numbers.
    pub(super) fn direction(
        &mut self,
        numbers: [f64; 3],
        span: &std::ops::Range<usize>,
        key: &str,
    ) -> Read<Vec3> {
        let vector = Vec3::from(numbers);
        let largest = vector.amax();
        if !(largest > 0.0) {
            return self
                .refuse(span, format!("`{key}`: a vector of length zero gives no direction"));
        }
        Ok((vector / largest).normalize())
    }
}

/// Sine of the angle between two axes below which they have no plane: the plane of two unit vectors with round-off of 1e-16 would be known to
/// less than six digits.
const PARALLEL: f64 = 1e-10;
