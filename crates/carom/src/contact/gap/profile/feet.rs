//! Where the distance from a point, or the height over a direction, has its local minima along a profile.

use crate::maths::Vec3;
use crate::maths::profile::{Profile, Spot};

/// What is least.
#[derive(Clone, Copy, Debug)]
pub(super) enum Along {
    /// |c − p|² / 2
    Point(Vec3),
    /// N · c
    Direction(Vec3),
}

/// Steps of Newton's method; each halves the bracket at least.
const MOST_STEPS: usize = 60;

impl Along {
    /// The derivative along the curve, and that of it.
    fn slope(&self, spot: &Spot) -> [f64; 2] {
        match self {
            Self::Point(p) => {
                let arm = spot.at - p;
                [arm.dot(&spot.first), spot.first.norm_squared() + arm.dot(&spot.second)]
            }
            Self::Direction(n) => [n.dot(&spot.first), n.dot(&spot.second)],
        }
    }

    fn slope_only(&self, spot: &Spot) -> f64 {
        match self {
            Self::Point(p) => (spot.at - p).dot(&spot.first),
            Self::Direction(n) => n.dot(&spot.first),
        }
    }
}

/// Calls `see` at every local minimum: where the slope goes from falling to rising between two samples.
pub(super) fn feet(curve: &Profile, along: Along, mut see: impl FnMut(Spot)) {
    let samples = &curve.samples;
    let Some(last) = samples.last() else { return };
    let mut before = Spot { u: last.u - curve.period, ..*last };
    let mut falls = along.slope_only(&before) < 0.0;
    for sample in samples {
        let rises = along.slope_only(sample) >= 0.0;
        if falls && rises {
            see(refined(curve, along, before.u, sample.u));
        }
        falls = !rises;
        before = *sample;
    }
}

/// The square of the least distance of a point from its feet.
pub(super) fn nearest(curve: &Profile, p: &Vec3) -> f64 {
    let mut least = f64::INFINITY;
    feet(curve, Along::Point(*p), |spot| least = least.min((p - spot.at).norm_squared()));
    least
}

/// The root of the slope between two parameters, by Newton's method within a bracket.
fn refined(curve: &Profile, along: Along, mut low: f64, mut high: f64) -> Spot {
    let mut u = f64::midpoint(low, high);
    let mut spot = curve.at(u);
    for _ in 0..MOST_STEPS {
        let [slope, bend] = along.slope(&spot);
        if slope == 0.0 {
            break;
        }
        if slope < 0.0 {
            low = u;
        } else {
            high = u;
        }
        let newton = u - slope / bend;
        let next = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
        let still = (next - u).abs() <= f64::EPSILON * curve.period;
        u = next;
        spot = curve.at(u);
        if still || high - low <= f64::EPSILON * curve.period {
            break;
        }
    }
    spot
}
