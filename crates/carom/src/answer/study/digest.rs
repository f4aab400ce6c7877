//! What the points of a sweep have in common.

use schemars::JsonSchema;
use serde::Serialize;

use super::indices::{ElementaryAnswer, IndexAnswer, elementary, indices};
use super::{LevelValue, StudyReading, Unbounded};
use crate::answer::digits::{percent, six, three};
use crate::answer::{Caution, CautionCode, version};
use crate::maths::digits::clean;
use crate::model::study::Level;
use crate::study::Study;
use crate::study::digest::Driver;
use crate::study::fit::Fit;
use crate::study::sensitivity::Sensitivities;

/// Most points of the ranking that the answer lists.
const MOST_RANKED: usize = 1000;
/// Most letters of an error that the answer quotes.
const MOST_LETTERS: usize = 300;

/// A measure of a study.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MeasureName {
    /// Its name.
    pub name: String,
    /// Its SI unit; empty for a plain number.
    pub unit: String,
}

impl MeasureName {
    /// `peak_force [N]`.
    pub fn heading(&self) -> String {
        if self.unit.is_empty() {
            self.name.clone()
        } else {
            format!("{} [{}]", self.name, self.unit)
        }
    }
}

/// A point that has an error.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FailedPoint {
    /// Which point.
    pub point: u64,
    /// The beginning of its error.
    pub error: String,
}

/// A design: a point with its variables and measures.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DesignRow {
    /// Which point.
    pub point: u64,
    /// The variables, in their units.
    pub variables: Vec<LevelValue>,
    /// The measures; `null` where there is none, and where it is unbounded.
    #[schemars(with = "Vec<Option<f64>>")]
    pub measures: Vec<f64>,
    /// Whether its contact never touches.
    pub untouched: bool,
    /// The names of the measures that are unbounded here.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub unbounded: Vec<String>,
}

/// How a measure goes with a variable.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CorrelationAnswer {
    /// The measure.
    pub measure: String,
    /// The variable.
    pub variable: String,
    /// Pearson's, of the finite values; `null` where one of them does not vary.
    pub pearson: Option<f64>,
    /// Spearman's; ∞ ranks last.
    pub spearman: Option<f64>,
    /// Points at which the measure is unbounded.
    pub infinite: usize,
}

/// A curve fitted by least squares.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FitAnswer {
    /// a, b, c of a + b x + c x², or a, b of a x^b.
    pub coefficients: Vec<f64>,
    /// The coefficient of determination.
    pub r_squared: f64,
}

/// How the ranking measure follows an energy.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DriverAnswer {
    /// The energy.
    pub measure: String,
    /// The group of points, by the values of the other variables; `null` for all points.
    pub within: Option<String>,
    /// Pearson's.
    pub pearson: Option<f64>,
    /// Spearman's.
    pub spearman: Option<f64>,
    /// How many neighbours in the order of the energy have the ranking measure falling.
    pub inversions: usize,
    /// The two points with the energy smaller and the ranking measure larger by most.
    pub worst_inversion: Option<[u64; 2]>,
    /// By how much, divided by the span of the ranking measure.
    pub worst_depth: f64,
    /// a + b x + c x².
    pub parabola: Option<FitAnswer>,
    /// a x^b.
    pub power_law: Option<FitAnswer>,
}

/// A derivative of a measure by a variable, at the values of the file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SensitivityAnswer {
    /// The measure.
    pub measure: String,
    /// Its unit.
    pub measure_unit: String,
    /// The variable.
    pub variable: String,
    /// The variable's unit.
    pub unit: String,
    /// Where: the variable in its unit.
    pub at: Option<f64>,
    /// The derivative by the variable in its unit.
    pub value: f64,
    /// How far it may be off.
    pub error: f64,
    /// Relative change of the measure divided by that of the variable; `null` where one of them is zero.
    pub relative: Option<f64>,
    /// Whether it is an exact gradient.
    pub exact: bool,
}

