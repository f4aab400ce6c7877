//! What is said of one row of a contact: the normal of one of its points, or a tangent where it sticks.

use schemars::JsonSchema;
use serde::Serialize;

use super::contact::PredictionAnswer;
use super::gradients::GradientsAnswer;
use super::{Sides, components};
use crate::contact::{Approach, Standing};
use crate::dynamics::Posture;
use crate::impact::{Cone, Extremes, MassBeside, Rival, Rivals, RowAssessment};

/// One row of a contact.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RowAnswer {
    /// `n`, or `t1`, `t2` for a tangent; numbered where there are several points.
    pub label: String,
    /// Normal or tangent.
    pub kind: RowKind,
    /// g, in the contact's unit.
    pub gap: f64,
    /// Whether the point touches.
    pub standing: Standing,
    /// The point on body i \[m\].
    pub on_i: [f64; 3],
    /// The point on body j \[m\].
    pub on_j: [f64; 3],
    /// The unit normal from i to j.
    pub normal: [f64; 3],
    /// The unit direction of the row from i to j.
    pub direction: [f64; 3],
    /// u, in the contact's unit; negative closes.
    pub u: f64,
    /// Whether it closes.
    pub motion: Approach,
    /// m_eff, in the contact's unit; `null` for an immobile row.
    #[schemars(with = "Option<f64>")]
    pub effective_mass: f64,
    /// Whether nothing can move along the row: m_eff = ∞.
    pub immobile: bool,
    /// W = 1/m_eff, in the contact's unit.
    pub mobility: f64,
    /// ½ m_eff u² \[J\]; `null` where it is unbounded.
    #[schemars(with = "Option<f64>")]
    pub constrained_energy: f64,
    /// Whether the row closes although nothing can give way: a drive would have to stop.
    pub unbounded: bool,
    /// Whether it counts in the energies of the contact: its point touches, or is the nearest where none does.
    pub takes_part: bool,
    /// Of either side alone.
    pub apparent_masses: ApparentAnswer,
    /// Of a singular pose: m_eff in the poses beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beside: Option<BesideAnswer>,
    /// m_eff with the other rows of the contact that take part in the impact held.
    pub others_held: MassAnswer,
    /// m_eff with the chosen joints locked.
    pub locked: Option<MassAnswer>,
    /// z_c, τ_c and u̇, where asked for; `null` on tangents and immobile rows.
    pub terms: Option<TermsAnswer>,
    /// Peak force of an elastic impact \[N\], where K is known and the row closes.
    pub elastic_peak: Option<f64>,
    /// The contact area at that force, where K follows from materials.
    pub elastic_area: Option<AreaAnswer>,
    /// The impact under the contact's own law.
    pub prediction: Option<PredictionAnswer>,
    /// Extremes over a cone about the normal, where asked for.
    pub cone: Option<ConeAnswer>,
    /// What other methods say of m_eff, where asked for.
    pub rivals: Option<RivalsAnswer>,
    /// m_eff by eqs. 28, 31, 38, 39 of Nikravesh-Poursina, where asked for.
    pub routes: Option<RoutesAnswer>,
    /// Derivatives of m_eff and T_c, where asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gradients: Option<GradientsAnswer>,
}

/// Normal or tangent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RowKind {
    /// A normal.
    Normal,
    /// A tangent of a contact that sticks.
    Tangent,
}

impl RowKind {
    /// The word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Tangent => "tangent",
        }
    }
}

impl RowAnswer {
    /// Another effective mass divided by m_eff of this row; none where one of them is infinite.
    pub fn times(&self, mass: f64) -> Option<f64> {
        Some(mass / self.effective_mass).filter(|x| x.is_finite() && !self.immobile)
    }

