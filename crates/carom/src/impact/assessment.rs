//! Everything carom says about a contact at a state, as one value.

use nalgebra::DMatrix;
use thiserror::Error;

use super::cone::{Cone, PointMobility};
use super::effective::EffectiveMass;
use super::gradient::Gradients;
use super::load::{ApparentMasses, Energies, ImpactRows, check_count};
use super::prediction::{NamedLaw, Prediction, Striking};
use super::projector::Projectors;
use super::rivals::{Rivals, Subsystems};
use super::routes::Routes;
use super::rows::{NamedRow, check_mobility, named_rows, taking_part, touching_rows};
use super::terms::{FreeMotion, ImpactTerms};
use crate::contact::hertz::{ContactArea, HertzError, Stiffness};
use crate::contact::law::LawError;
use crate::contact::{Approach, ContactError, Standing, TouchPoint, places};
use crate::dynamics::{Accelerations, DynamicsError, Mechanism, Posture, RowWrench, Terms};
use crate::maths::{Twist, Vec3};
use crate::model::Place;

/// Projectors are written out up to this many velocities.
const DENSE_LIMIT: usize = 60;

/// Why a contact could not be assessed.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum AssessmentError {
    /// The mechanism's dynamics fail.
    #[error(transparent)]
    Dynamics(#[from] DynamicsError),
    /// The contact's geometry fails.
    #[error(transparent)]
    Contact(#[from] ContactError),
    /// The stiffness cannot be computed from the contact's materials and shapes.
    #[error(transparent)]
    Stiffness(#[from] HertzError),
    /// The contact's law is refused, or has no answer here.
    #[error("contacts.{contact}: {error}")]
    Law {
        /// The contact.
        contact: String,
        /// Why.
        error: LawError,
    },
}

/// What to look at beside the core: m_eff, apparent masses, u, T, T_c, ξ. Each of these costs time; by default only the law's prediction is
/// computed, [`Options::everything`] asks for all of them but gradients.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::struct_excessive_bools, reason = "each asks for one thing")]
pub struct Options {
    /// Half angle of the cone of directions about the normal \[rad\], if extremes over it are wanted.
    pub cone: Option<f64>,
    /// Joints (by their body's position) to compare with locked.
    pub locked: Vec<usize>,
    /// Whether gradients are wanted.
    pub gradients: bool,
    /// Whether m_eff is wanted by the papers' four formulas in two formulations.
    pub routes: bool,
    /// Whether projectors and admissible rows are wanted.
    pub projectors: bool,
    /// Whether the rival methods of Nikravesh-Poursina are wanted.
    pub rivals: bool,
    /// Whether z_c and τ_c are wanted.
    pub terms: bool,
    /// Whether the contact's stiffness and law, and the impact under it, are wanted.
    pub prediction: bool,
}

impl Options {
    /// The half angle of the cone that [`Options::everything`] asks for \[rad\]: 15°.
    pub const CONE: f64 = std::f64::consts::PI / 12.0;

    /// Everything but gradients and locked joints.
    pub fn everything() -> Self {
        Self {
            cone: Some(Self::CONE),
            routes: true,
            projectors: true,
            rivals: true,
            terms: true,
            ..Self::default()
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            cone: None,
            locked: Vec::new(),
            gradients: false,
            routes: false,
            projectors: false,
            rivals: false,
            terms: false,
            prediction: true,
        }
    }
}

/// One row of a contact: the normal of one of its points, or a tangent where it sticks.
#[derive(Clone, Debug)]
pub struct RowAssessment {
    /// `n`, or `t1`, `t2` for a tangent; numbered where there are several points.
    pub label: String,
    /// The point.
    pub point: TouchPoint,
    /// The row's direction from i to j.
    pub direction: Vec3,
    /// Whether it is a normal.
    pub is_normal: bool,
    /// Whether the point touches.
    pub standing: Standing,
    /// How the row moves.
    pub approach: Approach,
    /// Whether it takes part in the contact's energies: its point touches; where none does, it is the nearest that closes; where none
    /// closes, the nearest.
    pub takes_part: bool,
    /// m_eff, W, u and T_c of this row alone.
    pub effective: EffectiveMass,
    /// m_eff with the other rows that take part held.
    pub others_held: f64,
    /// Apparent masses and coupling.
    pub apparent: ApparentMasses,
    /// m_eff with the chosen joints locked.
    pub locked: Option<EffectiveMass>,
    /// z_c and τ_c, where wanted; `None` on tangents and immobile rows.
    pub terms: Option<ImpactTerms>,
    /// Extremes over a cone about the normal, where wanted.
    pub cone: Option<Cone>,
    /// The rival methods, where wanted.
    pub rivals: Option<Rivals>,
    /// m_eff by eqs. 28, 31, 38, 39 in joint and then in body coordinates, where wanted, for small mechanisms
    /// (eq. 31 needs an inverse of M, which point masses do not have in body coordinates).
    pub routes: Option<[Option<f64>; 8]>,
    /// Peak force of an elastic impact F = K ((n+1) T_c / K)^(n/(n+1)) \[N\], where K is known.
    pub elastic_peak: Option<f64>,
    /// The area of contact at that force, where K follows from materials.
    pub elastic_area: Option<ContactArea>,
    /// The impact under the contact's law, of a closing normal, where the file states all the law takes.
    pub prediction: Option<Prediction>,
    /// Gradients, where wanted.
    pub gradients: Option<Gradients>,
}

/// A contact at a state.
#[derive(Clone, Debug)]
pub struct Assessment {
    /// The contact's name.
    pub contact: String,
    /// Its bodies i and j.
    pub places: (Place, Place),
    /// Its rows.
    pub rows: Vec<RowAssessment>,
    /// K and n, written or from materials and shapes in this pose.
    pub stiffness: Option<Stiffness>,
    /// The law the file names.
    pub law: Option<NamedLaw>,
    /// How many of the rows that take part are independent.
    pub rank: usize,
    /// W = A Y Aᵀ.
    pub W: DMatrix<f64>,
    /// Energies over the rows that take part: those of touching points, or of the nearest ones that close where none touches.
    pub energies: Energies,
    /// Whether a point touches; if not, energies are what they would be if the nearest points touched here.
    pub touching: bool,
    /// Projectors and B_a, where wanted, for small mechanisms.
    pub projectors: Option<Projectors>,
}

impl Assessment {
    /// Assesses one contact at a posture.
    pub fn new(
        at: &Posture<'_>,
        contact: usize,
        options: &Options,
    ) -> Result<Self, AssessmentError> {
        let named = named_rows(at, contact)?;
        check_count(named.len())?;
        let wrenches: Vec<RowWrench> = named.iter().map(|r| r.wrench).collect();
        check_mobility(at, &wrenches)?;
        let mut together = ImpactRows::new(at, &wrenches);
        let locked = locked_masses(at, &wrenches, &options.locked)?;
        let (stiffness, striking) = if options.prediction {
            let stiffness = at.contact_stiffness(contact)?;
            (stiffness, Some(Striking::new(&at.model().contacts[contact], stiffness.as_ref())?))
        } else {
            (None, None)
        };
        let extras = Extras::new(at, contact, options)?;
        let pair = places(at.model(), contact);
        let approaches = together.approaches(at, named.iter().map(|row| (contact, row)));
        let (part, touching) = taking_part(&named.iter(), &approaches);
        let mut rows = Vec::with_capacity(named.len());
        for (k, row) in named.iter().enumerate() {
            let effective = together.effective(k);
            let approach = approaches[k];
            let closes = approach == Approach::Closing && !effective.is_immobile();
            let elastic_peak = stiffness.filter(|_| closes).map(|s| elastic_peak(&s, &effective));
            let mut out = RowAssessment {
                label: row.label.clone(),
                point: row.point,
                direction: row.direction,
                is_normal: row.is_normal,
                standing: row.standing,
                approach,
                takes_part: part.contains(&k),
                effective,
                others_held: together.others_held(k, &part),
                apparent: ImpactRows::apparent(at, &row.wrench),
                locked: locked.as_ref().map(|l| l[k]),
                terms: None,
                cone: None,
                rivals: None,
                routes: extras.routes.as_ref().map(|r| r.masses(at, &row.wrench)),
                elastic_peak,
                elastic_area: stiffness.zip(elastic_peak).and_then(|(s, force)| s.area(force)),
                prediction: None,
                gradients: None,
            };
            if row.is_normal {
                if let Some(striking) = striking.as_ref().filter(|_| closes) {
                    out.prediction = striking.predict(&effective)?;
                }
                extras.complete_normal(at, row, options, &mut out)?;
            }
            rows.push(out);
        }
        let taking = touching_rows(&part, |k| (rows[k].is_normal, rows[k].approach));
        Ok(Self {
            contact: at.model().contacts[contact].name.clone(),
            places: pair,
            rank: together.rank_of(&part),
            energies: together.energies(at, &taking),
            touching,
            projectors: options.projectors.then(|| projectors(at, &together)).flatten(),
            W: together.W,
            rows,
            stiffness,
            law: striking.as_ref().and_then(Striking::named),
        })
    }
}

impl Assessment {
    /// The core alone, without stiffness and law: it has an answer where these have none.
    pub fn without_law(at: &Posture<'_>, contact: usize) -> Result<Self, AssessmentError> {
        Self::new(at, contact, &Options { prediction: false, ..Options::default() })
    }

    /// The normal with the most energy among the rows that take part; of equal ones the first.
    pub fn hardest(&self) -> Option<&RowAssessment> {
        let normals = self.rows.iter().filter(|r| r.is_normal && r.takes_part);
        normals.reduce(
            |most, row| {
                if row.effective.energy > most.effective.energy { row } else { most }
            },
        )
    }

    /// T_c \[J\] over the rows that an impact strikes: zero where no point that takes part closes.
    pub fn impact_energy(&self) -> f64 {
        self.energies.closing
    }
}

/// What the optional quantities of all rows of a contact share.
struct Extras<'a> {
    contact: usize,
    pair: (Place, Place),
    routes: Option<Routes<'a>>,
    rivals: Option<(Subsystems, Accelerations)>,
    motion: Option<FreeMotion>,
}

impl<'a> Extras<'a> {
    fn new(at: &Posture<'a>, contact: usize, options: &Options) -> Result<Self, DynamicsError> {
        let rivals = options.rivals.then(|| at.accelerations(Terms::All)).transpose()?;
        Ok(Self {
            contact,
            pair: places(at.model(), contact),
            routes: if options.routes { Routes::new(at)? } else { None },
            rivals: rivals.map(|motion| (Subsystems::new(at.model()), motion)),
            motion: options.terms.then(|| FreeMotion::new(at)).transpose()?,
        })
    }

    /// What only a normal has: z_c, τ_c, the cone, rivals, gradients.
    fn complete_normal(
        &self,
        at: &Posture<'_>,
        row: &NamedRow,
        options: &Options,
        out: &mut RowAssessment,
    ) -> Result<(), AssessmentError> {
        let (contact, (a, b)) = (self.contact, self.pair);
        if let Some((subsystems, motion)) = &self.rivals {
            out.rivals = Some(Rivals::new(at, subsystems, motion, self.pair, &row.direction));
        }
        // The stop of a joint has no direction that a cone could be about.
        if let Some(half_angle) = options.cone.filter(|_| !at.model().contacts[contact].is_stop()) {
            let points = PointMobility::new(at, (a, row.point.on_a), (b, row.point.on_b));
            out.cone = Some(points.cone(&row.direction, half_angle));
        }
        if self.motion.is_none() && !options.gradients {
            return Ok(());
        }
        let twist = |place: Place| at.frames().twist(place);
        let turning = at.contact_variation(contact, row.index, &twist)?;
        out.terms = self.motion.as_ref().and_then(|motion| {
            ImpactTerms::new(at, motion, (&row.wrench, &turning), &out.effective)
        });
        if options.gradients {
            let variation = |motion: &dyn Fn(Place) -> Twist| {
                // The same point was found above; it is found for every motion.
                at.contact_variation(contact, row.index, motion).unwrap_or(turning)
            };
            out.gradients = Gradients::new(at, &row.wrench, &variation, &out.effective);
        }
        Ok(())
    }
}

/// Projectors and B_a of the rows.
fn projectors(at: &Posture<'_>, together: &ImpactRows) -> Option<Projectors> {
    if at.model().nv > DENSE_LIMIT {
        return None;
    }
    let mut A = DMatrix::zeros(together.rows.len(), at.model().nv);
    for (k, w) in together.rows.iter().enumerate() {
        A.row_mut(k).copy_from(&at.jacobian_row(w).transpose());
    }
    Projectors::new(&at.matrices(), &A, &together.inverse())
}

/// The rows' effective masses with further joints locked.
fn locked_masses(
    at: &Posture<'_>,
    rows: &[RowWrench],
    locked: &[usize],
) -> Result<Option<Vec<EffectiveMass>>, DynamicsError> {
    if locked.is_empty() {
        return Ok(None);
    }
    let mut mechanism = Mechanism::with_locked(at.model(), locked)?;
    let held = mechanism.at(at.state())?;
    Ok(Some(rows.iter().map(|r| held.settled_mass(r)).collect()))
}

/// F = K ((n+1) T_c / K)^(n/(n+1)).
pub(crate) fn elastic_peak(law: &Stiffness, row: &EffectiveMass) -> f64 {
    let (K, n) = (law.stiffness, law.exponent);
    K * ((n + 1.0) * row.energy / K).powf(n / (n + 1.0))
}
