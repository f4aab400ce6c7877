use super::*;
use crate::maths::Vec3;
use crate::model::{Caution, ContactGeometry, Friction, JointKind, Load, ShapeKind};

const PLANAR: &str = include_str!("examples/planar.toml");
const SPATIAL: &str = include_str!("examples/spatial.toml");

fn model(text: &str) -> Loaded {
    parse("test.toml", text, &[]).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn a_planar_file_says_what_it_says() {
    let loaded = model(PLANAR);
    let model = &loaded.model;
    assert_eq!(model.title, "Slider-crank with everything");
    assert_eq!(model.gravity, Vec3::new(0.0, -9.81, 0.0));
    assert_eq!(model.bodies.len(), 4);
    let crank = &model.bodies[model.body("crank").unwrap().index()];
    assert_eq!(crank.inertia.mass, 0.5);
    assert!((crank.inertia.central()[(2, 2)] - 0.5 * 0.04 / 12.0).abs() < 1e-15);
    assert!((crank.joint.position[0] - 30.0_f64.to_radians()).abs() < 1e-15);
    assert!((crank.joint.velocity[0] - std::f64::consts::TAU).abs() < 1e-14);
    assert_eq!(crank.inertia.center, Vec3::new(0.1, 0.0, 0.0), "the joint sits at −crank/2");
    let contact = &model.contacts[model.contact("strike").unwrap()];
    assert_eq!(contact.defaults.exponent, Some(1.0), "N/mm fixes the exponent");
    assert_eq!(contact.defaults.stiffness, Some(75_000.0));
    assert_eq!(contact.defaults.friction, Some(Friction::Coefficient(0.3)));
    let cushion = &model.contacts[model.contact("cushion").unwrap()];
    let materials = cushion.defaults.materials.as_ref().unwrap();
    assert_eq!(materials.pair.each_ref().map(|m| m.young), [207e9, 5e6]);
    assert_eq!(materials.pair[1].density, Some(1100.0));
    let cylinders = materials.cylinders.unwrap();
    assert_eq!((cylinders.length, cylinders.reference_force), (0.02, 100.0));
    assert_eq!(cylinders.depth, Some(0.005));
    let touch = &model.contacts[model.contact("touch").unwrap()];
    let ContactGeometry::Points { normal, normal_in, .. } = touch.geometry else { panic!() };
    assert_eq!((normal, normal_in), (Vec3::new(-1.0, 0.0, 0.0), None), "ground's, reversed");
    assert_eq!(touch.defaults.friction, Some(Friction::Stick));
    assert_eq!(model.closures.len(), 1);
    assert_eq!(model.loads.len(), 5);
    assert_eq!(model.initial.branch.len(), 2);
    assert_eq!(model.initial.points[0].at, [Some(0.2), None, None]);
    assert_eq!(model.initial.kinetic_energy, Some(0.005));
    assert_eq!(loaded.warnings, []);
}

#[test]
fn loads_read_time_and_joints() {
    let loaded = model(PLANAR);
    let Load::Force { components, .. } = &loaded.model.loads[2] else { panic!() };
    let crank = &loaded.model.bodies[loaded.model.body("crank").unwrap().index()].joint;
    let (mut q, mut v) = (vec![0.0; loaded.model.nq], vec![0.0; loaded.model.nv]);
    q[crank.q] = 0.5;
    v[crank.v] = 2.0;
    let found = components[0].value(3.0, &q, &v);
    assert!((found - (10.0 * (6.0_f64).sin() - 0.5 * 4.0 + 2.0)).abs() < 1e-14, "{found}");
}

#[test]
fn a_spatial_file_says_what_it_says() {
    let loaded = model(SPATIAL);
    let model = &loaded.model;
    let joint = |name: &str| &model.bodies.iter().find(|b| b.joint.name == name).unwrap().joint;
    let hinge = joint("hinge");
    assert!((hinge.in_parent.rotation.column(2) - Vec3::y()).norm() < 1e-15, "axis y");
    let cross = joint("cross");
    assert_eq!(cross.kind, JointKind::Universal);
    let base = &model.bodies[model.body("base").unwrap().index()];
    let in_base = base.frame.inverse().then(&cross.in_parent);
    assert!((in_base.rotation.column(2) - Vec3::x()).norm() < 1e-15);
    assert!((in_base.rotation.column(0) - Vec3::y()).norm() < 1e-15);
    let ball = joint("ball");
    let half = 15.0_f64.to_radians();
    let expected = [half.cos(), 0.0, 0.0, half.sin()];
    assert!((0..4).all(|k| (ball.position[k] - expected[k]).abs() < 1e-15), "yaw by 30°");
    let free = joint("free");
    assert_eq!(free.position[..4], [1.0, 2.0, 3.0, 1.0]);
    assert_eq!(free.velocity, [0.0, 0.0, -1.0, 0.0, 0.0, 0.0]);
    let slide = joint("slide");
    // Turned by 90° about z, so that the slide along x goes along y.
    assert!((slide.in_parent.rotation.column(2) - Vec3::y()).norm() < 1e-15);
    assert_eq!(slide.rotor[0], 0.25);
    assert_eq!(model.shapes.len(), 9);
    assert!(matches!(model.shapes[0].kind, ShapeKind::Point { .. }));
    let tool = &model.bodies[model.body("tool").unwrap().index()];
    let R = tool.frame.rotation;
    let tensor = R.transpose() * tool.inertia.central() * R;
    assert!((tensor[(0, 1)] - 0.01).abs() < 1e-15);
    assert_eq!(model.closures.len(), 5);
}

#[test]
fn edits_change_the_model_and_name_themselves() {
    let set = |path: &str, value: &str| vec![(path.to_owned(), value.to_owned())];
    let loaded = parse("f", PLANAR, &set("parameters.crank", "0.4 m")).unwrap();
    let crank = &loaded.model.bodies[loaded.model.body("crank").unwrap().index()];
    assert_eq!(crank.inertia.center.x, 0.2);
    let refused = parse("f", PLANAR, &set("bodies.crank.mass", "-3")).unwrap_err();
    let text = refused.to_string();
    assert_eq!(
        text,
        "--set bodies.crank.mass=-3: bodies.crank.mass: -3 is not a positive mass [kg]"
    );
    let refused = parse("f", PLANAR, &set("bodies.crank.mas", "3")).unwrap_err();
    assert!(refused.to_string().contains("is `mass` meant?"), "{refused}");
    let refused = parse("f", PLANAR, &set("bodies..mass", "3")).unwrap_err();
    assert!(matches!(refused, LoadError::Set(_)));
}

#[test]
fn warnings_tell_what_may_not_be_meant() {
    let text = "carom = 1\nspace = \"planar\"\n\
        [bodies.a]\nmass = 250\n\
        [joints.j]\ntype = \"revolute\"\nconnects = [\"ground\", \"a\"]\nat = [[0, 0], [300, 0]]\n";
    let loaded = model(text);
    let cautions: Vec<&Caution> = loaded.warnings.iter().map(|w| &w.caution).collect();
    assert_eq!(
        cautions,
        [
            &Caution::NoGravity,
            &Caution::LooksUnscaled { mass: 250.0, offset: 300.0 },
            &Caution::PointMass
        ]
    );
    // A unit of something else does not make kilograms of the masses; one of a length does.
    let set = |path: &str, value: &str| {
        let sets = [(path.to_owned(), value.to_owned())];
        let warnings = parse("f", text, &sets).unwrap().warnings;
        warnings.iter().any(|w| matches!(w.caution, Caution::LooksUnscaled { .. }))
    };
    assert!(set("joints.j.velocity", "3 rad/s"));
    assert!(!set("joints.j.at.1.0", "300 m"));
    let shown =
        |w: &Warning| loaded.source.render(&w.path, w.origin.as_ref(), &w.caution.to_string());
    let neither = |w: &Warning| shown(w).contains("test.toml:3:9: bodies.a: neither");
    assert!(loaded.warnings.iter().any(neither));
    let steel = "carom = 1\nspace = \"spatial\"\ngravity = [0, 0, 0]\n\
        [bodies.a]\ndensity = 0.00785\nshape = { sphere = 1 }\n\
        [joints.j]\ntype = \"floating\"\nconnects = [\"ground\", \"a\"]\n";
    assert!(matches!(model(steel).warnings[0].caution, Caution::ThinDensity { .. }));
}

#[test]
fn every_key_and_word_of_the_format_is_described() {
    let page = include_str!("../../../../docs/model-file.md");
    let mut words: Vec<String> = Vec::new();
    let schema = schema::schema();
    let mut values = vec![&schema];
    while let Some(value) = values.pop() {
        match value {
            serde_json::Value::Object(map) => {
                if let Some(serde_json::Value::Object(keys)) = map.get("properties") {
                    words.extend(keys.keys().cloned());
                }
                let named = map.get("enum").and_then(|e| e.as_array()).into_iter().flatten();
                words.extend(named.filter_map(|word| word.as_str().map(str::to_owned)));
                values.extend(map.values());
            }
            serde_json::Value::Array(list) => values.extend(list),
            _ => {}
        }
    }
    assert!(words.len() > 80);
    let described: std::collections::HashSet<&str> =
        page.split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).collect();
    for word in words {
        assert!(described.contains(word.as_str()), "docs/model-file.md does not know `{word}`");
    }
}

