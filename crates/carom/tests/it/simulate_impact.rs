//! Impacts under force laws inside mechanisms, and contacts under load.

use crate::simulate::{model, run, wishes, written};
use crate::simulate_event::{HERTZIAN, ball};
use carom::contact::{catalogue, impact1d::Impact1D, law::Settings};
use carom::model::ContactTreatment::Continuous;

/// What the issue allows at a tolerance of 1e-10.
const IMPACT: f64 = 1e-8;

#[test]
fn two_spheres_on_slides_are_the_one_dimensional_impact() {
    for (law, e) in
        [("hertz", "0.9"), ("exact", "0.5"), ("flores", "0.7"), ("hunt-crossley", "0.3")]
    {
        let given = [("contacts.spheres.restitution", e)];
        let opened = model("001/two-spheres.toml", &given);
        let out = run(&opened, &wishes(law, Continuous, 2e-3, 1e-10));
        let found = &out.impacts[0];
        let contact = opened.model().contacts[0].defaults.clone();
        // K of two equal steel spheres: E/(1 − ν²)/2 · √(R/2) · 4/3 (Moreira et al. eq. 3).
        let K = 4.0 / 3.0 * 0.5 * 207e9 / (1.0 - 0.09) * (0.05_f64 / 2.0).sqrt();
        let settings = Settings {
            stiffness: Some(K),
            restitution: contact.restitution.filter(|_| law != "hertz"),
            ..Settings::default()
        };
        let made = catalogue::find(law).unwrap().make(&settings).unwrap();
        let alone = Impact1D::new(made.as_ref(), found.effective_mass, 0.5).unwrap();
        let alone = alone.outcome();
        let off = |ours: f64, theirs: f64| (ours / theirs - 1.0).abs();
        assert!(off(found.peak_force.unwrap(), alone.peak_force) < IMPACT, "{law}: {found:?}");
        assert!(off(found.duration().unwrap(), alone.duration) < IMPACT, "{law}: {found:?}");
        assert!(off(found.max_indentation, alone.max_indentation) < IMPACT, "{law}: {found:?}");
        let speed = found.separation_speed.unwrap();
        assert!(off(speed, alone.separation_speed) < IMPACT, "{law}: {speed}");
        assert!(off(found.energy_lost + 1.0, alone.energy_lost + 1.0) < IMPACT, "{law}");
    }
}

/// A rod on a pivot whose tip meets a wall at 50° from its normal position; soft, so that the lever changes meanwhile.
const ROD: &str = "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n\
    [bodies.rod]\nmass = 3\nshape = { rod = 2 }\ncontact.tip = { point = [1, 0] }\n\
    [ground]\ncontact.wall = { plane = [-1, 0], at = [\"2*sin(50 deg)\", 0] }\n\
    [joints.pivot]\ntype = \"revolute\"\nconnects = [\"ground\", \"rod\"]\nat = [[0, 0], [-1, 0]]\n\
    position = \"-90 deg + 45 deg\"\nvelocity = 2\n\
    [contacts.tip]\nbetween = [\"rod.tip\", \"ground.wall\"]\nrestitution = 1\nstiffness = \"2e4 N/m^1.5\"\nlaw = \"hertz\"\n";

#[test]
fn a_hertz_impact_of_a_rod_is_that_of_its_energy_integral() {
    // ½ J θ̇² + ⅖ K δ^2.5 = ½ J ω², δ = L (sin θ − sin θ₀): the duration is 2 ∫ dθ/θ̇, with θ = θ₀ + (θ₁ − θ₀) (1 − s²).
    let (J, L, K, omega): (f64, f64, f64, f64) = (3.0 * 4.0 / 3.0, 2.0, 2e4, 2.0);
    let start = 50.0_f64.to_radians();
    let energy = 0.5 * J * omega * omega;
    let depth = (2.5 * energy / K).powf(0.4);
    let end = (start.sin() + depth / L).asin();
    let rate = |theta: f64| {
        let delta = L * (theta.sin() - start.sin());
        (2.0 / J * (energy - 0.4 * K * delta.max(0.0).powf(2.5))).sqrt()
    };
    // s = tanh-sinh: the integrand is smooth inside and bounded at both ends.
    let (mut sum, h) = (0.0, 1.0 / 64.0);
    for k in -300..=300 {
        let x = h * f64::from(k);
        let u = std::f64::consts::FRAC_PI_2 * x.sinh();
        let weight = std::f64::consts::FRAC_PI_2 * x.cosh() / u.cosh().powi(2) / 2.0;
        let s = 0.5 * (1.0 + u.tanh());
        let theta = start + (end - start) * (1.0 - s * s);
        let value = 2.0 * s * (end - start) / rate(theta);
        if value.is_finite() && s > 1e-7 {
            sum += h * weight * value;
        }
    }
    let duration = 2.0 * sum;
    let out = run(&written(ROD, &[]), &wishes("", Continuous, 1.0, 1e-10));
    let found = &out.impacts[0];
    let off = |ours: f64, theirs: f64| (ours / theirs - 1.0).abs();
    assert!((found.onset - 5.0_f64.to_radians() / 2.0).abs() < 1e-10, "{found:?}");
    assert!(off(found.peak_force.unwrap(), K * depth.powf(1.5)) < IMPACT, "{found:?}");
    assert!(off(found.max_indentation, depth) < IMPACT, "{found:?}");
    assert!(off(found.separation_speed.unwrap(), L * omega * start.cos()) < IMPACT, "{found:?}");
    // The integral is cut at s = 1e-7, where little is left of it.
    assert!(off(found.duration().unwrap(), duration) < 1e-7, "{found:?} against {duration}");
    assert!(off(found.compression_work, energy) < IMPACT, "all energy of one coordinate is T_c");
}

