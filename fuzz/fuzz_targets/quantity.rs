//! Any text as a quantity, a list or a direction with units: finite numbers, or a refusal.
#![no_main]

use carom::answer::robot::TipOptions;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for unit in ["kg", "m", "m/s", "N m", "Pa", "kg/m^3", ""] {
        if let Ok(found) = TipOptions::quantities("option", text, unit) {
            assert!(found.iter().all(|x| x.is_finite()), "{text:?} {unit} {found:?}");
        }
        let _ = TipOptions::vector("option", text, unit);
    }
});
