//! The equations of motion with the contact forces of one mode, as a differential equation.
//!
//! y holds q − q₀ (q₀ the positions at the last restart, so that small indentations keep their digits), v (of rotations about a point in body
//! axes, see [`body_axes`]), the internal states of
//! friction laws, and the running integrals of the ledger: the work that each spot which has touched has taken up along its normal, and
//! the work of dampers, forces, drives and friction.

mod accounts;
pub(in crate::simulate) mod body_axes;
pub(in crate::simulate) mod centre;
pub(in crate::simulate) mod constraint;
pub(in crate::simulate) mod dead_centre;
mod error;
pub(in crate::simulate) mod joint_friction;
mod observe;
mod planar;
mod rates;
pub(in crate::simulate) mod sharing;
pub(in crate::simulate) mod tangent;

pub use self::error::MotionError;
use self::planar::InPlane;
use self::rates::Rates;
pub(in crate::simulate) use self::rates::acceleration;
use crate::contact::friction::{Dry, FrictionLaw};
use crate::contact::law::{ContactLaw, Indentation};
use crate::contact::{Touch, TouchPoint};
use crate::dynamics::{Forward, Mechanism, Posture, RowWrench, Terms, Transmitted};
use crate::kinematics::State;
use crate::maths::ode::System;
use crate::maths::{Twist, Vec3};
use crate::model::{BodyId, Contact, ContactGeometry, Model};
use crate::simulate::locate::features::{Changing, point_of, vacancy};
use crate::simulate::locate::user_event::Course;
use crate::simulate::mode::{Observation, Spot, Status};
use crate::simulate::record::peaks::Along;
use crate::simulate::resolution::Resolution;
use crate::simulate::resolve::friction_mode;
use crate::simulate::system::constraint::{ConstraintForces, Held};
use crate::simulate::system::joint_friction::JointFrictions;
use crate::simulate::system::tangent::TangentFrame;
use std::ops::Range;
use std::sync::Arc;

/// Entries of y after q, v, z and the works of the spots.
pub(in crate::simulate) const WORKS: usize = 4;

/// A mechanism in one mode.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct Motion<'m> {
    pub model: &'m Model,
    pub mechanism: Mechanism<'m>,
    /// The same for planar trees, in fewer instructions.
    pub plane: Option<InPlane<'m>>,
    /// Whether the last evaluation went by it: then wrenches and multipliers are not known.
    pub in_plane: bool,
    pub work: Forward,
    pub state: State,
    /// q₀.
    pub origin: Vec<f64>,
    pub spots: Vec<(Spot, Status)>,
    /// What counts as zero.
    pub resolution: Resolution,
    /// By spot, whether its gap is an angle.
    pub angular: Vec<bool>,
    /// By contact.
    pub laws: Vec<Option<Arc<dyn ContactLaw>>>,
    /// By contact.
    pub frictions: Vec<Option<Arc<dyn FrictionLaw>>>,
    /// Where the internal states of each spot's friction stand in z.
    pub states: Vec<Range<usize>>,
    pub z: Vec<f64>,
    pub z_dot: Vec<f64>,
    powers: [f64; WORKS],
    pub seen: Vec<Observation>,
    pub rows: Vec<RowWrench>,
    accelerations: Vec<Twist>,
    pub constraints: ConstraintForces,
    /// q̇, for events of the user.
    pub rates: Vec<f64>,
    /// Value and rate of the events' expressions.
    pub courses: Vec<Course>,
    /// T_c and T_a by spot.
    pub along: Vec<Along>,
    /// What joints transmit, after [`Motion::transmit`].
    pub transmitted: Transmitted,
    /// Rigid contacts' friction, by contact.
    pub dry: Vec<Option<Dry>>,
    /// The tangents of spots that may stay with friction.
    pub tangent_frames: Vec<Option<TangentFrame>>,
    pub joint_frictions: JointFrictions,
    /// What went wrong in a step that was tried.
    pub astray: Option<MotionError>,
    pub evaluations: usize,
    /// Contacts whose points change their places.
    pub changing: Changing,
    /// Spots whose works stand in y, in their order there: those that a force law has acted on. See [`Motion::open_account`].
    pub accounts: Vec<usize>,
    /// Rotations whose velocities stand in y in body axes.
    pub rotations: Vec<[usize; 2]>,
    /// By spot, whether it is out of reach within the step at hand: it is not observed (see [`crate::simulate::locate::broad_phase`]).
    pub far: Vec<bool>,
    /// Entries of y that the rates depend on.
    pub felt: Vec<bool>,
    /// How far entries of y may be moved to feel a slope of the rates.
    pub room: Vec<f64>,
}

