//! Gap, points and normal of contacts in the plane, from the planar kernel's links.
//!
//! Points, discs, lines and markers have formulas of their own here; other pairs go through [`touch`] with poses made of the
//! planar links. Where a contact is not defined nothing is returned, and [`touch`] says why.

use super::{BodyMotion, places, touch, touch_rate};
use crate::dynamics::RowWrench;
use crate::dynamics::planar::{Kernel, LinkId};
use crate::maths::plane::{Vec2, quarter};
use crate::maths::{Twist, Vec3};
use crate::model::{Anchor, ContactGeometry, Model, Place, ShapeKind};

/// A contact point in world coordinates of the plane, as [`super::TouchPoint`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarTouch {
    /// Signed distance \[m\]: positive open, negative penetrating.
    pub gap: f64,
    /// The point of body a.
    pub on_a: Vec2,
    /// The point of body b.
    pub on_b: Vec2,
    /// Unit vector from body a to body b.
    pub normal: Vec2,
}

/// A point of a body, in its axes in the plane.
#[derive(Clone, Copy, Debug)]
struct Foot {
    link: LinkId,
    at: Vec2,
}

/// How a contact is evaluated.
#[derive(Clone, Copy, Debug)]
enum Pair {
    /// gap = n · (p_b − p_a)
    Markers { a: Foot, b: Foot, normal_in: LinkId, normal: Vec2 },
    /// gap = |c_b − c_a| − (r_a + r_b)
    Balls { a: Foot, b: Foot, radii: [f64; 2] },
    /// gap = N · (c − at) − r; the ball is body a unless they are exchanged.
    BallPlane { ball: Foot, radius: f64, plane: Foot, normal: Vec2, exchanged: bool },
    /// As [`touch`] has it.
    Other,
}

/// The contacts of a planar model.
#[derive(Clone, Debug)]
pub struct PlanarContacts<'m> {
    model: &'m Model,
    pairs: Vec<(Pair, [LinkId; 2])>,
}

impl<'m> PlanarContacts<'m> {
    /// The contacts of the kernel's model.
    pub fn new(model: &'m Model, kernel: &Kernel<'m>) -> Self {
        let pair = |contact: usize| {
            let (a, b) = places(model, contact);
            (Pair::new(model, kernel, contact).unwrap_or(Pair::Other), [a, b].map(LinkId::of))
        };
        Self { model, pairs: (0..model.contacts.len()).map(pair).collect() }
    }

    /// A point of a contact where the bodies stand; its last one if it has fewer. None where it is not defined.
    #[inline]
    pub fn touch(&self, kernel: &Kernel<'_>, contact: usize, point: usize) -> Option<PlanarTouch> {
        let place = |foot: &Foot| kernel.link(foot.link).point(&foot.at);
        match &self.pairs[contact].0 {
            Pair::Markers { a, b, normal_in, normal } => {
                let normal = kernel.link(*normal_in).turn.vector(normal);
                let (on_a, on_b) = (place(a), place(b));
                Some(PlanarTouch { gap: normal.dot(&(on_b - on_a)), on_a, on_b, normal })
            }
            Pair::Balls { a, b, radii: [r_a, r_b] } => {
                let (a, b) = (place(a), place(b));
                let d = b - a;
                let length = d.norm();
                let size = a.amax().max(b.amax()).max(r_a + r_b);
                if !(length > 8.0 * f64::EPSILON * size) {
                    return None;
                }
                let normal = d / length;
                let (on_a, on_b) = (a + normal * *r_a, b - normal * *r_b);
                Some(PlanarTouch { gap: length - (r_a + r_b), on_a, on_b, normal })
            }
            Pair::BallPlane { ball, radius, plane, normal, exchanged } => {
                let N = kernel.link(plane.link).turn.vector(normal);
                let c = place(ball);
                let d = N.dot(&(c - place(plane)));
                let (on_ball, on_plane) = (c - N * *radius, c - N * d);
                let (on_a, on_b, normal) =
                    if *exchanged { (on_plane, on_ball, N) } else { (on_ball, on_plane, -N) };
                Some(PlanarTouch { gap: d - radius, on_a, on_b, normal })
            }
            Pair::Other => {
                let touched = touch(self.model, contact, &|place| kernel.pose(place)).ok()?;
                let points = touched.points();
                let met = points[point.min(points.len() - 1)];
                let [on_a, on_b, normal] = [met.on_a, met.on_b, met.normal].map(|x| x.xy());
                Some(PlanarTouch { gap: met.gap, on_a, on_b, normal })
            }
        }
    }

    /// v_b − v_a of the two material points.
    #[inline]
    pub fn velocity(&self, kernel: &Kernel<'_>, contact: usize, met: &PlanarTouch) -> Vec2 {
        let [a, b] = self.pairs[contact].1;
        kernel.link(b).velocity_at(&met.on_b) - kernel.link(a).velocity_at(&met.on_a)
    }

    /// Adds a force on body b at its point, and its opposite on body a.
    #[inline]
    pub fn push(&self, kernel: &mut Kernel<'_>, contact: usize, met: &PlanarTouch, force: &Vec2) {
        let [a, b] = self.pairs[contact].1;
        kernel.push(a, &met.on_a, &-force);
        kernel.push(b, &met.on_b, force);
    }

    /// The row of a contact point along its normal.
    pub fn row(&self, kernel: &Kernel<'_>, contact: usize, met: &PlanarTouch) -> RowWrench {
        let (a, b) = places(self.model, contact);
        kernel.row((a, &met.on_a), (b, &met.on_b), &met.normal)
    }

