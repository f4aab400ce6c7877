//! A start in contact: indentations at which closed contacts push as hard as it takes for nothing to accelerate along them.

use crate::contact::law::{ContactLaw, Indentation, Onset};
use crate::maths::zero;
use crate::simulate::error::AtTime;
use crate::simulate::mode::{Observation, Status};
use crate::simulate::resolution::Resolution;
use crate::simulate::resolve::force_law::ForceLaws;
use crate::simulate::system::{Motion, MotionError, indentation};
use crate::simulate::trajectory::Began;
use crate::simulate::{SimulateError, StartRule};

/// Newton's steps; a few do where the forces are near those of rigid contacts.
const MOST_STEPS: usize = 60;

impl Motion<'_> {
    /// F_N ≥ 0 that keeps the chosen spots from accelerating into each other; none if nothing can.
    pub fn supports(&mut self, chosen: &[bool]) -> Result<Option<Vec<f64>>, MotionError> {
        let Self { mechanism, state, constraints, rows, seen, .. } = self;
        let at = mechanism.at(state)?;
        let c = |k: usize| seen[k].acceleration;
        let solved = constraints.complementary(&at, rows, &|k| chosen[k], &c);
        Ok(solved.then(|| (0..chosen.len()).map(|k| constraints.force(k)).collect()))
    }

    /// Moves the chosen gaps by these lengths, q ← q ⊕ Y Aᵀ W⁺ Δ.
    fn shift(
        &mut self,
        t: f64,
        y: &mut [f64],
        chosen: &[bool],
        by: &dyn Fn(usize) -> f64,
    ) -> Result<(), MotionError> {
        let Self { mechanism, state, constraints, rows, .. } = self;
        let at = mechanism.at(state)?;
        constraints.still(&at, rows, &|k| chosen[k], &|k| -by(k));
        self.advance(y);
        self.observe(t, y).map(|_| ())
    }

    /// One step of Newton's method for u̇ = 0: q ← q ⊕ Y Aᵀ x with W K W x = u̇, K the stiffness of each contact.
    fn balance(
        &mut self,
        t: f64,
        y: &mut [f64],
        chosen: &[bool],
        stiffness: &dyn Fn(usize) -> f64,
    ) -> Result<(), MotionError> {
        let Self { mechanism, state, constraints, rows, seen, .. } = self;
        let at = mechanism.at(state)?;
        let residual = |k: usize| -seen[k].acceleration;
        constraints.still_through(&at, rows, &|k| chosen[k], &residual, stiffness);
        self.advance(y);
        self.observe(t, y).map(|_| ())
    }

    /// Moves positions by the change found last.
    fn advance(&mut self, y: &mut [f64]) {
        let mut step = vec![0.0; self.model.nv];
        self.constraints.add_change(&mut step);
        self.state.advance(self.model, &step);
        for ((y, q), origin) in y.iter_mut().zip(self.state.q.iter()).zip(&self.origin) {
            *y = q - origin;
        }
    }
}

impl ForceLaws<'_, '_> {
    /// Lets closed contacts stand, if the scenario asks for it.
    pub fn start_in_equilibrium(&mut self, t: f64) -> Result<(), SimulateError> {
        if self.path.scenario.start != StartRule::InContact {
            return Ok(());
        }
        self.path.observe_again(t)?;
        let units: Vec<Resolution> =
            (0..self.path.step.before.len()).map(|k| self.path.watch.unit(k)).collect();
        let rests = |(see, unit): (&Observation, &Resolution)| {
            see.gap <= unit.closed() && see.rate.abs() <= 10.0 * unit.rest()
        };
        let mut chosen: Vec<bool> = self.path.step.before.iter().zip(&units).map(rests).collect();
        for (k, see) in self.path.step.before.iter().enumerate() {
            if see.gap < -units[k].closed() && !chosen[k] {
                let contact = self.path.watch.name_of(k);
                return Err(SimulateError::PenetratingFast {
                    contact,
                    depth: -see.gap,
                    speed: see.rate,
                });
            }
        }
        if self.path.is_piecewise() {
            let inside: Vec<bool> = self.path.step.before.iter().map(|see| see.gap < 0.0).collect();
            if inside.contains(&true) {
                self.path.watch.settle(t, &mut self.path.step.y, &inside).at_time(t)?;
            }
            return self.path.observe_again(t);
        }
        let Some(forces) = self.path.watch.supports(&chosen).at_time(t)? else {
            return Err(self.path.watch.blocked(t, &chosen));
        };
        let mut depths = vec![0.0; chosen.len()];
        for k in 0..chosen.len() {
            let pressed = chosen[k] && forces[k] > 0.0;
            // A point that is indented but unloaded is moved to zero indentation.
            chosen[k] = pressed || self.path.step.before[k].gap < 0.0;
            if !pressed {
                continue;
            }
            self.touch(t, k)?;
            let (spot, Status::Touching(onset)) = self.path.watch.spots[k] else { continue };
            if let Some(law) = &self.path.watch.laws[spot.contact] {
                depths[k] =
                    static_depth(law.as_ref(), &onset, forces[k], &units[k]).ok_or_else(|| {
                        SimulateError::NoStaticDepth {
                            contact: self.path.watch.name_of(k),
                            force: forces[k],
                        }
                    })?;
            }
        }
        let gaps: Vec<f64> = self.path.step.before.iter().map(|see| see.gap).collect();
        let by = |k: usize| -depths[k] - gaps[k];
        self.path.watch.shift(t, &mut self.path.step.y, &chosen, &by).at_time(t)?;
        self.settle_forces(t)?;
        self.open_accounts(t)
    }

