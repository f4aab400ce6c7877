//! Motion over time: every onset, peak, parting and release located, contact by force law or by impulse.

mod motion;
mod spot;
mod staying;

pub use motion::MotionError;
pub use spot::{Observation, Spot, Status};
