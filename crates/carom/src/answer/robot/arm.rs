//! A machine in the pose that is asked about, with its payload, and the tip on it.

use super::{RobotMass, TipOptions};
use crate::answer::AnswerError;
use crate::dynamics::{DynamicsError, Mechanism, assemble};
use crate::file::Opened;
use crate::maths::nearest::nearest;
use crate::maths::{Mat3, Vec3};
use crate::model::{Anchor, BodyId, Joint, JointKind, Model, RigidInertia, body};
use crate::robot::mapped;

/// A quaternion whose square differs from one by more than this is no rotation; typed ones have a few digits.
const NOT_UNIT: f64 = 1e-3;

/// A machine in a pose, with a payload and a tip.
pub(crate) struct Arm {
    /// With the payload in the model and the pose as its state.
    pub opened: Opened,
    /// The tip.
    pub anchor: Anchor,
    /// Its body.
    pub body: BodyId,
    /// `body` or `body.marker`.
    pub name: String,
    /// The inertia of that body without the payload.
    pub bare: RigidInertia,
    /// Mass of the payload that the options add, beside the bodies that the model marks \[kg\].
    pub payload: f64,
    /// Where it sits in the link frame \[m\].
    pub payload_at: Vec3,
    /// The joints to be locked, as positions in the model.
    pub locked: Vec<usize>,
}

/// Masses of ISO/TS 15066: of what moves, the robot's own part and what it carries.
#[derive(Clone, Copy)]
pub(super) struct Carried {
    /// M, the bodies that are no payload \[kg\].
    pub robot: f64,
    /// m_L, the bodies that the model marks as payload and the point mass that the options add \[kg\].
    pub payload: f64,
}

impl Carried {
    /// M/2 + m_L \[kg\].
    pub(super) fn standard(self) -> f64 {
        0.5 * self.robot + self.payload
    }
}

impl Arm {
    /// A copy of an opened machine as the options ask.
    pub(crate) fn new(opened: &Opened, options: &TipOptions) -> Result<Self, AnswerError> {
        let mut opened = opened.clone();
        let (name, anchor, body) = tip(opened.model(), &options.tip)?;
        let locked = joints(opened.model(), &options.locked)?;
        if options.mass == Some(RobotMass::Locked) && locked.is_empty() {
            let message = "no joint is locked, so there is no mass with locked joints";
            return Err(AnswerError::asked("robot mass", message));
        }
        let own = opened.model().bodies[body.index()].frame;
        let payload_at = options.payload_at.map_or(anchor.at, |at| own.point(&Vec3::from(at)));
        let bare = opened.model().bodies[body.index()].inertia;
        load(&mut opened.loaded.model, body, options.payload, payload_at)?;
        if !options.q.is_empty() {
            pose(&mut opened, &options.q)?;
        }
        let payload = options.payload;
        Ok(Self { opened, anchor, body, name, bare, payload, payload_at, locked })
    }

    /// The same machine with its payload, seen from another point.
    pub(super) fn at_point(&self, name: &str) -> Result<Self, AnswerError> {
        let (name, anchor, _) = tip(self.model(), name)?;
        Ok(Self { name, anchor, opened: self.opened.clone(), locked: self.locked.clone(), ..*self })
    }

    /// The model with its payload.
    pub(crate) fn model(&self) -> &Model {
        self.opened.model()
    }

    /// The machine with all joints free, or with the chosen ones locked.
    pub(super) fn mechanism(&self, locked: bool) -> Result<Mechanism<'_>, AnswerError> {
        let joints: &[usize] = if locked { &self.locked } else { &[] };
        Mechanism::with_locked(self.model(), joints).map_err(|error| self.wrong(error))
    }

    /// An error of its dynamics.
    pub(super) fn wrong(&self, error: DynamicsError) -> AnswerError {
        AnswerError::dynamics(&self.opened, error)
    }

    /// What moves, as the standard counts it.
    pub(super) fn carried(&self) -> Carried {
        let bodies = &self.model().bodies;
        let mut moves = vec![false; bodies.len()];
        let mut sum = Carried { robot: 0.0, payload: self.payload };
        for (k, body) in bodies.iter().enumerate() {
            let own = body.joint.kind.velocities() > 0 && !body.joint.locked;
            moves[k] = own || body.parent.is_some_and(|p| moves[p.index()]);
            let inertia = if k == self.body.index() { &self.bare } else { &body.inertia };
            match (moves[k], body.payload) {
                (false, _) => {}
                (true, false) => sum.robot += inertia.mass,
                (true, true) => sum.payload += inertia.mass,
            }
        }
        sum
    }

    /// Whether a joint that may move has a rotor.
    pub(super) fn has_rotors(&self) -> bool {
        let turns = |k: &[f64]| k.iter().any(|r| *r > 0.0);
        self.model().bodies.iter().any(|b| turns(&b.joint.rotor[..b.joint.kind.velocities()]))
    }
}

/// The body or marker of that name, as the model or as a robot's file calls it.
fn tip(model: &Model, name: &str) -> Result<(String, Anchor, BodyId), AnswerError> {
    let renamed = mapped(name);
    place(model, name).or_else(|error| {
        if renamed == name { Err(error) } else { place(model, &renamed).map_err(|_| error) }
    })
}

