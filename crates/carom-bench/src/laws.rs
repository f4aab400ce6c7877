//! What the contact laws cost: one force, and one restitution delivered.
//!
//! The baseline of a delivered restitution is what one would do without the closed form: integrate the impact.

use std::hint::black_box;

use carom::contact::catalogue::{LAWS, find};
use carom::contact::impact1d::{Damped, Impact1D, Integrated, delivered};
use carom::contact::law::{
    ContactLaw, ForceExpression, Indentation, LawError, Onset, Parameter, Parting, Settings,
};

use crate::time;

/// The case of the delivered restitution.
const DELIVERED: &str = "delivered-restitution";
/// The case of an impact of two bodies under a law with hysteresis, each with another mass and speed.
const IMPACT_1D: &str = "impact1d-hysteresis";
/// What the name of a case of a force begins with.
const FORCE: &str = "force-";
/// Forces per call, so that the call itself does not count; it ends the name of a case.
const FORCES: u32 = 16;
/// The case of a force with an exponent that needs a general power.
const GENERAL: &str = "general-exponent";
/// The case that does all but compute a force: the loop, the call through a table.
const NONE: &str = "none";

/// One evaluation.
type Call = Box<dyn FnMut() -> f64>;

/// The names of the cases.
pub fn names() -> Vec<String> {
    let laws = LAWS.iter().map(|law| law.name).chain([GENERAL, NONE]);
    let mut names: Vec<String> = laws.map(|law| format!("{FORCE}{law}-{FORCES}")).collect();
    names.push(DELIVERED.to_owned());
    names.push(IMPACT_1D.to_owned());
    names
}

/// The evaluation of a case; none if it is not one of these.
pub fn evaluation(case: &str) -> Option<Result<Call, String>> {
    if case == DELIVERED {
        let mut b = 0.0;
        return Some(Ok(Box::new(move || {
            // Both branches in turn: little and much damping.
            b = if b > 6.0 { 0.05 } else { b + 0.37 };
            delivered(b)
        })));
    }
    if case == IMPACT_1D {
        let mut mass = 1.0;
        return Some(made("flores", None).map(|law| {
            Box::new(move || {
                mass = if mass > 3.0 { 1.0 } else { mass + 0.01 };
                let impact = Impact1D::new(law.as_ref(), mass, 0.5 * mass);
                impact.map_or(f64::NAN, |impact| impact.outcome().duration)
            }) as Call
        }));
    }
    let name = case.strip_prefix(FORCE)?.strip_suffix(&format!("-{FORCES}"))?;
    let (name, exponent) = if name == GENERAL { ("exact", Some(1.8)) } else { (name, None) };
    Some(made(name, exponent).and_then(|law| {
        let onset = law.onset(2.0, 0.5).map_err(|error| error.to_string())?;
        let mut x = Indentation { delta: 1e-5, delta_dot: 0.3 };
        Ok(Box::new(move || {
            let mut sum = 0.0;
            for _ in 0..FORCES {
                x.delta += 1e-12;
                sum += law.force(black_box(&x), &onset);
            }
            sum
        }) as Call)
    }))
}

/// A law with middling settings.
fn made(name: &str, exponent: Option<f64>) -> Result<Box<dyn ContactLaw>, String> {
    if name == NONE {
        return Ok(Box::new(Nothing));
    }
    let entry = find(name).map_err(|error| error.to_string())?;
    let force = ForceExpression::parse("2.4e10*delta^1.5*(1 + 0.3*delta_dot/onset_speed)");
    let all = Settings {
        stiffness: Some(2.4e10),
        exponent,
        restitution: Some(0.6),
        damping: Some(3e3),
        max_damping: Some(1e4),
        damping_depth: Some(1e-4),
        force: entry.takes(Parameter::Force).then_some(force.map_err(|e| e.to_string())?),
        ..Settings::default()
    };
    entry.make(&all.fitted(entry).0).map_err(|error| error.to_string())
}

/// Times of all cases, and of the integration that the closed form replaces.
pub fn print_times() {
    println!("\n{:<36} {:>12} {:>22} {:>8}", "law", "ns", "computed anew, ns", "ratio");
    for name in names() {
        let Some(Ok(mut call)) = evaluation(&name) else { continue };
        let forces = if name.starts_with(FORCE) { FORCES } else { 1 };
        let own = time(&mut call) / f64::from(forces);
        print!("{name:<36} {:>12.1}", own * 1e9);
        let other = match name.as_str() {
            DELIVERED => Some(time(integrated)),
            // The quadratures that are kept.
            IMPACT_1D => Some(time(|| Damped::new(1.5, 0.7).factors().duration)),
            _ => None,
        };
        match other {
            Some(other) => println!(" {:>22.0} {:>8.0}", other * 1e9, other / own),
            None => println!(),
        }
    }
}

/// The restitution of `hunt-crossley` by integration.
fn integrated() -> f64 {
    let Ok(law) = made("hunt-crossley", None) else { return f64::NAN };
    let Ok(onset) = law.onset(2.0, 0.5) else { return f64::NAN };
    let impact = Integrated::new(law.as_ref(), &onset, Parting::ZeroForce);
    impact.map_or(f64::NAN, |impact| impact.factors().restitution)
}

/// A law that computes nothing.
#[derive(Debug)]
struct Nothing;

impl ContactLaw for Nothing {
    fn name(&self) -> &'static str {
        NONE
    }

    fn onset(&self, effective_mass: f64, speed: f64) -> Result<Onset, LawError> {
        Ok(Onset { speed, effective_mass, damping: 0.0 })
    }

    fn force(&self, x: &Indentation, _onset: &Onset) -> f64 {
        x.delta
    }

    fn slopes(&self, _x: &Indentation, _onset: &Onset) -> [f64; 2] {
        [1.0, 0.0]
    }

    fn elastic_energy(&self, delta: f64, _onset: &Onset) -> f64 {
        0.5 * delta * delta
    }

    fn elastic_depth(&self, energy: f64, _onset: &Onset) -> Option<f64> {
        Some((2.0 * energy).sqrt())
    }

    fn parting(&self) -> Parting {
        Parting::ZeroForce
    }
}
