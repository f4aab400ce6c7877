//! How many answers there are beside one, and which of them is given.
//!
//! At a point inside of the set of answers the null space N of the Jacobian is tangent to it. Directions with Ŵ N = 0 change impulses only,
//! the others velocities too. Of all answers the limit of softness → 0 is given, u = (Ŵ + ε S) p + ĉ with equally soft contacts: the
//! shortest impulses where velocities are unique, and free of the order of contacts and of the choice of tangents.

use super::dense::RankRevealing;
use super::map::{At, Face, Linear, Map, eigenvalues};
use super::normal_form::{Block, Kind, NormalForm};
use super::path::{MANNERS, Manner, Path};
use super::polish::{Polish, size};
use super::solver::{TRIES, is_near};
use crate::maths::dot::dot;

/// Diagonal entries of R below this fraction of the first are zero.
const DEPENDENT: f64 = 1e-10;
/// Pivots of L U above this fraction of the largest belong to a regular matrix.
const REGULAR: f64 = 1e-6;
/// A rank gap below this leaves the rank undecided.
pub const DECIDED: f64 = 1e3;
/// Eigenvalues below this, relative to the size of p, may belong to either side.
const DEGENERATE: f64 = 1e-8;
/// Velocities of a unit direction of the null space above this are a motion.
const MOVES: f64 = 1e-7;
/// The first softness, relative to blocks of norm 1, how many halvings are looked at together, and the most there are.
const SOFT: f64 = 1.0 / 64.0;
const TABLE: usize = 6;
const HALVINGS: usize = 24;
/// The extrapolated limit may miss by this part of the impulses before it is corrected.
const ROUGH: f64 = 1e-7;
/// Digits of the limit that are promised.
const EXACT: f64 = 1e-12;
/// Corrections of the limit on its faces, and the most directions for which they are made.
const CORRECTIONS: usize = 4;
const FEW: usize = 200;

/// How unique an answer is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uniqueness {
    /// Independent directions in which impulses may change while velocities stay.
    pub impulses: usize,
    /// Independent directions in which velocities may change: zero is local uniqueness, other isolated answers may exist unless
    /// no point can slide.
    pub velocities: usize,
    /// The smallest singular value that counts divided by the largest that does not, about.
    pub gap: f64,
    /// Whether the numbers above could be others within round-off.
    pub undecided: bool,
    /// Whether the answer is proved to be the only one, isolated others included.
    pub proved: bool,
}

impl Default for Uniqueness {
    fn default() -> Self {
        Self { impulses: 0, velocities: 0, gap: f64::INFINITY, undecided: false, proved: true }
    }
}

/// Pivots of a matrix with diagonal blocks of norm 1 above this prove it positive definite.
const DEFINITE: f64 = 1e-9;

/// Memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Choice {
    faces: Vec<Face>,
    table: Vec<f64>,
    q: Vec<f64>,
    limit: Vec<f64>,
    left: Vec<f64>,
    null: Vec<f64>,
    moved: Vec<f64>,
    rank: RankRevealing,
}

impl Choice {
    /// Whether the map p → ũ is strictly monotone, so that there is one answer and no other; then the least pivot of the proof.
    ///
    /// For two impulses with the difference d, dᵀ(ũ − ũ′) ≥ dᵀŴ d − Σ |d_n| |(Ŵ d)_t|. With Ŵ = H Hᵀ, y = Hᵀ d and any Ω > 0 the sum is at most
    /// ½ (Σ Ω d_n² + yᵀ H_tᵀ Ω⁻¹ H_t y), which is less than |y|² if Ω ≥ Ŵ_tt and Ŵ − Ω n nᵀ is positive definite. Ω: the sums of |Ŵ_tt| by rows.
    pub fn proves(&mut self, form: &NormalForm) -> Option<f64> {
        if form.rank > 0 || !form.sliding.is_empty() {
            return None;
        }
        let n = form.n;
        let real = |i: usize| form.row[i] != usize::MAX;
        self.table.clear();
        self.table.extend_from_slice(&form.W);
        for i in (0..n).filter(|i| !real(*i)) {
            // A least impulse's multiplier enters with both signs.
            (0..n).for_each(|j| (self.table[i * n + j], self.table[j * n + i]) = (0.0, 0.0));
        }
        let cones = || form.blocks.iter().filter(|b| b.kind == Kind::Cone);
        for block in cones() {
            let mut most = 0.0_f64;
            for i in block.at + 1..block.at + block.dim {
                let row = &form.W[i * n..(i + 1) * n];
                let tangents = cones().flat_map(|b| &row[b.at + 1..b.at + b.dim]);
                most = most.max(tangents.map(|w| w.abs()).sum());
            }
            self.table[block.at * (n + 1)] -= most;
        }
        // Cholesky's method by rows.
        let mut least = 1.0_f64;
        for i in (0..n).filter(|i| real(*i)) {
            let (above, own) = self.table.split_at_mut(i * n);
            for j in (0..i).filter(|j| real(*j)) {
                let row = &above[j * n..=j * n + j];
                own[j] = (own[j] - dot(&own[..j], &row[..j])) / row[j];
            }
            let pivot = own[i] - dot(&own[..i], &own[..i]);
            if !(pivot > DEFINITE) {
                return None;
            }
            least = least.min(pivot);
            own[i] = pivot.sqrt();
        }
        Some(least)
    }

