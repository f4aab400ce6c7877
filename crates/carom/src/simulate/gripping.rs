//! Friction of rigid contacts that stay: which of them stick and which slide.

use super::SimulateError;
use super::at_rest::Resting;
use super::guard::Guard;
use super::motion::{Motion, MotionError, acceleration};
use super::rub::Rub;
use super::run::Runner;
use super::spot::{Grip, Observation, Spot, Status};
use super::staying::{Held, Staying};
use crate::contact::friction::Dry;
use crate::dynamics::{Posture, RowWrench};
use crate::maths::{Twist, Wrench};
use crate::model::Place;

/// A friction below its limit by less than this part of it has reached it.
const AT_LIMIT: f64 = 1e-7;

/// The direction that the friction of a slide is against.
pub(super) fn along(grip: Grip, rub: &Rub, planar: bool) -> Option<[f64; 2]> {
    match grip {
        Grip::Slides(began) => Some(rub.direction(began, planar)),
        Grip::Breaks(given) => Some(given),
        Grip::Smooth | Grip::Idle | Grip::Sticks => None,
    }
}

/// The rows that hold a spot.
pub(super) fn hold(
    staying: &mut Staying,
    at: &Posture<'_>,
    (spot, row): (usize, &RowWrench),
    grip: Grip,
    rough: Option<(&Rub, &Dry)>,
) {
    let planar = at.model().is_planar();
    match (grip, rough) {
        (Grip::Sticks, Some((rub, _))) => {
            staying.hold_row(Held::normal(spot, *row));
            for (part, t) in rub.rows.iter().enumerate().take(if planar { 1 } else { 2 }) {
                staying.hold_row(Held::tangent(spot, part + 1, *t));
            }
        }
        (Grip::Slides(_) | Grip::Breaks(_), Some((rub, dry))) => {
            let mu = dry.coefficient(rub.speed());
            let against = along(grip, rub, planar).unwrap_or_default().map(|d| -mu * d);
            let push = with(with(*row, &rub.rows[0], against[0]), &rub.rows[1], against[1]);
            staying.hold_row(Held { push, slides: true, ..Held::normal(spot, *row) });
        }
        (Grip::Idle, _) => {}
        _ => staying.hold_row(Held::normal(spot, *row)),
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
pub(super) fn free(
    at: &Posture<'_>,
    spot: Spot,
    held: &Held,
    rubs: &[Option<Rub>],
    bodies: &[Twist],
) -> Result<f64, MotionError> {
    let (Some(part), Some(rub)) = (held.part.checked_sub(1), &rubs[held.spot]) else {
        return acceleration(at, spot, &held.row, bodies);
    };
    let of = |place: Place| place.map_or_else(Twist::zero, |b| bodies[b.index()]);
    let moving = |place: Place| at.frames().twist(place);
    let (contact, point) = (spot.contact, spot.point);
    let turning = at.tangent_variation(contact, point, &rub.tangents[part], &moving)?;
    Ok(held.row.rate(&of(held.row.a), &of(held.row.b)) + at.rate(&turning))
}

/// What is seen of friction; returns its power \[W\].
pub(super) fn see(
    see: &mut Observation,
    grip: Grip,
    rub: &Rub,
    dry: &Dry,
    [first, second]: [f64; 2],
    at: &Posture<'_>,
) -> f64 {
    match grip {
        Grip::Smooth | Grip::Idle => 0.0,
        Grip::Sticks => {
            see.slip = rub.speed();
            see.margin = dry.breakaway * see.force - first.hypot(second);
            0.0
        }
        Grip::Slides(began) | Grip::Breaks(began) => {
            see.slip = rub.slip[0] * began[0] + rub.slip[1] * began[1];
            let along = along(grip, rub, at.model().is_planar()).unwrap_or(began);
            let slip = rub.slip[0] * along[0] + rub.slip[1] * along[1];
            -dry.coefficient(rub.speed()) * see.force * slip
        }
    }
}

impl Motion<'_> {
    /// Takes the speeds of held spots away, and the slips of those that are still.
    fn halt_slip(&mut self, held: &[bool], still: &[bool]) -> Result<(), MotionError> {
        let Self { mechanism, state, staying, rows, rubs, .. } = self;
        let at = mechanism.at(state)?;
        staying.clear();
        for k in (0..held.len()).filter(|k| held[*k]) {
            staying.hold_row(Held::normal(k, rows[k]));
            let tangents = rubs[k].iter().filter(|_| still[k]).flat_map(|rub| &rub.rows);
            for (part, row) in tangents.enumerate() {
                staying.hold_row(Held::tangent(k, part + 1, *row));
            }
        }
        staying.prepare(&at);
        staying.still_held(&|held| at.rate(&held.row));
        staying.add_change(state.v.as_mut_slice());
        Ok(())
    }
}

impl Runner<'_> {
    /// Which contacts that stick have reached their friction's limit when one does: those that share a load with it, too.
    pub fn at_friction_limit(&self, fired: &[(usize, Guard)]) -> Vec<bool> {
        let slips = fired.iter().any(|f| f.1 == Guard::Slips);
        let reached = |k: usize| {
            let (spot, status) = self.watch.spots[k];
            let limit =
                self.watch.dry[spot.contact].map_or(0.0, |d| d.breakaway) * self.after[k].force;
            let near = self.after[k].margin <= AT_LIMIT * limit;
            fired.contains(&(k, Guard::Slips)) || (status == Status::Staying(Grip::Sticks) && near)
        };
        (0..self.watch.spots.len()).map(|k| slips && reached(k)).collect()
    }

    /// Lets resting spots, all of them open at the last look, take their modes (see [`Motion::modes_at_rest`]).
    pub fn take_modes(&mut self, t: f64, resting: &Resting<'_>) -> Result<(), SimulateError> {
        let wrong = |error| SimulateError::Motion { t, error };
        let n = resting.spots.len();
        // In space the last bit of a slip that is rest has no say in where the next one goes.
        let T_before = self.watch.energies().map_err(wrong)?[0];
        let rest = self.watch.resolution.rest();
        let slow = |rub: &Rub| (rub.slowest..=rest).contains(&rub.speed());
        let slow: Vec<bool> = (0..n)
            .map(|k| {
                resting.spots[k]
                    && !self.model.is_planar()
                    && self.watch.rubs[k].as_ref().is_some_and(slow)
            })
            .collect();
        self.stop_slip(t, resting.spots, &slow)?;
        let Some(modes) = self.watch.modes_at_rest(resting).map_err(wrong)? else {
            return Err(self.without_modes(t, resting.spots));
        };
        for k in (0..n).filter(|k| resting.spots[*k]) {
            self.watch.spots[k].1 = modes[k].map_or(Status::Open, Status::Staying);
        }
        self.look_again(t)?;
        self.stop_slips(t)?;
        self.impulse_loss += T_before - self.watch.energies().map_err(wrong)?[0];
        Ok(())
    }

    /// The error of resting contacts without an answer: nothing can part them, or their friction leaves none (Painlevé).
    fn without_modes(&mut self, t: f64, resting: &[bool]) -> SimulateError {
        match self.watch.supports(resting) {
            Err(error) => SimulateError::Motion { t, error },
            Ok(None) => self.blocked(t, resting),
            Ok(Some(_)) => {
                let k = resting.iter().position(|r| *r).unwrap_or(0);
                SimulateError::NoGrip { t, contact: self.name_of(k) }
            }
        }
    }

    /// What sticks does so to the last digit.
    pub fn stop_slips(&mut self, t: f64) -> Result<(), SimulateError> {
        let of = |holds: &dyn Fn(Grip) -> bool| -> Vec<bool> {
            let holds = |s: &Status| matches!(s, Status::Staying(grip) if holds(*grip));
            self.watch.spots.iter().map(|s| holds(&s.1)).collect()
        };
        let (held, still) = (of(&|grip| grip != Grip::Idle), of(&|grip| grip == Grip::Sticks));
        if still.contains(&true) {
            self.look_again(t)?;
        }
        self.stop_slip(t, &held, &still)
    }

    /// Takes slips away, at what was seen last.
    fn stop_slip(&mut self, t: f64, held: &[bool], still: &[bool]) -> Result<(), SimulateError> {
        if !still.contains(&true) {
            return Ok(());
        }
        self.watch.halt_slip(held, still).map_err(|error| SimulateError::Motion { t, error })?;
        let (nq, nv) = (self.model.nq, self.model.nv);
        self.y[nq..nq + nv].copy_from_slice(self.watch.state.v.as_slice());
        self.look_again(t)
    }
}
