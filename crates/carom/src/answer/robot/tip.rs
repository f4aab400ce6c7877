//! The answer of `tip`: how heavy the tip is.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Arm, RobotMass, SkinAnswer, TipOptions, WorkspaceAnswer};
use crate::answer::judge;
use crate::answer::{
    AnswerError, Caution, CautionCode, Constraints, Head, StateAnswer, components,
};
use crate::dynamics::{Posture, RowWork, RowWrench};
use crate::impact::PointMobility;
use crate::maths::digits::{ROUND_OFF, clean, three};
use crate::maths::{Mat3, Vec3};
use crate::model::RigidInertia;

/// How heavy the tip is: its operational-space inertia, m_eff by directions, three robot masses side by side.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TipAnswer {
    /// Which program, which file, with which edits.
    #[serde(flatten)]
    pub head: Head,
    /// What a user must know to trust the answer.
    pub cautions: Vec<Caution>,
    /// The answer in a sentence.
    pub sentence: String,
    /// `body` or `body.marker`.
    pub tip: String,
    /// Where it is in the world \[m\].
    pub tip_position: [f64; 3],
    /// Where the joints from the base to the tip are in the world, the first on the ground, and the tip as the last \[m\].
    pub joint_places: Vec<[f64; 3]>,
    /// Time, positions and velocities.
    pub state: StateAnswer,
    /// Degrees of freedom and redundancy.
    pub constraints: Constraints,
    /// Joints that are locked.
    pub locked: Vec<String>,
    /// Λ⁻¹ = J Y Jᵀ by rows in world axes \[1/kg\] (Khatib 1987), with the locked joints locked.
    pub inverse_inertia: Vec<Vec<f64>>,
    /// m_eff along the world's axes.
    pub axes: Vec<DirectionMass>,
    /// Along the principal axes of the ellipsoid of Λ⁻¹, the lightest first and the heaviest last: the extremes over all directions.
    pub principal: Vec<DirectionMass>,
    /// Along the directions that were asked for.
    pub directions: Vec<DirectionMass>,
    /// The direction that the three masses, the shares and T_c are of: the first that was asked for, or the heaviest.
    pub along: DirectionMass,
    /// First robot mass, of ISO/TS 15066: M/2 + m_L, half the moving mass and the payload, in every pose and direction \[kg\].
    pub standard_mass: f64,
    /// Second: m_eff along the direction with all joints free, rotors included \[kg\]; `null` where nothing moves along it.
    #[schemars(with = "Option<f64>")]
    pub free_mass: f64,
    /// Third: m_eff along the direction with the chosen joints locked \[kg\]; `null` where none is locked, or nothing moves along it.
    pub locked_mass: Option<f64>,
    /// Which of the three is used.
    pub mass_used: RobotMass,
    /// M, the mass of all bodies that can move, without the payload \[kg\].
    pub moving_mass: f64,
    /// m_L \[kg\].
    pub payload: f64,
    /// Speed along the direction \[m/s\].
    pub tip_speed: Option<f64>,
    /// T_c = ½ m v² of the mass that is used, at that speed \[J\]; `null` without a speed, or where the mass is infinite.
    pub impact_energy: Option<f64>,
    /// What m_eff along the direction is made of, the largest part first.
    pub shares: Vec<InertiaShare>,
    /// m_eff and permitted speed over the skin, if they were asked for.
    pub skin: Option<SkinAnswer>,
    /// m_eff and permitted speed over the reach, if they were asked for.
    pub workspace: Option<WorkspaceAnswer>,
}

/// m_eff along a direction.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DirectionMass {
    /// `x`, `lightest`, `asked for`, …
    pub name: String,
    /// A unit vector in world axes.
    pub direction: [f64; 3],
    /// m_eff = 1 / (nᵀ Λ⁻¹ n) \[kg\]; `null` where nothing moves along it.
    #[schemars(with = "Option<f64>")]
    pub effective_mass: f64,
    /// Whether nothing moves along it.
    pub immobile: bool,
}

