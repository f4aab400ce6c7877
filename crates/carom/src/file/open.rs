//! From a file to a machine that stands: load, check the contacts, assemble, settle sides.
//!
//! This is the way every door goes in (the command, tests, a package for another language), so that
//! each sees the same state and the same messages.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{LoadError, Loaded, Source, overlay, parse};
use crate::contact::hertz::HertzError;
use crate::contact::law::{LawError, Parameter};
use crate::contact::{ContactError, StandError};
use crate::dynamics::{Assembled, DynamicsError};
use crate::model::{Body, Description, Model};
use crate::simulate::{MotionError, SimulateError};

/// A loaded model, assembled; its segments know their outer sides.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The model and what it came from.
    pub loaded: Loaded,
    /// The state and what it took to reach it.
    pub assembled: Assembled,
}

impl Opened {
    /// The model.
    pub fn model(&self) -> &Model {
        &self.loaded.model
    }
}

/// Why a file gives no machine that stands. Its text is complete: names, lines, columns, excerpts.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The file gives no model.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// Contacts whose geometry is refused.
    #[error("{text}")]
    Contact {
        /// The message.
        text: String,
        /// What is wrong, one entry per contact.
        errors: Vec<ContactError>,
    },
    /// Contacts whose law is refused.
    #[error("{text}")]
    Law {
        /// The message.
        text: String,
        /// What is wrong, by the names of the contacts.
        errors: Vec<(String, LawError)>,
    },
    /// The model cannot be assembled.
    #[error("{text}")]
    Dynamics {
        /// The message.
        text: String,
        /// What is wrong.
        error: DynamicsError,
    },
}

/// Opens a model file; `sets` are edits by path, as of `--set`.
pub fn open(path: &Path, sets: &[(String, String)]) -> Result<Opened, OpenError> {
    open_in(path, sets, &[])
}

/// Opens a model file whose meshes may also lie in the folders of packages, by the names of `package://NAME/…`.
pub fn open_in(
    path: &Path,
    sets: &[(String, String)],
    packages: &[(String, PathBuf)],
) -> Result<Opened, OpenError> {
    stand(overlay::load(path, sets, packages)?)
}

/// Opens the model of a text; `name` stands for the file in messages.
pub fn open_text(name: &str, text: &str, sets: &[(String, String)]) -> Result<Opened, OpenError> {
    stand(parse(name, text, sets)?)
}

/// Assembles a loaded model and settles what its pose decides.
pub fn stand(mut loaded: Loaded) -> Result<Opened, OpenError> {
    match crate::contact::stand(&mut loaded.model) {
        Ok(assembled) => Ok(Opened { loaded, assembled }),
        Err(StandError::Contacts(errors)) => Err(refused(&loaded, errors)),
        Err(StandError::Laws(errors)) => {
            let texts: Vec<String> =
                errors.iter().map(|(contact, error)| loaded.explain_law(contact, error)).collect();
            Err(OpenError::Law { text: texts.join("\n"), errors })
        }
        Err(StandError::Dynamics(error)) => {
            let text = loaded.explain_dynamics(&error);
            Err(OpenError::Dynamics { text, error })
        }
    }
}

impl Loaded {
    /// A message of the dynamics, with the place in the file it is about.
    pub fn explain_dynamics(&self, error: &DynamicsError) -> String {
        let mut message = error.to_string();
        let path = match error {
            DynamicsError::NoInertia { joint, .. } | DynamicsError::NoRotation { joint, .. } => {
                below("joints", joint)
            }
            DynamicsError::NotAssembled { open } | DynamicsError::NoVelocity { open } => {
                open.first().map_or_else(String::new, |(owner, _)| owner_path(owner))
            }
            DynamicsError::TooManyRows { .. } => "closures".to_owned(),
            DynamicsError::NoBranch { .. } => "initial.branch".to_owned(),
            DynamicsError::NoEnergy { .. } => "initial.kinetic_energy".to_owned(),
            DynamicsError::LoadNotFinite { load, .. }
            | DynamicsError::SpringWithoutDirection { load } => below("loads", load),
            DynamicsError::NotFinite { found, entry, of } => {
                let holds = |b: &&Body| match *of {
                    "q" => b.joint.positions().contains(entry),
                    _ => b.joint.velocities().contains(entry),
                };
                let joint = self.model.bodies.iter().find(holds).map(|b| b.joint.name.as_str());
                let path = joint.map_or_else(String::new, |name| below("joints", name));
                message = format!(
                    "{path}: its entry of {of} comes out as {found}; the file holds numbers too \
                     large or too small to compute with"
                );
                path
            }
            DynamicsError::WrongSize { .. } | DynamicsError::NoSuchJoint { .. } => String::new(),
        };
        place(&self.source, &self.description, &path, &message)
    }

