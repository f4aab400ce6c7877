//! A robot near a person: the speeds of ISO/TS 15066, the static push, paths.

use carom::answer::robot::{Limits, NearAnswer, NearOptions, RobotMass, TipOptions};
use carom::{CautionCode, Machine};

/// Round-off of a formula.
const ROUND_OFF: f64 = 1e-12;

const LIMITS: &str = "source = \"a test\"\nedition = \"1\"\nconfirmed = true\n\
    [[regions]]\nname = \"hand\"\nforce_clamped = 140\nforce_impact = 280\nstiffness = 75\nmass = 0.6\n\
    [[regions]]\nname = \"chest\"\nforce_clamped = \"140 N\"\npressure = 120\nstiffness = \"25 N/mm\"\n";

/// A mass on a slide along x: it weighs what it weighs.
fn slide(mass: f64) -> Machine {
    let text = format!(
        "carom = 1\nspace = \"spatial\"\n[bodies.arm]\nmass = {mass}\nshape = {{ sphere = 0.1 }}\n\
         [joints.rail]\ntype = \"prismatic\"\nconnects = [\"ground\", \"arm\"]\naxis = [1, 0, 0]\n"
    );
    Machine::from_text(&text).unwrap()
}

fn asked() -> NearOptions {
    NearOptions {
        tip: TipOptions {
            tip: "arm".to_owned(),
            directions: vec![[1.0, 0.0, 0.0]],
            ..TipOptions::default()
        },
        limits: Limits::read("limits.toml", LIMITS).unwrap(),
        ..NearOptions::default()
    }
}

fn codes(answer: &NearAnswer) -> Vec<CautionCode> {
    answer.cautions.iter().map(|c| c.code).collect()
}

#[test]
fn a_clamped_hand_allows_the_published_speeds() {
    for (mass, published) in [(15.5, 0.130), (10.2, 0.160)] {
        let answer = slide(mass).near(&asked()).unwrap();
        let hand = &answer.regions[0];
        let speed = hand.speed_clamped.unwrap();
        // Published with three digits.
        assert!((speed - published).abs() < 5e-4, "{speed} {published}");
        assert!((0.5 * mass * speed * speed - hand.quasi_static_energy.unwrap()).abs() < ROUND_OFF);
    }
}

#[test]
fn a_free_person_gives_way_with_the_reduced_mass() {
    let answer = slide(10.2).near(&asked()).unwrap();
    let [hand, chest] = answer.regions.as_slice() else { panic!("{answer:?}") };
    let mu = 1.0 / (1.0 / 0.6 + 1.0 / 10.2);
    assert!((hand.reduced_mass.unwrap() - mu).abs() < ROUND_OFF);
    assert!((hand.speed_free.unwrap() - 280.0 / (mu * 75e3_f64).sqrt()).abs() < ROUND_OFF);
    // No body mass: only the clamped speed. The pressure on 1 cm² governs: 120 N/cm² · 1 cm² < 140 N.
    assert_eq!((chest.speed_free, chest.body_mass), (None, None));
    assert_eq!(chest.quasi_static_governed_by.as_deref(), Some("pressure"));
    assert!((chest.speed_clamped.unwrap() - 120.0 / (10.2 * 25e3_f64).sqrt()).abs() < ROUND_OFF);
    assert!(codes(&answer).contains(&CautionCode::BodyMassMissing));
    assert!(!codes(&answer).contains(&CautionCode::LimitsNotConfirmed));
    assert!(codes(&answer).contains(&CautionCode::DesignEstimate));
    assert!(answer.standing.contains("ISO/PAS 5672"));
}

#[test]
fn padding_is_in_series_and_a_large_area_is_not_conservative() {
    let options = NearOptions { padding: Some(75e3), area: 4e-4, ..asked() };
    let answer = slide(10.2).near(&options).unwrap();
    assert!((answer.regions[0].stiffness - 37.5e3).abs() < 1e-6);
    assert_eq!(answer.regions[1].quasi_static_governed_by.as_deref(), Some("force"));
    assert!(codes(&answer).contains(&CautionCode::LargeArea));
    assert!(!codes(&slide(10.2).near(&asked()).unwrap()).contains(&CautionCode::LargeArea));
}

