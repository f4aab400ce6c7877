//! Any text as an MJCF: read or refused, and what is read becomes a model file that is TOML. It may include one small file and name one mesh.
#![no_main]

use carom::file::toml::describe;
use carom::maths::mesh::Mesh;
use carom::robot::{Options, mjcf, model_file};
use libfuzzer_sys::fuzz_target;

const PART: &str = "<mujocoinclude><default><default class='part'><joint armature='1'/></default></default></mujocoinclude>";
const WEDGE: &[u8] =
    b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

fuzz_target!(|text: &str| {
    let mut load = |file: &str| match file {
        "part.xml" => Ok((file.to_owned(), PART.to_owned())),
        _ => Err("no such file".to_owned()),
    };
    let mesh = |file: &str| match file {
        "m/b.obj" => Mesh::read_first_object(file, WEDGE).map_err(|error| error.to_string()),
        _ => Err("no such file".to_owned()),
    };
    let mjcf::MjcfReading { included, robot } = mjcf::read("robot.xml", text, &mut load, &mesh);
    let length = text.len() + included.iter().map(|file| file.1.len() + 1).sum::<usize>();
    let read = robot.and_then(|(robot, notes)| {
        let keyframe = robot.keyframes.first().map(|key| key.name.clone());
        let options = Options { stops: true, keyframe, ..Options::default() };
        model_file(robot, &options, "robot.xml", notes)
    });
    match read {
        Ok(model) => assert!(describe(&model).is_ok(), "{model}"),
        Err(faults) => {
            assert!(!faults.is_empty());
            for span in faults.iter().filter_map(|fault| fault.span.as_ref()) {
                assert!(span.start <= span.end && span.end <= length);
            }
        }
    }
});
