//! The natural map F(p) = p − P(p − ũ) of the contact problem, smoothed by τ, and its derivatives.
//!
//! φ_τ(λ) = (λ + √(λ² + 4τ))/2 on the two eigenvalues z_n ± |z_t| of a cone's block gives P_τ (Fukushima, Luo and Tseng 2002);
//! P_0 is the projection. With u = (Ŵ + ε S) p + ĉ and ũ = u + κτ p + g √(|u_t|² + s²) n, where ε S is the softness of the contacts and κτ
//! the regularisation of the path.

use super::dense::{Lu, RankRevealing};
use super::normal_form::{Kind, NormalForm};
use super::problem::larger;
use crate::maths::dot::dot;

/// Where on its path the map is evaluated.
#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    /// τ.
    pub tau: f64,
    /// g, the part of the term |u_t| n that acts.
    pub g: f64,
    /// s, what smooths |u_t|.
    pub slip: f64,
    /// Regularisation of every unknown.
    pub firm: f64,
    /// Softness of the contacts, by the weights of the normal form.
    pub soft: f64,
}

impl At {
    /// The problem itself.
    pub const END: Self = Self { tau: 0.0, g: 1.0, slip: 0.0, firm: 0.0, soft: 0.0 };
    /// The problem without the term |u_t| n: K ∋ p ⟂ u ∈ K*, which is convex, and whose velocities are unique.
    pub const CONVEX: Self = Self { g: 0.0, ..Self::END };
}

/// Which eigenvalues of a block's impulse are positive: neither is open, both are inside of the cone, the second alone slides.
pub(super) type Face = [bool; 2];

/// Slips below this, of velocities of 1, have no direction of their own.
const AT_REST: f64 = 1e-7;

/// A matrix of a block.
pub(super) type Small = [[f64; 3]; 3];

/// The map at one point: values and the blocks of its derivative.
#[derive(Clone, Debug, Default)]
pub(super) struct Map {
    /// F.
    pub F: Vec<f64>,
    /// u = Ŵ p + ĉ.
    pub u: Vec<f64>,
    /// z = p − ũ.
    pub z: Vec<f64>,
    /// D = ∂P/∂z of each block.
    pub D: Vec<Small>,
    /// ∂P/∂τ.
    pub P_tau: Vec<f64>,
    /// ∂(g q)/∂u_t of each block, and q = √(|u_t|² + s²).
    pub slope: Vec<[f64; 2]>,
    pub q: Vec<f64>,
    /// Rows of a block of B Ŵ.
    rows: Vec<f64>,
}

/// φ_τ(λ), its derivative by λ and that by τ.
fn smooth(x: f64, tau: f64) -> (f64, f64, f64) {
    if tau == 0.0 {
        return (x.max(0.0), if x > 0.0 { 1.0 } else { 0.0 }, 0.0);
    }
    let q = (x * x + 4.0 * tau).sqrt();
    if x >= 0.0 {
        (0.5 * (x + q), 0.5 * (1.0 + x / q), 1.0 / q)
    } else {
        (2.0 * tau / (q - x), 2.0 * tau / (q * (q - x)), 1.0 / q)
    }
}

/// The eigenvalues of a block: z_n ∓ |z_t| of a cone, z_n twice of the others.
pub(super) fn eigenvalues(kind: Kind, z: &[f64]) -> [f64; 2] {
    let r = if kind == Kind::Cone { tangential(z) } else { 0.0 };
    [z[0] - r, z[0] + r]
}

/// |z_t|.
fn tangential(z: &[f64]) -> f64 {
    match z {
        [_, x] => x.abs(),
        [_, x, y] => (x * x + y * y).sqrt(),
        _ => 0.0,
    }
}

impl Map {
    /// F and the blocks of its derivative at p.
    pub fn evaluate(&mut self, form: &NormalForm, p: &[f64], at: At) {
        self.evaluate_on(form, p, at, None);
    }