    /// faces ← the signs of the map's eigenvalues; those within round-off as `closed` says. Whether there are such.
    fn read(&mut self, form: &NormalForm, map: &Map, size: f64, closed: bool) -> bool {
        self.faces.clear();
        let mut degenerate = false;
        for block in &form.blocks {
            let z = &map.z[block.at..block.at + block.dim];
            let values = eigenvalues(block.kind, z);
            let face = values.map(|l| {
                let near = l.abs() <= DEGENERATE * size;
                degenerate |= near;
                if near { closed } else { l > 0.0 }
            });
            self.faces.push(face);
        }
        degenerate
    }

    /// Dimension of the null space with the faces read last, and the rank gap.
    fn nullity(
        &mut self,
        form: &NormalForm,
        (p, end): (&[f64], At),
        (map, linear, polish): (&mut Map, &mut Linear, &mut Polish),
    ) -> (usize, f64) {
        map.evaluate_on(form, p, end, Some(&self.faces));
        polish.choose(form, map);
        let m = polish.unknowns.len();
        linear.matrix.resize(m * m, 0.0);
        map.jacobian(form, end, &polish.chosen, &polish.unknowns, (&mut linear.matrix, m));
        linear.ranked.factorise(&linear.matrix[..m * m], m, DEPENDENT);
        (m - linear.ranked.rank, linear.ranked.gap)
    }

    /// Whether an answer is regular: locally the only one even if points between two faces count as pressed.
    pub fn regular(
        &mut self,
        form: &NormalForm,
        (p, end): (&[f64], At),
        tools: (&mut Map, &mut Linear, &mut Polish),
    ) -> Option<f64> {
        let (map, linear, polish) = tools;
        map.evaluate(form, p, end);
        if !self.read(form, map, size(p), true) {
            // All faces are clear: pivots that are all large say as much as the rank, for less.
            polish.choose(form, map);
            let m = polish.unknowns.len();
            let J = linear.lu.matrix(m);
            map.jacobian(form, end, &polish.chosen, &polish.unknowns, (J, m));
            if linear.lu.factorise() && linear.lu.spread > REGULAR {
                return Some(linear.lu.spread / f64::EPSILON);
            }
        }
        let (m, gap) = self.nullity(form, (p, end), (map, linear, polish));
        (m == 0).then_some(gap)
    }

    /// Uniqueness at a point inside of the set of answers.
    pub fn judge(
        &mut self,
        form: &NormalForm,
        (p, end): (&[f64], At),
        tools: (&mut Map, &mut Linear, &mut Polish),
    ) -> Uniqueness {
        let (map, linear, polish) = tools;
        map.evaluate(form, p, end);
        let degenerate = self.read(form, map, size(p), true);
        let (most, gap) = self.nullity(form, (p, end), (map, linear, polish));
        let (m, gap) = if degenerate {
            map.evaluate(form, p, end);
            self.read(form, map, size(p), false);
            self.nullity(form, (p, end), (map, linear, polish))
        } else {
            (most, gap)
        };
        let velocities = if m == 0 || form.monotone || end.g == 0.0 {
            0
        } else {
            self.motions(form, linear, polish)
        };
        let undecided = gap < DECIDED || degenerate && most != m;
        // Answers of a monotone problem are a convex set: the only one nearby is the only one.
        let proved = form.monotone && m == 0 && !undecided;
        Uniqueness { impulses: m - velocities, velocities, gap, undecided, proved }
    }

