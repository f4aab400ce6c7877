//! `carom laws` as a person or a script meets it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use carom::contact::catalogue::{self, LAWS};
use carom::contact::impact1d::Impact1D;
use carom::contact::law::{Parting, Settings};
use serde_json::Value;

/// JSON has to carry every digit: the last place, not round-off of a computation.
const LAST_DIGIT: f64 = 1e-15;
/// Published values have four decimals.
const FOUR_DECIMALS: f64 = 5e-5;

/// Restitution delivered at e = 0.5, as printed in the papers and by the closed relation of Gonzalez et al. eq. 24.
const AT_ONE_HALF: [(&str, f64); 7] = [
    ("lankarani-nikravesh", 0.7252),
    ("hunt-crossley", 0.6630),
    ("hu-guo", 0.4877),
    ("flores", 0.4704),
    ("exact", 0.5),
    ("poursina-nikravesh", 0.5007),
    ("poursina-nikravesh-general", 0.5050),
];

fn carom(arguments: &[&str]) -> Output {
    Command::new(common::binary()).args(arguments).output().unwrap()
}

fn laws(arguments: &str) -> Output {
    let words = std::iter::once("laws").chain(arguments.split_whitespace());
    carom(&words.collect::<Vec<_>>())
}

fn done(output: &Output) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// What a run that must be refused says; nothing stands on stdout.
fn refused(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// What is printed is what the schema of the answer promises.
fn valid(text: &str) -> Value {
    common::valid("laws", text)
}

fn json(arguments: &str) -> Value {
    valid(&done(&laws(&format!("{arguments} --format json"))))
}

fn near(value: &Value, expected: f64, tolerance: f64) {
    let found = value.as_f64().unwrap();
    assert!(
        (found - expected).abs() <= tolerance * expected.abs().max(1e-300),
        "{found} {expected}"
    );
}

/// A folder of the test's own, empty.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn files(folder: &Path) -> Vec<String> {
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().file_name();
    std::fs::read_dir(folder).unwrap().map(|e| name(e).into_string().unwrap()).collect()
}

#[test]
fn the_catalogue_says_what_each_law_delivers() {
    let table = done(&laws("--wide"));
    let value = json("");
    let line =
        |name: &str| table.lines().find(|l| l.split_whitespace().next() == Some(name)).unwrap();
    let all = value["laws"].as_array().unwrap();
    assert_eq!(all.len(), LAWS.len());
    for (name, expected) in AT_ONE_HALF {
        assert!(line(name).contains(&format!("{expected:.4}")), "{}", line(name));
        let law = all.iter().find(|law| law["name"] == name).unwrap();
        let at = law["delivered"].as_array().unwrap();
        let half = at.iter().find(|d| d["asked"] == 0.5).unwrap();
        assert!((half["restitution"].as_f64().unwrap() - expected).abs() < FOUR_DECIMALS, "{name}");
    }
    assert!(line("hooke").contains("nothing is lost"));
    assert!(line("kelvin-voigt").contains("by its c"));
    assert!(line("expression").contains("by the parameters"));
    for entry in &LAWS {
        assert!(line(entry.name).ends_with(entry.source));
    }
}

#[test]
fn laws_that_part_differently_show_both_rules() {
    let value = json("");
    for law in value["laws"].as_array().unwrap() {
        let name = law["name"].as_str().unwrap();
        let linear =
            ["anagnostopoulos", "poursina-nikravesh", "poursina-nikravesh-general", "exact-linear"];
        assert_eq!(law["parting_rules_differ"], linear.contains(&name), "{name}");
    }
    // Anagnostopoulos delivers e at zero indentation, exactly; at zero force more.
    let table = done(&laws("anagnostopoulos"));
    assert!(table.contains("at zero force") && table.contains("zero-indentation"), "{table}");
    let page = json("anagnostopoulos");
    for answer in page["delivered"].as_array().unwrap() {
        let asked = answer["asked"].as_f64().unwrap();
        near(&answer["at_zero_indentation"], asked, 1e-12);
        assert!(answer["at_zero_force"].as_f64().unwrap() >= asked - 1e-12);
    }
    let lines = done(&laws("")).lines().filter(|l| l.trim_start().starts_with("at zero ")).count();
    assert_eq!(lines, 4);
}

