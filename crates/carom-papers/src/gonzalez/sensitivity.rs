//! The end of section 2.2: the representative motion, varied about the contact normal.

use std::rc::Rc;

use carom::contact::places;
use carom::impact::PointMobility;
use carom::maths::Vec3;

use super::super::chart::{Chart, Drawing, Plot, Series};
use super::super::claim::Claim;
use super::super::lab::{Answer, Lab, Sets};

/// The mechanisms of the paper, each in the pose of its file.
const THREE: [(&str, &str, Sets<'static>); 3] = [
    ("double pendulum", "002/double-pendulum.toml", &[("parameters.x_rate", "0 m/s")]),
    ("wheeled robot", "002/wheeled-robot.toml", &[]),
    ("pantograph", "002/pantograph.toml", &[]),
];
/// How far the direction is varied \[deg\].
const RANGE: f64 = 15.0;
/// Directions of the figure, each side of the normal.
const STEPS: i32 = 90;

/// T_c \[J\] of the direction that is turned from the contact normal by so much \[deg\], counter-clockwise.
type Turned = Rc<dyn Fn(f64) -> f64>;

/// T_c over the direction.
fn energy(lab: &Lab, file: &str, sets: Sets) -> Answer<Turned> {
    lab.posture(file, sets, |at| {
        let touch = at.touch(0).map_err(|e| e.to_string())?;
        let point = *touch.points().first().ok_or_else(|| format!("{file}: no contact"))?;
        let (a, b) = places(at.model(), 0);
        let mobility = PointMobility::new(at, (a, point.on_a), (b, point.on_b));
        let n = point.normal;
        let turned = move |angle: f64| {
            let (s, c) = angle.to_radians().sin_cos();
            mobility.energy(&Vec3::new(c * n.x - s * n.y, s * n.x + c * n.y, 0.0))
        };
        Ok::<Turned, String>(Rc::new(turned))
    })?
}

/// The largest part by which T_c changes within the range.
fn change(of: &Turned) -> f64 {
    let own = of(0.0);
    let part = |k: i32| (of(RANGE * f64::from(k) / f64::from(STEPS)) / own - 1.0).abs();
    (-STEPS..=STEPS).map(part).fold(0.0, f64::max)
}

/// What varies by how much.
pub(super) fn claims() -> Vec<Claim> {
    let varied = "the paper proposes the analysis and does not make it: the direction is turned by up to 15° about the contact normal, \
                  in the pose and with the velocities of the model file; the pendulum's tip comes straight down";
    let mut all = Vec::new();
    for (name, file, sets) in THREE {
        let what = format!("T_c changes within 15° of the normal by up to, {name}");
        let most = move |lab: &Lab| Ok(100.0 * change(&energy(lab, file, sets)?));
        all.push(Claim::unstated("sec. 2.2", &what, "%", most).note(varied));
        for angle in [-RANGE, 0.0, RANGE] {
            let what = match angle {
                0.0 => format!("T_c along the normal, {name}"),
                _ => format!("T_c with the direction turned by {angle}°, {name}"),
            };
            let ours = move |lab: &Lab| Ok(energy(lab, file, sets)?(angle));
            all.push(Claim::unstated("sec. 2.2", &what, "J", ours));
        }
    }
    all
}

/// T_c over the direction, by that along the normal.
pub(super) fn figure(lab: &Lab) -> Answer<Drawing> {
    let mut series = Vec::new();
    for (name, file, sets) in THREE {
        let of = energy(lab, file, sets)?;
        let own = of(0.0);
        let angles = (-STEPS..=STEPS).map(|k| RANGE * f64::from(k) / f64::from(STEPS));
        series.push(Series::line(name, angles.map(|angle| (angle, of(angle) / own)).collect()));
    }
    Ok(Drawing::Chart(Chart {
        title: "Gonzalez et al. section 2.2: T_c of directions about the contact normal".to_owned(),
        plots: vec![Plot::new(
            "",
            ("turned from the normal by", "deg"),
            ("T_c by that of the normal", ""),
            series,
        )],
        columns: 1,
        height: 80.0,
    }))
}
