//! The shape that gives a body its mass, as the file states it.

use super::outline::Outline;
use crate::maths::{Mat3, Pose, Vec3};
use crate::model::description::Value;
use crate::model::{Description, Model, number_at};

/// Draws `bodies.NAME.shape` about the mass centre; false if there is none that has an extent.
pub(super) fn add(
    description: &Description,
    name: &str,
    center: Vec3,
    model: &Model,
    outline: &mut Outline,
) -> bool {
    let path = format!("bodies.{}.shape", quoted(name));
    let Some(Value::Table(table)) = description.node(&path).map(|node| &node.value) else {
        return false;
    };
    let [only] = table.entries() else { return false };
    let one = || number_at(description, &format!("{path}.{}", only.key));
    let nth = |k: usize| number_at(description, &format!("{path}.{}.{k}", only.key));
    let planar = model.is_planar();
    let drawn = || -> Option<()> {
        match only.key.as_str() {
            "rod" => {
                let half = Vec3::x() * (0.5 * one()?);
                outline.stick(center - half, center + half);
            }
            "disc" => outline.disc(center, one()?, planar),
            "ring" => outline.disc(center, nth(1).or_else(one)?, planar),
            "sphere" => outline.ball(center, one()?),
            "hollow-sphere" => outline.ball(center, nth(1).or_else(one)?),
            "rectangle" => {
                let half = Vec3::new(nth(0)?, nth(1)?, 0.0) * 0.5;
                outline.block_of(&Pose::translation(center), &half, true);
            }
            "box" => {
                let half = Vec3::new(nth(0)?, nth(1)?, nth(2)?) * 0.5;
                outline.block_of(&Pose::translation(center), &half, planar);
            }
            "cylinder" => {
                let pose = Pose { rotation: Mat3::identity(), position: center };
                outline.cylinder(&pose, nth(0)?, 0.5 * nth(1)?);
            }
            "capsule" => {
                let half = Vec3::z() * (0.5 * nth(1)?);
                outline.rod(center - half, center + half, nth(0)?);
            }
            _ => return None,
        }
        Some(())
    };
    let mut drawn = drawn;
    drawn().is_some()
}

/// A name as a part of a path: quoted if it has dots in it.
fn quoted(name: &str) -> String {
    if name.contains(['.', '"', ' ']) { format!("\"{name}\"") } else { name.to_owned() }
}
