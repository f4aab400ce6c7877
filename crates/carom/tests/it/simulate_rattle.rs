//! Bodies that come to rest on many points at once: one motion, however the scene is turned, mirrored or solved.

use carom::model::ContactTreatment::Piecewise;
use carom::simulate::{EventKind, Outcome};

use crate::simulate::{run, times, wishes, written};

/// How far the motions of two copies may be apart after a hundred impacts, at a tolerance of 1e-10.
const COPIES: f64 = 1e-9;

/// A box that is dropped tilted, the scene turned about the vertical and then mirrored at the plane y = 0.
struct Drop {
    tilt: [f64; 2],
    velocity: [f64; 3],
    spin: [f64; 3],
    restitution: f64,
    friction: f64,
}

impl Drop {
    fn run(&self, angle: f64, mirrored: bool, law: &str, tolerance: f64) -> Outcome {
        let (sin, cos) = angle.sin_cos();
        let side = if mirrored { -1.0 } else { 1.0 };
        let turned = |[x, y, z]: [f64; 3]| [cos * x - sin * y, side * (sin * x + cos * y), z];
        // Axes of rotation are mirrored the other way.
        let axial = |v: [f64; 3]| turned(v).map(|x| side * x);
        let axis = axial([self.tilt[0], self.tilt[1], 0.0]);
        let theta = axis[0].hypot(axis[1]);
        let part = if theta > 0.0 { (0.5 * theta).sin() / theta } else { 0.0 };
        // The tilt, after the turn about z.
        let (w, x, y) = ((0.5 * theta).cos(), part * axis[0], part * axis[1]);
        let (s, c) = (side * 0.5 * angle).sin_cos();
        let q = [w * c, x * c + y * s, y * c - x * s, w * s];
        let (v, omega) = (turned(self.velocity), axial(self.spin));
        let text = format!(
            "carom = 1\nspace = \"spatial\"\ngravity = [0, 0, -9.81]\n[ground]\ncontact.f = {{ plane = [0, 0, 1] }}\n\
             [bodies.b]\nmass = 2\ninertia = [0.01, 0.012, 0.015]\ncontact.p = {{ box = [0.2, 0.3, 0.1] }}\n\
             [joints.j]\ntype = \"floating\"\nconnects = [\"ground\", \"b\"]\n\
             position = [0, 0, 0.15, {}, {}, {}, {}]\nvelocity = [{}, {}, {}, {}, {}, {}]\n\
             [contacts.c]\nbetween = [\"b.p\", \"ground.f\"]\nrestitution = {}\nfriction = {}\n[simulation]\nimpact = \"{law}\"\n",
            q[0],
            q[1],
            q[2],
            q[3],
            v[0],
            v[1],
            v[2],
            omega[0],
            omega[1],
            omega[2],
            self.restitution,
            self.friction
        );
        run(&written(&text, &[]), &wishes("", Piecewise, 0.25, tolerance))
    }

    /// Copies end alike, with as many impacts.
    fn copies(&self, law: &str) -> Outcome {
        let first = self.run(0.0, false, law, 1e-10);
        for (angle, mirrored, tolerance) in
            [(1.1, false, 1e-10), (0.0, true, 1e-10), (-2.3, true, 1e-8)]
        {
            let out = self.run(angle, mirrored, law, tolerance);
            assert_eq!(out.impacts.len(), first.impacts.len(), "{law} {angle}");
            for (one, other) in first.impacts.iter().zip(&out.impacts) {
                assert!((one.onset - other.onset).abs() < COPIES, "{law} {angle}");
            }
            let far = |out: &Outcome| [out.state.q[0].hypot(out.state.q[1]), out.state.q[2]];
            for (one, other) in far(&first).iter().zip(far(&out)) {
                assert!((one - other).abs() < COPIES, "{law} {angle}: {one} {other}");
            }
        }
        first
    }
}

#[test]
fn a_box_that_rattles_to_rest_does_so_in_one_way() {
    let drop = Drop {
        tilt: [0.087, 0.073],
        velocity: [-0.986, -0.416, -1.0],
        spin: [0.0; 3],
        restitution: 0.5,
        friction: 0.312,
    };
    for law in ["newton", "poisson"] {
        let out = drop.copies(law);
        assert!(out.impacts.len() > 50, "{law}: {}", out.impacts.len());
        // All four corners stay, and what is left of the energy is a slide or rest.
        assert_eq!(out.state.q[2].to_bits() >> 30, 0.05_f64.to_bits() >> 30);
        assert!(out.drift < 1e-8);
    }
}

