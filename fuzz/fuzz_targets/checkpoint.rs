//! Any text as the checkpoint of a run: refused, or a run that goes on from it ends with an answer or an error.
#![no_main]

use carom::dynamics::Mechanism;
use carom::file::open_text;
use carom::simulate::{Outcome, Scenario, Wishes, resume};
use libfuzzer_sys::fuzz_target;

const BALL: &str = include_str!("../corpus/checkpoint/ball.toml");

fuzz_target!(|text: &str| {
    let Ok(outcome) = serde_json::from_str::<Outcome>(text) else { return };
    let machine = open_text("ball.toml", BALL, &[]).expect("the model is sound");
    let mut mechanism = Mechanism::new(machine.model());
    let at = mechanism.at(&machine.assembled.state).expect("the model is sound");
    let plan = Scenario::new(&at, &Wishes::default()).expect("the model is sound");
    let mut steps = 0;
    let _ = resume(machine.model(), &plan, outcome, &mut |_| {
        steps += 1;
        steps < 20
    });
});
