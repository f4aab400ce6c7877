//! `[uncertainty]`: which numbers are not known exactly, and how they are distributed.

use super::Builder;
use super::finding::Mistake;
use super::keys::{ACTIONS, UNCERTAIN, UNCERTAIN_INPUT, UNCERTAIN_SAMPLINGS, UNCERTAINTY};
use super::reader::{Place, joined};
use super::study::{plain_unit, split_unit};
use crate::maths::units::Dimension;
use crate::model::description::{Node, Value};
use crate::model::study::{
    Action, Domain, Level, PlanPart, Sampling, StudyPlan, StudyVariable, VariableUnit,
};
use crate::model::uncertain::{Distribution, DistributionShape};

/// Points if the file does not say: the interval of a mean is then some percent of the standard deviation wide.
const POINTS: usize = 1024;
/// The variable that stands for the contact law.
const LAW: &str = "law";
/// Keys that only some distributions have.
const SHAPED: [(&str, &[&str]); 8] = [
    ("mean", &["normal", "lognormal"]),
    ("deviation", &["normal", "lognormal"]),
    ("relative", &["normal", "lognormal", "uniform", "triangular"]),
    ("low", &["normal", "lognormal", "uniform", "triangular"]),
    ("high", &["normal", "lognormal", "uniform", "triangular"]),
    ("mode", &["triangular"]),
    ("values", &["table"]),
    ("weights", &["table"]),
];

/// The numbers of a distribution in one unit.
struct Stated {
    numbers: [Option<f64>; 5],
    unit: VariableUnit,
    relative: Option<f64>,
    /// What the file states at the path.
    own: Option<f64>,
}

impl<'d> Builder<'d> {
    pub(super) fn read_uncertainty(&mut self, study: Option<&StudyPlan>) -> Option<StudyPlan> {
        let entry = self.description.root.entry("uncertainty")?;
        let place = self.table(entry, "uncertainty".to_owned())?;
        self.check_keys(&place, &UNCERTAINTY);
        let action = self.word(&place, "action", &ACTIONS, "action").map(|k| Action::ALL[k]);
        let sampling = self.word(&place, "sampling", &UNCERTAIN_SAMPLINGS, "sampling");
        let sampling = sampling.map_or(Sampling::Sobol, |k| UNCERTAIN[k]);
        let points = self.whole(&place, "points", 1.0).unwrap_or(POINTS);
        let sections = crate::model::study::SECTIONS;
        if !points.is_multiple_of(sections) || points < 2 * sections {
            let origin = place.table.get("points").map(|n| &n.origin);
            let why = format!(
                "{points} points: a multiple of {sections} from {} on is needed, because the intervals come from {sections} samples of the same size",
                2 * sections
            );
            self.note(&joined(&place.path, "points"), origin, Mistake::Conflict(why));
        }
        let seed = self.whole(&place, "seed", 0.0).unwrap_or(0);
        let contact = place.get("contact").and_then(|(node, path)| self.text(node, &path));
        let contact = contact.map(str::to_owned).or_else(|| study?.contact.clone());
        let mut variables = self.read_inputs(&place);
        variables.extend(self.read_laws(&place, contact.as_deref()));
        let measures = self.read_measures(&place);
        if variables.is_empty() && self.findings.is_empty() {
            let why = "it has neither `inputs` nor `laws`: nothing is uncertain".to_owned();
            self.note(&place.path, place.origin, Mistake::Conflict(why));
        }
        let of_study = || study.map(|plan| plan.measures.clone()).unwrap_or_default();
        Some(StudyPlan {
            action: action.or_else(|| study.map(|plan| plan.action)).unwrap_or(Action::Assess),
            contact,
            sampling,
            points: Some(points),
            seed: seed as u64,
            variables,
            measures: if measures.is_empty() { of_study() } else { measures },
            goal: None,
            constraints: Vec::new(),
            part: PlanPart::Uncertainty,
        })
    }

    fn read_inputs(&mut self, place: &Place<'d>) -> Vec<StudyVariable> {
        let Some(entry) = place.table.entry("inputs") else { return Vec::new() };
        let Some(table) = self.table(entry, "uncertainty.inputs".to_owned()) else {
            return Vec::new();
        };
        let mut out = Vec::new();
        for entry in table.table.entries() {
            let path = joined("uncertainty.inputs", &entry.key);
            self.check_variable_name(entry, &path);
            if entry.key == LAW {
                let why = "`law` is the name of the contact law among the answers: take another";
                self.note(&path, Some(&entry.origin), Mistake::Conflict(why.to_owned()));
            }
            let Some(place) = self.table(entry, path) else { continue };
            self.check_keys(&place, &UNCERTAIN_INPUT);
            out.extend(self.read_input(&entry.key, &place));
        }
        out
    }

