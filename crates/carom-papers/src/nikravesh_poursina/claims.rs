//! Examples 1 to 4 and the chain of fig. 5.

use carom::model::study::Level;
use carom::study::optimise::optimise;

use super::super::claim::Claim;
use super::super::lab::{Answer, Lab, Sets};
use super::{CHAIN, PENDULUMS, ROD, SLIDER_CRANK, SLIDING, cost, example_5, formulas};
use carom::maths::digits::{six, three};

/// The four routes are the same number up to round-off.
const ROUTES_AGREE: f64 = 1e-10;

/// Evaluations of the search for the least apparent mass.
const EVALUATIONS: usize = 400;

/// All claims.
pub(super) fn claims() -> Vec<Claim> {
    let mut all = formulas::claims();
    all.extend(example_1());
    all.extend(example_2());
    all.extend(example_3());
    all.extend(example_4());
    all.extend(chain());
    all.extend(cost::claims());
    all.extend(example_5::claims());
    all
}

fn mass(lab: &Lab, file: &str, sets: Sets) -> Answer<f64> {
    Ok(lab.normal(file, sets)?.effective.mass)
}

fn example_1() -> Vec<Claim> {
    // Eq. 40: m / (3 cos²θ).
    let mut all: Vec<Claim> = [0.0_f64, 20.0, 45.0, 80.0]
        .map(|theta| {
            let theirs = move |_: &Lab| Ok(2.0 / (3.0 * theta.to_radians().cos().powi(2)));
            let ours = move |lab: &Lab| {
                let theta = format!("{theta} deg");
                mass(lab, ROD, &[("parameters.mass", "2 kg"), ("parameters.theta", &theta)])
            };
            let what = format!("m_eff of a rod of 2 kg at {theta}°");
            Claim::formula("ex. 1, eq. 40", &what, "kg", theirs, ours)
        })
        .into();
    all.push(Claim::printed("ex. 1", "m_eff at 90°: along the rod", ("∞", "kg"), |lab| {
        mass(lab, ROD, &[("parameters.theta", "90 deg")])
    }));
    all
}

fn example_2() -> Vec<Claim> {
    const MASSES: [f64; 3] = [1.3, 0.7, 2.1];
    // Eq. 41.
    let theirs = |theta: f64| {
        let [m1, m2, m3] = MASSES;
        let c = theta.to_radians().cos();
        m1 * m2 * (m2 + m3) / (m2 * (m2 + m3) + m1 * (m2 + m3 * c * c))
    };
    let claim = |theta: f64| {
        let ours = move |lab: &Lab| {
            let [m1, m2, m3] = MASSES.map(|m| format!("{m} kg"));
            let theta = format!("{theta} deg");
            let sets = [
                ("parameters.mass_1", m1.as_str()),
                ("parameters.mass_2", &m2),
                ("parameters.mass_3", &m3),
                ("parameters.theta", &theta),
            ];
            mass(lab, SLIDING, &sets)
        };
        let what = format!("m_eff with a sliding mass at {theta}°");
        Claim::formula("ex. 2, eq. 41", &what, "kg", move |_| Ok(theirs(theta)), ours)
    };
    let zero_block = "misprint: the zero block of B is 2×2; eq. 41 is not touched by it";
    vec![claim(0.0).note(zero_block), claim(35.0), claim(90.0)]
}

fn example_3() -> Vec<Claim> {
    let own = "θ₃ and d are recomputed from the geometry (P₂ lies on link 3), not taken as rounded in print";
    vec![
        Claim::printed("ex. 3", "m_eff of the double pendulum's tip", ("0.45", "kg"), |lab| {
            mass(lab, PENDULUMS, &[])
        })
        .note(own),
        Claim::printed("ex. 3", "θ₃ when the tip lies on link 3", ("18.12", "deg"), |lab| {
            let opened = lab.open(PENDULUMS, &[])?;
            let angle = opened.assembled.state.q.iter().next_back().copied();
            angle.map(f64::to_degrees).ok_or_else(|| "no coordinate".to_owned())
        }),
        Claim::printed("ex. 3", "d, from the pivot of link 3 to the tip", ("1.65", "m"), |lab| {
            lab.posture(PENDULUMS, &[], |at| {
                let touch = at.touch(0).map_err(|e| e.to_string())?;
                let third = at.frames().links().last().ok_or_else(|| "no link".to_owned())?;
                let point = touch.points().first().ok_or_else(|| "no point".to_owned())?;
                Ok((point.on_b - third.origin()).norm())
            })?
        }),
    ]
}

