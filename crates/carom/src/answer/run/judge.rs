//! What a user must know to trust a run.

use super::super::{Caution, CautionCode, Sides};
use super::{Energies, Ran, RunGap, RunLedger, reason, spot_name};
use crate::contact::gap_resolution;
use crate::dynamics::Mechanism;
use crate::file::Opened;
use crate::maths::digits::{ROUND_OFF, clean, percent, prefixed, six, ten, three};
use crate::model::{Contact, Model};
use crate::simulate::{
    Blow, DEFAULT_LAW, DriftLevel, Ledger, Outcome, RESOLVED, SimulateError, Spot,
};

/// A contact that spends less than this fraction of its time in contact within the band of its friction law passes through it; it does not creep.
const CREEPS: f64 = 0.01;

/// Where the energy was and went; losses below what the run resolves are zero.
pub(super) fn ledger(ran: &Ran) -> RunLedger {
    let out = &ran.outcome;
    let largest = out.largest_energy();
    let exchanged: f64 = out.blows.iter().map(|blow| blow.impact_energy).sum();
    // Works are integrals, known to the tolerance; an impulse is computed from u, to the last digits.
    let integrated = RESOLVED * ran.scenario.tolerance;
    let gain = out.drift.max(integrated * largest);
    let loss = |x: f64, resolved: f64| {
        let unresolved = x.abs() <= resolved || x < 0.0 && -x <= gain;
        if unresolved { 0.0 } else { x }
    };
    let line = |ledger: &Ledger| {
        let mut line = Energies::new(ledger);
        line.contact_loss = loss(line.contact_loss, integrated * exchanged);
        line.impulse_loss = clean(line.impulse_loss, exchanged);
        line.friction_loss = loss(line.friction_loss, ROUND_OFF * largest);
        line.damper_loss = loss(line.damper_loss, ROUND_OFF * largest);
        line.projection_loss = loss(line.projection_loss, integrated * largest);
        line
    };
    RunLedger {
        begin: out.samples.first().map(|s| line(&s.ledger)),
        end: out.samples.last().map(|s| line(&s.ledger)),
        drift: out.drift,
        largest_energy: largest,
        relative_drift: out.relative_drift(),
    }
}

/// How near anything came in a run in which nothing touched; nothing of a run that a closing contact stopped.
pub(super) fn least_gap(model: &Model, ran: &Ran) -> Option<RunGap> {
    let out = &ran.outcome;
    let struck = !out.impacts.is_empty() || !out.stays.is_empty() || is_blocked(ran);
    let least = out.least_gap.filter(|_| !struck)?;
    let contact = &model.contacts[least.spot.contact];
    let sides = Sides::new(model, least.spot.contact);
    Some(RunGap {
        name: spot_name(model, &out.spots, least.spot),
        contact: contact.name.clone(),
        point: least.spot.point + 1,
        between: [sides.striker, sides.struck],
        gap: least.gap,
        t: least.t,
        units: contact.units(),
    })
}

/// Whether the run stopped at a contact that closes and cannot separate.
fn is_blocked(ran: &Ran) -> bool {
    matches!(ran.stopped, Some(SimulateError::Blocked { .. }))
}

/// The drives that close a contact which cannot separate, where that stopped the run: T_c is unbounded.
pub(super) fn unbounded_by(ran: &Ran) -> Option<&[String]> {
    ran.stopped.as_ref().and_then(SimulateError::unbounded_by)
}

