//! A robot as the text of a model file.

use std::fmt::Write as _;

use super::closure::closures;
use super::couple::{Coupling, couplings, start};
use super::merge::{Body, Merged, merge};
use super::names::{Name, names};
use super::shapes::contact_shapes;
use super::tree::{apply, tree, unknown};
use super::visuals::{Unread, visuals};
use super::{Fault, Joint, JointMotion, Note, Options, Robot, angles_of, plausible};
use crate::maths::{Pose, Vec3};
use crate::model::{JointKind, NO_MASS};

/// Acceleration of free fall \[m/s²\], along −z: robots' files have z up and state no gravity.
const GRAVITY: f64 = 9.81;

/// The model file of a robot; `source` is the name of the file it comes from, `notes` what its reader decided.
pub fn model_file(
    mut robot: Robot,
    options: &Options,
    source: &str,
    mut notes: Vec<Note>,
) -> Result<String, Vec<Fault>> {
    let drop = apply(&mut robot, options, &mut notes)?;
    let tree = tree(&robot, &drop)?;
    let merged = merge(&robot, &tree, options.floating, &mut notes)?;
    if merged.bodies.is_empty() {
        let message = "no joint moves a link and the base is ground: nothing moves (--base floating frees it)";
        return Err(vec![Fault::at(&robot.links[tree.root].span, message)]);
    }
    let couplings = couplings(&mut robot, &merged, &mut notes)?;
    let links = names("link", robot.links.iter().map(|l| (l.name.as_str(), &l.span)), &mut notes)?;
    let joints =
        names("joint", robot.joints.iter().map(|j| (j.name.as_str(), &j.span)), &mut notes)?;
    plausible::doubts(&robot, &merged, &mut notes);
    let tip = tip(&robot, &merged, options)?;
    let writer = Writer { robot: &robot, merged: &merged, options, links, joints, tip };
    writer.text(&couplings, source, notes)
}

/// Body (`None`: ground) of the tip and its frame there.
type Tip = Option<(Option<usize>, Pose)>;

fn tip(robot: &Robot, merged: &Merged, options: &Options) -> Result<Tip, Vec<Fault>> {
    let Some(name) = &options.tip else {
        return match options.payload {
            Some(_) => {
                Err(vec![Fault::of_all("payload: it is held at the tip; name a link as `tip`")])
            }
            None => Ok(None),
        };
    };
    let Some(link) = robot.links.iter().position(|l| l.name == *name) else {
        let known = robot.links.iter().map(|l| l.name.as_str());
        return Err(vec![unknown("tip", "link", name, known)]);
    };
    let place = merged.place[link];
    match (place, options.payload) {
        (None, _) => Err(vec![Fault::of_all(format!("tip: link `{name}` is left out"))]),
        (Some((None, _)), Some(_)) => Err(vec![Fault::of_all(format!(
            "payload: the tip `{name}` is ground and carries nothing"
        ))]),
        (_, Some((mass, _))) if !(mass.is_finite() && mass > 0.0) => {
            Err(vec![Fault::of_all(format!("payload: {mass} is not a positive mass [kg]"))])
        }
        _ => Ok(place),
    }
}

struct Writer<'r> {
    robot: &'r Robot,
    merged: &'r Merged,
    options: &'r Options,
    links: Vec<Name>,
    joints: Vec<Name>,
    tip: Tip,
}

