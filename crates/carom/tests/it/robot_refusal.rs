//! Robots' files that have no meaning: each is refused with its line, what was found and what was expected.

use carom::{Import, Machine, MachineError};

use crate::robot_urdf::Folder;

/// A sound robot; line 1 is `<robot …>`.
const SOUND: &str = r#"<robot name="r">
<link name="base"/>
<link name="arm">
<inertial><origin xyz="0.1 0 0" rpy="0 0 0"/>
<mass value="2"/>
<inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/>
</inertial>
</link>
<link name="hand"><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="shoulder" type="revolute">
<parent link="base"/>
<child link="arm"/>
<origin xyz="0 0 1"/>
<axis xyz="0 0 1"/>
<limit lower="-1" upper="2" effort="10" velocity="1"/>
</joint>
<joint name="wrist" type="continuous"><parent link="arm"/><child link="hand"/><origin xyz="0.5 0 0"/><axis xyz="0 1 0"/></joint>
</robot>
"#;

fn open(name: &str, bytes: &[u8]) -> Result<Machine, MachineError> {
    let folder = Folder::new("refusal");
    let path = folder.write(&format!("{name}.urdf"), "");
    std::fs::write(&path, bytes).unwrap();
    Machine::import(path, &Import::default())
}

/// What is changed of the sound robot, to what, the line (0: none) and a part of the message.
const CHANGES: [(&str, &str, usize, &str); 51] = [
    // Masses.
    ("<mass value=\"1\"/>", "<mass value=\"0\"/>", 9, "has a mass of 0: expected a positive mass"),
    ("value=\"2\"", "value=\"-2\"", 5, "-2 is not a positive mass"),
    ("value=\"2\"", "value=\"nan\"", 5, "nan is not a finite number"),
    ("value=\"2\"", "value=\"inf\"", 5, "inf is not a finite number"),
    ("value=\"2\"", "value=\"1e999\"", 5, "1e999 is not a finite number"),
    ("<mass value=\"2\"/>", "", 4, "<inertial> has no <mass>"),
    ("value=\"2\"", "", 5, "<mass> has no `value`"),
    // Inertias.
    ("ixx=\"0.01\" iyy=\"0.02\"", "ixx=\"-0.01\" iyy=\"0.02\"", 6, "expected none below 0"),
    ("iyy=\"0.02\"", "iyy=\"0.2\"", 6, "exceeds the sum of the others"),
    (
        "ixy=\"0\" ixz=\"0\" iyz=\"0\"/>\n",
        "ixy=\"1\" ixz=\"0\" iyz=\"0\"/>\n",
        6,
        "expected none below 0",
    ),
    (" izz=\"0.02\"", "", 6, "<inertia> has no `izz`"),
    (
        "<inertial><mass value=\"1\"/><inertia ixx=\"0.01\" iyy=\"0.01\" izz=\"0.01\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>",
        "",
        9,
        "link `hand` moves with joint `wrist` and has no <inertial>",
    ),
    // Topology.
    ("<child link=\"hand\"/>", "<child link=\"base\"/>", 2, "is part of a cycle"),
    ("<parent link=\"base\"/>", "<parent link=\"hand\"/>", 3, "is part of a cycle"),
    ("<child link=\"hand\"/>", "<child link=\"arm\"/>", 17, "joins a link with itself"),
    (
        "<parent link=\"arm\"/><child link=\"hand\"/>",
        "<parent link=\"hand\"/><child link=\"arm\"/>",
        17,
        "has two parents",
    ),
    (
        "<link name=\"base\"/>",
        "<link name=\"base\"/><link name=\"island\"/>",
        2,
        "`island` is a second root",
    ),
    ("<link name=\"hand\">", "<link name=\"arm\">", 9, "a second link `arm`"),
    ("<joint name=\"wrist\"", "<joint name=\"shoulder\"", 17, "a second joint `shoulder`"),
    ("<child link=\"hand\"/>", "<child link=\"hant\"/>", 17, "is no link; is `hand` meant?"),
    (
        "<parent link=\"base\"/>",
        "<parent link=\"nothing\"/>",
        11,
        "its parent `nothing` is no link",
    ),
    ("<parent link=\"base\"/>", "", 10, "has no <parent>"),
    ("<child link=\"arm\"/>", "", 10, "has no <child>"),
    ("<child link=\"arm\"/>", "<child/>", 12, "<child> has no `link`"),
    // Joints.
    ("type=\"revolute\"", "type=\"hinge\"", 10, "`hinge` is not a type of joint"),
    ("type=\"revolute\"", "", 10, "<joint> has no `type`"),
    ("<axis xyz=\"0 0 1\"/>", "<axis xyz=\"0 0 0\"/>", 14, "an axis of length zero"),
    (
        "<axis xyz=\"0 0 1\"/>",
        "<axis xyz=\"0 1\"/>",
        14,
        "found 2 number(s) (\"0 1\") where 3 are expected",
    ),
    ("<axis xyz=\"0 0 1\"/>", "<axis xyz=\"up\"/>", 14, "found 1 number(s)"),
    (
        "lower=\"-1\" upper=\"2\"",
        "lower=\"2\" upper=\"-1\"",
        15,
        "its lower limit 2 is above its upper limit -1",
    ),
    ("<origin xyz=\"0 0 1\"/>", "<origin xyz=\"0 0 one\"/>", 13, "\"one\" is not a number"),
    ("<origin xyz=\"0 0 1\"/>", "<origin xyz=\"0 0 0,5\"/>", 13, "decimals have a point"),
    ("<origin xyz=\"0 0 1\"/>", "<origin xyz=\"0 0 1 2\"/>", 13, "found 4 number(s)"),
    (
        "<origin xyz=\"0 0 1\"/>",
        "<origin xyz=\"0 0 1\"/><origin xyz=\"0 0 2\"/>",
        13,
        "a second <origin>",
    ),
    (
        "<origin xyz=\"0 0 1\"/>",
        "<origin xyz=\"0 0 1\"/><dynamics damping=\"-1\"/>",
        13,
        "a damping of -1 would drive it",
    ),
    // Joints that follow others.
    ("<axis xyz=\"0 0 1\"/>", "<mimic joint=\"shoulder\"/>", 14, "mimics itself"),
    (
        "<axis xyz=\"0 0 1\"/>",
        "<mimic joint=\"wrists\"/>",
        14,
        "which is no joint; is `wrist` meant?",
    ),
    ("<axis xyz=\"0 0 1\"/>", "<mimic/>", 14, "<mimic> has no `joint`"),
    // Names.
    ("<link name=\"base\"/>", "<link name=\"\"/>", 2, "the `name` of <link> is empty"),
    ("<link name=\"base\"/>", "<link/>", 2, "<link> has no `name`"),
    ("name=\"wrist\"", "name=\" \"", 17, "the `name` of <joint> is empty"),
    (
        "<link name=\"base\"/>",
        "<link name=\"base\"/><link name=\"a.b\"/><link name=\"a/b\"/><joint name=\"x\" type=\"fixed\"><parent link=\"base\"/><child link=\"a.b\"/></joint><joint name=\"y\" type=\"fixed\"><parent link=\"base\"/><child link=\"a/b\"/></joint>",
        2,
        "would both be called `a_b`",
    ),
    // The text itself.
    ("</robot>", "", 0, "truncated"),
    ("</inertial>\n</link>", "</inertial>", 0, "not XML"),
    ("<robot name=\"r\">", "<robot name=\"r\"><xacro:macro name=\"m\"/>", 1, "xacro"),
    ("xyz=\"0 0 1\"/>\n<axis", "xyz=\"0 0 ${h}\"/>\n<axis", 13, "xacro"),
    (
        "<robot name=\"r\">",
        "<!DOCTYPE r [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]><robot name=\"r\">",
        1,
        "DTD",
    ),
    (
        "<robot name=\"r\">",
        "<!DOCTYPE r [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><robot name=\"r\">",
        1,
        "DTD",
    ),
    ("name=\"base\"", "name=\"&base;\"", 2, "not XML"),
    ("name=\"base\"", "name=\"ba\u{0}se\"", 2, "byte"),
    ("<robot name=\"r\">", "<machine>", 0, "not XML"),
];

