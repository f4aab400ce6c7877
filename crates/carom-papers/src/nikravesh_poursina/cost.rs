//! What eqs. 28 and 31 cost: multiplications and divisions, counted as each is worked through by hand.
//!
//! Counted, not timed, so that the numbers are the same on every machine. M, D and d are those of body coordinates
//! (eqs. 17 to 22), as the paper has them. A product with a zero is free: M is block-diagonal, and D has few entries.

use carom::dynamics::body_space::BodySpace;
use nalgebra::{DMatrix, DVector};

use super::super::claim::Claim;
use super::super::lab::{Answer, Lab};
use super::SLIDER_CRANK;
use carom::maths::digits::six;

/// Both routes give the engine's m_eff up to round-off.
const SAME: f64 = 1e-9;

/// A cost that is *much* less is at most half.
const MUCH_LESS: f64 = 0.5;

/// The mechanisms on which the two are compared.
const COMPARED: [(&str, &str); 3] = [
    ("the slider-crank", SLIDER_CRANK),
    ("the pantograph of Gonzalez et al.", "002/pantograph.toml"),
    ("a six-axis arm", "robot-arm.toml"),
];

/// m_eff \[kg\] and the operations it took.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Worked {
    mass: f64,
    operations: usize,
}

/// Multiplies and divides, and counts where neither number is zero.
#[derive(Default)]
struct Tally(usize);

impl Tally {
    fn times(&mut self, a: f64, b: f64) -> f64 {
        if a == 0.0 || b == 0.0 {
            return 0.0;
        }
        self.0 += 1;
        a * b
    }

    fn over(&mut self, a: f64, b: f64) -> f64 {
        self.0 += usize::from(a != 0.0);
        a / b
    }

    /// y ← y − f x, from a column on.
    fn subtract(&mut self, K: &mut DMatrix<f64>, (y, x): (usize, usize), f: f64, from: usize) {
        for j in from..K.ncols() {
            K[(y, j)] -= self.times(f, K[(x, j)]);
        }
    }

    fn product(&mut self, A: &DMatrix<f64>, B: &DMatrix<f64>) -> DMatrix<f64> {
        DMatrix::from_fn(A.nrows(), B.ncols(), |i, j| {
            (0..A.ncols()).map(|k| self.times(A[(i, k)], B[(k, j)])).sum()
        })
    }

    /// Gauss and Jordan's inverse of a matrix whose pivots stand on its diagonal.
    fn inverse(&mut self, A: &DMatrix<f64>) -> DMatrix<f64> {
        let n = A.nrows();
        let mut K = DMatrix::zeros(n, 2 * n);
        K.view_mut((0, 0), (n, n)).copy_from(A);
        K.view_mut((0, n), (n, n)).fill_with_identity();
        for p in 0..n {
            let pivot = K[(p, p)];
            for j in p..2 * n {
                K[(p, j)] = self.over(K[(p, j)], pivot);
            }
            for i in (0..n).filter(|i| *i != p) {
                let f = K[(i, p)];
                if f != 0.0 {
                    self.subtract(&mut K, (i, p), f, p);
                }
            }
        }
        K.columns(n, n).into_owned()
    }
}

/// Eq. 28 by Gaussian elimination. m_eff is the last unknown: nothing is put back.
fn bordered(M: &DMatrix<f64>, D: &DMatrix<f64>, d: &DVector<f64>) -> Worked {
    let (n, c) = (M.nrows(), D.nrows());
    let mut K = DMatrix::zeros(n + c + 1, n + c + 1);
    K.view_mut((0, 0), (n, n)).copy_from(M);
    K.view_mut((0, n), (n, c)).copy_from(&-D.transpose());
    K.view_mut((0, n + c), (n, 1)).copy_from(&-d);
    K.view_mut((n, 0), (c, n)).copy_from(D);
    K.view_mut((n + c, 0), (1, n)).copy_from(&d.transpose());
    let mut tally = Tally::default();
    for p in 0..n + c {
        for i in p + 1..=n + c {
            if K[(i, p)] != 0.0 {
                let f = tally.over(K[(i, p)], K[(p, p)]);
                tally.subtract(&mut K, (i, p), f, p + 1);
            }
        }
    }
    let mass = tally.over(1.0, K[(n + c, n + c)]);
    Worked { mass, operations: tally.0 }
}

