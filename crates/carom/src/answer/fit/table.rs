//! Measurements as CSV: one impact a line, or one sample of a force a line, with units in the heads.

use crate::answer::AnswerError;
use crate::answer::laws::quantity::quantity;
use crate::maths::nearest::nearest;
use crate::maths::units::Dimension;

/// Letters of a heading or of a cell that a message repeats.
const SHOWN: usize = 40;

/// What a column holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    ApproachSpeed,
    ImpactEnergy,
    EffectiveMass,
    SeparationSpeed,
    Restitution,
    PeakForce,
    Duration,
    Impulse,
    Time,
    /// Of a signal; the name of one of several columns.
    Force(String),
    /// The signal that a line belongs to.
    Signal,
    /// How many measurements a line is the mean of.
    Repeats,
    /// A name for people.
    Label,
    /// A value of the model file by its path, with the unit of the head.
    Edit {
        path: String,
        unit: String,
    },
    /// The standard deviation of another column.
    Deviation(Box<Kind>),
}

/// The known words, what they hold, their dimension, and the unit that a message offers.
const WORDS: [(&str, Kind, Dimension, &str); 13] = [
    ("approach_speed", Kind::ApproachSpeed, Dimension::VELOCITY, "m/s"),
    ("impact_energy", Kind::ImpactEnergy, Dimension::ENERGY, "J"),
    ("effective_mass", Kind::EffectiveMass, Dimension::MASS, "kg"),
    ("separation_speed", Kind::SeparationSpeed, Dimension::VELOCITY, "m/s"),
    ("restitution", Kind::Restitution, Dimension::NONE, ""),
    ("peak_force", Kind::PeakForce, Dimension::FORCE, "N"),
    ("duration", Kind::Duration, Dimension::TIME, "s"),
    ("impulse", Kind::Impulse, Dimension::new(1.0, 1.0, -1.0), "N s"),
    ("t", Kind::Time, Dimension::TIME, "s"),
    ("time", Kind::Time, Dimension::TIME, "s"),
    ("repeats", Kind::Repeats, Dimension::NONE, ""),
    ("signal", Kind::Signal, Dimension::NONE, ""),
    ("label", Kind::Label, Dimension::NONE, ""),
];

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell {
    Number(f64),
    Word(String),
    Empty,
}

/// The columns and lines of a file.
pub(super) struct Table {
    pub name: String,
    pub columns: Vec<Kind>,
    /// The line in the file, from 1, and its cells.
    pub lines: Vec<(usize, Vec<Cell>)>,
}

fn shown(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}

impl Table {
    /// A fault of a line.
    pub(super) fn wrong(&self, line: usize, message: impl Into<String>) -> AnswerError {
        AnswerError::asked(format!("{}:{line}", self.name), message)
    }

    /// Where a kind stands.
    pub(super) fn column(&self, kind: &Kind) -> Option<usize> {
        self.columns.iter().position(|c| c == kind)
    }

    /// The number of a kind on a line.
    pub(super) fn number(&self, cells: &[Cell], kind: &Kind) -> Option<f64> {
        match cells[self.column(kind)?] {
            Cell::Number(x) => Some(x),
            _ => None,
        }
    }

    /// The standard deviation of a kind on a line.
    pub(super) fn deviation(&self, cells: &[Cell], kind: &Kind) -> Option<f64> {
        self.number(cells, &Kind::Deviation(Box::new(kind.clone())))
    }