    /// The same with the signs of all eigenvalues given: the smooth map of one set of faces.
    pub fn evaluate_on(&mut self, form: &NormalForm, p: &[f64], at: At, faces: Option<&[Face]>) {
        let n = form.n;
        for list in [&mut self.F, &mut self.u, &mut self.z, &mut self.P_tau] {
            list.resize(n, 0.0);
        }
        let count = form.blocks.len();
        self.D.resize(count, [[0.0; 3]; 3]);
        self.slope.resize(count, [0.0; 2]);
        self.q.resize(count, 0.0);
        form.multiply(at.g, p, &mut self.u);
        self.u.iter_mut().zip(&form.c).for_each(|(u, c)| *u += c);
        if at.soft > 0.0 {
            for (i, u) in self.u.iter_mut().enumerate() {
                *u += at.soft * form.soft[i] * p[i];
            }
        }
        for (k, block) in form.blocks.iter().enumerate() {
            let own = block.at..block.at + block.dim;
            let u = &self.u[own.clone()];
            let mut add = 0.0;
            (self.slope[k], self.q[k]) = ([0.0; 2], 0.0);
            if block.kind == Kind::Cone {
                let q = tangential(u).hypot(at.slip);
                let length = tangential(&p[own.clone()]);
                match faces.map(|faces| faces[k]) {
                    // Inside of the cone there is no slip, whatever round-off leaves of it.
                    Some([true, true]) => {}
                    // Where a slip vanishes, |u_t| = −u_tᵀ p_t/|p_t| goes on.
                    Some(_) if q <= AT_REST && length > 0.0 && at.g > 0.0 => {
                        for x in 1..block.dim {
                            self.slope[k][x - 1] = -p[block.at + x] / length;
                            add += self.slope[k][x - 1] * u[x];
                        }
                    }
                    _ => {
                        add = at.g * q;
                        self.q[k] = q;
                        for x in (1..block.dim).filter(|_| q > 0.0) {
                            self.slope[k][x - 1] = at.g * u[x] / q;
                        }
                    }
                }
            }
            for i in own.clone() {
                self.z[i] = p[i] - self.u[i] - at.firm * p[i];
            }
            self.z[block.at] -= add;
            let z: [f64; 3] =
                std::array::from_fn(|x| if x < block.dim { self.z[block.at + x] } else { 0.0 });
            let (P, P_tau, D) = project(block.kind, &z[..block.dim], at.tau, faces.map(|f| f[k]));
            self.D[k] = D;
            for (x, i) in own.enumerate() {
                self.F[i] = p[i] - P[x];
                self.P_tau[i] = P_tau[x];
            }
        }
    }

    /// The largest |F|.
    pub fn residual(&self) -> f64 {
        self.F.iter().fold(0.0, |m, f| larger(m, f.abs()))
    }

    /// J = 1 − D + D (B Ŵ + r) over the blocks chosen, with rows and columns of the others left out, into the leading part of
    /// rows of `wide` numbers.
    pub fn jacobian(
        &mut self,
        form: &NormalForm,
        at: At,
        chosen: &[usize],
        unknowns: &[usize],
        (J, wide): (&mut [f64], usize),
    ) {
        let m = unknowns.len();
        let whole = m == form.n;
        let n = form.n;
        let mut place = 0;
        for &k in chosen {
            let block = &form.blocks[k];
            let (dim, D) = (block.dim, &self.D[k]);
            self.rows.resize(3 * m, 0.0);
            for x in 0..dim {
                let W = &form.W[(block.at + x) * n..(block.at + x + 1) * n];
                let row = &mut self.rows[x * m..(x + 1) * m];
                if whole {
                    row.copy_from_slice(W);
                } else {
                    row.iter_mut().zip(unknowns).for_each(|(r, j)| *r = W[*j]);
                }
                for (s, &own) in form.sliding.iter().enumerate() {
                    if let Ok(j) = unknowns.binary_search(&own) {
                        row[j] += at.g * form.sliding_columns[s * n + block.at + x];
                    }
                }
            }
            for x in 0..dim {
                self.rows[x * m + place + x] += at.soft * form.soft[block.at + x];
            }
            let (first, rest) = self.rows.split_at_mut(m);
            for (x, slope) in self.slope[k].iter().enumerate().take(dim - 1) {
                if *slope != 0.0 {
                    let other = &rest[x * m..(x + 1) * m];
                    first.iter_mut().zip(other).for_each(|(r, o)| *r += slope * o);
                }
            }
            for x in 0..dim {
                self.rows[x * m + place + x] += at.firm;
            }
            for x in 0..dim {
                let out = &mut J[(place + x) * wide..(place + x) * wide + m];
                match dim {
                    1 => out.iter_mut().zip(&self.rows[..m]).for_each(|(o, a)| *o = D[x][0] * a),
                    2 => {
                        let (a, b) = self.rows.split_at(m);
                        for ((o, a), b) in out.iter_mut().zip(a).zip(b) {
                            *o = D[x][0] * a + D[x][1] * b;
                        }
                    }
                    _ => {
                        let (a, rest) = self.rows.split_at(m);
                        let (b, c) = rest.split_at(m);
                        for (((o, a), b), c) in out.iter_mut().zip(a).zip(b).zip(c) {
                            *o = D[x][0] * a + D[x][1] * b + D[x][2] * c;
                        }
                    }
                }
                out[place + x] += 1.0;
                for y in 0..dim {
                    out[place + y] -= D[x][y];
                }
            }
            place += dim;
        }
    }
}

