//! From a table of measurements and a machine to what is fitted: m_eff and approach speed of every impact.

use super::FitCase;
use super::options::Asked;
use super::table::{Cell, Kind, Table};
use crate::answer::AnswerError;
use crate::contact::fit::{Impact, Signal};
use crate::maths::digits::six;

/// m_eff \[kg\] and u \[m/s\] of the contact with some edits of the file.
pub(crate) type Posed<'a> = dyn FnMut(&[(String, String)]) -> Result<(f64, f64), String> + 'a;

/// A part of the greatest force of a signal that belongs to its impact.
const RISEN: f64 = 0.1;
/// A separation speed may exceed the approach speed by so many of its standard deviations.
const NOISE: f64 = 5.0;
/// The least number of samples of a signal's impact.
const LEAST_SAMPLES: usize = 5;
/// Signals that are fitted together.
const MOST_SIGNALS: usize = 50;

/// What is fitted.
#[derive(Default)]
pub(super) struct Cases {
    pub impacts: Vec<Impact>,
    pub signals: Vec<Signal>,
    pub cases: Vec<FitCase>,
    /// Lines of the samples of every signal.
    pub lines: Vec<Vec<usize>>,
}

/// A line of the file with its number.
type Line = (usize, Vec<Cell>);

/// The measured quantities of impacts in the order of the predictions.
const MEASURED: [Kind; 4] = [Kind::SeparationSpeed, Kind::PeakForce, Kind::Duration, Kind::Impulse];

impl Cases {
    /// Of a table.
    pub(super) fn new(
        table: &Table,
        options: &Asked<'_>,
        posed: &mut Posed<'_>,
    ) -> Result<Self, AnswerError> {
        let signals = table.columns.iter().any(|c| matches!(c, Kind::Force(_)));
        let impacts = table.columns.iter().any(|c| MEASURED.contains(c) || *c == Kind::Restitution);
        let head = || table.lines.first().map_or(1, |l| l.0).saturating_sub(1).max(1);
        match (impacts, signals) {
            (true, true) => Err(table.wrong(head(), "columns of impacts (peak_force, …) and of a signal (force): expected one of the two kinds")),
            (false, false) => Err(table.wrong(head(), "nothing was measured: expected separation_speed, restitution, peak_force, duration or impulse of impacts, or force over time")),
            (true, false) => Self::of_impacts(table, options, posed),
            (false, true) => Self::of_signals(table, options, posed),
        }
    }

    /// m_eff and the approach speed with its deviation on a line.
    fn struck(
        table: &Table,
        (line, cells): (usize, &[Cell]),
        options: &Asked<'_>,
        posed: &mut Posed<'_>,
    ) -> Result<(f64, f64, f64), AnswerError> {
        let wrong = |message: String| table.wrong(line, message);
        let mut edits = Vec::new();
        for (column, cell) in table.columns.iter().zip(cells) {
            if let (Kind::Edit { path, unit }, Cell::Number(x)) = (column, cell) {
                let value = if unit.is_empty() { format!("{x}") } else { format!("{x} {unit}") };
                edits.push((path.clone(), value));
            }
        }
        let stated = table.number(cells, &Kind::EffectiveMass);
        let speed = table.number(cells, &Kind::ApproachSpeed);
        let energy = table.number(cells, &Kind::ImpactEnergy);
        let (mass, u) = match (stated, speed.or(energy).or(options.speed)) {
            (Some(mass), Some(_)) => (mass, 0.0),
            _ => posed(&edits).map_err(wrong)?,
        };
        let mass = stated.unwrap_or(mass);
        if !(mass > 0.0 && mass.is_finite()) {
            return Err(wrong(format!(
                "the effective mass is {mass} kg; expected a positive number"
            )));
        }
        let (speed, error) = match (speed, energy) {
            (Some(_), Some(_)) => {
                return Err(wrong(
                    "both approach_speed and impact_energy: expected one of them".to_owned(),
                ));
            }
            (Some(v), None) => (v, table.deviation(cells, &Kind::ApproachSpeed).unwrap_or(0.0)),
            (None, Some(energy)) => {
                if !(energy > 0.0) {
                    return Err(wrong(format!(
                        "an impact energy of {energy} J; expected a positive number"
                    )));
                }
                let v = (2.0 * energy / mass).sqrt();
                let error = table.deviation(cells, &Kind::ImpactEnergy).unwrap_or(0.0);
                (v, error / (mass * v))
            }
            (None, None) => (options.speed.unwrap_or(-u), 0.0),
        };
        if !(speed > 0.0) {
            return Err(wrong(format!(
                "an approach speed of {speed} m/s; expected a positive number: by a column approach_speed or impact_energy, or by velocities of the \
                 model that close the contact"
            )));
        }
        if !(error >= 0.0) {
            return Err(wrong("a standard deviation is negative".to_owned()));
        }
        Ok((mass, speed, error))
    }