    /// Of a row of an assessment.
    pub(super) fn new(at: &Posture<'_>, row: &RowAssessment, sides: &Sides) -> Self {
        let effective = &row.effective;
        let immobile = effective.is_immobile();
        let side = |body: &str, mass: f64| SideAnswer {
            body: body.to_owned(),
            mass,
            immobile: mass.is_infinite(),
        };
        Self {
            label: row.label.clone(),
            kind: if row.is_normal { RowKind::Normal } else { RowKind::Tangent },
            gap: row.point.gap,
            standing: row.standing,
            on_i: components(&row.point.on_a),
            on_j: components(&row.point.on_b),
            normal: components(&row.point.normal),
            direction: components(&row.direction),
            u: effective.rate,
            motion: row.approach,
            effective_mass: effective.mass,
            immobile,
            mobility: effective.mobility,
            constrained_energy: effective.energy,
            unbounded: effective.is_unbounded(),
            takes_part: row.takes_part,
            apparent_masses: ApparentAnswer {
                i: side(&sides.i, row.apparent.i),
                j: side(&sides.j, row.apparent.j),
                coupling: row.apparent.coupling,
                uncoupled: row.apparent.uncoupled,
                lighter: lighter(sides, row.apparent.i, row.apparent.j),
            },
            beside: None,
            others_held: row.others_held.into(),
            locked: row.locked.map(|l| l.mass.into()),
            terms: row.terms.map(|t| TermsAnswer {
                z_c: t.velocity,
                tau_c: t.force,
                u_dot: t.acceleration,
            }),
            elastic_peak: row.elastic_peak,
            elastic_area: row.elastic_area.map(|area| AreaAnswer {
                half_axes: area.half_axes,
                peak_pressure: area.peak_pressure,
                relative_size: area.relative_size,
            }),
            prediction: row.prediction.as_ref().map(PredictionAnswer::from),
            cone: row.cone.as_ref().map(ConeAnswer::from),
            rivals: row.rivals.as_ref().map(RivalsAnswer::from),
            routes: row.routes.as_ref().map(|all| RoutesAnswer::new(all, effective.mass)),
            gradients: row.gradients.as_ref().map(|g| GradientsAnswer::new(at, g, effective.mass)),
        }
    }
}

/// The side that decides: its apparent mass is less than half of the other's, and both are finite.
fn lighter(sides: &Sides, i: f64, j: f64) -> Option<String> {
    let decides = |own: f64, other: f64| own < 0.5 * other && other.is_finite();
    match (decides(i, j), decides(j, i)) {
        (true, _) => Some(sides.i.clone()),
        (_, true) => Some(sides.j.clone()),
        _ => None,
    }
}

/// m_eff beside a singular pose, in the contact's unit; `null` where it is ∞ or no motion leads there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BesideAnswer {
    /// On the branch that the state's velocity leads along.
    pub along_motion: Option<f64>,
    /// The least over the branches.
    pub least_mass: Option<f64>,
    /// The greatest over the branches.
    pub most_mass: Option<f64>,
}

impl BesideAnswer {
    /// Of the masses beside a pose.
    pub(super) fn new(found: &MassBeside) -> Self {
        Self {
            along_motion: found.along_motion.map(|m| m.mass),
            least_mass: found.branches.map(|[lightest, _]| lightest.mass),
            most_mass: found.branches.map(|[_, heaviest]| heaviest.mass),
        }
    }
}

/// Masses of both sides, each alone (Nikravesh-Poursina eq. 2).
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ApparentAnswer {
    /// Of body i.
    pub i: SideAnswer,
    /// Of body j.
    pub j: SideAnswer,
    /// W_ij, in the contact's unit of mobility.
    pub coupling: f64,
    /// Whether W_ij is zero, so that 1/m_eff = 1/m_i + 1/m_j.
    pub uncoupled: bool,
    /// The body whose side has less than half of the other's apparent mass: it decides m_eff.
    pub lighter: Option<String>,
}

/// The apparent mass of one side.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SideAnswer {
    /// The body.
    pub body: String,
    /// Its apparent mass, in the contact's unit; `null` if it is immobile.
    #[schemars(with = "Option<f64>")]
    pub mass: f64,
    /// Whether it cannot move this way.
    pub immobile: bool,
}

/// An effective mass.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MassAnswer {
    /// m_eff, in the contact's unit; `null` for an immobile row.
    #[schemars(with = "Option<f64>")]
    pub effective_mass: f64,
    /// Whether it is ∞.
    pub immobile: bool,
}

impl From<f64> for MassAnswer {
    fn from(effective_mass: f64) -> Self {
        Self { effective_mass, immobile: effective_mass.is_infinite() }
    }
}

/// The terms of m_eff u̇ + z_c = τ_c + λ (Gonzalez et al. eqs. 12-15).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TermsAnswer {
    /// Centrifugal and Coriolis term, in the contact's unit of force.
    pub z_c: f64,
    /// Load term, in the contact's unit of force.
    pub tau_c: f64,
    /// u̇ without a contact force, in the contact's unit.
    pub u_dot: f64,
}

