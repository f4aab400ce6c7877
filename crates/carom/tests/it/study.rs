//! Studies: points, measures, and what they have in common.

use std::path::Path;

use carom::file::{Loaded, load, parse};
use carom::model::study::Level;
use carom::study::{Block, Evaluator, Study, evaluate};
use carom_reference::double_pendulum::DoublePendulum;

/// Two ways to the same number, each with a few dozen operations.
const ROUND_OFF: f64 = 1e-11;

/// A file of `models/` with a study behind it.
fn with_study(model: &str, study: &str) -> Loaded {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(model);
    let text = std::fs::read_to_string(path).unwrap();
    parse(model, &format!("{text}\n{study}"), &[]).unwrap()
}

fn study(model: &str, study: &str) -> Study {
    with_study(model, study).study().unwrap_or_else(|error| panic!("{error}"))
}

/// What is wrong with a study.
fn refused(model: &str, text: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(model);
    let whole = format!("{}\n{text}", std::fs::read_to_string(path).unwrap());
    match parse(model, &whole, &[]).map_err(|e| e.to_string()) {
        Ok(loaded) => loaded.study().expect_err(text).to_string(),
        Err(error) => error,
    }
}

fn numbers(study: &Study, point: u64) -> Vec<f64> {
    study.design.numbers(&study.design.levels(point))
}

#[test]
fn a_grid_has_every_value_with_every_other_and_the_last_variable_varies_fastest() {
    let study = study(
        "002/double-pendulum.toml",
        "[study.variables]\n\
         x_tip = { range = [\"-10 cm\", \"10 cm\"], count = 3 }\n\
         mass_2 = { values = [\"1 kg\", \"2000 g\"] }\n\
         twice = { path = \"parameters.length_2\", expression = \"0.2 + x_tip/10\" }\n\
         mass_1 = { along = \"mass_2\", values = [4, 5] }",
    );
    assert_eq!(study.design.points(), 6);
    let rows: Vec<Vec<f64>> = (0..6).map(|k| numbers(&study, k)).collect();
    assert_eq!(rows[0], [-0.1, 1.0, 0.19, 4.0]);
    assert_eq!(rows[1], [-0.1, 2.0, 0.19, 5.0]);
    assert_eq!(rows[2], [0.0, 1.0, 0.2, 4.0]);
    assert_eq!(rows[5], [0.1, 2.0, 0.2 + 0.1 / 10.0, 5.0]);
    assert_eq!(study.variable_headings(), ["x_tip [cm]", "mass_2 [kg]", "twice", "mass_1"]);
}

#[test]
fn ratios_of_a_logarithmic_range_are_equal() {
    let study = study(
        "002/double-pendulum.toml",
        "[study.variables.k]\npath = \"contacts.tip.stiffness\"\n\
         range = [\"1e6 N/m^1.5\", \"1e10 N/m^1.5\"]\ncount = 5\nscale = \"log\"",
    );
    let k: Vec<f64> = (0..5).map(|p| numbers(&study, p)[0]).collect();
    for pair in k.windows(2) {
        assert!((pair[1] / pair[0] - 10.0).abs() < ROUND_OFF);
    }
}

#[test]
fn a_latin_hypercube_visits_every_slice_once_and_depends_on_its_seed() {
    let text = |seed: u32| {
        format!(
            "[study]\nsampling = \"latin-hypercube\"\npoints = 50\nseed = {seed}\n[study.variables]\n\
             x_tip = {{ range = [0, 0.3] }}\nx_rate = {{ range = [0, 2.5] }}"
        )
    };
    let points = |seed: u32| -> Vec<Vec<f64>> {
        let study = study("002/double-pendulum.toml", &text(seed));
        (0..50).map(|k| numbers(&study, k)).collect()
    };
    let one = points(1);
    for (variable, width) in [(0, 0.3 / 50.0), (1, 2.5 / 50.0)] {
        let mut slices: Vec<f64> = one.iter().map(|p| (p[variable] / width).floor()).collect();
        slices.sort_by(f64::total_cmp);
        assert_eq!(slices, (0..50).map(f64::from).collect::<Vec<_>>());
    }
    assert_ne!(one, points(2));
}

