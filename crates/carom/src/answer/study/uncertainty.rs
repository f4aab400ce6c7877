//! What `uncertainty` answers: every measure with its interval, and which uncertain number matters.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use super::digest::measures;
use super::indices::of_axes;
use super::reading::{StudyFolderError, given, is_part, open_folder};
use super::spread::{InfluenceAnswer, MeasureSpread, SpreadAnswer, law_share, spread};
use super::{LevelValue, MeasureName, SweepRefused, Unbounded};
use crate::answer::{Caution, CautionCode, version};
use crate::file::{Loaded, load, parse_files};
use crate::maths::digits::{four, percent, prefixed, three};
use crate::model::description::Value;
use crate::model::study::{Domain, Level, PlanPart, Sampling};
use crate::study::indices::{Indices, of_study};
use crate::study::log::{FILE, Reader};
use crate::study::spread::{Estimate, Sections, share};
use crate::study::statistics::spearman;
use crate::study::{Advance, Column, Rows, Study, evaluate, refuse_foreign, study_mark};

/// Most letters of an error that the answer quotes.
const MOST_LETTERS: usize = 300;
/// Slices of an input for its share: between these, twice the root of the points of a section.
const SLICES: [usize; 2] = [4, 32];
/// The first step of the convergence: points of each section.
const FIRST_STEP: usize = 4;
/// Less than this probability cut off a distribution is no news.
const UNSAID: f64 = 1e-12;
/// The measures of which the first one there is the subject of the answer in words.
const USUAL: [&str; 4] = ["peak_force", "largest_force", "elastic_peak", "impact_energy"];

/// What `uncertainty` answers.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct UncertaintyAnswer {
    /// The version of carom.
    pub carom: String,
    /// The answer in a sentence: the first measure with its interval, and which uncertain number matters most.
    pub headline: String,
    /// The folder of the sample; empty if it was not kept.
    pub folder: String,
    /// The title of the model.
    pub title: String,
    /// What is done at each point.
    pub action: String,
    /// The contact that is measured.
    pub contact: String,
    /// How the points were drawn.
    pub sampling: String,
    /// How many points were computed, with all laws.
    pub points: u64,
    /// The uncertain numbers, each in words.
    pub inputs: Vec<String>,
    /// The contact laws that were compared, the one that the answer is of first.
    pub laws: Vec<String>,
    /// The measures, the subject of the sentence first.
    pub measures: Vec<MeasureSpread>,
    /// Points with an error.
    pub failed: usize,
    /// Points whose contact never touches.
    pub untouched: usize,
    /// Points that are not computed yet.
    pub missing: u64,
    /// What a user must know.
    pub cautions: Vec<Caution>,
}

/// A sample of the `[uncertainty]` of a file.
#[derive(Clone, Debug)]
pub struct UncertaintyReading {
    /// The folder; empty if it was not kept.
    pub folder: String,
    /// The numbers of model and study, by which a page is recognised.
    pub mark: String,
    study: Study,
    rows: Rows,
}

impl UncertaintyReading {
    /// Evaluates the `[uncertainty]` of a file without keeping its points. `watch` is told how far it is; if it says `false` the points so far
    /// are the sample.
    pub fn sampled(
        file: &Path,
        sets: &[(String, String)],
        threads: usize,
        watch: &mut dyn FnMut(&Advance) -> bool,
    ) -> Result<Self, SweepRefused> {
        Self::of_loaded(&load(file, sets)?, file.display().to_string(), sets, threads, watch)
    }

    /// The same of the names and texts of files, the lowest first.
    pub fn sampled_from(
        files: &[(String, String)],
        sets: &[(String, String)],
        threads: usize,
        watch: &mut dyn FnMut(&Advance) -> bool,
    ) -> Result<Self, SweepRefused> {
        let shown = files.last().map_or_else(String::new, |(name, _)| name.clone());
        Self::of_loaded(&parse_files(files, sets)?, shown, sets, threads, watch)
    }

    fn of_loaded(
        loaded: &Loaded,
        shown: String,
        sets: &[(String, String)],
        threads: usize,
        watch: &mut dyn FnMut(&Advance) -> bool,
    ) -> Result<Self, SweepRefused> {
        let study = loaded.planned(PlanPart::Uncertainty)?;
        let header = super::header(loaded, &study, sets, crate::study::log::Shard::WHOLE);
        let points = study.design.points();
        let mut advance = Advance { points, done: 0, before: 0, failed: 0 };
        let mut bytes = Vec::new();
        evaluate(&study, 0..points, threads.max(1), &mut |block| {
            bytes.extend_from_slice(&block.bytes);
            advance.done += block.points;
            advance.failed += block.failed;
            Ok::<bool, SweepRefused>(watch(&advance))
        })?;
        let mut rows = Rows::new(&study, points);
        for (point, entry) in Reader::records(&bytes, study.measures.len()) {
            rows.push(&study, point, entry);
        }
        Ok(Self::of(shown, study, rows, study_mark(&header), String::new())?)
    }