#[test]
fn every_law_has_a_page_in_words_and_in_json() {
    for entry in &LAWS {
        let page = done(&laws(&format!("{} --wide", entry.name)));
        for part in [entry.formula, entry.source, entry.choose, "F > 0 pushes apart"] {
            assert!(page.contains(part), "{}: {part}", entry.name);
        }
        let value = json(entry.name);
        assert_eq!(value["parameters"].as_array().unwrap().len(), entry.parameters.len());
        for parameter in entry.parameters {
            assert!(page.contains(&format!("--{}", parameter.name().replace('_', "-"))));
        }
        assert_eq!(value["delivered"].is_null(), entry.restitution.is_none());
    }
}

#[test]
fn a_page_says_what_an_uncertain_stiffness_does_to_the_peak() {
    let page = done(&laws("exact"));
    assert!(page.contains("K^0.4") && page.contains("1.32") && page.contains("2.51"), "{page}");
    let page = done(&laws("exact --exponent 1"));
    assert!(page.contains("K^0.5") && page.contains("1.41") && page.contains("3.16"), "{page}");
    // It is true of an impact: twice the stiffness, 2^0.4 the force.
    let peak = |stiffness: &str| {
        let value =
            json(&format!("exact --mass 2 --speed 0.5 --restitution 0.6 --stiffness {stiffness}"));
        value["outcome"]["peak_force"].as_f64().unwrap()
    };
    let ratio = json("exact")["peak_by_stiffness"]["stiffness_by_2"].as_f64().unwrap();
    assert!((peak("2e9") / peak("1e9") / ratio - 1.0).abs() < 1e-12);
}

#[test]
fn an_impact_has_every_digit_of_the_library() {
    let value = json("flores --mass 2 --speed 0.5 --stiffness 2.4e10 --restitution 0.8 --curve 5");
    let settings =
        Settings { stiffness: Some(2.4e10), restitution: Some(0.8), ..Settings::default() };
    let law = catalogue::find("flores").unwrap().make(&settings).unwrap();
    let impact = Impact1D::new(law.as_ref(), 2.0, 0.5).unwrap();
    let (found, expected) = (&value["outcome"], impact.outcome());
    for (name, x) in [
        ("restitution", expected.restitution),
        ("peak_force", expected.peak_force),
        ("time_of_peak", expected.time_of_peak),
        ("max_indentation", expected.max_indentation),
        ("time_of_max_indentation", expected.time_of_max_indentation),
        ("duration", expected.duration),
        ("separation_speed", expected.separation_speed),
        ("energy", 0.25),
        ("energy_lost", expected.energy_lost),
        ("impulse", expected.impulse),
    ] {
        near(&found[name], x, LAST_DIGIT);
    }
    assert_eq!(found["parts"], true);
    assert_eq!(value["settings"]["exponent"], 1.5);
    let curve = value["curve"].as_array().unwrap();
    assert_eq!(curve.len(), 5);
    near(&curve[2]["force"], impact.curve(5)[2].force, LAST_DIGIT);
    near(&curve[4]["t"], expected.duration, LAST_DIGIT);
}

#[test]
fn the_table_of_an_impact_agrees_with_closed_forms() {
    // Hooke: F = δ̇⁻ √(K m), T = π √(m/K): 1000 N, 3.14159 ms, 1 mm.
    let table = done(&laws("hooke --mass 1 --speed 1 --stiffness 1e6"));
    for part in ["1 kN", "1 mm", "3.14159 ms", "0.5 J", "2 N s", "restitution delivered   1"] {
        assert!(table.contains(part), "{part} is not in\n{table}");
    }
    let csv = done(&laws("hooke --mass 1 --speed 1 --stiffness 1e6 --format csv"));
    assert_eq!(csv.lines().count(), 202);
    assert_eq!(csv.lines().next(), Some("t [s],delta [m],delta_dot [m/s],force [N]"));
    let csv = done(&laws("hooke --mass 1 --speed 1 --stiffness 1e6 --format csv --curve 3"));
    assert_eq!(csv.lines().count(), 4);
}

