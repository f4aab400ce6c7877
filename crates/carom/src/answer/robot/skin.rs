//! The skin of a robot: m_eff and permitted speed of every visible point of every link along its outward normal.
//!
//! A point is visible if a straight line leads from it to the outside without meeting the robot or the ground. Its m_eff is that of any contact there,
//! 1 / (A Y Aᵀ) with A the row of its velocity along the normal.

use schemars::JsonSchema;
use serde::Serialize;

use super::near::{Allowed, by_limits, regions};
use super::{Arm, NearOptions, RobotMass};
use crate::answer::{AnswerError, Caution, CautionCode, components};
use crate::dynamics::{Posture, RowWork, RowWrench};
use crate::file::Opened;
use crate::impact::EffectiveMass;
use crate::maths::digits::three;
use crate::maths::mesh::Rays;
use crate::maths::spatial::tangents;
use crate::maths::{Pose, Vec3};
use crate::model::Place;
use crate::report::surface::{Facet, facets};

/// How many points may be asked for.
const POINTS: [usize; 2] = [100, 500_000];
/// Points that the answer names.
const WORST: usize = 10;
/// Named points are at least this fraction of the robot's size apart, so that they are different places.
const APART: f64 = 0.05;
/// Lines along which a point may be seen: the normal, and others over the half of the sphere around it.
const LINES: usize = 24;
/// The lowest of them, as the cosine of its angle to the normal.
const LOWEST: f64 = 0.1;
/// What a line meets nearer than this fraction of the robot's size is the surface it starts from.
const OWN: f64 = 1e-6;

/// m_eff and permitted speed over the skin. The values at all points stand in columns, one entry per visible point, which JSON leaves out.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SkinAnswer {
    /// What a user must know to trust the answer.
    pub cautions: Vec<Caution>,
    /// The answer in a sentence.
    pub sentence: String,
    /// How many points the surface was divided into.
    pub points: usize,
    /// How many of them are visible.
    pub visible: usize,
    /// How far apart neighbouring points are, about \[m\].
    pub spacing: f64,
    /// The worst points, the worst first.
    pub worst: Vec<SkinPoint>,
    /// What they are ranked by.
    pub ranked_by: String,
    /// The body of each point, as a position in the model; its number of bodies stands for the ground.
    #[serde(skip)]
    pub body: Vec<usize>,
    /// Where each point is in the world \[m\].
    #[serde(skip)]
    pub position: Vec<[f64; 3]>,
    /// The outward unit normal in world axes.
    #[serde(skip)]
    pub normal: Vec<[f64; 3]>,
    /// m_eff along the normal \[kg\]; ∞ where nothing moves along it, as on the ground.
    #[serde(skip)]
    pub effective_mass: Vec<f64>,
    /// The speed along the normal that all regions allow with a clamped person \[m/s\]; NaN if no region has a quasi-static limit.
    #[serde(skip)]
    pub permitted_speed: Vec<f64>,
    /// The corners of the facet around each point, in the frame of its body \[m\].
    #[serde(skip)]
    pub corners: Vec<[[f64; 3]; 3]>,
}

/// One point of the skin.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SkinPoint {
    /// The body it is on.
    pub body: String,
    /// Where it is in the world \[m\].
    pub position: [f64; 3],
    /// The outward unit normal in world axes.
    pub normal: [f64; 3],
    /// m_eff along the normal \[kg\].
    pub effective_mass: f64,
    /// The speed along the normal that all regions allow with a clamped person \[m/s\]; `null` if no region has a quasi-static limit.
    pub speed_clamped: Option<f64>,
    /// The same with a free person \[m/s\]; `null` without body masses.
    pub speed_free: Option<f64>,
    /// The region that governs a clamped person.
    pub region: Option<String>,
    /// The greatest speed along the normal that the joints can give it at once, Σ |J_n| times the file's speed limits \[m/s\]; `null` if one is
    /// missing, or with closures.
    pub attainable_speed: Option<f64>,
}

