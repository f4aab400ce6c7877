//! The answer of `assess`: how heavy each contact feels, and how much energy an impact there can use.

use schemars::JsonSchema;
use serde::Serialize;

use super::contact::{LawAnswer, StiffnessAnswer};
use super::judge::{self, place};
use super::row::{BesideAnswer, MassAnswer, RowAnswer, RowKind};
use super::{
    AnswerError, BodyVelocity, Caution, CautionCode, Constraints, ContactUnits, Head, Sides,
    StateAnswer, grouped, rows, sentence,
};
use crate::contact::Approach;
use crate::dynamics::{Mechanism, Posture};
use crate::file::Opened;
use crate::impact::projector::Projectors;
use crate::impact::{Assessment, Energies, Options, Together};
use crate::maths::digits::{clean, six};

/// Up to this many contacts are also taken together: the size of W grows with the square of the number of their rows.
pub(super) const MOST_TOGETHER: usize = 30;

/// How heavy the contacts of a machine feel, and how much energy an impact can use.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AssessAnswer {
    /// Which program, which file, with which edits.
    #[serde(flatten)]
    pub head: Head,
    /// What a user must know to trust the answer.
    pub cautions: Vec<Caution>,
    /// Time, positions and velocities.
    pub state: StateAnswer,
    /// Velocities of the bodies.
    pub bodies: Vec<BodyVelocity>,
    /// Degrees of freedom and redundancy.
    pub constraints: Constraints,
    /// Joints that are locked for comparison.
    pub locked: Vec<String>,
    /// The contacts.
    pub contacts: Vec<ContactAnswer>,
    /// All of them struck at once, where there are several.
    pub together: Option<TogetherAnswer>,
}

/// One contact.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ContactAnswer {
    /// Its name.
    pub name: String,
    /// Its sides.
    #[serde(flatten)]
    pub sides: Sides,
    /// The answer in a sentence.
    pub sentence: String,
    /// Whether one of its points touches; if none does, all numbers are those it would have if it touched here.
    pub touching: bool,
    /// Energies over its rows.
    pub energies: EnergiesAnswer,
    /// K and n, if the file states them or materials.
    pub stiffness: Option<StiffnessAnswer>,
    /// e that the file asks for.
    pub restitution: Option<f64>,
    /// The law that the file names.
    pub law: Option<LawAnswer>,
    /// Units of what it measures.
    pub units: ContactUnits,
    /// How many of the rows that take part are independent.
    pub rank: usize,
    /// Its rows.
    pub rows: Vec<RowAnswer>,
    /// W = A Y Aᵀ, by rows, in the contact's unit of mobility.
    #[serde(rename = "W")]
    pub mobility: Vec<Vec<f64>>,
    /// Projectors on what an impact stops and lets pass, where asked for.
    pub projectors: Option<ProjectorsAnswer>,
}

/// Energies of the state against a set of rows (Gonzalez et al. eqs. 16, 17, 20).
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct EnergiesAnswer {
    /// T \[J\].
    pub kinetic_energy: f64,
    /// ½ uᵀ W⁺ u over all rows, separating ones included \[J\]; `null` where it is unbounded.
    #[schemars(with = "Option<f64>")]
    pub constrained_energy: f64,
    /// T_a = T − T_c \[J\]; `null` where T_c is unbounded.
    #[schemars(with = "Option<f64>")]
    pub admissible_energy: f64,
    /// ξ = ½ uᵀ W⁺ u / T over all rows; zero at rest, `null` where a drive moves or the energy is unbounded.
    pub xi: Option<f64>,
    /// T_c over the rows that an impact strikes: the energy it can use \[J\]; `null` where it is unbounded. These are the closing rows, and
    /// those of touching points that the impulses there drive together.
    #[schemars(with = "Option<f64>")]
    pub impact_energy: f64,
    /// The same divided by T; zero at rest, `null` where a drive moves or the energy is unbounded.
    pub impact_share: Option<f64>,
    /// Whether a closing contact cannot give way: then T_c is unbounded.
    pub unbounded: bool,
    /// The drives that would have to stop.
    pub drives: Vec<String>,
    /// Whether drives move: then T depends on the frame, and shares of T say nothing.
    pub frame_dependent: bool,
}

impl EnergiesAnswer {
    /// Of energies of the engine; what cancels in T − T_c is zero. T_c itself follows from u, so T is not the scale of its round-off.
    pub(super) fn new(e: &Energies) -> Self {
        // T depends on the frame where a drive moves, and so does every share of it.
        let share = |x: f64| (!e.driven && x.is_finite()).then_some(x);
        Self {
            kinetic_energy: e.total,
            constrained_energy: e.constrained,
            admissible_energy: clean(e.admissible, e.total),
            xi: share(e.share),
            impact_energy: e.closing,
            // Without a drive T_c ≤ T but for round-off.
            impact_share: share(if e.total > 0.0 { (e.closing / e.total).min(1.0) } else { 0.0 }),
            unbounded: e.unbounded,
            drives: e.drives.clone(),
            frame_dependent: e.driven,
        }
    }
}

