//! Pairs that may touch, and what the file says about their law.

use super::{Anchor, BodyId, Material, Place};
use crate::maths::Vec3;
use crate::maths::expression::{Tape, Variable};

/// Where a contact's normal and points come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContactGeometry {
    /// Two shapes, as positions in [`super::Model::shapes`].
    Shapes {
        /// First shape, on body i.
        a: usize,
        /// Second shape, on body j.
        b: usize,
    },
    /// Two material points and a normal fixed in a body or in the ground.
    Points {
        /// Point of body i.
        a: Anchor,
        /// Point of body j.
        b: Anchor,
        /// Where the normal is fixed.
        normal_in: Place,
        /// Unit vector from i to j, in the link frame of `normal_in`.
        normal: Vec3,
    },
    /// A rope between two material points: it pulls where it is taut and does nothing where it is slack.
    Rope {
        /// Point of body i.
        a: Anchor,
        /// Point of body j.
        b: Anchor,
        /// Its length \[m\].
        length: f64,
    },
    /// A joint's coordinate between its stops.
    Stop(Stop),
}

/// The stops of a joint's coordinate. Of one that turns, all quantities of the contact are those of rotation: gaps in rad,
/// masses in kg m², forces in N m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// The body that the joint carries.
    pub body: BodyId,
    /// The body that carries the joint.
    pub parent: Place,
    /// Entry of q.
    pub q: usize,
    /// Entry of v.
    pub v: usize,
    /// Whether the coordinate turns.
    pub angular: bool,
    /// q of the lower stop \[m or rad\].
    pub lower: Option<f64>,
    /// q of the upper stop \[m or rad\].
    pub upper: Option<f64>,
}

/// Units of what a contact measures: of a stop that turns they are those of rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct ContactUnits {
    /// Of gaps and indentations.
    pub gap: &'static str,
    /// Of u.
    pub velocity: &'static str,
    /// Of u̇.
    pub acceleration: &'static str,
    /// Of m_eff.
    pub mass: &'static str,
    /// Of W.
    pub mobility: &'static str,
    /// Of forces.
    pub force: &'static str,
    /// Of impulses.
    pub impulse: &'static str,
}

impl ContactUnits {
    /// Of points and shapes, and of stops that slide.
    pub const LINEAR: Self = Self {
        gap: "m",
        velocity: "m/s",
        acceleration: "m/s²",
        mass: "kg",
        mobility: "1/kg",
        force: "N",
        impulse: "N s",
    };
    /// Of stops that turn.
    pub const ANGULAR: Self = Self {
        gap: "rad",
        velocity: "rad/s",
        acceleration: "rad/s²",
        mass: "kg m²",
        mobility: "1/(kg m²)",
        force: "N m",
        impulse: "N m s",
    };

    /// The unit of a quantity of the contact, by the unit it has between points; units of other quantities stay.
    pub fn of(self, linear: &'static str) -> &'static str {
        match linear {
            "m" => self.gap,
            "m/s" => self.velocity,
            "m/s^2" => self.acceleration,
            "kg" => self.mass,
            "1/kg" => self.mobility,
            "N" => self.force,
            "N s" => self.impulse,
            other => other,
        }
    }
}

/// Friction as the file asks for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Friction {
    /// Coulomb's coefficient μ.
    Coefficient(f64),
    /// No slip: the limit of large μ.
    Stick,
    /// A law of its own.
    Law(FrictionParameters),
}

/// The friction laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrictionKind {
    /// μ F_N against the slip.
    Coulomb,
    /// Falling from a breakaway to a kinetic coefficient.
    Stribeck,
    /// Bristles, per unit of normal force.
    LuGre,
    /// Bristles with dwell time.
    Bristle,
}

impl FrictionKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Coulomb, Self::Stribeck, Self::LuGre, Self::Bristle];

    /// The word of the model file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Coulomb => "coulomb",
            Self::Stribeck => "stribeck",
            Self::LuGre => "lugre",
            Self::Bristle => "bristle",
        }
    }
}

/// A friction law as the file states it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrictionParameters {
    /// Which law.
    pub kind: FrictionKind,
    /// μ_k.
    pub kinetic: f64,
    /// μ_s; μ_k if it is missing.
    pub breakaway: Option<f64>,
    /// v_s \[m/s\].
    pub speed: Option<f64>,
    /// v_d \[m/s\].
    pub band: Option<f64>,
    /// σ₀ \[1/m\] of `lugre`, \[N/m\] of `bristle`.
    pub stiffness: Option<f64>,
    /// σ₁ \[s/m\] of `lugre`, \[N s/m\] of `bristle`.
    pub damping: Option<f64>,
    /// σ₂ \[s/m\], \[N s/m\] of `bristle`.
    pub viscous: Option<f64>,
    /// τ_dw \[s\].
    pub dwell: Option<f64>,
}

