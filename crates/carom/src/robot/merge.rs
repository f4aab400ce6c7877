//! Links that do not move in each other are one body: masses add, inertias by Steiner's theorem.

use super::tree::Tree;
use super::{Fault, JointMotion, Note, Robot};
use crate::maths::{Mat3, Pose, Vec3};

/// Principal values of an inertia below this fraction of the largest count as zero: round-off of its turning.
const INERTIA_ROUND_OFF: f64 = 1e-12;
/// By how much of the sum of the others the largest principal value may exceed it; the model file has the same bound.
const TRIANGLE: f64 = 1e-9;

/// Radius of gyration below which an inertia is round-off and the link a point mass \[m\].
const SMALLEST_LINK: f64 = 1e-7;

/// A body of the model.
#[derive(Debug)]
pub(super) struct Body {
    /// The link that the joint carries; its frame is the body's.
    pub link: usize,
    /// The joint that carries it; `None` for a floating root.
    pub joint: Option<usize>,
    /// m \[kg\]; zero for a body without mass that carries others.
    pub mass: f64,
    /// Mass centre \[m\].
    pub center: Vec3,
    /// About the mass centre \[kg m²\].
    pub inertia: Mat3,
    /// Its links and their frames in the body's, the first its own.
    pub links: Vec<(usize, Pose)>,
}

/// The robot as bodies.
#[derive(Debug)]
pub(super) struct Merged {
    /// Links that are ground, in the world.
    pub ground: Vec<(usize, Pose)>,
    /// Bodies, each after the one it stands on.
    pub bodies: Vec<Body>,
    /// Body (`None`: ground) and pose in it of every link; `None` for one that is left out.
    pub place: Vec<Option<(Option<usize>, Pose)>>,
}

/// Joins welded links.
pub(super) fn merge(
    robot: &Robot,
    tree: &Tree,
    floating: bool,
    notes: &mut Vec<Note>,
) -> Result<Merged, Vec<Fault>> {
    let mut out =
        Merged { ground: Vec::new(), bodies: Vec::new(), place: vec![None; robot.links.len()] };
    let root = &robot.links[tree.root];
    if floating && root.name == "world" {
        let message = "base: the root link is called `world` and is ground; a floating base needs a root with mass";
        return Err(vec![Fault::at(&root.span, message)]);
    }
    for &link in &tree.order {
        let joint = tree.carrier[link];
        let welded = joint.map(|j| &robot.joints[j]).filter(|j| j.motion == JointMotion::Fixed);
        let (body, pose) = match (joint, welded) {
            (None, _) if !floating => (None, Pose::identity()),
            (_, Some(weld)) => {
                // Parents stand first in the order, so their place is known.
                let Some((body, pose)) = out.place[weld.parent] else { continue };
                (body, pose.then(&weld.origin))
            }
            _ => {
                out.bodies.push(Body {
                    link,
                    joint,
                    mass: 0.0,
                    center: Vec3::zeros(),
                    inertia: Mat3::zeros(),
                    links: Vec::new(),
                });
                (Some(out.bodies.len() - 1), Pose::identity())
            }
        };
        out.place[link] = Some((body, pose));
        match body {
            Some(body) => out.bodies[body].links.push((link, pose)),
            None => out.ground.push((link, pose)),
        }
    }
    let mut faults = Vec::new();
    for body in &mut out.bodies {
        faults.extend(sum(robot, body, notes));
    }
    faults.extend(massless(robot, &out, notes));
    if !faults.is_empty() {
        return Err(faults);
    }
    tell(robot, tree, &out, floating, notes);
    Ok(out)
}

/// Mass, centre and inertia of a body from those of its links. The body is judged as a whole: a sound body may have a part whose stated inertia
/// no part has, which is doubted.
fn sum(robot: &Robot, body: &mut Body, notes: &mut Vec<Note>) -> Option<Fault> {
    let mut odd = Vec::new();
    let mut heavy = Vec::new();
    let mut without_mass = Mat3::zeros();
    for (at, pose) in &body.links {
        let link = &robot.links[*at];
        let Some(inertial) = &link.inertial else { continue };
        let mut inertia = inertial.inertia;
        if inertial.mass == 0.0 {
            if inertia.amax() > 0.0 {
                let R = pose.rotation;
                without_mass += R * inertia * R.transpose();
                let message =
                    format!("link `{}` has inertia but no mass: its inertia counts", link.name);
                notes.push(Note::new(message));
            }
            continue;
        }
        if inertia.amax() <= inertial.mass * SMALLEST_LINK * SMALLEST_LINK {
            inertia = Mat3::zeros();
        } else if let Some(reason) = inertia_fault(&inertia) {
            odd.push((link, inertial, reason));
        }
        let R = pose.rotation;
        let alone = body.links.len() == 1;
        let inertia = if alone { inertia } else { R * inertia * R.transpose() };
        heavy.push((inertial.mass, pose.point(&inertial.center), inertia));
    }
    body.mass = heavy.iter().map(|(m, ..)| m).sum();
    match heavy[..] {
        [] => {}
        [(_, center, inertia)] => (body.center, body.inertia) = (center, inertia),
        _ => {
            body.center = heavy.iter().map(|(m, c, _)| c * (*m / body.mass)).sum();
            // J = Σ (J_k + m_k (|d|² 1 − d dᵀ)),  d from the common centre to that of the link
            for (m, center, inertia) in &heavy {
                let d = center - body.center;
                body.inertia += inertia
                    + (Mat3::from_diagonal_element(d.norm_squared()) - d * d.transpose()) * *m;
            }
        }
    }
    if body.mass > 0.0 {
        body.inertia += without_mass;
    }
    // Turned tensors are symmetric up to round-off; the file keeps six entries.
    body.inertia = (body.inertia + body.inertia.transpose()) * 0.5;
    if inertia_fault(&body.inertia).is_some()
        && let Some((link, inertial, reason)) = odd.first()
    {
        return Some(Fault::at(&inertial.inertia_span, format!("link `{}`: {reason}", link.name)));
    }
    for (link, _, reason) in odd {
        let whole = &robot.links[body.link].name;
        notes.push(Note::doubt(format!(
            "link `{}`: {reason}; `{whole}`, with which it is merged, has a possible one",
            link.name
        )));
    }
    None
}