#[test]
fn the_effective_mass_of_every_pose_is_that_of_the_closed_form() {
    let study = study(
        "002/double-pendulum.toml",
        "[study]\nmeasures = [\"effective_mass\", \"kinetic_energy\", \"impact_energy\", \"share\"]\n\
         [study.variables]\nx_tip = { range = [\"-0.38 m\", \"0.38 m\"], count = 9 }\n\
         x_rate = { values = [0, 1, \"2.5 m/s\"] }\n\
         branch = { path = \"initial.branch\", values = [\"q.elbow < 0\", \"q.elbow > 0\"] }",
    );
    let mut evaluator = Evaluator::new(&study);
    let system = DoublePendulum::PAPER;
    for point in 0..study.design.points() {
        let row = evaluator.row(point).unwrap();
        let levels = study.design.levels(point);
        let x = study.design.numbers(&levels);
        let right = levels[2] == Level::Word("q.elbow > 0".to_owned());
        let wanted = closed_form(&system, x[0], x[1], right);
        for (found, wanted) in row.iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-9 * wanted.abs().max(1.0), "{row:?} {wanted:?}");
        }
    }
}

fn closed_form(system: &DoublePendulum, x: f64, x_rate: f64, right: bool) -> [f64; 4] {
    let pose = system.configuration(x, -DoublePendulum::PAPER_HEIGHT, right).unwrap();
    let m = system.effective_mass_in_closed_form(pose);
    let t = system.kinetic_energy(pose, [x_rate, -1.0]);
    [m, t, 0.5 * m, 0.5 * m / t]
}

#[test]
fn a_run_gives_the_peak_that_its_law_predicts_in_the_frozen_pose() {
    let variables = "[study.variables]\nx_tip = { range = [0.05, 0.35], count = 4 }";
    let measures =
        "measures = [\"peak_force\", \"impact_energy\", \"restitution\", \"kinetic_energy\"]";
    let row = |action: &str, point: u64| {
        let text = format!("[study]\naction = \"{action}\"\n{measures}\n{variables}");
        let study = study("002/double-pendulum.toml", &text);
        Evaluator::new(&study).row(point).unwrap()
    };
    for point in 0..4 {
        let (assessed, ran) = (row("assess", point), row("run", point));
        for (a, b) in assessed.iter().zip(&ran) {
            // The pose moves by a millimetre while they touch.
            assert!((a / b - 1.0).abs() < 2e-2, "{assessed:?} {ran:?}");
        }
        assert!((assessed[3] - ran[3]).abs() < ROUND_OFF * ran[3]);
    }
}

#[test]
fn a_point_that_cannot_be_reached_is_an_error_and_no_measure() {
    let study =
        study("002/double-pendulum.toml", "[study.variables]\nx_tip = { values = [0.1, 5] }");
    let mut evaluator = Evaluator::new(&study);
    assert!(evaluator.row(0).is_ok());
    let error = evaluator.row(1).unwrap_err().to_string();
    assert!(error.contains("initial.points"), "{error}");
    assert!(evaluator.row(0).is_ok(), "a bad point leaves nothing behind");
}

