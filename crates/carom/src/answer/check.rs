//! The answer of `check`: what was understood of a file, how it moves, and what may not be meant.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::assess::MOST_TOGETHER;
use super::balance::{Balance, ReactionAnswer};
use super::body::{own_center, own_inertia};
use super::contact::StiffnessAnswer;
use super::{
    AnswerError, Caution, Constraints, ContactUnits, Head, Sides, StateAnswer, components, grouped,
    judge,
};
use crate::contact::{Approach, Standing, Touch};
use crate::dynamics::{Assembled, Mechanism, Posture};
use crate::file::Opened;
use crate::impact::{Assessment, Together};
use crate::model::{ContactGeometry, Load, Model};

/// What was understood of a file.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CheckAnswer {
    /// Which program, which file, with which edits.
    #[serde(flatten)]
    pub head: Head,
    /// What a user must know.
    pub cautions: Vec<Caution>,
    /// The bodies.
    pub bodies: Vec<BodyAnswer>,
    /// The joints.
    pub joints: Vec<JointAnswer>,
    /// The closures.
    pub closures: Vec<ClosureAnswer>,
    /// Energies and momenta.
    pub motion: MotionAnswer,
    /// Degrees of freedom and redundancy.
    pub constraints: Constraints,
    /// What assembly did.
    pub assembly: AssemblyAnswer,
    /// Time, positions and velocities.
    pub state: StateAnswer,
    /// The contacts.
    pub contacts: Vec<CheckedContact>,
    /// The loads.
    pub loads: Vec<LoadAnswer>,
    /// The drives.
    pub drives: Vec<DriveAnswer>,
}

/// A body.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BodyAnswer {
    /// Its name.
    pub name: String,
    /// \[kg\].
    pub mass: f64,
    /// Its mass centre in its own frame \[m\].
    pub center: [f64; 3],
    /// Ixx, Iyy, Izz, Ixy, Ixz, Iyz about the mass centre in its own axes \[kg m²\].
    pub inertia: [f64; 6],
    /// The body that carries its joint.
    pub parent: String,
    /// The joint that carries it.
    pub joint: String,
    /// \[m/s\].
    pub center_velocity: [f64; 3],
    /// \[rad/s\].
    pub angular_velocity: [f64; 3],
    /// \[m/s²\].
    pub center_acceleration: [f64; 3],
}

/// A joint.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[allow(clippy::struct_excessive_bools, reason = "what is known of a joint, each by its name")]
pub struct JointAnswer {
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// The bodies.
    pub connects: [String; 2],
    /// The names of its velocities.
    pub coordinates: Vec<String>,
    /// Whether each of them turns.
    pub turns: Vec<bool>,
    /// Its entries of q \[m or rad\].
    pub position: Vec<f64>,
    /// Whether the last four of them are a quaternion.
    pub quaternion: bool,
    /// Its entries of v \[m/s or rad/s\].
    pub velocity: Vec<f64>,
    /// Its entries of v̇ \[m/s² or rad/s²\].
    pub acceleration: Vec<f64>,
    /// What it transmits to its second body without contacts.
    pub reaction: ReactionAnswer,
    /// Whether the file states its position.
    pub position_stated: bool,
    /// Whether the file states its velocity.
    pub velocity_stated: bool,
    /// Rotor inertia on each velocity \[kg or kg m²\].
    pub rotor: Vec<f64>,
    /// Whether it is locked.
    pub locked: bool,
    /// The drives of its velocities.
    pub driven_by: Vec<DrivenBy>,
}

/// A drive of a joint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DrivenBy {
    /// The drive.
    pub drive: String,
    /// The coordinate that it moves.
    pub coordinate: String,
}

/// A closure.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ClosureAnswer {
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// How many rows it has.
    pub rows: usize,
    /// How far it is from closed \[m or rad\].
    pub residual: f64,
    /// λ of its rows.
    pub multipliers: Vec<f64>,
    /// What it transmits to its second body; zero for a coupling, which has no point.
    pub reaction: ReactionAnswer,
}

/// Energies and momenta.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MotionAnswer {
    /// T \[J\].
    pub kinetic_energy: f64,
    /// V \[J\]: gravity from the height of the origin, and springs.
    pub potential_energy: f64,
    /// \[kg m/s\].
    pub linear_momentum: [f64; 3],
    /// About the origin \[kg m²/s\].
    pub angular_momentum: [f64; 3],
}

/// What assembly did.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AssemblyAnswer {
    /// Newton steps.
    pub steps: usize,
    /// Which start led to the solution; 0 is the pose of the file.
    pub start: usize,
    /// Joints whose stated position had to change.
    pub moved: Vec<Changed>,
    /// Joints whose stated velocity had to change.
    pub velocities_changed: Vec<Changed>,
    /// The largest change of any joint velocity.
    pub largest_velocity_change: f64,
    /// Closures whose axes came out pointing opposite ways.
    pub flipped: Vec<String>,
}

