use super::*;

fn number(description: &Description, path: &[&str]) -> Option<f64> {
    let mut node = description.root.get(path[0])?;
    for part in &path[1..] {
        node = match &node.value {
            Value::Table(table) => table.get(part)?,
            Value::List(list) => list.get(part.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    match node.value {
        Value::Number(x) => Some(x),
        _ => None,
    }
}

#[test]
fn a_path_is_set_made_and_replaced() {
    let mut d = Description::default();
    d.set("bodies.rod.mass", "3").unwrap();
    assert_eq!(number(&d, &["bodies", "rod", "mass"]), Some(3.0));
    d.set("bodies.rod.mass", "4").unwrap();
    assert_eq!(number(&d, &["bodies", "rod", "mass"]), Some(4.0));
    d.set("joints.a.at", "[[0, 1], [crank/2, -2e-3]]").unwrap();
    assert_eq!(number(&d, &["joints", "a", "at", "1", "1"]), Some(-2e-3));
    d.set("joints.a.at.0.1", "7").unwrap();
    assert_eq!(number(&d, &["joints", "a", "at", "0", "1"]), Some(7.0));
    d.set("joints.a.locked", "true").unwrap();
    d.set("initial.points.\"arm.tip\".at", "[1, free]").unwrap();
    assert_eq!(number(&d, &["initial", "points", "arm.tip", "at", "0"]), Some(1.0));
    assert_eq!(d.locate("bodies.rod.mass"), Some(Origin::Set("bodies.rod.mass=4".to_owned())));
    assert_eq!(d.locate("bodies.rod.nothing"), d.locate("bodies.rod"));
}

#[test]
fn edits_that_lead_nowhere_are_refused() {
    let mut d = Description::default();
    d.set("bodies.rod.mass", "3").unwrap();
    d.set("gravity", "[0, -9.81]").unwrap();
    let fails = |d: &mut Description, path: &str, value: &str| d.set(path, value).unwrap_err();
    assert!(matches!(fails(&mut d, "", "1"), SetError::Path { .. }));
    assert!(matches!(fails(&mut d, "a..b", "1"), SetError::Path { .. }));
    assert!(matches!(fails(&mut d, "bodies.rod.mass.x", "1"), SetError::NoParts { .. }));
    assert!(matches!(fails(&mut d, "gravity.0.1", "1"), SetError::NoParts { .. }));
    assert!(matches!(fails(&mut d, "gravity.2", "1"), SetError::NoEntry { length: 2, .. }));
    assert!(matches!(fails(&mut d, "gravity.x", "1"), SetError::NoEntry { .. }));
    assert!(matches!(fails(&mut d, "gravity", "[1, 2"), SetError::List { .. }));
    assert!(matches!(fails(&mut d, "gravity", "[1]]"), SetError::List { .. }));
    assert!(matches!(fails(&mut d, "bodies.rod.shape", "{ rod = 1 }"), SetError::Table { .. }));
    let bomb = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(matches!(fails(&mut d, "gravity", &bomb), SetError::List { .. }));
}

#[test]
fn a_parameter_must_be_there_to_be_set() {
    let mut d = Description::default();
    let none = d.set("parameters.theta", "1").unwrap_err();
    assert_eq!(none.to_string(), "`parameters.theta`: the file has no such parameter");
    let origin = Origin::Text(0..1);
    let node = |value| Node { origin: origin.clone(), value };
    let mut parameters = Table::default();
    for key in ["theta", "mass"] {
        let entry =
            Entry { key: key.to_owned(), origin: origin.clone(), node: node(Value::Number(1.0)) };
        parameters.insert(entry);
    }
    let node = node(Value::Table(parameters));
    d.root.insert(Entry { key: "parameters".to_owned(), origin: origin.clone(), node });
    d.set("parameters.theta", "2").unwrap();
    assert_eq!(number(&d, &["parameters", "theta"]), Some(2.0));
    let near = d.set("parameters.thta", "2").unwrap_err().to_string();
    assert!(near.ends_with("; is `theta` meant?"), "{near}");
    let far = d.set("parameters.speed_of_sound", "2").unwrap_err().to_string();
    assert!(far.ends_with("; known: theta, mass"), "{far}");
}

#[test]
fn large_tables_are_found_by_key() {
    let mut table = Table::default();
    for k in 0_u32..100 {
        let origin = Origin::Text(0..1);
        let node = Node { origin: origin.clone(), value: Value::Number(f64::from(k)) };
        table.insert(Entry { key: format!("k{k}"), origin, node });
    }
    for k in 0_u32..100 {
        assert_eq!(table.get(&format!("k{k}")).unwrap().value, Value::Number(f64::from(k)));
    }
    assert_eq!(table.get("k100"), None);
    assert_eq!(table.entries().len(), 100);
}
