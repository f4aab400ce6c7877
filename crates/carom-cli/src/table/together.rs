//! Energies of a contact, over all of its rows.

use carom::impact::Assessment;

use super::Grid;
use crate::number::{bar, percent, with_unit};
use carom::contact::Approach as Motion;

/// Energies below this part of T are round-off.
const ROUND_OFF: f64 = 1e-13;

/// Adds T, T_c, T_a and their shares.
pub(crate) fn energies(grid: &mut Grid, contact: &Assessment) {
    let e = &contact.energies;
    // What cancels in T − T_c is round-off.
    let joules = |x: f64| with_unit(if x.abs() <= ROUND_OFF * e.total { 0.0 } else { x }, "J");
    let of_total = |x: f64| if e.total > 0.0 { x / e.total } else { 0.0 };
    let share = |x: f64| {
        let frame = if e.driven { "; depends on the frame: a drive moves" } else { "" };
        format!("{} {} of T{frame}", bar(of_total(x)), percent(of_total(x)))
    };
    let mut line = |what: &str, symbol: &str, value: String, meaning: String| {
        grid.row(vec![what.to_owned(), symbol.to_owned(), value, meaning]);
    };
    let moves = if e.total == 0.0 {
        "nothing moves"
    } else if e.driven {
        "of the whole mechanism; depends on the frame: a drive moves"
    } else {
        "of the whole mechanism"
    };
    line("kinetic energy", "T", joules(e.total), moves.to_owned());
    match closing(contact) {
        Closing::All => line("impact energy", "T_c", joules(e.closing), share(e.closing)),
        Closing::Some => {
            line(
                "impact energy",
                "T_c",
                joules(e.closing),
                share(e.closing) + ", closing rows alone",
            );
            let meaning =
                format!("{} of T; separating rows included", percent(of_total(e.constrained)));
            line("along all rows", "", joules(e.constrained), meaning);
        }
        Closing::None => {
            line("impact energy", "T_c", joules(0.0), "no row closes".to_owned());
            if e.constrained > 0.0 {
                let meaning = format!(
                    "{} of T; not impact energy: it separates",
                    percent(of_total(e.constrained))
                );
                line("along the rows", "½uᵀW⁺u", joules(e.constrained), meaning);
            }
        }
    }
    let rest = if e.driven { "T − T_c; depends on the frame" } else { "passes the impact by" };
    line("admissible energy", "T_a", joules(e.admissible), rest.to_owned());
}

/// Which rows of a contact close.
enum Closing {
    All,
    Some,
    None,
}

fn closing(contact: &Assessment) -> Closing {
    let normals: Vec<bool> = contact
        .rows
        .iter()
        .filter(|r| r.is_normal)
        .map(|r| r.approach == Motion::Closing)
        .collect();
    if normals.iter().all(|c| *c) {
        Closing::All
    } else if normals.iter().any(|c| *c) {
        Closing::Some
    } else {
        Closing::None
    }
}
