//! A census of random impacts in space: how many a law refuses, and with what reason.

use carom::impact::laws::{
    ImpactContact, ImpactError, ImpactFriction, ImpactMemory, ImpactProblem, ImpactSolution, find,
};
use carom_reference::random::Random;

/// Laws of the census.
const LAWS: [&str; 3] = ["plastic", "poisson", "newton"];

/// An impact: contacts, W and u⁻.
struct Scene {
    contacts: Vec<ImpactContact>,
    W: Vec<f64>,
    u: Vec<f64>,
}

impl Scene {
    /// One to three free bodies, two to sixteen points against ground or each other, μ up to 3: with more than two points a body the rows
    /// depend on each other.
    fn random(random: &mut Random) -> Self {
        let bodies = 1 + random.index(3);
        let points = 2 + random.index(15);
        let size: Vec<[f64; 2]> =
            (0..bodies).map(|_| [random.within(0.5, 2.0), random.within(0.5, 3.0)]).collect();
        let w: Vec<f64> = (0..6 * bodies).map(|_| random.within(-1.0, 1.0)).collect();
        let mut G = vec![vec![0.0; 6 * bodies]; 3 * points];
        let mut contacts = Vec::with_capacity(points);
        for point in 0..points {
            let body = random.index(bodies);
            let other = Some(random.index(bodies)).filter(|other| *other != body);
            let normal = random.unit_vector();
            let [n, t, s] = frame(normal);
            for (body, sign) in [(Some(body), 1.0), (other, -1.0)] {
                let Some(body) = body else { continue };
                let [x, y, z] = random.vector(1.0);
                let [mass, inertia] = size[body];
                for (row, [a, b, c]) in [n, t, s].into_iter().enumerate() {
                    let own = [a, b, c, y * c - z * b, z * a - x * c, x * b - y * a];
                    for (k, own) in own.into_iter().enumerate() {
                        let unit = if k < 3 { mass } else { inertia };
                        G[3 * point + row][6 * body + k] = sign * own / unit.sqrt();
                    }
                }
            }
            contacts.push(ImpactContact {
                tangents: 2,
                restitution: random.uniform(),
                friction: ImpactFriction::Coulomb(random.within(0.0, 3.0)),
            });
        }
        let dot = |x: &[f64], y: &[f64]| -> f64 { x.iter().zip(y).map(|(x, y)| x * y).sum() };
        let W = G.iter().flat_map(|x| G.iter().map(move |y| dot(x, y))).collect();
        let u = G.iter().map(|g| dot(g, &w)).collect();
        Self { contacts, W, u }
    }
}

/// A unit vector and two across it.
fn frame(n: [f64; 3]) -> [[f64; 3]; 3] {
    let side = if n[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let t = cross(n, side);
    let length = t.iter().map(|x| x * x).sum::<f64>().sqrt();
    let t = t.map(|x| x / length);
    [n, t, cross(n, t)]
}

/// Prints how many of `count` impacts each law answers, refuses with a proof and does not find, and the largest residual.
pub fn print(count: u64) -> Result<(), String> {
    println!(
        "{:<10} {:>8} {:>8} {:>10} {:>10}",
        "law", "answered", "blocked", "not found", "residual"
    );
    for name in LAWS {
        let law = find(name).map_err(|error| error.to_string())?.law;
        let mut random = Random::new(19);
        let (mut memory, mut out) = (ImpactMemory::default(), ImpactSolution::default());
        let (mut answered, mut blocked, mut lost, mut residual) = (0, 0, 0, 0.0_f64);
        for _ in 0..count {
            let scene = Scene::random(&mut random);
            let problem = ImpactProblem::new(&scene.contacts, &scene.W, &scene.u);
            match problem.and_then(|problem| law.solve(&problem, &mut memory, &mut out)) {
                Ok(()) => {
                    answered += 1;
                    residual = residual.max(out.notes.residual);
                }
                Err(ImpactError::Blocked { .. }) => blocked += 1,
                Err(ImpactError::NotSolved { .. }) => lost += 1,
                Err(error) => return Err(error.to_string()),
            }
        }
        println!("{name:<10} {answered:>8} {blocked:>8} {lost:>10} {residual:>10.1e}");
    }
    Ok(())
}
