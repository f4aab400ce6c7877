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

/// A row that pushes on a coordinate without inertia meets no mass at all, and no finite answer.
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

/// The rows of touching points and true, or those of the nearest points and false if none touches.
pub(super) fn taking_part<'r>(
    rows: &(impl Iterator<Item = &'r NamedRow> + Clone),
) -> (Vec<usize>, bool) {
    let which = |takes_part: &dyn Fn(&NamedRow) -> bool| -> Vec<usize> {
        rows.clone().enumerate().filter(|(_, row)| takes_part(row)).map(|(k, _)| k).collect()
    };
    let closed = which(&|row| row.standing != Standing::Open);
    if !closed.is_empty() {
        return (closed, true);
    }
    let least = rows.clone().map(|row| row.point.gap).fold(f64::INFINITY, f64::min);
    (which(&|row| row.point.gap <= least + row.length), false)
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
