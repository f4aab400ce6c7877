//! The impact of F = K δⁿ (1 + b δ̇/δ̇⁻) in closed form.
//!
//! With s = δ/δ_el, y = δ̇/δ̇⁻ and δ_el the depth of the elastic impact (½ m δ̇⁻² = K δ_elⁿ⁺¹/(n+1)),
//! m δ̈ = −F is y dy/(1 + b y) = −(n+1)/2 sⁿ ds, which integrates to
//!
//! sⁿ⁺¹ = 2 (G(1) − G(y)),  G(y) = (b y − ln(1 + b y))/b².
//!
//! The pair parts at s = 0, where G(−e) = G(1): **b (1+e) = ln((1+b)/(1−b e))**, eq. (5.6), whatever n, m, K, δ̇⁻.
//! With q = 1 − b e this is q e^{−q} = (1+b) e^{−(1+b)}, so q = −W₀(−(1+b) e^{−(1+b)}) with Lambert's W. It is Gonzalez et al.
//! eq. 24 with d = b e.
//!
//! Time comes from ψ = −ln(1 + b y), in which sⁿ⁺¹ = (2/b²)(φ(ψ₀) − φ(ψ)) with φ = e^{−ψ} − 1 + ψ, and
//! dt = (δ_el/δ̇⁻) (2/(n+1)) dψ/(b sⁿ). Each phase is counted from its end at s = 0: x = |ψ − ψ_end|, ξ = x/b,
//! sⁿ⁺¹ = ξ ρ(ξ) with a smooth ρ, and ξ = uⁿ⁺¹ leaves nothing singular: t = (δ_el/δ̇⁻) 2 ∫ ρ^{−n/(n+1)} du. All forms stay
//! accurate down to b = 0, the elastic impact.

use std::sync::{Mutex, PoisonError};

use super::{Factors, Point};
use crate::maths::quadrature::integral;

/// How many impacts [`Damped::known`] remembers: more laws are rarely in use at the same time.
const REMEMBERED: usize = 16;
/// The impacts computed last, the latest first.
static LATEST: Mutex<Vec<Damped>> = Mutex::new(Vec::new());

/// The damping b \[-\] that delivers the restitution e > 0 exactly; 0 for e = 1.
///
/// The root of b (1+e) = ln((1+b)/(1−b e)) that is not zero; for small e it is found through ln(1 − b e), which
/// keeps its digits where b e is 1 to round-off.
pub fn exact_damping(e: f64) -> f64 {
    if e >= 1.0 {
        return 0.0;
    }
    if e < 0.6 {
        // L = ln q, b = (1 − q)/e:  (1−q)(1+e)/e − ln(1 + (1−q)/e) + L = 0.
        let mut L = (1.0 / e).ln_1p() - (1.0 + e) / e;
        for _ in 0..60 {
            let (q, b) = (L.exp(), -L.exp_m1() / e);
            let residual = b * (1.0 + e) - b.ln_1p() + L;
            let slope = 1.0 - q * (1.0 + e) / e + q / (e + 1.0 - q);
            let change = residual / slope;
            L -= change;
            if !(change.abs() > 1e-15 * L.abs()) {
                break;
            }
        }
        return -L.exp_m1() / e;
    }
    // (1 − e²)/2 = b (g₁(b) + e³ g₁(−b e)): nothing cancels as e → 1.
    let loss = 0.5 * (1.0 - e) * (1.0 + e);
    let mut b = 1.5 * (1.0 - e) / e;
    for _ in 0..60 {
        let residual = b * (third(b) + e * e * e * third(-b * e)) - loss;
        // −d/db of g(b) − e² g(−b e), with (x² g)′ = x/(1+x).
        let slope = (2.0 * gap(b) - 1.0 / (1.0 + b)) / b
            - e * e * (2.0 * gap(-b * e) - 1.0 / (1.0 - b * e)) / b;
        let slope = if b > 1e-3 { slope } else { (1.0 + e * e * e) / 3.0 };
        let change = residual / slope;
        b -= change;
        if !(change.abs() > 1e-15 * b) {
            break;
        }
    }
    b
}

/// The restitution that the damping b ≥ 0 delivers.
pub fn delivered(b: f64) -> f64 {
    if b > 1.0 { -log_rest(b).exp_m1() / b } else { delivered_by_little(b) }
}

