//! Rigid contacts: impulses at onsets, contacts that stay, and their release.

use crate::dynamics::{Posture, RowWrench};
use crate::impact::laws::{ImpactError, ImpactLaw, ImpactMemory, ImpactProblem, ImpactSolution};
use crate::maths::zero;
use crate::maths::{Twist, Wrench};
use crate::model::Place;
use crate::simulate::SimulateError;
use crate::simulate::error::AtTime;
use crate::simulate::guard::Guard;
use crate::simulate::mode::{Grip, Observation, Status};
use crate::simulate::record::outcome::{EventKind, ImpactRecord};
use crate::simulate::resolution::Resolution;
use crate::simulate::resolve::rest::Resting;
use crate::simulate::resolve::{Impact, Resolved, Resolver};
use crate::simulate::system::constraint::Held;
use crate::simulate::system::{Motion, MotionError};

/// Speeds before the impulse are at least this part of the machine's.
const LEAST: f64 = 1e-3;

/// The impulse along one row of an impact.
#[derive(Clone, Copy, Debug)]
pub(in crate::simulate) struct RowImpulse {
    held: Held,
    /// p \[N s\].
    impulse: f64,
    /// u⁻ and u⁺ \[m/s\].
    minus: f64,
    plus: f64,
}

impl Motion<'_> {
    /// The name of a spot's contact.
    pub fn name_of(&self, k: usize) -> String {
        self.model.contacts[self.spots[k].0.contact].name.clone()
    }

    /// The error of contacts that nothing can part, with the drives behind them: of the one that drives close, if they do, or of the
    /// first that is chosen.
    pub fn blocked(&mut self, t: f64, chosen: &[bool]) -> SimulateError {
        let touches = |k: usize| self.seen[k].gap <= self.unit(k).closed();
        let closed: Vec<bool> = (0..chosen.len()).map(|k| chosen[k] || touches(k)).collect();
        let rates: Vec<f64> = self.seen.iter().map(|see| see.rate).collect();
        let found = match self.held(&closed, &rates) {
            Ok(found) => found,
            Err(error) => return SimulateError::Motion { t, error },
        };
        let (k, drives) = found.unwrap_or_else(|| {
            let k = chosen.iter().position(|c| *c).unwrap_or(0);
            (k, self.drives_behind(chosen))
        });
        SimulateError::Blocked { t, contact: self.name_of(k), drives }
    }

    /// m_eff and the approach speed of a spot at the state looked at last.
    pub fn effective(&mut self, k: usize) -> Result<(f64, f64), MotionError> {
        let row = self.rows[k];
        let at = self.posture()?;
        let effective = at.settled_mass(&row);
        Ok((effective.mass, -effective.rate))
    }

    /// How fast the bodies of each spot move.
    fn paces(&mut self) -> Result<Vec<f64>, MotionError> {
        let Self { mechanism, state, rows, .. } = self;
        let at = mechanism.at(state)?;
        Ok(rows.iter().map(|row| pace(&at, row)[0]).collect())
    }

    /// Impulses of a law at the chosen spots, with friction where it is: velocities jump.
    fn strike(
        &mut self,
        chosen: &[bool],
        restitution: &dyn Fn(usize) -> f64,
        law: &dyn ImpactLaw,
    ) -> Result<Result<Vec<RowImpulse>, ImpactError>, MotionError> {
        let contacts = self.choose_rough(chosen, restitution, &|_, dry| dry.kinetic)?;
        let Self { mechanism, state, constraints, seen, .. } = self;
        let at = mechanism.at(state)?;
        let mut blows: Vec<RowImpulse> = constraints
            .held()
            .map(|(held, _)| RowImpulse {
                held: *held,
                impulse: 0.0,
                minus: at.rate(&held.row),
                plus: 0.0,
            })
            .collect();
        let u: Vec<f64> = blows.iter().map(|b| b.minus).collect();
        let mut solution = ImpactSolution::default();
        // Points that lie a bit above others see a bit of what turns.
        let blurred = |blow: &RowImpulse| {
            let ([moving, turning], gap) = (pace(&at, &blow.held.row), seen[blow.held.spot].gap);
            // What is left of the bodies' speeds where contact speeds should be zero.
            zero::CANCELLED * moving + gap.abs() * turning
        };
        let blur = blows.iter().map(blurred).fold(0.0, f64::max);
        let solved = ImpactProblem::new(&contacts, constraints.W(), &u)
            .map(|problem| problem.with_round_off(blur))
            .and_then(|problem| law.solve(&problem, &mut ImpactMemory::default(), &mut solution));
        if let Err(error) = solved {
            return Ok(Err(error));
        }
        constraints.take(&solution.impulses);
        constraints.add_change(state.v.as_mut_slice());
        let answers = solution.impulses.iter().zip(&solution.after);
        for (blow, (impulse, plus)) in blows.iter_mut().zip(answers) {
            // A speed that is round-off of those of the bodies is zero.
            let plus = if plus.abs() <= blur { 0.0 } else { *plus };
            (blow.impulse, blow.plus) = (*impulse, plus);
        }
        Ok(Ok(blows))
    }

    /// Takes the speed along the chosen rows away: v ← v − Y Aᵀ W⁺ u.
    fn halt(&mut self, chosen: &[bool]) -> Result<(), MotionError> {
        let Self { mechanism, state, constraints, rows, seen, .. } = self;
        let at = mechanism.at(state)?;
        constraints.still(&at, rows, &|k| chosen[k], &|k| seen[k].rate);
        constraints.add_change(state.v.as_mut_slice());
        Ok(())
    }

    /// Back onto closed gaps, q ← q ⊖ Y Aᵀ W⁺ g, and to rest along them.
    pub fn settle(&mut self, t: f64, y: &mut [f64], chosen: &[bool]) -> Result<(), MotionError> {
        let (nq, nv) = (self.model.nq, self.model.nv);
        self.observe(t, y)?;
        let Self { model, mechanism, state, constraints, rows, seen, .. } = self;
        let at = mechanism.at(state)?;
        constraints.still(&at, rows, &|k| chosen[k], &|k| seen[k].gap);
        let mut step = vec![0.0; nv];
        constraints.add_change(&mut step);
        state.advance(model, &step);
        for ((y, q), origin) in y[..nq].iter_mut().zip(state.q.iter()).zip(&self.origin) {
            *y = q - origin;
        }
        self.observe(t, y)?;
        self.halt(chosen)?;
        self.write_velocities(&self.state, y);
        Ok(())
    }
}