    /// The rank of Ŵ N, or of Hᵀ N, which is the same.
    fn motions(&mut self, form: &NormalForm, linear: &mut Linear, polish: &Polish) -> usize {
        let m = polish.unknowns.len();
        let wide = if form.rank > 0 { form.rank } else { form.n };
        self.left.clear();
        self.moved.clear();
        self.moved.resize(form.n, 0.0);
        for vector in linear.ranked.null_vectors().chunks_exact(m) {
            let length = dot(vector, vector).sqrt();
            self.q.clear();
            self.q.resize(form.n, 0.0);
            for (&i, v) in polish.unknowns.iter().zip(vector) {
                self.q[i] = if form.row[i] == usize::MAX { 0.0 } else { v / length };
            }
            let from = self.left.len();
            if form.rank > 0 {
                self.left.resize(from + wide, 0.0);
                for (h, q) in form.H.chunks_exact(wide).zip(&self.q) {
                    self.left[from..].iter_mut().zip(h).for_each(|(x, h)| *x += h * q);
                }
                continue;
            }
            form.multiply(1.0, &self.q, &mut self.moved);
            let rows = self.moved.iter().zip(&form.row);
            self.left.extend(rows.map(|(x, row)| if *row == usize::MAX { 0.0 } else { *x }));
        }
        // The smaller of V Vᵀ and Vᵀ V has the squares of the singular values of V = (Ŵ N)ᵀ.
        let count = self.left.len() / wide.max(1);
        let small = count.min(wide);
        self.table.clear();
        if count <= wide {
            for a in self.left.chunks_exact(wide) {
                self.table.extend(self.left.chunks_exact(wide).map(|b| dot(a, b)));
            }
        } else {
            self.table.resize(wide * wide, 0.0);
            for v in self.left.chunks_exact(wide) {
                for (row, x) in self.table.chunks_exact_mut(wide).zip(v) {
                    row.iter_mut().zip(v).for_each(|(t, y)| *t += x * y);
                }
            }
        }
        let largest = (0..small).fold(0.0_f64, |s, i| s.max(self.table[i * small + i]));
        if largest <= MOVES * MOVES {
            return 0;
        }
        self.rank.factorise(&self.table, small, (MOVES * MOVES / largest).max(1e-15))
    }

    /// p ← the limit of softness → 0; false if it is not found within `met`, and then nothing is changed, or is known to fewer digits than are promised.
    pub fn soften(
        &mut self,
        form: &NormalForm,
        (p, end): (&mut [f64], At),
        met: f64,
        path: &mut Path,
        tools: (&mut Map, &mut Linear, &mut Polish),
    ) -> bool {
        let (map, linear, polish) = tools;
        let n = form.n;
        self.q.clear();
        self.q.extend_from_slice(p);
        self.table.clear();
        self.limit.resize(n, 0.0);
        let mut soft = SOFT;
        let mut best = f64::INFINITY;
        for halving in 0..HALVINGS {
            let at = At { soft, ..end };
            let met = |q: &[f64], residual: f64| residual <= 1e-11 * size(q);
            let mut found = false;
            if halving == 0 && !form.monotone && end.g > 0.0 {
                // The first soft problem has its own path: its answer depends on no start.
                let manner = Manner { end: at, ..MANNERS[0] };
                let mut onward = path.start(form, &manner, map, linear);
                for tau in TRIES {
                    onward = onward && path.follow(form, &manner, tau.ln(), map, linear);
                    if found || !onward {
                        break;
                    }
                    self.q.copy_from_slice(&path.p);
                    let residual = polish.run(form, &mut self.q, at, 40, map, linear);
                    found = met(&self.q, residual) && is_near(&self.q, &path.p, tau);
                }
                if !found {
                    self.q.copy_from_slice(p);
                }
            }
            if !found {
                let residual = polish.run(form, &mut self.q, at, 40, map, linear);
                if !met(&self.q, residual) {
                    return false;
                }
            }
            self.table.extend_from_slice(&self.q);
            if halving + 1 >= TABLE {
                let error = self.extrapolate(n);
                if error < best {
                    best = error;
                    self.limit.copy_from_slice(&self.table[self.table.len() - n..]);
                    map.evaluate(form, &self.q, at);
                    self.read(form, map, 0.0, false);
                }
                self.table.truncate(self.table.len() - n);
                if best <= 1e-12 * size(&self.limit) || error > 10.0 * best {
                    break;
                }
            }
            soft *= 0.5;
        }
        if !(best <= ROUGH * size(&self.limit)) {
            return false;
        }
        if !self.curved(form) {
            self.correct(form, end, (map, linear, polish));
        }
        let mut limit = std::mem::take(&mut self.limit);
        map.evaluate(form, &limit, end);
        let mut residual = map.residual();
        if residual > met {
            residual = polish.run(form, &mut limit, end, 6, map, linear);
        }
        let found = residual <= met;
        if found {
            p.copy_from_slice(&limit);
        }
        // Flat faces have been corrected to the last digits; of curved ones the extrapolation's are all there are.
        let exact = !self.curved(form) || best <= EXACT * size(&limit);
        self.limit = limit;
        found && exact
    }

