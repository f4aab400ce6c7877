//! `clearance` of a joint or of a closing joint: its play as contacts.
//!
//! A revolute joint in the plane becomes a pin of radius r in a hole of radius r + c, a spherical joint a ball in a hollow ball; a
//! revolute joint in space two such balls on its axis, a prismatic joint in the plane two pins in a slot. c is the way that the
//! surfaces can go from the middle before they touch: the radial clearance. The joint itself becomes a free motion in the same frames,
//! a closing joint is left out.

use super::Builder;
use super::finding::{Caution, Mistake, Warning};
use super::keys::CONTACT_LAW;
use super::reader::{Place, joined};
use crate::maths::{Mat3, Pose, Vec3};
use crate::model::contact::ContactDefaults;
use crate::model::parts::{ContactPart, ContactPlace, PartPlace, ShapePart};
use crate::model::{JointKind, ShapeKind};

/// The play of a joint as the file states it.
#[derive(Clone, Debug)]
pub(super) struct Clearance {
    /// c \[m\].
    play: f64,
    /// Of the pins or balls \[m\].
    radius: f64,
    /// Between two of them \[m\], along the axis.
    guide: Option<f64>,
    defaults: ContactDefaults,
}

/// A pin or ball and what surrounds it, in the frames of both bodies.
struct Seat {
    /// Behind the name of the joint.
    suffix: &'static str,
    around: ShapeKind,
    pin: ShapeKind,
}

/// A joint's two sides: the body, and the joint's frame in it.
pub(super) type JointSide = (PartPlace, Pose);

impl<'d> Builder<'d> {
    /// What the joint's table says of its play; none where it states none, or one with a fault.
    pub(super) fn clearance(&mut self, place: &Place<'d>, kind: JointKind) -> Option<Clearance> {
        let Some((node, path)) = place.get("clearance") else {
            if let Some((node, path)) = place.get("contact") {
                let why = "the contact of a joint goes with its `clearance`";
                self.note(&path, Some(&node.origin), Mistake::Conflict(why.to_owned()));
            }
            return None;
        };
        let possible = match kind {
            JointKind::Revolute | JointKind::Spherical => true,
            JointKind::Prismatic => self.planar,
            _ => false,
        };
        if !possible {
            let space = if self.planar { "in the plane" } else { "in space" };
            let why = format!(
                "a {} joint {space} has no clearance; revolute and spherical joints have one, and prismatic ones in the plane",
                kind.name()
            );
            self.note(&path, Some(&node.origin), Mistake::Conflict(why));
            return None;
        }
        if let Some((node, path)) = place.get("friction") {
            let why = "friction of a joint with a clearance belongs to its contact: contact = { friction = … }";
            self.note(&path, Some(&node.origin), Mistake::Conflict(why.to_owned()));
        }
        let play = self.positive(node, &path, "a positive clearance [m]");
        let two = kind == JointKind::Prismatic || kind == JointKind::Revolute && !self.planar;
        let mut length = |key: &'static str, doc: &'static str| {
            if let Some((node, path)) = place.get(key) {
                return self.positive(node, &path, "a positive length [m]");
            }
            self.note(&place.path, place.origin, Mistake::Missing { key, doc });
            None
        };
        let radius = length("radius", "of the pin or ball that has the clearance [m]");
        let guide = if two {
            let doc = "between the two places where the joint is guided [m]";
            Some(length("guide", doc)?)
        } else {
            if let Some((node, path)) = place.get("guide") {
                let why = "this joint is guided in one place";
                self.note(&path, Some(&node.origin), Mistake::Conflict(why.to_owned()));
            }
            None
        };
        let defaults = match place.table.entry("contact") {
            Some(entry) => {
                let inner = self.table(entry, joined(&place.path, "contact"))?;
                self.check_keys(&inner, &CONTACT_LAW);
                self.contact_defaults(&inner, false)
            }
            None => ContactDefaults::default(),
        };
        Some(Clearance { play: play?, radius: radius?, guide, defaults })
    }

