//! What an impact at a contact would meet (effective and apparent mass, T_c, projectors, gradients), and what it does: impact
//! laws, velocities after, and their audit.

mod assessment;
mod audit;
mod cone;
mod driven;
mod effective;
mod gradient;
pub mod laws;
mod load;
mod lone;
mod prediction;
pub mod projector;
mod rivals;
pub mod routes;
mod rows;
mod separate;
mod strike;
mod terms;
mod together;

pub(crate) use assessment::elastic_peak;
pub use assessment::{Assessment, AssessmentError, Options, RowAssessment};
pub use audit::Audit;
pub use cone::{Cone, Extremes, PointMobility};
pub(crate) use driven::{cannot_separate, drives_behind};
pub use effective::{EffectiveMass, MassBeside};
pub use gradient::{BodyGradient, Gradients};
pub use load::{ApparentMasses, Energies, ImpactRows};
pub(crate) use load::{check_count, zero_eigenvalue};
pub use lone::LoneRow;
pub use prediction::{NamedLaw, Prediction};
pub use rivals::{Rival, Rivals, Subsystems};
pub(crate) use rows::{Part, TouchingRow};
pub(crate) use separate::{Reach, strike_out};
pub use strike::{Strike, StrikeError, StrikePoint, StrikeWishes, Struck};
pub use terms::ImpactTerms;
pub use together::{Together, TogetherRow};