#[test]
fn a_name_that_is_too_long_for_the_model_file_is_refused_with_its_line() {
    let text = SOUND.replacen("name=\"base\"", &format!("name=\"{}\"", "a".repeat(91)), 1);
    let message = open("long", text.as_bytes()).unwrap_err().to_string();
    let expected = "a name of 91 letters: at most 90 are expected";
    assert!(message.contains(expected) && message.contains("long.urdf:2:"), "{message}");
    let text = "<mujoco><worldbody>\n<body name=\"N\"><joint/><geom size=\"1\"/></body></worldbody></mujoco>";
    let text = text.replace('N', &"ü".repeat(91));
    let message = open("long", text.as_bytes()).unwrap_err().to_string();
    assert!(message.contains(expected) && message.contains("long.urdf:2:"), "{message}");
}

#[test]
fn every_bad_robot_is_refused_with_its_line() {
    open("sound", SOUND.as_bytes()).unwrap();
    for (k, (from, to, line, expected)) in CHANGES.into_iter().enumerate() {
        assert!(SOUND.contains(from), "{from}");
        let text = SOUND.replacen(from, to, 1);
        let message = open("bad", text.as_bytes()).expect_err(&format!("{k}: {to}")).to_string();
        assert!(message.contains(expected), "{k}: {to}: expected `{expected}` in:\n{message}");
        if line > 0 {
            assert!(
                message.contains(&format!("bad.urdf:{line}:")),
                "{k}: {to}: line {line} in:\n{message}"
            );
        }
    }
}

