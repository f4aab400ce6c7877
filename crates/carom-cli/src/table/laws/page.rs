//! One law on a page.

use std::fmt::Write as _;

use carom::answer::laws::{Law, LawPage};

use super::{ZERO_INDENTATION, four, other, range, rule};
use crate::number::{six, three};
use crate::table::{self, Grid};

/// The whole text.
pub(crate) fn text(page: &LawPage) -> String {
    let law = &page.law;
    let mut out = format!("{} ({})\n\n  {}\n\n", law.name, law.form, law.formula);
    let mut facts = Grid::default();
    let mut fact = |what: &str, text: String| facts.row(vec![what.to_owned(), text]);
    fact("source", law.source.clone());
    fact("choose it for", law.choose.clone());
    fact("signs", "δ > 0 indentation, δ̇ > 0 in compression, F > 0 pushes apart".to_owned());
    fact("at onset", "δ̇⁻ the approach speed, m_eff the effective mass".to_owned());
    let restitution = law.restitution.map(|bounds| range(&bounds, "e"));
    fact(
        "restitution",
        restitution.or_else(|| law.restitution_instead.clone()).unwrap_or_default(),
    );
    if let Some(exponent) = law.exponent {
        let range = range(&exponent.range, "n");
        let only = exponent.range.low == exponent.range.high;
        let own = exponent.default;
        let text =
            if only { format!("{range} only") } else { format!("{range}; {own} if not given") };
        fact("exponent", text);
    }
    fact("parting", parting(law).to_owned());
    out += &facts.text(2);
    out += "\n  parameters\n";
    out += &parameters(law).text(4);
    out.push('\n');
    out += &delivered(page);
    out += &sensitivity(page);
    table::page(&out)
}

fn parting(law: &Law) -> &'static str {
    match (law.form.as_str(), law.parting.as_str()) {
        ("elastic" | "hysteresis", _) => {
            "force and indentation are back at zero together: both rules of parting agree"
        }
        (_, ZERO_INDENTATION) => {
            "zero-indentation: when the indentation is back at zero; the force pulls before"
        }
        _ => "zero-force: as soon as the force is back at zero, before the dent is gone",
    }
}

fn parameters(law: &Law) -> Grid {
    let mut grid = Grid::new(&["option", "symbol", "unit", ""]);
    for parameter in &law.parameters {
        let needed = if parameter.required { "" } else { " (optional)" };
        grid.row(vec![
            format!("--{}", parameter.name.replace('_', "-")),
            parameter.symbol.clone(),
            parameter.unit.clone(),
            format!("{}{needed}", parameter.doc),
        ]);
    }
    grid
}

/// What is asked for and what comes of it.
fn delivered(page: &LawPage) -> String {
    let law = &page.law;
    let Some(answers) = &law.delivered else {
        return match law.form.as_str() {
            "elastic" => {
                "  Nothing is lost: the restitution is 1, and peak force, indentation and \
                 duration are\n  those that other laws are compared with.\n"
                    .to_owned()
            }
            _ => format!(
                "  The restitution follows from the parameters, the mass and the speed: strike with\n  \
                 carom laws {} --mass … --speed …\n",
                law.name
            ),
        };
    };
    let differ = law.parting_rules_differ;
    let (second, by_second) = other(law);
    let column = if differ { second } else { "" };
    let mut grid = Grid::new(&["e asked", "delivered", column, "peak", "indentation", "duration"]);
    for d in answers {
        grid.row(vec![
            six(d.asked),
            four(d.restitution),
            if differ { four(by_second(d)) } else { String::new() },
            four(d.peak_by_elastic),
            four(d.indentation_by_elastic),
            four(d.duration_by_elastic),
        ]);
    }
    let exponent =
        page.exponent_in_force.map_or_else(String::new, |n| format!(" at n = {}", six(n)));
    let own = if differ { format!(", parting {}", rule(&law.parting)) } else { String::new() };
    format!(
        "  what it delivers{exponent}{own}, whatever mass, stiffness and speed;\n  peak, indentation and \
         duration by those of the impact without loss\n{}",
        grid.text(4)
    )
}

/// What an uncertain stiffness does to the peak.
fn sensitivity(page: &LawPage) -> String {
    let (Some(peak), Some(n)) = (page.peak_by_stiffness, page.exponent_in_force) else {
        return String::new();
    };
    let what = if peak.elastic_part_only {
        "The elastic part of the peak force"
    } else {
        "The peak force"
    };
    let power_text = three(peak.power);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "\n  {what} grows with K^(1/(n+1)), at n = {} with K^{power_text}: a stiffness wrong by a factor 2 moves \
         it\n  by 2^{power_text} = {:.2}, one wrong by a factor 10 by {:.2}.",
        six(n),
        peak.stiffness_by_2,
        peak.stiffness_by_10
    );
    out
}
