//! Names and typed ids: an id belongs to the machine that gave it.

use super::{Machine, MachineError};
use crate::contact::MOST_POINTS;
use crate::maths::nearest::nearest;
use crate::model::BodyId;

/// A joint of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointId(pub(crate) usize);

/// A contact of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContactId(pub(crate) usize);

/// A point of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PointId {
    pub(crate) contact: usize,
    pub(crate) point: usize,
}

/// An event of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(pub(crate) usize);

impl Machine {
    /// The names of all bodies.
    pub fn body_names(&self) -> Vec<&str> {
        self.model().bodies.iter().map(|b| b.name.as_str()).collect()
    }

    /// The names of all joints, in the order of their coordinates.
    pub fn joint_names(&self) -> Vec<&str> {
        self.model().bodies.iter().map(|b| b.joint.name.as_str()).collect()
    }

    /// The names of all contacts.
    pub fn contact_names(&self) -> Vec<&str> {
        self.model().contacts.iter().map(|c| c.name.as_str()).collect()
    }

    /// The names of all events.
    pub fn event_names(&self) -> Vec<&str> {
        self.model().events.iter().map(|e| e.name.as_str()).collect()
    }

    /// The body of that name.
    pub fn body(&self, name: &str) -> Result<BodyId, MachineError> {
        let at = find("body", name, &self.body_names())?;
        self.model().body_at(at).ok_or(MachineError::Foreign { what: "body" })
    }

    /// The joint of that name.
    pub fn joint(&self, name: &str) -> Result<JointId, MachineError> {
        find("joint", name, &self.joint_names()).map(JointId)
    }

    /// The contact of that name.
    pub fn contact(&self, name: &str) -> Result<ContactId, MachineError> {
        find("contact", name, &self.contact_names()).map(ContactId)
    }

    /// The contact point of that name: `strike`, or `strike.2` where the contact has several.
    pub fn point(&self, name: &str) -> Result<PointId, MachineError> {
        if let Some((contact, number)) = name.rsplit_once('.')
            && let (Ok(contact), Ok(number @ 1..)) =
                (self.contact(contact), number.parse::<usize>())
            && number <= MOST_POINTS
        {
            return Ok(PointId { contact: contact.0, point: number - 1 });
        }
        self.contact(name).map(|contact| PointId { contact: contact.0, point: 0 })
    }

    /// The event of that name.
    pub fn event(&self, name: &str) -> Result<EventId, MachineError> {
        find("event", name, &self.event_names()).map(EventId)
    }

    /// The position of a contact, if it is one of this machine.
    pub(super) fn own(&self, contact: ContactId) -> Result<usize, MachineError> {
        if contact.0 < self.model().contacts.len() {
            Ok(contact.0)
        } else {
            Err(MachineError::Foreign { what: "contact" })
        }
    }
}

/// How many known names a message lists where none is near.
const MOST_NAMES: usize = 12;

fn find(what: &'static str, name: &str, known: &[&str]) -> Result<usize, MachineError> {
    known.iter().position(|k| *k == name).ok_or_else(|| {
        let hint = match nearest(name, known.iter().copied()) {
            Some(near) => format!("; did you mean `{near}`?"),
            None if known.is_empty() => format!("; there is no {what} at all"),
            None => {
                let mut shown: Vec<String> =
                    known.iter().take(MOST_NAMES).map(|n| format!("`{n}`")).collect();
                if known.len() > MOST_NAMES {
                    shown.push(format!("and {} more", known.len() - MOST_NAMES));
                }
                format!("; there is {}", shown.join(", "))
            }
        };
        MachineError::UnknownName { what, name: name.to_owned(), hint }
    })
}
