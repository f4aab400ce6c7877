//! URDF, the Unified Robot Description Format of ROS: XML with `<link>`s and `<joint>`s.
//!
//! Source: the element reference at wiki.ros.org/urdf/XML; the rotor extensions `drake:rotor_inertia` and `drake:gear_ratio` as Drake documents
//! them. The reader accepts what the format defines, lists what it does not read, and refuses what has no meaning.

mod joint;
mod link;
mod motors;

use std::collections::{BTreeMap, HashMap};

use roxmltree::{Document, Node as Element};

use super::xml::{self, Prepared, Reader, XACRO};
use super::{Fault, Note, Robot};

/// Elements of `<robot>`, `<link>` and `<joint>` that are read or carry nothing of mechanics.
const READ: [&str; 19] = [
    "link",
    "joint",
    "transmission",
    "ros2_control",
    "material",
    "inertial",
    "collision",
    "visual",
    "origin",
    "parent",
    "child",
    "axis",
    "limit",
    "dynamics",
    "mimic",
    "calibration",
    "safety_controller",
    "verbose",
    "actuator",
];
/// Of several faults of one kind, those that are told.
const MOST_FAULTS: usize = 100;

/// Reads a robot, or says all that is wrong with its text.
pub fn read(text: &str) -> Result<(Robot, Vec<Note>), Vec<Fault>> {
    xml::not_empty(text, "<robot>")?;
    let prepared = Prepared::new(text);
    let document = xml::parse(&prepared.text)
        .map_err(|error| vec![xml::syntax_fault(text, &error, "<robot>")])?;
    let long = xml::long_names(&document).into_iter();
    let long = long.map(|(span, message)| Fault::at(&prepared.original(span), message));
    let mut reader = Reader { prepared: &prepared, faults: long.collect(), notes: Vec::new() };
    let robot = reader.robot(&document);
    for prefix in prepared.prefixes.iter().filter(|p| *p != "xacro") {
        reader.note(format!(
            "the prefix `{prefix}:` is not declared in the file; it was read as if it were"
        ));
    }
    match robot {
        Some(robot) if reader.faults.is_empty() => Ok((robot, reader.notes)),
        _ => {
            reader.faults.truncate(MOST_FAULTS);
            Err(reader.faults)
        }
    }
}

/// Whether a text is XML whose root element is `<robot>`; without reading it whole.
pub fn is_robot(text: &str) -> bool {
    xml::root_start(text, "robot").is_some()
}

impl Reader<'_> {
    fn robot(&mut self, document: &Document<'_>) -> Option<Robot> {
        let root = document.root_element();
        let span = self.span(root);
        if !root.has_tag_name("robot") {
            let found = xml::cut(root.tag_name().name());
            return self.refuse(
                &span,
                format!(
                    "found the root element <{found}>: expected <robot> (URDF) or <mujoco> (MJCF)"
                ),
            );
        }
        if let Some(left) = document.descendants().find(|n| is_xacro(*n)) {
            let span = self.span(left);
            return self.refuse(&span, XACRO);
        }
        let mut robot = Robot {
            name: root.attribute("name").unwrap_or_default().to_owned(),
            ..Robot::default()
        };
        for element in root.children().filter(|c| c.has_tag_name("link")) {
            if let Some(link) = self.link(element) {
                robot.links.push(link);
            }
        }
        let names = robot.links.iter().map(|l| (l.name.as_str(), &l.span));
        let links = self.indexed("link", names);
        // Positions in `Robot::joints` are known before the joints are read, because a mimic may name a later one.
        let elements: Vec<_> = root.children().filter(|c| c.has_tag_name("joint")).collect();
        let mut named = Vec::with_capacity(elements.len());
        for element in elements {
            if let Some(name) = self.name(element, "name") {
                named.push((name, self.span(element), element));
            }
        }
        let joints = self.indexed("joint", named.iter().map(|(name, span, _)| (*name, span)));
        for (name, _, element) in &named {
            let joint = self.joint(*element, name, &links, &joints);
            robot.joints.extend(joint);
        }
        if self.faults.is_empty() && robot.links.is_empty() {
            return self.refuse(&span, "the robot has no <link>");
        }
        self.mimics(&robot);
        if robot.joints.len() == named.len() {
            self.motors(root, &mut robot, &joints);
        }
        self.list_unread(root);
        Some(robot)
    }

    /// Positions by name; a second thing of the same name is refused.
    fn indexed<'a>(
        &mut self,
        what: &str,
        names: impl Iterator<Item = (&'a str, &'a std::ops::Range<usize>)>,
    ) -> HashMap<String, usize> {
        let mut out = HashMap::new();
        for (k, (name, span)) in names.enumerate() {
            if out.insert(name.to_owned(), k).is_some() {
                self.refuse::<()>(
                    span,
                    format!("a second {what} `{}`: names are unique", xml::cut(name)),
                );
            }
        }
        out
    }

    /// One note of what was not read.
    fn list_unread(&mut self, root: Element<'_, '_>) {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let inside = root.children().filter(|c| c.has_tag_name("link") || c.has_tag_name("joint"));
        for element in std::iter::once(root).chain(inside).flat_map(|e| e.children()) {
            let name = element.tag_name().name();
            if element.is_element() && !READ.contains(&name) && !motors::is_rotor_key(name) {
                *counts.entry(name).or_default() += 1;
            }
        }
        if !counts.is_empty() {
            let list: Vec<String> = counts
                .iter()
                .take(20)
                .map(|(name, n)| format!("<{}> ({n})", xml::cut(name)))
                .collect();
            self.note(format!("not read: {}", list.join(", ")));
        }
    }
}

/// An element of xacro, or an attribute with an expression of it.
fn is_xacro(element: Element<'_, '_>) -> bool {
    element.is_element()
        && (element.tag_name().namespace().is_some_and(|n| n.contains("xacro"))
            || element
                .attributes()
                .any(|a| a.value().contains("${") || a.value().contains("$(arg")))
}
