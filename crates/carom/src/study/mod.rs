//! Studies: the same question at many points, and what the answers have in common.
//!
//! A [`Study`] is made of a description and its `[study]`. An [`Evaluator`] gives the variables their values and measures the model:
//! a compiled study changes numbers of one model in place; any other edits the description by path, as `--set` does, and builds the
//! model again. A [`Sweep`] does so at all points and keeps a [`log`] of them.

pub mod chance;
mod checksum;
mod design;
pub mod digest;
pub mod effects;
mod engine;
mod evaluate;
pub mod fit;
mod formula;
pub mod indices;
pub mod log;
mod measure;
pub mod morris;
pub mod optimise;
mod own;
mod paths;
mod physical;
mod plan;
pub mod quantity;
mod ran;
pub mod record;
mod regular;
pub mod robust;
mod rows;
mod sample;
pub mod sensitivity;
mod sobol;
pub mod spread;
mod standing;
pub mod statistics;
mod strike;
mod sweep;
pub mod table;

pub use checksum::{crc32, fnv1a, hashes};
pub use design::Design;
pub use engine::{Block, evaluate};
pub use evaluate::{Evaluator, Lack, PointError, Row};
pub use formula::{Condition, Formula, Names, Needs};
pub use own::{REPORT, refuse_foreign, study_mark};
pub use plan::{Column, Study};
pub use quantity::{QUANTITIES, Quantity};
pub use regular::{check_regular, open_regular, read_regular};
pub use rows::Rows;
pub use sobol::{MOST_DIMENSIONS, Sobol};
pub(crate) use standing::standing;
pub use sweep::{Advance, OpenLog, Sweep, SweepError, Swept, merge};
