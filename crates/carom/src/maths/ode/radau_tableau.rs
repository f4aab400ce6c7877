//! The coefficients of Radau IIA with five stages, order 9, in the form that decouples the stages.
//!
//! E. Hairer, G. Wanner: Solving Ordinary Differential Equations II, Stiff and Differential-Algebraic
//! Problems, 2nd revised edition, Springer 1996, sections IV.5 and IV.8; *Stiff differential equations solved by Radau methods*,
//! J. Comput. Appl. Math. 111 (1999) 93–111, for more than three stages. All numbers follow from the defining equations, which
//! `radau_order_tests.rs` holds them to. Stages are counted from 0 here.
#![allow(
    clippy::excessive_precision,
    clippy::unreadable_literal,
    reason = "twenty digits of the solutions of the defining equations"
)]

/// Stages of a step.
pub(super) const STAGES: usize = 5;
/// The stage at the end of the step.
pub(super) const LAST: usize = STAGES - 1;
/// Complex pairs of eigenvalues of A⁻¹, beside the real one.
pub(super) const PAIRS: usize = STAGES / 2;

/// c: the time of each stage in parts of the step, the roots of d⁴/dx⁴ (x⁴ (x − 1)⁵).
pub(super) const C: [f64; STAGES] = [
    0.057104196114517682193,
    0.27684301363812382768,
    0.58359043236891682006,
    0.86024013565621944785,
    1.0,
];

/// The real eigenvalue γ of A⁻¹.
pub(super) const REAL: f64 = 6.2867047517292766452;
/// The complex pairs α ± iβ.
pub(super) const COMPLEX: [(f64, f64); PAIRS] =
    [(5.7009532986717894192, 3.2102656003085498884), (3.6556943254635722582, 6.543736899360077294)];

/// T⁻¹ A⁻¹ T is γ and the blocks (α, −β; β, α).
pub(super) const T: [[f64; STAGES]; STAGES] = [
    [
        0.013576867344947943248,
        -0.011478515255229514708,
        -0.014019858892875410281,
        -0.01024204781790882707,
        0.047673877290295723863,
    ],
    [
        0.0016179004017190874764,
        -0.0076688307491801628852,
        0.024708578426518526813,
        0.050172864517371058163,
        -0.094331819181611436981,
    ],
    [
        0.079157853347447207645,
        0.019398463998828950911,
        0.081800353703751170836,
        -0.23053953404341794672,
        0.10270304538012589979,
    ],
    [
        0.41225608268046145198,
        0.40760117128019906662,
        0.19968242788680252594,
        0.37789390224886124954,
        0.46674413033249435929,
    ],
    [1.0, 1.0, 0.0, 1.0, 0.0],
];
pub(super) const T_INVERSE: [[f64; STAGES]; STAGES] = [
    [
        27.697693775684088409,
        12.783337911304406015,
        3.2084893867134298598,
        -0.95149041224891622127,
        0.74155049602598960335,
    ],
    [
        -33.041880213519000008,
        -17.376953479063567019,
        -0.17212906325400556115,
        -0.099169777982542642588,
        0.53122811583830666718,
    ],
    [
        -8.6114439798752919777,
        9.6999914095288082313,
        1.9147286396968742849,
        2.4186920060849400264,
        -1.0474634879353374187,
    ],
    [
        5.3441864378349115989,
        4.5936155677591610045,
        -3.0363603234594242986,
        1.0506601902314588639,
        -0.27277861186429627054,
    ],
    [
        3.7480598074398048601,
        -3.9849657363438846673,
        -1.0444156416080187929,
        1.1840985681379484872,
        -0.4499177701567803689,
    ],
];

/// The weights of the stages in the error estimate: Σ eᵢ cᵢ = −1 and Σ eᵢ cᵢᵠ = 0 for q = 2 … 5.
pub(super) const ERROR: [f64; STAGES] = [
    -27.780933944064637305,
    3.6414784980492131527,
    -1.2525477211691187205,
    0.59200316718454287257,
    -0.2,
];
