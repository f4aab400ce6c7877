//! The rank of closing rows, judged by their own size instead of its square.
//!
//! The sweep gathers L = Σ u uᵀ/D, the square of what the rows do to the joints. A pivot of L below about 1e-12 of
//! its row's scale is lost in round-off, although the row itself still has 1e-6 of its size. Here the same pivots are
//! found from the square root: L = G Gᵀ with one entry u/√D of G for each row and each joint column. A pivoted
//! orthogonalisation of the rows of G (modified Gram-Schmidt, each row twice) gives L = P (R ᵀ R) Pᵀ, which is the
//! same L D Lᵀ with D = R_ii², and reveals ranks down to 1e-12 of a row.

use super::factor::Eliminated;
use super::layout::Layout;
use super::row;
use crate::kinematics::Frames;
use crate::model::Row;

/// A row that keeps less than this part of its natural size beside the other rows depends on them: round-off of
/// poses and of the sweep is some 1e-15 of it, longer machines leave a hundred times as much.
pub(super) const DEPENDENT: f64 = 1e-12;
/// Rows that depend on each other in a closed pose differ, in a pose that is open by a part δ of the machine's size, by a few δ.
const OPEN: f64 = 100.0;
/// Pivots of L above this part of their scale have eight digits of their own and need no square root.
pub(super) const DIGITS: f64 = 1e-8;

/// Memory for the square roots; it is taken when a pose first needs it.
#[derive(Clone, Debug, Default)]
pub(super) struct RowRoots {
    /// G: all rows, by velocity columns.
    G: Vec<f64>,
    /// Whether each body hangs on the node in question.
    below: Vec<bool>,
    /// The row of G that stands at each place of the orthogonalisation.
    taken: Vec<u32>,
}

/// What the square roots are made of.
#[derive(Clone, Copy)]
pub(super) struct Passed<'a> {
    pub layout: &'a Layout,
    pub frames: &'a Frames,
    pub columns: &'a [Eliminated],
    /// u of the rows open at each column.
    pub u: &'a [f64],
    /// Pivot orders and ranks of the nodes closed so far.
    pub order: &'a [u32],
    pub rank: &'a [usize],
    /// Natural mobility of each row.
    pub scale: &'a [f64],
}

/// Where the factors of a node go.
pub(super) struct Closed<'a> {
    /// L D Lᵀ by rows.
    pub factor: &'a mut [f64],
    pub order: &'a mut [u32],
    /// What each pivot's row keeps beside those before it, as part of its natural size.
    pub kept: &'a mut [f64],
}

impl RowRoots {
    /// Factorises the rows that close at a node and returns their rank.
    pub fn factorise(&mut self, passed: &Passed<'_>, n: usize, out: &mut Closed<'_>) -> usize {
        self.gather(passed, n);
        let rows = passed.layout.nodes[n].closing_rows();
        let width = passed.layout.columns.len();
        let least = DEPENDENT.max(OPEN * open(passed, rows));
        let count = rows.len();
        for (k, place) in (0_u32..).zip(out.order.iter_mut()) {
            *place = k;
        }
        let norm = |G: &[f64], r: usize| {
            let own = &G[r * width..(r + 1) * width];
            let scale = passed.scale[r];
            let square: f64 = own.iter().map(|x| x * x).sum();
            if scale > 0.0 { (square / scale).sqrt() } else { 0.0 }
        };
        for step in 0..count {
            let mut best = step;
            let mut kept = -1.0;
            for i in step..count {
                let own = norm(&self.G, rows[out.order[i] as usize] as usize);
                if own > kept {
                    (best, kept) = (i, own);
                }
            }
            out.kept[step] = kept.max(0.0);
            if !(kept > least) {
                for i in step..count {
                    out.kept[i] = norm(&self.G, rows[out.order[i] as usize] as usize);
                }
                return step;
            }
            if best != step {
                out.order.swap(step, best);
                for j in 0..step {
                    out.factor.swap(step * count + j, best * count + j);
                }
            }
            let pivot = rows[out.order[step] as usize] as usize;
            let length = self.normalise(width, pivot);
            out.factor[step * count + step] = length * length;
            for i in step + 1..count {
                let r = rows[out.order[i] as usize] as usize;
                // L_ij = R_ji / R_jj
                out.factor[i * count + step] = self.remove(width, pivot, r) / length;
            }
        }
        count
    }

