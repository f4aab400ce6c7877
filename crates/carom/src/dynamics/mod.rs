//! From a state to forces and motions: constraint rows, mobility, accelerations, energy.

mod assembly;
pub mod body_space;
mod couplings;
pub mod dense;
mod energy;
mod error;
mod factor;
mod forces;
mod lanes;
mod layout;
mod loads;
mod mechanism;
pub mod planar;
mod projection;
mod reaction;
pub mod report;
mod row;
mod row_factors;
mod row_roots;
mod singular;
mod solve;
mod state_check;
mod work;

pub use assembly::{Assembled, Assembler, ClosureTest, assemble, close_loops};
pub use error::DynamicsError;
pub use factor::Factor;
pub use forces::{Accelerations, Forward, Terms};
pub use lanes::{Between, LaneRow, Lanes, WIDTH as LANES};
pub use layout::Layout;
pub use mechanism::{Mechanism, Memory, Posture};
pub use projection::Projection;
pub use reaction::Transmitted;
pub use row::{RowWrench, force_variation};
pub use singular::{Beside, Singularity};
pub use solve::{Excitation, Scratch, Solution};
pub use work::{Refinement, RowWork};
