//! Eqs. 2.1, 3.1 and 4.32 to 4.35, as printed.

/// The numbers of table 1 or 2 that an impact depends on.
#[derive(Clone, Copy)]
pub(super) struct Bar {
    /// m_b, m_s, m_w \[kg\].
    pub masses: [f64; 3],
    /// ℓ \[m\].
    pub length: f64,
    /// d_Acmb \[m\].
    pub center: f64,
    /// I_b,cm \[kg m²\].
    pub inertia: f64,
}

/// The numbers of table 1 or 2 that only the motion depends on.
#[derive(Clone, Copy)]
pub(super) struct Mounting {
    /// k_s \[N/m\] and c_s \[N s/m\].
    pub support: [f64; 2],
    /// k_w and c_w.
    pub wall: [f64; 2],
    /// M_θ \[N m\].
    pub torque: f64,
}

/// d \[m\].
const DISTANCE: f64 = 0.6;

impl Bar {
    /// Table 1.
    pub(super) const TABLE_1: Self =
        Self { masses: [2.0, 5.0, 10.0], length: 1.0, center: 0.5, inertia: 0.1667 };
    /// Table 2.
    pub(super) const TABLE_2: Self = Self { masses: [2.0, 1.0, 1.0], ..Self::TABLE_1 };

    /// Eq. 4.33: v_sy⁺ and ω_b⁺ of v_sy⁻, ω_b⁻, v_wy⁻; v_wy⁺ by eq. 4.18.
    pub(super) fn after(&self, theta: f64, [v_s, w_b, v_w]: [f64; 3]) -> [f64; 3] {
        let Self { masses: [m_b, m_s, m_w], length: l, center: a, inertia: I } = *self;
        let (s, c) = theta.sin_cos();
        // Eq. 4.32.
        let m_tot = m_s + m_b + m_w;
        let I_tot = I + m_b * a * a * s * s + m_w * l * (l - a) * c * c;
        let r_1 = (m_s + m_b) * v_s + m_w * v_w + m_b * w_b * a * c;
        let r_2 = -m_s * v_s * a * c + m_w * v_w * (l - a) * c + (I + m_b * a * a * s * s) * w_b;
        let alpha_1 = (m_b * a + m_w * l) * c;
        let alpha_2 = (m_s * a - m_w * (l - a)) * c;
        let below = alpha_1 * alpha_2 + m_tot * I_tot;
        let v_s = (r_1 * I_tot - r_2 * alpha_1) / below;
        let w_b = (r_1 * alpha_2 + r_2 * m_tot) / below;
        [v_s, w_b, v_s + w_b * l * c]
    }

    /// Eq. 4.34.
    pub(super) fn denominator(&self, theta: f64) -> f64 {
        let Self { masses: [m_b, m_s, m_w], length: l, center: a, inertia: I } = *self;
        let (s, c) = theta.sin_cos();
        m_s * m_b * a * a
            + (m_s + m_b + m_w) * I
            + m_b * m_w * (l * (l - 2.0 * a) * c * c + a * a)
            + m_s * m_w * l * l * c * c
            + m_b * m_b * a * a * s * s
    }

    /// The same from the effective mass of the contact: m_w det M / m_eff, with M of support and bar.
    pub(super) fn denominator_of(&self, theta: f64, effective_mass: f64) -> f64 {
        let Self { masses: [m_b, m_s, m_w], center: a, inertia: I, .. } = *self;
        let c = theta.cos();
        let det = (m_s + m_b) * (I + m_b * a * a) - (m_b * a * c).powi(2);
        m_w * det / effective_mass
    }

    /// ÿ_s and θ̈ of eq. 3.1 in contact, with a1 to a3 as they must be.
    fn accelerations(&self, on: &Mounting, [y, th]: [f64; 2], [y_dot, w]: [f64; 2]) -> [f64; 2] {
        let Self { masses: [m_b, m_s, m_w], length: l, center: a, inertia: I } = *self;
        let Mounting { support: [k_s, c_s], wall: [k_w, c_w], torque } = *on;
        let (s, c) = th.sin_cos();
        let m_t = m_b + m_s + m_w;
        let (a1, a2) = (I + m_b * a * a, m_b * a + m_w * l);
        let a3 = m_t * m_w * l * l - a2 * a2;
        let below = a1 * m_t + a3 * c * c;
        let first = a1 * (c_s + c_w) * y_dot
            + a1 * (k_s + k_w) * y
            + a1 * c_w * l * w * c
            + a1 * k_w * l * s
            - a1 * a2 * w * w * s
            - m_b * c_w * l * l * a * w * c.powi(3)
            - m_b * k_w * l * l * a * s * c * c
            + m_b * k_w * DISTANCE * l * a * c * c
            + l * (m_w * l * c_s - m_b * a * c_w) * y_dot * c * c
            + l * (m_w * l * k_s - m_b * a * k_w) * y * c * c
            - a1 * k_w * DISTANCE;
        let arm = m_t * l - a2;
        let second = c_w * l * arm * w * c * c + k_w * l * arm * s * c - k_w * DISTANCE * arm * c
            + (a2 * m_b * a - m_w * l * arm) * w * w * s * c
            + (k_w * arm - a2 * k_s) * y * c
            + (c_w * arm - a2 * c_s) * y_dot * c;
        [(-a2 * c * torque - first) / below, (m_t * torque - second) / below]
    }

    /// F_N of eq. 2.1's first line, in contact.
    pub(super) fn normal_force(&self, on: &Mounting, q: [f64; 2], v: [f64; 2]) -> f64 {
        let Self { masses: [m_b, m_s, _], center: a, .. } = *self;
        let ([k_s, c_s], [y, th], [y_dot, w]) = (on.support, q, v);
        let [y_2dot, th_2dot] = self.accelerations(on, q, v);
        m_b * a * (w * w * th.sin() - th_2dot * th.cos())
            - (m_b + m_s) * y_2dot
            - c_s * y_dot
            - k_s * y
    }
}
