//! One impact on a sheet.

use carom::answer::laws::LawImpact;

use super::history::{Track, history};
use super::look::PLAIN;
use super::{mm, sheet, write};
use crate::number::{plain, prefixed, six};
use crate::table::laws::impact::given;

/// The sheet as SVG.
pub(crate) fn draw(strike: &LawImpact) -> Result<String, String> {
    let o = &strike.outcome;
    let outcome = format!(
        "peak force {}, indentation {}, duration {}, restitution delivered {}",
        prefixed(o.peak_force, "N"),
        prefixed(o.max_indentation, "m"),
        if o.duration.is_finite() { prefixed(o.duration, "s") } else { "without end".to_owned() },
        six(o.restitution)
    );
    let mut lines = vec![format!("{}: {}", strike.law, strike.formula)];
    lines.extend([given(strike), outcome]);
    sheet(100.0, |area| {
        let (head, body) = area.split_vertically(mm(19.0));
        for (k, line) in lines.iter().enumerate() {
            let size = if k == 0 { 3.2 } else { 2.7 };
            // What does not fit on the sheet is left out of its heading; the table has it all.
            let line: String = plain(line).chars().take(125).collect();
            write(&head, &line, (4.0, 4.5 + 5.0 * k as f64), size)?;
        }
        let track = Track { samples: strike.curve.clone(), look: PLAIN };
        history(&body, ["over time", "force over indentation"], &[track])
    })
}
