//! Changes of the features that contact points belong to: a vertex passes an edge, a body rolls over to its next face. Points are those
//! of other features then, their normals may jump, and a run's places for points are filled anew. A step ends before such a change, and
//! the next one begins behind it.

use crate::contact::{Touch, TouchPoint, places};
use crate::dynamics::{Posture, RowWrench};
use crate::maths::Vec3;
use crate::maths::zero;
use crate::model::Model;
use crate::simulate::SimulateError;
use crate::simulate::error::AtTime;
use crate::simulate::locate::Locator;
use crate::simulate::mode::{Observation, Spot, Status};
use crate::simulate::run::Runner;
use crate::simulate::system::{Motion, MotionError};

/// Contacts whose points change their places, with the features of each.
#[derive(Clone, Debug, Default)]
pub(in crate::simulate) struct Changing {
    contacts: Vec<usize>,
}

impl Changing {
    /// Of a model whose contacts have these features where it starts.
    pub fn new(model: &Model, features: impl Fn(usize) -> u64) -> Self {
        Self { contacts: (0..model.contacts.len()).filter(|k| features(*k) != 0).collect() }
    }

    pub fn is_empty(&self) -> bool {
        self.contacts.is_empty()
    }
}

/// The point at the place of a spot; where it is not in use, of a spot with a force the last one: its step will end before. None of others.
pub(in crate::simulate) fn point_of(
    touch: &Touch,
    spot: Spot,
    status: &Status,
) -> Option<TouchPoint> {
    let acts = !matches!(status, Status::Open | Status::Parted(_));
    touch.at(spot.point).or(touch.points().last().filter(|_| acts)).copied()
}

/// What is seen of a place that is not in use, and its row: nothing.
pub(in crate::simulate) fn vacancy(
    at: &Posture<'_>,
    spot: Spot,
    touch: &Touch,
) -> (Observation, RowWrench) {
    let (a, b) = places(at.model(), spot.contact);
    let see = Observation { gap: touch.vacant(), vacant: true, ..Observation::default() };
    (see, RowWrench::of_couple(a, b, Vec3::zeros()))
}

impl Motion<'_> {
    /// The features of contacts that change them, where the bodies stand at (t, y).
    fn features(&mut self, t: f64, y: &[f64], of: &[usize]) -> Result<Vec<u64>, MotionError> {
        self.place(t, y);
        let at = self.posture()?;
        of.iter().map(|contact| Ok(at.touch(*contact)?.features())).collect()
    }

    /// The points in the places of all spots.
    fn points(&mut self, t: f64, y: &[f64]) -> Result<Vec<Option<TouchPoint>>, MotionError> {
        self.place(t, y);
        let Self { mechanism, state, spots, .. } = self;
        let at = mechanism.at(state)?;
        spots.iter().map(|(spot, _)| Ok(at.touch(spot.contact)?.at(spot.point).copied())).collect()
    }
}

impl Locator<'_, '_> {
    /// A step over which contacts come to other features ends before the first change.
    pub fn cut_at_features(&mut self, t_old: f64) -> Result<(), SimulateError> {
        let t = self.path.method.t();
        let of = self.path.watch.changing.contacts.clone();
        if of.is_empty() {
            return Ok(());
        }
        let before = self.path.watch.features(t_old, &self.path.step.y, &of).at_time(t)?;
        let after = self.path.watch.features(t, self.path.method.y(), &of).at_time(t)?;
        if before == after {
            return Ok(());
        }
        let (mut low, mut high) = (t_old, t);
        let least = 0.1 * self.path.behind(t_old);
        while high - low > least {
            let middle = f64::midpoint(low, high);
            if middle <= low || middle >= high {
                break;
            }
            self.path.method.interpolate(
                &mut self.path.system,
                middle,
                &mut self.path.step.between,
            )?;
            let found =
                self.path.watch.features(middle, &self.path.step.between, &of).at_time(t)?;
            if found == before { low = middle } else { high = middle }
        }
        // A step has a length: a change where it begins is passed with the shortest.
        let low =
            low.max((t_old + self.path.watch.resolution.tick(t_old)).min(f64::midpoint(t_old, t)));
        if low < t {
            self.path.method.accept_until(&mut self.path.system, low)?;
        }
        self.schedule.leap_from = Some(self.path.method.t());
        self.path.observe_end()
    }
}

