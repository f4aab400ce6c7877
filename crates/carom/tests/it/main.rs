//! Integration tests: one binary, one module per side from which an answer is compared.
#![allow(non_snake_case, reason = "matrices carry the capital letters of the papers")]
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a helper that fails fails its test, and seeds are small numbers"
)]

mod allocation;
mod analytic;
mod gradient;
mod invariant;
mod layering;
mod limit;
mod published;
mod random_mechanism;
mod refusal;
mod residual;
mod twin;
mod workshop;
