//! The units of all quantities in answers: one table for documentation, CSV heads, JSON Schema and columns.

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
];

/// The unit of a field or column.
pub fn unit(name: &str) -> Option<&'static str> {
    UNITS.iter().find(|entry| entry.name == name).map(|entry| entry.unit)
}