    fn read_input(&mut self, name: &str, place: &Place<'d>) -> Option<StudyVariable> {
        let path = match place.get("path") {
            Some((node, path)) => self.text(node, &path)?.to_owned(),
            None => joined("parameters", name),
        };
        let words = &DistributionShape::WORDS;
        let word = words[self.word(place, "distribution", words, "distribution")?];
        for (key, of) in SHAPED {
            if let (Some((node, path)), false) = (place.get(key), of.contains(&word)) {
                let why = format!("`{key}` does not belong to a {word} distribution");
                self.note(&path, Some(&node.origin), Mistake::Conflict(why));
                return None;
            }
        }
        let (distribution, unit) = if word == "table" {
            self.read_table(place)?
        } else {
            let stated = self.read_stated(place, &path)?;
            let unit = stated.unit.clone();
            (self.shaped(place, word, &stated)?, unit)
        };
        let domain = Domain::Uncertain(distribution);
        Some(StudyVariable { name: name.to_owned(), path, unit, domain, along: None })
    }

    fn read_table(&mut self, place: &Place<'d>) -> Option<(Distribution, VariableUnit)> {
        let Some((node, at)) = place.get("values") else {
            let doc = "the values of a table";
            self.note(&place.path, place.origin, Mistake::Missing { key: "values", doc });
            return None;
        };
        let list = self.list(node, &at)?;
        let (levels, unit) = self.levels(list, &at)?;
        let weights = match place.get("weights") {
            Some((node, at)) => {
                let list = self.list(node, &at)?;
                let weights = self.quantities(list, &at, |_| Dimension::NONE)?;
                let sound = weights.len() == levels.len()
                    && weights.iter().all(|w| *w >= 0.0 && w.is_finite())
                    && weights.iter().sum::<f64>() > 0.0;
                if !sound {
                    let n = levels.len();
                    let why = format!(
                        "one weight for each of the {n} values is expected, none negative, not all zero"
                    );
                    self.note(&at, Some(&node.origin), Mistake::Conflict(why));
                    return None;
                }
                weights
            }
            None => vec![1.0; levels.len()],
        };
        if levels.is_empty() {
            let why = "a table has at least one value".to_owned();
            self.note(&at, Some(&node.origin), Mistake::Conflict(why));
            return None;
        }
        let all: f64 = weights.iter().sum();
        let mut sum = 0.0;
        let mut cumulative: Vec<f64> = weights
            .iter()
            .map(|w| {
                sum += w;
                sum / all
            })
            .collect();
        // A share below 1 always has a value, and one without weight behind the last has none.
        if let Some(last) = weights.iter().rposition(|w| *w > 0.0) {
            cumulative[last..].fill(1.0);
        }
        Some((Distribution::new(DistributionShape::Table { levels, cumulative }), unit))
    }

    /// The numbers of a distribution, and what the file states at its path, in one unit.
    fn read_stated(&mut self, place: &Place<'d>, path: &str) -> Option<Stated> {
        let keys = ["mean", "deviation", "low", "high", "mode"];
        let given: Vec<(usize, String, &Node)> = keys
            .iter()
            .enumerate()
            .filter_map(|(k, key)| place.get(key).map(|(node, path)| (k, path, node)))
            .collect();
        let nodes: Vec<(String, &Node)> =
            given.iter().map(|(_, path, node)| (path.clone(), *node)).collect();
        let (levels, mut unit) = self.levels_at(&nodes)?;
        let own_node = self.description.node(path);
        if unit.text.is_empty()
            && let Some(Value::Text { text, .. }) = own_node.map(|node| &node.value)
            && let Some((_, written)) = split_unit(text)
            && nodes.is_empty()
        {
            unit = written;
        }
        let mut numbers = [None; 5];
        for ((k, path, node), level) in given.iter().zip(&levels) {
            let Level::Number(x) = level else {
                return self.wrong_kind(node, path, "a number or a quantity");
            };
            if !x.is_finite() {
                self.in_range(node, path, *x, false, "a finite number")?;
            }
            numbers[*k] = Some(*x);
        }
        let relative = match place.get("relative") {
            Some((node, path)) => {
                let x = self.quantity(node, &path, Dimension::NONE)?;
                let sound = x > 0.0 && x.is_finite();
                Some(self.in_range(node, &path, x, sound, "a positive number")?)
            }
            None => None,
        };
        let own = crate::model::number_at(self.description, path).map(|x| {
            let written = match own_node.map(|node| &node.value) {
                Some(Value::Text { text, .. }) => split_unit(text),
                _ => None,
            };
            // As it was written, without the round-off of the way to SI units and back.
            written.filter(|(_, its)| *its == unit).map_or(x / unit.factor, |(x, _)| x)
        });
        Some(Stated { numbers, unit, relative, own })
    }

