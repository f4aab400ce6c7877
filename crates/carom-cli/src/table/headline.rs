//! The answer in a sentence.

use carom::impact::{Assessment, RowAssessment};

use super::rows::Columns;
use crate::commands::assess::Report;
use crate::number::{percent, three};
use carom::contact::Approach as Motion;

/// What an impact at this contact would be like.
pub(crate) fn text(report: &Report<'_>, contact: &Assessment) -> String {
    let model = report.opened.model();
    // The ground is struck, it does not strike.
    let (i, j) = match contact.places {
        (None, j) => (j, None),
        pair => pair,
    };
    let i = format!("`{}`", model.place_name(i));
    let j = format!("`{}`", model.place_name(j));
    match contact.rows.as_slice() {
        [row] => one(report, contact, row, &i, &j),
        rows => {
            let masses = rows.iter().filter(|r| r.is_normal).map(|r| r.effective.mass);
            let (least, most) =
                masses.fold((f64::INFINITY, 0.0), |(a, b), m| (f64::min(a, m), f64::max(b, m)));
            let range = if three(least) == three(most) {
                three(most)
            } else {
                format!("{} to {}", three(least), three(most))
            };
            let unit = unit(report, contact);
            format!(
                "{i} meets {j} in {} rows, {} of them independent. Alone, a point feels like {range} {unit}. {}",
                rows.len(),
                contact.rank,
                energy(contact)
            )
        }
    }
}

fn one(report: &Report<'_>, contact: &Assessment, row: &RowAssessment, i: &str, j: &str) -> String {
    let mass = format!("{} {}", three(row.effective.mass), unit(report, contact));
    if row.effective.is_immobile() {
        return format!(
            "Nothing can move along the normal of {i} and {j}: the contact is like a wall (m_eff = ∞), \
             and no energy of the mechanism takes part in an impact there (T_c = 0)."
        );
    }
    match row.approach {
        Motion::Closing => format!("{i} hits {j} like {mass}. {}", energy(contact)),
        Motion::Separating => format!(
            "{i} and {j} separate: no impact in this state. Approaching, the contact would feel like \
             {mass}."
        ),
        Motion::Resting | Motion::Sliding => format!(
            "{i} and {j} do not approach (u = 0): no impact energy. Struck here, the contact feels like \
             {mass}."
        ),
    }
}

fn unit(report: &Report<'_>, contact: &Assessment) -> &'static str {
    Columns { report, contact, rows: &contact.rows }.units().mass
}

/// How much of the kinetic energy an impact can use.
fn energy(contact: &Assessment) -> String {
    let energies = &contact.energies;
    if energies.closing <= 0.0 {
        return "No row closes: no impact energy in this state.".to_owned();
    }
    let used = three(energies.closing);
    if energies.driven {
        return format!(
            "The impact can use {used} J (a drive moves, so a share of T says nothing)."
        );
    }
    format!(
        "The impact can use {} of the kinetic energy: {used} J of {} J.",
        percent(energies.closing / energies.total),
        three(energies.total)
    )
}
