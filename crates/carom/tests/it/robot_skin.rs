//! The skin and the reach of robots, and what meshes give them.

use std::fs;
use std::path::{Path, PathBuf};

use carom::answer::robot::{Limits, NearOptions, TipOptions};
use carom::{Import, Machine};

/// Round-off of one row through a few joints.
const ROUND_OFF: f64 = 1e-12;

const LIMITS: &str = "source = \"a test\"\nedition = \"1\"\nconfirmed = true\n\
    [[regions]]\nname = \"hand\"\nforce_clamped = 140\nforce_impact = 280\nstiffness = 75\nmass = 0.6\n\
    [[regions]]\nname = \"chest\"\nforce_clamped = 140\nforce_impact = 280\nstiffness = 25\nmass = 40\n";

fn asked(tip: &str) -> NearOptions {
    NearOptions {
        tip: TipOptions { tip: tip.to_owned(), ..TipOptions::default() },
        limits: Limits::read("l.toml", LIMITS).unwrap(),
        ..NearOptions::default()
    }
}

/// A body of 4 kg on a joint, with a contact shape or a visual.
fn one(joint: &str, look: &str) -> Machine {
    let text = format!(
        "carom = 1\nspace = \"spatial\"\n[bodies.arm]\nmass = 4\ncenter = [0.3, 0, 0]\ninertia = [0.1, 0.2, 0.3]\n{look}\n\
         [joints.j]\ntype = \"{joint}\"\nconnects = [\"ground\", \"arm\"]\n"
    );
    Machine::from_text(&text).unwrap()
}

#[test]
fn on_a_slide_every_point_weighs_the_mass_divided_by_the_square_of_its_normal() {
    let machine = one(
        "prismatic\"\naxis = [1, 0, 0]\ntitle = \"rail",
        "contact.a = { sphere = 0.2, at = [0.1, 0, 0] }",
    );
    let skin = machine.skin(&asked("arm"), 5000).unwrap();
    assert_eq!(skin.visible, skin.points);
    assert!((4000..6500).contains(&skin.points), "{}", skin.points);
    for k in 0..skin.visible {
        let (p, n, m) = (skin.position[k], skin.normal[k], skin.effective_mass[k]);
        // The points lie on the ball itself.
        let away = [p[0] - 0.1 - 0.2 * n[0], p[1] - 0.2 * n[1], p[2] - 0.2 * n[2]];
        assert!(away.iter().all(|x| x.abs() < 1e-14), "{away:?}");
        let expected = 4.0 / (n[0] * n[0]);
        assert!(m.is_infinite() || (m / expected - 1.0).abs() < ROUND_OFF, "{m} {expected}");
        // The stiff hand governs a clamped person: v = F / √(m k).
        let v = if m.is_finite() { 140.0 / (m * 75e3).sqrt() } else { 0.0 };
        assert!((skin.permitted_speed[k] - v).abs() < ROUND_OFF);
    }
    let worst = &skin.worst[0];
    assert_eq!((worst.region.as_deref(), worst.attainable_speed), (Some("hand"), None));
    let mu = 1.0 / (1.0 / 0.6 + 1.0 / worst.effective_mass);
    let chest = 280.0 / (25e3 / (1.0 / 40.0 + 1.0 / worst.effective_mass)).sqrt();
    let free = (280.0 / (mu * 75e3_f64).sqrt()).min(chest);
    assert!((worst.speed_free.unwrap() - free).abs() < ROUND_OFF);
}

#[test]
fn on_a_hinge_every_point_weighs_the_inertia_divided_by_the_square_of_its_lever() {
    let text = "revolute\"\naxis = [0, 0, 1]\nmax_speed = 2\ntitle = \"hinge";
    for look in [
        "contact.a = { box = [0.4, 0.1, 0.2], at = [0.3, 0, 0.1], orientation = [0.3, 0.2, 0.1] }",
        "visual.a = { cylinder = [0.1, 0.5], at = [0.3, 0, 0], orientation = [0, 1.2, 0] }",
        "visual.a = { capsule = 0.1, from = [0.1, 0, 0], to = [0.6, 0.1, 0.2] }",
    ] {
        let skin = one(text, look).skin(&asked("arm"), 2000).unwrap();
        let inertia = 0.3 + 4.0 * 0.3 * 0.3;
        let mut finite = 0;
        for k in 0..skin.visible {
            let (p, n, m) = (skin.position[k], skin.normal[k], skin.effective_mass[k]);
            let lever = n[1] * p[0] - n[0] * p[1];
            if m.is_finite() {
                finite += 1;
                assert!((m * lever * lever / inertia - 1.0).abs() < 1e-9, "{m} {lever}");
            } else {
                assert!(lever.abs() < 1e-6);
            }
        }
        assert!(finite > 1000);
        // Of one joint every point has the same T_c at its speed limit, ½ I ω², and so the same attainable speed divided by the permitted one.
        let ratio = 2.0 * (inertia * 75e3_f64).sqrt() / 140.0;
        for worst in &skin.worst {
            let found = worst.attainable_speed.unwrap() / worst.speed_clamped.unwrap();
            assert!((found / ratio - 1.0).abs() < 1e-9, "{found} {ratio}");
        }
        assert_eq!(skin.worst.len(), 10);
    }
}

