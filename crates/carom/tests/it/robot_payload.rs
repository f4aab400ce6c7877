//! The constant of ISO/TS 15066, M/2 + m_L: what a robot carries is payload whichever way it is stated, and counts in full.

use super::robot_urdf::Folder;
use carom::answer::robot::{Limits, NearOptions, RobotMass, TipOptions};
use carom::maths::Vec3;
use carom::{Import, Machine};

/// Round-off of a sum of a few masses.
const ROUND_OFF: f64 = 1e-13;

const PAYLOAD: f64 = 2.0;

/// Where the workpiece sits in the frame of the tip's link \[m\].
const AT: [f64; 3] = [0.0, 0.0, -0.03];

fn source(name: &str) -> String {
    let path = format!("{}/../../models/robots/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

/// The sum of the masses of a URDF's links but the first, which is ground: read from its text, not by carom.
fn moving_mass_of_the_text() -> f64 {
    let text = source("arm.urdf");
    let masses = text.split("<mass value=\"").skip(1);
    let masses: Vec<f64> = masses.map(|s| s.split('"').next().unwrap().parse().unwrap()).collect();
    assert!(masses.len() > 6, "{masses:?}");
    masses[1..].iter().sum()
}

const FILES: [&str; 2] = ["arm.urdf", "arm.xml"];

/// The arm of a file with the workpiece, by every way to say so.
fn loaded(folder: &Folder, file: &str) -> [(&'static str, Machine); 3] {
    folder.write(file, &source(file));
    let text = format!(
        "carom = 1\n[robot]\nsource = \"{file}\"\ntip = \"tool_tip\"\n\
             payload = {{ mass = \"2000 g\", at = [0, 0, \"-30 mm\"] }}\n"
    );
    let over = Machine::open(folder.write("over.toml", &text)).unwrap();
    let import = Import {
        tip: Some("tool_tip".to_owned()),
        payload: Some((PAYLOAD, AT)),
        ..Import::default()
    };
    let imported = Machine::import(folder.path().join(file), &import).unwrap();
    let written = Machine::from_text(&imported.files()[0].1).unwrap();
    [("overlay", over), ("imported", imported), ("written and read again", written)]
}

/// The arm of a file alone.
fn bare(file: &str) -> Machine {
    let path = format!("{}/../../models/robots/{file}", env!("CARGO_MANIFEST_DIR"));
    Machine::import(path, &Import { tip: Some("tool_tip".to_owned()), ..Import::default() })
        .unwrap()
}

fn asked() -> TipOptions {
    TipOptions {
        tip: "wrist_3.tool_tip".to_owned(),
        q: vec![0.35, -0.9, 1.4, -1.0, 0.3, 0.2],
        directions: vec![[0.3, -0.8, 0.5]],
        ..TipOptions::default()
    }
}

#[test]
fn the_constant_of_the_standard_counts_a_payload_of_the_file_in_full() {
    let moving = moving_mass_of_the_text();
    let folder = Folder::new("payload-in-full");
    for (name, machine) in FILES.iter().flat_map(|file| loaded(&folder, file)) {
        let answer = machine.tip(&asked()).unwrap();
        for (found, wanted) in [
            (answer.moving_mass, moving),
            (answer.payload, PAYLOAD),
            (answer.standard_mass, 0.5 * moving + PAYLOAD),
        ] {
            assert!((found - wanted).abs() < ROUND_OFF * moving, "{name}: {found} {wanted}");
        }
        // A payload of the question comes on top of it.
        let more = machine.tip(&TipOptions { payload: 1.5, ..asked() }).unwrap();
        assert!((more.payload - 3.5).abs() < ROUND_OFF, "{name}: {}", more.payload);
        assert!((more.moving_mass - moving).abs() < ROUND_OFF * moving, "{name}");
        // Also where the payload itself is the tip.
        let own = machine.tip(&TipOptions { tip: "payload".to_owned(), payload: 1.5, ..asked() });
        assert!((own.unwrap().standard_mass - 0.5 * moving - 3.5).abs() < ROUND_OFF * moving);
    }
}

/// Where the workpiece sits in the frame of the tip's body: the z axis of the tip's link is the marker's direction.
fn in_the_tips_body(machine: &Machine) -> Vec3 {
    let mut markers = machine.model().markers.iter();
    let marker = markers.find(|m| m.name == "wrist_3.tool_tip").unwrap();
    let frame = &machine.model().bodies[marker.anchor.body.unwrap().index()].frame;
    frame.inverse().point(&(marker.anchor.at + marker.direction.unwrap() * AT[2]))
}

#[test]
fn a_payload_of_the_file_and_one_of_the_question_give_the_same_answers() {
    let limits = "source = \"a test\"\nedition = \"1\"\nconfirmed = true\n\
                  [[regions]]\nname = \"hand\"\nforce_clamped = 140\nstiffness = 75\n";
    let path =
        "q1,q2,q3,q4,q5,q6,speed\n0.35,-0.9,1.4,-1,0.3,0.2,0.25\n0.36,-0.9,1.4,-1,0.3,0.2,0.25\n";
    let folder = Folder::new("payload-same");
    for mass in [RobotMass::Standard, RobotMass::Free] {
        let near = |payload: f64, at: Option<[f64; 3]>| NearOptions {
            tip: TipOptions { mass: Some(mass), payload, payload_at: at, ..asked() },
            limits: Limits::read("l.toml", limits).unwrap(),
            ..NearOptions::default()
        };
        let answers = |machine: &Machine, near: NearOptions| {
            let on_path =
                NearOptions { path: Some(("p.csv".to_owned(), path.to_owned())), ..near.clone() };
            let tip = machine.tip(&near.tip).unwrap();
            let pose = machine.near(&near).unwrap();
            let walked = machine.near(&on_path).unwrap().path.unwrap();
            let reach = machine.workspace(&near, 300).unwrap();
            let skin = machine.skin(&near, 500).unwrap();
            let mut all = vec![tip.robot_mass(), pose.regions[0].robot_mass];
            all.extend([pose.regions[0].speed_clamped.unwrap()]);
            all.extend(walked.robot_mass.iter().chain(&walked.allowed_speed));
            all.extend(reach.least_speed.iter().flatten().chain(&skin.permitted_speed));
            all
        };
        for file in FILES {
            let bare = bare(file);
            let wanted = answers(&bare, near(PAYLOAD, Some(in_the_tips_body(&bare).into())));
            assert!(wanted.len() > 500);
            for (name, machine) in loaded(&folder, file) {
                let found = answers(&machine, near(0.0, None));
                assert_eq!(found.len(), wanted.len(), "{name}");
                for (k, (f, w)) in found.iter().zip(&wanted).enumerate() {
                    // m_eff through six joints: round-off times the condition of the pose.
                    assert!(
                        (f - w).abs() <= 1e-10 * w.abs(),
                        "{file}, {name}, {mass:?}, {k} of {}: {f} {w}",
                        wanted.len()
                    );
                }
            }
        }
    }
}

#[test]
fn payload_is_said_by_true_or_false() {
    let text = |word: &str| {
        format!(
            "carom = 1\nspace = \"spatial\"\n[bodies.arm]\nmass = 3\n[bodies.load]\nmass = 2\npayload = {word}\n\
             [joints.rail]\ntype = \"prismatic\"\nconnects = [\"ground\", \"arm\"]\naxis = [1, 0, 0]\n\
             [joints.held]\ntype = \"weld\"\nconnects = [\"arm\", \"load\"]\n"
        )
    };
    for (word, standard) in [("true", 3.5), ("false", 2.5)] {
        let machine = Machine::from_text(&text(word)).unwrap();
        let options = TipOptions { tip: "arm".to_owned(), ..TipOptions::default() };
        let answer = machine.tip(&options).unwrap();
        assert_eq!((answer.standard_mass, answer.free_mass), (standard, f64::INFINITY));
    }
    let wrong = Machine::from_text(&text("\"2 kg\"")).unwrap_err().to_string();
    assert!(wrong.contains("bodies.load.payload"), "{wrong}");
}