    /// u̇ = A v̇ + Ȧ v of a contact point, after [`Kernel::solve`]. None where it is not defined.
    pub fn acceleration(
        &self,
        kernel: &Kernel<'_>,
        contact: usize,
        point: usize,
        met: &PlanarTouch,
    ) -> Option<f64> {
        let n = &met.normal;
        match &self.pairs[contact].0 {
            Pair::Markers { normal_in, .. } => {
                // n · (a_b − a_a) + ṅ · (v_b − v_a)
                let [a, b] = self.pairs[contact].1;
                let apart =
                    kernel.acceleration_at(b, &met.on_b) - kernel.acceleration_at(a, &met.on_a);
                let turning = quarter(n) * kernel.link(*normal_in).omega;
                Some(n.dot(&apart) + turning.dot(&self.velocity(kernel, contact, met)))
            }
            Pair::Balls { a, b, .. } => {
                // n · (c̈_b − c̈_a) + |ċ across n|²/d
                let state = |foot: &Foot| {
                    let link = kernel.link(foot.link);
                    let c = link.point(&foot.at);
                    (c, link.velocity_at(&c), kernel.acceleration_at(foot.link, &c))
                };
                let (a, b) = (state(a), state(b));
                let across = quarter(n).dot(&(b.1 - a.1));
                Some(n.dot(&(b.2 - a.2)) + across * across / (b.0 - a.0).norm())
            }
            Pair::BallPlane { ball, plane, normal, .. } => {
                // N · (c̈ − ä) + 2 Ṅ · (ċ − ȧ) + N̈ · (c − a)
                let link = kernel.link(plane.link);
                let N = link.turn.vector(normal);
                let c = kernel.link(ball.link).point(&ball.at);
                let at = link.point(&plane.at);
                let apart =
                    kernel.acceleration_at(ball.link, &c) - kernel.acceleration_at(plane.link, &at);
                let moving = kernel.link(ball.link).velocity_at(&c) - link.velocity_at(&at);
                let turned = quarter(&N);
                let bend = turned * kernel.angular_acceleration(plane.link)
                    - N * (link.omega * link.omega);
                let turning = turned * (2.0 * link.omega);
                Some(N.dot(&apart) + turning.dot(&moving) + bend.dot(&(c - at)))
            }
            Pair::Other => self.general_acceleration(kernel, contact, point, met),
        }
    }

    /// ṅ · (v_b − v_a) + n · (the rates of both velocities at points that wander).
    fn general_acceleration(
        &self,
        kernel: &Kernel<'_>,
        contact: usize,
        point: usize,
        met: &PlanarTouch,
    ) -> Option<f64> {
        let lift = |x: &Vec2| Vec3::new(x.x, x.y, 0.0);
        let motion = |place: Place| {
            let link = kernel.link(LinkId::of(place));
            let twist = Twist { ang: Vec3::z() * link.omega, lin: lift(&link.velocity) };
            BodyMotion { twist, origin: lift(&link.origin) }
        };
        let pose = |place| kernel.pose(place);
        let rate = touch_rate(self.model, contact, point, &pose, &motion).ok()?;
        // d/dt v(x) = a(x) + ω × (ẋ − v(x))
        let side = |id: LinkId, x: &Vec2, x_dot: &Vec3| {
            let link = kernel.link(id);
            let slip = x_dot.xy() - link.velocity_at(x);
            kernel.acceleration_at(id, x) + quarter(&slip) * link.omega
        };
        let [a, b] = self.pairs[contact].1;
        let apart = side(b, &met.on_b, &rate.on_b) - side(a, &met.on_a, &rate.on_a);
        let turning = rate.normal.xy().dot(&self.velocity(kernel, contact, met));
        Some(turning + met.normal.dot(&apart))
    }
}

impl Pair {
    /// The pair of a contact; none if it has no formula here.
    fn new(model: &Model, kernel: &Kernel<'_>, contact: usize) -> Option<Self> {
        let foot = |body: Place, at: &Vec3| {
            Some(Foot { link: LinkId::of(body), at: kernel.in_plane(body, at)? })
        };
        let (a, b) = match &model.contacts[contact].geometry {
            ContactGeometry::Points { a, b, normal_in, normal } => {
                let foot = |anchor: &Anchor| foot(anchor.body, &anchor.at);
                let normal = kernel.in_plane(*normal_in, normal)?;
                let normal_in = LinkId::of(*normal_in);
                return Some(Self::Markers { a: foot(a)?, b: foot(b)?, normal_in, normal });
            }
            ContactGeometry::Rope { .. } | ContactGeometry::Stop(_) => return None,
            ContactGeometry::Shapes { a, b } => (&model.shapes[*a], &model.shapes[*b]),
        };
        let ball = |kind: &ShapeKind| match *kind {
            ShapeKind::Point { at } => Some((at, 0.0)),
            ShapeKind::Sphere { center, radius } => Some((center, radius)),
            _ => None,
        };
        if let (Some((first, r_a)), Some((second, r_b))) = (ball(&a.kind), ball(&b.kind)) {
            // Two points never touch.
            let (a, b) = (foot(a.body, &first)?, foot(b.body, &second)?);
            return (r_a + r_b > 0.0).then_some(Self::Balls { a, b, radii: [r_a, r_b] });
        }
        let (round, straight, exchanged) = match (&a.kind, &b.kind) {
            (_, ShapeKind::Plane { .. }) => (a, b, false),
            (ShapeKind::Plane { .. }, _) => (b, a, true),
            _ => return None,
        };
        let (Some((center, radius)), ShapeKind::Plane { at, normal }) =
            (ball(&round.kind), &straight.kind)
        else {
            return None;
        };
        let (ball, plane) = (foot(round.body, &center)?, foot(straight.body, at)?);
        let normal = kernel.in_plane(straight.body, normal)?;
        Some(Self::BallPlane { ball, radius, plane, normal, exchanged })
    }
}
