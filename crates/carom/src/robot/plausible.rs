//! Sizes that are hard to believe: files in millimetres, grams or kg mm².

use super::merge::Merged;
use super::{Note, Robot};

/// Offset of a joint or of a mass centre from which on millimetres are suspected \[m\]: the longest links of robot arms have some 3 m.
const LONG: f64 = 20.0;
/// Mass of a link from which on grams are suspected \[kg\]: the heaviest links of industrial robots have about 2 t.
const HEAVY: f64 = 5000.0;
/// Largest radius of gyration divided by the largest distance in the robot from which on the inertia is suspected to be in another unit: kg mm² would
/// give 1000, and no mass lies outside of its robot.
const WIDE: f64 = 3.0;

/// What may be in another unit.
pub(super) fn doubts(robot: &Robot, merged: &Merged, notes: &mut Vec<Note>) {
    let offsets = robot.joints.iter().map(|j| (j.origin.position.norm(), "joint", &j.name));
    let centres = robot.links.iter().filter_map(|l| {
        l.inertial.as_ref().map(|i| (i.center.norm(), "mass centre of link", &l.name))
    });
    let longest = offsets.chain(centres).max_by(|a, b| a.0.total_cmp(&b.0));
    let points = robot
        .links
        .iter()
        .filter(|l| l.inertial.as_ref().is_some_and(|i| i.mass > 0.0 && i.inertia.amax() == 0.0));
    let points: Vec<String> = points.map(|l| format!("`{}`", l.name)).collect();
    if !points.is_empty() {
        let names = points.join(", ");
        notes.push(Note::doubt(format!(
            "links with a mass and without inertia count as point masses: {names}"
        )));
    }
    let Some((length, what, name)) = longest else { return };
    if length >= LONG {
        notes.push(Note::doubt(format!(
            "the {what} `{name}` stands {length:.4} m from its frame's origin; if the file is in millimetres, its numbers must be divided by 1000"
        )));
    }
    let heaviest = merged.bodies.iter().max_by(|a, b| a.mass.total_cmp(&b.mass));
    if let Some(body) = heaviest.filter(|b| b.mass >= HEAVY) {
        notes.push(Note::doubt(format!(
            "link `{}` has a mass of {:.4} kg; if the file is in grams, its numbers must be divided by 1000",
            robot.links[body.link].name, body.mass
        )));
    }
    // The whole robot is not larger than all its offsets in a row; one without offsets is judged by its links alone.
    let size: f64 = robot.joints.iter().map(|j| j.origin.position.norm()).sum::<f64>() + length;
    let wide = if size > 0.0 { (WIDE * size).min(LONG) } else { LONG };
    for body in merged.bodies.iter().filter(|b| b.mass > 0.0) {
        let radius = (body.inertia.symmetric_eigenvalues().max() / body.mass).sqrt();
        if radius > wide {
            notes.push(Note::doubt(format!(
                "link `{}` has a radius of gyration of {radius:.4} m, more than {wide:.4} m, which is large for this robot; inertias are expected in kg m², about the mass centre",
                robot.links[body.link].name
            )));
        }
    }
}
