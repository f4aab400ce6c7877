//! The answer of `near`: how fast the tip may move near a person (ISO/TS 15066, now in ISO 10218-2:2025).
//!
//! ```text
//! μ = 1 / (1/m_H + 1/m_R)      v_max = min(F, p A) / √(μ k)      or  ½ μ v² ≤ F² / (2 k)
//! ```
//!
//! A clamped person cannot give way: m_H → ∞, μ = m_R, judged by the quasi-static limits. A free one is judged by the transient limits.

use schemars::JsonSchema;
use serde::Serialize;

use super::limits::Region;
use super::options::PRESSURE_AREA;
use super::path::{PathAnswer, PathPush, judge_path};
use super::push::{NoPush, StaticPush};
use super::tip::kilograms;
use super::{Arm, NearOptions, TipAnswer};
use crate::answer::{AnswerError, Caution, CautionCode};
use crate::file::Opened;
use crate::maths::Vec3;
use crate::maths::digits::three;
use crate::model::Model;

/// What a sentence with permitted speeds ends with: by which limits, and what that is worth.
pub(super) fn by_limits(options: &NearOptions) -> String {
    let limits = &options.limits;
    let sure = limits.confirmed && limits.regions.iter().all(|r| r.confirmed);
    let sure = if sure { "" } else { ", not confirmed" };
    format!(
        " Permitted speeds are those of `{}` ({}{sure}): a {ESTIMATE}.",
        limits.file, limits.edition
    )
}

/// What every answer says.
const ESTIMATE: &str = "design estimate; acceptance needs a measurement of forces and pressures at the robot (ISO/PAS 5672)";
/// Areas up to this multiple of the one that the pressure form holds for are taken as it.
const ABOUT: f64 = 1.5;

/// How fast the tip may move near a person, by region of the body.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct NearAnswer {
    /// The tip: where, how heavy, along which direction.
    pub robot: TipAnswer,
    /// What a user must know to trust the answer, what matters most first; those of the tip among them.
    pub cautions: Vec<Caution>,
    /// The answer in a sentence.
    pub sentence: String,
    /// What the answer is and what it is not.
    pub standing: String,
    /// The limits file, as it was named.
    pub limits: String,
    /// The document of the limits, its edition.
    pub source: String,
    /// The edition of the document.
    pub edition: String,
    /// Whether somebody has compared the limits with the document.
    pub confirmed: bool,
    /// Contact area A of the pressure limits \[m²\].
    pub area: f64,
    /// Stiffness of a padding in series \[N/m\].
    pub padding: Option<f64>,
    /// The force with which the joints can push at the tip along the direction, at rest and without gravity: the least of
    /// effort / |J_n| \[N\]; `null` if it is unknown. On a path it is the greatest of all samples and points, each along its motion.
    pub static_push: Option<f64>,
    /// The joint that gives way first.
    pub static_push_by: Option<String>,
    /// On a path: the sample of the greatest push, from 1.
    pub static_push_sample: Option<usize>,
    /// Why the static push is unknown; empty if it is known.
    pub push_unknown: String,
    /// The regions, in the order of the limits file.
    pub regions: Vec<RegionAnswer>,
    /// A path of the tip, if one was given.
    pub path: Option<PathAnswer>,
    /// The same path at the other points that were asked for.
    pub other_paths: Vec<PathAnswer>,
}

