//! Energies of a contact, over all of its rows.

use carom::answer::ContactAnswer;

use super::Grid;
use crate::number::{bar, percent, with_unit};

/// Adds T, T_c, T_a and their shares.
pub(crate) fn energies(grid: &mut Grid, contact: &ContactAnswer) {
    let e = &contact.energies;
    let joules = |x: f64| with_unit(x, "J");
    let frame = "depends on the frame: a drive moves";
    let share = |x: Option<f64>| {
        x.map_or_else(
            || format!("a share of T {frame}"),
            |x| format!("{} {} of T", bar(x), percent(x)),
        )
    };
    let mut line = |what: &str, symbol: &str, value: String, meaning: String| {
        grid.row(vec![what.to_owned(), symbol.to_owned(), value, meaning]);
    };
    let moves = if e.kinetic_energy == 0.0 {
        "nothing moves".to_owned()
    } else if e.frame_dependent {
        format!("of the whole mechanism; {frame}")
    } else {
        "of the whole mechanism".to_owned()
    };
    line("kinetic energy", "T", joules(e.kinetic_energy), moves);
    if e.unbounded {
        let drives: Vec<String> = e.drives.iter().map(|d| format!("`{d}`")).collect();
        let meaning = format!("unbounded: {} would have to stop", drives.join(", "));
        line("impact energy", "T_c", joules(e.impact_energy), meaning);
        return;
    }
    let (closing, counted) = contact.closing();
    if closing == 0 {
        line("impact energy", "T_c", joules(0.0), "no row closes".to_owned());
        if e.constrained_energy > 0.0 {
            let meaning = format!("{}; not impact energy: it separates", share(e.xi));
            line("along the rows", "½uᵀW⁺u", joules(e.constrained_energy), meaning);
        }
    } else if closing == counted {
        line("impact energy", "T_c", joules(e.impact_energy), share(e.impact_share));
    } else {
        let meaning = share(e.impact_share) + ", closing rows alone";
        line("impact energy", "T_c", joules(e.impact_energy), meaning);
        let meaning = format!("{}; separating rows included", share(e.xi));
        line("along all rows", "", joules(e.constrained_energy), meaning);
    }
    let rest =
        if e.frame_dependent { "T − T_c; depends on the frame" } else { "passes the impact by" };
    line("admissible energy", "T_a", joules(e.admissible_energy), rest.to_owned());
}
