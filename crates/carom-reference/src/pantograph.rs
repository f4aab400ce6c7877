//! The dual pantograph: a planar five-bar with an end effector (Gonzalez et al., section 5).
//!
//! Link 1 turns about the origin, link 3 about (l₅, 0); links 2 and 4 hang on them and meet in the
//! end point, where the point mass m_EE sits. q_i are the absolute angles of the links from +x. The
//! end point's velocity fixes all rates, so the machine is a 2×2 inertia Λ of the end point:
//! T = ½ vᵀ Λ v, m_eff = 1/(nᵀ Λ⁻¹ n) and T_c = ½ m_eff (n·v)², with n = y.
//!
//! The figure with the pose is lost; [`Pantograph::PAPER_POSE`] was found from table 4.

use crate::linear;

const DEGREE: f64 = std::f64::consts::PI / 180.0;

/// Table 3; links 1 and 3 are equal, and links 2 and 4.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pantograph {
    /// l₁, l₂ (= l₃, l₄).
    pub length: [f64; 2],
    /// a₁, a₂: mass centres from the proximal joints.
    pub center: [f64; 2],
    /// m₁, m₂.
    pub mass: [f64; 2],
    /// I₁, I₂ about the mass centres.
    pub inertia: [f64; 2],
    /// l₅.
    pub base: f64,
    /// m_EE.
    pub end_mass: f64,
}

/// A pose that closes: absolute angles q₁ … q₄ and the end point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// q₁, q₂, q₃, q₄.
    pub q: [f64; 4],
    /// The end point.
    pub end: [f64; 2],
}

/// A line of table 4.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Case {
    /// |v_EE| \[m/s\].
    pub speed: f64,
    /// T_c \[J\].
    pub effective_energy: f64,
    /// ξ = T_c / T.
    pub ratio: f64,
}

impl Pantograph {
    /// The numbers of table 3.
    pub const PAPER: Self = Self {
        length: [0.1449, 0.1984],
        center: [0.0519, 0.1081],
        mass: [0.1202, 0.1084],
        inertia: [0.0004, 0.0007],
        base: 0.0445,
        end_mass: 0.3144,
    };
    /// q₁, q₃ \[rad\]: 72.368° and 12.048°.
    pub const PAPER_POSE: [f64; 2] = [72.368 * DEGREE, 12.048 * DEGREE];
    /// T of all cases of table 4 \[J\].
    pub const PAPER_ENERGY: f64 = 0.010;

    /// The pose with the end point on the far side of the line from elbow 3 to elbow 1 as seen
    /// from the base; none where the elbows are too far apart.
    pub fn pose(&self, q1: f64, q3: f64) -> Option<Pose> {
        let [l1, l2] = self.length;
        let elbow1 = [l1 * q1.cos(), l1 * q1.sin()];
        let elbow3 = [self.base + l1 * q3.cos(), l1 * q3.sin()];
        let chord = [elbow3[0] - elbow1[0], elbow3[1] - elbow1[1]];
        let half = 0.5 * chord[0].hypot(chord[1]);
        if half > l2 {
            return None;
        }
        // From elbow 1 to elbow 3 the outer side is on the left for q₁ > q₃.
        let rise = (l2 * l2 - half * half).sqrt() / (2.0 * half);
        let end = [
            elbow1[0] + 0.5 * chord[0] - rise * chord[1],
            elbow1[1] + 0.5 * chord[1] + rise * chord[0],
        ];
        let angle = |elbow: [f64; 2]| (end[1] - elbow[1]).atan2(end[0] - elbow[0]);
        Some(Pose { q: [q1, angle(elbow1), q3, angle(elbow3)], end })
    }

    /// Rates q̇₁ … q̇₄ per unit of ẋ and of ẏ of the end point.
    ///
    /// The velocity along the outer link is the elbow's: ė · e₂ = l₁ q̇₁ (e₁' · e₂); across it, what
    /// the elbow does not bring the outer link's rotation does.
    pub fn rates(&self, pose: &Pose) -> [[f64; 2]; 4] {
        let [l1, l2] = self.length;
        let arm = |inner: f64, outer: f64| {
            let along = [outer.cos(), outer.sin()];
            let across = [-along[1], along[0]];
            let elbow = [-l1 * inner.sin(), l1 * inner.cos()];
            let lead = elbow[0] * along[0] + elbow[1] * along[1];
            let swing = elbow[0] * across[0] + elbow[1] * across[1];
            let inner_rate = [along[0] / lead, along[1] / lead];
            let outer_rate = [
                (across[0] - swing * inner_rate[0]) / l2,
                (across[1] - swing * inner_rate[1]) / l2,
            ];
            [inner_rate, outer_rate]
        };
        let [q1, q2, q3, q4] = pose.q;
        let [first, second] = arm(q1, q2);
        let [third, fourth] = arm(q3, q4);
        [first, second, third, fourth]
    }

