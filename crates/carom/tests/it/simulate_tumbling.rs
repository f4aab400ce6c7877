//! Bodies that tumble freely, against Euler's equations integrated by another method.

use crate::simulate::{run, wishes, written};
use carom::model::ContactTreatment::Piecewise;

/// A free body turned about its intermediate axis, with a disturbance (Dzhanibekov 1985).
const TOP: &str = "carom = 1\nspace = \"spatial\"\ngravity = [0, 0, 0]\n\
    [bodies.top]\nmass = 1\ninertia = [1, 2, 3]\n\
    [joints.free]\ntype = \"floating\"\nconnects = [\"ground\", \"top\"]\n\
    position = [0, 0, 0, 1, 0, 0, 0]\nvelocity = [0, 0, 0, 0.1, 5, 0.1]\n";
const INERTIA: [f64; 3] = [1.0, 2.0, 3.0];

/// ω in body axes and the quaternion of the attitude (w, x, y, z), as one list.
type Motion = [f64; 7];

/// I ω̇ = (I ω) × ω and q̇ = ½ q (0, ω).
fn rate(m: &Motion) -> Motion {
    let [a, b, c, w, x, y, z] = *m;
    let [i, j, k] = INERTIA;
    [
        (j - k) * b * c / i,
        (k - i) * c * a / j,
        (i - j) * a * b / k,
        0.5 * (-x * a - y * b - z * c),
        0.5 * (w * a + y * c - z * b),
        0.5 * (w * b + z * a - x * c),
        0.5 * (w * c + x * b - y * a),
    ]
}

/// The classical method of Runge and Kutta with steps of h.
fn integrated(mut m: Motion, steps: usize, h: f64) -> Motion {
    let moved = |m: &Motion, k: &Motion, h: f64| -> Motion {
        std::array::from_fn(|i| h.mul_add(k[i], m[i]))
    };
    for _ in 0..steps {
        let a = rate(&m);
        let b = rate(&moved(&m, &a, 0.5 * h));
        let c = rate(&moved(&m, &b, 0.5 * h));
        let d = rate(&moved(&m, &c, h));
        m = std::array::from_fn(|i| m[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
    }
    m
}

#[test]
fn a_top_about_its_intermediate_axis_is_followed_to_four_times_the_tolerance() {
    /// Allowed at 1e-9 after ten seconds, in entries of the quaternion and in parts of the angular speed.
    const OFF: f64 = 4e-9;
    let begin = [0.1, 5.0, 0.1, 1.0, 0.0, 0.0, 0.0];
    let exact = integrated(begin, 400_000, 2.5e-5);
    // The method's own error, by another step.
    let coarse = integrated(begin, 200_000, 5e-5);
    let own = exact.iter().zip(&coarse).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(own < 0.1 * OFF, "{own}");
    let out = run(&written(TOP, &[]), &wishes("", Piecewise, 10.0, 1e-9));
    let q = &out.state.q.as_slice()[3..7];
    let size = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    let sign = if q[0] * exact[3] >= 0.0 { size } else { -size };
    for (k, x) in q.iter().enumerate() {
        assert!((x / sign - exact[3 + k]).abs() < OFF, "q[{k}]: {} of {}", x / sign, exact[3 + k]);
    }
    // ω in the world is q ω q*: files and answers have those axes.
    let [a, b, c, w, x, y, z] = exact;
    let dot = x * a + y * b + z * c;
    let cross = [y * c - z * b, z * a - x * c, x * b - y * a];
    let body = [a, b, c];
    let axis = [x, y, z];
    let speed = body.iter().map(|x| x * x).sum::<f64>().sqrt();
    let square = w * w - x * x - y * y - z * z;
    for k in 0..3 {
        let world = square * body[k] + 2.0 * dot * axis[k] + 2.0 * w * cross[k];
        let found = out.state.v.as_slice()[3 + k];
        assert!((found - world).abs() < OFF * speed, "ω[{k}]: {found} of {world}");
    }
    assert!(out.drift < 1e-7, "{}", out.drift);
}