/// TOML to JSON, as an editor's validator does it.
fn json(table: &::toml::de::DeTable<'_>) -> serde_json::Value {
    use ::toml::de::DeValue;
    fn value(v: &DeValue<'_>) -> serde_json::Value {
        match v {
            DeValue::String(s) => s.to_string().into(),
            DeValue::Integer(i) => i.as_str().parse::<i64>().unwrap().into(),
            DeValue::Float(f) => f.as_str().parse::<f64>().unwrap().into(),
            DeValue::Boolean(b) => (*b).into(),
            DeValue::Datetime(d) => d.to_string().into(),
            DeValue::Array(a) => a.iter().map(|x| value(x.get_ref())).collect(),
            DeValue::Table(t) => json(t),
        }
    }
    table.iter().map(|(k, v)| (k.get_ref().to_string(), value(v.get_ref()))).collect()
}

fn toml_files(folder: &Path, out: &mut Vec<std::path::PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            toml_files(&path, out);
        } else if path.extension().is_some_and(|e| e == "toml") {
            out.push(path);
        }
    }
}

#[test]
fn the_schema_accepts_every_model_and_refuses_unknown_keys() {
    let schema = schema::schema();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let check = |name: &str, text: &str| {
        let table = ::toml::de::DeTable::parse(text).unwrap();
        let faults: Vec<String> =
            validator.iter_errors(&json(table.get_ref())).map(|e| e.to_string()).collect();
        assert!(faults.is_empty(), "{name}: {faults:?}");
    };
    check("planar", PLANAR);
    check("spatial", SPATIAL);
    let mut files = Vec::new();
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    toml_files(&models, &mut files);
    for file in files {
        check(&file.display().to_string(), &std::fs::read_to_string(&file).unwrap());
        if let Err(error) = load(&file, &[]) {
            panic!("the schema accepts what the builder refuses: {error}");
        }
    }
    let refused = ["\n[bodies.x]\nmas = 1\n", "\n[joints.x]\nkind = \"revolute\"\n", "\n[oops]\n"];
    for extra in refused {
        let text = format!("{PLANAR}{extra}");
        let table = ::toml::de::DeTable::parse(&text).unwrap();
        assert!(!validator.is_valid(&json(table.get_ref())), "{extra}");
    }
}

