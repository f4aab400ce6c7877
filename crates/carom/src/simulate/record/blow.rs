//! One impact at several points.
//!
//! Points that are struck together share the energy of the impact: T_c of each alone says too little, and their sum too much. Rigid
//! contacts strike together if they get their impulses at one instant and act on each other (W_ij ≠ 0, directly or through others). Under
//! force laws points strike together if they are between the same two bodies and touch at the same time, or share a moving body and
//! touch from the same instant on. A contact that lasts is no impact any more: a wheel that rolls on a road and hits a step
//! is struck at the step alone.

use crate::contact::Approach;
use crate::contact::places;
use crate::dynamics::RowWrench;
use crate::impact::{ImpactRows, TouchingRow, check_count, drives_behind};
use crate::kinematics::State;
use crate::maths::zero;
use crate::model::{Friction, Model};
use crate::simulate::SimulateError;
use crate::simulate::error::AtTime;
use crate::simulate::mode::{Observation, Spot, Status};
use crate::simulate::record::Observer;
use crate::simulate::record::Recorder;
use crate::simulate::record::outcome::{ImpactRecord, Outcome};

use crate::simulate::system::{Motion, MotionError};
use serde::{Deserialize, Serialize};

/// A contact that touches for longer than this many durations of the elastic impact of its onset is pressed, not struck.
const STRUCK: f64 = 3.0;

/// One impact of two bodies, or of bodies that are struck at one instant, at one or several points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Blow {
    /// Its points, as positions in [`Outcome::impacts`].
    pub impacts: Vec<usize>,
    /// When the first of them touched \[s\].
    pub onset: f64,
    /// When the last of them parted \[s\]; none while one still touches.
    pub parting: Option<f64>,
    /// m_eff at the onset \[kg\]; none of several points.
    #[serde(with = "crate::maths::exact")]
    pub effective_mass: Option<f64>,
    /// T_c = ½ uᵀ W⁺ u at the onset over the rows of all its points \[J\]: normals, and tangents of contacts that stick.
    #[serde(with = "crate::maths::exact")]
    pub impact_energy: f64,
    /// The greatest −u⁻ of its points \[m/s\].
    pub approach_speed: f64,
    /// u⁺ \[m/s\]; none of several points, and while one still touches.
    pub separation_speed: Option<f64>,
    /// The greatest sum of its normal forces at one time \[N\]; none of an impulse.
    pub peak_force: Option<f64>,
    /// When it acted \[s\].
    pub time_of_peak: f64,
    /// The sum of the normal impulses of its points \[N s\]; none of a force law.
    pub impulse: Option<f64>,
    /// Energy that its contacts took and did not give back \[J\].
    pub energy_lost: f64,
    /// The part of [`Blow::energy_lost`] that friction took during an impulse \[J\].
    pub friction_loss: f64,
}

impl Blow {
    /// e delivered, where one point is struck once.
    pub fn restitution(&self, out: &Outcome) -> Option<f64> {
        match self.impacts[..] {
            [only] => out.impacts[only].restitution(),
            _ => None,
        }
    }

    /// e* = √(T_c⁺/T_c⁻) of impulses without friction, whose work is T_c⁺ − T_c⁻ = −loss; none of force laws, and with friction.
    pub fn energetic_restitution(&self) -> Option<f64> {
        let kept = 1.0 - self.energy_lost / self.impact_energy;
        let frictionless = self.impulse.is_some() && self.friction_loss == 0.0;
        (frictionless && kept.is_finite()).then(|| kept.max(0.0).sqrt())
    }

    /// Whether its impulses gave more energy than they took, by more than round-off.
    pub fn creates_energy(&self) -> bool {
        // Energy that impulses give beyond what they take, divided by T_c, up to which it is round-off.
        self.impulse.is_some() && self.energy_lost < -zero::INTEGRATED * self.impact_energy
    }

    /// Its points, each once.
    pub fn spots(&self, out: &Outcome) -> Vec<Spot> {
        let mut spots: Vec<Spot> = Vec::with_capacity(self.impacts.len());
        for impact in &self.impacts {
            let spot = out.impacts[*impact].spot;
            if !spots.contains(&spot) {
                spots.push(spot);
            }
        }
        spots
    }
}

/// A blow that lasts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Striking {
    /// Its position in [`Outcome::blows`].
    pub blow: usize,
    /// The state of the machine at its onset.
    pub state: State,
}

/// What the rows of contact points mean together.
pub(in crate::simulate) struct Together {
    /// Each row's share ½ u_k (W⁺ u)_k of T_c \[J\].
    pub shares: Vec<f64>,
    /// The first of the rows that each one is coupled with.
    pub groups: Vec<usize>,
}