impl<'m> Motion<'m> {
    pub fn new(
        mut mechanism: Mechanism<'m>,
        state: &State,
        spots: Vec<(Spot, Status)>,
        laws: Vec<Option<Arc<dyn ContactLaw>>>,
        frictions: Vec<Option<Arc<dyn FrictionLaw>>>,
        dry: Vec<Option<Dry>>,
    ) -> Result<Self, MotionError> {
        let model = mechanism.model();
        let tangents = if model.is_planar() { 1 } else { 2 };
        let mut states = Vec::with_capacity(spots.len());
        let mut nz = 0;
        for (spot, _) in &spots {
            let own = frictions[spot.contact].as_ref().map_or(0, |law| law.states(tangents));
            states.push(nz..nz + own);
            nz += own;
        }
        let at = mechanism.at(state)?;
        observe::check_touching(&at, &spots)?;
        let work = Forward::new(at.layout());
        let constraints = ConstraintForces::new(at.layout(), spots.len());
        let nothing = RowWrench::of_normal(
            at.frames(),
            (None, Vec3::zeros()),
            (None, Vec3::zeros()),
            &Vec3::x(),
        );
        let rubs = dry.iter().any(Option::is_some) || frictions.iter().any(Option::is_some);
        let rotations = body_axes::rotations(model, rubs);
        let mut felt = vec![false; model.nq + model.nv + nz + WORKS];
        felt[..model.nq + model.nv + nz].fill(true);
        for drive in &model.drives {
            felt[drive.q] = false;
            felt[model.nq + drive.v] = false;
        }
        // What the planar path does not know.
        let stops = model.contacts.iter().any(|c| matches!(c.geometry, ContactGeometry::Stop(_)));
        let joint_frictions = JointFrictions::new(model);
        let turning = |c: &Contact| turning_normal(&c.geometry).is_some();
        let mut features = Vec::with_capacity(model.contacts.len());
        for contact in 0..model.contacts.len() {
            features.push(at.touch(contact)?.features());
        }
        let changing = Changing::new(model, |contact| features[contact]);
        let plain = changing.is_empty()
            && !model.contacts.iter().any(turning)
            && !stops
            && joint_frictions.is_empty()
            && dry.iter().all(Option::is_none);
        let turns = |contact: &Contact| matches!(&contact.geometry, ContactGeometry::Stop(stop) if stop.angular);
        let angular = spots.iter().map(|(spot, _)| turns(&model.contacts[spot.contact])).collect();
        Ok(Self {
            dry,
            resolution: Resolution::new(),
            angular,
            tangent_frames: vec![None; spots.len()],
            joint_frictions,
            accounts: Vec::new(),
            rotations,
            far: vec![false; spots.len()],
            room: vec![0.0; felt.len()],
            felt,
            model,
            plane: InPlane::new(model).filter(|_| plain),
            in_plane: false,
            work,
            constraints,
            mechanism,
            state: state.clone(),
            origin: state.q.as_slice().to_vec(),
            seen: vec![Observation::default(); spots.len()],
            along: vec![(0.0, None); spots.len()],
            rows: vec![nothing; spots.len()],
            accelerations: vec![Twist::zero(); model.bodies.len()],
            spots,
            laws,
            frictions,
            states,
            z: vec![0.0; nz],
            z_dot: vec![0.0; nz],
            powers: [0.0; WORKS],
            rates: vec![0.0; model.nq],
            courses: vec![[0.0; 2]; model.events.len()],
            transmitted: Transmitted::new(model),
            astray: None,
            evaluations: 0,
            changing,
        })
    }

    /// The length of y.
    pub fn dimension(&self) -> usize {
        self.totals_at() + WORKS
    }

    /// Where the works of dampers, forces, drives and friction begin in y.
    pub fn totals_at(&self) -> usize {
        self.works_at() + self.accounts.len()
    }

    /// Where the works begin in y.
    pub fn works_at(&self) -> usize {
        self.states_at() + self.z.len()
    }

    /// Where the internal states of friction begin in y.
    pub fn states_at(&self) -> usize {
        self.model.nq + self.model.nv
    }

