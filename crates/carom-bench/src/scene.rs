//! Random impacts in space and in the plane, and the same impact in another order and in other tangents.

use carom::maths::cone::{Admissible, ContactPoint, ContactProblem};
use carom_reference::random::Random;

/// An impact: points, their restitution, W and u⁻.
pub struct Scene {
    /// The points, with their friction.
    pub points: Vec<ContactPoint>,
    /// e of each.
    pub restitution: Vec<f64>,
    /// W, by rows.
    pub W: Vec<f64>,
    /// u⁻.
    pub u: Vec<f64>,
}

impl Scene {
    /// One to three free bodies, two to sixteen points against ground or each other, μ up to 3: with more than two points a body the rows
    /// depend on each other.
    pub fn random(random: &mut Random, planar: bool) -> Self {
        let bodies = 1 + random.index(3);
        let count = 2 + random.index(15);
        let each = if planar { 2 } else { 3 };
        let size: Vec<[f64; 2]> =
            (0..bodies).map(|_| [random.within(0.5, 2.0), random.within(0.5, 3.0)]).collect();
        let w: Vec<f64> = (0..6 * bodies).map(|_| random.within(-1.0, 1.0)).collect();
        let mut G = vec![vec![0.0; 6 * bodies]; each * count];
        let mut points = Vec::with_capacity(count);
        let mut restitution = Vec::with_capacity(count);
        for point in 0..count {
            let body = random.index(bodies);
            let other = Some(random.index(bodies)).filter(|other| *other != body);
            let [n, t, s] = if planar {
                let (sin, cos) = random.within(-3.2, 3.2).sin_cos();
                [[cos, sin, 0.0], [-sin, cos, 0.0], [0.0; 3]]
            } else {
                frame(random.unit_vector())
            };
            for (body, sign) in [(Some(body), 1.0), (other, -1.0)] {
                let Some(body) = body else { continue };
                let [x, y, mut z] = random.vector(1.0);
                if planar {
                    z = 0.0;
                }
                let [mass, inertia] = size[body];
                for (row, [a, b, c]) in [n, t, s].into_iter().take(each).enumerate() {
                    let own = [a, b, c, y * c - z * b, z * a - x * c, x * b - y * a];
                    for (k, own) in own.into_iter().enumerate() {
                        let unit = if k < 3 { mass } else { inertia };
                        G[each * point + row][6 * body + k] = sign * own / unit.sqrt();
                    }
                }
            }
            restitution.push(random.uniform());
            let admissible = Admissible::Coulomb(random.within(0.0, 3.0));
            points.push(ContactPoint { tangents: each - 1, admissible, least: 0.0 });
        }
        let dot = |x: &[f64], y: &[f64]| -> f64 { x.iter().zip(y).map(|(x, y)| x * y).sum() };
        let W = G.iter().flat_map(|x| G.iter().map(move |y| dot(x, y))).collect();
        let u = G.iter().map(|g| dot(g, &w)).collect();
        Self { points, restitution, W, u }
    }

    /// c of the plastic law, or of Newton's.
    pub fn c(&self, newton: bool) -> Vec<f64> {
        let rows = self.points.iter().zip(&self.restitution);
        let e = rows.flat_map(|(point, e)| {
            (0..point.rows()).map(move |x| if x == 0 && newton { *e } else { 0.0 })
        });
        self.u.iter().zip(e).map(|(u, e)| u + e * u.min(0.0)).collect()
    }

    /// The contact problem with this c.
    pub fn problem<'a>(&'a self, c: &'a [f64]) -> ContactProblem<'a> {
        ContactProblem { points: &self.points, W: &self.W, c, round_off: 0.0 }
    }

    /// The same impact with its points in another order and its tangents turned and mirrored, and the rows Q of which it consists: new row =
    /// Σ Q old row. A rotation of the whole scene turns normals and tangents alike, so that it changes W by no more than this.
    pub fn altered(&self, random: &mut Random) -> (Self, Vec<f64>) {
        let (n, k) = (self.u.len(), self.points.len());
        let each = n / k;
        let mut order: Vec<usize> = (0..k).collect();
        (1..k).for_each(|i| order.swap(i, random.index(i + 1)));
        let mut Q = vec![0.0; n * n];
        for (new, &old) in order.iter().enumerate() {
            let (sin, cos) =
                if each == 3 { random.within(-3.0, 3.0).sin_cos() } else { (0.0, 1.0) };
            let side = if random.index(2) == 0 { 1.0 } else { -1.0 };
            let mut set = |x: usize, y: usize, q: f64| {
                Q[(each * new + x) * n + each * old + y] = q;
            };
            set(0, 0, 1.0);
            if each == 3 {
                set(1, 2, sin);
                set(2, 1, -sin * side);
                set(2, 2, cos * side);
                set(1, 1, cos);
            } else {
                set(1, 1, side);
            }
        }
        let row = |Q: &[f64], i: usize, x: &[f64], stride: usize, at: usize| -> f64 {
            (0..n).map(|j| Q[i * n + j] * x[j * stride + at]).sum()
        };
        let half: Vec<f64> = (0..n * n).map(|ij| row(&Q, ij / n, &self.W, n, ij % n)).collect();
        let W = (0..n * n).map(|ij| row(&Q, ij % n, &half[ij / n * n..], 1, 0)).collect();
        let u = (0..n).map(|i| row(&Q, i, &self.u, 1, 0)).collect();
        let points = order.iter().map(|&i| self.points[i]).collect();
        let restitution = order.iter().map(|&i| self.restitution[i]).collect();
        (Self { points, restitution, W, u }, Q)
    }
}

/// A unit vector and two across it.
fn frame(n: [f64; 3]) -> [[f64; 3]; 3] {
    let side = if n[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let t = cross(n, side);
    let length = t.iter().map(|x| x * x).sum::<f64>().sqrt();
    let t = t.map(|x| x / length);
    [n, t, cross(n, t)]
}