    fn shaped(&mut self, place: &Place<'d>, word: &str, stated: &Stated) -> Option<Distribution> {
        let [mean, deviation, low, high, mode] = stated.numbers;
        let centre = mean.or(mode).or(stated.own);
        let width = stated.relative.zip(centre).map(|(r, x)| r * x.abs());
        let mut refuse = |why: &str| {
            self.note(&place.path, place.origin, Mistake::Conflict(why.to_owned()));
            None
        };
        if stated.relative.is_some() && centre.is_none_or(|x| x == 0.0) {
            return refuse(
                "`relative` needs a value that is not zero: `mean` or `mode`, or the file's own at `path`",
            );
        }
        if let "normal" | "lognormal" = word {
            let (Some(mean), Some(deviation)) = (centre, deviation.or(width)) else {
                return refuse(
                    "`deviation` (or `relative`) and a mean are needed: `mean`, or the file's own value at `path`",
                );
            };
            if stated.relative.is_some() && stated.numbers[1].is_some() {
                return refuse("either `deviation` or `relative`, not both");
            }
            if !(deviation > 0.0) {
                return refuse("`deviation` is not positive");
            }
            if word == "lognormal" && !(mean > 0.0) {
                return refuse("the mean of a lognormal number is positive");
            }
            let shape = if word == "normal" {
                DistributionShape::Normal { mean, deviation }
            } else {
                DistributionShape::Lognormal { mean, deviation }
            };
            let out = Distribution { stated: [low, high], ..Distribution::new(shape) };
            if low.zip(high).is_some_and(|(a, b)| !(a < b)) || !(out.kept() > 0.0) {
                return refuse("nothing lies between `low` and `high`");
            }
            return Some(out);
        }
        let ends = match (low, high, width.zip(centre)) {
            (Some(low), Some(high), None) => [low, high],
            (None, None, Some((half, centre))) => [centre - half, centre + half],
            _ => return refuse("`low` and `high` are needed, or `relative` instead of both"),
        };
        let [low, high] = ends;
        if !(low < high) {
            return refuse("`low` is not below `high`");
        }
        if word == "uniform" {
            return Some(Distribution::new(DistributionShape::Uniform { low, high }));
        }
        match mode.or(stated.own) {
            Some(mode) if (low..=high).contains(&mode) => {
                Some(Distribution::new(DistributionShape::Triangular { low, mode, high }))
            }
            _ => refuse(
                "the most probable value (`mode`, or the file's own at `path`) lies between `low` and `high`",
            ),
        }
    }

    /// The contact law as a variable, each law with every point.
    fn read_laws(&mut self, place: &Place<'d>, contact: Option<&str>) -> Option<StudyVariable> {
        let (node, path) = place.get("laws")?;
        let laws = self.texts(node, &path);
        let contacts = self.description.root.get("contacts").map(|node| &node.value);
        let only = match contacts {
            Some(Value::Table(table)) if table.entries().len() == 1 => {
                table.entries().first().map(|entry| entry.key.clone())
            }
            _ => None,
        };
        let twice = (1..laws.len()).any(|k| laws[..k].contains(&laws[k]));
        let why = match contact.map(str::to_owned).or(only) {
            _ if laws.len() < 2 || twice => "at least two different laws are compared",
            Some(contact) => {
                return Some(StudyVariable {
                    name: LAW.to_owned(),
                    path: format!("contacts.{contact}.law"),
                    unit: plain_unit(),
                    domain: Domain::Crossed(laws.into_iter().map(Level::Word).collect()),
                    along: None,
                });
            }
            None => "the model has several contacts: `contact` says whose laws these are",
        };
        self.note(&path, Some(&node.origin), Mistake::Conflict(why.to_owned()));
        None
    }
}