/// The cautions of one run.
pub(super) fn of_run(opened: &Opened, ran: &Ran) -> Vec<Caution> {
    let model = opened.model();
    let mut out: Vec<Caution> = stopped(opened, ran).into_iter().collect();
    out.extend(unbounded_by(ran).map(|drives| {
        let contact = ran.stopped.as_ref().and_then(SimulateError::contact).unwrap_or_default();
        super::super::judge::unbounded(contact, drives, true)
    }));
    out.extend(defaults(model, ran));
    out.extend(drift(ran));
    out.extend(created(model, &ran.outcome));
    out.extend(not_short(model, &ran.outcome));
    out.extend(creep(model, ran));
    out.extend(least_gap(model, ran).map(|gap| {
        let contact = model.contact(&gap.contact).unwrap_or_default();
        let (i, j) = Sides::new(model, contact).quoted();
        let (t, size) = (six(gap.t), prefixed(gap.gap, gap.units.gap));
        let message = if gap.gap == 0.0 {
            format!("nothing strikes; at t = {t} s {i} and {j} touch (least gap 0) without closing")
        } else {
            format!("nothing strikes; the least gap is {size} at t = {t} s, between {i} and {j}")
        };
        Caution::note(CautionCode::NoImpact, format!("contacts.{}", gap.name), message)
    }));
    match &ran.law {
        Some(law) => out.into_iter().map(|caution| caution.of_law(law)).collect(),
        None => out,
    }
}

/// What the run took because the file does not choose it.
fn defaults(model: &Model, ran: &Ran) -> Vec<Caution> {
    let plan = &ran.scenario;
    let note =
        |place: String, message: String| Caution::note(CautionCode::DefaultTaken, place, message);
    let mut out = Vec::new();
    if plan.treatment_follows {
        let message = "no contact states a stiffness: contacts are rigid, velocities jump (as with `contact = \"piecewise\"`); write a `stiffness` or `materials` for contact forces";
        out.push(note("simulation".to_owned(), message.to_owned()));
    }
    let pairs = model.contacts.iter().zip(&plan.contacts);
    let unnamed = |contact: &Contact| ran.law.is_none() && contact.defaults.law.is_none();
    let taken: Vec<&str> = pairs
        .filter(|(contact, plan)| unnamed(contact) && plan.law.is_some())
        .map(|(contact, _)| contact.name.as_str())
        .collect();
    if let [first, ..] = taken[..] {
        let (place, which) = match taken.len() {
            1 => (format!("contacts.{first}"), String::new()),
            n => (String::new(), format!(" for {n} contacts ({})", taken.join(", "))),
        };
        let message = format!(
            "the file names no law{which}: `{DEFAULT_LAW}` was taken, which delivers the restitution asked for; `carom laws` compares others"
        );
        out.push(note(place, message));
    }
    out
}

/// Of a run that did not come to its end.
fn stopped(opened: &Opened, ran: &Ran) -> Option<Caution> {
    let error = ran.stopped.as_ref()?;
    let (t, until) = (ran.outcome.state.t, ran.scenario.until);
    let message =
        format!("stopped at t = {} s of {} s: {}", ten(t), six(until), reason(opened, error));
    Some(match error {
        error if error.can_go_on() => Caution::warning(CautionCode::Stopped, "", message),
        _ => Caution::error(CautionCode::Stopped, "", message),
    })
}

/// Of an energy ledger that does not balance.
fn drift(ran: &Ran) -> Option<Caution> {
    let out = &ran.outcome;
    let (drift, part) = (prefixed(out.drift, "J"), out.relative_drift());
    let what =
        format!("the energy balance drifts by {drift}, {} of the largest energy", percent(part));
    match out.drift_level(ran.scenario.tolerance) {
        DriftLevel::Fine => None,
        DriftLevel::Caution => {
            let times = three(part / ran.scenario.tolerance);
            let message = format!("{what}: {times} times the tolerance; try a smaller tolerance");
            Some(Caution::warning(CautionCode::EnergyDrift, "", message))
        }
        DriftLevel::Error => {
            let message = format!("{what}: the motion is wrong; try a smaller tolerance");
            Some(Caution::error(CautionCode::EnergyDrift, "", message))
        }
    }
}

