//! What holds links or joints together beside the tree of joints, as closures of the model file.

use std::collections::HashSet;
use std::ops::Range;

use super::merge::Merged;
use super::names::{Name, mapped};
use super::write::{key, line, list, quoted, rounded, section};
use super::{Fault, JointMotion, Note, Robot, angles_of};
use crate::maths::{Pose, Vec3};

/// Points of one body that a closure joins count as one if they are closer than this \[m\], and axes if their entries differ by less: what files
/// with six digits leave.
const SAME_PLACE: f64 = 1e-5;

/// A closure.
#[derive(Clone, Debug)]
pub struct Closure {
    /// Its name in the file.
    pub name: String,
    /// Where it stands in the text.
    pub span: Range<usize>,
    /// What it holds together.
    pub kind: ClosureKind,
}

/// Kinds of closures; links and joints are positions in [`Robot`].
#[derive(Clone, Debug)]
pub enum ClosureKind {
    /// A point of one link stays at a point of another; both in the links' frames \[m\].
    Point([(usize, Vec3); 2]),
    /// A frame of one link stays at a frame of another.
    Weld([(usize, Pose); 2]),
    /// Σ c q = offset over joints with one coordinate.
    Coupling {
        /// Joints and their coefficients.
        joints: Vec<(usize, f64)>,
        /// The constant.
        offset: f64,
    },
    /// Something that no closure of a model says; why. It is refused unless it is left out.
    Unknown(String),
}

/// A body (`None`: ground) and a frame on it.
type End = (Option<usize>, Pose);

/// Writes the closures of a robot. Those that hold what was left out are left out too.
pub(super) fn closures(
    robot: &Robot,
    merged: &Merged,
    (links, joints): (&[Name], &[Name]),
    out: &mut String,
    notes: &mut Vec<Note>,
) -> Result<(), Vec<Fault>> {
    let mut used: HashSet<String> = joints.iter().map(|j| format!("mimic_{}", j.new)).collect();
    let mut faults = Vec::new();
    for closure in &robot.closures {
        let mut name = mapped(&closure.name);
        while !used.insert(name.clone()) {
            name.push('_');
        }
        let head = format!("closures.{}", key(&name));
        let ends = |pair: [(usize, Pose); 2]| -> Option<[End; 2]> {
            let [a, b] = pair.map(|(link, pose)| {
                merged.place[link].map(|(body, place)| (body, place.then(&pose)))
            });
            Some([a?, b?])
        };
        let written = match &closure.kind {
            ClosureKind::Coupling { joints: terms, offset } => {
                coupling(robot, merged, joints, terms, *offset).map(|(terms, offset)| {
                    if terms.is_empty() {
                        let sound = offset.abs() <= SAME_PLACE;
                        return if sound { Written::Nothing } else { Written::Impossible };
                    }
                    section(out, &head);
                    line(out, "type", "\"coupling\"");
                    line(out, "joints", &format!("{{ {} }}", terms.join(", ")));
                    line(out, "offset", &rounded(offset));
                    Written::Whole
                })
            }
            ClosureKind::Unknown(why) => {
                let message = format!(
                    "closure `{}`: {why} (leave it out: --drop {})",
                    closure.name, closure.name
                );
                faults.push(Fault::at(&closure.span, message));
                continue;
            }
            ClosureKind::Point(pair) => {
                let pair = pair.map(|(link, at)| (link, Pose::translation(at)));
                ends(pair).map(|ends| joined(merged, links, &head, "spherical", ends, out))
            }
            ClosureKind::Weld(pair) => {
                ends(*pair).map(|ends| joined(merged, links, &head, "weld", ends, out))
            }
        };
        match written {
            None => notes.push(Note::new(format!(
                "closure `{}` is left out with what it holds",
                closure.name
            ))),
            Some(Written::Nothing) => notes.push(Note::new(format!(
                "closure `{}` holds what does not move, and is left out",
                closure.name
            ))),
            Some(Written::Impossible) => faults.push(Fault::at(
                &closure.span,
                format!(
                    "closure `{}` asks for a motion between parts that do not move in each other",
                    closure.name
                ),
            )),
            Some(Written::Whole) => {}
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// What became of a closure.
enum Written {
    /// It was written.
    Whole,
    /// It holds already.
    Nothing,
    /// It cannot hold.
    Impossible,
}

/// The terms `joint = coefficient` of a coupling and its constant; joints that are fixed where they stand move into the constant. `None` if a
/// joint is left out.
fn coupling(
    robot: &Robot,
    merged: &Merged,
    names: &[Name],
    joints: &[(usize, f64)],
    mut offset: f64,
) -> Option<(Vec<String>, f64)> {
    let mut sums: Vec<(usize, f64)> = Vec::new();
    for (joint, factor) in joints {
        merged.place[robot.joints[*joint].child]?;
        if robot.joints[*joint].motion == JointMotion::Fixed {
            offset -= factor * robot.joints[*joint].start.position.first().unwrap_or(&0.0);
        } else if let Some((_, sum)) = sums.iter_mut().find(|(j, _)| j == joint) {
            *sum += factor;
        } else {
            sums.push((*joint, *factor));
        }
    }
    let terms = sums.iter().filter(|(_, factor)| *factor != 0.0);
    let texts = terms.map(|(j, factor)| format!("{} = {}", key(&names[*j].new), rounded(*factor)));
    Some((texts.collect(), offset))
}

/// A closure of two frames.
fn joined(
    merged: &Merged,
    links: &[Name],
    head: &str,
    word: &str,
    [(a, first), (b, second)]: [End; 2],
    out: &mut String,
) -> Written {
    if a == b {
        let shift = (first.position - second.position).norm();
        let turn = (first.rotation - second.rotation).amax();
        let same = shift <= SAME_PLACE && (word != "weld" || turn <= SAME_PLACE);
        return if same { Written::Nothing } else { Written::Impossible };
    }
    let name =
        |body: Option<usize>| quoted(body.map_or("ground", |b| &links[merged.bodies[b].link].new));
    section(out, head);
    line(out, "type", &quoted(word));
    line(out, "connects", &format!("[{}, {}]", name(a), name(b)));
    let [p, q] = [first, second].map(|end| list(end.position.as_slice()));
    line(out, "at", &format!("[{p}, {q}]"));
    if word == "weld" {
        let [p, q] = [first, second].map(|end| list(&angles_of(&end.rotation)));
        line(out, "orientation", &format!("[{p}, {q}]"));
    }
    Written::Whole
}