    /// A message of a contact's geometry, with the place in the file it is about.
    pub fn explain_contact(&self, error: &ContactError) -> String {
        let path = match error {
            ContactError::NoSuchContact { .. } => return error.to_string(),
            ContactError::TooManyRows { .. } => "contacts".to_owned(),
            ContactError::UnsupportedPair { contact, .. } => {
                let key = if contact.contains('.') { "among" } else { "between" };
                format!("{}.{key}", contact_path(&self.description, contact))
            }
            ContactError::SideUnknown { shape, .. } | ContactError::SidesDisagree { shape, .. } => {
                shape_path(shape)
            }
            ContactError::NotDefined { contact, .. }
            | ContactError::NeedsCoordinate { contact }
            | ContactError::NoSuchPoint { contact, .. } => contact_path(&self.description, contact),
        };
        place(&self.source, &self.description, &path, &error.to_string())
    }

    /// A message of a contact's stiffness, with the place in the file it is about.
    pub fn explain_stiffness(&self, error: &HertzError) -> String {
        let contact = match error {
            HertzError::Geometry(error) => return self.explain_contact(error),
            HertzError::Unsupported { contact, .. }
            | HertzError::Keys { contact, .. }
            | HertzError::At { contact, .. } => contact,
            other => return other.to_string(),
        };
        let path = format!("{}.materials", contact_path(&self.description, contact));
        place(&self.source, &self.description, &path, &error.to_string())
    }

    /// A message of a contact's law, with the place in the file it is about.
    pub fn explain_law(&self, contact: &str, error: &LawError) -> String {
        let contact = contact_path(&self.description, contact);
        let key = match error {
            LawError::OutOfRange { what, .. }
                if Parameter::ALL.iter().any(|p| p.name() == *what) =>
            {
                what
            }
            LawError::NotFinite { .. }
                if self.description.locate(&format!("{contact}.force")).is_some() =>
            {
                "force"
            }
            _ => "law",
        };
        let message = format!("{contact}: {error}");
        place(&self.source, &self.description, &format!("{contact}.{key}"), &message)
    }

    /// A message of a run, with the place in the file it is about.
    pub fn explain_simulation(&self, error: &SimulateError) -> String {
        let key = match error {
            SimulateError::Law { contact, error } => return self.explain_law(contact, error),
            SimulateError::Stiffness(error) => return self.explain_stiffness(error),
            SimulateError::Motion { t, error } => {
                let text = match error {
                    MotionError::Dynamics(error) => self.explain_dynamics(error),
                    MotionError::Contact(error) => self.explain_contact(error),
                    MotionError::Jammed { joint } => {
                        let path = below("joints", joint) + ".friction";
                        place(&self.source, &self.description, &path, &error.to_string())
                    }
                    MotionError::EventNotFinite { event, found } => {
                        let path = below("events", event) + ".expression";
                        let text = format!("{path}: it is {found}, not a finite number");
                        place(&self.source, &self.description, &path, &text)
                    }
                };
                return format!("at t = {t} s: {text}");
            }
            SimulateError::Incomplete { .. } => ".law",
            SimulateError::Sticks { .. } | SimulateError::Bristles { .. } => ".friction",
            _ => "",
        };
        let path = match (error.contact(), error) {
            (Some(contact), _) => below("contacts", contact) + key,
            (None, SimulateError::NoDuration) => "simulation".to_owned(),
            (None, SimulateError::DriveJumps { drive, .. }) => below("drives", drive) + ".motion",
            (None, _) => String::new(),
        };
        place(&self.source, &self.description, &path, &error.to_string())
    }
}

fn refused(loaded: &Loaded, errors: Vec<ContactError>) -> OpenError {
    let texts: Vec<String> = errors.iter().map(|e| loaded.explain_contact(e)).collect();
    OpenError::Contact { text: texts.join("\n"), errors }
}

/// The message itself names what it is about; the file, line and excerpt stand around it.
fn place(source: &Source, description: &Description, path: &str, message: &str) -> String {
    let origin = description.locate(path);
    let mut text = source.render("", origin.as_ref(), message);
    text.truncate(text.trim_end().len());
    text
}

/// The path of a named table; a name with a dot stands in quotes.
fn below(table: &str, name: &str) -> String {
    if name.contains('.') { format!("{table}.\"{name}\"") } else { format!("{table}.{name}") }
}

/// The table of a contact: that of all pairs where it is one of them, `NAME.FIRST.SECOND`, and that of the joint whose clearance it is.
fn contact_path(description: &Description, name: &str) -> String {
    let table = name.split_once('.').map_or(name, |(table, _)| table);
    let own = format!("contacts.{table}");
    if description.locate(&own).is_some() {
        return own;
    }
    let of_joint = ["joints", "closures"].map(|section| format!("{section}.{table}.contact"));
    of_joint.into_iter().find(|path| description.locate(path).is_some()).unwrap_or(own)
}

/// `closures.NAME` or `initial.points.BODY.MARKER` of an assembly message, as a path of the file.
fn owner_path(owner: &str) -> String {
    for table in ["closures", "initial.points"] {
        if let Some(name) = owner.strip_prefix(table).and_then(|rest| rest.strip_prefix('.')) {
            return below(table, name);
        }
    }
    owner.to_owned()
}

