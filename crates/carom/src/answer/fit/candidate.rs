//! Which curve a law is, within which bounds its parameters are searched, and from where.

use super::cases::Cases;
use super::options::Asked;
use crate::contact::fit::{Curve, Damping, Plan, Problem, Slot, ratio};
use crate::contact::impact1d::{Damped, exact_damping};
use crate::contact::law::{Entry, Form, Parameter};

/// Exponents are searched within these, where the law leaves them free.
const EXPONENTS: (f64, f64) = (0.2, 12.0);
/// The least restitution that is searched.
const LEAST_RESTITUTION: f64 = 1e-3;
/// How closely e is found from a damping \[relative\]: that of an integrated law takes milliseconds a time.
const RESTITUTION_ERROR: f64 = 1e-9;
/// An exponent that is free stays this far above 1, where the closed form of the oscillator has no derivative by the exponent.
const BESIDE_LINEAR: f64 = 1e-9;
/// Dampings of linear dampers beyond this many critical ones are not searched.
const MOST_DAMPING: f64 = 50.0;
/// How far ln K is searched on both sides: a factor of 1e8.
const STIFFNESS_REACH: f64 = 18.0;
/// Residuals beyond so many standard deviations count linearly: 95 % efficient for normal errors (Huber 1981).
const HUBER: f64 = 1.345;
/// Powers of the speed that a loss may have.
const POWERS: (f64, f64) = (0.0, 4.0);

/// A law that can be fitted.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub entry: &'static Entry,
    pub problem: Problem,
    pub plan: Plan,
}

/// Numbers that starts are made from.
struct Rough {
    mass: f64,
    speed: f64,
    restitution: f64,
    /// Peak forces and durations with mass and speed.
    peaks: Vec<(f64, f64, f64)>,
    durations: Vec<(f64, f64, f64)>,
}

impl Rough {
    fn of(cases: &Cases) -> Self {
        let (mut peaks, mut durations, mut es) = (Vec::new(), Vec::new(), Vec::new());
        for i in &cases.impacts {
            if let Some((after, _)) = i.observed[0] {
                es.push(after / i.speed);
            }
            if let Some((f, _)) = i.observed[1] {
                peaks.push((f, i.mass, i.speed));
            }
            if let Some((t, _)) = i.observed[2] {
                durations.push((t, i.mass, i.speed));
            }
            if let Some((p, _)) = i.observed[3] {
                es.push(p / (i.mass * i.speed) - 1.0);
            }
        }
        for s in &cases.signals {
            let peak = s.forces.iter().copied().fold(0.0, f64::max);
            peaks.push((peak, s.mass, s.speed));
            let steps = s.forces.windows(2).zip(s.times.windows(2));
            let impulse: f64 = steps.map(|(f, t)| 0.5 * (f[0] + f[1]) * (t[1] - t[0])).sum();
            es.push(impulse / (s.mass * s.speed) - 1.0);
        }
        let count = cases.cases.len() as f64;
        let mean = |of: &dyn Fn(&super::FitCase) -> f64| {
            (cases.cases.iter().map(|c| of(c).ln()).sum::<f64>() / count).exp()
        };
        let restitution =
            if es.is_empty() { 0.6 } else { es.iter().sum::<f64>() / es.len() as f64 };
        Self {
            mass: mean(&|c| c.effective_mass),
            speed: mean(&|c| c.approach_speed),
            restitution: restitution.clamp(0.05, 0.98),
            peaks,
            durations,
        }
    }

    /// ln K that makes the elastic impact's peaks or durations those measured.
    fn stiffness(&self, n: f64) -> f64 {
        let energy = |m: f64, v: f64| 0.5 * m * v * v;
        let time = Damped::new(n, 0.0).factors().duration;
        let by_peak =
            self.peaks.iter().map(|&(f, m, v)| f.ln() - n * ((n + 1.0) * energy(m, v) / f).ln());
        let by_time = self
            .durations
            .iter()
            .map(|&(t, m, v)| ((n + 1.0) * energy(m, v)).ln() - (n + 1.0) * (t * v / time).ln());
        let all: Vec<f64> = by_peak.chain(by_time).collect();
        if all.is_empty() { 6.0 * 10_f64.ln() } else { all.iter().sum::<f64>() / all.len() as f64 }
    }
}

