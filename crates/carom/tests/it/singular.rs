//! A singular pose is not a redundant machine: what holds in one pose only is told from what holds beside it.

use carom::dynamics::report::Mobility;
use carom::dynamics::{Mechanism, assemble};
use carom::file;
use carom::impact::MassBeside;
use carom::model::Model;

use crate::workshop::{load, off};

/// Two four-bars of equal links side by side, their cranks at `angle` from the line of the pivots; the tip of the first
/// crank hits a point of the ground across the crank. All cranks turn at `speed` and the couplers keep their direction.
fn four_bars(angle: f64, speed: f64) -> Model {
    let (s, c) = angle.sin_cos();
    let mut text = vec!["carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n".to_owned()];
    for name in ["crank0", "crank1", "crank2", "coupler0", "coupler1"] {
        text.push(format!("[bodies.{name}]\nmass = 1.0\ninertia = {:?}\n", 1.0 / 12.0));
        if name == "crank0" {
            text.push("markers.tip = [0.5, 0]\n".to_owned());
        }
    }
    text.push(format!("[ground]\nmarkers.spot = [{c:?}, {s:?}]\n"));
    for k in 0..3 {
        text.push(format!(
            "[joints.j{k}]\ntype = \"revolute\"\nconnects = [\"ground\", \"crank{k}\"]\nat = [[{k}.0, 0], [-0.5, 0]]\n\
             position = {angle:?}\nvelocity = {:?}\n",
            -speed
        ));
    }
    for k in 0..2 {
        text.push(format!(
            "[joints.h{k}]\ntype = \"revolute\"\nconnects = [\"crank{k}\", \"coupler{k}\"]\nat = [[0.5, 0], [-0.5, 0]]\n\
             position = {:?}\nvelocity = {speed:?}\n[closures.c{k}]\ntype = \"revolute\"\n\
             connects = [\"crank{}\", \"coupler{k}\"]\nat = [[0.5, 0], [0.5, 0]]\n",
            -angle,
            k + 1
        ));
    }
    let normal = format!("[{:?}, {c:?}]", -s);
    text.push(format!(
        "[contacts.hit]\nbetween = [\"ground.spot\", \"crank0.tip\"]\nnormal = {normal}\n"
    ));
    let text = text.concat();
    match file::parse("four-bars.toml", &text, &[]) {
        Ok(loaded) => loaded.model,
        Err(error) => panic!("{error}\n{text}"),
    }
}

struct Seen {
    report: Mobility,
    mass: f64,
    beside: Option<MassBeside>,
    /// How far assembly moved the joints from where the file puts them.
    moved: f64,
}

/// The constraints of a model, and its first contact.
fn see(model: &Model) -> Seen {
    let written = carom::kinematics::State::as_written(model);
    let state = assemble(model).expect("it can be assembled").state;
    let moved = (&written.q - &state.q).amax();
    let mut mechanism = Mechanism::new(model);
    let at = mechanism.at(&state).expect("the state is finite");
    let touch = at.touch(0).expect("it is defined");
    let point = touch.points()[0];
    let row = at.contact_row(0, &point, &point.normal);
    Seen {
        report: at.constraint_report(),
        mass: at.settled_mass(&row).mass,
        beside: at.mass_beside(&row),
        moved,
    }
}

/// Three cranks of J = 1/3 kg m² about their pivots and two couplers of 1 kg that translate, at an arm of 1 m: 3 kg.
const REGULAR: f64 = 3.0;

/// m_eff in the flat pose \[kg\]: 44/69.
///
/// All joints lie on one line, so that nothing moves along it and the tips of the three cranks rise independently, at y0, y1, y2. A crank
/// has T = ½ (1/3) y², and a coupler between tips a and b, a uniform rod, ½ (1/3) (a² + a b + b²): M has the diagonal 2/3, 1, 2/3 and 1/6
/// beside it. The contact pushes on y0, so 1/m_eff = (M⁻¹)₀₀ and m_eff is det M divided by the minor of y1 and y2.
fn flat_mass() -> f64 {
    // Entries of M times 108.
    let [ends, middle, beside] = [72, 108, 18];
    let determinant = ends * middle * ends - 2 * beside * beside * ends;
    let minor = middle * ends - beside * beside;
    // Integers: det M = determinant / 108³ and the minor is minor / 108².
    assert_eq!(determinant * 69, 44 * minor * 108);
    f64::from(determinant) / (f64::from(minor) * 108.0)
}

