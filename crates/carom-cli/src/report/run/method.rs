//! How a run was computed, and what it assumes.

use carom::Model;
use carom::answer::RunResult;
use carom::report::Block;

use super::super::PAPERS;
use crate::number::count;
use crate::table::run::{asked, effort};

pub(super) fn method(model: &Model, runs: &[RunResult]) -> Vec<Block> {
    let Some(run) = runs.first() else { return Vec::new() };
    let mut how = vec![
        "Between events M v̇ + h = Dᵀλ + AᵀF is integrated by DOP853 (order 8), contacts that last by Radau IIA (order 5), \
         with the relative error of a step below the tolerance. Onsets, greatest indentations and partings are landed on with a \
         step; peak forces are searched between the steps."
            .to_owned(),
        "m_eff = 1 / (A Y Aᵀ) at the onset, with all joints and closures (Nikravesh-Poursina eqs. 28 and 31); T_c = ½ m_eff u² is the part of \
         the kinetic energy that the impact can use (Gonzalez et al. eqs. 16 and 17)."
            .to_owned(),
        "e is the speed of separation divided by the speed of approach (Nikravesh-Poursina eq. 8); e* = √(T_c⁺/T_c⁻) (Modarres Najafabadi et al.).".to_owned(),
    ];
    how.extend(laws_told(runs));
    let mut assumed = vec![
        "Bodies are rigid and joints ideal; compliance in a drive or a link would lower the force."
            .to_owned(),
    ];
    if let Some(law) = &run.impact_law {
        assumed.push(format!("An impact takes no time: velocities jump by the law `{law}`. There is an impulse and no force."));
    } else {
        assumed.push(
            "A contact law forgets an impact when the gap has opened: no permanent indentation."
                .to_owned(),
        );
    }
    let facts = vec![
        ("asked".to_owned(), asked(run)),
        ("effort".to_owned(), effort(run)),
        ("bodies".to_owned(), count(model.bodies.len(), "body", "bodies")),
    ];
    vec![
        Block::List(how),
        Block::Text("Assumed:".to_owned()),
        Block::List(assumed),
        Block::Facts(facts),
        Block::Text(PAPERS.to_owned()),
    ]
}

/// The formulas of the laws used.
fn laws_told(runs: &[RunResult]) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    for text in runs.iter().flat_map(RunResult::formulas) {
        if !told.contains(&text) {
            told.push(text);
        }
    }
    told
}