impl Motion<'_> {
    /// The rows of some spots together, at a state: their normals, and the tangents of contacts that stick, as `assess` takes them.
    pub fn together(&mut self, state: &State, spots: &[Spot]) -> Result<Together, MotionError> {
        let at = self.mechanism.at(state)?;
        let mut rows = Vec::with_capacity(spots.len());
        let mut owners = Vec::with_capacity(spots.len());
        for (owner, spot) in spots.iter().enumerate() {
            let touch = at.touch(spot.contact)?;
            let point = touch.points()[spot.point.min(touch.points().len() - 1)];
            rows.push(at.contact_row(spot.contact, &point, &point.normal));
            if sticks(at.model(), *spot) {
                let tangents = at.contact_tangents(&point).into_iter();
                rows.extend(tangents.map(|t| at.contact_row(spot.contact, &point, &t)));
            }
            owners.resize(rows.len(), owner);
        }
        if let [row] = &rows[..] {
            return Ok(Together { shares: vec![at.settled_mass(row).energy], groups: vec![0] });
        }
        check_count(rows.len())?;
        let all = ImpactRows::new(&at, &rows);
        let p = all.inverse() * &all.u;
        let mut shares = vec![0.0; spots.len()];
        for (owner, (u, p)) in owners.iter().zip(all.u.iter().zip(p.iter())) {
            shares[*owner] += 0.5 * u * p;
        }
        let mut groups: Vec<usize> = (0..spots.len()).collect();
        for i in 0..rows.len() {
            for j in 0..i {
                let coupled = all.W[(i, j)].abs()
                    // Coupling |W_ij| below this part of √(W_ii W_jj) is round-off.
                    > zero::SOLVED * (all.W[(i, i)] * all.W[(j, j)]).max(0.0).sqrt();
                let [a, b] = [groups[owners[i]], groups[owners[j]]];
                if coupled {
                    groups.iter_mut().filter(|g| **g == a.max(b)).for_each(|g| *g = a.min(b));
                }
            }
        }
        Ok(Together { shares, groups })
    }
}

impl Motion<'_> {
    /// The spots that an impact strikes whatever its law: those that close, and closed ones that these drive together.
    pub fn reached(
        &mut self,
        closed: &[bool],
        closing: &[bool],
    ) -> Result<Vec<usize>, MotionError> {
        let spots = || (0..closed.len()).filter(|k| closed[*k]);
        if spots().all(|k| closing[k]) {
            return Ok(spots().collect());
        }
        let (all, touching) = self.touching(closed, |k| closing[k])?;
        Ok(all.struck(&touching).into_iter().map(|row| touching[row].point).collect())
    }

    /// Of closed spots that drives close although they cannot separate: the one against which the drives do most work, and the drives.
    pub fn held(
        &mut self,
        closed: &[bool],
        rates: &[f64],
    ) -> Result<Option<(usize, Vec<String>)>, MotionError> {
        let (all, touching) = self.touching(closed, |k| rates[k] < 0.0)?;
        let held = all.held(&self.posture()?, &touching);
        Ok(held.map(|held| (touching[held.row].point, held.drives)))
    }

    /// The normals of closed spots as rows of an impact.
    fn touching(
        &mut self,
        closed: &[bool],
        closes: impl Fn(usize) -> bool,
    ) -> Result<(ImpactRows, Vec<TouchingRow>), MotionError> {
        let Self { mechanism, state, rows, .. } = self;
        let at = mechanism.at(state)?;
        let spots: Vec<usize> = (0..closed.len()).filter(|k| closed[*k]).collect();
        check_count(spots.len())?;
        let normals: Vec<RowWrench> = spots.iter().map(|k| rows[*k]).collect();
        let approach = |k: usize| if closes(k) { Approach::Closing } else { Approach::Separating };
        let touching = spots.iter().enumerate().map(|(row, &point)| TouchingRow {
            row,
            point,
            is_normal: true,
            approach: approach(point),
        });
        Ok((ImpactRows::new(&at, &normals), touching.collect()))
    }

    /// The drives that do work against equal impulses at some spots.
    pub fn drives_behind(&mut self, chosen: &[bool]) -> Vec<String> {
        let Self { mechanism, state, rows, .. } = self;
        let Ok(at) = mechanism.at(state) else { return Vec::new() };
        let held = rows.iter().zip(chosen).filter(|(_, chosen)| **chosen);
        drives_behind(&at, held.map(|(row, _)| (row, 1.0)))
    }
}

/// Whether the tangents of a spot are rows of its impact: it sticks.
fn sticks(model: &Model, spot: Spot) -> bool {
    model.contacts[spot.contact].defaults.friction == Some(Friction::Stick)
}

