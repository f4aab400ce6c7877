//! A run for the scripts of a page: poses, energies, speeds and contacts over time, thinned where there is too much.

mod contacts;
mod poses;

use serde_json::{Value, json};

use super::short;
use super::thin::thinned;
use crate::contact::places;
use crate::dynamics::{DynamicsError, Mechanism};
use crate::kinematics::State;
use crate::maths::Vec3;
use crate::model::{JointKind, Model};
use crate::simulate::{Blow, EventKind, ImpactRecord, Ledger, Outcome};

use self::poses::Poses;

/// Moments kept of a trajectory, events beside; drawn over a thousand dots, more are not seen.
const MOST_MOMENTS: usize = 700;
/// Numbers kept of all poses together: machines of many bodies have fewer moments.
const MOST_NUMBERS: usize = 60_000;
/// Fewer moments than this do not show a motion.
const LEAST_MOMENTS: usize = 120;
/// Digits of times: an impact lasts for 1e-4 s of many seconds.
const TIME: usize = 11;
/// Digits of everything else.
const DIGITS: usize = 6;

/// A line of the ledger.
type Line<'a> = &'a dyn Fn(&Ledger) -> f64;

/// A run and what the model does not know of it.
#[derive(Clone, Debug)]
pub struct RunData<'a> {
    /// The machine.
    pub model: &'a Model,
    /// What came out.
    pub outcome: &'a Outcome,
    /// What the run is called among others: its law.
    pub name: String,
    /// The names of the contact points, in the order of [`Outcome::spots`].
    pub spots: Vec<String>,
    /// The restitution each impact was asked for.
    pub asked: Vec<Option<f64>>,
    /// Whether velocities jump at onsets.
    pub by_impulse: bool,
}

