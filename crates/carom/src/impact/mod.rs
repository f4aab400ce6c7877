//! What an impact at a contact would meet: effective and apparent mass, T_c, projectors, gradients.

mod assessment;
mod cone;
mod effective;
mod gradient;
pub mod laws;
mod load;
mod prediction;
pub mod projector;
mod rivals;
pub mod routes;
mod terms;
mod together;

pub use assessment::{Assessment, AssessmentError, Options, RowAssessment};
pub use cone::{Cone, Extremes, PointMobility};
pub use effective::{EffectiveMass, IMMOBILE};
pub use gradient::{BodyGradient, Gradients};
pub use load::{ApparentMasses, Energies, ImpactRows};
pub use prediction::{NamedLaw, Prediction};
pub use rivals::{Rival, Rivals};
pub use terms::ImpactTerms;
pub use together::{Together, TogetherRow};
