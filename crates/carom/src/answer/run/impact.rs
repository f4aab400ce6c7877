//! Impacts of a run as a user counts them: points of two bodies that close together are one impact.

use schemars::JsonSchema;
use serde::Serialize;

use super::super::components;
use super::{Ran, spot_name};
use crate::contact::catalogue;
use crate::maths::digits::percent;
use crate::model::{ContactUnits, Model};
use crate::simulate::{Blow, ImpactRecord, JointPeak};
use crate::study::standing;

/// One impact: all points that close together.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RunImpact {
    /// Its number, from 1.
    pub impact: usize,
    /// The contacts that take part.
    pub contacts: Vec<String>,
    /// How many points take part.
    pub count: usize,
    /// When it began \[s\].
    pub onset: f64,
    /// m_eff at the onset \[kg\]; `null` of several points, which have no common direction.
    pub effective_mass: Option<f64>,
    /// −u⁻ \[m/s\], of several points that of the fastest.
    pub approach_speed: f64,
    /// T_c⁻ of all points together \[J\].
    pub impact_energy: f64,
    /// ξ = T_c⁻ / T⁻; `null` where a drive moves, since T depends on the frame then, and where T⁻ is zero.
    pub energy_share: Option<f64>,
    /// The greatest sum of the normal forces \[N\]; `null` of an impulse.
    pub peak_force: Option<f64>,
    /// When it acted \[s\].
    pub time_of_peak: f64,
    /// The greatest indentation \[m\].
    pub max_indentation: f64,
    /// When it was reached \[s\].
    pub time_of_max_indentation: f64,
    /// When the last point parted \[s\]; `null` while one still touches.
    pub parting: Option<f64>,
    /// From onset to parting \[s\].
    pub duration: Option<f64>,
    /// u⁺ \[m/s\]; `null` while it still touches.
    pub separation_speed: Option<f64>,
    /// e delivered, u⁺ / −u⁻; `null` of several points and of bodies that touch at rest.
    pub restitution: Option<f64>,
    /// e that the law was asked for.
    pub restitution_asked: Option<f64>,
    /// e* = √(T_c⁺/T_c⁻), above 1 where the impact creates energy; `null` of several points under force laws or with friction.
    pub energetic_restitution: Option<f64>,
    /// The sum of the normal impulses of a piecewise impact \[N s\].
    pub impulse: Option<f64>,
    /// Energy that the contacts took and did not give back \[J\].
    pub energy_lost: f64,
    /// The part of it that friction took \[J\]; `null` under a force law, whose friction the energy table of the run shows.
    pub friction_loss: Option<f64>,
    /// Work of the contacts up to their greatest indentations \[J\]; `null` of an impulse.
    pub compression_work: Option<f64>,
    /// The compression work divided by T_c⁻; `null` where T_c⁻ is zero.
    pub compression_share: Option<f64>,
    /// Work that they gave back after it \[J\]; `null` while one still touches, and of an impulse.
    pub restitution_work: Option<f64>,
    /// What other forces change u by meanwhile, divided by the approach speed; `null` of an impulse.
    pub speed_change_by_other_forces: Option<f64>,
    /// Whether it is so short that m_eff and T_c of its onset describe it.
    pub short: bool,
    /// What the contacts measure in.
    pub units: ContactUnits,
    /// What it brought each joint and closure: greatest forces, or impulses.
    pub reactions: Vec<JointLoad>,
    /// Its points.
    pub points: Vec<PointImpact>,
}

