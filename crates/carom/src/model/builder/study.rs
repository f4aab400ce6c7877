//! `[study]`: what changes from point to point, what is done there and what is kept.

use super::Builder;
use super::finding::Mistake;
use super::keys::{ACTIONS, SAMPLINGS, SCALES, STUDY, VARIABLE};
use super::reader::{Place, joined};
use crate::maths::expression::{Expression, Scope, is_reserved};
use crate::maths::units::{Dimension, Measure};
use crate::model::description::{Entry, Node, Value};
use crate::model::study::{
    Action, Domain, Goal, Level, PlanPart, Sampling, StudyPlan, StudyVariable, VariableUnit,
};

/// More points than this are no study: each takes microseconds at best.
const MOST_POINTS: f64 = 1e12;

impl<'d> Builder<'d> {
    pub(super) fn read_study(&mut self) -> Option<StudyPlan> {
        let entry = self.description.root.entry("study")?;
        let place = self.table(entry, "study".to_owned())?;
        self.check_keys(&place, &STUDY);
        let action = self.word(&place, "action", &ACTIONS, "action").map(|k| Action::ALL[k]);
        let sampling = self.word(&place, "sampling", &SAMPLINGS, "sampling");
        let sampling = sampling.map_or(Sampling::Grid, |k| Sampling::ALL[k]);
        let points = self.whole(&place, "points", 1.0);
        let seed = self.whole(&place, "seed", 0.0).unwrap_or(0);
        let contact = place.get("contact").and_then(|(node, path)| self.text(node, &path));
        self.check_points(&place, sampling);
        let variables = self.read_variables(&place, sampling);
        let measures = self.read_measures(&place);
        let goal = self.read_goal(&place);
        let constraints = match place.get("constraints") {
            Some((node, path)) => self.texts(node, &path),
            None => Vec::new(),
        };
        Some(StudyPlan {
            action: action.unwrap_or(Action::Assess),
            contact: contact.map(str::to_owned),
            sampling,
            points,
            seed: seed as u64,
            variables,
            measures,
            goal,
            constraints,
            part: PlanPart::Study,
        })
    }

    pub(super) fn word(
        &mut self,
        place: &Place<'d>,
        key: &str,
        words: &[&str],
        what: &'static str,
    ) -> Option<usize> {
        let (node, path) = place.get(key)?;
        self.choice(node, &path, words, what)
    }

    /// A whole number from `least` on.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "judged before")]
    pub(super) fn whole(&mut self, place: &Place<'d>, key: &str, least: f64) -> Option<usize> {
        let (node, path) = place.get(key)?;
        let x = self.quantity(node, &path, Dimension::NONE)?;
        let sound = x.fract() == 0.0 && (least..=MOST_POINTS).contains(&x);
        let expected = "a whole number, at least 1 (a seed: 0) and at most 1e12";
        self.in_range(node, &path, x, sound, expected).map(|x| x as usize)
    }

    fn check_points(&mut self, place: &Place<'d>, sampling: Sampling) {
        let wrong = match (sampling, place.table.get("points").is_some()) {
            (Sampling::Grid, true) => "a grid counts its points itself: leave `points` out",
            (Sampling::Grid, false) => return,
            (_, false) => "`points` is missing: how many points are wanted",
            _ => return,
        };
        let origin = place.table.get("points").map(|n| &n.origin).or(place.origin);
        self.note(&place.path, origin, Mistake::Conflict(wrong.to_owned()));
    }

    fn read_variables(&mut self, place: &Place<'d>, sampling: Sampling) -> Vec<StudyVariable> {
        let Some(entry) = place.table.entry("variables") else { return Vec::new() };
        let Some(table) = self.table(entry, "study.variables".to_owned()) else {
            return Vec::new();
        };
        let names: Vec<&str> = table.table.entries().iter().map(|e| e.key.as_str()).collect();
        let mut out = Vec::with_capacity(names.len());
        for entry in table.table.entries() {
            let path = joined("study.variables", &entry.key);
            self.check_variable_name(entry, &path);
            let Some(place) = self.table(entry, path) else { continue };
            self.check_keys(&place, &VARIABLE);
            out.extend(self.read_variable(&entry.key, &place, sampling, &names));
        }
        out
    }

    pub(super) fn check_variable_name(&mut self, entry: &'d Entry, path: &str) {
        let mut letters = entry.key.chars();
        let sound = letters.next().is_some_and(|c| c.is_alphabetic() || c == '_')
            && letters.all(|c| c.is_alphanumeric() || c == '_')
            && !is_reserved(&entry.key);
        if !sound {
            let name = entry.key.chars().take(60).collect();
            let rule = "a variable's name is made of letters, digits and `_`, begins with a letter, \
                        and is no function, `pi` or `t`";
            self.note(path, Some(&entry.origin), Mistake::BadName { name, rule });
        }
    }

