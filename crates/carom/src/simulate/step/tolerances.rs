//! How exact the steps behind an event have to be.

use crate::maths::zero;
use crate::simulate::SimulateError;
use crate::simulate::error::AtTime;
use crate::simulate::mode::Status;
use crate::simulate::step::Control;
use crate::simulate::system::body_axes::levers;
use crate::simulate::system::tangent::TangentFrame;

/// Absolute tolerance, as a part of tolerance × the machine's lengths and speeds, where nothing touches.
const NOTHING: f64 = 1e-4;
/// The part of a contact's time that its first step covers.
const FIRST: f64 = 0.02;
/// Implicit steps of order 9 estimate their errors to order 5, as those of a much coarser method. Estimates up to this times r^(2/3) are allowed
/// in place of a tolerance r: an oscillation ẏ = iω y is then followed to 4e-4 r per radian at r = 1e-9 (the estimate is 1.05e-5 (hω)⁶, the
/// error per radian 2.2e-9 (hω)⁹), and works, which have no say in the steps, keep the balance of energy to a few r.
const LOOSE: f64 = 0.03;

impl Control<'_, '_> {
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
        // The error norm is a root mean square over all components; works have no tolerance and only dilute it.
        let tolerance = self.path.scenario.tolerance * ((nq + nv) as f64 / dimension as f64).sqrt();
        let mut absolute = vec![f64::MAX.sqrt(); dimension];
        let sizes = self.coordinate_sizes();
        for (absolute, size) in absolute.iter_mut().zip(&sizes) {
            *absolute = tolerance * NOTHING * size;
        }
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
                for q in joint.positions() {
                    absolute[q] = absolute[q].min(tolerance * depth / lever);
                    // Errors \[m, rad\] below this part of a position are lost in its last digits.
                    least = least
                        .max(zero::LAST_DIGITS * (sizes[q] + self.path.watch.state.q[q].abs()));
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
        self.loosen(&mut absolute, relative == 0.0, tolerance);
        // Below the last digits of positions and speeds there is nothing to ask for.
        for (x, absolute) in absolute[..nq].iter_mut().enumerate() {
            let q = self.path.watch.state.q[x].abs();
            *absolute = absolute.max(zero::LAST_DIGITS * (sizes[x] + q));
        }
        let first = first.is_finite().then_some(first);
        Ok((relative, absolute, first))
    }

    /// The errors that implicit steps may estimate while force laws act; explicit ones keep the tolerances given.
    fn loosen(&self, absolute: &mut [f64], touches: bool, tolerance: f64) {
        if self.has_lasting(self.path.watch.state.t) || touches && self.stiffness.found {
            let loose = (LOOSE / tolerance.cbrt()).max(1.0);
            for absolute in absolute {
                *absolute *= loose;
            }
        }
    }
}