/// One region of a person's body.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RegionAnswer {
    /// Its name.
    pub region: String,
    /// The document of its limits, and the edition.
    pub source: String,
    /// Whether they were compared with it.
    pub confirmed: bool,
    /// m_R \[kg\]; `null` where the tip cannot move along the direction.
    #[schemars(with = "Option<f64>")]
    pub robot_mass: f64,
    /// m_H \[kg\], if the limits file states it.
    pub body_mass: Option<f64>,
    /// μ of a free person \[kg\].
    pub reduced_mass: Option<f64>,
    /// k, with the padding in series \[N/m\].
    pub stiffness: f64,
    /// min(F, p A) of a short impact \[N\].
    pub transient_limit: Option<f64>,
    /// `force` or `pressure`.
    pub transient_governed_by: Option<String>,
    /// min(F, p A) of a lasting push \[N\].
    pub quasi_static_limit: Option<f64>,
    /// `force` or `pressure`.
    pub quasi_static_governed_by: Option<String>,
    /// F²/(2k): the T_c that is allowed in a short impact \[J\].
    pub transient_energy: Option<f64>,
    /// F²/(2k): the T_c that is allowed if the person is clamped \[J\].
    pub quasi_static_energy: Option<f64>,
    /// v_max of a free person by the transient limit \[m/s\]; `null` without m_H.
    pub speed_free: Option<f64>,
    /// v_max of a clamped person by the quasi-static limit \[m/s\].
    pub speed_clamped: Option<f64>,
    /// The same by the transient limit \[m/s\].
    pub speed_clamped_transient: Option<f64>,
    /// Whether the static push of the joints exceeds the quasi-static limit; `null` if it is unknown.
    pub push_exceeds: Option<bool>,
    /// On a path: the largest predicted force F = v √(μ k) \[N\].
    pub path_force: Option<f64>,
    /// On a path: the same divided by the limit.
    pub path_utilisation: Option<f64>,
    /// On a path: the sample where, from 1.
    pub path_sample: Option<usize>,
    /// On a path: the point that it is at.
    pub path_point: Option<String>,
}

/// A limit with what governs it.
fn least(force: Option<f64>, pressure: Option<f64>, area: f64) -> Option<(f64, &'static str)> {
    let pressed = pressure.map(|p| p * area);
    match (force, pressed) {
        (Some(f), Some(p)) if p < f => Some((p, "pressure")),
        (Some(f), _) => Some((f, "force")),
        (None, Some(p)) => Some((p, "pressure")),
        (None, None) => None,
    }
}

impl RegionAnswer {
    fn new(region: &Region, m_R: f64, options: &NearOptions) -> Self {
        let k = options
            .padding
            .map_or(region.stiffness, |pad| 1.0 / (1.0 / region.stiffness + 1.0 / pad));
        let quasi = least(region.force[0], region.pressure[0], options.area);
        let transient = least(region.force[1], region.pressure[1], options.area);
        let reduced = region.mass.map(|m_H| 1.0 / (1.0 / m_H + 1.0 / m_R));
        let speed = |limit: Option<(f64, &str)>, mu: f64| limit.map(|(F, _)| F / (mu * k).sqrt());
        let energy = |limit: Option<(f64, &str)>| limit.map(|(F, _)| F * F / (2.0 * k));
        let by = |limit: Option<(f64, &'static str)>| limit.map(|(_, by)| by.to_owned());
        Self {
            region: region.name.clone(),
            source: format!("{}, {}", region.source, region.edition),
            confirmed: region.confirmed,
            robot_mass: m_R,
            body_mass: region.mass,
            reduced_mass: reduced,
            stiffness: k,
            transient_limit: transient.map(|(F, _)| F),
            transient_governed_by: by(transient),
            quasi_static_limit: quasi.map(|(F, _)| F),
            quasi_static_governed_by: by(quasi),
            transient_energy: energy(transient),
            quasi_static_energy: energy(quasi),
            speed_free: reduced.and_then(|mu| speed(transient, mu)),
            speed_clamped: speed(quasi, m_R),
            speed_clamped_transient: speed(transient, m_R),
            push_exceeds: None,
            path_force: None,
            path_utilisation: None,
            path_sample: None,
            path_point: None,
        }
    }
}

/// What all regions allow, as a function of the robot mass alone.
pub(super) struct Allowed {
    /// F / √k of the region that governs a clamped person, and its position; v = F / √(k m_R).
    clamped: Option<(f64, usize)>,
    /// F / √k, 1 / m_H and the position of each region that can be judged for a free person.
    free: Vec<(f64, f64, usize)>,
}

impl Allowed {
    pub(super) fn new(regions: &[RegionAnswer]) -> Self {
        let each = || regions.iter().enumerate();
        let clamped =
            each().filter_map(|(k, r)| Some((r.quasi_static_limit? / r.stiffness.sqrt(), k)));
        let free = each().filter_map(|(k, r)| {
            Some((r.transient_limit? / r.stiffness.sqrt(), 1.0 / r.body_mass?, k))
        });
        Self { clamped: clamped.min_by(|a, b| a.0.total_cmp(&b.0)), free: free.collect() }
    }

