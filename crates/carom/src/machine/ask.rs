//! The three jobs: assess, impact, run; and studies.