/// The area of contact at the elastic peak force.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AreaAnswer {
    /// a and b \[m\].
    pub half_axes: [f64; 2],
    /// p₀ \[Pa\].
    pub peak_pressure: f64,
    /// Half width divided by the radius of the surfaces.
    pub relative_size: f64,
}

/// Extremes over a cone about the normal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ConeAnswer {
    /// \[rad\].
    pub half_angle: f64,
    /// Of m_eff \[kg\].
    pub effective_mass: ExtremesAnswer,
    /// Of ½ m_eff u² \[J\].
    pub constrained_energy: ExtremesAnswer,
}

impl From<&Cone> for ConeAnswer {
    fn from(cone: &Cone) -> Self {
        Self {
            half_angle: cone.half_angle,
            effective_mass: (&cone.mass).into(),
            constrained_energy: (&cone.energy).into(),
        }
    }
}

/// The least and the greatest value over a cone, and where.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ExtremesAnswer {
    /// The least value.
    #[schemars(with = "Option<f64>")]
    pub least: f64,
    /// Its angle from the normal \[rad\].
    pub least_at: f64,
    /// The greatest value; `null` where it is ∞.
    #[schemars(with = "Option<f64>")]
    pub most: f64,
    /// Its angle from the normal \[rad\].
    pub most_at: f64,
    /// Whether the greatest value is ∞.
    pub most_immobile: bool,
}

impl From<&Extremes> for ExtremesAnswer {
    fn from(x: &Extremes) -> Self {
        let (least, least_at, most, most_at) = (x.least, x.least_at, x.most, x.most_at);
        Self { least, least_at, most, most_at, most_immobile: most.is_infinite() }
    }
}

/// What the rival methods of Nikravesh-Poursina say.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RivalsAnswer {
    /// By kinetic energy.
    pub kinetic_energy_eq14: RivalAnswer,
    /// By inertial forces.
    pub inertial_force_eq15: RivalAnswer,
    /// Whether both bodies belong to one connected mechanism: then both are undefined.
    pub shared_subsystem: bool,
}

impl From<&Rivals> for RivalsAnswer {
    fn from(found: &Rivals) -> Self {
        Self {
            kinetic_energy_eq14: (&found.energy).into(),
            inertial_force_eq15: (&found.newton).into(),
            shared_subsystem: found.shared,
        }
    }
}

/// What one rival method says; `null` where it is 0/0 or ∞.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RivalAnswer {
    /// Apparent mass of body i.
    pub i: Option<f64>,
    /// Apparent mass of body j.
    pub j: Option<f64>,
    /// m_eff.
    pub effective_mass: Option<f64>,
    /// Whether it says ∞.
    pub immobile: bool,
}

impl From<&Rival> for RivalAnswer {
    fn from(found: &Rival) -> Self {
        let immobile = found.effective.is_some_and(f64::is_infinite);
        Self { i: found.i, j: found.j, effective_mass: found.effective, immobile }
    }
}

/// m_eff by four formulas in joint and in body coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RoutesAnswer {
    /// In joint coordinates.
    pub joint: FourRoutes,
    /// In body coordinates.
    pub body: FourRoutes,
    /// The largest relative difference from m_eff; `null` where there is none to compare or no digit is left.
    pub largest_difference: Option<f64>,
    /// How many of them have an answer.
    pub count: usize,
}

/// m_eff by eqs. 28, 31, 38, 39 of Nikravesh-Poursina; `null` where a route has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FourRoutes {
    /// Bordered, dependent coordinates.
    pub eq28: Option<f64>,
    /// Closed form, dependent coordinates.
    pub eq31: Option<f64>,
    /// Bordered, independent coordinates.
    pub eq38: Option<f64>,
    /// Closed form, independent coordinates.
    pub eq39: Option<f64>,
}

impl RoutesAnswer {
    fn new(all: &[Option<f64>; 8], mass: f64) -> Self {
        let four = |k: usize| FourRoutes {
            eq28: all[k],
            eq31: all[k + 1],
            eq38: all[k + 2],
            eq39: all[k + 3],
        };
        let known = || all.iter().flatten();
        let worst = known().map(|x| (x / mass - 1.0).abs()).fold(0.0, f64::max);
        let largest_difference = (mass.is_finite() && worst.is_finite()).then_some(worst);
        Self { joint: four(0), body: four(4), largest_difference, count: known().count() }
    }
}
