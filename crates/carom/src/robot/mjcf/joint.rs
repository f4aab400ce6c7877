//! `<joint>` and `<freejoint>`.

use super::Reader;
use super::attributes::{Item, Read};
use crate::maths::{Pose, Vec3};
use crate::robot::xml::cut;
use crate::robot::{Joint, JointMotion, Note, Start};

/// A joint of a body before it has a place in the tree.
#[derive(Debug)]
pub(super) struct Moving {
    /// With everything but its ends; its frame is that of the body at its reference position.
    pub joint: Joint,
    /// The reference position of one coordinate.
    pub reference: f64,
}

impl<'a> Reader<'a> {
    /// A joint; `frame` is the frame around it in the body.
    pub(super) fn read_joint(&mut self, item: &Item<'a>, name: &str, frame: &Pose) -> Read<Moving> {
        let free = item.tag == "freejoint";
        let words = ["hinge", "slide", "ball", "free"];
        let kind = if free { 3 } else { self.word(item, "type", &words)?.unwrap_or(0) };
        let motion =
            [JointMotion::Turn, JointMotion::Slide, JointMotion::Ball, JointMotion::Free][kind];
        let mut joint = Joint::new(name, item.span.clone(), motion, [0, 0]);
        if free {
            return Ok(Moving { joint, reference: 0.0 });
        }
        let unit = if motion == JointMotion::Turn { self.settings.angle } else { 1.0 };
        if motion != JointMotion::Free {
            let anchor = Vec3::from(self.vector(item, "pos")?.unwrap_or_default());
            joint.anchor = frame.point(&anchor);
        }
        let single = matches!(motion, JointMotion::Turn | JointMotion::Slide);
        if single {
            let axis = self.vector(item, "axis")?.unwrap_or([0.0, 0.0, 1.0]);
            let span = item.get("axis").map_or(item.span.clone(), |found| found.1);
            joint.axis = frame.vector(&self.direction(axis, &span, "axis")?);
            joint.range = self.range(item, name)?.map(|range| range.map(|x| x * unit));
            let reference = self.scalar(item, "ref")?.unwrap_or(0.0) * unit;
            joint.start = Start { position: vec![reference], ..Start::default() };
            joint.rest = self.scalar(item, "springref")?.unwrap_or(0.0) * unit;
            if let Some([a, b]) = self.vector::<2>(item, "actuatorfrcrange")? {
                let limit = a.abs().max(b.abs());
                joint.max_effort = Some(limit).filter(|x| *x > 0.0);
            }
        } else if item.get("range").is_some() && self.range(item, name)?.is_some() {
            self.notes.push(Note::new(format!(
                "the range of joint `{}`, which turns in every direction, is not read",
                cut(name)
            )));
        }
        joint.rotor = self.not_negative(item, "armature")?;
        joint.friction = self.not_negative(item, "frictionloss")?;
        joint.damping = self.leading(item, "damping", name)?;
        joint.stiffness = self.leading(item, "stiffness", name)?;
        if item.get("springdamper").is_some() {
            let [time, ratio] = self.vector::<2>(item, "springdamper")?.unwrap_or_default();
            if time > 0.0 && ratio > 0.0 {
                (joint.stiffness, joint.damping) = (0.0, 0.0);
                self.notes.push(Note::doubt(format!(
                    "the spring and damper of joint `{}` are stated by `springdamper`, which is not read: the joint has neither",
                    cut(name)
                )));
            }
        }
        if !single && joint.stiffness > 0.0 {
            joint.stiffness = 0.0;
            self.notes.push(Note::doubt(format!(
                "the spring of joint `{}`, which has several coordinates, is not read",
                cut(name)
            )));
        }
        let reference = joint.start.position.first().copied().unwrap_or(0.0);
        Ok(Moving { joint, reference })
    }

    /// A stiffness or damping of at least zero. Newer files may give further coefficients of a polynomial, which must be zero.
    fn leading(&mut self, item: &Item<'a>, key: &str, name: &str) -> Read<f64> {
        let Some(found) = item.get(key) else { return Ok(0.0) };
        let span = found.1.clone();
        let numbers = self.numbers(found, key, 8)?;
        let first = numbers.first().copied().unwrap_or(0.0);
        if first < 0.0 {
            return self.refuse(&span, format!("`{key}`: {first}: at least 0 is expected"));
        }
        if numbers.iter().skip(1).any(|x| *x != 0.0) {
            self.notes.push(Note::doubt(format!(
                "of the {key} of joint `{}` only the linear part is read",
                cut(name)
            )));
        }
        Ok(first)
    }

    /// The limits, in the file's unit; `None` if the joint is not limited.
    fn range(&mut self, item: &Item<'a>, name: &str) -> Read<Option<[f64; 2]>> {
        let limited = self.word(item, "limited", &["false", "true", "auto"])?.unwrap_or(2);
        let range = self.vector::<2>(item, "range")?;
        let span = item.get("range").map_or(item.span.clone(), |found| found.1);
        match (limited, range) {
            (0, _) | (2, None) => Ok(None),
            (1, None) => {
                self.refuse(&span, format!("joint `{}` is limited and has no `range`", cut(name)))
            }
            (_, Some([low, high])) if low > high => {
                let message = format!(
                    "joint `{}`: its lower limit {low} is above its upper limit {high}",
                    cut(name)
                );
                self.refuse(&span, message)
            }
            (2, Some(_)) if !self.settings.autolimits => {
                let message = format!(
                    "joint `{}` has a `range` but not `limited`, and autolimits=\"false\": write limited=\"true\" or \"false\"",
                    cut(name)
                );
                self.refuse(&span, message)
            }
            // Zero to zero stands for no limit, which is the format's default.
            (2, Some([low, high])) if low == high => Ok(None),
            (_, range) => Ok(range),
        }
    }
}