    /// Reads the folder of a sample.
    pub fn open(folder: &Path) -> Result<Self, StudyFolderError> {
        let (study, mut reader) = open_folder(folder)?;
        is_part(folder, &study, PlanPart::Uncertainty)?;
        let shown = folder.display().to_string();
        let rows = Rows::read(&study, &mut reader).map_err(|error| StudyFolderError::Log {
            path: folder.join(FILE).display().to_string(),
            error,
        })?;
        let mark = study_mark(reader.header());
        Self::of(shown.clone(), study, rows, mark, shown)
    }

    /// The same for the page of its folder, which does not tell where it lies. Refused where a file stands in the place of the page that was
    /// not written for this sample.
    pub fn for_page(folder: &Path) -> Result<Self, StudyFolderError> {
        let found = Self::open(folder)?;
        let (_, reader) = open_folder(folder)?;
        refuse_foreign(folder, Some(&found.study), Some(reader.header()))?;
        Ok(Self { folder: String::new(), ..found })
    }

    fn of(
        shown: String,
        study: Study,
        rows: Rows,
        mark: String,
        folder: String,
    ) -> Result<Self, StudyFolderError> {
        if rows.measures.iter().flatten().all(|x| x.is_nan()) {
            let why = rows.failed.first().map_or_else(String::new, |(point, text)| {
                format!("; the first error, at point {point}: {text}")
            });
            return Err(StudyFolderError::Empty { folder: shown, why });
        }
        Ok(Self { folder, mark, study, rows })
    }

    /// The values of a measure of the answer with the file's law, in the order of their points.
    pub fn values(&self, name: &str) -> Vec<f64> {
        let found = self.study.measures.iter().position(|m| m.name == name);
        found.map_or_else(Vec::new, |m| {
            let values = self.of_law(m, self.main_law());
            values.into_iter().map(|(_, _, x)| x).filter(|x| x.is_finite()).collect()
        })
    }

    /// The uncertain numbers of all points that were computed, with all laws: headings with units, and values in the order of the points.
    pub fn inputs(&self) -> Vec<(String, Vec<LevelValue>)> {
        let columns = self.rows.levels.iter().map(|c| c.iter().map(LevelValue::from).collect());
        self.study.variable_headings().into_iter().zip(columns).collect()
    }

    /// The measures at the same points: headings with units, and values; NaN where there is none.
    pub fn measured(&self) -> Vec<(String, &[f64])> {
        let headings = self.study.measures.iter().map(Column::heading);
        headings.zip(self.rows.measures.iter().map(Vec::as_slice)).collect()
    }

    /// The answer.
    pub fn answer(&self) -> UncertaintyAnswer {
        let Self { study, rows, .. } = self;
        let mut order: Vec<usize> = (0..study.measures.len()).collect();
        let usual = |m: &usize| {
            let text = study.measures[*m].text.trim();
            USUAL.iter().position(|name| *name == text).unwrap_or(USUAL.len())
        };
        order.sort_by_key(usual);
        let names = measures(study);
        let spreads: Vec<MeasureSpread> =
            order.iter().map(|m| self.measure(*m, names[*m].clone())).collect();
        let title = match study.description.node("title").map(|node| &node.value) {
            Some(Value::Text { text, .. }) => text.clone(),
            _ => String::new(),
        };
        let inputs = study.design.variables().iter().filter_map(|v| match &v.domain {
            Domain::Uncertain(d) => Some(format!("{}: {}", v.name, d.in_words(&v.unit))),
            _ => None,
        });
        let mut laws = self.laws();
        if !laws.is_empty() {
            laws[..=self.main_law()].rotate_right(1);
        }
        UncertaintyAnswer {
            carom: version(),
            headline: headline(&spreads),
            folder: self.folder.clone(),
            title,
            action: study.action.name().to_owned(),
            contact: study.contact.clone(),
            sampling: study.design.sampling().name().to_owned(),
            points: study.design.points(),
            inputs: inputs.collect(),
            laws,
            measures: spreads,
            failed: rows.failed.len(),
            untouched: rows.untouched.len(),
            missing: rows.missing,
            cautions: self.cautions(),
        }
    }

