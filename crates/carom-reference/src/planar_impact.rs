//! A planar impact with friction at one contact, by Routh's construction in the plane of impulses.
//!
//! Routh, *Dynamics of a System of Rigid Bodies* (elementary part, 1860), art. 180 ff.; Wang and Mason 1992. The point
//! (P, Q) of normal and tangential impulse starts at the origin. It moves along the line of limiting friction Q = −σ μ P until
//! it meets the line of sticking S: u_t + W_tn P + W_tt Q = 0. From there it follows S if that is less steep than the lines of
//! friction, and otherwise the other line of friction. It crosses the line of greatest compression
//! C: u_n + W_nn P + W_nt Q = 0 on its way, and the law says where it stops.

/// One contact before an impact: W over normal and tangent, u, e, μ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarImpact {
    /// W_nn, W_nt, W_tt \[1/kg\].
    pub W: [f64; 3],
    /// u_n < 0 and u_t \[m/s\].
    pub u: [f64; 2],
    /// Restitution e.
    pub restitution: f64,
    /// Friction coefficient μ.
    pub friction: f64,
}

/// Which law ends the impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// On the line u_n = −e u_n⁻.
    Newton,
    /// At P = (1 + e) P_c.
    Poisson,
    /// Where the normal impulse has given back e² of the work it took.
    Energetic,
}

/// What the contact did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Regime {
    /// It slid all the time in one direction.
    Slip,
    /// It did not slide from the beginning.
    Stick,
    /// It slid, then stuck.
    SlipStick,
    /// It slid, stopped and slid back.
    Reverse,
}

impl PlanarImpact {
    fn velocity(&self, [P, Q]: [f64; 2]) -> [f64; 2] {
        let [nn, nt, tt] = self.W;
        [self.u[0] + nn * P + nt * Q, self.u[1] + nt * P + tt * Q]
    }

    /// The corners of the path: the origin, where it meets S (if it slides and does), and a direction from the last corner.
    fn path(&self) -> (Vec<[f64; 2]>, [f64; 2], Regime) {
        let [_, nt, tt] = self.W;
        let mu = self.friction;
        // Slope of S; friction holds if it lies between those of the two lines of friction.
        let slope = -nt / tt;
        let after = if slope.abs() <= mu {
            ([1.0, slope], Regime::SlipStick)
        } else {
            // The line on which S is left to the side where the slip has the sign of W_tn.
            ([1.0, -nt.signum() * mu], Regime::Reverse)
        };
        if self.u[1] == 0.0 {
            let regime = if after.1 == Regime::SlipStick { Regime::Stick } else { Regime::Slip };
            return (vec![[0.0, 0.0]], after.0, regime);
        }
        let friction = [1.0, -self.u[1].signum() * mu];
        // u_t + (W_tn + W_tt Q') P = 0
        let meets = -self.u[1] / (nt + tt * friction[1]);
        if meets > 0.0 {
            let corner = [meets, friction[1] * meets];
            (vec![[0.0, 0.0], corner], after.0, after.1)
        } else {
            (vec![[0.0, 0.0]], friction, Regime::Slip)
        }
    }

    /// Point of the path at the normal impulse P.
    fn at(corners: &[[f64; 2]], direction: [f64; 2], P: f64) -> [f64; 2] {
        if let [a, b] = corners
            && P < b[0]
        {
            return [P, a[1] + (b[1] - a[1]) * P / b[0]];
        }
        let last = corners[corners.len() - 1];
        [P, last[1] + direction[1] * (P - last[0])]
    }

    /// Work of the normal impulse up to P: u_n is linear between corners.
    fn work(&self, corners: &[[f64; 2]], direction: [f64; 2], P: f64) -> f64 {
        let mut sum = 0.0;
        let mut from = 0.0;
        let ends = corners.iter().skip(1).map(|c| c[0]).filter(|x| *x < P).chain([P]);
        for to in ends {
            let u = |x: f64| self.velocity(Self::at(corners, direction, x))[0];
            sum += 0.5 * (u(from) + u(to)) * (to - from);
            from = to;
        }
        sum
    }

