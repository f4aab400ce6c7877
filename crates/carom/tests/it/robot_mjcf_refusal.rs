//! MJCF files that have no meaning, or one that is not read: each is refused with its line, what was found and what was expected.

use carom::{Import, Machine, MachineError};

use crate::robot_urdf::Folder;

/// A sound robot; line 1 is `<mujoco …>`.
const SOUND: &str = r#"<mujoco model="r">
<compiler angle="radian" autolimits="true"/>
<default><default class="c"><geom density="500"/></default></default>
<worldbody>
<body name="arm" pos="0 0 1">
<joint name="shoulder" axis="0 0 1" range="-1 2"/>
<inertial pos="0.1 0 0" mass="2" diaginertia="0.01 0.02 0.02"/>
<body name="hand" pos="0.5 0 0" quat="1 0 0 0">
<joint name="wrist" axis="0 1 0"/>
<geom name="palm" class="c" type="capsule" size="0.1 0.2"/>
</body>
</body>
</worldbody>
<equality><joint name="e" joint1="shoulder" joint2="wrist"/></equality>
<keyframe><key name="k" qpos="0 0"/></keyframe>
</mujoco>
"#;

fn open(test: &str, bytes: &[u8]) -> Result<Machine, MachineError> {
    let folder = Folder::new(&format!("mjcf-{test}"));
    let path = folder.write("bad.xml", "");
    std::fs::write(&path, bytes).unwrap();
    Machine::import(path, &Import::default())
}

