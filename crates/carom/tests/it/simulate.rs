//! Runs against closed forms and the papers.

use carom::dynamics::Mechanism;
use carom::file::{Opened, open, open_text};
use carom::model::ContactTreatment;
use carom::simulate::{Outcome, Scenario, Wishes, simulate};
use std::path::Path;

fn run(opened: &Opened, wishes: &Wishes) -> Outcome {
    let mut mechanism = Mechanism::new(opened.model());
    let state = &opened.assembled.state;
    let scenario = Scenario::new(&mechanism.at(state).unwrap(), wishes).unwrap();
    simulate(opened.model(), state, &scenario).unwrap()
}

#[test]
fn explore() {
    for (law, treatment) in [
        ("poursina-nikravesh", ContactTreatment::Continuous),
        ("flores", ContactTreatment::Continuous),
        ("exact", ContactTreatment::Continuous),
        ("exact", ContactTreatment::Piecewise),
    ] {
        let file =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/000/two-pendulums.toml");
        let opened = open(&file, &[]).unwrap();
        let start = std::time::Instant::now();
        let wishes = Wishes {
            law: Some(law.to_owned()),
            treatment: Some(treatment),
            tolerance: Some(1e-10),
            ..Wishes::default()
        };
        let out = run(&opened, &wishes);
        println!("{law} {treatment:?} {:?} {:?}", start.elapsed(), out.counts);
        println!("  stopped {:?} drift {:e} at {}", out.stopped, out.drift, out.state.t);
        for i in &out.impacts {
            println!("  {i:?}");
        }
        for i in &out.events {
            println!("  {:?} {}", i.kind, i.t);
        }
        let first = out.samples.iter().find(|s| s.event && s.state.t > 0.1);
        if let Some(first) = first {
            println!(
                "  {} {}",
                first.state.q[0].to_degrees() + 90.0,
                first.state.q[1].to_degrees() + 90.0
            );
        }
    }
    let ball = r#"
carom = 1
space = "planar"
gravity = [0, -9.81]
[bodies.ball]
mass = 1
shape = { sphere = 0.1 }
contact.surface = { sphere = 0.1 }
[ground]
contact.floor = { plane = [0, 1] }
[joints.fall]
type = "prismatic"
connects = ["ground", "ball"]
axis = [0, 1]
position = 0.6
velocity = 0
[contacts.bounce]
between = ["ball.surface", "ground.floor"]
restitution = 0.5
stiffness = "1e9 N/m^1.5"
law = "exact"
"#;
    for treatment in ContactTreatment::ALL {
        let opened = open_text("ball.toml", ball, &[]).unwrap();
        let start = std::time::Instant::now();
        let wishes = Wishes { until: Some(2.0), treatment: Some(treatment), ..Wishes::default() };
        let out = run(&opened, &wishes);
        println!("ball {treatment:?} {:?} {:?}", start.elapsed(), out.counts);
        println!("  stopped {:?} drift {:e} at {}", out.stopped, out.drift, out.state.t);
        println!("  {} impacts {:?}", out.impacts.len(), out.impacts[0]);
        println!("  {:?} {:?}", out.state, out.events.last());
        let (h, g, e) = (0.5_f64, 9.81_f64, 0.5);
        println!("  zeno {}", (2.0 * h / g).sqrt() * (1.0 + e) / (1.0 - e));
        println!("  static {} ", (g / 1e9_f64).powf(2.0 / 3.0) - 0.1);
    }
}