#[test]
fn studies_with_faults_are_refused_with_their_place() {
    let cases = [
        (
            "[study.variables]\nx_tipp = { values = [1] }",
            "[parameters] has no `x_tipp`; is `x_tip` meant?",
        ),
        (
            "[study.variables]\nx = { path = \"contacts.tip.lav\", values = [\"hertz\"] }",
            "unknown key `lav`",
        ),
        ("[study.variables]\nx_tip = { values = [\"3 kg\"] }", "kg"),
        ("[study.variables]\nx_tip = { range = [0, 1] }", "`count` is missing"),
        ("[study.variables]\nx_tip = { range = [0, 1], count = 3, scale = \"log\" }", "one sign"),
        ("[study.variables]\nx_tip = { range = [\"1 m\", \"2 kg\"], count = 3 }", "kg"),
        ("[study.variables]\nx_tip = { count = 3 }", "one of `range`"),
        ("[study.variables]\nx_tip = { values = [1], expression = \"1\" }", "one of `range`"),
        ("[study.variables]\nx_tip = { expression = \"y_tip\" }", "y_tip"),
        (
            "[study.variables]\nx_tip = { values = [0.1, 0.2] }\nx_rate = { values = [1], along = \"x_tip\" }",
            "steps along",
        ),
        ("[study.variables]\n\"x tip\" = { values = [1] }", "is not a name"),
        ("[study]\nmeasures = [\"peak_farce\"]", "is `peak_force` meant?"),
        ("[study]\nmeasures = [\"onset\"]", "`assess` does not give it"),
        ("[study]\nmeasures = [\"gap\", \"gap\"]", "two columns"),
        ("[study]\ncontact = \"tipp\"", "is `tip` meant?"),
        ("[study]\nsampling = \"sobol\"", "`points` is missing"),
        ("[study]\npoints = 3", "counts its points itself"),
        ("[study]\nsampling = \"sobol\"\npoints = 2.5", "whole number"),
        ("[study]\naction = \"jump\"", "jump"),
        ("[study]\nminimise = \"gap\"\nmaximise = \"gap\"", "not both"),
        ("[study]\nconstraints = \"gap\"", "compares by"),
        ("[study]\nconstraints = \"gapp > 0\"", "is `gap` meant?"),
        ("[study]\nsamplin = \"grid\"", "is `sampling` meant?"),
    ];
    for (text, wanted) in cases {
        let found = refused("002/double-pendulum.toml", text);
        assert!(found.contains(wanted), "{text}\n{found}");
        assert!(found.contains("double-pendulum.toml:"), "{text}\n{found}");
    }
}