#[test]
fn a_static_push_above_the_limit_stands_first() {
    let unknown = slide(10.2).near(&asked()).unwrap();
    assert_eq!((unknown.static_push, codes(&unknown)[0]), (None, CautionCode::StaticPush));
    assert!(unknown.cautions[0].message.contains("unknown"));
    let answer = slide(10.2).near(&NearOptions { effort: vec![200.0], ..asked() }).unwrap();
    assert!((answer.static_push.unwrap() - 200.0).abs() < ROUND_OFF);
    assert_eq!(answer.regions[0].push_exceeds, Some(true));
    assert!(answer.cautions[0].message.contains("push with 200 N"), "{:?}", answer.cautions[0]);
    let weak = slide(10.2).near(&NearOptions { effort: vec![100.0], ..asked() }).unwrap();
    assert!(!codes(&weak).contains(&CautionCode::StaticPush));
    // Of several joints the weakest gives way: effort divided by the lever arm.
    let arm = Machine::open(format!("{}/../../models/robot-arm.toml", env!("CARGO_MANIFEST_DIR")));
    let arm = arm.unwrap();
    let tip = TipOptions { tip: "wrist_3.tip".to_owned(), ..asked().tip };
    let effort = vec![150.0, 150.0, 150.0, 28.0, 28.0, 28.0];
    let answer = arm.near(&NearOptions { tip: tip.clone(), effort: effort.clone(), ..asked() });
    let rows = arm.tip_many(&tip, arm.state().q.as_slice(), carom::ManyOptions { threads: 1 });
    let J = rows.unwrap().jacobian;
    let least = (0..6).map(|k| effort[k] / J[k].abs()).fold(f64::INFINITY, f64::min);
    let push = answer.unwrap().static_push.unwrap();
    assert!((push - least).abs() < 1e-9 * least, "{push} {least}");
}

#[test]
fn the_shipped_limits_are_not_confirmed_and_answer_only_clamped() {
    let options = NearOptions { tip: asked().tip, ..NearOptions::default() };
    let answer = slide(10.0).near(&options).unwrap();
    assert_eq!(answer.regions.len(), 15);
    assert!(codes(&answer).contains(&CautionCode::LimitsNotConfirmed));
    for region in &answer.regions {
        assert!(region.speed_free.is_none() && region.speed_clamped.is_some(), "{region:?}");
        assert!(region.source.contains("2011"));
    }
}

#[test]
fn an_immobile_direction_allows_no_clamped_motion() {
    let tip = TipOptions { directions: vec![[0.0, 0.0, 1.0]], ..asked().tip };
    let answer = slide(10.0).near(&NearOptions { tip, ..asked() }).unwrap();
    let hand = &answer.regions[0];
    assert_eq!((hand.robot_mass, hand.speed_clamped), (f64::INFINITY, Some(0.0)));
    assert!((hand.reduced_mass.unwrap() - 0.6).abs() < ROUND_OFF);
}

fn path(text: &str) -> NearOptions {
    NearOptions { path: Some(("path.csv".to_owned(), text.to_owned())), ..asked() }
}

