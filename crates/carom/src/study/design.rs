//! Which values the variables have at a point.

use super::formula::{Formula, Names};
use super::sample::Sample;
use super::sobol::MOST_DIMENSIONS;
use crate::model::ContactUnits;
use crate::model::study::{Domain, Level, PlanPart, SECTIONS, Sampling, StudyPlan, StudyVariable};

/// Longer axes of a grid are computed value by value.
const MOST_KEPT: usize = 1 << 16;

/// Points by their numbers 0, 1, …
#[derive(Clone, Debug)]
pub struct Design {
    variables: Vec<StudyVariable>,
    sources: Vec<Source>,
    sampling: Sampling,
    /// Of a grid: how many values each axis has; the last one varies fastest.
    axes: Vec<usize>,
    sample: Sample,
    points: u64,
    /// How many values of crossed variables every point of the sample has, one after the other.
    crossed: u64,
    /// Of a grid: the values of the variables that range over an axis, unless they are many.
    tables: Vec<Vec<f64>>,
}

/// Where a variable's value comes from.
#[derive(Clone, Debug)]
enum Source {
    /// An axis of the grid or a dimension of the sample.
    Axis(usize),
    /// Other variables.
    Linked(Formula),
    /// Each value with every point of the sample; so many points in a row have the same one.
    Crossed(u64),
}

/// What is wrong with a plan: the variable (none for all of them) and the text.
pub type Flaw = (Option<usize>, String);

impl Design {
    /// The points of a plan.
    pub fn new(plan: &StudyPlan) -> Result<Self, Flaw> {
        let names = Names {
            variables: plan.variables.iter().map(|v| v.name.clone()).collect(),
            action: None,
            units: ContactUnits::LINEAR,
            statistics: 0,
        };
        let (mut axes, mut crossed) = (Vec::new(), 1_u64);
        let mut sources: Vec<Source> = Vec::with_capacity(plan.variables.len());
        for (k, variable) in plan.variables.iter().enumerate() {
            let source = match &variable.domain {
                Domain::Expression(text) => Source::Linked(linked(text, &names, plan, k)?),
                Domain::Crossed(levels) => {
                    crossed *= levels.len() as u64;
                    Source::Crossed(crossed / levels.len() as u64)
                }
                domain => {
                    let levels = count(domain);
                    match along(variable, plan, &sources) {
                        Some(axis) if axes[axis] == levels => Source::Axis(axis),
                        Some(axis) => {
                            let why = format!(
                                "it has {levels} values, and those it steps along with {}",
                                axes[axis]
                            );
                            return Err((Some(k), why));
                        }
                        None => {
                            axes.push(levels);
                            Source::Axis(axes.len() - 1)
                        }
                    }
                }
            };
            sources.push(source);
        }
        let too_many = || (None, "more than 1e15 points".to_owned());
        let given = plan.points.unwrap_or(1) as u64;
        let rows = match plan.sampling {
            Sampling::Grid => {
                let all = axes.iter().try_fold(1_u64, |n, &k| n.checked_mul(k as u64));
                all.ok_or_else(too_many)?
            }
            _ => given,
        };
        let width = match plan.sampling {
            Sampling::Saltelli => axes.len() as u64 + 2,
            Sampling::Morris => axes.len() as u64 + 1,
            _ => 1,
        };
        let points = rows.checked_mul(width).and_then(|n| n.checked_mul(crossed));
        let points = points.ok_or_else(too_many)?;
        // Sections of a sample for its indices have at least two rows each.
        let divided = plan.part == PlanPart::Uncertainty
            || plan.sampling == Sampling::Saltelli && rows >= 2 * SECTIONS as u64;
        let how = (plan.sampling, plan.seed);
        let sample = Sample::new(how, axes.len(), rows, divided).ok_or_else(|| {
            let most = MOST_DIMENSIONS / if plan.sampling == Sampling::Saltelli { 2 } else { 1 };
            let n = axes.len();
            (None, format!("{n} variables; this sampling has at most {most}"))
        })?;
        if points > 1_000_000_000_000_000 {
            return Err(too_many());
        }
        let variables = plan.variables.clone();
        let sampling = plan.sampling;
        let grid = sampling == Sampling::Grid;
        let tables = variables.iter().map(|v| if grid { table(&v.domain) } else { Vec::new() });
        let tables = tables.collect();
        Ok(Self { variables, sources, sampling, axes, sample, points, crossed, tables })
    }

    /// How many points there are.
    pub fn points(&self) -> u64 {
        self.points
    }

    /// The variables.
    pub fn variables(&self) -> &[StudyVariable] {
        &self.variables
    }

    /// How the points are chosen.
    pub fn sampling(&self) -> Sampling {
        self.sampling
    }