fn example_4() -> Vec<Claim> {
    const DEAD: [(&str, &str); 1] = [("parameters.theta", "0 deg")];
    const THIRTY: [(&str, &str); 1] = [("parameters.theta", "30 deg")];
    let least = "fig. 10b is not monotone: in closed form its minimum is 3 kg at atan 2";
    vec![
        Claim::printed("ex. 4", "m_eff at a crank angle of 30°", ("0.8015", "kg"), |lab| {
            mass(lab, SLIDER_CRANK, &THIRTY)
        }),
        Claim::printed("ex. 4", "apparent mass of the slider at 30°", ("4.04", "kg"), |lab| {
            Ok(lab.normal(SLIDER_CRANK, &THIRTY)?.apparent.i)
        }),
        Claim::printed("ex. 4", "m_eff at 0°", ("1.0", "kg"), |lab| {
            mass(lab, SLIDER_CRANK, &DEAD)
        }),
        Claim::printed("ex. 4", "apparent mass of the slider at 0°", ("∞", "kg"), |lab| {
            Ok(lab.normal(SLIDER_CRANK, &DEAD)?.apparent.i)
        }),
        Claim::words("ex. 4", "eqs. 28, 31, 38, 39 are one m_eff", |lab| {
            let row = lab.normal(SLIDER_CRANK, &THIRTY)?;
            let found = row.routes.ok_or_else(|| "too large for the dense routes".to_owned())?;
            let off = found.iter().flatten().map(|m| (m / row.effective.mass - 1.0).abs());
            let worst = off.fold(0.0, f64::max);
            // Round-off itself is no number to print: it is another on every machine.
            Ok((worst < ROUTES_AGREE, format!("within {}", three(worst.max(ROUTES_AGREE)))))
        }),
        Claim::words("sec. 4", "eqs. 14 and 15 need not give the same apparent mass", |lab| {
            let row = lab.normal(SLIDER_CRANK, &THIRTY)?;
            let found = row.rivals.and_then(|r| r.energy.i.zip(r.newton.i));
            let (energy, newton) = found.ok_or_else(|| "eqs. 14, 15 are undefined".to_owned())?;
            let text =
                format!("{}, {}, {} kg", three(energy), three(newton), three(row.apparent.i));
            Ok((energy != newton, text))
        })
        .note("the slider of ex. 4 at 30°: by eq. 14, by eq. 15, and its apparent mass"),
        Claim::words("fig. 10", "towards 0° the apparent mass of the slider grows", |lab| {
            let study = lab.study("000-fig-10")?;
            let apparent = &study.rows.measures[1][..=30];
            let text =
                format!("{} kg at 30°, {} kg at 1°", three(apparent[30]), three(apparent[1]));
            Ok((apparent.windows(2).all(|pair| pair[0] > pair[1]), text))
        }),
        Claim::unstated("fig. 10", "least apparent mass of the slider", "kg", |lab| {
            Ok(lightest(lab)?.1)
        })
        .note(least),
        Claim::unstated("fig. 10", "crank angle of the least apparent mass", "deg", |lab| {
            Ok(lightest(lab)?.0)
        }),
    ]
}

/// The crank angle \[deg\] at which the slider feels lightest, and how light \[kg\].
fn lightest(lab: &Lab) -> Answer<(f64, f64)> {
    let found =
        optimise(&lab.study("000-fig-10")?.study, EVALUATIONS, 0).map_err(|e| e.to_string())?;
    let best = found.best().ok_or_else(|| "no minimum".to_owned())?;
    match best.levels.first() {
        Some(Level::Number(theta)) => Ok((*theta, best.value)),
        _ => Err("the crank angle is no number".to_owned()),
    }
}

fn chain() -> Vec<Claim> {
    vec![
        Claim::words("fig. 5", "for the two ends of one chain eqs. 14, 15 have no subsystems", |lab| {
            let rivals = lab.normal(CHAIN, &[])?.rivals;
            let shared = rivals.is_some_and(|r| r.shared);
            Ok((shared, if shared { "undefined" } else { "defined" }.to_owned()))
        }),
        Claim::words("sec. 4.1", "eqs. 28 to 39 have an answer there, too", |lab| {
            let row = lab.normal(CHAIN, &[])?;
            let m = &row.apparent;
            // 1/m_eff = 1/m_i + 1/m_j + 2 W_ij
            let sum = 1.0 / m.i + 1.0 / m.j + 2.0 * m.coupling;
            let same = (sum * row.effective.mass - 1.0).abs() < ROUTES_AGREE;
            Ok((same, format!("m_eff {} kg", six(row.effective.mass))))
        })
        .note("1/m_eff = 1/m_app,i + 1/m_app,j + 2 W_ij: eq. 2 lacks the coupling W_ij of the two ends"),
        Claim::unstated("fig. 5", "coupling W_ij of the two ends", "1/kg", |lab| {
            Ok(lab.normal(CHAIN, &[])?.apparent.coupling)
        }),
    ]
}
