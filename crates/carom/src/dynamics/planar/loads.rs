//! Springs, dampers, forces, torques and efforts in the plane, with their powers.

use super::{Kernel, LinkId};
use crate::kinematics::State;
use crate::maths::expression::Tape;
use crate::maths::plane::{Turn, Vec2};
use crate::model::{Anchor, Load, Place};

/// A point of a body, or of the ground, among the links.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foot {
    link: usize,
    at: Vec2,
}

/// A load with its points in the plane.
#[derive(Clone, Debug)]
pub(super) enum PlanarLoad<'m> {
    Spring {
        ends: [Foot; 2],
        stiffness: f64,
        damping: f64,
        rest: f64,
    },
    Joint {
        at: usize,
        stiffness: f64,
        damping: f64,
        rest: f64,
    },
    /// In the world's axes, or in those of a link turned further.
    Force {
        at: Foot,
        components: &'m [Tape; 3],
        frame: Option<(usize, Turn)>,
    },
    Torque {
        link: usize,
        components: &'m [Tape; 3],
    },
    Effort {
        at: usize,
        effort: &'m Tape,
    },
}

impl<'m> PlanarLoad<'m> {
    /// None if it leaves the plane.
    pub fn new(load: &'m Load, kernel: &Kernel<'m>) -> Option<Self> {
        let foot = |anchor: &Anchor| {
            Some(Foot {
                link: LinkId::of(anchor.body).0,
                at: kernel.in_plane(anchor.body, &anchor.at)?,
            })
        };
        Some(match load {
            Load::Spring { a, b, stiffness, damping, rest, .. } => Self::Spring {
                ends: [foot(a)?, foot(b)?],
                stiffness: *stiffness,
                damping: *damping,
                rest: *rest,
            },
            Load::JointSpring { v, stiffness, damping, rest, .. } => {
                Self::Joint { at: *v, stiffness: *stiffness, damping: *damping, rest: *rest }
            }
            Load::Force { at, components, frame, .. } => {
                let frame = frame.map_or(Some(None), |_| kernel.frame(*frame).map(Some))?;
                Self::Force { at: foot(at)?, components, frame }
            }
            Load::Torque { body, components, frame, .. } => {
                kernel.frame(*frame)?;
                Self::Torque { link: LinkId::of(Some(*body)).0, components }
            }
            Load::Effort { v, effort, .. } => Self::Effort { at: *v, effort },
        })
    }
}

impl Kernel<'_> {
    /// How a body's own frame stands to its axes in the plane; none if it is not upright.
    fn frame(&self, place: Place) -> Option<(usize, Turn)> {
        let Some(body) = place else { return Some((0, Turn::identity())) };
        let rotation = &self.model.bodies[body.index()].frame.rotation;
        let x = self.in_plane(place, &rotation.column(0).into_owned())?;
        let y = self.in_plane(place, &rotation.column(1).into_owned())?;
        // Upright, and not seen from behind.
        (x.x * y.y - x.y * y.x > 0.0).then_some((LinkId::of(place).0, Turn { cos: x.x, sin: x.y }))
    }

    /// Adds all loads; `false` if one is not finite or a spring has no direction.
    pub(super) fn add_loads(&mut self, state: &State) -> bool {
        let Self { links, loads, columns, powers, .. } = self;
        *powers = [0.0; 3];
        for column in columns.iter_mut() {
            column.effort = 0.0;
        }
        let (t, q, v) = (state.t, state.q.as_slice(), state.v.as_slice());
        let [dampers, forces, stored] = powers;
        let vector = |components: &[Tape; 3]| {
            let [x, y, z] = [0, 1, 2].map(|k| components[k].value(t, q, v));
            (x.is_finite() && y.is_finite() && z.is_finite()).then_some((Vec2::new(x, y), z))
        };
        for load in loads.iter() {
            match load {
                PlanarLoad::Spring { ends, stiffness, damping, rest } => {
                    let [a, b] = ends.map(|end| links[end.link].point(&end.at));
                    let d = b - a;
                    let length = d.norm();
                    if length == 0.0 {
                        if stiffness * rest == 0.0 && *damping == 0.0 {
                            continue;
                        }
                        return false;
                    }
                    let n = d / length;
                    let [from, to] = ends.map(|end| end.link);
                    let speed = n.dot(&(links[to].velocity_at(&b) - links[from].velocity_at(&a)));
                    let stretched = stiffness * (length - rest);
                    let pull = n * (stretched + damping * speed);
                    links[from].push(&a, &pull);
                    links[to].push(&b, &-pull);
                    *dampers -= damping * speed * speed;
                    *stored += stretched * speed;
                }
                PlanarLoad::Joint { at, stiffness, damping, rest } => {
                    let (stretched, speed) = (stiffness * (q[*at] - rest), v[*at]);
                    columns[*at].effort -= stretched + damping * speed;
                    *dampers -= damping * speed * speed;
                    *stored += stretched * speed;
                }
                PlanarLoad::Force { at, components, frame } => {
                    let Some((local, _)) = vector(components) else { return false };
                    let force = frame
                        .map_or(local, |(link, own)| links[link].turn.vector(&own.vector(&local)));
                    let x = links[at.link].point(&at.at);
                    *forces += force.dot(&links[at.link].velocity_at(&x));
                    links[at.link].push(&x, &force);
                }
                PlanarLoad::Torque { link, components } => {
                    let Some((_, moment)) = vector(components) else { return false };
                    links[*link].wrench.moment += moment;
                    *forces += moment * links[*link].omega;
                }
                PlanarLoad::Effort { at, effort } => {
                    let effort = effort.value(t, q, v);
                    if !effort.is_finite() {
                        return false;
                    }
                    columns[*at].effort += effort;
                    *forces += effort * v[*at];
                }
            }
        }
        true
    }
}
