//! The stiffness of an impact and the exponent that goes with it: as given, or from two materials and two radii.

use std::borrow::Cow;

use super::elasticity::{HERTZ_EXPONENT, SpherePair, same_exponent, stiffness_exponent};
use super::quantity::{measured, number, quantity};
use super::question::LawQuestion;
use crate::maths::nearest::nearest;
use crate::maths::units::{Dimension, Measure};
use crate::model::{MATERIALS, Material};

/// Pa.
const PRESSURE: Dimension = Dimension::new(1.0, -1.0, -2.0);

/// K and n as far as they are given.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Elasticity {
    /// K \[N/mⁿ\].
    pub stiffness: Option<f64>,
    /// n, as given or as the unit of K says.
    pub exponent: Option<f64>,
    /// Where K comes from, if it was not given.
    pub pair: Option<SpherePair>,
}

/// Reads `--stiffness` or `--materials` with `--radii`, and `--exponent`; the unit of K, or Hertz's theory, fixes n.
pub(super) fn elasticity(given: &LawQuestion) -> Result<Elasticity, String> {
    let exponent = given.exponent.as_deref().map(|text| number("--exponent", text)).transpose()?;
    if let (Some(materials), Some(radii)) = (given.materials.as_deref(), given.radii.as_deref()) {
        return from_materials(materials, radii, exponent);
    }
    let Some(text) = given.stiffness.as_deref() else {
        return Ok(Elasticity { exponent, ..Elasticity::default() });
    };
    let (stiffness, measure) = measured("--stiffness", text)?;
    let Measure::Known(found) = measure else {
        return Ok(Elasticity { stiffness: Some(stiffness), exponent, pair: None });
    };
    let n = stiffness_exponent(found).ok_or_else(|| {
        format!("--stiffness \"{text}\": a value in [{found}] stands where a stiffness is expected, in N/m^n")
    })?;
    if let Some(written) = exponent.filter(|written| !same_exponent(*written, n)) {
        return Err(format!(
            "--stiffness \"{text}\" is in N/m^{n} and so has the exponent {n}; --exponent says {written}"
        ));
    }
    Ok(Elasticity { stiffness: Some(stiffness), exponent: exponent.or(Some(n)), pair: None })
}

/// K of two balls, a ball in a hollow or on a plane.
fn from_materials(
    materials: &str,
    radii: &str,
    exponent: Option<f64>,
) -> Result<Elasticity, String> {
    let materials = two("--materials", materials, self::materials(materials)?)?;
    let [a, b] = two("--radii", radii, radii.split(',').map(str::trim).collect())?;
    let radii = [radius(a)?, radius(b)?];
    if let Some(written) = exponent.filter(|n| *n != HERTZ_EXPONENT) {
        return Err(format!(
            "--materials give a stiffness with the exponent {HERTZ_EXPONENT}; --exponent says {written}"
        ));
    }
    let pair = SpherePair { materials, radii };
    let stiffness =
        pair.stiffness().map_err(|error| format!("--materials and --radii: {error}"))?;
    Ok(Elasticity { stiffness: Some(stiffness), exponent: Some(HERTZ_EXPONENT), pair: Some(pair) })
}

/// Two of something that stand in an option with a comma between.
fn two<T>(option: &str, text: &str, found: Vec<T>) -> Result<[T; 2], String> {
    <[T; 2]>::try_from(found)
        .map_err(|found| format!("{option} \"{text}\": two are expected, found {}", found.len()))
}

/// Names of materials, or `E=210 GPa,nu=0.3` in the place of a name.
fn materials(text: &str) -> Result<Vec<Cow<'static, Material>>, String> {
    let mut out = Vec::new();
    // E and ν of a material, as far as they have been read.
    let (mut young, mut poisson): (Option<f64>, Option<f64>) = (None, None);
    let unfinished = || {
        format!(
            "--materials \"{text}\": a material without a name takes both E and nu, such as E=210 GPa,nu=0.3"
        )
    };
    for part in text.split(',').map(str::trim) {
        let (key, value) = match part.split_once('=') {
            Some((key, value)) => (key.trim(), value.trim()),
            None if young.is_some() || poisson.is_some() => return Err(unfinished()),
            None => {
                out.push(Cow::Borrowed(named(part)?));
                continue;
            }
        };
        match key {
            "E" if young.is_none() => young = Some(quantity("--materials E", value, PRESSURE)?),
            "nu" if poisson.is_none() => poisson = Some(number("--materials nu", value)?),
            "E" | "nu" => return Err(unfinished()),
            _ => {
                return Err(format!(
                    "--materials: `{key}` is not E [Pa] or nu, as in E=210 GPa,nu=0.3"
                ));
            }
        }
        if let (Some(modulus), Some(ratio)) = (young, poisson) {
            out.push(Cow::Owned(Material {
                name: format!("E = {modulus:e} Pa, nu = {ratio}").into(),
                young: modulus,
                poisson: ratio,
                density: None,
                source: "given".into(),
            }));
            (young, poisson) = (None, None);
        }
    }
    if young.is_some() || poisson.is_some() { Err(unfinished()) } else { Ok(out) }
}

fn named(name: &str) -> Result<&'static Material, String> {
    Material::named(name).ok_or_else(|| {
        let names = MATERIALS.iter().map(|m| m.name.as_ref());
        let hint = nearest(name, names.clone()).map_or_else(
            || format!("there is {}, or E=…,nu=…", names.collect::<Vec<_>>().join(", ")),
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
