//! How much a measure changes with a variable, at the values that the file states.
//!
//! Effective mass and T_c have exact gradients by inertias; where a variable changes nothing else, they are used. Elsewhere
//! central differences are extrapolated (Richardson; the choice of the step is Ridders', Adv. Eng. Softw. 4 (1982) 75-76).

use nalgebra::DVector;

use super::evaluate::Evaluator;
use super::plan::Study;
use crate::contact::stand;
use crate::dynamics::Mechanism;
use crate::impact::{Assessment, BodyGradient, Options};
use crate::kinematics::State;
use crate::model::Model;
use crate::model::study::{Action, Domain, Level};

/// A derivative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Derivative {
    /// By the variable in its own unit.
    pub value: f64,
    /// How far it may be off; zero of an exact one.
    pub error: f64,
    /// Whether it is an exact gradient.
    pub exact: bool,
}

/// The derivatives at the values of the file.
#[derive(Clone, Debug)]
pub struct Sensitivities {
    /// Where: the variables in their units; `None` of words and of what the file does not state as a number.
    pub at: Vec<Option<f64>>,
    /// Variables that the file is silent about, with the word that was taken: the first of their values.
    pub assumed: Vec<(usize, String)>,
    /// The measures there.
    pub measures: Vec<f64>,
    /// By variable and measure; `None` where a point nearby has no measures.
    pub derivatives: Vec<Option<Vec<Derivative>>>,
}

/// First step, as a part of the range.
const FIRST: f64 = 0.02;
/// Each step is this part of the one before.
const SHRINK: f64 = 0.7;
/// Steps that are tried.
const STEPS: usize = 8;

/// The derivatives of all measures by all variables; `None` if the file's own values give no measures.
pub fn sensitivities(study: &Study) -> Option<Sensitivities> {
    let (here, assumed) = levels(study)?;
    sensitivities_at(study, &here, assumed)
}

/// The same at any levels.
pub fn sensitivities_at(
    study: &Study,
    here: &[Level],
    assumed: Vec<(usize, String)>,
) -> Option<Sensitivities> {
    let variables = study.design.variables();
    let number = |level: &Level| match level {
        Level::Number(x) => Some(*x),
        Level::Word(_) => None,
    };
    let at: Vec<Option<f64>> = here.iter().map(number).collect();
    let mut evaluator = Evaluator::new(study);
    let measures = measures(study, &mut evaluator, here)?;
    let derivatives = (0..variables.len())
        .map(|k| {
            let x = at[k]?;
            let step = FIRST * span(&variables[k].domain, x);
            let mut move_by = |h: f64| {
                let mut there = here.to_vec();
                there[k] = Level::Number(x + h);
                self::measures(study, &mut evaluator, &there)
            };
            let mut found = ridders(&mut move_by, step, measures.len())?;
            replace_exact(study, here, k, x, step, &mut found);
            Some(found)
        })
        .collect();
    Some(Sensitivities { at, assumed, measures, derivatives })
}

/// Levels, and the variables whose words were assumed.
type Stated = (Vec<Level>, Vec<(usize, String)>);

/// The file's values; where it is silent about a word, the first of the variable, which is told.
fn levels(study: &Study) -> Option<Stated> {
    let first = study.design.levels(0);
    let mut assumed = Vec::new();
    let mut here = Vec::with_capacity(first.len());
    for (k, (own, first)) in study.stated().into_iter().zip(first).enumerate() {
        here.push(match (own, first) {
            (Some(own), _) => own,
            (None, Level::Word(word)) => {
                assumed.push((k, word.clone()));
                Level::Word(word)
            }
            (None, Level::Number(_)) => return None,
        });
    }
    Some((here, assumed))
}

fn measures(study: &Study, evaluator: &mut Evaluator<'_>, levels: &[Level]) -> Option<Vec<f64>> {
    let slots = evaluator.slots(levels).ok()?;
    let values: Vec<f64> = study.measures.iter().map(|m| m.formula.value(&slots)).collect();
    values.iter().all(|x| x.is_finite()).then_some(values)
}