    /// The state of y.
    pub fn place(&mut self, t: f64, y: &[f64]) -> &State {
        let (nq, nv) = (self.model.nq, self.model.nv);
        self.state.t = t;
        let positions = self.state.q.as_mut_slice().iter_mut().zip(&self.origin);
        for ((q, origin), y) in positions.zip(y) {
            *q = origin + y;
        }
        let State { q, v, .. } = &mut self.state;
        v.as_mut_slice().copy_from_slice(&y[nq..nq + nv]);
        body_axes::from_body_axes(&self.rotations, q.as_slice(), v.as_mut_slice());
        let nz = self.z.len();
        if nz > 0 {
            self.z.copy_from_slice(&y[nq + nv..nq + nv + nz]);
        }
        if !self.model.drives.is_empty() {
            self.state.follow_drives(self.model);
        }
        &self.state
    }

    /// The posture at the state placed last.
    pub fn posture(&mut self) -> Result<Posture<'_>, MotionError> {
        Ok(self.mechanism.at(&self.state)?)
    }

    /// v̇ and the observations of the spots; with `fully`, their rates as well.
    fn evaluate(&mut self, fully: bool) -> Result<(), MotionError> {
        self.in_plane = self.evaluate_in_plane(fully);
        if self.in_plane { Ok(()) } else { self.evaluate_in_space(fully) }
    }

    /// The same for any model.
    #[inline(never)]
    pub fn evaluate_in_space(&mut self, fully: bool) -> Result<(), MotionError> {
        let Self { mechanism, work, state, spots, laws, seen, rows, .. } = self;
        let Self { accelerations, constraints, frictions, states, z, z_dot, powers, .. } = self;
        let Self { tangent_frames, dry, joint_frictions, transmitted, resolution, far, .. } = self;
        z_dot.fill(0.0);
        let (mut taken, mut rubbed) = (0.0, 0.0);
        let at = mechanism.at(state)?;
        at.load(Terms::All, work)?;
        let mut touched: Option<(usize, Touch)> = None;
        for (k, (spot, status)) in spots.iter().enumerate() {
            if far[k] || !fully && matches!(status, Status::Open | Status::Parted(_)) {
                continue;
            }
            if touched.as_ref().is_none_or(|(contact, _)| *contact != spot.contact) {
                touched = Some((spot.contact, at.touch(spot.contact)?));
            }
            let Some((_, touch)) = &touched else { continue };
            let Some(point) = point_of(touch, *spot, status) else {
                (seen[k], rows[k]) = vacancy(&at, *spot, touch);
                tangent_frames[k] = None;
                continue;
            };
            rows[k] = at.contact_row(spot.contact, &point, &point.normal);
            let see = &mut seen[k];
            *see =
                Observation { gap: point.gap, rate: at.rate(&rows[k]), ..Observation::default() };
            if matches!(status, Status::Open) {
                see.rate += rate_beside(&at, spot.contact, &point);
            }
            if dry[spot.contact].is_some() {
                tangent_frames[k] = Some(TangentFrame::new(&at, spot.contact, &point, resolution));
            }
            if let (Status::Touching(onset) | Status::Parted(onset), Some(law)) =
                (status, &laws[spot.contact])
            {
                see.force = law.force(&indentation(see), onset);
                if matches!(status, Status::Touching(_)) {
                    work.push(&rows[k], see.force);
                    taken -= see.force * see.rate;
                    if let Some(friction) = &frictions[spot.contact] {
                        let own = states[k].clone();
                        let states = (&z[own.clone()], &mut z_dot[own]);
                        let tangent = TangentFrame::new(&at, spot.contact, &point, resolution);
                        see.slip =
                            if at.model().is_planar() { tangent.slip[0] } else { tangent.speed() };
                        rubbed += tangent.push(friction.as_ref(), see.force.max(0.0), states, work);
                    }
                }
            }
        }
        let stays = spots.iter().any(|s| s.1.stays());
        if stays {
            friction_mode::hold_all(constraints, &at, spots, rows, (tangent_frames, dry));
        }
        joint_frictions.begin();
        loop {
            at.accelerate(work)?;
            if stays {
                let bodies = &mut *accelerations;
                at.body_accelerations(work, bodies);
                let free = |held: &Held| {
                    friction_mode::free(&at, spots[held.spot].0, held, tangent_frames, bodies)
                };
                let limit = |k: usize| dry[spots[k].0.contact].map_or(0.0, |d| d.breakaway);
                // Friction of joints depends on how contacts share their loads.
                let shared = fully || !joint_frictions.is_empty();
                constraints.hold(&at, work, &free, shared.then_some(&limit))?;
                // For the reactions of joints.
                constraints.held().for_each(|(held, force)| work.push(&held.push, force));
            }
            if joint_frictions.is_empty() || joint_frictions.follow(&at, work, transmitted)? {
                break;
            }
            if stays {
                constraints.held().for_each(|(held, force)| work.push(&held.push, -force));
            }
        }
        rubbed += joint_frictions.power(state.v.as_slice());
        for (k, (spot, status)) in spots.iter().enumerate() {
            if let Status::Staying(grip) = status {
                let see = &mut seen[k];
                see.force = constraints.force(k);
                if let (Some(tangent), Some(dry)) = (&tangent_frames[k], &dry[spot.contact]) {
                    rubbed +=
                        friction_mode::see(see, *grip, tangent, dry, constraints.grip(k), &at);
                }
            }
        }
        // Power of dampers, forces, drives and friction.
        let [dampers, forces] = at.load_power()?;
        *powers = [dampers, forces, 0.0, rubbed];
        if !at.model().drives.is_empty() {
            at.body_accelerations(work, accelerations);
            let kinetic = at.kinetic_power(accelerations, &work.solution.x);
            powers[2] = kinetic + at.potential_power() - dampers - forces + taken - rubbed;
        }
        if fully {
            at.body_accelerations(work, accelerations);
            for k in (0..spots.len()).filter(|k| !far[*k]) {
                let rates = Rates { at: &at, row: &rows[k], tangent_frames, bodies: accelerations };
                rates.see(k, spots[k], laws[spots[k].0.contact].as_deref(), &mut seen[k])?;
            }
        }
        Ok(())
    }

    /// q̇.
    fn position_rates(&self, out: &mut [f64]) {
        let (q, v) = (self.state.q.as_slice(), self.state.v.as_slice());
        for body in &self.model.bodies {
            let joint = &body.joint;
            let rates = &mut out[joint.positions()];
            joint.kind.rates(&q[joint.positions()], &v[joint.velocities()], rates);
        }
    }
}

