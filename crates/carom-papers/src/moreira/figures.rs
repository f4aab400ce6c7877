//! Figs. 1 to 4, 6 and 7.

use super::super::chart::{Chart, Drawing, Plot, Series};
use super::super::lab::{Answer, Lab};
use super::{THREE, ball, spheres};

/// Points of a curve over the restitution.
const POINTS: u32 = 50;

/// Until when fig. 7 is drawn \[s\]: then the ball stays on the table under every law.
const SHOWN: f64 = 6.0;

/// Indentation and force over time, and the loop.
fn impacts(lab: &Lab, title: &str, laws: &[&str]) -> Answer<Drawing> {
    let (mut depth, mut force, mut loops) = (Vec::new(), Vec::new(), Vec::new());
    for law in laws {
        let curve = spheres::curve(lab, law)?;
        depth.push(Series::line(law, curve.iter().map(|s| (s.time, s.delta)).collect()));
        force.push(Series::line(law, curve.iter().map(|s| (s.time, s.force)).collect()));
        loops.push(Series::line(law, curve.iter().map(|s| (s.delta, s.force)).collect()));
    }
    let (time, delta, f) = (("time", "s"), ("indentation δ", "m"), ("force F", "N"));
    Ok(Drawing::Chart(Chart {
        title: format!("Moreira et al. {title}"),
        plots: vec![
            Plot::new("", time, delta, depth),
            Plot::new("", time, f, force),
            Plot::new("", delta, f, loops),
        ],
        columns: 3,
        height: 62.0,
    }))
}

/// Fig. 1.
pub(super) fn hooke(lab: &Lab) -> Answer<Drawing> {
    impacts(lab, "fig. 1: two steel spheres, Hooke, K = 2.4e9 N/m", &["hooke"])
}

/// Fig. 2.
pub(super) fn hertz(lab: &Lab) -> Answer<Drawing> {
    impacts(lab, "fig. 2: two steel spheres, Hertz, K = 2.4e10 N/m^1.5", &["hertz"])
}

/// Fig. 3.
pub(super) fn kelvin_voigt(lab: &Lab) -> Answer<Drawing> {
    let title = "fig. 3: two steel spheres, Kelvin-Voigt, K = 2.4e9 N/m, D = 3000 N s/m";
    impacts(lab, title, &["kelvin-voigt"])
}

/// Fig. 4.
pub(super) fn three_laws(lab: &Lab) -> Answer<Drawing> {
    impacts(lab, "fig. 4: two steel spheres, three laws with damping, c_r = 0.8", &THREE)
}

/// Fig. 6.
pub(super) fn elastic_ball(lab: &Lab) -> Answer<Drawing> {
    let [low, table] = ball::heights(&*ball::run(lab, "hertz", None)?)?;
    let series = vec![Series::guide("table", table), Series::line("ball, its lowest point", low)];
    Ok(Drawing::Chart(Chart {
        title: "Moreira et al. fig. 6: a ball on a moving table, Hertz".to_owned(),
        plots: vec![Plot::new("", ("time", "s"), ("height", "m"), series)],
        columns: 1,
        height: 80.0,
    }))
}

/// Fig. 7a to c.
pub(super) fn balls(lab: &Lab) -> Answer<Drawing> {
    let mut plots = Vec::new();
    for (title, e) in [("(a) c_r = 0.9", "0.9"), ("(b) c_r = 0.6", "0.6"), ("(c) c_r = 0.3", "0.3")]
    {
        let mut series = Vec::new();
        for law in THREE {
            let [low, table] = ball::heights(&*ball::run(lab, law, Some(e))?)?;
            if series.is_empty() {
                series.push(Series::guide("table", table));
            }
            series.push(Series::line(law, low));
        }
        for series in &mut series {
            series.points.retain(|(t, _)| *t <= SHOWN);
        }
        let plot = Plot::new(title, ("time", "s"), ("lowest point", "m"), series);
        plots.push(Plot { window: Some((0.35, 0.95)), ..plot });
    }
    let title =
        "Moreira et al. fig. 7a-c: a ball on a moving table, three laws with damping".to_owned();
    Ok(Drawing::Chart(Chart { title, plots, columns: 1, height: 58.0 }))
}

/// Fig. 7d.
pub(super) fn restitutions(lab: &Lab) -> Answer<Drawing> {
    let mut series = vec![Series::guide("delivered as asked", vec![(0.0, 0.0), (1.0, 1.0)])];
    for law in THREE {
        let asked = (1..=POINTS).map(|k| f64::from(k) / f64::from(POINTS));
        let points = asked.map(|e| Ok((e, lab.delivered(law, e)?))).collect::<Answer<_>>()?;
        series.push(Series::line(law, points));
    }
    let (asked, delivered) = (("restitution asked for", ""), ("delivered", ""));
    Ok(Drawing::Chart(Chart {
        title: "Moreira et al. fig. 7d: restitution out against restitution in".to_owned(),
        plots: vec![Plot::new("", asked, delivered, series)],
        columns: 1,
        height: 100.0,
    }))
}
