//! `checkpoint.json`: all that a run needs to go on, to the last bit.

use std::path::Path;

use carom::kinematics::State;
use carom::maths::ode::{ImplicitMemory, Memory, Work};
use carom::simulate::{
    Checkpoint, Clock, ContactSample, Counts, Event, EventKind, Grip, ImpactRecord, Ledger,
    Observation, Outcome, Sample, Spot, Status, Stiffness,
};
use serde_json::{Value, json};

use super::FILES;
use super::Ran;
use super::kept::{At, bits, maybe, row};
use super::records::{self, read_spot, spot};

/// The text; none of a run that failed.
pub(crate) fn text(ran: &Ran) -> Option<String> {
    let out = &ran.outcome;
    let kept = out.checkpoint.as_ref()?;
    let value = json!({
        "carom": env!("CARGO_PKG_VERSION"),
        "inputs": ran.inputs,
        "checkpoint": checkpoint(kept),
        "state": state(&out.state),
        "drift": bits(out.drift),
        "closure_gap": bits(out.closure_gap),
        "counts": [out.counts.steps, out.counts.rejected, out.counts.evaluations, out.counts.observations],
        "spots": out.spots.iter().map(spot).collect::<Value>(),
        "reactions": out.reactions.iter().map(|r| records::reactions(r)).collect::<Value>(),
        "stays": out.stays.iter().map(records::stay).collect::<Value>(),
        "user_events": out.user_events.iter().map(records::user_event).collect::<Value>(),
        "ended_by": out.ended_by,
        "impacts": out.impacts.iter().map(impact).collect::<Value>(),
        "events": out.events.iter().map(event).collect::<Value>(),
        "samples": out.samples.iter().map(sample).collect::<Value>(),
        "contacts": out.contacts.iter().map(contact).collect::<Value>(),
    });
    Some(format!("{value}\n"))
}

fn state(state: &State) -> Value {
    json!({ "t": bits(state.t), "q": row(state.q.as_slice()), "v": row(state.v.as_slice()) })
}

fn impact(i: &ImpactRecord) -> Value {
    json!({
        "spot": spot(&i.spot),
        "onset": bits(i.onset),
        "effective_mass": bits(i.effective_mass),
        "approach_speed": bits(i.approach_speed),
        "impact_energy": bits(i.impact_energy),
        "peak_force": maybe(i.peak_force),
        "time_of_peak": bits(i.time_of_peak),
        "max_indentation": bits(i.max_indentation),
        "time_of_max_indentation": bits(i.time_of_max_indentation),
        "parting": maybe(i.parting),
        "separation_speed": maybe(i.separation_speed),
        "impulse": maybe(i.impulse),
        "energy_lost": bits(i.energy_lost),
        "compression_work": bits(i.compression_work),
        "free_acceleration": bits(i.free_acceleration),
        "parting_mass": maybe(i.parting_mass),
        "account": bits(i.account),
    })
}

fn event(e: &Event) -> Value {
    json!([bits(e.t), spot(&e.spot), e.kind.name(), maybe(e.accumulation)])
}

fn sample(s: &Sample) -> Value {
    json!([state(&s.state), row(&s.ledger.lines()), s.event, row(&s.impact_energies)])
}

fn contact(c: &ContactSample) -> Value {
    let seen = row(&[c.delta, c.delta_dot, c.force, c.impact_energy]);
    json!([bits(c.t), spot(&c.spot), seen, maybe(c.admissible_energy)])
}

fn checkpoint(c: &Checkpoint) -> Value {
    let status = |(at, status): &(Spot, Status)| match status {
        Status::Open => json!([spot(at), "open"]),
        Status::Staying(Grip::Smooth) => json!([spot(at), "staying"]),
        Status::Staying(Grip::Idle) => json!([spot(at), "idle"]),
        Status::Staying(Grip::Sticks) => json!([spot(at), "sticking"]),
        Status::Staying(Grip::Slides(d)) => json!([spot(at), "sliding", row(d)]),
        Status::Staying(Grip::Breaks(d)) => json!([spot(at), "breaking", row(d)]),
        Status::Touching(o) => {
            json!([spot(at), "touching", row(&[o.speed, o.effective_mass, o.damping])])
        }
        Status::Parted(o) => {
            json!([spot(at), "parted", row(&[o.speed, o.effective_mass, o.damping])])
        }
    };
    let seen = |o: &Observation| {
        let grip = [o.slip, o.slip_rate, o.margin];
        row(&[&[o.gap, o.rate, o.force, o.force_rate, o.acceleration], &grip[..]].concat())
    };
    let s = &c.stiffness;
    json!({
        "until": bits(c.until),
        "origin": row(&c.origin),
        "spots": c.spots.iter().map(status).collect::<Value>(),
        "before": c.before.iter().map(seen).collect::<Value>(),
        "current": c.current,
        "bounces": c.bounces.iter().map(|flights| row(flights)).collect::<Value>(),
        "lookouts": c.lookouts.iter().map(records::lookout).collect::<Value>(),
        "stiffness": [usize::from(s.found), s.steps, s.suspects, s.calm],
        "next_sample": c.next_sample,
        "begin": bits(c.begin),
        "impulse_loss": bits(c.impulse_loss),
        "projection_loss": bits(c.projection_loss),
        "t": bits(c.t),
        "clock": clock(c.clock),
        "memory": memory(&c.memory),
    })
}

