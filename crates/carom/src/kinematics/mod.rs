//! Where every body is and how it moves, at one state.

mod frames;
mod placing;
mod state;

pub use frames::Frames;
pub use placing::Link;
pub(crate) use placing::{Hinge, ground_link, place};
pub use state::State;