/// What the two bodies of a contact are made of; with the shapes it gives the stiffness.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactMaterials {
    /// Of the first and the second shape.
    pub pair: [Material; 2],
    /// Set if the discs of a planar model are parallel cylinders; otherwise they are balls.
    pub cylinders: Option<ParallelCylinders>,
}

/// A contact along a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParallelCylinders {
    /// ℓ, the length of the line \[m\].
    pub length: f64,
    /// The force at which F ≈ K δⁿ has the value and the slope of the exact law \[N\].
    pub reference_force: f64,
    /// Depth in a flat or hollow partner to which its approach counts \[m\].
    pub depth: Option<f64>,
}

/// When a pair counts as parted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parting {
    /// As soon as the law's force has fallen to zero, also while δ > 0: surfaces do not pull.
    ZeroForce,
    /// When δ is back at zero; before it the force of a damped law may be negative (Moreira et al. fig. 3).
    ZeroIndentation,
}

impl Parting {
    /// Both rules.
    pub const ALL: [Self; 2] = [Self::ZeroForce, Self::ZeroIndentation];

    /// The word of the model file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ZeroForce => "zero-force",
            Self::ZeroIndentation => "zero-indentation",
        }
    }
}

/// The variables of a contact's own force law, and where they stand on its tape.
pub const FORCE_VARIABLES: [(&str, Variable); 4] = [
    ("delta", Variable::Position(0)),
    ("delta_dot", Variable::Velocity(0)),
    ("onset_speed", Variable::Velocity(1)),
    ("effective_mass", Variable::Position(1)),
];

/// What some laws take beside restitution and stiffness.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct LawParameters {
    /// c \[N s/m\].
    pub damping: Option<f64>,
    /// `c_max` \[N s/m\].
    pub max_damping: Option<f64>,
    /// `d_max` \[m\].
    pub damping_depth: Option<f64>,
    /// F(δ, δ̇, δ̇⁻, m_eff) \[N\] of `FORCE_VARIABLES`.
    pub force: Option<Tape>,
    /// The rule of parting, if not the law's own.
    pub parting: Option<Parting>,
}

/// What the file says about a contact's law: defaults of a scenario, not part of the machine.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ContactDefaults {
    /// e.
    pub restitution: Option<f64>,
    /// K \[N/mⁿ\].
    pub stiffness: Option<f64>,
    /// n, as written or as the stiffness's unit says; the law's own, or 3/2, if it is missing.
    pub exponent: Option<f64>,
    /// Materials, instead of stiffness and exponent.
    pub materials: Option<ContactMaterials>,
    /// The law's name.
    pub law: Option<String>,
    /// What that law takes beside restitution and stiffness.
    pub law_parameters: LawParameters,
    /// Friction.
    pub friction: Option<Friction>,
}

/// How a run treats contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactTreatment {
    /// A force law acts while bodies indent each other.
    Continuous,
    /// Velocities jump at the onset.
    Piecewise,
}

impl ContactTreatment {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Continuous, Self::Piecewise];

    /// The word of the model file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Continuous => "continuous",
            Self::Piecewise => "piecewise",
        }
    }
}

/// What the file says about a run; a scenario may say otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct SimulationDefaults {
    /// How long \[s\].
    pub duration: Option<f64>,
    /// Force laws, or impulses.
    pub contact: Option<ContactTreatment>,
    /// Relative error of a step.
    pub tolerance: Option<f64>,
    /// What closed contacts do at the start.
    pub start: Option<StartRule>,
    /// The law of impulses, a position in `IMPACTS`.
    pub impact: Option<usize>,
}

/// Names of the laws of impulses; the first is the usual one.
pub const IMPACTS: [&str; 13] = [
    "newton",
    "poisson",
    "energetic",
    "generalised",
    "generalised-one-pass",
    "generalised-repeated",
    "sequential",
    "sequential-poisson",
    "sequential-energetic",
    "plastic",
    "newton-at-end",
    "poisson-at-end",
    "plastic-at-end",
];

/// What closed contacts do at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum StartRule {
    /// Bodies start apart or just touching; inside each other they are refused.
    #[default]
    Apart,
    /// Contacts that are closed and at rest stand: under force laws at their static indentation.
    InContact,
}

impl StartRule {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Apart, Self::InContact];

    /// The word of the model file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Apart => "apart",
            Self::InContact => "in-contact",
        }
    }
}

/// A pair that may touch.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    /// Its name in the file.
    pub name: String,
    /// Its geometry.
    pub geometry: ContactGeometry,
    /// Its law.
    pub defaults: ContactDefaults,
}

impl Contact {
    /// Whether it is a joint's stop.
    pub fn is_stop(&self) -> bool {
        matches!(self.geometry, ContactGeometry::Stop(_))
    }

    /// The units of what it measures.
    pub fn units(&self) -> ContactUnits {
        match self.geometry {
            ContactGeometry::Stop(stop) if stop.angular => ContactUnits::ANGULAR,
            _ => ContactUnits::LINEAR,
        }
    }
}
