//! Random changes of mesh files: whatever comes out is read or refused with a place, and what is read can be used.

use std::fmt::Write as _;

use carom::maths::mesh::{Mesh, MeshError};
use carom::maths::{Pose, Vec3};

use crate::random_mechanism::Random;

/// How many changed files are read.
const MUTATIONS: usize = 40_000;
/// How many the long run reads.
const MANY: usize = 10_000_000;

/// A closed wedge as OBJ, with all that a file may hold beside polygons.
const OBJ: &str = "# a wedge\nmtllib w.mtl\no wedge\nv 0 0 0\nv 1 0 0\nv 1 1 0 1.0\nv 0 1 0\nv 0 0 1 0.5 0.5 0.5\nv 0 1 1\n\
    vn 0 0 1\nvt 0.5 0.5\ng all\ns off\nusemtl grey\nf 1 4 3 2\nf 1/1/1 2//1 5\nf 4 -1 3\nf 2 3 6 \\\n 5\nf 1 5 6 4\nl 1 2\n";

/// Words that stand in the place of others.
const WORDS: [&str; 24] = [
    "nan",
    "inf",
    "-1",
    "0",
    "1e300",
    "1e-320",
    "-0",
    "",
    "v",
    "f",
    "facet",
    "vertex",
    "endloop",
    "endfacet",
    "endsolid",
    "solid",
    "outer loop",
    "\\",
    "99999999999999999999",
    "7//",
    "-9",
    "#",
    "surf",
    "\r\n",
];

fn stl_text(mesh: &Mesh) -> String {
    let mut out = String::from("solid wedge\n");
    for t in &mesh.triangles {
        out += "facet normal 0 0 0\nouter loop\n";
        for p in mesh.corners(t) {
            writeln!(out, "vertex {} {} {}", p.x, p.y, p.z).unwrap();
        }
        out += "endloop\nendfacet\n";
    }
    out + "endsolid wedge\n"
}

fn stl_binary(mesh: &Mesh) -> Vec<u8> {
    let mut out = vec![b' '; 80];
    out.extend(u32::try_from(mesh.triangles.len()).unwrap().to_le_bytes());
    for t in &mesh.triangles {
        out.extend([0; 12]);
        for x in mesh.corners(t).iter().flat_map(|p| p.iter()) {
            #[allow(clippy::cast_possible_truncation, reason = "STL holds 32 bits")]
            out.extend((*x as f32).to_le_bytes());
        }
        out.extend([0; 2]);
    }
    out
}

fn mutated(random: &mut Random, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(3) {
        let length = bytes.len().max(1);
        let at = random.below(length).min(bytes.len());
        let end = (at + random.below(40)).min(bytes.len());
        match random.below(12) {
            0..=2 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            3 => drop(bytes.drain(at..end)),
            4 => {
                let piece = bytes[at..end].to_vec();
                let to = random.below(length).min(bytes.len());
                bytes.splice(to..to, piece);
            }
            5 => bytes.truncate(at),
            6 => drop(bytes.splice(at..at, WORDS[random.below(WORDS.len())].bytes())),
            _ => {
                let space = |b: &u8| b.is_ascii_whitespace();
                let start = bytes[at..].iter().position(space).map_or(bytes.len(), |k| at + k + 1);
                let start = start.min(bytes.len());
                let end = bytes[start..].iter().position(space).map_or(bytes.len(), |k| start + k);
                bytes.splice(start..end, WORDS[random.below(WORDS.len())].bytes());
            }
        }
    }
    bytes
}

/// The files that are changed, with their names: a wedge in three forms, and the corpus of the fuzz target, in which the first byte tells the
/// format. Files by hand stand first.
fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus/mesh");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort_by_key(|path| (path.to_string_lossy().contains("/found-"), path.clone()));
    let kept = files.iter().filter_map(|path| {
        let bytes = std::fs::read(path).unwrap();
        let (first, rest) = bytes.split_first()?;
        Some((if first % 2 == 0 { "kept.stl" } else { "kept.obj" }, rest.to_vec()))
    });
    let mut out = wedges().to_vec();
    out.extend(kept);
    out
}

/// How many forms the wedge has.
const WEDGES: usize = 3;

fn wedges() -> [(&'static str, Vec<u8>); WEDGES] {
    let wedge = Mesh::read("w.obj", OBJ.as_bytes()).unwrap();
    assert!((wedge.solid().unwrap().volume - 0.5).abs() < 1e-15, "{wedge:?}");
    [
        ("w.obj", OBJ.as_bytes().to_vec()),
        ("text.stl", stl_text(&wedge).into_bytes()),
        ("binary.stl", stl_binary(&wedge)),
    ]
}

/// Reads one changed file and uses what comes out; tells whether it was read, and whether it is closed.
fn tried(random: &mut Random, seeds: &[(&str, Vec<u8>)]) -> (bool, bool) {
    // Half of them of the wedges, for most that fuzzing found are refused already.
    let of = if random.below(2) == 0 { WEDGES } else { seeds.len() };
    let (name, bytes) = &seeds[random.below(of)];
    let bytes = mutated(random, bytes);
    used(name, &bytes)
}

fn used(name: &str, bytes: &[u8]) -> (bool, bool) {
    match Mesh::read(name, bytes) {
        Err(error) => {
            let lines = bytes.split(|b| *b == b'\n').count();
            match error {
                MeshError::Line { line, .. } => assert!((1..=lines).contains(&line), "{error}"),
                MeshError::Coordinate { byte, .. } => assert!(byte < bytes.len(), "{error}"),
                MeshError::Kind { .. } => panic!("{error}"),
                _ => {}
            }
            (false, false)
        }
        Ok(mesh) => {
            let n = u32::try_from(mesh.points.len()).unwrap();
            assert!(mesh.triangles.iter().flatten().all(|k| *k < n));
            assert!(mesh.points.iter().all(|p| p.iter().all(|x| x.is_finite())));
            assert!(!mesh.triangles.is_empty());
            let placed = mesh.placed(&Vec3::new(1e-3, -1e-3, 1e-3), &Pose::identity());
            assert!(placed.coarse(4).0.triangles.len() <= placed.triangles.len());
            let _ = (Mesh::read_first_object(name, bytes), mesh.overcounted(), mesh.hull());
            (true, mesh.solid().is_ok())
        }
    }
}

/// How many of so many changed files are read, and how many of those are closed.
fn counted(seed: u64, runs: usize) -> (usize, usize) {
    let mut random = Random(seed);
    let seeds = seeds();
    // The files themselves first, then changed ones.
    for (name, bytes) in &seeds {
        used(name, bytes);
    }
    let (mut read, mut closed) = (0, 0);
    for _ in 0..runs {
        let (one, two) = tried(&mut random, &seeds);
        (read, closed) = (read + usize::from(one), closed + usize::from(two));
    }
    (read, closed)
}

#[test]
fn changed_meshes_are_read_or_refused_and_never_panic() {
    let (read, closed) = counted(18, MUTATIONS);
    // The loop exercises what it says: of each kind there are many.
    assert!(read > 2000 && MUTATIONS - read > 2000, "{read}");
    assert!(closed > 500 && read - closed > 300, "{read} {closed}");
}

#[test]
#[ignore = "ten million files take some minutes"]
fn ten_million_changed_meshes_are_read_or_refused() {
    let (read, closed) = counted(1988, MANY);
    assert!(closed > 0 && read > closed && MANY > read, "{read} {closed}");
}
