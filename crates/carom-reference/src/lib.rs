//! Closed-form answers, written from the page and never from the engine.
//!
//! Every file holds one system. It says which equation of which paper it implements (`Nikravesh-Poursina`
//! and so on are the papers the project started from) or which textbook argument it follows, and
//! its own tests hold it against the numbers the papers print. The engine is then tested against
//! these functions. Nothing here depends on `carom`: numbers are plain `f64`, SI units, radians.
//!
//! Letters as on the page: `M` mass matrix, `A` impact Jacobian (one row), `n` the contact normal,
//! δ̇ the approach speed, m_eff = 1/(A M⁻¹ Aᵀ), T_c = ½ m_eff u².
#![allow(non_snake_case, reason = "matrices keep the capitals of the page")]

pub mod feasible;
pub mod linear;
pub mod random;
pub mod space;

pub mod double_pendulum_strikes_pendulum;
pub mod double_pendulum_trapezoid;
pub mod rod_on_wall;
pub mod slider_crank;
pub mod sliding_mass;
pub mod two_ends_of_one_chain;

pub mod double_pendulum;
pub mod pantograph;
pub mod two_discs;
pub mod wheeled_robot;

pub mod constrained_bar;
pub mod constrained_bar_run;

pub mod four_bar;
pub mod free_body;
pub mod parallelogram;
pub mod physical_double_pendulum;
pub mod pivoted_body;

pub mod bennett;
pub mod bricard;
pub mod hooke_joint;
pub mod loop_of_rods;
pub mod serial_arm;
pub mod spatial_four_bar;

pub mod contact_force;
pub mod convex_sets;
pub mod hertz;
pub mod moreau_jean;
pub mod one_dimensional_impact;
pub mod planar_impact;
pub mod restitution;

pub mod model_files;