    /// Reads a text; every fault has its line. Lines that begin with # are comments.
    pub(super) fn read(name: &str, text: &str) -> Result<Self, AnswerError> {
        let mut out = Self { name: name.to_owned(), columns: Vec::new(), lines: Vec::new() };
        let lines = text.trim_start_matches('\u{feff}').lines().enumerate();
        let mut lines = lines.filter(|(_, l)| !l.trim().is_empty() && !l.trim().starts_with('#'));
        let Some((first, head)) = lines.next() else {
            return Err(out.wrong(1, "the file is empty; expected a line of headings such as `approach_speed [m/s],peak_force [N]`"));
        };
        let mut sizes = Vec::new();
        for word in head.split(',') {
            let (kind, size) = heading(word).map_err(|message| out.wrong(first + 1, message))?;
            if kind != Kind::Label && out.columns.contains(&kind) {
                return Err(out.wrong(first + 1, format!("`{}` stands twice", shown(word.trim()))));
            }
            out.columns.push(kind);
            sizes.push(size);
        }
        for (k, line) in lines {
            let words: Vec<&str> = line.split(',').collect();
            if words.len() != sizes.len() {
                let message = format!(
                    "found {} values, expected one in each of {} columns",
                    words.len(),
                    sizes.len()
                );
                return Err(out.wrong(k + 1, message));
            }
            let mut cells = Vec::with_capacity(words.len());
            for (c, (word, size)) in words.iter().zip(&sizes).enumerate() {
                let word = word.trim().trim_matches('"').trim();
                let text = matches!(out.columns[c], Kind::Signal | Kind::Label);
                cells.push(match word.parse::<f64>() {
                    _ if text => Cell::Word(word.to_owned()),
                    _ if word.is_empty() => Cell::Empty,
                    Ok(x) if x.is_finite() => Cell::Number(x * size),
                    _ => {
                        let message =
                            format!("column {}: `{}` is not a finite number", c + 1, shown(word));
                        return Err(out.wrong(k + 1, message));
                    }
                });
            }
            out.lines.push((k + 1, cells));
        }
        if out.lines.is_empty() {
            return Err(out.wrong(first + 1, "no measurement below the headings"));
        }
        Ok(out)
    }
}

/// What a heading says, and the size of its unit.
fn heading(text: &str) -> Result<(Kind, f64), String> {
    let whole = text.trim().trim_matches('"').trim();
    let (word, unit) = match whole.strip_suffix(']').and_then(|t| t.split_once('[')) {
        Some((word, unit)) => (word.trim(), unit.trim()),
        None => (whole, ""),
    };
    let inner = word.strip_prefix("sigma(").and_then(|w| w.strip_suffix(')'));
    if let Some(inner) = inner.or_else(|| word.strip_suffix("_sigma")) {
        let (kind, size) = heading(&format!("{inner} [{unit}]"))
            .map_err(|message| format!("`{}`: {message}", shown(whole)))?;
        return match kind {
            Kind::EffectiveMass
            | Kind::Time
            | Kind::Edit { .. }
            | Kind::Deviation(_)
            | Kind::Repeats
            | Kind::Signal
            | Kind::Label => {
                Err(format!("`{}`: a standard deviation of this is not used", shown(whole)))
            }
            kind => Ok((Kind::Deviation(Box::new(kind)), size)),
        };
    }
    let (kind, dimension, offered) = if word == "force" || word.starts_with("force.") {
        let name = word.strip_prefix("force.").unwrap_or_default();
        (Kind::Force(name.to_owned()), Dimension::FORCE, "N")
    } else if let Some(found) = WORDS.iter().find(|w| w.0 == word) {
        (found.1.clone(), found.2, found.3)
    } else if word.contains('.') {
        let path = match word.strip_prefix("q.") {
            Some(joint) => format!("joints.{joint}.position"),
            None => word.to_owned(),
        };
        return Ok((Kind::Edit { path, unit: unit.to_owned() }, 1.0));
    } else {
        let names = WORDS.iter().map(|w| w.0).chain(["force"]);
        let hint =
            nearest(word, names).map_or_else(String::new, |n| format!("; did you mean `{n}`?"));
        return Err(format!(
            "the heading `{}` is not known{hint}. Expected approach_speed, impact_energy, effective_mass, separation_speed, restitution, \
             peak_force, duration, impulse, sigma(…) of these, repeats, label; t, force, signal; or a path of the model file such as parameters.angle",
            shown(word)
        ));
    };
    if dimension == Dimension::NONE {
        return if unit.is_empty() || unit == "-" || unit == "1" {
            Ok((kind, 1.0))
        } else {
            Err(format!("`{}`: it is a plain number", shown(whole)))
        };
    }
    if unit.is_empty() {
        return Err(format!(
            "`{}` has no unit; expected such as `{word} [{offered}]`",
            shown(whole)
        ));
    }
    let size = quantity(whole, &format!("1 {unit}"), dimension).map_err(|_| {
        format!("`{}`: the unit does not fit; expected such as [{offered}]", shown(whole))
    })?;
    Ok((kind, size))
}
