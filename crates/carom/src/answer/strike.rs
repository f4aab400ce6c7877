//! What a user must know of an impact by a law.

use super::judge::place;
use super::{Caution, CautionCode};
use crate::contact::Standing;
use crate::impact::laws::FrictionForm;
use crate::impact::{Strike, StrikeWishes, Struck};
use crate::maths::digits::{six, three};
use crate::model::Friction;

/// Of contacts that are taken as touching, and of friction laws that an impact cannot follow.
pub(super) fn of_strike(strike: &Strike<'_>, wishes: &StrikeWishes) -> Vec<Caution> {
    let contacts = &strike.at().model().contacts;
    let mut out = Vec::new();
    for point in strike.points.iter().filter(|p| p.standing != Standing::Touching) {
        let (stated, gap) = (&contacts[point.contact], point.touch.gap);
        let (by, unit) = (six(gap.abs()), stated.units().gap);
        let message = match (stated.is_stop(), gap > 0.0) {
            (true, true) => format!("the joint is {by} {unit} away from its stop"),
            (true, false) => format!("the joint is {by} {unit} beyond its stop"),
            (false, true) => format!("the bodies are {by} {unit} apart"),
            (false, false) => format!("the bodies are {by} {unit} inside each other"),
        } + "; the impact takes them as touching";
        out.push(Caution::warning(CautionCode::TakenAsTouching, place(&point.name), message));
    }
    for point in strike.points.iter().filter(|_| wishes.friction.is_none()) {
        let contact = &contacts[point.contact];
        if let Some(Friction::Law(law)) = contact.defaults.friction {
            let message = format!(
                "an impact has Coulomb's friction; of the law `{}` its kinetic coefficient {} is taken",
                law.kind.name(),
                three(law.kinetic)
            );
            let place = place(&contact.name);
            out.push(Caution::warning(CautionCode::FrictionSimplified, place, message));
        }
    }
    out
}

/// Of what an impact did by a law.
pub(super) fn of_struck(law: &str, strike: &Strike<'_>, struck: &Struck) -> Vec<Caution> {
    let notes = &struck.solution.notes;
    let mut out = Vec::new();
    let mut say = |code: CautionCode, text: String| {
        out.push(Caution::warning(code, "", text).of_law(law));
    };
    if struck.audit.driven_slip {
        let text = "a drive moves and friction acts: T_c and e* hold slip that the drive gives and no impulse changes; judge the \
                    impact by the contact work";
        say(CautionCode::DrivenSlip, text.to_owned());
    }
    if notes.creates_energy {
        let work = six(notes.contact_work);
        let text = format!("the contacts do positive work, {work} J: this law creates energy here");
        say(CautionCode::ImpactCreatesEnergy, text);
    }
    if let Some(k) = notes.painleve {
        let name = &strike.points[k].name;
        let text = format!(
            "Painlevé: while `{name}` slides, its normal impulse draws the bodies together"
        );
        say(CautionCode::Painleve, text);
    }
    if notes.wedged {
        let text = "friction wedges the mechanism: nothing is given back";
        say(CautionCode::Wedged, text.to_owned());
    }
    if notes.friction == FrictionForm::Complementarity {
        let text = "friction at several contacts at once is judged at the velocities of the end, not followed through the impact; \
                    other velocities may meet the same conditions";
        say(CautionCode::FrictionAtEnd, text.to_owned());
    }
    if notes.sets_differ() {
        let names = |set: &[bool]| {
            let chosen: Vec<&str> = (strike.points.iter().zip(set))
                .filter_map(|(p, is)| is.then_some(p.name.as_str()))
                .collect();
            if chosen.is_empty() { "none".to_owned() } else { chosen.join(", ") }
        };
        let (kept, active) = (names(&notes.kept), names(&notes.active));
        say(
            CautionCode::SetsDiffer,
            format!("the momentum test keeps {kept}, impulses act at {active}"),
        );
    }
    let unique = &notes.uniqueness;
    if unique.velocities > 0 {
        let text = format!(
            "the contacts depend on each other and slide: other velocities meet the law as well (independent directions: {}); those of \
             equally soft contacts are given",
            unique.velocities
        );
        say(CautionCode::VelocitiesNotUnique, text);
    }
    if unique.impulses > 0 {
        let which = if !notes.are_shortest() {
            "one possible set is given"
        } else if notes.friction == FrictionForm::Absent {
            "the shortest are given"
        } else {
            "the share of equally soft contacts is given"
        };
        let text = format!(
            "the contacts depend on each other: other impulses give the same velocities, impulses are not unique ({which})"
        );
        say(CautionCode::ImpulsesNotUnique, text);
    }
    if unique.undecided {
        let text = "whether impulses and velocities are unique is undecided: the contacts nearly depend on each other";
        say(CautionCode::ImpulsesNotUnique, text.to_owned());
    }
    if notes.repeats > 0 {
        let text =
            format!("a contact was left closing and struck again (repeats: {})", notes.repeats);
        say(CautionCode::StruckAgain, text);
    }
    if notes.ties > 0 {
        let text = format!(
            "two contacts closed equally fast and the first was taken; another order may end otherwise (steps of this kind: {})",
            notes.ties
        );
        say(CautionCode::OrderArbitrary, text);
    }
    if notes.accumulated {
        let text = format!(
            "the impacts follow each other without end; counted until they no longer matter, {} of them",
            notes.steps
        );
        say(CautionCode::Accumulates, text);
    }
    if notes.guess_failed {
        let text =
            "removal leaves no contact although one closes; the complementarity's were taken";
        say(CautionCode::RemovalFailed, text.to_owned());
    }
    out
}
