//! What joints bear during impacts: closed forms of rods, balances of momentum.

use crate::gradient::with_contact;
use crate::simulate::{model, run, wishes, written};
use carom::dynamics::{Forward, Mechanism, Terms, Transmitted, assemble};
use carom::file::Opened;
use carom::maths::Vec3;
use carom::model::ContactTreatment::{Continuous, Piecewise};
use carom::model::Model;
use carom::simulate::{JointPeak, Outcome};

/// Sums over a few bodies.
const ROUND_OFF: f64 = 1e-11;
/// Of forces of an impact at a tolerance of 1e-10.
const IMPACT: f64 = 1e-7;

/// A rod of 2 m and 3 kg on a pivot at its end; a point of it, `arm` from the pivot, meets a wall at `angle` from where it is
/// struck at right angles.
const ROD: &str = "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n\
    [parameters]\narm = 2\nangle = \"0 deg\"\n\
    [bodies.rod]\nmass = 3\nshape = { rod = 2 }\ncontact.tip = { point = [\"arm - 1\", 0] }\n\
    [ground]\ncontact.wall = { plane = [-1, 0], at = [\"arm*sin(angle)\", 0] }\n\
    [joints.pivot]\ntype = \"revolute\"\nconnects = [\"ground\", \"rod\"]\nat = [[0, 0], [-1, 0]]\n\
    position = \"-95 deg + angle\"\nvelocity = 2\n\
    [contacts.tip]\nbetween = [\"rod.tip\", \"ground.wall\"]\nrestitution = 1\nstiffness = \"2e4 N/m^1.5\"\nlaw = \"hertz\"\n";

/// |R|/F at the pivot while the rod does not turn: R = m d α e_t − F n, with α = F x cos φ/J; c = m d x/J.
fn share(arm: f64, angle: f64) -> f64 {
    let c = 3.0 * arm / (2.0 * 2.0);
    (1.0 + angle.cos().powi(2) * (c * c - 2.0 * c)).max(0.0).sqrt()
}

#[test]
fn the_pivot_of_a_rod_bears_its_share_of_the_impulse_and_none_at_the_centre_of_percussion() {
    for (arm, angle) in [("2", 0.0), ("4/3", 0.0), ("0.5", 0.0), ("2", 50.0), ("4/3", 50.0)] {
        let degrees = format!("{angle} deg");
        let given = [("parameters.arm", arm), ("parameters.angle", degrees.as_str())];
        let out = run(&written(ROD, &given), &wishes("", Piecewise, 0.1, 1e-10));
        let arm = if arm == "4/3" { 4.0 / 3.0 } else { arm.parse().unwrap() };
        let p = out.impacts[0].impulse.unwrap();
        let angle = f64::to_radians(angle);
        // (1 + e) m_eff u with m_eff = J/(x cos φ)², u = ω x cos φ, J = 4 kg m².
        assert!((p - 2.0 * 4.0 * 2.0 / (arm * angle.cos())).abs() < 1e-9, "{p}");
        let found = out.reactions[0][0];
        let off = (found.force.norm() - p * share(arm, angle)).abs();
        assert!(off < 1e-9 * p, "{arm} {angle}: {found:?} of {p}");
        assert!(found.unique && found.moment.norm() < ROUND_OFF && found.time_of_force > 0.0);
    }
}

#[test]
fn the_greatest_force_on_the_pivot_is_a_known_part_of_the_peak_force() {
    // At the greatest indentation ω = 0. F is greatest there, and so is what the pivot bears.
    for (arm, angle) in [("2", 50.0), ("4/3", 50.0), ("0.5", 0.0)] {
        let degrees = format!("{angle} deg");
        let given = [("parameters.arm", arm), ("parameters.angle", degrees.as_str())];
        let out = run(&written(ROD, &given), &wishes("", Continuous, 0.5, 1e-11));
        let arm: f64 = if arm == "4/3" { 4.0 / 3.0 } else { arm.parse().unwrap() };
        let energy = 0.5 * 4.0 * 4.0;
        let depth = (2.5 * energy / 2e4_f64).powf(0.4);
        let end = (f64::to_radians(angle).sin() + depth / arm).asin();
        let F = 2e4 * depth.powf(1.5);
        let (first, found) = (&out.impacts[0], &out.reactions[0][0]);
        let expected = F * share(arm, end);
        let off = found.force.norm() / expected - 1.0;
        assert!(off.abs() < IMPACT, "{arm} {angle}: {found:?} against {expected}");
        let late = found.time_of_force - first.time_of_max_indentation;
        assert!(late.abs() < 1e-4 * first.duration().unwrap(), "{late}");
    }
}