impl Resolver<'_, '_> {
    /// Closed rigid contacts: impulses where bodies approach, then which contacts stay.
    ///
    /// Of the guards that fired, `at_limit` are the points whose friction has reached its limit.
    pub fn rigid(
        mut self,
        fired: &[(usize, Guard)],
        at_limit: &[bool],
    ) -> Result<Resolved, SimulateError> {
        let t = self.t;
        let before: Vec<Status> = self.watch.spots.iter().map(|s| s.1).collect();
        let stayed: Vec<bool> = before.iter().map(Status::stays).collect();
        self.open_all()?;
        let closed: Vec<bool> = (0..stayed.len())
            .map(|k| {
                let (see, unit) = (&self.seen[k], self.watch.unit(k));
                // At the height of a tiny bounce a contact does not rest.
                let hovers =
                    see.gap > unit.gap_digits() && see.rate >= -unit.rest() && !fired.is_empty();
                see.gap <= unit.closed() && !hovers
                    || stayed[k]
                    || fired.iter().any(|f| f.0 == k && f.1 == Guard::Closes)
            })
            .collect();
        let grazes = self.watch.grazes(&closed).at_time(t)?;
        let closed: Vec<bool> =
            (0..closed.len()).map(|k| closed[k] && (stayed[k] || !grazes[k])).collect();
        let units: Vec<Resolution> = (0..closed.len()).map(|k| self.watch.unit(k)).collect();
        // The fastest contact, in parts of the machine's speed.
        let parts = self.seen.iter().zip(&units).map(|(see, unit)| see.rate.abs() / unit.speed);
        let fastest = parts.fold(LEAST, f64::max);
        let slow_approaches = self.slow_approaches(t, &stayed)?;
        let struck =
            (0..closed.len()).any(|k| closed[k] && self.seen[k].rate < -slow_approaches[k]);
        if struck {
            // What integration left of a contact that stayed takes no part.
            let still = |k: usize| stayed[k] && self.seen[k].rate.abs() <= slow_approaches[k];
            let still: Vec<bool> = (0..closed.len()).map(still).collect();
            if still.contains(&true) {
                self.rest(t, &still)?;
            }
            self.impulse(t, &closed, &slow_approaches)?;
        }
        let slow: Vec<bool> = (0..closed.len())
            .map(|k| {
                closed[k] && self.seen[k].rate < 0.0 && self.seen[k].rate >= -slow_approaches[k]
            })
            .collect();
        if slow.contains(&true) {
            self.rest(t, &slow)?;
        }
        self.observe()?;
        // What stayed is at rest but for round-off, unless an impulse moved it.
        // Compared with the contact speeds before the impulse: a contact that was at rest has what integration left.
        let level = |k: usize| if stayed[k] { zero::INTEGRATED } else { zero::SOLVED };
        let slow = |k: usize| level(k) * fastest * units[k].speed;
        let rests = |k: usize| closed[k] && self.seen[k].rate.abs() <= slow(k);
        let rests: Vec<bool> = (0..closed.len()).map(rests).collect();
        let closes_again = |k: usize| !struck && fired.contains(&(k, Guard::Closes));
        let gone = self.accumulate(t, [&closed, &rests], &closes_again)?;
        if gone.iter().any(Option::is_some) {
            // What rests is not moved by that.
            let stop: Vec<bool> = (0..gone.len()).map(|k| gone[k].is_some() || rests[k]).collect();
            self.rest(t, &stop)?;
        }
        let mut resting: Vec<bool> = (0..closed.len())
            .map(|k| closed[k] && (self.seen[k].rate <= slow(k) || stayed[k] && !struck))
            .collect();
        let low = |k: usize, see: &Observation| {
            see.gap <= units[k].closed()
                && see.rate.abs() <= zero::INTEGRATED * fastest * units[k].speed
        };
        self.add_supported(t, &mut resting, &low)?;
        if resting.contains(&true) {
            let releases = |k: usize| fired.contains(&(k, Guard::Releases));
            let released: Vec<bool> = (0..resting.len()).map(releases).collect();
            let released = &released;
            self.take_modes(t, &Resting { spots: &resting, released, at_limit })?;
        }
        self.note_stays(&before, &gone);
        Ok(self.resolved())
    }