#[test]
fn what_lies_inside_is_not_seen() {
    let look = "contact.a = { sphere = 0.2 }\ncontact.b = { box = [0.1, 0.1, 0.1] }";
    let skin = one("floating", look).skin(&asked("arm"), 4000).unwrap();
    assert!(skin.visible < skin.points);
    let on_ball = |p: &[f64; 3]| (p.iter().map(|x| x * x).sum::<f64>().sqrt() - 0.2).abs() < 1e-12;
    assert!(skin.position.iter().all(on_ball));
    // A body beside another hides the faces between them only.
    let look = "contact.a = { box = [0.2, 0.2, 0.2] }\ncontact.b = { box = [0.2, 0.2, 0.2], at = [0.2, 0, 0] }";
    let skin = one("floating", look).skin(&asked("arm"), 4000).unwrap();
    assert!(skin.position.iter().all(|p| (p[0] - 0.1).abs() > 1e-9), "the common face is hidden");
    let part = skin.visible as f64 / skin.points as f64;
    assert!((part - 10.0 / 12.0).abs() < 0.02, "{part}");
}

#[test]
fn a_skin_says_what_it_lacks() {
    let machine = one("floating", "contact.a = { point = [0, 0, 0] }");
    let told = machine.skin(&asked("arm"), 2000).unwrap_err().to_string();
    assert!(told.contains("no moving body has a surface"), "{told}");
    let machine = one("floating", "contact.a = { sphere = 0.2 }");
    let told = machine.skin(&asked("arm"), 5).unwrap_err().to_string();
    assert!(told.contains("5 points, expected 100 to"), "{told}");
    let planar = "carom = 1\nspace = \"planar\"\n[bodies.arm]\nmass = 1\ninertia = 1\n[joints.j]\ntype = \"planar\"\nconnects = [\"ground\", \"arm\"]\n";
    let told = Machine::from_text(planar).unwrap().skin(&asked("arm"), 2000).unwrap_err();
    assert!(told.to_string().contains("planar model has no skin"), "{told}");
    let machine = one(
        "floating",
        "contact.a = { sphere = 0.2 }\nvisual.a = { mesh = \"a.stl\" }\nvisual.b = { mesh = \"package://p/a.stl\" }\nvisual.c = { mesh = \"https://e.org/a.stl\" }",
    );
    let skin = machine.skin(&asked("arm"), 2000).unwrap();
    let told: Vec<String> = skin.cautions.iter().map(|c| c.message.clone()).collect();
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[0].contains("no place on the disk"));
    assert!(told[1].contains("--package p=DIR") && told[2].contains("`https://` is not read"));
    assert!(skin.visible > 1000, "contact shapes stand in for them");
    let wrong = "carom = 1\nspace = \"spatial\"\n[bodies.arm]\nmass = 1\ninertia = [1, 1, 1]\nvisual.a = { mesh = \"a.stl\", scale = [1, 0, 1] }\nvisual.b = { plane = [0, 0, 1] }\nvisual.c = { mesh = 3 }\n[joints.j]\ntype = \"floating\"\nconnects = [\"ground\", \"arm\"]\n";
    let told = Machine::from_text(wrong).unwrap_err().to_string();
    for word in ["a factor other than 0", "known: mesh, sphere", "visual.c.mesh"] {
        assert!(told.contains(word), "{word}: {told}");
    }
}

#[test]
fn the_reach_of_a_slide_is_its_range_and_its_weight_its_mass() {
    let look = "";
    let machine = one("prismatic\"\naxis = [1, 0, 0]\nrange = [-0.25, 0.5]\ntitle = \"rail", look);
    let mut options = asked("arm");
    options.tip.directions = vec![[2.0, 0.0, 0.0]];
    let found = machine.workspace(&options, 1000).unwrap();
    assert_eq!(
        (found.poses, found.skipped, &found.moved_joints[..]),
        (1000, 0, &["j".to_owned()][..])
    );
    assert!(found.reach_low[0] >= -0.25 && found.reach_high[0] <= 0.5);
    assert!(found.reach_high[0] - found.reach_low[0] > 0.745);
    assert!((found.lightest - 4.0).abs() < ROUND_OFF && (found.heaviest - 4.0).abs() < ROUND_OFF);
    assert!((found.slowest.unwrap() - 140.0 / (4.0 * 75e3_f64).sqrt()).abs() < ROUND_OFF);
    assert_eq!(found.cell_poses.iter().sum::<usize>(), 1000);
    // Over all directions nothing moves along y.
    let all = machine.workspace(&asked("arm"), 1000).unwrap();
    assert!(all.heaviest.is_infinite() && all.slowest == Some(0.0));
    let endless = one("prismatic\"\naxis = [1, 0, 0]\ntitle = \"rail", look);
    let told = endless.workspace(&options, 1000).unwrap_err().to_string();
    assert!(told.contains("joint `j` slides and has no `range`"), "{told}");
    assert!(machine.workspace(&options, 1).unwrap_err().to_string().contains("1 poses, expected"));
}

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

