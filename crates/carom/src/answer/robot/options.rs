//! What is asked about a tip, and how it is read from words.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Limits;
use crate::answer::AnswerError;
use crate::answer::laws::quantity::quantity;
use crate::maths::units::Dimension;
use crate::model::{JointKind, Model};

/// Which mass of the robot enters an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RobotMass {
    /// The constant of ISO/TS 15066: half the moving mass, and the payload.
    Standard,
    /// m_eff with all joints free, rotors included.
    Free,
    /// m_eff with the chosen joints locked.
    Locked,
}

/// The question of [`Machine::tip`](crate::Machine::tip).
#[derive(Clone, Debug, PartialEq, Default)]
pub struct TipOptions {
    /// A body (then its origin), or a marker: `body.marker`, or `marker` where that is unique.
    pub tip: String,
    /// Positions of all joints in their order \[m or rad\]; the pose of the file if empty.
    pub q: Vec<f64>,
    /// Mass of a point load carried beside the file's bodies \[kg\].
    pub payload: f64,
    /// Where it sits in the frame of the tip's body \[m\]; at the tip if none.
    pub payload_at: Option<[f64; 3]>,
    /// Joints to be locked, by their names.
    pub locked: Vec<String>,
    /// Directions in world axes, of any length; of none the heaviest is taken. The first one decides the three masses.
    pub directions: Vec<[f64; 3]>,
    /// Speed of the tip along the direction \[m/s\].
    pub speed: Option<f64>,
    /// Which robot mass is used; if none is named, that of locked joints where some are locked, otherwise that of free joints.
    pub mass: Option<RobotMass>,
}

/// The question of [`Machine::near`](crate::Machine::near).
#[derive(Clone, Debug, PartialEq)]
pub struct NearOptions {
    /// The tip, its pose, payload, locked joints and direction.
    pub tip: TipOptions,
    /// Limits of the regions of a person's body.
    pub limits: Limits,
    /// Contact area A of the pressure limits \[m²\].
    pub area: f64,
    /// Stiffness of a padding in series with the body region \[N/m\].
    pub padding: Option<f64>,
    /// Effort limits of all joint velocities in their order \[N m or N\]; those of the file if empty.
    pub effort: Vec<f64>,
    /// Whether a path is judged for a person who can give way (needs body masses) instead of a clamped one.
    pub free: bool,
    /// Points that are judged along the path beside the tip: bodies or markers.
    pub points: Vec<String>,
    /// Name and text of a path in CSV: `t`, positions `q…`, and velocities `v…` or a `speed`.
    pub path: Option<(String, String)>,
}

/// The area for which the pressure form holds \[m²\]: about 1 cm².
pub(super) const PRESSURE_AREA: f64 = 1e-4;

impl Default for NearOptions {
    /// The limits that come with carom, 1 cm², no padding.
    fn default() -> Self {
        Self {
            tip: TipOptions::default(),
            limits: Limits::default(),
            area: PRESSURE_AREA,
            padding: None,
            effort: Vec::new(),
            free: false,
            points: Vec::new(),
            path: None,
        }
    }
}

impl NearOptions {
    /// Refuses an area or a padding that cannot be.
    pub(super) fn check(&self) -> Result<(), AnswerError> {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        if !positive(self.area) {
            let message = format!("{} is not a positive area [m²]", self.area);
            return Err(AnswerError::asked("area", message));
        }
        match self.padding.filter(|x| !positive(*x)) {
            Some(pad) => {
                let message = format!("{pad} is not a positive stiffness [N/m]");
                Err(AnswerError::asked("padding", message))
            }
            None => Ok(()),
        }
    }
}

impl TipOptions {
    /// Quantities with commas between: `"20, -60, 80 deg"`; the unit of the last one holds for those without. `unit` tells the dimension,
    /// `option` is what messages call the text. A bare number is in SI units.
    pub fn quantities(option: &str, text: &str, unit: &str) -> Result<Vec<f64>, AnswerError> {
        let (_, expected) = measure(unit);
        items(text).iter().map(|item| one(option, item, expected)).collect()
    }

    /// One quantity.
    pub fn quantity(option: &str, text: &str, unit: &str) -> Result<f64, AnswerError> {
        one(option, text, measure(unit).1)
    }

