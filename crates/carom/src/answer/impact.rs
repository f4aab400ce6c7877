//! The answer of `impact`: velocities and impulses after an impact at the closed contacts, by one or several laws.

use schemars::JsonSchema;
use serde::Serialize;

use super::strike::{of_strike, of_struck};
use super::{
    AnswerError, BodyVelocity, Caution, CautionCode, ContactUnits, Head, Sides, StateAnswer,
    StruckAnswer, components, grouped, judge,
};
use crate::contact::{Approach, Standing};
use crate::dynamics::Mechanism;
use crate::file::Opened;
use crate::impact::laws::{Generalised, ImpactFriction, ImpactLaw, ImpactMemory, Removal, find};
use crate::impact::{Strike, StrikeError, StrikeWishes};

/// The laws that are compared unless others are asked for.
const USUAL_LAWS: [&str; 6] =
    ["newton", "poisson", "energetic", "generalised", "sequential", "plastic"];

/// What is asked of an impact beside what the file states.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImpactOptions {
    /// The laws to compare; six of them if there is none.
    pub laws: Vec<String>,
    /// e of every contact, instead of the file's.
    pub restitution: Option<f64>,
    /// Friction of every contact, instead of the file's.
    pub friction: Option<ImpactFriction>,
    /// How the law `generalised` chooses its rows, instead of by complementarity.
    pub removal: Option<Removal>,
}

/// Velocities and impulses after an impact, by one or several laws.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ImpactAnswer {
    /// Which program, which file, with which edits.
    #[serde(flatten)]
    pub head: Head,
    /// What a user must know to trust the answer.
    pub cautions: Vec<Caution>,
    /// Time, positions and velocities before.
    pub state: StateAnswer,
    /// Velocities of the bodies before.
    pub bodies: Vec<BodyVelocity>,
    /// The points that take part.
    pub contacts: Vec<StrikePointAnswer>,
    /// W = A Y Aᵀ, by rows.
    #[serde(rename = "W")]
    pub mobility: Vec<Vec<f64>>,
    /// u⁻ of every row.
    pub u_before: Vec<f64>,
    /// Joints and closures whose reaction impulses are not unique.
    pub reactions_not_unique: Vec<String>,
    /// Whether drives close contacts that cannot separate: then the impact energy T_c is unbounded, and no law has an answer.
    pub unbounded: bool,
    /// The drives that would have to stop then.
    pub drives: Vec<String>,
    /// What each law says.
    pub laws: Vec<LawImpact>,
}

/// One point that takes part in an impact.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct StrikePointAnswer {
    /// Its name, numbered where the contact has several points.
    pub name: String,
    /// The contact.
    pub contact: String,
    /// The sides of the contact.
    #[serde(flatten)]
    pub sides: Sides,
    /// g, in the contact's unit.
    pub gap: f64,
    /// The point on body i \[m\].
    pub on_i: [f64; 3],
    /// The point on body j \[m\].
    pub on_j: [f64; 3],
    /// The unit normal from i to j.
    pub normal: [f64; 3],
    /// Unit tangents, where it has friction.
    pub tangents: Vec<[f64; 3]>,
    /// Whether it touches; an open point that was named takes part as if it touched here.
    pub standing: Standing,
    /// Whether it closes before the impact.
    pub motion: Approach,
    /// e in force.
    pub restitution: f64,
    /// μ in force, or `stick`.
    pub friction: FrictionAnswer,
    /// Units of what it measures.
    pub units: ContactUnits,
    /// The row of its normal.
    pub row: usize,
    /// How many rows it has: the normal, then the tangents.
    pub rows: usize,
}

/// A coefficient of friction, or a word.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum FrictionAnswer {
    /// μ.
    Coefficient(f64),
    /// `stick`.
    Word(String),
}

impl From<ImpactFriction> for FrictionAnswer {
    fn from(friction: ImpactFriction) -> Self {
        match friction {
            ImpactFriction::None => Self::Coefficient(0.0),
            ImpactFriction::Coulomb(mu) => Self::Coefficient(mu),
            ImpactFriction::Stick => Self::Word("stick".to_owned()),
        }
    }
}

/// What a law says: an answer, or why it refuses.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum LawImpact {
    /// An answer.
    Struck(Box<StruckAnswer>),
    /// A refusal.
    Refused {
        /// The law.
        law: String,
        /// Why it has no answer.
        refused: String,
    },
}

impl LawImpact {
    /// The answer, if there is one.
    pub fn struck(&self) -> Option<&StruckAnswer> {
        match self {
            Self::Struck(answer) => Some(answer),
            Self::Refused { .. } => None,
        }
    }
}