#[test]
fn the_extreme_poses_of_a_reach_are_those_that_the_tip_has_there() {
    let machine = Machine::open(repository("models/robots/arm.urdf")).unwrap();
    let mut options = asked("tool_tip");
    options.tip.directions = vec![[0.0, 0.6, 0.8]];
    let found = machine.workspace(&options, 3000).unwrap();
    for (mass, q) in [(found.lightest, &found.lightest_at), (found.heaviest, &found.heaviest_at)] {
        let tip = TipOptions { q: q.clone(), ..options.tip.clone() };
        let answer = machine.tip(&tip).unwrap();
        assert!((answer.free_mass / mass - 1.0).abs() < 1e-9, "{mass} {}", answer.free_mass);
        for k in 0..3 {
            assert!(answer.tip_position[k] >= found.reach_low[k] - 1e-12);
            assert!(answer.tip_position[k] <= found.reach_high[k] + 1e-12);
        }
    }
    for (range, q) in found.joint_ranges.iter().zip(&found.heaviest_at) {
        assert!(range[0] <= *q && *q <= range[1]);
    }
    let cells = found.least_mass.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    assert_eq!(cells, found.lightest);
}

#[test]
fn several_points_are_judged_along_one_path() {
    let look = "markers.near = [0.5, 0, 0]\nmarkers.far = [1, 0, 0]";
    let machine = one("revolute\"\naxis = [0, 0, 1]\ntitle = \"hinge", look);
    let text = "t,q1,v1\n0,0,0.2\n1,0.2,0.2\n2,0.4,0.2\n";
    let path = Some(("p.csv".to_owned(), text.to_owned()));
    let options = NearOptions { path, points: vec!["far".to_owned()], ..asked("arm.near") };
    let answer = machine.near(&options).unwrap();
    let (near, far) = (answer.path.as_ref().unwrap(), &answer.other_paths[0]);
    assert_eq!((near.point.as_str(), far.point.as_str()), ("arm.near", "arm.far"));
    let inertia = 0.3 + 4.0 * 0.09;
    for (path, r) in [(near, 0.5), (far, 1.0)] {
        for k in 0..3 {
            assert!((path.speed[k] - 0.2 * r).abs() < ROUND_OFF);
            assert!((path.robot_mass[k] / (inertia / (r * r)) - 1.0).abs() < ROUND_OFF);
        }
    }
    // T_c is the same at all points of one joint, and so are the forces: F = √(2 T_c k).
    let force = 0.2 * (inertia * 75e3_f64).sqrt();
    assert!((answer.regions[0].path_force.unwrap() - force).abs() < 1e-9);
    let unknown = NearOptions { points: vec!["nose".to_owned()], ..options };
    assert!(machine.near(&unknown).unwrap_err().to_string().contains("`nose`"));
}

#[test]
fn the_static_push_takes_the_efforts_of_the_file() {
    let machine = Machine::open(repository("models/robots/arm.urdf")).unwrap();
    let mut options = asked("tool_tip");
    options.tip.directions = vec![[0.0, 0.0, 1.0]];
    let q = [0.3, -0.8, 1.4, -1.0, 0.3, 0.2];
    options.tip.q = q.to_vec();
    let answer = machine.near(&options).unwrap();
    let rows = machine.tip_many(&options.tip, &q, carom::ManyOptions { threads: 1 }).unwrap();
    let effort = [180.0, 180.0, 120.0, 40.0, 40.0, 40.0];
    // The third row of J is that of z.
    let least =
        (0..6).map(|k| effort[k] / rows.jacobian[12 + k].abs()).fold(f64::INFINITY, f64::min);
    assert!((answer.static_push.unwrap() / least - 1.0).abs() < 1e-12);
    assert!(answer.push_unknown.is_empty());
    let hinge = one("revolute\"\naxis = [0, 0, 1]\ntitle = \"h", "markers.tip = [1, 0, 0]");
    let mut options = asked("arm.tip");
    options.tip.directions = vec![[0.0, 1.0, 0.0]];
    let unknown = hinge.near(&options).unwrap();
    assert_eq!(unknown.push_unknown, "`j.angle` has no effort limit");
    assert!(unknown.cautions[0].message.contains("`j.angle` has no effort limit"));
}