#[test]
fn a_file_completes_another_and_faults_are_shown_in_the_right_one() {
    let folder = std::env::temp_dir().join(format!("carom-overlay-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let put = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    let base = "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n[bodies.a]\nmass = 1\ninertia = 1\n\
                [joints.j]\ntype = \"revolute\"\nconnects = [\"ground\", \"a\"]\n";
    put("base.toml", base);
    put("top.toml", "carom = 1\nmodel = \"base.toml\"\n[bodies.a]\nmass = 2\n");
    put("bad.toml", "carom = 1\nmodel = \"base.toml\"\n\n[bodies.a]\nmas = 2\n");
    put("round.toml", "carom = 1\nmodel = \"round.toml\"\n");
    let top = load(&folder.join("top.toml"), &[]).unwrap();
    assert_eq!(top.model.bodies[0].inertia.mass, 2.0);
    let files: Vec<_> = top.source.files().map(|(_, text)| text.to_owned()).collect();
    assert_eq!(files[0], base);
    let error = |name: &str| load(&folder.join(name), &[]).unwrap_err().to_string();
    let bad = error("bad.toml");
    assert!(bad.contains("bad.toml:5:1: bodies.a.mas") && bad.contains("    5 | mas = 2"), "{bad}");
    assert!(error("round.toml").contains("deep"), "{}", error("round.toml"));
    assert!(
        parse("t", "carom = 1\nmodel = \"x\"\n", &[]).unwrap_err().to_string().contains("`model`")
    );
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn sensitivities_to_masses_are_exact_and_agree_with_differences() {
    use carom::study::sensitivity::sensitivities;
    let text = "[study]\nmeasures = [\"effective_mass\", \"impact_energy\", \"share\"]\n[study.variables]\n\
                mass_1 = { range = [1, 9], count = 3 }\nlength_2 = { range = [0.2, 0.3], count = 3 }";
    let found = sensitivities(&study("002/double-pendulum.toml", text)).unwrap();
    let (by_mass, by_length) =
        (found.derivatives[0].as_ref().unwrap(), found.derivatives[1].as_ref().unwrap());
    assert!(by_mass[0].exact && by_mass[1].exact && !by_mass[2].exact);
    assert!(!by_length[0].exact);
    // The same derivatives by central differences of the closed form, with a step near the cube root of round-off.
    let closed = |mass: f64, length: f64| {
        let system = DoublePendulum { mass: [mass, 2.0], length: [0.5, length] };
        closed_form(&system, 0.1, 1.0, false)
    };
    let h = 1e-5;
    let differences = |f: &dyn Fn(f64) -> [f64; 4], m: usize| (f(h)[m] - f(-h)[m]) / (2.0 * h);
    for (k, m) in [(0, 0), (1, 2), (2, 3)] {
        let wanted = differences(&|d| closed(5.0 + d, 0.25), m);
        assert!((by_mass[k].value - wanted).abs() < 1e-8, "{k}: {by_mass:?} {wanted}");
        let wanted = differences(&|d| closed(5.0, 0.25 + d), m);
        let length = by_length[k];
        assert!(
            (length.value - wanted).abs() < 1e-6 * wanted.abs().max(1.0),
            "{length:?} {wanted}"
        );
        assert!(length.error < 1e-6 * length.value.abs(), "{length:?}");
    }
}

#[test]
fn an_optimum_of_two_variables_is_the_one_of_the_closed_form() {
    use carom::study::optimise::optimise;
    // Two discs on a line: T_c = ½ m₁ m₂/(m₁ + m₂) (v₁ − v₂)² is least where both masses are, and largest at the other end.
    let text = |verb: &str| {
        format!(
            "[study]\n{verb} = \"impact_energy\"\n[study.variables]\n\
             mass_1 = {{ range = [1, 4], count = 2 }}\nmass_2 = {{ range = [2, 6], count = 2 }}"
        )
    };
    for (verb, m1, m2) in [("minimise", 1.0, 2.0), ("maximise", 4.0, 6.0)] {
        let found = optimise(&study("002/two-discs.toml", &text(verb)), 600, 1).unwrap();
        let wanted = 0.5 * m1 * m2 / (m1 + m2) * 4.0;
        let best = found.best().unwrap();
        assert!((best.value / wanted - 1.0).abs() < 1e-9, "{best:?} {wanted}");
    }
}

#[test]
fn what_a_point_does_not_have_is_named() {
    let error = |model: &str, text: &str| {
        let study = study(model, text);
        Evaluator::new(&study).row(0).unwrap_err().to_string()
    };
    let pendulum = "002/double-pendulum.toml";
    let up = "[study]\nmeasures = [\"peak_force\"]\n[study.variables]\ny_rate = { values = [1] }";
    assert!(error(pendulum, up).contains("peak_force: the contact does not approach"));
    let lawless = "[study]\nmeasures = [\"duration\"]";
    assert!(error("002/two-discs.toml", lawless).contains("duration: the contact states no law"));
    let away = "[study]\naction = \"run\"\nmeasures = [\"peak_force\"]\n[study.variables]\ny_rate = { values = [1] }";
    assert!(
        error(pendulum, away).contains("is not struck within 0.005 s: it touches without closing"),
        "{}",
        error(pendulum, away)
    );
    let root = "[study]\nmeasures = { root = \"sqrt(-approach_speed)\" }";
    assert!(error(pendulum, root).contains("root: not a number here"));
    let soft = "[study]\naction = \"run\"\n[study.variables]\nlaw = { path = \"contacts.tip.law\", values = [\"kelvin-voigt\"] }";
    assert!(error(pendulum, soft).contains("kelvin-voigt"), "{}", error(pendulum, soft));
    let outside = "[study.variables]\ne = { path = \"contacts.tip.restitution\", values = [2] }";
    assert!(error(pendulum, outside).contains("restitution"), "{}", error(pendulum, outside));
}

#[test]
fn a_search_without_variables_or_values_is_refused() {
    use carom::study::optimise::{OptimiseError, optimise};
    let found = |text: &str| optimise(&study("002/two-discs.toml", text), 50, 0).unwrap_err();
    assert_eq!(found("[study]"), OptimiseError::NoGoal);
    let none = found("[study]\nminimise = \"gap\"");
    assert!(matches!(none, OptimiseError::Variables { count: 0, .. }));
    let nowhere =
        "[study]\nminimise = \"gap\"\n[study.variables]\nmass_1 = { range = [-2, -1], count = 2 }";
    assert!(matches!(found(nowhere), OptimiseError::Nowhere(_)));
}

#[test]
fn what_is_read_once_and_for_all_changes_no_digit() {
    use carom::model::{build, freeze};
    // A stiffness keeps its unit, which says its exponent; a parameter that a variable changes stays an expression.
    let loaded = with_study("002/pantograph.toml", "");
    let frozen = freeze(&loaded.description, &["parameters.gamma"]);
    let models = [&loaded.description, &frozen].map(|d| format!("{:?}", build(d).unwrap().model));
    assert_eq!(models[0], models[1]);
    assert_ne!(format!("{frozen:?}"), format!("{:?}", loaded.description));
    let text = |path: &str| format!("{:?}", frozen.node(path).unwrap().value);
    assert!(text("bodies.link_1.mass").starts_with("Number"), "{}", text("bodies.link_1.mass"));
    assert!(text("contacts.plate.stiffness").starts_with("Text"));
    assert!(text("initial.points.\"end_effector.tip\".velocity.0").starts_with("Text"));
}

#[test]
fn an_impact_at_every_point_is_that_of_its_law() {
    // One contact: p = (1 + e) m_eff u, lost (1 − e²) T_c.
    let study = study(
        "002/double-pendulum.toml",
        "[study]\naction = \"impact\"\nmeasures = [\"effective_mass\", \"impact_energy\", \"impulse\", \"energy_lost\", \"energetic_restitution\"]\n\
         [study.variables.e]\npath = \"contacts.tip.restitution\"\nvalues = [0.1, 0.3, 1]\n",
    );
    for (point, e) in [0.1, 0.3, 1.0].into_iter().enumerate() {
        let [mass, energy, impulse, lost, star] =
            Evaluator::new(&study).row(point as u64).unwrap()[..]
        else {
            panic!("five measures")
        };
        assert!((impulse - (1.0 + e) * mass).abs() < 1e-12 * mass, "{impulse} {mass}");
        assert!((lost - (1.0 - e * e) * energy).abs() < 1e-12, "{lost} {energy}");
        assert!((star - e).abs() < 1e-7, "{star}");
    }
}

/// A ball of 2 kg that falls on a floor under a law that delivers the restitution it is given.
const BALL: &str = "carom = 1\nspace = \"planar\"\n[parameters]\nm = \"2 kg\"\nvy = \"-1 m/s\"\n\
    [bodies.ball]\nmass = \"m\"\ninertia = 0.01\ncontact.s = { circle = 0.1 }\n\
    [ground]\ncontact.floor = { plane = [0, 1] }\n\
    [joints.free]\ntype = \"floating\"\nconnects = [\"ground\", \"ball\"]\nposition = [0, 0.1, 0]\n\
    velocity = [0, \"vy\", 0]\n\
    [contacts.floor]\nbetween = [\"ground.floor\", \"ball.s\"]\nrestitution = 0.5\n\
    stiffness = \"1e8 N/m^1.5\"\nlaw = \"exact\"\n";

fn of_ball(text: &str) -> Result<Study, String> {
    let loaded = parse("ball.toml", &format!("{BALL}{text}"), &[]).map_err(|e| e.to_string())?;
    loaded.study().map_err(|e| e.to_string())
}

#[test]
fn sensitivities_are_taken_under_the_law_of_the_file_wherever_it_stands_in_the_list() {
    use carom::study::sensitivity::sensitivities;
    for laws in ["\"hertz\", \"exact\"", "\"exact\", \"hertz\""] {
        let study = of_ball(&format!(
            "[study]\nmeasures = [\"restitution\"]\n[study.variables]\n\
             law = {{ path = \"contacts.floor.law\", values = [{laws}] }}\n\
             e = {{ path = \"contacts.floor.restitution\", range = [0.1, 0.9], count = 3 }}"
        ))
        .unwrap();
        let found = sensitivities(&study).unwrap();
        // The exact law delivers what is stated, Hertz's always 1.
        let slope = found.derivatives[1].as_ref().unwrap()[0].value;
        assert!((slope - 1.0).abs() < 1e-6, "{laws}: {slope}");
        assert!(found.assumed.is_empty());
    }
}

#[test]
fn a_place_takes_one_variable_and_the_study_none() {
    let two = |path: &str| {
        let text = format!(
            "[study.variables]\nm = {{ values = [1, 2] }}\ny = {{ path = '{path}', values = [1, 2] }}"
        );
        of_ball(&text).err().unwrap_or_default()
    };
    for path in ["parameters.m", "parameters.\"m\""] {
        assert!(two(path).contains("one place takes one variable"), "{path}: {}", two(path));
    }
    assert!(two("study.seed").contains("belongs to the study"), "{}", two("study.seed"));
    assert_eq!(two("joints.free.velocity.0"), "");
}

#[test]
fn an_evaluator_that_has_seen_other_points_gives_the_bits_of_a_new_one() {
    let text = "[study.variables]\ngamma = { range = [\"-45 deg\", \"45 deg\"], count = 7 }\n\
                angle_1 = { range = [\"60 deg\", \"80 deg\"], count = 9 }";
    let study = study("002/pantograph.toml", text);
    let mut kept = Evaluator::new(&study);
    for point in (0..63).rev() {
        let (own, new) = (kept.row(point).unwrap(), Evaluator::new(&study).row(point).unwrap());
        assert!(own.iter().zip(&new).all(|(x, y)| x.to_bits() == y.to_bits()), "{point}");
    }
}

/// A pendulum that swings for ever above a floor that it does not reach.
const PENDULUM: &str = "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n\
    [bodies.bob]\nmass = 1\nshape = { rod = 1 }\ncontact.tip = { point = [0.5, 0] }\n\
    [joints.hinge]\ntype = \"revolute\"\nconnects = [\"ground\", \"bob\"]\nat = [[0, 0], [-0.5, 0]]\nposition = \"-30 deg\"\n\
    [ground]\ncontact.floor = { plane = [0, 1], at = [0, -2] }\n\
    [contacts.hit]\nbetween = [\"ground.floor\", \"bob.tip\"]\nrestitution = 1\n\
    [simulation]\ncontact = \"piecewise\"\nduration = 1\n\
    [study]\naction = \"run\"\nmeasures = [\"impacts\"]\n\
    [study.variables]\nend = { path = \"simulation.duration\", values = [0.01, 1e8, 1e8, 1e8] }\n";

/// Without the question while a point is under way, and without runs that can be given up, this test takes days.
#[test]
fn a_study_of_long_runs_stops_when_it_is_asked_to_and_keeps_what_was_done() {
    let study = parse("pendulum.toml", PENDULUM, &[]).unwrap().study().unwrap();
    let whole = |points: std::ops::Range<u64>| {
        let mut bytes = Vec::new();
        evaluate(&study, points, 1, &mut |block: Block| {
            bytes.extend(block.bytes);
            Ok::<bool, ()>(true)
        })
        .unwrap();
        bytes
    };
    for threads in [1, 2] {
        let (mut bytes, mut done, mut asked) = (Vec::new(), 0, 0);
        evaluate(&study, 0..4, threads, &mut |block: Block| {
            // On a busy machine it is asked before the short run is done, too.
            asked += u64::from(block.points == 0 && done > 0);
            done += block.points;
            bytes.extend(block.bytes);
            Ok::<bool, ()>(asked < 3)
        })
        .unwrap();
        assert_eq!((done, asked), (1, 3), "{threads} threads");
        assert_eq!(bytes, whole(0..1), "{threads} threads");
    }
}
