//! The rows of a contact by name, and which of them take part in an impact.

use crate::contact::{Approach, ContactError, Standing, TouchPoint, gap_resolution};
use crate::dynamics::{DynamicsError, Posture, RowWrench};
use crate::maths::Vec3;
use crate::model::Friction;

/// A row before it is assessed.
pub(super) struct NamedRow {
    pub label: String,
    /// Which point of the contact.
    pub index: usize,
    pub point: TouchPoint,
    pub standing: Standing,
    /// Gaps that differ by less are equal.
    length: f64,
    pub direction: Vec3,
    pub is_normal: bool,
    pub wrench: RowWrench,
}

/// Refuses rows that push on a coordinate without inertia: their mobility is infinite.
pub(super) fn check_mobility(at: &Posture<'_>, rows: &[RowWrench]) -> Result<(), DynamicsError> {
    rows.iter().find_map(|row| at.push_without_inertia(row)).map_or(Ok(()), Err)
}

/// The normals of all points, and their tangents where the contact sticks.
pub(super) fn named_rows(at: &Posture<'_>, contact: usize) -> Result<Vec<NamedRow>, ContactError> {
    let touch = at.touch(contact)?;
    let sticks = at.model().contacts[contact].defaults.friction == Some(Friction::Stick);
    let many = touch.points().len() > 1;
    let mut rows = Vec::new();
    for (index, point) in touch.points().iter().enumerate() {
        let standing = Standing::of(at, contact, point);
        let length = gap_resolution(at, contact, point);
        let mut push = |name: String, direction: Vec3, is_normal: bool| {
            let label = if many { format!("{name}.{}", index + 1) } else { name };
            let wrench = at.contact_row(contact, point, &direction);
            let point = *point;
            rows.push(NamedRow {
                label,
                index,
                point,
                standing,
                length,
                direction,
                is_normal,
                wrench,
            });
        };
        push("n".to_owned(), point.normal, true);
        if sticks {
            for (k, tangent) in at.contact_tangents(point).into_iter().enumerate() {
                push(format!("t{}", k + 1), tangent, false);
            }
        }
    }
    Ok(rows)
}

/// Which points take part in the energies of an impact: those that touch; where none touches, the nearest of those that close, for no
/// other can be struck first; where none closes either, the nearest.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    /// The points that touch.
    Touching,
    /// The closing points with this gap.
    NearestClosing(f64),
    /// The points with this gap.
    Nearest(f64),
}

impl Part {
    /// Of points with their gaps, the largest gaps that count as closed, and how they move.
    pub fn of(points: impl Iterator<Item = (f64, f64, Approach)>) -> Self {
        let (mut touches, mut nearest, mut closing) = (false, f64::INFINITY, f64::INFINITY);
        for (gap, length, approach) in points {
            touches |= gap <= length;
            nearest = nearest.min(gap);
            if approach == Approach::Closing {
                closing = closing.min(gap);
            }
        }
        if touches {
            Self::Touching
        } else if closing.is_finite() {
            Self::NearestClosing(closing)
        } else {
            Self::Nearest(nearest)
        }
    }

    /// Whether a point is among them.
    pub fn has(self, gap: f64, length: f64, approach: Approach) -> bool {
        match self {
            Self::Touching => gap <= length,
            Self::NearestClosing(least) => approach == Approach::Closing && gap <= least + length,
            Self::Nearest(least) => gap <= least + length,
        }
    }
}

/// The rows that take part, and whether their points touch; `approach` says how each row moves.
pub(super) fn taking_part<'r>(
    rows: &(impl Iterator<Item = &'r NamedRow> + Clone),
    approach: &[Approach],
) -> (Vec<usize>, bool) {
    // The tangents of a point follow its normal and take part with it.
    let mut of_normal = Approach::Resting;
    let points: Vec<(f64, f64, Approach)> = (rows.clone().zip(approach))
        .map(|(row, approach)| {
            if row.is_normal {
                of_normal = *approach;
            }
            (row.point.gap, row.length, of_normal)
        })
        .collect();
    let part = Part::of(points.iter().copied());
    let has = |(_, point): &(usize, &(f64, f64, Approach))| part.has(point.0, point.1, point.2);
    let which = points.iter().enumerate().filter(has).map(|(k, _)| k).collect();
    (which, matches!(part, Part::Touching))
}

/// A row of a point that touches, or is taken as touching.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TouchingRow {
    /// Its position among the rows of the impact.
    pub row: usize,
    /// The point it belongs to; the rows of one point have the same.
    pub point: usize,
    /// Whether it is the normal there.
    pub is_normal: bool,
    /// How it moves.
    pub approach: Approach,
}

/// Some rows as touching rows; `of` says of a row whether it is a normal, and how it moves. Tangents follow their normal.
pub(super) fn touching_rows(
    part: &[usize],
    of: impl Fn(usize) -> (bool, Approach),
) -> Vec<TouchingRow> {
    let mut point = 0;
    let row = |&row: &usize| {
        let (is_normal, approach) = of(row);
        point += usize::from(is_normal);
        TouchingRow { row, point, is_normal, approach }
    };
    part.iter().map(row).collect()
}