    /// The variable that stands for the contact law.
    fn law_variable(&self) -> Option<usize> {
        let variables = self.study.design.variables();
        variables.iter().position(|v| matches!(v.domain, Domain::Crossed(_)))
    }

    /// The contact laws that are compared; none if the file's alone is used.
    fn laws(&self) -> Vec<String> {
        let variable = self.law_variable().map(|k| &self.study.design.variables()[k].domain);
        let Some(Domain::Crossed(levels)) = variable else { return Vec::new() };
        let word = |level: &Level| match level {
            Level::Word(word) => word.clone(),
            Level::Number(x) => x.to_string(),
        };
        levels.iter().map(word).collect()
    }

    /// The position of the file's own law, or of the first one.
    fn main_law(&self) -> usize {
        let Some(k) = self.law_variable() else { return 0 };
        let stated = self.study.stated().into_iter().nth(k).flatten();
        let own = |law: &String| stated == Some(Level::Word(law.clone()));
        self.laws().iter().position(own).unwrap_or(0)
    }

    /// Row, section and value of the points with one law, in the order of the points; of Saltelli's rows the two independent points.
    fn of_law(&self, measure: usize, law: usize) -> Vec<(usize, u64, f64)> {
        let design = &self.study.design;
        let last = design.axes().len() + 1;
        let mut out = Vec::new();
        for (k, point) in self.rows.points.iter().enumerate() {
            let (row, column) = design.row(*point);
            let independent =
                design.sampling() != Sampling::Saltelli || column == 0 || column == last;
            if independent && point % design.crossed() == law as u64 {
                out.push((k, row % design.sections(), self.rows.measures[measure][k]));
            }
        }
        out
    }

    fn measure(&self, m: usize, name: MeasureName) -> MeasureSpread {
        let sections = self.study.design.sections();
        let (laws, main) = (self.laws(), self.main_law());
        let label = |k: usize| laws.get(k).cloned();
        let by = |law: usize| {
            let values = self.of_law(m, law);
            Sections::new(sections, values.into_iter().map(|(_, section, x)| (section, x)))
        };
        let own = by(main);
        let all = own.all();
        let mut sizes = Vec::new();
        let mut size = FIRST_STEP;
        while size < own.size() {
            sizes.push(size);
            size *= 2;
        }
        sizes.push(usize::MAX);
        let each: Vec<Sections> = (0..laws.len()).map(by).collect();
        MeasureSpread {
            measure: name,
            given: given(&self.study, m),
            range: [
                all.iter().copied().fold(f64::INFINITY, f64::min),
                all.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            ],
            spread: spread(&own, label(main)),
            influences: self.influences(m, main),
            convergence: sizes.iter().map(|n| spread(&own.first(*n), None)).collect(),
            laws: each.iter().enumerate().map(|(k, s)| spread(s, label(k))).collect(),
            law_share: (each.len() > 1).then(|| law_share(&each).into()),
        }
    }

    fn influences(&self, m: usize, law: usize) -> Vec<InfluenceAnswer> {
        let Self { study, rows, .. } = self;
        let design = &study.design;
        let values = self.of_law(m, law);
        let exact: Option<Vec<Indices>> =
            (design.crossed() == 1).then(|| of_study(study, rows, m)).flatten();
        let sections = usize::try_from(design.sections()).unwrap_or(1);
        let root = ((values.len() / sections.max(1)) as f64).sqrt();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
        let slices = ((2.0 * root) as usize).clamp(SLICES[0], SLICES[1]);
        let mut out = Vec::new();
        for (axis, k) in of_axes(study).into_iter().enumerate() {
            let variable = &design.variables()[k];
            let x = |row: usize| match (&variable.domain, &rows.levels[k][row]) {
                (_, Level::Number(x)) => *x,
                (Domain::Uncertain(d), level) => d.place(level),
                _ => f64::NAN,
            };
            let mut each = vec![Vec::new(); sections];
            for (row, section, y) in &values {
                if y.is_finite()
                    && let Some(list) = usize::try_from(*section).ok().and_then(|s| each.get_mut(s))
                {
                    list.push((x(*row), *y));
                }
            }
            let all = each.concat();
            let (first, total) = if let Some(found) = &exact {
                (found[axis].first, Some(found[axis].total.into()))
            } else {
                let scatter: Vec<f64> =
                    each.iter().map(|s| share(s, slices)).filter(|x| x.is_finite()).collect();
                (Estimate::new(share(&all, slices), &scatter), None)
            };
            let (x, y): (Vec<f64>, Vec<f64>) = all.into_iter().unzip();
            let words = matches!(rows.levels[k].first(), Some(Level::Word(_)));
            out.push(InfluenceAnswer {
                input: variable.name.clone(),
                share: first.into(),
                total,
                spearman: spearman(&x, &y).filter(|_| !words),
            });
        }
        out.sort_by(|a, b| b.share.value.total_cmp(&a.share.value));
        out
    }

