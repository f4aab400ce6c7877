//! `carom study`, `map`, `compare` and `optimise` as a user meets them.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::valid;
use serde_json::Value;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("carom-study-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn at(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn model(name: &str) -> String {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    models.join(name).canonicalize().unwrap().display().to_string()
}

fn carom(arguments: &[&str]) -> Output {
    Command::new(common::binary()).args(arguments).output().unwrap()
}

fn done(arguments: &[&str]) -> String {
    let output = carom(arguments);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {stderr}");
    String::from_utf8(output.stdout).unwrap()
}

fn refused(arguments: &[&str]) -> String {
    let output = carom(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// The answer of a verb, which the first argument names; it is what its schema promises.
fn json(arguments: &[&str]) -> Value {
    valid(arguments[0], &done(&[arguments, &["--format", "json"]].concat()))
}

#[test]
fn a_sweep_is_read_as_ranking_correlation_fit_and_figure() {
    let folder = Folder::new("read");
    let out = folder.at("out");
    done(&["sweep", &model("studies/002-fig-05.toml"), "-o", &out]);
    let figure = folder.at("figure.svg");
    let text = done(&["study", &out, "--figure", &figure]);
    for part in ["39 points", "softest first", "Spearman", "inversions", "R²", "sensitivities"] {
        assert!(text.contains(part), "{part}:\n{text}");
    }
    assert!(std::fs::read_to_string(&figure).unwrap().contains("peak_force [kN]"));
    assert!(refused(&["study", &out, "--figure", &figure]).contains("--overwrite"));
    let value = json(&["study", &out, "--quick"]);
    let energy = value["energies"].as_array().unwrap();
    let of = |name: &str| energy.iter().find(|e| e["measure"] == name).unwrap();
    assert!(of("impact_energy")["spearman"].as_f64().unwrap() > 0.999);
    assert!(of("kinetic_energy")["spearman"].as_f64().unwrap() < 0.3);
    // The elastic peak goes with T_c to the power n/(n+1) = 3/5 in a frozen pose; here the pose moves a little.
    let b = of("impact_energy")["power_law"]["coefficients"][1].as_f64().unwrap();
    assert!((b - 0.6).abs() < 0.005, "{b}");
    assert!(value["sensitivities"].is_null());
    assert!(refused(&["study", &out, "--by", "peak_farce"]).contains("is `peak_force` meant?"));
    assert!(refused(&["study", &folder.at("nothing")]).contains("no study"));
}

#[test]
fn saltelli_samples_give_indices() {
    let folder = Folder::new("saltelli");
    let file = folder.at("study.toml");
    let text = format!(
        "carom = 1\nmodel = \"{}\"\n[study]\nsampling = \"saltelli\"\npoints = 64\n\
         measures = [\"impact_energy\"]\n[study.variables]\nspeed_1 = {{ range = [1, 2] }}\n\
         radius_1 = {{ range = [0.1, 0.2] }}\n",
        model("002/two-discs.toml")
    );
    std::fs::write(&file, text).unwrap();
    let out = folder.at("out");
    assert!(done(&["sweep", &file, "-o", &out]).contains("256 points"));
    let value = json(&["study", &out]);
    let indices = value["sobol_indices"].as_array().unwrap();
    // T_c = ½ m_eff (v₁ − v₂)² knows the speed and not the radius.
    assert!(indices[0]["total"].as_f64().unwrap() > 0.9, "{indices:?}");
    assert!(indices[1]["total"].as_f64().unwrap().abs() < 1e-12, "{indices:?}");
    assert!(done(&["study", &out]).contains("Sobol's indices"));
}

#[test]
fn the_least_apparent_mass_is_three_kilograms_at_atan_two() {
    let value = json(&["optimise", &model("studies/000-fig-10.toml"), "--evaluations", "300"]);
    let last = value["path"].as_array().unwrap().last().unwrap();
    assert!((last["value"].as_f64().unwrap() - 3.0).abs() < 1e-12, "{last}");
    let theta = last["variables"][0].as_f64().unwrap();
    assert!((theta - 2_f64.atan().to_degrees()).abs() < 1e-4, "{theta}");
    let text = done(&["optimise", &model("studies/000-fig-10.toml"), "--evaluations", "100"]);
    assert!(text.contains("local") && text.contains("change -25.7 %"), "{text}");
    let none = refused(&["optimise", &model("studies/002-fig-05.toml")]);
    assert!(none.contains("`minimise`"), "{none}");
}

#[test]
fn constraints_bound_what_is_found_and_a_broken_one_is_told() {
    let file = model("studies/000-fig-10.toml");
    let set = |text: &str| format!("study.constraints={text}");
    let value = json(&["optimise", &file, "--set", &set("theta < 0.5"), "--evaluations", "300"]);
    let last = value["path"].as_array().unwrap().last().unwrap();
    let theta = last["variables"][0].as_f64().unwrap().to_radians();
    // The apparent mass falls up to atan 2, so the bound is where the least one lies.
    assert!((theta - 0.5).abs() < 1e-6, "{theta}");
    let broken =
        carom(&["optimise", &file, "--set", &set("apparent_mass_i < 1"), "--evaluations", "100"]);
    assert_eq!(broken.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&broken.stdout).contains("breaks them least"));
}

#[test]
fn a_search_that_was_interrupted_goes_on_to_the_same_bytes() {
    let folder = Folder::new("resumed");
    let file = model("studies/000-fig-10.toml");
    let search = |out: &str, more: &[&str]| {
        carom(&[&["optimise", &file, "-o", out, "--evaluations", "150"], more].concat())
    };
    let whole = folder.at("whole");
    assert!(search(&whole, &["-j", "1"]).status.success());
    let read = |out: &str, name: &str| std::fs::read(Path::new(out).join(name)).unwrap();
    // What kill -9 leaves: a log that ends within a record, and no answer.
    let cut = folder.at("cut");
    std::fs::create_dir(&cut).unwrap();
    let log = read(&whole, "search.log");
    std::fs::write(Path::new(&cut).join("search.log"), &log[..log.len() * 2 / 3]).unwrap();
    let told = search(&cut, &[]);
    assert!(String::from_utf8_lossy(&told.stderr).contains("--resume goes on"), "{told:?}");
    assert!(search(&cut, &["--resume", "-j", "2"]).status.success());
    for name in ["search.log", "optimum.json"] {
        assert_eq!(read(&cut, name), read(&whole, name), "{name}");
    }
    let other = carom(&["optimise", &file, "-o", &cut, "--evaluations", "151", "--resume"]);
    assert!(String::from_utf8_lossy(&other.stderr).contains("another study"), "{other:?}");
    let page = String::from_utf8(read(&whole, "report.html")).unwrap();
    assert!(page.contains("Which design has the smallest") && page.contains("<svg"));
}

#[test]
fn a_map_of_two_variables_is_one_command() {
    let folder = Folder::new("map");
    let (out, file) = (folder.at("map.svg"), model("002/pantograph.toml"));
    let axes =
        ["--x", "parameters.angle_1=60 deg..80 deg", "--y", "parameters.gamma=-40 deg..40 deg"];
    let text = done(&[&["map", &file, "-o", &out, "--count", "9"], &axes[..]].concat());
    assert!(text.contains("effective_mass [kg]") && text.contains("least"), "{text}");
    let svg = std::fs::read_to_string(&out).unwrap();
    assert!(svg.contains("angle_1 [deg]") && svg.contains("gamma [deg]"));
    let wrong = ["--x", "parameters.angel_1=0..1", "--y", "parameters.gamma=0..1"];
    let error = refused(&[&["map", &file, "-o", &folder.at("b.svg")], &wrong[..]].concat());
    assert!(error.contains("angle_1"), "{error}");
}

#[test]
fn two_designs_stand_beside_each_other() {
    let (a, b) = (model("002/double-pendulum.toml"), model("studies/002-fig-06.toml"));
    let text = done(&["compare", &a, &b]);
    assert!(text.contains("effective_mass [kg]") && text.contains("second/first"), "{text}");
    let value = json(&["compare", &a, &a, "--action", "run"]);
    for measure in value["measures"].as_array().unwrap() {
        assert_eq!(measure["first"], measure["second"], "{measure}");
    }
    assert!(refused(&["compare", &a, &b, "--contact", "tap"]).contains("is `tip` meant?"));
}

/// A ball that strikes a floor with the speed `vy`, if that is not zero.
const BALL: &str = "carom = 1\nspace = \"planar\"\n[parameters]\nm = \"2 kg\"\nvy = \"-1 m/s\"\n\
    [bodies.ball]\nmass = \"m\"\ninertia = 0.01\ncontact.s = { circle = 0.1 }\n\
    [ground]\ncontact.floor = { plane = [0, 1] }\n\
    [joints.free]\ntype = \"floating\"\nconnects = [\"ground\", \"ball\"]\nposition = [0, 0.1, 0]\n\
    velocity = [0, \"vy\", 0]\n\
    [contacts.floor]\nbetween = [\"ground.floor\", \"ball.s\"]\nrestitution = 0.5\n\
    stiffness = \"1e8 N/m^1.5\"\nlaw = \"exact\"\n";

/// A study of the ball, swept; its folder.
fn swept(folder: &Folder, study: &str) -> String {
    let (file, out) = (folder.at("ball.toml"), folder.at("out"));
    std::fs::write(&file, format!("{BALL}{study}")).unwrap();
    let output = carom(&["sweep", &file, "-o", &out]);
    assert!(output.status.code().is_some_and(|code| code != 2), "{output:?}");
    out
}

#[test]
fn a_figure_says_how_many_points_failed_and_parts_its_curves_there() {
    let drawn = |masses: &str| {
        let folder = Folder::new("parted");
        let text = format!(
            "[study]\nmeasures = [\"peak_force\"]\n[study.variables]\nm = {{ values = [{masses}] }}\n\
             vy = {{ expression = \"-(m - 2)*(m - 2)\" }}"
        );
        let (out, figure) = (swept(&folder, &text), folder.at("f.svg"));
        done(&["study", &out, "--quick", "--figure", &figure]);
        let svg = std::fs::read_to_string(&figure).unwrap();
        let told = svg.contains("4 of 5 points");
        (svg.matches("<polygon").count(), svg.matches("<polyline").count(), told)
    };
    // The ball of 2 kg rests, and has no peak; the axes are the same.
    let (marks, lines, told) = drawn("1, 1.5, 2, 2.5, 3");
    let (all_marks, one_line, all_told) = drawn("1, 1.5, 2.5, 3");
    assert!(told && !all_told);
    assert_eq!(marks, all_marks, "a mark where something was computed, and nowhere else");
    assert_eq!(lines, one_line + 1, "the curve is in two parts");
}

#[test]
fn an_infinite_mass_ranks_last_and_is_told_where_it_is_left_out() {
    let folder = Folder::new("infinite");
    let out = folder.at("out");
    done(&["sweep", &model("studies/000-fig-10.toml"), "-o", &out]);
    let text = done(&["study", &out, "--quick"]);
    assert!(text.contains("is infinite at 1 point"), "{text}");
    let value = json(&["study", &out, "--quick"]);
    let found = value["correlations"].as_array().unwrap();
    let found = found.iter().find(|c| c["infinite"] == 1).unwrap();
    // Of the 91 ranks, found by hand: θ = 0 has the largest mass.
    assert!((found["spearman"].as_f64().unwrap() + 0.8135).abs() < 5e-5, "{found}");
    let table = std::fs::read_to_string(Path::new(&out).join("table.json")).unwrap();
    assert!(!table.contains("inf\""), "{table}");
    // θ = 0, the first point, is the hardest; JSON says why there is no number.
    let table: Value = serde_json::from_str(&table).unwrap();
    let name = found["measure"].as_str().unwrap();
    assert_eq!(table["unbounded"], serde_json::json!({ name: [0] }));
    let csv = std::fs::read_to_string(Path::new(&out).join("table.csv")).unwrap();
    assert!(csv.lines().nth(1).unwrap().contains(",inf,"), "{csv}");
    let value = json(&["study", &out, "--quick", "--by", name]);
    let hardest = value["hardest"].as_array().unwrap().last().unwrap();
    assert_eq!((&hardest["point"], &hardest["unbounded"]), (&0.into(), &serde_json::json!([name])));
    let cautions = value["cautions"].as_array().unwrap();
    assert!(cautions.iter().any(|c| c["code"] == "measure-unbounded"), "{value}");
}

#[test]
fn an_unbounded_goal_is_the_largest_and_never_the_smallest() {
    let file = model("000/slider-crank.toml");
    let folder = Folder::new("unbounded-goal");
    let study = |goal: &str| {
        let path = folder.at(&format!("{goal}.toml"));
        let text = format!(
            "carom = 1\nmodel = \"{file}\"\n[study]\n{goal} = \"apparent_mass_i\"\n[study.variables]\n\
             theta = {{ path = \"parameters.theta\", values = [\"0 deg\", \"30 deg\", \"60 deg\"] }}\n"
        );
        std::fs::write(&path, text).unwrap();
        path
    };
    let least = json(&["optimise", &study("minimise"), "--evaluations", "40"]);
    assert!(least["path"].as_array().unwrap().last().unwrap()["value"].as_f64().unwrap() > 0.0);
    assert!(least["cautions"].as_array().unwrap().is_empty(), "{least}");
    let most = json(&["optimise", &study("maximise"), "--evaluations", "40"]);
    let best = most["path"].as_array().unwrap().last().unwrap();
    assert!(best["value"].is_null() && best["unbounded"] == true, "{most}");
    assert_eq!(most["cautions"][0]["code"], "measure-unbounded");
    // One file beside another: the dead centre is unbounded and has no ratio.
    let dead = folder.at("dead.toml");
    let text = format!("carom = 1\nmodel = \"{file}\"\n[parameters]\ntheta = \"0 deg\"\n");
    std::fs::write(&dead, text).unwrap();
    let beside = json(&["compare", &file, &dead]);
    let found = beside["measures"].as_array().unwrap();
    let found = found.iter().find(|m| m["measure"] == "apparent_mass_i").unwrap();
    assert!(found["second"].is_null() && found["second_unbounded"] == true, "{found}");
    assert!(found["ratio"].is_null() && found["first"].as_f64().unwrap() > 4.0, "{found}");
    assert!(done(&["compare", &file, &dead]).contains('∞'));
}

#[test]
fn every_verb_of_studies_answers_as_its_schema_says() {
    let folder = Folder::new("schemas");
    let (study, out) = (model("studies/002-fig-05.toml"), folder.at("out"));
    let swept = json(&["sweep", &study, "-o", &out]);
    assert_eq!((&swept["complete"], &swept["done"]), (&true.into(), &swept["points"]));
    for part in ["1/2", "2/2"] {
        let shard = folder.at(&part.replace('/', "-"));
        json(&["sweep", &study, "-o", &shard, "--shard", part]);
    }
    let merged = json(&["merge", &folder.at("1-2"), &folder.at("2-2"), "-o", &folder.at("whole")]);
    assert_eq!(merged["points"], swept["points"]);
    let read = json(&["study", &out]);
    assert!(read["sensitivities"].is_array() && read["cautions"].as_array().unwrap().is_empty());
    json(&["compare", &model("002/double-pendulum.toml"), &model("studies/002-fig-06.toml")]);
    let svg = folder.at("map.svg");
    let file = model("002/pantograph.toml");
    let axes =
        ["--x", "parameters.angle_1=60 deg..80 deg", "--y", "parameters.gamma=-40 deg..40 deg"];
    let map = json(&[&["map", &file, "-o", &svg, "--count", "5"], &axes[..]].concat());
    assert_eq!(map["measures"][1]["values"].as_array().unwrap().len(), 25);
    for (verb, _) in carom::answer::VERBS {
        let printed: Value = serde_json::from_str(&done(&["schema", "--answer", verb])).unwrap();
        // So that the validation of answers by the library's schema is one by the printed schema.
        assert_eq!(Some(printed), carom::answer::schema(verb).ok(), "{verb}");
    }
    let printed = done(&["schema", "--answer", "compare"]);
    assert!(printed.contains("CompareMeasure"), "{printed}");
    let near = refused(&["schema", "--answer", "swep"]);
    assert!(near.contains("is `sweep` meant?"), "{near}");
}

#[test]
fn a_row_keeps_the_measures_that_exist_beside_its_error() {
    let folder = Folder::new("partial");
    let text = "[study]\nmeasures = { m = \"effective_mass\", f = \"peak_force\", \
                most = \"max(peak_force, 1)\" }\n[study.variables]\nvy = { values = [-1, 1] }";
    let out = swept(&folder, text);
    let csv = std::fs::read_to_string(Path::new(&out).join("table.csv")).unwrap();
    // A ball that leaves has its mass, and no force.
    let last = csv.lines().nth(2).unwrap();
    assert!(last.starts_with("1,1.0,2.0,,,") && last.contains("peak_force"), "{csv}");
    let table = std::fs::read(Path::new(&out).join("table.json")).unwrap();
    let table: Value = serde_json::from_slice(&table).unwrap();
    let row = &table["rows"][1];
    assert!(row[2] == 2.0 && row[3].is_null() && row[5].is_string(), "{row}");
    let value = json(&["study", &out, "--quick", "--by", "f"]);
    assert_eq!((&value["failed"], &value["ranking"]), (&1.into(), &serde_json::json!([0])));
}

#[test]
fn a_search_takes_no_counts_and_keeps_to_its_evaluations() {
    let folder = Folder::new("search");
    let file = folder.at("ball.toml");
    let study = "[study]\nminimise = \"(effective_mass - 1.7)^2\"\n[study.variables]\nm = { range = [1, 3] }";
    std::fs::write(&file, format!("{BALL}{study}")).unwrap();
    for most in [1, 5, 13, 200] {
        let value = json(&["optimise", &file, "--evaluations", &most.to_string()]);
        assert!(value["evaluations"].as_u64().unwrap() <= most, "{most}: {value}");
    }
    let value = json(&["optimise", &file]);
    let best = &value["path"].as_array().unwrap().last().unwrap()["variables"][0];
    // A parabola is flat to round-off over the root of it.
    assert!((best.as_f64().unwrap() - 1.7).abs() < 1e-6, "{best}");
    assert!(refused(&["optimise", &file, "--evaluations", "0"]).contains("from 1 on"));
    let error = refused(&["sweep", &file, "-o", &folder.at("out")]);
    assert!(error.contains("study.variables.m: `count` is missing"), "{error}");
}

#[test]
fn a_fit_answers_by_its_schema_and_writes_its_folder_whole() {
    let folder = Folder::new("fit");
    let (file, data) = (model("002/pantograph.toml"), model("002/pantograph-impacts.csv"));
    let laws = ["--law", "hertz", "--law", "hooke"];
    let answer = json(&[&["fit", &file, &data], &laws[..]].concat());
    assert_eq!(answer["laws"].as_array().unwrap().len(), 2);
    assert_eq!(answer["points"].as_array().unwrap().len(), 5);
    let out = folder.at("out");
    let text = done(&[&["fit", &file, &data, "-o", &out], &laws[..]].concat());
    assert!(text.contains("[contacts.plate]") && text.contains("hertz"), "{text}");
    for name in ["fit.json", "residuals.csv", "contact.toml", "report.html"] {
        assert!(Path::new(&out).join(name).is_file(), "{name}");
    }
    let again = refused(&["fit", &file, &data, "-o", &out, "--law", "hertz"]);
    assert!(again.contains("--overwrite"), "{again}");
    let given = json(&["fit", &file, &data, "--law", "exact", "--fix", "restitution=0.5"]);
    let e = given["laws"][0]["parameters"].as_array().unwrap();
    assert!(e.iter().any(|p| p["name"] == "restitution" && p["given"] == true));
    assert!(refused(&["fit", &file, &data, "--law", "hertzz"]).contains("did you mean `hertz`?"));
    assert!(refused(&["fit", &file, &data, "--fix", "mass=1"]).contains("mass"));
}