/// One point of an impact.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PointImpact {
    /// The name of the point: that of the contact, with a number where it has several points.
    pub name: String,
    /// The contact.
    pub contact: String,
    /// Which of its points, from 1.
    pub point: usize,
    /// When it began \[s\].
    pub onset: f64,
    /// m_eff at the onset \[kg\].
    #[schemars(with = "Option<f64>")]
    pub effective_mass: f64,
    /// −u⁻ \[m/s\]; negative of a point that separated and is driven together by others.
    pub approach_speed: f64,
    /// Its share of the impact's T_c⁻ \[J\]: the shares of all points add up to it. A point loses more than its share only where the
    /// impulse of another gives energy back.
    pub impact_energy: f64,
    /// ½ m_eff u² \[J\]: what an impact at this point alone could use, with all others open.
    #[schemars(with = "Option<f64>")]
    pub energy_alone: f64,
    /// The greatest force \[N\]; `null` of an impulse.
    pub peak_force: Option<f64>,
    /// When it acted \[s\].
    pub time_of_peak: f64,
    /// The greatest indentation \[m\].
    pub max_indentation: f64,
    /// When it was reached \[s\].
    pub time_of_max_indentation: f64,
    /// When the pair parted \[s\]; `null` while it still touches.
    pub parting: Option<f64>,
    /// From onset to parting \[s\].
    pub duration: Option<f64>,
    /// u⁺ \[m/s\]; `null` while it still touches.
    pub separation_speed: Option<f64>,
    /// e delivered; `null` of bodies that touch at rest, and of one of several points under a force law, whose u⁺ the forces of all
    /// points make.
    pub restitution: Option<f64>,
    /// e that the law was asked for.
    pub restitution_asked: Option<f64>,
    /// e* = √(T_c⁺/T_c⁻); `null` where e is.
    pub energetic_restitution: Option<f64>,
    /// m_eff at the parting \[kg\].
    pub parting_effective_mass: Option<f64>,
    /// The impulse of a piecewise impact \[N s\].
    pub impulse: Option<f64>,
    /// Energy the contact took and did not give back \[J\].
    pub energy_lost: f64,
    /// The part of it that friction took \[J\]; `null` under a force law.
    pub friction_loss: Option<f64>,
    /// Work of the contact up to its greatest indentation \[J\]; `null` of an impulse.
    pub compression_work: Option<f64>,
    /// Work that it gave back after it \[J\].
    pub restitution_work: Option<f64>,
    /// u̇ just before it \[m/s²\]: what the forces of the rest of the machine do to u.
    pub free_acceleration: f64,
}

/// The greatest force and moment of a joint or closure during an impact; of a piecewise impact, its impulses.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct JointLoad {
    /// `joints.pivot`, `closures.wrist`.
    pub of: String,
    /// The force \[N\], in world axes; the impulse \[N s\] of a piecewise impact.
    pub force: [f64; 3],
    /// Its size.
    pub magnitude: f64,
    /// When it acted \[s\].
    pub time: f64,
    /// The moment \[N m\]; its impulse \[N m s\] of a piecewise impact.
    pub moment: [f64; 3],
    /// Its size.
    pub moment_magnitude: f64,
    /// When it acted \[s\].
    pub moment_time: f64,
    /// Whether it is the only one in balance with the motion.
    pub unique: bool,
}

impl RunImpact {
    /// How hard it is: its peak force, or its impulse.
    pub fn size(&self) -> f64 {
        self.peak_force.or(self.impulse).unwrap_or(0.0)
    }

    /// What other forces change u by meanwhile, as a share of the approach speed, in words; none of an impulse.
    pub fn other_forces(&self) -> Option<String> {
        let share = self.speed_change_by_other_forces?;
        let part = if share > MOST_TOLD {
            format!("more than {}", percent(MOST_TOLD))
        } else {
            percent(share)
        };
        Some(format!(
            "{part} of the approach speed{}",
            if self.short { "" } else { " (not short)" }
        ))
    }

    /// The joint or closure with the greatest force or impulse; none if all are zero.
    pub fn greatest_force(&self) -> Option<&JointLoad> {
        greater(&self.reactions, |load| load.magnitude)
    }

    /// The joint or closure with the greatest moment or its impulse; none if all are zero.
    pub fn greatest_moment(&self) -> Option<&JointLoad> {
        greater(&self.reactions, |load| load.moment_magnitude)
    }

    /// The name of where it is: of its point, or of its contacts.
    pub fn name(&self) -> String {
        match self.points.as_slice() {
            [one] => one.name.clone(),
            _ => self.contacts.join(", "),
        }
    }
}

fn greater(loads: &[JointLoad], of: fn(&JointLoad) -> f64) -> Option<&JointLoad> {
    loads.iter().filter(|load| of(load) > 0.0).max_by(|a, b| of(a).total_cmp(&of(b)))
}

/// Above this share of the approach speed \[-\] other forces govern the contact, and how much more they do tells nothing of an impact.
const MOST_TOLD: f64 = 10.0;