impl Candidate {
    /// A law with what is given of it; or why it is not fitted.
    pub(super) fn new(
        entry: &'static Entry,
        cases: &Cases,
        options: &Asked<'_>,
    ) -> Result<Self, String> {
        if entry.takes(Parameter::Force) {
            return Err("its force is an expression without named parameters".to_owned());
        }
        let given = |p: Parameter| {
            options.options.given.iter().find(|(name, _)| name == p.name()).map(|g| g.1)
        };
        check_given(entry, options)?;
        let (range, own) = entry.exponent.ok_or("it has no exponent")?;
        let single = range.low == range.high;
        let exponents = match given(Parameter::Exponent) {
            Some(n) if range.contain(n) => (n, n),
            Some(n) => return Err(format!("the exponent {n} is not {}", range.text)),
            None if single => (own, own),
            None if range.low == 1.0 => (1.0 + BESIDE_LINEAR, range.high.min(EXPONENTS.1)),
            None => (range.low.max(EXPONENTS.0), range.high.min(EXPONENTS.1)),
        };
        let rough = Rough::of(cases);
        let e = given(Parameter::Restitution);
        if let (Some(e), Some(bounds)) = (e, &entry.restitution)
            && !bounds.contain(e)
        {
            return Err(format!("the restitution {e} is not {}", bounds.text));
        }
        let over_speed = options.options.over_speed && entry.restitution.is_some() && e.is_none();
        let by_restitution = over_speed || e.is_some() && entry.restitution.is_some();
        let free = exponents.0 < exponents.1;
        if by_restitution && free && matches!(entry.form, Form::LinearDamping(_)) {
            return Err("its damping depends on the exponent: give the exponent, too".to_owned());
        }
        let curve = match entry.form {
            Form::Elastic | Form::Hysteresis(_) => Curve::Hysteresis,
            Form::LinearDamping(_) => Curve::Ratio(entry.parting),
            Form::Viscous => Curve::Viscous(entry.parting),
            Form::Own(_) => Curve::Own(entry),
        };
        let middle = exponents.0.max(1.5_f64.min(exponents.1));
        let stiffness = rough.stiffness(middle);
        // c of critical damping of the linear spring with the same depth of the elastic impact, and that depth.
        let depth = ((middle + 1.0) * 0.5 * rough.mass * rough.speed.powi(2) / stiffness.exp())
            .powf(1.0 / (middle + 1.0));
        let units = match curve {
            Curve::Viscous(_) | Curve::Own(_) => [rough.mass * rough.speed / depth, depth],
            _ => [1.0, 1.0],
        };
        let least = entry.restitution.map_or(LEAST_RESTITUTION, |b| b.low.max(LEAST_RESTITUTION));
        let first = dampings(entry, least, (!free).then_some(middle))?;
        let hold = |x: Option<f64>, free: (f64, f64)| x.map_or(free, |x| (x, x));
        let mut bounds = vec![
            hold(given(Parameter::Stiffness).map(f64::ln), (f64::NEG_INFINITY, f64::INFINITY)),
            exponents,
            first,
            (0.0, 0.0),
            (0.0, 0.0),
            (0.0, 0.0),
        ];
        match entry.form {
            Form::Viscous => {
                bounds[2] = hold(given(Parameter::Damping).map(|c| c / units[0]), first);
            }
            Form::Own(_) => {
                bounds[2] = hold(given(Parameter::MaxDamping).map(|c| c / units[0]), first);
                bounds[3] =
                    hold(given(Parameter::DampingDepth).map(|d| d / units[1]), (1e-3, 20.0));
            }
            _ => {}
        }
        if by_restitution {
            bounds[2] = (0.0, 0.0);
            bounds[Slot::LOSS] = e.map_or((0.0, 1.0 - least), |e| (1.0 - e, 1.0 - e));
            bounds[Slot::POWER] = if over_speed { POWERS } else { (0.0, 0.0) };
        }
        let onset = if options.onset.is_some() { (0.0, 0.0) } else { (-1.0, 1.0) };
        bounds.extend(cases.signals.iter().map(|_| onset));
        let damping = if by_restitution {
            Damping::Restitution { entry, reference: rough.speed }
        } else {
            Damping::Direct
        };
        let plan = Plan {
            starts: starts(&rough, &bounds, exponents, entry, units),
            intervals: intervals(&bounds),
            bounds,
            level: options.options.level,
        };
        let problem = Problem {
            curve,
            damping,
            units,
            impacts: cases.impacts.clone(),
            signals: cases.signals.clone(),
            scales: scales(cases),
            spread: Vec::new(),
            huber: if options.options.robust { HUBER } else { f64::INFINITY },
        };
        Ok(Self { entry, problem, plan })
    }

    /// What makes laws one curve within the same bounds.
    pub(super) fn key(&self) -> String {
        let own = match (self.problem.damping, self.problem.curve) {
            (Damping::Direct, Curve::Own(entry)) | (Damping::Restitution { entry, .. }, _) => {
                entry.name
            }
            (Damping::Direct, _) => "",
        };
        let curve = match self.problem.curve {
            Curve::Hysteresis => "hysteresis".to_owned(),
            Curve::Own(_) => "own".to_owned(),
            other => format!("{other:?}"),
        };
        format!("{curve} {own} {:?}", self.plan.bounds)
    }

