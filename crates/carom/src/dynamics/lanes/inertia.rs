//! Articulated inertias of several states side by side; the equations stand in `maths::inertia`.

use super::number::{Lane, LaneVector};

/// Moment and force.
#[derive(Clone, Copy, Debug, Default)]
pub struct LaneWrench {
    pub moment: LaneVector,
    pub force: LaneVector,
}

/// The 6 × 6 matrix in its three blocks: the upper halves of J and M by rows, and H by rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct LaneInertia {
    J: [Lane; 6],
    H: [[Lane; 3]; 3],
    M: [Lane; 6],
}

#[inline(always)]
fn add_square(to: &mut [Lane; 6], k: Lane, x: &LaneVector) {
    let [x, y, z] = x.0;
    let (a, b, c) = (k * x, k * y, k * z);
    to[0] += a * x;
    to[1] += a * y;
    to[2] += a * z;
    to[3] += b * y;
    to[4] += b * z;
    to[5] += c * z;
}

#[inline(always)]
fn times(s: &[Lane; 6], x: &LaneVector) -> LaneVector {
    let [x, y, z] = x.0;
    LaneVector([
        s[0] * x + s[1] * y + s[2] * z,
        s[1] * x + s[3] * y + s[4] * z,
        s[2] * x + s[4] * y + s[5] * z,
    ])
}

impl LaneInertia {
    /// Adds a rigid body: mass, m c, and its inertia about the reference point as j 1 + Σ a aᵀ, in world axes.
    #[inline(always)]
    pub fn add_rigid(&mut self, mass: f64, h: &LaneVector, j: f64, axes: &[LaneVector; 2]) {
        let (j, zero) = (Lane::all(j), Lane::default());
        let mut own = [j, zero, zero, j, zero, j];
        add_square(&mut own, Lane::all(1.0), &axes[0]);
        add_square(&mut own, Lane::all(1.0), &axes[1]);
        for (to, own) in self.J.iter_mut().zip(own) {
            *to += own;
        }
        let [x, y, z] = h.0;
        self.H[0][1] -= z;
        self.H[0][2] += y;
        self.H[1][0] += z;
        self.H[1][2] -= x;
        self.H[2][0] -= y;
        self.H[2][1] += x;
        let mass = Lane::all(mass);
        self.M[0] += mass;
        self.M[3] += mass;
        self.M[5] += mass;
    }

    /// The wrench of a rotation about the reference point.
    #[inline(always)]
    pub fn times_rotation(&self, axis: &LaneVector) -> LaneWrench {
        let ([x, y, z], H) = (axis.0, &self.H);
        let column = |j: usize| H[0][j] * x + H[1][j] * y + H[2][j] * z;
        LaneWrench {
            moment: times(&self.J, axis),
            force: LaneVector([column(0), column(1), column(2)]),
        }
    }

    /// The wrench of a translation.
    #[inline(always)]
    pub fn times_translation(&self, axis: &LaneVector) -> LaneWrench {
        let ([x, y, z], H) = (axis.0, &self.H);
        let row = |i: usize| H[i][0] * x + H[i][1] * y + H[i][2] * z;
        LaneWrench { moment: LaneVector([row(0), row(1), row(2)]), force: times(&self.M, axis) }
    }

    /// I ← I + k w wᵀ.
    #[inline(always)]
    pub fn add_square(&mut self, k: Lane, w: &LaneWrench) {
        add_square(&mut self.J, k, &w.moment);
        add_square(&mut self.M, k, &w.force);
        let f = w.force.times(k);
        for i in 0..3 {
            for j in 0..3 {
                self.H[i][j] += w.moment.0[i] * f.0[j];
            }
        }
    }

    /// I ← I + other.
    #[inline(always)]
    pub fn add(&mut self, other: &Self) {
        for k in 0..6 {
            self.J[k] += other.J[k];
            self.M[k] += other.M[k];
        }
        for i in 0..3 {
            for j in 0..3 {
                self.H[i][j] += other.H[i][j];
            }
        }
    }

    /// Takes the inertia about another point instead, from which the present one stands at `r`.
    #[inline(always)]
    pub fn shift(&mut self, r: &LaneVector) {
        let [xx, xy, xz, yy, yz, zz] = self.M;
        let [x, y, z] = r.0;
        let H = self.H;
        // G = H + r̃ M
        let G = [
            [H[0][0] + (y * xz - z * xy), H[0][1] + (y * yz - z * yy), H[0][2] + (y * zz - z * yz)],
            [H[1][0] + (z * xx - x * xz), H[1][1] + (z * xy - x * yz), H[1][2] + (z * xz - x * zz)],
            [H[2][0] + (x * xy - y * xx), H[2][1] + (x * yy - y * xy), H[2][2] + (x * yz - y * xz)],
        ];
        let J = &mut self.J;
        J[0] -= z * (G[0][1] + H[0][1]) - y * (G[0][2] + H[0][2]);
        J[1] -= (x * G[0][2] - z * G[0][0]) + (z * H[1][1] - y * H[1][2]);
        J[2] -= (y * G[0][0] - x * G[0][1]) + (z * H[2][1] - y * H[2][2]);
        J[3] -= x * (G[1][2] + H[1][2]) - z * (G[1][0] + H[1][0]);
        J[4] -= (y * G[1][0] - x * G[1][1]) + (x * H[2][2] - z * H[2][0]);
        J[5] -= y * (G[2][0] + H[2][0]) - x * (G[2][1] + H[2][1]);
        self.H = G;
    }
}
