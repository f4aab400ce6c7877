//! A study that has been judged: every name means something.

use std::sync::Arc;

use super::design::Design;
use super::evaluate::{Evaluator, set_level};
use super::formula::{Condition, Formula, Names, Needs};
use super::measure::CompiledBench;
use super::quantity::usual;
use crate::maths::nearest::nearest;
use crate::model::description::{Value, split_path};
use crate::model::study::{Action, Domain, Goal, Level, Sampling, StudyPlan};
use crate::model::{
    ContactUnits, Description, Finding, Mistake, Model, Recipe, compile, freeze, number_at,
};

/// Points inside the unit cube that show how far numbers range.
const SPREAD: usize = 32;
/// Axes whose faces are looked at one by one.
const MOST_FACES: usize = 16;
/// Points beside the study's own at which a recipe is compared with what the description builds.
const COMPARED: usize = 8;

/// A measure: its name, and how it follows from quantities and variables.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// As it was written.
    pub text: String,
    /// How it is computed.
    pub formula: Formula,
}

impl Column {
    /// Its name with its unit.
    pub fn heading(&self) -> String {
        let unit = self.formula.unit;
        if unit.is_empty() { self.name.clone() } else { format!("{} [{unit}]", self.name) }
    }
}

/// A study.
#[derive(Clone, Debug)]
pub struct Study {
    /// What is done at a point.
    pub action: Action,
    /// The contact that is measured.
    pub contact: String,
    /// What it measures in.
    pub units: ContactUnits,
    /// The points.
    pub design: Design,
    /// What is kept of each.
    pub measures: Vec<Column>,
    /// What `optimise` is to reach, and whether it is to be large.
    pub goal: Option<(Column, bool)>,
    /// Its conditions.
    pub constraints: Vec<Condition>,
    /// The file without its study: what is edited at every point.
    pub description: Description,
    /// Quantities that the measures need.
    pub needs: Needs,
    /// How the numbers of the model follow from the variables; none if every point has to be read from its description.
    pub recipe: Option<Arc<Recipe>>,
}

impl Study {
    /// Judges a plan; `model` is what the description builds as it stands.
    pub fn new(
        description: &Description,
        model: &Model,
        plan: &StudyPlan,
    ) -> Result<Self, Vec<Finding>> {
        let find = |path: &str, text: String| Finding {
            path: path.to_owned(),
            origin: description.locate(path),
            mistake: Mistake::Conflict(text),
        };
        let mut findings = Vec::new();
        let contact = match contact(model, plan) {
            Ok(name) => name,
            Err(text) => {
                findings.push(find("study.contact", text));
                String::new()
            }
        };
        let design = Design::new(plan).map_err(|(variable, text)| {
            let name = variable.map(|k| format!(".{}", plan.variables[k].name));
            vec![find(&format!("study.variables{}", name.unwrap_or_default()), text)]
        })?;
        findings.extend(
            misled(plan).into_iter().map(|(k, text)| {
                find(&format!("study.variables.{}", plan.variables[k].name), text)
            }),
        );
        let names = Names {
            variables: plan.variables.iter().map(|v| v.name.clone()).collect(),
            action: Some(plan.action),
            units: model
                .contact(&contact)
                .map_or(ContactUnits::LINEAR, |k| model.contacts[k].units()),
        };
        let (measures, mut wrong) = measures(model, plan, &names);
        findings.extend(wrong.drain(..).map(|text| find("study.measures", text)));
        let goal = plan.goal.as_ref().map(|goal| aim(goal, &names)).transpose();
        let goal = goal.unwrap_or_else(|text| {
            findings.push(find("study", text));
            None
        });
        let mut constraints = Vec::new();
        for text in &plan.constraints {
            match Condition::new(text, &names) {
                Ok(condition) => constraints.push(condition),
                Err(why) => findings.push(find("study.constraints", format!("`{text}`: {why}"))),
            }
        }
        let mut needs = Needs::default();
        for column in &measures {
            needs.add(&column.formula);
        }
        let mut description = description.clone();
        description.remove("study");
        let action = plan.action;
        let recipe = None;
        let study = Self {
            action,
            contact,
            units: names.units,
            design,
            measures,
            goal,
            constraints,
            description,
            needs,
            recipe,
        };
        findings.extend(
            study.unreachable().into_iter().map(|(k, text)| {
                find(&format!("study.variables.{}", plan.variables[k].name), text)
            }),
        );
        if findings.is_empty() { Ok(study.frozen().compiled()) } else { Err(findings) }
    }

