//! Cautions: everything a user must know to trust an answer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much a caution matters.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The answer holds; this explains it.
    Note,
    /// The answer may not be what is meant.
    Warning,
    /// The answer must not be used.
    Error,
}

impl Severity {
    /// The word before a message.
    pub fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// What a caution is about. Its place in the list is its bit in a column of codes.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum CautionCode {
    /// The model file says something that may not be meant.
    ModelFile,
    /// Assembly changed a position that the file states.
    PositionChanged,
    /// Assembly changed a velocity that the file states.
    VelocityChanged,
    /// Assembly turned an axis round.
    AxesOpposed,
    /// Assembly started from another pose than the stated one.
    OtherStart,
    /// A position is not closed: the loops of this state are open.
    ClosureOpen,
    /// A freedom without inertia is held.
    NoInertia,
    /// Closure rows depend on each other in every pose near this one.
    Redundant,
    /// The closures lose rank in this pose only.
    Singular,
    /// The pose does not decide the rank of the closures within round-off.
    RankUndecided,
    /// The closures are ill-conditioned.
    IllConditioned,
    /// Reactions or reaction impulses are not unique.
    ReactionsNotUnique,
    /// Shapes penetrate.
    Penetration,
    /// The contact is open: its numbers are those it would have if it touched here.
    OpenContact,
    /// A drive closes the contact and nothing can give way: T_c is unbounded.
    Unbounded,
    /// The law does not take a parameter that the file states.
    ParameterUnused,
    /// The law lacks a parameter.
    ParameterMissing,
    /// The law returns more energy than it takes.
    LawCreatesEnergy,
    /// The contact area is not small against the radii: Hertz's theory does not hold.
    LargeContact,
    /// A contact that is not closed is taken as touching.
    TakenAsTouching,
    /// An impact takes the kinetic coefficient of a friction law.
    FrictionSimplified,
    /// A drive moves and friction acts: T_c includes slip that no impulse changes.
    DrivenSlip,
    /// An impact law creates energy.
    ImpactCreatesEnergy,
    /// Painlevé's paradox: a normal impulse draws sliding bodies together.
    Painleve,
    /// Friction wedges the mechanism.
    Wedged,
    /// Friction at several contacts is judged at the end of the impact.
    FrictionAtEnd,
    /// The momentum test and the impulses choose different contacts.
    SetsDiffer,
    /// Impulses are not unique.
    ImpulsesNotUnique,
    /// Velocities after the impact are not unique.
    VelocitiesNotUnique,
    /// A contact was struck again in one sequence.
    StruckAgain,
    /// Two contacts closed equally fast and the first was taken.
    OrderArbitrary,
    /// Impacts of a sequence accumulate.
    Accumulates,
    /// The removal of contacts left none.
    RemovalFailed,
    /// An impact law refuses.
    LawRefuses,
    /// An impact lasts so long that m_eff and T_c of its onset mislead.
    NotShort,
    /// The energy ledger does not balance as well as the tolerance asks.
    EnergyDrift,
    /// A contact creeps within the band of its friction law.
    Creep,
    /// Nothing touched during the run.
    NoImpact,
    /// The run ended before its time.
    Stopped,
    /// An inertia is larger than the size of its body allows.
    InertiaDoubtful,
    /// `run` would refuse this file.
    CannotRun,
    /// A state among many has no answer: its numbers are NaN.
    NotEvaluated,
    /// Points of a study are missing.
    PointsMissing,
    /// Points of a study have an error.
    PointsFailed,
    /// The log of a study had damaged records, which were computed again.
    LogDamaged,
    /// A measure of a study is unbounded at some points.
    MeasureUnbounded,
    /// No point of a search keeps all constraints.
    ConstraintsBroken,
    /// No joint has a rotor: the inertia of the motors is missing in m_eff.
    MotorsNotCounted,
    /// Limits that nobody has compared with their document.
    LimitsNotConfirmed,
    /// No mass of a body region: a contact in which the person can give way has no answer.
    BodyMassMissing,
    /// The static push of the joints exceeds a limit, or is unknown.
    StaticPush,
    /// The contact area is larger than the one that the pressure form holds for.
    LargeArea,
    /// An answer is an estimate for design; acceptance needs a measurement.
    DesignEstimate,
    /// How a robot's file was read, and what it does not state.
    RobotImport,
    /// So near to a dead centre the pose does not decide whether the contact strikes.
    DeadCentre,
    /// The file does not choose a law, or between force laws and impulses: which one was taken.
    DefaultTaken,
    /// The best design of a search lies at an edge: of contact, of a law, of a bound, of a constraint.
    OptimumAtEdge,
    /// A search was stopped before its end.
    SearchStopped,
    /// A distribution is truncated where the model refuses what lies beyond.
    DistributionTruncated,
}