/// A stated value that had to change.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Changed {
    /// The joint.
    pub joint: String,
    /// By how much.
    pub by: f64,
}

/// A contact as it stands.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CheckedContact {
    /// Its name.
    pub name: String,
    /// Its sides.
    #[serde(flatten)]
    pub sides: Sides,
    /// Its shapes, where it has any.
    pub shapes: Option<Vec<ShapeAnswer>>,
    /// K and n, if the file states them or materials.
    pub stiffness: Option<StiffnessAnswer>,
    /// Units of what it measures.
    pub units: ContactUnits,
    /// Its points.
    pub points: Vec<PointAnswer>,
}

/// A shape of a contact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ShapeAnswer {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: String,
}

/// A point of a contact.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PointAnswer {
    /// g, in the contact's unit.
    pub gap: f64,
    /// Whether it touches.
    pub standing: Standing,
    /// The point on body i \[m\].
    pub on_i: [f64; 3],
    /// The point on body j \[m\].
    pub on_j: [f64; 3],
    /// The unit normal from i to j.
    pub normal: [f64; 3],
    /// u, in the contact's unit; negative closes.
    pub u: f64,
    /// Whether it closes.
    pub motion: Approach,
}

/// A load.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LoadAnswer {
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
}

/// A drive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DriveAnswer {
    /// Its name.
    pub name: String,
    /// The joint that it moves.
    pub joint: String,
}

impl CheckAnswer {
    /// Describes the machine of an opened file.
    pub fn new(opened: &Opened, sets: &[(String, String)]) -> Result<Self, AnswerError> {
        let model = opened.model();
        let mut mechanism = Mechanism::new(model);
        let at = mechanism
            .at(&opened.assembled.state)
            .map_err(|error| AnswerError::dynamics(opened, error))?;
        let constraints = at.constraint_report();
        let balance = Balance::new(&at, &constraints)
            .map_err(|error| AnswerError::dynamics(opened, error))?;
        let mut cautions = judge::of_file(opened);
        cautions.extend(judge::of_constraints(&constraints));
        cautions.extend(super::singular::of_inertias(opened));
        let mut contacts = Vec::with_capacity(model.contacts.len());
        for contact in 0..model.contacts.len() {
            let touch = at.touch(contact).map_err(|error| AnswerError::contact(opened, error))?;
            let points = touch.points().iter().map(|p| (Standing::of(&at, contact, p), p.gap));
            cautions.extend(judge::of_points(&model.contacts[contact], points));
            cautions.extend(unbounded(&at, contact));
            contacts.push(checked(opened, &at, contact, &touch)?);
        }
        if !model.drives.is_empty() && model.contacts.len() <= MOST_TOGETHER {
            let all: Vec<usize> = (0..model.contacts.len()).collect();
            let all = Together::new(&at, &all).ok();
            cautions.extend(all.and_then(|all| judge::unbounded_together(&all, &cautions)));
        }
        cautions.extend(judge::of_run(opened, &at));
        let (linear, angular) = &balance.momentum;
        Ok(Self {
            head: Head::new(opened, sets),
            cautions: grouped(cautions),
            bodies: (0..model.bodies.len()).map(|b| body(&at, &balance, b)).collect(),
            joints: joints(&at, &balance),
            closures: closures(model, &opened.assembled, &balance),
            motion: MotionAnswer {
                kinetic_energy: balance.kinetic_energy,
                potential_energy: balance.potential_energy,
                linear_momentum: components(linear),
                angular_momentum: components(angular),
            },
            constraints: Constraints::new(&constraints),
            assembly: AssemblyAnswer::new(&opened.assembled),
            state: StateAnswer::new(model, at.state()),
            contacts,
            loads: model.loads.iter().map(LoadAnswer::new).collect(),
            drives: (model.drives.iter())
                .map(|d| DriveAnswer {
                    name: d.name.clone(),
                    joint: model.bodies[d.body.index()].joint.name.clone(),
                })
                .collect(),
        })
    }
}

/// Of a driven contact that cannot give way; one that cannot be assessed is refused by `assess`, with its reason.
fn unbounded(at: &Posture<'_>, contact: usize) -> Option<Caution> {
    if at.model().drives.is_empty() {
        return None;
    }
    let found = Assessment::without_law(at, contact).ok()?;
    let energies = super::EnergiesAnswer::new(&found.energies);
    energies.unbounded.then(|| judge::unbounded(&found.contact, &energies.drives, found.touching))
}

fn body(at: &Posture<'_>, balance: &Balance, b: usize) -> BodyAnswer {
    let model = at.model();
    let body = &model.bodies[b];
    BodyAnswer {
        name: body.name.clone(),
        mass: body.inertia.mass,
        center: own_center(body),
        inertia: own_inertia(body),
        parent: model.place_name(body.parent).to_owned(),
        joint: body.joint.name.clone(),
        center_velocity: components(&at.center_velocity(b)),
        angular_velocity: components(&at.frames().links()[b].twist().ang),
        center_acceleration: components(&at.center_acceleration(&balance.motion, b)),
    }
}

