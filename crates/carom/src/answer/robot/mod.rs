//! Robots: how heavy the tip is in every direction, and how fast it may move near a person.
//!
//! The tip is a body or a marker of a body. All that holds for contacts holds for it: m_eff along n is 1 / (nᵀ Λ⁻¹ n) with the
//! operational-space inertia Λ⁻¹ = J Y Jᵀ (Khatib 1987; Y is M⁻¹ where there are no closures).

mod arm;
mod limits;
mod near;
mod options;
mod path;
mod path_text;
mod push;
mod skin;
mod tip;
mod workspace;

pub use limits::Limits;
pub use near::{NearAnswer, RegionAnswer};
pub use options::{NearOptions, RobotMass, TipOptions};
pub use path::PathAnswer;
pub use skin::SkinAnswer;
pub use tip::{DirectionMass, TipAnswer};
pub use workspace::WorkspaceAnswer;

pub(crate) use arm::Arm;
pub(crate) use options::positions;
