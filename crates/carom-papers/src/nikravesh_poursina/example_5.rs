//! Example 5: two pendulums, three ways to treat their contact.

use std::rc::Rc;

use carom::model::ContactTreatment::{self, Continuous, Piecewise};

use super::super::claim::Claim;
use super::super::lab::{Answer, Lab, Ran};
use carom::maths::digits::three;

const FILE: &str = "000/two-pendulums.toml";
/// What the figure's legend calls the three simulations, and how each is run.
pub(super) const WAYS: [(&str, ContactTreatment, Option<&str>); 3] = [
    ("piecewise", Piecewise, None),
    ("Hunt-Crossley, eqs. 7 and 11", Continuous, Some("flores")),
    ("eqs. 6 and 12", Continuous, Some("poursina-nikravesh")),
];

/// One of the three simulations.
pub(super) fn run(lab: &Lab, way: usize) -> Answer<Rc<Ran>> {
    let (_, treatment, law) = WAYS[way];
    lab.run(FILE, &[], treatment, law)
}

fn onset(lab: &Lab, way: usize, impact: usize) -> Answer<f64> {
    let ran = run(lab, way)?;
    let found = ran.outcome.impacts.get(impact);
    found.map(|i| i.onset).ok_or_else(|| format!("there is no impact {}", impact + 1))
}

/// The angle of a rod from the downward vertical at the first impact, as the paper counts \[deg\].
fn angle(lab: &Lab, joint: usize) -> Answer<f64> {
    let ran = run(lab, 2)?;
    let t = onset(lab, 2, 0)?;
    let at = ran.outcome.samples.iter().find(|s| s.event && s.state.t == t);
    let q = at.map(|s| s.state.q[joint]).ok_or_else(|| "no sample at the impact".to_owned())?;
    // The file counts from x, the paper from the downward vertical.
    Ok(q.to_degrees() + 90.0)
}

/// The claims of example 5.
pub(super) fn claims() -> Vec<Claim> {
    let lost = "lost input, derived: k = 10⁸ N/m^1.5 (printed 108), g = 9.81 m/s², pivots at (0, 0) and (−a, 0), angles from the downward \
                vertical, counter-clockwise; the tip of rod 2 touches the side of rod 1; the model of eq. 12 is eq. 6 with c of eq. 12";
    let mut all: Vec<Claim> = WAYS
        .iter()
        .enumerate()
        .map(|(way, (name, ..))| {
            let what = format!("impacts in 8 s, {name}");
            Claim::printed("ex. 5", &what, ("3", ""), move |lab| {
                Ok(run(lab, way)?.outcome.impacts.len() as f64)
            })
            .note(lost)
        })
        .collect();
    all.push(Claim::printed("fig. 11", "θ₁ at the first impact", ("-3", "deg"), |lab| {
        angle(lab, 0)
    }));
    all.push(Claim::printed("fig. 11", "θ₂ at the first impact", ("27", "deg"), |lab| {
        angle(lab, 1)
    }));
    all.push(Claim::words(
        "fig. 12",
        "eq. 12 is practically the piecewise method; eq. 11 lags",
        |lab| {
            // How much later than the piecewise method's is the third impact?
            let late =
                |way: usize| Ok::<f64, String>((onset(lab, way, 2)? - onset(lab, 0, 2)?).abs());
            let (hunt_crossley, twelve) = (late(1)?, late(2)?);
            let text = format!(
                "third impact off by {} ms; {} ms",
                three(1e3 * twelve),
                three(1e3 * hunt_crossley)
            );
            Ok((twelve < 0.2 * hunt_crossley, text))
        },
    ));
    for impact in 0..3 {
        let what = format!("onset of impact {} under eq. 12", impact + 1);
        all.push(Claim::unstated("fig. 12", &what, "s", move |lab| onset(lab, 2, impact)));
    }
    all.push(Claim::unstated("ex. 5", "m_eff at the first impact", "kg", |lab| {
        Ok(run(lab, 2)?.outcome.impacts[0].effective_mass)
    }));
    all
}