    /// e of a damping, by the law's own formula; none outside its range.
    pub(super) fn restitution(&self, damping: f64, n: f64) -> Option<f64> {
        let bounds = self.entry.restitution?;
        if damping == 0.0 {
            return Some(1.0);
        }
        let low = bounds.low.max(if bounds.low_inside { 0.0 } else { 0.5 * LEAST_RESTITUTION });
        let surplus = |e: f64| ratio(self.entry, e, n).map_or(f64::NAN, |d| d - damping);
        let width = crate::maths::root::Width { absolute: 0.0, relative: RESTITUTION_ERROR };
        if surplus(low) <= 0.0 {
            return Some(low);
        }
        crate::maths::root::bracketed(surplus, low, 1.0, width).ok().map(|root| root.x)
    }
}

/// Whether the law takes what is given; one without a loss takes the restitution 1.
fn check_given(entry: &Entry, options: &Asked<'_>) -> Result<(), String> {
    for (name, value) in &options.options.given {
        let known = Parameter::ALL.into_iter().find(|p| p.name() == name);
        let lossless = known == Some(Parameter::Restitution) && *value == 1.0;
        let taken = known.is_some_and(|p| entry.takes(p));
        let elastic = matches!(entry.form, Form::Elastic);
        if !(taken || lossless && elastic) {
            return Err(format!("it takes no {name}, which is given"));
        }
    }
    Ok(())
}

/// The range of the first damping, with the exponent where that is held.
fn dampings(entry: &Entry, least: f64, exponent: Option<f64>) -> Result<(f64, f64), String> {
    let most = match (entry.form, exponent) {
        (Form::Elastic, _) => 0.0,
        (Form::Hysteresis(of), _) => {
            of(entry.restitution.map_or(0.0, |b| if b.low_inside { b.low } else { least }))
        }
        (Form::LinearDamping(of), Some(n)) => {
            of(least, n).map_err(|error| error.to_string())?.min(MOST_DAMPING)
        }
        _ => MOST_DAMPING,
    };
    Ok((0.0, most))
}

fn intervals(bounds: &[(f64, f64)]) -> Vec<(usize, f64)> {
    let reach = |k: usize| if k == 0 { STIFFNESS_REACH } else { 1e6 };
    (0..Slot::ONSETS).filter(|&k| bounds[k].0 < bounds[k].1).map(|k| (k, reach(k))).collect()
}

fn starts(
    rough: &Rough,
    bounds: &[(f64, f64)],
    exponents: (f64, f64),
    entry: &Entry,
    units: [f64; 2],
) -> Vec<Vec<f64>> {
    let mut ns: Vec<f64> =
        [1.05, 1.5, 2.3].iter().map(|n: &f64| n.clamp(exponents.0, exponents.1)).collect();
    ns.dedup();
    let e = rough.restitution;
    // ζ of the linear damper that delivers e at zero indentation is near enough.
    let zeta = -e.ln() / std::f64::consts::PI.hypot(e.ln());
    let mut out = Vec::new();
    for n in ns {
        let ln_k = rough.stiffness(n);
        let linear = 2.0 * zeta;
        let c = linear * rough.mass * rough.speed
            / ((n + 1.0) * 0.5 * rough.mass * rough.speed.powi(2) / ln_k.exp())
                .powf(1.0 / (n + 1.0));
        let damping: Vec<[f64; 2]> = match entry.form {
            Form::Elastic => vec![[0.0; 2]],
            Form::Hysteresis(_) => vec![[exact_damping(e), 0.0]],
            Form::LinearDamping(_) => vec![[linear, 0.0]],
            Form::Viscous => vec![[c / units[0], 0.0]],
            Form::Own(_) => vec![[1.5 * c / units[0], 0.5], [2.0 * c / units[0], 0.1]],
        };
        for d in damping {
            let mut x = vec![ln_k, n, d[0], d[1], 1.0 - e, 0.2];
            x.resize(bounds.len(), 0.0);
            out.push(x);
        }
    }
    out
}

/// Standard deviations to begin with where none is stated: a twentieth of what was measured.
fn scales(cases: &Cases) -> [f64; 5] {
    let mut out = [1.0; 5];
    for (k, out) in out.iter_mut().take(4).enumerate() {
        let all: Vec<f64> =
            cases.impacts.iter().filter_map(|i| i.observed[k]).map(|o| o.0.abs()).collect();
        let mean = all.iter().sum::<f64>() / all.len().max(1) as f64;
        *out = if mean > 0.0 { 0.05 * mean } else { 1.0 };
    }
    let peak = cases.signals.iter().flat_map(|s| &s.forces).copied().fold(0.0, f64::max);
    out[4] = if peak > 0.0 { 0.05 * peak } else { 1.0 };
    out
}
