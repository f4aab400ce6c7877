//! Any text as a URDF: read or refused, and what is read becomes a model file that is TOML.
#![no_main]

use carom::file::toml::describe;
use carom::robot::{Options, model_file, urdf};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let read = urdf::read(text).and_then(|(robot, notes)| {
        let options = Options { floating: text.len() % 2 == 1, stops: true, ..Options::default() };
        model_file(robot, &options, "robot.urdf", notes)
    });
    match read {
        Ok(model) => assert!(describe(&model).is_ok(), "{model}"),
        Err(faults) => {
            assert!(!faults.is_empty());
            for span in faults.iter().filter_map(|fault| fault.span.as_ref()) {
                assert!(span.start <= span.end && span.end <= text.len());
            }
        }
    }
});