impl ImpactAnswer {
    /// Resolves the impact at the closed points of all contacts, or of the named ones, by their positions in the model.
    pub fn new(
        opened: &Opened,
        sets: &[(String, String)],
        contacts: Option<&[usize]>,
        options: &ImpactOptions,
    ) -> Result<Self, AnswerError> {
        let laws = laws(options)?;
        let model = opened.model();
        let mut mechanism = Mechanism::new(model);
        let at = mechanism
            .at(&opened.assembled.state)
            .map_err(|error| AnswerError::dynamics(opened, error))?;
        let wishes = StrikeWishes { restitution: options.restitution, friction: options.friction };
        let explain = |error| AnswerError::impact(opened, error);
        let strike = Strike::new(at, contacts, &wishes).map_err(explain)?;
        let unique = at.unique_reactions();
        let mut cautions = judge::of_file(opened);
        cautions.extend(of_strike(&strike, &wishes));
        let mut contacts: Vec<usize> = strike.points.iter().map(|p| p.contact).collect();
        contacts.dedup();
        cautions
            .extend(contacts.into_iter().filter_map(|k| super::singular::of_dead_centre(&at, k)));
        let held = strike.held.as_ref();
        cautions.extend(
            held.map(|held| judge::unbounded(strike.name_of(held.row), &held.drives, true)),
        );
        let mut memory = ImpactMemory::default();
        let mut found = Vec::with_capacity(laws.len());
        for law in laws {
            let name = law.name();
            let refused = match strike.resolve(law.as_ref(), &mut memory) {
                Ok(struck) => {
                    cautions.extend(of_struck(name, &strike, &struck));
                    let answer = StruckAnswer::new(name, &strike, &struck, &unique);
                    found.push(LawImpact::Struck(Box::new(answer)));
                    continue;
                }
                Err(StrikeError::Law { why, .. }) => why,
                Err(error @ StrikeError::CannotSeparate { .. }) => {
                    found.push(LawImpact::Refused {
                        law: name.to_owned(),
                        refused: error.to_string(),
                    });
                    continue;
                }
                Err(error @ StrikeError::NoRestitution { .. }) => {
                    format!("{error}; write one, or give --restitution")
                }
                Err(error) => return Err(explain(error)),
            };
            // A law that was not asked for by name may refuse without a warning.
            let caution = Caution::warning(CautionCode::LawRefuses, "", refused.clone());
            let caution = caution.of_law(name);
            cautions.push(if options.laws.is_empty() {
                Caution { severity: super::Severity::Note, ..caution }
            } else {
                caution
            });
            found.push(LawImpact::Refused { law: name.to_owned(), refused });
        }
        let paths = model.joint_paths().into_iter().zip(&unique);
        let reactions_not_unique: Vec<String> =
            paths.filter_map(|(path, unique)| (!unique).then_some(path)).collect();
        if !reactions_not_unique.is_empty() {
            let message = format!(
                "the reaction impulses of {} are not unique: other ones give the same velocities",
                judge::list(&reactions_not_unique, "")
            );
            cautions.push(Caution::warning(CautionCode::ReactionsNotUnique, "", message));
        }
        let n = strike.rows.len();
        Ok(Self {
            head: Head::new(opened, sets),
            cautions: grouped(cautions),
            state: StateAnswer::new(model, at.state()),
            bodies: BodyVelocity::all(&at),
            contacts: points(&strike),
            mobility: strike.W.chunks(n.max(1)).map(<[f64]>::to_vec).collect(),
            u_before: strike.u.clone(),
            reactions_not_unique,
            unbounded: held.is_some(),
            drives: held.map_or_else(Vec::new, |held| held.drives.clone()),
            laws: found,
        })
    }

    /// What the laws say that have an answer.
    pub fn answered(&self) -> impl Iterator<Item = &StruckAnswer> {
        self.laws.iter().filter_map(LawImpact::struck)
    }

    /// The largest normal impulse that a law gives, and the point that bears it.
    pub fn hardest(&self, struck: &StruckAnswer) -> Option<(&StrikePointAnswer, f64)> {
        let impulse = |p: &StrikePointAnswer| struck.impulses.get(p.row).copied().unwrap_or(0.0);
        let all = self.contacts.iter().map(|p| (p, impulse(p)));
        all.reduce(|best, next| if next.1 >= best.1 { next } else { best })
    }

    /// The laws that refuse, and why.
    pub fn refusals(&self) -> impl Iterator<Item = (&str, &str)> {
        self.laws.iter().filter_map(|law| match law {
            LawImpact::Refused { law, refused } => Some((law.as_str(), refused.as_str())),
            LawImpact::Struck(_) => None,
        })
    }
}

/// The laws asked for, each once.
fn laws(options: &ImpactOptions) -> Result<Vec<Box<dyn ImpactLaw>>, AnswerError> {
    let asked: Vec<&str> = if options.laws.is_empty() {
        USUAL_LAWS.to_vec()
    } else {
        options.laws.iter().map(String::as_str).collect()
    };
    let mut out: Vec<Box<dyn ImpactLaw>> = Vec::new();
    for name in asked {
        let entry = find(name).map_err(|error| AnswerError::Law { error })?;
        if out.iter().any(|law| law.name() == entry.name) {
            continue;
        }
        match options.removal {
            Some(removal) if entry.name == "generalised" => {
                out.push(Box::new(Generalised { removal }));
            }
            _ => out.push(Box::new(entry.law)),
        }
    }
    Ok(out)
}

fn points(strike: &Strike<'_>) -> Vec<StrikePointAnswer> {
    let at = strike.at();
    let model = at.model();
    let all = strike.points.iter().zip(&strike.contacts);
    all.map(|(p, contact)| StrikePointAnswer {
        name: p.name.clone(),
        contact: model.contacts[p.contact].name.clone(),
        sides: Sides::new(model, p.contact),
        gap: p.touch.gap,
        on_i: components(&p.touch.on_a),
        on_j: components(&p.touch.on_b),
        normal: components(&p.touch.normal),
        tangents: p.tangents.iter().map(components).collect(),
        standing: p.standing,
        motion: Approach::of(&at, p.contact, &p.touch),
        restitution: contact.restitution,
        friction: contact.friction.into(),
        units: model.contacts[p.contact].units(),
        row: p.row,
        rows: contact.rows(),
    })
    .collect()
}
