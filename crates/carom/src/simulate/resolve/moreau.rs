//! Coulomb's law over a short step, where contacts hardly slip (J. J. Moreau's steps).
//!
//! With forces p over the step, u = c + W p are the velocities at its end over its length, and p and u solve the contact problem
//! ([`crate::maths::cone`]).

use crate::maths::cone::{Admissible, ConeSolver, ContactPoint, ContactProblem};
use crate::maths::zero;
use crate::simulate::system::constraint::Held;

/// Regularisation: normals have a compliance of this part of the largest mobility, so that dependent ones share a load as equal springs do.
const GIVE: f64 = 1e-7;

/// W with the regularised normals.
pub(in crate::simulate) fn give_way(W: &[f64], held: &[Held]) -> Vec<f64> {
    let (mut W, m) = (W.to_vec(), held.len());
    let most = (0..m).map(|i| W[i * m + i]).fold(0.0, f64::max);
    for i in (0..m).filter(|i| held[*i].part == 0) {
        W[i * m + i] += GIVE * most;
    }
    W
}

/// Forces by row, and whether each contact slips.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct Answer {
    pub forces: Vec<f64>,
    pub slips: Vec<bool>,
}

/// The forces of contacts, each of which has its rows one after the other. None where a contact would have to pull to stay closed.
pub(in crate::simulate) fn forces_over_step(
    W: &[f64],
    c: &[f64],
    points: &[ContactPoint],
) -> Option<Answer> {
    let mut cone = ConeSolver::default();
    cone.solve(&ContactProblem { points, W, c, round_off: 0.0 }).ok()?;
    let (p, u, m) = (&cone.impulses, &cone.velocities, c.len());
    let strongest = p.iter().fold(0.0_f64, |most, p| most.max(p.abs()));
    let mut slips = Vec::with_capacity(points.len());
    let mut row = 0;
    for point in points {
        // A normal force that is round-off beside the largest means that the contact would have to pull.
        if p[row] < zero::INTEGRATED * strongest {
            return None;
        }
        let tangents = row + 1..row + point.rows();
        let (speed, mobility) = tangents.fold((0.0_f64, 0.0_f64), |(speed, mobility), i| {
            (speed.hypot(u[i]), mobility.max(W[i * m + i]))
        });
        let friction = if let Admissible::Coulomb(mu) = point.admissible { mu } else { 0.0 };
        // Slips slower than this part of the speeds that friction gives are sticking.
        slips.push(speed > zero::SHARES * friction * strongest * mobility);
        row += point.rows();
    }
    Some(Answer { forces: cone.impulses, slips })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers between −1 and 1, the same on every run.
    fn numbers(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            // 53 bits are exact.
            #[allow(clippy::cast_precision_loss)]
            let part = (state >> 11) as f64 / (1_u64 << 53) as f64;
            2.0 * part - 1.0
        }
    }

    /// Feet of a plate on the floor: rows (vertical; along x, y) on (v_x, v_y, v_z, ω_x, ω_y, ω_z), unit mass, arms in units of its
    /// radius of gyration. Four feet are redundant.
    fn plate(
        feet: &[[f64; 2]],
        loads: [f64; 6],
        mu: f64,
    ) -> (Vec<f64>, Vec<f64>, Vec<ContactPoint>) {
        let mut A: Vec<[f64; 6]> = Vec::new();
        let mut contacts = Vec::new();
        for [x, y] in feet {
            A.push([0.0, 0.0, 1.0, *y, -x, 0.0]);
            A.push([1.0, 0.0, 0.0, 0.0, 0.0, -y]);
            A.push([0.0, 1.0, 0.0, 0.0, 0.0, *x]);
            let admissible = Admissible::Coulomb(mu);
            contacts.push(ContactPoint { tangents: 2, admissible, least: 0.0 });
        }
        let m = A.len();
        let dot = |a: &[f64; 6], b: &[f64; 6]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut W = vec![0.0; m * m];
        for i in 0..m {
            for j in 0..m {
                W[i * m + j] = dot(&A[i], &A[j]);
            }
            if i % 3 == 0 {
                W[i * m + i] += 1e-10;
            }
        }
        let c = A.iter().map(|row| dot(row, &loads)).collect();
        (W, c, contacts)
    }

    #[test]
    fn forces_over_a_step_keep_coulombs_law_where_feet_are_redundant_and_hardly_slip() {
        let feet = [[0.9, 0.7], [0.9, -0.7], [-0.9, 0.7], [-0.9, -0.7]];
        let (mut stuck, mut slipped, mut both) = (0, 0, 0);
        for seed in 0..400 {
            let mut next = numbers(seed);
            let mu = 0.3 + 0.2 * next();
            let loads = [4.0 * next(), 4.0 * next(), -10.0, next(), next(), 3.0 * next()];
            let (W, c, contacts) = plate(&feet, loads, mu);
            let m = c.len();
            let Some(found) = forces_over_step(&W, &c, &contacts) else { panic!("{seed}") };
            let p = &found.forces;
            let u: Vec<f64> =
                (0..m).map(|i| c[i] + (0..m).map(|j| W[i * m + j] * p[j]).sum::<f64>()).collect();
            for (k, slips) in found.slips.iter().enumerate() {
                let [normal, first, second] = [3 * k, 3 * k + 1, 3 * k + 2];
                let limit = mu * p[normal];
                let speed = u[first].hypot(u[second]);
                assert!(p[normal] > 0.0 && u[normal].abs() < 1e-10, "{seed}");
                if *slips {
                    for i in [first, second] {
                        let off = p[i] + limit * u[i] / speed;
                        assert!(
                            off.abs() < 1e-9,
                            "{seed}: {off} {speed} {limit} {:?}",
                            found.slips
                        );
                    }
                } else {
                    assert!(speed < 1e-6 && p[first].hypot(p[second]) < limit * (1.0 + 1e-9));
                }
            }
            let slips = found.slips.iter().filter(|s| **s).count();
            stuck += usize::from(slips == 0);
            slipped += usize::from(slips == 4);
            both += usize::from(slips > 0 && slips < 4);
        }
        assert!(stuck > 20 && slipped > 20 && both > 0, "{stuck} {slipped} {both}");
    }

    #[test]
    fn a_pull_just_over_the_limit_gives_a_slip_of_the_excess() {
        // Along x, through the centre: all feet share, and u̇ = F − μ m g.
        let feet = [[0.9, 0.7], [0.9, -0.7], [-0.9, 0.7], [-0.9, -0.7]];
        for excess in [1e-2, 1e-4, 1e-6] {
            let loads = [3.0 * (1.0 + excess), 0.0, -10.0, 0.0, 0.0, 0.0];
            let (W, c, contacts) = plate(&feet, loads, 0.3);
            let found = forces_over_step(&W, &c, &contacts);
            let found = found.unwrap_or_else(|| panic!("{excess}"));
            assert!(found.slips.iter().all(|s| *s), "{excess}");
            let pushed: f64 = (0..contacts.len()).map(|k| found.forces[3 * k + 1]).sum();
            assert!((pushed + 3.0).abs() < 1e-9, "{excess}: {pushed}");
        }
    }
}
