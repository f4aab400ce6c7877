//! A census of impacts with friction and rows that depend on each other: what is refused has no solution.
//!
//! In the plane that is proved: every way of standing (open, sticking, sliding to either side) is a system of linear
//! inequalities, and a linear programme written apart finds none of them solvable.

use carom::impact::laws::{
    ImpactContact, ImpactError, ImpactFriction, ImpactLaw, ImpactMemory, ImpactProblem,
    ImpactSolution, Newton, Plastic, Poisson,
};
use carom_reference::feasible::feasible;
use carom_reference::random::Random;

/// The part of the largest velocity by which a condition may be missed, as the laws promise.
const MET: f64 = 1e-9;
/// Impulses \[N s\] beyond these leave no digit of velocities near 1 m/s: rows that hang together but for round-off.
const LARGEST: f64 = 1e6;
/// Problems of each kind.
const ROUNDS: usize = 6000;

struct Case {
    contacts: Vec<ImpactContact>,
    W: Vec<f64>,
    u: Vec<f64>,
}

impl Case {
    /// Contacts with rows of a rank: W = G Gᵀ, u = G w.
    fn random(random: &mut Random, tangents: usize, k: usize, rank: usize) -> Self {
        let contacts: Vec<ImpactContact> = (0..k)
            .map(|_| ImpactContact {
                tangents,
                restitution: random.uniform(),
                friction: ImpactFriction::Coulomb(random.within(0.0, 2.0)),
            })
            .collect();
        let mut list = |n: usize| (0..n).map(|_| random.within(-1.0, 1.0)).collect::<Vec<f64>>();
        let G: Vec<Vec<f64>> = (0..k * (1 + tangents)).map(|_| list(rank)).collect();
        let w = list(rank);
        let dot = |x: &[f64], y: &[f64]| -> f64 { x.iter().zip(y).map(|(x, y)| x * y).sum() };
        let W = G.iter().flat_map(|x| G.iter().map(move |y| dot(x, y))).collect();
        Self { contacts, W, u: G.iter().map(|g| dot(g, &w)).collect() }
    }

    fn solve(&self, law: &dyn ImpactLaw) -> Result<ImpactSolution, ImpactError> {
        let mut out = ImpactSolution::default();
        let problem = ImpactProblem::new(&self.contacts, &self.W, &self.u)?;
        law.solve(&problem, &mut ImpactMemory::default(), &mut out)?;
        Ok(out)
    }

    /// The largest violation of p_n ≥ 0, u_n⁺ ≥ 0 and the cone, by the size of what stands there.
    fn missed(&self, out: &ImpactSolution) -> f64 {
        let size = out.impulses.iter().fold(1.0_f64, |s, p| s.max(p.abs()));
        let (mut worst, mut at) = (0.0_f64, 0);
        for contact in &self.contacts {
            let p_n = out.impulses[at];
            let p_t = (1..contact.rows()).fold(0.0_f64, |s, x| s.hypot(out.impulses[at + x]));
            let over = p_t - contact.friction.coefficient() * p_n;
            worst = worst.max(-p_n).max(-out.after[at] / size).max(over / size);
            at += contact.rows();
        }
        worst
    }

    /// Impulses of newton's condition in the plane, by trying every way of standing.
    fn stand_somehow(&self) -> Option<Vec<f64>> {
        let k = self.contacts.len();
        (0..4_usize.pow(u32::try_from(k).unwrap())).find_map(|code| {
            let ways: Vec<usize> = (0..k).map(|i| code / 4_usize.pow(i as u32) % 4).collect();
            self.stand(&ways)
        })
    }

