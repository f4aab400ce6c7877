//! The order of the tree: parents before children, no body left out, no circle.

use std::collections::HashMap;

use super::compile::Compiler;
use super::parts::Parts;
use super::{Fault, JointKind, Model, Problem, Space, check, references};

impl Model {
    /// Checks the parts and puts them in order; all faults are reported at once.
    pub fn new(parts: &Parts) -> Result<Self, Vec<Fault>> {
        let missing = references::faults(parts);
        if !missing.is_empty() {
            return Err(missing);
        }
        let mut faults = check::faults(parts);
        let order = order_tree(parts, &mut faults);
        if !faults.is_empty() {
            return Err(faults);
        }
        Ok(Compiler::new(parts, &order).model())
    }
}

/// Positions in `parts.joints` such that parents come before children, depth first in file order.
pub(super) fn order_tree(parts: &Parts, faults: &mut Vec<Fault>) -> Vec<usize> {
    let mut carrier: Vec<Option<usize>> = vec![None; parts.bodies.len()];
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); parts.bodies.len() + 1];
    for (j, joint) in parts.joints.iter().enumerate() {
        if let Some(first) = carrier[joint.child] {
            let problem = Problem::TwoParents {
                body: parts.bodies[joint.child].name.clone(),
                first: parts.joints[first].name.clone(),
            };
            faults.push(Fault::new(format!("joints.{}.connects", joint.name), problem));
            continue;
        }
        carrier[joint.child] = Some(j);
        children[joint.parent.map_or(0, |p| p + 1)].push(j);
    }
    let mut order = Vec::with_capacity(parts.joints.len());
    let mut reached = vec![false; parts.bodies.len()];
    let mut stack: Vec<usize> = children[0].iter().rev().copied().collect();
    while let Some(j) = stack.pop() {
        let child = parts.joints[j].child;
        if std::mem::replace(&mut reached[child], true) {
            continue;
        }
        order.push(j);
        stack.extend(children[child + 1].iter().rev());
    }
    let mut in_known_cycle = vec![false; parts.bodies.len()];
    for (b, body) in parts.bodies.iter().enumerate() {
        if reached[b] {
            continue;
        }
        if carrier[b].is_none() {
            let problem = Problem::NotCarried { body: body.name.clone() };
            faults.push(Fault::new(format!("bodies.{}", body.name), problem));
            continue;
        }
        report_cycle(parts, &carrier, b, &mut in_known_cycle, faults);
    }
    order
}

/// Follows carriers from `start`; if they come back, reports the circle once.
fn report_cycle(
    parts: &Parts,
    carrier: &[Option<usize>],
    start: usize,
    known: &mut [bool],
    faults: &mut Vec<Fault>,
) {
    let mut seen = HashMap::new();
    let mut path = Vec::new();
    let mut at = start;
    while let Some(j) = carrier[at] {
        if known[at] {
            return;
        }
        if let Some(&first) = seen.get(&at) {
            let circle: &[usize] = &path[first..];
            for &b in circle {
                known[b] = true;
            }
            let shown: Vec<&str> =
                circle.iter().take(6).map(|&b| parts.bodies[b].name.as_str()).collect();
            let more = if circle.len() > 6 { ", …" } else { "" };
            let cycle = format!("{}{more}", shown.join(", "));
            let joint = &parts.joints[j].name;
            faults.push(Fault::new(format!("joints.{joint}.connects"), Problem::Cycle { cycle }));
            return;
        }
        seen.insert(at, path.len());
        path.push(at);
        let Some(parent) = parts.joints[j].parent else { return };
        at = parent;
    }
}

/// In a planar model free motion is motion in the plane.
pub(super) fn planar_kind(kind: JointKind, space: Space) -> JointKind {
    match (kind, space) {
        (JointKind::Floating, Space::Planar) => JointKind::Planar,
        _ => kind,
    }
}
