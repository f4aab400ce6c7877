//! Impacts in contact space for the tests of the laws.

use carom::impact::laws::{
    ImpactContact, ImpactError, ImpactFriction, ImpactLaw, ImpactMemory, ImpactProblem,
    ImpactSolution,
};
use carom_reference::random::Random;

pub fn solve(
    law: &dyn ImpactLaw,
    contacts: &[ImpactContact],
    W: &[f64],
    u: &[f64],
) -> Result<ImpactSolution, ImpactError> {
    let mut out = ImpactSolution::default();
    let problem = ImpactProblem::new(contacts, W, u)?;
    law.solve(&problem, &mut ImpactMemory::default(), &mut out)?;
    Ok(out)
}

/// A random impact: W = G Gᵀ of some rank, u = G w, so that the rows are those of a mechanism.
pub struct Case {
    pub contacts: Vec<ImpactContact>,
    pub W: Vec<f64>,
    pub u: Vec<f64>,
}

pub fn gram(G: &[Vec<f64>]) -> Vec<f64> {
    let dot = |x: &[f64], y: &[f64]| -> f64 { x.iter().zip(y).map(|(x, y)| x * y).sum() };
    G.iter().flat_map(|x| G.iter().map(move |y| dot(x, y))).collect()
}

pub fn case(random: &mut Random, contacts: Vec<ImpactContact>, rank: usize) -> Case {
    let rows: usize = contacts.iter().map(ImpactContact::rows).sum();
    let G: Vec<Vec<f64>> =
        (0..rows).map(|_| (0..rank).map(|_| random.within(-1.0, 1.0)).collect()).collect();
    let w: Vec<f64> = (0..rank).map(|_| random.within(-1.0, 1.0)).collect();
    let u = G.iter().map(|g| g.iter().zip(&w).map(|(g, w)| g * w).sum()).collect();
    Case { W: gram(&G), u, contacts }
}

pub fn smooth(e: f64, k: usize) -> Vec<ImpactContact> {
    vec![ImpactContact::smooth(e); k]
}

/// Δu = W p, row by row.
pub fn change(W: &[f64], p: &[f64], row: usize) -> f64 {
    let n = p.len();
    W[row * n..(row + 1) * n].iter().zip(p).map(|(w, p)| w * p).sum()
}

pub fn rough(tangents: usize, e: f64, mu: f64) -> ImpactContact {
    ImpactContact { tangents, restitution: e, friction: ImpactFriction::Coulomb(mu) }
}
