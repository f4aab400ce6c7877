//! What each verb answers, as data: plain structs that serialise to the JSON of the command, with the cautions inside.
//!
//! Text, CSV and HTML are views of these structs; nothing is computed in a view. Numbers are in SI units; [`units`] says which. JSON has
//! no ∞: it becomes `null`, and a sibling field says why.

mod assess;
mod balance;
mod body;
mod caution;
mod check;
mod contact;
mod error;
pub mod fit;
mod gradients;
mod head;
mod impact;
pub(crate) mod judge;
pub mod laws;
mod readable;
pub mod robot;
mod row;
mod run;
mod schema;
mod sentence;
pub(crate) mod singular;
mod strike;
mod struck;
pub mod study;
pub mod units;

pub use assess::{
    AssessAnswer, ContactAnswer, EnergiesAnswer, ProjectorsAnswer, TogetherAnswer,
    TogetherRowAnswer,
};
pub use balance::ReactionAnswer;
pub use body::BodyVelocity;
pub(crate) use caution::grouped;
pub use caution::{Caution, CautionCode, Severity};
pub use check::{
    AssemblyAnswer, BodyAnswer, Changed, CheckAnswer, CheckedContact, ClosureAnswer, DriveAnswer,
    DrivenBy, JointAnswer, LoadAnswer, MotionAnswer, PointAnswer, ShapeAnswer,
};
pub use contact::{
    LawAnswer, MaterialAnswer, OutcomeAnswer, PredictionAnswer, Sides, StiffnessAnswer,
};
pub use error::AnswerError;
pub use gradients::{
    BodyGradientAnswer, CoordinateGradient, GradientsAnswer, InertialGradient, ParameterGradient,
    RotorGradient,
};
pub use head::{Constraints, Head, StateAnswer};
pub use impact::{FrictionAnswer, ImpactAnswer, ImpactOptions, LawImpact, StrikePointAnswer};
pub use row::{
    ApparentAnswer, AreaAnswer, BesideAnswer, ConeAnswer, ExtremesAnswer, MassAnswer, RivalAnswer,
    RivalsAnswer, RoutesAnswer, RowAnswer, RowKind, SideAnswer, TermsAnswer,
};
pub use run::{
    CheckpointError, Column, Comparison, ContactColumns, Energies, JointLoad, PointImpact, Ran,
    RunAnswer, RunColumns, RunCounts, RunError, RunEvent, RunGap, RunImpact, RunLedger, RunOptions,
    RunResult, RunStay, Spread,
};
pub use schema::{VERBS, model_schema, schema};
pub use struck::{ClosureImpulse, DriveImpulse, JointImpulse, StruckAnswer, UniquenessAnswer};

pub use crate::contact::impact1d::Factors;
pub use crate::contact::{Approach, Standing};
pub use crate::impact::Audit;
pub use crate::impact::laws::{ImpactFriction, Removal};
pub use crate::model::ContactUnits;

use crate::maths::Vec3;
use nalgebra::DMatrix;

/// Numbers as people read them: significant digits, prefixes of units, percentages.
pub mod digits {
    pub use crate::maths::digits::{clean, percent, prefix, prefixed, six, ten, three};
}

/// The version that every answer states.
pub(crate) fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// The components of a vector.
pub(crate) fn components(x: &Vec3) -> [f64; 3] {
    [x.x, x.y, x.z]
}

/// The rows of a matrix.
pub(crate) fn rows(matrix: &DMatrix<f64>) -> Vec<Vec<f64>> {
    matrix.row_iter().map(|row| row.iter().copied().collect()).collect()
}

/// An answer as JSON with a line end: objects over several lines, arrays of numbers on one. Numbers that are not finite become `null`.
pub fn json<T: serde::Serialize>(answer: &T) -> Result<String, serde_json::Error> {
    readable::text(answer)
}
