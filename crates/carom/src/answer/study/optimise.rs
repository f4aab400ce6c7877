//! What `optimise` answers.

use schemars::JsonSchema;
use serde::Serialize;

use std::path::PathBuf;

use super::sweep::{SweepRefused, header};
use super::{LevelValue, SensitivityAnswer};
use crate::answer::digits::six;
use crate::answer::{Caution, CautionCode, version};
use crate::file::load;
use crate::model::study::Level;
use crate::study::chance::mix;
use crate::study::log::{Entry, Header, Shard};
use crate::study::optimise::{self, Edge, Improvement, Optimum, Watch};
use crate::study::record::SearchLog;
use crate::study::sensitivity::sensitivities_at;
use crate::study::{Advance, Evaluator, Lack, Study, SweepError};

/// What is searched, and where its log is written.
#[derive(Clone, Debug, Default)]
pub struct OptimiseOptions {
    /// The model file.
    pub file: PathBuf,
    /// Its edits.
    pub sets: Vec<(String, String)>,
    /// Evaluations, at most.
    pub evaluations: usize,
    /// Where the search begins.
    pub seed: u64,
    /// Threads; their number changes no digit.
    pub threads: usize,
    /// The folder of the log; none is written without it.
    pub folder: Option<PathBuf>,
    /// Whether to go on with the search that is in the folder.
    pub resume: bool,
    /// Whether to begin anew over the search that is in the folder.
    pub overwrite: bool,
}

/// Searches for the best design that the `[study]` of a file allows. `watch` is told how far it is and stops it with `false`; what was found
/// until then is the answer.
pub fn optimise(
    options: &OptimiseOptions,
    watch: &mut dyn FnMut(&Advance) -> bool,
) -> Result<OptimiseAnswer, SweepRefused> {
    let loaded = load(&options.file, &options.sets)?;
    let study = loaded.study()?;
    let points = options.evaluations as u64;
    let log = options.folder.as_ref().map(|folder| {
        let own = header(&loaded, &study, &options.sets, Shard::WHOLE);
        let columns = (0..optimise::recorded(&study)).map(|k| format!("number {k}")).collect();
        // Another seed or another number of evaluations is another search.
        let study = own.study ^ mix(mix(options.seed) ^ points);
        let head = Header { study, points, columns, ..own };
        SearchLog::open(folder, &head, (options.resume, options.overwrite))
    });
    let (log, earlier) = log.transpose()?.map_or((None, Vec::new()), |(log, all)| (Some(log), all));
    let before = earlier.len() as u64;
    let advance = Advance { points, done: 0, before, failed: 0 };
    let mut listener = Listener { log, earlier, advance, watch, error: None };
    let size = (options.evaluations, options.threads);
    let found = optimise::search(&study, size, options.seed, &mut listener);
    if let Some(error) = listener.error {
        return Err(error.into());
    }
    listener.log.map(SearchLog::finish).transpose()?;
    let file = || options.file.display().to_string();
    let found =
        found.map_err(|error| SweepRefused::Search { file: file(), error: error.to_string() })?;
    Ok(OptimiseAnswer::new(&study, &found, options.seed))
}

/// Between a search, its log and who asked for it.
struct Listener<'a> {
    log: Option<SearchLog>,
    earlier: Vec<Entry>,
    advance: Advance,
    watch: &'a mut dyn FnMut(&Advance) -> bool,
    error: Option<SweepError>,
}

impl Watch for Listener<'_> {
    fn earlier(&mut self) -> Vec<Entry> {
        std::mem::take(&mut self.earlier)
    }

    fn keep(&mut self, number: usize, entry: &Entry) -> bool {
        self.advance.failed += u64::from(entry.has_error());
        let failed = self.log.as_mut().and_then(|log| log.keep(number, entry).err());
        // The first one tells why.
        self.error = self.error.take().or(failed);
        self.error.is_none()
    }

    fn goes_on(&mut self, evaluations: usize) -> bool {
        self.advance.done = evaluations as u64;
        (self.watch)(&self.advance)
    }
}

/// A point that was better than all before it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ImprovementAnswer {
    /// After how many evaluations it was found.
    pub evaluations: usize,
    /// Whether the local search found it.
    pub local: bool,
    /// The variables, in their units.
    pub variables: Vec<LevelValue>,
    /// The goal; `null` where it is unbounded.
    #[schemars(with = "Option<f64>")]
    pub value: f64,
    /// Whether the goal is unbounded here.
    #[serde(skip_serializing_if = "is_false", default)]
    pub unbounded: bool,
    /// By how much constraints are broken, in their own units; zero if they are kept, `null` if without bound.
    #[schemars(with = "Option<f64>")]
    pub broken: f64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