    /// Impulses, velocities after, and the regime.
    pub fn solve(&self, law: Law) -> ([f64; 2], [f64; 2], Regime) {
        let (corners, direction, mut regime) = self.path();
        let u_n = |P: f64| self.velocity(Self::at(&corners, direction, P))[0];
        let corner = corners.get(1).map_or(0.0, |c| c[0]);
        let e = self.restitution;
        // u_n crosses any value it ends above once; it is linear before and after the corner.
        let crossing = |value: f64| {
            if corner > 0.0 && u_n(corner) >= value {
                corner * (value - self.u[0]) / (u_n(corner) - self.u[0])
            } else {
                let slope = u_n(corner + 1.0) - u_n(corner);
                corner + (value - u_n(corner)) / slope
            }
        };
        let P_c = crossing(0.0);
        let P = match law {
            Law::Newton => crossing(-e * self.u[0]),
            Law::Poisson => (1.0 + e) * P_c,
            Law::Energetic => {
                let work = |P: f64| self.work(&corners, direction, P);
                let end = (1.0 - e * e) * work(P_c);
                // The work grows from P_c on: bracket and halve.
                let (mut low, mut high) = (P_c, 2.0 * P_c);
                while work(high) < end {
                    high *= 2.0;
                }
                for _ in 0..200 {
                    let middle = 0.5 * (low + high);
                    if work(middle) < end {
                        low = middle;
                    } else {
                        high = middle;
                    }
                }
                0.5 * (low + high)
            }
        };
        if P < corner {
            regime = Regime::Slip;
        }
        let point = Self::at(&corners, direction, P);
        (point, self.velocity(point), regime)
    }
}

/// Uniform rod of mass m at an angle θ from the horizontal floor, struck at its lower end: W of that end.
///
/// With r = ℓ/2 and J = m ℓ²/12, r²/J = 3/m: the length falls out.
pub fn rod_on_floor(mass: f64, angle: f64) -> [f64; 3] {
    let (s, c) = angle.sin_cos();
    let by_turning = 3.0 / mass;
    [1.0 / mass + by_turning * c * c, -by_turning * s * c, 1.0 / mass + by_turning * s * s]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The process in small steps of normal impulse, friction by its definition.
    fn stepped(impact: &PlanarImpact, law: Law) -> [f64; 2] {
        let [nn, nt, tt] = impact.W;
        let (mu, e) = (impact.friction, impact.restitution);
        let [mut u_n, mut u_t] = impact.u;
        let dP = 1e-6 * -impact.u[0] / nn;
        let (mut P, mut work, mut compressed) = (0.0, 0.0, None);
        loop {
            // Friction that would stop the slip within this step, or all there is.
            let stop = -(u_t + nt * dP) / (tt * dP);
            let f = stop.clamp(-mu, mu);
            work += (u_n + 0.5 * (nn + nt * f) * dP) * dP;
            u_n += (nn + nt * f) * dP;
            u_t += (nt + tt * f) * dP;
            P += dP;
            match compressed {
                None if u_n >= 0.0 => compressed = Some((P, work)),
                None => {}
                Some((P_c, work_c)) => {
                    let over = match law {
                        Law::Newton => u_n >= -e * impact.u[0],
                        Law::Poisson => P >= (1.0 + e) * P_c,
                        Law::Energetic => work >= (1.0 - e * e) * work_c,
                    };
                    if over {
                        return [u_n, u_t];
                    }
                }
            }
        }
    }

    #[test]
    fn the_construction_is_the_limit_of_small_steps() {
        let cases = [
            ([1.0, 0.0, 3.5], [-1.0, 0.4], 0.5),
            ([1.0, 0.0, 3.5], [-1.0, 4.0], 0.2),
            ([1.75, -1.3, 3.25], [-1.0, 0.3], 0.1),
            ([1.75, -1.3, 3.25], [-1.0, 0.3], 0.6),
            ([1.75, -1.3, 3.25], [-1.0, -0.3], 0.6),
            ([1.75, 1.3, 3.25], [-1.0, -0.2], 0.3),
        ];
        for (W, u, friction) in cases {
            let impact = PlanarImpact { W, u, restitution: 0.6, friction };
            for law in [Law::Newton, Law::Poisson, Law::Energetic] {
                let (_, exact, regime) = impact.solve(law);
                let near = stepped(&impact, law);
                let apart = (exact[0] - near[0]).abs().max((exact[1] - near[1]).abs());
                assert!(apart < 2e-5, "{W:?} {u:?} {law:?} {regime:?}: {exact:?} {near:?}");
            }
        }
    }

    #[test]
    fn a_sphere_that_slides_sticks_as_the_textbook_says() {
        // Solid sphere: W_nn = 1/m, W_tt = 7/(2m). It sticks iff μ ≥ 2 v_t/(7 (1 + e) v_n).
        let (v_n, v_t, e) = (2.0, 1.5, 0.7);
        let limit = 2.0 * v_t / (7.0 * (1.0 + e) * v_n);
        for (factor, sticks) in [(0.999, false), (1.001, true)] {
            let impact = PlanarImpact {
                W: [1.0, 0.0, 3.5],
                u: [-v_n, v_t],
                restitution: e,
                friction: factor * limit,
            };
            for law in [Law::Newton, Law::Poisson, Law::Energetic] {
                let (_, u, regime) = impact.solve(law);
                assert_eq!(regime == Regime::SlipStick, sticks, "{law:?}");
                assert_eq!(u[1].abs() < 1e-12, sticks, "{law:?}");
            }
        }
    }
}