#[test]
fn a_path_is_slowed_where_it_is_too_fast() {
    let line = |k: i32| {
        let v = if (40..=50).contains(&k) { 0.25 } else { -0.05 };
        format!("{},{},{v}", 0.01 * f64::from(k), 2 * k)
    };
    let head = "t,q.rail [mm],v.rail".to_owned();
    let text = std::iter::once(head).chain((0..100).map(line)).collect::<Vec<_>>().join("\n");
    let machine = slide(10.2);
    let answer = machine.near(&path(&text)).unwrap();
    let found = answer.path.as_ref().unwrap();
    // The chest's 120 N at 25 N/mm allow more than the hand's 140 N at 75 N/mm.
    let allowed = 140.0 / (10.2 * 75e3_f64).sqrt();
    assert_eq!((found.samples, found.slow.len()), (100, 1));
    let slow = &found.slow[0];
    assert_eq!((slow.first, slow.last, slow.region.as_str()), (41, 51, "hand"));
    assert!((slow.allowed_speed - allowed).abs() < ROUND_OFF);
    assert!((found.greatest_utilisation - 0.25 / allowed).abs() < ROUND_OFF);
    assert!((found.force[2 * 45] - 0.25 * (10.2 * 75e3_f64).sqrt()).abs() < 1e-9);
    assert!((found.impact_energy[45] - 0.5 * 10.2 * 0.0625).abs() < ROUND_OFF);
    assert!(answer.sentence.starts_with("Slow samples 41-51 to 0.16 m/s"), "{}", answer.sentence);
    // The same with the way of the tip and a speed.
    let text = "q1 [mm],speed\n0,0.25\n10,0.25\n20,0.05\n";
    let answer = machine.near(&path(text)).unwrap();
    let found = answer.path.unwrap();
    assert_eq!((found.slow[0].first, found.slow[0].last), (1, 2));
    assert!((found.robot_mass[1] - 10.2).abs() < 1e-12);
    // A free person: only the hand has a mass.
    let free = machine.near(&NearOptions { free: true, ..path(text) }).unwrap().path.unwrap();
    assert_eq!(free.judged, [0]);
    assert!(free.slow.is_empty() && free.allowed_speed[0] > 0.25);
    // The standard's constant instead of the pose.
    let tip = TipOptions { mass: Some(RobotMass::Standard), ..asked().tip };
    let half = machine.near(&NearOptions { tip, ..path(text) }).unwrap().path.unwrap();
    assert!((half.robot_mass[0] - 5.1).abs() < ROUND_OFF);
}

#[test]
fn a_path_with_a_fault_is_refused_with_its_line() {
    let machine = slide(10.0);
    let refused = |text: &str| machine.near(&path(text)).unwrap_err().to_string();
    for (text, expected) in [
        ("", "path.csv:1: the heading ``"),
        ("x,q,v\n", "path.csv:1: the heading `x`"),
        ("t,v\n", "path.csv:1: 0 columns `q…`, expected 1"),
        ("t,q\n", "path.csv:1: 0 columns `v…`"),
        ("t,q,v\n", "path.csv:1: no sample"),
        ("t,q,v\n0,1,2\n1,2\n", "path.csv:3: 2 columns, expected 3"),
        ("t,q,v\n0,1,2\n1,2,3,4\n", "path.csv:3: 4 columns, expected 3"),
        ("t,q,v\n0,1,x\n", "path.csv:2: column 3: `x` is not a finite number"),
        ("t,q,v\n0,1,nan\n", "path.csv:2: column 3"),
        ("t,q,v\n0,1,0\n0,1,0\n", "path.csv:3: t = 0 does not come after 0"),
        ("t,q [kg],v\n0,1,0\n", "path.csv:1: `q [kg]`"),
        (
            "t,q [deg],v\n0,1,0\n",
            "path.csv:1: `q [deg]`: the unit does not fit; expected [m] or [mm]",
        ),
        (
            "t,q,v [deg/s]\n0,1,0\n",
            "path.csv:1: `v [deg/s]`: the unit does not fit; expected [m/s]",
        ),
        (
            "t,q.rial,v\n0,1,0\n",
            "path.csv:1: `q.rial`: there is no such coordinate; did you mean `rail`",
        ),
        ("q,speed\n0,-1\n", "path.csv:2: -1 is not a speed"),
    ] {
        let found = refused(text);
        assert!(found.starts_with(expected), "{text:?}: {found}");
    }
    let none = "source = \"a\"\nedition = \"1\"\nconfirmed = true\n[[regions]]\nname = \"x\"\nforce_impact = 1\nstiffness = 1\n";
    let limits = Limits::read("l.toml", none).unwrap();
    let options = NearOptions { limits, ..path("q,speed\n0,1\n") };
    assert!(
        machine.near(&options).unwrap_err().to_string().contains("no region has a quasi-static")
    );
    assert!(machine.near(&NearOptions { area: 0.0, ..asked() }).is_err());
    assert!(machine.near(&NearOptions { padding: Some(-1.0), ..asked() }).is_err());
    assert!(machine.near(&NearOptions { effort: vec![1.0, 2.0], ..asked() }).is_err());
    assert!(machine.near(&NearOptions { effort: vec![0.0], ..asked() }).is_err());
}

