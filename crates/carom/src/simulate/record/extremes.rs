//! Greatest indentations and forces of impacts, located inside a step.

use crate::simulate::SimulateError;
use crate::simulate::error::AtTime;
use crate::simulate::mode::Status;
use crate::simulate::record::Observer;

impl Observer<'_, '_> {
    /// Greatest indentations and forces inside the last step.
    pub fn extremes(&mut self) -> Result<(), SimulateError> {
        let span = [self.path.method.t_old(), self.path.method.t()];
        for k in 0..self.path.watch.spots.len() {
            let Some(record) = self.record.current[k] else { continue };
            if !matches!(self.path.watch.spots[k].1, Status::Touching(_)) {
                continue;
            }
            let (a, b) = (self.path.step.before[k], self.path.step.after[k]);
            if a.rate < 0.0 && b.rate >= 0.0 {
                let t = self.path.time_of(span, |seen| seen[k].rate)?;
                let delta = -self.path.observe_inside(t)?[k].gap;
                let work = self.path.watch.work_of(k, &self.path.step.between);
                if self.record.out.impacts[record].first_turn.is_none() {
                    let mass = self.path.watch.effective(k).at_time(t)?.0;
                    self.record.out.impacts[record].first_turn = Some((t, mass));
                }
                let this = &mut self.record.out.impacts[record];
                if delta > this.max_indentation {
                    this.max_indentation = delta;
                    this.time_of_max_indentation = t;
                    this.compression_work = work - this.account;
                    self.record.marks.push(t);
                }
            }
            if a.force_rate > 0.0 && b.force_rate <= 0.0 {
                let t = self.path.time_of(span, |seen| seen[k].force_rate)?;
                let force = self.path.observe_inside(t)?[k].force;
                let this = &mut self.record.out.impacts[record];
                if this.peak_force.is_none_or(|f| force > f) {
                    (this.peak_force, this.time_of_peak) = (Some(force), t);
                    self.record.marks.push(t);
                }
            }
        }
        Ok(())
    }
}