    /// The speed that a clamped person allows a robot mass, and the region that governs.
    pub(super) fn clamped(&self, m_R: f64) -> Option<(f64, usize)> {
        self.clamped.map(|(root, region)| (root / m_R.sqrt(), region))
    }

    /// The same of a free person.
    pub(super) fn free(&self, m_R: f64) -> Option<(f64, usize)> {
        let speeds =
            self.free.iter().map(|(root, yields, k)| (root * (yields + 1.0 / m_R).sqrt(), *k));
        speeds.min_by(|a, b| a.0.total_cmp(&b.0))
    }
}

/// The regions of the limits beside a robot mass.
pub(super) fn regions(options: &NearOptions, m_R: f64) -> Vec<RegionAnswer> {
    let each = options.limits.regions.iter();
    each.map(|region| RegionAnswer::new(region, m_R, options)).collect()
}

impl NearAnswer {
    /// Of an opened machine.
    pub(crate) fn new(
        opened: &Opened,
        sets: &[(String, String)],
        options: &NearOptions,
    ) -> Result<Self, AnswerError> {
        options.check()?;
        let arm = Arm::new(opened, &options.tip)?;
        let robot = TipAnswer::new(opened, sets, &options.tip)?;
        let push = posed_push(&arm, options, &Vec3::from(robot.along.direction))?;
        let m_R = robot.robot_mass();
        let limits = &options.limits;
        let mut out = Self {
            cautions: Vec::new(),
            sentence: String::new(),
            standing: ESTIMATE.to_owned(),
            limits: limits.file.clone(),
            source: limits.source.clone(),
            edition: limits.edition.clone(),
            confirmed: limits.confirmed && limits.regions.iter().all(|r| r.confirmed),
            area: options.area,
            padding: options.padding,
            static_push: None,
            static_push_by: None,
            static_push_sample: None,
            push_unknown: String::new(),
            regions: regions(options, m_R),
            path: None,
            other_paths: Vec::new(),
            robot,
        };
        if let Some((name, text)) = &options.path {
            out.path = Some(judge_path(&arm, options, &mut out.regions, (name, text))?);
            for point in &options.points {
                let arm = arm.at_point(point)?;
                out.other_paths.push(judge_path(&arm, options, &mut out.regions, (name, text))?);
            }
            let all = out.path.iter().chain(&out.other_paths);
            let pushes: Vec<PathPush> = all.map(|path| path.push).collect();
            out.push_along(arm.model(), &pushes);
        } else {
            out.pushed(arm.model(), push.map(|(force, k)| (force, k, None)));
        }
        out.cautions = out.judged(options);
        out.sentence = out.told();
        Ok(out)
    }

    /// Takes over the static push and compares it with the limit of every region.
    fn pushed(&mut self, model: &Model, push: Result<(f64, usize, Option<usize>), NoPush>) {
        match push {
            Ok((force, k, sample)) => {
                self.static_push = Some(force);
                self.static_push_by = Some(model.coordinate_names().swap_remove(k));
                self.static_push_sample = sample;
            }
            Err(why) => self.push_unknown = why.told(model),
        }
        for region in &mut self.regions {
            region.push_exceeds =
                self.static_push.zip(region.quasi_static_limit).map(|(push, F)| push > F);
        }
    }

    /// The greatest push of several points along a path; one that is unknown makes it unknown.
    fn push_along(&mut self, model: &Model, points: &[PathPush]) {
        let mut greatest: PathPush = Err(NoPush::NoLever);
        for point in points {
            greatest = match (greatest, *point) {
                (Ok(a), Ok(b)) => Ok(if b.0 > a.0 { b } else { a }),
                (Err(NoPush::NoLever), other) | (other, Err(NoPush::NoLever)) => other,
                (Err(why), _) | (_, Err(why)) => Err(why),
            };
        }
        self.pushed(model, greatest.map(|(force, k, sample)| (force, k, Some(sample))));
    }

    /// The path at the point with the largest predicted force divided by its limit.
    pub fn worst_path(&self) -> Option<&PathAnswer> {
        let all = self.path.iter().chain(&self.other_paths);
        // Of equal ones the first: that of the tip.
        all.reduce(|a, b| if b.greatest_utilisation > a.greatest_utilisation { b } else { a })
    }