/// Of impulses that give more energy than they take.
fn created(model: &Model, out: &Outcome) -> Option<Caution> {
    let all: Vec<&Blow> = out.blows.iter().filter(|blow| blow.creates_energy()).collect();
    let first = all.first()?;
    let e = first.energetic_restitution().or_else(|| match first.impacts[..] {
        [only] => out.impacts[only].energetic_restitution(),
        _ => None,
    });
    let e = e.map_or_else(String::new, |e| format!(", e* = {}", three(e)));
    let count = if all.len() > 1 {
        format!("{} impacts create", all.len())
    } else {
        "an impact creates".to_owned()
    };
    let message = format!(
        "{count} energy: at t = {} s the contacts do positive work, {} ({} of T_c{e}); this law of impulses is not passive here",
        ten(first.onset),
        prefixed(-first.energy_lost, "J"),
        percent(-first.energy_lost / first.impact_energy)
    );
    Some(Caution::warning(
        CautionCode::ImpactCreatesEnergy,
        contacts_of(model, out, first),
        message,
    ))
}

/// Of impacts so long that m_eff and T_c of their onset mislead, one caution for those of the same contacts.
fn not_short(model: &Model, out: &Outcome) -> Vec<Caution> {
    let mut groups: Vec<(String, Vec<&Blow>)> = Vec::new();
    for blow in out.long_blows().into_iter().map(|k| &out.blows[k]) {
        let place = contacts_of(model, out, blow);
        match groups.iter_mut().find(|(known, _)| *known == place) {
            Some((_, blows)) => blows.push(blow),
            None => groups.push((place, vec![blow])),
        }
    }
    let caution = |(place, blows): (String, Vec<&Blow>)| {
        let first = *blows.first()?;
        let meanwhile = out.meanwhile(first)?;
        let why = meanwhile.mass.filter(|mass| *mass > meanwhile.speed).map_or_else(
            || {
                let part = percent(meanwhile.speed);
                format!("other forces change its speed by {part} of the approach speed")
            },
            |mass| format!("m_eff changes by {}", percent(mass)),
        );
        let them = match blows.len() {
            1 => "1 impact is".to_owned(),
            count => format!("{count} impacts are"),
        };
        let message = format!(
            "{them} not short against the motion, so that m_eff and T_c of the onset mislead; at t = {} s {why}",
            ten(first.onset)
        );
        Some(Caution::warning(CautionCode::NotShort, place, message))
    };
    groups.into_iter().filter_map(caution).collect()
}

/// The contacts of an impact, as places of a caution.
fn contacts_of(model: &Model, out: &Outcome, blow: &Blow) -> String {
    let mut names: Vec<String> = Vec::new();
    for spot in blow.spots(out) {
        let name = format!("contacts.{}", model.contacts[spot.contact].name);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(", ")
}

/// Of contacts that creep under a load that dry friction would hold, by more than poses are known.
fn creep(model: &Model, ran: &Ran) -> Vec<Caution> {
    let out = &ran.outcome;
    let mut mechanism = Mechanism::new(model);
    let at = mechanism.at(&out.state).ok();
    let resolution = |spot: Spot| {
        let at = at.as_ref()?;
        let touch = at.touch(spot.contact).ok()?;
        Some(gap_resolution(at, spot.contact, touch.points().get(spot.point)?))
    };
    let touched = |spot: Spot| -> f64 {
        let own = out.impacts.iter().filter(|i| i.spot == spot);
        own.map(|i| i.parting.unwrap_or(out.state.t) - i.onset).sum()
    };
    let crept = out.creep.iter().filter(|c| {
        let length = resolution(c.spot).unwrap_or(0.0);
        c.distance > length && c.time > CREEPS * touched(c.spot)
    });
    let caution = |c: &crate::simulate::Creep| {
        let message = format!(
            "creeps by {} in {} s within the band of its friction law, which holds no load at rest; bristle laws do, and so do \
             runs with --method piecewise",
            prefixed(c.distance, "m"),
            six(c.time)
        );
        let place = format!("contacts.{}", spot_name(model, &out.spots, c.spot));
        Caution::warning(CautionCode::Creep, place, message)
    };
    crept.map(caution).collect()
}