    /// The same study with what no variable changes read once and for all; only if it builds the same models.
    fn frozen(self) -> Self {
        let paths: Vec<&str> = self.design.variables().iter().map(|v| v.path.as_str()).collect();
        let description = freeze(&self.description, &paths);
        let frozen = Self { description, ..self.clone() };
        let mut compared = 0;
        for point in [0, self.design.points() / 2, self.design.points() - 1] {
            let levels = self.design.levels(point);
            let built = [&self, &frozen].map(|study| Evaluator::new(study).model(&levels));
            match built {
                // Models have no equality; their whole text is compared.
                [Ok(a), Ok(b)] if format!("{a:?}") == format!("{b:?}") => compared += 1,
                [Err(_), Err(_)] => {}
                _ => return self,
            }
        }
        if compared > 0 { frozen } else { self }
    }

    /// The same study with a recipe for its numbers, if there is one and it makes the models that the description builds.
    fn compiled(self) -> Self {
        let recipe = self.recipe().map(Arc::new).filter(|recipe| self.agrees_with(recipe));
        Self { recipe, ..self }
    }

    fn recipe(&self) -> Option<Recipe> {
        let variables = self.design.variables();
        let all = spread(self.design.axes().len()).map(|shares| self.design.levels_at(&shares));
        let all: Vec<Vec<Level>> = all.collect();
        // A word changes more than numbers.
        if variables.is_empty() || all.iter().flatten().any(|l| matches!(l, Level::Word(_))) {
            return None;
        }
        let base = all.iter().position(|levels| Evaluator::reading(self).model(levels).is_ok())?;
        let mut description = self.description.clone();
        for (variable, level) in variables.iter().zip(&all[base]) {
            set_level(&mut description, variable, level).ok()?;
        }
        let paths: Vec<&str> = variables.iter().map(|v| v.path.as_str()).collect();
        let samples: Vec<Vec<f64>> =
            all[base..].iter().map(|levels| self.design.numbers(levels)).collect();
        compile(&description, &paths, &samples)
    }

    /// Whether a recipe makes the models that the description builds, where it makes one.
    fn agrees_with(&self, recipe: &Arc<Recipe>) -> bool {
        let Some(mut bench) = CompiledBench::new(recipe) else { return false };
        let last = self.design.points() - 1;
        let own = [0, last / 3, last / 2, last].map(|point| self.design.levels(point));
        let others = spread(self.design.axes().len()).map(|shares| self.design.levels_at(&shares));
        let mut compared = 0;
        for levels in own.into_iter().chain(others.take(COMPARED)) {
            if !bench.set(&self.design.numbers(&levels)) {
                continue;
            }
            match Evaluator::reading(self).model(&levels) {
                // Models have no equality; their whole text is compared.
                Ok(built) if format!("{built:?}") == format!("{:?}", bench.model()) => {
                    compared += 1;
                }
                _ => return false,
            }
        }
        compared > 0
    }

    /// What the file itself states for each variable; `None` where it is silent.
    pub fn stated(&self) -> Vec<Option<Level>> {
        let own = |v: &crate::model::study::StudyVariable| {
            if let Some(x) = number_at(&self.description, &v.path) {
                return Some(Level::Number(x / v.unit.factor));
            }
            match &self.description.node(&v.path)?.value {
                Value::Text { text, .. } => Some(Level::Word(text.clone())),
                Value::Bool(b) => Some(Level::Word(b.to_string())),
                _ => None,
            }
        };
        self.design.variables().iter().map(own).collect()
    }

    /// A range of a grid that does not say how many values it has: such a study can be optimised, not swept.
    pub fn uncounted(&self) -> Option<&str> {
        let open = |v: &&crate::model::study::StudyVariable| {
            matches!(v.domain, Domain::Range { count: None, .. })
        };
        let grid = self.design.sampling() == Sampling::Grid;
        self.design.variables().iter().find(open).filter(|_| grid).map(|v| v.name.as_str())
    }

    /// Headings of the variables, with their units.
    pub fn variable_headings(&self) -> Vec<String> {
        let heading = |v: &crate::model::study::StudyVariable| match v.unit.text.as_str() {
            "" => v.name.clone(),
            unit => format!("{} [{unit}]", v.name),
        };
        self.design.variables().iter().map(heading).collect()
    }

    /// Variables whose path leads nowhere, with what is wrong.
    fn unreachable(&self) -> Vec<(usize, String)> {
        let levels = self.design.levels(0);
        let mut out = Vec::new();
        for (k, level) in levels.iter().enumerate() {
            if let Err(error) = Evaluator::new(self).edit_one(k, level) {
                out.push((k, error));
            }
        }
        out
    }
}

