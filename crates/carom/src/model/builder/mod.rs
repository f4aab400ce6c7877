//! Description → [`Parts`] → [`Model`]: every value is read and judged, and all faults are
//! reported at once.

mod among;
mod body;
mod clearance;
mod closure;
mod compiled;
mod contact;
mod event;
mod finding;
mod friction;
mod frozen;
mod function;
mod inertia;
mod initial;
mod joint;
pub mod keys;
mod law;
mod limit;
mod load;
mod material;
mod mesh;
mod names;
mod parameters;
mod profile;
mod quantity;
mod reader;
mod robot;
mod shape;
mod simulation;
mod study;
mod texts;
mod uncertainty;
mod visual;
mod warn;

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

pub use compiled::compile;
pub use finding::{Caution, Finding, Mistake, Warning};
pub use frozen::freeze;
pub use texts::Texts;

use self::names::NamedJoint;
use self::parameters::Parameter;
use self::reader::Place;
use super::description::{Description, Value};
use super::parts::ContactPart;
use super::{Fault, Material, Model, Parts, Problem, Space, StudyPlan, Visual};
use crate::maths::expression::UserFunction;
use crate::maths::nearest::nearest;
use crate::maths::units::Dimension;

/// A model, and what may not be meant.
#[derive(Clone, Debug)]
pub struct Built {
    /// The model.
    pub model: Model,
    /// What may not be meant.
    pub warnings: Vec<Warning>,
    /// The study, if there is one.
    pub study: Option<StudyPlan>,
    /// The uncertainties, if there are any.
    pub uncertainty: Option<StudyPlan>,
    /// What is drawn beside the contact shapes.
    pub visuals: Vec<Visual>,
}

/// Builds the model a description describes, or says all that is wrong with it.
pub fn build(description: &Description) -> Result<Built, Vec<Finding>> {
    let mut builder = Builder::new(description);
    builder.read();
    builder.finish()
}

/// The same, with expressions that were read before: a study builds its model a million times.
pub fn build_again(description: &Description, texts: &Texts) -> Result<Built, Vec<Finding>> {
    let mut builder = Builder::new(description);
    builder.texts = Some(texts);
    builder.read();
    builder.finish()
}

/// The number at a path, in SI units, if one stands there.
pub fn number_at(description: &Description, path: &str) -> Option<f64> {
    let mut builder = Builder::new(description);
    builder.read_parameters();
    if let Some(name) = path.strip_prefix("parameters.") {
        return builder.parameters.get(name).copied().flatten().map(|(x, _)| x);
    }
    builder.measured(description.node(path)?, path).map(|(x, _)| x)
}

/// The quantity at a path in SI units, with one of these dimensions; or what is wrong with it as one of the first, boxed because
/// a finding is large.
pub fn quantity_at(
    description: &Description,
    path: &str,
    expected: &[Dimension],
) -> Result<f64, Option<Box<Finding>>> {
    let mut wrong = None;
    for dimension in expected {
        let mut builder = Builder::new(description);
        builder.read_parameters();
        let node = description.node(path).ok_or(None)?;
        if let Some(found) = builder.quantity(node, path, *dimension) {
            return Ok(found);
        }
        let found = builder.findings.into_iter().find(|finding| finding.path == path);
        wrong = wrong.or(found.map(Box::new));
    }
    Err(wrong)
}

/// What has been read so far, and what was wrong.
struct Builder<'d> {
    description: &'d Description,
    texts: Option<&'d Texts>,
    planar: bool,
    findings: Vec<Finding>,
    warnings: Vec<Warning>,
    parameters: BTreeMap<&'d str, Parameter>,
    bodies: BTreeMap<&'d str, usize>,
    joints: BTreeMap<&'d str, NamedJoint>,
    /// Full name to position in the parts; `None` for one with a fault.
    markers: BTreeMap<String, Option<usize>>,
    shapes: BTreeMap<String, Option<usize>>,
    /// Materials of the file; `None` for one with a fault.
    materials: BTreeMap<&'d str, Option<Material>>,
    parts: Parts,
    /// Whether any value of the file has a unit.
    units_written: bool,
    /// Bodies without shape and inertia.
    without_inertia: Vec<usize>,
    study: Option<StudyPlan>,
    uncertainty: Option<StudyPlan>,
    visuals: Vec<Visual>,
    /// Functions of the file; none for one with a fault.
    functions: BTreeMap<&'d str, Option<Arc<UserFunction>>>,
    /// Contacts of joints with a clearance, which stand behind all others.
    clearances: Vec<ContactPart>,
}

