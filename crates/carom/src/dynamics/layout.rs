//! Which constraint rows pass which body on their way to where their loop closes.
//!
//! A row acts on two bodies (or on joints). In the tip-to-base sweep it travels up both branches
//! and is *open* at every body it passes; it *closes* at the nearest body that carries both
//! branches, or at ground. Everything here depends on the model alone, never on a state.

use super::couplings::{Coefficient, coefficients};
use crate::model::{Body, BodyId, JointKind, Model, Place, Row};

/// A joint's inertia below this part of the body's own is round-off: nothing with inertia moves with
/// it. The spin of a slender rod about its own line is such a motion, and a point mass's rotation.
const NO_INERTIA: f64 = 1e-10;

/// A body's place in the sweep; behind the bodies stands ground, in parts.
///
/// Ground does not move, so what loops to it do to each other passes through the bodies they share
/// alone. Rows that share none stand at different parts of ground, each with its own small block.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    /// The node it hangs on.
    pub parent: usize,
    /// Its velocity columns in v.
    pub columns: std::ops::Range<usize>,
    /// Rows that close here, then rows that stay open here.
    pub present: Vec<u32>,
    /// How many of `present` close here.
    pub closing: usize,
    /// For each open row its place among the parent's `present`.
    pub up: Vec<u32>,
    /// Where its wrenches start: one for each of `present`.
    pub at_K: usize,
    /// Where its square block of `present` rows starts.
    pub at_L: usize,
    /// Where its factors of the closing block start.
    pub at_factor: usize,
    /// Where its closing × open block starts.
    pub at_X: usize,
    /// Where its column × open block starts.
    pub at_u: usize,
    /// Where its pivot order starts.
    pub at_order: usize,
}

impl Node {
    /// How many rows stay open.
    pub fn open(&self) -> usize {
        self.present.len() - self.closing
    }

    /// The rows that stay open.
    pub fn open_rows(&self) -> &[u32] {
        &self.present[self.closing..]
    }

    /// The rows that close here.
    pub fn closing_rows(&self) -> &[u32] {
        &self.present[..self.closing]
    }
}

/// Where a body's articulated inertia goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hand {
    /// Ground takes it: nothing to do.
    Ground,
    /// To the body that comes next in the sweep.
    Next,
    /// To a body further on, as the first that reaches it.
    First,
    /// To a body further on that others have reached before.
    More,
}

/// What the sweeps need of a node at every step, close together in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slim {
    pub parent: u32,
    first: u32,
    count: u32,
    pub hand: Hand,
    /// Whether others than the next body hand it their inertia.
    pub gathers: bool,
    /// Whether rows close here.
    pub closes: bool,
    /// Whether rows stay open here.
    pub opens: bool,
}

impl Slim {
    /// Its velocity columns.
    #[inline]
    pub fn columns(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// What a velocity column is.
#[derive(Clone, Copy, Debug)]
pub(super) struct ColumnShape {
    /// A rotation or a translation.
    pub angular: bool,
    /// Whether it may move.
    pub free: bool,
    /// Rotor inertia.
    pub rotor: f64,
    /// An inertia below this is none.
    pub least: f64,
}

impl ColumnShape {
    /// Column `c` of the joint that carries a body.
    pub fn new(body: &Body, c: usize, free: bool) -> Self {
        let angular = body.joint.kind.is_angular(c);
        let own = if angular { natural_inertia(body) } else { body.scale.mass };
        Self { angular, free, rotor: body.joint.rotor[c], least: NO_INERTIA * own }
    }
}

/// The course of all rows over the tree.
#[derive(Clone, Debug)]
pub struct Layout {
    pub(super) nodes: Vec<Node>,
    pub(super) rows: Vec<Row>,
    /// Node and place among its `present` where each row's wrench on its first and second body enters.
    pub(super) entry: Vec<[Option<(usize, usize)>; 2]>,
    /// Coupling coefficients, sorted by column.
    pub(super) coefficients: Vec<Coefficient>,
    /// First coefficient of each node.
    pub(super) at_coefficient: Vec<usize>,
    /// The velocity columns.
    pub(super) columns: Vec<ColumnShape>,
    /// The nodes without ground, as the sweeps see them.
    pub(super) slim: Vec<Slim>,
    pub(super) sizes: Sizes,
}

/// Lengths of the flat arrays of a factor.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sizes {
    pub K: usize,
    pub L: usize,
    pub factor: usize,
    pub X: usize,
    pub u: usize,
    pub order: usize,
}

impl Layout {
    /// The course of `rows` over the model's tree, with the columns that `free` lets move.
    pub fn new(model: &Model, rows: Vec<Row>, free: &[bool]) -> Self {
        let ground = model.bodies.len();
        let parent = |node: usize| model.bodies[node].parent.map_or(ground, BodyId::index);
        let mut nodes: Vec<Node> = (0..ground)
            .map(|b| Node {
                parent: parent(b),
                columns: model.bodies[b].joint.velocities(),
                ..Node::default()
            })
            .collect();
        nodes.push(Node { parent: ground, columns: model.nv..model.nv, ..Node::default() });
        let mut open: Vec<Vec<u32>> = vec![Vec::new(); ground + 1];
        for (number, row) in (0_u32..).zip(&rows) {
            let (ends, joints) = supports(row, ground);
            let mut close_at: Option<usize> = None;
            for &node in ends.iter().flatten() {
                close_at = Some(close_at.map_or(node, |c| common(&nodes, c, node, ground)));
            }
            for &node in &joints {
                let above = parent(node);
                close_at = Some(close_at.map_or(above, |c| common(&nodes, c, above, ground)));
            }
            let close_at = close_at.unwrap_or(ground);
            nodes[close_at].present.push(number);
            nodes[close_at].closing += 1;
            for start in ends.iter().flatten().chain(&joints) {
                let mut node = *start;
                while node != close_at && open[node].last() != Some(&number) {
                    open[node].push(number);
                    node = nodes[node].parent;
                }
            }
        }
        part_ground(&mut nodes, &open, ground);
        for (node, open) in nodes.iter_mut().zip(open) {
            node.present.extend(open);
        }
        let mut layout = Self {
            nodes,
            entry: Vec::with_capacity(rows.len()),
            coefficients: Vec::new(),
            at_coefficient: Vec::new(),
            columns: Vec::with_capacity(model.nv),
            slim: Vec::with_capacity(ground),
            sizes: Sizes::default(),
            rows,
        };
        for body in &model.bodies {
            for c in 0..body.joint.kind.velocities() {
                layout.columns.push(ColumnShape::new(body, c, free[body.joint.v + c]));
            }
        }
        layout.number(ground);
        layout.enter(ground);
        layout.slim_down(ground);
        layout
    }

