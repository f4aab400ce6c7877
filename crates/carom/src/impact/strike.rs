//! An impact of a mechanism: from closed contacts at a posture to velocities after, by a law.

use thiserror::Error;

use super::audit::Audit;
use super::driven::cannot_separate;
use super::laws::{
    ImpactContact, ImpactError, ImpactFriction, ImpactLaw, ImpactMemory, ImpactProblem,
    ImpactSolution,
};
use super::load::{ImpactRows, check_count};
use super::rows::{TouchingRow, check_mobility};
use super::separate::Held;
use crate::contact::{Approach, ContactError, Resolution, Standing, TouchPoint, gap_resolution};
use crate::dynamics::{DynamicsError, Excitation, Posture, RowWrench, Transmitted};
use crate::maths::{Vec3, Wrench};
use crate::model::Friction;

/// Why an impact of a mechanism has no answer.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum StrikeError {
    /// The mechanism's dynamics fail.
    #[error(transparent)]
    Dynamics(#[from] DynamicsError),
    /// A contact's geometry fails.
    #[error(transparent)]
    Contact(#[from] ContactError),
    /// No contact is closed.
    #[error("no contact is closed in this state{nearest}")]
    NothingClosed {
        /// The nearest, where there is one.
        nearest: String,
    },
    /// A contact has no e.
    #[error("contacts.{contact}: there is no `restitution`, and the law `{law}` takes one")]
    NoRestitution {
        /// The contact.
        contact: String,
        /// The law.
        law: &'static str,
    },
    /// Friction is asked of a stop.
    #[error(
        "contacts.{contact}: a joint's stop has no friction, and {found} is asked for; name the other contacts"
    )]
    FrictionAtStop {
        /// The contact.
        contact: String,
        /// What is asked for.
        found: String,
    },
    /// A contact closes and nothing can give way.
    #[error("contact `{contact}` cannot separate: {why}")]
    CannotSeparate {
        /// The contact.
        contact: String,
        /// Why, and what to do.
        why: String,
    },
    /// The law refuses, or has no answer.
    #[error("{why}")]
    Law {
        /// Why; contacts are counted from 0.
        error: ImpactError,
        /// The same for people: with the name of the point that it speaks of.
        why: String,
    },
}

/// What a user asks for instead of what the contacts state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StrikeWishes {
    /// e of every contact.
    pub restitution: Option<f64>,
    /// Friction of every contact.
    pub friction: Option<ImpactFriction>,
}

/// One point of a contact that takes part.
#[derive(Clone, Debug, PartialEq)]
pub struct StrikePoint {
    /// The contact.
    pub contact: usize,
    /// Its name, numbered where the contact has several points.
    pub name: String,
    /// Where it is.
    pub touch: TouchPoint,
    /// Whether it touches; an open point takes part only where its contact is asked for by name, as if it touched here.
    pub standing: Standing,
    /// Tangents, where it has friction.
    pub tangents: Vec<Vec3>,
    /// The row of its normal.
    pub row: usize,
}

/// Contacts about to be struck: the problem in contact space, and the way back.
#[derive(Clone, Debug)]
pub struct Strike<'a> {
    at: Posture<'a>,
    /// The points that take part.
    pub points: Vec<StrikePoint>,
    /// Their e and friction.
    pub contacts: Vec<ImpactContact>,
    /// The rows: for each point its normal, then its tangents.
    pub rows: Vec<RowWrench>,
    /// W = A Y Aᵀ, by rows.
    pub W: Vec<f64>,
    /// u⁻.
    pub u: Vec<f64>,
    /// Of contacts that drives close although they cannot separate: why, and what to do. No law has an answer then, and T_c is unbounded.
    pub held: Option<Held>,
    /// Which rows an impact strikes whatever its law: those of closing points, and of points that these drive together.
    pub struck: Vec<usize>,
    /// The first point without a restitution.
    missing: Option<usize>,
}

