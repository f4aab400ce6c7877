//! MJCF, the model format of MuJoCo: XML with `<body>`s inside each other.
//!
//! Source: MuJoCo's XML reference (mujoco.readthedocs.io/en/stable/XMLreference.html). What states masses or kinematics is read or refused by name;
//! everything else is listed. Coordinates of joints are those of the file: at its reference position `ref` a body stands where its element says.

mod attributes;
mod body;
mod classes;
mod compiler;
mod document;
mod equality;
mod geom;
mod inertia;
mod joint;
mod known;
mod mesh;
mod motors;
mod names;
mod orientation;

pub(super) use inertia::solid;

use std::collections::{BTreeMap, HashMap};

use roxmltree::Document;

use self::attributes::Item;
use self::classes::Classes;
use self::compiler::Settings;
use self::document::{Element, Elements, ROOTS, Texts};
use self::equality::Tendon;
use self::mesh::Asset;
use self::names::Names;
use super::xml::{self, cut};
use super::{Fault, Geometry, Note, Robot};
use crate::maths::Pose;

pub use document::{File, Load};
pub use mesh::LoadMesh;

/// Elements of `<actuator>`; in classes they share their attributes.
const ACTUATORS: [&str; 13] = [
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "orientation",
    "pid",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
    "dcmotor",
    "plugin",
];
/// Sections that change neither masses nor kinematics.
const UNREAD: [&str; 8] =
    ["size", "visual", "statistic", "custom", "extension", "contact", "deformable", "sensor"];
/// Sections that are read.
const READ: [&str; 9] = [
    "compiler",
    "option",
    "default",
    "asset",
    "worldbody",
    "tendon",
    "equality",
    "actuator",
    "keyframe",
];
/// Of several faults, those that are told.
const MOST_FAULTS: usize = 100;

/// What became of a robot's file.
pub struct MjcfReading {
    /// The files it includes, in the order in which they were found. Spans count through these texts, one letter between each, and then through
    /// the robot's own.
    pub included: Vec<File>,
    /// The robot and what was decided, or all that is wrong.
    pub robot: Result<(Robot, Vec<Note>), Vec<Fault>>,
}

/// Reads a robot; `load` gives the files that it includes, `load_mesh` the meshes whose masses count.
pub fn read(name: &str, text: &str, load: Load<'_>, load_mesh: LoadMesh<'_>) -> MjcfReading {
    if let Err(faults) = xml::not_empty(text, "<mujoco>") {
        return MjcfReading { included: Vec::new(), robot: Err(faults) };
    }
    let texts = Texts::gather(name, text, load);
    let faults = texts.faults();
    if !faults.is_empty() {
        return MjcfReading { included: texts.into_included(), robot: Err(faults) };
    }
    let robot = read_all(&texts, &texts.parsed(), load_mesh);
    MjcfReading { included: texts.into_included(), robot }
}

/// Whether a text is XML whose root element is `<mujoco>`; without reading it whole.
pub fn is_robot(text: &str) -> bool {
    ROOTS.iter().any(|root| xml::root_start(text, root).is_some())
}

fn read_all(
    texts: &Texts,
    documents: &[Document<'_>],
    load_mesh: LoadMesh<'_>,
) -> Result<(Robot, Vec<Note>), Vec<Fault>> {
    let elements = Elements::new(texts, documents);
    let mut reader = Reader {
        elements: &elements,
        load_mesh,
        settings: Settings::default(),
        classes: Classes::new(),
        assets: HashMap::new(),
        robot: Robot::default(),
        faults: Vec::new(),
        notes: Vec::new(),
        rest: Vec::new(),
        bodies: HashMap::new(),
        sites: HashMap::new(),
        joints: HashMap::new(),
        tendons: HashMap::new(),
        names: Names::default(),
        count: 0,
        counts: BTreeMap::new(),
    };
    reader.read_all();
    if reader.faults.is_empty() {
        return Ok((reader.robot, reader.notes));
    }
    reader.faults.truncate(MOST_FAULTS);
    Err(reader.faults)
}

/// Collects the robot, what is wrong and what was decided.
struct Reader<'a> {
    elements: &'a Elements<'a>,
    load_mesh: LoadMesh<'a>,
    settings: Settings,
    classes: Classes<'a>,
    /// Meshes by their names.
    assets: HashMap<String, Asset<'a>>,
    robot: Robot,
    faults: Vec<Fault>,
    notes: Vec<Note>,
    /// Every link in the world at the reference positions.
    rest: Vec<Pose>,
    /// Links of bodies and sites, and joints, by their names.
    bodies: HashMap<&'a str, usize>,
    sites: HashMap<&'a str, usize>,
    joints: HashMap<&'a str, usize>,
    tendons: HashMap<&'a str, Tendon>,
    names: Names,
    /// Bodies so far.
    count: usize,
    /// What is not read, and how often.
    counts: BTreeMap<String, usize>,
}

