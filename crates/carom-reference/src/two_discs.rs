//! Two discs on a line (Gonzalez et al., section 2.1).

/// What an impact along one line takes and leaves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// m_eff.
    pub effective_mass: f64,
    /// T_c.
    pub constrained: f64,
    /// T_a.
    pub admissible: f64,
}

/// m_eff = m₁ m₂/(m₁+m₂) (eq. 4), T_c (eq. 7) and T_a (eq. 8) with ḋ_c = ẋ₂ − ẋ₁ and
/// ḋ_a = (m₁/m₂) ẋ₁ + ẋ₂.
pub fn split(m1: f64, m2: f64, x1_dot: f64, x2_dot: f64) -> Split {
    let d_c = x2_dot - x1_dot;
    let d_a = m1 / m2 * x1_dot + x2_dot;
    let effective_mass = m1 * m2 / (m1 + m2);
    Split {
        effective_mass,
        constrained: 0.5 * effective_mass * d_c * d_c,
        admissible: 0.5 * m2 * m2 / (m1 + m2) * d_a * d_a,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_add_up_to_the_kinetic_energy() {
        let (m1, m2, v1, v2) = (2.0, 3.0, 1.5, -0.5);
        let split = split(m1, m2, v1, v2);
        let T = 0.5 * (m1 * v1 * v1 + m2 * v2 * v2);
        assert!((split.constrained + split.admissible - T).abs() < 1e-14, "eq. 6");
        assert!((split.effective_mass - 1.2).abs() < 1e-15);
    }
}
