//! The answer of `assess` in a sentence.

use super::assess::{ContactAnswer, EnergiesAnswer};
use super::row::RowAnswer;
use crate::contact::Approach;
use crate::maths::digits::{percent, three};

/// What an impact at this contact would be like.
pub(super) fn of_contact(contact: &ContactAnswer) -> String {
    let text = match contact.rows.as_slice() {
        [row] => one(contact, row),
        rows => several(contact, rows),
    };
    if contact.touching { text } else { format!("If it touched here: {text}") }
}

fn several(contact: &ContactAnswer, rows: &[RowAnswer]) -> String {
    let (i, j) = contact.sides.quoted();
    let part = rows.iter().filter(|r| r.takes_part).count();
    let masses = contact.normals().filter(|r| r.takes_part).map(|r| r.effective_mass);
    let (least, most) =
        masses.fold((f64::INFINITY, 0.0), |(a, b), m| (f64::min(a, m), f64::max(b, m)));
    let range = if three(least) == three(most) {
        three(most)
    } else {
        format!("{} to {}", three(least), three(most))
    };
    format!(
        "{i} meets {j} in {part} {}, {} of them independent. Alone, a point feels like {range} {}. {}",
        if part == 1 { "row" } else { "rows" },
        contact.rank,
        contact.units.mass,
        energy(contact)
    )
}

fn one(contact: &ContactAnswer, row: &RowAnswer) -> String {
    let (i, j) = contact.sides.quoted();
    let mass = format!("{} {}", three(row.effective_mass), contact.units.mass);
    if contact.energies.unbounded {
        return format!("{i} closes on {j} and nothing can give way. {}", energy(contact));
    }
    if row.immobile {
        return format!(
            "Along the normal of {i} and {j} nothing can move: the contact is like a wall (m_eff = ∞), and no energy of the \
             mechanism takes part in an impact there (T_c = 0)."
        );
    }
    match row.motion {
        Approach::Closing => format!("{i} hits {j} like {mass}. {}", energy(contact)),
        Approach::Separating => format!(
            "{i} and {j} separate: no impact in this state. Approaching, the contact would feel like {mass}."
        ),
        Approach::Resting | Approach::Sliding => format!(
            "{i} and {j} do not approach (u = 0): no impact energy. Struck here, the contact feels like {mass}."
        ),
    }
}

/// How much of the kinetic energy an impact can use.
fn energy(contact: &ContactAnswer) -> String {
    let energies = &contact.energies;
    if energies.unbounded {
        return unbounded(energies);
    }
    if energies.impact_energy <= 0.0 {
        return "No row closes: no impact energy in this state.".to_owned();
    }
    let used = three(energies.impact_energy);
    let Some(share) = energies.impact_share else {
        return format!(
            "The impact can use {used} J (a drive moves, so a share of T says nothing)."
        );
    };
    // The same number to all digits that are shown is written the same.
    let total = three(energies.kinetic_energy);
    let share = percent(share);
    let used = if share == "100 %" { total.clone() } else { used };
    format!("The impact can use {share} of the kinetic energy: {used} J of {total} J.")
}

/// What an unbounded T_c means, and what to do.
pub(super) fn unbounded(energies: &EnergiesAnswer) -> String {
    format!("The impact energy T_c is unbounded: {}.", remedy(&energies.drives))
}

/// Which drives would have to stop, and what to change.
pub(super) fn remedy(drives: &[String]) -> String {
    let names: Vec<String> = drives.iter().map(|d| format!("`{d}`")).collect();
    let who = match names.as_slice() {
        [] => "a drive would have to stop at once".to_owned(),
        [one] => format!("the drive {one} would have to stop at once"),
        many => format!("the drives {} would have to stop at once", many.join(", ")),
    };
    format!(
        "{who}, because no other degree of freedom gives way; replace the drive by an `effort`, or give the other side a mass"
    )
}