/// A folder of its own for a test, empty.
fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("carom-skin-{}-{name}", std::process::id()));
    // It may not be there.
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

const CUBE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
    f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

fn urdf(mesh: &str) -> String {
    format!(
        "<robot name=\"r\"><link name=\"base\"/><link name=\"a\"><visual><origin xyz=\"0.1 0 0\" rpy=\"0 0 0.5\"/>\
         <geometry><mesh filename=\"{mesh}\" scale=\"0.2 0.3 0.4\"/></geometry></visual></link>\
         <joint name=\"j\" type=\"continuous\"><parent link=\"base\"/><child link=\"a\"/><axis xyz=\"0 0 1\"/></joint></robot>"
    )
}

#[test]
fn a_density_and_a_mesh_give_mass_and_inertia() {
    let place = folder("density");
    fs::create_dir_all(place.join("pack/m")).unwrap();
    fs::create_dir_all(place.join("in")).unwrap();
    fs::write(place.join("pack/m/cube.obj"), CUBE).unwrap();
    fs::write(place.join("in/open.obj"), CUBE.replace("f 5 6 7 8\n", "")).unwrap();
    let write = |mesh: &str| {
        let file = place.join("in/r.urdf");
        fs::write(&file, urdf(mesh)).unwrap();
        file
    };
    let options = Import {
        densities: vec![(String::new(), 1000.0)],
        packages: vec![("pack".to_owned(), place.join("pack"))],
        ..Import::default()
    };
    let machine = Machine::import(write("package://pack/m/cube.obj"), &options).unwrap();
    let body = &machine.model().bodies[0];
    assert!((body.inertia.mass - 24.0).abs() < 1e-12, "{}", body.inertia.mass);
    // About the hinge: the box's own inertia and Steiner's term.
    let (s, c) = 0.5_f64.sin_cos();
    let center = [0.1 + c * 0.1 - s * 0.15, s * 0.1 + c * 0.15];
    let about = 24.0 * ((0.04 + 0.09) / 12.0 + center[0].powi(2) + center[1].powi(2));
    assert!((body.inertia.about_origin[(2, 2)] - about).abs() < 1e-12);
    // The skin is that of the mesh.
    let mut near = asked("a");
    near.tip.directions = vec![[0.0, 1.0, 0.0]];
    let skin = machine.skin(&near, 2000).unwrap();
    assert!(skin.cautions.is_empty() && skin.visible == skin.points, "{:?}", skin.cautions);
    for k in 0..skin.visible {
        let (p, n) = (skin.position[k], skin.normal[k]);
        let lever = n[1] * p[0] - n[0] * p[1];
        let m = skin.effective_mass[k];
        assert!(m.is_infinite() || (m * lever * lever / about - 1.0).abs() < 1e-9);
    }
    let told = |mesh: &str, options: &Import| {
        Machine::import(write(mesh), options).unwrap_err().to_string()
    };
    let open = told("open.obj", &options);
    assert!(open.contains("r.urdf:1:") && open.contains("the mesh is open: 4 edges"), "{open}");
    // The hole is the top of the box, 0.4 m above its floor, in the link's frame.
    assert!(open.contains(&format!("{:.6}", center[0]).trim_end_matches('0').to_owned()), "{open}");
    let without = Import { packages: Vec::new(), ..options.clone() };
    assert!(told("package://pack/m/cube.obj", &without).contains("--package pack=DIR"));
    let outside = told("../pack/m/cube.obj", &without);
    assert!(outside.contains("outside the folder of the model file"), "{outside}");
    assert!(told("http://e.org/cube.obj", &options).contains("`http://` is not read"));
    assert!(told("none.obj", &options).contains("there is no such file"));
    assert!(told("cube.dae", &options).contains(".stl and .obj files only"));
    let named = Import { densities: vec![("b".to_owned(), 1.0)], ..options.clone() };
    assert!(told("package://pack/m/cube.obj", &named).contains("density"));
    let negative = Import { densities: vec![(String::new(), -1.0)], ..options.clone() };
    assert!(told("package://pack/m/cube.obj", &negative).contains("-1 is not a positive density"));
    // Without a density the link has no mass.
    assert!(told("package://pack/m/cube.obj", &Import::default()).contains("no <inertial>"));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(place.join("pack/m/cube.obj"), place.join("in/link.obj"))
            .unwrap();
        assert!(told("link.obj", &without).contains("outside the folder"));
    }
}
