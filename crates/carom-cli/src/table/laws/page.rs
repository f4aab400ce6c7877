//! One law on a page.

use std::fmt::Write as _;

use carom::contact::law::{Entry, Form, Parameter, Parting};

use super::{four, other, range, rule};
use crate::commands::laws::summary::{Page, Summary, instead_of_restitution};
use crate::number::{six, three};
use crate::table::Grid;

/// The whole text.
pub(crate) fn text(page: &Page) -> String {
    let entry = page.summary.entry;
    let mut out = format!("{} ({})\n\n  {}\n\n", entry.name, entry.form.name(), entry.formula);
    let mut facts = Grid::default();
    let mut fact = |what: &str, text: String| facts.row(vec![what.to_owned(), text]);
    fact("source", entry.source.to_owned());
    fact("choose it for", entry.choose.to_owned());
    fact("signs", "δ > 0 indentation, δ̇ > 0 in compression, F > 0 pushes apart".to_owned());
    fact("at onset", "δ̇⁻ the approach speed, m_eff the effective mass".to_owned());
    let restitution = entry.restitution.map(|bounds| range(&bounds, "e"));
    fact("restitution", restitution.unwrap_or_else(|| instead_of_restitution(entry).to_owned()));
    if let Some((bounds, own)) = entry.exponent {
        let range = range(&bounds, "n");
        let only = bounds.low == bounds.high;
        let text =
            if only { format!("{range} only") } else { format!("{range}; {own} if not given") };
        fact("exponent", text);
    }
    fact("parting", parting(entry).to_owned());
    out += &facts.text(2);
    out += "\n  parameters\n";
    out += &parameters(entry).text(4);
    out.push('\n');
    out += &delivered(page);
    out += &sensitivity(page);
    out
}

fn parting(entry: &Entry) -> &'static str {
    match (entry.form, entry.parting) {
        (Form::Elastic | Form::Hysteresis(_), _) => {
            "force and indentation are back at zero together: both rules of parting agree"
        }
        (_, Parting::ZeroForce) => {
            "zero-force: as soon as the force is back at zero, before the dent is gone"
        }
        (_, Parting::ZeroIndentation) => {
            "zero-indentation: when the indentation is back at zero; the force pulls before"
        }
    }
}

fn parameters(entry: &Entry) -> Grid {
    let mut grid = Grid::new(&["option", "symbol", "unit", ""]);
    for &parameter in entry.parameters {
        let needed = if parameter == Parameter::Exponent { " (optional)" } else { "" };
        grid.row(vec![
            format!("--{}", parameter.name().replace('_', "-")),
            parameter.symbol().to_owned(),
            parameter.unit().to_owned(),
            format!("{}{needed}", parameter.doc()),
        ]);
    }
    grid
}

/// What is asked for and what comes of it.
fn delivered(page: &Page) -> String {
    let Summary { entry, answers, .. } = &page.summary;
    if answers.is_empty() {
        return match entry.form {
            Form::Elastic => {
                "  Nothing is lost: the restitution is 1, and peak force, indentation and \
                 duration are\n  those that other laws are compared with.\n"
                    .to_owned()
            }
            _ => format!(
                "  The restitution follows from the parameters, the mass and the speed: strike with\n  \
                 carom laws {} --mass … --speed …\n",
                entry.name
            ),
        };
    }
    let differ = page.summary.rules_differ();
    let second = other(entry.parting);
    let column = if differ { rule(second) } else { "" };
    let mut grid = Grid::new(&["e asked", "delivered", column, "peak", "indentation", "duration"]);
    for answer in answers {
        let d = &answer.delivered;
        let by_second = match second {
            Parting::ZeroForce => d.at_zero_force,
            Parting::ZeroIndentation => d.at_zero_indentation,
        };
        grid.row(vec![
            six(answer.asked),
            four(d.restitution),
            if differ { four(by_second) } else { String::new() },
            four(d.peak_force),
            four(d.max_indentation),
            four(d.duration),
        ]);
    }
    let exponent = page.exponent.map_or_else(String::new, |n| format!(" at n = {}", six(n)));
    let own = if differ { format!(", parting {}", rule(entry.parting)) } else { String::new() };
    format!(
        "  what it delivers{exponent}{own}, whatever mass, stiffness and speed;\n  peak, indentation and \
         duration by those of the impact without loss\n{}",
        grid.text(4)
    )
}

/// What an uncertain stiffness does to the peak.
fn sensitivity(page: &Page) -> String {
    let (Some(power), Some(n)) = (page.peak_power(), page.exponent) else { return String::new() };
    let what = match page.summary.entry.form {
        Form::Elastic | Form::Hysteresis(_) | Form::LinearDamping(_) => "The peak force",
        Form::Viscous | Form::Own(_) => "The elastic part of the peak force",
    };
    let power_text = three(power);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "\n  {what} grows with K^(1/(n+1)), at n = {} with K^{power_text}: a stiffness wrong by a factor 2 moves \
         it\n  by 2^{power_text} = {:.2}, one wrong by a factor 10 by {:.2}.",
        six(n),
        2_f64.powf(power),
        10_f64.powf(power)
    );
    out
}
