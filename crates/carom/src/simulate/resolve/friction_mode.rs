//! Friction of rigid contacts that stay: which of them stick and which slide.

use crate::contact::friction::Dry;
use crate::dynamics::{Posture, RowWrench};
use crate::maths::{Twist, Wrench};
use crate::model::Place;
use crate::simulate::SimulateError;
use crate::simulate::error::AtTime;
use crate::simulate::mode::{Grip, Observation, Spot, Status};
use crate::simulate::resolve::rest::Resting;
use crate::simulate::resolve::{Resolved, Resolver};
use crate::simulate::system::constraint::{ConstraintForces, Held};
use crate::simulate::system::tangent::TangentFrame;
use crate::simulate::system::{Motion, MotionError, acceleration};

/// The direction that the friction of a slide is against.
pub(in crate::simulate) fn along(
    grip: Grip,
    tangent: &TangentFrame,
    planar: bool,
) -> Option<[f64; 2]> {
    match grip {
        Grip::Slides(began) => Some(tangent.direction(began, planar)),
        Grip::Breaks(given) => Some(given),
        Grip::Smooth | Grip::Idle | Grip::Sticks => None,
    }
}

/// The constraint rows of every spot that stays closed.
pub(in crate::simulate) fn hold_all(
    constraints: &mut ConstraintForces,
    at: &Posture<'_>,
    spots: &[(Spot, Status)],
    rows: &[RowWrench],
    (tangent_frames, dry): (&[Option<TangentFrame>], &[Option<Dry>]),
) {
    constraints.clear();
    for (k, (spot, status)) in spots.iter().enumerate() {
        if let Status::Staying(grip) = status {
            let rough = tangent_frames[k].as_ref().zip(dry[spot.contact].as_ref());
            hold(constraints, at, (k, &rows[k]), *grip, rough);
        }
    }
}

/// The constraint rows of one spot that stays closed.
fn hold(
    constraints: &mut ConstraintForces,
    at: &Posture<'_>,
    (spot, row): (usize, &RowWrench),
    grip: Grip,
    rough: Option<(&TangentFrame, &Dry)>,
) {
    let planar = at.model().is_planar();
    match (grip, rough) {
        (Grip::Sticks, Some((tangent, _))) => {
            constraints.hold_row(Held::normal(spot, *row));
            for (part, t) in tangent.rows.iter().enumerate().take(if planar { 1 } else { 2 }) {
                constraints.hold_row(Held::tangent(spot, part + 1, *t));
            }
        }
        (Grip::Slides(_) | Grip::Breaks(_), Some((tangent, dry))) => {
            let mu = dry.coefficient(tangent.speed());
            let against = along(grip, tangent, planar).unwrap_or_default().map(|d| -mu * d);
            let push = with(with(*row, &tangent.rows[0], against[0]), &tangent.rows[1], against[1]);
            constraints.hold_row(Held { push, slides: true, ..Held::normal(spot, *row) });
        }
        (Grip::Idle, _) => {}
        _ => constraints.hold_row(Held::normal(spot, *row)),
    }
}

/// A row with a part of another on the same bodies.
fn with(row: RowWrench, other: &RowWrench, part: f64) -> RowWrench {
    let sum = |a: Wrench, b: &Wrench| Wrench {
        moment: a.moment + b.moment * part,
        force: a.force + b.force * part,
    };
    RowWrench { on_a: sum(row.on_a, &other.on_a), on_b: sum(row.on_b, &other.on_b), ..row }
}

/// u̇ of a held row under these accelerations of the bodies.
pub(in crate::simulate) fn free(
    at: &Posture<'_>,
    spot: Spot,
    held: &Held,
    tangent_frames: &[Option<TangentFrame>],
    bodies: &[Twist],
) -> Result<f64, MotionError> {
    let (Some(part), Some(tangent)) = (held.part.checked_sub(1), &tangent_frames[held.spot]) else {
        return acceleration(at, spot, &held.row, bodies);
    };
    let of = |place: Place| place.map_or_else(Twist::zero, |b| bodies[b.index()]);
    let moving = |place: Place| at.frames().twist(place);
    let (contact, point) = (spot.contact, spot.point);
    let turning = at.tangent_variation(contact, point, &tangent.tangents[part], &moving)?;
    Ok(held.row.rate(&of(held.row.a), &of(held.row.b)) + at.rate(&turning))
}

