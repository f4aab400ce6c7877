//! The catalogue as a table.

use carom::answer::laws::{ASKED, Delivery, Law};

use super::{four, other, range};
use crate::number::six;
use crate::settings;
use crate::table::Grid;

/// Below the table.
const NOTES: &str = "
  form      linear damping: F = K δⁿ + c δ̇;  hysteresis: F = K δⁿ (1 + b δ̇/δ̇⁻);  elastic: F = K δⁿ
{range}  0.1 …     the restitution it delivers when that one is asked for, whatever mass, stiffness and
            speed; at n = 1.5, or at the law's own exponent
  peak      its peak force at e = 0.5 divided by that of the impact without loss,
            (K ((n+1)/2 m_eff δ̇⁻²)ⁿ)^(1/(n+1))
  parting   A law with hysteresis has its force and its indentation back at zero together. One
            with linear damping has not: its first line holds for its own rule of parting, the
            one its formula was derived for, the line below for the other rule (--parting).
            0.0000 there: the dent closes ever more slowly, and the pair never parts.
{source}
  carom laws NAME                                        formula, parameters, when to choose it
  carom laws NAME --mass … --speed … --stiffness … …     the impact of two bodies under it
  carom laws --figure laws.svg                           all of them in one figure
";

/// The same of columns that stand there with `--wide` alone.
const RANGE: &str = "  e, n      the restitutions a law may be asked for, and its exponents where they are restricted\n";
/// Instead of them.
const ALSO: &str =
    "  --wide shows the restitutions and exponents that each law takes, and its source.\n";
const SOURCE: &str = "  source    the paper of the formula. Nikravesh-Poursina is on effective mass, Moreira et al. on
            dissipative contact models, Gonzalez et al. on load assessment
";

/// The whole text. The ranges and the sources of the laws stand there with `--wide`, and on the page of each law.
pub(crate) fn text(laws: &[Law]) -> String {
    let asked = ASKED.map(six);
    let mut heading = vec!["law", "form", "e", "n"];
    heading.extend(asked.iter().map(String::as_str));
    heading.extend(["peak", "source"]);
    let wide = settings::is_wide();
    let shown = |title: &str| wide || !["e", "n", "source"].contains(&title);
    let kept = |cells: Vec<String>| {
        let both = cells.into_iter().zip(&heading);
        both.filter(|(_, title)| shown(title)).map(|(cell, _)| cell).collect::<Vec<_>>()
    };
    let mut grid = Grid::default();
    grid.row(kept(heading.iter().map(|title| (*title).to_owned()).collect()));
    for law in laws {
        grid.row(kept(first(law)));
        if law.parting_rules_differ {
            grid.row(kept(second(law)));
        }
    }
    let [range, source] = if wide { [RANGE, SOURCE] } else { ["", ALSO] };
    let notes = NOTES.replace("{range}", range).replace("{source}", source);
    format!("Contact laws: the restitution that each delivers\n\n{}{notes}", grid.text(2))
}

fn first(law: &Law) -> Vec<String> {
    let exponent = law.exponent.filter(|exponent| exponent.restricted);
    let restitution = law.restitution.map(|bounds| range(&bounds, "e"));
    let mut cells = vec![
        law.name.clone(),
        law.form.clone(),
        restitution.or_else(|| law.restitution_instead.clone()).unwrap_or_default(),
        exponent.map_or_else(String::new, |exponent| range(&exponent.range, "n")),
    ];
    cells.extend(numbers(law, |d| d.restitution));
    cells.push(law.at(0.5).map_or_else(String::new, |d| format!("{:.3}", d.peak_by_elastic)));
    cells.push(law.source.clone());
    cells
}

/// The same by the other rule of parting.
fn second(law: &Law) -> Vec<String> {
    let (rule, restitution) = other(law);
    let mut cells = vec![String::new(), rule.to_owned(), String::new(), String::new()];
    cells.extend(numbers(law, restitution));
    cells
}

fn numbers(law: &Law, value: impl Fn(&Delivery) -> f64) -> Vec<String> {
    ASKED.map(|e| law.at(e).map_or_else(String::new, |d| four(value(d)))).to_vec()
}
