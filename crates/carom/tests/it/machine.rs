//! The front door: a machine owns its model, state and memory, and refuses what it cannot answer.

use carom::answer::{CautionCode, CheckpointError, ImpactOptions, RunOptions};
use carom::dynamics::Mechanism;
use carom::impact::{Assessment, ImpactRows, Options};
use carom::kinematics::State;
use carom::machine::{ContactId, ManyOptions};
use carom::model::{Model, Parts};
use carom::{AssessOptions, Machine, MachineError, Progress};
use nalgebra::DVector;

use crate::random_mechanism::Random;

/// Round-off of sums over a few dozen bodies.
const ROUND_OFF: f64 = 1e-11;

fn model_file(name: &str) -> String {
    format!("{}/../../models/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn slider_crank() -> Machine {
    Machine::open(model_file("000/slider-crank.toml")).unwrap()
}

/// States near a machine's own: positions are turned on by small steps that do not keep closures.
fn states(machine: &Machine, n: usize, closed: bool) -> (Vec<f64>, Vec<f64>) {
    let mut random = Random(7);
    let (mut q, mut v) = (Vec::new(), Vec::new());
    for _ in 0..n {
        let mut state = machine.state().clone();
        if closed {
            let factor = random.within(-2.0, 2.0);
            state.v *= factor;
        } else {
            let step: Vec<f64> =
                (0..machine.model().nv).map(|_| random.within(-1.0, 1.0)).collect();
            state.advance(machine.model(), &step);
            state.v.iter_mut().for_each(|x| *x = random.within(-2.0, 2.0));
        }
        q.extend(state.q.iter());
        v.extend(state.v.iter());
    }
    (q, v)
}

#[test]
fn a_misspelt_name_answers_with_the_nearest_one() {
    let machine = slider_crank();
    let error = machine.contact("face").unwrap_err().to_string();
    assert_eq!(error, "there is no contact `face`; did you mean `faces`?");
    assert!(machine.joint("pivto").unwrap_err().to_string().contains("`pivot`"));
    assert!(machine.body("crnk").unwrap_err().to_string().contains("`crank`"));
    assert!(machine.event("x").unwrap_err().to_string().contains("no event at all"));
    assert!(machine.point("faces").is_ok());
}

#[test]
fn setting_a_parameter_moves_the_machine_and_a_wrong_one_leaves_it() {
    let mut machine = slider_crank();
    let before = machine.state().clone();
    machine.set("parameters.theta", "40 deg").unwrap();
    assert!((machine.state().q[0] - 40.0_f64.to_radians()).abs() < 1e-15);
    let moved = machine.state().clone();
    assert!(matches!(machine.set("parameters.theta", "40 kg"), Err(MachineError::Open(_))));
    assert_eq!(machine.state(), &moved);
    let copy = machine.with_parameters(&[("theta", "30 deg")]).unwrap();
    assert_eq!(copy.state(), &before);
}

#[test]
fn states_of_the_wrong_length_or_with_open_loops_are_refused() {
    let machine = slider_crank();
    let (q, v) = (machine.state().q.as_slice().to_vec(), machine.state().v.as_slice().to_vec());
    let again = machine.clone().with_state(&q, &v).unwrap();
    assert_eq!(again.state(), machine.state());
    assert!(machine.clone().with_state(&q[1..], &v).is_err());
    let mut open = q.clone();
    open[1] += 1e-3;
    let error = machine.clone().with_state(&open, &v).unwrap_err();
    assert!(matches!(error, MachineError::ClosuresOpen { what: "positions", .. }), "{error}");
    let mut fast = v.clone();
    fast[0] += 1e-3;
    let error = machine.clone().with_state(&q, &fast).unwrap_err();
    assert!(matches!(error, MachineError::ClosuresOpen { what: "velocities", .. }), "{error}");
    let nan = vec![f64::NAN; q.len()];
    assert!(machine.with_state(&nan, &v).is_err());
}

#[test]
fn ids_of_another_machine_and_efforts_of_the_wrong_length_are_refused() {
    let two = Machine::open(model_file("two-supports.toml")).unwrap();
    let last = two.contact_names().len() - 1;
    assert!(last > 0, "the model has several contacts");
    let foreign: ContactId = two.contact(two.contact_names()[last]).unwrap();
    let mut one = slider_crank();
    assert!(matches!(one.jacobian(foreign), Err(MachineError::Foreign { .. })));
    let many = one.assess_many(foreign, &[], &[], ManyOptions::default());
    assert!(matches!(many, Err(MachineError::Foreign { .. })));
    assert!(matches!(one.forward_dynamics(&[1.0]), Err(MachineError::WrongLength { .. })));
    let nv = one.model().nv;
    let effort = vec![f64::NAN; nv];
    assert!(matches!(one.forward_dynamics(&effort), Err(MachineError::NotFinite { .. })));
    let faces = one.contact("faces").unwrap();
    let short = one.assess_many(faces, &[0.0; 3], &[0.0; 4], ManyOptions::default());
    assert!(matches!(short, Err(MachineError::WrongLength { .. })));
    assert!(Machine::from_parts(&Parts::new(carom::model::Space::Planar)).is_ok());
    // An id whose number exists here, of another machine.
    let other = Machine::open(model_file("box-on-plane.toml")).unwrap();
    let first = other.contact(other.contact_names()[0]).unwrap();
    assert!(matches!(one.assess(first), Err(MachineError::Foreign { what: "contact" })));
    let wishes = ImpactOptions::default();
    let struck = one.impact_at(&[first], &wishes);
    assert!(matches!(struck, Err(MachineError::Foreign { what: "contact" })));
    let joint = other.joint(other.joint_names()[0]).unwrap();
    let locked = AssessOptions { locked: vec![joint], ..AssessOptions::default() };
    let locked = one.assess_with(&locked);
    assert!(matches!(locked, Err(MachineError::Foreign { what: "joint" })));
    // A copy, and the machine after an edit, know their own ids.
    assert!(one.clone().jacobian(faces).is_ok());
    one.set("parameters.theta", "40 deg").unwrap();
    assert!(one.jacobian(faces).is_ok());
}

#[test]
fn the_equations_of_motion_hold_with_the_matrices_that_are_handed_out() {
    // Residual of M v̇ + h = τ on a tree, and of the same with Dᵀ λ projected out on a loop.
    let mut arm = Machine::open(model_file("robot-arm.toml")).unwrap();
    let nv = arm.model().nv;
    let effort: Vec<f64> = (0..nv).map(|k| 0.3 * k as f64 - 0.7).collect();
    let M = arm.mass_matrix().unwrap();
    let h = arm.bias().unwrap();
    let v_dot = arm.forward_dynamics(&effort).unwrap();
    let scale = h.iter().chain(&effort).fold(1.0_f64, |s, x| s.max(x.abs()));
    for i in 0..nv {
        let inertial: f64 = (0..nv).map(|j| M.get(i, j).unwrap() * v_dot[j]).sum();
        assert!((inertial + h[i] - effort[i]).abs() < ROUND_OFF * scale, "row {i}");
        for j in 0..nv {
            assert!((M.get(i, j).unwrap() - M.get(j, i).unwrap()).abs() < ROUND_OFF);
        }
    }
    let mut crank = slider_crank();
    let faces = crank.contact("faces").unwrap();
    let A = crank.jacobian(faces).unwrap();
    let u: f64 = A.data.iter().zip(crank.state().v.iter()).map(|(a, v)| a * v).sum();
    // Nikravesh-Poursina example 4 at 30°: the slider's speed.
    assert!((u + 1.447_214_6).abs() < 1e-5, "{u}");
}

#[test]
fn many_states_give_what_one_assessment_gives() {
    for (file, closed) in [
        ("robot-arm.toml", false),
        ("000/slider-crank.toml", true),
        ("box-on-plane.toml", false),
        ("impacts/box-on-edge.toml", false),
        ("002/pantograph.toml", true),
        ("three-crank-parallelogram.toml", true),
    ] {
        let machine = Machine::open(model_file(file)).unwrap();
        let model = machine.model();
        let contact = machine.contact(machine.contact_names()[0]).unwrap();
        let (q, v) = states(&machine, 40, closed);
        let many = machine.assess_many(contact, &q, &v, ManyOptions { threads: 1 }).unwrap();
        let mut mechanism = Mechanism::new(model);
        for k in 0..40 {
            let state = State {
                t: machine.state().t,
                q: DVector::from_column_slice(&q[k * model.nq..(k + 1) * model.nq]),
                v: DVector::from_column_slice(&v[k * model.nv..(k + 1) * model.nv]),
            };
            let at = mechanism.at(&state).unwrap();
            let one = Assessment::new(&at, 0, &Options::default()).unwrap();
            let row = one.rows.iter().filter(|r| r.is_normal).nth(many.point[k] as usize).unwrap();
            assert_eq!(many.effective_mass[k], row.effective.mass, "{file} {k}");
            assert_eq!(many.contact_velocity[k], row.effective.rate, "{file} {k}");
            assert_eq!(many.kinetic_energy[k], at.kinetic_energy(), "{file} {k}");
            let (T_c, found) = (one.energies.closing, many.impact_energy[k]);
            assert!((found - T_c).abs() <= ROUND_OFF * T_c, "{file} {k}: {found} against {T_c}");
            assert_eq!(many.cautions[k], 0, "{file} {k}");
        }
    }
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let machine = Machine::open(model_file("robot-arm.toml")).unwrap();
    let contact = machine.contact(machine.contact_names()[0]).unwrap();
    let (q, v) = states(&machine, 1000, false);
    let of = |threads| machine.assess_many(contact, &q, &v, ManyOptions { threads }).unwrap();
    let one = of(1);
    for threads in [2, 3, 8, 64] {
        assert_eq!(of(threads), one, "{threads} threads");
    }
}

#[test]
fn a_state_among_many_takes_no_memory() {
    for file in ["robot-arm.toml", "000/slider-crank.toml", "box-on-plane.toml"] {
        let machine = Machine::open(model_file(file)).unwrap();
        let contact = machine.contact(machine.contact_names()[0]).unwrap();
        let count = |n| {
            let (q, v) = states(&machine, n, true);
            let options = ManyOptions { threads: 1 };
            allocation_counter::measure(|| {
                machine.assess_many(contact, &q, &v, options).unwrap();
            })
            .count_total
        };
        assert_eq!(count(10), count(1000), "{file}");
    }
}

#[test]
fn states_with_open_loops_are_marked_and_not_assembled() {
    let machine = slider_crank();
    let faces = machine.contact("faces").unwrap();
    let mut q = machine.state().q.as_slice().to_vec();
    q.extend(machine.state().q.iter());
    q.extend(machine.state().q.iter());
    let mut v = machine.state().v.as_slice().to_vec().repeat(3);
    let (nq, nv) = (machine.model().nq, machine.model().nv);
    q[nq + 1] += 1e-6;
    v[2 * nv + 1] = f64::NAN;
    let many = machine.assess_many(faces, &q, &v, ManyOptions::default()).unwrap();
    assert_eq!(many.cautions[0], 0);
    assert_eq!(many.cautions[1], CautionCode::ClosureOpen.bit());
    assert!(many.closure_gap[1] > 1e-7 && many.effective_mass[1].is_finite());
    assert_eq!(many.cautions[2], CautionCode::NotEvaluated.bit());
    assert!(many.effective_mass[2].is_nan() && many.share[2].is_nan());
}

/// The rows of a contact whose points depend on each other share their energy: ½ uᵀ W⁺ u.
#[test]
fn four_corners_have_one_energy() {
    let machine = Machine::open(model_file("box-on-plane.toml")).unwrap();
    let model: &Model = machine.model();
    let mut mechanism = Mechanism::new(model);
    let at = mechanism.at(machine.state()).unwrap();
    let touch = at.touch(0).unwrap();
    let rows: Vec<_> = touch.points().iter().map(|p| at.contact_row(0, p, &p.normal)).collect();
    let expected = ImpactRows::new(&at, &rows).energy();
    let contact = machine.contact(machine.contact_names()[0]).unwrap();
    let (q, v) = (machine.state().q.as_slice(), machine.state().v.as_slice());
    let many = machine.assess_many(contact, q, v, ManyOptions::default()).unwrap();
    let found = many.impact_energy[0];
    assert!((found - expected).abs() <= ROUND_OFF * expected, "{found} against {expected}");
}

#[test]
fn a_run_that_was_stopped_goes_on_from_its_checkpoint() {
    let machine = Machine::open(model_file("000/two-pendulums.toml")).unwrap();
    let options = RunOptions::until(1.0);
    let whole = machine.run(&options).unwrap();
    let plan = || machine.plan_runs(&options).unwrap().remove(0);
    let stop = &mut |progress: &Progress| progress.t == 0.0;
    let stopped = machine.perform(plan(), stop).unwrap();
    assert!(stopped.can_go_on() && stopped.reached().0 < 1.0, "{:?}", stopped.reached());
    let text = machine.checkpoint(&stopped).unwrap().unwrap();
    let path = std::env::temp_dir().join(format!("carom-checkpoint-{}.json", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let mut run = plan();
    let found = machine.go_on_from(&mut run, &path);
    std::fs::remove_file(&path).unwrap();
    found.unwrap();
    assert_eq!(run.is_over(), None);
    let ran = machine.perform(run, &mut |_| true).unwrap();
    let answer = machine.answer_runs(&[ran], &options).unwrap();
    assert_eq!(answer.runs[0].state, whole.runs[0].state, "to the last bit");
    assert!(matches!(machine.go_on_from(&mut plan(), &path), Err(CheckpointError::Unreadable(_))));
}