    /// Notes what stays, slips and sticks from now on and did not before.
    fn note_stays(&mut self, before: &[Status], gone: &[Option<f64>]) {
        for (k, before) in before.iter().enumerate() {
            let now = self.watch.spots[k].1;
            match (before, now) {
                (Status::Staying(_), Status::Open) => self.note(k, EventKind::Release),
                (
                    Status::Staying(Grip::Slides(_) | Grip::Breaks(_)),
                    Status::Staying(Grip::Sticks),
                ) => {
                    self.note(k, EventKind::Sticks);
                }
                (Status::Staying(Grip::Sticks), Status::Staying(Grip::Slides(_))) => {
                    self.note(k, EventKind::Slips);
                }
                (Status::Staying(Grip::Slides(was)), Status::Staying(Grip::Slides(is)))
                    if was[0] * is[0] + was[1] * is[1] < 0.0
                        && self.seen[k].slip_rate > self.watch.resolution.steady() =>
                {
                    self.note(k, EventKind::Reverses);
                }
                (Status::Staying(_), _) => {}
                (_, Status::Staying(_)) => {
                    self.note(k, EventKind::Stays);
                    if let Some(event) = self.out.events.last_mut() {
                        event.accumulation = gone[k];
                    }
                }
                _ => {}
            }
        }
    }

