//! Figs. 15 and 16; the others are studies of `models/studies`.

use super::super::chart::{Chart, Drawing, Plot, Series};
use super::super::lab::{Answer, Lab};
use super::pantograph::{CASES, parabola as fitted, quantities};

/// A study as a figure.
pub(super) fn study(lab: &Lab, name: &str) -> Answer<Drawing> {
    Ok(Drawing::Study(lab.study(name)?))
}

/// Points of the cases: a value each.
fn over_cases(value: impl Fn(usize) -> Answer<f64>) -> Answer<Vec<(f64, f64)>> {
    (0..CASES.len()).map(|k| Ok(((k + 1) as f64, value(k)?))).collect()
}

/// Fig. 15.
pub(super) fn cases(lab: &Lab) -> Answer<Drawing> {
    let ours = |k: usize, quantity: usize| Ok(1e3 * quantities(lab, CASES[k].gamma)?[quantity]);
    let energies = vec![
        Series::guide("computed", over_cases(|k| ours(k, 2))?),
        Series::guide("computed", over_cases(|k| ours(k, 1))?),
        Series::marks("T, measured (table 5)", over_cases(|k| Ok(CASES[k].table_5[0]))?),
        Series::marks("T_c, measured (table 5)", over_cases(|k| Ok(CASES[k].table_5[1]))?),
    ];
    let mut forces = vec![Series::marks(
        "peak force, measured (table 5)",
        over_cases(|k| Ok(CASES[k].table_5[2]))?,
    )];
    for sign in [-1.0, 1.0] {
        let bound = over_cases(|k| Ok(CASES[k].table_5[2] + sign * CASES[k].table_5[3]))?;
        forces.push(Series::guide("one standard deviation", bound));
    }
    let case = ("case", "");
    Ok(Drawing::Chart(Chart {
        title: "Gonzalez et al. fig. 15: the pantograph's five cases".to_owned(),
        plots: vec![
            Plot::new("", case, ("energy", "mJ"), energies),
            Plot::new("", case, ("peak force", "N"), forces),
        ],
        columns: 2,
        height: 74.0,
    }))
}

/// Fig. 16.
pub(super) fn parabola(lab: &Lab) -> Answer<Drawing> {
    let mut measured = Vec::new();
    for case in &CASES {
        measured.push((1e3 * quantities(lab, case.gamma)?[1], case.table_5[2]));
    }
    let fit = fitted(lab)?;
    let (low, high) = (4.0, 10.2);
    let curve = (0..=60).map(|k| low + (high - low) * f64::from(k) / 60.0);
    let value = |x: f64| fit.coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c);
    let own = lab.study("002-fig-16")?;
    let [_, energy, peak] = own.rows.measures.as_slice() else {
        return Err("fig. 16 has three measures".to_owned());
    };
    let computed = energy.iter().zip(peak).map(|(x, y)| (1e3 * x, *y)).collect();
    let energy = ("T_c, computed", "mJ");
    Ok(Drawing::Chart(Chart {
        title: "Gonzalez et al. fig. 16: the pantograph's peak force over T_c".to_owned(),
        plots: vec![
            Plot::new(
                "measured",
                energy,
                ("peak force", "N"),
                vec![
                    Series::marks("measured (table 5)", measured),
                    Series::guide("parabola", curve.map(|x| (x, value(x))).collect()),
                ],
            ),
            Plot::new(
                "computed, K and e assumed",
                energy,
                ("peak force", "N"),
                vec![Series::marks("eq. 22, K = 1e9 N/m^1.5, e = 0.5", computed)],
            ),
        ],
        columns: 2,
        height: 74.0,
    }))
}
