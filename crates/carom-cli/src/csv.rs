//! CSV for spreadsheets: one line per contact row, units in the heading, full precision.

pub(crate) mod laws;
pub(crate) mod maps;
pub(crate) mod path;
pub(crate) mod run;

use carom::Model;
use carom::answer::{AssessAnswer, ContactAnswer, ContactUnits, RowAnswer};

use crate::VerbResult;

/// The heading; a unit stands in brackets.
const HEADING: [&str; 52] = [
    "contact",
    "row",
    "kind",
    "i",
    "j",
    "gap [m]",
    "standing",
    "x [m]",
    "y [m]",
    "z [m]",
    "n_x",
    "n_y",
    "n_z",
    "u [m/s]",
    "motion",
    "m_eff [kg]",
    "immobile",
    "m_app_i [kg]",
    "m_app_j [kg]",
    "W_ij [1/kg]",
    "m_eff others held [kg]",
    "m_eff locked [kg]",
    "T_c row [J]",
    "z_c [N]",
    "tau_c [N]",
    "u_dot [m/s^2]",
    "elastic peak [N]",
    "cone [deg]",
    "m_eff least in cone [kg]",
    "m_eff most in cone [kg]",
    "T_c least in cone [J]",
    "T_c most in cone [J]",
    "m_eff eq14 [kg]",
    "m_eff eq15 [kg]",
    "rows",
    "rank",
    "T [J]",
    "T_c [J]",
    "T_a [J]",
    "xi",
    "T_c closing [J]",
    "xi closing",
    "frame dependent",
    "K [N/m^n]",
    "n",
    "law",
    "peak force by the law [N]",
    "greatest indentation [m]",
    "duration [s]",
    "restitution delivered",
    "energy lost [J]",
    "file",
];

/// The whole text.
pub(crate) fn text(answer: &AssessAnswer) -> VerbResult {
    let all = answer.contacts.iter();
    let rows = all.flat_map(|contact| contact.rows.iter().map(move |r| cells(answer, contact, r)));
    let units: Vec<&ContactUnits> = answer.contacts.iter().map(|c| &c.units).collect();
    let heading = HEADING.map(|name| measured(&units, name));
    sheet(&heading.each_ref().map(String::as_str), rows)
}

/// A heading of what contacts measure, with the units of the model's contacts in place of those of length.
fn unit_of_contacts(model: &Model, name: &str) -> String {
    let mut units: Vec<ContactUnits> = Vec::with_capacity(model.contacts.len());
    for contact in &model.contacts {
        units.push(contact.units());
    }
    measured(&units.iter().collect::<Vec<_>>(), name)
}

/// The same with the units of some contacts; of none, those of length stay.
fn measured(contacts: &[&ContactUnits], name: &str) -> String {
    type Of = fn(&ContactUnits) -> &'static str;
    const MEASURED: [(&str, Of); 7] = [
        (" [m]", |u| u.gap),
        (" [m/s]", |u| u.velocity),
        (" [m/s^2]", |u| u.acceleration),
        (" [kg]", |u| u.mass),
        (" [1/kg]", |u| u.mobility),
        (" [N]", |u| u.force),
        (" [N s]", |u| u.impulse),
    ];
    let place = ["x [m]", "y [m]", "z [m]"].contains(&name);
    let found = MEASURED.iter().find_map(|(unit, of)| Some((name.strip_suffix(unit)?, of)));
    let found = found.filter(|_| !place && !contacts.is_empty());
    let Some((what, of)) = found else { return name.to_owned() };
    let mut units: Vec<&str> = Vec::new();
    for unit in contacts.iter().map(|units| of(units)) {
        if !units.contains(&unit) {
            units.push(unit);
        }
    }
    format!("{what} [{}]", units.join(" or ")).replace('²', "^2")
}

