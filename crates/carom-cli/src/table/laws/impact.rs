//! An impact as a table.

use std::fmt::Write as _;

use carom::contact::impact1d::Outcome;
use carom::contact::law::Parameter;

use super::rule;
use crate::commands::laws::strike::{Ruled, Strike};
use crate::number::{percent, plain, prefixed, six, with_unit};
use crate::table::Grid;

/// The whole text.
pub(crate) fn text(strike: &Strike) -> String {
    let entry = strike.entry;
    let columns: Vec<&Ruled> = std::iter::once(&strike.own)
        .chain(strike.other.iter().filter_map(|x| x.as_ref().ok()))
        .collect();
    let mut grid = Grid::default();
    if columns.len() > 1 {
        let mut heading = vec!["parting".to_owned()];
        heading.extend(columns.iter().map(|c| rule(c.parting).to_owned()));
        grid.row(heading);
    }
    let mut row = |what: &str, cell: &dyn Fn(&Ruled) -> String| {
        let mut cells = vec![what.to_owned()];
        cells.extend(columns.iter().map(|c| cell(c)));
        grid.row(cells);
    };
    row("energy", &|c| with_unit(c.outcome.energy, "J"));
    row("peak force", &|c| at(c.outcome.peak_force, "N", c.outcome.time_of_peak));
    if strike.elastic.is_some() {
        row("  by the elastic peak", &|c| strike.peak_ratio(c).map_or_else(String::new, six));
    }
    row("greatest indentation", &|c| {
        at(c.outcome.max_indentation, "m", c.outcome.time_of_max_indentation)
    });
    row("duration", &|c| duration(&c.outcome));
    row("separation speed", &|c| with_unit(c.outcome.separation_speed, "m/s"));
    row("restitution delivered", &|c| six(c.outcome.restitution));
    if let Some(e) = strike.settings.restitution {
        row("  asked for", &|_| six(e));
    }
    row("energy lost", &|c| {
        let e = c.outcome.restitution;
        let share = (1.0 - e) * (1.0 + e);
        format!("{} ({})", with_unit(c.outcome.energy_lost, "J"), percent(share))
    });
    row("impulse", &|c| with_unit(c.outcome.impulse, "N s"));
    row("indentation at parting", &|c| prefixed(c.outcome.parting_indentation, "m"));
    let mut out =
        format!("{}: {}\n  {}\n\n{}", entry.name, entry.formula, given(strike), grid.text(4));
    if let Some(elastic) = strike.elastic {
        let _ = write!(
            out,
            "\n  without loss: peak force {}, indentation {}\n",
            prefixed(elastic.peak_force, "N"),
            prefixed(elastic.max_indentation, "m")
        );
    }
    if let Some(Err(error)) = &strike.other {
        let _ = write!(out, "\n  the other rule of parting has no answer: {error}\n");
    }
    plain(&out)
}

/// What was given, in one line.
pub(crate) fn given(strike: &Strike) -> String {
    let mut parts = vec![
        format!("m_eff = {}", with_unit(strike.mass, "kg")),
        format!("δ̇⁻ = {}", with_unit(strike.speed, "m/s")),
    ];
    for &parameter in strike.entry.parameters {
        let symbol = parameter.symbol();
        let text = match (parameter, strike.settings.number(parameter)) {
            (Parameter::Exponent, _) => strike.exponent.map(six),
            (Parameter::Force, _) => strike.force.clone(),
            (Parameter::Stiffness, Some(stiffness)) => {
                let n = strike.exponent.filter(|n| *n != 1.0);
                let unit = n.map_or_else(|| "N/m".to_owned(), |n| format!("N/m^{}", six(n)));
                Some(with_unit(stiffness, &unit) + &origin(strike))
            }
            (Parameter::Restitution, Some(e)) => Some(six(e)),
            (_, Some(x)) => Some(with_unit(x, parameter.unit())),
            (_, None) => None,
        };
        parts.extend(text.map(|text| format!("{symbol} = {text}")));
    }
    parts.push(format!("parting {}", rule(strike.own.parting)));
    parts.join(", ")
}

/// ` (steel 0.05 m on steel, plane)`, if K comes from materials.
fn origin(strike: &Strike) -> String {
    let Some(pair) = strike.pair else { return String::new() };
    let side = |k: usize| {
        let (name, radius) = (&pair.materials[k].name, pair.radii[k]);
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

fn duration(outcome: &Outcome) -> String {
    if outcome.duration.is_finite() {
        prefixed(outcome.duration, "s")
    } else {
        "the pair never parts".to_owned()
    }
}