    fn cautions(&self) -> Vec<Caution> {
        let Self { study, rows, .. } = self;
        let mut out = Vec::new();
        let points = study.design.points();
        if rows.missing > 0 {
            let message = format!(
                "not complete: {} of {points} points are missing; --resume goes on, of shards `merge` puts them together",
                rows.missing
            );
            out.push(Caution::warning(CautionCode::PointsMissing, "", message));
        }
        if let Some((point, text)) = rows.failed.first() {
            let n = rows.failed.len();
            let text: String = text.chars().take(MOST_LETTERS).collect();
            let message = format!(
                "{n} of {points} points have an error, and the spread is that of the others; the first, {point}: {text}"
            );
            out.push(Caution::warning(CautionCode::PointsFailed, "uncertainty", message));
        }
        if let Some((point, why)) = rows.untouched.first() {
            let n = rows.untouched.len();
            let message = format!(
                "{n} of {points} points never touch and count with a force of zero; the first, {point}: {why}"
            );
            out.push(Caution::warning(CautionCode::NoImpact, "uncertainty", message));
        }
        for variable in study.design.variables() {
            let Domain::Uncertain(d) = &variable.domain else { continue };
            let ends = d.physical.into_iter().zip(d.cut_off()).zip(["below", "above"]);
            for ((bound, lost), side) in ends {
                let Some(bound) = bound.filter(|_| lost > UNSAID) else { continue };
                let unit = &variable.unit.text;
                let gap = if unit.is_empty() { "" } else { " " };
                let message = format!(
                    "truncated {side} {bound}{gap}{unit}, where the model refuses `{}`: a probability of {} is cut off",
                    variable.path,
                    three(lost)
                );
                let place = format!("uncertainty.inputs.{}", variable.name);
                out.push(Caution::warning(CautionCode::DistributionTruncated, place, message));
            }
        }
        let of = |values: &Vec<f64>| Unbounded::of(rows.points.iter().copied(), values);
        let found: Vec<Unbounded> = rows.measures.iter().map(of).collect();
        out.extend(Unbounded::cautions(study, &found));
        out
    }
}

/// `peak force 1.2 kN (median), 90 % between 1.1 kN and 1.4 kN; stiffness matters most (70 % of the variance)`.
fn headline(measures: &[MeasureSpread]) -> String {
    let Some(first) = measures.first() else { return String::new() };
    let unit = first.measure.unit.as_str();
    let with = |x: f64| match unit {
        "" => four(x),
        "N" | "J" | "s" | "m" => {
            // Four digits of a value that an interval of some percent surrounds.
            let digits: f64 = four(x).parse().unwrap_or(x);
            prefixed(digits, unit)
        }
        unit => format!("{} {unit}", four(x)),
    };
    let spread = &first.spread;
    let name = first.measure.name.replace('_', " ");
    let law = spread.law.as_ref().map_or_else(String::new, |law| format!(" with {law}"));
    let mut out = format!(
        "{name} {}{law} (median), 90 % between {} and {}",
        with(spread.median.value),
        with(spread.p5.value),
        with(spread.p95.value)
    );
    let most = first.influences.first().filter(|i| i.share.value > 0.0);
    if let Some(most) = most {
        let share = percent(most.share.value.min(1.0));
        out.extend([format!("; {} matters most ({share} of the variance)", most.input)]);
    }
    let by_mean = |a: &&SpreadAnswer, b: &&SpreadAnswer| a.mean.value.total_cmp(&b.mean.value);
    let least = first.laws.iter().min_by(by_mean);
    if let Some((least, most)) = least.zip(first.laws.iter().max_by(by_mean)) {
        let law = |s: &SpreadAnswer| s.law.clone().unwrap_or_default();
        out.extend([format!(
            "; over the contact laws the mean lies between {} ({}) and {} ({})",
            with(least.mean.value),
            law(least),
            with(most.mean.value),
            law(most)
        )]);
    }
    out
}
