//! What the files in `models/` must yield with the parameters they are shipped with.
//!
//! Every number comes from the closed form of its system. The tests of this file hold them against a
//! second calculation: mass matrix and contact row of the *file's* joints by central differences of
//! its positions, closures eliminated by Gram–Schmidt (a throw-away script, seven digits).

use crate::bennett::Bennett;
use crate::bricard::Bricard;
use crate::constrained_bar::ConstrainedBar;
use crate::double_pendulum::DoublePendulum;
use crate::double_pendulum_strikes_pendulum as strikes;
use crate::four_bar::FourBar;
use crate::pantograph::Pantograph;
use crate::slider_crank::SliderCrank;
use crate::spatial_four_bar::SpatialFourBar;
use crate::two_ends_of_one_chain::Chain;
use crate::wheeled_robot::WheeledRobot;
use crate::{hooke_joint, linear, parallelogram, rod_on_wall, serial_arm, sliding_mass, two_discs};

/// The answer for one file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expectation {
    /// Path of the file, from `models/`.
    pub file: &'static str,
    /// m_eff of its only contact \[kg\].
    pub effective_mass: f64,
    /// Rate of the gap in the file's state, negative on approach \[m/s\].
    pub gap_rate: f64,
    /// T in that state \[J\].
    pub kinetic_energy: f64,
}

impl Expectation {
    /// T_c = ½ m_eff u² \[J\].
    pub fn effective_energy(&self) -> f64 {
        0.5 * self.effective_mass * self.gap_rate * self.gap_rate
    }

    /// With one degree of freedom all of T is in the impact, so the two give the approach speed.
    fn with_all_energy(file: &'static str, effective_mass: f64, kinetic_energy: f64) -> Self {
        let gap_rate = -(2.0 * kinetic_energy / effective_mass).sqrt();
        Self { file, effective_mass, gap_rate, kinetic_energy }
    }
}

/// All files.
pub fn expectations() -> Vec<Expectation> {
    let mut all = nikravesh_poursina();
    all.push(two_spheres());
    all.extend(gonzalez());
    all.extend([bar(), chain(), robot_arm()]);
    all.extend(one_degree_of_freedom());
    all
}

fn nikravesh_poursina() -> Vec<Expectation> {
    let degrees = f64::to_radians;
    let theta = degrees(20.0);
    let rod = Expectation {
        file: "000/rod-on-wall.toml",
        effective_mass: rod_on_wall::effective_mass(2.0, theta),
        gap_rate: -1.5 * theta.cos(),
        kinetic_energy: rod_on_wall::effective_energy(2.0, 1.5, theta, 1.0),
    };
    let sliding = Expectation {
        file: "000/sliding-mass.toml",
        effective_mass: sliding_mass::effective_mass(1.3, 0.7, 2.1, degrees(35.0)),
        gap_rate: -1.0,
        kinetic_energy: 0.5 * 1.3,
    };
    let (t1, t2) = (degrees(30.0), degrees(60.0));
    let system = strikes::System::PAPER;
    let rates = [1.0, 1.0, 0.0];
    let pendulums = Expectation {
        file: "000/double-pendulum-strikes-pendulum.toml",
        effective_mass: system.effective_mass(t1, t2),
        gap_rate: -linear::dot(&system.jacobian(t1, t2), &rates),
        kinetic_energy: linear::kinetic_energy(&system.mass_matrix(t1, t2), &rates),
    };
    let crank = SliderCrank::PAPER;
    let x_dot = -2.0 * crank.velocity_ratios(t1).0;
    let slider = Expectation {
        file: "000/slider-crank.toml",
        effective_mass: crank.effective_mass(t1),
        gap_rate: -x_dot,
        kinetic_energy: 0.5 * crank.apparent_mass(t1) * x_dot * x_dot,
    };
    vec![rod, sliding, pendulums, slider]
}

/// Moreira et al., section 2: two steel spheres of 50 mm; the density is 7850 kg/m³.
fn two_spheres() -> Expectation {
    let mass = 7850.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.05_f64.powi(3);
    Expectation {
        file: "001/two-spheres.toml",
        effective_mass: mass / 2.0,
        gap_rate: -0.5,
        kinetic_energy: 0.5 * mass * 0.25,
    }
}

