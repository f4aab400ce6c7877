//! Impact laws, one file each, all in contact space: W, u⁻, e and μ in, impulses and u⁺ out.
//!
//! A law is asked for by its name ([`find`]) and solves an [`ImpactProblem`] in an [`ImpactMemory`] that is reused. What
//! happened beside the numbers stands in [`ImpactNotes`].

mod alone;
mod at_end;
mod energetic;
mod error;
mod generalised;
mod memory;
mod newton;
mod plastic;
mod poisson;
mod problem;
mod process;
mod sequential;
mod slip;
mod solution;

use std::fmt::Debug;

use crate::maths::cone::RankRevealing;
use crate::maths::nearest::nearest;

pub use crate::maths::cone::Uniqueness;
pub use at_end::{AtEnd, EndLaw};
pub use energetic::Energetic;
pub use error::ImpactError;
pub use generalised::{Generalised, Removal};
pub use memory::ImpactMemory;
pub use newton::Newton;
pub use plastic::Plastic;
pub use poisson::Poisson;
pub use problem::{ImpactContact, ImpactFriction, ImpactProblem};
pub use sequential::{Sequential, SingleLaw};
pub use solution::{ContactMode, FrictionForm, ImpactNotes, ImpactSolution};

/// A law of impact at one or many contacts.
pub trait ImpactLaw: Debug + Send + Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// Whether it uses the contacts' e.
    fn takes_restitution(&self) -> bool {
        true
    }

    /// Whether it is defined with friction.
    fn takes_friction(&self) -> bool {
        true
    }

    /// Name of the law that acts on each contact.
    fn acts_by(&self) -> &'static str {
        self.name()
    }

    /// The impulses, into memory that has taken the problem up. A law refuses what it is not defined for.
    fn act(
        &self,
        impact: &ImpactProblem<'_>,
        memory: &mut ImpactMemory,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError>;

    /// Impulses and velocities after an impact.
    fn solve(
        &self,
        impact: &ImpactProblem<'_>,
        memory: &mut ImpactMemory,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        memory.begin(impact, out);
        out.notes.acted = self.acts_by();
        self.act(impact, memory, out)?;
        memory.finish(impact, out);
        Ok(())
    }
}

impl<L: ImpactLaw + ?Sized> ImpactLaw for &L {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn takes_restitution(&self) -> bool {
        (**self).takes_restitution()
    }

    fn takes_friction(&self) -> bool {
        (**self).takes_friction()
    }

    fn acts_by(&self) -> &'static str {
        (**self).acts_by()
    }

    fn act(
        &self,
        impact: &ImpactProblem<'_>,
        memory: &mut ImpactMemory,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        (**self).act(impact, memory, out)
    }
}

/// A law as it is listed.
#[derive(Clone, Copy, Debug)]
pub struct ImpactEntry {
    /// Its name.
    pub name: &'static str,
    /// The condition it solves or the process it follows.
    pub formula: &'static str,
    /// What it is defined for.
    pub range: &'static str,
    /// The law.
    pub law: &'static dyn ImpactLaw,
}

