//! The units of all quantities in answers: one table for documentation, CSV heads, JSON Schema and columns.

use crate::study::QUANTITIES;

/// A quantity of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The name of the field or column.
    pub name: &'static str,
    /// Its SI unit; empty for a plain number. Contacts that are stops of turning joints have angular units, given beside them.
    pub unit: &'static str,
}

const fn of(name: &'static str, unit: &'static str) -> Unit {
    Unit { name, unit }
}

/// All quantities, by the name that they have in every answer.
pub const UNITS: &[Unit] = &[
    of("t", "s"),
    of("gravity", "m/s^2"),
    of("q", "m or rad"),
    of("v", "m/s or rad/s"),
    of("condition_number", ""),
    // A contact law and an impact under it.
    of("stiffness", "N/m^n"),
    of("exponent", ""),
    of("damping", "N s/m"),
    of("max_damping", "N s/m"),
    of("damping_depth", "m"),
    of("young", "Pa"),
    of("poisson", ""),
    of("radii", "m"),
    of("delta", "m"),
    of("delta_dot", "m/s"),
    of("force", "N"),
    of("energy", "J"),
    of("parting_indentation", "m"),
    of("share_lost", ""),
    of("peak_by_elastic", ""),
    of("indentation_by_elastic", ""),
    of("duration_by_elastic", ""),
    of("peak_by_elastic_peak", ""),
];

/// The unit of a field or column: of this table, or of the measures of studies, [`QUANTITIES`].
pub fn unit(name: &str) -> Option<&'static str> {
    let of_study = || QUANTITIES.iter().find(|q| q.name == name).map(|q| q.unit);
    UNITS.iter().find(|entry| entry.name == name).map(|entry| entry.unit).or_else(of_study)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_has_one_unit_in_answers_and_studies() {
        for (k, entry) in UNITS.iter().enumerate() {
            let again = UNITS[..k].iter().find(|e| e.name == entry.name);
            assert!(again.is_none(), "`{}` stands twice", entry.name);
        }
        for q in &QUANTITIES {
            assert_eq!(unit(q.name), Some(q.unit), "{}", q.name);
        }
    }
}