/// What is changed of the sound robot, to what, the line (0: none) and a part of the message.
const CHANGES: [(&str, &str, usize, &str); 62] = [
    // Masses.
    ("mass=\"2\"", "mass=\"-2\"", 7, "-2 is not a positive mass"),
    ("mass=\"2\"", "mass=\"nan\"", 7, "nan is not a finite number"),
    ("mass=\"2\"", "mass=\"1e999\"", 7, "1e999 is not a finite number"),
    ("mass=\"2\"", "", 7, "<inertial> has no `mass`"),
    ("pos=\"0.1 0 0\"", "", 7, "<inertial> has no `pos`"),
    (
        "diaginertia=\"0.01 0.02 0.02\"",
        "diaginertia=\"0.01 0.02 0.2\"",
        7,
        "exceeds the sum of the others",
    ),
    (
        "diaginertia=\"0.01 0.02 0.02\"",
        "diaginertia=\"-0.01 0.02 0.02\"",
        7,
        "expected none below 0",
    ),
    (
        "diaginertia=\"0.01 0.02 0.02\"",
        "diaginertia=\"0.01 0.02\"",
        7,
        "found 2 number(s) (\"0.01 0.02\") where 3 are",
    ),
    ("diaginertia=\"0.01 0.02 0.02\"", "fullinertia=\"1 1 1 2 0 0\"", 7, "expected none below 0"),
    (
        "diaginertia=",
        "quat=\"1 0 0 0\" fullinertia=\"1 1 1 0 0 0\" diaginertia=",
        7,
        "expected neither `diaginertia` nor an orientation",
    ),
    ("<inertial ", "<inertial pos=\"0 0 0\" mass=\"1\"/><inertial ", 7, "a second <inertial>"),
    (
        "type=\"capsule\" size=\"0.1 0.2\"",
        "type=\"capsule\" size=\"0.1\"",
        10,
        "a capsule has 2 positive size(s)",
    ),
    ("size=\"0.1 0.2\"", "size=\"0.1 -0.2\"", 10, "a size of -0.2"),
    ("size=\"0.1 0.2\"", "", 10, "a size of 0"),
    ("size=\"0.1 0.2\"", "size=\"0.1 0.2 3 4\"", 10, "expected at most 3 number(s)"),
    ("size=\"0.1 0.2\"", "size=\"0.1 0,2\"", 10, "decimals have a point"),
    ("size=\"0.1 0.2\"", "size=\"0.1 0.2\" mass=\"-1\"", 10, "`mass`: -1: at least 0"),
    ("density=\"500\"", "density=\"-5\"", 3, "`density`: -5: at least 0"),
    (
        "density=\"500\"",
        "densty=\"5\"",
        3,
        "`densty` is no attribute of <geom>; is `density` meant?",
    ),
    ("size=\"0.1 0.2\"", "size=\"0.1 0.2\" mass=\"0\"", 8, "link `hand` moves with joint `wrist`"),
    ("type=\"capsule\"", "type=\"mesh\" mesh=\"m\"", 10, "there is no mesh `m`"),
    (
        "type=\"capsule\" size=\"0.1 0.2\"",
        "type=\"ellipsoid\" size=\"1 2 3\" shellinertia=\"true\"",
        10,
        "shellinertia of an ellipsoid",
    ),
    ("type=\"capsule\"", "type=\"tube\"", 10, "`type`: \"tube\": expected one of plane"),
    (
        "type=\"capsule\" size=\"0.1 0.2\"",
        "type=\"sphere\" size=\"1\" fromto=\"0 0 0 1 0 0\"",
        10,
        "`fromto` of a sphere",
    ),
    ("size=\"0.1 0.2\"", "size=\"0.1\" fromto=\"0 0 0 0 0 0\"", 10, "length zero"),
    (
        "size=\"0.1 0.2\"",
        "size=\"0.1\" fromto=\"0 0 0 1 0 0\" pos=\"1 0 0\"",
        10,
        "both `pos` and `fromto`",
    ),
    // Joints.
    ("axis=\"0 1 0\"", "axis=\"0 0 0\"", 9, "`axis`: a vector of length zero"),
    ("axis=\"0 1 0\"", "type=\"screw\"", 9, "expected one of hinge, slide, ball, free"),
    ("axis=\"0 1 0\"", "type=\"free\"", 9, "a free joint is the only joint"),
    ("axis=\"0 1 0\"", "armature=\"-1\"", 9, "`armature`: -1"),
    ("axis=\"0 1 0\"", "damping=\"-1\"", 9, "`damping`: -1"),
    ("axis=\"0 1 0\"", "rang=\"0 1\"", 9, "`rang` is no attribute of <joint>; is `range` meant?"),
    ("axis=\"0 1 0\"", "limited=\"true\"", 9, "is limited and has no `range`"),
    ("axis=\"0 1 0\"", "class=\"d\"", 9, "there is no class `d`"),
    ("axis=\"0 1 0\"/>", "type=\"ball\"/><joint/>", 9, "expected no joint that turns behind it"),
    ("range=\"-1 2\"", "range=\"2 -1\"", 6, "its lower limit 2 is above its upper limit -1"),
    ("autolimits=\"true\"", "autolimits=\"false\"", 6, "has a `range` but not `limited`"),
    ("name=\"wrist\"", "name=\"shoulder\"", 9, "a second joint `shoulder`"),
    ("name=\"hand\"", "name=\"arm\"", 8, "a second body `arm`"),
    // Orientations.
    ("quat=\"1 0 0 0\"", "quat=\"0 0 0 0\"", 8, "a quaternion of zeros"),
    ("quat=\"1 0 0 0\"", "quat=\"1 0 0\"", 8, "found 3 number(s)"),
    (
        "quat=\"1 0 0 0\"",
        "quat=\"1 0 0 0\" euler=\"0 0 0\"",
        8,
        "states its orientation twice: quat, euler",
    ),
    ("quat=\"1 0 0 0\"", "xyaxes=\"1 0 0 2 0 0\"", 8, "the two axes are parallel"),
    ("quat=\"1 0 0 0\"", "zaxis=\"0 0 0\"", 8, "length zero"),
    // Settings and classes.
    ("angle=\"radian\"", "angle=\"grad\"", 2, "expected one of radian, degree"),
    ("angle=\"radian\"", "coordinate=\"global\"", 2, "is not read: expected \"local\""),
    ("angle=\"radian\"", "eulerseq=\"xyq\"", 2, "expected three letters of xyzXYZ"),
    (
        "angle=\"radian\"",
        "angel=\"radian\"",
        2,
        "`angel` is no attribute of <compiler>; is `angle` meant?",
    ),
    (
        "<default><default class=\"c\">",
        "<default class=\"c\"><default class=\"d\">",
        3,
        "the outermost class is called `main`",
    ),
    ("<default class=\"c\">", "<default>", 3, "has no `class`"),
    // The tree.
    (
        "<body name=\"arm\"",
        "<replicate/><body name=\"arm\"",
        5,
        "makes bodies that are not in the file",
    ),
    ("<body name=\"arm\"", "<bodie/><body name=\"arm\"", 5, "<bodie> is no element of a body"),
    ("<body name=\"arm\"", "<joint/><body name=\"arm\"", 5, "the world has no joints"),
    ("<worldbody>", "<worldbody pos=\"1 0 0\">", 4, "`pos` is no attribute of <worldbody>"),
    ("<keyframe>", "<keyframes/><keyframe>", 15, "<keyframes> is no element of <mujoco>"),
    // Equalities and keyframes.
    ("joint2=\"wrist\"", "joint2=\"wrists\"", 14, "there is no joint `wrists`; is `wrist` meant?"),
    (
        "joint2=\"wrist\"",
        "joint2=\"wrist\" polycoef=\"0 1 2\"",
        14,
        "terms above the first degree; a coupling of a model is linear (leave it out: --drop e)",
    ),
    (
        "<joint name=\"e\" joint1=\"shoulder\" joint2=\"wrist\"/>",
        "<connect body1=\"arm\"/>",
        14,
        "<connect> has no `anchor`",
    ),
    ("qpos=\"0 0\"", "qpos=\"0 0 0\"", 15, "found 3 number(s): the robot has 2 coordinates"),
    // The text itself.
    ("</mujoco>", "", 0, "truncated"),
    ("<mujoco model=\"r\">", "<!DOCTYPE r [<!ENTITY a \"aaaa\">]><mujoco model=\"r\">", 1, "DTD"),
    ("name=\"arm\"", "name=\"ar\u{0}m\"", 5, "byte"),
];

