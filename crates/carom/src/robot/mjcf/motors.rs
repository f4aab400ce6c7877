//! `<actuator>`: of motors the inertia of the rotor is read; and `<keyframe>`.
//!
//! A rotor of inertia J (`armature`) behind the gear N (the first number of `gear`) adds N² J to the joint.

use super::attributes::{Item, Read};
use super::document::Element;
use super::{ACTUATORS, Reader};
use crate::maths::Vec3;
use crate::model::joint::quaternion_rotation;
use crate::robot::xml::cut;
use crate::robot::{JointMotion, Keyframe, Note, Start};

impl<'a> Reader<'a> {
    pub(super) fn read_actuators(&mut self, section: Element<'a>) -> Read<()> {
        for element in self.elements.children(section) {
            self.unread(element.tag());
            if !ACTUATORS.contains(&element.tag()) {
                continue;
            }
            let item = self.item(element, 0);
            let inertia = self.not_negative(&item, "armature")?;
            if inertia == 0.0 {
                continue;
            }
            let own = item.layers.last().copied().unwrap_or(element);
            let joint = ["joint", "jointinparent"].iter().find_map(|key| own.attribute(key));
            let Some((joint, span)) = joint else {
                let name = cut(item.name().unwrap_or_default());
                let message = format!(
                    "actuator `{name}` has an `armature` and acts on no joint: its inertia is not read"
                );
                return self.refuse(&item.span, message);
            };
            let joint = self.single_joint(joint, &span)?;
            let [gear, ..] = self.overlaid(&item, "gear", [1.0, 0.0, 0.0, 0.0, 0.0, 0.0])?;
            self.robot.joints[joint].rotor += gear * gear * inertia;
            self.notes.push(Note::new(format!(
                "joint `{}`: a rotor of {inertia} behind a gear of {gear} counts as {:.6e}",
                cut(&self.robot.joints[joint].name),
                gear * gear * inertia
            )));
        }
        Ok(())
    }

    pub(super) fn read_keyframes(&mut self, section: Element<'a>) -> Read<()> {
        for element in self.elements.children(section).into_iter().filter(|e| e.tag() == "key") {
            let item = Item::alone(element);
            let number = self.robot.keyframes.len();
            let name = item.name().map_or_else(|| number.to_string(), str::to_owned);
            let moving: Vec<usize> = (0..self.robot.joints.len())
                .filter(|k| self.robot.joints[*k].motion != JointMotion::Fixed)
                .collect();
            let counts: Vec<(usize, usize)> =
                moving.iter().map(|k| self.robot.joints[*k].motion.counts()).collect();
            let q = self.all_of(&item, "qpos", counts.iter().map(|c| c.0).sum())?;
            let v = self.all_of(&item, "qvel", counts.iter().map(|c| c.1).sum())?;
            let (mut q, mut v) = (q.as_deref(), v.as_deref());
            let mut joints = Vec::new();
            for (k, (nq, nv)) in moving.into_iter().zip(counts) {
                let joint = &self.robot.joints[k];
                let position = match taken(&mut q, nq) {
                    Some(position) => position,
                    None if !joint.start.position.is_empty() => joint.start.position.clone(),
                    None if joint.motion == JointMotion::Ball => vec![1.0, 0.0, 0.0, 0.0],
                    None => vec![0.0; nq],
                };
                if nq >= 4 && !(position[nq - 4..].iter().any(|x| *x != 0.0)) {
                    let message = format!(
                        "keyframe `{}`: the quaternion of joint `{}` is zero",
                        cut(&name),
                        cut(&self.robot.joints[k].name)
                    );
                    return self.refuse(&item.span, message);
                }
                let mut velocity = taken(&mut v, nv).unwrap_or_default();
                if nv >= 3 && !velocity.is_empty() {
                    // The file states the angular velocity in the axes of the body, the model in those of the parent's side: ω_F = R ω_B.
                    let turn = quaternion_rotation(&position[nq - 4..]);
                    let omega = turn * Vec3::from_column_slice(&velocity[nv - 3..]);
                    velocity[nv - 3..].copy_from_slice(omega.as_slice());
                }
                joints.push((k, Start { position, velocity, kept: true }));
            }
            if self.robot.keyframes.iter().any(|key| key.name == name) {
                let message = format!("a second keyframe `{}`: names are unique", cut(&name));
                return self.refuse(&item.span, message);
            }
            self.robot.keyframes.push(Keyframe { name, joints });
        }
        Ok(())
    }

    /// As many numbers as the robot has coordinates, or none.
    fn all_of(&mut self, item: &Item<'a>, key: &str, count: usize) -> Read<Option<Vec<f64>>> {
        let Some((text, span)) = item.get(key) else { return Ok(None) };
        let found = text.split_ascii_whitespace().count();
        if found != count {
            let message =
                format!("`{key}`: found {found} number(s): the robot has {count} coordinates");
            return self.refuse(&span, message);
        }
        if count == 0 {
            return Ok(None);
        }
        self.numbers((text, span), key, count).map(Some)
    }
}

/// The first numbers of a list, which are taken off.
fn taken(list: &mut Option<&[f64]>, count: usize) -> Option<Vec<f64>> {
    let (first, rest) = list.as_ref()?.split_at_checked(count)?;
    *list = Some(rest);
    Some(first.to_vec())
}
