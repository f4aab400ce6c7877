//! Figs. 4 to 9: velocities and F_N over time.

use super::super::chart::{Chart, Drawing, Plot, Series};
use super::super::lab::{Answer, Lab};
use super::runs::{CASES, force, run};

/// One of the six.
pub(super) fn bar(lab: &Lab, case: usize) -> Answer<Drawing> {
    let ran = run(lab, case)?;
    let until = CASES[case].shown;
    let cut = |points: Vec<(f64, f64)>| points.into_iter().filter(|(t, _)| *t <= until).collect();
    let rate =
        |k: usize| cut(ran.outcome.samples.iter().map(|s| (s.state.t, s.state.v[k])).collect());
    let time = ("time", "s");
    let plot = |y, points| Plot::new("", time, y, vec![Series::line("run", points)]);
    Ok(Drawing::Chart(Chart {
        title: format!(
            "Seed 004 {}: the constrained bar, {}",
            CASES[case].figure, CASES[case].name
        ),
        plots: vec![
            plot(("support's velocity", "m/s"), rate(0)),
            plot(("wall's velocity", "m/s"), rate(2)),
            plot(("bar's rate", "rad/s"), rate(1)),
            plot(("normal force", "N"), force(&ran, until)),
        ],
        columns: 2,
        height: 56.0,
    }))
}
