//! Integration tests: one binary, one module per side from which an answer is compared.
#![allow(non_snake_case, reason = "matrices carry the capital letters of the papers")]

mod gradient;
mod layering;
mod random_mechanism;
mod refusal;
mod twin;
