//! A path of a robot as CSV: time, positions, and velocities or a speed.

use crate::answer::AnswerError;
use crate::answer::laws::quantity::quantity;
use crate::maths::units::Dimension;
use crate::model::Model;

/// Samples of a path, in SI units.
pub(super) struct PathText {
    pub t: Vec<f64>,
    /// n × nq.
    pub q: Vec<f64>,
    /// n × nv; empty if speeds are given.
    pub v: Vec<f64>,
    /// n; empty if velocities are given.
    pub speed: Vec<f64>,
    /// Line of each sample in the file, from 1.
    pub line: Vec<usize>,
}

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Time,
    Position,
    Velocity,
    Speed,
}

impl PathText {
    /// How many samples.
    pub(super) fn len(&self) -> usize {
        self.line.len()
    }

    /// Reads a text; every fault has its line.
    pub(super) fn read(model: &Model, name: &str, text: &str) -> Result<Self, AnswerError> {
        let wrong = |line: usize, message: String| {
            Err(AnswerError::asked(format!("{name}:{line}"), message))
        };
        let mut lines = text.trim_start_matches('\u{feff}').lines().enumerate();
        let head = lines.next().map_or("", |(_, line)| line);
        let mut columns = Vec::new();
        for word in head.split(',') {
            match heading(word) {
                Ok(column) => columns.push(column),
                Err(message) => return wrong(1, message),
            }
        }
        let count = |kind: Kind| columns.iter().filter(|c| c.0 == kind).count();
        let (positions, velocities, speeds) =
            (count(Kind::Position), count(Kind::Velocity), count(Kind::Speed));
        if positions != model.nq {
            let message = format!("{positions} columns `q…`, expected {}", model.nq);
            return wrong(1, message);
        }
        if !(velocities == model.nv && speeds == 0 || velocities == 0 && speeds == 1) {
            let message = format!(
                "{velocities} columns `v…` and {speeds} `speed`, expected {} velocities or one speed",
                model.nv
            );
            return wrong(1, message);
        }
        if count(Kind::Time) > 1 {
            return wrong(1, "more than one column `t`".to_owned());
        }
        let timed = count(Kind::Time) == 1;
        let mut out = Self { t: vec![], q: vec![], v: vec![], speed: vec![], line: vec![] };
        for (k, line) in lines {
            if line.trim().is_empty() {
                continue;
            }
            let mut found = 0;
            for (word, column) in line.split(',').zip(&columns) {
                found += 1;
                let Some(x) = word.trim().parse::<f64>().ok().filter(|x| x.is_finite()) else {
                    let word: String = word.trim().chars().take(40).collect();
                    return wrong(
                        k + 1,
                        format!("column {found}: `{word}` is not a finite number"),
                    );
                };
                let x = x * column.1;
                match column.0 {
                    Kind::Time => out.t.push(x),
                    Kind::Position => out.q.push(x),
                    Kind::Velocity => out.v.push(x),
                    Kind::Speed if x >= 0.0 => out.speed.push(x),
                    Kind::Speed => {
                        return wrong(k + 1, format!("{x} is not a speed of at least 0"));
                    }
                }
            }
            let all = line.split(',').count();
            if all != columns.len() {
                return wrong(k + 1, format!("{all} columns, expected {}", columns.len()));
            }
            let n = out.t.len();
            if timed && n > 1 && out.t[n - 1] <= out.t[n - 2] {
                let message = format!("t = {} does not come after {}", out.t[n - 1], out.t[n - 2]);
                return wrong(k + 1, message);
            }
            out.line.push(k + 1);
        }
        if out.line.is_empty() {
            return wrong(1, "no sample below the headings".to_owned());
        }
        Ok(out)
    }
}

/// What a heading such as `q.joint_1 [deg]` says: which column, and the size of its unit.
fn heading(text: &str) -> Result<(Kind, f64), String> {
    let text = text.trim();
    let (word, unit) = match text.strip_suffix(']').and_then(|t| t.split_once('[')) {
        Some((word, unit)) => (word.trim(), unit.trim()),
        None => (text, ""),
    };
    let kind = match word {
        "t" | "time" => Kind::Time,
        "speed" => Kind::Speed,
        _ if word.starts_with('q') => Kind::Position,
        _ if word.starts_with('v') => Kind::Velocity,
        _ => {
            let shown: String = word.chars().take(40).collect();
            return Err(format!(
                "the heading `{shown}` is not known; expected `t`, `q…`, `v…` or `speed`, such as `q.joint_1 [deg]`"
            ));
        }
    };
    let per_second = |d: Dimension| d.per(Dimension::TIME);
    let allowed: &[Dimension] = match kind {
        Kind::Time => &[Dimension::TIME],
        Kind::Speed => &[Dimension::VELOCITY],
        Kind::Position => &[Dimension::ANGLE, Dimension::LENGTH],
        Kind::Velocity => &[per_second(Dimension::ANGLE), Dimension::VELOCITY],
    };
    if unit.is_empty() {
        return Ok((kind, 1.0));
    }
    let sizes = allowed.iter().filter_map(|d| quantity(text, &format!("1 {unit}"), *d).ok());
    let size = sizes.into_iter().next();
    size.map(|size| (kind, size)).ok_or_else(|| format!("`{text}`: the unit does not fit"))
}
