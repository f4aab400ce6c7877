//! The log of a sweep: what is damaged is found, and nothing else is lost.

use std::path::{Path, PathBuf};

use carom::file::{Loaded, parse};
use carom::model::study::PlanPart;
use carom::study::log::{FILE, Header, Reader, Shard, survey};
use carom::study::{Study, Sweep, SweepError, hashes, table};

const MODEL: &str = "carom = 1\nspace = \"planar\"\ngravity = [0, 0]\n[parameters]\nm = 1\n\
    [bodies.a]\nmass = \"m\"\ninertia = 1\ncontact.tip = { point = [0, 0] }\n\
    [ground]\ncontact.wall = { plane = [0, 1] }\n\
    [joints.j]\ntype = \"prismatic\"\nconnects = [\"ground\", \"a\"]\naxis = [0, 1]\nvelocity = -1\n\
    [contacts.c]\nbetween = [\"ground.wall\", \"a.tip\"]\n\
    [study]\nmeasures = [\"effective_mass\", \"impact_energy\"]\n\
    [study.variables]\nm = { range = [-1, 6], count = 8 }\n";

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("carom-log-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }

    fn file(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.join(name)).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn loaded(text: &str) -> Loaded {
    parse("m.toml", text, &[]).unwrap()
}

fn header(loaded: &Loaded, study: &Study) -> Header {
    let (model, plan) = hashes(&loaded.description);
    Header {
        version: "0".to_owned(),
        model,
        study: plan,
        points: study.design.points(),
        part: PlanPart::Study,
        shard: Shard::WHOLE,
        columns: study.measures.iter().map(carom::study::Column::heading).collect(),
        files: vec![("m.toml".to_owned(), MODEL.to_owned())],
        sets: Vec::new(),
    }
}

fn sweep(text: &str, folder: &Path, resume: bool) -> Result<carom::study::Advance, SweepError> {
    let loaded = loaded(text);
    let study = loaded.study().unwrap();
    let header = header(&loaded, &study);
    let sweep = Sweep { study: &study, header, folder, threads: 2, resume, overwrite: false };
    sweep.run(&mut |_| true).map(|swept| swept.advance)
}

#[test]
fn a_failed_point_is_a_row_with_its_error() {
    let folder = Folder::new("rows");
    let done = sweep(MODEL, &folder.0, false).unwrap();
    assert_eq!((done.points, done.done, done.failed), (8, 8, 2));
    let text = String::from_utf8(folder.file(table::CSV)).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "point,m,effective_mass [kg],impact_energy [J],error,untouched");
    assert!(lines[1].starts_with("0,-1.0,,,") && lines[1].contains("mass"), "{}", lines[1]);
    assert_eq!(lines[4], "3,2.0,2.0,1.0,,");
    assert_eq!(lines.len(), 9);
    let json: serde_json::Value = serde_json::from_slice(&folder.file(table::JSON)).unwrap();
    assert_eq!(json["rows"][3], serde_json::json!([3, 2.0, 2.0, 1.0, null, null]));
    assert!(json["rows"][0][4].as_str().unwrap().contains("mass"));
    assert!(matches!(sweep(MODEL, &folder.0, false), Err(SweepError::Exists { .. })));
}

#[test]
fn every_flipped_byte_is_found_and_costs_two_records_at_most() {
    let folder = Folder::new("flips");
    sweep(MODEL, &folder.0, false).unwrap();
    let (sound, csv) = (folder.file(FILE), folder.file(table::CSV));
    let head = Header::length(&sound).unwrap();
    let path = folder.0.join(FILE);
    for at in 0..sound.len() {
        let mut damaged = sound.clone();
        damaged[at] ^= 1 << (at % 8);
        std::fs::write(&path, &damaged).unwrap();
        if at < head {
            let error = sweep(MODEL, &folder.0, true).unwrap_err();
            assert!(matches!(error, SweepError::Log { .. }), "byte {at}: {error}");
            continue;
        }
        let found = survey(&mut Reader::open(&path).unwrap()).unwrap();
        assert!((6..8).contains(&found.done), "byte {at}: {found:?}");
        if at % 5 > 0 {
            // Going on writes to the disk and waits for it: a fifth of the bytes will do.
            continue;
        }
        sweep(MODEL, &folder.0, true).unwrap();
        assert_eq!(folder.file(FILE), sound, "byte {at}");
        assert_eq!(folder.file(table::CSV), csv, "byte {at}");
    }
}

#[test]
fn a_log_cut_anywhere_goes_on_to_the_same_end() {
    let folder = Folder::new("cuts");
    sweep(MODEL, &folder.0, false).unwrap();
    let (sound, json) = (folder.file(FILE), folder.file(table::JSON));
    let head = Header::length(&sound).unwrap();
    for end in (0..sound.len()).rev().step_by(7) {
        std::fs::write(folder.0.join(FILE), &sound[..end]).unwrap();
        match sweep(MODEL, &folder.0, true) {
            Ok(_) => assert_eq!(folder.file(FILE), sound, "cut at {end}"),
            Err(error) => assert!(end < head, "cut at {end}: {error}"),
        }
        assert_eq!(folder.file(table::JSON), json);
    }
}