/// What `study` answers.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StudyAnswer {
    /// The version of carom.
    pub carom: String,
    /// The answer in a sentence: which variable matters most, and the softest design beside the given one.
    pub headline: String,
    /// The folder of the sweep.
    pub folder: String,
    /// What is done at each point.
    pub action: String,
    /// The contact that is measured.
    pub contact: String,
    /// How many points.
    pub points: u64,
    /// How they were chosen.
    pub sampling: String,
    /// The variables with their units.
    pub variables: Vec<String>,
    /// The measures.
    pub measures: Vec<MeasureName>,
    /// Points with an error.
    pub failed: usize,
    /// The first of them.
    pub first_failed: Option<FailedPoint>,
    /// Points whose contact never touches.
    pub untouched: usize,
    /// The first of them, and its least gap.
    pub first_untouched: Option<String>,
    /// Points that the log does not have.
    pub missing: u64,
    /// The measure that designs are ranked by.
    pub ranked_by: String,
    /// How many points are ranked.
    pub ranked: usize,
    /// The points from the softest to the hardest, 1000 at most.
    pub ranking: Vec<u64>,
    /// The softest designs; all of them if they are few.
    pub softest: Vec<DesignRow>,
    /// The hardest designs, the hardest last; none if `softest` has all.
    pub hardest: Vec<DesignRow>,
    /// The second measure of the front; `null` if none was asked for.
    pub front_against: Option<String>,
    /// Pareto's front: the designs that no other one beats in both measures, by the measure that designs are ranked by.
    pub front: Vec<DesignRow>,
    /// Each measure with each variable that has numbers.
    pub correlations: Vec<CorrelationAnswer>,
    /// The ranking measure against energies.
    pub energies: Vec<DriverAnswer>,
    /// Derivatives; `null` if they were not asked for or do not exist.
    pub sensitivities: Option<Vec<SensitivityAnswer>>,
    /// Words that were assumed for the derivatives where the file is silent, `variable = word`.
    pub assumed: Vec<String>,
    /// Sobol's indices, of a sample that was made for them.
    pub sobol_indices: Vec<IndexAnswer>,
    /// Morris' elementary effects, of a sample that was made for them.
    pub elementary_effects: Vec<ElementaryAnswer>,
    /// What a user must know.
    pub cautions: Vec<Caution>,
}

impl StudyAnswer {
    pub(super) fn new(reading: &StudyReading) -> Self {
        let StudyReading { study, rows, digest, top, .. } = reading;
        let measure = |k: usize| study.measures[k].name.clone();
        let n = digest.ranking.len();
        let (softest, hardest) = if n <= 2 * top + 1 {
            (&digest.ranking[..], &[][..])
        } else {
            (&digest.ranking[..*top], &digest.ranking[n - top..])
        };
        let designs = |which: &[usize]| which.iter().map(|k| design(reading, *k)).collect();
        let correlations = digest.correlations.iter().map(|c| CorrelationAnswer {
            measure: measure(c.measure),
            variable: study.design.variables()[c.variable].name.clone(),
            pearson: c.pearson,
            spearman: c.spearman,
            infinite: c.infinite,
        });
        let variables = study.design.variables();
        let assumed = reading.sensitivities.iter().flat_map(|s| &s.assumed);
        Self {
            carom: version(),
            headline: headline(reading),
            folder: reading.folder.clone(),
            action: study.action.name().to_owned(),
            contact: study.contact.clone(),
            points: study.design.points(),
            sampling: study.design.sampling().name().to_owned(),
            variables: study.variable_headings(),
            measures: measures(study),
            failed: rows.failed.len(),
            first_failed: rows.failed.first().map(|(point, text)| FailedPoint {
                point: *point,
                error: text.chars().take(MOST_LETTERS).collect(),
            }),
            untouched: rows.untouched.len(),
            first_untouched: rows.untouched.first().map(|(point, why)| format!("{point}: {why}")),
            missing: rows.missing,
            ranked_by: measure(digest.target),
            ranked: n,
            ranking: digest.ranking.iter().take(MOST_RANKED).map(|k| rows.points[*k]).collect(),
            softest: designs(softest),
            hardest: designs(hardest),
            front_against: reading.against.map(measure),
            front: designs(&reading.front()),
            correlations: correlations.collect(),
            energies: digest.drivers.iter().map(|d| driver(reading, d)).collect(),
            sensitivities: sensitivities(reading),
            assumed: assumed.map(|(k, word)| format!("{} = {word}", variables[*k].name)).collect(),
            sobol_indices: indices(reading),
            elementary_effects: elementary(reading),
            cautions: cautions(reading),
        }
    }
}

/// Which variable matters most, and the softest design beside the given one.
fn headline(reading: &StudyReading) -> String {
    let StudyReading { study, rows, digest, given, .. } = reading;
    let target = &study.measures[digest.target].name;
    let variables = study.design.variables();
    let mut out = String::new();
    if let Some(first) = digest.effects.first().filter(|_| digest.effects.len() > 1) {
        let how = match first.elasticity {
            Some(e) => {
                format!("{}{} % {target} per %", if e < 0.0 { "−" } else { "+" }, three(e.abs()))
            }
            None => format!("{} of the variance of {target}", percent(first.share)),
        };
        out = format!("{} matters most: {how}; ", variables[first.variable].name);
    }
    let Some(&row) = digest.ranking.iter().find(|row| !is_untouched(reading, **row)) else {
        let points = study.design.points();
        return if rows.untouched.len() as u64 == points {
            format!("none of the {points} designs ever touches")
        } else {
            format!("no design that touches has {target}")
        };
    };
    let shown: Vec<String> = variables
        .iter()
        .zip(&rows.levels)
        .map(|(v, levels)| match &levels[row] {
            Level::Number(x) if v.unit.text.is_empty() => format!("{} = {}", v.name, six(*x)),
            Level::Number(x) => format!("{} = {} {}", v.name, six(*x), v.unit.text),
            Level::Word(word) => format!("{} = {word}", v.name),
        })
        .collect();
    let shown = shown.join(", ");
    let which = match rows.untouched.len() {
        0 => format!("of {} designs", digest.ranking.len()),
        n => {
            let touch = if n == 1 { "touches" } else { "touch" };
            out.extend([format!("{n} of {} designs never {touch}; ", study.design.points())]);
            "of those that touch".to_owned()
        }
    };
    out.extend([format!("the softest {which} is {shown}")]);
    let value = rows.measures[digest.target][row];
    let change = given.map(|given| (value - given) / given.abs()).filter(|c| c.is_finite());
    if let Some(change) = change {
        let part = percent(change.abs());
        let beside = match clean(change, 1.0) {
            0.0 => "as".to_owned(),
            less if less < 0.0 => part + " below",
            _ => part + " above",
        };
        out.extend([format!(", {beside} the given one")]);
    }
    out
}

