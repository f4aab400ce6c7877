//! Observed orders through located events: steps of one length, cut at events, from which steps of that length go on.

use super::{Dop853, Radau, Tolerance};

/// Loose enough to accept every step of these tests; those taken again are solved far below.
const LOOSE: Tolerance<'_> = Tolerance { relative: 0.0, absolute: &[1e-4, 1e-4] };
/// The same for implicit ones, whose errors of order 9 are smaller still.
const IMPLICIT: Tolerance<'_> = Tolerance { relative: 0.0, absolute: &[1e-9, 1e-9] };
/// The wall that the pendulum swings against \[rad\].
const WALL: f64 = -0.5;
/// Until when \[s\]: three impacts.
const END: f64 = 11.0;

/// What the wall does.
#[derive(Clone, Copy, Debug)]
enum Wall {
    /// ω⁺ = −e ω⁻.
    Rigid(f64),
    /// Pushes with K δⁿ.
    Soft(f64, i32),
}

/// One of the integrators.
enum Method {
    Explicit(Box<Dop853>),
    Implicit(Box<Radau>),
}

impl Method {
    fn start(&mut self, t: f64, y: &[f64], h: f64) {
        match self {
            Self::Explicit(m) => m.start(t, y, h, LOOSE).unwrap(),
            Self::Implicit(m) => m.start(t, y, h, IMPLICIT).unwrap(),
        }
    }

    fn now(&self) -> (f64, [f64; 2]) {
        let (t, y) = match self {
            Self::Explicit(m) => (m.t(), m.y()),
            Self::Implicit(m) => (m.t(), m.y()),
        };
        (t, [y[0], y[1]])
    }

    /// A step of length h, or to the root of the event inside it; whether it was cut there.
    fn step(&mut self, wall: Wall, inside: bool, h: f64) -> bool {
        let mut pull = |_: f64, y: &[f64], y_dot: &mut [f64]| {
            let push = match wall {
                // The law goes on where a stage looks beyond its end.
                Wall::Soft(stiffness, n) if inside => stiffness * (WALL - y[0]).powi(n),
                _ => 0.0,
            };
            (y_dot[0], y_dot[1]) = (y[1], -y[0].sin() + push);
        };
        let t = self.now().0;
        let side = if inside { -1.0 } else { 1.0 };
        let mut event = |_: f64, y: &[f64]| side * (y[0] - WALL);
        match self {
            Self::Explicit(m) => {
                m.step(&mut pull, t + 1.05 * h).unwrap();
                m.accept_at(&mut pull, h).unwrap();
                let passed = event(0.0, m.y()) < 0.0;
                if passed {
                    m.land(&mut pull, &mut event, 0.0).unwrap();
                }
                passed
            }
            Self::Implicit(m) => {
                m.step(&mut pull, t + 1.05 * h).unwrap();
                m.accept_at(&mut pull, h).unwrap();
                let passed = event(0.0, m.y()) < 0.0;
                if passed {
                    m.land(&mut pull, &mut event, 0.0).unwrap();
                }
                passed
            }
        }
    }
}

/// The pendulum at the end, by steps of length h.
fn end(explicit: bool, wall: Wall, start: f64, h: f64) -> [f64; 2] {
    let mut method = if explicit {
        Method::Explicit(Box::new(Dop853::new(2)))
    } else {
        Method::Implicit(Box::new(Radau::new(2)))
    };
    let mut inside = false;
    method.start(0.0, &[start, 0.0], h);
    loop {
        let (t, mut y) = method.now();
        if END - t < 1e-12 {
            return y;
        }
        if method.step(wall, inside, h.min(END - t)) {
            let (t, landed) = method.now();
            y = landed;
            match wall {
                Wall::Rigid(e) => y[1] *= -e,
                Wall::Soft(..) => inside = !inside,
            }
            // Just beyond the event, which is landed on from the side it was approached on.
            y[0] = if inside { WALL - f64::EPSILON } else { WALL + f64::EPSILON };
            method.start(t, &y, h);
        }
    }
}

/// The order by least squares on the logarithms of root mean square errors of several starts.
fn observed(explicit: bool, wall: Wall, counts: &[u32]) -> f64 {
    let starts = [1.0, 1.07, 1.14, 1.21, 1.28, 1.35, 1.42, 1.49];
    let exact: Vec<[f64; 2]> = starts.iter().map(|s| end(true, wall, *s, 0.01)).collect();
    let points: Vec<[f64; 2]> = counts
        .iter()
        .map(|n| {
            let h = END / f64::from(*n);
            let errors = starts.iter().zip(&exact).map(|(start, exact)| {
                let y = end(explicit, wall, *start, h);
                (y[0] - exact[0]).powi(2) + (y[1] - exact[1]).powi(2)
            });
            [h.ln(), 0.5 * errors.sum::<f64>().ln()]
        })
        .collect();
    let n = points.len() as f64;
    let [x, y] = [0, 1].map(|i| points.iter().map(|p| p[i]).sum::<f64>() / n);
    let top: f64 = points.iter().map(|p| (p[0] - x) * (p[1] - y)).sum();
    let bottom: f64 = points.iter().map(|p| (p[0] - x).powi(2)).sum();
    top / bottom
}

#[test]
fn events_keep_the_orders_eight_and_nine() {
    // Fine enough for the first term of the error to rule, coarse enough for it to stand above rounding.
    let walls = [
        (Wall::Rigid(0.9), (22, 2), (14, 1)),
        (Wall::Soft(20.0, 1), (110, 8), (50, 3)),
        (Wall::Soft(5.0, 2), (60, 6), (26, 2)),
    ];
    let counts = |(first, more): (u32, u32)| (0..12).map(|k| first + more * k).collect::<Vec<_>>();
    for (wall, eight, nine) in walls {
        let order = observed(true, wall, &counts(eight));
        assert!((order - 8.0).abs() < 0.3, "DOP853, {wall:?}: {order}");
        let order = observed(false, wall, &counts(nine));
        assert!((order - 9.0).abs() < 0.3, "Radau IIA, {wall:?}: {order}");
    }
}
