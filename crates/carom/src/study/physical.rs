//! Where the model refuses a number that is distributed beyond what physics allows: a mass below zero, a restitution above one.
//!
//! No list of such bounds is kept: the model itself is asked. A distribution whose end is refused is truncated where the refusal begins, which
//! bisection between its median and that end finds, with all other numbers as the file states them.

use super::evaluate::set_level;
use crate::model::study::{Domain, Level, StudyPlan, StudyVariable};
use crate::model::uncertain::{Distribution, DistributionShape};
use crate::model::{Description, build};

/// Bisection ends at this part of the distance from the median to the end.
const LOCATED: f64 = 1e-13;
/// Digits of a bound: it is a round number, or one that is computed from others.
const DIGITS: usize = 12;

/// The same plan with its distributions truncated where the model refuses more.
pub(super) fn truncated(description: &Description, plan: &StudyPlan) -> StudyPlan {
    let mut out = plan.clone();
    let mut bare = description.clone();
    bare.remove("study");
    bare.remove("uncertainty");
    for variable in &mut out.variables {
        let Domain::Uncertain(distribution) = &variable.domain else { continue };
        let physical = bounds(&bare, variable, distribution);
        let distribution = Distribution { physical, ..distribution.clone() };
        variable.domain = Domain::Uncertain(distribution);
    }
    out
}

fn bounds(
    description: &Description,
    variable: &StudyVariable,
    distribution: &Distribution,
) -> [Option<f64>; 2] {
    let number = |share: f64| match distribution.level(share) {
        Level::Number(x) => x,
        Level::Word(_) => f64::NAN,
    };
    let accepted = |x: f64| {
        let mut edited = description.clone();
        set_level(&mut edited, variable, &Level::Number(x)).is_ok() && build(&edited).is_ok()
    };
    let middle = number(0.5);
    if matches!(distribution.shape, DistributionShape::Table { .. }) || !accepted(middle) {
        // A table has what the file states; what is refused in the middle is a fault of the file, which its points tell.
        return [None; 2];
    }
    [0.0, 1.0].map(|share| {
        let end = number(share);
        if accepted(end) {
            return None;
        }
        let (mut inside, mut outside) = (middle, end);
        while (outside - inside).abs() > LOCATED * (end - middle).abs() {
            let x = 0.5 * (inside + outside);
            if x == inside || x == outside {
                break;
            }
            if accepted(x) { inside = x } else { outside = x }
        }
        let size = middle.abs().max(end.abs());
        let digits = DIGITS - 1;
        let rounded: f64 = format!("{outside:.digits$e}").parse().unwrap_or(outside);
        Some(if rounded.abs() < 10.0 * LOCATED * size { 0.0 } else { rounded })
    })
}