/// P_τ(z), its derivative by τ and D.
fn project(kind: Kind, z: &[f64], tau: f64, face: Option<Face>) -> ([f64; 3], [f64; 3], Small) {
    let dim = z.len();
    let smooth = |x: f64, which: usize| match face {
        Some(face) if face[which] => (x, 1.0, 0.0),
        Some(_) => (0.0, 0.0, 0.0),
        None => smooth(x, tau),
    };
    let (mut P, mut P_tau, mut D) = ([0.0; 3], [0.0; 3], [[0.0; 3]; 3]);
    if kind != Kind::Cone {
        (P[0], D[0][0], P_tau[0]) = smooth(z[0], 0);
        for x in 1..dim {
            (P[x], D[x][x]) = (z[x], 1.0);
        }
        return (P, P_tau, D);
    }
    let r = tangential(z);
    let e: [f64; 2] =
        std::array::from_fn(|x| if r > 0.0 && x + 1 < dim { z[x + 1] / r } else { 0.0 });
    let (f_1, d_1, t_1) = smooth(z[0] - r, 0);
    let (f_2, d_2, t_2) = smooth(z[0] + r, 1);
    P[0] = 0.5 * (f_1 + f_2);
    P_tau[0] = 0.5 * (t_1 + t_2);
    let b = 0.5 * (d_1 + d_2);
    // (φ(λ₂) − φ(λ₁))/(λ₂ − λ₁), which is the derivative where the eigenvalues meet.
    let near = r <= 1e-8 * (z[0].abs() + tau.sqrt());
    let a = if near { b } else { 0.5 * (f_2 - f_1) / r };
    D[0][0] = b;
    for x in 1..dim {
        P[x] = 0.5 * (f_2 - f_1) * e[x - 1];
        P_tau[x] = 0.5 * (t_2 - t_1) * e[x - 1];
        let cross = 0.5 * (d_2 - d_1) * e[x - 1];
        (D[0][x], D[x][0]) = (cross, cross);
        for y in 1..dim {
            D[x][y] = (b - a) * e[x - 1] * e[y - 1];
        }
        D[x][x] += a;
    }
    (P, P_tau, D)
}

/// What solves the linear equations of Newton's method.
#[derive(Clone, Debug, Default)]
pub(super) struct Linear {
    pub lu: Lu,
    pub ranked: RankRevealing,
    /// A copy of the matrix, for what L U cannot solve.
    pub matrix: Vec<f64>,
    /// For a factor of Ŵ: inverses of the block-diagonal part, A⁻¹ D B H and the small matrix.
    inverse: Vec<Small>,
    G: Vec<f64>,
    small: Lu,
    y: Vec<f64>,
    pub work: Vec<f64>,
}

/// Pivots of L U below this fraction of the largest belong to a matrix that is singular in working precision.
pub(super) const SINGULAR: f64 = 1e-11;

impl Linear {
    /// Solves the m × m equations in `matrix` for each right-hand side, the shortest way if they are singular.
    pub fn solve(&mut self, m: usize, right: &mut [&mut [f64]]) {
        self.lu.matrix(m).copy_from_slice(&self.matrix[..m * m]);
        if self.lu.factorise() && self.lu.spread > SINGULAR {
            for b in right.iter_mut() {
                self.lu.solve(b);
            }
            if right.iter().all(|b| b.iter().all(|x| x.is_finite())) {
                return;
            }
        }
        self.ranked.factorise(&self.matrix[..m * m], m, SINGULAR);
        for b in right.iter_mut() {
            self.ranked.solve(b);
        }
    }