/// The body or marker of that name in the model.
fn place(model: &Model, name: &str) -> Result<(String, Anchor, BodyId), AnswerError> {
    let known = || {
        let bodies = model.bodies.iter().map(|b| b.name.as_str());
        bodies.chain(model.markers.iter().map(|m| m.name.as_str()))
    };
    let last = |full: &str| full.rsplit_once('.').is_some_and(|(_, last)| last == name);
    let marker = |m: &&crate::model::Marker| m.anchor.body.is_some() && m.name == name;
    let short: Vec<_> = model.markers.iter().filter(|m| last(&m.name)).collect();
    let found = model.markers.iter().find(marker).or(match short.as_slice() {
        [only] => Some(*only),
        _ => None,
    });
    if let Some(id) = model.body(name) {
        let at = model.bodies[id.index()].frame.position;
        return Ok((name.to_owned(), Anchor { body: Some(id), at }, id));
    }
    if let Some((marker, id)) = found.and_then(|m| m.anchor.body.map(|id| (m, id))) {
        return Ok((marker.name.clone(), marker.anchor, id));
    }
    let hint = match nearest(name, known()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there is {}", listed(known())),
    };
    Err(AnswerError::asked("tip", format!("there is no moving body or marker `{name}`; {hint}")))
}

/// How many known names a message lists.
const MOST_NAMES: usize = 12;

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let all: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    let more = all.len().saturating_sub(MOST_NAMES);
    let shown = all[..all.len() - more].join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

/// The joints of those names.
fn joints(model: &Model, names: &[String]) -> Result<Vec<usize>, AnswerError> {
    let known = || model.bodies.iter().map(|b| b.joint.name.as_str());
    let one = |name: &String| {
        let found = known().position(|joint| joint == name);
        // A robot's file may call it otherwise.
        found.or_else(|| known().position(|joint| joint == mapped(name))).ok_or_else(|| {
            let hint = match nearest(name, known()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there is {}", listed(known())),
            };
            AnswerError::asked("locked joints", format!("there is no joint `{name}`; {hint}"))
        })
    };
    names.iter().map(one).collect()
}

/// Adds a point mass to a body.
fn load(model: &mut Model, id: BodyId, mass: f64, at: Vec3) -> Result<(), AnswerError> {
    if !(mass >= 0.0 && mass.is_finite() && at.iter().all(|x| x.is_finite())) {
        let message = format!("{mass} is not a mass of at least 0 [kg] at a finite place");
        return Err(AnswerError::asked("payload", message));
    }
    if mass == 0.0 {
        return Ok(());
    }
    let carrier = &mut model.bodies[id.index()];
    let own = carrier.inertia;
    let total = own.mass + mass;
    carrier.inertia = RigidInertia {
        mass: total,
        center: (own.center * own.mass + at * mass) / total,
        about_origin: own.about_origin
            + (Mat3::identity() * at.norm_squared() - at * at.transpose()) * mass,
    };
    carrier.rotational_mobility = body::rotational_mobility(&carrier.inertia.central());
    Ok(())
}

/// Places the machine; closures are assembled from there. Velocities belong to another pose and become zero.
pub(super) fn pose(opened: &mut Opened, q: &[f64]) -> Result<(), AnswerError> {
    let model = &mut opened.loaded.model;
    if q.len() != model.nq {
        let message = format!("{} positions, expected {}", q.len(), model.nq);
        return Err(AnswerError::asked("q", message));
    }
    if let Some(at) = q.iter().position(|x| !x.is_finite()) {
        return Err(AnswerError::asked("q", format!("entry {at} is {}, not finite", q[at])));
    }
    for body in &mut model.bodies {
        let joint = &mut body.joint;
        let mut given: Vec<f64> = q[joint.positions()].to_vec();
        unit_quaternion(joint, &mut given).map_err(|message| AnswerError::asked("q", message))?;
        joint.position[..given.len()].copy_from_slice(&given);
        joint.position_given = true;
        joint.velocity.fill(0.0);
    }
    if model.closures.is_empty() {
        let state = &mut opened.assembled.state;
        for joint in model.bodies.iter().map(|b| &b.joint) {
            for (k, at) in joint.positions().enumerate() {
                state.q[at] = joint.position[k];
            }
        }
        state.v.fill(0.0);
        opened.assembled.moved.clear();
        return Ok(());
    }
    let assembled = assemble(&opened.loaded.model);
    opened.assembled = assembled.map_err(|error| AnswerError::dynamics(opened, error))?;
    Ok(())
}

/// Makes the quaternion among the positions of a joint a unit quaternion, or says that it is none; positions without one are left alone.
pub(super) fn unit_quaternion(joint: &Joint, q: &mut [f64]) -> Result<(), String> {
    if !matches!(joint.kind, JointKind::Spherical | JointKind::Floating) {
        return Ok(());
    }
    // A planar model's floating joint has three coordinates and no quaternion.
    let Some(first) = q.len().checked_sub(4) else { return Ok(()) };
    let size = q[first..].iter().map(|x| x * x).sum::<f64>();
    if !((size - 1.0).abs() <= NOT_UNIT) {
        return Err(format!(
            "the quaternion of `{}` has the length {}, not 1",
            joint.name,
            size.sqrt()
        ));
    }
    q[first..].iter_mut().for_each(|x| *x /= size.sqrt());
    Ok(())
}