/// The description with something no key takes at a path.
fn with_foreign(description: &Description, path: &[&str]) -> Description {
    use crate::model::description::{Entry, Node, Origin, Table, Value};
    fn put(table: &mut Table, path: &[&str]) {
        let (key, rest) = (path[0].to_owned(), &path[1..]);
        let origin = Origin::Set("x".to_owned());
        let mut value = Value::Foreign("a date or time");
        if !rest.is_empty() {
            let mut inner = match table.get(&key).map(|n| n.value.clone()) {
                Some(Value::Table(inner)) => inner,
                _ => Table::default(),
            };
            put(&mut inner, rest);
            value = Value::Table(inner);
        }
        let node = Node { origin: origin.clone(), value };
        table.insert(Entry { key, origin, node });
    }
    let mut out = description.clone();
    put(&mut out.root, path);
    out
}

#[test]
fn every_key_of_the_tables_is_read() {
    use crate::model::builder::keys::{Kind, Section, TOP};
    use crate::model::description::Value;
    let refuses = |description: &Description, path: &[&str]| {
        assert!(build(&with_foreign(description, path)).is_err(), "{path:?} is not read");
    };
    let mut seen = std::collections::BTreeSet::new();
    for text in [PLANAR, SPATIAL] {
        let description = describe(&Source::new("f", text)).unwrap();
        for top in TOP.keys {
            refuses(&description, &[top.name]);
            let Some(Value::Table(table)) = description.root.get(top.name).map(|n| &n.value) else {
                continue;
            };
            let mut try_section = |section: &Section, path: &[&str]| {
                seen.insert(section.what);
                for key in section.keys {
                    refuses(&description, &[path, &[key.name]].concat());
                }
            };
            match top.kind {
                Kind::Inner(section) => try_section(section, &[top.name]),
                Kind::Named(sections) => {
                    for entry in table.entries() {
                        let Value::Table(inner) = &entry.node.value else { panic!() };
                        let word = match inner.get("type").map(|n| &n.value) {
                            Some(Value::Text { text, .. }) => text.as_str(),
                            _ => "",
                        };
                        let section = sections
                            .iter()
                            .find(|s| s.types.is_empty() || s.types.contains(&word))
                            .unwrap();
                        try_section(section, &[top.name, &entry.key]);
                    }
                }
                _ => {}
            }
        }
    }
    // Every section but markers, targets and shapes, which stand deeper.
    assert_eq!(seen.len(), 1 + 1 + 1 + 5 + 1 + 1 + 5 + 1 + 1, "{seen:?}");
}

#[test]
fn numbers_are_read_as_toml_writes_them() {
    for (written, value) in [
        ("1_000.5", 1000.5),
        ("0x10", 16.0),
        ("+3", 3.0),
        ("1e-3", 1e-3),
        ("99999999999999999999", 1e20),
        ("'2.5 kg'", 2.5),
        ("\"\"\"\n3 kg\"\"\"", 3.0),
        ("\"\\u0034 kg\"", 4.0),
    ] {
        let text = format!(
            "carom = 1\nspace = \"planar\"\n[bodies.a]\nmass = {written}\n\
             [joints.j]\ntype = \"floating\"\nconnects = [\"ground\", \"a\"]\n"
        );
        assert_eq!(model(&text).model.bodies[0].inertia.mass, value, "{written}");
    }
}
