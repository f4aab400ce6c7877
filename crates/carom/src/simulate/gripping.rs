//! Friction of rigid contacts that stay: which of them stick and which slide.

use super::SimulateError;
use super::guard::Guard;
use super::motion::{Motion, MotionError, acceleration};
use super::resolution::UNLOADED;
use super::rub::Rub;
use super::run::Runner;
use super::spot::{Grip, Observation, Spot, Status};
use super::staying::{Held, Staying};
use crate::contact::friction::Dry;
use crate::dynamics::{Posture, RowWrench};
use crate::maths::{Twist, Wrench};
use crate::model::Place;

/// The same for a contact that has just let go.
const CLEARLY: f64 = 1e-6;
/// A friction below its limit by less than this part of it has reached it.
const AT_LIMIT: f64 = 1e-7;
/// How much less friction tells what gives way, and how many times that the directions it finds may miss.
const EASE: f64 = 1e-6;
const MORE: f64 = 10.0;
/// Accelerations below this part of those that forces give are none.
const NO_ACCELERATION: f64 = 1e-9;
/// The same where springs that share a load may have given way.
const HARDLY: f64 = 1e-6;

/// What is known of spots whose grip is looked for.
struct Standing<'a> {
    /// Closed and at rest.
    resting: &'a [bool],
    /// Whose force has just fallen to zero.
    released: &'a [bool],
    /// How a spot is held that has to stay after all.
    at_first: &'a [Grip],
    /// Accelerations against a slip that are none, in parts of the fastest.
    nothing: f64,
}

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
    /// The direction in which a contact that sticks would give way: against its friction.
    pub fn giving_way(&self, k: usize) -> Option<[f64; 2]> {
        let force = self.staying.grip(k);
        let size = force[0].hypot(force[1]);
        (size > 0.0).then(|| force.map(|f| -f / size))
    }

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
    /// Whether any of the chosen spots has friction.
    pub fn is_rough(&self, chosen: &[bool]) -> bool {
        let mut spots = self.watch.spots.iter().zip(chosen);
        spots.any(|(spot, chosen)| *chosen && self.watch.dry[spot.0.contact].is_some())
    }

    /// Directions in which contacts that reached their friction's limit give way, and those that share a load with them.
    pub fn breakaways(&self, fired: &[(usize, Guard)]) -> Vec<Option<[f64; 2]>> {
        let slips = fired.iter().any(|f| f.1 == Guard::Slips);
        let reached = |k: usize| {
            let (spot, status) = self.watch.spots[k];
            let limit =
                self.watch.dry[spot.contact].map_or(0.0, |d| d.breakaway) * self.after[k].force;
            let near = self.after[k].margin <= AT_LIMIT * limit;
            fired.contains(&(k, Guard::Slips)) || (status == Status::Staying(Grip::Sticks) && near)
        };
        let give = |k: usize| self.watch.giving_way(k).filter(|_| slips && reached(k));
        (0..self.watch.spots.len()).map(give).collect()
    }

    /// Lets the resting spots stay, stick, slide or open so that forces push, friction keeps its limit and nothing is pressed in.
    ///
    /// Coulomb's law on the accelerations foretells how they stand; `first` is the guess of which stay where it has no answer.
    pub fn grip(
        &mut self,
        t: f64,
        resting: &[bool],
        first: &[bool],
        released: &[bool],
        breakaways: &[Option<[f64; 2]>],
    ) -> Result<(), SimulateError> {
        let wrong = |error| SimulateError::Motion { t, error };
        let n = resting.len();
        let at_first: Vec<Grip> = (0..n).map(|k| self.first_grip(k, breakaways[k])).collect();
        // In space the last bit of a slip that is rest has no say in where the next one goes.
        let T_before = self.watch.energies().map_err(wrong)?[0];
        let rest = self.watch.resolution.rest();
        let slow = |rub: &Rub| (rub.slowest..=rest).contains(&rub.speed());
        let slow: Vec<bool> = (0..n)
            .map(|k| {
                resting[k]
                    && !self.model.is_planar()
                    && self.watch.rubs[k].as_ref().is_some_and(slow)
            })
            .collect();
        self.stop_slip(t, resting, &slow)?;
        // Where friction has reached its limit, a little less of it tells what gives way.
        let mut guesses = Vec::with_capacity(3);
        let slips = breakaways.iter().any(Option::is_some);
        let given = (0..n).map(|k| first[k].then_some(at_first[k])).collect();
        let foretold = self.watch.foretell(resting, 0.0).map_err(wrong)?;
        if slips {
            guesses.push(Some(given));
            guesses.push(self.watch.foretell(resting, EASE).map_err(wrong)?);
            guesses.push(foretold);
        } else {
            guesses.push(foretold);
            guesses.push(Some(given));
            // At rest, redundant contacts hold each other where no law tells how.
            if (0..n).any(|k| resting[k] && at_first[k] == Grip::Sticks) {
                guesses.push(Some((0..n).map(|k| resting[k].then_some(at_first[k])).collect()));
            }
        }
        let last = guesses.len() - 1;
        for (which, guess) in guesses.into_iter().enumerate() {
            let Some(mut grips) = guess else { continue };
            let nothing = NO_ACCELERATION + if slips && which < last { MORE * EASE } else { 0.0 };
            for k in (0..n).filter(|k| released[*k]) {
                grips[k] = None;
            }
            let at = Standing { resting, released, at_first: &at_first, nothing };
            let mut taken = self.takes(t, grips, &at)?;
            if taken && !slips {
                taken = self.prefer_rest(t, &at)?;
            }
            let still = |k: usize| self.watch.spots[k].1 == Status::Staying(Grip::Sticks);
            let nothing_slips = slips && (0..n).all(|k| breakaways[k].is_none() || still(k));
            if taken && (which == last || !nothing_slips) {
                self.stop_slips(t)?;
                self.impulse_loss += T_before - self.watch.energies().map_err(wrong)?[0];
                return Ok(());
            }
        }
        let k = resting.iter().position(|r| *r).unwrap_or(0);
        Err(SimulateError::NoGrip { t, contact: self.name_of(k) })
    }

    /// Whether spots can stand so, with one condition that does not hold mended after the other.
    fn takes(
        &mut self,
        t: f64,
        mut grips: Vec<Option<Grip>>,
        at: &Standing<'_>,
    ) -> Result<bool, SimulateError> {
        let n = grips.len();
        for _ in 0..20 + 10 * n {
            for k in (0..n).filter(|k| at.resting[*k]) {
                self.watch.spots[k].1 = grips[k].map_or(Status::Open, Status::Staying);
            }
            self.look_again(t)?;
            if !self.mend(&mut grips, at) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Slides that neither move nor would are at rest, if friction can hold them all. Whether spots can stand so or as they did.
    fn prefer_rest(&mut self, t: f64, at: &Standing<'_>) -> Result<bool, SimulateError> {
        let fastest = self.fastest_acceleration();
        let idles = |k: usize| {
            let slow = self.watch.rubs[k]
                .as_ref()
                .is_some_and(|rub| rub.speed() <= self.watch.resolution.rest());
            let slides = matches!(self.watch.spots[k].1, Status::Staying(Grip::Slides(_)));
            slides && slow && self.before[k].slip_rate.abs() <= HARDLY * fastest
        };
        let n = self.watch.spots.len();
        let idle: Vec<bool> = (0..n).map(idles).collect();
        if !idle.contains(&true) {
            return Ok(true);
        }
        let grip = |status| if let Status::Staying(grip) = status { Some(grip) } else { None };
        let now: Vec<Option<Grip>> = self.watch.spots.iter().map(|s| grip(s.1)).collect();
        let rest = (0..n).map(|k| if idle[k] { Some(Grip::Sticks) } else { now[k] }).collect();
        let sticks = |s: &(Spot, Status)| s.1 == Status::Staying(Grip::Sticks);
        // With something to spare: how they share is a guess.
        let still = |runner: &Self| {
            let strongest = runner.before.iter().map(|s| s.force).fold(0.0, f64::max);
            let spare = |k: usize| runner.before[k].margin > HARDLY * strongest;
            (0..n).all(|k| !idle[k] || sticks(&runner.watch.spots[k]) && spare(k))
        };
        if self.takes(t, rest, at)? && still(self) {
            return Ok(true);
        }
        self.takes(t, now, at)
    }

    /// How a spot that begins to stay is held.
    fn first_grip(&self, k: usize, breakaway: Option<[f64; 2]>) -> Grip {
        let contact = self.watch.spots[k].0.contact;
        let (Some(_), Some(rub)) = (&self.watch.dry[contact], &self.watch.rubs[k]) else {
            return Grip::Smooth;
        };
        match breakaway {
            Some(direction) => Grip::Slides(direction),
            None if rub.speed() <= self.watch.resolution.rest() => Grip::Sticks,
            None => Grip::Slides(rub.along()),
        }
    }

    /// The largest acceleration of a contact, at least a tenth of the machine's \[m/s²\].
    fn fastest_acceleration(&self) -> f64 {
        let least = 0.1 * self.watch.resolution.acceleration;
        self.before.iter().map(|s| s.acceleration.abs()).fold(least, f64::max)
    }

    /// Mends the worst condition that does not hold; whether there was one.
    fn mend(&self, grips: &mut [Option<Grip>], at: &Standing<'_>) -> bool {
        let &Standing { resting, released, at_first, nothing } = at;
        let seen = &self.before;
        let n = grips.len();
        let strongest = seen.iter().map(|s| s.force.abs()).fold(0.0, f64::max);
        let fastest = self.fastest_acceleration();
        let worst = |of: &dyn Fn(usize) -> Option<f64>| {
            let values = (0..n).filter_map(|k| Some((k, of(k)?)));
            values.min_by(|a, b| a.1.total_cmp(&b.1))
        };
        // A force that pulls; where one has just fallen to zero its last digits do not hold a contact.
        let pulls = worst(&|k| {
            let limit = if released[k] { UNLOADED } else { -UNLOADED } * strongest;
            (grips[k].is_some() && seen[k].force < limit).then_some(seen[k].force)
        });
        if let Some((k, _)) = pulls {
            grips[k] = None;
            return true;
        }
        let pressed = worst(&|k| {
            let limit = if released[k] { CLEARLY } else { NO_ACCELERATION } * fastest;
            let open = resting[k] && grips[k].is_none();
            (open && seen[k].acceleration < -limit).then_some(seen[k].acceleration)
        });
        if let Some((k, _)) = pressed {
            grips[k] = Some(at_first[k]);
            return true;
        }
        let beyond = worst(&|k| {
            let sticks = grips[k] == Some(Grip::Sticks);
            (sticks && seen[k].margin < -UNLOADED * strongest).then_some(seen[k].margin)
        });
        if let Some((k, _)) = beyond {
            grips[k] = self.watch.giving_way(k).map(Grip::Slides);
            return true;
        }
        let turned = worst(&|k| {
            let slow = self.watch.rubs[k]
                .as_ref()
                .is_some_and(|rub| rub.speed() <= self.watch.resolution.rest());
            let slides = matches!(grips[k], Some(Grip::Slides(_))) && slow;
            (slides && seen[k].slip_rate < -nothing * fastest).then_some(seen[k].slip_rate)
        });
        if let Some((k, _)) = turned {
            grips[k] = Some(Grip::Sticks);
            return true;
        }
        false
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