/// Places in the unit cube that show how far numbers range: its middle, two opposite corners, the middles of its faces, and
/// points spread by multiples of irrational steps.
fn spread(axes: usize) -> impl Iterator<Item = Vec<f64>> {
    let ends = [0.5, 0.0, 1.0].into_iter().map(move |share| vec![share; axes]);
    let faces = (0..2 * axes.min(MOST_FACES)).map(move |k| {
        let mut shares = vec![0.5; axes];
        shares[k / 2] = if k % 2 == 0 { 0.0 } else { 1.0 };
        shares
    });
    let step = |axis: usize| ((axis + 2) as f64).sqrt().fract().max(0.01) + axis as f64 * 0.618_034;
    let inside =
        (1..=SPREAD).map(move |k| (0..axes).map(|axis| (k as f64 * step(axis)).fract()).collect());
    ends.chain(faces).chain(inside)
}

/// Variables that set what another one sets, or the study itself.
fn misled(plan: &StudyPlan) -> Vec<(usize, String)> {
    let parts: Vec<Vec<String>> = plan.variables.iter().map(|v| keys(&v.path)).collect();
    let mut out = Vec::new();
    for (k, variable) in plan.variables.iter().enumerate() {
        let path = &variable.path;
        if parts[k].first().is_some_and(|first| first == "study") {
            out.push((
                k,
                format!("`{path}` belongs to the study: a variable sets what is studied"),
            ));
        }
        let within = |a: &[String], b: &[String]| !a.is_empty() && b.starts_with(a);
        let same = (0..k).find(|j| within(&parts[*j], &parts[k]) || within(&parts[k], &parts[*j]));
        if let Some(j) = same {
            let other = &plan.variables[j];
            out.push((
                k,
                format!(
                    "it sets `{path}`, and `{}` sets `{}`: one place takes one variable",
                    other.name, other.path
                ),
            ));
        }
    }
    out
}

/// The parts of a path; a position in a list has one spelling.
fn keys(path: &str) -> Vec<String> {
    let plain = |part: String| part.parse::<usize>().map_or(part, |k| k.to_string());
    split_path(path).unwrap_or_default().into_iter().map(plain).collect()
}

fn contact(model: &Model, plan: &StudyPlan) -> Result<String, String> {
    let names = || model.contacts.iter().map(|c| c.name.as_str());
    match (&plan.contact, &model.contacts[..]) {
        (Some(name), _) if model.contact(name).is_some() => Ok(name.clone()),
        (Some(name), _) => Err(match nearest(name, names()) {
            Some(near) => format!("there is no contact `{name}`; is `{near}` meant?"),
            None => format!("there is no contact `{name}`"),
        }),
        (None, [only]) => Ok(only.name.clone()),
        (None, []) => Err("the model has no contact to measure".to_owned()),
        (None, _) => {
            let known = names().take(20).collect::<Vec<_>>().join(", ");
            Err(format!(
                "the model has several contacts ({known}): `contact` says which is measured"
            ))
        }
    }
}

fn measures(model: &Model, plan: &StudyPlan, names: &Names) -> (Vec<Column>, Vec<String>) {
    // T, and with it every share of T, depends on the frame where drives move.
    let has_meaning = |name: &&&str| model.drives.is_empty() || **name != "share";
    let usual = usual(plan.action)
        .iter()
        .filter(has_meaning)
        .map(|name| ((*name).to_owned(), (*name).to_owned()));
    let wanted: Vec<(String, String)> =
        if plan.measures.is_empty() { usual.collect() } else { plan.measures.clone() };
    let (mut columns, mut wrong): (Vec<Column>, _) = (Vec::new(), Vec::new());
    for (name, text) in wanted {
        let taken = columns.iter().any(|c| c.name == name) || names.variables.contains(&name);
        match Formula::new(&text, names) {
            _ if taken => wrong.push(format!("there are two columns `{name}`")),
            Ok(formula) => columns.push(Column { name, text, formula }),
            Err(error) => wrong.push(format!("`{text}`: {error}")),
        }
    }
    (columns, wrong)
}

fn aim(goal: &Goal, names: &Names) -> Result<(Column, bool), String> {
    let text = goal.expression.clone();
    let formula = Formula::new(&text, names).map_err(|error| format!("`{text}`: {error}"))?;
    Ok((Column { name: text.clone(), text, formula }, goal.maximise))
}
