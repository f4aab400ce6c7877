//! What a user must know to trust a run.

use super::super::{Caution, CautionCode};
use super::{Energies, Ran, RunGap, RunLedger, reason, spot_name};
use crate::contact::{gap_resolution, places};
use crate::dynamics::Mechanism;
use crate::file::Opened;
use crate::maths::digits::{percent, prefixed, six, ten, three};
use crate::model::Model;
use crate::simulate::{DriftLevel, Outcome, SimulateError, Spot};

/// A contact that spends less than this fraction of its time in contact within the band of its friction law passes through it; it does not creep.
const CREEPS: f64 = 0.01;

/// Where the energy was and went.
pub(super) fn ledger(out: &Outcome) -> RunLedger {
    RunLedger {
        begin: out.samples.first().map(|s| Energies::new(&s.ledger)),
        end: out.samples.last().map(|s| Energies::new(&s.ledger)),
        drift: out.drift,
        largest_energy: out.largest_energy(),
        relative_drift: out.relative_drift(),
    }
}

/// How near anything came in a run in which nothing touched.
pub(super) fn least_gap(model: &Model, out: &Outcome) -> Option<RunGap> {
    let least = out.least_gap.filter(|_| out.impacts.is_empty() && out.stays.is_empty())?;
    let contact = &model.contacts[least.spot.contact];
    let (i, j) = places(model, least.spot.contact);
    Some(RunGap {
        name: spot_name(model, &out.spots, least.spot),
        contact: contact.name.clone(),
        point: least.spot.point + 1,
        between: [i, j].map(|place| model.place_name(place).to_owned()),
        gap: least.gap,
        t: least.t,
        units: contact.units(),
    })
}

/// The cautions of one run.
pub(super) fn of_run(opened: &Opened, ran: &Ran) -> Vec<Caution> {
    let model = opened.model();
    let mut out: Vec<Caution> = stopped(opened, ran).into_iter().collect();
    out.extend(drift(ran));
    out.extend(not_short(model, &ran.outcome));
    out.extend(creep(model, ran));
    out.extend(least_gap(model, &ran.outcome).map(|gap| {
        let [i, j] = &gap.between;
        let (t, size) = (six(gap.t), prefixed(gap.gap, gap.units.gap));
        let message = if gap.gap == 0.0 {
            format!(
                "nothing strikes; at t = {t} s `{i}` and `{j}` touch (least gap 0) without closing"
            )
        } else {
            format!(
                "nothing strikes; the least gap is {size} at t = {t} s, between `{i}` and `{j}`"
            )
        };
        Caution::note(CautionCode::NoImpact, format!("contacts.{}", gap.name), message)
    }));
    match &ran.law {
        Some(law) => out.into_iter().map(|caution| caution.of_law(law)).collect(),
        None => out,
    }
}

/// Of a run that did not come to its end.
fn stopped(opened: &Opened, ran: &Ran) -> Option<Caution> {
    let error = ran.stopped.as_ref()?;
    let (t, until) = (ran.outcome.state.t, ran.scenario.until);
    let message = format!("stopped at t = {t} s of {until} s: {}", reason(opened, error));
    Some(match error {
        SimulateError::Interrupted { .. } => Caution::warning(CautionCode::Stopped, "", message),
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

/// Of impacts so long that m_eff and T_c of their onset mislead, one caution a contact.
fn not_short(model: &Model, out: &Outcome) -> Vec<Caution> {
    let long = out.long_impacts();
    let of_contact = |k: usize| {
        let mut all = long.iter().map(|i| &out.impacts[*i]).filter(|i| i.spot.contact == k);
        let first = all.next()?;
        let count = 1 + all.count();
        let meanwhile = first.meanwhile(out.state.t)?;
        let why = meanwhile.mass.filter(|mass| *mass > meanwhile.speed).map_or_else(
            || {
                let part = percent(meanwhile.speed);
                format!("other forces change its speed by {part} of the approach speed")
            },
            |mass| format!("m_eff changes by {}", percent(mass)),
        );
        let them =
            if count == 1 { "1 impact is".to_owned() } else { format!("{count} impacts are") };
        let message = format!(
            "{them} not short against the motion, so that m_eff and T_c of the onset mislead; at t = {} s {why}",
            ten(first.onset)
        );
        let place = format!("contacts.{}", model.contacts[k].name);
        Some(Caution::warning(CautionCode::NotShort, place, message))
    };
    (0..model.contacts.len()).filter_map(of_contact).collect()
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