/// How wide a variable's values lie.
fn span(domain: &Domain, x: f64) -> f64 {
    let wide = match domain {
        Domain::Range { low, high, .. } => (high - low).abs(),
        Domain::Values(levels) => {
            let numbers = levels.iter().filter_map(|l| match l {
                Level::Number(x) => Some(*x),
                Level::Word(_) => None,
            });
            let (low, high) =
                numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
            high - low
        }
        Domain::Uncertain(distribution) => {
            // From quartile to quartile.
            match (distribution.level(0.25), distribution.level(0.75)) {
                (Level::Number(low), Level::Number(high)) => high - low,
                _ => 0.0,
            }
        }
        Domain::Expression(_) | Domain::Crossed(_) => 0.0,
    };
    if wide > 0.0 { wide } else { x.abs().max(1e-3) }
}

/// Extrapolated central differences of several functions at once.
fn ridders(
    f: &mut dyn FnMut(f64) -> Option<Vec<f64>>,
    first: f64,
    count: usize,
) -> Option<Vec<Derivative>> {
    let mut best = vec![Derivative { value: f64::NAN, error: f64::INFINITY, exact: false }; count];
    // rows[j][m]: extrapolated j times.
    let mut before: Vec<Vec<f64>> = Vec::new();
    let mut h = first;
    for _ in 0..STEPS {
        let difference = f(h)
            .zip(f(-h))
            .map(|(a, b)| a.iter().zip(&b).map(|(a, b)| (a - b) / (2.0 * h)).collect::<Vec<f64>>());
        h *= SHRINK;
        let Some(difference) = difference else {
            // Too far out: begin again nearer.
            before.clear();
            continue;
        };
        let mut row = vec![difference];
        let mut factor = 1.0 / (SHRINK * SHRINK);
        for j in 0..before.len() {
            let next: Vec<f64> = row[j]
                .iter()
                .zip(&before[j])
                .map(|(new, old)| (factor * new - old) / (factor - 1.0))
                .collect();
            for (m, best) in best.iter_mut().enumerate() {
                let error = (next[m] - row[j][m]).abs().max((next[m] - before[j][m]).abs());
                if error <= best.error {
                    (best.value, best.error) = (next[m], error);
                }
            }
            row.push(next);
            factor /= SHRINK * SHRINK;
        }
        before = row;
    }
    best.iter().all(|d| d.value.is_finite()).then_some(best)
}

/// Puts exact gradients of m_eff and T_c in the place of differences where a variable changes inertias only.
fn replace_exact(
    study: &Study,
    here: &[Level],
    k: usize,
    x: f64,
    step: f64,
    found: &mut [Derivative],
) {
    let wanted = |name: &str| study.measures.iter().position(|m| m.text.trim() == name);
    let (mass, energy) = (wanted("effective_mass"), wanted("impact_energy"));
    if study.action != Action::Assess || (mass.is_none() && energy.is_none()) {
        return;
    }
    let slopes = inertia_slopes(study, here, &[(k, x, step)]);
    let Some(slope) = slopes.and_then(|f| f.slopes.into_iter().next().flatten()) else { return };
    for (at, value) in [(mass, Some(slope.mass)), (energy, Some(slope.energy))] {
        let value = value.filter(|x| !x.is_nan());
        if let (Some(at), Some(value)) = (at, value) {
            found[at] = Derivative { value, error: 0.0, exact: true };
        }
    }
}

/// Exact slopes of m_eff and T_c by a variable in its own unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct InertiaSlope {
    pub mass: f64,
    /// NaN if the variable changes velocities.
    pub energy: f64,
}

/// m_eff and T_c at some levels, and their slopes by some variables.
#[derive(Clone, Debug)]
pub(super) struct InertiaSlopes {
    pub mass: f64,
    pub energy: f64,
    /// None of a variable that changes more than inertias, or these not in proportion.
    pub slopes: Vec<Option<InertiaSlope>>,
}

