//! The stiffness of an impact and the exponent that goes with it: as given, or from two materials and two radii.

use carom::contact::hertz::{Elasticity as Solid, sphere_on_sphere};
use carom::maths::nearest::nearest;
use carom::maths::units::{Dimension, Measure};
use carom::model::{MATERIALS, Material};

use super::quantity::{measured, number, quantity};
use crate::args::Impact;

/// Digits of an exponent that a unit keeps: 1 − (1 − 1.2) is 1.2 to round-off.
const UNIT_DIGITS: f64 = 1e12;

/// n of a ball on a ball.
const HERTZ: f64 = 1.5;

/// Two materials and two radii.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pair {
    /// What the bodies are made of.
    pub materials: [&'static Material; 2],
    /// R \[m\]: negative for a hollow, infinite for a plane.
    pub radii: [f64; 2],
}

impl Pair {
    /// R_i R_j/(R_i + R_j) \[m\]: the radius of a ball on a plane with the same stiffness.
    pub(crate) fn effective_radius(&self) -> f64 {
        1.0 / (1.0 / self.radii[0] + 1.0 / self.radii[1])
    }
}

/// K and n as far as they are given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Elasticity {
    /// K \[N/mⁿ\].
    pub stiffness: Option<f64>,
    /// n, as given or as the unit of K says.
    pub exponent: Option<f64>,
    /// Where K comes from, if it was not given.
    pub pair: Option<Pair>,
}

/// Reads `--stiffness` or `--materials` with `--radii`, and `--exponent`; the unit of K, or Hertz's theory, fixes n.
pub(super) fn elasticity(given: &Impact) -> Result<Elasticity, String> {
    let exponent = given.exponent.as_deref().map(|text| number("--exponent", text)).transpose()?;
    if let (Some(materials), Some(radii)) = (given.materials.as_deref(), given.radii.as_deref()) {
        return from_materials(materials, radii, exponent);
    }
    let pair = None;
    let Some(text) = given.stiffness.as_deref() else {
        return Ok(Elasticity { stiffness: None, exponent, pair });
    };
    let (stiffness, measure) = measured("--stiffness", text)?;
    let Measure::Known(found) = measure else {
        return Ok(Elasticity { stiffness: Some(stiffness), exponent, pair });
    };
    // kg m^(1 − n) s⁻²
    let n = ((1.0 - found.length) * UNIT_DIGITS).round() / UNIT_DIGITS;
    if found.check(Dimension::FORCE.per(Dimension::LENGTH.power(n))).is_err() || !(n > 0.0) {
        return Err(format!(
            "--stiffness \"{text}\": a value in [{found}] stands where a stiffness is expected, in N/m^n"
        ));
    }
    if let Some(written) = exponent
        && (written - n).abs() > 1e-9
    {
        return Err(format!(
            "--stiffness \"{text}\" is in N/m^{n} and so has the exponent {n}; --exponent says {written}"
        ));
    }
    Ok(Elasticity { stiffness: Some(stiffness), exponent: exponent.or(Some(n)), pair })
}

/// K of two balls, a ball in a hollow or on a plane (seed 001 eqs. 3-5).
fn from_materials(
    materials: &str,
    radii: &str,
    exponent: Option<f64>,
) -> Result<Elasticity, String> {
    let [a, b] = two("--materials", materials)?;
    let materials = [material(a)?, material(b)?];
    let [a, b] = two("--radii", radii)?;
    let radii = [radius(a)?, radius(b)?];
    if let Some(written) = exponent.filter(|n| *n != HERTZ) {
        return Err(format!(
            "--materials give a stiffness with the exponent {HERTZ}; --exponent says {written}"
        ));
    }
    let solid = |material: &Material| Solid::try_from(material).map_err(|error| error.to_string());
    let solids = [solid(materials[0])?, solid(materials[1])?];
    let stiffness = sphere_on_sphere(solids, radii).map_err(|error| format!("--radii: {error}"))?;
    let pair = Some(Pair { materials, radii });
    Ok(Elasticity { stiffness: Some(stiffness), exponent: Some(HERTZ), pair })
}

/// Two values with a comma between.
fn two<'a>(option: &str, text: &'a str) -> Result<[&'a str; 2], String> {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    <[&str; 2]>::try_from(parts)
        .map_err(|parts| format!("{option} \"{text}\": two are expected, found {}", parts.len()))
}

fn material(name: &str) -> Result<&'static Material, String> {
    Material::named(name).ok_or_else(|| {
        let names = MATERIALS.iter().map(|m| m.name.as_ref());
        let hint = nearest(name, names.clone()).map_or_else(
            || format!("there is {}", names.collect::<Vec<_>>().join(", ")),
            |near| format!("is `{near}` meant?"),
        );
        format!("--materials: there is no material `{name}`; {hint}")
    })
}

/// A radius \[m\]; `inf` for a plane.
fn radius(text: &str) -> Result<f64, String> {
    match text {
        "inf" | "-inf" => Ok(f64::INFINITY),
        _ => quantity("--radii", text, Dimension::LENGTH),
    }
}
