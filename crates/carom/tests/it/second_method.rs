//! Rigid runs with friction against a second method: the time stepping of Moreau and Jean, which looks for no event.
//!
//! Its error is of first order in the step h, so the difference has to fall as h: below a constant times h for steps that become 25 times
//! shorter, and below 1e-4 (m, rad; per s) at the finest.

use std::fmt::Write as _;

use carom::model::ContactTreatment::Piecewise;
use carom_reference::moreau_jean::{Body, Outline, Plane, State};

use crate::simulate::{run, wishes, written};

/// The constant: some times the largest acceleration of a coordinate \[m/s², rad/s²\] that one step can misplace.
const PER_STEP: f64 = 25.0;
const STEPS: [f64; 3] = [1e-4, 2e-5, 4e-6];

struct Scene {
    name: &'static str,
    body: Body,
    start: State,
    until: f64,
    /// Force in x on the mass centre \[N\], as written in the file and as a function, and how high above it it acts \[m\].
    pull: (&'static str, fn(f64) -> f64),
    arm: f64,
}

impl Scene {
    /// The model file of the scene.
    fn text(&self) -> String {
        let Body { mass, inertia, planes } = &self.body;
        let [[x, y, a], [v_x, v_y, w]] = self.start;
        let mut out = format!(
            "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n[bodies.b]\nmass = {mass}\ninertia = {inertia}\n"
        );
        for (k, plane) in planes.iter().enumerate() {
            let shape = match plane.outline {
                Outline::Point([x, y]) => format!("point = [{x}, {y}]"),
                Outline::Rim(radius) => format!("circle = {radius}"),
            };
            writeln!(out, "contact.c{k} = {{ {shape} }}").unwrap();
        }
        out += "[ground]\n";
        for (k, plane) in planes.iter().enumerate() {
            let [n_x, n_y] = plane.normal;
            let at = plane.normal.map(|n| n * plane.offset);
            writeln!(out, "contact.p{k} = {{ plane = [{n_x}, {n_y}], at = {at:?} }}").unwrap();
        }
        writeln!(out, "[joints.free]\ntype = \"floating\"\nconnects = [\"ground\", \"b\"]\nposition = [{x}, {y}, {a}]\n\
             velocity = [{v_x}, {v_y}, {w}]\n[loads.pull]\ntype = \"force\"\nbody = \"b\"\nat = [0, {}]\nforce = [\"{}\", 0]",
            self.arm, self.pull.0).unwrap();
        for (k, plane) in planes.iter().enumerate() {
            writeln!(out, "[contacts.k{k}]\nbetween = [\"b.c{k}\", \"ground.p{k}\"]\nrestitution = {}\nfriction = {}",
                plane.restitution, plane.friction).unwrap();
        }
        out
    }

    fn stepped(&self, h: f64) -> State {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a count of some thousands"
        )]
        let steps = (self.until / h).round() as u32;
        let weight = -9.81 * self.body.mass;
        let load = |t: f64| [self.pull.1(t), weight, -self.arm * self.pull.1(t)];
        self.body.run(self.start, self.until, steps, load)
    }
}

fn floor(outline: Outline, restitution: f64, friction: f64) -> Plane {
    Plane { normal: [0.0, 1.0], offset: 0.0, outline, restitution, friction }
}

fn scenes() -> Vec<Scene> {
    let none: (&'static str, fn(f64) -> f64) = ("0", |_| 0.0);
    let slope = std::f64::consts::FRAC_1_SQRT_2;
    let wall = |normal: [f64; 2]| Plane { normal, ..floor(Outline::Rim(0.1), 0.0, 0.3) };
    vec![
        Scene {
            name: "a block that sticks and slips under a force that oscillates",
            body: Body {
                mass: 1.0,
                inertia: 0.1,
                planes: vec![floor(Outline::Point([0.0, 0.0]), 0.0, 0.4)],
            },
            start: [[0.0; 3]; 2],
            until: 2.0,
            pull: ("6*sin(3*t)", |t| 6.0 * (3.0 * t).sin()),
            arm: 0.0,
        },
        Scene {
            name: "a disc with back spin that slides and then rolls",
            body: Body {
                mass: 1.0,
                inertia: 0.005,
                planes: vec![floor(Outline::Rim(0.1), 0.0, 0.2)],
            },
            start: [[0.0, 0.1, 0.0], [0.8, 0.0, 12.0]],
            until: 1.0,
            pull: none,
            arm: 0.0,
        },
        Scene {
            name: "a disc with spin that bounces",
            body: Body {
                mass: 1.0,
                inertia: 0.005,
                planes: vec![floor(Outline::Rim(0.1), 0.5, 0.15)],
            },
            start: [[0.0, 0.35, 0.0], [0.4, 0.0, 6.0]],
            until: 0.6,
            pull: none,
            arm: 0.0,
        },
        Scene {
            name: "a box on two corners that is pulled above its centre",
            body: Body {
                mass: 2.0,
                inertia: 0.02,
                planes: vec![
                    floor(Outline::Point([-0.15, -0.1]), 0.0, 0.3),
                    floor(Outline::Point([0.15, -0.1]), 0.0, 0.3),
                ],
            },
            start: [[0.0, 0.1, 0.0], [0.0; 3]],
            until: 2.0,
            pull: ("5*t", |t| 5.0 * t),
            arm: 0.02,
        },
        Scene {
            name: "a disc that falls into a groove and comes to rest",
            body: Body {
                mass: 1.0,
                inertia: 0.005,
                planes: vec![wall([slope, slope]), wall([-slope, slope])],
            },
            start: [[0.03, 0.25, 0.0], [0.0, 0.0, 3.0]],
            until: 1.0,
            pull: none,
            arm: 0.0,
        },
    ]
}

#[test]
fn time_stepping_comes_to_the_same_motion_as_its_steps_shrink() {
    for scene in scenes() {
        let opened = written(&scene.text(), &[]);
        let out = run(&opened, &wishes("", Piecewise, scene.until, 1e-10));
        let landed: Vec<f64> = out.state.q.iter().chain(out.state.v.iter()).copied().collect();
        for h in STEPS {
            let stepped = scene.stepped(h).concat();
            let off = landed.iter().zip(&stepped).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            let name = scene.name;
            assert!(off <= PER_STEP * h, "{name}, h = {h} s: {off}\n{landed:?}\n{stepped:?}");
        }
    }
}