    /// Of a grid: how many values each axis has, the last one the fastest.
    pub fn axes(&self) -> &[usize] {
        &self.axes
    }

    /// The axis or dimension of a variable; none of a linked one.
    pub fn axis(&self, variable: usize) -> Option<usize> {
        match self.sources[variable] {
            Source::Axis(axis) => Some(axis),
            Source::Linked(_) | Source::Crossed(_) => None,
        }
    }

    /// The row of a point of a sample and its place there. Saltelli's: 0 for A, 1 … d for A with that column of B, d + 1 for B; Morris': the
    /// trajectory and how many steps it has taken; of others every point is a row.
    pub fn row(&self, point: u64) -> (u64, usize) {
        self.sample.row(point / self.crossed)
    }

    /// The place of a point of a sample in the unit cube.
    pub fn shares(&self, point: u64) -> Vec<f64> {
        (0..self.axes.len()).map(|axis| self.sample.share(point / self.crossed, axis)).collect()
    }

    /// How many independent samples of the same size the sample consists of, row by row in turn.
    pub fn sections(&self) -> u64 {
        self.sample.sections()
    }

    /// How many values of crossed variables every point of the sample has, one after the other.
    pub fn crossed(&self) -> u64 {
        self.crossed
    }

    /// The values of all variables at a point.
    pub fn levels(&self, point: u64) -> Vec<Level> {
        let mut steps = vec![0_usize; self.axes.len()];
        if self.sampling == Sampling::Grid {
            let mut rest = point;
            for (step, n) in steps.iter_mut().zip(&self.axes).rev() {
                *step = usize::try_from(rest % *n as u64).unwrap_or(0);
                rest /= *n as u64;
            }
        }
        let level = |k: usize| match &self.sources[k] {
            Source::Axis(axis) if self.sampling == Sampling::Grid => {
                match self.tables[k].get(steps[*axis]) {
                    Some(x) => Level::Number(*x),
                    None => on_grid(&self.variables[k].domain, steps[*axis]),
                }
            }
            Source::Axis(axis) => {
                let share = self.sample.share(point / self.crossed, *axis);
                in_range(&self.variables[k].domain, share)
            }
            Source::Linked(_) => Level::Number(f64::NAN),
            Source::Crossed(period) => crossed(&self.variables[k].domain, point / period),
        };
        let levels = (0..self.variables.len()).map(level).collect();
        self.with_links(levels)
    }

    /// The levels at a place of the unit cube, one coordinate per axis: what `optimise` walks on.
    pub fn levels_at(&self, shares: &[f64]) -> Vec<Level> {
        let level = |k: usize| match &self.sources[k] {
            Source::Axis(axis) => in_range(&self.variables[k].domain, shares[*axis]),
            Source::Linked(_) => Level::Number(f64::NAN),
            Source::Crossed(_) => crossed(&self.variables[k].domain, 0),
        };
        self.with_links((0..self.variables.len()).map(level).collect())
    }

    /// The place of the unit cube where the variables have these values; `None` outside the ranges, or where variables that share an axis differ.
    pub fn place_of(&self, levels: &[Level]) -> Option<Vec<f64>> {
        let mut out = vec![f64::NAN; self.axes.len()];
        for (k, source) in self.sources.iter().enumerate() {
            let Source::Axis(axis) = source else { continue };
            if out[*axis].is_nan() {
                out[*axis] = share_of(&self.variables[k].domain, &levels[k])?;
            }
        }
        let found = self.levels_at(&out);
        let same = |(a, b): (&Level, &Level)| match (a, b) {
            (Level::Number(a), Level::Number(b)) => {
                (a - b).abs() <= SAME_LEVEL * a.abs().max(b.abs())
            }
            (a, b) => a == b,
        };
        found.iter().zip(levels).all(same).then_some(out)
    }

    /// Fills in the linked variables.
    fn with_links(&self, mut levels: Vec<Level>) -> Vec<Level> {
        let mut slots = self.numbers(&levels);
        for (k, source) in self.sources.iter().enumerate() {
            if let Source::Linked(formula) = source {
                slots[k] = formula.value(&slots);
                levels[k] = Level::Number(slots[k] / self.variables[k].unit.factor);
            }
        }
        levels
    }

    /// The values in SI units; NaN for words.
    pub fn numbers(&self, levels: &[Level]) -> Vec<f64> {
        let number = |(variable, level): (&StudyVariable, &Level)| match level {
            Level::Number(x) => x * variable.unit.factor,
            Level::Word(_) => f64::NAN,
        };
        self.variables.iter().zip(levels).map(number).collect()
    }
}

