//! What a run leaves behind.

use crate::kinematics::State;
use crate::maths::Vec3;
use crate::model::Model;
use crate::simulate::checkpoint::Checkpoint;
use crate::simulate::locate::user_event::UserEventRecord;
use crate::simulate::mode::Spot;
use crate::simulate::record::blow::Blow;
use crate::simulate::record::least_gap::{Creep, LeastGap};
use crate::simulate::record::reactions::JointPeak;
use crate::simulate::record::stays::Stay;
use serde::{Deserialize, Serialize};

/// One impact: from an onset to the opening of the gap, or an impulse.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImpactRecord {
    /// Where.
    pub spot: Spot,
    /// When it began \[s\].
    #[serde(with = "crate::maths::exact")]
    pub onset: f64,
    /// m_eff at the onset \[kg\].
    #[serde(with = "crate::maths::exact")]
    pub effective_mass: f64,
    /// −u⁻ \[m/s\].
    #[serde(with = "crate::maths::exact")]
    pub approach_speed: f64,
    /// T_c⁻ = ½ m_eff u² \[J\].
    #[serde(with = "crate::maths::exact")]
    pub impact_energy: f64,
    /// The greatest force \[N\]; none of an impulse.
    #[serde(with = "crate::maths::exact")]
    pub peak_force: Option<f64>,
    /// When it acted \[s\].
    #[serde(with = "crate::maths::exact")]
    pub time_of_peak: f64,
    /// The greatest indentation \[m\].
    #[serde(with = "crate::maths::exact")]
    pub max_indentation: f64,
    /// When it was reached \[s\].
    #[serde(with = "crate::maths::exact")]
    pub time_of_max_indentation: f64,
    /// When the pair parted \[s\]; none while it still touches.
    #[serde(with = "crate::maths::exact")]
    pub parting: Option<f64>,
    /// u⁺ \[m/s\]; none while it still touches.
    #[serde(with = "crate::maths::exact")]
    pub separation_speed: Option<f64>,
    /// The impulse of a piecewise impact \[N s\].
    #[serde(with = "crate::maths::exact")]
    pub impulse: Option<f64>,
    /// Energy the contact took and did not give back \[J\].
    #[serde(with = "crate::maths::exact")]
    pub energy_lost: f64,
    /// Work of the contact up to its greatest indentation \[J\]; zero of an impulse.
    #[serde(with = "crate::maths::exact")]
    pub compression_work: f64,
    /// u̇ just before it \[m/s²\]: what the forces of the rest of the machine do to u.
    #[serde(with = "crate::maths::exact")]
    pub free_acceleration: f64,
    /// m_eff at the parting \[kg\]; none while it still touches.
    #[serde(with = "crate::maths::exact")]
    pub parting_mass: Option<f64>,
    /// Its share ½ u_k (W⁺ u)_k of the T_c of its [`Blow`] \[J\]; that of a point struck alone, without sticking, is [`Self::impact_energy`].
    #[serde(with = "crate::maths::exact")]
    pub shared_energy: f64,
    /// The part of [`Self::energy_lost`] that friction took during an impulse \[J\].
    pub friction_loss: f64,
    /// When the indentation first stopped growing \[s\], and m_eff then \[kg\]; none before, and none of an impulse.
    #[serde(with = "crate::maths::exact")]
    pub first_turn: Option<(f64, f64)>,
    /// The work account of the spot at the onset \[J\].
    #[serde(with = "crate::maths::exact")]
    pub account: f64,
    /// Whether the pair was indented, at rest, where the run began.
    #[serde(default)]
    pub began_indented: bool,
}

impl ImpactRecord {
    /// An impact that begins, with m_eff \[kg\], approach speed \[m/s\] and free acceleration \[m/s²\].
    pub(in crate::simulate) fn at(spot: Spot, onset: f64, [mass, speed, free]: [f64; 3]) -> Self {
        let energy = if speed == 0.0 { 0.0 } else { 0.5 * mass * speed * speed };
        Self {
            spot,
            onset,
            effective_mass: mass,
            approach_speed: speed,
            impact_energy: energy,
            peak_force: None,
            time_of_peak: onset,
            max_indentation: 0.0,
            time_of_max_indentation: onset,
            parting: None,
            separation_speed: None,
            impulse: None,
            energy_lost: 0.0,
            compression_work: 0.0,
            free_acceleration: free,
            parting_mass: None,
            shared_energy: energy,
            friction_loss: 0.0,
            first_turn: None,
            account: 0.0,
            began_indented: false,
        }
    }

    /// Whether it began indented, at rest: it is no impact.
    pub fn stood(&self) -> bool {
        self.began_indented
    }

    /// e delivered: u⁺ divided by −u⁻; none of a pair that was pressed together rather than struck.
    pub fn restitution(&self) -> Option<f64> {
        let speed = self.separation_speed?;
        self.is_struck().then(|| speed / self.approach_speed)
    }

