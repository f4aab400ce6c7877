//! K and n of contacts, and where they come from.

use carom::contact::hertz::{Stiffness, StiffnessOrigin};
use carom::model::{Contact, Model};

use super::Grid;
use crate::number::{six, with_unit};

/// `N/m^1.5`.
pub(super) fn unit(found: &Stiffness) -> String {
    format!("N/m^{}", six(found.exponent))
}

/// Where K and n come from.
pub(super) fn origin(contact: &Contact, found: &Stiffness) -> String {
    let materials = contact.defaults.materials.as_ref();
    let pair = materials.map(|m| format!("{} on {}", m.pair[0].name, m.pair[1].name));
    let pair = pair.unwrap_or_default();
    match &found.origin {
        StiffnessOrigin::Written => "written in the file".to_owned(),
        StiffnessOrigin::Point(point) => {
            let [least, most] = point.relative_curvatures();
            let modulus = with_unit(point.modulus(), "Pa");
            let curvature = with_unit(least + most, "1/m");
            format!(
                "Hertz: {pair}, E* = {modulus}, A + B = {curvature}, b/a = {}",
                six(point.axis_ratio())
            )
        }
        StiffnessOrigin::Line { cylinders, .. } => format!(
            "Hertz: {pair}, parallel cylinders of {}, matched at {}",
            with_unit(cylinders.length, "m"),
            with_unit(cylinders.reference_force, "N")
        ),
    }
}

/// One line a contact that has a stiffness; nothing if none has.
pub(super) fn grid(model: &Model, all: &[Option<Stiffness>]) -> Option<Grid> {
    let mut grid = Grid::new(&["contact", "K", "n", "from"]);
    for (contact, found) in model.contacts.iter().zip(all) {
        let Some(found) = found else { continue };
        grid.row(vec![
            contact.name.clone(),
            with_unit(found.stiffness, &unit(found)),
            six(found.exponent),
            origin(contact, found),
        ]);
    }
    (grid.len() > 1).then_some(grid)
}
