//! What the rows of a study have in common.

use super::effects::{Effect, effects, grid_indices};
use super::fit::{Fit, polynomial, power_law};
use super::indices::{Indices, of_study};
use super::morris::{Elementary, elementary};
use super::plan::Study;
use super::rows::Rows;
use super::statistics::{Monotony, monotony, pearson, spearman};
use crate::model::study::{Domain, Level, Sampling};

/// More groups than this are not told apart.
pub const MOST_GROUPS: usize = 14;

/// Rows that differ in the main variable only.
#[derive(Clone, Debug)]
pub struct Group {
    /// The values of the other variables; empty for one group of all.
    pub label: String,
    /// Its rows, by the main variable.
    pub rows: Vec<usize>,
    /// Where points of it have no measures: values of the main variable.
    pub failed: Vec<f64>,
}

/// How a measure goes with a variable.
#[derive(Clone, Copy, Debug)]
pub struct Correlation {
    /// The measure.
    pub measure: usize,
    /// The variable.
    pub variable: usize,
    /// Pearson's of the finite values; none where one of them does not vary.
    pub pearson: Option<f64>,
    /// Spearman's; ∞ ranks last.
    pub spearman: Option<f64>,
    /// Rows in which the measure is infinite: Pearson's is without them.
    pub infinite: usize,
}

/// How the target follows another measure within a group.
#[derive(Clone, Debug)]
pub struct Driver {
    /// The measure that may drive it.
    pub measure: usize,
    /// The group; none for all rows together.
    pub group: Option<usize>,
    /// Pearson's.
    pub pearson: Option<f64>,
    /// Spearman's.
    pub spearman: Option<f64>,
    /// Whether the target grows with it.
    pub monotony: Monotony,
    /// The parabola through the points.
    pub parabola: Option<Fit>,
    /// The power law through the points.
    pub power: Option<Fit>,
}

/// What the rows have in common.
#[derive(Clone, Debug)]
pub struct Digest {
    /// The measure that designs are ranked by.
    pub target: usize,
    /// The variable along which rows are looked at; none if no variable has numbers.
    pub main: Option<usize>,
    /// Rows that differ in the main variable only; one group if there are too many.
    pub groups: Vec<Group>,
    /// The rows from the smallest target to the largest.
    pub ranking: Vec<usize>,
    /// Each measure with each variable that has numbers.
    pub correlations: Vec<Correlation>,
    /// T_c and T against the target.
    pub drivers: Vec<Driver>,
    /// The target over each variable, the one that matters most first.
    pub effects: Vec<Effect>,
    /// Sobol's indices by measure, if the study was sampled for them or is a whole grid.
    pub indices: Vec<Option<Vec<Indices>>>,
    /// Morris' elementary effects by measure, if the study was sampled for them.
    pub elementary: Vec<Option<Vec<Elementary>>>,
}

impl Digest {
    /// Of a study's rows; `target` is a measure, or the usual one.
    pub fn new(study: &Study, rows: &Rows, target: Option<usize>) -> Self {
        let find = |names: &[&str]| {
            names.iter().find_map(|n| study.measures.iter().position(|m| m.text.trim() == *n))
        };
        let usual = ["peak_force", "largest_force", "elastic_peak", "impact_energy"];
        let target = target.or_else(|| find(&usual)).unwrap_or(0);
        let main = main(study, rows);
        let groups = groups(study, rows, main);
        let values = &rows.measures[target];
        let mut ranking: Vec<usize> = (0..rows.len()).filter(|k| !values[*k].is_nan()).collect();
        ranking.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
        let mut drivers = Vec::new();
        let of = ["impact_energy", "kinetic_energy"].into_iter().filter_map(|n| find(&[n]));
        for measure in of.filter(|m| *m != target) {
            let all: Vec<usize> = (0..rows.len()).collect();
            drivers.push(driver(rows, measure, target, None, &all));
            if groups.len() > 1 {
                for (k, group) in groups.iter().enumerate() {
                    drivers.push(driver(rows, measure, target, Some(k), &group.rows));
                }
            }
        }
        Self {
            target,
            main,
            ranking,
            correlations: correlations(study, rows),
            drivers,
            effects: effects(study, rows, target),
            indices: (0..rows.measures.len())
                .map(|m| of_study(study, rows, m).or_else(|| grid_indices(study, rows, m)))
                .collect(),
            elementary: (0..rows.measures.len()).map(|m| elementary(study, rows, m)).collect(),
            groups,
        }
    }
}

/// The variable with the most different numbers.
fn main(study: &Study, rows: &Rows) -> Option<usize> {
    let different = |k: usize| {
        let mut x = rows.numbers(k).filter(|x| !x.is_empty())?;
        x.sort_by(f64::total_cmp);
        x.dedup();
        Some(x.len())
    };
    let linked = |k: &usize| matches!(study.design.variables()[*k].domain, Domain::Expression(_));
    let all =
        (0..rows.levels.len()).filter(|k| !linked(k)).filter_map(|k| Some((k, different(k)?)));
    // Of equally many the first.
    all.fold(None, |best: Option<(usize, usize)>, this| match best {
        Some(best) if best.1 >= this.1 => Some(best),
        _ => Some(this),
    })
    .map(|(k, _)| k)
}

