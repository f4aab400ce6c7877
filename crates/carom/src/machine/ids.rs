//! Names and typed ids: an id belongs to the machine that gave it, its copies, and machines with the same names in the same order.

use super::{Machine, MachineError};
use crate::contact::MOST_POINTS;
use crate::maths::nearest::nearest;
use crate::model::{BodyId, Model};
use crate::study::fnv1a;

/// A joint of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointId {
    pub(crate) at: usize,
    names: u64,
}

/// A contact of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContactId {
    pub(crate) at: usize,
    names: u64,
}

/// A point of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PointId {
    pub(crate) contact: ContactId,
    pub(crate) point: usize,
}

/// An event of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId {
    pub(crate) at: usize,
    names: u64,
}

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
        let at = find("joint", name, &self.joint_names())?;
        Ok(JointId { at, names: self.names })
    }

    /// The contact of that name.
    pub fn contact(&self, name: &str) -> Result<ContactId, MachineError> {
        let at = find("contact", name, &self.contact_names())?;
        Ok(ContactId { at, names: self.names })
    }

    /// The contact point of that name: `strike`, or `strike.2` where the contact has several.
    pub fn point(&self, name: &str) -> Result<PointId, MachineError> {
        if let Some((contact, number)) = name.rsplit_once('.')
            && let (Ok(contact), Ok(number @ 1..)) =
                (self.contact(contact), number.parse::<usize>())
            && number <= MOST_POINTS
        {
            return Ok(PointId { contact, point: number - 1 });
        }
        self.contact(name).map(|contact| PointId { contact, point: 0 })
    }

    /// The event of that name.
    pub fn event(&self, name: &str) -> Result<EventId, MachineError> {
        let at = find("event", name, &self.event_names())?;
        Ok(EventId { at, names: self.names })
    }

    /// The position of a contact, if it is one of this machine.
    pub(super) fn own(&self, contact: ContactId) -> Result<usize, MachineError> {
        self.position("contact", contact.at, contact.names, self.model().contacts.len())
    }

    /// The position of a joint, if it is one of this machine.
    pub(super) fn own_joint(&self, joint: JointId) -> Result<usize, MachineError> {
        self.position("joint", joint.at, joint.names, self.model().bodies.len())
    }

    fn position(
        &self,
        what: &'static str,
        at: usize,
        names: u64,
        count: usize,
    ) -> Result<usize, MachineError> {
        if at < count && names == self.names { Ok(at) } else { Err(MachineError::Foreign { what }) }
    }
}

/// A number that machines share which have the same joints, contacts and events by name and order.
pub(super) fn names(model: &Model) -> u64 {
    let joints = model.bodies.iter().map(|b| b.joint.name.as_str());
    let contacts = model.contacts.iter().map(|c| c.name.as_str());
    let events = model.events.iter().map(|e| e.name.as_str());
    // A line break, which no name holds, between the lists.
    fnv1a(joints.chain(["\n"]).chain(contacts).chain(["\n"]).chain(events))
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
