//! Wrong answers that an independent formulation found, each with the reason it was wrong.

use carom::dynamics::Mechanism;
use carom::file;
use carom::impact::{Assessment, ImpactRows, Options, routes};
use carom::model::Model;

use crate::random_mechanism::{Random, mechanism};
use crate::twin::random_row;
use crate::workshop::{Look, load, off};

fn parse(text: &str) -> Model {
    match file::parse("regression.toml", text, &[]) {
        Ok(loaded) => loaded.model,
        Err(faults) => panic!("{faults}"),
    }
}

#[test]
fn a_branch_is_a_matter_of_the_angle_not_of_whole_turns() {
    // Newton may go round: −5.8 rad meets "q.elbow < 0" by number, with the elbow on the wrong side.
    let (upper, fore) = (0.8_f64, 0.6_f64);
    let mut wide = 0;
    for k in 0..72_u32 {
        let shoulder = f64::from(k) * 0.37 - 3.0;
        for elbow in [-2.3, -1.1, -0.4, 0.4, 1.1, 2.3] {
            let x = upper * shoulder.cos() + fore * (shoulder + elbow).cos();
            let y = upper * shoulder.sin() + fore * (shoulder + elbow).sin();
            let sign = if elbow > 0.0 { '>' } else { '<' };
            let text = format!(
                r#"
carom = 1
space = "planar"
gravity = [0, 0]
bodies.upper = {{ mass = 1.2, inertia = 0.1, center = [0.4, 0] }}
bodies.fore = {{ mass = 0.7, inertia = 0.05, center = [0.3, 0], markers.tip = [{fore:?}, 0] }}
joints.shoulder = {{ type = "revolute", connects = ["ground", "upper"] }}
joints.elbow = {{ type = "revolute", connects = ["upper", "fore"], at = [[{upper:?}, 0], [0, 0]] }}
loads.coil = {{ type = "joint-spring", joint = "elbow", stiffness = 1, rest = 0 }}
initial.points."fore.tip" = {{ at = [{x:?}, {y:?}] }}
initial.branch = "q.elbow {sign} 0"
"#
            );
            let found = carom::dynamics::assemble(&parse(&text)).expect("the arm reaches it");
            assert!(
                (found.state.q[1] - elbow).abs() < 1e-9,
                "{shoulder} {elbow}: {}",
                found.state.q
            );
            wide += u32::from(found.start > 0);
        }
    }
    assert!(wide > 0, "some need another start");
}

#[test]
fn a_loop_of_micrometres_is_the_loop_of_metres() {
    // Cosines close to 1e-16, however small the lengths are: each kind of row has its own size.
    let mass = |scale: f64| {
        let sets = [("link_a", 0.5), ("link_b", 0.7)].map(|(k, x)| (k, format!("{:?}", x * scale)));
        let look = Look::at(&load("bennett.toml", &sets), 0);
        assert_eq!(look.assembled.start, 0, "the pose of the file closes");
        look.mass()
    };
    let expected = mass(1.0);
    for scale in [1e-8, 1e-6, 1e-3, 1e3, 1e6] {
        assert!(off(mass(scale), expected) < 1e-11, "scale {scale}: {} {expected}", mass(scale));
    }
}

#[test]
fn a_normal_fixed_in_a_third_body_changes_with_its_joint() {
    let text = |angle: f64| {
        format!(
            r#"
carom = 1
space = "planar"
gravity = [0, 0]
ground.markers.here = [0.3, 0.1]
bodies.arm = {{ mass = 2, inertia = 0.4, center = [0.2, 0.1], markers.tip = [0.9, 0.2] }}
bodies.vane = {{ mass = 0.5, inertia = 0.1, center = [0.1, 0] }}
joints.pivot = {{ type = "floating", connects = ["ground", "arm"], position = [0.1, 0.2, 0.4], velocity = [1, 2, 3] }}
joints.hinge = {{ type = "revolute", connects = ["arm", "vane"], position = {angle:?}, velocity = 2 }}
contacts.hit = {{ between = ["arm.tip", "ground.here"], normal = [1, 0.3], normal_in = "vane" }}
"#
        )
    };
    let look = |angle: f64| Look::at(&parse(&text(angle)), 0);
    let model = parse(&text(0.7));
    let state = look(0.7).assembled.state;
    let mut mechanism = Mechanism::new(&model);
    let at = mechanism.at(&state).expect("the state is finite");
    let options = Options { gradients: true, ..Options::default() };
    let found = Assessment::new(&at, 0, &options).expect("it is defined");
    let gradients = found.rows[0].gradients.as_ref().expect("asked for");
    let h = 1e-3;
    let slope = |f: &dyn Fn(f64) -> f64| {
        (8.0 * (f(0.7 + h) - f(0.7 - h)) - (f(0.7 + 2.0 * h) - f(0.7 - 2.0 * h))) / (12.0 * h)
    };
    let (dm, dT) = (slope(&|x| look(x).mass()), slope(&|x| look(x).energy()));
    assert!(dm.abs() > 0.1, "it does depend on the hinge: {dm}");
    assert!(off(gradients.mass_by_position[3], dm) < 1e-8);
    assert!(off(gradients.energy_by_position[3], dT) < 1e-8);
}

