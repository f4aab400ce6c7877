//! Figs. 4 to 9: velocities and F_N over time; energy without the reset.

use carom::simulate::Sample;

use super::super::chart::{Chart, Drawing, Plot, Series};
use super::super::lab::{Answer, Lab};
use super::runs::{CASES, NEXT_STEPS, around, force, next_step, run, without_reset};

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
            "Fenili et al. {}: the constrained bar, {}",
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

/// Mechanical energy with and without the reset of eq. 4.33.
pub(super) fn energy(lab: &Lab) -> Answer<Drawing> {
    let mut plots = Vec::new();
    for (case, title) in [(0, "fig. 4: k_w = 10 N/m"), (4, "fig. 8: M_θ = 10 N m")] {
        let (ran, free) = (run(lab, case)?, without_reset(lab, case)?);
        let over = |samples: &[Sample]| -> Vec<(f64, f64)> {
            let energy = |s: &Sample| (s.state.t, s.ledger.kinetic + s.ledger.potential);
            samples.iter().map(energy).filter(|(t, _)| *t <= 1.0).collect()
        };
        // From the moment before, so that the jump is seen.
        let mut without = over(std::slice::from_ref(around(&ran, 0)?.0));
        without.extend(over(&free.outcome.samples));
        let series = vec![
            Series::line("with eq. 4.33", over(&ran.outcome.samples)),
            Series::line("without", without),
        ];
        plots.push(Plot::new(title, ("time", "s"), ("T + V", "J"), series));
    }
    let title = "Fenili et al. section 6: what the reset of the velocities is for".to_owned();
    Ok(Drawing::Chart(Chart { title, plots, columns: 2, height: 74.0 }))
}

/// The authors' next steps: any restitution, and friction.
pub(super) fn next_steps(lab: &Lab) -> Answer<Drawing> {
    let mut rates = [Vec::new(), Vec::new()];
    for (k, (name, _)) in NEXT_STEPS.iter().enumerate() {
        let ran = next_step(lab, k)?;
        // The bar, and the wall.
        for (series, joint) in rates.iter_mut().zip([1, 2]) {
            let points = ran.outcome.samples.iter().map(|s| (s.state.t, s.state.v[joint]));
            series.push(Series::line(name, points.collect()));
        }
    }
    let [bar, wall] = rates;
    let time = ("time", "s");
    Ok(Drawing::Chart(Chart {
        title:
            "Fenili et al. section 6, next steps: any restitution, friction at the tip and in the guides"
                .to_owned(),
        plots: vec![
            Plot::new("", time, ("bar's rate", "rad/s"), bar),
            Plot::new("", time, ("wall's velocity", "m/s"), wall),
        ],
        columns: 1,
        height: 62.0,
    }))
}