#[test]
fn bytes_between_records_are_passed_over() {
    let folder = Folder::new("between");
    sweep(MODEL, &folder.0, false).unwrap();
    let sound = folder.file(FILE);
    let head = Header::length(&sound).unwrap();
    let odd = [&sound[..head], &[7; 100], &sound[head..]].concat();
    std::fs::write(folder.0.join(FILE), &odd).unwrap();
    let found = survey(&mut Reader::open(&folder.0.join(FILE)).unwrap()).unwrap();
    assert_eq!((found.done, found.gaps.len()), (8, 0));
}

#[test]
fn another_model_study_or_version_is_refused() {
    let folder = Folder::new("others");
    sweep(MODEL, &folder.0, false).unwrap();
    let refused = |text: &str| match sweep(text, &folder.0, true).unwrap_err() {
        SweepError::Different { what, .. } => what,
        other => panic!("{other}"),
    };
    assert_eq!(refused(&MODEL.replace("inertia = 1", "inertia = 2")), "another model");
    assert_eq!(refused(&MODEL.replace("count = 8", "count = 9")), "another study");
    // A comment changes nothing that counts.
    assert!(sweep(&format!("# again\n{MODEL}"), &folder.0, true).is_ok());
    let loaded = loaded(MODEL);
    let study = loaded.study().unwrap();
    let header = Header { version: "1".to_owned(), ..header(&loaded, &study) };
    let again = Sweep {
        study: &study,
        header,
        folder: &folder.0,
        threads: 1,
        resume: true,
        overwrite: false,
    };
    let error = again.run(&mut |_| true).unwrap_err().to_string();
    assert!(error.contains("another version"), "{error}");
}

#[test]
fn a_sweep_that_is_stopped_goes_on_where_it_was() {
    let folder = Folder::new("stops");
    let text = MODEL.replace("count = 8", "count = 1000");
    let loaded = loaded(&text);
    let study = loaded.study().unwrap();
    let header = header(&loaded, &study);
    let mut sweep = Sweep {
        study: &study,
        header,
        folder: &folder.0,
        threads: 2,
        resume: false,
        overwrite: false,
    };
    let first = sweep.run(&mut |advance| advance.done < 200).unwrap().advance;
    assert!((200..1000).contains(&first.done), "{first:?}");
    assert!(!folder.0.join(table::CSV).exists(), "there is no table of a part");
    sweep.resume = true;
    let second = sweep.run(&mut |_| true).unwrap().advance;
    assert_eq!((second.before, second.done), (first.done, 1000));
    assert_eq!(String::from_utf8(folder.file(table::CSV)).unwrap().lines().count(), 1001);
}

#[test]
fn shards_divide_the_points_without_a_rest() {
    for (points, of) in [(10, 3), (2, 5), (1_000_000_007, 64), (0, 2)] {
        let mut next = 0;
        for part in 1..=of {
            let range = Shard { part, of }.range(points);
            assert_eq!(range.start, next);
            next = range.end;
        }
        assert_eq!(next, points);
    }
}

#[test]
fn folders_that_make_no_whole_are_not_merged() {
    let (folder, empty) = (Folder::new("whole"), Folder::new("empty"));
    sweep(MODEL, &folder.0, false).unwrap();
    std::fs::create_dir_all(&empty.0).unwrap();
    let study = loaded(MODEL).study().unwrap();
    let to = empty.0.join("to");
    let merge = |folders: &[PathBuf]| carom::study::merge(&study, folders, &to).unwrap_err();
    assert!(matches!(merge(std::slice::from_ref(&empty.0)), SweepError::Nothing { .. }));
    let twice = merge(&[folder.0.clone(), folder.0.clone()]);
    assert!(matches!(twice, SweepError::Shards(_)), "{twice}");
    let log = folder.file(FILE);
    std::fs::write(folder.0.join(FILE), &log[..log.len() - 5]).unwrap();
    let short = merge(std::slice::from_ref(&folder.0)).to_string();
    assert!(short.contains("1 points from 7 on are missing"), "{short}");
}

#[test]
fn a_log_with_other_columns_or_another_layout_is_refused() {
    let loaded = loaded(MODEL);
    let own = header(&loaded, &loaded.study().unwrap());
    let mut other = own.clone();
    other.columns.reverse();
    assert_eq!(own.difference(&other), Some("other columns"));
    let bytes = own.bytes();
    let text = String::from_utf8_lossy(&bytes[12..bytes.len() - 4])
        .replace("\"layout\":2", "\"layout\":1");
    let length = u32::try_from(text.len()).unwrap().to_le_bytes();
    let crc = carom::study::crc32(&[&length, text.as_bytes()]).to_le_bytes();
    let older = [&bytes[..8], &length, text.as_bytes(), &crc].concat();
    let why = Header::read(&older).unwrap_err().to_string();
    assert!(why.contains("laid out otherwise"), "{why}");
}
