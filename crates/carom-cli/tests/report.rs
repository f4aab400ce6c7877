//! Pages as files: the same bytes, no places of this machine, nothing replaced without being asked.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("carom-page-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// The command, with this folder for `OUT/`.
    fn carom(&self, words: &[&str]) -> Output {
        let place = |word: &&str| word.replace("OUT", &self.0.display().to_string());
        let mut command = Command::new(common::binary());
        command.args(words.iter().map(place)).current_dir(root()).output().unwrap()
    }

    fn done(&self, words: &[&str]) {
        let output = self.carom(words);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{words:?}: {text}");
    }

    fn page(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name).join("report.html")).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

const PAGES: [&[&str]; 4] = [
    &["run", "models/000/two-pendulums.toml"],
    &["impact", "models/003/rocking-block.toml"],
    &["assess", "models/000/slider-crank.toml"],
    &["sweep", "models/studies/000-fig-10.toml"],
];

/// A page without the line that tells which command made it.
fn without_command(page: &str) -> String {
    let Some((before, rest)) = page.split_once("<div><dt>command</dt>") else {
        return page.to_owned();
    };
    let (_, after) = rest.split_once("</div>\n").unwrap();
    format!("{before}{after}")
}

#[test]
fn other_front_ends_have_the_pages_of_the_command_without_its_line() {
    let folder = Folder::new("front");
    for &words in &PAGES[..3] {
        folder.done(&[words, &["-o", &format!("OUT/{}", words[0])]].concat());
    }
    let machine = |k: usize| carom::Machine::open(root().join(PAGES[k][1])).unwrap();
    let check = |verb: &str, page: &str| {
        let command = folder.page(verb);
        assert!(command.contains("<dt>command</dt>") && !page.contains("<dt>command</dt>"));
        // The command was given the path from the root of the repository.
        let file = PAGES.iter().find(|words| words[0] == verb).unwrap()[1];
        let name = Path::new(file).file_name().unwrap().to_str().unwrap();
        assert_eq!(without_command(&command).replace(file, name), page, "{verb}");
    };
    // A page has the greatest reactions of joints.
    let options = carom::RunOptions { joint_peaks: true, ..carom::RunOptions::default() };
    let runs = machine(0).run_watched(&options, &mut |_| true).unwrap();
    check("run", &carom_cli::pages::run(&machine(0), &runs).unwrap());
    let answer = machine(1).impact(&carom::ImpactOptions::default()).unwrap();
    check("impact", &carom_cli::pages::impact(&machine(1), &answer).unwrap());
    let options = carom::AssessOptions {
        cone: Some(15_f64.to_radians()),
        terms: true,
        ..carom::AssessOptions::default()
    };
    let answer = machine(2).assess_with(&options).unwrap();
    check("assess", &carom_cli::pages::assess(&machine(2), &answer).unwrap());
}

#[test]
fn a_page_has_the_same_bytes_wherever_it_is_written() {
    let folder = Folder::new("bytes");
    for words in PAGES {
        for name in ["a", "b"] {
            folder.done(&[words, &["-o", &format!("OUT/{}-{name}", words[0])]].concat());
        }
        let [a, b] = ["a", "b"].map(|name| folder.page(&format!("{}-{name}", words[0])));
        assert!(a == b, "{words:?}");
    }
}

#[test]
fn a_page_tells_nothing_of_the_machine_it_was_made_on() {
    let folder = Folder::new("machine");
    let file = root().join("models/000/two-pendulums.toml").display().to_string();
    folder.done(&["run", &file, "--until", "2", "-o", "OUT/run"]);
    let page = folder.page("run");
    assert!(!page.contains(&root().display().to_string()));
    assert!(!page.contains(&folder.0.display().to_string()));
    assert!(page.contains("carom run two-pendulums.toml --until 2 -o DIR"));
}