    /// What a user must know, what matters most first.
    fn judged(&self, options: &NearOptions) -> Vec<Caution> {
        let mut out = Vec::new();
        let exceeded: Vec<&RegionAnswer> =
            self.regions.iter().filter(|r| r.push_exceeds == Some(true)).collect();
        if let (Some(push), Some(weakest)) = (self.static_push, exceeded.first()) {
            let limit = weakest.quasi_static_limit.unwrap_or(0.0);
            let by = self.static_push_by.as_deref().unwrap_or_default();
            let sample = self.static_push_sample;
            let at = sample.map_or_else(String::new, |k| format!(" at sample {k} of the path"));
            let message = format!(
                "the joints can push with {} N{at} (until `{by}` gives way), above the quasi-static limit of {} of {} regions, such as {} N of `{}`: \
                 no speed makes a clamping safe there without a limit of the push",
                three(push),
                exceeded.len(),
                self.regions.len(),
                three(limit),
                weakest.region
            );
            out.push(Caution::warning(CautionCode::StaticPush, "", message));
        } else if self.static_push.is_none() {
            let message = format!(
                "the static push of the joints is unknown ({}): whether a clamped person is pushed harder than the quasi-static limit is not answered",
                self.push_unknown
            );
            out.push(Caution::warning(CautionCode::StaticPush, "", message));
        }
        if !self.confirmed {
            let message = format!(
                "the limits of `{}` are not confirmed: compare them with their document ({}, edition {}) before use",
                self.limits, self.source, self.edition
            );
            out.push(Caution::warning(CautionCode::LimitsNotConfirmed, "", message));
        }
        let without = self.regions.iter().filter(|r| r.body_mass.is_none()).count();
        if without > 0 {
            let message = format!(
                "{without} of {} regions have no body mass m_H in `{}`: only a clamped person is answered there",
                self.regions.len(),
                self.limits
            );
            out.push(Caution::warning(CautionCode::BodyMassMissing, "", message));
        }
        if options.area > ABOUT * PRESSURE_AREA {
            let message = format!(
                "the pressure form holds for about 1 cm²; an area of {} cm² is not conservative: pressure is not even over it",
                three(options.area * 1e4)
            );
            out.push(Caution::warning(CautionCode::LargeArea, "", message));
        }
        out.push(Caution::note(CautionCode::DesignEstimate, "", ESTIMATE));
        out.extend(self.robot.cautions.iter().cloned());
        out
    }

    fn told(&self) -> String {
        let along = format!(
            "along {} the robot counts with {}",
            self.robot.along.shown(),
            kilograms(self.robot.robot_mass())
        );
        let slowest = |of: fn(&RegionAnswer) -> Option<f64>| {
            let all = self.regions.iter().filter_map(|r| of(r).map(|v| (v, &r.region)));
            all.min_by(|a, b| a.0.total_cmp(&b.0))
        };
        if let Some(path) = self.worst_path() {
            let at = if self.other_paths.is_empty() {
                String::new()
            } else {
                let all = self.other_paths.len() + 1;
                format!("Of {all} points the worst is `{}`. ", path.point)
            };
            return format!("{at}{}", path.told());
        }
        let clamped = slowest(|r| r.speed_clamped).map_or_else(
            || "no region has a quasi-static limit".to_owned(),
            |(v, region)| format!("a clamped person (`{region}`) allows {} m/s", three(v)),
        );
        let free = slowest(|r| r.speed_free).map_or_else(
            || "a free one is not answered without body masses".to_owned(),
            |(v, region)| format!("a free one (`{region}`) {} m/s", three(v)),
        );
        format!("At `{}`, {along}: {clamped}, {free}.", self.robot.tip)
    }
}

/// The static push in the pose of the question.
fn posed_push(
    arm: &Arm,
    options: &NearOptions,
    n: &Vec3,
) -> Result<Result<(f64, usize), NoPush>, AnswerError> {
    let mut push = StaticPush::new(arm, options)?;
    let mut mechanism = arm.mechanism(true)?;
    let at = mechanism.at(&arm.opened.assembled.state).map_err(|error| arm.wrong(error))?;
    Ok(push.at(&at, &arm.row(&at, n)))
}
