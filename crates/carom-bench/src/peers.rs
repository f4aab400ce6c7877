//! The lines that `cargo xtask peers` compares with those of other libraries; their format stands there.

use carom::Machine;
use carom::dynamics::Mechanism;
use carom::kinematics::State;
use carom::machine::ManyOptions;
use carom::model::{Model, Space};

use crate::{mechanisms, runs, time};

/// Joints of the chains.
const SIZES: [usize; 5] = [2, 6, 8, 32, 512];
/// Joints of the arm that is evaluated at many states at once, and how many.
const ARM: usize = 6;
const STATES: usize = 512;

/// m_eff and T_c at a state.
fn evaluate(mechanism: &mut Mechanism<'_>, state: &State) -> Option<[f64; 2]> {
    let at = mechanism.at(state).ok()?;
    let touch = at.touch(0).ok()?;
    let point = &touch.points()[0];
    let load = at.effective_mass(&at.contact_row(0, point, &point.normal));
    Some([load.mass, load.energy])
}

fn chain(model: &Model) -> Option<([f64; 2], f64)> {
    let mut mechanism = Mechanism::new(model);
    let mut state = State::as_written(model);
    let values = evaluate(&mut mechanism, &state)?;
    let seconds = time(|| {
        state.v[0] += 1e-9;
        evaluate(&mut mechanism, &state).map_or(f64::NAN, |[mass, energy]| mass + energy)
    });
    Some((values, seconds))
}

/// The arm at the same state many times: the first one's values, and the time of one state.
fn batch() -> Option<([f64; 2], f64)> {
    let machine = Machine::from_parts(&mechanisms::chain_parts(ARM, Space::Spatial)).ok()?;
    let contact = machine.contact("strike").ok()?;
    let (mut q, mut v) = (Vec::new(), Vec::new());
    for k in 0..STATES {
        q.extend(machine.state().q.iter());
        v.extend(machine.state().v.iter().map(|x| x + 1e-9 * k as f64));
    }
    let many = || machine.assess_many(contact, &q, &v, ManyOptions { threads: 1 });
    let first = many().ok()?;
    let seconds = time(|| many().map_or(f64::NAN, |out| out.effective_mass[0]));
    // T_c of a contact that opens is zero in the columns; the peers give ½ m_eff u² whatever the sign of u.
    let energy = 0.5 * first.effective_mass[0] * first.contact_velocity[0].powi(2);
    Some(([first.effective_mass[0], energy], seconds / STATES as f64))
}

/// Prints all lines.
pub fn print() -> Result<(), String> {
    for n in SIZES {
        let model = mechanisms::chain(n, Space::Spatial).ok_or("no chain")?;
        let ([mass, energy], seconds) = chain(&model).ok_or("the chain has no answer")?;
        println!("chain {n} {mass:e} {energy:e} {seconds:e}");
    }
    let ([mass, energy], seconds) = batch().ok_or("the arm has no answer")?;
    println!("batch {ARM} {mass:e} {energy:e} {seconds:e}");
    let (model, state) = runs::model()?;
    for tolerance in [1e-9, 1e-12] {
        let scenario = runs::scenario(&model, &state, tolerance)?;
        let run = || runs::impact(&model, &state, &scenario);
        let out = run()?;
        let first = out.impacts.first().ok_or("no impact")?;
        let seconds = time(|| run().map_or(f64::NAN, |out| out.drift));
        let peak = first.peak_force.unwrap_or(f64::NAN);
        let duration = first.duration().unwrap_or(f64::NAN);
        let speed = first.separation_speed.unwrap_or(f64::NAN);
        println!("impact {tolerance:e} {peak:e} {duration:e} {speed:e} {seconds:e}");
    }
    Ok(())
}
