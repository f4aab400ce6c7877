//! A run that was stopped and gone on with has the bits of one that never stopped.

use carom::dynamics::Mechanism;
use carom::file::{Opened, open_text};
use carom::model::ContactTreatment;
use carom::simulate::{
    Outcome, Scenario, SimulateError, Status, Stopped, Wishes, resume, simulate, simulate_with,
};

fn opened(name: &str, sets: &[(&str, &str)]) -> Opened {
    let path = format!("{}/../../models/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let sets: Vec<_> = sets.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    open_text(name, &text, &sets).unwrap()
}

fn scenario(machine: &Opened, wishes: &Wishes) -> Scenario {
    let mut mechanism = Mechanism::new(machine.model());
    Scenario::new(&mechanism.at(&machine.assembled.state).unwrap(), wishes).unwrap()
}

/// Everything that is written down, and the counts.
fn assert_same(a: &Outcome, b: &Outcome) {
    assert_eq!(a.state, b.state);
    assert_eq!(a.impacts, b.impacts);
    assert_eq!(a.events, b.events);
    assert_eq!(a.samples, b.samples);
    assert_eq!(a.contacts, b.contacts);
    assert_eq!((a.drift, a.closure_gap, a.counts), (b.drift, b.closure_gap, b.counts));
    assert_eq!(a.checkpoint, b.checkpoint);
    assert!(a == b, "blows, stays, creep and what else is recorded");
}

/// Stops a run after so many steps, writes it down as JSON, reads it and goes on; stops in all.
fn broken_every(machine: &Opened, plan: &Scenario, steps: usize) -> (Outcome, usize) {
    let mut last = 0;
    let mut stops = 0;
    let start = &machine.assembled.state;
    let mut out = simulate_with(machine.model(), start, plan, &mut |p| p.steps < steps);
    while let Err(Stopped { reason: SimulateError::Interrupted { t }, outcome }) = out {
        let reached = *outcome.unwrap();
        assert!(reached.counts.steps > last && reached.state.t == t);
        last = reached.counts.steps;
        stops += 1;
        let text = serde_json::to_string(&reached).unwrap();
        let reached: Outcome = serde_json::from_str(&text).unwrap();
        out = resume(machine.model(), plan, reached, &mut |p| p.steps < last + steps);
    }
    (out.unwrap(), stops)
}

#[test]
fn two_pendulums_stopped_anywhere_have_the_same_bits() {
    let machine = opened("000/two-pendulums.toml", &[]);
    for treatment in ContactTreatment::ALL {
        let plan = scenario(&machine, &Wishes { treatment: Some(treatment), ..Wishes::default() });
        let whole = simulate(machine.model(), &machine.assembled.state, &plan).unwrap();
        assert!(whole.impacts.len() == 3);
        let (parts, stops) = broken_every(&machine, &plan, 7);
        assert!(stops > 5);
        assert_same(&parts, &whole);
    }
}

#[test]
fn a_ball_that_settles_has_the_same_bits_with_the_implicit_method() {
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n\
        [bodies.ball]\nmass = 1\ninertia = 0.1\ncontact.skin = { sphere = 0.1 }\n\
        [ground]\ncontact.floor = { plane = [0, 1] }\n\
        [joints.free]\ntype = \"floating\"\nconnects = [\"ground\", \"ball\"]\nposition = [0, 0.15, 0]\n\
        [contacts.drop]\nbetween = [\"ball.skin\", \"ground.floor\"]\n\
        law = \"hunt-crossley\"\nrestitution = 0.3\nstiffness = \"1e6 N/m^1.5\"\n\
        [simulation]\nduration = 3\n";
    let machine = open_text("ball.toml", text, &[]).unwrap();
    let plan = scenario(&machine, &Wishes::default());
    let whole = simulate(machine.model(), &machine.assembled.state, &plan).unwrap();
    let end = whole.checkpoint.as_ref().unwrap();
    assert!(end.memory.implicit.is_some() && matches!(end.spots[0].1, Status::Touching(_)));
    for steps in [1, 10] {
        let (parts, _) = broken_every(&machine, &plan, steps);
        assert_same(&parts, &whole);
    }
}

#[test]
fn a_closed_loop_has_the_same_bits() {
    let machine = opened("four-bar.toml", &[("gravity", "[0, -9.81]")]);
    let mut bare = machine;
    bare.loaded.model.contacts.clear();
    let plan = scenario(&bare, &Wishes { until: Some(0.5), ..Wishes::default() });
    let whole = simulate(bare.model(), &bare.assembled.state, &plan).unwrap();
    let (parts, stops) = broken_every(&bare, &plan, 3);
    assert!(stops > 2);
    assert_same(&parts, &whole);
}

#[test]
fn what_does_not_fit_is_refused() {
    let machine = opened("000/two-pendulums.toml", &[]);
    let plan = scenario(&machine, &Wishes::default());
    let stopped = || {
        let start = &machine.assembled.state;
        let stopped = simulate_with(machine.model(), start, &plan, &mut |p| p.t < 2.0);
        *stopped.unwrap_err().outcome.unwrap()
    };
    let refused = |plan: &Scenario, out: Outcome| {
        let error = resume(machine.model(), plan, out, &mut |_| true).unwrap_err().reason;
        assert!(matches!(error, SimulateError::Checkpoint { .. }));
        error.to_string()
    };
    let short = scenario(&machine, &Wishes { until: Some(1.0), ..Wishes::default() });
    assert!(refused(&short, stopped()).contains("as far as is asked for"));
    let without = Outcome { checkpoint: None, ..stopped() };
    assert!(refused(&plan, without).contains("left no state"));
    let without = Outcome { impacts: Vec::new(), ..stopped() };
    let touching = without.checkpoint.as_ref().unwrap().current[0].is_some();
    assert!(!touching, "the first impact is over at 2 s");
    let mut odd = stopped();
    odd.checkpoint.as_mut().unwrap().memory.y.pop();
    assert!(refused(&plan, odd).contains("entries"));
    // A longer run is the same motion, in other steps.
    let long = scenario(&machine, &Wishes { until: Some(9.0), ..Wishes::default() });
    let out = resume(machine.model(), &long, stopped(), &mut |_| true).unwrap();
    assert_eq!(out.state.t, 9.0);
    assert_eq!(out.samples.last().unwrap().state.t, 9.0);
}

#[test]
fn bristles_and_dwell_are_remembered() {
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n\
        [bodies.ball]\nmass = 1\ninertia = 0.1\ncontact.skin = { sphere = 0.1 }\n\
        [ground]\ncontact.floor = { plane = [0, 1] }\n\
        [joints.free]\ntype = \"floating\"\nconnects = [\"ground\", \"ball\"]\n\
        position = [0, 0.15, 0]\nvelocity = [1, 0, 0]\n\
        [contacts.drop]\nbetween = [\"ball.skin\", \"ground.floor\"]\n\
        law = \"hunt-crossley\"\nrestitution = 0.3\nstiffness = \"1e6 N/m^1.5\"\n\
        friction = { type = \"lugre\", kinetic = 0.3, static = 0.4, speed = 0.01, stiffness = 1e4, damping = 10 }\n\
        [simulation]\nduration = 0.5\n";
    let machine = open_text("ball.toml", text, &[]).unwrap();
    let plan = scenario(&machine, &Wishes::default());
    let whole = simulate(machine.model(), &machine.assembled.state, &plan).unwrap();
    assert!(whole.samples.last().unwrap().ledger.friction_loss > 0.0);
    let (parts, stops) = broken_every(&machine, &plan, 5);
    assert!(stops > 5);
    assert_same(&parts, &whole);
}

#[test]
fn a_run_that_has_used_up_its_steps_goes_on_with_the_same_bits() {
    let machine = opened("000/two-pendulums.toml", &[]);
    let mut plan = scenario(&machine, &Wishes::default());
    let whole = simulate(machine.model(), &machine.assembled.state, &plan).unwrap();
    plan.budget.steps = 9;
    let mut out = simulate(machine.model(), &machine.assembled.state, &plan);
    let mut stops = 0;
    while let Err(Stopped { reason: SimulateError::Budget { t, what, .. }, outcome }) = out {
        stops += 1;
        let reached = *outcome.unwrap();
        assert_eq!((reached.counts.steps, reached.state.t), (9 * stops, t));
        assert_eq!(what, "9 steps");
        out = resume(machine.model(), &plan, reached, &mut |_| true);
    }
    assert!(stops > 5);
    assert_same(&out.unwrap(), &whole);
}

/// Why a ball that rolls on a floor under a force law, with a load, has used up 20 steps.
fn cause_of(load: &str, friction: &str) -> String {
    let text = format!(
        "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n\
        [bodies.ball]\nmass = 1\ninertia = 0.1\ncontact.skin = {{ sphere = 0.1 }}\n\
        [ground]\ncontact.floor = {{ plane = [0, 1] }}\n\
        [joints.free]\ntype = \"floating\"\nconnects = [\"ground\", \"ball\"]\nposition = [0, 0.1, 0]\nvelocity = [1e-5, 0, 0]\n\
        [contacts.road]\nbetween = [\"ground.floor\", \"ball.skin\"]\nstiffness = 1e6\nexponent = 1\nlaw = \"hunt-crossley\"\n\
        restitution = 0.5\nfriction = {friction}\n{load}\n\
        [simulation]\nduration = 1\n"
    );
    let machine = open_text("block", &text, &[]).unwrap();
    let mut plan = scenario(&machine, &Wishes::default());
    plan.budget.steps = 20;
    let Err(Stopped { reason: SimulateError::Budget { cause, .. }, .. }) =
        simulate(machine.model(), &machine.assembled.state, &plan)
    else {
        panic!("it came to its end");
    };
    cause
}

#[test]
fn a_run_that_crawls_names_the_contact_or_the_load() {
    let sharp = "{ type = \"coulomb\", kinetic = 0.5, band = 1e-6 }";
    let friction = cause_of("", sharp);
    assert!(friction.contains("the friction of contacts.road"), "{friction}");
    assert!(cause_of("", "0").contains("under contacts.road"));
    let load = "[loads.brake]\ntype = \"force\"\nbody = \"ball\"\nforce = [\"-1e9 * v.free.x\", 0]";
    let damped = cause_of(load, "0");
    assert!(damped.contains("under loads.brake"), "{damped}");
}