    fn of_impacts(
        table: &Table,
        options: &Asked<'_>,
        posed: &mut Posed<'_>,
    ) -> Result<Self, AnswerError> {
        let mut out = Self::default();
        for (line, cells) in &table.lines {
            let wrong = |message: String| table.wrong(*line, message);
            let (mass, speed, speed_error) = Self::struck(table, (*line, cells), options, posed)?;
            let repeats = table.number(cells, &Kind::Repeats).unwrap_or(1.0);
            if !(repeats >= 1.0) {
                return Err(wrong(format!("repeats {repeats}; expected a number from 1 on")));
            }
            let mut observed = [None; 4];
            let deviation = |kind: &Kind| -> Result<Option<f64>, AnswerError> {
                match table.deviation(cells, kind) {
                    Some(s) if !(s > 0.0) => {
                        Err(wrong(format!("a standard deviation of {s}; expected a positive number")))
                    }
                    Some(s) => Ok(Some(s / repeats.sqrt())),
                    None if repeats > 1.0 => Err(wrong(
                        "repeats without sigma(…): how well the mean is known needs the standard deviation of a single measurement".to_owned(),
                    )),
                    None => Ok(None),
                }
            };
            for (k, kind) in MEASURED.iter().enumerate() {
                let Some(x) = table.number(cells, kind) else { continue };
                if !(x > 0.0 || (k == 0 && x == 0.0)) {
                    return Err(wrong(format!(
                        "{x} in column `{}`; expected a positive number",
                        word(kind)
                    )));
                }
                observed[k] = Some((x, deviation(kind)?));
            }
            if let Some(e) = table.number(cells, &Kind::Restitution) {
                if observed[0].is_some() {
                    return Err(wrong(
                        "both separation_speed and restitution: expected one of them".to_owned(),
                    ));
                }
                if !(e >= 0.0) {
                    return Err(wrong(format!(
                        "a restitution of {e}; expected a number from 0 to 1"
                    )));
                }
                observed[0] = Some((e * speed, deviation(&Kind::Restitution)?.map(|s| s * speed)));
            }
            if let Some((after, error)) = observed[0]
                && after > speed + NOISE * error.unwrap_or(0.0)
            {
                return Err(wrong(format!(
                    "the bodies part at {} m/s and approach at {} m/s: a restitution of {} exceeds 1; if that is noise, state its sigma(separation_speed)",
                    six(after),
                    six(speed),
                    six(after / speed)
                )));
            }
            if observed.iter().all(Option::is_none) {
                return Err(wrong("nothing was measured on this line".to_owned()));
            }
            out.cases.push(case(*line, "", mass, speed));
            out.impacts.push(Impact {
                mass,
                speed,
                speed_error: speed_error / repeats.sqrt(),
                observed,
            });
        }
        Ok(out)
    }

    fn of_signals(
        table: &Table,
        options: &Asked<'_>,
        posed: &mut Posed<'_>,
    ) -> Result<Self, AnswerError> {
        let mut out = Self::default();
        let label = table.column(&Kind::Signal);
        let forces: Vec<(usize, &str)> = table
            .columns
            .iter()
            .enumerate()
            .filter_map(|(c, kind)| match kind {
                Kind::Force(name) => Some((c, name.as_str())),
                _ => None,
            })
            .collect();
        let mut runs: Vec<(String, Vec<&Line>)> = Vec::new();
        for line in &table.lines {
            let name = match label.map(|c| &line.1[c]) {
                Some(Cell::Word(word)) => word.clone(),
                _ => String::new(),
            };
            match runs.iter_mut().find(|r| r.0 == name) {
                Some(run) => run.1.push(line),
                None => runs.push((name, vec![line])),
            }
        }
        if runs.len() * forces.len() > MOST_SIGNALS {
            return Err(
                table.wrong(1, format!("more than {MOST_SIGNALS} signals; fit them in parts"))
            );
        }
        for (name, lines) in &runs {
            for (column, own) in &forces {
                let name = [name.as_str(), *own]
                    .iter()
                    .filter(|w| !w.is_empty())
                    .copied()
                    .collect::<Vec<_>>()
                    .join(" ");
                out.signal(table, options, posed, &name, *column, lines)?;
            }
        }
        Ok(out)
    }

