//! Robots' files against closed forms: what a URDF means, written from the page.

use std::path::PathBuf;

use carom::answer::CautionCode;
use carom::{Import, Machine, Severity};

/// Round-off of a few products of numbers near 1.
const ROUND_OFF: f64 = 1e-13;

/// A file in a folder of its own, removed at the end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("carom-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// A folder in it.
    pub(crate) fn folder(&self, name: &str) -> Self {
        let path = self.0.join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &std::path::Path {
        &self.0
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that is gone already need not be removed.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A link with the inertia `[ixx, iyy, izz]` at `origin`.
fn link(name: &str, mass: f64, origin: &str, [x, y, z]: [f64; 3]) -> String {
    format!(
        r#"<link name="{name}"><inertial><origin {origin}/><mass value="{mass}"/>
        <inertia ixx="{x}" iyy="{y}" izz="{z}" ixy="0" ixz="0" iyz="0"/></inertial></link>"#
    )
}

fn joint(name: &str, kind: &str, [parent, child]: [&str; 2], rest: &str) -> String {
    format!(
        r#"<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{rest}</joint>"#
    )
}

fn robot(parts: &[String]) -> String {
    format!("<robot name=\"test\">\n{}\n</robot>\n", parts.join("\n"))
}

fn imported(name: &str, urdf: &str, options: &Import) -> Machine {
    let folder = Folder::new(name);
    Machine::import(folder.write("r.urdf", urdf), options).unwrap()
}

/// M at a state, as rows.
fn mass_matrix(machine: &Machine, q: &[f64]) -> Vec<f64> {
    let v = vec![0.0; machine.model().nv];
    machine.clone().mass_matrix_many(q, &v).unwrap()
}

fn close(found: &[f64], wanted: &[f64]) {
    assert_eq!(found.len(), wanted.len());
    let size = wanted.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    for (f, w) in found.iter().zip(wanted) {
        assert!((f - w).abs() <= ROUND_OFF * size, "{found:?} instead of {wanted:?}");
    }
}

/// Two links in a plane: lengths 0.7 and 0.5 (the second only as the place of its tool), mass centres 0.3 and 0.2 out.
fn two_links() -> String {
    let z = "<axis xyz=\"0 0 1\"/>";
    robot(&[
        "<link name=\"base\"/>".to_owned(),
        // Its inertial frame is turned: x of it is z of the link, so that ixx is what counts.
        link("upper", 3.0, "xyz=\"0.3 0 0\" rpy=\"0 1.5707963267948966 0\"", [0.11, 0.1, 0.02]),
        link("lower", 2.0, "xyz=\"0.2 0 0\"", [0.01, 0.05, 0.055]),
        joint("a", "continuous", ["base", "upper"], z),
        joint("b", "continuous", ["upper", "lower"], &format!("<origin xyz=\"0.7 0 0\"/>{z}")),
    ])
}

/// M of two links in a plane, from the page: centres c, moments J about them, first length l.
fn two_link_matrix(
    q2: f64,
    [m1, m2]: [f64; 2],
    [c1, c2]: [f64; 2],
    [J1, J2]: [f64; 2],
) -> Vec<f64> {
    let l = 0.7;
    let both = J2 + m2 * (c2 * c2 + l * c2 * q2.cos());
    let first = J1 + m1 * c1 * c1 + J2 + m2 * (l * l + c2 * c2 + 2.0 * l * c2 * q2.cos());
    vec![first, both, both, J2 + m2 * c2 * c2]
}

#[test]
fn a_turned_inertial_frame_turns_its_tensor() {
    let machine = imported("turned", &two_links(), &Import::default());
    for q2 in [0.0, 0.4, -2.0] {
        let wanted = two_link_matrix(q2, [3.0, 2.0], [0.3, 0.2], [0.11, 0.055]);
        close(&mass_matrix(&machine, &[0.7, q2]), &wanted);
    }
}

#[test]
fn rotors_add_to_the_diagonal_and_silence_the_caution() {
    let rotors = vec![("a".to_owned(), 0.4), ("b".to_owned(), 0.1)];
    let options = Import { rotors, ..Import::default() };
    let machine = imported("rotors", &two_links(), &options);
    let mut wanted = two_link_matrix(0.4, [3.0, 2.0], [0.3, 0.2], [0.11, 0.055]);
    wanted[0] += 0.4;
    wanted[3] += 0.1;
    close(&mass_matrix(&machine, &[0.0, 0.4]), &wanted);
    let motors = |machine: &Machine| {
        let cautions = machine.check().unwrap().cautions;
        cautions.into_iter().filter(|c| c.message.starts_with("motors not counted")).count()
    };
    assert_eq!(motors(&machine), 0);
    let bare = imported("bare", &two_links(), &Import::default());
    assert_eq!(motors(&bare), 1);
}

#[test]
fn drakes_rotor_counts_with_the_square_of_its_gear_ratio() {
    let transmission = r#"<transmission name="t"><joint name="a"/><actuator name="m">
        <drake:gear_ratio value="50"/><drake:rotor_inertia value="2e-4"/></actuator></transmission></robot>"#;
    // The prefix is not declared, as in many files.
    let urdf = two_links().replace("</robot>", transmission);
    let machine = imported("drake", &urdf, &Import::default());
    let mut wanted = two_link_matrix(0.0, [3.0, 2.0], [0.3, 0.2], [0.11, 0.055]);
    wanted[0] += 0.5;
    close(&mass_matrix(&machine, &[0.0, 0.0]), &wanted);
    let notes = machine.check().unwrap().cautions;
    assert!(notes.iter().any(|c| c.message.contains("`drake:` is not declared")), "{notes:?}");
}

#[test]
fn fixed_links_merge_by_steiners_theorem_and_stay_as_markers() {
    // A bar of two halves of 1 kg, 0.4 m each along x, cubes apart from their length.
    let half = |name: &str| link(name, 1.0, "xyz=\"0.2 0 0\"", [0.01, 0.02, 0.02]);
    let urdf = robot(&[
        "<link name=\"world\"/>".to_owned(),
        half("near"),
        // Turned by a half turn about z, so that it points back from the bar's end.
        half("far"),
        "<link name=\"tool\"/>".to_owned(),
        joint(
            "hinge",
            "revolute",
            ["world", "near"],
            "<axis xyz=\"0 0 1\"/><limit lower=\"-1\" upper=\"2\"/>",
        ),
        joint(
            "weld",
            "fixed",
            ["near", "far"],
            "<origin xyz=\"0.8 0 0\" rpy=\"0 0 3.141592653589793\"/>",
        ),
        joint("mount", "fixed", ["far", "tool"], "<origin xyz=\"0 0.1 0\"/>"),
    ]);
    let machine = imported("steiner", &urdf, &Import::default());
    // Two point masses at 0.2 and 0.6, and twice the own inertia.
    close(&mass_matrix(&machine, &[0.0]), &[0.04 + 0.04 + 0.36]);
    assert_eq!(machine.model().bodies.len(), 1);
    let names: Vec<&str> = machine.model().markers.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["near.far", "near.tool", "ground.world"]);
    let tool = &machine.model().markers[1].anchor.at;
    assert!((tool - nalgebra::Vector3::new(0.8, -0.1, 0.0)).norm() < 1e-15, "{tool:?}");
    assert_eq!(machine.model().bodies[0].joint.range, Some([-1.0, 2.0]));
}

#[test]
fn a_joint_that_mimics_is_geared_and_chains_multiply() {
    // Three wheels on ground: q_2 = 2 q_1 + 0.3, q_3 = −3 q_2: reflected J_1 + 4 J_2 + 36 J_3.
    let wheel = |name: &str, j: f64| link(name, 1.0, "xyz=\"0 0 0\"", [j, j, j]);
    let z = "<axis xyz=\"0 0 1\"/>";
    let urdf = robot(&[
        "<link name=\"base\"/>".to_owned(),
        wheel("w1", 0.5),
        wheel("w2", 0.2),
        wheel("w3", 0.03),
        joint(
            "j3",
            "continuous",
            ["base", "w3"],
            &format!("{z}<mimic joint=\"j2\" multiplier=\"-3\"/>"),
        ),
        joint("j1", "revolute", ["base", "w1"], &format!("{z}<limit lower=\"0\" upper=\"9\"/>")),
        joint(
            "j2",
            "continuous",
            ["base", "w2"],
            &format!("{z}<mimic joint=\"j1\" multiplier=\"2\" offset=\"0.3\"/>"),
        ),
    ]);
    let options = Import { stops: true, ..Import::default() };
    let machine = imported("mimic", &urdf, &options);
    let q: Vec<f64> = machine.state().q.iter().copied().collect();
    let names = machine.model().position_names();
    let at =
        |joint: &str| q[names.iter().position(|n| n.starts_with(&format!("q.{joint}."))).unwrap()];
    assert!((at("j2") - 2.0 * at("j1") - 0.3).abs() < 1e-12);
    assert!((at("j3") + 3.0 * at("j2")).abs() < 1e-12);
    let stop = machine.contact("stop_j1").unwrap();
    let answer = machine.assess(stop).unwrap();
    let mass = answer.contacts[0].rows[0].effective_mass;
    close(&[mass], &[0.5 + 4.0 * 0.2 + 36.0 * 0.03]);
}

#[test]
fn a_slide_carries_a_pendulum_and_a_massless_link_between_carries_nothing() {
    // m_1 slides along x on ground, a link without mass turns about z, one with mass about z at the same place: the two angles add.
    let z = "<axis xyz=\"0 0 1\"/>";
    let urdf = robot(&[
        "<link name=\"rail\"/>".to_owned(),
        link("cart", 4.0, "xyz=\"0 0 0\"", [0.1, 0.1, 0.1]),
        "<link name=\"between\"/>".to_owned(),
        link("bob", 2.0, "xyz=\"0 -0.5 0\"", [0.03, 0.02, 0.03]),
        joint("slide", "prismatic", ["rail", "cart"], "<limit lower=\"-1\" upper=\"1\"/>"),
        joint("first", "continuous", ["cart", "between"], z),
        joint("second", "continuous", ["between", "bob"], z),
    ]);
    let machine = imported("cart", &urdf, &Import::default());
    let angle: f64 = 0.3 + 0.4;
    let (J, c) = (0.03 + 2.0 * 0.25, 2.0 * 0.5 * angle.cos());
    close(&mass_matrix(&machine, &[0.1, 0.3, 0.4]), &[6.0, c, c, c, J, J, c, J, J]);
}

#[test]
fn a_floating_base_is_a_free_body() {
    let urdf = robot(&[link("box", 2.0, "xyz=\"0 0 0\"", [0.1, 0.2, 0.25])]);
    let options = Import { floating: true, ..Import::default() };
    let machine = imported("floating", &urdf, &options);
    let wanted = [2.0, 2.0, 2.0, 0.1, 0.2, 0.25];
    let M = mass_matrix(&machine, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    let diagonal: Vec<f64> = (0..6).map(|k| M[7 * k]).collect();
    close(&diagonal, &wanted);
    assert!((M.iter().sum::<f64>() - wanted.iter().sum::<f64>()).abs() < ROUND_OFF);
}

#[test]
fn a_planar_joint_slides_across_its_axis_and_turns_about_it() {
    let urdf = robot(&[
        "<link name=\"table\"/>".to_owned(),
        link("puck", 2.0, "xyz=\"0 0 0\"", [0.1, 0.2, 0.25]),
        joint("glide", "planar", ["table", "puck"], "<axis xyz=\"0 1 0\"/>"),
    ]);
    let machine = imported("planar", &urdf, &Import::default());
    close(
        &mass_matrix(&machine, &[0.3, -0.2, 0.5]),
        &[2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.2],
    );
}

#[test]
fn a_model_file_over_a_robot_has_tip_payload_locks_and_contacts() {
    let folder = Folder::new("overlay");
    folder.write("arm.urdf", &two_links());
    let over = |robot: &str| {
        format!(
            "carom = 1\n[robot]\nsource = \"arm.urdf\"\ntip = \"lower\"\n{robot}\n[joints.b]\nposition = \"90 deg\"\n\
             [ground]\nmarkers.wall = [0.7, 0, 0]\n\
             [contacts.touch]\nbetween = [\"ground.wall\", \"lower.tip\"]\nnormal = [0, 1, 0]\n"
        )
    };
    let mass = |robot: &str| {
        let machine = Machine::open(folder.write("over.toml", &over(robot))).unwrap();
        let touch = machine.contact("touch").unwrap();
        machine.assess(touch).unwrap().contacts[0].rows[0].effective_mass
    };
    // At the elbow, across the upper link, with the lower one square to it: from M the pull of the lower link is that of its mass alone.
    let [m1, m2] = [3.0, 2.0];
    let M = two_link_matrix(std::f64::consts::FRAC_PI_2, [m1, m2], [0.3, 0.2], [0.11, 0.055]);
    let determinant = M[0] * M[3] - M[1] * M[2];
    close(&[mass("")], &[determinant / M[3] / 0.49]);
    // A locked elbow: the whole about the shoulder.
    close(&[mass("locked = { b = 1.5707963267948966 }").min(1e9)], &[M[0] / 0.49]);
    // A payload of 5 kg at the elbow's axis adds exactly itself.
    close(&[mass("payload = { mass = \"5000 g\" }")], &[determinant / M[3] / 0.49 + 5.0]);
    let with_rotor = mass("rotors = { a = 0.98 }");
    close(&[with_rotor], &[determinant / M[3] / 0.49 + 2.0]);
}

#[test]
fn the_written_model_file_is_the_same_machine() {
    let path = format!("{}/../../models/robots/arm.urdf", env!("CARGO_MANIFEST_DIR"));
    let options = Import { stops: true, tip: Some("tool_tip".to_owned()), ..Import::default() };
    let first = Machine::import(&path, &options).unwrap();
    let second = Machine::from_text(&first.files()[0].1).unwrap();
    let q = [0.3, -0.8, 1.1, 0.2, 0.9, -0.4];
    assert_eq!(mass_matrix(&first, &q), mass_matrix(&second, &q));
    assert_eq!(first.contact_names().len(), 5, "joint_6 is continuous");
    let mut notes = second.check().unwrap().cautions;
    notes.retain(|c| c.code == CautionCode::RobotImport);
    assert!(notes.iter().all(|c| c.severity == Severity::Note), "{notes:?}");
    assert!(notes.len() > 5);
    // The same through every other door.
    let opened = Machine::open(&path).unwrap();
    assert_eq!(mass_matrix(&first, &q), mass_matrix(&opened, &q));
    let again = Machine::from_files(&opened.files(), opened.sets()).unwrap();
    assert_eq!(mass_matrix(&first, &q), mass_matrix(&again, &q));
}

#[test]
fn damping_of_a_joint_with_several_coordinates_acts_on_each() {
    let urdf = robot(&[
        "<link name=\"base\"/>".to_owned(),
        link("puck", 2.0, "xyz=\"0 0 0\"", [0.1, 0.1, 0.1]),
        joint(
            "table",
            "planar",
            ["base", "puck"],
            "<axis xyz=\"0 0 1\"/><dynamics damping=\"3\"/>",
        ),
    ]);
    let machine = imported("planar-damping", &urdf, &Import::default());
    let v = [0.5, -0.25, 2.0];
    // Gravity presses the puck on the table; what is left of h is the damping.
    let h = machine.clone().bias_many(&[0.0; 3], &v).unwrap();
    close(&h, &v.map(|v| 3.0 * v));
}