fn groups(study: &Study, rows: &Rows, main: Option<usize>) -> Vec<Group> {
    let all = || {
        let rows = sorted(rows, main, (0..rows.len()).collect());
        vec![Group { label: String::new(), rows, failed: Vec::new() }]
    };
    if study.design.sampling() != Sampling::Grid {
        return all();
    }
    let main_axis = main.and_then(|k| study.design.axis(k));
    // What moves along with the main variable, or follows others, makes no group.
    let others: Vec<usize> = (0..rows.levels.len())
        .filter(|k| study.design.axis(*k).is_some_and(|axis| Some(axis) != main_axis))
        .collect();
    let mut out: Vec<(Vec<&Level>, Group)> = Vec::new();
    for row in 0..rows.len() {
        let key: Vec<&Level> = others.iter().map(|k| &rows.levels[*k][row]).collect();
        let known = out.iter().position(|(k, _)| *k == key);
        match known {
            Some(at) => out[at].1.rows.push(row),
            None if out.len() == MOST_GROUPS => return all(),
            None => {
                let label = label(study, &others, &key);
                out.push((key, Group { label, rows: vec![row], failed: Vec::new() }));
            }
        }
    }
    // A row that lacks some measures has NaN in their place already.
    let bare = rows.failed.iter().filter(|(point, _)| rows.points.binary_search(point).is_err());
    for (point, _) in bare {
        let levels = study.design.levels(*point);
        let group =
            out.iter_mut().find(|(key, _)| others.iter().zip(key).all(|(k, l)| levels[*k] == **l));
        if let (Some((_, group)), Some(Level::Number(x))) = (group, main.map(|k| &levels[k])) {
            group.failed.push(*x);
        }
    }
    out.into_iter()
        .map(|(_, group)| Group { rows: sorted(rows, main, group.rows), ..group })
        .collect()
}

fn sorted(rows: &Rows, main: Option<usize>, mut which: Vec<usize>) -> Vec<usize> {
    if let Some(x) = main.and_then(|k| rows.numbers(k)) {
        which.sort_by(|a, b| x[*a].total_cmp(&x[*b]));
    }
    which
}

fn label(study: &Study, variables: &[usize], levels: &[&Level]) -> String {
    let part = |(k, level): (&usize, &&Level)| {
        let variable = &study.design.variables()[*k];
        match level {
            Level::Word(word) => word.clone(),
            Level::Number(x) if variable.unit.text.is_empty() => format!("{} = {x}", variable.name),
            Level::Number(x) => format!("{} = {x} {}", variable.name, variable.unit.text),
        }
    };
    variables.iter().zip(levels).map(part).collect::<Vec<_>>().join(", ")
}

/// The rows that no other one beats: small in both measures, by the first of them.
pub fn front(rows: &Rows, [first, second]: [usize; 2]) -> Vec<usize> {
    let (x, y) = (&rows.measures[first], &rows.measures[second]);
    let mut order: Vec<usize> =
        (0..rows.len()).filter(|k| !(x[*k].is_nan() || y[*k].is_nan())).collect();
    order.sort_by(|a, b| x[*a].total_cmp(&x[*b]).then(y[*a].total_cmp(&y[*b])).then(a.cmp(b)));
    let mut least = f64::INFINITY;
    // Of rows with the same values all are kept.
    let mut last: Option<usize> = None;
    order.retain(|&k| {
        let same = last.is_some_and(|l| x[l] == x[k] && y[l] == y[k]);
        let kept = y[k] < least || same;
        if kept {
            (least, last) = (y[k], Some(k));
        }
        kept
    });
    order
}

/// The rows in which both are finite.
fn finite(x: &[f64], y: &[f64]) -> (Vec<f64>, Vec<f64>) {
    x.iter().zip(y).filter(|(x, y)| x.is_finite() && y.is_finite()).unzip()
}

/// The rows in which both are there.
fn numbers(x: &[f64], y: &[f64]) -> (Vec<f64>, Vec<f64>) {
    x.iter().zip(y).filter(|(x, y)| !(x.is_nan() || y.is_nan())).unzip()
}

fn correlations(study: &Study, rows: &Rows) -> Vec<Correlation> {
    let mut out = Vec::new();
    for variable in 0..study.design.variables().len() {
        let Some(x) = rows.numbers(variable) else { continue };
        for (measure, y) in rows.measures.iter().enumerate() {
            let infinite = y.iter().filter(|y| y.is_infinite()).count();
            let (ranked, finite) = (numbers(&x, y), finite(&x, y));
            let spearman = spearman(&ranked.0, &ranked.1);
            let pearson = pearson(&finite.0, &finite.1);
            out.push(Correlation { measure, variable, pearson, spearman, infinite });
        }
    }
    out
}

fn driver(
    rows: &Rows,
    measure: usize,
    target: usize,
    group: Option<usize>,
    which: &[usize],
) -> Driver {
    let pick = |m: usize| which.iter().map(|k| rows.measures[m][*k]).collect::<Vec<_>>();
    let ranked = numbers(&pick(measure), &pick(target));
    let (x, y) = finite(&ranked.0, &ranked.1);
    // Rows of the whole study, where nothing was left out on the way.
    let mut monotony = monotony(&x, &y);
    monotony.worst =
        monotony.worst.filter(|_| x.len() == which.len()).map(|(a, b)| (which[a], which[b]));
    Driver {
        measure,
        group,
        pearson: pearson(&x, &y),
        spearman: spearman(&ranked.0, &ranked.1),
        monotony,
        parabola: polynomial(&x, &y, 2),
        power: power_law(&x, &y),
    }
}
