//! `<joint>`: what moves, where, how far; and joints that follow others.

use std::collections::HashMap;

use roxmltree::Node as Element;

use crate::maths::Vec3;
use crate::maths::nearest::nearest;
use crate::robot::xml::{Reader, cut};
use crate::robot::{Joint, JointMotion, Mimic, Robot};

/// The words for types.
const TYPES: [(&str, JointMotion); 6] = [
    ("revolute", JointMotion::Turn),
    ("continuous", JointMotion::Turn),
    ("prismatic", JointMotion::Slide),
    ("fixed", JointMotion::Fixed),
    ("floating", JointMotion::Free),
    ("planar", JointMotion::Planar),
];
/// An axis whose length differs from 1 by more is noted: six digits of a unit vector are what files write.
const UNIT_LENGTH: f64 = 1e-5;

/// Limits and losses of a joint.
#[derive(Default)]
struct Limits {
    range: Option<[f64; 2]>,
    max_effort: Option<f64>,
    max_speed: Option<f64>,
    damping: f64,
    friction: f64,
}

impl Reader<'_> {
    pub(super) fn joint(
        &mut self,
        element: Element<'_, '_>,
        name: &str,
        links: &HashMap<String, usize>,
        joints: &HashMap<String, usize>,
    ) -> Option<Joint> {
        let span = self.span(element);
        let motion = self.motion(element, name);
        let parent = self.end(element, "parent", name, links);
        let child = self.end(element, "child", name, links);
        let origin = self.origin(element);
        let (parent, child) = (parent?, child?);
        if parent == child {
            return self.refuse(&span, format!("joint `{}` joins a link with itself", cut(name)));
        }
        let motion = motion?;
        let axis = match motion {
            JointMotion::Turn | JointMotion::Slide | JointMotion::Planar => {
                self.axis(element, name)?
            }
            JointMotion::Fixed | JointMotion::Ball | JointMotion::Free => Vec3::x(),
        };
        let limits = self.limits(element, name, motion)?;
        let mimic = self.mimic(element, name, motion, joints);
        Some(Joint {
            origin: origin?,
            axis,
            range: limits.range,
            max_effort: limits.max_effort,
            max_speed: limits.max_speed,
            damping: limits.damping,
            friction: limits.friction,
            mimic: mimic?,
            ..Joint::new(name, span, motion, [parent, child])
        })
    }

    fn motion(&mut self, element: Element<'_, '_>, joint: &str) -> Option<JointMotion> {
        let word = self.name(element, "type")?;
        if let Some((_, motion)) = TYPES.iter().find(|(w, _)| *w == word) {
            return Some(*motion);
        }
        let span = element.attribute_node("type").map(|a| self.value_span(&a)).unwrap_or_default();
        let known = TYPES.map(|t| t.0).join(", ");
        let word = cut(word);
        self.refuse(
            &span,
            format!("joint `{}`: `{word}` is not a type of joint; known: {known}", cut(joint)),
        )
    }

    /// The link at `<parent link="…"/>`.
    fn end(
        &mut self,
        element: Element<'_, '_>,
        which: &str,
        joint: &str,
        links: &HashMap<String, usize>,
    ) -> Option<usize> {
        let Some(end) = self.child(element, which) else {
            let span = self.span(element);
            return self.refuse(&span, format!("joint `{}` has no <{which}>", cut(joint)));
        };
        let name = self.name(end, "link")?;
        if let Some(&link) = links.get(name) {
            return Some(link);
        }
        let span = end.attribute_node("link").map(|a| self.value_span(&a)).unwrap_or_default();
        let hint = nearest(name, links.keys().map(String::as_str))
            .map_or_else(String::new, |near| format!("; is `{}` meant?", cut(near)));
        let name = cut(name);
        self.refuse(&span, format!("joint `{}`: its {which} `{name}` is no link{hint}", cut(joint)))
    }

    fn axis(&mut self, element: Element<'_, '_>, joint: &str) -> Option<Vec3> {
        let Some(axis) = self.child(element, "axis") else {
            self.note(format!("joint `{}` states no axis: x, as the format says", cut(joint)));
            return Some(Vec3::x());
        };
        let axis_vector = Vec3::from(self.vector(axis, "xyz", [1.0, 0.0, 0.0])?);
        let length = axis_vector.norm();
        if !(length > 0.0) {
            let span = axis.attribute_node("xyz").map(|a| self.value_span(&a)).unwrap_or_default();
            let message =
                format!("joint `{}`: an axis of length zero gives no direction", cut(joint));
            return self.refuse(&span, message);
        }
        if (length - 1.0).abs() > UNIT_LENGTH {
            self.note(format!(
                "joint `{}`: its axis has the length {length:.6}, and was normalised",
                cut(joint)
            ));
        }
        // Scaled first: the squares of very small entries would underflow.
        Some((axis_vector / axis_vector.amax()).normalize())
    }

    fn limits(
        &mut self,
        element: Element<'_, '_>,
        joint: &str,
        motion: JointMotion,
    ) -> Option<Limits> {
        let mut out = Limits::default();
        if let Some(limit) = self.child(element, "limit") {
            let lower = self.optional(limit, "lower")?;
            let upper = self.optional(limit, "upper")?;
            let effort = self.optional(limit, "effort")?;
            let speed = self.optional(limit, "velocity")?;
            let turns_on = element.attribute("type") == Some("continuous");
            let moves = matches!(motion, JointMotion::Turn | JointMotion::Slide);
            if moves && !turns_on && (lower.is_some() || upper.is_some()) {
                let (low, high) = (lower.unwrap_or(0.0), upper.unwrap_or(0.0));
                if low > high {
                    let span = self.span(limit);
                    return self.refuse(
                        &span,
                        format!(
                            "joint `{}`: its lower limit {low} is above its upper limit {high}",
                            cut(joint)
                        ),
                    );
                }
                out.range = Some([low, high]);
            }
            if moves {
                for (value, key) in [(effort, "effort"), (speed, "velocity")] {
                    if value.is_some_and(|x| x < 0.0) {
                        self.note(format!(
                            "joint `{}`: a negative limit of {key} is no limit",
                            cut(joint)
                        ));
                    }
                }
                // Zero stands for "not known" in most files.
                out.max_effort = effort.filter(|x| *x > 0.0);
                out.max_speed = speed.filter(|x| *x > 0.0);
            }
        }
        if let Some(dynamics) = self.child(element, "dynamics") {
            for key in ["damping", "friction"] {
                let value = self.optional(dynamics, key)?.unwrap_or(0.0);
                if value < 0.0 {
                    let span = self.span(dynamics);
                    let message = format!(
                        "joint `{}`: a {key} of {value} would drive it: at least 0 is expected",
                        cut(joint)
                    );
                    return self.refuse(&span, message);
                }
                match key {
                    "damping" => out.damping = value,
                    _ => out.friction = value,
                }
            }
        }
        Some(out)
    }

    /// `Some(None)` without a mimic, `None` with one that has a fault.
    #[allow(clippy::option_option, reason = "absent and faulty are told apart")]
    fn mimic(
        &mut self,
        element: Element<'_, '_>,
        joint: &str,
        motion: JointMotion,
        joints: &HashMap<String, usize>,
    ) -> Option<Option<Mimic>> {
        let Some(mimic) = self.child(element, "mimic") else { return Some(None) };
        let span = self.span(mimic);
        if motion == JointMotion::Fixed {
            self.note(format!("joint `{}` is fixed: its <mimic> is ignored", cut(joint)));
            return Some(None);
        }
        let other = self.name(mimic, "joint")?;
        let multiplier = self.optional(mimic, "multiplier")?.unwrap_or(1.0);
        let offset = self.optional(mimic, "offset")?.unwrap_or(0.0);
        if other == joint {
            return self.refuse(&span, format!("joint `{}` mimics itself", cut(joint)));
        }
        if !matches!(motion, JointMotion::Turn | JointMotion::Slide) {
            let message =
                format!("joint `{}` has several coordinates and cannot mimic another", cut(joint));
            return self.refuse(&span, message);
        }
        if let Some(&position) = joints.get(other) {
            return Some(Some(Mimic { joint: position, multiplier, offset, span }));
        }
        let hint = nearest(other, joints.keys().map(String::as_str))
            .map_or_else(String::new, |near| format!("; is `{}` meant?", cut(near)));
        let (joint, other) = (cut(joint), cut(other));
        self.refuse(&span, format!("joint `{joint}` mimics `{other}`, which is no joint{hint}"))
    }

    /// Refuses joints that follow each other in a circle, and those that follow a joint with several coordinates.
    pub(super) fn mimics(&mut self, robot: &Robot) {
        if !self.faults.is_empty() {
            return;
        }
        for joint in &robot.joints {
            let Some(first) = &joint.mimic else { continue };
            let name = cut(&joint.name);
            let other = &robot.joints[first.joint];
            if matches!(other.motion, JointMotion::Ball | JointMotion::Planar | JointMotion::Free) {
                let message = format!(
                    "joint `{name}` mimics `{}`, which has several coordinates",
                    cut(&other.name)
                );
                self.refuse::<()>(&first.span, message);
            }
            let mut at = first;
            let mut steps = 0;
            while let Some(next) = &robot.joints[at.joint].mimic {
                steps += 1;
                if steps > robot.joints.len() {
                    self.refuse::<()>(
                        &first.span,
                        format!("joint `{name}` mimics joints that mimic each other in a circle"),
                    );
                    break;
                }
                at = next;
            }
        }
    }
}
