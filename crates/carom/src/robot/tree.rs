//! The topology of a robot: one root, one joint that carries each other link, no cycles; and what options change about it.

use std::collections::HashMap;

use super::{Fault, JointMotion, Note, Options, Robot};
use crate::maths::nearest::nearest;

/// The spanning tree.
#[derive(Debug)]
pub(super) struct Tree {
    /// The link that no joint carries.
    pub root: usize,
    /// Links, each after the one it stands on; those that are left out are missing.
    pub order: Vec<usize>,
    /// The joint that carries each link.
    pub carrier: Vec<Option<usize>>,
}

/// The tree of a robot, or why it is none.
pub(super) fn tree(robot: &Robot, drop: &[usize]) -> Result<Tree, Vec<Fault>> {
    let mut faults = Vec::new();
    let mut carrier: Vec<Option<usize>> = vec![None; robot.links.len()];
    let mut carried: Vec<Vec<usize>> = vec![Vec::new(); robot.links.len()];
    for (k, joint) in robot.joints.iter().enumerate() {
        let child = &mut carrier[joint.child];
        if let Some(first) = *child {
            let link = &robot.links[joint.child].name;
            let message = format!(
                "link `{link}` has two parents: joint `{}` carries it already; close a loop with a closure of a model file over this one",
                robot.joints[first].name
            );
            faults.push(Fault::at(&joint.span, message));
            continue;
        }
        *child = Some(k);
        carried[joint.parent].push(joint.child);
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let roots: Vec<usize> = (0..robot.links.len()).filter(|k| carrier[*k].is_none()).collect();
    let Some(&root) = roots.first() else {
        let message =
            "every link is carried by a joint: the joints form a cycle, and no link is the root";
        return Err(vec![Fault::at(&robot.links[0].span, message)]);
    };
    for &other in &roots[1..] {
        let message = format!(
            "link `{}` is a second root beside `{}`: no joint carries it",
            robot.links[other].name, robot.links[root].name
        );
        faults.push(Fault::at(&robot.links[other].span, message));
    }
    let mut order = vec![root];
    let mut reached = vec![false; robot.links.len()];
    reached[root] = true;
    let mut next = 0;
    while let Some(&link) = order.get(next) {
        next += 1;
        for &child in &carried[link] {
            reached[child] = true;
            order.push(child);
        }
    }
    // With one root, links that are not reached hang on each other in a circle.
    if roots.len() == 1
        && let Some(lost) = reached.iter().position(|r| !r)
    {
        let message = format!(
            "link `{}` is part of a cycle of joints that does not reach the root",
            robot.links[lost].name
        );
        faults.push(Fault::at(&robot.links[lost].span, message));
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut left_out = vec![false; robot.links.len()];
    for &link in &order {
        let on_left_out = carrier[link].is_some_and(|j| left_out[robot.joints[j].parent]);
        left_out[link] = on_left_out || drop.contains(&link);
    }
    if left_out[root] {
        return Err(vec![Fault::of_all(format!(
            "drop: `{}` is the root; nothing would be left",
            robot.links[root].name
        ))]);
    }
    order.retain(|link| !left_out[*link]);
    Ok(Tree { root, order, carrier })
}

/// Makes the changes that options ask for, and gives the links to leave out.
pub(super) fn apply(
    robot: &mut Robot,
    options: &Options,
    notes: &mut Vec<Note>,
) -> Result<Vec<usize>, Vec<Fault>> {
    let joints: HashMap<String, usize> =
        robot.joints.iter().enumerate().map(|(k, j)| (j.name.clone(), k)).collect();
    let mut faults = Vec::new();
    let mut joint = |name: &str, option: &str| {
        let found = joints.get(name).copied();
        if found.is_none() {
            faults.push(unknown(option, "joint", name, joints.keys().map(String::as_str)));
        }
        found
    };
    let mut wrong = Vec::new();
    if let Some(name) = &options.keyframe {
        match robot.keyframes.iter().find(|key| key.name == *name).cloned() {
            Some(keyframe) => {
                for (k, start) in keyframe.joints {
                    robot.joints[k].start = start;
                }
                notes
                    .push(Note::new(format!("the robot stands as in keyframe `{name}`, as asked")));
            }
            None => wrong.push(unknown(
                "keyframe",
                "keyframe",
                name,
                robot.keyframes.iter().map(|key| key.name.as_str()),
            )),
        }
    }
    for name in &options.weld {
        if let Some(k) = joint(name, "weld") {
            robot.joints[k].origin = robot.joints[k].placed(&robot.joints[k].start.position);
            robot.joints[k].motion = JointMotion::Fixed;
            robot.joints[k].mimic = None;
            notes.push(Note::new(format!("joint `{name}` is taken as fixed, as asked")));
        }
    }
    for (name, value) in &options.rotors {
        let Some(k) = joint(name, "rotors") else { continue };
        let one = matches!(robot.joints[k].motion, JointMotion::Turn | JointMotion::Slide);
        if !(one && value.is_finite() && *value >= 0.0) {
            let message = if one {
                format!("rotors: {value} of joint `{name}` is not an inertia of at least 0")
            } else {
                format!("rotors: joint `{name}` has not one coordinate")
            };
            wrong.push(Fault::of_all(message));
            continue;
        }
        robot.joints[k].rotor = *value;
    }
    for (name, position) in &options.locked {
        let Some(k) = joint(name, "locked") else { continue };
        if matches!(robot.joints[k].motion, JointMotion::Turn | JointMotion::Slide) {
            robot.joints[k].locked = Some(*position);
        } else {
            wrong.push(Fault::of_all(format!("locked: joint `{name}` has not one coordinate")));
        }
    }
    faults.append(&mut wrong);
    let mut drop = Vec::new();
    for name in &options.drop {
        match robot.links.iter().position(|l| l.name == *name) {
            Some(k) => {
                drop.push(k);
                notes.push(Note::new(format!(
                    "link `{name}` and all it carries are left out, as asked"
                )));
            }
            None if robot.closures.iter().any(|c| c.name == *name) => {
                robot.closures.retain(|c| c.name != *name);
                notes.push(Note::new(format!("closure `{name}` is left out, as asked")));
            }
            None => {
                let links = robot.links.iter().map(|l| l.name.as_str());
                let closures = robot.closures.iter().map(|c| c.name.as_str());
                faults.push(unknown("drop", "link", name, links.chain(closures)));
            }
        }
    }
    if faults.is_empty() { Ok(drop) } else { Err(faults) }
}

/// A name of an option that the robot does not have.
pub(super) fn unknown<'a>(
    option: &str,
    what: &str,
    name: &str,
    known: impl Iterator<Item = &'a str>,
) -> Fault {
    let hint =
        nearest(name, known).map_or_else(String::new, |near| format!("; is `{near}` meant?"));
    Fault::of_all(format!("{option}: the robot has no {what} `{name}`{hint}"))
}
