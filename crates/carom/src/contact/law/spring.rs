//! The elastic part of the catalogue's laws: K δⁿ.

/// K δⁿ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// K \[N/mⁿ\].
    pub stiffness: f64,
    /// n \[-\].
    pub exponent: f64,
}

impl Spring {
    /// δⁿ; the usual exponents without a general power.
    pub fn power(&self, delta: f64) -> f64 {
        if self.exponent == 1.5 {
            delta * delta.sqrt()
        } else if self.exponent == 1.0 {
            delta
        } else {
            delta.powf(self.exponent)
        }
    }

    /// n K δⁿ⁻¹ \[N/m\] for δ > 0.
    pub fn slope(&self, delta: f64) -> f64 {
        self.stiffness * self.exponent * self.power(delta) / delta
    }

    /// K δⁿ⁺¹/(n+1) \[J\].
    pub fn energy(&self, delta: f64) -> f64 {
        if delta <= 0.0 {
            return 0.0;
        }
        self.stiffness * delta * self.power(delta) / (self.exponent + 1.0)
    }

    /// ((n+1) U/K)^{1/(n+1)} \[m\].
    pub fn depth(&self, energy: f64) -> f64 {
        ((self.exponent + 1.0) * energy / self.stiffness).powf(1.0 / (self.exponent + 1.0))
    }
}
