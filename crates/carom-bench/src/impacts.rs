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
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Many => "",
            Self::One => "one-body-",
            Self::Rough => "rough-",
            Self::Space => "rough-space-",
        }
    }

    fn tangents(self) -> usize {
        match self {
            Self::Many | Self::One => 0,
            Self::Rough => 1,
            Self::Space => 2,
        }
    }
}

fn name(law: &str, kind: Kind, contacts: usize) -> String {
    format!("{PREFIX}{law}-{}{contacts}", kind.name())
}

fn all() -> impl Iterator<Item = (&'static str, Kind, usize)> {
    CASES.into_iter().flat_map(|(law, kind)| SIZES.map(|k| (law, kind, k)))
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
    let (rows, W) = matrix(kind, k);
    let mut u: Vec<f64> = (0..rows)
        .map(|i| if i % (1 + tangents) == 0 { -1.0 + 0.3 * wave(i) } else { 0.6 * wave(i) })
        .collect();
    let mut memory = ImpactMemory::default();
    let mut out = ImpactSolution::default();
    Ok(Box::new(move || {
        u[0] -= 1e-12;
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

/// Times of all cases.
pub fn print_times() {
    println!("\n{:<36} {:>12}", "impact, W given", "µs");
    for name in names() {
        let Some(Ok(call)) = evaluation(&name) else { continue };
        println!("{name:<36} {:>12.2}", time(call) * 1e6);
    }
}