/// Contacts struck at once.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TogetherAnswer {
    /// Whether a point touches; if none does, these are the numbers of the nearest points if they touched here.
    pub touching: bool,
    /// Energies over all of the rows.
    pub energies: EnergiesAnswer,
    /// How many rows are independent.
    pub rank: usize,
    /// The rows.
    pub rows: Vec<TogetherRowAnswer>,
    /// W = A Y Aᵀ, by rows.
    #[serde(rename = "W")]
    pub mobility: Vec<Vec<f64>>,
}

/// One row among those of all contacts.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TogetherRowAnswer {
    /// The contact.
    pub contact: String,
    /// The row's name within it.
    pub label: String,
    /// u, in the contact's unit.
    pub u: f64,
    /// m_eff alone, in the contact's unit; `null` for an immobile row.
    #[schemars(with = "Option<f64>")]
    pub effective_mass: f64,
    /// Whether nothing can move along it.
    pub immobile: bool,
    /// m_eff with all other rows of all contacts held.
    pub others_held: MassAnswer,
    /// The unit of its masses.
    pub mass_unit: String,
}

/// Projectors and the effective mass matrix (Gonzalez et al. eqs. 11, 17-20), each by rows.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ProjectorsAnswer {
    /// Π = Y M.
    pub admissible_motion: Vec<Vec<f64>>,
    /// P_c.
    #[serde(rename = "P_c")]
    pub constrained: Vec<Vec<f64>>,
    /// P_a.
    #[serde(rename = "P_a")]
    pub admissible: Vec<Vec<f64>>,
    /// M_eff = Aᵀ W⁺ A.
    pub effective_mass_matrix: Vec<Vec<f64>>,
    /// B_a.
    #[serde(rename = "B_a")]
    pub admissible_rows: Vec<Vec<f64>>,
}

impl From<&Projectors> for ProjectorsAnswer {
    fn from(p: &Projectors) -> Self {
        Self {
            admissible_motion: rows(&p.admissible_motion),
            constrained: rows(&p.constrained),
            admissible: rows(&p.admissible),
            effective_mass_matrix: rows(&p.effective_mass),
            admissible_rows: rows(&p.admissible_rows),
        }
    }
}

impl AssessAnswer {
    /// Assesses some contacts, by their positions in the model, in the state of an opened file.
    pub fn new(
        opened: &Opened,
        sets: &[(String, String)],
        contacts: &[usize],
        options: &Options,
    ) -> Result<Self, AnswerError> {
        let model = opened.model();
        let mut mechanism = Mechanism::new(model);
        let at = mechanism
            .at(&opened.assembled.state)
            .map_err(|error| AnswerError::dynamics(opened, error))?;
        let constraints = at.constraint_report();
        let mut cautions = judge::of_file(opened);
        cautions.extend(judge::of_constraints(&constraints));
        let singular = at.singularity().is_some();
        let mut found = Vec::with_capacity(contacts.len());
        for &contact in contacts {
            let assessed = Assessment::new(&at, contact, options)
                .map_err(|error| AnswerError::assessment(opened, error))?;
            let mut answer = ContactAnswer::new(&at, contact, &assessed);
            if singular {
                for (row, found) in answer.rows.iter_mut().zip(&assessed.rows) {
                    let wrench = at.contact_row(contact, &found.point, &found.direction);
                    row.beside = at.mass_beside(&wrench).as_ref().map(BesideAnswer::new);
                }
            }
            cautions.extend(of_contact(&at, contact, &assessed, &answer));
            found.push(answer);
        }
        let together = (2..=MOST_TOGETHER)
            .contains(&contacts.len())
            .then(|| Together::new(&at, contacts))
            .transpose()
            .map_err(|error| AnswerError::assessment(opened, error))?;
        let squeezed = together.as_ref().and_then(|all| judge::unbounded_together(all, &cautions));
        cautions.extend(squeezed);
        let joint = |k: &usize| model.bodies.get(*k).map(|b| b.joint.name.clone());
        Ok(Self {
            head: Head::new(opened, sets),
            cautions: grouped(cautions),
            state: StateAnswer::new(model, at.state()),
            bodies: BodyVelocity::all(&at),
            constraints: Constraints::new(&constraints),
            locked: options.locked.iter().filter_map(joint).collect(),
            contacts: found,
            together: together.as_ref().map(|all| TogetherAnswer::new(&at, all)),
        })
    }

    /// The contact whose impact can use most energy.
    pub fn hardest(&self) -> Option<&ContactAnswer> {
        let harder = |a: &ContactAnswer, b: &ContactAnswer| {
            b.energies.impact_energy > a.energies.impact_energy
        };
        self.contacts.iter().reduce(|a, b| if harder(a, b) { b } else { a })
    }
}

