//! Motors: reductions of `<transmission>` and `<ros2_control>`, and Drake's rotor extensions.
//!
//! A rotor of inertia J behind gears of ratio N adds N² J to the joint: at the joint speed q̇ it turns at N q̇ and has the energy ½ J (N q̇)².

use std::collections::HashMap;

use roxmltree::Node as Element;

use crate::robot::xml::{Reader, cut};
use crate::robot::{JointMotion, Robot};

const ROTOR: &str = "rotor_inertia";
const RATIO: &str = "gear_ratio";
/// ROS 1 and ROS 2 spell it differently.
const REDUCTIONS: [&str; 2] = ["mechanicalReduction", "mechanical_reduction"];

/// Whether an element directly in a joint is one of the rotor extensions.
pub(super) fn is_rotor_key(name: &str) -> bool {
    name == ROTOR || name == RATIO
}

impl Reader<'_> {
    /// Reads all motors into the joints.
    pub(super) fn motors(
        &mut self,
        root: Element<'_, '_>,
        robot: &mut Robot,
        joints: &HashMap<String, usize>,
    ) {
        let transmissions = root.descendants().filter(|n| n.has_tag_name("transmission"));
        for transmission in transmissions {
            let mut named: Vec<_> =
                transmission.children().filter(|c| c.has_tag_name("joint")).collect();
            let Some(first) = named.pop().filter(|_| named.is_empty()) else {
                let name = transmission.attribute("name").unwrap_or_default();
                self.note(format!(
                    "transmission `{}` has no joint of its own or several: not read",
                    cut(name)
                ));
                continue;
            };
            let Some(name) = self.name(first, "name") else { continue };
            let Some(&joint) = joints.get(name) else {
                self.note(format!(
                    "a transmission names the joint `{}`, which there is not: not read",
                    cut(name)
                ));
                continue;
            };
            self.motor(transmission, robot, joint);
        }
        for element in root.children().filter(|c| c.has_tag_name("joint")) {
            let joint = element.attribute("name").and_then(|name| joints.get(name));
            if let Some(&joint) = joint {
                self.motor(element, robot, joint);
            }
        }
    }

    /// Rotor, gear ratio and reduction inside an element.
    fn motor(&mut self, element: Element<'_, '_>, robot: &mut Robot, joint: usize) {
        let rotor = self.found(element, &[ROTOR]);
        let ratio = self.found(element, &[RATIO]);
        let reduction = self.found(element, &REDUCTIONS);
        let name = cut(&robot.joints[joint].name);
        let moves = matches!(robot.joints[joint].motion, JointMotion::Turn | JointMotion::Slide);
        if (rotor.is_some() || ratio.is_some()) && !moves {
            self.note(format!("joint `{name}` has not one coordinate: its rotor is not read"));
            return;
        }
        if let Some(reduction) = reduction.or(ratio) {
            robot.joints[joint].reduction = Some(reduction);
        }
        if let Some(inertia) = rotor {
            if inertia < 0.0 {
                let span = self.span(element);
                self.refuse::<()>(
                    &span,
                    format!("joint `{name}`: a rotor inertia of {inertia}: at least 0 is expected"),
                );
                return;
            }
            let n = ratio.unwrap_or(1.0);
            let reflected = n * n * inertia;
            robot.joints[joint].rotor = reflected;
            let without = if ratio.is_none() { " (no gear ratio is stated: 1)" } else { "" };
            self.note(format!(
                "joint `{name}`: rotor inertia {inertia} behind a gear ratio of {n}{without} counts as {reflected:.6e} at the joint"
            ));
        } else if let Some(n) = ratio.or(reduction).filter(|n| n.abs() != 1.0) {
            self.note(format!(
                "joint `{name}` has a reduction of {n} and no rotor inertia: a motor of J would add {:.6e} J",
                n * n
            ));
        }
    }

    /// The number of the first element below with one of these names: its `value`, or its text.
    fn found(&mut self, element: Element<'_, '_>, names: &[&str]) -> Option<f64> {
        let found = element
            .descendants()
            .find(|n| n.is_element() && names.contains(&n.tag_name().name()))?;
        if found.attribute_node("value").is_some() {
            return self.number(found, "value");
        }
        let span = self.span(found);
        self.parsed(found.text().unwrap_or_default(), &span, found.tag_name().name())
    }
}