/// The laws.
pub const IMPACT_LAWS: [ImpactEntry; 13] = [
    ImpactEntry {
        name: "newton",
        formula: "0 ≤ u_n⁺ + e min(u_n⁻, 0) ⟂ p_n ≥ 0",
        range: "any contacts; friction by the process of one contact, by cones at the end for several",
        law: &Newton,
    },
    ImpactEntry {
        name: "poisson",
        formula: "p_n = (1 + e) p_c after a plastic compression",
        range: "any contacts; friction by the process of one contact, by cones at the end of each phase for several",
        law: &Poisson,
    },
    ImpactEntry {
        name: "energetic",
        formula: "expansion gives back e² of the work of compression",
        range: "one closing contact, with friction by its process",
        law: &Energetic,
    },
    ImpactEntry {
        name: "generalised",
        formula: "v⁺ = P_a v⁻ − e* P_c v⁻, rows in force by complementarity",
        range: "any contacts with one e*, no friction",
        law: &Generalised { removal: Removal::Complementarity },
    },
    ImpactEntry {
        name: "generalised-one-pass",
        formula: "the same, rows with (W⁺ u⁻)_i ≥ 0 removed once",
        range: "the same; refuses impulses that pull",
        law: &Generalised { removal: Removal::OnePass },
    },
    ImpactEntry {
        name: "generalised-repeated",
        formula: "the same, rows removed until none is left to remove",
        range: "any contacts with one e*, no friction",
        law: &Generalised { removal: Removal::Repeated },
    },
    ImpactEntry {
        name: "sequential",
        formula: "u_n⁺ = −e u_n⁻ at the fastest contact, one after the other",
        range: "any contacts whose impacts end, with friction by their processes",
        law: &Sequential { inner: SingleLaw::Newton },
    },
    ImpactEntry {
        name: "sequential-poisson",
        formula: "p_n = (1 + e) p_c at the fastest contact, one after the other",
        range: "any contacts whose impacts end, with friction by their processes",
        law: &Sequential { inner: SingleLaw::Poisson },
    },
    ImpactEntry {
        name: "sequential-energetic",
        formula: "e² of the work at the fastest contact, one after the other",
        range: "any contacts whose impacts end, with friction by their processes",
        law: &Sequential { inner: SingleLaw::Energetic },
    },
    ImpactEntry {
        name: "plastic",
        formula: "0 ≤ u_n⁺ ⟂ p_n ≥ 0",
        range: "any contacts; friction as newton",
        law: &Plastic,
    },
    ImpactEntry {
        name: "newton-at-end",
        formula: "newton, p_tᵀ u_t⁺ least in the disc μ p_n",
        range: "any contacts; friction by cones at the end, one contact too",
        law: &AtEnd { inner: EndLaw::Newton },
    },
    ImpactEntry {
        name: "poisson-at-end",
        formula: "poisson, p_tᵀ u_t least in the disc μ p_n of each phase",
        range: "any contacts; friction by cones at the end of each phase, one contact too",
        law: &AtEnd { inner: EndLaw::Poisson },
    },
    ImpactEntry {
        name: "plastic-at-end",
        formula: "plastic, p_tᵀ u_t⁺ least in the disc μ p_n",
        range: "any contacts; friction by cones at the end, one contact too",
        law: &AtEnd { inner: EndLaw::Plastic },
    },
];

/// The law of that name.
pub fn find(name: &str) -> Result<&'static ImpactEntry, ImpactError> {
    IMPACT_LAWS.iter().find(|entry| entry.name == name).ok_or_else(|| {
        let names = IMPACT_LAWS.iter().map(|entry| entry.name);
        let hint = if let Some(near) = nearest(name, names.clone()) {
            format!("; did you mean `{near}`?")
        } else {
            format!("; there are {}", names.collect::<Vec<_>>().join(", "))
        };
        ImpactError::UnknownLaw { name: name.chars().take(60).collect(), hint }
    })
}

/// T_c = ½ u_aᵀ W_a⁺ u_a over some rows a of a W stored by rows.
pub(super) fn constrained_energy(W: &[f64], rows: &[usize], u: &[f64]) -> f64 {
    let n = u.len();
    let W_a: Vec<f64> =
        rows.iter().flat_map(|&i| rows.iter().map(move |&j| W[i * n + j])).collect();
    let u_a: Vec<f64> = rows.iter().map(|&i| u[i]).collect();
    if rows.is_empty() {
        return 0.0;
    }
    let mut r = vec![0.0; rows.len()];
    memory::pseudo_solve(&mut RankRevealing::default(), &W_a, &u_a, &mut r);
    0.5 * r.iter().zip(&u_a).map(|(r, u)| r * u).sum::<f64>()
}