impl SkinAnswer {
    /// Of an opened machine, at the pose of the options, with about so many points.
    pub(crate) fn new(
        opened: &Opened,
        options: &NearOptions,
        wanted: usize,
    ) -> Result<Self, AnswerError> {
        options.check()?;
        if !(POINTS[0]..=POINTS[1]).contains(&wanted) {
            let message = format!("{wanted} points, expected {} to {}", POINTS[0], POINTS[1]);
            return Err(AnswerError::asked("skin", message));
        }
        let arm = Arm::new(opened, &options.tip)?;
        if arm.model().is_planar() {
            return Err(AnswerError::asked("skin", "a planar model has no skin"));
        }
        let (looks, faults) = arm.opened.loaded.looks();
        let (bodies, spacing, moved) = facets(&looks, wanted);
        if bodies[..bodies.len() - 1].iter().all(Vec::is_empty) {
            let why = faults.first().map_or_else(String::new, |(_, why)| format!("; {why}"));
            let message = format!(
                "no moving body has a surface: give bodies contact shapes or `visual` entries{why}"
            );
            return Err(AnswerError::asked("skin", message));
        }
        let held = options.tip.mass != Some(RobotMass::Free);
        let mut mechanism = arm.mechanism(held)?;
        let state = &arm.opened.assembled.state;
        let at = mechanism.at(state).map_err(|error| arm.wrong(error))?;
        let points = bodies.iter().map(Vec::len).sum();
        let mut out = Self::empty(points, spacing);
        out.cautions = told(&arm, &bodies, &faults);
        out.cautions.extend(coarser(moved, spacing));
        let size = out.gather(&arm, &at, &bodies);
        out.weigh(&arm, &at, options);
        out.rank(&arm, &at, options, size);
        Ok(out)
    }

    fn empty(points: usize, spacing: f64) -> Self {
        Self {
            cautions: Vec::new(),
            sentence: String::new(),
            points,
            visible: 0,
            spacing,
            worst: Vec::new(),
            ranked_by: String::new(),
            body: Vec::new(),
            position: Vec::new(),
            normal: Vec::new(),
            effective_mass: Vec::new(),
            permitted_speed: Vec::new(),
            corners: Vec::new(),
        }
    }

