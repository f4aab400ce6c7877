//! Integration tests.

mod layering;
