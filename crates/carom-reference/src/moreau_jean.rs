//! Time stepping for one planar body with unilateral contacts and Coulomb friction: the second method beside a run that lands on events.
//!
//! J. J. Moreau, *Unilateral contact and dry friction in finite freedom dynamics* (1988), and M. Jean, *The non-smooth contact dynamics
//! method*, Comput. Methods Appl. Mech. Engrg. 177 (1999) 235: no event is looked for. Positions are taken at the middle of a step,
//!
//! ```text
//! q_m = q + h/2 v      M (v⁺ − v) = h F(t_m) + Hᵀ p      q⁺ = q_m + h/2 v⁺
//! 0 ≤ p_n ⟂ u_n⁺ + e u_n⁻ ≥ 0      p_t ∈ −μ p_n Sgn(u_t⁺)      of contacts with g(q_m) ≤ 0
//! ```
//!
//! and the impulses p over a step are forces and impacts alike. Errors are of first order in h. Symbols: q = (x, y, θ) \[m, m, rad\], v its
//! rate, g the gap \[m\], u = H v the relative velocity along normal and tangent \[m/s\], p \[N s\], e and μ as usual.

/// What of the body touches a plane.
#[derive(Clone, Copy, Debug)]
pub enum Outline {
    /// A point, in the axes of the body from its mass centre \[m\].
    Point([f64; 2]),
    /// A circle about the mass centre, of this radius \[m\].
    Rim(f64),
}

/// A half-plane that the body cannot enter.
#[derive(Clone, Copy, Debug)]
pub struct Plane {
    /// Its unit normal, away from it.
    pub normal: [f64; 2],
    /// n · x of its points \[m\].
    pub offset: f64,
    /// What touches it.
    pub outline: Outline,
    /// e.
    pub restitution: f64,
    /// μ.
    pub friction: f64,
}

/// A free planar body.
#[derive(Clone, Debug)]
pub struct Body {
    /// m \[kg\].
    pub mass: f64,
    /// I about the mass centre \[kg m²\].
    pub inertia: f64,
    /// What it may touch.
    pub planes: Vec<Plane>,
}

/// Positions and velocities.
pub type State = [[f64; 3]; 2];

/// A contact over a step: its rows, W of its own rows, e u_n⁻ and its impulse.
struct Active {
    rows: [[f64; 3]; 2],
    W: [[f64; 2]; 2],
    bounce: f64,
    friction: f64,
    p: [f64; 2],
}

fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

impl Plane {
    /// Gap and rows of normal and tangent.
    fn touch(&self, q: &[f64; 3]) -> (f64, [[f64; 3]; 2]) {
        let [n_x, n_y] = self.normal;
        let [r_x, r_y] = match self.outline {
            Outline::Point([a, b]) => {
                let (s, c) = q[2].sin_cos();
                [c * a - s * b, s * a + c * b]
            }
            Outline::Rim(radius) => [-radius * n_x, -radius * n_y],
        };
        let gap = n_x * (q[0] + r_x) + n_y * (q[1] + r_y) - self.offset;
        let row = |d: [f64; 2]| [d[0], d[1], r_x * d[1] - r_y * d[0]];
        (gap, [row([n_x, n_y]), row([-n_y, n_x])])
    }
}

impl Active {
    /// Coulomb's law of this contact alone, with u the velocities without its impulse.
    fn solve(&mut self, u: [f64; 2]) {
        let (c, [[a, b], [_, d]]) = (u[0] + self.bounce, self.W);
        if c >= 0.0 && u[0] + self.bounce >= 0.0 {
            self.p = [0.0; 2];
            return;
        }
        let determinant = a * d - b * b;
        let stick = [(b * u[1] - d * c) / determinant, (b * c - a * u[1]) / determinant];
        if stick[1].abs() <= self.friction * stick[0] {
            self.p = stick;
            return;
        }
        // It slides against the tangential impulse that sticking would need.
        let way = self.friction * stick[1].signum();
        let normal = -c / (a + way * b);
        self.p = [normal, way * normal];
    }
}