    fn read_variable(
        &mut self,
        name: &str,
        place: &Place<'d>,
        sampling: Sampling,
        names: &[&str],
    ) -> Option<StudyVariable> {
        let path = match place.get("path") {
            Some((node, path)) => self.text(node, &path)?.to_owned(),
            None => joined("parameters", name),
        };
        let given = ["range", "values", "expression"];
        let given: Vec<&str> =
            given.into_iter().filter(|key| place.table.get(key).is_some()).collect();
        let [kind] = given[..] else {
            let why = "one of `range`, `values` and `expression` says what values it has";
            self.note(&place.path, place.origin, Mistake::Conflict(why.to_owned()));
            return None;
        };
        let count = self.whole(place, "count", 1.0);
        let scale = self.word(place, "scale", &SCALES, "scale");
        if kind != "range" {
            for key in ["count", "scale"] {
                if let Some((node, path)) = place.get(key) {
                    let why = format!("`{key}` belongs to a `range`");
                    self.note(&path, Some(&node.origin), Mistake::Conflict(why));
                }
            }
        }
        let (node, at) = place.get(kind)?;
        let (domain, unit) = match kind {
            "expression" => (Domain::Expression(self.text(node, &at)?.to_owned()), plain_unit()),
            "values" => {
                let list = self.list(node, &at)?;
                let (levels, unit) = self.levels(list, &at)?;
                if levels.is_empty() {
                    let why = "a variable has at least one value".to_owned();
                    self.note(&at, Some(&node.origin), Mistake::Conflict(why));
                    return None;
                }
                (Domain::Values(levels), unit)
            }
            _ => self.read_range(node, &at, place, (count, scale == Some(1), sampling))?,
        };
        let along = self.read_along(name, place, sampling, names);
        Some(StudyVariable { name: name.to_owned(), path, unit, domain, along })
    }

    fn read_range(
        &mut self,
        node: &'d Node,
        at: &str,
        place: &Place<'d>,
        (count, log, sampling): (Option<usize>, bool, Sampling),
    ) -> Option<(Domain, VariableUnit)> {
        let ends = self.pair(node, at)?.map(Clone::clone);
        let (levels, unit) = self.levels(&ends, at)?;
        let [Level::Number(low), Level::Number(high)] = levels[..] else {
            return self.wrong_kind(node, at, "two numbers or quantities");
        };
        let why = if log && !(low * high > 0.0) {
            Some("a range divided by ratios (scale = \"log\") has ends of one sign, none zero")
        } else if sampling == Sampling::Grid
            && place.table.get("count").is_none()
            && !self.has_goal()
        {
            Some("`count` is missing: how many values of the range a grid has")
        } else if sampling != Sampling::Grid && place.table.get("count").is_some() {
            Some("only a grid has a `count` for each variable: use `points` of the study")
        } else {
            None
        };
        if let Some(why) = why {
            self.note(at, Some(&node.origin), Mistake::Conflict(why.to_owned()));
            return None;
        }
        Some((Domain::Range { low, high, count, log }, unit))
    }

    /// Whether the study is there to optimise, which takes ranges as they are.
    fn has_goal(&self) -> bool {
        let stated = |path: &str| self.description.node(path).is_some();
        stated("study.minimise") || stated("study.maximise")
    }

    fn read_along(
        &mut self,
        name: &str,
        place: &Place<'d>,
        sampling: Sampling,
        names: &[&str],
    ) -> Option<String> {
        let (node, path) = place.get("along")?;
        let other = self.text(node, &path)?;
        if sampling != Sampling::Grid {
            let why = "only the variables of a grid step along with each other".to_owned();
            self.note(&path, Some(&node.origin), Mistake::Conflict(why));
            return None;
        }
        let before = names.iter().take_while(|n| **n != name);
        if !before.clone().any(|n| *n == other) {
            let hint = self.hint(other, before.copied());
            let (what, name) = ("variable before this one", other.chars().take(60).collect());
            self.note(&path, Some(&node.origin), Mistake::UnknownName { what, name, hint });
            return None;
        }
        Some(other.to_owned())
    }

    /// Values of a list in one unit: that of the first value that has one.
    pub(super) fn levels(
        &mut self,
        nodes: &[Node],
        path: &str,
    ) -> Option<(Vec<Level>, VariableUnit)> {
        let nodes: Vec<(String, &Node)> =
            nodes.iter().enumerate().map(|(k, node)| (format!("{path}.{k}"), node)).collect();
        let found = self.levels_at(&nodes)?;
        let words = found.0.iter().filter(|level| matches!(level, Level::Word(_))).count();
        if words > 0
            && words < found.0.len()
            && let Some(k) = found.0.iter().position(|level| matches!(level, Level::Word(_)))
        {
            let (at, node) = &nodes[k];
            return self.wrong_kind(
                node,
                at,
                "a number or a quantity as beside it, or words alone",
            );
        }
        Some(found)
    }