    /// Up to which approach \[m/s\] a spot is not struck: the speed is taken away, and nothing is noted. Of a contact that stayed it is what
    /// integration left, which follows the tolerance and the speeds of the bodies.
    fn slow_approaches(&mut self, t: f64, stayed: &[bool]) -> Result<Vec<f64>, SimulateError> {
        let tolerance = self.scenario.tolerance;
        let limits = self.watch.paces().at_time(t)?;
        let limit = |(k, (pace, stayed)): (usize, (&f64, &bool))| {
            let rest = self.watch.unit(k).rest();
            if *stayed { rest.max(tolerance * pace) } else { rest }
        };
        Ok(limits.iter().zip(stayed).enumerate().map(limit).collect())
    }

    /// Impulses at all closed spots by the scenario's impact law, each with its own e. Approaches this slow leave no record.
    fn impulse(
        &mut self,
        t: f64,
        closed: &[bool],
        slow_approaches: &[f64],
    ) -> Result<(), SimulateError> {
        let free: Vec<f64> = self.seen.iter().map(|s| s.acceleration).collect();
        let plans = &self.scenario.contacts;
        let spots: Vec<usize> = self.watch.spots.iter().map(|s| s.0.contact).collect();
        let e = |k: usize| plans[spots[k]].restitution.unwrap_or(0.0);
        let masses: Vec<(f64, f64)> = (0..closed.len())
            .map(|k| if closed[k] { self.watch.effective(k) } else { Ok((0.0, 0.0)) })
            .collect::<Result<_, _>>()
            .at_time(t)?;
        let T_minus = self.watch.energies().at_time(t)?[0];
        let law = self.scenario.impact_law;
        let state = self.watch.state.clone();
        let closing: Vec<bool> = (0..closed.len())
            .map(|k| closed[k] && self.seen[k].rate < -slow_approaches[k])
            .collect();
        let reached = self.watch.reached(closed, &closing).at_time(t)?;
        let blows = match self.watch.strike(closed, &e, law).at_time(t)? {
            Ok(blows) => blows,
            Err(ImpactError::Blocked { .. }) => {
                return Err(self.watch.blocked(t, &closing));
            }
            Err(error) => {
                let k = closed.iter().position(|c| *c).unwrap_or(0);
                return Err(SimulateError::Impact { t, contact: self.watch.name_of(k), error });
            }
        };
        self.watch.write_velocities(&self.watch.state, &mut self.out.y);
        self.observe()?;
        let before_all = self.out.impulse_loss;
        let (mut struck, mut records) = (Vec::new(), Vec::new());
        let fastest = blows.iter().map(|b| -b.minus).fold(0.0, f64::max);
        for blow in blows.iter().filter(|b| b.held.part == 0 && b.impulse > 0.0) {
            let (k, p, u_plus) = (blow.held.spot, blow.impulse, blow.plus);
            // Of the normal and the tangents.
            let own = |tangents: bool| {
                let rows = blows.iter().filter(move |b| b.held.spot == k);
                let rows = rows.filter(move |b| tangents == (b.held.part > 0));
                let exchanged: f64 = rows.clone().map(|b| (b.impulse * b.minus).abs()).sum();
                let lost: f64 = rows.map(|b| -0.5 * b.impulse * (b.minus + b.plus)).sum();
                [lost, exchanged]
            };
            let [[normal, exchanged], [friction, rubbed]] = [false, true].map(own);
            let lost = normal + friction;
            self.out.impulse_loss += lost;
            let resolved =
                |x: f64| if x.abs() <= zero::CANCELLED * (exchanged + rubbed) { 0.0 } else { x };
            let (lost, friction_loss) = (resolved(lost), resolved(friction));
            // A point that separates and is driven together by others is struck as well; one at rest only transmits the impulse.
            // A point that separates slower than a millionth of the fastest approach is at rest: integration leaves such speeds.
            let strikes = blow.minus < -slow_approaches[k] || blow.minus > zero::MODES * fastest;
            struck.push((k, strikes.then_some(records.len()), [lost, friction_loss]));
            if !strikes {
                continue;
            }
            let (mass, speed) = masses[k];
            if blow.minus < 0.0 {
                let [_, flight, last] = self.out.bounces[k];
                self.out.bounces[k] = [flight, t - last, t];
            }
            records.push(ImpactRecord {
                parting: Some(t),
                separation_speed: Some(u_plus),
                impulse: Some(p),
                energy_lost: lost,
                parting_mass: Some(mass),
                friction_loss,
                ..ImpactRecord::at(self.watch.spots[k].0, t, [mass, speed, free[k]])
            });
            self.note(k, EventKind::Impulse);
        }
        let mut wrenches = vec![Wrench::zero(); self.watch.model.bodies.len()];
        for blow in &blows {
            blow.held.push.add_to(&mut wrenches, blow.impulse);
        }
        // What the law leaves without an impulse belongs to the impact all the same.
        let idle = reached.into_iter().filter(|k| !struck.iter().any(|s| s.0 == *k));
        let idle: Vec<usize> = idle.collect();
        struck.extend(idle.into_iter().map(|k| (k, None, [0.0; 2])));
        self.out.impact = Some(Impact { before: state, records, struck, wrenches });
        let lost = self.out.impulse_loss - before_all;
        self.book_drives(T_minus, lost).at_time(t)
    }