    /// The visible points in the world; the size of the robot \[m\].
    fn gather(&mut self, arm: &Arm, at: &Posture<'_>, bodies: &[Vec<Facet>]) -> f64 {
        let model = arm.model();
        let frame = |k: usize| match model.bodies.get(k) {
            Some(body) => at.pose(model.body_at(k)).then(&body.frame),
            None => Pose::identity(),
        };
        let frames: Vec<Pose> = (0..bodies.len()).map(frame).collect();
        let placed = frames
            .iter()
            .zip(bodies)
            .flat_map(|(frame, facets)| facets.iter().map(|f| f.corners.map(|p| frame.point(&p))));
        let triangles: Vec<[Vec3; 3]> = placed.collect();
        let (low, high) = triangles.iter().flatten().fold(
            (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)),
            |(low, high), p| (low.inf(p), high.sup(p)),
        );
        let size = (high - low).norm();
        let rays = Rays::new(triangles);
        let lines = lines();
        for (k, (frame, facets)) in frames.iter().zip(bodies).enumerate() {
            for facet in facets {
                let (p, n) = (frame.point(&facet.point), frame.vector(&facet.normal));
                if is_visible(&rays, &lines, &p, &n, OWN * size) {
                    self.body.push(k);
                    self.position.push(components(&p));
                    self.normal.push(components(&n));
                    self.corners.push(facet.corners.map(|p| components(&p)));
                }
            }
        }
        self.visible = self.body.len();
        size
    }

    /// m_eff and permitted speed of all visible points.
    fn weigh(&mut self, arm: &Arm, at: &Posture<'_>, options: &NearOptions) {
        let allowed = Allowed::new(&regions(options, 1.0));
        let mut work = RowWork::new(at.layout());
        for k in 0..self.visible {
            let place = self.place(arm, k);
            let mass = if place.is_none() {
                f64::INFINITY
            } else {
                let row = self.row(at, place, k);
                let natural = row.free_mobility(arm.model(), at.frames());
                let W = at.settled_mobility_in(&row, &mut work);
                EffectiveMass::from_mobility(W, natural, 0.0, || 0.0).mass
            };
            self.effective_mass.push(mass);
            let m_R = robot_mass(arm, options, mass);
            self.permitted_speed.push(allowed.clamped(m_R).map_or(f64::NAN, |(v, _)| v));
        }
    }

    fn place(&self, arm: &Arm, k: usize) -> Place {
        let body = self.body[k];
        if body < arm.model().bodies.len() { arm.model().body_at(body) } else { None }
    }

    /// The row of a point's velocity along its normal.
    fn row(&self, at: &Posture<'_>, place: Place, k: usize) -> RowWrench {
        let (p, n) = (Vec3::from(self.position[k]), Vec3::from(self.normal[k]));
        RowWrench::of_normal(at.frames(), (None, p), (place, p), &n)
    }

    /// The worst points: those whose attainable speed is the largest multiple of the permitted one. Where speed limits are not known, those with the
    /// largest T_c if all joints moved at one speed: m_eff alone would name the points that hardly move along their normal.
    fn rank(&mut self, arm: &Arm, at: &Posture<'_>, options: &NearOptions, size: f64) {
        let limits = speed_limits(arm, at);
        let free = |k: usize| if at.layout().is_free(k) { 1.0 } else { 0.0 };
        let even: Vec<f64> = (0..arm.model().nv).map(free).collect();
        let mut J = vec![0.0; arm.model().nv];
        let mut attainable = |k: usize| {
            at.jacobian_row_into(&self.row(at, self.place(arm, k), k), &mut J);
            let each = J.iter().zip(limits.as_deref().unwrap_or(&even));
            each.map(|(j, v)| if *j == 0.0 { 0.0 } else { j.abs() * v }).sum::<f64>()
        };
        let movable: Vec<usize> =
            (0..self.visible).filter(|&k| self.effective_mass[k].is_finite()).collect();
        let key = |k: usize, v: f64| match self.permitted_speed[k] {
            permitted if limits.is_some() && permitted > 0.0 => v / permitted,
            _ => v * self.effective_mass[k].sqrt(),
        };
        let mut order: Vec<(f64, usize)> =
            movable.into_iter().map(|k| (key(k, attainable(k)), k)).collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut chosen: Vec<usize> = Vec::new();
        for (_, k) in order {
            let p = Vec3::from(self.position[k]);
            let far = |j: &usize| (Vec3::from(self.position[*j]) - p).norm() >= APART * size;
            if chosen.iter().all(far) {
                chosen.push(k);
            }
            if chosen.len() == WORST {
                break;
            }
        }
        let all = regions(options, 1.0);
        let allowed = Allowed::new(&all);
        let point = |k: usize, attainable_speed: Option<f64>| {
            let m_R = robot_mass(arm, options, self.effective_mass[k]);
            let clamped = allowed.clamped(m_R);
            SkinPoint {
                body: arm.model().bodies[self.body[k]].name.clone(),
                position: self.position[k],
                normal: self.normal[k],
                effective_mass: self.effective_mass[k],
                speed_clamped: clamped.map(|(v, _)| v),
                speed_free: allowed.free(m_R).map(|(v, _)| v),
                region: clamped.map(|(_, r)| all[r].region.clone()),
                attainable_speed,
            }
        };
        let known = limits.is_some();
        let worst =
            chosen.into_iter().map(|k| point(k, Some(attainable(k)).filter(|_| known))).collect();
        self.ranked_by = match limits {
            Some(_) => "attainable speed divided by permitted speed".to_owned(),
            None => "T_c with all joints at 1 rad/s or 1 m/s, because the file has no speed limits of all joints".to_owned(),
        };
        self.worst = worst;
        self.sentence = self.told();
        if self.worst.iter().any(|point| point.speed_clamped.is_some()) {
            self.sentence += &by_limits(options);
        }
    }

    fn told(&self) -> String {
        let Some(worst) = self.worst.first() else {
            return format!("None of {} visible points of the skin can move.", self.visible);
        };
        let place = worst.position.map(three).join(", ");
        let permitted = worst.speed_clamped.map_or_else(String::new, |v| {
            let region = worst.region.as_deref().unwrap_or_default();
            format!(" and may move at {} m/s (`{region}`, clamped)", three(v))
        });
        let reach = worst.attainable_speed.map_or_else(String::new, |v| {
            format!("; at the joints' speed limits it would move at up to {} m/s", three(v))
        });
        format!(
            "Of {} visible points of the skin the worst is on `{}` at ({place}) m: along its normal it weighs {} kg{permitted}{reach}.",
            self.visible,
            worst.body,
            three(worst.effective_mass)
        )
    }
}