/// What is seen of friction; returns its power \[W\].
pub(in crate::simulate) fn see(
    see: &mut Observation,
    grip: Grip,
    tangent: &TangentFrame,
    dry: &Dry,
    [first, second]: [f64; 2],
    at: &Posture<'_>,
) -> f64 {
    match grip {
        Grip::Smooth | Grip::Idle => 0.0,
        Grip::Sticks => {
            see.slip = tangent.speed();
            see.margin = dry.breakaway * see.force - first.hypot(second);
            0.0
        }
        Grip::Slides(began) | Grip::Breaks(began) => {
            see.slip = tangent.slip[0] * began[0] + tangent.slip[1] * began[1];
            let along = along(grip, tangent, at.model().is_planar()).unwrap_or(began);
            let slip = tangent.slip[0] * along[0] + tangent.slip[1] * along[1];
            -dry.coefficient(tangent.speed()) * see.force * slip
        }
    }
}

impl Motion<'_> {
    /// Takes the speeds of held spots away, and the slips of those that are still.
    fn halt_slip(&mut self, held: &[bool], still: &[bool]) -> Result<(), MotionError> {
        let Self { mechanism, state, constraints, rows, tangent_frames, .. } = self;
        let at = mechanism.at(state)?;
        constraints.clear();
        for k in (0..held.len()).filter(|k| held[*k]) {
            constraints.hold_row(Held::normal(k, rows[k]));
            let tangents =
                tangent_frames[k].iter().filter(|_| still[k]).flat_map(|tangent| &tangent.rows);
            for (part, row) in tangents.enumerate() {
                constraints.hold_row(Held::tangent(k, part + 1, *row));
            }
        }
        constraints.prepare(&at);
        constraints.still_held(&|held| at.rate(&held.row));
        constraints.add_change(state.v.as_mut_slice());
        Ok(())
    }
}

impl Resolver<'_, '_> {
    /// In the modes as they are, what sticks does so to the last digit.
    pub fn without_slips(mut self) -> Result<Resolved, SimulateError> {
        self.stop_slips(self.t)?;
        Ok(self.resolved())
    }

    /// Lets resting spots, all of them open at the last look, take their modes (see [`Motion::modes_at_rest`]).
    pub fn take_modes(&mut self, t: f64, resting: &Resting<'_>) -> Result<(), SimulateError> {
        let n = resting.spots.len();
        // In space the direction of a slip below the resolution is round-off: it is removed, so that it does not decide the next direction.
        let T_before = self.watch.energies().at_time(t)?[0];
        let rest = self.watch.resolution.rest();
        let slow = |tangent: &TangentFrame| (tangent.slowest..=rest).contains(&tangent.speed());
        let slow: Vec<bool> = (0..n)
            .map(|k| {
                resting.spots[k]
                    && !self.watch.model.is_planar()
                    && self.watch.tangent_frames[k].as_ref().is_some_and(slow)
            })
            .collect();
        self.stop_slip(t, resting.spots, &slow)?;
        let Some(modes) = self.watch.modes_at_rest(resting).at_time(t)? else {
            return Err(self.without_modes(t, resting.spots));
        };
        for k in (0..n).filter(|k| resting.spots[*k]) {
            self.watch.spots[k].1 = modes[k].map_or(Status::Open, Status::Staying);
        }
        self.observe()?;
        self.stop_slips(t)?;
        self.out.impulse_loss += T_before - self.watch.energies().at_time(t)?[0];
        Ok(())
    }

    /// The error of resting contacts without an answer: nothing can part them, or their friction leaves none (Painlevé).
    fn without_modes(&mut self, t: f64, resting: &[bool]) -> SimulateError {
        match self.watch.supports(resting) {
            Err(error) => SimulateError::Motion { t, error },
            Ok(None) => self.watch.blocked(t, resting),
            Ok(Some(_)) => {
                let k = resting.iter().position(|r| *r).unwrap_or(0);
                SimulateError::NoGrip { t, contact: self.watch.name_of(k) }
            }
        }
    }

    /// What sticks does so to the last digit.
    fn stop_slips(&mut self, t: f64) -> Result<(), SimulateError> {
        let of = |holds: &dyn Fn(Grip) -> bool| -> Vec<bool> {
            let holds = |s: &Status| matches!(s, Status::Staying(grip) if holds(*grip));
            self.watch.spots.iter().map(|s| holds(&s.1)).collect()
        };
        let (held, still) = (of(&|grip| grip != Grip::Idle), of(&|grip| grip == Grip::Sticks));
        if still.contains(&true) {
            self.observe()?;
        }
        self.stop_slip(t, &held, &still)
    }

    /// Takes slips away, at what was seen last.
    fn stop_slip(&mut self, t: f64, held: &[bool], still: &[bool]) -> Result<(), SimulateError> {
        if !still.contains(&true) {
            return Ok(());
        }
        self.watch.halt_slip(held, still).at_time(t)?;
        self.watch.write_velocities(&self.watch.state, &mut self.out.y);
        self.observe()
    }
}
