//! The impact of two bodies under a contact law.

use schemars::JsonSchema;
use serde::Serialize;

use super::elasticity::SpherePair;
use super::{creates_energy, differ};
use crate::answer::{Caution, CautionCode};
use crate::contact::impact1d::{self, Impact1D, Sample};
use crate::contact::law::{
    ContactLaw, Entry, Form, Indentation, LawError, Onset, Parameter, Parting, Settings,
};
use crate::maths::digits::{six, three};

/// Moments of each phase in a drawing.
const PHASE: usize = 401;

/// Which moments of an impact are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sampling {
    /// None.
    #[default]
    None,
    /// So many, at equal steps of time.
    Even(usize),
    /// For a drawing: compression and restitution may last very differently long, and each is to be smooth.
    Drawn,
}

impl Sampling {
    fn of(self, struck: &Impact1D<'_>) -> Vec<Sample> {
        match self {
            Self::None => Vec::new(),
            Self::Even(count) => struck.curve(count),
            Self::Drawn => {
                let rest = struck.curve(PHASE);
                let deepest = struck.outcome().time_of_max_indentation;
                let step = deepest / PHASE as f64;
                let compression = (0..=PHASE).map(|k| struck.at(step * k as f64));
                compression.chain(rest.into_iter().filter(|s| s.time > deepest)).collect()
            }
        }
    }
}

/// What an impact under a law is made of.
#[derive(Clone, Debug)]
pub(super) struct LawImpactOptions {
    /// m_eff \[kg\].
    pub mass: f64,
    /// δ̇⁻ \[m/s\].
    pub speed: f64,
    /// The parameters of the law.
    pub settings: Settings,
    /// What the stiffness comes from, if it was not given.
    pub pair: Option<SpherePair>,
    /// The force expression as written.
    pub force: Option<String>,
    /// The moments that are wanted.
    pub sampling: Sampling,
}

/// The parameters that the law takes.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct LawSettings {
    /// K \[N/mⁿ\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<f64>,
    /// n in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exponent: Option<f64>,
    /// e asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restitution: Option<f64>,
    /// c \[N s/m\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damping: Option<f64>,
    /// `c_max` \[N s/m\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_damping: Option<f64>,
    /// `d_max` \[m\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damping_depth: Option<f64>,
    /// The force as an expression.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub force: Option<String>,
}

/// Two materials and two radii that gave the stiffness.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StiffnessFrom {
    /// The names of the materials.
    pub materials: [String; 2],
    /// E \[Pa\].
    pub young: [f64; 2],
    /// ν.
    pub poisson: [f64; 2],
    /// R \[m\]: negative for a hollow, `null` for a plane.
    #[schemars(with = "[Option<f64>; 2]")]
    pub radii: [f64; 2],
}

/// The impact without loss.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ElasticImpact {
    /// \[N\]
    pub peak_force: f64,
    /// \[m\]
    pub max_indentation: f64,
}

/// What comes of an impact by one rule of parting.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LawOutcome {
    /// The rule of parting.
    pub parting: String,
    /// Whether the pair parts in finite time.
    pub parts: bool,
    /// e delivered.
    pub restitution: f64,
    /// \[N\]
    pub peak_force: f64,
    /// \[s\]
    pub time_of_peak: f64,
    /// \[m\]
    pub max_indentation: f64,
    /// \[s\]
    pub time_of_max_indentation: f64,
    /// \[s\]; `null` if the pair never parts.
    #[schemars(with = "Option<f64>")]
    pub duration: f64,
    /// \[m\]
    pub parting_indentation: f64,
    /// \[m/s\]
    pub separation_speed: f64,
    /// T_c \[J\].
    pub energy: f64,
    /// \[J\]
    pub energy_lost: f64,
    /// 1 − e².
    pub share_lost: f64,
    /// \[N s\]
    pub impulse: f64,
    /// The peak force divided by that of the impact without loss; `null` for a law that stores nothing.
    pub peak_by_elastic_peak: Option<f64>,
}

/// The impact by the rule of parting that is not in force.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum OtherParting {
    /// What comes of it.
    Outcome(Box<LawOutcome>),
    /// Why it has no answer.
    Refused {
        /// The reason.
        error: String,
    },
}

/// A moment of an impact.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct CurvePoint {
    /// Since the onset \[s\].
    pub t: f64,
    /// δ \[m\].
    pub delta: f64,
    /// δ̇ \[m/s\].
    pub delta_dot: f64,
    /// F \[N\].
    pub force: f64,
}

/// An impact under a law.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LawImpact {
    /// The version of carom.
    pub carom: String,
    /// The law.
    pub law: String,
    /// Its formula.
    pub formula: String,
    /// What it was made from.
    pub settings: LawSettings,
    /// What the stiffness comes from; `null` if it was given.
    pub stiffness_from: Option<StiffnessFrom>,
    /// m_eff \[kg\].
    pub effective_mass: f64,
    /// δ̇⁻ \[m/s\].
    pub approach_speed: f64,
    /// The impact without loss; `null` for a law that stores nothing.
    pub elastic: Option<ElasticImpact>,
    /// By the rule of parting in force.
    pub outcome: LawOutcome,
    /// By the other rule, where it makes a difference.
    pub other_parting: Option<OtherParting>,
    /// Moments from the onset to the parting, as many as were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub curve: Vec<CurvePoint>,
    /// What a user must know.
    pub cautions: Vec<Caution>,
}