    /// Newton's method from the forces of rigid contacts to those of the laws.
    fn settle_forces(&mut self, t: f64) -> Result<(), SimulateError> {
        let touching = |status: &Status| matches!(status, Status::Touching(_));
        let chosen: Vec<bool> = self.path.watch.spots.iter().map(|s| touching(&s.1)).collect();
        for _ in 0..MOST_STEPS {
            self.path.observe_again(t)?;
            let mut worst: f64 = 0.0;
            let mut size: f64 = 0.0;
            let mut stiffness = vec![0.0; chosen.len()];
            for (k, (spot, status)) in self.path.watch.spots.clone().iter().enumerate() {
                let Status::Touching(onset) = status else { continue };
                let see = self.path.step.before[k];
                let Some(law) = &self.path.watch.laws[spot.contact] else { continue };
                stiffness[k] = law.slopes(&indentation(&see), onset)[0];
                worst = worst.max(see.acceleration.abs());
                let (mass, _) = self.path.watch.effective(k).at_time(t)?;
                size = size.max(see.force / mass);
            }
            // Accelerations left, in parts of the largest one that a contact's force gives.
            if worst <= zero::SOLVED * size {
                return Ok(());
            }
            self.path
                .watch
                .balance(t, &mut self.path.step.y, &chosen, &|k| stiffness[k])
                .at_time(t)?;
        }
        // Round-off in positions leaves what the stiffness makes of it: the run begins with that.
        self.path.observe_again(t)
    }

    /// What contacts hold at the start is in their accounts.
    fn open_accounts(&mut self, t: f64) -> Result<(), SimulateError> {
        self.path.observe_again(t)?;
        for (k, (spot, status)) in self.path.watch.spots.iter().enumerate() {
            let (Status::Touching(onset), Some(law)) =
                (status, &self.path.watch.laws[spot.contact])
            else {
                continue;
            };
            let held = law.elastic_energy(-self.path.step.before[k].gap, onset);
            if let Some(account) = self.path.watch.account(k) {
                self.path.step.y[account] = held;
            }
            self.path.began[k] = Some(Began { t, indented: true });
            if let Some(record) = self.record.current[k] {
                let record = &mut self.record.out.impacts[record];
                (record.account, record.began_indented) = (held, true);
                record.max_indentation = -self.path.step.before[k].gap;
                record.peak_force = Some(self.path.step.before[k].force);
            }
        }
        Ok(())
    }
}

/// δ at which a law pushes with a force while nothing moves; none below a thousand times the machine's size.
fn static_depth(
    law: &dyn ContactLaw,
    onset: &Onset,
    force: f64,
    sizes: &Resolution,
) -> Option<f64> {
    let excess = |delta: f64| law.force(&Indentation { delta, delta_dot: 0.0 }, onset) - force;
    let mut deep = sizes.gap_digits().max(f64::MIN_POSITIVE);
    while !(excess(deep) >= 0.0) {
        deep *= 4.0;
        if !(deep <= 1e3 * sizes.length) {
            return None;
        }
    }
    let width = crate::maths::root::Width { absolute: 0.0, relative: f64::EPSILON };
    crate::maths::root::bracketed(excess, 0.0, deep, width).ok().map(|root| root.x)
}
