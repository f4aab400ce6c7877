//! What the answers say of a contact: its sides, its units, its stiffness and its law.

use schemars::JsonSchema;
use serde::Serialize;

use crate::contact::hertz::{Stiffness, StiffnessOrigin};
use crate::contact::impact1d::{Factors, ImpactOutcome};
use crate::contact::law::Parameter;
use crate::contact::places;
use crate::impact::{NamedLaw, Prediction};
use crate::maths::digits::clean;
use crate::model::{Contact, ContactGeometry, Material, Model, Place};

/// Two sides of a contact by name: who strikes, and what is struck. The ground is struck, it does not strike; where its shape has a
/// name, that name stands for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Sides {
    /// Body i.
    pub i: String,
    /// Body j.
    pub j: String,
    /// What the contact is between, in words.
    pub between: String,
    /// The side that strikes.
    pub striker: String,
    /// The side that is struck: a body, a shape of the ground, `the ground` or `its stop`.
    pub struck: String,
}

impl Sides {
    /// Of a contact of a model.
    pub fn new(model: &Model, contact: usize) -> Self {
        let (i, j) = places(model, contact);
        let (striker, struck) = match (model.contacts[contact].geometry, i, j) {
            (ContactGeometry::Stop(stop), _, _) => {
                (model.place_name(Some(stop.body)).to_owned(), "its stop".to_owned())
            }
            (ContactGeometry::Rope { .. }, None, j) => (own(model, j), ROPE.to_owned()),
            (ContactGeometry::Rope { .. }, i, None) => (own(model, i), ROPE.to_owned()),
            (ContactGeometry::Shapes { a, .. }, None, j) => (own(model, j), ground(model, a)),
            (ContactGeometry::Shapes { b, .. }, i, None) => (own(model, i), ground(model, b)),
            (_, None, j) => (own(model, j), GROUND.to_owned()),
            (_, i, None) => (own(model, i), GROUND.to_owned()),
            (_, i, j) => (own(model, i), own(model, j)),
        };
        Self {
            i: model.place_name(i).to_owned(),
            j: model.place_name(j).to_owned(),
            between: between(model, contact),
            striker,
            struck,
        }
    }

    /// Both sides in a sentence: names in backticks.
    pub fn quoted(&self) -> (String, String) {
        let quoted = |name: &str| match name {
            GROUND | ROPE | "its stop" => name.to_owned(),
            name => format!("`{name}`"),
        };
        (quoted(&self.striker), quoted(&self.struck))
    }
}

/// The ground without a named shape.
const GROUND: &str = "the ground";
/// What holds a body that is tied to the ground.
const ROPE: &str = "its rope";

fn own(model: &Model, place: Place) -> String {
    model.place_name(place).to_owned()
}

/// `wall` of the shape `ground.wall`.
fn ground(model: &Model, shape: usize) -> String {
    let name = model.shapes[shape].name.as_str();
    let own = name.rsplit_once('.').map_or(name, |(_, own)| own);
    if own.is_empty() { GROUND.to_owned() } else { own.to_owned() }
}

/// `point slider.nose and plane block.face`.
fn between(model: &Model, contact: usize) -> String {
    match model.contacts[contact].geometry {
        ContactGeometry::Shapes { a, b } => {
            let side =
                |k: usize| format!("{} {}", model.shapes[k].kind.name(), model.shapes[k].name);
            format!("{} and {}", side(a), side(b))
        }
        ContactGeometry::Points { a, b, .. } => format!(
            "points of {} and {}, with a given normal",
            model.place_name(a.body),
            model.place_name(b.body)
        ),
        ContactGeometry::Rope { a, b, .. } => {
            format!(
                "the ends of a rope on {} and {}",
                model.place_name(a.body),
                model.place_name(b.body)
            )
        }
        ContactGeometry::Stop(stop) => {
            format!("stops of joint {}", model.bodies[stop.body.index()].joint.name)
        }
    }
}

/// K and n of F = K δⁿ, and where they come from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub struct StiffnessAnswer {
    /// K \[N/mⁿ\].
    #[serde(rename = "K")]
    pub stiffness: f64,
    /// n.
    #[serde(rename = "n")]
    pub exponent: f64,
    /// `stiffness` written in the file, or the theory for its materials.
    pub from: String,
    /// The materials that the file names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub materials: Option<Vec<MaterialAnswer>>,
    /// E* \[Pa\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact_modulus: Option<f64>,
    /// A and B of a point contact \[1/m\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relative_curvatures: Option<[f64; 2]>,
    /// b/a of the contact ellipse.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub axis_ratio: Option<f64>,
    /// Of a line contact \[m\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effective_radius: Option<f64>,
    /// Of a line contact \[m\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<f64>,
    /// The force at which the power law of a line contact is matched \[N\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference_force: Option<f64>,
    /// Of a half-space under a line contact \[m\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<f64>,
}