/// A mechanism after an impact.
#[derive(Clone, Debug, PartialEq)]
pub struct Struck {
    /// Impulses and u⁺ of the rows, and the law's notes.
    pub solution: ImpactSolution,
    /// v⁺.
    pub velocities: Vec<f64>,
    /// σ of every closure row; zero on rows that depend on others.
    pub multipliers: Vec<f64>,
    /// The impulse wrench each joint transmits to its body, about the link origin in world axes, by body.
    pub joints: Vec<Wrench>,
    /// What each drive gives, in the order of the model's drives.
    pub drives: Vec<f64>,
    /// Joints and closures whose reaction impulse is not unique, by path, such as `closures.pin`: other impulses balance the same motion.
    pub not_unique: Vec<String>,
    /// What must hold, and by how much it does.
    pub audit: Audit,
}

impl<'a> Strike<'a> {
    /// The closed points of all contacts, or of the named ones; those take part with their nearest point if none is closed.
    pub fn new(
        at: Posture<'a>,
        named: Option<&[usize]>,
        wishes: &StrikeWishes,
    ) -> Result<Self, StrikeError> {
        let model = at.model();
        let all: Vec<usize> = (0..model.contacts.len()).collect();
        let mut points = Vec::new();
        let mut nearest: Option<(f64, usize)> = None;
        for &contact in named.unwrap_or(&all) {
            let touch = at.touch(contact)?;
            let least = touch.gap();
            if nearest.is_none_or(|(gap, _)| least < gap) {
                nearest = Some((least, contact));
            }
            let many = touch.points().len() > 1;
            for (k, point) in touch.points().iter().enumerate() {
                let standing = Standing::of(&at, contact, point);
                let asked =
                    named.is_some() && point.gap <= least + gap_resolution(&at, contact, point);
                if standing == Standing::Open && !asked {
                    continue;
                }
                let name = &model.contacts[contact].name;
                let name = if many { format!("{name}.{}", k + 1) } else { name.clone() };
                let (touch, tangents) = (*point, vec![]);
                points.push(StrikePoint { contact, name, touch, standing, tangents, row: 0 });
            }
        }
        if points.is_empty() {
            let nearest = nearest.map_or_else(String::new, |(gap, contact)| {
                let (name, unit) =
                    (&model.contacts[contact].name, model.contacts[contact].units().gap);
                format!("; the nearest is `{name}`, open by {gap:.6} {unit}")
            });
            return Err(StrikeError::NothingClosed { nearest });
        }
        Self::of_points(at, points, wishes)
    }

    fn of_points(
        at: Posture<'a>,
        mut points: Vec<StrikePoint>,
        wishes: &StrikeWishes,
    ) -> Result<Self, StrikeError> {
        let mut rows = Vec::new();
        let mut contacts = Vec::with_capacity(points.len());
        let mut missing = None;
        for (k, point) in points.iter_mut().enumerate() {
            let defaults = &at.model().contacts[point.contact].defaults;
            let friction = wishes.friction.unwrap_or(match defaults.friction {
                Some(Friction::Coefficient(mu)) => ImpactFriction::Coulomb(mu),
                Some(Friction::Stick) => ImpactFriction::Stick,
                Some(Friction::Law(law)) => ImpactFriction::Coulomb(law.kinetic),
                None => ImpactFriction::None,
            });
            if friction.coefficient() > 0.0 {
                let contact = &at.model().contacts[point.contact];
                if contact.is_stop() {
                    let found = match friction {
                        ImpactFriction::Stick => "sticking".to_owned(),
                        other => format!("μ = {}", other.coefficient()),
                    };
                    return Err(StrikeError::FrictionAtStop {
                        contact: contact.name.clone(),
                        found,
                    });
                }
                point.tangents = at.contact_tangents(&point.touch);
            }
            let restitution = wishes.restitution.or(defaults.restitution);
            if restitution.is_none() && missing.is_none() {
                missing = Some(k);
            }
            point.row = rows.len();
            rows.push(at.contact_row(point.contact, &point.touch, &point.touch.normal));
            for tangent in &point.tangents {
                rows.push(at.contact_row(point.contact, &point.touch, tangent));
            }
            contacts.push(ImpactContact {
                tangents: point.tangents.len(),
                restitution: restitution.unwrap_or(0.0),
                friction,
            });
        }
        check_count(rows.len())?;
        check_mobility(&at, &rows)?;
        let mut together = ImpactRows::new(&at, &rows);
        let n = rows.len();
        let mut W = vec![0.0; n * n];
        let mut immobile = vec![false; n];
        let mut touching = Vec::with_capacity(n);
        for (index, (point, contact)) in points.iter().zip(&contacts).enumerate() {
            for k in point.row..=point.row + point.tangents.len() {
                let resolution = Resolution::new(&at, point.contact, &point.touch, &rows[k]);
                let (own, is_normal) = (together.W[(k, k)], k == point.row);
                immobile[k] = resolution.is_immobile(own);
                let approach = resolution.approach(is_normal, own, together.u[k]);
                // A velocity of round-off decides nothing: a dead centre is no impact.
                if approach == Approach::Resting && (immobile[k] || is_normal) {
                    together.u[k] = 0.0;
                }
                if is_normal || contact.friction == ImpactFriction::Stick {
                    touching.push(TouchingRow { row: k, point: index, is_normal, approach });
                }
            }
        }
        let held = together.held(&at, &touching);
        let struck = together.struck(&touching);
        let u: Vec<f64> = together.u.iter().copied().collect();
        for i in (0..n).filter(|i| !immobile[*i]) {
            for j in (0..n).filter(|j| !immobile[*j]) {
                W[i * n + j] = together.W[(i, j)];
            }
        }
        Ok(Self { at, points, contacts, rows, W, u, held, struck, missing })
    }

