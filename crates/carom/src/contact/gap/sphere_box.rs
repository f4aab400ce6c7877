//! Sphere or point against box (a rectangle in a planar model).
//!
//! With lᵢ = eᵢ · (c − C) the centre in the box's axes and hᵢ the half edges:
//!
//! * outside along one axis, the face: gap = |lᵢ| − hᵢ − r, n = ∓eᵢ;
//! * outside along several, the edge or vertex: gap = |y − c| − r, n = (y − c)/|y − c|, with y the
//!   centre clamped to the box;
//! * inside: the nearest face, gap = max(|lᵢ| − hᵢ) − r < 0.
//!
//! n points from the ball into the box. The gap is continuous everywhere; the normal jumps inside
//! the box where two faces are equally near. Valid while the ball's centre goes in less deep than
//! half the thinnest edge: beyond, the nearest face is the opposite one.

use super::skeleton::{Bridge, point_plane, point_point};
use super::{Ball, Block, Meeting};
use crate::contact::moving::Varying;

/// The contact of a ball (a) with a box (b).
pub(super) fn meet(ball: &Ball, block: &Block) -> Meeting {
    from_point(ball, block).grown(ball.radius, 0.0)
}

fn from_point(ball: &Ball, block: &Block) -> Bridge {
    let c = ball.center;
    let mut outside = 0;
    let mut nearest = 0;
    let mut height = f64::NEG_INFINITY;
    let mut y = block.center;
    for (i, e) in block.axes.iter().enumerate().take(block.dimensions) {
        let l = e.dot(&(c - block.center));
        let h = block.half[i];
        let beyond = l.value.abs() - h;
        if beyond > height {
            (nearest, height) = (i, beyond);
        }
        outside += usize::from(beyond > 0.0);
        y = y + *e * if beyond > 0.0 { Varying::constant(h.copysign(l.value)) } else { l };
    }
    // A centre within rounding of an edge or vertex has no direction to it: the nearest face stands in.
    let corner = if outside > 1 { point_point(c, y, block.half.amax()) } else { None };
    corner.unwrap_or_else(|| {
        let e = block.axes[nearest];
        let normal = if e.value.dot(&(c - block.center).value) < 0.0 { -e } else { e };
        point_plane(c, block.center + normal * block.half[nearest], normal)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::moving::Moving;
    use crate::contact::proof_tests::{Dice, still};
    use crate::maths::Vec3;

    fn block(dice: &mut Dice, half: Vec3) -> Block {
        let rotation = dice.rotation(false);
        let axes = [0, 1, 2].map(|i| still(rotation.column(i).into_owned()));
        Block { center: still(dice.vector(1.0)), axes, half, dimensions: 3 }
    }

    fn inside(block: &Block, local: Vec3) -> Moving {
        (0..3).fold(block.center, |x, i| x + block.axes[i] * local[i])
    }

    /// Coordinate descent on |c − x| over the box's parameters, without clamping formulas.
    fn least_distance(block: &Block, c: Vec3) -> f64 {
        let mut local = Vec3::zeros();
        let mut step = 1.0;
        let far = |l: Vec3| (inside(block, l).value - c).norm();
        while step > 1e-13 {
            let mut moved = false;
            for i in 0..3 {
                for sign in [-1.0, 1.0] {
                    let mut next = local;
                    next[i] += sign * step;
                    if next[i].abs() <= block.half[i] && far(next) < far(local) {
                        (local, moved) = (next, true);
                    }
                }
            }
            if !moved {
                step *= 0.5;
            }
        }
        far(local)
    }

    #[test]
    fn outside_the_gap_is_the_least_distance_over_the_box() {
        let mut dice = Dice::new(11);
        for _ in 0..200 {
            let block = block(&mut dice, Vec3::new(0.3, 0.5, 0.8));
            let local = dice.vector(1.5);
            if (0..3).all(|i| local[i].abs() <= block.half[i]) {
                continue;
            }
            let ball = Ball { center: inside(&block, local), radius: 0.1 };
            let exact = least_distance(&block, ball.center.value) - 0.1;
            let gap = meet(&ball, &block).gap;
            assert!((gap - exact).abs() < 1e-7, "{gap} against {exact} at {local}");
        }
    }

    #[test]
    fn inside_the_gap_is_the_shortest_way_out() {
        let mut dice = Dice::new(12);
        for _ in 0..200 {
            let half = Vec3::new(0.3, 0.5, 0.8);
            let block = block(&mut dice, half);
            let local = dice.vector(1.0).component_mul(&half);
            let ball = Ball { center: inside(&block, local), radius: 0.0 };
            let out = (0..3).map(|i| half[i] - local[i].abs()).fold(f64::INFINITY, f64::min);
            let met = meet(&ball, &block);
            assert!((met.gap + out).abs() < 1e-14);
            let back = met.on_b.value - block.center.value;
            let on_surface = (0..3)
                .map(|i| back.dot(&block.axes[i].value).abs() - half[i])
                .fold(f64::NEG_INFINITY, f64::max);
            assert!(on_surface.abs() < 1e-14, "the point of the box lies on its surface");
        }
    }

    #[test]
    fn on_an_edge_there_is_still_a_unit_normal() {
        let axes = [Vec3::x(), Vec3::y(), Vec3::z()].map(still);
        let half = Vec3::new(1.0, 1.0, 1.0);
        let block = Block { center: still(Vec3::zeros()), axes, half, dimensions: 3 };
        for excess in [-1e-16, 0.0, 3e-16] {
            let at = Vec3::new(1.0 + excess, 1.0 + excess, 0.2);
            let met = meet(&Ball { center: still(at), radius: 0.5 }, &block);
            assert!((met.normal.value.norm() - 1.0).abs() < 1e-15);
            assert!((met.gap + 0.5).abs() < 1e-15);
        }
    }
}