#[test]
fn impact_and_assess_write_folders_and_replace_nothing_unasked() {
    let folder = Folder::new("unasked");
    for (words, count) in [(PAGES[1], 2), (PAGES[2], 3)] {
        let out = format!("OUT/{}", words[0]);
        let words = [words, &["-o", &out]].concat();
        folder.done(&words);
        assert_eq!(fs::read_dir(folder.0.join(words[0])).unwrap().count(), count);
        let refused = folder.carom(&words);
        let text = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2));
        assert!(text.contains("report.html is there already; --overwrite replaces it"), "{text}");
        folder.done(&[&words[..], &["--overwrite"]].concat());
    }
    let refused = folder.carom(&["assess", "models/robot-arm.toml", "-o", "OUT/none/deep"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("there is no folder"));
}

#[test]
fn a_study_writes_its_page_where_it_is_told() {
    let folder = Folder::new("study");
    folder.done(&["sweep", PAGES[3][1], "-o", "OUT/sweep"]);
    let quick = folder.page("sweep");
    assert!(quick.contains("Sensitivities"));
    folder.done(&["study", "OUT/sweep", "-o", "OUT/page"]);
    assert!(folder.page("page").contains("Sensitivities"));
    let refused = folder.carom(&["study", "OUT/sweep", "-o", "OUT/page"]);
    assert_eq!(refused.status.code(), Some(2));
    let alone = folder.carom(&["study", "OUT/sweep", "--overwrite"]);
    assert_eq!(alone.status.code(), Some(2));
}

#[test]
fn the_page_of_a_run_answers_with_the_numbers_of_its_table() {
    let folder = Folder::new("answer");
    folder.done(&["run", PAGES[0][1], "-o", "OUT/run"]);
    let page = folder.page("run");
    let text = fs::read_to_string(folder.0.join("run/impacts.csv")).unwrap();
    let mut lines = text.lines();
    let heading: Vec<&str> = lines.next().unwrap().split(',').collect();
    let peak = heading.iter().position(|h| *h == "peak force [N]").unwrap();
    let largest = lines
        .map(|line| line.split(',').nth(peak).unwrap().parse::<f64>().unwrap())
        .fold(0.0, f64::max);
    // Four digits, in kilonewtons.
    let tile: f64 = format!("{:.3e}", largest / 1e3).parse().unwrap();
    assert!(page.contains(&format!("<dd>{tile}")), "{largest}");
    assert!(page.contains("How hard does <code>rod_2</code> hit <code>rod_1</code>?"));
}

#[test]
fn the_share_of_the_energy_is_that_before_the_impulse() {
    let folder = Folder::new("share");
    folder.done(&["run", "models/004/bar.toml", "-o", "OUT/run"]);
    let sheet = |name: &str| -> Vec<Vec<String>> {
        let text = fs::read_to_string(folder.0.join("run").join(name)).unwrap();
        text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
    };
    let column = |sheet: &[Vec<String>], name: &str| -> Vec<f64> {
        let at = sheet[0].iter().position(|h| h == name).unwrap();
        sheet[1..].iter().map(|row| row[at].parse().unwrap()).collect()
    };
    let (impacts, path) = (sheet("impacts.csv"), sheet("trajectory.csv"));
    let [impulse, onset, energy] =
        ["impulse [N s]", "onset [s]", "T_c [J]"].map(|name| column(&impacts, name));
    let [t, kinetic] = ["t [s]", "kinetic [J]"].map(|name| column(&path, name));
    let hardest = (0..impulse.len()).max_by(|a, b| impulse[*a].total_cmp(&impulse[*b])).unwrap();
    // At the onset stand two rows: before and after.
    let before = t.iter().position(|t| *t == onset[hardest]).unwrap();
    assert!(kinetic[before] > kinetic[before + 1], "the plastic impact takes energy");
    let share = 100.0 * energy[hardest] / kinetic[before];
    assert!(folder.page("run").contains(&format!("{share:.1} % of the kinetic energy")), "{share}");
}