pub(super) fn is_false(x: &bool) -> bool {
    !x
}

impl ImprovementAnswer {
    fn new(step: &Improvement) -> Self {
        Self {
            evaluations: step.evaluations,
            local: step.local,
            variables: step.levels.iter().map(LevelValue::from).collect(),
            value: step.value,
            unbounded: step.value.is_infinite(),
            broken: step.broken,
        }
    }
}

/// What `optimise` answers.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[allow(clippy::struct_excessive_bools, reason = "each is a field of the answer")]
pub struct OptimiseAnswer {
    /// The version of carom.
    pub carom: String,
    /// What is made small or large.
    pub goal: String,
    /// Its unit.
    pub unit: String,
    /// Whether it is made large.
    pub maximise: bool,
    /// The variables with their units.
    pub variables: Vec<String>,
    /// The goal at the file's own values; `null` if they have none, or if it is unbounded there.
    #[schemars(with = "Option<f64>")]
    pub start: Option<f64>,
    /// Whether the goal is unbounded at the file's own values.
    #[serde(skip_serializing_if = "is_false", default)]
    pub start_unbounded: bool,
    /// The change of the goal from there, divided by it.
    pub change: Option<f64>,
    /// Evaluations in all.
    pub evaluations: usize,
    /// Whether the best point keeps all constraints.
    pub constraints_kept: bool,
    /// Each point that was better than all before it; the last one is the best.
    pub path: Vec<ImprovementAnswer>,
    /// The seed of the search.
    pub seed: u64,
    /// Whether the conditions of first order hold at the best point, or all combinations were evaluated; otherwise a search without
    /// derivatives found it.
    pub settled: bool,
    /// Whether the search was stopped before its end.
    pub stopped: bool,
    /// The edges that the best point lies at, each in a sentence, those of contact first; the cautions have the same.
    pub edges: Vec<String>,
    /// The constraints that have no room there.
    pub active_constraints: Vec<String>,
    /// How many designs that were tried do not touch.
    pub untouched: usize,
    /// One of these with the largest least gap, where a gap is known: the variables, in their units.
    pub untouched_variables: Option<Vec<LevelValue>>,
    /// Its least gap, in the unit of lengths of the contact.
    pub untouched_gap: Option<f64>,
    /// How the goal changes with each variable at the best point; none where a neighbour has no value.
    pub sensitivities: Vec<SensitivityAnswer>,
    /// What a user must know.
    pub cautions: Vec<Caution>,
}

impl OptimiseAnswer {
    /// Of a search.
    fn new(study: &Study, found: &Optimum, seed: u64) -> Self {
        let (goal, unit) = study.goal.as_ref().map_or_else(Default::default, |(column, _)| {
            (column.text.clone(), column.formula.unit.to_owned())
        });
        let best = found.best();
        let change = best.zip(found.start).map(|(best, start)| (best.value - start) / start.abs());
        let constraints_kept = best.is_some_and(|best| best.broken == 0.0);
        let mut cautions = edges(study, found);
        let edges: Vec<String> = cautions.iter().map(|c: &Caution| c.message.clone()).collect();
        cautions.extend(untouched(study, found));
        if found.stopped {
            let message = format!(
                "stopped after {} evaluations: the best design so far; --resume goes on where there is a folder",
                found.evaluations
            );
            cautions.push(Caution::warning(CautionCode::SearchStopped, "", message));
        }
        let mut unbounded = |place: &str, levels: &[Level]| {
            let drives = Evaluator::new(study).drives_behind(levels);
            let why = crate::answer::sentence::remedy(&drives);
            let message = format!("`{goal}` is unbounded {place}: {why}");
            cautions.push(Caution::warning(CautionCode::MeasureUnbounded, "study", message));
        };
        if let Some(best) = best.filter(|best| best.value.is_infinite()) {
            let place =
                if found.maximise { "at the best point" } else { "at every point that was tried" };
            unbounded(place, &best.levels);
        }
        let stated: Option<Vec<Level>> = study.stated().into_iter().collect();
        if let Some(levels) = stated.filter(|_| found.start.is_some_and(f64::is_infinite)) {
            unbounded("at the values of the file", &levels);
        }
        if !constraints_kept {
            let message =
                "no point that was tried keeps all constraints; this one breaks them least";
            let place = "study.constraints";
            cautions.push(Caution::warning(CautionCode::ConstraintsBroken, place, message));
        }
        Self {
            carom: version(),
            goal,
            unit,
            maximise: found.maximise,
            variables: study.variable_headings(),
            start: found.start,
            start_unbounded: found.start.is_some_and(f64::is_infinite),
            change: change.filter(|x| x.is_finite()),
            evaluations: found.evaluations,
            constraints_kept,
            path: found.path.iter().map(ImprovementAnswer::new).collect(),
            seed,
            settled: found.settled,
            stopped: found.stopped,
            edges,
            active_constraints: found.edges.iter().filter_map(|e| constraint(study, e)).collect(),
            untouched: found.untouched.count,
            untouched_variables: found
                .untouched
                .farthest
                .as_ref()
                .map(|(levels, _)| levels.iter().map(LevelValue::from).collect()),
            untouched_gap: found.untouched.farthest.as_ref().map(|f| f.1).filter(|g| !g.is_nan()),
            sensitivities: best.map_or_else(Vec::new, |best| slopes(study, &best.levels)),
            cautions,
        }
    }