/// The measures of a study.
pub(super) fn measures(study: &crate::study::Study) -> Vec<MeasureName> {
    let named = |m: &crate::study::Column| MeasureName {
        name: m.name.clone(),
        unit: m.formula.unit.to_owned(),
    };
    study.measures.iter().map(named).collect()
}

/// Whether the contact of the design in a row never touches.
fn is_untouched(reading: &StudyReading, row: usize) -> bool {
    let rows = &reading.rows;
    rows.untouched.binary_search_by_key(&rows.points[row], |(point, _)| *point).is_ok()
}

fn design(reading: &StudyReading, row: usize) -> DesignRow {
    let StudyReading { study, rows, .. } = reading;
    let values: Vec<f64> = rows.measures.iter().map(|values| values[row]).collect();
    let infinite = study.measures.iter().zip(&values).filter(|(_, x)| x.is_infinite());
    DesignRow {
        untouched: is_untouched(reading, row),
        point: rows.points[row],
        variables: rows.levels.iter().map(|levels| (&levels[row]).into()).collect(),
        unbounded: infinite.map(|(m, _)| m.name.clone()).collect(),
        measures: values,
    }
}

fn driver(reading: &StudyReading, d: &Driver) -> DriverAnswer {
    let StudyReading { study, rows, digest, .. } = reading;
    let fit = |fit: &Option<Fit>| {
        fit.as_ref()
            .map(|f| FitAnswer { coefficients: f.coefficients.clone(), r_squared: f.determination })
    };
    DriverAnswer {
        measure: study.measures[d.measure].name.clone(),
        within: d.group.map(|k| digest.groups[k].label.clone()),
        pearson: d.pearson,
        spearman: d.spearman,
        inversions: d.monotony.inversions,
        worst_inversion: d.monotony.worst.map(|(a, b)| [rows.points[a], rows.points[b]]),
        worst_depth: d.monotony.depth,
        parabola: fit(&d.parabola),
        power_law: fit(&d.power),
    }
}

fn sensitivities(reading: &StudyReading) -> Option<Vec<SensitivityAnswer>> {
    Some(slopes(&reading.study, reading.sensitivities.as_ref()?))
}

/// Derivatives of the measures of a study.
pub(super) fn slopes(study: &Study, found: &Sensitivities) -> Vec<SensitivityAnswer> {
    let mut out = Vec::new();
    for (k, variable) in study.design.variables().iter().enumerate() {
        for (m, d) in found.derivatives[k].iter().flatten().enumerate() {
            let relative = found.at[k].map(|at| d.value * at / found.measures[m]);
            out.push(SensitivityAnswer {
                measure: study.measures[m].name.clone(),
                measure_unit: study.measures[m].formula.unit.to_owned(),
                variable: variable.name.clone(),
                unit: variable.unit.text.clone(),
                at: found.at[k],
                value: d.value,
                error: d.error,
                relative: relative.filter(|x| x.is_finite()),
                exact: d.exact,
            });
        }
    }
    out
}

fn cautions(reading: &StudyReading) -> Vec<Caution> {
    let StudyReading { study, rows, .. } = reading;
    let mut out = Vec::new();
    if rows.missing > 0 {
        let message = format!(
            "not complete: {} of {} points are missing; `sweep --resume` goes on, of shards `merge` puts them together",
            rows.missing,
            study.design.points()
        );
        out.push(Caution::warning(CautionCode::PointsMissing, "", message));
    }
    if let Some((point, text)) = rows.failed.first() {
        let n = rows.failed.len();
        let have = if n == 1 { "point has" } else { "points have" };
        let text: String = text.chars().take(MOST_LETTERS).collect();
        let message = format!("{n} {have} an error; the first, {point}: {text}");
        out.push(Caution::warning(CautionCode::PointsFailed, "", message));
    }
    let of = |values: &Vec<f64>| Unbounded::of(rows.points.iter().copied(), values);
    let found: Vec<Unbounded> = rows.measures.iter().map(of).collect();
    out.extend(Unbounded::cautions(study, &found));
    out
}