impl StiffnessAnswer {
    /// Of a contact with a stiffness.
    pub fn new(contact: &Contact, found: &Stiffness) -> Self {
        let materials = contact.defaults.materials.as_ref();
        let base = Self {
            stiffness: found.stiffness,
            exponent: found.exponent,
            materials: materials.map(|m| m.pair.iter().map(MaterialAnswer::new).collect()),
            ..Self::default()
        };
        match &found.origin {
            StiffnessOrigin::Written => Self { from: "stiffness".to_owned(), ..base },
            StiffnessOrigin::Point(point) => Self {
                from: "materials, point contact".to_owned(),
                contact_modulus: Some(point.modulus()),
                relative_curvatures: Some(point.relative_curvatures()),
                axis_ratio: Some(point.axis_ratio()),
                ..base
            },
            StiffnessOrigin::Line { contact, cylinders } => Self {
                from: "materials, line contact".to_owned(),
                contact_modulus: Some(contact.modulus()),
                effective_radius: Some(contact.effective_radius()),
                length: Some(cylinders.length),
                reference_force: Some(cylinders.reference_force),
                depth: cylinders.depth,
                ..base
            },
        }
    }
}

/// A material of a contact.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MaterialAnswer {
    /// Its name.
    pub name: String,
    /// E \[Pa\].
    pub young: f64,
    /// ν.
    pub poisson: f64,
    /// \[kg/m³\].
    pub density: Option<f64>,
    /// Where the numbers come from.
    pub source: String,
}

impl MaterialAnswer {
    fn new(material: &Material) -> Self {
        Self {
            name: material.name.to_string(),
            young: material.young,
            poisson: material.poisson,
            density: material.density,
            source: material.source.to_string(),
        }
    }
}

/// The law that a file names for a contact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LawAnswer {
    /// Its name.
    pub name: String,
    /// The rule of parting in force.
    pub parting: String,
    /// Parameters that the law takes and the file does not state: without them no force is predicted.
    pub missing: Vec<String>,
    /// Parameters that the file states and the law does not take.
    pub unused: Vec<String>,
}

impl LawAnswer {
    /// Of a law that a file names.
    pub fn new(law: &NamedLaw) -> Self {
        let names = |all: &[Parameter]| all.iter().map(|p| p.name().to_owned()).collect::<Vec<_>>();
        Self {
            name: law.name.to_owned(),
            parting: law.parting.name().to_owned(),
            missing: names(&law.missing),
            unused: names(&law.unused),
        }
    }
}

/// The impact of two masses under a contact law, in SI units.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct OutcomeAnswer {
    /// ½ m_eff u² \[J\].
    pub energy: f64,
    /// \[N\].
    pub peak_force: f64,
    /// \[s\] after the onset.
    pub time_of_peak: f64,
    /// \[m\].
    pub max_indentation: f64,
    /// \[s\] after the onset.
    pub time_of_max_indentation: f64,
    /// From the onset to the parting \[s\]; `null` for a pair that does not part.
    #[schemars(with = "Option<f64>")]
    pub duration: f64,
    /// Whether the pair parts.
    pub parts: bool,
    /// The indentation at which the pair parts \[m\].
    pub parting_indentation: f64,
    /// e delivered.
    pub restitution: f64,
    /// \[m/s\].
    pub separation_speed: f64,
    /// \[J\].
    pub energy_lost: f64,
    /// \[N s\].
    pub impulse: f64,
}

impl From<&ImpactOutcome> for OutcomeAnswer {
    /// What an integration leaves of a restitution of zero is zero.
    fn from(found: &ImpactOutcome) -> Self {
        let restitution = clean(found.restitution, 1.0);
        Self {
            energy: found.energy,
            peak_force: found.peak_force,
            time_of_peak: found.time_of_peak,
            max_indentation: found.max_indentation,
            time_of_max_indentation: found.time_of_max_indentation,
            duration: found.duration,
            parts: found.duration.is_finite(),
            parting_indentation: found.parting_indentation,
            restitution,
            separation_speed: if restitution == 0.0 { 0.0 } else { found.separation_speed },
            energy_lost: found.energy_lost,
            impulse: found.impulse,
        }
    }
}

/// An impact under the contact's own law, the machine frozen in its pose.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PredictionAnswer {
    /// In SI units.
    #[serde(flatten)]
    pub outcome: OutcomeAnswer,
    /// Against the elastic impact.
    pub factors: Factors,
}

impl From<&Prediction> for PredictionAnswer {
    fn from(found: &Prediction) -> Self {
        let restitution = clean(found.factors.restitution, 1.0);
        let factors = Factors { restitution, ..found.factors };
        Self { outcome: (&found.outcome).into(), factors }
    }
}
