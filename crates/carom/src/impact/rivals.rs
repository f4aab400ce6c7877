//! The rival methods of Nikravesh-Poursina (eqs. 14, 15), for comparison.
//!
//! Both give each colliding body k an apparent mass from its subsystem: every body that joints or
//! closures connect with k without passing ground. Where both bodies belong to one subsystem the methods are undefined.

use crate::dynamics::{Accelerations, Posture};
use crate::maths::Vec3;
use crate::model::{Model, Place, Row};

/// The apparent masses by a rival method; `None` where the formula is 0/0 because that side is at rest.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Rival {
    /// Apparent mass of body i; ∞ for ground.
    pub i: Option<f64>,
    /// Apparent mass of body j.
    pub j: Option<f64>,
    /// m_eff by eq. 2, where both sides have a mass.
    pub effective: Option<f64>,
}

/// Both methods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rivals {
    /// Eq. 14: kinetic energy.
    pub energy: Rival,
    /// Eq. 15: inertial forces.
    pub newton: Rival,
    /// Both bodies belong to one subsystem: then both methods are undefined.
    pub shared: bool,
}

impl Rivals {
    /// Both methods for a contact of bodies `a` and `b` along `normal`.
    pub fn new(
        at: &Posture<'_>,
        Subsystems(groups): &Subsystems,
        motion: &Accelerations,
        (a, b): (Place, Place),
        normal: &Vec3,
    ) -> Self {
        let group = |place: Place| place.map(|body| groups[body.index()]);
        if a.is_some() && group(a) == group(b) {
            return Self { energy: Rival::default(), newton: Rival::default(), shared: true };
        }
        let members = |place: Place| {
            let own = group(place);
            (0..groups.len()).filter(|&k| Some(groups[k]) == own).collect::<Vec<usize>>()
        };
        let both = |method: &dyn Fn(Place, &[usize]) -> f64| {
            let side = |place: Place| {
                if place.is_none() { f64::INFINITY } else { method(place, &members(place)) }
            };
            combine(side(a), side(b))
        };
        let energy = both(&|place, members| energy_mass(at, place, members, normal));
        let newton = both(&|place, members| newton_mass(at, motion, place, members, normal));
        Self { energy, newton, shared: false }
    }
}

/// Eq. 2 of two sides; a side that is not a number (0/0: no motion at all) has no mass.
fn combine(i: f64, j: f64) -> Rival {
    let known = |m: f64| (!m.is_nan()).then_some(m);
    let inverse = |m: f64| if m.is_infinite() { 0.0 } else { 1.0 / m };
    let sum = inverse(i) + inverse(j);
    let effective = if sum == 0.0 { f64::INFINITY } else { 1.0 / sum };
    Rival { i: known(i), j: known(j), effective: known(effective) }
}

/// Eq. 14: m_app = KE_sub / ½ (n · ṙ_k)².
fn energy_mass(at: &Posture<'_>, place: Place, members: &[usize], normal: &Vec3) -> f64 {
    let Some(k) = place else { return f64::INFINITY };
    let energy: f64 = members.iter().map(|&b| at.body_energy(b)).sum();
    let speed = normal.dot(&at.center_velocity(k.index()));
    energy / (0.5 * speed * speed)
}

/// Eq. 15: m_app = n · Σ m_s r̈_s / n · r̈_k.
fn newton_mass(
    at: &Posture<'_>,
    motion: &Accelerations,
    place: Place,
    members: &[usize],
    normal: &Vec3,
) -> f64 {
    let Some(k) = place else { return f64::INFINITY };
    let along = |b: usize| normal.dot(&at.center_acceleration(motion, b));
    let force: f64 = members.iter().map(|&b| at.model().bodies[b].inertia.mass * along(b)).sum();
    force / along(k.index())
}

/// For each body the number of its subsystem: connected by joints, closures or couplings, not
/// through ground.
#[derive(Clone, Debug)]
pub struct Subsystems(Vec<usize>);

impl Subsystems {
    /// Of a model.
    pub fn new(model: &Model) -> Self {
        Self(subsystems(model))
    }
}

fn subsystems(model: &Model) -> Vec<usize> {
    let mut group: Vec<usize> = (0..model.bodies.len()).collect();
    let mut link = |a: Place, b: Place| {
        let (Some(a), Some(b)) = (a, b) else { return };
        let (a, b) = (root(&mut group, a.index()), root(&mut group, b.index()));
        group[a.max(b)] = a.min(b);
    };
    for (k, body) in model.bodies.iter().enumerate() {
        let own = model.body_at(k);
        link(own, body.parent);
    }
    for row in model.closures.iter().flat_map(|c| &c.rows) {
        match row {
            Row::InPlane { a, b, .. } | Row::Distance { a, b, .. } => link(a.body, b.body),
            Row::Perpendicular { a, b, .. } => link(*a, *b),
            Row::Coupling { terms, .. } => {
                for pair in terms.windows(2) {
                    link(Some(pair[0].body), Some(pair[1].body));
                }
            }
        }
    }
    (0..model.bodies.len()).map(|k| root(&mut group, k)).collect()
}

fn root(group: &mut [usize], mut k: usize) -> usize {
    while group[k] != k {
        group[k] = group[group[k]];
        k = group[k];
    }
    k
}
