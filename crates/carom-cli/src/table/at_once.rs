//! Several contacts struck at once.

use carom::answer::TogetherAnswer;

use super::Grid;
use crate::number::{bar, percent, with_unit};

/// The energy all contacts can use together, and how heavy each row feels while the others hold.
pub(crate) fn text(all: &TogetherAnswer) -> String {
    format!("\n{}\n\n{}", heading(all), grid(all).text(4))
}

/// What the numbers are about.
pub(crate) fn heading(all: &TogetherAnswer) -> &'static str {
    if all.touching {
        "all touching points struck at once"
    } else {
        "all contacts struck at once, if their nearest points touched here"
    }
}

/// The same as rows.
pub(crate) fn grid(all: &TogetherAnswer) -> Grid {
    let e = &all.energies;
    let mut grid = Grid::default();
    let mut line = |what: &str, symbol: &str, value: String, meaning: String| {
        grid.row(vec![what.to_owned(), symbol.to_owned(), value, meaning]);
    };
    let share = if e.unbounded {
        let drives: Vec<String> = e.drives.iter().map(|d| format!("`{d}`")).collect();
        format!("unbounded: {} would have to stop", drives.join(", "))
    } else if let Some(share) = e.impact_share {
        format!("{} {} of T, over the rows that are struck", bar(share), percent(share))
    } else {
        "over the rows that are struck; a drive moves, so a share of T says nothing".to_owned()
    };
    line("impact energy", "T_c", with_unit(e.impact_energy, "J"), share);
    line(
        "along all rows",
        "",
        with_unit(e.constrained_energy, "J"),
        "separating rows included".to_owned(),
    );
    line(
        "independent rows",
        "",
        format!("{} of {}", all.rank, all.rows.len()),
        "of all contacts".to_owned(),
    );
    for row in &all.rows {
        line(
            &format!("`{}` {}", row.contact, row.label),
            "m_eff",
            with_unit(row.effective_mass, &row.mass_unit),
            format!(
                "{} with all other rows held",
                with_unit(row.others_held.effective_mass, &row.mass_unit)
            ),
        );
    }
    grid
}
