//! The coefficients of Radau IIA with three stages, order 5, in the form that decouples the stages.
//!
//! E. Hairer, G. Wanner: Solving Ordinary Differential Equations II, Stiff and Differential-Algebraic
//! Problems, 2nd revised edition, Springer 1996, sections IV.5 and IV.8. Stages are counted from 0 here.
#![allow(
    clippy::excessive_precision,
    clippy::unreadable_literal,
    reason = "the digits stand as they are published"
)]

/// Stages of a step.
pub(super) const STAGES: usize = 3;

/// c: the time of each stage in parts of the step, (4 ∓ √6)/10 and 1.
pub(super) const C: [f64; STAGES] = [0.15505102572168219018, 0.64494897427831780982, 1.0];

/// The real eigenvalue γ of A⁻¹.
pub(super) const REAL: f64 = 3.6378342527444957322;
/// The complex pair α ± iβ.
pub(super) const COMPLEX: (f64, f64) = (2.6810828736277521339, 3.0504301992474105694);

/// T⁻¹ A⁻¹ T is γ and the block (α, −β; β, α).
pub(super) const T: [[f64; STAGES]; STAGES] = [
    [9.1232394870892942792e-2, -0.14125529502095420843, -3.0029194105147424492e-2],
    [0.24171793270710701896, 0.20412935229379993199, 0.38294211275726193779],
    [0.96604818261509293619, 1.0, 0.0],
];
pub(super) const T_INVERSE: [[f64; STAGES]; STAGES] = [
    [4.3255798900631553510, 0.33919925181580986954, 0.54177053993587487119],
    [-4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045196],
    [-0.50287263494578687595, 2.5719269498556054292, -0.59603920482822492497],
];

/// The weights of the stages in the error estimate, ((−13 − 7√6)/3, (−13 + 7√6)/3, −1/3).
pub(super) const ERROR: [f64; STAGES] =
    [-10.048809399827415562, 1.3821427331607488958, -0.33333333333333333333];