    fn signal(
        &mut self,
        table: &Table,
        options: &Asked<'_>,
        posed: &mut Posed<'_>,
        name: &str,
        column: usize,
        lines: &[&Line],
    ) -> Result<(), AnswerError> {
        let Some(first) = lines.first() else { return Ok(()) };
        let signal =
            if name.is_empty() { "the signal".to_owned() } else { format!("signal {name}") };
        let (mass, speed, _) = Self::struck(table, (first.0, &first.1), options, posed)?;
        let (mut times, mut samples, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        for (k, (line, cells)) in lines.iter().enumerate() {
            let Cell::Number(force) = cells[column] else { continue };
            let time = match (table.number(cells, &Kind::Time), options.interval) {
                (Some(t), _) => t,
                (None, Some(interval)) if table.column(&Kind::Time).is_none() => {
                    k as f64 * interval
                }
                _ => {
                    return Err(table
                        .wrong(*line, "no time: expected a column t, or the sampling interval"));
                }
            };
            if let Some(before) = times.last()
                && !(time > *before)
            {
                return Err(
                    table.wrong(*line, format!("t = {time} s does not come after {before} s"))
                );
            }
            times.push(time);
            samples.push(force);
            numbers.push(*line);
        }
        let peak = samples.iter().copied().fold(0.0, f64::max);
        let top = samples.iter().position(|f| *f == peak).unwrap_or(0);
        let low = |f: &f64| *f < RISEN * peak;
        let left = samples[..top].iter().rposition(low);
        let right = samples[top..].iter().position(low).map(|k| top + k);
        let (Some(left), Some(right)) = (left, right) else {
            return Err(table.wrong(first.0, format!(
                "{signal}: no impact from its beginning to its end (a force that rises and falls below a tenth of its greatest, {} N)",
                six(peak)
            )));
        };
        if right - left - 1 < LEAST_SAMPLES {
            return Err(table.wrong(numbers[top], format!(
                "{signal}: {} samples in the impact about {} s, expected at least {LEAST_SAMPLES}",
                right - left - 1, six(times[top])
            )));
        }
        let inside: f64 = (left..right)
            .map(|k| 0.5 * (samples[k] + samples[k + 1]) * (times[k + 1] - times[k]))
            .sum();
        if inside > 2.0 * mass * speed * 1.2 {
            return Err(table.wrong(numbers[top], format!(
                "{signal}: its impulse of {} N s exceeds that of a restitution of 1, 2 m_eff v = {} N s: mass, speed or calibration do not belong to it",
                six(inside),
                six(2.0 * mass * speed)
            )));
        }
        // The force begins a little before it has risen to a tenth.
        let width = times[right] - times[left];
        let guess = times[left] - 0.02 * width;
        let onset = (options.onset.unwrap_or(guess), width);
        let error = match table.deviation(&first.1, &table.columns[column]) {
            Some(s) if !(s > 0.0) => {
                return Err(table.wrong(
                    first.0,
                    format!("a standard deviation of {s} N; expected a positive number"),
                ));
            }
            error => error,
        };
        let averaged = options.options.averaged;
        self.cases.push(case(first.0, name, mass, speed));
        self.lines.push(numbers);
        self.signals.push(Signal { mass, speed, times, forces: samples, error, onset, averaged });
        Ok(())
    }
}

fn case(line: usize, name: &str, mass: f64, speed: f64) -> FitCase {
    FitCase {
        line,
        name: name.to_owned(),
        effective_mass: mass,
        approach_speed: speed,
        impact_energy: 0.5 * mass * speed * speed,
        onset: None,
    }
}

fn word(kind: &Kind) -> &'static str {
    match kind {
        Kind::SeparationSpeed => "separation_speed",
        Kind::PeakForce => "peak_force",
        Kind::Duration => "duration",
        _ => "impulse",
    }
}
