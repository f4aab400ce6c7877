//! Effective mass: how heavy a contact feels.
//!
//! m_eff = 1 / (A Y Aᵀ), with Y the mobility under closures, drives and locked joints
//! (seed 000 eqs. 31, 39; seed 002 eq. 12).

use crate::dynamics::{Posture, RowWrench};

/// A row that moves less than this part of what it would on free bodies is immobile.
pub const IMMOBILE: f64 = 1e-13;

/// The effective mass of one row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EffectiveMass {
    /// m_eff \[kg\]; ∞ for an immobile contact.
    pub mass: f64,
    /// W = A Y Aᵀ \[1/kg\]; zero for an immobile contact.
    pub mobility: f64,
    /// u = A v \[m/s\]; negative when closing.
    pub rate: f64,
    /// T_c = ½ m_eff u² \[J\]; zero for an immobile contact.
    pub energy: f64,
}

impl EffectiveMass {
    /// From a mobility, the natural size of mobilities, and the rate.
    pub fn from_mobility(mobility: f64, natural: f64, rate: f64) -> Self {
        if mobility <= IMMOBILE * natural {
            return Self { mass: f64::INFINITY, mobility: 0.0, rate, energy: 0.0 };
        }
        let mass = 1.0 / mobility;
        Self { mass, mobility, rate, energy: 0.5 * mass * rate * rate }
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
        let mass = |mobility: f64| EffectiveMass::from_mobility(mobility, natural, rate);
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
        EffectiveMass::from_mobility(self.mobility(row), natural, self.rate(row))
    }

    /// The same with all digits near singular poses of closed loops; see
    /// [`Posture::settled_mobility`].
    pub fn settled_mass(&self, row: &RowWrench) -> EffectiveMass {
        let natural = row.free_mobility(self.model(), self.frames());
        EffectiveMass::from_mobility(self.settled_mobility(row), natural, self.rate(row))
    }
}
