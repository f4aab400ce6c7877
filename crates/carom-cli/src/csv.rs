//! CSV for spreadsheets: one line per contact row, units in the heading, full precision.

pub(crate) mod laws;
pub(crate) mod run;

use carom::impact::{Assessment, RowAssessment};
use carom::maths::Vec3;
use carom::model::{ContactUnits, Model};

use crate::Outcome;
use crate::commands::assess::Report;
use crate::number::headed;

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
pub(crate) fn text(report: &Report<'_>) -> Outcome {
    let rows = report
        .contacts
        .iter()
        .flat_map(|contact| contact.rows.iter().map(move |row| cells(report, contact, row)));
    let heading = HEADING.map(|name| unit_of_contacts(report.opened.model(), name));
    sheet(&heading.each_ref().map(String::as_str), rows)
}

/// A heading of what contacts measure, with the units of the model's contacts in place of those of length.
fn unit_of_contacts(model: &Model, name: &str) -> String {
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
    match found {
        Some((what, of)) if !place => headed(model, what, *of).replace('²', "^2"),
        _ => name.to_owned(),
    }
}

/// A heading and lines.
fn sheet(heading: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Outcome {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    writer.write_record(heading).map_err(|error| error.to_string())?;
    for cells in rows {
        writer.write_record(&cells).map_err(|error| error.to_string())?;
    }
    let bytes = writer.into_inner().map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
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

fn cells(report: &Report<'_>, contact: &Assessment, row: &RowAssessment) -> Vec<String> {
    let model = report.opened.model();
    let energies = &contact.energies;
    let motion = row.approach;
    let kind = if row.is_normal { "normal" } else { "tangent" };
    let mut out = vec![
        contact.contact.clone(),
        row.label.clone(),
        kind.to_owned(),
        model.place_name(contact.places.0).to_owned(),
        model.place_name(contact.places.1).to_owned(),
        full(row.point.gap),
        row.standing.word().to_owned(),
    ];
    let mut vector = |x: &Vec3| out.extend(x.iter().map(|c| full(*c)));
    vector(&row.point.on_a);
    vector(&row.direction);
    out.extend([
        full(row.effective.rate),
        motion.word().to_owned(),
        full(row.effective.mass),
        row.effective.is_immobile().to_string(),
        full(row.apparent.i),
        full(row.apparent.j),
        full(row.apparent.coupling),
        full(row.others_held),
        maybe(row.locked.map(|l| l.mass)),
        full(row.effective.energy),
        maybe(row.terms.map(|t| t.velocity)),
        maybe(row.terms.map(|t| t.force)),
        maybe(row.terms.map(|t| t.acceleration)),
        maybe(row.elastic_peak),
        maybe(row.cone.map(|c| degrees(c.half_angle))),
        maybe(row.cone.map(|c| c.mass.least)),
        maybe(row.cone.map(|c| c.mass.most)),
        maybe(row.cone.map(|c| c.energy.least)),
        maybe(row.cone.map(|c| c.energy.most)),
        maybe(row.rivals.and_then(|r| r.energy.effective)),
        maybe(row.rivals.and_then(|r| r.newton.effective)),
        contact.rows.len().to_string(),
        contact.rank.to_string(),
        full(energies.total),
        full(energies.constrained),
        full(energies.admissible),
        full(energies.share),
        full(energies.closing),
        full(if energies.total > 0.0 { energies.closing / energies.total } else { 0.0 }),
        energies.driven.to_string(),
        maybe(contact.stiffness.map(|s| s.stiffness)),
        maybe(contact.stiffness.map(|s| s.exponent)),
        contact.law.as_ref().map_or(String::new(), |law| law.name.to_owned()),
        maybe(row.prediction.map(|p| p.outcome.peak_force)),
        maybe(row.prediction.map(|p| p.outcome.max_indentation)),
        maybe(row.prediction.map(|p| p.outcome.duration)),
        maybe(row.prediction.map(|p| p.outcome.restitution)),
        maybe(row.prediction.map(|p| p.outcome.energy_lost)),
        report.opened.loaded.source.name().to_owned(),
    ]);
    out
}
