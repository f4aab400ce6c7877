//! All checks of [`Parts`] that need no order: names, inertias, counts, pairs.

use std::collections::HashMap;

use super::parts::{BodyPart, ClosureKind, ContactPlace, JointPart, PartPlace, Parts};
use super::tree::planar_kind;
use super::{Fault, JointKind, Problem, Space};
use crate::maths::{Mat3, Pose};

/// Smallest eigenvalue of an inertia that still counts as zero, relative to the largest.
const INERTIA_ROUND_OFF: f64 = 1e-12;

/// Lighter bodies and heavier ones overflow where masses are divided by each other.
const MASSES: std::ops::RangeInclusive<f64> = 1e-60..=1e60;

/// Everything wrong with the parts one by one and in pairs.
pub(super) fn faults(parts: &Parts) -> Vec<Fault> {
    let mut faults = Vec::new();
    check_names(parts, &mut faults);
    for body in &parts.bodies {
        check_body(body, parts.space, &mut faults);
    }
    for joint in &parts.joints {
        check_joint(joint, parts, &mut faults);
    }
    check_pairs(parts, &mut faults);
    faults
}

fn check_names(parts: &Parts, faults: &mut Vec<Fault>) {
    let groups: [(&str, Vec<&String>); 7] = [
        ("bodies", parts.bodies.iter().map(|x| &x.name).collect()),
        ("joints", parts.joints.iter().map(|x| &x.name).collect()),
        ("closures", parts.closures.iter().map(|x| &x.name).collect()),
        ("contacts", parts.contacts.iter().map(|x| &x.name).collect()),
        ("loads", parts.loads.iter().map(|x| &x.name).collect()),
        ("drives", parts.drives.iter().map(|x| &x.name).collect()),
        ("events", parts.events.iter().map(|x| &x.name).collect()),
    ];
    for (group, names) in groups {
        let mut seen = HashMap::new();
        for (i, name) in names.into_iter().enumerate() {
            if let Some(first) = seen.insert(name.clone(), i) {
                let first = format!("{group}.{name} (number {})", first + 1);
                let problem = Problem::DuplicateName { name: name.clone(), first };
                faults.push(Fault::new(format!("{group}.{name}"), problem));
            }
        }
    }
    for body in parts.bodies.iter().filter(|b| b.name == "ground") {
        let name = body.name.clone();
        let first = "the ground itself".to_owned();
        faults.push(Fault::new("bodies.ground", Problem::DuplicateName { name, first }));
    }
}

pub(super) fn check_body(body: &BodyPart, space: Space, faults: &mut Vec<Fault>) {
    let path = |key: &str| format!("bodies.{}.{key}", body.name);
    if !(body.mass.is_finite() && body.mass > 0.0) {
        let problem = Problem::OutOfRange { found: body.mass, expected: "a positive mass [kg]" };
        faults.push(Fault::new(path("mass"), problem));
    } else if !MASSES.contains(&body.mass) {
        let expected = "a mass between 1e-60 and 1e60 kg";
        faults.push(Fault::new(path("mass"), Problem::OutOfRange { found: body.mass, expected }));
    }
    if let Some(&found) = body.center.iter().find(|x| !x.is_finite()) {
        let problem = Problem::OutOfRange { found, expected: "a finite coordinate [m]" };
        faults.push(Fault::new(path("center"), problem));
    }
    if let Some(reason) = inertia_fault(&body.inertia, space) {
        faults.push(Fault::new(path("inertia"), Problem::Inertia { reason }));
    }
}

/// Why no body has this inertia: not finite, an eigenvalue below zero, or one larger than the
/// other two together.
fn inertia_fault(J: &Mat3, space: Space) -> Option<String> {
    if let Some(x) = J.iter().find(|x| !x.is_finite()) {
        return Some(format!("{x} is not a finite number"));
    }
    if space == Space::Planar {
        let z = J[(2, 2)];
        return (z < 0.0).then(|| format!("{z} kg m² is negative"));
    }
    let mut principal: Vec<f64> = J.symmetric_eigenvalues().iter().copied().collect();
    principal.sort_by(f64::total_cmp);
    let round_off = INERTIA_ROUND_OFF * principal[2].abs();
    if principal[0] < -round_off {
        return Some(format!("its principal value {:.6e} kg m² is negative", principal[0]));
    }
    if principal[2] > (principal[0] + principal[1]) * (1.0 + 1e-9) + round_off {
        return Some(format!(
            "its principal values {:.6e}, {:.6e}, {:.6e} kg m² break the triangle inequality (the largest exceeds the sum of the others)",
            principal[0], principal[1], principal[2]
        ));
    }
    None
}

