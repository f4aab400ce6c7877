//! Hooke: F = K δ.
//!
//! Source: Moreira et al. eq. 1. Symbols: K \[N/m\], δ \[m\]. Sign: F > 0 pushes apart. Range: K > 0; n is 1. No loss: the
//! restitution is 1. Choose it where a stiffness was measured or computed as a slope, or for flat faces (n = 1).

use super::{Bounds, Entry, Form, Parameter, Parting};

/// Its line in the catalogue.
pub const ENTRY: Entry = Entry {
    name: "hooke",
    form: Form::Elastic,
    formula: "F = K δ",
    source: "Hooke; Moreira et al. eq. 1",
    parameters: Parameter::ELASTIC,
    restitution: None,
    exponent: Some((Bounds::only(1.0, "1: the law is linear"), 1.0)),
    parting: Parting::ZeroForce,
    choose: "a measured linear stiffness or flat faces, and no loss",
};
