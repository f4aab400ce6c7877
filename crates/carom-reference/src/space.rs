//! Vectors and rotations of space as plain arrays.

/// A vector.
pub type Vector = [f64; 3];
/// A 3×3 matrix, by rows.
pub type Matrix = [[f64; 3]; 3];

/// x + y.
pub fn add(x: Vector, y: Vector) -> Vector {
    [x[0] + y[0], x[1] + y[1], x[2] + y[2]]
}

/// s x.
pub fn scale(s: f64, x: Vector) -> Vector {
    x.map(|x| s * x)
}

/// x − y.
pub fn sub(x: Vector, y: Vector) -> Vector {
    add(x, scale(-1.0, y))
}

/// x · y.
pub fn dot(x: Vector, y: Vector) -> f64 {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
}

/// |x|.
pub fn norm(x: Vector) -> f64 {
    dot(x, x).sqrt()
}

/// x × y.
pub fn cross(x: Vector, y: Vector) -> Vector {
    [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
}

/// R x.
pub fn apply(R: &Matrix, x: Vector) -> Vector {
    [dot(R[0], x), dot(R[1], x), dot(R[2], x)]
}

/// Rᵀ.
pub fn transpose(R: &Matrix) -> Matrix {
    [[R[0][0], R[1][0], R[2][0]], [R[0][1], R[1][1], R[2][1]], [R[0][2], R[1][2], R[2][2]]]
}

/// P Q.
pub fn product(P: &Matrix, Q: &Matrix) -> Matrix {
    let columns = transpose(Q);
    P.map(|row| [dot(row, columns[0]), dot(row, columns[1]), dot(row, columns[2])])
}

/// The unit matrix.
pub const IDENTITY: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Rotation about x.
pub fn about_x(angle: f64) -> Matrix {
    let (s, c) = angle.sin_cos();
    [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]]
}

/// Rotation about y.
pub fn about_y(angle: f64) -> Matrix {
    let (s, c) = angle.sin_cos();
    [[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]]
}

/// Rotation about z.
pub fn about_z(angle: f64) -> Matrix {
    let (s, c) = angle.sin_cos();
    [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]
}

/// R J Rᵀ: an inertia tensor in the axes that R turns into.
pub fn turned(R: &Matrix, J: &Matrix) -> Matrix {
    product(&product(R, J), &transpose(R))
}

/// A frame in another: x ↦ R x + p.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// R.
    pub rotation: Matrix,
    /// p.
    pub origin: Vector,
}

impl Frame {
    /// The frame itself.
    pub const WORLD: Self = Self { rotation: IDENTITY, origin: [0.0; 3] };

    /// The Denavit–Hartenberg step Rz(θ) Tz(d) Tx(a) Rx(α).
    pub fn denavit_hartenberg(theta: f64, d: f64, a: f64, alpha: f64) -> Self {
        let turn = about_z(theta);
        Self {
            rotation: product(&turn, &about_x(alpha)),
            origin: add(apply(&turn, [a, 0.0, 0.0]), [0.0, 0.0, d]),
        }
    }

    /// `inner`, given in this frame, seen from outside.
    pub fn then(&self, inner: &Self) -> Self {
        Self {
            rotation: product(&self.rotation, &inner.rotation),
            origin: self.point(inner.origin),
        }
    }

    /// A point of this frame, seen from outside.
    pub fn point(&self, x: Vector) -> Vector {
        add(apply(&self.rotation, x), self.origin)
    }

    /// A direction of this frame, seen from outside.
    pub fn direction(&self, x: Vector) -> Vector {
        apply(&self.rotation, x)
    }

    /// The z axis, seen from outside.
    pub fn z(&self) -> Vector {
        self.direction([0.0, 0.0, 1.0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_turn_the_axes_right_handedly() {
        let close = |x: Vector, y: Vector| norm(sub(x, y)) < 1e-15;
        let quarter = std::f64::consts::FRAC_PI_2;
        assert!(close(apply(&about_x(quarter), [0.0, 1.0, 0.0]), [0.0, 0.0, 1.0]));
        assert!(close(apply(&about_y(quarter), [0.0, 0.0, 1.0]), [1.0, 0.0, 0.0]));
        assert!(close(apply(&about_z(quarter), [1.0, 0.0, 0.0]), [0.0, 1.0, 0.0]));
        assert!(close(cross([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]), [0.0, 0.0, 1.0]));
    }

    #[test]
    fn a_denavit_hartenberg_step_is_the_product_of_its_four_motions() {
        let (theta, d, a, alpha) = (0.3, 0.7, 1.1, -0.4);
        let step = Frame::denavit_hartenberg(theta, d, a, alpha);
        let parts = [
            Frame { rotation: about_z(theta), origin: [0.0; 3] },
            Frame { rotation: IDENTITY, origin: [0.0, 0.0, d] },
            Frame { rotation: IDENTITY, origin: [a, 0.0, 0.0] },
            Frame { rotation: about_x(alpha), origin: [0.0; 3] },
        ];
        let product = parts.iter().fold(Frame::WORLD, |frame, part| frame.then(part));
        assert!(norm(sub(step.origin, product.origin)) < 1e-15);
        assert!(norm(sub(step.z(), product.z())) < 1e-15);
    }
}
