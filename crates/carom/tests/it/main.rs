//! Integration tests.

mod refusal;
