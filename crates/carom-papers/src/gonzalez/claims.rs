//! The decomposition of the energy, and the lists of the other files.

use carom::contact::law::gonthier;
use carom::model::ContactTreatment::Continuous;

use super::super::claim::Claim;
use super::super::lab::{Answer, Lab};
use super::{pantograph, sensitivity, studies};
use carom::maths::digits::six;

const DISCS: &str = "002/two-discs.toml";
/// Masses \[kg\] and speeds \[m/s\] at which eqs. 4 to 8 are compared.
const MASSES: [f64; 2] = [2.0, 3.0];
const SPEEDS: [f64; 2] = [1.5, -0.5];
/// The same as the file takes them.
const SETTINGS: [(&str, &str); 4] = [
    ("parameters.mass_1", "2"),
    ("parameters.mass_2", "3"),
    ("parameters.speed_1", "1.5"),
    ("parameters.speed_2", "-0.5"),
];
/// What a spring takes up agrees with T_c to this part; the run's own tolerance is far below.
const ALL_OF_IT: f64 = 1e-8;

/// All claims.
pub(super) fn claims() -> Vec<Claim> {
    let mut all = discs();
    all.extend(sensitivity::claims());
    all.extend(damping());
    all.extend(studies::pendulum());
    all.extend(studies::robot());
    all.extend(pantograph::claims());
    all
}

/// m_eff, T_c, T_a of the discs.
fn found(lab: &Lab) -> Answer<[f64; 3]> {
    let found = lab.assess(DISCS, &SETTINGS)?;
    Ok([found.rows[0].effective.mass, found.energies.constrained, found.energies.admissible])
}

fn discs() -> Vec<Claim> {
    let [m1, m2] = MASSES;
    let (d_c, d_a) = (SPEEDS[1] - SPEEDS[0], m1 / m2 * SPEEDS[0] + SPEEDS[1]);
    let m = m1 * m2 / (m1 + m2);
    let theirs = [
        ("eq. 4", "m_eff of two discs", "kg", m),
        ("eq. 7", "T_c of two discs", "J", 0.5 * m * d_c * d_c),
        ("eq. 8, app. A", "T_a of two discs", "J", 0.5 * m2 * m2 / (m1 + m2) * d_a * d_a),
    ];
    let mut all: Vec<Claim> = theirs
        .into_iter()
        .enumerate()
        .map(|(k, (place, what, unit, x))| {
            Claim::formula(place, what, unit, move |_| Ok(x), move |lab| Ok(found(lab)?[k]))
        })
        .collect();
    // Eq. 31: B = [m₁/m₂  1], up to a factor.
    all.push(Claim::formula(
        "app. A, eq. 31",
        "B₁/B₂ of the admissible velocity",
        "",
        move |_| Ok(m1 / m2),
        |lab| {
            let found = lab.assess(DISCS, &SETTINGS)?;
            let rows = found.projectors.map(|p| p.admissible_rows);
            rows.map(|B| B[(0, 0)] / B[(0, 1)]).ok_or_else(|| "no projectors".to_owned())
        },
    ));
    all.push(Claim::words("sec. 2.1", "compression takes up all of T_c", |lab| {
        let sets = [("contacts.rims.law", "hertz"), ("simulation.duration", "5 ms")];
        let ran = lab.run(DISCS, &sets, Continuous, None)?;
        let first = ran.outcome.impacts.first().ok_or_else(|| "no impact".to_owned())?;
        let share = first.compression_work / first.impact_energy;
        Ok(((share - 1.0).abs() < ALL_OF_IT, format!("{} of T_c", six(share))))
    }));
    all.push(Claim::words("eqs. 17-19", "the projectors split T into T_c and T_a", |lab| {
        let opened = lab.assess("002/double-pendulum.toml", &[])?;
        let e = &opened.energies;
        let off = (e.constrained + e.admissible) / e.total - 1.0;
        let text =
            format!("{} J + {} J of {} J", six(e.constrained), six(e.admissible), six(e.total));
        Ok((off.abs() < 1e-12, text))
    })
    .note(
        "eq. 19 as printed assumes independent coordinates; with closures P_c = Y Aᵀ W⁺ A Π and P_a = Π − P_c, Π = Y M",
    ));
    all
}

fn damping() -> Vec<Claim> {
    let both = "d depends on e only; d = 0 is always a root, the other one in (0, 1) is meant";
    [0.3_f64, 0.5, 0.7, 0.9]
        .map(|e| {
            // (1 + d/e)/(1 − d) = exp(d (1 + 1/e)) with b = d/e of the engine.
            let left = move |_: &Lab| {
                let d = e * gonthier::ratio(e);
                Ok((1.0 + d / e) / (1.0 - d))
            };
            let right = move |_: &Lab| Ok((e * gonthier::ratio(e) * (1.0 + 1.0 / e)).exp());
            let what = format!("both sides of eq. 24 at our d of e = {e}");
            Claim::formula("eq. 24", &what, "", right, left).note(both)
        })
        .into_iter()
        .chain([Claim::unstated("eq. 24", "d at e = 0.5", "", |_| Ok(0.5 * gonthier::ratio(0.5)))])
        .collect()
}