#[test]
fn csv_has_a_line_per_law_and_restitution() {
    let csv = done(&laws("--format csv"));
    let asked = LAWS.iter().filter(|law| law.restitution.is_some()).count();
    assert_eq!(csv.lines().count(), 1 + 5 * asked + (LAWS.len() - asked));
    assert_eq!(done(&laws("exact --format csv")).lines().count(), 21);
    assert!(refused(&laws("hooke --format csv")).contains("no restitution"));
}

#[test]
fn both_rules_of_parting_stand_beside_each_other() {
    let given = "kelvin-voigt --mass 2 --speed 0.5 --stiffness 2.4e9 --damping 3000";
    let table = done(&laws(given));
    assert!(table.contains("at zero force") && table.contains("at zero indentation"), "{table}");
    let (own, other) = (json(given), json(&format!("{given} --parting zero-indentation")));
    assert_eq!(own["outcome"]["parting"], Parting::ZeroForce.name());
    assert_eq!(own["outcome"], other["other_parting"]);
    assert_eq!(own["other_parting"], other["outcome"]);
    // e = exp(−π ζ/√(1 − ζ²)) when parting at zero indentation.
    let zeta = 3000.0 / (2.0 * (2.4e9_f64 * 2.0).sqrt());
    let e = (-std::f64::consts::PI * zeta / (1.0 - zeta * zeta).sqrt()).exp();
    near(&other["outcome"]["restitution"], e, 1e-12);
    // With hysteresis there is one answer.
    let value = json("exact --mass 2 --speed 0.5 --stiffness 1e9 --restitution 0.5");
    assert!(value["other_parting"].is_null());
}

#[test]
fn a_pair_that_never_parts_says_so() {
    let given = "kelvin-voigt --mass 2 --speed 0.5 --stiffness 1e6 --damping 1e6 --parting zero-indentation";
    let value = json(given);
    assert_eq!(value["outcome"]["parts"], false);
    assert!(value["outcome"]["duration"].is_null());
    assert!(done(&laws(given)).contains("never parts"));
}

#[test]
fn units_are_those_of_model_files() {
    let plain = json("exact --mass 2 --speed 0.5 --stiffness 2.4e10 --restitution 0.5");
    let impact = |mass: &str, speed: &str, stiffness: &str| {
        carom(&[
            "laws",
            "exact",
            "--mass",
            mass,
            "--speed",
            speed,
            "--stiffness",
            stiffness,
            "--restitution",
            "50/100",
            "--format",
            "json",
        ])
    };
    let units = impact("2000 g", "1.8 km/h", "2.4e10 N/m^1.5");
    let units: Value = valid(&done(&units));
    near(&units["outcome"]["peak_force"], plain["outcome"]["peak_force"].as_f64().unwrap(), 1e-14);
    // The unit of the stiffness fixes the exponent.
    let linear: Value = valid(&done(&impact("2", "0.5", "75 N/mm")));
    assert_eq!(linear["settings"]["exponent"], 1.0);
    near(&linear["settings"]["stiffness"], 75e3, 1e-14);
    assert!(refused(&impact("2 m", "0.5", "75 N/mm")).contains("--mass"));
    assert!(refused(&impact("2", "0.5 kg", "75 N/mm")).contains("--speed"));
    assert!(refused(&impact("2", "0.5", "75 N/mm^2/s")).contains("N/m^n"));
    let stated = ["laws", "exact", "--stiffness", "75 N/mm", "--exponent", "1.5"];
    assert!(refused(&carom(&stated)).contains("--exponent says 1.5"));
    let hooke = ["laws", "hooke", "--mass", "1", "--speed", "1", "--stiffness", "1 N/m^1.5"];
    let message = refused(&carom(&hooke));
    assert!(message.contains("linear") && message.contains("unit of --stiffness"), "{message}");
}

