//! Observations of contacts inside a step: their records, and their greatest forces, located.

use crate::maths::Wrench;
use crate::maths::maximum::{maximum, summit};
use crate::maths::zero;
use crate::simulate::SimulateError;
use crate::simulate::error::AtTime;
use crate::simulate::locate::broad_phase::FEW;
use crate::simulate::mode::{Spot, Status};
use crate::simulate::record::Observer;
use crate::simulate::record::Recorder;
use crate::simulate::record::thinning::acts;

use crate::simulate::system::{Motion, MotionError};

/// Observations of a step in which something touches, beside its beginning.
const NODES: usize = 4;
/// Half the interval, as a part of the step, in which a peak is searched about the maximum of the polynomial through the observations.
const ABOUT: f64 = 0.125;
/// The time of a peak, in parts of the step; its value is known to the square of that.
const WIDTH: f64 = 1e-6;

/// Forces and reactions at the observations of a step.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct PeakSearch {
    /// What joints and closures transmit, by observation.
    wrenches: Vec<Wrench>,
    /// F_N of the spots, by observation.
    forces: Vec<f64>,
}

impl PeakSearch {
    pub fn new(joints: usize, spots: usize) -> Self {
        let looks = NODES + 1;
        Self { wrenches: vec![Wrench::zero(); looks * joints], forces: vec![0.0; looks * spots] }
    }

    fn joints(&self) -> usize {
        self.wrenches.len() / (NODES + 1)
    }

    /// One joint over the step.
    fn joint(&self, n: usize, of: impl Fn(&Wrench) -> f64) -> [f64; NODES + 1] {
        let joints = self.joints();
        std::array::from_fn(|j| of(&self.wrenches[j * joints + n]))
    }

    /// One spot over the step.
    fn spot(&self, k: usize) -> [f64; NODES + 1] {
        let spots = self.forces.len() / (NODES + 1);
        std::array::from_fn(|j| self.forces[j * spots + k])
    }

    /// The largest force \[N\].
    fn largest(&self) -> f64 {
        let joints = self.wrenches.iter().map(|w| w.force.norm());
        joints.chain(self.forces.iter().map(|f| f.abs())).fold(0.0, f64::max)
    }
}

/// T_c and T_a \[J\].
pub(in crate::simulate) type Along = (f64, Option<f64>);

impl Motion<'_> {
    /// T_c of all spots' rows at the state observed last \[J\], and T_a = T − T_c; where drives move there is no T_a.
    /// None where the machine has more than [`FEW`] spots: then only those that act have them, in `along`.
    pub fn energies_along(&mut self) -> Result<&[Along], MotionError> {
        let Self { mechanism, state, rows, along, spots, .. } = self;
        let at = mechanism.at(state)?;
        let driven = at.model().drives.iter().any(|d| at.state().v[d.v] != 0.0);
        let T = at.kinetic_energy();
        if rows.len() > FEW {
            let acting = spots.iter().enumerate().filter(|(_, spot)| acts(&spot.1));
            for (k, _) in acting {
                let T_c = at.effective_mass(&rows[k]).energy;
                along[k] = (T_c, (!driven).then_some(T - T_c));
            }
            return Ok(&[]);
        }
        for (row, along) in rows.iter().zip(along) {
            let T_c = at.effective_mass(row).energy;
            *along = (T_c, (!driven).then_some(T - T_c));
        }
        Ok(&self.along)
    }
}

impl Observer<'_, '_> {
    /// Observes contacts inside the last step.
    pub fn observe_contacts(&mut self) -> Result<(), SimulateError> {
        if !self.path.watch.spots.iter().any(|s| acts(&s.1)) {
            return Ok(());
        }
        if !(self.path.scenario.peaks || self.path.scenario.records_inside()) {
            let Self { path, record } = self;
            record.raise(path.method.t(), &path.watch.spots, &path.step.after);
            self.record.marks.clear();
            return Ok(());
        }
        // Between the ends of an implicit step of a contact at rest, forces are less exact than at them.
        let (records, fresh) =
            (self.path.scenario.records_inside(), self.record.thinning.is_fresh());
        let stiff = self.path.method.is_stiff();
        let first = if stiff && !(records && fresh) { NODES } else { 0 };
        let joints = self.record.peaks.joints();
        let [t_old, end] = self.path.span();
        for j in (first..=NODES).filter(|j| !stiff || *j == 0 || *j == NODES) {
            let t = if j == NODES { end } else { t_old + (end - t_old) * j as f64 / NODES as f64 };
            self.observe_for_peaks(t)?;
            if self.path.scenario.records_joint_peaks() {
                let found = self.path.watch.transmitted.iter();
                for (kept, wrench) in self.record.peaks.wrenches[j * joints..].iter_mut().zip(found)
                {
                    *kept = *wrench;
                }
            }
            let spots = self.path.watch.spots.len();
            for k in 0..spots {
                self.record.peaks.forces[j * spots + k] = self.path.watch.seen()[k].force;
            }
            if records {
                self.take_frame(t, false)?;
            }
            self.raise(t);
        }
        if !stiff && self.path.scenario.peaks {
            self.refine()?;
        }
        if records {
            return self.record_step(fresh);
        }
        self.record.marks.clear();
        Ok(())
    }