/// A blow of one impact.
fn alone(k: usize, impact: &ImpactRecord) -> Blow {
    Blow {
        impacts: vec![k],
        onset: impact.onset,
        parting: impact.parting,
        effective_mass: Some(impact.effective_mass),
        impact_energy: impact.shared_energy,
        approach_speed: impact.approach_speed,
        separation_speed: impact.separation_speed,
        peak_force: impact.peak_force,
        time_of_peak: impact.time_of_peak,
        impulse: impact.impulse,
        energy_lost: impact.energy_lost,
        friction_loss: impact.friction_loss,
    }
}

impl Observer<'_, '_> {
    /// The impact recorded last, of spot k under a force law, joins a blow under way or begins one.
    pub fn join_blow(&mut self, t: f64, k: usize) -> Result<(), SimulateError> {
        let record = self.record.out.impacts.len() - 1;
        let spot = self.path.watch.spots[k].0;
        let pair = |spot: Spot| {
            let (a, b) = places(self.path.model, spot.contact);
            [a, b]
        };
        let own = pair(spot);
        let joins = |striking: &Striking| {
            let blow = &self.record.out.blows[striking.blow];
            blow.impacts.iter().any(|i| {
                let impact = &self.record.out.impacts[*i];
                let other = pair(impact.spot);
                let same = other == own || other == [own[1], own[0]];
                let shared = own.iter().any(|body| body.is_some() && other.contains(body));
                let struck = same && impact.parting.is_none() && self.is_struck_since(*i, t);
                struck || shared && blow.onset == t
            })
        };
        let Some(found) = self.record.striking.iter().position(joins) else {
            let state = self.path.watch.state.clone();
            if sticks(self.path.model, spot) {
                let shares = self.path.watch.together(&state, &[spot]).at_time(t)?.shares;
                self.record.out.impacts[record].shared_energy = shares.iter().sum();
            }
            let blow = self.record.out.blows.len();
            self.record.out.blows.push(alone(record, &self.record.out.impacts[record]));
            self.record.striking.push(Striking { blow, state });
            return Ok(());
        };
        let Striking { blow, state } = &self.record.striking[found];
        let (blow, state) = (*blow, state.clone());
        self.record.out.blows[blow].impacts.push(record);
        let spots = self.record.out.blows[blow].spots(&self.record.out);
        let shares = self.path.watch.together(&state, &spots).at_time(t)?.shares;
        let Outcome { blows, impacts, .. } = &mut self.record.out;
        let blow = &mut blows[blow];
        blow.impact_energy = shares.iter().sum();
        blow.approach_speed = blow.approach_speed.max(impacts[record].approach_speed);
        blow.effective_mass = None;
        for (spot, share) in spots.iter().zip(shares) {
            let first = blow.impacts.iter().find(|i| impacts[**i].spot == *spot);
            if let Some(first) = first {
                impacts[*first].shared_energy = share;
            }
        }
        Ok(())
    }

    /// Whether a contact that still touches is within [`STRUCK`] of its onset; later it is pressed, and no impact any more.
    fn is_struck_since(&self, record: usize, t: f64) -> bool {
        let impact = &self.record.out.impacts[record];
        let at = self.record.current.iter().position(|current| *current == Some(record));
        let time = at.and_then(|k| match self.path.watch.spots[k].1 {
            Status::Touching(onset) | Status::Parted(onset) => {
                self.path.elastic_time(impact.spot, &onset)
            }
            _ => None,
        });
        !impact.stood() && time.is_none_or(|time| t - impact.onset <= STRUCK * time)
    }

    /// The impulses of one instant: `struck` are the rows that got one, with the position of their record if there is one, and their loss
    /// (all of it, and that of friction).
    pub fn blows_of_impulses(
        &mut self,
        t: f64,
        state: &State,
        struck: &[(usize, Option<usize>, [f64; 2])],
    ) -> Result<(), SimulateError> {
        if struck.iter().all(|s| s.1.is_none()) {
            return Ok(());
        }
        let spots: Vec<Spot> = struck.iter().map(|s| self.path.watch.spots[s.0].0).collect();
        if let ([(_, Some(record), _)], false) = (struck, sticks(self.path.model, spots[0])) {
            self.record.out.blows.push(alone(*record, &self.record.out.impacts[*record]));
            return Ok(());
        }
        let together = self.path.watch.together(state, &spots);
        let together = together.at_time(t)?;
        for group in 0..struck.len() {
            let rows: Vec<usize> =
                (0..struck.len()).filter(|i| together.groups[*i] == group).collect();
            let impacts: Vec<usize> = rows.iter().filter_map(|i| struck[*i].1).collect();
            let Some(&first) = impacts.first() else { continue };
            let losses: Vec<f64> = rows.iter().map(|i| struck[*i].2[0]).collect();
            let shares: Vec<f64> = rows.iter().map(|i| together.shares[*i]).collect();
            for (i, share) in rows.iter().zip(at_least(&losses, shares)) {
                if let Some(record) = struck[*i].1 {
                    self.record.out.impacts[record].shared_energy = share;
                }
            }
            let mut blow = alone(first, &self.record.out.impacts[first]);
            let of = |value: &dyn Fn(&ImpactRecord) -> f64| -> Vec<f64> {
                impacts.iter().map(|i| value(&self.record.out.impacts[*i])).collect()
            };
            if rows.len() > 1 {
                blow.effective_mass = None;
                blow.impact_energy = rows.iter().map(|i| together.shares[*i]).sum();
                blow.approach_speed = of(&|i| i.approach_speed).into_iter().fold(0.0, f64::max);
                blow.impulse = Some(of(&|i| i.impulse.unwrap_or(0.0)).iter().sum());
                blow.energy_lost = rows.iter().map(|i| struck[*i].2[0]).sum();
                blow.friction_loss = rows.iter().map(|i| struck[*i].2[1]).sum();
            }
            if impacts.len() > 1 {
                blow.separation_speed = None;
            }
            blow.impacts = impacts;
            self.record.out.blows.push(blow);
        }
        Ok(())
    }
}