impl<'a> Reader<'a> {
    fn read_all(&mut self) {
        let root = self.elements.root();
        self.robot.name = root.attribute("model").map_or("", |found| found.0).to_owned();
        let sections = self.elements.children(root);
        let of = |tag: &str| -> Vec<Element<'a>> {
            sections.iter().copied().filter(|e| e.tag() == tag).collect()
        };
        for section in &sections {
            let tag = section.tag();
            if UNREAD.contains(&tag) {
                self.unread(tag);
            } else if !READ.contains(&tag) {
                let message = format!("<{}> is no element of <mujoco>", cut(tag));
                let _ = self.refuse::<()>(&section.span(), message);
            }
        }
        for element in of("compiler") {
            let _ = self.read_compiler(element);
        }
        for element in of("option") {
            let _ = self.read_option(element);
        }
        self.robot.gravity = Some(self.settings.gravity);
        self.read_classes(self.elements, root);
        for element in of("asset") {
            self.read_assets(element);
        }
        let worlds = of("worldbody");
        if worlds.is_empty() {
            let _ = self.refuse::<()>(&root.span(), "the robot has no <worldbody>");
            return;
        }
        self.reserve_names(&worlds);
        self.read_world(&worlds);
        self.name_joints();
        if !self.faults.is_empty() {
            return;
        }
        for element in of("tendon") {
            let _ = self.read_tendons(element);
        }
        for element in of("equality") {
            self.read_equalities(element);
        }
        // Before the actuators: what is held or coupled does not change which coordinates there are.
        for element in of("keyframe") {
            let _ = self.read_keyframes(element);
        }
        for element in of("actuator") {
            let _ = self.read_actuators(element);
        }
        self.tell();
    }

    /// Counts something that is not read.
    fn unread(&mut self, what: &str) {
        *self.counts.entry(what.to_owned()).or_default() += 1;
    }

    /// Takes the names of all bodies and joints.
    fn reserve_names(&mut self, worlds: &[Element<'a>]) {
        let mut open = worlds.to_vec();
        while let Some(element) = open.pop() {
            if let Some(name) = Item::alone(element).name() {
                self.names.reserve(element.tag(), name);
            }
            open.extend(self.elements.children(element));
        }
    }

    /// Positions of joints by their names in the file; a second one of the same name is refused.
    fn name_joints(&mut self) {
        let mut open: Vec<Element<'a>> = self.elements.children(self.elements.root());
        open.retain(|e| e.tag() == "worldbody");
        // The last is taken first: this is the order of the text.
        open.reverse();
        let positions: HashMap<String, usize> =
            self.robot.joints.iter().enumerate().map(|(k, j)| (j.name.clone(), k)).collect();
        while let Some(element) = open.pop() {
            if matches!(element.tag(), "joint" | "freejoint")
                && let Some(name) = Item::alone(element).name()
                && let Some(&at) = positions.get(name)
                && self.joints.insert(name, at).is_some()
            {
                let message = format!("a second joint `{}`: names are unique", cut(name));
                let _ = self.refuse::<()>(&element.span(), message);
            }
            open.extend(self.elements.children(element).into_iter().rev());
        }
    }

    /// What was decided about the whole robot.
    fn tell(&mut self) {
        let between: Vec<&str> =
            self.robot.links.iter().filter(|l| l.between).map(|l| l.name.as_str()).collect();
        if !between.is_empty() {
            let list = between.join(", ");
            self.notes.push(Note::new(format!(
                "bodies with several joints have frames without mass between them: {list}"
            )));
        }
        let ellipsoids = self.robot.links.iter().flat_map(|l| &l.shapes);
        let count = ellipsoids.filter(|s| matches!(s.geometry, Geometry::Ellipsoid(_))).count();
        if count > 0 {
            self.notes.push(Note::new(format!(
                "ellipsoids ({count}) have mass and are no contact shapes"
            )));
        }
        let count = self.assets.values().filter(|asset| asset.is_overcounted()).count();
        if count > 0 {
            self.notes.push(Note::new(format!(
                "masses of {count} mesh(es) by inertia=\"legacy\", the format's default: more than their solids where these are not star-shaped"
            )));
        }
        if !self.robot.keyframes.is_empty() {
            let names: Vec<String> =
                self.robot.keyframes.iter().map(|key| format!("`{}`", key.name)).collect();
            self.notes.push(Note::new(format!(
                "keyframes, one of which may be asked for: {}",
                names.join(", ")
            )));
        }
        if !self.counts.is_empty() {
            let list: Vec<String> =
                self.counts.iter().map(|(name, n)| format!("<{}> ({n})", cut(name))).collect();
            self.notes.push(Note::new(format!("not read: {}", list.join(", "))));
        }
    }
}
