//! Box (rectangle in a planar model) against plane: of each diagonal the end that is nearer.
//!
//! gapₖ = N · (xₖ − at),  n = −N,  k over 4 diagonals in space, 2 in the plane
//!
//! A face holds one end of each diagonal, so flat on the plane all its corners touch, and the lowest corner is always among the
//! points. A corner keeps its number however the box tips: a point changes to the other end only where its diagonal is level,
//! with a gap that does not jump. The points go round the face of −z, and in the plane along that of −y.
//! Valid everywhere.

use super::skeleton::point_plane;
use super::{Block, HalfSpace, Patch};

/// One end of each diagonal, as signs along the axes; in the plane the first two.
const ENDS: [[f64; 3]; 4] =
    [[-1.0, -1.0, -1.0], [1.0, -1.0, -1.0], [1.0, 1.0, -1.0], [-1.0, 1.0, -1.0]];

/// The contact of a box (a) with a half-space (b).
pub(super) fn meet(block: &Block, plane: &HalfSpace) -> Patch {
    let axes = 0..block.dimensions;
    let slopes = block.axes.map(|axis| axis.value.dot(&plane.normal.value));
    let corner = |end: &[f64; 3]| {
        let rise: f64 = axes.clone().map(|i| end[i] * block.half[i] * slopes[i]).sum();
        let turned = if rise > 0.0 { -1.0 } else { 1.0 };
        let reach = |i: usize| block.axes[i] * (turned * end[i] * block.half[i]);
        let x = axes.clone().fold(block.center, |x, i| x + reach(i));
        point_plane(x, plane.at, plane.normal).grown(0.0, 0.0)
    };
    if block.dimensions == 2 {
        return Patch::of(&[corner(&ENDS[0]), corner(&ENDS[1])]);
    }
    Patch::of(&ENDS.map(|end| corner(&end)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::proof_tests::{Dice, still};
    use crate::maths::Vec3;

    #[test]
    fn the_least_gap_is_that_of_the_lowest_of_all_corners() {
        let mut dice = Dice::new(31);
        for dimensions in [2, 3] {
            for _ in 0..200 {
                let rotation = dice.rotation(dimensions == 2);
                let axes = [0, 1, 2].map(|i| still(rotation.column(i).into_owned()));
                let half = Vec3::new(0.2, 0.5, 0.3);
                let center = dice.vector(1.0);
                let block = Block { center: still(center), axes, half, dimensions };
                let normal = dice.direction(dimensions == 2);
                let plane = HalfSpace { at: still(dice.vector(1.0)), normal: still(normal) };
                // Support function of the box: h(−N) = Σ hᵢ |eᵢ · N|.
                let reach: f64 =
                    (0..dimensions).map(|i| half[i] * axes[i].value.dot(&normal).abs()).sum();
                let lowest = normal.dot(&(center - plane.at.value)) - reach;
                let patch = meet(&block, &plane);
                assert_eq!(patch.meetings().len(), 2 * (dimensions - 1));
                let least = patch.meetings().iter().map(|m| m.gap).fold(f64::INFINITY, f64::min);
                assert!((least - lowest).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn a_corner_keeps_its_number_while_the_box_rolls_over_it() {
        // A rectangle stands on its corner (+, −) and turns from one side to the other.
        let half = Vec3::new(0.05, 0.15, 0.0);
        let plane = HalfSpace { at: still(Vec3::zeros()), normal: still(Vec3::y()) };
        let mut before = None;
        for k in 1..90_u32 {
            let (s, c) = (-f64::from(k)).to_radians().sin_cos();
            let [x, y] = [Vec3::new(c, s, 0.0), Vec3::new(-s, c, 0.0)];
            let center = still(y * half.y - x * half.x);
            let block = Block { center, axes: [x, y, Vec3::z()].map(still), half, dimensions: 2 };
            let patch = meet(&block, &plane);
            let [other, own] = [0, 1].map(|k| patch.meetings()[k].gap);
            assert!(own.abs() < 1e-15 && other > 0.0, "{k}: {own} {other}");
            // The other one moves on steadily, from one neighbour to the other.
            assert!(before.is_none_or(|b: f64| (other - b).abs() < 0.006), "{k}");
            before = Some(other);
        }
    }

    #[test]
    fn flat_on_the_plane_all_points_touch() {
        let half = Vec3::new(0.2, 0.5, 0.3);
        let plane = HalfSpace { at: still(Vec3::zeros()), normal: still(Vec3::z()) };
        for (down, sign) in [(0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0), (2, 1.0), (2, -1.0)] {
            let mut axes = [Vec3::zeros(); 3];
            axes[down] = Vec3::z() * sign;
            axes[(down + 1) % 3] = Vec3::x() * sign;
            axes[(down + 2) % 3] = Vec3::y();
            let center = still(Vec3::z() * half[down]);
            let block = Block { center, axes: axes.map(still), half, dimensions: 3 };
            for met in meet(&block, &plane).meetings() {
                assert_eq!(met.gap, 0.0);
                assert_eq!(met.normal.value, -Vec3::z());
            }
        }
    }
}
