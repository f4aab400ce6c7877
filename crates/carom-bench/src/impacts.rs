//! What an impact at 1, 10 and 100 contacts costs once W is formed: by law, contacts of many bodies, of one body (rank 6), and
//! with friction in the plane and in space.

use carom::impact::laws::{
    ImpactContact, ImpactFriction, ImpactMemory, ImpactProblem, ImpactSolution, find,
};

use crate::time;

/// What the name of a case begins with.
const PREFIX: &str = "strike-";
/// How many contacts.
const SIZES: [usize; 3] = [1, 10, 100];
/// The laws, and what is struck.
const CASES: [(&str, Kind); 14] = [
    ("newton", Kind::Many),
    ("poisson", Kind::Many),
    ("generalised", Kind::Many),
    ("sequential", Kind::Many),
    ("plastic", Kind::Many),
    ("newton", Kind::One),
    ("newton", Kind::Rough),
    ("poisson", Kind::Rough),
    ("plastic", Kind::Rough),
    ("sequential", Kind::Rough),
    ("newton", Kind::Space),
    ("poisson", Kind::Space),
    ("plastic", Kind::Space),
    ("sequential", Kind::Space),
];

/// What is struck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Contacts of many bodies: all rows independent.
    Many,
    /// Contacts of one body: rank 6 at most.
    One,
    /// Many bodies with friction in the plane: two rows a contact.
    Rough,
    /// The same in space: three rows.
    Space,
    /// Boxes on each other, four points with friction between two: dependent rows.
    Stack,
    /// Points with friction of one body: rank 6.
    Points,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Many => "",
            Self::One => "one-body-",
            Self::Rough => "rough-",
            Self::Space => "rough-space-",
            Self::Stack => "stack-",
            Self::Points => "points-",
        }
    }

    fn tangents(self) -> usize {
        match self {
            Self::Many | Self::One => 0,
            Self::Rough => 1,
            Self::Space | Self::Stack | Self::Points => 2,
        }
    }
}

fn name(law: &str, kind: Kind, contacts: usize) -> String {
    format!("{PREFIX}{law}-{}{contacts}", kind.name())
}

/// Twenty boxes, and a hundred points of one body.
const LARGE: [(&str, Kind, usize); 2] =
    [("plastic", Kind::Stack, 80), ("plastic", Kind::Points, 100)];

fn all() -> impl Iterator<Item = (&'static str, Kind, usize)> {
    CASES.into_iter().flat_map(|(law, kind)| SIZES.map(|k| (law, kind, k))).chain(LARGE)
}

/// The names of the cases.
pub fn names() -> Vec<String> {
    all().map(|(law, kind, k)| name(law, kind, k)).collect()
}

/// One evaluation.
type Call = Box<dyn FnMut() -> f64>;

/// The evaluation of a case; none if it is not one of these.
pub fn evaluation(case: &str) -> Option<Result<Call, String>> {
    let (law, kind, k) = all().find(|(law, kind, k)| name(law, *kind, *k) == case)?;
    Some(made(law, kind, k))
}

fn made(law: &str, kind: Kind, k: usize) -> Result<Call, String> {
    let law = find(law).map_err(|error| error.to_string())?.law;
    let tangents = kind.tangents();
    let friction = if tangents > 0 { ImpactFriction::Coulomb(0.3) } else { ImpactFriction::None };
    let contact = ImpactContact { tangents, restitution: 0.5, friction };
    let contacts = vec![contact; k];
    let (W, mut u): (Vec<f64>, Vec<f64>) = match kind {
        Kind::Stack | Kind::Points => bodies(kind, k),
        _ => {
            let (rows, W) = matrix(kind, k);
            let u = (0..rows).map(|i| {
                if i % (1 + tangents) == 0 { -1.0 + 0.3 * wave(i) } else { 0.6 * wave(i) }
            });
            (W, u.collect())
        }
    };
    let mut memory = ImpactMemory::default();
    let mut out = ImpactSolution::default();
    Ok(Box::new(move || {
        // The same problem with other bits, and still velocities that the bodies can have.
        for u in &mut u {
            *u *= 1.0 - 1e-12;
        }
        let solved = ImpactProblem::new(&contacts, &W, &u)
            .and_then(|problem| law.solve(&problem, &mut memory, &mut out));
        solved.map_or(f64::NAN, |()| out.after[0])
    }))
}