fn gonzalez() -> Vec<Expectation> {
    let discs = two_discs::split(2.0, 3.0, 1.5, -0.5);
    let discs = Expectation {
        file: "002/two-discs.toml",
        effective_mass: discs.effective_mass,
        gap_rate: -2.0,
        kinetic_energy: discs.constrained + discs.admissible,
    };
    let pendulum = DoublePendulum::PAPER;
    let height = DoublePendulum::PAPER_HEIGHT;
    let tapping = pendulum.configuration(0.1, -height, false).map(|phi| Expectation {
        file: "002/double-pendulum.toml",
        effective_mass: pendulum.effective_mass(phi),
        gap_rate: -1.0,
        kinetic_energy: pendulum.kinetic_energy(phi, [1.0, -1.0]),
    });
    let robot = WheeledRobot::PAPER;
    let beta = 70.0_f64.to_radians();
    let robot = Expectation {
        file: "002/wheeled-robot.toml",
        effective_mass: robot.effective_mass(beta),
        gap_rate: -beta.sin(),
        kinetic_energy: robot.kinetic_energy(1.0),
    };
    let pantograph = Pantograph::PAPER;
    let [q1, q3] = Pantograph::PAPER_POSE;
    let gamma = 15.0_f64.to_radians();
    let plate = pantograph.pose(q1, q3).map(|pose| Expectation {
        file: "002/pantograph.toml",
        effective_mass: pantograph.effective_mass(&pose, [0.0, 1.0]),
        gap_rate: -pantograph.case(&pose, gamma, 0.010).speed * gamma.cos(),
        kinetic_energy: 0.010,
    });
    [Some(discs), tapping, Some(robot), plate].into_iter().flatten().collect()
}

fn bar() -> Expectation {
    let bar = ConstrainedBar::TABLE_1;
    let theta = bar.onset_angle();
    let v = [-0.5, 4.4, 0.0];
    Expectation {
        file: "004/bar.toml",
        effective_mass: bar.effective_mass(theta),
        gap_rate: bar.gap_rate(theta, v),
        kinetic_energy: linear::kinetic_energy(&bar.mass_matrix(theta), &v),
    }
}

/// The free chain of `two-ends-of-one-chain.toml` and the right arm's angle.
pub fn shipped_chain() -> (Chain, f64) {
    let chain =
        Chain { middle_mass: 2.0, middle_length: 1.0, arm_mass: [0.8, 0.5], arm_length: [0.9; 2] };
    (chain, ((0.02 - 0.5) / 0.9_f64).acos())
}

fn chain() -> Expectation {
    let (chain, phi) = shipped_chain();
    let arms = [std::f64::consts::PI - phi, phi];
    Expectation {
        file: "two-ends-of-one-chain.toml",
        effective_mass: chain.contact(0.0, arms, [1.0, 0.0]).effective_mass,
        gap_rate: -2.0 * 0.9 * phi.sin(),
        kinetic_energy: linear::kinetic_energy(
            &chain.mass_matrix(0.0, arms),
            &[0.0, 0.0, 0.0, -1.0, 1.0],
        ),
    }
}

fn robot_arm() -> Expectation {
    let arm = serial_arm::ur5_like();
    let theta = [20.0, -60.0, 80.0, -50.0, -70.0, 10.0].map(f64::to_radians);
    let rates = [0.1, 0.5, -1.0, 0.0, 0.0, 0.0];
    let (tip, n) = ([0.0, 0.0, 0.1], [1.0, 0.0, 0.0]);
    Expectation {
        file: "robot-arm.toml",
        effective_mass: arm.effective_mass(&theta, tip, n),
        gap_rate: linear::dot(&arm.jacobian(&theta, tip, n), &rates),
        kinetic_energy: linear::kinetic_energy(&arm.mass_matrix(&theta), &rates),
    }
}

