//! Hertz: F = K δⁿ.
//!
//! Source: Hertz 1882; Nikravesh-Poursina eq. 4, Moreira et al. eq. 2. Symbols: K \[N/mⁿ\], δ \[m\], n without unit. Sign: F > 0 pushes apart.
//! Range: K > 0, n > 0; n = 3/2 is Hertz's theory, other exponents are fits to experiments (Moreira et al., section 2). No loss: the
//! restitution is 1. Choose it for the greatest force that a material and a shape allow: damping mostly lowers it.

use super::{Bounds, Entry, Form, Parameter, Parting};

/// Its line in the catalogue.
pub const ENTRY: Entry = Entry {
    name: "hertz",
    form: Form::Elastic,
    formula: "F = K δⁿ",
    source: "Hertz 1882; Moreira et al. eq. 2",
    parameters: Parameter::ELASTIC,
    restitution: None,
    exponent: Some((Bounds::ANY_EXPONENT, 1.5)),
    parting: Parting::ZeroForce,
    choose: "round bodies without loss: the elastic peak that other laws are compared with",
};