#[test]
fn every_bad_model_is_refused_with_its_line() {
    open("line", SOUND.as_bytes()).unwrap();
    for (k, (from, to, line, expected)) in CHANGES.into_iter().enumerate() {
        assert!(SOUND.contains(from), "{from}");
        let text = SOUND.replacen(from, to, 1);
        let message = open("line", text.as_bytes()).expect_err(&format!("{k}: {to}")).to_string();
        assert!(message.contains(expected), "{k}: {to}: expected `{expected}` in:\n{message}");
        if line > 0 {
            assert!(
                message.contains(&format!("bad.xml:{line}:")),
                "{k}: {to}: line {line} in:\n{message}"
            );
        }
    }
}

#[test]
fn what_is_no_robot_is_refused() {
    let utf16: Vec<u8> = SOUND.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let deep = format!("<mujoco><worldbody>{}", "<body>".repeat(100_000));
    let cases: [(&[u8], &str); 7] = [
        (b"", "the file is empty"),
        (b"<sdf/>", "expected <robot> (URDF) or <mujoco> (MJCF)"),
        (b"<mujoco/>", "the robot has no <worldbody>"),
        (b"<mujoco><worldbody/></mujoco>", "nothing moves"),
        (&utf16, "is no text"),
        (deep.as_bytes(), "truncated"),
        (b"<mujoco><include/></mujoco>", "<include> has no `file`"),
    ];
    for (bytes, expected) in cases {
        let message = open("none", bytes).unwrap_err().to_string();
        assert!(message.contains(expected), "expected `{expected}` in:\n{message}");
    }
    open("none", format!("\u{feff}{SOUND}").as_bytes()).unwrap();
    // Bodies inside each other without end are read without a stack that ends.
    let chain = format!(
        "<mujoco><worldbody>{}{}</worldbody></mujoco>",
        "<body><joint/><geom size=\"1\"/>".repeat(5000),
        "</body>".repeat(5000)
    );
    assert_eq!(open("none", chain.as_bytes()).unwrap().model().bodies.len(), 5000);
}

#[test]
fn what_is_not_read_is_listed() {
    let cases = [
        (
            "<keyframe>",
            "<sensor/><actuator><motor joint=\"wrist\"/></actuator><keyframe>",
            "not read: <motor> (1), <sensor> (1)",
        ),
        (
            "<keyframe>",
            "<tendon><spatial name=\"s\"/></tendon><keyframe>",
            "not read: <spatial> (1)",
        ),
        (
            "<body name=\"hand\"",
            "<body name=\"hand\" gravcomp=\"1\"",
            "`gravcomp` of body `hand` is not read",
        ),
        (
            "<body name=\"hand\"",
            "<site name=\"hand\"/><body name=\"hand\"",
            "site `hand` has the name of a body and is called `hand_site`",
        ),
        ("axis=\"0 1 0\"", "springdamper=\"1 1\"", "`springdamper`, which is not read"),
        ("axis=\"0 1 0\"", "stiffness=\"1 2\"", "only the linear part is read"),
        ("joint2=\"wrist\"", "joint2=\"wrist\" active=\"false\"", "is switched off in the file"),
        ("<keyframe>", "<option density=\"1.2\"/><keyframe>", "drag of a medium"),
        ("</worldbody>", "<body mocap=\"true\" name=\"m\"/></worldbody>", "is moved from outside"),
        ("model=\"r\"", "", "keyframes, one of which may be asked for: `k`"),
    ];
    for (from, to, expected) in cases {
        assert!(SOUND.contains(from), "{from}");
        let machine = open("listed", SOUND.replacen(from, to, 1).as_bytes()).unwrap();
        let cautions = machine.check().unwrap().cautions;
        assert!(cautions.iter().any(|c| c.message.contains(expected)), "{expected}: {cautions:?}");
    }
    let folder = Folder::new("mjcf-drop");
    let curved = SOUND.replace("joint2=\"wrist\"", "joint2=\"wrist\" polycoef=\"0 1 2\"");
    let drop = Import { drop: vec!["e".to_owned()], ..Import::default() };
    let machine = Machine::import(folder.write("r.xml", &curved), &drop).unwrap();
    assert_eq!(machine.model().closures.len(), 0);
}