    /// Takes over the numbers of rows that join the same bodies.
    pub(super) fn renew_rows(&mut self, rows: &[Row]) {
        self.rows.clone_from_slice(rows);
        if !self.coefficients.is_empty() {
            self.coefficients = coefficients(&self.nodes, rows);
        }
    }

    /// Takes over rotors and sizes of inertias.
    pub(super) fn renew_columns(&mut self, model: &Model) {
        for body in &model.bodies {
            for (c, column) in body.joint.velocities().enumerate() {
                self.columns[column] = ColumnShape::new(body, c, self.columns[column].free);
            }
        }
    }

    /// The compact nodes, and who hands inertia to whom.
    fn slim_down(&mut self, ground: usize) {
        let number = |k: usize| u32::try_from(k).unwrap_or(u32::MAX);
        let mut reached = vec![false; ground + 1];
        let mut hands = vec![Hand::Ground; ground];
        for n in (0..ground).rev() {
            let parent = self.nodes[n].parent;
            hands[n] = if parent >= ground {
                Hand::Ground
            } else if parent + 1 == n {
                Hand::Next
            } else if std::mem::replace(&mut reached[parent], true) {
                Hand::More
            } else {
                Hand::First
            };
        }
        for (n, hand) in hands.into_iter().enumerate() {
            let node = &self.nodes[n];
            self.slim.push(Slim {
                parent: number(node.parent),
                first: number(node.columns.start),
                count: number(node.columns.len()),
                hand,
                gathers: reached[n],
                closes: node.closing > 0,
                opens: node.open() > 0,
            });
        }
    }

    /// Offsets of all blocks, and where a node's open rows stand at its parent.
    fn number(&mut self, ground: usize) {
        let mut at = Sizes::default();
        for n in 0..self.nodes.len() {
            let parent = self.nodes[n].parent;
            let up = if n >= ground {
                Vec::new()
            } else {
                let above = &self.nodes[parent].present;
                self.nodes[n].open_rows().iter().filter_map(|r| find(above, *r)).collect()
            };
            let node = &mut self.nodes[n];
            node.up = up;
            let (present, closing, open) = (node.present.len(), node.closing, node.open());
            node.at_K = at.K;
            node.at_L = at.L;
            node.at_factor = at.factor;
            node.at_X = at.X;
            node.at_u = at.u;
            node.at_order = at.order;
            at.K += present;
            at.L += present * present;
            at.factor += closing * closing;
            at.X += closing * open;
            at.u += node.columns.len() * open;
            at.order += closing;
        }
        self.sizes = at;
    }