fn check_joint(joint: &JointPart, parts: &Parts, faults: &mut Vec<Fault>) {
    let path = |key: &str| format!("joints.{}.{key}", joint.name);
    if joint.parent == Some(joint.child) {
        let problem = Problem::WithItself {
            what: "joint",
            name: joint.name.clone(),
            body: parts.bodies[joint.child].name.clone(),
        };
        faults.push(Fault::new(path("connects"), problem));
    }
    let kind = planar_kind(joint.kind, parts.space);
    let lists = [
        ("position", joint.position.as_deref(), kind.positions()),
        ("guess", joint.guess.as_deref(), kind.positions()),
        ("velocity", joint.velocity.as_deref(), kind.velocities()),
        ("rotor", (!joint.rotor.is_empty()).then_some(&joint.rotor[..]), kind.velocities()),
    ];
    for (key, list, wanted) in lists {
        let Some(list) = list else { continue };
        if list.len() != wanted {
            let what =
                format!("a {} joint has {wanted} {key} entries, found {}", kind.name(), list.len());
            faults.push(Fault::new(path(key), Problem::Conflict { what }));
        }
        if let Some(&found) = list.iter().find(|x| !x.is_finite()) {
            let problem = Problem::OutOfRange { found, expected: "a finite number" };
            faults.push(Fault::new(path(key), problem));
        }
        if let Some(&found) = list.iter().find(|x| key == "rotor" && **x < 0.0) {
            let expected = "a rotor inertia of at least zero";
            faults.push(Fault::new(path(key), Problem::OutOfRange { found, expected }));
        }
    }
    if joint.locked && joint.velocity.iter().flatten().any(|v| *v != 0.0) {
        let what = "a locked joint does not move: leave its velocity out".to_owned();
        faults.push(Fault::new(path("velocity"), Problem::Conflict { what }));
    }
    if parts.space == Space::Planar {
        check_planar_joint(kind, &joint.in_parent, "joint", &path("type"), faults);
        let turned = joint.in_parent.rotation * joint.in_child.rotation.transpose();
        if turned[(2, 2)] < 1.0 - 1e-9 {
            let problem = Problem::LeavesPlane { what: "orientation of the child" };
            faults.push(Fault::new(path("orientation"), problem));
        }
    }
}

fn check_planar_joint(
    kind: JointKind,
    frame: &Pose,
    what: &'static str,
    path: &str,
    faults: &mut Vec<Fault>,
) {
    let axis = frame.rotation.column(2);
    match kind {
        JointKind::Weld | JointKind::Planar => {}
        JointKind::Revolute => {
            if axis[0].abs() + axis[1].abs() > 1e-9 {
                let problem = Problem::LeavesPlane { what: "rotation about this axis" };
                faults.push(Fault::new(path.replace(".type", ".axis"), problem));
            }
        }
        JointKind::Prismatic => {
            if axis[2].abs() > 1e-9 {
                let problem = Problem::LeavesPlane { what: "axis" };
                faults.push(Fault::new(path.replace(".type", ".axis"), problem));
            }
        }
        other => {
            let problem = Problem::NotPlanar { kind: other.name().to_owned(), what };
            faults.push(Fault::new(path, problem));
        }
    }
}

fn check_pairs(parts: &Parts, faults: &mut Vec<Fault>) {
    let name =
        |place: PartPlace| place.map_or("ground".to_owned(), |b| parts.bodies[b].name.clone());
    for closure in &parts.closures {
        let path = format!("closures.{}", closure.name);
        let pair = match &closure.kind {
            ClosureKind::Joint { kind, a, b } => {
                if parts.space == Space::Planar {
                    let kind = match kind {
                        JointKind::Planar => JointKind::Floating,
                        other => *other,
                    };
                    let at = format!("{path}.type");
                    check_planar_joint(kind, &a.1, "closure", &at, faults);
                }
                (a.0, b.0)
            }
            ClosureKind::Distance { a, b, length } => {
                if !(length.is_finite() && *length > 0.0) {
                    let problem =
                        Problem::OutOfRange { found: *length, expected: "a positive length [m]" };
                    faults.push(Fault::new(format!("{path}.length"), problem));
                }
                (a.body, b.body)
            }
            ClosureKind::PointOnLine { line, point, .. } => (line.body, point.body),
            ClosureKind::PointOnCircle { center, point, radius, .. } => {
                if !(radius.is_finite() && *radius > 0.0) {
                    let problem =
                        Problem::OutOfRange { found: *radius, expected: "a positive radius [m]" };
                    faults.push(Fault::new(format!("{path}.radius"), problem));
                }
                (center.body, point.body)
            }
            ClosureKind::Coupling { .. } => continue,
        };
        if pair.0 == pair.1 {
            let problem = Problem::WithItself {
                what: "closure",
                name: closure.name.clone(),
                body: name(pair.0),
            };
            faults.push(Fault::new(format!("{path}.connects"), problem));
        }
    }
    for contact in &parts.contacts {
        let path = format!("contacts.{}", contact.name);
        let pair = match contact.place {
            ContactPlace::Shapes(a, b) => (parts.shapes[a].body, parts.shapes[b].body),
            ContactPlace::Points { a, b, normal, .. } => {
                if normal.norm() == 0.0 {
                    let problem = Problem::NoDirection { what: "normal" };
                    faults.push(Fault::new(format!("{path}.normal"), problem));
                }
                (a.body, b.body)
            }
            ContactPlace::Rope { a, b, .. } => (a.body, b.body),
            ContactPlace::Stop { .. } => continue,
        };
        if pair.0 == pair.1 {
            let problem = Problem::WithItself {
                what: "contact",
                name: contact.name.clone(),
                body: name(pair.0),
            };
            faults.push(Fault::new(format!("{path}.between"), problem));
        }
    }
    for (i, drive) in parts.drives.iter().enumerate() {
        let joint = &parts.joints[drive.joint];
        let path = format!("drives.{}.joint", drive.name);
        let what = if joint.locked {
            format!("joint `{}` is locked and cannot be driven", joint.name)
        } else if joint.position.is_some() || joint.velocity.is_some() {
            format!(
                "joint `{}` has a position or velocity of its own; the drive prescribes them",
                joint.name
            )
        } else if planar_kind(joint.kind, parts.space).position_of(drive.coordinate).is_none() {
            format!(
                "this coordinate of joint `{}` is a rotation in space and cannot follow one function",
                joint.name
            )
        } else if parts.drives[..i]
            .iter()
            .any(|d| d.joint == drive.joint && d.coordinate == drive.coordinate)
        {
            format!("joint `{}` is driven twice", joint.name)
        } else {
            continue;
        };
        faults.push(Fault::new(path, Problem::Conflict { what }));
    }
}