/// ln q of b > 1 from ln q − q = ln(1+b) − (1+b), by Newton's method.
fn log_rest(b: f64) -> f64 {
    let c = b.ln_1p() - 1.0 - b;
    let mut L = c + c.exp();
    for _ in 0..40 {
        let q = L.exp();
        let change = (L - q - c) / (1.0 - q);
        L -= change;
        if !(change.abs() > 1e-16 * L.abs()) {
            break;
        }
    }
    L
}

/// e of b ≤ 1 from e² g(−b e) = g(b), by Newton's method.
fn delivered_by_little(b: f64) -> f64 {
    let g = gap(b);
    let mut e = 1.0 / (1.0 + b * (2.0 / 3.0 + b * 0.05));
    for _ in 0..40 {
        let change = (e * e * gap(-b * e) - g) * (1.0 - b * e) / e;
        e -= change;
        if !(change.abs() > 2e-16 * e) {
            break;
        }
    }
    e
}

/// g(x) = (x − ln(1+x))/x².
fn gap(x: f64) -> f64 {
    if x.abs() < 0.3 { 0.5 - x * third(x) } else { (x - x.ln_1p()) / (x * x) }
}

/// g₁(x) = (½ − g(x))/x = 1/3 − x/4 + x²/5 − …
fn third(x: f64) -> f64 {
    if x.abs() >= 0.3 {
        return (0.5 - (x - x.ln_1p()) / (x * x)) / x;
    }
    // |x|ᵏ/(k+3) is below round-off from k = 30 on.
    let (mut sum, mut power) = (0.0, 1.0);
    for k in 0..32 {
        sum += power / f64::from(k + 3);
        power *= -x;
        if power.abs() < 1e-17 {
            break;
        }
    }
    sum
}

/// κ(x) = (eˣ − 1 − x)/x².
fn kappa(x: f64) -> f64 {
    if x.abs() >= 0.5 {
        return (x.exp_m1() - x) / (x * x);
    }
    let (mut sum, mut term) = (0.0, 0.5);
    for k in 0..20 {
        sum += term;
        term *= x / f64::from(k + 3);
    }
    sum
}

/// (1 − e^{−x})/x.
fn mean_decay(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { -(-x).exp_m1() / x }
}

/// One impact, in units of the elastic one: lengths of δ_el, speeds of δ̇⁻, times of δ_el/δ̇⁻.
#[derive(Clone, Copy, Debug)]
pub struct Damped {
    n: f64,
    b: f64,
    e: f64,
    /// ln(1 − b e).
    log_rest: f64,
    factors: Factors,
}

impl Damped {
    /// The impact of exponent n > 0 and damping b ≥ 0.
    pub fn new(n: f64, b: f64) -> Self {
        let (e, log_rest) = if b > 1.0 {
            let L = log_rest(b);
            (-L.exp_m1() / b, L)
        } else {
            let e = delivered_by_little(b);
            (e, (-b * e).ln_1p())
        };
        let zero = Factors::default();
        let mut motion = Self { n, b, e, log_rest, factors: zero };
        let y = motion.speed_at_peak();
        let xi = motion.compression_place(y);
        let s = (xi * motion.rho_in(xi)).powf(1.0 / (n + 1.0));
        let (ends, deepest) = (motion.ends(), motion.depth());
        let compression = motion.time(ends.0, |xi| motion.rho_in(xi));
        motion.factors = Factors {
            restitution: e,
            peak_force: s.powf(n) * (1.0 + b * y),
            time_of_peak: motion.time(xi, |xi| motion.rho_in(xi)),
            max_indentation: deepest,
            time_of_max_indentation: compression,
            duration: compression + motion.time(ends.1, |xi| motion.rho_out(xi)),
            parting_indentation: 0.0,
        };
        motion
    }

    /// The same, remembered: durations are quadratures of some 20 µs, and laws with the same n and b ask for them again and again.
    pub fn known(n: f64, b: f64) -> Self {
        let same = |x: &Self| x.n.to_bits() == n.to_bits() && x.b.to_bits() == b.to_bits();
        let latest = || LATEST.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = latest().iter().find(|x| same(x)) {
            return *found;
        }
        // Computed without the lock, so that threads with different laws do not wait for each other.
        let new = Self::new(n, b);
        let mut latest = latest();
        if !latest.iter().any(same) {
            latest.truncate(REMEMBERED - 1);
            latest.insert(0, new);
        }
        new
    }

    /// Factors against the elastic impact.
    pub fn factors(&self) -> &Factors {
        &self.factors
    }

    /// ξ of the deepest point, counted from the onset and from the parting.
    fn ends(&self) -> (f64, f64) {
        let b = self.b;
        if b == 0.0 { (1.0, 1.0) } else { (b.ln_1p() / b, -self.log_rest / b) }
    }