fn one_degree_of_freedom() -> Vec<Expectation> {
    let degrees = f64::to_radians;
    let x = [1.0, 0.0, 0.0];
    let four = FourBar { ground: 1.0, length: [0.3, 0.9, 0.6], mass: [0.5, 1.0, 0.8] };
    let four = four.pose(degrees(60.0), true).map(|pose| {
        let m_eff = four.effective_mass(&pose, [0.5, 0.2], [1.0, 0.0]);
        let T = 0.5 * four.reduced_inertia(&pose) * 25.0;
        Expectation::with_all_energy("four-bar.toml", m_eff, T)
    });
    let m_eff = parallelogram::effective_mass(3, 0.6, 2.0, degrees(60.0), [1.0, 0.0]);
    // All moves at a θ̇ = 0.8 m/s: the coupler and a third of each crank.
    let three =
        Expectation::with_all_energy("three-crank-parallelogram.toml", m_eff, 0.5 * 2.6 * 0.64);
    let bennett = Bennett::new(0.5, degrees(40.0), 0.7, [1.0, 1.2, 0.8]).map(|bennett| {
        let theta = degrees(110.0);
        let m_eff = bennett.effective_mass(theta, (1, 0.5), x);
        let rates = bennett.rates(theta).map(|rate| 2.0 * rate);
        let T = bennett.rods.kinetic_energy(&bennett.angles(theta), &rates);
        Expectation::with_all_energy("bennett.toml", m_eff, T)
    });
    let bricard = Bricard::new(0.4, degrees(70.0), 0.5);
    let bricard = bricard.angles(degrees(80.0), true).map(|angles| {
        let m_eff = bricard.effective_mass(&angles, (1, 0.5), x);
        let ratio = 2.0 * bricard.slope(angles[0], angles[1]);
        let T = bricard.rods.kinetic_energy(&angles, &[2.0, ratio, 2.0, ratio, 2.0, ratio]);
        Expectation::with_all_energy("bricard.toml", m_eff, T)
    });
    let spatial =
        SpatialFourBar { length: [0.2, 0.8, 0.5], mass: [0.4, 0.9, 0.7], pivot: [0.6, 0.3, -0.1] };
    let theta = degrees(50.0);
    let spatial = spatial.rocker_angle(theta, false).map(|phi| {
        let m_eff = spatial.effective_mass(theta, phi, 0.5, [0.0, 1.0, 0.0]);
        let T = 0.5 * spatial.reduced_inertia(theta, phi) * 16.0;
        Expectation::with_all_energy("spatial-four-bar.toml", m_eff, T)
    });
    let (beta, theta) = (degrees(35.0), degrees(40.0));
    let m_eff = hooke_joint::effective_mass([0.02, 0.03], beta, theta, 0.25);
    let u = 10.0 * 0.25 * hooke_joint::speed_ratio(beta, theta);
    let hooke = Expectation::with_all_energy("hooke-shafts.toml", m_eff, 0.5 * m_eff * u * u);
    [four, Some(three), bennett, bricard, spatial, Some(hooke)].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// File, m_eff, rate of the gap, T, by differences of the file's own positions.
    const BY_DIFFERENCES: [(&str, f64, f64, f64); 18] = [
        ("000/rod-on-wall.toml", 0.754_982_9, -1.409_539, 0.75),
        ("000/sliding-mass.toml", 0.541_913_5, -1.0, 0.65),
        ("000/double-pendulum-strikes-pendulum.toml", 0.453_283_2, -2.020_927, 2.172_705),
        ("000/slider-crank.toml", 0.801_475_1, -1.447_214, 4.227_761),
        ("001/two-spheres.toml", 2.055_125, -0.5, 0.513_781_3),
        ("002/two-discs.toml", 1.2, -2.0, 2.625),
        ("002/double-pendulum.toml", 3.223_372, -1.0, 2.002_871),
        ("002/wheeled-robot.toml", 306.0023, -0.939_692_6, 170.0),
        ("002/pantograph.toml", 0.532_426_1, -0.179_398_3, 0.01),
        ("004/bar.toml", 0.943_202_7, -3.02, 5.568_656),
        ("two-ends-of-one-chain.toml", 0.131_760_8, -1.522_629, 0.1755),
        ("robot-arm.toml", 0.640_141_7, -0.282_187_2, 0.244_861_9),
        ("four-bar.toml", 2.350_945, -0.950_133_3, 1.061_161),
        ("three-crank-parallelogram.toml", 3.466_667, -0.692_820_3, 0.832),
        ("bennett.toml", 2.570_79, -0.703_296_4, 0.635_789_6),
        ("bricard.toml", 2.532_622, -0.822_391_3, 0.856_440_9),
        ("spatial-four-bar.toml", 10.964_62, -0.257_115, 0.362_425_5),
        ("hooke-shafts.toml", 0.790_530_5, -2.537_832, 2.545_742),
    ];

    #[test]
    fn every_expectation_has_its_file() {
        let models = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
        for expectation in expectations() {
            assert!(models.join(expectation.file).is_file(), "{}", expectation.file);
        }
    }

    #[test]
    fn closed_forms_and_differences_of_the_files_agree() {
        let ours = expectations();
        assert_eq!(ours.len(), BY_DIFFERENCES.len());
        for (file, m_eff, u, T) in BY_DIFFERENCES {
            let found = ours.iter().find(|x| x.file == file).expect(file);
            let close = |x: f64, y: f64| (x - y).abs() < 2e-5 * y.abs();
            assert!(close(found.effective_mass, m_eff), "{found:?}, m_eff {m_eff}");
            assert!(close(found.gap_rate, u), "{found:?}, rate {u}");
            assert!(close(found.kinetic_energy, T), "{found:?}, T {T}");
            assert!(found.effective_energy() <= found.kinetic_energy * (1.0 + 1e-12));
        }
    }
}