/// The impacts of a run.
pub(super) fn all(model: &Model, ran: &Ran) -> Vec<RunImpact> {
    let long = ran.outcome.long_blows();
    let standing = standing(model, &ran.outcome, ran.scenario.until);
    let strikes = |(_, blow): &(usize, &Blow)| blow.impacts.iter().any(|i| !standing.contains(i));
    let blows = ran.outcome.blows.iter().enumerate().filter(strikes).enumerate();
    let mut impacts: Vec<RunImpact> = blows
        .filter_map(|(number, (k, blow))| of(model, ran, (number, blow), !long.contains(&k)))
        .collect();
    without_round_off(model, &mut impacts);
    impacts
}

/// Reactions below this fraction of the largest force of the run are treated as zero; of moments, times the largest radius of gyration
/// of a body about its joint; and so is the work of friction below this fraction of the T_c of its impact.
const ROUND_OFF: f64 = 1e-9;

/// Sets the reactions to zero that are round-off of the largest.
fn without_round_off(model: &Model, impacts: &mut [RunImpact]) {
    let joints = impacts.iter().flat_map(|i| &i.reactions).map(|load| load.magnitude);
    let largest = impacts.iter().map(RunImpact::size).chain(joints).fold(0.0, f64::max);
    let radius = |b: &crate::model::Body| (b.inertia.about_origin.trace() / b.inertia.mass).sqrt();
    let lever = model.bodies.iter().map(radius).filter(|r| r.is_finite()).fold(0.0, f64::max);
    for load in impacts.iter_mut().flat_map(|i| &mut i.reactions) {
        if load.magnitude <= ROUND_OFF * largest {
            (load.force, load.magnitude) = ([0.0; 3], 0.0);
        }
        if load.moment_magnitude <= ROUND_OFF * largest * lever {
            (load.moment, load.moment_magnitude) = ([0.0; 3], 0.0);
        }
    }
}

/// One impact; none without points, which the engine does not leave.
fn of(model: &Model, ran: &Ran, (k, blow): (usize, &Blow), short: bool) -> Option<RunImpact> {
    let out = &ran.outcome;
    let records: Vec<&ImpactRecord> = blow.impacts.iter().map(|i| &out.impacts[*i]).collect();
    let first = *records.first()?;
    let mut points: Vec<PointImpact> =
        records.iter().map(|i| point(model, ran, i, blow.impact_energy)).collect();
    if points.len() > 1 && blow.impulse.is_none() {
        for point in &mut points {
            (point.restitution, point.energetic_restitution) = (None, None);
        }
    }
    let deepest =
        points.iter().reduce(|a, b| if b.max_indentation > a.max_indentation { b } else { a })?;
    let alone = points.first().filter(|_| points.len() == 1);
    let mut contacts: Vec<String> = Vec::new();
    for point in &points {
        if !contacts.contains(&point.contact) {
            contacts.push(point.contact.clone());
        }
    }
    let share = |work: f64| Some(work / blow.impact_energy).filter(|x| x.is_finite());
    let sum = |of: &dyn Fn(&PointImpact) -> Option<f64>| points.iter().map(of).sum::<Option<f64>>();
    let compression_work = sum(&|p| p.compression_work);
    Some(RunImpact {
        impact: k + 1,
        contacts,
        count: blow.spots(out).len(),
        onset: blow.onset,
        effective_mass: blow.effective_mass,
        approach_speed: blow.approach_speed,
        impact_energy: blow.impact_energy,
        energy_share: share_of_kinetic(model, ran, blow),
        peak_force: blow.peak_force,
        time_of_peak: blow.time_of_peak,
        max_indentation: deepest.max_indentation,
        time_of_max_indentation: deepest.time_of_max_indentation,
        parting: blow.parting,
        duration: blow.parting.map(|t| t - blow.onset),
        separation_speed: blow.separation_speed,
        restitution: blow.restitution(out),
        restitution_asked: alone.and_then(|p| p.restitution_asked),
        energetic_restitution: match alone {
            Some(point) => point.energetic_restitution,
            None => blow.energetic_restitution(),
        },
        impulse: blow.impulse,
        energy_lost: blow.energy_lost,
        friction_loss: blow.impulse.map(|_| by_friction(blow.friction_loss, blow.impact_energy)),
        compression_work,
        compression_share: compression_work.and_then(share),
        restitution_work: sum(&|p| p.restitution_work),
        speed_change_by_other_forces: out.meanwhile(blow).map(|m| m.speed),
        short,
        units: model.contacts[first.spot.contact].units(),
        reactions: loads(model, &greatest(&out.reactions, &blow.impacts)),
        points,
    })
}