    /// Whether the approach speed decided the contact, which has ended.
    fn is_struck(&self) -> bool {
        let end = self.parting.unwrap_or(self.onset);
        self.approach_speed > 0.0 && !self.is_pressed(end)
    }

    /// e* = √(T_c⁺/T_c⁻), with T_c⁺ = ½ m_eff u² of the parting and its own m_eff; none of a pair that was pressed together.
    pub fn energetic_restitution(&self) -> Option<f64> {
        let (speed, mass) = (self.separation_speed?, self.parting_mass?);
        let e = (0.5 * mass * speed * speed / self.impact_energy).sqrt();
        (e.is_finite() && self.is_struck()).then_some(e)
    }

    /// Work that the contact gave back after its greatest indentation \[J\]; none while it still touches, and none of an
    /// impulse.
    pub fn restitution_work(&self) -> Option<f64> {
        let over = self.parting.is_some() && self.impulse.is_none();
        over.then_some(self.compression_work - self.energy_lost)
    }

    /// From onset to parting \[s\].
    pub fn duration(&self) -> Option<f64> {
        Some(self.parting? - self.onset)
    }
}

/// What happened to a spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EventKind {
    /// The gap closed.
    Onset,
    /// The force fell to zero, or the indentation did.
    Parting,
    /// The law pushed again before the gap had opened.
    Again,
    /// An impulse.
    Impulse,
    /// The contact stays: from now on it is a constraint.
    Stays,
    /// A contact that stayed opened.
    Release,
    /// A contact that stays began to slide.
    Slips,
    /// A contact that stays stopped sliding.
    Sticks,
    /// The slip of a contact that stays passed zero and turned round.
    Reverses,
}

impl EventKind {
    /// All kinds.
    pub const ALL: [Self; 9] = [
        Self::Onset,
        Self::Parting,
        Self::Again,
        Self::Impulse,
        Self::Stays,
        Self::Release,
        Self::Slips,
        Self::Sticks,
        Self::Reverses,
    ];

    /// One word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Onset => "onset",
            Self::Parting => "parting",
            Self::Again => "again",
            Self::Impulse => "impulse",
            Self::Stays => "stays",
            Self::Release => "release",
            Self::Slips => "slips",
            Self::Sticks => "sticks",
            Self::Reverses => "reverses",
        }
    }
}

/// An event.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// When \[s\].
    #[serde(with = "crate::maths::exact")]
    pub t: f64,
    /// Where.
    pub spot: Spot,
    /// What.
    pub kind: EventKind,
    /// Of impacts that accumulate: when they would all have happened \[s\].
    #[serde(with = "crate::maths::exact")]
    pub accumulation: Option<f64>,
}

/// Where the energy is and went \[J\].
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Ledger {
    /// T.
    #[serde(with = "crate::maths::exact")]
    pub kinetic: f64,
    /// V.
    #[serde(with = "crate::maths::exact")]
    pub potential: f64,
    /// Elastic energy of contacts that touch.
    #[serde(with = "crate::maths::exact")]
    pub contact_elastic: f64,
    /// Lost in contacts, force laws and stranded elastic energy together.
    #[serde(with = "crate::maths::exact")]
    pub contact_loss: f64,
    /// Lost in impulses.
    #[serde(with = "crate::maths::exact")]
    pub impulse_loss: f64,
    /// Lost in friction of contacts.
    #[serde(with = "crate::maths::exact")]
    pub friction_loss: f64,
    /// Lost in dampers.
    #[serde(with = "crate::maths::exact")]
    pub damper_loss: f64,
    /// Work of forces, torques and efforts.
    #[serde(with = "crate::maths::exact")]
    pub load_work: f64,
    /// Work of drives.
    #[serde(with = "crate::maths::exact")]
    pub drive_work: f64,
    /// Energy that projecting onto closures took away.
    #[serde(with = "crate::maths::exact")]
    pub projection_loss: f64,
}

/// Lines of a ledger.
const LINES: usize = 10;

impl Ledger {
    /// What its lines are called.
    pub const NAMES: [&'static str; LINES] = [
        "kinetic",
        "potential",
        "contact_elastic",
        "contact_loss",
        "impulse_loss",
        "friction_loss",
        "damper_loss",
        "load_work",
        "drive_work",
        "projection_loss",
    ];

    /// Its lines.
    pub fn lines(&self) -> [f64; LINES] {
        [
            self.kinetic,
            self.potential,
            self.contact_elastic,
            self.contact_loss,
            self.impulse_loss,
            self.friction_loss,
            self.damper_loss,
            self.load_work,
            self.drive_work,
            self.projection_loss,
        ]
    }

    /// The ledger of these lines.
    pub fn from_lines(lines: [f64; LINES]) -> Self {
        let [kinetic, potential, contact_elastic, contact_loss, impulse_loss, rest @ ..] = lines;
        let [friction_loss, damper_loss, load_work, drive_work, projection_loss] = rest;
        Self {
            kinetic,
            potential,
            contact_elastic,
            contact_loss,
            impulse_loss,
            friction_loss,
            damper_loss,
            load_work,
            drive_work,
            projection_loss,
        }
    }