    /// Makes the shapes of a play now and its contacts behind all others, and says so.
    pub(super) fn add_clearance(
        &mut self,
        place: &Place<'d>,
        (name, kind): (&str, JointKind),
        clearance: &Clearance,
        sides: [&JointSide; 2],
    ) {
        let seats = seats(kind, clearance, sides.map(|side| &side.1));
        let mut made = Vec::new();
        for Seat { suffix, around, pin } in seats {
            let words = [around.name(), pin.name()];
            let own = [around, pin].into_iter().zip(sides).zip(words);
            let pair: Vec<usize> = own
                .map(|((kind, (body, _)), word)| {
                    let owner = body.map_or("ground", |b| self.parts.bodies[b].name.as_str());
                    let name = format!("{owner}.{name}{}_{word}", suffix.replace('.', "_"));
                    self.parts.shapes.push(ShapePart { name, body: *body, kind });
                    self.parts.shapes.len() - 1
                })
                .collect();
            let name = format!("{name}{suffix}");
            made.push(name.clone());
            let place = ContactPlace::Shapes(pair[0], pair[1]);
            let defaults = clearance.defaults.clone();
            self.clearances.push(ContactPart { name, place, defaults });
        }
        let freed = match place.path.split_once('.') {
            Some(("joints", _)) => {
                let kind = freed_kind(self.planar);
                let words = kind.coordinate_names().join(", ");
                format!("the joint is {} with the coordinates {words}", kind.name())
            }
            _ => "nothing else closes the loop here".to_owned(),
        };
        let many = if made.len() == 1 { "the contact" } else { "the contacts" };
        let names = made.join(", ");
        let caution = Caution::Clearance(format!("its clearance is {many} {names}; {freed}"));
        let origin = place.get("clearance").map(|(node, _)| node.origin.clone());
        self.warnings.push(Warning { path: place.path.clone(), origin, caution });
    }

    /// The contacts of joints with a clearance, behind all others.
    pub(super) fn contacts_of_clearances(&mut self) {
        for contact in std::mem::take(&mut self.clearances) {
            let known = self.parts.contacts.iter().any(|other| other.name == contact.name);
            if known {
                let path = joined("contacts", &contact.name);
                let origin = self.description.locate(&path);
                let why = format!(
                    "the joint or closure `{}` has a clearance, whose contact has this name; give the other one another name",
                    contact.name
                );
                self.note(&path, origin.as_ref(), Mistake::Conflict(why));
            } else {
                self.parts.contacts.push(contact);
            }
        }
    }
}

/// What a joint with a clearance becomes.
pub(super) fn freed_kind(planar: bool) -> JointKind {
    if planar { JointKind::Planar } else { JointKind::Floating }
}

/// The frame of the free motion: that of the joint, but for a slide in the plane, where x is along it.
pub(super) fn freed_frame(kind: JointKind, frame: &Pose) -> Pose {
    if kind != JointKind::Prismatic {
        return *frame;
    }
    let along = frame.rotation.column(2).into_owned();
    let rotation = Mat3::from_columns(&[along, Vec3::z().cross(&along), Vec3::z()]);
    Pose { rotation, position: frame.position }
}

/// Coordinates of the joint as those of the free motion: none of its play, and a quaternion or turn where it has one.
pub(super) fn freed_positions(kind: JointKind, planar: bool, own: &[f64]) -> Vec<f64> {
    match (kind, planar) {
        (JointKind::Prismatic, _) => vec![own[0], 0.0, 0.0],
        (_, true) => vec![0.0, 0.0, own[0]],
        (JointKind::Revolute, _) => {
            let (s, c) = (0.5 * own[0]).sin_cos();
            vec![0.0, 0.0, 0.0, c, 0.0, 0.0, s]
        }
        _ => [&[0.0; 3], own].concat(),
    }
}

/// The same of velocities.
pub(super) fn freed_velocities(kind: JointKind, planar: bool, own: &[f64]) -> Vec<f64> {
    match (kind, planar) {
        (JointKind::Prismatic, _) => vec![own[0], 0.0, 0.0],
        (_, true) => vec![0.0, 0.0, own[0]],
        (JointKind::Revolute, _) => vec![0.0, 0.0, 0.0, 0.0, 0.0, own[0]],
        _ => [&[0.0; 3], own].concat(),
    }
}

/// The pairs of shapes, in the frames of the bodies.
fn seats(kind: JointKind, clearance: &Clearance, frames: [&Pose; 2]) -> Vec<Seat> {
    let &Clearance { play, radius, guide, .. } = clearance;
    let [outer, inner] = frames;
    let pin = |center: Vec3| ShapeKind::Sphere { center, radius };
    // Of slides and of shafts in space the axis is z of the joint's frame.
    let along = |frame: &Pose, part: f64| {
        let reach = part * guide.unwrap_or(0.0);
        frame.position + frame.rotation.column(2) * reach
    };
    let socket = |suffix, part: f64| Seat {
        suffix,
        around: ShapeKind::Hollow { center: along(outer, part), radius: radius + play },
        pin: pin(along(inner, part)),
    };
    let wall = |suffix, part: f64, side: f64| {
        let across = Vec3::z().cross(&outer.rotation.column(2).into_owned()) * side;
        let at = outer.position + across * (radius + play);
        Seat {
            suffix,
            around: ShapeKind::Plane { at, normal: -across },
            pin: pin(along(inner, part)),
        }
    };
    match (kind, guide) {
        (JointKind::Prismatic, _) => vec![
            wall(".1.left", -0.5, 1.0),
            wall(".1.right", -0.5, -1.0),
            wall(".2.left", 0.5, 1.0),
            wall(".2.right", 0.5, -1.0),
        ],
        (_, Some(_)) => vec![socket(".1", -0.5), socket(".2", 0.5)],
        _ => vec![socket("", 0.0)],
    }
}
