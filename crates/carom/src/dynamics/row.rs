//! Constraint rows as pairs of wrenches: φ̇ = w_a · V_a + w_b · V_b.

use crate::kinematics::Frames;
use crate::maths::{Mat3, Twist, Vec3, Wrench};
use crate::model::{Anchor, BodyId, Model, Place, Row};

/// A row's action on the two bodies it joins, each about its link origin in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowWrench {
    /// First body.
    pub a: Place,
    /// What a unit multiplier does to it.
    pub on_a: Wrench,
    /// Second body.
    pub b: Place,
    /// What a unit multiplier does to it.
    pub on_b: Wrench,
}

impl RowWrench {
    /// The row of a relative velocity n · (v_b − v_a) of two points, n from a to b.
    pub fn of_normal(frames: &Frames, a: (Place, Vec3), b: (Place, Vec3), normal: &Vec3) -> Self {
        Self::of_points(&|place| frames.pose(place).position, a, b, normal)
    }

    /// The same from the origins of the link frames alone.
    pub fn of_points(
        origin: &dyn Fn(Place) -> Vec3,
        a: (Place, Vec3),
        b: (Place, Vec3),
        normal: &Vec3,
    ) -> Self {
        let arm = |side: &(Place, Vec3)| side.1 - origin(side.0);
        Self {
            a: a.0,
            on_a: Wrench::of_force(-normal, &arm(&a)),
            b: b.0,
            on_b: Wrench::of_force(*normal, &arm(&b)),
        }
    }

    /// A couple on b and its opposite on a.
    pub fn of_couple(a: Place, b: Place, moment: Vec3) -> Self {
        let couple = |moment: Vec3| Wrench { moment, force: Vec3::zeros() };
        Self { a, on_a: couple(-moment), b, on_b: couple(moment) }
    }

    /// The row's rate on motions about the link origins.
    pub fn rate(&self, twist_a: &Twist, twist_b: &Twist) -> f64 {
        let mut rate = 0.0;
        if self.a.is_some() {
            rate += self.on_a.power(twist_a);
        }
        if self.b.is_some() {
            rate += self.on_b.power(twist_b);
        }
        rate
    }

    /// Adds what a multiplier does to the wrenches on all bodies.
    pub(crate) fn add_to(&self, wrenches: &mut [Wrench], multiplier: f64) {
        for (place, side) in [(self.a, &self.on_a), (self.b, &self.on_b)] {
            let Some(body) = place else { continue };
            wrenches[body.index()].moment += side.moment * multiplier;
            wrenches[body.index()].force += side.force * multiplier;
        }
    }

    /// Only the first body's side.
    pub fn side_a(&self) -> Self {
        Self { b: None, on_b: Wrench::zero(), ..*self }
    }

    /// Only the second body's side.
    pub fn side_b(&self) -> Self {
        Self { a: None, on_a: Wrench::zero(), ..*self }
    }

    /// The mobility the row would have if its bodies were free of all joints: Σ wᵀ I⁻¹ w.
    ///
    /// It is the natural size of a mobility, against which zero is told from round-off. A body
    /// without rotational inertia (a point mass) counts by its mass alone. A body whose whole motion is prescribed by drives gives way
    /// to nothing, whatever its mass: it counts only where no other body takes part.
    pub fn free_mobility(&self, model: &Model, frames: &Frames) -> f64 {
        self.free_mobility_turned(model, &|body| frames.link(body).rotation())
    }

    /// The same from the axes of the bodies alone.
    pub fn free_mobility_turned(&self, model: &Model, axes: &dyn Fn(BodyId) -> Mat3) -> f64 {
        let gives_way = |place: Place| place.is_some_and(|b| !model.bodies[b.index()].prescribed);
        let all = !gives_way(self.a) && !gives_way(self.b);
        let side = |place: Place, w: &Wrench| {
            let Some(body) = place.filter(|_| all || gives_way(place)) else { return 0.0 };
            let inertia = &model.bodies[body.index()].scale;
            let R = axes(body);
            let about_center = w.moment - (R * inertia.center).cross(&w.force);
            let turn = R.tr_mul(&about_center);
            let translation = w.force.norm_squared() / inertia.mass;
            let rotation = model.bodies[body.index()]
                .rotational_mobility
                .map_or(0.0, |m| turn.dot(&(m * turn)));
            translation + rotation
        };
        side(self.a, &self.on_a) + side(self.b, &self.on_b)
    }
}