    /// What has to stay constant.
    pub fn balance(&self) -> f64 {
        self.kinetic
            + self.potential
            + self.contact_elastic
            + self.contact_loss
            + self.impulse_loss
            + self.friction_loss
            + self.damper_loss
            + self.projection_loss
            - self.load_work
            - self.drive_work
    }
}

/// One moment of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Time, positions, velocities.
    pub state: State,
    /// Energies.
    pub ledger: Ledger,
    /// T_c = ½ m_eff u² of each contact point \[J\], in the order of [`Outcome::spots`]; empty in a run that is asked for a first impact alone,
    /// and where there are more than 100 of them.
    #[serde(with = "crate::maths::exact")]
    pub impact_energies: Vec<f64>,
    /// Force and moment (six numbers, in world axes) that each joint and then each closure transmits to its body at its point there
    /// \[N, N m\]; empty unless the scenario asks for it.
    #[serde(default, with = "crate::maths::exact")]
    pub reactions: Vec<f64>,
    /// Whether an event lies here.
    pub event: bool,
}

impl Sample {
    /// T_a = T − T_c of a contact point \[J\]; none while a drive moves: then T depends on the frame.
    pub fn admissible_energy(&self, model: &Model, spot: usize) -> Option<f64> {
        let driven = model.drives.iter().any(|d| self.state.v[d.v] != 0.0);
        let along = self.impact_energies.get(spot).filter(|_| !driven)?;
        Some(self.ledger.kinetic - along)
    }
}

/// A spot while it touches or stays.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactSample {
    /// When \[s\].
    #[serde(with = "crate::maths::exact")]
    pub t: f64,
    /// Where.
    pub spot: Spot,
    /// δ \[m\].
    #[serde(with = "crate::maths::exact")]
    pub delta: f64,
    /// δ̇ \[m/s\].
    #[serde(with = "crate::maths::exact")]
    pub delta_dot: f64,
    /// g \[m\].
    #[serde(with = "crate::maths::exact")]
    pub gap: f64,
    /// F, or F_N of a contact that stays \[N\].
    #[serde(with = "crate::maths::exact")]
    pub force: f64,
    /// The friction force on body j, in world axes \[N\].
    #[serde(with = "crate::maths::exact")]
    pub friction: Vec3,
    /// The velocity of body j along the tangents relative to body i, in world axes \[m/s\].
    #[serde(with = "crate::maths::exact")]
    pub slip: Vec3,
    /// Where it touches, halfway between the two surfaces, in world axes \[m\].
    #[serde(with = "crate::maths::exact")]
    pub point: Vec3,
    /// T_c = ½ m_eff u² \[J\].
    #[serde(with = "crate::maths::exact")]
    pub impact_energy: f64,
    /// T_a = T − T_c \[J\]; none while a drive moves.
    #[serde(with = "crate::maths::exact")]
    pub admissible_energy: Option<f64>,
}

/// What it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Accepted steps.
    pub steps: usize,
    /// Steps tried in vain.
    pub rejected: usize,
    /// Right-hand sides of the integrator.
    pub evaluations: usize,
    /// States looked at for events and output.
    pub observations: usize,
}

/// A run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// All contact points.
    pub spots: Vec<Spot>,
    /// The trajectory: even in time, at all events, and inside impacts wherever a contact is recorded.
    pub samples: Vec<Sample>,
    /// Contacts while they touch or stay: straight lines between these records miss force and gap by less than 1e-3 of their greatest
    /// values since the onset.
    pub contacts: Vec<ContactSample>,
    /// The impacts, by onset.
    pub impacts: Vec<ImpactRecord>,
    /// The impacts, points that are struck together as one.
    pub blows: Vec<Blow>,
    /// What each impact brought the joints, in the order of [`Model::bodies`], and then the closures.
    pub reactions: Vec<Vec<JointPeak>>,
    /// Contacts that stayed.
    pub stays: Vec<Stay>,
    /// The events.
    pub events: Vec<Event>,
    /// Events of the user.
    pub user_events: Vec<UserEventRecord>,
    /// The event of the user that ended the run, as a position in [`Model::events`].
    pub ended_by: Option<usize>,
    /// The least gap of a run in which nothing touched.
    pub least_gap: Option<LeastGap>,
    /// How far contacts crept within the band of their friction.
    pub creep: Vec<Creep>,
    /// The largest departure of the ledger's balance from its beginning \[J\].
    #[serde(with = "crate::maths::exact")]
    pub drift: f64,
    /// The largest gap of a closure that a projection found \[m or rad\].
    #[serde(with = "crate::maths::exact")]
    pub closure_gap: f64,
    /// What it took.
    pub counts: Counts,
    /// The last state.
    pub state: State,
    /// What it takes to go on; none after a failure.
    pub checkpoint: Option<Checkpoint>,
}
