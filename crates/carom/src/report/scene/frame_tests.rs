use super::super::scene;
use crate::file::parse_files;
use serde_json::Value;

/// A swinging arm in space whose contact ball sits beside its line; the ground carries two joints.
const ARM: &str = r#"
carom = 1
space = "spatial"
[bodies.arm]
mass = 1
inertia = [0.1, 0.1, 0.1]
center = [0.5, 0, 0]
contact.pad = { sphere = 0.02, at = [0.5, 0.3, 0] }
[bodies.other]
mass = 1
inertia = [0.1, 0.1, 0.1]
center = [0.5, 0, 0]
[joints]
pivot = { type = "revolute", connects = ["ground", "arm"], at = [[0, 0, 0], [0, 0, 0]], axis = [0, 1, 0] }
second = { type = "revolute", connects = ["ground", "other"], at = [[0, 2, 0], [0, 0, 0]], axis = [0, 1, 0] }
"#;

fn lines(outline: &Value, kind: &str) -> Vec<Value> {
    let all = outline["lines"].as_array().cloned().unwrap_or_default();
    all.into_iter().filter(|line| line["kind"] == kind).map(|line| line["p"].clone()).collect()
}

#[test]
fn a_contact_shape_beside_the_line_of_its_body_hangs_on_a_stem() {
    let files = [("arm.toml".to_owned(), ARM.to_owned())];
    let loaded = parse_files(&files, &[]).unwrap();
    let drawn = scene(&loaded.model, Some(&loaded.description));
    let stems = lines(&drawn["bodies"][0], "stem");
    assert_eq!(stems, [serde_json::json!([[0.5, 0, 0], [0.5, 0.3, 0]])]);
    assert!(lines(&drawn["bodies"][1], "stem").is_empty());
    assert_eq!(lines(&drawn["ground"], "link").len(), 1, "two joints of the ground are one link");
}