#[test]
fn corners_that_close_while_others_stay_are_struck_in_one_way() {
    for (tilt, spin) in [([0.05, 0.0], [0.0; 3]), ([0.03, -0.06], [0.0, 0.0, 2.0])] {
        let drop =
            Drop { tilt, velocity: [0.7, -0.4, -1.0], spin, restitution: 0.0, friction: 0.36 };
        for law in ["newton", "plastic"] {
            let out = drop.copies(law);
            assert!(out.impacts.len() >= 3 && times(&out, EventKind::Stays).len() >= 4);
        }
    }
}

#[test]
fn corners_that_come_to_rest_one_by_one_hold_each_other_in_one_way() {
    // Two corners whose last bits of slip point elsewhere than the next one goes; four that slide though they could stick; a fourth
    // corner that three keep a last bit above the floor.
    let spin = [2.241_395_482_174_562_3, -2.902_415_900_511_063_5, 0.405_076_712_552_604_25];
    let cases = [
        (
            "poisson",
            [0.0, 0.0],
            [0.361_067_582_640_755_45, -0.340_868_951_760_564_53],
            spin,
            0.541_375_761_742_631_7,
        ),
        (
            "poisson",
            [0.020_618_501_843_621_614, 0.055_680_634_488_242_87],
            [0.151_498_092_640_556_03, 0.115_568_691_729_580_4],
            [0.0; 3],
            0.183_695_241_133_391_78,
        ),
        (
            "newton",
            [-0.091_308_802_935_549_06, 0.051_928_581_472_735_026],
            [0.685_675_218_130_360_7, 0.989_226_513_152_294_8],
            [0.0; 3],
            0.344_470_537_999_775,
        ),
    ];
    for (law, tilt, [x, y], spin, friction) in cases {
        let out =
            Drop { tilt, velocity: [x, y, -1.0], spin, restitution: 0.5, friction }.copies(law);
        assert!(
            out.impacts.len() > 50 && out.drift < 1e-8,
            "{law} {friction}: {}",
            out.impacts.len()
        );
    }
}

/// Discs on vertical slides, one above the other, the lowest on the floor or above it.
fn column(heights: &[f64], restitution: f64, start: &str) -> String {
    let ground = "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n[ground]\ncontact.f = { plane = [0, 1] }\n";
    let disc = |(i, height): (usize, &f64)| {
        let below = if i == 0 { "ground.f".to_owned() } else { format!("b{}.p", i - 1) };
        format!(
            "[bodies.b{i}]\nmass = 1\ncontact.p = {{ circle = 0.1 }}\n[joints.j{i}]\ntype = \"prismatic\"\n\
             connects = [\"ground\", \"b{i}\"]\naxis = [0, 1]\nposition = {height}\n\
             [contacts.c{i}]\nbetween = [\"b{i}.p\", \"{below}\"]\nrestitution = {restitution}\n"
        )
    };
    let discs: Vec<String> = heights.iter().enumerate().map(disc).collect();
    ground.to_owned() + &discs.concat() + "[simulation]\n" + start
}

#[test]
fn a_ball_comes_to_rest_on_one_that_lies() {
    // The lower one cannot move: bounces as on the floor, over after √(2h/g) (1 + e)/(1 − e).
    let fall = (2.0 * 0.02 / 9.81_f64).sqrt();
    for e in [0.3, 0.5, 0.8] {
        let text = column(&[0.1, 0.32], e, "start = \"in-contact\"\n");
        for law in ["newton", "poisson", "sequential"] {
            let text = format!("{text}impact = \"{law}\"\n");
            let out = run(&written(&text, &[]), &wishes("", Piecewise, 1.0, 1e-9));
            let rests = times(&out, EventKind::Stays);
            let last = rests.last().copied().unwrap_or(f64::NAN);
            // One after the other the impacts lift the lower one, too, and rest comes earlier.
            let over = last - fall * (1.0 + e) / (1.0 - e);
            let right = if law == "sequential" { over < 0.0 } else { over.abs() < 1e-6 };
            assert!(right, "{law} {e}: {rests:?}");
            // There each bounce of the upper one begins a series of the lower one.
            let most = if law == "sequential" { 2000 } else { 120 };
            assert!(out.impacts.len() < most, "{law} {e}: {}", out.impacts.len());
        }
    }
}