    /// G of the rows that close at a node, over the columns below it.
    fn gather(&mut self, passed: &Passed<'_>, n: usize) {
        let layout = passed.layout;
        let (bodies, width) = (layout.slim.len(), layout.columns.len());
        self.G.resize(layout.rows.len() * width, 0.0);
        self.below.resize(bodies, false);
        for m in 0..bodies {
            let parent = layout.nodes[m].parent;
            self.below[m] = parent == n || (parent < bodies && self.below[parent]);
        }
        for &r in &layout.nodes[n].present[..layout.nodes[n].closing] {
            self.clear(width, r);
        }
        for m in 0..bodies {
            if self.below[m] {
                layout.nodes[m].present.iter().for_each(|r| self.clear(width, *r));
            }
        }
        for m in (0..bodies).rev() {
            if !self.below[m] {
                continue;
            }
            let node = &layout.nodes[m];
            if node.closing > 0 && node.open() > 0 {
                self.project(passed, m);
            }
            for column in node.columns.clone() {
                let root = passed.columns[column].inverse_D.sqrt();
                let at_u = node.at_u + (column - node.columns.start) * node.open();
                for (&r, u) in node.open_rows().iter().zip(&passed.u[at_u..]) {
                    self.G[r as usize * width + column] = u * root;
                }
            }
        }
    }

    /// Takes out of the open rows of a node what those that closed there hold.
    fn project(&mut self, passed: &Passed<'_>, m: usize) {
        let node = &passed.layout.nodes[m];
        let width = passed.layout.columns.len();
        let order = &passed.order[node.at_order..node.at_order + passed.rank[m]];
        self.taken.clear();
        self.taken.extend(order.iter().map(|k| node.present[*k as usize]));
        for k in 0..self.taken.len() {
            let pivot = self.taken[k] as usize;
            self.normalise(width, pivot);
            for j in k + 1..self.taken.len() {
                self.remove(width, pivot, self.taken[j] as usize);
            }
            for &r in node.open_rows() {
                self.remove(width, pivot, r as usize);
            }
        }
    }

    fn clear(&mut self, width: usize, r: u32) {
        self.G[r as usize * width..(r as usize + 1) * width].fill(0.0);
    }

    /// Scales a row to unit length and returns the length it had.
    fn normalise(&mut self, width: usize, r: usize) -> f64 {
        let own = &mut self.G[r * width..(r + 1) * width];
        let length = own.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length > 0.0 {
            for x in own {
                *x /= length;
            }
        }
        length
    }

    /// Takes the part along a unit row out of another, twice: the second pass removes the round-off of the first.
    /// Returns the part.
    fn remove(&mut self, width: usize, unit: usize, from: usize) -> f64 {
        let mut total = 0.0;
        for _ in 0..2 {
            let (e, own) = (unit * width, from * width);
            let along: f64 = (0..width).map(|c| self.G[e + c] * self.G[own + c]).sum();
            for c in 0..width {
                self.G[own + c] -= along * self.G[e + c];
            }
            total += along;
        }
        total
    }
}

/// The largest gap of the rows as part of the machine's size, which is that of their arms.
fn open(passed: &Passed<'_>, rows: &[u32]) -> f64 {
    let mut size = 0.0_f64;
    let (mut gap, mut turn) = (0.0_f64, 0.0_f64);
    for &r in rows {
        let r = &passed.layout.rows[r as usize];
        // A coupling is the same in every pose.
        let Some(w) = row::wrench(r, passed.frames) else { continue };
        let own = row::residual(r, passed.frames, &[]).abs();
        if matches!(r, Row::Perpendicular { .. }) {
            turn = turn.max(own);
        } else {
            gap = gap.max(own);
            size = size.max(w.on_a.moment.norm()).max(w.on_b.moment.norm());
        }
    }
    if gap > 0.0 && size > 0.0 { turn.max(gap / size) } else { turn }
}