    /// The same for one way: 0 open, 1 sticking, 2 and 3 sliding forwards and backwards.
    fn stand(&self, ways: &[usize]) -> Option<Vec<f64>> {
        let (k, n) = (ways.len(), self.u.len());
        // Unknown: p_n, p_t⁺, p_t⁻ of each contact, then up to two slacks of each.
        let wide = 5 * k;
        let mut rows: Vec<(Vec<f64>, f64)> = Vec::new();
        let moved = |row: usize| {
            let mut out = vec![0.0; wide];
            for j in 0..k {
                out[3 * j] = self.W[row * n + 2 * j];
                out[3 * j + 1] = self.W[row * n + 2 * j + 1];
                out[3 * j + 2] = -out[3 * j + 1];
            }
            out
        };
        let unit = |entries: &[(usize, f64)]| {
            let mut out = vec![0.0; wide];
            for (at, x) in entries {
                out[*at] = *x;
            }
            out
        };
        for (i, way) in ways.iter().enumerate() {
            let (e, mu) = (self.contacts[i].restitution, self.contacts[i].friction.coefficient());
            let aim = self.u[2 * i] + e * self.u[2 * i].min(0.0);
            let (p, slack) = (3 * i, 3 * k + 2 * i);
            let mut normal = moved(2 * i);
            if *way == 0 {
                // u_n ≥ aim with nothing else
                normal[slack] = -1.0;
                for at in p..p + 3 {
                    rows.push((unit(&[(at, 1.0)]), 0.0));
                }
            }
            rows.push((normal, -aim));
            match way {
                0 => {}
                1 => {
                    rows.push((moved(2 * i + 1), -self.u[2 * i + 1]));
                    // ± p_t ≤ μ p_n
                    let one = [(p, -mu), (p + 1, 1.0), (p + 2, -1.0), (slack, 1.0)];
                    let other = [(p, -mu), (p + 1, -1.0), (p + 2, 1.0), (slack + 1, 1.0)];
                    rows.push((unit(&one), 0.0));
                    rows.push((unit(&other), 0.0));
                }
                way => {
                    let sigma = if *way == 2 { 1.0 } else { -1.0 };
                    // p_t = −σ μ p_n, σ u_t ≥ 0
                    let edge = [(p, sigma * mu), (p + 1, 1.0), (p + 2, -1.0)];
                    rows.push((unit(&edge), 0.0));
                    let mut slip = moved(2 * i + 1);
                    slip[slack] = -sigma;
                    rows.push((slip, -self.u[2 * i + 1]));
                }
            }
        }
        let (A, b): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
        feasible(&A, &b)
    }
}

#[test]
fn what_newton_refuses_in_the_plane_has_no_solution() {
    let mut random = Random::new(501);
    let (mut refused, mut wrong) = ([0; 2], Vec::new());
    for round in 0..ROUNDS {
        let k = 1 + round % 4;
        let case = Case::random(&mut random, 1, k, 1 + (round / 4) % (2 * k + 1));
        match case.solve(&Newton) {
            Ok(out) => assert!(case.missed(&out) < MET, "{round}: {}", case.missed(&out)),
            Err(why) => {
                refused[usize::from(matches!(why, ImpactError::NotSolved { .. }))] += 1;
                let found = case.stand_somehow();
                if let Some(p) = found.filter(|p| p.iter().all(|p| *p < LARGEST)) {
                    wrong.push(format!("{round} {k}: {why}, {p:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {refused:?} refused wrongly: {wrong:#?}", wrong.len());
}

#[test]
fn plastic_and_poisson_impacts_are_solved_in_the_plane_and_in_space() {
    let mut random = Random::new(502);
    let mut refused = Vec::new();
    for round in 0..ROUNDS {
        let tangents = 1 + round % 2;
        let k = 1 + (round / 2) % if tangents == 1 { 4 } else { 3 };
        let rows = k * (1 + tangents);
        let case = Case::random(&mut random, tangents, k, 1 + (round / 8) % (rows + 1));
        for law in [&Plastic as &dyn ImpactLaw, &Poisson] {
            match case.solve(law) {
                Ok(out) => assert!(case.missed(&out) < MET, "{round}: {}", case.missed(&out)),
                Err(why) => refused.push(format!("{round} {k} {tangents} {}: {why}", law.name())),
            }
        }
    }
    assert!(refused.is_empty(), "{} refused: {refused:#?}", refused.len());
}

#[test]
fn newton_in_space_is_solved_wherever_rows_are_independent() {
    let mut random = Random::new(503);
    let (mut blocked, mut refused) = (0, 0);
    for round in 0..ROUNDS {
        let k = 1 + round % 3;
        let rank = 1 + (round / 3) % (3 * k + 1);
        let case = Case::random(&mut random, 2, k, rank);
        match case.solve(&Newton) {
            Ok(out) => assert!(case.missed(&out) < MET, "{round}: {}", case.missed(&out)),
            Err(why) => {
                assert!(rank < 3 * k && k > 1, "{round}: {k} contacts of rank {rank}: {why}");
                blocked += usize::from(matches!(why, ImpactError::Blocked { .. }));
                refused += 1;
            }
        }
    }
    // In the plane, where it is proved, 16 of 100 such problems have no solution.
    assert!(refused < ROUNDS / 8, "{refused} refused, of them {blocked} blocked");
}
