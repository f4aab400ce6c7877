//! The pages of the command in a real browser: `browser/*.test.js`, run by Node.

use std::path::Path;
use std::process::Command;

#[test]
#[ignore = "needs Node and Chromium; `cargo xtask test` installs them and runs it"]
fn pages_work_in_a_browser() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser");
    let status = Command::new("node")
        .args(["--test", "--test-concurrency=1"])
        .env("CAROM", env!("CARGO_BIN_EXE_carom"))
        .current_dir(folder)
        .status()
        .expect("Node.js starts");
    assert!(status.success(), "a test of a page failed: see above");
}