    /// The best point.
    pub fn best(&self) -> Option<&ImprovementAnswer> {
        self.path.last()
    }
}

fn constraint(study: &Study, edge: &Edge) -> Option<String> {
    match edge {
        Edge::Constraint(k) => study.constraints.get(*k).map(|c| c.text.clone()),
        _ => None,
    }
}

/// The edges in sentences. What ends contact or a law is a warning: the best design is best because something ends there.
fn edges(study: &Study, found: &Optimum) -> Vec<Caution> {
    let name = |k: &usize| study.design.variables()[*k].name.as_str();
    let side = |upper: &bool| if *upper { ["upper", "larger"] } else { ["lower", "smaller"] };
    let mut out: Vec<Caution> = Vec::new();
    for edge in &found.edges {
        let (code, place) = (CautionCode::OptimumAtEdge, "study");
        let message = match edge {
            Edge::Grazing => format!(
                "the best design lies at the edge of no contact: contacts.{} grazes or separates there, its approach speed is not above zero",
                study.contact
            ),
            Edge::Beyond { variable, upper, lack, why } => {
                let what = match lack {
                    Lack::Contact | Lack::Touch => "the edge of no contact",
                    Lack::Law => "the edge of what its law is valid for",
                    Lack::Machine => "the edge of where the machine can be assembled",
                    Lack::Other => "an edge beyond which there is no value",
                };
                let (variable, side) = (name(variable), side(upper)[1]);
                format!("the best design lies at {what}: with {variable} any {side}, {why}")
            }
            Edge::Bound { variable, upper } => {
                let (variable, side) = (name(variable), side(upper)[0]);
                format!(
                    "{variable} is at the {side} end of its range: a wider range may have a better design"
                )
            }
            Edge::Constraint(_) => match constraint(study, edge) {
                Some(text) => format!("the constraint `{text}` has no room"),
                None => continue,
            },
        };
        out.push(match edge {
            Edge::Grazing | Edge::Beyond { .. } => Caution::warning(code, place, message),
            _ => Caution::note(code, place, message),
        });
    }
    out
}

/// Designs that do not touch are an answer of their own, which no measure of an impact tells.
fn untouched(study: &Study, found: &Optimum) -> Option<Caution> {
    let (levels, gap) = found.untouched.farthest.as_ref()?;
    let shown = study.design.variables().iter().zip(levels).map(|(v, level)| match level {
        Level::Number(x) if v.unit.text.is_empty() => format!("{} = {}", v.name, six(*x)),
        Level::Number(x) => format!("{} = {} {}", v.name, six(*x), v.unit.text),
        Level::Word(word) => format!("{} = {word}", v.name),
    });
    let shown = shown.collect::<Vec<_>>().join(", ");
    let gap = if gap.is_nan() {
        String::new()
    } else {
        format!(" with a least gap of {} {}", six(*gap), study.units.of("m"))
    };
    let message = format!(
        "{} of {} designs that were tried do not touch, and have no value of the goal; for example {shown}{gap}",
        found.untouched.count, found.evaluations
    );
    Some(Caution::note(CautionCode::OptimumAtEdge, "study", message))
}

/// Derivatives of the goal at a design.
fn slopes(study: &Study, levels: &[Level]) -> Vec<SensitivityAnswer> {
    let Some((goal, _)) = study.goal.clone() else { return Vec::new() };
    let mut study = study.clone();
    study.needs = crate::study::Needs::default();
    study.needs.add(&goal.formula);
    study.measures = vec![goal];
    let found = sensitivities_at(&study, levels, Vec::new());
    found.map_or_else(Vec::new, |found| super::digest::slopes(&study, &found))
}