impl RunData<'_> {
    /// For the scripts.
    pub fn value(&self) -> Result<Value, DynamicsError> {
        let (model, out) = (self.model, self.outcome);
        let kept = self.kept();
        let states: Vec<&State> = kept.iter().map(|k| &out.samples[*k].state).collect();
        let mut mechanism = Mechanism::for_motion(model);
        let mut poses = Poses::new(model);
        let mut places = contacts::Places::new(out);
        for state in &states {
            let at = mechanism.at(state)?;
            poses.add(&at);
            places.add(&at, out);
        }
        let times = |of: &[&State]| of.iter().map(|s| short(s.t, TIME)).collect::<Value>();
        let (contacts, shown) = contacts::value(self, &places);
        let events = out.events.iter().filter(|e| e.kind != EventKind::Again).map(
            |e| json!({ "t": short(e.t, TIME), "spot": self.spot(e.spot), "kind": e.kind.name() }),
        );
        let own = out.user_events.iter().map(|e| {
            let name = model.events.get(e.event).map_or("", |e| e.name.as_str());
            json!({ "t": short(e.t, TIME), "spot": -1, "kind": name })
        });
        Ok(json!({
            "name": self.name,
            "by_impulse": self.by_impulse,
            "end": short(out.state.t, TIME),
            "t": times(&states),
            "poses": poses.value(),
            "energies": self.energies(&kept),
            "speeds": self.speeds(&kept),
            "spots": contacts,
            "impacts": out.blows.iter().enumerate().map(|(k, i)| self.impact(k, i)).collect::<Value>(),
            "touches": out.impacts.iter().map(|i| self.touch(i)).collect::<Value>(),
            "stays": self.stays(),
            "events": events.chain(own).collect::<Value>(),
            "shown": { "moments": [kept.len(), out.samples.len()], "contacts": shown },
        }))
    }

    /// The moments that are kept.
    fn kept(&self) -> Vec<usize> {
        let samples = &self.outcome.samples;
        let each = (6 * self.model.bodies.len()).max(1);
        let most = (MOST_NUMBERS / each).clamp(LEAST_MOMENTS, MOST_MOMENTS);
        thinned(samples.len(), most, |k| samples[k].event)
    }

    fn spot(&self, spot: crate::simulate::Spot) -> Value {
        json!(self.outcome.spots.iter().position(|s| *s == spot))
    }

    /// One impact of one or several points; it is shown at the point that bears most.
    fn impact(&self, k: usize, blow: &Blow) -> Value {
        let number = |x: f64| short(x, 9);
        let maybe = |x: Option<f64>| x.map_or(Value::Null, number);
        let time = |x: f64| short(x, TIME + 2);
        let all = || blow.impacts.iter().map(|i| &self.outcome.impacts[*i]);
        let size = |i: &ImpactRecord| i.peak_force.or(i.impulse).unwrap_or(0.0);
        let main = all().reduce(|a, b| if size(b) > size(a) { b } else { a });
        let deepest =
            all().reduce(|a, b| if b.max_indentation > a.max_indentation { b } else { a });
        json!({
            "spot": main.map_or(Value::Null, |i| self.spot(i.spot)),
            "points": blow.spots(self.outcome).len(),
            "onset": time(blow.onset),
            "parting": blow.parting.map_or(Value::Null, time),
            "mass": maybe(blow.effective_mass),
            "speed": number(blow.approach_speed),
            "energy": number(blow.impact_energy),
            "peak": maybe(blow.peak_force),
            "peak_at": time(blow.time_of_peak),
            "depth": deepest.map_or(Value::Null, |i| number(i.max_indentation)),
            "depth_at": deepest.map_or(Value::Null, |i| time(i.time_of_max_indentation)),
            "after": maybe(blow.separation_speed),
            "e": maybe(blow.restitution(self.outcome)),
            "asked": maybe(self.asked.get(k).copied().flatten()),
            "impulse": maybe(blow.impulse),
            "lost": number(blow.energy_lost),
        })
    }

    /// One point of an impact, from its onset to its parting.
    fn touch(&self, i: &ImpactRecord) -> Value {
        json!({
            "spot": self.spot(i.spot),
            "onset": short(i.onset, TIME + 2),
            "parting": i.parting.map_or(Value::Null, |t| short(t, TIME + 2)),
            "impulse": i.impulse.map_or(Value::Null, |p| short(p, 9)),
        })
    }

    fn stays(&self) -> Value {
        let stay = |s: &crate::simulate::Stay| {
            json!({
                "spot": self.spot(s.spot),
                "from": short(s.from, TIME),
                "to": s.to.map_or(Value::Null, |t| short(t, TIME)),
                "peak": short(s.peak_force, DIGITS),
            })
        };
        self.outcome.stays.iter().map(stay).collect()
    }

    /// The lines of the ledger that are ever anything, and what has to stay constant.
    fn energies(&self, kept: &[usize]) -> Value {
        let samples = &self.outcome.samples;
        let column = |name: &str, of: Line<'_>| {
            let values: Vec<f64> = kept.iter().map(|k| of(&samples[*k].ledger)).collect();
            json!({ "name": name, "values": values.iter().map(|x| short(*x, DIGITS)).collect::<Value>() })
        };
        let lost = |l: &Ledger| {
            l.contact_loss + l.impulse_loss + l.friction_loss + l.damper_loss + l.projection_loss
        };
        let given = |l: &Ledger| l.load_work + l.drive_work;
        // From its value at the start: its zero is arbitrary, and far from it the other energies would be flat lines.
        let start = samples.first().map_or(0.0, |s| s.ledger.potential);
        let mut out = vec![
            column("kinetic T", &|l| l.kinetic),
            column("potential V − V(start)", &|l| l.potential - start),
        ];
        let optional: [(&str, Line<'_>); 3] =
            [("in contacts", &|l: &Ledger| l.contact_elastic), ("lost", &lost), ("given", &given)];
        for (name, of) in optional {
            if kept.iter().any(|k| of(&samples[*k].ledger) != 0.0) {
                out.push(column(name, of));
            }
        }
        out.push(column("balance − V(start)", &|l| l.balance() - start));
        Value::Array(out)
    }

    /// The velocities of the joints.
    fn speeds(&self, kept: &[usize]) -> Value {
        let mut out = Vec::with_capacity(self.model.nv);
        for joint in self.model.bodies.iter().map(|b| &b.joint) {
            for (c, v) in joint.velocities().enumerate() {
                let values =
                    kept.iter().map(|k| short(self.outcome.samples[*k].state.v[v], DIGITS));
                let coordinate = joint.kind.coordinate_names().get(c).copied().unwrap_or("");
                let alone = matches!(joint.kind, JointKind::Revolute | JointKind::Prismatic);
                let name =
                    if alone { joint.name.clone() } else { format!("{}.{coordinate}", joint.name) };
                out.push(json!({
                    "name": name,
                    "angular": joint.kind.is_angular(c),
                    "values": values.collect::<Value>(),
                }));
            }
        }
        Value::Array(out)
    }
}

/// The machine at one state, with marks at contact points: what a page shows where nothing moves.
pub fn pose(model: &Model, state: &State, marks: &[Mark]) -> Result<Value, DynamicsError> {
    let mut mechanism = Mechanism::new(model);
    let at = mechanism.at(state)?;
    let mut poses = Poses::new(model);
    poses.add(&at);
    let vector = |x: &Vec3| x.iter().map(|c| short(*c, DIGITS)).collect::<Value>();
    let mark = |m: &Mark| {
        json!({
            "name": m.name,
            "at": vector(&m.at),
            "normal": vector(&m.normal),
            "closing": m.closing,
            "moves": moves(model, m.contact),
        })
    };
    Ok(json!({
        "t": [short(state.t, TIME)],
        "poses": poses.value(),
        "marks": marks.iter().map(mark).collect::<Value>(),
    }))
}

/// Whether the first and the second body of a contact can move: the ground is not pushed.
fn moves(model: &Model, contact: usize) -> [bool; 2] {
    let (i, j) = places(model, contact);
    [i.is_some(), j.is_some()]
}

/// A contact point in a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Its name.
    pub name: String,
    /// The contact, a position in [`Model::contacts`].
    pub contact: usize,
    /// Where, in the world \[m\].
    pub at: Vec3,
    /// The normal.
    pub normal: Vec3,
    /// Whether the bodies approach each other there.
    pub closing: bool,
}