fn clock(clock: Clock) -> Value {
    match clock {
        Clock::Plain => json!(["plain"]),
        Clock::Since(t) => json!(["since", bits(t)]),
        Clock::Until(t) => json!(["until", bits(t)]),
    }
}

fn memory(m: &Memory) -> Value {
    let implicit = m.implicit.as_ref().map(|i| {
        let stages = i
            .stages
            .as_ref()
            .map(|(h, z)| json!([bits(*h), z.iter().map(|z| row(z)).collect::<Value>()]));
        json!({
            "before": i.before.map(|(h, e)| row(&[h, e])),
            "renew": i.renew,
            "stages": stages,
            "jacobian": i.jacobian.as_ref().map(|(t, entries)| json!([bits(*t), row(entries)])),
            "decomposed": bits(i.decomposed),
            "rate": bits(i.rate),
            "left": bits(i.left),
            "work": [i.work.iterations, i.work.jacobians, i.work.decompositions],
        })
    });
    json!({
        "t": bits(m.t),
        "y": row(&m.y),
        "slope": m.slope.as_ref().map(|s| row(s)),
        "next": bits(m.next),
        "error_before": bits(m.error_before),
        "relative": bits(m.relative),
        "absolute": row(&m.absolute),
        "implicit": implicit,
    })
}

/// What the run in a folder left behind.
pub(crate) fn read(folder: &Path, inputs: &str) -> Result<Outcome, String> {
    let path = folder.join(FILES[4]);
    let shown = path.display().to_string();
    let text = std::fs::read_to_string(&path).map_err(|error| {
        format!("--from: {shown} cannot be read: {error}; a run leaves one there with -o, unless it failed")
    })?;
    let value: Value = serde_json::from_str(&text)
        .map_err(|error| format!("{shown} is not a checkpoint: {error}"))?;
    let version = value["carom"].as_str().unwrap_or("another program");
    if version != env!("CARGO_PKG_VERSION") {
        return Err(format!(
            "{shown} was written by carom {version}; run it again from the beginning"
        ));
    }
    if value["inputs"] != inputs {
        return Err(format!(
            "{shown} belongs to another run: the file, --set, --law, --method or --tolerance differ"
        ));
    }
    outcome(&At::new(&value)).map_err(|what| format!("{shown} is damaged: {what}"))
}

fn outcome(at: &At<'_>) -> Result<Outcome, String> {
    let counts: [usize; 4] = at.key("counts").array(At::count)?;
    let [steps, rejected, evaluations, observations] = counts;
    Ok(Outcome {
        spots: at.key("spots").list(read_spot)?,
        reactions: at.key("reactions").list(|at| at.list(records::read_peak))?,
        stays: at.key("stays").list(records::read_stay)?,
        user_events: at.key("user_events").list(records::read_user_event)?,
        ended_by: at.key("ended_by").maybe(At::count)?,
        samples: at.key("samples").list(read_sample)?,
        contacts: at.key("contacts").list(read_contact)?,
        impacts: at.key("impacts").list(read_impact)?,
        events: at.key("events").list(read_event)?,
        drift: at.key("drift").number()?,
        closure_gap: at.key("closure_gap").number()?,
        counts: Counts { steps, rejected, evaluations, observations },
        state: read_state(&at.key("state"))?,
        checkpoint: Some(read_checkpoint(&at.key("checkpoint"))?),
    })
}

fn read_state(at: &At<'_>) -> Result<State, String> {
    let (q, v) = (at.key("q").row()?, at.key("v").row()?);
    Ok(State { t: at.key("t").number()?, q: q.into(), v: v.into() })
}

fn read_sample(at: &At<'_>) -> Result<Sample, String> {
    Ok(Sample {
        state: read_state(&at.item(0))?,
        ledger: Ledger::from_lines(at.item(1).array(At::number)?),
        event: at.item(2).flag()?,
        impact_energies: at.item(3).row()?,
    })
}

fn read_contact(at: &At<'_>) -> Result<ContactSample, String> {
    let [delta, delta_dot, force, impact_energy] = at.item(2).array(At::number)?;
    Ok(ContactSample {
        t: at.item(0).number()?,
        spot: read_spot(&at.item(1))?,
        delta,
        delta_dot,
        force,
        impact_energy,
        admissible_energy: at.item(3).maybe(At::number)?,
    })
}

fn read_event(at: &At<'_>) -> Result<Event, String> {
    let word = at.item(2).word()?;
    let kind = EventKind::ALL.into_iter().find(|k| k.name() == word);
    Ok(Event {
        t: at.item(0).number()?,
        spot: read_spot(&at.item(1))?,
        kind: kind.ok_or_else(|| format!("`{word}` is no event"))?,
        accumulation: at.item(3).maybe(At::number)?,
    })
}

