//! Effective mass: how heavy a contact feels.
//!
//! m_eff = 1 / (A Y Aᵀ), with Y the mobility under closures, drives and locked joints
//! (eq. (3.2) of the book's theory; Nikravesh-Poursina eqs. 31, 39; Gonzalez et al. eq. 12).

use crate::contact::{IMMOBILE, POSE, natural_speed};
use crate::dynamics::{Posture, RowWrench};

/// The effective mass of one row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EffectiveMass {
    /// m_eff \[kg\]; ∞ for an immobile contact.
    pub mass: f64,
    /// W = A Y Aᵀ \[1/kg\]; zero for an immobile contact.
    pub mobility: f64,
    /// u = A v \[m/s\]; negative when closing.
    pub rate: f64,
    /// T_c = ½ m_eff u² \[J\]. Of an immobile contact: ∞ where a drive closes it (u < 0), because nothing can give way; otherwise zero.
    pub energy: f64,
}

impl EffectiveMass {
    /// From W, the mobility of the same row on free bodies, u, and T, which is asked for at immobile rows only.
    pub fn from_mobility(W: f64, free: f64, u: f64, T: impl FnOnce() -> f64) -> Self {
        if W <= IMMOBILE * free {
            // Without a drive |u| ≤ √(2 T W), which is below this bound: a dead centre.
            let driven = u < -POSE * natural_speed(free, T());
            let energy = if driven { f64::INFINITY } else { 0.0 };
            return Self { mass: f64::INFINITY, mobility: 0.0, rate: u, energy };
        }
        let mass = 1.0 / W;
        Self { mass, mobility: W, rate: u, energy: 0.5 * mass * u * u }
    }

    /// Whether a drive closes the row and nothing can give way.
    pub fn is_unbounded(&self) -> bool {
        self.energy.is_infinite()
    }

    /// Whether nothing moves along the row.
    pub fn is_immobile(&self) -> bool {
        self.mass.is_infinite()
    }
}

/// The effective mass of a row in a singular pose and beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassBeside {
    /// In the pose itself, where the closures have the lower rank.
    pub here: EffectiveMass,
    /// Beside it on the branch that the state's velocity leads along; `None` at rest.
    pub along_motion: Option<EffectiveMass>,
    /// Beside it, the lightest and the heaviest over all branches found; `None` if no motion leads out of the pose.
    pub branches: Option<[EffectiveMass; 2]>,
    /// Whether round-off of the pose leaves open which of them holds.
    pub undecided: bool,
}

impl Posture<'_> {
    /// The effective masses of a row in this pose and beside it, if closures lose rank in this pose only; `None` in
    /// every other pose, where [`Posture::settled_mass`] is all there is to tell.
    pub fn mass_beside(&self, row: &RowWrench) -> Option<MassBeside> {
        let singularity = self.singularity()?;
        let natural = row.free_mobility(self.model(), self.frames());
        let rate = self.rate(row);
        let mass = |mobility: f64| {
            EffectiveMass::from_mobility(mobility, natural, rate, || self.kinetic_energy())
        };
        let beside = singularity.mobility(self, row);
        Some(MassBeside {
            here: mass(beside.here),
            along_motion: beside.along_motion.map(mass),
            branches: beside.branches.map(|[least, greatest]| [mass(greatest), mass(least)]),
            undecided: singularity.is_undecided(),
        })
    }

    /// m_eff, u and T_c of one row: one O(n) sweep over the factors, no allocation.
    pub fn effective_mass(&self, row: &RowWrench) -> EffectiveMass {
        let natural = row.free_mobility(self.model(), self.frames());
        EffectiveMass::from_mobility(self.mobility(row), natural, self.rate(row), || {
            self.kinetic_energy()
        })
    }

    /// The same with all digits near singular poses of closed loops; see
    /// [`Posture::settled_mobility`].
    pub fn settled_mass(&self, row: &RowWrench) -> EffectiveMass {
        let natural = row.free_mobility(self.model(), self.frames());
        EffectiveMass::from_mobility(self.settled_mobility(row), natural, self.rate(row), || {
            self.kinetic_energy()
        })
    }
}
