//! Mass and inertia of links from a density and the solids they are drawn by, where that is asked for.
//!
//! m = ρ Σ V, and the centre and the inertia of the sum by Steiner's theorem. Solids of one link that overlap count twice, which a note says.

use super::{Fault, Geometry, Inertial, Link, Note, Options, Robot, Shape, mjcf};
use crate::maths::mesh::{Mesh, Solid};
use crate::maths::{Mat3, Pose, Vec3};

/// Gives links their mass and inertia; `mesh` reads a mesh file.
pub fn fill(
    robot: &mut Robot,
    options: &Options,
    notes: &mut Vec<Note>,
    mesh: &mut dyn FnMut(&str) -> Result<Mesh, String>,
) -> Result<(), Vec<Fault>> {
    let mut faults = Vec::new();
    for (name, density) in &options.densities {
        let known = name.is_empty() || robot.links.iter().any(|l| l.name == *name);
        if !known {
            let links = robot.links.iter().map(|l| l.name.as_str());
            faults.push(super::tree::unknown("density", "link", name, links));
        }
        if !(*density > 0.0 && density.is_finite()) {
            let message = format!("density: {density} is not a positive density [kg/m³]");
            faults.push(Fault::of_all(message));
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    for link in &mut robot.links {
        let named = options.densities.iter().find(|(name, _)| *name == link.name);
        let all = options.densities.iter().find(|(name, _)| name.is_empty());
        let all = all.filter(|_| link.inertial.is_none() && has_geometry(link));
        let Some((_, density)) = named.or(all) else { continue };
        match inertial(link, *density, notes, mesh) {
            Ok(found) => link.inertial = Some(found),
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

fn has_geometry(link: &Link) -> bool {
    !(link.visuals.is_empty() && link.shapes.is_empty())
}

/// Mass and inertia of a link's solids: its visual geometry, or its collision geometry if it has no other or a mesh of a kind that is not read.
fn inertial(
    link: &Link,
    density: f64,
    notes: &mut Vec<Note>,
    mesh: &mut dyn FnMut(&str) -> Result<Mesh, String>,
) -> Result<Inertial, Fault> {
    let readable = |s: &Shape| match &s.geometry {
        Geometry::Mesh { file, .. } => Mesh::is_readable(file),
        _ => true,
    };
    let visual = !link.visuals.is_empty() && link.visuals.iter().all(readable);
    let visual = visual || link.shapes.is_empty();
    let (what, shapes) =
        if visual { ("visual", &link.visuals) } else { ("collision", &link.shapes) };
    if shapes.is_empty() {
        let message = format!("link `{}` has no geometry for a density", link.name);
        return Err(Fault::at(&link.span, message));
    }
    let mut solids = Vec::with_capacity(shapes.len());
    for shape in shapes {
        solids.push(solid(shape, &link.name, notes, mesh)?);
    }
    let volume: f64 = solids.iter().map(|s| s.volume).sum();
    let center: Vec3 = solids.iter().map(|s| s.center * (s.volume / volume)).sum();
    let mut inertia = Mat3::zeros();
    for s in &solids {
        let d = s.center - center;
        let shifted = Mat3::from_diagonal_element(d.norm_squared()) - d * d.transpose();
        inertia += s.inertia + shifted * s.volume;
    }
    let mass = density * volume;
    let overlap = if solids.len() > 1 { "; where they overlap, they count twice" } else { "" };
    let stated = if link.inertial.is_some() { ", in place of the stated ones" } else { "" };
    notes.push(Note::new(format!(
        "link `{}`: mass {mass} kg and inertia from {density} kg/m³ and its {what} geometry ({} solids){stated}{overlap}",
        link.name,
        solids.len()
    )));
    let inertia = inertia * density;
    let (mass_span, inertia_span) = (link.span.clone(), link.span.clone());
    Ok(Inertial { mass, center, inertia, mass_span, inertia_span })
}

/// A piece of geometry as a solid in the link's frame.
fn solid(
    shape: &Shape,
    link: &str,
    notes: &mut Vec<Note>,
    mesh: &mut dyn FnMut(&str) -> Result<Mesh, String>,
) -> Result<Solid, Fault> {
    if let Geometry::Mesh { file, scale, span } = &shape.geometry {
        let wrong = |why: String| Fault::at(span, format!("link `{link}`: {why}"));
        let found = mesh(file).map_err(wrong)?;
        // In the link's frame at the scale of the robot, so that a message names places in metres.
        let placed = found.placed(&Vec3::from(*scale), &shape.pose);
        let solid = placed.solid().map_err(|e| wrong(format!("`{file}`: {e}")))?;
        if solid.inside_out {
            let message = format!(
                "link `{link}`: all triangles of `{file}` face inwards; it counts as its solid"
            );
            notes.push(Note::doubt(message));
        }
        return Ok(solid);
    }
    let Some(amount) = mjcf::solid(&shape.geometry) else {
        let message = format!(
            "link `{link}`: a plane encloses no volume, so that a density gives it no mass"
        );
        return Err(Fault::of_all(message));
    };
    let Pose { rotation: R, position } = shape.pose;
    let inertia = R * Mat3::from_diagonal(&amount.inertia) * R.transpose() * amount.size;
    Ok(Solid { volume: amount.size, center: position, inertia, inside_out: false })
}