fn read_impact(at: &At<'_>) -> Result<ImpactRecord, String> {
    let number = |key: &str| at.key(key).number();
    let maybe = |key: &str| at.key(key).maybe(At::number);
    Ok(ImpactRecord {
        spot: read_spot(&at.key("spot"))?,
        onset: number("onset")?,
        effective_mass: number("effective_mass")?,
        approach_speed: number("approach_speed")?,
        impact_energy: number("impact_energy")?,
        peak_force: maybe("peak_force")?,
        time_of_peak: number("time_of_peak")?,
        max_indentation: number("max_indentation")?,
        time_of_max_indentation: number("time_of_max_indentation")?,
        parting: maybe("parting")?,
        separation_speed: maybe("separation_speed")?,
        impulse: maybe("impulse")?,
        energy_lost: number("energy_lost")?,
        compression_work: number("compression_work")?,
        free_acceleration: number("free_acceleration")?,
        parting_mass: maybe("parting_mass")?,
        account: number("account")?,
    })
}

fn read_status(at: &At<'_>) -> Result<(Spot, Status), String> {
    let onset = || {
        let [speed, effective_mass, damping] = at.item(2).array(At::number)?;
        Ok::<_, String>(carom::contact::law::Onset { speed, effective_mass, damping })
    };
    let status = match at.item(1).word()? {
        "open" => Status::Open,
        "staying" => Status::Staying(Grip::Smooth),
        "idle" => Status::Staying(Grip::Idle),
        "sticking" => Status::Staying(Grip::Sticks),
        "sliding" => Status::Staying(Grip::Slides(at.item(2).array(At::number)?)),
        "breaking" => Status::Staying(Grip::Breaks(at.item(2).array(At::number)?)),
        "touching" => Status::Touching(onset()?),
        "parted" => Status::Parted(onset()?),
        other => return Err(format!("`{other}` is no status of a contact")),
    };
    Ok((read_spot(&at.item(0))?, status))
}

fn read_checkpoint(at: &At<'_>) -> Result<Checkpoint, String> {
    let seen = |at: &At<'_>| {
        let [gap, rate, force, force_rate, acceleration, slip, slip_rate, margin] =
            at.array(At::number)?;
        Ok(Observation { gap, rate, force, force_rate, acceleration, slip, slip_rate, margin })
    };
    let [found, steps, suspects, calm] = at.key("stiffness").array(At::count)?;
    Ok(Checkpoint {
        stiffness: Stiffness { found: found > 0, steps, suspects, calm },
        until: at.key("until").number()?,
        origin: at.key("origin").row()?,
        spots: at.key("spots").list(read_status)?,
        before: at.key("before").list(seen)?,
        current: at.key("current").list(|at| at.maybe(At::count))?,
        bounces: at.key("bounces").list(|at| at.array(At::number))?,
        lookouts: at.key("lookouts").list(records::read_lookout)?,
        next_sample: at.key("next_sample").count()?,
        begin: at.key("begin").number()?,
        impulse_loss: at.key("impulse_loss").number()?,
        projection_loss: at.key("projection_loss").number()?,
        t: at.key("t").number()?,
        clock: read_clock(&at.key("clock"))?,
        memory: read_memory(&at.key("memory"))?,
    })
}

fn read_clock(at: &At<'_>) -> Result<Clock, String> {
    match at.item(0).word()? {
        "plain" => Ok(Clock::Plain),
        "since" => Ok(Clock::Since(at.item(1).number()?)),
        "until" => Ok(Clock::Until(at.item(1).number()?)),
        other => Err(format!("`{other}` is no clock")),
    }
}

fn read_memory(at: &At<'_>) -> Result<Memory, String> {
    let implicit = |at: &At<'_>| {
        let [iterations, jacobians, decompositions] = at.key("work").array(At::count)?;
        let stages = |at: &At<'_>| Ok((at.item(0).number()?, at.item(1).array(At::row)?));
        Ok(ImplicitMemory {
            before: at.key("before").maybe(|at| at.array(At::number).map(|[h, e]| (h, e)))?,
            renew: at.key("renew").flag()?,
            stages: at.key("stages").maybe(stages)?,
            jacobian: at
                .key("jacobian")
                .maybe(|at| Ok((at.item(0).number()?, at.item(1).row()?)))?,
            decomposed: at.key("decomposed").number()?,
            rate: at.key("rate").number()?,
            left: at.key("left").number()?,
            work: Work { iterations, jacobians, decompositions },
        })
    };
    Ok(Memory {
        t: at.key("t").number()?,
        y: at.key("y").row()?,
        slope: at.key("slope").maybe(At::row)?,
        next: at.key("next").number()?,
        error_before: at.key("error_before").number()?,
        relative: at.key("relative").number()?,
        absolute: at.key("absolute").row()?,
        implicit: at.key("implicit").maybe(implicit)?,
    })
}