impl Runner<'_> {
    /// Behind a change of features each spot takes the mode of the earlier point at the same place; a point without one, and in a run of
    /// impulses what has another normal, is open at first: what rests is found anew.
    pub fn match_features(
        &mut self,
        (t, y): (f64, &[f64]),
        after: f64,
    ) -> Result<(), SimulateError> {
        if self.path.watch.changing.is_empty() {
            return Ok(());
        }
        let old = self.path.watch.points(t, y).at_time(t)?;
        let now = self.path.watch.points(after, &self.path.step.y.clone()).at_time(t)?;
        // Points this near to each other are the same point before and after a change.
        let near = zero::LOCATED * self.path.watch.resolution.length;
        let rigid = self.path.is_piecewise();
        let n = old.len();
        let mut from: Vec<Option<usize>> = vec![None; n];
        let mut taken = vec![false; n];
        for (k, from) in from.iter_mut().enumerate() {
            let Some(point) = now[k] else { continue };
            let contact = self.path.watch.spots[k].0.contact;
            // First the place itself, then the others.
            let others = (0..n).filter(|other| *other != k);
            *from = std::iter::once(k).chain(others).find(|&i| {
                let same = |p: TouchPoint| {
                    let moved = (p.on_a - point.on_a).amax().max((p.on_b - point.on_b).amax());
                    // A normal that turned by more than this \[rad\] has jumped.
                    let jumped = (p.normal - point.normal).norm() > zero::MODES;
                    moved <= near && !(rigid && jumped)
                };
                self.path.watch.spots[i].0.contact == contact
                    && !taken[i]
                    && old[i].is_some_and(same)
            });
            if let Some(i) = *from {
                taken[i] = true;
            }
        }
        // A law whose point is gone has parted; what stays without its point is found anew.
        for k in (0..n).filter(|k| !taken[*k]) {
            if self.path.watch.spots[k].1.acts_by_law() {
                self.laws().part(after, k);
            }
            self.path.watch.spots[k].1 = Status::Open;
            (self.record.current[k], self.path.began[k]) = (None, None);
        }
        if (0..n).all(|k| from[k].is_none_or(|from| from == k)) {
            return Ok(());
        }
        let statuses: Vec<Status> = self.path.watch.spots.iter().map(|s| s.1).collect();
        let (current, began) = (self.record.current.clone(), self.path.began.clone());
        let bounces = self.history.bounces.clone();
        let (works_at, states_at) = (self.path.watch.works_at(), self.path.watch.states_at());
        let mut accounts = self.path.watch.accounts.clone();
        let z = self.path.step.y[states_at..works_at].to_vec();
        // Accounts of the ledger go with their points; the others take what is left.
        let mut free = (0..n).filter(|k| !taken[*k]).collect::<Vec<_>>().into_iter();
        for (k, from) in from.iter().enumerate() {
            let own = from.or_else(|| free.next()).unwrap_or(k);
            // The account of the spot `own` is that of the spot k from now on.
            if let Some(account) = self.path.watch.accounts.iter().position(|spot| *spot == own) {
                accounts[account] = k;
            }
            self.history.bounces[k] = bounces[own];
            self.path.watch.spots[k].1 = statuses[own];
            (self.record.current[k], self.path.began[k]) = (current[own], began[own]);
            let [to, other] = [k, own].map(|k| self.path.watch.states[k].clone());
            if to.len() == other.len() {
                let at = states_at + to.start;
                self.path.step.y[at..at + to.len()].copy_from_slice(&z[other]);
            }
        }
        self.path.watch.set_accounts(&accounts);
        Ok(())
    }
}