/// By how much the rate of a gap differs from u: of markers beside each other ġ = u + ṅ · (p_b − p_a).
fn rate_beside(at: &Posture<'_>, contact: usize, point: &TouchPoint) -> f64 {
    let Some(body) = turning_normal(&at.model().contacts[contact].geometry) else { return 0.0 };
    let turns = at.frames().twist(Some(body)).ang.cross(&point.normal);
    turns.dot(&(point.on_b - point.on_a))
}

/// The body that the normal of markers turns with.
pub(in crate::simulate) fn turning_normal(geometry: &ContactGeometry) -> Option<BodyId> {
    match geometry {
        ContactGeometry::Points { normal_in, .. } => *normal_in,
        _ => None,
    }
}

/// δ and δ̇; the limit from above where nothing is indented, so that a force holds until its step ends.
pub(in crate::simulate) fn indentation(see: &Observation) -> Indentation {
    Indentation { delta: (-see.gap).max(f64::MIN_POSITIVE), delta_dot: -see.rate }
}

impl System for Motion<'_> {
    type Error = MotionError;

    // A name of its own in profiles: what one right-hand side costs.
    #[inline(never)]
    fn rate(&mut self, t: f64, y: &[f64], y_dot: &mut [f64]) -> Result<(), MotionError> {
        self.evaluations += 1;
        self.place(t, y);
        match self.evaluate(false) {
            Err(error) if error.is_of_place() => {
                // A shorter step may not come there.
                self.astray = Some(error);
                y_dot.fill(f64::NAN);
                return Ok(());
            }
            other => other?,
        }
        let (nq, nv) = (self.model.nq, self.model.nv);
        if self.plane.is_some() {
            // In the plane every coordinate's rate is its velocity.
            y_dot[..nq].copy_from_slice(self.state.v.as_slice());
        } else {
            self.position_rates(&mut y_dot[..nq]);
        }
        let v_dot = &mut y_dot[nq..nq + nv];
        v_dot.copy_from_slice(&self.work.solution.x);
        body_axes::to_body_axes(&self.rotations, self.state.q.as_slice(), v_dot);
        let works_at = self.works_at();
        if !self.z_dot.is_empty() {
            y_dot[nq + nv..works_at].copy_from_slice(&self.z_dot);
        }
        let works = &mut y_dot[works_at..];
        for (work, &k) in works.iter_mut().zip(&self.accounts) {
            let see = &self.seen[k];
            *work = match self.spots[k].1 {
                Status::Touching(_) => -see.force * see.rate,
                _ => 0.0,
            };
        }
        works[self.accounts.len()..].copy_from_slice(&self.powers);
        Ok(())
    }
}
