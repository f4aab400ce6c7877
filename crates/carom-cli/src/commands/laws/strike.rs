//! An impact under a law, from the options of the command line.

use carom::contact::impact1d::{Impact1D, Outcome, Sample};
use carom::contact::law::{
    ContactLaw, Entry, ForceExpression, Form, Indentation, LawError, Onset, Parameter, Parting,
    Settings,
};
use carom::maths::units::Dimension;

use super::quantity::{number, quantity};
use super::stiffness::{Elasticity, Pair, elasticity};
use crate::args::{Impact, PartingRule};
use crate::number::{six, three};
use carom::answer::judge::LARGE_CONTACT;

/// N s/m.
const DAMPING: Dimension = Dimension::new(1.0, 0.0, -1.0);
/// The rules of parting agree if restitution and duration do, to round-off of an integration.
const SAME: f64 = 1e-9;

/// Moments of a phase in a drawing.
const PHASE: usize = 401;

/// The impact by one rule of parting.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ruled {
    /// The rule.
    pub parting: Parting,
    /// What comes of it.
    pub outcome: Outcome,
}

/// The impact without loss.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elastic {
    /// \[N\]
    pub peak_force: f64,
    /// \[m\]
    pub max_indentation: f64,
}

/// Which moments of an impact are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sampling {
    /// None.
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

/// An impact under a law.
#[derive(Debug)]
pub(crate) struct Strike {
    /// The law.
    pub entry: &'static Entry,
    /// What it was made from.
    pub settings: Settings,
    /// The force expression as written.
    pub force: Option<String>,
    /// What K comes from, if it was not given.
    pub pair: Option<Pair>,
    /// n in force; none for a law without a power.
    pub exponent: Option<f64>,
    /// m_eff \[kg\].
    pub mass: f64,
    /// δ̇⁻ \[m/s\].
    pub speed: f64,
    /// By the rule of parting in force.
    pub own: Ruled,
    /// By the other rule, where it makes a difference.
    pub other: Option<Result<Ruled, LawError>>,
    /// The impact without loss; none for a law that stores nothing.
    pub elastic: Option<Elastic>,
    /// Moments from the onset to the parting, as many as were asked for.
    pub curve: Vec<Sample>,
    /// What may not be meant.
    pub warnings: Vec<String>,
}

impl Strike {
    /// Reads the options, makes the law and strikes.
    pub(crate) fn new(
        entry: &'static Entry,
        given: &Impact,
        sampling: Sampling,
    ) -> Result<Self, String> {
        let elasticity = elasticity(given)?;
        let settings = settings(given, &elasticity)?;
        let (mass, speed) = mass_and_speed(entry, given)?;
        let explain = |error: LawError| match error {
            LawError::Missing { parameter, .. } => format!("{error}; give {}", option(parameter)),
            LawError::OutOfRange { what, .. }
                if what == Parameter::Exponent.name() && given.exponent.is_none() =>
            {
                let source = if given.materials.is_some() {
                    "--materials"
                } else {
                    "the unit of --stiffness"
                };
                format!("{error}; the exponent follows from {source}")
            }
            other => other.to_string(),
        };
        let law = entry.make(&settings).map_err(explain)?;
        let struck = Impact1D::new(law.as_ref(), mass, speed).map_err(explain)?;
        let own = Ruled { parting: struck.parting(), outcome: *struck.outcome() };
        let curve = sampling.of(&struck);
        let exponent = settings.exponent.or(entry.exponent.map(|x| x.1));
        let elastic = elastic(law.as_ref(), struck.onset());
        let mut warnings = warnings(entry, &own);
        warnings.extend(elasticity.pair.and_then(|pair| too_wide(&pair, &own)));
        Ok(Self {
            entry,
            pair: elasticity.pair,
            force: given.force.clone(),
            exponent,
            mass,
            speed,
            other: other_rule(entry, law.as_ref(), struck.onset(), &own),
            elastic,
            curve,
            warnings,
            own,
            settings,
        })
    }

    /// The peak by that of the impact without loss.
    pub(crate) fn peak_ratio(&self, ruled: &Ruled) -> Option<f64> {
        self.elastic.map(|elastic| ruled.outcome.peak_force / elastic.peak_force)
    }
}

/// The word on the command line.
fn option(parameter: Parameter) -> String {
    format!("--{}", parameter.name().replace('_', "-"))
}