/// φ of a row.
pub fn residual(row: &Row, frames: &Frames, q: &[f64]) -> f64 {
    match row {
        Row::InPlane { a, direction, b } => {
            let e = frames.pose(a.body).vector(direction);
            e.dot(&(frames.point(b) - frames.point(a)))
        }
        Row::Perpendicular { a, direction_a, b, direction_b } => {
            frames.pose(*a).vector(direction_a).dot(&frames.pose(*b).vector(direction_b))
        }
        Row::Distance { a, b, length } => {
            let d = frames.point(b) - frames.point(a);
            (d.norm_squared() - length * length) / (2.0 * length)
        }
        Row::Coupling { terms, offset } => {
            terms.iter().map(|t| t.coefficient * q[t.q]).sum::<f64>() - offset
        }
    }
}

/// The wrenches of a row; `None` for a coupling, which acts on joint coordinates.
pub fn wrench(row: &Row, frames: &Frames) -> Option<RowWrench> {
    let origin = |place: Place| frames.pose(place).position;
    match row {
        Row::InPlane { a, direction, b } => {
            let e = frames.pose(a.body).vector(direction);
            let p = frames.point(b);
            Some(RowWrench {
                a: a.body,
                on_a: Wrench::of_force(-e, &(p - origin(a.body))),
                b: b.body,
                on_b: Wrench::of_force(e, &(p - origin(b.body))),
            })
        }
        Row::Perpendicular { a, direction_a, b, direction_b } => {
            let e_a = frames.pose(*a).vector(direction_a);
            let e_b = frames.pose(*b).vector(direction_b);
            Some(RowWrench::of_couple(*a, *b, e_b.cross(&e_a)))
        }
        Row::Distance { a, b, length } => {
            let (p_a, p_b) = (frames.point(a), frames.point(b));
            let n = (p_b - p_a) / *length;
            Some(RowWrench {
                a: a.body,
                on_a: Wrench::of_force(-n, &(p_a - origin(a.body))),
                b: b.body,
                on_b: Wrench::of_force(n, &(p_b - origin(b.body))),
            })
        }
        Row::Coupling { .. } => None,
    }
}

/// How the wrenches of a row change when the bodies move by `motion`, about their moving origins.
///
/// With `motion` the bodies' own velocities this gives the Ḋ of Ḋ v.
pub fn variation(row: &Row, frames: &Frames, motion: &dyn Fn(Place) -> Twist) -> Option<RowWrench> {
    let anchor_motion = |anchor: &Anchor| {
        let arm = frames.pose(anchor.body).vector(&anchor.at);
        motion(anchor.body).at(&arm)
    };
    match row {
        Row::InPlane { a, direction, b } => {
            let e = frames.pose(a.body).vector(direction);
            let e_dot = motion(a.body).ang.cross(&e);
            let p = frames.point(b);
            let p_dot = anchor_motion(b);
            Some(RowWrench {
                a: a.body,
                on_a: force_variation(frames, motion, a.body, (&p, &p_dot), (&-e, &-e_dot)),
                b: b.body,
                on_b: force_variation(frames, motion, b.body, (&p, &p_dot), (&e, &e_dot)),
            })
        }
        Row::Perpendicular { a, direction_a, b, direction_b } => {
            let e_a = frames.pose(*a).vector(direction_a);
            let e_b = frames.pose(*b).vector(direction_b);
            let e_a_dot = motion(*a).ang.cross(&e_a);
            let e_b_dot = motion(*b).ang.cross(&e_b);
            let moment = e_b_dot.cross(&e_a) + e_b.cross(&e_a_dot);
            Some(RowWrench::of_couple(*a, *b, moment))
        }
        Row::Distance { a, b, length } => {
            let (p_a, p_b) = (frames.point(a), frames.point(b));
            let (p_a_dot, p_b_dot) = (anchor_motion(a), anchor_motion(b));
            let n = (p_b - p_a) / *length;
            let n_dot = (p_b_dot - p_a_dot) / *length;
            Some(RowWrench {
                a: a.body,
                on_a: force_variation(frames, motion, a.body, (&p_a, &p_a_dot), (&-n, &-n_dot)),
                b: b.body,
                on_b: force_variation(frames, motion, b.body, (&p_b, &p_b_dot), (&n, &n_dot)),
            })
        }
        Row::Coupling { .. } => None,
    }
}

/// The change of the wrench of a force f at a point p, about a body's moving origin:
/// force ḟ, moment (ṗ − Ȯ) × f + (p − O) × ḟ.
pub fn force_variation(
    frames: &Frames,
    motion: &dyn Fn(Place) -> Twist,
    place: Place,
    point: (&Vec3, &Vec3),
    force: (&Vec3, &Vec3),
) -> Wrench {
    let origin = frames.pose(place).position;
    let origin_dot = motion(place).lin;
    Wrench {
        moment: (point.1 - origin_dot).cross(force.0) + (point.0 - origin).cross(force.1),
        force: *force.1,
    }
}