#[test]
fn materials_and_radii_stand_for_a_stiffness() {
    let value = json(
        "exact --mass 2 --speed 0.5 --restitution 0.5 --materials steel,steel --radii 50mm,50mm",
    );
    // Moreira et al. eq. 3 by hand: 207e9/(1.5 · 0.91) √0.025.
    near(&value["settings"]["stiffness"], 207e9 / 1.365 * 0.025_f64.sqrt(), 1e-14);
    assert_eq!(value["settings"]["exponent"], 1.5);
    assert_eq!(value["stiffness_from"]["materials"][1], "steel");
    // A plane is a ball without curvature, a hollow embraces: 0.05 · 0.06/0.01 = 0.3 m.
    let hertz = |radii: &str| {
        json(&format!("hertz --mass 2 --speed 0.5 --materials steel,steel --radii {radii}"))["settings"]
            ["stiffness"]
            .as_f64()
            .unwrap()
    };
    assert!((hertz("50mm,inf") / (207e9 / 1.365 * 0.05_f64.sqrt()) - 1.0).abs() < 1e-14);
    assert!((hertz("-60mm,50mm") / (207e9 / 1.365 * 0.3_f64.sqrt()) - 1.0).abs() < 1e-13);
    let soft = laws("hertz --mass 2 --speed 0.5 --materials rubber,rubber --radii 0.01,0.01");
    assert!(String::from_utf8_lossy(&soft.stderr).contains("asks for a small part"));
    assert!(done(&soft).contains("rubber, ball 10 mm"));
    let start = "hertz --mass 2 --speed 0.5";
    for (arguments, part) in [
        ("--materials steel,stell --radii 1,1", "is `steel` meant?"),
        ("--materials steel --radii 1,1", "two are expected"),
        ("--materials steel,steel --radii 1,1,1", "two are expected"),
        ("--materials steel,steel --radii 1kg,1", "--radii"),
        ("--materials steel,steel --radii inf,inf", "--radii"),
        ("--materials steel,steel --radii 0.05,-0.05", "wider"),
        ("--materials steel,steel --radii 0,1", "--radii"),
        ("--materials steel,steel", "--radii"),
        ("--radii 1,1", "--materials"),
        ("--materials steel,steel --radii 1,1 --stiffness 1e9", "--stiffness"),
        ("--materials steel,steel --radii 1,1 --exponent 1", "--exponent says 1"),
    ] {
        let message = refused(&laws(&format!("{start} {arguments}")));
        assert!(message.contains(part), "{arguments}: {message}");
    }
    let hooke = refused(&laws("hooke --mass 2 --speed 0.5 --materials steel,steel --radii 1,1"));
    assert!(hooke.contains("follows from --materials"), "{hooke}");
}

#[test]
fn what_cannot_be_run_is_refused_by_name() {
    let impact = "--mass 2 --speed 0.5 --stiffness 1e9 --restitution 0.5";
    for (arguments, part) in [
        ("hunt-crosley", "did you mean `hunt-crossley`?"),
        ("zzz", "carom laws"),
        ("exact --speed 0.5 --stiffness 1e9", "--mass is missing"),
        ("exact --stiffness 1e9", "--mass and --speed are missing"),
        ("exact --mass 2 --speed 0.5 --stiffness 1e9", "give --restitution"),
        ("exact --mass 2 --speed 0.5 --restitution 0.5", "give --stiffness"),
        ("exact --mass 2 --speed 0.5 --stiffness 1e9 --restitution 1.5", "0 < e ≤ 1"),
        ("exact --mass 2 --speed 0 --stiffness 1e9 --restitution 0.5", "speed"),
        ("exact --mass 2 --speed -0.5 --stiffness 1e9 --restitution 0.5", "speed"),
        ("exact --mass 2 --speed nan --stiffness 1e9 --restitution 0.5", "--speed"),
        ("exact --mass 0 --speed 0.5 --stiffness 1e9 --restitution 0.5", "mass"),
        ("exact --mass inf --speed 0.5 --stiffness 1e9 --restitution 0.5", "--mass"),
        ("exact --mass 2 --speed 0.5 --stiffness -1e9 --restitution 0.5", "stiffness"),
        ("exact --exponent 0", "0 < n ≤ 20"),
        ("hooke --exponent 1.5", "linear"),
        ("expression --exponent 1.5", "takes no exponent"),
        ("expression --mass 2 --speed 0.5 --force 1e5*depth", "delta_dot"),
        ("expression --mass 2 --speed 0.5 --force 0*delta", "expression"),
        ("exact --curve 5", "--mass"),
        ("exact --figure x.svg", "--mass"),
        ("--mass 2", "--mass goes with a law"),
        ("--curve 5", "--curve goes with an impact"),
        ("--overwrite", "--figure"),
        ("--format yaml", "yaml"),
    ] {
        let message = refused(&laws(arguments));
        assert!(message.contains(part), "{arguments}: {message}");
    }
    for surplus in ["--damping 5", "--max-damping 5", "--damping-depth 1", "--force delta"] {
        let message = refused(&laws(&format!("exact {impact} {surplus}")));
        assert!(message.contains("exact takes no"), "{surplus}: {message}");
    }
    assert!(refused(&laws(&format!("exact {impact} --curve 5"))).contains("--format"));
    assert!(refused(&laws(&format!("exact {impact} --curve 1"))).contains("--curve"));
}

