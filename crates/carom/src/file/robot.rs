//! A robot's file in the place of a model file, or under one: `[robot] source = "arm.urdf"`.

use std::path::{Component, Path, PathBuf};

use super::toml::SyntaxFault;
use super::{LoadError, Places, Source, binary, read};
use crate::maths::nearest::nearest;
use crate::maths::units::Dimension;
use crate::model::builder::keys::{PAYLOAD, ROBOT, Section, WRITTEN};
use crate::model::description::{Description, Node, Table, Value};
use crate::model::{Finding, Mistake, quantity_at};
use crate::robot::{Fault, Geometry, Note, Options, Robot, density, mjcf, model_file, urdf};

/// Whether a file is a robot's, by its name.
pub(super) fn is_robot(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
    matches!(extension.as_deref(), Some("urdf" | "xml" | "mjcf"))
}

/// The model file that a robot's file becomes: URDF, or MJCF by its root element.
pub(super) fn model_of(
    path: &Path,
    source: &Source,
    options: &Options,
) -> Result<Source, LoadError> {
    let text = source.text();
    if let Some(at) = text.find('\0') {
        return Err(binary(source.name().to_owned(), text.as_bytes(), at));
    }
    let mut whole = source.clone();
    let folder = path.parent().unwrap_or(Path::new(""));
    let places = Places { folders: vec![folder.to_owned()], packages: options.packages.clone() };
    let read = if mjcf::is_robot(text) {
        let mesh = |file: &str| places.read_first_object(file);
        let mut part = |file: &str| included_file(folder, file);
        let mjcf::MjcfReading { included, robot } =
            mjcf::read(source.name(), text, &mut part, &mesh);
        // Places in the robot count through the included texts and then through its own.
        let texts = included.iter().map(|(name, text)| Source::new(name, text));
        if let Some(before) = texts.reduce(|before, next| next.over(&before)) {
            whole = source.over(&before);
        }
        robot
    } else {
        urdf::read(text)
    };
    let refused = |faults: Vec<Fault>| LoadError::Syntax {
        source_text: whole.clone(),
        faults: faults
            .into_iter()
            .map(|Fault { span, message }| SyntaxFault { span, message })
            .collect(),
    };
    let (mut robot, mut notes) = read.map_err(refused)?;
    if !options.densities.is_empty() {
        let mut mesh = |file: &str| places.read(file).map_err(|why| format!("`{file}`: {why}"));
        density::fill(&mut robot, options, &mut notes, &mut mesh).map_err(refused)?;
    }
    if let Some(out) = &options.out {
        named_from(&mut robot, folder, out, &mut notes);
    }
    let file = Path::new(source.name()).file_name().map(|name| name.to_string_lossy());
    let file = file.as_deref().unwrap_or(source.name());
    let model = model_file(robot, options, file, notes).map_err(refused)?;
    Ok(Source::new(&format!("{} (as a model file)", source.name()), &model))
}

/// Names mesh files from the folder in which the model file will stand. Those that then lie outside of it are read only with a package's folder,
/// which a note says.
fn named_from(robot: &mut Robot, folder: &Path, out: &Path, notes: &mut Vec<Note>) {
    let whole = |path: &Path| {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        path.canonicalize().ok()
    };
    let (Some(from), Some(to)) = (whole(out), whole(folder)) else { return };
    if from == to {
        return;
    }
    let common = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().count() - common;
    let way: PathBuf =
        std::iter::repeat_n(Component::ParentDir, up).chain(to.components().skip(common)).collect();
    let mut outside = 0;
    for shape in robot.links.iter_mut().flat_map(|l| l.visuals.iter_mut().chain(&mut l.shapes)) {
        if let Geometry::Mesh { file, .. } = &mut shape.geometry
            && !file.contains("://")
            && Path::new(file).is_relative()
        {
            *file = way.join(&*file).to_string_lossy().into_owned();
            outside += usize::from(up > 0);
        }
    }
    if outside > 0 {
        notes.push(Note::new(format!(
            "{outside} meshes lie outside the folder of the model file: they are drawn where their folder is given, as by --package NAME={}",
            way.display()
        )));
    }
}

