//! Wavefront OBJ, its polygons (Wavefront Technologies, Advanced Visualizer Manual, appendix B1).
//!
//! `v x y z` is a corner, `f a b c …` a polygon of corners by number (from 1; negative ones count back from the last), each of which may be followed by the numbers of its
//! texture and normal, `a/t/n`. A polygon becomes a fan of triangles about its first corner; one of four corners is parted along the shorter diagonal. Names, groups, textures, normals, materials, lines and points carry no
//! surface and are passed over; free-form surfaces are refused, because leaving them out would leave a hole.

use super::{Gatherer, Mesh, MeshError};

/// Statements that have no part in a surface of polygons.
const PASSED: [&str; 25] = [
    "vt",
    "vn",
    "vp",
    "g",
    "s",
    "mg",
    "o",
    "l",
    "p",
    "usemtl",
    "mtllib",
    "usemap",
    "maplib",
    "bevel",
    "c_interp",
    "d_interp",
    "lod",
    "shadow_obj",
    "trace_obj",
    "ctech",
    "stech",
    "call",
    "csh",
    "cstype",
    "end",
];

/// Reads the polygons of a file; also gives how many triangles its first object or group (`o`, `g`) has.
pub(super) fn read(bytes: &[u8]) -> Result<(Mesh, usize), MeshError> {
    let mut out = Gatherer::default();
    // The number of every `v` among the points, which are fewer where corners are repeated.
    let mut corners: Vec<u32> = Vec::new();
    // A polygon may stand before its corners: first all `v`, then all `f`.
    for (line, text) in statements(bytes) {
        let mut words = words(&text);
        match words.next().unwrap_or_default() {
            b"v" => {
                let mut p = [0.0; 3];
                for x in &mut p {
                    *x = number(words.next().unwrap_or_default(), line)?;
                }
                corners.push(out.point(p));
            }
            b"" | b"f" => {}
            word if word.starts_with(b"#") => {}
            word if PASSED.iter().any(|passed| passed.as_bytes() == word) => {}
            b"surf" | b"curv" | b"curv2" | b"deg" | b"parm" | b"trim" | b"hole" | b"scrv"
            | b"sp" | b"bmat" | b"step" | b"con" | b"ctrl" => {
                let found = "a free-form curve or surface".to_owned();
                return Err(MeshError::Line { line, found, expected: "polygons only" });
            }
            word => return Err(MeshError::line(line, word, "a statement of OBJ")),
        }
    }
    let mut before = 0;
    let mut first = None;
    for (line, text) in statements(bytes) {
        let mut words = words(&text);
        match words.next().unwrap_or_default() {
            b"v" => before += 1,
            b"o" | b"g" if !out.mesh.triangles.is_empty() => {
                first.get_or_insert(out.mesh.triangles.len());
            }
            b"f" => {
                let mut polygon = Vec::new();
                for word in words.take_while(|word| !word.starts_with(b"#")) {
                    polygon.push(corner(word, line, &corners, before)?);
                }
                if polygon.len() < 3 {
                    let found = format!("{} corners", polygon.len());
                    let expected = "at least 3 in a polygon";
                    return Err(MeshError::Line { line, found, expected });
                }
                if let [a, b, c, d] = polygon[..] {
                    let length =
                        |a: u32, b: u32| out.mesh.points[a as usize] - out.mesh.points[b as usize];
                    if length(b, d).norm_squared() <= length(a, c).norm_squared() {
                        polygon = vec![b, c, d, a];
                    }
                }
                for k in 1..polygon.len() - 1 {
                    out.triangle([polygon[0], polygon[k], polygon[k + 1]])?;
                }
            }
            _ => {}
        }
    }
    let mesh = out.finished()?;
    let first = first.unwrap_or(mesh.triangles.len());
    Ok((mesh, first))
}

/// Lines with their numbers, from 1; a backslash at the end joins the next one to it.
fn statements(bytes: &[u8]) -> impl Iterator<Item = (usize, std::borrow::Cow<'_, [u8]>)> {
    let mut lines = bytes.split(|b| *b == b'\n').enumerate();
    std::iter::from_fn(move || {
        let (k, line) = lines.next()?;
        let mut whole = std::borrow::Cow::Borrowed(trimmed(line));
        while whole.last() == Some(&b'\\') {
            let owned = whole.to_mut();
            owned.pop();
            owned.push(b' ');
            match lines.next() {
                Some((_, more)) => owned.extend_from_slice(trimmed(more)),
                None => break,
            }
        }
        Some((k + 1, whole))
    })
}

/// Without the carriage return of another system.
fn trimmed(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

fn number(word: &[u8], line: usize) -> Result<f64, MeshError> {
    let found = std::str::from_utf8(word).ok().and_then(|text| text.parse::<f64>().ok());
    found
        .filter(|x| x.is_finite())
        .ok_or_else(|| MeshError::line(line, word, "a finite coordinate"))
}

/// The corner that `7`, `7/1/2`, `7//2` or `-1` names; `before` corners stand above this line.
fn corner(word: &[u8], line: usize, corners: &[u32], before: usize) -> Result<u32, MeshError> {
    let first = word.split(|b| *b == b'/').next().unwrap_or_default();
    let wrong = || MeshError::line(line, word, "the number of a corner `v` of this file");
    let k: i64 = std::str::from_utf8(first).ok().and_then(|t| t.parse().ok()).ok_or_else(wrong)?;
    let at = if k < 0 {
        i64::try_from(before).ok().and_then(|n| n.checked_add(k))
    } else {
        k.checked_sub(1)
    };
    let at = at.and_then(|at| usize::try_from(at).ok()).filter(|at| k > 0 || *at < before);
    at.and_then(|at| corners.get(at).copied()).ok_or_else(wrong)
}