#[test]
fn columns_come_to_rest_after_finitely_many_impacts() {
    for (heights, e) in [(&[0.15, 0.40][..], 0.5), (&[0.15, 0.40], 0.8), (&[0.15, 0.40, 0.65], 0.5)]
    {
        let mut ends = Vec::new();
        for tolerance in [1e-7, 1e-12] {
            let text = column(heights, e, "");
            let out = run(&written(&text, &[]), &wishes("", Piecewise, 1.5, tolerance));
            assert!(out.impacts.len() < 1000 && out.drift < 1e-7, "{e}: {}", out.impacts.len());
            for (i, q) in out.state.q.iter().enumerate() {
                let rest = 0.1 + 0.2 * f64::from(u32::try_from(i).unwrap());
                assert!((q - rest).abs() < 1e-9, "{e} {i}: {q}");
            }
            ends.push(*times(&out, EventKind::Stays).last().unwrap());
        }
        assert!((ends[0] - ends[1]).abs() < 1e-6, "{e}: {ends:?}");
    }
}

#[test]
fn a_corner_that_only_lets_go_takes_no_part_in_the_impact_of_another() {
    // A box rocks from corner to corner: at each impact the old corner is closed up to what integration left, and opens.
    let text = "carom = 1\nspace = \"spatial\"\ngravity = [0, 0, -9.81]\n[ground]\ncontact.f = { plane = [0, 0, 1] }\n\
                [bodies.b]\nmass = 2.013\nshape = { box = [0.129, 0.127, 0.13] }\ncontact.s = { box = [0.129, 0.127, 0.13] }\n\
                [joints.j]\ntype = \"floating\"\nconnects = [\"ground\", \"b\"]\n\
                position = [-0.21031783807879212, 0.041462232077919034, 0.3, 0.88382244623198225, 0.2936235890499746, \
                0.3180667149338301, -0.17741656163145553]\n\
                velocity = [0.1576844368628596, 0.067045513075951968, -0.16938683003601462, -1.0728296685235403, \
                0.28929778078347734, -0.35830909869271776]\n\
                [contacts.c]\nbetween = [\"b.s\", \"ground.f\"]\nrestitution = 0\nfriction = 0.661\n";
    let runs: Vec<Outcome> = [1e-7, 1e-8, 1e-9, 1e-10, 1e-12]
        .map(|tolerance| run(&written(text, &[]), &wishes("", Piecewise, 0.6, tolerance)))
        .into();
    let exact = &runs[4];
    for out in &runs {
        assert_eq!(out.impacts.len(), exact.impacts.len());
        for (one, other) in out.impacts.iter().zip(&exact.impacts) {
            let [p, q] = [one, other].map(|impact| impact.impulse.unwrap_or(f64::NAN));
            // Ten times the tolerance on a momentum of 1 N s.
            assert!((p - q).abs() < 1e-6, "{p} {q}");
        }
    }
}

#[test]
fn a_ball_rolls_along_a_wall_that_does_not_push() {
    // The wall stands at 63°: its force is round-off, and so is how that runs over a step.
    let text = "carom = 1\nspace = \"spatial\"\ngravity = [0, 0, -9.81]\n[ground]\ncontact.f = { plane = [0, 0, 1] }\n\
                contact.w = { plane = [0.45359612142557726, 0.8912073600614354, 0], at = [-0.22679806071278863, -0.4456036800307177, 0] }\n\
                [bodies.b]\nmass = 0.557\nshape = { sphere = 0.08 }\ncontact.s = { sphere = 0.08 }\n\
                [joints.j]\ntype = \"floating\"\nconnects = [\"ground\", \"b\"]\n\
                position = [-0.29544710701102944, -0.3208976395276574, 0.08084316102324766, 0.15198276625190046, \
                0.34200655447182526, -0.7022659016245693, 0.6056033015730359]\n\
                velocity = [-0.09689108028133205, 0.049314469545355594, -0.06197477550781775, 0.5521160975981219, \
                -2.8496571270740576, 1.3589861998370478]\n\
                [contacts.f]\nbetween = [\"b.s\", \"ground.f\"]\nrestitution = 0\nfriction = 0.753\n\
                [contacts.w]\nbetween = [\"b.s\", \"ground.w\"]\nrestitution = 0\nfriction = 0.753\n\
                [simulation]\nstart = \"in-contact\"\n";
    let out = run(&written(text, &[]), &wishes("", Piecewise, 0.1, 1e-9));
    assert!(out.counts.steps < 100, "{}", out.counts.steps);
    assert!((out.state.q[2] - 0.08).abs() < 1e-12);
}
