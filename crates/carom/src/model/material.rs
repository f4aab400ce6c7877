//! What bodies are made of, as far as a contact asks.

use std::borrow::Cow;

/// An isotropic elastic material.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Its name in files.
    pub name: Cow<'static, str>,
    /// E \[Pa\].
    pub young: f64,
    /// ν.
    pub poisson: f64,
    /// ρ \[kg/m³\]; unknown if a file does not say it.
    pub density: Option<f64>,
    /// Where the numbers come from.
    pub source: Cow<'static, str>,
}

const fn known(
    name: &'static str,
    [young, poisson, density]: [f64; 3],
    source: &'static str,
) -> Material {
    Material {
        name: Cow::Borrowed(name),
        young,
        poisson,
        density: Some(density),
        source: Cow::Borrowed(source),
    }
}

const SEED: &str =
    "Moreira et al., section 2 (E, ν); density of carbon steel: Callister, table B.1";
const SHIGLEY: &str =
    "Shigley and Mischke, Mechanical Engineering Design, table A-5 (density: unit weight / g)";
const DOWLING: &str =
    "Dowling, Mechanical Behavior of Materials, table 5.2 (E, ν); density: Callister, table B.1";
const CALLISTER: &str = "Callister, Materials Science and Engineering, appendix B";
const GERE: &str = "Gere, Mechanics of Materials, appendix H";
const HIBBELER: &str = "Hibbeler, Mechanics of Materials, table of average properties";
const ASHBY: &str = "Ashby, Materials Selection in Mechanical Design, tables of properties";

/// The materials a file may name, with typical values at room temperature.
///
/// | name | what it is | how far real ones differ |
/// |---|---|---|
/// | steel | carbon steel as in Moreira et al. | E 190 … 212 GPa |
/// | stainless-steel | alloy 304 | E 190 … 215 GPa |
/// | aluminium | alloy 6061-T6 | alloys 69 … 79 GPa |
/// | brass | 70 Cu, 30 Zn; density of C26000 | 96 … 110 GPa |
/// | bronze | phosphor bronze | bronzes 96 … 120 GPa, 8200 … 8800 kg/m³ |
/// | copper | | 110 … 130 GPa |
/// | cast-iron | grey iron | **large**: 67 … 170 GPa by grade |
/// | titanium | Ti-6Al-4V | 100 … 120 GPa |
/// | magnesium | alloys | 41 … 45 GPa |
/// | lead | | it creeps: elastic for light contacts only |
/// | glass | soda-lime; density of window glass | 48 … 83 GPa by kind |
/// | alumina | Al₂O₃, dense | porous ones are softer |
/// | ptfe | middle of 0.40 … 0.55 GPa | polymers: softer when warm, loaded long or moist |
/// | nylon | nylon 66, dry | moist: half the modulus |
/// | polycarbonate | | |
/// | acrylic | PMMA | 2.2 … 3.2 GPa |
/// | polyethylene | HDPE | low density: 0.2 … 0.3 GPa |
/// | rubber | natural, unfilled; middle of 1.5 … 2.5 MPa | **large**: filled ones 0.7 … 10 MPa and more; small strains only |
/// | concrete | low strength, in compression | 17 … 31 GPa |
///
/// Wood is not here: it is not isotropic.
pub static MATERIALS: [Material; 19] = [
    known("steel", [207e9, 0.3, 7850.0], SEED),
    known("stainless-steel", [193e9, 0.30, 8000.0], CALLISTER),
    known("aluminium", [70e9, 0.33, 2700.0], GERE),
    known("brass", [101e9, 0.350, 8530.0], DOWLING),
    known("bronze", [111e9, 0.349, 8170.0], SHIGLEY),
    known("copper", [119e9, 0.326, 8900.0], SHIGLEY),
    known("cast-iron", [100e9, 0.211, 7200.0], SHIGLEY),
    known("titanium", [120e9, 0.36, 4430.0], HIBBELER),
    known("magnesium", [44.8e9, 0.350, 1795.0], SHIGLEY),
    known("lead", [16.1e9, 0.44, 11_340.0], DOWLING),
    known("glass", [69e9, 0.20, 2500.0], DOWLING),
    known("alumina", [400e9, 0.22, 3980.0], DOWLING),
    known("ptfe", [0.475e9, 0.46, 2170.0], CALLISTER),
    known("nylon", [2.7e9, 0.41, 1140.0], DOWLING),
    known("polycarbonate", [2.4e9, 0.38, 1200.0], DOWLING),
    known("acrylic", [2.7e9, 0.35, 1190.0], DOWLING),
    known("polyethylene", [1.08e9, 0.42, 959.0], DOWLING),
    known("rubber", [2e6, 0.499, 925.0], ASHBY),
    known("concrete", [22.1e9, 0.15, 2380.0], HIBBELER),
];

impl Material {
    /// The material of that name in `MATERIALS`.
    pub fn named(name: &str) -> Option<&'static Self> {
        MATERIALS.iter().find(|material| material.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_holds_materials_that_can_exist() {
        for (k, material) in MATERIALS.iter().enumerate() {
            let Material { name, young, poisson, density, source } = material;
            // From the softest rubber to diamond, from cork to osmium.
            assert!((1e5..1.3e12).contains(young), "{name}");
            assert!((0.0..0.5).contains(poisson), "{name}");
            assert!(density.is_some_and(|rho| (100.0..23_000.0).contains(&rho)), "{name}");
            assert!(!source.is_empty());
            assert!(MATERIALS[..k].iter().all(|other| other.name != *name), "{name} twice");
            assert_eq!(Material::named(name).map(|m| &m.name), Some(name));
        }
        assert_eq!(Material::named("unobtainium"), None);
    }

    #[test]
    fn the_manual_has_the_same_table() {
        let manual = include_str!("../../../../docs/model-file.md");
        for Material { name, young, poisson, density, .. } in &MATERIALS {
            // Rounded as people write them: 0.475e9/1e9 is not 0.475 to the last bit.
            let giga = (young / 1e9 * 1e6).round() / 1e6;
            let row = format!("| {name} | {giga} | {poisson} | {} |", density.unwrap());
            assert!(manual.contains(&row), "docs/model-file.md lacks the row\n{row}");
        }
    }

    #[test]
    fn sound_runs_through_metals_at_the_speed_handbooks_print() {
        // √(E/ρ) of thin rods, in m/s, to 4 % (CRC Handbook, speed of sound in solids): a slip of a
        // digit in E or ρ shows here.
        for (name, speed) in [
            ("steel", 5200.0),
            ("stainless-steel", 5000.0),
            ("aluminium", 5000.0),
            ("brass", 3480.0),
            ("copper", 3750.0),
            ("titanium", 5080.0),
            ("magnesium", 4940.0),
            ("lead", 1210.0),
            ("glass", 5300.0),
            ("acrylic", 1500.0),
        ] {
            let found = Material::named(name).unwrap();
            let c = (found.young / found.density.unwrap()).sqrt();
            assert!((c / speed - 1.0).abs() < 0.04, "{name}: {c}");
        }
    }
}
