//! The constrained bar of Fenili et al. in motion: its two sets of equations by the paper's Runge-Kutta method of order 4.
//!
//! Free: eq. 2.1 with F_N = 0. In contact: eq. 3.1 for y_s and θ, and F_N from the wall's line of eq. 2.1. Misprints are mended as
//! Misprints of the paper, corrected: ÿ_s in line 3 of eq. 2.1, a1 = I + m_b a², a2 = m_b a + m_w ℓ, a3 = m_t m_w ℓ² − a2².
//! An impact is plastic (eq. 4.33); a contact whose F_N is negative right after it opens at once. The step in which a mode ends is
//! repeated with the length at which it does, so that the method keeps its order.

use crate::constrained_bar::ConstrainedBar;

/// Springs, dampers and the torque on the bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mounting {
    /// k_s, k_w.
    pub stiffness: [f64; 2],
    /// c_s, c_w.
    pub damping: [f64; 2],
    /// M_θ.
    pub torque: f64,
}

/// y_s, θ, y_w and their rates.
pub type State = [f64; 6];

/// A plastic impact and the contact that follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// When it began.
    pub onset: f64,
    /// T before less T after.
    pub energy_lost: f64,
    /// F_N right after the impact; negative: it opens at once.
    pub first_force: f64,
    /// The greatest F_N while it lasted, at the ends of steps.
    pub largest_force: f64,
    /// When F_N fell to zero; none of a contact that opens at once, or still lasts.
    pub release: Option<f64>,
}

/// A bar on its mounting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// Masses and lengths.
    pub bar: ConstrainedBar,
    /// What holds and drives it.
    pub mounting: Mounting,
}

impl Run {
    /// d − y_s + y_w − ℓ sin θ (eq. 2.2).
    pub fn gap(&self, x: &State) -> f64 {
        self.bar.distance - x[0] + x[2] - self.bar.length * x[1].sin()
    }

    /// ÿ_s, θ̈, ÿ_w without contact: eq. 2.1 with F_N = 0.
    fn free(&self, x: &State) -> [f64; 3] {
        let [y_s, theta, y_w, v_s, omega, v_w] = *x;
        let (s, c) = theta.sin_cos();
        let b = &self.bar;
        let Mounting { stiffness: [k_s, k_w], damping: [c_s, c_w], torque } = self.mounting;
        let (m, J) = (b.bar_mass + b.support_mass, b.inertia + b.bar_mass * b.center * b.center);
        let first = b.bar_mass * b.center;
        let force = first * omega * omega * s - c_s * v_s - k_s * y_s;
        let determinant = m * J - (first * c).powi(2);
        [
            (force * J - first * c * torque) / determinant,
            (m * torque - first * c * force) / determinant,
            (-c_w * v_w - k_w * y_w) / b.wall_mass,
        ]
    }

    /// ÿ_s, θ̈, ÿ_w in contact: eq. 3.1, and eq. 2.2 differentiated twice.
    fn held(&self, x: &State) -> [f64; 3] {
        let [y_s, theta, _, v_s, omega, _] = *x;
        let (s, c) = theta.sin_cos();
        let ConstrainedBar { bar_mass: m_b, wall_mass: m_w, length: l, center: a, .. } = self.bar;
        let d = self.bar.distance;
        let Mounting { stiffness: [k_s, k_w], damping: [c_s, c_w], torque } = self.mounting;
        let m_t = m_b + self.bar.support_mass + m_w;
        let a1 = self.bar.inertia + m_b * a * a;
        let a2 = m_b * a + m_w * l;
        let a3 = m_t * m_w * l * l - a2 * a2;
        let bottom = a1 * m_t + a3 * c * c;
        let support = a1 * (c_s + c_w) * v_s
            + a1 * (k_s + k_w) * y_s
            + a1 * c_w * l * omega * c
            + a1 * k_w * l * s
            - a1 * a2 * omega * omega * s
            - m_b * c_w * l * l * a * omega * c.powi(3)
            - m_b * k_w * l * l * a * s * c * c
            + m_b * k_w * d * l * a * c * c
            + l * (m_w * l * c_s - m_b * a * c_w) * v_s * c * c
            + l * (m_w * l * k_s - m_b * a * k_w) * y_s * c * c
            - a1 * k_w * d;
        let lever = m_t * l - a2;
        let bar = c_w * l * lever * omega * c * c + k_w * l * lever * s * c - k_w * d * lever * c
            + (a2 * m_b * a - m_w * l * lever) * omega * omega * s * c
            + (k_w * lever - a2 * k_s) * y_s * c
            + (c_w * lever - a2 * c_s) * v_s * c;
        let y_s = (-a2 * c * torque - support) / bottom;
        let theta = (m_t * torque - bar) / bottom;
        [y_s, theta, y_s + l * (theta * c - omega * omega * s)]
    }

    /// F_N = m_w ÿ_w + c_w ẏ_w + k_w y_w in contact.
    pub fn force(&self, x: &State) -> f64 {
        let [_, k_w] = self.mounting.stiffness;
        let [_, c_w] = self.mounting.damping;
        self.bar.wall_mass * self.held(x)[2] + c_w * x[5] + k_w * x[2]
    }

