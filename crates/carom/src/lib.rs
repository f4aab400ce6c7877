//! **How hard does your mechanism hit?**
//!
//! carom computes, for any planar or spatial multibody system with joints and closed loops, how
//! heavy a contact feels (effective and apparent mass) and how much energy an impact can use (T_c).
//!
//! The modules stand in the order of the data flow; a module uses only modules above it:
//! [`maths`] → [`model`] → [`kinematics`] → [`dynamics`] → [`contact`] → [`impact`] → [`simulate`] → [`study`] →
//! [`report`] → [`mod@file`] → [`answer`] → [`machine`].
#![allow(
    non_snake_case,
    reason = "matrices carry the capital letters of the papers: M, D, A, W, Y"
)]

pub mod maths;

pub mod model;

pub mod kinematics;

pub mod dynamics;

pub mod contact;

pub mod impact;

pub mod simulate;

pub mod study;

pub mod report;

pub mod file;

pub mod answer;

pub mod machine;

pub use machine::{Machine, MachineError};

/// The README's Rust blocks are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// So are those of the book.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/book/src/library.md")]
struct Book;