impl Body {
    /// The state after a time, by so many steps, under a load F(t) = (F_x, F_y, M_z).
    pub fn run(
        &self,
        [mut q, mut v]: State,
        until: f64,
        steps: u32,
        load: impl Fn(f64) -> [f64; 3],
    ) -> State {
        let h = until / f64::from(steps);
        let inverse = [self.mass.recip(), self.mass.recip(), self.inertia.recip()];
        for step in 0..steps {
            let middle: [f64; 3] = std::array::from_fn(|i| q[i] + 0.5 * h * v[i]);
            let force = load((f64::from(step) + 0.5) * h);
            let minus = v;
            for i in 0..3 {
                v[i] += h * inverse[i] * force[i];
            }
            let mut active: Vec<Active> = Vec::new();
            for plane in &self.planes {
                let (gap, rows) = plane.touch(&middle);
                if gap > 0.0 {
                    continue;
                }
                let weighted =
                    |i: usize| std::array::from_fn::<f64, 3, _>(|k| inverse[k] * rows[i][k]);
                let W = [0, 1].map(|i| [0, 1].map(|j| dot(&rows[i], &weighted(j))));
                let bounce = plane.restitution * dot(&rows[0], &minus).min(0.0);
                active.push(Active { rows, W, bounce, friction: plane.friction, p: [0.0; 2] });
            }
            // Gauss and Seidel: one contact after the other, until nothing changes.
            for _ in 0..1000 {
                let mut change = 0.0_f64;
                for contact in &mut active {
                    let before = contact.p;
                    let own = |i: usize| contact.W[i][0] * before[0] + contact.W[i][1] * before[1];
                    let u = [0, 1].map(|i| dot(&contact.rows[i], &v) - own(i));
                    contact.solve(u);
                    for k in 0..3 {
                        let push = |i: usize| contact.rows[i][k] * (contact.p[i] - before[i]);
                        let jump = inverse[k] * (push(0) + push(1));
                        v[k] += jump;
                        change = change.max(jump.abs());
                    }
                }
                if active.len() < 2 || change < 1e-14 {
                    break;
                }
            }
            q = std::array::from_fn(|i| middle[i] + 0.5 * h * v[i]);
        }
        [q, v]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sliding_block_stops_after_the_way_of_the_textbook() {
        let floor = Plane {
            normal: [0.0, 1.0],
            offset: 0.0,
            outline: Outline::Point([0.0, 0.0]),
            restitution: 0.0,
            friction: 0.4,
        };
        let block = Body { mass: 2.0, inertia: 1.0, planes: vec![floor] };
        let start = [[0.0; 3], [1.5, 0.0, 0.0]];
        let way = 1.5 * 1.5 / (2.0 * 0.4 * 9.81);
        for (steps, error) in [(1000, 2e-3), (10_000, 2e-4), (100_000, 2e-5)] {
            let [q, v] = block.run(start, 1.0, steps, |_| [0.0, -2.0 * 9.81, 0.0]);
            assert!((q[0] - way).abs() < error && v[0].abs() < 1e-15, "{steps}: {q:?} {v:?}");
        }
    }

    #[test]
    fn a_disc_that_slides_rolls_with_two_thirds_of_its_speed() {
        // Momentum about the line of contact: m v₀ R = m v R + ½ m R² v / R.
        let floor = Plane {
            normal: [0.0, 1.0],
            offset: 0.0,
            outline: Outline::Rim(0.1),
            restitution: 0.0,
            friction: 0.3,
        };
        let disc = Body { mass: 1.0, inertia: 0.005, planes: vec![floor] };
        let start = [[0.0, 0.1, 0.0], [1.2, 0.0, 0.0]];
        let [_, v] = disc.run(start, 1.0, 20_000, |_| [0.0, -9.81, 0.0]);
        assert!((v[0] - 0.8).abs() < 1e-9 && (v[2] + 8.0).abs() < 1e-8, "{v:?}");
    }
}