/// Linear and angular momentum of a state.
fn momentum(model: &Model, state: &carom::kinematics::State) -> (Vec3, Vec3) {
    Mechanism::new(model).at(state).unwrap().momentum()
}

/// Force and moment about the world's origin of all joints on the ground.
fn from_ground(opened: &Opened, out: &Outcome, peaks: &[JointPeak]) -> (Vec3, Vec3) {
    let model = opened.model();
    let mut mechanism = Mechanism::new(model);
    let at = mechanism.at(&out.samples[0].state).unwrap();
    let mut sum = (Vec3::zeros(), Vec3::zeros());
    for (k, body) in model.bodies.iter().enumerate().filter(|(_, b)| b.parent.is_none()) {
        sum.0 += peaks[k].force;
        let origin = at.frames().links()[k].origin();
        sum.1 += peaks[k].moment + origin.cross(&peaks[k].force);
        assert!(!body.joint.locked);
    }
    sum
}

#[test]
fn reaction_impulses_balance_the_change_of_momentum() {
    let pendulums = model("000/two-pendulums.toml", &[]);
    let crank = model("000/slider-crank.toml", &[]);
    for (opened, until) in [(pendulums, 2.0), (crank, 0.01)] {
        let out = run(&opened, &wishes("", Piecewise, until, 1e-9));
        let t = out.impacts[0].onset;
        let at: Vec<_> = out.samples.iter().filter(|s| s.event && s.state.t == t).collect();
        let [before, after] = at[..] else { panic!("{} samples", at.len()) };
        let before_all = momentum(opened.model(), &before.state);
        let after_all = momentum(opened.model(), &after.state);
        let placed = Outcome { samples: vec![before.clone()], ..out.clone() };
        let (force, moment) = from_ground(&opened, &placed, &out.reactions[0]);
        assert!(force.norm() > 0.1, "the ground takes part");
        assert!((after_all.0 - before_all.0 - force).norm() < ROUND_OFF, "{force}");
        assert!((after_all.1 - before_all.1 - moment).norm() < ROUND_OFF, "{moment}");
    }
}

#[test]
fn the_impulse_of_a_closure_moves_its_second_body() {
    // The slider of the slider-crank: m Δv = its guide's impulse + the wrist's − the contact's.
    let opened = model("000/slider-crank.toml", &[]);
    let out = run(&opened, &wishes("", Piecewise, 0.01, 1e-9));
    let model = opened.model();
    let slider = model.body("slider").unwrap().index();
    let at = |state| Mechanism::new(model).at(state).unwrap().center_velocity(slider);
    let change = at(&out.samples[1].state) - at(&out.samples[0].state);
    let peaks = &out.reactions[0];
    let wrist = &peaks[model.bodies.len()];
    let p = out.impacts[0].impulse.unwrap();
    let sum = peaks[slider].force + wrist.force - Vec3::x() * p;
    assert!((sum - change * model.bodies[slider].inertia.mass).norm() < ROUND_OFF, "{sum}");
    assert!(wrist.unique && wrist.moment.norm() < ROUND_OFF, "a pin transmits no moment");
}