fn joints(at: &Posture<'_>, balance: &Balance) -> Vec<JointAnswer> {
    let (model, state) = (at.model(), at.state());
    let v_dot = &balance.motion.solution.x;
    let driven: HashMap<usize, &str> =
        model.drives.iter().map(|d| (d.v, d.name.as_str())).collect();
    let one = |(b, body): (usize, &crate::model::Body)| {
        let (joint, kind) = (&body.joint, body.joint.kind);
        let names = kind.coordinate_names();
        let driven_by = joint.velocities().zip(names).filter_map(|(v, coordinate)| {
            let drive = (*driven.get(&v)?).to_owned();
            Some(DrivenBy { drive, coordinate: (*coordinate).to_owned() })
        });
        JointAnswer {
            name: joint.name.clone(),
            kind: kind.name().to_owned(),
            connects: [model.place_name(body.parent).to_owned(), body.name.clone()],
            coordinates: names.iter().map(|n| (*n).to_owned()).collect(),
            turns: (0..kind.velocities()).map(|c| kind.is_angular(c)).collect(),
            position: joint.positions().map(|k| state.q[k]).collect(),
            quaternion: kind.quaternion().is_some(),
            velocity: joint.velocities().map(|k| state.v[k]).collect(),
            acceleration: joint.velocities().map(|k| v_dot[k]).collect(),
            reaction: balance.joints[b],
            position_stated: joint.position_given,
            velocity_stated: joint.velocity_given,
            rotor: joint.rotor[..kind.velocities()].to_vec(),
            locked: joint.locked,
            driven_by: driven_by.collect(),
        }
    };
    model.bodies.iter().enumerate().map(one).collect()
}

fn closures(model: &Model, assembled: &Assembled, balance: &Balance) -> Vec<ClosureAnswer> {
    let mut multipliers = balance.motion.solution.multipliers.iter().copied();
    let all = model.closures.iter().zip(&assembled.residuals).zip(&balance.closures);
    all.map(|((c, (_, residual)), reaction)| ClosureAnswer {
        name: c.name.clone(),
        kind: c.kind.to_owned(),
        rows: c.rows.len(),
        residual: *residual,
        multipliers: multipliers.by_ref().take(c.rows.len()).collect(),
        reaction: *reaction,
    })
    .collect()
}

impl AssemblyAnswer {
    fn new(assembled: &Assembled) -> Self {
        let named = |list: &[(String, f64)]| {
            list.iter().map(|(joint, by)| Changed { joint: joint.clone(), by: *by }).collect()
        };
        Self {
            steps: assembled.steps,
            start: assembled.start,
            moved: named(&assembled.moved),
            velocities_changed: named(&assembled.changed),
            largest_velocity_change: assembled.velocity_change,
            flipped: assembled.flipped.clone(),
        }
    }
}

impl LoadAnswer {
    fn new(load: &Load) -> Self {
        let (kind, name) = match load {
            Load::Spring { name, .. } => ("spring", name),
            Load::JointSpring { name, .. } => ("joint-spring", name),
            Load::Force { name, .. } => ("force", name),
            Load::Torque { name, .. } => ("torque", name),
            Load::Effort { name, .. } => ("effort", name),
        };
        Self { name: name.clone(), kind: kind.to_owned() }
    }
}

fn checked(
    opened: &Opened,
    at: &Posture<'_>,
    contact: usize,
    touch: &Touch,
) -> Result<CheckedContact, AnswerError> {
    let model = at.model();
    let stated = &model.contacts[contact];
    let found =
        at.contact_stiffness(contact).map_err(|error| AnswerError::stiffness(opened, error))?;
    let shapes = match stated.geometry {
        ContactGeometry::Shapes { a, b } => Some(
            [a, b]
                .map(|s| ShapeAnswer {
                    name: model.shapes[s].name.clone(),
                    kind: model.shapes[s].kind.name().to_owned(),
                })
                .to_vec(),
        ),
        ContactGeometry::Points { .. }
        | ContactGeometry::Rope { .. }
        | ContactGeometry::Stop(_) => None,
    };
    let points = touch.points().iter().map(|p| {
        let u = at.rate(&at.contact_row(contact, p, &p.normal));
        PointAnswer {
            gap: p.gap,
            standing: Standing::of(at, contact, p),
            on_i: components(&p.on_a),
            on_j: components(&p.on_b),
            normal: components(&p.normal),
            u,
            motion: Approach::of(at, contact, p),
        }
    });
    Ok(CheckedContact {
        name: stated.name.clone(),
        sides: Sides::new(model, contact),
        shapes,
        stiffness: found.as_ref().map(|s| StiffnessAnswer::new(stated, s)),
        units: stated.units(),
        points: points.collect(),
    })
}
