//! The units of the files.

use super::Dimension;

/// A unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// Its word in files.
    pub word: &'static str,
    /// Its size in SI units.
    pub factor: f64,
    /// Its dimension.
    pub dimension: Dimension,
}

const fn of(word: &'static str, factor: f64, dimension: Dimension) -> Unit {
    Unit { word, factor, dimension }
}

const TURN: f64 = std::f64::consts::TAU;
const POWER: Dimension = Dimension::new(1.0, 2.0, -3.0);
const HERTZ: Dimension = Dimension { cycles: true, ..Dimension::new(0.0, 0.0, -1.0) };

/// Every unit of the files.
pub const UNITS: [Unit; 38] = [
    of("m", 1.0, Dimension::LENGTH),
    of("mm", 1e-3, Dimension::LENGTH),
    of("cm", 1e-2, Dimension::LENGTH),
    of("km", 1e3, Dimension::LENGTH),
    of("um", 1e-6, Dimension::LENGTH),
    of("kg", 1.0, Dimension::MASS),
    of("g", 1e-3, Dimension::MASS),
    of("t", 1e3, Dimension::MASS),
    of("mg", 1e-6, Dimension::MASS),
    of("s", 1.0, Dimension::TIME),
    of("ms", 1e-3, Dimension::TIME),
    of("us", 1e-6, Dimension::TIME),
    of("min", 60.0, Dimension::TIME),
    of("h", 3600.0, Dimension::TIME),
    of("rad", 1.0, Dimension::ANGLE),
    of("deg", TURN / 360.0, Dimension::ANGLE),
    of("rev", TURN, Dimension::ANGLE),
    of("N", 1.0, Dimension::FORCE),
    of("kN", 1e3, Dimension::FORCE),
    of("mN", 1e-3, Dimension::FORCE),
    of("MN", 1e6, Dimension::FORCE),
    of("Nm", 1.0, Dimension::ENERGY),
    of("kNm", 1e3, Dimension::ENERGY),
    of("mNm", 1e-3, Dimension::ENERGY),
    of("Nmm", 1e-3, Dimension::ENERGY),
    of("J", 1.0, Dimension::ENERGY),
    of("mJ", 1e-3, Dimension::ENERGY),
    of("kJ", 1e3, Dimension::ENERGY),
    of("W", 1.0, POWER),
    of("kW", 1e3, POWER),
    of("Pa", 1.0, Dimension::PRESSURE),
    of("kPa", 1e3, Dimension::PRESSURE),
    of("MPa", 1e6, Dimension::PRESSURE),
    of("GPa", 1e9, Dimension::PRESSURE),
    of("Hz", 1.0, HERTZ),
    of("kHz", 1e3, HERTZ),
    of("rpm", TURN / 60.0, Dimension::ANGULAR_VELOCITY),
    // The sign of the micro prefix that keyboards offer.
    of("µm", 1e-6, Dimension::LENGTH),
];

/// The unit of that word.
pub fn unit(word: &str) -> Option<&'static Unit> {
    UNITS.iter().find(|u| u.word == word)
}
