//! The ball on the moving table.

use std::rc::Rc;

use carom::model::ContactTreatment::Continuous;

use super::super::lab::{Answer, Lab, Ran};

const FILE: &str = "001/ball-on-table.toml";

/// Ten seconds under a law; the restitution is set unless the law takes none.
pub(super) fn run(lab: &Lab, law: &str, e: Option<&str>) -> Answer<Rc<Ran>> {
    let sets: Vec<(&str, &str)> =
        e.map(|e| ("contacts.bounce.restitution", e)).into_iter().collect();
    lab.run(FILE, &sets, Continuous, Some(law))
}

/// Where the ball's lowest point and the table are \[m\] over time \[s\].
pub(super) fn heights(ran: &Ran) -> Answer<[Vec<(f64, f64)>; 2]> {
    let (ball, table) = (coordinate(ran, "fall")?, coordinate(ran, "lift")?);
    let samples = &ran.outcome.samples;
    // The ball's radius is what its gap at the start leaves of the distance of the centres.
    let first = samples.first().ok_or_else(|| "no samples".to_owned())?;
    let radius = first.state.q[ball] - first.state.q[table] - gap(ran)?;
    let over =
        |k: usize, less: f64| samples.iter().map(|s| (s.state.t, s.state.q[k] - less)).collect();
    Ok([over(ball, radius), over(table, 0.0)])
}

/// The gap at the start \[m\].
pub(super) fn gap(ran: &Ran) -> Answer<f64> {
    let mut mechanism = carom::dynamics::Mechanism::new(ran.opened.model());
    let at = mechanism.at(&ran.opened.assembled.state).map_err(|e| e.to_string())?;
    Ok(at.touch(0).map_err(|e| e.to_string())?.gap())
}

/// Impacts in which the ball got faster, and whether those are just the ones on a rising table.
pub(super) fn gains(ran: &Ran) -> Answer<(usize, bool)> {
    let (ball, table) = (coordinate(ran, "fall")?, coordinate(ran, "lift")?);
    let at = |t: f64| ran.outcome.samples.iter().find(|s| s.event && s.state.t == t);
    let (mut count, mut all) = (0, true);
    for impact in &ran.outcome.impacts {
        let Some(end) = impact.parting else { continue };
        let (Some(before), Some(after)) = (at(impact.onset), at(end)) else {
            return Err("no sample at an impact".to_owned());
        };
        let faster = after.state.v[ball].abs() > before.state.v[ball].abs();
        count += usize::from(faster);
        all &= faster == (before.state.v[table] > 0.0);
    }
    Ok((count, all))
}

/// Since when the ball has stayed on the table \[s\]: the last onset, if it did not part again.
pub(super) fn rests_since(ran: &Ran) -> Option<f64> {
    ran.outcome.impacts.last().filter(|i| i.parting.is_none()).map(|i| i.onset)
}

/// The first coordinate of a joint.
fn coordinate(ran: &Ran, joint: &str) -> Answer<usize> {
    let bodies = &ran.opened.model().bodies;
    let found = bodies.iter().find(|b| b.joint.name == joint);
    found.map(|b| b.joint.positions().start).ok_or_else(|| format!("there is no joint `{joint}`"))
}
