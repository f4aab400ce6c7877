//! The planar four-bar linkage: crank, coupler, rocker, by the vector loop.
//!
//! The crank a turns about the origin, the rocker c about (d, 0); the coupler b joins their ends:
//! a e^{iθ₂} + b e^{iθ₃} = d + c e^{iθ₄}.

/// Slender rods a, b, c on the ground link d.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FourBar {
    /// d.
    pub ground: f64,
    /// a, b, c: crank, coupler, rocker.
    pub length: [f64; 3],
    /// Their masses.
    pub mass: [f64; 3],
}

/// A pose that closes: absolute angles θ₂, θ₃, θ₄.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// θ₂, the crank's.
    pub crank: f64,
    /// θ₃, the coupler's.
    pub coupler: f64,
    /// θ₄, the rocker's.
    pub rocker: f64,
}

impl FourBar {
    /// The pose at that crank angle with the rocker's pin left (`open`) or right of the line from
    /// the crank's pin to the rocker's pivot; none where the loop does not close.
    pub fn pose(&self, crank: f64, open: bool) -> Option<Pose> {
        let [a, b, c] = self.length;
        let (s, k) = crank.sin_cos();
        let pin = [a * k, a * s];
        let to = [self.ground - pin[0], -pin[1]];
        let distance = to[0].hypot(to[1]);
        // The rocker's pin: `along` the line from the crank's pin, `across` it to the left.
        let along = (distance * distance + b * b - c * c) / (2.0 * distance);
        let square = b * b - along * along;
        if square < 0.0 {
            return None;
        }
        let across = if open { square.sqrt() } else { -square.sqrt() };
        let x = (along * to[0] - across * to[1]) / distance;
        let y = (along * to[1] + across * to[0]) / distance;
        let rocker = (pin[1] + y).atan2(pin[0] + x - self.ground);
        Some(Pose { crank, coupler: y.atan2(x), rocker })
    }

    /// ω₃/ω₂ = a sin(θ₄−θ₂) / (b sin(θ₃−θ₄)) and ω₄/ω₂ = a sin(θ₂−θ₃) / (c sin(θ₄−θ₃)).
    pub fn velocity_ratios(&self, pose: &Pose) -> (f64, f64) {
        let [a, b, c] = self.length;
        let Pose { crank, coupler, rocker } = *pose;
        (
            a * (rocker - crank).sin() / (b * (coupler - rocker).sin()),
            a * (crank - coupler).sin() / (c * (rocker - coupler).sin()),
        )
    }

    /// The inertia reduced to the crank: 2 T / ω₂².
    pub fn reduced_inertia(&self, pose: &Pose) -> f64 {
        let [a, b, c] = self.length;
        let [m2, m3, m4] = self.mass;
        let (coupler, rocker) = self.velocity_ratios(pose);
        let center = self.coupler_velocity(pose, [0.5 * b, 0.0]);
        m2 * a * a / 3.0
            + m3 * (center[0] * center[0] + center[1] * center[1])
            + m3 * b * b / 12.0 * coupler * coupler
            + m4 * c * c / 3.0 * rocker * rocker
    }

    /// Velocity for ω₂ = 1 of a coupler point, given along and across the coupler from the crank's
    /// pin.
    pub fn coupler_velocity(&self, pose: &Pose, point: [f64; 2]) -> [f64; 2] {
        let a = self.length[0];
        let (rate, _) = self.velocity_ratios(pose);
        let (s, c) = pose.coupler.sin_cos();
        let arm = [point[0] * c - point[1] * s, point[0] * s + point[1] * c];
        [-a * pose.crank.sin() - rate * arm[1], a * pose.crank.cos() + rate * arm[0]]
    }

    /// World position of a coupler point.
    pub fn coupler_point(&self, pose: &Pose, point: [f64; 2]) -> [f64; 2] {
        let a = self.length[0];
        let (s, c) = pose.coupler.sin_cos();
        [
            a * pose.crank.cos() + point[0] * c - point[1] * s,
            a * pose.crank.sin() + point[0] * s + point[1] * c,
        ]
    }

    /// m_eff of a coupler point along `n`: the reduced inertia over (n · v/ω₂)².
    pub fn effective_mass(&self, pose: &Pose, point: [f64; 2], n: [f64; 2]) -> f64 {
        let v = self.coupler_velocity(pose, point);
        self.reduced_inertia(pose) / (v[0] * n[0] + v[1] * n[1]).powi(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINKAGE: FourBar =
        FourBar { ground: 1.0, length: [0.3, 0.9, 0.6], mass: [0.5, 1.0, 0.8] };

    #[test]
    fn both_branches_close_the_loop() {
        for open in [true, false] {
            for degrees in (0..360).step_by(15) {
                let pose = LINKAGE.pose(f64::from(degrees).to_radians(), open).expect("a crank");
                let [a, b, c] = LINKAGE.length;
                let x = a * pose.crank.cos() + b * pose.coupler.cos()
                    - LINKAGE.ground
                    - c * pose.rocker.cos();
                let y = a * pose.crank.sin() + b * pose.coupler.sin() - c * pose.rocker.sin();
                assert!(x.abs() < 1e-14 && y.abs() < 1e-14);
            }
        }
        let stuck = FourBar { length: [3.0, 0.9, 0.6], ..LINKAGE };
        assert!(stuck.pose(1.0, true).is_none());
    }

    #[test]
    fn velocity_ratios_are_derivatives_of_the_pose() {
        let step = 1e-6;
        for open in [true, false] {
            let at = |crank: f64| LINKAGE.pose(crank, open).expect("a crank");
            let (plus, minus) = (at(0.8 + step), at(0.8 - step));
            let (coupler, rocker) = LINKAGE.velocity_ratios(&at(0.8));
            assert!(((plus.coupler - minus.coupler) / (2.0 * step) - coupler).abs() < 1e-8);
            assert!(((plus.rocker - minus.rocker) / (2.0 * step) - rocker).abs() < 1e-8);
            let point = [0.4, 0.2];
            let v = LINKAGE.coupler_velocity(&at(0.8), point);
            let (p, m) =
                (LINKAGE.coupler_point(&plus, point), LINKAGE.coupler_point(&minus, point));
            for k in 0..2 {
                assert!(((p[k] - m[k]) / (2.0 * step) - v[k]).abs() < 1e-8);
            }
        }
    }

    #[test]
    fn a_parallelogram_is_a_four_bar() {
        let linkage = FourBar { ground: 1.0, length: [0.4, 1.0, 0.4], mass: [0.5, 1.0, 0.5] };
        let pose = linkage.pose(1.1, true).expect("it closes");
        let m_eff = linkage.effective_mass(&pose, [0.5, 0.0], [0.6, 0.8]);
        let expected = crate::parallelogram::effective_mass(2, 0.5, 1.0, 1.1, [0.6, 0.8]);
        assert!((m_eff - expected).abs() < 1e-12);
    }
}