/// The part that one body, rotor or the payload has in m_eff: m_eff is homogeneous of degree one in all inertias, so value times
/// gradient sums up to it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct InertiaShare {
    /// `body NAME`, `rotor of JOINT.COORDINATE` or `payload`.
    pub part: String,
    /// Its part of m_eff \[kg\]: its inertia times the derivative of m_eff by it.
    pub effective_mass: f64,
    /// The same divided by m_eff: by how many per cent m_eff grows with one per cent more of its inertia.
    pub share: f64,
}

impl Arm {
    /// The row of the tip's velocity along n.
    pub(super) fn row(&self, at: &Posture<'_>, n: &Vec3) -> RowWrench {
        let p = at.frames().point(&self.anchor);
        RowWrench::of_normal(at.frames(), (None, p), (self.anchor.body, p), n)
    }

    /// Λ⁻¹ of the tip.
    pub(super) fn mobility(&self, at: &Posture<'_>) -> Result<PointMobility, AnswerError> {
        for k in 0..if self.model().is_planar() { 2 } else { 3 } {
            if let Some(error) = at.push_without_inertia(&self.row(at, &Vec3::ith(k, 1.0))) {
                return Err(self.wrong(error));
            }
        }
        let p = at.frames().point(&self.anchor);
        Ok(PointMobility::of_point(at, self.anchor.body, p, &mut RowWork::new(at.layout())))
    }

    /// The direction of a vector.
    pub(crate) fn unit(&self, given: &[f64; 3]) -> Result<Vec3, AnswerError> {
        let n = Vec3::from(*given);
        let flat = !self.model().is_planar() || n.z == 0.0;
        match n.try_normalize(0.0).filter(|n| flat && n.iter().all(|x| x.is_finite())) {
            Some(n) => Ok(n),
            None if flat => Err(AnswerError::asked(
                "direction",
                format!("({}, {}, {}) has no direction", n.x, n.y, n.z),
            )),
            None => Err(AnswerError::asked("direction", "a planar model has none along z")),
        }
    }

    /// What m along n is made of: W = wᵀ M w with w = Y Aᵀ, so every part of that sum times m² is a part of m.
    fn shares(&self, at: &Posture<'_>, n: &Vec3, m: f64) -> Vec<InertiaShare> {
        if !m.is_finite() {
            return Vec::new();
        }
        let w = at.response(&self.row(at, n)).x;
        let twists = at.twists(&w);
        let mut out = Vec::new();
        let mut push = |part: String, twice_energy: f64| {
            let effective_mass = m * m * twice_energy;
            out.push(InertiaShare { part, effective_mass, share: effective_mass / m });
        };
        for (k, body) in self.model().bodies.iter().enumerate() {
            let (link, twist) = (&at.frames().links()[k], &twists[k]);
            let own = k == self.body.index();
            let inertia: &RigidInertia = if own { &self.bare } else { &body.inertia };
            let v = twist.at(&(link.rotation() * inertia.center));
            let spin = link.rotation().tr_mul(&twist.ang);
            let turning = spin.dot(&(inertia.central() * spin));
            push(format!("body {}", body.name), inertia.mass * v.norm_squared() + turning);
            if own && self.payload > 0.0 {
                let v = twist.at(&(link.rotation() * self.payload_at));
                push("payload".to_owned(), self.payload * v.norm_squared());
            }
        }
        let names = self.model().coordinate_names();
        for joint in self.model().bodies.iter().map(|b| &b.joint) {
            for (c, column) in joint.velocities().enumerate() {
                push(format!("rotor of {}", names[column]), joint.rotor[c] * w[column] * w[column]);
            }
        }
        out.retain(|part| part.share > ROUND_OFF);
        out.sort_by(|a, b| b.share.total_cmp(&a.share));
        out
    }

