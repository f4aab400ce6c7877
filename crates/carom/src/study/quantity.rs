//! What can be measured at a point, by its word.

use crate::maths::nearest::nearest;
use crate::model::study::Action;

/// A quantity of a contact at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// The word of files and tables.
    pub name: &'static str,
    /// The letter of the papers.
    pub symbol: &'static str,
    /// Its SI unit; empty for a plain number.
    pub unit: &'static str,
    /// One line for people.
    pub doc: &'static str,
    /// Whether `assess` gives it.
    pub of_assess: bool,
    /// Whether `run` gives it.
    pub of_run: bool,
}

const fn both(
    name: &'static str,
    symbol: &'static str,
    unit: &'static str,
    doc: &'static str,
) -> Quantity {
    Quantity { name, symbol, unit, doc, of_assess: true, of_run: true }
}

const fn assess(
    name: &'static str,
    symbol: &'static str,
    unit: &'static str,
    doc: &'static str,
) -> Quantity {
    Quantity { of_run: false, ..both(name, symbol, unit, doc) }
}

const fn run(
    name: &'static str,
    symbol: &'static str,
    unit: &'static str,
    doc: &'static str,
) -> Quantity {
    Quantity { of_assess: false, ..both(name, symbol, unit, doc) }
}

/// How many there are.
pub const COUNT: usize = 29;

/// All of them. Those of `run` are of the first impact of the contact unless they say otherwise.
pub const QUANTITIES: [Quantity; COUNT] = [
    both("effective_mass", "m_eff", "kg", "how heavy the contact feels"),
    both("approach_speed", "-u", "m/s", "rate at which the gap closes"),
    both("kinetic_energy", "T", "J", "of the whole machine"),
    both("impact_energy", "T_c", "J", "what the impact can use"),
    both("admissible_energy", "T_a", "J", "T - T_c"),
    both("share", "ξ", "", "T_c / T"),
    both("peak_force", "F_max", "N", "greatest force; of assess: by the law, in the frozen pose"),
    both("max_indentation", "δ_max", "m", "greatest indentation"),
    both("duration", "t_c", "s", "from onset to parting"),
    both("restitution", "e", "", "delivered: separation by approach speed"),
    both("separation_speed", "u⁺", "m/s", "rate at which the gap opens"),
    both("energy_lost", "ΔE", "J", "what the contact took and did not give back"),
    both("impulse", "p", "N s", "of assess: by the law; of run: of a piecewise impact"),
    both("time_of_peak", "t_F", "s", "of assess: after the onset"),
    both("time_of_max_indentation", "t_δ", "s", "of assess: after the onset"),
    assess("gap", "g", "m", "smallest distance"),
    assess("apparent_mass_i", "m_app,i", "kg", "of the first side"),
    assess("apparent_mass_j", "m_app,j", "kg", "of the second side"),
    assess("elastic_peak", "F_el", "N", "greatest force of the impact without loss"),
    run("onset", "t_0", "s", "when the first impact begins"),
    run("energetic_restitution", "e*", "", "√(T_c⁺ / T_c⁻)"),
    run("parting_mass", "m_eff⁺", "kg", "m_eff at the parting"),
    run("compression_work", "W_c", "J", "up to the greatest indentation"),
    run("free_acceleration", "u̇", "m/s^2", "of the gap just before the onset"),
    run("impacts", "N", "", "how many, of this contact"),
    run("largest_force", "F_all", "N", "greatest force of all impacts of this contact"),
    run("total_energy_lost", "ΔE_all", "J", "of all impacts of this contact"),
    run("final_kinetic_energy", "T_end", "J", "of the whole machine at the end"),
    run("drift", "ΔB", "J", "largest departure of the energy ledger"),
];

/// The position of a quantity, for names that are known when carom is compiled: the position of any other name lies behind the last
/// one, and does not compile as an index.
pub const fn place(name: &str) -> usize {
    let mut k = 0;
    while k < COUNT {
        let (a, b) = (QUANTITIES[k].name.as_bytes(), name.as_bytes());
        let mut same = a.len() == b.len();
        let mut i = 0;
        while same && i < a.len() {
            same = a[i] == b[i];
            i += 1;
        }
        if same {
            return k;
        }
        k += 1;
    }
    COUNT
}

/// Those that `impact` gives: of the study's contact, but the energies, e* and the number of contacts struck are of all.
const OF_IMPACT: [&str; 12] = [
    "effective_mass",
    "approach_speed",
    "kinetic_energy",
    "impact_energy",
    "admissible_energy",
    "share",
    "restitution",
    "separation_speed",
    "energy_lost",
    "impulse",
    "energetic_restitution",
    "final_kinetic_energy",
];

/// Those of a run that speak of more than the first impact of the study's contact.
const OF_WHOLE_RUN: [&str; 5] =
    ["impacts", "largest_force", "total_energy_lost", "final_kinetic_energy", "drift"];

/// What an impact would bring: zero of a contact that never touches.
const ZERO_UNTOUCHED: [&str; 8] = [
    "impact_energy",
    "peak_force",
    "max_indentation",
    "energy_lost",
    "impulse",
    "compression_work",
    "largest_force",
    "elastic_peak",
];

impl Quantity {
    /// Whether it is zero where the contact never touches.
    pub fn is_zero_untouched(&self) -> bool {
        ZERO_UNTOUCHED.contains(&self.name)
    }

    /// Whether of a run it speaks of more than the first impact.
    pub fn is_of_whole_run(&self) -> bool {
        OF_WHOLE_RUN.contains(&self.name)
    }

    /// Whether an action gives it.
    pub fn is_of(&self, action: Action) -> bool {
        match action {
            Action::Assess => self.of_assess,
            Action::Run => self.of_run,
            Action::Impact => OF_IMPACT.contains(&self.name),
        }
    }
}

/// The position of a quantity that an action gives, or what may be meant.
pub fn find(name: &str, action: Action) -> Result<usize, String> {
    if let Some(at) = QUANTITIES.iter().position(|q| q.name == name && q.is_of(action)) {
        return Ok(at);
    }
    if QUANTITIES.iter().any(|q| q.name == name) {
        return Err(format!("; `{}` does not give it", action.name()));
    }
    let known = QUANTITIES.iter().filter(|q| q.is_of(action)).map(|q| q.name);
    Err(match nearest(name, known.clone()) {
        Some(near) => format!("; is `{near}` meant?"),
        None => format!("; known: {}", known.collect::<Vec<_>>().join(", ")),
    })
}

/// What is kept where the file does not say.
pub fn usual(action: Action) -> &'static [&'static str] {
    match action {
        Action::Assess => &["effective_mass", "kinetic_energy", "impact_energy", "share"],
        Action::Impact => &["impact_energy", "impulse", "energetic_restitution", "energy_lost"],
        Action::Run => &["kinetic_energy", "impact_energy", "peak_force", "restitution", "impacts"],
    }
}