/// `BODY.SHAPE` as a path of the file.
fn shape_path(shape: &str) -> String {
    match shape.rsplit_once('.') {
        Some(("ground", name)) => format!("ground.contact.{name}"),
        Some((body, name)) => format!("{}.contact.{name}", below("bodies", body)),
        None => "contacts".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n";

    #[test]
    fn a_segment_without_a_side_looks_at_its_partner() {
        let text = format!(
            "{HEAD}[bodies.ball]\nmass = 1\ninertia = 1\ncontact.skin = {{ sphere = 0.1 }}\n\
             [ground.contact]\nfloor = {{ segment = [[-1, 0], [1, 0]] }}\n\
             [joints.free]\ntype = \"floating\"\nconnects = [\"ground\", \"ball\"]\n\
             position = [0, 1, 0]\n\
             [contacts.drop]\nbetween = [\"ball.skin\", \"ground.floor\"]\n"
        );
        assert!(open_text("ball.toml", &text, &[]).is_ok());
        let on_the_line = [("joints.free.position.1".to_owned(), "0".to_owned())];
        let error = open_text("ball.toml", &text, &on_the_line).unwrap_err();
        assert!(error.to_string().starts_with("ball.toml:9:1: contacts.drop:"), "{error}");
        assert!(matches!(error, OpenError::Contact { .. }));
    }

    #[test]
    fn an_unsupported_pair_is_shown_where_it_is_written() {
        let text = format!(
            "{HEAD}[bodies.a]\nmass = 1\ninertia = 1\ncontact.p = {{ box = [1, 1] }}\n\
             [ground.contact]\nq = {{ hollow = 2 }}\n\
             [joints.free]\ntype = \"floating\"\nconnects = [\"ground\", \"a\"]\n\
             [contacts.odd]\nbetween = [\"a.p\", \"ground.q\"]\n"
        );
        let error = open_text("odd.toml", &text, &[]).unwrap_err().to_string();
        assert!(error.starts_with("odd.toml:14:11: contacts.odd: contact of a box"), "{error}");
        assert!(error.contains("between = "), "{error}");
    }

    #[test]
    fn numbers_that_overflow_are_shown_at_their_joint() {
        let text = format!(
            "{HEAD}[bodies.a]\nmass = 1\ninertia = 1\n[joints.slide]\ntype = \"prismatic\"\n\
             connects = [\"ground\", \"a\"]\nvelocity = 1\n"
        );
        let opened = open_text("fast.toml", &text, &[]).unwrap();
        for of in ["q", "v"] {
            let error = DynamicsError::NotFinite { found: f64::NAN, entry: 0, of };
            let text = opened.loaded.explain_dynamics(&error);
            assert!(text.starts_with("fast.toml:7:9: joints.slide: "), "{text}");
        }
        let huge = [("joints.slide.velocity".to_owned(), "-1e308".to_owned())];
        let text = open_text("fast.toml", &text, &huge).unwrap_err().to_string();
        assert!(text.contains("-1e308 is not a number between -1e60 and 1e60"), "{text}");
    }

    #[test]
    fn ten_thousand_closures_of_one_body_are_refused_and_of_many_are_not() {
        const N: usize = 10_000;
        let joint = |k: usize| {
            format!(
                "[bodies.b{k}]\nmass = 1\ninertia = 1\n\
                 [joints.j{k}]\ntype = \"revolute\"\nconnects = [\"ground\", \"b{k}\"]\n"
            )
        };
        let closure = |k: usize, body: usize| {
            format!(
                "[closures.c{k}]\ntype = \"point-on-line\"\nconnects = [\"ground\", \"b{body}\"]\n\
                 at = [[0, 0], [1, 0]]\ndirection = [1, 0]\n"
            )
        };
        let one: String = (0..N).map(|k| closure(k, 0)).collect();
        let error = open_text("one.toml", &format!("{HEAD}{}{one}", joint(0)), &[]).unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("one.toml:") && text.contains("10000 closure rows"), "{text}");
        let many: String = (0..N).map(|k| joint(k) + &closure(k, k)).collect();
        let opened = open_text("many.toml", &format!("{HEAD}{many}"), &[]).unwrap();
        assert!(opened.assembled.residuals.iter().all(|(_, r)| *r < 1e-12));
    }

    #[test]
    fn an_open_loop_is_shown_at_its_closure() {
        let text = format!(
            "{HEAD}[bodies.a]\nmass = 1\ninertia = 1\n\
             [joints.pivot]\ntype = \"revolute\"\nconnects = [\"ground\", \"a\"]\n\
             [closures.far]\ntype = \"revolute\"\nconnects = [\"ground\", \"a\"]\n\
             at = [[5, 0], [1, 0]]\n"
        );
        let error = open_text("open.toml", &text, &[]).unwrap_err();
        assert!(matches!(error, OpenError::Dynamics { .. }));
        let text = error.to_string();
        assert!(text.starts_with("open.toml:10:"), "{text}");
        assert!(text.contains("closures.far by 4.000e0"), "{text}");
    }
}