    /// The posture.
    pub fn at(&self) -> Posture<'a> {
        self.at
    }

    /// The problem in contact space.
    pub fn problem(&self) -> Result<ImpactProblem<'_>, ImpactError> {
        ImpactProblem::new(&self.contacts, &self.W, &self.u)
    }

    /// The impact by a law.
    pub fn resolve(
        &self,
        law: &dyn ImpactLaw,
        memory: &mut ImpactMemory,
    ) -> Result<Struck, StrikeError> {
        if let Some(held) = &self.held {
            return Err(self.cannot_separate(held));
        }
        if let (Some(k), true) = (self.missing, law.takes_restitution()) {
            let contact = self.at.model().contacts[self.points[k].contact].name.clone();
            return Err(StrikeError::NoRestitution { contact, law: law.name() });
        }
        let mut solution = ImpactSolution::default();
        self.problem()
            .and_then(|problem| law.solve(&problem, memory, &mut solution))
            .map_err(|error| StrikeError::Law { why: self.named(&error), error })?;
        let at = &self.at;
        let mut loads = vec![Wrench::zero(); at.model().bodies.len()];
        for (row, p) in self.rows.iter().zip(&solution.impulses) {
            row.add_to(&mut loads, *p);
        }
        let change = at.solve(&Excitation { wrenches: &loads, ..Excitation::default() });
        let velocities: Vec<f64> = at.state().v.iter().zip(&change.x).map(|(v, x)| v + x).collect();
        let mut transmitted = Transmitted::new(at.model());
        at.transmit(&loads, &change, &mut transmitted);
        let joints = transmitted.joints;
        let along = at.along_columns(&joints, &change);
        let drives: Vec<f64> = at.model().drives.iter().map(|d| along[d.v]).collect();
        let audit = Audit::new(self, &solution, &velocities, &along, &change);
        let (multipliers, not_unique) = (change.multipliers, at.reactions_not_unique());
        Ok(Struck { solution, velocities, multipliers, joints, drives, not_unique, audit })
    }

    /// The name of the point that a row belongs to.
    pub fn name_of(&self, row: usize) -> &str {
        let point = self.points.iter().rev().find(|point| point.row <= row);
        point.map_or("", |point| &point.name)
    }

    fn cannot_separate(&self, held: &Held) -> StrikeError {
        let contact = self.name_of(held.row).to_owned();
        StrikeError::CannotSeparate { contact, why: cannot_separate(&held.drives) }
    }

    /// An error with the name of the point that it speaks of.
    fn named(&self, error: &ImpactError) -> String {
        let contact = match error {
            ImpactError::Restitution { contact, .. }
            | ImpactError::Friction { contact, .. }
            | ImpactError::NoFriction { contact, .. }
            | ImpactError::Pulls { contact }
            | ImpactError::Blocked { contact } => *contact,
            _ => return error.to_string(),
        };
        let number = format!("contact {contact}");
        let name = self.points.get(contact).map(|point| format!("contact `{}`", point.name));
        error.to_string().replace(&number, name.as_ref().unwrap_or(&number))
    }
}
