//! Impacts whose laws always have an answer get one, with friction and with rows that depend on each other.

use carom::impact::laws::{
    ImpactContact, ImpactError, ImpactFriction, ImpactLaw, ImpactMemory, ImpactProblem,
    ImpactSolution, Newton, Plastic, Poisson,
};
use carom_reference::random::Random;

/// The part of the largest velocity by which a condition may be missed, as the laws promise.
const MET: f64 = 1e-9;

struct Case {
    contacts: Vec<ImpactContact>,
    W: Vec<f64>,
    u: Vec<f64>,
}

impl Case {
    /// Rows G of contacts: W = G Gᵀ, u = G w.
    fn new(contacts: Vec<ImpactContact>, G: &[Vec<f64>], w: &[f64]) -> Self {
        let dot = |x: &[f64], y: &[f64]| -> f64 { x.iter().zip(y).map(|(x, y)| x * y).sum() };
        let W = G.iter().flat_map(|x| G.iter().map(move |y| dot(x, y))).collect();
        Self { contacts, W, u: G.iter().map(|g| dot(g, w)).collect() }
    }

    fn random(random: &mut Random, contacts: Vec<ImpactContact>, rank: usize) -> Self {
        let rows: usize = contacts.iter().map(ImpactContact::rows).sum();
        let mut list = |n: usize| (0..n).map(|_| random.within(-1.0, 1.0)).collect::<Vec<f64>>();
        let G: Vec<Vec<f64>> = (0..rows).map(|_| list(rank)).collect();
        let w = list(rank);
        Self::new(contacts, &G, &w)
    }

    fn solve(&self, law: &dyn ImpactLaw) -> Result<ImpactSolution, ImpactError> {
        let mut out = ImpactSolution::default();
        let problem = ImpactProblem::new(&self.contacts, &self.W, &self.u)?;
        law.solve(&problem, &mut ImpactMemory::default(), &mut out)?;
        Ok(out)
    }

    /// The largest violation of p_n ≥ 0, u_n⁺ ≥ 0 and the cone.
    fn missed(&self, out: &ImpactSolution) -> f64 {
        let (mut worst, mut at) = (0.0_f64, 0);
        for contact in &self.contacts {
            let p_n = out.impulses[at];
            let p_t = (1..contact.rows()).fold(0.0_f64, |s, x| s.hypot(out.impulses[at + x]));
            let over = p_t - contact.friction.coefficient() * p_n;
            worst = worst.max(-p_n).max(-out.after[at]).max(over);
            at += contact.rows();
        }
        worst
    }
}

fn rough(e: f64, mu: f64, tangents: usize) -> ImpactContact {
    ImpactContact { tangents, restitution: e, friction: ImpactFriction::Coulomb(mu) }
}

fn planar(random: &mut Random, k: usize, e: Option<f64>) -> Vec<ImpactContact> {
    (0..k)
        .map(|_| rough(e.unwrap_or_else(|| random.uniform()), random.within(0.0, 1.5), 1))
        .collect()
}

#[test]
fn a_slider_between_opposed_rough_contacts_comes_to_rest_by_poisson() {
    for mu in [0.1, 0.3, 1.5] {
        for e in [0.0, 0.5, 1.0] {
            let G = [vec![0.8], vec![-0.6], vec![-0.8], vec![0.6]];
            let case = Case::new(vec![rough(e, mu, 1); 2], &G, &[-1.0]);
            let out = case.solve(&Poisson).unwrap();
            assert!(out.after.iter().all(|u| u.abs() < MET), "μ {mu}, e {e}: {:?}", out.after);
            assert!(case.missed(&out) < MET);
        }
    }
}

#[test]
fn poisson_without_friction_has_an_answer_however_rows_depend() {
    let mut random = Random::new(71);
    for round in 0..3000 {
        let k = 2 + round % 5;
        let contacts = (0..k).map(|_| ImpactContact::smooth(random.uniform())).collect();
        let case = Case::random(&mut random, contacts, 1 + round % 4);
        let out = case.solve(&Poisson).unwrap_or_else(|why| panic!("{round}: {why}"));
        assert!(case.missed(&out) < MET, "{round}: {}", case.missed(&out));
    }
}

#[test]
fn poisson_and_plastic_impacts_with_friction_in_the_plane_have_an_answer() {
    let mut random = Random::new(72);
    let mut refused = Vec::new();
    for round in 0..3000 {
        let k = 2 + round % 4;
        let e = (round % 3 == 0).then_some(0.0);
        let contacts = planar(&mut random, k, e);
        let case = Case::random(&mut random, contacts, 1 + (round / 4) % (2 * k));
        for law in [&Plastic as &dyn ImpactLaw, &Poisson] {
            match case.solve(law) {
                Ok(out) => assert!(case.missed(&out) < MET, "{round}: {}", case.missed(&out)),
                Err(why) => refused.push(format!("{round} {k} {}: {why}", law.name())),
            }
        }
    }
    assert!(refused.is_empty(), "{} refused: {refused:#?}", refused.len());
}

#[test]
fn newton_with_friction_has_an_answer_where_rows_are_independent() {
    let mut random = Random::new(73);
    for round in 0..2000 {
        let k = 2 + round % 3;
        let e = random.uniform();
        let contacts = planar(&mut random, k, Some(e));
        let case = Case::random(&mut random, contacts, 2 * k + 1);
        let out = case.solve(&Newton).unwrap_or_else(|why| panic!("{round}: {why}"));
        assert!(case.missed(&out) < MET, "{round}: {}", case.missed(&out));
    }
}