impl ContactAnswer {
    fn new(at: &Posture<'_>, contact: usize, found: &Assessment) -> Self {
        let stated = &at.model().contacts[contact];
        let sides = Sides::new(at.model(), contact);
        let rows: Vec<RowAnswer> =
            found.rows.iter().map(|row| RowAnswer::new(at, row, &sides)).collect();
        let mut out = Self {
            name: found.contact.clone(),
            sentence: String::new(),
            touching: found.touching,
            energies: EnergiesAnswer::new(&found.energies),
            stiffness: found.stiffness.as_ref().map(|s| StiffnessAnswer::new(stated, s)),
            restitution: stated.defaults.restitution,
            law: found.law.as_ref().map(LawAnswer::new),
            units: stated.units(),
            rank: found.rank,
            mobility: super::rows(&found.W),
            projectors: found.projectors.as_ref().map(ProjectorsAnswer::from),
            sides,
            rows,
        };
        out.sentence = sentence::of_contact(&out);
        out
    }

    /// The normals among its rows.
    pub fn normals(&self) -> impl Iterator<Item = &RowAnswer> {
        self.rows.iter().filter(|r| r.kind == RowKind::Normal)
    }

    /// How many of the points that take part in the energies close, and how many take part.
    pub fn closing(&self) -> (usize, usize) {
        let counted = || self.normals().filter(|r| r.takes_part);
        (counted().filter(|r| r.motion == Approach::Closing).count(), counted().count())
    }

    /// Whether the gap closes along a normal.
    pub fn closes(&self) -> bool {
        self.normals().any(|r| r.motion == Approach::Closing)
    }
}

impl TogetherAnswer {
    fn new(at: &Posture<'_>, all: &Together) -> Self {
        let model = at.model();
        let unit = |name: &str| {
            let contact = model.contact(name).map(|k| model.contacts[k].units());
            contact.unwrap_or(crate::model::ContactUnits::LINEAR).mass.to_owned()
        };
        let rows = all.rows.iter().map(|r| TogetherRowAnswer {
            contact: r.contact.clone(),
            label: r.label.clone(),
            u: r.effective.rate,
            effective_mass: r.effective.mass,
            immobile: r.effective.is_immobile(),
            others_held: r.others_held.into(),
            mass_unit: unit(&r.contact),
        });
        Self {
            touching: all.touching,
            energies: EnergiesAnswer::new(&all.energies),
            rank: all.rank,
            rows: rows.collect(),
            mobility: super::rows(&all.W),
        }
    }
}

/// Of one contact: penetration, an open gap, an unbounded T_c, its law, its contact area.
fn of_contact(
    at: &Posture<'_>,
    contact: usize,
    found: &Assessment,
    answer: &ContactAnswer,
) -> Vec<Caution> {
    let stated = &at.model().contacts[contact];
    let normals = found.rows.iter().filter(|r| r.is_normal).map(|r| (r.standing, r.point.gap));
    let mut out = Vec::new();
    out.extend(judge::of_points(stated, normals));
    if !answer.touching {
        let gap = answer.normals().map(|r| r.gap).fold(f64::INFINITY, f64::min);
        let message = format!(
            "open by {} {}; its numbers are those it would have if it touched here",
            six(gap),
            answer.units.gap
        );
        out.push(Caution::note(CautionCode::OpenContact, place(&stated.name), message));
    }
    out.extend(super::singular::of_contact(at, contact));
    out.extend(super::singular::of_dead_centre(at, contact));
    if answer.energies.unbounded {
        out.push(judge::unbounded(&stated.name, &answer.energies.drives, answer.touching));
    }
    out.extend(of_law(found));
    out.extend(judge::of_areas(&stated.name, found.rows.iter().filter_map(|r| r.elastic_area)));
    out
}

/// Of a law that cannot be used as the file states it.
fn of_law(contact: &Assessment) -> Vec<Caution> {
    let Some(law) = &contact.law else { return Vec::new() };
    let names = |all: &[crate::contact::law::Parameter]| {
        all.iter().map(|p| format!("`{}`", p.name())).collect::<Vec<_>>().join(", ")
    };
    let place = || place(&contact.contact);
    let mut out = Vec::new();
    if !law.unused.is_empty() {
        let message = format!("law `{}` takes no {}; it is not used", law.name, names(&law.unused));
        out.push(Caution::warning(CautionCode::ParameterUnused, place(), message));
    }
    if !law.missing.is_empty() {
        let message =
            format!("law `{}` predicts no force: {} is missing", law.name, names(&law.missing));
        out.push(Caution::warning(CautionCode::ParameterMissing, place(), message));
    }
    let delivered = contact.rows.iter().filter_map(|r| r.prediction.map(|p| p.outcome.restitution));
    let most = delivered.fold(0.0, f64::max);
    if super::laws::creates_energy(most) {
        let message = format!(
            "law `{}` returns more energy than it takes: it delivers a restitution of {}",
            law.name,
            six(most)
        );
        out.push(Caution::warning(CautionCode::LawCreatesEnergy, place(), message));
    }
    out
}
