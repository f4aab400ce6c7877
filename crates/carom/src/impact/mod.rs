//! What an impact at a contact would meet (effective and apparent mass, T_c, projectors, gradients), and what it does: impact
//! laws, velocities after, and their audit.

mod assessment;
mod audit;
mod cone;
mod effective;
mod gradient;
pub mod laws;
mod load;
mod prediction;
pub mod projector;
mod rivals;
pub mod routes;
mod strike;
mod terms;
mod together;

pub use assessment::{Assessment, AssessmentError, Options, RowAssessment};
pub use audit::Audit;
pub use cone::{Cone, Extremes, PointMobility};
pub use effective::{EffectiveMass, IMMOBILE, MassBeside};
pub use gradient::{BodyGradient, Gradients};
pub use load::{ApparentMasses, Energies, ImpactRows};
pub use prediction::{NamedLaw, Prediction};
pub use rivals::{Rival, Rivals};
pub use strike::{Strike, StrikeError, StrikePoint, StrikeWishes, Struck};
pub use terms::ImpactTerms;
pub use together::{Together, TogetherRow};
