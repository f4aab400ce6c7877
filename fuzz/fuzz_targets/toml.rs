//! Any text as a model file: a model, or faults within the text.
#![no_main]

use carom::file::{LoadError, parse};
use libfuzzer_sys::fuzz_target;

/// Longer texts only take longer.
const LONGEST: usize = 4000;

fuzz_target!(|text: &str| {
    if text.len() > LONGEST {
        return;
    }
    match parse("model.toml", text, &[]) {
        Ok(loaded) => assert!(loaded.model.nv >= loaded.model.bodies.iter().filter(|b| b.joint.kind.velocities() > 0).count()),
        Err(LoadError::Syntax { faults, .. }) => {
            for span in faults.iter().filter_map(|fault| fault.span.as_ref()) {
                assert!(span.start <= span.end && span.end <= text.len());
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
