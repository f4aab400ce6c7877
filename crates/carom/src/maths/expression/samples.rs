//! The rows of a table in a text: two columns, the first one growing, and their units.

use super::{Expression, Scope};
use crate::maths::units::{Dimension, Measure};

/// More rows than this are no table of a machine.
const MOST_ROWS: usize = 1_000_000;
/// As in a model file: larger numbers overflow in products of a few of them.
const LARGEST: f64 = 1e60;

/// A table as it was read, in SI units.
#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    /// The first column; every number is above the one before it.
    pub x: Vec<f64>,
    /// The second column.
    pub y: Vec<f64>,
    /// What the table's head says of their units.
    pub measures: [Measure; 2],
}

impl Samples {
    /// Reads a table. Columns stand apart by commas, semicolons, tabs or blanks; `#` begins a comment; a first line of words is its
    /// head, with units in brackets: `angle [deg], lift [mm]`. The message begins with the number of the line.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut out =
            Self { x: Vec::new(), y: Vec::new(), measures: [Measure::Number, Measure::Number] };
        let mut factors = [1.0; 2];
        let mut is_first = true;
        for (line, number) in text.lines().zip(1_usize..) {
            let line = line.split('#').next().unwrap_or_default().trim();
            let line = line.trim_start_matches('\u{feff}').trim();
            if line.is_empty() {
                continue;
            }
            let head = is_first && line.starts_with(|c: char| c.is_alphabetic() || c == '"');
            is_first = false;
            if head {
                if let Some(units) = head_units(line).map_err(|why| format!("{number}: {why}"))? {
                    factors = units.map(|unit| unit.0);
                    out.measures = units.map(|unit| Measure::Known(unit.1));
                }
                continue;
            }
            let [x, y] = row(line).map_err(|why| format!("{number}: {why}"))?;
            let [x, y] = [x * factors[0], y * factors[1]];
            if let Some(last) = out.x.last()
                && x <= *last
            {
                let (found, last) = (x / factors[0], last / factors[0]);
                return Err(format!(
                    "{number}: {found} is not above {last} of the row before; the first column has to grow"
                ));
            }
            if out.x.len() == MOST_ROWS {
                return Err(format!("{number}: more than {MOST_ROWS} rows"));
            }
            out.x.push(x);
            out.y.push(y);
        }
        match out.x.len() {
            0 => Err("1: there is no row of two numbers".to_owned()),
            1 => Err("1: one row alone is no function; at least two are needed".to_owned()),
            _ => Ok(out),
        }
    }
}

/// Two numbers of a line.
fn row(line: &str) -> Result<[f64; 2], String> {
    let separators = |c: char| c.is_whitespace() || matches!(c, ',' | ';');
    let mut out = [0.0; 2];
    let mut count = 0;
    for word in line.split(separators).filter(|word| !word.is_empty()) {
        if let Some(place) = out.get_mut(count) {
            let shown: String = word.chars().take(40).collect();
            let found: f64 = word.parse().map_err(|_| format!("`{shown}` is not a number"))?;
            // NaN, too, is not within.
            if !(found.abs() <= LARGEST) {
                return Err(format!("{shown} is not a number between -1e60 and 1e60"));
            }
            *place = found;
        }
        count += 1;
    }
    if count == 2 { Ok(out) } else { Err(format!("found {count} numbers where 2 are expected")) }
}

/// Factor and dimension of what stands in brackets in a head; none where it has no brackets.
fn head_units(line: &str) -> Result<Option<[(f64, Dimension); 2]>, String> {
    let mut found = Vec::new();
    for part in line.split('[').skip(1) {
        let Some((unit, _)) = part.split_once(']') else {
            return Err("a bracket of the head is not closed".to_owned());
        };
        let unit = unit.trim();
        found.push(match unit {
            "" | "-" | "1" => (1.0, Dimension::NONE),
            _ => unit_of(unit).ok_or_else(|| format!("`{unit}` is not a unit"))?,
        });
    }
    match found[..] {
        [] => Ok(None),
        [x, y] => Ok(Some([x, y])),
        _ => Err(format!(
            "the head has {} units in brackets where 2 are expected; [1] is a plain number",
            found.len()
        )),
    }
}

fn unit_of(unit: &str) -> Option<(f64, Dimension)> {
    let one = Expression::parse(&format!("1 {unit}"), Scope::Constant).ok()?;
    let resolved = one.resolve(|_| Err(String::new())).ok()?;
    match resolved.measure {
        Measure::Known(dimension) => Some((resolved.tape.as_constant()?, dimension)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_comments_and_units_are_read() {
        let read =
            Samples::read("# a cam\nangle [deg], lift [mm]\n0, 0\n90; 5\n180\t10 # top\n").unwrap();
        assert_eq!(read.x[1], std::f64::consts::FRAC_PI_2);
        assert_eq!(read.y, [0.0, 0.005, 0.010]);
        assert_eq!(read.measures[1], Measure::Known(Dimension::LENGTH));
        let plain = Samples::read("1 2\r\n3 4\r\n").unwrap();
        assert_eq!((plain.x, plain.y), (vec![1.0, 3.0], vec![2.0, 4.0]));
    }

    #[test]
    fn faults_name_their_line() {
        for (text, expected) in [
            ("0, 0\n1, abc\n", "2: `abc` is not a number"),
            ("0, 0\n1\n", "2: found 1 numbers where 2"),
            ("0, 0, 0\n", "1: found 3 numbers where 2"),
            ("0 0\n2 0\n\n2 1\n", "4: 2 is not above 2"),
            ("0 0\n1 nan\n", "2: nan is not a number between"),
            ("0 0\n1 1e99\n", "2: 1e99 is not a number between"),
            ("x [parsec], y [m]\n0 0\n1 1\n", "1: `parsec` is not a unit"),
            ("x [s], y\n0 0\n1 1\n", "1: the head has 1 units"),
            ("x [s, y\n0 0\n", "1: a bracket"),
            ("", "1: there is no row"),
            ("0 1\n", "1: one row alone"),
        ] {
            let error = Samples::read(text).unwrap_err();
            assert!(error.starts_with(expected), "{text:?}: {error}");
        }
    }
}