#[test]
fn a_material_may_be_given_by_its_moduli() {
    let stiffness = |materials: &str| {
        let output = carom(&[
            "laws",
            "hertz",
            "--mass",
            "2",
            "--speed",
            "0.5",
            "--radii",
            "50 mm,inf",
            "--format",
            "json",
            "--materials",
            materials,
        ]);
        valid(&done(&output))
    };
    let named = stiffness("steel,aluminium");
    for given in [
        "E=207 GPa,nu=0.3,aluminium",
        "steel,E=70 GPa,nu=0.33",
        "nu=0.3,E=207e9,E=70000 N/mm^2,nu=0.33",
    ] {
        let value = stiffness(given);
        let expected = named["settings"]["stiffness"].as_f64().unwrap();
        near(&value["settings"]["stiffness"], expected, 1e-14);
        near(&value["stiffness_from"]["young"][0], 207e9, LAST_DIGIT);
        near(&value["stiffness_from"]["poisson"][1], 0.33, LAST_DIGIT);
    }
    for (materials, part) in [
        ("E=207 GPa,steel", "both E and nu"),
        ("steel,E=207 GPa", "both E and nu"),
        ("E=207 GPa,E=1 GPa,nu=0.3", "both E and nu"),
        ("E=207 GPa,nu=0.3", "two are expected"),
        ("E=207 m,nu=0.3,steel", "--materials E"),
        ("E=207 GPa,nu=0.7,steel", "Poisson"),
        ("G=80 GPa,nu=0.3,steel", "`G` is not E"),
    ] {
        let output = carom(&[
            "laws",
            "hertz",
            "--mass",
            "2",
            "--speed",
            "0.5",
            "--radii",
            "50 mm,inf",
            "--materials",
            materials,
        ]);
        let message = refused(&output);
        assert!(message.contains(part), "{materials}: {message}");
    }
}

#[test]
fn a_law_that_adds_energy_is_warned_of() {
    let output = carom(&[
        "laws",
        "expression",
        "--mass",
        "2",
        "--speed",
        "0.5",
        "--format",
        "json",
        "--force",
        "1e8*delta^1.5*(1 - 0.2*delta_dot/onset_speed)",
    ]);
    let value = valid(&done(&output));
    assert!(value["outcome"]["restitution"].as_f64().unwrap() > 1.0);
    assert_eq!(value["cautions"].as_array().unwrap().len(), 1);
    assert_eq!(value["cautions"][0]["code"], "law-creates-energy");
    assert!(String::from_utf8_lossy(&output.stderr).contains("more energy"));
}

/// Panics unless the tags are closed in order and nothing but tags, texts and known entities stands there.
fn assert_well_formed(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    for part in svg.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap();
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        for rest in [tag, text].iter().flat_map(|t| t.split('&').skip(1)) {
            let known = ["amp;", "lt;", "gt;", "quot;", "apos;", "#"];
            assert!(known.iter().any(|entity| rest.starts_with(entity)), "&{rest}");
        }
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().unwrap());
        }
    }
    assert!(open.is_empty(), "{open:?}");
    assert!(!svg.contains("NaN") && !svg.contains("inf\""));
}

