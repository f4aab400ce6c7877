//! An impact as a table.

use std::fmt::Write as _;

use carom::answer::laws::{LawImpact, LawOutcome, OtherParting};

use super::rule;
use crate::number::{percent, prefixed, six, with_unit};
use crate::table::{Grid, page};

/// The whole text.
pub(crate) fn text(strike: &LawImpact) -> String {
    let mut columns: Vec<&LawOutcome> = vec![&strike.outcome];
    if let Some(OtherParting::Outcome(other)) = &strike.other_parting {
        columns.push(other);
    }
    let mut grid = Grid::default();
    if columns.len() > 1 {
        let mut heading = vec!["parting".to_owned()];
        heading.extend(columns.iter().map(|c| rule(&c.parting).to_owned()));
        grid.row(heading);
    }
    let mut row = |what: &str, cell: &dyn Fn(&LawOutcome) -> String| {
        let mut cells = vec![what.to_owned()];
        cells.extend(columns.iter().map(|c| cell(c)));
        grid.row(cells);
    };
    row("energy", &|c| with_unit(c.energy, "J"));
    row("peak force", &|c| at(c.peak_force, "N", c.time_of_peak));
    if strike.elastic.is_some() {
        row("  by the elastic peak", &|c| c.peak_by_elastic_peak.map_or_else(String::new, six));
    }
    row("greatest indentation", &|c| at(c.max_indentation, "m", c.time_of_max_indentation));
    row("duration", &|c| duration(c));
    row("separation speed", &|c| with_unit(c.separation_speed, "m/s"));
    row("restitution delivered", &|c| six(c.restitution));
    if let Some(e) = strike.settings.restitution {
        row("  asked for", &|_| six(e));
    }
    row("energy lost", &|c| {
        format!("{} ({})", with_unit(c.energy_lost, "J"), percent(c.share_lost))
    });
    row("impulse", &|c| with_unit(c.impulse, "N s"));
    row("indentation at parting", &|c| prefixed(c.parting_indentation, "m"));
    let mut out =
        format!("{}: {}\n  {}\n\n{}", strike.law, strike.formula, given(strike), grid.text(4));
    if let Some(elastic) = strike.elastic {
        let _ = write!(
            out,
            "\n  without loss: peak force {}, indentation {}\n",
            prefixed(elastic.peak_force, "N"),
            prefixed(elastic.max_indentation, "m")
        );
    }
    if let Some(OtherParting::Refused { error }) = &strike.other_parting {
        let _ = write!(out, "\n  the other rule of parting has no answer: {error}\n");
    }
    page(&out)
}

/// What was given, in one line.
pub(crate) fn given(strike: &LawImpact) -> String {
    let mut parts = vec![
        format!("m_eff = {}", with_unit(strike.effective_mass, "kg")),
        format!("δ̇⁻ = {}", with_unit(strike.approach_speed, "m/s")),
    ];
    let s = &strike.settings;
    let stiffness = s.stiffness.map(|stiffness| {
        let n = s.exponent.filter(|n| *n != 1.0);
        let unit = n.map_or_else(|| "N/m".to_owned(), |n| format!("N/m^{}", six(n)));
        with_unit(stiffness, &unit) + &origin(strike)
    });
    let with = |x: Option<f64>, unit: &str| x.map(|x| with_unit(x, unit));
    let settings = [
        ("K", stiffness),
        ("n", s.exponent.map(six)),
        ("e", s.restitution.map(six)),
        ("c", with(s.damping, "N s/m")),
        ("c_max", with(s.max_damping, "N s/m")),
        ("d_max", with(s.damping_depth, "m")),
        ("F", s.force.clone()),
    ];
    for (symbol, text) in settings {
        parts.extend(text.map(|text| format!("{symbol} = {text}")));
    }
    parts.push(format!("parting {}", rule(&strike.outcome.parting)));
    parts.join(", ")
}

/// ` (steel 0.05 m on steel, plane)`, if K comes from materials.
fn origin(strike: &LawImpact) -> String {
    let Some(pair) = &strike.stiffness_from else { return String::new() };
    let side = |k: usize| {
        let (name, radius) = (&pair.materials[k], pair.radii[k]);
        if radius.is_infinite() {
            format!("{name}, plane")
        } else if radius < 0.0 {
            format!("{name}, hollow {}", prefixed(-radius, "m"))
        } else {
            format!("{name}, ball {}", prefixed(radius, "m"))
        }
    };
    format!(" ({} on {})", side(0), side(1))
}

fn at(x: f64, unit: &str, time: f64) -> String {
    format!("{} after {}", prefixed(x, unit), prefixed(time, "s"))
}

fn duration(outcome: &LawOutcome) -> String {
    if outcome.duration.is_finite() {
        prefixed(outcome.duration, "s")
    } else {
        "the pair never parts".to_owned()
    }
}