#[test]
fn what_is_no_text_in_utf_8_is_refused() {
    let latin = [b"<robot name=\"".as_slice(), &[0xE4], b"\"/>"].concat();
    let utf16: Vec<u8> = SOUND.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = [[0xFF, 0xFE].as_slice(), &utf16].concat();
    let deep = format!("<robot>{}", "<a>".repeat(100_000));
    let wide = format!("<robot>{}</robot>", "<a/>".repeat(1_100_000));
    let cases: [(&[u8], &str); 9] = [
        (b"", "the file is empty"),
        (b" \n", "the file is empty"),
        (b"carom = 1", "not XML"),
        (b"<sdf/>", "found the root element <sdf>: expected <robot>"),
        (&latin, "byte 13 is no text (UTF-8 is expected)"),
        (&utf16, "byte 1 is no text"),
        (&marked, "byte 0 is no text"),
        (deep.as_bytes(), "truncated"),
        (wide.as_bytes(), "more than 1000000 elements"),
    ];
    for (bytes, expected) in cases {
        let message = open("bad", bytes).unwrap_err().to_string();
        assert!(message.contains(expected), "expected `{expected}` in:\n{message}");
    }
    let bom = format!("\u{feff}{SOUND}");
    open("bom", bom.as_bytes()).unwrap();
}

#[test]
fn what_is_odd_is_read_with_a_note() {
    let cases = [
        ("<axis xyz=\"0 0 1\"/>", "<axis xyz=\"0 0 2\"/>", "its axis has the length 2.0"),
        ("<axis xyz=\"0 0 1\"/>", "", "states no axis: x"),
        ("<origin xyz=\"0 0 1\"/>", "<origin xyz=\"0 0 1000\"/>", "millimetres"),
        ("value=\"2\"", "value=\"20000\"", "grams"),
        (
            "ixx=\"0.01\" iyy=\"0.02\" izz=\"0.02\"",
            "ixx=\"10000\" iyy=\"20000\" izz=\"20000\"",
            "radius of gyration",
        ),
        (
            "type=\"continuous\">",
            "type=\"fixed\"><mimic joint=\"shoulder\"/>",
            "its <mimic> is ignored",
        ),
        ("<robot name=\"r\">", "<robot name=\"r\"><gazebo/><gazebo/>", "not read: <gazebo> (2)"),
        (
            "name=\"hand\"><inertial>",
            "name=\"hand\"><collision><geometry><mesh filename=\"package://a/b.stl\"/></geometry></collision><inertial>",
            "collision meshes are no contact shapes, they are drawn at most: `package://a/b.stl`",
        ),
        (
            "name=\"hand\"><inertial>",
            "name=\"hand\"><visual><geometry><mesh filename=\"b.dae\"/></geometry></visual><inertial>",
            "meshes are read from .stl and .obj files only: `b.dae`; of 1 of them nothing is drawn",
        ),
    ];
    for (from, to, expected) in cases {
        assert!(SOUND.contains(from), "{from}");
        let machine = open("odd", SOUND.replacen(from, to, 1).as_bytes()).unwrap();
        let cautions = machine.check().unwrap().cautions;
        assert!(cautions.iter().any(|c| c.message.contains(expected)), "{expected}: {cautions:?}");
    }
}

#[test]
fn options_that_name_nothing_are_refused() {
    let folder = Folder::new("options");
    let path = folder.write("r.urdf", SOUND);
    let names = |name: &str| vec![name.to_owned()];
    let cases = [
        (
            Import { drop: names("hant"), ..Import::default() },
            "drop: the robot has no link `hant`; is `hand` meant?",
        ),
        (Import { drop: names("base"), ..Import::default() }, "nothing would be left"),
        (
            Import { weld: names("elbow"), ..Import::default() },
            "weld: the robot has no joint `elbow`",
        ),
        (
            Import { weld: vec!["shoulder".to_owned(), "wrist".to_owned()], ..Import::default() },
            "nothing moves",
        ),
        (
            Import { rotors: vec![("wrist".to_owned(), -1.0)], ..Import::default() },
            "not an inertia of at least 0",
        ),
        (
            Import { tip: Some("tool".to_owned()), ..Import::default() },
            "tip: the robot has no link `tool`",
        ),
        (Import { payload: Some((1.0, [0.0; 3])), ..Import::default() }, "name a link as `tip`"),
        (
            Import {
                tip: Some("base".to_owned()),
                payload: Some((1.0, [0.0; 3])),
                ..Import::default()
            },
            "is ground and carries nothing",
        ),
    ];
    for (options, expected) in cases {
        let message = Machine::import(&path, &options).unwrap_err().to_string();
        assert!(message.contains(expected), "expected `{expected}` in:\n{message}");
    }
    let dropped = Import { drop: names("hand"), ..Import::default() };
    assert_eq!(Machine::import(&path, &dropped).unwrap().model().bodies.len(), 1);
    let over = "carom = 1\n[robot]\nsource = \"r.urdf\"\nspeed = 3\npayload = { mass = \"x\" }\nbase = \"free\"\n";
    let message = Machine::open(folder.write("over.toml", over)).unwrap_err().to_string();
    for expected in [
        "over.toml:4:9",
        "unknown key `speed` of a robot",
        "robot.payload.mass",
        "`free` is not a choice",
    ] {
        assert!(message.contains(expected), "expected `{expected}` in:\n{message}");
    }
    let alone = Machine::from_text(over).unwrap_err().to_string();
    assert!(alone.contains("which a text without a place cannot name"), "{alone}");
}