    /// Where each row's wrenches and coefficients come in.
    fn enter(&mut self, ground: usize) {
        let place = |nodes: &[Node], body: Place, row: u32| {
            let node = body?.index();
            find(&nodes[node].present, row).map(|k| (node, k as usize))
        };
        for (number, row) in (0_u32..).zip(&self.rows) {
            let entry = match row {
                Row::InPlane { a, b, .. } | Row::Distance { a, b, .. } => {
                    [place(&self.nodes, a.body, number), place(&self.nodes, b.body, number)]
                }
                Row::Perpendicular { a, b, .. } => {
                    [place(&self.nodes, *a, number), place(&self.nodes, *b, number)]
                }
                Row::Coupling { .. } => [None, None],
            };
            self.entry.push(entry);
        }
        self.coefficients = coefficients(&self.nodes, &self.rows);
        let mut next = 0;
        for n in 0..=ground {
            let first = self.nodes[n].columns.start;
            while next < self.coefficients.len() && self.coefficients[next].column < first {
                next += 1;
            }
            self.at_coefficient.push(next);
        }
        self.at_coefficient.push(self.coefficients.len());
    }

    /// The parts of ground, as nodes.
    #[inline]
    pub(super) fn ground(&self) -> std::ops::Range<usize> {
        self.slim.len()..self.nodes.len()
    }

    /// The most rows that have to be eliminated together, and how many numbers all blocks take.
    pub(crate) fn width(&self) -> (usize, usize) {
        (self.nodes.iter().map(|n| n.present.len()).max().unwrap_or(0), self.sizes.L)
    }

    /// How many bodies there are.
    pub fn bodies(&self) -> usize {
        self.slim.len()
    }

    /// The rows, in their order.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Whether a velocity column may move (it is neither locked nor driven nor held).
    pub fn is_free(&self, column: usize) -> bool {
        self.columns[column].free
    }
}

/// Gives the rows that close at ground one part of it for each group that hangs together, and every
/// body on ground the part its rows close at. The first part keeps the rest.
fn part_ground(nodes: &mut Vec<Node>, open: &[Vec<u32>], ground: usize) {
    let rows = std::mem::take(&mut nodes[ground].present);
    nodes[ground].closing = 0;
    let count = rows.last().map_or(0, |r| *r as usize + 1);
    let mut leader: Vec<u32> = (0..).take(count).collect();
    let lead = |leader: &mut [u32], mut row: u32| {
        while leader[row as usize] != row {
            leader[row as usize] = leader[leader[row as usize] as usize];
            row = leader[row as usize];
        }
        row
    };
    let on_ground: Vec<usize> =
        (0..ground).filter(|n| nodes[*n].parent == ground && !open[*n].is_empty()).collect();
    for &n in &on_ground {
        for pair in open[n].windows(2) {
            let (a, b) = (lead(&mut leader, pair[0]), lead(&mut leader, pair[1]));
            leader[a.max(b) as usize] = a.min(b);
        }
    }
    let mut part = vec![None; count];
    for row in rows {
        let first = lead(&mut leader, row) as usize;
        let node = *part[first].get_or_insert_with(|| {
            if nodes[ground].closing > 0 {
                let columns = nodes[ground].columns.clone();
                nodes.push(Node { parent: nodes.len(), columns, ..Node::default() });
            }
            nodes.len() - 1
        });
        nodes[node].present.push(row);
        nodes[node].closing += 1;
    }
    for n in on_ground {
        if let Some(node) = open[n].first().and_then(|r| part[lead(&mut leader, *r) as usize]) {
            nodes[n].parent = node;
        }
    }
}

/// The size of a body's inertia about its joint, wherever along an axis the joint's point was
/// chosen: the central inertia, and the mass at the distance the joint fixes.
fn natural_inertia(body: &Body) -> f64 {
    let I = &body.scale;
    let distance = match body.joint.kind {
        JointKind::Spherical | JointKind::Universal => I.center.norm_squared(),
        // The centre moves along with a free body; only the distance from an axis z counts.
        JointKind::Floating => 0.0,
        _ => I.center.xy().norm_squared(),
    };
    I.central().trace() + I.mass * distance
}

pub(super) fn find(rows: &[u32], row: u32) -> Option<u32> {
    rows.iter().position(|r| *r == row).and_then(|k| u32::try_from(k).ok())
}

/// The nodes a row acts on by wrenches, and those on whose joints it acts.
fn supports(row: &Row, ground: usize) -> ([Option<usize>; 2], Vec<usize>) {
    let node = |place: Place| Some(place.map_or(ground, BodyId::index));
    match row {
        Row::InPlane { a, b, .. } | Row::Distance { a, b, .. } => {
            ([node(a.body), node(b.body)], Vec::new())
        }
        Row::Perpendicular { a, b, .. } => ([node(*a), node(*b)], Vec::new()),
        Row::Coupling { terms, .. } => {
            ([None, None], terms.iter().map(|t| t.body.index()).collect())
        }
    }
}

/// The nearest node that carries both; children have larger numbers than parents, ground counts
/// as the smallest.
fn common(nodes: &[Node], mut a: usize, mut b: usize, ground: usize) -> usize {
    while a != b {
        if a == ground || b == ground {
            return ground;
        }
        if a > b {
            a = nodes[a].parent;
        } else {
            b = nodes[b].parent;
        }
    }
    a
}
