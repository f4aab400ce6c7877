//! MJCF files against closed forms, against the same robot as URDF, and what is refused.

use carom::answer::robot::TipOptions;
use carom::{Import, Machine};

use crate::random_mechanism::Random;
use crate::robot_urdf::Folder;

/// Round-off of a few products of numbers near 1.
const ROUND_OFF: f64 = 1e-13;

fn imported(name: &str, xml: &str, options: &Import) -> Machine {
    let folder = Folder::new(name);
    Machine::import(folder.write("r.xml", xml), options).unwrap()
}

/// The world of a model, with elements before it and behind it.
fn model(before: &str, world: &str, behind: &str) -> String {
    format!("<mujoco>{before}<worldbody>{world}</worldbody>{behind}</mujoco>")
}

fn mass_matrix(machine: &Machine, q: &[f64]) -> Vec<f64> {
    let v = vec![0.0; machine.model().nv];
    machine.clone().mass_matrix_many(q, &v).unwrap()
}

fn close(found: &[f64], wanted: &[f64]) {
    assert_eq!(found.len(), wanted.len(), "{found:?} {wanted:?}");
    let size = wanted.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    for (f, w) in found.iter().zip(wanted) {
        assert!((f - w).abs() <= ROUND_OFF * size, "{found:?} instead of {wanted:?}");
    }
}

fn notes(machine: &Machine) -> String {
    let cautions = machine.check().unwrap().cautions;
    cautions.iter().map(|c| c.message.clone()).collect::<Vec<_>>().join("\n")
}

/// A pendulum: a point at 0.5 m on a hinge about y.
const PENDULUM: &str = r#"<body name="arm"><joint name="h" axis="0 1 0"/>
<inertial pos="0.5 0 0" mass="2" diaginertia="0.01 0.02 0.02"/></body>"#;

#[test]
fn a_hinge_has_the_inertia_of_its_body_about_its_anchor() {
    close(
        &mass_matrix(&imported("hinge", &model("", PENDULUM, ""), &Import::default()), &[0.3]),
        &[0.02 + 2.0 * 0.25],
    );
    // The anchor stands beside the body's origin, and a motor adds its armature.
    let moved =
        PENDULUM.replace("axis=\"0 1 0\"", "axis=\"0 3 0\" pos=\"0.2 7 0\" armature=\"0.4\"");
    let machine = imported("anchor", &model("", &moved, ""), &Import::default());
    close(&mass_matrix(&machine, &[-1.0]), &[0.02 + 2.0 * 0.09 + 0.4]);
}

#[test]
fn the_motor_of_an_actuator_counts_with_the_square_of_its_gear() {
    let actuator =
        r#"<actuator><position joint="h" kp="3" armature="0.01" class="geared"/></actuator>"#;
    let class = r#"<default><default class="geared"><motor gear="5"/></default></default>"#;
    let machine = imported("gear", &model(class, PENDULUM, actuator), &Import::default());
    close(&mass_matrix(&machine, &[0.0]), &[0.52 + 25.0 * 0.01]);
    assert!(notes(&machine).contains("not read: <position> (1)"), "{}", notes(&machine));
}

#[test]
fn at_its_reference_position_a_body_stands_where_its_element_says() {
    // ref is 90°; at q = ref the second hinge is 1 m along x, at q = 0 it is turned back by 90° about z: 1 m along −y.
    let world = r#"<body name="a"><joint name="first" ref="90"/><geom size="0.1"/>
        <body name="b" pos="1 0 0"><joint name="second" axis="1 0 0"/><geom size="0.1"/></body></body>"#;
    let machine = imported("ref", &model("", world, ""), &Import::default());
    let tip = |q: Vec<f64>| {
        let options = TipOptions { tip: "b".to_owned(), q, ..TipOptions::default() };
        machine.tip(&options).unwrap().tip_position
    };
    close(&tip(vec![std::f64::consts::FRAC_PI_2, 0.0]), &[1.0, 0.0, 0.0]);
    close(&tip(vec![0.0, 0.0]), &[0.0, -1.0, 0.0]);
    let state = machine.state();
    assert!((state.q[0] - std::f64::consts::FRAC_PI_2).abs() < ROUND_OFF, "{:?}", state.q);
}

#[test]
fn geoms_give_their_masses_and_classes_their_densities() {
    let class = r#"<default><geom density="100"/><default class="heavy"><geom type="box" size="1 2 3" density="2000"/></default></default>"#;
    // The box keeps two sizes of its class: 0.1 × 2 × 3 half lengths; the sphere has the outer class's density.
    let world = r#"<body name="a" childclass="heavy"><joint name="s" type="slide"/><geom size="0.1"/>
        <geom class="main" size="0.5" type="sphere"/><geom group="5" mass="9"/><geom mass="0"/></body>"#;
    let text = model(&format!("<compiler inertiagrouprange=\"0 4\"/>{class}"), world, "");
    let machine = imported("geoms", &text, &Import::default());
    let sphere = 4.0 / 3.0 * std::f64::consts::PI * 0.125 * 100.0;
    close(&mass_matrix(&machine, &[0.0]), &[8.0 * 0.1 * 2.0 * 3.0 * 2000.0 + sphere]);
}