/// Two slides at right angles, a rod on the second that turns about z; efforts 50 N, 80 N and 6 N m.
fn gantry() -> Machine {
    let text = "carom = 1\nspace = \"spatial\"\n\
        [bodies.a]\nmass = 2\nshape = { sphere = 0.1 }\n\
        [bodies.b]\nmass = 1\nshape = { sphere = 0.1 }\n\
        [bodies.rod]\nmass = 1\ncenter = [0.25, 0, 0]\nshape = { sphere = 0.1 }\nmarkers.end = [0.5, 0, 0]\n\
        [joints.x]\ntype = \"prismatic\"\nconnects = [\"ground\", \"a\"]\naxis = [1, 0, 0]\nmax_effort = 50\n\
        [joints.y]\ntype = \"prismatic\"\nconnects = [\"a\", \"b\"]\naxis = [0, 1, 0]\nmax_effort = 80\n\
        [joints.turn]\ntype = \"revolute\"\nconnects = [\"b\", \"rod\"]\naxis = [0, 0, 1]\nmax_effort = 6\n";
    Machine::from_text(text).unwrap()
}

fn along_gantry(text: &str) -> NearOptions {
    let tip = TipOptions { tip: "rod.end".to_owned(), ..TipOptions::default() };
    NearOptions { tip, ..path(text) }
}

#[test]
fn columns_of_a_path_stand_where_their_names_say() {
    let machine = gantry();
    let found = |text: &str| machine.near(&along_gantry(text)).map(|a| a.path.unwrap());
    let plain = found("q1,q2,q3,v1,v2,v3\n0.1,0.2,0.5,0.3,0,1\n").unwrap();
    let named = found(
        "v.turn [deg/s],q.turn.angle [deg],q.x [mm],v.x,\"q_y\",v.y.slide\n57.29577951308232,28.64788975654116,100,0.3,0.2,0\n",
    )
    .unwrap();
    assert!((plain.speed[0] - named.speed[0]).abs() < ROUND_OFF);
    assert!((plain.robot_mass[0] - named.robot_mass[0]).abs() < ROUND_OFF);
    for (head, expected) in [
        ("q.x,q.y,q3,speed", "names a joint and `q3` does not"),
        ("q.x,q.y,q.x,speed", "`q.x`: this coordinate stands twice"),
        ("q2,q1,q3,speed", "`q1` stands behind `q2`: numbered columns stand in the order"),
        ("q.x [deg],q.y,q.turn,speed", "`q.x [deg]`: the unit does not fit"),
        (
            "q.x,q.y,q.turn [mm],speed",
            "`q.turn [mm]`: the unit does not fit; expected [rad] or [deg]",
        ),
        ("q.x,q.y,q.turn,speed [rad/s]", "the unit does not fit; expected [m/s]"),
    ] {
        let message = found(&format!("{head}\n0,0,0,1\n")).unwrap_err().to_string();
        assert!(message.starts_with("path.csv:1: ") && message.contains(expected), "{message}");
    }
}

