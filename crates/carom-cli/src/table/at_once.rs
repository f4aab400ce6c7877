//! Several contacts struck at once.

use carom::impact::Together;
use carom::model::{ContactUnits, Model};

use super::Grid;
use crate::number::{bar, percent, with_unit};

/// The energy all contacts can use together, and how heavy each row feels while the others hold.
pub(crate) fn text(model: &Model, all: &Together) -> String {
    format!("\nall contacts struck at once\n\n{}", grid(model, all).text(4))
}

/// The same as rows.
pub(crate) fn grid(model: &Model, all: &Together) -> Grid {
    let e = &all.energies;
    let share = if e.total > 0.0 { e.closing / e.total } else { 0.0 };
    let mut grid = Grid::default();
    let mut line = |what: &str, symbol: &str, value: String, meaning: String| {
        grid.row(vec![what.to_owned(), symbol.to_owned(), value, meaning]);
    };
    line(
        "impact energy",
        "T_c",
        with_unit(e.closing, "J"),
        format!("{} {} of T, over the closing rows", bar(share), percent(share)),
    );
    line(
        "along all rows",
        "",
        with_unit(e.constrained, "J"),
        "separating rows included".to_owned(),
    );
    line(
        "independent rows",
        "",
        format!("{} of {}", all.rank, all.rows.len()),
        "of all contacts".to_owned(),
    );
    for row in &all.rows {
        let contact = model.contact(&row.contact).map(|k| &model.contacts[k]);
        let unit = contact.map_or(ContactUnits::LINEAR, carom::model::Contact::units).mass;
        line(
            &format!("`{}` {}", row.contact, row.label),
            "m_eff",
            with_unit(row.effective.mass, unit),
            format!("{} with all other rows held", with_unit(row.others_held, unit)),
        );
    }
    grid
}