#[test]
fn several_joints_of_a_body_move_it_one_after_the_other() {
    // Two slides and a hinge: a planar body of 2 kg with its centre 0.5 m out and 0.02 kg m² about it.
    let world = r#"<body name="a"><joint name="x" type="slide" axis="1 0 0"/><joint name="y" type="slide" axis="0 1 0"/>
        <joint name="turn" axis="0 0 1"/><inertial pos="0.5 0 0" mass="2" diaginertia="0.02 0.02 0.02"/></body>"#;
    let machine = imported("planar", &model("", world, ""), &Import::default());
    let (s, c) = 0.7_f64.sin_cos();
    let wanted = [2.0, 0.0, -s, 0.0, 2.0, c, -s, c, 0.52];
    close(&mass_matrix(&machine, &[0.3, -0.2, 0.7]), &wanted);
    assert!(notes(&machine).contains("frames without mass"), "{}", notes(&machine));
}

#[test]
fn couplings_of_joints_and_of_tendons_hold() {
    let pair = r#"<body name="a"><joint name="a" type="slide" ref="0.1"/><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/></body>
        <body name="b"><joint name="b" type="slide" ref="0.4"/><inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/><site name="tip"/></body>"#;
    let by_joint = r#"<equality><joint joint1="a" joint2="b" polycoef="0.05 2"/></equality>"#;
    // 1 a − 2 b by tendons: L = a − 2 b stays what it is at the reference positions.
    let by_tendon = r#"<tendon><fixed name="t"><joint joint="a" coef="1"/><joint joint="b" coef="-2"/></fixed></tendon>
        <equality><tendon tendon1="t" polycoef="0.05"/></equality>"#;
    for behind in [by_joint, by_tendon] {
        let machine = imported("coupled", &model("", pair, behind), &Import::default());
        let state = machine.state();
        // a − 0.1 = 0.05 + 2 (b − 0.4)
        let open = state.q[0] - 0.15 - 2.0 * (state.q[1] - 0.4);
        assert!(open.abs() < 1e-12, "{:?}", state.q);
        let options = TipOptions {
            directions: vec![[0.0, 0.0, 1.0]],
            tip: "tip".to_owned(),
            ..TipOptions::default()
        };
        let m = machine.tip(&options).unwrap().along.effective_mass;
        // The tip moves with b and drags a along twice as fast: 3 + 4 · 2 kg.
        assert!((m - 11.0).abs() < 1e-12 * 11.0, "{m}");
    }
    let held = r#"<equality><joint joint1="a" polycoef="0.2"/></equality>"#;
    let machine = imported("held", &model("", pair, held), &Import::default());
    assert!((machine.state().q[0] - 0.3).abs() < ROUND_OFF, "{:?}", machine.state().q);
}

#[test]
fn a_loop_is_closed_by_a_connect() {
    // A four-bar: cranks of 1 m at 0 and 2 m, and a coupler of 2 m that is connected to the second crank.
    let bar = |name: &str, pos: &str, inner: &str| {
        format!(
            r#"<body name="{name}" pos="{pos}"><joint name="{name}" axis="0 1 0"/><inertial pos="0.5 0 0" mass="1" diaginertia="0.1 0.1 0.1"/>{inner}</body>"#
        )
    };
    let coupler = bar("coupler", "0 0 1", "");
    let world = bar("first", "0 0 0", &coupler) + &bar("second", "2 0 0", "");
    let closed = r#"<equality><connect body1="coupler" body2="second" anchor="2 0 0"/></equality>"#;
    let machine = imported("loop", &model("", &world, closed), &Import::default());
    // A parallelogram: the coupler keeps its direction and the cranks turn together.
    let options =
        TipOptions { q: vec![0.3, -0.3, 0.3], tip: "coupler".to_owned(), ..TipOptions::default() };
    let answer = machine.tip(&options).unwrap();
    assert_eq!(
        answer.principal.iter().filter(|p| !p.immobile).count(),
        1,
        "{:?}",
        answer.principal
    );
    // T = ½ (2 (0.1 + 0.25) + 1) ω² at a tip speed of ω · 1 m.
    let m = answer.principal[0].effective_mass;
    assert!((m - 1.7).abs() < 1e-11, "{m}");
}