#[test]
fn nearly_flat_four_bars_weigh_what_they_weigh_elsewhere() {
    for exponent in 1..=11 {
        let angle = 10_f64.powi(-exponent);
        let seen = see(&four_bars(angle, 1.0));
        assert!(off(seen.mass, REGULAR) < 1e-12, "{angle} rad: {} kg", seen.mass);
        assert_eq!(seen.report.freedom, 1, "{angle} rad");
        assert!(seen.report.redundant.is_empty(), "{angle} rad");
        assert!(seen.moved == 0.0, "assembly moves a closed pose by {}", seen.moved);
        if exponent <= 9 {
            assert!(seen.report.singular.is_empty(), "{angle} rad");
            assert_eq!(seen.beside, None, "{angle} rad");
        }
    }
}

#[test]
fn a_flat_four_bar_is_singular_and_tells_what_it_is_beside() {
    let seen = see(&four_bars(0.0, 1.0));
    let report = &seen.report;
    assert_eq!(report.singular, ["c0", "c1"]);
    assert!(report.redundant.is_empty() && report.undecided.is_empty());
    assert_eq!((report.rank, report.freedom, report.freedom_beside), (2, 3, 1));
    assert!(!report.not_unique.is_empty(), "reactions in a singular pose are not unique");
    let beside = seen.beside.expect("the pose is singular");
    assert!(off(beside.here.mass, flat_mass()) < 1e-13, "{}", beside.here.mass);
    assert!(off(seen.mass, flat_mass()) < 1e-13);
    let along = beside.along_motion.expect("the cranks turn").mass;
    assert!(off(along, REGULAR) < 1e-12, "{along}");
    // The other branches: the tip of the first crank stays at the pivot of the second.
    let [lightest, heaviest] = beside.branches.expect("motions lead out of the pose");
    assert!(off(lightest.mass, REGULAR) < 1e-9, "{}", lightest.mass);
    assert!(heaviest.is_immobile());
    assert!(!beside.undecided);
}

#[test]
fn at_rest_no_branch_is_chosen() {
    let beside = see(&four_bars(0.0, 0.0)).beside.expect("the pose is singular");
    assert_eq!(beside.along_motion, None);
    assert!(beside.branches.is_some());
}

#[test]
fn a_rank_that_round_off_decides_is_undecided_and_both_values_are_told() {
    for exponent in [12, 13] {
        let seen = see(&four_bars(10_f64.powi(-exponent), 1.0));
        assert_eq!(seen.report.undecided, ["c0", "c1"], "1e-{exponent} rad");
        let beside = seen.beside.expect("it may be singular");
        assert!(beside.undecided);
        assert!(off(beside.here.mass, flat_mass()) < 1e-9, "{}", beside.here.mass);
        let along = beside.along_motion.expect("the cranks turn").mass;
        assert!(off(along, REGULAR) < 1e-9, "{along}");
    }
}

#[test]
fn redundant_linkages_are_redundant_and_not_singular() {
    for name in ["bennett.toml", "bricard.toml", "three-crank-parallelogram.toml"] {
        let seen = see(&load(name, &[]));
        let report = &seen.report;
        assert!(report.singular.is_empty() && report.undecided.is_empty(), "{name}: {report:?}");
        assert!(!report.redundant.is_empty(), "{name}");
        assert_eq!(report.freedom, report.freedom_beside, "{name}");
        assert_eq!(seen.beside, None, "{name}");
    }
}

#[test]
fn a_dead_centre_is_singular_only_if_closures_lose_rank() {
    let sets = |theta: &str, locked: bool| {
        let mut sets = vec![("theta", theta.to_owned())];
        if locked {
            sets.push(("joints.guide.locked", "true".to_owned()));
        }
        sets
    };
    let report = |model: &Model| {
        let state = assemble(model).expect("it can be assembled").state;
        let mut mechanism = Mechanism::new(model);
        mechanism.at(&state).expect("the state is finite").constraint_report()
    };
    for theta in ["0 deg", "180 deg"] {
        let free = report(&load("000/slider-crank.toml", &sets(theta, false)));
        assert!(free.singular.is_empty() && free.redundant.is_empty(), "{free:?}");
    }
    // The slider held at dead centre: the crank may turn for an instant, and beside it nothing may.
    let held = report(&load("000/slider-crank.toml", &sets("0 deg", true)));
    // The block is free, too.
    assert_eq!((held.freedom, held.freedom_beside), (2, 1));
    assert!(!held.singular.is_empty() && held.redundant.is_empty());
    // No motion leads out of this pose, so closing fixes it to the square root of round-off only.
    let beside = report(&load("000/slider-crank.toml", &sets("1e-8 rad", true)));
    assert!(!beside.undecided.is_empty(), "{beside:?}");
}
