//! Box (rectangle in a planar model) against plane: the corners of the face most opposed to it.
//!
//! gapₖ = N · (xₖ − at),  n = −N,  k over 4 corners in space, 2 in the plane
//!
//! The face is that of ±eᵢ with the least eᵢ · N, so it holds the lowest corner, and flat on the
//! plane all corners touch. Of equally opposed faces the first axis counts. The order of the corners
//! goes round the face: (−, −), (+, −), (+, +), (−, +) along the other two axes in cyclic order;
//! in the plane −, +. When the box tips so far that another face is the most opposed, the points
//! change; the least gap does not jump. Valid everywhere.

use super::skeleton::point_plane;
use super::{Block, HalfSpace, Patch};

/// The contact of a box (a) with a half-space (b).
pub(super) fn meet(block: &Block, plane: &HalfSpace) -> Patch {
    let slope = |i: usize| block.axes[i].value.dot(&plane.normal.value);
    let down = (1..block.dimensions)
        .fold(0, |best, i| if slope(i).abs() > slope(best).abs() { i } else { best });
    let reach = |i: usize, sign: f64| block.axes[i] * (sign * block.half[i]);
    let face = block.center + reach(down, if slope(down) > 0.0 { -1.0 } else { 1.0 });
    let corner = |x| point_plane(x, plane.at, plane.normal).grown(0.0, 0.0);

    if block.dimensions == 2 {
        let along = 1 - down;
        return Patch::of(&[-1.0, 1.0].map(|s| corner(face + reach(along, s))));
    }
    let (first, second) = ((down + 1) % 3, (down + 2) % 3);
    let round = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    Patch::of(&round.map(|(s, t)| corner(face + reach(first, s) + reach(second, t))))
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