impl<'d> Builder<'d> {
    fn new(description: &'d Description) -> Self {
        Self {
            description,
            texts: None,
            planar: false,
            findings: Vec::new(),
            warnings: Vec::new(),
            parameters: BTreeMap::new(),
            bodies: BTreeMap::new(),
            joints: BTreeMap::new(),
            markers: BTreeMap::new(),
            shapes: BTreeMap::new(),
            materials: BTreeMap::new(),
            parts: Parts::new(Space::Spatial),
            units_written: false,
            without_inertia: Vec::new(),
            study: None,
            uncertainty: None,
            visuals: Vec::new(),
            functions: BTreeMap::new(),
            clearances: Vec::new(),
        }
    }

    fn read(&mut self) {
        let top = Place { path: String::new(), origin: None, table: &self.description.root };
        self.check_keys(&top, &keys::TOP);
        self.read_format();
        if !self.read_space() {
            // Every vector would be counted wrongly: stop at what is known.
            return;
        }
        self.read_functions();
        self.read_parameters();
        if let Some(node) = top.table.get("title") {
            self.parts.title = self.text(node, "title").unwrap_or_default().to_owned();
        }
        if let Some(node) = top.table.get("model") {
            // Files take it out when they lay one over the other.
            self.text(node, "model");
        }
        if let Some(node) = top.table.get("gravity") {
            let gravity = self.vector(node, "gravity", Dimension::ACCELERATION);
            self.parts.gravity = gravity.unwrap_or_default();
        }
        self.read_robot();
        self.read_bodies();
        self.read_joints();
        self.read_closures();
        self.read_materials();
        self.read_contacts();
        self.read_loads();
        self.read_drives();
        self.read_events();
        self.read_initial();
        self.read_simulation();
        self.study = self.read_study();
        let study = self.study.take();
        self.uncertainty = self.read_uncertainty(study.as_ref());
        self.study = study;
    }

    fn read_format(&mut self) {
        let Some(node) = self.description.root.get("carom") else { return };
        match node.value {
            Value::Number(1.0) => {}
            Value::Number(found) => {
                let expected = "a format this version reads (1)";
                self.note("carom", Some(&node.origin), Mistake::OutOfRange { found, expected });
            }
            _ => {
                let found = node.value.kind();
                let mistake = Mistake::WrongKind { found, expected: "the number 1" };
                self.note("carom", Some(&node.origin), mistake);
            }
        }
    }

    /// Reads the space. Where it is missing or misspelt it is noted, and the other faults are looked
    /// for in the space that is nearest or that gravity's length tells; false if nothing tells.
    fn read_space(&mut self) -> bool {
        let words = ["planar", "spatial"];
        let root = &self.description.root;
        let written =
            root.get("space").and_then(|node| self.choice(node, "space", &words, "space"));
        let meant = written.or_else(|| {
            let near = match &root.get("space")?.value {
                Value::Text { text, .. } => nearest(text, words),
                _ => None,
            };
            near.and_then(|near| words.iter().position(|w| *w == near))
        });
        let told = meant.or_else(|| match &root.get("gravity")?.value {
            Value::List(list) => [2, 3].iter().position(|n| *n == list.len()),
            _ => None,
        });
        self.planar = told == Some(0);
        self.parts.space = if self.planar { Space::Planar } else { Space::Spatial };
        told.is_some()
    }

    fn finish(mut self) -> Result<Built, Vec<Finding>> {
        let readable = self.description.root.get("space").is_some_and(|_| self.findings.is_empty())
            || !self.parts.bodies.is_empty();
        let model = if readable { Model::new(&self.parts) } else { Err(Vec::new()) };
        let faults = match model {
            Ok(model) if self.findings.is_empty() => {
                self.warn();
                let (warnings, visuals) = (self.warnings, self.visuals);
                let (study, uncertainty) = (self.study, self.uncertainty);
                return Ok(Built { model, warnings, study, uncertainty, visuals });
            }
            Ok(_) => Vec::new(),
            Err(faults) => faults,
        };
        // A joint that could not be read leaves its body without a carrier: that is no news.
        let broken_tree = self.joints.values().any(Option::is_none)
            || self.findings.iter().any(|f| f.path == "joints" || f.path.starts_with("joints."));
        let known: HashSet<String> = self.findings.iter().map(|f| f.path.clone()).collect();
        for Fault { path, problem } in faults {
            let follows = broken_tree
                && matches!(problem, Problem::NotCarried { .. } | Problem::Cycle { .. });
            if follows || known.contains(&path) {
                continue;
            }
            let origin = self.description.locate(&path);
            let mistake = Mistake::Mechanism(problem);
            self.findings.push(Finding { path, origin, mistake });
        }
        // In the order of the file.
        self.findings.sort_by_key(|f| f.span().map_or(usize::MAX, |s| s.start));
        Err(self.findings)
    }
}