#[test]
fn a_path_with_a_quaternion_that_is_none_or_velocities_that_open_a_loop_is_refused() {
    let free = "carom = 1\nspace = \"spatial\"\n[bodies.arm]\nmass = 1\nshape = { sphere = 0.1 }\n\
        [joints.base]\ntype = \"floating\"\nconnects = [\"ground\", \"arm\"]\n";
    let free = Machine::from_text(free).unwrap();
    let head = "q.base.x,q.base.y,q.base.z,q.base.qw,q.base.qx,q.base.qy,q.base.qz,speed\n";
    let told = |row: &str| free.near(&path(&format!("{head}0,0,0,1,0,0,0,1\n{row}"))).map(|_| ());
    told("0,0,0,0.70711,0.70711,0,0,1\n").unwrap();
    let message = told("0,0,0,2,0,0,0,1\n").unwrap_err().to_string();
    assert!(
        message.starts_with("path.csv:3: the quaternion of `base` has the length 2"),
        "{message}"
    );
    let geared = "carom = 1\nspace = \"spatial\"\n[bodies.arm]\nmass = 1\nshape = { sphere = 0.1 }\n\
        [bodies.wheel]\nmass = 1\nshape = { sphere = 0.1 }\n\
        [joints.rail]\ntype = \"prismatic\"\nconnects = [\"ground\", \"arm\"]\naxis = [1, 0, 0]\n\
        [joints.turn]\ntype = \"prismatic\"\nconnects = [\"ground\", \"wheel\"]\naxis = [1, 0, 0]\n\
        [closures.gear]\ntype = \"coupling\"\njoints = { rail = 1, turn = -2 }\noffset = 0\n";
    let geared = Machine::from_text(geared).unwrap();
    let told = |row: &str| geared.near(&path(&format!("q1,q2,v1,v2\n0,0,2,1\n{row}"))).map(|_| ());
    told("2,1,2,1\n").unwrap();
    let positions = told("2,2,2,1\n").unwrap_err().to_string();
    assert!(
        positions.starts_with("path.csv:3: these positions leave the closures open"),
        "{positions}"
    );
    let velocities = told("2,1,2,2\n").unwrap_err().to_string();
    assert!(
        velocities.starts_with("path.csv:3: these velocities leave the closures open"),
        "{velocities}"
    );
}

#[test]
fn the_static_push_of_a_path_is_the_greatest_along_its_motion() {
    let machine = gantry();
    // Along x the slide gives way at 50 N, along y the rod's hinge at 6 N m / 0.5 m = 12 N; at 0.1 rad to the rod the lever is shorter.
    let answer = machine
        .near(&along_gantry("q1,q2,q3,v1,v2,v3\n0,0,0,0,0.1,0\n0,0,0,0.1,0,0\n0,0,0.3,0,0.1,0\n"))
        .unwrap();
    let found = answer.path.as_ref().unwrap();
    let wanted = [12.0, 50.0, 6.0 / (0.5 * 0.3_f64.cos())];
    for (push, wanted) in found.static_push.iter().zip(wanted) {
        assert!((push - wanted).abs() < ROUND_OFF * wanted, "{push} {wanted}");
    }
    assert!((answer.static_push.unwrap() - 50.0).abs() < ROUND_OFF * 50.0);
    assert_eq!(
        (answer.static_push_by.as_deref(), answer.static_push_sample),
        (Some("x.slide"), Some(2))
    );
    assert_eq!(answer.regions[0].push_exceeds, Some(false));
    // Gripped by a stronger slide the push exceeds the hand's 140 N, and that stands first.
    let strong = NearOptions {
        effort: vec![200.0, 80.0, 6.0],
        ..along_gantry("q1,q2,q3,v1,v2,v3\n0,0,0,0,0.1,0\n0,0,0,0.1,0,0\n")
    };
    let answer = machine.near(&strong).unwrap();
    assert_eq!(answer.regions[0].push_exceeds, Some(true));
    let first = &answer.cautions[0];
    assert_eq!(first.code, CautionCode::StaticPush);
    assert!(first.message.contains("push with 200 N at sample 2 of the path"), "{}", first.message);
}
