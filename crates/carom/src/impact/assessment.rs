//! Everything carom says about a contact at a state, as one value.

use nalgebra::DMatrix;
use thiserror::Error;

use super::cone::{Cone, PointMobility};
use super::effective::EffectiveMass;
use super::gradient::Gradients;
use super::load::{ApparentMasses, Energies, ImpactRows};
use super::prediction::{NamedLaw, Prediction, Striking};
use super::projector::Projectors;
use super::rivals::Rivals;
use super::routes;
use super::terms::ImpactTerms;
use crate::contact::hertz::{ContactArea, HertzError, Stiffness};
use crate::contact::law::LawError;
use crate::contact::{ContactError, TouchPoint, places};
use crate::dynamics::body_space::BodySpace;
use crate::dynamics::{DynamicsError, Mechanism, Posture, RowWrench, Terms};
use crate::maths::Vec3;
use crate::model::{Friction, Place};

/// Dense matrices (four routes, projectors) are written out up to this many velocities.
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
    /// The contact's materials and shapes give no stiffness.
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

/// What to look at.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Half angle of the cone of directions \[rad\].
    pub cone: f64,
    /// Joints (by their body's position) to compare with locked.
    pub locked: Vec<usize>,
    /// Whether gradients are wanted.
    pub gradients: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { cone: 15.0_f64.to_radians(), locked: Vec::new(), gradients: false }
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
    /// m_eff, W, u and T_c of this row alone.
    pub effective: EffectiveMass,
    /// m_eff with all other rows held.
    pub others_held: f64,
    /// Apparent masses and coupling.
    pub apparent: ApparentMasses,
    /// m_eff with the chosen joints locked.
    pub locked: Option<EffectiveMass>,
    /// z_c and τ_c; `None` on tangents and immobile rows.
    pub terms: Option<ImpactTerms>,
    /// Extremes over a cone about the normal.
    pub cone: Option<Cone>,
    /// The rival methods.
    pub rivals: Option<Rivals>,
    /// m_eff by eqs. 28, 31, 38, 39 in joint and then in body coordinates, for small mechanisms
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
    /// How many rows are independent.
    pub rank: usize,
    /// W = A Y Aᵀ.
    pub W: DMatrix<f64>,
    /// Energies over all rows.
    pub energies: Energies,
    /// Projectors and B_a, for small mechanisms.
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
        let wrenches: Vec<RowWrench> = named.iter().map(|r| r.wrench).collect();
        check_mobility(at, &wrenches)?;
        let together = ImpactRows::new(at, &wrenches);
        let locked = locked_masses(at, &wrenches, &options.locked)?;
        let stiffness = at.contact_stiffness(contact)?;
        let striking = Striking::new(&at.model().contacts[contact], stiffness.as_ref())?;
        let motion = at.accelerations(Terms::All)?;
        let pair = places(at.model(), contact);
        let mut rows = Vec::with_capacity(named.len());
        for (k, row) in named.iter().enumerate() {
            let effective = together.effective(k);
            let elastic_peak = stiffness.and_then(|s| elastic_peak(&s, &effective));
            let mut out = RowAssessment {
                label: row.label.clone(),
                point: row.point,
                direction: row.direction,
                is_normal: row.is_normal,
                effective,
                others_held: together.others_held(k),
                apparent: ImpactRows::apparent(at, &row.wrench),
                locked: locked.as_ref().map(|l| l[k]),
                terms: None,
                cone: None,
                rivals: None,
                routes: four_routes(at, &row.wrench)?,
                elastic_peak,
                elastic_area: stiffness.zip(elastic_peak).and_then(|(s, force)| s.area(force)),
                prediction: None,
                gradients: None,
            };
            if row.is_normal {
                out.prediction = striking.predict(&effective)?;
                complete_normal(at, contact, row, options, &mut out)?;
                out.rivals = Some(Rivals::new(at, &motion, pair, &row.direction));
            }
            rows.push(out);
        }
        let closing = closing_rows(rows.iter().map(|r| (r.is_normal, r.effective.rate)));
        let projectors = (at.model().nv <= DENSE_LIMIT)
            .then(|| {
                let mut A = DMatrix::zeros(wrenches.len(), at.model().nv);
                for (k, w) in wrenches.iter().enumerate() {
                    A.row_mut(k).copy_from(&at.jacobian_row(w).transpose());
                }
                Projectors::new(&at.matrices(), &A, &together.inverse())
            })
            .flatten();
        Ok(Self {
            contact: at.model().contacts[contact].name.clone(),
            places: pair,
            rank: together.rank(),
            energies: together.energies(at, &closing),
            W: together.W,
            rows,
            stiffness,
            law: striking.named(),
            projectors,
        })
    }
}