    /// Appends Neville's extrapolation of the last points to softness 0; returns how far its last two orders differ.
    fn extrapolate(&mut self, n: usize) -> f64 {
        let from = self.table.len() - TABLE * n;
        let start = self.table.len();
        self.table.resize(start + n, 0.0);
        let mut error = 0.0_f64;
        for i in 0..n {
            let mut column: [f64; TABLE] = std::array::from_fn(|k| self.table[from + k * n + i]);
            let mut last = column[TABLE - 1];
            for order in 1..TABLE {
                let factor = f64::from(1_u32 << order);
                for k in 0..TABLE - order {
                    column[k] = (factor * column[k + 1] - column[k]) / (factor - 1.0);
                }
                if order == TABLE - 1 {
                    error = error.max((column[0] - last).abs());
                }
                last = column[TABLE - 1 - order];
            }
            self.table[start + i] = column[0];
        }
        error
    }

    /// Whether a face is curved: sliding in space.
    fn curved(&self, form: &NormalForm) -> bool {
        let slides = |(block, face): (&Block, &Face)| {
            block.kind == Kind::Cone && block.dim == 3 && *face == [false, true]
        };
        form.blocks.iter().zip(&self.faces).any(slides)
    }

    /// The last digits of the limit on flat faces: F = 0 by the shortest step, and along the null space N the condition that
    /// softness can be added, Lᵀ D B S p = 0 with the left null space L.
    fn correct(&mut self, form: &NormalForm, end: At, tools: (&mut Map, &mut Linear, &mut Polish)) {
        let (map, linear, polish) = tools;
        for _ in 0..CORRECTIONS {
            self.q.clone_from(&self.limit);
            polish.step_on(form, &mut self.q, (&self.faces, end), DEPENDENT, map, linear);
            let m = polish.unknowns.len();
            let count = m - linear.ranked.rank;
            if count == 0 || count > FEW || linear.ranked.gap < DECIDED {
                return;
            }
            linear.ranked.left_null_space(&mut self.left);
            self.null.clear();
            self.null.extend_from_slice(linear.ranked.null_space());
            // Columns D B S N, and D B S p as the last; B holds the slope of |u_t|.
            let column = |vector: &dyn Fn(usize, usize) -> f64, out: &mut Vec<f64>| {
                out.clear();
                let mut place = 0;
                for &k in &polish.chosen {
                    let block = &form.blocks[k];
                    let mut soft: [f64; 3] = std::array::from_fn(|y| {
                        let i = block.at + y;
                        if y < block.dim { form.soft[i] * vector(place + y, i) } else { 0.0 }
                    });
                    soft[0] += map.slope[k][0] * soft[1] + map.slope[k][1] * soft[2];
                    for D in map.D[k].iter().take(block.dim) {
                        out.push((0..block.dim).map(|y| D[y] * soft[y]).sum());
                    }
                    place += block.dim;
                }
            };
            linear.matrix.resize(count * count, 0.0);
            let mut pushed = std::mem::take(&mut self.moved);
            for (j, vector) in self.null.chunks_exact(m).enumerate() {
                column(&|place, _| vector[place], &mut pushed);
                for (i, left) in self.left.chunks_exact(m).enumerate() {
                    linear.matrix[i * count + j] = dot(left, &pushed);
                }
            }
            column(&|_, i| self.q[i], &mut pushed);
            self.table.clear();
            self.table.extend(self.left.chunks_exact(m).map(|left| -dot(left, &pushed)));
            self.moved = pushed;
            linear.solve(count, &mut [&mut self.table]);
            for (vector, z) in self.null.chunks_exact(m).zip(&self.table) {
                for (&i, v) in polish.unknowns.iter().zip(vector) {
                    self.q[i] += z * v;
                }
            }
            let moved =
                self.q.iter().zip(&self.limit).fold(0.0_f64, |s, (x, y)| s.max((x - y).abs()));
            // A large correction has left the neighbourhood in which the faces hold.
            if !(moved <= 100.0 * ROUGH * size(&self.limit)) {
                return;
            }
            std::mem::swap(&mut self.q, &mut self.limit);
            if moved <= 1e-14 * size(&self.limit) {
                return;
            }
        }
    }
}