    fn step(&self, x: &State, h: f64, held: bool) -> State {
        let rate = |x: &State| {
            let v = if held { self.held(x) } else { self.free(x) };
            [x[3], x[4], x[5], v[0], v[1], v[2]]
        };
        let along = |k: &State, h: f64| -> State { std::array::from_fn(|i| x[i] + h * k[i]) };
        let k1 = rate(x);
        let k2 = rate(&along(&k1, 0.5 * h));
        let k3 = rate(&along(&k2, 0.5 * h));
        let k4 = rate(&along(&k3, h));
        std::array::from_fn(|i| x[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]))
    }

    /// The length up to h of a step at whose end g has fallen to zero, by bisection.
    fn cut(&self, x: &State, h: f64, held: bool, g: impl Fn(&State) -> f64) -> f64 {
        let (mut low, mut high) = (0.0, h);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if g(&self.step(x, middle, held)) > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }

    fn kinetic(&self, x: &State) -> f64 {
        crate::linear::kinetic_energy(&self.bar.mass_matrix(x[1]), &[x[3], x[4], x[5]])
    }

    /// From rest at θ = 0 up to a time, by steps of h: the contacts and the last state.
    pub fn until(&self, end: f64, h: f64) -> (Vec<Contact>, State) {
        let mut contacts: Vec<Contact> = Vec::new();
        let (mut x, mut t, mut held): (State, f64, bool) = ([0.0; 6], 0.0, false);
        while t < end - 1e-12 {
            let mut length = h.min(end - t);
            let mut next = self.step(&x, length, held);
            let ends = |x: &State| if held { self.force(x) } else { self.gap(x) };
            let over = ends(&next) <= 0.0 && ends(&x) > 0.0;
            if over {
                length = self.cut(&x, length, held, ends);
                next = self.step(&x, length, held);
            }
            (x, t) = (next, t + length);
            let last = contacts.last_mut();
            if let (true, Some(last)) = (held, last) {
                last.largest_force = last.largest_force.max(self.force(&x));
                if over {
                    last.release = Some(t);
                }
            }
            if over && !held {
                let before = self.kinetic(&x);
                let after = self.bar.plastic(x[1], [x[3], x[4], x[5]]);
                (x[3], x[4], x[5]) = (after.support, after.bar, after.wall);
                let F = self.force(&x);
                contacts.push(Contact {
                    onset: t,
                    energy_lost: before - self.kinetic(&x),
                    first_force: F,
                    largest_force: F,
                    release: None,
                });
                held = F > 0.0;
            } else if over {
                held = false;
            }
        }
        (contacts, x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: Run = Run {
        bar: ConstrainedBar::TABLE_2,
        mounting: Mounting { stiffness: [400.0, 5.0], damping: [7.0, 7.0], torque: 10.0 },
    };

    /// The rest that each line of eq. 2.1 leaves.
    fn rests(run: &Run, x: &State, a: [f64; 3], F: f64) -> [f64; 3] {
        let [y_s, theta, y_w, v_s, omega, v_w] = *x;
        let (s, c) = theta.sin_cos();
        let b = &run.bar;
        let Mounting { stiffness: [k_s, k_w], damping: [c_s, c_w], torque } = run.mounting;
        let first = b.bar_mass * b.center;
        let support = (b.bar_mass + b.support_mass) * a[0] + c_s * v_s + k_s * y_s
            - first * omega * omega * s
            + first * a[1] * c
            + F;
        let wall = b.wall_mass * a[2] + c_w * v_w + k_w * y_w - F;
        let J = b.inertia + first * b.center;
        [support, wall, J * a[1] + first * a[0] * c + F * b.length * c - torque]
    }

    #[test]
    fn both_sets_of_equations_satisfy_the_first_one() {
        for theta in [0.1_f64, 0.6, 1.4, 2.2] {
            // On the constraint: y_w and its rate follow.
            let (y_s, v_s, omega) = (0.05, -0.3, 2.0);
            let y_w = y_s + theta.sin() - 0.6;
            let x = [y_s, theta, y_w, v_s, omega, v_s + omega * theta.cos()];
            assert!(RUN.gap(&x).abs() < 1e-15);
            let held = rests(&RUN, &x, RUN.held(&x), RUN.force(&x));
            let free = rests(&RUN, &x, RUN.free(&x), 0.0);
            assert!(held.iter().chain(&free).all(|r| r.abs() < 1e-12), "{held:?} {free:?}");
        }
    }

    #[test]
    fn half_the_step_leaves_a_sixteenth_of_the_error() {
        let at = |h: f64| RUN.until(0.5, h).1[1];
        let (coarse, fine, exact) = (at(4e-3), at(2e-3), at(1e-4));
        let order = ((coarse - exact) / (fine - exact)).abs().log2();
        assert!((3.5..4.7).contains(&order), "{order}");
    }
}
