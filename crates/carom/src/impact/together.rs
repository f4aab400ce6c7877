//! Several contacts struck at once: one set of rows, one T_c.

use nalgebra::DMatrix;

use super::assessment::{AssessmentError, check_mobility, closing_rows, named_rows};
use super::effective::EffectiveMass;
use super::load::{Energies, ImpactRows};
use crate::dynamics::{Posture, RowWrench};

/// One row among those of all contacts.
#[derive(Clone, Debug, PartialEq)]
pub struct TogetherRow {
    /// The contact's name.
    pub contact: String,
    /// The row's name within it.
    pub label: String,
    /// m_eff, W, u and T_c of the row alone.
    pub effective: EffectiveMass,
    /// m_eff with the rows of all contacts held but this one; ∞ if they leave it immobile.
    pub others_held: f64,
}

/// The rows of several contacts, and the energy an impact at all of them can use.
#[derive(Clone, Debug, PartialEq)]
pub struct Together {
    /// The rows, contact by contact.
    pub rows: Vec<TogetherRow>,
    /// How many are independent.
    pub rank: usize,
    /// W = A Y Aᵀ over all of them.
    pub W: DMatrix<f64>,
    /// T, T_c, T_a, ξ over all of them, and T_c over the closing ones.
    pub energies: Energies,
}

impl Together {
    /// The rows of the given contacts at a posture.
    pub fn new(at: &Posture<'_>, contacts: &[usize]) -> Result<Self, AssessmentError> {
        let mut named = Vec::new();
        for &contact in contacts {
            let rows = named_rows(at, contact)?;
            let name = &at.model().contacts[contact].name;
            named.extend(rows.into_iter().map(|row| (name.clone(), row)));
        }
        let wrenches: Vec<RowWrench> = named.iter().map(|(_, row)| row.wrench).collect();
        check_mobility(at, &wrenches)?;
        let all = ImpactRows::new(at, &wrenches);
        let closing =
            closing_rows(named.iter().zip(all.u.iter()).map(|((_, row), u)| (row.is_normal, *u)));
        let rows = named
            .into_iter()
            .enumerate()
            .map(|(k, (contact, row))| TogetherRow {
                contact,
                label: row.label,
                effective: all.effective(k),
                others_held: all.others_held(k),
            })
            .collect();
        Ok(Self { rows, rank: all.rank(), energies: all.energies(at, &closing), W: all.W })
    }
}