    /// Λ: the kinetic energy is ½ vᵀ Λ v for the velocity v of the end point.
    pub fn end_inertia(&self, pose: &Pose) -> [[f64; 2]; 2] {
        let l1 = self.length[0];
        let rates = self.rates(pose);
        let mut inertia = [[self.end_mass, 0.0], [0.0, self.end_mass]];
        let mut add = |weight: f64, row: [f64; 2]| {
            for i in 0..2 {
                for j in 0..2 {
                    inertia[i][j] += weight * row[i] * row[j];
                }
            }
        };
        for (inner, outer) in [(0, 1), (2, 3)] {
            let [a1, a2] = self.center;
            let (s1, c1) = pose.q[inner].sin_cos();
            let (s2, c2) = pose.q[outer].sin_cos();
            let (w1, w2) = (rates[inner], rates[outer]);
            add(self.inertia[0] + self.mass[0] * a1 * a1, w1);
            add(self.inertia[1], w2);
            add(self.mass[1], std::array::from_fn(|k| -l1 * s1 * w1[k] - a2 * s2 * w2[k]));
            add(self.mass[1], std::array::from_fn(|k| l1 * c1 * w1[k] + a2 * c2 * w2[k]));
        }
        inertia
    }

    /// m_eff along `normal`.
    pub fn effective_mass(&self, pose: &Pose, normal: [f64; 2]) -> f64 {
        linear::effective_mass(&self.end_inertia(pose), &normal)
    }

    /// A line of table 4: the end point moves at the angle γ from +y towards +x with the total
    /// kinetic energy `energy`.
    pub fn case(&self, pose: &Pose, gamma: f64, energy: f64) -> Case {
        let (s, c) = gamma.sin_cos();
        let speed = (energy / linear::kinetic_energy(&self.end_inertia(pose), &[s, c])).sqrt();
        let u = speed * c;
        let effective_energy = 0.5 * self.effective_mass(pose, [0.0, 1.0]) * u * u;
        Case { speed, effective_energy, ratio: effective_energy / energy }
    }

    /// γ at which all of T is in the impact: v along Λ⁻¹ n.
    pub fn direction_of_full_impact(&self, pose: &Pose) -> f64 {
        let v = linear::solve(self.end_inertia(pose), [0.0, 1.0]);
        v[0].atan2(v[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAPER: Pantograph = Pantograph::PAPER;

    fn pose() -> Pose {
        PAPER.pose(Pantograph::PAPER_POSE[0], Pantograph::PAPER_POSE[1]).expect("it closes")
    }

    #[test]
    fn the_outer_links_close_the_loop_at_the_recovered_angles() {
        let pose = pose();
        assert!((pose.q[0].to_degrees() - 72.368).abs() < 1e-10);
        assert!((pose.q[2].to_degrees() - 12.048).abs() < 1e-10);
        assert!((pose.q[1].to_degrees() - 26.100).abs() < 1e-3, "{}", pose.q[1].to_degrees());
        assert!((pose.q[3].to_degrees() - 79.589).abs() < 1e-3, "{}", pose.q[3].to_degrees());
        let wide = Pantograph { base: 0.3, ..PAPER };
        assert!(wide.pose(3.1, 0.0).is_none());
    }

    #[test]
    fn rates_are_the_derivatives_of_the_pose() {
        let base = pose();
        let rates = PAPER.rates(&base);
        let step = 1e-6;
        for moved in [0, 2] {
            let shift = |sign: f64| {
                let mut q = base.q;
                q[moved] += sign * step;
                PAPER.pose(q[0], q[2]).expect("it closes")
            };
            let (plus, minus) = (shift(1.0), shift(-1.0));
            let slope = |f: &dyn Fn(&Pose) -> f64| (f(&plus) - f(&minus)) / (2.0 * step);
            let end = [slope(&|p| p.end[0]), slope(&|p| p.end[1])];
            for (k, row) in rates.iter().enumerate() {
                let expected = slope(&|p| p.q[k]);
                assert!((row[0] * end[0] + row[1] * end[1] - expected).abs() < 1e-8, "q{}", k + 1);
            }
        }
    }

    #[test]
    fn table_4_comes_out_as_printed() {
        let pose = pose();
        let printed = [
            (-7.58, 0.1955, 10.0, 1.0),
            (0.0, 0.1921, 9.82, 0.98),
            (15.0, 0.1857, 8.57, 0.86),
            // The speed of this case is 0.181 249, 1e-6 from rounding the other way.
            (30.0, 0.1812, 6.56, 0.66),
            (45.0, 0.1794, 4.28, 0.43),
        ];
        for (gamma, speed, T_c, ratio) in printed {
            let case = PAPER.case(&pose, f64::to_radians(gamma), Pantograph::PAPER_ENERGY);
            assert!((case.speed - speed).abs() < 5e-5, "{gamma}°: |v| {}", case.speed);
            let mJ = 1e3 * case.effective_energy;
            assert!((mJ - T_c).abs() < 5e-3, "{gamma}°: T_c {mJ}");
            assert!((case.ratio - ratio).abs() < 5e-3, "{gamma}°: ξ {}", case.ratio);
        }
    }

    #[test]
    fn the_first_case_is_the_direction_of_full_impact() {
        let gamma = PAPER.direction_of_full_impact(&pose()).to_degrees();
        assert!((gamma + 7.58).abs() < 5e-3, "{gamma}");
    }
}
