//! The drives that keep an immobile contact closing.

use crate::dynamics::{Excitation, Posture, RowWrench, Transmitted};
use crate::maths::Wrench;

/// Drives that do less than this fraction of the work of the strongest drive are not named.
const TAKES_PART: f64 = 1e-9;

/// The names of the moving drives that do work against impulses along rows.
///
/// A drive with velocity ν and reaction impulse σ does the work νσ; for impulses p along immobile rows pᵀ u = −Σ νσ.
pub(crate) fn drives_behind<'r>(
    at: &Posture<'_>,
    impulses: impl Iterator<Item = (&'r RowWrench, f64)>,
) -> Vec<String> {
    let model = at.model();
    let mut loads = vec![Wrench::zero(); model.bodies.len()];
    for (row, p) in impulses {
        row.add_to(&mut loads, p);
    }
    let change = at.solve(&Excitation { wrenches: &loads, ..Excitation::default() });
    let mut transmitted = Transmitted::new(model);
    at.transmit(&loads, &change, &mut transmitted);
    let along = at.along_columns(&transmitted.joints, &change);
    let work: Vec<f64> =
        model.drives.iter().map(|d| (along[d.v] * at.state().v[d.v]).abs()).collect();
    let most = work.iter().copied().fold(0.0, f64::max);
    let behind = model.drives.iter().zip(&work).filter(|(_, w)| **w > TAKES_PART * most);
    behind.map(|(drive, _)| drive.name.clone()).collect()
}

/// Why contacts cannot separate, and what to do about it.
pub(crate) fn cannot_separate(drives: &[String]) -> String {
    if drives.is_empty() {
        return "nothing can move along its normal, and no motion is possible from this pose. Change the pose, free a joint, or give \
                the other side a mass"
            .to_owned();
    }
    let names = drives.iter().map(|d| format!("`{d}`")).collect::<Vec<_>>().join(", ");
    let (drive, moves) = if drives.len() > 1 { ("drives", "move") } else { ("drive", "moves") };
    let article = if drives.len() > 1 { "these drives" } else { "the drive" };
    format!(
        "the {drive} {names} {moves} it and no other degree of freedom is left. Replace {article} by an `effort`, or give the other side a mass"
    )
}