/// Something between −1 and 1.
fn wave(i: usize) -> f64 {
    (2.399_963 * i as f64 + 0.3).sin()
}

/// Rows of contacts in a row of bodies (each feels its two neighbours), or of one body.
fn matrix(kind: Kind, k: usize) -> (usize, Vec<f64>) {
    let step = 1 + kind.tangents();
    let rows = step * k;
    let mut W = vec![0.0; rows * rows];
    if kind == Kind::One {
        let G: Vec<[f64; 6]> = (0..k)
            .map(|i| std::array::from_fn(|d| if d == 0 { 1.0 } else { 0.5 * wave(6 * i + d) }))
            .collect();
        for i in 0..k {
            for j in 0..k {
                W[i * k + j] = (0..6).map(|d| G[i][d] * G[j][d]).sum();
            }
        }
        return (rows, W);
    }
    for i in 0..rows {
        W[i * rows + i] = 2.0 + 0.3 * wave(i);
        for j in i - i % step..i {
            let x = 0.3 * wave(i + 5 * j);
            (W[i * rows + j], W[j * rows + i]) = (x, x);
        }
        if i >= step {
            let x = -0.8 + 0.2 * wave(i + 7);
            (W[i * rows + i - step], W[(i - step) * rows + i]) = (x, x);
        }
    }
    (rows, W)
}

/// Rows of points on bodies of unit mass and inertia, W = G Gᵀ and u = G w: four points between a box and the one below, or all of one
/// body.
fn bodies(kind: Kind, k: usize) -> (Vec<f64>, Vec<f64>) {
    let count = if kind == Kind::Stack { k / 4 } else { 1 };
    let mut G = vec![vec![0.0; 6 * count]; 3 * k];
    for point in 0..k {
        let (x, y) = match (kind, point % 4) {
            (Kind::Stack, 0) => (1.0, 1.0),
            (Kind::Stack, 1) => (-1.0, 1.0),
            (Kind::Stack, 2) => (-1.0, -1.0),
            (Kind::Stack, _) => (1.0, -1.0),
            _ => (wave(2 * point), wave(2 * point + 1)),
        };
        let body = if kind == Kind::Stack { point / 4 } else { 0 };
        for (row, [a, b, c]) in
            [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].into_iter().enumerate()
        {
            // The lower side of a body, and the upper of the one below.
            for (body, z, sign) in [(Some(body), -0.5, 1.0), (body.checked_sub(1), 0.5, -1.0)] {
                let Some(body) = body else { continue };
                let own = [a, b, c, y * c - z * b, z * a - x * c, x * b - y * a];
                for (g, o) in G[3 * point + row][6 * body..].iter_mut().zip(own) {
                    *g = sign * o;
                }
            }
        }
    }
    let w: Vec<f64> =
        (0..6 * count).map(|i| if i % 6 == 2 { -1.0 } else { 0.3 * wave(i) }).collect();
    let dot = |x: &[f64], y: &[f64]| -> f64 { x.iter().zip(y).map(|(x, y)| x * y).sum() };
    let W = G.iter().flat_map(|x| G.iter().map(move |y| dot(x, y))).collect();
    (W, G.iter().map(|g| dot(g, &w)).collect())
}

/// Times of all cases.
pub fn print_times() {
    println!("\n{:<36} {:>12}", "impact, W given", "µs");
    for name in names() {
        let Some(Ok(call)) = evaluation(&name) else { continue };
        println!("{name:<36} {:>12.2}", time(call) * 1e6);
    }
}
