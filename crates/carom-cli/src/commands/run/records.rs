//! Reactions, stays and events of the user in `checkpoint.json`.

use carom::maths::Vec3;
use carom::simulate::{JointPeak, Lookout, Spot, Stay, UserEventRecord};
use serde_json::{Value, json};

use super::kept::{At, bits, maybe, row};

pub(super) fn spot(spot: &Spot) -> Value {
    json!([spot.contact, spot.point])
}

pub(super) fn read_spot(at: &At<'_>) -> Result<Spot, String> {
    let [contact, point] = at.array(At::count)?;
    Ok(Spot { contact, point })
}

pub(super) fn reactions(peaks: &[JointPeak]) -> Value {
    peaks.iter().map(peak).collect()
}

fn peak(p: &JointPeak) -> Value {
    let [force, moment] = [p.force, p.moment].map(|x| row(x.as_slice()));
    json!([force, bits(p.time_of_force), moment, bits(p.time_of_moment), p.unique])
}

pub(super) fn read_peak(at: &At<'_>) -> Result<JointPeak, String> {
    let vector = |at: At<'_>| at.array(At::number).map(|[x, y, z]| Vec3::new(x, y, z));
    Ok(JointPeak {
        force: vector(at.item(0))?,
        time_of_force: at.item(1).number()?,
        moment: vector(at.item(2))?,
        time_of_moment: at.item(3).number()?,
        unique: at.item(4).flag()?,
    })
}

pub(super) fn stay(s: &Stay) -> Value {
    let forces = row(&[s.first_force, s.peak_force, s.time_of_peak]);
    json!([spot(&s.spot), bits(s.from), maybe(s.to), forces])
}

pub(super) fn read_stay(at: &At<'_>) -> Result<Stay, String> {
    let [first_force, peak_force, time_of_peak] = at.item(3).array(At::number)?;
    Ok(Stay {
        spot: read_spot(&at.item(0))?,
        from: at.item(1).number()?,
        to: at.item(2).maybe(At::number)?,
        first_force,
        peak_force,
        time_of_peak,
    })
}

pub(super) fn user_event(e: &UserEventRecord) -> Value {
    json!([bits(e.t), e.event, e.rises])
}

pub(super) fn read_user_event(at: &At<'_>) -> Result<UserEventRecord, String> {
    Ok(UserEventRecord {
        t: at.item(0).number()?,
        event: at.item(1).count()?,
        rises: at.item(2).flag()?,
    })
}

pub(super) fn lookout(l: &Lookout) -> Value {
    row(&[l.value, l.rate, l.side, l.largest])
}

pub(super) fn read_lookout(at: &At<'_>) -> Result<Lookout, String> {
    let [value, rate, side, largest] = at.array(At::number)?;
    Ok(Lookout { value, rate, side, largest })
}
