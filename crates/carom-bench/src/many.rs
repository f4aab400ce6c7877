//! Many states at once against a plain loop over poses, velocities, `settled_mass` and T, in one run on one thread.

use carom::Machine;
use carom::dynamics::Mechanism;
use carom::kinematics::State;
use carom::machine::ManyOptions;
use carom::model::{Parts, Space};

use crate::{mechanisms, time};

/// States in one call.
const STATES: usize = 256;

/// A named machine, or nothing if its parts are refused.
type Case = (&'static str, Option<Parts>);

fn cases() -> [Case; 3] {
    [
        ("double pendulum", Some(mechanisms::chain_parts(2, Space::Planar))),
        ("6-joint arm", Some(mechanisms::chain_parts(6, Space::Spatial))),
        ("32-joint tree", Some(mechanisms::tree_parts(32))),
    ]
}

/// Prints µs a state of both, and their ratio.
pub(crate) fn print_times() {
    println!("\nassess_many, one thread, {STATES} states a call");
    println!("{:<20} {:>12} {:>14} {:>8}", "machine", "µs a state", "plain loop, µs", "ratio");
    for (name, parts) in cases() {
        let Some(Ok(machine)) = parts.as_ref().map(Machine::from_parts) else { continue };
        let Ok(contact) = machine.contact("strike") else { continue };
        let (mut q, mut v) = (Vec::new(), Vec::new());
        for k in 0..STATES {
            let nudge = 1e-3 * k as f64;
            q.extend(machine.state().q.iter().map(|x| x + nudge));
            v.extend(machine.state().v.iter().map(|x| x + nudge));
        }
        let many = || {
            let out = machine.assess_many(contact, &q, &v, ManyOptions { threads: 1 });
            out.map_or(f64::NAN, |out| out.effective_mass[0] + out.impact_energy[STATES - 1])
        };
        let model = machine.model();
        let mut mechanism = Mechanism::new(model);
        let mut state = State::as_written(model);
        let mut sums = vec![0.0; STATES];
        let mut plain = || {
            for (k, sum) in sums.iter_mut().enumerate() {
                state.q.as_mut_slice().copy_from_slice(&q[k * model.nq..(k + 1) * model.nq]);
                state.v.as_mut_slice().copy_from_slice(&v[k * model.nv..(k + 1) * model.nv]);
                let Ok(at) = mechanism.at(&state) else { return f64::NAN };
                let Ok(touch) = at.touch(0) else { return f64::NAN };
                let point = &touch.points()[0];
                let row = at.contact_row(0, point, &point.normal);
                let effective = at.settled_mass(&row);
                *sum = effective.mass + effective.energy + at.kinetic_energy();
            }
            sums[0]
        };
        // Alternating, so that a change of the machine's clock touches both.
        let (mut own, mut other) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..5 {
            own = own.min(time(many));
            other = other.min(time(&mut plain));
        }
        let per_state = 1e6 / STATES as f64;
        println!(
            "{name:<20} {:>12.3} {:>14.3} {:>8.2}",
            own * per_state,
            other * per_state,
            own / other
        );
    }
}