impl CautionCode {
    /// All codes, in the order of their bits.
    pub const ALL: [Self; 59] = [
        Self::ModelFile,
        Self::PositionChanged,
        Self::VelocityChanged,
        Self::AxesOpposed,
        Self::OtherStart,
        Self::ClosureOpen,
        Self::NoInertia,
        Self::Redundant,
        Self::Singular,
        Self::RankUndecided,
        Self::IllConditioned,
        Self::ReactionsNotUnique,
        Self::Penetration,
        Self::OpenContact,
        Self::Unbounded,
        Self::ParameterUnused,
        Self::ParameterMissing,
        Self::LawCreatesEnergy,
        Self::LargeContact,
        Self::TakenAsTouching,
        Self::FrictionSimplified,
        Self::DrivenSlip,
        Self::ImpactCreatesEnergy,
        Self::Painleve,
        Self::Wedged,
        Self::FrictionAtEnd,
        Self::SetsDiffer,
        Self::ImpulsesNotUnique,
        Self::VelocitiesNotUnique,
        Self::StruckAgain,
        Self::OrderArbitrary,
        Self::Accumulates,
        Self::RemovalFailed,
        Self::LawRefuses,
        Self::NotShort,
        Self::EnergyDrift,
        Self::Creep,
        Self::NoImpact,
        Self::Stopped,
        Self::InertiaDoubtful,
        Self::CannotRun,
        Self::NotEvaluated,
        Self::PointsMissing,
        Self::PointsFailed,
        Self::LogDamaged,
        Self::MeasureUnbounded,
        Self::ConstraintsBroken,
        Self::MotorsNotCounted,
        Self::LimitsNotConfirmed,
        Self::BodyMassMissing,
        Self::StaticPush,
        Self::LargeArea,
        Self::DesignEstimate,
        Self::RobotImport,
        Self::DeadCentre,
        Self::DefaultTaken,
        Self::OptimumAtEdge,
        Self::SearchStopped,
        Self::DistributionTruncated,
    ];

    /// The codes whose bits are set in an entry of a column.
    pub fn of_bits(bits: u64) -> Vec<Self> {
        Self::ALL.into_iter().filter(|code| bits & code.bit() != 0).collect()
    }

    /// Its name as it stands in JSON: `closure-open`.
    pub fn name(self) -> String {
        let text = format!("{self:?}");
        let mut out = String::new();
        for (k, letter) in text.char_indices() {
            if letter.is_ascii_uppercase() && k > 0 {
                out.push('-');
            }
            out.push(letter.to_ascii_lowercase());
        }
        out
    }

    /// Its bit in a column of codes.
    pub fn bit(self) -> u64 {
        1 << (self as u8)
    }
}

/// Something a user must know to trust the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Caution {
    /// What it is about.
    pub code: CautionCode,
    /// How much it matters.
    pub severity: Severity,
    /// The table of the model file it is about, such as `contacts.hit`; empty if it is about the whole machine.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// The laws it holds for, where an answer compares several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub laws: Vec<String>,
    /// One sentence.
    pub message: String,
}

impl Caution {
    /// A warning.
    pub fn warning(
        code: CautionCode,
        place: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        let (place, message) = (place.into(), message.into());
        Self { code, severity: Severity::Warning, place, laws: Vec::new(), message }
    }

    /// The same as a note.
    pub fn note(code: CautionCode, place: impl Into<String>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Note, ..Self::warning(code, place, message) }
    }

    /// The same as an error.
    pub fn error(code: CautionCode, place: impl Into<String>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, ..Self::warning(code, place, message) }
    }

    /// The same, of one law among several.
    pub fn of_law(mut self, law: &str) -> Self {
        self.laws = vec![law.to_owned()];
        self
    }

    /// One line for people: `warning: contacts.hit: flores, ye: …`.
    pub fn line(&self) -> String {
        let mut out = format!("{}: ", self.severity.word());
        for part in [self.place.clone(), self.laws.join(", ")] {
            if !part.is_empty() {
                out.push_str(&part);
                out.push_str(": ");
            }
        }
        out + &self.message
    }
}

/// Each caution once: those that differ only in their law become one that names all of them.
pub fn grouped(cautions: Vec<Caution>) -> Vec<Caution> {
    let mut out: Vec<Caution> = Vec::with_capacity(cautions.len());
    for caution in cautions {
        let same = out.iter_mut().find(|c| {
            c.code == caution.code && c.place == caution.place && c.message == caution.message
        });
        match same {
            Some(first) => {
                for law in caution.laws {
                    if !first.laws.contains(&law) {
                        first.laws.push(law);
                    }
                }
            }
            None => out.push(caution),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_laws_with_one_caution_are_one_line() {
        let one = |law| {
            Caution::warning(CautionCode::NotShort, "contacts.hit", "it lasts long").of_law(law)
        };
        let all = grouped(vec![one("flores"), one("ye"), one("exact"), one("ye")]);
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].line(), "warning: contacts.hit: flores, ye, exact: it lasts long");
    }

    #[test]
    fn a_code_is_one_bit_of_a_column() {
        assert_eq!(CautionCode::ModelFile.bit(), 1);
        assert!(CautionCode::CannotRun.bit().is_power_of_two());
    }
}
