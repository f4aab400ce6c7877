//! Couplings of joint coordinates, as coefficients of velocity columns.

use super::layout::{Node, find};
use crate::model::Row;

/// A coupling's coefficient on a column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coefficient {
    /// The column in v.
    pub column: usize,
    /// Its place among the node's open rows.
    pub open: usize,
    /// c.
    pub value: f64,
}

/// The coefficients of all couplings, sorted by column.
pub(super) fn coefficients(nodes: &[Node], rows: &[Row]) -> Vec<Coefficient> {
    let mut out = Vec::new();
    for (number, row) in (0_u32..).zip(rows) {
        let Row::Coupling { terms, .. } = row else { continue };
        for term in terms {
            let open = find(nodes[term.body.index()].open_rows(), number);
            let (column, value) = (term.v, term.coefficient);
            out.extend(open.map(|open| Coefficient { column, open: open as usize, value }));
        }
    }
    out.sort_by_key(|c| c.column);
    out
}