impl LawImpact {
    /// Makes the law and strikes.
    pub(super) fn new(entry: &Entry, given: &LawImpactOptions) -> Result<Self, LawError> {
        let law = entry.make(&given.settings)?;
        let struck = Impact1D::new(law.as_ref(), given.mass, given.speed)?;
        let elastic = elastic(law.as_ref(), struck.onset());
        let own = LawOutcome::new(struck.parting(), struck.outcome(), elastic);
        let other_parting = other_rule(entry, law.as_ref(), struck.onset(), struck.parting())
            .map(|found| match found {
                Ok((parting, o)) => {
                    OtherParting::Outcome(Box::new(LawOutcome::new(parting, &o, elastic)))
                }
                Err(error) => OtherParting::Refused { error: error.to_string() },
            })
            .filter(|other| other.differs(&own));
        Ok(Self {
            carom: crate::answer::version(),
            law: entry.name.to_owned(),
            formula: entry.formula.to_owned(),
            settings: LawSettings::new(entry, given),
            stiffness_from: given.pair.as_ref().map(StiffnessFrom::new),
            effective_mass: given.mass,
            approach_speed: given.speed,
            elastic,
            cautions: cautions(entry, given.pair.as_ref(), &own),
            outcome: own,
            other_parting,
            curve: given.sampling.of(&struck).iter().map(CurvePoint::new).collect(),
        })
    }
}

impl OtherParting {
    /// Whether it is another impact than the one by the rule in force, beyond the error of the integration.
    fn differs(&self, own: &LawOutcome) -> bool {
        let differ = |a: f64, b: f64| differ(a, b, a.abs());
        match self {
            Self::Refused { .. } => true,
            Self::Outcome(o) => {
                differ(own.restitution, o.restitution) || differ(own.duration, o.duration)
            }
        }
    }
}

impl LawSettings {
    fn new(entry: &Entry, given: &LawImpactOptions) -> Self {
        let number = |p: Parameter| given.settings.number(p).filter(|_| entry.takes(p));
        Self {
            stiffness: number(Parameter::Stiffness),
            exponent: given.settings.exponent.or(entry.exponent.map(|x| x.1)),
            restitution: number(Parameter::Restitution),
            damping: number(Parameter::Damping),
            max_damping: number(Parameter::MaxDamping),
            damping_depth: number(Parameter::DampingDepth),
            force: given.force.clone().filter(|_| entry.takes(Parameter::Force)),
        }
    }
}

impl StiffnessFrom {
    fn new(pair: &SpherePair) -> Self {
        let of =
            |f: fn(&crate::model::Material) -> f64| [0, 1].map(|k: usize| f(&pair.materials[k]));
        Self {
            materials: [0, 1].map(|k: usize| pair.materials[k].name.to_string()),
            young: of(|m| m.young),
            poisson: of(|m| m.poisson),
            radii: pair.radii,
        }
    }
}

impl LawOutcome {
    fn new(parting: Parting, o: &impact1d::ImpactOutcome, elastic: Option<ElasticImpact>) -> Self {
        Self {
            parting: parting.name().to_owned(),
            parts: o.duration.is_finite(),
            restitution: o.restitution,
            peak_force: o.peak_force,
            time_of_peak: o.time_of_peak,
            max_indentation: o.max_indentation,
            time_of_max_indentation: o.time_of_max_indentation,
            duration: o.duration,
            parting_indentation: o.parting_indentation,
            separation_speed: o.separation_speed,
            energy: o.energy,
            energy_lost: o.energy_lost,
            share_lost: (1.0 - o.restitution) * (1.0 + o.restitution),
            impulse: o.impulse,
            peak_by_elastic_peak: elastic.map(|elastic| o.peak_force / elastic.peak_force),
        }
    }
}

impl CurvePoint {
    pub(super) fn new(s: &Sample) -> Self {
        Self { t: s.time, delta: s.delta, delta_dot: s.delta_dot, force: s.force }
    }
}

/// The impact by the rule that is not in force.
fn other_rule(
    entry: &Entry,
    law: &dyn ContactLaw,
    onset: &Onset,
    own: Parting,
) -> Option<Result<(Parting, impact1d::ImpactOutcome), LawError>> {
    // With hysteresis force and indentation reach zero together.
    if matches!(entry.form, Form::Elastic | Form::Hysteresis(_)) {
        return None;
    }
    let parting = Parting::ALL.into_iter().find(|&rule| rule != own)?;
    let struck = Impact1D::parting_at(law, onset.effective_mass, onset.speed, parting);
    Some(struck.map(|struck| (parting, *struck.outcome())))
}

fn elastic(law: &dyn ContactLaw, onset: &Onset) -> Option<ElasticImpact> {
    let energy = 0.5 * onset.effective_mass * onset.speed * onset.speed;
    let depth = law.elastic_depth(energy, onset).filter(|d| *d > 0.0 && d.is_finite())?;
    let peak_force = law.force(&Indentation { delta: depth, delta_dot: 0.0 }, onset);
    (peak_force > 0.0).then_some(ElasticImpact { peak_force, max_indentation: depth })
}

fn cautions(entry: &Entry, pair: Option<&SpherePair>, own: &LawOutcome) -> Vec<Caution> {
    let mut out = Vec::new();
    if creates_energy(own.restitution) {
        let message = format!(
            "the restitution delivered is {}: the pair parts with more energy than it came with",
            six(own.restitution)
        );
        let caution = Caution::warning(CautionCode::LawCreatesEnergy, "", message);
        out.push(caution.of_law(entry.name));
    }
    if let Some(pair) = pair {
        // δ = a²/R
        let size = (own.max_indentation / pair.effective_radius()).sqrt();
        if size > crate::answer::judge::LARGE_CONTACT {
            let message = format!(
                "at the greatest indentation the contact is {} of the radius wide to each side; Hertz's theory asks for a \
                 small part",
                three(size)
            );
            out.push(Caution::warning(CautionCode::LargeContact, "", message));
        }
    }
    out
}