/// The options a law takes.
pub(crate) fn options(entry: &Entry) -> String {
    let words: Vec<String> = entry.parameters.iter().map(|p| option(*p)).collect();
    words.join(", ")
}

fn settings(given: &Impact, elasticity: &Elasticity) -> Result<Settings, String> {
    let Elasticity { stiffness, exponent, .. } = *elasticity;
    let read = |word: &str, text: &Option<String>, dimension| {
        text.as_deref().map(|text| quantity(word, text, dimension)).transpose()
    };
    let force = given.force.as_deref().map(|text| {
        ForceExpression::parse(text).map_err(|error| format!("--force \"{text}\": {error}"))
    });
    Ok(Settings {
        stiffness,
        exponent,
        restitution: given
            .restitution
            .as_deref()
            .map(|text| number("--restitution", text))
            .transpose()?,
        damping: read("--damping", &given.damping, DAMPING)?,
        max_damping: read("--max-damping", &given.max_damping, DAMPING)?,
        damping_depth: read("--damping-depth", &given.damping_depth, Dimension::LENGTH)?,
        force: force.transpose()?,
        parting: given.parting.map(PartingRule::rule),
    })
}

fn mass_and_speed(entry: &Entry, given: &Impact) -> Result<(f64, f64), String> {
    match (given.mass.as_deref(), given.speed.as_deref()) {
        (Some(mass), Some(speed)) => {
            let mass = quantity("--mass", mass, Dimension::MASS)?;
            Ok((mass, quantity("--speed", speed, Dimension::VELOCITY)?))
        }
        (mass, speed) => {
            let missing: Vec<&str> = [("--mass", mass), ("--speed", speed)]
                .into_iter()
                .filter_map(|(word, text)| text.is_none().then_some(word))
                .collect();
            Err(format!(
                "{}: {} missing: an impact needs --mass (the effective mass [kg]), --speed (the \
                 approach [m/s]) and the parameters of the law ({})",
                entry.name,
                missing.join(" and ") + if missing.len() == 1 { " is" } else { " are" },
                options(entry)
            ))
        }
    }
}

/// The impact by the rule that is not in force, if it is another impact.
fn other_rule(
    entry: &Entry,
    law: &dyn ContactLaw,
    onset: &Onset,
    own: &Ruled,
) -> Option<Result<Ruled, LawError>> {
    // With hysteresis force and indentation reach zero together.
    if matches!(entry.form, Form::Elastic | Form::Hysteresis(_)) {
        return None;
    }
    let parting = Parting::ALL.into_iter().find(|&rule| rule != own.parting)?;
    match Impact1D::parting_at(law, onset.effective_mass, onset.speed, parting) {
        Ok(struck) => {
            let (a, b) = (&own.outcome, struck.outcome());
            let differ = |a: f64, b: f64| a != b && !((a - b).abs() <= SAME * a.abs());
            let differs = differ(a.restitution, b.restitution) || differ(a.duration, b.duration);
            differs.then_some(Ok(Ruled { parting, outcome: *b }))
        }
        Err(error) => Some(Err(error)),
    }
}

fn elastic(law: &dyn ContactLaw, onset: &Onset) -> Option<Elastic> {
    let energy = 0.5 * onset.effective_mass * onset.speed * onset.speed;
    let depth = law.elastic_depth(energy, onset).filter(|d| *d > 0.0 && d.is_finite())?;
    let peak_force = law.force(&Indentation { delta: depth, delta_dot: 0.0 }, onset);
    (peak_force > 0.0).then_some(Elastic { peak_force, max_indentation: depth })
}

fn warnings(entry: &Entry, own: &Ruled) -> Vec<String> {
    let e = own.outcome.restitution;
    let mut out = Vec::new();
    if e > 1.0 + SAME {
        out.push(format!(
            "warning: {}: the restitution delivered is {}: the pair parts with more energy than it came \
             with",
            entry.name,
            six(e)
        ));
    }
    out
}

/// Of a contact that is not small beside the bodies: δ = a²/R.
fn too_wide(pair: &Pair, own: &Ruled) -> Option<String> {
    let size = (own.outcome.max_indentation / pair.effective_radius()).sqrt();
    (size > LARGE_CONTACT).then(|| {
        format!(
            "warning: --radii: at the greatest indentation the contact is {} of the radius wide to each \
             side; Hertz's theory asks for a small part",
            three(size)
        )
    })
}