    /// What is seen at a time inside the last step, with the joint reactions if their peaks are asked for.
    pub fn observe_for_peaks(&mut self, t: f64) -> Result<(), SimulateError> {
        self.path.observe_inside(t)?;
        if !self.path.scenario.records_joint_peaks() {
            return Ok(());
        }
        self.path.watch.transmit().at_time(t)
    }

    /// Greatest values take what was seen last.
    fn raise(&mut self, t: f64) {
        let watch = &self.path.watch;
        self.record.raise_reactions(t, watch);
        self.record.raise(t, &watch.spots, watch.seen());
    }

    /// Searches greatest values between the observations.
    fn refine(&mut self) -> Result<(), SimulateError> {
        // Forces below this part of the largest (moments: on an arm of 1 m) are round-off and have no peak.
        let round_off = zero::INTEGRATED * self.record.peaks.largest();
        let parts: [fn(&Wrench) -> f64; 2] =
            [|w| w.force.norm_squared(), |w| w.moment.norm_squared()];
        let joints =
            if self.path.scenario.records_joint_peaks() { self.record.peaks.joints() } else { 0 };
        for n in 0..joints {
            for part in parts {
                let values = self.record.peaks.joint(n, part);
                let known = self.record.known(&self.path.watch.spots, n, part);
                self.climb(&values, known, round_off * round_off, |watch| {
                    watch.transmitted.iter().nth(n).map_or(0.0, part)
                })?;
            }
        }
        for k in 0..self.path.watch.spots.len() {
            let Some(stay) = self.record.stays[k] else { continue };
            let known = Some(self.record.out.stays[stay].peak_force);
            let values = self.record.peaks.spot(k);
            self.climb(&values, known, round_off, |watch| watch.seen()[k].force)?;
        }
        for n in 0..self.record.striking.len() {
            let blow = &self.record.out.blows[self.record.striking[n].blow];
            if blow.impacts.len() == 1 {
                continue;
            }
            let known = blow.peak_force;
            let values = std::array::from_fn(|j| {
                self.record
                    .force_of_blow(n, &self.path.watch.spots, |k| self.record.peaks.spot(k)[j])
            });
            let member: Vec<usize> = (0..self.path.watch.spots.len())
                .filter(|k| self.record.current[*k].is_some_and(|i| blow.impacts.contains(&i)))
                .collect();
            self.climb(&values, known, round_off, |watch| {
                let touches = |k: &&usize| matches!(watch.spots[**k].1, Status::Touching(_));
                member.iter().filter(touches).map(|k| watch.seen()[*k].force).sum()
            })?;
        }
        Ok(())
    }

    /// Searches the maximum of a quantity over the step, if the polynomial through its observations exceeds the greatest value known.
    fn climb(
        &mut self,
        values: &[f64; NODES + 1],
        known: Option<f64>,
        round_off: f64,
        of: impl Fn(&Motion<'_>) -> f64,
    ) -> Result<(), SimulateError> {
        let Some(known) = known else { return Ok(()) };
        let (at, top) = summit(values);
        // A peak has to exceed what is known by this part to be searched.
        if !(top > known * (1.0 + zero::INTEGRATED) + round_off && 0.0 < at && at < 1.0) {
            return Ok(());
        }
        let (t_old, h) =
            (self.path.method.t_old(), self.path.method.t() - self.path.method.t_old());
        let mut failed = None;
        let value = |t: f64| match self.observe_for_peaks(t) {
            Ok(()) => of(&self.path.watch),
            Err(error) => {
                failed = Some(error);
                f64::NAN
            }
        };
        let about = [(at - ABOUT).max(0.0), (at + ABOUT).min(1.0)].map(|x| t_old + x * h);
        let (t, _) = maximum(value, about, WIDTH * h);
        if let Some(error) = failed {
            return Err(error);
        }
        self.observe_for_peaks(t)?;
        self.raise(t);
        Ok(())
    }
}

impl Recorder {
    /// Reactions of joints in impacts under way take what joints transmit now, where it is greater.
    fn raise_reactions(&mut self, t: f64, watch: &Motion<'_>) {
        for ((_, status), record) in watch.spots.iter().zip(&self.current) {
            if let (Status::Touching(_), Some(record)) = (status, record) {
                let peaks = self.out.reactions[*record].iter_mut();
                peaks.zip(watch.transmitted.iter()).for_each(|(p, w)| p.raise(t, w));
            }
        }
    }

    /// The least of the peaks of a joint over all impacts under way.
    fn known(&self, spots: &[(Spot, Status)], n: usize, part: fn(&Wrench) -> f64) -> Option<f64> {
        let spots = spots.iter().zip(&self.current);
        let open = spots.filter_map(|((_, status), record)| {
            let record = record.filter(|_| matches!(status, Status::Touching(_)))?;
            let peak = self.out.reactions[record].get(n)?;
            Some(part(&Wrench { force: peak.force, moment: peak.moment }))
        });
        open.reduce(f64::min)
    }
}
