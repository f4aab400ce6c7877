//! `carom reproduce` as a user meets it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::PathBuf;
use std::process::{Command, Output};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("carom-reproduce-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Runs the command inside: the models of the repository are not in sight.
    fn carom(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
        command.arg("reproduce").args(arguments).current_dir(&self.0).output().unwrap()
    }

    /// The claims of a paper: place, what, published, ours, verdict.
    fn claims(&self, paper: &str) -> Vec<[String; 5]> {
        let output = self.carom(&[paper, "-o", paper]);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{stderr}");
        let mut table = csv::Reader::from_path(self.0.join(paper).join("claims.csv")).unwrap();
        let rows = table.records().map(|row| {
            let row = row.unwrap();
            assert_eq!(&row[0], paper);
            [&row[1], &row[2], &row[4], &row[5], &row[7]].map(str::to_owned)
        });
        rows.collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const AGREES: &str = "agrees as printed";

/// Asserts that these printed numbers stand at a place and agree, in this order.
fn agree(claims: &[[String; 5]], place: &str, printed: &[&str]) {
    let own = claims.iter().filter(|c| c[0].starts_with(place) && c[4] == AGREES);
    let found: Vec<&str> = own.map(|c| c[2].as_str()).filter(|p| *p != "stated").collect();
    assert_eq!(found, printed, "{place}");
}

#[test]
fn all_papers_come_out_and_the_exit_code_says_so() {
    let folder = Folder::new("all");
    let output = folder.carom(&[]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.ends_with("none that should agree does not\n"), "{text}");
    assert!(!text.contains("SHOULD AGREE"), "{text}");
    for paper in ["000 Nikravesh", "001 Moreira", "002 Gonzalez", "003 Modarres", "004 Fenili"] {
        assert!(text.contains(paper), "{paper}");
    }
    assert!(output.stderr.is_empty());
    let again = String::from_utf8(folder.carom(&["--", "004"]).stdout).unwrap();
    let (part, _) = again.rsplit_once("\n\n").unwrap();
    assert!(text.contains(part), "a paper alone says the same");
}

#[test]
fn the_json_has_every_claim_as_its_schema_says() {
    let folder = Folder::new("json");
    let claims = folder.claims("001");
    let text = String::from_utf8(folder.carom(&["001", "--format", "json"]).stdout).unwrap();
    let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    let schema = command.args(["schema", "--answer", "reproduce"]).output().unwrap().stdout;
    let schema: serde_json::Value = serde_json::from_slice(&schema).unwrap();
    assert!(jsonschema::is_valid(&schema, &answer), "{text}");
    assert!(!jsonschema::is_valid(&schema, &serde_json::json!({ "papers": [{}] })));
    let findings = answer["papers"][0]["findings"].as_array().unwrap();
    assert_eq!(findings.len(), claims.len());
    assert_eq!(findings[0]["published"], claims[0][2].as_str());
    assert_eq!(answer["sound"], true);
}

#[test]
fn the_numbers_of_nikravesh_poursina_agree_as_printed() {
    let claims = Folder::new("000").claims("000");
    agree(&claims, "ex. 3", &["0.45", "18.12", "1.65"]);
    agree(&claims, "ex. 4", &["0.8015", "4.04", "1.0", "∞"]);
    agree(&claims, "ex. 5", &["3", "3", "3"]);
    agree(&claims, "fig. 11", &["-3", "27"]);
    let differ: Vec<_> = claims.iter().filter(|c| c[4] == "differs").map(|c| &c[0]).collect();
    assert_eq!(differ, ["eq. 3", "eq. 13", "eq. 13"]);
    let cost = claims
        .iter()
        .find(|c| c[1] == "it is much more efficient to solve eq. 28 than eq. 31")
        .unwrap();
    assert_eq!(cost[4], AGREES);
}

#[test]
fn the_stiffness_of_moreira_agrees_and_its_claim_on_forces_does_not() {
    let claims = Folder::new("001").claims("001");
    agree(&claims, "eqs. 3, 4", &["2.4e10"]);
    let differ: Vec<_> = claims.iter().filter(|c| c[4] == "differs").map(|c| &c[1]).collect();
    assert_eq!(
        differ,
        [
            "D = χ δ̇ⁿ makes eq. 7 the force of eq. 10",
            "the loss by damping, Flores at c_r = 0.8",
            "and the contact force"
        ]
    );
}

#[test]
fn table_4_of_gonzalez_and_the_slope_of_70_degrees_agree_as_printed() {
    let claims = Folder::new("002").claims("002");
    agree(&claims, "table 4, case 1", &["0.1955", "10", "10", "1"]);
    agree(&claims, "table 4, case 2", &["0.1921", "9.82", "10", "0.98"]);
    agree(&claims, "table 4, case 3", &["0.1857", "8.57", "10", "0.86"]);
    agree(&claims, "table 4, case 4", &["0.1812", "6.56", "10", "0.66"]);
    agree(&claims, "table 4, case 5", &["0.1794", "4.28", "10", "0.43"]);
    agree(&claims, "fig. 11", &["70", "70"]);
    let peak = claims.iter().find(|c| c[2] == "240").unwrap();
    assert_eq!(peak[4], "differs", "the reversed sign is told");
}

#[test]
fn the_statements_of_modarres_hold_but_where_the_uniform_law_repeats() {
    let claims = Folder::new("003").claims("003");
    let stated = || claims.iter().filter(|c| !c[2].is_empty());
    assert_eq!(stated().filter(|c| c[4] == AGREES).count(), 12);
    let differ: Vec<_> = stated().filter(|c| c[4] != AGREES).collect();
    assert_eq!(differ.len(), 1);
    assert!(differ[0][1].contains("ball in a corner"), "{differ:?}");
}

#[test]
fn the_velocities_of_fenili_are_those_of_its_equations() {
    let claims = Folder::new("004").claims("004");
    for (place, count) in [("eq. 4.33", 6), ("eq. 4.34", 2), ("eq. 4.35", 2)] {
        let own: Vec<_> = claims.iter().filter(|c| c[0] == place).collect();
        assert_eq!(own.len(), count, "{place}");
        assert!(own.iter().all(|c| c[4] == AGREES && c[2] == c[3]), "{own:?}");
    }
    let forces = claims.iter().filter(|c| c[0].ends_with("eqs. 3.1, 2.1"));
    assert_eq!(forces.filter(|c| c[4] == AGREES && c[2] == c[3]).count(), 6);
    let gains = claims.iter().find(|c| c[1] == "without eq. 4.33 the system gains energy").unwrap();
    assert_eq!(gains[4], AGREES);
    assert!(claims.iter().all(|c| c[4] != "differs"));
}

#[test]
fn figures_come_as_drawings_and_as_data() {
    let folder = Folder::new("figures");
    assert_eq!(folder.carom(&["-o", "out"]).status.code(), Some(0));
    let out = folder.0.join("out");
    let files = std::fs::read_dir(&out).unwrap().map(|e| e.unwrap().file_name());
    let names: Vec<String> = files.map(|name| name.into_string().unwrap()).collect();
    let drawings: Vec<&str> = names.iter().filter_map(|n| n.strip_suffix(".svg")).collect();
    assert_eq!(drawings.len(), 31);
    for name in drawings {
        let svg = std::fs::read_to_string(out.join(format!("{name}.svg"))).unwrap();
        assert!(svg.starts_with("<svg") && !svg.contains("NaN"), "{name}");
        let data = csv::Reader::from_path(out.join(format!("{name}.csv"))).unwrap();
        assert!(data.into_records().map(Result::unwrap).count() >= 5, "{name}");
    }
    let refused = folder.carom(&["-o", "out"]);
    assert_eq!(refused.status.code(), Some(2));
    let text = String::from_utf8(refused.stderr).unwrap();
    assert!(text.contains("is there already; --overwrite replaces it"), "{text}");
    assert_eq!(folder.carom(&["003", "-o", "out", "--overwrite"]).status.code(), Some(0));
}

#[test]
fn what_cannot_be_meant_is_refused_before_anything_is_computed() {
    let folder = Folder::new("refused");
    for (arguments, why) in [
        (&["005"][..], "[possible values: 000, 001, 002, 003, 004]"),
        (&["-o", "none/out"], "none/out: there is no folder `none`"),
        (&["--overwrite"], "--out <DIR>"),
    ] {
        let output = folder.carom(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(why), "{text}");
    }
    std::fs::write(folder.0.join("file"), "").unwrap();
    let output = folder.carom(&["-o", "file"]);
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "file is a file, not a folder\n");
}