    /// What an impulse changed of T beside its loss, the drives gave: they hold their bodies against it.
    fn book_drives(&mut self, T_minus: f64, lost: f64) -> Result<(), MotionError> {
        if !self.watch.model.drives.is_empty() {
            let T_plus = self.watch.energies()?[0];
            let drives = self.watch.totals_at() + 2;
            self.out.y[drives] += T_plus - T_minus + lost;
        }
        Ok(())
    }

    /// Removes the normal speeds below the resolution that closed points have left, p = −W⁺ u, and observes the state.
    fn rest(&mut self, t: f64, closed: &[bool]) -> Result<(), SimulateError> {
        let u: Vec<f64> = self.seen.iter().map(|s| s.rate).collect();
        let T_minus = self.watch.energies().at_time(t)?[0];
        self.watch.halt(closed).at_time(t)?;
        self.watch.write_velocities(&self.watch.state, &mut self.out.y);
        let p: Vec<f64> = (0..u.len()).map(|k| self.watch.constraints.force(k)).collect();
        self.observe()?;
        let rates = u.iter().zip(&self.seen).map(|(u, see)| u + see.rate);
        let lost: f64 = p.iter().zip(rates).map(|(p, rates)| -0.5 * p * rates).sum();
        self.out.impulse_loss += lost;
        self.book_drives(T_minus, lost).at_time(t)?;
        Ok(())
    }
}

/// How fast the bodies of a row move \[m/s\], in any direction, and turn \[rad/s\].
fn pace(at: &Posture<'_>, row: &RowWrench) -> [f64; 2] {
    let part = |wrench: &Wrench, place: Place| {
        let twist: Twist = at.frames().twist(place);
        let turning = twist.ang.norm();
        [wrench.force.norm() * twist.lin.norm() + wrench.moment.norm() * turning, turning]
    };
    let (a, b) = (part(&row.on_a, row.a), part(&row.on_b, row.b));
    [a[0] + b[0], a[1] + b[1]]
}