    /// Three quantities: a place or a direction; two in a plane.
    pub fn vector(option: &str, text: &str, unit: &str) -> Result<[f64; 3], AnswerError> {
        let found = Self::quantities(option, text, unit)?;
        match found.as_slice() {
            [x, y, z] => Ok([*x, *y, *z]),
            [x, y] => Ok([*x, *y, 0.0]),
            _ => {
                let message = format!("{} numbers, expected 3 (or 2 in the plane)", found.len());
                Err(AnswerError::asked(format!("{option} \"{text}\""), message))
            }
        }
    }
}

/// The size and the dimension of a unit of this module's texts.
fn measure(unit: &str) -> (f64, Dimension) {
    let size = quantity("unit", &format!("1 {unit}"), Dimension::NONE);
    let known = [
        ("kg", Dimension::MASS),
        ("kg m^2", Dimension::INERTIA),
        ("m", Dimension::LENGTH),
        ("m/s", Dimension::VELOCITY),
        ("m^2", Dimension::LENGTH.power(2.0)),
        ("N/m", Dimension::FORCE.per(Dimension::LENGTH)),
        ("N", Dimension::FORCE),
        ("N m", Dimension::ENERGY),
        ("Pa", Dimension::PRESSURE),
        ("kg/m^3", Dimension::DENSITY),
    ];
    let found = known.iter().find(|(name, _)| *name == unit).map_or(Dimension::NONE, |(_, d)| *d);
    (size.unwrap_or(1.0), found)
}

fn one(option: &str, text: &str, expected: Dimension) -> Result<f64, AnswerError> {
    quantity(option, text.trim(), expected).map_err(|message| {
        let (what, message) = message.split_once(": ").unwrap_or((option, &message));
        AnswerError::asked(what, message)
    })
}

/// The entries of a list; bare numbers get the unit of the last entry.
fn items(text: &str) -> Vec<String> {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let last = parts.last().copied().unwrap_or_default();
    let word = last.find(|c: char| !(c.is_ascii_digit() || "+-. eE".contains(c)));
    let unit = word.map_or("", |at| &last[at..]);
    let number = |part: &&str| part.parse::<f64>().is_ok_and(f64::is_finite);
    let with = |part: &str| {
        if number(&part) { format!("{part} {unit}").trim().to_owned() } else { part.to_owned() }
    };
    parts.into_iter().map(with).collect()
}

/// Positions of all joints of a model in their order, each checked against what its joint measures.
pub(crate) fn positions(model: &Model, option: &str, text: &str) -> Result<Vec<f64>, AnswerError> {
    let items = items(text);
    let asked: Vec<(String, Dimension)> = model
        .bodies
        .iter()
        .flat_map(|body| {
            let kind = body.joint.kind;
            (0..kind.positions()).map(move |k| (body.joint.name.clone(), measured(kind, k)))
        })
        .collect();
    if items.len() != asked.len() {
        let mut names: Vec<&str> = asked.iter().map(|(name, _)| name.as_str()).collect();
        names.dedup();
        let message = format!(
            "{} numbers, expected {}: the positions of {}",
            items.len(),
            asked.len(),
            names.join(", ")
        );
        return Err(AnswerError::asked(format!("{option} \"{text}\""), message));
    }
    let pairs = items.iter().zip(&asked);
    pairs.map(|(item, (joint, kind))| one(&format!("{option}, {joint}:"), item, *kind)).collect()
}

/// The dimension of an entry of a joint's position; those of a quaternion are plain numbers.
pub(super) fn measured(kind: JointKind, entry: usize) -> Dimension {
    let (turns, plain) = match kind {
        JointKind::Spherical => (false, true),
        JointKind::Floating => (false, entry >= 3),
        other => (other.is_angular(entry), false),
    };
    match (turns, plain) {
        (true, _) => Dimension::ANGLE,
        (_, true) => Dimension::NONE,
        _ => Dimension::LENGTH,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_of_the_last_number_holds_for_all() {
        assert_eq!(items("20,-60, 80 deg"), ["20 deg", "-60 deg", "80 deg"]);
        assert_eq!(items("1 m, 2e-1, 30 deg"), ["1 m", "2e-1 deg", "30 deg"]);
        assert_eq!(items("1,2"), ["1", "2"]);
        let found = TipOptions::quantities("--at", "0, 0, 50 mm", "m").unwrap();
        assert!((found[2] - 0.05).abs() < 1e-15, "{found:?}");
        let wrong = TipOptions::quantity("--payload", "1.5 m", "kg").unwrap_err().to_string();
        assert!(wrong.starts_with("--payload \"1.5 m\": "), "{wrong}");
        assert!(TipOptions::vector("--direction", "1", "").is_err());
    }
}
