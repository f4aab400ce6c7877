use super::*;

/// A quadrature by the midpoint rule over 200 000 shares; tails of a lognormal number are its largest error.
const QUADRATURE: f64 = 2e-4;
/// Inverse and distribution function end at round-off.
const ROUND_OFF: f64 = 1e-11;

fn number(d: &Distribution, share: f64) -> f64 {
    match d.level(share) {
        Level::Number(x) => x,
        Level::Word(word) => panic!("{word}"),
    }
}

/// Mean and standard deviation over the unit interval.
fn moments(d: &Distribution) -> (f64, f64) {
    let n = 200_000;
    let all: Vec<f64> = (0..n).map(|k| number(d, (f64::from(k) + 0.5) / f64::from(n))).collect();
    let mean = all.iter().sum::<f64>() / f64::from(n);
    let variance = all.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / f64::from(n);
    (mean, variance.sqrt())
}

fn near(found: (f64, f64), wanted: (f64, f64)) {
    assert!((found.0 / wanted.0 - 1.0).abs() < QUADRATURE, "{found:?} {wanted:?}");
    assert!((found.1 / wanted.1 - 1.0).abs() < 5.0 * QUADRATURE, "{found:?} {wanted:?}");
}

#[test]
fn every_shape_has_the_moments_of_the_textbook() {
    use DistributionShape::{Lognormal, Normal, Triangular, Uniform};
    near(moments(&Distribution::new(Normal { mean: 3.0, deviation: 0.5 })), (3.0, 0.5));
    near(moments(&Distribution::new(Lognormal { mean: 3.0, deviation: 0.5 })), (3.0, 0.5));
    near(moments(&Distribution::new(Uniform { low: 1.0, high: 4.0 })), (2.5, 3.0 / 12_f64.sqrt()));
    let (a, c, b) = (1.0, 2.0, 6.0);
    let variance = (a * a + b * b + c * c - a * b - a * c - b * c) / 18.0_f64;
    let triangular = Triangular { low: a, mode: c, high: b };
    near(moments(&Distribution::new(triangular)), ((a + b + c) / 3.0, variance.sqrt()));
}

#[test]
fn a_truncated_normal_number_has_the_mean_of_the_closed_form() {
    // E = μ + σ (φ(α) − φ(β)) / (Φ(β) − Φ(α))
    let (mean, deviation) = (1.0, 2.0);
    let mut d = Distribution::new(DistributionShape::Normal { mean, deviation });
    d.physical[0] = Some(0.0);
    d.stated = [Some(-5.0), Some(4.0)];
    let phi = |x: f64| (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let (a, b) = ((0.0 - mean) / deviation, (4.0 - mean) / deviation);
    let kept = normal_below(b) - normal_below(a);
    let wanted = mean + deviation * (phi(a) - phi(b)) / kept;
    assert!((moments(&d).0 / wanted - 1.0).abs() < 1e-8);
    assert!((d.kept() - kept).abs() < ROUND_OFF);
    assert_eq!(d.bounds(), [Some(0.0), Some(4.0)]);
    assert!(number(&d, 0.0) >= 0.0 && number(&d, 1.0) <= 4.0);
}

#[test]
fn a_tail_alone_keeps_its_digits() {
    // Beyond 9 deviations above the mean; Mills' ratio: the mean excess is about σ/9.
    let mut d = Distribution::new(DistributionShape::Normal { mean: 0.0, deviation: 1.0 });
    d.stated[0] = Some(9.0);
    for p in [0.1, 0.5, 0.9] {
        let x = number(&d, p);
        let above = normal_below(-x) / normal_below(-9.0);
        assert!((above - (1.0 - p)).abs() < 1e-9, "{p}: {x}");
    }
}

#[test]
fn levels_invert_the_distribution_function() {
    use DistributionShape::{Lognormal, Normal, Triangular, Uniform};
    let all = [
        Normal { mean: -2.0, deviation: 3.0 },
        Lognormal { mean: 2.0, deviation: 3.0 },
        Uniform { low: -1.0, high: 1.0 },
        Triangular { low: 0.0, mode: 0.0, high: 1.0 },
        Triangular { low: 0.0, mode: 1.0, high: 1.0 },
    ];
    for shape in all {
        for p in [1e-6, 0.2, 0.5, 0.8, 1.0 - 1e-6] {
            let x = number(&Distribution::new(shape.clone()), p);
            assert!((shape.below(x) - p).abs() < ROUND_OFF, "{shape:?} {p}");
        }
    }
}

#[test]
fn a_table_draws_its_values_by_their_weights() {
    let levels = vec![Level::Word("hertz".into()), Level::Word("hooke".into())];
    let d = Distribution::new(DistributionShape::Table { levels, cumulative: vec![0.25, 1.0] });
    let word = |share| d.level(share) == Level::Word("hertz".into());
    assert!(word(0.0) && word(0.249) && !word(0.25) && !word(1.0));
}
