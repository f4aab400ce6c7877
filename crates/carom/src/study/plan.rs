//! A study that has been judged: every name means something.

use std::sync::Arc;

use super::design::Design;
use super::evaluate::{Evaluator, set_level};
use super::formula::{Condition, Formula, Names, Needs};
use super::measure::CompiledBench;
use super::paths::{misled, misnamed};
use super::physical::truncated;
use super::quantity::usual;
use super::robust::{Robust, Written, formulas, number_of, without_statistics};
use crate::maths::expression::ExpressionError;
use crate::maths::nearest::nearest;
use crate::model::description::Value;
use crate::model::study::{Action, Domain, Goal, Level, PlanPart, Sampling, StudyPlan};
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
    /// Which part of the file it stands in.
    pub part: PlanPart,
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
    /// Statistics over what is uncertain that goal, conditions and measures use.
    pub robust: Option<Arc<Robust>>,
}

impl Study {
    /// Judges a plan; `model` is what the description builds as it stands. Statistics such as `p95(peak_force)` are over what the file says to
    /// be uncertain.
    pub fn new(
        description: &Description,
        model: &Model,
        plan: &StudyPlan,
        uncertain: Option<&StudyPlan>,
    ) -> Result<Self, Vec<Finding>> {
        let find = |path: &str, text: String| Finding {
            path: path.to_owned(),
            origin: description.locate(path),
            mistake: Mistake::Conflict(text),
        };
        let truncated = truncated(description, plan);
        let plan = &truncated;
        let part = plan.part;
        let key = |name: &str| format!("{}.{name}", part.name());
        let place = |k: usize| part.variable(Some(&plan.variables[k].name));
        let mut findings = Vec::new();
        let contact = match contact(model, plan) {
            Ok(name) => name,
            Err(text) => {
                findings.push(find(&key("contact"), text));
                String::new()
            }
        };
        let design = Design::new(plan).map_err(|(variable, text)| {
            vec![find(&variable.map_or_else(|| part.variable(None), place), text)]
        })?;
        findings.extend(misled(plan).into_iter().map(|(k, text)| find(&place(k), text)));
        let names = Names {
            variables: plan.variables.iter().map(|v| v.name.clone()).collect(),
            action: Some(plan.action),
            units: model
                .contact(&contact)
                .map_or(ContactUnits::LINEAR, |k| model.contacts[k].units()),
            statistics: 0,
        };
        let mut written = Vec::new();
        let (measures, mut wrong) = measures(model, plan, &names, &mut written);
        findings.extend(wrong.drain(..).map(|text| find(&key("measures"), text)));
        let goal = plan.goal.as_ref().map(|goal| aim(goal, &names, &mut written)).transpose();
        let goal = goal.unwrap_or_else(|text| {
            findings.push(find("study", text));
            None
        });
        let mut constraints = Vec::new();
        for text in &plan.constraints {
            let left = without_statistics(text, &mut written);
            let names = Names { statistics: written.len(), ..names.clone() };
            match Condition::new(&left, &names) {
                Ok(condition) => {
                    constraints.push(Condition { text: text.clone(), ..condition });
                }
                Err(why) => findings.push(find("study.constraints", format!("`{text}`: {why}"))),
            }
        }
        let mut needs = Needs::default();
        for column in &measures {
            needs.add(&column.formula);
        }
        let mut description = description.clone();
        description.remove("study");
        description.remove("uncertainty");
        let action = plan.action;
        let recipe = None;
        let robust = None;
        let mut study = Self {
            part,
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
            robust,
        };
        if !written.is_empty() {
            let asked = (&written[..], plan, uncertain);
            match sampled(&study.description, model, asked) {
                Ok(robust) => {
                    study.name_units(&robust);
                    study.robust = Some(Arc::new(robust));
                }
                Err(Some(text)) => findings.push(find(part.name(), text)),
                Err(None) => {}
            }
        }
        findings.extend(study.unreachable().into_iter().map(|(k, text)| find(&place(k), text)));
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

    /// A statistic alone has the unit of what it is of.
    fn name_units(&mut self, robust: &Robust) {
        let goal = self.goal.iter_mut().map(|(column, _)| column);
        for column in self.measures.iter_mut().chain(goal) {
            let mut alone = Vec::new();
            let left = without_statistics(column.text.trim(), &mut alone);
            let of = |text: &String| {
                let names = &robust.statistics;
                names.iter().map(|(_, f)| f).find(|f| f.text == *text).map(|f| f.unit)
            };
            if let ([(_, text)], true) = (&alone[..], number_of(&left).is_some()) {
                column.formula.unit = of(text).unwrap_or("");
            }
        }
    }

    /// Variables whose path leads nowhere, with what is wrong.
    fn unreachable(&self) -> Vec<(usize, String)> {
        let levels = self.design.levels(0);
        let mut out = Vec::new();
        for (k, (level, variable)) in levels.iter().zip(self.design.variables()).enumerate() {
            if let Some(why) = misnamed(&self.description, &variable.path) {
                out.push((k, why));
                continue;
            }
            let all = match &variable.domain {
                Domain::Crossed(levels) => &levels[..],
                _ => std::slice::from_ref(level),
            };
            let wrong = all.iter().find_map(|level| Evaluator::new(self).edit_one(k, level).err());
            out.extend(wrong.map(|error| (k, error)));
        }
        out
    }
}

/// The study of a plan with the uncertain numbers as further variables, and their sample; `None` where these have faults of their own, which
/// are told where they are asked for.
fn sampled(
    description: &Description,
    model: &Model,
    (written, plan, uncertain): (&[Written], &StudyPlan, Option<&StudyPlan>),
) -> Result<Robust, Option<String>> {
    let none = "a statistic such as p95(…), mean(…) or std(…) is over [uncertainty], which the file does not have";
    let uncertain = uncertain.filter(|_| plan.part == PlanPart::Study).ok_or(none.to_owned())?;
    let said = |findings: Vec<Finding>| {
        let all: Vec<String> = findings.iter().map(ToString::to_string).collect();
        Some(all.join("; "))
    };
    let own = Study::new(description, model, uncertain, None).map_err(said)?;
    let samples = (0..own.design.points()).map(|point| own.design.levels(point)).collect();
    let mut both = plan.clone();
    both.variables.extend(own.design.variables().iter().cloned());
    // Its levels are given: it has no points of its own.
    both.sampling = Sampling::MonteCarlo;
    both.points = Some(2);
    (both.goal, both.constraints, both.measures) = (None, Vec::new(), Vec::new());
    let mut study = Study::new(description, model, &both, None).map_err(said)?;
    let names = Names {
        variables: both.variables.iter().map(|v| v.name.clone()).collect(),
        action: Some(plan.action),
        units: study.units,
        statistics: 0,
    };
    let statistics =
        formulas(written, &names).map_err(|error| Some(format!("in a statistic: {error}")))?;
    study.needs = Needs::default();
    for (_, formula) in &statistics {
        study.needs.add(formula);
    }
    Ok(Robust { study, samples, statistics })
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

fn measures(
    model: &Model,
    plan: &StudyPlan,
    names: &Names,
    written: &mut Vec<Written>,
) -> (Vec<Column>, Vec<String>) {
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
        match formula(&text, names, written) {
            _ if taken => wrong.push(format!("there are two columns `{name}`")),
            Ok(formula) => columns.push(Column { name, text, formula }),
            Err(error) => wrong.push(format!("`{text}`: {error}")),
        }
    }
    (columns, wrong)
}

/// A formula whose statistics are taken out.
fn formula(
    text: &str,
    names: &Names,
    written: &mut Vec<Written>,
) -> Result<Formula, ExpressionError> {
    let left = without_statistics(text, written);
    Formula::new(&left, &Names { statistics: written.len(), ..names.clone() })
}

fn aim(goal: &Goal, names: &Names, written: &mut Vec<Written>) -> Result<(Column, bool), String> {
    let text = goal.expression.clone();
    let formula = formula(&text, names, written).map_err(|error| format!("`{text}`: {error}"))?;
    Ok((Column { name: text.clone(), text, formula }, goal.maximise))
}