/// Exact slopes by variables, each given with its value in its unit and a step; `None` if the contact has none.
pub(super) fn inertia_slopes(
    study: &Study,
    here: &[Level],
    variables: &[(usize, f64, f64)],
) -> Option<InertiaSlopes> {
    let mut evaluator = Evaluator::new(study);
    let mut build = |k: usize, x: f64| -> Option<(Model, State)> {
        let mut there = here.to_vec();
        there[k] = Level::Number(x);
        let mut model = evaluator.model(&there).ok()?;
        let state = stand(&mut model).ok()?.state;
        Some((model, state))
    };
    let &(first, x, _) = variables.first()?;
    let (model, state) = build(first, x)?;
    let contact = model.contact(&study.contact)?;
    let mut mechanism = Mechanism::new(&model);
    let at = mechanism.at(&state).ok()?;
    let options = Options { gradients: true, ..Options::default() };
    let assessment = Assessment::new(&at, contact, &options).ok()?;
    let [row] = &assessment.rows[..] else { return None };
    let gradients = row.gradients.as_ref()?;
    let mut slope = |k: usize, x: f64, step: f64| -> Option<InertiaSlope> {
        let ((more, moved), (less, _)) = (build(k, x + step)?, build(k, x - step)?);
        if !(differs_in_inertia_only(&model, &more) && same(&state.q, &moved.q)) {
            return None;
        }
        let mut total = 0.0;
        for (b, gradient) in gradients.mass_by_body.iter().enumerate() {
            let bodies = [&less, &model, &more].map(|m| Inertia::new(m, b));
            total += Inertia::along(&bodies, gradient, step)?;
        }
        for (body, (up, down)) in model.bodies.iter().zip(more.bodies.iter().zip(&less.bodies)) {
            for (j, column) in body.joint.velocities().enumerate() {
                let rotor = (up.joint.rotor[j] - down.joint.rotor[j]) / (2.0 * step);
                total += gradients.mass_by_rotor[column] * rotor;
            }
        }
        let still = same(&state.v, &moved.v);
        let energy = if still { gradients.energy_per_mass * total } else { f64::NAN };
        Some(InertiaSlope { mass: total, energy })
    };
    let slopes = variables.iter().map(|(k, x, step)| slope(*k, *x, *step)).collect();
    Some(InertiaSlopes { mass: row.effective.mass, energy: assessment.impact_energy(), slopes })
}

/// Round-off of assembly apart.
fn same(a: &DVector<f64>, b: &DVector<f64>) -> bool {
    (a - b).amax() <= 1e-11 * (1.0 + a.amax())
}

/// A body's inertia in its own frame.
struct Inertia {
    /// Mass, centre, and the entries xx, yy, zz, xy, xz, yz about it.
    numbers: [f64; 10],
}

impl Inertia {
    fn new(model: &Model, body: usize) -> Self {
        let body = &model.bodies[body];
        let R = body.frame.rotation;
        let c = R.transpose() * (body.inertia.center - body.frame.position);
        let I = R.transpose() * body.inertia.central() * R;
        let m = body.inertia.mass;
        let numbers =
            [m, c.x, c.y, c.z, I[(0, 0)], I[(1, 1)], I[(2, 2)], I[(0, 1)], I[(0, 2)], I[(1, 2)]];
        Self { numbers }
    }

    /// The gradient times the change of the numbers; `None` if these do not change in proportion to the step.
    fn along(three: &[Self; 3], gradient: &BodyGradient, step: f64) -> Option<f64> {
        let g = [gradient.mass, gradient.center.x, gradient.center.y, gradient.center.z];
        let g = g.into_iter().chain(gradient.inertia);
        let mut total = 0.0;
        for (k, g) in g.enumerate() {
            let [a, b, c] = [0, 1, 2].map(|i: usize| three[i].numbers[k]);
            let size = three[1].numbers.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            if (a + c - 2.0 * b).abs() > 1e-12 * size {
                return None;
            }
            total += g * (c - a) / (2.0 * step);
        }
        Some(total)
    }
}

fn differs_in_inertia_only(one: &Model, other: &Model) -> bool {
    let mut same = other.clone();
    for (to, from) in same.bodies.iter_mut().zip(&one.bodies) {
        to.inertia = from.inertia;
        to.rotational_mobility = from.rotational_mobility;
        to.scale = from.scale;
        to.joint.rotor = from.joint.rotor;
    }
    // Models have no equality; their whole text is compared.
    format!("{one:?}") == format!("{same:?}")
}