    /// Values in one unit: that of the first value that has one.
    pub(super) fn levels_at(
        &mut self,
        nodes: &[(String, &Node)],
    ) -> Option<(Vec<Level>, VariableUnit)> {
        let mut read = Vec::with_capacity(nodes.len());
        let mut unit: Option<(VariableUnit, Measure)> = None;
        for (at, node) in nodes {
            if let Value::Bool(b) = node.value {
                read.push((None, Level::Word(b.to_string())));
                continue;
            }
            if let Value::Text { text, .. } = &node.value
                && !is_quantity(text)
                && !self.is_expression(text)
            {
                read.push((None, Level::Word(text.clone())));
                continue;
            }
            let resolved = self.expression(node, at, Scope::Constant)?;
            let x = resolved.tape.as_constant()?;
            if let (None, Value::Text { text, .. }) = (&unit, &node.value)
                && let Some((_, written)) = split_unit(text)
            {
                unit = Some((written, resolved.measure));
            }
            if let Some((_, measure)) = &unit
                && let Err(problem) = measure.plus(resolved.measure)
            {
                self.note(at, Some(&node.origin), Mistake::Unit(problem));
                return None;
            }
            let written = match &node.value {
                Value::Text { text, .. } => split_unit(text),
                _ => None,
            };
            read.push((written, Level::Number(x)));
        }
        let unit = unit.map_or_else(plain_unit, |(unit, _)| unit);
        let level = |(written, level): (Option<(f64, VariableUnit)>, Level)| match (written, level)
        {
            // As it was written, without the round-off of the way to SI units and back.
            (Some((x, its)), _) if its == unit => Level::Number(x),
            (_, Level::Number(x)) => Level::Number(x / unit.factor),
            (_, word) => word,
        };
        Some((read.into_iter().map(level).collect(), unit))
    }

    /// Whether a text is an expression of parameters, not a word.
    fn is_expression(&self, text: &str) -> bool {
        Expression::parse(text, Scope::Constant)
            .is_ok_and(|e| e.names().all(|name| self.parameters.contains_key(name)))
    }

    pub(super) fn read_measures(&mut self, place: &Place<'d>) -> Vec<(String, String)> {
        let Some((node, path)) = place.get("measures") else { return Vec::new() };
        let Value::Table(table) = &node.value else {
            let list = self.texts(node, &path);
            return list.into_iter().map(|text| (text.clone(), text)).collect();
        };
        let mut out = Vec::new();
        for entry in table.entries() {
            let path = joined(&path, &entry.key);
            if let Some(text) = self.text(&entry.node, &path) {
                out.push((entry.key.clone(), text.to_owned()));
            }
        }
        out
    }

    /// A text or a list of texts.
    pub(super) fn texts(&mut self, node: &'d Node, path: &str) -> Vec<String> {
        let Value::List(list) = &node.value else {
            return self.text(node, path).map(str::to_owned).into_iter().collect();
        };
        let mut out = Vec::with_capacity(list.len());
        for (k, node) in list.iter().enumerate() {
            out.extend(self.text(node, &format!("{path}.{k}")).map(str::to_owned));
        }
        out
    }

    fn read_goal(&mut self, place: &Place<'d>) -> Option<Goal> {
        let least = place.get("minimise").and_then(|(n, path)| self.text(n, &path));
        let most = place.get("maximise").and_then(|(n, path)| self.text(n, &path));
        match (least, most) {
            (Some(_), Some(_)) => {
                let why = "either `minimise` or `maximise`, not both".to_owned();
                self.note(&place.path, place.origin, Mistake::Conflict(why));
                None
            }
            (Some(text), None) => Some(Goal { expression: text.to_owned(), maximise: false }),
            (None, Some(text)) => Some(Goal { expression: text.to_owned(), maximise: true }),
            (None, None) => None,
        }
    }
}

pub(super) fn plain_unit() -> VariableUnit {
    VariableUnit { text: String::new(), factor: 1.0 }
}

/// Whether a text begins like a number.
fn is_quantity(text: &str) -> bool {
    let text = text.trim_start().trim_start_matches(['+', '-']);
    text.starts_with(|c: char| c.is_ascii_digit() || c == '.')
}

/// `10 deg` as a number and its unit.
pub(super) fn split_unit(text: &str) -> Option<(f64, VariableUnit)> {
    let text = text.trim();
    let ends = text.char_indices().map(|(k, _)| k).chain([text.len()]);
    // The longest beginning that is a number.
    let (end, x) =
        ends.rev().find_map(|end| Some((end, text[..end].trim_end().parse::<f64>().ok()?)))?;
    let unit = text[end..].trim();
    if unit.is_empty() {
        return None;
    }
    let one = Expression::parse(&format!("1 {unit}"), Scope::Constant).ok()?;
    let none = |_: &str| Err(String::new());
    let factor = one.resolve(none).ok()?.tape.as_constant()?;
    (factor > 0.0).then(|| (x, VariableUnit { text: unit.to_owned(), factor }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantity_is_a_number_and_its_unit() {
        let (x, unit) = split_unit(" 10 deg").unwrap();
        assert_eq!((x, unit.text.as_str(), unit.factor), (10.0, "deg", 1_f64.to_radians()));
        let (x, unit) = split_unit("-2.5e3 N/mm").unwrap();
        assert_eq!((x, unit.text.as_str(), unit.factor), (-2500.0, "N/mm", 1000.0));
        for other in ["10", "2*crank", "hertz", "q.elbow < 0", "3 apples", ""] {
            assert_eq!(split_unit(other), None, "{other}");
        }
    }
}
