//! A path of a robot as CSV: time, positions, and velocities or a speed.

use super::arm::unit_quaternion;
use super::options::measured;
use crate::answer::AnswerError;
use crate::answer::laws::quantity::quantity;
use crate::maths::nearest::nearest;
use crate::maths::units::Dimension;
use crate::model::{Joint, Model};

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
            match Heading::read(word) {
                Ok(column) => columns.push(column),
                Err(message) => return wrong(1, message),
            }
        }
        let count = |kind: Kind| columns.iter().filter(|c| c.kind == kind).count();
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
        let columns = match placed(model, &columns) {
            Ok(columns) => columns,
            Err(message) => return wrong(1, message),
        };
        let timed = columns.iter().any(|c| c.kind == Kind::Time);
        let mut out = Self { t: vec![], q: vec![], v: vec![], speed: vec![], line: vec![] };
        for (k, line) in lines {
            if line.trim().is_empty() {
                continue;
            }
            let mut found = 0;
            let (first_q, first_v) = (out.q.len(), out.v.len());
            out.q.resize(first_q + positions, 0.0);
            out.v.resize(first_v + velocities, 0.0);
            for (word, column) in line.split(',').zip(&columns) {
                found += 1;
                let Some(x) = word.trim().parse::<f64>().ok().filter(|x| x.is_finite()) else {
                    let word: String = word.trim().chars().take(40).collect();
                    return wrong(
                        k + 1,
                        format!("column {found}: `{word}` is not a finite number"),
                    );
                };
                let x = x * column.size;
                match column.kind {
                    Kind::Time => out.t.push(x),
                    Kind::Position => out.q[first_q + column.entry] = x,
                    Kind::Velocity => out.v[first_v + column.entry] = x,
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
            for joint in model.bodies.iter().map(|b| &b.joint) {
                let own = joint.positions();
                let q = &mut out.q[first_q + own.start..first_q + own.end];
                if let Err(message) = unit_quaternion(joint, q) {
                    return wrong(k + 1, message);
                }
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

/// A column: what it holds, which entry of q or v, and the size of its unit.
struct Column {
    kind: Kind,
    entry: usize,
    size: f64,
}

/// A heading such as `q.joint_1 [deg]`, before it has a place.
struct Heading<'t> {
    whole: &'t str,
    kind: Kind,
    /// Behind the letter: `joint_1`, a number, or nothing.
    name: &'t str,
    unit: &'t str,
}

/// Letters of a heading that a message repeats.
const SHOWN: usize = 40;

fn shown(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}

impl<'t> Heading<'t> {
    fn read(text: &'t str) -> Result<Self, String> {
        let whole = text.trim().trim_matches('"').trim();
        let (word, unit) = match whole.strip_suffix(']').and_then(|t| t.split_once('[')) {
            Some((word, unit)) => (word.trim(), unit.trim()),
            None => (whole, ""),
        };
        let kind = match word {
            "t" | "time" => Kind::Time,
            "speed" => Kind::Speed,
            _ if word.starts_with('q') => Kind::Position,
            _ if word.starts_with('v') => Kind::Velocity,
            _ => {
                return Err(format!(
                    "the heading `{}` is not known; expected `t`, `q…`, `v…` or `speed`, such as `q.joint_1 [deg]`",
                    shown(word)
                ));
            }
        };
        let name = match kind {
            Kind::Time | Kind::Speed => "",
            _ => word[1..].trim_start_matches(['.', '_']),
        };
        Ok(Self { whole, kind, name, unit })
    }

    /// The number behind the letter, if it is one.
    fn number(&self) -> Option<usize> {
        self.name.parse().ok()
    }

    /// The size of its unit, which has to be that of what it holds.
    fn size(&self, expected: Dimension) -> Result<f64, String> {
        if self.unit.is_empty() {
            return Ok(1.0);
        }
        quantity(self.whole, &format!("1 {}", self.unit), expected).map_err(|_| {
            format!("`{}`: the unit does not fit; {}", shown(self.whole), fits(expected))
        })
    }
}

/// Which units a column may have, in words.
fn fits(expected: Dimension) -> String {
    let per_second = |d: Dimension| d.per(Dimension::TIME);
    let example = [
        (Dimension::ANGLE, "[rad] or [deg]"),
        (Dimension::LENGTH, "[m] or [mm]"),
        (per_second(Dimension::ANGLE), "[rad/s] or [deg/s]"),
        (Dimension::VELOCITY, "[m/s] or [mm/s]"),
        (Dimension::TIME, "[s] or [ms]"),
    ];
    let found = example.iter().find(|(d, _)| *d == expected);
    found.map_or_else(|| "it is a plain number".to_owned(), |(_, text)| format!("expected {text}"))
}

/// Entries of q or of v: the joint, the coordinate's name, what it measures.
fn entries<'m>(model: &'m Model, kind: Kind) -> Vec<(&'m str, String, Dimension)> {
    let names = match kind {
        Kind::Position => model.position_names(),
        _ => model.velocity_names(),
    };
    let joints = model.bodies.iter().map(|b| &b.joint).flat_map(|joint| {
        let count = match kind {
            Kind::Position => joint.kind.positions(),
            _ => joint.kind.velocities(),
        };
        (0..count).map(move |k| (joint, k))
    });
    let one = |((joint, k), name): ((&'m Joint, usize), String)| {
        // `q.JOINT.COORDINATE [UNIT]`
        let name = name[2..].split(" [").next().unwrap_or_default().to_owned();
        let measure = match kind {
            Kind::Position => measured(joint.kind, k),
            _ if joint.kind.is_angular(k) => Dimension::ANGLE.per(Dimension::TIME),
            _ => Dimension::VELOCITY,
        };
        (joint.name.as_str(), name, measure)
    };
    joints.zip(names).map(one).collect()
}

/// Gives every column its entry: by the names of joints, or in the order of the joints where columns have numbers or nothing behind their letter.
fn placed(model: &Model, headings: &[Heading<'_>]) -> Result<Vec<Column>, String> {
    let mut out: Vec<Column> = Vec::with_capacity(headings.len());
    let known = [Kind::Position, Kind::Velocity].map(|kind| (kind, entries(model, kind)));
    for (k, heading) in headings.iter().enumerate() {
        let kind = heading.kind;
        let expected = match kind {
            Kind::Time => Some(Dimension::TIME),
            Kind::Speed => Some(Dimension::VELOCITY),
            _ => None,
        };
        if let Some(expected) = expected {
            out.push(Column { kind, entry: 0, size: heading.size(expected)? });
            continue;
        }
        // Both kinds stand in the list.
        let entries = known.iter().find(|(of, _)| *of == kind).map_or(&[][..], |(_, e)| e);
        let before = || headings[..k].iter().filter(|h| h.kind == kind);
        let by_name = |h: &Heading<'_>| !h.name.is_empty() && h.number().is_none();
        if let Some(other) = before().next().filter(|other| by_name(other) != by_name(heading)) {
            return Err(format!(
                "`{}` names a joint and `{}` does not: expected all of them by name, or all in the order of the joints",
                if by_name(other) { shown(other.whole) } else { shown(heading.whole) },
                if by_name(other) { shown(heading.whole) } else { shown(other.whole) },
            ));
        }
        let entry = if by_name(heading) {
            let is = |(joint, name, _): &&(&str, String, Dimension)| {
                let alone = entries.iter().filter(|e| e.0 == *joint).count() == 1;
                name == heading.name || alone && *joint == heading.name
            };
            let Some(entry) = entries.iter().position(|e| is(&e)) else {
                let names = entries.iter().flat_map(|e| [e.0, e.1.as_str()]);
                let hint = nearest(heading.name, names)
                    .map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                return Err(format!(
                    "`{}`: there is no such coordinate{hint}",
                    shown(heading.whole)
                ));
            };
            if out.iter().any(|c| c.kind == kind && c.entry == entry) {
                return Err(format!("`{}`: this coordinate stands twice", shown(heading.whole)));
            }
            entry
        } else {
            let last = before().next_back();
            let follows =
                last.and_then(Heading::number).is_none_or(|n| heading.number() == Some(n + 1));
            if let Some(last) = last.filter(|_| !follows) {
                return Err(format!(
                    "`{}` stands behind `{}`: numbered columns stand in the order of the joints; name the joints otherwise, as in `q.{}`",
                    shown(heading.whole),
                    shown(last.whole),
                    entries.first().map_or("joint", |e| e.0)
                ));
            }
            before().count()
        };
        let size = heading.size(entries[entry].2)?;
        out.push(Column { kind, entry, size });
    }
    Ok(out)
}
