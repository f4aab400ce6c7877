//! Random changes of robots' files: whatever comes out is read or refused, and what is read becomes a model file that is TOML.

use carom::file::{LoadError, parse};
use carom::robot::{Options, model_file, urdf};

use crate::random_mechanism::Random;

/// How many changed files are read.
const MUTATIONS: usize = 20_000;
/// Of the model files that come out, one in so many is also built: that takes a hundred times longer.
const BUILT: usize = 20;

const ARM: &str = include_str!("../../../../models/robots/arm.urdf");
const ODD: &str = r#"<?xml version="1.0"?><robot name="ö &amp; ü"><link name="world"/><link name="a b"/>
<link name="c"><inertial><origin rpy="1 2 3"/><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision name="x"><geometry><box size="1 2 3"/></geometry></collision><collision><geometry><mesh filename="m.stl"/></geometry></collision></link>
<link name="d"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="f" type="floating"><parent link="world"/><child link="a b"/></joint>
<joint name="p" type="planar"><parent link="a b"/><child link="c"/><axis xyz="0 1 1"/></joint>
<joint name="s" type="prismatic"><parent link="c"/><child link="d"/><limit upper="1" effort="1" velocity="1"/><dynamics damping="1" friction="2"/></joint>
<transmission><joint name="s"/><actuator><mechanicalReduction>50</mechanicalReduction><drake:rotor_inertia value="1"/></actuator></transmission>
</robot>"#;

/// Texts that stand in the place of a value.
const VALUES: [&str; 20] = [
    "nan", "-1", "0", "1e60", "1e-300", "-0", "", "world", "ground", "fixed", "planar", "floating",
    "1", "0.5", "0 0 1", "2 0 0", "a b", "c", "joint_2", "é",
];
/// Texts that stand anywhere.
const MARKUP: [&str; 16] = [
    ",",
    "<",
    "/>",
    "<link name=\"a b\"/>",
    "&#0;",
    "&lt;",
    "<![CDATA[",
    "<!--",
    "xmlns:q=\"\"",
    "q:",
    "<mimic joint=\"s\"/>",
    "\u{0}",
    "'",
    "<inertial>",
    "]]>",
    "<a/>",
];

fn mutated(random: &mut Random, text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(3) {
        let length = bytes.len().max(1);
        let at = random.below(length);
        let end = (at + random.below(40)).min(bytes.len());
        match random.below(24) {
            0 | 1 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
            2 => drop(bytes.drain(at.min(end)..end)),
            3 => {
                let piece = bytes[at.min(end)..end].to_vec();
                let to = random.below(length);
                bytes.splice(to..to, piece);
            }
            4 => bytes.truncate(at),
            5 | 6 => {
                let word = MARKUP[random.below(MARKUP.len())].bytes();
                bytes.splice(at..at, word);
            }
            _ => {
                let rest = bytes.get(at..).unwrap_or_default();
                let Some(start) = rest.windows(2).position(|w| w == b"=\"") else { continue };
                let start = at + start + 2;
                let Some(value) = bytes[start..].iter().position(|b| *b == b'"') else { continue };
                let word = VALUES[random.below(VALUES.len())].bytes();
                bytes.splice(start..start + value, word);
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn changed_robots_are_read_or_refused_and_never_panic() {
    let mut random = Random(2024);
    let options = [
        Options::default(),
        Options { floating: true, stops: true, ..Options::default() },
        Options {
            tip: Some("tool_tip".to_owned()),
            payload: Some((1.0, [0.1, 0.0, 0.0])),
            ..Options::default()
        },
    ];
    let (mut read, mut written, mut built) = (0, 0, 0);
    for k in 0..MUTATIONS {
        let text = mutated(&mut random, if k % 2 == 0 { ARM } else { ODD });
        let faults = match urdf::read(&text) {
            Err(faults) => faults,
            Ok((robot, notes)) => {
                read += 1;
                match model_file(robot, &options[random.below(3)], "m.urdf", notes) {
                    Err(faults) => faults,
                    Ok(model) => {
                        written += 1;
                        if written % BUILT == 0 {
                            match parse("m", &model, &[]) {
                                Ok(_) => built += 1,
                                Err(LoadError::Refused { .. }) => {}
                                Err(other) => panic!("{other}\n{model}"),
                            }
                        }
                        continue;
                    }
                }
            }
        };
        assert!(!faults.is_empty(), "a refusal says why:\n{text}");
        for fault in &faults {
            let inside =
                fault.span.as_ref().is_none_or(|s| s.start <= s.end && s.end <= text.len());
            assert!(inside, "{fault:?} is outside of\n{text}");
        }
    }
    // The loop exercises what it says: of each kind there are many.
    assert!(read > 2000 && written > 1000 && built > 30, "{read} {written} {built}");
    assert!(MUTATIONS - read > 2000, "{read}");
}
