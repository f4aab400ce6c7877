//! Which restitution a damped law delivers.
//!
//! Every law F = K δⁿ (1 + b δ̇/δ̇⁻) obeys b (1+e) = ln((1+b)/(1−b e)), whatever n, m, K and δ̇⁻: divide
//! m δ̈ = −F by δⁿ dδ and integrate from the onset to the release. It is eq. 24 of Gonzalez et al. with b = d/e.

/// ln((1+b)/(1−b e)) − b (1+e).
fn relation(b: f64, e: f64) -> f64 {
    b.ln_1p() - (-b * e).ln_1p() - b * (1.0 + e)
}

fn bisect(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if f(middle) > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    0.5 * (low + high)
}

/// e that the damping b delivers; b = 0 gives 1.
pub fn delivered(b: f64) -> f64 {
    if b <= 0.0 {
        return 1.0;
    }
    // The relation rises with e from a negative value and is unbounded at e = 1/b.
    bisect(0.0, 1.0_f64.min(1.0 / b), |e| relation(b, e))
}

/// b that delivers e exactly; infinite for e = 0.
pub fn exact_damping(e: f64) -> f64 {
    if e >= 1.0 {
        return 0.0;
    }
    // b = 0 always solves it; the relation first falls, then rises to the root that is wanted.
    // Its slope in b vanishes where b e = 1 − e.
    bisect((1.0 - e) / e, 1.0 / e, |b| relation(b, e))
}

/// d of Gonzalez et al. eq. 24: b e, between 0 and 1.
pub fn gonthier_factor(e: f64) -> f64 {
    exact_damping(e) * e
}

/// b of Lankarani and Nikravesh: 3 (1 − e²)/4 (Nikravesh-Poursina eq. 9).
pub fn lankarani_nikravesh(e: f64) -> f64 {
    0.75 * (1.0 - e * e)
}

/// b of Hunt and Crossley: 3 (1 − e)/2 (Gonzalez et al. eq. 26).
pub fn hunt_crossley(e: f64) -> f64 {
    1.5 * (1.0 - e)
}

/// b of Hu and Guo: 3 (1 − e)/(2 e) (Nikravesh-Poursina eq. 10).
pub fn hu_guo(e: f64) -> f64 {
    1.5 * (1.0 - e) / e
}

/// b of Flores: 8 (1 − e)/(5 e) (Nikravesh-Poursina eq. 11).
pub fn flores(e: f64) -> f64 {
    1.6 * (1.0 - e) / e
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_formulas_miss_a_half_by_known_amounts() {
        for (b, e) in [
            (lankarani_nikravesh(0.5), 0.725),
            (hunt_crossley(0.5), 0.663),
            (hu_guo(0.5), 0.488),
            (flores(0.5), 0.470),
        ] {
            assert!((delivered(b) - e).abs() < 5e-4, "b = {b}: {}", delivered(b));
        }
    }

    #[test]
    fn the_exact_damping_delivers_what_is_asked_and_solves_equation_24() {
        for e in [0.1, 0.3, 0.5, 0.7, 0.9, 0.99] {
            assert!((delivered(exact_damping(e)) - e).abs() < 1e-9, "{e}");
            let d = gonthier_factor(e);
            assert!(d > 0.0 && d < 1.0);
            let sides = ((1.0 + d / e) / (1.0 - d), (d * (1.0 + 1.0 / e)).exp());
            assert!((sides.0 / sides.1 - 1.0).abs() < 1e-9, "{e}: {sides:?}");
        }
        assert!(exact_damping(1.0) == 0.0 && delivered(0.0) == 1.0);
    }

    #[test]
    fn a_simulated_impact_has_that_restitution() {
        // δ'' = −δ^1.5 (1 + b δ'), δ' = 1 at the onset, by the classical Runge–Kutta method.
        let b = 0.75;
        let rate = |x: f64, v: f64| -x.max(0.0).powf(1.5) * (1.0 + b * v);
        let (mut x, mut v, h) = (0.0_f64, 1.0_f64, 1e-4);
        loop {
            let (k1x, k1v) = (v, rate(x, v));
            let (k2x, k2v) = (v + 0.5 * h * k1v, rate(x + 0.5 * h * k1x, v + 0.5 * h * k1v));
            let (k3x, k3v) = (v + 0.5 * h * k2v, rate(x + 0.5 * h * k2x, v + 0.5 * h * k2v));
            let (k4x, k4v) = (v + h * k3v, rate(x + h * k3x, v + h * k3v));
            x += h / 6.0 * (k1x + 2.0 * (k2x + k3x) + k4x);
            v += h / 6.0 * (k1v + 2.0 * (k2v + k3v) + k4v);
            if x <= 0.0 && v < 0.0 {
                break;
            }
        }
        assert!((delivered(b) + v).abs() < 1e-6, "{v}");
    }
}
