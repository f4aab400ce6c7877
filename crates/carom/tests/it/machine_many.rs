//! Rows, gradients and matrices at many states; studies in pieces; where an error lies.

use carom::machine::{By, ManyOptions, Slope};
use carom::{Machine, MachineError, StudyRecords};
use nalgebra::{DMatrix, DVector};

use crate::random_mechanism::Random;

const ONE: ManyOptions = ManyOptions { threads: 1 };

fn model_file(name: &str) -> String {
    format!("{}/../../models/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// States of a tree, anywhere.
fn states(machine: &Machine, n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut random = Random(11);
    let mut some = |count: usize| (0..n * count).map(|_| random.within(-1.0, 1.0)).collect();
    (some(machine.model().nq), some(machine.model().nv))
}

#[test]
fn rows_and_mobilities_are_those_of_the_mass_matrix() {
    let mut machine = Machine::open(model_file("robot-arm.toml")).unwrap();
    let contact = machine.contact(machine.contact_names()[0]).unwrap();
    let (q, v) = states(&machine, 100);
    let nv = machine.model().nv;
    let rows = machine.rows_many(contact, &q, &v, ONE).unwrap();
    let columns = machine.assess_many(contact, &q, &v, ONE).unwrap();
    let M = machine.mass_matrix_many(&q, &v).unwrap();
    let k = rows.rows;
    for n in 0..100 {
        let M = DMatrix::from_row_slice(nv, nv, &M[n * nv * nv..(n + 1) * nv * nv]);
        let A = DMatrix::from_row_slice(k, nv, &rows.jacobian[n * k * nv..(n + 1) * k * nv]);
        let W = DMatrix::from_row_slice(k, k, &rows.mobility[n * k * k..(n + 1) * k * k]);
        let dense = &A * M.cholesky().unwrap().solve(&A.transpose());
        // Cholesky's round-off grows with the condition of M, about 1e4 here.
        assert!((&W - &dense).amax() < 1e-10 * dense.amax(), "{W} against {dense}");
        let g = rows.governing[n];
        let u = (A.row(g) * DVector::from_column_slice(&v[n * nv..(n + 1) * nv]))[0];
        assert!((u - columns.contact_velocity[n]).abs() < 1e-12 * (1.0 + u.abs()));
        assert!((1.0 / W[(g, g)] - columns.effective_mass[n]).abs() < 1e-12 / W[(g, g)]);
    }
    let four = machine.rows_many(contact, &q, &v, ManyOptions { threads: 4 }).unwrap();
    assert_eq!(four, rows);
}

#[test]
fn gradients_at_many_states_are_slopes_of_what_is_assessed() {
    let machine = Machine::open(model_file("robot-arm.toml")).unwrap();
    let contact = machine.contact(machine.contact_names()[0]).unwrap();
    let (q, v) = states(&machine, 20);
    let nv = machine.model().nv;
    for of in [Slope::EffectiveMass, Slope::ImpactEnergy] {
        let found = machine.gradient_many(contact, (&q, &v), (of, By::Position), ONE).unwrap();
        assert_eq!((found.rows, found.columns), (20, nv));
        for k in 0..nv {
            // Central differences: h² of truncation and round-off divided by h balance at 1e-5.
            let h = 1e-5;
            let at = |step: f64| {
                let mut q = q.clone();
                q.iter_mut().skip(k).step_by(nv).for_each(|x| *x += step);
                let columns = machine.assess_many(contact, &q, &v, ONE).unwrap();
                match of {
                    Slope::EffectiveMass => columns.effective_mass,
                    // T_c of one point along its normal, whether it closes or not.
                    Slope::ImpactEnergy => (columns.effective_mass.iter())
                        .zip(&columns.contact_velocity)
                        .map(|(m, u)| 0.5 * m * u * u)
                        .collect(),
                }
            };
            let (before, after) = (at(-h), at(h));
            for n in 0..20 {
                let slope = (after[n] - before[n]) / (2.0 * h);
                let exact = found.get(n, k).unwrap();
                let size = before[n].abs() + slope.abs() + 1e-3;
                assert!((slope - exact).abs() < 1e-6 * size, "{of:?} {n} {k}: {slope} {exact}");
            }
        }
    }
    for (by, width) in [(By::Mass, 1), (By::Center, 3), (By::Inertia, 6)] {
        let found =
            machine.gradient_many(contact, (&q, &v), (Slope::EffectiveMass, by), ONE).unwrap();
        assert_eq!(found.columns, width * machine.model().bodies.len());
    }
}

#[test]
fn accelerations_at_many_states_obey_the_equations_of_motion() {
    let mut machine = Machine::open(model_file("robot-arm.toml")).unwrap();
    let (q, v) = states(&machine, 50);
    let nv = machine.model().nv;
    let effort: Vec<f64> = v.iter().map(|x| 3.0 * x).collect();
    let (M, h) = (machine.mass_matrix_many(&q, &v).unwrap(), machine.bias_many(&q, &v).unwrap());
    let a = machine.forward_dynamics_many(&q, &v, &effort).unwrap();
    for n in 0..50 {
        let of = |x: &[f64]| DVector::from_column_slice(&x[n * nv..(n + 1) * nv]);
        let M = DMatrix::from_row_slice(nv, nv, &M[n * nv * nv..(n + 1) * nv * nv]);
        let residual = &M * of(&a) + of(&h) - of(&effort);
        assert!(residual.amax() < 1e-10 * (of(&h).amax() + of(&effort).amax()), "{residual}");
    }
    let error = machine.bias_many(&q[1..], &v).unwrap_err();
    assert!(matches!(error, MachineError::WrongLength { what: "q", .. }), "{error}");
    let mut bad = q.clone();
    bad[3 * machine.model().nq] = f64::NAN;
    let error = machine.bias_many(&bad, &v).unwrap_err();
    assert!(matches!(error, MachineError::State { index: 3, .. }), "{error}");
}

#[test]
fn one_state_at_a_time_gives_the_columns_of_many() {
    for file in ["robot-arm.toml", "000/slider-crank.toml", "box-on-plane.toml"] {
        let mut machine = Machine::open(model_file(file)).unwrap();
        let contact = machine.contact(machine.contact_names()[0]).unwrap();
        let (q, v) = (machine.state().q.as_slice().to_vec(), machine.state().v.as_slice().to_vec());
        let many = machine.assess_many(contact, &q, &v, ONE).unwrap();
        for _ in 0..2 {
            let one = machine.assess_state(contact, &q, &v).unwrap();
            assert_eq!(one.effective_mass.to_bits(), many.effective_mass[0].to_bits());
            assert_eq!(one.impact_energy.to_bits(), many.impact_energy[0].to_bits());
            assert_eq!((one.point, one.cautions), (many.point[0], many.cautions[0]));
        }
        assert!(machine.assess_state(contact, &q[1..], &v).is_err());
    }
}

#[test]
fn a_study_in_pieces_is_the_log_of_one_sweep() {
    let study = StudyRecords::open(model_file("studies/000-fig-10.toml"), &[]).unwrap();
    let whole = study.evaluate(0..study.points(), 2, &mut |_| true).unwrap();
    let cuts = [0, 1, 7, 60, study.points()];
    let pieces: Vec<Vec<u8>> =
        cuts.windows(2).map(|c| study.evaluate(c[0]..c[1], 1, &mut |_| true).unwrap()).collect();
    assert_eq!(pieces.concat(), whole);
    let folder = std::env::temp_dir().join(format!("carom-pieces-{}", std::process::id()));
    let mut log = study.log(&folder, false, true).unwrap();
    log.append(&pieces[0]).unwrap();
    let misplaced = log.append(&pieces[2]).unwrap_err().to_string();
    assert!(misplaced.contains("from 1 on"), "{misplaced}");
    let mut damaged = pieces[1].clone();
    damaged[20] ^= 1;
    assert!(log.append(&damaged).is_err());
    log.append(&pieces[1]).unwrap();
    assert_eq!((log.next(), log.finish().unwrap().done), (7, 7));
    drop(log);
    assert!(study.log(&folder, false, false).is_err(), "a study is there already");
    let mut log = study.log(&folder, true, false).unwrap();
    pieces[2..].iter().for_each(|piece| log.append(piece).unwrap());
    assert_eq!(log.finish().unwrap().done, study.points());
    assert_eq!(study.stored(&folder).unwrap(), whole);
    let other = StudyRecords::open(
        model_file("studies/000-fig-10.toml"),
        &[("parameters.rod_mass".to_owned(), "3".to_owned())],
    );
    assert!(other.unwrap().stored(&folder).is_err());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_study_over_a_file_replaces_the_study_of_that_file() {
    let text = std::fs::read_to_string(model_file("000/slider-crank.toml")).unwrap();
    let study = |names: &str| format!("carom = 1\n[study]\n{names}");
    let lower = study("measures = [\"gap\"]\n[study.variables.rate]\nvalues = [1, 2, 3]\n");
    let upper = study("[study.variables.theta]\nvalues = [\"10 deg\", \"20 deg\"]\n");
    let files = [("machine", text), ("lower", lower), ("upper", upper)];
    let files = files.map(|(name, text)| (name.to_owned(), text));
    let found = StudyRecords::from_files(&files, &[]).unwrap();
    assert_eq!(found.points(), 2);
    assert_eq!(found.variables(), ["theta [deg]"]);
}

#[test]
fn an_error_lists_its_faults_with_their_places() {
    let error = Machine::from_text("carom = 1\nspace = \"planar\"\n[bodies.a]\nmass = -1\n");
    let faults = error.unwrap_err().faults();
    let mass = faults.iter().find(|f| f.path == "bodies.a.mass").unwrap();
    assert_eq!((mass.file.as_str(), mass.line, mass.column), ("text", Some(4), Some(8)));
    assert!(mass.message.contains("positive"), "{}", mass.message);
    let syntax = Machine::from_text("carom = 1\nspace = \n").unwrap_err().faults();
    assert_eq!(syntax[0].line, Some(2));
}
