//! Any text as an expression: read or refused with a place within it, and what is read has a value or a reason why not.
#![no_main]

use carom::maths::expression::{Binding, Expression, Scope};
use carom::maths::units::Measure;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for scope in [Scope::Constant, Scope::Time, Scope::Motion] {
        if let Ok(expression) = Expression::parse(text, scope) {
            let value = |name: &str| Ok(Binding::Constant(name.len() as f64, Measure::Unknown));
            let _ = expression.resolve(value);
            assert!(expression.names().all(|name| !name.is_empty()));
        }
    }
});
