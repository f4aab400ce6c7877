//! What happens at events under force laws, and how exact the steps after them have to be.

use crate::simulate::error::AtTime;
use crate::simulate::guard::Guard;
use crate::simulate::mode::Status;
use crate::simulate::record::outcome::{EventKind, ImpactRecord};
use crate::simulate::run::Runner;
use crate::simulate::system::body_axes::levers;
use crate::simulate::system::tangent::TangentFrame;
use crate::simulate::system::turning_normal;
use crate::simulate::{MotionError, SimulateError};

/// Lengths and speeds below this part of the machine's are of no interest where nothing touches.
const NOTHING: f64 = 1e-4;
/// The part of u by which ġ may differ from it where a gap closes.
const BESIDE: f64 = 1e-6;
/// The part of a contact's time that its first step covers.
const FIRST: f64 = 0.02;
/// Losses below this many times the tolerance, in parts of the energy exchanged, are errors of the integration.
pub const RESOLVED: f64 = 10.0;
/// Errors \[m, rad\] below this part of a position are lost in its last digits.
const DIGITS: f64 = 4.0 * f64::EPSILON;

impl Runner<'_> {
    /// Goes through the guards that fired at `y`, and begins anew.
    pub fn resolve_events(
        &mut self,
        t: f64,
        fired: &[(usize, Guard)],
    ) -> Result<(), SimulateError> {
        self.flush_frames();
        self.path.observe_again(t)?;
        self.path.grow_resolution(t, false)?;
        for &(k, _) in fired.iter().filter(|f| f.1 == Guard::Closes) {
            self.require_markers_together(t, k)?;
        }
        if self.path.is_piecewise() {
            if self.reach_limits(t, fired)? {
                return self.restart(t, None);
            }
            self.resolve_rigid(t, fired)?;
            self.restart(t, None)?;
            self.record_stays(t);
            return Ok(());
        }
        self.path.observe_again(t)?;
        let closes: Vec<bool> = (0..self.path.watch.spots.len())
            .map(|k| fired.is_empty() || fired.contains(&(k, Guard::Closes)))
            .collect();
        let grazes = self.path.watch.grazes(&closes).at_time(t)?;
        if fired.is_empty() {
            for k in (0..self.path.watch.spots.len()).filter(|k| !grazes[*k]) {
                let open = matches!(self.path.watch.spots[k].1, Status::Open);
                if open
                    && self.path.step.before[k].gap <= self.path.watch.unit(k).gap_digits()
                    && self.path.step.before[k].rate < 0.0
                {
                    self.touch(t, k)?;
                }
            }
        }
        for &(k, guard) in fired {
            let status = self.path.watch.spots[k].1;
            match (guard, status) {
                (Guard::Closes, _) if grazes[k] => {}
                (Guard::Closes, _) => self.touch(t, k)?,
                (Guard::Slackens, Status::Touching(onset)) => {
                    self.path.watch.spots[k].1 = Status::Parted(onset);
                    self.part(t, k);
                }
                (Guard::Tightens, Status::Parted(onset)) => {
                    self.path.watch.spots[k].1 = Status::Touching(onset);
                    if let Some(record) = self.record.current[k] {
                        let record = &mut self.record.out.impacts[record];
                        (record.parting, record.separation_speed) = (None, None);
                        record.parting_mass = None;
                    }
                    self.note(t, k, EventKind::Again);
                }
                (Guard::Leaves, _) => {
                    self.path.watch.spots[k].1 = Status::Open;
                    self.part(t, k);
                    self.record.current[k] = None;
                }
                (Guard::Opens, _) => {
                    self.path.watch.spots[k].1 = Status::Open;
                    self.record.current[k] = None;
                }
                _ => {}
            }
        }
        self.update_blows();
        self.restart(t, None)
    }

    /// A gap between markers along a normal that turns changes with u only where the markers meet.
    fn require_markers_together(&mut self, t: f64, k: usize) -> Result<(), SimulateError> {
        let spot = self.path.watch.spots[k].0;
        let Some(body) = turning_normal(&self.path.model.contacts[spot.contact].geometry) else {
            return Ok(());
        };
        let at = self.path.watch.posture().at_time(t)?;
        let met = at.touch(spot.contact).at_time(t)?.points()[0];
        let beside = met.on_b - met.on_a;
        let turning = at.frames().twist(Some(body)).ang.cross(&met.normal).dot(&beside);
        let u = at.rate(&at.contact_row(spot.contact, &met, &met.normal));
        if turning.abs() <= BESIDE * u.abs() {
            return Ok(());
        }
        let apart = (beside - met.normal * met.normal.dot(&beside)).norm();
        Err(SimulateError::MarkersApart { t, contact: self.path.name_of(k), apart })
    }

    /// The work of a spot gets its place in y: memory follows what touches.
    fn open_account(&mut self, k: usize) {
        if self.path.watch.account(k).is_some() {
            return;
        }
        let at = self.path.watch.totals_at();
        self.path.step.y.insert(at, 0.0);
        self.path.step.between.resize(self.path.step.y.len(), 0.0);
        let accounts: Vec<usize> = self.path.watch.accounts.iter().copied().chain([k]).collect();
        self.path.watch.set_accounts(&accounts);
    }

    /// A law begins to act.
    pub fn touch(&mut self, t: f64, k: usize) -> Result<(), SimulateError> {
        let spot = self.path.watch.spots[k].0;
        let (mass, mut speed) = self.path.watch.effective(k).at_time(t)?;
        // The law's own measure of mass and depth. At a dead centre m_eff = ∞ for an instant only: it is that of the bodies without joints.
        let mut law_mass = mass;
        if mass.is_infinite() {
            let Some(free) = self.path.watch.dead_centre_mass(k).at_time(t)? else {
                let own: Vec<bool> =
                    (0..self.path.watch.spots.len()).map(|other| other == k).collect();
                return Err(self.blocked(t, &own));
            };
            (law_mass, speed) = (free, 0.0);
        }
        let Some(law) = self.path.watch.laws[spot.contact].clone() else { return Ok(()) };
        let name = || self.path.model.contacts[spot.contact].name.clone();
        let onset = law
            .onset(law_mass, speed.max(self.path.scenario.least_onset_speed))
            .map_err(|error| SimulateError::Law { contact: name(), error })?;
        self.path.watch.spots[k].1 = Status::Touching(onset);
        self.open_account(k);
        self.record.thinning.forget(k);
        let at = self.path.watch.states_at();
        for z in self.path.watch.states[k].clone() {
            self.path.step.y[at + z] = 0.0;
        }
        let see =
            crate::simulate::mode::Observation { gap: 0.0, rate: -speed, ..Default::default() };
        let first = law.force(&crate::simulate::system::indentation(&see), &onset);
        let speed = speed.max(0.0);
        let energy = if speed > 0.0 { 0.5 * mass * speed * speed } else { 0.0 };
        self.record.current[k] = Some(self.record.out.impacts.len());
        self.record.out.impacts.push(ImpactRecord {
            spot,
            onset: t,
            effective_mass: mass,
            approach_speed: speed,
            impact_energy: energy,
            peak_force: Some(first.max(0.0)),
            time_of_peak: t,
            max_indentation: 0.0,
            time_of_max_indentation: t,
            parting: None,
            separation_speed: None,
            impulse: None,
            energy_lost: 0.0,
            compression_work: 0.0,
            free_acceleration: self.path.step.before[k].acceleration,
            parting_mass: None,
            shared_energy: energy,
            friction_loss: 0.0,
            first_turn: None,
            account: self.path.watch.work_of(k, &self.path.step.y),
            began_indented: false,
        });
        self.begin_reactions(t)?;
        self.note(t, k, EventKind::Onset);
        self.join_blow(t, k)
    }

    /// A law stops acting.
    pub fn part(&mut self, t: f64, k: usize) {
        let work = self.path.watch.work_of(k, &self.path.step.y);
        let mass = self.path.watch.effective(k).ok().map(|(mass, _)| mass);
        if let Some(record) = self.record.current[k] {
            let record = &mut self.record.out.impacts[record];
            if record.parting.is_none() {
                record.parting = Some(t);
                record.separation_speed = Some(self.path.step.before[k].rate);
                record.parting_mass = mass;
                let lost = work - record.account;
                let exchanged = record.compression_work.abs().max(record.impact_energy);
                let resolved = lost.abs() > RESOLVED * self.path.scenario.tolerance * exchanged;
                record.energy_lost = if resolved { lost } else { 0.0 };
                self.note(t, k, EventKind::Parting);
            }
        }
    }

    /// The sizes of the coordinates and of their velocities: the machine's length and speed, 1 rad and the rate that belongs to them. Where
    /// nothing moves, velocities are measured by the duration of the run.
    fn coordinate_sizes(&self) -> Vec<f64> {
        let (nq, nv) = (self.path.model.nq, self.path.model.nv);
        let mut sizes = self.path.watch.resolution;
        if sizes.speed == 0.0 {
            sizes.speed = sizes.length / self.path.scenario.until;
        }
        let angular = sizes.angular();
        let mut out = vec![1.0; nq + nv];
        for body in &self.path.model.bodies {
            let joint = &body.joint;
            for (column, v) in joint.velocities().enumerate() {
                let own = if joint.kind.is_angular(column) { angular } else { sizes };
                out[nq + v] = own.speed;
                if let Some(q) = joint.kind.position_of(column) {
                    out[joint.q + q] = own.length;
                }
            }
        }
        out
    }

    /// Relative and absolute tolerances of the steps from here, and the first of them.
    ///
    /// While something touches, the error is measured by what it does to the indentation: a part of the depth
    /// and speed of the elastic impact, along the contact's row.
    pub fn tolerances(&mut self) -> Result<(f64, Vec<f64>, Option<f64>), SimulateError> {
        let t = self.path.watch.state.t;
        let (nq, nv) = (self.path.model.nq, self.path.model.nv);
        let dimension = self.path.watch.dimension();
        // The root mean square counts the works too, which have no say.
        let tolerance = self.path.scenario.tolerance * ((nq + nv) as f64 / dimension as f64).sqrt();
        let mut absolute = vec![f64::MAX.sqrt(); dimension];
        let sizes = self.coordinate_sizes();
        for (absolute, size) in absolute.iter_mut().zip(&sizes) {
            *absolute = tolerance * NOTHING * size;
        }
        let mut pressed = vec![false; nq + nv];
        let mut smooth = vec![f64::INFINITY; nv];
        let mut rubbed = vec![f64::INFINITY; nv];
        let (mut relative, mut first) = (tolerance, f64::INFINITY);
        for k in 0..self.path.watch.spots.len() {
            let (spot, Status::Touching(onset) | Status::Parted(onset)) = self.path.watch.spots[k]
            else {
                continue;
            };
            let (Some(depth), Some(time)) =
                (self.path.elastic_depth(spot, &onset), self.path.elastic_time(spot, &onset))
            else {
                continue;
            };
            relative = 0.0;
            first = first.min(FIRST * time);
            if let Some(friction) = &self.path.watch.frictions[spot.contact] {
                let force = onset.effective_mass * onset.speed * onset.speed / depth;
                let (at, size) = (self.path.watch.states_at(), friction.state_size(force));
                // Bristles without friction bend nothing.
                for z in self.path.watch.states[k].clone().filter(|_| size > 0.0) {
                    absolute[at + z] = tolerance * size;
                }
            }
            let row = self.path.watch.rows[k];
            let resolution = self.path.watch.resolution;
            let rubs = self.path.watch.frictions[spot.contact].is_some();
            let rotations = self.path.watch.rotations.clone();
            let at = self.path.watch.posture().at_time(t)?;
            let mut A = at.jacobian_row(&row);
            levers(&rotations, A.as_mut_slice());
            if rubs {
                // Friction passes an error on to the velocities along its tangents; the speed that it is measured by is that of the onset.
                let tangents = TangentFrame::of(&at, spot, &resolution).at_time(t)?;
                let rows = tangents.rows.map(|row| {
                    let mut row = at.jacobian_row(&row);
                    levers(&rotations, row.as_mut_slice());
                    row
                });
                for (v, rubbed) in rubbed.iter_mut().enumerate() {
                    let lever = A[v].abs().max(rows[0][v].abs()).max(rows[1][v].abs());
                    *rubbed = rubbed.min(tolerance * onset.speed / lever);
                }
            }
            for body in &self.path.model.bodies {
                let joint = &body.joint;
                let lever = joint.velocities().map(|c| A[c].abs()).fold(0.0, f64::max);
                if lever == 0.0 {
                    continue;
                }
                let mut least: f64 = 0.0;
                let turns = joint.kind.quaternion().is_some();
                for (q, v) in joint.positions().zip(joint.velocities()) {
                    pressed[q] |= turns || A[v] != 0.0;
                    pressed[nq + v] |= turns || A[v] != 0.0;
                }
                for q in joint.positions() {
                    absolute[q] = absolute[q].min(tolerance * depth / lever);
                    least = least.max(DIGITS * (sizes[q] + self.path.watch.state.q[q].abs()));
                }
                for v in joint.velocities() {
                    let v = nq + v;
                    let own = (tolerance * onset.speed / lever).max(least * onset.speed / depth);
                    absolute[v] = absolute[v].min(own);
                    if !rubs {
                        smooth[v - nq] = smooth[v - nq].min(own);
                    }
                }
            }
        }
        if relative == 0.0 {
            // What a contact does not see keeps its own size.
            for v in 0..nv {
                let least = tolerance * NOTHING * sizes[nq + v];
                let own = least + tolerance * self.path.step.y[nq + v].abs();
                if absolute[nq + v] == least {
                    absolute[nq + v] = own;
                }
            }
        }
        for v in (0..nv).filter(|v| rubbed[*v].is_finite()) {
            absolute[nq + v] = absolute[nq + v].max(rubbed[v].min(smooth[v]));
        }
        self.loosen(&mut absolute, &pressed, relative == 0.0, tolerance);
        // Below the last digits of positions and speeds there is nothing to ask for.
        for (x, absolute) in absolute[..nq].iter_mut().enumerate() {
            let q = self.path.watch.state.q[x].abs();
            *absolute = absolute.max(DIGITS * (sizes[x] + q));
        }
        let first = first.is_finite().then_some(first);
        Ok((relative, absolute, first))
    }

    /// What implicit steps may estimate their errors to be, where explicit ones keep the tolerances given.
    fn loosen(&self, absolute: &mut [f64], pressed: &[bool], touches: bool, tolerance: f64) {
        let lasting = self.has_lasting(self.path.watch.state.t);
        if lasting || touches && self.history.stiffness.found {
            for (absolute, pressed) in absolute.iter_mut().zip(pressed) {
                // The estimate of an implicit step is far too large. What a stiff contact that lasts holds is smaller still: the
                // exponents are those at which a motion that rings with the contact keeps the tolerance.
                let loose = if lasting && *pressed {
                    tolerance.sqrt()
                } else {
                    0.1 * tolerance.powf(2.0 / 3.0)
                };
                *absolute *= loose / tolerance;
            }
        }
    }
}