    /// s_max = (2 G(1))^{1/(n+1)}.
    fn depth(&self) -> f64 {
        (2.0 * gap(self.b)).powf(1.0 / (self.n + 1.0))
    }

    /// sⁿ⁺¹/ξ in compression: 2 (A(x) − ξ κ(−x)), A = (1 − e^{−x})/x.
    fn rho_in(&self, xi: f64) -> f64 {
        let x = self.b * xi;
        2.0 * (mean_decay(x) - xi * kappa(-x))
    }

    /// sⁿ⁺¹/ξ in restitution: 2 (e − q ξ κ(x)) = (2/b)(1 − q (eˣ − 1)/x).
    fn rho_out(&self, xi: f64) -> f64 {
        let x = self.b * xi;
        if x > 1.0 {
            let q = self.log_rest.exp();
            return 2.0 / self.b * (1.0 - ((x + self.log_rest).exp() - q) / x);
        }
        2.0 * (self.e - self.log_rest.exp() * xi * kappa(x))
    }

    /// t from s = 0 to ξ: 2 ∫ ρ^{−n/(n+1)} du, ξ = uⁿ⁺¹.
    fn time(&self, xi: f64, rho: impl Fn(f64) -> f64) -> f64 {
        let (n, share) = (self.n, self.n / (self.n + 1.0));
        2.0 * integral(xi.powf(1.0 / (n + 1.0)), |u| rho(u.powf(n + 1.0)).powf(-share))
    }

    /// ξ in compression of the speed y: x = −ln(1 − b (1−y)/(1+b)).
    fn compression_place(&self, y: f64) -> f64 {
        let r = (1.0 - y) / (1.0 + self.b);
        if self.b == 0.0 { r } else { -(-self.b * r).ln_1p() / self.b }
    }

    /// y where F is greatest: n/(n+1) y = b (G(1) − G(y)), by Newton's method from the right, where it is monotone.
    fn speed_at_peak(&self) -> f64 {
        let (b, share) = (self.b, self.n / (self.n + 1.0));
        let mut y = 1.0;
        for _ in 0..100 {
            let xi = self.compression_place(y);
            let residual = share * y - 0.5 * b * xi * self.rho_in(xi);
            let change = residual / (share + b * y / (1.0 + b * y));
            y -= change;
            if !(change.abs() > 1e-16 * y.abs()) {
                break;
            }
        }
        y.clamp(0.0, 1.0)
    }

    /// Depth and speed at the time t between onset and parting.
    pub fn at(&self, t: f64) -> Point {
        let (ends, f) = (self.ends(), &self.factors);
        let Self { n, b, e, .. } = *self;
        if t <= f.time_of_max_indentation {
            let xi = self.place(t, ends.0, |xi| self.rho_in(xi));
            let x = b * xi;
            Point {
                s: (xi * self.rho_in(xi)).powf(1.0 / (n + 1.0)),
                // (1+b) e^{−x} = 1 + b y
                y: (-x).exp() - xi * mean_decay(x),
            }
        } else {
            let xi = self.place(f.duration - t, ends.1, |xi| self.rho_out(xi));
            let x = b * xi;
            // q eˣ = 1 + b y
            let y = if x > 1.0 {
                (x + self.log_rest).exp_m1() / b
            } else {
                self.log_rest.exp() * xi * mean_decay(-x) - e
            };
            Point { s: (xi * self.rho_out(xi)).powf(1.0 / (n + 1.0)), y }
        }
    }

    /// ξ at the time t from the end at s = 0: Newton's method in u, kept between its bounds.
    fn place(&self, t: f64, end: f64, rho: impl Fn(f64) -> f64) -> f64 {
        let (n, share) = (self.n, self.n / (self.n + 1.0));
        let (mut low, mut high) = (0.0, end.powf(1.0 / (n + 1.0)));
        // dt/du = 2 ρ^{−n/(n+1)}; near the onset s = t.
        let mut u = (0.5 * t * rho(0.0).powf(share)).clamp(low, high);
        for _ in 0..100 {
            let xi = u.powf(n + 1.0);
            let early = self.time(xi, &rho) - t;
            if early == 0.0 {
                break;
            }
            if early > 0.0 {
                high = u;
            } else {
                low = u;
            }
            let newton = u - 0.5 * early * rho(xi).powf(share);
            let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            let change = next - u;
            u = next;
            if !(change.abs() > 1e-15 * high) {
                break;
            }
        }
        u.powf(n + 1.0)
    }
}
