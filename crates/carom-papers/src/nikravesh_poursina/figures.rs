//! Figs. 2, 10, 12, and the accuracy of eqs. 9 to 13.

use super::super::chart::{Chart, Drawing, Plot, Series};
use super::super::lab::{Answer, Lab};
use super::example_5;
use super::formulas::{BLOW, LAWS, settings};

/// Moments of a curve.
const SAMPLES: usize = 241;
/// Points of a curve over the restitution.
const POINTS: u32 = 50;

/// Fig. 2.
pub(super) fn two_models(lab: &Lab) -> Answer<Drawing> {
    let (mut loops, mut forces) = (Vec::new(), Vec::new());
    for (name, law) in
        [("eq. 6, c of eq. 12", "poursina-nikravesh"), ("eq. 7, μ of eq. 11", "flores")]
    {
        let curve = lab.impact(law, &settings(), BLOW, |impact| impact.curve(SAMPLES))?;
        loops.push(Series::line(name, curve.iter().map(|s| (s.delta, s.force)).collect()));
        forces.push(Series::line(name, curve.iter().map(|s| (s.time, s.force)).collect()));
    }
    Ok(Drawing::Chart(Chart {
        title: "Nikravesh-Poursina fig. 2: contact force of two models, e = 0.5, m_eff = 1 kg, 1 m/s, k = 1e8 N/m^1.5".to_owned(),
        plots: vec![
            Plot::new("force over indentation", ("indentation δ", "m"), ("force F", "N"), loops),
            Plot::new("force over time", ("time", "s"), ("force F", "N"), forces),
        ],
        columns: 2,
        height: 76.0,
    }))
}

/// Fig. 10.
pub(super) fn crank_angle(lab: &Lab) -> Answer<Drawing> {
    let study = lab.study("000-fig-10")?;
    let angles = study.rows.numbers(0).ok_or_else(|| "the crank angle is no number".to_owned())?;
    let over = |measure: usize| -> Vec<(f64, f64)> {
        angles.iter().copied().zip(study.rows.measures[measure].iter().copied()).collect()
    };
    let angle = ("crank angle", "deg");
    let apparent = Plot {
        window: Some((0.0, 12.0)),
        ..Plot::new(
            "(b) apparent mass of the slider",
            angle,
            ("m_app", "kg"),
            vec![Series::line("mass", over(1))],
        )
    };
    let effective = vec![Series::line("mass", over(0))];
    Ok(Drawing::Chart(Chart {
        title: "Nikravesh-Poursina fig. 10: the slider-crank over its crank angle (∞ at 0°)"
            .to_owned(),
        plots: vec![Plot::new("(a) effective mass", angle, ("m_eff", "kg"), effective), apparent],
        columns: 2,
        height: 70.0,
    }))
}

/// Fig. 12.
pub(super) fn two_pendulums(lab: &Lab) -> Answer<Drawing> {
    let mut rates = [Vec::new(), Vec::new()];
    for (way, (name, ..)) in example_5::WAYS.iter().enumerate() {
        let ran = example_5::run(lab, way)?;
        for (joint, series) in rates.iter_mut().enumerate() {
            let points =
                ran.outcome.samples.iter().map(|s| (s.state.t, s.state.v[joint])).collect();
            series.push(Series::line(name, points));
        }
    }
    let [first, second] = rates;
    let time = ("time", "s");
    Ok(Drawing::Chart(Chart {
        title: "Nikravesh-Poursina fig. 12: two pendulums strike each other".to_owned(),
        plots: vec![
            Plot::new("", time, ("rate of rod 1", "rad/s"), first),
            Plot::new("", time, ("rate of rod 2", "rad/s"), second),
        ],
        columns: 1,
        height: 62.0,
    }))
}

/// What eqs. 9 to 13 deliver.
pub(super) fn accuracy(lab: &Lab) -> Answer<Drawing> {
    let mut delivered = vec![Series::guide("delivered as asked", vec![(0.0, 0.0), (1.0, 1.0)])];
    let mut errors = Vec::new();
    for (place, law) in LAWS {
        let name = format!("{place}: {law}");
        let asked = (1..=POINTS).map(|k| f64::from(k) / f64::from(POINTS));
        let points: Vec<(f64, f64)> =
            asked.map(|e| Ok((e, lab.delivered(law, e)?))).collect::<Answer<_>>()?;
        errors.push(Series::line(&name, points.iter().map(|(e, out)| (*e, out - e)).collect()));
        delivered.push(Series::line(&name, points));
    }
    let asked = ("restitution asked for", "");
    Ok(Drawing::Chart(Chart {
        title:
            "Nikravesh-Poursina eqs. 9 to 13: the restitution that each damping formula delivers"
                .to_owned(),
        plots: vec![
            Plot::new("", asked, ("delivered", ""), delivered),
            Plot::new("", asked, ("delivered − asked", ""), errors),
        ],
        columns: 2,
        height: 78.0,
    }))
}