#[test]
fn reactions_with_pushes_are_those_of_all_bodies_together() {
    let mut compared = 0;
    for seed in 0..200 {
        let (bodies, loops) = (3 + seed as usize % 4, seed as usize % 3);
        let model = Model::new(&with_contact(seed, bodies, loops, seed % 2 == 0)).unwrap();
        let Ok(assembled) = assemble(&model) else { continue };
        let mut mechanism = Mechanism::new(&model);
        let at = mechanism.at(&assembled.state).unwrap();
        let Ok(touch) = at.touch(0) else { continue };
        let point = touch.points()[0];
        let row = at.contact_row(0, &point, &point.normal);
        let mut work = Forward::new(at.layout());
        let mut found = Transmitted::new(&model);
        if at.load(Terms::All, &mut work).is_err() || at.accelerate(&mut work).is_err() {
            continue;
        }
        // Without a push it is the other way of computing reactions.
        at.transmit(&work.wrenches, &work.solution, &mut found);
        let motion = at.accelerations(Terms::All).unwrap();
        let expected = at.reactions(&motion).unwrap();
        let size = expected.iter().map(|w| w.force.norm() + w.moment.norm()).fold(1.0, f64::max);
        for (a, b) in found.joints.iter().zip(&expected) {
            let off = (a.force - b.force).norm() + (a.moment - b.moment).norm();
            assert!(off < 1e-9 * size, "{seed}: {a:?} {b:?}");
        }
        // A push of 70 N changes them by what it changes of the momenta.
        let without = found.clone();
        work.push(&row, 70.0);
        at.accelerate(&mut work).unwrap();
        at.transmit(&work.wrenches, &work.solution, &mut found);
        let mut more = vec![carom::maths::Twist::zero(); model.bodies.len()];
        at.body_accelerations(&work, &mut more);
        let mut left = Vec3::zeros();
        for (k, body) in model.bodies.iter().enumerate() {
            let c = at.frames().links()[k].rotation() * body.inertia.center;
            left += (more[k].at(&c) - motion.bodies[k].at(&c)) * body.inertia.mass;
            if body.parent.is_none() {
                left -= found.joints[k].force - without.joints[k].force;
            }
        }
        for (side, w) in [(row.a, row.on_a), (row.b, row.on_b)] {
            left -= if side.is_some() { w.force * 70.0 } else { Vec3::zeros() };
        }
        let rows = model.closures.iter().flat_map(|c| &c.rows).count();
        for r in 0..rows {
            let Some(w) = at.closure_row(r) else { continue };
            let lambda = work.solution.multipliers[r] - motion.solution.multipliers[r];
            left -= if w.a.is_some() { w.on_a.force * lambda } else { Vec3::zeros() };
            left -= if w.b.is_some() { w.on_b.force * lambda } else { Vec3::zeros() };
        }
        let size = found.joints.iter().map(|w| w.force.norm()).fold(70.0, f64::max);
        assert!(left.norm() < 1e-9 * size, "{seed}: {left} of {size}");
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn reactions_that_are_not_unique_are_marked() {
    let opened = model("three-crank-parallelogram.toml", &[]);
    let out = run(&opened, &wishes("", Piecewise, 0.01, 1e-9));
    let model = opened.model();
    let mut mechanism = Mechanism::new(model);
    let at = mechanism.at(&opened.assembled.state).unwrap();
    let many = at.constraint_report().not_unique;
    let joints = model.bodies.iter().map(|b| format!("joints.{}", b.joint.name));
    let names = joints.chain(model.closures.iter().map(|c| format!("closures.{}", c.name)));
    assert!(!many.is_empty());
    for (name, peak) in names.zip(&out.reactions[0]) {
        assert_eq!(peak.unique, !many.contains(&name), "{name}");
    }
}

#[test]
fn friction_and_drives_are_part_of_reactions() {
    // A ball on an upright guide falls on a belt that is driven at 1 m/s: the guide bears μ F, the belt's F and μ F.
    let text = "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n\
        [bodies.ball]\nmass = 1\nshape = { point = true }\ncontact.skin = { sphere = 0.1 }\n\
        [bodies.belt]\nmass = 5\nshape = { point = true }\ncontact.top = { plane = [0, 1] }\n\
        [joints.guide]\ntype = \"prismatic\"\nconnects = [\"ground\", \"ball\"]\naxis = [0, 1]\n\
        position = 0.11\nvelocity = -1\n\
        [joints.rail]\ntype = \"prismatic\"\nconnects = [\"ground\", \"belt\"]\naxis = [1, 0]\n\
        [drives.motor]\njoint = \"rail\"\nmotion = \"t\"\n\
        [contacts.drop]\nbetween = [\"ball.skin\", \"belt.top\"]\nrestitution = 0.5\n\
        stiffness = \"1e6 N/m^1.5\"\nlaw = \"exact\"\nfriction = 0.3\n";
    let out = run(&written(text, &[]), &wishes("", Continuous, 0.05, 1e-10));
    let F = out.impacts[0].peak_force.unwrap();
    let [guide, rail] = out.reactions[0][..] else { panic!("two joints") };
    assert!((guide.force.norm() / (0.3 * F) - 1.0).abs() < 1e-8, "{guide:?} {F}");
    assert!((rail.force.norm() / (1.09_f64.sqrt() * F) - 1.0).abs() < 1e-8, "{rail:?} {F}");
    // The belt drags the ball to +x, so the guide holds it back; the motor holds the belt.
    assert!(guide.force.x < 0.0 && rail.force.x > 0.0 && rail.force.y > 0.0);
    // The point of contact is 0.1 m under the guide's point, less the indentation of some mm.
    let arm = guide.moment.norm() / guide.force.norm();
    assert!((arm - 0.1).abs() < 3e-3, "{arm}");
    let off = (guide.time_of_force - out.impacts[0].time_of_peak).abs();
    assert!(off < 1e-5 * out.impacts[0].duration().unwrap(), "{off}");
}