/// The axis of the variable it steps along with.
fn along(variable: &StudyVariable, plan: &StudyPlan, sources: &[Source]) -> Option<usize> {
    let name = variable.along.as_ref()?;
    let at = plan.variables.iter().position(|v| v.name == *name)?;
    match sources.get(at)? {
        Source::Axis(axis) => Some(*axis),
        Source::Linked(_) | Source::Crossed(_) => None,
    }
}

/// Value `k` of a crossed variable, over and over again.
fn crossed(domain: &Domain, k: u64) -> Level {
    match domain {
        Domain::Crossed(levels) => {
            levels[usize::try_from(k % levels.len() as u64).unwrap_or(0)].clone()
        }
        _ => Level::Number(f64::NAN),
    }
}

/// A formula of variables that stand before it or come from axes.
fn linked(text: &str, names: &Names, plan: &StudyPlan, k: usize) -> Result<Formula, Flaw> {
    let formula = Formula::new(text, names).map_err(|error| (Some(k), error.to_string()))?;
    for &used in &formula.variables {
        let of_words = matches!(&plan.variables[used].domain, Domain::Values(levels)
            if levels.iter().any(|l| matches!(l, Level::Word(_))));
        let later = used >= k && matches!(plan.variables[used].domain, Domain::Expression(_));
        let name = &plan.variables[used].name;
        if of_words {
            return Err((Some(k), format!("`{name}` has words for values, not numbers")));
        }
        if later {
            return Err((
                Some(k),
                format!("`{name}` is an expression that stands behind this one"),
            ));
        }
    }
    Ok(formula)
}

fn count(domain: &Domain) -> usize {
    match domain {
        Domain::Range { count, .. } => count.unwrap_or(1),
        Domain::Values(levels) => levels.len(),
        Domain::Expression(_) | Domain::Uncertain(_) | Domain::Crossed(_) => 1,
    }
}

/// The values of a range on a grid, if they are few enough to be kept.
fn table(domain: &Domain) -> Vec<f64> {
    let Domain::Range { count: Some(count), .. } = domain else { return Vec::new() };
    let number = |k: usize| match on_grid(domain, k) {
        Level::Number(x) => x,
        Level::Word(_) => f64::NAN,
    };
    if *count > MOST_KEPT { Vec::new() } else { (0..*count).map(number).collect() }
}

/// Value `k` of an axis.
fn on_grid(domain: &Domain, k: usize) -> Level {
    match domain {
        Domain::Values(levels) => levels[k].clone(),
        Domain::Range { low, high, count, log } => {
            let last = count.unwrap_or(1) - 1;
            let x = match k {
                0 => *low,
                k if k == last => *high,
                k if *log => low * (high / low).powf(k as f64 / last as f64),
                k => low + (high - low) * (k as f64 / last as f64),
            };
            Level::Number(tidy(x, low.abs().max(high.abs())))
        }
        Domain::Expression(_) | Domain::Uncertain(_) | Domain::Crossed(_) => {
            Level::Number(f64::NAN)
        }
    }
}

/// How far a value that goes to its share and back may be off.
const SAME_LEVEL: f64 = 1e-9;

/// The part of the way at which a variable has a value.
fn share_of(domain: &Domain, level: &Level) -> Option<f64> {
    let share = match (domain, level) {
        (Domain::Values(levels), level) => {
            let k = levels.iter().position(|l| l == level)?;
            (k as f64 + 0.5) / levels.len() as f64
        }
        (Domain::Range { low, high, log: true, .. }, Level::Number(x)) => {
            (x / low).ln() / (high / low).ln()
        }
        (Domain::Range { low, high, .. }, Level::Number(x)) => (x - low) / (high - low),
        _ => return None,
    };
    (0.0..=1.0).contains(&share).then_some(share)
}

/// The value at a part of the way.
fn in_range(domain: &Domain, share: f64) -> Level {
    match domain {
        Domain::Values(levels) => {
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "0 ≤ share < 1"
            )]
            let k = (share * levels.len() as f64) as usize;
            levels[k.min(levels.len() - 1)].clone()
        }
        Domain::Range { low, high, log: true, .. } => Level::Number(low * (high / low).powf(share)),
        Domain::Range { low, high, .. } => Level::Number(low + (high - low) * share),
        Domain::Uncertain(distribution) => distribution.level(share),
        Domain::Expression(_) | Domain::Crossed(_) => Level::Number(f64::NAN),
    }
}

/// Fifteen digits: 0.3, not 0.30000000000000004; what is round-off beside `size` is zero.
pub(super) fn tidy(x: f64, size: f64) -> f64 {
    if x.abs() < 1e-14 * size {
        return 0.0;
    }
    format!("{x:.14e}").parse().unwrap_or(x)
}
