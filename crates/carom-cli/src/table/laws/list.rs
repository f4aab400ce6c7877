//! The catalogue as a table.

use carom::contact::catalogue::Delivered;
use carom::contact::law::{Bounds, Parting};

use super::{four, other, range, rule};
use crate::commands::laws::summary::{ASKED, Summary, instead_of_restitution};
use crate::number::six;
use crate::table::Grid;

/// Below the table.
const NOTES: &str = "
  form      linear damping: F = K δⁿ + c δ̇;  hysteresis: F = K δⁿ (1 + b δ̇/δ̇⁻);  elastic: F = K δⁿ
  e, n      the restitutions a law may be asked for, and its exponents where they are restricted
  0.1 …     the restitution it delivers when that one is asked for, whatever mass, stiffness and speed;
            at n = 1.5, or at the law's own exponent
  peak      its peak force at e = 0.5 by that of the impact without loss, (K ((n+1)/2 m_eff δ̇⁻²)ⁿ)^(1/(n+1))
  parting   A law with hysteresis has its force and its indentation back at zero together. One with linear
            damping has not: its first line holds for its own rule of parting, the one its formula was
            derived for, the line below for the other rule (--parting). 0.0000 there: the dent closes ever
            more slowly, and the pair never parts.
  source    seed 000: Nikravesh, Poursina, effective mass; 001: Moreira, Flores, Claro, Lankarani, dissipative
            contact models; 002: Gonzalez, Koevecses, Font-Llagunes, load assessment

  carom laws NAME                                        formula, parameters, when to choose it
  carom laws NAME --mass … --speed … --stiffness … …     the impact of two bodies under it
  carom laws --figure laws.svg                           all of them in one figure
";

/// The whole text.
pub(crate) fn text(laws: &[Summary]) -> String {
    let asked = ASKED.map(six);
    let mut heading = vec!["law", "form", "e", "n"];
    heading.extend(asked.iter().map(String::as_str));
    heading.extend(["peak", "source"]);
    let mut grid = Grid::new(&heading);
    for law in laws {
        grid.row(first(law));
        if law.rules_differ() {
            grid.row(second(law));
        }
    }
    format!("Contact laws: the restitution that each delivers\n\n{}{NOTES}", grid.text(2))
}

fn first(law: &Summary) -> Vec<String> {
    let entry = law.entry;
    let exponent = entry.exponent.filter(|(bounds, _)| *bounds != Bounds::ANY_EXPONENT);
    let mut cells = vec![
        entry.name.to_owned(),
        entry.form.name().to_owned(),
        entry
            .restitution
            .map_or_else(|| instead_of_restitution(entry).to_owned(), |bounds| range(&bounds, "e")),
        exponent.map_or_else(String::new, |(bounds, _)| range(&bounds, "n")),
    ];
    cells.extend(numbers(law, |d| d.restitution));
    cells.push(law.at(0.5).map_or_else(String::new, |d| format!("{:.3}", d.peak_force)));
    cells.push(entry.source.to_owned());
    cells
}

/// The same by the other rule of parting.
fn second(law: &Summary) -> Vec<String> {
    let parting = other(law.entry.parting);
    let mut cells = vec![String::new(), rule(parting).to_owned(), String::new(), String::new()];
    cells.extend(numbers(law, |d| match parting {
        Parting::ZeroForce => d.at_zero_force,
        Parting::ZeroIndentation => d.at_zero_indentation,
    }));
    cells
}

fn numbers(law: &Summary, value: impl Fn(&Delivered) -> f64) -> Vec<String> {
    ASKED.map(|e| law.at(e).map_or_else(String::new, |d| four(value(d)))).to_vec()
}
