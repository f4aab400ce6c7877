//! Random trees and loop mechanisms, planar and spatial, at a pose where every loop is closed.

use carom::kinematics::{Frames, State};
use carom::maths::spatial::{rotation_by, rotation_from_z};
use carom::maths::{Mat3, Pose, Vec3};
use carom::model::parts::{BodyPart, ClosureKind, ClosurePart, JointPart, PointPart};
use carom::model::{JointKind, Model, Parts, Space};

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform between two ends.
    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    pub fn vector(&mut self, planar: bool) -> Vec3 {
        let z = if planar { 0.0 } else { self.within(-1.0, 1.0) };
        Vec3::new(self.within(-1.0, 1.0), self.within(-1.0, 1.0), z)
    }

    /// A unit vector.
    pub fn direction(&mut self, planar: bool) -> Vec3 {
        loop {
            let v = self.vector(planar);
            if v.norm() > 0.1 {
                return v.normalize();
            }
        }
    }

    fn rotation(&mut self, planar: bool) -> Mat3 {
        let r = if planar { Vec3::z() * self.within(-3.0, 3.0) } else { self.vector(false) * 2.0 };
        rotation_by(&r)
    }

    fn pose(&mut self, planar: bool) -> Pose {
        Pose { rotation: self.rotation(planar), position: self.vector(planar) }
    }

    fn body(&mut self, number: usize, planar: bool) -> BodyPart {
        // Inertia of four random point masses is always that of a body.
        let mut inertia = Mat3::identity() * 0.02;
        for _ in 0..4 {
            let (m, r) = (self.within(0.05, 0.5), self.vector(false) * 0.5);
            inertia += (Mat3::identity() * r.norm_squared() - r * r.transpose()) * m;
        }
        BodyPart {
            name: format!("b{number}"),
            mass: self.within(0.3, 3.0),
            center: self.vector(planar) * 0.3,
            inertia,
            payload: false,
        }
    }
}

/// Orientation of a joint frame: revolute about z in the plane, prismatic along a direction in it.
fn joint_pose(random: &mut Random, kind: JointKind, planar: bool) -> Pose {
    if planar && kind == JointKind::Prismatic {
        let turn = random.rotation(true);
        return Pose {
            rotation: turn * rotation_from_z(&Vec3::x()),
            position: random.vector(true),
        };
    }
    random.pose(planar)
}

/// A random mechanism with `bodies` bodies and up to `loops` closures, with locked and rotored joints.
pub fn mechanism(seed: u64, bodies: usize, loops: usize, planar: bool) -> (Model, State) {
    let model = Model::new(&parts(seed, bodies, loops, planar)).expect("a random one is valid");
    let state =
        carom::dynamics::assemble(&model).map_or_else(|_| State::as_written(&model), |a| a.state);
    (model, state)
}

/// The same before it is checked and ordered.
pub fn parts(seed: u64, bodies: usize, loops: usize, planar: bool) -> Parts {
    let mut random = Random(seed);
    let space = if planar { Space::Planar } else { Space::Spatial };
    let mut parts = Parts::new(space);
    parts.gravity = random.vector(planar) * 9.81;
    let kinds: &[JointKind] = if planar {
        &[JointKind::Revolute, JointKind::Revolute, JointKind::Prismatic, JointKind::Floating]
    } else {
        &JointKind::ALL
    };
    for b in 0..bodies {
        parts.bodies.push(random.body(b, planar));
        let kind = kinds[random.below(kinds.len())];
        let parent = if b == 0 || random.below(5) == 0 {
            None
        } else if random.below(3) == 0 {
            Some(random.below(b))
        } else {
            Some(b - 1)
        };
        let mut joint = JointPart::new(&format!("j{b}"), kind, parent, b);
        joint.in_parent = joint_pose(&mut random, kind, planar);
        joint.in_child = joint_pose(&mut random, kind, planar);
        let kind = if planar && kind == JointKind::Floating { JointKind::Planar } else { kind };
        joint.position = Some((0..kind.positions()).map(|_| random.within(-1.0, 1.0)).collect());
        joint.velocity = Some((0..kind.velocities()).map(|_| random.within(-2.0, 2.0)).collect());
        if random.below(4) == 0 {
            joint.rotor = (0..kind.velocities()).map(|_| random.within(0.0, 0.5)).collect();
        }
        parts.joints.push(joint);
    }
    if loops > 0 {
        close_loops(&mut parts, &mut random, loops, planar);
    }
    parts
}

/// Adds closures that are satisfied at the written pose.
fn close_loops(parts: &mut Parts, random: &mut Random, loops: usize, planar: bool) {
    let open = Model::new(parts).expect("a random tree is valid");
    let state = State::as_written(&open);
    let mut frames = Frames::new(&open);
    frames.update(state.q.as_slice(), state.v.as_slice());
    let pose = |b: Option<usize>| {
        b.map_or_else(Pose::identity, |b| {
            let id = open.body(&parts.bodies[b].name).expect("it was added");
            frames.pose(Some(id)).then(&open.bodies[id.index()].frame)
        })
    };
    let mut closures = Vec::new();
    for k in 0..loops {
        let a = if random.below(2) == 0 { None } else { Some(random.below(parts.bodies.len())) };
        let b = random.below(parts.bodies.len());
        if a == Some(b) {
            continue;
        }
        let in_a = |world: &Pose| pose(a).inverse().then(world);
        let in_b = |world: &Pose| pose(Some(b)).inverse().then(world);
        let kind = match random.below(5) {
            0 => {
                let (p, r) = (random.vector(planar) * 2.0, random.vector(planar) * 2.0);
                let place = |body: Option<usize>, x: &Vec3| PointPart {
                    body,
                    at: pose(body).inverse().point(x),
                };
                ClosureKind::Distance {
                    a: place(a, &p),
                    b: place(Some(b), &r),
                    length: (p - r).norm(),
                }
            }
            1 => {
                let p = random.vector(planar) * 2.0;
                let direction = pose(a).inverse().vector(&random.direction(planar));
                let point =
                    |body: Option<usize>| PointPart { body, at: pose(body).inverse().point(&p) };
                ClosureKind::PointOnLine { line: point(a), direction, point: point(Some(b)) }
            }
            2 if parts.joints.len() > 1 => {
                let first = random.below(parts.joints.len());
                let second = random.below(parts.joints.len());
                let scalar = |j: usize| {
                    let kind = parts.joints[j].kind;
                    kind != JointKind::Weld && kind != JointKind::Spherical
                };
                if first == second || !scalar(first) || !scalar(second) {
                    continue;
                }
                let q = |j: usize| parts.joints[j].position.as_ref().expect("given")[0];
                let c = random.within(-2.0, 2.0);
                ClosureKind::Coupling {
                    terms: vec![(first, 0, 1.0), (second, 0, c)],
                    offset: q(first) + c * q(second),
                }
            }
            _ => {
                let kind = if planar {
                    [JointKind::Revolute, JointKind::Revolute, JointKind::Prismatic]
                        [random.below(3)]
                } else {
                    [
                        JointKind::Spherical,
                        JointKind::Universal,
                        JointKind::Cylindrical,
                        JointKind::Revolute,
                    ][random.below(4)]
                };
                let mut world = joint_pose(random, kind, planar);
                world.position *= 2.0;
                ClosureKind::Joint { kind, a: (a, in_a(&world)), b: (Some(b), in_b(&world)) }
            }
        };
        closures.push(ClosurePart { name: format!("c{k}"), kind });
    }
    parts.closures = closures;
}