#[test]
fn every_law_settles_a_ball_at_its_static_indentation() {
    let hertzian = (9.81_f64 / 1e9).powf(2.0 / 3.0);
    let linear = 9.81 / 1e6;
    for entry in &catalogue::LAWS {
        let (contact, depth) = match entry.name {
            // No loss: they never settle.
            "hertz" | "hooke" => continue,
            "kelvin-voigt" => {
                ("stiffness = \"1e6 N/m\"\ndamping = \"300 N s/m\"".to_owned(), linear)
            }
            "anagnostopoulos" | "exact-linear" => {
                ("restitution = \"e\"\nstiffness = \"1e6 N/m\"".to_owned(), linear)
            }
            "impact" => {
                let own = "stiffness = \"1e9 N/m^1.5\"\nmax_damping = \"2000 N s/m\"\ndamping_depth = \"1e-5 m\"";
                (own.to_owned(), hertzian)
            }
            "expression" => {
                let own = "force = \"1e9*delta^1.5*(1 + 0.9*delta_dot/onset_speed)\"";
                (own.to_owned(), hertzian)
            }
            _ => ("restitution = \"e\"\nstiffness = \"1e9 N/m^1.5\"".to_owned(), hertzian),
        };
        let text = ball(&format!("{contact}\nlaw = \"{}\"", entry.name));
        let out = run(&written(&text, &[]), &wishes("", Continuous, 3.2, 1e-8));
        let settled = 0.1 - out.state.q[0];
        assert!((settled / depth - 1.0).abs() < 1e-6, "{}: {settled} against {depth}", entry.name);
        assert!(out.state.v[0].abs() < 1e-9, "{}: {}", entry.name, out.state.v[0]);
        assert!(out.impacts.last().unwrap().parting.is_none(), "{}", entry.name);
        let balance = out.samples.last().unwrap().ledger;
        assert!((balance.contact_loss - 4.905).abs() < 1e-4, "{}: {balance:?}", entry.name);
    }
}

#[test]
fn a_bounce_under_a_law_is_as_high_as_the_restitution_squared() {
    // exact, e = 0.5: weight acts over 0.7 ms, g T/u = 2e-3.
    let out = run(&written(&ball(HERTZIAN), &[]), &wishes("", Continuous, 0.5, 1e-10));
    let top = out.samples.iter().filter(|s| s.state.t > 0.33).map(|s| s.state.q[0]);
    let top = top.fold(0.0, f64::max) - 0.1;
    assert!((top / (0.25 * 0.5) - 1.0).abs() < 5e-3, "{top}");
}

#[test]
fn an_impact_of_the_double_pendulum_takes_few_evaluations() {
    let opened = model("002/double-pendulum.toml", &[("contacts.tip.restitution", "0.7")]);
    let out = run(&opened, &wishes("hunt-crossley", Continuous, 1.6e-3, 1e-9));
    assert!(out.impacts[0].parting.is_some());
    assert!(out.counts.evaluations <= 450, "{:?}", out.counts);
}

/// Three equal discs on a line, the first of which strikes the other two at rest, touching. Eighths: the gap is exactly zero.
fn cradle(stiffness: &str) -> String {
    let body = |k: usize, x: &str, v: usize| {
        format!(
            "[bodies.b{k}]\nmass = 1\nshape = {{ disc = 0.125 }}\ncontact.rim = {{ circle = 0.125, at = [0, 0] }}\n\
             [joints.s{k}]\ntype = \"prismatic\"\nconnects = [\"ground\", \"b{k}\"]\naxis = [1, 0]\nposition = {x}\nvelocity = {v}\n"
        )
    };
    let contact = |k: usize| {
        format!(
            "[contacts.c{k}]\nbetween = [\"b{k}.rim\", \"b{}.rim\"]\nrestitution = 1\nstiffness = \"{stiffness}\"\nlaw = \"hertz\"\n",
            k + 1
        )
    };
    let bodies = [body(0, "-0.5", 1), body(1, "0.25", 0), body(2, "0.5", 0)].concat();
    let contacts = [contact(0), contact(1)].concat();
    format!("carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n{bodies}{contacts}")
}

#[test]
fn three_spheres_in_a_row_part_as_hertz_chains_do() {
    let out = run(&written(&cradle("1e9 N/m^1.5"), &[]), &wishes("", Continuous, 1.0, 1e-11));
    let v = &out.state.v;
    assert!((v.sum() - 1.0).abs() < 1e-12 && (v.norm_squared() - 1.0).abs() < 1e-9, "{v}");
    // −0.071, 0.076, 0.995: the well-known answer, which depends on neither stiffness nor speed.
    for (found, known) in v.iter().zip([-0.071, 0.076, 0.995]) {
        assert!((found - known).abs() < 6e-4, "{v}");
    }
    // The pair that touched at rest is pressed together: no approach, and no quotient by it.
    let pressed = out.impacts.iter().find(|i| i.spot.contact == 1).unwrap();
    assert!(pressed.restitution().is_none(), "{pressed:?}");
    let other = run(&written(&cradle("1e5 N/m^1.5"), &[]), &wishes("", Continuous, 1.0, 1e-11));
    assert!((&other.state.v - v).norm() < 1e-8, "{} {v}", other.state.v);
}