/// The file that an `<include>` names: in the robot's folder or below it, and no link that leads out of it.
fn included_file(folder: &Path, file: &str) -> Result<(String, String), String> {
    let path = Path::new(file);
    let inside = path.components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
    let place = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let outside = || {
        let shown: String = file.chars().take(60).collect();
        format!("`{shown}` is not in the robot's folder or below it: only files there are included")
    };
    if !inside {
        return Err(outside());
    }
    let names = path.components().filter(|c| matches!(c, Component::Normal(_)));
    let path = names.fold(folder.to_owned(), |path, name| path.join(name));
    let unreadable =
        |error: std::io::Error| format!("`{}` cannot be read: {error}", path.display());
    let real = path.canonicalize().map_err(unreadable)?;
    if !real.starts_with(place.canonicalize().map_err(unreadable)?) {
        return Err(outside());
    }
    let source = read(&path).map_err(|error| error.to_string())?;
    if let Some(at) = source.text().find('\0') {
        return Err(binary(source.name().to_owned(), source.text().as_bytes(), at).to_string());
    }
    Ok((source.name().to_owned(), source.text().to_owned()))
}

/// Reads a robot's file with options, as a model file; `shown` says whether messages may repeat its lines.
pub(super) fn read_model(path: &Path, options: &Options, shown: bool) -> Result<Source, LoadError> {
    let source = read(path)?;
    model_of(path, &if shown { source } else { source.without_excerpts() }, options)
}

/// The robot's file that a description stands over.
pub(super) fn source_of(description: &Description) -> Option<String> {
    match &description.node("robot.source")?.value {
        Value::Text { text, .. } => Some(text.clone()),
        _ => None,
    }
}

/// The options of `[robot]`.
pub(super) fn options_of(source: &Source, description: &Description) -> Result<Options, LoadError> {
    let mut asked = Asked { description, findings: Vec::new() };
    let options = asked.read();
    if asked.findings.is_empty() {
        return Ok(options);
    }
    Err(LoadError::Refused { source_text: source.clone(), findings: asked.findings })
}

/// Reads options and notes what is wrong with them.
struct Asked<'d> {
    description: &'d Description,
    findings: Vec<Finding>,
}

impl<'d> Asked<'d> {
    fn read(&mut self) -> Options {
        let Some(Node { value: Value::Table(table), .. }) = self.description.root.get("robot")
        else {
            return Options::default();
        };
        self.check_keys(table, "robot", &ROBOT);
        if let Some(Value::Table(payload)) = table.get("payload").map(|node| &node.value) {
            self.check_keys(payload, "robot.payload", &PAYLOAD);
        }
        for written in WRITTEN {
            if table.get(written).is_some() {
                let why = "this is written by the reader of a robot's file and does not stand beside `source`";
                self.wrong(&format!("robot.{written}"), Mistake::Conflict(why.to_owned()));
            }
        }
        let payload = table.get("payload").and_then(|_| {
            let mass = self.number("robot.payload.mass", &[Dimension::MASS])?;
            let at = if self.description.node("robot.payload.at").is_some() {
                let mut entry =
                    |k: usize| self.number(&format!("robot.payload.at.{k}"), &[Dimension::LENGTH]);
                [entry(0)?, entry(1)?, entry(2)?]
            } else {
                [0.0; 3]
            };
            Some((mass, at))
        });
        Options {
            floating: self.word(table, "base", ["fixed", "floating"]),
            rotors: self.numbers(table, "rotors", &[Dimension::INERTIA, Dimension::MASS]),
            keyframe: table.get("keyframe").and_then(|node| self.text(node, "robot.keyframe")),
            stops: self.word(table, "joint_limits", ["ranges", "stops"]),
            drop: self.texts(table, "drop"),
            weld: self.texts(table, "weld"),
            locked: self.numbers(table, "locked", &[Dimension::ANGLE, Dimension::LENGTH]),
            tip: table.get("tip").and_then(|node| self.text(node, "robot.tip")),
            payload,
            densities: self.densities(table),
            out: None,
            sets: Vec::new(),
            packages: Vec::new(),
        }
    }

