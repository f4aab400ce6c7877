//! Several contacts struck at once: one set of rows, one T_c.

use nalgebra::DMatrix;

use super::assessment::AssessmentError;
use super::effective::EffectiveMass;
use super::load::{Energies, ImpactRows, check_count};
use super::rows::{check_mobility, named_rows, taking_part, touching_rows};
use crate::contact::Approach;
use crate::dynamics::{Posture, RowWrench};

/// One row among those of all contacts.
#[derive(Clone, Debug, PartialEq)]
pub struct TogetherRow {
    /// The contact's name.
    pub contact: String,
    /// The row's name within it.
    pub label: String,
    /// How the row moves.
    pub approach: Approach,
    /// m_eff, W, u and T_c of the row alone.
    pub effective: EffectiveMass,
    /// m_eff of this row while the rows of all other contacts are constraints; ∞ if they make it immobile.
    pub others_held: f64,
}

/// The rows of several contacts that take part in one impact, and the energy it can use: those of touching points; where none touches, of
/// the nearest ones that close; where none closes, of the nearest.
#[derive(Clone, Debug, PartialEq)]
pub struct Together {
    /// The rows, contact by contact.
    pub rows: Vec<TogetherRow>,
    /// How many are independent.
    pub rank: usize,
    /// W = A Y Aᵀ over all of them.
    pub W: DMatrix<f64>,
    /// T, T_c, T_a, ξ over all of them, and T_c over those that an impact strikes.
    pub energies: Energies,
    /// Whether a point touches; if not, this is what would be if the nearest points touched here.
    pub touching: bool,
}

impl Together {
    /// The rows of the given contacts at a posture.
    pub fn new(at: &Posture<'_>, contacts: &[usize]) -> Result<Self, AssessmentError> {
        let mut named = Vec::new();
        for &contact in contacts {
            named.extend(named_rows(at, contact)?.into_iter().map(|row| (contact, row)));
            check_count(named.len())?;
        }
        let wrenches: Vec<RowWrench> = named.iter().map(|(_, row)| row.wrench).collect();
        check_mobility(at, &wrenches)?;
        let mut all = ImpactRows::new(at, &wrenches);
        let approaches = all.approaches(at, named.iter().map(|(contact, row)| (*contact, row)));
        let (part, touching) = taking_part(&named.iter().map(|(_, row)| row), &approaches);
        if part.len() < named.len() {
            let kept = |k: &usize| wrenches[*k];
            all = ImpactRows::new(at, &part.iter().map(kept).collect::<Vec<_>>());
        }
        let approaches: Vec<Approach> = part.iter().map(|k| approaches[*k]).collect();
        let mut place = 0;
        named.retain(|_| {
            place += 1;
            part.contains(&(place - 1))
        });
        let every: Vec<usize> = (0..named.len()).collect();
        let rows: Vec<TogetherRow> = named
            .iter()
            .enumerate()
            .map(|(k, (contact, row))| TogetherRow {
                contact: at.model().contacts[*contact].name.clone(),
                label: row.label.clone(),
                approach: approaches[k],
                effective: all.effective(k),
                others_held: all.others_held(k, &every),
            })
            .collect();
        let touching_rows = touching_rows(&every, |k| (named[k].1.is_normal, rows[k].approach));
        let energies = all.energies(at, &touching_rows);
        Ok(Self { rows, rank: all.rank(), energies, touching, W: all.W })
    }
}