    /// Free joints: "motors not counted" where no joint has a rotor.
    pub(super) fn cautions(&self, at: &Posture<'_>) -> Vec<Caution> {
        let mut out = judge::of_file(&self.opened);
        out.extend(judge::of_constraints(&at.constraint_report()));
        // A robot's file says so when it is opened: every decision is told once.
        let told = out.iter().any(|caution| caution.code == CautionCode::MotorsNotCounted);
        if !told && !self.has_rotors() {
            let message = "motors not counted: m_eff is a lower bound; state each joint's `rotor`";
            out.push(Caution::warning(CautionCode::MotorsNotCounted, "joints", message));
        }
        out
    }

    /// The origins of the links from the base to the tip, and the tip.
    fn joint_places(&self, at: &Posture<'_>) -> Vec<[f64; 3]> {
        let mut out = vec![components(&at.frames().point(&self.anchor))];
        let mut place = Some(self.body);
        while let Some(body) = place {
            out.push(components(&at.pose(place).position));
            place = self.model().bodies[body.index()].parent;
        }
        out.reverse();
        out
    }

    /// The names of the locked joints.
    pub(super) fn locked_names(&self) -> Vec<String> {
        self.locked.iter().map(|&k| self.model().bodies[k].joint.name.clone()).collect()
    }
}

impl TipAnswer {
    /// Of an opened machine.
    pub(crate) fn new(
        opened: &crate::file::Opened,
        sets: &[(String, String)],
        options: &TipOptions,
    ) -> Result<Self, AnswerError> {
        let arm = Arm::new(opened, options)?;
        if let Some(v) = options.speed.filter(|v| !(*v >= 0.0 && v.is_finite())) {
            return Err(AnswerError::asked(
                "speed",
                format!("{v} is not a speed of at least 0 [m/s]"),
            ));
        }
        let state = &arm.opened.assembled.state;
        let mut free = arm.mechanism(false)?;
        let mut held = arm.mechanism(true)?;
        let at = free.at(state).map_err(|error| arm.wrong(error))?;
        let locked_at = held.at(state).map_err(|error| arm.wrong(error))?;
        let freely = arm.mobility(&at)?;
        let used = if arm.locked.is_empty() { freely } else { arm.mobility(&locked_at)? };
        let planar = arm.model().is_planar();
        let one = |name: &str, n: &Vec3| DirectionMass::new(name, n, used.mass(n));
        let asked = options.directions.iter().map(|d| arm.unit(d));
        let asked = asked.collect::<Result<Vec<Vec3>, _>>()?;
        let principal = principal(&used, planar);
        let along = match asked.first() {
            Some(n) => one("asked for", n),
            None => principal.last().cloned().unwrap_or_else(|| one("x", &Vec3::x())),
        };
        let n = Vec3::from(along.direction);
        let usual = if arm.locked.is_empty() { RobotMass::Free } else { RobotMass::Locked };
        let carried = arm.carried();
        let shares = arm.shares(&locked_at, &n, used.mass(&n));
        let axes = ["x", "y", "z"].into_iter().take(if planar { 2 } else { 3 });
        let mut out = Self {
            head: Head::new(&arm.opened, sets),
            cautions: arm.cautions(&at),
            sentence: String::new(),
            tip: arm.name.clone(),
            tip_position: components(&at.frames().point(&arm.anchor)),
            joint_places: arm.joint_places(&at),
            state: StateAnswer::new(arm.model(), state),
            constraints: Constraints::new(&locked_at.constraint_report()),
            locked: arm.locked_names(),
            inverse_inertia: matrix(&used.mobility),
            axes: axes.enumerate().map(|(k, name)| one(name, &Vec3::ith(k, 1.0))).collect(),
            principal,
            directions: asked.iter().map(|n| one("asked for", n)).collect(),
            along,
            standard_mass: carried.standard(),
            free_mass: freely.mass(&n),
            locked_mass: (!arm.locked.is_empty()).then(|| used.mass(&n)),
            mass_used: options.mass.unwrap_or(usual),
            moving_mass: carried.robot,
            payload: carried.payload,
            tip_speed: options.speed,
            impact_energy: None,
            shares,
            skin: None,
            workspace: None,
        };
        let energy = options.speed.map(|v| 0.5 * out.robot_mass() * v * v);
        out.impact_energy = energy.filter(|e| e.is_finite());
        out.sentence = out.told();
        Ok(out)
    }