    /// Prepares J = A + D B H Hᵀ with A = 1 − D + D r block-diagonal, for a regularised problem with a factor of Ŵ.
    pub fn factorise_low(&mut self, form: &NormalForm, map: &Map, at: At) -> bool {
        let r = form.rank;
        self.inverse.resize(form.blocks.len(), [[0.0; 3]; 3]);
        self.G.resize(form.n * r, 0.0);
        for (k, block) in form.blocks.iter().enumerate() {
            let (dim, D) = (block.dim, &map.D[k]);
            let mut A = [[0.0; 3]; 3];
            for x in 0..dim {
                for y in 0..dim {
                    // Softness acts on u, so that |u_t| n feels it.
                    let soft = at.soft * form.soft[block.at + y];
                    let slip = if y > 0 { D[x][0] * map.slope[k][y - 1] * soft } else { 0.0 };
                    let own = D[x][y] * (at.firm + soft - 1.0);
                    A[x][y] = own + slip + f64::from(u8::from(x == y));
                }
            }
            let Some(inverse) = invert(&A, dim) else { return false };
            self.inverse[k] = inverse;
            for c in 0..r {
                let mut h: [f64; 3] =
                    std::array::from_fn(
                        |x| {
                            if x < dim { form.H[(block.at + x) * r + c] } else { 0.0 }
                        },
                    );
                h[0] += map.slope[k][0] * h[1] + map.slope[k][1] * h[2];
                let d: [f64; 3] = std::array::from_fn(|x| (0..dim).map(|y| D[x][y] * h[y]).sum());
                for (x, inverse) in inverse.iter().enumerate().take(dim) {
                    self.G[(block.at + x) * r + c] = (0..dim).map(|y| inverse[y] * d[y]).sum();
                }
            }
        }
        let small = self.small.matrix(r);
        small.fill(0.0);
        for i in 0..form.n {
            let (h, g) = (&form.H[i * r..(i + 1) * r], &self.G[i * r..(i + 1) * r]);
            for (row, h) in small.chunks_exact_mut(r).zip(h) {
                if *h != 0.0 {
                    row.iter_mut().zip(g).for_each(|(s, g)| *s += h * g);
                }
            }
        }
        (0..r).for_each(|i| small[i * r + i] += 1.0);
        self.small.factorise()
    }

    /// b ← J⁻¹ b with what was prepared: (1 + Hᵀ A⁻¹ D B H) y = Hᵀ A⁻¹ b, x = A⁻¹ b − A⁻¹ D B H y (Woodbury).
    pub fn solve_low(&mut self, form: &NormalForm, b: &mut [f64]) {
        let r = form.rank;
        for (k, block) in form.blocks.iter().enumerate() {
            let own: [f64; 3] =
                std::array::from_fn(|x| if x < block.dim { b[block.at + x] } else { 0.0 });
            for x in 0..block.dim {
                b[block.at + x] = (0..block.dim).map(|y| self.inverse[k][x][y] * own[y]).sum();
            }
        }
        self.y.clear();
        self.y.resize(r, 0.0);
        for (h, b) in form.H.chunks_exact(r).zip(b.iter()) {
            self.y.iter_mut().zip(h).for_each(|(y, h)| *y += h * b);
        }
        self.small.solve(&mut self.y);
        for (g, b) in self.G.chunks_exact(r).zip(b.iter_mut()) {
            *b -= dot(g, &self.y);
        }
    }
}

/// The inverse of a block; `None` if it is singular.
fn invert(A: &Small, dim: usize) -> Option<Small> {
    let mut out = [[0.0; 3]; 3];
    let M = |i: usize, j: usize| match (i < dim, j < dim) {
        (true, true) => A[i][j],
        _ => f64::from(u8::from(i == j)),
    };
    let minor = |i: usize, j: usize| {
        let (a, b) = ((i + 1) % 3, (i + 2) % 3);
        let (c, d) = ((j + 1) % 3, (j + 2) % 3);
        M(a, c) * M(b, d) - M(a, d) * M(b, c)
    };
    let det = (0..3).map(|j| M(0, j) * minor(0, j)).sum::<f64>();
    if !(det.abs() > 0.0) {
        return None;
    }
    for (i, row) in out.iter_mut().enumerate().take(dim) {
        for (j, x) in row.iter_mut().enumerate().take(dim) {
            *x = minor(j, i) / det;
        }
    }
    Some(out)
}