/// The loss by friction in an impact of this T_c; zero where it is round-off of what sticks.
fn by_friction(loss: f64, impact_energy: f64) -> f64 {
    if loss.abs() <= ROUND_OFF * impact_energy { 0.0 } else { loss }
}

/// T_c divided by the kinetic energy just before an onset.
fn share_of_kinetic(model: &Model, ran: &Ran, blow: &Blow) -> Option<f64> {
    if !model.drives.is_empty() {
        return None;
    }
    // At an event stand two samples: before it and after it.
    let samples = &ran.outcome.samples;
    let before = samples.get(samples.partition_point(|s| s.state.t < blow.onset))?;
    let share = blow.impact_energy / before.ledger.kinetic;
    (before.state.t == blow.onset && share.is_finite()).then_some(share)
}

/// The greatest of what several points brought each joint.
fn greatest(reactions: &[Vec<JointPeak>], members: &[usize]) -> Vec<JointPeak> {
    let mut all = members.iter().filter_map(|m| reactions.get(*m));
    let mut out = all.next().cloned().unwrap_or_default();
    for peaks in all {
        for (most, p) in out.iter_mut().zip(peaks) {
            if p.force.norm() > most.force.norm() {
                (most.force, most.time_of_force) = (p.force, p.time_of_force);
            }
            if p.moment.norm() > most.moment.norm() {
                (most.moment, most.time_of_moment) = (p.moment, p.time_of_moment);
            }
            most.unique &= p.unique;
        }
    }
    out
}

fn loads(model: &Model, peaks: &[JointPeak]) -> Vec<JointLoad> {
    let named = model.joint_paths().into_iter().zip(peaks);
    let load = |(of, p): (String, &JointPeak)| JointLoad {
        of,
        force: components(&p.force),
        magnitude: p.force.norm(),
        time: p.time_of_force,
        moment: components(&p.moment),
        moment_magnitude: p.moment.norm(),
        moment_time: p.time_of_moment,
        unique: p.unique,
    };
    named.map(load).collect()
}

/// One point of an impact with this T_c of all its points.
fn point(model: &Model, ran: &Ran, i: &ImpactRecord, of_all: f64) -> PointImpact {
    PointImpact {
        name: spot_name(model, &ran.outcome.spots, i.spot),
        contact: model.contacts[i.spot.contact].name.clone(),
        point: i.spot.point + 1,
        onset: i.onset,
        effective_mass: i.effective_mass,
        approach_speed: i.approach_speed,
        impact_energy: i.shared_energy,
        energy_alone: i.impact_energy,
        peak_force: i.peak_force,
        time_of_peak: i.time_of_peak,
        max_indentation: i.max_indentation,
        time_of_max_indentation: i.time_of_max_indentation,
        parting: i.parting,
        duration: i.duration(),
        separation_speed: i.separation_speed,
        restitution: i.restitution(),
        restitution_asked: asked(model, ran, i),
        energetic_restitution: i.energetic_restitution(),
        parting_effective_mass: i.parting_mass,
        impulse: i.impulse,
        energy_lost: i.energy_lost,
        friction_loss: i.impulse.map(|_| by_friction(i.friction_loss, of_all)),
        compression_work: i.impulse.is_none().then_some(i.compression_work),
        restitution_work: i.restitution_work(),
        free_acceleration: i.free_acceleration,
    }
}

/// The restitution that the contact's law was asked for; none of a law that takes none.
fn asked(model: &Model, ran: &Ran, i: &ImpactRecord) -> Option<f64> {
    let law = ran.scenario.contacts[i.spot.contact].law.as_ref();
    let takes = law.is_none_or(|law| {
        catalogue::find(law.name()).is_ok_and(|entry| entry.restitution.is_some())
    });
    model.contacts[i.spot.contact].defaults.restitution.filter(|_| takes)
}
