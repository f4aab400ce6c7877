//! What makes a profile: positive radii, a closed curve, no corner, no crossing.

use std::f64::consts::TAU;

use super::{Profile, ProfileError};
use crate::maths::Vec3;
use crate::maths::expression::Tape;

/// Cells in which an expression is searched for jumps and corners.
const CELLS: usize = 4096;
/// A cell is searched if its ends differ by more than this many times what their rates explain.
const SUDDEN: f64 = 4.0;
/// Where values differ by more than this part of the largest radius across a width of 1e-9 of a turn, there is a jump.
const JUMP: f64 = 1e-6;
/// Ends of the period that differ by less than this part of the largest radius are the same: the round-off of sine and cosine at 2π.
const CLOSED: f64 = 1e-9;
/// A width of 1e-9 of a cell's first width.
const HALVINGS: usize = 30;

/// Refuses expressions r(φ) that are no closed smooth curve.
pub(super) fn radius(tape: &Tape) -> Result<(), ProfileError> {
    let at = |k: usize| TAU * k as f64 / CELLS as f64;
    let jets: Vec<_> = (0..=CELLS).map(|k| tape.jet(at(k))).collect();
    for (k, jet) in jets.iter().enumerate() {
        if !(jet.value > 0.0
            && jet.value.is_finite()
            && jet.rate.is_finite()
            && jet.second.is_finite())
        {
            return Err(ProfileError::Radius { phi: at(k), radius: jet.value });
        }
    }
    let largest = jets.iter().map(|j| j.value).fold(0.0, f64::max);
    let (first, last) = (jets[0], jets[CELLS]);
    for (what, start, end) in
        [("radius", first.value, last.value), ("slope dr/dphi", first.rate, last.rate)]
    {
        if (start - end).abs() > CLOSED * largest {
            return Err(ProfileError::Open { what, start, end });
        }
    }
    for k in 0..CELLS {
        for order in 0..2 {
            let of = |phi: f64| {
                let jet = tape.jet(phi);
                [jet.value, jet.rate, jet.second]
            };
            let sudden = |low: f64, high: f64| {
                let (a, b) = (of(low), of(high));
                let rate = a[order + 1].abs().max(b[order + 1].abs());
                (b[order] - a[order]).abs() > SUDDEN * (high - low) * rate + CLOSED * largest
            };
            let (mut low, mut high) = (at(k), at(k + 1));
            let mut found = sudden(low, high);
            for _ in 0..HALVINGS {
                if !found {
                    break;
                }
                let middle = f64::midpoint(low, high);
                if sudden(low, middle) {
                    high = middle;
                } else if sudden(middle, high) {
                    low = middle;
                } else {
                    found = false;
                }
            }
            let jump = (of(high)[order] - of(low)[order]).abs();
            if found && jump > JUMP * largest {
                let what = ["radius", "slope dr/dphi"][order];
                return Err(ProfileError::Corner { what, phi: low, jump });
            }
        }
    }
    Ok(())
}

/// Refuses a curve through points that crosses itself, seen on the lines between its samples.
pub(super) fn crossings(curve: &Profile, knots: &[f64]) -> Result<(), ProfileError> {
    let samples = &curve.samples;
    let n = samples.len();
    let run = |k: usize| [samples[k].at, samples[(k + 1) % n].at];
    let cross = |a: Vec3, b: Vec3| a.x * b.y - a.y * b.x;
    // Samples in the order of their least x, so that only runs side by side are compared.
    let ends = |k: usize| {
        let [a, b] = run(k);
        [a.x.min(b.x), a.x.max(b.x)]
    };
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|i, j| ends(*i)[0].total_cmp(&ends(*j)[0]));
    let mut open: Vec<usize> = Vec::new();
    for &k in &order {
        let [low, _] = ends(k);
        open.retain(|j| ends(*j)[1] >= low);
        let [a, b] = run(k);
        for &j in &open {
            if (j + 1) % n == k || (k + 1) % n == j {
                continue;
            }
            let [c, d] = run(j);
            let apart = cross(b - a, c - a) * cross(b - a, d - a) > 0.0
                || cross(d - c, a - c) * cross(d - c, b - c) > 0.0;
            if !apart {
                let point =
                    |k: usize| knots.partition_point(|u| *u <= samples[k].u).saturating_sub(1);
                let (first, second) = (point(k.min(j)), point(k.max(j)));
                return Err(ProfileError::Crosses { first, second });
            }
        }
        open.push(k);
    }
    Ok(())
}