/// Eq. 31 as printed, with two inverses.
fn closed(M: &DMatrix<f64>, D: &DMatrix<f64>, d: &DVector<f64>) -> Worked {
    let mut tally = Tally::default();
    let inverse = tally.inverse(M);
    let d = DMatrix::from_column_slice(d.len(), 1, d.as_slice());
    let X = tally.product(D, &inverse);
    let S = tally.product(&X, &D.transpose());
    let S_inverse = tally.inverse(&S);
    // dᵀ M⁻¹ d − (D M⁻¹ d)ᵀ S⁻¹ (D M⁻¹ d)
    let y = tally.product(&inverse, &d);
    let z = tally.product(&X, &d);
    let w = tally.product(&S_inverse, &z);
    let below = tally.product(&d.transpose(), &y) - tally.product(&z.transpose(), &w);
    let mass = tally.over(1.0, below[(0, 0)]);
    Worked { mass, operations: tally.0 }
}

/// The operations of eqs. 28 and 31 on a mechanism, both of which must find the engine's m_eff.
fn operations(lab: &Lab, file: &str) -> Answer<[usize; 2]> {
    let words = |error: &dyn ToString| error.to_string();
    let mass = lab.normal(file, &[])?.effective.mass;
    lab.posture(file, &[], |at| {
        let touch = at.touch(0).map_err(|e| words(&e))?;
        let point = touch.points().first().ok_or_else(|| format!("{file}: no contact"))?;
        let row = at.contact_row(0, point, &point.normal);
        let body = BodySpace::new(at).map_err(|e| words(&e))?;
        let (d, reduced) = (body.row(&row), body.matrices.reduced());
        let both = [bordered, closed].map(|route| route(&reduced.M, &reduced.D, &d));
        match both.iter().find(|found| (found.mass / mass - 1.0).abs() > SAME) {
            Some(found) => {
                Err(format!("{file}: m_eff {} kg, not {} kg", six(found.mass), six(mass)))
            }
            None => Ok(both.map(|found| found.operations)),
        }
    })?
}

/// Section 4.2.
pub(super) fn claims() -> Vec<Claim> {
    let counted = "multiplications and divisions, zeros left out, in body coordinates; what is saved is the inverse of D M⁻¹ Dᵀ: \
                   eliminating M from eq. 28 leaves the same matrix, which is then factorised only";
    let mut all = vec![
        Claim::words("sec. 4.2", "it is much more efficient to solve eq. 28 than eq. 31", |lab| {
            let mut parts = Vec::new();
            for (_, file) in COMPARED {
                let [solved, inverted] = operations(lab, file)?.map(|count| count as f64);
                parts.push(solved / inverted);
            }
            let text: Vec<String> = parts.iter().map(|part| format!("{part:.2}")).collect();
            Ok((
                parts.iter().all(|part| *part < MUCH_LESS),
                format!("{} of the cost", text.join(", ")),
            ))
        })
        .note(counted),
    ];
    for (name, file) in COMPARED {
        for (k, equation) in ["eq. 28", "eq. 31"].into_iter().enumerate() {
            let what = format!("operations of {equation}, {name}");
            all.push(Claim::unstated("sec. 4.2", &what, "", move |lab| {
                Ok(operations(lab, file)?[k] as f64)
            }));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_routes_of_a_pinned_rod_give_a_third_of_its_mass() {
        // A rod of 1 kg and 1 m along x, pinned at its left end, struck at its right end along y: m/3.
        let M = DMatrix::from_diagonal(&DVector::from_vec(vec![1.0, 1.0, 1.0 / 12.0]));
        let D = DMatrix::from_row_slice(2, 3, &[1.0, 0.0, 0.0, 0.0, 1.0, -0.5]);
        let d = DVector::from_vec(vec![0.0, 1.0, 0.5]);
        for route in [bordered, closed] {
            let found = route(&M, &D, &d);
            assert!((found.mass - 1.0 / 3.0).abs() < 1e-15, "{found:?}");
        }
    }

    #[test]
    fn an_inverse_of_a_full_matrix_takes_the_cube_of_its_size() {
        let A = DMatrix::from_row_slice(2, 2, &[2.0, 1.0, 1.0, 3.0]);
        let mut tally = Tally::default();
        let inverse = tally.inverse(&A);
        assert!((A * inverse - DMatrix::identity(2, 2)).norm() < 1e-15);
        // Each pivot: its row divided (the pivot too), the other row less a multiple of it, zeros apart.
        assert_eq!(tally.0, 12);
    }
}