    /// One density for all links without a stated inertia, or a table of links.
    fn densities(&mut self, table: &'d Table) -> Vec<(String, f64)> {
        match table.get("density").map(|node| &node.value) {
            None => Vec::new(),
            Some(Value::Table(_)) => self.numbers(table, "density", &[Dimension::DENSITY]),
            Some(_) => {
                let found = self.number("robot.density", &[Dimension::DENSITY]);
                found.map(|x| (String::new(), x)).into_iter().collect()
            }
        }
    }

    fn check_keys(&mut self, table: &Table, path: &str, section: &Section) {
        let known = |key: &str| section.keys.iter().any(|k| k.name == key);
        for entry in table.entries().iter().filter(|entry| !known(&entry.key)) {
            let hint = nearest(&entry.key, section.keys.iter().map(|k| k.name))
                .map_or_else(String::new, |near| format!("; is `{near}` meant?"));
            let key = entry.key.chars().take(60).collect();
            let path = below(path, &entry.key);
            self.wrong(&path, Mistake::UnknownKey { key, section: section.what, hint });
        }
    }

    fn wrong(&mut self, path: &str, mistake: Mistake) {
        let origin = self.description.locate(path);
        self.findings.push(Finding { path: path.to_owned(), origin, mistake });
    }

    fn text(&mut self, node: &Node, path: &str) -> Option<String> {
        match &node.value {
            Value::Text { text, .. } => Some(text.clone()),
            other => {
                self.wrong(path, Mistake::WrongKind { found: other.kind(), expected: "a text" });
                None
            }
        }
    }

    /// Whether the second of two words stands there.
    fn word(&mut self, table: &'d Table, key: &str, words: [&str; 2]) -> bool {
        let path = format!("robot.{key}");
        let Some(word) = table.get(key).and_then(|node| self.text(node, &path)) else {
            return false;
        };
        if !words.contains(&word.as_str()) {
            let hint = format!("; known: {}, {}", words[0], words[1]);
            let found = word.chars().take(60).collect();
            self.wrong(&path, Mistake::UnknownWord { found, what: "choice", hint });
        }
        word == words[1]
    }

    fn texts(&mut self, table: &'d Table, key: &str) -> Vec<String> {
        let path = format!("robot.{key}");
        match table.get(key).map(|node| &node.value) {
            None => Vec::new(),
            Some(Value::List(list)) => {
                list.iter().filter_map(|node| self.text(node, &path)).collect()
            }
            Some(other) => {
                self.wrong(
                    &path,
                    Mistake::WrongKind { found: other.kind(), expected: "a list of names" },
                );
                Vec::new()
            }
        }
    }

    /// A quantity of one of these dimensions.
    fn number(&mut self, path: &str, expected: &[Dimension]) -> Option<f64> {
        match quantity_at(self.description, path, expected) {
            Ok(found) => return Some(found),
            Err(Some(finding)) => self.findings.push(*finding),
            Err(None) => {
                self.wrong(path, Mistake::Conflict("expected a number or a quantity".to_owned()));
            }
        }
        None
    }

    /// Names to numbers.
    fn numbers(
        &mut self,
        table: &'d Table,
        key: &str,
        expected: &[Dimension],
    ) -> Vec<(String, f64)> {
        let path = format!("robot.{key}");
        match table.get(key).map(|node| &node.value) {
            None => Vec::new(),
            Some(Value::Table(inner)) => inner
                .entries()
                .iter()
                .filter_map(|entry| {
                    let number = self.number(&below(&path, &entry.key), expected)?;
                    Some((entry.key.clone(), number))
                })
                .collect(),
            Some(other) => {
                let expected = "a table of joints to numbers";
                self.wrong(&path, Mistake::WrongKind { found: other.kind(), expected });
                Vec::new()
            }
        }
    }
}

/// Appends a key to a path; a key with a dot is put in quotes.
fn below(path: &str, key: &str) -> String {
    if key.contains('.') { format!("{path}.\"{key}\"") } else { format!("{path}.{key}") }
}