/// The robot mass of a point: its m_eff, or the standard's constant where that is asked for.
fn robot_mass(arm: &Arm, options: &NearOptions, effective: f64) -> f64 {
    match options.tip.mass {
        Some(RobotMass::Standard) => arm.carried().standard(),
        _ => effective,
    }
}

/// The speed limits of all joint velocities, zero for those that are held; none if one is missing, or with closures, where they depend on each other.
fn speed_limits(arm: &Arm, at: &Posture<'_>) -> Option<Vec<f64>> {
    let model = arm.model();
    if !model.closures.is_empty() {
        return None;
    }
    let mut out = vec![0.0; model.nv];
    for joint in model.bodies.iter().map(|b| &b.joint) {
        for k in joint.velocities().filter(|&k| at.layout().is_free(k)) {
            out[k] = joint.max_speed?;
        }
    }
    Some(out)
}

/// Directions over half of the unit sphere about z, the pole first: a spiral by the golden angle.
fn lines() -> Vec<Vec3> {
    let golden = std::f64::consts::PI * (3.0 - 5_f64.sqrt());
    let line = |k: usize| {
        let z = 1.0 - (1.0 - LOWEST) * k as f64 / LINES as f64;
        let (s, c) = crate::maths::trigonometry::sin_cos(golden * k as f64);
        let r = (1.0 - z * z).sqrt();
        Vec3::new(r * c, r * s, z)
    };
    (0..=LINES).map(line).collect()
}

/// Whether a line leads from a point to the outside.
fn is_visible(rays: &Rays, lines: &[Vec3], p: &Vec3, n: &Vec3, own: f64) -> bool {
    let (x, y) = tangents(n);
    lines.iter().any(|l| !rays.meets(p, &(x * l.x + y * l.y + n * l.z), own))
}

/// Meshes that are finer than the skin were made coarser: where their corners were moved, and normals with them.
fn coarser(moved: f64, spacing: f64) -> Option<Caution> {
    let message = format!(
        "meshes finer than the spacing of {} mm are simplified first (corners within a cell become one): their corners move by up to {} mm, and normals with them; more points make both smaller",
        three(spacing * 1e3),
        three(moved * 1e3)
    );
    (moved > 0.0).then(|| Caution::note(CautionCode::ModelFile, "skin", message))
}

/// Meshes that are missing and bodies without a surface: the skin has gaps there.
fn told(arm: &Arm, bodies: &[Vec<Facet>], faults: &[(String, String)]) -> Vec<Caution> {
    let mut out: Vec<Caution> = faults
        .iter()
        .map(|(path, why)| {
            let message = format!("a mesh is missing in the skin: {why}");
            Caution::warning(CautionCode::ModelFile, path.clone(), message)
        })
        .collect();
    let bare: Vec<String> = arm
        .model()
        .bodies
        .iter()
        .zip(bodies)
        .filter(|(_, facets)| facets.is_empty())
        .map(|(body, _)| format!("`{}`", body.name))
        .collect();
    if !bare.is_empty() {
        let message = format!(
            "bodies without contact shapes or `visual` entries have no skin: {}",
            bare.join(", ")
        );
        out.push(Caution::warning(CautionCode::ModelFile, "bodies", message));
    }
    out
}
