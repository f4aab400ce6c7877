//! Integration tests: one binary, one module per side from which an answer is compared.
#![allow(non_snake_case, reason = "matrices carry the capital letters of the papers")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::too_many_lines,
    clippy::cast_possible_truncation,
    reason = "a test fails by panicking, and reads best as one sequence; its counts are small"
)]

mod allocation;
mod analytic;
mod checkpoint;
mod clearance;
mod cone;
mod dead_centre;
mod expression_law;
mod fit;
mod friction;
mod gradient;
mod hertz;
mod impact1d;
mod impact_case;
mod impact_census;
mod impact_census_space;
mod impact_curve;
mod impact_exists;
mod impact_friction;
mod impact_law;
mod impact_limit;
mod impact_never;
mod impact_redundant;
mod impact_scale;
mod impact_strike;
mod invariant;
mod lanes;
mod law;
mod layering;
mod limit;
mod machine;
mod machine_many;
mod machines;
mod mesh_mutation;
mod optimise;
mod order;
mod planar_kernel;
mod published;
mod published_studies;
mod random_mechanism;
mod reaction;
mod refusal;
mod refusal_index;
mod refusal_law;
mod regression;
mod report;
mod residual;
mod resolution;
mod robot;
mod robot_mjcf;
mod robot_mjcf_mesh;
mod robot_mjcf_refusal;
mod robot_mutation;
mod robot_near;
mod robot_payload;
mod robot_refusal;
mod robot_skin;
mod robot_urdf;
mod rope;
mod run_answer;
mod second_method;
mod similar_runs;
mod similar_verdicts;
mod simulate;
mod simulate_breakaway;
mod simulate_convex;
mod simulate_event;
mod simulate_follow;
mod simulate_friction;
mod simulate_graze;
mod simulate_impact;
mod simulate_jump;
mod simulate_lasting;
mod simulate_ledger;
mod simulate_many;
mod simulate_output;
mod simulate_rattle;
mod simulate_record;
mod simulate_shapes;
mod simulate_sharing;
mod simulate_standing;
mod simulate_stiff;
mod simulate_stop;
mod simulate_tumbling;
mod simulate_user_event;
mod singular;
mod study;
mod study_compiled;
mod study_first_impact;
mod study_log;
mod table;
mod text_mutation;
mod twin;
mod workshop;
