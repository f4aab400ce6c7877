//! Every file in `models/` runs as it is shipped: it states its duration, its treatment of contacts and what that needs.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// A run of a shipped model takes a fraction of a second; a debug build on a busy machine may take this long.
const LONGEST: Duration = Duration::from_secs(60);

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|e| e == "toml") {
            out.push(path);
        }
    }
}

#[test]
fn every_model_runs_to_its_end_as_it_is_shipped() {
    let mut all = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models"), &mut all);
    all.sort();
    assert!(all.len() > 40, "{} files", all.len());
    let mut wrong = Vec::new();
    for file in &all {
        let begun = Instant::now();
        let output = Command::new(common::binary()).arg("run").arg(file).output().unwrap();
        if !output.status.success() {
            wrong.push(format!("{}: {}", file.display(), String::from_utf8_lossy(&output.stderr)));
        }
        assert!(begun.elapsed() < LONGEST, "{} takes {:?}", file.display(), begun.elapsed());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
