//! **How hard does your mechanism hit?**
//!
//! carom computes, for any planar or spatial multibody system with joints and closed loops, how
//! heavy a contact feels (effective and apparent mass) and how much energy an impact can use (T_c).
//!
//! [`Machine`] is the front door: it opens a model file, and assesses, strikes and runs it. What it answers stands in [`answer`].
//!
//! The layers behind it stand in the order of the data flow, and a layer uses only layers before it: maths → model → kinematics →
//! dynamics → contact → impact → simulate → study → report → robot → file → answer → machine.
#![allow(
    non_snake_case,
    reason = "matrices carry the capital letters of the papers: M, D, A, W, Y"
)]
#![cfg_attr(
    not(feature = "internals"),
    allow(
        dead_code,
        unused_imports,
        reason = "the readable twins of the fast routes are used by tests alone, through the feature internals, with which both lints are on"
    )
)]

// The layers, in the order of the data flow. They are private; tests and benches reach them by the feature `internals`.
#[cfg(not(feature = "internals"))]
mod maths;
#[cfg(feature = "internals")]
pub mod maths;

#[cfg(not(feature = "internals"))]
mod model;
#[cfg(feature = "internals")]
pub mod model;

#[cfg(not(feature = "internals"))]
mod kinematics;
#[cfg(feature = "internals")]
pub mod kinematics;

#[cfg(not(feature = "internals"))]
mod dynamics;
#[cfg(feature = "internals")]
pub mod dynamics;

#[cfg(not(feature = "internals"))]
mod contact;
#[cfg(feature = "internals")]
pub mod contact;

#[cfg(not(feature = "internals"))]
mod impact;
#[cfg(feature = "internals")]
pub mod impact;

#[cfg(not(feature = "internals"))]
mod simulate;
#[cfg(feature = "internals")]
pub mod simulate;

#[cfg(not(feature = "internals"))]
mod study;
#[cfg(feature = "internals")]
pub mod study;

pub mod report;

#[cfg(not(feature = "internals"))]
mod robot;
#[cfg(feature = "internals")]
pub mod robot;

#[cfg(not(feature = "internals"))]
mod file;
#[cfg(feature = "internals")]
pub mod file;

pub mod answer;

#[cfg(not(feature = "internals"))]
mod machine;
#[cfg(feature = "internals")]
pub mod machine;

pub use answer::{Caution, CautionCode, ImpactOptions, RunOptions, Severity};
pub use kinematics::State;
pub use machine::{
    AssessColumns, AssessCore, AssessOptions, By, ContactId, EventId, FaultPlace, JointId, Machine,
    MachineError, ManyOptions, Matrix, PlannedRun, PointId, RowColumns, Runs, Slope, StudyLog,
    StudyRecords, SweepColumns,
};
pub use model::{BodyId, ContactTreatment, Model};
pub use robot::Options as Import;
pub use simulate::Progress;
pub use study::Study;

/// A machine written down by a program instead of a file: fill [`parts::Parts`] and hand it to [`Machine::from_parts`].
pub mod parts {
    pub use crate::maths::expression::{Expression, Scope, Tape};
    pub use crate::maths::{Mat3, Pose, Vec3};
    pub use crate::model::parts::{
        BodyPart, ClosureKind, ClosurePart, ContactPart, ContactPlace, DrivePart, InitialPart,
        JointPart, LoadKind, LoadPart, MarkerPart, Parts, PointPart, ShapePart,
    };
    pub use crate::model::{
        Consequence, ContactDefaults, ContactMaterials, Crossing, Fault, Friction, FrictionKind,
        FrictionParameters, Initial, JointFriction, JointKind, LawParameters, Material,
        ParallelCylinders, Parting, Problem, ShapeKind, Side, SimulationDefaults, Space, StartRule,
        UserEvent,
    };
}

/// The README's Rust blocks are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// So are those of the book.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/book/src/library.md")]
struct Book;