impl Recorder {
    /// Lasting contacts and impacts under way take the forces that are seen, where they are greater.
    pub fn raise(&mut self, t: f64, spots: &[(Spot, Status)], seen: &[Observation]) {
        for (stay, see) in self.stays.iter().zip(seen) {
            if let Some(stay) = stay {
                self.out.stays[*stay].raise(t, see.force);
            }
        }
        for n in 0..self.striking.len() {
            let force = self.force_of_blow(n, spots, |k| seen[k].force);
            let blow = &mut self.out.blows[self.striking[n].blow];
            if blow.peak_force.is_none_or(|peak| force > peak) {
                (blow.peak_force, blow.time_of_peak) = (Some(force), t);
            }
        }
    }

    /// The sum of something over the points of an impact under way that touch.
    pub fn force_of_blow(
        &self,
        n: usize,
        spots: &[(Spot, Status)],
        of: impl Fn(usize) -> f64,
    ) -> f64 {
        let blow = &self.out.blows[self.striking[n].blow];
        let spots = spots.iter().zip(&self.current).enumerate();
        spots
            .filter(|(_, ((_, status), current))| {
                matches!(status, Status::Touching(_))
                    && current.is_some_and(|i| blow.impacts.contains(&i))
            })
            .map(|(k, _)| of(k))
            .sum()
    }

    /// Updates the impacts under way from their points; those that no point is in any more are over.
    pub fn update_blows(&mut self) {
        let Self { out, striking, current, .. } = self;
        for Striking { blow, .. } in striking.iter() {
            sum_up(&mut out.blows[*blow], &out.impacts);
        }
        striking.retain(|s| {
            let inside = |i: &usize| out.blows[s.blow].impacts.contains(i);
            current.iter().flatten().any(inside)
        });
    }
}

/// Shares of T_c that are not negative, and such that no point loses more than it has if the impact as a whole does not. Points whose share
/// would be negative take none of it; where a point loses more than its share, each has what it lost, and of the rest its part of the shares.
fn at_least(losses: &[f64], mut shares: Vec<f64>) -> Vec<f64> {
    let total: f64 = shares.iter().sum();
    let positive: f64 = shares.iter().map(|s| s.max(0.0)).sum();
    if positive <= 0.0 {
        return shares;
    }
    if shares.iter().any(|s| *s < 0.0) {
        for share in &mut *shares {
            *share = share.max(0.0) * total / positive;
        }
    }
    let lost: f64 = losses.iter().map(|x| x.max(0.0)).sum();
    if lost <= total && losses.iter().zip(&shares).any(|(lost, share)| lost > share) {
        let rest = (total - lost) / total;
        shares.iter_mut().zip(losses).for_each(|(s, x)| *s = x.max(0.0) + rest * *s);
    }
    shares
}

/// A blow under a force law takes what its points have come to.
fn sum_up(blow: &mut Blow, impacts: &[ImpactRecord]) {
    let of = || blow.impacts.iter().map(|i| &impacts[*i]);
    blow.energy_lost = of().map(|i| i.energy_lost).sum();
    blow.parting = of().try_fold(f64::NEG_INFINITY, |last, i| Some(last.max(i.parting?)));
    for impact in of() {
        // The sum of forces is at least that of one point.
        if impact.peak_force > blow.peak_force {
            (blow.peak_force, blow.time_of_peak) = (impact.peak_force, impact.time_of_peak);
        }
    }
    blow.separation_speed = match blow.impacts[..] {
        [only] => impacts[only].separation_speed,
        _ => None,
    };
}
