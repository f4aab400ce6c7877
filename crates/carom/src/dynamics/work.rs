//! Memory for solutions that are made again and again, and rows in joint coordinates.

use nalgebra::DVector;

use super::Posture;
use super::layout::Layout;
use super::row::RowWrench;
use super::solve::Solution;
use crate::maths::{Twist, Wrench};
use crate::model::Place;

/// Memory for making a solution keep the closures to the last digits.
#[derive(Clone, Debug)]
pub struct Refinement {
    pub(super) twists: Vec<Twist>,
    pub(super) missing: Vec<f64>,
    pub(super) more: Solution,
}

impl Refinement {
    /// Memory for a layout.
    pub fn new(layout: &Layout) -> Self {
        Self {
            twists: vec![Twist::zero(); layout.slim.len()],
            missing: vec![0.0; layout.rows.len()],
            more: Solution::new(layout),
        }
    }
}

/// Memory for the motion that a unit impulse along a row causes.
#[derive(Clone, Debug)]
pub struct RowWork {
    pub(super) wrenches: Vec<Wrench>,
    pub(super) refinement: Refinement,
    pub(super) solution: Solution,
    pub(super) twists: Vec<Twist>,
}

impl RowWork {
    /// Memory for a layout.
    pub fn new(layout: &Layout) -> Self {
        let bodies = layout.slim.len();
        Self {
            wrenches: vec![Wrench::zero(); bodies],
            refinement: Refinement::new(layout),
            solution: Solution::new(layout),
            twists: vec![Twist::zero(); bodies],
        }
    }

    /// The rate of a row in the motion computed last.
    pub fn rate(&self, row: &RowWrench) -> f64 {
        let of = |place: Place| place.map_or_else(Twist::zero, |b| self.twists[b.index()]);
        row.rate(&of(row.a), &of(row.b))
    }
}

impl Posture<'_> {
    /// The row in joint coordinates: A with A v = u.
    pub fn jacobian_row(&self, row: &RowWrench) -> DVector<f64> {
        let mut A = DVector::zeros(self.model.nv);
        self.jacobian_row_into(row, A.as_mut_slice());
        A
    }

    /// The same without allocating.
    pub fn jacobian_row_into(&self, row: &RowWrench, A: &mut [f64]) {
        A.fill(0.0);
        for (place, w) in [(row.a, row.on_a), (row.b, row.on_b)] {
            let mut w = w;
            let mut place = place;
            while let Some(body) = place {
                let joint = &self.model.bodies[body.index()].joint;
                for column in joint.velocities() {
                    let along =
                        if self.layout.columns[column].angular { &w.moment } else { &w.force };
                    A[column] += self.frames.axis(column).dot(along);
                }
                w.moment += self.frames.link(body).arm().cross(&w.force);
                place = self.model.bodies[body.index()].parent;
            }
        }
    }
}