impl Writer<'_> {
    fn text(
        &self,
        couplings: &[Coupling],
        source: &str,
        mut notes: Vec<Note>,
    ) -> Result<String, Vec<Fault>> {
        let mut unread = Unread::default();
        let mut body = String::new();
        self.ground(&mut body, &mut unread)?;
        for k in 0..self.merged.bodies.len() {
            self.body(k, &mut body, &mut unread)?;
        }
        for part in &self.merged.bodies {
            self.joint(part, &mut body);
        }
        self.payload(&mut body, &mut notes)?;
        for coupling in couplings {
            let [joint, other] = [coupling.joint, coupling.other].map(|j| &self.joints[j].new);
            let factor = rounded(-coupling.multiplier);
            section(&mut body, &format!("closures.{}", key(&format!("mimic_{joint}"))));
            line(&mut body, "type", "\"coupling\"");
            line(
                &mut body,
                "joints",
                &format!("{{ {} = 1, {} = {factor} }}", key(joint), key(other)),
            );
            line(&mut body, "offset", &rounded(coupling.offset));
        }
        let names = (self.links.as_slice(), self.joints.as_slice());
        closures(self.robot, self.merged, names, &mut body, &mut notes)?;
        unread.tell(&mut notes);
        self.note_friction(&mut notes);
        self.note_motors(&mut notes);
        let gravity = self.robot.gravity.unwrap_or_else(|| {
            notes.push(Note::new(format!(
                "gravity: {GRAVITY} m/s² along −z, which the format does not state"
            )));
            Vec3::new(0.0, 0.0, -GRAVITY)
        });
        let mut out = String::new();
        line(&mut out, "carom", "1");
        let title = if self.robot.name.is_empty() { source } else { &self.robot.name };
        line(&mut out, "title", &quoted(title));
        line(&mut out, "space", "\"spatial\"");
        line(&mut out, "gravity", &list(gravity.as_slice()));
        section(&mut out, "robot");
        line(&mut out, "imported", &quoted(source));
        for (name, doubt) in [("notes", false), ("doubts", true)] {
            let texts: Vec<String> = notes
                .iter()
                .filter(|n| n.doubt == doubt)
                .map(|n| format!("  {},\n", quoted(&n.message)))
                .collect();
            if !texts.is_empty() {
                line(&mut out, name, &format!("[\n{}]", texts.concat()));
            }
        }
        Ok(out + &body)
    }

    fn ground(&self, out: &mut String, unread: &mut Unread) -> Result<(), Vec<Fault>> {
        if self.merged.ground.is_empty() {
            return Ok(());
        }
        section(out, "ground");
        self.points(None, &self.merged.ground, out)?;
        self.shapes(&self.merged.ground, out, unread);
        Ok(())
    }

    fn body(&self, k: usize, out: &mut String, unread: &mut Unread) -> Result<(), Vec<Fault>> {
        let body = &self.merged.bodies[k];
        let name = &self.links[body.link];
        section(out, &format!("bodies.{}", key(&name.new)));
        if let Some(title) = &name.title {
            line(out, "title", &quoted(title));
        }
        let mass = if body.mass > 0.0 { body.mass } else { NO_MASS };
        line(out, "mass", &rounded(mass));
        line(out, "center", &list(body.center.as_slice()));
        let J = &body.inertia;
        let entries = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].map(|at| J[at]);
        line(out, "inertia", &list(&entries));
        self.points(Some(k), &body.links[1..], out)?;
        self.shapes(&body.links, out, unread);
        Ok(())
    }

    /// Contact shapes of links, and what the links look like.
    fn shapes(&self, links: &[(usize, Pose)], out: &mut String, unread: &mut Unread) {
        for (name, shape) in contact_shapes(self.robot, links) {
            line(out, &format!("contact.{}", key(&name)), &shape);
        }
        for (name, look) in visuals(self.robot, links, unread) {
            line(out, &format!("visual.{}", key(&name)), &look);
        }
    }

    /// Markers at the frames of links, with their z axes.
    fn points(
        &self,
        body: Option<usize>,
        links: &[(usize, Pose)],
        out: &mut String,
    ) -> Result<(), Vec<Fault>> {
        let marker = |pose: &Pose| {
            let z = pose.rotation.column(2).into_owned();
            format!(
                "{{ at = {}, direction = {} }}",
                list(pose.position.as_slice()),
                list(z.as_slice())
            )
        };
        for (link, pose) in links {
            line(out, &format!("markers.{}", key(&self.links[*link].new)), &marker(pose));
        }
        if let Some((at, pose)) = &self.tip
            && *at == body
        {
            let taken = links.iter().find(|(link, _)| self.links[*link].new == "tip");
            match taken {
                None => line(out, "markers.tip", &marker(pose)),
                Some((link, _))
                    if Some(&self.robot.links[*link].name) == self.options.tip.as_ref() => {}
                Some((link, _)) => {
                    let span = &self.robot.links[*link].span;
                    let message = "tip: this link is called `tip` and is not the tip asked for; the marker's name is taken";
                    return Err(vec![Fault::at(span, message)]);
                }
            }
        }
        Ok(())
    }

    fn joint(&self, body: &Body, out: &mut String) {
        let child = quoted(&self.links[body.link].new);
        let Some(k) = body.joint else {
            let names: Vec<&str> = self.joints.iter().map(|n| n.new.as_str()).collect();
            let mut name = "floating_base".to_owned();
            while names.contains(&name.as_str()) {
                name.push('_');
            }
            section(out, &format!("joints.{name}"));
            line(out, "type", "\"floating\"");
            line(out, "connects", &format!("[\"ground\", {child}]"));
            return;
        };
        let (joint, name) = (&self.robot.joints[k], &self.joints[k]);
        // The parent of a kept link is kept, so it has a place.
        let (parent, pose) = self.merged.place[joint.parent].unwrap_or((None, Pose::identity()));
        let frame = pose.then(&joint.origin);
        let parent = parent.map_or("ground", |b| &self.links[self.merged.bodies[b].link].new);
        section(out, &format!("joints.{}", key(&name.new)));
        if let Some(title) = &name.title {
            line(out, "title", &quoted(title));
        }
        let word = match joint.motion {
            JointMotion::Turn => "revolute",
            JointMotion::Slide => "prismatic",
            JointMotion::Ball => "spherical",
            JointMotion::Planar => "planar",
            JointMotion::Free => "floating",
            JointMotion::Fixed => "weld",
        };
        line(out, "type", &quoted(word));
        line(out, "connects", &format!("[{}, {child}]", quoted(parent)));
        let at = frame.point(&joint.anchor);
        line(out, "at", &format!("[{}, {}]", list(at.as_slice()), list(joint.anchor.as_slice())));
        line(out, "orientation", &format!("[{}, [0, 0, 0]]", list(&angles_of(&frame.rotation))));
        if matches!(joint.motion, JointMotion::Turn | JointMotion::Slide | JointMotion::Planar) {
            line(out, "axis", &list(joint.axis.as_slice()));
        }
        let single = matches!(joint.motion, JointMotion::Turn | JointMotion::Slide);
        if joint.rotor > 0.0 {
            line(out, "rotor", &several(&vec![joint.rotor; joint.motion.counts().1]));
        }
        if let Some(position) = joint.locked {
            line(out, "locked", "true");
            line(out, "position", &rounded(position));
        } else if joint.start.kept {
            line(out, "position", &several(&joint.start.position));
            if !joint.start.velocity.is_empty() {
                line(out, "velocity", &several(&joint.start.velocity));
            }
        } else if single && start(self.robot, k) != 0.0 {
            line(out, "guess", &rounded(start(self.robot, k)));
        } else if !single && !joint.start.position.is_empty() {
            line(out, "guess", &list(&joint.start.position));
        }
        if single {
            self.one_coordinate(joint, name, out);
        } else if joint.damping > 0.0 {
            damped(joint, name, out);
        }
    }

    /// What joints with one coordinate have beside their geometry and state.
    fn one_coordinate(&self, joint: &Joint, name: &Name, out: &mut String) {
        if let Some(range) = joint.range {
            line(out, "range", &list(&range));
        }
        for (key, value) in [("max_effort", joint.max_effort), ("max_speed", joint.max_speed)] {
            if let Some(value) = value {
                line(out, key, &rounded(value));
            }
        }
        if joint.friction > 0.0 {
            line(out, "dry_friction", &rounded(joint.friction));
        }
        if joint.damping > 0.0 || joint.stiffness > 0.0 {
            let word = if joint.stiffness > 0.0 { "spring" } else { "damping" };
            section(out, &format!("loads.{}", key(&format!("{word}_{}", name.new))));
            line(out, "type", "\"joint-spring\"");
            line(out, "joint", &quoted(&name.new));
            if joint.stiffness > 0.0 {
                line(out, "stiffness", &rounded(joint.stiffness));
                line(out, "rest", &rounded(joint.rest));
            }
            if joint.damping > 0.0 {
                line(out, "damping", &rounded(joint.damping));
            }
        }
        if let Some([lower, upper]) = joint.range.filter(|_| self.options.stops) {
            section(out, &format!("contacts.{}", key(&format!("stop_{}", name.new))));
            line(out, "joint", &quoted(&name.new));
            line(out, "lower", &rounded(lower));
            line(out, "upper", &rounded(upper));
        }
    }

    fn note_friction(&self, notes: &mut Vec<Note>) {
        let moving = self.merged.bodies.iter().filter_map(|b| b.joint);
        let rubbing = moving.map(|k| &self.robot.joints[k]).filter(|j| j.friction > 0.0);
        let (one, several): (Vec<&Joint>, Vec<&Joint>) =
            rubbing.partition(|j| matches!(j.motion, JointMotion::Turn | JointMotion::Slide));
        let list = |joints: &[&Joint]| {
            joints.iter().map(|j| format!("`{}`", j.name)).collect::<Vec<_>>().join(", ")
        };
        if !several.is_empty() {
            notes.push(Note::doubt(format!(
                "constant friction of joints with several coordinates is not read: {}",
                list(&several)
            )));
        }
        if !one.is_empty() {
            notes.push(Note::new(format!(
                "constant friction is kept as `dry_friction`, which no answer uses yet: joints {}",
                list(&one)
            )));
        }
    }

    /// Joints without a motor where others have one; where none has, a caution of every answer says so.
    fn note_motors(&self, notes: &mut Vec<Note>) {
        let moving = self.merged.bodies.iter().filter_map(|b| b.joint);
        let driven = moving.map(|k| &self.robot.joints[k]).filter(|j| {
            matches!(j.motion, JointMotion::Turn | JointMotion::Slide) && j.mimic.is_none()
        });
        let (with, without): (Vec<&Joint>, Vec<&Joint>) = driven.partition(|j| j.rotor > 0.0);
        if !with.is_empty() && !without.is_empty() {
            let names: Vec<String> = without.iter().map(|j| format!("`{}`", j.name)).collect();
            notes.push(Note::new(format!(
                "motors: {} of {} joints have a rotor; without one count {}",
                with.len(),
                with.len() + without.len(),
                names.join(", ")
            )));
        }
    }

    /// The payload is a body of its own, so that answers can tell what it adds.
    fn payload(&self, out: &mut String, notes: &mut Vec<Note>) -> Result<(), Vec<Fault>> {
        let (Some((mass, at)), Some((Some(body), pose))) = (self.options.payload, self.tip) else {
            return Ok(());
        };
        if let Some(k) = self.links.iter().position(|l| l.new == "payload") {
            let message = "payload: a link has this name already";
            return Err(vec![Fault::at(&self.robot.links[k].span, message)]);
        }
        if let Some(k) = self.joints.iter().position(|j| j.new == "payload") {
            let message = "payload: a joint has this name already";
            return Err(vec![Fault::at(&self.robot.joints[k].span, message)]);
        }
        let place = list(pose.point(&at.into()).as_slice());
        let carrier = quoted(&self.links[self.merged.bodies[body].link].new);
        section(out, "bodies.payload");
        line(out, "mass", &rounded(mass));
        line(out, "shape", "{ point = true }");
        line(out, "payload", "true");
        section(out, "joints.payload");
        line(out, "type", "\"weld\"");
        line(out, "connects", &format!("[{carrier}, \"payload\"]"));
        line(out, "at", &format!("[{place}, [0, 0, 0]]"));
        notes.push(Note::new(format!("payload: a point mass of {mass} kg at the tip")));
        Ok(())
    }
}

