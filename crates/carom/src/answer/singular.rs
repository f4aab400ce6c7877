//! Cautions of singular poses and of inertias that are hard to believe.

use super::caution::{Caution, CautionCode};
use crate::contact::{Approach, Resolution, Standing};
use crate::dynamics::Posture;
use crate::dynamics::report::Mobility;
use crate::file::Opened;
use crate::impact::{Assessment, MassBeside, Options};
use crate::maths::digits::{six, three};

/// Of closures that lose rank in this pose only.
pub fn of_singularity(found: &Mobility) -> Option<Caution> {
    if found.singular.is_empty() {
        return None;
    }
    let names: Vec<String> = found.singular.iter().map(|name| format!("closures.{name}")).collect();
    let names = names.join(", ");
    let beside = format!(
        "{} degree{} of freedom beside it, {} in it",
        found.freedom_beside,
        if found.freedom_beside == 1 { "" } else { "s" },
        found.freedom_here
    );
    let reactions = if found.not_unique.is_empty() {
        String::new()
    } else {
        format!("; the reactions of {} are not unique", found.not_unique.join(", "))
    };
    Some(if found.undecided.is_empty() {
        let message = format!(
            "this pose is singular: the rows of {names} depend on each other in this pose only ({beside}); effective masses and \
             energies hold for this pose only{reactions}"
        );
        Caution::warning(CautionCode::Singular, "", message)
    } else {
        let message = format!(
            "round-off does not decide whether this pose is the singular one, in which the rows of {names} depend on each other, or \
             one beside it ({beside})"
        );
        Caution::warning(CautionCode::RankUndecided, "", message)
    })
}

/// Of the effective mass of a contact beside a singular pose; `place` is `contacts.` and its name.
pub fn of_mass_beside(place: &str, found: &MassBeside) -> Caution {
    let here = six(found.here.mass);
    let beside = match (found.along_motion, found.branches) {
        (Some(along), _) => format!("{} kg beside it along this motion", six(along.mass)),
        (None, Some([lightest, heaviest])) => {
            let (lightest, heaviest) = (six(lightest.mass), six(heaviest.mass));
            if lightest == heaviest {
                format!("{lightest} kg beside it")
            } else {
                format!("{lightest} to {heaviest} kg beside it, depending on the branch")
            }
        }
        (None, None) => "no motion leads out of the pose".to_owned(),
    };
    let (code, message) = if found.undecided {
        let message = format!(
            "the effective mass is {here} kg if the pose is the singular one, and {beside}; round-off does not decide which holds"
        );
        (CautionCode::RankUndecided, message)
    } else {
        let message = format!(
            "the pose is singular: the effective mass of {here} kg holds for this pose only; {beside}"
        );
        (CautionCode::Singular, message)
    };
    Caution::warning(code, place, message)
}

/// Of a contact, a position in the model's contacts, in a singular pose: the effective mass along the normal of its nearest
/// point, in the pose and beside it. `None` in any other pose, or if the contact has no normal here.
pub fn of_contact(at: &Posture<'_>, contact: usize) -> Option<Caution> {
    let touch = at.touch(contact).ok()?;
    let nearest = touch.points().iter().min_by(|a, b| a.gap.total_cmp(&b.gap))?;
    let row = at.contact_row(contact, nearest, &nearest.normal);
    let place = format!("contacts.{}", at.model().contacts[contact].name);
    at.mass_beside(&row).map(|found| of_mass_beside(&place, &found))
}

/// How far the stated `shape` of each body reaches from its mass centre \[m\]; zero of a body without one.
///
/// A shape is known by the inertia that it has without a stated one: a rod of length 2 r has k = r/√3, and no other shape reaches further
/// beside its k.
fn extents_of_shapes(opened: &Opened) -> Vec<f64> {
    let (model, described) = (opened.model(), &opened.loaded.description);
    let mut plain = described.clone();
    // `locate` answers with the table where there is no such key.
    let has_shape = |name: &str| {
        described.locate(&format!("bodies.{name}.shape"))
            != described.locate(&format!("bodies.{name}"))
    };
    let shaped: Vec<bool> = model.bodies.iter().map(|b| has_shape(&b.name)).collect();
    for (body, _) in model.bodies.iter().zip(&shaped).filter(|(_, shaped)| **shaped) {
        plain.remove_from(&["bodies", &body.name], "inertia");
    }
    let Ok(built) = crate::model::build(&plain) else { return Vec::new() };
    let bodies = built.model.bodies.iter().zip(&shaped);
    bodies
        .map(
            |(body, shaped)| {
                if *shaped { 3.0_f64.sqrt() * built.model.radius_of_gyration(body) } else { 0.0 }
            },
        )
        .collect()
}

/// Of a contact that closes so near to a dead centre that the pose does not decide whether it strikes.
pub fn of_dead_centre(at: &Posture<'_>, contact: usize) -> Option<Caution> {
    let touch = at.touch(contact).ok()?;
    let is_near = touch.points().iter().any(|point| {
        let row = at.contact_row(contact, point, &point.normal);
        let mobility = at.settled_mobility(&row);
        Resolution::new(at, contact, point, &row).is_near_dead_centre(mobility)
    });
    if !is_near {
        return None;
    }
    let options = Options { terms: true, prediction: false, ..Options::default() };
    let found = Assessment::new(at, contact, &options).ok()?;
    let grazing = found.rows.iter().find_map(|row| {
        let touches = row.is_normal && row.standing == Standing::Touching;
        if !touches || row.approach != Approach::Closing {
            return None;
        }
        let wrench = at.contact_row(contact, &row.point, &row.direction);
        let resolution = Resolution::new(at, contact, &row.point, &wrench);
        let (u, acceleration) = (row.effective.rate, row.terms?.acceleration);
        let grazes = resolution.grazes(row.effective.mobility, u, acceleration);
        grazes.then(|| (u * u / (2.0 * acceleration), resolution.length))
    });
    let (depth, length) = grazing?;
    let stated = &at.model().contacts[contact];
    let unit = stated.units().gap;
    let message = format!(
        "so near to a dead centre the pose does not decide whether it strikes: the motion opens the gap again by itself after closing it \
         by {} {unit}, and gaps are known to {} {unit}; m_eff and impulses hold for this pose only, and `run` counts no impact",
        three(depth),
        three(length)
    );
    Some(Caution::warning(CautionCode::DeadCentre, format!("contacts.{}", stated.name), message))
}

/// Of bodies whose radius of gyration is larger than they are known to be.
pub fn of_inertias(opened: &Opened) -> Vec<Caution> {
    let doubts = opened.model().doubtful_inertias_beside(&extents_of_shapes(opened)).into_iter();
    doubts
        .map(|doubt| {
            let message = format!(
                "the radius of gyration √(J/m) is {} m, but no joint, shape or marker of the body is further than {} m from its mass \
                 centre; is the inertia stated about the mass centre, in kg m², and without rotors (`rotor` of a joint)?",
                six(doubt.radius),
                six(doubt.size)
            );
            Caution::warning(CautionCode::InertiaDoubtful, format!("bodies.{}.inertia", doubt.body), message)
        })
        .collect()
}