#[test]
fn the_arm_is_the_same_as_urdf_and_as_mjcf() {
    let file = |name: &str| format!("{}/../../models/robots/{name}", env!("CARGO_MANIFEST_DIR"));
    let options = Import { tip: Some("tool_tip".to_owned()), ..Import::default() };
    let [urdf, mjcf] =
        ["arm.urdf", "arm.xml"].map(|name| Machine::import(file(name), &options).unwrap());
    let mut random = Random(77);
    for _ in 0..20 {
        let q: Vec<f64> = (0..6).map(|_| random.within(-2.0, 2.0)).collect();
        let v: Vec<f64> = (0..6).map(|_| random.within(-1.0, 1.0)).collect();
        let asked = TipOptions {
            q: q.clone(),
            tip: "wrist_3.tool_tip".to_owned(),
            payload: 1.5,
            ..TipOptions::default()
        };
        let [a, b] = [&urdf, &mjcf].map(|machine| machine.tip(&asked).unwrap());
        close_to_1e_12(&a.inverse_inertia.concat(), &b.inverse_inertia.concat());
        close_to_1e_12(&[a.standard_mass, a.free_mass], &[b.standard_mass, b.free_mass]);
        let [a, b] = [&urdf, &mjcf].map(|machine| machine.clone().bias_many(&q, &v).unwrap());
        close_to_1e_12(&a, &b);
        close_to_1e_12(&mass_matrix(&urdf, &q), &mass_matrix(&mjcf, &q));
    }
    let ready = Import { keyframe: Some("ready".to_owned()), ..Import::default() };
    let standing = Machine::import(file("arm.xml"), &ready).unwrap();
    assert_eq!(standing.state().q.as_slice(), [0.35, -0.9, 1.4, -1.0, 0.3, 0.2]);
    for machine in [&urdf, &mjcf] {
        let joint = &machine.model().bodies[2].joint;
        assert_eq!((joint.range, joint.max_effort), (Some([-2.7, 2.7]), Some(120.0)));
        assert_eq!(joint.dry_friction, Some(4.0));
    }
}

fn close_to_1e_12(found: &[f64], wanted: &[f64]) {
    let size = wanted.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    for (f, w) in found.iter().zip(wanted) {
        assert!((f - w).abs() <= 1e-12 * size, "{found:?} instead of {wanted:?}");
    }
}

#[test]
fn a_keyframe_of_a_free_body_has_its_velocity_in_the_parents_axes() {
    // Turned by 90° about z, the file's ω = (1, 0, 0) in the body is (0, 1, 0) in the world.
    let world = r#"<body name="b" pos="1 2 3"><freejoint name="f"/><geom size="0.1"/></body>"#;
    let key = r#"<keyframe><key qpos="1 2 3 0.5 0 0 0.5" qvel="4 5 6 1 0 0"/></keyframe>"#;
    let options = Import { keyframe: Some("0".to_owned()), ..Import::default() };
    let machine = imported("key", &model("", world, key), &options);
    close(machine.state().v.as_slice(), &[4.0, 5.0, 6.0, 0.0, 1.0, 0.0]);
    let plain = imported("plain", &model("", world, key), &Import::default());
    close(plain.state().q.as_slice(), &[1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0]);
    let wrong = Import { keyframe: Some("1".to_owned()), ..Import::default() };
    let folder = Folder::new("wrongkey");
    let path = folder.write("r.xml", &model("", world, key));
    let message = Machine::import(path, &wrong).unwrap_err().to_string();
    assert!(message.contains("the robot has no keyframe `1`"), "{message}");
}

#[test]
fn files_of_the_same_folder_are_included_and_others_are_not() {
    let folder = Folder::new("include");
    std::fs::create_dir_all(folder.write("x", "").parent().unwrap().join("parts")).unwrap();
    folder.write("parts/arm.xml", &format!("<mujocoinclude>{PENDULUM}</mujocoinclude>"));
    let main = |file: &str| model("", &format!("<include file=\"{file}\"/>"), "");
    let machine = Machine::open(folder.write("r.xml", &main("./parts/arm.xml"))).unwrap();
    close(&mass_matrix(&machine, &[0.0]), &[0.52]);
    folder.write("parts/bad.xml", "<mujocoinclude>\n<body mas=\"1\"/></mujocoinclude>");
    folder.write("self.xml", &main("self.xml"));
    let cases = [
        ("parts/bad.xml", "bad.xml:2:1: `mas` is no attribute of <body>"),
        ("../other.xml", "is not in the robot's folder"),
        ("/etc/passwd", "is not in the robot's folder"),
        ("none.xml", "cannot be read"),
    ];
    for (file, expected) in cases {
        let message = Machine::open(folder.write("r.xml", &main(file))).unwrap_err().to_string();
        assert!(message.contains(expected), "{file}: expected `{expected}` in:\n{message}");
        assert!(!message.contains("root:"), "{message}");
    }
    let own = folder.write("self.xml", &main("self.xml"));
    let message = Machine::open(own).unwrap_err().to_string();
    assert!(message.contains("included twice, or includes itself"), "{message}");
}