/// Why no link has this inertia about its mass centre.
fn inertia_fault(J: &Mat3) -> Option<String> {
    let mut principal: Vec<f64> = J.symmetric_eigenvalues().iter().copied().collect();
    principal.sort_by(f64::total_cmp);
    let [low, middle, high] = principal[..] else { return None };
    let round_off = INERTIA_ROUND_OFF * high.abs().max(low.abs());
    let shown = format!("{low:.6e}, {middle:.6e}, {high:.6e} kg m²");
    if !(low >= -round_off) {
        return Some(format!("its principal inertias are {shown}: expected none below 0"));
    }
    (high > (low + middle) * (1.0 + TRIANGLE) + round_off).then(|| {
        format!("its principal inertias are {shown}: the largest exceeds the sum of the others, which no body has")
    })
}

/// Bodies without mass: those that carry others are kept, with a note; at the end of a chain nothing resists their joint.
fn massless(robot: &Robot, merged: &Merged, notes: &mut Vec<Note>) -> Vec<Fault> {
    let mut carries = vec![0.0; merged.bodies.len()];
    let mut faults = Vec::new();
    for (k, body) in merged.bodies.iter().enumerate().rev() {
        let link = &robot.links[body.link];
        let below = carries[k] + body.mass;
        if let Some(joint) = body.joint.map(|j| &robot.joints[j]) {
            if let Some((Some(parent), _)) = merged.place[joint.parent] {
                carries[parent] += below;
            }
            if below == 0.0 {
                // Of a link with several joints the link itself is told, not the frames between its joints.
                if link.between {
                    continue;
                }
                let span = link.inertial.as_ref().map_or(&link.span, |i| &i.mass_span);
                let found = if link.inertial.is_some() { "a mass of 0" } else { "no <inertial>" };
                let message = format!(
                    "link `{}` moves with joint `{}` and has {found}: expected a positive mass [kg] (or leave it out: --drop {}; or fix it: --weld {})",
                    link.name, joint.name, link.name, joint.name
                );
                faults.push(Fault::at(span, message));
                continue;
            }
        }
        if body.mass == 0.0 && below > 0.0 && !link.between {
            notes.push(Note::new(format!(
                "link `{}` has no mass and carries links that have: it is kept without mass",
                link.name
            )));
        }
    }
    faults.reverse();
    faults
}

/// What was made of root and welds.
fn tell(robot: &Robot, tree: &Tree, merged: &Merged, floating: bool, notes: &mut Vec<Note>) {
    let root = &robot.links[tree.root].name;
    if floating {
        notes.push(Note::new(format!("base: link `{root}` floats freely, as asked")));
    } else {
        let mass: f64 = merged
            .ground
            .iter()
            .filter_map(|(link, _)| robot.links[*link].inertial.as_ref().map(|i| i.mass))
            .sum();
        let weight =
            if mass > 0.0 { format!(" ({mass} kg that do not move)") } else { String::new() };
        let why = if root == "world" { "" } else { "; --base floating frees it" };
        notes.push(Note::new(format!("base: link `{root}` is ground{weight}{why}")));
    }
    let names = |links: &[(usize, Pose)]| {
        let all: Vec<String> =
            links.iter().map(|(link, _)| format!("`{}`", robot.links[*link].name)).collect();
        all.join(", ")
    };
    if merged.ground.len() > 1 {
        notes.push(Note::new(format!(
            "fixed to ground, markers there: {}",
            names(&merged.ground[1..])
        )));
    }
    for body in merged.bodies.iter().filter(|b| b.links.len() > 1) {
        notes.push(Note::new(format!(
            "fixed to link `{}`, merged with it and markers on it: {}",
            robot.links[body.link].name,
            names(&body.links[1..])
        )));
    }
}