/// A row before it is assessed.
pub(super) struct NamedRow {
    pub label: String,
    index: usize,
    point: TouchPoint,
    direction: Vec3,
    pub is_normal: bool,
    pub wrench: RowWrench,
}

/// A row that pushes on a coordinate without inertia meets no mass at all, and no finite answer.
pub(super) fn check_mobility(at: &Posture<'_>, rows: &[RowWrench]) -> Result<(), DynamicsError> {
    rows.iter().find_map(|row| at.push_without_inertia(row)).map_or(Ok(()), Err)
}

/// The normals of all points, and their tangents where the contact sticks.
pub(super) fn named_rows(at: &Posture<'_>, contact: usize) -> Result<Vec<NamedRow>, ContactError> {
    let touch = at.touch(contact)?;
    let sticks = at.model().contacts[contact].defaults.friction == Some(Friction::Stick);
    let many = touch.points().len() > 1;
    let mut rows = Vec::new();
    for (index, point) in touch.points().iter().enumerate() {
        let mut push = |name: String, direction: Vec3, is_normal: bool| {
            let label = if many { format!("{name}.{}", index + 1) } else { name };
            let wrench = at.contact_row(contact, point, &direction);
            rows.push(NamedRow { label, index, point: *point, direction, is_normal, wrench });
        };
        push("n".to_owned(), point.normal, true);
        if sticks {
            for (k, tangent) in at.contact_tangents(point).into_iter().enumerate() {
                push(format!("t{}", k + 1), tangent, false);
            }
        }
    }
    Ok(rows)
}

/// Of rows given as (is a normal, u): the normals with u < 0, and the tangents that follow them.
pub(super) fn closing_rows(rows: impl Iterator<Item = (bool, f64)>) -> Vec<usize> {
    let mut closing = Vec::new();
    let mut follows = false;
    for (k, (is_normal, rate)) in rows.enumerate() {
        if is_normal {
            follows = rate < 0.0;
        }
        if follows {
            closing.push(k);
        }
    }
    closing
}

/// What only a normal has: z_c, τ_c, the cone, gradients.
fn complete_normal(
    at: &Posture<'_>,
    contact: usize,
    row: &NamedRow,
    options: &Options,
    out: &mut RowAssessment,
) -> Result<(), AssessmentError> {
    let twist = |place: Place| at.frames().twist(place);
    let turning = at.contact_variation(contact, row.index, &twist)?;
    out.terms = ImpactTerms::new(at, &row.wrench, &turning, &out.effective)?;
    let (a, b) = places(at.model(), contact);
    let points = PointMobility::new(at, (a, row.point.on_a), (b, row.point.on_b));
    out.cone = Some(points.cone(&row.direction, options.cone));
    if options.gradients {
        let variation = |motion: &dyn Fn(Place) -> crate::maths::Twist| {
            // The same point was found above; it is found for every motion.
            at.contact_variation(contact, row.index, motion).unwrap_or(turning)
        };
        out.gradients = Gradients::new(at, &row.wrench, &variation, &out.effective);
    }
    Ok(())
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

/// All four routes in both formulations, for small mechanisms.
fn four_routes(
    at: &Posture<'_>,
    row: &RowWrench,
) -> Result<Option<[Option<f64>; 8]>, DynamicsError> {
    if at.model().nv == 0 || at.model().nv > DENSE_LIMIT {
        return Ok(None);
    }
    let joint = at.matrices();
    let body = BodySpace::new(at)?;
    let A = at.jacobian_row(row);
    let A_body = body.row(row);
    let mut out = [None; 8];
    for (k, (matrices, A)) in [(&joint, &A), (&body.matrices, &A_body)].into_iter().enumerate() {
        let all = [
            routes::bordered_dependent(matrices, A),
            routes::closed_dependent(matrices, A),
            routes::bordered_independent(matrices, A),
            routes::closed_independent(matrices, A),
        ];
        out[4 * k..4 * k + 4].copy_from_slice(&all);
    }
    Ok(Some(out))
}

/// F = K ((n+1) T_c / K)^(n/(n+1)) of a closing row.
fn elastic_peak(law: &Stiffness, row: &EffectiveMass) -> Option<f64> {
    let (K, n) = (law.stiffness, law.exponent);
    if row.is_immobile() || row.rate >= 0.0 {
        return None;
    }
    Some(K * ((n + 1.0) * row.energy / K).powf(n / (n + 1.0)))
}