/// Damping of a joint with several coordinates: the same for each, against its velocity.
fn damped(joint: &Joint, name: &Name, out: &mut String) {
    let coordinates: &[&str] = match joint.motion {
        JointMotion::Ball => JointKind::Spherical.coordinate_names(),
        JointMotion::Planar => JointKind::Planar.coordinate_names(),
        _ => JointKind::Floating.coordinate_names(),
    };
    for coordinate in coordinates {
        let own = format!("damping_{}_{coordinate}", name.new);
        section(out, &format!("loads.{}", key(&own)));
        line(out, "type", "\"effort\"");
        line(out, "joint", &quoted(&name.new));
        line(out, "coordinate", &quoted(coordinate));
        let effort = format!("-{} * v.{}.{coordinate}", rounded(joint.damping), name.new);
        line(out, "effort", &quoted(&effort));
    }
}

pub(super) fn section(out: &mut String, name: &str) {
    // Writing to a String cannot fail.
    let _ = write!(out, "\n[{name}]\n");
}

pub(super) fn line(out: &mut String, key: &str, value: &str) {
    let _ = writeln!(out, "{key} = {value}");
}

/// A key of TOML.
pub(super) fn key(name: &str) -> String {
    let bare = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    if bare && !name.is_empty() { name.to_owned() } else { quoted(name) }
}

/// A text of TOML.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// All digits of a number; −0 is 0.
pub(super) fn rounded(x: f64) -> String {
    format!("{:?}", if x == 0.0 { 0.0 } else { x })
}

/// One number as such, several as a list.
fn several(x: &[f64]) -> String {
    if let [one] = x { rounded(*one) } else { list(x) }
}

/// A list of numbers.
pub(super) fn list(x: &[f64]) -> String {
    let all: Vec<String> = x.iter().map(|x| rounded(*x)).collect();
    format!("[{}]", all.join(", "))
}
