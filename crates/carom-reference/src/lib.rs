//! Closed-form answers, written from the page.