/// A heading and lines.
fn sheet(heading: &[&str], rows: impl Iterator<Item = Vec<String>>) -> VerbResult {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    writer.write_record(heading).map_err(|error| error.to_string())?;
    for cells in rows.map(|row| row.into_iter().map(|text| cell(&text)).collect::<Vec<_>>()) {
        writer.write_record(&cells).map_err(|error| error.to_string())?;
    }
    let bytes = writer.into_inner().map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

/// A text as a cell that no spreadsheet takes for a formula: what begins like one and is no number gets an apostrophe in front.
pub(crate) fn cell(text: &str) -> String {
    let formula =
        text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err();
    if formula { format!("'{text}") } else { text.to_owned() }
}

/// The same in quotes.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", cell(text).replace('"', "\"\""))
}

/// The shortest text that reads back as the same number; `inf` for ∞.
fn full(x: f64) -> String {
    format!("{x:?}")
}

/// An angle in degrees, without the round-off of the way to radians and back.
fn degrees(radians: f64) -> f64 {
    (radians.to_degrees() * 1e12).round() / 1e12
}

fn maybe(x: Option<f64>) -> String {
    x.map_or_else(String::new, full)
}

fn cells(answer: &AssessAnswer, contact: &ContactAnswer, row: &RowAnswer) -> Vec<String> {
    let energies = &contact.energies;
    let mut out = vec![
        contact.name.clone(),
        row.label.clone(),
        row.kind.word().to_owned(),
        contact.sides.i.clone(),
        contact.sides.j.clone(),
        full(row.gap),
        row.standing.word().to_owned(),
    ];
    out.extend(row.on_i.iter().chain(&row.direction).map(|c| full(*c)));
    let outcome = row.prediction.as_ref().map(|p| &p.outcome);
    out.extend([
        full(row.u),
        row.motion.word().to_owned(),
        full(row.effective_mass),
        row.immobile.to_string(),
        full(row.apparent_masses.i.mass),
        full(row.apparent_masses.j.mass),
        full(row.apparent_masses.coupling),
        full(row.others_held.effective_mass),
        maybe(row.locked.map(|l| l.effective_mass)),
        full(row.constrained_energy),
        maybe(row.terms.map(|t| t.z_c)),
        maybe(row.terms.map(|t| t.tau_c)),
        maybe(row.terms.map(|t| t.u_dot)),
        maybe(row.elastic_peak),
        maybe(row.cone.map(|c| degrees(c.half_angle))),
        maybe(row.cone.map(|c| c.effective_mass.least)),
        maybe(row.cone.map(|c| c.effective_mass.most)),
        maybe(row.cone.map(|c| c.constrained_energy.least)),
        maybe(row.cone.map(|c| c.constrained_energy.most)),
        maybe(row.rivals.and_then(|r| r.kinetic_energy_eq14.effective_mass)),
        maybe(row.rivals.and_then(|r| r.inertial_force_eq15.effective_mass)),
        contact.rows.len().to_string(),
        contact.rank.to_string(),
        full(energies.kinetic_energy),
        full(energies.constrained_energy),
        full(energies.admissible_energy),
        maybe(energies.xi),
        full(energies.impact_energy),
        maybe(energies.impact_share),
        energies.frame_dependent.to_string(),
        maybe(contact.stiffness.as_ref().map(|s| s.stiffness)),
        maybe(contact.stiffness.as_ref().map(|s| s.exponent)),
        contact.law.as_ref().map_or(String::new(), |law| law.name.clone()),
        maybe(outcome.map(|o| o.peak_force)),
        maybe(outcome.map(|o| o.max_indentation)),
        maybe(outcome.map(|o| o.duration)),
        maybe(outcome.map(|o| o.restitution)),
        maybe(outcome.map(|o| o.energy_lost)),
        answer.head.file.clone(),
    ]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula() {
        for (text, wanted) in [
            ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
            ("@SUM(1)", "'@SUM(1)"),
            ("+1+2", "'+1+2"),
            ("-arm", "'-arm"),
            ("\t=1", "'\t=1"),
            ("-1.5e-3", "-1.5e-3"),
            ("+inf", "+inf"),
            ("hand = 3", "hand = 3"),
            ("", ""),
        ] {
            assert_eq!(cell(text), wanted);
        }
        assert_eq!(quoted("=\"a\""), "\"'=\"\"a\"\"\"");
    }
}
