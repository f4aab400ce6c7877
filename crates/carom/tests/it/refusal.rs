//! Every input that is wrong is refused, at its place, with what was found and what is expected.

#![allow(clippy::panic, reason = "a test that finds something else fails")]

use std::fmt::Write as _;

use carom::file::{LoadError, load, parse};
use carom::maths::expression::ExpressionError;
use carom::maths::units::UnitError;
use carom::model::{Finding, Mistake, Problem};

const PLANAR: &str = "carom = 1
space = \"planar\"
gravity = [0, -9.81]
[parameters]
L = \"1 m\"
[bodies.rod]
mass = 1
shape = { rod = \"L\" }
markers.tip = [0.5, 0]
contact.ball = { sphere = 0.1 }
[bodies.block]
mass = 2
inertia = 0.1
contact.face = { plane = [0, 1] }
[ground]
markers.floor = [0, 0]
contact.floor-face = { plane = [0, 1] }
[joints.pivot]
type = \"revolute\"
connects = [\"ground\", \"rod\"]
[joints.guide]
type = \"prismatic\"
connects = [\"ground\", \"block\"]
";

const SPATIAL: &str = "carom = 1
space = \"spatial\"
gravity = [0, 0, -9.81]
[bodies.a]
mass = 1
shape = { sphere = 1 }
contact.ball = { sphere = 1 }
[joints.free]
type = \"floating\"
connects = [\"ground\", \"a\"]
";

fn findings(text: &str) -> Vec<Finding> {
    match parse("f.toml", text, &[]) {
        Ok(_) => panic!("accepted:\n{text}"),
        Err(LoadError::Refused { findings, .. }) => findings,
        Err(other) => panic!("{other}\n{text}"),
    }
}

/// The base with a piece of text replaced, and what is found wrong with it.
fn change(base: &str, from: &str, to: &str) -> Vec<Finding> {
    assert!(base.contains(from), "{from}");
    findings(&base.replacen(from, to, 1))
}

/// The only finding.
fn one(found: &[Finding]) -> (String, Mistake) {
    let [only] = found else { panic!("{found:#?}") };
    (only.path.clone(), only.mistake.clone())
}

fn changed(base: &str, from: &str, to: &str) -> (String, Mistake) {
    one(&change(base, from, to))
}

fn appended(base: &str, text: &str) -> (String, Mistake) {
    one(&findings(&format!("{base}{text}")))
}

#[test]
fn the_bases_are_sound() {
    for text in [PLANAR, SPATIAL] {
        if let Err(error) = parse("f.toml", text, &[]) {
            panic!("{error}");
        }
    }
}

#[test]
fn masses_are_positive_and_finite() {
    for mass in ["0", "-1", "\"-1 kg\"", "\"1 - 1\""] {
        let (path, mistake) = changed(PLANAR, "mass = 2", &format!("mass = {mass}"));
        assert_eq!(path, "bodies.block.mass");
        assert!(matches!(mistake, Mistake::Mechanism(Problem::OutOfRange { .. })), "{mistake}");
    }
    for mass in ["nan", "inf", "-inf", "1e999"] {
        let (path, mistake) = changed(PLANAR, "mass = 2", &format!("mass = {mass}"));
        assert_eq!(path, "bodies.block.mass");
        assert!(matches!(mistake, Mistake::OutOfRange { .. }), "{mistake}");
    }
    let (_, mistake) = changed(PLANAR, "mass = 2", "mass = \"1/0\"");
    let Mistake::Expression(error) = mistake else { panic!("{mistake}") };
    assert!(matches!(error, ExpressionError::NotFinite { .. }));
    let (_, mistake) = changed(PLANAR, "mass = 2\n", "");
    assert!(matches!(mistake, Mistake::Missing { key: "mass", .. }));
}

#[test]
fn inertias_are_those_of_bodies() {
    let sphere = "shape = { sphere = 1 }";
    let table = [
        "[-1, 1, 1]",
        "[1, 1, 3]",
        // Indefinite through its products.
        "[1, 1, 1, 2, 0, 0]",
    ];
    for inertia in table {
        let (path, mistake) = changed(SPATIAL, sphere, &format!("inertia = {inertia}"));
        assert_eq!(path, "bodies.a.inertia");
        assert!(matches!(mistake, Mistake::Mechanism(Problem::Inertia { .. })), "{mistake}");
    }
    let (_, mistake) = changed(PLANAR, "inertia = 0.1", "inertia = -0.1");
    assert!(matches!(mistake, Mistake::Mechanism(Problem::Inertia { .. })));
    for inertia in ["[1, 2]", "1", "[1, 2, 3, 4]", "[]"] {
        let (_, mistake) = changed(SPATIAL, sphere, &format!("inertia = {inertia}"));
        assert!(matches!(mistake, Mistake::WrongCount { .. }), "{mistake}");
    }
    let (_, mistake) = changed(PLANAR, "inertia = 0.1", "inertia = [1, 2, 3]");
    assert!(matches!(mistake, Mistake::WrongCount { found: 3, .. }));
}

#[test]
fn shapes_with_mass_are_judged() {
    let rod = "shape = { rod = \"L\" }";
    let swap = |shape: &str| changed(PLANAR, rod, &format!("shape = {shape}")).1;
    assert!(matches!(swap("{ rodd = 1 }"), Mistake::UnknownWord { .. }));
    assert!(matches!(swap("{ rod = 1, disc = 2 }"), Mistake::Conflict(_)));
    assert!(matches!(swap("{ point = false }"), Mistake::Conflict(_)));
    assert!(matches!(swap("{ rod = 0 }"), Mistake::OutOfRange { .. }));
    assert!(matches!(swap("{ ring = [2, 1] }"), Mistake::OutOfRange { .. }));
    assert!(matches!(swap("{ rectangle = [1] }"), Mistake::WrongCount { .. }));
    assert!(matches!(swap("{ polygon = [[0, 0], [1, 1]] }"), Mistake::WrongCount { .. }));
    assert!(matches!(swap("{ polygon = [[0, 0], [1, 1], [2, 2]] }"), Mistake::Conflict(_)));
    assert!(matches!(swap("{ polygon = [[0, 0], [2, 2], [2, 0], [0, 3]] }"), Mistake::Conflict(_)));
    assert!(matches!(swap("3"), Mistake::WrongKind { .. }));
    let no_volume =
        change(PLANAR, &format!("mass = 1\n{rod}"), "density = 1\nshape = { ring = 1 }");
    assert!(matches!(one(&no_volume).1, Mistake::Conflict(_)));
    let both = change(PLANAR, "mass = 1\n", "mass = 1\ndensity = 1\n");
    assert!(matches!(one(&both).1, Mistake::Conflict(_)));
    let bare = change(PLANAR, "mass = 2\n", "density = 2\n");
    assert!(matches!(one(&bare).1, Mistake::Conflict(_)));
}

#[test]
fn the_joints_form_a_tree() {
    let both = PLANAR.replacen("[\"ground\", \"rod\"]", "[\"block\", \"rod\"]", 1).replacen(
        "[\"ground\", \"block\"]",
        "[\"rod\", \"block\"]",
        1,
    );
    let (path, mistake) = one(&findings(&both));
    assert!(path.starts_with("joints."), "{path}");
    assert!(matches!(mistake, Mistake::Mechanism(Problem::Cycle { .. })));
    let loose = appended(PLANAR, "[bodies.loose]\nmass = 1\n");
    assert_eq!(loose.0, "bodies.loose");
    assert!(matches!(loose.1, Mistake::Mechanism(Problem::NotCarried { .. })));
    let again = "[joints.x]\ntype = \"revolute\"\nconnects = [\"rod\", \"block\"]\n";
    let (_, mistake) = appended(PLANAR, again);
    assert!(matches!(mistake, Mistake::Mechanism(Problem::TwoParents { .. })));
    let (_, mistake) = changed(PLANAR, "[\"ground\", \"rod\"]", "[\"rod\", \"ground\"]");
    assert!(matches!(mistake, Mistake::Conflict(_)), "{mistake}");
    let own = change(PLANAR, "[\"ground\", \"rod\"]", "[\"rod\", \"rod\"]");
    assert!(own.iter().any(|f| matches!(
        f.mistake,
        Mistake::Mechanism(Problem::WithItself { what: "joint", .. })
    )));
}

#[test]
fn names_are_known_and_well_formed() {
    let (path, mistake) = changed(PLANAR, "[\"ground\", \"rod\"]", "[\"ground\", \"rodd\"]");
    assert_eq!(path, "joints.pivot.connects.1");
    let Mistake::UnknownName { what: "body", hint, .. } = mistake else { panic!("{mistake}") };
    assert!(hint.contains("`rod`"), "{hint}");
    let contact = "[contacts.c]\nbetween = [\"rod.bal\", \"ground.floor-face\"]\n";
    let (_, mistake) = appended(PLANAR, contact);
    assert!(mistake.to_string().contains("is `rod.ball` meant?"), "{mistake}");
    let load = "[loads.l]\ntype = \"effort\"\njoint = \"pivo\"\neffort = 1\n";
    let (_, mistake) = appended(PLANAR, load);
    assert!(mistake.to_string().contains("is `pivot` meant?"), "{mistake}");
    let target = "[initial]\npoints.\"rod.tp\" = { at = [0, 0] }\n";
    let (path, mistake) = appended(PLANAR, target);
    assert_eq!(path, "initial.points.\"rod.tp\"");
    assert!(mistake.to_string().contains("is `rod.tip` meant?"), "{mistake}");
    let (_, mistake) = appended(PLANAR, "[initial]\npoints.rod.tip = { at = [0, 0] }\n");
    assert!(mistake.to_string().contains("points.\"rod.tip\""), "{mistake}");
    let dotted = change(PLANAR, "markers.tip =", "markers.\"t.p\" =");
    assert!(matches!(one(&dotted).1, Mistake::BadName { .. }));
    // A marker and a shape may share a name: shapes are meant unless a normal is written.
    let shared = PLANAR.replacen("contact.ball", "contact.tip", 1);
    let contact = "[contacts.c]\nbetween = [\"rod.tip\", \"ground.floor-face\"]\n";
    assert!(parse("f", &format!("{shared}{contact}"), &[]).is_ok());
    let ground = findings(&format!("{PLANAR}[bodies.ground]\nmass = 1\n"));
    assert!(ground.iter().any(|f| f.path == "bodies.ground"
        && matches!(f.mistake, Mistake::Mechanism(Problem::DuplicateName { .. }))));
}

#[test]
fn directions_have_a_length() {
    let (path, mistake) =
        changed(PLANAR, "plane = [0, 1] }\n[ground]", "plane = [0, 0] }\n[ground]");
    assert_eq!(path, "bodies.block.contact.face.plane");
    assert!(matches!(mistake, Mistake::NoDirection { what: "normal" }));
    let (path, mistake) =
        changed(PLANAR, "type = \"prismatic\"", "type = \"prismatic\"\naxis = [0, 0]");
    assert_eq!(path, "joints.guide.axis");
    assert!(matches!(mistake, Mistake::NoDirection { what: "axis" }));
    let contact = "[contacts.c]\nbetween = [\"rod.tip\", \"ground.floor\"]\nnormal = [0, 0]\n";
    assert!(matches!(appended(PLANAR, contact).1, Mistake::NoDirection { what: "normal" }));
    let marker = changed(PLANAR, "[0.5, 0]", "{ at = [0.5, 0], direction = [0, 0] }");
    assert!(matches!(marker.1, Mistake::NoDirection { .. }));
    let segment = changed(PLANAR, "{ sphere = 0.1 }", "{ segment = [[1, 1], [1, 1]] }");
    assert!(matches!(segment.1, Mistake::NoDirection { what: "segment" }));
    let quaternion = changed(
        SPATIAL,
        "type = \"floating\"",
        "type = \"floating\"\nposition = [0, 0, 0, 0, 0, 0, 0]",
    );
    assert!(matches!(quaternion.1, Mistake::NoDirection { what: "quaternion" }));
    let universal = |axes: &str| {
        let new = format!("type = \"universal\"\naxis = {axes}");
        changed(SPATIAL, "type = \"floating\"", &new).1
    };
    assert!(matches!(universal("[[1, 0, 0], [1, 1, 0]]"), Mistake::Conflict(_)));
    assert!(matches!(universal("[[1, 0, 0], [0, 0, 0]]"), Mistake::NoDirection { .. }));
}

#[test]
fn contacts_are_judged() {
    let contact = |rest: &str| {
        let text =
            format!("[contacts.c]\nbetween = [\"rod.ball\", \"ground.floor-face\"]\n{rest}\n");
        appended(PLANAR, &text).1
    };
    assert!(matches!(contact("restitution = 1.1"), Mistake::OutOfRange { found: 1.1, .. }));
    assert!(matches!(contact("restitution = -0.1"), Mistake::OutOfRange { .. }));
    assert!(matches!(
        contact("restitution = \"30 deg\""),
        Mistake::Unit(UnitError::Expected { .. })
    ));
    assert!(matches!(contact("stiffness = 0"), Mistake::OutOfRange { .. }));
    assert!(matches!(contact("stiffness = \"1 N\""), Mistake::Unit(_)));
    assert!(matches!(contact("stiffness = \"1 N/m^1.5\"\nexponent = 1"), Mistake::Unit(_)));
    assert!(matches!(contact("exponent = 0"), Mistake::OutOfRange { .. }));
    assert!(matches!(contact("friction = -1"), Mistake::OutOfRange { .. }));
    assert!(matches!(contact("friction = \"stik\""), Mistake::Expression(_)));
    assert!(contact("law = \"hunt-crosley\"").to_string().contains("is `hunt-crossley` meant?"));
    assert!(matches!(contact("normal = [0, 1]"), Mistake::Conflict(_)));
    let own = "[contacts.c]\nbetween = [\"ground.floor-face\", \"ground.floor-face\"]\n";
    let (path, mistake) = appended(PLANAR, own);
    assert_eq!(path, "contacts.c.between");
    let Mistake::Mechanism(problem) = mistake else { panic!("{mistake}") };
    assert!(matches!(problem, Problem::WithItself { what: "contact", .. }));
    let mixed = "[contacts.c]\nbetween = [\"rod.tip\", \"ground.floor-face\"]\n";
    assert!(matches!(appended(PLANAR, mixed).1, Mistake::Conflict(_)));
    let bare = "[contacts.c]\nbetween = [\"rod.tip\", \"ground.floor\"]\n";
    assert!(matches!(appended(PLANAR, bare).1, Mistake::Missing { key: "normal", .. }));
}

#[test]
fn materials_are_judged() {
    let contact = |rest: &str| {
        let text =
            format!("[contacts.c]\nbetween = [\"rod.ball\", \"ground.floor-face\"]\n{rest}\n");
        appended(PLANAR, &text)
    };
    let steel = "materials = [\"steel\", \"steel\"]";
    for (key, value) in [("stiffness", "1e9"), ("exponent", "1.5")] {
        let (path, mistake) = contact(&format!("{steel}\n{key} = {value}"));
        assert_eq!(path, format!("contacts.c.{key}"));
        assert!(mistake.to_string().contains("exclude each other"), "{mistake}");
    }
    let (path, mistake) = contact("materials = [\"steel\", \"stel\"]");
    assert_eq!(path, "contacts.c.materials.1");
    assert!(mistake.to_string().contains("no material `stel`; is `steel` meant?"), "{mistake}");
    assert!(matches!(contact("materials = [\"steel\"]").1, Mistake::WrongCount { found: 1, .. }));
    assert!(matches!(contact("materials = \"steel\"").1, Mistake::WrongKind { .. }));
    for key in ["length", "reference_force", "depth"] {
        let (path, mistake) = contact(&format!("{key} = 1"));
        assert_eq!(path, format!("contacts.c.{key}"));
        assert!(mistake.to_string().contains("goes with `materials`"), "{mistake}");
    }
    for key in ["reference_force", "depth"] {
        let mistake = contact(&format!("{steel}\n{key} = 1")).1;
        assert!(mistake.to_string().contains("goes with `length`"), "{mistake}");
    }
    let line = |rest: &str| contact(&format!("{steel}\n{rest}")).1;
    let missing = line("length = 1");
    assert!(matches!(missing, Mistake::Missing { key: "reference_force", .. }), "{missing}");
    for bad in [
        "length = 0\nreference_force = 1",
        "length = 1\nreference_force = -1",
        "length = 1\nreference_force = 1\ndepth = 0",
    ] {
        assert!(matches!(line(bad), Mistake::OutOfRange { .. }));
    }
    let mistake = line("length = \"1 N\"\nreference_force = 1");
    assert!(matches!(mistake, Mistake::Unit(_)), "{mistake}");
    let markers = "[contacts.c]\nbetween = [\"rod.tip\", \"ground.floor\"]\nnormal = [0, 1]\n";
    let (path, mistake) = appended(PLANAR, &format!("{markers}{steel}\n"));
    assert_eq!(path, "contacts.c.materials");
    assert!(mistake.to_string().contains("write `stiffness`"), "{mistake}");
    let spatial = "[ground]\ncontact.floor = { plane = [0, 0, 1] }\n\
        [contacts.c]\nbetween = [\"a.ball\", \"ground.floor\"]\n\
        materials = [\"steel\", \"steel\"]\nlength = 1\nreference_force = 1\n";
    let (path, mistake) = appended(SPATIAL, spatial);
    assert_eq!(path, "contacts.c.length");
    assert!(mistake.to_string().contains("spatial"), "{mistake}");
}

#[test]
fn materials_of_a_file_are_judged() {
    let material = |rest: &str| appended(PLANAR, &format!("[materials.foam]\n{rest}\n")).1;
    let sound = "young = \"5 MPa\"\npoisson = 0.3";
    assert!(parse("f.toml", &format!("{PLANAR}[materials.foam]\n{sound}\n"), &[]).is_ok());
    assert!(matches!(material("poisson = 0.3"), Mistake::Missing { key: "young", .. }));
    assert!(matches!(material("young = 1"), Mistake::Missing { key: "poisson", .. }));
    for bad in [
        "young = 0\npoisson = 0.3",
        "young = -1\npoisson = 0.3",
        "young = 1\npoisson = 0.51",
        "young = 1\npoisson = -1",
        "young = 1\npoisson = 0.3\ndensity = 0",
    ] {
        assert!(matches!(material(bad), Mistake::OutOfRange { .. }), "{bad}");
    }
    assert!(matches!(material("young = \"1 N\"\npoisson = 0.3"), Mistake::Unit(_)));
    let unknown = material(&format!("{sound}\nyung = 1"));
    assert!(matches!(unknown, Mistake::UnknownKey { .. }), "{unknown}");
    // A name of the table stays what it is.
    let (path, mistake) = appended(PLANAR, &format!("[materials.steel]\n{sound}\n"));
    assert_eq!(path, "materials.steel");
    assert!(mistake.to_string().contains("material `steel` already"), "{mistake}");
}

#[test]
fn units_are_checked() {
    let mass = |value: &str| changed(PLANAR, "mass = 2", &format!("mass = {value}")).1;
    let Mistake::Unit(UnitError::Expected { found, expected }) = mass("\"3 mm\"") else { panic!() };
    assert_eq!((found.to_string(), expected.to_string()), ("m".to_owned(), "kg".to_owned()));
    assert!(matches!(mass("\"2*L\""), Mistake::Unit(_)), "parameters keep their unit");
    assert!(matches!(mass("\"1 kg + 1 m\""), Mistake::Expression(ExpressionError::Units { .. })));
    let revolute = "type = \"revolute\"";
    let hertz = changed(PLANAR, revolute, "type = \"revolute\"\nvelocity = \"50 Hz\"");
    assert_eq!(hertz.1, Mistake::Unit(UnitError::Hertz));
    let text = PLANAR.replacen(revolute, "type = \"revolute\"\nvelocity = \"2*pi*50 Hz\"", 1);
    assert!(parse("f", &text, &[]).is_ok());
    let restitution =
        "[contacts.c]\nbetween = [\"rod.ball\", \"ground.floor-face\"]\nrestitution = \"30 deg\"\n";
    assert_eq!(
        appended(PLANAR, restitution).1.to_string(),
        "found a value in [rad], expected a plain number"
    );
    // A direction is a ratio: any unit will do, two will not.
    let prismatic = "type = \"prismatic\"";
    let text = PLANAR.replacen(prismatic, "type = \"prismatic\"\naxis = [\"L\", \"2 mm\"]", 1);
    assert!(parse("f", &text, &[]).is_ok());
    let axis = changed(PLANAR, prismatic, "type = \"prismatic\"\naxis = [\"L\", \"2 s\"]");
    assert!(matches!(axis.1, Mistake::Unit(UnitError::Sum { .. })));
    let slide = changed(PLANAR, revolute, "type = \"revolute\"\nposition = \"3 mm\"");
    assert_eq!(slide.0, "joints.pivot.position");
    assert!(matches!(slide.1, Mistake::Unit(_)));
}

#[test]
fn unknown_keys_name_the_nearest() {
    let table = [
        ("mass = 2", "mas = 2", "bodies.block.mas", "is `mass` meant?"),
        ("gravity =", "gravty =", "gravty", "is `gravity` meant?"),
        ("[parameters]", "[parametres]", "parametres", "is `parameters` meant?"),
        ("{ sphere = 0.1 }", "{ sphere = 0.1, ad = [0, 0] }", "bodies.rod.contact.ball.ad", "`at`"),
        ("inertia = 0.1", "colour = 1", "bodies.block.colour", "known: mass, density"),
    ];
    for (from, to, path, hint) in table {
        let found = change(PLANAR, from, to);
        let this = found.iter().find(|f| f.path == path).unwrap_or_else(|| panic!("{found:?}"));
        assert!(matches!(this.mistake, Mistake::UnknownKey { .. }), "{this}");
        assert!(this.to_string().contains(hint), "{this}");
    }
    let (_, mistake) = changed(PLANAR, "type = \"prismatic\"", "type = \"prismtic\"");
    assert!(mistake.to_string().contains("is `prismatic` meant?"), "{mistake}");
}

#[test]
fn the_head_of_a_file_is_judged() {
    let (_, mistake) = changed(PLANAR, "carom = 1", "carom = 2");
    assert!(matches!(mistake, Mistake::OutOfRange { found: 2.0, .. }));
    let (_, mistake) = changed(PLANAR, "carom = 1", "carom = \"1\"");
    assert!(matches!(mistake, Mistake::WrongKind { .. }));
    let (_, mistake) = changed(PLANAR, "space = \"planar\"\n", "");
    assert!(matches!(mistake, Mistake::Missing { key: "space", .. }));
    let (_, mistake) = changed(PLANAR, "gravity = [0, -9.81]", "gravity = [0, 0, -9.81]");
    let Mistake::WrongCount { found: 3, expected, .. } = mistake else { panic!() };
    assert_eq!(expected, "2");
    let (_, mistake) = changed(PLANAR, "gravity = [0, -9.81]", "gravity = 9.81");
    assert!(matches!(mistake, Mistake::WrongKind { .. }));
    let (_, mistake) = changed(PLANAR, "gravity = [0, -9.81]", "gravity = 2020-01-01");
    assert!(matches!(mistake, Mistake::WrongKind { found: "a date or time", .. }));
}

#[test]
fn parameters_resolve_in_any_order_but_not_in_circles() {
    let (path, mistake) = changed(PLANAR, "L = \"1 m\"", "L = \"2*a\"\na = \"b + 1\"\nb = \"L/3\"");
    assert_eq!(path, "parameters.L");
    let Mistake::ParameterCycle { cycle } = mistake else { panic!("{mistake}") };
    assert_eq!(cycle, "L → a → b → L");
    let (_, mistake) = changed(PLANAR, "L = \"1 m\"", "L = \"L\"");
    assert!(matches!(mistake, Mistake::ParameterCycle { .. }));
    for name in ["t", "pi", "sin", "\"a-b\"", "\"2x\"", "\"\""] {
        let (_, mistake) = changed(PLANAR, "L = \"1 m\"", &format!("L = 1\n{name} = 3"));
        assert!(matches!(mistake, Mistake::BadName { .. }), "{name}: {mistake}");
    }
    let (path, mistake) = changed(PLANAR, "L = \"1 m\"", "L = \"2*M\"");
    assert_eq!(path, "parameters.L");
    assert!(matches!(mistake, Mistake::Expression(ExpressionError::UnknownName { .. })));
    // A long chain, the last one first.
    let mut text = PLANAR.replacen("L = \"1 m\"", "L = \"p0\"\n", 1);
    let mut chain = String::new();
    for k in 0..20_000 {
        let _ = writeln!(chain, "p{k} = \"p{}\"", k + 1);
    }
    text = text.replacen("L = \"p0\"\n", &format!("L = \"p0\"\n{chain}p20000 = \"1 m\"\n"), 1);
    assert!(parse("f", &text, &[]).is_ok());
}

#[test]
fn loads_drives_and_conditions_are_judged() {
    let table: [(&str, &str); 12] = [
        (
            "[loads.x]\ntype = \"spring\"\nconnects = [\"ground\", \"rod\"]\nlength = 1\n",
            "stiffness",
        ),
        (
            "[loads.x]\ntype = \"spring\"\nconnects = [\"ground\", \"rod\"]\nstiffness = 1\n",
            "length",
        ),
        ("[loads.x]\ntype = \"spring\"\nstiffness = 1\nlength = 1\n", "connects"),
        (
            "[loads.x]\ntype = \"spring\"\nconnects = [\"ground\", \"rod\"]\nlength = 1\nstiffness = -1\n",
            "at least 0",
        ),
        ("[loads.x]\ntype = \"force\"\nforce = [1, 1]\n", "`body` is missing"),
        ("[loads.x]\ntype = \"force\"\nbody = \"ground\"\nforce = [1, 1]\n", "does not move"),
        ("[loads.x]\ntype = \"effort\"\njoint = \"pivot\"\neffort = \"1 N\"\n", "[N m]"),
        (
            "[loads.x]\ntype = \"effort\"\njoint = \"pivot\"\ncoordinate = \"slide\"\neffort = 1\n",
            "no coordinate `slide`",
        ),
        ("[drives.x]\njoint = \"pivot\"\nmotion = \"q.guide\"\n", "belong into loads"),
        ("[initial]\nbranch = \"q.pivot\"\n", "one `<` or `>`"),
        ("[initial]\nbranch = \"q.pivot > v.pivot\"\n", "unknown name `v.pivot`"),
        ("[initial]\nkinetic_energy = -1\n", "at least 0"),
    ];
    for (text, expected) in table {
        let (_, mistake) = appended(PLANAR, text);
        assert!(mistake.to_string().contains(expected), "{text}{mistake}");
    }
    let (_, mistake) = changed(PLANAR, "mass = 2", "mass = \"2*t\"");
    assert!(mistake.to_string().contains("drives and loads"), "{mistake}");
    let free = "[drives.x]\njoint = \"free\"\ncoordinate = \"rx\"\nmotion = \"t\"\n";
    assert!(appended(SPATIAL, free).1.to_string().contains("rotation in space"));
    let several = "[drives.x]\njoint = \"free\"\nmotion = \"t\"\n";
    assert!(appended(SPATIAL, several).1.to_string().contains("several coordinates"));
}

#[test]
fn planar_models_stay_in_their_plane() {
    let (_, mistake) = changed(PLANAR, "type = \"revolute\"", "type = \"spherical\"");
    assert!(matches!(mistake, Mistake::Mechanism(Problem::NotPlanar { .. })), "{mistake}");
    let (_, mistake) = changed(PLANAR, "{ sphere = 0.1 }", "{ cylinder = [1, 1] }");
    assert!(matches!(mistake, Mistake::Mechanism(Problem::NotPlanar { .. })), "{mistake}");
    let (_, mistake) = changed(PLANAR, "type = \"revolute\"", "type = \"revolute\"\naxis = [1, 0]");
    assert!(matches!(mistake, Mistake::Conflict(_)), "{mistake}");
    let closure = "[closures.c]\ntype = \"floating\"\nconnects = [\"rod\", \"block\"]\n";
    assert!(matches!(appended(PLANAR, closure).1, Mistake::Conflict(_)));
}

#[test]
fn all_faults_of_a_file_are_reported_with_their_lines() {
    let text = PLANAR
        .replacen("mass = 1\n", "mass = 0\n", 1)
        .replacen("mass = 2\n", "mas = 2\n", 1)
        .replacen("{ sphere = 0.1 }", "{ sphere = \"0.1 kg\" }", 1)
        .replacen("type = \"prismatic\"", "type = \"prismatic\"\nposition = \"2 mm + q\"", 1);
    let error = parse("f.toml", &text, &[]).unwrap_err();
    let lines: Vec<String> = error
        .to_string()
        .lines()
        .filter(|l| l.starts_with("f.toml:"))
        .map(|l| l.split(": ").take(2).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(
        lines,
        [
            "f.toml:7:8 bodies.rod.mass",
            "f.toml:10:27 bodies.rod.contact.ball.sphere",
            "f.toml:11:9 bodies.block",
            "f.toml:12:1 bodies.block.mas",
            "f.toml:23:20 joints.guide.position",
        ],
        "{error}"
    );
    assert_eq!(error.count(), 5);
    assert_eq!(error.findings().len(), 5);
    assert!(error.to_string().contains("   12 | mas = 2\n      | ^~~\n"), "{error}");
}

#[test]
fn what_is_not_toml_is_refused_with_its_line() {
    let syntax = |text: &str| match parse("f.toml", text, &[]) {
        Err(LoadError::Syntax { faults, source_text }) => {
            let first = faults[0].span.clone().map(|s| source_text.position(s.start));
            (first, faults[0].message.clone())
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(syntax("carom = 1\nspace = planar\n").0, Some((2, 9)));
    assert_eq!(syntax("carom = 1\ncarom = 1\n"), (Some((2, 1)), "duplicate key".to_owned()));
    assert_eq!(syntax("[a]\nx = 1\n[a]\ny = 1\n").0.map(|p| p.0), Some(3));
    assert!(syntax("carom = [1, 2\n").0.is_some());
    assert!(syntax("= 3").0.is_some());
}

#[test]
fn what_is_not_a_file_of_text_is_refused() {
    for empty in ["", " \n\t\n", "\u{feff}"] {
        assert!(matches!(parse("f", empty, &[]), Err(LoadError::Empty { .. })));
    }
    assert!(matches!(parse("f", "a = 1\0", &[]), Err(LoadError::Binary { at: 5, .. })));
    let folder = std::env::temp_dir().join(format!("carom-refusal-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let binary = folder.join("binary.toml");
    std::fs::write(&binary, [b'a', 0xff, 0xfe, 0]).unwrap();
    assert!(matches!(load(&binary, &[]), Err(LoadError::Binary { at: 1, .. })));
    let large = folder.join("large.toml");
    let file = std::fs::File::create(&large).unwrap();
    file.set_len(carom::file::MOST_BYTES + 1).unwrap();
    assert!(matches!(load(&large, &[]), Err(LoadError::TooLarge { .. })));
    assert!(matches!(load(&folder.join("none.toml"), &[]), Err(LoadError::Unreadable { .. })));
    assert!(matches!(load(&folder, &[]), Err(LoadError::Unreadable { .. })));
    std::fs::remove_dir_all(&folder).unwrap();
    let set = [("bodies.rod.mass.x".to_owned(), "1".to_owned())];
    assert!(matches!(parse("f", PLANAR, &set), Err(LoadError::Set(_))));
}

#[test]
fn bombs_are_refused_and_not_followed() {
    let many = 100_000;
    let inner = format!("{{ {} = 1 }}", vec!["a"; 70].join("."));
    let mut nested = inner.clone();
    for _ in 0..70 {
        nested = format!("{{ {} = {nested} }}", vec!["a"; 70].join("."));
    }
    let bombs = [
        format!("a = {}", "[".repeat(many)),
        format!("a = {}{}", "[".repeat(many), "]".repeat(many)),
        format!("a = {}", "{ a = ".repeat(many)),
        format!("{} = 1", vec!["a"; many].join(".")),
        format!("[{}]", vec!["a"; many].join(".")),
        "[[".repeat(many),
        format!("a = {nested}"),
        format!("a = {}{}", "[".repeat(60), "]".repeat(60)),
    ];
    for bomb in bombs {
        let error = parse("f", &bomb, &[]).unwrap_err();
        assert!(matches!(error, LoadError::Syntax { .. }), "{}: {error}", &bomb[..20]);
        assert!(error.to_string().len() < 100_000);
    }
    let deep = format!("mass = \"{}1\"", "(".repeat(many));
    let (_, mistake) = changed(PLANAR, "mass = 2", &deep);
    assert!(matches!(mistake, Mistake::Expression(ExpressionError::TooDeep { .. })), "{mistake}");
    let path = vec!["a"; many].join(".");
    assert!(parse("f", PLANAR, &[(path, "1".to_owned())]).is_err());
}

#[test]
fn a_chain_of_a_hundred_thousand_bodies_is_a_model() {
    let mut text = "carom = 1\nspace = \"planar\"\n".to_owned();
    for k in 0..100_000 {
        let parent = if k == 0 { "ground".to_owned() } else { format!("b{}", k - 1) };
        let _ = write!(
            text,
            "[bodies.b{k}]\nmass = 1\nshape = {{ rod = 1 }}\n[joints.j{k}]\ntype = \"revolute\"\n\
             connects = [\"{parent}\", \"b{k}\"]\nat = [[0.5, 0], [-0.5, 0]]\n"
        );
    }
    let loaded = parse("f", &text, &[]).unwrap();
    assert_eq!(loaded.model.nv, 100_000);
    // And with a fault in every body.
    let error = parse("f", &text.replace("mass = 1", "mas = 1"), &[]).unwrap_err();
    assert!(error.count() >= 200_000);
    assert!(error.to_string().contains("… and "));
}

#[test]
fn a_driven_joint_is_free_to_follow() {
    let drive = "[drives.d]\njoint = \"pivot\"\nmotion = \"t\"\n";
    let locked = PLANAR.replacen("type = \"revolute\"", "type = \"revolute\"\nlocked = true", 1);
    let (path, mistake) = appended(&locked, drive);
    assert_eq!(path, "drives.d.joint");
    assert!(matches!(mistake, Mistake::Mechanism(Problem::Conflict { .. })), "{mistake}");
    let twice = format!("{drive}[drives.e]\njoint = \"pivot\"\nmotion = \"2*t\"\n");
    assert!(appended(PLANAR, &twice).1.to_string().contains("driven twice"));
}

#[test]
fn parts_that_no_file_can_describe_are_refused_too() {
    use carom::maths::{Mat3, Vec3, spatial::rotation_from_z};
    use carom::model::parts::{BodyPart, ContactPart, ContactPlace, JointPart, Parts, PointPart};
    use carom::model::{ContactDefaults, JointKind, Model, Space};

    let mut parts = Parts::new(Space::Planar);
    let inertia = Mat3::identity();
    let center = Vec3::zeros();
    parts.bodies.push(BodyPart { name: "a".into(), mass: 1.0, center, inertia, payload: false });
    let mut joint = JointPart::new("j", JointKind::Revolute, None, 0);
    joint.in_parent.rotation = rotation_from_z(&Vec3::x());
    parts.joints.push(joint);
    let at = |body| PointPart { body, at: Vec3::zeros() };
    let normal = Vec3::zeros();
    let place = ContactPlace::Points { a: at(None), b: at(Some(0)), normal_in: None, normal };
    let defaults = ContactDefaults::default();
    parts.contacts.push(ContactPart { name: "c".into(), place, defaults });
    let faults = Model::new(&parts).unwrap_err();
    assert!(faults.iter().any(|f| matches!(f.problem, Problem::LeavesPlane { .. })));
    assert!(faults.iter().any(|f| matches!(f.problem, Problem::NoDirection { .. })));
}

#[test]
fn an_unfinished_file_says_what_it_lacks() {
    let error = parse("f.toml", "title = \"x\"", &[]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "f.toml: `carom` is missing: The format of this file: 1.\n\
         f.toml: `space` is missing: Motion in the x-y plane or in space."
    );
    assert_eq!(error.findings()[0].to_string(), "`carom` is missing: The format of this file: 1.");
}

mod never_panics {
    use super::{PLANAR, SPATIAL};
    use carom::file::parse;
    use carom::maths::expression::{Expression, Scope};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn on_any_text(text in "\\PC{0,200}") {
            let _ = parse("f", &text, &[]).map_err(|e| e.to_string());
        }

        #[test]
        fn on_a_file_with_a_piece_replaced(
            spatial in any::<bool>(),
            at in 0_usize..400,
            length in 0_usize..30,
            new in "[-a-z0-9 .,=\"\\[\\]{}()\\n#*/^φ]{0,12}",
        ) {
            let base = if spatial { SPATIAL } else { PLANAR };
            let start = at.min(base.len());
            let end = (start + length).min(base.len());
            let text = format!("{}{new}{}", &base[..start], &base[end..]);
            let _ = parse("f", &text, &[]).map_err(|e| e.to_string());
        }

        #[test]
        fn on_any_edit(path in "[a-z.\"0-9]{0,20}", value in "\\PC{0,30}") {
            let _ = parse("f", PLANAR, &[(path, value)]).map_err(|e| e.to_string());
        }

        #[test]
        fn on_any_expression(text in "[-+*/^(),.a-z0-9 eµφ]{0,60}") {
            if let Ok(expression) = Expression::parse(&text, Scope::Motion) {
                let _ = expression.resolve(|_| Err(String::new()));
            }
        }
    }
}

#[test]
fn a_misspelt_space_does_not_hide_the_other_faults() {
    let text = "carom = 1\nspace = \"planer\"\n[bodies.rod]\nmass = -1\nshape = { rod = 1 }\n";
    let error = carom::file::parse("machine.toml", text, &[]).unwrap_err().to_string();
    assert!(error.contains("machine.toml:2:9"), "{error}");
    assert!(error.contains("machine.toml:4:8"), "{error}");
    // Where even the space is missing, the length of gravity tells.
    let text = "carom = 1\ngravity = [0, -9.81]\n[bodies.rod]\nmass = -1\nshape = { rod = 1 }\n";
    let error = carom::file::parse("machine.toml", text, &[]).unwrap_err().to_string();
    assert!(error.contains("space") && error.contains("machine.toml:4:8"), "{error}");
}
