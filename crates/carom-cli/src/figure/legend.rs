//! A legend in an area of its own, where it hides nothing.

use super::look::Look;
use super::panel::line;
use super::{Area, DOTS, Drawn, mm, write};

/// Height of a line \[mm\].
pub(super) const ROW: f64 = 4.0;
/// Length of the sample of a line \[mm\].
const SAMPLE: f64 = 11.0;
/// Em of the names \[mm\].
const SIZE: f64 = 2.4;

/// A look and what has it.
pub(super) type Entry = (Look, String);

/// Writes the entries in columns of that width \[mm\], as many below each other as `rows`.
pub(super) fn legend(area: &Area<'_>, entries: &[Entry], rows: usize, column: f64) -> Drawn {
    for (k, (look, name)) in entries.iter().enumerate() {
        let (left, row) = (column * (k / rows.max(1)) as f64, (k % rows.max(1)) as f64);
        let y = (row + 0.5) * ROW;
        let ends = [(left * DOTS, y * DOTS), ((left + SAMPLE) * DOTS, y * DOTS)];
        if !look.scattered {
            line(area, &ends, look)?;
        }
        look.stamp(area, (mm(left + 0.5 * SAMPLE), mm(y)))?;
        write(area, name, (left + SAMPLE + 1.5, y), SIZE)?;
    }
    Ok(())
}