    /// The robot mass that is used \[kg\].
    pub fn robot_mass(&self) -> f64 {
        match self.mass_used {
            RobotMass::Standard => self.standard_mass,
            RobotMass::Free => self.free_mass,
            RobotMass::Locked => self.locked_mass.unwrap_or(f64::INFINITY),
        }
    }

    /// m_eff along any direction \[kg\], of Λ⁻¹ with the locked joints locked; ∞ where nothing moves.
    pub fn mass_along(&self, direction: [f64; 3]) -> f64 {
        let n = Vec3::from(direction).normalize();
        let L = &self.inverse_inertia;
        let W: f64 = (0..3).map(|i| n[i] * (0..3).map(|j| L[i][j] * n[j]).sum::<f64>()).sum();
        let largest = (0..3).map(|k| L[k][k]).fold(0.0, f64::max);
        if W <= ROUND_OFF * largest { f64::INFINITY } else { 1.0 / W }
    }

    /// The answer in a sentence.
    fn told(&self) -> String {
        let locked = match self.locked.as_slice() {
            [] if self.constraints.free_velocities < self.state.velocities.len() => {
                "the joints held that the file drives or locks".to_owned()
            }
            [] => "all joints free".to_owned(),
            names => format!("{} locked", names.join(", ")),
        };
        let (light, heavy) = (self.principal.first(), self.principal.last());
        let span = light.zip(heavy).map_or_else(String::new, |(light, heavy)| {
            let (a, b) = (kilograms(light.effective_mass), kilograms(heavy.effective_mass));
            format!("between {a} along {} and {b} along {}", light.shown(), heavy.shown())
        });
        let asked = match self.directions.as_slice() {
            [] => String::new(),
            _ => format!("; {} along {}", kilograms(self.along.effective_mass), self.along.shown()),
        };
        let standard = kilograms(self.standard_mass);
        format!(
            "With {locked} the tip `{}` weighs {span}{asked}; half the moving mass and the payload would be {standard}.",
            self.tip
        )
    }
}

/// A mass in a sentence.
pub(super) fn kilograms(m: f64) -> String {
    if m.is_finite() { format!("{} kg", three(m)) } else { "∞".to_owned() }
}

impl DirectionMass {
    pub(super) fn new(name: &str, n: &Vec3, mass: f64) -> Self {
        let cleaned = n.map(|x| clean(x, 1.0));
        Self {
            name: name.to_owned(),
            direction: components(&cleaned),
            effective_mass: mass,
            immobile: mass.is_infinite(),
        }
    }

    /// `(0.6, 0, 0.8)`.
    pub(super) fn shown(&self) -> String {
        let parts = self.direction.map(|x| three(clean(x, 1e3)));
        format!("({})", parts.join(", "))
    }
}

/// The principal axes, the lightest first; their signs are those that make the largest component positive.
pub(super) fn principal(found: &PointMobility, planar: bool) -> Vec<DirectionMass> {
    let mut all: Vec<(Vec3, f64)> = found
        .principal_directions()
        .into_iter()
        .map(|n| if n[n.iamax()] < 0.0 { -n } else { n })
        .map(|n| (n, found.mass(&n)))
        .collect();
    all.sort_by(|a, b| a.1.total_cmp(&b.1));
    let names: &[&str] =
        if planar { &["lightest", "heaviest"] } else { &["lightest", "middle", "heaviest"] };
    all.iter().zip(names).map(|((n, m), name)| DirectionMass::new(name, n, *m)).collect()
}

/// A matrix by rows; what is round-off of its largest entry becomes zero.
fn matrix(of: &Mat3) -> Vec<Vec<f64>> {
    let size = of.amax();
    of.row_iter().map(|row| row.iter().map(|x| clean(*x, size)).collect()).collect()
}