#[test]
fn the_pseudo_inverse_is_that_of_moore_and_penrose() {
    // A carriage is driven at w and carries a pivoted bar, two points of which meet a wall: W = r rᵀ / I
    // has rank 1, and u = ω r − w is not in its range, so that the kind of inverse counts.
    let (w, omega, I) = (3.0, 0.5, 0.7);
    let text = format!(
        r#"
carom = 1
space = "planar"
gravity = [0, 0]
ground.contact.wall = {{ plane = [-1, 0], at = [5, 0] }}
bodies.carriage = {{ mass = 4, inertia = 1 }}
bodies.bar = {{ mass = 1.3, inertia = {I:?}, contact.side = {{ capsule = 0.1, from = [1, 0], to = [2, 0] }} }}
joints.rail = {{ type = "prismatic", connects = ["ground", "carriage"] }}
joints.pivot = {{ type = "revolute", connects = ["carriage", "bar"], position = "90 deg", velocity = {omega:?} }}
drives.push = {{ joint = "rail", motion = "{w:?}*t" }}
contacts.hit = {{ between = ["bar.side", "ground.wall"] }}
"#
    );
    let look = Look::at(&parse(&text), 0);
    let r = [1.0, 2.0];
    let along: f64 = r.iter().map(|r| r * (omega * r - w)).sum();
    let square: f64 = r.iter().map(|r| r * r).sum();
    let expected = 0.5 * I * along * along / (square * square);
    assert!(off(look.contact.energies.constrained, expected) < 1e-12);
}

#[test]
fn velocities_that_cancel_are_rest_and_cannot_be_scaled() {
    // Two bars and the ground are a truss: what is left of a stated velocity is round-off, which a
    // wanted kinetic energy would blow up to a motion that opens the loop.
    let text = |height: f64, energy: &str| {
        format!(
            r#"
carom = 1
space = "planar"
gravity = [0, 0]
bodies.bar = {{ mass = 2, inertia = 0.3, center = [0.31, 0.17] }}
bodies.arm = {{ mass = 1, inertia = 0.2, center = [0.23, 0.11] }}
joints.first = {{ type = "revolute", connects = ["ground", "bar"], guess = 0.7, velocity = 1.3 }}
joints.second = {{ type = "revolute", connects = ["bar", "arm"], at = [[0.6, 0.1], [0, 0]], guess = 0.9 }}
closures.end = {{ type = "revolute", connects = ["ground", "arm"], at = [[0.4, {height:?}], [0.55, 0.2]] }}
{energy}
"#
        )
    };
    for k in 0..20_u32 {
        let height = 0.3 + 0.017 * f64::from(k);
        let still = carom::dynamics::assemble(&parse(&text(height, ""))).expect("it closes");
        assert_eq!(still.state.v.amax(), 0.0, "at rest, exactly");
        let scaled = parse(&text(height, "initial.kinetic_energy = 5"));
        assert!(carom::dynamics::assemble(&scaled).is_err(), "nothing moves");
    }
}

#[test]
fn a_nearly_singular_loop_costs_no_digits() {
    // The sweep leaves round-off times the condition of D M⁻¹ Dᵀ, the square of D's own, in D w = 0.
    // The null space of D (eq. 39) does not square it.
    let (mut looked, mut sweep, mut worst) = (0, 0.0_f64, 0.0_f64);
    for seed in 0..4000 {
        let (model, state) = mechanism(seed, 7, 2, seed % 2 == 0);
        let mut machine = Mechanism::new(&model);
        let Ok(at) = machine.at(&state) else { continue };
        let matrices = at.matrices();
        let condition = matrices.condition().unwrap_or(f64::INFINITY);
        if !(1e5..1e10).contains(&condition) {
            continue;
        }
        let row = random_row(&mut Random(seed ^ 0xABCD), &at);
        let found = ImpactRows::new(&at, &[row]).effective(0);
        let expected = routes::closed_independent(&matrices, &at.jacobian_row(&row));
        let expected = expected.expect("M is positive definite");
        if found.mobility < 1e-3 * row.free_mobility(&model, at.frames()) {
            continue;
        }
        looked += 1;
        sweep = sweep.max(off(at.effective_mass(&row).mass, expected));
        worst = worst.max(off(found.mass, expected));
    }
    println!("{looked} nearly singular loops: off by {worst:.1e}, the sweep alone by {sweep:.1e}");
    assert!(looked >= 10, "only {looked}");
    assert!(worst < 1e-10, "off by {worst:.1e}, the sweep alone by {sweep:.1e}");
}
