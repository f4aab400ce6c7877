//! Where every body is and how it moves, at one state.

mod frames;
mod state;

pub use frames::{Frames, Link};
pub use state::State;