#[test]
fn the_figure_is_written_once_and_refused_twice() {
    let folder = folder("laws-figure");
    let file = folder.join("laws.svg").display().to_string();
    let said = done(&carom(&["laws", "--figure", &file]));
    assert!(said.contains("laws.svg"), "{said}");
    let first = std::fs::read_to_string(&file).unwrap();
    assert_well_formed(&first);
    for part in [
        "exact = ",
        "flores = ye",
        "Fig. 1",
        "Fig. 2",
        "Fig. 3",
        "Fig. 4",
        "Fig. 7d",
        "delivered − asked",
    ] {
        assert!(first.contains(part), "{part}");
    }
    for entry in LAWS.iter().filter(|law| law.restitution.is_some()) {
        assert!(first.contains(entry.name), "{}", entry.name);
    }
    assert!(refused(&carom(&["laws", "--figure", &file])).contains("--overwrite"));
    std::fs::write(&file, "mine").unwrap();
    assert!(refused(&carom(&["laws", "--figure", &file])).contains("--overwrite"));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    done(&carom(&["laws", "--figure", &file, "--overwrite"]));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), first, "the same bytes on every run");
    assert_eq!(files(&folder), ["laws.svg"]);
}

#[test]
fn an_impact_is_drawn() {
    let folder = folder("laws-impact-figure");
    for (k, given) in [
        "exact --mass 2 --speed 0.5 --stiffness 1e9 --restitution 0.5",
        "kelvin-voigt --mass 2 --speed 0.5 --stiffness 1e6 --damping 1e6 --parting zero-indentation",
        "hooke --mass 1e-60 --speed 1e-30 --stiffness 1e-40",
        "hooke --mass 1e60 --speed 1e30 --stiffness 1e40",
        "expression --mass 1 --speed 1 --force min(1e6*delta,1e3)",
    ]
    .into_iter()
    .enumerate()
    {
        let file = folder.join(format!("{k}.svg")).display().to_string();
        let mut words: Vec<&str> = std::iter::once("laws").chain(given.split_whitespace()).collect();
        words.extend(["--figure", &file]);
        let output = carom(&words);
        done(&output);
        let svg = std::fs::read_to_string(&file).unwrap();
        assert_well_formed(&svg);
        assert!(svg.contains("force over indentation") && svg.matches("<polyline").count() > 3);
    }
}

#[test]
fn no_file_is_left_where_no_figure_can_be() {
    let folder = folder("laws-refused");
    let at = |name: &str| folder.join(name).display().to_string();
    std::fs::create_dir(folder.join("folder.svg")).unwrap();
    for (name, part) in [
        ("laws.png", ".svg"),
        ("laws", ".svg"),
        ("missing/laws.svg", "no folder"),
        ("folder.svg", "is a folder"),
    ] {
        let message = refused(&carom(&["laws", "--figure", &at(name)]));
        assert!(message.contains(part), "{name}: {message}");
        let message = refused(&carom(&["laws", "--figure", &at(name), "--overwrite"]));
        assert!(message.contains(part), "{name}: {message}");
    }
    let bad = ["laws", "exact", "--mass", "2", "--speed", "0", "--figure", &at("bad.svg")];
    refused(&carom(&bad));
    assert_eq!(files(&folder), ["folder.svg"]);
    if cfg!(target_os = "linux") {
        // A place that exists and takes no files.
        let message = refused(&carom(&["laws", "--figure", "/proc/laws.svg"]));
        assert!(message.contains("cannot be written"), "{message}");
    }
}

#[test]
fn a_figure_comes_with_the_table_and_not_with_json() {
    let strike = "hertz --mass 2 --speed 0.5 --stiffness 2.4e10";
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("hertz-with-table.svg");
    let _ = std::fs::remove_file(&file);
    let file = file.display();
    let text = refused(&laws(&format!("{strike} --figure {file} --format json")));
    assert!(text.contains("--figure goes with the table"), "{text}");
    let text = done(&laws(&format!("{strike} --figure {file}")));
    assert!(text.contains("peak force") && text.contains("wrote "), "{text}");
    let text = refused(&laws(&format!("{strike} --radii 1,1")));
    assert!(text.contains("--radii goes with --materials"), "{text}");
}
