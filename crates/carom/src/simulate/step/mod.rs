//! The integrator: method and tolerances, the variable that steps are taken in, and what makes steps stiff.

pub(in crate::simulate) mod approach;
pub(in crate::simulate) mod clock;
pub(in crate::simulate) mod integrator;
mod restart;
pub(in crate::simulate) mod stiff_friction;
pub(in crate::simulate) mod stiffness;
mod tolerances;

use crate::simulate::locate::switch::Schedule;
use crate::simulate::step::stiffness::Stiffness;
use crate::simulate::trajectory::Trajectory;

/// Step control: with which method, tolerance and clock the next step is taken, and how far it may go.
pub(in crate::simulate) struct Control<'a, 'm> {
    pub path: &'a mut Trajectory<'m>,
    pub stiffness: &'a mut Stiffness,
    pub schedule: &'a Schedule,
}
